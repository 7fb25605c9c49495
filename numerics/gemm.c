#include "gemm.h"

#include <math.h>
#include <string.h>

enum { lanes = fsattn_gemm_lanes, unroll = 4 };
typedef double lanes_double __attribute__((vector_size(lanes * 8), aligned(8), may_alias));
typedef float lanes_float __attribute__((vector_size(lanes * 4), aligned(4), may_alias));

/* Every body below exists twice, for processors with AVX2 and FMA and for the others: it is inlined into two functions, and the
 * pointer pair in BODY chooses once per call. */
#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2,fma")))
#define BODY(name, ...) (__builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2") ? name##_wide(__VA_ARGS__) : name##_plain(__VA_ARGS__))
#else
#define WIDE
#define BODY(name, ...) name##_plain(__VA_ARGS__)
#endif
#define INLINE static inline __attribute__((always_inline))

/* ---- scores ---- */

INLINE void scores_exact(const float *q, int rows, const float *k, int64_t stride, int keys, int head_dim,
                         const float *seed, float *s) {
    for (int r = 0; r < rows; r += lanes) {
        for (int j = 0; j < keys; j += unroll) {
            const float *key[unroll];
            lanes_double sum[unroll] = {{0}};
            for (int u = 0; u < unroll; u++) {
                key[u] = k + (j + u < keys ? j + u : keys - 1) * stride;
            }
            for (int e = 0; e < head_dim; e++) {
                lanes_double query = __builtin_convertvector(*(const lanes_float *)(q + e * rows + r), lanes_double);
                for (int u = 0; u < unroll; u++) {
                    sum[u] += query * (double)key[u][e];
                }
            }
            for (int u = 0; u < unroll && j + u < keys; u++) {
                lanes_double start = __builtin_convertvector(*(const lanes_float *)(seed + r), lanes_double);
                *(lanes_float *)(s + (j + u) * rows + r) = __builtin_convertvector(start + sum[u], lanes_float);
            }
        }
    }
}

INLINE void scores_sequential(const float *q, int rows, const float *k, int64_t stride, int keys, int head_dim,
                              const float *seed, float *s) {
    enum { wide_unroll = 8 };
    for (int r = 0; r < rows; r += lanes) {
        for (int j = 0; j < keys; j += wide_unroll) {
            const float *key[wide_unroll];
            float sum[wide_unroll][lanes];
            for (int u = 0; u < wide_unroll; u++) {
                key[u] = k + (j + u < keys ? j + u : keys - 1) * stride;
                memcpy(sum[u], seed + r, sizeof sum[u]);
            }
            for (int e = 0; e < head_dim; e++) {
                for (int u = 0; u < wide_unroll; u++) {
                    for (int lane = 0; lane < lanes; lane++) {
                        sum[u][lane] = __builtin_fmaf(q[e * rows + r + lane], key[u][e], sum[u][lane]);
                    }
                }
            }
            for (int u = 0; u < wide_unroll && j + u < keys; u++) {
                memcpy(s + (j + u) * rows + r, sum[u], sizeof sum[u]);
            }
        }
    }
}

/* ---- values ---- */

INLINE void values_exact(const float *p, int rows, const float *v, int64_t stride, int keys, int head_dim, float *o) {
    for (int r = 0; r < rows; r += lanes) {
        for (int e = 0; e < head_dim; e += unroll) {
            const int width = head_dim - e < unroll ? head_dim - e : unroll;
            lanes_double sum[unroll] = {{0}};
            for (int j = 0; j < keys; j++) {
                lanes_double probability = __builtin_convertvector(*(const lanes_float *)(p + j * rows + r), lanes_double);
                for (int u = 0; u < unroll; u++) {
                    sum[u] += probability * (double)v[j * stride + e + (u < width ? u : 0)];
                }
            }
            for (int u = 0; u < width; u++) {
                lanes_float *out = (lanes_float *)(o + (e + u) * rows + r);
                *out = __builtin_convertvector(__builtin_convertvector(*out, lanes_double) + sum[u], lanes_float);
            }
        }
    }
}

INLINE void values_sequential(const float *p, int rows, const float *v, int64_t stride, int keys, int head_dim, float *o) {
    enum { wide_unroll = 8 };
    for (int r = 0; r < rows; r += lanes) {
        for (int e = 0; e < head_dim; e += wide_unroll) {
            const int width = head_dim - e < wide_unroll ? head_dim - e : wide_unroll;
            float sum[wide_unroll][lanes];
            for (int u = 0; u < wide_unroll; u++) {
                memcpy(sum[u], o + (e + (u < width ? u : 0)) * rows + r, sizeof sum[u]);
            }
            for (int j = 0; j < keys; j++) {
                for (int u = 0; u < wide_unroll; u++) {
                    const float value = v[j * stride + e + (u < width ? u : 0)];
                    for (int lane = 0; lane < lanes; lane++) {
                        sum[u][lane] = __builtin_fmaf(p[j * rows + r + lane], value, sum[u][lane]);
                    }
                }
            }
            for (int u = 0; u < width; u++) {
                memcpy(o + (e + u) * rows + r, sum[u], sizeof sum[u]);
            }
        }
    }
}

/* ---- double ---- */

INLINE void scores_double(const double *q, const float *k, int64_t stride, int64_t keys, int head_dim, double *s) {
    for (int64_t j = 0; j < keys; j += unroll) {
        const float *key[unroll];
        lanes_double sum[unroll] = {{0}};
        for (int u = 0; u < unroll; u++) {
            key[u] = k + (j + u < keys ? j + u : keys - 1) * stride;
        }
        for (int e = 0; e < head_dim; e++) {
            for (int u = 0; u < unroll; u++) {
                sum[u] += *(const lanes_double *)(q + e * lanes) * (double)key[u][e];
            }
        }
        for (int u = 0; u < unroll && j + u < keys; u++) {
            *(lanes_double *)(s + (j + u) * lanes) = sum[u];
        }
    }
}

INLINE void values_double(const double *p, const float *v, int64_t stride, int64_t keys, int head_dim, double *o) {
    for (int e = 0; e < head_dim; e += unroll) {
        const int width = head_dim - e < unroll ? head_dim - e : unroll;
        lanes_double sum[unroll] = {{0}};
        for (int64_t j = 0; j < keys; j++) {
            for (int u = 0; u < unroll; u++) {
                sum[u] += *(const lanes_double *)(p + j * lanes) * (double)v[j * stride + e + (u < width ? u : 0)];
            }
        }
        for (int u = 0; u < width; u++) {
            *(lanes_double *)(o + (e + u) * lanes) += sum[u];
        }
    }
}

#define SCORES_ARGS const float *q, int rows, const float *k, int64_t stride, int keys, int head_dim, const float *seed, float *s
#define VALUES_ARGS const float *p, int rows, const float *v, int64_t stride, int keys, int head_dim, float *o
#define DOUBLE_SCORES_ARGS const double *q, const float *k, int64_t stride, int64_t keys, int head_dim, double *s
#define DOUBLE_VALUES_ARGS const double *p, const float *v, int64_t stride, int64_t keys, int head_dim, double *o
#define TWICE(name, parameters, ...)                                                                         \
    WIDE static void name##_wide(parameters) {                                                               \
        name(__VA_ARGS__);                                                                                   \
    }                                                                                                        \
    static void name##_plain(parameters) {                                                                   \
        name(__VA_ARGS__);                                                                                   \
    }
#if !defined(__x86_64__)
#undef TWICE
#define TWICE(name, parameters, ...)                                                                         \
    static void name##_plain(parameters) {                                                                   \
        name(__VA_ARGS__);                                                                                   \
    }
#endif
TWICE(scores_exact, SCORES_ARGS, q, rows, k, stride, keys, head_dim, seed, s)
TWICE(scores_sequential, SCORES_ARGS, q, rows, k, stride, keys, head_dim, seed, s)
TWICE(values_exact, VALUES_ARGS, p, rows, v, stride, keys, head_dim, o)
TWICE(values_sequential, VALUES_ARGS, p, rows, v, stride, keys, head_dim, o)
TWICE(scores_double, DOUBLE_SCORES_ARGS, q, k, stride, keys, head_dim, s)
TWICE(values_double, DOUBLE_VALUES_ARGS, p, v, stride, keys, head_dim, o)

/* ---- the other models, one sum at a time ---- */

static float sum_sequential(float start, const float *a, const float *b, int count) {
    for (int i = 0; i < count; i++) {
        start = fmaf(a[i], b[i], start);
    }
    return start;
}

static float sum_exact(float start, const float *a, const float *b, int count) {
    double sum = 0;
    for (int i = 0; i < count; i++) {
        sum += (double)a[i] * (double)b[i];
    }
    return (float)((double)start + sum);
}

static float tree(const float *a, const float *b, int count) {
    if (count == 1) {
        return a[0] * b[0];
    }
    return tree(a, b, count / 2) + tree(a + count / 2, b + count / 2, count - count / 2);
}

static float sum_pairwise(float start, const float *a, const float *b, int count) {
    return count ? start + tree(a, b, count) : start;
}

/* A matrix unit that adds 16 exact products and the accumulator after shifting all of them to the largest exponent, with
 * 26 bits kept and the rest cut off towards zero. */
static float sum_truncated(float start, const float *a, const float *b, int count) {
    enum { group = 16, kept_bits = 26 };
    for (int first = 0; first < count; first += group) {
        const int members = count - first < group ? count - first : group;
        double terms[group + 1], sum = 0;
        int largest = -2000;
        for (int i = 0; i <= members; i++) {
            terms[i] = i < members ? (double)a[first + i] * (double)b[first + i] : (double)start;
            int exponent = -2000;
            if (terms[i] != 0 && isfinite(terms[i])) {
                frexp(terms[i], &exponent);
            }
            largest = exponent > largest ? exponent : largest;
        }
        for (int i = 0; i <= members; i++) {
            sum += isfinite(terms[i]) ? ldexp(trunc(ldexp(terms[i], kept_bits - largest)), largest - kept_bits) : terms[i];
        }
        start = (float)sum;
    }
    return start;
}

typedef float sum_function(float start, const float *a, const float *b, int count);
static sum_function *const sums[] = {
    [FSATTN_ACCUMULATION_EXACT] = sum_exact,
    [FSATTN_ACCUMULATION_SEQUENTIAL] = sum_sequential,
    [FSATTN_ACCUMULATION_PAIRWISE] = sum_pairwise,
    [FSATTN_ACCUMULATION_TRUNCATED] = sum_truncated,
};
enum { longest = 1024 }; /* products summed at once: head_dim, or keys of a tile */

void fsattn_gemm_scores(fsattn_accumulation model, const float *q, int rows, const float *k, int64_t stride, int keys,
                        int head_dim, const float *seed, float *s) {
    if (model == FSATTN_ACCUMULATION_EXACT) {
        BODY(scores_exact, q, rows, k, stride, keys, head_dim, seed, s);
        return;
    }
    if (model == FSATTN_ACCUMULATION_SEQUENTIAL) {
        BODY(scores_sequential, q, rows, k, stride, keys, head_dim, seed, s);
        return;
    }
    float query[longest];
    for (int r = 0; r < rows; r++) {
        for (int e = 0; e < head_dim; e++) {
            query[e] = q[e * rows + r];
        }
        for (int j = 0; j < keys; j++) {
            s[j * rows + r] = sums[model](seed[r], query, k + j * stride, head_dim);
        }
    }
}

void fsattn_gemm_values(fsattn_accumulation model, const float *p, int rows, const float *v, int64_t stride, int keys,
                        int head_dim, const uint8_t *dead, float *o) {
    if (!dead && model == FSATTN_ACCUMULATION_EXACT) {
        BODY(values_exact, p, rows, v, stride, keys, head_dim, o);
        return;
    }
    if (!dead && model == FSATTN_ACCUMULATION_SEQUENTIAL) {
        BODY(values_sequential, p, rows, v, stride, keys, head_dim, o);
        return;
    }
    float probability[longest], value[longest];
    for (int e = 0; e < head_dim; e++) {
        for (int r = 0; r < rows; r++) {
            int count = 0;
            for (int j = 0; j < keys; j++) {
                if (!dead || !dead[j * rows + r]) {
                    probability[count] = p[j * rows + r];
                    value[count++] = v[j * stride + e];
                }
            }
            o[e * rows + r] = sums[model](o[e * rows + r], probability, value, count);
        }
    }
}

void fsattn_gemm_ones(fsattn_accumulation model, const float *p, int rows, int keys, float *sum) {
    float probability[longest], ones[longest];
    for (int r = 0; r < rows; r++) {
        for (int j = 0; j < keys; j++) {
            probability[j] = p[j * rows + r];
            ones[j] = 1;
        }
        sum[r] = sums[model](sum[r], probability, ones, keys);
    }
}

void fsattn_gemm_scores_double(const double *q, const float *k, int64_t stride, int64_t keys, int head_dim, double *s) {
    BODY(scores_double, q, k, stride, keys, head_dim, s);
}

void fsattn_gemm_values_double(const double *p, const float *v, int64_t stride, int64_t keys, int head_dim,
                               const uint8_t *dead, double *o) {
    if (!dead) {
        BODY(values_double, p, v, stride, keys, head_dim, o);
        return;
    }
    for (int64_t j = 0; j < keys; j++) {
        for (int e = 0; e < head_dim; e++) {
            for (int r = 0; r < lanes; r++) {
                if (!dead[j * lanes + r]) {
                    o[e * lanes + r] += p[j * lanes + r] * (double)v[j * stride + e];
                }
            }
        }
    }
}
