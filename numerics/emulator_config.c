#include "emulator.h"

#include "error.h"
#include "nearest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One table for reading, writing and suggesting: every switch with its words. */
#define WORD3(name, text, meaning) text,
#define WORD4(name, text, a, meaning) text,
#define WORD6(name, text, meaning, a, b, c) text,
static const char *const key_order_words[] = {FSATTN_KEY_ORDER_LIST(WORD4)};
static const char *const softmax_words[] = {FSATTN_SOFTMAX_LIST(WORD3)};
static const char *const exponential_words[] = {FSATTN_EXPONENTIAL_LIST(WORD6)};
static const char *const row_sum_words[] = {FSATTN_ROW_SUM_LIST(WORD3)};
static const char *const reduction_words[] = {FSATTN_REDUCTION_LIST(WORD4)};
static const char *const rollback_words[] = {FSATTN_ROLLBACK_LIST(WORD3)};
static const char *const operand_words[] = {FSATTN_OPERAND_FORMAT_LIST(WORD6)};
static const char *const p_words[] = {FSATTN_P_FORMAT_LIST(WORD3)};
static const char *const accumulation_words[] = {FSATTN_ACCUMULATION_LIST(WORD3)};
static const char *const bool_words[] = {"false", "true"};

bool fsattn_reduction_sees_nan(fsattn_reduction reduction) {
    static const bool sees[] = {
#define X(name, text, nan, meaning) nan,
        FSATTN_REDUCTION_LIST(X)
#undef X
    };
    return sees[reduction];
}

typedef enum switch_type { type_word, type_bool, type_int, type_real } switch_type;
typedef struct switch_row {
    const char *name;
    switch_type type;
    size_t offset;
    const char *const *words;
    size_t word_count;
    double minimum, maximum;
} switch_row;
#define COUNT(array) (sizeof(array) / sizeof *(array))
#define SWITCH(member, type, words, count, minimum, maximum)                                                 \
    {#member, type, offsetof(fsattn_emulator_config, member), words, count, minimum, maximum}
#define SWITCH_WORD(member, words) SWITCH(member, type_word, words, COUNT(words), 0, 0)
/* Sorted by name: the order of the canonical text. */
static const switch_row switches[] = {
    SWITCH_WORD(accumulation, accumulation_words),
    SWITCH(cap, type_real, NULL, 0, 0, 1000),
    SWITCH(degree, type_int, NULL, 0, 2, 5),
    SWITCH_WORD(exponential, exponential_words),
    SWITCH_WORD(key_order, key_order_words),
    SWITCH_WORD(p_format, p_words),
    SWITCH_WORD(qk_format, operand_words),
    SWITCH_WORD(reduction, reduction_words),
    SWITCH_WORD(rollback, rollback_words),
    SWITCH_WORD(row_sum, row_sum_words),
    SWITCH(smooth_k, type_bool, bool_words, 2, 0, 0),
    SWITCH_WORD(softmax, softmax_words),
    SWITCH(threshold, type_real, NULL, 0, 0, 1000),
    SWITCH(tile_m, type_int, NULL, 0, 8, 1 << 20),
    SWITCH(tile_n, type_int, NULL, 0, 1, 1024),
    SWITCH_WORD(v_format, operand_words),
    SWITCH(wave_rows, type_int, NULL, 0, 4, 1024),
};

void fsattn_emulator_config_init(fsattn_emulator_config *config) {
    *config = (fsattn_emulator_config){
        .threshold = 8,
        .cap = 32,
        .degree = 3,
        .tile_m = 128,
        .tile_n = 128,
        .wave_rows = 32,
    };
}

static fsattn_status set_word(const switch_row *s, void *member, const char *value, fsattn_err *err) {
    for (size_t i = 0; i < s->word_count; i++) {
        if (!strcmp(s->words[i], value)) {
            if (s->type == type_bool) {
                *(bool *)member = i == 1;
            } else {
                *(unsigned *)member = (unsigned)i; /* all enumerations here have the size of unsigned */
            }
            return FSATTN_OK;
        }
    }
    fsattn_fail(err, FSATTN_PARSE, "emulator switch %s: unknown value '%s'", s->name, value);
    fsattn_nearest_hint(err, value, s->words, s->word_count);
    return FSATTN_PARSE;
}
_Static_assert(sizeof(fsattn_softmax) == sizeof(unsigned), "switches are written as unsigned");

fsattn_status fsattn_emulator_set(fsattn_emulator_config *config, const char *name, const char *value,
                                  fsattn_err *err) {
    const char *names[COUNT(switches)];
    for (size_t i = 0; i < COUNT(switches); i++) {
        const switch_row *s = &switches[i];
        names[i] = s->name;
        if (strcmp(s->name, name)) {
            continue;
        }
        void *member = (char *)config + s->offset;
        if (s->type == type_word || s->type == type_bool) {
            return set_word(s, member, value, err);
        }
        char *end;
        double number = strtod(value, &end);
        if (end == value || *end || !(number >= s->minimum && number <= s->maximum) ||
            (s->type == type_int && number != floor(number))) {
            return fsattn_fail(err, FSATTN_PARSE, "emulator switch %s: expected %s from %g to %g, got '%s'", s->name,
                               s->type == type_int ? "an integer" : "a number", s->minimum, s->maximum, value);
        }
        if (s->type == type_int) {
            *(int64_t *)member = (int64_t)number;
        } else {
            *(double *)member = number;
        }
        return FSATTN_OK;
    }
    fsattn_fail(err, FSATTN_PARSE, "unknown emulator switch '%s'", name);
    fsattn_nearest_hint(err, name, names, COUNT(switches));
    return FSATTN_PARSE;
}

void fsattn_emulator_text(const fsattn_emulator_config *config, char text[fsattn_emulator_text_bytes]) {
    int at = 0;
    for (size_t i = 0; i < COUNT(switches); i++) {
        const switch_row *s = &switches[i];
        const void *member = (const char *)config + s->offset;
        at += snprintf(text + at, (size_t)(fsattn_emulator_text_bytes - at), "%s%s=", i ? " " : "", s->name);
        switch (s->type) {
        case type_word:
            at += snprintf(text + at, (size_t)(fsattn_emulator_text_bytes - at), "%s", s->words[*(const unsigned *)member]);
            break;
        case type_bool:
            at += snprintf(text + at, (size_t)(fsattn_emulator_text_bytes - at), "%s", bool_words[*(const bool *)member]);
            break;
        case type_int:
            at += snprintf(text + at, (size_t)(fsattn_emulator_text_bytes - at), "%lld", (long long)*(const int64_t *)member);
            break;
        case type_real:
            at += snprintf(text + at, (size_t)(fsattn_emulator_text_bytes - at), "%.17g", *(const double *)member);
            break;
        }
    }
}

/* Doublings above the reference at which FP16 patterns reach infinity (0x7C00) and 16-bit codes end (0xFFFF). */
enum { maximum3_cap = 121, codes_cap = 385 };

fsattn_status fsattn_emulator_check(const fsattn_emulator_config *c, fsattn_err *err) {
    const bool codes16 = c->exponential == FSATTN_EXPONENTIAL_SCHRAUDOLPH_U16_BF16;
    if (c->softmax == FSATTN_SOFTMAX_FROZEN && c->reduction != FSATTN_REDUCTION_FP32 && !codes16) {
        return fsattn_fail(err, FSATTN_INVALID, "emulator: reduction '%s' needs exponential 'schraudolph_u16_bf16'",
                           reduction_words[c->reduction]);
    }
    if (c->rollback == FSATTN_ROLLBACK_CODES && !codes16) {
        return fsattn_fail(err, FSATTN_INVALID, "emulator: rollback 'codes' needs exponential 'schraudolph_u16_bf16'");
    }
    if (c->softmax == FSATTN_SOFTMAX_FROZEN && c->reduction == FSATTN_REDUCTION_MAXIMUM3 && c->cap >= maximum3_cap) {
        return fsattn_fail(err, FSATTN_INVALID,
                           "emulator: reduction 'maximum3' needs a cap below %d doublings, got %g: codes above read as infinity",
                           maximum3_cap, c->cap);
    }
    if (c->softmax == FSATTN_SOFTMAX_FROZEN && codes16 && c->cap >= codes_cap) {
        return fsattn_fail(err, FSATTN_INVALID, "emulator: 16-bit codes end %d doublings above the maximum, got cap %g", codes_cap,
                           c->cap);
    }
    if (c->exponential == FSATTN_EXPONENTIAL_DIRECT_P && c->p_format != FSATTN_P_MXFP4) {
        return fsattn_fail(err, FSATTN_INVALID, "emulator: exponential 'direct_p' needs p_format 'mxfp4'");
    }
    if (c->key_order != FSATTN_KEY_ORDER_RUNS && c->tile_n % fsattn_key_order_chunk(c->key_order) != 0) {
        return fsattn_fail(err, FSATTN_INVALID, "emulator: key_order '%s' needs a tile_n that is a multiple of %d, got %lld",
                           fsattn_key_order_text(c->key_order), fsattn_key_order_chunk(c->key_order), (long long)c->tile_n);
    }
    if (c->tile_n < 1 || c->tile_n > 1024 || c->wave_rows < 1 || c->tile_m % c->wave_rows != 0) {
        return fsattn_fail(err, FSATTN_INVALID, "emulator: wave_rows %lld must divide tile_m %lld",
                           (long long)c->wave_rows, (long long)c->tile_m);
    }
    return FSATTN_OK;
}
