/* context.h - a device, the cache files it serves from, and the index over them.
 *
 * Internal; fsattn.h is what callers see. What is published through `index` and what entries point to never
 * changes and lives until close; everything else is guarded by `lock`.
 */
#ifndef FSATTN_CONTEXT_H
#define FSATTN_CONTEXT_H

#include "entry.h"
#include "index.h"
#include "miss.h"
#include "trust.h"

#include <pthread.h>

/* One cache file. */
typedef struct fsattn_cache_file {
    struct fsattn_cache_file *next; /* of lower priority */
    char *path;
    fsattn_fsc *fsc;
    fsattn_arena arena; /* of what follows */
    fsattn_entry *entries;
    size_t entry_count;
    size_t refused;
} fsattn_cache_file;

/* A cache file that is not used, and why. Read without a lock: what stands here lives until close. */
typedef struct fsattn_skipped {
    struct fsattn_skipped *next;
    char *path;
    fsattn_err reason;
    atomic_bool over; /* it was added after all, or is skipped for a later reason */
} fsattn_skipped;

/* An index that was or is published. */
typedef struct fsattn_snapshot {
    struct fsattn_snapshot *older;
    fsattn_index *index;
} fsattn_snapshot;

/* A loaded code object: one for each hash, whatever number of records has it. */
typedef struct fsattn_loaded {
    struct fsattn_loaded *next;
    fsattn_module *module;
} fsattn_loaded;

/* Workspace for runs on one stream without one of the caller's: runs follow one another there. */
typedef struct fsattn_room {
    struct fsattn_room *next;
    fsattn_stream stream;
    void *memory;
    size_t bytes;
} fsattn_room;

struct fsattn_context {
    fsattn_device *device;
    fsattn_place place;
    fsattn_trust_rule trust;
    fsattn_warn *warn;
    void *warn_data;
    fsattn_misses *misses; /* or NULL */
    _Atomic(const fsattn_index *) index;
    _Atomic(fsattn_skipped *) skipped; /* the latest first; pushed under the lock */
    pthread_mutex_t lock; /* guards what follows */
    fsattn_cache_file *files;
    fsattn_snapshot *snapshots;
    fsattn_loaded *modules;
    pthread_mutex_t rooms_lock; /* guards `rooms`, and a chain that is being launched in one of them */
    fsattn_room *rooms;
};

/* The index of this moment. */
static inline const fsattn_index *fsattn_context_index(const fsattn_context *context) {
    return atomic_load_explicit(&context->index, memory_order_acquire);
}
/* Tells `warn`. */
void fsattn_context_warn(const fsattn_context *context, const fsattn_err *reason);
/* The file is not used: tells `warn` once, and fsattn_explain from now on, until the file is added after all. */
void fsattn_context_skip(fsattn_context *context, const char *path, const fsattn_err *reason);
/* Whether a file of that path was added. */
bool fsattn_context_has(fsattn_context *context, const char *path);
/* FSATTN_INVALID unless the plan was found in this context. */
fsattn_status fsattn_context_owns(const fsattn_context *context, const fsattn_plan *plan, fsattn_err *err);

#endif
