#include "measure.h"

#include "error.h"
#include "memory.h"
#include "race.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    samples_first = 3,   /* asked for before the first look */
    samples_at_once = 8, /* asked for between two looks at the spread */
};
const char *fsattn_flag_reason(fsattn_flag flag) {
    static const char *const reasons[] = {
#define X(name, reason) [FSATTN_FLAG_##name] = reason,
        FSATTN_FLAG_LIST(X)
#undef X
    };
    return (unsigned)flag < sizeof reasons / sizeof reasons[0] ? reasons[flag] : "?";
}

fsattn_measure_policy fsattn_measure_policy_of(const fsattn_space *space, const fsattn_platform *platform,
                                               const fsattn_problem *problem) {
    fsattn_measure_policy policy = {
        .space = space->measurement, .resolution_ns = platform->timer_resolution_ns, .exact = platform->exact, .patience_ns = INFINITY};
    if (platform->flop_per_s > 0) {
        policy.roofline_ns = fsattn_problem_flop(problem) / platform->flop_per_s * 1e9;
    }
    return policy;
}

void fsattn_measure_policy_text(const fsattn_space_measurement *measurement, const fsattn_platform *platform,
                                fsattn_text *text) {
    fsattn_text_printf(text, "warmup=%lld samples=%lld..%lld spread=%.9g cache=%s limit=%.9g",
                       (long long)measurement->warmup, (long long)measurement->samples_min,
                       (long long)measurement->samples_max, measurement->spread,
                       measurement->cold ? "cold" : "warm", measurement->time_limit_s);
    if (platform->verification[0]) {
        fsattn_text_printf(text, "; %s", platform->verification);
    }
}

/* ---- statistics ---- */

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Quantile of sorted values, interpolated between neighbours. */
static double quantile(const double *sorted, size_t count, double share) {
    double position = share * (double)(count - 1);
    size_t below = (size_t)position;
    size_t above = below + 1 < count ? below + 1 : below;
    return sorted[below] + (position - (double)below) * (sorted[above] - sorted[below]);
}

fsattn_statistics fsattn_measure_describe(double *values, size_t count) {
    fsattn_statistics result = {.count = count};
    if (count == 0) {
        return result;
    }
    qsort(values, count, sizeof *values, compare_doubles);
    result.minimum_ns = values[0];
    result.median_ns = quantile(values, count, 0.5);
    result.spread_ns = quantile(values, count, 0.75) - quantile(values, count, 0.25);
    for (size_t i = 0; i < count; i++) {
        values[i] = fabs(values[i] - result.median_ns);
    }
    qsort(values, count, sizeof *values, compare_doubles);
    result.mad_ns = quantile(values, count, 0.5);
    /* 1.4826 makes the MAD a standard deviation of normal noise, 1.2533 is the loss of the median against the mean. */
    result.error_ns =
        count < 3 ? fabs(result.median_ns) / 10 : 1.4826 * 1.2533 * result.mad_ns / sqrt((double)count);
    return result;
}

fsattn_status fsattn_measure_statistics(const fsattn_measure_policy *policy, const double *times_ns,
                                        size_t count, fsattn_statistics *statistics, fsattn_flag *flag,
                                        fsattn_err *err) {
    double *counting = fsattn_alloc(count, sizeof *counting);
    if (!counting) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "measurement: out of memory");
    }
    size_t good = 0, impossible = 0;
    for (size_t i = 0; i < count; i++) {
        double time = times_ns[i];
        bool plausible = isfinite(time) && time > 0 && time >= policy->resolution_ns;
        if (plausible && time < policy->roofline_ns) {
            impossible++;
        } else if (plausible) {
            counting[good++] = time;
        }
    }
    *flag = FSATTN_FLAG_NONE;
    if (count > 0 && 2 * good <= count) {
        *flag = impossible > count - good - impossible ? FSATTN_FLAG_ROOFLINE : FSATTN_FLAG_TIMER;
    }
    *statistics =
        *flag == FSATTN_FLAG_NONE ? fsattn_measure_describe(counting, good) : (fsattn_statistics){0};
    fsattn_free(counting);
    return FSATTN_OK;
}

/* ---- sampling ---- */

/* Samples `count` more times; stops short at a bad outcome. */
static fsattn_status sample_more(fsattn_evaluator *evaluator, fsattn_trial *trial,
                                 const fsattn_measure_policy *policy, size_t count, int64_t deadline_ns,
                                 fsattn_measurement *measurement, fsattn_outcome *outcome, fsattn_err *err) {
    size_t got = 0;
    FSATTN_TRY(evaluator->ops->sample(trial, count, policy->space.cold, deadline_ns,
                                      measurement->times_ns + measurement->count, &got, outcome, err));
    measurement->count += got;
    return fsattn_measure_statistics(policy, measurement->times_ns, measurement->count,
                                     &measurement->statistics, &measurement->flag, err);
}

static bool settled(const fsattn_measure_policy *policy, const fsattn_measurement *measurement) {
    const fsattn_statistics *statistics = &measurement->statistics;
    return (int64_t)measurement->count >= policy->space.samples_min &&
           (measurement->flag != FSATTN_FLAG_NONE ||
            statistics->mad_ns <= policy->space.spread * statistics->median_ns);
}

/* Times that do not count are no reason to give up: they end in a flag. */
static bool cannot_win(const fsattn_measurement *measurement, double run_ns, double best_ns) {
    return best_ns > 0 && measurement->statistics.count > 0 &&
           fsattn_race_lost(measurement->times_ns, measurement->count, run_ns, best_ns);
}

/* Whether it may soon be given up, so that it is worth looking early. */
static bool behind(const fsattn_measurement *measurement, double best_ns) {
    size_t bet_count;
    return best_ns > 0 && measurement->statistics.minimum_ns > fsattn_race_bets(0, &bet_count)[0].level * best_ns;
}

/* How long the candidate may still be sampled: its time limit, and less once there are samples enough. */
static double time_left(const fsattn_measure_policy *policy, const fsattn_measurement *measurement,
                        double passed_ns) {
    bool enough = (int64_t)measurement->count >= policy->space.samples_min;
    double limit_ns = policy->space.time_limit_s * 1e9;
    return (enough ? fmin(limit_ns, policy->patience_ns) : limit_ns) - passed_ns;
}

/* How many times to take at once: never so many that the time left passes by more than one run. */
static size_t chunk_of(const fsattn_measure_policy *policy, const fsattn_measurement *measurement,
                       double run_ns, double left_ns, double best_ns) {
    size_t count = measurement->count;
    size_t chunk = count == 0 || (count == samples_first && behind(measurement, best_ns)) ? samples_first : samples_at_once;
    size_t room = (size_t)policy->space.samples_max - count, wanted = (size_t)policy->space.samples_min;
    if (count == 0 && best_ns > 0 && run_ns > fsattn_race_at_once(run_ns) * best_ns) {
        return 1;
    }
    if (count < wanted && run_ns * (double)chunk > policy->patience_ns) {
        room = wanted - count < room ? wanted - count : room;
    }
    chunk = chunk < room ? chunk : room;
    double fitting = run_ns > 0 ? floor(left_ns / run_ns) : (double)chunk;
    return fitting >= (double)chunk ? chunk : fitting < 1 ? 1 : (size_t)fitting;
}

/* The clock without what was spent waiting for other processes: that says nothing about a candidate. */
static int64_t own_time(fsattn_evaluator *evaluator) {
    return evaluator->ops->now_ns(evaluator) - evaluator->waited_ns;
}

static fsattn_status sample_until_done(fsattn_evaluator *evaluator, fsattn_trial *trial,
                                       const fsattn_measure_policy *policy, double best_ns,
                                       int64_t deadline_ns, fsattn_measurement *measurement,
                                       fsattn_outcome *outcome, fsattn_err *err) {
    const int64_t started_ns = own_time(evaluator);
    double run_ns = 0;
    size_t got = 0;
    if (policy->space.warmup > 0) {
        FSATTN_TRY(evaluator->ops->sample(trial, (size_t)policy->space.warmup, policy->space.cold,
                                          deadline_ns, measurement->times_ns, &got, outcome, err));
        run_ns = (double)(own_time(evaluator) - started_ns) / (double)policy->space.warmup;
    }
    while (outcome->verdict == FSATTN_VERDICT_OK && !outcome->cut && !measurement->complete) {
        double left_ns = time_left(policy, measurement, (double)(own_time(evaluator) - started_ns));
        if (measurement->count > 0 && left_ns <= 0) {
            measurement->complete = true;
            break;
        }
        size_t chunk = chunk_of(policy, measurement, run_ns, left_ns, best_ns);
        FSATTN_TRY(sample_more(evaluator, trial, policy, chunk, deadline_ns, measurement, outcome, err));
        if (outcome->verdict == FSATTN_VERDICT_OK && !outcome->cut) {
            measurement->cut = cannot_win(measurement, run_ns, best_ns);
            measurement->complete = measurement->cut || settled(policy, measurement) ||
                                    (int64_t)measurement->count >= policy->space.samples_max;
        }
    }
    return FSATTN_OK;
}

fsattn_status fsattn_measure_run(fsattn_evaluator *evaluator, fsattn_trial *trial,
                                 const fsattn_measure_policy *policy, double best_ns, int64_t deadline_ns,
                                 fsattn_measurement *measurement, fsattn_outcome *outcome, fsattn_err *err) {
    int64_t most =
        policy->space.samples_max > policy->space.warmup ? policy->space.samples_max : policy->space.warmup;
    *measurement = (fsattn_measurement){.times_ns = fsattn_alloc((size_t)most, sizeof(double)),
                                        .capacity = (size_t)most};
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    if (!measurement->times_ns) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "measurement: out of memory");
    }
    fsattn_status status =
        sample_until_done(evaluator, trial, policy, best_ns, deadline_ns, measurement, outcome, err);
    if (status != FSATTN_OK) {
        fsattn_measurement_fini(measurement);
        return status;
    }
    if (outcome->cut && (int64_t)measurement->count >= policy->space.samples_min) {
        measurement->complete = true; /* fewer than wished for, but enough */
    }
    return FSATTN_OK;
}

void fsattn_measurement_fini(fsattn_measurement *measurement) {
    fsattn_free(measurement->times_ns);
    *measurement = (fsattn_measurement){0};
}
