#include "space_read.h"

#include "error.h"
#include "inputs.h"
#include "nearest.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
enum { name_bytes = 128, key_limit = 64 };

void *fsattn_space_read_alloc(fsattn_space_reader *reader, size_t count, size_t size) {
    void *memory = fsattn_arena_alloc(reader->arena, count ? count : 1, size);
    if (!memory) {
        fsattn_fail(reader->err, FSATTN_NO_MEMORY, "%s: out of memory", reader->space->path);
    }
    return memory;
}

/* ---- maps ---- */

fsattn_status fsattn_space_read_expect(fsattn_space_reader *reader, const char *name, const fsattn_space_yaml *node,
                                       fsattn_space_yaml_kind kind) {
    static const char *const kinds[] = {[FSATTN_SPACE_YAML_SCALAR] = "one value",
                                        [FSATTN_SPACE_YAML_LIST] = "a list",
                                        [FSATTN_SPACE_YAML_MAP] = "a map"};
    static const char *const fixes[] = {[FSATTN_SPACE_YAML_SCALAR] = "write one value behind the colon",
                                        [FSATTN_SPACE_YAML_LIST] = "write [a, b], or '- a' lines below it",
                                        [FSATTN_SPACE_YAML_MAP] = "write {key: value}, or 'key: value' lines below it"};
    if (node->kind == kind) {
        return FSATTN_OK;
    }
    fsattn_space_fail(reader->space, node->place, reader->err, "%s: expected %s, got %s", name, kinds[kind],
                      fsattn_space_yaml_text(node));
    fsattn_hint(reader->err, "%s", fixes[kind]);
    return FSATTN_PARSE;
}

fsattn_status fsattn_space_read_unknown(fsattn_space_reader *reader, const char *what, const fsattn_space_yaml *key,
                                        const char *const *names, size_t count) {
    fsattn_space_fail(reader->space, key->place, reader->err, "%s%sunknown key '%.60s'", what, *what ? ": " : "",
                      key->text);
    fsattn_nearest_hint(reader->err, key->text, names, count);
    return FSATTN_PARSE;
}

static const fsattn_space_yaml *find(const fsattn_space_yaml *node, const char *key) {
    for (size_t i = 0; i < node->count; i++) {
        if (!strcmp(node->keys[i].text, key)) {
            return &node->items[i];
        }
    }
    return NULL;
}

static fsattn_status check_keys(fsattn_space_reader *reader, const char *what, const fsattn_space_yaml *node,
                                const fsattn_space_key *keys, size_t count) {
    const char *names[key_limit];
    for (size_t i = 0; i < count; i++) {
        names[i] = keys[i].name;
    }
    for (size_t i = 0; i < node->count; i++) {
        bool known = false;
        for (size_t k = 0; k < count; k++) {
            known |= !strcmp(names[k], node->keys[i].text);
        }
        if (!known) {
            return fsattn_space_read_unknown(reader, what, &node->keys[i], names, count);
        }
    }
    return FSATTN_OK;
}

fsattn_status fsattn_space_read_map(fsattn_space_reader *reader, const char *what, const fsattn_space_yaml *node,
                                    const fsattn_space_key *keys, size_t count, void *object) {
    FSATTN_TRY(fsattn_space_read_expect(reader, *what ? what : "the file", node, FSATTN_SPACE_YAML_MAP));
    FSATTN_TRY(check_keys(reader, what, node, keys, count));
    for (size_t i = 0; i < count; i++) {
        const fsattn_space_yaml *value = find(node, keys[i].name);
        char name[name_bytes];
        snprintf(name, sizeof name, "%s%s%s", what, *what ? "." : "", keys[i].name);
        if (!value && keys[i].required) {
            fsattn_space_fail(reader->space, node->place, reader->err, "%s%s'%s' is missing", what, *what ? ": " : "",
                              keys[i].name);
            fsattn_hint(reader->err, "add '%s: ...'; spaces/README.md has the schema", keys[i].name);
            return FSATTN_PARSE;
        }
        if (value) {
            FSATTN_TRY(keys[i].read(reader, &keys[i], name, value, (char *)object + keys[i].offset));
        }
    }
    return FSATTN_OK;
}

/* ---- scalars ---- */

fsattn_status fsattn_space_read_value(fsattn_space_reader *reader, const char *name, const fsattn_space_yaml *node,
                                      fsattn_value_type type, fsattn_value *value) {
    fsattn_err detail = {0};
    FSATTN_TRY(fsattn_space_read_expect(reader, name, node, FSATTN_SPACE_YAML_SCALAR));
    if (node->style != FSATTN_SPACE_YAML_PLAIN && type != FSATTN_VALUE_ENUM) {
        fsattn_space_fail(reader->space, node->place, reader->err, "%s: expected type %s, got the text \"%.80s\"", name,
                          fsattn_value_type_text(type), node->text);
        fsattn_hint(reader->err, "write it without quotes, on the line of its key");
        return FSATTN_PARSE;
    }
    if (fsattn_value_parse(type, node->text, value, &detail) != FSATTN_OK) {
        fsattn_space_fail(reader->space, node->place, reader->err, "%s: %s", name, detail.message);
        fsattn_hint(reader->err, "%s", detail.hint);
        return FSATTN_PARSE;
    }
    return FSATTN_OK;
}

static fsattn_status check_range(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                 const fsattn_space_yaml *node, double number) {
    if ((key->minimum == 0 && key->maximum == 0) || (number >= key->minimum && number <= key->maximum)) {
        return FSATTN_OK;
    }
    fsattn_space_fail(reader->space, node->place, reader->err, "%s: %s is out of range", name, node->text);
    const bool whole = key->minimum == floor(key->minimum) && key->maximum == floor(key->maximum);
    fsattn_hint(reader->err, whole ? "from %.0f to %.0f" : "from %.15g to %.15g", key->minimum, key->maximum);
    return FSATTN_PARSE;
}

fsattn_status fsattn_space_read_integer(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                        const fsattn_space_yaml *node, void *member) {
    fsattn_value value;
    FSATTN_TRY(fsattn_space_read_value(reader, name, node, FSATTN_VALUE_INT, &value));
    FSATTN_TRY(check_range(reader, key, name, node, (double)value.integer));
    *(int64_t *)member = value.integer;
    return FSATTN_OK;
}

fsattn_status fsattn_space_read_real(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                     const fsattn_space_yaml *node, void *member) {
    fsattn_value value;
    FSATTN_TRY(fsattn_space_read_value(reader, name, node, FSATTN_VALUE_REAL, &value));
    FSATTN_TRY(check_range(reader, key, name, node, value.real));
    *(double *)member = value.real;
    return FSATTN_OK;
}

fsattn_status fsattn_space_read_word(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                     const fsattn_space_yaml *node, void *member) {
    (void)key;
    fsattn_value value;
    FSATTN_TRY(fsattn_space_read_value(reader, name, node, FSATTN_VALUE_ENUM, &value));
    *(const char **)member = value.word;
    return FSATTN_OK;
}

fsattn_status fsattn_space_read_line(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                     const fsattn_space_yaml *node, void *member) {
    (void)key;
    FSATTN_TRY(fsattn_space_read_expect(reader, name, node, FSATTN_SPACE_YAML_SCALAR));
    if (!*node->text || strchr(node->text, '\n')) {
        fsattn_space_fail(reader->space, node->place, reader->err, "%s: expected one line of text, got %s", name,
                          *node->text ? "several" : "nothing");
        fsattn_hint(reader->err, "write the text behind the colon");
        return FSATTN_PARSE;
    }
    *(const char **)member = node->text;
    return FSATTN_OK;
}

static bool is_unlimited(const fsattn_space_yaml *node) {
    return node->kind == FSATTN_SPACE_YAML_SCALAR && !strcmp(node->text, "unlimited");
}

fsattn_status fsattn_space_read_unlimited(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                          const fsattn_space_yaml *node, void *member) {
    if (is_unlimited(node)) {
        *(int64_t *)member = INT64_MAX;
        return FSATTN_OK;
    }
    return fsattn_space_read_integer(reader, key, name, node, member);
}

static fsattn_status read_seconds(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                  const fsattn_space_yaml *node, void *member) {
    if (is_unlimited(node)) {
        *(double *)member = INFINITY;
        return FSATTN_OK;
    }
    return fsattn_space_read_real(reader, key, name, node, member);
}

fsattn_status fsattn_space_read_choice(fsattn_space_reader *reader, const char *name, const fsattn_space_yaml *node,
                                       const char *const *words, size_t *index) {
    fsattn_value value;
    FSATTN_TRY(fsattn_space_read_value(reader, name, node, FSATTN_VALUE_ENUM, &value));
    size_t count = 0;
    for (; words[count]; count++) {
        if (!strcmp(words[count], value.word)) {
            *index = count;
            return FSATTN_OK;
        }
    }
    fsattn_space_fail(reader->space, node->place, reader->err, "%s: unknown value '%.60s'", name, value.word);
    fsattn_nearest_hint(reader->err, value.word, words, count);
    return FSATTN_PARSE;
}

/* ---- objective, accuracy, measurement, strategy, budget ---- */

fsattn_status fsattn_space_read_objective(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                          const fsattn_space_yaml *node, void *member) {
    static const char *const words[] = {[FSATTN_OBJECTIVE_TIME] = "time", NULL};
    (void)key;
    size_t index;
    FSATTN_TRY(fsattn_space_read_choice(reader, name, node, words, &index));
    *(fsattn_objective *)member = (fsattn_objective)index;
    return FSATTN_OK;
}

static fsattn_status read_distribution(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                       const fsattn_space_yaml *node, void *member) {
    FSATTN_TRY(fsattn_space_read_word(reader, key, name, node, member));
    fsattn_distribution distribution;
    fsattn_err detail = {0};
    if (fsattn_distribution_parse(reader->space->accuracy.distribution, &distribution, &detail) != FSATTN_OK) {
        fsattn_space_fail(reader->space, node->place, reader->err, "%s", detail.message);
        fsattn_hint(reader->err, "%s", detail.hint);
        return FSATTN_PARSE;
    }
    reader->space->accuracy.distribution_place = node->place;
    return FSATTN_OK;
}

fsattn_status fsattn_space_read_accuracy(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                         const fsattn_space_yaml *node, void *member) {
#define MEMBER(member) offsetof(fsattn_space_accuracy, member)
    static const fsattn_space_key keys[] = {
        {.name = "distribution", .read = read_distribution, .offset = MEMBER(distribution)},
        {.name = "max_relative_error", .read = fsattn_space_read_real, .offset = MEMBER(max_relative_error),
         .minimum = 1e-300, .maximum = 1e300},
        {.name = "max_error", .read = fsattn_space_read_real, .offset = MEMBER(max_error), .minimum = 1e-300,
         .maximum = 1e300},
        {.name = "min_cosine", .read = fsattn_space_read_real, .offset = MEMBER(min_cosine), .minimum = -1,
         .maximum = 1},
    };
#undef MEMBER
    (void)key;
    ((fsattn_space_accuracy *)member)->place = node->place;
    return fsattn_space_read_map(reader, name, node, keys, COUNT(keys), member);
}

static fsattn_status read_cache(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                const fsattn_space_yaml *node, void *member) {
    static const char *const words[] = {"warm", "cold", NULL};
    (void)key;
    size_t index;
    FSATTN_TRY(fsattn_space_read_choice(reader, name, node, words, &index));
    *(bool *)member = index == 1;
    return FSATTN_OK;
}

fsattn_status fsattn_space_read_measurement(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                            const fsattn_space_yaml *node, void *member) {
#define MEMBER(member) offsetof(fsattn_space_measurement, member)
    static const fsattn_space_key keys[] = {
        {.name = "warmup", .read = fsattn_space_read_integer, .offset = MEMBER(warmup), .minimum = 0, .maximum = 1e6},
        {.name = "samples_min", .read = fsattn_space_read_integer, .offset = MEMBER(samples_min), .minimum = 1,
         .maximum = 1e6},
        {.name = "samples_max", .read = fsattn_space_read_integer, .offset = MEMBER(samples_max), .minimum = 1,
         .maximum = 1e6},
        {.name = "spread", .read = fsattn_space_read_real, .offset = MEMBER(spread), .minimum = 0, .maximum = 1},
        {.name = "cache", .read = read_cache, .offset = MEMBER(cold)},
        {.name = "time_limit_s", .read = fsattn_space_read_real, .offset = MEMBER(time_limit_s), .minimum = 1e-3,
         .maximum = 86400},
    };
#undef MEMBER
    (void)key;
    fsattn_space_measurement *measurement = member;
    measurement->place = node->place;
    FSATTN_TRY(fsattn_space_read_map(reader, name, node, keys, COUNT(keys), member));
    if (measurement->samples_min > measurement->samples_max) {
        fsattn_space_fail(reader->space, node->place, reader->err,
                          "%s: samples_min %" PRId64 " is larger than samples_max %" PRId64, name,
                          measurement->samples_min, measurement->samples_max);
        fsattn_hint(reader->err, "raise samples_max to at least %" PRId64, measurement->samples_min);
        return FSATTN_PARSE;
    }
    return FSATTN_OK;
}

/* The keys of the strategy itself; every other key is an option, which the strategy checks. */
static fsattn_status read_strategy_pair(fsattn_space_reader *reader, fsattn_space_strategy *strategy, const char *what,
                                        const fsattn_space_yaml *key, const fsattn_space_yaml *value,
                                        fsattn_space_option *option) {
    static const fsattn_space_key seed_range = {.minimum = 0, .maximum = 0x1p63};
    char name[name_bytes];
    snprintf(name, sizeof name, "%s.%.60s", what, key->text);
    if (!strcmp(key->text, "name")) {
        strategy->place = value->place;
        return fsattn_space_read_word(reader, NULL, name, value, &strategy->name);
    }
    if (!strcmp(key->text, "seed")) {
        int64_t seed;
        FSATTN_TRY(fsattn_space_read_integer(reader, &seed_range, name, value, &seed));
        strategy->seed = (uint64_t)seed;
        return FSATTN_OK;
    }
    FSATTN_TRY(fsattn_space_read_line(reader, NULL, name, value, &option->value));
    option->name = key->text;
    option->name_place = key->place;
    option->place = value->place;
    strategy->option_count++;
    return FSATTN_OK;
}

/* "strategy: random", or a map. Options are kept sorted by name: their order carries no meaning. */
fsattn_status fsattn_space_read_strategy(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                         const fsattn_space_yaml *node, void *member) {
    fsattn_space_strategy *strategy = member;
    if (node->kind == FSATTN_SPACE_YAML_SCALAR) {
        strategy->place = node->place;
        return fsattn_space_read_word(reader, key, name, node, &strategy->name);
    }
    FSATTN_TRY(fsattn_space_read_expect(reader, name, node, FSATTN_SPACE_YAML_MAP));
    fsattn_space_option *options = fsattn_space_read_alloc(reader, node->count, sizeof *options);
    if (!options) {
        return FSATTN_NO_MEMORY;
    }
    strategy->options = options;
    for (size_t i = 0; i < node->count; i++) {
        fsattn_space_option option = {0};
        FSATTN_TRY(read_strategy_pair(reader, strategy, name, &node->keys[i], &node->items[i], &option));
        if (option.name) {
            size_t at = strategy->option_count - 1;
            for (; at && strcmp(options[at - 1].name, option.name) > 0; at--) {
                options[at] = options[at - 1];
            }
            options[at] = option;
        }
    }
    return FSATTN_OK;
}

fsattn_status fsattn_space_read_budget(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                       const fsattn_space_yaml *node, void *member) {
#define MEMBER(member) offsetof(fsattn_space_budget, member)
    static const fsattn_space_key keys[] = {
        {.name = "seconds", .read = read_seconds, .offset = MEMBER(seconds), .minimum = 1e-3, .maximum = 1e9},
        {.name = "evaluations", .read = fsattn_space_read_unlimited, .offset = MEMBER(evaluations), .minimum = 1,
         .maximum = 1e15},
    };
#undef MEMBER
    (void)key;
    ((fsattn_space_budget *)member)->place = node->place;
    return fsattn_space_read_map(reader, name, node, keys, COUNT(keys), member);
}
