/* replay_file.h - a search space that somebody has measured: every configuration with its times or its failure.
 *
 * Reads, gzipped or not: cache files of Kernel Tuner ("cache": {...}; milliseconds) and results in the T4 format ("results":
 * [...]; milliseconds, or what "metadata": {"timeunit"} says). The cost of a configuration is the median of its times without
 * the first one, which no warm-up preceded; the single time where there are no others. Failures have a verdict and no cost.
 * Of a configuration that occurs more than once the last result counts. Parameters are what the file has, with all
 * values that occur: no space file is needed. Immutable once open; any number of threads may read it.
 */
#ifndef FSATTN_REPLAY_FILE_H
#define FSATTN_REPLAY_FILE_H

#include "config.h"
#include "verdict.h"

typedef struct fsattn_replay_entry {
    fsattn_config config;
    fsattn_verdict verdict;
    double cost_ns; /* INFINITY unless the verdict is OK */
    double compile_s, verify_s, run_s; /* what it took; 0 when the file does not say */
    const double *times_ns; /* as measured, the first one included; NULL when the file has none */
    size_t time_count;
} fsattn_replay_entry;

typedef struct fsattn_replay_file {
    const char *path;
    const char *device, *kernel, *size; /* as the file has them; "unknown", the file's name, "" otherwise */
    const char *problem;                /* "metadata": {"problem"}, as fsattn-cache t4 writes it; "" otherwise */
    fsattn_parameter_set parameters;    /* template_name is the kernel's */
    const fsattn_replay_entry *entries; /* distinct, in the order of the file */
    size_t count;                       /* >= 1 */
    size_t best;                        /* the entry of least cost; `count` when everything failed */
    bool unclosed;                      /* the run that wrote it was stopped */
    fsattn_hash hash;                   /* of the text */
    struct fsattn_replay_memory *memory;
} fsattn_replay_file;

/* Mistakes are FSATTN_PARSE with file, line and column. */
fsattn_status fsattn_replay_file_open(const char *path, fsattn_replay_file **file, fsattn_err *err);
void fsattn_replay_file_close(fsattn_replay_file *file); /* accepts NULL */
/* The entry of a configuration, or NULL. */
const fsattn_replay_entry *fsattn_replay_file_find(const fsattn_replay_file *file, const fsattn_config *config);

#endif
