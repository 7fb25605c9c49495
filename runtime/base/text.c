#include "text.h"

#include "memory.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *room(fsattn_text *text, size_t bytes) {
    if (text->failed) {
        return NULL;
    }
    size_t needed;
    if (__builtin_add_overflow(text->bytes, bytes, &needed) || needed == (size_t)-1) {
        text->failed = true;
        return NULL;
    }
    if (needed + 1 > text->capacity) {
        size_t capacity = text->capacity ? text->capacity : 64;
        while (capacity < needed + 1) {
            capacity = capacity > (size_t)-1 / 2 ? needed + 1 : capacity * 2;
        }
        char *data = fsattn_realloc(text->data, capacity, 1);
        if (!data) {
            text->failed = true;
            return NULL;
        }
        text->data = data;
        text->capacity = capacity;
    }
    return text->data + text->bytes;
}

void fsattn_text_add(fsattn_text *text, const void *data, size_t bytes) {
    char *at = room(text, bytes);
    if (at) {
        if (bytes) {
            memcpy(at, data, bytes);
        }
        text->bytes += bytes;
        text->data[text->bytes] = '\0';
    }
}

void fsattn_text_puts(fsattn_text *text, const char *string) {
    fsattn_text_add(text, string, strlen(string));
}

void fsattn_text_printf(fsattn_text *text, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *at = length < 0 ? NULL : room(text, (size_t)length);
    if (at) {
        va_start(args, format);
        vsnprintf(at, (size_t)length + 1, format, args);
        va_end(args);
        text->bytes += (size_t)length;
    }
}

void fsattn_text_clear(fsattn_text *text) {
    text->bytes = 0;
    text->failed = false;
    if (text->data) {
        text->data[0] = '\0';
    }
}

void fsattn_text_fini(fsattn_text *text) {
    fsattn_free(text->data);
    *text = (fsattn_text){0};
}

char *fsattn_text_take(fsattn_text *text) {
    char *data = text->failed ? NULL : text->data ? text->data : fsattn_strdup("");
    if (data != text->data) {
        fsattn_free(text->data);
    }
    *text = (fsattn_text){0};
    return data;
}

bool fsattn_text_integer(const char *text, int64_t *value) {
    const char *digits = text + (*text == '-');
    char *end;
    errno = 0;
    const long long parsed = strtoll(text, &end, 10);
    if (!*digits || digits[strspn(digits, "0123456789")] || errno) {
        return false;
    }
    *value = parsed;
    return true;
}

bool fsattn_text_real(const char *text, double *value) {
    const char *at = text + (*text == '-');
    size_t whole = strspn(at, "0123456789"), fraction = 0, exponent = 1;
    at += whole;
    if (*at == '.') {
        fraction = strspn(++at, "0123456789");
        at += fraction;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '-' || *at == '+';
        exponent = strspn(at, "0123456789");
        at += exponent;
    }
    const double parsed = strtod(text, NULL);
    if (whole + fraction == 0 || exponent == 0 || *at || !isfinite(parsed)) {
        return false;
    }
    *value = parsed;
    return true;
}
