#include "cache_input.h"

#include "error.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static fsattn_status out_of_memory(fsattn_err *err) {
    return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
}

static int compare_titles(const void *left, const void *right) {
    const fsattn_cache_entry *a = left, *b = right;
    int step = strcmp(a->title, b->title);
    return step ? step : fsattn_hash_compare(&a->result.record.result_key, &b->result.record.result_key);
}

static bool chosen(const fsattn_cache_choice *choice, const fsattn_fsc_record *record) {
    return (!choice->problem || !strcmp(choice->problem, record->problem_text)) &&
           (!choice->template_name || !strcmp(choice->template_name, record->template_name));
}

static fsattn_status add(fsattn_cache_input *input, const fsattn_store_result *result, fsattn_err *err) {
    const fsattn_fsc_record *record = &result->record;
    char *title = fsattn_arena_printf(
        &input->arena, "%s isa=%s abi=%" PRIu32 " %s %s %s on %s, %" PRId64 " units, %s, %s",
        record->problem_text, record->isa, record->abi, fsattn_role_text(record->role), record->template_name,
        record->configuration, record->cost.device, record->cost.units, record->cost.driver,
        record->cost.policy);
    if (!title ||
        fsattn_grow((void **)&input->entries, &input->capacity, input->count, sizeof *input->entries)) {
        return out_of_memory(err);
    }
    input->entries[input->count++] = (fsattn_cache_entry){.result = *result, .title = title};
    return FSATTN_OK;
}

static fsattn_status add_records(fsattn_cache_input *input, const fsattn_cache_choice *choice,
                                 fsattn_err *err) {
    for (size_t i = 0; i < fsattn_fsc_count(input->fsc); i++) {
        fsattn_store_result result = {
            .record = *fsattn_fsc_at(input->fsc, i), .verdict = FSATTN_VERDICT_OK, .reason = ""};
        if (chosen(choice, &result.record)) {
            FSATTN_TRY(add(input, &result, err));
        }
    }
    return FSATTN_OK;
}

/* What the walk lends for a call is fetched again into the input's own arena. */
static fsattn_status keep_result(void *data, const fsattn_store_result *result, fsattn_err *err) {
    fsattn_cache_input *input = data;
    fsattn_store_result kept;
    bool found;
    FSATTN_TRY(fsattn_store_result_find(input->store, &result->record.result_key, &input->arena, &kept,
                                        &found, err));
    return found ? add(input, &kept, err) : FSATTN_OK;
}

static fsattn_status open_export(fsattn_cache_input *input, const char *path,
                                 const fsattn_cache_choice *choice, fsattn_err *err) {
    fsattn_store_export_options options = {
        .unproven = choice->unproven, .problem = choice->problem, .template_name = choice->template_name};
    fsattn_fsc_writer *writer;
    fsattn_status status;
    FSATTN_TRY(fsattn_fsc_writer_create(&writer, err));
    FSATTN_GOTO(fsattn_store_export(input->store, &options, writer, NULL, err));
    FSATTN_GOTO(fsattn_fsc_writer_encode(writer, NULL, &input->bytes, err));
    FSATTN_GOTO(fsattn_fsc_open_bytes(path, input->bytes.data, input->bytes.bytes, fsattn_cache_warn, NULL,
                                      &input->fsc, err));
    status = add_records(input, choice, err);
out:
    fsattn_fsc_writer_destroy(writer);
    return status;
}

fsattn_status fsattn_cache_input_open(fsattn_cache_input *input, const char *path, bool is_fsc,
                                      const fsattn_cache_choice *choice, fsattn_err *err) {
    if (is_fsc) {
        FSATTN_TRY(fsattn_fsc_open(path, fsattn_cache_warn, NULL, &input->fsc, err));
        fsattn_cache_warn_untrusted(path);
        FSATTN_TRY(add_records(input, choice, err));
    } else {
        FSATTN_TRY(fsattn_cache_store(path, FSATTN_CACHE_STORE_READ, &input->store, err));
        if (choice->all) {
            fsattn_store_filter filter = {.problem = choice->problem, .template_name = choice->template_name};
            FSATTN_TRY(fsattn_store_results_each(input->store, &filter, keep_result, input, err));
        } else {
            FSATTN_TRY(open_export(input, path, choice, err));
        }
    }
    if (input->count) {
        qsort(input->entries, input->count, sizeof *input->entries, compare_titles);
    }
    return FSATTN_OK;
}

void fsattn_cache_input_fini(fsattn_cache_input *input) {
    fsattn_fsc_close(input->fsc);
    fsattn_store_close(input->store);
    fsattn_text_fini(&input->bytes);
    fsattn_free(input->entries);
    fsattn_arena_fini(&input->arena);
    *input = (fsattn_cache_input){0};
}
