#include "pool.h"

#include "error.h"
#include "memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

enum { scratch_alignment = 64 };

/* One call, on its caller's stack. */
typedef struct job {
    fsattn_pool_work *work;
    void *context;
    int64_t items;
    _Atomic int64_t next; /* item */
    size_t scratch_bytes;
    int active; /* pool threads inside, guarded by the pool's lock */
    struct job *following;
} job;

typedef struct scratch {
    void *memory;
    size_t bytes;
    struct scratch *next;
} scratch;

struct fsattn_pool {
    pthread_mutex_t lock;
    pthread_cond_t work; /* a job has come, or the end */
    pthread_cond_t done; /* a job has become inactive */
    job *jobs;           /* oldest first */
    scratch *idle;       /* of callers */
    bool stopping;
    int thread_count;
    pthread_t threads[];
};

static bool scratch_grow(scratch *block, size_t bytes) {
    if (block->bytes >= bytes) {
        return true;
    }
    void *memory = fsattn_alloc_aligned(scratch_alignment, bytes, 1);
    if (!memory) {
        return false;
    }
    fsattn_free(block->memory);
    *block = (scratch){.memory = memory, .bytes = bytes, .next = block->next};
    return true;
}

static void drain(job *call, void *memory) {
    for (;;) {
        int64_t item = atomic_fetch_add_explicit(&call->next, 1, memory_order_relaxed);
        if (item >= call->items) {
            break;
        }
        call->work(call->context, item, memory);
    }
}

static job *job_with_items(fsattn_pool *pool) {
    job *call = pool->jobs;
    while (call && atomic_load_explicit(&call->next, memory_order_relaxed) >= call->items) {
        call = call->following;
    }
    return call;
}

static void *pool_thread(void *argument) {
    fsattn_pool *pool = argument;
    scratch own = {0};
    bool starved = false; /* no memory for the job in sight: leave it to others until something changes */
    pthread_mutex_lock(&pool->lock);
    while (!pool->stopping) {
        job *call = starved ? NULL : job_with_items(pool);
        if (!call) {
            pthread_cond_wait(&pool->work, &pool->lock);
            starved = false;
            continue;
        }
        call->active++;
        pthread_mutex_unlock(&pool->lock);
        starved = !scratch_grow(&own, call->scratch_bytes);
        if (!starved) {
            drain(call, call->scratch_bytes ? own.memory : NULL);
        }
        pthread_mutex_lock(&pool->lock);
        if (--call->active == 0) {
            pthread_cond_broadcast(&pool->done);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    fsattn_free(own.memory);
    return NULL;
}

/* The application's signals are not delivered to pool threads; faults of a kernel are. */
static void mask_signals(sigset_t *old) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS};
    sigset_t all;
    sigfillset(&all);
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        sigdelset(&all, faults[i]);
    }
    pthread_sigmask(SIG_SETMASK, &all, old);
}

fsattn_status fsattn_pool_create(int threads, fsattn_pool **pool, fsattn_err *err) {
    if (threads < 1 || threads > 4096) {
        return fsattn_fail(err, FSATTN_INVALID, "threads: expected 1 to 4096, got %d", threads);
    }
    fsattn_pool *made = fsattn_alloc(1, sizeof *made + (size_t)(threads - 1) * sizeof made->threads[0]);
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "thread pool: out of memory");
    }
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->work, NULL);
    pthread_cond_init(&made->done, NULL);
    sigset_t old;
    mask_signals(&old);
    int failed = 0;
    while (!failed && made->thread_count < threads - 1) {
        failed = pthread_create(&made->threads[made->thread_count], NULL, pool_thread, made);
        made->thread_count += !failed;
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (failed) {
        int started = made->thread_count;
        fsattn_pool_destroy(made);
        return fsattn_fail_errno(err, failed, "thread pool: cannot start thread %d of %d", started + 2, threads);
    }
    *pool = made;
    return FSATTN_OK;
}

void fsattn_pool_destroy(fsattn_pool *pool) {
    if (!pool) {
        return;
    }
    pthread_mutex_lock(&pool->lock);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->work);
    pthread_mutex_unlock(&pool->lock);
    for (int i = 0; i < pool->thread_count; i++) {
        pthread_join(pool->threads[i], NULL);
    }
    while (pool->idle) {
        scratch *block = pool->idle;
        pool->idle = block->next;
        fsattn_free(block->memory);
        fsattn_free(block);
    }
    pthread_cond_destroy(&pool->done);
    pthread_cond_destroy(&pool->work);
    pthread_mutex_destroy(&pool->lock);
    fsattn_free(pool);
}

/* A block of at least `bytes` for a caller; NULL when memory ends. */
static scratch *scratch_take(fsattn_pool *pool, size_t bytes) {
    pthread_mutex_lock(&pool->lock);
    scratch **at = &pool->idle;
    while (*at && (*at)->bytes < bytes && (*at)->next) {
        at = &(*at)->next;
    }
    scratch *block = *at;
    if (block) {
        *at = block->next;
    }
    pthread_mutex_unlock(&pool->lock);
    if (!block) {
        block = fsattn_alloc(1, sizeof *block);
    }
    if (block && !scratch_grow(block, bytes)) {
        fsattn_free(block->memory);
        fsattn_free(block);
        block = NULL;
    }
    return block;
}

static void scratch_give(fsattn_pool *pool, scratch *block) {
    pthread_mutex_lock(&pool->lock);
    block->next = pool->idle;
    pool->idle = block;
    pthread_mutex_unlock(&pool->lock);
}

static void job_share(fsattn_pool *pool, job *call) {
    pthread_mutex_lock(&pool->lock);
    job **at = &pool->jobs;
    while (*at) {
        at = &(*at)->following;
    }
    *at = call;
    if (call->items == 2) {
        pthread_cond_signal(&pool->work);
    } else {
        pthread_cond_broadcast(&pool->work);
    }
    pthread_mutex_unlock(&pool->lock);
}

static void job_finish(fsattn_pool *pool, job *call) {
    pthread_mutex_lock(&pool->lock);
    job **at = &pool->jobs;
    while (*at != call) {
        at = &(*at)->following;
    }
    *at = call->following;
    while (call->active > 0) {
        pthread_cond_wait(&pool->done, &pool->lock);
    }
    pthread_mutex_unlock(&pool->lock);
}

fsattn_status fsattn_pool_run(fsattn_pool *pool, fsattn_pool_work *work, void *context, int64_t items,
                              size_t scratch_bytes, fsattn_err *err) {
    job call = {.work = work, .context = context, .items = items, .scratch_bytes = scratch_bytes};
    scratch *block = NULL;
    if (scratch_bytes && !(block = scratch_take(pool, scratch_bytes))) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory for %zu bytes of scratch", scratch_bytes);
    }
    bool shared = items > 1 && pool->thread_count > 0;
    if (shared) {
        job_share(pool, &call);
    }
    drain(&call, block ? block->memory : NULL);
    if (shared) {
        job_finish(pool, &call);
    }
    if (block) {
        scratch_give(pool, block);
    }
    return FSATTN_OK;
}
