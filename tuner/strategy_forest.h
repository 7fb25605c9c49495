/* strategy_forest.h - extremely randomised regression trees (Geurts, Ernst, Wehenkel 2006) over a few hundred points.
 *
 * Each tree splits all points at the best of a few random (feature, threshold) pairs until a leaf has few points or equal
 * values. The mean over trees is the prediction, their spread the uncertainty: trees agree where points are dense. A
 * function of points, options and seed alone. Internal to strategies.
 */
#ifndef FSATTN_STRATEGY_FOREST_H
#define FSATTN_STRATEGY_FOREST_H

#include "fsattn.h"

enum { fsattn_forest_tree_limit = 64 };

typedef struct fsattn_forest fsattn_forest;

typedef struct fsattn_forest_options {
    size_t features, trees; /* trees at most fsattn_forest_tree_limit */
    size_t leaf;            /* points of a node that is not split any more, >= 1 */
    size_t tries;           /* random pairs of a split */
} fsattn_forest_options;

fsattn_status fsattn_strategy_forest_create(const fsattn_forest_options *options, fsattn_forest **forest, fsattn_err *err);
void fsattn_strategy_forest_destroy(fsattn_forest *forest); /* accepts NULL */
/* Learns from `count` points (rows of `features` values) and their values; replaces what it knew. */
fsattn_status fsattn_strategy_forest_fit(fsattn_forest *forest, const float *points, const float *values, size_t count,
                                         uint64_t seed, fsattn_err *err);
/* What each tree says about a point; 0 before the first fit. */
void fsattn_strategy_forest_ask(const fsattn_forest *forest, const float *point, float *answers);

#endif
