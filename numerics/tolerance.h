/* tolerance.h - how far a right kernel may be from the emulation of its very configuration.
 *
 * Two right implementations add in another order. Where probabilities are quantized, a last bit of a score moves a code now and
 * then, and a code moves its row by far more than a rounding: that, not the rounding, is what a tolerance must allow, and
 * it falls on few rows. So it bounds the whole selection (relative Frobenius norm), where a defect stands out, and besides
 * any single element. Derived from runs of the emulator in every model of accumulation, among them one ("coarse") whose
 * scores have 16 bits and which therefore moves far more codes than any matrix unit would:
 *   error   = 2 x the largest spread, at least one quantization step of the largest probability in one row, plus the rounding
 *             of the output's dtype;
 *   element = 2 x the largest spread of an element, at least that step times the largest V, plus twice that rounding.
 * Any thread; the emulator is only read.
 */
#ifndef FSATTN_TOLERANCE_H
#define FSATTN_TOLERANCE_H

#include "emulator.h"

typedef struct fsattn_tolerance {
    double error;   /* of ||O - O_emulated|| / ||O_emulated|| over all elements */
    double element; /* of |o - o_emulated| */
    double lse;     /* of |log-sum-exp - emulated|: the same of the row sum */
} fsattn_tolerance;

/* For these rows; more of them give a tighter `error`, so compare whole waves at least. FSATTN_NO_MEMORY is the only failure. */
fsattn_status fsattn_tolerance_derive(const fsattn_emulator *emulator, fsattn_rows rows, fsattn_tolerance *tolerance,
                                      fsattn_err *err);
/* The same from some models (bits 1 << FSATTN_ACCUMULATION_...): the coarse one alone moves more codes than all others. */
fsattn_status fsattn_tolerance_derive_from(const fsattn_emulator *emulator, fsattn_rows rows, unsigned models, fsattn_tolerance *tolerance,
                                           fsattn_err *err);
/* The larger of both measures in units of the tolerance: at most 1 is right. Infinite when one side alone is NaN or infinities
 * differ. */
double fsattn_tolerance_ratio(const fsattn_tolerance *tolerance, const float *actual, const float *emulated, size_t count);

#endif
