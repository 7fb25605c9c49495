/* config.h - tunable parameters, their typed values, and configurations (one value for each parameter).
 *
 * Owns the canonical text of a configuration ("name=value" pairs, sorted by name, joined by one space) and its
 * identity, the hash of that text with the template's name. A configuration stores, for each parameter in the
 * manifest's order, the index of its value among the manifest's legal values: it is plain data, copied by
 * assignment, and means nothing without its parameter set. Nothing here knows constraints: a configuration
 * may be invalid (manifest.h, enumerate.h decide). Thread-safe: nothing is written after creation.
 */
#ifndef FSATTN_CONFIG_H
#define FSATTN_CONFIG_H

#include "hash.h"
#include "text.h"

enum {
    fsattn_parameter_limit = 64,       /* parameters of one template */
    fsattn_parameter_value_limit = 4096 /* legal values of one parameter */
};

/* X(NAME, text as in a manifest) */
#define FSATTN_VALUE_TYPE_LIST(X)                                                                            \
    X(INT, "int")                                                                                            \
    X(REAL, "real")                                                                                          \
    X(BOOL, "bool")                                                                                          \
    X(ENUM, "enum")
typedef enum fsattn_value_type {
#define X(name, text) FSATTN_VALUE_##name,
    FSATTN_VALUE_TYPE_LIST(X)
#undef X
} fsattn_value_type;

/* A typed value. The text of an ENUM belongs to whoever handed the value out (a manifest: as long as it is open). */
typedef struct fsattn_value {
    fsattn_value_type type;
    union {
        int64_t integer;  /* INT */
        double real;      /* REAL, finite */
        bool boolean;     /* BOOL */
        const char *word; /* ENUM: letters, digits, '_', '.', '+', '-' */
    };
} fsattn_value;

typedef struct fsattn_parameter {
    const char *name; /* [a-z][a-z0-9_]* */
    const char *help; /* one line, never NULL */
    fsattn_value_type type;
    const fsattn_value *values; /* the legal values, distinct, in the manifest's order */
    size_t value_count;         /* 1 .. fsattn_parameter_value_limit */
    size_t default_index;
} fsattn_parameter;

/* The parameters of one template, in the manifest's order. */
typedef struct fsattn_parameter_set {
    const char *template_name;
    const fsattn_parameter *items;
    size_t count;                             /* 1 .. fsattn_parameter_limit */
    uint16_t by_name[fsattn_parameter_limit]; /* indices into items, sorted by name (bytes) */
} fsattn_parameter_set;

/* One configuration: index[p] is the index into items[p].values; entries from the set's count on are 0. */
typedef struct fsattn_config {
    uint16_t index[fsattn_parameter_limit];
} fsattn_config;

const char *fsattn_value_type_text(fsattn_value_type type);
/* Canonical text: 64, 0.5 (shortest that reads back, always with '.' or 'e'), true, word. */
void fsattn_value_text(const fsattn_value *value, fsattn_text *text);
bool fsattn_value_equal(const fsattn_value *a, const fsattn_value *b);
/* Reads a value of the type. Strict, so that no text has two meanings: decimal integers without leading zeros; reals
 * as in JSON; true and false; words. FSATTN_PARSE says what was expected ("expected an int, got '0x10'") and hints at
 * the right spelling ("write 16"). *value.word points into `text`. */
fsattn_status fsattn_value_parse(fsattn_value_type type, const char *text, fsattn_value *value, fsattn_err *err);

/* Fills in by_name; the other members are set. */
void fsattn_parameter_set_sort(fsattn_parameter_set *set);
/* The parameter of that name and, when `index` is not NULL, its index; NULL when there is none. */
const fsattn_parameter *fsattn_parameter_find(const fsattn_parameter_set *set, const char *name, size_t *index);
/* Index of the legal value equal to `value`; FSATTN_INVALID otherwise, with the legal values in the hint. */
fsattn_status fsattn_parameter_value_find(const fsattn_parameter *parameter, const fsattn_value *value,
                                          size_t *index, fsattn_err *err);

void fsattn_config_default(const fsattn_parameter_set *set, fsattn_config *config);
const fsattn_value *fsattn_config_value(const fsattn_parameter_set *set, const fsattn_config *config,
                                        size_t parameter);
bool fsattn_config_equal(const fsattn_config *a, const fsattn_config *b);
/* Appends the canonical text. */
void fsattn_config_text(const fsattn_parameter_set *set, const fsattn_config *config, fsattn_text *text);
/* Appends what it has otherwise than `base`, in the same form: "" for an equal one. */
void fsattn_config_difference(const fsattn_parameter_set *set, const fsattn_config *config, const fsattn_config *base,
                              fsattn_text *text);
/* Reads such a text; pairs in any order, a missing parameter takes its default. FSATTN_PARSE names an unknown
 * (with the nearest right one) or repeated parameter or a malformed value, FSATTN_INVALID an illegal value. */
fsattn_status fsattn_config_parse(const fsattn_parameter_set *set, const char *text, fsattn_config *config,
                                  fsattn_err *err);
/* Identity: template name and canonical text. FSATTN_NO_MEMORY is the only failure. */
fsattn_status fsattn_config_identity(const fsattn_parameter_set *set, const fsattn_config *config,
                                     fsattn_hash *identity, fsattn_err *err);

#endif
