#include "enumerate.h"

#include "enumerate_graph.h"
#include "error.h"
#include "random.h"
#include "sandbox.h"

#include <string.h>

/* ---- creating ---- */

static bool value_precedes(const fsattn_value *a, const fsattn_value *b) {
    switch (a->type) {
    case FSATTN_VALUE_INT:
        return a->integer < b->integer;
    case FSATTN_VALUE_REAL:
        return a->real < b->real;
    case FSATTN_VALUE_BOOL:
        return a->boolean < b->boolean;
    case FSATTN_VALUE_ENUM:
        return false; /* words keep the manifest's order */
    }
    return false;
}

static fsattn_status rank_values(fsattn_enumeration *e, fsattn_err *err) {
    for (size_t p = 0; p < e->layers; p++) {
        const fsattn_space_axis *axis = &e->space->axes[p];
        const fsattn_value *values = e->space->manifest->parameters.items[p].values;
        uint16_t *ranked = fsattn_arena_alloc(&e->arena, axis->count, sizeof *ranked);
        if (!ranked) {
            return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", e->space->path);
        }
        for (size_t i = 0; i < axis->count; i++) {
            size_t at = i;
            for (; at && value_precedes(&values[axis->values[i]], &values[ranked[at - 1]]); at--) {
                ranked[at] = ranked[at - 1];
            }
            ranked[at] = axis->values[i];
        }
        e->ranked[p] = ranked;
    }
    return FSATTN_OK;
}

fsattn_status fsattn_enumeration_create(const fsattn_space *space, const fsattn_setting *setting,
                                        fsattn_enumeration **enumeration, fsattn_err *err) {
    fsattn_enumeration *made = fsattn_alloc(1, sizeof *made);
    fsattn_enumerate_memo *memo = fsattn_enumerate_memo_create(space);
    fsattn_status status = FSATTN_NO_MEMORY;
    if (!made || !memo) {
        fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", space->path);
        goto out;
    }
    made->space = space;
    made->layers = space->manifest->parameters.count;
    FSATTN_GOTO(rank_values(made, err));
    if (space->replay) {
        FSATTN_GOTO(fsattn_enumerate_list(made, err));
        *enumeration = made;
        made = NULL;
        goto out;
    }
    FSATTN_GOTO(fsattn_sandbox_bind(fsattn_manifest_sandbox(space->manifest), space->manifest->target, setting, err));
    FSATTN_GOTO(fsattn_enumerate_build(made, memo, err));
    FSATTN_GOTO(fsattn_enumerate_memo_rejections(memo, &made->arena, made->rejections, &made->rejection_count, err));
    *enumeration = made;
    made = NULL;
out:
    fsattn_enumerate_memo_destroy(memo);
    fsattn_enumeration_destroy(made);
    return status;
}

void fsattn_enumeration_destroy(fsattn_enumeration *enumeration) {
    if (enumeration) {
        fsattn_arena_fini(&enumeration->arena);
        fsattn_free(enumeration->nodes);
        fsattn_free(enumeration->edges);
        fsattn_free(enumeration);
    }
}

uint64_t fsattn_enumeration_count(const fsattn_enumeration *enumeration) {
    return enumeration->count;
}

const fsattn_enumeration_statistics *fsattn_enumeration_statistics_of(const fsattn_enumeration *enumeration) {
    return &enumeration->statistics;
}

const fsattn_rejection *fsattn_enumeration_rejections(const fsattn_enumeration *enumeration, size_t *count) {
    *count = enumeration->rejection_count;
    return enumeration->rejections;
}

double fsattn_enumeration_refused(const fsattn_enumeration *enumeration, size_t constraint) {
    return enumeration->refused && constraint < enumeration->space->constraint_count ? enumeration->refused[constraint] : 0;
}

fsattn_status fsattn_enumeration_check(const fsattn_enumeration *enumeration, fsattn_err *err) {
    const fsattn_space *space = enumeration->space;
    if (enumeration->count) {
        return FSATTN_OK;
    }
    size_t harshest = 0;
    for (size_t i = 1; i < space->constraint_count; i++) {
        harshest = enumeration->refused[i] > enumeration->refused[harshest] ? i : harshest;
    }
    fsattn_fail(err, FSATTN_INVALID, "the constraints leave none of %.15g configurations", enumeration->statistics.raw);
    if (space->constraint_count) {
        const fsattn_space_constraint *constraint = &space->constraints[harshest];
        fsattn_hint(err, "%s:%d refuses most, %.15g of them: %s", constraint->file, constraint->place.line,
                    enumeration->refused[harshest], constraint->reason);
    }
    return FSATTN_INVALID;
}

/* ---- walking ---- */

/* The last edge of the node whose `before` is at most `index`. */
static const fsattn_enumerate_edge *edge_at(const fsattn_enumeration *e, uint32_t node, uint64_t index) {
    uint32_t low = e->nodes[node].first, high = e->nodes[node + 1].first - 1;
    while (low < high) {
        uint32_t middle = high - (high - low) / 2;
        if (e->edges[middle].before <= index) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return &e->edges[low];
}

/* The edge of that value, or NULL. */
static const fsattn_enumerate_edge *edge_of(const fsattn_enumeration *e, uint32_t node, uint16_t value) {
    uint32_t low = e->nodes[node].first, high = e->nodes[node + 1].first;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (e->edges[middle].value < value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < e->nodes[node + 1].first && e->edges[low].value == value ? &e->edges[low] : NULL;
}

void fsattn_enumeration_at(const fsattn_enumeration *enumeration, uint64_t index, fsattn_config *config) {
    uint32_t node = 0;
    *config = (fsattn_config){0};
    for (size_t layer = 0; layer < enumeration->layers; layer++) {
        const fsattn_enumerate_edge *edge = edge_at(enumeration, node, index);
        config->index[enumeration->order[layer]] = edge->value;
        index -= edge->before;
        node = edge->child;
    }
}

/* Follows the configuration from `layer` at `node`, `before` completions already passed. */
static bool find_from(const fsattn_enumeration *e, size_t layer, uint32_t node, uint64_t before,
                      const fsattn_config *config, uint64_t *index) {
    for (; layer < e->layers; layer++) {
        const fsattn_enumerate_edge *edge = edge_of(e, node, config->index[e->order[layer]]);
        if (!edge) {
            return false;
        }
        before += edge->before;
        node = edge->child;
    }
    *index = before;
    return true;
}

bool fsattn_enumeration_find(const fsattn_enumeration *enumeration, const fsattn_config *config, uint64_t *index) {
    return enumeration->count && find_from(enumeration, 0, 0, 0, config, index);
}

/* ---- random ---- */

uint64_t fsattn_enumeration_sample(const fsattn_enumeration *enumeration, uint64_t seed, uint64_t stream,
                                   uint64_t draw) {
    return fsattn_random_below(seed, stream, draw, enumeration->count);
}

/* A Feistel network over the smallest even number of bits that holds all positions; results past the end are permuted again
 * (cycle walking), which keeps it one to one. At most three of four results are past the end. */
uint64_t fsattn_enumeration_shuffled(const fsattn_enumeration *enumeration, uint64_t seed, uint64_t position) {
    enum { rounds = 8 };
    unsigned half = 1;
    while (half < 32 && (enumeration->count - 1) >> (2 * half)) {
        half++;
    }
    uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        uint64_t left = position >> half, right = position & mask;
        for (uint64_t round = 0; round < rounds; round++) {
            uint64_t next = left ^ (fsattn_random_u64(seed, round, right) & mask);
            left = right;
            right = next;
        }
        position = left << half | right;
    } while (position >= enumeration->count);
    return position;
}

/* ---- neighbours ---- */

/* One valid configuration with the nodes on its way. */
typedef struct walk {
    const fsattn_enumeration *e;
    fsattn_config config;
    uint32_t nodes[fsattn_parameter_limit];
    uint64_t before[fsattn_parameter_limit];
    uint64_t *neighbours;
    size_t limit, count;
} walk;

static void walk_to(walk *w, uint64_t index) {
    uint32_t node = 0;
    uint64_t before = 0;
    for (size_t layer = 0; layer < w->e->layers; layer++) {
        const fsattn_enumerate_edge *edge = edge_at(w->e, node, index - before);
        w->nodes[layer] = node;
        w->before[layer] = before;
        w->config.index[w->e->order[layer]] = edge->value;
        before += edge->before;
        node = edge->child;
    }
}

/* Adds the neighbour with that value of the parameter, if it is valid. */
static bool add_neighbour(walk *w, size_t parameter, uint16_t value) {
    size_t layer = w->e->layer_of[parameter];
    uint16_t own = w->config.index[parameter];
    uint64_t index;
    w->config.index[parameter] = value;
    bool valid = find_from(w->e, layer, w->nodes[layer], w->before[layer], &w->config, &index);
    w->config.index[parameter] = own;
    if (valid) {
        if (w->count < w->limit) {
            w->neighbours[w->count] = index;
        }
        w->count++;
    }
    return valid;
}

static void add_all(walk *w, size_t parameter) {
    const fsattn_space_axis *axis = &w->e->space->axes[parameter];
    for (size_t i = 0; i < axis->count; i++) {
        uint16_t value = w->e->ranked[parameter][i];
        if (value != w->config.index[parameter]) {
            add_neighbour(w, parameter, value);
        }
    }
}

/* The nearest valid value below, then the one above. */
static void add_adjacent(walk *w, size_t parameter) {
    const uint16_t *ranked = w->e->ranked[parameter];
    size_t count = w->e->space->axes[parameter].count, own = 0;
    while (ranked[own] != w->config.index[parameter]) {
        own++;
    }
    for (size_t i = own; i > 0 && !add_neighbour(w, parameter, ranked[i - 1]); i--) {
    }
    for (size_t i = own + 1; i < count && !add_neighbour(w, parameter, ranked[i]); i++) {
    }
}

size_t fsattn_enumeration_neighbours(const fsattn_enumeration *enumeration, uint64_t index,
                                     fsattn_neighbourhood neighbourhood, uint64_t *neighbours, size_t limit) {
    walk w = {.e = enumeration, .neighbours = neighbours, .limit = limit};
    walk_to(&w, index);
    for (size_t p = 0; p < enumeration->layers; p++) {
        bool words = enumeration->space->manifest->parameters.items[p].type == FSATTN_VALUE_ENUM;
        if (words || neighbourhood == FSATTN_NEIGHBOURS_ANY) {
            add_all(&w, p);
        } else {
            add_adjacent(&w, p);
        }
    }
    return w.count;
}
