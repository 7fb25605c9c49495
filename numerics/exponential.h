/* exponential.h - from a tile's accumulator values to probabilities: exponentials, the two stages of conversion, reductions.
 *
 * Accumulator values are a = unit * (x - m) + zero, x in doublings (paper, equation 9; Algorithm 1, line 6). Internal to the
 * emulator. Pure functions.
 */
#ifndef FSATTN_EXPONENTIAL_H
#define FSATTN_EXPONENTIAL_H

#include "emulator.h"

/* Schraudolph's constant: least RMS error of the ramp over one doubling. */
#define FSATTN_SCHRAUDOLPH_EPSILON 0.05798

typedef struct fsattn_affine {
    int shift;   /* unit = 2^shift */
    float zero;  /* a of a score equal to the maximum */
} fsattn_affine;
fsattn_affine fsattn_exponential_affine(fsattn_exponential exponential);
/* Bits of the code; 0 when the exponential has none. */
int fsattn_exponential_bits(fsattn_exponential exponential);

/* Code of the affine argument: round(a) clamped, in the scale of the code; NaN gives 0 (v_cvt_pknorm_u16_f32, of which `facts`, may be
 * NULL, can say otherwise). */
uint32_t fsattn_exponential_code(fsattn_exponential exponential, const fsattn_facts *facts, float a);
/* Probability that a code stands for. */
float fsattn_exponential_decode(fsattn_exponential exponential, uint32_t code);
/* Probability for an accumulator value of an exponential without 16-bit codes (also U32, F32, U8). */
float fsattn_exponential_value(fsattn_exponential exponential, int degree, float a);

/* v_pk_maximum3_f16 folded over two 16-bit codes: NaN wins, unless `facts` (may be NULL) say otherwise, else the larger as FP16. */
uint16_t fsattn_maximum3(const fsattn_facts *facts, uint16_t a, uint16_t b);
/* Whether the FP16 gate `!(b <= cap)` fires. */
bool fsattn_maximum3_exceeds(uint16_t b, uint16_t cap);

/* Scale byte (E8M0) of a block of P whose maximum has these float bits (for 16-bit patterns: pattern << 16), saturated so that
 * it is never 0 and never NaN below the clamp (Algorithm 1, line 16). */
int fsattn_p_scale(fsattn_p_format format, uint32_t maximum_bits);
/* Quantizes p[0 .. keys - 1] of one row in place, blocks being neighbours. `maximum_bits[block]` is what the reduction found for each
 * 32-key block, or NULL: taken from p itself. What lies beyond a scale that the reduction left too small saturates in FP6 and FP4, and is
 * NaN in FP8, as v_cvt_scalef32_pk_fp8 has it while MODE.FP16_OVFL is 0: a row that the gate missed shows it. */
void fsattn_p_quantize(fsattn_p_format format, float *p, int keys, const uint32_t *maximum_bits);
/* Direct-P: x in doublings relative to any reference, to E2M1 probabilities with a block scale. */
void fsattn_direct_p(const float *x, const uint8_t *dead, int keys, float *p);

#endif
