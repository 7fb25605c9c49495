/* The real host family, from its template to an output: rendered, compiled, written into a cache file, found,
 * run. The scratch memory and the geometry that the manifest states must be what its kernels need for every
 * size. */
#include "context.h"
#include "manifest.h"
#include "template.h"
#include "text.h"
#include "../support/cache_fixture.h"

#include <criterion/criterion.h>

/* Everything that is compiled once and may then serve any size. */
typedef struct built {
    test_record record;
    fsattn_text configuration;
    char *code;
    char isa[128];
} built;

static void compile(const char *folder, const fsattn_manifest *manifest, const char *isa,
                    const fsattn_text *source, char **code, size_t *bytes) {
    char path[128], object[128];
    fsattn_text command = {0};
    snprintf(path, sizeof path, "%s/kernel.c", folder);
    snprintf(object, sizeof object, "%s/kernel.so", folder);
    cr_assert_eq(fsattn_file_publish(path, source->data, source->bytes, 0600, NULL), FSATTN_OK);
    fsattn_text_printf(&command, "cc -fPIC -shared -nostdlib -fvisibility=hidden -o '%s'", object);
    for (size_t i = 0; i < manifest->option_count; i++) {
        fsattn_text_printf(&command, " %s", manifest->options[i]);
    }
    for (const char *feature = strchr(isa, '+'); feature; feature = strchr(feature + 1, '+')) {
        fsattn_text_printf(&command, " -m%.*s", (int)strcspn(feature + 1, "+"), feature + 1);
    }
    fsattn_text_printf(&command, " '%s'", path);
    cr_assert_not(command.failed);
    test_run(command.data);
    cr_assert_eq(fsattn_file_read(object, 1 << 24, code, bytes, NULL), FSATTN_OK);
    fsattn_text_fini(&command);
}

static void build(const char *folder, fsattn_manifest *manifest, const char *problem,
                  const char *configuration, built *made) {
    fsattn_err err = {0};
    fsattn_config config;
    fsattn_text source = {0};
    fsattn_pairs launch, resources;
    size_t bytes;
    const char *reason = NULL;
    test_record_init(&made->record, problem, NULL, 0);
    fsattn_cpu_isa(&made->record.cpu, made->isa);
    const fsattn_setting setting = {.problem = &made->record.record.problem, .isa = made->isa};
    cr_assert_eq(fsattn_config_parse(&manifest->parameters, configuration, &config, &err), FSATTN_OK, "%s",
                 err.message);
    cr_assert_eq(fsattn_manifest_check(manifest, &setting, &config, &reason, &err), FSATTN_OK, "%s",
                 err.message);
    cr_assert_null(reason, "%s", reason);
    cr_assert_eq(fsattn_template_render(manifest, &setting, &config, NULL, &source, &err), FSATTN_OK, "%s",
                 err.message);
    cr_assert_eq(fsattn_manifest_evaluate(manifest, FSATTN_SECTION_LAUNCH, &setting, &config, &launch, &err),
                 FSATTN_OK);
    cr_assert_eq(
        fsattn_manifest_evaluate(manifest, FSATTN_SECTION_RESOURCES, &setting, &config, &resources, &err),
        FSATTN_OK);
    compile(folder, manifest, made->isa, &source, &made->code, &bytes);
    fsattn_config_text(&manifest->parameters, &config, &made->configuration);
    made->record.record.isa = made->isa;
    made->record.record.template_name = manifest->name;
    made->record.record.configuration = made->configuration.data;
    made->record.stage.entry = manifest->entry;
    made->record.stage.code = (fsattn_blob){.data = made->code, .bytes = bytes};
    made->record.stage.tile_m = fsattn_pairs_integer(&launch, "tile_m", 0);
    made->record.stage.tile_n = fsattn_pairs_integer(&launch, "tile_n", 0);
    made->record.stage.scratch_bytes = (uint64_t)fsattn_pairs_integer(&resources, "scratch_bytes", 0);
    fsattn_text_fini(&source);
}

/* Each size of `kind`, tuned for one size of it, is served and right. */
static void serve(const char *kind, const char *configuration) {
    static const char *const sizes[] = {"hq=2 hkv=2 sq=1 sk=1", "hq=4 hkv=2 sq=100 sk=131",
                                        "b=2 hq=3 hkv=1 sq=97 sk=97", "hq=2 hkv=2 sq=200 sk=193"};
    char folder[64], path[128], problem[256];
    fsattn_err err = {0};
    fsattn_manifest *manifest;
    fsattn_context *context;
    fsattn_options options;
    built made = {.code = NULL};
    test_folder(folder);
    snprintf(path, sizeof path, "%s/family.fsc", folder);
    snprintf(problem, sizeof problem, "hq=4 hkv=2 sq=100 sk=131 %s", kind);
    cr_assert_eq(fsattn_manifest_open(FSATTN_SOURCE_DIR "/templates/attention_host", &manifest, &err),
                 FSATTN_OK, "%s", err.message);
    build(folder, manifest, problem, configuration, &made);
    fsattn_fsc_writer *writer = test_writer();
    test_add(writer, &made.record);
    test_publish(writer, path);
    fsattn_options_init(&options);
    options.caches = &(const char *){path};
    options.cache_count = 1;
    options.threads = 2;
    cr_assert_eq(fsattn_open(&options, &context, &err), FSATTN_OK, "%s", err.message);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        fsattn_problem asked;
        fsattn_plan plan;
        test_operands operands;
        snprintf(problem, sizeof problem, "%s %s", sizes[i], kind);
        cr_assert_eq(test_problem_parse(problem, &asked, &err), FSATTN_OK, "%s", err.message);
        cr_assert_eq(fsattn_plan_find(context, &asked, NULL, &plan, &err), FSATTN_OK, "%s", err.message);
        cr_expect_eq(plan.source, i == 1 ? FSATTN_PLAN_TUNED : FSATTN_PLAN_NEAREST);
        test_operands_init(&operands, &asked);
        const fsattn_arguments arguments = test_arguments(&operands);
        cr_expect_eq(fsattn_run(context, &plan, &arguments, &err), FSATTN_OK, "%s", err.message);
        cr_expect_lt(test_error(&operands), 1e-4, "%s", problem);
        test_operands_fini(&operands);
    }
    fsattn_close(context);
    fsattn_manifest_close(manifest);
    fsattn_text_fini(&made.configuration);
    fsattn_free(made.code);
    fsattn_folder_remove(folder, NULL);
}

Test(serve_family, default_configuration, .timeout = 120) {
    serve("d=64", "");
}

Test(serve_family, default_configuration_causal_with_lse, .timeout = 120) {
    serve("d=128 mask=causal lse=1", "");
}

Test(serve_family, another_configuration_and_layout, .timeout = 120) {
    serve("d=64 layout=bhsd mask=causal", "tile_m=48 tile_n=24 reg_v=1 reg_n=4 reg_d=4 key_source=panel "
                                          "value_source=direct maximum=lazy row_sum=gemm");
}
