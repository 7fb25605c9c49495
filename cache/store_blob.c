#include "store_row.h"

#include "error.h"

#include <string.h>

fsattn_status fsattn_store_has_blob(fsattn_store *store, const fsattn_hash *hash, bool *has,
                                    fsattn_err *err) {
    fsattn_store_query query;
    FSATTN_TRY(fsattn_store_query_init(&query, store, "SELECT 1 FROM blobs WHERE hash = ?", err));
    fsattn_store_bind_hash(&query, 0, hash);
    fsattn_status status = fsattn_store_query_step(&query, has, err);
    fsattn_store_query_fini(&query);
    return status;
}

fsattn_status fsattn_store_write_blob(fsattn_store *store, fsattn_blob *blob, int64_t *added,
                                      fsattn_err *err) {
    static const char sql[] =
        "INSERT INTO blobs(hash, data) VALUES(?, ?) ON CONFLICT(hash) DO UPDATE SET data = "
        "excluded.data WHERE data IS NOT excluded.data";
    if (blob->bytes == 0) {
        blob->hash = (fsattn_hash){{0}};
        return FSATTN_OK;
    }
    if (!blob->data) {
        return FSATTN_OK;
    }
    fsattn_store_query query;
    bool had = true;
    blob->hash = fsattn_hash_of(blob->data, blob->bytes);
    if (added) {
        FSATTN_TRY(fsattn_store_has_blob(store, &blob->hash, &had, err));
    }
    FSATTN_TRY(fsattn_store_query_init(&query, store, sql, err));
    fsattn_store_bind_hash(&query, 0, &blob->hash);
    fsattn_store_bind_bytes(&query, 1, blob->data, blob->bytes);
    fsattn_status status = fsattn_store_query_run(&query, err);
    fsattn_store_query_fini(&query);
    if (status == FSATTN_OK && added && !had) {
        ++*added;
    }
    return status;
}

fsattn_status fsattn_store_read_blob(fsattn_store *store, fsattn_arena *arena, const char *what,
                                     fsattn_blob *blob, fsattn_err *err) {
    if (blob->bytes == 0) {
        return FSATTN_OK;
    }
    fsattn_store_query query;
    fsattn_status status;
    bool row;
    char hex[fsattn_hash_hex_bytes];
    fsattn_hash_hex(&blob->hash, hex);
    FSATTN_TRY(fsattn_store_query_init(&query, store, "SELECT data FROM blobs WHERE hash = ?", err));
    fsattn_store_bind_hash(&query, 0, &blob->hash);
    FSATTN_GOTO(fsattn_store_query_step(&query, &row, err));
    if (!row) {
        status =
            fsattn_fail(err, FSATTN_NOT_FOUND, "%s: %s %.12s is not in the store", store->path, what, hex);
        goto out;
    }
    const void *data;
    size_t bytes;
    if (!fsattn_store_column_bytes(&query, 0, arena, &data, &bytes)) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", store->path);
        goto out;
    }
    fsattn_hash hash = fsattn_hash_of(data, bytes);
    if (bytes != blob->bytes || fsattn_hash_compare(&hash, &blob->hash)) {
        status =
            fsattn_fail(err, FSATTN_CORRUPT, "%s: %s %.12s does not fit its hash", store->path, what, hex);
        goto out;
    }
    blob->data = data;
out:
    fsattn_store_query_fini(&query);
    return status;
}

fsattn_status fsattn_store_blobs_load(fsattn_store *store, fsattn_arena *arena, fsattn_fsc_record *record,
                                      fsattn_err *err) {
    fsattn_stage *stages = fsattn_arena_alloc(arena, record->stage_count, sizeof *stages);
    fsattn_blob source = record->source;
    if (!stages) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", store->path);
    }
    for (size_t i = 0; i < record->stage_count; i++) {
        stages[i] = record->stages[i];
        FSATTN_TRY(fsattn_store_read_blob(store, arena, "code object", &stages[i].code, err));
        FSATTN_TRY(fsattn_store_read_blob(store, arena, "source", &stages[i].source, err));
    }
    FSATTN_TRY(fsattn_store_read_blob(store, arena, "source", &source, err));
    record->stages = stages;
    record->source = source;
    return FSATTN_OK;
}
