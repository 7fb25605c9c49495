/* enumerate_graph.h - the layered graph behind enumerate.h, and how it is built. Internal to enumerate*.c.
 *
 * Layer i binds parameter order[i]. Node 0 is the root; nodes lie layer by layer, the last one is the common end (unless
 * nothing is valid: then there is no node at all). The edges of node n are edges[nodes[n].first .. nodes[n + 1].first - 1],
 * by ascending value. Every node has at least one completion: dead ends are gone.
 */
#ifndef FSATTN_ENUMERATE_GRAPH_H
#define FSATTN_ENUMERATE_GRAPH_H

#include "enumerate.h"
#include "memory.h"

enum { fsattn_enumerate_node_limit = 16 << 20, fsattn_enumerate_edge_limit = 48 << 20 };

typedef struct fsattn_enumerate_edge {
    uint64_t before; /* completions of the node through edges before this one */
    uint32_t child;
    uint16_t value; /* index among the manifest's legal values */
} fsattn_enumerate_edge;

typedef struct fsattn_enumerate_node {
    uint64_t count; /* completions */
    uint32_t first; /* edge */
} fsattn_enumerate_node;

struct fsattn_enumeration {
    const fsattn_space *space;
    fsattn_arena arena; /* rejections and value orders */
    size_t layers;      /* parameters */
    uint16_t order[fsattn_parameter_limit];    /* parameter of a layer */
    uint16_t layer_of[fsattn_parameter_limit]; /* layer of a parameter */
    const uint16_t *ranked[fsattn_parameter_limit]; /* an axis' values: numbers ascending, words as in the manifest */
    fsattn_enumerate_node *nodes; /* node_count of them and a sentinel */
    size_t node_count;
    fsattn_enumerate_edge *edges;
    uint64_t count;
    double *refused; /* by each constraint: raw configurations that passed those evaluated before it */
    fsattn_enumeration_statistics statistics;
    fsattn_rejection rejections[fsattn_rejection_limit];
    size_t rejection_count;
};

/* Chooses the order in which parameters are bound: few distinct partial configurations in every layer. A function of the
 * axes' sizes and the set of `reads` alone. */
void fsattn_enumerate_order(const size_t *sizes, size_t parameters, const uint64_t *reads, size_t constraints,
                            uint16_t *order);

/* Constraint results, each asked of Lua once. */
typedef struct fsattn_enumerate_memo fsattn_enumerate_memo;
/* The sandbox must be bound to the setting, and stay so. NULL when memory ends. */
fsattn_enumerate_memo *fsattn_enumerate_memo_create(const fsattn_space *space);
void fsattn_enumerate_memo_destroy(fsattn_enumerate_memo *memo);
/* Whether a constraint holds; of `config` only the parameters that it reads count. */
fsattn_status fsattn_enumerate_memo_test(fsattn_enumerate_memo *memo, size_t constraint, const fsattn_config *config,
                                         bool *holds, fsattn_err *err);
uint64_t fsattn_enumerate_memo_evaluations(const fsattn_enumerate_memo *memo);
uint64_t fsattn_enumerate_memo_checks(const fsattn_enumerate_memo *memo);
size_t fsattn_enumerate_memo_bytes(const fsattn_enumerate_memo *memo);
/* The refused combinations that were kept; their texts go to the arena. FSATTN_NO_MEMORY only. */
fsattn_status fsattn_enumerate_memo_rejections(const fsattn_enumerate_memo *memo, fsattn_arena *arena,
                                               fsattn_rejection rejections[fsattn_rejection_limit], size_t *count,
                                               fsattn_err *err);

/* Fills in order, nodes, edges, count and statistics. */
fsattn_status fsattn_enumerate_build(fsattn_enumeration *enumeration, fsattn_enumerate_memo *memo, fsattn_err *err);

/* The same from the configurations of space->replay. FSATTN_NO_MEMORY is the only failure. */
fsattn_status fsattn_enumerate_list(fsattn_enumeration *enumeration, fsattn_err *err);

#endif
