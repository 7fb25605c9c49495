/* The emulator as a whole: properties that hold for every method, and the shapes at the edges. */
#include "../support/placed_scores.h"
#include "exponential.h"
#include "inputs.h"

typedef struct subject {
    fsattn_problem problem;
    fsattn_operands operands;
    size_t elements;
} subject;

static subject subject_of(const char *problem, uint64_t seed) {
    subject s;
    cr_assert_eq(fsattn_problem_parse(problem, &s.problem, NULL), FSATTN_OK, "%s", problem);
    cr_assert_eq(fsattn_operands_init(&s.operands, &s.problem, NULL), FSATTN_OK);
    fsattn_inputs_fill(FSATTN_DISTRIBUTION_NORMAL, seed, &s.problem, &s.operands);
    s.elements = (size_t)(fsattn_problem_rows(&s.problem) * s.problem.head_dim);
    return s;
}

/* Output of a method with further switches; the caller frees it. */
static float *run(const subject *s, const fsattn_method *method, const char *switches, const fsattn_block_mask *blocks, float *lse) {
    fsattn_emulator_config config;
    fsattn_emulator *emulator;
    fsattn_err err = {0};
    float *o = calloc(s->elements, sizeof *o);
    fsattn_emulator_config_init(&config);
    cr_assert_eq(fsattn_emulator_apply(&config, method->switches, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_emulator_apply(&config, switches, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_emulator_create(&config, &s->problem, &s->operands.qkv, blocks, &emulator, &err), FSATTN_OK, "%s", err.message);
    fsattn_emulator_output output = {.o = o, .lse = lse};
    cr_assert_eq(fsattn_emulator_run(emulator, (fsattn_rows){0}, &output, &err), FSATTN_OK, "%s", err.message);
    fsattn_emulator_destroy(emulator);
    return o;
}

static double distance(const subject *s, const float *a, const float *b) {
    fsattn_comparison comparison = {0};
    fsattn_comparison_add(&comparison, a, b, s->elements);
    return fsattn_comparison_error(&comparison);
}

/* Error of the method on this input: what "within the format's error" refers to. */
static double own_error(const subject *s, const float *o) {
    float *expected = calloc(s->elements, sizeof *expected);
    cr_assert_eq(fsattn_reference_attention(&s->problem, &s->operands.qkv, NULL, (fsattn_rows){0}, expected, NULL, NULL), FSATTN_OK);
    const double error = distance(s, o, expected);
    free(expected);
    return error;
}

static float *element(subject *s, int operand, size_t i) { /* Q, K, V */
    return s->operands.memory + (operand ? s->operands.q_elements + (size_t)(operand - 1) * s->operands.kv_elements : 0) + i;
}

static const char shape[] = "sq=40 sk=320 d=128";

/* Two right answers differ by at most the sum of their errors. */
Test(properties, a_permutation_of_keys_changes_nothing_beyond_the_formats_error) {
    size_t count;
    const fsattn_method *methods = fsattn_methods(&count);
    for (size_t m = 0; m < count; m++) {
        subject s = subject_of(shape, 3), shuffled = subject_of(shape, 3);
        const size_t d = (size_t)s.problem.head_dim;
        for (size_t j = 0; j < (size_t)s.problem.s_k; j++) {
            const size_t from = j * 37 % (size_t)s.problem.s_k; /* 37 and 320 have no common divisor */
            memcpy(element(&shuffled, 1, j * d), element(&s, 1, from * d), d * sizeof(float));
            memcpy(element(&shuffled, 2, j * d), element(&s, 2, from * d), d * sizeof(float));
        }
        float *a = run(&s, &methods[m], "", NULL, NULL), *b = run(&shuffled, &methods[m], "", NULL, NULL);
        const double bound = 1.05 * (own_error(&s, a) + own_error(&s, b));
        cr_assert_lt(distance(&s, b, a), bound, "%s: %g", methods[m].name, distance(&s, b, a));
        cr_assert_lt(distance(&s, b, a), strcmp(methods[m].name, "direct_p") ? 0.35 : 1.0, "%s: %g", methods[m].name, distance(&s, b, a));
        free(a);
        free(b);
        fsattn_operands_fini(&s.operands);
        fsattn_operands_fini(&shuffled.operands);
    }
}

Test(properties, a_constant_added_to_a_rows_scores_changes_nothing_beyond_the_formats_error) {
    size_t count;
    const fsattn_method *methods = fsattn_methods(&count);
    for (size_t m = 0; m < count; m++) {
        subject s = subject_of(shape, 4), raised = subject_of(shape, 4);
        const size_t d = (size_t)s.problem.head_dim;
        for (size_t j = 0; j < (size_t)s.problem.s_k; j++) {
            for (size_t e = 0; e < d; e++) { /* q . w is another constant for each row, some doublings */
                *element(&raised, 1, j * d + e) += (e * 7 % 5) < 2 ? 0.5f : -0.25f;
            }
        }
        float *a = run(&s, &methods[m], "", NULL, NULL), *b = run(&raised, &methods[m], "", NULL, NULL);
        const double bound = 1.05 * (own_error(&s, a) + own_error(&raised, b));
        cr_assert_lt(distance(&s, b, a), bound, "%s: %g", methods[m].name, distance(&s, b, a));
        free(a);
        free(b);
        fsattn_operands_fini(&s.operands);
        fsattn_operands_fini(&raised.operands);
    }
    /* Without quantization it is a matter of roundings. */
    subject s = subject_of(shape, 4), raised = subject_of(shape, 4);
    for (size_t i = 0; i < s.operands.kv_elements; i++) {
        *element(&raised, 1, i) += i % 128 % 3 == 0 ? 4.0f : 0;
    }
    const fsattn_method plain = {.switches = ""}, frozen = {.switches = "softmax=frozen"};
    float *a = run(&s, &plain, "", NULL, NULL), *b = run(&raised, &frozen, "", NULL, NULL);
    cr_assert_lt(distance(&s, b, a), 2e-5, "%g", distance(&s, b, a));
    free(a);
    free(b);
    fsattn_operands_fini(&s.operands);
    fsattn_operands_fini(&raised.operands);
}

/* V times 2^k, and Q times 2^a with K times 2^-a. */
Test(properties, scaling_by_powers_of_two_is_exact) {
    size_t count;
    const fsattn_method *methods = fsattn_methods(&count);
    for (size_t m = 0; m < count; m++) {
        subject s = subject_of(shape, 5), scaled = subject_of(shape, 5);
        for (size_t i = 0; i < s.operands.q_elements; i++) {
            *element(&scaled, 0, i) *= 0x1p11f;
        }
        for (size_t i = 0; i < s.operands.kv_elements; i++) {
            *element(&scaled, 1, i) *= 0x1p-11f;
            *element(&scaled, 2, i) *= 0x1p5f; /* upward: FP16 has few binades below 1 */
        }
        const size_t rows = (size_t)fsattn_problem_rows(&s.problem);
        float *lse = calloc(2 * rows, sizeof *lse);
        float *a = run(&s, &methods[m], "", NULL, lse), *b = run(&scaled, &methods[m], "", NULL, lse + rows);
        for (size_t i = 0; i < s.elements; i++) {
            cr_assert_eq(b[i], a[i] * 0x1p5f, "%s: element %zu: %a, expected %a", methods[m].name, i, (double)b[i], (double)a[i] * 0x1p5);
        }
        for (size_t i = 0; i < rows; i++) {
            cr_assert_eq(lse[i], lse[rows + i], "%s: LSE of row %zu", methods[m].name, i);
        }
        free(a);
        free(b);
        free(lse);
        fsattn_operands_fini(&s.operands);
        fsattn_operands_fini(&scaled.operands);
    }
}

/* Bounds above the errors of Table 4, which short rows exceed a little. */
static double bound_of(const char *method) {
    static const struct {
        const char *prefix;
        double bound;
    } bounds[] = {{"mxfp8", 0.08}, {"mxfp6", 0.09}, {"mxfp4", 0.27}, {"flash2", 0.006}, {"flash4", 0.008}, {"sage1", 0.03}};
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++) {
        if (!strcmp(method, bounds[i].prefix)) {
            return bounds[i].bound;
        }
    }
    return 0;
}

/* One key, fewer keys than a block or a tile, tails in either, head_dim 64, causal, grouped heads, both layouts. */
Test(shapes, edges_give_what_softmax_gives) {
    static const char *const problems[] = {
        "sq=3 sk=1 d=128",   "sq=33 sk=5 d=128",   "sq=32 sk=31 d=64",  "sq=1 sk=129 d=128",
        "sq=65 sk=300 d=64", "sq=40 sk=157 d=128", "hq=4 hkv=2 sq=37 sk=141 d=64 mask=causal layout=bhsd",
        "sq=150 sk=150 d=128 mask=causal",         "b=2 hq=2 hkv=1 sq=17 sk=260 d=128",
    };
    size_t count;
    const fsattn_method *methods = fsattn_methods(&count);
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
        subject s = subject_of(problems[p], 8);
        for (size_t m = 0; m < count; m++) {
            static const char *const orders[] = {"key_order=runs", "key_order=bit2", "key_order=bits23"};
            for (int o = 0; o < 3; o++) {
                float *a = run(&s, &methods[m], orders[o], NULL, NULL);
                const double error = own_error(&s, a), bound = bound_of(methods[m].name);
                cr_assert(isfinite(error), "%s, %s", problems[p], methods[m].name);
                cr_assert(bound == 0 || error < bound, "%s, %s, %s: error %g", problems[p], methods[m].name, orders[o], error);
                free(a);
            }
        }
        fsattn_operands_fini(&s.operands);
    }
}

/* A row whose keys are all masked gives 0 and -inf, in the midst of rows that see something; a mask of whole tiles, and rows
 * above the causal diagonal. */
Test(shapes, rows_without_a_key_give_zero) {
    static const uint8_t live[] = {1, 1, 0, 0, 0, 0, 0, 1, 0}; /* 16 rows x 64 keys */
    static const fsattn_block_mask mask = {live, 16, 64, 3};
    size_t count;
    const fsattn_method *methods = fsattn_methods(&count);
    for (size_t m = 0; m < count; m++) {
        subject s = subject_of("sq=40 sk=180 d=128", 9), causal = subject_of("sq=40 sk=9 d=128 mask=causal", 9);
        float lse[40];
        float *a = run(&s, &methods[m], "tile_n=64", &mask, lse), *b = run(&causal, &methods[m], "", NULL, NULL);
        for (int i = 0; i < 40; i++) {
            const bool dead = i / 16 == 1;
            cr_assert_eq(isinf(lse[i]) != 0, dead, "%s row %d: LSE %g", methods[m].name, i, (double)lse[i]);
            for (int e = 0; e < 128; e++) {
                cr_assert(!dead || a[i * 128 + e] == 0);
                cr_assert(isfinite(a[i * 128 + e]));
                cr_assert(i >= 40 - 9 || b[i * 128 + e] == 0);
                cr_assert(isfinite(b[i * 128 + e]));
            }
            cr_assert(dead || a[i * 128] != 0);
        }
        free(a);
        free(b);
        fsattn_operands_fini(&s.operands);
        fsattn_operands_fini(&causal.operands);
    }
}

/* What masked keys hold reaches nobody: K and V of a dead tile may be anything finite, even NaN where no live key shares its scale. */
Test(shapes, masked_keys_do_not_matter) {
    static const uint8_t live[] = {1, 0, 1};
    static const fsattn_block_mask mask = {live, 64, 128, 3};
    size_t count;
    const fsattn_method *methods = fsattn_methods(&count);
    for (size_t m = 0; m < count; m++) {
        subject s = subject_of("sq=33 sk=384 d=128", 10), changed = subject_of("sq=33 sk=384 d=128", 10);
        const bool global = strstr(methods[m].switches, "smooth_k") || strstr(methods[m].switches, "nvfp4") || strstr(methods[m].switches, "=fp8");
        for (size_t i = 128 * 128; i < 256 * 128; i++) { /* no larger than the largest, so that tensor scales stay */
            *element(&changed, 1, i) = global ? *element(&s, 1, i) : NAN;
            *element(&changed, 2, i) = global ? -*element(&s, 2, i) : NAN;
        }
        float *a = run(&s, &methods[m], "", &mask, NULL), *b = run(&changed, &methods[m], "", &mask, NULL);
        cr_assert_arr_eq(a, b, s.elements * sizeof *a, "%s", methods[m].name);
        free(a);
        free(b);
        fsattn_operands_fini(&s.operands);
        fsattn_operands_fini(&changed.operands);
    }
}

/* A reduction that missed the largest leaves a scale that is too small: FP8 P is NaN there, as the conversion has it, others saturate. */
Test(shapes, what_lies_beyond_a_missed_maximum) {
    const uint32_t missed[] = {0x3f800000}; /* 1.0 */
    for (int sign = -1; sign <= 1; sign += 2) {
        float fp8[32] = {1, (float)sign * 0x1p90f}, fp6[32] = {1, (float)sign * 0x1p90f};
        fsattn_p_quantize(FSATTN_P_FP8_ROW, fp8, 32, missed);
        fsattn_p_quantize(FSATTN_P_MXFP6, fp6, 32, missed);
        cr_expect(isnan(fp8[1]));
        cr_expect_eq(fp6[1], (float)sign * 1.875f);
        cr_expect_eq(fp8[0], 1.0f);
        cr_expect_eq(fp6[0], 1.0f);
    }
}
