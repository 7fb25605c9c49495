/* Vector instructions on doubles and 64-bit integers, and the division helpers of both widths: ISA manual, sections 12.8 - 12.10. */
#include "sim_rows.h"

#include <math.h>

static inline double max_number(double a, double b) {
    return a != a ? b : b != b ? a : a > b ? a : b > a ? b : sim_f64(sim_u64(a) & sim_u64(b));
}
static inline double min_number(double a, double b) {
    return a != a ? b : b != b ? a : a < b ? a : b < a ? b : sim_f64(sim_u64(a) | sim_u64(b));
}
static inline double fraction(double a) {
    const double f = a - floor(a);
    return f < 1 ? f : f != f ? f : 0x1.fffffffffffffp-1;
}
static inline double mantissa(double a) {
    int e;
    return isfinite(a) ? frexp(a, &e) : a;
}
static inline double scale_by(double a, int32_t n) {
    return ldexp(a, n < -5000 ? -5000 : n > 5000 ? 5000 : n);
}

/* 2/pi, 1201 bits from the first behind the point. */
static const uint32_t two_over_pi[] = {
    0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561,
    0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484,
    0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f,
    0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b,
    0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b0000,
};
static uint64_t bits_of_two_over_pi(unsigned from) {
    uint64_t bits = 0;
    for (unsigned i = from; i < from + 53; i++) {
        const unsigned word = i / 32;
        bits = bits << 1 | (word < sizeof two_over_pi / sizeof *two_over_pi && i < 1201 ? two_over_pi[word] >> (31 - i % 32) & 1 : 0);
    }
    return bits;
}
/* The 53 bits of 2/pi that argument reduction of `a` needs in its step n, as a double. */
static double trig_preop(double a, uint32_t n) {
    const int exponent = (int)(sim_u64(a) >> 52 & 0x7ff);
    unsigned shift = (n & 31) * 53;
    if (exponent > 1077) {
        shift += (unsigned)exponent - 1077;
    }
    const int scale = -53 - (int)shift + (exponent >= 1968 ? 128 : 0);
    return ldexp((double)bits_of_two_over_pi(shift), scale);
}

#define F64_1_LIST(X)                                                                                        \
    X(v_rcp_f64, 1.0 / a)                                                                                    \
    X(v_rsq_f64, 1.0 / sqrt(a))                                                                              \
    X(v_sqrt_f64, sqrt(a))                                                                                   \
    X(v_floor_f64, floor(a))                                                                                 \
    X(v_ceil_f64, ceil(a))                                                                                   \
    X(v_trunc_f64, trunc(a))                                                                                 \
    X(v_rndne_f64, nearbyint(a))                                                                             \
    X(v_fract_f64, fraction(a))                                                                              \
    X(v_frexp_mant_f64, mantissa(a))
#define F64_2_LIST(X)                                                                                        \
    X(v_add_f64, a + b)                                                                                      \
    X(v_mul_f64, a * b)                                                                                      \
    X(v_max_f64, max_number(a, b))                                                                           \
    X(v_min_f64, min_number(a, b))
#define READ(k, name)                                                                                        \
    uint64_t from_##name[sim_lanes];                                                                         \
    sim_read64(w, in, k, from_##name)
#define WORDS(k, name)                                                                                       \
    uint32_t temporary_##name[sim_lanes];                                                                    \
    const uint32_t *from_##name = sim_read32(w, in, k, temporary_##name)
#define X(name, expression)                                                                                  \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        uint64_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const double a = sim_f64(from_a[i]);                                                             \
            out[i] = sim_u64(expression);                                                                    \
        }                                                                                                    \
        sim_write_f64(w, in, out);                                                                           \
    }
F64_1_LIST(X)
#undef X
#define X(name, expression)                                                                                  \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        READ(2, b);                                                                                          \
        uint64_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const double a = sim_f64(from_a[i]), b = sim_f64(from_b[i]);                                     \
            out[i] = sim_u64(expression);                                                                    \
        }                                                                                                    \
        sim_write_f64(w, in, out);                                                                           \
    }
F64_2_LIST(X)
#undef X

static void run_v_fma_f64(sim_wave *w, const sim_instruction *in) {
    READ(1, a);
    READ(2, b);
    READ(3, c);
    uint64_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        out[i] = sim_u64(fma(sim_f64(from_a[i]), sim_f64(from_b[i]), sim_f64(from_c[i])));
    }
    sim_write_f64(w, in, out);
}
static void run_v_fmac_f64(sim_wave *w, const sim_instruction *in) {
    READ(0, c);
    READ(1, a);
    READ(2, b);
    uint64_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        out[i] = sim_u64(fma(sim_f64(from_a[i]), sim_f64(from_b[i]), sim_f64(from_c[i])));
    }
    sim_write_f64(w, in, out);
}
static void run_v_ldexp_f64(sim_wave *w, const sim_instruction *in) {
    READ(1, a);
    WORDS(2, b);
    uint64_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        out[i] = sim_u64(scale_by(sim_f64(from_a[i]), (int32_t)from_b[i]));
    }
    sim_write_f64(w, in, out);
}
static void run_v_trig_preop_f64(sim_wave *w, const sim_instruction *in) {
    READ(1, a);
    WORDS(2, b);
    uint64_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        out[i] = sim_u64(trig_preop(sim_f64(from_a[i]), from_b[i]));
    }
    sim_write_f64(w, in, out);
}

/* ---- conversions ------------------------------------------------------------------------------------- */

static uint32_t to_signed(double a) {
    return a != a ? 0 : a >= 2147483647.0 ? INT32_MAX : a <= -2147483648.0 ? 0x80000000u : (uint32_t)(int32_t)a;
}
static uint32_t to_unsigned(double a) {
    return !(a > 0) ? 0 : a >= 4294967295.0 ? UINT32_MAX : (uint32_t)a;
}
static uint32_t exponent(double a) {
    int e = 0;
    if (isfinite(a)) {
        frexp(a, &e);
    }
    return (uint32_t)e;
}
#define FROM_F64_LIST(X)                                                                                     \
    X(v_cvt_f32_f64, sim_u32((float)a))                                                                      \
    X(v_cvt_i32_f64, to_signed(a))                                                                           \
    X(v_cvt_u32_f64, to_unsigned(a))                                                                         \
    X(v_frexp_exp_i32_f64, exponent(a))
#define X(name, expression)                                                                                  \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        uint32_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const double a = sim_f64(from_a[i]);                                                             \
            out[i] = expression;                                                                             \
        }                                                                                                    \
        sim_write32(w, in, out);                                                                             \
    }
FROM_F64_LIST(X)
#undef X
#define TO_F64_LIST(X)                                                                                       \
    X(v_cvt_f64_f32, "Dd xf", (double)sim_f32(a))                                                            \
    X(v_cvt_f64_i32, "Dd xi", (double)(int32_t)a)                                                            \
    X(v_cvt_f64_u32, "Dd xi", (double)a)
#define X(name, pattern, expression)                                                                         \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        WORDS(1, a);                                                                                         \
        uint64_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const uint32_t a = from_a[i];                                                                    \
            out[i] = sim_u64(expression);                                                                    \
        }                                                                                                    \
        sim_write_f64(w, in, out);                                                                           \
    }
TO_F64_LIST(X)
#undef X

/* ---- division: a / b = fixup(fmas(...)), with sources scaled where the quotient would leave the range --- */

static bool is_subnormal(double a, double smallest) {
    return a != 0 && fabs(a) < smallest;
}
/* The manual's text scales a denominator near the top further up here, and scales quotients back by 2^32 and 2^64 always. Neither can
 * divide rightly; what stands here does, and is what AMD's later manuals say: down by 2^64 (2^128), and back up or down by
 * as much, as the quotient's exponent tells.
 * `value` is the one of denominator and numerator that is scaled; *vcc says that the quotient must be scaled back. Range of a
 * format: exponent bias, widest exponent difference, scale and mantissa bits. */
typedef struct range {
    double smallest;
    int bias, difference, scale, mantissa_bits;
} range;
static const range range32 = {0x1p-126, 127, 96, 64, 23}, range64 = {0x1p-1022, 1023, 768, 128, 53};
static int biased(double a, const range *r) {
    int e;
    if (a == 0) {
        return 0;
    }
    frexp(a, &e);
    e += r->bias - 1;
    return e < 0 ? 0 : e;
}
static double div_scale(double value, double denominator, double numerator, const range *r, bool *vcc) {
    const int apart = biased(numerator, r) - biased(denominator, r);
    const double up = ldexp(value, r->scale);
    const bool is_denominator = value == denominator, is_numerator = value == numerator;
    const bool inverse_small = is_subnormal(1.0 / denominator, r->smallest);
    const bool quotient_small = r == &range32 ? is_subnormal(numerator / denominator, r->smallest)
                                              : is_subnormal(numerator / denominator, r->smallest) || apart < -1023;
    *vcc = false;
    if (numerator == 0 || denominator == 0) {
        return NAN;
    }
    if (!isfinite(numerator) || !isfinite(denominator)) {
        return value;
    }
    if (apart >= r->difference) {
        *vcc = true;
        return is_denominator ? up : value;
    }
    if (is_subnormal(denominator, r->smallest)) {
        return up;
    }
    if (inverse_small && quotient_small) {
        *vcc = true;
        return is_denominator ? ldexp(value, -r->scale) : value;
    }
    if (inverse_small) {
        return ldexp(value, -r->scale);
    }
    if (quotient_small) {
        *vcc = true;
        return is_numerator ? up : value;
    }
    return biased(numerator, r) <= r->mantissa_bits ? up : value;
}
static double div_fixup(double quotient, double denominator, double numerator, const range *r) {
    const bool negative = signbit(denominator) != signbit(numerator);
    const double infinite = negative ? -INFINITY : INFINITY, zero = negative ? -0.0 : 0.0;
    if (numerator != numerator || denominator != denominator) {
        return numerator != numerator ? numerator : denominator;
    }
    if ((denominator == 0 && numerator == 0) || (isinf(denominator) && isinf(numerator))) {
        return NAN;
    }
    if (denominator == 0 || isinf(numerator)) {
        return infinite;
    }
    if (isinf(denominator) || numerator == 0) {
        return zero;
    }
    if (biased(numerator, r) - biased(denominator, r) < (r == &range32 ? -150 : -1075)) {
        return zero;
    }
    return negative ? -fabs(quotient) : fabs(quotient);
}
static void run_v_div_scale_f32(sim_wave *w, const sim_instruction *in) {
    WORDS(2, a);
    WORDS(3, b);
    WORDS(4, c);
    uint32_t out[sim_lanes], bit[sim_lanes];
    SIM_EACH_LANE(i) {
        bool vcc;
        out[i] = sim_u32((float)div_scale((double)sim_f32(from_a[i]), (double)sim_f32(from_b[i]), (double)sim_f32(from_c[i]), &range32, &vcc));
        bit[i] = vcc;
    }
    sim_write_bits(w, in, 1, bit);
    sim_write32(w, in, out);
}
static void run_v_div_scale_f64(sim_wave *w, const sim_instruction *in) {
    READ(2, a);
    READ(3, b);
    READ(4, c);
    uint64_t out[sim_lanes];
    uint32_t bit[sim_lanes];
    SIM_EACH_LANE(i) {
        bool vcc;
        out[i] = sim_u64(div_scale(sim_f64(from_a[i]), sim_f64(from_b[i]), sim_f64(from_c[i]), &range64, &vcc));
        bit[i] = vcc;
    }
    sim_write_bits(w, in, 1, bit);
    sim_write64(w, in, out);
}
static void run_v_div_fmas_f32(sim_wave *w, const sim_instruction *in) {
    WORDS(1, a);
    WORDS(2, b);
    WORDS(3, c);
    uint32_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        const float q = fmaf(sim_f32(from_a[i]), sim_f32(from_b[i]), sim_f32(from_c[i]));
        const float back = (from_c[i] >> 23 & 0xff) > 127 ? 0x1p64f : 0x1p-64f;
        out[i] = sim_u32(w->s64[sim_vcc / 2] >> i & 1 ? q * back : q);
    }
    sim_write_f32(w, in, out);
}
static void run_v_div_fmas_f64(sim_wave *w, const sim_instruction *in) {
    READ(1, a);
    READ(2, b);
    READ(3, c);
    uint64_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        const double q = fma(sim_f64(from_a[i]), sim_f64(from_b[i]), sim_f64(from_c[i]));
        const double back = (from_c[i] >> 52 & 0x7ff) > 1023 ? 0x1p128 : 0x1p-128;
        out[i] = sim_u64(w->s64[sim_vcc / 2] >> i & 1 ? q * back : q);
    }
    sim_write_f64(w, in, out);
}
static void run_v_div_fixup_f32(sim_wave *w, const sim_instruction *in) {
    WORDS(1, a);
    WORDS(2, b);
    WORDS(3, c);
    uint32_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        out[i] = sim_u32((float)div_fixup((double)sim_f32(from_a[i]), (double)sim_f32(from_b[i]), (double)sim_f32(from_c[i]), &range32));
    }
    sim_write_f32(w, in, out);
}
static void run_v_div_fixup_f64(sim_wave *w, const sim_instruction *in) {
    READ(1, a);
    READ(2, b);
    READ(3, c);
    uint64_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        out[i] = sim_u64(div_fixup(sim_f64(from_a[i]), sim_f64(from_b[i]), sim_f64(from_c[i]), &range64));
    }
    sim_write_f64(w, in, out);
}
static void run_v_div_fixup_f16(sim_wave *w, const sim_instruction *in) {
    WORDS(1, a);
    WORDS(2, b);
    WORDS(3, c);
    uint32_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        const double q = (double)sim_half_to_f32(from_a[i]), d = (double)sim_half_to_f32(from_b[i]), n = (double)sim_half_to_f32(from_c[i]);
        out[i] = sim_half_from_f64(div_fixup(q, d, n, &range32));
    }
    sim_write16(w, in, out);
}

/* ---- 64-bit integers --------------------------------------------------------------------------------- */

#define SHIFT64_LIST(X)                                                                                      \
    X(v_lshlrev_b64, b << (a & 63))                                                                          \
    X(v_lshrrev_b64, b >> (a & 63))                                                                          \
    X(v_ashrrev_i64, (uint64_t)((int64_t)b >> (a & 63)))
#define X(name, expression)                                                                                  \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        WORDS(1, a);                                                                                         \
        READ(2, b);                                                                                          \
        uint64_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const uint32_t a = from_a[i];                                                                    \
            const uint64_t b = from_b[i];                                                                    \
            out[i] = expression;                                                                             \
        }                                                                                                    \
        sim_write64(w, in, out);                                                                             \
    }
SHIFT64_LIST(X)
#undef X
static void run_v_mov_b64(sim_wave *w, const sim_instruction *in) {
    READ(1, a);
    sim_write64(w, in, from_a);
}
static void run_v_lshl_add_u64(sim_wave *w, const sim_instruction *in) {
    READ(1, a);
    WORDS(2, b);
    READ(3, c);
    uint64_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        out[i] = (from_a[i] << (from_b[i] & 7)) + from_c[i];
    }
    sim_write64(w, in, out);
}
static void run_v_mad_64(sim_wave *w, const sim_instruction *in, bool is_signed) {
    WORDS(2, a);
    WORDS(3, b);
    READ(4, c);
    uint64_t out[sim_lanes];
    uint32_t bit[sim_lanes];
    SIM_EACH_LANE(i) {
        const uint64_t product = is_signed ? (uint64_t)((int64_t)(int32_t)from_a[i] * (int32_t)from_b[i]) : (uint64_t)from_a[i] * from_b[i];
        out[i] = product + from_c[i];
        bit[i] = is_signed ? (uint32_t)((~(product ^ from_c[i]) & (product ^ out[i])) >> 63) : out[i] < product;
    }
    sim_write_bits(w, in, 1, bit);
    sim_write64(w, in, out);
}
static void run_v_mad_u64_u32(sim_wave *w, const sim_instruction *in) { run_v_mad_64(w, in, false); }
static void run_v_mad_i64_i32(sim_wave *w, const sim_instruction *in) { run_v_mad_64(w, in, true); }

static const sim_row rows[] = {
#define X(name, expression) {#name, "Dd xd", run_##name, SIM_ROW_OUTPUT},
    F64_1_LIST(X)
#undef X
#define X(name, expression) {#name, "Dd xd xd", run_##name, SIM_ROW_OUTPUT},
    F64_2_LIST(X)
#undef X
    {"v_fma_f64", "Dd xd xd xd", run_v_fma_f64, SIM_ROW_OUTPUT},
    {"v_fmac_f64", "Md xd xd", run_v_fmac_f64, SIM_ROW_OUTPUT},
    {"v_ldexp_f64", "Dd xd xi", run_v_ldexp_f64, SIM_ROW_OUTPUT},
    {"v_trig_preop_f64", "Dd xd xi", run_v_trig_preop_f64, SIM_ROW_OUTPUT},
#define X(name, expression) {#name, "Di xd", run_##name, 0},
    FROM_F64_LIST(X)
#undef X
#define X(name, pattern, expression) {#name, pattern, run_##name, SIM_ROW_OUTPUT},
    TO_F64_LIST(X)
#undef X
    {"v_div_scale_f32", "Df Sl xf xf xf", run_v_div_scale_f32, 0},
    {"v_div_scale_f64", "Dd Sl xd xd xd", run_v_div_scale_f64, 0},
    {"v_div_fmas_f32", "Df xf xf xf", run_v_div_fmas_f32, SIM_ROW_OUTPUT},
    {"v_div_fmas_f64", "Dd xd xd xd", run_v_div_fmas_f64, SIM_ROW_OUTPUT},
    {"v_div_fixup_f32", "Df xf xf xf", run_v_div_fixup_f32, SIM_ROW_OUTPUT},
    {"v_div_fixup_f64", "Dd xd xd xd", run_v_div_fixup_f64, SIM_ROW_OUTPUT},
    {"v_div_fixup_f16", "Dh xh xh xh", run_v_div_fixup_f16, SIM_ROW_PRESERVE},
#define X(name, expression) {#name, "Dl xi xl", run_##name, 0},
    SHIFT64_LIST(X)
#undef X
    {"v_mov_b64", "Dl xl", run_v_mov_b64, 0},
    {"v_lshl_add_u64", "Dl xl xi xl", run_v_lshl_add_u64, 0},
    {"v_mad_u64_u32", "Dl Sl xi xi xl", run_v_mad_u64_u32, 0},
    {"v_mad_i64_i32", "Dl Sl xi xi xl", run_v_mad_i64_i32, 0},
};
SIM_DEFINE_TABLE(sim_vector64);
