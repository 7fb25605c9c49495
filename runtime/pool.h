/* pool.h - threads that share the items of one call after another, each with scratch memory of its own.
 *
 * Owns its threads and all scratch. Items are handed out one by one from an atomic counter; the calling thread takes
 * part, so a call makes progress even when every other thread is busy with another call. Knows nothing of kernels.
 */
#ifndef FSATTN_POOL_H
#define FSATTN_POOL_H

#include "fsattn.h"

typedef struct fsattn_pool fsattn_pool;

/* `scratch` is aligned to 64 bytes, not cleared, NULL when none was asked for. */
typedef void fsattn_pool_work(void *context, int64_t item, void *scratch);

/* `threads` >= 1 counts the calling one: threads - 1 are started. */
fsattn_status fsattn_pool_create(int threads, fsattn_pool **pool, fsattn_err *err);
/* No call may be running. Accepts NULL. */
void fsattn_pool_destroy(fsattn_pool *pool);

/* Calls work(context, item, scratch) for every item in 0 .. items - 1 and returns when all are done; what the items wrote
 * is visible to the caller. Any thread, several at once. Allocates only to grow scratch: FSATTN_NO_MEMORY then, with no
 * item done. */
fsattn_status fsattn_pool_run(fsattn_pool *pool, fsattn_pool_work *work, void *context, int64_t items,
                              size_t scratch_bytes, fsattn_err *err);

#endif
