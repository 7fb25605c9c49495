/* store_schema.h - the tables of tune.db and how older ones become today's. Internal to fsattn_store. */
#ifndef FSATTN_STORE_SCHEMA_H
#define FSATTN_STORE_SCHEMA_H

#include "store_query.h"

enum {
    fsattn_store_application = 0x66736174, /* "fsat", PRAGMA application_id */
    fsattn_store_version = 2               /* PRAGMA user_version */
};

/* FSATTN_INVALID when the open database is another program's, FSATTN_VERSION when it is newer than this.
 * *version 0: a fresh, empty one. */
fsattn_status fsattn_store_schema_check(fsattn_store *store, int64_t *version, fsattn_err *err);
/* FSATTN_CORRUPT when its tables and indices are not those that `version` has. Others may be there as well.
 */
fsattn_status fsattn_store_schema_compare(fsattn_store *store, int64_t version, fsattn_err *err);
/* Brings the database from `version` to today's in one transaction. */
fsattn_status fsattn_store_schema_migrate(fsattn_store *store, int64_t version, fsattn_err *err);
/* The tables alone, without the demand that keys be unique: for rows whose worth is not known yet. */
fsattn_status fsattn_store_schema_scratch(fsattn_store *store, fsattn_err *err);

#endif
