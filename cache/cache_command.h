/* cache_command.h - the subcommands of fsattn-cache and what they share. Part of the program, not of a
 * library.
 *
 * A subcommand parses its own arguments (argv[0] is its name), prints its result to stdout only when it
 * succeeded, and returns a status whose detail main reports. Warnings go to stderr as they come.
 */
#ifndef FSATTN_CACHE_COMMAND_H
#define FSATTN_CACHE_COMMAND_H

#include "cli.h"
#include "store.h"
#include "text.h"

/* X(name, function, summary): the table behind dispatch and help. */
#define FSATTN_CACHE_COMMAND_LIST(X)                                                                         \
    X("list", fsattn_cache_list, "what a store or a cache file holds, problem by problem")                   \
    X("show", fsattn_cache_show, "everything about one result")                                              \
    X("figures", fsattn_cache_figures, "rates and speed-ups of what is published")                          \
    X("verify", fsattn_cache_verify, "check every hash, row and reference")                                  \
    X("export", fsattn_cache_export, "publish a store's winners as a cache file")                            \
    X("import", fsattn_cache_import, "take a cache file's records into a store")                             \
    X("merge", fsattn_cache_merge, "take everything of other stores into a store")                           \
    X("gc", fsattn_cache_gc, "remove code and sources that nothing needs")                                   \
    X("diff", fsattn_cache_diff, "what differs between two stores or cache files")                           \
    X("t4", fsattn_cache_t4, "a problem's results as T4 JSON, which other tools read and a replay searches")  \
    X("text", fsattn_cache_text, "a text form that diffs well")                                              \
    X("key", fsattn_cache_key, "make a key pair for signing cache files")                                    \
    X("sign", fsattn_cache_sign, "sign a cache file")

#define X(name, function, summary) fsattn_status function(int argc, char **argv, fsattn_err *err);
FSATTN_CACHE_COMMAND_LIST(X)
#undef X

/* Parses with the command's table; *done when --help was printed and there is nothing more to do. `minimum`
 * positionals must be there. */
fsattn_status fsattn_cache_parse(const fsattn_command *command, int argc, char **argv,
                                 const char **positionals, size_t minimum, size_t limit, size_t *count,
                                 bool *done, fsattn_err *err);
/* Prints "warning: ..." to stderr; for the `warn` of stores and cache files. */
void fsattn_cache_warn(void *data, const fsattn_err *err);
/* Warns when the cache file could have been written by somebody else, with the way out: it is shown all the same. */
void fsattn_cache_warn_untrusted(const char *path);
/* Prints the text to stdout, to its last byte; FSATTN_IO otherwise. Releases the text. */
fsattn_status fsattn_cache_print(fsattn_text *text, fsattn_err *err);
/* `given`, or the user's store ("tune.db") or cache file ("fsattn.fsc") in a new string; release *owned
 * either way. */
fsattn_status fsattn_cache_path(const char *given, const char *name, char **owned, fsattn_err *err);
/* What a command does with a store: it must be there to be read or changed; one that takes results in makes it. */
typedef enum fsattn_cache_store_use { FSATTN_CACHE_STORE_READ, FSATTN_CACHE_STORE_CHANGE, FSATTN_CACHE_STORE_MAKE } fsattn_cache_store_use;
/* Opens a store. `given` NULL: the user's. */
fsattn_status fsattn_cache_store(const char *given, fsattn_cache_store_use use, fsattn_store **store, fsattn_err *err);
/* A problem as typed becomes canonical, in `text`, so that fields may be left out or be in another order. NULL stays. */
fsattn_status fsattn_cache_problem(const char **problem, char text[fsattn_problem_text_bytes], fsattn_err *err);
/* FSATTN_NOT_FOUND: nothing is left of what --problem and --template ask for. */
fsattn_status fsattn_cache_no_results(fsattn_err *err);
/* FSATTN_CORRUPT, with how many, when records of the file were left out because they are damaged. */
fsattn_status fsattn_cache_damage(const char *path, const fsattn_fsc *fsc, fsattn_err *err);
/* Whether the file is a cache file, by its first bytes or its name. FSATTN_NOT_FOUND when there is none. */
fsattn_status fsattn_cache_is_fsc(const char *path, bool *is_fsc, fsattn_err *err);
/* Reads a key file made by `fsattn-cache key`. */
fsattn_status fsattn_cache_read_key(const char *path, uint8_t *key, size_t bytes, fsattn_err *err);

/* Which results of a store. */
typedef struct fsattn_cache_choice {
    bool all;                            /* every result, failed ones too; else what an export would have */
    bool unproven;                       /* imported and unverified ones in an export too */
    const char *problem, *template_name; /* or NULL */
} fsattn_cache_choice;
/* Prints the text form of a store or cache file; `given` NULL: the user's store. */
fsattn_status fsattn_cache_text_print(const char *given, const fsattn_cache_choice *choice, fsattn_err *err);

/* Time with four digits and a unit: "12.3 us". */
void fsattn_cache_time_text(double ns, char text[32]);

#endif
