#include "sim_written.h"

#include "memory.h"

sim_written *sim_written_create(size_t bytes) {
    const size_t words = bytes / 64 + 1, header = (sizeof(sim_written) + sizeof(uint64_t) - 1) / sizeof(uint64_t);
    sim_written *made = fsattn_alloc(header + words, sizeof(uint64_t));
    if (made) {
        made->bytes = bytes;
        atomic_store(&made->missing, bytes);
        atomic_store(&made->watched, true);
    }
    return made;
}

void sim_written_forget(sim_written *map) { atomic_store_explicit(&map->watched, false, memory_order_relaxed); }

/* How many of these bits are new. */
static size_t add_bits(sim_written *map, size_t word, uint64_t bits) {
    if (!(bits & ~atomic_load_explicit(&map->bits[word], memory_order_relaxed))) {
        return 0;
    }
    return (size_t)__builtin_popcountll(bits & ~atomic_fetch_or_explicit(&map->bits[word], bits, memory_order_relaxed));
}

void sim_written_set(sim_written *map, size_t from, size_t bytes) {
    size_t fresh = 0;
    if (!sim_written_watched(map)) {
        return;
    }
    if (bytes == map->bytes) { /* the usual copy, of a whole block */
        sim_written_forget(map);
        return;
    }
    for (size_t end = from + bytes, some; from < end; from += some) {
        const size_t room = 64 - from % 64;
        some = end - from < room ? end - from : room;
        fresh += add_bits(map, from / 64, sim_written_mask((unsigned)some) << from % 64);
    }
    if (fresh && atomic_fetch_sub_explicit(&map->missing, fresh, memory_order_relaxed) == fresh) {
        sim_written_forget(map);
    }
}

void sim_written_copy(sim_written *map, size_t to, const sim_written *source, size_t from, size_t bytes) {
    if (!sim_written_watched(map)) {
        return;
    }
    if (!sim_written_watched(source)) {
        sim_written_set(map, to, bytes);
        return;
    }
    for (size_t i = 0; i < bytes; i++) {
        if (!sim_written_missing(source, from + i, 1)) {
            sim_written_set(map, to + i, 1);
        }
    }
}
