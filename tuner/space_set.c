/* The section `sets` of a space file: named lists of problems. */
#include "space_read.h"

#include "error.h"
#include "nearest.h"

#include <stdio.h>
#include <string.h>

enum { name_bytes = 128 };

static fsattn_status unknown_member(fsattn_space_reader *reader, const char *name, const fsattn_space_yaml *item) {
    const struct fsattn_space_memory *memory = reader->space->memory;
    const char **names = fsattn_space_read_alloc(reader, memory->entry_count, sizeof *names);
    if (!names) {
        return FSATTN_NO_MEMORY;
    }
    for (size_t i = 0; i < memory->entry_count; i++) {
        names[i] = memory->entries[i].name;
    }
    fsattn_space_fail(reader->space, item->place, reader->err, "%s: no problem is named '%.80s'", name, item->text);
    fsattn_nearest_hint(reader->err, item->text, names, memory->entry_count);
    if (memory->entry_count == 0) {
        fsattn_hint(reader->err, "give the problems names");
    }
    return FSATTN_PARSE;
}

/* Marks the problems that an item of a set names: those of an entry, or one by its full name. */
static fsattn_status mark_members(fsattn_space_reader *reader, const char *name, const fsattn_space_yaml *item,
                                  bool *marks) {
    const fsattn_space *space = reader->space;
    const size_t *problems;
    size_t count;
    FSATTN_TRY(fsattn_space_read_expect(reader, name, item, FSATTN_SPACE_YAML_SCALAR));
    if (!strcmp(item->text, "all") || fsattn_space_select(space, item->text, &problems, &count, NULL) != FSATTN_OK) {
        return unknown_member(reader, name, item);
    }
    for (size_t i = 0; i < count; i++) {
        if (marks[problems[i]]) {
            fsattn_space_fail(space, item->place, reader->err, "%s: '%s' is in the set already", name, item->text);
            fsattn_hint(reader->err, "remove one of them");
            return FSATTN_PARSE;
        }
        marks[problems[i]] = true;
    }
    return FSATTN_OK;
}

static fsattn_status read_set(fsattn_space_reader *reader, const fsattn_space_yaml *key, const fsattn_space_yaml *node,
                              fsattn_space_set *set) {
    const fsattn_space *space = reader->space;
    char name[name_bytes];
    snprintf(name, sizeof name, "sets.%.60s", key->text);
    const size_t *taken;
    size_t count;
    fsattn_value word;
    FSATTN_TRY(fsattn_space_read_value(reader, "sets", key, FSATTN_VALUE_ENUM, &word));
    if (fsattn_space_select(space, key->text, &taken, &count, NULL) == FSATTN_OK) {
        fsattn_space_fail(space, key->place, reader->err, "%s: the name means problems already", name);
        fsattn_hint(reader->err, "choose another name for the set");
        return FSATTN_PARSE;
    }
    FSATTN_TRY(fsattn_space_read_expect(reader, name, node, FSATTN_SPACE_YAML_LIST));
    if (!node->count) {
        fsattn_space_fail(space, node->place, reader->err, "%s: the list is empty", name);
        fsattn_hint(reader->err, "name problems, or remove the set");
        return FSATTN_PARSE;
    }
    bool *marks = fsattn_space_read_alloc(reader, space->problem_count, sizeof *marks);
    size_t *indices = fsattn_space_read_alloc(reader, space->problem_count, sizeof *indices);
    if (!marks || !indices) {
        return FSATTN_NO_MEMORY;
    }
    for (size_t i = 0; i < node->count; i++) {
        FSATTN_TRY(mark_members(reader, name, &node->items[i], marks));
    }
    *set = (fsattn_space_set){key->text, indices, 0, key->place};
    for (size_t i = 0; i < space->problem_count; i++) {
        if (marks[i]) {
            indices[set->count++] = i;
        }
    }
    return FSATTN_OK;
}

/* Sets are published all at once, so that none can name another. */
fsattn_status fsattn_space_set_read(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                             const fsattn_space_yaml *node, void *member) {
    (void)key;
    FSATTN_TRY(fsattn_space_read_expect(reader, name, node, FSATTN_SPACE_YAML_MAP));
    fsattn_space_set *sets = fsattn_space_read_alloc(reader, node->count, sizeof *sets);
    if (!sets) {
        return FSATTN_NO_MEMORY;
    }
    for (size_t i = 0; i < node->count; i++) {
        FSATTN_TRY(read_set(reader, &node->keys[i], &node->items[i], &sets[i]));
    }
    *(const fsattn_space_set **)member = sets;
    reader->space->set_count = node->count;
    return FSATTN_OK;
}
