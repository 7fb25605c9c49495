/* explain_range.h - a problem with a range, from what the store has of its shapes: which configuration serves which interval (bisect.h),
 * where the boundaries are, and what each of those that serve costs at each measured shape. Internal to explain*.c.
 */
#ifndef FSATTN_EXPLAIN_RANGE_H
#define FSATTN_EXPLAIN_RANGE_H

#include "explain_results.h"

typedef struct fsattn_explain_shape {
    int64_t size;
    fsattn_explain_results results;
} fsattn_explain_shape;

/* Shapes by size, intervals by tier and where they begin. */
typedef struct fsattn_explain_range {
    const fsattn_explain_options *options;
    const fsattn_space_problem *problem;
    fsattn_explain_shape *shapes;
    size_t shape_count;
    const fsattn_explain_result **intervals; /* one of the results that say so, of each */
    size_t interval_count;
} fsattn_explain_range;

/* Release with fini, also on failure. No shapes: the store has nothing of the range. */
fsattn_status fsattn_explain_range_init(fsattn_explain_range *range, const fsattn_explain_options *options, const fsattn_space_problem *problem,
                                        fsattn_err *err);
void fsattn_explain_range_fini(fsattn_explain_range *range);

void fsattn_explain_range_print(FILE *stream, const fsattn_explain_range *range);
/* Whether the shape is the one of an interval that is looked at more closely: that with the most results, the largest of those. Without
 * intervals it is so of the whole range. */
bool fsattn_explain_range_shown(const fsattn_explain_range *range, size_t shape);

#endif
