/* Walks from one configuration to a neighbour: iterated local search and simulated annealing.
 *
 *   begin:     the given start and a few random points; the walk goes on from the best of them
 *   step:      random neighbours of the current point, those not known yet are proposed; a better one is
 *              always taken, a worse one (annealing) with probability exp(-relative difference / temperature)
 *   stuck:     after `patience` steps without a new point: local search jumps `jump` steps away from the best point,
 *              annealing heats up again and goes on from the best point; then random points
 */
#include "strategy.h"

#include "strategy_fresh.h"

#include <math.h>

enum { option_starts, option_patience, option_jump };
enum { option_heat = 2, option_cooling };

#define STARTS {"starts", {.type = FSATTN_VALUE_INT, .integer = 4}, 1, 1000, NULL, "random points to begin with"}
#define PATIENCE                                                                                             \
    {"patience", {.type = FSATTN_VALUE_INT, .integer = 60}, 1, 100000, NULL, "neighbours without a better one before a jump"}

static const fsattn_strategy_option local_options[] = {
    [option_starts] = STARTS,
    [option_patience] = PATIENCE,
    [option_jump] = {"jump", {.type = FSATTN_VALUE_INT, .integer = 3}, 1, 64, NULL, "parameters changed by a jump"},
};
static const fsattn_strategy_option annealing_options[] = {
    [option_starts] = STARTS,
    [option_patience] = PATIENCE,
    [option_heat] = {"heat", {.type = FSATTN_VALUE_REAL, .real = 0.5}, 0, 100, NULL, "first temperature, as a share of the cost"},
    [option_cooling] = {"cooling", {.type = FSATTN_VALUE_REAL, .real = 0.97}, 0.01, 1, NULL, "factor of the temperature at each point"},
};

typedef struct walk_state {
    fsattn_fresh fresh;
    bool begun, has_current, has_best;
    uint64_t current, best;
    double current_cost, best_cost, temperature;
    int64_t idle; /* neighbours since the last better point */
} walk_state;

static int64_t integer_of(const fsattn_strategy *strategy, size_t option) {
    return fsattn_strategy_value(strategy, option)->integer;
}

/* Takes a point whose cost is known into account; `anneals`: a worse one may be taken. */
static void visit(fsattn_strategy *strategy, walk_state *w, uint64_t index, double cost, bool anneals) {
    bool better = isfinite(cost) && (!w->has_current || cost < w->current_cost);
    bool taken = better;
    if (anneals && !better && isfinite(cost) && w->temperature > 0) {
        double worse = (cost - w->current_cost) / fmax(fabs(w->current_cost), 1e-300);
        taken = fsattn_strategy_fresh_unit(strategy, &w->fresh) < exp(-worse / w->temperature);
    }
    if (taken) {
        w->has_current = true;
        w->current = index;
        w->current_cost = cost;
    }
    w->idle = better ? 0 : w->idle + 1;
    if (isfinite(cost) && (!w->has_best || cost < w->best_cost)) {
        w->has_best = true;
        w->best = index;
        w->best_cost = cost;
    }
}

static void begin(fsattn_strategy *strategy, walk_state *w) {
    uint64_t start;
    if (fsattn_strategy_start(strategy, &start)) {
        fsattn_strategy_propose(strategy, start);
    }
    for (int64_t i = 0; i < integer_of(strategy, option_starts); i++) {
        fsattn_strategy_fresh_propose(strategy, &w->fresh);
    }
    w->begun = true;
}

/* Proposes neighbours of the current point until the batch is full or `patience` runs out; true when there is any. */
static bool step(fsattn_strategy *strategy, walk_state *w, bool anneals) {
    bool proposed = false;
    int64_t patience = integer_of(strategy, option_patience);
    /* Among known points a walk may find better ones for ever: looks are counted too. */
    for (int64_t looks = 0; looks < patience && w->has_current && !fsattn_strategy_full(strategy) && w->idle < patience; looks++) {
        double cost;
        uint64_t index = fsattn_strategy_fresh_neighbour(strategy, &w->fresh, w->current);
        if (!fsattn_strategy_known(strategy, index, &cost)) {
            proposed = fsattn_strategy_propose(strategy, index) || proposed;
        } else if (isnan(cost)) {
            w->idle++;
        } else {
            visit(strategy, w, index, cost, anneals);
        }
    }
    return proposed;
}

static fsattn_status ask_local(fsattn_strategy *strategy, fsattn_err *err) {
    (void)err;
    walk_state *w = fsattn_strategy_state(strategy);
    if (!w->begun) {
        begin(strategy, w);
        return FSATTN_OK;
    }
    for (int tries = 0; tries < 4; tries++) {
        if (step(strategy, w, false)) {
            return FSATTN_OK;
        }
        uint64_t index = w->best;
        for (int64_t i = 0; w->has_best && i < integer_of(strategy, option_jump); i++) {
            index = fsattn_strategy_fresh_neighbour(strategy, &w->fresh, index);
        }
        double cost = INFINITY;
        w->idle = 0;
        w->has_current = false; /* wherever the jump ends the walk goes on */
        if (w->has_best && !fsattn_strategy_known(strategy, index, &cost)) {
            fsattn_strategy_propose(strategy, index);
            return FSATTN_OK;
        }
        visit(strategy, w, index, cost, false);
    }
    fsattn_strategy_fresh_propose(strategy, &w->fresh);
    return FSATTN_OK;
}

static void tell_local(fsattn_strategy *strategy, uint64_t index, double cost) {
    visit(strategy, fsattn_strategy_state(strategy), index, cost, false);
}

static fsattn_status ask_annealing(fsattn_strategy *strategy, fsattn_err *err) {
    (void)err;
    walk_state *w = fsattn_strategy_state(strategy);
    if (!w->begun) {
        begin(strategy, w);
        return FSATTN_OK;
    }
    if (w->temperature <= 0 || w->idle >= integer_of(strategy, option_patience)) {
        w->temperature = fsattn_strategy_value(strategy, option_heat)->real;
        w->idle = 0;
        w->current = w->best;
        w->current_cost = w->best_cost;
    }
    if (!step(strategy, w, true)) {
        fsattn_strategy_fresh_propose(strategy, &w->fresh);
    }
    return FSATTN_OK;
}

static void tell_annealing(fsattn_strategy *strategy, uint64_t index, double cost) {
    walk_state *w = fsattn_strategy_state(strategy);
    visit(strategy, w, index, cost, true);
    w->temperature *= fsattn_strategy_value(strategy, option_cooling)->real;
}

extern const fsattn_strategy_ops fsattn_strategy_local;
const fsattn_strategy_ops fsattn_strategy_local = {
    .name = "iterated_local_search",
    .help = "walks to better neighbours, and jumps when there are none",
    .options = local_options,
    .option_count = sizeof local_options / sizeof local_options[0],
    .state_bytes = sizeof(walk_state),
    .ask = ask_local,
    .tell = tell_local,
};

extern const fsattn_strategy_ops fsattn_strategy_annealing;
const fsattn_strategy_ops fsattn_strategy_annealing = {
    .name = "simulated_annealing",
    .help = "walks to neighbours, at first also to worse ones",
    .options = annealing_options,
    .option_count = sizeof annealing_options / sizeof annealing_options[0],
    .state_bytes = sizeof(walk_state),
    .ask = ask_annealing,
    .tell = tell_annealing,
};
