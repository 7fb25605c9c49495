#include "store_open.h"

#include "error.h"
#include "file.h"
#include "store_leaf.h"
#include "store_merge.h"
#include "store_schema.h"
#include "text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Rows in the fresh database. */
typedef struct salvaged {
    int64_t results, builds, blobs;
} salvaged;

/* A name for the damaged database that is not taken: "<path>.damaged-20260131T235959Z", "-2" and so on behind
 * it. */
static fsattn_status name_aside(const char *path, fsattn_text *aside, fsattn_err *err) {
    char stamp[32];
    time_t now = time(NULL);
    struct tm parts;
    strftime(stamp, sizeof stamp, "%Y%m%dT%H%M%SZ", gmtime_r(&now, &parts));
    for (int number = 1; number < 1000; number++) {
        fsattn_text_clear(aside);
        fsattn_text_printf(aside, "%s.damaged-%s", path, stamp);
        if (number > 1) {
            fsattn_text_printf(aside, "-%d", number);
        }
        if (aside->failed) {
            return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
        }
        if (!fsattn_file_exists(aside->data)) {
            return FSATTN_OK;
        }
    }
    return fsattn_fail(err, FSATTN_IO, "%s: no free name to set it aside", path);
}

/* "<path><suffix>" becomes "<to><suffix>"; there need not be one. */
static fsattn_status move_beside(const char *path, const char *to, const char *suffix, fsattn_err *err) {
    fsattn_text old = {0}, new = {0};
    fsattn_status status = FSATTN_OK;
    fsattn_text_printf(&old, "%s%s", path, suffix);
    fsattn_text_printf(&new, "%s%s", to, suffix);
    if (old.failed || new.failed) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
    } else if (rename(old.data, new.data) && errno != ENOENT) {
        status = fsattn_fail_errno(err, errno, "%s: cannot set it aside", old.data);
    }
    fsattn_text_fini(&old);
    fsattn_text_fini(&new);
    return status;
}

/* The write-ahead log goes first: it must never meet the fresh database. The main file is linked, not moved,
 * so that until the fresh one replaces it the store is found damaged again instead of missing. */
static fsattn_status set_aside(const char *path, const char *aside, fsattn_err *err) {
    if (link(path, aside)) {
        return fsattn_fail_errno(err, errno, "%s: cannot set it aside as %s", path, aside);
    }
    FSATTN_TRY(move_beside(path, aside, "-wal", err));
    FSATTN_TRY(move_beside(path, aside, "-journal", err));
    return move_beside(path, aside, "-shm", err);
}

static void remove_database(const char *path) {
    static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        fsattn_text name = {0};
        fsattn_text_printf(&name, "%s%s", path, suffixes[i]);
        if (!name.failed) {
            unlink(name.data);
        }
        fsattn_text_fini(&name);
    }
}

/* False when nothing at all can be read. */
static bool connect_damaged(fsattn_store *from) {
    const int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    if (sqlite3_open_v2(from->path, &from->db, flags, NULL) != SQLITE_OK) {
        return false;
    }
    sqlite3_db_config(from->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    /* SQLite's own way to read a file that is shorter than its header says. Nothing is written: it is
     * read-only. */
    sqlite3_db_config(from->db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
    return true;
}

/* Takes in the rows that SQLite no longer finds. `rows` is a private temporary database. */
static fsattn_status take_leaves(fsattn_store *to, const char *aside, fsattn_err *err) {
    fsattn_store rows = {.path = "", .users = -1};
    fsattn_store_changes changes;
    fsattn_status status;
    FSATTN_TRY(fsattn_store_connect(&rows, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, 1000, err));
    FSATTN_GOTO(fsattn_store_schema_scratch(&rows, err));
    FSATTN_GOTO(fsattn_store_leaf_scan(aside, &rows, err));
    status = fsattn_store_take_all(to, &rows, true, &changes, err);
out:
    fsattn_store_disconnect(&rows);
    return status;
}

/* Copies what can be read of `aside` into a new database at `fresh`, and closes it so that it is one file.
 * Asks SQLite first, because what it finds is current. */
static fsattn_status salvage(const char *aside, const char *fresh, salvaged *counts, fsattn_err *err) {
    fsattn_store from = {.path = (char *)aside, .read_only = true, .users = -1};
    fsattn_store to = {.path = (char *)fresh, .users = -1};
    fsattn_store_changes changes;
    fsattn_status status;
    FSATTN_GOTO(fsattn_store_connect(&to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, 1000, err));
    FSATTN_GOTO(fsattn_store_prepare(&to, err));
    if (connect_damaged(&from)) {
        FSATTN_GOTO(fsattn_store_take_all(&to, &from, true, &changes, err));
    }
    fsattn_store_disconnect(&from);
    FSATTN_GOTO(take_leaves(&to, aside, err));
    FSATTN_GOTO(fsattn_store_int(&to, "SELECT count(*) FROM results", &counts->results, err));
    FSATTN_GOTO(fsattn_store_int(&to, "SELECT count(*) FROM builds", &counts->builds, err));
    FSATTN_GOTO(fsattn_store_int(&to, "SELECT count(*) FROM blobs", &counts->blobs, err));
    status = fsattn_store_exec(&to, "PRAGMA journal_mode = DELETE", err);
out:
    fsattn_store_disconnect(&from);
    fsattn_store_disconnect(&to);
    return status;
}

fsattn_status fsattn_store_repair(fsattn_store *store, const fsattn_err *why, fsattn_err *err) {
    fsattn_text aside = {0}, fresh = {0};
    salvaged counts;
    fsattn_status status;
    FSATTN_GOTO(name_aside(store->path, &aside, err));
    fsattn_text_printf(&fresh, "%s.fresh", store->path);
    if (fresh.failed) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", store->path);
        goto out;
    }
    FSATTN_GOTO(set_aside(store->path, aside.data, err));
    remove_database(fresh.data); /* of a repair that was interrupted */
    status = salvage(aside.data, fresh.data, &counts, err);
    if (status != FSATTN_OK) {
        remove_database(fresh.data);
        goto out;
    }
    if (rename(fresh.data, store->path)) {
        status =
            fsattn_fail_errno(err, errno, "%s: cannot put the salvaged database in its place", store->path);
        goto out;
    }
    fsattn_store_tell(store, FSATTN_CORRUPT,
                      "was damaged (%s); set aside as %s; salvaged %" PRId64 " results, %" PRId64
                      " builds and %" PRId64 " blobs",
                      why->message, aside.data, counts.results, counts.builds, counts.blobs);
out:
    fsattn_text_fini(&aside);
    fsattn_text_fini(&fresh);
    return status;
}
