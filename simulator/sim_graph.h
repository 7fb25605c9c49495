/* sim_graph.h - commands of a stream kept in their order, to be done later and as often as wanted: what HIP calls a graph.
 *
 * A sequence, since each comes from one stream. Owns copies of kernel arguments; kernels and memory stay the caller's, as in HIP. */
#ifndef SIM_GRAPH_H
#define SIM_GRAPH_H

#include "sim_launch.h"

typedef enum sim_command_kind { SIM_COMMAND_LAUNCH, SIM_COMMAND_COPY, SIM_COMMAND_SET } sim_command_kind;

typedef struct sim_command {
    struct sim_command *next;
    sim_command_kind kind;
    sim_launch launch;
    void *to; /* COPY, SET */
    const void *from;
    size_t bytes;
    uint32_t value; /* SET: `width` bytes of it, over and over */
    unsigned width; /* 1 or 4 */
} sim_command;

typedef struct sim_graph {
    sim_command *first, *last;
    size_t count;
} sim_graph;

/* Appends a copy; false when memory ends, and the graph is as it was. */
bool sim_graph_add(sim_graph *graph, const sim_command *command);
/* Appends all of another graph. */
bool sim_graph_add_all(sim_graph *graph, const sim_graph *from);
void sim_graph_fini(sim_graph *graph);

#endif
