/* The loops over lanes against the definition of their model, one sum at a time. */
#include "gemm.h"
#include "random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { rows = 16, keys = 37, head_dim = 21, stride = 24 };

typedef struct operands {
    float q[head_dim * rows], k[keys * stride], p[keys * rows], v[keys * stride], seed[rows];
} operands;

static void fill(operands *t) {
    float *all = (float *)t;
    for (size_t i = 0; i < sizeof *t / sizeof(float); i++) {
        all[i] = (float)fsattn_random_normal(3, 0, i);
    }
}

static float expected(fsattn_accumulation model, float start, const float *x, int64_t x_stride, const float *y, int64_t y_stride,
                      int count) {
    double sum = 0;
    float chain = start;
    for (int i = 0; i < count; i++) {
        sum += (double)x[i * x_stride] * (double)y[i * y_stride];
        chain = fmaf(x[i * x_stride], y[i * y_stride], chain);
    }
    return model == FSATTN_ACCUMULATION_EXACT ? (float)((double)start + sum) : chain;
}

Test(gemm, lanes_agree_with_single_sums_bit_for_bit) {
    static operands t;
    static float s[keys * rows], o[head_dim * rows];
    fill(&t);
    for (int model = FSATTN_ACCUMULATION_EXACT; model <= FSATTN_ACCUMULATION_SEQUENTIAL; model++) {
        const fsattn_accumulation m = (fsattn_accumulation)model;
        fsattn_gemm_scores(m, t.q, rows, t.k, stride, keys, head_dim, t.seed, s);
        memcpy(o, t.q, sizeof o);
        fsattn_gemm_values(m, t.p, rows, t.v, stride, keys, head_dim, NULL, o);
        for (int r = 0; r < rows; r++) {
            for (int j = 0; j < keys; j++) {
                cr_assert_eq(s[j * rows + r], expected(m, t.seed[r], t.q + r, rows, t.k + j * stride, 1, head_dim));
            }
            for (int e = 0; e < head_dim; e++) {
                cr_assert_eq(o[e * rows + r], expected(m, t.q[e * rows + r], t.p + r, rows, t.v + e, stride, keys));
            }
        }
    }
}

Test(gemm, models_lie_within_roundings_of_the_exact_sum) {
    static operands t;
    static float exact[keys * rows], s[keys * rows];
    fill(&t);
    fsattn_gemm_scores(FSATTN_ACCUMULATION_EXACT, t.q, rows, t.k, stride, keys, head_dim, t.seed, exact);
    for (int model = FSATTN_ACCUMULATION_SEQUENTIAL; model < fsattn_accumulation_count; model++) {
        int differing = 0;
        fsattn_gemm_scores((fsattn_accumulation)model, t.q, rows, t.k, stride, keys, head_dim, t.seed, s);
        for (int i = 0; i < keys * rows; i++) {
            const float bound = model == FSATTN_ACCUMULATION_COARSE ? 0x1p-16f * fabsf(exact[i]) : 2e-5f;
            cr_assert_float_eq(s[i], exact[i], bound, "model %d: %g, exact %g", model, (double)s[i], (double)exact[i]);
            differing += s[i] != exact[i];
        }
        cr_assert_gt(differing, 0, "model %d is the exact one", model);
    }
}

Test(gemm, a_masked_key_is_left_out_whatever_v_holds) {
    static operands t;
    static float o[head_dim * rows], without[head_dim * rows];
    static uint8_t dead[keys * rows];
    fill(&t);
    for (int r = 0; r < rows; r++) {
        dead[5 * rows + r] = 1;
    }
    for (int model = 0; model < fsattn_accumulation_count; model++) {
        memset(o, 0, sizeof o);
        memset(without, 0, sizeof without);
        t.v[5 * stride + 2] = NAN;
        fsattn_gemm_values((fsattn_accumulation)model, t.p, rows, t.v, stride, keys, head_dim, dead, o);
        t.v[5 * stride + 2] = 1000;
        fsattn_gemm_values((fsattn_accumulation)model, t.p, rows, t.v, stride, keys, head_dim, dead, without);
        cr_assert_arr_eq(o, without, sizeof o);
    }
}

Test(gemm, doubles_agree_with_three_nested_loops) {
    enum { lanes = fsattn_gemm_lanes };
    static operands t;
    static double q[head_dim * lanes], s[keys * lanes], o[head_dim * lanes];
    fill(&t);
    for (int e = 0; e < head_dim; e++) {
        for (int r = 0; r < lanes; r++) {
            q[e * lanes + r] = (double)t.q[e * rows + r];
        }
    }
    fsattn_gemm_scores_double(q, t.k, stride, keys, head_dim, s);
    fsattn_gemm_values_double(s, t.v, stride, keys, head_dim, NULL, o);
    for (int r = 0; r < lanes; r++) {
        for (int j = 0; j < keys; j++) {
            double sum = 0;
            for (int e = 0; e < head_dim; e++) {
                sum += q[e * lanes + r] * (double)t.k[j * stride + e];
            }
            cr_assert_float_eq(s[j * lanes + r], sum, 1e-13);
        }
        for (int e = 0; e < head_dim; e++) {
            double sum = 0;
            for (int j = 0; j < keys; j++) {
                sum += s[j * lanes + r] * (double)t.v[j * stride + e];
            }
            cr_assert_float_eq(o[e * lanes + r], sum, 1e-12);
        }
    }
}
