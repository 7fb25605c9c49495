#include "miss_tuner.h"

#include "error.h"
#include "file.h"
#include "memory.h"
#include "problem.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { argument_limit = 64, appended = 6, shown_bytes = 300, log_limit = 1 << 24 };

fsattn_status fsattn_miss_tuner_path(const char *folder, const fsattn_problem *problem, char **path, fsattn_err *err) {
    char hex[fsattn_hash_hex_bytes];
    fsattn_hash hash = fsattn_problem_hash(problem);
    fsattn_text text = {0};
    fsattn_hash_hex(&hash, hex);
    fsattn_text_printf(&text, "%s/%.16s.fsc", folder, hex);
    *path = fsattn_text_take(&text);
    return *path ? FSATTN_OK : fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", folder);
}

/* ---- the child ---- */

/* In a group of its own, so that the caller's Ctrl-C is not the tuner's and all that it started can be ended together; with no
 * signal blocked or ignored, whatever the caller's thread has; reading nothing, writing into the log. */
static int spawn(const char *const *argv, const char *log, pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int errnum = posix_spawn_file_actions_init(&actions);
    if (errnum) {
        return errnum;
    }
    errnum = posix_spawnattr_init(&attributes);
    if (!errnum) {
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
        posix_spawn_file_actions_addopen(&actions, 1, log, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0600);
        posix_spawn_file_actions_adddup2(&actions, 1, 2);
        posix_spawn_file_actions_addclosefrom_np(&actions, 3);
        posix_spawnattr_setpgroup(&attributes, 0);
        posix_spawnattr_setsigmask(&attributes, &none);
        posix_spawnattr_setsigdefault(&attributes, &all);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
        errnum = posix_spawnp(pid, argv[0], &actions, &attributes, (char *const *)argv, environ);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return errnum;
}

static fsattn_status start(const fsattn_miss_tuner *tuner, const char *const *argv, const char *log, fsattn_err *err) {
    fsattn_status status = FSATTN_OK;
    pthread_mutex_lock(tuner->lock);
    if (*tuner->stop) {
        status = fsattn_fail(err, FSATTN_INTERRUPTED, "%s: not started, the context is closing", argv[0]);
    } else {
        int errnum = spawn(argv, log, tuner->pid);
        if (errnum) {
            *tuner->pid = 0;
            status = fsattn_fail(err, FSATTN_COMPILE, "%s: cannot be started: %s", argv[0], strerror(errnum));
            fsattn_hint(err, "the first word of options.tuner and options.compiler is a program's path, or a name that is looked up in PATH");
        }
    }
    pthread_mutex_unlock(tuner->lock);
    return status;
}

/* The child's number stays its own until it is reaped, and it is reaped under the lock: whoever kills under the lock kills this
 * child and no other. *known is false when somebody else in the process reaped it. */
static int wait_for(const fsattn_miss_tuner *tuner, bool *known) {
    siginfo_t info = {0};
    int status = 0, got;
    const pid_t pid = *tuner->pid;
    do {
        got = waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT);
    } while (got && errno == EINTR);
    pthread_mutex_lock(tuner->lock);
    *known = waitpid(pid, &status, WNOHANG) == pid;
    *tuner->pid = 0;
    pthread_mutex_unlock(tuner->lock);
    return status;
}

/* The last of what the tuner printed, on one line. */
static void last_words(const char *log, char shown[shown_bytes]) {
    char *data;
    size_t bytes;
    shown[0] = '\0';
    if (fsattn_file_read(log, log_limit, &data, &bytes, NULL) == FSATTN_OK) {
        size_t kept = bytes < shown_bytes - 1 ? bytes : shown_bytes - 1;
        memcpy(shown, data + bytes - kept, kept);
        shown[kept] = '\0';
        while (kept && shown[kept - 1] == '\n') {
            shown[--kept] = '\0';
        }
        for (char *at = strchr(shown, '\n'); at; at = strchr(at, '\n')) {
            *at = ' ';
        }
        fsattn_free(data);
    }
}

/* Whether a program of this project that ends so blames the machine, not what it was given. */
static bool says_machine(int exit_status) {
    static const fsattn_status machine[] = {FSATTN_NO_MEMORY, FSATTN_IO, FSATTN_BUSY, FSATTN_INTERRUPTED};
    bool found = false;
    for (size_t i = 0; i < sizeof machine / sizeof machine[0]; i++) {
        found = found || exit_status == fsattn_status_exit(machine[i]);
    }
    return found;
}

static fsattn_status judge(const char *program, int status, bool known, const char *log, const char *path,
                           fsattn_err *err) {
    char shown[shown_bytes];
    if (known && WIFSIGNALED(status)) {
        const bool own = WTERMSIG(status) != SIGKILL; /* SIGKILL is somebody else's: the kernel's, short of memory */
        return fsattn_fail(err, own ? FSATTN_COMPILE : FSATTN_BUSY, "%s: killed by signal %d", program, WTERMSIG(status));
    }
    last_words(log, shown);
    if (known && WEXITSTATUS(status)) {
        return fsattn_fail(err, says_machine(WEXITSTATUS(status)) ? FSATTN_BUSY : FSATTN_COMPILE, "%s: exit status %d: %s", program,
                           WEXITSTATUS(status), shown);
    }
    if (!fsattn_file_exists(path)) {
        return fsattn_fail(err, FSATTN_COMPILE, "%s: published nothing: %s", program, shown);
    }
    return FSATTN_OK;
}

/* ---- a run ---- */

static fsattn_status write_problem(const char *path, const fsattn_problem *problem, fsattn_err *err) {
    char text[fsattn_problem_text_bytes + 1];
    fsattn_problem_text(problem, text);
    strcat(text, "\n");
    return fsattn_file_publish(path, text, strlen(text), 0600, err);
}

/* Puts what the child made in its place, over whatever bears the name there: a damaged file is in nobody's way. What is no cache file, or
 * has no sound record, is not published. */
static fsattn_status publish(const char *program, const char *made, const char *path, fsattn_err *err) {
    char *data;
    size_t bytes;
    fsattn_fsc *fsc = NULL;
    FSATTN_TRY(fsattn_file_read(made, FSATTN_FSC_FILE_LIMIT, &data, &bytes, err));
    fsattn_status status = fsattn_fsc_open_bytes(path, data, bytes, NULL, NULL, &fsc, err);
    if (status == FSATTN_OK && !fsattn_fsc_count(fsc)) {
        status = fsattn_fail(err, FSATTN_COMPILE, "%s: published a cache file without a sound record", program);
    } else if (status == FSATTN_OK) {
        status = fsattn_file_publish(path, data, bytes, 0644, err);
    }
    fsattn_fsc_close(fsc);
    fsattn_free(data);
    return status;
}

/* Writes what the child needs into the folder and the whole command into `argv`, which has room for argument_limit + appended + 1. */
static fsattn_status make_command(const fsattn_miss_tuner *tuner, const fsattn_miss_task *task, const char *scratch,
                                  const char *made, fsattn_arena *arena, const char **argv, fsattn_err *err) {
    size_t count = 0;
    const char *input = fsattn_arena_printf(arena, task->record ? "%s/record.fsc" : "%s/problem.txt", scratch);
    const char *store = fsattn_arena_printf(arena, "%s/tune.db", scratch);
    if (!input || !store) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", scratch);
    }
    for (; tuner->command[count]; count++) {
        argv[count] = tuner->command[count]; /* no more than argument_limit: fsattn_misses_create has counted */
    }
    const char *const tune[] = {"--from-misses", input, "--store", store, "--cache", made, NULL};
    const char *const rebuild[] = {input, "--cache", made, NULL};
    memcpy(argv + count, task->record ? rebuild : tune, task->record ? sizeof rebuild : sizeof tune);
    /* What the child reads of a record are bytes that this process has judged. */
    return task->record ? fsattn_fsc_publish_record(task->record, input, err) : write_problem(input, task->problem, err);
}

fsattn_status fsattn_miss_tuner_run(const fsattn_miss_tuner *tuner, const fsattn_miss_task *task, const char *path,
                                    fsattn_err *err) {
    const char *argv[argument_limit + appended + 1];
    fsattn_arena arena = {0};
    fsattn_status status = FSATTN_OK;
    bool known;
    char *scratch = fsattn_arena_printf(&arena, "%s/work-XXXXXX", tuner->folder);
    if (!scratch || !mkdtemp(scratch)) {
        status = scratch ? fsattn_fail_errno(err, errno, "%s", tuner->folder)
                         : fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", tuner->folder);
        fsattn_arena_fini(&arena);
        return status;
    }
    const char *log = fsattn_arena_printf(&arena, "%s/log", scratch), *made = fsattn_arena_printf(&arena, "%s/made.fsc", scratch);
    if (!log || !made) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", tuner->folder);
        goto out;
    }
    FSATTN_GOTO(make_command(tuner, task, scratch, made, &arena, argv, err));
    FSATTN_GOTO(start(tuner, argv, log, err));
    int ended = wait_for(tuner, &known);
    FSATTN_GOTO(judge(argv[0], ended, known, log, made, err));
    status = publish(argv[0], made, path, err);
out:
    fsattn_folder_remove(scratch, NULL);
    fsattn_arena_fini(&arena);
    return status;
}
