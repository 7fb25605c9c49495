/* methods.h - the attention methods that the paper compares, as emulator configurations by name. */
#ifndef FSATTN_METHODS_H
#define FSATTN_METHODS_H

#include "emulator.h"

typedef struct fsattn_method {
    const char *name;    /* "mxfp6" */
    const char *meaning; /* one line */
    const char *switches; /* "softmax=frozen exponential=..." over fsattn_emulator_config_init */
    double published_cosine; /* at b=1 h=24 s=32768 d=128, normal input (paper, table 5); 0: none published */
} fsattn_method;

const fsattn_method *fsattn_methods(size_t *count);
/* FSATTN_NOT_FOUND with the nearest in the hint. */
fsattn_status fsattn_method_find(const char *name, const fsattn_method **method, fsattn_err *err);
/* Applies "name=value name=value ..." to a configuration. */
fsattn_status fsattn_emulator_apply(fsattn_emulator_config *config, const char *switches, fsattn_err *err);

#endif
