/* tune_show.h - what fsattn-tune shows without tuning: problems, the size of the space, a rendered source. To `stream`. */
#ifndef FSATTN_TUNE_SHOW_H
#define FSATTN_TUNE_SHOW_H

#include "space.h"

#include <stdio.h>

/* The problems chosen, and the sets that have one of them. */
void fsattn_tune_show_list(FILE *stream, const fsattn_space *space, const size_t *problems, size_t count);
/* For each setting among the problems (element types, head dimension, layout, mask): raw size, size after constraints, the
 * first rejections with their reasons. `json`: one object a line. FSATTN_INVALID, after all of them are shown, when the
 * constraints leave nothing of one. */
fsattn_status fsattn_tune_show_size(FILE *stream, const fsattn_space *space, const char *isa,
                                    const size_t *problems, size_t count, bool json, fsattn_err *err);
/* The source of a configuration ("default" or "name=value ...") for a problem; FSATTN_INVALID with the reason when the
 * template refuses it. */
fsattn_status fsattn_tune_show_source(FILE *stream, const fsattn_space *space, const char *isa,
                                      const fsattn_problem *problem, const char *configuration,
                                      fsattn_err *err);

#endif
