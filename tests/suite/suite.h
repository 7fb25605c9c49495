/* suite.h - the runtime's behaviour as one suite that every back end runs: suite DEVICE (host, sim or hip).
 *
 * Cases are rows of the tables in suite_run.c and suite_serve.c; they know the device by what a caller of
 * fsattn.h knows of it. Kernels are those of the families attention_host and attention_gfx950, rendered and
 * compiled at the start into one cache file (suite_cache.c).
 */
#ifndef FSATTN_SUITE_H
#define FSATTN_SUITE_H

#include "context.h"
#include "fsc.h"
#include "tensor.h"

typedef struct suite {
    const char *name;      /* of the device */
    char *library;         /* libamdhip64, or NULL */
    fsattn_device *device; /* for memory, copies and streams */
    bool host;
    char folder[64], cache[128];
    const struct suite_case *running;
    int failures;
} suite;

typedef struct suite_case {
    const char *name;
    void (*run)(suite *s);
    const char *without; /* what the host has none of; NULL: the case runs everywhere */
} suite_case;

extern const suite_case suite_run_cases[], suite_serve_cases[]; /* end with a name NULL */

void suite_fail(suite *s, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* Says what does not hold and counts it. */
#define CHECK(condition, ...)                                                                                \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            suite_fail(s, __FILE__, __LINE__, __VA_ARGS__);                                                  \
        }                                                                                                    \
    } while (0)
/* Nothing after it would mean anything. */
#define REQUIRE(condition, ...)                                                                              \
    do {                                                                                                     \
        if (!(condition)) {                                                                                  \
            suite_fail(s, __FILE__, __LINE__, __VA_ARGS__);                                                  \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

/* ---- the cache file (suite_cache.c) ---- */

/* What it has kernels for, each tuned for SUITE_SIZES. PLAIN and WITH_LSE have two: a fast one that is less
 * accurate, and a fine one. */
#define SUITE_SIZES "hq=4 hkv=2 sq=100 sk=131 "
#define SUITE_PLAIN "d=128 q=bf16 kv=bf16 o=bf16"
#define SUITE_WITH_LSE SUITE_PLAIN " lse=1"
#define SUITE_CAUSAL SUITE_PLAIN " mask=causal lse=1"
#define SUITE_NARROW "d=64 q=f32 kv=f32 o=bf16 layout=bhsd mask=causal"

/* False with the reason in `err` where there is no compiler for the device. */
bool suite_cache_make(suite *s, fsattn_err *err);
/* The most that the fine kernels are off by, relative to float64 attention. */
double suite_fine_error(const suite *s);

/* ---- contexts, plans ---- */

/* Of the suite's cache file; `options` as fsattn_options_init left it and changed since, or NULL. */
fsattn_context *suite_open(suite *s, const fsattn_options *options);
fsattn_problem suite_problem(suite *s, const char *text);
fsattn_plan suite_plan(suite *s, fsattn_context *context, const char *text, const fsattn_accuracy *wanted);
fsattn_plan_info suite_info(suite *s, fsattn_context *context, const fsattn_plan *plan);

/* ---- operands in the device's memory (suite_operands.c) ---- */

enum { suite_q, suite_k, suite_v, suite_o, suite_lse, suite_operand_count };
typedef struct suite_operands {
    fsattn_problem problem;
    fsattn_operands values; /* of Q, K and V, as the problem's types can hold them */
    void *memory[suite_operand_count];
    size_t bytes[suite_operand_count];
    void *workspace;
    size_t workspace_bytes;
} suite_operands;

void *suite_allocate(suite *s, size_t bytes);
void suite_put(suite *s, void *to, const void *from, size_t bytes);
void suite_get(suite *s, void *to, const void *from, size_t bytes);

/* Normally distributed, the outputs full of NaN; dense. With workspace for `info` when it is not NULL. */
suite_operands suite_operands_make(suite *s, const fsattn_problem *problem, uint64_t seed,
                                   const fsattn_plan_info *info);
void suite_operands_free(suite *s, suite_operands *t);
fsattn_arguments suite_arguments(const suite_operands *t);
void suite_clear(suite *s, suite_operands *t);
/* How far the output is from float64 attention when the stream is done, relative; infinite where something
 * was not written. *lse_apart (nullable): the largest difference of a log-sum-exp. */
double suite_error(suite *s, const suite_operands *t, fsattn_stream stream, double *lse_apart);
/* CHECKs that what was computed is as close as the plan's record promises. */
void suite_check(suite *s, const suite_operands *t, fsattn_stream stream, const fsattn_plan_info *info,
                 const char *what);

#endif
