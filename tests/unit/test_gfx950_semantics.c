/* What the gfx950 kernels compute, executed lane by lane on this processor (support/gfx950_shim.hpp): packed
 * operands are compared for equality with numerics/packing.h, attention with the emulator. */
#include "../support/rocm_fixture.h"
#include "compare.h"
#include "emulator.h"
#include "file.h"
#include "gpu_abi.h"
#include "hash.h"
#include "inputs.h"
#include "memory.h"
#include "packing.h"
#include "template.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];

static void make_folder(void) {
    strcpy(folder, "/tmp/fsattn-test-gfx950.XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    if (system("clang++ --version >/dev/null 2>&1")) {
        fsattn_folder_remove(folder, NULL);
        cr_skip_test("no clang++ to run the kernels' source with");
    }
}

static void remove_folder(void) {
    fsattn_folder_remove(folder, NULL);
}

TestSuite(gfx950_semantics, .init = make_folder, .fini = remove_folder, .timeout = 250);

/* ---- a family's source as a shared library ---------------------------------------------------- */

/* The source without its inline assembly: all of it is empty and steers the compiler. */
static void strip_assembly(char *source) {
    for (char *at; (at = strstr(source, "asm volatile(")) != NULL;) {
        char *end = strstr(at, ");");
        memset(at, ' ', (size_t)(end + 2 - at));
    }
    char *name = strstr(source, "typedef _Float16 f16;");
    memcpy(name, "typedef shim_f16 f16;", 21);
}

/* Libraries are kept beside the build, or in $FSATTN_SHIM_CACHE, named by all that they are made of: a family that did not change is not compiled again. */
static void compile(const fsattn_text *file, const char *what, char library[256]) {
    static const char flags[] = "-std=c++17 -O1 -ffp-contract=off -w -shared -fPIC -I '" FSATTN_SOURCE_DIR "/tests/support'";
    static const char shim[] = FSATTN_SOURCE_DIR "/tests/support/gfx950_shim.hpp", beside[] = FSATTN_BINARY_DIR "/shim-cache";
    const char *given = getenv("FSATTN_SHIM_CACHE"), *kept = given ? given : beside;
    char source[128], made[128], command[1024], hex[fsattn_hash_hex_bytes];
    char *header;
    size_t header_bytes;
    fsattn_hasher hasher;
    fsattn_err err;
    cr_assert_eq(fsattn_file_read(shim, 1 << 20, &header, &header_bytes, &err), FSATTN_OK, "%s", err.message);
    fsattn_hasher_init(&hasher);
    fsattn_hasher_field(&hasher, "flags", flags, sizeof flags);
    fsattn_hasher_field(&hasher, "shim", header, header_bytes);
    fsattn_hasher_field(&hasher, "source", file->data, file->bytes);
    const fsattn_hash hash = fsattn_hasher_final(&hasher);
    fsattn_free(header);
    fsattn_hash_hex(&hash, hex);
    snprintf(library, 256, "%s/%.32s.so", kept, hex);
    if (access(library, R_OK) == 0) {
        return;
    }
    mkdir(kept, 0755); /* if it is there, so much the better; if it cannot be made, publishing says so */
    snprintf(source, sizeof source, "%s/source.cpp", folder);
    snprintf(made, sizeof made, "%s/library.so", folder);
    cr_assert_eq(fsattn_file_publish(source, file->data, file->bytes, 0600, &err), FSATTN_OK, "%s", err.message);
    snprintf(command, sizeof command, "clang++ %s '%s' -o '%s'", flags, source, made);
    cr_assert_eq(system(command), 0, "%s does not compile for this processor", what);
    char *bytes;
    size_t count;
    cr_assert_eq(fsattn_file_read(made, 1 << 26, &bytes, &count, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_file_publish(library, bytes, count, 0755, &err), FSATTN_OK, "%s", err.message);
    fsattn_free(bytes);
}

static void *build(const char *family, const char *config, const fsattn_problem *problem, const char *runs) {
    char path[256], what[768];
    fsattn_manifest *manifest;
    fsattn_config parsed;
    fsattn_err err;
    fsattn_text source = {0}, file = {0};
    const char *reason;
    const fsattn_setting setting = {problem, "gfx950"};
    snprintf(path, sizeof path, "%s/templates/%s", FSATTN_SOURCE_DIR, family);
    cr_assert_eq(fsattn_manifest_open(path, &manifest, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_config_parse(&manifest->parameters, config, &parsed, &err), FSATTN_OK, "%s",
                 err.message);
    cr_assert_eq(fsattn_manifest_check(manifest, &setting, &parsed, &reason, &err), FSATTN_OK);
    cr_assert_null(reason, "%s: %s", config, reason);
    cr_assert_eq(fsattn_template_render(manifest, &setting, &parsed, NULL, &source, &err), FSATTN_OK, "%s",
                 err.message);
    strip_assembly(source.data);
    fsattn_text_puts(&file, "#include \"gfx950_shim.hpp\"\n");
    fsattn_text_puts(&file, source.data);
    fsattn_text_puts(&file, runs);
    snprintf(what, sizeof what, "%s [%s]", family, config);
    compile(&file, what, path);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    cr_assert_not_null(library, "%s", dlerror());
    fsattn_text_fini(&source);
    fsattn_text_fini(&file);
    fsattn_manifest_close(manifest);
    return library;
}

static void *symbol(void *library, const char *name) {
    void *found = dlsym(library, name);
    cr_assert_not_null(found, "%s", name);
    return found;
}

/* ---- operands --------------------------------------------------------------------------------- */

typedef struct formats {
    const char *qk, *p, *v;
    int tile_n;
} formats;

static fsattn_format element_of(const char *format) {
    return strstr(format, "fp8")   ? FSATTN_FORMAT_E4M3
           : strstr(format, "fp6") ? FSATTN_FORMAT_E2M3
                                   : FSATTN_FORMAT_E2M1;
}

static size_t lane_bytes(const char *format) {
    return strstr(format, "bf16") ? 64 : strstr(format, "8") ? 32 : strstr(format, "fp6") ? 24 : 16;
}

static size_t tile_bytes(const char *format, int tile_n, int d, size_t scales) {
    return lane_bytes(format) * 8 * (size_t)tile_n * (size_t)d / 256 + scales;
}

/* Sequences one after another. */
typedef struct lengths {
    int count, cu_q[8], cu_k[8]; /* cumulated */
    int longest_q, longest_k;
} lengths;

typedef struct packed {
    fsattn_problem problem; /* with `sequences`: one of all rows */
    const lengths *sequences;
    formats f;
    fsattn_operands operands;
    uint16_t *raw; /* BF16 as the caller would have it: Q, K, V */
    char *q, *k, *v;
    size_t q_group, k_tile, v_tile, q_groups, tiles;
    float v_scale;
} packed;

static fsattn_gpu_quantize_args arguments_of(packed *p, int operand, float *partials) {
    const lengths *n = p->sequences;
    const fsattn_strides *strides = operand == 0   ? &p->operands.qkv.q_strides
                                    : operand == 1 ? &p->operands.qkv.k_strides
                                                   : &p->operands.qkv.v_strides;
    const size_t first =
        operand == 0 ? 0 : p->operands.q_elements + (operand == 2 ? p->operands.kv_elements : 0);
    const double scale = (double)fsattn_problem_scale(&p->problem), root = sqrt((double)p->problem.head_dim);
    return (fsattn_gpu_quantize_args){
        .x = p->raw + first,
        .packed = operand == 0   ? p->q
                  : operand == 1 ? p->k
                                 : p->v,
        .partials = partials,
        .v_scale = &p->v_scale,
        .batch = n ? n->count : p->problem.batch,
        .heads = operand == 0 ? p->problem.heads_q : p->problem.heads_kv,
        .s = operand == 0 ? n ? n->longest_q : p->problem.s_q
             : n          ? n->longest_k
                          : p->problem.s_k,
        .stride_b = strides->b,
        .stride_h = strides->h,
        .stride_s = strides->s,
        .factor = operand == 0 ? (float)(scale * 1.4426950408889634074 / root) : (float)(1 / root),
        .cu = !n             ? NULL
              : operand == 0 ? n->cu_q
                             : n->cu_k,
    };
}

typedef void run_quantize(const fsattn_gpu_quantize_args *args, unsigned blocks, int threads);

/* Operands of the distribution, packed by the kernels. */
static void prepare(packed *p, const char *problem, formats f, const char *exponential,
                    fsattn_distribution distribution, const lengths *sequences) {
    char config[256];
    float partials[256];
    fsattn_err err;
    *p = (packed){.f = f, .sequences = sequences};
    cr_assert_eq(fsattn_problem_parse(problem, &p->problem, &err), FSATTN_OK, "%s", err.message);
    const int d = (int)p->problem.head_dim;
    cr_assert_eq(fsattn_operands_init(&p->operands, &p->problem, &err), FSATTN_OK);
    fsattn_inputs_fill(distribution, 3, &p->problem, &p->operands);
    const size_t elements = p->operands.q_elements + 2 * p->operands.kv_elements;
    p->raw = fsattn_alloc(elements, sizeof *p->raw);
    fsattn_elements_write(FSATTN_BF16, p->operands.memory, elements, p->raw);
    p->q_groups = (size_t)(p->problem.s_q + 31) / 32; /* of a head */
    p->tiles = (size_t)(p->problem.s_k + f.tile_n - 1) / (size_t)f.tile_n;
    if (sequences) {
        p->q_groups = (size_t)(p->problem.s_q / 32 + sequences->count);
        p->tiles = (size_t)(p->problem.s_k / f.tile_n + sequences->count);
    }
    p->q_group = lane_bytes(f.qk) * (size_t)d + 256;
    p->k_tile = tile_bytes(f.qk, f.tile_n, d, f.qk[0] == 'm' ? 256 * (size_t)d / 64 : f.qk[0] == 'i' ? 256 : 0);
    p->v_tile = tile_bytes(f.v, f.tile_n, d, f.v[0] == 'm' ? 256 * (size_t)f.tile_n / 64 : 0);
    const size_t q_heads = (size_t)(p->problem.batch * p->problem.heads_q),
                 kv_heads = (size_t)(p->problem.batch * p->problem.heads_kv);
    p->q = fsattn_alloc_aligned(16, q_heads * p->q_groups, p->q_group);
    p->k = fsattn_alloc_aligned(16, kv_heads * p->tiles, p->k_tile);
    p->v = fsattn_alloc_aligned(16, kv_heads * p->tiles, p->v_tile);

    snprintf(config, sizeof config, "qk_format=%s p_format=%s v_format=%s tile_n=%d exponential=%s varlen=%s",
             f.qk, f.p, f.v, f.tile_n, exponential, sequences ? "true" : "false");
    void *library = build("quantize_gfx950", config, &p->problem,
                          !strcmp(f.v, "fp8") ? "SHIM_RUN(fsattn_quantize_q, fsattn_gpu_quantize_args)\n"
                                                "SHIM_RUN(fsattn_quantize_k, fsattn_gpu_quantize_args)\n"
                                                "SHIM_RUN(fsattn_quantize_v, fsattn_gpu_quantize_args)\n"
                                                "SHIM_RUN(fsattn_quantize_amax, fsattn_gpu_quantize_args)\n"
                                              : "SHIM_RUN(fsattn_quantize_q, fsattn_gpu_quantize_args)\n"
                                                "SHIM_RUN(fsattn_quantize_k, fsattn_gpu_quantize_args)\n"
                                                "SHIM_RUN(fsattn_quantize_v, fsattn_gpu_quantize_args)\n");
    const size_t block_rows = 256 / ((size_t)d / 32);
    const fsattn_gpu_quantize_args q = arguments_of(p, 0, NULL), k = arguments_of(p, 1, NULL),
                                   v = arguments_of(p, 2, partials);
    const size_t groups = ((size_t)q.s + 31) / 32,
                 tiles = ((size_t)k.s + (size_t)f.tile_n - 1) / (size_t)f.tile_n,
                 batch = (size_t)q.batch; /* of the longest sequence */
    ((run_quantize *)symbol(library, "shim_run_fsattn_quantize_q"))(
        &q, (unsigned)(batch * (size_t)q.heads * ((groups * 32 + block_rows - 1) / block_rows)), 256);
    ((run_quantize *)symbol(library, "shim_run_fsattn_quantize_k"))(
        &k, (unsigned)(batch * (size_t)k.heads * ((tiles * (size_t)f.tile_n + block_rows - 1) / block_rows)),
        256);
    if (!strcmp(f.v, "fp8")) {
        ((run_quantize *)symbol(library, "shim_run_fsattn_quantize_amax"))(&v, 256, 256);
    }
    ((run_quantize *)symbol(library, "shim_run_fsattn_quantize_v"))(
        &v, (unsigned)(batch * (size_t)v.heads * tiles), 256);
    dlclose(library);
}

static void release(packed *p) {
    fsattn_operands_fini(&p->operands);
    fsattn_free(p->raw);
    fsattn_free(p->q);
    fsattn_free(p->k);
    fsattn_free(p->v);
}

/* Rows of a tile as they are quantized: K scaled and rotated, V as it is. */
static int tile_rows(const packed *p, bool values, size_t head, size_t tile, float *rows) {
    const int d = (int)p->problem.head_dim;
    const fsattn_strides *s = values ? &p->operands.qkv.v_strides : &p->operands.qkv.k_strides;
    const float *x = values ? p->operands.qkv.v : p->operands.qkv.k;
    int64_t keys = p->problem.s_k - (int64_t)tile * 128;
    keys = keys > 128 ? 128 : keys;
    const int64_t b = (int64_t)head / p->problem.heads_kv, h = (int64_t)head % p->problem.heads_kv;
    for (int64_t i = 0; i < keys; i++) {
        memcpy(rows + i * d, x + b * s->b + h * s->h + ((int64_t)tile * 128 + i) * s->s,
               (size_t)d * sizeof *rows);
        for (int e = 0; e < d && !values; e++) {
            rows[i * d + e] *= (float)(1 / sqrt((double)d));
        }
        if (!values) {
            fsattn_hadamard(rows + i * d, d);
        }
    }
    return (int)keys;
}

/* K's and V's tiles of 128 keys, byte by byte. */
static void compare_tiles(const packed *p, const char *what) {
    const int d = (int)p->problem.head_dim;
    float *rows = fsattn_alloc(128 * 128, sizeof *rows);
    uint8_t *codes = fsattn_alloc(128 * 128, 1), scales[128 * 4], *tile = fsattn_alloc(1 << 15, 1);
    for (int values = 0; values < 2; values++) {
        const bool scaled = !values || strcmp(p->f.v, "fp8");
        const fsattn_packing packing = {.operand = values ? FSATTN_PACKING_V : FSATTN_PACKING_K,
                                        .element = element_of(values ? p->f.v : p->f.qk),
                                        .order = !values                      ? FSATTN_KEY_ORDER_RUNS
                                                 : !strcmp(p->f.p, "fp8_row") ? FSATTN_KEY_ORDER_FP8_P
                                                                              : FSATTN_KEY_ORDER_BIT2,
                                        .head_dim = d,
                                        .scaled = scaled};
        const size_t bytes = values ? p->v_tile : p->k_tile;
        cr_assert_eq(fsattn_packing_tile_bytes(&packing), bytes, "%s", what);
        for (size_t i = 0; i < (size_t)(p->problem.batch * p->problem.heads_kv) * p->tiles; i++) {
            const int keys = tile_rows(p, values, i / p->tiles, i % p->tiles, rows);
            fsattn_packing_quantize(&packing, rows, keys, p->v_scale, codes, scales);
            fsattn_packing_pack(&packing, codes, scales, tile);
            const char *made = (values ? p->v : p->k) + i * bytes;
            size_t at = 0;
            while (at < bytes && (uint8_t)made[at] == tile[at]) {
                at++;
            }
            cr_assert_eq(at, bytes, "%s: %s tile %zu differs at byte %zu: %02x, not %02x", what,
                         values ? "V" : "K", i, at, (uint8_t)made[at], tile[at]);
        }
    }
    fsattn_free(rows);
    fsattn_free(codes);
    fsattn_free(tile);
}

Test(gfx950_semantics, quantized_operands_equal_the_reference_byte_by_byte) {
    static const formats rows[] = {{"mxfp6", "mxfp6", "mxfp6", 128},
                                   {"mxfp4", "mxfp6", "mxfp4", 128},
                                   {"mxfp8", "fp8_row", "fp8", 128},
                                   {"mxfp8", "fp8_row", "mxfp6", 128}};
    static const fsattn_distribution distributions[] = {FSATTN_DISTRIBUTION_NORMAL, FSATTN_DISTRIBUTION_TINY,
                                                        FSATTN_DISTRIBUTION_OUTLIERS,
                                                        FSATTN_DISTRIBUTION_NAN_KEY};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        packed p;
        char what[64];
        snprintf(what, sizeof what, "%s/%s", rows[i].qk, rows[i].v);
        prepare(&p,
                i % 2 ? "hq=2 hkv=2 sq=40 sk=200 d=64 q=bf16 kv=bf16 o=bf16 layout=bhsd"
                      : "b=2 hq=2 hkv=1 sq=40 sk=300 q=bf16 kv=bf16 o=bf16",
                rows[i], "schraudolph_u16", distributions[i], NULL);
        compare_tiles(&p, what);
        release(&p);
    }
}

/* ---- attention -------------------------------------------------------------------------------- */

typedef void run_attention(const fsattn_gpu_attention_args *args, unsigned blocks, int threads);

typedef struct outcome {
    double error; /* of the norms, against the emulator */
    unsigned long long rollbacks;
    int64_t expected_rollbacks;
} outcome;

static void set_emulator(const packed *p, const char *config, fsattn_emulator_config *emulator) {
    fsattn_manifest *manifest;
    fsattn_config parsed;
    fsattn_pairs pairs;
    fsattn_err err;
    const fsattn_setting setting = {&p->problem, "gfx950"};
    cr_assert_eq(fsattn_manifest_open(FSATTN_SOURCE_DIR "/templates/attention_gfx950", &manifest, &err),
                 FSATTN_OK);
    cr_assert_eq(fsattn_config_parse(&manifest->parameters, config, &parsed, &err), FSATTN_OK);
    cr_assert_eq(fsattn_manifest_evaluate(manifest, FSATTN_SECTION_EMULATOR, &setting, &parsed, &pairs, &err),
                 FSATTN_OK);
    fsattn_emulator_config_init(emulator);
    for (size_t i = 0; i < pairs.count; i++) {
        fsattn_text text = {0};
        fsattn_value_text(&pairs.items[i].value, &text);
        cr_assert_eq(fsattn_emulator_set(emulator, pairs.items[i].name, text.data, &err), FSATTN_OK, "%s",
                     err.message);
        fsattn_text_fini(&text);
    }
    fsattn_manifest_close(manifest);
}

/* Which tiles of 128 keys each tile of 256 queries sees: two of every three, the first or not; queries past
 * 512 none. */
typedef struct block_lists {
    uint8_t live[64];
    int indices[64], counts[64];
    long long starts[64];
    fsattn_block_mask mask;
} block_lists;

static void list_blocks(block_lists *lists, const fsattn_problem *problem) {
    const int rows = (int)(problem->s_q + 255) / 256, columns = (int)(problem->s_k + 127) / 128;
    const int heads = (int)(problem->batch * problem->heads_q);
    int at = 0;
    *lists = (block_lists){.mask = {NULL, 256, 128, columns}};
    cr_assert(rows * columns <= 64 && rows * heads <= 64);
    for (int i = 0; i < rows; i++) {
        lists->starts[i] = at;
        for (int j = 0; j < columns; j++) {
            lists->live[i * columns + j] = (i + j) % 3 != 1 && i < 2;
            if (lists->live[i * columns + j]) {
                lists->indices[at++] = j;
                lists->counts[i]++;
            }
        }
    }
    for (int i = rows; i < rows * heads; i++) { /* the same for every head */
        lists->starts[i] = lists->starts[i % rows];
        lists->counts[i] = lists->counts[i % rows];
    }
    lists->mask.live = lists->live;
}

typedef struct attention {
    packed p;
    char config[512];
    fsattn_strides strides; /* of o */
    uint16_t *o;
    float *lse;
    block_lists blocks;
    bool listed;
    unsigned long long rollbacks;
} attention;

static void run_kernel(attention *a) {
    const packed *p = &a->p;
    const lengths *n = p->sequences;
    const int tile_m = strstr(a->config, "tile_m=128") ? 128 : 256;
    const fsattn_gpu_attention_args args = {.q = p->q,
                                            .k = p->k,
                                            .v = p->v,
                                            .o = a->o,
                                            .lse = a->lse,
                                            .v_scale = &p->v_scale,
                                            .rollbacks = &a->rollbacks,
                                            .batch = n ? n->count : p->problem.batch,
                                            .heads_q = p->problem.heads_q,
                                            .heads_kv = p->problem.heads_kv,
                                            .s_q = n ? n->longest_q : p->problem.s_q,
                                            .s_k = n ? n->longest_k : p->problem.s_k,
                                            .o_stride_b = a->strides.b,
                                            .o_stride_h = a->strides.h,
                                            .o_stride_s = a->strides.s,
                                            .block_indices = a->blocks.indices,
                                            .block_starts = a->blocks.starts,
                                            .block_counts = a->blocks.counts,
                                            .cu_q = n ? n->cu_q : NULL,
                                            .cu_k = n ? n->cu_k : NULL};
    void *library = build("attention_gfx950", a->config, &p->problem,
                          "SHIM_RUN(fsattn_attention, fsattn_gpu_attention_args)\n");
    ((run_attention *)symbol(library, "shim_run_fsattn_attention"))(
        &args, (unsigned)(args.batch * args.heads_q * ((args.s_q + tile_m - 1) / tile_m)), 2 * tile_m);
    dlclose(library);
}

/* The emulator over all rows of a problem whose first row of queries and of keys are these; adds to the
 * comparison. */
static int64_t compare(const attention *a, const fsattn_problem *problem, int64_t first_q, int64_t first_k,
                       fsattn_comparison *comparison) {
    const fsattn_strides strides = a->strides;
    const int64_t d = problem->head_dim, count = fsattn_problem_rows(problem);
    float *o = fsattn_alloc((size_t)(count * d), sizeof *o),
          *expected = fsattn_alloc((size_t)(count * d), sizeof *expected),
          *expected_lse = fsattn_alloc((size_t)count, sizeof *expected_lse);
    fsattn_qkv qkv = a->p.operands.qkv;
    fsattn_emulator_config emulated;
    fsattn_emulator *emulator;
    fsattn_err err;
    qkv.q += first_q * qkv.q_strides.s;
    qkv.k += first_k * qkv.k_strides.s;
    qkv.v += first_k * qkv.v_strides.s;
    set_emulator(&a->p, a->config, &emulated);
    cr_assert_eq(
        fsattn_emulator_create(&emulated, problem, &qkv, a->listed ? &a->blocks.mask : NULL, &emulator, &err),
        FSATTN_OK, "%s", err.message);
    fsattn_emulator_output output = {.o = expected, .lse = expected_lse};
    cr_assert_eq(fsattn_emulator_run(emulator, (fsattn_rows){NULL, (size_t)count}, &output, &err), FSATTN_OK);
    for (int64_t r = 0; r < count; r++) { /* rows in the order of the emulator */
        const int64_t i = r % problem->s_q + first_q, h = r / problem->s_q % problem->heads_q,
                      b = r / problem->s_q / problem->heads_q;
        fsattn_elements_read(FSATTN_BF16, a->o + b * strides.b + h * strides.h + i * strides.s, (size_t)d,
                             o + r * d);
        if (problem->lse) {
            const float lse = a->lse[(b * problem->heads_q + h) * a->p.problem.s_q + i];
            cr_expect(lse == expected_lse[r] || fabsf(lse - expected_lse[r]) < 1e-4f * (1 + fabsf(lse)),
                      "[%s]: lse of row %lld is %g, not %g", a->config, (long long)r, lse, expected_lse[r]);
        }
    }
    fsattn_comparison_add(comparison, o, expected, (size_t)(count * d));
    fsattn_emulator_destroy(emulator);
    fsattn_free(o);
    fsattn_free(expected);
    fsattn_free(expected_lse);
    return output.rollbacks;
}

/* Runs kernels and emulator over all rows. */
static outcome attend(const char *problem, formats f, const char *more, fsattn_distribution distribution,
                      const lengths *n) {
    const char *given = strstr(more, "exponential=");
    char exponential[32] = "schraudolph_u16";
    attention *a = fsattn_alloc(1, sizeof *a);
    fsattn_comparison comparison = {0};
    outcome made = {0};
    if (given) {
        sscanf(given, "exponential=%31s", exponential);
    }
    prepare(&a->p, problem, f, exponential, distribution, n);
    snprintf(a->config, sizeof a->config, "qk_format=%s p_format=%s v_format=%s tile_n=%d varlen=%s %s", f.qk,
             f.p, f.v, f.tile_n, n ? "true" : "false", more);
    a->listed = strstr(more, "blocks=true") != NULL;
    if (a->listed) {
        list_blocks(&a->blocks, &a->p.problem);
    }
    fsattn_problem part = a->p.problem;
    const size_t count = (size_t)fsattn_problem_rows(&part);
    a->strides = fsattn_strides_dense(part.layout, part.heads_q, part.s_q, part.head_dim);
    a->o = fsattn_alloc(count * (size_t)part.head_dim, sizeof *a->o);
    a->lse = fsattn_alloc(count, sizeof *a->lse);
    run_kernel(a);
    for (int i = 0; n && i < n->count; i++) {
        part.s_q = n->cu_q[i + 1] - n->cu_q[i];
        part.s_k = n->cu_k[i + 1] - n->cu_k[i];
        if (part.s_q > 0) {
            made.expected_rollbacks += compare(a, &part, n->cu_q[i], n->cu_k[i], &comparison);
        }
    }
    if (!n) {
        made.expected_rollbacks = compare(a, &part, 0, 0, &comparison);
    }
    made.rollbacks = a->rollbacks;
    made.error = fsattn_comparison_error(&comparison);
    fsattn_free(a->o);
    fsattn_free(a->lse);
    release(&a->p);
    fsattn_free(a);
    return made;
}

static const formats mxfp6 = {"mxfp6", "mxfp6", "mxfp6", 128};
static const formats mxfp4 = {"mxfp4", "mxfp6", "mxfp4", 128};
static const formats mxfp8 = {"mxfp8", "fp8_row", "fp8", 128};
static const formats mixed = {"mxfp4", "fp8_row", "mxfp6", 128};
static const formats narrow = {"mxfp6", "mxfp6", "mxfp6", 64};

/* Kernel and emulation round the same numbers in the same places, and both accumulate in double here: mostly
 * nothing is left, seldom one rounding of BF16. A wrong lane, key or scale is tens of percent. BF16 and INT8
 * scores are multiplied by the scale after the product in one and before it in the other, which moves one code of a
 * thousand. */
static void expect_close(const char *problem, formats f, const char *config, fsattn_distribution distribution,
                         bool rolls) {
    const outcome made = attend(problem, f, config, distribution, NULL);
    cr_expect(made.error < (f.qk[0] == 'm' ? 1e-4 : 1e-3),
              "[%s %s %s, %s] %s: relative error %.3g against the emulator", f.qk, f.p, f.v, config, problem,
              made.error);
    cr_expect_eq((int64_t)made.rollbacks, made.expected_rollbacks,
                 "[%s %s %s, %s] %s: %llu rollbacks, not %lld", f.qk, f.p, f.v, config, problem,
                 made.rollbacks, (long long)made.expected_rollbacks);
    cr_expect(!rolls || made.rollbacks > 0, "[%s] %s: nothing was rolled back", config, problem);
}

#define BF16 " q=bf16 kv=bf16 o=bf16"

Test(gfx950_semantics, tails_gqa_and_layouts_equal_the_emulation) {
    expect_close("b=2 hq=2 hkv=1 sq=70 sk=333 lse=1" BF16, mxfp6, "", FSATTN_DISTRIBUTION_NORMAL, false);
    expect_close("sq=33 sk=512 lse=1 layout=bhsd" BF16, mxfp4, "depth=3 tile_m=128", FSATTN_DISTRIBUTION_NORMAL, false);
    expect_close("sq=300 sk=1" BF16, mxfp6, "tile_m=128", FSATTN_DISTRIBUTION_NORMAL, false);
    expect_close("sq=33 sk=300 lse=1" BF16, mxfp8, "tile_m=128", FSATTN_DISTRIBUTION_NORMAL, false);
    expect_close("sq=40 sk=300 d=64" BF16, mxfp6, "tile_m=128", FSATTN_DISTRIBUTION_NORMAL, false);
}

Test(gfx950_semantics, pingpong_and_deep_rings_equal_the_emulation) {
    expect_close("sq=256 sk=700 lse=1" BF16, mxfp6, "schedule=pingpong depth=3", FSATTN_DISTRIBUTION_NORMAL,
                 false);
    expect_close("sq=130 sk=900" BF16, mxfp6, "schedule=pingpong depth=4 priority=true reduction=maximum3",
                 FSATTN_DISTRIBUTION_NORMAL, false);
    expect_close("sq=64 sk=900" BF16, mxfp6, "depth=4 tile_m=128", FSATTN_DISTRIBUTION_NORMAL, false);
    expect_close("sq=64 sk=100" BF16, mxfp6, "schedule=pingpong depth=3", FSATTN_DISTRIBUTION_NORMAL, false);
    expect_close("sq=64 sk=333" BF16, narrow, "schedule=pingpong depth=4 tile_m=128", FSATTN_DISTRIBUTION_NORMAL, false);
}

Test(gfx950_semantics, causal_rows_equal_the_emulation_also_those_without_a_key) {
    expect_close("sq=260 sk=390 mask=causal lse=1" BF16, mxfp6, "", FSATTN_DISTRIBUTION_NORMAL, false);
    expect_close("sq=300 sk=140 mask=causal lse=1" BF16, mxfp8, "row_sum=sparse tile_m=128", FSATTN_DISTRIBUTION_NORMAL,
                 false);
    expect_close("sq=300 sk=300 mask=causal" BF16, mxfp4, "schedule=pingpong depth=3",
                 FSATTN_DISTRIBUTION_NORMAL, false);
}

Test(gfx950_semantics, fp8_probabilities_and_sparse_sums_equal_the_emulation) {
    expect_close("sq=64 sk=300" BF16, mxfp8, "row_sum=sparse tile_m=128", FSATTN_DISTRIBUTION_OUTLIERS, false);
    expect_close("sq=64 sk=300" BF16, mixed, "reduction=maximum3 tile_m=128", FSATTN_DISTRIBUTION_NORMAL, false);
    expect_close("sq=64 sk=300" BF16, mixed, "reduction=fp32 tile_m=128", FSATTN_DISTRIBUTION_NORMAL,
                 false);
}

Test(gfx950_semantics, rollbacks_equal_the_emulation_in_number_and_result) {
    expect_close("sq=96 sk=700 lse=1" BF16, mxfp6, "cap=8", FSATTN_DISTRIBUTION_LATE_SPIKE, true);
    expect_close("sq=96 sk=700" BF16, mxfp6, "cap=8 reduction=maximum3 schedule=pingpong depth=3",
                 FSATTN_DISTRIBUTION_LATE_SPIKE, true);
    expect_close("sq=96 sk=700 lse=1" BF16, mxfp6, "cap=8 reduction=fp32 tile_m=128", FSATTN_DISTRIBUTION_LATE_SPIKE,
                 true);
    expect_close("sq=96 sk=700" BF16, mxfp8, "cap=8 row_sum=sparse tile_m=128", FSATTN_DISTRIBUTION_LATE_SPIKE, true);
    expect_close("sq=96 sk=700" BF16, mxfp6, "cap=8 rollback=codes tile_m=128", FSATTN_DISTRIBUTION_LATE_SPIKE, true);
}

static const formats bf16 = {"bf16", "bf16", "bf16", 128};
static const formats fp4 = {"mxfp4", "mxfp4", "mxfp4", 128};

Test(gfx950_semantics, bf16_equals_the_emulation) {
    expect_close("hq=2 hkv=1 sq=40 sk=200 lse=1" BF16, bf16, "tile_m=128", FSATTN_DISTRIBUTION_NORMAL, false);
    expect_close("sq=64 sk=300 scale=0.2" BF16, bf16,
                 "tile_m=128 softmax=online reduction=fp32 exponential=exact row_sum=vector",
                 FSATTN_DISTRIBUTION_NORMAL, false);
    expect_close("sq=96 sk=100 mask=causal lse=1" BF16, (formats){"bf16", "bf16", "bf16", 64},
                 "tile_m=128 softmax=online reduction=fp32 exponential=polynomial schedule=pingpong depth=4",
                 FSATTN_DISTRIBUTION_NORMAL, false);
    expect_close("sq=96 sk=300" BF16, bf16, "tile_m=128 cap=8 reduction=fp32", FSATTN_DISTRIBUTION_LATE_SPIKE,
                 true);
    expect_close("sq=33 sk=300 d=64" BF16, (formats){"bf16", "fp8_row", "mxfp6", 128},
                 "tile_m=128 row_sum=sparse", FSATTN_DISTRIBUTION_NORMAL, false);
}

Test(gfx950_semantics, online_and_lazy_maxima_equal_the_emulation) {
    expect_close("sq=70 sk=333 lse=1" BF16, mxfp6,
                 "tile_m=128 softmax=online reduction=fp32 exponential=exact row_sum=vector",
                 FSATTN_DISTRIBUTION_NORMAL, false);
    expect_close("sq=300 sk=140 mask=causal lse=1" BF16, mxfp8,
                 "tile_m=128 softmax=online reduction=fp32 schedule=pingpong depth=3",
                 FSATTN_DISTRIBUTION_LATE_SPIKE, false);
    expect_close("sq=96 sk=500 lse=1" BF16, mxfp6,
                 "tile_m=128 softmax=lazy threshold=4 reduction=fp32 exponential=polynomial degree=4",
                 FSATTN_DISTRIBUTION_LATE_SPIKE, true);
    expect_close("sq=96 sk=501" BF16, mxfp8,
                 "tile_m=128 softmax=lazy threshold=8 reduction=fp32 row_sum=vector",
                 FSATTN_DISTRIBUTION_LATE_SPIKE, true);
}

Test(gfx950_semantics, other_exponentials_equal_the_emulation) {
    expect_close("sq=70 sk=333 lse=1" BF16, mxfp8,
                 "tile_m=128 softmax=online reduction=fp32 exponential=schraudolph_u8 row_sum=vector",
                 FSATTN_DISTRIBUTION_NORMAL, false);
    expect_close("sq=96 sk=501" BF16, mxfp8,
                 "tile_m=128 cap=8 reduction=fp32 exponential=schraudolph_u8",
                 FSATTN_DISTRIBUTION_LATE_SPIKE, true);
    expect_close("sq=70 sk=333 lse=1" BF16, fp4,
                 "tile_m=128 softmax=online reduction=fp32 exponential=direct_p", FSATTN_DISTRIBUTION_NORMAL,
                 false);
    expect_close("sq=70 sk=333" BF16, fp4, "tile_m=128 softmax=online reduction=fp32 exponential=exact",
                 FSATTN_DISTRIBUTION_NORMAL, false);
    expect_close("sq=70 sk=333" BF16, fp4, "tile_m=128", FSATTN_DISTRIBUTION_NORMAL, false);
    expect_close("sq=96 sk=500" BF16, mxfp6, "tile_m=128 cap=8 reduction=fp32 exponential=exact",
                 FSATTN_DISTRIBUTION_LATE_SPIKE, true);
}

Test(gfx950_semantics, block_lists_equal_the_emulation) {
    expect_close("hq=2 hkv=1 sq=260 sk=400 lse=1" BF16, mxfp6, "blocks=true depth=3 tile_m=128",
                 FSATTN_DISTRIBUTION_NORMAL, false);
    expect_close("sq=260 sk=600 mask=causal lse=1" BF16, mxfp4,
                 "blocks=true schedule=pingpong depth=4 tile_m=128", FSATTN_DISTRIBUTION_NORMAL, false);
    /* Half of the last tile of 128 keys exists. */
    expect_close("sq=520 sk=170 lse=1" BF16, narrow, "blocks=true softmax=online reduction=fp32 tile_m=128",
                 FSATTN_DISTRIBUTION_NORMAL, false);
}

Test(gfx950_semantics, sequences_of_other_lengths_equal_the_emulation) {
    static const lengths n = {.count = 4,
                              .cu_q = {0, 70, 70, 331, 332},
                              .cu_k = {0, 200, 333, 334, 500},
                              .longest_q = 261,
                              .longest_k = 200};
    static const struct {
        const char *problem, *config;
        formats f;
    } rows[] = {{"hq=2 hkv=1 sq=332 sk=500 lse=1" BF16, "tile_m=128", {"mxfp6", "mxfp6", "mxfp6", 128}},
                {"sq=332 sk=500 mask=causal" BF16, "tile_m=128", {"bf16", "bf16", "bf16", 64}}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const outcome made =
            attend(rows[i].problem, rows[i].f, rows[i].config, FSATTN_DISTRIBUTION_NORMAL, &n);
        cr_expect(made.error < (i ? 1e-3 : 1e-4), "%s: relative error %.3g against the emulator",
                  rows[i].problem, made.error);
    }
}

Test(gfx950_semantics, int8_scores_equal_the_emulation) {
    expect_close("hq=2 hkv=1 sq=70 sk=200 lse=1" BF16, (formats){"int8", "fp8_row", "fp8", 128},
                 "tile_m=128 softmax=online reduction=fp32 exponential=exact row_sum=vector",
                 FSATTN_DISTRIBUTION_NORMAL, false);
    expect_close("sq=70 sk=200 d=64" BF16, (formats){"int8", "fp8_row", "fp8", 64},
                 "tile_m=128 row_sum=sparse cap=8 schedule=pingpong depth=3", FSATTN_DISTRIBUTION_LATE_SPIKE, true);
}

Test(gfx950_semantics, other_seeds_and_fetches_equal_the_emulation) {
    expect_close("sq=70 sk=300" BF16, mxfp6, "tile_m=128 bias=rebuilt cap=8 fetch=all", FSATTN_DISTRIBUTION_LATE_SPIKE,
                 true);
    expect_close("sq=70 sk=500" BF16, mxfp8,
                 "tile_m=128 schedule=pingpong depth=4 bias=rebuilt", FSATTN_DISTRIBUTION_NORMAL,
                 false);
    expect_close("sq=70 sk=300" BF16, mxfp8, "tile_m=128 depth=4 fetch=all blocks=true", FSATTN_DISTRIBUTION_NORMAL,
                 false);
}
