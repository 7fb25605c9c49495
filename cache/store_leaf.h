/* store_leaf.h - the rows of a damaged SQLite file, found page by page. Internal to fsattn_store.
 *
 * Needs neither the header nor the schema nor any inner page to be sound: every leaf page of a table is read
 * on its own, and a row is told by its number of columns. What is found may be stale (pages that were given
 * up): rows must be judged by their hashes and times afterwards. Any bytes may be given. Reads the file and
 * its -wal; follows SQLite's "Database File Format" (sections 1.6, 2.1, 4.1).
 */
#ifndef FSATTN_STORE_LEAF_H
#define FSATTN_STORE_LEAF_H

#include "store_query.h"

/* Copies every row found in the database at `path`, which nobody may have open, into the tables of `scratch`
 * (schema of fsattn_store_schema_scratch). */
fsattn_status fsattn_store_leaf_scan(const char *path, fsattn_store *scratch, fsattn_err *err);

#endif
