/* store_merge.h - taking in what another file or store has, row by row. Internal to fsattn_store.
 *
 * All but fsattn_store_take_all runs within the caller's transaction.
 */
#ifndef FSATTN_STORE_MERGE_H
#define FSATTN_STORE_MERGE_H

#include "store_query.h"

/* When a row replaces one of the same key. */
typedef enum fsattn_store_take {
    FSATTN_TAKE_IMPORTED, /* never, except proven for unproven */
    FSATTN_TAKE_NEWER,    /* when newer; proven always beats unproven */
} fsattn_store_take;

/* Writes the result (not its blobs) when it is missing here or replaces what is here. */
fsattn_status fsattn_store_take_result(fsattn_store *store, const fsattn_store_result *result,
                                       fsattn_store_take rule, bool *taken, fsattn_store_changes *changes,
                                       fsattn_err *err);
/* Writes the build with its blobs when none is here, or a failed one that is older. Blobs without data must
 * be here. */
fsattn_status fsattn_store_take_build(fsattn_store *store, const fsattn_store_build *build,
                                      fsattn_store_changes *changes, fsattn_err *err);
/* Takes in everything of `from` in one transaction of its own. Rows that do not fit their hash, or refer to
 * what is missing, are left out: told to from's `warn`, or with `salvage`, which also works on a damaged
 * database, silently. */
fsattn_status fsattn_store_take_all(fsattn_store *store, fsattn_store *from, bool salvage,
                                    fsattn_store_changes *changes, fsattn_err *err);

#endif
