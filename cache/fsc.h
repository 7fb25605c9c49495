/* fsc.h - cache files (NAME.fsc): what a runtime serves from. Reader, writer, signatures.
 *
 * A cache file is flat, sorted, little-endian, versioned (FORMAT.md) and never modified in place: a new one is published
 * over it. Header and indices have one hash, every record and every blob (code object, source) has its own.
 *
 * Invariants of an open file: everything was verified when it was opened, which costs one pass over the bytes (about a
 * nanosecond each); nothing that fails its hash, its bounds or its meaning can be reached. A damaged record, or one with
 * a damaged blob, is told to `warn` and left out; damaged header or indices refuse the whole file. Strings are
 * NUL-terminated and point, like the blobs, into the file's bytes. Immutable after opening: any number of threads.
 *
 * The hashes find damage, not forgery: whether a file may be trusted is decided by whoever opens it (fsattn_file_trust)
 * or by a signature (fsattn_fsc_verify). Nothing here loads code.
 */
#ifndef FSATTN_FSC_H
#define FSATTN_FSC_H

#include "hash.h"
#include "output.h"
#include "problem.h"
#include "text.h"

enum {
    fsattn_fsc_version = 1,
    fsattn_fsc_record_version = 2, /* the newest; a record is written in the oldest that can hold it */
    fsattn_fsc_stage_limit = 16,
    fsattn_fsc_accuracy_limit = 64,
    fsattn_fsc_attribute_limit = 256,
    fsattn_fsc_string_limit = 1 << 16,    /* bytes of one string */
    fsattn_fsc_public_key_bytes = 32,     /* Ed25519 */
    fsattn_fsc_secret_key_bytes = 64
};
/* Largest file that is read. */
#define FSATTN_FSC_FILE_LIMIT ((size_t)1 << 31)

/* X(NAME, text): what a record is for. */
#define FSATTN_ROLE_LIST(X)                                                                                  \
    X(WINNER, "winner") /* tuned for its problem; of the Pareto set of cost against error */                 \
    X(DEFAULT, "default") /* the family's fixed default configuration, for whatever is not tuned */
typedef enum fsattn_role {
#define X(name, text) FSATTN_ROLE_##name,
    FSATTN_ROLE_LIST(X)
#undef X
} fsattn_role;

/* X(NAME, text): where a record's code runs. */
#define FSATTN_TARGET_LIST(X)                                                                                \
    X(HOST, "host")                                                                                          \
    X(GFX950, "gfx950")
typedef enum fsattn_target {
#define X(name, text) FSATTN_TARGET_##name,
    FSATTN_TARGET_LIST(X)
#undef X
} fsattn_target;

/* X(NAME, bit, text): what the kernel takes at run time, so that it may serve other values than it was tuned with. */
#define FSATTN_FLEXIBLE_LIST(X)                                                                              \
    X(SIZES, 1, "sizes") /* batch, heads, s_q, s_k */                                                        \
    X(SCALE, 2, "scale")                                                                                     \
    X(GQA, 4, "gqa") /* heads_q / heads_kv */
typedef enum fsattn_flexible {
#define X(name, bit, text) FSATTN_FLEXIBLE_##name = bit,
    FSATTN_FLEXIBLE_LIST(X)
#undef X
} fsattn_flexible;

/* Bytes with their hash. In a record read from a store, `data` may be NULL when the bytes have not been loaded. */
typedef struct fsattn_blob {
    const void *data;
    size_t bytes;
    fsattn_hash hash;
} fsattn_blob;

typedef struct fsattn_attribute {
    const char *name; /* [a-z][a-z0-9_.]* */
    const char *value;
} fsattn_attribute;

/* One kernel of a plan; the stages of a record run one after another. */
typedef struct fsattn_stage {
    const char *name;       /* "attention", "quantize" */
    const char *entry;      /* exported symbol */
    fsattn_blob code;       /* the code object */
    const char *work_items; /* rule that gives the work items or the grid: "query_tiles" (host_abi.h), ... */
    int64_t tile_m, tile_n; /* query rows and keys of a tile; 0 when the rule does not need it */
    uint32_t threads;       /* of a block (GPU); 0 on host */
    uint32_t lds_bytes;     /* dynamic, of a block (GPU) */
    uint64_t scratch_bytes; /* of a work item (host) or the workspace (GPU), for the record's problem */
    const fsattn_attribute *attributes; /* further launch parameters, sorted by name */
    size_t attribute_count;
    fsattn_blob source;  /* of the code object when it is not the record's, as rendered; bytes 0: the record's, or absent */
    const char *options; /* with `source`: of the compiler, joined by one space; else empty */
} fsattn_stage;

/* How close to float64 attention the output is, for inputs of one distribution. */
typedef struct fsattn_accuracy_entry {
    const char *distribution; /* "normal", "outlier_channels", ... */
    double relative_error;    /* of the norms: |o - reference| / |reference| */
    double cosine;
    double maximum_error; /* largest absolute difference */
    double coverage;      /* share of the query rows that was compared, 0 .. 1 */
} fsattn_accuracy_entry;

typedef struct fsattn_cost {
    double median_ns, minimum_ns;
    double spread_ns; /* interquartile range of the samples */
    uint64_t samples; /* 0: never timed, and all times are 0 */
    fsattn_provenance provenance;
    /* The family's default in the same comparison; 0 when unknown. */
    double default_median_ns, default_spread_ns;
    /* Where and how; these order plans and decide what may be compared. */
    const char *machine; /* host name or board, for people */
    const char *device;  /* name of the processor or GPU */
    int64_t units;       /* cores used, or compute units */
    const char *driver;
    const char *policy;
} fsattn_cost;

/* One kernel (or chain of kernels) for one problem. Plain data; a reader's records point into its bytes, a writer copies.
 * NULL strings are written as "". */
typedef struct fsattn_fsc_record {
    fsattn_problem problem;
    const char *problem_text; /* canonical; writers ignore it and derive it from `problem` */
    fsattn_role role;
    fsattn_target target;
    const char *isa; /* that the code needs, resolved */
    uint32_t abi;    /* version of the kernel ABI */
    uint32_t flexible; /* fsattn_flexible, or-ed */
    bool unproven;     /* imported and not yet verified here */
    const char *template_name;
    const char *configuration; /* canonical text */
    fsattn_hash identity;      /* of template name and configuration; writers derive it */
    const fsattn_stage *stages;
    size_t stage_count; /* >= 1 in a file */
    const fsattn_accuracy_entry *accuracies;
    size_t accuracy_count; /* the one that requests are compared with is "normal" */
    fsattn_cost cost;
    const char *compiler; /* identity */
    const char *options;  /* of the compiler, joined by one space */
    fsattn_blob source;   /* as rendered; bytes 0 when absent */
    fsattn_hash build_key, result_key;
    fsattn_hash serving_key; /* writers derive it from problem, isa and abi; readers have compared it */
    const fsattn_attribute *attributes; /* sorted by name */
    size_t attribute_count;
} fsattn_fsc_record;

const char *fsattn_role_text(fsattn_role role);
const char *fsattn_target_text(fsattn_target target);
/* The accuracy for that distribution, or NULL. */
const fsattn_accuracy_entry *fsattn_fsc_accuracy(const fsattn_fsc_record *record, const char *distribution);
/* The attribute's value, or NULL. */
const char *fsattn_fsc_attribute(const fsattn_fsc_record *record, const char *name);
/* FSATTN_INVALID, with the field named, for a record that a file must not hold: an impossible problem, no or too many
 * stages, an empty entry, a cost that is NaN, negative or infinite, a timed kernel that took no time, a winner that was
 * never timed, an accuracy out of range, malformed attributes. */
fsattn_status fsattn_fsc_record_check(const fsattn_fsc_record *record, fsattn_err *err);

/* ---- reading ------------------------------------------------------------------------------ */

typedef struct fsattn_fsc fsattn_fsc;

/* Opens `bytes` of `data`, which stay the caller's and must not change until the file is closed; `name` stands in
 * messages. FSATTN_CORRUPT for something that is no cache file or whose header or indices are damaged (also empty or
 * truncated), FSATTN_VERSION for a newer format. `warn` (nullable) is told about every record that is left out. */
fsattn_status fsattn_fsc_open_bytes(const char *name, const void *data, size_t bytes, fsattn_warn *warn,
                                    void *warn_data, fsattn_fsc **fsc, fsattn_err *err);
/* Reads an open descriptor from offset 0 once, and opens what was read. */
fsattn_status fsattn_fsc_open_fd(int fd, const char *name, fsattn_warn *warn, void *warn_data, fsattn_fsc **fsc,
                                 fsattn_err *err);
/* As fsattn_fsc_open_fd. Does not ask whether the file may be trusted. */
fsattn_status fsattn_fsc_open(const char *path, fsattn_warn *warn, void *warn_data, fsattn_fsc **fsc,
                              fsattn_err *err);
/* Accepts NULL. Records become invalid. */
void fsattn_fsc_close(fsattn_fsc *fsc);

/* Records that passed. Sorted by serving key, then role (winners first), provenance (measured first), median cost (never
 * timed last), relative error (unknown last), identity. */
size_t fsattn_fsc_count(const fsattn_fsc *fsc);
/* Records that were left out as damaged. */
size_t fsattn_fsc_damaged(const fsattn_fsc *fsc);
const fsattn_fsc_record *fsattn_fsc_at(const fsattn_fsc *fsc, size_t index);
/* Index of the first record with that serving key, and how many follow one another from there; 0 when none. */
size_t fsattn_fsc_find(const fsattn_fsc *fsc, const fsattn_hash *serving_key, size_t *first);

/* FSATTN_OK when the file is signed by that key and unchanged since; FSATTN_UNTRUSTED otherwise. */
fsattn_status fsattn_fsc_verify(const fsattn_fsc *fsc, const uint8_t public_key[fsattn_fsc_public_key_bytes],
                                fsattn_err *err);
/* The key that the file names as its signer (not verified), or NULL when it is not signed. */
const uint8_t *fsattn_fsc_signer(const fsattn_fsc *fsc);

/* ---- writing ------------------------------------------------------------------------------ */

typedef struct fsattn_fsc_writer fsattn_fsc_writer;

fsattn_status fsattn_fsc_writer_create(fsattn_fsc_writer **writer, fsattn_err *err);
void fsattn_fsc_writer_destroy(fsattn_fsc_writer *writer); /* accepts NULL */
/* Copies the record and its blobs; equal blobs are kept once, a record that is already there is not added again. Blob
 * hashes are computed here. FSATTN_INVALID as fsattn_fsc_record_check, and for a blob without data. */
fsattn_status fsattn_fsc_writer_add(fsattn_fsc_writer *writer, const fsattn_fsc_record *record, fsattn_err *err);
size_t fsattn_fsc_writer_count(const fsattn_fsc_writer *writer);
/* Appends the whole file to `out`: the same records give the same bytes, in whatever order they were added.
 * `secret_key` (nullable) signs. */
fsattn_status fsattn_fsc_writer_encode(const fsattn_fsc_writer *writer,
                                       const uint8_t secret_key[fsattn_fsc_secret_key_bytes], fsattn_text *out,
                                       fsattn_err *err);
/* What a cache file may be written over (fsattn_output_check). */
extern const fsattn_output_kind fsattn_fsc_output_kind;
/* Encodes and publishes (write, fsync, rename, fsync the folder), mode 0644. Whether what is there may be replaced, the caller has
 * asked. */
fsattn_status fsattn_fsc_writer_publish(const fsattn_fsc_writer *writer,
                                        const uint8_t secret_key[fsattn_fsc_secret_key_bytes], const char *path,
                                        fsattn_err *err);

/* A file of that record alone, as fsattn_fsc_writer_publish puts it in place; not signed. */
fsattn_status fsattn_fsc_publish_record(const fsattn_fsc_record *record, const char *path, fsattn_err *err);

/* ---- one record on its own ------------------------------------------------------------------ */

/* A record's bytes as in a file (blobs as hash and length only). The store keeps results in this form. */
fsattn_status fsattn_fsc_record_encode(const fsattn_fsc_record *record, fsattn_text *out, fsattn_err *err);
struct fsattn_arena;
/* Reads them back; strings point into `data`, arrays are allocated in `arena`, blobs have no data. Any bytes may be
 * given: FSATTN_CORRUPT when malformed. Unlike a file's record it may have no stages (a candidate that failed). */
fsattn_status fsattn_fsc_record_decode(const void *data, size_t bytes, struct fsattn_arena *arena,
                                       fsattn_fsc_record *record, fsattn_err *err);

#endif
