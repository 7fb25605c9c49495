/* sim_replay.h - traces of workgroups replayed cycle by cycle on one compute unit.
 *
 * Four SIMDs; a wave belongs to one and issues in order, at most once in four cycles. Each unit of a SIMD takes one instruction at a time,
 * of the wave with the highest priority, else the eldest. An instruction waits for the registers that it reads and writes, for its unit, and
 * s_waitcnt for its counters; LDS and memory belong to the compute unit. The hardware's wait states for matrix results,
 * which the compiler fills with s_nop, hold here as dependencies.
 * Invariant: a wave's cycles are those in which it issued plus those of its stalls. Not modelled: instruction fetch, register banks, WAR hazards. */
#ifndef SIM_REPLAY_H
#define SIM_REPLAY_H

#include "sim_trace.h"

enum { sim_replay_groups_max = 32, sim_replay_waves_max = 64 };

/* X(NAME, text): why a wave did not issue. */
#define SIM_STALL_LIST(X)                                                                                    \
    X(VECTOR_RESULT, "result of a vector instruction")                                                       \
    X(MATRIX_RESULT, "result of a matrix instruction")                                                       \
    X(SCALAR_RESULT, "result of a scalar instruction")                                                       \
    X(VECTOR_BUSY, "vector unit busy")                                                                       \
    X(MATRIX_BUSY, "matrix unit busy")                                                                       \
    X(BESIDE_MATRIX, "vector held back by a matrix instruction")                                             \
    X(BESIDE_VECTOR, "matrix held back by a vector instruction")                                             \
    X(SCALAR_BUSY, "scalar unit busy")                                                                       \
    X(LDS_BUSY, "LDS queue full")                                                                            \
    X(MEMORY_BUSY, "memory queue full")                                                                      \
    X(VMCNT, "s_waitcnt vmcnt")                                                                              \
    X(LGKMCNT, "s_waitcnt lgkmcnt")                                                                          \
    X(BARRIER, "barrier")                                                                                    \
    X(NOP, "s_nop")                                                                                          \
    X(BRANCH, "branch taken")
typedef enum sim_stall {
#define X(name, text) SIM_STALL_##name,
    SIM_STALL_LIST(X)
#undef X
    sim_stalls
} sim_stall;

/* One instruction as it was issued: before it `stall` cycles for `reason`, then `unit_stall` for `unit_reason`. */
typedef struct sim_issue {
    uint64_t at;
    uint32_t index, stall, unit_stall;
    uint16_t cycles;
    uint8_t wave, simd, unit, reason, unit_reason;
} sim_issue;
typedef struct sim_timeline {
    sim_issue *issues;
    size_t count, capacity, limit; /* no more than `limit` are kept */
} sim_timeline;

typedef struct sim_replay {
    uint64_t cycles;                           /* until the last wave has ended */
    uint64_t group_cycles[sim_replay_groups_max];
    uint64_t issued[sim_units];                /* instructions */
    uint64_t busy[sim_units];                  /* cycles of the unit, summed over its SIMDs */
    uint64_t stalls[sim_stalls], issue_cycles; /* of all waves */
    uint64_t wave_cycles;
    uint64_t hits_l1, hits_l2, misses;         /* cache lines */
} sim_replay;

/* Replays `count` workgroups that start together. `near`: sim_cache.h. `timeline` may be NULL. False without memory. */
bool sim_replay_run(const sim_trace *const *groups, unsigned count, sim_bound bound, bool near, sim_timeline *timeline,
                    sim_replay *replay);

#endif
