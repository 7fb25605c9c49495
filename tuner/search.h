/* search.h - the driver: one problem after another, batch by batch, every verdict stored before the next candidate.
 *
 *   default configuration first (it is the baseline), then: batch from the strategy, rendered; what the store knows is taken
 *   from there; the rest is built in parallel, then started, verified, measured and stored one after another, and told to
 *   the strategy. In the end the finalists' shoot-out (winners.h), for which a part of the problem's time is kept.
 *
 * The budget is shared: each problem gets the remaining time (evaluations) divided by the remaining problems. A candidate that is
 * running when the time is over is cut and has no verdict; nothing else is lost, and a further run goes on from there.
 * An evaluation is a candidate with a verdict, resumed ones included, so that repeating a run repeats nothing.
 */
#ifndef FSATTN_SEARCH_H
#define FSATTN_SEARCH_H

#include "session.h"
#include "strategy.h"
#include "winners.h"

typedef struct fsattn_search_options {
    const fsattn_space *space;
    fsattn_evaluator *evaluator;
    fsattn_store *store;
    const char *store_path, *command; /* for people */
    bool store_passing;               /* the store does not outlive the run, so that nobody is sent to it */
    const size_t *problems;           /* of the space, in order */
    size_t problem_count;
    const fsattn_strategy_ops *strategy;
    fsattn_strategy_settings settings;   /* its prior is chosen for each problem among these, if there are any */
    const fsattn_prior *const *priors;
    size_t prior_count;
    double seconds;              /* INFINITY: no limit */
    int64_t evaluations;         /* INT64_MAX: no limit */
    uint64_t sample;             /* at most so many configurations of each problem; UINT64_MAX: no limit */
    int jobs;                    /* compilations at a time, >= 1 */
    const fsattn_events *events; /* nullable */
    const volatile sig_atomic_t
        *stop; /* nullable; not 0: end as soon as possible, everything finished is kept */
} fsattn_search_options;

/* X(NAME, text): how a search ended. */
#define FSATTN_SEARCH_END_LIST(X)                                                                            \
    X(DONE, "done")     /* the strategies had nothing more to propose */                                     \
    X(BUDGET, "budget") /* time or evaluations were used up */                                               \
    X(INTERRUPTED, "interrupted")                                                                            \
    X(ERROR, "error") /* it could not go on */
typedef enum fsattn_search_end {
#define X(name, text) FSATTN_SEARCH_##name,
    FSATTN_SEARCH_END_LIST(X)
#undef X
} fsattn_search_end;
const char *fsattn_search_end_text(fsattn_search_end end);

/* What came out for one problem, or for one shape of a range. */
typedef struct fsattn_search_result {
    const char *name, *problem;
    bool has_winner, is_default, confirmed;
    fsattn_err why; /* without a winner: the reason, and what to do; FSATTN_INVALID: the space has no configuration for it,
                       FSATTN_NOT_FOUND: none of them will do. FSATTN_OK: an error or a signal ended the search before */
    const char *configuration; /* of the winner, whole */
    const char *difference;    /* what it has otherwise than the default; "" for the default */
    fsattn_hash identity;
    fsattn_statistics statistics;
    double default_ns, error;
    size_t tied;
    double baseline_lowest_ns, baseline_highest_ns; /* 0: no baseline */
    bool default_known;             /* the default configuration has a verdict */
    bool default_outside;           /* it is none of the valid ones */
    fsattn_verdict default_verdict;
    uint64_t valid;
    double raw;
    fsattn_totals totals; /* of this problem */
} fsattn_search_result;

/* One interval of a problem's range, and what serves it. */
typedef struct fsattn_search_interval {
    const char *name; /* of the problem with its range */
    const char *configuration, *difference; /* whole; otherwise than the default */
    fsattn_fsc_interval interval;
} fsattn_search_interval;

typedef struct fsattn_search_summary {
    fsattn_search_result *results; /* of the problems that were begun, and of each shape of a range */
    size_t result_count;
    fsattn_search_interval *intervals;
    size_t interval_count;
    fsattn_totals totals;
    fsattn_search_end end;
    double seconds; /* by the evaluator's clock */
    fsattn_provenance provenance;
    fsattn_arena arena; /* holds all of it */
} fsattn_search_summary;

/* Searches. *summary is released by fsattn_search_summary_fini, also when an error ended the run (then it has what was
 * finished until there). An error means that the run could not go on; an interruption is none. */
fsattn_status fsattn_search_run(const fsattn_search_options *options, fsattn_search_summary *summary,
                                fsattn_err *err);
void fsattn_search_summary_fini(fsattn_search_summary *summary);

#endif
