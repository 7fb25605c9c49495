/* strategy_features.h - configurations as vectors of numbers, for strategies that learn.
 *
 * A parameter with more than one value gives its rank among the values of its axis, from 0 to 1. Two parameters of
 * positive numbers also give the logarithm of their product: threads of a block, elements of a tile and the like decide
 * what a kernel needs, and a tree cannot multiply. Internal to strategies.
 */
#ifndef FSATTN_STRATEGY_FEATURES_H
#define FSATTN_STRATEGY_FEATURES_H

#include "enumerate.h"

enum { fsattn_feature_limit = 128 };

typedef struct fsattn_features fsattn_features;

/* `pairs` false: ranks alone. */
fsattn_status fsattn_strategy_features_create(const fsattn_enumeration *enumeration, bool pairs,
                                              fsattn_features **features, fsattn_err *err);
void fsattn_strategy_features_destroy(fsattn_features *features); /* accepts NULL */
size_t fsattn_strategy_features_count(const fsattn_features *features); /* >= 1 */
/* Of those, how many are ranks; they come first. */
size_t fsattn_strategy_features_ranks(const fsattn_features *features);
void fsattn_strategy_features_of(const fsattn_features *features, uint64_t index, float *vector);

#endif
