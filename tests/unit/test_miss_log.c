/* A log of missed problems in place of a space's own. */
#include "miss_log.h"

#include "../support/host_object.h"
#include "error.h"

#include <criterion/criterion.h>

#define ISA "x86_64+avx+avx2+fma"

static char folder[64], path[128];

static fsattn_space *load(const char *text) {
    fsattn_space *space = NULL;
    fsattn_err err;
    test_folder(folder);
    snprintf(path, sizeof path, "%s/misses.txt", folder);
    cr_assert_eq(fsattn_file_publish(path, text, strlen(text), 0600, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_space_load(FSATTN_SOURCE_DIR "/spaces/host.yaml", NULL, &space, &err), FSATTN_OK, "%s", err.message);
    return space;
}

static void unload(fsattn_space *space) {
    fsattn_space_destroy(space);
    fsattn_folder_remove(folder, NULL);
}

Test(miss_log, problems_stand_once_in_their_order) {
    fsattn_space *space = load("attention_fwd b=1 hq=12 hkv=12 sq=77 sk=77 d=64 q=f32 kv=f32 o=f32 layout=bshd mask=none lse=0 "
                               "scale=default\n"
                               "hq=2 hkv=1 sq=9 sk=9 d=128 scale=default\r\n" /* from another system */
                               "\n"
                               "hq=2 hkv=1 sq=9 sk=9 d=96\n"       /* no kernel of this template */
                               "hq=12 hkv=12 sk=77 sq=77 d=64\n"   /* the first again */
                               "hq=2 hkv=1 sq=10 sk=");            /* somebody is writing */
    size_t skipped = 99, count;
    const size_t *chosen;
    fsattn_err err;
    cr_assert_eq(fsattn_miss_log_apply(path, ISA, space, &skipped, &err), FSATTN_OK, "%s", err.message);
    cr_expect_eq(skipped, 1);
    cr_assert_eq(space->problem_count, 2);
    cr_expect_eq(space->problems[0].problem.s_q, 77);
    cr_expect_eq(space->problems[1].problem.s_q, 9);
    cr_expect_eq(space->set_count, 0);
    cr_assert_eq(fsattn_space_select(space, NULL, &chosen, &count, &err), FSATTN_OK);
    cr_expect(count == 2 && chosen[0] == 0 && chosen[1] == 1);
    cr_assert_eq(fsattn_space_select(space, space->problems[1].name, &chosen, &count, &err), FSATTN_OK);
    cr_expect(count == 1 && chosen[0] == 1);
    cr_expect_eq(fsattn_space_select(space, "gpt2", &chosen, &count, &err), FSATTN_NOT_FOUND, "the space's own are gone");
    unload(space);
}

Test(miss_log, mistakes_name_their_line) {
    const struct {
        const char *text;
        fsattn_status status;
        const char *message;
    } cases[] = {{"hq=2 hkv=2 sq=9 sk=9 d=64\nhqq=2\n", FSATTN_PARSE, "misses.txt:2: problem: unknown field 'hqq'"},
                 {"hq=3 hkv=2\n", FSATTN_PARSE, "misses.txt:1: problem.heads_q"},
                 {"", FSATTN_NOT_FOUND, "has no problem that attention_host serves (0 that it does not)"},
                 {"d=96\nd=32\n", FSATTN_NOT_FOUND, "(2 that it does not)"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fsattn_space *space = load(cases[i].text);
        size_t before = space->problem_count, skipped;
        fsattn_err err;
        cr_expect_eq(fsattn_miss_log_apply(path, ISA, space, &skipped, &err), cases[i].status, "case %zu", i);
        cr_expect_not_null(strstr(err.message, cases[i].message), "case %zu: %s", i, err.message);
        cr_expect_eq(space->problem_count, before);
        unload(space);
    }
    fsattn_space *space = load("");
    size_t skipped;
    fsattn_err err;
    cr_expect_eq(fsattn_miss_log_apply("/nonexistent/log", ISA, space, &skipped, &err), FSATTN_NOT_FOUND);
    unload(space);
}
