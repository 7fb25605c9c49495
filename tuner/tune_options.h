/* tune_options.h - the command line of fsattn-tune. Strings point into argv. */
#ifndef FSATTN_TUNE_OPTIONS_H
#define FSATTN_TUNE_OPTIONS_H

#include "cli.h"
#include "search.h"

typedef struct fsattn_tune_options {
    const char *space;
    fsattn_option_list problems, sets;              /* names; none: all */
    const char *device, *store, *cache, *templates; /* NULL: the default */
    const char *strategy;                           /* NULL: the space's */
    fsattn_option_list priors;                      /* files of results */
    fsattn_option_list strategy_options;            /* "name=value" */
    double budget_s;                                /* 0: the space's */
    int64_t evaluations, seed, sample, jobs;        /* 0: the default */
    const char *from_misses;                        /* a miss log, or NULL: the space's problems */
    const char *render, *inspect;                   /* NULL: no; "default" or "name=value ..." */
    bool compile_only, dry_run, explain, list, json, help;
} fsattn_tune_options;

/* Reads the command line; --help prints to stdout and sets `help`. FSATTN_USAGE names the nearest right option. */
fsattn_status fsattn_tune_options_read(int argc, char **argv, fsattn_tune_options *options, fsattn_err *err);

/* The file of a device "replay:FILE", whose space it is; NULL for any other device. */
const char *fsattn_tune_options_replay(const fsattn_tune_options *options);

/* The strategy of the run with its settings: the command line before the space. A mistake in the space is reported at its
 * place there. */
fsattn_status fsattn_tune_options_strategy(const fsattn_tune_options *options, const fsattn_space *space,
                                           const fsattn_strategy_ops **strategy,
                                           fsattn_strategy_settings *settings, fsattn_err *err);
/* The problems that were chosen, in the space's order, without repeats; *problems is new (fsattn_free). */
fsattn_status fsattn_tune_options_problems(const fsattn_tune_options *options, const fsattn_space *space,
                                           size_t **problems, size_t *count, fsattn_err *err);

#endif
