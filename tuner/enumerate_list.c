#include "enumerate_graph.h"
#include "error.h"
#include "replay_file.h"

#include <stdlib.h>
#include <string.h>

/*
 *  rows: the configurations, parameters in the order of the layers, sorted
 *  a node of layer i is a run of rows that agree in the first i values; its edges are the runs within it that agree
 *  in one more
 */
typedef struct lister {
    fsattn_enumeration *made;
    const fsattn_replay_file *file;
    uint16_t *rows;  /* file->count of made->layers values */
    uint32_t *runs;  /* first row of each node of the present layer, and file->count */
    uint32_t *next;
    size_t run_count;
    size_t node_capacity, edge_capacity, edge_count;
} lister;

/* Parameters of few values first: fewer nodes; then by name, so that the order of the file carries no meaning. */
static void choose_order(fsattn_enumeration *made) {
    const fsattn_parameter_set *set = &made->space->manifest->parameters;
    for (size_t layer = 0; layer < made->layers; layer++) {
        size_t at = layer, parameter = set->by_name[layer];
        for (; at && made->space->axes[made->order[at - 1]].count > made->space->axes[parameter].count; at--) {
            made->order[at] = made->order[at - 1];
        }
        made->order[at] = (uint16_t)parameter;
    }
    made->statistics.raw = 1;
    for (size_t layer = 0; layer < made->layers; layer++) {
        made->layer_of[made->order[layer]] = (uint16_t)layer;
        made->statistics.raw *= (double)made->space->axes[made->order[layer]].count;
    }
}

static int compare_rows(const void *a, const void *b, void *data) {
    const uint16_t *x = a, *y = b;
    for (size_t i = 0; i < *(const size_t *)data; i++) {
        if (x[i] != y[i]) {
            return x[i] < y[i] ? -1 : 1;
        }
    }
    return 0;
}

static bool fill_rows(lister *l) {
    size_t layers = l->made->layers;
    l->rows = fsattn_alloc(l->file->count, layers * sizeof *l->rows);
    if (!l->rows) {
        return false;
    }
    for (size_t i = 0; i < l->file->count; i++) {
        for (size_t layer = 0; layer < layers; layer++) {
            l->rows[i * layers + layer] = l->file->entries[i].config.index[l->made->order[layer]];
        }
    }
    qsort_r(l->rows, l->file->count, layers * sizeof *l->rows, compare_rows, &layers);
    return true;
}

/* The nodes of one layer with their edges; the runs become those of the next. */
static bool add_layer(lister *l, size_t layer) {
    fsattn_enumeration *made = l->made;
    size_t layers = made->layers, children = 0;
    size_t first_child = made->node_count + l->run_count; /* the next layer follows this one */
    for (size_t n = 0; n < l->run_count; n++) {
        uint32_t begin = l->runs[n], end = l->runs[n + 1];
        if (fsattn_grow((void **)&made->nodes, &l->node_capacity, made->node_count, sizeof *made->nodes)) {
            return false;
        }
        made->nodes[made->node_count++] = (fsattn_enumerate_node){end - begin, (uint32_t)l->edge_count};
        for (uint32_t row = begin; row < end;) {
            uint16_t value = l->rows[row * layers + layer];
            uint32_t child = (uint32_t)(layer + 1 == layers ? first_child : first_child + children);
            if (fsattn_grow((void **)&made->edges, &l->edge_capacity, l->edge_count, sizeof *made->edges)) {
                return false;
            }
            made->edges[l->edge_count++] = (fsattn_enumerate_edge){row - begin, child, value};
            l->next[children++] = row;
            for (; row < end && l->rows[row * layers + layer] == value; row++) {
            }
        }
    }
    l->next[children] = (uint32_t)l->file->count;
    uint32_t *runs = l->runs;
    l->runs = l->next;
    l->next = runs;
    l->run_count = children;
    return true;
}

/* The common end and the sentinel. */
static bool add_end(lister *l) {
    fsattn_enumeration *made = l->made;
    for (uint64_t count = 2; count-- > 0;) {
        if (fsattn_grow((void **)&made->nodes, &l->node_capacity, made->node_count, sizeof *made->nodes)) {
            return false;
        }
        made->nodes[made->node_count++] = (fsattn_enumerate_node){count, (uint32_t)l->edge_count};
    }
    made->node_count--; /* the sentinel does not count */
    return true;
}

fsattn_status fsattn_enumerate_list(fsattn_enumeration *enumeration, fsattn_err *err) {
    lister l = {.made = enumeration, .file = enumeration->space->replay};
    choose_order(enumeration);
    l.runs = fsattn_alloc(l.file->count + 1, sizeof *l.runs);
    l.next = fsattn_alloc(l.file->count + 1, sizeof *l.next);
    bool enough = l.runs && l.next && fill_rows(&l);
    if (enough) {
        l.run_count = 1;
        l.runs[1] = (uint32_t)l.file->count;
    }
    for (size_t layer = 0; enough && layer < enumeration->layers; layer++) {
        enough = add_layer(&l, layer);
    }
    enough = enough && add_end(&l);
    fsattn_free(l.rows);
    fsattn_free(l.runs);
    fsattn_free(l.next);
    if (!enough) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", enumeration->space->path);
    }
    enumeration->count = l.file->count;
    enumeration->statistics.valid = enumeration->count;
    enumeration->statistics.nodes = enumeration->node_count;
    enumeration->statistics.edges = l.edge_count;
    return FSATTN_OK;
}
