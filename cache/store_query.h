/* store_query.h - SQLite as the store uses it: statements, transactions, errors. Internal to fsattn_store.
 *
 * The one place that translates SQLite's failures. Binding never fails at the call: the first failure is kept
 * and the next step returns it. A query belongs to its store's thread.
 */
#ifndef FSATTN_STORE_QUERY_H
#define FSATTN_STORE_QUERY_H

#include "store.h"

#include <sqlite3.h>

struct fsattn_store {
    sqlite3 *db;
    char *path;
    bool read_only;
    bool existing;  /* must be there, with something in it */
    bool immutable; /* nobody can write it, and it needs no file beside it */
    int users; /* descriptor that holds the shared lock "somebody uses this database"; -1: none */
    fsattn_warn *warn;
    void *warn_data;
};

typedef struct fsattn_store_query {
    fsattn_store *store;
    sqlite3_stmt *statement;
    int code; /* of the first failed bind */
} fsattn_store_query;

/* Translates an SQLite result code; `what` is the statement, or "cannot ...". */
fsattn_status fsattn_store_sql_fail(const fsattn_store *store, int code, const char *what, fsattn_err *err);
/* The way out for whoever has no right to repair a damaged database. */
void fsattn_store_hint_damaged(fsattn_err *err);
/* Runs statements without results. */
fsattn_status fsattn_store_exec(fsattn_store *store, const char *sql, fsattn_err *err);
/* The one integer that a statement gives ("PRAGMA user_version"); 0 when it gives no row. */
fsattn_status fsattn_store_int(fsattn_store *store, const char *sql, int64_t *value, fsattn_err *err);
/* BEGIN IMMEDIATE. FSATTN_IO when the file that was opened no longer bears the store's name: what is written would be lost. */
fsattn_status fsattn_store_begin(fsattn_store *store, fsattn_err *err);
/* Commits when `status` is OK, else rolls back; returns `status`, or why the commit failed. */
fsattn_status fsattn_store_end(fsattn_store *store, fsattn_status status, fsattn_err *err);
/* Tells `warn`, with the store's path in front. */
void fsattn_store_tell(const fsattn_store *store, fsattn_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

fsattn_status fsattn_store_query_init(fsattn_store_query *query, fsattn_store *store, const char *sql,
                                      fsattn_err *err);
/* Accepts a zero-initialised query. */
void fsattn_store_query_fini(fsattn_store_query *query);
/* Columns and parameters both count from 0 here. Bound bytes must live until the next step is done. */
void fsattn_store_bind_int(fsattn_store_query *query, int at, int64_t value);
void fsattn_store_bind_real(fsattn_store_query *query, int at, double value);
void fsattn_store_bind_text(fsattn_store_query *query, int at, const char *text); /* NULL is "" */
void fsattn_store_bind_bytes(fsattn_store_query *query, int at, const void *data, size_t bytes);
void fsattn_store_bind_hash(fsattn_store_query *query, int at, const fsattn_hash *hash);
/* *row: whether there is a row to read. */
fsattn_status fsattn_store_query_step(fsattn_store_query *query, bool *row, fsattn_err *err);
/* Steps a statement that gives no rows, and resets it. */
fsattn_status fsattn_store_query_run(fsattn_store_query *query, fsattn_err *err);

int64_t fsattn_store_column_int(const fsattn_store_query *query, int at);
double fsattn_store_column_real(const fsattn_store_query *query, int at);
/* Copies into the arena; false when memory ends. Both end with a NUL that is not counted. */
bool fsattn_store_column_text(const fsattn_store_query *query, int at, fsattn_arena *arena,
                              const char **text);
bool fsattn_store_column_bytes(const fsattn_store_query *query, int at, fsattn_arena *arena,
                               const void **data, size_t *bytes);
/* Zeros when the column does not hold 32 bytes. */
fsattn_hash fsattn_store_column_hash(const fsattn_store_query *query, int at);

/* A growing list of row numbers, so that no statement is open while rows are visited. */
typedef struct fsattn_store_ids {
    int64_t *ids;
    size_t count, capacity;
} fsattn_store_ids;
/* Steps the query to its end and collects its first column. Release ids->ids with fsattn_free. */
fsattn_status fsattn_store_query_ids(fsattn_store_query *query, fsattn_store_ids *ids, fsattn_err *err);

#endif
