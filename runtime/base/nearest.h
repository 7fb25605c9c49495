/* nearest.h - the word that somebody probably meant, and what to say when that is anybody's guess. */
#ifndef FSATTN_NEAREST_H
#define FSATTN_NEAREST_H

#include "fsattn.h"

/* The word of `words` that begins with `typed`, else the one with the smallest edit distance to it (insert, delete, replace,
 * swap of neighbours; the first of equals); NULL when none is so near that it may have been meant. */
const char *fsattn_nearest(const char *typed, const char *const *words, size_t count);
/* The hint of an unknown word: "did you mean 'tile_m'?", or the words there are. */
void fsattn_nearest_hint(fsattn_err *err, const char *typed, const char *const *words, size_t count);

#endif
