/* Every valid configuration, in a seeded random order: any first part of it is a uniform sample without repeats. */
#include "strategy.h"

typedef struct random_state {
    uint64_t next; /* position in the order */
} random_state;

static fsattn_status ask(fsattn_strategy *strategy, fsattn_err *err) {
    (void)err;
    random_state *state = fsattn_strategy_state(strategy);
    const fsattn_enumeration *enumeration = fsattn_strategy_enumeration(strategy);
    uint64_t count = fsattn_enumeration_count(enumeration), seed = fsattn_strategy_seed(strategy);
    while (state->next < count &&
           fsattn_strategy_propose(strategy, fsattn_enumeration_shuffled(enumeration, seed, state->next))) {
        state->next++;
    }
    return FSATTN_OK;
}

extern const fsattn_strategy_ops fsattn_strategy_random;
const fsattn_strategy_ops fsattn_strategy_random = {
    .name = "random",
    .help = "valid configurations in a random order, without repeats",
    .state_bytes = sizeof(random_state),
    .ask = ask,
};
