/* text.h - a growing, always NUL-terminated string.
 *
 * Appending never fails at the call: the first failure sets `failed`, further appends do nothing, and
 * the user checks once at the end. Zero-initialised is empty and valid; `data` is NULL until something is appended.
 */
#ifndef FSATTN_TEXT_H
#define FSATTN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct fsattn_text {
    char *data;
    size_t bytes; /* without the final NUL */
    size_t capacity;
    bool failed;
} fsattn_text;

void fsattn_text_add(fsattn_text *text, const void *data, size_t bytes);
void fsattn_text_puts(fsattn_text *text, const char *string);
void fsattn_text_printf(fsattn_text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fsattn_text_clear(fsattn_text *text);
void fsattn_text_fini(fsattn_text *text);
/* Hands the string over to the caller (fsattn_free) and empties `text`; NULL when an append had failed. */
char *fsattn_text_take(fsattn_text *text);

/* Numbers as people write them: decimal digits with a sign before them and, for a real number, a point and an exponent
 * ("12", "-3", "0.5", "1e-3"). Nothing else: no white space, no hexadecimal, no "inf" or "nan". False leaves *value alone. */
bool fsattn_text_integer(const char *text, int64_t *value);
bool fsattn_text_real(const char *text, double *value);

#endif
