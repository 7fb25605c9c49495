#include "store_query.h"

#include "error.h"
#include "file.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static fsattn_status status_of(int code) {
    static const struct {
        int code;
        fsattn_status status;
    } rows[] = {{SQLITE_BUSY, FSATTN_BUSY},
                {SQLITE_LOCKED, FSATTN_BUSY},
                {SQLITE_CORRUPT, FSATTN_CORRUPT},
                {SQLITE_NOTADB, FSATTN_CORRUPT},
                {SQLITE_NOMEM, FSATTN_NO_MEMORY},
                {SQLITE_IOERR, FSATTN_IO},
                {SQLITE_FULL, FSATTN_IO},
                {SQLITE_READONLY, FSATTN_IO},
                {SQLITE_CANTOPEN, FSATTN_IO},
                {SQLITE_PERM, FSATTN_IO},
                {SQLITE_AUTH, FSATTN_IO},
                {SQLITE_TOOBIG, FSATTN_INVALID},
                {SQLITE_INTERRUPT, FSATTN_INTERRUPTED}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].code == (code & 0xff)) {
            return rows[i].status;
        }
    }
    return FSATTN_INTERNAL;
}

void fsattn_store_hint_damaged(fsattn_err *err) {
    fsattn_hint(
        err,
        "the next program that opens it for writing (fsattn-tune, fsattn-cache gc --dry-run) sets it aside "
        "and salvages its readable rows; nothing is deleted");
}

/* What a statement was for, for people: its text would not help them. */
static const char *purpose(const char *sql) {
    static const struct {
        const char *word, *purpose;
    } rows[] = {{"SELECT", "cannot be read"}, {"PRAGMA", "cannot be opened"}, {"cannot", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!strncmp(sql, rows[i].word, strlen(rows[i].word))) {
            return rows[i].purpose ? rows[i].purpose : sql;
        }
    }
    return "cannot be written";
}

static void hint_of(const fsattn_store *store, int code, fsattn_err *err) {
    static const struct {
        int code;
        const char *hint;
    } rows[] = {{SQLITE_FULL, "make room on its disk"},
                {SQLITE_READONLY, "it and its folder must be writable: name another file, or change their modes"},
                {SQLITE_PERM, "it and its folder must be writable: name another file, or change their modes"},
                {SQLITE_IOERR, "its disk or file system fails: look into the system's log, move the store elsewhere"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].code == (code & 0xff)) {
            fsattn_hint(err, "%s", rows[i].hint);
            return;
        }
    }
    if ((code & 0xff) == SQLITE_CANTOPEN) {
        fsattn_hint(err, store->read_only
                             ? "it was not closed by its last writer: copy %s with its -wal and -shm files to a folder that can be written"
                             : "%s and its folder must be writable",
                    store->path);
    }
}

fsattn_status fsattn_store_sql_fail(const fsattn_store *store, int code, const char *what, fsattn_err *err) {
    fsattn_status status = status_of(code);
    if ((code & 0xff) == SQLITE_IOERR && store->path && store->path[0] && fsattn_file_disk_full(store->path)) {
        code = SQLITE_FULL; /* SQLite has no word for it where its shared memory does not fit */
    }
    const char *detail = store->db && sqlite3_errcode(store->db) == (code & 0xff) ? sqlite3_errmsg(store->db)
                                                                                  : sqlite3_errstr(code);
    if (status == FSATTN_INTERNAL) {
        return fsattn_fail(err, status, "%s: %s: %s", store->path, what, detail); /* a defect: the statement matters */
    }
    fsattn_fail(err, status, "%s: %s: %s", store->path, purpose(what), detail);
    hint_of(store, code, err);
    if (status == FSATTN_CORRUPT) {
        fsattn_store_hint_damaged(err);
    } else if (status == FSATTN_BUSY) {
        fsattn_hint(err, "another process has been writing for long: wait for it or end it");
    }
    return status;
}

fsattn_status fsattn_store_exec(fsattn_store *store, const char *sql, fsattn_err *err) {
    int code = sqlite3_exec(store->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? FSATTN_OK : fsattn_store_sql_fail(store, code, sql, err);
}

fsattn_status fsattn_store_int(fsattn_store *store, const char *sql, int64_t *value, fsattn_err *err) {
    fsattn_store_query query;
    bool row;
    FSATTN_TRY(fsattn_store_query_init(&query, store, sql, err));
    fsattn_status status = fsattn_store_query_step(&query, &row, err);
    if (status == FSATTN_OK) {
        *value = row ? fsattn_store_column_int(&query, 0) : 0;
    }
    fsattn_store_query_fini(&query);
    return status;
}

fsattn_status fsattn_store_begin(fsattn_store *store, fsattn_err *err) {
    int moved = 0;
    if (sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved) {
        fsattn_fail(err, FSATTN_IO, "%s: was removed or replaced while it was in use", store->path);
        fsattn_hint(err, "what was stored in it is gone unless the file still lies elsewhere; run again, and keep the file");
        return FSATTN_IO;
    }
    return fsattn_store_exec(store, "BEGIN IMMEDIATE", err);
}

fsattn_status fsattn_store_end(fsattn_store *store, fsattn_status status, fsattn_err *err) {
    if (status == FSATTN_OK) {
        status = fsattn_store_exec(store, "COMMIT", err);
    }
    if (status != FSATTN_OK && !sqlite3_get_autocommit(store->db)) {
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    }
    return status;
}

void fsattn_store_tell(const fsattn_store *store, fsattn_status status, const char *format, ...) {
    if (!store->warn) {
        return;
    }
    char message[900];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    fsattn_err err = {0};
    fsattn_fail(&err, status, "%s: %s", store->path, message);
    store->warn(store->warn_data, &err);
}

fsattn_status fsattn_store_query_init(fsattn_store_query *query, fsattn_store *store, const char *sql,
                                      fsattn_err *err) {
    *query = (fsattn_store_query){.store = store};
    int code = sqlite3_prepare_v2(store->db, sql, -1, &query->statement, NULL);
    return code == SQLITE_OK ? FSATTN_OK : fsattn_store_sql_fail(store, code, sql, err);
}

void fsattn_store_query_fini(fsattn_store_query *query) {
    sqlite3_finalize(query->statement); /* accepts NULL */
    query->statement = NULL;
}

static void keep(fsattn_store_query *query, int code) {
    if (query->code == SQLITE_OK) {
        query->code = code;
    }
}

void fsattn_store_bind_int(fsattn_store_query *query, int at, int64_t value) {
    keep(query, sqlite3_bind_int64(query->statement, at + 1, value));
}

void fsattn_store_bind_real(fsattn_store_query *query, int at, double value) {
    keep(query, sqlite3_bind_double(query->statement, at + 1, value));
}

void fsattn_store_bind_text(fsattn_store_query *query, int at, const char *text) {
    keep(query, sqlite3_bind_text(query->statement, at + 1, text ? text : "", -1, SQLITE_STATIC));
}

void fsattn_store_bind_bytes(fsattn_store_query *query, int at, const void *data, size_t bytes) {
    keep(query, sqlite3_bind_blob64(query->statement, at + 1, bytes ? data : "", bytes, SQLITE_STATIC));
}

void fsattn_store_bind_hash(fsattn_store_query *query, int at, const fsattn_hash *hash) {
    fsattn_store_bind_bytes(query, at, hash->bytes, sizeof hash->bytes);
}

fsattn_status fsattn_store_query_step(fsattn_store_query *query, bool *row, fsattn_err *err) {
    int code = query->code == SQLITE_OK ? sqlite3_step(query->statement) : query->code;
    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        return fsattn_store_sql_fail(query->store, code, sqlite3_sql(query->statement), err);
    }
    *row = code == SQLITE_ROW;
    return FSATTN_OK;
}

fsattn_status fsattn_store_query_run(fsattn_store_query *query, fsattn_err *err) {
    bool row;
    fsattn_status status = fsattn_store_query_step(query, &row, err);
    sqlite3_reset(query->statement);
    return status;
}

int64_t fsattn_store_column_int(const fsattn_store_query *query, int at) {
    return sqlite3_column_int64(query->statement, at);
}

double fsattn_store_column_real(const fsattn_store_query *query, int at) {
    return sqlite3_column_double(query->statement, at);
}

bool fsattn_store_column_bytes(const fsattn_store_query *query, int at, fsattn_arena *arena,
                               const void **data, size_t *bytes) {
    const void *column = sqlite3_column_blob(query->statement, at);
    size_t size = column ? (size_t)sqlite3_column_bytes(query->statement, at) : 0;
    char *copy = fsattn_arena_alloc(arena, size + 1, 1);
    if (!copy) {
        return false;
    }
    if (size) {
        memcpy(copy, column, size);
    }
    *data = copy;
    *bytes = size;
    return true;
}

bool fsattn_store_column_text(const fsattn_store_query *query, int at, fsattn_arena *arena,
                              const char **text) {
    const char *column = (const char *)sqlite3_column_text(query->statement, at);
    *text = fsattn_arena_strdup(arena, column ? column : "");
    return *text != NULL;
}

fsattn_hash fsattn_store_column_hash(const fsattn_store_query *query, int at) {
    fsattn_hash hash = {{0}};
    const void *column = sqlite3_column_blob(query->statement, at);
    if (column && sqlite3_column_bytes(query->statement, at) == (int)sizeof hash.bytes) {
        memcpy(hash.bytes, column, sizeof hash.bytes);
    }
    return hash;
}

fsattn_status fsattn_store_query_ids(fsattn_store_query *query, fsattn_store_ids *ids, fsattn_err *err) {
    for (;;) {
        bool row;
        FSATTN_TRY(fsattn_store_query_step(query, &row, err));
        if (!row) {
            return FSATTN_OK;
        }
        if (fsattn_grow((void **)&ids->ids, &ids->capacity, ids->count, sizeof *ids->ids)) {
            return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", query->store->path);
        }
        ids->ids[ids->count++] = fsattn_store_column_int(query, 0);
    }
}
