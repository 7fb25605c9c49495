/* cache_input.h - a store or a cache file as one list of results, in the order of their titles. Part of
 * fsattn-cache.
 *
 * The title says what a result is about, not how good it is (problem, ISA, ABI, role, template,
 * configuration, place of measurement): two lists are compared title by title, and a new measurement does not
 * move a result.
 */
#ifndef FSATTN_CACHE_INPUT_H
#define FSATTN_CACHE_INPUT_H

#include "cache_command.h"

typedef struct fsattn_cache_entry {
    fsattn_store_result result;
    const char *title;
} fsattn_cache_entry;

typedef struct fsattn_cache_input {
    fsattn_cache_entry *entries;
    size_t count, capacity;
    fsattn_arena arena;
    fsattn_text bytes;   /* of what a store would export */
    fsattn_fsc *fsc;     /* unless every result of a store was asked for */
    fsattn_store *store; /* NULL for a cache file */
} fsattn_cache_input;

/* Release with fini, also on failure. Zero-initialise first. */
fsattn_status fsattn_cache_input_open(fsattn_cache_input *input, const char *path, bool is_fsc,
                                      const fsattn_cache_choice *choice, fsattn_err *err);
void fsattn_cache_input_fini(fsattn_cache_input *input);

/* One fact about a result. */
typedef struct fsattn_cache_field {
    const char *name, *value;
} fsattn_cache_field;
/* All facts, in fixed order, in `arena`; NULL when memory ends. */
const fsattn_cache_field *fsattn_cache_fields(const fsattn_store_result *result, fsattn_arena *arena,
                                              size_t *count);

#endif
