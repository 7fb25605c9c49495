/* session.h - what stays the same while one problem is searched: evaluator, store, policy, who is told. Plain data,
 * filled in by search.c, borrowed by everything below it. One thread.
 */
#ifndef FSATTN_SESSION_H
#define FSATTN_SESSION_H

#include "events.h"
#include "store.h"

#include <signal.h>

typedef struct fsattn_session {
    fsattn_evaluator *evaluator;
    fsattn_store *store;
    const fsattn_space *space;
    const fsattn_problem *problem;
    const char *name; /* of the problem, for people */
    char problem_text[fsattn_problem_text_bytes];
    const char *policy_text;
    fsattn_measure_policy policy;
    int64_t run_id;
    int64_t began_ns; /* the run, by the evaluator's clock */
    const fsattn_events *events;
    const volatile sig_atomic_t *stop; /* nullable; not 0: end as soon as possible */
    fsattn_totals *totals;
} fsattn_session;

int64_t fsattn_session_now(const fsattn_session *session);
bool fsattn_session_stopped(const fsattn_session *session);
/* Fills in the time and emits. */
void fsattn_session_emit(const fsattn_session *session, fsattn_notice *notice);
/* Runs the canary after a crash or a timeout; the error says that the run cannot go on. */
fsattn_status fsattn_session_canary(const fsattn_session *session, fsattn_verdict verdict, fsattn_err *err);

#endif
