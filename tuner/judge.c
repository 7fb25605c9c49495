#include "judge.h"

#include "error.h"

#include <math.h>
#include <stdio.h>

/* An estimate above the best by this factor is hopeless: estimates are off by less than half of that. */
static const double screened_out = 1.25;

typedef struct findings {
    fsattn_outcome outcome;
    fsattn_verification verification;
    fsattn_measurement measurement;
    bool measured;      /* it got as far as being timed */
    double screened_ns; /* the estimate that showed it to be hopeless; 0: none did */
} findings;

bool fsattn_judge_hopeless(double estimate_ns, double best_ns) {
    return best_ns > 0 && estimate_ns > screened_out * best_ns;
}

/* Leaves the outcome as it is, or says that the candidate cannot win. */
static fsattn_status screen(const fsattn_session *session, fsattn_trial *trial, double best_ns, int64_t deadline_ns, findings *found,
                            fsattn_err *err) {
    const fsattn_evaluator_ops *ops = session->evaluator->ops;
    fsattn_outcome *outcome = &found->outcome;
    double cost_ns = NAN;
    if (!ops->screen || best_ns <= 0) {
        return FSATTN_OK;
    }
    FSATTN_TRY(ops->screen(trial, deadline_ns, &cost_ns, outcome, err));
    if (!outcome->cut && outcome->verdict == FSATTN_VERDICT_OK && fsattn_judge_hopeless(cost_ns, best_ns)) {
        found->screened_ns = cost_ns;
        fsattn_outcome_set(outcome, FSATTN_VERDICT_UNTIMED, "hopeless: a small part takes %.2f times as long as the best", cost_ns / best_ns);
    }
    return FSATTN_OK;
}

/* One worker's life: start, screen, verify, measure, stop. */
static fsattn_status examine(const fsattn_session *session, fsattn_variant *variant, double best_ns,
                             int64_t deadline_ns, findings *found, fsattn_err *err) {
    const fsattn_evaluator_ops *ops = session->evaluator->ops;
    fsattn_outcome *outcome = &found->outcome;
    fsattn_trial *trial = NULL;
    fsattn_status status = FSATTN_OK;
    FSATTN_GOTO(ops->start(session->evaluator, variant, session->problem, deadline_ns, &trial, outcome, err));
    if (outcome->cut || outcome->verdict != FSATTN_VERDICT_OK) {
        goto out;
    }
    FSATTN_GOTO(screen(session, trial, best_ns, deadline_ns, found, err));
    if (outcome->cut || outcome->verdict != FSATTN_VERDICT_OK) {
        goto out;
    }
    FSATTN_GOTO(ops->verify(trial, deadline_ns, &found->verification, outcome, err));
    if (outcome->cut || outcome->verdict != FSATTN_VERDICT_OK) {
        goto out;
    }
    found->measured = true;
    FSATTN_GOTO(fsattn_measure_run(session->evaluator, trial, &session->policy, best_ns, deadline_ns,
                                   &found->measurement, outcome, err));
out:
    ops->stop(trial);
    return status;
}

fsattn_status fsattn_judge(const fsattn_session *session, fsattn_variant *variant, double best_ns,
                           int64_t deadline_ns, fsattn_candidate *candidate, bool *judged, char *reason,
                           fsattn_err *err) {
    findings found = {0};
    fsattn_status status = FSATTN_OK;
    *judged = false;
    FSATTN_GOTO(examine(session, variant, best_ns, deadline_ns, &found, err));
    bool impossible = found.measurement.complete && found.measurement.flag == FSATTN_FLAG_ROOFLINE;
    if (impossible && !fsattn_session_stopped(session)) {
        fsattn_measurement_fini(&found.measurement);
        found = (findings){0};
        FSATTN_GOTO(examine(session, variant, best_ns, deadline_ns, &found, err));
    }
    bool ended = found.outcome.verdict == FSATTN_VERDICT_OK || found.outcome.cut;
    if (ended && !found.measurement.complete) {
        goto out; /* cut by the deadline */
    }
    if (found.outcome.cut) {
        found.outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK}; /* with times enough */
    }
    candidate->screened_ns = found.screened_ns;
    fsattn_candidate_evidence evidence = {.variant = variant, .outcome = &found.outcome};
    evidence.verification = &found.verification;
    evidence.measurement = found.measured ? &found.measurement : NULL;
    evidence.partial = session->evaluator->ops->prove != NULL;
    FSATTN_GOTO(fsattn_candidate_put(session, &evidence, candidate, err));
    session->totals->measured += found.measured;
    *judged = true;
    const char *said =
        candidate->flag == FSATTN_FLAG_NONE ? found.outcome.reason : fsattn_flag_reason(candidate->flag);
    snprintf(reason, fsattn_reason_bytes, "%s", said);
    FSATTN_GOTO(fsattn_session_canary(session, found.outcome.verdict, err));
out:
    fsattn_measurement_fini(&found.measurement);
    return status;
}
