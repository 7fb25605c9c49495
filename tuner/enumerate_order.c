#include "enumerate_graph.h"

#include <math.h>
#include <string.h>

/* A layer's partial configurations are told apart by the parameters that constraints still to come can see (the frontier),
 * so that a layer has at most as many nodes as the frontier has combinations; each constraint inside the frontier is taken
 * to leave half of them. */
typedef struct problem {
    double bits[fsattn_parameter_limit]; /* log2 of an axis' size */
    size_t parameters;
    const uint64_t *reads;
    size_t constraints;
} problem;

/* log2 of the nodes in the layer where the parameters of `bound` are bound. */
static double layer_bits(const problem *p, uint64_t bound) {
    uint64_t frontier = 0;
    double bits = 0;
    for (size_t i = 0; i < p->constraints; i++) {
        frontier |= p->reads[i] & ~bound ? p->reads[i] & bound : 0;
    }
    for (uint64_t rest = frontier; rest; rest &= rest - 1) {
        bits += p->bits[__builtin_ctzll(rest)];
    }
    for (size_t i = 0; i < p->constraints; i++) {
        bits -= !(p->reads[i] & ~frontier);
    }
    return bits < 0 ? 0 : bits;
}

/* Opens with `first`, then takes the parameter that leaves the fewest nodes; returns the work of the whole. */
static double greedy(const problem *p, size_t first, uint16_t *order) {
    uint64_t bound = 0;
    double work = 0, bits = 0;
    for (size_t layer = 0; layer < p->parameters; layer++) {
        size_t best = first;
        double best_bits = layer ? INFINITY : layer_bits(p, (uint64_t)1 << first);
        for (size_t i = 0; layer && i < p->parameters; i++) {
            uint64_t bit = (uint64_t)1 << i;
            double next = bound & bit ? INFINITY : layer_bits(p, bound | bit);
            if (next < best_bits) {
                best = i;
                best_bits = next;
            }
        }
        work += exp2(bits + p->bits[best]);
        bits = best_bits;
        bound |= (uint64_t)1 << best;
        order[layer] = (uint16_t)best;
    }
    return work;
}

void fsattn_enumerate_order(const size_t *sizes, size_t parameters, const uint64_t *reads, size_t constraints,
                            uint16_t *order) {
    problem p = {.parameters = parameters, .reads = reads, .constraints = constraints};
    for (size_t i = 0; i < parameters; i++) {
        p.bits[i] = log2((double)sizes[i]);
    }
    double least = INFINITY;
    uint16_t tried[fsattn_parameter_limit];
    for (size_t first = 0; first < parameters; first++) {
        double work = greedy(&p, first, tried);
        if (work < least || first == 0) {
            least = work;
            memcpy(order, tried, parameters * sizeof *order);
        }
    }
}
