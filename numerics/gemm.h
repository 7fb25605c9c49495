/* gemm.h - the two products of attention over one tile, in several models of accumulation.
 *
 * Query rows lie in lanes: Q is given as [d][rows], scores come out as [keys][rows], O is [d][rows]. `rows` is a multiple of
 * fsattn_gemm_lanes; padded rows hold zeros. Products of float32 values are exact in double, so `exact` is the value that
 * every correctly rounded kernel lies close to, and the spread of the models bounds what an order of summation may do.
 * Internal to numerics. Pure functions.
 */
#ifndef FSATTN_GEMM_H
#define FSATTN_GEMM_H

#include <stdbool.h>
#include <stdint.h>

enum { fsattn_gemm_lanes = 8 };

/* X(NAME, text, meaning) */
#define FSATTN_ACCUMULATION_LIST(X)                                                                          \
    X(EXACT, "exact", "summed in double, rounded to float once a tile")                                      \
    X(SEQUENTIAL, "sequential", "fused multiply-add in float, one after another from the seed")             \
    X(PAIRWISE, "pairwise", "products rounded to float, summed as a balanced tree")                          \
    X(TRUNCATED, "truncated", "groups of 16 products aligned to their largest and cut at 26 bits")           \
    X(COARSE, "coarse", "exact, scores then rounded to 16 bits: worse than any unit, for tolerances")
typedef enum fsattn_accumulation {
#define X(name, text, meaning) FSATTN_ACCUMULATION_##name,
    FSATTN_ACCUMULATION_LIST(X)
#undef X
} fsattn_accumulation;
enum { fsattn_accumulation_count = FSATTN_ACCUMULATION_COARSE + 1 };

/* s[j][r] = seed[r] + sum over e of q[e][r] * k[j][e]; k has a row stride of `stride` elements. */
void fsattn_gemm_scores(fsattn_accumulation model, const float *q, int rows, const float *k, int64_t stride, int keys,
                        int head_dim, const float *seed, float *s);
/* o[e][r] += sum over j of p[j][r] * v[j][e]. With `dead` ([keys][rows], may be NULL) set where a key is masked for a row,
 * that product is left out, whatever V holds. */
void fsattn_gemm_values(fsattn_accumulation model, const float *p, int rows, const float *v, int64_t stride, int keys,
                        int head_dim, const uint8_t *dead, float *o);
/* sum[r] += sum over j of p[j][r]: the product with a column of ones. */
void fsattn_gemm_ones(fsattn_accumulation model, const float *p, int rows, int keys, float *sum);

/* The same in double for the reference, for fsattn_gemm_lanes rows. */
void fsattn_gemm_scores_double(const double *q, const float *k, int64_t stride, int64_t keys, int head_dim, double *s);
void fsattn_gemm_values_double(const double *p, const float *v, int64_t stride, int64_t keys, int head_dim,
                               const uint8_t *dead, double *o);

#endif
