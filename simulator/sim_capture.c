/* sim_capture.c - HIP graphs, as far as they come from capturing a stream: a sequence of launches, copies and sets, replayed on any stream.
 *
 * While a stream is captured its commands are kept and nothing is done. As in HIP, what would wait or allocate is refused during a
 * capture (mode global: by any thread; thread-local: by the capturing one; relaxed: by none) and spoils it: hipStreamEndCapture
 * then gives no graph. But for relaxed ones, only the thread that began a capture may end it; any may destroy the stream. Refuses: forks and joins through events, and adding nodes by hand. */
#include "memory.h"
#include "sim_hip.h"

#include <pthread.h>

enum { mode_global, mode_thread_local, mode_relaxed };

struct sim_capture {
    sim_capture *next; /* of those under way */
    sim_graph graph;
    int mode;
    uint64_t owner; /* thread that began it */
    _Atomic bool spoilt;
};

/* Captures under way: HIP's rules are about the process and about its threads. */
static struct {
    pthread_mutex_t lock;
    sim_capture *first;
    _Atomic uint64_t count, threads;
} captures = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A number of this thread that no other ever gets. */
static uint64_t this_thread(void) {
    static _Thread_local uint64_t number;
    number = number ? number : atomic_fetch_add(&captures.threads, 1) + 1;
    return number;
}

static void begin(sim_capture *c) {
    pthread_mutex_lock(&captures.lock);
    c->next = captures.first;
    captures.first = c;
    pthread_mutex_unlock(&captures.lock);
    atomic_fetch_add(&captures.count, 1);
}
static void end(sim_capture *c) {
    pthread_mutex_lock(&captures.lock);
    for (sim_capture **at = &captures.first; *at; at = &(*at)->next) {
        if (*at == c) {
            *at = c->next;
            break;
        }
    }
    pthread_mutex_unlock(&captures.lock);
    atomic_fetch_sub(&captures.count, 1);
}

int sim_capture_forbids(const sim_stream *s) {
    bool forbidden = false;
    if (s) {
        sim_capture *c = atomic_load(&s->capture);
        if (!c) {
            return hip_success;
        }
        atomic_store(&c->spoilt, true);
        return sim_hip_result(hip_capture_unsupported);
    }
    if (!atomic_load(&captures.count)) {
        return hip_success;
    }
    pthread_mutex_lock(&captures.lock);
    for (sim_capture *c = captures.first; c; c = c->next) {
        if (c->mode == mode_global || (c->mode == mode_thread_local && c->owner == this_thread())) {
            atomic_store(&c->spoilt, true);
            forbidden = true;
        }
    }
    pthread_mutex_unlock(&captures.lock);
    return forbidden ? sim_hip_result(hip_capture_unsupported) : hip_success;
}

int sim_capture_keep(sim_capture *c, const sim_command *command) {
    if (atomic_load(&c->spoilt)) {
        return sim_hip_result(hip_capture_invalidated);
    }
    return sim_graph_add(&c->graph, command) ? hip_success : sim_hip_result(hip_out_of_memory);
}

void sim_capture_destroy(sim_capture *c) {
    if (c) {
        end(c);
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
    made->owner = this_thread();
    begin(made);
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
    sim_capture *c = atomic_load(&sim_hip_stream(handle)->capture);
    if (c && c->mode != mode_relaxed && c->owner != this_thread()) {
        return sim_hip_result(hip_capture_wrong_thread);
    }
    if (!c || !atomic_compare_exchange_strong(&sim_hip_stream(handle)->capture, &c, NULL)) {
        return sim_hip_result(hip_illegal_state);
    }
    sim_graph *made = fsattn_alloc(1, sizeof *made);
    const int error = atomic_load(&c->spoilt) ? hip_capture_invalidated : made ? hip_success : hip_out_of_memory;
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
    *status = !c ? 0 : atomic_load(&c->spoilt) ? 2 : 1;
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
