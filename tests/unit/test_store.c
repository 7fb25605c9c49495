/* The store: what is put is there, what was changed is told, what is foreign or newer is refused. */
#include "../support/store_fixture.h"

#include <sys/stat.h>
#include <sys/wait.h>

#include <math.h>
#include <unistd.h>

TestSuite(store, .init = store_setup, .fini = store_teardown);

Test(store, result_reads_back_after_reopening) {
    sample s;
    fsattn_arena arena = {0};
    fsattn_store_result result;
    bool found;
    fsattn_store *store = open_store(path);
    sample_record(&s, 3);
    fsattn_store_result put_result = result_of(&s, FSATTN_VERDICT_OK);
    put_result.confirmed = put_result.beats_default = true;
    cr_assert_eq(fsattn_store_result_put(store, &put_result, NULL), FSATTN_OK);
    fsattn_store_close(store);
    store = open_store(path);
    cr_assert_eq(fsattn_store_result_find(store, &s.record.result_key, &arena, &result, &found, NULL),
                 FSATTN_OK);
    cr_assert(found);
    cr_assert_eq(result.verdict, FSATTN_VERDICT_OK);
    cr_assert(result.confirmed && result.beats_default);
    cr_assert_str_eq(result.record.configuration, s.configuration);
    cr_assert_eq(result.record.cost.median_ns, 1030);
    cr_assert_eq(result.sample_count, 3u);
    cr_assert_eq(result.samples[2], 997.5);
    cr_assert_gt(result.recorded_ms, (int64_t)1600000000000);
    cr_assert_null(result.record.stages[0].code.data, "blobs are loaded on demand");
    cr_assert_eq(fsattn_store_blobs_load(store, &arena, &result.record, NULL), FSATTN_OK);
    cr_assert_eq(memcmp(result.record.stages[0].code.data, s.code, strlen(s.code)), 0);
    cr_assert_eq(memcmp(result.record.source.data, s.source, strlen(s.source)), 0);
    fsattn_arena_fini(&arena);
    fsattn_store_close(store);
    cr_assert_eq(seen.count, 0u, "%s", seen.last);
}

static fsattn_status collect(void *data, const fsattn_store_result *result, fsattn_err *err) {
    fsattn_text *order = data;
    (void)err;
    fsattn_text_printf(order, "%s:%s ", fsattn_verdict_text(result->verdict), result->record.configuration);
    return FSATTN_OK;
}

/* As somebody who may read the store and write nothing: a process of another user where the tests are root's. */
static int read_as_stranger(void) {
    pid_t child = fork();
    if (child == 0) {
        const fsattn_store_options reading = {.read_only = true};
        fsattn_store *store;
        fsattn_err err;
        int64_t counts[fsattn_verdict_count];
        if (geteuid() == 0 && setuid(65534)) {
            _exit(3);
        }
        if (fsattn_store_open(path, &reading, &store, &err) != FSATTN_OK) {
            fprintf(stderr, "%s\n%s\n", err.message, err.hint);
            _exit(2);
        }
        const fsattn_store_filter all = {0};
        bool counted = fsattn_store_results_count(store, &all, counts, &err) == FSATTN_OK;
        fsattn_store_close(store);
        _exit(counted && counts[FSATTN_VERDICT_OK] == 1 ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Test(store, a_store_on_a_read_only_medium_is_read) {
    fsattn_store *store = open_store(path);
    put(store, 0, FSATTN_VERDICT_OK);
    fsattn_store_close(store);
    cr_assert_eq(chmod(path, 0444), 0);
    cr_assert_eq(chmod(folder, 0555), 0);
    cr_assert_eq(read_as_stranger(), 0);
    chmod(folder, 0700);
}

Test(store, results_are_ordered_filtered_and_replaced) {
    fsattn_store *store = open_store(path);
    fsattn_text order = {0};
    int64_t run = 0, counts[fsattn_verdict_count];
    put(store, 2, FSATTN_VERDICT_WRONG);
    put(store, 1, FSATTN_VERDICT_OK);
    put(store, 0, FSATTN_VERDICT_OK);
    put(store, 0, FSATTN_VERDICT_OK);
    put(store, 3, FSATTN_VERDICT_BUILD_FAILED);
    cr_assert_eq(fsattn_store_results_each(store, NULL, collect, &order, NULL), FSATTN_OK);
    cr_assert_str_eq(order.data,
                     "ok:tile_m=32 tile_n=64 ok:tile_m=33 tile_n=64 build-failed:tile_m=35 tile_n=64 "
                     "wrong:tile_m=34 tile_n=64 ");
    fsattn_text_clear(&order);
    fsattn_store_filter filter = {.verdict_plus_one = FSATTN_VERDICT_WRONG + 1,
                                  .template_name = "attention_host"};
    cr_assert_eq(fsattn_store_results_each(store, &filter, collect, &order, NULL), FSATTN_OK);
    cr_assert_str_eq(order.data, "wrong:tile_m=34 tile_n=64 ");
    filter = (fsattn_store_filter){.template_name = "another"};
    cr_assert_eq(fsattn_store_results_count(store, &filter, counts, NULL), FSATTN_OK);
    cr_assert_eq(counts[FSATTN_VERDICT_OK], 0);
    cr_assert_eq(fsattn_store_run_begin(store, &(fsattn_store_run){.space = "a.yaml"}, &run, NULL),
                 FSATTN_OK);
    sample s;
    sample_record(&s, 9);
    fsattn_store_result result = result_of(&s, FSATTN_VERDICT_OK);
    result.run_id = run;
    cr_assert_eq(fsattn_store_result_put(store, &result, NULL), FSATTN_OK);
    filter = (fsattn_store_filter){.run_id = run, .serving_key = &s.record.serving_key};
    cr_assert_eq(fsattn_store_results_count(store, &filter, counts, NULL), FSATTN_OK);
    cr_assert_eq(counts[FSATTN_VERDICT_OK], 1);
    cr_assert_eq(fsattn_store_run_finish(store, run, "done", NULL), FSATTN_OK);
    cr_assert_eq(fsattn_store_run_finish(store, run + 1, "done", NULL), FSATTN_NOT_FOUND);
    fsattn_text_fini(&order);
    fsattn_store_close(store);
}

Test(store, ok_results_must_be_exportable) {
    sample s;
    fsattn_err err = {0};
    fsattn_store *store = open_store(path);
    sample_record(&s, 0);
    s.accuracies[0].distribution = "other";
    fsattn_store_result result = result_of(&s, FSATTN_VERDICT_OK);
    cr_assert_eq(fsattn_store_result_put(store, &result, &err), FSATTN_INVALID);
    cr_assert(strstr(err.message, "normal"));
    sample_record(&s, 0);
    s.stage.code.data = NULL;
    result = result_of(&s, FSATTN_VERDICT_OK);
    cr_assert_eq(fsattn_store_result_put(store, &result, &err), FSATTN_INVALID);
    cr_assert(strstr(err.message, "stages.code"), "%s", err.message);
    sample_record(&s, 0);
    s.record.cost.median_ns = NAN;
    result = result_of(&s, FSATTN_VERDICT_OK);
    cr_assert_eq(fsattn_store_result_put(store, &result, &err), FSATTN_INVALID);
    result.verdict = FSATTN_VERDICT_WRONG;
    cr_assert_eq(fsattn_store_result_put(store, &result, &err), FSATTN_OK, "%s", err.message);
    s.record.result_key = (fsattn_hash){{0}};
    result = result_of(&s, FSATTN_VERDICT_WRONG);
    cr_assert_eq(fsattn_store_result_put(store, &result, &err), FSATTN_INVALID);
    cr_assert_eq(count_all(store), 1);
    fsattn_store_close(store);
}

/* What somebody else can write is neither used nor merged: its code would be run. Looking is allowed. */
Test(store, what_others_can_write_is_refused) {
    fsattn_err err = {0};
    fsattn_store *store = open_store(path), *other, *own;
    char own_path[192];
    fsattn_store_changes changes;
    fsattn_store_close(store);
    cr_assert_eq(chmod(path, 0666), 0);
    cr_assert_eq(fsattn_store_open(path, NULL, &store, &err), FSATTN_UNTRUSTED);
    cr_assert(strstr(err.message, "others may write it"), "%s", err.message);
    cr_assert(strstr(err.hint, "chmod go-w"), "%s", err.hint);
    const fsattn_store_options looking = {.read_only = true};
    cr_assert_eq(fsattn_store_open(path, &looking, &other, &err), FSATTN_OK, "%s", err.message);
    snprintf(own_path, sizeof own_path, "%s.own", path);
    own = open_store(own_path);
    cr_assert_eq(fsattn_store_merge(own, other, &changes, &err), FSATTN_UNTRUSTED);
    fsattn_store_close(other);
    fsattn_store_close(own);
    cr_assert_eq(chmod(path, 0644), 0);
    store = open_store(path);
    fsattn_store_close(store);
}

Test(store, one_claim_per_build_key) {
    sample s, other;
    fsattn_arena arena = {0};
    fsattn_store_build build = {0};
    fsattn_store_claim claim, second;
    fsattn_err err = {0};
    bool found;
    fsattn_store *store = open_store(path);
    sample_record(&s, 0);
    sample_record(&other, 1);
    const fsattn_hash *key = &s.record.build_key;
    cr_assert_eq(fsattn_store_build_begin(store, key, true, &arena, &build, &found, &claim, NULL), FSATTN_OK);
    cr_assert(!found && claim.lock >= 0);
    cr_assert_eq(fsattn_store_build_begin(store, key, false, &arena, &build, &found, &second, &err),
                 FSATTN_BUSY);
    cr_assert_eq(second.lock, -1);
    cr_assert_eq(fsattn_store_build_begin(store, &other.record.build_key, false, &arena, &build, &found,
                                          &second, &err),
                 FSATTN_OK, "another key is free");
    fsattn_store_build_abandon(&second);
    fsattn_store_build_abandon(&claim);
    cr_assert_eq(fsattn_store_build_begin(store, key, false, &arena, &build, &found, &claim, NULL),
                 FSATTN_OK);
    cr_assert(!found, "an abandoned build is nobody's");
    fsattn_store_build row = build_of(&s);
    row.verdict = FSATTN_VERDICT_WRONG;
    cr_assert_eq(fsattn_store_build_finish(store, &claim, &row, &err), FSATTN_INVALID);
    cr_assert_eq(claim.lock, -1, "released also on failure");
    cr_assert_eq(fsattn_store_build_begin(store, key, false, &arena, &build, &found, &claim, NULL),
                 FSATTN_OK);
    row.verdict = FSATTN_VERDICT_OK;
    cr_assert_eq(fsattn_store_build_finish(store, &claim, &row, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_store_build_begin(store, key, false, &arena, &build, &found, &claim, NULL),
                 FSATTN_OK);
    cr_assert(found && claim.lock == -1);
    cr_assert_str_eq(build.log, "warning");
    cr_assert_eq(memcmp(build.code.data, s.code, build.code.bytes), 0);
    cr_assert_eq(memcmp(build.source.data, s.source, build.source.bytes), 0);
    fsattn_arena_fini(&arena);
    fsattn_store_close(store);
}

Test(store, rows_changed_behind_its_back_are_absent_and_told) {
    static const char *const forgeries[] = {
        "UPDATE results SET verdict = 5",
        "UPDATE results SET recorded_ms = recorded_ms + 1",
        "UPDATE results SET samples = x'0000000000000000'",
        "UPDATE results SET median_ns = 1",
        "UPDATE results SET record = zeroblob(length(record))",
        "UPDATE results SET build_key = zeroblob(32)",
        "UPDATE results SET template = 'another'",
        "UPDATE results SET row_hash = 'text'",
        "UPDATE results SET record = x''",
    };
    for (size_t i = 0; i < sizeof forgeries / sizeof forgeries[0]; i++) {
        fsattn_store *store = open_store(path);
        put(store, 0, FSATTN_VERDICT_OK);
        fsattn_store_close(store);
        sql(path, forgeries[i]);
        store = open_store(path);
        seen.count = 0;
        cr_assert(!has(store, 0), "%s", forgeries[i]);
        cr_assert_eq(seen.count, 1u, "%s", forgeries[i]);
        cr_assert_eq(count_all(store), 0);
        put(store, 0, FSATTN_VERDICT_OK);
        cr_assert(has(store, 0), "a new result replaces it");
        fsattn_store_close(store);
    }
}

Test(store, damaged_code_counts_as_no_build) {
    sample s;
    fsattn_arena arena = {0};
    fsattn_store_build build;
    fsattn_store_claim claim;
    bool found;
    fsattn_store *store = open_store(path);
    sample_record(&s, 0);
    fsattn_store_build row = build_of(&s);
    cr_assert_eq(fsattn_store_build_begin(store, &row.build_key, true, &arena, &build, &found, &claim, NULL),
                 FSATTN_OK);
    cr_assert_eq(fsattn_store_build_finish(store, &claim, &row, NULL), FSATTN_OK);
    sql(path, "UPDATE blobs SET data = x'00' WHERE data = CAST('code of 0' AS BLOB)");
    cr_assert_eq(fsattn_store_build_find(store, &row.build_key, &arena, &build, &found, NULL), FSATTN_OK);
    cr_assert(!found);
    cr_assert_eq(seen.count, 1u);
    cr_assert_eq(fsattn_store_build_begin(store, &row.build_key, true, &arena, &build, &found, &claim, NULL),
                 FSATTN_OK);
    cr_assert(!found);
    cr_assert_eq(fsattn_store_build_finish(store, &claim, &row, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_store_build_find(store, &row.build_key, &arena, &build, &found, NULL), FSATTN_OK);
    cr_assert(found, "compiling again puts the blob right");
    fsattn_arena_fini(&arena);
    fsattn_store_close(store);
}

Test(store, foreign_newer_and_missing_are_refused) {
    refused(path, true, FSATTN_NOT_FOUND, path);
    refused(folder, false, FSATTN_INVALID, "regular file");
    cr_assert_eq(fsattn_file_publish(path, "notes\n", 6, 0600, NULL), FSATTN_OK);
    refused(path, false, FSATTN_INVALID, "is not a store");
    cr_assert(!access(path, F_OK), "and stays where it is");
    unlink(path);
    sql(path, "CREATE TABLE people(name TEXT)");
    refused(path, false, FSATTN_INVALID, "another program's database");
    refused(path, true, FSATTN_INVALID, "another program's database");
    unlink(path);
    sql(path, "PRAGMA application_id = 77");
    refused(path, false, FSATTN_INVALID, "another program's database");
    unlink(path);
    fsattn_store *store = open_store(path);
    put(store, 0, FSATTN_VERDICT_OK);
    fsattn_store_close(store);
    sql(path, "PRAGMA user_version = 99");
    refused(path, false, FSATTN_VERSION, "99, newer than");
    refused(path, true, FSATTN_VERSION, "99, newer than");
    sql(path, "PRAGMA user_version = 2");
    store = open_store(path);
    cr_assert(has(store, 0));
    fsattn_store_close(store);
}

/* ---- forged identities: nothing of the real ones is used; restored, everything is ---- */

typedef void forge(sample *s);
static void forge_nothing(sample *s) {
    (void)s;
}
static void forge_compiler(sample *s) {
    s->record.compiler = "gcc 12.2.1";
}
static void forge_source(sample *s) {
    s->source[4] = 'K';
}
static void forge_options(sample *s) {
    s->record.options = "-O3 -g";
}
static void forge_device(sample *s) {
    s->record.cost.device = "another model";
}
static void forge_units(sample *s) {
    s->record.cost.units = 64;
}
static void forge_driver(sample *s) {
    s->record.cost.driver = "linux 9";
}
static void forge_isa(sample *s) {
    s->record.isa = "x86_64+avx2+avx512f";
}
static void forge_abi(sample *s) {
    s->record.abi = 2;
}

Test(store, forged_identities_find_nothing) {
    static const struct {
        forge *change;
        bool build, result, serving; /* what is still found */
    } rows[] = {{forge_compiler, false, false, true}, {forge_source, false, false, true},
                {forge_options, false, false, true},  {forge_device, true, false, true},
                {forge_units, true, false, true},     {forge_driver, true, false, true},
                {forge_isa, true, true, false},       {forge_abi, true, true, false},
                {forge_nothing, true, true, true}};
    sample s;
    fsattn_arena arena = {0};
    fsattn_store_build build;
    fsattn_store_claim claim;
    fsattn_text bytes = {0};
    bool found;
    size_t first;
    fsattn_store *store = open_store(path);
    sample_record(&s, 0);
    fsattn_store_build row = build_of(&s);
    put(store, 0, FSATTN_VERDICT_OK);
    cr_assert_eq(fsattn_store_build_begin(store, &row.build_key, true, &arena, &build, &found, &claim, NULL),
                 FSATTN_OK);
    cr_assert_eq(fsattn_store_build_finish(store, &claim, &row, NULL), FSATTN_OK);
    fsattn_fsc *fsc = file_of(store, &bytes);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fsattn_store_result result;
        sample_record(&s, 0);
        rows[i].change(&s);
        sample_keys(&s);
        cr_assert_eq(fsattn_store_build_find(store, &s.record.build_key, &arena, &build, &found, NULL),
                     FSATTN_OK);
        cr_assert_eq(found, rows[i].build, "build, row %zu", i);
        cr_assert_eq(fsattn_store_result_find(store, &s.record.result_key, &arena, &result, &found, NULL),
                     FSATTN_OK);
        cr_assert_eq(found, rows[i].result, "result, row %zu", i);
        cr_assert_eq(fsattn_fsc_find(fsc, &s.record.serving_key, &first) == 1, rows[i].serving,
                     "serving, row %zu", i);
    }
    fsattn_fsc_close(fsc);
    fsattn_text_fini(&bytes);
    fsattn_arena_fini(&arena);
    fsattn_store_close(store);
}

Test(store, default_path_is_in_the_data_folder) {
    char *name;
    setenv("XDG_DATA_HOME", "/somewhere", 1);
    cr_assert_eq(fsattn_store_default_path("tune.db", &name, NULL), FSATTN_OK);
    cr_assert_str_eq(name, "/somewhere/fsattn/tune.db");
    fsattn_free(name);
}
