#include "miss.h"

#include "cache_folder.h"
#include "context.h"
#include "error.h"
#include "file.h"
#include "miss_tuner.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    seen_slots = 8192,  /* a power of two; */
    seen_limit = 4096,  /* problems are noted, then no more: a table that is half full is searched in a few steps */
    queue_limit = 1024, /* problems that wait for the tuner; more are only logged */
    command_limit = 64, /* arguments of the tuner's command */
};

struct fsattn_misses {
    fsattn_context *context;
    _Atomic uint64_t seen[seen_slots]; /* fingerprints; 0: free */
    _Atomic uint64_t noted, queued, compiled, failed;
    int log; /* descriptor, or -1 */

    /* With FSATTN_MISS_COMPILE. */
    bool has_thread;
    pthread_t thread;
    char *folder;
    char **tuner, **compiler; /* NULL-terminated copies; one of them may be NULL */
    pthread_mutex_t lock; /* guards what follows, and inserting into `seen` */
    pthread_cond_t changed;
    bool stop;
    pid_t pid; /* of the running tuner, or 0 */
    fsattn_problem *queue; /* a ring */
    size_t queue_first, queue_count;
};

/* ---- noting --------------------------------------------------------------------------------- */

static uint64_t fingerprint_of(const fsattn_shape *shape) {
    uint32_t scale;
    memcpy(&scale, &shape->scale, sizeof scale);
    const uint64_t fields[] = {shape->kind,
                               scale,
                               (uint64_t)shape->batch,
                               (uint64_t)shape->heads_q,
                               (uint64_t)shape->heads_kv,
                               (uint64_t)shape->s_q,
                               (uint64_t)shape->s_k};
    uint64_t hash = 0;
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        hash = (hash ^ fields[i]) * 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio */
        hash ^= hash >> 29;
    }
    return hash ? hash : 1;
}

/* The slot that has the fingerprint, or the free one where it belongs. The table is never full. */
static size_t slot_of(const fsattn_misses *misses, uint64_t fingerprint, bool *known) {
    for (size_t slot = fingerprint & (seen_slots - 1);; slot = (slot + 1) & (seen_slots - 1)) {
        uint64_t there = atomic_load_explicit(&misses->seen[slot], memory_order_relaxed);
        if (there == fingerprint || there == 0) {
            *known = there != 0;
            return slot;
        }
    }
}

/* One write of one line to a file opened for appending: lines of several threads and processes do not mix. */
static void write_log(const fsattn_misses *misses, const fsattn_problem *problem) {
    char line[fsattn_problem_text_bytes + 1];
    fsattn_problem_text(problem, line);
    size_t bytes = strlen(line);
    line[bytes++] = '\n';
    ssize_t put;
    do {
        put = write(misses->log, line, bytes);
    } while (put < 0 && errno == EINTR);
}

/* Under the lock. */
static void enqueue(fsattn_misses *misses, const fsattn_problem *problem) {
    if (misses->has_thread && misses->queue_count < queue_limit) {
        misses->queue[(misses->queue_first + misses->queue_count++) % queue_limit] = *problem;
        atomic_fetch_add(&misses->queued, 1);
        pthread_cond_signal(&misses->changed);
    }
}

void fsattn_misses_note(fsattn_misses *misses, const fsattn_shape *shape, const fsattn_problem *problem) {
    bool known;
    if (!misses) {
        return;
    }
    const uint64_t fingerprint = fingerprint_of(shape);
    slot_of(misses, fingerprint, &known);
    if (known || atomic_load_explicit(&misses->noted, memory_order_relaxed) >= seen_limit) {
        return;
    }
    pthread_mutex_lock(&misses->lock);
    const size_t slot = slot_of(misses, fingerprint, &known); /* another thread may have been here */
    const bool first = !known && misses->noted < seen_limit;
    if (first) {
        atomic_store_explicit(&misses->seen[slot], fingerprint, memory_order_relaxed);
        atomic_fetch_add(&misses->noted, 1);
        enqueue(misses, problem);
    }
    pthread_mutex_unlock(&misses->lock);
    if (first && misses->log >= 0) {
        write_log(misses, problem);
    }
}

void fsattn_misses_count(fsattn_misses *misses, fsattn_miss_info *info) {
    if (misses) {
        info->noted = misses->noted;
        info->queued = misses->queued;
        info->compiled = misses->compiled;
        info->failed = misses->failed;
    }
}

/* ---- compiling ------------------------------------------------------------------------------ */

/* One child, and what it published. */
static fsattn_status run_command(fsattn_misses *misses, char *const *command, const fsattn_miss_task *task,
                                 const fsattn_problem *problem, fsattn_err *err) {
    const fsattn_miss_tuner tuner = {.command = (const char *const *)command,
                                     .folder = misses->folder,
                                     .lock = &misses->lock,
                                     .stop = &misses->stop,
                                     .pid = &misses->pid};
    char *path = NULL;
    FSATTN_TRY(fsattn_miss_tuner_path(misses->folder, problem, &path, err));
    fsattn_status status = fsattn_miss_tuner_run(&tuner, task, path, err);
    if (status == FSATTN_OK) {
        status = fsattn_cache_add(misses->context, path, err);
    }
    fsattn_free(path);
    return status;
}

/* Whether a winner serves exactly this problem, and if none does, whether another process has published one meanwhile, which is added.
 * A file of that name that this context has is not read again, one that cannot be used is told and published anew. */
static bool is_served(fsattn_misses *misses, const fsattn_shape *shape, const fsattn_problem *problem) {
    fsattn_context *context = misses->context;
    fsattn_err reason = {0};
    char *path = NULL;
    const fsattn_index_group *exact = fsattn_index_exact(fsattn_context_index(context), shape);
    if (exact && exact->winners) {
        return true;
    }
    if (fsattn_miss_tuner_path(misses->folder, problem, &path, NULL) == FSATTN_OK && fsattn_file_exists(path) &&
        !fsattn_context_has(context, path) && fsattn_cache_add(context, path, &reason) != FSATTN_OK) {
        fsattn_context_skip(context, path, &reason);
    }
    fsattn_free(path);
    exact = fsattn_index_exact(fsattn_context_index(context), shape);
    return exact && exact->winners;
}

static bool is_stopped(fsattn_misses *misses) {
    pthread_mutex_lock(&misses->lock);
    const bool stop = misses->stop;
    pthread_mutex_unlock(&misses->lock);
    return stop;
}

/* Compiles a kernel that there is, or tunes; what was compiled for another size than asked for is there meanwhile, and the
 * problem is tuned all the same. */
static fsattn_status compile(fsattn_misses *misses, const fsattn_problem *problem, fsattn_err *err) {
    const fsattn_shape shape = fsattn_shape_of(problem);
    const fsattn_context *context = misses->context;
    const fsattn_miss_task tune = {.problem = problem};
    if (is_served(misses, &shape, problem)) {
        return FSATTN_OK;
    }
    const fsattn_index *index = fsattn_context_index(context);
    const fsattn_entry *entry = misses->compiler ? fsattn_index_rebuildable(index, &shape, &context->place) : NULL;
    if (entry) {
        const fsattn_miss_task rebuild = {.record = entry->record};
        const fsattn_status status = is_served(misses, &entry->shape, &entry->record->problem)
                                         ? FSATTN_OK
                                         : run_command(misses, misses->compiler, &rebuild, &entry->record->problem, err);
        if (status != FSATTN_OK && status != FSATTN_BUSY && status != FSATTN_NO_MEMORY && status != FSATTN_IO) {
            fsattn_index_rule_out(index, entry);
        }
        if (!misses->tuner || is_stopped(misses) || (status == FSATTN_OK && fsattn_shape_equal(&entry->shape, &shape))) {
            return status;
        }
        if (status != FSATTN_OK) {
            fsattn_context_warn(context, err);
        }
    }
    if (misses->tuner) {
        return run_command(misses, misses->tuner, &tune, problem, err);
    }
    return fsattn_fail(err, FSATTN_COMPILE,
                       "options.compiler: no cache file has the source of a kernel for another processor that is nearer to this problem "
                       "than what serves it, or what there was has failed before");
}

static void *work(void *argument) {
    fsattn_misses *misses = argument;
    pthread_mutex_lock(&misses->lock);
    while (!misses->stop) {
        if (!misses->queue_count) {
            pthread_cond_wait(&misses->changed, &misses->lock);
            continue;
        }
        const fsattn_problem problem = misses->queue[misses->queue_first];
        misses->queue_first = (misses->queue_first + 1) % queue_limit;
        misses->queue_count--;
        pthread_mutex_unlock(&misses->lock);
        fsattn_err err = {0};
        fsattn_status status = compile(misses, &problem, &err);
        pthread_mutex_lock(&misses->lock);
        if (status != FSATTN_OK && !misses->stop) {
            pthread_mutex_unlock(&misses->lock);
            fsattn_context_warn(misses->context, &err);
            pthread_mutex_lock(&misses->lock);
        }
        atomic_fetch_add(status == FSATTN_OK ? &misses->compiled : &misses->failed, 1);
    }
    pthread_mutex_unlock(&misses->lock);
    return NULL;
}

/* ---- opening and closing -------------------------------------------------------------------- */

static fsattn_status check_command(const char *name, const char *const *command, fsattn_err *err) {
    size_t count = 0;
    if (command && !command[0]) {
        return fsattn_fail(err, FSATTN_INVALID, "options.%s: is empty", name);
    }
    while (command && command[count]) {
        if (++count > command_limit) {
            return fsattn_fail(err, FSATTN_INVALID, "options.%s: has more than %d arguments", name, command_limit);
        }
    }
    return FSATTN_OK;
}

static fsattn_status check_options(const fsattn_options *options, fsattn_err *err) {
    if (options->on_miss != FSATTN_MISS_NEAREST && options->on_miss != FSATTN_MISS_COMPILE) {
        return fsattn_fail(err, FSATTN_INVALID, "options.on_miss: unknown value %u", (unsigned)options->on_miss);
    }
    if (options->on_miss != FSATTN_MISS_COMPILE) {
        return FSATTN_OK;
    }
    if (!options->tuner && !options->compiler) {
        fsattn_fail(err, FSATTN_INVALID, "options.tuner: is NULL, as is options.compiler, and options.on_miss needs a command");
        fsattn_hint(err, "for example {\"fsattn-tune\", \"spaces/host.yaml\", \"--budget\", \"60\", NULL} or {\"fsattn-rebuild\", NULL}");
        return FSATTN_INVALID;
    }
    FSATTN_TRY(check_command("tuner", options->tuner, err));
    FSATTN_TRY(check_command("compiler", options->compiler, err));
    if (options->trust != FSATTN_TRUST_OWNER) {
        fsattn_fail(err, FSATTN_INVALID, "options.on_miss: what is compiled here is not signed, and options.trust demands it");
        fsattn_hint(err, "take FSATTN_MISS_NEAREST with a miss_log, tune from it and sign the result");
        return FSATTN_INVALID;
    }
    return FSATTN_OK;
}

static fsattn_status open_log(fsattn_misses *misses, const char *path, fsattn_err *err) {
    misses->log = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    return misses->log < 0 ? fsattn_fail_errno(err, errno, "options.miss_log: %s", path) : FSATTN_OK;
}

/* *copy stays NULL when there is no command; freed by destroy also after a failure. */
static fsattn_status copy_command(const char *const *command, char ***copy, fsattn_err *err) {
    if (!command) {
        return FSATTN_OK;
    }
    *copy = fsattn_alloc(command_limit + 1, sizeof **copy);
    bool failed = !*copy;
    for (size_t i = 0; !failed && command[i]; i++) {
        (*copy)[i] = fsattn_strdup(command[i]);
        failed = !(*copy)[i];
    }
    return failed ? fsattn_fail(err, FSATTN_NO_MEMORY, "options.on_miss: out of memory") : FSATTN_OK;
}

static void free_command(char **command) {
    for (size_t i = 0; command && command[i]; i++) {
        fsattn_free(command[i]);
    }
    fsattn_free(command);
}

static fsattn_status find_folder(fsattn_misses *misses, const char *given, fsattn_err *err) {
    fsattn_text text = {0};
    char *base = NULL;
    if (given) {
        fsattn_text_puts(&text, given);
    } else {
        FSATTN_TRY(fsattn_folder_user("data", &base, err));
        fsattn_text_printf(&text, "%s/compiled", base);
        fsattn_free(base);
    }
    misses->folder = fsattn_text_take(&text);
    if (!misses->folder) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "options.compiled_folder: out of memory");
    }
    return fsattn_folder_make(misses->folder, err);
}

static fsattn_status start_thread(fsattn_misses *misses, const fsattn_options *options, fsattn_err *err) {
    misses->queue = fsattn_alloc(queue_limit, sizeof misses->queue[0]);
    if (!misses->queue) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "options.on_miss: out of memory");
    }
    FSATTN_TRY(copy_command(options->tuner, &misses->tuner, err));
    FSATTN_TRY(copy_command(options->compiler, &misses->compiler, err));
    FSATTN_TRY(find_folder(misses, options->compiled_folder, err));
    /* Results of earlier runs. */
    FSATTN_TRY(fsattn_cache_folder_add(misses->context, misses->folder, err));
    /* The caller's signals are the caller's: none is delivered to a thread that it does not know. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int errnum = pthread_create(&misses->thread, NULL, work, misses);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (errnum) {
        return fsattn_fail_errno(err, errnum, "options.on_miss: cannot start a thread");
    }
    misses->has_thread = true;
    return FSATTN_OK;
}

fsattn_status fsattn_misses_create(fsattn_context *context, const fsattn_options *options, fsattn_misses **misses,
                                   fsattn_err *err) {
    fsattn_status status = FSATTN_OK;
    FSATTN_TRY(check_options(options, err));
    if (!options->miss_log && options->on_miss == FSATTN_MISS_NEAREST) {
        *misses = NULL;
        return FSATTN_OK;
    }
    fsattn_misses *made = fsattn_alloc(1, sizeof *made);
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "options.on_miss: out of memory");
    }
    made->context = context;
    made->log = -1;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->changed, NULL);
    if (options->miss_log) {
        FSATTN_GOTO(open_log(made, options->miss_log, err));
    }
    if (options->on_miss == FSATTN_MISS_COMPILE) {
        FSATTN_GOTO(start_thread(made, options, err));
    }
    *misses = made;
    made = NULL;
out:
    fsattn_misses_destroy(made);
    return status;
}

void fsattn_misses_destroy(fsattn_misses *misses) {
    if (!misses) {
        return;
    }
    if (misses->has_thread) {
        pthread_mutex_lock(&misses->lock);
        misses->stop = true;
        if (misses->pid > 0) {
            kill(-misses->pid, SIGKILL);
        }
        pthread_cond_signal(&misses->changed);
        pthread_mutex_unlock(&misses->lock);
        pthread_join(misses->thread, NULL);
    }
    if (misses->log >= 0) {
        close(misses->log);
    }
    free_command(misses->tuner);
    free_command(misses->compiler);
    fsattn_free(misses->folder);
    fsattn_free(misses->queue);
    pthread_cond_destroy(&misses->changed);
    pthread_mutex_destroy(&misses->lock);
    fsattn_free(misses);
}
