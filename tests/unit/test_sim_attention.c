/* The gfx950 kernels as HIPRTC compiles them, on the simulator, against the emulator: quantization, then attention. Skipped without
 * ROCm. The same kernels' source is compared lane by lane in test_gfx950_semantics. */
#include "../support/sim_device.h"
#include "compare.h"
#include "emulator.h"
#include "gpu_abi.h"
#include "inputs.h"
#include "template.h"

#include <math.h>

enum { tile_m = 256, tile_n = 128, head_dim = 128 };

/* Sequences one after another: where each begins, and where the last ends. */
typedef struct lengths {
    int count, cu_q[8], cu_k[8];
    int longest_q, longest_k;
} lengths;

typedef struct variant {
    const char *qk, *p, *v; /* formats */
    const char *more;       /* of the attention kernel's configuration */
    const char *problem;    /* of sequences: all of them as one */
    fsattn_distribution distribution;
} variant;

/* ---- a family compiled --------------------------------------------------------------------------------- */

static sim_device compile(const char *family, const char *config, const fsattn_problem *problem) {
    char path[512];
    const char *options[16] = {0}, *reason;
    fsattn_manifest *manifest;
    fsattn_config parsed;
    fsattn_text source = {0};
    fsattn_hiprtc *hiprtc;
    fsattn_err err = {0};
    const fsattn_setting setting = {problem, "gfx950"};
    const fsattn_hiprtc_settings settings = {.helper = FSATTN_BINARY_DIR "/bin/fsattn-rocm-helper", .jobs = 1};
    if (fsattn_hiprtc_open(&settings, &hiprtc, &err) != FSATTN_OK) {
        cr_skip_test("%s", err.message);
    }
    snprintf(path, sizeof path, FSATTN_SOURCE_DIR "/templates/%s", family);
    cr_assert_eq(fsattn_manifest_open(path, &manifest, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_config_parse(&manifest->parameters, config, &parsed, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_manifest_check(manifest, &setting, &parsed, &reason, &err), FSATTN_OK);
    cr_assert_null(reason, "%s: %s", config, reason);
    cr_assert_eq(fsattn_template_render(manifest, &setting, &parsed, NULL, &source, &err), FSATTN_OK, "%s", err.message);
    cr_assert(manifest->option_count < 16);
    memcpy(options, manifest->options, manifest->option_count * sizeof *options);
    fsattn_hiprtc_job job = {.source = source.data, .options = options};
    cr_assert_eq(fsattn_hiprtc_compile(hiprtc, &job, 1, INT64_MAX, NULL, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(job.verdict, FSATTN_VERDICT_OK, "%s: %s", config, job.reason);
    setenv("FSATTN_SIM_CACHE", FSATTN_BINARY_DIR "/sim-cache", 1);
    setenv("FSATTN_ROCM_HELPER", FSATTN_BINARY_DIR "/bin/fsattn-rocm-helper", 1);
    sim_device d = sim_device_open(job.code, job.code_bytes);
    fsattn_hiprtc_job_fini(&job);
    fsattn_hiprtc_close(hiprtc);
    fsattn_text_fini(&source);
    fsattn_manifest_close(manifest);
    return d;
}

/* ---- operands on the device ------------------------------------------------------------------------------ */

static size_t lane_bytes(const char *format) {
    return strstr(format, "bf16") ? 64 : strstr(format, "8") ? 32 : strstr(format, "fp6") ? 24 : 16;
}
static void *room(sim_device *d, size_t bytes) {
    void *memory = NULL;
    cr_assert_eq(fsattn_device_allocate(d->device, bytes, &memory, NULL), FSATTN_OK);
    return memory;
}

typedef struct prepared {
    fsattn_problem problem;
    fsattn_operands operands;
    void *q, *k, *v, *v_scale;
    const lengths *sequences;
    void *cu_q, *cu_k; /* on the device */
} prepared;

static fsattn_gpu_quantize_args arguments_of(const prepared *p, int operand, void *raw, void *packed, void *partials) {
    const fsattn_qkv *x = &p->operands.qkv;
    const fsattn_strides *strides = operand == 0 ? &x->q_strides : operand == 1 ? &x->k_strides : &x->v_strides;
    const size_t first = operand == 0 ? 0 : p->operands.q_elements + (operand == 2 ? p->operands.kv_elements : 0);
    const double root = sqrt((double)head_dim);
    const lengths *n = p->sequences;
    const int64_t longest = operand == 0 ? n ? n->longest_q : p->problem.s_q : n ? n->longest_k : p->problem.s_k;
    return (fsattn_gpu_quantize_args){
        .x = (uint16_t *)raw + first, .packed = packed, .partials = partials, .v_scale = p->v_scale, .batch = n ? n->count : p->problem.batch,
        .heads = operand == 0 ? p->problem.heads_q : p->problem.heads_kv, .s = longest, .cu = operand == 0 ? p->cu_q : p->cu_k,
        .stride_b = strides->b, .stride_h = strides->h, .stride_s = strides->s,
        .factor = operand == 0 ? (float)((double)fsattn_problem_scale(&p->problem) * 1.4426950408889634074 / root) : (float)(1 / root),
    };
}

/* Packs Q, K and V with the family's kernels. */
static void prepare(const variant *c, const lengths *n, sim_device *d, prepared *p) {
    char config[256];
    const char *exponential = strstr(c->more, "exponential=");
    snprintf(config, sizeof config, "qk_format=%s p_format=%s v_format=%s tile_n=%d varlen=%s %.*s", c->qk, c->p, c->v, tile_n,
             n ? "true" : "false", exponential ? (int)strcspn(exponential, " ") : 0, exponential ? exponential : "");
    *d = compile("quantize_gfx950", config, &p->problem);
    cr_assert_eq(fsattn_operands_init(&p->operands, &p->problem, NULL), FSATTN_OK);
    fsattn_inputs_fill(c->distribution, 3, &p->problem, &p->operands);
    const size_t elements = p->operands.q_elements + 2 * p->operands.kv_elements;
    uint16_t *raw = fsattn_alloc(elements, sizeof *raw);
    fsattn_elements_write(FSATTN_BF16, p->operands.memory, elements, raw);
    void *x = sim_device_put(d, raw, elements * sizeof *raw), *partials = room(d, 256 * sizeof(float));
    if (n) {
        p->sequences = n;
        p->cu_q = sim_device_put(d, n->cu_q, sizeof n->cu_q);
        p->cu_k = sim_device_put(d, n->cu_k, sizeof n->cu_k);
    }
    const size_t groups = n ? (size_t)p->problem.s_q / 32 + (size_t)n->count : ((size_t)p->problem.s_q + 31) / 32;
    const size_t tiles = n ? (size_t)p->problem.s_k / tile_n + (size_t)n->count : ((size_t)p->problem.s_k + tile_n - 1) / tile_n;
    const size_t q_heads = (size_t)(p->problem.batch * p->problem.heads_q), kv_heads = (size_t)(p->problem.batch * p->problem.heads_kv);
    const size_t rows = 256 / (head_dim / 32), row_bytes = lane_bytes(c->qk) * head_dim / 32;
    const bool scaled = c->v[0] == 'm';
    /* Exactly as long as they must be: the simulator finds a read beyond the end. */
    p->q = room(d, q_heads * groups * (32 * row_bytes + 256));
    p->k = room(d, kv_heads * tiles * (tile_n * row_bytes + (c->qk[0] == 'm' ? 256 * head_dim / 64 : c->qk[0] == 'i' ? 256 : 0)));
    p->v = room(d, kv_heads * tiles * (tile_n * lane_bytes(c->v) * head_dim / 32 + (scaled ? 256 * tile_n / 64 : 0)));
    p->v_scale = room(d, sizeof(float));
    fsattn_gpu_quantize_args q = arguments_of(p, 0, x, p->q, NULL), k = arguments_of(p, 1, x, p->k, NULL),
                             v = arguments_of(p, 2, x, p->v, partials);
    const size_t batch = (size_t)q.batch, groups_run = ((size_t)q.s + 31) / 32, tiles_run = ((size_t)k.s + tile_n - 1) / tile_n;
    sim_device_run(d, "fsattn_quantize_q", (uint32_t)(batch * (size_t)q.heads * ((groups_run * 32 + rows - 1) / rows)), 256, q);
    sim_device_run(d, "fsattn_quantize_k", (uint32_t)(batch * (size_t)k.heads * ((tiles_run * tile_n + rows - 1) / rows)), 256, k);
    if (!strcmp(c->v, "fp8")) {
        sim_device_run(d, "fsattn_quantize_amax", 256, 256, v);
    }
    sim_device_run(d, "fsattn_quantize_v", (uint32_t)(batch * (size_t)v.heads * tiles_run), 256, v);
    fsattn_device_release(d->device, x);
    fsattn_device_release(d->device, partials);
    fsattn_free(raw);
}

/* ---- the emulator ---------------------------------------------------------------------------------------- */

/* All rows of a problem of which p's rows from these on are the operands. */
static void emulate(const char *config, const prepared *p, const fsattn_problem *problem, int64_t first_q, int64_t first_k,
                    const fsattn_block_mask *mask, fsattn_emulator_output *output) {
    fsattn_qkv qkv = p->operands.qkv;
    qkv.q += first_q * qkv.q_strides.s;
    qkv.k += first_k * qkv.k_strides.s;
    qkv.v += first_k * qkv.v_strides.s;
    fsattn_manifest *manifest;
    fsattn_config parsed;
    fsattn_pairs pairs;
    fsattn_emulator_config switches;
    fsattn_emulator *emulator;
    fsattn_err err = {0};
    const fsattn_setting setting = {&p->problem, "gfx950"};
    cr_assert_eq(fsattn_manifest_open(FSATTN_SOURCE_DIR "/templates/attention_gfx950", &manifest, &err), FSATTN_OK);
    cr_assert_eq(fsattn_config_parse(&manifest->parameters, config, &parsed, &err), FSATTN_OK);
    cr_assert_eq(fsattn_manifest_evaluate(manifest, FSATTN_SECTION_EMULATOR, &setting, &parsed, &pairs, &err), FSATTN_OK);
    fsattn_emulator_config_init(&switches);
    for (size_t i = 0; i < pairs.count; i++) {
        fsattn_text text = {0};
        fsattn_value_text(&pairs.items[i].value, &text);
        cr_assert_eq(fsattn_emulator_set(&switches, pairs.items[i].name, text.data, &err), FSATTN_OK, "%s", err.message);
        fsattn_text_fini(&text);
    }
    fsattn_manifest_close(manifest);
    cr_assert_eq(fsattn_emulator_create(&switches, problem, &qkv, mask, &emulator, &err), FSATTN_OK, "%s", err.message);
    const size_t rows = (size_t)fsattn_problem_rows(problem);
    cr_assert_eq(fsattn_emulator_run(emulator, (fsattn_rows){NULL, rows}, output, &err), FSATTN_OK, "%s", err.message);
    fsattn_emulator_destroy(emulator);
}

/* The lists of a problem with one head of at most 512 queries and 512 keys: two of every three tiles, not the first one for the
 * queries past 256. */
typedef struct block_lists {
    uint8_t live[8];
    int indices[8], counts[2];
    long long starts[2];
    fsattn_block_mask mask;
} block_lists;

static void list_blocks(block_lists *lists, const fsattn_problem *problem) {
    const int columns = (int)(problem->s_k + 127) / 128;
    int at = 0;
    cr_assert(problem->batch * problem->heads_q == 1 && problem->s_q <= 512 && columns <= 4);
    *lists = (block_lists){.mask = {lists->live, 256, 128, columns}};
    for (int i = 0; i * 256 < problem->s_q; i++) {
        lists->starts[i] = at;
        for (int j = 0; j < columns; j++) {
            lists->live[i * columns + j] = (i + j) % 3 != 1;
            if (lists->live[i * columns + j]) {
                lists->indices[at++] = j;
                lists->counts[i]++;
            }
        }
    }
}

/* The emulator's rows of each sequence, put where the kernel has them: heads outermost. */
static void emulate_sequences(const char *config, const prepared *p, fsattn_emulator_output *output) {
    const lengths *n = p->sequences;
    for (int i = 0; i < n->count; i++) {
        fsattn_problem part = p->problem;
        part.s_q = n->cu_q[i + 1] - n->cu_q[i];
        part.s_k = n->cu_k[i + 1] - n->cu_k[i];
        const size_t bytes = (size_t)part.s_q * head_dim * sizeof(float);
        if (!bytes) {
            continue;
        }
        fsattn_emulator_output made = {.o = fsattn_alloc((size_t)part.heads_q, bytes)};
        emulate(config, p, &part, n->cu_q[i], n->cu_k[i], NULL, &made);
        for (int64_t h = 0; h < part.heads_q; h++) {
            memcpy(output->o + (h * p->problem.s_q + n->cu_q[i]) * head_dim, made.o + h * part.s_q * head_dim, bytes);
        }
        output->rollbacks += made.rollbacks;
        fsattn_free(made.o);
    }
}

/* Heads of the problem lie one after another (BHSD), so that the emulator's rows are those of memory. */
static void check_sequences(const variant *c, const lengths *n) {
    char config[512];
    prepared p = {0};
    sim_device quantizer;
    fsattn_err err = {0};
    cr_assert_eq(fsattn_problem_parse(c->problem, &p.problem, &err), FSATTN_OK, "%s", err.message);
    prepare(c, n, &quantizer, &p);
    snprintf(config, sizeof config, "qk_format=%s p_format=%s v_format=%s tile_n=%d tile_m=%d varlen=%s %s", c->qk, c->p, c->v, tile_n, tile_m,
             n ? "true" : "false", c->more);
    const bool listed = strstr(c->more, "blocks=true") != NULL;
    block_lists lists = {0};
    if (listed) {
        list_blocks(&lists, &p.problem);
    }
    sim_device d = compile("attention_gfx950", config, &p.problem);
    const size_t rows = (size_t)fsattn_problem_rows(&p.problem), count = rows * head_dim;
    float *o = fsattn_alloc(count, sizeof *o), *expected = fsattn_alloc(count, sizeof *expected);
    uint16_t *raw = fsattn_alloc(count, sizeof *raw);
    unsigned long long rollbacks = 0;
    void *out = room(&d, count * sizeof *raw), *counter = sim_device_put(&d, &rollbacks, sizeof rollbacks);
    const int64_t batch = n ? n->count : p.problem.batch, longest = n ? n->longest_q : p.problem.s_q;
    fsattn_gpu_attention_args args = {
        .q = p.q, .k = p.k, .v = p.v, .o = out, .v_scale = p.v_scale, .rollbacks = counter, .batch = batch,
        .heads_q = p.problem.heads_q, .heads_kv = p.problem.heads_kv, .s_q = longest, .s_k = n ? n->longest_k : p.problem.s_k,
        .block_indices = sim_device_put(&d, lists.indices, sizeof lists.indices),
        .block_starts = sim_device_put(&d, lists.starts, sizeof lists.starts),
        .block_counts = sim_device_put(&d, lists.counts, sizeof lists.counts), .cu_q = p.cu_q, .cu_k = p.cu_k,
        .o_stride_b = p.problem.heads_q * p.problem.s_q * head_dim, .o_stride_h = p.problem.s_q * head_dim, .o_stride_s = head_dim};
    sim_device_run(&d, "fsattn_attention", (uint32_t)(batch * p.problem.heads_q * ((longest + tile_m - 1) / tile_m)), 2 * tile_m,
                   args);
    sim_device_get(&d, raw, out, count * sizeof *raw);
    sim_device_get(&d, &rollbacks, counter, sizeof rollbacks);
    fsattn_elements_read(FSATTN_BF16, raw, count, o);

    fsattn_emulator_output output = {.o = expected};
    fsattn_comparison comparison = {0};
    if (n) {
        emulate_sequences(config, &p, &output);
    } else {
        emulate(config, &p, &p.problem, 0, 0, listed ? &lists.mask : NULL, &output);
    }
    fsattn_comparison_add(&comparison, o, expected, count);
    const double error = fsattn_comparison_error(&comparison);
    /* BF16 and INT8 scores are scaled after the product, in the emulator before it: one code of a thousand moves. */
    cr_expect(error < (c->qk[0] == 'm' ? 1e-4 : 1e-3), "[%s] %s: relative error %.3g against the emulator", config, c->problem, error);
    cr_expect_eq((int64_t)rollbacks, output.rollbacks, "[%s] %s: %llu rollbacks, not %lld", config, c->problem, rollbacks,
                 (long long)output.rollbacks);
    void *const memory[] = {p.q, p.k, p.v, p.v_scale, p.cu_q, p.cu_k, out, counter, (void *)(uintptr_t)args.block_indices,
                            (void *)(uintptr_t)args.block_starts, (void *)(uintptr_t)args.block_counts};
    for (size_t i = 0; i < sizeof memory / sizeof *memory; i++) {
        fsattn_device_release(d.device, memory[i]);
    }
    fsattn_free(o);
    fsattn_free(expected);
    fsattn_free(raw);
    fsattn_operands_fini(&p.operands);
    sim_device_close(&quantizer);
    sim_device_close(&d);
}

static void check(const variant *c) {
    check_sequences(c, NULL);
}

#define BHSD "q=bf16 kv=bf16 o=bf16 layout=bhsd "
Test(sim_attention, mxfp6_equals_the_emulator, .timeout = 250) {
    check(&(variant){"mxfp6", "mxfp6", "mxfp6", "", BHSD "sq=256 sk=512", FSATTN_DISTRIBUTION_NORMAL});
    check(&(variant){"mxfp6", "mxfp6", "mxfp6", "schedule=pingpong depth=3 reduction=maximum3", BHSD "hq=2 hkv=1 sq=70 sk=300",
                     FSATTN_DISTRIBUTION_NORMAL});
}
Test(sim_attention, other_formats_equal_the_emulator, .timeout = 250) {
    check(&(variant){"mxfp8", "fp8_row", "fp8", "row_sum=sparse", BHSD "sq=256 sk=384", FSATTN_DISTRIBUTION_NORMAL});
    check(&(variant){"mxfp4", "mxfp6", "mxfp4", "", BHSD "sq=128 sk=257 mask=causal", FSATTN_DISTRIBUTION_NORMAL});
}
Test(sim_attention, bf16_and_other_softmaxes_equal_the_emulator, .timeout = 250) {
    check(&(variant){"bf16", "bf16", "bf16", "softmax=lazy reduction=fp32 row_sum=vector exponential=polynomial", BHSD "sq=128 sk=300",
                     FSATTN_DISTRIBUTION_NORMAL});
    check(&(variant){"mxfp6", "mxfp6", "mxfp6", "softmax=online reduction=fp32 exponential=exact", BHSD "sq=128 sk=300",
                     FSATTN_DISTRIBUTION_NORMAL});
    /* Maxima of products of sixteen passes, right behind a branch: the compiler's wait states do not reach. */
    check(&(variant){"mxfp8", "fp8_row", "fp8", "softmax=online reduction=fp32 exponential=exact row_sum=vector", BHSD "sq=128 sk=300",
                     FSATTN_DISTRIBUTION_NORMAL});
    check(&(variant){"mxfp4", "mxfp4", "mxfp4", "softmax=online reduction=fp32 exponential=direct_p", BHSD "sq=128 sk=300",
                     FSATTN_DISTRIBUTION_NORMAL});
}
Test(sim_attention, int8_equals_the_emulator, .timeout = 250) {
    check(&(variant){"int8", "fp8_row", "fp8", "softmax=online reduction=fp32 exponential=exact row_sum=vector", BHSD "hq=2 hkv=1 sq=37 sk=333",
                     FSATTN_DISTRIBUTION_OUTLIERS});
}
Test(sim_attention, rollbacks_are_those_of_the_emulator, .timeout = 250) {
    check(&(variant){"mxfp6", "mxfp6", "mxfp6", "", BHSD "sq=256 sk=1024", FSATTN_DISTRIBUTION_LATE_SPIKE});
}

Test(sim_attention, block_lists_equal_the_emulator, .timeout = 250) {
    check(&(variant){"mxfp6", "mxfp6", "mxfp6", "blocks=true depth=3 schedule=pingpong", BHSD "sq=290 sk=390", FSATTN_DISTRIBUTION_NORMAL});
}
/* One of them has no query, one a single key. */
Test(sim_attention, sequences_of_other_lengths_equal_the_emulator, .timeout = 250) {
    static const lengths n = {.count = 4, .cu_q = {0, 70, 70, 103, 104}, .cu_k = {0, 200, 333, 334, 462}, .longest_q = 70, .longest_k = 200};
    check_sequences(&(variant){"mxfp6", "mxfp6", "mxfp6", "", BHSD "hq=2 hkv=1 sq=104 sk=462", FSATTN_DISTRIBUTION_NORMAL}, &n);
}
