#include "nearest.h"

#include <stdint.h>
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

const char *fsattn_nearest(const char *typed, const char *const *words, size_t count) {
    const char *best = NULL;
    unsigned best_distance = UINT32_MAX;
    for (size_t i = 0; i < count; i++) {
        unsigned d = distance(typed, words[i]);
        if (d < best_distance) {
            best = words[i];
            best_distance = d;
        }
    }
    return best;
}
