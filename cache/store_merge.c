#include "store_merge.h"

#include "error.h"
#include "store_open.h"
#include "store_row.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

fsattn_status fsattn_store_take_result(fsattn_store *store, const fsattn_store_result *result,
                                       fsattn_store_take rule, bool *taken, fsattn_store_changes *changes,
                                       fsattn_err *err) {
    fsattn_arena arena = {0};
    fsattn_store_result have;
    bool found;
    fsattn_status status;
    *taken = false;
    FSATTN_GOTO(fsattn_store_result_find(store, &result->record.result_key, &arena, &have, &found, err));
    bool better = found && have.record.unproven && !result->record.unproven;
    bool worse = found && !have.record.unproven && result->record.unproven;
    bool newer = found && rule == FSATTN_TAKE_NEWER && !worse && result->recorded_ms > have.recorded_ms;
    if (found && !better && !newer) {
        changes->results_kept++;
        goto out;
    }
    FSATTN_GOTO(fsattn_store_write_result(store, result, err));
    changes->results_added++;
    *taken = true;
out:
    fsattn_arena_fini(&arena);
    return status;
}

fsattn_status fsattn_store_take_build(fsattn_store *store, const fsattn_store_build *build,
                                      fsattn_store_changes *changes, fsattn_err *err) {
    fsattn_arena arena = {0};
    fsattn_store_build have, row = *build;
    bool found;
    fsattn_status status;
    FSATTN_GOTO(fsattn_store_build_find(store, &build->build_key, &arena, &have, &found, err));
    if (found && (have.verdict == FSATTN_VERDICT_OK || have.recorded_ms >= build->recorded_ms)) {
        goto out;
    }
    FSATTN_GOTO(fsattn_store_write_blob(store, &row.code, &changes->blobs_added, err));
    FSATTN_GOTO(fsattn_store_write_blob(store, &row.source, &changes->blobs_added, err));
    FSATTN_GOTO(fsattn_store_write_build(store, &row, err));
    changes->builds_added++;
out:
    fsattn_arena_fini(&arena);
    return status;
}

/* ---- everything of another store ---- */

/* Run numbers are each store's own. */
typedef struct run_pair {
    int64_t theirs, ours;
} run_pair;

typedef struct taking {
    fsattn_store *store, *from;
    fsattn_store_changes *changes;
    run_pair *runs;
    size_t run_count, run_capacity;
} taking;

/* Takes one row; FSATTN_CORRUPT or FSATTN_NOT_FOUND when it cannot be read or must not be believed. */
typedef fsattn_status take_row(taking *self, int64_t id, fsattn_err *err);

/* Puts the query on the row of that number. It is the caller's to end, also on failure. */
static fsattn_status find_row(fsattn_store *store, const char *select, int64_t id, fsattn_store_query *query,
                              fsattn_err *err) {
    fsattn_text sql = {0};
    bool row;
    fsattn_text_printf(&sql, "%s WHERE id = ?", select);
    fsattn_status status = sql.failed ? fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", store->path)
                                      : fsattn_store_query_init(query, store, sql.data, err);
    fsattn_text_fini(&sql);
    FSATTN_TRY(status);
    fsattn_store_bind_int(query, 0, id);
    FSATTN_TRY(fsattn_store_query_step(query, &row, err));
    return row ? FSATTN_OK : fsattn_fail(err, FSATTN_NOT_FOUND, "%s: no row %" PRId64, store->path, id);
}

static fsattn_status take_blob(taking *self, int64_t id, fsattn_err *err) {
    fsattn_store_query query = {0};
    fsattn_arena arena = {0};
    fsattn_blob blob = {0};
    fsattn_status status;
    FSATTN_GOTO(find_row(self->from, "SELECT hash, data FROM blobs", id, &query, err));
    fsattn_hash name = fsattn_store_column_hash(&query, 0);
    if (!fsattn_store_column_bytes(&query, 1, &arena, &blob.data, &blob.bytes)) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", self->store->path);
        goto out;
    }
    fsattn_hash hash = fsattn_hash_of(blob.data, blob.bytes);
    if (fsattn_hash_compare(&hash, &name)) {
        status = fsattn_fail(err, FSATTN_CORRUPT, "blob %" PRId64 ": does not fit its hash", id);
        goto out;
    }
    status = fsattn_store_write_blob(self->store, &blob, &self->changes->blobs_added, err);
out:
    fsattn_store_query_fini(&query);
    fsattn_arena_fini(&arena);
    return status;
}

static fsattn_status take_build(taking *self, int64_t id, fsattn_err *err) {
    fsattn_store_query query = {0};
    fsattn_arena arena = {0};
    fsattn_store_build build;
    bool has = true;
    fsattn_status status;
    FSATTN_GOTO(find_row(self->from, fsattn_store_select_build, id, &query, err));
    FSATTN_GOTO(fsattn_store_row_build(&query, &arena, &build, err));
    if (build.code.bytes) {
        FSATTN_GOTO(fsattn_store_has_blob(self->store, &build.code.hash, &has, err));
    }
    if (has && build.source.bytes) {
        FSATTN_GOTO(fsattn_store_has_blob(self->store, &build.source.hash, &has, err));
    }
    status = has ? fsattn_store_take_build(self->store, &build, self->changes, err)
                 : fsattn_fail(err, FSATTN_NOT_FOUND, "build %" PRId64 ": its code or source is missing", id);
out:
    fsattn_store_query_fini(&query);
    fsattn_arena_fini(&arena);
    return status;
}

/* A run of the same start is the same run; the one that knows its end stays. */
static fsattn_status write_run(taking *self, const fsattn_store_run *run, int64_t *ours, fsattn_err *err) {
    static const char sql[] =
        "SELECT id, finished_ms FROM runs WHERE space = ? AND command = ? AND machine = ? AND "
        "started_ms = ?";
    fsattn_store_query query;
    bool row;
    FSATTN_TRY(fsattn_store_query_init(&query, self->store, sql, err));
    fsattn_store_bind_text(&query, 0, run->space);
    fsattn_store_bind_text(&query, 1, run->command);
    fsattn_store_bind_text(&query, 2, run->machine);
    fsattn_store_bind_int(&query, 3, run->started_ms);
    fsattn_status status = fsattn_store_query_step(&query, &row, err);
    *ours = status == FSATTN_OK && row ? fsattn_store_column_int(&query, 0) : 0;
    bool known = *ours && fsattn_store_column_int(&query, 1) >= run->finished_ms;
    fsattn_store_query_fini(&query);
    FSATTN_TRY(status);
    return known ? FSATTN_OK : fsattn_store_write_run(self->store, ours, run, err);
}

static fsattn_status take_run(taking *self, int64_t id, fsattn_err *err) {
    fsattn_store_query query = {0};
    fsattn_arena arena = {0};
    fsattn_store_run run;
    run_pair pair;
    fsattn_status status;
    FSATTN_GOTO(find_row(self->from, fsattn_store_select_run, id, &query, err));
    FSATTN_GOTO(fsattn_store_row_run(&query, &arena, &pair.theirs, &run, err));
    FSATTN_GOTO(write_run(self, &run, &pair.ours, err));
    if (fsattn_grow((void **)&self->runs, &self->run_capacity, self->run_count, sizeof *self->runs)) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", self->store->path);
        goto out;
    }
    self->runs[self->run_count++] = pair;
out:
    fsattn_store_query_fini(&query);
    fsattn_arena_fini(&arena);
    return status;
}

static fsattn_status take_result(taking *self, int64_t id, fsattn_err *err) {
    fsattn_store_query query = {0};
    fsattn_arena arena = {0};
    fsattn_store_result result;
    bool taken;
    fsattn_status status;
    FSATTN_GOTO(find_row(self->from, fsattn_store_select_result, id, &query, err));
    FSATTN_GOTO(fsattn_store_row_result(&query, &arena, &result, err));
    int64_t theirs = result.run_id;
    result.run_id = 0;
    for (size_t i = 0; i < self->run_count; i++) {
        result.run_id = self->runs[i].theirs == theirs ? self->runs[i].ours : result.run_id;
    }
    status = fsattn_store_take_result(self->store, &result, FSATTN_TAKE_NEWER, &taken, self->changes, err);
out:
    fsattn_store_query_fini(&query);
    fsattn_arena_fini(&arena);
    return status;
}

/* What is referred to comes before what refers to it. */
static const struct {
    const char *table;
    take_row *take;
} tables[] = {{"blobs", take_blob}, {"builds", take_build}, {"runs", take_run}, {"results", take_result}};

/* Appends the row numbers that a scan gives, as far as it gets. */
static fsattn_status scan_ids(fsattn_store *from, const char *table, const char *direction,
                              fsattn_store_ids *ids, fsattn_err *err) {
    char sql[128];
    fsattn_store_query query = {0};
    /* NOT INDEXED: the table alone is asked, a damaged index does not matter. */
    snprintf(sql, sizeof sql, "SELECT id FROM %s NOT INDEXED ORDER BY id %s", table, direction);
    fsattn_status status = fsattn_store_query_init(&query, from, sql, err);
    if (status == FSATTN_OK) {
        status = fsattn_store_query_ids(&query, ids, err);
    }
    fsattn_store_query_fini(&query);
    return status;
}

/* Row numbers of a damaged table: from both ends, as far as the scans get; even the table may be missing. */
static fsattn_status salvage_ids(fsattn_store *from, const char *table, fsattn_store_ids *ids,
                                 fsattn_err *err) {
    fsattn_status status = scan_ids(from, table, "ASC", ids, err);
    if (status != FSATTN_OK && status != FSATTN_NO_MEMORY) {
        status = scan_ids(from, table, "DESC", ids, err);
    }
    return status == FSATTN_NO_MEMORY ? status : FSATTN_OK;
}

/* Whether a row that failed so is left out and the walk goes on. A damaged schema makes any question an
 * error. */
static bool is_skipped(fsattn_status status, bool salvage) {
    return status == FSATTN_CORRUPT || status == FSATTN_NOT_FOUND || (salvage && status == FSATTN_INTERNAL);
}

static fsattn_status take_table(taking *self, size_t table, bool salvage, fsattn_err *err) {
    fsattn_store_ids ids = {0};
    fsattn_status status;
    if (salvage) {
        FSATTN_GOTO(salvage_ids(self->from, tables[table].table, &ids, err));
    } else {
        FSATTN_GOTO(scan_ids(self->from, tables[table].table, "ASC", &ids, err));
    }
    for (size_t i = 0; i < ids.count; i++) {
        fsattn_err why = {0};
        status = tables[table].take(self, ids.ids[i], &why);
        if (is_skipped(status, salvage)) {
            if (!salvage) {
                fsattn_store_tell(self->from, FSATTN_CORRUPT, "%s; it is left out", why.message);
            }
            status = FSATTN_OK;
        } else if (status != FSATTN_OK) {
            if (err) {
                *err = why;
            }
            goto out;
        }
    }
out:
    fsattn_free(ids.ids);
    return status;
}

fsattn_status fsattn_store_take_all(fsattn_store *store, fsattn_store *from, bool salvage,
                                    fsattn_store_changes *changes, fsattn_err *err) {
    fsattn_store_changes counted = {0};
    taking self = {.store = store, .from = from, .changes = &counted};
    fsattn_status status = FSATTN_OK;
    FSATTN_TRY(fsattn_store_begin(store, err));
    for (size_t i = 0; status == FSATTN_OK && i < sizeof tables / sizeof tables[0]; i++) {
        status = take_table(&self, i, salvage, err);
    }
    status = fsattn_store_end(store, status, err);
    if (status == FSATTN_OK) {
        *changes = counted;
    }
    fsattn_free(self.runs);
    return status;
}

fsattn_status fsattn_store_merge(fsattn_store *store, fsattn_store *from, fsattn_store_changes *changes,
                                 fsattn_err *err) {
    struct stat a, b;
    if (!stat(store->path, &a) && !stat(from->path, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino) {
        return fsattn_fail(err, FSATTN_INVALID, "%s: cannot be merged into itself", store->path);
    }
    FSATTN_TRY(fsattn_store_trust(from->path, err));
    return fsattn_store_take_all(store, from, false, changes, err);
}
