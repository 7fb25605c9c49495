/* Hill climbing with restarts.
 *
 *   start:  the given start (the default configuration) and `starts` random points not seen yet
 *   climb:  from the best of them, through its neighbours in random order; the best of a batch that improves on the
 *           current point by more than `gain` becomes the current point
 *   no neighbour left: a local optimum; start again, until there are no points left or `restarts` is used up
 *
 * A neighbour that is known already is not measured again; if it is better than the current point, an earlier climb
 * has been there, and what lies above it is known too, so the climb ends.
 */
#include "strategy.h"

#include "error.h"
#include "memory.h"
#include "random.h"

#include <math.h>
#include <stdlib.h>

enum { option_neighbourhood, option_starts, option_restarts, option_gain };

static const char *const neighbourhoods[] = {"adjacent", "any", NULL};
static const fsattn_strategy_option options[] = {
    [option_neighbourhood] = {.name = "neighbourhood",
                              .fallback = {.type = FSATTN_VALUE_ENUM, .word = "adjacent"},
                              .words = neighbourhoods,
                              .help = "adjacent: one parameter by one step; any: one parameter to any value"},
    [option_starts] = {.name = "starts",
                       .fallback = {.type = FSATTN_VALUE_INT, .integer = 4},
                       .minimum = 1,
                       .maximum = 1000,
                       .help = "random points of a start, of which the best is climbed from"},
    [option_restarts] = {.name = "restarts",
                         .fallback = {.type = FSATTN_VALUE_INT, .integer = 0},
                         .minimum = 0,
                         .maximum = 1e9,
                         .help = "restarts after the first climb; 0: until the space is exhausted"},
    [option_gain] = {.name = "gain",
                     .fallback = {.type = FSATTN_VALUE_REAL, .real = 0.01},
                     .minimum = 0,
                     .maximum = 1,
                     .help = "share by which a step must improve the cost"},
};

typedef struct neighbour {
    uint64_t key; /* its place in the random order */
    uint64_t index;
} neighbour;

typedef struct hill_state {
    bool climbing;
    uint64_t climbs;    /* begun */
    uint64_t position;  /* in the random order of all points */
    size_t starts_left; /* of the present start */
    bool has_current;
    uint64_t current;
    double current_cost;
    bool has_best; /* of the batch being told */
    uint64_t best;
    double best_cost;
    neighbour *pending;
    size_t pending_count, pending_next;
} hill_state;

static void fini(fsattn_strategy *strategy) {
    hill_state *state = fsattn_strategy_state(strategy);
    fsattn_free(state->pending);
}

static void begin_start(fsattn_strategy *strategy, hill_state *state) {
    state->climbing = false;
    state->has_current = state->has_best = false;
    state->starts_left = (size_t)fsattn_strategy_value(strategy, option_starts)->integer;
    state->climbs++;
}

static fsattn_status init(fsattn_strategy *strategy, fsattn_err *err) {
    (void)err;
    begin_start(strategy, fsattn_strategy_state(strategy));
    return FSATTN_OK;
}

/* Proposes the points of a start as far as they fit into the batch; false when there are none left. */
static bool propose_starts(fsattn_strategy *strategy, hill_state *state) {
    const fsattn_enumeration *enumeration = fsattn_strategy_enumeration(strategy);
    uint64_t count = fsattn_enumeration_count(enumeration), seed = fsattn_strategy_seed(strategy), start;
    bool proposed = false;
    if (state->climbs == 1 && state->position == 0 && fsattn_strategy_start(strategy, &start)) {
        proposed = fsattn_strategy_propose(strategy, start);
    }
    while (state->starts_left && state->position < count && !fsattn_strategy_full(strategy)) {
        uint64_t index = fsattn_enumeration_shuffled(enumeration, seed, state->position++);
        if (!fsattn_strategy_known(strategy, index, NULL)) {
            proposed = fsattn_strategy_propose(strategy, index);
            state->starts_left--;
        }
    }
    return proposed;
}

/* Whether `cost` improves on the current point by enough to go there. */
static bool improves(const fsattn_strategy *strategy, const hill_state *state, double cost) {
    double gain = fsattn_strategy_value(strategy, option_gain)->real;
    return state->current_cost - cost > gain * fabs(state->current_cost);
}

static int compare_neighbours(const void *a, const void *b) {
    const neighbour *x = a, *y = b;
    return x->key != y->key ? (x->key < y->key ? -1 : 1) : (x->index > y->index) - (x->index < y->index);
}

/* Lists the neighbours of the current point in random order. */
static fsattn_status list_neighbours(fsattn_strategy *strategy, hill_state *state, fsattn_err *err) {
    const fsattn_enumeration *enumeration = fsattn_strategy_enumeration(strategy);
    fsattn_neighbourhood neighbourhood =
        fsattn_strategy_value(strategy, option_neighbourhood)->word == neighbourhoods[0]
            ? FSATTN_NEIGHBOURS_ADJACENT
            : FSATTN_NEIGHBOURS_ANY;
    size_t count = fsattn_enumeration_neighbours(enumeration, state->current, neighbourhood, NULL, 0);
    uint64_t *indices = fsattn_alloc(count, sizeof *indices);
    neighbour *pending = fsattn_alloc(count, sizeof *pending);
    if (!indices || !pending) {
        fsattn_free(indices);
        fsattn_free(pending);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "strategy hill_climbing: out of memory");
    }
    fsattn_enumeration_neighbours(enumeration, state->current, neighbourhood, indices, count);
    for (size_t i = 0; i < count; i++) {
        pending[i] = (neighbour){
            fsattn_random_u64(fsattn_strategy_seed(strategy), state->current, indices[i]), indices[i]};
    }
    qsort(pending, count, sizeof *pending, compare_neighbours);
    fsattn_free(indices);
    fsattn_free(state->pending);
    state->pending = pending;
    state->pending_count = count;
    state->pending_next = 0;
    return FSATTN_OK;
}

/* Takes what the last batch told: moves to its best point when that is better. */
static bool take_step(const fsattn_strategy *strategy, hill_state *state) {
    bool moved = state->has_best && isfinite(state->best_cost) &&
                 (!state->has_current || improves(strategy, state, state->best_cost));
    if (moved) {
        state->current = state->best;
        state->current_cost = state->best_cost;
        state->has_current = true;
    }
    state->has_best = false;
    return moved;
}

/* Proposes unknown neighbours; false when there are none left or an earlier climb went on from here. */
static bool propose_neighbours(fsattn_strategy *strategy, hill_state *state) {
    bool proposed = false;
    while (state->pending_next < state->pending_count && !fsattn_strategy_full(strategy)) {
        uint64_t index = state->pending[state->pending_next++].index;
        double cost;
        if (fsattn_strategy_known(strategy, index, &cost)) {
            if (!proposed && improves(strategy, state, cost)) {
                return false;
            }
            continue;
        }
        proposed = fsattn_strategy_propose(strategy, index) || proposed;
    }
    return proposed;
}

static fsattn_status ask(fsattn_strategy *strategy, fsattn_err *err) {
    hill_state *state = fsattn_strategy_state(strategy);
    uint64_t count = fsattn_enumeration_count(fsattn_strategy_enumeration(strategy));
    int64_t restarts = fsattn_strategy_value(strategy, option_restarts)->integer;
    for (;;) {
        if (!state->climbing) {
            bool proposed = propose_starts(strategy, state);
            state->climbing = state->starts_left == 0 || state->position == count;
            if (proposed) {
                return FSATTN_OK;
            }
        }
        if (take_step(strategy, state)) {
            FSATTN_TRY(list_neighbours(strategy, state, err));
        }
        if (state->has_current && propose_neighbours(strategy, state)) {
            return FSATTN_OK;
        }
        if (state->position == count || (restarts > 0 && state->climbs > (uint64_t)restarts)) {
            return FSATTN_OK;
        }
        begin_start(strategy, state);
    }
}

static void tell(fsattn_strategy *strategy, uint64_t index, double cost) {
    hill_state *state = fsattn_strategy_state(strategy);
    if (!state->has_best || cost < state->best_cost || (cost == state->best_cost && index < state->best)) {
        state->has_best = true;
        state->best = index;
        state->best_cost = cost;
    }
}

extern const fsattn_strategy_ops fsattn_strategy_hill;
const fsattn_strategy_ops fsattn_strategy_hill = {
    .name = "hill_climbing",
    .help = "climbs from the default and from random points",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .state_bytes = sizeof(hill_state),
    .init = init,
    .fini = fini,
    .ask = ask,
    .tell = tell,
};
