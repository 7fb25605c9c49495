#include "process.h"

#include "error.h"
#include "file.h"
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { poll_limit = 64 };

int64_t fsattn_clock_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void limit(int resource, rlim_t soft, rlim_t hard) {
    struct rlimit old;
    if (getrlimit(resource, &old) == 0) {
        struct rlimit wanted = {soft < old.rlim_cur ? soft : old.rlim_cur, hard < old.rlim_max ? hard : old.rlim_max};
        setrlimit(resource, &wanted);
    }
}

/* Descriptors for the child: standard streams, `fds` from 3 on, the report's behind them, and no other. Whatever number they had
 * before; what has to be parked meanwhile takes the lowest numbers that are in nobody's way, since the limit may be low. */
static bool place_descriptors(const fsattn_process_start *start, int *report) {
    const int base = 3, end = base + (int)start->fd_count;
    int fds[fsattn_process_fd_limit];
    const int parked = fcntl(*report, F_DUPFD_CLOEXEC, end + 1);
    if (parked < 0) {
        return false;
    }
    *report = parked;
    for (size_t i = 0; i < start->fd_count; i++) {
        fds[i] = fcntl(start->fds[i], F_DUPFD, end + 1);
        if (fds[i] < 0) {
            return false;
        }
    }
    const int in = open("/dev/null", O_RDONLY);
    const int out = start->output ? open(start->output, O_WRONLY | O_CREAT | O_TRUNC, 0600) : open("/dev/null", O_WRONLY);
    if (in < 0 || out < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0 || dup2(in, 0) < 0) {
        return false;
    }
    for (size_t i = 0; i < start->fd_count; i++) {
        if (dup2(fds[i], base + (int)i) < 0) {
            return false;
        }
    }
    if (dup3(*report, end, O_CLOEXEC) < 0) {
        return false;
    }
    *report = end;
    return close_range((unsigned)end + 1, ~0u, 0) == 0;
}

static void limit_all(const fsattn_process_start *start) {
    limit(RLIMIT_CORE, 0, 0);
    if (start->cpu_s > 0) { /* the softer limit says SIGXCPU: a SIGKILL is somebody else's */
        limit(RLIMIT_CPU, (rlim_t)start->cpu_s + 1, (rlim_t)start->cpu_s + 10);
    }
    if (start->memory_bytes) {
        limit(RLIMIT_AS, start->memory_bytes, start->memory_bytes);
    }
    if (start->file_bytes) {
        limit(RLIMIT_FSIZE, start->file_bytes, start->file_bytes);
    }
}

/* Between fork and exec: only what is safe after a fork of a threaded process. Never returns. */
static _Noreturn void become(const fsattn_process_start *start, char *const *environment, int report) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL); /* what is ignored would stay so */
    signal(SIGXFSZ, SIG_DFL);
    if (place_descriptors(start, &report) && (!start->folder || chdir(start->folder) == 0)) {
        limit_all(start);
        execvpe(start->argv[0], (char *const *)(uintptr_t)start->argv, environment);
    }
    const int error = errno;
    (void)!write(report, &error, sizeof error);
    _exit(127);
}

fsattn_status fsattn_process_open(const fsattn_process_start *start, fsattn_process *process, fsattn_err *err) {
    static char path_default[] = "PATH=/usr/local/bin:/usr/bin:/bin";
    char path[4096], temporary[2100];
    const char *own = getenv("PATH");
    snprintf(path, sizeof path, "PATH=%s", own ? own : path_default + 5);
    snprintf(temporary, sizeof temporary, "TMPDIR=%s", start->folder ? start->folder : "/tmp");
    char language[] = "LC_ALL=C", zone[] = "TZ=UTC";
    char facts[4128] = "FSATTN_FACTS=", resolved[4096]; /* what a GPU was seen to do holds for children too, wherever they run */
    const char *named = getenv("FSATTN_FACTS");
    const bool has_facts = named && named[0];
    if (has_facts) {
        snprintf(facts, sizeof facts, "FSATTN_FACTS=%.4000s", realpath(named, resolved) ? resolved : named);
    }
    char *environment[] = {path, language, zone, temporary, has_facts ? facts : NULL, NULL};
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0) {
        return fsattn_fail_errno(err, errno, "%s: cannot make a pipe", start->argv[0]);
    }
    const pid_t pid = fork();
    if (pid == 0) {
        become(start, environment, report[1]);
    }
    const int fork_error = errno;
    close(report[1]);
    if (pid < 0) {
        close(report[0]);
        return fsattn_fail_errno(err, fork_error, "%s: cannot start a process", start->argv[0]);
    }
    setpgid(pid, pid); /* also done by the child: whoever comes first */
    int error = 0;
    ssize_t got;
    do {
        got = read(report[0], &error, sizeof error);
    } while (got < 0 && errno == EINTR);
    close(report[0]);
    if (got == (ssize_t)sizeof error) {
        waitpid(pid, NULL, 0);
        return fsattn_fail_errno(err, error, "cannot start '%s'", start->argv[0]);
    }
    *process = (fsattn_process){.pid = pid, .pidfd = pidfd_open(pid, 0)};
    if (process->pidfd < 0) {
        const int pidfd_error = errno;
        fsattn_process_close(process);
        return fsattn_fail_errno(err, pidfd_error, "%s: pidfd_open", start->argv[0]);
    }
    return FSATTN_OK;
}

bool fsattn_process_reap(fsattn_process *process) {
    siginfo_t info = {0};
    if (process->pid > 0 && !process->ended && waitid(P_PID, (id_t)process->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == process->pid) {
        kill(-process->pid, SIGKILL); /* while the leader is a zombie nobody else can have its number */
        while (waitpid(process->pid, &process->status, 0) < 0 && errno == EINTR) {
        }
        process->ended = true;
    }
    return process->ended;
}

size_t fsattn_process_wait(fsattn_process *processes, size_t count, int64_t deadline_ns, const volatile sig_atomic_t *stop) {
    for (;;) {
        struct pollfd polls[poll_limit];
        nfds_t running = 0;
        bool ended = false;
        for (size_t i = 0; i < count && running < poll_limit; i++) {
            if (processes[i].pid > 0 && !processes[i].ended) {
                polls[running++] = (struct pollfd){.fd = processes[i].pidfd, .events = POLLIN};
                ended |= fsattn_process_reap(&processes[i]);
            }
        }
        const int64_t left_ns = deadline_ns - fsattn_clock_ns();
        if (running == 0 || ended || left_ns <= 0 || (stop && *stop)) {
            return running;
        }
        const int64_t left_ms = left_ns / 1000000 + 1;
        poll(polls, running, left_ms > 100 ? 100 : (int)left_ms); /* 100 ms: how late a Ctrl-C may be seen */
    }
}

void fsattn_process_close(fsattn_process *process) {
    if (process->pid > 0) {
        if (!process->ended) { /* an ended one took its group with it when it was reaped */
            kill(-process->pid, SIGKILL);
            kill(process->pid, SIGKILL);
            while (waitpid(process->pid, &process->status, 0) < 0 && errno == EINTR) {
            }
        }
        if (process->pidfd >= 0) {
            close(process->pidfd);
        }
    }
    *process = (fsattn_process){.pidfd = -1};
}

void fsattn_process_describe(const fsattn_process *process, char *text, size_t bytes) {
    if (WIFSIGNALED(process->status)) {
        const int number = WTERMSIG(process->status);
        snprintf(text, bytes, "killed by signal %d (%s)", number, sigdescr_np(number) ? sigdescr_np(number) : "unknown");
    } else {
        snprintf(text, bytes, "exit status %d", WEXITSTATUS(process->status));
    }
}

fsattn_status fsattn_process_sibling(const char *name, char **path, fsattn_err *err) {
    char *folder;
    FSATTN_TRY(fsattn_folder_program(&folder, err));
    static const char *const places[] = {"%s/%s", "%s/../bin/%s"};
    for (size_t i = 0; i < 2; i++) {
        fsattn_text text = {0};
        fsattn_text_printf(&text, places[i], folder, name);
        char *candidate = fsattn_text_take(&text);
        if (candidate && fsattn_file_exists(candidate)) {
            fsattn_free(folder);
            *path = candidate;
            return FSATTN_OK;
        }
        fsattn_free(candidate);
    }
    fsattn_fail(err, FSATTN_NOT_FOUND, "no program '%s' beside the running one, in %s", name, folder);
    fsattn_hint(err, "build all targets, or install them into one folder");
    fsattn_free(folder);
    return FSATTN_NOT_FOUND;
}
