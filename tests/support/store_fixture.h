/* store_fixture.h - what the tests of stores share: a folder with a store for each test, and its warnings.
 *
 * A test file opens its suite with TestSuite(NAME, .init = store_setup, .fini = store_teardown).
 */
#ifndef STORE_FIXTURE_H
#define STORE_FIXTURE_H

#include "error.h"
#include "file.h"
#include "memory.h"
#include "store.h"

#include "sample_record.h"

#include <criterion/criterion.h>
#include <sqlite3.h>
#include <stdlib.h>

static char folder[] = "/tmp/test_store.XXXXXX";
static char path[64];

typedef struct warnings {
    size_t count;
    char last[1024];
} warnings;
static warnings seen;

static inline void remember(void *data, const fsattn_err *err) {
    (void)data;
    seen.count++;
    snprintf(seen.last, sizeof seen.last, "%s", err->message);
}

static inline void store_setup(void) {
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/tune.db", folder);
}

static inline void store_teardown(void) {
    fsattn_folder_remove(folder, NULL);
}

static inline fsattn_store *open_store(const char *name) {
    fsattn_store *store;
    fsattn_err err = {0};
    fsattn_store_options options = {.warn = remember};
    cr_assert_eq(fsattn_store_open(name, &options, &store, &err), FSATTN_OK, "%s", err.message);
    return store;
}

/* Runs SQL behind the store's back. */
static inline void sql(const char *name, const char *statements) {
    sqlite3 *db;
    char *message = NULL;
    cr_assert_eq(sqlite3_open(name, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db, statements, NULL, NULL, &message), SQLITE_OK, "%s", message);
    sqlite3_close(db);
}

static inline fsattn_store_result result_of(const sample *s, fsattn_verdict verdict) {
    static const double samples[] = {1003, 1000, 997.5};
    return (fsattn_store_result){.record = s->record,
                                 .verdict = verdict,
                                 .reason = verdict == FSATTN_VERDICT_OK ? "" : "because",
                                 .samples = samples,
                                 .sample_count = 3};
}

static inline void put(fsattn_store *store, int number, fsattn_verdict verdict) {
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

static inline bool has(fsattn_store *store, int number) {
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

static inline int64_t count_all(fsattn_store *store) {
    int64_t counts[fsattn_verdict_count], sum = 0;
    cr_assert_eq(fsattn_store_results_count(store, NULL, counts, NULL), FSATTN_OK);
    for (int i = 0; i < fsattn_verdict_count; i++) {
        sum += counts[i];
    }
    return sum;
}

static inline fsattn_store_build build_of(const sample *s) {
    return (fsattn_store_build){.build_key = s->record.build_key,
                                .verdict = FSATTN_VERDICT_OK,
                                .log = "warning",
                                .seconds = 0.5,
                                .compiler = s->record.compiler,
                                .options = s->record.options,
                                .source = {.data = s->source, .bytes = strlen(s->source)},
                                .code = {.data = s->code, .bytes = strlen(s->code)}};
}

static inline void refused(const char *name, bool read_only, fsattn_status expected, const char *phrase) {
    fsattn_store *store = NULL;
    fsattn_err err = {0};
    fsattn_store_options options = {.read_only = read_only};
    cr_assert_eq(fsattn_store_open(name, &options, &store, &err), expected, "%s", err.message);
    cr_assert(strstr(err.message, phrase), "%s", err.message);
    cr_assert_null(store);
}

static inline fsattn_fsc *file_of(fsattn_store *store, fsattn_text *bytes) {
    fsattn_fsc_writer *writer;
    fsattn_fsc *fsc;
    cr_assert_eq(fsattn_fsc_writer_create(&writer, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_store_export(store, NULL, writer, NULL, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_fsc_writer_encode(writer, NULL, bytes, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_fsc_open_bytes("x", bytes->data, bytes->bytes, NULL, NULL, &fsc, NULL), FSATTN_OK);
    fsattn_fsc_writer_destroy(writer);
    return fsc;
}

#endif
