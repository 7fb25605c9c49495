#include "enumerate_graph.h"

#include "error.h"
#include "expression.h"

#include <string.h>

/*
 *  nodes of layer 0: the root
 *  for each layer i, binding parameter p = order[i]:
 *      for each node, for each value of p:
 *          skip when a constraint whose last parameter is p refuses
 *          child = the node of layer i + 1 with the same values of all parameters that later constraints read
 *  from the last layer back: count completions
 *  copy what has any
 */

/* An edge while dead ends are still there. */
typedef struct raw_edge {
    uint32_t child; /* raw node */
    uint16_t value;
} raw_edge;

/* The parameters by which the nodes of a layer are told apart, and their values in each node. */
typedef struct frontier {
    uint16_t parameters[fsattn_parameter_limit];
    size_t width;
    void *keys; /* uint16_t [count][width], a stride of at least 1 */
    void *paths; /* double [count]: partial configurations that end in the node */
    size_t count, capacity, path_capacity;
    uint32_t *slots; /* hash of keys: node of the layer + 1 */
    size_t slot_count;
} frontier;

typedef struct builder {
    fsattn_enumeration *made;
    const fsattn_space *space;
    fsattn_enumerate_memo *memo;
    fsattn_err *err;
    frontier now, next;
    size_t layer_first[fsattn_parameter_limit + 2]; /* raw node */
    void *edges;                                    /* raw_edge */
    size_t edge_count, edge_capacity;
    void *firsts; /* uint32_t: the first raw edge of each raw node */
    size_t node_count, first_capacity;
    size_t *constraints; /* of the running layer */
    uint64_t *counts;    /* completions of each raw node */
    size_t peak_bytes;
} builder;

static fsattn_status no_memory(const builder *b) {
    return fsattn_fail(b->err, FSATTN_NO_MEMORY, "%s: out of memory", b->space->path);
}

static size_t stride_of(const frontier *f) {
    return f->width ? f->width : 1;
}

static size_t frontier_bytes(const frontier *f) {
    return f->capacity * stride_of(f) * sizeof(uint16_t) + f->path_capacity * sizeof(double) + f->slot_count * sizeof *f->slots;
}

static void note_memory(builder *b, size_t more) {
    size_t bytes = frontier_bytes(&b->now) + frontier_bytes(&b->next) + b->edge_capacity * sizeof(raw_edge) +
                   b->first_capacity * sizeof(uint32_t) + fsattn_enumerate_memo_bytes(b->memo) + more;
    b->peak_bytes = bytes > b->peak_bytes ? bytes : b->peak_bytes;
}

static fsattn_status too_large(const builder *b) {
    fsattn_fail(b->err, FSATTN_INVALID, "%s: the constraints leave more than %d partial configurations",
                b->space->path, fsattn_enumerate_node_limit);
    fsattn_hint(b->err, "take values off the axes, or split constraints so that each reads fewer parameters");
    return FSATTN_INVALID;
}

/* ---- one layer ---- */

static uint64_t hash_of(const uint16_t *key, size_t width) {
    uint64_t hash = 0x9E3779B97F4A7C15u;
    for (size_t i = 0; i < width; i++) {
        hash = (hash ^ key[i]) * 0xFF51AFD7ED558CCDu;
        hash ^= hash >> 32;
    }
    return hash;
}

static uint32_t *find_slot(const frontier *f, const uint16_t *key) {
    size_t at = (size_t)hash_of(key, f->width) & (f->slot_count - 1);
    while (f->slots[at] &&
           memcmp((uint16_t *)f->keys + (size_t)(f->slots[at] - 1) * stride_of(f), key, f->width * sizeof *key) != 0) {
        at = (at + 1) & (f->slot_count - 1);
    }
    return &f->slots[at];
}

/* Slots for one more key, at most half of them used. */
static fsattn_status make_slots(builder *b, frontier *f) {
    if (f->slot_count && f->count * 2 < f->slot_count) {
        return FSATTN_OK;
    }
    size_t slot_count = f->slot_count ? f->slot_count * 2 : 64;
    uint32_t *slots = fsattn_alloc(slot_count, sizeof *slots);
    if (!slots) {
        return no_memory(b);
    }
    fsattn_free(f->slots);
    f->slots = slots;
    f->slot_count = slot_count;
    for (size_t i = 0; i < f->count; i++) {
        *find_slot(f, (uint16_t *)f->keys + i * stride_of(f)) = (uint32_t)i + 1;
    }
    return FSATTN_OK;
}

/* The node of the next layer with that key; made when there is none. */
static fsattn_status find_node(builder *b, const uint16_t *key, uint32_t *node) {
    frontier *f = &b->next;
    FSATTN_TRY(make_slots(b, f));
    uint32_t *slot = find_slot(f, key);
    if (!*slot) {
        if (b->node_count + f->count >= fsattn_enumerate_node_limit) {
            return too_large(b);
        }
        if (fsattn_grow(&f->keys, &f->capacity, f->count, stride_of(f) * sizeof *key) ||
            fsattn_grow(&f->paths, &f->path_capacity, f->count, sizeof(double))) {
            return no_memory(b);
        }
        ((double *)f->paths)[f->count] = 0;
        memcpy((uint16_t *)f->keys + f->count * stride_of(f), key, f->width * sizeof *key);
        *slot = (uint32_t)++f->count;
    }
    *node = *slot - 1;
    return FSATTN_OK;
}

static fsattn_status add_edge(builder *b, uint32_t child, uint16_t value) {
    if (b->edge_count >= fsattn_enumerate_edge_limit) {
        return too_large(b);
    }
    if (fsattn_grow(&b->edges, &b->edge_capacity, b->edge_count, sizeof(raw_edge))) {
        return no_memory(b);
    }
    ((raw_edge *)b->edges)[b->edge_count++] = (raw_edge){child, value};
    return FSATTN_OK;
}

static uint64_t reads_of(const builder *b, size_t constraint) {
    return b->space->constraints[constraint].expression->reads;
}

/* The constraints whose last parameter the layer binds, those that read fewer parameters first: they guard the others. */
static size_t layer_constraints(const builder *b, uint64_t before, uint64_t bit) {
    size_t count = 0;
    for (size_t i = 0; i < b->space->constraint_count; i++) {
        uint64_t reads = reads_of(b, i);
        if (reads & ~(before | bit) || !(reads & bit)) {
            continue;
        }
        size_t at = count++;
        for (; at && __builtin_popcountll(reads_of(b, b->constraints[at - 1])) > __builtin_popcountll(reads); at--) {
            b->constraints[at] = b->constraints[at - 1];
        }
        b->constraints[at] = i;
    }
    return count;
}

static void set_frontier(const builder *b, frontier *f, uint64_t bound) {
    uint64_t seen = 0;
    for (size_t i = 0; i < b->space->constraint_count; i++) {
        seen |= reads_of(b, i) & ~bound ? reads_of(b, i) & bound : 0;
    }
    f->width = 0;
    for (; seen; seen &= seen - 1) {
        f->parameters[f->width++] = (uint16_t)__builtin_ctzll(seen);
    }
}

/* Gives a node an edge for each value of the parameter that the constraints allow. `config` holds the node's values, `paths`
 * partial configurations end in it, each with `completions` raw ones. */
static fsattn_status expand_node(builder *b, size_t parameter, size_t constraint_count, fsattn_config *config, double paths,
                                 double completions) {
    const fsattn_space_axis *axis = &b->space->axes[parameter];
    uint16_t key[fsattn_parameter_limit];
    for (size_t v = 0; v < axis->count; v++) {
        config->index[parameter] = axis->values[v];
        bool holds = true;
        for (size_t i = 0; i < constraint_count && holds; i++) {
            FSATTN_TRY(fsattn_enumerate_memo_test(b->memo, b->constraints[i], config, &holds, b->err));
            b->made->refused[b->constraints[i]] += holds ? 0 : paths * completions;
        }
        if (holds) {
            uint32_t child;
            for (size_t i = 0; i < b->next.width; i++) {
                key[i] = config->index[b->next.parameters[i]];
            }
            FSATTN_TRY(find_node(b, key, &child));
            ((double *)b->next.paths)[child] += paths;
            FSATTN_TRY(add_edge(b, child, axis->values[v]));
        }
    }
    return FSATTN_OK;
}

static fsattn_status expand_layer(builder *b, size_t layer, uint64_t before) {
    size_t parameter = b->made->order[layer];
    uint64_t bit = (uint64_t)1 << parameter;
    size_t constraint_count = layer_constraints(b, before, bit);
    set_frontier(b, &b->next, before | bit);
    b->layer_first[layer + 1] = b->node_count + b->now.count;
    size_t first_node = b->node_count;
    b->node_count += b->now.count;
    fsattn_config config = {0};
    double completions = 1;
    for (size_t later = layer + 1; later < b->made->layers; later++) {
        completions *= (double)b->space->axes[b->made->order[later]].count;
    }
    for (size_t n = 0; n < b->now.count; n++) {
        for (size_t i = 0; i < b->now.width; i++) {
            config.index[b->now.parameters[i]] = ((uint16_t *)b->now.keys)[n * stride_of(&b->now) + i];
        }
        if (fsattn_grow(&b->firsts, &b->first_capacity, first_node + n, sizeof(uint32_t))) {
            return no_memory(b);
        }
        ((uint32_t *)b->firsts)[first_node + n] = (uint32_t)b->edge_count;
        FSATTN_TRY(expand_node(b, parameter, constraint_count, &config, ((double *)b->now.paths)[n], completions));
    }
    note_memory(b, 0);
    fsattn_free(b->now.keys);
    fsattn_free(b->now.paths);
    fsattn_free(b->now.slots);
    b->now = b->next;
    b->next = (frontier){0};
    return FSATTN_OK;
}

static fsattn_status expand(builder *b) {
    uint64_t bound = 0;
    uint32_t root;
    FSATTN_TRY(find_node(b, &(const uint16_t){0}, &root)); /* of width 0: the one key there is */
    ((double *)b->next.paths)[root] = 1;
    b->now = b->next;
    b->next = (frontier){0};
    for (size_t layer = 0; layer < b->made->layers; layer++) {
        FSATTN_TRY(expand_layer(b, layer, bound));
        bound |= (uint64_t)1 << b->made->order[layer];
    }
    /* The end, if it was reached, and one sentinel. */
    for (size_t i = 0; i < 2; i++) {
        if (fsattn_grow(&b->firsts, &b->first_capacity, b->node_count + i, sizeof(uint32_t))) {
            return no_memory(b);
        }
        ((uint32_t *)b->firsts)[b->node_count + i] = (uint32_t)b->edge_count;
    }
    b->node_count += b->now.count;
    return FSATTN_OK;
}

/* ---- counting and copying ---- */

static fsattn_status count_completions(builder *b) {
    const uint32_t *firsts = b->firsts;
    const raw_edge *edges = b->edges;
    b->counts = fsattn_alloc(b->node_count, sizeof *b->counts);
    if (!b->counts) {
        return no_memory(b);
    }
    for (size_t n = 0; n < b->now.count; n++) {
        b->counts[b->node_count - 1 - n] = 1;
    }
    for (size_t layer = b->made->layers; layer-- > 0;) {
        for (size_t n = b->layer_first[layer]; n < b->layer_first[layer + 1]; n++) {
            uint64_t sum = 0;
            for (uint32_t e = firsts[n]; e < firsts[n + 1]; e++) {
                sum += b->counts[b->layer_first[layer + 1] + edges[e].child]; /* both below 2^63: no wrap */
                if (sum >> 63) {
                    fsattn_fail(b->err, FSATTN_INVALID, "%s: more than 2^63 valid configurations", b->space->path);
                    fsattn_hint(b->err, "take values off the axes");
                    return FSATTN_INVALID;
                }
            }
            b->counts[n] = sum;
        }
    }
    return FSATTN_OK;
}

/* Ids of the nodes that stay, in `ids`; how many nodes and edges stay. */
static void number_nodes(const builder *b, uint32_t *ids, size_t *nodes, size_t *edges) {
    const uint32_t *firsts = b->firsts;
    const raw_edge *raw = b->edges;
    *nodes = *edges = 0;
    for (size_t layer = 0; layer <= b->made->layers; layer++) {
        size_t end = layer < b->made->layers ? b->layer_first[layer + 1] : b->node_count;
        for (size_t n = b->layer_first[layer]; n < end; n++) {
            if (!b->counts[n]) {
                continue;
            }
            ids[n] = (uint32_t)(*nodes)++;
            for (uint32_t e = firsts[n]; e < firsts[n + 1]; e++) {
                *edges += b->counts[b->layer_first[layer + 1] + raw[e].child] != 0;
            }
        }
    }
}

static void copy_nodes(const builder *b, const uint32_t *ids) {
    const uint32_t *firsts = b->firsts;
    const raw_edge *raw = b->edges;
    fsattn_enumerate_node *node = b->made->nodes;
    fsattn_enumerate_edge *edge = b->made->edges;
    for (size_t layer = 0; layer <= b->made->layers; layer++) {
        size_t end = layer < b->made->layers ? b->layer_first[layer + 1] : b->node_count;
        for (size_t n = b->layer_first[layer]; n < end; n++) {
            if (!b->counts[n]) {
                continue;
            }
            uint64_t before = 0;
            *node++ = (fsattn_enumerate_node){b->counts[n], (uint32_t)(edge - b->made->edges)};
            for (uint32_t e = firsts[n]; e < firsts[n + 1]; e++) {
                size_t child = b->layer_first[layer + 1] + raw[e].child;
                if (b->counts[child]) {
                    *edge++ = (fsattn_enumerate_edge){before, ids[child], raw[e].value};
                    before += b->counts[child];
                }
            }
        }
    }
    *node = (fsattn_enumerate_node){0, (uint32_t)(edge - b->made->edges)};
}

/* Copies what has completions out of the raw graph. */
static fsattn_status compact(builder *b) {
    fsattn_enumeration *made = b->made;
    size_t nodes, edges;
    uint32_t *ids = fsattn_alloc(b->node_count, sizeof *ids);
    if (!ids) {
        return no_memory(b);
    }
    number_nodes(b, ids, &nodes, &edges);
    made->nodes = fsattn_alloc(nodes + 1, sizeof *made->nodes);
    made->edges = fsattn_alloc(edges, sizeof *made->edges);
    bool enough = made->nodes && made->edges;
    if (enough) {
        copy_nodes(b, ids);
        made->node_count = nodes;
        made->count = nodes ? made->nodes[0].count : 0;
        made->statistics.nodes = nodes;
        made->statistics.edges = edges;
        made->statistics.valid = made->count;
    }
    note_memory(b, b->node_count * (sizeof *ids + sizeof *b->counts) + (nodes + 1) * sizeof *made->nodes +
                       edges * sizeof *made->edges);
    fsattn_free(ids);
    return enough ? FSATTN_OK : no_memory(b);
}

/* ---- all of it ---- */

static fsattn_status choose_order(builder *b) {
    const fsattn_space *space = b->space;
    fsattn_enumeration *made = b->made;
    size_t sizes[fsattn_parameter_limit];
    uint64_t *reads = fsattn_alloc(space->constraint_count, sizeof *reads);
    if (!reads) {
        return no_memory(b);
    }
    made->statistics.raw = 1;
    for (size_t i = 0; i < made->layers; i++) {
        sizes[i] = space->axes[i].count;
        made->statistics.raw *= (double)sizes[i];
    }
    for (size_t i = 0; i < space->constraint_count; i++) {
        reads[i] = reads_of(b, i);
    }
    fsattn_enumerate_order(sizes, made->layers, reads, space->constraint_count, made->order);
    fsattn_free(reads);
    for (size_t i = 0; i < made->layers; i++) {
        made->layer_of[made->order[i]] = (uint16_t)i;
    }
    return FSATTN_OK;
}

fsattn_status fsattn_enumerate_build(fsattn_enumeration *enumeration, fsattn_enumerate_memo *memo, fsattn_err *err) {
    builder b = {.made = enumeration, .space = enumeration->space, .memo = memo, .err = err};
    fsattn_status status;
    b.constraints = fsattn_alloc(b.space->constraint_count, sizeof *b.constraints);
    enumeration->refused = fsattn_arena_alloc(&enumeration->arena, b.space->constraint_count, sizeof *enumeration->refused);
    if (!b.constraints || !enumeration->refused) {
        fsattn_free(b.constraints);
        return no_memory(&b);
    }
    FSATTN_GOTO(choose_order(&b));
    FSATTN_GOTO(expand(&b));
    FSATTN_GOTO(count_completions(&b));
    FSATTN_GOTO(compact(&b));
    enumeration->statistics.evaluations = fsattn_enumerate_memo_evaluations(memo);
    enumeration->statistics.checks = fsattn_enumerate_memo_checks(memo);
    enumeration->statistics.memory_bytes = b.peak_bytes;
out:
    fsattn_free(b.counts);
    fsattn_free(b.constraints);
    fsattn_free(b.firsts);
    fsattn_free(b.edges);
    fsattn_free(b.now.keys);
    fsattn_free(b.now.paths);
    fsattn_free(b.now.slots);
    fsattn_free(b.next.keys);
    fsattn_free(b.next.paths);
    fsattn_free(b.next.slots);
    return status;
}
