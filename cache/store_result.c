#include "store_row.h"

#include "error.h"
#include "text.h"

#include <inttypes.h>
#include <string.h>

/* ---- runs ---- */

fsattn_status fsattn_store_run_begin(fsattn_store *store, const fsattn_store_run *run, int64_t *run_id,
                                     fsattn_err *err) {
    fsattn_store_run row = *run;
    int64_t id = 0;
    row.outcome = "";
    row.started_ms = fsattn_store_now_ms();
    row.finished_ms = 0;
    FSATTN_TRY(fsattn_store_begin(store, err));
    fsattn_status status = fsattn_store_end(store, fsattn_store_write_run(store, &id, &row, err), err);
    if (status == FSATTN_OK) {
        *run_id = id;
    }
    return status;
}

fsattn_status fsattn_store_run_finish(fsattn_store *store, int64_t run_id, const char *outcome,
                                      fsattn_err *err) {
    fsattn_store_query query = {0};
    fsattn_arena arena = {0};
    fsattn_text sql = {0};
    fsattn_store_run run;
    bool row;
    fsattn_status status;
    FSATTN_TRY(fsattn_store_begin(store, err));
    fsattn_text_printf(&sql, "%s WHERE id = ?", fsattn_store_select_run);
    if (sql.failed) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", store->path);
        goto out;
    }
    FSATTN_GOTO(fsattn_store_query_init(&query, store, sql.data, err));
    fsattn_store_bind_int(&query, 0, run_id);
    FSATTN_GOTO(fsattn_store_query_step(&query, &row, err));
    if (!row) {
        status = fsattn_fail(err, FSATTN_NOT_FOUND, "%s: there is no run %" PRId64, store->path, run_id);
        goto out;
    }
    FSATTN_GOTO(fsattn_store_row_run(&query, &arena, &run_id, &run, err));
    fsattn_store_query_fini(&query);
    run.outcome = outcome;
    run.finished_ms = fsattn_store_now_ms();
    status = fsattn_store_write_run(store, &run_id, &run, err);
out:
    fsattn_store_query_fini(&query);
    status = fsattn_store_end(store, status, err);
    fsattn_arena_fini(&arena);
    fsattn_text_fini(&sql);
    return status;
}

/* ---- results ---- */

static fsattn_status check_exportable(const fsattn_store_result *result, fsattn_err *err) {
    FSATTN_TRY(fsattn_fsc_record_check(&result->record, err));
    if (!fsattn_fsc_accuracy(&result->record, "normal")) {
        return fsattn_fail(err, FSATTN_INVALID, "record.accuracies: there is none for 'normal'");
    }
    return FSATTN_OK;
}

static fsattn_status check_result(const fsattn_store_result *result, fsattn_err *err) {
    static const fsattn_hash zero = {{0}};
    if ((unsigned)result->verdict >= fsattn_verdict_count) {
        return fsattn_fail(err, FSATTN_INVALID, "result.verdict: unknown value %u",
                           (unsigned)result->verdict);
    }
    if (!fsattn_hash_compare(&result->record.result_key, &zero)) {
        return fsattn_fail(err, FSATTN_INVALID, "record.result_key: is not set");
    }
    return result->verdict == FSATTN_VERDICT_OK ? check_exportable(result, err) : FSATTN_OK;
}

/* Stores a blob that has data; one without must be there already when the result is OK. */
static fsattn_status put_blob(fsattn_store *store, const char *field, fsattn_blob blob, bool needed,
                              fsattn_err *err) {
    bool has = true;
    FSATTN_TRY(fsattn_store_write_blob(store, &blob, NULL, err));
    if (needed && blob.bytes && !blob.data) {
        FSATTN_TRY(fsattn_store_has_blob(store, &blob.hash, &has, err));
    }
    return has ? FSATTN_OK
               : fsattn_fail(err, FSATTN_INVALID, "record.%s: has neither data nor an entry in the store",
                             field);
}

static fsattn_status put(fsattn_store *store, const fsattn_store_result *result, fsattn_err *err) {
    bool ok = result->verdict == FSATTN_VERDICT_OK;
    FSATTN_TRY(put_blob(store, "source", result->record.source, ok, err));
    for (size_t i = 0; i < result->record.stage_count; i++) {
        FSATTN_TRY(put_blob(store, "stages.code", result->record.stages[i].code, ok, err));
        FSATTN_TRY(put_blob(store, "stages.source", result->record.stages[i].source, ok, err));
    }
    return fsattn_store_write_result(store, result, err);
}

fsattn_status fsattn_store_result_put(fsattn_store *store, const fsattn_store_result *result,
                                      fsattn_err *err) {
    fsattn_store_result row = *result;
    FSATTN_TRY(check_result(result, err));
    if (row.recorded_ms == 0) {
        row.recorded_ms = fsattn_store_now_ms();
    }
    FSATTN_TRY(fsattn_store_begin(store, err));
    return fsattn_store_end(store, put(store, &row, err), err);
}

fsattn_status fsattn_store_result_find(fsattn_store *store, const fsattn_hash *result_key,
                                       fsattn_arena *arena, fsattn_store_result *result, bool *found,
                                       fsattn_err *err) {
    fsattn_store_query query;
    bool row;
    FSATTN_TRY(fsattn_store_query_init(&query, store, "SELECT id FROM results WHERE result_key = ?", err));
    fsattn_store_bind_hash(&query, 0, result_key);
    fsattn_status status = fsattn_store_query_step(&query, &row, err);
    int64_t id = status == FSATTN_OK && row ? fsattn_store_column_int(&query, 0) : 0;
    fsattn_store_query_fini(&query);
    FSATTN_TRY(status);
    if (!row) {
        *found = false;
        return FSATTN_OK;
    }
    return fsattn_store_result_at(store, id, arena, result, found, err);
}

fsattn_status fsattn_store_results_each(fsattn_store *store, const fsattn_store_filter *filter,
                                        fsattn_store_visit *visit, void *data, fsattn_err *err) {
    fsattn_store_ids ids = {0};
    fsattn_status status;
    FSATTN_GOTO(fsattn_store_result_ids(store, filter, &ids, err));
    for (size_t i = 0; i < ids.count; i++) {
        fsattn_arena arena = {0};
        fsattn_store_result result;
        bool found;
        status = fsattn_store_result_at(store, ids.ids[i], &arena, &result, &found, err);
        if (status == FSATTN_OK && found) {
            status = visit(data, &result, err);
        }
        fsattn_arena_fini(&arena);
        if (status != FSATTN_OK) {
            goto out;
        }
    }
out:
    fsattn_free(ids.ids);
    return status;
}

static fsattn_status count_verdict(void *data, const fsattn_store_result *result, fsattn_err *err) {
    int64_t *counts = data;
    (void)err;
    counts[result->verdict]++;
    return FSATTN_OK;
}

fsattn_status fsattn_store_results_count(fsattn_store *store, const fsattn_store_filter *filter,
                                         int64_t counts[fsattn_verdict_count], fsattn_err *err) {
    int64_t counted[fsattn_verdict_count] = {0};
    FSATTN_TRY(fsattn_store_results_each(store, filter, count_verdict, counted, err));
    memcpy(counts, counted, sizeof counted);
    return FSATTN_OK;
}
