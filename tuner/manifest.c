#include "manifest.h"

#include "error.h"
#include "file.h"
#include "lua_scan.h"
#include "manifest_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { manifest_file_limit = 1 << 20 };
static const fsattn_sandbox_limits limits = {
    .memory_bytes = (size_t)64 << 20, .instructions = 50000000, .time_s = 5, .patterns = false};
static const char chunk[] = "manifest";

/* ---- opening ---- */

/* Lua's "manifest:LINE: cause" with the file's path instead. */
static fsattn_status relocate(const fsattn_manifest *manifest, fsattn_status status, const fsattn_err *detail,
                              fsattn_err *err) {
    const char *message = detail->message;
    size_t bytes = sizeof chunk - 1;
    if (!strncmp(message, chunk, bytes) && message[bytes] == ':') {
        fsattn_fail(err, status, "%s%s", manifest->path, message + bytes);
    } else {
        fsattn_fail(err, status, "%s: %s", manifest->path, message);
    }
    fsattn_hint(err, "%s", detail->hint);
    return status;
}

/* Evaluates the file; its result is on the stack. */
static fsattn_status evaluate_file(fsattn_manifest *manifest, fsattn_err *err) {
    struct fsattn_manifest_state *state = manifest->state;
    char *text;
    const fsattn_status read = fsattn_file_read(manifest->path, manifest_file_limit, &text, &state->text_bytes, err);
    if (read != FSATTN_OK) {
        fsattn_hint(err, "a template is a folder with a manifest.lua, of this project below templates: name it from where this was started");
        return read;
    }
    state->text = fsattn_arena_strdup(&state->arena, text);
    bool nul = strlen(text) != state->text_bytes;
    fsattn_free(text);
    if (!state->text) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", manifest->path);
    }
    if (nul) {
        return fsattn_fail(err, FSATTN_PARSE, "%s: holds a NUL byte", manifest->path);
    }
    fsattn_err detail;
    fsattn_status status =
        fsattn_sandbox_load(state->sandbox, state->text, state->text_bytes, chunk, NULL, &detail);
    if (status == FSATTN_OK) {
        status = fsattn_sandbox_call(state->sandbox, 0, 1, &detail);
    }
    return status == FSATTN_OK ? status : relocate(manifest, status, &detail, err);
}

/* The default must satisfy the constraints that do not depend on problem or target. */
static fsattn_status check_defaults(fsattn_manifest *manifest, fsattn_err *err) {
    struct fsattn_manifest_state *state = manifest->state;
    for (size_t i = 0; i < state->constraint_count; i++) {
        const fsattn_expression *expression = state->constraints[i].expression;
        bool holds = true;
        if (!expression->reads_problem && !expression->reads_target) {
            FSATTN_TRY(fsattn_expression_test(state->sandbox, &manifest->parameters, expression, &manifest->defaults,
                                              &holds, err));
        }
        if (!holds) {
            fsattn_expression_fail(expression, 0, err, "the default configuration breaks this constraint: %s",
                                   state->constraints[i].reason);
            fsattn_hint(err, "choose other defaults");
            return FSATTN_PARSE;
        }
    }
    return FSATTN_OK;
}

static fsattn_status set_paths(fsattn_manifest *manifest, const char *path) {
    fsattn_arena *arena = &manifest->state->arena;
    size_t bytes = strlen(path);
    bool is_file = bytes > 4 && !strcmp(path + bytes - 4, ".lua");
    const char *slash = is_file ? strrchr(path, '/') : NULL;
    manifest->path = is_file ? fsattn_arena_strdup(arena, path) : fsattn_arena_printf(arena, "%s/manifest.lua", path);
    manifest->folder = !is_file ? fsattn_arena_strdup(arena, path)
                       : slash  ? fsattn_arena_printf(arena, "%.*s", (int)(slash - path), path)
                                : fsattn_arena_strdup(arena, ".");
    return manifest->path && manifest->folder ? FSATTN_OK : FSATTN_NO_MEMORY;
}

fsattn_status fsattn_manifest_open(const char *path, fsattn_manifest **manifest, fsattn_err *err) {
    fsattn_manifest *made = fsattn_alloc(1, sizeof *made);
    if (made) {
        made->state = fsattn_alloc(1, sizeof *made->state);
    }
    if (!made || !made->state || set_paths(made, path) != FSATTN_OK) {
        fsattn_manifest_close(made);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
    }
    fsattn_status status;
    FSATTN_GOTO(fsattn_sandbox_open(&limits, &made->state->sandbox, err));
    FSATTN_GOTO(evaluate_file(made, err));
    FSATTN_GOTO(fsattn_manifest_read(made, err));
    FSATTN_GOTO(check_defaults(made, err));
    *manifest = made;
    return FSATTN_OK;
out:
    fsattn_manifest_close(made);
    return status;
}

void fsattn_manifest_close(fsattn_manifest *manifest) {
    if (manifest) {
        if (manifest->state) {
            fsattn_sandbox_close(manifest->state->sandbox);
            fsattn_arena_fini(&manifest->state->arena);
            fsattn_free(manifest->state);
        }
        fsattn_free(manifest);
    }
}

const fsattn_manifest_constraint *fsattn_manifest_constraints(const fsattn_manifest *manifest, size_t *count) {
    *count = manifest->state->constraint_count;
    return manifest->state->constraints;
}

struct fsattn_sandbox *fsattn_manifest_sandbox(const fsattn_manifest *manifest) {
    return manifest->state->sandbox;
}

/* ---- evaluating ---- */

fsattn_status fsattn_manifest_supports(fsattn_manifest *manifest, const fsattn_setting *setting, const char **reason,
                                       fsattn_err *err) {
    struct fsattn_manifest_state *state = manifest->state;
    FSATTN_TRY(fsattn_sandbox_bind(state->sandbox, manifest->target, setting, err));
    const char *broken = NULL;
    for (size_t i = 0; i < state->support_count && !broken; i++) {
        bool holds;
        FSATTN_TRY(fsattn_expression_test(state->sandbox, &manifest->parameters, &state->supports[i],
                                          &manifest->defaults, &holds, err));
        broken = holds ? NULL : state->supports[i].text;
    }
    *reason = broken;
    return FSATTN_OK;
}

fsattn_status fsattn_manifest_check(fsattn_manifest *manifest, const fsattn_setting *setting,
                                    const fsattn_config *config, const char **reason, fsattn_err *err) {
    struct fsattn_manifest_state *state = manifest->state;
    FSATTN_TRY(fsattn_sandbox_bind(state->sandbox, manifest->target, setting, err));
    const char *broken = NULL;
    for (size_t i = 0; i < state->constraint_count && !broken; i++) {
        bool holds;
        FSATTN_TRY(fsattn_expression_test(state->sandbox, &manifest->parameters, state->constraints[i].expression,
                                          config, &holds, err));
        broken = holds ? NULL : state->constraints[i].reason;
    }
    *reason = broken;
    return FSATTN_OK;
}

/* Sizes and counts: integers, not negative; a real without a fraction counts as one. */
static fsattn_status to_count(const fsattn_manifest_entry *entry, fsattn_value *value, fsattn_err *err) {
    if (value->type == FSATTN_VALUE_REAL && fabs(value->real) < 0x1p53 && value->real == floor(value->real)) {
        *value = (fsattn_value){.type = FSATTN_VALUE_INT, .integer = (int64_t)value->real};
    }
    if (value->type == FSATTN_VALUE_INT && value->integer >= 0) {
        return FSATTN_OK;
    }
    fsattn_text got = {0};
    fsattn_value_text(value, &got);
    fsattn_expression_fail(&entry->expression, 0, err, "%s: expected an integer of at least 0, got '%.80s'",
                           entry->name, got.data ? got.data : "?");
    fsattn_text_fini(&got);
    return FSATTN_PARSE;
}

fsattn_status fsattn_manifest_evaluate(fsattn_manifest *manifest, fsattn_section section,
                                       const fsattn_setting *setting, const fsattn_config *config,
                                       fsattn_pairs *pairs, fsattn_err *err) {
    struct fsattn_manifest_state *state = manifest->state;
    FSATTN_TRY(fsattn_sandbox_bind(state->sandbox, manifest->target, setting, err));
    fsattn_pairs made = {.count = state->sections[section].count};
    for (size_t i = 0; i < made.count; i++) {
        const fsattn_manifest_entry *entry = &state->sections[section].items[i];
        fsattn_value *value = &made.items[i].value;
        made.items[i].name = entry->name;
        if (entry->word) {
            *value = (fsattn_value){.type = FSATTN_VALUE_ENUM, .word = entry->word};
            continue;
        }
        FSATTN_TRY(fsattn_expression_value(state->sandbox, &manifest->parameters, &entry->expression, config, value,
                                           err));
        if (section != FSATTN_SECTION_EMULATOR && !(section == FSATTN_SECTION_LAUNCH && value->type == FSATTN_VALUE_ENUM)) {
            FSATTN_TRY(to_count(entry, value, err));
        }
    }
    *pairs = made;
    return FSATTN_OK;
}

fsattn_status fsattn_manifest_kernel_runs(fsattn_manifest *manifest, const fsattn_manifest_kernel *kernel,
                                          const fsattn_setting *setting, const fsattn_config *config, bool *runs,
                                          fsattn_err *err) {
    *runs = true;
    if (!kernel->when) {
        return FSATTN_OK;
    }
    FSATTN_TRY(fsattn_sandbox_bind(manifest->state->sandbox, manifest->target, setting, err));
    return fsattn_expression_test(manifest->state->sandbox, &manifest->parameters, kernel->when, config, runs, err);
}

const fsattn_value *fsattn_pairs_find(const fsattn_pairs *pairs, const char *name) {
    for (size_t i = 0; i < pairs->count; i++) {
        if (!strcmp(pairs->items[i].name, name)) {
            return &pairs->items[i].value;
        }
    }
    return NULL;
}

int64_t fsattn_pairs_integer(const fsattn_pairs *pairs, const char *name, int64_t fallback) {
    const fsattn_value *value = fsattn_pairs_find(pairs, name);
    return value && value->type == FSATTN_VALUE_INT ? value->integer : fallback;
}
