/* strategy_fresh.h - what strategies share: random numbers in order, and points not proposed yet. Internal to strategies. */
#ifndef FSATTN_STRATEGY_FRESH_H
#define FSATTN_STRATEGY_FRESH_H

#include "strategy.h"

/* Zero-initialised is the beginning. */
typedef struct fsattn_fresh {
    uint64_t draws, position;
} fsattn_fresh;

uint64_t fsattn_strategy_fresh_below(const fsattn_strategy *strategy, fsattn_fresh *fresh, uint64_t count);
double fsattn_strategy_fresh_unit(const fsattn_strategy *strategy, fsattn_fresh *fresh);
/* Proposes the next point of the seeded random order that was not proposed; false when the batch is full or none is left. */
bool fsattn_strategy_fresh_propose(fsattn_strategy *strategy, fsattn_fresh *fresh);
/* A random neighbour (one parameter has another value); the point itself when it has none. */
uint64_t fsattn_strategy_fresh_neighbour(const fsattn_strategy *strategy, fsattn_fresh *fresh, uint64_t index);

#endif
