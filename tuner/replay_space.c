#include "replay_space.h"

#include "error.h"
#include "space_read.h"

#include <math.h>

static bool fill_axes(fsattn_space *space, fsattn_arena *arena) {
    const fsattn_parameter_set *set = &space->manifest->parameters;
    fsattn_space_axis *axes = fsattn_arena_alloc(arena, set->count, sizeof *axes);
    for (size_t p = 0; axes && p < set->count; p++) {
        uint16_t *values = fsattn_arena_alloc(arena, set->items[p].value_count, sizeof *values);
        if (!values) {
            return false;
        }
        for (size_t i = 0; i < set->items[p].value_count; i++) {
            values[i] = (uint16_t)i;
        }
        axes[p] = (fsattn_space_axis){.values = values, .count = set->items[p].value_count};
    }
    space->axes = axes;
    return axes != NULL;
}

static bool fill_problem(fsattn_space *space, fsattn_arena *arena) {
    const fsattn_replay_file *file = space->replay;
    fsattn_space_problem *problem = fsattn_arena_alloc(arena, 1, sizeof *problem);
    size_t *all = fsattn_arena_alloc(arena, 1, sizeof *all);
    if (!problem || !all) {
        return false;
    }
    *problem = (fsattn_space_problem){.entry = "",
                                      .problem = {.size = sizeof(fsattn_problem),
                                                  .batch = 1,
                                                  .heads_q = 1,
                                                  .heads_kv = 1,
                                                  .s_q = 1,
                                                  .s_k = 1,
                                                  .head_dim = 1}};
    problem->name = fsattn_arena_printf(arena, "%s%s%s%s on %s", file->kernel, *file->size ? "[" : "", file->size,
                                        *file->size ? "]" : "", file->device);
    space->problems = problem;
    space->problem_count = 1;
    space->memory->all = all;
    return problem->name != NULL;
}

static bool fill_manifest(fsattn_space *space) {
    const fsattn_replay_file *file = space->replay;
    fsattn_manifest *manifest = space->manifest = fsattn_alloc(1, sizeof *manifest);
    if (!manifest) {
        return false;
    }
    *manifest = (fsattn_manifest){.path = file->path,
                                  .folder = ".",
                                  .name = file->kernel,
                                  .operation = "replay",
                                  .target = "host",
                                  .source = file->path,
                                  .entry = "replay",
                                  .parameters = file->parameters,
                                  .defaults = file->entries[0].config};
    for (size_t i = file->count; i-- > 0;) {
        manifest->defaults =
            file->entries[i].verdict == FSATTN_VERDICT_OK ? file->entries[i].config : manifest->defaults;
    }
    return true;
}

fsattn_status fsattn_replay_space_open(const char *path, fsattn_space **space, fsattn_err *err) {
    fsattn_space *made = fsattn_alloc(1, sizeof *made);
    fsattn_status status = FSATTN_NO_MEMORY;
    if (!made || !(made->memory = fsattn_alloc(1, sizeof *made->memory))) {
        fsattn_free(made);
        return fsattn_fail(err, status, "%s: out of memory", path);
    }
    FSATTN_GOTO(fsattn_replay_file_open(path, &made->replay, err));
    fsattn_arena *arena = &made->memory->arena;
    made->path = made->replay->path;
    made->hash = made->replay->hash;
    made->device = fsattn_arena_printf(arena, "replay:%s", path);
    if (!made->device || !fill_manifest(made) || !fill_axes(made, arena) || !fill_problem(made, arena)) {
        FSATTN_GOTO(fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path));
    }
    made->accuracy = (fsattn_space_accuracy){
        .distribution = "normal", .max_relative_error = INFINITY, .max_error = INFINITY, .min_cosine = -1};
    /* Every run of a replay takes exactly the cost: one is enough. */
    made->measurement = (fsattn_space_measurement){
        .samples_min = 1, .samples_max = 1, .spread = 0.02, .time_limit_s = INFINITY};
    made->strategy = (fsattn_space_strategy){.name = "auto", .seed = 1};
    made->budget = (fsattn_space_budget){.seconds = 600, .evaluations = INT64_MAX};
    *space = made;
    made = NULL;
out:
    fsattn_space_destroy(made);
    return status;
}
