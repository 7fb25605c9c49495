/* miss.h - what a context does about problems that nothing tuned serves: notes each once, and may have it tuned meanwhile.
 *
 * Owns the miss log, the table of what was noted, and with FSATTN_MISS_COMPILE one thread that starts the compiler or the tuner, waits for
 * it and adds what it published. Noting a problem for the second time is one look at a table: no lock, no allocation. A call is never
 * failed, and never waits, because of anything here: failures are told to the context's `warn` and counted.
 */
#ifndef FSATTN_MISS_H
#define FSATTN_MISS_H

#include "entry.h"

typedef struct fsattn_misses fsattn_misses;

/* *misses is NULL when the options ask for nothing. FSATTN_INVALID for options that do not go together; with
 * FSATTN_MISS_COMPILE results of earlier runs are added to the context (what cannot be used is told and skipped). */
fsattn_status fsattn_misses_create(fsattn_context *context, const fsattn_options *options, fsattn_misses **misses,
                                   fsattn_err *err);
/* Ends a tuner that is running (SIGKILL to its group; a tuner's store survives that). Accepts NULL. */
void fsattn_misses_destroy(fsattn_misses *misses);

/* Nothing tuned serves this problem. Any thread. `misses` may be NULL. */
void fsattn_misses_note(fsattn_misses *misses, const fsattn_shape *shape, const fsattn_problem *problem);

void fsattn_misses_count(fsattn_misses *misses, fsattn_miss_info *info);

#endif
