/* mx.h - blocks that share a power-of-two scale (OCP Microscaling), and the rotation that spreads outliers before them.
 *
 * The order of operations is part of the definition, so that codes and scales can be compared for equality with a kernel's:
 * one float multiplication by a folded constant, Hadamard stages with distance 1, 2, 4, ..., no contraction, then the
 * block's largest magnitude, its scale, and one rounding to nearest even, saturating. Pure functions.
 */
#ifndef FSATTN_MX_H
#define FSATTN_MX_H

#include "formats.h"

enum { fsattn_mx_block = 32 };

/* X(NAME, text, meaning): how a block's exponent follows from its largest magnitude. */
#define FSATTN_MX_RULE_LIST(X)                                                                               \
    X(EVEN, "even", "exponent of the largest, rounded up from 1.75 on, less the format's largest exponent")  \
    X(FLOOR, "floor", "exponent of the largest less the format's largest exponent")                          \
    X(CEIL, "ceil", "smallest power of two with which nothing saturates")
typedef enum fsattn_mx_rule {
#define X(name, text, meaning) FSATTN_MX_##name,
    FSATTN_MX_RULE_LIST(X)
#undef X
} fsattn_mx_rule;

/* The rule with which the paper's tables come out: E4M3 even, E2M3 floor, E2M1 ceil. */
fsattn_mx_rule fsattn_mx_rule_usual(fsattn_format element);
/* E8M0 code for a block whose largest magnitude is `amax`: 127 (one) for 0, 0xFF for NaN or infinity. */
uint8_t fsattn_mx_scale(fsattn_mx_rule rule, fsattn_format element, float amax);
/* `count` values, `stride` elements apart: codes [count] and the scale. A block with NaN or infinity gets scale 0xFF and
 * codes 0. `shift` is added to the scale's code, saturating at 0 (Algorithm 1, line 3: -9 for Q). */
void fsattn_mx_quantize(fsattn_mx_rule rule, fsattn_format element, const float *values, int64_t stride, int count,
                        int shift, uint8_t *codes, uint8_t *scale);
/* Value of an element: code times scale, exact in float unless it underflows; NaN for scale 0xFF. */
float fsattn_mx_value(fsattn_format element, uint8_t code, uint8_t scale);

/* x <- H x for one row of d values, d a power of two; H has entries +-1 (not normalized: fold 1/sqrt(d) into the factor that
 * precedes it). H H = d I. */
void fsattn_hadamard(float *x, int d);

#endif
