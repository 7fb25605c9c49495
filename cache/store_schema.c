#include "store_schema.h"

#include "error.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Step i makes version i + 1 of version i; an empty database is version 0. A released step never changes:
 * what it made is out there. FORMAT.md says what the columns mean. */
static const char *const steps[fsattn_store_version] = {
    "CREATE TABLE runs(id INTEGER PRIMARY KEY AUTOINCREMENT, space TEXT NOT NULL, command TEXT NOT NULL,"
    " machine TEXT NOT NULL, outcome TEXT NOT NULL, started_ms INTEGER NOT NULL, finished_ms INTEGER NOT "
    "NULL,"
    " row_hash BLOB NOT NULL);"
    "CREATE TABLE blobs(id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, data BLOB NOT NULL);"
    "CREATE TABLE builds(id INTEGER PRIMARY KEY, build_key BLOB NOT NULL UNIQUE, verdict INTEGER NOT NULL,"
    " log TEXT NOT NULL, seconds REAL NOT NULL, compiler TEXT NOT NULL, options TEXT NOT NULL,"
    " source_hash BLOB NOT NULL, source_bytes INTEGER NOT NULL, code_hash BLOB NOT NULL, code_bytes INTEGER "
    "NOT NULL,"
    " recorded_ms INTEGER NOT NULL, row_hash BLOB NOT NULL);"
    "CREATE TABLE results(id INTEGER PRIMARY KEY, result_key BLOB NOT NULL UNIQUE, build_key BLOB NOT NULL,"
    " serving_key BLOB NOT NULL, identity BLOB NOT NULL, problem TEXT NOT NULL, template TEXT NOT NULL,"
    " verdict INTEGER NOT NULL, median_ns REAL NOT NULL, record BLOB NOT NULL, reason TEXT NOT NULL,"
    " samples BLOB NOT NULL, confirmed INTEGER NOT NULL, beats_default INTEGER NOT NULL, run_id INTEGER NOT "
    "NULL,"
    " recorded_ms INTEGER NOT NULL, row_hash BLOB NOT NULL);",
    /* The questions that are asked while tuning had scanned the whole table. */
    "CREATE INDEX results_by_problem ON results(problem, verdict);"
    "CREATE INDEX results_by_serving_key ON results(serving_key);"
    "CREATE INDEX results_by_build_key ON results(build_key);"
    "CREATE INDEX results_by_run ON results(run_id);",
};

fsattn_status fsattn_store_schema_check(fsattn_store *store, int64_t *version, fsattn_err *err) {
    int64_t application, have, tables;
    FSATTN_TRY(fsattn_store_int(store, "PRAGMA application_id", &application, err));
    FSATTN_TRY(fsattn_store_int(store, "PRAGMA user_version", &have, err));
    FSATTN_TRY(fsattn_store_int(store, "SELECT count(*) FROM sqlite_schema", &tables, err));
    if (application != fsattn_store_application && (application != 0 || tables != 0)) {
        fsattn_fail(err, FSATTN_INVALID, "%s: is another program's database", store->path);
        fsattn_hint(err, "name another file for the store");
        return FSATTN_INVALID;
    }
    if (have > fsattn_store_version) {
        fsattn_fail(err, FSATTN_VERSION, "%s: has format version %" PRId64 ", newer than %d", store->path,
                    have, fsattn_store_version);
        fsattn_hint(err, "update fsattn, or name another file for the store");
        return FSATTN_VERSION;
    }
    if (have < 0 || (have == 0 && tables != 0)) {
        return fsattn_fail(err, FSATTN_CORRUPT, "%s: has tables but the impossible format version %" PRId64,
                           store->path, have);
    }
    *version = have;
    return FSATTN_OK;
}

/* Every table and index of a fresh database of that version must stand in this one, word for word. */
static fsattn_status compare_schema(fsattn_store *store, fsattn_store *fresh, int64_t version,
                                    fsattn_err *err) {
    fsattn_store_query expected = {0}, have = {0};
    fsattn_arena arena = {0};
    const char *name, *sql;
    fsattn_status status;
    for (int64_t step = 0; step < version; step++) {
        FSATTN_GOTO(fsattn_store_exec(fresh, steps[step], err));
    }
    FSATTN_GOTO(fsattn_store_query_init(&expected, fresh,
                                        "SELECT name, sql FROM sqlite_schema WHERE sql <> ''", err));
    for (;;) {
        bool row, found;
        FSATTN_GOTO(fsattn_store_query_step(&expected, &row, err));
        if (!row) {
            break;
        }
        if (!fsattn_store_column_text(&expected, 0, &arena, &name) ||
            !fsattn_store_column_text(&expected, 1, &arena, &sql)) {
            status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", store->path);
            goto out;
        }
        FSATTN_GOTO(fsattn_store_query_init(&have, store,
                                            "SELECT 1 FROM sqlite_schema WHERE name = ? AND sql = ?", err));
        fsattn_store_bind_text(&have, 0, name);
        fsattn_store_bind_text(&have, 1, sql);
        FSATTN_GOTO(fsattn_store_query_step(&have, &found, err));
        fsattn_store_query_fini(&have);
        if (!found) {
            status = fsattn_fail(err, FSATTN_CORRUPT, "%s: %s is not what format version %" PRId64 " has",
                                 store->path, name, version);
            fsattn_store_hint_damaged(err);
            goto out;
        }
    }
out:
    fsattn_store_query_fini(&have);
    fsattn_store_query_fini(&expected);
    fsattn_arena_fini(&arena);
    return status;
}

fsattn_status fsattn_store_schema_compare(fsattn_store *store, int64_t version, fsattn_err *err) {
    fsattn_store fresh = {.path = ":memory:", .users = -1};
    int code = sqlite3_open_v2(fresh.path, &fresh.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    fsattn_status status = code == SQLITE_OK ? compare_schema(store, &fresh, version, err)
                                             : fsattn_store_sql_fail(&fresh, code, "cannot open", err);
    sqlite3_close_v2(fresh.db);
    return status;
}

fsattn_status fsattn_store_schema_migrate(fsattn_store *store, int64_t version, fsattn_err *err) {
    char pragmas[128];
    fsattn_status status;
    snprintf(pragmas, sizeof pragmas, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             fsattn_store_application, fsattn_store_version);
    FSATTN_TRY(fsattn_store_begin(store, err));
    for (int64_t step = version; step < fsattn_store_version; step++) {
        status = fsattn_store_exec(store, steps[step], err);
        if (status != FSATTN_OK) {
            fsattn_context_add(err, status, "migration from format version %" PRId64, step);
            goto out;
        }
    }
    status = fsattn_store_exec(store, pragmas, err);
out:
    return fsattn_store_end(store, status, err);
}

fsattn_status fsattn_store_schema_scratch(fsattn_store *store, fsattn_err *err) {
    static const char unique[] = " UNIQUE";
    char *sql = fsattn_strdup(steps[0]);
    if (!sql) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", store->path);
    }
    for (char *at = strstr(sql, unique); at; at = strstr(at, unique)) {
        memset(at, ' ', sizeof unique - 1);
    }
    fsattn_status status = fsattn_store_exec(store, sql, err);
    fsattn_free(sql);
    return status;
}
