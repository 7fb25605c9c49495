/* parallel.h - a loop over independent items on as many threads as there are cores. */
#ifndef FSATTN_PARALLEL_H
#define FSATTN_PARALLEL_H

#include "fsattn.h"

/* Calls work(context, item) for 0 .. items - 1, each once, in no order, on `threads` threads (0: the cores usable by this
 * process), the calling one included; returns when all are done. When threads cannot be started the calling one does
 * the rest, so it cannot fail. `work` must not call it again. */
void fsattn_parallel_for(int threads, int64_t items, void (*work)(void *context, int64_t item), void *context);

#endif
