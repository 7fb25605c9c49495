/* scripted_file.h - the file that a scripted device follows (JSON): costs, noise, drift, timer quirks, faults, durations.
 *
 * Top-level keys, all optional (the defaults in brackets):
 *   device [scripted], driver [scripted HASH], isa [scripted], provenance [modelled], units [1], verification [""]
 *   timer_resolution_ns [1], flop_per_s [0, unknown]
 *   watchdog_s [10]     after which a hanging candidate is killed
 *   compile_s [0.5], start_s [0.01], verify_s [0.1]   durations
 *   seed [1]            of the noise
 *   noise [0]           standard deviation of a time, as a share of it
 *   cost [1000]         ns, a number or a Lua formula over the parameters
 *   error [1e-6]        relative error of the output, a number or a formula
 *   costs {text: ns}    by the exact text of a configuration; goes before `cost`
 *   drift [[s, factor], ...]   of all times, by the clock, linear in between
 *   warmup_runs [0], warmup_factor [1]   the first runs of a worker take that much longer
 *   cold_factor [1]     of a time with a cold cache
 *   canary_fails [false]
 *   staged [false]      candidates are screened, and verified in part; finalists are verified wholly, which takes ten times as long
 *   recorded FILE       JSON lines of `fsattn-tune --json`, beside this file: verdicts, times and errors of configurations
 *   sleep [0]           real seconds that pass for each scripted one
 *   rules [{...}]       each with conditions `when` (a formula), `configuration` (exact text), `problem` (part of its
 *                       text), `after_s` (rendered after that second), all of which must hold, and effects: cost,
 *                       error, proof_error (that the whole verification finds), noise, compile_s, verify_s, factor, `fault` and `timer` (words of the lists below).
 *                       Later rules win.
 *
 * Mistakes are FSATTN_PARSE with file, line and column. Immutable once open.
 */
#ifndef FSATTN_SCRIPTED_FILE_H
#define FSATTN_SCRIPTED_FILE_H

#include "expression.h"
#include "memory.h"
#include "verdict.h"

typedef enum fsattn_scripted_step {
    FSATTN_STEP_RENDER,
    FSATTN_STEP_BUILD,
    FSATTN_STEP_START,
    FSATTN_STEP_VERIFY,
    FSATTN_STEP_PROVE,
    FSATTN_STEP_SAMPLE,
} fsattn_scripted_step;

/* X(NAME, word, verdict, step, whether the watchdog's time passes) */
#define FSATTN_FAULT_LIST(X)                                                                                 \
    X(NONE, "none", OK, SAMPLE, false)                                                                       \
    X(REJECTED, "rejected", REJECTED, RENDER, false)                                                         \
    X(BUILD_FAILED, "build-failed", BUILD_FAILED, BUILD, false)                                              \
    X(COMPILER_CRASH, "compiler-crash", CRASHED, BUILD, false)                                               \
    X(COMPILER_HANG, "compiler-hang", TIMEOUT, BUILD, true)                                                  \
    X(LAUNCH_FAILED, "launch-failed", LAUNCH_FAILED, START, false)                                           \
    X(CRASH, "crash", CRASHED, VERIFY, false)                                                                \
    X(HANG, "hang", TIMEOUT, VERIFY, true)                                                                   \
    X(WRONG, "wrong", WRONG, VERIFY, false)                                                                  \
    X(WRONG_LATE, "wrong-late", WRONG, PROVE, false)                                                         \
    X(CRASH_LATE, "crash-late", CRASHED, SAMPLE, false)                                                      \
    X(HANG_LATE, "hang-late", TIMEOUT, SAMPLE, true)
typedef enum fsattn_fault {
#define X(name, word, verdict, step, hangs) FSATTN_FAULT_##name,
    FSATTN_FAULT_LIST(X)
#undef X
} fsattn_fault;
typedef struct fsattn_fault_row {
    const char *word;
    fsattn_verdict verdict;
    fsattn_scripted_step step;
    bool hangs;
} fsattn_fault_row;
const fsattn_fault_row *fsattn_scripted_fault(fsattn_fault fault);

/* X(NAME, word): what the timer says instead of the time. */
#define FSATTN_TIMER_LIST(X)                                                                                 \
    X(GOOD, "good")                                                                                          \
    X(ZERO, "zero")                                                                                          \
    X(NEGATIVE, "negative")                                                                                  \
    X(NAN, "nan")                                                                                            \
    X(TINY, "tiny")             /* half the resolution */                                                    \
    X(IMPOSSIBLE, "impossible") /* half the roofline */                                                      \
    X(ONCE, "impossible-once")  /* half the roofline, in the first worker of all alone */
typedef enum fsattn_timer {
#define X(name, word) FSATTN_TIMER_##name,
    FSATTN_TIMER_LIST(X)
#undef X
} fsattn_timer;

/* How one configuration behaves for one problem. */
typedef struct fsattn_scripted_conduct {
    double cost_ns, error;
    double proof_error; /* NaN: `error` */
    double noise, compile_s, verify_s;
    fsattn_fault fault;
    fsattn_timer timer;
} fsattn_scripted_conduct;

typedef struct fsattn_scripted_file {
    const char *path;
    const char *device, *driver, *isa, *verification;
    fsattn_provenance provenance;
    double units, timer_resolution_ns, flop_per_s;
    double watchdog_s, start_s;
    double seed, warmup_runs, warmup_factor, cold_factor, sleep;
    bool canary_fails, staged;
    struct fsattn_scripted_memory *memory;
} fsattn_scripted_file;

/* `manifest` gives the parameters and the Lua state of the formulas, and outlives the file. */
fsattn_status fsattn_scripted_file_open(const char *path, const fsattn_manifest *manifest,
                                        fsattn_scripted_file **file, fsattn_err *err);
void fsattn_scripted_file_close(fsattn_scripted_file *file); /* accepts NULL */
/* How a configuration behaves that is rendered at that second of the clock. The sandbox is bound to the setting by this
 * call. */
fsattn_status fsattn_scripted_file_conduct(const fsattn_scripted_file *file, const fsattn_setting *setting,
                                           const fsattn_config *config, double time_s,
                                           fsattn_scripted_conduct *conduct, fsattn_err *err);
/* Factor of all times at that second of the clock. */
double fsattn_scripted_file_drift(const fsattn_scripted_file *file, double time_s);

#endif
