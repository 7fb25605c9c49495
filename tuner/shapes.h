/* shapes.h - several shapes that differ in one size: what a configuration costs at each beyond the best there, and which of those that are
 * as fast there is published.
 *
 * Shapes are points of a search that have been through their shoot-out (search_run.h), of a range (bisect.h) or listed one by one (listed.h).
 * Owns the table of interval.h made of them, and what is stored of a shape when another of its tied configurations wins.
 */
#ifndef FSATTN_SHAPES_H
#define FSATTN_SHAPES_H

#include "search_run.h"

enum { fsattn_shapes_carried = 4 }; /* configurations that one shape hands to another one */

typedef struct fsattn_shapes {
    fsattn_search_point *points[fsattn_interval_shape_limit]; /* a row each; the caller sets these, `table.sizes`, .shapes and .within */
    fsattn_candidate columns[fsattn_interval_column_limit];   /* of the table: configuration and identity */
    fsattn_interval_table table;
} fsattn_shapes;

/* What a configuration costs at a point. */
fsattn_interval_cell fsattn_shapes_cell(const fsattn_search_point *point, const fsattn_config *config);
/* What is good at a point, the least regret first; at most fsattn_shapes_carried. */
size_t fsattn_shapes_good(const fsattn_search_point *point, double within, fsattn_config *configs);
/* Fills the table: a column for each configuration that is good at a point, by identity. */
void fsattn_shapes_tabulate(fsattn_shapes *shapes);
/* Whether the column may be what is published of that row's point. */
bool fsattn_shapes_serves(const fsattn_shapes *shapes, size_t row, size_t column);
/* Makes the configuration of such a column the winner of that row's point, and stores that with the interval that it serves (NULL: none). */
fsattn_status fsattn_shapes_serve(const fsattn_shapes *shapes, size_t row, size_t column, const fsattn_fsc_interval *interval, fsattn_err *err);

#endif
