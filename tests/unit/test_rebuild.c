/* One byte changed in a template, an included piece, an option or the compiler: the old object is never used. */
#include "evaluator_host.h"
#include "file.h"
#include "memory.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static char folder[] = "/tmp/fsattn-test-XXXXXX";

static void run(const char *format, const char *argument) {
    char command[1024];
    snprintf(command, sizeof command, format, argument, argument, argument);
    cr_assert_eq(system(command), 0, "%s", command);
}

/* Renders and builds one configuration with a fresh evaluator over the store in the folder; whether the compiler ran. */
static bool compiles(const char *compiler, fsattn_hash *code) {
    char path[128];
    fsattn_manifest *manifest;
    fsattn_store *store;
    fsattn_evaluator *evaluator;
    fsattn_variant *variant;
    fsattn_outcome outcome;
    fsattn_problem problem;
    fsattn_err err = {0};
    snprintf(path, sizeof path, "%s/templates/attention_host", folder);
    cr_assert_eq(fsattn_manifest_open(path, &manifest, &err), FSATTN_OK, "%s", err.message);
    snprintf(path, sizeof path, "%s/t.db", folder);
    cr_assert_eq(fsattn_store_open(path, NULL, &store, &err), FSATTN_OK, "%s", err.message);
    const fsattn_evaluator_host_options options = {.manifest = manifest, .store = store, .compiler = compiler,
                                                   .worker = FSATTN_BINARY_DIR "/bin/fsattn-worker", .seed = 1};
    cr_assert_eq(fsattn_evaluator_host_open(&options, &evaluator, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_problem_parse("sq=64 sk=64 d=64", &problem, &err), FSATTN_OK);
    cr_assert_eq(evaluator->ops->render(evaluator, &problem, &manifest->defaults, &variant, &outcome, &err), FSATTN_OK, "%s", err.message);
    cr_assert_not_null(variant, "%s", outcome.reason);
    cr_assert_eq(evaluator->ops->build(evaluator, &variant, 1, INT64_MAX, &outcome, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(outcome.verdict, FSATTN_VERDICT_OK, "%s", outcome.reason);
    const bool compiled = variant->compiled;
    *code = variant->stage.code.hash;
    evaluator->ops->release(evaluator, variant);
    evaluator->ops->close(evaluator);
    fsattn_store_close(store);
    fsattn_manifest_close(manifest);
    return compiled;
}

Test(rebuild, every_changed_byte_compiles_and_every_restored_one_hits, .timeout = 120) {
    fsattn_hash first, other;
    char compiler[128];
    cr_assert_not_null(mkdtemp(folder));
    setenv("XDG_CACHE_HOME", folder, 1);
    run("cp -r '" FSATTN_SOURCE_DIR "/templates' %s/", folder);
    snprintf(compiler, sizeof compiler, "%s/other-cc", folder);
    cr_assert(compiles("cc", &first));
    cr_assert(!compiles("cc", &other));
    cr_assert_eq(fsattn_hash_compare(&first, &other), 0);
    static const char *const changes[] = {
        "sed -i.kept 's/keys of one step/keys  of one step/' %s/templates/attention_host/kernel.c.in",        /* in a comment */
        "sed -i.kept '1s/$/ /' %s/templates/lib/vector.c.in",        /* one blank in a piece */
        "sed -i.kept 's/\"-O3\"/\"-O2\"/' %s/templates/attention_host/manifest.lua",        /* an option */
    };
    static const char *const restore = "for f in $(find %s/templates -name '*.kept'); do mv $f ${f%%.kept}; done";
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        run(changes[i], folder);
        cr_expect(compiles("cc", &other), "change %zu is not seen", i);
        run(restore, folder);
        cr_expect(!compiles("cc", &other), "change %zu: what was restored is compiled again", i);
        cr_expect_eq(fsattn_hash_compare(&first, &other), 0);
    }
    /* A compiler that calls itself the same but is another program. */
    run("printf '#!/bin/sh\\nexec cc \"$@\"\\n' > %s/other-cc && chmod +x %s/other-cc", folder);
    cr_expect(compiles(compiler, &other));
    cr_expect(!compiles(compiler, &other));
    cr_expect(!compiles("cc", &other));
    run("rm -rf %s", folder);
}
