#include "baseline.h"

#include "error.h"

enum {
    candidates_between = 16,
    failures_limit = 2, /* then the baseline is given up */
};
static const double seconds_between = 5;
/* Of the default's own time: taking it more often would cost more than this share of the search. */
static const double share_of_time = 0.1;
static const double large_drift = 0.05;

void fsattn_baseline_init(const fsattn_session *session, const fsattn_candidate *candidate,
                          fsattn_baseline *baseline) {
    *baseline = (fsattn_baseline){.session = session};
    if (candidate->verdict == FSATTN_VERDICT_OK && candidate->search.count) {
        baseline->first_ns = baseline->latest_ns = candidate->search.minimum_ns;
        baseline->lowest_ns = baseline->highest_ns = candidate->search.minimum_ns;
        baseline->taken_ns = fsattn_session_now(session);
        baseline->stale = candidate->resumed && !session->policy.exact;
    }
}

static void close_trial(fsattn_baseline *baseline) {
    if (baseline->session) {
        fsattn_evaluator *evaluator = baseline->session->evaluator;
        evaluator->ops->stop(baseline->trial);
        evaluator->ops->release(evaluator, baseline->variant);
        baseline->trial = NULL;
        baseline->variant = NULL;
    }
}

void fsattn_baseline_fini(fsattn_baseline *baseline) {
    close_trial(baseline);
}

static bool due(const fsattn_baseline *baseline) {
    double passed_s = (double)(fsattn_session_now(baseline->session) - baseline->taken_ns) / 1e9;
    double takes_s = baseline->latest_ns / 1e9 * (double)baseline->session->policy.space.samples_min;
    if (baseline->session->policy.exact) {
        return false; /* nothing drifts */
    }
    return baseline->stale || (passed_s * share_of_time >= takes_s &&
                               (baseline->candidates >= candidates_between || passed_s >= seconds_between));
}

/* Opens the trial; an outcome that is not OK leaves it closed. */
static fsattn_status open_trial(fsattn_baseline *baseline, int64_t deadline_ns, fsattn_outcome *outcome,
                                fsattn_err *err) {
    const fsattn_session *session = baseline->session;
    fsattn_evaluator *evaluator = session->evaluator;
    const fsattn_evaluator_ops *ops = evaluator->ops;
    FSATTN_TRY(ops->render(evaluator, session->problem, &session->space->manifest->defaults,
                           &baseline->variant, outcome, err));
    if (!baseline->variant) {
        return FSATTN_OK;
    }
    FSATTN_TRY(ops->build(evaluator, &baseline->variant, 1, deadline_ns, outcome, err));
    session->totals->compiled += baseline->variant->compiled;
    if (outcome->verdict == FSATTN_VERDICT_OK && !outcome->cut) {
        FSATTN_TRY(ops->start(evaluator, baseline->variant, session->problem, deadline_ns, &baseline->trial,
                              outcome, err));
    }
    return FSATTN_OK;
}

static void take(fsattn_baseline *baseline, double time_ns) {
    const fsattn_session *session = baseline->session;
    baseline->latest_ns = time_ns;
    baseline->lowest_ns = time_ns < baseline->lowest_ns ? time_ns : baseline->lowest_ns;
    baseline->highest_ns = time_ns > baseline->highest_ns ? time_ns : baseline->highest_ns;
    double change = time_ns / baseline->first_ns - 1;
    fsattn_notice notice = {.kind = FSATTN_NOTICE_DRIFT,
                            .drift = {.problem = session->problem_text,
                                      .first_ns = baseline->first_ns,
                                      .now_ns = time_ns,
                                      .large = change > large_drift || change < -large_drift}};
    fsattn_session_emit(session, &notice);
}

fsattn_status fsattn_baseline_refresh(fsattn_baseline *baseline, int64_t deadline_ns, fsattn_err *err) {
    if (baseline->first_ns <= 0 || baseline->failures >= failures_limit) {
        return FSATTN_OK;
    }
    bool now = due(baseline);
    baseline->candidates++;
    if (!now) {
        return FSATTN_OK;
    }
    fsattn_outcome outcome = {.verdict = FSATTN_VERDICT_OK};
    fsattn_measurement measurement = {0};
    const fsattn_session *session = baseline->session;
    fsattn_measure_policy policy = session->policy;
    policy.space.samples_max = policy.space.samples_min;
    fsattn_status status = FSATTN_OK;
    if (!baseline->trial) {
        close_trial(baseline);
        FSATTN_GOTO(open_trial(baseline, deadline_ns, &outcome, err));
    }
    if (baseline->trial) {
        FSATTN_GOTO(fsattn_measure_run(session->evaluator, baseline->trial, &policy, 0, deadline_ns,
                                       &measurement, &outcome, err));
    }
    if (outcome.cut) {
        goto out;
    }
    session->totals->drift_checks++;
    baseline->taken_ns = fsattn_session_now(session);
    baseline->candidates = 0;
    baseline->stale = false;
    if (measurement.complete && measurement.statistics.count) {
        take(baseline, measurement.statistics.minimum_ns);
    } else {
        baseline->failures++;
        close_trial(baseline);
        FSATTN_GOTO(fsattn_session_canary(session, outcome.verdict, err));
    }
out:
    fsattn_measurement_fini(&measurement);
    return status;
}
