#include "toolchain.h"

#include "error.h"
#include "file.h"
#include "hash.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { log_limit = 64 << 10, code_limit = 64 << 20, job_limit = 32 };
static const size_t memory_limit = (size_t)8 << 30;
/* For a question about itself; after the first it is told that there is no answer yet. */
static const double answer_limit_s = 20, told_after_s = 2;

static bool stopped(const fsattn_toolchain_settings *settings) {
    return settings->stop && *settings->stop;
}

/* Waits for the compiler's answer; says so when it takes long. */
static void await_answer(const fsattn_toolchain_settings *settings, const char *option, double limit_s, fsattn_process *process) {
    const int64_t start = fsattn_clock_ns(), deadline = start + (int64_t)(limit_s * 1e9), told_at = start + (int64_t)(told_after_s * 1e9);
    bool told = false;
    while (!fsattn_process_reap(process) && fsattn_clock_ns() < deadline && !stopped(settings)) {
        fsattn_process_wait(process, 1, told || deadline < told_at ? deadline : told_at, settings->stop);
        if (!told && settings->warn && !process->ended && fsattn_clock_ns() >= told_at) {
            fsattn_err notice = {.code = FSATTN_BUSY};
            snprintf(notice.message, sizeof notice.message, "waiting: the C compiler has not answered '%s' yet", option);
            settings->warn(settings->warn_data, &notice);
            told = true;
        }
    }
}

/* Runs the compiler with one option and gives what it printed, without the final newline; a new string. NOT_FOUND: it failed. */
static fsattn_status ask(const fsattn_toolchain *t, const fsattn_toolchain_settings *settings, const char *option, char **answer,
                         fsattn_err *err) {
    char output[4096], how[128], *text = NULL;
    size_t bytes;
    const double limit_s = settings->answer_limit_s > 0 && settings->answer_limit_s < answer_limit_s ? settings->answer_limit_s : answer_limit_s;
    snprintf(output, sizeof output, "%s/answer", t->workplace.path);
    const char *argv[] = {t->path, option, NULL};
    fsattn_process process;
    fsattn_process_start start = {.argv = argv, .folder = t->workplace.path, .output = output, .cpu_s = answer_limit_s};
    FSATTN_TRY(fsattn_process_open(&start, &process, err));
    await_answer(settings, option, limit_s, &process);
    const bool ended = process.ended, good = ended && WIFEXITED(process.status) && WEXITSTATUS(process.status) == 0;
    fsattn_process_describe(&process, how, sizeof how);
    fsattn_process_close(&process);
    if (!ended && stopped(settings)) {
        return fsattn_fail(err, FSATTN_INTERRUPTED, "interrupted");
    }
    if (!ended) {
        return fsattn_fail(err, FSATTN_COMPILE, "no answer to %s after %.3g s", option, limit_s);
    }
    if (!good) {
        return fsattn_fail(err, FSATTN_NOT_FOUND, "%s: %s", option, how);
    }
    FSATTN_TRY(fsattn_file_read(output, log_limit, &text, &bytes, err));
    text[strcspn(text, "\n")] = 0;
    *answer = text;
    return FSATTN_OK;
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

/* Why there is no such program, and what to do. */
static fsattn_status no_compiler(const char *name, fsattn_err *err) {
    char first[256];
    snprintf(first, sizeof first, "%.*s", (int)(strcspn(name, " ") < sizeof first ? strcspn(name, " ") : sizeof first - 1), name);
    char *program = strchr(name, ' ') ? resolve(first) : NULL;
    fsattn_fail(err, FSATTN_NOT_FOUND, "the C compiler '%s' does not run: no such program", name);
    if (program) {
        fsattn_hint(err, "CC names one program, without options or a launcher: CC=gcc; for ccache a folder with its links in PATH");
    } else {
        fsattn_hint(err, "install it (apt-get install gcc), or name another one in CC");
    }
    fsattn_free(program);
    return FSATTN_NOT_FOUND;
}

/* What it says of itself. A compiler that does not say where its proper part is has none. */
static fsattn_status identify(fsattn_toolchain *t, const fsattn_toolchain_settings *settings, const char *name, fsattn_err *err) {
    char *version = NULL, *proper = NULL, driver_hash[17], proper_hash[17];
    fsattn_status status = ask(t, settings, "--version", &version, err);
    if (status == FSATTN_OK) {
        status = ask(t, settings, "-print-prog-name=cc1", &proper, err);
        status = status == FSATTN_NOT_FOUND ? FSATTN_OK : status;
    }
    if (status == FSATTN_INTERRUPTED) {
        goto out;
    }
    if (status != FSATTN_OK) {
        fsattn_context_add(err, status, status == FSATTN_COMPILE ? "the C compiler '%s'" : "the C compiler '%s' does not run", name);
        fsattn_hint(err, status == FSATTN_IO ? "free what is used up (ulimit -a says the limits): files, processes, disk"
                                             : "install it anew (apt-get install gcc), or name another one in CC");
        goto out;
    }
    add_file_hash(t->path, driver_hash);
    add_file_hash(proper && *proper == '/' ? proper : t->path, proper_hash);
    snprintf(t->identity, sizeof t->identity, "%.150s driver=%s proper=%s", version, driver_hash, proper_hash);
out:
    fsattn_free(version);
    fsattn_free(proper);
    return status;
}

fsattn_status fsattn_toolchain_open(const fsattn_toolchain_settings *settings, fsattn_toolchain *toolchain, fsattn_err *err) {
    fsattn_toolchain t = {.jobs = settings->jobs, .time_limit_s = settings->time_limit_s};
    const char *name = settings->compiler ? settings->compiler : getenv("CC");
    name = name && *name ? name : "cc";
    fsattn_cpu_detect(&t.cpu);
    fsattn_cpu_isa(&t.cpu, t.isa);
    if (t.jobs <= 0) {
        t.jobs = t.cpu.cores;
    }
    t.jobs = t.jobs > job_limit ? job_limit : t.jobs;
    FSATTN_TRY(fsattn_workplace_open("fsattn-build-", &t.workplace, err));
    t.path = resolve(name);
    const fsattn_status status = t.path ? identify(&t, settings, name, err) : no_compiler(name, err);
    if (status != FSATTN_OK) {
        fsattn_toolchain_close(&t);
        return status;
    }
    *toolchain = t;
    return FSATTN_OK;
}

void fsattn_toolchain_close(fsattn_toolchain *toolchain) {
    fsattn_workplace_close(&toolchain->workplace);
    fsattn_free(toolchain->path);
    *toolchain = (fsattn_toolchain){0};
}

static const char *const linking[] = {"-fPIC", "-shared", "-nostdlib", "-fvisibility=hidden", "-Wl,--build-id=none", "-Wl,-z,relro,-z,now", "-w"};

bool fsattn_toolchain_adds(const char *option) {
    static const char *const features[] = {
#define X(member, name) "-m" name,
        FSATTN_CPU_FEATURE_LIST(X)
#undef X
    };
    bool found = !strncmp(option, "-Wl,", 4); /* other versions may have others */
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        found = found || !strcmp(option, features[i]);
    }
    for (size_t i = 0; i < sizeof linking / sizeof *linking; i++) {
        found = found || !strcmp(option, linking[i]);
    }
    return found;
}

const char **fsattn_toolchain_options(const fsattn_toolchain *t, const char *const *options, size_t count,
                                      fsattn_arena *arena, size_t *total) {
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

/* ---- one compilation ---- */

typedef struct job {
    size_t index;
    int64_t started_ns, deadline_ns;
    char folder[2048];
} job;

static fsattn_status begin_job(fsattn_toolchain *t, const fsattn_compilation *c, size_t index, job *j,
                               fsattn_process *process, fsattn_err *err) {
    char path[4096], output[4096];
    const char *argv[256];
    size_t n = 0;
    FSATTN_TRY(fsattn_workplace_check(&t->workplace, err)); /* not made anew: nobody would know whose it is */
    *j = (job){.index = index, .started_ns = fsattn_clock_ns()};
    j->deadline_ns = j->started_ns + (int64_t)(t->time_limit_s * 1e9);
    snprintf(j->folder, sizeof j->folder, "%s/%zu", t->workplace.path, index);
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
                                        .memory_bytes = memory_limit, .file_bytes = code_limit};
    return fsattn_process_open(&start, process, err);
}

static fsattn_status start_job(fsattn_toolchain *t, const fsattn_compilation *c, size_t index, job *j,
                               fsattn_process *process, fsattn_err *err) {
    const fsattn_status status = begin_job(t, c, index, j, process, err);
    if (status != FSATTN_OK && err && !err->hint[0]) {
        fsattn_hint(err, "free some space or memory, or name another folder in TMPDIR; what was found is stored: run again");
    }
    return status;
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

/* ---- why a compiler failed ---- */

typedef enum cause { CAUSE_SOURCE, CAUSE_KILLED, CAUSE_DISK, CAUSE_MEMORY_LIMIT, CAUSE_FILE_LIMIT, CAUSE_TIME_LIMIT } cause;

/* What compilers, assemblers and linkers say, in the C locale. */
static const struct {
    const char *text;
    cause cause;
} sayings[] = {
    {"No space left on device", CAUSE_DISK},
    {"Disk quota exceeded", CAUSE_DISK},
    {"Input/output error", CAUSE_DISK},
    {"Read-only file system", CAUSE_DISK},
    {"Killed signal terminated program", CAUSE_KILLED},  /* gcc 9 and later */
    {"internal compiler error: Killed", CAUSE_KILLED},   /* gcc before */
    {"unable to execute command: Killed", CAUSE_KILLED}, /* clang */
    {"terminated with signal 9", CAUSE_KILLED},          /* collect2 */
    {"virtual memory exhausted", CAUSE_MEMORY_LIMIT},
    {"out of memory", CAUSE_MEMORY_LIMIT},
    {"Cannot allocate memory", CAUSE_MEMORY_LIMIT},
    {"memory exhausted", CAUSE_MEMORY_LIMIT},
    {"std::bad_alloc", CAUSE_MEMORY_LIMIT},
    {"File size limit exceeded", CAUSE_FILE_LIMIT},
    {"terminated with signal 25", CAUSE_FILE_LIMIT},
    {"File too large", CAUSE_FILE_LIMIT},
    {"CPU time limit exceeded", CAUSE_TIME_LIMIT},
};

/* Of a compiler that ended badly. A line of the source that is quoted in an error is not the compiler's word about itself. */
static cause cause_of(const fsattn_toolchain *t, const char *log, int status) {
    static const struct {
        int signal;
        cause cause;
    } signals[] = {{SIGKILL, CAUSE_KILLED}, {SIGXFSZ, CAUSE_FILE_LIMIT}, {SIGXCPU, CAUSE_TIME_LIMIT}};
    for (size_t i = 0; WIFSIGNALED(status) && i < sizeof signals / sizeof *signals; i++) {
        if (WTERMSIG(status) == signals[i].signal) {
            return signals[i].cause;
        }
    }
    for (const char *line = log ? log : ""; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        char words[512];
        snprintf(words, sizeof words, "%.*s", (int)(strcspn(line, "\n") < 511 ? strcspn(line, "\n") : 511), line);
        if ((!strncmp(words, "kernel.c:", 9) && !strstr(words, ": fatal error: ")) || words[0] == ' ') {
            continue;
        }
        for (size_t i = 0; i < sizeof sayings / sizeof *sayings; i++) {
            if (strstr(words, sayings[i].text)) {
                return sayings[i].cause;
            }
        }
    }
    return fsattn_workplace_full(&t->workplace) ? CAUSE_DISK : CAUSE_SOURCE;
}

/* Whether running out of memory means the limit that was set here, and nothing narrower. */
static bool limit_is_own(void) {
    struct rlimit old;
    char *text = NULL;
    size_t bytes;
    const bool commits = fsattn_file_read("/proc/sys/vm/overcommit_memory", 64, &text, &bytes, NULL) == FSATTN_OK && text[0] == '2';
    fsattn_free(text);
    return !commits && getrlimit(RLIMIT_AS, &old) == 0 && old.rlim_max >= memory_limit && old.rlim_cur >= memory_limit;
}

/* Whether a file that may not grow has met the limit that is set here, and not the narrower one of whoever started the run. */
static bool file_limit_is_own(void) {
    struct rlimit old;
    return getrlimit(RLIMIT_FSIZE, &old) == 0 && old.rlim_cur >= (rlim_t)code_limit;
}

/* The machine's fault: tried again when it was the first time, else the run's end. */
static fsattn_status blame_machine(const fsattn_toolchain *t, fsattn_compilation *c, cause why, fsattn_err *err) {
    if (c->again < 2) {
        c->again = 1;
        return FSATTN_OK;
    }
    if (why == CAUSE_DISK) {
        fsattn_fail(err, FSATTN_IO, "%s: no space or no writing for the compiler's files", t->workplace.path);
        fsattn_hint(err, "free some space there, name another folder in TMPDIR, or raise the limit (ulimit -f); what was found is stored: run again");
        return FSATTN_IO;
    }
    fsattn_fail(err, FSATTN_NO_MEMORY, "%s %s twice, not by the tuner", t->path,
                why == CAUSE_KILLED ? "was killed" : "got no memory");
    fsattn_hint(err, "the machine most likely has run out of memory: free some, or use fewer --jobs; what was found is stored: run again");
    return FSATTN_NO_MEMORY;
}

/* The verdict about a compiler that ended and did not succeed. */
static fsattn_status judge_failure(const fsattn_toolchain *t, fsattn_compilation *c, int status, const char *how, fsattn_err *err) {
    cause why = cause_of(t, c->log, status);
    if (why == CAUSE_FILE_LIMIT && !file_limit_is_own()) {
        why = CAUSE_DISK;
    }
    if (why == CAUSE_DISK || why == CAUSE_KILLED || (why == CAUSE_MEMORY_LIMIT && !limit_is_own())) {
        return blame_machine(t, c, why, err);
    }
    c->verdict = FSATTN_VERDICT_BUILD_FAILED;
    if (why == CAUSE_MEMORY_LIMIT) {
        snprintf(c->reason, sizeof c->reason, "the compiler needed more than its limit of %zu GiB of memory", memory_limit >> 30);
    } else if (why == CAUSE_FILE_LIMIT) {
        snprintf(c->reason, sizeof c->reason, "the compiler wrote a file larger than its limit of %d MiB", code_limit >> 20);
    } else if (why == CAUSE_TIME_LIMIT) {
        c->verdict = FSATTN_VERDICT_TIMEOUT;
        snprintf(c->reason, sizeof c->reason, "the compiler took more than %.0f s of processor time", t->time_limit_s);
    } else if (WIFSIGNALED(status) || (c->log && strstr(c->log, "internal compiler error"))) {
        c->verdict = FSATTN_VERDICT_CRASHED;
        snprintf(c->reason, sizeof c->reason, "the compiler crashed: %s", WIFSIGNALED(status) ? how : "internal compiler error");
    } else {
        reason_from_log(c->log && *c->log ? c->log : how, c->reason);
        if (!*c->reason) {
            snprintf(c->reason, sizeof c->reason, "the compiler failed without a word: %s", how);
        }
    }
    return FSATTN_OK;
}

/* Whether the files of a compiler that failed are still there: a candidate is not to blame for somebody who tidies up. */
static fsattn_status check_place(const fsattn_toolchain *t, const job *j, fsattn_err *err) {
    char path[4096];
    FSATTN_TRY(fsattn_workplace_check(&t->workplace, err));
    snprintf(path, sizeof path, "%s/kernel.c", j->folder);
    if (access(path, F_OK) == 0) {
        return FSATTN_OK;
    }
    fsattn_fail(err, FSATTN_IO, "%s: was removed while it was compiled", path);
    fsattn_hint(err, "name a folder in TMPDIR that nothing tidies up; what was found is stored: run again");
    return FSATTN_IO;
}

static void read_log(const job *j, fsattn_compilation *c) {
    char path[4096];
    size_t bytes;
    struct stat log;
    snprintf(path, sizeof path, "%s/log", j->folder);
    if (stat(path, &log) == 0 && log.st_size > log_limit) {
        (void)!truncate(path, log_limit); /* what follows is repetition */
    }
    fsattn_free(c->log);
    if (fsattn_file_read(path, log_limit, &c->log, &bytes, NULL) != FSATTN_OK) {
        c->log = NULL;
    }
}

static fsattn_status finish_job(fsattn_toolchain *t, fsattn_compilation *c, const job *j, fsattn_process *process, bool cut,
                                fsattn_err *err) {
    char path[4096], how[128], *code = NULL;
    const bool ended = process->ended;
    const int exit_status = process->status;
    fsattn_status status = FSATTN_OK;
    fsattn_process_describe(process, how, sizeof how);
    fsattn_process_close(process);
    c->seconds = (double)(fsattn_clock_ns() - j->started_ns) * 1e-9;
    read_log(j, c);
    snprintf(path, sizeof path, "%s/kernel.so", j->folder);
    if (!ended) {
        c->cut = cut;
        c->verdict = FSATTN_VERDICT_TIMEOUT;
        snprintf(c->reason, sizeof c->reason, "the compiler was still running after %.0f s", t->time_limit_s);
    } else if (!WIFEXITED(exit_status) || WEXITSTATUS(exit_status) != 0) {
        status = judge_failure(t, c, exit_status, how, err);
    } else if (fsattn_file_read(path, code_limit, &code, &c->code_bytes, NULL) != FSATTN_OK || c->code_bytes == 0) {
        fsattn_free(code);
        c->verdict = FSATTN_VERDICT_BUILD_FAILED;
        snprintf(c->reason, sizeof c->reason, "the compiler succeeded but wrote no code object");
        status = fsattn_workplace_full(&t->workplace) ? blame_machine(t, c, CAUSE_DISK, err) : FSATTN_OK;
    } else {
        c->verdict = FSATTN_VERDICT_OK;
        c->code = code;
    }
    if (ended && c->verdict != FSATTN_VERDICT_OK && status == FSATTN_OK) {
        status = check_place(t, j, err);
    }
    c->again = c->again == 2 ? 0 : c->again;
    fsattn_folder_remove(j->folder, NULL);
    return status;
}

/* ---- the pool ---- */

typedef struct pool {
    fsattn_toolchain *toolchain;
    fsattn_compilation *compilations;
    size_t count, next, waiting, running; /* waiting: to be tried again */
    fsattn_process processes[job_limit];
    job jobs[job_limit];
    fsattn_machine_turn turn;
} pool;

/* Whether a compilation may begin now: somebody may be timing, or waiting to. */
static fsattn_status may_start(pool *p, bool *may, fsattn_err *err) {
    const fsattn_machine *machine = p->toolchain->machine;
    *may = true;
    if (!machine) {
        return FSATTN_OK;
    }
    if (p->turn.room >= 0 && fsattn_machine_wanted(machine)) {
        if (p->running > 0) {
            *may = false;
            return FSATTN_OK;
        }
        fsattn_machine_leave(&p->turn);
    }
    const fsattn_status status = fsattn_machine_enter(machine, FSATTN_MACHINE_WORK, &p->turn, err);
    *may = status == FSATTN_OK;
    return status == FSATTN_BUSY ? FSATTN_OK : status;
}

/* The next compilation to begin: new ones first, then, one at a time, those that the machine failed. SIZE_MAX: none now. */
static size_t take_next(pool *p) {
    if (p->next < p->count) {
        return p->next++;
    }
    for (size_t i = 0; p->waiting > 0 && p->running == 0 && i < p->count; i++) {
        if (p->compilations[i].again == 1) {
            p->compilations[i].again = 2;
            p->waiting--;
            return i;
        }
    }
    return SIZE_MAX;
}

static fsattn_status start_some(pool *p, fsattn_err *err) {
    for (int slot = 0; slot < p->toolchain->jobs; slot++) {
        bool may = false;
        if (p->processes[slot].pid > 0 || (p->next == p->count && (p->waiting == 0 || p->running > 0))) {
            continue;
        }
        FSATTN_TRY(may_start(p, &may, err));
        const size_t index = may ? take_next(p) : SIZE_MAX;
        if (index == SIZE_MAX) {
            return FSATTN_OK;
        }
        FSATTN_TRY(start_job(p->toolchain, &p->compilations[index], index, &p->jobs[slot], &p->processes[slot], err));
        p->running++;
    }
    return FSATTN_OK;
}

static void wait_for_some(pool *p, int64_t deadline_ns, const volatile sig_atomic_t *stop) {
    int64_t earliest = deadline_ns;
    for (int slot = 0; slot < p->toolchain->jobs; slot++) {
        if (p->processes[slot].pid > 0 && p->jobs[slot].deadline_ns < earliest) {
            earliest = p->jobs[slot].deadline_ns;
        }
    }
    if (p->running > 0) {
        fsattn_process_wait(p->processes, (size_t)p->toolchain->jobs, earliest, stop);
    } else {
        poll(NULL, 0, 10); /* until the machine is free */
    }
}

fsattn_status fsattn_toolchain_compile(fsattn_toolchain *t, fsattn_compilation *compilations, size_t count,
                                       int64_t deadline_ns, const volatile sig_atomic_t *stop, fsattn_compiled *done,
                                       void *context, fsattn_err *err) {
    pool p = {.toolchain = t, .compilations = compilations, .count = count, .turn = FSATTN_MACHINE_TURN_NONE};
    fsattn_status status = FSATTN_OK;
    while (p.next < count || p.running > 0 || p.waiting > 0) {
        bool late = fsattn_clock_ns() >= deadline_ns || (stop && *stop);
        if (!late) {
            FSATTN_GOTO(start_some(&p, err));
            wait_for_some(&p, deadline_ns, stop);
        }
        const int64_t now = fsattn_clock_ns();
        late = now >= deadline_ns || (stop && *stop);
        for (int slot = 0; slot < t->jobs; slot++) {
            if (p.processes[slot].pid > 0 && (fsattn_process_reap(&p.processes[slot]) || late || now >= p.jobs[slot].deadline_ns)) {
                const size_t index = p.jobs[slot].index;
                p.running--;
                FSATTN_GOTO(finish_job(t, &compilations[index], &p.jobs[slot], &p.processes[slot], late && now < p.jobs[slot].deadline_ns,
                                       err));
                p.processes[slot].pid = 0;
                p.waiting += compilations[index].again == 1;
                if (compilations[index].again != 1) {
                    FSATTN_GOTO(done(context, index, err));
                }
            }
        }
        for (size_t i = 0; late && i < count; i++) {
            if (i >= p.next || compilations[i].again == 1) {
                compilations[i].cut = true;
                compilations[i].again = 0;
                compilations[i].verdict = FSATTN_VERDICT_TIMEOUT;
                FSATTN_GOTO(done(context, i, err));
            }
        }
        if (late) {
            p.next = count;
            p.waiting = 0;
        }
    }
out:
    for (int slot = 0; slot < t->jobs; slot++) {
        fsattn_process_close(&p.processes[slot]);
    }
    fsattn_machine_leave(&p.turn);
    return status;
}

void fsattn_compilation_fini(fsattn_compilation *c) {
    fsattn_free(c->log);
    fsattn_free(c->code);
    c->log = NULL;
    c->code = NULL;
}
