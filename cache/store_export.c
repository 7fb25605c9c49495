#include "store_row.h"

#include "error.h"
#include "store_select.h"

#include <string.h>

/* Loads the code of everything that won. What has none (any more) steps back, and the next best takes its
 * place. */
static fsattn_status load_winners(fsattn_store *store, fsattn_store_selection *selection, fsattn_err *err) {
    for (bool changed = true; changed;) {
        changed = false;
        fsattn_store_select_mark(selection);
        for (size_t i = 0; i < selection->count; i++) {
            fsattn_store_candidate *candidate = &selection->candidates[i];
            fsattn_fsc_record *record = &candidate->result.record;
            fsattn_err why = {0};
            if ((!candidate->winner && !candidate->is_default) || record->stages[0].code.data) {
                continue;
            }
            fsattn_status status = fsattn_store_blobs_load(store, &selection->arena, record, &why);
            if (status == FSATTN_NOT_FOUND || status == FSATTN_CORRUPT) {
                fsattn_store_tell(store, status, "a winner is left out (%s, %s): %s", record->problem_text,
                                  record->configuration, why.message);
                candidate->unusable = changed = true;
            } else if (status != FSATTN_OK) {
                if (err) {
                    *err = why;
                }
                return status;
            }
        }
    }
    return FSATTN_OK;
}

static fsattn_status add_as(const fsattn_store_candidate *candidate, fsattn_role role,
                            fsattn_fsc_writer *writer, fsattn_err *err) {
    fsattn_fsc_record record = candidate->result.record;
    record.role = role;
    return fsattn_fsc_writer_add(writer, &record, err);
}

fsattn_status fsattn_store_export(fsattn_store *store, const fsattn_store_export_options *options,
                                  fsattn_fsc_writer *writer, size_t *winners, fsattn_err *err) {
    fsattn_store_selection selection;
    size_t count = 0;
    fsattn_status status;
    FSATTN_TRY(fsattn_store_select_init(&selection, store, options, err));
    FSATTN_GOTO(load_winners(store, &selection, err));
    for (size_t i = 0; i < selection.count; i++) {
        const fsattn_store_candidate *candidate = &selection.candidates[i];
        if (candidate->winner) {
            FSATTN_GOTO(add_as(candidate, FSATTN_ROLE_WINNER, writer, err));
            count++;
        }
        if (candidate->is_default) {
            FSATTN_GOTO(add_as(candidate, FSATTN_ROLE_DEFAULT, writer, err));
        }
    }
    if (winners) {
        *winners = count;
    }
out:
    fsattn_store_select_fini(&selection);
    return status;
}
