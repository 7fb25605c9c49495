/* workplace.h - a private temporary folder that does not outlive its process, not even one that is killed.
 *
 * The folder ($TMPDIR or /tmp, mode 0700) is locked as long as its owner lives; the kernel drops the lock however the owner
 * ends. Opening one removes those of the same kind whose lock is free: no process ids, so none can be taken for another.
 * Touched is only what is a folder, belongs to this user, is closed to others and bears the kind's name; links are not followed.
 */
#ifndef FSATTN_WORKPLACE_H
#define FSATTN_WORKPLACE_H

#include "fsattn.h"

typedef struct fsattn_workplace {
    char *path; /* NULL: none */
    int lock;   /* descriptor of the folder, locked */
} fsattn_workplace;

/* `kind`: the name's beginning ("fsattn-build-"). IO when no folder can be made, with the fix in the hint. */
fsattn_status fsattn_workplace_open(const char *kind, fsattn_workplace *workplace, fsattn_err *err);
/* Removes it. Accepts a zero-initialised one. */
void fsattn_workplace_close(fsattn_workplace *workplace);
/* FSATTN_IO when the folder is gone, or another one has its name: no fault of whoever worked in it. */
fsattn_status fsattn_workplace_check(const fsattn_workplace *workplace, fsattn_err *err);
/* Whether its file system has hardly a byte or a name left. */
bool fsattn_workplace_full(const fsattn_workplace *workplace);

#endif
