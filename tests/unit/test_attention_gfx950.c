#include "../support/rocm_fixture.h"
#include "code_object.h"
#include "emulator.h"
#include "gpu_abi.h"
#include "inspect.h"
#include "memory.h"
#include "packing.h"
#include "random.h"
#include "template.h"

#include <stdio.h>
#include <string.h>

static fsattn_manifest *open_family(void) {
    fsattn_manifest *manifest;
    fsattn_err err;
    cr_assert_eq(fsattn_manifest_open(FSATTN_SOURCE_DIR "/templates/attention_gfx950", &manifest, &err),
                 FSATTN_OK, "%s", err.message);
    return manifest;
}

static fsattn_problem problem_of(const char *text) {
    fsattn_problem problem;
    fsattn_err err;
    cr_assert_eq(fsattn_problem_parse(text, &problem, &err), FSATTN_OK, "%s", err.message);
    return problem;
}

/* ---- variants: rendered, compiled, read ------------------------------------------------------ */

typedef struct variant {
    char text[512];
    fsattn_config config;
    fsattn_problem problem;
    fsattn_text source;
} variant;

static void render(const fsattn_manifest *manifest, variant *v) {
    fsattn_err err;
    const fsattn_setting setting = {&v->problem, "gfx950"};
    cr_assert_eq(fsattn_template_render(manifest, &setting, &v->config, NULL, &v->source, &err), FSATTN_OK,
                 "%s: %s", v->text, err.message);
}

/* The one kernel of a compiled variant; it fits, and the manifest told its LDS and threads. */
static void check_resources(fsattn_manifest *manifest, const variant *v, const fsattn_code_object *object) {
    const fsattn_setting setting = {&v->problem, "gfx950"};
    const fsattn_code_kernel *kernel = fsattn_code_object_kernel(object, "fsattn_attention");
    const fsattn_inspect_limits limits = {.vgprs = 256, .lds_bytes = 163840};
    fsattn_pairs pairs;
    char reason[256];
    cr_assert_not_null(kernel);
    cr_expect(fsattn_inspect_fits(kernel, &limits, reason, sizeof reason), "%s: %s", v->text, reason);
    cr_assert_eq(
        fsattn_manifest_evaluate(manifest, FSATTN_SECTION_RESOURCES, &setting, &v->config, &pairs, NULL),
        FSATTN_OK);
    cr_expect_eq(kernel->lds_bytes, (uint32_t)fsattn_pairs_integer(&pairs, "lds_bytes", -1), "%s", v->text);
    cr_expect_eq(kernel->threads_max, (uint32_t)fsattn_pairs_integer(&pairs, "threads", -1), "%s", v->text);
    cr_expect_eq(kernel->kernarg_bytes, (uint32_t)sizeof(fsattn_gpu_attention_args), "%s", v->text);
}

/* Compiles them all and hands each loop to `look`. */
static void compile(fsattn_manifest *manifest, variant *variants, size_t count,
                    void (*look)(const variant *v, const fsattn_loop *loop)) {
    fsattn_hiprtc *hiprtc = rocm_or_skip();
    const char *options[16] = {0};
    fsattn_err err;
    fsattn_hiprtc_job *jobs = fsattn_alloc(count, sizeof *jobs);
    fsattn_loop *loop = fsattn_alloc(1, sizeof *loop);
    cr_assert(manifest->option_count < 16);
    memcpy(options, manifest->options, manifest->option_count * sizeof *options);
    for (size_t i = 0; i < count; i++) {
        render(manifest, &variants[i]);
        jobs[i] = (fsattn_hiprtc_job){.source = variants[i].source.data, .options = options};
    }
    cr_assert_eq(fsattn_hiprtc_compile(hiprtc, jobs, count, INT64_MAX, NULL, &err), FSATTN_OK, "%s",
                 err.message);
    for (size_t i = 0; i < count; i++) {
        fsattn_code_object object;
        fsattn_text listing = {0};
        cr_assert_eq(jobs[i].verdict, FSATTN_VERDICT_OK, "%s: %s", variants[i].text, jobs[i].reason);
        cr_assert_eq(
            fsattn_code_object_init(&object, "variant", jobs[i].code, jobs[i].code_bytes, "gfx950", &err),
            FSATTN_OK);
        check_resources(manifest, &variants[i], &object);
        cr_assert_eq(
            fsattn_hiprtc_disassemble(hiprtc, jobs[i].code, jobs[i].code_bytes, "gfx950", &listing, &err),
            FSATTN_OK);
        cr_assert_eq(fsattn_inspect_loop(listing.data, "fsattn_attention", loop, &err), FSATTN_OK, "%s: %s",
                     variants[i].text, err.message);
        look(&variants[i], loop);
        fsattn_text_fini(&listing);
        fsattn_code_object_fini(&object);
        fsattn_hiprtc_job_fini(&jobs[i]);
        fsattn_text_fini(&variants[i].source);
    }
    fsattn_free(jobs);
    fsattn_free(loop);
    fsattn_hiprtc_close(hiprtc);
}

static void named(const fsattn_manifest *manifest, variant *v, const char *config, const char *problem) {
    fsattn_err err;
    *v = (variant){.problem = problem_of(problem)};
    snprintf(v->text, sizeof v->text, "%s [%s]", config, problem);
    cr_assert_eq(fsattn_config_parse(&manifest->parameters, config, &v->config, &err), FSATTN_OK, "%s",
                 err.message);
}

#define BF16 "q=bf16 kv=bf16 o=bf16 "
#define MXFP6 "qk_format=mxfp6 p_format=mxfp6 v_format=mxfp6 "

/* ---- the loops ------------------------------------------------------------------------------- */

/* What every loop has: no exponential that was not asked for, one wait for copies, the barriers of its
 * schedule, nothing that flushes the ring. */
static void look_at_any(const variant *v, const fsattn_loop *loop) {
    const bool pingpong = strstr(v->text, "schedule=pingpong") != NULL;
    /* Of the tile, of the blocks' maxima, and one to rescale by. */
    const unsigned expected = strstr(v->text, "exponential=exact") ? 67
                              : strstr(v->text, "softmax=online")  ? 1
                                                                   : 0;
    cr_expect_leq(fsattn_loop_count(loop, "v_exp_f32"), expected, "%s", v->text);
    cr_expect_eq(fsattn_loop_count(loop, "scratch_"), 0u, "%s", v->text);
    cr_expect_eq(fsattn_loop_count(loop, "s_barrier"), pingpong ? 2u : 1u, "%s", v->text);
    cr_expect_eq(fsattn_loop_count(loop, "flat_"), 0u, "%s", v->text);
}

static void look_at_mxfp6(const variant *v, const fsattn_loop *loop) {
    const bool maximum3 = strstr(v->text, "reduction=maximum3") != NULL;
    look_at_any(v, loop);
    /* 16 for the two products, 2 for the row sum. */
    cr_expect_eq(fsattn_loop_count(loop, "v_mfma_scale_f32_32x32x64_f8f6f4"), 18u, "%s", v->text);
    cr_expect_eq(loop->units[FSATTN_UNIT_MATRIX], 18u, "%s", v->text);
    cr_expect_eq(fsattn_loop_count(loop, "v_cvt_pknorm_u16_f32"), 32u, "%s", v->text);
    cr_expect_eq(fsattn_loop_count(loop, "v_cvt_scalef32_pk32_fp6_bf16"), 2u, "%s", v->text);
    cr_expect_eq(fsattn_loop_count(loop, "v_cvt_scalef32"), 2u, "%s", v->text);
    cr_expect_leq(fsattn_loop_count(loop, "v_pk_max_u16"), maximum3 ? 0u : 34u, "%s", v->text);
    cr_expect_leq(fsattn_loop_count(loop, "v_pk_maximum3_f16"), maximum3 ? 20u : 0u, "%s", v->text);
    cr_expect_eq(fsattn_loop_count(loop, "v_mov_b"), 0u, "%s: the seed is copied", v->text);
    /* Four copies of 16 bytes a lane, one of 4 for the scales, make a quarter of K's or V's 12800 bytes. */
    cr_expect_eq(fsattn_loop_count(loop, "global_load_lds_dwordx4"), 3u, "%s", v->text);
    cr_expect_eq(fsattn_loop_count(loop, "global_load_lds_dword"), 4u, "%s", v->text);
    cr_expect_leq(loop->units[FSATTN_UNIT_VECTOR], 100u, "%s", v->text);
}

Test(attention_gfx950, the_mxfp6_loop_is_what_the_paper_counts) {
    static const char *const configs[] = {
        MXFP6 "reduction=u16",
        MXFP6 "reduction=maximum3",
        MXFP6 "reduction=u16 schedule=pingpong depth=3",
        MXFP6 "reduction=maximum3 schedule=pingpong depth=3 priority=true",
        MXFP6 "rollback=codes lookahead=0",
    };
    enum { count = sizeof configs / sizeof *configs };
    variant variants[count];
    fsattn_manifest *manifest = open_family();
    for (size_t i = 0; i < count; i++) {
        named(manifest, &variants[i], configs[i], BF16);
    }
    compile(manifest, variants, count, look_at_mxfp6);
    fsattn_manifest_close(manifest);
}

static void look_at_formats(const variant *v, const fsattn_loop *loop) {
    const bool sparse = strstr(v->text, "row_sum=sparse") != NULL, fp8 = strstr(v->text, "fp8_row") != NULL;
    look_at_any(v, loop);
    cr_expect_eq(fsattn_loop_count(loop, "v_mfma_scale"), sparse ? 16u : 18u, "%s", v->text);
    cr_expect_eq(fsattn_loop_count(loop, "v_smfmac_f32_16x16x128_fp8_fp8"), sparse ? 2u : 0u, "%s", v->text);
    cr_expect_eq(fsattn_loop_count(loop, "v_cvt_scalef32_pk_fp8_bf16"), fp8 ? 32u : 0u, "%s", v->text);
    cr_expect_eq(fsattn_loop_count(loop, "v_cvt_scalef32_pk_fp4_bf16"),
                 strstr(v->text, "p_format=mxfp4") ? 32u : 0u, "%s", v->text);
    /* One for the exchange of halves of FP8 P's maximum, two for the sparse sum's start; none for a register
     * that P's bytes are put into. */
    cr_expect_leq(fsattn_loop_count(loop, "v_mov_b"), (fp8 ? 1u : 0u) + (sparse ? 2u : 0u), "%s", v->text);
}

Test(attention_gfx950, the_papers_other_kernels_and_forms_compile) {
    static const char *const configs[][2] = {
        {"qk_format=mxfp8 p_format=fp8_row v_format=fp8 row_sum=sparse", BF16},
        {"qk_format=mxfp8 p_format=fp8_row v_format=fp8", BF16 "mask=causal lse=1"},
        {"qk_format=mxfp4 p_format=mxfp6 v_format=mxfp4", BF16 "lse=1"},
        {"qk_format=mxfp4 p_format=mxfp4 v_format=mxfp4", BF16},
        {"qk_format=mxfp4 p_format=fp8_row v_format=mxfp6 row_sum=sparse", BF16 "mask=causal"},
    };
    enum { count = sizeof configs / sizeof *configs };
    variant variants[count];
    fsattn_manifest *manifest = open_family();
    for (size_t i = 0; i < count; i++) {
        named(manifest, &variants[i], configs[i][0], configs[i][1]);
    }
    compile(manifest, variants, count, look_at_formats);
    fsattn_manifest_close(manifest);
}

/* ---- any legal configuration ------------------------------------------------------------------ */

/* The draw-th random configuration that the manifest accepts. */
static void draw_valid(fsattn_manifest *manifest, variant *v, const char *problem, uint64_t *draw) {
    const fsattn_parameter_set *set = &manifest->parameters;
    *v = (variant){.problem = problem_of(problem)};
    const fsattn_setting setting = {&v->problem, "gfx950"};
    for (const char *reason = "none yet"; reason;) {
        for (size_t p = 0; p < set->count; p++) {
            v->config.index[p] = (uint16_t)fsattn_random_below(7, 0, (*draw)++, set->items[p].value_count);
        }
        cr_assert_eq(fsattn_manifest_check(manifest, &setting, &v->config, &reason, NULL), FSATTN_OK);
    }
    fsattn_text text = {0};
    fsattn_config_text(set, &v->config, &text);
    snprintf(v->text, sizeof v->text, "%s [%s]", text.data, problem);
    fsattn_text_fini(&text);
}

Test(attention_gfx950, whatever_the_manifest_accepts_compiles_and_fits) {
    static const char *const problems[] = {BF16, BF16 "mask=causal lse=1", BF16 "d=64", BF16 "lse=1"};
    enum { count = 16 };
    variant variants[count];
    uint64_t draw = 0;
    fsattn_manifest *manifest = open_family();
    for (size_t i = 0; i < count; i++) {
        draw_valid(manifest, &variants[i], problems[i % 4], &draw);
    }
    compile(manifest, variants, count, look_at_any);
    fsattn_manifest_close(manifest);
}

/* "v[34:39]" and the like at `text`, behind "v": the first and the last register. */
static void registers_at(const char *text, int *first, int *last) {
    const char *v = strchr(text, 'v');
    cr_assert_not_null(v);
    if (sscanf(v, "v[%d:%d]", first, last) != 2) {
        cr_assert_eq(sscanf(v, "v%d", first), 1, "%s", text);
        *last = *first;
    }
}

/* LLVM 22 does not know that the result of 2xpk16 is written while its operands are still read: the source
 * has to see to it. */
static void expect_early_clobber(const char *listing) {
    static const char name[] = "v_cvt_scalef32_2xpk16_fp6_f32 ";
    size_t seen = 0;
    for (const char *at = listing; (at = strstr(at, name)) != NULL; seen++) {
        int first, last, from, to;
        at += sizeof name - 1;
        registers_at(at, &first, &last);
        for (const char *operand = at + strcspn(at, ",\n"); *operand == ',';
             operand += 1 + strcspn(operand + 1, ",\n")) {
            registers_at(operand, &from, &to);
            cr_expect(to < first || from > last, "result over an operand: %.60s", at);
        }
    }
    cr_expect_geq(seen, 3u);
}

/* ---- the kernels that prepare operands --------------------------------------------------------- */

Test(attention_gfx950, quantizers_compile_and_spill_nothing) {
    static const char *const configs[] = {"", "qk_format=mxfp4 v_format=mxfp4",
                                          "qk_format=mxfp8 p_format=fp8_row v_format=fp8"};
    enum { count = sizeof configs / sizeof *configs };
    fsattn_hiprtc *hiprtc = rocm_or_skip();
    fsattn_manifest *manifest;
    fsattn_err err;
    cr_assert_eq(fsattn_manifest_open(FSATTN_SOURCE_DIR "/templates/quantize_gfx950", &manifest, &err),
                 FSATTN_OK, "%s", err.message);
    variant variants[count];
    fsattn_hiprtc_job jobs[count];
    const char *options[16] = {0};
    memcpy(options, manifest->options, manifest->option_count * sizeof *options);
    for (size_t i = 0; i < count; i++) {
        named(manifest, &variants[i], configs[i], i == 1 ? "d=64" : BF16);
        render(manifest, &variants[i]);
        jobs[i] = (fsattn_hiprtc_job){.source = variants[i].source.data, .options = options};
    }
    cr_assert_eq(fsattn_hiprtc_compile(hiprtc, jobs, count, INT64_MAX, NULL, &err), FSATTN_OK, "%s",
                 err.message);
    for (size_t i = 0; i < count; i++) {
        fsattn_code_object object;
        char reason[256];
        cr_assert_eq(jobs[i].verdict, FSATTN_VERDICT_OK, "%s: %s", variants[i].text, jobs[i].reason);
        cr_assert_eq(
            fsattn_code_object_init(&object, "quantize", jobs[i].code, jobs[i].code_bytes, "gfx950", &err),
            FSATTN_OK);
        cr_expect_eq(object.kernel_count, i == 2 ? 4u : 3u);
        if (i == 0) {
            fsattn_text listing = {0};
            cr_assert_eq(
                fsattn_hiprtc_disassemble(hiprtc, jobs[i].code, jobs[i].code_bytes, "gfx950", &listing, &err),
                FSATTN_OK);
            expect_early_clobber(listing.data);
            fsattn_text_fini(&listing);
        }
        for (size_t k = 0; k < object.kernel_count; k++) {
            const fsattn_inspect_limits limits = {.vgprs = 128};
            cr_expect(fsattn_inspect_fits(&object.kernels[k], &limits, reason, sizeof reason), "%s: %s %s",
                      variants[i].text, object.kernels[k].name, reason);
        }
        fsattn_code_object_fini(&object);
        fsattn_hiprtc_job_fini(&jobs[i]);
        fsattn_text_fini(&variants[i].source);
    }
    fsattn_manifest_close(manifest);
    fsattn_hiprtc_close(hiprtc);
}

/* ---- without a compiler ----------------------------------------------------------------------- */

static void expect_rejected(fsattn_manifest *manifest, const char *config, const char *reason) {
    variant v;
    const char *given = NULL;
    named(manifest, &v, config, BF16);
    const fsattn_setting setting = {&v.problem, "gfx950"};
    cr_assert_eq(fsattn_manifest_check(manifest, &setting, &v.config, &given, NULL), FSATTN_OK);
    cr_assert_not_null(given, "%s was accepted", config);
    cr_expect_not_null(strstr(given, reason), "%s: %s", config, given);
}

Test(attention_gfx950, what_cannot_work_is_rejected_before_compiling) {
    fsattn_manifest *manifest = open_family();
    expect_rejected(manifest, "qk_format=mxfp8 p_format=fp8_row v_format=fp8 depth=5", "160 KiB");
    expect_rejected(manifest, "schedule=pingpong depth=2", "three slots");
    expect_rejected(manifest, "row_sum=sparse", "FP8 P");
    expect_rejected(manifest, "qk_format=mxfp8 p_format=fp8_row v_format=fp8 row_sum=sparse reduction=maximum3", "would reach both");
    expect_rejected(manifest, "v_format=fp8", "FP8 P");
    expect_rejected(manifest, "reduction=fp32 rollback=codes", "codes");
    expect_rejected(manifest, "rollback=off cap=16", "cap");
    expect_rejected(manifest, "softmax=lazy reduction=fp32 exponential=exact schedule=pingpong depth=3 tile_m=128 tile_n=64",
                    "256 registers");
    fsattn_manifest_close(manifest);
}

/* The tile's bytes are those of the packing that the quantizer's reference writes. */
Test(attention_gfx950, tiles_are_as_long_as_packed_ones) {
    static const struct {
        const char *config;
        fsattn_format k, v;
        bool scaled;
    } rows[] = {
        {"qk_format=mxfp6 v_format=mxfp6", FSATTN_FORMAT_E2M3, FSATTN_FORMAT_E2M3, true},
        {"qk_format=mxfp4 v_format=mxfp4", FSATTN_FORMAT_E2M1, FSATTN_FORMAT_E2M1, true},
        {"qk_format=mxfp8 v_format=fp8 p_format=fp8_row", FSATTN_FORMAT_E4M3, FSATTN_FORMAT_E4M3, false},
    };
    fsattn_manifest *manifest = open_family();
    for (size_t i = 0; i < 2 * sizeof rows / sizeof *rows; i++) {
        const int d = i % 2 ? 64 : 128;
        const fsattn_packing k = {FSATTN_PACKING_K, rows[i / 2].k, FSATTN_KEY_ORDER_RUNS, d, true};
        const fsattn_packing v = {FSATTN_PACKING_V, rows[i / 2].v, FSATTN_KEY_ORDER_BIT2, d,
                                  rows[i / 2].scaled};
        variant made;
        fsattn_pairs pairs;
        named(manifest, &made, rows[i / 2].config, d == 64 ? BF16 "d=64" : BF16);
        const fsattn_setting setting = {&made.problem, "gfx950"};
        cr_assert_eq(fsattn_manifest_evaluate(manifest, FSATTN_SECTION_RESOURCES, &setting, &made.config,
                                              &pairs, NULL),
                     FSATTN_OK);
        cr_expect_eq(fsattn_pairs_integer(&pairs, "lds_bytes", -1),
                     2 * (int64_t)(fsattn_packing_tile_bytes(&k) + fsattn_packing_tile_bytes(&v)), "%s d=%d",
                     made.text, d);
    }
    fsattn_manifest_close(manifest);
}

/* The emulator knows every switch that the manifest sets, for every kind of configuration. */
Test(attention_gfx950, the_emulator_accepts_what_proves_each_configuration) {
    fsattn_manifest *manifest = open_family();
    uint64_t draw = 1000;
    for (int i = 0; i < 200; i++) {
        variant v;
        fsattn_pairs pairs;
        fsattn_emulator_config emulator;
        fsattn_err err;
        draw_valid(manifest, &v, BF16, &draw);
        const fsattn_setting setting = {&v.problem, "gfx950"};
        cr_assert_eq(
            fsattn_manifest_evaluate(manifest, FSATTN_SECTION_EMULATOR, &setting, &v.config, &pairs, NULL),
            FSATTN_OK);
        fsattn_emulator_config_init(&emulator);
        for (size_t p = 0; p < pairs.count; p++) {
            fsattn_text text = {0};
            fsattn_value_text(&pairs.items[p].value, &text);
            cr_assert_eq(fsattn_emulator_set(&emulator, pairs.items[p].name, text.data, &err), FSATTN_OK,
                         "%s: %s", v.text, err.message);
            fsattn_text_fini(&text);
        }
        cr_assert_eq(fsattn_emulator_check(&emulator, &err), FSATTN_OK, "%s: %s", v.text, err.message);
    }
    fsattn_manifest_close(manifest);
}
