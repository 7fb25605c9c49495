/* baseline.h - the fixed baseline of a search: the default configuration, measured again every so often to see drift.
 *
 * Keeps one trial of it open. Without a default that is OK there is no baseline, and nothing is corrected.
 */
#ifndef FSATTN_BASELINE_H
#define FSATTN_BASELINE_H

#include "candidate.h"

typedef struct fsattn_baseline {
    const fsattn_session *session;
    fsattn_variant *variant;
    fsattn_trial *trial;
    double first_ns, latest_ns; /* its fastest runs; 0: there is no baseline */
    int64_t taken_ns;           /* when `latest_ns` was taken, by the clock */
    int64_t candidates;         /* measured since then */
    bool stale;                 /* from an earlier run */
    int failures;
    double lowest_ns, highest_ns; /* of all that were taken */
} fsattn_baseline;

/* `candidate` is the default configuration with its verdict. */
void fsattn_baseline_init(const fsattn_session *session, const fsattn_candidate *candidate,
                          fsattn_baseline *baseline);
/* Ends the trial; the figures stay. */
void fsattn_baseline_fini(fsattn_baseline *baseline);
/* To be called before a candidate is measured: takes the baseline again when it is due. */
fsattn_status fsattn_baseline_refresh(fsattn_baseline *baseline, int64_t deadline_ns, fsattn_err *err);

#endif
