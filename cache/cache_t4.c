/* t4: one problem's results for other tools. */
#include "cache_command.h"

#include "error.h"
#include "fsc_interval.h"
#include "t4.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What is exported: all results of one problem, template and place of measurement. */
typedef struct t4 {
    fsattn_store *store;
    fsattn_arena arena;
    void *results; /* fsattn_store_result */
    size_t count, capacity;
    json_t *list;
    bool unproven; /* imported results too */
} t4;

static fsattn_status no_memory(fsattn_err *err) {
    return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
}

/* ---- which results ---- */

/* Imported results are somebody else's: only on demand. */
static fsattn_status keep(void *data, const fsattn_store_result *result, fsattn_err *err) {
    t4 *t = data;
    fsattn_store_result kept;
    bool found;
    if (result->record.unproven && !t->unproven) {
        return FSATTN_OK;
    }
    FSATTN_TRY(fsattn_store_result_find(t->store, &result->record.result_key, &t->arena, &kept, &found, err));
    if (!found) {
        return FSATTN_OK;
    }
    if (fsattn_grow(&t->results, &t->capacity, t->count, sizeof kept)) {
        return no_memory(err);
    }
    ((fsattn_store_result *)t->results)[t->count++] = kept;
    return FSATTN_OK;
}

/* The default first: a replay begins with it. Otherwise in the order in which they were stored last: readers let the last count. */
static int compare(const void *left, const void *right) {
    const fsattn_store_result *a = left, *b = right;
    bool a_first = a->record.role == FSATTN_ROLE_DEFAULT, b_first = b->record.role == FSATTN_ROLE_DEFAULT;
    int step = b_first - a_first;
    step = step ? step : (a->recorded_ms > b->recorded_ms) - (a->recorded_ms < b->recorded_ms);
    return step ? step : fsattn_hash_compare(&a->record.result_key, &b->record.result_key);
}

/* One problem and one template there must be; of several places the one of the newest result is taken. */
static fsattn_status choose(t4 *t, fsattn_err *err) {
    fsattn_store_result *results = t->results, newest = {0};
    size_t kept = 0;
    for (size_t i = 0; i < t->count; i++) {
        const fsattn_fsc_record *first = &results[0].record, *record = &results[i].record;
        if (strcmp(first->problem_text, record->problem_text) != 0) {
            fsattn_fail(err, FSATTN_INVALID, "results of more than one problem, and T4 has no place for it");
            fsattn_hint(err, "name one: --problem '%s'", first->problem_text);
            return FSATTN_INVALID;
        }
        if (strcmp(first->template_name, record->template_name) != 0) {
            fsattn_fail(err, FSATTN_INVALID, "results of more than one template");
            fsattn_hint(err, "name one: --template %s, or --template %s", first->template_name, record->template_name);
            return FSATTN_INVALID;
        }
        newest = i == 0 || results[i].recorded_ms > newest.recorded_ms ? results[i] : newest;
    }
    for (size_t i = 0; i < t->count; i++) {
        if (!fsattn_store_place_compare(&newest.record.cost, &results[i].record.cost)) {
            results[kept++] = results[i];
        }
    }
    if (kept < t->count) {
        fsattn_err left = {0};
        fsattn_fail(&left, FSATTN_INVALID, "%zu results of other devices, drivers or ways to measure are left out",
                    t->count - kept);
        fsattn_cache_warn(NULL, &left);
    }
    t->count = kept;
    return FSATTN_OK;
}

/* ---- one result ---- */

static json_t *value_json(const char *text) {
    int64_t integer;
    double real;
    if (fsattn_text_integer(text, &integer)) {
        return json_integer((json_int_t)integer);
    }
    if (fsattn_text_real(text, &real)) {
        return json_real(real);
    }
    return !strcmp(text, "true") ? json_true() : !strcmp(text, "false") ? json_false() : json_string(text);
}

/* "a=1 b=x" as an object. */
static json_t *configuration_json(const char *configuration, fsattn_arena *arena) {
    json_t *object = json_object();
    char *text = fsattn_arena_strdup(arena, configuration), *rest = NULL;
    bool failed = !text;
    for (char *pair = failed ? NULL : strtok_r(text, " ", &rest); pair; pair = strtok_r(NULL, " ", &rest)) {
        char *equals = strchr(pair, '=');
        if (equals) {
            *equals = '\0';
            failed = json_object_set_new(object, pair, value_json(equals + 1)) != 0 || failed;
        }
    }
    if (failed) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static const char *word_of(const fsattn_store_result *result) {
    /* Too inaccurate for its space is not correct to who searches there. */
    if (fsattn_fsc_attribute(&result->record, FSATTN_STORE_BELOW_FLOOR)) {
        return "correctness";
    }
    static const char *const words[fsattn_verdict_count] = {
#define X(word, verdict) [FSATTN_VERDICT_##verdict] = word,
        FSATTN_T4_LIST(X)
#undef X
    };
    return words[result->verdict] ? words[result->verdict] : words[FSATTN_VERDICT_LAUNCH_FAILED];
}

/* The samples that the cost is the median of: of the shoot-out, which are the last, where there was one; an
 * imported result came without, and has its median. */
static json_t *runtimes_json(const fsattn_store_result *result, double *sum_ms) {
    json_t *list = json_array();
    const char *searched = fsattn_fsc_attribute(&result->record, FSATTN_STORE_SEARCH_SAMPLES);
    size_t first = searched ? (size_t)strtoull(searched, NULL, 10) : 0;
    first = result->confirmed && first < result->sample_count ? first : 0;
    *sum_ms = 0;
    for (size_t i = 0; i < result->sample_count; i++) {
        *sum_ms += result->samples[i] / 1e6;
        if (i >= first) {
            json_array_append_new(list, json_real(result->samples[i] / 1e6));
        }
    }
    if (result->record.unproven && !result->sample_count) {
        json_array_append_new(list, json_real(result->record.cost.median_ns / 1e6));
    }
    return list;
}

/* "2100 ? 1998" as numbers, what is unknown as null. */
static json_t *numbers_json(const char *text) {
    json_t *list = json_array();
    while (*text) {
        char *end;
        const double value = strtod(text, &end);
        json_array_append_new(list, end == text ? json_null() : json_real(value));
        text += strcspn(text, " ");
        text += *text == ' ';
    }
    return list;
}
/* In what state a GPU was when it timed the result (gpu_state.h): an attribute's values by its name, one for each timed run. */
static json_t *state_json(const fsattn_fsc_record *record) {
    static const char prefix[] = "gpu.";
    json_t *object = NULL;
    const fsattn_stage *last = record->stage_count ? &record->stages[record->stage_count - 1] : NULL;
    for (size_t i = 0; last && i < last->attribute_count; i++) {
        const fsattn_attribute *a = &last->attributes[i];
        if (strncmp(a->name, prefix, sizeof prefix - 1) != 0) {
            continue;
        }
        object = object ? object : json_object();
        json_object_set_new(object, a->name + sizeof prefix - 1,
                            strcmp(a->name, "gpu.partition") ? numbers_json(a->value) : json_string(a->value));
    }
    return object;
}

/* The sizes that it serves at a known price; NULL: none. */
static json_t *interval_json(const fsattn_fsc_record *record) {
    fsattn_fsc_interval interval;
    if (!fsattn_fsc_interval_of(record, &interval)) {
        return NULL;
    }
    json_t *object = json_pack("{s:s, s:I, s:I, s:I, s:f}", "axis", fsattn_fsc_interval_axis_text(interval.axis), "from", (json_int_t)interval.from, "to",
                               (json_int_t)interval.to, "shapes", (json_int_t)interval.shapes, "regret", interval.regret);
    if (object && !isnan(interval.beyond)) {
        json_object_set_new(object, "beyond", json_real(interval.beyond));
    }
    if (object && *interval.tier) {
        json_object_set_new(object, "tier", json_string(interval.tier));
    }
    return object;
}

static fsattn_status add_result(t4 *t, const fsattn_store_result *result, fsattn_err *err) {
    const fsattn_fsc_record *record = &result->record;
    const char *word = word_of(result);
    fsattn_store_build build = {0};
    bool built;
    char timestamp[32];
    const time_t seconds = (time_t)(result->recorded_ms / 1000);
    struct tm utc;
    double sum_ms;
    FSATTN_TRY(fsattn_store_build_find(t->store, &record->build_key, &t->arena, &build, &built, err));
    strftime(timestamp, sizeof timestamp, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
    json_t *runtimes = runtimes_json(result, &sum_ms);
    json_t *object = json_pack("{s:s, s:o, s:{s:f, s:f, s:o}, s:s, s:i, s:[], s:[s]}", "timestamp", timestamp, "configuration",
                               configuration_json(record->configuration, &t->arena), "times", "compilation_time",
                               built ? build.seconds * 1e3 : 0.0, "benchmark", sum_ms, "runtimes", runtimes, "invalidity",
                               word, "correctness", !strcmp(word, "correct"), "measurements", "objectives", "time");
    json_t *state = state_json(record);
    if (object && state) {
        json_object_set(object, "gpu_state", state);
    }
    json_decref(state);
    json_t *interval = interval_json(record);
    if (object && interval) {
        json_object_set(object, "interval", interval);
    }
    json_decref(interval);
    if (object && record->cost.samples) {
        json_array_append_new(json_object_get(object, "measurements"),
                              json_pack("{s:s, s:f, s:s}", "name", "time", "value", record->cost.median_ns / 1e6, "unit",
                                        "milliseconds"));
    }
    return object && !json_array_append_new(t->list, object) ? FSATTN_OK : no_memory(err);
}

/* ---- the file ---- */

static fsattn_status print_all(t4 *t, fsattn_err *err) {
    const fsattn_store_result *results = t->results;
    const fsattn_fsc_record *record = &results[0].record;
    fsattn_text out = {0};
    t->list = json_array();
    for (size_t i = 0; i < t->count; i++) {
        FSATTN_TRY(add_result(t, &results[i], err));
    }
    json_t *file = json_pack("{s:s, s:s, s:s, s:{s:s, s:s, s:s, s:s, s:s}, s:O}", "schema_version", "1.0.0", "device_name",
                             record->cost.device, "kernel_name", record->template_name, "metadata", "timeunit",
                             "milliseconds", "problem", record->problem_text, "isa", record->isa, "cost",
                             record->cost.provenance == FSATTN_MEASURED ? "measured" : "modelled", "policy",
                             record->cost.policy, "results", t->list);
    char *text = file ? json_dumps(file, JSON_INDENT(1) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17)) : NULL;
    json_decref(file);
    if (!text) {
        return no_memory(err);
    }
    fsattn_text_printf(&out, "%s\n", text);
    free(text);
    return fsattn_cache_print(&out, err);
}

fsattn_status fsattn_cache_t4(int argc, char **argv, fsattn_err *err) {
    fsattn_store_filter filter = {0};
    t4 t = {0};
    const char *positionals[1];
    const fsattn_option options[] = {
        {"--problem", "TEXT", FSATTN_OPTION_TEXT, &filter.problem, 0, 0,
         "of this problem (default: the only one of the store)"},
        {"--template", "NAME", FSATTN_OPTION_TEXT, &filter.template_name, 0, 0,
         "of this template (default: the only one of the problem)"},
        {"--unproven", NULL, FSATTN_OPTION_FLAG, &t.unproven, 0, 0,
         "imported results too, with their median for samples (default: no)"},
    };
    const fsattn_command command = {"fsattn-cache t4",
                                    "[FILE.db] [options]",
                                    "Prints all results of one problem as T4 JSON: configuration, times, what failed and why.",
                                    options,
                                    sizeof options / sizeof options[0],
                                    "FILE.db is a store (default: the user's tune.db). 'fsattn-tune --device replay:FILE' "
                                    "searches what was printed."};
    char problem[fsattn_problem_text_bytes];
    size_t count;
    bool done;
    fsattn_status status;
    FSATTN_TRY(fsattn_cache_parse(&command, argc, argv, positionals, 0, 1, &count, &done, err));
    if (done) {
        return FSATTN_OK;
    }
    FSATTN_TRY(fsattn_cache_problem(&filter.problem, problem, err));
    FSATTN_TRY(fsattn_cache_store(count ? positionals[0] : NULL, FSATTN_CACHE_STORE_READ, &t.store, err));
    FSATTN_GOTO(fsattn_store_results_each(t.store, &filter, keep, &t, err));
    if (t.count == 0) {
        status = filter.problem || filter.template_name ? fsattn_cache_no_results(err) : fsattn_fail(err, FSATTN_NOT_FOUND, "no results");
        goto out;
    }
    FSATTN_GOTO(choose(&t, err));
    qsort(t.results, t.count, sizeof(fsattn_store_result), compare);
    status = print_all(&t, err);
out:
    json_decref(t.list);
    fsattn_free(t.results);
    fsattn_arena_fini(&t.arena);
    fsattn_store_close(t.store);
    return status;
}
