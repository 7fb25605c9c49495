/* prior.h - what somebody else has measured, or a model said, about configurations of a template: a hint where to begin.
 *
 * Read from a file of results (T4 or a cache file of Kernel Tuner, as replay_file.h reads them), of another problem, another device, or
 * with modelled costs. Parameters are matched by name and values by value; a parameter that the file lacks does not matter to the prior.
 * Costs are compared with one another only, so their unit is of no concern. It decides nothing: a strategy that is given one
 * tries some of its best and learns whether it tells anything. Immutable once open.
 */
#ifndef FSATTN_PRIOR_H
#define FSATTN_PRIOR_H

#include "config.h"

typedef struct fsattn_prior fsattn_prior;

/* `set` is borrowed until close. FSATTN_INVALID when the file has a parameter that `set` lacks, or no configuration that works. */
fsattn_status fsattn_prior_open(const char *path, const fsattn_parameter_set *set, fsattn_prior **prior, fsattn_err *err);
/* Of several the one for that problem, else for the one that is most like it: equal element types, layout and so on first, then near
 * sizes; a file that names no problem comes last, and of equals the first. NULL: there is none. */
const fsattn_prior *fsattn_prior_choose(const fsattn_prior *const *priors, size_t count, const fsattn_problem *problem);
void fsattn_prior_close(fsattn_prior *prior); /* accepts NULL */
/* NaN: the file does not have it; INFINITY: it failed there. */
double fsattn_prior_cost(const fsattn_prior *prior, const fsattn_config *config);
/* How many configurations worked there, at least 1. */
size_t fsattn_prior_count(const fsattn_prior *prior);
/* The cost of rank `rank` from the best and, unless `config` is NULL, its configuration, with the set's defaults where the file says nothing: NaN when
 * it has a value that the set lacks. */
double fsattn_prior_best(const fsattn_prior *prior, size_t rank, fsattn_config *config);

#endif
