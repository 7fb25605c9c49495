#include "store_merge.h"

#include "error.h"
#include "store_row.h"

/* The default's result is exported twice when it also won; its role in the store is DEFAULT. */
static bool stands_as_default(const fsattn_fsc *fsc, const fsattn_fsc_record *record) {
    size_t first, count = fsattn_fsc_find(fsc, &record->serving_key, &first);
    for (size_t i = first; i < first + count; i++) {
        const fsattn_fsc_record *other = fsattn_fsc_at(fsc, i);
        if (other != record && other->role == FSATTN_ROLE_DEFAULT &&
            !fsattn_hash_compare(&other->result_key, &record->result_key)) {
            return true;
        }
    }
    return false;
}

static fsattn_status import_blob(fsattn_store *store, fsattn_blob blob, fsattn_store_changes *changes,
                                 fsattn_err *err) {
    return fsattn_store_write_blob(store, &blob, &changes->blobs_added, err);
}

/* A build of a trusted file saves compiling it; code from anywhere else is never taken for something built
 * here. */
static fsattn_status import_build(fsattn_store *store, const fsattn_fsc_record *record,
                                  fsattn_store_changes *changes, fsattn_err *err) {
    if (record->stage_count != 1) {
        return FSATTN_OK;
    }
    fsattn_store_build build = {.build_key = record->build_key,
                                .verdict = FSATTN_VERDICT_OK,
                                .log = "imported",
                                .compiler = record->compiler,
                                .options = record->options,
                                .source = record->source,
                                .code = record->stages[0].code,
                                .recorded_ms = fsattn_store_now_ms()};
    return fsattn_store_take_build(store, &build, changes, err);
}

static fsattn_status import_record(fsattn_store *store, const fsattn_fsc_record *record, bool proven,
                                   fsattn_store_changes *changes, fsattn_err *err) {
    fsattn_store_result result = {
        .record = *record, .verdict = FSATTN_VERDICT_OK, .reason = "", .recorded_ms = fsattn_store_now_ms()};
    result.record.unproven = record->unproven || !proven;
    if (!fsattn_fsc_accuracy(record, "normal")) {
        fsattn_store_tell(store, FSATTN_INVALID,
                          "a record is not imported: it has no accuracy for 'normal' (%s, %s)",
                          record->problem_text, record->configuration);
        return FSATTN_OK;
    }
    bool taken;
    FSATTN_TRY(fsattn_store_take_result(store, &result, FSATTN_TAKE_IMPORTED, &taken, changes, err));
    if (!taken) {
        return FSATTN_OK;
    }
    FSATTN_TRY(import_blob(store, record->source, changes, err));
    for (size_t i = 0; i < record->stage_count; i++) {
        FSATTN_TRY(import_blob(store, record->stages[i].code, changes, err));
        FSATTN_TRY(import_blob(store, record->stages[i].source, changes, err));
    }
    return result.record.unproven ? FSATTN_OK : import_build(store, record, changes, err);
}

fsattn_status fsattn_store_import(fsattn_store *store, const fsattn_fsc *fsc, bool proven,
                                  fsattn_store_changes *changes, fsattn_err *err) {
    fsattn_store_changes counted = {0};
    fsattn_status status = FSATTN_OK;
    FSATTN_TRY(fsattn_store_begin(store, err));
    for (size_t i = 0; status == FSATTN_OK && i < fsattn_fsc_count(fsc); i++) {
        const fsattn_fsc_record *record = fsattn_fsc_at(fsc, i);
        if (!stands_as_default(fsc, record)) {
            status = import_record(store, record, proven, &counted, err);
        }
    }
    status = fsattn_store_end(store, status, err);
    if (status == FSATTN_OK) {
        *changes = counted;
    }
    return status;
}
