#include "store_schema.h"

#include "error.h"

#include <inttypes.h>
#include <stdio.h>

/* Step i makes version i + 1 of version i; an empty database is version 0. A released step never changes: what it made
 * is out there. FORMAT.md says what the columns mean. */
static const char *const steps[fsattn_store_version] = {
    "CREATE TABLE runs(id INTEGER PRIMARY KEY AUTOINCREMENT, space TEXT NOT NULL, command TEXT NOT NULL,"
    " machine TEXT NOT NULL, outcome TEXT NOT NULL, started_ms INTEGER NOT NULL, finished_ms INTEGER NOT NULL,"
    " row_hash BLOB NOT NULL);"
    "CREATE TABLE blobs(id INTEGER PRIMARY KEY, hash BLOB NOT NULL UNIQUE, data BLOB NOT NULL);"
    "CREATE TABLE builds(id INTEGER PRIMARY KEY, build_key BLOB NOT NULL UNIQUE, verdict INTEGER NOT NULL,"
    " log TEXT NOT NULL, seconds REAL NOT NULL, compiler TEXT NOT NULL, options TEXT NOT NULL,"
    " source_hash BLOB NOT NULL, source_bytes INTEGER NOT NULL, code_hash BLOB NOT NULL, code_bytes INTEGER NOT NULL,"
    " recorded_ms INTEGER NOT NULL, row_hash BLOB NOT NULL);"
    "CREATE TABLE results(id INTEGER PRIMARY KEY, result_key BLOB NOT NULL UNIQUE, build_key BLOB NOT NULL,"
    " serving_key BLOB NOT NULL, identity BLOB NOT NULL, problem TEXT NOT NULL, template TEXT NOT NULL,"
    " verdict INTEGER NOT NULL, median_ns REAL NOT NULL, record BLOB NOT NULL, reason TEXT NOT NULL,"
    " samples BLOB NOT NULL, confirmed INTEGER NOT NULL, beats_default INTEGER NOT NULL, run_id INTEGER NOT NULL,"
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
        fsattn_fail(err, FSATTN_VERSION, "%s: has format version %" PRId64 ", newer than %d", store->path, have,
                    fsattn_store_version);
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
