/* trial_gpu.h - one chain of GPU kernels in a device worker, seen from the tuner. Internal to evaluator_gpu.c.
 *
 * The worker's word counts for nothing but its times. Outputs and workspace are poisoned before each run; every step is judged
 * from the bytes that are found afterwards.
 */
#ifndef FSATTN_TRIAL_GPU_H
#define FSATTN_TRIAL_GPU_H

#include "evaluator_gpu.h"
#include "gpu_module.h"
#include "gpu_link.h"
#include "verify.h"

enum { fsattn_gpu_module_limit = fsattn_gpu_worker_codes };

typedef struct fsattn_gpu_variant {
    fsattn_variant variant;
    fsattn_arena arena;
    fsattn_gpu_module *modules[fsattn_gpu_module_limit]; /* attention's, then its quantizers' (NULL: none) */
    fsattn_stage stages[fsattn_gpu_stage_limit];
    uint32_t code_of[fsattn_gpu_stage_limit]; /* index into modules */
    fsattn_gpu_chain chain;
    fsattn_emulator_config emulator;
    fsattn_gpu_state_log states; /* of the timed runs on hardware */
} fsattn_gpu_variant;

/* What is known of a chain on a problem: its time; or, whatever the sizes of the problem, what its verification found. */
typedef struct fsattn_gpu_finding {
    struct fsattn_gpu_finding *next;
    fsattn_hash key; /* of its kind, the chain's code and launch, and the problem */
    double time_ns, stage_ns[fsattn_gpu_stage_limit];
    fsattn_verification verification;
} fsattn_gpu_finding;

/* Packed operands as they must be, for one case and one layout. */
typedef struct fsattn_gpu_packed {
    struct fsattn_gpu_packed *next;
    const fsattn_verify_case *of;
    char layout[sizeof(((fsattn_gpu_chain *)NULL)->pack_layout)];
    uint8_t *memory; /* the whole workspace; NULL: this layout is not known here */
} fsattn_gpu_packed;

typedef struct fsattn_gpu_evaluator {
    fsattn_evaluator base;
    fsattn_evaluator_gpu_options options;
    fsattn_distribution floor; /* that the accuracy floor refers to */
    fsattn_hiprtc *hiprtc;
    fsattn_gpu_modules modules;
    fsattn_manifest *before; /* of the quantizers; NULL: the template needs none */
    fsattn_verifier *verifier;
    fsattn_gpu_link_settings link;
    char *worker, *library, *helper; /* paths; library and helper may be NULL */
    char *model; /* of time, as the environment had it; or NULL */
    fsattn_gpu_finding *findings;
    fsattn_gpu_packed *packed;
    fsattn_problem problem; /* of the last trial */
    int lock; /* hip: of the machine; -1: none */
} fsattn_gpu_evaluator;

struct fsattn_trial {
    fsattn_gpu_evaluator *gpu;
    fsattn_gpu_variant *variant;
    fsattn_problem problem;      /* tuned for */
    fsattn_problem run;          /* what is run of it: the problem, or the part that represents it */
    fsattn_gpu_link link;
    bool open;
    unsigned poison; /* of the last run */
    fsattn_hash key; /* of its time */
};

fsattn_status fsattn_gpu_trial_start(fsattn_gpu_evaluator *gpu, fsattn_gpu_variant *variant, const fsattn_problem *problem,
                                     fsattn_trial **trial, fsattn_err *err);
/* As the operations of evaluator.h. The time of a chain on a problem, once known, stays known (fsattn_gpu_trial_time). */
fsattn_status fsattn_gpu_trial_screen(fsattn_trial *trial, int64_t deadline_ns, double *cost_ns, fsattn_outcome *outcome, fsattn_err *err);
fsattn_status fsattn_gpu_trial_verify(fsattn_trial *trial, int64_t deadline_ns, fsattn_verification *verification,
                                      fsattn_outcome *outcome, fsattn_err *err);
fsattn_status fsattn_gpu_trial_prove(fsattn_trial *trial, int64_t deadline_ns, fsattn_verification *verification,
                                     fsattn_outcome *outcome, fsattn_err *err);
const fsattn_gpu_finding *fsattn_gpu_trial_time(const fsattn_trial *trial); /* NULL: not known */
fsattn_status fsattn_gpu_trial_sample(fsattn_trial *trial, size_t count, bool cold, int64_t deadline_ns, double *times_ns,
                                      size_t *got, fsattn_outcome *outcome, fsattn_err *err);
void fsattn_gpu_trial_stop(fsattn_trial *trial);
/* Forgets expected packed operands: those of tuned problems, or all. */
void fsattn_gpu_packed_forget(fsattn_gpu_evaluator *gpu, bool all);

#endif
