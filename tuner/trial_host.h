/* trial_host.h - one candidate in a device worker, seen from the tuner. Internal to evaluator_host.c.
 *
 * Invariants: the worker's word counts for nothing but its times, and those only as far as they fit into the tuner's own clock.
 * Outputs are poisoned before each run, with another pattern each time; what lies around them must stay as it was. Of the timed runs
 * of one message the worker tells digests; all must be the one that the tuner computes from what the last run left, and that
 * output must be the verified one. A worker that somebody else kills (the kernel, for lack of memory) is replaced once, then
 * the run ends: that is no verdict, and neither is a worker's own failure to get memory.
 */
#ifndef FSATTN_TRIAL_HOST_H
#define FSATTN_TRIAL_HOST_H

#include "evaluator_host.h"
#include "process.h"
#include "toolchain.h"
#include "verify.h"
#include "worker.h"

typedef struct fsattn_host_variant {
    fsattn_variant variant;
    fsattn_arena arena;
    fsattn_text source;
    const char **options; /* NULL-terminated */
    fsattn_emulator_config emulator;
    bool emulated; /* false: the canary, whose output is known otherwise */
} fsattn_host_variant;

typedef struct fsattn_host_evaluator {
    fsattn_evaluator base;
    fsattn_evaluator_host_options options;
    fsattn_toolchain toolchain;
    fsattn_verifier *verifier;
    char *worker;
    fsattn_machine machine; /* entered to work for each start and verification, to time for each message of timed runs */
    fsattn_host_variant *canary;
    double canary_ns; /* fastest run when the evaluator was opened */
} fsattn_host_evaluator;

struct fsattn_trial {
    fsattn_host_evaluator *host;
    fsattn_host_variant *variant;
    fsattn_problem problem;
    fsattn_process process;
    int socket, memory;  /* memory: the memfd of outputs */
    char *outputs;       /* mapped */
    size_t output_bytes;
    unsigned poison;     /* of the last run */
    bool verified, dead;
    bool killed;         /* by SIGKILL, and not by the tuner */
    bool replaced;       /* the worker is the second one */
    fsattn_status failure; /* of the worker itself in its last answer: NO_MEMORY or IO */
    fsattn_hash expected; /* of the whole problem's output, once verified */
};

fsattn_status fsattn_trial_start(fsattn_host_evaluator *host, fsattn_host_variant *variant, const fsattn_problem *problem,
                                 size_t output_bytes, int64_t deadline_ns, fsattn_trial **trial, fsattn_outcome *outcome,
                                 fsattn_err *err);
fsattn_status fsattn_trial_verify(fsattn_trial *trial, int64_t deadline_ns, fsattn_verification *verification,
                                  fsattn_outcome *outcome, fsattn_err *err);
fsattn_status fsattn_trial_sample(fsattn_trial *trial, size_t count, bool cold, int64_t deadline_ns, double *times_ns, size_t *got,
                                  fsattn_outcome *outcome, fsattn_err *err);
void fsattn_trial_stop(fsattn_trial *trial);
/* Runs one case, as a turn of its own at the machine; its output lies in trial->outputs as `layout` says. WRONG when something was written outside or not at all. */
fsattn_status fsattn_trial_run(fsattn_trial *trial, const fsattn_verify_case *c, int64_t deadline_ns,
                               fsattn_worker_layout *layout, fsattn_outcome *outcome, fsattn_err *err);

#endif
