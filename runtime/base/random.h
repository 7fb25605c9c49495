/* random.h - counter-based random numbers: Philox4x32-10 (Salmon et al., SC 2011).
 *
 * A number depends on (seed, stream, index) alone, so that any process can make any part of an input on its own.
 */
#ifndef FSATTN_RANDOM_H
#define FSATTN_RANDOM_H

#include <stdint.h>

/* 64 uniform bits. */
uint64_t fsattn_random_u64(uint64_t seed, uint64_t stream, uint64_t index);
/* Uniform in [0, 1), 53 bits. */
double fsattn_random_unit(uint64_t seed, uint64_t stream, uint64_t index);
/* Uniform in 0 .. count - 1 (multiply-shift; the bias is below count / 2^64). */
uint64_t fsattn_random_below(uint64_t seed, uint64_t stream, uint64_t index, uint64_t count);
/* Standard normal (Box-Muller on the two halves of one draw, 32 bits each). */
double fsattn_random_normal(uint64_t seed, uint64_t stream, uint64_t index);

#endif
