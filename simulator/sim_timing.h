/* sim_timing.h - the modelled time of a launch: traces of some of its workgroups replayed on one compute unit, then dealt to all.
 *
 * As many workgroups as fit are replayed together. A workgroup that was not traced takes the time of the traced one whose
 * number of instructions is nearest, in proportion to its own. Workgroups go to the dies in turn and on each die to the slot that is free first.
 * Everything that shows these figures says "modelled"; none of them claims to be microseconds of hardware. */
#ifndef SIM_TIMING_H
#define SIM_TIMING_H

#include "code_object.h"
#include "sim_replay.h"

enum { sim_timing_traces_max = 16 };

/* Workgroups of `waves` waves that one compute unit holds, by waves, registers and LDS; 0: none fits. */
uint32_t sim_timing_resident(const fsattn_code_kernel *info, uint32_t waves, uint64_t lds_bytes);

typedef struct sim_timing_input {
    const sim_trace *traces; /* at least one */
    uint32_t trace_count;
    uint64_t ran;             /* workgroups that were executed */
    const uint64_t *executed; /* instructions of each of them; NULL: all alike */
    uint64_t groups;          /* of the launch that is charged; those beyond `ran` are like those that ran, in turn */
    bool spread;              /* those that ran are spread over the grid: the others are like those near them */
    uint32_t resident;        /* sim_timing_resident */
    bool near;                /* sim_cache.h */
    sim_timeline *timeline;   /* of the replay of the first traces by `timeline_bound`; may be NULL */
    sim_bound timeline_bound;
} sim_timing_input;

typedef struct sim_timing {
    double cycles[sim_bounds]; /* of the launch */
    sim_replay replay[sim_bounds]; /* of the first workgroups that ran together */
    uint32_t resident, traced;     /* replayed together; traces there were */
} sim_timing;

/* False without memory. */
bool sim_timing_run(const sim_timing_input *input, sim_timing *timing);
/* Which of `ran` workgroups to trace, number `k` of sim_timing_wanted. */
uint64_t sim_timing_pick(uint64_t ran, uint32_t wanted, uint32_t k);
uint32_t sim_timing_wanted(uint64_t ran, uint32_t resident);

#endif
