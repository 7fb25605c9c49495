#include "context.h"

#include "cache_folder.h"
#include "error.h"
#include "sized.h"

#include <string.h>

/* Which records run on which device of device.c. */
static const struct {
    const char *device;
    fsattn_target target;
} targets[] = {{"host", FSATTN_TARGET_HOST}, {"hip", FSATTN_TARGET_GFX950}, {"sim", FSATTN_TARGET_GFX950}};

/* ---- cache files ---------------------------------------------------------------------------- */

static void file_close(fsattn_cache_file *file) {
    if (file) {
        fsattn_fsc_close(file->fsc);
        fsattn_arena_fini(&file->arena);
        fsattn_free(file->path);
        fsattn_free(file);
    }
}

static fsattn_status make_entries(const fsattn_context *context, fsattn_cache_file *file, fsattn_err *err) {
    size_t count = fsattn_fsc_count(file->fsc);
    file->entries = fsattn_arena_alloc(&file->arena, count, sizeof file->entries[0]);
    fsattn_entry_state *states = fsattn_arena_alloc(&file->arena, count, sizeof states[0]);
    if (!file->entries || !states) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory for %zu records", file->path, count);
    }
    for (size_t i = 0; i < count; i++) {
        fsattn_entry *entry = &file->entries[i];
        fsattn_status status =
            fsattn_entry_init(entry, fsattn_fsc_at(file->fsc, i), &context->place, &file->arena, err);
        if (status != FSATTN_OK) {
            return fsattn_context_add(err, status, "%s", file->path);
        }
        entry->context = context;
        entry->cache = file->path;
        entry->state = &states[i];
        atomic_init(&states[i].ready, false);
        atomic_init(&states[i].hopeless, false);
        file->refused += entry->refusal != NULL;
    }
    file->entry_count = count;
    return FSATTN_OK;
}

void fsattn_context_warn(const fsattn_context *context, const fsattn_err *reason) {
    if (context->warn) {
        context->warn(context->warn_data, reason);
    }
}

/* ---- files that are not used ---- */

static void skipped_free(fsattn_skipped *skipped) {
    if (skipped) {
        fsattn_free(skipped->path);
        fsattn_free(skipped);
    }
}

static void unskip(fsattn_context *context, const char *path) {
    for (fsattn_skipped *at = atomic_load(&context->skipped); at; at = at->next) {
        if (!strcmp(at->path, path)) {
            atomic_store(&at->over, true);
        }
    }
}

static bool is_told(const fsattn_context *context, const char *path, const fsattn_err *reason) {
    bool told = false;
    for (const fsattn_skipped *at = atomic_load(&context->skipped); at && !told; at = at->next) {
        told = !atomic_load(&at->over) && !strcmp(at->path, path) && !strcmp(at->reason.message, reason->message);
    }
    return told;
}

void fsattn_context_skip(fsattn_context *context, const char *path, const fsattn_err *reason) {
    if (is_told(context, path, reason)) {
        return;
    }
    fsattn_skipped *made = fsattn_alloc(1, sizeof *made);
    if (made && (made->path = fsattn_strdup(path))) {
        made->reason = *reason;
        atomic_init(&made->over, false);
        pthread_mutex_lock(&context->lock);
        unskip(context, path);
        made->next = atomic_load(&context->skipped);
        atomic_store(&context->skipped, made);
        pthread_mutex_unlock(&context->lock);
    } else {
        skipped_free(made); /* without memory it is only told */
    }
    fsattn_context_warn(context, reason);
}

static fsattn_status file_open(const fsattn_context *context, const char *path, fsattn_cache_file **file,
                               fsattn_err *err) {
    fsattn_cache_file *made = fsattn_alloc(1, sizeof *made);
    if (!made || !(made->path = fsattn_strdup(path))) {
        fsattn_free(made);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
    }
    fsattn_status status = 
        fsattn_trust_open(&context->trust, path, context->warn, context->warn_data, &made->fsc, err);
    if (status == FSATTN_OK) {
        status = make_entries(context, made, err);
    }
    if (status != FSATTN_OK) {
        file_close(made);
        return status;
    }
    *file = made;
    return FSATTN_OK;
}

/* A file of which nothing can be used is most likely the wrong one. */
static void warn_useless(const fsattn_context *context, const fsattn_cache_file *file) {
    if (file->entry_count && file->refused == file->entry_count) {
        fsattn_err told = {0};
        fsattn_fail(&told, FSATTN_UNSUPPORTED, "%s: none of its %zu records can run here; the first %s",
                    file->path, file->entry_count, file->entries[0].refusal);
        fsattn_context_warn(context, &told);
    }
}

bool fsattn_context_has(fsattn_context *context, const char *path) {
    bool has = false;
    pthread_mutex_lock(&context->lock);
    for (const fsattn_cache_file *file = context->files; file && !has; file = file->next) {
        has = !strcmp(file->path, path);
    }
    pthread_mutex_unlock(&context->lock);
    return has;
}

/* ---- publishing ----------------------------------------------------------------------------- */

/* An index over the files there are and `added` (nullable), which gets the lowest priority. Under the lock.
 */
static fsattn_status snapshot_create(const fsattn_context *context, fsattn_cache_file *added,
                                     fsattn_snapshot **snapshot, fsattn_err *err) {
    fsattn_status status = FSATTN_OK;
    size_t total = added ? added->entry_count : 0, count = 0;
    unsigned priority = 0;
    for (const fsattn_cache_file *file = context->files; file; file = file->next) {
        total += file->entry_count;
        priority++;
    }
    const fsattn_entry **all = fsattn_alloc(total, sizeof all[0]);
    fsattn_snapshot *made = fsattn_alloc(1, sizeof *made);
    if (!all || !made) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "index: out of memory for %zu records", total);
        goto out;
    }
    for (const fsattn_cache_file *file = context->files; file; file = file->next) {
        for (size_t i = 0; i < file->entry_count; i++) {
            all[count++] = &file->entries[i];
        }
    }
    for (size_t i = 0; added && i < added->entry_count; i++) {
        added->entries[i].priority = priority;
        all[count++] = &added->entries[i];
    }
    FSATTN_GOTO(fsattn_index_create(all, count, &made->index, err));
    *snapshot = made;
    made = NULL;
out:
    fsattn_free(made);
    fsattn_free(all);
    return status;
}

static void publish(fsattn_context *context, fsattn_cache_file *added, fsattn_snapshot *snapshot) {
    fsattn_cache_file **last = &context->files;
    while (*last) {
        last = &(*last)->next;
    }
    *last = added;
    snapshot->older = context->snapshots;
    context->snapshots = snapshot;
    atomic_store_explicit(&context->index, snapshot->index, memory_order_release);
}

static fsattn_status add_file(fsattn_context *context, fsattn_cache_file *added, fsattn_err *err) {
    fsattn_snapshot *snapshot = NULL;
    pthread_mutex_lock(&context->lock);
    fsattn_status status = snapshot_create(context, added, &snapshot, err);
    if (status == FSATTN_OK) {
        publish(context, added, snapshot);
        if (added) {
            unskip(context, added->path);
        }
    }
    pthread_mutex_unlock(&context->lock);
    return status;
}

fsattn_status fsattn_cache_add(fsattn_context *context, const char *path, fsattn_err *err) {
    if (!context || !path) {
        return fsattn_fail(err, FSATTN_INVALID, "fsattn_cache_add: %s is NULL", context ? "path" : "context");
    }
    fsattn_cache_file *file = NULL;
    FSATTN_TRY(file_open(context, path, &file, err));
    fsattn_status status = add_file(context, file, err);
    if (status != FSATTN_OK) {
        file_close(file);
        return status;
    }
    warn_useless(context, file);
    return FSATTN_OK;
}

/* ---- contexts ------------------------------------------------------------------------------- */

void fsattn_options_init(fsattn_options *options) {
    *options = (fsattn_options){.size = sizeof *options};
}

static fsattn_status add_caches(fsattn_context *context, const fsattn_options *options, fsattn_err *err) {
    if (options->cache_count && !options->caches) {
        return fsattn_fail(err, FSATTN_INVALID, "options.caches: is NULL, cache_count is %zu",
                           options->cache_count);
    }
    for (size_t i = 0; i < options->cache_count; i++) {
        fsattn_err reason = {0};
        fsattn_status status = fsattn_cache_add(context, options->caches[i], &reason);
        if (status == FSATTN_OK) {
            continue;
        }
        if (!options->skip_bad_caches || status == FSATTN_NO_MEMORY) {
            if (err) {
                *err = reason;
            }
            return status;
        }
        fsattn_context_skip(context, options->caches[i], &reason);
    }
    return FSATTN_OK;
}

static fsattn_status add_shipped(fsattn_context *context, fsattn_err *err) {
    char *folder;
    FSATTN_TRY(fsattn_cache_folder_shipped(&folder, err));
    const fsattn_status status = folder ? fsattn_cache_folder_add(context, folder, err) : FSATTN_OK;
    fsattn_free(folder);
    return status;
}

static fsattn_status open_device(fsattn_context *context, const fsattn_options *options, fsattn_err *err) {
    const fsattn_device_options wanted = {.name = options->device ? options->device : targets[0].device,
                                          .library = options->library,
                                          .ordinal = options->ordinal,
                                          .threads = options->threads};
    FSATTN_TRY(fsattn_device_open(&wanted, &context->device, err));
    context->place.device = fsattn_device_describe(context->device);
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        if (!strcmp(targets[i].device, wanted.name)) {
            context->place.target = targets[i].target;
        }
    }
    return FSATTN_OK;
}

fsattn_status fsattn_open(const fsattn_options *options, fsattn_context **context, fsattn_err *err) {
    fsattn_options own;
    fsattn_status status = FSATTN_OK;
    fsattn_options_init(&own);
    if (!context) {
        return fsattn_fail(err, FSATTN_INVALID, "fsattn_open: context is NULL");
    }
    if (options) {
        FSATTN_TRY(fsattn_sized_read("options", options, &own, sizeof own, err));
    }
    fsattn_context *made = fsattn_alloc(1, sizeof *made);
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "fsattn_open: out of memory");
    }
    pthread_mutex_init(&made->lock, NULL);
    pthread_mutex_init(&made->rooms_lock, NULL);
    atomic_init(&made->index, NULL);
    atomic_init(&made->skipped, NULL);
    made->warn = own.warn;
    made->warn_data = own.warn_data;
    FSATTN_GOTO(fsattn_trust_rule_init(&made->trust, &own, err));
    FSATTN_GOTO(open_device(made, &own, err));
    FSATTN_GOTO(add_file(made, NULL, err)); /* the empty index: a context always has one */
    FSATTN_GOTO(add_caches(made, &own, err));
    FSATTN_GOTO(fsattn_misses_create(made, &own, &made->misses, err));
    FSATTN_GOTO(own.shipped_caches ? add_shipped(made, err) : FSATTN_OK);
    *context = made;
    made = NULL;
out:
    fsattn_close(made);
    return status;
}

void fsattn_close(fsattn_context *context) {
    if (!context) {
        return;
    }
    fsattn_misses_destroy(context->misses); /* first: its thread adds caches */
    while (context->modules) {
        fsattn_loaded *loaded = context->modules;
        context->modules = loaded->next;
        fsattn_module_unload(loaded->module);
        fsattn_free(loaded);
    }
    while (context->rooms) {
        fsattn_room *room = context->rooms;
        context->rooms = room->next;
        fsattn_device_release(context->device, room->memory);
        fsattn_free(room);
    }
    while (context->snapshots) {
        fsattn_snapshot *snapshot = context->snapshots;
        context->snapshots = snapshot->older;
        fsattn_index_destroy(snapshot->index);
        fsattn_free(snapshot);
    }
    while (context->files) {
        fsattn_cache_file *file = context->files;
        context->files = file->next;
        file_close(file);
    }
    for (fsattn_skipped *next, *skipped = atomic_load(&context->skipped); skipped; skipped = next) {
        next = skipped->next;
        skipped_free(skipped);
    }
    fsattn_device_close(context->device);
    fsattn_trust_rule_fini(&context->trust);
    pthread_mutex_destroy(&context->lock);
    pthread_mutex_destroy(&context->rooms_lock);
    fsattn_free(context);
}

fsattn_status fsattn_context_owns(const fsattn_context *context, const fsattn_plan *plan, fsattn_err *err) {
    if (!context || !plan) {
        return fsattn_fail(err, FSATTN_INVALID, "%s: is NULL", context ? "plan" : "context");
    }
    if (!plan->entry || plan->entry->context != context) {
        fsattn_fail(err, FSATTN_INVALID, "plan: was not found in this context");
        fsattn_hint(err, "call fsattn_plan_find with the context that is to run it");
        return FSATTN_INVALID;
    }
    return FSATTN_OK;
}

fsattn_status fsattn_problem_at(const fsattn_context *context, size_t index, fsattn_problem *problem,
                                fsattn_err *err) {
    if (!context || !problem) {
        return fsattn_fail(err, FSATTN_INVALID, "fsattn_problem_at: %s is NULL",
                           context ? "problem" : "context");
    }
    const fsattn_index_group *group = fsattn_index_tuned(fsattn_context_index(context), index);
    if (!group) {
        return fsattn_fail(err, FSATTN_NOT_FOUND, "fsattn_problem_at: there is no tuned problem number %zu",
                           index);
    }
    *problem = group->entries[0]->record->problem;
    return FSATTN_OK;
}
