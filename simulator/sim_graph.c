#include "sim_graph.h"

#include "memory.h"

#include <string.h>

bool sim_graph_add(sim_graph *graph, const sim_command *command) {
    const size_t bytes = command->kind == SIM_COMMAND_LAUNCH ? command->launch.argument_bytes : 0;
    sim_command *made = fsattn_alloc(1, sizeof *made + bytes);
    if (!made) {
        return false;
    }
    *made = *command;
    made->next = NULL;
    if (bytes) {
        made->launch.arguments = memcpy(made + 1, command->launch.arguments, bytes);
    }
    *(graph->last ? &graph->last->next : &graph->first) = made;
    graph->last = made;
    graph->count++;
    return true;
}

bool sim_graph_add_all(sim_graph *graph, const sim_graph *from) {
    for (const sim_command *c = from->first; c; c = c->next) {
        if (!sim_graph_add(graph, c)) {
            return false;
        }
    }
    return true;
}

void sim_graph_fini(sim_graph *graph) {
    for (sim_command *c = graph->first, *next; c; c = next) {
        next = c->next;
        fsattn_free(c);
    }
    *graph = (sim_graph){0};
}
