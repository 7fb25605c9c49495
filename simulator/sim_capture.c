/* sim_capture.c - HIP graphs, as far as they come from capturing a stream: a sequence of launches, copies and sets, replayed on any stream.
 *
 * While a stream is captured its commands are kept and nothing is done. As in HIP, what would wait or allocate is refused during a
 * capture (mode global: by any thread; thread-local: by the capturing one; relaxed: by none) and spoils it: hipStreamEndCapture
 * then gives no graph. Refuses: forks and joins through events, and adding nodes by hand. */
#include "memory.h"
#include "sim_hip.h"

enum { mode_global, mode_thread_local, mode_relaxed };

struct sim_capture {
    sim_graph graph;
    int mode;
    uint64_t calls_before; /* forbidden calls when it began */
    _Atomic bool spoilt;
};

/* Captures under way and forbidden calls made meanwhile: HIP's rule is about the process and about its threads. */
typedef struct watch {
    _Atomic uint64_t captures, calls;
} watch;
static watch process;
static _Thread_local watch thread;

static watch *watch_of(int mode) {
    return mode == mode_global ? &process : mode == mode_thread_local ? &thread : NULL;
}

static bool is_spoilt(const sim_capture *c) {
    const watch *w = watch_of(c->mode);
    return atomic_load(&c->spoilt) || (w && atomic_load(&w->calls) != c->calls_before);
}

int sim_capture_forbids(const sim_stream *s) {
    if (s) {
        sim_capture *c = atomic_load(&s->capture);
        if (!c) {
            return hip_success;
        }
        atomic_store(&c->spoilt, true);
        return sim_hip_result(hip_capture_unsupported);
    }
    bool forbidden = false;
    for (int mode = mode_global; mode < mode_relaxed; mode++) {
        watch *w = watch_of(mode);
        if (atomic_load(&w->captures)) {
            atomic_fetch_add(&w->calls, 1);
            forbidden = true;
        }
    }
    return forbidden ? sim_hip_result(hip_capture_unsupported) : hip_success;
}

int sim_capture_keep(sim_capture *c, const sim_command *command) {
    if (is_spoilt(c)) {
        return sim_hip_result(hip_capture_invalidated);
    }
    return sim_graph_add(&c->graph, command) ? hip_success : sim_hip_result(hip_out_of_memory);
}

void sim_capture_destroy(sim_capture *c) {
    if (c) {
        if (watch_of(c->mode)) {
            atomic_fetch_sub(&watch_of(c->mode)->captures, 1);
        }
        sim_graph_fini(&c->graph);
        fsattn_free(c);
    }
}

HIP(hipStreamBeginCapture, void *handle, int mode) {
    if (mode < mode_global || mode > mode_relaxed) {
        return sim_hip_result(hip_invalid_value);
    }
    if (!handle) {
        return sim_hip_result(hip_capture_unsupported);
    }
    sim_stream *s = sim_hip_stream(handle);
    sim_capture *made = fsattn_alloc(1, sizeof *made), *none = NULL;
    if (!made) {
        return sim_hip_result(hip_out_of_memory);
    }
    made->mode = mode;
    if (watch_of(mode)) {
        made->calls_before = atomic_load(&watch_of(mode)->calls);
        atomic_fetch_add(&watch_of(mode)->captures, 1);
    }
    if (!atomic_compare_exchange_strong(&s->capture, &none, made)) {
        sim_capture_destroy(made);
        return sim_hip_result(hip_illegal_state);
    }
    return hip_success;
}

HIP(hipStreamEndCapture, void *handle, void **graph) {
    if (!handle || !graph) {
        return sim_hip_result(hip_invalid_value);
    }
    *graph = NULL;
    sim_capture *c = atomic_exchange(&sim_hip_stream(handle)->capture, NULL);
    if (!c) {
        return sim_hip_result(hip_illegal_state);
    }
    sim_graph *made = fsattn_alloc(1, sizeof *made);
    const int error = is_spoilt(c) ? hip_capture_invalidated : made ? hip_success : hip_out_of_memory;
    if (error) {
        fsattn_free(made);
    } else {
        *made = c->graph;
        c->graph = (sim_graph){0};
        *graph = made;
    }
    sim_capture_destroy(c);
    return sim_hip_result(error);
}

/* *status: 0 none, 1 active, 2 spoilt. */
HIP(hipStreamIsCapturing, void *handle, int *status) {
    if (!status) {
        return sim_hip_result(hip_invalid_value);
    }
    const sim_capture *c = atomic_load(&sim_hip_stream(handle)->capture);
    *status = !c ? 0 : is_spoilt(c) ? 2 : 1;
    return hip_success;
}

/* The number of its commands; the nodes themselves have no handles. */
HIP(hipGraphGetNodes, void *graph, void **nodes, size_t *count) {
    if (!graph || !count) {
        return sim_hip_result(hip_invalid_value);
    }
    *count = ((const sim_graph *)graph)->count;
    return nodes ? sim_hip_result(hip_not_supported) : hip_success;
}

HIP(hipGraphInstantiateWithFlags, void **executable, void *graph, unsigned long long flags) {
    sim_graph *made = executable && graph && !flags ? fsattn_alloc(1, sizeof *made) : NULL;
    if (!made) {
        return sim_hip_result(!executable || !graph ? hip_invalid_value : flags ? hip_not_supported : hip_out_of_memory);
    }
    if (!sim_graph_add_all(made, graph)) {
        sim_graph_fini(made);
        fsattn_free(made);
        return sim_hip_result(hip_out_of_memory);
    }
    *executable = made;
    return hip_success;
}
HIP(hipGraphInstantiate, void **executable, void *graph, void **node, char *log, size_t log_bytes) {
    if (node) {
        *node = NULL;
    }
    if (log && log_bytes) {
        *log = '\0';
    }
    return hipGraphInstantiateWithFlags(executable, graph, 0);
}

HIP(hipGraphLaunch, void *executable, void *handle) {
    if (!executable) {
        return sim_hip_result(hip_invalid_value);
    }
    int error = hip_success;
    for (const sim_command *c = ((const sim_graph *)executable)->first; c && !error; c = c->next) {
        error = sim_hip_submit(sim_hip_stream(handle), c);
    }
    return error;
}

HIP(hipGraphDestroy, void *graph) {
    if (!graph) {
        return sim_hip_result(hip_invalid_value);
    }
    sim_graph_fini(graph);
    fsattn_free(graph);
    return hip_success;
}
HIP(hipGraphExecDestroy, void *executable) { return hipGraphDestroy(executable); }
