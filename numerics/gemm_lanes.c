/* Compiled with -ffp-contract=fast (CMakeLists.txt): each "sum += x * y" is one fused multiply-add. The sequential model is
 * defined by that, the others only gain speed; test_gemm compares with fma() one sum at a time.
 *
 * Accumulators are named variables and not arrays, because compilers keep an array of vectors in memory. */
#include "gemm_lanes.h"

typedef double double4 __attribute__((vector_size(32)));
typedef float float4 __attribute__((vector_size(16)));
typedef float float8 __attribute__((vector_size(32)));
/* The same in memory, at any address that a float or double may have. */
typedef double double4_memory __attribute__((vector_size(32), aligned(8), may_alias));
typedef float float4_memory __attribute__((vector_size(16), aligned(4), may_alias));
typedef float float8_memory __attribute__((vector_size(32), aligned(4), may_alias));

#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2,fma")))
bool fsattn_lanes_available(void) {
    return __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
}
#else
#define WIDE
bool fsattn_lanes_available(void) {
#if defined(__FP_FAST_FMAF)
    return true;
#else
    return false;
#endif
}
#endif

enum { lanes = 8 };
#define FOUR(X) X(0) X(1) X(2) X(3)
#define EIGHT(X) FOUR(X) X(4) X(5) X(6) X(7)

/* Columns past the end repeat the last one; their sums are not stored. */
static const float *column_at(const fsattn_lanes_columns *y, int64_t c) {
    return y->y + (c < y->columns ? c : y->columns - 1) * y->column;
}

WIDE static double4 widen(const float *from) {
    return __builtin_convertvector(*(const float4_memory *)from, double4);
}

WIDE static void narrow(double4 sum, const float *start, float *out) {
    *(float4_memory *)out = __builtin_convertvector(widen(start) + sum, float4);
}

#define COLUMN(u) const float *const y##u = column_at(&y, c + u);
#define DOUBLE_ZERO(u) double4 low##u = {0}, high##u = {0};
#define DOUBLE_STEP(u)                                                                                       \
    {                                                                                                        \
        const double value = (double)y##u[i * y.step];                                                       \
        low##u += low * value;                                                                               \
        high##u += high * value;                                                                             \
    }

WIDE void fsattn_lanes_exact(const float *x, int64_t x_stride, fsattn_lanes_columns y, const float *start,
                             int64_t start_stride, float *out, int64_t out_stride) {
    for (int64_t c = 0; c < y.columns; c += 4) {
        FOUR(COLUMN)
        FOUR(DOUBLE_ZERO)
        for (int64_t i = 0; i < y.count; i++) {
            const double4 low = widen(x + i * x_stride), high = widen(x + i * x_stride + lanes / 2);
            FOUR(DOUBLE_STEP)
        }
#define EXACT_STORE(u)                                                                                       \
    if (c + u < y.columns) {                                                                                 \
        narrow(low##u, start + (c + u) * start_stride, out + (c + u) * out_stride);                          \
        narrow(high##u, start + (c + u) * start_stride + lanes / 2, out + (c + u) * out_stride + lanes / 2); \
    }
        FOUR(EXACT_STORE)
    }
}

WIDE void fsattn_lanes_double(const double *x, fsattn_lanes_columns y, double *out) {
    for (int64_t c = 0; c < y.columns; c += 4) {
        FOUR(COLUMN)
        FOUR(DOUBLE_ZERO)
        for (int64_t i = 0; i < y.count; i++) {
            const double4 low = *(const double4_memory *)(x + i * lanes);
            const double4 high = *(const double4_memory *)(x + i * lanes + lanes / 2);
            FOUR(DOUBLE_STEP)
        }
#define DOUBLE_STORE(u)                                                                                      \
    if (c + u < y.columns) {                                                                                 \
        *(double4_memory *)(out + (c + u) * lanes) += low##u;                                                \
        *(double4_memory *)(out + (c + u) * lanes + lanes / 2) += high##u;                                   \
    }
        FOUR(DOUBLE_STORE)
    }
}

WIDE void fsattn_lanes_sequential(const float *x, int64_t x_stride, fsattn_lanes_columns y, const float *start,
                                  int64_t start_stride, float *out, int64_t out_stride) {
    for (int64_t c = 0; c < y.columns; c += 8) {
        EIGHT(COLUMN)
#define FLOAT_START(u) float8 sum##u = *(const float8_memory *)(start + (c + u < y.columns ? c + u : 0) * start_stride);
        EIGHT(FLOAT_START)
        for (int64_t i = 0; i < y.count; i++) {
            const float8 query = *(const float8_memory *)(x + i * x_stride);
#define FLOAT_STEP(u) sum##u += query * y##u[i * y.step];
            EIGHT(FLOAT_STEP)
        }
#define FLOAT_STORE(u)                                                                                       \
    if (c + u < y.columns) {                                                                                 \
        *(float8_memory *)(out + (c + u) * out_stride) = sum##u;                                             \
    }
        EIGHT(FLOAT_STORE)
    }
}
