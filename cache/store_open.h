/* store_open.h - the pieces of opening a store that its repair uses too. Internal to fsattn_store. */
#ifndef FSATTN_STORE_OPEN_H
#define FSATTN_STORE_OPEN_H

#include "store_query.h"

/* Connects store->db to `path` with the given SQLITE_OPEN_ flags and the settings that every connection has.
 */
fsattn_status fsattn_store_connect(fsattn_store *store, int flags, int64_t busy_timeout_ms, fsattn_err *err);
void fsattn_store_disconnect(fsattn_store *store);
/* FSATTN_CORRUPT with the first defect when the structure of the database is damaged. */
fsattn_status fsattn_store_structure_check(fsattn_store *store, fsattn_err *err);
/* Creates or migrates the connected database to today's schema in WAL mode. */
fsattn_status fsattn_store_prepare(fsattn_store *store, fsattn_err *err);

/* Sets the damaged database at store->path (not connected) aside, salvages what is readable into a fresh one
 * and puts that in its place. The caller holds the opening lock and is the only user. `why` is what was
 * found. */
fsattn_status fsattn_store_repair(fsattn_store *store, const fsattn_err *why, fsattn_err *err);

/* FSATTN_UNTRUSTED when somebody else may write the store at that path. */
fsattn_status fsattn_store_trust(const char *path, fsattn_err *err);

#endif
