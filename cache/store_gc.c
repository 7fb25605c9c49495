#include "store_row.h"

#include "error.h"
#include "store_select.h"
#include "text.h"

#include <stdio.h>

static fsattn_status insert_hash(fsattn_store *store, const char *sql, const fsattn_hash *hash,
                                 fsattn_err *err) {
    fsattn_store_query query;
    FSATTN_TRY(fsattn_store_query_init(&query, store, sql, err));
    fsattn_store_bind_hash(&query, 0, hash);
    fsattn_status status = fsattn_store_query_run(&query, err);
    fsattn_store_query_fini(&query);
    return status;
}

static fsattn_status keep_record(fsattn_store *store, const fsattn_fsc_record *record, fsattn_err *err) {
    static const char blob[] = "INSERT OR IGNORE INTO temp.kept_blobs VALUES(?)";
    FSATTN_TRY(
        insert_hash(store, "INSERT OR IGNORE INTO temp.kept_builds VALUES(?)", &record->build_key, err));
    FSATTN_TRY(insert_hash(store, blob, &record->source.hash, err));
    for (size_t i = 0; i < record->stage_count; i++) {
        FSATTN_TRY(insert_hash(store, blob, &record->stages[i].code.hash, err));
        FSATTN_TRY(insert_hash(store, blob, &record->stages[i].source.hash, err));
    }
    return FSATTN_OK;
}

/* Notes what the winners and defaults of either kind of export need. */
static fsattn_status keep_winners(fsattn_store *store, bool unproven, fsattn_err *err) {
    fsattn_store_export_options options = {.unproven = unproven};
    fsattn_store_selection selection;
    FSATTN_TRY(fsattn_store_select_init(&selection, store, &options, err));
    fsattn_status status = FSATTN_OK;
    for (size_t i = 0; status == FSATTN_OK && i < selection.count; i++) {
        const fsattn_store_candidate *candidate = &selection.candidates[i];
        if (candidate->winner || candidate->is_default) {
            status = keep_record(store, &candidate->result.record, err);
        }
    }
    fsattn_store_select_fini(&selection);
    return status;
}

static fsattn_status delete_rows(fsattn_store *store, const char *sql, int64_t parameter, int64_t *deleted,
                                 fsattn_err *err) {
    fsattn_store_query query;
    FSATTN_TRY(fsattn_store_query_init(&query, store, sql, err));
    if (sqlite3_bind_parameter_count(query.statement)) {
        fsattn_store_bind_int(&query, 0, parameter);
    }
    fsattn_status status = fsattn_store_query_run(&query, err);
    if (status == FSATTN_OK) {
        *deleted += sqlite3_changes64(store->db);
    }
    fsattn_store_query_fini(&query);
    return status;
}

/* Failed builds keep their row, which says that compiling is in vain, but not their source. */
static fsattn_status drop_failed_sources(fsattn_store *store, fsattn_err *err) {
    fsattn_store_ids ids = {0};
    fsattn_store_query query = {0};
    fsattn_arena arena = {0};
    fsattn_text sql = {0};
    fsattn_status status;
    fsattn_text_printf(&sql, "%s WHERE id = ?", fsattn_store_select_build);
    FSATTN_GOTO(fsattn_store_query_init(
        &query, store,
        "SELECT id FROM builds WHERE verdict <> ?1 AND source_bytes <> 0 AND build_key IN (SELECT "
        "build_key FROM results)",
        err));
    fsattn_store_bind_int(&query, 0, FSATTN_VERDICT_OK);
    FSATTN_GOTO(fsattn_store_query_ids(&query, &ids, err));
    for (size_t i = 0; i < ids.count; i++) {
        fsattn_store_build build;
        bool row;
        fsattn_store_query_fini(&query);
        FSATTN_GOTO(fsattn_store_query_init(&query, store, sql.failed ? "" : sql.data, err));
        fsattn_store_bind_int(&query, 0, ids.ids[i]);
        FSATTN_GOTO(fsattn_store_query_step(&query, &row, err));
        if (row && fsattn_store_row_build(&query, &arena, &build, NULL) == FSATTN_OK) {
            fsattn_store_query_fini(&query);
            build.source = (fsattn_blob){0};
            FSATTN_GOTO(fsattn_store_write_build(store, &build, err));
        }
    }
out:
    fsattn_store_query_fini(&query);
    fsattn_arena_fini(&arena);
    fsattn_text_fini(&sql);
    fsattn_free(ids.ids);
    return status;
}

#define UNREFERENCED                                                                                         \
    " FROM blobs WHERE hash NOT IN (SELECT hash FROM temp.kept_blobs) AND hash NOT IN (SELECT source_hash "  \
    "FROM "                                                                                                  \
    "builds) AND hash NOT IN (SELECT code_hash FROM builds)"

static fsattn_status collect(fsattn_store *store, const fsattn_store_gc_options *options,
                             fsattn_store_changes *changes, fsattn_err *err) {
    FSATTN_TRY(fsattn_store_exec(store,
                                 "CREATE TEMP TABLE kept_blobs(hash BLOB PRIMARY KEY);"
                                 "CREATE TEMP TABLE kept_builds(build_key BLOB PRIMARY KEY)",
                                 err));
    char failed_results[128], failed_builds[128], losers[256];
    snprintf(failed_results, sizeof failed_results,
             "DELETE FROM results WHERE verdict <> %d AND recorded_ms < ?", FSATTN_VERDICT_OK);
    snprintf(failed_builds, sizeof failed_builds,
             "DELETE FROM builds WHERE verdict <> %d AND recorded_ms < ?", FSATTN_VERDICT_OK);
    /* A build without any result is one that a run has not come to yet. */
    snprintf(losers, sizeof losers,
             "DELETE FROM builds WHERE verdict = %d AND build_key IN (SELECT build_key FROM results) AND "
             "build_key NOT "
             "IN (SELECT build_key FROM temp.kept_builds)",
             FSATTN_VERDICT_OK);
    if (options->keep_days >= 0) {
        int64_t limit = fsattn_store_now_ms() - options->keep_days * 24 * 60 * 60 * 1000;
        FSATTN_TRY(delete_rows(store, failed_results, limit, &changes->results_removed, err));
        FSATTN_TRY(delete_rows(store, failed_builds, limit, &changes->builds_removed, err));
    }
    FSATTN_TRY(keep_winners(store, false, err));
    FSATTN_TRY(keep_winners(store, true, err));
    FSATTN_TRY(delete_rows(store, losers, 0, &changes->builds_removed, err));
    FSATTN_TRY(drop_failed_sources(store, err));
    FSATTN_TRY(fsattn_store_int(store, "SELECT coalesce(sum(length(data)), 0)" UNREFERENCED,
                                &changes->bytes_freed, err));
    return delete_rows(store, "DELETE" UNREFERENCED, 0, &changes->blobs_removed, err);
}

fsattn_status fsattn_store_gc(fsattn_store *store, const fsattn_store_gc_options *options,
                              fsattn_store_changes *changes, fsattn_err *err) {
    fsattn_store_changes counted = {0};
    if (options->keep_days > 100 * 365) {
        return fsattn_fail(err, FSATTN_INVALID, "gc: expected at most %d days", 100 * 365);
    }
    FSATTN_TRY(fsattn_store_begin(store, err));
    fsattn_status status = collect(store, options, &counted, err);
    /* A dry run does everything and takes it back, so that its counts are those of the real one. */
    if (status == FSATTN_OK && options->dry_run) {
        status = fsattn_store_exec(store, "ROLLBACK", err);
    } else {
        status = fsattn_store_end(store,
                                  status == FSATTN_OK ? fsattn_store_exec(store,
                                                                          "DROP TABLE temp.kept_blobs; DROP "
                                                                          "TABLE temp.kept_builds",
                                                                          err)
                                                      : status,
                                  err);
    }
    FSATTN_TRY(status);
    if (!options->dry_run && counted.blobs_removed) {
        /* Gives the space back; with other users at work it is only reused. */
        fsattn_store_exec(store, "VACUUM; PRAGMA wal_checkpoint(TRUNCATE)", NULL);
    }
    *changes = counted;
    return FSATTN_OK;
}
