/* Operands in the device's memory, and what must come out. */
#include "suite.h"

#include "compare.h"
#include "inputs.h"
#include "memory.h"
#include "reference.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void *suite_allocate(suite *s, size_t bytes) {
    void *memory = NULL;
    fsattn_err err = {0};
    REQUIRE(fsattn_device_allocate(s->device, bytes, &memory, &err) == FSATTN_OK, "%s", err.message);
    return memory;
}

static void copy(suite *s, void *to, const void *from, size_t bytes) {
    fsattn_err err = {0};
    REQUIRE(fsattn_device_copy(s->device, to, from, bytes, NULL, &err) == FSATTN_OK, "%s", err.message);
    REQUIRE(fsattn_stream_synchronize(s->device, NULL, &err) == FSATTN_OK, "%s", err.message);
}

void suite_put(suite *s, void *to, const void *from, size_t bytes) {
    copy(s, to, from, bytes);
}
void suite_get(suite *s, void *to, const void *from, size_t bytes) {
    copy(s, to, from, bytes);
}

suite_operands suite_operands_make(suite *s, const fsattn_problem *problem, uint64_t seed,
                                   const fsattn_plan_info *info) {
    suite_operands t = {.problem = *problem};
    const fsattn_dtype dtypes[suite_operand_count] = {problem->dtype_q, problem->dtype_kv, problem->dtype_kv,
                                                      problem->dtype_o, FSATTN_F32};
    REQUIRE(fsattn_operands_init(&t.values, problem, NULL) == FSATTN_OK, "no memory");
    fsattn_inputs_fill(FSATTN_DISTRIBUTION_NORMAL, seed, problem, &t.values);
    const size_t q = t.values.q_elements, kv = t.values.kv_elements,
                 lse = problem->lse ? (size_t)fsattn_problem_rows(problem) : 0;
    const size_t elements[suite_operand_count] = {q, kv, kv, q, lse};
    const float *from[suite_operand_count] = {t.values.memory, t.values.memory + q, t.values.memory + q + kv,
                                              NULL, NULL};
    for (int i = 0; i < suite_operand_count; i++) {
        t.bytes[i] = elements[i] * fsattn_dtype_bytes(dtypes[i]);
        t.memory[i] = t.bytes[i] ? suite_allocate(s, t.bytes[i]) : NULL;
        if (from[i]) {
            void *stored = fsattn_alloc(t.bytes[i], 1);
            REQUIRE(stored, "no memory");
            fsattn_elements_write(dtypes[i], from[i], elements[i], stored);
            suite_put(s, t.memory[i], stored, t.bytes[i]);
            fsattn_free(stored);
        }
    }
    suite_clear(s, &t);
    if (info && info->workspace_bytes) {
        t.workspace_bytes = info->workspace_bytes;
        t.workspace = suite_allocate(s, t.workspace_bytes);
    }
    return t;
}

void suite_operands_free(suite *s, suite_operands *t) {
    for (int i = 0; i < suite_operand_count; i++) {
        fsattn_device_release(s->device, t->memory[i]);
    }
    fsattn_device_release(s->device, t->workspace);
    fsattn_operands_fini(&t->values);
}

fsattn_arguments suite_arguments(const suite_operands *t) {
    return (fsattn_arguments){.size = sizeof(fsattn_arguments),
                              .q.data = t->memory[suite_q],
                              .k.data = t->memory[suite_k],
                              .v.data = t->memory[suite_v],
                              .o.data = t->memory[suite_o],
                              .lse = t->memory[suite_lse],
                              .workspace = t->workspace,
                              .workspace_bytes = t->workspace_bytes};
}

void suite_clear(suite *s, suite_operands *t) {
    for (int i = suite_o; i < suite_operand_count; i++) {
        void *none = fsattn_alloc(t->bytes[i], 1);
        REQUIRE(none, "no memory");
        memset(none, 0xff, t->bytes[i]);
        if (t->bytes[i]) {
            suite_put(s, t->memory[i], none, t->bytes[i]);
        }
        fsattn_free(none);
    }
}

/* The rows of the reference lie heads outermost, those of the output as the problem says. */
static void compare(const suite_operands *t, const void *stored, const float *expected,
                    fsattn_comparison *comparison) {
    const fsattn_problem *p = &t->problem;
    const fsattn_strides strides = fsattn_strides_dense(p->layout, p->heads_q, p->s_q, p->head_dim);
    const size_t d = (size_t)p->head_dim, width = fsattn_dtype_bytes(p->dtype_o);
    float row[256];
    for (int64_t r = 0; r < fsattn_problem_rows(p); r++) {
        const int64_t at = r / (p->s_q * p->heads_q) * strides.b + r / p->s_q % p->heads_q * strides.h +
                           r % p->s_q * strides.s;
        fsattn_elements_read(p->dtype_o, (const char *)stored + (size_t)at * width, d, row);
        fsattn_comparison_add(comparison, row, expected + (size_t)r * d, d);
    }
}

double suite_error(suite *s, const suite_operands *t, fsattn_stream stream, double *lse_apart) {
    const size_t rows = (size_t)fsattn_problem_rows(&t->problem);
    float *expected = fsattn_alloc(rows * (size_t)t->problem.head_dim, sizeof *expected),
          *lse = fsattn_alloc(rows, sizeof *lse);
    float *stored_lse = fsattn_alloc(rows, sizeof *stored_lse);
    void *stored = fsattn_alloc(t->bytes[suite_o], 1);
    fsattn_comparison comparison = {0};
    fsattn_err err = {0};
    double apart = 0;
    REQUIRE(expected && lse && stored && stored_lse, "no memory");
    REQUIRE(fsattn_stream_synchronize(s->device, stream, &err) == FSATTN_OK, "%s", err.message);
    suite_get(s, stored, t->memory[suite_o], t->bytes[suite_o]);
    REQUIRE(fsattn_reference_attention(&t->problem, &t->values.qkv, NULL, (fsattn_rows){NULL, rows}, expected,
                                       lse, NULL) == FSATTN_OK,
            "no memory");
    compare(t, stored, expected, &comparison);
    if (t->problem.lse) {
        suite_get(s, stored_lse, t->memory[suite_lse], t->bytes[suite_lse]);
    }
    for (size_t r = 0; r < rows && t->problem.lse; r++) {
        const double one = stored_lse[r] == lse[r]
                               ? 0
                               : fabs((double)stored_lse[r] - (double)lse[r]); /* equal infinities: no key */
        apart = one <= apart ? apart : one == one ? one : INFINITY;
    }
    fsattn_free(expected);
    fsattn_free(lse);
    fsattn_free(stored);
    fsattn_free(stored_lse);
    if (lse_apart) {
        *lse_apart = apart;
    }
    return fsattn_comparison_error(&comparison);
}

void suite_check(suite *s, const suite_operands *t, fsattn_stream stream, const fsattn_plan_info *info,
                 const char *what) {
    double lse_apart;
    const double error = suite_error(s, t, stream, &lse_apart);
    CHECK(error <= info->relative_error, "%s: relative error %.3g, %.3g was promised", what, error,
          info->relative_error);
    const double allowed = 3 * info->relative_error; /* of a few keys, whose errors no sum evens out */
    CHECK(lse_apart <= allowed, "%s: a log-sum-exp is off by %.3g, %.3g is allowed", what, lse_apart, allowed);
}
