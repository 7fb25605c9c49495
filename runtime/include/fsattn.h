/* fsattn.h - the public interface of libfsattn.
 *
 * Owns the words that everything else uses: statuses and errors, problems, accuracy, tensors.
 * Plain C, includes only the standard library's type headers.
 */
#ifndef FSATTN_H
#define FSATTN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define FSATTN_API __attribute__((visibility("default")))
#else
#define FSATTN_API
#endif

/* ---- statuses and errors ------------------------------------------------------------------ */

/* X(NAME, value, text, exit status of a command that ends with it) */
#define FSATTN_STATUS_LIST(X)                                                                                \
    X(OK, 0, "ok", 0)                                                                                        \
    X(INVALID, 1, "invalid argument", 2)                                                                     \
    X(USAGE, 2, "wrong command line", 2)                                                                     \
    X(PARSE, 3, "malformed input", 2)                                                                        \
    X(NOT_FOUND, 4, "not found", 3)                                                                          \
    X(UNSUPPORTED, 5, "not supported", 3)                                                                    \
    X(NO_MEMORY, 6, "out of memory", 4)                                                                      \
    X(IO, 7, "input or output failed", 4)                                                                    \
    X(UNTRUSTED, 8, "not trusted", 5)                                                                        \
    X(CORRUPT, 9, "damaged data", 5)                                                                         \
    X(VERSION, 10, "incompatible version", 5)                                                                \
    X(BUSY, 11, "busy", 6)                                                                                   \
    X(DEVICE, 12, "device failed", 7)                                                                        \
    X(COMPILE, 13, "compilation failed", 7)                                                                  \
    X(MISMATCH, 14, "results differ", 8)                                                                     \
    X(INTERRUPTED, 15, "interrupted", 130)                                                                   \
    X(INTERNAL, 16, "internal error", 70)

typedef enum fsattn_status {
#define X(name, value, text, exit_status) FSATTN_##name = value,
    FSATTN_STATUS_LIST(X)
#undef X
} fsattn_status;

/* Detail of one failure, owned by the caller, optional everywhere (pass NULL). `message` is one
 * phrase without a final full stop, opening with the place (file:line:column or an object's name);
 * `hint` says what to do about it and may be empty. Written only when a call fails. */
typedef struct fsattn_err {
    fsattn_status code;
    char message[1024];
    char hint[512];
} fsattn_err;

/* Short text of a status ("damaged data"); never NULL, also for a value outside the list. */
FSATTN_API const char *fsattn_status_text(fsattn_status status);
/* Symbolic name of a status ("CORRUPT"). */
FSATTN_API const char *fsattn_status_name(fsattn_status status);

/* ---- problems ------------------------------------------------------------------------------ */

/* X(NAME, text, bits per element) */
#define FSATTN_DTYPE_LIST(X)                                                                                 \
    X(F32, "f32", 32)                                                                                        \
    X(BF16, "bf16", 16)                                                                                      \
    X(F16, "f16", 16)
typedef enum fsattn_dtype {
#define X(name, text, bits) FSATTN_##name,
    FSATTN_DTYPE_LIST(X)
#undef X
} fsattn_dtype;

/* X(NAME, text): order of the dimensions in memory, outermost first; head_dim is always contiguous. */
#define FSATTN_LAYOUT_LIST(X)                                                                                \
    X(BSHD, "bshd")                                                                                          \
    X(BHSD, "bhsd")
typedef enum fsattn_layout {
#define X(name, text) FSATTN_##name,
    FSATTN_LAYOUT_LIST(X)
#undef X
} fsattn_layout;

/* X(NAME, text): CAUSAL is bottom-right aligned: query i sees keys 0 .. i + s_k - s_q. */
#define FSATTN_MASK_LIST(X)                                                                                  \
    X(MASK_NONE, "none")                                                                                     \
    X(MASK_CAUSAL, "causal")
typedef enum fsattn_mask {
#define X(name, text) FSATTN_##name,
    FSATTN_MASK_LIST(X)
#undef X
} fsattn_mask;

/* One attention problem. Set `size` to sizeof(fsattn_problem) (fsattn_problem_init does). */
typedef struct fsattn_problem {
    size_t size;
    int64_t batch;    /* >= 1 */
    int64_t heads_q;  /* a multiple of heads_kv */
    int64_t heads_kv; /* >= 1; fewer than heads_q is GQA, 1 is MQA */
    int64_t s_q;      /* query rows, >= 1 */
    int64_t s_k;      /* keys, >= 1 */
    int64_t head_dim;
    fsattn_dtype dtype_q;  /* of Q */
    fsattn_dtype dtype_kv; /* of K and V */
    fsattn_dtype dtype_o;  /* of the output */
    fsattn_layout layout;  /* of Q, K, V and O */
    fsattn_mask mask;
    bool lse;    /* log-sum-exp wanted: float32 [batch, heads_q, s_q], natural logarithm */
    float scale; /* of Q K^T before the softmax; 0 means 1/sqrt(head_dim) */
} fsattn_problem;

/* Fills in the defaults: one batch, one head, s = 1, head_dim 128, float32, BSHD, no mask. */
FSATTN_API void fsattn_problem_init(fsattn_problem *problem);
/* FSATTN_INVALID with the offending field named when a field is out of range. Any thread. */
FSATTN_API fsattn_status fsattn_problem_check(const fsattn_problem *problem, fsattn_err *err);

enum { fsattn_problem_text_bytes = 256 };
/* "attention_fwd b=1 hq=12 hkv=12 sq=512 sk=512 d=64 q=f32 kv=f32 o=f32 layout=bshd mask=none lse=0 scale=default":
 * canonical, so that equal problems have equal texts. A scale equal to 1/sqrt(d) in float32 is written as default. */
FSATTN_API void fsattn_problem_text(const fsattn_problem *problem, char text[fsattn_problem_text_bytes]);
/* Reads that text back; fields may be missing (default) or in any order. FSATTN_PARSE names the field. */
FSATTN_API fsattn_status fsattn_problem_parse(const char *text, fsattn_problem *problem, fsattn_err *err);

/* ---- contexts ------------------------------------------------------------------------------ */

/* X(NAME, text): where a time comes from. Modelled times never compete with measured ones. */
#define FSATTN_PROVENANCE_LIST(X)                                                                            \
    X(MEASURED, "measured")                                                                                  \
    X(MODELLED, "modelled")
typedef enum fsattn_provenance {
#define X(name, text) FSATTN_##name,
    FSATTN_PROVENANCE_LIST(X)
#undef X
} fsattn_provenance;

/* A device with the cache files it serves from. Any thread, several at once; close when nothing of it is in use. */
typedef struct fsattn_context fsattn_context;

/* Told about everything that is skipped and not returned as an error: a damaged record, a cache that is not used.
 * Called from fsattn_open and fsattn_cache_add in their thread, and with FSATTN_MISS_COMPILE from a thread of the context's own;
 * `err` lives for the call. */
typedef void fsattn_warn(void *data, const fsattn_err *err);

/* What a cache file must have before code is loaded from it. */
typedef enum fsattn_trust {
    FSATTN_TRUST_OWNER,  /* it, its folder and all parents belong to the user or root and nobody else may write them */
    FSATTN_TRUST_SIGNED, /* a valid signature of one of `signers` over the whole file, whoever may write it */
    FSATTN_TRUST_OWNER_AND_SIGNED, /* both */
} fsattn_trust;

/* What happens when nothing tuned serves a problem. Either way the call takes the nearest plan or a default. */
typedef enum fsattn_on_miss {
    FSATTN_MISS_NEAREST, /* that is all */
    FSATTN_MISS_COMPILE, /* and in the background, by a process that `compiler` starts, a tuned kernel for another processor is
                            compiled anew from the source in its cache file; where there is none or that fails, the problem is
                            tuned by a process that `tuner` starts. What they publish serves from the next
                            fsattn_plan_find on, and in later contexts with the same folder */
} fsattn_on_miss;

/* Set `size` to sizeof(fsattn_options) and leave the rest zero for the defaults (fsattn_options_init does). */
typedef struct fsattn_options {
    size_t size;
    const char *device;          /* "host" (also NULL), "hip", or "sim" with `library` */
    const char *library;         /* hip and sim: the libamdhip64 to load; NULL: from the loader's path */
    int ordinal;                 /* hip: which GPU */
    int threads;                 /* host: threads of a run, the caller's included; 0: all cores usable by the process */
    const char *const *caches;   /* cache files (.fsc), the first has the highest priority */
    size_t cache_count;
    bool skip_bad_caches;        /* a cache file that cannot be used is told to `warn` and skipped; false: open fails */
    fsattn_trust trust;
    fsattn_warn *warn;           /* or NULL */
    void *warn_data;
    const char *const *signers;  /* public keys, 64 hexadecimal digits each, as in NAME.pub of fsattn-cache key; given
                                    exactly when `trust` demands a signature */
    size_t signer_count;
    const char *miss_log;        /* file to which each problem that nothing tuned serves is appended, once for a context, one
                                    text a line, for fsattn-tune --from-misses; NULL: none */
    fsattn_on_miss on_miss;
    const char *const *tuner;    /* FSATTN_MISS_COMPILE: the command, NULL-terminated, such as {"fsattn-tune", "host.yaml",
                                    "--budget", "60", NULL}; --from-misses, --store and --cache are appended. Copied */
    const char *compiled_folder; /* FSATTN_MISS_COMPILE: where results are published; NULL: fsattn/compiled in the user's data
                                    folder. What lies there already is added below `caches` */
    const char *const *compiler; /* FSATTN_MISS_COMPILE: the command, NULL-terminated, such as {"fsattn-rebuild", NULL} or
                                    {"fsattn-rebuild", "--device", "hip", NULL}; a cache file of one record and --cache are
                                    appended. Copied. At least one of this and `tuner` is given */
    bool shipped_caches;         /* below all others, the .fsc files that are installed with the library, in share/fsattn. One that cannot be
                                    used is told to `warn` and skipped; no such folder is no mistake */
} fsattn_options;

FSATTN_API void fsattn_options_init(fsattn_options *options);
/* `options` may be NULL: the host with all its cores and no caches. */
FSATTN_API fsattn_status fsattn_open(const fsattn_options *options, fsattn_context **context, fsattn_err *err);
/* Accepts NULL. Plans of the context and strings from it become invalid. */
FSATTN_API void fsattn_close(fsattn_context *context);

/* Adds a cache file below those already there. FSATTN_UNTRUSTED, FSATTN_CORRUPT, FSATTN_VERSION, FSATTN_NOT_FOUND with
 * the reason; the context is as it was then. Damaged records of a sound file are told to `warn` and skipped. Plans
 * chosen before stay valid; the next fsattn_plan_find sees the new file. */
FSATTN_API fsattn_status fsattn_cache_add(fsattn_context *context, const char *path, fsattn_err *err);

/* What became of problems that nothing tuned served. Set `size`. */
typedef struct fsattn_miss_info {
    size_t size;
    uint64_t noted;    /* different problems; after 4096 no more are noted */
    uint64_t queued;   /* of these, given to the compiler or the tuner */
    uint64_t compiled; /* of these, published and added, by this context or meanwhile by another process */
    uint64_t failed;   /* of these, not; `warn` was told why, and they are not tried again by this context */
} fsattn_miss_info;
FSATTN_API fsattn_status fsattn_miss_info_get(const fsattn_context *context, fsattn_miss_info *info, fsattn_err *err);

/* Problem number `index` (0, 1, ...) that has a tuned plan for this device, in order of its text; FSATTN_NOT_FOUND past
 * the last one. */
FSATTN_API fsattn_status fsattn_problem_at(const fsattn_context *context, size_t index, fsattn_problem *problem,
                                           fsattn_err *err);

/* ---- plans --------------------------------------------------------------------------------- */

/* X(NAME, text): why this plan. */
#define FSATTN_PLAN_LIST(X)                                                                                  \
    X(PLAN_TUNED, "tuned")     /* for exactly this problem */                                                \
    X(PLAN_NEAREST, "nearest") /* for another size of it, the nearest one tuned */                           \
    X(PLAN_DEFAULT, "default") /* the template's fixed default configuration, not tuned */                   \
    X(PLAN_INTERVAL, "interval") /* for an interval of sizes, between shapes that were measured, at a known price */
typedef enum fsattn_plan_source {
#define X(name, text) FSATTN_##name,
    FSATTN_PLAN_LIST(X)
#undef X
} fsattn_plan_source;
FSATTN_API const char *fsattn_plan_source_text(fsattn_plan_source source);

/* X(NAME, text, maximum relative error): accuracy by the name of a number format, "as good as attention in it". MX formats: the
 * paper's Algorithm 1 with all of Q, K, P and V in them and the coarsest exponential (fsattn-numerics table4: 0.0596, 0.0672 and
 * 0.2083 against float64), with a margin of 5% for other shapes and the few rows that a tuner looks at. bf16: operands and output
 * rounded to it (0.002) and half as much again for everything else. f32: nothing but float32 rounding and an exponential to match. */
#define FSATTN_GRADE_LIST(X)                                                                                \
    X(ANY, "any", 0)                                                                                         \
    X(F32, "f32", 1e-5)                                                                                      \
    X(BF16, "bf16", 0.003)                                                                                   \
    X(MXFP8, "mxfp8", 0.0626)                                                                                \
    X(MXFP6, "mxfp6", 0.0706)                                                                                \
    X(MXFP4, "mxfp4", 0.2187)
typedef enum fsattn_grade {
#define X(name, text, maximum_relative_error) FSATTN_GRADE_##name,
    FSATTN_GRADE_LIST(X)
#undef X
} fsattn_grade;
FSATTN_API const char *fsattn_grade_text(fsattn_grade grade);

/* What the output must be like, compared with float64 attention on normally distributed inputs as the tuner measured
 * it, the worst of several small problems and the tuned one. Zero in a field: no demand. NULL instead of the struct: what the record was tuned for, the fastest of those. */
typedef struct fsattn_accuracy {
    size_t size;
    double maximum_error;          /* largest absolute difference */
    double maximum_relative_error; /* of the norms: |o - reference| / |reference| */
    double minimum_cosine;         /* of output and reference as vectors */
    fsattn_grade grade;            /* at least as accurate as this; whatever format the kernel itself computes in */
} fsattn_accuracy;

/* A chosen kernel (or chain of kernels) for one problem: caller's storage, plain copyable data, nothing to release,
 * valid until the context is closed. Read it through fsattn_plan_info_get. */
typedef struct fsattn_plan {
    const struct fsattn_entry *entry;
    fsattn_problem problem;
    fsattn_plan_source source;
    double distance;
    uint64_t reserved[4];
} fsattn_plan;

/* Chooses a plan: an exactly tuned one; else one whose interval has the sizes (fsattn-tune measures where along one size which kernel wins,
 * and what it costs at most where it does not); else the one tuned for the nearest sizes that is valid for this problem
 * (distance: sum of the squared differences of log2 of s_q, s_k and batch * heads_q; equal element types, head_dim,
 * layout, mask, log-sum-exp; scale and GQA ratio may differ only when the kernel takes them at run time); else the
 * default of a kernel family; else FSATTN_NOT_FOUND. Of several for the same problem that are accurate enough: measured before
 * modelled, then those timed on a device like this one before others (times of different machines do not compare), then the
 * fastest, then the cache of higher priority. Takes no lock and allocates nothing, except when a miss is noted for the first time
 * (options.miss_log, options.on_miss). An exact plan costs the same however many problems are tuned, a nearest one time in
 * proportion to those that differ in sizes alone. */
FSATTN_API fsattn_status fsattn_plan_find(const fsattn_context *context, const fsattn_problem *problem,
                                          const fsattn_accuracy *wanted, fsattn_plan *plan, fsattn_err *err);
/* As fsattn_plan_find for the first of `count` problems that has a plan: for callers to whom they are the same work, as strided tensors are in
 * either layout. No more than one miss is noted: none when the plan is tuned, else the first problem for which there is a kernel
 * that options.compiler can compile anew, else the first of all. An error is what fsattn_plan_find says of the first. */
FSATTN_API fsattn_status fsattn_plan_find_first(const fsattn_context *context, const fsattn_problem *const *problems, size_t count,
                                                const fsattn_accuracy *wanted, fsattn_plan *plan, fsattn_err *err);

/* Accuracy by step, for models that are evaluated many times over (diffusion): one demand for the first and last steps, where
 * errors grow, another between them. The demands are borrowed; NULL: what was tuned, the fastest of those. Set `size`. */
typedef struct fsattn_schedule {
    size_t size;
    int64_t steps;       /* of the whole run, >= 1 */
    int64_t first, last; /* so many steps at each end; together they may be more than there are */
    const fsattn_accuracy *ends, *middle;
} fsattn_schedule;
/* The demand of step 0 .. steps - 1: `override` when it is not NULL, else the schedule's. FSATTN_INVALID for another step. */
FSATTN_API fsattn_status fsattn_schedule_at(const fsattn_schedule *schedule, int64_t step,
                                            const fsattn_accuracy *override, const fsattn_accuracy **wanted,
                                            fsattn_err *err);
/* fsattn_plan_find with that demand. No lock, no allocation either. */
FSATTN_API fsattn_status fsattn_plan_find_step(const fsattn_context *context, const fsattn_problem *problem,
                                               const fsattn_schedule *schedule, int64_t step,
                                               const fsattn_accuracy *override, fsattn_plan *plan, fsattn_err *err);

/* Loads what the plan needs. Once is enough for all plans with the same kernel. */
FSATTN_API fsattn_status fsattn_prepare(fsattn_context *context, const fsattn_plan *plan, fsattn_err *err);

/* One operand: strides count elements, head_dim is contiguous. All strides zero: dense in the problem's layout. Some zero: K
 * or V shared along that dimension (inputs only). */
typedef struct fsattn_tensor {
    void *data;
    int64_t stride_b, stride_h, stride_s;
} fsattn_tensor;

/* Operands of one run. Set `size` to sizeof(fsattn_arguments), leave what is not used zero. */
typedef struct fsattn_arguments {
    size_t size;
    fsattn_tensor q;  /* [batch, heads_q, s_q, head_dim] in the problem's layout; read only */
    fsattn_tensor k;  /* [batch, heads_kv, s_k, head_dim]; read only */
    fsattn_tensor v;  /* as k; read only */
    fsattn_tensor o;  /* as q; its rows are apart, and from its first to its last element no other operand lies */
    float *lse;       /* [batch, heads_q, s_q], natural logarithm; required exactly when the problem has lse */
    void *stream;     /* hipStream_t; ignored on host, where the result is there when the call returns */
    void *workspace;  /* memory of the device's of at least the plan's workspace_bytes; NULL: the context's own, one for each
                         stream, for which the call takes a lock, and when it must grow waits for the stream and allocates.
                         host: unused, the threads of the context have theirs */
    size_t workspace_bytes;
} fsattn_arguments;

/* Attention forward. Prepares the plan when that has not been done. host: works with the context's threads and the
 * calling one, returns when done; several threads may run at once, also the same plan. Allocates nothing when warm. GPU: of a
 * prepared plan and with a workspace it launches kernels on the stream and nothing else: no other call of HIP but
 * hipGetDevice (and hipSetDevice, when the thread's GPU is another), no allocation, no lock, so that it can be captured in a graph. */
FSATTN_API fsattn_status fsattn_run(fsattn_context *context, const fsattn_plan *plan,
                                    const fsattn_arguments *arguments, fsattn_err *err);

/* K and V prepared once, for any number of runs with other queries. Set `size`, `memory` and `bytes`; fsattn_pack sets the
 * rest, which belongs to the library. Plain copyable data. */
typedef struct fsattn_packed {
    size_t size;
    void *memory; /* the device's, of at least the plan's packed_bytes, aligned to 256; NULL when that is 0 */
    size_t bytes;
    fsattn_problem problem; /* whose batch, heads_kv, s_k, head_dim and dtype_kv this holds */
    fsattn_tensor k, v;     /* as given; read by every run of a plan that packs nothing, so they stay until then */
    char layout[96];        /* the order in which they lie; "plain": as they were */
    uint64_t reserved[4];
} fsattn_packed;

/* Quantizes K and V (of `arguments` k, v and stream count, the rest is not looked at) into packed->memory on the stream.
 * Prepares the plan when that has not been done. */
FSATTN_API fsattn_status fsattn_pack(fsattn_context *context, const fsattn_plan *plan,
                                     const fsattn_arguments *arguments, fsattn_packed *packed, fsattn_err *err);
/* fsattn_run with packed K and V; k and v of `arguments` are zero. The plan may be another than the one they were packed with:
 * FSATTN_INVALID names both layouts when it needs another, and the field when it is for other keys. The work goes behind
 * fsattn_pack's: the same stream, or one that waits for it. */
FSATTN_API fsattn_status fsattn_run_packed(fsattn_context *context, const fsattn_plan *plan,
                                           const fsattn_packed *packed, const fsattn_arguments *arguments,
                                           fsattn_err *err);

/* Set `size` before the call: only fields inside it are written. Strings live until the context is closed. */
typedef struct fsattn_plan_info {
    size_t size;
    fsattn_plan_source source;
    double distance;              /* 0 unless source is nearest or interval */
    fsattn_provenance provenance; /* of the time */
    double time_ns;               /* median of the tuned problem; 0 when never timed */
    double time_spread_ns;        /* interquartile range of its samples */
    double maximum_error;         /* as in fsattn_accuracy */
    double relative_error;
    double cosine;
    const char *template_name;    /* "attention_host" */
    const char *configuration;    /* "name=value ..." */
    const char *isa;              /* that the code needs */
    const char *cache;            /* path of the file it comes from */
    const char *tuned_problem;    /* text of the problem it was tuned for */
    size_t workspace_bytes;       /* that a run of this plan needs */
    bool prepared;
    size_t packed_bytes;          /* of fsattn_packed.memory for this plan; 0: it reads K and V as they are */
    double interval_regret;       /* source interval: the most that the kernel was slower than the best at a measured shape of the interval, a share */
    double interval_beyond;       /* the same at the next measured shapes outside, which bounds what lies between; 0: there are none */
} fsattn_plan_info;
FSATTN_API fsattn_status fsattn_plan_info_get(const fsattn_context *context, const fsattn_plan *plan,
                                              fsattn_plan_info *info, fsattn_err *err);

/* Says in words which plan fsattn_plan_find chooses and why, what was passed over for which reason, and which cache files the
 * context does not use. Writes at most
 * `bytes` bytes with the final NUL; *needed (nullable) is the length of the whole text without it. */
FSATTN_API fsattn_status fsattn_explain(const fsattn_context *context, const fsattn_problem *problem,
                                        const fsattn_accuracy *wanted, char *text, size_t bytes, size_t *needed,
                                        fsattn_err *err);

#ifdef __cplusplus
}
#endif
#endif
