/* miss_log.h - problems that an application asked for and nothing tuned served, in place of a space's own.
 *
 * The log is what libfsattn writes with options.miss_log: one problem's text a line, repeats allowed. A last line without its
 * end is left out: somebody may be writing it.
 */
#ifndef FSATTN_MISS_LOG_H
#define FSATTN_MISS_LOG_H

#include "space.h"

/* Replaces the problems of a loaded space, which has no sets afterwards, by those of the log that its template serves, each once,
 * in order of their first appearance. *skipped counts those that it does not serve. FSATTN_PARSE names the line that is no
 * problem, FSATTN_NOT_FOUND when nothing is left. */
fsattn_status fsattn_miss_log_apply(const char *path, const char *isa, fsattn_space *space, size_t *skipped,
                                    fsattn_err *err);

#endif
