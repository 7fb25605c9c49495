#include "sim_cache.h"

#include "memory.h"

enum { l1_sets = sim_cost_l1_bytes / sim_cache_line / sim_cache_l1_ways, l2_lines = sim_cost_l2_bytes / sim_cache_line, l2_sets = l2_lines / sim_cache_l2_ways };

bool sim_cache_init(sim_cache *cache, bool near, const uint32_t *costs) {
    *cache = (sim_cache){.near = near, .costs = costs, .l2 = fsattn_alloc(l2_lines, sizeof *cache->l2)};
    return cache->l2 != NULL;
}
void sim_cache_fini(sim_cache *cache) {
    fsattn_free(cache->l2);
    cache->l2 = NULL;
}

/* The way that holds the line, or the one used longest ago, to be filled: then *hit is false. */
static sim_cache_way *find(sim_cache *c, sim_cache_way *ways, unsigned count, unsigned sets, uint32_t line, bool *hit) {
    sim_cache_way *set = ways + (size_t)(line % sets) * count, *oldest = set;
    c->clock++;
    for (unsigned i = 0; i < count; i++) {
        if (set[i].line == line + 1) {
            set[i].used = c->clock;
            *hit = true;
            return &set[i];
        }
        oldest = set[i].used < oldest->used ? &set[i] : oldest;
    }
    oldest->line = line + 1;
    oldest->used = c->clock;
    *hit = false;
    return oldest;
}

#define COST(name) (c->costs[SIM_CONSTANT_##name])

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* The share of what lies beyond L2. */
static uint64_t far_start(sim_cache *c, uint64_t now) {
    const uint64_t start = later(now, c->far_free);
    c->far_free = start + (c->near ? COST(infinity_line) : COST(hbm_line));
    return start;
}

uint64_t sim_cache_load(sim_cache *c, uint32_t line, uint64_t now) {
    bool hit;
    sim_cache_way *first = find(c, c->l1, sim_cache_l1_ways, l1_sets, line, &hit);
    if (hit) {
        c->hits_l1++;
        return later(now + COST(l1_latency), first->arrives);
    }
    sim_cache_way *second = find(c, c->l2, sim_cache_l2_ways, l2_sets, line, &hit);
    const uint64_t start = later(now, c->l2_free);
    c->l2_free = start + COST(l2_line);
    if (hit) {
        c->hits_l2++;
        first->arrives = later(start + COST(l2_latency), second->arrives);
    } else {
        c->misses++;
        first->arrives = far_start(c, start) + (c->near ? COST(infinity_latency) : COST(hbm_latency));
        second->arrives = first->arrives;
    }
    return first->arrives;
}

uint64_t sim_cache_store(sim_cache *c, uint32_t line, uint64_t now) {
    bool hit;
    sim_cache_way *second = find(c, c->l2, sim_cache_l2_ways, l2_sets, line, &hit);
    const uint64_t start = later(now, c->l2_free);
    c->l2_free = start + COST(l2_line);
    second->arrives = hit ? second->arrives : start;
    return (hit ? start : far_start(c, start)) + COST(store_latency);
}
