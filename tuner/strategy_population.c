/* Strategies with a population: genetic and differential evolution, both in a steady state.
 *
 *   begin:         `population` random points
 *   genetic:       two parents, each the better of two random members; every parameter from either; then one
 *                  parameter in `mutation` of the cases is replaced by that of a valid neighbour
 *   differential:  for a random member x: a + weight * (b - c) in the ranks of the values, for half of the parameters
 *   a child that is not valid becomes a random neighbour of its parent; it replaces the worst member (genetic) or x when it is
 *   better. Children that are known already cost nothing and are passed over.
 */
#include "strategy.h"

#include "enumerate_graph.h"
#include "strategy_fresh.h"

#include <math.h>

enum { option_population, option_rate, member_limit = 256, tries_limit = 64, pending_limit = 64 };

#define POPULATION {"population", {.type = FSATTN_VALUE_INT, .integer = 16}, 4, member_limit, NULL, "members"}
static const fsattn_strategy_option genetic_options[] = {
    [option_population] = POPULATION,
    [option_rate] = {"mutation", {.type = FSATTN_VALUE_REAL, .real = 0.5}, 0, 1, NULL, "share of children with a changed parameter"},
};
static const fsattn_strategy_option differential_options[] = {
    [option_population] = POPULATION,
    [option_rate] = {"weight", {.type = FSATTN_VALUE_REAL, .real = 0.7}, 0, 2, NULL, "of the difference of two members"},
};

typedef struct population_state {
    fsattn_fresh fresh;
    struct {
        uint64_t index;
        double cost;
    } members[member_limit];
    size_t count; /* told */
    size_t begun; /* proposed */
    struct {
        uint64_t child;
        size_t target;
    } pending[pending_limit]; /* differential: whom a child competes with */
    size_t pending_count;
} population_state;

static size_t size_of(const fsattn_strategy *strategy) {
    return (size_t)fsattn_strategy_value(strategy, option_population)->integer;
}

static size_t any_member(const fsattn_strategy *strategy, population_state *s) {
    return (size_t)fsattn_strategy_fresh_below(strategy, &s->fresh, s->count);
}

static size_t parent_of(const fsattn_strategy *strategy, population_state *s) {
    size_t a = any_member(strategy, s), b = any_member(strategy, s);
    return s->members[a].cost <= s->members[b].cost ? a : b;
}

/* Its index, or that of a random neighbour of the parent when it is not valid. */
static uint64_t repaired(const fsattn_strategy *strategy, population_state *s, const fsattn_config *child, uint64_t parent) {
    uint64_t index;
    return fsattn_enumeration_find(fsattn_strategy_enumeration(strategy), child, &index)
               ? index
               : fsattn_strategy_fresh_neighbour(strategy, &s->fresh, parent);
}

static uint64_t cross(const fsattn_strategy *strategy, population_state *s) {
    const fsattn_enumeration *e = fsattn_strategy_enumeration(strategy);
    uint64_t mother = s->members[parent_of(strategy, s)].index, father = s->members[parent_of(strategy, s)].index;
    fsattn_config child, other;
    fsattn_enumeration_at(e, mother, &child);
    fsattn_enumeration_at(e, father, &other);
    for (size_t p = 0; p < e->layers; p++) {
        bool fathers = fsattn_strategy_fresh_unit(strategy, &s->fresh) < 0.5;
        child.index[p] = fathers ? other.index[p] : child.index[p];
    }
    uint64_t index = repaired(strategy, s, &child, mother);
    bool mutates = fsattn_strategy_fresh_unit(strategy, &s->fresh) < fsattn_strategy_value(strategy, option_rate)->real;
    return mutates || index == mother || index == father ? fsattn_strategy_fresh_neighbour(strategy, &s->fresh, index) : index;
}

static double rank_of(const fsattn_enumeration *e, size_t p, const fsattn_config *config) {
    size_t rank = 0;
    while (e->ranked[p][rank] != config->index[p]) {
        rank++;
    }
    return (double)rank;
}

static uint64_t differ(const fsattn_strategy *strategy, population_state *s, size_t target) {
    const fsattn_enumeration *e = fsattn_strategy_enumeration(strategy);
    fsattn_config child, a, b, c;
    fsattn_enumeration_at(e, s->members[target].index, &child);
    fsattn_enumeration_at(e, s->members[parent_of(strategy, s)].index, &a);
    fsattn_enumeration_at(e, s->members[any_member(strategy, s)].index, &b);
    fsattn_enumeration_at(e, s->members[any_member(strategy, s)].index, &c);
    double weight = fsattn_strategy_value(strategy, option_rate)->real;
    for (size_t p = 0; p < e->layers; p++) {
        if (fsattn_strategy_fresh_unit(strategy, &s->fresh) < 0.5) {
            double last = (double)e->space->axes[p].count - 1;
            double rank = rank_of(e, p, &a) + weight * (rank_of(e, p, &b) - rank_of(e, p, &c));
            child.index[p] = e->ranked[p][(size_t)fmin(fmax(floor(rank + 0.5), 0), last)];
        }
    }
    return repaired(strategy, s, &child, s->members[target].index);
}

/* The first population; true while it is not complete. */
static bool begin(fsattn_strategy *strategy, population_state *s) {
    uint64_t start;
    if (!s->begun && fsattn_strategy_start(strategy, &start) && fsattn_strategy_propose(strategy, start)) {
        s->begun++;
    }
    bool proposed = s->begun == 1;
    while (s->begun < size_of(strategy) && fsattn_strategy_fresh_propose(strategy, &s->fresh)) {
        s->begun++;
        proposed = true;
    }
    return proposed && s->count < size_of(strategy);
}

static fsattn_status ask(fsattn_strategy *strategy, bool genetic) {
    population_state *s = fsattn_strategy_state(strategy);
    s->pending_count = 0;
    if (s->count < size_of(strategy) && begin(strategy, s)) {
        return FSATTN_OK;
    }
    for (size_t tries = 0; tries < tries_limit && s->count && s->pending_count < pending_limit && !fsattn_strategy_full(strategy); tries++) {
        size_t target = any_member(strategy, s);
        uint64_t index = genetic ? cross(strategy, s) : differ(strategy, s, target);
        if (!fsattn_strategy_known(strategy, index, NULL) && fsattn_strategy_propose(strategy, index)) {
            s->pending[s->pending_count].child = index;
            s->pending[s->pending_count++].target = target;
        }
    }
    if (s->pending_count == 0) {
        fsattn_strategy_fresh_propose(strategy, &s->fresh);
    }
    return FSATTN_OK;
}

static fsattn_status ask_genetic(fsattn_strategy *strategy, fsattn_err *err) {
    (void)err;
    return ask(strategy, true);
}

static fsattn_status ask_differential(fsattn_strategy *strategy, fsattn_err *err) {
    (void)err;
    return ask(strategy, false);
}

static size_t worst_of(const population_state *s) {
    size_t worst = 0;
    for (size_t i = 1; i < s->count; i++) {
        worst = s->members[i].cost > s->members[worst].cost ? i : worst;
    }
    return worst;
}

static void tell(fsattn_strategy *strategy, uint64_t index, double cost) {
    population_state *s = fsattn_strategy_state(strategy);
    size_t place = SIZE_MAX;
    for (size_t i = 0; i < s->pending_count; i++) {
        place = s->pending[i].child == index ? s->pending[i].target : place;
    }
    if (s->count < size_of(strategy)) {
        place = s->count++;
        s->members[place].cost = INFINITY;
        s->members[place].index = index;
    } else if (place == SIZE_MAX) {
        place = worst_of(s);
    }
    if (cost <= s->members[place].cost) {
        s->members[place].index = index;
        s->members[place].cost = cost;
    }
}

/* A child of two competes with the worst, not with a parent. */
static void tell_genetic(fsattn_strategy *strategy, uint64_t index, double cost) {
    ((population_state *)fsattn_strategy_state(strategy))->pending_count = 0;
    tell(strategy, index, cost);
}

extern const fsattn_strategy_ops fsattn_strategy_genetic;
const fsattn_strategy_ops fsattn_strategy_genetic = {
    .name = "genetic",
    .help = "crosses and mutates the best of a population",
    .options = genetic_options,
    .option_count = sizeof genetic_options / sizeof genetic_options[0],
    .state_bytes = sizeof(population_state),
    .ask = ask_genetic,
    .tell = tell_genetic,
};

extern const fsattn_strategy_ops fsattn_strategy_differential;
const fsattn_strategy_ops fsattn_strategy_differential = {
    .name = "differential_evolution",
    .help = "moves members of a population by differences of others",
    .options = differential_options,
    .option_count = sizeof differential_options / sizeof differential_options[0],
    .state_bytes = sizeof(population_state),
    .ask = ask_differential,
    .tell = tell,
};
