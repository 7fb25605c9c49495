/* strategy.h - which configurations to try next: one ops table, ask and tell in batches.
 *
 * A strategy proposes indices of an enumeration, so it cannot propose an invalid configuration, and none twice. What it
 * proposes depends on the space's contents, the seed, the options and the costs told, in that order of calls, and on nothing
 * else: the same run gives the same order. Everything asked for is told before the next ask. A failed candidate is told
 * as INFINITY. Costs are minimised.
 */
#ifndef FSATTN_STRATEGY_H
#define FSATTN_STRATEGY_H

#include "enumerate.h"
#include "prior.h"

typedef struct fsattn_strategy fsattn_strategy;

enum { fsattn_strategy_option_limit = 12 };

typedef struct fsattn_strategy_option {
    const char *name;
    fsattn_value fallback;    /* its type is the option's */
    double minimum, maximum;  /* INT and REAL */
    const char *const *words; /* ENUM: NULL-terminated */
    const char *help;         /* one line */
} fsattn_strategy_option;

typedef struct fsattn_strategy_ops {
    const char *name;
    const char *help; /* one line */
    const fsattn_strategy_option *options;
    size_t option_count;
    bool takes_prior;
    size_t state_bytes;
    fsattn_status (*init)(fsattn_strategy *strategy, fsattn_err *err); /* state is zeroed; may be NULL */
    void (*fini)(fsattn_strategy *strategy);                           /* may be NULL */
    /* Calls fsattn_strategy_propose until the batch is full or it must hear costs first; proposing nothing ends the
     * search. */
    fsattn_status (*ask)(fsattn_strategy *strategy, fsattn_err *err);
    void (*tell)(fsattn_strategy *strategy, uint64_t index, double cost); /* may be NULL */
} fsattn_strategy_ops;

/* All strategies, NULL-terminated. */
const fsattn_strategy_ops *const *fsattn_strategy_all(void);
/* FSATTN_NOT_FOUND with the nearest right name in the hint. */
fsattn_status fsattn_strategy_find(const char *name, const fsattn_strategy_ops **ops, fsattn_err *err);

/* The options of one run, in the order of the strategy's table. */
typedef struct fsattn_strategy_settings {
    uint64_t seed;
    const fsattn_prior *prior; /* NULL: none; only strategies that take one look at it */
    fsattn_value values[fsattn_strategy_option_limit];
} fsattn_strategy_settings;
void fsattn_strategy_settings_default(const fsattn_strategy_ops *ops, fsattn_strategy_settings *settings);
/* Sets one option from its text; FSATTN_NOT_FOUND for an unknown name, FSATTN_PARSE or FSATTN_INVALID for a bad value. */
fsattn_status fsattn_strategy_settings_set(const fsattn_strategy_ops *ops, const char *name, const char *text,
                                           fsattn_strategy_settings *settings, fsattn_err *err);

/* `enumeration`, the words and the prior of `settings` are borrowed until destroy. At most `limit` proposals in all;
 * UINT64_MAX: all of the space. `start` (nullable) is where a search that climbs begins; ignored when invalid. */
fsattn_status fsattn_strategy_create(const fsattn_strategy_ops *ops, const fsattn_enumeration *enumeration,
                                     const fsattn_strategy_settings *settings, uint64_t limit,
                                     const fsattn_config *start, fsattn_strategy **strategy, fsattn_err *err);
void fsattn_strategy_destroy(fsattn_strategy *strategy); /* accepts NULL */
/* At most `limit` (>= 1) proposals in indices[0 .. *count - 1]; *count 0: the search is over. */
fsattn_status fsattn_strategy_ask(fsattn_strategy *strategy, size_t limit, uint64_t *indices, size_t *count,
                                  fsattn_err *err);
/* FSATTN_INTERNAL for an index that was not asked for. */
fsattn_status fsattn_strategy_tell(fsattn_strategy *strategy, uint64_t index, double cost, fsattn_err *err);
/* Steps that proposing took so far, in units of the strategy's own (trees times points, learned or asked); 0 for those that take next to none. */
uint64_t fsattn_strategy_work(const fsattn_strategy *strategy);

/* ---- for implementations ---- */

/* Adds a configuration to the batch. False when the batch is full; a configuration already proposed is passed over. */
bool fsattn_strategy_propose(fsattn_strategy *strategy, uint64_t index);
void fsattn_strategy_charge(fsattn_strategy *strategy, uint64_t steps);
bool fsattn_strategy_full(const fsattn_strategy *strategy);
/* Whether it has been proposed; *cost (nullable) is what was told, NaN until then. */
bool fsattn_strategy_known(const fsattn_strategy *strategy, uint64_t index, double *cost);
void *fsattn_strategy_state(fsattn_strategy *strategy);
const fsattn_enumeration *fsattn_strategy_enumeration(const fsattn_strategy *strategy);
uint64_t fsattn_strategy_seed(const fsattn_strategy *strategy);
const fsattn_prior *fsattn_strategy_prior(const fsattn_strategy *strategy); /* or NULL */
const fsattn_value *fsattn_strategy_value(const fsattn_strategy *strategy, size_t option);
/* Where to begin; false when there is no valid start. */
bool fsattn_strategy_start(const fsattn_strategy *strategy, uint64_t *index);

#endif
