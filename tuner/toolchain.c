#include "toolchain.h"

#include "error.h"
#include "file.h"
#include "hash.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { log_limit = 64 << 10, code_limit = 64 << 20, job_limit = 32 };

/* Runs the compiler with one option and gives what it printed, without the final newline; NULL on failure. */
static char *ask(const fsattn_toolchain *t, const char *option) {
    char output[4096], *text = NULL;
    size_t bytes;
    snprintf(output, sizeof output, "%s/answer", t->folder);
    const char *argv[] = {t->path, option, NULL};
    fsattn_process process;
    fsattn_process_start start = {.argv = argv, .folder = t->folder, .output = output, .cpu_s = 20};
    if (fsattn_process_open(&start, &process, NULL) != FSATTN_OK) {
        return NULL;
    }
    const int64_t deadline = fsattn_clock_ns() + 20000000000;
    while (!fsattn_process_reap(&process) && fsattn_clock_ns() < deadline) {
        fsattn_process_wait(&process, 1, deadline, NULL);
    }
    const bool good = process.ended && WIFEXITED(process.status) && WEXITSTATUS(process.status) == 0;
    fsattn_process_close(&process);
    if (!good || fsattn_file_read(output, log_limit, &text, &bytes, NULL) != FSATTN_OK) {
        return NULL;
    }
    text[strcspn(text, "\n")] = 0;
    return text;
}

/* The first 16 digits of the hash of a file. */
static void add_file_hash(const char *path, char text[17]) {
    char *data, hex[fsattn_hash_hex_bytes];
    size_t bytes;
    strcpy(text, "unreadable");
    if (fsattn_file_read(path, (size_t)1 << 30, &data, &bytes, NULL) == FSATTN_OK) {
        fsattn_hash hash = fsattn_hash_of(data, bytes);
        fsattn_hash_hex(&hash, hex);
        memcpy(text, hex, 16);
        text[16] = 0;
        fsattn_free(data);
    }
}

/* Full path of a program in PATH, links resolved; new string or NULL. */
static char *resolve(const char *name) {
    char *resolved = strchr(name, '/') ? realpath(name, NULL) : NULL, *copy = NULL;
    const char *path = getenv("PATH");
    for (const char *at = path ? path : "/usr/bin:/bin"; !resolved && !strchr(name, '/') && *at;) {
        size_t length = strcspn(at, ":");
        char candidate[4096];
        snprintf(candidate, sizeof candidate, "%.*s/%s", (int)length, at, name);
        if (access(candidate, X_OK) == 0) {
            resolved = realpath(candidate, NULL);
        }
        at += length + (at[length] == ':');
    }
    if (resolved) {
        copy = fsattn_strdup(resolved);
        free(resolved);
    }
    return copy;
}

fsattn_status fsattn_toolchain_open(const char *compiler, int jobs, double time_limit_s, fsattn_toolchain *toolchain,
                                    fsattn_err *err) {
    fsattn_toolchain t = {.jobs = jobs, .time_limit_s = time_limit_s};
    fsattn_status status = FSATTN_OK;
    const char *name = compiler ? compiler : getenv("CC");
    name = name && *name ? name : "cc";
    fsattn_cpu_detect(&t.cpu);
    fsattn_cpu_isa(&t.cpu, t.isa);
    if (t.jobs <= 0) {
        t.jobs = t.cpu.cores;
    }
    t.jobs = t.jobs > job_limit ? job_limit : t.jobs;
    const char *temporary = getenv("TMPDIR");
    char folder[2048];
    snprintf(folder, sizeof folder, "%s/fsattn-build-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(folder)) {
        return fsattn_fail_errno(err, errno, "%s: cannot make a temporary folder", folder);
    }
    t.folder = fsattn_strdup(folder);
    t.path = resolve(name);
    char *version = t.path && t.folder ? ask(&t, "--version") : NULL;
    char *proper = version ? ask(&t, "-print-prog-name=cc1") : NULL;
    if (!version) {
        status = fsattn_fail(err, FSATTN_NOT_FOUND, "the C compiler '%s' does not run", name);
        fsattn_hint(err, "install it (apt-get install gcc), or name another one in CC");
        goto out;
    }
    char driver_hash[17], proper_hash[17];
    add_file_hash(t.path, driver_hash);
    add_file_hash(proper && *proper == '/' ? proper : t.path, proper_hash);
    snprintf(t.identity, sizeof t.identity, "%.150s driver=%s proper=%s", version, driver_hash, proper_hash);
out:
    fsattn_free(version);
    fsattn_free(proper);
    if (status != FSATTN_OK) {
        fsattn_toolchain_close(&t);
        return status;
    }
    *toolchain = t;
    return FSATTN_OK;
}

void fsattn_toolchain_close(fsattn_toolchain *toolchain) {
    if (toolchain->folder) {
        fsattn_folder_remove(toolchain->folder, NULL);
    }
    fsattn_free(toolchain->folder);
    fsattn_free(toolchain->path);
    *toolchain = (fsattn_toolchain){0};
}

const char **fsattn_toolchain_options(const fsattn_toolchain *t, const char *const *options, size_t count,
                                      fsattn_arena *arena, size_t *total) {
    static const char *const linking[] = {"-fPIC", "-shared", "-nostdlib", "-fvisibility=hidden", "-Wl,--build-id=none", "-w"};
    const struct {
        bool has;
        const char *option;
    } features[] = {
#define X(member, name) {t->cpu.member, "-m" name},
        FSATTN_CPU_FEATURE_LIST(X)
#undef X
    };
    const size_t linking_count = sizeof linking / sizeof *linking, feature_count = sizeof features / sizeof *features;
    const char **all = fsattn_arena_alloc(arena, count + feature_count + linking_count + 1, sizeof *all);
    size_t n = 0;
    for (size_t i = 0; all && i < count; i++) {
        all[n++] = options[i];
    }
    for (size_t i = 0; all && i < feature_count; i++) {
        if (features[i].has) {
            all[n++] = features[i].option;
        }
    }
    for (size_t i = 0; all && i < linking_count; i++) {
        all[n++] = linking[i];
    }
    *total = n;
    return all;
}

/* ---- the pool ---- */

typedef struct job {
    size_t index;
    int64_t started_ns, deadline_ns;
    char folder[2048];
} job;

static fsattn_status start_job(fsattn_toolchain *t, const fsattn_compilation *c, size_t index, job *j,
                               fsattn_process *process, fsattn_err *err) {
    char path[4096], output[4096];
    const char *argv[256];
    size_t n = 0;
    *j = (job){.index = index, .started_ns = fsattn_clock_ns()};
    j->deadline_ns = j->started_ns + (int64_t)(t->time_limit_s * 1e9);
    snprintf(j->folder, sizeof j->folder, "%s/%zu", t->folder, index);
    FSATTN_TRY(fsattn_folder_make(j->folder, err));
    snprintf(path, sizeof path, "%s/kernel.c", j->folder);
    FSATTN_TRY(fsattn_file_publish(path, c->source, c->source_bytes, 0600, err));
    argv[n++] = t->path;
    for (const char *const *option = c->options; *option && n < 250; option++) {
        argv[n++] = *option;
    }
    argv[n++] = "kernel.c";
    argv[n++] = "-o";
    argv[n++] = "kernel.so";
    argv[n] = NULL;
    snprintf(output, sizeof output, "%s/log", j->folder);
    const fsattn_process_start start = {.argv = argv, .folder = j->folder, .output = output, .cpu_s = t->time_limit_s + 1,
                                        .memory_bytes = (size_t)8 << 30, .file_bytes = code_limit};
    return fsattn_process_open(&start, process, err);
}

/* The line of the log that says what is wrong. */
static void reason_from_log(const char *log, char reason[512]) {
    const char *line = strstr(log, "error:");
    line = line ? line : log;
    while (line > log && line[-1] != '\n') {
        line--;
    }
    snprintf(reason, 512, "%.*s", (int)(strcspn(line, "\n") < 500 ? strcspn(line, "\n") : 500), line);
}

static void finish_job(fsattn_toolchain *t, fsattn_compilation *c, const job *j, fsattn_process *process, bool cut) {
    char path[4096];
    size_t bytes = 0;
    const bool ended = process->ended;
    const int status = process->status;
    char how[128];
    fsattn_process_describe(process, how, sizeof how);
    fsattn_process_close(process);
    c->seconds = (double)(fsattn_clock_ns() - j->started_ns) * 1e-9;
    snprintf(path, sizeof path, "%s/log", j->folder);
    struct stat log;
    if (stat(path, &log) == 0 && log.st_size > log_limit) {
        (void)!truncate(path, log_limit); /* what follows is repetition */
    }
    if (fsattn_file_read(path, log_limit, &c->log, &bytes, NULL) != FSATTN_OK) {
        c->log = NULL;
    }
    snprintf(path, sizeof path, "%s/kernel.so", j->folder);
    char *code = NULL;
    if (!ended) {
        c->cut = cut;
        c->verdict = FSATTN_VERDICT_TIMEOUT;
        snprintf(c->reason, sizeof c->reason, "the compiler was still running after %.0f s", t->time_limit_s);
    } else if (WIFSIGNALED(status) || (c->log && strstr(c->log, "internal compiler error"))) {
        c->verdict = FSATTN_VERDICT_CRASHED;
        snprintf(c->reason, sizeof c->reason, "the compiler crashed: %s",
                 WIFSIGNALED(status) ? how : "internal compiler error");
    } else if (WEXITSTATUS(status) != 0) {
        c->verdict = FSATTN_VERDICT_BUILD_FAILED;
        reason_from_log(c->log && *c->log ? c->log : how, c->reason);
        if (!*c->reason) {
            snprintf(c->reason, sizeof c->reason, "the compiler failed without a word: %s", how);
        }
    } else if (fsattn_file_read(path, code_limit, &code, &c->code_bytes, NULL) != FSATTN_OK || c->code_bytes == 0) {
        fsattn_free(code);
        c->verdict = FSATTN_VERDICT_BUILD_FAILED;
        snprintf(c->reason, sizeof c->reason, "the compiler succeeded but wrote no code object");
    } else {
        c->verdict = FSATTN_VERDICT_OK;
        c->code = code;
    }
    fsattn_folder_remove(j->folder, NULL);
}

fsattn_status fsattn_toolchain_compile(fsattn_toolchain *t, fsattn_compilation *compilations, size_t count,
                                       int64_t deadline_ns, const volatile sig_atomic_t *stop, fsattn_compiled *done,
                                       void *context, fsattn_err *err) {
    fsattn_process processes[job_limit];
    job jobs[job_limit];
    size_t next = 0, running = 0;
    fsattn_status status = FSATTN_OK;
    memset(processes, 0, sizeof processes);
    while (next < count || running > 0) {
        bool late = fsattn_clock_ns() >= deadline_ns || (stop && *stop);
        int64_t earliest = deadline_ns;
        for (int slot = 0; slot < t->jobs; slot++) {
            if (processes[slot].pid == 0 && next < count && !late) {
                FSATTN_GOTO(start_job(t, &compilations[next], next, &jobs[slot], &processes[slot], err));
                next++;
                running++;
            }
            if (processes[slot].pid > 0 && jobs[slot].deadline_ns < earliest) {
                earliest = jobs[slot].deadline_ns;
            }
        }
        if (!late) {
            fsattn_process_wait(processes, (size_t)t->jobs, earliest, stop);
        }
        const int64_t now = fsattn_clock_ns();
        late = now >= deadline_ns || (stop && *stop);
        for (int slot = 0; slot < t->jobs; slot++) {
            if (processes[slot].pid > 0 && (fsattn_process_reap(&processes[slot]) || late || now >= jobs[slot].deadline_ns)) {
                const size_t index = jobs[slot].index;
                finish_job(t, &compilations[index], &jobs[slot], &processes[slot], late && now < jobs[slot].deadline_ns);
                processes[slot].pid = 0;
                running--;
                FSATTN_GOTO(done(context, index, err));
            }
        }
        for (; late && next < count; next++) {
            compilations[next].cut = true;
            compilations[next].verdict = FSATTN_VERDICT_TIMEOUT;
            FSATTN_GOTO(done(context, next, err));
        }
    }
out:
    for (int slot = 0; slot < t->jobs; slot++) {
        fsattn_process_close(&processes[slot]);
    }
    return status;
}

void fsattn_compilation_fini(fsattn_compilation *c) {
    fsattn_free(c->log);
    fsattn_free(c->code);
    c->log = NULL;
    c->code = NULL;
}
