/* The rollback on executed code: which overshoots the gates see (the paper's table 9), how often inputs trigger it, and what it costs at the paper's
 * rates. Compiled kernels run on the simulator, every count is held against the emulator's; a difference ends it with status 1. Cycles are
 * modelled. Usage: bench_rollback [bands|inputs|cost] (default: all); FSATTN_SIM_TIME=optimistic gives the other model. */
#include "compare.h"
#include "error.h"
#include "evaluator_gpu.h"
#include "gpu_link.h"
#include "gpu_worker.h"
#include "inputs.h"
#include "memory.h"
#include "mx.h"
#include "random.h"
#include "reference.h"
#include "verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { d = 128, tile_m = 256, tile_n = 128, blocks = d / fsattn_mx_block, wave_rows = 32 };
static const double clock_ghz = 2.4;

static void need(fsattn_status status, const fsattn_err *err) {
    if (status != FSATTN_OK) {
        fprintf(stderr, "bench_rollback: %s%s%s\n", err->message, err->hint[0] ? "; " : "", err->hint);
        exit(1);
    }
}

/* ---- inputs whose scores are dictated, in doublings: as in tests/support/placed_scores.h -------------------- */

static void place_row(float *row, const float rotated[blocks]) {
    memset(row, 0, d * sizeof *row);
    for (int b = 0; b < blocks; b++) {
        row[b * fsattn_mx_block + 5 * b] = rotated[b] * 1.00001f; /* rounding must not lower a power of two */
    }
    fsattn_hadamard(row, d);
    for (int e = 0; e < d; e++) {
        row[e] *= (float)(1 / sqrt((double)d));
    }
}

/* The largest number of two significant bits that is not above x. */
static float part_of(float x) {
    int exponent;
    const float fraction = frexpf(fabsf(x), &exponent);
    return fabsf(x) < 0x1p-4f ? 0 : copysignf(ldexpf(fraction >= 0.75f ? 0.75f : 0.5f, exponent), x);
}

static void place_key(fsattn_operands *operands, int64_t key, float doublings) {
    float parts[blocks];
    for (int b = 0; b < blocks; b++) {
        parts[b] = part_of(doublings);
        doublings -= parts[b];
    }
    place_row(operands->memory + operands->q_elements + key * d, parts);
}

/* The first key scores 0, the others -9 to -5 1/4; queries past `waves` waves score 0 throughout. V holds powers of two. */
static void place_all(fsattn_operands *operands, const fsattn_problem *p, int waves) {
    float *values = operands->memory + operands->q_elements + operands->kv_elements;
    for (int64_t i = 0; i < p->s_q; i++) {
        const float weight = i < waves * wave_rows ? 1 : 0;
        place_row(operands->memory + i * d, (float[blocks]){weight, weight, weight, weight});
    }
    for (int64_t j = 0; j < p->s_k; j++) {
        place_key(operands, j, j == 0 ? 0 : -5 - 0.25f * (float)(1 + fsattn_random_below(1, 1, (uint64_t)j, 16)));
        for (int e = 0; e < d; e++) {
            const uint64_t draw = fsattn_random_below(1, 2, (uint64_t)(j * d + e), 8);
            values[j * d + e] = (draw & 4 ? -1.0f : 1.0f) * ldexpf(1, (int)(draw & 3) - 1);
        }
    }
}

static fsattn_problem problem_of(int64_t s_q, int64_t s_k) {
    fsattn_problem p;
    fsattn_problem_init(&p);
    p.s_q = s_q;
    p.s_k = s_k;
    p.head_dim = d;
    p.dtype_q = p.dtype_kv = FSATTN_F32;
    p.dtype_o = FSATTN_BF16;
    p.scale = 0.69314718056f; /* ln 2: scores are doublings */
    return p;
}

/* ---- one kernel -------------------------------------------------------------------------------------------- */

typedef struct bench {
    fsattn_manifest *manifest;
    fsattn_evaluator *evaluator;
    char *library;
    int differences;
} bench;

typedef struct kernel {
    fsattn_variant *variant;
    fsattn_emulator_config emulator;
    fsattn_gpu_chain chain;
} kernel;

typedef struct run {
    unsigned long long rollbacks;
    double cycles; /* of the attention kernel on one compute unit */
    double error;
} run;

static kernel make_kernel(bench *b, const fsattn_problem *p, const char *text) {
    const fsattn_evaluator_ops *ops = b->evaluator->ops;
    const fsattn_setting setting = {.problem = p, .isa = b->evaluator->platform.isa};
    kernel k = {0};
    fsattn_config config;
    fsattn_outcome outcome;
    fsattn_err err = {0};
    need(fsattn_config_parse(&b->manifest->parameters, text, &config, &err), &err);
    need(ops->render(b->evaluator, p, &config, &k.variant, &outcome, &err), &err);
    if (k.variant) {
        need(ops->build(b->evaluator, &k.variant, 1, INT64_MAX, &outcome, &err), &err);
    }
    if (outcome.verdict != FSATTN_VERDICT_OK) {
        need(fsattn_fail(&err, FSATTN_INVALID, "%s: %s", text, outcome.reason), &err);
    }
    need(fsattn_verifier_emulator(b->manifest, &setting, &config, &k.emulator, &err), &err);
    need(fsattn_gpu_chain_read(k.variant->chain, k.variant->chain_count, &k.chain, &err), &err);
    return k;
}

static void *put(fsattn_device *device, const void *from, size_t bytes) {
    void *memory;
    fsattn_err err = {0};
    need(fsattn_device_allocate(device, bytes, &memory, &err), &err);
    if (from) {
        need(fsattn_device_copy(device, memory, from, bytes, NULL, &err), &err);
    }
    return memory;
}

static void launch_chain(fsattn_device *device, const kernel *k, const fsattn_problem *p, const fsattn_gpu_operands *at, double *time_ns) {
    fsattn_module *modules[fsattn_gpu_stage_limit] = {0};
    fsattn_event *events[2];
    fsattn_stream stream;
    fsattn_err err = {0};
    need(fsattn_stream_create(device, &stream, &err), &err);
    for (size_t i = 0; i < k->chain.count; i++) {
        const fsattn_stage *s = &k->variant->chain[i];
        const bool last = i + 1 == k->chain.count;
        fsattn_gpu_arguments arguments;
        fsattn_launch launch;
        fsattn_kernel *entry;
        need(fsattn_module_load(device, s->entry, s->code.data, s->code.bytes, NULL, &modules[i], &err), &err);
        need(fsattn_kernel_get(modules[i], s->entry, &entry, &err), &err);
        need(fsattn_gpu_stage_launch(&k->chain, i, p, at, &arguments, &launch, &err), &err);
        if (last) { /* recorded streams are timed: the others cost nothing */
            need(fsattn_stream_synchronize(device, NULL, &err), &err);
            need(fsattn_event_create(device, &events[0], &err), &err);
            need(fsattn_event_create(device, &events[1], &err), &err);
            need(fsattn_event_record(events[0], stream, &err), &err);
        }
        need(fsattn_kernel_launch(entry, &launch, last ? stream : NULL, &err), &err);
    }
    need(fsattn_event_record(events[1], stream, &err), &err);
    need(fsattn_event_elapsed(events[0], events[1], time_ns, &err), &err);
    for (size_t i = 0; i < 2; i++) {
        fsattn_event_destroy(events[i]);
    }
    fsattn_stream_destroy(device, stream);
    for (size_t i = 0; i < k->chain.count; i++) {
        fsattn_module_unload(modules[i]);
    }
}

/* Executes the chain; `reference` (nullable) are the rows that its output is compared with. */
static run execute(bench *b, const kernel *k, const fsattn_problem *p, const fsattn_qkv *x, const float *reference) {
    const fsattn_device_options options = {.name = "sim", .library = b->library};
    const fsattn_strides q = fsattn_strides_dense(p->layout, 1, p->s_q, d), kv = fsattn_strides_dense(p->layout, 1, p->s_k, d);
    const size_t rows = (size_t)p->s_q * d, keys = (size_t)p->s_k * d, element = fsattn_dtype_bytes(p->dtype_q);
    fsattn_device *device;
    fsattn_gpu_workspace workspace;
    fsattn_err err = {0};
    run r = {0};
    double time_ns;
    need(fsattn_gpu_workspace_of(&k->chain, p, &workspace, &err), &err);
    need(fsattn_device_open(&options, &device, &err), &err);
    char *raw = fsattn_alloc(keys + rows, sizeof(float));
    const struct {
        const float *from;
        size_t count;
    } operands[] = {{x->q, rows}, {x->k, keys}, {x->v, keys}};
    void *at[3];
    for (int i = 0; i < 3; i++) {
        fsattn_elements_write(p->dtype_q, operands[i].from, operands[i].count, raw);
        at[i] = put(device, raw, operands[i].count * element);
    }
    void *counter = put(device, &r.rollbacks, sizeof r.rollbacks), *o = put(device, NULL, rows * sizeof(uint16_t));
    const fsattn_gpu_operands all = {.q = {at[0], q.b, q.h, q.s}, .k = {at[1], kv.b, kv.h, kv.s}, .v = {at[2], kv.b, kv.h, kv.s},
                                     .o = {o, q.b, q.h, q.s}, .rollbacks = counter, .workspace = put(device, NULL, workspace.bytes)};
    launch_chain(device, k, p, &all, &time_ns);
    need(fsattn_device_copy(device, &r.rollbacks, counter, sizeof r.rollbacks, NULL, &err), &err);
    need(fsattn_device_copy(device, raw, o, rows * sizeof(uint16_t), NULL, &err), &err);
    need(fsattn_stream_synchronize(device, NULL, &err), &err);
    float *values = fsattn_alloc(rows, sizeof *values);
    fsattn_elements_read(p->dtype_o, raw, rows, values);
    fsattn_comparison comparison = {0};
    if (reference) {
        fsattn_comparison_add(&comparison, values, reference, rows);
    }
    r.error = reference ? fsattn_comparison_error(&comparison) : (double)NAN;
    r.cycles = time_ns * clock_ghz;
    fsattn_free(values);
    fsattn_free(raw);
    void *taken[] = {at[0], at[1], at[2], counter, o, all.workspace};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++) {
        fsattn_device_release(device, taken[i]);
    }
    fsattn_device_close(device);
    return r;
}

/* Rollbacks of the emulator; *tiles: tiles of 256 queries and 128 keys in which any of eight waves rolled back. */
static long long emulate(const kernel *k, const fsattn_problem *p, const fsattn_qkv *x, long long *tiles) {
    fsattn_emulator *emulator;
    fsattn_err err = {0};
    need(fsattn_emulator_create(&k->emulator, p, x, NULL, &emulator, &err), &err);
    const int64_t columns = (p->s_k + tile_n - 1) / tile_n, waves = fsattn_emulator_waves(emulator, (fsattn_rows){NULL, (size_t)p->s_q});
    fsattn_emulator_output out = {.o = fsattn_alloc((size_t)p->s_q * d, sizeof(float)), .gates = fsattn_alloc((size_t)(waves * columns), 1)};
    need(fsattn_emulator_run(emulator, (fsattn_rows){NULL, (size_t)p->s_q}, &out, &err), &err);
    *tiles = 0;
    for (int64_t j = 0; j < columns; j++) {
        for (int64_t first = 0; first < waves; first += tile_m / wave_rows) {
            bool any = false;
            for (int64_t w = first; w < waves && w < first + tile_m / wave_rows; w++) {
                any |= out.gates[w * columns + j] == FSATTN_GATE_FIRED;
            }
            *tiles += any;
        }
    }
    fsattn_free(out.o);
    fsattn_free(out.gates);
    fsattn_emulator_destroy(emulator);
    return out.rollbacks;
}

static const char *agree(bench *b, unsigned long long executed, long long emulated) {
    const bool equal = (long long)executed == emulated;
    b->differences += !equal;
    return equal ? "" : "  DIFFERS";
}

static void release(bench *b, kernel *k) {
    b->evaluator->ops->release(b->evaluator, k->variant);
}

/* ---- the tables -------------------------------------------------------------------------------------------- */

/* One spike in the third of five tiles, of two waves. */
static void bands(bench *b) {
    static const float overshoots[] = {31.3f, 33.3f, 97.3f, 120.5f, 125, 128.5f, 129.5f, 200.3f, 376, 400.3f, 900.3f};
    static const char *const reductions[] = {"fp32", "u16", "maximum3"};
    const fsattn_problem p = problem_of(64, 5 * tile_n);
    printf("\novershoots that a gate at 32 doublings sees, mxfp6: tiles rolled back of the 2 waves (executed = emulated), error against float64\n%10s", "doublings");
    for (int i = 0; i < 3; i++) {
        printf(" %10s %9s", reductions[i], "error");
    }
    printf("\n");
    kernel kernels[3];
    for (int i = 0; i < 3; i++) {
        char text[64];
        snprintf(text, sizeof text, "reduction=%s", reductions[i]);
        kernels[i] = make_kernel(b, &p, text);
    }
    float *reference = fsattn_alloc((size_t)p.s_q * d, sizeof *reference);
    for (size_t h = 0; h < sizeof overshoots / sizeof overshoots[0]; h++) {
        fsattn_operands operands;
        fsattn_err err = {0};
        need(fsattn_operands_init(&operands, &p, &err), &err);
        place_all(&operands, &p, 2);
        place_key(&operands, 2 * tile_n + 10, overshoots[h]);
        need(fsattn_reference_attention(&p, &operands.qkv, NULL, (fsattn_rows){NULL, (size_t)p.s_q}, reference, NULL, &err), &err);
        printf("%10.1f", (double)overshoots[h]);
        const char *said = "";
        for (int i = 0; i < 3; i++) {
            long long tiles;
            const run r = execute(b, &kernels[i], &p, &operands.qkv, reference);
            const char *differs = agree(b, r.rollbacks, emulate(&kernels[i], &p, &operands.qkv, &tiles));
            said = differs[0] ? differs : said;
            printf(" %10llu %9.3g", r.rollbacks, r.error);
        }
        printf("%s\n", said);
        fflush(stdout);
        fsattn_operands_fini(&operands);
    }
    fsattn_free(reference);
    for (int i = 0; i < 3; i++) {
        release(b, &kernels[i]);
    }
}

/* The distributions of the verification, as long as they have finite scores. */
static void inputs(bench *b) {
    static const fsattn_distribution rows[] = {FSATTN_DISTRIBUTION_NORMAL, FSATTN_DISTRIBUTION_OUTLIERS, FSATTN_DISTRIBUTION_LATE_SPIKE,
                                               FSATTN_DISTRIBUTION_HUGE_SCORES, FSATTN_DISTRIBUTION_LOW_BLOCKS};
    fsattn_problem p = problem_of(tile_m, 4096);
    p.dtype_q = p.dtype_kv = FSATTN_BF16;
    p.scale = 0; /* the usual one */
    kernel k = make_kernel(b, &p, "");
    printf("\nhow often inputs roll back, mxfp6, 256 queries on 4096 keys\n%-12s %10s %10s %16s\n", "inputs", "executed", "emulated", "workgroup tiles");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fsattn_operands operands;
        fsattn_err err = {0};
        long long tiles;
        need(fsattn_operands_init(&operands, &p, &err), &err);
        fsattn_inputs_fill(rows[i], 1, &p, &operands);
        const run r = execute(b, &k, &p, &operands.qkv, NULL);
        const long long emulated = emulate(&k, &p, &operands.qkv, &tiles);
        printf("%-12s %10llu %10lld %9lld of %lld%s\n", fsattn_distribution_text(rows[i]), r.rollbacks, emulated, tiles,
               (long long)(p.s_k / tile_n), agree(b, r.rollbacks, emulated));
        fflush(stdout);
        fsattn_operands_fini(&operands);
    }
    release(b, &k);
}

/* Cycles of 300 tiles of keys with `spikes` of them rolled back by so many waves. */
static double cycles_of(bench *b, const kernel *k, int spikes, int waves, bool gated) {
    const fsattn_problem p = problem_of(tile_m, 300 * tile_n);
    fsattn_operands operands;
    fsattn_err err = {0};
    long long tiles = 0;
    need(fsattn_operands_init(&operands, &p, &err), &err);
    place_all(&operands, &p, waves);
    for (int i = 0; i < spikes; i++) {
        place_key(&operands, (100 + 100 * i) * tile_n + 10, 33.25f * (float)(i + 1));
    }
    const run r = execute(b, k, &p, &operands.qkv, NULL);
    if (gated) {
        const long long emulated = emulate(k, &p, &operands.qkv, &tiles);
        if (agree(b, r.rollbacks, emulated)[0] || tiles != spikes) {
            printf("DIFFERS: %llu executed, %lld emulated, %lld tiles\n", r.rollbacks, emulated, tiles);
        }
    }
    fsattn_operands_fini(&operands);
    return r.cycles;
}

static void cost(bench *b) {
    static const struct {
        const char *name, *config;
    } rows[] = {{"mxfp8", "qk_format=mxfp8 p_format=fp8_row v_format=fp8"}, {"mxfp6", ""}, {"mxfp4", "qk_format=mxfp4 v_format=mxfp4"}};
    const fsattn_problem p = problem_of(tile_m, 300 * tile_n);
    const double tiles = 300;
    printf("\ncost of the gate, modelled cycles of a workgroup for a tile, 300 tiles of keys; two of them roll back at 0.67 %%\n");
    printf("%-8s %-10s %9s %9s %9s %9s %9s %12s %12s\n", "kernel", "waves", "no gate", "0", "0.014 %", "0.67 %", "one more", "0.014 % adds", "0.67 % adds");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "%s rollback=off", rows[i].config);
        kernel off = make_kernel(b, &p, text), on = make_kernel(b, &p, rows[i].config);
        for (int waves = 1; waves <= 8; waves += 7) {
            const double without = cycles_of(b, &off, 0, waves, false), none = cycles_of(b, &on, 0, waves, true), two = cycles_of(b, &on, 2, waves, true);
            const double each = (two - none) / 2, rare = none / tiles + each * 0.00014;
            printf("%-8s %-10s %9.1f %9.1f %9.1f %9.1f %9.0f %10.3f %% %10.3f %%\n", rows[i].name, waves == 1 ? "one of 8" : "all 8", without / tiles,
                   none / tiles, rare, two / tiles, each, (rare / (without / tiles) - 1) * 100, (two / without - 1) * 100);
            fflush(stdout);
        }
        release(b, &off);
        release(b, &on);
    }
    printf("0, 0.67 %%: executed; 0.014 %%, one tile in 7143: the first and so much of what one rollback takes (one more); adds: over no gate\n");
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        void (*print)(bench *b);
    } tables[] = {{"bands", bands}, {"inputs", inputs}, {"cost", cost}};
    bench b = {0};
    fsattn_err err = {0};
    need(fsattn_manifest_open(FSATTN_SOURCE_DIR "/templates/attention_gfx950", &b.manifest, &err), &err);
    const fsattn_evaluator_gpu_options options = {.manifest = b.manifest, .device = "sim", .seed = 1};
    need(fsattn_evaluator_gpu_open(&options, &b.evaluator, &err), &err);
    need(fsattn_gpu_library("sim", NULL, &b.library, &err), &err);
    printf("%s, %s: everything modelled\n", b.evaluator->platform.device, b.evaluator->platform.driver);
    int known = 0;
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (argc < 2 || !strcmp(argv[1], tables[i].name)) {
            tables[i].print(&b);
            known++;
        }
    }
    b.evaluator->ops->close(b.evaluator);
    fsattn_manifest_close(b.manifest);
    fsattn_free(b.library);
    if (!known) {
        fprintf(stderr, "bench_rollback: expected bands, inputs or cost, got '%s'\n", argv[1]);
        return 2;
    }
    return b.differences ? 1 : 0;
}
