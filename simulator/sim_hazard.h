/* sim_hazard.h - registers of matrix instructions that are touched too early; the instructions that sim_states.h looks at.
 *
 * Hardware does not wait for these: between a matrix instruction and whoever reads or writes its registers there must be a number of wait
 * states, one for each instruction and n + 1 for s_nop n. The compiler sees to it in code that it makes; inline assembly must itself. Too
 * few stop the wave, with how many are missing. The numbers stand in one table (sim_hazard.c). Off when wave->hazard is NULL. Instructions under register indexing are not looked at. */
#ifndef SIM_HAZARD_H
#define SIM_HAZARD_H

#include "sim_core.h"

enum { sim_hazard_longest = 20, sim_hazard_matrices = 32, sim_hazard_vectors = 4, sim_hazard_recent = 5 };
/* Bits of states_first beside the rows': one half of vcc is written, all of it is. That of a half in states_second: vccz is read. */
enum { sim_states_half_vcc = 1 << 29, sim_states_vcc = 1 << 30 };
typedef struct sim_hazard {
    uint64_t clock; /* wait states so far */
    uint64_t until; /* from here on nothing is too early */
    uint32_t matrix_count, vector_count;
    struct {
        const sim_instruction *in;
        uint64_t at;
    } matrices[sim_hazard_matrices], vectors[sim_hazard_vectors]; /* the last ones, by count */
    uint32_t recent_count, recent_rows; /* rows: that the recent ones, and perhaps others, are the first of */
    struct {
        const sim_instruction *in;
        uint64_t at;
    } recent[sim_hazard_recent]; /* the last that are the first of a row of sim_states.c, of which none wants more wait states */
    const sim_instruction *half_vcc; /* the last write to vcc, when it was to a half */
} sim_hazard;

void sim_states_check(sim_wave *wave, const sim_instruction *in);
void sim_states_note_vcc(sim_hazard *hazard, const sim_instruction *in);
void sim_hazard_start(sim_hazard *hazard);
/* Looks at what has run shortly before; notes a matrix instruction. */
void sim_hazard_check(sim_wave *wave, const sim_instruction *in);

/* Before an instruction runs. */
static inline void sim_hazard_step(sim_wave *wave, const sim_instruction *in) {
    sim_hazard *h = wave->hazard;
    const unsigned unit = in->cost.unit;
    const bool touches = unit == SIM_UNIT_VECTOR || unit == SIM_UNIT_LDS || unit == SIM_UNIT_MEMORY;
    if (!wave->gpr_index && (unit == SIM_UNIT_MATRIX || (touches && h->clock < h->until))) {
        sim_hazard_check(wave, in);
    }
    if (unit == SIM_UNIT_VECTOR) {
        h->vectors[h->vector_count % sim_hazard_vectors].in = in;
        h->vectors[h->vector_count++ % sim_hazard_vectors].at = h->clock;
    }
    if (!wave->gpr_index && (in->states_second & h->recent_rows)) {
        sim_states_check(wave, in);
    }
    if (in->states_first) {
        h->recent[h->recent_count % sim_hazard_recent].in = in;
        h->recent[h->recent_count++ % sim_hazard_recent].at = h->clock;
        h->recent_rows |= in->states_first;
        if (in->states_first & (sim_states_half_vcc | sim_states_vcc)) {
            sim_states_note_vcc(h, in);
        }
    }
    h->clock += in->states;
}

#endif
