/* sim_heap.h - what a kernel may touch: allocations of device memory, kept sorted by address.
 *
 * Device pointers are host pointers. Every access of a kernel is checked against the table; freed blocks are remembered for a
 * while, so that a use after free is told from a wild address. Any thread; a launch holds the table for reading.
 */
#ifndef SIM_HEAP_H
#define SIM_HEAP_H

#include "sim_core.h"

#include <pthread.h>

enum { sim_heap_freed_kept = 64 };

typedef struct sim_heap {
    pthread_rwlock_t lock;
    sim_allocation *blocks; /* sorted by base */
    size_t count, capacity;
    sim_allocation freed[sim_heap_freed_kept];
    size_t freed_count;
} sim_heap;

/* Adds a block that somebody else owns. FSATTN_NO_MEMORY otherwise. */
fsattn_status sim_heap_add(sim_heap *heap, const void *base, size_t bytes, const char *owner);
/* As that, of a block of which it is watched what is written. */
fsattn_status sim_heap_add_unwritten(sim_heap *heap, const void *base, size_t bytes, const char *owner);
/* What nobody has written so far is not watched any more. The caller holds the lock. */
void sim_heap_forget(sim_heap *heap);
/* False when no block begins there. */
bool sim_heap_remove(sim_heap *heap, const void *base);
/* Index of the block that holds an address, SIZE_MAX when none does; as below. */
size_t sim_heap_index(const sim_heap *heap, uint64_t address);
/* The block that holds an address; false when none does. The caller holds the lock or is the only one. */
bool sim_heap_find(const sim_heap *heap, uint64_t address, sim_allocation *block);

/* Whether a lane (or the wave, -1) may touch `bytes` at `address`, which must be a multiple of `alignment`; stops the wave with
 * the address's owner where it may not. */
bool sim_heap_refuse(sim_wave *wave, const sim_instruction *in, int lane, uint64_t address, size_t bytes, unsigned alignment);
static inline bool sim_heap_check(sim_wave *wave, const sim_instruction *in, int lane, uint64_t address, size_t bytes,
                                  unsigned alignment) {
    const uint64_t offset = address - wave->last.base;
    if (offset < wave->last.bytes && bytes <= wave->last.bytes - offset && !(address & (alignment - 1))) {
        return true;
    }
    return sim_heap_refuse(wave, in, lane, address, bytes, alignment);
}

#endif
