/* store_lock.h - the locks around a store: single bytes of one file, "<path>.lock". Internal to fsattn_store.
 *
 * Open file description locks: the kernel releases them when the process ends, however it ends; two locks of
 * one process exclude each other as those of two processes do; a child that execs does not inherit them. The
 * file is never removed and holds nothing.
 */
#ifndef FSATTN_STORE_LOCK_H
#define FSATTN_STORE_LOCK_H

#include "hash.h"

/* Which byte. */
enum {
    fsattn_store_lock_opening = 0, /* exclusive while a store is being opened, migrated or repaired */
    fsattn_store_lock_users = 1,   /* shared while a store is open for writing; exclusive to repair it */
    fsattn_store_lock_claims = 2,  /* and above: one byte per build key or result key */
};

/* The byte that stands for a build key or a result key: 61 bits of it. Two keys that share one only wait for each other. */
int64_t fsattn_store_lock_claim(const fsattn_hash *key);
/* Opens the lock file of the store `path` and locks the byte. FSATTN_BUSY when it is taken and `wait` is
 * false. */
fsattn_status fsattn_store_lock_open(const char *path, int64_t byte, bool shared, bool wait, int *lock,
                                     fsattn_err *err);
/* Changes the kind of a lock that is held, without waiting; FSATTN_BUSY leaves it as it was. */
fsattn_status fsattn_store_lock_change(int lock, const char *path, int64_t byte, bool shared,
                                       fsattn_err *err);
/* Accepts -1. */
void fsattn_store_lock_close(int lock);
/* Whether that store's lock file exists: then a store has been here, whatever its bytes say now. */
bool fsattn_store_lock_exists(const char *path);

#endif
