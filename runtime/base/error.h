/* error.h - how a failure travels: a status is returned, its detail goes to a caller-owned fsattn_err.
 *
 * Whoever knows the cause calls fsattn_fail once; callers on the way up only add context in front.
 * Nothing here prints or exits. Every function accepts a NULL err.
 */
#ifndef FSATTN_ERROR_H
#define FSATTN_ERROR_H

#include "fsattn.h"

/* Sets message (printf style) and clears the hint; returns `status`, so that `return fsattn_fail(...)` reads. */
fsattn_status fsattn_fail(fsattn_err *err, fsattn_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* As fsattn_fail with ": <strerror(errnum)>" appended and the status chosen from errnum
 * (ENOENT is NOT_FOUND, ENOMEM is NO_MEMORY, everything else IO). */
fsattn_status fsattn_fail_errno(fsattn_err *err, int errnum, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds the way out to an error already set: "did you mean 'tile_m'?". */
void fsattn_hint(fsattn_err *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts "<context>: " in front of the message already set and returns its status. */
fsattn_status fsattn_context_add(fsattn_err *err, fsattn_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Exit status of a command that ends with `status`. */
int fsattn_status_exit(fsattn_status status);

/* Returns the status to its caller when it is not OK. Only for functions that hold no resource yet. */
#define FSATTN_TRY(call)                                                                                     \
    do {                                                                                                     \
        fsattn_status try_status_ = (call);                                                                  \
        if (try_status_ != FSATTN_OK) {                                                                      \
            return try_status_;                                                                              \
        }                                                                                                    \
    } while (0)

/* Jumps to the caller's `out:` label with `status` set when the call fails. */
#define FSATTN_GOTO(call)                                                                                    \
    do {                                                                                                     \
        status = (call);                                                                                     \
        if (status != FSATTN_OK) {                                                                           \
            goto out;                                                                                        \
        }                                                                                                    \
    } while (0)

#endif
