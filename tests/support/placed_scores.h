/* placed_scores.h - operands whose scores a test dictates, in doublings, whatever format Q and K are quantized to.
 *
 * In the rotated space Q has 1 in one element of each 32-element block and a key has a number of two significant bits there, so
 * that each of the four products is exact in E2M1, E2M3 and E4M3 alike, and four of them make up a score of eight bits. V holds
 * powers of two, exact in every format with a block or tensor scale. Formats without rotation see the same dot products.
 */
#ifndef FSATTN_PLACED_SCORES_H
#define FSATTN_PLACED_SCORES_H

#include "compare.h"
#include "emulator.h"
#include "methods.h"
#include "mx.h"
#include "random.h"
#include "reference.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { placed_d = 128, placed_blocks = placed_d / fsattn_mx_block, placed_tile = 128 };

typedef struct placed {
    fsattn_problem problem;
    fsattn_operands operands;
    float *actual, *expected;
    size_t elements;
} placed;

/* One row of `d` elements from numbers in the rotated space, each a little larger: a power of two that rounding lowers would lose
 * half a binade in a format that takes its scale from the largest exponent. */
static inline void placed_row(float *row, const float rotated[placed_blocks]) {
    memset(row, 0, placed_d * sizeof *row);
    for (int b = 0; b < placed_blocks; b++) {
        row[b * fsattn_mx_block + 5 * b] = rotated[b] * 1.00001f;
    }
    fsattn_hadamard(row, placed_d);
    for (int e = 0; e < placed_d; e++) {
        row[e] *= (float)(1 / sqrt((double)placed_d));
    }
}

/* The largest number of two significant bits that is not above |x|, with x's sign; 0 below 2^-4. */
static inline float placed_part(float x) {
    int exponent;
    const float fraction = frexpf(fabsf(x), &exponent); /* 1/2 .. 1 */
    return fabsf(x) < 0x1p-4f ? 0 : copysignf(ldexpf(fraction >= 0.75f ? 0.75f : 0.5f, exponent), x);
}

/* Key j scores `doublings` above zero for a query of weight 1. */
static inline void placed_key(placed *t, int64_t j, float doublings) {
    float parts[placed_blocks];
    for (int b = 0; b < placed_blocks; b++) {
        parts[b] = placed_part(doublings);
        doublings -= parts[b];
    }
    placed_row(t->operands.memory + t->operands.q_elements + j * placed_d, parts);
}

/* Query i multiplies every score by `weight`, a power of two or 0. */
static inline void placed_query(placed *t, int64_t i, float weight) {
    placed_row(t->operands.memory + i * placed_d, (float[placed_blocks]){weight, weight, weight, weight});
}

static inline float *placed_value(placed *t, int64_t j) {
    return t->operands.memory + t->operands.q_elements + t->operands.kv_elements + j * placed_d;
}

/* Queries of weight 1; the first key scores 0, the others from -9 to -5 1/4. */
static inline placed placed_init(int64_t s_q, int64_t s_k, uint64_t seed) {
    placed t = {0};
    fsattn_problem_init(&t.problem);
    t.problem.s_q = s_q;
    t.problem.s_k = s_k;
    t.problem.head_dim = placed_d;
    t.problem.dtype_q = t.problem.dtype_kv = t.problem.dtype_o = FSATTN_F32;
    t.problem.scale = 0.69314718056f; /* ln 2: scores are doublings */
    t.elements = (size_t)(s_q * placed_d);
    cr_assert_eq(fsattn_operands_init(&t.operands, &t.problem, NULL), FSATTN_OK);
    t.actual = calloc(t.elements, sizeof *t.actual);
    t.expected = calloc(t.elements, sizeof *t.expected);
    for (int64_t i = 0; i < s_q; i++) {
        placed_query(&t, i, 1);
    }
    for (int64_t j = 0; j < s_k; j++) {
        placed_key(&t, j, j == 0 ? 0 : -5 - 0.25f * (float)(1 + fsattn_random_below(seed, 1, (uint64_t)j, 16)));
        for (int e = 0; e < placed_d; e++) {
            const uint64_t draw = fsattn_random_below(seed, 2, (uint64_t)(j * placed_d + e), 8);
            placed_value(&t, j)[e] = (draw & 4 ? -1.0f : 1.0f) * ldexpf(1, (int)(draw & 3) - 1);
        }
    }
    return t;
}

static inline void placed_fini(placed *t) {
    fsattn_operands_fini(&t->operands);
    free(t->actual);
    free(t->expected);
}

typedef struct placed_result {
    double error; /* relative, against float64 softmax of the same operands; infinite when one of them is not finite */
    int64_t rollbacks, missed;
    float lse_error; /* largest difference in doublings among rows with live keys */
} placed_result;

/* Emulates `method` (a name of methods.h, or NULL) with further switches; t->actual and t->expected hold the outputs. */
static inline placed_result placed_run(placed *t, const char *method, const char *switches, const fsattn_block_mask *blocks) {
    fsattn_emulator_config config;
    fsattn_emulator *emulator;
    fsattn_err err = {0};
    fsattn_emulator_config_init(&config);
    if (method) {
        const fsattn_method *known;
        cr_assert_eq(fsattn_method_find(method, &known, &err), FSATTN_OK, "%s", err.message);
        cr_assert_eq(fsattn_emulator_apply(&config, known->switches, &err), FSATTN_OK, "%s", err.message);
    }
    cr_assert_eq(fsattn_emulator_apply(&config, switches, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_emulator_create(&config, &t->problem, &t->operands.qkv, blocks, &emulator, &err), FSATTN_OK, "%s", err.message);
    const size_t rows = (size_t)t->problem.s_q;
    float *lse = calloc(2 * rows, sizeof *lse);
    fsattn_emulator_output output = {.o = t->actual, .lse = lse};
    cr_assert_eq(fsattn_emulator_run(emulator, (fsattn_rows){0}, &output, &err), FSATTN_OK, "%s", err.message);
    fsattn_emulator_destroy(emulator);
    cr_assert_eq(fsattn_reference_attention(&t->problem, &t->operands.qkv, blocks, (fsattn_rows){0}, t->expected, lse + rows, &err), FSATTN_OK);
    fsattn_comparison comparison = {0};
    fsattn_comparison_add(&comparison, t->actual, t->expected, t->elements);
    placed_result result = {fsattn_comparison_error(&comparison), output.rollbacks, output.missed, 0};
    for (size_t i = 0; i < rows; i++) {
        if (isnan(lse[rows + i])) {
            continue;
        }
        cr_assert_eq(isinf(lse[i]) != 0, isinf(lse[rows + i]) != 0, "row %zu: LSE %g", i, (double)lse[i]);
        if (!isinf(lse[i])) {
            result.lse_error = fmaxf(result.lse_error, fabsf(lse[i] - lse[rows + i]) * 1.442695f);
        }
    }
    free(lse);
    return result;
}

#endif
