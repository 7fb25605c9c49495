#include "json_place.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* The quote that ends the string whose first byte is `at`, or the end of the text. */
static const char *string_end(const char *at) {
    while (*at && *at != '"') {
        at += *at == '\\' && at[1] ? 2 : 1;
    }
    return at;
}

static const char *skip_blank(const char *at) {
    return at + strspn(at, " \t\r\n");
}

static const char *find_value(const char *text, const char *list, int item, const char *key) {
    int depth = 0, at_item = -1;
    bool in_list = false; /* inside the value of the top-level key `list` */
    for (const char *at = text; *at; at++) {
        if (*at == '{' || *at == '[') {
            depth++;
            at_item += in_list && *at == '{' && depth == 3;
        } else if (*at == '}' || *at == ']') {
            depth--;
        } else if (*at == '"') {
            const char *word = at + 1;
            at = string_end(word);
            if (!*at) {
                break;
            }
            size_t bytes = (size_t)(at - word);
            const char *next = skip_blank(at + 1);
            if (*next != ':') {
                continue;
            }
            if (depth == 1) {
                in_list = bytes == strlen(list) && !memcmp(word, list, bytes);
            }
            bool here = item < 0 ? depth == 1 : in_list && depth == 3 && at_item == item;
            if (here && bytes == strlen(key) && !memcmp(word, key, bytes)) {
                return skip_blank(next + 1);
            }
        }
    }
    return text;
}

void fsattn_json_place(const char *text, const char *list, int item, const char *key, int *line,
                       int *column) {
    const char *place = find_value(text, list, item, key);
    *line = *column = 1;
    for (const char *at = text; at < place; at++) {
        *column = *at == '\n' ? 1 : *column + 1;
        *line += *at == '\n';
    }
}
