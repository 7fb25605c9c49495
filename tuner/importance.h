/* importance.h - which parameters a cost depends on, from results alone.
 *
 * A forest of regression trees (strategy_forest.h) learns the logarithm of the cost from four fifths of the results and predicts
 * the rest, in turn for each fifth. Then the values of one parameter are shuffled among the results that are predicted: what the
 * squared error grows by, over twice the variance, estimates the parameter's total share of the variance (permutation importance;
 * Breiman 2001; its total Sobol index where parameters vary independently). What parameters do together counts for each of them,
 * so shares may add up to more than 1. A function of its arguments alone.
 */
#ifndef FSATTN_IMPORTANCE_H
#define FSATTN_IMPORTANCE_H

#include "enumerate.h"

enum { fsattn_importance_least = 10 }; /* results, below which nothing can be said */

typedef struct fsattn_importance {
    double explained;                      /* share of the variance of results not seen; at most 1, below 0: worse than the mean */
    double shares[fsattn_parameter_limit]; /* by parameter; 0 where the space has one value */
} fsattn_importance;

/* `indices` of valid configurations, ascending, with their positive, finite costs; `count` >= fsattn_importance_least. Equal costs
 * give no share to anybody. FSATTN_NO_MEMORY is the only failure. */
fsattn_status fsattn_importance_of(const fsattn_enumeration *enumeration, const uint64_t *indices, const double *costs,
                                   size_t count, fsattn_importance *importance, fsattn_err *err);

#endif
