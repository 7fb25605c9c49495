#include "scripted_file.h"

#include "error.h"
#include "file.h"
#include "json_place.h"
#include "nearest.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { file_limit = 64 << 20, key_limit = 48 };

/* A number, or a formula that gives one. */
typedef struct formula {
    bool given, is_formula;
    double number;
    fsattn_expression expression;
} formula;

typedef struct rule {
    bool has_when;
    fsattn_expression when;
    const char *configuration, *problem; /* NULL: any */
    formula cost, error, proof_error;
    double after_s;
    double noise, compile_s, verify_s, factor; /* NaN: not given */
    bool has_fault, has_timer;
    fsattn_fault fault;
    fsattn_timer timer;
} rule;

typedef struct fsattn_scripted_memory {
    fsattn_arena arena;
    const fsattn_manifest *manifest;
    char *text;
    json_t *root;
    const json_t *costs; /* or NULL */
    json_t *recorded;    /* object: "problem\nconfiguration" to candidate event; or NULL */
    const json_t *drift; /* or NULL */
    formula cost, error;
    double noise, compile_s, verify_s;
    rule *rules;
    size_t rule_count;
} fsattn_scripted_memory;

const fsattn_fault_row *fsattn_scripted_fault(fsattn_fault fault) {
    static const fsattn_fault_row rows[] = {
#define X(name, word, verdict, step, hangs)                                                                  \
    [FSATTN_FAULT_##name] = {word, FSATTN_VERDICT_##verdict, FSATTN_STEP_##step, hangs},
        FSATTN_FAULT_LIST(X)
#undef X
    };
    return &rows[fault];
}

static const char *const fault_words[] = {
#define X(name, word, verdict, step, hangs) word,
    FSATTN_FAULT_LIST(X)
#undef X
};
static const char *const timer_words[] = {
#define X(name, word) word,
    FSATTN_TIMER_LIST(X)
#undef X
};
enum {
    fault_count = sizeof fault_words / sizeof fault_words[0],
    timer_count = sizeof timer_words / sizeof timer_words[0],
};

/* ---- places ---- */

typedef struct reader {
    fsattn_scripted_file *file;
    fsattn_scripted_memory *memory;
    int rule; /* -1: top level */
    fsattn_err *err;
} reader;

/* Reports a mistake in the value of `key`. */
static fsattn_status fail_at(const reader *r, const char *key, const char *cause) {
    int line, column;
    fsattn_json_place(r->memory->text, "rules", r->rule, key, &line, &column);
    return fsattn_fail(r->err, FSATTN_PARSE, "%s:%d:%d: %s: %s", r->file->path, line, column, key, cause);
}

/* ---- values ---- */

static fsattn_status read_real(const reader *r, const char *key, const json_t *value, double minimum,
                               double *real) {
    if (!json_is_number(value) || !isfinite(json_number_value(value)) || json_number_value(value) < minimum) {
        char cause[64];
        snprintf(cause, sizeof cause, "expected a number of at least %.9g", minimum);
        return fail_at(r, key, cause);
    }
    *real = json_number_value(value);
    return FSATTN_OK;
}

static fsattn_status read_word(const reader *r, const char *key, const json_t *value,
                               const char *const *words, size_t count, int *index) {
    const char *word = json_string_value(value);
    for (size_t i = 0; word && i < count; i++) {
        if (!strcmp(words[i], word)) {
            *index = (int)i;
            return FSATTN_OK;
        }
    }
    fail_at(r, key, word ? "no such word" : "expected a word");
    fsattn_nearest_hint(r->err, word ? word : "", words, count);
    return FSATTN_PARSE;
}

static fsattn_status read_text(const reader *r, const char *key, const json_t *value, const char **text) {
    if (!json_is_string(value)) {
        return fail_at(r, key, "expected text in quotes");
    }
    *text = json_string_value(value);
    return FSATTN_OK;
}

static fsattn_status read_expression(const reader *r, const char *key, const json_t *value,
                                     fsattn_expression *expression) {
    if (!json_is_string(value)) {
        return fail_at(r, key, "expected a formula in quotes");
    }
    fsattn_expression_origin origin = {.file = r->file->path, .indent = 1};
    fsattn_json_place(r->memory->text, "rules", r->rule, key, &origin.line, &origin.column);
    origin.column++; /* the quote */
    const fsattn_manifest *manifest = r->memory->manifest;
    return fsattn_expression_compile(fsattn_manifest_sandbox(manifest), &manifest->parameters,
                                     json_string_value(value), &origin, expression, r->err);
}

static fsattn_status read_formula(const reader *r, const char *key, const json_t *value, formula *result) {
    result->given = true;
    result->is_formula = json_is_string(value);
    return result->is_formula ? read_expression(r, key, value, &result->expression)
                              : read_real(r, key, value, 0, &result->number);
}

static fsattn_status evaluate(const fsattn_scripted_memory *memory, const formula *f,
                              const fsattn_config *config, double *number, fsattn_err *err) {
    if (!f->given || !f->is_formula) {
        *number = f->given ? f->number : *number;
        return FSATTN_OK;
    }
    const fsattn_manifest *manifest = memory->manifest;
    fsattn_value value;
    FSATTN_TRY(fsattn_expression_value(fsattn_manifest_sandbox(manifest), &manifest->parameters,
                                       &f->expression, config, &value, err));
    double result = value.type == FSATTN_VALUE_INT ? (double)value.integer : value.real;
    if ((value.type != FSATTN_VALUE_INT && value.type != FSATTN_VALUE_REAL) || !(result >= 0)) {
        return fsattn_expression_fail(&f->expression, 0, err, "expected a number of at least 0");
    }
    *number = result;
    return FSATTN_OK;
}

/* ---- keys ---- */

typedef enum key_kind { KEY_REAL, KEY_TEXT, KEY_BOOL, KEY_FORMULA, KEY_EXPRESSION, KEY_OTHER } key_kind;
typedef struct key_row {
    const char *name;
    key_kind kind;
    bool in_memory; /* the offset is into fsattn_scripted_memory, not fsattn_scripted_file */
    size_t offset;
} key_row;

#define FILE_KEY(name, kind)                                                                                 \
    { #name, kind, false, offsetof(fsattn_scripted_file, name) }
#define MEMORY_KEY(name, kind)                                                                               \
    { #name, kind, true, offsetof(fsattn_scripted_memory, name) }
static const key_row top_keys[] = {
    FILE_KEY(device, KEY_TEXT),
    FILE_KEY(driver, KEY_TEXT),
    FILE_KEY(isa, KEY_TEXT),
    FILE_KEY(verification, KEY_TEXT),
    FILE_KEY(units, KEY_REAL),
    FILE_KEY(timer_resolution_ns, KEY_REAL),
    FILE_KEY(flop_per_s, KEY_REAL),
    FILE_KEY(watchdog_s, KEY_REAL),
    FILE_KEY(start_s, KEY_REAL),
    FILE_KEY(seed, KEY_REAL),
    FILE_KEY(warmup_runs, KEY_REAL),
    FILE_KEY(warmup_factor, KEY_REAL),
    FILE_KEY(cold_factor, KEY_REAL),
    FILE_KEY(sleep, KEY_REAL),
    FILE_KEY(canary_fails, KEY_BOOL),
    FILE_KEY(staged, KEY_BOOL),
    MEMORY_KEY(noise, KEY_REAL),
    MEMORY_KEY(compile_s, KEY_REAL),
    MEMORY_KEY(verify_s, KEY_REAL),
    MEMORY_KEY(cost, KEY_FORMULA),
    MEMORY_KEY(error, KEY_FORMULA),
    {"provenance", KEY_OTHER, false, 0},
    {"costs", KEY_OTHER, false, 0},
    {"drift", KEY_OTHER, false, 0},
    {"recorded", KEY_OTHER, false, 0},
    {"rules", KEY_OTHER, false, 0},
};
#define RULE_KEY(name, kind)                                                                                 \
    { #name, kind, false, offsetof(rule, name) }
static const key_row rule_keys[] = {
    RULE_KEY(when, KEY_EXPRESSION), RULE_KEY(configuration, KEY_TEXT), RULE_KEY(problem, KEY_TEXT),
    RULE_KEY(cost, KEY_FORMULA),    RULE_KEY(error, KEY_FORMULA),      RULE_KEY(noise, KEY_REAL),
    RULE_KEY(compile_s, KEY_REAL),  RULE_KEY(verify_s, KEY_REAL),      RULE_KEY(factor, KEY_REAL),
    RULE_KEY(after_s, KEY_REAL),    RULE_KEY(proof_error, KEY_FORMULA), {"fault", KEY_OTHER, false, 0},    {"timer", KEY_OTHER, false, 0},
};
#undef FILE_KEY
#undef MEMORY_KEY
#undef RULE_KEY

static fsattn_status read_key(const reader *r, const key_row *row, const json_t *value, void *target) {
    switch (row->kind) {
    case KEY_REAL:
        return read_real(r, row->name, value, 0, target);
    case KEY_TEXT:
        return read_text(r, row->name, value, target);
    case KEY_BOOL:
        if (!json_is_boolean(value)) {
            return fail_at(r, row->name, "expected true or false");
        }
        *(bool *)target = json_is_true(value);
        return FSATTN_OK;
    case KEY_FORMULA:
        return read_formula(r, row->name, value, target);
    case KEY_EXPRESSION:
        return read_expression(r, row->name, value, target);
    case KEY_OTHER:
        break;
    }
    return FSATTN_OK;
}

static fsattn_status find_key(const reader *r, const key_row *rows, size_t count, const char *name,
                              const key_row **row) {
    const char *names[key_limit];
    for (size_t i = 0; i < count; i++) {
        names[i] = rows[i].name;
        if (!strcmp(rows[i].name, name)) {
            *row = &rows[i];
            return FSATTN_OK;
        }
    }
    fail_at(r, name, "unknown key");
    fsattn_nearest_hint(r->err, name, names, count);
    return FSATTN_PARSE;
}

/* ---- rules ---- */

static fsattn_status read_rule(reader *r, const json_t *object, rule *result) {
    *result = (rule){.noise = NAN, .compile_s = NAN, .verify_s = NAN, .factor = NAN};
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value) {
        const key_row *row;
        FSATTN_TRY(find_key(r, rule_keys, sizeof rule_keys / sizeof rule_keys[0], key, &row));
        FSATTN_TRY(read_key(r, row, value, (char *)result + row->offset));
        int index = 0;
        if (!strcmp(key, "when")) {
            result->has_when = true;
        } else if (!strcmp(key, "fault")) {
            FSATTN_TRY(read_word(r, key, value, fault_words, fault_count, &index));
            result->has_fault = true;
            result->fault = (fsattn_fault)index;
        } else if (!strcmp(key, "timer")) {
            FSATTN_TRY(read_word(r, key, value, timer_words, timer_count, &index));
            result->has_timer = true;
            result->timer = (fsattn_timer)index;
        }
    }
    return FSATTN_OK;
}

static fsattn_status read_rules(reader *r, const json_t *array) {
    if (!json_is_array(array)) {
        return fail_at(r, "rules", "expected a list of objects");
    }
    fsattn_scripted_memory *memory = r->memory;
    memory->rules = fsattn_arena_alloc(&memory->arena, json_array_size(array), sizeof(rule));
    if (!memory->rules) {
        return fsattn_fail(r->err, FSATTN_NO_MEMORY, "%s: out of memory", r->file->path);
    }
    for (size_t i = 0; i < json_array_size(array); i++) {
        const json_t *object = json_array_get(array, i);
        if (!json_is_object(object)) {
            return fail_at(r, "rules", "expected a list of objects");
        }
        r->rule = (int)i;
        FSATTN_TRY(read_rule(r, object, &memory->rules[memory->rule_count++]));
    }
    r->rule = -1;
    return FSATTN_OK;
}

static fsattn_status rule_holds(const fsattn_scripted_memory *memory, const rule *r, double time_s,
                                const char *problem, const char *configuration, const fsattn_config *config,
                                bool *holds, fsattn_err *err) {
    *holds = time_s >= r->after_s && (!r->configuration || !strcmp(r->configuration, configuration)) &&
             (!r->problem || strstr(problem, r->problem));
    if (!*holds || !r->has_when) {
        return FSATTN_OK;
    }
    const fsattn_manifest *manifest = memory->manifest;
    return fsattn_expression_test(fsattn_manifest_sandbox(manifest), &manifest->parameters, &r->when, config,
                                  holds, err);
}

static fsattn_status apply_rule(const fsattn_scripted_memory *memory, const rule *r,
                                const fsattn_config *config, fsattn_scripted_conduct *conduct,
                                fsattn_err *err) {
    FSATTN_TRY(evaluate(memory, &r->cost, config, &conduct->cost_ns, err));
    FSATTN_TRY(evaluate(memory, &r->error, config, &conduct->error, err));
    FSATTN_TRY(evaluate(memory, &r->proof_error, config, &conduct->proof_error, err));
    conduct->noise = isnan(r->noise) ? conduct->noise : r->noise;
    conduct->compile_s = isnan(r->compile_s) ? conduct->compile_s : r->compile_s;
    conduct->verify_s = isnan(r->verify_s) ? conduct->verify_s : r->verify_s;
    conduct->cost_ns *= isnan(r->factor) ? 1 : r->factor;
    conduct->fault = r->has_fault ? r->fault : conduct->fault;
    conduct->timer = r->has_timer ? r->timer : conduct->timer;
    return FSATTN_OK;
}

/* ---- recorded results ---- */

/* The fault that gives a verdict. */
static fsattn_fault fault_of(fsattn_verdict verdict) {
    for (int i = 0; i < fault_count; i++) {
        if (fsattn_scripted_fault((fsattn_fault)i)->verdict == verdict) {
            return (fsattn_fault)i;
        }
    }
    return FSATTN_FAULT_NONE;
}

static fsattn_status record_line(const reader *r, const char *path, int line, const char *text,
                                 size_t bytes) {
    json_error_t detail;
    json_t *event = json_loadb(text, bytes, 0, &detail);
    if (!event) {
        return fsattn_fail(r->err, FSATTN_PARSE, "%s:%d:%d: %s", path, line, detail.column, detail.text);
    }
    const char *kind = json_string_value(json_object_get(event, "event"));
    const char *problem = json_string_value(json_object_get(event, "problem"));
    const char *configuration = json_string_value(json_object_get(event, "configuration"));
    fsattn_status status = FSATTN_OK;
    if (kind && !strcmp(kind, "candidate") && problem && configuration) {
        char *key = fsattn_arena_printf(&r->memory->arena, "%s\n%s", problem, configuration);
        if (!key || json_object_set(r->memory->recorded, key, event)) {
            status = fsattn_fail(r->err, FSATTN_NO_MEMORY, "%s: out of memory", path);
        }
    }
    json_decref(event);
    return status;
}

static fsattn_status read_recorded(reader *r, const json_t *value) {
    const char *name = NULL;
    FSATTN_TRY(read_text(r, "recorded", value, &name));
    const char *slash = strrchr(r->file->path, '/');
    int folder = slash && name[0] != '/' ? (int)(slash + 1 - r->file->path) : 0;
    char *path = fsattn_arena_printf(&r->memory->arena, "%.*s%s", folder, r->file->path, name);
    r->memory->recorded = json_object();
    if (!path || !r->memory->recorded) {
        return fsattn_fail(r->err, FSATTN_NO_MEMORY, "%s: out of memory", r->file->path);
    }
    char *text;
    size_t bytes;
    FSATTN_TRY(fsattn_file_read(path, file_limit, &text, &bytes, r->err));
    fsattn_status status = FSATTN_OK;
    int line = 1;
    for (const char *at = text; *at && status == FSATTN_OK; line++) {
        size_t length = strcspn(at, "\n");
        if (length > strspn(at, " \t\r")) {
            status = record_line(r, path, line, at, length);
        }
        at += length + (at[length] == '\n');
    }
    fsattn_free(text);
    return status;
}

/* What was recorded for a configuration, if anything was. */
static void apply_recorded(const fsattn_scripted_memory *memory, const char *key,
                           fsattn_scripted_conduct *conduct) {
    const json_t *event = json_object_get(memory->recorded, key);
    const char *word = json_string_value(json_object_get(event, "verdict"));
    fsattn_verdict verdict;
    if (!word || fsattn_verdict_parse(word, &verdict, NULL) != FSATTN_OK) {
        return;
    }
    conduct->fault = fault_of(verdict);
    const json_t *median = json_object_get(event, "median_ns"), *error = json_object_get(event, "error");
    conduct->cost_ns = json_is_number(median) ? json_number_value(median) : conduct->cost_ns;
    conduct->error = json_is_number(error) ? json_number_value(error) : conduct->error;
}

/* ---- life ---- */

static fsattn_status read_drift(const reader *r, const json_t *value) {
    for (size_t i = 0; i < json_array_size(value); i++) {
        const json_t *point = json_array_get(value, i);
        const json_t *before = i ? json_array_get(json_array_get(value, i - 1), 0) : NULL;
        if (json_array_size(point) != 2 || !json_is_number(json_array_get(point, 0)) ||
            !(json_number_value(json_array_get(point, 1)) > 0) ||
            (before && json_number_value(json_array_get(point, 0)) <= json_number_value(before))) {
            return fail_at(r, "drift",
                           "expected [[seconds, factor], ...], seconds ascending, factors above 0");
        }
    }
    r->memory->drift = value;
    return json_is_array(value) ? FSATTN_OK : fail_at(r, "drift", "expected [[seconds, factor], ...]");
}

static fsattn_status read_other(reader *r, const char *key, const json_t *value) {
    static const char *const provenances[] = {
#define X(name, text) text,
        FSATTN_PROVENANCE_LIST(X)
#undef X
    };
    if (!strcmp(key, "provenance")) {
        int index;
        FSATTN_TRY(read_word(r, key, value, provenances, sizeof provenances / sizeof provenances[0], &index));
        r->file->provenance = (fsattn_provenance)index;
        return FSATTN_OK;
    }
    if (!strcmp(key, "costs")) {
        const char *configuration;
        json_t *cost;
        double number;
        json_object_foreach((json_t *)value, configuration, cost) {
            FSATTN_TRY(read_real(r, key, cost, 0, &number));
        }
        r->memory->costs = value;
        return json_is_object(value) ? FSATTN_OK
                                     : fail_at(r, key, "expected an object of configurations and costs");
    }
    return !strcmp(key, "drift")      ? read_drift(r, value)
           : !strcmp(key, "recorded") ? read_recorded(r, value)
                                      : read_rules(r, value);
}

static fsattn_status read_file(reader *r) {
    fsattn_scripted_memory *memory = r->memory;
    json_error_t detail;
    memory->root = json_loads(memory->text, JSON_REJECT_DUPLICATES, &detail);
    if (!memory->root) {
        return fsattn_fail(r->err, FSATTN_PARSE, "%s:%d:%d: %s", r->file->path, detail.line, detail.column,
                           detail.text);
    }
    if (!json_is_object(memory->root)) {
        return fsattn_fail(r->err, FSATTN_PARSE, "%s:1:1: expected an object", r->file->path);
    }
    const char *key;
    json_t *value;
    json_object_foreach(memory->root, key, value) {
        const key_row *row;
        FSATTN_TRY(find_key(r, top_keys, sizeof top_keys / sizeof top_keys[0], key, &row));
        void *base = row->in_memory ? (void *)memory : (void *)r->file;
        FSATTN_TRY(row->kind == KEY_OTHER ? read_other(r, key, value)
                                          : read_key(r, row, value, (char *)base + row->offset));
    }
    return FSATTN_OK;
}

fsattn_status fsattn_scripted_file_open(const char *path, const fsattn_manifest *manifest,
                                        fsattn_scripted_file **file, fsattn_err *err) {
    fsattn_status status = FSATTN_OK;
    fsattn_scripted_file *made = fsattn_alloc(1, sizeof *made);
    fsattn_scripted_memory *memory = fsattn_alloc(1, sizeof *memory);
    if (!made || !memory) {
        fsattn_free(made);
        fsattn_free(memory);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
    }
    *made = (fsattn_scripted_file){.device = "scripted",
                                   .isa = "scripted",
                                   .verification = "",
                                   .provenance = FSATTN_MODELLED,
                                   .units = 1,
                                   .timer_resolution_ns = 1,
                                   .watchdog_s = 10,
                                   .start_s = 0.01,
                                   .seed = 1,
                                   .warmup_factor = 1,
                                   .cold_factor = 1,
                                   .memory = memory};
    *memory = (fsattn_scripted_memory){.manifest = manifest, .compile_s = 0.5, .verify_s = 0.1};
    memory->cost = (formula){.given = true, .number = 1000};
    memory->error = (formula){.given = true, .number = 1e-6};
    size_t bytes;
    made->path = fsattn_arena_strdup(&memory->arena, path);
    if (!made->path) {
        FSATTN_GOTO(fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path));
    }
    FSATTN_GOTO(fsattn_file_read(path, file_limit, &memory->text, &bytes, err));
    fsattn_hash hash = fsattn_hash_of(memory->text, bytes);
    char hex[fsattn_hash_hex_bytes];
    fsattn_hash_hex(&hash, hex);
    made->driver = fsattn_arena_printf(&memory->arena, "scripted %.16s", hex);
    reader r = {made, memory, -1, err};
    FSATTN_GOTO(read_file(&r));
    *file = made;
    made = NULL;
out:
    fsattn_scripted_file_close(made);
    return status;
}

void fsattn_scripted_file_close(fsattn_scripted_file *file) {
    if (!file) {
        return;
    }
    json_decref(file->memory->root);
    json_decref(file->memory->recorded);
    fsattn_free(file->memory->text);
    fsattn_arena_fini(&file->memory->arena);
    fsattn_free(file->memory);
    fsattn_free(file);
}

fsattn_status fsattn_scripted_file_conduct(const fsattn_scripted_file *file, const fsattn_setting *setting,
                                           const fsattn_config *config, double time_s,
                                           fsattn_scripted_conduct *conduct, fsattn_err *err) {
    const fsattn_scripted_memory *memory = file->memory;
    const fsattn_manifest *manifest = memory->manifest;
    fsattn_scripted_conduct result = {
        .proof_error = NAN, .noise = memory->noise, .compile_s = memory->compile_s, .verify_s = memory->verify_s};
    char problem[fsattn_problem_text_bytes];
    fsattn_problem_text(setting->problem, problem);
    fsattn_text key = {0};
    fsattn_text_printf(&key, "%s\n", problem);
    size_t prefix = key.bytes;
    fsattn_config_text(&manifest->parameters, config, &key);
    fsattn_status status = FSATTN_OK;
    if (key.failed) {
        FSATTN_GOTO(fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", file->path));
    }
    const char *configuration = key.data + prefix;
    FSATTN_GOTO(fsattn_sandbox_bind(fsattn_manifest_sandbox(manifest), manifest->target, setting, err));
    FSATTN_GOTO(evaluate(memory, &memory->cost, config, &result.cost_ns, err));
    FSATTN_GOTO(evaluate(memory, &memory->error, config, &result.error, err));
    const json_t *exact = json_object_get(memory->costs, configuration);
    result.cost_ns = exact ? json_number_value(exact) : result.cost_ns;
    apply_recorded(memory, key.data, &result);
    for (size_t i = 0; i < memory->rule_count; i++) {
        bool holds;
        FSATTN_GOTO(
            rule_holds(memory, &memory->rules[i], time_s, problem, configuration, config, &holds, err));
        if (holds) {
            FSATTN_GOTO(apply_rule(memory, &memory->rules[i], config, &result, err));
        }
    }
    *conduct = result;
out:
    fsattn_text_fini(&key);
    return status;
}

double fsattn_scripted_file_drift(const fsattn_scripted_file *file, double time_s) {
    const json_t *drift = file->memory->drift;
    double before_s = 0, before = 1;
    for (size_t i = 0; i < json_array_size(drift); i++) {
        double at_s = json_number_value(json_array_get(json_array_get(drift, i), 0));
        double factor = json_number_value(json_array_get(json_array_get(drift, i), 1));
        if (time_s < at_s) {
            return at_s > before_s ? before + (factor - before) * (time_s - before_s) / (at_s - before_s)
                                   : factor;
        }
        before_s = at_s;
        before = factor;
    }
    return before;
}
