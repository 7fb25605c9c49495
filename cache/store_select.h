/* store_select.h - which results win: the rules of an export, shared with gc and verify. Internal to
 * fsattn_store. */
#ifndef FSATTN_STORE_SELECT_H
#define FSATTN_STORE_SELECT_H

#include "store_query.h"

typedef struct fsattn_store_candidate {
    fsattn_store_result result;
    bool unusable;           /* set by the caller: its code cannot be had, so it does not compete */
    bool winner, is_default; /* set by fsattn_store_select_mark */
} fsattn_store_candidate;

/* OK results, grouped by serving key and place of measurement. Zero-initialised is empty and valid. */
typedef struct fsattn_store_selection {
    fsattn_store_candidate *candidates;
    size_t count;
    fsattn_arena arena;
} fsattn_store_selection;

/* Loads the candidates (without blobs) and marks them. `options` may be NULL. */
fsattn_status fsattn_store_select_init(fsattn_store_selection *selection, fsattn_store *store,
                                       const fsattn_store_export_options *options, fsattn_err *err);
void fsattn_store_select_fini(fsattn_store_selection *selection);
/* Marks winners and defaults anew among the usable ones. */
void fsattn_store_select_mark(fsattn_store_selection *selection);

#endif
