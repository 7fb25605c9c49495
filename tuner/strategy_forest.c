#include "strategy_forest.h"

#include "error.h"
#include "memory.h"

#include <math.h>
#include <string.h>

/* The points of a node are order[begin .. end - 1]; an inner node's children are `child` and `child + 1`. */
typedef struct node {
    float threshold; /* inner: left when the feature is at most the threshold; leaf: the share that failed */
    float value;     /* of a leaf */
    int32_t feature;        /* -1: leaf */
    uint32_t child;
} node;

struct fsattn_forest {
    fsattn_forest_options options;
    node *nodes; /* of all trees: 2 * capacity each */
    float *columns; /* the points being learned, feature by feature: a split reads one */
    uint32_t *order, *stack;
    size_t capacity; /* points */
    size_t next;     /* the tree that is grown anew next */
    bool fitted;
};

fsattn_status fsattn_strategy_forest_create(const fsattn_forest_options *options, fsattn_forest **forest,
                                            fsattn_err *err) {
    fsattn_forest *made = fsattn_alloc(1, sizeof *made);
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "forest: out of memory");
    }
    made->options = *options;
    *forest = made;
    return FSATTN_OK;
}

void fsattn_strategy_forest_destroy(fsattn_forest *forest) {
    if (forest) {
        fsattn_free(forest->nodes);
        fsattn_free(forest->columns);
        fsattn_free(forest->order);
        fsattn_free(forest->stack);
        fsattn_free(forest);
    }
}

/* Room for the nodes of so many points; the trees stay. */
static bool reserve_nodes(fsattn_forest *forest, size_t capacity) {
    node *nodes = fsattn_alloc(forest->options.trees, 2 * capacity * sizeof *nodes);
    for (size_t t = 0; nodes && forest->capacity && t < forest->options.trees; t++) {
        memcpy(nodes + t * 2 * capacity, forest->nodes + t * 2 * forest->capacity, 2 * forest->capacity * sizeof *nodes);
    }
    if (nodes) {
        fsattn_free(forest->nodes);
        forest->nodes = nodes;
        forest->capacity = capacity;
    }
    return nodes != NULL;
}

static bool reserve(fsattn_forest *forest, size_t count) {
    if (count <= forest->capacity) {
        return true;
    }
    size_t capacity = forest->capacity ? forest->capacity : 64;
    while (capacity < count) {
        capacity *= 2;
    }
    float *columns = fsattn_alloc(forest->options.features, capacity * sizeof *columns);
    uint32_t *order = fsattn_alloc(capacity, sizeof *order), *stack = fsattn_alloc(capacity, 4 * sizeof *stack);
    if (!columns || !order || !stack || !reserve_nodes(forest, capacity)) {
        fsattn_free(columns);
        fsattn_free(order);
        fsattn_free(stack);
        return false;
    }
    fsattn_free(forest->columns);
    fsattn_free(forest->order);
    fsattn_free(forest->stack);
    forest->columns = columns;
    forest->order = order;
    forest->stack = stack;
    return true;
}

/* SplitMix64: a fit draws many numbers. */
static uint64_t draw(uint64_t *state) {
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static float draw_unit(uint64_t *state) {
    return (float)(draw(state) >> 40) * 0x1p-24f;
}

typedef struct grower {
    const fsattn_forest *forest;
    const float *values;
    const bool *failed; /* NULL: none */
    size_t count;
    uint64_t random;
    node *nodes;
    uint32_t node_count;
} grower;

static const float *column_of(const grower *g, size_t feature) {
    return g->forest->columns + feature * g->count;
}

/* How much the split reduces the sum of squares, the part that all splits share left out; negative when a side is empty.
 * `all`: the sum of the node's values. */
static float gain_of(const grower *g, uint32_t begin, uint32_t end, const float *column, float threshold, float all) {
    const uint32_t *order = g->forest->order;
    float left = 0;
    uint32_t left_count = 0, count = end - begin;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t is_left = column[order[i]] <= threshold;
        left += (float)is_left * g->values[order[i]]; /* no branch: it would be guessed wrong every other time */
        left_count += is_left;
    }
    if (left_count == 0 || left_count == count) {
        return -1;
    }
    float right = all - left;
    return left * left / (float)left_count + right * right / (float)(count - left_count);
}

/* The best of the random splits; false when no feature varies. */
static bool choose_split(grower *g, uint32_t begin, uint32_t end, float all, size_t *feature, float *threshold) {
    const uint32_t *order = g->forest->order;
    const fsattn_forest_options *options = &g->forest->options;
    float best = -1;
    size_t misses = 0;
    for (size_t i = 0; i < options->tries && misses < 4 * options->features; i++) {
        bool last = options->last_always && i == 0 && misses == 0;
        size_t f = last ? options->features - 1 : (size_t)(draw(&g->random) % options->features);
        const float *column = column_of(g, f);
        float low = INFINITY, high = -INFINITY;
        for (uint32_t j = begin; j < end; j++) {
            float x = column[order[j]];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (low == high) {
            misses++; /* a constant feature is no try */
            i--;
            continue;
        }
        float at = low + (high - low) * draw_unit(&g->random);
        float gain = gain_of(g, begin, end, column, at, all);
        if (gain > best) {
            best = gain;
            *feature = f;
            *threshold = at;
        }
    }
    return best >= 0;
}

static bool is_leaf(const grower *g, uint32_t begin, uint32_t end, float *sum) {
    const uint32_t *order = g->forest->order;
    float low = INFINITY, high = -INFINITY;
    *sum = 0;
    for (uint32_t i = begin; i < end; i++) {
        float value = g->values[order[i]];
        *sum += value;
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    return end - begin <= g->forest->options.leaf || low == high;
}

static float share_failed(const grower *g, uint32_t begin, uint32_t end) {
    uint32_t failed = 0;
    for (uint32_t i = begin; g->failed && i < end; i++) {
        failed += g->failed[g->forest->order[i]];
    }
    return (float)failed / (float)(end - begin);
}

static uint32_t partition(grower *g, uint32_t begin, uint32_t end, size_t feature, float threshold) {
    uint32_t *order = g->forest->order, at = begin;
    const float *column = column_of(g, feature);
    for (uint32_t i = begin; i < end; i++) {
        uint32_t here = order[i];
        order[i] = order[at];
        order[at] = here;
        at += column[here] <= threshold;
    }
    return at;
}

static void grow_tree(grower *g) {
    uint32_t *stack = g->forest->stack, depth = 0;
    for (uint32_t i = 0; i < g->count; i++) {
        g->forest->order[i] = i;
    }
    g->node_count = 1;
    stack[depth++] = 0; /* node, begin, end */
    stack[depth++] = 0;
    stack[depth++] = (uint32_t)g->count;
    while (depth) {
        uint32_t end = stack[--depth], begin = stack[--depth], at = stack[--depth];
        size_t feature = 0;
        float threshold = 0, sum;
        if (is_leaf(g, begin, end, &sum) || !choose_split(g, begin, end, sum, &feature, &threshold)) {
            g->nodes[at] = (node){.threshold = share_failed(g, begin, end), .value = sum / (float)(end - begin), .feature = -1};
            continue;
        }
        uint32_t middle = partition(g, begin, end, feature, threshold), child = g->node_count;
        g->node_count += 2;
        g->nodes[at] = (node){.threshold = threshold, .feature = (int32_t)feature, .child = child};
        const uint32_t pushed[6] = {child, begin, middle, child + 1, middle, end};
        memcpy(stack + depth, pushed, sizeof pushed);
        depth += 6;
    }
}

fsattn_status fsattn_strategy_forest_fit(fsattn_forest *forest, const float *points, const float *values, const bool *failed,
                                         size_t count, size_t trees, uint64_t seed, fsattn_err *err) {
    if (!reserve(forest, count)) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "forest: out of memory");
    }
    grower g = {.forest = forest, .values = values, .failed = failed, .count = count, .random = seed};
    for (size_t i = 0; i < count; i++) {
        for (size_t f = 0; f < forest->options.features; f++) {
            forest->columns[f * count + i] = points[i * forest->options.features + f];
        }
    }
    trees = forest->fitted && trees < forest->options.trees ? trees : forest->options.trees;
    for (size_t i = 0; i < trees && count; i++) {
        g.nodes = forest->nodes + forest->next * 2 * forest->capacity;
        grow_tree(&g);
        forest->next = (forest->next + 1) % forest->options.trees;
    }
    forest->fitted = forest->fitted || count > 0;
    return FSATTN_OK;
}

void fsattn_strategy_forest_ask(const fsattn_forest *forest, const float *points, size_t count, float *answers) {
    const size_t trees = forest->options.trees, row = trees + 1, features = forest->options.features;
    for (size_t i = 0; i < count; i++) {
        answers[i * row + trees] = 0;
    }
    /* Tree by tree: one tree is small enough to stay close to the processor. */
    for (size_t t = 0; t < trees; t++) {
        const node *nodes = forest->nodes + t * 2 * forest->capacity;
        for (size_t i = 0; i < count; i++) {
            const float *point = points + i * features;
            const node *at = nodes;
            while (forest->fitted && at->feature >= 0) {
                at = nodes + at->child + (point[at->feature] > at->threshold);
            }
            answers[i * row + t] = forest->fitted ? at->value : 0;
            answers[i * row + trees] += forest->fitted ? at->threshold / (float)trees : 0;
        }
    }
}
