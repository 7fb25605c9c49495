/* The store: what is put is there, what is damaged is told, what is foreign or newer is refused. */
#include "error.h"
#include "file.h"
#include "memory.h"
#include "random.h"
#include "store.h"

#include "../support/sample_record.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/test_store.XXXXXX";
static char path[64];

typedef struct warnings {
    size_t count;
    char last[1024];
} warnings;
static warnings seen;

static void remember(void *data, const fsattn_err *err) {
    (void)data;
    seen.count++;
    snprintf(seen.last, sizeof seen.last, "%s", err->message);
}

static void setup(void) {
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/tune.db", folder);
}

static void teardown(void) {
    fsattn_folder_remove(folder, NULL);
}

TestSuite(store, .init = setup, .fini = teardown);

static fsattn_store *open_store(const char *name) {
    fsattn_store *store;
    fsattn_err err = {0};
    fsattn_store_options options = {.warn = remember};
    cr_assert_eq(fsattn_store_open(name, &options, &store, &err), FSATTN_OK, "%s", err.message);
    return store;
}

/* Runs SQL behind the store's back. */
static void sql(const char *name, const char *statements) {
    sqlite3 *db;
    char *message = NULL;
    cr_assert_eq(sqlite3_open(name, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, statements, NULL, NULL, &message), SQLITE_OK, "%s", message);
    sqlite3_close(db);
}

static fsattn_store_result result_of(const sample *s, fsattn_verdict verdict) {
    static const double samples[] = {1003, 1000, 997.5};
    return (fsattn_store_result){.record = s->record,
                                 .verdict = verdict,
                                 .reason = verdict == FSATTN_VERDICT_OK ? "" : "because",
                                 .samples = samples,
                                 .sample_count = 3};
}

static void put(fsattn_store *store, int number, fsattn_verdict verdict) {
    sample s;
    fsattn_err err = {0};
    sample_record(&s, number);
    fsattn_store_result result = result_of(&s, verdict);
    if (verdict != FSATTN_VERDICT_OK) {
        result.record.stage_count = 0;
        result.record.cost.samples = 0;
    }
    cr_assert_eq(fsattn_store_result_put(store, &result, &err), FSATTN_OK, "%s", err.message);
}

static bool has(fsattn_store *store, int number) {
    sample s;
    fsattn_arena arena = {0};
    fsattn_store_result result;
    fsattn_err err = {0};
    bool found;
    sample_record(&s, number);
    cr_assert_eq(fsattn_store_result_find(store, &s.record.result_key, &arena, &result, &found, &err),
                 FSATTN_OK, "%s", err.message);
    fsattn_arena_fini(&arena);
    return found;
}

static int64_t count_all(fsattn_store *store) {
    int64_t counts[fsattn_verdict_count], sum = 0;
    cr_assert_eq(fsattn_store_results_count(store, NULL, counts, NULL), FSATTN_OK);
    for (int i = 0; i < fsattn_verdict_count; i++) {
        sum += counts[i];
    }
    return sum;
}

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

static fsattn_store_build build_of(const sample *s) {
    return (fsattn_store_build){.build_key = s->record.build_key,
                                .verdict = FSATTN_VERDICT_OK,
                                .log = "warning",
                                .seconds = 0.5,
                                .compiler = s->record.compiler,
                                .options = s->record.options,
                                .source = {.data = s->source, .bytes = strlen(s->source)},
                                .code = {.data = s->code, .bytes = strlen(s->code)}};
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

static void refused(const char *name, bool read_only, fsattn_status expected, const char *phrase) {
    fsattn_store *store = NULL;
    fsattn_err err = {0};
    fsattn_store_options options = {.read_only = read_only};
    cr_assert_eq(fsattn_store_open(name, &options, &store, &err), expected, "%s", err.message);
    cr_assert(strstr(err.message, phrase), "%s", err.message);
    cr_assert_null(store);
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

/* ---- older and damaged files ---- */

Test(store, older_format_is_migrated) {
    char *dump;
    size_t bytes;
    cr_assert_eq(fsattn_file_read(FSATTN_SOURCE_DIR "/tests/data/tune.v1.sql", 1 << 20, &dump, &bytes, NULL),
                 FSATTN_OK);
    sql(path, dump);
    fsattn_free(dump);
    refused(path, true, FSATTN_VERSION, "older format version 1");
    fsattn_store *store = open_store(path);
    int64_t rows, defects;
    cr_assert(has(store, 0), "its rows are still there");
    cr_assert_eq(count_all(store), 2);
    cr_assert_eq(fsattn_store_verify(store, &rows, &defects, NULL), FSATTN_OK);
    cr_assert_eq(defects, 0, "%s", seen.last);
    fsattn_store_close(store);
    sqlite3 *db;
    sqlite3_stmt *statement;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_prepare_v2(
        db,
        "SELECT user_version, (SELECT count(*) FROM sqlite_schema WHERE name = 'results_by_run') "
        "FROM pragma_user_version",
        -1, &statement, NULL);
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW);
    cr_assert_eq(sqlite3_column_int(statement, 0), 2);
    cr_assert_eq(sqlite3_column_int(statement, 1), 1);
    sqlite3_finalize(statement);
    sqlite3_close(db);
}

static void fill(int count) {
    fsattn_store *store = open_store(path);
    for (int i = 0; i < count; i++) {
        put(store, i, i % 5 == 4 ? FSATTN_VERDICT_WRONG : FSATTN_VERDICT_OK);
    }
    fsattn_store_close(store);
}

static int count_has(fsattn_store *store, int count) {
    int have = 0;
    for (int i = 0; i < count; i++) {
        have += has(store, i);
    }
    return have;
}

/* Overwrites one page. */
static void damage(const char *name, long page) {
    static char garbage[4096];
    memset(garbage, 0xa5, sizeof garbage);
    int fd = open(name, O_WRONLY);
    cr_assert_eq(pwrite(fd, garbage, sizeof garbage, page * 4096), (ssize_t)sizeof garbage);
    close(fd);
}

static long pages_of(const char *name) {
    struct stat info;
    cr_assert_eq(stat(name, &info), 0);
    return (long)(info.st_size / 4096);
}

/* The one file whose name begins so. */
static void find_aside(char *name, size_t bytes) {
    char command[256];
    snprintf(command, sizeof command, "ls -d %s.damaged-*Z | head -1", path);
    FILE *pipe = popen(command, "r");
    cr_assert_not_null(fgets(name, (int)bytes, pipe));
    pclose(pipe);
    name[strcspn(name, "\n")] = '\0';
}

Test(store, damaged_database_is_set_aside_and_salvaged, .timeout = 120) {
    enum { count = 60 };
    long pages;
    int worst = count;
    fill(count);
    pages = pages_of(path);
    cr_assert_gt(pages, 20);
    char copy[80], aside[128];
    snprintf(copy, sizeof copy, "%s/original", folder);
    char *original;
    size_t bytes;
    cr_assert_eq(fsattn_file_read(path, 1 << 24, &original, &bytes, NULL), FSATTN_OK);
    for (long page = 0; page < pages; page++) {
        cr_assert_eq(fsattn_file_publish(path, original, bytes, 0600, NULL), FSATTN_OK);
        damage(path, page);
        char *damaged;
        size_t damaged_bytes, aside_bytes;
        cr_assert_eq(fsattn_file_read(path, 1 << 24, &damaged, &damaged_bytes, NULL), FSATTN_OK);
        seen.count = 0;
        fsattn_store *store = open_store(path);
        int have = count_has(store, count);
        worst = have < worst ? have : worst;
        if (strstr(seen.last, "set aside") && seen.count) {
            char *kept;
            find_aside(aside, sizeof aside);
            cr_assert_eq(fsattn_file_read(aside, 1 << 24, &kept, &aside_bytes, NULL), FSATTN_OK);
            cr_assert(aside_bytes == damaged_bytes && !memcmp(kept, damaged, aside_bytes), "page %ld", page);
            fsattn_free(kept);
            unlink(aside);
        } else {
            /* A page that is not in use, or an index that is only asked for what is there. */
            cr_assert_eq(have, count, "page %ld: damage went unseen, %d of %d", page, have, count);
        }
        put(store, count, FSATTN_VERDICT_OK);
        fsattn_store_close(store);
        fsattn_free(damaged);
    }
    fsattn_free(original);
    cr_assert_geq(worst, count - 10, "a page holds a few rows; at worst %d of %d were left", worst, count);
}

/* A process that dies leaves its last results in the write-ahead log alone. */
Test(store, log_of_a_killed_process_is_salvaged_too) {
    fill(5);
    pid_t child = fork();
    if (child == 0) {
        fsattn_store *store = open_store(path);
        for (int i = 5; i < 12; i++) {
            put(store, i, FSATTN_VERDICT_OK);
        }
        _exit(0);
    }
    cr_assert_eq(waitpid(child, NULL, 0), child);
    char log[80];
    snprintf(log, sizeof log, "%s-wal", path);
    cr_assert_eq(access(log, F_OK), 0);
    for (long page = pages_of(path) - 1; page >= 0; page--) {
        damage(path, page);
    }
    fsattn_store *store = open_store(path);
    cr_assert_geq(count_has(store, 12), 7, "%d: %s", count_has(store, 12), seen.last);
    fsattn_store_close(store);
}

Test(store, any_bytes_may_be_a_damaged_database, .timeout = 120) {
    char *original, *bytes;
    size_t size;
    fill(60);
    cr_assert_eq(fsattn_file_read(path, 1 << 24, &original, &size, NULL), FSATTN_OK);
    for (uint64_t round = 0; round < 60; round++) {
        bytes = fsattn_strndup(original, size);
        size_t kept = round % 3 ? size : 4096 + fsattn_random_below(2, round, 0, size - 4096);
        for (uint64_t i = 0; i < 40; i++) {
            /* All but the few bytes that say whose database of which version it is. */
            bytes[100 + fsattn_random_below(2, round, 2 * i + 1, size - 100)] =
                (char)fsattn_random_below(2, round, 2 * i + 2, 256);
        }
        cr_assert_eq(fsattn_file_publish(path, bytes, kept, 0600, NULL), FSATTN_OK);
        fsattn_store *store = open_store(path);
        int64_t rows, defects;
        fsattn_err err = {0};
        for (int i = 0; i < 60; i++) {
            has(store, i);
        }
        cr_assert_eq(fsattn_store_verify(store, &rows, &defects, &err), FSATTN_OK, "round %d: %s", (int)round,
                     err.message);
        cr_assert(kept < size || rows > 60, "round %d: %d of some 180 rows", (int)round, (int)rows);
        fsattn_store_close(store);
        fsattn_free(bytes);
    }
    fsattn_free(original);
}

Test(store, truncated_database_is_salvaged) {
    fill(60);
    cr_assert_eq(truncate(path, pages_of(path) / 2 * 4096 + 100), 0);
    refused(path, true, FSATTN_CORRUPT, path);
    fsattn_store *store = open_store(path);
    cr_assert_eq(seen.count, 1u);
    cr_assert(strstr(seen.last, "set aside as"), "%s", seen.last);
    cr_assert_gt(count_has(store, 60), 10);
    fsattn_store_close(store);
}

Test(store, damaged_database_in_use_is_not_taken_away) {
    fill(60);
    fsattn_store *user = open_store(path);
    damage(path, pages_of(path) / 2);
    refused(path, false, FSATTN_BUSY, "another process has it open");
    fsattn_store_close(user);
    fsattn_store *store = open_store(path);
    fsattn_store_close(store);
}

/* ---- export, import, merge, gc, verify ---- */

typedef struct variant {
    double median_ns, error;
    fsattn_provenance provenance;
    bool confirmed, beats_default, is_default, unproven;
} variant;

static void put_variant(fsattn_store *store, int number, const variant *v) {
    sample s;
    fsattn_err err = {0};
    sample_record(&s, number);
    s.record.cost.median_ns = s.record.cost.minimum_ns = v->median_ns;
    s.record.cost.provenance = v->provenance;
    s.accuracies[0].relative_error = v->error;
    s.record.role = v->is_default ? FSATTN_ROLE_DEFAULT : FSATTN_ROLE_WINNER;
    s.record.unproven = v->unproven;
    fsattn_store_result result = result_of(&s, FSATTN_VERDICT_OK);
    result.confirmed = v->confirmed;
    result.beats_default = v->beats_default;
    cr_assert_eq(fsattn_store_result_put(store, &result, &err), FSATTN_OK, "%s", err.message);
}

/* "0w 2w 3d": numbers of the exported samples with their role, in the file's order. */
static void exported(fsattn_store *store, const fsattn_store_export_options *options, const char *expected) {
    fsattn_fsc_writer *writer;
    fsattn_fsc *fsc;
    fsattn_text file = {0}, list = {0};
    fsattn_err err = {0};
    size_t winners, seen_winners = 0;
    cr_assert_eq(fsattn_fsc_writer_create(&writer, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_store_export(store, options, writer, &winners, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_fsc_writer_encode(writer, NULL, &file, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_fsc_open_bytes("x", file.data, file.bytes, NULL, NULL, &fsc, &err), FSATTN_OK, "%s",
                 err.message);
    for (size_t i = 0; i < fsattn_fsc_count(fsc); i++) {
        const fsattn_fsc_record *record = fsattn_fsc_at(fsc, i);
        int number = -1;
        sscanf(record->configuration, "tile_m=%d", &number);
        fsattn_text_printf(&list, "%s%d%c", i ? " " : "", number - 32, fsattn_role_text(record->role)[0]);
        seen_winners += record->role == FSATTN_ROLE_WINNER;
    }
    cr_assert_str_eq(list.data ? list.data : "", expected);
    cr_assert_eq(winners, seen_winners);
    fsattn_fsc_close(fsc);
    fsattn_fsc_writer_destroy(writer);
    fsattn_text_fini(&file);
    fsattn_text_fini(&list);
}

Test(store, export_is_the_pareto_set) {
    fsattn_store *store = open_store(path);
    put_variant(store, 0, &(variant){100, 1e-3, FSATTN_MEASURED, .is_default = false});
    put_variant(store, 1, &(variant){110, 1e-3, FSATTN_MEASURED, .is_default = false});
    put_variant(store, 2, &(variant){120, 1e-4, FSATTN_MEASURED, .is_default = false});
    put_variant(store, 3, &(variant){130, 1e-4, FSATTN_MEASURED, .is_default = true});
    put_variant(store, 4, &(variant){140, 1e-6, FSATTN_MEASURED, .is_default = false});
    put_variant(store, 5, &(variant){1, 1e-9, FSATTN_MODELLED, .is_default = false});
    put_variant(store, 6, &(variant){2, 1e-9, FSATTN_MEASURED, .unproven = true});
    exported(store, NULL, "0w 2w 4w 3d");
    exported(store, &(fsattn_store_export_options){.unproven = true}, "6w 3d");
    exported(store, &(fsattn_store_export_options){.problem = "another"}, "");
    exported(store, &(fsattn_store_export_options){.template_name = "attention_host"}, "0w 2w 4w 3d");
    fsattn_store_close(store);
}

Test(store, modelled_is_exported_only_where_nothing_is_measured) {
    fsattn_store *store = open_store(path);
    put_variant(store, 0, &(variant){100, 1e-3, FSATTN_MODELLED, .is_default = true});
    put_variant(store, 1, &(variant){90, 1e-3, FSATTN_MODELLED, .is_default = false});
    exported(store, NULL, "1w 0d");
    put_variant(store, 2, &(variant){9000, 1e-3, FSATTN_MEASURED, .is_default = false});
    exported(store, NULL, "2w");
    fsattn_store_close(store);
}

Test(store, shoot_out_decides_where_there_was_one) {
    fsattn_store *store = open_store(path);
    put_variant(store, 0, &(variant){100, 1e-3, FSATTN_MEASURED, .is_default = false});
    put_variant(store, 1, &(variant){110, 1e-3, FSATTN_MEASURED, .confirmed = true});
    put_variant(store, 2, &(variant){120, 1e-3, FSATTN_MEASURED, .confirmed = true, .is_default = true});
    exported(store, NULL, "2w 2d");
    put_variant(store, 3, &(variant){115, 1e-3, FSATTN_MEASURED, .confirmed = true, .beats_default = true});
    exported(store, NULL, "3w 2d");
    fsattn_store_close(store);
}

Test(store, places_do_not_compete) {
    fsattn_store *store = open_store(path);
    put_variant(store, 0, &(variant){100, 1e-3, FSATTN_MEASURED, .is_default = false});
    sample s;
    sample_record(&s, 1);
    s.record.cost.median_ns = s.record.cost.minimum_ns = 200;
    s.accuracies[0].relative_error = 1e-3;
    s.record.cost.device = "another";
    sample_keys(&s);
    fsattn_store_result result = result_of(&s, FSATTN_VERDICT_OK);
    cr_assert_eq(fsattn_store_result_put(store, &result, NULL), FSATTN_OK);
    exported(store, NULL, "0w 1w");
    fsattn_store_close(store);
}

Test(store, winner_without_code_gives_way) {
    fsattn_store *store = open_store(path);
    put_variant(store, 0, &(variant){100, 1e-3, FSATTN_MEASURED, .is_default = false});
    put_variant(store, 1, &(variant){110, 1e-3, FSATTN_MEASURED, .is_default = false});
    sql(path, "DELETE FROM blobs WHERE data = CAST('code of 0' AS BLOB)");
    exported(store, NULL, "1w");
    cr_assert_eq(seen.count, 1u);
    fsattn_store_close(store);
}

static fsattn_fsc *file_of(fsattn_store *store, fsattn_text *bytes) {
    fsattn_fsc_writer *writer;
    fsattn_fsc *fsc;
    cr_assert_eq(fsattn_fsc_writer_create(&writer, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_store_export(store, NULL, writer, NULL, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_fsc_writer_encode(writer, NULL, bytes, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_fsc_open_bytes("x", bytes->data, bytes->bytes, NULL, NULL, &fsc, NULL), FSATTN_OK);
    fsattn_fsc_writer_destroy(writer);
    return fsc;
}

Test(store, import_is_unproven_until_signed_and_replaces_nothing) {
    char other_path[80];
    fsattn_store_changes changes;
    fsattn_text bytes = {0};
    fsattn_arena arena = {0};
    fsattn_store_build build;
    bool found;
    sample s;
    fsattn_store *store = open_store(path);
    put_variant(store, 0, &(variant){100, 1e-3, FSATTN_MEASURED, .is_default = true});
    put_variant(store, 1, &(variant){110, 1e-4, FSATTN_MEASURED, .is_default = false});
    fsattn_fsc *fsc = file_of(store, &bytes);
    cr_assert_eq(fsattn_fsc_count(fsc), 3u);
    snprintf(other_path, sizeof other_path, "%s/other/deep/tune.db", folder);
    fsattn_store *other = open_store(other_path);
    put_variant(other, 1, &(variant){50, 1e-4, FSATTN_MEASURED, .is_default = false});
    cr_assert_eq(fsattn_store_import(other, fsc, false, &changes, NULL), FSATTN_OK);
    cr_assert_eq(changes.results_added, 1);
    cr_assert_eq(changes.results_kept, 1);
    cr_assert_eq(changes.builds_added, 0, "code from elsewhere is no build of ours");
    exported(other, NULL, "1w");
    exported(other, &(fsattn_store_export_options){.unproven = true}, "1w 0d");
    sample_record(&s, 0);
    cr_assert_eq(fsattn_store_build_find(other, &s.record.build_key, &arena, &build, &found, NULL),
                 FSATTN_OK);
    cr_assert(!found);
    cr_assert_eq(fsattn_store_import(other, fsc, true, &changes, NULL), FSATTN_OK);
    cr_assert_eq(changes.results_added, 1, "proven replaces unproven");
    cr_assert_eq(changes.builds_added, 1);
    exported(other, NULL, "1w 0d");
    cr_assert_eq(fsattn_store_build_find(other, &s.record.build_key, &arena, &build, &found, NULL),
                 FSATTN_OK);
    cr_assert(found);
    cr_assert_eq(fsattn_store_import(other, fsc, false, &changes, NULL), FSATTN_OK);
    cr_assert_eq(changes.results_added, 0);
    exported(other, NULL, "1w 0d");
    fsattn_arena_fini(&arena);
    fsattn_fsc_close(fsc);
    fsattn_text_fini(&bytes);
    fsattn_store_close(other);
    fsattn_store_close(store);
}

Test(store, merge_takes_what_is_missing_or_newer) {
    char other_path[80];
    fsattn_store_changes changes;
    fsattn_err err = {0};
    int64_t run, rows, defects;
    snprintf(other_path, sizeof other_path, "%s/other.db", folder);
    fsattn_store *store = open_store(path), *other = open_store(other_path);
    put(store, 0, FSATTN_VERDICT_OK);
    put(store, 1, FSATTN_VERDICT_WRONG);
    put(other, 2, FSATTN_VERDICT_OK);
    sample s;
    fsattn_arena arena = {0};
    fsattn_store_result result = {0};
    fsattn_store_build build;
    fsattn_store_claim claim;
    bool found;
    sample_record(&s, 1);
    cr_assert_eq(fsattn_store_run_begin(store, &(fsattn_store_run){.space = "first"}, &run, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_store_run_begin(other, &(fsattn_store_run){.space = "before"}, &run, NULL),
                 FSATTN_OK);
    cr_assert_eq(fsattn_store_run_begin(other, &(fsattn_store_run){.space = "a.yaml"}, &run, NULL),
                 FSATTN_OK);
    result = result_of(&s, FSATTN_VERDICT_OK);
    result.recorded_ms = INT64_C(4000000000000);
    result.run_id = run;
    cr_assert_eq(fsattn_store_result_put(other, &result, NULL), FSATTN_OK);
    fsattn_store_build row = build_of(&s);
    cr_assert_eq(fsattn_store_build_begin(other, &row.build_key, true, &arena, &build, &found, &claim, NULL),
                 FSATTN_OK);
    cr_assert_eq(fsattn_store_build_finish(other, &claim, &row, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_store_merge(store, other, &changes, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(changes.results_added, 2);
    cr_assert_eq(changes.builds_added, 1);
    cr_assert_eq(changes.blobs_added, 3, "the source of 1 was here");
    cr_assert_eq(fsattn_store_result_find(store, &s.record.result_key, &arena, &result, &found, NULL),
                 FSATTN_OK);
    cr_assert_eq(result.verdict, FSATTN_VERDICT_OK, "the newer one");
    cr_assert_eq(result.run_id, 3, "runs get numbers of their own here");
    cr_assert_eq(fsattn_store_merge(store, other, &changes, &err), FSATTN_OK);
    cr_assert_eq(changes.results_added + changes.builds_added + changes.blobs_added, 0,
                 "merging again changes nothing");
    cr_assert_eq(changes.results_kept, 2);
    cr_assert_eq(fsattn_store_merge(store, store, &changes, &err), FSATTN_INVALID);
    cr_assert_eq(fsattn_store_verify(store, &rows, &defects, NULL), FSATTN_OK);
    cr_assert_eq(defects, 0, "%s", seen.last);
    cr_assert_eq(rows, 3 + 3 + 1 + 6);
    fsattn_arena_fini(&arena);
    fsattn_store_close(other);
    fsattn_store_close(store);
}

Test(store, gc_keeps_winners_and_verdicts) {
    fsattn_store_changes dry, changes;
    fsattn_arena arena = {0};
    fsattn_store_build build;
    fsattn_store_claim claim;
    int64_t rows, defects;
    bool found;
    fsattn_store *store = open_store(path);
    for (int i = 0; i < 4; i++) {
        sample s;
        sample_record(&s, i);
        fsattn_store_build row = build_of(&s);
        cr_assert_eq(
            fsattn_store_build_begin(store, &row.build_key, true, &arena, &build, &found, &claim, NULL),
            FSATTN_OK);
        cr_assert_eq(fsattn_store_build_finish(store, &claim, &row, NULL), FSATTN_OK);
    }
    put_variant(store, 0, &(variant){100, 1e-3, FSATTN_MEASURED, .is_default = false});
    put_variant(store, 1, &(variant){110, 1e-2, FSATTN_MEASURED, .is_default = false}); /* dominated */
    put_variant(store, 2, &(variant){120, 1e-2, FSATTN_MEASURED, .is_default = true});
    put(store, 5, FSATTN_VERDICT_WRONG); /* build 3 has no result yet */
    fsattn_store_gc_options options = {.dry_run = true, .keep_days = -1};
    cr_assert_eq(fsattn_store_gc(store, &options, &dry, NULL), FSATTN_OK);
    cr_assert_eq(count_all(store), 4);
    options.dry_run = false;
    cr_assert_eq(fsattn_store_gc(store, &options, &changes, NULL), FSATTN_OK);
    cr_assert_eq(memcmp(&dry, &changes, sizeof dry), 0, "a dry run counts what is then done");
    cr_assert_eq(changes.builds_removed, 1);
    cr_assert_eq(changes.blobs_removed, 3, "code and source of 1, and the source of the failed 5");
    cr_assert_eq(changes.bytes_freed, 9 + 13 + 13);
    cr_assert_eq(changes.results_removed, 0);
    cr_assert_eq(count_all(store), 4, "verdicts stay");
    exported(store, NULL, "0w 2d");
    cr_assert_eq(fsattn_store_verify(store, &rows, &defects, NULL), FSATTN_OK);
    cr_assert_eq(defects, 0, "%s", seen.last);
    options.keep_days = 0;
    usleep(2000);
    cr_assert_eq(fsattn_store_gc(store, &options, &changes, NULL), FSATTN_OK);
    cr_assert_eq(changes.results_removed, 1, "the failed one will be tried again");
    cr_assert_eq(fsattn_store_gc(store, &options, &changes, NULL), FSATTN_OK);
    cr_assert_eq(changes.results_removed + changes.builds_removed + changes.blobs_removed, 0);
    fsattn_arena_fini(&arena);
    fsattn_store_close(store);
}

Test(store, verify_finds_each_defect) {
    static const char *const forgeries[] = {
        "UPDATE results SET verdict = 5 WHERE id = 1",
        "UPDATE blobs SET data = x'00' WHERE id = 1",
        "UPDATE builds SET seconds = 9",
        "UPDATE runs SET space = 'b'",
        "DELETE FROM blobs WHERE data = CAST('code of 0' AS BLOB)",
    };
    char *original;
    size_t bytes;
    fsattn_arena arena = {0};
    fsattn_store_build build;
    fsattn_store_claim claim;
    int64_t run, rows, defects;
    bool found;
    sample s;
    fsattn_store *store = open_store(path);
    sample_record(&s, 7);
    fsattn_store_build row = build_of(&s);
    put(store, 0, FSATTN_VERDICT_OK);
    cr_assert_eq(fsattn_store_build_begin(store, &row.build_key, true, &arena, &build, &found, &claim, NULL),
                 FSATTN_OK);
    cr_assert_eq(fsattn_store_build_finish(store, &claim, &row, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_store_run_begin(store, &(fsattn_store_run){.space = "a"}, &run, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_store_verify(store, &rows, &defects, NULL), FSATTN_OK);
    cr_assert_eq(defects, 0);
    cr_assert_eq(rows, 1 + 4 + 1 + 1);
    fsattn_store_close(store);
    cr_assert_eq(fsattn_file_read(path, 1 << 24, &original, &bytes, NULL), FSATTN_OK);
    for (size_t i = 0; i < sizeof forgeries / sizeof forgeries[0]; i++) {
        cr_assert_eq(fsattn_file_publish(path, original, bytes, 0600, NULL), FSATTN_OK);
        sql(path, forgeries[i]);
        store = open_store(path);
        seen.count = 0;
        cr_assert_eq(fsattn_store_verify(store, &rows, &defects, NULL), FSATTN_OK);
        cr_assert_geq(defects, 1, "%s", forgeries[i]);
        cr_assert_eq((int64_t)seen.count, defects, "%s: %s", forgeries[i], seen.last);
        fsattn_store_close(store);
    }
    fsattn_free(original);
    fsattn_arena_fini(&arena);
}

Test(store, default_path_is_in_the_data_folder) {
    char *name;
    setenv("XDG_DATA_HOME", "/somewhere", 1);
    cr_assert_eq(fsattn_store_default_path("tune.db", &name, NULL), FSATTN_OK);
    cr_assert_str_eq(name, "/somewhere/fsattn/tune.db");
    fsattn_free(name);
}
