#include "problem.h"

#include "error.h"
#include "nearest.h"
#include "text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const dtype_texts[] = {
#define X(name, text, bits) [FSATTN_##name] = text,
    FSATTN_DTYPE_LIST(X)
#undef X
};
static const unsigned dtype_bits[] = {
#define X(name, text, bits) [FSATTN_##name] = bits,
    FSATTN_DTYPE_LIST(X)
#undef X
};
static const char *const layout_texts[] = {
#define X(name, text) [FSATTN_##name] = text,
    FSATTN_LAYOUT_LIST(X)
#undef X
};
static const char *const mask_texts[] = {
#define X(name, text) [FSATTN_##name] = text,
    FSATTN_MASK_LIST(X)
#undef X
};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *text_at(const char *const *texts, size_t count, unsigned index) {
    return index < count ? texts[index] : "?";
}

const char *fsattn_dtype_text(fsattn_dtype dtype) {
    return text_at(dtype_texts, COUNT(dtype_texts), (unsigned)dtype);
}

unsigned fsattn_dtype_bits(fsattn_dtype dtype) {
    return (unsigned)dtype < COUNT(dtype_bits) ? dtype_bits[dtype] : 0;
}

const char *fsattn_layout_text(fsattn_layout layout) {
    return text_at(layout_texts, COUNT(layout_texts), (unsigned)layout);
}

const char *fsattn_mask_text(fsattn_mask mask) {
    return text_at(mask_texts, COUNT(mask_texts), (unsigned)mask);
}

/* The fields of a problem, in canonical order: parsing, printing and comparing expand this one list.
 * I(text name, member) integers; E(text name, member, type, texts) enumerations. */
#define PROBLEM_FIELDS(I, E)                                                                                 \
    I("b", batch)                                                                                            \
    I("hq", heads_q)                                                                                         \
    I("hkv", heads_kv)                                                                                       \
    I("sq", s_q)                                                                                             \
    I("sk", s_k)                                                                                             \
    I("d", head_dim)                                                                                         \
    E("q", dtype_q, fsattn_dtype, dtype_texts)                                                               \
    E("kv", dtype_kv, fsattn_dtype, dtype_texts)                                                             \
    E("o", dtype_o, fsattn_dtype, dtype_texts)                                                               \
    E("layout", layout, fsattn_layout, layout_texts)                                                         \
    E("mask", mask, fsattn_mask, mask_texts)

void fsattn_problem_init(fsattn_problem *problem) {
    *problem = (fsattn_problem){.size = sizeof *problem,
                                .batch = 1,
                                .heads_q = 1,
                                .heads_kv = 1,
                                .s_q = 1,
                                .s_k = 1,
                                .head_dim = 128};
}

fsattn_status fsattn_problem_check(const fsattn_problem *problem, fsattn_err *err) {
    const int64_t limit = (int64_t)1 << 40;
    if (!problem) {
        return fsattn_fail(err, FSATTN_INVALID, "problem: is NULL");
    }
    if (problem->size != sizeof *problem) {
        fsattn_fail(err, FSATTN_INVALID, "problem.size: expected %zu, got %zu", sizeof *problem, problem->size);
        fsattn_hint(err, "call fsattn_problem_init first");
        return FSATTN_INVALID;
    }
#define CHECK_INT(name, member)                                                                              \
    if (problem->member < 1 || problem->member > limit) {                                                    \
        return fsattn_fail(err, FSATTN_INVALID, "problem." #member ": expected 1 to %" PRId64 ", got %" PRId64, \
                           limit, problem->member);                                                          \
    }
#define CHECK_ENUM(name, member, type, texts)                                                                \
    if ((unsigned)problem->member >= COUNT(texts)) {                                                         \
        return fsattn_fail(err, FSATTN_INVALID, "problem." #member ": unknown value %u",                     \
                           (unsigned)problem->member);                                                       \
    }
    PROBLEM_FIELDS(CHECK_INT, CHECK_ENUM)
    if (problem->heads_q % problem->heads_kv) {
        return fsattn_fail(err, FSATTN_INVALID, "problem.heads_q: expected a multiple of heads_kv (%" PRId64
                           "), got %" PRId64, problem->heads_kv, problem->heads_q);
    }
    if (!isfinite(problem->scale) || problem->scale < 0) {
        return fsattn_fail(err, FSATTN_INVALID, "problem.scale: expected a positive number, or 0 for 1/sqrt(d)");
    }
    /* Every byte offset must fit in 63 bits. */
    int64_t elements = problem->batch;
    const int64_t factors[] = {problem->heads_q, problem->s_q > problem->s_k ? problem->s_q : problem->s_k,
                               problem->head_dim, 8};
    for (size_t i = 0; i < COUNT(factors); i++) {
        if (__builtin_mul_overflow(elements, factors[i], &elements)) {
            return fsattn_fail(err, FSATTN_INVALID, "problem: the tensors are larger than the address space");
        }
    }
    return FSATTN_OK;
}

float fsattn_problem_scale(const fsattn_problem *problem) {
    return problem->scale != 0 ? problem->scale : (float)(1.0 / sqrt((double)problem->head_dim));
}

static bool scale_is_default(const fsattn_problem *problem) {
    return fsattn_problem_scale(problem) == (float)(1.0 / sqrt((double)problem->head_dim));
}

/* Appends behind `at` and returns the new end. No snprintf for what is written for every record of a cache file when it is
 * opened. With every integer at its widest the text has 238 bytes. */
static char *put_text(char *at, const char *text) {
    size_t bytes = strlen(text);
    memcpy(at, text, bytes);
    return at + bytes;
}

static char *put_int(char *at, int64_t value) {
    char digits[20];
    size_t count = 0;
    uint64_t left = value < 0 ? -(uint64_t)value : (uint64_t)value;
    do {
        digits[count++] = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    if (value < 0) {
        *at++ = '-';
    }
    while (count) {
        *at++ = digits[--count];
    }
    return at;
}

void fsattn_problem_text(const fsattn_problem *problem, char text[fsattn_problem_text_bytes]) {
    char *at = put_text(text, "attention_fwd");
#define PRINT_INT(name, member) at = put_int(put_text(at, " " name "="), problem->member);
#define PRINT_ENUM(name, member, type, texts)                                                                \
    at = put_text(put_text(at, " " name "="), text_at(texts, COUNT(texts), (unsigned)problem->member));
    PROBLEM_FIELDS(PRINT_INT, PRINT_ENUM)
    at = put_text(at, problem->lse ? " lse=1" : " lse=0");
    if (scale_is_default(problem)) {
        strcpy(at, " scale=default");
    } else {
        snprintf(at, fsattn_problem_text_bytes - (size_t)(at - text), " scale=%.9g", (double)problem->scale);
    }
}

static fsattn_status parse_int(const char *name, const char *value, int64_t *member, fsattn_err *err) {
    return fsattn_text_integer(value, member)
               ? FSATTN_OK
               : fsattn_fail(err, FSATTN_PARSE, "problem: %s: expected a whole number, got '%s'", name, value);
}

static fsattn_status parse_enum(const char *name, const char *value, const char *const *texts, size_t count,
                                unsigned *member, fsattn_err *err) {
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(texts[i], value)) {
            *member = (unsigned)i;
            return FSATTN_OK;
        }
    }
    fsattn_fail(err, FSATTN_PARSE, "problem: %s: unknown value '%s'", name, value);
    fsattn_nearest_hint(err, value, texts, count);
    return FSATTN_PARSE;
}

static fsattn_status parse_field(const char *name, const char *value, fsattn_problem *problem, fsattn_err *err) {
#define PARSE_INT(field, member)                                                                             \
    if (!strcmp(name, field)) {                                                                              \
        return parse_int(name, value, &problem->member, err);                                                \
    }
#define PARSE_ENUM(field, member, type, texts)                                                               \
    if (!strcmp(name, field)) {                                                                              \
        unsigned parsed = 0;                                                                                 \
        FSATTN_TRY(parse_enum(name, value, texts, COUNT(texts), &parsed, err));                              \
        problem->member = (type)parsed;                                                                      \
        return FSATTN_OK;                                                                                    \
    }
    PROBLEM_FIELDS(PARSE_INT, PARSE_ENUM)
    if (!strcmp(name, "lse")) {
        int64_t parsed = 0;
        FSATTN_TRY(parse_int(name, value, &parsed, err));
        if (parsed != 0 && parsed != 1) {
            return fsattn_fail(err, FSATTN_PARSE, "problem: lse: expected 0 or 1, got '%s'", value);
        }
        problem->lse = parsed == 1;
        return FSATTN_OK;
    }
    if (!strcmp(name, "scale")) {
        double parsed = 0;
        if (strcmp(value, "default") && !fsattn_text_real(value, &parsed)) {
            return fsattn_fail(err, FSATTN_PARSE, "problem: scale: expected a number or 'default', got '%s'", value);
        }
        problem->scale = (float)parsed;
        return FSATTN_OK;
    }
    static const char *const names[] = {"b", "hq", "hkv", "sq", "sk", "d", "q", "kv", "o", "layout", "mask", "lse",
                                        "scale"};
    fsattn_fail(err, FSATTN_PARSE, "problem: unknown field '%s'", name);
    fsattn_nearest_hint(err, name, names, COUNT(names));
    return FSATTN_PARSE;
}

/* A step of the canonical text: whether `word` stands at *at, which then moves behind it. */
static bool skip(const char **at, const char *word) {
    size_t bytes = strlen(word);
    if (strncmp(*at, word, bytes)) {
        return false;
    }
    *at += bytes;
    return true;
}

static bool read_digits(const char **at, int64_t *member) {
    const char *start = *at;
    int64_t value = 0;
    if (*start == '0') { /* not as it is printed */
        return false;
    }
    while (**at >= '0' && **at <= '9' && *at - start < 18) {
        value = 10 * value + (*(*at)++ - '0');
    }
    *member = value;
    return *at != start && (**at == ' ' || !**at);
}

static bool read_word(const char **at, const char *const *texts, size_t count, unsigned *member) {
    size_t bytes = strcspn(*at, " ");
    for (size_t i = 0; i < count; i++) {
        if (!strncmp(*at, texts[i], bytes) && !texts[i][bytes]) {
            *member = (unsigned)i;
            *at += bytes;
            return true;
        }
    }
    return false;
}

/* The usual case, and that of every record of a cache file: all fields, in order, with the default scale. False for any other
 * text, which says nothing about it. */
static bool parse_canonical(const char *text, fsattn_problem *problem) {
    const char *at = text;
    unsigned word = 0;
    bool fits = skip(&at, "attention_fwd");
#define READ_INT(name, member) fits = fits && skip(&at, " " name "=") && read_digits(&at, &problem->member);
#define READ_ENUM(name, member, type, texts)                                                                 \
    fits = fits && skip(&at, " " name "=") && read_word(&at, texts, COUNT(texts), &word);                    \
    problem->member = (type)word;
    PROBLEM_FIELDS(READ_INT, READ_ENUM)
    problem->lse = fits && skip(&at, " lse=1");
    return fits && (problem->lse || skip(&at, " lse=0")) && !strcmp(at, " scale=default");
}

fsattn_status fsattn_problem_parse(const char *text, fsattn_problem *problem, fsattn_err *err) {
    char copy[fsattn_problem_text_bytes * 2];
    fsattn_problem parsed;
    fsattn_problem_init(&parsed);
    if (parse_canonical(text, &parsed)) {
        FSATTN_TRY(fsattn_problem_check(&parsed, err));
        *problem = parsed;
        return FSATTN_OK;
    }
    fsattn_problem_init(&parsed);
    if (strlen(text) >= sizeof copy) {
        return fsattn_fail(err, FSATTN_PARSE, "problem: text of %zu bytes is too long", strlen(text));
    }
    strcpy(copy, text);
    char *rest = copy;
    const char *seen[16];
    size_t seen_count = 0;
    for (char *word = strtok_r(rest, " ", &rest); word; word = strtok_r(rest, " ", &rest)) {
        if (!strcmp(word, "attention_fwd")) {
            continue;
        }
        char *equals = strchr(word, '=');
        if (!equals) {
            return fsattn_fail(err, FSATTN_PARSE, "problem: expected name=value, got '%s'", word);
        }
        *equals = '\0';
        FSATTN_TRY(parse_field(word, equals + 1, &parsed, err));
        for (size_t i = 0; i < seen_count; i++) {
            if (!strcmp(seen[i], word)) {
                return fsattn_fail(err, FSATTN_PARSE, "problem: %s: given twice", word);
            }
        }
        seen[seen_count++] = word; /* fits: only known names come here, each once */
    }
    FSATTN_TRY(fsattn_problem_check(&parsed, err));
    *problem = parsed;
    return FSATTN_OK;
}

bool fsattn_problem_parse_canonical(const char *text, fsattn_problem *problem, fsattn_err *err) {
    char canonical[fsattn_problem_text_bytes];
    fsattn_problem parsed;
    fsattn_problem_init(&parsed);
    if (parse_canonical(text, &parsed)) {
        if (fsattn_problem_check(&parsed, err) != FSATTN_OK) {
            return false;
        }
    } else {
        if (fsattn_problem_parse(text, &parsed, err) != FSATTN_OK) {
            return false;
        }
        fsattn_problem_text(&parsed, canonical);
        if (strcmp(canonical, text)) {
            fsattn_fail(err, FSATTN_PARSE, "problem: '%.200s' is not canonical", text);
            return false;
        }
    }
    *problem = parsed;
    return true;
}

fsattn_hash fsattn_problem_hash(const fsattn_problem *problem) {
    char text[fsattn_problem_text_bytes];
    fsattn_problem_text(problem, text);
    return fsattn_hash_of(text, strlen(text));
}

bool fsattn_problem_equal(const fsattn_problem *a, const fsattn_problem *b) {
#define EQUAL_INT(name, member)                                                                              \
    if (a->member != b->member) {                                                                            \
        return false;                                                                                        \
    }
#define EQUAL_ENUM(name, member, type, texts) EQUAL_INT(name, member)
    PROBLEM_FIELDS(EQUAL_INT, EQUAL_ENUM)
    return a->lse == b->lse && fsattn_problem_scale(a) == fsattn_problem_scale(b);
}

double fsattn_problem_live_pairs(const fsattn_problem *problem) {
    double rows = (double)problem->s_q, keys = (double)problem->s_k, pairs = rows * keys;
    if (problem->mask == FSATTN_MASK_CAUSAL) {
        /* Row i sees min(max(i + 1 + s_k - s_q, 0), s_k) keys: with s_k >= s_q that is s_k for the last row and one
         * fewer for each row above it; with s_k < s_q the first s_q - s_k rows see none. */
        double live_rows = rows < keys ? rows : keys;
        pairs = live_rows * keys - live_rows * (live_rows - 1) / 2;
    }
    return pairs * (double)problem->batch * (double)problem->heads_q;
}

double fsattn_problem_flop(const fsattn_problem *problem) {
    return 4.0 * (double)problem->head_dim * fsattn_problem_live_pairs(problem);
}

double fsattn_problem_bytes(const fsattn_problem *problem) {
    double row = (double)problem->head_dim * (double)problem->batch / 8;
    double queries = row * (double)problem->heads_q * (double)problem->s_q;
    double keys = row * (double)problem->heads_kv * (double)problem->s_k;
    return queries * (fsattn_dtype_bits(problem->dtype_q) + fsattn_dtype_bits(problem->dtype_o)) +
           2 * keys * fsattn_dtype_bits(problem->dtype_kv);
}
