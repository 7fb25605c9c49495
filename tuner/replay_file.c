#include "replay_file.h"

#include "error.h"
#include "json_stream.h"
#include "memory.h"
#include "replay_values.h"
#include "t4.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t text_limit = (size_t)4 << 30;
/* Old files mark failures by such a time. */
static const double failed_ms = 1e19;

struct fsattn_replay_memory {
    fsattn_arena arena;
    fsattn_replay_values *values;
    void *entries; /* fsattn_replay_entry */
    size_t count, capacity;
    uint32_t *slots; /* hash of configurations: entry + 1 */
    size_t slot_count;
    double unit_ns; /* of all times in a T4 file */
};

typedef struct reader {
    fsattn_replay_file *file;
    struct fsattn_replay_memory *memory;
    fsattn_json_stream stream;
    size_t at; /* of the result being read */
    fsattn_err *err;
} reader;

static fsattn_status no_memory(const reader *r) {
    return fsattn_fail(r->err, FSATTN_NO_MEMORY, "%s: out of memory", r->file->path);
}

/* ---- verdicts ---- */

/* X(word, verdict): Kernel Tuner's classes and T4's `invalidity`. */
#define FAILURE_LIST(X)                                                                                      \
    X("InvalidConfig", REJECTED)                                                                             \
    X("CompilationFailedConfig", BUILD_FAILED)                                                               \
    X("RuntimeFailedConfig", LAUNCH_FAILED)                                                                  \
    X("ErrorConfig", LAUNCH_FAILED)                                                                          \
    FSATTN_T4_LIST(X)

/* Anything else in the place of a time did not run. */
static fsattn_verdict verdict_of(const char *word) {
    static const struct {
        const char *word;
        fsattn_verdict verdict;
    } rows[] = {
#define X(word_, verdict_) {word_, FSATTN_VERDICT_##verdict_},
        FAILURE_LIST(X)
#undef X
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!strcmp(rows[i].word, word)) {
            return rows[i].verdict;
        }
    }
    return FSATTN_VERDICT_LAUNCH_FAILED;
}

/* ---- the entries ---- */

static uint64_t hash_of(const fsattn_config *config, size_t parameters) {
    uint64_t hash = 0x9E3779B97F4A7C15u;
    for (size_t p = 0; p < parameters; p++) {
        hash = (hash ^ config->index[p]) * 0xFF51AFD7ED558CCDu;
        hash ^= hash >> 32;
    }
    return hash;
}

static uint32_t *find_slot(const struct fsattn_replay_memory *memory, const fsattn_config *config, size_t parameters) {
    const fsattn_replay_entry *entries = memory->entries;
    size_t at = (size_t)hash_of(config, parameters) & (memory->slot_count - 1);
    while (memory->slots[at] && !fsattn_config_equal(&entries[memory->slots[at] - 1].config, config)) {
        at = (at + 1) & (memory->slot_count - 1);
    }
    return &memory->slots[at];
}

static fsattn_status grow_slots(reader *r) {
    struct fsattn_replay_memory *memory = r->memory;
    if (memory->slot_count > 2 * memory->count) {
        return FSATTN_OK;
    }
    size_t slot_count = memory->slot_count ? 2 * memory->slot_count : 1024;
    uint32_t *slots = fsattn_alloc(slot_count, sizeof *slots);
    if (!slots) {
        return no_memory(r);
    }
    fsattn_free(memory->slots);
    memory->slots = slots;
    memory->slot_count = slot_count;
    const fsattn_replay_entry *entries = memory->entries;
    for (size_t i = 0; i < memory->count; i++) {
        *find_slot(memory, &entries[i].config, fsattn_replay_values_count(memory->values)) = (uint32_t)i + 1;
    }
    return FSATTN_OK;
}

static fsattn_status add_entry(reader *r, const fsattn_replay_entry *entry) {
    struct fsattn_replay_memory *memory = r->memory;
    FSATTN_TRY(grow_slots(r));
    uint32_t *slot = find_slot(memory, &entry->config, fsattn_replay_values_count(memory->values));
    if (!*slot) {
        if (memory->count >= UINT32_MAX - 1 ||
            fsattn_grow(&memory->entries, &memory->capacity, memory->count, sizeof *entry)) {
            return no_memory(r);
        }
        *slot = (uint32_t)++memory->count;
    }
    ((fsattn_replay_entry *)memory->entries)[*slot - 1] = *entry;
    return FSATTN_OK;
}

/* ---- one result ---- */

static double number_or(const json_t *value, double fallback) {
    return json_is_number(value) ? json_number_value(value) : fallback;
}

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The median of the times; `fallback` when there is none. */
static fsattn_status median_of(reader *r, const double *times, size_t count, double fallback, double *median) {
    double *sorted = fsattn_alloc(count, sizeof *sorted);
    if (!sorted) {
        return no_memory(r);
    }
    memcpy(sorted, times, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_doubles);
    size_t middle = count / 2;
    *median = !count ? fallback : count % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    fsattn_free(sorted);
    return FSATTN_OK;
}

static fsattn_status take_times(reader *r, const json_t *times, double fallback, fsattn_replay_entry *entry) {
    size_t count = json_array_size(times);
    double *taken = fsattn_arena_alloc(&r->memory->arena, count, sizeof *taken), cost;
    if (!taken) {
        return no_memory(r);
    }
    for (size_t i = 0; i < count; i++) {
        taken[entry->time_count] = number_or(json_array_get(times, i), NAN);
        entry->time_count += isfinite(taken[entry->time_count]);
    }
    entry->times_ns = entry->time_count ? taken : NULL;
    /* The first time is left out unless it is the only one, or none that counts. */
    cost = fallback;
    bool skip = entry->time_count > 1 && json_is_number(json_array_get(times, 0));
    FSATTN_TRY(median_of(r, taken + skip, entry->time_count - skip, fallback, &cost));
    bool ok = entry->verdict == FSATTN_VERDICT_OK;
    if (ok && !(cost > 0 && cost < failed_ms)) {
        entry->verdict = isfinite(cost) ? FSATTN_VERDICT_LAUNCH_FAILED : FSATTN_VERDICT_UNTIMED;
    }
    entry->cost_ns = entry->verdict == FSATTN_VERDICT_OK ? cost : INFINITY;
    return FSATTN_OK;
}

static fsattn_status take_configuration(reader *r, const json_t *object, fsattn_replay_entry *entry) {
    for (size_t p = 0; p < fsattn_replay_values_count(r->memory->values); p++) {
        const char *name = fsattn_replay_values_name(r->memory->values, p);
        const json_t *value = json_object_get(object, name);
        if (!value) {
            return fsattn_json_stream_fail(&r->stream, r->at, r->err, "a result without the parameter '%.80s'", name);
        }
        fsattn_status status = fsattn_replay_values_index(r->memory->values, p, value, &entry->config.index[p], r->err);
        if (status == FSATTN_INVALID) {
            return fsattn_json_stream_fail(&r->stream, r->at, r->err, "%s",
                                           r->err ? r->err->message : "a value that cannot be one");
        }
        FSATTN_TRY(status);
    }
    return FSATTN_OK;
}

/* One entry of Kernel Tuner's cache. */
static fsattn_status take_cached(reader *r, const json_t *object) {
    fsattn_replay_entry entry = {.verdict = FSATTN_VERDICT_OK};
    const json_t *time = json_object_get(object, "time"), *error = json_object_get(object, "__error__");
    const char *word = json_string_value(error) ? json_string_value(error) : json_string_value(time);
    if (word && !fsattn_json_stream_no_number(word)) {
        entry.verdict = verdict_of(word);
    } else if (!time && !json_is_array(json_object_get(object, "times"))) {
        return fsattn_json_stream_fail(&r->stream, r->at, r->err, "a result without a time");
    }
    entry.compile_s = number_or(json_object_get(object, "compile_time"), 0);
    entry.verify_s = number_or(json_object_get(object, "verification_time"), 0);
    entry.run_s = number_or(json_object_get(object, "benchmark_time"), 0);
    FSATTN_TRY(take_configuration(r, object, &entry));
    FSATTN_TRY(take_times(r, json_object_get(object, "times"), number_or(time, NAN), &entry));
    return add_entry(r, &entry);
}

/* The value of the first objective among the measurements. */
static double objective_of(const json_t *object) {
    const char *wanted = json_string_value(json_array_get(json_object_get(object, "objectives"), 0));
    const json_t *measurements = json_object_get(object, "measurements");
    for (size_t i = 0; i < json_array_size(measurements); i++) {
        const json_t *measurement = json_array_get(measurements, i);
        const char *name = json_string_value(json_object_get(measurement, "name"));
        if (name && !strcmp(name, wanted ? wanted : "time")) {
            return number_or(json_object_get(measurement, "value"), NAN);
        }
    }
    return NAN;
}

static double time_of(const json_t *times, const char *name, const char *short_name) {
    return number_or(json_object_get(times, name), number_or(json_object_get(times, short_name), 0));
}

/* One result of a T4 file. The first one says what the parameters are. */
static fsattn_status take_result(reader *r, const json_t *object) {
    const json_t *configuration = json_object_get(object, "configuration");
    const json_t *times = json_object_get(object, "times");
    const char *invalidity = json_string_value(json_object_get(object, "invalidity"));
    if (!json_is_object(configuration)) {
        return fsattn_json_stream_fail(&r->stream, r->at, r->err, "a result without a configuration");
    }
    const char *name;
    json_t *value;
    if (!r->memory->count) {
        json_object_foreach((json_t *)configuration, name, value) {
            FSATTN_TRY(fsattn_replay_values_add(r->memory->values, name, r->err));
        }
    }
    fsattn_replay_entry entry = {.verdict = verdict_of(invalidity ? invalidity : "correct")};
    entry.compile_s = time_of(times, "compilation_time", "compilation");
    entry.verify_s = time_of(times, "validation", "validation");
    entry.run_s = time_of(times, "benchmark", "benchmark_time");
    FSATTN_TRY(take_configuration(r, configuration, &entry));
    FSATTN_TRY(take_times(r, json_object_get(times, "runtimes"), objective_of(object), &entry));
    return add_entry(r, &entry);
}

/* ---- the file ---- */

static fsattn_status read_cache(reader *r) {
    bool more;
    FSATTN_TRY(fsattn_json_stream_enter(&r->stream, '{', r->err));
    FSATTN_TRY(fsattn_json_stream_more(&r->stream, '}', &more, r->err));
    while (more) {
        json_t *key, *value;
        r->at = r->stream.at;
        FSATTN_TRY(fsattn_json_stream_key(&r->stream, &key, r->err));
        json_decref(key);
        FSATTN_TRY(fsattn_json_stream_value(&r->stream, &value, r->err));
        fsattn_status status = take_cached(r, value);
        json_decref(value);
        FSATTN_TRY(status);
        FSATTN_TRY(fsattn_json_stream_more(&r->stream, '}', &more, r->err));
    }
    return FSATTN_OK;
}

static fsattn_status read_results(reader *r) {
    bool more;
    FSATTN_TRY(fsattn_json_stream_enter(&r->stream, '[', r->err));
    FSATTN_TRY(fsattn_json_stream_more(&r->stream, ']', &more, r->err));
    while (more) {
        json_t *value;
        r->at = r->stream.at;
        FSATTN_TRY(fsattn_json_stream_value(&r->stream, &value, r->err));
        fsattn_status status = take_result(r, value);
        json_decref(value);
        FSATTN_TRY(status);
        FSATTN_TRY(fsattn_json_stream_more(&r->stream, ']', &more, r->err));
    }
    return FSATTN_OK;
}

static fsattn_status keep_text(reader *r, const json_t *value, const char **text) {
    *text = fsattn_arena_strdup(&r->memory->arena, json_string_value(value));
    return *text ? FSATTN_OK : no_memory(r);
}

/* "4096 x 4096", from a list or a number. */
static fsattn_status keep_size(reader *r, const json_t *value) {
    fsattn_text text = {0};
    if (json_is_integer(value)) {
        fsattn_text_printf(&text, "%lld", (long long)json_integer_value(value));
    }
    for (size_t i = 0; i < json_array_size(value); i++) {
        fsattn_text_printf(&text, "%s%g", i ? " x " : "", number_or(json_array_get(value, i), 0));
    }
    r->file->size = fsattn_arena_strdup(&r->memory->arena, text.data ? text.data : "");
    bool failed = text.failed || !r->file->size;
    fsattn_text_fini(&text);
    return failed ? no_memory(r) : FSATTN_OK;
}

static fsattn_status keep_keys(reader *r, const json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *name = json_string_value(json_array_get(list, i));
        if (name) {
            FSATTN_TRY(fsattn_replay_values_add(r->memory->values, name, r->err));
        }
    }
    return FSATTN_OK;
}

static fsattn_status keep_metadata(reader *r, const json_t *metadata) {
    static const struct {
        const char *name;
        double ns;
    } units[] = {{"nanoseconds", 1},    {"ns", 1},   {"microseconds", 1e3}, {"us", 1e3},
                 {"milliseconds", 1e6}, {"ms", 1e6}, {"seconds", 1e9},      {"s", 1e9}};
    const char *unit = json_string_value(json_object_get(metadata, "timeunit"));
    for (size_t i = 0; unit && i < sizeof units / sizeof units[0]; i++) {
        r->memory->unit_ns = strcmp(unit, units[i].name) ? r->memory->unit_ns : units[i].ns;
    }
    const json_t *problem = json_object_get(metadata, "problem");
    return json_is_string(problem) ? keep_text(r, problem, &r->file->problem) : FSATTN_OK;
}

static fsattn_status read_member(reader *r, const char *key, bool *has_results) {
    if (!strcmp(key, "cache") || !strcmp(key, "results")) {
        *has_results = true;
        return key[0] == 'c' ? read_cache(r) : read_results(r);
    }
    json_t *value;
    FSATTN_TRY(fsattn_json_stream_value(&r->stream, &value, r->err));
    fsattn_status status = FSATTN_OK;
    if (!strcmp(key, "device_name") && json_is_string(value)) {
        status = keep_text(r, value, &r->file->device);
    } else if (!strcmp(key, "kernel_name") && json_is_string(value)) {
        status = keep_text(r, value, &r->file->kernel);
    } else if (!strcmp(key, "problem_size")) {
        status = keep_size(r, value);
    } else if (!strcmp(key, "tune_params_keys")) {
        status = keep_keys(r, value);
    } else if (!strcmp(key, "metadata")) {
        status = keep_metadata(r, value);
    }
    json_decref(value);
    return status;
}

static fsattn_status read_all(reader *r) {
    bool more, has_results = false;
    FSATTN_TRY(fsattn_json_stream_enter(&r->stream, '{', r->err));
    FSATTN_TRY(fsattn_json_stream_more(&r->stream, '}', &more, r->err));
    while (more) {
        json_t *key;
        FSATTN_TRY(fsattn_json_stream_key(&r->stream, &key, r->err));
        fsattn_status status = read_member(r, json_string_value(key), &has_results);
        json_decref(key);
        FSATTN_TRY(status);
        FSATTN_TRY(fsattn_json_stream_more(&r->stream, '}', &more, r->err));
    }
    if (!has_results) {
        fsattn_json_stream_fail(&r->stream, 0, r->err, "neither \"cache\" nor \"results\"");
        fsattn_hint(r->err, "a replay reads cache files of Kernel Tuner and T4 results");
        return FSATTN_PARSE;
    }
    if (!r->memory->count || !fsattn_replay_values_count(r->memory->values)) {
        return fsattn_json_stream_fail(&r->stream, 0, r->err, "no results, or no parameters");
    }
    r->file->unclosed = r->stream.unclosed;
    return FSATTN_OK;
}

/* Gives the entries their units, and finds the best. */
static void finish_entries(reader *r) {
    fsattn_replay_entry *entries = r->memory->entries;
    double unit_ns = r->memory->unit_ns;
    r->file->entries = entries;
    r->file->count = r->file->best = r->memory->count;
    for (size_t i = 0; i < r->memory->count; i++) {
        fsattn_replay_entry *entry = &entries[i];
        double *times = (double *)entry->times_ns;
        for (size_t t = 0; t < entry->time_count; t++) {
            times[t] *= unit_ns;
        }
        entry->cost_ns *= unit_ns;
        entry->compile_s *= unit_ns / 1e9;
        entry->verify_s *= unit_ns / 1e9;
        entry->run_s *= unit_ns / 1e9;
        bool better = r->file->best == r->memory->count || entry->cost_ns < entries[r->file->best].cost_ns;
        r->file->best = entry->verdict == FSATTN_VERDICT_OK && better ? i : r->file->best;
    }
}

fsattn_status fsattn_replay_file_open(const char *path, fsattn_replay_file **file, fsattn_err *err) {
    fsattn_replay_file *made = fsattn_alloc(1, sizeof *made);
    struct fsattn_replay_memory *memory = fsattn_alloc(1, sizeof *memory);
    reader r = {.file = made, .memory = memory, .err = err};
    fsattn_status status = FSATTN_NO_MEMORY;
    if (!made || !memory) {
        fsattn_free(memory);
        fsattn_free(made);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
    }
    made->memory = memory;
    memory->unit_ns = 1e6;
    memory->values = fsattn_replay_values_create();
    const char *slash = strrchr(path, '/');
    made->path = fsattn_arena_strdup(&memory->arena, path);
    const char *name = slash ? slash + 1 : path;
    made->kernel = fsattn_arena_printf(&memory->arena, "%.*s", (int)strcspn(name, "."), name);
    made->device = "unknown";
    made->size = made->problem = "";
    if (!memory->values || !made->path || !made->kernel) {
        fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
        goto out;
    }
    FSATTN_GOTO(fsattn_json_stream_open(path, text_limit, &r.stream, err));
    made->hash = fsattn_hash_of(r.stream.text, r.stream.bytes);
    FSATTN_GOTO(read_all(&r));
    finish_entries(&r);
    FSATTN_GOTO(fsattn_replay_values_finish(memory->values, made->kernel, &memory->arena, &made->parameters, err));
    *file = made;
    made = NULL;
out:
    fsattn_json_stream_close(&r.stream);
    fsattn_replay_file_close(made);
    return status;
}

void fsattn_replay_file_close(fsattn_replay_file *file) {
    if (file) {
        fsattn_replay_values_destroy(file->memory->values);
        fsattn_free(file->memory->entries);
        fsattn_free(file->memory->slots);
        fsattn_arena_fini(&file->memory->arena);
        fsattn_free(file->memory);
        fsattn_free(file);
    }
}

const fsattn_replay_entry *fsattn_replay_file_find(const fsattn_replay_file *file, const fsattn_config *config) {
    uint32_t slot = *find_slot(file->memory, config, file->parameters.count);
    return slot ? &file->entries[slot - 1] : NULL;
}
