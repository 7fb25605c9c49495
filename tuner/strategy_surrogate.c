/* Search guided by a model of the cost.
 *
 *   start:  the given start and `initial` points that lie far from one another
 *   then:   a forest (strategy_forest.h) learns the logarithm of the latest 512 costs, cut off at a quantile: what is
 *           slow need not be told apart. Failures count as that quantile, so that the model avoids where they are.
 *           The more there is to learn, the fewer trees learn it at a time, the oldest first: a proposal costs the same early and late
 *           pool = all neighbours of the `elites` best points, points two steps away from them, random points
 *           propose the point of least (mean - explore * spread), seen from the quantile and times the chance that it works;
 *           each place of a batch asks other trees
 *
 * With a prior, its cost is one more feature, which every split tries, half of the initial points are its best, and so are some of the pool. What
 * it is worth is learned: where it says nothing about the costs, splits at other features are better.
 *
 * The pool holds valid configurations only, as everything that an enumeration gives.
 */
#include "strategy.h"

#include "error.h"
#include "memory.h"
#include "random.h"
#include "strategy_features.h"
#include "strategy_forest.h"
#include "strategy_fresh.h"

#include <math.h>
#include <string.h>

enum { option_initial, option_explore, option_elites, option_pool, option_trees, option_leaf, option_tries, option_pairs, option_clip };

static const fsattn_strategy_option options[] = {
    [option_initial] = {"initial", {.type = FSATTN_VALUE_INT, .integer = 8}, 1, 1000, NULL, "points before the model"},
    [option_explore] = {"explore", {.type = FSATTN_VALUE_REAL, .real = 3}, 0, 100, NULL, "weight of the trees' spread"},
    [option_elites] = {"elites", {.type = FSATTN_VALUE_INT, .integer = 4}, 1, 64, NULL, "best points whose neighbours are in the pool"},
    [option_pool] = {"pool", {.type = FSATTN_VALUE_INT, .integer = 128}, 1, 4096, NULL, "random points in the pool"},
    [option_trees] = {"trees", {.type = FSATTN_VALUE_INT, .integer = 32}, 1, fsattn_forest_tree_limit, NULL, "trees of the forest"},
    [option_leaf] = {"leaf", {.type = FSATTN_VALUE_INT, .integer = 1}, 1, 64, NULL, "points of a leaf"},
    [option_tries] = {"tries", {.type = FSATTN_VALUE_INT, .integer = 8}, 1, 64, NULL, "random splits of which the best is taken"},
    [option_pairs] = {"pairs", {.type = FSATTN_VALUE_BOOL, .boolean = true}, 0, 0, NULL, "products of two parameters are features"},
    [option_clip] = {"clip", {.type = FSATTN_VALUE_REAL, .real = 0.8}, 0, 1, NULL, "costs above this quantile count as the quantile"},
};

enum { stream_fit = 13, start_candidates = 24, points_limit = 512, learnt_at_once = 512 /* points times trees, for each new point */, pool_prior = 32 };

typedef struct point {
    uint64_t index;
    double cost;
} point;

typedef struct surrogate_state {
    fsattn_features *features;
    fsattn_forest *forest;
    size_t width; /* features, and the prior's cost */
    point *points; /* told, in order */
    size_t count, capacity;
    float *vectors; /* of the points */
    size_t vector_capacity;
    double *sorted; /* their costs */
    size_t sorted_capacity;
    bool linear;   /* some cost has no logarithm */
    bool scaled;   /* there is a finite cost */
    double scale;  /* the first of them: all values are seen from it */
    double cap;    /* value of the quantile at the last fit */
    size_t *best; /* the elites: indices of points, best first */
    size_t best_count;
    size_t fitted; /* points when the forest learned last; 0: it must learn all */
    size_t begun;  /* initial points proposed */
    size_t prior_next; /* rank of the prior's best that may not be known */
    float prior_usual, prior_worst; /* stand for what the prior does not know, and for what failed there */
    fsattn_fresh fresh;
    uint64_t *pool;
    float *pool_vectors;
    float *answers; /* of the pool: one row of trees each, then the chance to fail */
    size_t pool_count, pool_capacity;
} surrogate_state;

static int64_t integer_of(const fsattn_strategy *strategy, size_t option) {
    return fsattn_strategy_value(strategy, option)->integer;
}

static float prior_value(double cost) {
    return (float)(cost > 0 ? log(cost) : cost);
}

static void vector_of(const fsattn_strategy *strategy, const surrogate_state *s, uint64_t index, float *vector) {
    const fsattn_prior *prior = fsattn_strategy_prior(strategy);
    fsattn_strategy_features_of(s->features, index, vector);
    if (prior) {
        fsattn_config config;
        fsattn_enumeration_at(fsattn_strategy_enumeration(strategy), index, &config);
        double cost = fsattn_prior_cost(prior, &config);
        /* What failed there is worse than the worst. */
        vector[s->width - 1] = isnan(cost) ? s->prior_usual : isinf(cost) ? s->prior_worst : prior_value(cost);
    }
}

static fsattn_status no_memory(fsattn_err *err) {
    return fsattn_fail(err, FSATTN_NO_MEMORY, "strategy surrogate: out of memory");
}

static fsattn_status init(fsattn_strategy *strategy, fsattn_err *err) {
    surrogate_state *s = fsattn_strategy_state(strategy);
    FSATTN_TRY(fsattn_strategy_features_create(fsattn_strategy_enumeration(strategy),
                                               fsattn_strategy_value(strategy, option_pairs)->boolean, &s->features, err));
    const fsattn_prior *prior = fsattn_strategy_prior(strategy);
    s->width = fsattn_strategy_features_count(s->features) + (prior != NULL);
    if (prior) {
        size_t worst = fsattn_prior_count(prior) - 1;
        s->prior_usual = prior_value(fsattn_prior_best(prior, worst / 2, NULL));
        s->prior_worst = prior_value(fsattn_prior_best(prior, worst, NULL)) + 1;
    }
    fsattn_forest_options forest = {.features = s->width,
                                    .last_always = prior != NULL,
                                    .trees = (size_t)integer_of(strategy, option_trees),
                                    .leaf = (size_t)integer_of(strategy, option_leaf),
                                    .tries = (size_t)integer_of(strategy, option_tries)};
    FSATTN_TRY(fsattn_strategy_forest_create(&forest, &s->forest, err));
    s->best = fsattn_alloc((size_t)integer_of(strategy, option_elites), sizeof *s->best);
    return s->best ? FSATTN_OK : no_memory(err);
}

static void fini(fsattn_strategy *strategy) {
    surrogate_state *s = fsattn_strategy_state(strategy);
    fsattn_strategy_features_destroy(s->features);
    fsattn_strategy_forest_destroy(s->forest);
    fsattn_free(s->points);
    fsattn_free(s->vectors);
    fsattn_free(s->sorted);
    fsattn_free(s->best);
    fsattn_free(s->pool);
    fsattn_free(s->pool_vectors);
    fsattn_free(s->answers);
}

/* ---- learning ---- */

static float value_of(const surrogate_state *s, double cost) {
    return (float)(s->linear ? cost - s->scale : log(cost / s->scale));
}

/* What costs are cut off at; NaN: nothing works yet. */
static double cap_of(const fsattn_strategy *strategy, const surrogate_state *s) {
    size_t finite = s->count;
    while (finite && isinf(s->sorted[finite - 1])) {
        finite--;
    }
    size_t at = (size_t)(fsattn_strategy_value(strategy, option_clip)->real * (double)(s->count - 1));
    return finite ? s->sorted[at < finite ? at : finite - 1] : NAN;
}

/* Nothing is learned while nothing works. */
static fsattn_status fit(fsattn_strategy *strategy, surrogate_state *s, fsattn_err *err) {
    float values[points_limit];
    bool failed[points_limit];
    size_t first = s->count > points_limit ? s->count - points_limit : 0, learnt = s->count - first;
    double cap = cap_of(strategy, s);
    if (isnan(cap)) {
        return FSATTN_OK;
    }
    for (size_t i = 0; i < learnt; i++) {
        failed[i] = isinf(s->points[first + i].cost);
        values[i] = value_of(s, fmin(cap, s->points[first + i].cost));
    }
    s->cap = value_of(s, cap);
    size_t all = (size_t)integer_of(strategy, option_trees), trees = (s->count - s->fitted) * learnt_at_once / learnt;
    trees = s->fitted == 0 || trees > all ? all : trees < 1 ? 1 : trees;
    s->fitted = s->count;
    fsattn_strategy_charge(strategy, trees * learnt);
    return fsattn_strategy_forest_fit(s->forest, s->vectors + first * s->width, values, failed, learnt, trees,
                                      fsattn_random_u64(fsattn_strategy_seed(strategy), stream_fit, s->count), err);
}

/* ---- the pool ---- */

static bool add_to_pool(const fsattn_strategy *strategy, surrogate_state *s, uint64_t index) {
    if (fsattn_strategy_known(strategy, index, NULL)) {
        return true;
    }
    if (s->pool_count == s->pool_capacity) {
        size_t capacity = s->pool_capacity ? 2 * s->pool_capacity : 256;
        uint64_t *pool = fsattn_realloc(s->pool, capacity, sizeof *pool);
        s->pool = pool ? pool : s->pool;
        float *vectors = pool ? fsattn_realloc(s->pool_vectors, capacity, s->width * sizeof *vectors) : NULL;
        s->pool_vectors = vectors ? vectors : s->pool_vectors;
        float *answers = vectors ? fsattn_realloc(s->answers, capacity, (fsattn_forest_tree_limit + 1) * sizeof *answers) : NULL;
        s->answers = answers ? answers : s->answers;
        if (!answers) {
            return false;
        }
        s->pool_capacity = capacity;
    }
    s->pool[s->pool_count++] = index;
    return true;
}

enum { neighbour_limit = 512 };

/* Neighbours of the elites and points two steps away. */
static bool add_near(fsattn_strategy *strategy, surrogate_state *s) {
    const fsattn_enumeration *e = fsattn_strategy_enumeration(strategy);
    uint64_t near[neighbour_limit], far[neighbour_limit];
    bool enough = true;
    for (size_t i = 0; i < s->best_count && enough; i++) {
        size_t count = fsattn_enumeration_neighbours(e, s->points[s->best[i]].index, FSATTN_NEIGHBOURS_ANY, near, neighbour_limit);
        count = count < neighbour_limit ? count : neighbour_limit;
        for (size_t j = 0; j < count && enough; j++) {
            enough = add_to_pool(strategy, s, near[j]);
        }
        for (size_t j = 0; j < 4 && count && enough; j++) {
            size_t further = fsattn_enumeration_neighbours(e, near[fsattn_strategy_fresh_below(strategy, &s->fresh, count)], FSATTN_NEIGHBOURS_ANY, far, neighbour_limit);
            further = further < neighbour_limit ? further : neighbour_limit;
            for (size_t k = 0; k < 8 && further && enough; k++) {
                enough = add_to_pool(strategy, s, far[fsattn_strategy_fresh_below(strategy, &s->fresh, further)]);
            }
        }
    }
    return enough;
}

/* Index of the prior's best from *rank on that is valid and not known, and its rank; UINT64_MAX when there is none. */
static uint64_t prior_point(const fsattn_strategy *strategy, size_t *rank) {
    const fsattn_prior *prior = fsattn_strategy_prior(strategy);
    for (; prior && *rank < fsattn_prior_count(prior); (*rank)++) {
        fsattn_config config;
        uint64_t index;
        if (!isnan(fsattn_prior_best(prior, *rank, &config)) &&
            fsattn_enumeration_find(fsattn_strategy_enumeration(strategy), &config, &index) &&
            !fsattn_strategy_known(strategy, index, NULL)) {
            return index;
        }
    }
    return UINT64_MAX;
}

static bool add_prior(fsattn_strategy *strategy, surrogate_state *s) {
    uint64_t index = prior_point(strategy, &s->prior_next);
    bool enough = true;
    size_t rank = s->prior_next;
    for (size_t i = 0; i < pool_prior && index != UINT64_MAX && enough; i++) {
        enough = add_to_pool(strategy, s, index);
        rank++;
        index = prior_point(strategy, &rank);
    }
    return enough;
}

static fsattn_status fill_pool(fsattn_strategy *strategy, surrogate_state *s, fsattn_err *err) {
    const fsattn_enumeration *e = fsattn_strategy_enumeration(strategy);
    s->pool_count = 0;
    bool enough = add_near(strategy, s) && add_prior(strategy, s);
    for (int64_t i = 0; i < integer_of(strategy, option_pool) && enough; i++) {
        enough = add_to_pool(strategy, s, fsattn_strategy_fresh_below(strategy, &s->fresh, fsattn_enumeration_count(e)));
    }
    if (!enough) {
        return no_memory(err);
    }
    size_t trees = (size_t)integer_of(strategy, option_trees);
    for (size_t i = 0; i < s->pool_count; i++) {
        vector_of(strategy, s, s->pool[i], s->pool_vectors + i * s->width);
    }
    fsattn_strategy_forest_ask(s->forest, s->pool_vectors, s->pool_count, s->answers);
    fsattn_strategy_charge(strategy, trees * s->pool_count);
    return FSATTN_OK;
}

/* ---- proposing ---- */

/* The least of a few random points' distances to what is known is largest: spread over the space. */
static uint64_t far_point(fsattn_strategy *strategy, surrogate_state *s) {
    const fsattn_enumeration *e = fsattn_strategy_enumeration(strategy);
    float vector[fsattn_feature_limit];
    size_t ranks = fsattn_strategy_features_ranks(s->features);
    double best = -1;
    uint64_t chosen = 0;
    for (size_t i = 0; i < (s->count ? start_candidates : 1); i++) {
        uint64_t index = fsattn_strategy_fresh_below(strategy, &s->fresh, fsattn_enumeration_count(e));
        if (fsattn_strategy_known(strategy, index, NULL)) {
            continue;
        }
        fsattn_strategy_features_of(s->features, index, vector);
        double nearest = INFINITY;
        for (size_t j = 0; j < s->count; j++) {
            double sum = 0;
            for (size_t f = 0; f < ranks; f++) {
                double difference = vector[f] - s->vectors[j * s->width + f];
                sum += difference * difference;
            }
            nearest = fmin(nearest, sum);
        }
        if (nearest > best) {
            best = nearest;
            chosen = index;
        }
    }
    return best < 0 ? UINT64_MAX : chosen;
}

/* The point of the pool that looks best to the trees first .. first + count - 1. */
static bool propose_best(fsattn_strategy *strategy, surrogate_state *s, size_t first, size_t count) {
    size_t trees = (size_t)integer_of(strategy, option_trees), chosen = SIZE_MAX;
    double explore = fsattn_strategy_value(strategy, option_explore)->real, best = INFINITY;
    for (size_t i = 0; i < s->pool_count; i++) {
        const float *answers = s->answers + i * (trees + 1);
        double sum = 0, squares = 0;
        for (size_t t = 0; t < count; t++) {
            double answer = answers[(first + t) % trees];
            sum += answer;
            squares += answer * answer;
        }
        double mean = sum / (double)count, variance = squares / (double)count - mean * mean;
        double score = (mean - explore * sqrt(fmax(variance, 0)) - s->cap) * (1 - answers[trees]) * (1 - answers[trees]);
        if (score < best && !fsattn_strategy_known(strategy, s->pool[i], NULL)) {
            best = score;
            chosen = i;
        }
    }
    return chosen != SIZE_MAX && fsattn_strategy_propose(strategy, s->pool[chosen]);
}

static fsattn_status ask(fsattn_strategy *strategy, fsattn_err *err) {
    surrogate_state *s = fsattn_strategy_state(strategy);
    size_t initial = (size_t)integer_of(strategy, option_initial), trees = (size_t)integer_of(strategy, option_trees);
    uint64_t start;
    if (!s->begun && fsattn_strategy_start(strategy, &start)) {
        fsattn_strategy_propose(strategy, start);
    }
    while (s->begun < initial && !fsattn_strategy_full(strategy)) {
        uint64_t index = s->begun % 2 ? UINT64_MAX : prior_point(strategy, &s->prior_next);
        index = index == UINT64_MAX ? far_point(strategy, s) : index;
        s->begun++;
        if (index != UINT64_MAX) {
            fsattn_strategy_propose(strategy, index);
        }
    }
    if (fsattn_strategy_full(strategy) || s->count < 2) {
        while (s->count < 2 && !fsattn_strategy_full(strategy) && fsattn_strategy_fresh_propose(strategy, &s->fresh)) {
        }
        return FSATTN_OK;
    }
    if (s->fitted < s->count) {
        FSATTN_TRY(fit(strategy, s, err));
    }
    FSATTN_TRY(fill_pool(strategy, s, err));
    bool more = propose_best(strategy, s, 0, trees);
    for (size_t place = 1; more && !fsattn_strategy_full(strategy); place++) {
        more = propose_best(strategy, s, place * trees / 4, (trees + 3) / 4);
    }
    while (!fsattn_strategy_full(strategy) && fsattn_strategy_fresh_propose(strategy, &s->fresh)) {
    }
    return FSATTN_OK;
}

/* Keeps `cost` in order among the others, and what it means for the scale. */
static bool note_cost(surrogate_state *s, double cost) {
    if (fsattn_grow((void **)&s->sorted, &s->sorted_capacity, s->count, sizeof *s->sorted)) {
        return false;
    }
    size_t at = s->count;
    while (at && s->sorted[at - 1] > cost) {
        s->sorted[at] = s->sorted[at - 1];
        at--;
    }
    s->sorted[at] = cost;
    if (isfinite(cost)) {
        bool linear = s->linear || cost <= 0;
        s->scale = s->scaled ? s->scale : cost;
        s->scaled = true;
        s->fitted = linear == s->linear ? s->fitted : 0;
        s->linear = linear;
    }
    return true;
}

static void tell(fsattn_strategy *strategy, uint64_t index, double cost) {
    surrogate_state *s = fsattn_strategy_state(strategy);
    if (s->count == s->vector_capacity) {
        size_t capacity = s->vector_capacity ? 2 * s->vector_capacity : 64;
        float *vectors = fsattn_realloc(s->vectors, capacity, s->width * sizeof *vectors);
        if (!vectors) {
            return; /* it is not learned from, no more */
        }
        s->vectors = vectors;
        s->vector_capacity = capacity;
    }
    if (fsattn_grow((void **)&s->points, &s->capacity, s->count, sizeof *s->points) || !note_cost(s, cost)) {
        return;
    }
    vector_of(strategy, s, index, s->vectors + s->count * s->width);
    s->points[s->count] = (point){index, cost};
    size_t limit = (size_t)integer_of(strategy, option_elites), at = s->best_count;
    while (at && s->points[s->best[at - 1]].cost > cost) {
        at--;
    }
    if (at < limit && isfinite(cost)) {
        s->best_count += s->best_count < limit;
        memmove(s->best + at + 1, s->best + at, (s->best_count - at - 1) * sizeof *s->best);
        s->best[at] = s->count;
    }
    s->count++;
}

#define FOREST(called, says)                                                                                  \
    {                                                                                                        \
        .name = called, .help = says, .options = options, .option_count = sizeof options / sizeof options[0], \
        .takes_prior = true, .state_bytes = sizeof(surrogate_state), .init = init, .fini = fini, .ask = ask, .tell = tell, \
    }
extern const fsattn_strategy_ops fsattn_strategy_surrogate;
const fsattn_strategy_ops fsattn_strategy_surrogate = FOREST("surrogate", "a forest of random trees learns the costs and points to what to try");

/* Evidence, and what it does not show: docs/search.md. */
extern const fsattn_strategy_ops fsattn_strategy_automatic;
const fsattn_strategy_ops fsattn_strategy_automatic = FOREST("auto", "what did best on measured spaces: surrogate");
