/* miss_tuner.h - one run of the tuner or the compiler for one problem: a child process that publishes one cache file.
 *
 * Started by posix_spawn with the caller's command, in a process group of its own, with its output in a file. Whether it
 * succeeded is judged by its exit status and by the file, never by what it says.
 */
#ifndef FSATTN_MISS_TUNER_H
#define FSATTN_MISS_TUNER_H

#include "fsc.h"

#include <pthread.h>
#include <sys/types.h>

/* What a run is given; `pid` may be read under `lock` by whoever wants to end it. */
typedef struct fsattn_miss_tuner {
    const char *const *command; /* NULL-terminated; to tune, "--from-misses", "--store" and "--cache" with their files are appended,
                                   to compile, a cache file of the record and "--cache" with its file */
    const char *folder;         /* where it works, and files are published */
    pthread_mutex_t *lock;
    bool *stop;  /* guarded by lock: nothing is started any more */
    pid_t *pid;  /* guarded by lock: of the running child, 0 when there is none */
} fsattn_miss_tuner;

/* Path of the file that a problem's result is published as; new string in *path. */
fsattn_status fsattn_miss_tuner_path(const char *folder, const fsattn_problem *problem, char **path, fsattn_err *err);
/* What a run is about: a problem to tune, or a record to compile anew, whose bytes have been judged already. The other is NULL. */
typedef struct fsattn_miss_task {
    const fsattn_problem *problem;
    const fsattn_fsc_record *record;
} fsattn_miss_task;
/* Runs the command, waits for it and publishes what it made as `path`, whatever is there. FSATTN_COMPILE with how it ended and the last
 * of what it printed, FSATTN_BUSY when that was the machine's doing, FSATTN_CORRUPT when it made no cache file; FSATTN_INTERRUPTED when
 * it was stopped. */
fsattn_status fsattn_miss_tuner_run(const fsattn_miss_tuner *tuner, const fsattn_miss_task *task, const char *path,
                                    fsattn_err *err);

#endif
