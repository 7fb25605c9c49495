#include "store_open.h"

#include "error.h"
#include "file.h"
#include "store_lock.h"
#include "store_schema.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { busy_timeout_default_ms = 60000 };

/* The path as SQLite takes it for a path: "" is its temporary database, and names that begin with ":" or "file:" mean
 * something else to it. */
static void literal_name(const char *path, fsattn_text *name) {
    fsattn_text_printf(name, "%s%s", path[0] && path[0] != '/' ? "./" : "", path);
}

/* "file:PATH?immutable=1": SQLite then reads a database in WAL mode without making files beside it. Behind "file:" two slashes
 * would begin the name of a host. */
static void immutable_name(const char *path, fsattn_text *name) {
    fsattn_text_puts(name, path[0] == '/' ? "file:/." : "file:./");
    for (const char *at = path; *at; at++) {
        fsattn_text_printf(name, strchr("%?#", *at) ? "%%%02X" : "%c", (unsigned)(unsigned char)*at);
    }
    fsattn_text_puts(name, "?immutable=1");
}

fsattn_status fsattn_store_connect(fsattn_store *store, int flags, int64_t busy_timeout_ms, fsattn_err *err) {
    fsattn_text name = {0};
    if (store->immutable) {
        immutable_name(store->path, &name);
        flags |= SQLITE_OPEN_URI;
    } else {
        literal_name(store->path, &name);
    }
    if (name.failed) {
        fsattn_text_fini(&name);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", store->path);
    }
    int code = sqlite3_open_v2(name.data ? name.data : "", &store->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
    fsattn_text_fini(&name);
    if (code != SQLITE_OK) {
        fsattn_status status = fsattn_store_sql_fail(store, code, "cannot open", err);
        fsattn_store_disconnect(store);
        return status;
    }
    sqlite3_busy_timeout(store->db, busy_timeout_ms > INT32_MAX ? INT32_MAX : (int)busy_timeout_ms);
    /* The file may come from somebody else (merge): nothing in its schema may run code or write. */
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    fsattn_status status =
        fsattn_store_exec(store, "PRAGMA cell_size_check = ON; PRAGMA synchronous = FULL", err);
    if (status != FSATTN_OK) {
        fsattn_store_disconnect(store);
    }
    return status;
}

void fsattn_store_disconnect(fsattn_store *store) {
    sqlite3_close_v2(store->db); /* accepts NULL */
    store->db = NULL;
}

fsattn_status fsattn_store_structure_check(fsattn_store *store, fsattn_err *err) {
    fsattn_store_query query;
    fsattn_arena arena = {0};
    const char *finding = "";
    bool row;
    /* Not quick_check: it passes over damaged indices, which later fail every write. */
    FSATTN_TRY(fsattn_store_query_init(&query, store, "PRAGMA integrity_check(1)", err));
    fsattn_status status = fsattn_store_query_step(&query, &row, err);
    if (status == FSATTN_OK && row && !fsattn_store_column_text(&query, 0, &arena, &finding)) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", store->path);
    } else if (status == FSATTN_OK && strcmp(finding, "ok")) {
        /* Findings may have several lines; the first says in which database. */
        while (*finding == '\n' || !strncmp(finding, "***", 3)) {
            finding += strcspn(finding, "\n");
            finding += strspn(finding, "\n");
        }
        status = fsattn_fail(err, FSATTN_CORRUPT, "%s: is damaged (%.*s)", store->path, (int)strcspn(finding, "\n"), finding);
        fsattn_store_hint_damaged(err);
    }
    fsattn_store_query_fini(&query);
    fsattn_arena_fini(&arena);
    return status;
}

fsattn_status fsattn_store_prepare(fsattn_store *store, fsattn_err *err) {
    int64_t version;
    FSATTN_TRY(fsattn_store_schema_check(store, &version, err));
    /* Schema first, WAL second: so the main file names its application even when nothing was ever
     * checkpointed. */
    if (version < fsattn_store_version) {
        FSATTN_TRY(fsattn_store_schema_migrate(store, version, err));
    }
    return fsattn_store_exec(store, "PRAGMA journal_mode = WAL", err);
}

/* The first bytes of the file, zeros behind its end. Read through SQLite: closing a descriptor of our own
 * would drop the locks that another connection of this process holds on the file (POSIX locks belong to the
 * process). */
static fsattn_status read_header(const char *path, unsigned char *header, int bytes, fsattn_err *err) {
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    const char *name = sqlite3_create_filename(path, "", "", 0, NULL);
    sqlite3_file *file = fsattn_alloc(1, (size_t)vfs->szOsFile);
    int code = SQLITE_NOMEM;
    if (name && file) {
        code = vfs->xOpen(vfs, name, file, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, NULL);
    }
    if (code == SQLITE_OK) {
        code = file->pMethods->xRead(file, header, bytes, 0);
    }
    if (file && file->pMethods) {
        file->pMethods->xClose(file);
    }
    sqlite3_free_filename(name);
    fsattn_free(file);
    return code == SQLITE_OK || code == SQLITE_IOERR_SHORT_READ
               ? FSATTN_OK
               : fsattn_fail(err, code == SQLITE_NOMEM ? FSATTN_NO_MEMORY : FSATTN_IO,
                             "%s: cannot read it: %s", path, sqlite3_errstr(code));
}

static fsattn_status fail_empty(const char *path, fsattn_err *err) {
    fsattn_fail(err, FSATTN_NOT_FOUND, "%s: is empty: there is no store in it", path);
    fsattn_hint(err, "'fsattn-tune SPACE.yaml --store %s' makes one of it", path);
    return FSATTN_NOT_FOUND;
}

/* A foreign database is refused before anything is made beside it. What it says of itself is read as if nobody changed it: that
 * makes no file. Whatever else is wrong with it is said once it is open. */
static fsattn_status check_application(const char *path, fsattn_err *err) {
    int64_t version;
    fsattn_store peek = {.read_only = true, .immutable = true, .users = -1, .path = fsattn_strdup(path)};
    if (!peek.path) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
    }
    fsattn_status status = FSATTN_OK;
    if (fsattn_store_connect(&peek, SQLITE_OPEN_READONLY, 1000, NULL) == FSATTN_OK) {
        status = fsattn_store_schema_check(&peek, &version, err);
        fsattn_store_disconnect(&peek);
    }
    fsattn_free(peek.path);
    return status == FSATTN_INVALID ? status : FSATTN_OK;
}

/* Refuses what is certainly not a store, before anything is created beside it. A file whose header is gone
 * counts as a store only when a store's lock file is there. */
static fsattn_status check_identity(const char *path, bool existing, fsattn_err *err) {
    struct stat info;
    if (stat(path, &info)) {
        return errno == ENOENT ? FSATTN_OK : fsattn_fail_errno(err, errno, "%s", path);
    }
    if (!S_ISREG(info.st_mode)) {
        return fsattn_fail(err, FSATTN_INVALID, "%s: is not a regular file", path);
    }
    if (info.st_size == 0 && existing) {
        return fail_empty(path, err);
    }
    if (info.st_size == 0 || fsattn_store_lock_exists(path)) {
        return FSATTN_OK;
    }
    unsigned char header[100] = {0};
    FSATTN_TRY(read_header(path, header, (int)sizeof header, err));
    const unsigned char *id = header + 68;
    uint32_t application = (uint32_t)id[0] << 24 | (uint32_t)id[1] << 16 | (uint32_t)id[2] << 8 | id[3];
    if (application == fsattn_store_application) {
        return FSATTN_OK;
    }
    if (!memcmp(header, "SQLite format 3", 16)) {
        return check_application(path, err);
    }
    fsattn_fail(err, FSATTN_INVALID, "%s: is not a store", path);
    fsattn_hint(err, "name another file for the store");
    return FSATTN_INVALID;
}

static fsattn_status make_folder(const char *path, fsattn_err *err) {
    const char *slash = strrchr(path, '/');
    if (!slash || slash == path) {
        return FSATTN_OK;
    }
    char *folder = fsattn_strndup(path, (size_t)(slash - path));
    if (!folder) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
    }
    fsattn_status status = fsattn_folder_make(folder, err);
    fsattn_free(folder);
    return status;
}

static fsattn_status connect_and_check(fsattn_store *store, int flags, int64_t busy_timeout_ms,
                                       fsattn_err *err) {
    FSATTN_TRY(fsattn_store_connect(store, flags, busy_timeout_ms, err));
    fsattn_status status;
    int64_t version;
    FSATTN_GOTO(fsattn_store_schema_check(store, &version, err));
    if (version == 0 && store->existing) {
        status = fail_empty(store->path, err);
        goto out;
    }
    FSATTN_GOTO(fsattn_store_structure_check(store, err));
    FSATTN_GOTO(fsattn_store_schema_compare(store, version, err));
    if (!store->read_only) {
        FSATTN_GOTO(fsattn_store_prepare(store, err));
    } else if (version < fsattn_store_version) {
        fsattn_fail(err, FSATTN_VERSION, "%s: has the older format version %lld", store->path,
                    (long long)version);
        fsattn_hint(err, "open it once for writing, it is migrated then (fsattn-cache gc --dry-run)");
        status = FSATTN_VERSION;
    }
out:
    if (status != FSATTN_OK) {
        fsattn_store_disconnect(store);
    }
    return status;
}

/* Opens for writing. Everything from creation to repair happens under one lock, so that any number of
 * processes may start at once on a store that does not exist yet. */
static fsattn_status open_writable(fsattn_store *store, int64_t busy_timeout_ms, fsattn_err *err) {
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
    int opening = -1;
    fsattn_err why = {0};
    FSATTN_TRY(make_folder(store->path, err));
    FSATTN_TRY(fsattn_store_lock_open(store->path, fsattn_store_lock_opening, false, true, &opening, err));
    fsattn_status status;
    FSATTN_GOTO(fsattn_store_lock_open(store->path, fsattn_store_lock_users, true, true, &store->users, err));
    status = connect_and_check(store, flags, busy_timeout_ms, &why);
    if (status == FSATTN_CORRUPT) {
        status = fsattn_store_lock_change(store->users, store->path, fsattn_store_lock_users, false, NULL);
        if (status == FSATTN_BUSY) {
            fsattn_fail(err, FSATTN_BUSY, "%s; it is damaged, but another process has it open", why.message);
            fsattn_hint(err, "end that process and try again: the database is then set aside and salvaged");
            goto out;
        }
        FSATTN_GOTO(fsattn_store_repair(store, &why, err));
        FSATTN_GOTO(fsattn_store_lock_change(store->users, store->path, fsattn_store_lock_users, true, err));
        status = connect_and_check(store, flags, busy_timeout_ms, &why);
    }
    if (status != FSATTN_OK && err) {
        *err = why;
    }
out:
    fsattn_store_lock_close(opening);
    return status;
}

/* Code objects in a store are run: nobody else may be able to write them. The descriptor is one that SQLite's locks do not
 * notice (closing another would drop them in this process). The journal and the lock file lie in the same folder, which the
 * rule covers. */
fsattn_status fsattn_store_trust(const char *path, fsattn_err *err) {
    const int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) {
        return FSATTN_OK; /* there is none yet */
    }
    const fsattn_status status = fsattn_file_trust(fd, path, err);
    close(fd);
    if (status == FSATTN_UNTRUSTED) {
        fsattn_hint(err, "its kernels would be run: take the right to write from others (chmod go-w), or export it to a cache file and import that");
    }
    return status;
}

/* On a medium that cannot be written nobody changes the store, and the files that reading it would make cannot be made. With a
 * log that was not written back it stays SQLite's to say what is missing. */
static bool is_immutable(const char *path) {
    fsattn_text name = {0};
    struct stat log;
    const char *slash = strrchr(path, '/');
    fsattn_text_printf(&name, "%.*s", slash ? (int)(slash - path) + 1 : 1, slash ? path : ".");
    bool writable = name.failed || access(name.data, W_OK) == 0;
    fsattn_text_clear(&name);
    fsattn_text_printf(&name, "%s-wal", path);
    bool closed = !name.failed && (stat(name.data, &log) || log.st_size == 0);
    fsattn_text_fini(&name);
    return !writable && closed;
}

fsattn_status fsattn_store_open(const char *path, const fsattn_store_options *options, fsattn_store **store,
                                fsattn_err *err) {
    static const fsattn_store_options defaults = {0};
    options = options ? options : &defaults;
    int64_t busy_timeout_ms = options->busy_timeout_ms ? options->busy_timeout_ms : busy_timeout_default_ms;
    fsattn_status status;
    fsattn_store *opened = fsattn_alloc(1, sizeof *opened);
    if (!opened || !(opened->path = fsattn_strdup(path))) {
        fsattn_free(opened);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
    }
    opened->users = -1;
    opened->read_only = options->read_only;
    opened->warn = options->warn;
    opened->warn_data = options->warn_data;
    opened->existing = options->read_only || options->existing;
    if (!path[0]) {
        status = fsattn_fail(err, FSATTN_INVALID, "the name of the store is empty");
        fsattn_hint(err, "name a file, or leave the option out for the default in the user's data folder");
        goto out;
    }
    if (opened->existing && !fsattn_file_exists(path)) {
        status = fsattn_fail(err, FSATTN_NOT_FOUND, "%s: there is no such store", path);
        fsattn_hint(err, "'fsattn-tune SPACE.yaml' makes the user's, or the one that --store names");
        goto out;
    }
    FSATTN_GOTO(fsattn_file_local(path, err));
    FSATTN_GOTO(check_identity(path, opened->existing, err));
    if (!options->read_only) {
        FSATTN_GOTO(fsattn_store_trust(path, err));
    }
    if (options->read_only) {
        opened->immutable = is_immutable(path);
        FSATTN_GOTO(connect_and_check(opened, SQLITE_OPEN_READONLY, busy_timeout_ms, err));
    } else {
        FSATTN_GOTO(open_writable(opened, busy_timeout_ms, err));
    }
    *store = opened;
    opened = NULL;
out:
    fsattn_store_close(opened);
    return status;
}

void fsattn_store_close(fsattn_store *store) {
    if (store) {
        fsattn_store_disconnect(store);
        fsattn_store_lock_close(store->users);
        fsattn_free(store->path);
        fsattn_free(store);
    }
}

fsattn_status fsattn_store_default_path(const char *name, char **path, fsattn_err *err) {
    char *folder;
    fsattn_text text = {0};
    FSATTN_TRY(fsattn_folder_user("data", &folder, err));
    fsattn_text_printf(&text, "%s/%s", folder, name);
    fsattn_free(folder);
    char *result = fsattn_text_take(&text);
    if (!result) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", name);
    }
    *path = result;
    return FSATTN_OK;
}
