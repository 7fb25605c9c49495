#include "replay_values.h"

#include "error.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct axis {
    const char *name;
    json_t **values; /* int, real, bool, string */
    size_t count, capacity;
} axis;

struct fsattn_replay_values {
    fsattn_arena arena; /* names */
    axis axes[fsattn_parameter_limit];
    size_t count;
};

fsattn_replay_values *fsattn_replay_values_create(void) {
    return fsattn_alloc(1, sizeof(fsattn_replay_values));
}

void fsattn_replay_values_destroy(fsattn_replay_values *values) {
    if (!values) {
        return;
    }
    for (size_t p = 0; p < values->count; p++) {
        for (size_t i = 0; i < values->axes[p].count; i++) {
            json_decref(values->axes[p].values[i]);
        }
        fsattn_free(values->axes[p].values);
    }
    fsattn_arena_fini(&values->arena);
    fsattn_free(values);
}

fsattn_status fsattn_replay_values_add(fsattn_replay_values *values, const char *name, fsattn_err *err) {
    for (size_t p = 0; p < values->count; p++) {
        if (!strcmp(values->axes[p].name, name)) {
            return FSATTN_OK;
        }
    }
    if (values->count == fsattn_parameter_limit) {
        return fsattn_fail(err, FSATTN_INVALID, "more than %d parameters", fsattn_parameter_limit);
    }
    const char *kept = fsattn_arena_strdup(&values->arena, name);
    if (!kept) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    }
    values->axes[values->count++] = (axis){.name = kept};
    return FSATTN_OK;
}

size_t fsattn_replay_values_count(const fsattn_replay_values *values) {
    return values->count;
}

const char *fsattn_replay_values_name(const fsattn_replay_values *values, size_t parameter) {
    return values->axes[parameter].name;
}

/* 1 and 1.0 are one value: tools differ in how they write it. */
static bool same_value(const json_t *a, const json_t *b) {
    return json_is_number(a) && json_is_number(b) ? json_number_value(a) == json_number_value(b) : json_equal(a, b);
}

fsattn_status fsattn_replay_values_index(fsattn_replay_values *values, size_t parameter, const json_t *value,
                                         uint16_t *index, fsattn_err *err) {
    axis *a = &values->axes[parameter];
    for (size_t i = 0; i < a->count; i++) {
        if (same_value(a->values[i], value)) {
            *index = (uint16_t)i;
            return FSATTN_OK;
        }
    }
    if (!json_is_number(value) && !json_is_boolean(value) && !json_is_string(value)) {
        return fsattn_fail(err, FSATTN_INVALID, "%s: a value must be a number, a string, true or false", a->name);
    }
    if (a->count == fsattn_parameter_value_limit) {
        return fsattn_fail(err, FSATTN_INVALID, "%s: more than %d values", a->name, fsattn_parameter_value_limit);
    }
    if (fsattn_grow((void **)&a->values, &a->capacity, a->count, sizeof *a->values)) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    }
    *index = (uint16_t)a->count;
    a->values[a->count++] = json_incref((json_t *)value);
    return FSATTN_OK;
}

/* ---- types ---- */

static fsattn_value_type type_of(const axis *a) {
    bool integers = true, numbers = true, booleans = true;
    for (size_t i = 0; i < a->count; i++) {
        integers = integers && json_is_integer(a->values[i]);
        numbers = numbers && json_is_number(a->values[i]);
        booleans = booleans && json_is_boolean(a->values[i]);
    }
    return integers ? FSATTN_VALUE_INT : numbers ? FSATTN_VALUE_REAL : booleans ? FSATTN_VALUE_BOOL : FSATTN_VALUE_ENUM;
}

/* A word for the i-th value that none before it has. */
static char *word_of(const axis *a, const fsattn_value *before, size_t i, fsattn_arena *arena) {
    const json_t *value = a->values[i];
    char *dumped = json_is_string(value) ? NULL : json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(9));
    const char *text = json_is_string(value) ? json_string_value(value) : dumped ? dumped : "";
    char *word = fsattn_arena_printf(arena, "%s", *text ? text : "_");
    free(dumped);
    for (char *c = word; c && *c; c++) {
        *c = isalnum((unsigned char)*c) || strchr("_.+-", *c) ? *c : '_';
    }
    for (size_t j = 0; word && j < i; j++) {
        if (!strcmp(before[j].word, word)) {
            word = fsattn_arena_printf(arena, "%s_%zu", word, i);
            j = (size_t)-1;
        }
    }
    return word;
}

static fsattn_status finish_axis(const axis *a, fsattn_arena *arena, fsattn_parameter *parameter, fsattn_err *err) {
    fsattn_value *values = fsattn_arena_alloc(arena, a->count, sizeof *values);
    const char *name = fsattn_arena_strdup(arena, a->name);
    fsattn_value_type type = type_of(a);
    if (!values || !name) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < a->count; i++) {
        const json_t *value = a->values[i];
        values[i].type = type;
        if (type == FSATTN_VALUE_INT) {
            values[i].integer = json_integer_value(value);
        } else if (type == FSATTN_VALUE_REAL) {
            values[i].real = json_number_value(value);
        } else if (type == FSATTN_VALUE_BOOL) {
            values[i].boolean = json_is_true(value);
        } else if (!(values[i].word = word_of(a, values, i, arena))) {
            return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
        }
    }
    *parameter = (fsattn_parameter){
        .name = name, .help = "from the result file", .type = type, .values = values, .value_count = a->count};
    return FSATTN_OK;
}

fsattn_status fsattn_replay_values_finish(const fsattn_replay_values *values, const char *template_name,
                                          fsattn_arena *arena, fsattn_parameter_set *set, fsattn_err *err) {
    fsattn_parameter *items = fsattn_arena_alloc(arena, values->count, sizeof *items);
    if (!items) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    }
    for (size_t p = 0; p < values->count; p++) {
        FSATTN_TRY(finish_axis(&values->axes[p], arena, &items[p], err));
    }
    *set = (fsattn_parameter_set){.template_name = template_name, .items = items, .count = values->count};
    fsattn_parameter_set_sort(set);
    return FSATTN_OK;
}
