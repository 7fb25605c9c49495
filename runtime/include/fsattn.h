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

#ifdef __cplusplus
}
#endif
#endif
