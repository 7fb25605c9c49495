/* sim_sample.h - a launch of which only some workgroups run: what the others would have written must not pass for a result.
 *
 * Bytes that the workgroups that run store are noted, in every block of device memory that they store to. After the launch all other
 * bytes of these blocks, and those that were written atomically (a part of a sum), become a NaN pattern. One block for each tensor is
 * assumed: what else lies in a block that is written to is lost. A block that only workgroups which were left out write keeps what it
 * held: the NaN pattern where nobody had written before, which no later kernel is stopped for reading (sim_heap_forget). Storing to a
 * variable of the module stops the wave: the rest of its image is needed. Any number of threads; the heap must not
 * change between start and finish. */
#ifndef SIM_SAMPLE_H
#define SIM_SAMPLE_H

#include "sim_heap.h"

typedef struct sim_sample sim_sample;

/* NULL without memory. */
sim_sample *sim_sample_start(const sim_heap *heap);
/* A store (or an atomic, which makes nothing certain) of a lane. */
void sim_sample_store(sim_wave *wave, const sim_instruction *in, int lane, const void *at, size_t bytes, bool certain);
/* Poisons what is left, and frees. */
void sim_sample_finish(sim_sample *sample);

/* Device memory that nobody has written: a signalling NaN in every word, and an address of nothing. */
static const uint32_t sim_poison_word = 0x7fa5a5a5;
void sim_sample_poison(void *from, size_t bytes);

#endif
