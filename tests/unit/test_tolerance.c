/* What a comparison with the emulator lets pass: other orders of accumulation, and nothing else. */
#include "../support/placed_scores.h"
#include "emulator_wave.h"
#include "inputs.h"
#include "tolerance.h"

enum { queries = 128, keys = 512, d = 128, elements = queries * d };

typedef struct trial {
    fsattn_problem problem;
    fsattn_operands operands;
    fsattn_emulator *emulator;
    float o[elements];
    fsattn_tolerance tolerance;
} trial;

static void trial_init(trial *t, const char *method, const char *switches, fsattn_distribution distribution, uint64_t seed, int64_t rows,
                       int64_t s_k) {
    fsattn_emulator_config config;
    const fsattn_method *known;
    fsattn_err err = {0};
    fsattn_problem_init(&t->problem);
    t->problem.s_q = rows;
    t->problem.s_k = s_k;
    t->problem.dtype_q = t->problem.dtype_kv = t->problem.dtype_o = FSATTN_F32;
    cr_assert_eq(fsattn_operands_init(&t->operands, &t->problem, NULL), FSATTN_OK);
    fsattn_inputs_fill(distribution, seed, &t->problem, &t->operands);
    fsattn_emulator_config_init(&config);
    cr_assert_eq(fsattn_method_find(method, &known, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_emulator_apply(&config, known->switches, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_emulator_apply(&config, switches, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_emulator_create(&config, &t->problem, &t->operands.qkv, NULL, &t->emulator, &err), FSATTN_OK, "%s", err.message);
    fsattn_emulator_output output = {.o = t->o};
    cr_assert_eq(fsattn_emulator_run(t->emulator, (fsattn_rows){0}, &output, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_tolerance_derive(t->emulator, (fsattn_rows){0}, &t->tolerance, NULL), FSATTN_OK);
}

static void trial_fini(trial *t) {
    fsattn_emulator_destroy(t->emulator);
    fsattn_operands_fini(&t->operands);
}

/* Runs a changed emulator and compares. */
static double ratio(const trial *t, const fsattn_emulator *changed) {
    static float other[elements];
    fsattn_emulator_output output = {.o = other};
    cr_assert_eq(fsattn_emulator_run(changed, (fsattn_rows){0}, &output, NULL), FSATTN_OK);
    return fsattn_tolerance_ratio(&t->tolerance, other, t->o, (size_t)(t->problem.s_q * d));
}

static const char *const methods[] = {"mxfp8", "mxfp6", "mxfp4", "flash2"};
enum { method_count = sizeof methods / sizeof *methods };

/* A defect in one tile of K or V: the operand as a kernel that reads the wrong bytes would see it. */
static double ratio_with_operand(const trial *t, bool in_k, void (*change)(float *operand)) {
    fsattn_emulator changed = *t->emulator;
    const size_t count = (size_t)keys * d;
    float *operand = malloc(count * sizeof *operand);
    memcpy(operand, in_k ? changed.k : changed.v, count * sizeof *operand);
    change(operand);
    if (in_k) {
        changed.k = operand;
    } else {
        changed.v = operand;
    }
    const double found = ratio(t, &changed);
    free(operand);
    return found;
}

static void scale_byte_of_k(float *k) { /* one scale byte of each lane of one fragment: 32 keys, 32 elements */
    for (int key = 128; key < 160; key++) {
        for (int e = 32; e < 64; e++) {
            k[key * d + e] *= 2;
        }
    }
}

static void scale_byte_of_v(float *v) {
    for (int key = 128; key < 160; key++) {
        for (int e = 0; e < d; e++) {
            v[key * d + e] *= 2;
        }
    }
}

static void swap_blocks(float *v) {
    for (int at = 128 * d; at < 160 * d; at++) {
        const float own = v[at];
        v[at] = v[at + 32 * d];
        v[at + 32 * d] = own;
    }
}

Test(tolerance, planted_defects_exceed_it_tenfold) {
    for (int m = 0; m < method_count; m++) {
        static trial t;
        trial_init(&t, methods[m], "", FSATTN_DISTRIBUTION_NORMAL, 1, queries, keys);
        const double k = ratio_with_operand(&t, true, scale_byte_of_k), v = ratio_with_operand(&t, false, scale_byte_of_v),
                     swapped = ratio_with_operand(&t, false, swap_blocks);
        cr_log_info("%s: tolerance %g, %g; scale byte of K %.0f, of V %.0f, swapped block %.0f", methods[m], t.tolerance.error,
                    t.tolerance.element, k, v, swapped);
        cr_expect_gt(k, 10, "%s: scale byte of K: %g", methods[m], k);
        cr_expect_gt(v, 10, "%s: scale byte of V: %g", methods[m], v);
        cr_expect_gt(swapped, 10, "%s: swapped block: %g", methods[m], swapped);
        if (strncmp(methods[m], "mxfp", 4) == 0) {
            t.emulator->planted = FSATTN_PLANTED_LOST_MATE;
            const double lost = ratio(&t, t.emulator);
            cr_log_info("  lost mate %.0f", lost);
            cr_expect_gt(lost, 10, "%s: lost block mate: %g", methods[m], lost);
        }
        trial_fini(&t);
        if (strncmp(methods[m], "mxfp", 4) == 0) {
            trial_init(&t, methods[m], "", FSATTN_DISTRIBUTION_LATE_SPIKE, 1, queries, keys);
            t.emulator->planted = FSATTN_PLANTED_MISSING_RESCALE;
            const double missing = ratio(&t, t.emulator);
            cr_log_info("  missing rescale %.0f (tolerance %g)", missing, t.tolerance.error);
            cr_expect_gt(missing, 10, "%s: missing rescale: %g", methods[m], missing);
            trial_fini(&t);
        }
    }
}

/* An order that the tolerance was not derived from: from the last element of head_dim to the first. */
static void reverse_elements(trial *t) {
    float *sides[] = {t->emulator->memory, t->emulator->memory + t->operands.q_elements};
    const int64_t rows[] = {t->problem.s_q, t->problem.s_k};
    for (int s = 0; s < 2; s++) {
        for (int64_t row = 0; row < rows[s]; row++) {
            float *x = sides[s] + row * d;
            for (int e = 0; e < d / 2; e++) {
                const float own = x[e];
                x[e] = x[d - 1 - e];
                x[d - 1 - e] = own;
            }
        }
    }
}

#if defined(__SANITIZE_ADDRESS__)
enum { seeds = 50 }; /* five times as slow, and no other code than in the optimised build */
#else
enum { seeds = 1000 };
#endif

Test(tolerance, a_thousand_seeds_of_another_order_stay_within) {
    double worst = 0;
    int differing = 0;
    for (uint64_t seed = 0; seed < seeds; seed++) {
        static trial t;
        trial_init(&t, methods[seed % 3], "", seed % 7 == 6 ? FSATTN_DISTRIBUTION_OUTLIERS : FSATTN_DISTRIBUTION_NORMAL, seed, 32, 192);
        reverse_elements(&t);
        t.emulator->config.accumulation = FSATTN_ACCUMULATION_SEQUENTIAL;
        const double r = ratio(&t, t.emulator);
        cr_assert_leq(r, 1, "seed %d, %s: %g", (int)seed, methods[seed % 3], r);
        worst = fmax(worst, r);
        differing += r > 0;
        trial_fini(&t);
    }
    cr_log_info("worst %g of the tolerance", worst);
    /* Where operands have few bits, whole sums are exact in float and no order shows. */
    cr_assert_gt(differing, seeds / 4, "only %d seeds differed at all", differing);
}

Test(tolerance, nan_on_one_side_is_never_within) {
    const fsattn_tolerance t = {1, 1, 1};
    const float a[] = {1, 2, NAN}, b[] = {1, 2, 3}, infinite[] = {1, 2, INFINITY}, close[] = {1, 2, 3.25f};
    cr_assert_eq(fsattn_tolerance_ratio(&t, a, a, 3), 0);
    cr_assert(isinf(fsattn_tolerance_ratio(&t, a, b, 3)));
    cr_assert(isinf(fsattn_tolerance_ratio(&t, b, a, 3)));
    cr_assert(isinf(fsattn_tolerance_ratio(&t, infinite, b, 3)));
    cr_assert_float_eq(fsattn_tolerance_ratio(&t, close, b, 3), 0.25, 1e-12);
}
