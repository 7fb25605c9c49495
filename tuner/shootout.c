#include "shootout.h"

#include "error.h"
#include "memory.h"

#include <math.h>
#include <stdio.h>

enum {
    rounds_enough = 5, /* to decide at all */
    rounds_usual = 9,  /* before an end by decision is looked for */
};
static const double turn_ns = 30e6;  /* aimed at; short kernels run several times a turn */
static const double long_ns = 100e6; /* a run that long brings its data into the caches by itself */
/* Once rounds have taken that long, what is decided is not looked at any longer. */
static const int64_t patience_ns = 5000000000;
/* Of the time that starting workers and the rounds needed take: what is kept besides, for more rounds and for noise. */
static const double rounds_slack = 0.3;

/* ---- comparing ---- */

/* The relative differences of two contenders, round by round. */
static fsattn_statistics differences(const fsattn_contender *a, const fsattn_contender *b, size_t rounds) {
    double values[fsattn_round_limit];
    size_t count = 0;
    for (size_t i = 0; i < rounds; i++) {
        if (!isnan(a->turns_ns[i]) && !isnan(b->turns_ns[i])) {
            values[count++] = (a->turns_ns[i] - b->turns_ns[i]) / b->turns_ns[i];
        }
    }
    return fsattn_measure_describe(values, count);
}

int fsattn_shootout_compare(const fsattn_contender *a, const fsattn_contender *b, size_t rounds) {
    fsattn_statistics difference = differences(a, b, rounds);
    double margin = fmax(a->exact ? 0 : FSATTN_NOISE_FLOOR, FSATTN_NOISE_ERRORS * difference.error_ns);
    return fabs(difference.median_ns) <= margin ? 0 : difference.median_ns < 0 ? -1 : 1;
}

/* Whether more rounds would change nothing: every contender differs from the fastest, or is known to be tied with it. */
static bool decided(const fsattn_shootout *shootout) {
    const fsattn_contender *fastest = NULL;
    for (size_t i = 0; i < shootout->count; i++) {
        const fsattn_contender *contender = &shootout->contenders[i];
        if (!contender->out && (!fastest || contender->level_ns < fastest->level_ns)) {
            fastest = contender;
        }
    }
    for (size_t i = 0; i < shootout->count; i++) {
        const fsattn_contender *contender = &shootout->contenders[i];
        if (contender->out || contender == fastest) {
            continue;
        }
        fsattn_statistics difference = differences(contender, fastest, shootout->rounds);
        double error = FSATTN_NOISE_ERRORS * difference.error_ns;
        if (fabs(difference.median_ns) <= fmax(FSATTN_NOISE_FLOOR, error) && error > FSATTN_NOISE_FLOOR) {
            return false;
        }
    }
    return true;
}

/* ---- failing ---- */

/* A finalist that failed now has that verdict from now on. */
static fsattn_status drop(fsattn_shootout *shootout, fsattn_contender *contender,
                          const fsattn_outcome *outcome, fsattn_err *err) {
    const fsattn_session *session = shootout->session;
    contender->out = true;
    shootout->failed++;
    session->evaluator->ops->stop(contender->trial);
    contender->trial = NULL;
    fsattn_candidate_evidence evidence = {.variant = contender->variant, .outcome = outcome};
    contender->candidate->search = (fsattn_statistics){0};
    FSATTN_TRY(fsattn_candidate_put(session, &evidence, contender->candidate, err));
    FSATTN_TRY(fsattn_candidate_report(session, contender->candidate, outcome->reason, false, err));
    return fsattn_session_canary(session, outcome->verdict, err);
}

/* ---- opening ---- */

static fsattn_status render_all(fsattn_shootout *shootout, fsattn_err *err) {
    const fsattn_session *session = shootout->session;
    for (size_t i = 0; i < shootout->count; i++) {
        fsattn_contender *contender = &shootout->contenders[i];
        fsattn_outcome outcome;
        FSATTN_TRY(session->evaluator->ops->render(session->evaluator, session->problem,
                                                   &contender->candidate->config, &contender->variant,
                                                   &outcome, err));
        contender->out = contender->variant == NULL;
    }
    return FSATTN_OK;
}

static fsattn_status build_all(fsattn_shootout *shootout, int64_t deadline_ns, bool *cut, fsattn_err *err) {
    const fsattn_session *session = shootout->session;
    fsattn_variant *variants[fsattn_contender_limit];
    fsattn_contender *owners[fsattn_contender_limit];
    fsattn_outcome *outcomes = fsattn_alloc(fsattn_contender_limit, sizeof *outcomes);
    if (!outcomes) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "shoot-out: out of memory");
    }
    size_t count = 0;
    for (size_t i = 0; i < shootout->count; i++) {
        if (!shootout->contenders[i].out) {
            owners[count] = &shootout->contenders[i];
            variants[count++] = shootout->contenders[i].variant;
        }
    }
    fsattn_status status =
        session->evaluator->ops->build(session->evaluator, variants, count, deadline_ns, outcomes, err);
    for (size_t i = 0; i < count && status == FSATTN_OK; i++) {
        session->totals->compiled += variants[i]->compiled;
        *cut = *cut || outcomes[i].cut;
        if (!outcomes[i].cut && outcomes[i].verdict != FSATTN_VERDICT_OK) {
            status = drop(shootout, owners[i], &outcomes[i], err);
        }
    }
    fsattn_free(outcomes);
    return status;
}

/* Runs of a turn that count, and before them runs that do not: after the others had the machine the first one is not one of a
 * series. */
static void turn_runs(const fsattn_candidate *candidate, size_t *counting, size_t *ahead) {
    double fitting = turn_ns / candidate->search.median_ns;
    *counting = fitting < 1 ? 1 : fitting > fsattn_turn_limit ? fsattn_turn_limit : (size_t)fitting;
    *ahead = candidate->search.median_ns < long_ns ? 1 : 0;
}

/* What the rounds that are needed take of one contender. */
static double rounds_ns(const fsattn_candidate *candidate) {
    size_t counting, ahead;
    turn_runs(candidate, &counting, &ahead);
    return rounds_enough * (double)(counting + ahead) * candidate->search.median_ns;
}

/* Lets the contenders from `first` on go: there is no time for them. */
static void leave_out(fsattn_shootout *shootout, size_t first) {
    for (size_t i = first; i < shootout->count; i++) {
        fsattn_evaluator *evaluator = shootout->session->evaluator;
        evaluator->ops->stop(shootout->contenders[i].trial);
        evaluator->ops->release(evaluator, shootout->contenders[i].variant);
    }
    shootout->count = first;
}

/* The rest of the verification, of a contender that has been through a part of it. Below the accuracy floor by that, it makes room for
 * another as one that failed. */
static fsattn_status prove(fsattn_shootout *shootout, fsattn_contender *contender, int64_t deadline_ns, fsattn_outcome *outcome,
                           fsattn_err *err) {
    const fsattn_session *session = shootout->session;
    const bool accurate = contender->candidate->accurate;
    fsattn_verification verification = {0};
    if (!contender->candidate->partial || !session->evaluator->ops->prove) {
        return FSATTN_OK;
    }
    FSATTN_TRY(session->evaluator->ops->prove(contender->trial, deadline_ns, &verification, outcome, err));
    if (outcome->cut || outcome->verdict != FSATTN_VERDICT_OK) {
        return FSATTN_OK;
    }
    FSATTN_TRY(fsattn_candidate_prove(session, contender->variant, &verification, contender->candidate, err));
    shootout->failed += accurate && !contender->candidate->accurate;
    return FSATTN_OK;
}

/* A worker for one contender, wholly verified and warmed up, unless the deadline comes first or it fails. */
static fsattn_status start_one(fsattn_shootout *shootout, fsattn_contender *contender, int64_t deadline_ns, fsattn_outcome *outcome,
                               fsattn_err *err) {
    const fsattn_session *session = shootout->session;
    const fsattn_evaluator_ops *ops = session->evaluator->ops;
    FSATTN_TRY(ops->start(session->evaluator, contender->variant, session->problem, deadline_ns, &contender->trial, outcome, err));
    if (!outcome->cut && outcome->verdict == FSATTN_VERDICT_OK) {
        FSATTN_TRY(prove(shootout, contender, deadline_ns, outcome, err));
    }
    double ignored[fsattn_turn_limit];
    size_t got, warmup = session->policy.space.warmup < fsattn_turn_limit ? (size_t)session->policy.space.warmup : fsattn_turn_limit;
    if (!outcome->cut && outcome->verdict == FSATTN_VERDICT_OK && warmup) {
        FSATTN_TRY(ops->sample(contender->trial, warmup, session->policy.space.cold, deadline_ns, ignored, &got, outcome, err));
    }
    return FSATTN_OK;
}

/* A worker for each contender. Those that would take the time from the rounds of the ones before them are left out, and so are those
 * that turn out to; the first two, default and leader, never are. */
static fsattn_status start_all(fsattn_shootout *shootout, int64_t deadline_ns, bool *cut, fsattn_err *err) {
    const fsattn_session *session = shootout->session;
    double needed_ns = 0, longest_ns = 0;
    for (size_t i = 0; i < shootout->count && !*cut; i++) {
        fsattn_contender *contender = &shootout->contenders[i];
        if (contender->out) {
            continue;
        }
        const int64_t began_ns = fsattn_session_now(session);
        const int64_t until_ns = i < 2 || deadline_ns == INT64_MAX ? deadline_ns : deadline_ns - (int64_t)(needed_ns * (1 + rounds_slack));
        needed_ns += rounds_ns(contender->candidate);
        if (i >= 2 && deadline_ns != INT64_MAX &&
            began_ns + (int64_t)((needed_ns + longest_ns) * (1 + rounds_slack)) > deadline_ns) {
            leave_out(shootout, i);
            return FSATTN_OK;
        }
        fsattn_outcome outcome;
        FSATTN_TRY(start_one(shootout, contender, until_ns, &outcome, err));
        longest_ns = fmax(longest_ns, (double)(fsattn_session_now(session) - began_ns));
        *cut = (i < 2 && outcome.cut) || fsattn_session_stopped(session);
        if (!*cut && outcome.cut) {
            leave_out(shootout, i);
            return FSATTN_OK;
        }
        if (!*cut && outcome.verdict != FSATTN_VERDICT_OK) {
            FSATTN_TRY(drop(shootout, contender, &outcome, err));
        }
    }
    return FSATTN_OK;
}

/* ---- rounds ---- */

static fsattn_status take_turn(fsattn_shootout *shootout, fsattn_contender *contender, size_t round,
                               int64_t deadline_ns, bool *cut, fsattn_err *err) {
    const fsattn_session *session = shootout->session;
    double times[fsattn_turn_limit + 1];
    size_t count, ahead, got;
    turn_runs(contender->candidate, &count, &ahead);
    fsattn_outcome outcome;
    FSATTN_TRY(session->evaluator->ops->sample(contender->trial, count + ahead, session->policy.space.cold,
                                               deadline_ns, times, &got, &outcome, err));
    *cut = outcome.cut || fsattn_session_stopped(session);
    if (*cut) {
        return FSATTN_OK;
    }
    if (outcome.verdict != FSATTN_VERDICT_OK) {
        return drop(shootout, contender, &outcome, err);
    }
    fsattn_statistics statistics;
    fsattn_flag flag;
    FSATTN_TRY(fsattn_measure_statistics(&session->policy, times + ahead, count, &statistics, &flag, err));
    contender->turns_ns[round] = statistics.count ? statistics.minimum_ns : NAN;
    for (size_t i = 0; i < count; i++) {
        contender->times_ns[contender->time_count++] = times[ahead + i];
    }
    return FSATTN_OK;
}

static fsattn_status play_round(fsattn_shootout *shootout, int64_t deadline_ns, bool *cut, fsattn_err *err) {
    size_t round = shootout->rounds, count = shootout->count;
    for (size_t i = 0; i < count; i++) {
        size_t place = round % 2 ? count - 1 - i : i;
        fsattn_contender *contender = &shootout->contenders[(place + round / 2) % count];
        if (contender->out) {
            continue;
        }
        FSATTN_TRY(take_turn(shootout, contender, round, deadline_ns, cut, err));
        if (*cut) {
            return FSATTN_OK;
        }
    }
    shootout->rounds++;
    return FSATTN_OK;
}

static double level_of(const fsattn_contender *contender, size_t rounds) {
    double values[fsattn_round_limit];
    size_t count = 0;
    for (size_t i = 0; i < rounds; i++) {
        if (!isnan(contender->turns_ns[i])) {
            values[count++] = contender->turns_ns[i];
        }
    }
    return fsattn_measure_describe(values, count).median_ns;
}

/* Statistics of all contenders; those whose times do not count are untimed from now on. */
static fsattn_status describe_all(fsattn_shootout *shootout, fsattn_err *err) {
    for (size_t i = 0; i < shootout->count; i++) {
        fsattn_contender *contender = &shootout->contenders[i];
        fsattn_flag flag;
        if (contender->out) {
            continue;
        }
        FSATTN_TRY(fsattn_measure_statistics(&shootout->session->policy, contender->times_ns,
                                             contender->time_count, &contender->statistics, &flag, err));
        contender->level_ns = level_of(contender, shootout->rounds);
        if (shootout->rounds >= rounds_enough && contender->statistics.count == 0) {
            fsattn_outcome outcome = {.verdict = FSATTN_VERDICT_UNTIMED};
            snprintf(outcome.reason, sizeof outcome.reason, "%s", fsattn_flag_reason(flag));
            FSATTN_TRY(drop(shootout, contender, &outcome, err));
        }
    }
    return FSATTN_OK;
}

fsattn_status fsattn_shootout_run(const fsattn_session *session, fsattn_candidate *const *candidates,
                                  size_t count, int64_t deadline_ns, fsattn_shootout *shootout,
                                  fsattn_err *err) {
    *shootout = (fsattn_shootout){.session = session, .count = count};
    shootout->contenders = fsattn_alloc(count, sizeof *shootout->contenders);
    if (!shootout->contenders) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "shoot-out: out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        shootout->contenders[i].candidate = candidates[i];
        shootout->contenders[i].exact = session->policy.exact;
    }
    bool cut = false;
    fsattn_status status = FSATTN_OK;
    FSATTN_GOTO(render_all(shootout, err));
    FSATTN_GOTO(build_all(shootout, deadline_ns, &cut, err));
    FSATTN_GOTO(start_all(shootout, deadline_ns, &cut, err));
    int64_t began_ns = fsattn_session_now(session);
    while (!cut && shootout->rounds < fsattn_round_limit) {
        FSATTN_GOTO(play_round(shootout, deadline_ns, &cut, err));
        FSATTN_GOTO(describe_all(shootout, err));
        bool long_enough =
            shootout->rounds >= rounds_usual || fsattn_session_now(session) - began_ns > patience_ns;
        if (shootout->rounds >= rounds_enough && long_enough && decided(shootout)) {
            break;
        }
    }
    shootout->complete = shootout->rounds >= rounds_enough && !fsattn_session_stopped(session);
    session->totals->retimed += (int64_t)(shootout->complete ? shootout->count : 0);
out:
    if (status != FSATTN_OK) {
        fsattn_shootout_fini(shootout);
    }
    return status;
}

void fsattn_shootout_fini(fsattn_shootout *shootout) {
    for (size_t i = 0; shootout->contenders && i < shootout->count; i++) {
        fsattn_evaluator *evaluator = shootout->session->evaluator;
        evaluator->ops->stop(shootout->contenders[i].trial);
        evaluator->ops->release(evaluator, shootout->contenders[i].variant);
    }
    fsattn_free(shootout->contenders);
    *shootout = (fsattn_shootout){0};
}
