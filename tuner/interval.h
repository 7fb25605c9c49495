/* interval.h - which kernel serves which interval of a size, from what was measured at some shapes. Pure arithmetic on a table; no device.
 *
 * A table has a row for each measured shape and a column for each configuration that was as good as the best at one of them. A cell is
 * what the configuration costs there beyond the best found (its regret). Neighbouring shapes *agree* when one configuration is good at
 * both: as fast as the best within noise, or behind by no more than `within`.
 */
#ifndef FSATTN_INTERVAL_H
#define FSATTN_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { fsattn_interval_shape_limit = 33, fsattn_interval_column_limit = 64 };

typedef struct fsattn_interval_cell {
    double regret; /* share of the best's time; INFINITY: it does not work there; NaN: not measured */
    bool equal;    /* the best, or as fast within noise */
    bool serves;   /* and may be the one that is published for this shape */
} fsattn_interval_cell;

typedef struct fsattn_interval_table {
    int64_t sizes[fsattn_interval_shape_limit]; /* ascending */
    size_t shapes, columns;
    fsattn_interval_cell cells[fsattn_interval_shape_limit][fsattn_interval_column_limit]; /* columns in an order that decides ties */
    bool vacant[fsattn_interval_shape_limit]; /* nobody asks for any of the columns there: what is none of them is as accurate and faster */
    double within;
} fsattn_interval_table;

/* What one column serves. */
typedef struct fsattn_interval {
    size_t first, last; /* shapes of the table */
    size_t column;      /* SIZE_MAX: nothing may serve its only shape */
    int64_t from, to;   /* sizes; intervals follow one another without a gap */
    double regret;      /* worst at its shapes */
    double beyond;      /* worst at the next shapes outside; NaN: there are none, or it was not measured there */
} fsattn_interval;

bool fsattn_interval_good(const fsattn_interval_cell *cell, double within);

/* The size to measure next: between neighbours that do not agree, those first where it costs most; with two shapes between these in
 * any case. The middle is the geometric one, moved to a multiple of `step` from the first size. *cost: what one column for both of these
 * neighbours costs at least. False: there is nothing to be found. */
bool fsattn_interval_next(const fsattn_interval_table *table, int64_t step, int64_t *size, double *cost);

/* The fewest intervals whose column is good at all of their shapes and published for one of them, from the first shape on as long as they can be. Of several such
 * columns the one with the least worst regret at these and the neighbouring shapes: that is robust. Returns how many; `intervals` has
 * fsattn_interval_shape_limit. The boundary between two is the geometric middle of the shapes beside it. */
size_t fsattn_interval_split(const fsattn_interval_table *table, fsattn_interval *intervals);

/* Of the columns that may serve that shape the one with the least worst regret at all shapes of the table; SIZE_MAX: none may. */
size_t fsattn_interval_robust(const fsattn_interval_table *table, size_t shape);

#endif
