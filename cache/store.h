/* store.h - the tuner's store (tune.db): every verdict with its samples, every build, transactional, many processes.
 *
 * SQLite in WAL mode, synchronous FULL, writes in BEGIN IMMEDIATE with a long busy timeout. Each put is one transaction:
 * when the call returns FSATTN_OK the entry survives kill -9 and power loss. Refuses network file systems and newer format
 * versions, migrates older ones. A damaged database is set aside as NAME.damaged-TIMESTAMP, its readable rows are
 * salvaged into a fresh one, nothing is deleted; `warn` is told. Rows carry hashes: a row that was changed behind the
 * store's back is told to `warn` and counts as absent. Format: FORMAT.md.
 *
 * A store handle belongs to one thread at a time; open one per thread or process (never use one across fork).
 * Results are keyed by the result key alone, code objects and sources by their content.
 */
#ifndef FSATTN_STORE_H
#define FSATTN_STORE_H

#include "fsc.h"
#include "keys.h"
#include "memory.h"
#include "verdict.h"

typedef struct fsattn_store fsattn_store;

/* Attribute of a result that its space's accuracy floor rejects: it is kept, and never exported. */
#define FSATTN_STORE_BELOW_FLOOR "accuracy.below_floor"
/* Attribute: how many of a result's samples, the first ones, the search took; those of a shoot-out follow. */
#define FSATTN_STORE_SEARCH_SAMPLES "search.samples"
/* Attribute of a result that has been through a part of its verification only: it is kept, and not exported before the rest. */
#define FSATTN_STORE_PARTIAL "verification.partial"
/* Attribute of the winner of its problem's shoot-out. */
#define FSATTN_STORE_SHOOTOUT_WON "shootout.won"

/* Zero-initialised gives the defaults. */
typedef struct fsattn_store_options {
    bool read_only;         /* must exist, is neither created nor repaired nor migrated */
    bool existing;          /* must exist, and is not created */
    int64_t busy_timeout_ms; /* 0: 60,000 */
    fsattn_warn *warn;      /* or NULL */
    void *warn_data;
} fsattn_store_options;

/* Opens or creates the store and its folder; the path is a file's whatever SQLite would make of such a name. `options` may be NULL.
 * FSATTN_NOT_FOUND when it must exist and does not or is empty, FSATTN_VERSION for a newer format, FSATTN_UNSUPPORTED for
 * a network file system, FSATTN_INVALID for another program's database, FSATTN_CORRUPT (read_only) for a damaged one. */
fsattn_status fsattn_store_open(const char *path, const fsattn_store_options *options, fsattn_store **store,
                                fsattn_err *err);
void fsattn_store_close(fsattn_store *store); /* accepts NULL */
/* "<data folder of the user>/<name>": name is tune.db or fsattn.fsc; new string (fsattn_free). */
fsattn_status fsattn_store_default_path(const char *name, char **path, fsattn_err *err);

/* ---- runs ----------------------------------------------------------------------------------- */

typedef struct fsattn_store_run {
    const char *space;   /* path or name of the search space */
    const char *command; /* command line, for people */
    const char *machine;
    const char *outcome; /* "", while running; "done", "interrupted", "budget", an error's text */
    int64_t started_ms, finished_ms; /* Unix time; finished 0 while running; begin and finish set them */
} fsattn_store_run;
fsattn_status fsattn_store_run_begin(fsattn_store *store, const fsattn_store_run *run, int64_t *run_id,
                                     fsattn_err *err);
fsattn_status fsattn_store_run_finish(fsattn_store *store, int64_t run_id, const char *outcome, fsattn_err *err);

/* ---- builds --------------------------------------------------------------------------------- */

/* One compilation. Read back: strings and blobs live in the arena given. */
typedef struct fsattn_store_build {
    fsattn_hash build_key;
    fsattn_verdict verdict; /* OK, BUILD_FAILED, CRASHED or TIMEOUT */
    const char *log;        /* what the compiler said */
    double seconds;
    const char *compiler, *options; /* as in fsattn_fsc_record */
    fsattn_blob source;             /* bytes 0: not kept */
    fsattn_blob code;               /* bytes 0 unless the verdict is OK */
    int64_t recorded_ms;            /* Unix time; set by the store */
} fsattn_store_build;

/* The right to compile one source, or to judge one candidate; released by the kernel when the process ends. */
typedef struct fsattn_store_claim {
    int lock; /* -1: none */
} fsattn_store_claim;

/* Looks a build up by its key, so that of any number of processes only one compiles.
 *   *found true: *build is filled in (with code and source), there is nothing to do and no claim.
 *   *found false: the caller holds the claim, compiles, and calls fsattn_store_build_finish or _abandon.
 * While another process (or another claim of this one) compiles it: `wait` true blocks until that ends, false gives
 * FSATTN_BUSY at once. Wait only while holding no other claim, or two processes may wait for each other. */
fsattn_status fsattn_store_build_begin(fsattn_store *store, const fsattn_hash *build_key, bool wait,
                                       fsattn_arena *arena, fsattn_store_build *build, bool *found,
                                       fsattn_store_claim *claim, fsattn_err *err);
/* Stores the build (the hashes of the blobs are computed here) and releases the claim, also on failure. */
fsattn_status fsattn_store_build_finish(fsattn_store *store, fsattn_store_claim *claim,
                                        const fsattn_store_build *build, fsattn_err *err);
/* Releases the claim without a result: the next one compiles. */
void fsattn_store_build_abandon(fsattn_store_claim *claim);
/* Looks up without claiming. A build whose code or source is damaged counts as absent. */
fsattn_status fsattn_store_build_find(fsattn_store *store, const fsattn_hash *build_key, fsattn_arena *arena,
                                      fsattn_store_build *build, bool *found, fsattn_err *err);

/* ---- results -------------------------------------------------------------------------------- */

/* One candidate's fate for one problem. record.result_key is its key; for every verdict the record's problem, target,
 * isa, abi, template_name, configuration, build_key and the cost's machine, device, units, driver and policy are set;
 * stages, accuracies and times only as far as the candidate got. */
typedef struct fsattn_store_result {
    fsattn_fsc_record record; /* record.role DEFAULT: the family's default configuration */
    fsattn_verdict verdict;
    const char *reason; /* one line; "" for OK */
    const double *samples; /* ns, in the order measured */
    size_t sample_count;
    /* The shoot-out. A result with `confirmed` was re-timed interleaved with the other finalists and the default, and
     * record.cost is from there; the default itself is confirmed from the start. `beats_default`: the default lost to it
     * there, and of those as fast within noise it was chosen. */
    bool confirmed, beats_default;
    int64_t run_id;      /* 0: none */
    int64_t recorded_ms; /* Unix time; 0: the store sets it */
} fsattn_store_result;

/* Stores a result, replacing one of the same key; blobs with data are stored too. One durable transaction. Derived
 * fields (identity, serving_key) are computed. FSATTN_INVALID for a result that could not be exported although its
 * verdict is OK. */
fsattn_status fsattn_store_result_put(fsattn_store *store, const fsattn_store_result *result, fsattn_err *err);
/* Claims the candidate of that key, so that of any number of processes only one judges it; FSATTN_BUSY while another one (or
 * another claim of this one) does. Whoever has the claim looks for the result once more before it judges. Released with
 * fsattn_store_build_abandon. */
fsattn_status fsattn_store_result_claim(fsattn_store *store, const fsattn_hash *result_key, fsattn_store_claim *claim,
                                        fsattn_err *err);
/* The result of that key, if there is one: every verdict is final. Strings and arrays live in `arena`; blobs have
 * no data (fsattn_store_blobs_load). */
fsattn_status fsattn_store_result_find(fsattn_store *store, const fsattn_hash *result_key, fsattn_arena *arena,
                                       fsattn_store_result *result, bool *found, fsattn_err *err);
/* Fills in the data of the record's code objects and source. FSATTN_NOT_FOUND or FSATTN_CORRUPT name the blob. */
fsattn_status fsattn_store_blobs_load(fsattn_store *store, fsattn_arena *arena, fsattn_fsc_record *record,
                                      fsattn_err *err);

/* Which results; zero-initialised is all of them. */
typedef struct fsattn_store_filter {
    const fsattn_hash *serving_key; /* of that problem, ISA and ABI */
    const char *template_name;
    const char *problem;            /* canonical text */
    int verdict_plus_one;           /* 0: any */
    int64_t run_id;                 /* 0: any */
    bool by_time;                   /* in the order in which they were first stored */
} fsattn_store_filter;
/* Called for each, ordered by problem, verdict (OK first), median cost, identity, unless the filter says otherwise. The result lives for the call.
 * Anything but FSATTN_OK ends the walk and is returned. */
typedef fsattn_status fsattn_store_visit(void *data, const fsattn_store_result *result, fsattn_err *err);
fsattn_status fsattn_store_results_each(fsattn_store *store, const fsattn_store_filter *filter,
                                        fsattn_store_visit *visit, void *data, fsattn_err *err);
/* Costs are comparable only within one place of measurement: device, units, driver, policy, provenance. 0 when they are; otherwise
 * an order. */
int fsattn_store_place_compare(const fsattn_cost *a, const fsattn_cost *b);
/* How many results have which verdict. */
fsattn_status fsattn_store_results_count(fsattn_store *store, const fsattn_store_filter *filter,
                                         int64_t counts[fsattn_verdict_count], fsattn_err *err);

/* ---- from and to cache files ---------------------------------------------------------------- */

typedef struct fsattn_store_export_options {
    bool unproven;       /* imported records too */
    const char *problem; /* canonical text; NULL: all */
    const char *template_name; /* NULL: all */
} fsattn_store_export_options;
/* Adds the winners to `writer`: for each problem, ISA and ABI and each place of measurement (device, units, driver, policy)
 * the Pareto set of median cost against relative error (normal distribution). Measured and modelled never compete: where
 * anything measured that may serve exists for a problem, ISA and ABI, nothing modelled is exported. Where results were confirmed in a
 * shoot-out only those compete, and of them the default and what beat it. The family's default is also added with the
 * role DEFAULT. `options` may be NULL. *winners (nullable) counts the records with the role WINNER. */
fsattn_status fsattn_store_export(fsattn_store *store, const fsattn_store_export_options *options,
                                  fsattn_fsc_writer *writer, size_t *winners, fsattn_err *err);

typedef struct fsattn_store_changes {
    int64_t results_added, results_kept; /* kept: already there, and newer or equal */
    int64_t builds_added, blobs_added;
    int64_t results_removed, builds_removed, blobs_removed; /* gc */
    int64_t bytes_freed;                                    /* gc: of blobs */
} fsattn_store_changes;
/* Takes the file's records in as OK results, marked unproven unless `proven` (its signature was verified). What the
 * store has itself is never replaced by an import. */
fsattn_status fsattn_store_import(fsattn_store *store, const fsattn_fsc *fsc, bool proven,
                                  fsattn_store_changes *changes, fsattn_err *err);
/* Takes in everything of another store that is missing here or newer there; proven beats unproven. Idempotent. */
fsattn_status fsattn_store_merge(fsattn_store *store, fsattn_store *from, fsattn_store_changes *changes,
                                 fsattn_err *err);
typedef struct fsattn_store_gc_options {
    bool dry_run;    /* count only */
    int64_t keep_days; /* failed results and builds older than this go, so that they are tried again; negative: keep all */
} fsattn_store_gc_options;
/* Removes blobs that nothing needs: code objects and sources of builds whose results are all outside the exported
 * winners and defaults, and blobs without any reference. Verdicts stay, so that a run still resumes. */
fsattn_status fsattn_store_gc(fsattn_store *store, const fsattn_store_gc_options *options,
                              fsattn_store_changes *changes, fsattn_err *err);

/* Checks everything: the database's structure, each row's and each blob's hash, references. `warn` of the options is told
 * about each defect; *defects counts them. */
fsattn_status fsattn_store_verify(fsattn_store *store, int64_t *rows, int64_t *defects, fsattn_err *err);

#endif
