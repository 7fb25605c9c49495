#include "gemm.h"

#include "formats.h"
#include "gemm_lanes.h"

#include <math.h>
#include <string.h>

enum { lanes = fsattn_gemm_lanes, longest = 1024 }; /* products summed at once: head_dim, or keys of a tile */

/* ---- the models, one sum at a time: their definition ---- */

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

static float sum_pairwise(float start, const float *a, const float *b, int count) {
    float terms[longest];
    for (int i = 0; i < count; i++) {
        terms[i] = a[i] * b[i];
    }
    for (int n = count; n > 1; n = (n + 1) / 2) { /* neighbours; an odd one goes up as it is */
        for (int i = 0; i < n / 2; i++) {
            terms[i] = terms[2 * i] + terms[2 * i + 1];
        }
        if (n % 2) {
            terms[n / 2] = terms[n - 1];
        }
    }
    return count ? start + terms[0] : start;
}

/* A matrix unit that adds 16 exact products and the accumulator after shifting all of them to the largest exponent, with
 * 26 bits kept and the rest cut off towards zero. */
static float sum_truncated(float start, const float *a, const float *b, int count) {
    enum { group = 16, kept_bits = 26 };
    for (int first = 0; first < count; first += group) {
        const int members = count - first < group ? count - first : group;
        double terms[group + 1], sum = 0;
        int largest = -1022;
        for (int i = 0; i <= members; i++) {
            terms[i] = i < members ? (double)a[first + i] * (double)b[first + i] : (double)start;
            const int exponent = fsattn_exponent_of(terms[i]) + 1;
            largest = exponent > largest ? exponent : largest;
            sum += terms[i];
        }
        if (isfinite(sum)) { /* products of floats lie within 2^-298 and 2^256, so that both factors exist */
            largest = largest < -900 ? -900 : largest;
            const double up = fsattn_power_of_two(kept_bits - largest), down = fsattn_power_of_two(largest - kept_bits);
            int64_t units = 0;
            for (int i = 0; i <= members; i++) {
                units += (int64_t)(terms[i] * up);
            }
            sum = (double)units * down;
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
    [FSATTN_ACCUMULATION_COARSE] = sum_exact,
};

/* The two models that the suite spends its time in have loops over lanes; NULL for the others, and on processors that cannot
 * run them. */
typedef void lanes_function(const float *x, int64_t x_stride, fsattn_lanes_columns y, const float *start,
                            int64_t start_stride, float *out, int64_t out_stride);
static lanes_function *lanes_of(fsattn_accumulation model) {
    if (!fsattn_lanes_available()) {
        return NULL;
    }
    return model == FSATTN_ACCUMULATION_EXACT || model == FSATTN_ACCUMULATION_COARSE ? fsattn_lanes_exact
           : model == FSATTN_ACCUMULATION_SEQUENTIAL                                 ? fsattn_lanes_sequential
                                                                                     : NULL;
}

/* To 16 significant bits, ties to even: BF16's rounding eight bits further down. */
static void coarsen(float *s, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits;
        memcpy(&bits, &s[i], sizeof bits);
        bits = isfinite(s[i]) ? (bits + 0x7fu + (bits >> 8 & 1)) & ~0xffu : bits;
        memcpy(&s[i], &bits, sizeof bits);
    }
}

void fsattn_gemm_scores(fsattn_accumulation model, const float *q, int rows, const float *k, int64_t stride, int keys,
                        int head_dim, const float *seed, float *s) {
    lanes_function *function = lanes_of(model);
    const fsattn_lanes_columns columns = {.y = k, .step = 1, .column = stride, .count = head_dim, .columns = keys};
    for (int r = 0; function && r < rows; r += lanes) {
        function(q + r, rows, columns, seed + r, 0, s + r, rows);
    }
    float query[longest];
    for (int r = 0; !function && r < rows; r++) {
        for (int e = 0; e < head_dim; e++) {
            query[e] = q[e * rows + r];
        }
        for (int j = 0; j < keys; j++) {
            s[j * rows + r] = sums[model](seed[r], query, k + j * stride, head_dim);
        }
    }
    if (model == FSATTN_ACCUMULATION_COARSE) {
        coarsen(s, (int64_t)keys * rows);
    }
}

void fsattn_gemm_values(fsattn_accumulation model, const float *p, int rows, const float *v, int64_t stride, int keys,
                        int head_dim, const uint8_t *dead, float *o) {
    lanes_function *function = dead ? NULL : lanes_of(model);
    const fsattn_lanes_columns columns = {.y = v, .step = stride, .column = 1, .count = keys, .columns = head_dim};
    for (int r = 0; function && r < rows; r += lanes) {
        function(p + r, rows, columns, o + r, rows, o + r, rows);
    }
    float probability[longest], value[longest];
    for (int e = 0; !function && e < head_dim; e++) {
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

static void double_plain(const double *x, fsattn_lanes_columns y, double *out) {
    for (int64_t c = 0; c < y.columns; c++) {
        for (int64_t i = 0; i < y.count; i++) {
            for (int r = 0; r < lanes; r++) {
                out[c * lanes + r] += x[i * lanes + r] * (double)y.y[i * y.step + c * y.column];
            }
        }
    }
}

void fsattn_gemm_scores_double(const double *q, const float *k, int64_t stride, int64_t keys, int head_dim, double *s) {
    const fsattn_lanes_columns columns = {.y = k, .step = 1, .column = stride, .count = head_dim, .columns = keys};
    memset(s, 0, (size_t)(keys * lanes) * sizeof *s);
    (fsattn_lanes_available() ? fsattn_lanes_double : double_plain)(q, columns, s);
}

void fsattn_gemm_values_double(const double *p, const float *v, int64_t stride, int64_t keys, int head_dim,
                               const uint8_t *dead, double *o) {
    if (!dead) {
        const fsattn_lanes_columns columns = {.y = v, .step = stride, .column = 1, .count = keys, .columns = head_dim};
        (fsattn_lanes_available() ? fsattn_lanes_double : double_plain)(p, columns, o);
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
