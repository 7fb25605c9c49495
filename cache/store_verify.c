#include "store_row.h"

#include "error.h"
#include "store_select.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Reads one row with everything that belongs to it; FSATTN_CORRUPT or FSATTN_NOT_FOUND is a defect. */
typedef fsattn_status check_row(fsattn_store *store, const fsattn_store_query *query, fsattn_arena *arena,
                                fsattn_err *err);

static fsattn_status check_blob(fsattn_store *store, const fsattn_store_query *query, fsattn_arena *arena,
                                fsattn_err *err) {
    const void *data;
    size_t bytes;
    fsattn_hash name = fsattn_store_column_hash(query, 1);
    if (!fsattn_store_column_bytes(query, 2, arena, &data, &bytes)) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", store->path);
    }
    fsattn_hash hash = fsattn_hash_of(data, bytes);
    return fsattn_hash_compare(&hash, &name)
               ? fsattn_fail(err, FSATTN_CORRUPT, "blob %" PRId64 ": does not fit its hash",
                             fsattn_store_column_int(query, 0))
               : FSATTN_OK;
}

static fsattn_status check_reference(fsattn_store *store, const char *what, const fsattn_blob *blob,
                                     fsattn_err *err) {
    bool has = true;
    if (blob->bytes) {
        FSATTN_TRY(fsattn_store_has_blob(store, &blob->hash, &has, err));
    }
    return has ? FSATTN_OK : fsattn_fail(err, FSATTN_NOT_FOUND, "its %s is missing", what);
}

static fsattn_status check_build(fsattn_store *store, const fsattn_store_query *query, fsattn_arena *arena,
                                 fsattn_err *err) {
    fsattn_store_build build;
    FSATTN_TRY(fsattn_store_row_build(query, arena, &build, err));
    fsattn_status status = check_reference(store, "code object", &build.code, err);
    status = status == FSATTN_OK ? check_reference(store, "source", &build.source, err) : status;
    return fsattn_context_add(err, status, "build %" PRId64, fsattn_store_column_int(query, 0));
}

static fsattn_status check_run(fsattn_store *store, const fsattn_store_query *query, fsattn_arena *arena,
                               fsattn_err *err) {
    fsattn_store_run run;
    int64_t id;
    (void)store;
    return fsattn_store_row_run(query, arena, &id, &run, err);
}

static fsattn_status check_result(fsattn_store *store, const fsattn_store_query *query, fsattn_arena *arena,
                                  fsattn_err *err) {
    fsattn_store_result result;
    (void)store;
    return fsattn_store_row_result(query, arena, &result, err);
}

static const struct {
    const char *select;
    check_row *check;
} tables[] = {{"SELECT id, hash, data FROM blobs", check_blob},
              {fsattn_store_select_build, check_build},
              {fsattn_store_select_run, check_run},
              {fsattn_store_select_result, check_result}};

/* Steps the query. A broken page ends the walk and is a defect like others. */
static fsattn_status next_row(fsattn_store_query *query, bool *row, int64_t *defects, fsattn_err *err) {
    fsattn_err why = {0};
    fsattn_status status = fsattn_store_query_step(query, row, &why);
    if (status == FSATTN_CORRUPT) {
        ++*defects;
        fsattn_store_tell(query->store, status, "%s", why.message);
        *row = false;
        return FSATTN_OK;
    }
    if (status != FSATTN_OK && err) {
        *err = why;
    }
    return status;
}

static fsattn_status check_table(fsattn_store *store, size_t table, int64_t *rows, int64_t *defects,
                                 fsattn_err *err) {
    fsattn_store_query query;
    FSATTN_TRY(fsattn_store_query_init(&query, store, tables[table].select, err));
    fsattn_status status;
    for (;;) {
        fsattn_arena arena = {0};
        fsattn_err why = {0};
        bool row;
        FSATTN_GOTO(next_row(&query, &row, defects, err));
        if (!row) {
            break;
        }
        ++*rows;
        status = tables[table].check(store, &query, &arena, &why);
        fsattn_arena_fini(&arena);
        if (status == FSATTN_CORRUPT || status == FSATTN_NOT_FOUND) {
            ++*defects;
            fsattn_store_tell(store, FSATTN_CORRUPT, "%s", why.message);
        } else if (status != FSATTN_OK) {
            if (err) {
                *err = why;
            }
            goto out;
        }
    }
    status = FSATTN_OK;
out:
    fsattn_store_query_fini(&query);
    return status;
}

static fsattn_status check_structure(fsattn_store *store, int64_t *defects, fsattn_err *err) {
    fsattn_store_query query;
    bool row = true;
    FSATTN_TRY(fsattn_store_query_init(&query, store, "PRAGMA integrity_check", err));
    fsattn_status status;
    for (;;) {
        FSATTN_GOTO(next_row(&query, &row, defects, err));
        const char *finding = row ? (const char *)sqlite3_column_text(query.statement, 0) : NULL;
        if (!row) {
            break;
        }
        if (!finding || strcmp(finding, "ok")) {
            ++*defects;
            fsattn_store_tell(store, FSATTN_CORRUPT, "%s", finding ? finding : "integrity_check failed");
        }
    }
out:
    fsattn_store_query_fini(&query);
    return status;
}

/* What would be exported must have its code. */
static fsattn_status check_winners(fsattn_store *store, int64_t *defects, fsattn_err *err) {
    fsattn_store_selection selection;
    fsattn_store muted = *store; /* damaged rows have been told already */
    muted.warn = NULL;
    FSATTN_TRY(
        fsattn_store_select_init(&selection, &muted, &(fsattn_store_export_options){.unproven = true}, err));
    fsattn_status status = FSATTN_OK;
    for (size_t i = 0; status == FSATTN_OK && i < selection.count; i++) {
        const fsattn_store_candidate *candidate = &selection.candidates[i];
        const fsattn_fsc_record *record = &candidate->result.record;
        fsattn_err why = {0};
        for (size_t s = 0; (candidate->winner || candidate->is_default) && s < record->stage_count; s++) {
            status = check_reference(store, "code object", &record->stages[s].code, &why);
            if (status == FSATTN_OK) {
                status = check_reference(store, "source", &record->stages[s].source, &why);
            }
            if (status == FSATTN_NOT_FOUND) {
                ++*defects;
                fsattn_store_tell(store, FSATTN_CORRUPT, "a winner (%s, %s): %s", record->problem_text,
                                  record->configuration, why.message);
                status = FSATTN_OK;
            } else if (status != FSATTN_OK && err) {
                *err = why;
            }
        }
    }
    fsattn_store_select_fini(&selection);
    return status;
}

fsattn_status fsattn_store_verify(fsattn_store *store, int64_t *rows, int64_t *defects, fsattn_err *err) {
    int64_t row_count = 0, defect_count = 0;
    FSATTN_TRY(check_structure(store, &defect_count, err));
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        FSATTN_TRY(check_table(store, i, &row_count, &defect_count, err));
    }
    FSATTN_TRY(check_winners(store, &defect_count, err));
    *rows = row_count;
    *defects = defect_count;
    return FSATTN_OK;
}
