/* sim_trace.h - what the waves of a workgroup executed, compact enough to be replayed in time (sim_replay.h).
 *
 * A word per instruction: its index in the program in the low 24 bits; above them the cycles of LDS, or how many words with
 * the cache lines (of 128 bytes) of a memory access follow. A trace that has become too long, or for which there is no memory, is cut: what
 * follows is extrapolated. A trace belongs to the thread that runs its workgroup. */
#ifndef SIM_TRACE_H
#define SIM_TRACE_H

#include "sim_core.h"

enum { sim_trace_index_bits = 24, sim_trace_words_max = 1 << 21, sim_trace_line_bytes = 128 };

typedef struct sim_wave_trace {
    uint32_t *words;
    size_t count, capacity;
    uint64_t recorded; /* instructions */
    bool cut;
} sim_wave_trace;

typedef struct sim_trace {
    const struct sim_program *program;
    sim_wave_trace *waves;
    uint32_t wave_count;
    uint64_t group;                /* of the launch */
    uint64_t executed, recorded;   /* instructions of all waves */
} sim_trace;

/* Before the instruction with this index runs: its addresses are those of the registers now. */
void sim_trace_record(sim_wave_trace *trace, const sim_wave *wave, const sim_instruction *in, uint32_t index);
void sim_trace_fini(sim_trace *trace);

/* Cycles that LDS needs for one access of the lanes in `exec` at these byte addresses: its phases, and one cycle more in each for every further
 * word that the busiest bank must give. */
unsigned sim_trace_lds_cycles(sim_lds_shape shape, const uint32_t address[sim_lanes], uint64_t exec);

#endif
