/* shootout.h - finalists timed against one another, interleaved, so that drift meets all of them alike.
 *
 * What has been verified in part only is verified wholly before its first turn (`prove` of the evaluator).
 * All trials are open at once. In each round every contender has one turn; the order rotates and its direction alternates.
 * Two contenders are compared round by round, by the fastest run of their turns: the median of the relative differences counts when it is larger than
 * the noise floor and than three of its standard errors (measure.h).
 */
#ifndef FSATTN_SHOOTOUT_H
#define FSATTN_SHOOTOUT_H

#include "candidate.h"

enum { fsattn_contender_limit = 16, fsattn_round_limit = 25, fsattn_turn_limit = 5 };

typedef struct fsattn_contender {
    fsattn_candidate *candidate;
    fsattn_variant *variant;
    fsattn_trial *trial;
    bool exact;                          /* of the policy: no noise floor */
    bool out;                            /* it failed, or its times do not count */
    double turns_ns[fsattn_round_limit]; /* fastest run of each turn; NaN: does not count */
    double level_ns;                     /* median of them */
    double times_ns[fsattn_round_limit * fsattn_turn_limit];
    size_t time_count;
    fsattn_statistics statistics; /* of its times */
} fsattn_contender;

typedef struct fsattn_shootout {
    const fsattn_session *session;
    fsattn_contender *contenders; /* fsattn_shootout_fini */
    size_t count;
    size_t failed; /* contenders that have another verdict now, or are below the accuracy floor by their proof */
    size_t rounds; /* finished */
    bool complete; /* rounds enough to decide */
} fsattn_shootout;

/* `candidates` have a result OK in the store; at most fsattn_contender_limit, the most important first: the
 * last ones are left out when there is no time for them, the first two are not. A contender that fails now gets the new verdict
 * in the store and is out. */
fsattn_status fsattn_shootout_run(const fsattn_session *session, fsattn_candidate *const *candidates,
                                  size_t count, int64_t deadline_ns, fsattn_shootout *shootout,
                                  fsattn_err *err);
void fsattn_shootout_fini(fsattn_shootout *shootout);
/* -1: a is faster than b beyond noise, 1: slower, 0: a tie. Both are not out. */
int fsattn_shootout_compare(const fsattn_contender *a, const fsattn_contender *b, size_t rounds);

#endif
