#include "space.h"

#include "error.h"
#include "file.h"
#include "nearest.h"
#include "replay_file.h"
#include "space_read.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

fsattn_status fsattn_space_fail(const fsattn_space *space, fsattn_place place, fsattn_err *err, const char *format,
                                ...) {
    char message[640];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (!place.line) {
        return fsattn_fail(err, FSATTN_PARSE, "%s: %s", space->path, message);
    }
    return fsattn_fail(err, FSATTN_PARSE, "%s:%d:%d: %s", space->path, place.line, place.column, message);
}

/* ---- the template ---- */

/* What read_template works with: the folder of the template families is no part of the file. */
typedef struct loading {
    fsattn_space_reader reader;
    const char *templates;
} loading;

static int compare_names(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Says which template of the folder may have been meant; sorted, so that it always says the same. */
static void hint_templates(loading *l, const char *name) {
    const char *names[64];
    size_t count = 0;
    DIR *folder = opendir(l->templates);
    for (struct dirent *entry; folder && count < COUNT(names) && (entry = readdir(folder));) {
        char *path = fsattn_arena_printf(l->reader.arena, "%s/%s/manifest.lua", l->templates, entry->d_name);
        if (path && entry->d_name[0] != '.' && fsattn_file_exists(path)) {
            names[count] = fsattn_arena_strdup(l->reader.arena, entry->d_name);
            count += names[count] != NULL;
        }
    }
    if (folder) {
        closedir(folder);
    }
    qsort(names, count, sizeof *names, compare_names);
    fsattn_nearest_hint(l->reader.err, name, names, count);
    if (count == 0) {
        fsattn_hint(l->reader.err, "templates are looked for beside the space's folder, in %s: name another with --templates FOLDER",
                    l->templates);
    }
}

static fsattn_status read_template(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                   const fsattn_space_yaml *node, void *member) {
    loading *l = (loading *)reader; /* the reader is its first member */
    const char *word;
    FSATTN_TRY(fsattn_space_read_word(reader, key, name, node, &word));
    char *folder = fsattn_arena_printf(reader->arena, "%s/%s", l->templates, word);
    char *path = fsattn_arena_printf(reader->arena, "%s/%s/manifest.lua", l->templates, word);
    if (!folder || !path) {
        return fsattn_fail(reader->err, FSATTN_NO_MEMORY, "%s: out of memory", reader->space->path);
    }
    if (!fsattn_file_exists(path)) {
        fsattn_space_fail(reader->space, node->place, reader->err, "%s: there is no '%s'", name, path);
        hint_templates(l, word);
        return FSATTN_PARSE;
    }
    FSATTN_TRY(fsattn_manifest_open(folder, member, reader->err));
    return fsattn_space_axis_defaults(reader);
}

static fsattn_status read_device(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                 const fsattn_space_yaml *node, void *member) {
    FSATTN_TRY(fsattn_space_read_line(reader, key, name, node, member));
    reader->space->device_place = node->place;
    return FSATTN_OK;
}

/* ---- the file ---- */

#define MEMBER(member) offsetof(fsattn_space, member)
/* In this order: the template says what the rest may be, sets name problems. */
static const fsattn_space_key sections[] = {
    {.name = "template", .read = read_template, .offset = MEMBER(manifest), .required = true},
    {.name = "device", .read = read_device, .offset = MEMBER(device), .required = true},
    {.name = "problems", .read = fsattn_space_problem_read, .offset = MEMBER(problems), .required = true},
    {.name = "sets", .read = fsattn_space_set_read, .offset = MEMBER(sets)},
    {.name = "parameters", .read = fsattn_space_axis_read, .offset = MEMBER(axes)},
    {.name = "constraints", .read = fsattn_space_axis_read_constraints, .offset = MEMBER(constraints)},
    {.name = "tiers", .read = fsattn_space_axis_read_tiers, .offset = MEMBER(tiers)},
    {.name = "objective", .read = fsattn_space_read_objective, .offset = MEMBER(objective)},
    {.name = "accuracy", .read = fsattn_space_read_accuracy, .offset = MEMBER(accuracy)},
    {.name = "measurement", .read = fsattn_space_read_measurement, .offset = MEMBER(measurement)},
    {.name = "strategy", .read = fsattn_space_read_strategy, .offset = MEMBER(strategy)},
    {.name = "budget", .read = fsattn_space_read_budget, .offset = MEMBER(budget)},
};
#undef MEMBER

static void set_defaults(fsattn_space *space) {
    space->accuracy = (fsattn_space_accuracy){
        .distribution = "normal", .max_relative_error = INFINITY, .max_error = INFINITY, .min_cosine = -1};
    space->measurement = (fsattn_space_measurement){
        .warmup = 2, .samples_min = 5, .samples_max = 50, .spread = 0.02, .time_limit_s = 10};
    space->strategy = (fsattn_space_strategy){.name = "auto", .seed = 1};
    space->budget = (fsattn_space_budget){.seconds = 600, .evaluations = INT64_MAX};
}

/* The file's text, with a size over the limit told as a mistake in the file. */
static fsattn_status read_text(const char *path, char **text, size_t *bytes, fsattn_err *err) {
    struct stat file;
    fsattn_err detail = {0};
    const bool there = stat(path, &file) == 0;
    if (there ? !S_ISREG(file.st_mode) : errno == ENOTDIR || errno == ELOOP) {
        const fsattn_status wrong = there ? fsattn_fail(err, FSATTN_INVALID, "%s: not a regular file", path)
                                          : fsattn_fail(err, FSATTN_NOT_FOUND, "%s: %s", path, strerror(errno));
        fsattn_hint(err, "name the file of a space, as in spaces/host.yaml");
        return wrong;
    }
    fsattn_status status = fsattn_file_read(path, fsattn_space_file_limit, text, bytes, &detail);
    if (status == FSATTN_OK) {
        return status;
    }
    size_t skip = strlen(path) + 2;
    if (status != FSATTN_INVALID || strlen(detail.message) < skip) {
        return fsattn_fail(err, status, "%s", detail.message);
    }
    fsattn_fail(err, FSATTN_PARSE, "%s:1:1: %s", path, detail.message + skip);
    fsattn_hint(err, "a space says what may vary, not every configuration: use ranges and constraints");
    return FSATTN_PARSE;
}

static fsattn_status read_file(loading *l) {
    fsattn_space *space = l->reader.space;
    char *text;
    size_t bytes;
    FSATTN_TRY(read_text(space->path, &text, &bytes, l->reader.err));
    space->hash = fsattn_hash_of(text, bytes);
    const fsattn_space_yaml *root;
    fsattn_status status = fsattn_space_yaml_read(space->path, text, bytes, l->reader.arena, &root, l->reader.err);
    fsattn_free(text);
    FSATTN_TRY(status);
    return fsattn_space_read_map(&l->reader, "", root, sections, COUNT(sections), space);
}

fsattn_status fsattn_space_load(const char *path, const char *templates, fsattn_space **space, fsattn_err *err) {
    fsattn_space *made = fsattn_alloc(1, sizeof *made);
    fsattn_status status = FSATTN_NO_MEMORY;
    if (made) {
        made->memory = fsattn_alloc(1, sizeof *made->memory);
    }
    if (!made || !made->memory) {
        fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
        goto out;
    }
    fsattn_arena *arena = &made->memory->arena;
    loading l = {.reader = {made, arena, err}, .templates = templates};
    if (!templates) {
        const char *slash = strrchr(path, '/');
        l.templates = slash ? fsattn_arena_printf(arena, "%.*s/../templates", (int)(slash - path), path) : "../templates";
    }
    made->path = fsattn_arena_strdup(arena, path);
    if (!made->path || !l.templates) {
        fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
        goto out;
    }
    set_defaults(made);
    FSATTN_GOTO(read_file(&l));
    *space = made;
    return FSATTN_OK;
out:
    fsattn_space_destroy(made);
    return status;
}

void fsattn_space_destroy(fsattn_space *space) {
    if (space) {
        fsattn_manifest_close(space->manifest);
        fsattn_replay_file_close(space->replay);
        if (space->memory) {
            fsattn_arena_fini(&space->memory->arena);
            fsattn_free(space->memory);
        }
        fsattn_free(space);
    }
}

/* ---- parts ---- */

size_t fsattn_space_part_count(const fsattn_space *space) {
    return space->tier_count ? space->tier_count : 1;
}

static bool axis_has(const fsattn_space_axis *axis, uint16_t value) {
    for (size_t k = 0; k < axis->count; k++) {
        if (axis->values[k] == value) {
            return true;
        }
    }
    return false;
}

void fsattn_space_part(const fsattn_space *space, size_t part, fsattn_space *as_space, fsattn_config *start) {
    *as_space = *space;
    as_space->axes = space->tier_count ? space->tiers[part].axes : space->axes;
    *start = space->manifest->defaults;
    for (size_t i = 0; space->tier_count && i < space->manifest->parameters.count; i++) {
        const fsattn_space_axis *axis = &as_space->axes[i];
        start->index[i] = axis_has(axis, start->index[i]) ? start->index[i] : axis->values[0];
    }
}

/* How many values of the configuration the tier has. */
static size_t values_in(const fsattn_space *space, size_t tier, const fsattn_config *config) {
    size_t count = 0;
    for (size_t p = 0; p < space->manifest->parameters.count; p++) {
        count += axis_has(&space->tiers[tier].axes[p], config->index[p]);
    }
    return count;
}

size_t fsattn_space_default_part(const fsattn_space *space) {
    size_t part = 0, most = 0;
    for (size_t i = 0; i < space->tier_count; i++) {
        const size_t count = values_in(space, i, &space->manifest->defaults);
        if (count > most) {
            part = i;
            most = count;
        }
    }
    return part;
}

bool fsattn_space_tier_has(const fsattn_space *space, const char *tier, const fsattn_config *config) {
    for (size_t i = 0; i < space->tier_count; i++) {
        if (!strcmp(space->tiers[i].name, tier)) {
            return fsattn_config_equal(config, &space->manifest->defaults) ? i == fsattn_space_default_part(space)
                                                                            : values_in(space, i, config) == space->manifest->parameters.count;
        }
    }
    return !*tier;
}

/* ---- selecting problems ---- */

static const fsattn_space_set *find_set(const fsattn_space_set *sets, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(sets[i].name, name)) {
            return &sets[i];
        }
    }
    return NULL;
}

static fsattn_status no_such_set(const fsattn_space *space, const char *name, fsattn_err *err) {
    const struct fsattn_space_memory *memory = space->memory;
    size_t count = 0;
    const char **names = fsattn_alloc(space->set_count + memory->entry_count + 1, sizeof *names);
    fsattn_fail(err, FSATTN_NOT_FOUND, "%s: no set or problem is named '%.80s'", space->path, name);
    if (names) {
        for (size_t i = 0; i < space->set_count; i++) {
            names[count++] = space->sets[i].name;
        }
        for (size_t i = 0; i < memory->entry_count; i++) {
            names[count++] = memory->entries[i].name;
        }
        names[count++] = "all";
        fsattn_nearest_hint(err, name, names, count);
    }
    fsattn_free(names);
    return FSATTN_NOT_FOUND;
}

fsattn_status fsattn_space_select(const fsattn_space *space, const char *name, const size_t **problems,
                                  size_t *count, fsattn_err *err) {
    const struct fsattn_space_memory *memory = space->memory;
    if (!name || !strcmp(name, "all")) {
        *problems = memory->all;
        *count = space->problem_count;
        return FSATTN_OK;
    }
    const fsattn_space_set *set = find_set(space->sets, space->set_count, name);
    set = set ? set : find_set(memory->entries, memory->entry_count, name);
    if (set) {
        *problems = set->problems;
        *count = set->count;
        return FSATTN_OK;
    }
    for (size_t i = 0; i < space->problem_count; i++) {
        if (!strcmp(space->problems[i].name, name)) {
            *problems = &memory->all[i];
            *count = 1;
            return FSATTN_OK;
        }
    }
    return no_such_set(space, name, err);
}
