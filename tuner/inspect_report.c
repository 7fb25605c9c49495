#include "inspect_report.h"

#include "error.h"
#include "memory.h"
#include "template.h"

#include <string.h>

/* ---- roofline ---- */

/* Paper, sections 2.2 and 3: per compute unit and clock. */
static const double lds_bytes_a_clock = 256, vector_elements_a_clock = 128, exponentials_a_clock = 32;
static const double hbm_bytes_a_clock = 8e12 / 256 / 2.4e9;
enum { wave_rows = 32, simds = 4 };

/* Operations of the matrix unit a clock, by the wider of two operands. */
static double matrix_rate(const fsattn_pairs *formats, const char *a, const char *b) {
    static const struct {
        const char *part; /* of a format's name */
        double rate;
    } rates[] = {{"bf16", 4096}, {"f16", 4096}, {"int8", 8192}, {"fp8", 8192}, {"fp6", 16384}, {"fp4", 16384}};
    const char *names[] = {a, b};
    double slowest = 0;
    for (size_t i = 0; i < 2; i++) {
        const fsattn_value *value = fsattn_pairs_find(formats, names[i]);
        double own = 0;
        for (size_t k = 0; value && value->type == FSATTN_VALUE_ENUM && k < sizeof rates / sizeof rates[0] && own == 0; k++) {
            own = strstr(value->word, rates[k].part) ? rates[k].rate : 0;
        }
        if (own == 0) {
            return 0;
        }
        slowest = slowest == 0 || own < slowest ? own : slowest;
    }
    return slowest;
}

fsattn_status fsattn_inspect_roofline(fsattn_manifest *manifest, const fsattn_setting *setting, const fsattn_config *config,
                                      fsattn_roofline *roofline, fsattn_err *err) {
    fsattn_pairs launch, resources, formats;
    FSATTN_TRY(fsattn_manifest_evaluate(manifest, FSATTN_SECTION_LAUNCH, setting, config, &launch, err));
    FSATTN_TRY(fsattn_manifest_evaluate(manifest, FSATTN_SECTION_RESOURCES, setting, config, &resources, err));
    FSATTN_TRY(fsattn_manifest_evaluate(manifest, FSATTN_SECTION_EMULATOR, setting, config, &formats, err));
    const double m = (double)fsattn_pairs_integer(&launch, "tile_m", 0), n = (double)fsattn_pairs_integer(&launch, "tile_n", 0);
    const double d = (double)setting->problem->head_dim, waves = m / wave_rows;
    const double bytes =
        (double)fsattn_pairs_integer(&launch, "k_tile_bytes", 0) + (double)fsattn_pairs_integer(&launch, "v_tile_bytes", 0);
    const double first = matrix_rate(&formats, "qk_format", "qk_format"), second = matrix_rate(&formats, "p_format", "v_format");
    *roofline = (fsattn_roofline){
        .hbm = bytes / hbm_bytes_a_clock,
        .lds = waves * bytes / lds_bytes_a_clock,
        .gemm = first > 0 && second > 0 ? 2 * m * n * d / first + 2 * m * n * d / second : 0,
        .vector = 4 * m * n / vector_elements_a_clock + m * n / exponentials_a_clock + m * d / vector_elements_a_clock,
        .bound = (double)fsattn_pairs_integer(&resources, "mfma_cycles", 0) * waves / simds,
    };
    return FSATTN_OK;
}

/* ---- the loop in cycles ---- */

/* Cycles of a wave's SIMD that a vector instruction takes: 64 lanes on 16, and those that are known to be slower. */
static double vector_cycles(const fsattn_loop *loop) {
    static const struct {
        const char *prefix;
        double cycles;
    } slow[] = {{"v_cvt_scalef32_pk32", 64}, {"v_cvt_scalef32_2xpk16", 64}, {"v_exp_f32", 8},
                {"v_log_f32", 8},            {"v_rcp_", 8},                 {"v_permlane", 20}};
    double cycles = 0;
    for (size_t i = 0; i < loop->mnemonic_count; i++) {
        double each = 4;
        for (size_t k = 0; k < sizeof slow / sizeof slow[0]; k++) {
            each = strncmp(loop->mnemonics[i].name, slow[k].prefix, strlen(slow[k].prefix)) ? each : slow[k].cycles;
        }
        cycles += loop->mnemonics[i].unit == FSATTN_UNIT_VECTOR ? each * (double)loop->mnemonics[i].count : 0;
    }
    return cycles;
}

static void tell_roofline(const fsattn_roofline *r, const fsattn_loop *loop, double waves, fsattn_text *out) {
    fsattn_text_printf(out, "roofline of a tile, cycles of a compute unit (paper, section 3): HBM %.0f, LDS %.0f, GEMM %.0f, vector %.0f\n",
                       r->hbm, r->lds, r->gemm, r->vector);
    if (!loop || r->bound <= 0) {
        return;
    }
    const double vector = vector_cycles(loop) * waves / simds, longer = vector > r->bound ? vector : r->bound;
    fsattn_text_printf(out, "bound by MFMA %.0f cycles (row sum included); vector work of the loop %.0f, %.2f of section 3's\n", r->bound,
                       vector, vector / r->vector);
    fsattn_text_printf(out, "share of the MFMA bound: %.0f %% when vector work lies under matrix work, %.0f %% when nothing overlaps\n",
                       100 * r->bound / longer, 100 * r->bound / (r->bound + vector));
}

/* ---- the report ---- */

static fsattn_status tell_manifest(fsattn_manifest *manifest, const fsattn_setting *setting, const fsattn_config *config,
                                   fsattn_text *out, fsattn_err *err) {
    fsattn_pairs pairs;
    fsattn_config_text(&manifest->parameters, config, out);
    FSATTN_TRY(fsattn_manifest_evaluate(manifest, FSATTN_SECTION_RESOURCES, setting, config, &pairs, err));
    fsattn_text_puts(out, "\nmanifest:");
    for (size_t i = 0; i < pairs.count; i++) {
        fsattn_text_printf(out, " %s=", pairs.items[i].name);
        fsattn_value_text(&pairs.items[i].value, out);
    }
    fsattn_text_puts(out, "\n");
    return FSATTN_OK;
}

static fsattn_status tell_code(fsattn_hiprtc *hiprtc, fsattn_manifest *manifest, const fsattn_setting *setting,
                               const fsattn_config *config, const fsattn_hiprtc_job *job, bool listed, fsattn_text *out,
                               fsattn_err *err) {
    fsattn_code_object object = {0};
    fsattn_text listing = {0};
    fsattn_roofline roofline;
    fsattn_pairs launch;
    fsattn_status status = FSATTN_OK;
    fsattn_loop *loop = fsattn_alloc(1, sizeof *loop);
    if (!loop) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", manifest->name);
    }
    FSATTN_GOTO(fsattn_inspect_roofline(manifest, setting, config, &roofline, err));
    FSATTN_GOTO(fsattn_manifest_evaluate(manifest, FSATTN_SECTION_LAUNCH, setting, config, &launch, err));
    FSATTN_GOTO(fsattn_code_object_init(&object, manifest->name, job->code, job->code_bytes, setting->isa, err));
    FSATTN_GOTO(fsattn_hiprtc_disassemble(hiprtc, job->code, job->code_bytes, setting->isa, &listing, err));
    if (listed) {
        fsattn_text_puts(out, listing.data);
    }
    fsattn_text_printf(out, "%s, %.2f s, %zu bytes\n", fsattn_hiprtc_identity(hiprtc), job->seconds, job->code_bytes);
    for (size_t i = 0; i < object.kernel_count; i++) {
        const bool looped = fsattn_inspect_loop(listing.data, object.kernels[i].name, loop, NULL) == FSATTN_OK;
        fsattn_inspect_text(&object.kernels[i], looped ? loop : NULL, out);
        if (looped && !strcmp(object.kernels[i].name, manifest->entry)) {
            tell_roofline(&roofline, loop, (double)fsattn_pairs_integer(&launch, "tile_m", 0) / wave_rows, out);
        }
    }
out:
    fsattn_text_fini(&listing);
    fsattn_code_object_fini(&object);
    fsattn_free(loop);
    return status;
}

fsattn_status fsattn_inspect_report(fsattn_hiprtc *hiprtc, fsattn_manifest *manifest, const fsattn_setting *setting,
                                    const fsattn_config *config, bool listing, fsattn_text *out, fsattn_err *err) {
    const char *reason;
    fsattn_text source = {0};
    const char **arguments = fsattn_alloc(manifest->option_count + 1, sizeof *arguments);
    fsattn_hiprtc_job job = {.options = arguments};
    fsattn_status status = FSATTN_OK;
    if (!arguments) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", manifest->name);
    }
    memcpy(arguments, manifest->options, manifest->option_count * sizeof *arguments);
    FSATTN_GOTO(fsattn_manifest_supports(manifest, setting, &reason, err));
    if (!reason) {
        FSATTN_GOTO(fsattn_manifest_check(manifest, setting, config, &reason, err));
    }
    if (reason) {
        status = fsattn_fail(err, FSATTN_INVALID, "%s: rejected: %s", manifest->name, reason);
        goto out;
    }
    FSATTN_GOTO(fsattn_template_render(manifest, setting, config, NULL, &source, err));
    FSATTN_GOTO(tell_manifest(manifest, setting, config, out, err));
    job.source = source.data;
    FSATTN_GOTO(fsattn_hiprtc_compile(hiprtc, &job, 1, INT64_MAX, NULL, err));
    if (job.verdict != FSATTN_VERDICT_OK) {
        status = fsattn_fail(err, FSATTN_COMPILE, "%s: %s: %s", manifest->name, fsattn_verdict_text(job.verdict), job.reason);
        goto out;
    }
    FSATTN_GOTO(tell_code(hiprtc, manifest, setting, config, &job, listing, out, err));
    if (out->failed) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", manifest->name);
    }
out:
    fsattn_hiprtc_job_fini(&job);
    fsattn_text_fini(&source);
    fsattn_free(arguments);
    return status;
}
