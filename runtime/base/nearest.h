/* nearest.h - the word that somebody probably meant. */
#ifndef FSATTN_NEAREST_H
#define FSATTN_NEAREST_H

#include <stddef.h>

/* The word of `words` with the smallest edit distance to `typed` (insert, delete, replace, swap of neighbours;
 * the first of equals); NULL only when count is 0. */
const char *fsattn_nearest(const char *typed, const char *const *words, size_t count);

#endif
