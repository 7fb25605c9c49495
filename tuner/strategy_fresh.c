#include "strategy_fresh.h"

#include "random.h"

enum { stream = 21, neighbour_limit = 512 };

uint64_t fsattn_strategy_fresh_below(const fsattn_strategy *strategy, fsattn_fresh *fresh, uint64_t count) {
    return fsattn_random_below(fsattn_strategy_seed(strategy), stream, fresh->draws++, count);
}

double fsattn_strategy_fresh_unit(const fsattn_strategy *strategy, fsattn_fresh *fresh) {
    return fsattn_random_unit(fsattn_strategy_seed(strategy), stream, fresh->draws++);
}

bool fsattn_strategy_fresh_propose(fsattn_strategy *strategy, fsattn_fresh *fresh) {
    const fsattn_enumeration *enumeration = fsattn_strategy_enumeration(strategy);
    uint64_t count = fsattn_enumeration_count(enumeration);
    for (; fresh->position < count; fresh->position++) {
        uint64_t index = fsattn_enumeration_shuffled(enumeration, fsattn_strategy_seed(strategy), fresh->position);
        if (!fsattn_strategy_known(strategy, index, NULL)) {
            return fsattn_strategy_propose(strategy, index);
        }
    }
    return false;
}

uint64_t fsattn_strategy_fresh_neighbour(const fsattn_strategy *strategy, fsattn_fresh *fresh, uint64_t index) {
    uint64_t neighbours[neighbour_limit];
    size_t count = fsattn_enumeration_neighbours(fsattn_strategy_enumeration(strategy), index, FSATTN_NEIGHBOURS_ANY,
                                                 neighbours, neighbour_limit);
    count = count < neighbour_limit ? count : neighbour_limit;
    return count ? neighbours[fsattn_strategy_fresh_below(strategy, fresh, count)] : index;
}
