/* The killable rendering of template.h: a forked child renders into a memfd, the parent waits on its pidfd. */
#include "template.h"

#include "error.h"
#include "file.h"
#include "memory.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What the child writes before the text. Its presence is the final message: a child that ends without it failed. */
typedef struct report {
    char magic[8];
    fsattn_status status;
    size_t text_bytes;
    fsattn_err err;
} report;

static const char magic[8] = "rendered";

static size_t address_space_bytes(void) {
    size_t pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (file) {
        if (fscanf(file, "%zu", &pages) != 1) {
            pages = 0;
        }
        fclose(file);
    }
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void limit(int resource, rlim_t value) {
    struct rlimit old;
    if (getrlimit(resource, &old) == 0 && value < old.rlim_max) {
        struct rlimit wanted = {value, value};
        setrlimit(resource, &wanted);
    }
}

static bool write_all(int fd, const void *data, size_t bytes) {
    const char *at = data;
    while (bytes) {
        ssize_t wrote = write(fd, at, bytes);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            return false;
        }
        at += wrote;
        bytes -= (size_t)wrote;
    }
    return true;
}

static _Noreturn void child(int fd, const fsattn_manifest *manifest, const fsattn_setting *setting,
                            const fsattn_config *config, const fsattn_template_limits *limits) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, (rlim_t)ceil(limits->time_s) + 1);
    /* What the process has already, Lua's share, and a few copies of the output. */
    limit(RLIMIT_AS, address_space_bytes() + limits->memory_bytes + 6 * limits->output_bytes + ((size_t)64 << 20));
    report done = {.status = FSATTN_OK};
    fsattn_text text = {0};
    done.status = fsattn_template_render(manifest, setting, config, limits, &text, &done.err);
    memcpy(done.magic, magic, sizeof magic);
    done.text_bytes = text.bytes;
    bool written = write_all(fd, &done, sizeof done) && write_all(fd, text.data, text.bytes);
    _exit(written ? 0 : 1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* Waits for the child; kills it at the deadline. Returns whether it ended by itself; *code as waitpid gives it. */
static bool await(pid_t pid, double deadline, int *code) {
    int pidfd = pidfd_open(pid, 0);
    struct pollfd ended = {.fd = pidfd, .events = POLLIN};
    int ready = 0;
    for (double rest = deadline - now(); pidfd >= 0 && rest > 0; rest = deadline - now()) {
        ready = poll(&ended, 1, (int)fmin(ceil(rest * 1e3), 3.6e6));
        if (ready > 0 || (ready < 0 && errno != EINTR)) {
            break;
        }
    }
    if (ready <= 0) {
        kill(pid, SIGKILL);
    }
    while (waitpid(pid, code, 0) < 0 && errno == EINTR) {
    }
    if (pidfd >= 0) {
        close(pidfd);
    }
    return ready > 0;
}

/* The child's claim, checked for shape. */
static fsattn_status collect(const char *name, int fd, int code, size_t output_bytes, fsattn_text *output,
                             fsattn_err *err) {
    char *data;
    size_t bytes;
    FSATTN_TRY(fsattn_file_read_fd(fd, name, sizeof(report) + output_bytes + 65536, &data, &bytes, err));
    report done;
    fsattn_status status;
    if (bytes >= sizeof done) {
        memcpy(&done, data, sizeof done);
    }
    if (bytes < sizeof done || memcmp(done.magic, magic, sizeof magic) || done.text_bytes != bytes - sizeof done) {
        status = WIFSIGNALED(code) ? fsattn_fail(err, FSATTN_INTERNAL, "%s: rendering was ended by signal %d (%s)", name,
                                                 WTERMSIG(code), strsignal(WTERMSIG(code)))
                                   : fsattn_fail(err, FSATTN_INTERNAL, "%s: rendering ended without a result", name);
    } else if (done.status != FSATTN_OK) {
        status = done.status;
        if (err) {
            *err = done.err;
            err->message[sizeof err->message - 1] = '\0';
            err->hint[sizeof err->hint - 1] = '\0';
        }
    } else {
        fsattn_text_add(output, data + sizeof done, done.text_bytes);
        status = output->failed ? fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", name) : FSATTN_OK;
    }
    fsattn_free(data);
    return status;
}

fsattn_template_limits fsattn_template_limits_within(int64_t left_ns) {
    fsattn_template_limits limits = fsattn_template_limits_default;
    limits.time_s = fmax(0.01, fmin(limits.time_s, (double)left_ns / 1e9));
    return limits;
}

fsattn_status fsattn_template_render_child(const fsattn_manifest *manifest, const fsattn_setting *setting,
                                           const fsattn_config *config, const fsattn_template_limits *limits,
                                           fsattn_text *output, fsattn_err *err) {
    const fsattn_template_limits *bounds = limits ? limits : &fsattn_template_limits_default;
    int fd = memfd_create("fsattn-render", MFD_CLOEXEC);
    if (fd < 0) {
        return fsattn_fail_errno(err, errno, "%s: cannot make a memory file", manifest->name);
    }
    double deadline = now() + bounds->time_s;
    pid_t pid = fork();
    if (pid == 0) {
        child(fd, manifest, setting, config, bounds);
    }
    fsattn_status status;
    int code = 0;
    if (pid < 0) {
        status = fsattn_fail_errno(err, errno, "%s: cannot start a process", manifest->name);
    } else if (!await(pid, deadline, &code)) {
        status = fsattn_fail(err, FSATTN_INVALID, "%s/%s: rendering took more than %g seconds and was killed",
                             manifest->name, manifest->source, bounds->time_s);
    } else {
        status = collect(manifest->name, fd, code, bounds->output_bytes, output, err);
    }
    close(fd);
    return status;
}
