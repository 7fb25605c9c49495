#include "tune_show.h"

#include "enumerate.h"
#include "error.h"
#include "memory.h"
#include "template.h"

#include <jansson.h>
#include <string.h>

static bool meets(const fsattn_space_set *set, const size_t *problems, size_t count) {
    for (size_t i = 0; i < set->count; i++) {
        for (size_t j = 0; j < count; j++) {
            if (set->problems[i] == problems[j]) {
                return true;
            }
        }
    }
    return false;
}

void fsattn_tune_show_list(FILE *stream, const fsattn_space *space, const size_t *problems, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char text[fsattn_problem_text_bytes];
        fsattn_problem_text(&space->problems[problems[i]].problem, text);
        fprintf(stream, "%s\t%s\n", space->problems[problems[i]].name, text);
    }
    for (size_t i = 0; i < space->set_count; i++) {
        if (!meets(&space->sets[i], problems, count)) {
            continue;
        }
        fprintf(stream, "set %s\t%zu problem%s\n", space->sets[i].name, space->sets[i].count,
                space->sets[i].count == 1 ? "" : "s");
    }
}

/* ---- size ---- */

/* The problem without its sizes: what constraints see of it. */
static void setting_text(const fsattn_problem *problem, char text[fsattn_problem_text_bytes]) {
    fsattn_problem sizeless = *problem;
    sizeless.batch = sizeless.heads_q = sizeless.heads_kv = sizeless.s_q = sizeless.s_k = 1;
    sizeless.scale = 0;
    fsattn_problem_text(&sizeless, text);
}

static bool seen_before(const fsattn_space *space, const size_t *problems, size_t position) {
    char mine[fsattn_problem_text_bytes], other[fsattn_problem_text_bytes];
    setting_text(&space->problems[problems[position]].problem, mine);
    for (size_t i = 0; i < position; i++) {
        setting_text(&space->problems[problems[i]].problem, other);
        if (!strcmp(mine, other)) {
            return true;
        }
    }
    return false;
}

static void show_size_text(FILE *stream, const fsattn_problem *problem,
                           const fsattn_enumeration *enumeration) {
    const fsattn_enumeration_statistics *statistics = fsattn_enumeration_statistics_of(enumeration);
    size_t count;
    const fsattn_rejection *rejections = fsattn_enumeration_rejections(enumeration, &count);
    fprintf(stream, "q=%s kv=%s o=%s d=%lld layout=%s mask=%s lse=%d\n", fsattn_dtype_text(problem->dtype_q),
            fsattn_dtype_text(problem->dtype_kv), fsattn_dtype_text(problem->dtype_o),
            (long long)problem->head_dim, fsattn_layout_text(problem->layout),
            fsattn_mask_text(problem->mask), problem->lse);
    fprintf(stream, "  raw: %.15g configurations\n  valid: %llu, found with %llu constraint evaluations\n",
            statistics->raw, (unsigned long long)statistics->valid,
            (unsigned long long)statistics->evaluations);
    for (size_t i = 0; i < count; i++) {
        const fsattn_space_constraint *constraint = rejections[i].constraint;
        fprintf(stream, "  rejected %s: %s (%s:%d)\n", rejections[i].values, constraint->reason,
                constraint->file, constraint->place.line);
    }
}

static fsattn_status show_size_json(FILE *stream, const fsattn_problem *problem,
                                    const fsattn_enumeration *enumeration, fsattn_err *err) {
    const fsattn_enumeration_statistics *statistics = fsattn_enumeration_statistics_of(enumeration);
    size_t count;
    const fsattn_rejection *rejections = fsattn_enumeration_rejections(enumeration, &count);
    char text[fsattn_problem_text_bytes];
    setting_text(problem, text);
    json_t *list = json_array();
    for (size_t i = 0; i < count; i++) {
        const fsattn_space_constraint *constraint = rejections[i].constraint;
        json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:i}", "values", rejections[i].values,
                                              "reason", constraint->reason, "file", constraint->file, "line",
                                              constraint->place.line));
    }
    json_t *object = json_pack("{s:s, s:s, s:f, s:I, s:I, s:o}", "event", "size", "setting", text, "raw",
                               statistics->raw, "valid", (json_int_t)statistics->valid, "evaluations",
                               (json_int_t)statistics->evaluations, "rejections", list);
    if (!object) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    }
    json_dumpf(object, stream, JSON_COMPACT | JSON_PRESERVE_ORDER);
    json_decref(object);
    fputc('\n', stream);
    return FSATTN_OK;
}

fsattn_status fsattn_tune_show_size(FILE *stream, const fsattn_space *space, const char *isa,
                                    const size_t *problems, size_t count, bool json, fsattn_err *err) {
    fsattn_status left = FSATTN_OK;
    for (size_t i = 0; i < count; i++) {
        if (seen_before(space, problems, i)) {
            continue;
        }
        const fsattn_problem *problem = &space->problems[problems[i]].problem;
        fsattn_setting setting = {problem, isa};
        fsattn_enumeration *enumeration;
        FSATTN_TRY(fsattn_enumeration_create(space, &setting, &enumeration, err));
        fsattn_status status = FSATTN_OK;
        if (json) {
            status = show_size_json(stream, problem, enumeration, err);
        } else {
            show_size_text(stream, problem, enumeration);
        }
        if (status == FSATTN_OK && left == FSATTN_OK) {
            left = fsattn_enumeration_check(enumeration, err);
            fsattn_context_add(err, left, "%s", space->problems[problems[i]].name);
        }
        fsattn_enumeration_destroy(enumeration);
        FSATTN_TRY(status);
    }
    return left;
}

/* ---- source ---- */

fsattn_status fsattn_tune_show_source(FILE *stream, const fsattn_space *space, const char *isa,
                                      const fsattn_problem *problem, const char *configuration,
                                      fsattn_err *err) {
    fsattn_manifest *manifest = space->manifest;
    fsattn_setting setting = {problem, isa};
    fsattn_config config = manifest->defaults;
    if (strcmp(configuration, "default") != 0) {
        FSATTN_TRY(fsattn_config_parse(&manifest->parameters, configuration, &config, err));
    }
    const char *reason;
    FSATTN_TRY(fsattn_manifest_check(manifest, &setting, &config, &reason, err));
    if (reason) {
        return fsattn_fail(err, FSATTN_INVALID, "%s refuses this configuration: %s", manifest->name, reason);
    }
    fsattn_text source = {0};
    fsattn_status status = fsattn_template_render_child(manifest, &setting, &config, NULL, &source, err);
    if (status == FSATTN_OK) {
        fwrite(source.data, 1, source.bytes, stream);
    }
    fsattn_text_fini(&source);
    return status;
}
