#include "rocm_client.h"

#include "error.h"
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const size_t reply_limit = (size_t)256 << 20;
static const size_t log_limit = 65536;

static _Noreturn void child(int fd, int log, const char *const *argv, const char *const *environment,
                            size_t memory_bytes, pid_t parent) {
    const struct rlimit none = {0, 0}, memory = {memory_bytes, memory_bytes};
    sigset_t all;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(127);
    }
    setrlimit(RLIMIT_CORE, &none);
    if (memory_bytes) {
        setrlimit(RLIMIT_AS, &memory);
    }
    sigemptyset(&all);
    sigprocmask(SIG_SETMASK, &all, NULL);
    signal(SIGPIPE, SIG_DFL);
    if (dup2(fd, 0) != 0 || dup2(fd, 1) != 1 || dup2(log, 2) != 2) {
        _exit(127);
    }
    close_range(3, ~0u, 0);
    execve(argv[0], (char *const *)argv, (char *const *)environment);
    dprintf(2, "cannot run %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

fsattn_status fsattn_rocm_client_start(fsattn_rocm_client *client, const char *const *argv,
                                       const char *const *environment, size_t memory_bytes, fsattn_err *err) {
    fsattn_status status = FSATTN_OK;
    int fds[2] = {-1, -1}, log = -1;
    *client = (fsattn_rocm_client){.fd = -1, .log = -1};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds)) {
        return fsattn_fail_errno(err, errno, "%s: cannot make a socket", argv[0]);
    }
    log = memfd_create("fsattn-rocm-log", MFD_CLOEXEC);
    if (log < 0 || fcntl(fds[0], F_SETFL, O_NONBLOCK)) {
        status = fsattn_fail_errno(err, errno, "%s: cannot make a memory file", argv[0]);
        goto out;
    }
    const pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        child(fds[1], log, argv, environment, memory_bytes, parent);
    }
    if (pid < 0) {
        status = fsattn_fail_errno(err, errno, "%s: cannot start a process", argv[0]);
        goto out;
    }
    setpgid(pid, pid); /* both sides: whoever comes first */
    client->pid = pid;
    client->fd = fds[0];
    client->log = log;
    fds[0] = log = -1;
out:
    for (int i = 0; i < 2; i++) {
        if (fds[i] >= 0) {
            close(fds[i]);
        }
    }
    if (log >= 0) {
        close(log);
    }
    return status;
}

static char *put(char *at, const void *data, size_t bytes) {
    if (bytes) {
        memcpy(at, data, bytes);
    }
    return at + bytes;
}

fsattn_status fsattn_rocm_client_send(fsattn_rocm_client *client, uint32_t command,
                                      const fsattn_rocm_blob *blobs, size_t count, fsattn_err *err) {
    const fsattn_rocm_frame_header header = {FSATTN_ROCM_FRAME_MAGIC, command, 0, (uint32_t)count};
    size_t bytes = sizeof header;
    if (count > fsattn_rocm_frame_blobs) {
        return fsattn_fail(err, FSATTN_INVALID, "compile worker: %zu blobs, a frame holds %d", count,
                           fsattn_rocm_frame_blobs);
    }
    for (size_t i = 0; i < count; i++) {
        bytes += sizeof(uint64_t) + blobs[i].bytes;
    }
    char *out = fsattn_realloc(client->out, bytes, 1);
    if (!out) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "compile worker: out of memory");
    }
    char *at = put(out, &header, sizeof header);
    for (size_t i = 0; i < count; i++) {
        const uint64_t blob_bytes = blobs[i].bytes;
        at = put(at, &blob_bytes, sizeof blob_bytes);
        at = put(at, blobs[i].data, blobs[i].bytes);
    }
    client->out = out;
    client->out_bytes = bytes;
    client->out_done = 0;
    client->in_bytes = 0;
    client->command = command;
    return FSATTN_OK;
}

short fsattn_rocm_client_events(const fsattn_rocm_client *client) {
    return (short)(POLLIN | (client->out_done < client->out_bytes ? POLLOUT : 0));
}

/* Whether the reply is complete: 1, not yet: 0, or can never become one: -1. */
static int reply_state(const fsattn_rocm_client *client) {
    fsattn_rocm_frame_header header;
    if (client->in_bytes < sizeof header) {
        return 0;
    }
    memcpy(&header, client->in, sizeof header);
    if (header.magic != FSATTN_ROCM_FRAME_MAGIC || header.command != client->command ||
        header.count > fsattn_rocm_frame_blobs) {
        return -1;
    }
    size_t at = sizeof header;
    for (uint32_t i = 0; i < header.count; i++) {
        uint64_t bytes;
        if (client->in_bytes - at < sizeof bytes) {
            return 0;
        }
        memcpy(&bytes, client->in + at, sizeof bytes);
        at += sizeof bytes;
        if (bytes > reply_limit) {
            return -1;
        }
        if (client->in_bytes - at < bytes) {
            return 0;
        }
        at += bytes;
    }
    return client->in_bytes == at ? 1 : -1;
}

fsattn_rocm_progress fsattn_rocm_client_step(fsattn_rocm_client *client) {
    while (client->out_done < client->out_bytes) {
        const ssize_t sent = send(client->fd, client->out + client->out_done,
                                  client->out_bytes - client->out_done, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) {
            continue;
        }
        if (sent < 0) {
            if (errno == EAGAIN) {
                break;
            }
            return FSATTN_ROCM_ENDED;
        }
        client->out_done += (size_t)sent;
    }
    for (;;) {
        if (client->in_capacity - client->in_bytes < 65536) {
            const size_t capacity = client->in_capacity * 2 + 131072;
            char *in = capacity > 2 * reply_limit ? NULL : fsattn_realloc(client->in, capacity, 1);
            if (!in) {
                return FSATTN_ROCM_ENDED;
            }
            client->in = in;
            client->in_capacity = capacity;
        }
        const ssize_t got =
            read(client->fd, client->in + client->in_bytes, client->in_capacity - client->in_bytes);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0 && errno == EAGAIN) {
            break;
        }
        if (got <= 0) {
            return FSATTN_ROCM_ENDED;
        }
        client->in_bytes += (size_t)got;
    }
    const int state = reply_state(client);
    return state > 0 ? FSATTN_ROCM_REPLIED : state < 0 ? FSATTN_ROCM_ENDED : FSATTN_ROCM_WAITING;
}

size_t fsattn_rocm_client_reply(const fsattn_rocm_client *client, uint32_t *status, fsattn_rocm_blob *blobs,
                                size_t limit) {
    fsattn_rocm_frame_header header;
    const char *at = client->in;
    memcpy(&header, at, sizeof header);
    at += sizeof header;
    *status = header.status;
    const size_t count = header.count < limit ? header.count : limit;
    for (size_t i = 0; i < count; i++) {
        uint64_t bytes;
        memcpy(&bytes, at, sizeof bytes);
        at += sizeof bytes;
        blobs[i] = (fsattn_rocm_blob){at, (size_t)bytes};
        at += bytes;
    }
    return count;
}

/* The last log_limit bytes of the child's stderr; NULL when memory ends. */
static char *read_log(int fd) {
    const off_t end = lseek(fd, 0, SEEK_END);
    const off_t first = end > (off_t)log_limit ? end - (off_t)log_limit : 0;
    char *log = fsattn_alloc(log_limit + 1, 1);
    if (log && end > 0) {
        const ssize_t got = pread(fd, log, (size_t)(end - first), first);
        log[got > 0 ? got : 0] = '\0';
    }
    return log;
}

/* "killed by signal 6 (Aborted): LLVM ERROR: Cannot select ...": how it ended and the first line that names
 * an error, else the last. */
static void describe(int code, const char *log, char *reason, size_t bytes) {
    char line[256] = "";
    const char *error = log ? strstr(log, "ERROR") : NULL;
    for (const char *at = log; at && *at;) {
        const size_t length = strcspn(at, "\n");
        if (length) {
            snprintf(line, sizeof line, "%.*s", (int)(length < sizeof line ? length : sizeof line - 1), at);
        }
        if (error && error < at + length) {
            break;
        }
        at += length + (at[length] == '\n');
    }
    if (WIFSIGNALED(code)) {
        snprintf(reason, bytes, "killed by signal %d (%s)%s%s", WTERMSIG(code), strsignal(WTERMSIG(code)),
                 *line ? ": " : "", line);
    } else {
        snprintf(reason, bytes, "ended with exit status %d%s%s", WEXITSTATUS(code), *line ? ": " : "", line);
    }
}

void fsattn_rocm_client_stop(fsattn_rocm_client *client, char *reason, size_t bytes, char **log) {
    if (client->pid) {
        int code = 0;
        /* A child that closed its end is on its way out: its own status says more than our signal would. It
         * is only looked at here, so that its process group cannot be anybody else's yet when that is killed.
         */
        const struct timespec moment = {0, 1000000};
        siginfo_t info = {.si_pid = 0};
        for (int i = 0; reason && i < 500 && info.si_pid == 0; i++) {
            if (waitid(P_PID, (id_t)client->pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid) {
                break;
            }
            nanosleep(&moment, NULL);
        }
        kill(-client->pid, SIGKILL);
        kill(client->pid, SIGKILL);
        while (waitpid(client->pid, &code, 0) < 0 && errno == EINTR) {
        }
        char *text = read_log(client->log);
        if (reason) {
            describe(code, text, reason, bytes);
        }
        if (log) {
            *log = text;
        } else {
            fsattn_free(text);
        }
        close(client->fd);
        close(client->log);
    }
    fsattn_free(client->out);
    fsattn_free(client->in);
    *client = (fsattn_rocm_client){.fd = -1, .log = -1};
}
