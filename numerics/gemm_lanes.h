/* gemm_lanes.h - the inner loops of gemm.h and of the reference: one group of eight query rows against many columns.
 *
 * Both products of attention are the same loop: out[c][lane] = start[c][lane] + sum over i of x[i][lane] * y[i][c], where a column
 * is a key and i runs over head_dim, or a column is an element of V and i runs over the keys. Only called when
 * fsattn_lanes_available(). Internal to numerics. Pure functions.
 */
#ifndef FSATTN_GEMM_LANES_H
#define FSATTN_GEMM_LANES_H

#include <stdbool.h>
#include <stdint.h>

/* Element (i, c) is y[i * step + c * column]. */
typedef struct fsattn_lanes_columns {
    const float *y;
    int64_t step, column;
    int64_t count;   /* i */
    int64_t columns; /* c */
} fsattn_lanes_columns;

/* Whether this processor has what the loops were compiled for: 32-byte vectors and fused multiply-add. */
bool fsattn_lanes_available(void);

/* Sums in double, one rounding to float at the end; strides in elements, between i, columns of `start` and of `out`. `start`
 * and `out` may be the same. */
void fsattn_lanes_exact(const float *x, int64_t x_stride, fsattn_lanes_columns y, const float *start,
                        int64_t start_stride, float *out, int64_t out_stride);
/* fused multiply-add in float, one after another from `start`. */
void fsattn_lanes_sequential(const float *x, int64_t x_stride, fsattn_lanes_columns y, const float *start,
                             int64_t start_stride, float *out, int64_t out_stride);
/* out[c] += sum, in double; x has eight values for each i, out eight for each column. */
void fsattn_lanes_double(const double *x, fsattn_lanes_columns y, double *out);

#endif
