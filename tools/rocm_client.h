/* rocm_client.h - one helper process (tools/rocm_helper.c) and the frames spoken with it, without blocking.
 *
 * Owns the child: it leads its own process group, dies with its parent, has a fixed environment and limits,
 * and is killed with everything below it when it is stopped. One request at a time. What comes back is
 * bounded and checked before it is used: a child that answers nonsense counts as one that died.
 */
#ifndef FSATTN_ROCM_CLIENT_H
#define FSATTN_ROCM_CLIENT_H

#include "fsattn.h"
#include "rocm_frame.h"

#include <sys/types.h>

typedef struct fsattn_rocm_blob {
    const void *data;
    size_t bytes;
} fsattn_rocm_blob;

typedef struct fsattn_rocm_client {
    pid_t pid; /* 0: not running */
    int fd;    /* socket, non-blocking; poll it for fsattn_rocm_client_events */
    int log;   /* memory file that the child's stderr goes to */
    char *out; /* the request */
    size_t out_bytes, out_done;
    char *in; /* the reply as far as it has come */
    size_t in_bytes, in_capacity;
    uint32_t command;
} fsattn_rocm_client;

typedef enum fsattn_rocm_progress {
    FSATTN_ROCM_WAITING, /* for the reply, or for a request */
    FSATTN_ROCM_REPLIED,
    FSATTN_ROCM_ENDED, /* the child died or answered nonsense */
} fsattn_rocm_progress;

/* argv and environment are NULL-terminated; memory_bytes: RLIMIT_AS, 0 for none. `client` needs no
 * initialisation. */
fsattn_status fsattn_rocm_client_start(fsattn_rocm_client *client, const char *const *argv,
                                       const char *const *environment, size_t memory_bytes, fsattn_err *err);
/* Queues a request; the blobs are copied. FSATTN_NO_MEMORY, or FSATTN_INVALID for more blobs than a frame
 * holds. */
fsattn_status fsattn_rocm_client_send(fsattn_rocm_client *client, uint32_t command,
                                      const fsattn_rocm_blob *blobs, size_t count, fsattn_err *err);
short fsattn_rocm_client_events(const fsattn_rocm_client *client);
/* Moves whatever can be moved without waiting. */
fsattn_rocm_progress fsattn_rocm_client_step(fsattn_rocm_client *client);
/* After REPLIED: the blobs, at most `limit`, borrowed until the next send; *status is 0 for success. Returns
 * their count. */
size_t fsattn_rocm_client_reply(const fsattn_rocm_client *client, uint32_t *status, fsattn_rocm_blob *blobs,
                                size_t limit);
/* Kills and reaps. `reason` (nullable, `bytes`) says how it ended; *log (nullable, fsattn_free) is what it
 * wrote to stderr, its last 64 KiB. Accepts one that is not running. */
void fsattn_rocm_client_stop(fsattn_rocm_client *client, char *reason, size_t bytes, char **log);

#endif
