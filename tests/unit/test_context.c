/* What a context accepts: options, cache files, trust, damage. */
#include "context.h"
#include "../support/cache_fixture.h"

#include <criterion/criterion.h>

#define PROBLEM "hq=2 hkv=2 sq=32 sk=32 d=64"

typedef struct told {
    int count;
    fsattn_err last;
} told;

static void tell(void *data, const fsattn_err *err) {
    told *self = data;
    self->count++;
    self->last = *err;
}

static fsattn_options options_of(const char *const *caches, size_t count, told *warned) {
    fsattn_options options;
    fsattn_options_init(&options);
    options.threads = 1;
    options.caches = caches;
    options.cache_count = count;
    options.warn = tell;
    options.warn_data = warned;
    return options;
}

/* A cache file with one winner for each text, of configuration `name`. */
static void write_cache(const char *path, const char *name, const char *const *texts, size_t count,
                        double median_ns) {
    fsattn_fsc_writer *writer = test_writer();
    for (size_t i = 0; i < count; i++) {
        test_record record;
        test_record_init(&record, texts[i], NULL, 0);
        record.record.configuration = name;
        test_record_time(&record, median_ns);
        test_add(writer, &record);
    }
    test_publish(writer, path);
}

static void write_one(const char *path, const char *name, double median_ns) {
    write_cache(path, name, &(const char *){PROBLEM}, 1, median_ns);
}

static const char *found(const fsattn_context *context, const char *text) {
    fsattn_problem problem;
    fsattn_plan plan;
    fsattn_plan_info info = {.size = sizeof info};
    cr_assert_eq(test_problem_parse(text, &problem, NULL), FSATTN_OK);
    return fsattn_plan_find(context, &problem, NULL, &plan, NULL) == FSATTN_OK &&
                   fsattn_plan_info_get(context, &plan, &info, NULL) == FSATTN_OK
               ? info.configuration
               : "";
}

Test(context, options_have_defaults_and_limits) {
    fsattn_context *context = NULL;
    fsattn_err err;
    cr_assert_eq(fsattn_open(NULL, &context, &err), FSATTN_OK, "%s", err.message);
    cr_expect_str_eq(found(context, PROBLEM), "");
    fsattn_close(context);
    fsattn_close(NULL);
    const struct {
        fsattn_options options;
        fsattn_status status;
        const char *message;
    } cases[] = {
        {{.size = 0}, FSATTN_INVALID, "options.size: impossible value 0"},
        {{.size = 1u << 20}, FSATTN_INVALID, "options.size: impossible value"},
        {{.size = sizeof(fsattn_options), .device = "hots"}, FSATTN_NOT_FOUND, "'hots'"},
        {{.size = sizeof(fsattn_options), .threads = -3}, FSATTN_INVALID, "threads"},
        {{.size = sizeof(fsattn_options), .library = "libm.so.6"}, FSATTN_INVALID, "library"},
        {{.size = sizeof(fsattn_options), .cache_count = 1}, FSATTN_INVALID, "options.caches"},
        {{.size = sizeof(fsattn_options), .trust = 9}, FSATTN_INVALID, "options.trust"},
        {{.size = sizeof(fsattn_options), .device = "hip", .library = "/nonexistent.so"},
         FSATTN_DEVICE,
         "hip"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        context = NULL;
        cr_expect_eq(fsattn_open(&cases[i].options, &context, &err), cases[i].status, "case %zu", i);
        cr_expect_not_null(strstr(err.message, cases[i].message), "case %zu: %s", i, err.message);
        cr_expect_null(context);
    }
    cr_expect_eq(fsattn_open(NULL, NULL, &err), FSATTN_INVALID);
}

Test(context, structs_of_other_versions_work_both_ways) {
    struct {
        fsattn_options known;
        uint64_t from_the_future;
    } options = {.known = {.size = sizeof options, .threads = 1}};
    fsattn_context *context = NULL;
    fsattn_err err;
    cr_expect_eq(fsattn_open(&options.known, &context, &err), FSATTN_OK);
    fsattn_close(context);
    options.from_the_future = 1;
    cr_expect_eq(fsattn_open(&options.known, &context, &err), FSATTN_UNSUPPORTED);
    /* An older caller: what lies behind its struct is not looked at. */
    fsattn_options older = {.size = offsetof(fsattn_options, threads), .threads = -5, .cache_count = 1};
    cr_expect_eq(fsattn_open(&older, &context, &err), FSATTN_OK);
    fsattn_close(context);
}

Test(context, caches_stack_and_grow) {
    char folder[64], first[128], second[128], third[128];
    test_folder(folder);
    snprintf(first, sizeof first, "%s/first.fsc", folder);
    snprintf(second, sizeof second, "%s/second.fsc", folder);
    snprintf(third, sizeof third, "%s/third.fsc", folder);
    write_one(first, "first", 1000);
    write_one(second, "second", 1000);
    const char *more[] = {PROBLEM, PROBLEM " mask=causal"};
    write_cache(third, "third", more, 2, 500);
    told warned = {0};
    const char *caches[] = {first, second};
    fsattn_options options = options_of(caches, 2, &warned);
    fsattn_context *context = NULL;
    fsattn_err err;
    cr_assert_eq(fsattn_open(&options, &context, &err), FSATTN_OK, "%s", err.message);
    cr_expect_str_eq(found(context, PROBLEM), "first", "equally fast: the file of higher priority");
    fsattn_problem problem;
    fsattn_plan before;
    cr_assert_eq(test_problem_parse(PROBLEM, &problem, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_plan_find(context, &problem, NULL, &before, &err), FSATTN_OK);
    cr_assert_eq(fsattn_cache_add(context, third, &err), FSATTN_OK, "%s", err.message);
    cr_expect_str_eq(found(context, PROBLEM), "third", "faster");
    cr_expect_str_eq(found(context, PROBLEM " mask=causal"), "third");
    fsattn_plan_info info = {.size = sizeof info};
    cr_expect_eq(fsattn_plan_info_get(context, &before, &info, &err), FSATTN_OK);
    cr_expect_str_eq(info.configuration, "first", "a plan chosen before stays what it was");
    cr_expect_eq(warned.count, 0);
    cr_expect_eq(fsattn_cache_add(context, NULL, &err), FSATTN_INVALID);
    cr_expect_eq(fsattn_cache_add(NULL, third, &err), FSATTN_INVALID);
    fsattn_close(context);
    options.caches = (const char *[]){second, first};
    cr_assert_eq(fsattn_open(&options, &context, &err), FSATTN_OK);
    cr_expect_str_eq(found(context, PROBLEM), "second");
    fsattn_close(context);
    fsattn_folder_remove(folder, NULL);
}

static void expect_untrusted(const char *path, const char *place) {
    told warned = {0};
    fsattn_options options = options_of(&path, 1, &warned);
    fsattn_context *context = NULL;
    fsattn_err err = {0};
    cr_expect_eq(fsattn_open(&options, &context, &err), FSATTN_UNTRUSTED, "%s", err.message);
    cr_expect_not_null(strstr(err.message, place), "%s", err.message);
    options.skip_bad_caches = true;
    cr_assert_eq(fsattn_open(&options, &context, &err), FSATTN_OK);
    cr_expect_eq(warned.count, 1);
    cr_expect_eq(warned.last.code, FSATTN_UNTRUSTED);
    cr_expect_str_eq(found(context, PROBLEM), "");
    cr_expect_eq(fsattn_cache_add(context, path, &err), FSATTN_UNTRUSTED);
    cr_expect_str_eq(found(context, PROBLEM), "");
    fsattn_close(context);
}

Test(context, nothing_is_served_from_what_others_can_write) {
    char folder[64], inner[128], path[192];
    test_folder(folder);
    snprintf(inner, sizeof inner, "%s/inner", folder);
    snprintf(path, sizeof path, "%s/test.fsc", inner);
    cr_assert_eq(fsattn_folder_make(inner, NULL), FSATTN_OK);
    write_one(path, "name", 1000);
    cr_assert_eq(chmod(path, 0666), 0);
    expect_untrusted(path, "test.fsc");
    cr_assert_eq(chmod(path, 0664), 0);
    expect_untrusted(path, "test.fsc");
    cr_assert_eq(chmod(path, 0644), 0);
    cr_assert_eq(chmod(inner, 0777), 0);
    expect_untrusted(path, "/inner");
    cr_assert_eq(chmod(inner, 0755), 0);
    cr_assert_eq(chmod(folder, 0770), 0);
    expect_untrusted(path, folder);
    cr_assert_eq(chmod(folder, 0700), 0);
    if (geteuid() == 0) {
        cr_assert_eq(chown(path, 12345, 12345), 0);
        expect_untrusted(path, "12345");
        cr_assert_eq(chown(path, 0, 0), 0);
    }
    /* Put right, it is served. */
    told warned = {0};
    fsattn_options options = options_of(&(const char *){path}, 1, &warned);
    fsattn_context *context = NULL;
    cr_assert_eq(fsattn_open(&options, &context, NULL), FSATTN_OK);
    cr_expect_str_eq(found(context, PROBLEM), "name");
    fsattn_close(context);
    fsattn_folder_remove(folder, NULL);
}

Test(context, files_that_are_no_caches_are_refused_and_change_nothing) {
    char folder[64], good[128], path[128];
    test_folder(folder);
    snprintf(good, sizeof good, "%s/good.fsc", folder);
    snprintf(path, sizeof path, "%s/bad.fsc", folder);
    write_one(good, "good", 1000);
    told warned = {0};
    fsattn_options options = options_of(&(const char *){good}, 1, &warned);
    fsattn_context *context = NULL;
    fsattn_err err = {0};
    cr_assert_eq(fsattn_open(&options, &context, &err), FSATTN_OK);
    cr_expect_eq(fsattn_cache_add(context, path, &err), FSATTN_NOT_FOUND);
    cr_expect_not_null(strstr(err.message, "bad.fsc"), "%s", err.message);
    cr_assert_eq(fsattn_file_publish(path, "", 0, 0600, NULL), FSATTN_OK);
    cr_expect_eq(fsattn_cache_add(context, path, &err), FSATTN_CORRUPT);
    cr_assert_eq(fsattn_file_publish(path, "no cache file at all", 20, 0600, NULL), FSATTN_OK);
    cr_expect_eq(fsattn_cache_add(context, path, &err), FSATTN_CORRUPT);
    cr_expect_neq(fsattn_cache_add(context, folder, &err), FSATTN_OK);
    cr_expect_str_eq(found(context, PROBLEM), "good");
    fsattn_close(context);
    const char *caches[] = {path, good};
    options = options_of(caches, 2, &warned);
    cr_expect_eq(fsattn_open(&options, &context, &err), FSATTN_CORRUPT);
    options.skip_bad_caches = true;
    cr_assert_eq(fsattn_open(&options, &context, &err), FSATTN_OK);
    cr_expect_eq(warned.count, 1);
    cr_expect_str_eq(found(context, PROBLEM), "good");
    fsattn_close(context);
    fsattn_folder_remove(folder, NULL);
}

Test(context, a_file_of_which_nothing_can_run_is_told) {
    char folder[64], path[128];
    test_folder(folder);
    snprintf(path, sizeof path, "%s/vax.fsc", folder);
    fsattn_fsc_writer *writer = test_writer();
    test_record record;
    test_record_init(&record, PROBLEM, NULL, 0);
    record.record.isa = "vax";
    test_add(writer, &record);
    test_publish(writer, path);
    told warned = {0};
    fsattn_options options = options_of(&(const char *){path}, 1, &warned);
    fsattn_context *context = NULL;
    cr_assert_eq(fsattn_open(&options, &context, NULL), FSATTN_OK);
    cr_expect_eq(warned.count, 1);
    cr_expect_not_null(strstr(warned.last.message, "needs vax"), "%s", warned.last.message);
    fsattn_close(context);
    fsattn_folder_remove(folder, NULL);
}

/* ---- damage --------------------------------------------------------------------------------- */

static const char *const damaged_texts[] = {PROBLEM, PROBLEM " mask=causal", PROBLEM " lse=1",
                                            PROBLEM " layout=bhsd"};
enum { damaged_count = 4 };

/* Everything about a record that decides what is launched. */
static void expect_as_written(const fsattn_context *context, const char *text, size_t number) {
    fsattn_problem problem;
    fsattn_plan plan;
    test_record written;
    test_record_init(&written, text, NULL, 0);
    cr_assert_eq(test_problem_parse(text, &problem, NULL), FSATTN_OK);
    if (fsattn_plan_find(context, &problem, NULL, &plan, NULL) != FSATTN_OK ||
        plan.source != FSATTN_PLAN_TUNED) {
        return;
    }
    const fsattn_fsc_record *got = plan.entry->record;
    cr_expect(got->stage_count == 1 && got->stages[0].tile_m == written.stage.tile_m &&
                  got->stages[0].scratch_bytes == written.stage.scratch_bytes &&
                  !strcmp(got->stages[0].entry, written.stage.entry) &&
                  !strcmp(got->stages[0].work_items, written.stage.work_items) &&
                  got->stages[0].code.bytes == 4 && !memcmp(got->stages[0].code.data, "code", 4) &&
                  got->cost.median_ns == 1000 && got->flexible == written.record.flexible &&
                  got->role == FSATTN_ROLE_WINNER &&
                  got->accuracies[0].relative_error == written.accuracy.relative_error &&
                  fsattn_problem_equal(&got->problem, &problem),
              "change %zu: a wrong record is served for %s", number, text);
}

/* How many problems are served as tuned from these bytes; none of them otherwise than they were written. */
static int served_from(const char *path, const char *bytes, size_t size, size_t number, told *warned) {
    fsattn_options options = options_of(&path, 1, warned);
    options.skip_bad_caches = true;
    fsattn_context *context = NULL;
    fsattn_problem problem;
    int served = 0;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600); /* in place and not synced: thousands of them */
    cr_assert(fd >= 0 && write(fd, bytes, size) == (ssize_t)size && close(fd) == 0);
    cr_assert_eq(fsattn_open(&options, &context, NULL), FSATTN_OK);
    for (size_t i = 0; i < damaged_count; i++) {
        expect_as_written(context, damaged_texts[i], number);
    }
    while (fsattn_problem_at(context, (size_t)served, &problem, NULL) == FSATTN_OK) {
        served++;
    }
    fsattn_close(context);
    return served;
}

static char *damaged_file(char folder[64], char path[128], size_t *size) {
    char *bytes;
    test_folder(folder);
    snprintf(path, 128, "%s/test.fsc", folder);
    write_cache(path, "name", damaged_texts, damaged_count, 1000);
    cr_assert_eq(fsattn_file_read(path, 1 << 20, &bytes, size, NULL), FSATTN_OK);
    return bytes;
}

Test(context, a_truncated_file_serves_nothing_wrong, .timeout = 240) {
    char folder[64], path[128];
    size_t size;
    told warned = {0};
    char *bytes = damaged_file(folder, path, &size);
    cr_assert_eq(served_from(path, bytes, size, 0, &warned), damaged_count);
    cr_assert_eq(warned.count, 0);
    for (size_t kept = 0; kept < size; kept++) {
        warned.count = 0;
        served_from(path, bytes, kept, kept, &warned);
        cr_expect_geq(warned.count, 1, "cut at %zu of %zu: nobody was told", kept, size);
    }
    fsattn_free(bytes);
    fsattn_folder_remove(folder, NULL);
}

Test(context, a_flipped_bit_serves_nothing_wrong, .timeout = 240) {
    char folder[64], path[128];
    size_t size;
    told warned = {0};
    char *bytes = damaged_file(folder, path, &size);
    for (size_t at = 0; at < size; at++) {
        int bit = (int)(at * 5 % 8);
        bytes[at] = (char)(bytes[at] ^ 1 << bit);
        warned.count = 0;
        int served = served_from(path, bytes, size, at, &warned);
        cr_expect(served == damaged_count || warned.count > 0, "byte %zu: %d served, nobody was told", at,
                  served);
        bytes[at] = (char)(bytes[at] ^ 1 << bit);
    }
    cr_expect_eq(served_from(path, bytes, size, size, &warned), damaged_count, "restored: all are served");
    fsattn_free(bytes);
    fsattn_folder_remove(folder, NULL);
}

/* The ISA stands in the file as text: another one of the same length, and the record is no record any more.
 */
Test(context, a_forged_isa_serves_nothing) {
    char folder[64], path[128];
    size_t size;
    told warned = {0};
    fsattn_cpu cpu;
    fsattn_cpu_detect(&cpu);
    char *bytes = damaged_file(folder, path, &size);
    size_t length = strlen(cpu.arch), forged = 0;
    for (size_t at = 0; at + length <= size; at++) {
        if (!memcmp(bytes + at, cpu.arch, length)) {
            bytes[at + length - 1] ^= 1;
            forged++;
        }
    }
    cr_assert_geq(forged, 1);
    cr_expect_eq(served_from(path, bytes, size, 0, &warned), 0);
    cr_expect_geq(warned.count, 1);
    fsattn_free(bytes);
    fsattn_folder_remove(folder, NULL);
}
