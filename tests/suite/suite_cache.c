/* The kernels of the suite: rendered and compiled as the tuner does it, in records whose times and accuracies
 * are given here. */
#include "suite.h"

#include "config.h"
#include "evaluator_gpu.h"
#include "evaluator_host.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MXFP4 "qk_format=mxfp4 p_format=mxfp6 v_format=mxfp4"
#define MXFP6 "qk_format=mxfp6 p_format=mxfp6 v_format=mxfp6"
#define HOST_ROUGH "exponential=schraudolph maximum=lazy"
#define HOST_OTHER                                                                                           \
    "tile_m=48 tile_n=24 reg_v=1 reg_n=4 reg_d=4 key_source=panel value_source=direct maximum=lazy "         \
    "row_sum=gemm"

static const struct {
    const char *problem, *host, *gpu; /* configurations */
    bool fine;
} rows[] = {{SUITE_PLAIN, HOST_ROUGH, MXFP4, false},
            {SUITE_PLAIN, "", MXFP6, true},
            {SUITE_WITH_LSE, HOST_ROUGH, MXFP4, false},
            {SUITE_WITH_LSE, "", MXFP6, true},
            {SUITE_CAUSAL, "", MXFP6 " schedule=pingpong depth=3", true},
            {SUITE_NARROW, HOST_OTHER, MXFP6 " reduction=maximum3", true}};
enum { row_count = sizeof rows / sizeof rows[0] };

/* What a caller may ask for is the grade of the fine ones: fsattn.h has those of the formats, BF16's is that
 * of the host's output. */
static double error_of(const suite *s, bool fine) {
    return s->host ? fine ? 0.003 : 0.03 : fine ? 0.0706 : 0.2187;
}

double suite_fine_error(const suite *s) {
    return error_of(s, true);
}

static fsattn_status open_evaluator(const suite *s, fsattn_manifest *manifest, fsattn_evaluator **evaluator,
                                    fsattn_err *err) {
    const fsattn_evaluator_host_options host = {
        .manifest = manifest, .worker = FSATTN_BINARY_DIR "/bin/fsattn-worker", .jobs = 2, .seed = 1};
    const fsattn_evaluator_gpu_options gpu = {.manifest = manifest,
                                              .device = s->name,
                                              .library = s->library,
                                              .worker = FSATTN_BINARY_DIR "/bin/fsattn-gpu-worker",
                                              .jobs = 2,
                                              .seed = 1};
    return s->host ? fsattn_evaluator_host_open(&host, evaluator, err)
                   : fsattn_evaluator_gpu_open(&gpu, evaluator, err);
}

static void add(suite *s, fsattn_fsc_writer *writer, const fsattn_platform *on, const fsattn_variant *variant,
                size_t row) {
    const double time_ns = rows[row].fine ? 2e6 : 1e6, error = error_of(s, rows[row].fine);
    const fsattn_accuracy_entry accuracy = {.distribution = "normal",
                                            .relative_error = error,
                                            .cosine = 1 - error * error,
                                            .maximum_error = 1,
                                            .coverage = 1};
    const fsattn_fsc_record record = {
        .problem = suite_problem(s, rows[row].problem),
        .role = FSATTN_ROLE_WINNER,
        .target = on->target,
        .isa = on->isa,
        .abi = on->abi,
        .flexible = FSATTN_FLEXIBLE_SIZES | FSATTN_FLEXIBLE_SCALE | FSATTN_FLEXIBLE_GQA,
        .template_name = "suite",
        .configuration = s->host ? rows[row].host : rows[row].gpu,
        .stages = variant->chain ? variant->chain : &variant->stage,
        .stage_count = variant->chain ? variant->chain_count : 1,
        .accuracies = &accuracy,
        .accuracy_count = 1,
        .cost = {.median_ns = time_ns,
                 .minimum_ns = time_ns,
                 .samples = 1,
                 .provenance = on->provenance,
                 .machine = "test",
                 .device = on->device,
                 .units = on->units,
                 .driver = on->driver,
                 .policy = "suite"},
        .compiler = on->compiler,
        .options = variant->options,
        .source = variant->source,
    };
    fsattn_err err = {0};
    REQUIRE(fsattn_fsc_writer_add(writer, &record, &err) == FSATTN_OK, "%s", err.message);
}

static void make(suite *s, fsattn_manifest *manifest, fsattn_evaluator *evaluator) {
    fsattn_variant *variants[row_count];
    fsattn_outcome outcomes[row_count];
    fsattn_fsc_writer *writer;
    fsattn_err err = {0};
    for (size_t i = 0; i < row_count; i++) {
        const fsattn_problem problem = suite_problem(s, rows[i].problem);
        fsattn_config config;
        REQUIRE(fsattn_config_parse(&manifest->parameters, s->host ? rows[i].host : rows[i].gpu, &config,
                                    &err) == FSATTN_OK,
                "%s", err.message);
        REQUIRE(evaluator->ops->render(evaluator, &problem, &config, &variants[i], &outcomes[i], &err) ==
                        FSATTN_OK &&
                    variants[i],
                "row %zu: %s%s", i, err.message, outcomes[i].reason);
    }
    REQUIRE(evaluator->ops->build(evaluator, variants, row_count, INT64_MAX, outcomes, &err) == FSATTN_OK,
            "%s", err.message);
    REQUIRE(fsattn_fsc_writer_create(&writer, &err) == FSATTN_OK, "%s", err.message);
    for (size_t i = 0; i < row_count; i++) {
        REQUIRE(outcomes[i].verdict == FSATTN_VERDICT_OK, "row %zu: %s", i, outcomes[i].reason);
        add(s, writer, &evaluator->platform, variants[i], i);
    }
    snprintf(s->cache, sizeof s->cache, "%s/suite.fsc", s->folder);
    REQUIRE(fsattn_fsc_writer_publish(writer, NULL, s->cache, &err) == FSATTN_OK, "%s", err.message);
    fsattn_fsc_writer_destroy(writer);
    for (size_t i = 0; i < row_count; i++) {
        evaluator->ops->release(evaluator, variants[i]);
    }
}

bool suite_cache_make(suite *s, fsattn_err *err) {
    const char *family = s->host ? FSATTN_SOURCE_DIR "/templates/attention_host"
                                 : FSATTN_SOURCE_DIR "/templates/attention_gfx950";
    fsattn_manifest *manifest;
    fsattn_evaluator *evaluator;
    REQUIRE(fsattn_manifest_open(family, &manifest, err) == FSATTN_OK, "%s", err->message);
    const fsattn_status status = open_evaluator(s, manifest, &evaluator, err);
    if (status == FSATTN_OK) {
        make(s, manifest, evaluator);
        evaluator->ops->close(evaluator);
    }
    fsattn_manifest_close(manifest);
    REQUIRE(status == FSATTN_OK || status == FSATTN_NOT_FOUND, "%s", err->message);
    return status == FSATTN_OK;
}

/* ---- contexts, plans ---- */

fsattn_context *suite_open(suite *s, const fsattn_options *options) {
    const char *const caches[] = {s->cache};
    fsattn_context *context = NULL;
    fsattn_options own;
    fsattn_err err = {0};
    fsattn_options_init(&own);
    own = options ? *options : own;
    own.device = s->name;
    own.library = s->library;
    if (!own.cache_count) {
        own.caches = caches;
        own.cache_count = 1;
    }
    REQUIRE(fsattn_open(&own, &context, &err) == FSATTN_OK, "%s", err.message);
    return context;
}

/* What the text does not name is that of SUITE_SIZES. */
fsattn_problem suite_problem(suite *s, const char *text) {
    char whole[512] = "";
    fsattn_problem problem;
    fsattn_err err = {0};
    if (!strstr(text, "sq=")) {
        snprintf(whole, sizeof whole, SUITE_SIZES "%s", text);
    } else {
        snprintf(whole, sizeof whole, "%s", text);
    }
    REQUIRE(fsattn_problem_parse(whole, &problem, &err) == FSATTN_OK, "%s: %s", whole, err.message);
    return problem;
}

fsattn_plan suite_plan(suite *s, fsattn_context *context, const char *text, const fsattn_accuracy *wanted) {
    const fsattn_problem problem = suite_problem(s, text);
    fsattn_plan plan;
    fsattn_err err = {0};
    REQUIRE(fsattn_plan_find(context, &problem, wanted, &plan, &err) == FSATTN_OK, "%s: %s", text,
            err.message);
    return plan;
}

fsattn_plan_info suite_info(suite *s, fsattn_context *context, const fsattn_plan *plan) {
    fsattn_plan_info info = {.size = sizeof info};
    fsattn_err err = {0};
    REQUIRE(fsattn_plan_info_get(context, plan, &info, &err) == FSATTN_OK, "%s", err.message);
    return info;
}
