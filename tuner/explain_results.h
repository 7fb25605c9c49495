/* explain_results.h - the results of one problem, as explain.c looks at them. Internal to explain*.c. */
#ifndef FSATTN_EXPLAIN_RESULTS_H
#define FSATTN_EXPLAIN_RESULTS_H

#include "explain.h"
#include "fsc_interval.h"
#include "memory.h"

typedef struct fsattn_explain_result {
    fsattn_config config;
    uint64_t index; /* in the enumeration; UINT64_MAX: outside, as a default may be */
    fsattn_verdict verdict;
    const char *reason;
    fsattn_cost cost; /* samples 0: none */
    fsattn_hash identity; /* of a store's result */
    bool below_floor, won;
    bool confirmed; /* its cost is of a shoot-out */
    bool has_interval;
    fsattn_fsc_interval interval; /* of sizes that it serves; `tier` and `equivalent` live as long as the results */
    int64_t at_ms; /* when it was known at the latest; Unix time, or of the replay's own clock */
} fsattn_explain_result;

/* In the order in which they became known, each configuration once. */
typedef struct fsattn_explain_results {
    fsattn_arena arena;
    void *items; /* fsattn_explain_result */
    size_t count, capacity;
    size_t other_places, unknown; /* left out: measured elsewhere; configurations that the template does not have any more */
} fsattn_explain_results;

/* Release with fini, also on failure. */
fsattn_status fsattn_explain_results_init(fsattn_explain_results *results, const fsattn_explain_options *options,
                                          const fsattn_problem *problem, fsattn_err *err);
void fsattn_explain_results_fini(fsattn_explain_results *results);

/* Whether it has a cost that may win. */
bool fsattn_explain_ranked(const fsattn_explain_result *result);

#endif
