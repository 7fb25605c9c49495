#include "miss_log.h"

#include "error.h"
#include "file.h"
#include "space_read.h"

#include <string.h>

enum { log_limit = 1 << 24 };

typedef struct problems {
    fsattn_space *space;
    const char *path, *isa;
    fsattn_space_problem *list;
    size_t *all;
    size_t count, skipped;
} problems;

static bool is_known(const problems *made, const fsattn_problem *problem) {
    for (size_t i = 0; i < made->count; i++) {
        if (fsattn_problem_equal(&made->list[i].problem, problem)) {
            return true;
        }
    }
    return false;
}

static fsattn_status add_line(problems *made, const char *text, int line, fsattn_err *err) {
    fsattn_problem problem;
    const char *reason;
    fsattn_status status = fsattn_problem_parse(text, &problem, err);
    if (status != FSATTN_OK) {
        return fsattn_context_add(err, FSATTN_PARSE, "%s:%d", made->path, line);
    }
    const fsattn_setting setting = {&problem, made->isa};
    FSATTN_TRY(fsattn_manifest_supports(made->space->manifest, &setting, &reason, err));
    if (is_known(made, &problem)) {
        return FSATTN_OK;
    }
    if (reason) {
        made->skipped++;
        return FSATTN_OK;
    }
    if (made->count == fsattn_space_problem_limit) {
        return fsattn_fail(err, FSATTN_INVALID, "%s:%d: more than %d problems", made->path, line,
                           fsattn_space_problem_limit);
    }
    char canonical[fsattn_problem_text_bytes];
    fsattn_problem_text(&problem, canonical);
    const char *name = fsattn_arena_strdup(&made->space->memory->arena, canonical);
    if (!name) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", made->path);
    }
    made->all[made->count] = made->count;
    made->list[made->count++] = (fsattn_space_problem){.problem = problem, .entry = "", .name = name};
    return FSATTN_OK;
}

fsattn_status fsattn_miss_log_apply(const char *path, const char *isa, fsattn_space *space, size_t *skipped,
                                    fsattn_err *err) {
    fsattn_arena *arena = &space->memory->arena;
    problems made = {.space = space, .path = path, .isa = isa};
    char *data;
    size_t bytes;
    int line = 1;
    FSATTN_TRY(fsattn_file_read(path, log_limit, &data, &bytes, err));
    made.list = fsattn_arena_alloc(arena, fsattn_space_problem_limit, sizeof made.list[0]);
    made.all = fsattn_arena_alloc(arena, fsattn_space_problem_limit, sizeof made.all[0]);
    fsattn_status status = made.list && made.all ? FSATTN_OK : fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
    char *next = data;
    for (char *end = strchr(next, '\n'); status == FSATTN_OK && end; end = strchr(next, '\n'), line++) {
        *end = '\0';
        if (end > next && end[-1] == '\r') {
            end[-1] = '\0';
        }
        status = *next ? add_line(&made, next, line, err) : FSATTN_OK;
        next = end + 1;
    }
    fsattn_free(data);
    FSATTN_TRY(status);
    if (made.count == 0) {
        fsattn_fail(err, FSATTN_NOT_FOUND, "%s: has no problem that %s serves (%zu that it does not)", path,
                    space->manifest->name, made.skipped);
        fsattn_hint(err, "an application writes it with options.miss_log; another space may serve them");
        return FSATTN_NOT_FOUND;
    }
    space->problems = made.list;
    space->problem_count = made.count;
    space->sets = NULL;
    space->set_count = 0;
    space->memory->entry_count = 0;
    space->memory->all = made.all;
    *skipped = made.skipped;
    return FSATTN_OK;
}
