/* measure.h - from raw times to a cost: repeats, statistics, which times may count.
 *
 * A time counts when it is finite, positive, at least the timer's resolution and at least the roofline of the work. A
 * candidate most of whose times do not count is flagged, is untimed (verdict.h) and has no cost: it is never ranked, whatever its other times
 * say. All times are kept, in the order measured, also those that do not count.
 */
#ifndef FSATTN_MEASURE_H
#define FSATTN_MEASURE_H

#include "evaluator.h"
#include "space.h"

/* Of the times that count; all zero when there are none. */
typedef struct fsattn_statistics {
    size_t count;
    double median_ns, minimum_ns;
    double spread_ns; /* interquartile range */
    double mad_ns;    /* median absolute deviation from the median */
    double error_ns;  /* standard error of the median; a tenth of it when there are fewer than three times */
} fsattn_statistics;

/* X(NAME, reason): why a candidate has no cost although its times were taken. */
#define FSATTN_FLAG_LIST(X)                                                                                  \
    X(NONE, "")                                                                                              \
    X(TIMER, "timer: most times are 0, negative, no number or below its resolution")                         \
    X(ROOFLINE, "faster than the device can be")
typedef enum fsattn_flag {
#define X(name, reason) FSATTN_FLAG_##name,
    FSATTN_FLAG_LIST(X)
#undef X
} fsattn_flag;
const char *fsattn_flag_reason(fsattn_flag flag);

/* How one problem is measured on one device. */
typedef struct fsattn_measure_policy {
    fsattn_space_measurement space;
    double resolution_ns; /* of the timer */
    double roofline_ns;   /* no true time is below; 0: unknown */
    bool exact;           /* times carry no noise: FSATTN_NOISE_FLOOR does not apply */
    double
        patience_ns; /* with samples_min taken, sampling a candidate goes on no longer than that; INFINITY: its time limit */
} fsattn_measure_policy;

typedef struct fsattn_measurement {
    double *times_ns; /* all of them, without warm-up; fsattn_measurement_fini */
    size_t count, capacity;
    fsattn_statistics statistics;
    fsattn_flag flag;
    bool cut;      /* stopped early: it cannot win */
    bool complete; /* false: the deadline came before there was enough to judge; no result */
} fsattn_measurement;

fsattn_measure_policy fsattn_measure_policy_of(const fsattn_space *space, const fsattn_platform *platform,
                                               const fsattn_problem *problem);
/* Canonical text of everything that changes what a cost or a verdict means; part of result keys. */
void fsattn_measure_policy_text(const fsattn_space_measurement *measurement, const fsattn_platform *platform,
                                fsattn_text *text);

/* Statistics of the times that count, and the flag of all of them. FSATTN_NO_MEMORY is the only failure. */
fsattn_status fsattn_measure_statistics(const fsattn_measure_policy *policy, const double *times_ns,
                                        size_t count, fsattn_statistics *statistics, fsattn_flag *flag,
                                        fsattn_err *err);

/* Describes any finite values; sorts and overwrites them. */
fsattn_statistics fsattn_measure_describe(double *values, size_t count);

/* Warms up and samples a verified run until the spread is small, it cannot win against `best_ns` (0: there is none
 * yet), or a limit ends it. An outcome other than OK leaves *measurement with what was measured until then. */
fsattn_status fsattn_measure_run(fsattn_evaluator *evaluator, fsattn_trial *trial,
                                 const fsattn_measure_policy *policy, double best_ns, int64_t deadline_ns,
                                 fsattn_measurement *measurement, fsattn_outcome *outcome, fsattn_err *err);
void fsattn_measurement_fini(fsattn_measurement *measurement);

/* Two candidates whose times differ by less than this share are tied, however well both are known: code placement and
 * the like move a kernel by as much from one build to the next. */
#define FSATTN_NOISE_FLOOR 0.005
/* Standard errors that make a difference count. */
#define FSATTN_NOISE_ERRORS 3.0

#endif
