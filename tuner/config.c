#include "config.h"

#include "error.h"
#include "memory.h"
#include "nearest.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *const type_texts[] = {
#define X(name, text) [FSATTN_VALUE_##name] = text,
    FSATTN_VALUE_TYPE_LIST(X)
#undef X
};

const char *fsattn_value_type_text(fsattn_value_type type) {
    return (unsigned)type < sizeof type_texts / sizeof type_texts[0] ? type_texts[type] : "?";
}

/* ---- values ---- */

/* The shortest decimal that reads back as the same double, recognisable as a real. */
static void real_text(double real, fsattn_text *text) {
    char digits[40];
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, real);
        if (strtod(digits, NULL) == real) {
            break;
        }
    }
    fsattn_text_puts(text, digits);
    if (!strpbrk(digits, ".en")) {
        fsattn_text_puts(text, ".0");
    }
}

void fsattn_value_text(const fsattn_value *value, fsattn_text *text) {
    switch (value->type) {
    case FSATTN_VALUE_INT:
        fsattn_text_printf(text, "%" PRId64, value->integer);
        break;
    case FSATTN_VALUE_REAL:
        real_text(value->real, text);
        break;
    case FSATTN_VALUE_BOOL:
        fsattn_text_puts(text, value->boolean ? "true" : "false");
        break;
    case FSATTN_VALUE_ENUM:
        fsattn_text_puts(text, value->word);
        break;
    }
}

bool fsattn_value_equal(const fsattn_value *a, const fsattn_value *b) {
    if (a->type != b->type) {
        return false;
    }
    switch (a->type) {
    case FSATTN_VALUE_INT:
        return a->integer == b->integer;
    case FSATTN_VALUE_REAL:
        return a->real == b->real;
    case FSATTN_VALUE_BOOL:
        return a->boolean == b->boolean;
    case FSATTN_VALUE_ENUM:
        return !strcmp(a->word, b->word);
    }
    return false;
}

/* Skips the digits of a decimal integer without leading zeros; NULL when there is none. */
static const char *skip_integer(const char *at) {
    if (!isdigit((unsigned char)*at) || (*at == '0' && isdigit((unsigned char)at[1]))) {
        return NULL;
    }
    while (isdigit((unsigned char)*at)) {
        at++;
    }
    return at;
}

static bool is_integer(const char *text) {
    const char *end = skip_integer(text + (*text == '-'));
    return end && !*end;
}

/* JSON's grammar of numbers. */
static bool is_real(const char *text) {
    const char *at = skip_integer(text + (*text == '-'));
    if (at && *at == '.') {
        at = isdigit((unsigned char)at[1]) ? at + 1 + strspn(at + 1, "0123456789") : NULL;
    }
    if (at && (*at == 'e' || *at == 'E')) {
        at += 1 + (at[1] == '+' || at[1] == '-');
        at = isdigit((unsigned char)*at) ? at + strspn(at, "0123456789") : NULL;
    }
    return at && !*at;
}

/* Removes the underscores that some notations allow between digits. */
static void without_underscores(const char *text, char *clean, size_t bytes) {
    size_t used = 0;
    for (; *text && used + 1 < bytes; text++) {
        if (*text != '_') {
            clean[used++] = *text;
        }
    }
    clean[used] = '\0';
}

static void hint_integer(const char *text, fsattn_err *err) {
    char clean[64], *end;
    without_underscores(text, clean, sizeof clean);
    const char *digits = clean + (*clean == '-' || *clean == '+');
    errno = 0;
    bool octal = digits[0] == '0' && (digits[1] == 'o' || digits[1] == 'O');
    int base = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X') ? 16 : 10;
    long long integer = octal ? strtoll(digits + 2, &end, 8) : strtoll(clean, &end, base);
    if (end != clean && !*end && !errno) {
        bool leading = base == 10 && !octal && digits[0] == '0' && digits[1];
        if (leading && strspn(digits, "01234567") == strlen(digits)) {
            fsattn_hint(err, "write %lld (or %lld if octal was meant)", integer, strtoll(digits, NULL, 8));
        } else {
            fsattn_hint(err, "write %lld", integer);
        }
        return;
    }
    const bool large = end != clean && !*end && errno == ERANGE;
    double real = strtod(clean, &end);
    if (large) {
        fsattn_hint(err, "it is too large: an integer has 63 bits, at most %lld", (long long)INT64_MAX);
    } else if (end != clean && !*end && fabs(real) < 0x1p53 && real == floor(real)) {
        fsattn_hint(err, "write %.0f", real);
    } else {
        fsattn_hint(err, "write a decimal integer");
    }
}

static void hint_real(const char *text, fsattn_err *err) {
    char clean[64], *end;
    without_underscores(text, clean, sizeof clean);
    double real = strtod(clean, &end);
    if (end != clean && !*end && isfinite(real)) {
        fsattn_text number = {0};
        real_text(real, &number);
        fsattn_hint(err, "write %s", number.data ? number.data : "a decimal number");
        fsattn_text_fini(&number);
    } else {
        fsattn_hint(err, "write a finite decimal number such as 0.5 or 1e-3");
    }
}

static void hint_boolean(const char *text, fsattn_err *err) {
    static const struct {
        const char *word, *meant;
    } words[] = {{"yes", "true"}, {"on", "true"},   {"y", "true"}, {"true", "true"},   {"1", "true"},
                 {"no", "false"}, {"off", "false"}, {"n", "false"}, {"false", "false"}, {"0", "false"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (!strcasecmp(text, words[i].word)) {
            fsattn_hint(err, "write %s", words[i].meant);
            return;
        }
    }
    fsattn_hint(err, "write true or false");
}

static bool is_word(const char *text) {
    return *text && text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.+-")] == '\0';
}

static bool parse_int(const char *text, fsattn_value *value) {
    errno = 0;
    value->integer = strtoll(text, NULL, 10);
    return is_integer(text) && !errno && strcmp(text, "-0") != 0;
}

static bool parse_real(const char *text, fsattn_value *value) {
    value->real = strtod(text, NULL);
    if (value->real == 0) {
        value->real = 0; /* -0 has another text and the same meaning */
    }
    return is_real(text) && isfinite(value->real);
}

static bool parse_bool(const char *text, fsattn_value *value) {
    value->boolean = !strcmp(text, "true");
    return value->boolean || !strcmp(text, "false");
}

static bool parse_enum(const char *text, fsattn_value *value) {
    value->word = text;
    return is_word(text);
}

static void hint_word(const char *text, fsattn_err *err) {
    (void)text;
    fsattn_hint(err, "a word consists of letters, digits, '_', '.', '+' and '-'");
}

static const struct {
    const char *expected;
    bool (*parse)(const char *text, fsattn_value *value);
    void (*hint)(const char *text, fsattn_err *err);
} readers[] = {
    [FSATTN_VALUE_INT] = {"an integer", parse_int, hint_integer},
    [FSATTN_VALUE_REAL] = {"a number", parse_real, hint_real},
    [FSATTN_VALUE_BOOL] = {"true or false", parse_bool, hint_boolean},
    [FSATTN_VALUE_ENUM] = {"a word", parse_enum, hint_word},
};

fsattn_status fsattn_value_parse(fsattn_value_type type, const char *text, fsattn_value *value, fsattn_err *err) {
    fsattn_value read = {.type = type};
    if (!readers[type].parse(text, &read)) {
        fsattn_fail(err, FSATTN_PARSE, "expected %s, got '%.80s'", readers[type].expected, text);
        readers[type].hint(text, err);
        return FSATTN_PARSE;
    }
    *value = read;
    return FSATTN_OK;
}

/* ---- parameters ---- */

void fsattn_parameter_set_sort(fsattn_parameter_set *set) {
    for (size_t i = 0; i < set->count; i++) {
        size_t at = i;
        while (at && strcmp(set->items[set->by_name[at - 1]].name, set->items[i].name) > 0) {
            set->by_name[at] = set->by_name[at - 1];
            at--;
        }
        set->by_name[at] = (uint16_t)i;
    }
}

const fsattn_parameter *fsattn_parameter_find(const fsattn_parameter_set *set, const char *name, size_t *index) {
    for (size_t i = 0; i < set->count; i++) {
        if (!strcmp(set->items[i].name, name)) {
            if (index) {
                *index = i;
            }
            return &set->items[i];
        }
    }
    return NULL;
}

static void hint_legal(const fsattn_parameter *parameter, fsattn_err *err) {
    fsattn_text legal = {0};
    for (size_t i = 0; i < parameter->value_count && legal.bytes < 400; i++) {
        fsattn_text_puts(&legal, i ? ", " : "");
        fsattn_value_text(&parameter->values[i], &legal);
    }
    fsattn_hint(err, "legal values: %s%s", legal.data ? legal.data : "?",
                legal.bytes < 400 ? "" : ", ...");
    fsattn_text_fini(&legal);
}

fsattn_status fsattn_parameter_value_find(const fsattn_parameter *parameter, const fsattn_value *value,
                                          size_t *index, fsattn_err *err) {
    for (size_t i = 0; i < parameter->value_count; i++) {
        if (fsattn_value_equal(&parameter->values[i], value)) {
            *index = i;
            return FSATTN_OK;
        }
    }
    fsattn_text got = {0};
    fsattn_value_text(value, &got);
    fsattn_fail(err, FSATTN_INVALID, "%s: '%.80s' is not a legal value", parameter->name, got.data ? got.data : "?");
    fsattn_text_fini(&got);
    hint_legal(parameter, err);
    return FSATTN_INVALID;
}

/* ---- configurations ---- */

void fsattn_config_default(const fsattn_parameter_set *set, fsattn_config *config) {
    *config = (fsattn_config){0};
    for (size_t i = 0; i < set->count; i++) {
        config->index[i] = (uint16_t)set->items[i].default_index;
    }
}

const fsattn_value *fsattn_config_value(const fsattn_parameter_set *set, const fsattn_config *config,
                                        size_t parameter) {
    return &set->items[parameter].values[config->index[parameter]];
}

bool fsattn_config_equal(const fsattn_config *a, const fsattn_config *b) {
    return !memcmp(a->index, b->index, sizeof a->index);
}

void fsattn_config_text(const fsattn_parameter_set *set, const fsattn_config *config, fsattn_text *text) {
    for (size_t i = 0; i < set->count; i++) {
        size_t parameter = set->by_name[i];
        fsattn_text_printf(text, "%s%s=", i ? " " : "", set->items[parameter].name);
        fsattn_value_text(fsattn_config_value(set, config, parameter), text);
    }
}

void fsattn_config_difference(const fsattn_parameter_set *set, const fsattn_config *config, const fsattn_config *base,
                              fsattn_text *text) {
    const char *separator = "";
    for (size_t i = 0; i < set->count; i++) {
        size_t parameter = set->by_name[i];
        if (config->index[parameter] != base->index[parameter]) {
            fsattn_text_printf(text, "%s%s=", separator, set->items[parameter].name);
            fsattn_value_text(fsattn_config_value(set, config, parameter), text);
            separator = " ";
        }
    }
}

/* Reads "name=value" (modified in place) into `config`. */
static fsattn_status parse_pair(const fsattn_parameter_set *set, char *pair, bool *seen, fsattn_config *config,
                                fsattn_err *err) {
    char *equals = strchr(pair, '=');
    if (!equals) {
        fsattn_fail(err, FSATTN_PARSE, "configuration: expected name=value, got '%.80s'", pair);
        return FSATTN_PARSE;
    }
    *equals = '\0';
    size_t index;
    const fsattn_parameter *parameter = fsattn_parameter_find(set, pair, &index);
    if (!parameter) {
        const char *names[fsattn_parameter_limit];
        for (size_t i = 0; i < set->count; i++) {
            names[i] = set->items[i].name;
        }
        fsattn_fail(err, FSATTN_PARSE, "configuration: %s has no parameter '%.80s'", set->template_name, pair);
        fsattn_nearest_hint(err, pair, names, set->count);
        return FSATTN_PARSE;
    }
    if (seen[index]) {
        return fsattn_fail(err, FSATTN_PARSE, "configuration: parameter '%s' is given twice", pair);
    }
    seen[index] = true;
    fsattn_value value;
    size_t value_index;
    fsattn_status status = fsattn_value_parse(parameter->type, equals + 1, &value, err);
    if (status != FSATTN_OK) {
        return fsattn_context_add(err, status, "configuration: %s", pair);
    }
    status = fsattn_parameter_value_find(parameter, &value, &value_index, err);
    if (status != FSATTN_OK) {
        return fsattn_context_add(err, status, "configuration");
    }
    config->index[index] = (uint16_t)value_index;
    return FSATTN_OK;
}

fsattn_status fsattn_config_parse(const fsattn_parameter_set *set, const char *text, fsattn_config *config,
                                  fsattn_err *err) {
    bool seen[fsattn_parameter_limit] = {false};
    fsattn_config read;
    fsattn_config_default(set, &read);
    char *copy = fsattn_strdup(text);
    if (!copy) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "configuration: out of memory");
    }
    fsattn_status status = FSATTN_OK;
    char *rest = copy;
    for (char *pair = strtok_r(copy, " ", &rest); pair && status == FSATTN_OK; pair = strtok_r(NULL, " ", &rest)) {
        status = parse_pair(set, pair, seen, &read, err);
    }
    fsattn_free(copy);
    if (status == FSATTN_OK) {
        *config = read;
    }
    return status;
}

fsattn_status fsattn_config_identity(const fsattn_parameter_set *set, const fsattn_config *config,
                                     fsattn_hash *identity, fsattn_err *err) {
    fsattn_text text = {0};
    fsattn_config_text(set, config, &text);
    bool failed = text.failed || !text.data;
    if (!failed) {
        fsattn_hasher hasher;
        fsattn_hasher_init(&hasher);
        fsattn_hasher_field_text(&hasher, "template", set->template_name);
        fsattn_hasher_field_text(&hasher, "configuration", text.data);
        *identity = fsattn_hasher_final(&hasher);
    }
    fsattn_text_fini(&text);
    return failed ? fsattn_fail(err, FSATTN_NO_MEMORY, "configuration: out of memory") : FSATTN_OK;
}
