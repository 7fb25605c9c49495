/* shapes.h - several shapes that differ in one size: what a configuration costs at each beyond the best there, and which of those that are
 * as fast there is published.
 *
 * Shapes are points of a search that have been through their shoot-out (search_run.h), of a range (bisect.h) or listed one by one (listed.h).
 * All of it is of one part of the space at a time: a tier, or the whole. What a tier's configurations are held against at a shape is the fastest
 * of all that are as accurate as the tier's best there: where another tier has that, nobody asks for this one.
 * Owns the table of interval.h made of them, and what is stored of a shape when another of its tied configurations wins its part.
 */
#ifndef FSATTN_SHAPES_H
#define FSATTN_SHAPES_H

#include "search_run.h"

enum {
    fsattn_shapes_carried = 4,       /* configurations that one shape hands to another one */
    fsattn_shapes_carried_tier = 2,  /* of each tier */
    fsattn_shapes_carried_limit = fsattn_shapes_carried_tier * fsattn_space_tier_limit, /* of all of them */
};

typedef struct fsattn_shapes {
    size_t part;                                              /* of the space; set by the caller, as are `table.sizes`, .shapes and .within */
    fsattn_search_point *points[fsattn_interval_shape_limit]; /* a row each; set by the caller */
    fsattn_candidate columns[fsattn_interval_column_limit];   /* of the table: configuration and identity */
    fsattn_interval_table table;
} fsattn_shapes;

/* What wins the part at a point, as far as is known; NULL: nothing of it is ranked. */
fsattn_candidate *fsattn_shapes_leader(const fsattn_search_point *point, size_t part);
/* What is good at a point, part after part, of each the least regret first; only of parts that have at least so many. */
size_t fsattn_shapes_good(const fsattn_search_point *point, double within, size_t least, fsattn_config configs[fsattn_shapes_carried_limit]);
/* Fills the table: a column for each configuration of the part that is good at a point, by identity. */
void fsattn_shapes_tabulate(fsattn_shapes *shapes);
/* Whether the column may be what is published of that row's point. */
bool fsattn_shapes_serves(const fsattn_shapes *shapes, size_t row, size_t column);
/* Makes the configuration of such a column win the part at that row's point, and stores that with the interval that it serves (NULL: none). */
fsattn_status fsattn_shapes_serve(const fsattn_shapes *shapes, size_t row, size_t column, const fsattn_fsc_interval *interval, fsattn_err *err);

#endif
