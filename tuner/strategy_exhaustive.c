/* Every valid configuration, in the order of the enumeration. */
#include "strategy.h"

typedef struct exhaustive_state {
    uint64_t next;
} exhaustive_state;

static fsattn_status ask(fsattn_strategy *strategy, fsattn_err *err) {
    (void)err;
    exhaustive_state *state = fsattn_strategy_state(strategy);
    uint64_t count = fsattn_enumeration_count(fsattn_strategy_enumeration(strategy));
    while (state->next < count && fsattn_strategy_propose(strategy, state->next)) {
        state->next++;
    }
    return FSATTN_OK;
}

extern const fsattn_strategy_ops fsattn_strategy_exhaustive;
const fsattn_strategy_ops fsattn_strategy_exhaustive = {
    .name = "exhaustive",
    .help = "every valid configuration, in the order of the space",
    .state_bytes = sizeof(exhaustive_state),
    .ask = ask,
};
