/* bisect.h - a problem with a range (space.h): which kernel wins where along one size, and what it costs at most there.
 *
 *   tune both ends, then a shape between neighbours that do not agree (interval.h), as long as there are such, and shapes and time
 *   each shape is begun with what is good at its neighbours, and what is good there is tried at the neighbours: so all have times
 *   for both sides of a boundary, from shoot-outs at each shape
 *   in the end the range is split into intervals. At each shape whose winner ties with the interval's kernel that one becomes the winner,
 *   and its result in the store says the interval (fsc_interval.h); those that it ties with are named there
 *
 * What was measured is in the store shape by shape: an interrupted run goes on, a finished one repeats nothing.
 */
#ifndef FSATTN_BISECT_H
#define FSATTN_BISECT_H

#include "search_run.h"

/* Shapes that a problem is expected to take of the budget; 1 without a range. */
size_t fsattn_bisect_expected(const fsattn_space_problem *problem);
/* Tunes, splits, stores, tells. */
fsattn_status fsattn_bisect_run(fsattn_search_state *s, const fsattn_space_problem *problem, const fsattn_search_share *share, fsattn_err *err);

#endif
