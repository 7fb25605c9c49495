#include "store_row.h"

#include "error.h"
#include "store_lock.h"
#include "text.h"

/* Reads the build of that key without its blobs; *found false when there is none or its row is damaged. */
static fsattn_status read_row(fsattn_store *store, const fsattn_hash *build_key, fsattn_arena *arena,
                              fsattn_store_build *build, bool *found, fsattn_err *err) {
    fsattn_store_query query = {0};
    fsattn_text sql = {0};
    fsattn_err why = {0};
    fsattn_status status;
    bool row;
    fsattn_text_printf(&sql, "%s WHERE build_key = ?", fsattn_store_select_build);
    if (sql.failed) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", store->path);
        goto out;
    }
    FSATTN_GOTO(fsattn_store_query_init(&query, store, sql.data, err));
    fsattn_store_bind_hash(&query, 0, build_key);
    FSATTN_GOTO(fsattn_store_query_step(&query, &row, err));
    *found = false;
    if (row) {
        status = fsattn_store_row_build(&query, arena, build, &why);
        *found = status == FSATTN_OK;
        if (status == FSATTN_CORRUPT) {
            fsattn_store_tell(store, status, "%s; it counts as absent", why.message);
            status = FSATTN_OK;
        } else if (status != FSATTN_OK && err) {
            *err = why;
        }
    }
out:
    fsattn_store_query_fini(&query);
    fsattn_text_fini(&sql);
    return status;
}

fsattn_status fsattn_store_build_find(fsattn_store *store, const fsattn_hash *build_key, fsattn_arena *arena,
                                      fsattn_store_build *build, bool *found, fsattn_err *err) {
    fsattn_store_build read;
    fsattn_err why = {0};
    bool have = false;
    FSATTN_TRY(read_row(store, build_key, arena, &read, &have, err));
    if (have) {
        fsattn_status status = fsattn_store_read_blob(store, arena, "code object", &read.code, &why);
        if (status == FSATTN_OK) {
            status = fsattn_store_read_blob(store, arena, "source", &read.source, &why);
        }
        if (status == FSATTN_CORRUPT || status == FSATTN_NOT_FOUND) {
            fsattn_store_tell(store, FSATTN_CORRUPT, "a build counts as absent: %s", why.message);
            have = false;
        } else if (status != FSATTN_OK) {
            if (err) {
                *err = why;
            }
            return status;
        }
    }
    if (have) {
        *build = read;
    }
    *found = have;
    return FSATTN_OK;
}

fsattn_status fsattn_store_build_begin(fsattn_store *store, const fsattn_hash *build_key, bool wait,
                                       fsattn_arena *arena, fsattn_store_build *build, bool *found,
                                       fsattn_store_claim *claim, fsattn_err *err) {
    bool have;
    int lock;
    *claim = (fsattn_store_claim){.lock = -1};
    FSATTN_TRY(fsattn_store_build_find(store, build_key, arena, build, &have, err));
    if (have) {
        *found = true;
        return FSATTN_OK;
    }
    fsattn_status status =
        fsattn_store_lock_open(store->path, fsattn_store_lock_claim(build_key), false, wait, &lock, err);
    if (status != FSATTN_OK) {
        return fsattn_context_add(err, status, "build claim");
    }
    /* Whoever held the claim may have stored the build between our look and our lock. */
    status = fsattn_store_build_find(store, build_key, arena, build, &have, err);
    if (status != FSATTN_OK || have) {
        fsattn_store_lock_close(lock);
    } else {
        claim->lock = lock;
    }
    if (status == FSATTN_OK) {
        *found = have;
    }
    return status;
}

fsattn_status fsattn_store_result_claim(fsattn_store *store, const fsattn_hash *result_key, fsattn_store_claim *claim,
                                        fsattn_err *err) {
    int lock;
    *claim = (fsattn_store_claim){.lock = -1};
    const fsattn_status status =
        fsattn_store_lock_open(store->path, fsattn_store_lock_claim(result_key), false, false, &lock, err);
    if (status != FSATTN_OK) {
        return fsattn_context_add(err, status, "result claim");
    }
    claim->lock = lock;
    return FSATTN_OK;
}

static fsattn_status check_build(const fsattn_store_build *build, fsattn_err *err) {
    static const bool possible[fsattn_verdict_count] = {[FSATTN_VERDICT_OK] = true,
                                                        [FSATTN_VERDICT_BUILD_FAILED] = true,
                                                        [FSATTN_VERDICT_CRASHED] = true,
                                                        [FSATTN_VERDICT_TIMEOUT] = true};
    if ((unsigned)build->verdict >= fsattn_verdict_count || !possible[build->verdict]) {
        return fsattn_fail(err, FSATTN_INVALID, "build.verdict: '%s' is none that a compilation has",
                           fsattn_verdict_text(build->verdict));
    }
    if ((build->code.bytes && !build->code.data) || (build->source.bytes && !build->source.data)) {
        return fsattn_fail(err, FSATTN_INVALID, "build: code or source has a length but no data");
    }
    if ((build->verdict == FSATTN_VERDICT_OK) != (build->code.bytes != 0)) {
        return fsattn_fail(err, FSATTN_INVALID, "build.code: %s",
                           build->code.bytes ? "of a failed build" : "is empty, but the verdict is ok");
    }
    return FSATTN_OK;
}

fsattn_status fsattn_store_build_finish(fsattn_store *store, fsattn_store_claim *claim,
                                        const fsattn_store_build *build, fsattn_err *err) {
    fsattn_store_build row = *build;
    fsattn_status status;
    if (claim->lock < 0) {
        return fsattn_fail(err, FSATTN_INVALID, "build: finished without a claim");
    }
    FSATTN_GOTO(check_build(build, err));
    row.recorded_ms = fsattn_store_now_ms();
    FSATTN_GOTO(fsattn_store_begin(store, err));
    status = fsattn_store_write_blob(store, &row.code, NULL, err);
    if (status == FSATTN_OK) {
        status = fsattn_store_write_blob(store, &row.source, NULL, err);
    }
    if (status == FSATTN_OK) {
        status = fsattn_store_write_build(store, &row, err);
    }
    status = fsattn_store_end(store, status, err);
out:
    fsattn_store_build_abandon(claim);
    return status;
}

void fsattn_store_build_abandon(fsattn_store_claim *claim) {
    fsattn_store_lock_close(claim->lock);
    claim->lock = -1;
}
