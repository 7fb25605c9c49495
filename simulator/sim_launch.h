/* sim_launch.h - one kernel launch: registers at the start, kernel arguments, workgroups over threads, waves in turn.
 *
 * Workgroups run to their end one after another on each of a number of threads, in ascending order of start. The waves of a
 * workgroup take turns: each runs until a barrier, its end, or a slice of instructions. A fault ends the launch: what was
 * written before stays. Several launches may run at once. */
#ifndef SIM_LAUNCH_H
#define SIM_LAUNCH_H

#include "sim_module.h"
#include "sim_timing.h"

enum { sim_launch_message_bytes = 1024 };

typedef struct sim_options {
    int threads;             /* 0: the cores usable by this process */
    bool check_waits;        /* results must be waited for */
    bool check_races;        /* of waves in LDS */
    bool check_undefined;    /* memory that is used must have been written */
    bool poison;             /* registers, LDS and scratch start with a pattern instead of 0 */
    bool time;               /* sim_result.timing is wanted */
    sim_timeline *timeline;  /* of the replay by `bound`, when it is timed; NULL: none is wanted */
    sim_bound bound;
    uint64_t sample;         /* workgroups that run, spread over the grid; the others' results are poisoned (sim_sample.h). 0: all run */
    uint64_t instructions_max; /* of one wave, after which it counts as hanging */
} sim_options;

typedef struct sim_launch {
    const sim_kernel *kernel;
    uint32_t grid[3], block[3]; /* blocks; threads of a block */
    uint32_t lds_bytes;         /* dynamic */
    const void *arguments;      /* the explicit part of the kernel's argument buffer */
    size_t argument_bytes;
    uint64_t charged_groups; /* the time is that of so many workgroups like these; 0: of those that run */
} sim_launch;

typedef struct sim_result {
    uint64_t instructions; /* of all waves */
    uint64_t ran;          /* workgroups */
    bool timed;
    sim_timing timing;     /* modelled; where `timed` */
    char message[sim_launch_message_bytes]; /* of a fault */
} sim_result;

/* Reads FSATTN_SIM_THREADS, FSATTN_SIM_CHECK ("0" turns checks off that cost time), FSATTN_SIM_LIMIT, FSATTN_SIM_SAMPLE. */
sim_options sim_launch_options(void);
/* FSATTN_INVALID when the launch is not allowed (block, LDS, arguments), FSATTN_UNSUPPORTED for a mode that is not simulated,
 * FSATTN_DEVICE after a fault. The text stands in err. */
fsattn_status sim_launch_run(sim_heap *heap, const sim_launch *launch, const sim_options *options, sim_result *result, fsattn_err *err);

#endif
