/* strategy_forest.h - extremely randomised regression trees (Geurts, Ernst, Wehenkel 2006) over a few hundred points.
 *
 * Each tree splits all points at the best of a few random (feature, threshold) pairs until a leaf has few points or equal
 * values. The mean over trees is the prediction, their spread the uncertainty: trees agree where points are dense. A
 * function of points, options and seed alone. Internal to strategies.
 */
#ifndef FSATTN_STRATEGY_FOREST_H
#define FSATTN_STRATEGY_FOREST_H

#include "fsattn.h"

#include <stdbool.h>

enum { fsattn_forest_tree_limit = 64 };

typedef struct fsattn_forest fsattn_forest;

typedef struct fsattn_forest_options {
    size_t features, trees; /* trees at most fsattn_forest_tree_limit */
    size_t leaf;            /* points of a node that is not split any more, >= 1 */
    size_t tries;           /* random pairs of a split */
    bool last_always;       /* the last feature is among them, if it varies */
} fsattn_forest_options;

fsattn_status fsattn_strategy_forest_create(const fsattn_forest_options *options, fsattn_forest **forest, fsattn_err *err);
void fsattn_strategy_forest_destroy(fsattn_forest *forest); /* accepts NULL */
/* Grows `trees` trees anew (all of them at first), those that are oldest, from `count` points (rows of `features` values) and their values, of
 * which those that `failed` (nullable: none) only stand for something bad. With few at a time learning costs little and no tree is old; the values of all fits must then be on one scale. */
fsattn_status fsattn_strategy_forest_fit(fsattn_forest *forest, const float *points, const float *values, const bool *failed,
                                         size_t count, size_t trees, uint64_t seed, fsattn_err *err);
/* For each of `count` points a row: what each tree says, and behind that how likely the point fails (0 to 1); all 0 before the first fit. */
void fsattn_strategy_forest_ask(const fsattn_forest *forest, const float *points, size_t count, float *answers);

#endif
