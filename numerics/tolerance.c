#include "tolerance.h"

#include "compare.h"
#include "emulator_wave.h"
#include "error.h"
#include "memory.h"

#include <math.h>

enum { accepted_spreads = 2 };

/* Distance of neighbouring probabilities relative to their size, at most: of P's format, or of the exponential's codes. */
static double probability_step(const fsattn_emulator_config *c) {
    static const double formats[] = {
        [FSATTN_P_F32] = 0x1p-23,  [FSATTN_P_BF16] = 0x1p-7,  [FSATTN_P_FP8_ROW] = 0x1p-3,
        [FSATTN_P_MXFP8] = 0x1p-3, [FSATTN_P_MXFP6] = 0x1p-3, [FSATTN_P_MXFP4] = 0x1p-1,
    };
    static const double codes[] = {
        [FSATTN_EXPONENTIAL_EXACT] = 0x1p-23,
        [FSATTN_EXPONENTIAL_POLYNOMIAL] = 0x1p-22,
        [FSATTN_EXPONENTIAL_SCHRAUDOLPH_F32] = 0x1p-16, /* the affine argument has 24 bits, the exponent takes 7 of them */
        [FSATTN_EXPONENTIAL_SCHRAUDOLPH_U32] = 0x1p-16,
        [FSATTN_EXPONENTIAL_SCHRAUDOLPH_U16_BF16] = 0x1p-7,
        [FSATTN_EXPONENTIAL_SCHRAUDOLPH_U16_FP16] = 0x1p-10,
        [FSATTN_EXPONENTIAL_SCHRAUDOLPH_U8_E4M3] = 0x1p-3,
        [FSATTN_EXPONENTIAL_DIRECT_P] = 0x1p-1,
    };
    return fmax(formats[c->p_format], codes[c->exponential]);
}

static double output_rounding(fsattn_dtype dtype) {
    return dtype == FSATTN_BF16 ? 0x1p-9 : dtype == FSATTN_F16 ? 0x1p-12 : 0x1p-24;
}

fsattn_status fsattn_tolerance_derive(const fsattn_emulator *emulator, fsattn_rows rows, fsattn_tolerance *tolerance,
                                      fsattn_err *err) {
    return fsattn_tolerance_derive_from(emulator, rows, ~0u, tolerance, err);
}

fsattn_status fsattn_tolerance_derive_from(const fsattn_emulator *emulator, fsattn_rows rows, unsigned models, fsattn_tolerance *tolerance,
                                           fsattn_err *err) {
    fsattn_emulator e = *emulator; /* borrows the operands */
    const size_t count = rows.rows ? rows.count : (size_t)fsattn_problem_rows(&e.problem);
    const size_t d = (size_t)e.problem.head_dim, elements = count * d;
    float *o = fsattn_alloc(elements, sizeof *o), *other = fsattn_alloc(elements, sizeof *other);
    float *weight = fsattn_alloc(count, sizeof *weight);
    float *lse = fsattn_alloc(count, sizeof *lse), *other_lse = fsattn_alloc(count, sizeof *other_lse);
    fsattn_status status = FSATTN_OK;
    if (!o || !other || !weight || !lse || !other_lse) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for a tolerance");
        goto out;
    }
    e.problem.dtype_o = FSATTN_F32;
    fsattn_emulator_output output = {.o = o, .lse = lse, .weight = weight};
    FSATTN_GOTO(fsattn_emulator_run(&e, rows, &output, err));
    fsattn_tolerance spread = {0};
    output = (fsattn_emulator_output){.o = other, .lse = other_lse};
    for (int model = 0; model < fsattn_accumulation_count; model++) {
        if ((fsattn_accumulation)model == emulator->config.accumulation || !(models >> model & 1)) {
            continue;
        }
        e.config.accumulation = (fsattn_accumulation)model;
        FSATTN_GOTO(fsattn_emulator_run(&e, rows, &output, err));
        fsattn_comparison comparison = {0}; /* elements that are not finite are compared as such, not measured */
        fsattn_comparison_add(&comparison, other, o, elements);
        spread.error = fmax(spread.error, sqrt(comparison.difference2));
        spread.element = fmax(spread.element, comparison.maximum_error);
        comparison = (fsattn_comparison){0};
        fsattn_comparison_add(&comparison, other_lse, lse, count);
        spread.lse = fmax(spread.lse, comparison.maximum_error);
    }
    double norm2 = 0, largest = 0, heaviest = 0;
    for (size_t i = 0; i < elements; i++) {
        const double x = isfinite(o[i]) ? fabs((double)o[i]) : 0;
        norm2 += x * x;
        largest = fmax(largest, x);
    }
    for (size_t i = 0; i < count; i++) {
        heaviest = isfinite(weight[i]) ? fmax(heaviest, (double)weight[i]) : heaviest;
    }
    double longest = 0;
    for (size_t i = 0; i < count; i++) {
        longest = isfinite(lse[i]) ? fmax(longest, fabs((double)lse[i])) : longest;
    }
    const double step = heaviest * probability_step(&e.config), norm = norm2 > 0 ? sqrt(norm2) : 1;
    const double rounding = output_rounding(emulator->problem.dtype_o);
    tolerance->error = fmax(accepted_spreads * spread.error, step * (double)e.v_rms * sqrt((double)d)) / norm + rounding;
    tolerance->element = fmax(accepted_spreads * spread.element, step * (double)e.v_amax) + 2 * rounding * largest;
    tolerance->lse = fmax(accepted_spreads * spread.lse, step) + (1 + longest) * 0x1p-22;
out:
    fsattn_free(o);
    fsattn_free(other);
    fsattn_free(weight);
    fsattn_free(lse);
    fsattn_free(other_lse);
    return status;
}

double fsattn_tolerance_ratio(const fsattn_tolerance *t, const float *actual, const float *emulated, size_t count) {
    fsattn_comparison comparison = {0};
    fsattn_comparison_add(&comparison, actual, emulated, count);
    if (comparison.mismatches > 0) {
        return (double)INFINITY;
    }
    if (comparison.difference2 == 0) {
        return 0;
    }
    return fmax(fsattn_comparison_error(&comparison) / t->error, comparison.maximum_error / t->element);
}
