/* evaluator_gpu.h - candidates for a GPU: chains of rendered kernels, compiled by HIPRTC, run in device workers.
 *
 * The device is the `hip` back end over the real libamdhip64 (`hip`: costs are measured) or over the simulator's (`sim`: costs
 * are modelled). Owns the HIPRTC pool, the modules, the verifier, and what was found of each chain and problem in this process.
 *
 * A chain is quantizers, then attention, both rendered with equal formats and in agreement about the packed layout, or the
 * candidate is rejected. Verification: packed operands equal to numerics/ byte by byte, output within tolerance of the
 * emulation of the very configuration, the number of rollbacks equal to the emulation's, accuracy against float64. On the
 * simulator the tuned problem is represented by one query tile of one head against all its keys, whose time is charged for
 * the whole grid; a modelled time is taken once, since the model knows no chance. On hardware it is run as a whole.
 */
#ifndef FSATTN_EVALUATOR_GPU_H
#define FSATTN_EVALUATOR_GPU_H

#include "evaluator.h"
#include "manifest.h"
#include "store.h"

#include <signal.h>

typedef struct fsattn_evaluator_gpu_options {
    fsattn_manifest *manifest;  /* of a template with target gfx950; borrowed */
    fsattn_store *store;        /* builds are reused from and put into it; NULL: none. Borrowed */
    const char *device;         /* "hip" or "sim" */
    const char *library;        /* libamdhip64; NULL: hip: from the loader's path; sim: beside the programs */
    const char *worker;         /* path of fsattn-gpu-worker; NULL: beside the running program */
    const char *rocm;           /* ROCm or private root; NULL: as hiprtc.h finds it */
    int jobs;                   /* compilations at a time; 0: usable cores */
    double build_time_limit_s;  /* of one compilation; 0: 120 */
    double trial_time_limit_s;  /* of one request to a worker; 0: 300 */
    uint64_t seed;              /* of the inputs */
    const char *distribution;   /* of the inputs that the accuracy floor refers to; NULL: normal. Verified before anything is ranked */
    const volatile sig_atomic_t *stop; /* set by a signal handler: everything in flight ends as cut. Nullable */
} fsattn_evaluator_gpu_options;

/* FSATTN_DEVICE when there is no such device, FSATTN_NOT_FOUND without HIPRTC, each with the way on in the hint. */
fsattn_status fsattn_evaluator_gpu_open(const fsattn_evaluator_gpu_options *options, fsattn_evaluator **evaluator,
                                        fsattn_err *err);

/* One query tile of one head against all keys that it sees, which stands for the others; of a causal mask the tile in the
 * middle, which sees as many as all tiles do in the mean. */
fsattn_problem fsattn_gpu_tile_of(const fsattn_problem *problem, int64_t tile_m);

#endif
