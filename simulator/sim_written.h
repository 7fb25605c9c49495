/* sim_written.h - which bytes of a block of device memory somebody has written, kernels and copies alike.
 *
 * A bit for each byte. Bits are set only; any thread may set and look. Once nothing is missing, or what is missing can no longer be told
 * from what was written unseen (launches without checks, workgroups that a sample left out), the map is not looked at any more. */
#ifndef SIM_WRITTEN_H
#define SIM_WRITTEN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sim_written {
    _Atomic bool watched; /* some bytes are missing */
    _Atomic size_t missing;
    size_t bytes;
    _Atomic uint64_t bits[];
} sim_written;

/* Of a block of which nothing is written; NULL without memory. Released by fsattn_free. */
sim_written *sim_written_create(size_t bytes);
void sim_written_set(sim_written *map, size_t from, size_t bytes);
/* What was copied from another block counts as written as far as it was there; `source` NULL: all of it. */
void sim_written_copy(sim_written *map, size_t to, const sim_written *source, size_t from, size_t bytes);
void sim_written_forget(sim_written *map);

static inline uint64_t sim_written_mask(unsigned bytes) { return bytes < 64 ? (UINT64_C(1) << bytes) - 1 : UINT64_MAX; }
static inline bool sim_written_watched(const sim_written *map) {
    return map && atomic_load_explicit(&map->watched, memory_order_relaxed);
}
/* Bit i: byte from + i has not been written. At most 64 bytes, within the block. */
static inline uint64_t sim_written_missing(const sim_written *map, size_t from, unsigned bytes) {
    const size_t at = from / 64, shift = from % 64;
    uint64_t there = atomic_load_explicit(&map->bits[at], memory_order_relaxed) >> shift;
    if (shift + bytes > 64) {
        there |= atomic_load_explicit(&map->bits[at + 1], memory_order_relaxed) << (64 - shift);
    }
    return ~there & sim_written_mask(bytes);
}

#endif
