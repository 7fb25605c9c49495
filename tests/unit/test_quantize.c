/* Operands as the matrix unit sees them: scale rules, blocks along both axes, special blocks, and the order of operations that makes
 * codes comparable for equality. */
#include "emulator_wave.h"
#include "inputs.h"
#include "mx.h"
#include "quantize.h"
#include "random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const fsattn_format elements[] = {FSATTN_FORMAT_E4M3, FSATTN_FORMAT_E2M3, FSATTN_FORMAT_E2M1};
static const fsattn_operand_format mx_formats[] = {FSATTN_OPERAND_MXFP8, FSATTN_OPERAND_MXFP6, FSATTN_OPERAND_MXFP4};

/* The rules in words, in doubles: the kernels have them as integer arithmetic on float bits. */
static int exponent_in_words(int format, double amax) {
    int e;
    const double fraction = frexp(amax, &e) * 2; /* 1 .. 2 */
    e -= 1;
    switch (format) {
    case 0: /* E4M3: round to even-like: up from 1.75 on, so that 448 = 1.75 * 2^8 fits or nearly */
        return (fraction >= 1.75 ? e + 1 : e) - 8;
    case 1: /* E2M3: exponent of the largest */
        return e - 2;
    default: /* E2M1: smallest power of two p with amax <= 6 p */
        e -= 3;
        while (ldexp(6, e) < amax) {
            e++;
        }
        return e;
    }
}

Test(quantize, scales_follow_their_rules) {
    for (uint64_t i = 0; i < 200000; i++) {
        uint32_t bits = (uint32_t)(0x08000000u + fsattn_random_below(1, 0, i, 0x70000000u));
        bits = i % 4 == 0 ? bits & 0xffe00000u : i % 4 == 1 ? bits | 0x1fffffu : bits; /* on the boundaries and just below */
        float amax;
        memcpy(&amax, &bits, sizeof amax);
        for (int f = 0; f < 3; f++) {
            const int expected = exponent_in_words(f, (double)amax) + 127;
            const uint8_t scale = fsattn_mx_scale(fsattn_mx_rule_usual(elements[f]), elements[f], amax);
            cr_assert_eq(scale, expected < 0 ? 0 : expected > 254 ? 254 : expected, "format %d, amax %a: %d, expected %d", f, (double)amax,
                         scale, expected);
        }
    }
}

Test(quantize, elements_are_rounded_once_and_saturate) {
    for (int f = 0; f < 3; f++) {
        const double largest = fsattn_format_describe(elements[f])->largest;
        for (uint64_t trial = 0; trial < 500; trial++) {
            float x[32];
            uint8_t codes[32], scale;
            for (uint64_t i = 0; i < 32; i++) {
                x[i] = (float)(fsattn_random_normal(2, trial, i) * exp2((double)(trial % 40) - 20));
            }
            fsattn_mx_quantize(fsattn_mx_rule_usual(elements[f]), elements[f], x, 1, 32, 0, codes, &scale);
            const double step = fsattn_e8m0_decode(scale);
            for (int i = 0; i < 32; i++) {
                const double value = (double)fsattn_mx_value(elements[f], codes[i], scale), exact = (double)x[i];
                cr_assert(fabs(value) <= largest * step);
                if (fabs(exact) > largest * step) { /* only the floor and even rules let this happen */
                    cr_assert_eq(fabs(value), largest * step);
                    cr_assert_neq(f, 2);
                    continue;
                }
                for (uint32_t code = 0; code < 1u << fsattn_format_describe(elements[f])->bits; code++) {
                    const double other = fsattn_format_decode(elements[f], code) * step;
                    cr_assert(isnan(other) || fabs(other - exact) >= fabs(value - exact), "format %d: %a became %a, nearer is %a", f, exact,
                              value, other);
                }
            }
        }
    }
}

Test(quantize, zero_nan_and_infinite_blocks) {
    for (int f = 0; f < 3; f++) {
        const fsattn_mx_rule rule = fsattn_mx_rule_usual(elements[f]);
        float x[32] = {0};
        uint8_t codes[32], scale;
        fsattn_mx_quantize(rule, elements[f], x, 1, 32, 0, codes, &scale);
        cr_assert_eq(scale, 127);
        fsattn_mx_quantize(rule, elements[f], x, 1, 32, -9, codes, &scale);
        cr_assert_eq(scale, 118);
        for (int i = 0; i < 32; i++) {
            cr_assert_eq(codes[i], 0);
            x[i] = 1;
        }
        static const float strange[] = {NAN, INFINITY, -INFINITY};
        for (int s = 0; s < 3; s++) {
            x[7] = strange[s];
            fsattn_mx_quantize(rule, elements[f], x, 1, 32, -9, codes, &scale); /* Algorithm 1, line 3, keeps NaN */
            cr_assert_eq(scale, 0xff);
            for (int i = 0; i < 32; i++) {
                cr_assert_eq(codes[i], 0);
                cr_assert(isnan(fsattn_mx_value(elements[f], codes[i], scale)));
            }
        }
    }
}

Test(quantize, a_shifted_scale_saturates_at_zero) {
    float x[32];
    uint8_t codes[32], scale;
    for (int exponent = -126; exponent < -100; exponent++) {
        for (int i = 0; i < 32; i++) {
            x[i] = ldexpf(i % 2 ? 1.5f : -1.0f, exponent);
        }
        fsattn_mx_quantize(FSATTN_MX_FLOOR, FSATTN_FORMAT_E2M3, x, 1, 32, 0, codes, &scale);
        const int expected = scale < 9 ? 0 : scale - 9; /* max(byte, 9) - 9 */
        fsattn_mx_quantize(FSATTN_MX_FLOOR, FSATTN_FORMAT_E2M3, x, 1, 32, -9, codes, &scale);
        cr_assert_eq(scale, expected);
    }
}

/* Blocks along the rows of a matrix are blocks along the columns of its transpose; the last block may be short. */
Test(quantize, axes_are_each_others_transpose) {
    enum { rows = 77, columns = 40 };
    static float a[rows * columns], b[rows * columns];
    for (size_t f = 0; f < sizeof mx_formats / sizeof *mx_formats; f++) {
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                a[i * columns + j] = b[j * rows + i] = (float)fsattn_random_normal(3, 0, (uint64_t)(i * columns + j));
            }
        }
        fsattn_quantize(mx_formats[f], &(fsattn_quantize_options){.axis = FSATTN_ALONG_ROWS}, a, rows, columns);
        fsattn_quantize(mx_formats[f], &(fsattn_quantize_options){.axis = FSATTN_ALONG_COLUMNS}, b, columns, rows);
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < columns; j++) {
                cr_assert_eq(a[i * columns + j], b[j * rows + i]);
            }
        }
        const float once = a[3];
        fsattn_quantize(mx_formats[f], &(fsattn_quantize_options){.axis = FSATTN_ALONG_ROWS}, a, rows, columns);
        cr_assert_eq(a[3], once, "quantizing twice changes nothing");
    }
}

Test(quantize, tensor_and_integer_scales) {
    float x[4 * 32];
    for (int i = 0; i < 4 * 32; i++) {
        x[i] = (float)(i - 64) / 16; /* -4 .. 3.9375 */
    }
    float y[4 * 32];
    memcpy(y, x, sizeof y);
    fsattn_quantize(FSATTN_OPERAND_FP8, &(fsattn_quantize_options){.tensor_amax = 4}, y, 4, 32);
    cr_assert_eq(y[0], -4.0f);
    for (int i = 0; i < 4 * 32; i++) {
        cr_assert_float_eq(y[i], x[i], 0.0626f * fabsf(x[i]) + 1e-6f);
    }
    memcpy(y, x, sizeof y);
    fsattn_quantize(FSATTN_OPERAND_INT8, &(fsattn_quantize_options){.tile_rows = 2}, y, 4, 32);
    cr_assert_eq(y[0], -4.0f); /* the tile's largest has code -127 */
    for (int i = 0; i < 4 * 32; i++) {
        cr_assert_float_eq(y[i], x[i], 4.0f / 127 / 2 + 1e-6f);
    }
    memcpy(y, x, sizeof y);
    fsattn_quantize(FSATTN_OPERAND_INT4, &(fsattn_quantize_options){.tile_rows = 4}, y, 4, 32);
    for (int i = 0; i < 4 * 32; i++) {
        cr_assert_float_eq(y[i], x[i], 4.0f / 7 / 2 + 1e-6f);
        cr_assert_float_eq(y[i] * 7 / 4, roundf(y[i] * 7 / 4), 1e-5f);
    }
    memcpy(y, x, sizeof y);
    fsattn_quantize(FSATTN_OPERAND_NVFP4, &(fsattn_quantize_options){.tensor_amax = 4}, y, 4, 32);
    cr_assert_float_eq(y[0], -4.0f, 0.02f); /* 448 * 6 of the tensor scale: the block scale is 448 itself */
    for (int i = 0; i < 4 * 32; i++) {
        cr_assert_float_eq(y[i], x[i], 4.0f / 6 * 1.07f, "%g became %g", (double)x[i], (double)y[i]); /* half a step between 4 and 6 */
    }
}

Test(quantize, hadamard_is_the_natural_ordered_matrix) {
    for (int d = 2; d <= 256; d *= 2) {
        float x[256], y[256];
        for (int i = 0; i < d; i++) {
            x[i] = y[i] = (float)((i * 29 + 3) % 17 - 8);
        }
        fsattn_hadamard(y, d);
        for (int i = 0; i < d; i++) {
            float sum = 0; /* small integers: exact */
            for (int j = 0; j < d; j++) {
                sum += __builtin_parity((unsigned)(i & j)) ? -x[j] : x[j];
            }
            cr_assert_eq(y[i], sum);
        }
        for (int i = 0; i < d; i++) {
            x[i] = y[i] = (float)fsattn_random_normal(5, (uint64_t)d, (uint64_t)i);
        }
        for (int pass = 0; pass < 2; pass++) {
            for (int i = 0; i < d; i++) {
                y[i] *= (float)(1 / sqrt((double)d));
            }
            fsattn_hadamard(y, d);
        }
        for (int i = 0; i < d; i++) {
            cr_assert_float_eq(y[i], x[i], 4e-6f);
        }
    }
}

/* The order that kernels follow: one float product with the folded constant, sums and differences at distance 1, 2, 4, ... */
static void prepared(float *x, int d, float factor) {
    float next[128];
    for (int i = 0; i < d; i++) {
        x[i] = x[i] * factor;
    }
    for (int distance = 1; distance < d; distance *= 2) {
        for (int i = 0; i < d; i++) {
            next[i] = i & distance ? x[i - distance] - x[i] : x[i] + x[i + distance];
        }
        memcpy(x, next, (size_t)d * sizeof *x);
    }
}

Test(quantize, prepared_operands_are_bit_equal_to_the_stated_order) {
    fsattn_problem p;
    cr_assert_eq(fsattn_problem_parse("b=1 hq=2 hkv=1 sq=9 sk=21 d=128", &p, NULL), FSATTN_OK);
    fsattn_operands operands;
    cr_assert_eq(fsattn_operands_init(&operands, &p, NULL), FSATTN_OK);
    fsattn_inputs_fill(FSATTN_DISTRIBUTION_OUTLIERS, 2, &p, &operands);
    static const char *const names[] = {"mxfp8", "mxfp6", "mxfp4"};
    for (int f = 0; f < 3; f++) {
        fsattn_emulator_config config;
        fsattn_emulator *e;
        fsattn_emulator_config_init(&config);
        cr_assert_eq(fsattn_emulator_set(&config, "exponential", "schraudolph_u16_bf16", NULL), FSATTN_OK);
        cr_assert_eq(fsattn_emulator_set(&config, "qk_format", names[f], NULL), FSATTN_OK);
        cr_assert_eq(fsattn_emulator_create(&config, &p, &operands.qkv, NULL, &e, NULL), FSATTN_OK);
        const float q_factor = (float)((double)fsattn_problem_scale(&p) * 1.4426950408889634074 / sqrt(128.0)), k_factor = (float)(1 / sqrt(128.0));
        for (int64_t i = 0; i < 2 * p.s_q + p.s_k; i++) {
            const bool query = i < 2 * p.s_q;
            const int64_t j = i - 2 * p.s_q;
            float x[128];
            memcpy(x, query ? operands.qkv.q + i % p.s_q * operands.qkv.q_strides.s + i / p.s_q * operands.qkv.q_strides.h
                            : operands.qkv.k + j * operands.qkv.k_strides.s, sizeof x);
            prepared(x, 128, query ? q_factor : k_factor);
            for (int b = 0; b < 4; b++) {
                uint8_t codes[32], scale;
                fsattn_mx_quantize(fsattn_mx_rule_usual(elements[f]), elements[f], x + 32 * b, 1, 32, query ? -9 : 0, codes, &scale);
                for (int at = 0; at < 32; at++) {
                    cr_assert_eq((query ? e->q + i * 128 : e->k + j * 128)[32 * b + at], fsattn_mx_value(elements[f], codes[at], scale),
                                 "%s, row %d, element %d", names[f], (int)i, 32 * b + at);
                }
            }
        }
        fsattn_emulator_destroy(e);
    }
    fsattn_operands_fini(&operands);
}

Test(quantize, smoothing_subtracts_the_mean_over_keys) {
    fsattn_problem p;
    cr_assert_eq(fsattn_problem_parse("sq=4 sk=50 d=64", &p, NULL), FSATTN_OK);
    fsattn_operands operands;
    cr_assert_eq(fsattn_operands_init(&operands, &p, NULL), FSATTN_OK);
    fsattn_inputs_fill(FSATTN_DISTRIBUTION_NORMAL, 2, &p, &operands);
    fsattn_emulator_config config;
    fsattn_emulator *e;
    fsattn_emulator_config_init(&config);
    cr_assert_eq(fsattn_emulator_set(&config, "smooth_k", "true", NULL), FSATTN_OK);
    cr_assert_eq(fsattn_emulator_create(&config, &p, &operands.qkv, NULL, &e, NULL), FSATTN_OK);
    for (int c = 0; c < 64; c++) {
        double before = 0, after = 0;
        for (int j = 0; j < 50; j++) {
            before += (double)operands.qkv.k[j * 64 + c];
            after += (double)e->k[j * 64 + c];
        }
        cr_assert_float_eq(after, 0, 1e-5);
        cr_assert_float_eq((double)(operands.qkv.k[c] - e->k[c]), before / 50, 1e-6);
    }
    fsattn_emulator_destroy(e);
    fsattn_operands_fini(&operands);
}
