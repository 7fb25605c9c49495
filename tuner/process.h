/* process.h - child processes by argv: no shell, a fixed environment, limits, and a deadline that nobody outlives.
 *
 * A child leads its own process group and dies with its parent; destroying a process kills the whole group. What it prints
 * goes to a bounded file that the owner reads. One owner, one thread at a time; several processes may be waited for at once.
 */
#ifndef FSATTN_PROCESS_H
#define FSATTN_PROCESS_H

#include "text.h"
#include "verdict.h"

#include <signal.h>
#include <sys/types.h>

typedef struct fsattn_process {
    pid_t pid;  /* 0: none */
    int pidfd;  /* readable when the child has ended */
    int status; /* of waitpid, once it has been reaped */
    bool ended;
} fsattn_process;

enum { fsattn_process_fd_limit = 4 };
typedef struct fsattn_process_start {
    const char *const *argv;   /* NULL-terminated; argv[0] is a path or is looked up in PATH */
    const char *folder;        /* working directory and TMPDIR; NULL: the parent's, and /tmp */
    const char *output;        /* file that stdout and stderr go to, or NULL for /dev/null */
    int fds[fsattn_process_fd_limit]; /* become descriptors 3, 4, ...; all others are closed */
    size_t fd_count;
    double cpu_s;              /* RLIMIT_CPU, a second line behind the deadline; 0: none */
    size_t memory_bytes;       /* RLIMIT_AS; 0: none */
    size_t file_bytes;         /* RLIMIT_FSIZE; 0: none */
} fsattn_process_start;

/* FSATTN_NOT_FOUND when there is no such program; IO when the system refuses to start one. */
fsattn_status fsattn_process_open(const fsattn_process_start *start, fsattn_process *process, fsattn_err *err);
/* Reaps the child when it has ended, after killing what it left behind in its group; true when it has. */
bool fsattn_process_reap(fsattn_process *process);
/* Waits until one of the processes has ended or the deadline (CLOCK_MONOTONIC, ns) has passed or `stop` (nullable) is set.
 * Processes with pid 0 or ended are skipped; returns the number of running ones that it looked at. */
size_t fsattn_process_wait(fsattn_process *processes, size_t count, int64_t deadline_ns, const volatile sig_atomic_t *stop);
/* Kills the group, reaps, closes. Accepts one that is not running. */
void fsattn_process_close(fsattn_process *process);
/* "exit status 1", "killed by signal 11 (Segmentation fault)". */
void fsattn_process_describe(const fsattn_process *process, char *text, size_t bytes);

int64_t fsattn_clock_ns(void); /* CLOCK_MONOTONIC */
/* Path of a program beside the running one, or in ../bin of it; new string. FSATTN_NOT_FOUND. */
fsattn_status fsattn_process_sibling(const char *name, char **path, fsattn_err *err);

#endif
