/* sim_cache.h - the way of a cache line to one compute unit: L1, L2 of the die, Infinity Cache or HBM.
 *
 * A level gives one line after another at this compute unit's share of its bandwidth; a line that misses asks the next. What other
 * compute units bring into L2 is not known here: a line misses L2 until this one has touched it. Beyond L2 everything comes
 * from the Infinity Cache when all device memory of the process fits in it, else from HBM. Not modelled: translation, channels, coherence. */
#ifndef SIM_CACHE_H
#define SIM_CACHE_H

#include "sim_cost.h"

#include <stddef.h>

enum { sim_cache_line = 128, sim_cache_l1_ways = 16, sim_cache_l2_ways = 16 };

typedef struct sim_cache_way {
    uint32_t line; /* plus 1; 0: empty */
    uint32_t used;
    uint64_t arrives;
} sim_cache_way;

typedef struct sim_cache {
    sim_cache_way l1[sim_cost_l1_bytes / sim_cache_line], *l2;
    uint32_t clock;
    const uint32_t *costs; /* constants in effect */
    bool near; /* the Infinity Cache holds everything */
    uint64_t l2_free, far_free;
    uint64_t hits_l1, hits_l2, misses;
} sim_cache;

/* False without memory. `costs`: by sim_constant, borrowed. */
bool sim_cache_init(sim_cache *cache, bool near, const uint32_t *costs);
void sim_cache_fini(sim_cache *cache);
/* Cycle at which a line asked for in cycle `now` is there. */
uint64_t sim_cache_load(sim_cache *cache, uint32_t line, uint64_t now);
/* Cycle at which a written line is acknowledged: L1 writes through. */
uint64_t sim_cache_store(sim_cache *cache, uint32_t line, uint64_t now);

#endif
