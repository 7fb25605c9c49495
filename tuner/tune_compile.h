/* tune_compile.h - what fsattn-tune does with a GPU space without a device: compile everything, or one configuration. */
#ifndef FSATTN_TUNE_COMPILE_H
#define FSATTN_TUNE_COMPILE_H

#include "sweep.h"

#include <stdio.h>

/* --compile-only: every valid configuration of the chosen problems (or `sample` of each setting; 0: all), quantizers included, into the
 * store. Progress lines go to `progress`, the result to `out`. FSATTN_COMPILE when any fails, FSATTN_INTERRUPTED after a stop; what is
 * finished then is stored. */
fsattn_status fsattn_tune_compile_all(FILE *out, FILE *progress, const fsattn_space *space, const fsattn_sweep_options *options,
                                      int jobs, fsattn_err *err);
/* --inspect: compiles one configuration, "default" or "name=value ...", and reports on it. */
fsattn_status fsattn_tune_compile_one(FILE *out, const fsattn_space *space, const fsattn_problem *problem, const char *config,
                                      fsattn_err *err);

#endif
