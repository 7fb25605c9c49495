/* store_row.h - rows of tune.db as C structs and back, with their hashes. Internal to fsattn_store.
 *
 * A reading function returns FSATTN_CORRUPT, with the reason, for a row that does not fit its hash or whose
 * searchable columns contradict its content; the caller tells `warn` and goes on as if the row were not
 * there.
 */
#ifndef FSATTN_STORE_ROW_H
#define FSATTN_STORE_ROW_H

#include "store_query.h"

/* "SELECT id, ... FROM results " and so on: what the reading functions expect, to be followed by a WHERE. */
extern const char fsattn_store_select_result[];
extern const char fsattn_store_select_build[];
extern const char fsattn_store_select_run[];

/* Read the row that the query stands on. */
fsattn_status fsattn_store_row_result(const fsattn_store_query *query, fsattn_arena *arena,
                                      fsattn_store_result *result, fsattn_err *err);
fsattn_status fsattn_store_row_build(const fsattn_store_query *query, fsattn_arena *arena,
                                     fsattn_store_build *build, fsattn_err *err);
fsattn_status fsattn_store_row_run(const fsattn_store_query *query, fsattn_arena *arena, int64_t *id,
                                   fsattn_store_run *run, fsattn_err *err);

/* Write one row within the caller's transaction, replacing one of the same key. Times and hashes of blobs are
 * written as given. */
fsattn_status fsattn_store_write_result(fsattn_store *store, const fsattn_store_result *result,
                                        fsattn_err *err);
fsattn_status fsattn_store_write_build(fsattn_store *store, const fsattn_store_build *build, fsattn_err *err);
/* *id 0: a new row, and *id becomes its number. */
fsattn_status fsattn_store_write_run(fsattn_store *store, int64_t *id, const fsattn_store_run *run,
                                     fsattn_err *err);
/* Writes a blob that has data; one of the same hash stays, and is put right when its bytes had changed. Sets
 * its hash. *added (nullable) is increased when it was not there. */
fsattn_status fsattn_store_write_blob(fsattn_store *store, fsattn_blob *blob, int64_t *added,
                                      fsattn_err *err);

/* The one result of that row number, or *found false when it is gone or damaged (told to `warn`). */
fsattn_status fsattn_store_result_at(fsattn_store *store, int64_t id, fsattn_arena *arena,
                                     fsattn_store_result *result, bool *found, fsattn_err *err);
/* Row numbers of the results that the filter lets through, in the order of fsattn_store_results_each. */
fsattn_status fsattn_store_result_ids(fsattn_store *store, const fsattn_store_filter *filter,
                                      fsattn_store_ids *ids, fsattn_err *err);

/* Loads a blob by hash and length. FSATTN_NOT_FOUND, FSATTN_CORRUPT (its bytes do not fit); `what` names it.
 */
fsattn_status fsattn_store_read_blob(fsattn_store *store, fsattn_arena *arena, const char *what,
                                     fsattn_blob *blob, fsattn_err *err);
fsattn_status fsattn_store_has_blob(fsattn_store *store, const fsattn_hash *hash, bool *has, fsattn_err *err);
/* Now, in milliseconds of Unix time. */
int64_t fsattn_store_now_ms(void);

#endif
