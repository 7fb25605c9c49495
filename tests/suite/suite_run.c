/* Running plans: right results for every shape and stride, K and V packed once, graphs, threads, and every
 * wrong argument refused. */
#include "suite.h"

#include "file.h"
#include "memory.h"
#include "../../examples/gpu_memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- results ---- */

static const char *const shapes[] = {
    SUITE_SIZES SUITE_PLAIN,
    "hq=2 hkv=2 sq=1 sk=1 " SUITE_PLAIN,
    "b=2 hq=3 hkv=1 sq=97 sk=97 " SUITE_PLAIN,
    "hq=2 hkv=1 sq=257 sk=193 scale=0.05 " SUITE_PLAIN,
    SUITE_SIZES SUITE_WITH_LSE,
    "b=2 hq=4 hkv=1 sq=33 sk=17 " SUITE_WITH_LSE,
    SUITE_SIZES SUITE_CAUSAL,
    "hq=2 hkv=2 sq=1 sk=1 " SUITE_CAUSAL,
    "b=2 hq=2 hkv=1 sq=64 sk=40 " SUITE_CAUSAL, /* rows without keys */
    "hq=2 hkv=2 sq=200 sk=333 " SUITE_CAUSAL,
    SUITE_SIZES SUITE_NARROW,
    "b=2 hq=3 hkv=3 sq=20 sk=21 " SUITE_NARROW,
};

static void run_shape(suite *s, fsattn_context *context, const char *text, uint64_t seed) {
    const fsattn_accuracy fine = {.size = sizeof fine, .maximum_relative_error = suite_fine_error(s)},
                          *const wanted[] = {NULL, &fine};
    for (int i = 0; i < 2; i++) {
        fsattn_err err = {0};
        const fsattn_plan plan = suite_plan(s, context, text, wanted[i]);
        const fsattn_plan_info info = suite_info(s, context, &plan);
        suite_operands t = suite_operands_make(s, &plan.problem, seed,
                                               i ? &info : NULL); /* also in the context's own workspace */
        const fsattn_arguments arguments = suite_arguments(&t);
        CHECK(suite_error(s, &t, NULL, NULL) > 1, "%s: right before the run", text);
        CHECK(fsattn_run(context, &plan, &arguments, &err) == FSATTN_OK, "%s: %s", text, err.message);
        suite_check(s, &t, NULL, &info, text);
        suite_operands_free(s, &t);
    }
}

static void results_are_right_for_every_shape(suite *s) {
    for (int threads = 1; threads <= (s->host ? 3 : 1); threads += 2) {
        fsattn_options options;
        fsattn_options_init(&options);
        options.threads = s->host ? threads : 0;
        fsattn_context *context = suite_open(s, &options);
        for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
            run_shape(s, context, shapes[i], i);
        }
        fsattn_close(context);
    }
}

/* Rows `pad` elements apart, heads outermost though the problem says rows are; the padding is NaN, and stays
 * that in the output. K and V of the first batch serve both. */
enum { pad = 136, wide = 128, rows = 21, heads = 2, batches = 2, padded = batches * heads * rows * pad };

static void spread(const uint16_t *dense, uint16_t *to) {
    memset(to, 0xff, padded * sizeof *to);
    for (int64_t r = 0; r < batches * rows * heads; r++) {
        const int64_t b = r / (rows * heads), i = r / heads % rows, h = r % heads;
        memcpy(to + ((b * heads + h) * rows + i) * pad, dense + r * wide, wide * sizeof *to);
    }
}

static void gather(suite *s, const uint16_t *from, uint16_t *dense) {
    size_t written = 0;
    for (int64_t r = 0; r < batches * rows * heads; r++) {
        const int64_t b = r / (rows * heads), i = r / heads % rows, h = r % heads;
        const uint16_t *row = from + ((b * heads + h) * rows + i) * pad;
        memcpy(dense + r * wide, row, wide * sizeof *dense);
        for (int64_t d = wide; d < pad; d++) {
            written += row[d] != 0xffff;
        }
    }
    CHECK(!written, "%zu elements of padding were written", written);
}

static void strides_are_followed(suite *s) {
    fsattn_err err = {0};
    fsattn_context *context = suite_open(s, NULL);
    const fsattn_plan plan = suite_plan(s, context, "b=2 hq=2 hkv=2 sq=21 sk=21 " SUITE_PLAIN, NULL);
    const fsattn_plan_info info = suite_info(s, context, &plan);
    suite_operands t = suite_operands_make(s, &plan.problem, 3, &info);
    const size_t half = t.values.kv_elements / 2, bytes = padded * sizeof(uint16_t);
    uint16_t *dense = fsattn_alloc(t.bytes[suite_q], 1), *loose = fsattn_alloc(bytes, 1);
    REQUIRE(dense && loose, "no memory");
    float *k = t.values.memory + t.values.q_elements, *v = k + t.values.kv_elements;
    memcpy(k + half, k, half * sizeof *k);
    memcpy(v + half, v, half * sizeof *v);
    void *q = suite_allocate(s, bytes), *o = suite_allocate(s, bytes);
    suite_get(s, dense, t.memory[suite_q], t.bytes[suite_q]);
    spread(dense, loose);
    suite_put(s, q, loose, bytes);
    memset(loose, 0xff, bytes);
    suite_put(s, o, loose, bytes);
    fsattn_arguments arguments = suite_arguments(&t);
    arguments.q = (fsattn_tensor){q, heads * rows * pad, rows * pad, pad};
    arguments.k = (fsattn_tensor){t.memory[suite_k], 0, wide, heads * wide};
    arguments.v = (fsattn_tensor){t.memory[suite_v], 0, wide, heads * wide};
    arguments.o = (fsattn_tensor){o, heads * rows * pad, rows * pad, pad};
    CHECK(fsattn_run(context, &plan, &arguments, &err) == FSATTN_OK, "%s", err.message);
    CHECK(fsattn_stream_synchronize(s->device, NULL, &err) == FSATTN_OK, "%s", err.message);
    suite_get(s, loose, o, bytes);
    gather(s, loose, dense);
    suite_put(s, t.memory[suite_o], dense, t.bytes[suite_o]);
    suite_check(s, &t, NULL, &info, "strides");
    fsattn_device_release(s->device, q);
    fsattn_device_release(s->device, o);
    fsattn_free(dense);
    fsattn_free(loose);
    suite_operands_free(s, &t);
    fsattn_close(context);
}

/* ---- K and V packed once ---- */

static void refuse_packed(suite *s, fsattn_context *context, const fsattn_plan *plan,
                          const fsattn_packed *packed, const fsattn_arguments *arguments,
                          const char *message) {
    fsattn_err err = {0};
    CHECK(fsattn_run_packed(context, plan, packed, arguments, &err) == FSATTN_INVALID &&
              strstr(err.message, message),
          "not '%s' but '%s'", message, err.message);
}

static void keys_and_values_are_packed_once(suite *s) {
    fsattn_err err = {0};
    fsattn_context *context = suite_open(s, NULL);
    const fsattn_accuracy fine = {.size = sizeof fine, .maximum_relative_error = suite_fine_error(s)};
    const fsattn_plan plan = suite_plan(s, context, SUITE_WITH_LSE, NULL),
                      other = suite_plan(s, context, SUITE_WITH_LSE, &fine);
    const fsattn_plan fewer = suite_plan(s, context, "hq=2 hkv=2 sq=7 sk=131 " SUITE_WITH_LSE, NULL);
    const fsattn_plan longer = suite_plan(s, context, "hq=4 hkv=2 sq=100 sk=132 " SUITE_WITH_LSE, NULL);
    const fsattn_plan_info info = suite_info(s, context, &plan);
    suite_operands t = suite_operands_make(s, &plan.problem, 5, &info),
                   u = suite_operands_make(s, &fewer.problem, 5, &info);
    /* The queries differ; keys and values are the same, whatever their number of queries is. */
    memcpy(u.values.memory + u.values.q_elements, t.values.memory + t.values.q_elements,
           2 * t.values.kv_elements * sizeof(float));
    fsattn_packed packed = {.size = sizeof packed, .bytes = info.packed_bytes}, empty = packed;
    packed.memory = info.packed_bytes ? suite_allocate(s, info.packed_bytes) : NULL;
    CHECK(s->host == !info.packed_bytes, "%zu bytes", info.packed_bytes);
    fsattn_arguments keys = {.size = sizeof keys, .k.data = t.memory[suite_k], .v.data = t.memory[suite_v]};
    fsattn_arguments run = suite_arguments(&t), less = suite_arguments(&u);
    run.k.data = run.v.data = less.k.data = less.v.data = NULL;
    CHECK(fsattn_pack(context, &plan, &keys, &packed, &err) == FSATTN_OK, "%s", err.message);
    for (int again = 0; again < 2; again++) {
        suite_clear(s, &t);
        CHECK(fsattn_run_packed(context, &plan, &packed, &run, &err) == FSATTN_OK, "%s", err.message);
        suite_check(s, &t, NULL, &info, "packed");
    }
    CHECK(fsattn_run_packed(context, &fewer, &packed, &less, &err) == FSATTN_OK, "%s", err.message);
    suite_check(s, &u, NULL, &info, "fewer queries");
    /* What does not fit is named. */
    refuse_packed(s, context, &longer, &packed, &run, "packed.problem.s_k: is 131, the plan's is 132");
    refuse_packed(s, context, &plan, &empty, &run, "holds nothing yet");
    less.v.data = t.memory[suite_v];
    refuse_packed(s, context, &fewer, &packed, &less, "arguments.v.data: is set");
    if (s->host) {
        CHECK(!strcmp(packed.layout, "plain"), "%s", packed.layout);
        strcpy(packed.layout, "mxfp6_k128");
    }
    refuse_packed(s, context, &other, &packed, &run,
                  s->host ? "lies as 'mxfp6_k128', this plan needs 'plain'" : "lies as 'mxfp4");
    keys.v.data = NULL;
    CHECK(fsattn_pack(context, &plan, &keys, &packed, &err) == FSATTN_INVALID &&
              strstr(err.message, "arguments.v.data: is NULL"),
          "%s", err.message);
    packed.size = 1;
    CHECK(fsattn_pack(context, &plan, &keys, &packed, &err) == FSATTN_INVALID, "a size of 1");
    fsattn_device_release(s->device, packed.memory);
    suite_operands_free(s, &t);
    suite_operands_free(s, &u);
    fsattn_close(context);
}

/* ---- the warm path ---- */

/* Once a plan is prepared, and with a workspace of the caller's: every allocation fails, the context's locks
 * are held by the thread itself. prog_gpu_warm.c counts the calls of HIP. */
static void warm_calls_neither_allocate_nor_lock(suite *s) {
    fsattn_err err = {0};
    fsattn_context *context = suite_open(s, NULL);
    const fsattn_plan plan = suite_plan(s, context, SUITE_PLAIN, NULL);
    const fsattn_plan_info info = suite_info(s, context, &plan);
    suite_operands t = suite_operands_make(s, &plan.problem, 6, &info);
    fsattn_arguments run = suite_arguments(&t), rest = run;
    fsattn_packed packed = {.size = sizeof packed, .bytes = info.packed_bytes};
    packed.memory = info.packed_bytes ? suite_allocate(s, info.packed_bytes) : NULL;
    rest.k.data = rest.v.data = NULL;
    CHECK(fsattn_run(context, &plan, &run, &err) == FSATTN_OK, "%s",
          err.message); /* the host's threads have their scratch from now on */
    alarm(60);
    pthread_mutex_lock(&context->lock);
    pthread_mutex_lock(&context->rooms_lock);
    fsattn_memory_fail_after(1);
    for (int i = 0; i < 3; i++) {
        fsattn_plan found;
        const fsattn_status statuses[] = {fsattn_plan_find(context, &plan.problem, NULL, &found, &err),
                                          fsattn_prepare(context, &plan, &err),
                                          fsattn_run(context, &plan, &run, &err),
                                          fsattn_pack(context, &plan, &run, &packed, &err),
                                          fsattn_run_packed(context, &plan, &packed, &rest, &err)};
        for (size_t k = 0; k < sizeof statuses / sizeof statuses[0]; k++) {
            CHECK(statuses[k] == FSATTN_OK, "call %zu: %s", k, err.message);
        }
    }
    fsattn_memory_fail_after(0);
    pthread_mutex_unlock(&context->rooms_lock);
    pthread_mutex_unlock(&context->lock);
    alarm(0);
    suite_check(s, &t, NULL, &info, "warm");
    fsattn_device_release(s->device, packed.memory);
    suite_operands_free(s, &t);
    fsattn_close(context);
}

/* Captured globally, a run must neither wait nor allocate, or the capture is spoiled; other values in the
 * same operands are seen by the graph. */
static void a_run_is_captured_in_a_graph(suite *s) {
    enum { capture_global = 0 };
    gpu_memory gpu;
    char reason[256];
    void *graph = NULL, *executable = NULL;
    fsattn_err err = {0};
    REQUIRE(gpu_memory_open(s->library ? s->library : "libamdhip64.so.7", &gpu, reason, sizeof reason), "%s",
            reason);
    fsattn_context *context = suite_open(s, NULL);
    const fsattn_plan plan = suite_plan(s, context, SUITE_WITH_LSE, NULL);
    const fsattn_plan_info info = suite_info(s, context, &plan);
    suite_operands t = suite_operands_make(s, &plan.problem, 7, &info),
                   next = suite_operands_make(s, &plan.problem, 8, NULL);
    fsattn_arguments run = suite_arguments(&t);
    CHECK(fsattn_prepare(context, &plan, &err) == FSATTN_OK, "%s", err.message);
    REQUIRE(gpu.stream_create(&run.stream) == 0 && gpu.capture_begin(run.stream, capture_global) == 0,
            "no capture");
    CHECK(fsattn_run(context, &plan, &run, &err) == FSATTN_OK, "%s", err.message);
    REQUIRE(gpu.capture_end(run.stream, &graph) == 0 &&
                gpu.graph_instantiate(&executable, graph, NULL, NULL, 0) == 0,
            "the capture was spoiled");
    CHECK(suite_error(s, &t, run.stream, NULL) > 1, "it ran while it was captured");
    for (int launch = 0; launch < 2; launch++) {
        CHECK(gpu.graph_launch(executable, run.stream) == 0, "launch %d", launch);
        suite_check(s, &t, run.stream, &info, "captured");
        suite_clear(s, &t);
        for (int i = suite_q; i <= suite_v; i++) {
            suite_put(s, t.memory[i], next.memory[i], t.bytes[i]);
        }
        memcpy(t.values.memory, next.values.memory,
               (t.values.q_elements + 2 * t.values.kv_elements) * sizeof(float));
    }
    gpu.executable_destroy(executable);
    gpu.graph_destroy(graph);
    gpu.stream_destroy(run.stream);
    suite_operands_free(s, &t);
    suite_operands_free(s, &next);
    fsattn_close(context);
}

/* ---- threads ---- */

typedef struct runner {
    suite *s;
    fsattn_context *context;
    fsattn_plan plan;
    suite_operands operands;
    fsattn_stream stream;
    fsattn_status status;
} runner;

static void *run_thrice(void *argument) {
    runner *self = argument;
    fsattn_arguments run = suite_arguments(&self->operands);
    run.stream = self->stream;
    for (int i = 0; i < 3 && self->status == FSATTN_OK; i++) {
        self->status = fsattn_run(self->context, &self->plan, &run, NULL);
    }
    return NULL;
}

/* Each on a stream of its own, two with workspace of their own and two in the context's. */
static void threads_run_at_once(suite *s) {
    enum { count = 4 };
    static const char *const texts[count] = {SUITE_PLAIN, SUITE_WITH_LSE, SUITE_CAUSAL, SUITE_PLAIN};
    runner runners[count];
    pthread_t threads[count];
    fsattn_context *context = suite_open(s, NULL);
    for (int i = 0; i < count; i++) {
        runners[i] = (runner){.s = s, .context = context, .plan = suite_plan(s, context, texts[i], NULL)};
        const fsattn_plan_info info = suite_info(s, context, &runners[i].plan);
        runners[i].operands =
            suite_operands_make(s, &runners[i].plan.problem, (uint64_t)i, i % 2 ? &info : NULL);
        REQUIRE(fsattn_stream_create(s->device, &runners[i].stream, NULL) == FSATTN_OK, "no stream");
    }
    for (int i = 0; i < count; i++) {
        REQUIRE(!pthread_create(&threads[i], NULL, run_thrice, &runners[i]), "no thread");
    }
    for (int i = 0; i < count; i++) {
        pthread_join(threads[i], NULL);
    }
    for (int i = 0; i < count; i++) {
        const fsattn_plan_info info = suite_info(s, context, &runners[i].plan);
        CHECK(runners[i].status == FSATTN_OK, "thread %d: %s", i, fsattn_status_name(runners[i].status));
        suite_check(s, &runners[i].operands, runners[i].stream, &info, texts[i]);
        suite_operands_free(s, &runners[i].operands);
    }
    fsattn_close(context);
    for (int i = 0; i < count; i++) {
        fsattn_stream_destroy(s->device, runners[i].stream);
    }
}

/* ---- wrong arguments ---- */

static void refuse(suite *s, fsattn_context *context, const fsattn_plan *plan, fsattn_arguments arguments,
                   const char *message) {
    fsattn_err err = {0};
    const fsattn_status status = fsattn_run(context, plan, &arguments, &err);
    CHECK(status == FSATTN_INVALID && strstr(err.message, message), "not '%s' but %s '%s'", message,
          fsattn_status_name(status), err.message);
    CHECK(!strchr(err.message, '\n'), "more than one line: %s", err.message);
}

static void wrong_operands_are_refused_by_name(suite *s) {
    fsattn_context *context = suite_open(s, NULL);
    const fsattn_plan plan = suite_plan(s, context, "b=2 hq=2 hkv=2 sq=16 sk=16 " SUITE_WITH_LSE, NULL);
    const fsattn_plan_info info = suite_info(s, context, &plan);
    suite_operands t = suite_operands_make(s, &plan.problem, 9, &info);
    const fsattn_arguments good = suite_arguments(&t);
    char *q = t.memory[suite_q], *k = t.memory[suite_k], *o = t.memory[suite_o];
    const size_t last = t.bytes[suite_o] - 2; /* of an operand's elements */
    fsattn_err err = {0};
    fsattn_arguments a;
#define REFUSED(change, message)                                                                             \
    a = good;                                                                                                \
    change;                                                                                                  \
    refuse(s, context, &plan, a, message)
    REFUSED(a.size = 0, "arguments.size");
    REFUSED(a.q.data = NULL, "arguments.q.data: is NULL");
    REFUSED(a.k.data = NULL, "arguments.k.data: is NULL");
    REFUSED(a.v.data = NULL, "arguments.v.data: is NULL");
    REFUSED(a.o.data = NULL, "arguments.o.data: is NULL");
    REFUSED(a.lse = NULL, "arguments.lse: is NULL");
    REFUSED(a.q.data = q + 1, "arguments.q.data: is not aligned");
    REFUSED(a.o.data = o + 1, "arguments.o.data: is not aligned");
    REFUSED(a.k.stride_s = -128, "arguments.k: negative stride");
    REFUSED(a.v.stride_b = INT64_MAX, "arguments.v: its strides reach past");
    REFUSED((a.v.stride_b = INT64_MAX / 2, a.v.stride_s = 1), "arguments.v: its strides reach past");
    REFUSED(a.o = ((fsattn_tensor){o, 4096, 128, 128}), "arguments.o: its rows overlap one another");
    REFUSED(a.o = ((fsattn_tensor){o, 0, 128, 256}), "arguments.o: its rows overlap one another");
    REFUSED(a.o = ((fsattn_tensor){o, 4096, 128, 127}), "arguments.o: its rows overlap one another");
    REFUSED(a.o = ((fsattn_tensor){o, 4095, 128, 256}), "arguments.o: its rows overlap one another");
    REFUSED(a.o.data = q, "arguments.o: overlaps q");
    REFUSED(a.o.data = k, "arguments.o: overlaps k");
    /* By its last element only; behind it any other operand may lie. */
    REFUSED(a.o.data = k + last, "arguments.o: overlaps ");
    REFUSED(a.v.data = o + last, "arguments.o: overlaps v");
    REFUSED(a.lse = (float *)(void *)o, "arguments.lse: overlaps o");
    REFUSED(a.lse = (float *)(void *)(o + last - 2), "arguments.lse: overlaps ");
    REFUSED(a.lse = (float *)(void *)k, "arguments.lse: overlaps k");
    if (info.workspace_bytes) {
        REFUSED(a.workspace_bytes--, "arguments.workspace_bytes: ");
        REFUSED(a.workspace = (char *)t.workspace + 128, "arguments.workspace: is not aligned to 256 bytes");
        REFUSED(a.k.stride_s = 2 * 128 + 1, "arguments.k: its rows do not begin at multiples of 4 bytes");
    }
    CHECK(suite_error(s, &t, NULL, NULL) > 1, "a refused call wrote its output");
    const fsattn_plan without = suite_plan(s, context, "b=2 hq=2 hkv=2 sq=16 sk=16 " SUITE_PLAIN, NULL);
    refuse(s, context, &without, good, "arguments.lse: is set");
    CHECK(fsattn_run(context, &plan, NULL, &err) == FSATTN_INVALID, "no arguments");
    CHECK(fsattn_run(context, NULL, &good, &err) == FSATTN_INVALID, "no plan");
    CHECK(fsattn_run(NULL, &plan, &good, &err) == FSATTN_INVALID, "no context");
    CHECK(fsattn_run(context, &plan, &good, &err) == FSATTN_OK, "%s", err.message);
    suite_check(s, &t, NULL, &info, "after all that");
    suite_operands_free(s, &t);
    fsattn_close(context);
}

static void a_plan_serves_what_it_was_found_for(suite *s) {
    fsattn_context *context = suite_open(s, NULL), *other = suite_open(s, NULL);
    const fsattn_plan plan = suite_plan(s, context, SUITE_PLAIN, NULL);
    suite_operands t = suite_operands_make(s, &plan.problem, 10, NULL);
    const fsattn_arguments arguments = suite_arguments(&t);
    fsattn_plan changed = plan;
    changed.problem.head_dim = 64;
    refuse(s, context, &changed, arguments, "not the one it was found for");
    changed.problem.head_dim = -1;
    refuse(s, context, &changed, arguments, "head_dim");
    changed = (fsattn_plan){0};
    refuse(s, context, &changed, arguments, "not found in this context");
    refuse(s, other, &plan, arguments, "not found in this context");
    suite_operands_free(s, &t);
    fsattn_close(other);
    fsattn_close(context);
}

const suite_case suite_run_cases[] = {
    {"results are right for every shape", results_are_right_for_every_shape, NULL},
    {"strides are followed", strides_are_followed, NULL},
    {"keys and values are packed once", keys_and_values_are_packed_once, NULL},
    {"warm calls neither allocate nor lock", warm_calls_neither_allocate_nor_lock, NULL},
    {"a run is captured in a graph", a_run_is_captured_in_a_graph, "graphs"},
    {"threads run at once", threads_run_at_once, NULL},
    {"wrong operands are refused by name", wrong_operands_are_refused_by_name, NULL},
    {"a plan serves what it was found for", a_plan_serves_what_it_was_found_for, NULL},
    {NULL, NULL, NULL}};
