/* sim_undefined.h - what a kernel reads before anybody has written it: of device memory, LDS and scratch.
 *
 * A load of words that nobody has written is no error, since tails are often read and thrown away; using what it gave is. The lanes of a
 * register that hold such a word are known (of 8 and 16 bit loads: such a part). Moves, selections and vector arithmetic carry them along,
 * and so do stores to LDS and to scratch; addresses, comparisons, scalar and matrix instructions, everything across lanes but swaps and DPP,
 * atomics and stores to device memory are uses: they stop the wave. A word with one byte written counts as written. Registers
 * that nobody has written are not watched, they hold a NaN pattern. A wave's state belongs to the thread that runs it; off when
 * wave->undefined is NULL. */
#ifndef SIM_UNDEFINED_H
#define SIM_UNDEFINED_H

#include "sim_core.h"
#include "sim_race.h"
#include "sim_written.h"

/* The load of a word that nobody has written: its first lane. */
typedef struct sim_origin {
    const sim_instruction *in;
    int lane;
    uint64_t address;
    sim_allocation block;
} sim_origin;

typedef struct sim_undefined {
    uint32_t live; /* registers with such lanes; 0: nothing to do but at loads and stores */
    uint64_t lanes[sim_vgprs + sim_sgprs];
    sim_origin origins[sim_vgprs + sim_sgprs];
    uint64_t missing_lanes; /* of the load under way: lanes that miss something */
    struct {
        uint64_t bytes, address; /* bit i: nobody has written byte i */
        sim_allocation block;
    } missing[sim_lanes];
    uint64_t *scratch; /* a bit for each byte of the lanes' scratch, those of lane 0 first */
} sim_undefined;

sim_undefined *sim_undefined_create(size_t scratch_bytes); /* of all lanes; NULL without memory */
void sim_undefined_destroy(sim_undefined *undefined);
void sim_undefined_start(sim_undefined *undefined, size_t scratch_bytes);
/* What an instruction does with what it reads: a sim_flow, kept in it. */
uint8_t sim_undefined_flow(const sim_instruction *in);

/* Before an instruction runs, where something is live: stops the wave at a use, else carries along. */
void sim_undefined_step(sim_wave *wave, const sim_instruction *in);
/* Loads: the bytes that were noted as missing become the register's. */
void sim_undefined_load(sim_wave *wave, const sim_instruction *in, unsigned reg, unsigned bytes);
void sim_undefined_load_scalar(sim_wave *wave, const sim_instruction *in, unsigned reg, uint64_t address, unsigned words);

/* An access of a lane (within wave->last; LDS; scratch), false after a fault. */
bool sim_undefined_device(sim_wave *wave, const sim_instruction *in, int lane, uint64_t address, unsigned bytes, sim_touch touch);
bool sim_undefined_lds(sim_wave *wave, const sim_instruction *in, int lane, uint32_t address, unsigned bytes, sim_touch touch);
/* That and races: all that is to be said of an access to LDS where the group is watched. */
bool sim_undefined_watch_lds(sim_wave *wave, const sim_instruction *in, int lane, uint32_t address, unsigned bytes, sim_touch touch);
bool sim_undefined_scratch(sim_wave *wave, const sim_instruction *in, int lane, uint32_t offset, unsigned bytes, sim_touch touch);
/* After a store of `bytes` from `reg`: what the lane does not have leaves LDS and scratch unwritten, and may not go to device memory: then
 * false, and a fault. `at`: where it was stored. */
bool sim_undefined_store(sim_wave *wave, const sim_instruction *in, int lane, const unsigned char *at, unsigned reg, unsigned bytes);
/* A load into LDS brings along what is missing. */
void sim_undefined_fill(sim_wave *wave, int lane, uint32_t address, unsigned bytes);

static inline bool sim_undefined_touch(sim_wave *wave, const sim_instruction *in, int lane, uint64_t address, unsigned bytes, sim_touch touch) {
    return !wave->undefined || !sim_written_watched(wave->last.written) || sim_undefined_device(wave, in, lane, address, bytes, touch);
}
static inline void sim_undefined_loaded(sim_wave *wave, const sim_instruction *in, unsigned reg, unsigned bytes) {
    if (wave->undefined && (wave->undefined->live || wave->undefined->missing_lanes)) {
        sim_undefined_load(wave, in, reg, bytes);
    }
}
static inline bool sim_undefined_stored(sim_wave *wave, const sim_instruction *in, int lane, const unsigned char *at, unsigned reg, unsigned bytes) {
    return !wave->undefined || !wave->undefined->live || sim_undefined_store(wave, in, lane, at, reg, bytes);
}

#endif
