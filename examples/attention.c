/* attention.c - everything an application does with libfsattn: open a cache, find a plan, prepare it, run it.
 *
 *     attention CACHE [FIELD=VALUE ...]   one problem: b hq hkv sq sk d q kv o layout mask lse scale
 *     attention --all CACHE               every tuned problem of the cache, as a table
 *     attention --device sim ...          on another device: hip, or sim, the simulator beside the programs
 *
 * Each result is compared with attention in double on some query rows. Exit 0: all right; 1: a wrong result,
 * a failure, or
 * (--all) a problem whose plan is not the tuned one; 2: wrong command line; 4: standard output cannot be written.
 */
#include "fsattn.h"
#include "gpu_memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { sampled_rows = 32 };

static int report(const fsattn_err *err) {
    fprintf(stderr, "attention: %s\n", err->message);
    if (err->hint[0]) {
        fprintf(stderr, "  %s\n", err->hint);
    }
    return 1;
}

/* ---- tensors -------------------------------------------------------------------------------- */

/* Dense, in the problem's layout. */
typedef struct tensor {
    void *data;
    fsattn_dtype dtype;
    int64_t heads, rows;
} tensor;

static double element(const tensor *t, int64_t index) {
    if (t->dtype == FSATTN_F32) {
        return ((const float *)t->data)[index];
    }
    uint32_t bits = (uint32_t)((const uint16_t *)t->data)[index]
                    << 16; /* bfloat16 is the upper half of a float */
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void element_set(tensor *t, int64_t index, float value) {
    if (t->dtype == FSATTN_F32) {
        ((float *)t->data)[index] = value;
        return;
    }
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    ((uint16_t *)t->data)[index] = (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16); /* to nearest even */
}

static int64_t row_start(const fsattn_problem *p, const tensor *t, int64_t b, int64_t h, int64_t s) {
    int64_t row =
        p->layout == FSATTN_BSHD ? (b * t->rows + s) * t->heads + h : (b * t->heads + h) * t->rows + s;
    return row * p->head_dim;
}

/* Nearly normal numbers (the sum of four uniform ones), the same in every run. */
static void fill(tensor *t, int64_t count, uint64_t seed) {
    for (int64_t i = 0; i < count; i++) {
        uint64_t x = (seed << 56) + (uint64_t)i * 0x9e3779b97f4a7c15u; /* SplitMix64 */
        x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
        x = (x ^ x >> 27) * 0x94d049bb133111ebu;
        x ^= x >> 31;
        int64_t sum = (int64_t)(x & 0xffff) + (int64_t)(x >> 16 & 0xffff) + (int64_t)(x >> 32 & 0xffff) +
                      (int64_t)(x >> 48) - 2 * 0xffff;
        element_set(t, i, (float)sum * (1.7320508f / 0xffff));
    }
}

static bool can_make(fsattn_dtype dtype) {
    return dtype == FSATTN_F32 || dtype == FSATTN_BF16;
}

/* Allocated; returns NULL in `data` when there is no memory. The type must be one that can be made. */
static tensor tensor_make(const fsattn_problem *p, fsattn_dtype dtype, int64_t heads, int64_t rows,
                          uint64_t seed) {
    tensor made = {.dtype = dtype, .heads = heads, .rows = rows};
    int64_t count = p->batch * heads * rows * p->head_dim;
    made.data = calloc((size_t)count, dtype == FSATTN_F32 ? 4 : 2);
    if (made.data && seed) {
        fill(&made, count, seed);
    }
    return made;
}

typedef struct operands {
    tensor q, k, v, o;
    float *lse;
} operands;

static void operands_free(operands *at) {
    free(at->q.data);
    free(at->k.data);
    free(at->v.data);
    free(at->o.data);
    free(at->lse);
}

static fsattn_status complain(fsattn_status status, const char *message, const char *hint, fsattn_err *err) {
    snprintf(err->message, sizeof err->message, "%s", message);
    snprintf(err->hint, sizeof err->hint, "%s", hint);
    err->code = status;
    return status;
}

static fsattn_status operands_make(const fsattn_problem *p, operands *at, fsattn_err *err) {
    if (!can_make(p->dtype_q) || !can_make(p->dtype_kv) || !can_make(p->dtype_o)) {
        return complain(FSATTN_UNSUPPORTED, "this program makes tensors of f32 and bf16 only", "choose them: q=bf16 kv=bf16 o=f32", err);
    }
    at->q = tensor_make(p, p->dtype_q, p->heads_q, p->s_q, 1);
    at->k = tensor_make(p, p->dtype_kv, p->heads_kv, p->s_k, 2);
    at->v = tensor_make(p, p->dtype_kv, p->heads_kv, p->s_k, 3);
    at->o = tensor_make(p, p->dtype_o, p->heads_q, p->s_q, 0);
    at->lse = p->lse ? calloc((size_t)(p->batch * p->heads_q * p->s_q), sizeof *at->lse) : NULL;
    if (at->q.data && at->k.data && at->v.data && at->o.data && (at->lse || !p->lse)) {
        return FSATTN_OK;
    }
    char message[128];
    const double rows_q = (double)p->batch * (double)p->heads_q * (double)p->s_q, rows_kv = (double)p->batch * (double)p->heads_kv * (double)p->s_k;
    snprintf(message, sizeof message, "no memory for the tensors, %.3g million elements", 2e-6 * (rows_q + rows_kv) * (double)p->head_dim);
    return complain(FSATTN_NO_MEMORY, message, "choose a smaller problem: b, hq, hkv, sq, sk", err);
}

/* ---- the reference -------------------------------------------------------------------------- */

/* Attention of one query row in double: `out` of head_dim elements; returns the log-sum-exp. `scores` has
 * room for s_k. */
static double reference_row(const fsattn_problem *p, const operands *at, int64_t b, int64_t h, int64_t i,
                            double *scores, double *out) {
    double scale = p->scale != 0 ? (double)p->scale : 1 / sqrt((double)p->head_dim), maximum = -INFINITY,
           total = 0;
    int64_t live = p->mask == FSATTN_MASK_CAUSAL ? i + 1 + p->s_k - p->s_q : p->s_k;
    int64_t q = row_start(p, &at->q, b, h, i), kv_head = h / (p->heads_q / p->heads_kv);
    for (int64_t j = 0; j < live; j++) {
        int64_t k = row_start(p, &at->k, b, kv_head, j);
        double dot = 0;
        for (int64_t d = 0; d < p->head_dim; d++) {
            dot += element(&at->q, q + d) * element(&at->k, k + d);
        }
        scores[j] = dot * scale;
        maximum = fmax(maximum, scores[j]);
    }
    memset(out, 0, (size_t)p->head_dim * sizeof *out);
    for (int64_t j = 0; j < live; j++) {
        int64_t v = row_start(p, &at->v, b, kv_head, j);
        double weight = exp(scores[j] - maximum);
        total += weight;
        for (int64_t d = 0; d < p->head_dim; d++) {
            out[d] += weight * element(&at->v, v + d);
        }
    }
    for (int64_t d = 0; d < p->head_dim && total > 0; d++) {
        out[d] /= total;
    }
    return total > 0 ? maximum + log(total) : -INFINITY;
}

typedef struct difference {
    double output; /* of the norms: |o - reference| / |reference| over the sampled rows */
    double lse;    /* largest absolute difference */
} difference;

/* NaN when there is no memory, which no tolerance accepts. */
static difference compare(const fsattn_problem *p, const operands *at) {
    double *scores = calloc((size_t)p->s_k, sizeof *scores), *row = calloc((size_t)p->head_dim, sizeof *row);
    double error = 0, norm = 0, lse_error = 0;
    int64_t total = p->batch * p->heads_q * p->s_q, count = total < sampled_rows ? total : sampled_rows;
    for (int64_t n = 0; scores && row && n < count; n++) {
        /* Evenly spread from the first row to the last one, so that tails and all heads have their share. */
        int64_t index = count > 1 ? (int64_t)((double)(total - 1) * (double)n / (double)(count - 1)) : 0;
        int64_t i = index % p->s_q, h = index / p->s_q % p->heads_q, b = index / (p->s_q * p->heads_q);
        double lse = reference_row(p, at, b, h, i, scores, row);
        int64_t o = row_start(p, &at->o, b, h, i);
        for (int64_t d = 0; d < p->head_dim; d++) {
            double apart = element(&at->o, o + d) - row[d];
            error += apart * apart;
            norm += row[d] * row[d];
        }
        if (at->lse && !(isinf(lse) && (double)at->lse[index] == lse)) {
            double apart = fabs((double)at->lse[index] - lse);
            lse_error = apart <= lse_error ? lse_error : apart; /* keeps a NaN */
        }
    }
    double output = norm > 0 ? sqrt(error / norm) : sqrt(error);
    bool compared = scores && row;
    free(scores);
    free(row);
    return compared ? (difference){output, lse_error} : (difference){NAN, NAN};
}

/* ---- the device's copies --------------------------------------------------------------------- */

/* What fsattn_run gets: the tensors themselves on the host, copies in the GPU's memory elsewhere. */
typedef struct placed {
    void *q, *k, *v, *o, *lse;
} placed;

static size_t tensor_bytes(const fsattn_problem *p, const tensor *t) {
    return (size_t)(p->batch * t->heads * t->rows * p->head_dim) * (t->dtype == FSATTN_F32 ? 4 : 2);
}

static size_t lse_bytes(const fsattn_problem *p) {
    return p->lse ? (size_t)(p->batch * p->heads_q * p->s_q) * sizeof(float) : 0;
}

static void placed_free(const gpu_memory *gpu, placed *at) {
    void *const all[] = {at->q, at->k, at->v, at->o, at->lse};
    for (size_t i = 0; gpu && i < sizeof all / sizeof all[0]; i++) {
        gpu->release(all[i]);
    }
}

static bool place(const gpu_memory *gpu, const void *from, size_t bytes, void **made) {
    enum { any_direction = 4 };
    return bytes == 0 || (gpu->allocate(made, bytes) == 0 && gpu->copy(*made, from, bytes, any_direction) == 0);
}

/* `gpu` NULL: the host. */
static bool placed_make(const gpu_memory *gpu, const fsattn_problem *p, const operands *at, placed *made) {
    *made = (placed){at->q.data, at->k.data, at->v.data, at->o.data, at->lse};
    if (!gpu) {
        return true;
    }
    *made = (placed){NULL, NULL, NULL, NULL, NULL};
    return place(gpu, at->q.data, tensor_bytes(p, &at->q), &made->q) && place(gpu, at->k.data, tensor_bytes(p, &at->k), &made->k) &&
           place(gpu, at->v.data, tensor_bytes(p, &at->v), &made->v) && place(gpu, at->o.data, tensor_bytes(p, &at->o), &made->o) &&
           place(gpu, at->lse, lse_bytes(p), &made->lse);
}

static bool fetch_outputs(const gpu_memory *gpu, const fsattn_problem *p, const placed *at, operands *to) {
    enum { any_direction = 4 };
    return !gpu || (gpu->copy(to->o.data, at->o, tensor_bytes(p, &to->o), any_direction) == 0 &&
                    (!p->lse || gpu->copy(to->lse, at->lse, lse_bytes(p), any_direction) == 0));
}

/* ---- running -------------------------------------------------------------------------------- */

static double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

typedef struct outcome {
    fsattn_plan_info info;
    double time_ns; /* the fastest of a few runs */
    difference apart;
    double allowed;
    bool right;
    bool packed;   /* also with K and V packed once */
    bool captured; /* also from a graph */
} outcome;

/* Runs for at least half a second or five times, whichever comes first. */
static fsattn_status run_timed(fsattn_context *context, const fsattn_plan *plan, const gpu_memory *gpu,
                               const placed *at, double *time_ns, fsattn_err *err) {
    const fsattn_arguments arguments = {.size = sizeof arguments,
                                        .q.data = at->q,
                                        .k.data = at->k,
                                        .v.data = at->v,
                                        .o.data = at->o,
                                        .lse = at->lse};
    double begin = now_ns(), fastest = INFINITY;
    for (int run = 0; run < 5 && (run == 0 || now_ns() - begin < 5e8); run++) {
        double start = now_ns();
        fsattn_status status = fsattn_run(context, plan, &arguments, err);
        if (status == FSATTN_OK && gpu && gpu->wait() != 0) {
            snprintf(err->message, sizeof err->message, "the GPU reports a failure of the run");
            err->hint[0] = '\0';
            status = FSATTN_DEVICE;
        }
        if (status != FSATTN_OK) {
            return status;
        }
        fastest = fmin(fastest, now_ns() - start);
    }
    *time_ns = fastest;
    return FSATTN_OK;
}

/* Zeros in the outputs on the GPU, so that what is fetched later can only come from a run after this. */
static bool clear_outputs(const gpu_memory *gpu, const fsattn_problem *p, const placed *at, operands *to) {
    enum { any_direction = 4 };
    memset(to->o.data, 0, tensor_bytes(p, &to->o));
    if (p->lse) {
        memset(to->lse, 0, lse_bytes(p));
    }
    return gpu->copy(at->o, to->o.data, tensor_bytes(p, &to->o), any_direction) == 0 &&
           (!p->lse || gpu->copy(at->lse, to->lse, lse_bytes(p), any_direction) == 0);
}

/* K and V quantized once, then read by two runs. */
static fsattn_status run_packed(fsattn_context *context, const fsattn_plan *plan, const gpu_memory *gpu, const fsattn_problem *p,
                                const fsattn_plan_info *info, const placed *at, operands *to, fsattn_err *err) {
    fsattn_packed packed = {.size = sizeof packed, .bytes = info->packed_bytes};
    fsattn_arguments arguments = {.size = sizeof arguments, .k.data = at->k, .v.data = at->v};
    if (gpu->allocate(&packed.memory, packed.bytes) != 0) {
        return complain(FSATTN_NO_MEMORY, "no memory on the GPU for packed K and V", "", err);
    }
    fsattn_status status = fsattn_pack(context, plan, &arguments, &packed, err);
    arguments = (fsattn_arguments){.size = sizeof arguments, .q.data = at->q, .o.data = at->o, .lse = at->lse};
    for (int run = 0; run < 2 && status == FSATTN_OK; run++) {
        status = gpu->wait() == 0 && clear_outputs(gpu, p, at, to)
                     ? fsattn_run_packed(context, plan, &packed, &arguments, err)
                     : complain(FSATTN_DEVICE, "the GPU cannot be written to", "", err);
    }
    if (status == FSATTN_OK && (gpu->wait() != 0 || !fetch_outputs(gpu, p, at, to))) {
        status = complain(FSATTN_DEVICE, "the GPU reports a failure of a run with packed K and V", "", err);
    }
    gpu->wait();
    gpu->release(packed.memory);
    return status;
}

/* One run captured in a HIP graph, which is launched twice. The plan is prepared and the workspace is ours, so the run only launches. */
static fsattn_status run_captured(fsattn_context *context, const fsattn_plan *plan, const gpu_memory *gpu, const fsattn_problem *p,
                                  const fsattn_plan_info *info, const placed *at, operands *to, fsattn_err *err) {
    enum { capture_global = 0 };
    fsattn_arguments arguments = {.size = sizeof arguments, .q.data = at->q, .k.data = at->k, .v.data = at->v, .o.data = at->o,
                                  .lse = at->lse, .workspace_bytes = info->workspace_bytes};
    void *graph = NULL, *executable = NULL;
    fsattn_status status = FSATTN_OK;
    if (gpu->allocate(&arguments.workspace, arguments.workspace_bytes) != 0 || gpu->stream_create(&arguments.stream) != 0 ||
        gpu->capture_begin(arguments.stream, capture_global) != 0) {
        status = complain(FSATTN_DEVICE, "the GPU has no memory or stream for a graph", "", err);
        goto out;
    }
    status = fsattn_run(context, plan, &arguments, err);
    if ((gpu->capture_end(arguments.stream, &graph) != 0 || gpu->graph_instantiate(&executable, graph, NULL, NULL, 0) != 0) &&
        status == FSATTN_OK) {
        status = complain(FSATTN_DEVICE, "the run cannot be captured", "", err);
    }
    for (int run = 0; run < 2 && status == FSATTN_OK; run++) {
        if (gpu->wait() != 0 || !clear_outputs(gpu, p, at, to) || gpu->graph_launch(executable, arguments.stream) != 0) {
            status = complain(FSATTN_DEVICE, "the captured run cannot be launched", "", err);
        }
    }
    if (status == FSATTN_OK && (gpu->wait() != 0 || !fetch_outputs(gpu, p, at, to))) {
        status = complain(FSATTN_DEVICE, "the GPU reports a failure of a captured run", "", err);
    }
out:
    gpu->wait();
    if (executable) {
        gpu->executable_destroy(executable);
    }
    if (graph) {
        gpu->graph_destroy(graph);
    }
    if (arguments.stream) {
        gpu->stream_destroy(arguments.stream);
    }
    gpu->release(arguments.workspace);
    return status;
}

/* What the tuner measured, with room for other inputs, but no less than what rounding the output costs. */
static void judge(const fsattn_problem *problem, const operands *at, outcome *made) {
    double rounding = problem->dtype_o == FSATTN_F32 ? 1e-5 : 5e-3;
    made->apart = compare(problem, at);
    made->allowed = fmax(rounding, 4 * made->info.relative_error);
    made->right = made->apart.output <= made->allowed && made->apart.lse <= fmax(1e-3, made->allowed);
}

static fsattn_status run_problem(fsattn_context *context, const gpu_memory *gpu, const fsattn_problem *problem, bool capture,
                                 outcome *made, fsattn_err *err) {
    fsattn_plan plan;
    operands at = {.lse = NULL};
    placed there = {NULL, NULL, NULL, NULL, NULL};
    fsattn_status status = fsattn_plan_find(context, problem, NULL, &plan, err);
    if (status == FSATTN_OK) {
        status = fsattn_prepare(context, &plan, err);
    }
    made->info.size = sizeof made->info;
    if (status == FSATTN_OK) {
        status = fsattn_plan_info_get(context, &plan, &made->info, err);
    }
    if (status == FSATTN_OK) {
        status = operands_make(problem, &at, err);
    }
    if (status == FSATTN_OK && !placed_make(gpu, problem, &at, &there)) {
        status = complain(FSATTN_NO_MEMORY, "no memory on the GPU for the tensors", "choose a smaller problem: b, hq, hkv, sq, sk", err);
    }
    if (status == FSATTN_OK) {
        status = run_timed(context, &plan, gpu, &there, &made->time_ns, err);
    }
    if (status == FSATTN_OK && !fetch_outputs(gpu, problem, &there, &at)) {
        snprintf(err->message, sizeof err->message, "the output cannot be copied from the GPU");
        err->hint[0] = '\0';
        status = FSATTN_DEVICE;
    }
    if (status == FSATTN_OK) {
        judge(problem, &at, made);
    }
    if (status == FSATTN_OK && gpu && made->right && made->info.packed_bytes) {
        status = run_packed(context, &plan, gpu, problem, &made->info, &there, &at, err);
        if (status == FSATTN_OK) {
            judge(problem, &at, made);
            made->packed = made->right;
        }
    }
    if (status == FSATTN_OK && gpu && capture && made->right) {
        status = run_captured(context, &plan, gpu, problem, &made->info, &there, &at, err);
        if (status == FSATTN_OK) {
            judge(problem, &at, made);
            made->captured = made->right;
        }
    }
    placed_free(gpu, &there);
    operands_free(&at);
    return status;
}

static double flop(const fsattn_problem *p) {
    double keys = (double)p->s_k, rows = (double)p->s_q;
    double pairs =
        p->mask == FSATTN_MASK_CAUSAL ? fmin(rows, keys) * (keys - (fmin(rows, keys) - 1) / 2) : rows * keys;
    return 4 * (double)p->head_dim * pairs * (double)(p->batch * p->heads_q);
}

static int run_one(fsattn_context *context, const gpu_memory *gpu, const fsattn_problem *problem) {
    outcome got = {.right = false};
    fsattn_err err;
    char text[fsattn_problem_text_bytes];
    if (run_problem(context, gpu, problem, true, &got, &err) != FSATTN_OK) {
        return report(&err);
    }
    fsattn_problem_text(problem, text);
    printf("problem        %s\n", text);
    printf("plan           %s (distance %.3g), tuned for %s\n", fsattn_plan_source_text(got.info.source),
           got.info.distance, got.info.tuned_problem);
    printf("kernel         %s %s\n", got.info.template_name, got.info.configuration);
    printf("code for       %s, from %s\n", got.info.isa, got.info.cache);
    printf("time           %.3f ms, %.1f GFLOP/s; tuned: %.3f ms (%s)\n", got.time_ns / 1e6,
           flop(problem) / got.time_ns, got.info.time_ns / 1e6,
           got.info.provenance == FSATTN_MEASURED ? "measured" : "modelled");
    printf("relative error %.3g on %d rows, allowed %.3g", got.apart.output, sampled_rows, got.allowed);
    printf(problem->lse ? "; log-sum-exp off by %.3g\n" : "\n", got.apart.lse);
    if (got.packed) {
        printf("packed         K and V packed once, %zu bytes, two runs: right too\n", got.info.packed_bytes);
    }
    if (got.captured) {
        printf("captured       one run in a HIP graph, launched twice: right too\n");
    }
    printf("%s\n", got.right ? "right" : "WRONG");
    return !got.right;
}

static int run_all(fsattn_context *context, const gpu_memory *gpu) {
    fsattn_problem problem;
    fsattn_err err;
    int count = 0, bad = 0;
    printf("%-8s %10s %10s %9s %9s %9s  %-7s problem: kernel\n", "source", "time ms", "tuned ms", "GFLOP/s",
           "error", "allowed", "result");
    while (fsattn_problem_at(context, (size_t)count, &problem, &err) == FSATTN_OK) {
        outcome got = {.right = false};
        char text[fsattn_problem_text_bytes];
        count++;
        fsattn_problem_text(&problem, text);
        if (run_problem(context, gpu, &problem, false, &got, &err) != FSATTN_OK) {
            printf("%-8s %s: %s\n", "FAILED", text, err.message);
            bad++;
            continue;
        }
        bool good = got.right && got.info.source == FSATTN_PLAN_TUNED;
        printf("%-8s %10.3f %10.3f %9.1f %9.2e %9.2e  %-7s %s: %s %s\n",
               fsattn_plan_source_text(got.info.source), got.time_ns / 1e6, got.info.time_ns / 1e6,
               flop(&problem) / got.time_ns, got.apart.output, got.allowed, got.right ? "right" : "WRONG",
               text, got.info.template_name, got.info.configuration);
        fflush(stdout);
        bad += !good;
    }
    printf("%d problems, %d bad\n", count, bad);
    if (!count) {
        fprintf(stderr, "attention: the cache has no tuned problem for this processor\n");
    }
    return bad > 0 || count == 0;
}

static void warn(void *data, const fsattn_err *err) {
    (void)data;
    fprintf(stderr, "attention: warning: %s\n", err->message);
}

/* What was printed counts only when somebody got it. */
static int finish(int result) {
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return result;
    }
    fprintf(stderr, "attention: standard output: cannot be written\n");
    return 4;
}

/* The words after the cache, joined, are a problem's text. */
static fsattn_status parse_problem(int count, char **words, fsattn_problem *problem, fsattn_err *err) {
    char text[2 * fsattn_problem_text_bytes] = "";
    size_t used = 0;
    for (int i = 0; i < count; i++) {
        used += (size_t)snprintf(text + used, sizeof text - used, "%s ", words[i]);
        if (used >= sizeof text) {
            snprintf(err->message, sizeof err->message, "the problem's text is too long");
            err->hint[0] = '\0';
            return FSATTN_USAGE;
        }
    }
    return fsattn_problem_parse(text, problem, err);
}

/* The device's name after --device, taken out of the words; NULL when there is none. */
static const char *take_device(int *argc, char **argv) {
    const char *device = *argc > 2 && !strcmp(argv[1], "--device") ? argv[2] : NULL;
    if (device) {
        memmove(argv + 1, argv + 3, (size_t)(*argc - 2) * sizeof *argv);
        *argc -= 2;
    }
    return device;
}

/* The simulator's library, beside the folder of this program. */
static void find_simulator(char *path, size_t bytes) {
    char program[4000];
    ssize_t got = readlink("/proc/self/exe", program, sizeof program - 1);
    program[got > 0 ? got : 0] = '\0';
    char *slash = strrchr(program, '/');
    snprintf(path, bytes, "%.*s/../lib/simulator/libamdhip64.so.7", slash ? (int)(slash - program) : 0, program);
}

int main(int argc, char **argv) {
    static const char usage[] =
        "usage: attention CACHE [FIELD=VALUE ...]\n"
        "       attention --all CACHE\n"
        "       attention --device hip|sim ... the same on a GPU, or on the simulator beside this program\n"
        "\n"
        "Runs the best kernel of a cache file for a problem, and compares the result with attention in double.\n"
        "--all runs every tuned problem of the file and prints a table.\n"
        "\n"
        "fields (default): b batches (1), hq query heads (1), hkv key and value heads (1), sq queries (1), sk keys (1),\n"
        "  d head dimension (128), q, kv, o element types (f32; or bf16), layout (bshd; or bhsd), mask (none; or causal),\n"
        "  lse log-sum-exp wanted (0; or 1), scale (default: 1/sqrt(d))\n"
        "  as in: attention tuned.fsc hq=12 hkv=12 sq=512 sk=512 d=64\n"
        "\n"
        "Exit status: 0 all right, 1 a wrong result or a failure, 2 wrong command line, 4 output cannot be written.\n";
    const char *device = take_device(&argc, argv);
    bool all = argc > 1 && !strcmp(argv[1], "--all");
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))) {
        fputs(usage, stdout);
        return finish(0);
    }
    if (argc < 2 || (all ? argc != 3 : argv[1][0] == '-')) {
        fputs(usage, stderr);
        return 2;
    }
    if (device && strcmp(device, "host") && strcmp(device, "hip") && strcmp(device, "sim")) {
        fprintf(stderr, "attention: --device: expected host, hip or sim, got '%s'\n", device);
        return 2;
    }
    fsattn_err err;
    fsattn_problem problem;
    if (!all && parse_problem(argc - 2, argv + 2, &problem, &err) != FSATTN_OK) {
        report(&err);
        return 2;
    }
    const char *cache = argv[all ? 2 : 1];
    fsattn_options options;
    fsattn_context *context;
    fsattn_options_init(&options);
    options.caches = &cache;
    options.cache_count = 1;
    options.warn = warn;
    options.device = device;
    char library[4096] = "libamdhip64.so.7", reason[256];
    gpu_memory memory;
    const bool on_gpu = device && strcmp(device, "host");
    if (device && !strcmp(device, "sim")) {
        find_simulator(library, sizeof library);
        options.library = library;
    }
    if (on_gpu && !gpu_memory_open(library, &memory, reason, sizeof reason)) {
        fprintf(stderr, "attention: no GPU memory: %s\n  %s\n", reason,
                strcmp(device, "sim") ? "a GPU needs ROCm 7's libamdhip64.so.7 in the loader's path (LD_LIBRARY_PATH); without one: --device sim"
                                      : "build or install the simulator beside this program");
        return 1;
    }
    const gpu_memory *gpu = on_gpu ? &memory : NULL;
    if (fsattn_open(&options, &context, &err) != FSATTN_OK) {
        return report(&err);
    }
    int result = all ? run_all(context, gpu) : run_one(context, gpu, &problem);
    fsattn_close(context);
    return finish(result);
}
