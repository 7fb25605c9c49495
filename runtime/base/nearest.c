#include "nearest.h"

#include "error.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { longest = 63 };

static unsigned smaller(unsigned a, unsigned b) {
    return a < b ? a : b;
}

/* Damerau-Levenshtein distance (optimal string alignment) of the first `longest` bytes. */
static unsigned distance(const char *a, const char *b) {
    size_t rows = strnlen(a, longest), columns = strnlen(b, longest);
    unsigned table[3][longest + 1];
    for (size_t j = 0; j <= columns; j++) {
        table[0][j] = (unsigned)j;
    }
    for (size_t i = 1; i <= rows; i++) {
        unsigned *now = table[i % 3], *above = table[(i + 2) % 3], *two_above = table[(i + 1) % 3];
        now[0] = (unsigned)i;
        for (size_t j = 1; j <= columns; j++) {
            unsigned best = smaller(above[j], now[j - 1]) + 1;
            best = smaller(best, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                best = smaller(best, two_above[j - 2] + 1);
            }
            now[j] = best;
        }
    }
    return table[rows % 3][columns];
}

/* Whether so many mistakes leave enough of a word of that length to be recognised. */
static bool plausible(unsigned mistakes, size_t length) {
    return length > 1 && 3 * mistakes <= length;
}

const char *fsattn_nearest(const char *typed, const char *const *words, size_t count) {
    const char *best = NULL;
    unsigned best_distance = UINT32_MAX;
    const size_t length = strnlen(typed, longest);
    for (size_t i = 0; i < count; i++) {
        unsigned d = length && !strncmp(words[i], typed, length) ? 0 : distance(typed, words[i]);
        if (d < best_distance) {
            best = words[i];
            best_distance = d;
        }
    }
    return best && (best_distance == 0 ? length > 0 : plausible(best_distance, length)) ? best : NULL;
}

void fsattn_nearest_hint(fsattn_err *err, const char *typed, const char *const *words, size_t count) {
    const char *nearest = fsattn_nearest(typed, words, count);
    if (nearest || count == 0) {
        fsattn_hint(err, nearest ? "did you mean '%s'?" : "there are none%s", nearest ? nearest : "");
        return;
    }
    char list[256] = "";
    size_t used = 0, shown = 0;
    for (; shown < count && used + strlen(words[shown]) + 8 < sizeof list; shown++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", shown ? ", " : "", words[shown]);
    }
    fsattn_hint(err, "expected %s%s%s", count > 1 ? "one of " : "", list, shown < count ? ", ..." : "");
}
