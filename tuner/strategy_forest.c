#include "strategy_forest.h"

#include "error.h"
#include "memory.h"

#include <math.h>
#include <string.h>

/* The points of a node are order[begin .. end - 1]; an inner node's children are `child` and `child + 1`. */
typedef struct node {
    float threshold, value; /* inner: left when the feature is at most the threshold; leaf: the value */
    int32_t feature;        /* -1: leaf */
    uint32_t child;
} node;

struct fsattn_forest {
    fsattn_forest_options options;
    node *nodes; /* of all trees: 2 * capacity each */
    uint32_t *order, *stack;
    size_t capacity; /* points */
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
        fsattn_free(forest->order);
        fsattn_free(forest->stack);
        fsattn_free(forest);
    }
}

static bool reserve(fsattn_forest *forest, size_t count) {
    if (count <= forest->capacity) {
        return true;
    }
    size_t capacity = forest->capacity ? forest->capacity : 64;
    while (capacity < count) {
        capacity *= 2;
    }
    fsattn_free(forest->nodes);
    fsattn_free(forest->order);
    fsattn_free(forest->stack);
    forest->fitted = false;
    forest->nodes = fsattn_alloc(forest->options.trees, 2 * capacity * sizeof *forest->nodes);
    forest->order = fsattn_alloc(capacity, sizeof *forest->order);
    forest->stack = fsattn_alloc(capacity, 4 * sizeof *forest->stack);
    forest->capacity = forest->nodes && forest->order && forest->stack ? capacity : 0;
    return forest->capacity != 0;
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
    const float *points, *values;
    uint64_t random;
    node *nodes;
    uint32_t node_count;
} grower;

/* How much the split reduces the sum of squares; negative when a side is empty. */
static float gain_of(const grower *g, uint32_t begin, uint32_t end, size_t feature, float threshold) {
    const uint32_t *order = g->forest->order;
    size_t features = g->forest->options.features;
    float left = 0, all = 0;
    uint32_t left_count = 0, count = end - begin;
    for (uint32_t i = begin; i < end; i++) {
        bool is_left = g->points[order[i] * features + feature] <= threshold;
        float value = g->values[order[i]];
        all += value;
        left += is_left ? value : 0;
        left_count += is_left;
    }
    if (left_count == 0 || left_count == count) {
        return -1;
    }
    float right = all - left;
    return left * left / (float)left_count + right * right / (float)(count - left_count) - all * all / (float)count;
}

/* The best of the random splits; false when no feature varies. */
static bool choose_split(grower *g, uint32_t begin, uint32_t end, size_t *feature, float *threshold) {
    const uint32_t *order = g->forest->order;
    const fsattn_forest_options *options = &g->forest->options;
    float best = -1;
    size_t misses = 0;
    for (size_t i = 0; i < options->tries && misses < 4 * options->features; i++) {
        size_t f = (size_t)(draw(&g->random) % options->features);
        float low = INFINITY, high = -INFINITY;
        for (uint32_t j = begin; j < end; j++) {
            float x = g->points[order[j] * options->features + f];
            low = x < low ? x : low;
            high = x > high ? x : high;
        }
        if (low == high) {
            misses++; /* a constant feature is no try */
            i--;
            continue;
        }
        float at = low + (high - low) * draw_unit(&g->random);
        float gain = gain_of(g, begin, end, f, at);
        if (gain > best) {
            best = gain;
            *feature = f;
            *threshold = at;
        }
    }
    return best >= 0;
}

static bool is_leaf(const grower *g, uint32_t begin, uint32_t end, float *mean) {
    const uint32_t *order = g->forest->order;
    float sum = 0, low = INFINITY, high = -INFINITY;
    for (uint32_t i = begin; i < end; i++) {
        float value = g->values[order[i]];
        sum += value;
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    *mean = sum / (float)(end - begin);
    return end - begin <= g->forest->options.leaf || low == high;
}

static uint32_t partition(grower *g, uint32_t begin, uint32_t end, size_t feature, float threshold) {
    uint32_t *order = g->forest->order, at = begin;
    for (uint32_t i = begin; i < end; i++) {
        if (g->points[order[i] * g->forest->options.features + feature] <= threshold) {
            uint32_t swap = order[i];
            order[i] = order[at];
            order[at++] = swap;
        }
    }
    return at;
}

static void grow_tree(grower *g, size_t count) {
    uint32_t *stack = g->forest->stack, depth = 0;
    for (uint32_t i = 0; i < count; i++) {
        g->forest->order[i] = i;
    }
    g->node_count = 1;
    stack[depth++] = 0; /* node, begin, end */
    stack[depth++] = 0;
    stack[depth++] = (uint32_t)count;
    while (depth) {
        uint32_t end = stack[--depth], begin = stack[--depth], at = stack[--depth];
        size_t feature = 0;
        float threshold = 0, mean;
        if (is_leaf(g, begin, end, &mean) || !choose_split(g, begin, end, &feature, &threshold)) {
            g->nodes[at] = (node){.value = mean, .feature = -1};
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

fsattn_status fsattn_strategy_forest_fit(fsattn_forest *forest, const float *points, const float *values, size_t count,
                                         uint64_t seed, fsattn_err *err) {
    if (!reserve(forest, count)) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "forest: out of memory");
    }
    grower g = {.forest = forest, .points = points, .values = values, .random = seed};
    for (size_t t = 0; t < forest->options.trees && count; t++) {
        g.nodes = forest->nodes + t * 2 * forest->capacity;
        grow_tree(&g, count);
    }
    forest->fitted = count > 0;
    return FSATTN_OK;
}

void fsattn_strategy_forest_ask(const fsattn_forest *forest, const float *point, float *answers) {
    for (size_t t = 0; t < forest->options.trees; t++) {
        const node *nodes = forest->nodes + t * 2 * forest->capacity, *at = nodes;
        while (forest->fitted && at->feature >= 0) {
            at = nodes + at->child + (point[at->feature] > at->threshold);
        }
        answers[t] = forest->fitted ? at->value : 0;
    }
}
