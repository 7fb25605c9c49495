#include "compare.h"
#include "emulator.h"
#include "inputs.h"
#include "memory.h"
#include "methods.h"
#include "reference.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void naive(const fsattn_problem *p, const fsattn_qkv *t, const fsattn_block_mask *blocks, double *o, double *lse) {
    for (int64_t row = 0; row < fsattn_problem_rows(p); row++) {
        int64_t i = row % p->s_q, h = row / p->s_q % p->heads_q, b = row / p->s_q / p->heads_q, hk = h / (p->heads_q / p->heads_kv);
        const float *q = t->q + b * t->q_strides.b + h * t->q_strides.h + i * t->q_strides.s;
        double sum = 0, maximum = (double)-INFINITY;
        for (int pass = 0; pass < 2; pass++) {
            for (int64_t e = 0; e < p->head_dim; e++) {
                o[row * p->head_dim + e] = 0;
            }
            sum = 0;
            for (int64_t j = 0; j < p->s_k; j++) {
                if (!fsattn_key_live(p, blocks, i, j)) {
                    continue;
                }
                const float *k = t->k + b * t->k_strides.b + hk * t->k_strides.h + j * t->k_strides.s;
                const float *v = t->v + b * t->v_strides.b + hk * t->v_strides.h + j * t->v_strides.s;
                double s = 0;
                for (int64_t e = 0; e < p->head_dim; e++) {
                    s += (double)q[e] * (double)k[e];
                }
                s *= (double)fsattn_problem_scale(p);
                if (pass == 0) {
                    maximum = fmax(maximum, s);
                    continue;
                }
                double x = exp(s - maximum);
                sum += x;
                for (int64_t e = 0; e < p->head_dim; e++) {
                    o[row * p->head_dim + e] += x * (double)v[e];
                }
            }
        }
        for (int64_t e = 0; e < p->head_dim; e++) {
            o[row * p->head_dim + e] = sum > 0 ? o[row * p->head_dim + e] / sum : 0;
        }
        lse[row] = sum > 0 ? maximum + log(sum) : (double)-INFINITY;
    }
}

static fsattn_problem problem_of(const char *text) {
    fsattn_problem problem;
    cr_assert_eq(fsattn_problem_parse(text, &problem, NULL), FSATTN_OK, "%s", text);
    return problem;
}

static const char *const shapes[] = {
    "b=2 hq=4 hkv=2 sq=37 sk=75 d=64",          "b=1 hq=3 hkv=1 sq=33 sk=33 d=128 mask=causal",
    "b=1 hq=2 hkv=2 sq=40 sk=9 d=64 mask=causal", "b=1 hq=2 hkv=2 sq=5 sk=200 d=128 layout=bhsd mask=causal",
    "b=1 hq=1 hkv=1 sq=1 sk=1 d=64",
};

Test(reference, agrees_with_three_nested_loops) {
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        fsattn_problem p = problem_of(shapes[i]);
        fsattn_operands operands;
        cr_assert_eq(fsattn_operands_init(&operands, &p, NULL), FSATTN_OK);
        fsattn_inputs_fill(FSATTN_DISTRIBUTION_NORMAL, 7, &p, &operands);
        size_t rows = (size_t)fsattn_problem_rows(&p), d = (size_t)p.head_dim;
        double *o = calloc(rows * d, sizeof *o), *lse = calloc(rows, sizeof *lse);
        float *got = calloc(rows * d, sizeof *got), *got_lse = calloc(rows, sizeof *got_lse);
        uint8_t live[64];
        for (int b = 0; b < 64; b++) {
            live[b] = b % 3 != 1;
        }
        fsattn_block_mask blocks = {live, 16, 32, 7};
        for (int masked = 0; masked < 2; masked++) {
            naive(&p, &operands.qkv, masked ? &blocks : NULL, o, lse);
            cr_assert_eq(fsattn_reference_attention(&p, &operands.qkv, masked ? &blocks : NULL, (fsattn_rows){0}, got, got_lse, NULL),
                         FSATTN_OK);
            for (size_t x = 0; x < rows * d; x++) {
                cr_assert_float_eq((double)got[x], o[x], 1e-6, "%s element %zu: %g, expected %g", shapes[i], x, (double)got[x], o[x]);
            }
            for (size_t x = 0; x < rows; x++) {
                cr_assert((isinf(lse[x]) && (double)got_lse[x] == lse[x]) || fabs((double)got_lse[x] - lse[x]) < 1e-5);
            }
        }
        free(o);
        free(lse);
        free(got);
        free(got_lse);
        fsattn_operands_fini(&operands);
    }
}

static double emulated_error(const fsattn_problem *p, const fsattn_operands *operands, const char *switches, double *cosine) {
    size_t elements = (size_t)(fsattn_problem_rows(p) * p->head_dim);
    float *expected = calloc(elements, sizeof *expected), *actual = calloc(elements, sizeof *actual);
    fsattn_emulator_config config;
    fsattn_emulator_config_init(&config);
    fsattn_err err = {0};
    cr_assert_eq(fsattn_emulator_apply(&config, switches, &err), FSATTN_OK, "%s", err.message);
    fsattn_emulator *emulator;
    cr_assert_eq(fsattn_emulator_create(&config, p, &operands->qkv, NULL, &emulator, &err), FSATTN_OK, "%s", err.message);
    fsattn_emulator_output output = {.o = actual};
    cr_assert_eq(fsattn_emulator_run(emulator, (fsattn_rows){0}, &output, NULL), FSATTN_OK);
    fsattn_emulator_destroy(emulator);
    cr_assert_eq(fsattn_reference_attention(p, &operands->qkv, NULL, (fsattn_rows){0}, expected, NULL, NULL), FSATTN_OK);
    fsattn_comparison comparison = {0};
    fsattn_comparison_add(&comparison, actual, expected, elements);
    free(expected);
    free(actual);
    if (cosine) {
        *cosine = fsattn_comparison_cosine(&comparison);
    }
    return fsattn_comparison_error(&comparison);
}

Test(emulator, exact_softmaxes_agree_with_the_reference) {
    static const char *const softmaxes[] = {"softmax=online", "softmax=lazy threshold=4", "softmax=frozen cap=8",
                                            "softmax=online row_sum=gemm", "softmax=frozen cap=8 exponential=polynomial degree=5"};
    static const fsattn_distribution inputs[] = {FSATTN_DISTRIBUTION_NORMAL, FSATTN_DISTRIBUTION_OUTLIERS,
                                                 FSATTN_DISTRIBUTION_LATE_SPIKE, FSATTN_DISTRIBUTION_EQUAL,
                                                 FSATTN_DISTRIBUTION_TINY, FSATTN_DISTRIBUTION_LOW_BLOCKS};
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        fsattn_problem p = problem_of(shapes[i]);
        for (size_t input = 0; input < sizeof inputs / sizeof *inputs; input++) {
            fsattn_operands operands;
            cr_assert_eq(fsattn_operands_init(&operands, &p, NULL), FSATTN_OK);
            fsattn_inputs_fill(inputs[input], 3, &p, &operands);
            for (size_t s = 0; s < sizeof softmaxes / sizeof *softmaxes; s++) {
                char switches[256];
                snprintf(switches, sizeof switches, "%s tile_n=16 tile_m=32 wave_rows=16", softmaxes[s]);
                double error = emulated_error(&p, &operands, switches, NULL);
                cr_assert_lt(error, 2e-5, "%s, %s, %s: error %g", shapes[i], fsattn_distribution_text(inputs[input]), softmaxes[s], error);
            }
            fsattn_operands_fini(&operands);
        }
    }
}

Test(emulator, methods_are_as_accurate_as_published) {
    fsattn_problem p = problem_of("sq=64 sk=1024 d=128 q=bf16 kv=bf16 o=bf16");
    fsattn_operands operands;
    cr_assert_eq(fsattn_operands_init(&operands, &p, NULL), FSATTN_OK);
    fsattn_inputs_fill(FSATTN_DISTRIBUTION_NORMAL, 1, &p, &operands);
    size_t count;
    const fsattn_method *methods = fsattn_methods(&count);
    for (size_t i = 0; i < count; i++) {
        double cosine, error = emulated_error(&p, &operands, methods[i].switches, &cosine);
        cr_assert(isfinite(error), "%s", methods[i].name);
        cr_assert_gt(cosine, 0.9, "%s: cosine %g", methods[i].name, cosine);
        if (!strncmp(methods[i].name, "mxfp", 4)) {
            cr_assert_float_eq(cosine, methods[i].published_cosine, 3e-3, "%s: %g", methods[i].name, cosine);
        }
    }
    fsattn_operands_fini(&operands);
}

Test(emulator, bad_switches_are_named) {
    fsattn_emulator_config config;
    fsattn_err err;
    fsattn_emulator_config_init(&config);
    cr_assert_eq(fsattn_emulator_set(&config, "sofmax", "online", &err), FSATTN_PARSE);
    cr_assert_str_eq(err.hint, "did you mean 'softmax'?");
    cr_assert_eq(fsattn_emulator_set(&config, "softmax", "onlin", &err), FSATTN_PARSE);
    cr_assert_str_eq(err.hint, "did you mean 'online'?");
    cr_assert_eq(fsattn_emulator_set(&config, "degree", "9", &err), FSATTN_PARSE);
    cr_assert_eq(fsattn_emulator_apply(&config, "softmax=frozen exponential=exact reduction=u16", &err), FSATTN_OK);
    cr_assert_eq(fsattn_emulator_check(&config, &err), FSATTN_INVALID);
}
