/* Cases of vector instructions of one lane: 32 and 64 bits, halves, comparisons, simple conversions. ISA manual, chapters 6 and 12. */
#ifndef CONFORMANCE_VECTOR_H
#define CONFORMANCE_VECTOR_H

#include "conformance.h"

/* ---- how a reference reads and writes: f d h floats, i s 32 bits, w x 16, l m 64 (unsigned, signed), _ nothing ---- */
#define CONF_IN_f(v) const float v = conf_f(x->v); (void)v;
#define CONF_IN_d(v) const double v = conf_d(x->v); (void)v;
#define CONF_IN_h(v) const double v = conf_h(x->v); (void)v;
#define CONF_IN_i(v) const uint32_t v = (uint32_t)x->v; (void)v;
#define CONF_IN_s(v) const int32_t v = (int32_t)x->v; (void)v;
#define CONF_IN_w(v) const uint32_t v = (uint16_t)x->v; (void)v;
#define CONF_IN_x(v) const int32_t v = (int16_t)x->v; (void)v;
#define CONF_IN_l(v) const uint64_t v = x->v; (void)v;
#define CONF_IN_m(v) const int64_t v = (int64_t)x->v; (void)v;
#define CONF_IN__(v)
#define CONF_OUT_f(e) x->d = conf_from_f((float)(e))
#define CONF_OUT_p(e) x->d = (uint32_t)(e)
#define CONF_OUT_B(e) x->d = (uint32_t)(e)
#define CONF_OUT_d(e) x->d = conf_from_d((double)(e))
#define CONF_OUT_h(e) x->d = conf_from_h((double)(e))
#define CONF_OUT_i(e) x->d = (uint32_t)(e)
#define CONF_OUT_s(e) x->d = (uint32_t)(int32_t)(e)
#define CONF_OUT_w(e) x->d = (uint16_t)(e)
#define CONF_OUT_x(e) x->d = (uint16_t)(int16_t)(e)
#define CONF_OUT_l(e) x->d = (uint64_t)(e)
#define CONF_OUT_m(e) x->d = (uint64_t)(int64_t)(e)
#define CONF_OUT__(e) x->bit = (e)
#define CONF_TYPE_f 'f'
#define CONF_TYPE_p 'p'
#define CONF_TYPE_B 'B'
#define CONF_TYPE_d 'd'
#define CONF_TYPE_h 'h'
#define CONF_TYPE_i 'i'
#define CONF_TYPE_s 'i'
#define CONF_TYPE_w 'w'
#define CONF_TYPE_x 'w'
#define CONF_TYPE_l 'l'
#define CONF_TYPE_m 'l'
#define CONF_TYPE__ '_'

/* ---- definitions that take more than an expression ---- */

static double ref_max(double a, double b) { /* maxNum; +0 above -0 */
    return isnan(a) ? b : isnan(b) ? a : a == b ? (signbit(a) ? b : a) : a < b ? b : a;
}
static double ref_min(double a, double b) {
    return isnan(a) ? b : isnan(b) ? a : a == b ? (signbit(a) ? a : b) : a < b ? a : b;
}
static double ref_maximum(double a, double b) { return isnan(a) || isnan(b) ? NAN : ref_max(a, b); }
static double ref_minimum(double a, double b) { return isnan(a) || isnan(b) ? NAN : ref_min(a, b); }
static double ref_median(double a, double b, double c) {
    if (isnan(a) || isnan(b) || isnan(c)) {
        return ref_min(ref_min(a, b), c);
    }
    const double top = ref_max(ref_max(a, b), c);
    return top == a ? ref_max(b, c) : top == b ? ref_max(a, c) : ref_max(a, b);
}
/* Even neighbour at ties, without the rounding mode. */
static double ref_even(double a) {
    const double down = floor(a), rest = a - down;
    if (!isfinite(a) || a == down) {
        return a;
    }
    const double r = rest < 0.5 ? down : rest > 0.5 ? down + 1 : fmod(down, 2) == 0 ? down : down + 1;
    return copysign(r, a);
}
static double ref_flush(double a) { return fabs(a) < 0x1p-126 ? copysign(0, a) : a; }
static double ref_fraction(double a, double below_one) {
    const double f = a - floor(a);
    return isnan(a) || isinf(a) ? NAN : f >= 1 ? below_one : f;
}
static double ref_mantissa(double a) {
    if (!isfinite(a) || a == 0) {
        return a;
    }
    double m = fabs(a);
    while (m >= 1) m /= 2;
    while (m < 0.5) m *= 2;
    return copysign(m, a);
}
static int ref_exponent(double a) {
    int e = 0;
    double m = fabs(a);
    if (!isfinite(a) || a == 0) {
        return 0;
    }
    for (; m >= 1; e++) m /= 2;
    for (; m < 0.5; e--) m *= 2;
    return e;
}
static double ref_clip(double a, double low, double high) { return isnan(a) ? 0 : trunc(a < low ? low : a > high ? high : a); }
static double ref_scaled(double a, int64_t n) { return ldexp(a, n > 5000 ? 5000 : n < -5000 ? -5000 : (int)n); }
static double ref_turn(double a, bool cosine) {
    const double t = 2 * acos(-1.0) * fmod(a, 1);
    return !isfinite(a) ? NAN : cosine ? cos(t) : sin(t);
}
static int ref_leading(uint64_t a, int bits) { /* zeros above the highest one; -1 without one */
    for (int i = 0; i < bits; i++) {
        if (a >> (bits - 1 - i) & 1) return i;
    }
    return -1;
}
static int ref_trailing(uint64_t a, int bits) {
    for (int i = 0; i < bits; i++) {
        if (a >> i & 1) return i;
    }
    return -1;
}
static int ref_sign_run(uint32_t a) { /* bits from the top equal to the sign */
    for (int i = 1; i < 32; i++) {
        if ((a >> (31 - i) & 1) != a >> 31) return i;
    }
    return -1;
}
static int ref_ones(uint64_t a) {
    int n = 0;
    for (; a; a &= a - 1) n++;
    return n;
}
static uint32_t ref_reverse(uint32_t a) {
    uint32_t r = 0;
    for (int i = 0; i < 32; i++, a >>= 1) r = r << 1 | (a & 1);
    return r;
}
static uint32_t ref_ones_low(uint32_t n) { return n >= 32 ? ~0u : (uint32_t)((UINT64_C(1) << n) - 1); }
static int64_t ref_field(uint32_t a, uint32_t offset, uint32_t width, bool sign) {
    uint32_t r = 0;
    for (uint32_t i = 0; i < width; i++) {
        const uint32_t at = offset + i < 32 ? offset + i : sign ? 31 : 32;
        r |= (at < 32 ? a >> at & 1 : 0) << i;
    }
    return sign && width && (r >> (width - 1) & 1) ? (int64_t)r - (INT64_C(1) << width) : (int64_t)r;
}
static uint32_t ref_permuted(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t r = 0;
    for (int i = 0; i < 4; i++) {
        const uint32_t s = c >> 8 * i & 255;
        const uint32_t byte = s < 4 ? b >> 8 * s & 255 : s < 8 ? a >> 8 * (s - 4) & 255
                              : s == 8 ? (b >> 15 & 1) * 255 : s == 9 ? (b >> 31) * 255 : s == 10 ? (a >> 15 & 1) * 255
                              : s == 11 ? (a >> 31) * 255 : s == 12 ? 0 : 255;
        r |= byte << 8 * i;
    }
    return r;
}
static uint32_t ref_sad(uint32_t a, uint32_t b) {
    uint32_t sum = 0;
    for (int i = 0; i < 4; i++) sum += (uint32_t)abs((int)(uint8_t)(a >> 8 * i) - (int)(uint8_t)(b >> 8 * i));
    return sum;
}
static int32_t ref_24(uint32_t a) { return (int32_t)(a & 0x7fffff) - (int32_t)(a & 0x800000); }
static int64_t ref_middle(int64_t a, int64_t b, int64_t c) {
    return a < b ? (b < c ? b : a < c ? c : a) : a < c ? a : b < c ? c : b;
}
static uint32_t ref_table(uint32_t a, uint32_t b, uint32_t c, uint32_t table) {
    uint32_t r = 0;
    for (int i = 0; i < 32; i++) r |= (table >> ((a >> i & 1) * 4 + (b >> i & 1) * 2 + (c >> i & 1)) & 1) << i;
    return r;
}
/* Rounded once: exact in 113 bits, or sticky beyond them. */
static float ref_fma_f(float a, float b, float c) { return fmaf(a, b, c); }
static uint32_t ref_norm(float a, double top, bool sign) {
    const double low = sign ? -1 : 0, clipped = isnan(a) ? 0 : (double)a < low ? low : a > 1 ? 1 : (double)a;
    return (uint32_t)(int32_t)ref_even(clipped * top) & 0xffff;
}
static uint32_t ref_half_down(float a) { /* toward 0 */
    const uint32_t sign = signbit(a) ? 0x8000 : 0;
    uint32_t best = 0;
    if (isnan(a)) return 0x7e00;
    if (isinf(a)) return sign | 0x7c00;
    for (int bit = 14; bit >= 0; bit--) { /* greatest code not above */
        const uint32_t tried = best | 1u << bit;
        if (tried < 0x7c00 && conf_h(tried) <= fabs((double)a)) best = tried;
    }
    return sign | best;
}
static uint32_t ref_bf16(float a) {
    const uint32_t bits = (uint32_t)conf_from_f(a);
    if (isnan(a)) return 0x7fc0;
    const uint32_t rest = bits & 0xffff, kept = bits >> 16;
    return kept + (rest > 0x8000 || (rest == 0x8000 && (kept & 1)));
}

#define SH CONF_SHORT
#define SD CONF_BYTE_SELECT
#define CL CONF_CLAMP
#define FLOAT_CASES(X)                                                                                       \
    X(v_exp_f32, f, f, _, _, 1, SH | CL, isnan(a) ? NAN : ref_flush((double)(float)exp2(ref_flush((double)a))))   \
    X(v_log_f32, f, f, _, _, 1, SH | CL, log2(ref_flush((double)a)))                                         \
    X(v_rcp_f32, f, f, _, _, 1, SH | CL, ref_flush(1 / ref_flush((double)a)))                                \
    X(v_rcp_iflag_f32, f, f, _, _, 1, SH | CL, ref_flush(1 / ref_flush((double)a)))                          \
    X(v_rsq_f32, f, f, _, _, 1, SH | CL, 1 / sqrt(ref_flush((double)a)))                                     \
    X(v_sqrt_f32, f, f, _, _, 1, SH | CL, sqrt(ref_flush((double)a)))                                        \
    X(v_floor_f32, f, f, _, _, 0, SH | CL, floor((double)a))                                                 \
    X(v_ceil_f32, f, f, _, _, 0, SH | CL, ceil((double)a))                                                   \
    X(v_trunc_f32, f, f, _, _, 0, SH | CL, trunc((double)a))                                                 \
    X(v_rndne_f32, f, f, _, _, 0, SH | CL, ref_even((double)a))                                              \
    X(v_fract_f32, f, f, _, _, 0, SH, (float)ref_fraction((double)a, 0x1.fffffep-1) >= 1 ? 0x1.fffffep-1 : ref_fraction((double)a, 0x1.fffffep-1)) \
    X(v_frexp_mant_f32, f, f, _, _, 0, SH, ref_mantissa((double)a))                                          \
    X(v_add_f32, f, f, f, _, 0, SH | CL, (double)a + (double)b)                                     \
    X(v_sub_f32, f, f, f, _, 0, SH | CL, (double)a - (double)b)                                              \
    X(v_subrev_f32, f, f, f, _, 0, SH | CL, (double)b - (double)a)                                           \
    X(v_mul_f32, f, f, f, _, 0, SH | CL, (double)a * (double)b)                                              \
    X(v_mul_legacy_f32, f, f, f, _, 0, CL, a == 0 || b == 0 ? 0 : (double)a * (double)b)                     \
    X(v_max_f32, f, f, f, _, 0, SH | CL, ref_max((double)a, (double)b))                                      \
    X(v_min_f32, f, f, f, _, 0, SH | CL, ref_min((double)a, (double)b))                                      \
    X(v_fma_f32, f, f, f, f, 0, CL, ref_fma_f(a, b, c))                                                      \
    X(v_max3_f32, f, f, f, f, 0, CL, ref_max(ref_max((double)a, (double)b), (double)c))                      \
    X(v_min3_f32, f, f, f, f, 0, CL, ref_min(ref_min((double)a, (double)b), (double)c))                      \
    X(v_med3_f32, f, f, f, f, 0, CL, ref_median((double)a, (double)b, (double)c))                            \
    X(v_maximum3_f32, f, f, f, f, 0, CL, ref_maximum(ref_maximum((double)a, (double)b), (double)c))          \
    X(v_minimum3_f32, f, f, f, f, 0, CL, ref_minimum(ref_minimum((double)a, (double)b), (double)c))          \
    X(v_fmac_f32, f, f, f, _, 0, SH | CL, ref_fma_f(a, b, conf_f(x->old)))                                   \
    X(v_ldexp_f32, f, f, s, _, 0, CL, ref_scaled((double)a, b))                                              \
    X(v_cvt_u32_f32, i, f, _, _, 0, SH, ref_clip((double)a, 0, 4294967295.0))                                \
    X(v_cvt_i32_f32, s, f, _, _, 0, SH, ref_clip((double)a, -2147483648.0, 2147483647.0))                    \
    X(v_cvt_rpi_i32_f32, s, f, _, _, 0, SH, ref_clip(floor((double)(a + 0.5f)), -2147483648.0, 2147483647.0)) \
    X(v_cvt_flr_i32_f32, s, f, _, _, 0, SH, ref_clip(floor((double)a), -2147483648.0, 2147483647.0))         \
    X(v_frexp_exp_i32_f32, s, f, _, _, 0, SH, ref_exponent((double)a))                                       \
    X(v_cvt_f32_u32, f, i, _, _, 0, SH | SD | CL, (double)a)                                                 \
    X(v_cvt_f32_i32, f, s, _, _, 0, SH | SD | CL, (double)a)                                                 \
    X(v_cvt_f32_ubyte0, f, i, _, _, 0, SH | SD | CL, a % 256)                                                \
    X(v_cvt_f32_ubyte1, f, i, _, _, 0, SH | SD | CL, a / 256 % 256)                                          \
    X(v_cvt_f32_ubyte2, f, i, _, _, 0, SH | SD | CL, a / 65536 % 256)                                        \
    X(v_cvt_f32_ubyte3, f, i, _, _, 0, SH | SD | CL, a / 16777216)                                           \
    X(v_cndmask_b32, i, i, i, _, 0, SH | SD | CONF_BIT_IN, x->carry ? b : a)
#define INTEGER_CASES(X)                                                                                     \
    X(v_mov_b32, i, i, _, _, 0, SH | SD, a)                                                                  \
    X(v_not_b32, i, i, _, _, 0, SH | SD, UINT32_MAX - a)                                                     \
    X(v_bfrev_b32, i, i, _, _, 0, SH | SD, ref_reverse(a))                                                   \
    X(v_ffbh_u32, i, i, _, _, 0, SH | SD, ref_leading(a, 32))                                                \
    X(v_ffbl_b32, i, i, _, _, 0, SH | SD, ref_trailing(a, 32))                                               \
    X(v_ffbh_i32, i, i, _, _, 0, SH | SD, ref_sign_run(a))                                                   \
    X(v_prng_b32, i, i, _, _, 0, 0, (a << 1) ^ (0xC5u * (a >> 31)))                                          \
    X(v_accvgpr_read_b32, i, i, _, _, 0, CONF_ACC_IN, a)                                                     \
    X(v_accvgpr_write_b32, i, i, _, _, 0, CONF_ACC_OUT, a)                                                   \
    X(v_accvgpr_mov_b32, i, i, _, _, 0, CONF_ACC_OUT | CONF_ACC_IN, a)                                       \
    X(v_add_u32, i, i, i, _, 0, SH | SD, (uint64_t)a + b)                                                    \
    X(v_sub_u32, i, i, i, _, 0, SH | SD, (uint64_t)a - b)                                                    \
    X(v_subrev_u32, i, i, i, _, 0, SH | SD, (uint64_t)b - a)                                                 \
    X(v_add_i32, i, s, s, _, 0, 0, (int64_t)a + b)                                                           \
    X(v_sub_i32, i, s, s, _, 0, 0, (int64_t)a - b)                                                           \
    X(v_and_b32, i, i, i, _, 0, SH | SD, a & b)                                                              \
    X(v_or_b32, i, i, i, _, 0, SH | SD, a | b)                                                               \
    X(v_xor_b32, i, i, i, _, 0, SH | SD, (a | b) - (a & b))                                                  \
    X(v_xnor_b32, i, i, i, _, 0, SH | SD, (a & b) | (~a & ~b))                                               \
    X(v_lshlrev_b32, i, i, i, _, 0, SH | SD, (uint64_t)b << a % 32)                                          \
    X(v_lshrrev_b32, i, i, i, _, 0, SH | SD, (uint64_t)b >> a % 32)                                          \
    X(v_ashrrev_i32, i, i, s, _, 0, SH | SD, floor(ldexp(b, -(int)(a % 32))) < 0 ? (int64_t)floor(ldexp(b, -(int)(a % 32))) : (int64_t)b >> a % 32) \
    X(v_min_u32, i, i, i, _, 0, SH | SD, a < b ? a : b)                                                      \
    X(v_max_u32, i, i, i, _, 0, SH | SD, a < b ? b : a)                                                      \
    X(v_min_i32, i, s, s, _, 0, SH | SD, a < b ? a : b)                                                      \
    X(v_max_i32, i, s, s, _, 0, SH | SD, a < b ? b : a)                                                      \
    X(v_mul_lo_u32, i, i, i, _, 0, 0, (uint64_t)a * b)                                                       \
    X(v_mul_hi_u32, i, i, i, _, 0, 0, (uint64_t)a * b / 4294967296u)                                         \
    X(v_mul_hi_i32, i, s, s, _, 0, 0, ((int64_t)a * b) >> 32)                                                \
    X(v_mul_u32_u24, i, i, i, _, 0, SH | SD, (uint64_t)(a % 16777216) * (b % 16777216))                      \
    X(v_mul_i32_i24, i, i, i, _, 0, SH | SD, (int64_t)ref_24(a) * ref_24(b))                                 \
    X(v_mul_hi_u32_u24, i, i, i, _, 0, SH | SD, (uint64_t)(a % 16777216) * (b % 16777216) / 4294967296u)     \
    X(v_mul_hi_i32_i24, i, i, i, _, 0, SH | SD, ((int64_t)ref_24(a) * ref_24(b)) >> 32)                      \
    X(v_bcnt_u32_b32, i, i, i, _, 0, 0, (uint32_t)ref_ones(a) + b)                                           \
    X(v_bfm_b32, i, i, i, _, 0, 0, (uint64_t)ref_ones_low(a % 32) << b % 32)                                 \
    X(v_mbcnt_lo_u32_b32, i, i, i, _, 0, 0, (uint32_t)ref_ones(a & ref_ones_low(x->number)) + b)             \
    X(v_mbcnt_hi_u32_b32, i, i, i, _, 0, 0, (x->number < 32 ? 0 : (uint32_t)ref_ones(a & ref_ones_low(x->number - 32))) + b) \
    X(v_add3_u32, i, i, i, i, 0, 0, (uint64_t)a + b + c)                                                     \
    X(v_lshl_add_u32, i, i, i, i, 0, 0, ((uint64_t)a << b % 32) + c)                                         \
    X(v_add_lshl_u32, i, i, i, i, 0, 0, ((uint64_t)a + b) << c % 32)                                         \
    X(v_lshl_or_b32, i, i, i, i, 0, 0, ((uint64_t)a << b % 32) | c)                                          \
    X(v_and_or_b32, i, i, i, i, 0, 0, (a & b) | c)                                                           \
    X(v_or3_b32, i, i, i, i, 0, 0, a | b | c)                                                                \
    X(v_xad_u32, i, i, i, i, 0, 0, (uint64_t)(a ^ b) + c)                                                    \
    X(v_bfe_u32, i, i, i, i, 0, 0, ref_field(a, b % 32, c % 32, false))                                      \
    X(v_bfe_i32, i, i, i, i, 0, 0, ref_field(a, b % 32, c % 32, true))                                       \
    X(v_bfi_b32, i, i, i, i, 0, 0, (a & b) + (~a & c))                                                       \
    X(v_alignbit_b32, i, i, i, i, 0, 0, ((uint64_t)a << 32 | b) >> c % 32)                                   \
    X(v_alignbyte_b32, i, i, i, i, 0, 0, ((uint64_t)a << 32 | b) >> c % 4 * 8)                               \
    X(v_perm_b32, i, i, i, i, 0, 0, ref_permuted(a, b, c))                                                   \
    X(v_min3_u32, i, i, i, i, 0, 0, fmin(fmin(a, b), c))                                                     \
    X(v_max3_u32, i, i, i, i, 0, 0, fmax(fmax(a, b), c))                                                     \
    X(v_med3_u32, i, i, i, i, 0, 0, ref_middle(a, b, c))                                                     \
    X(v_min3_i32, s, s, s, s, 0, 0, fmin(fmin(a, b), c))                                                     \
    X(v_max3_i32, s, s, s, s, 0, 0, fmax(fmax(a, b), c))                                                     \
    X(v_med3_i32, i, s, s, s, 0, 0, ref_middle(a, b, c))                                                     \
    X(v_mad_u32_u24, i, i, i, i, 0, 0, (uint64_t)(a % 16777216) * (b % 16777216) + c)                        \
    X(v_mad_i32_i24, i, i, i, i, 0, 0, (int64_t)ref_24(a) * ref_24(b) + c)                                   \
    X(v_sad_u32, i, i, i, i, 0, 0, (uint64_t)llabs((int64_t)a - (int64_t)b) + c)                             \
    X(v_sad_u8, i, i, i, i, 0, 0, ref_sad(a, b) + c)                                                         \
    X(v_sad_hi_u8, i, i, i, i, 0, 0, ref_sad(a, b) * 65536 + c)                                              \
    X(v_add_co_u32, i, i, i, _, 0, SH | SD | CONF_BIT_OUT, (x->bit = (uint64_t)a + b > UINT32_MAX, a + b))   \
    X(v_sub_co_u32, i, i, i, _, 0, SH | SD | CONF_BIT_OUT, (x->bit = a < b, a - b))                          \
    X(v_subrev_co_u32, i, i, i, _, 0, SH | SD | CONF_BIT_OUT, (x->bit = b < a, b - a))                       \
    X(v_addc_co_u32, i, i, i, _, 0, SH | SD | CONF_BIT_OUT | CONF_BIT_IN, (x->bit = (uint64_t)a + b + x->carry > UINT32_MAX, a + b + x->carry)) \
    X(v_subb_co_u32, i, i, i, _, 0, SH | SD | CONF_BIT_OUT | CONF_BIT_IN, (x->bit = a < (uint64_t)b + x->carry, a - b - x->carry)) \
    X(v_subbrev_co_u32, i, i, i, _, 0, SH | SD | CONF_BIT_OUT | CONF_BIT_IN, (x->bit = b < (uint64_t)a + x->carry, b - a - x->carry)) \
    X(v_cvt_pknorm_u16_f32, i, f, f, _, 0, 0, ref_norm(a, 65535, false) | ref_norm(b, 65535, false) << 16)   \
    X(v_cvt_pknorm_i16_f32, i, f, f, _, 0, 0, ref_norm(a, 32767, true) | ref_norm(b, 32767, true) << 16)     \
    X(v_cvt_pk_u16_u32, i, i, i, _, 0, 0, (a > 65535 ? 65535 : a) | (b > 65535 ? 65535u : b) << 16)          \
    X(v_cvt_pk_i16_i32, i, s, s, _, 0, 0, (uint16_t)(a > 32767 ? 32767 : a < -32768 ? -32768 : a) | (uint32_t)(uint16_t)(b > 32767 ? 32767 : b < -32768 ? -32768 : b) << 16) \
    X(v_cvt_pk_u8_f32, i, f, i, i, 0, 0, (c & ~(255u << b % 4 * 8)) | (uint32_t)ref_clip(ref_even((double)a), 0, 255) << b % 4 * 8)
#define LONG_CASES(X)                                                                                        \
    X(v_rcp_f64, d, d, _, _, 1, CL, 1 / a)                                                                   \
    X(v_rsq_f64, d, d, _, _, 2, CL, 1 / sqrt(a))                                                             \
    X(v_sqrt_f64, d, d, _, _, 1, CL, sqrt(a))                                                                \
    X(v_floor_f64, d, d, _, _, 0, CL, floor(a))                                                              \
    X(v_ceil_f64, d, d, _, _, 0, CL, -floor(-a))                                                             \
    X(v_trunc_f64, d, d, _, _, 0, CL, copysign(floor(fabs(a)), a))                                           \
    X(v_rndne_f64, d, d, _, _, 0, CL, ref_even(a))                                                           \
    X(v_fract_f64, d, d, _, _, 0, 0, ref_fraction(a, 0x1.fffffffffffffp-1))                                  \
    X(v_frexp_mant_f64, d, d, _, _, 0, 0, ref_mantissa(a))                                                   \
    X(v_add_f64, d, d, d, _, 0, CL, (__float128)a + (__float128)b)                                           \
    X(v_mul_f64, d, d, d, _, 0, CL, (__float128)a * (__float128)b)                                           \
    X(v_max_f64, d, d, d, _, 0, CL, ref_max(a, b))                                                           \
    X(v_min_f64, d, d, d, _, 0, CL, ref_min(a, b))                                                           \
    X(v_fma_f64, d, d, d, d, 0, CL, fma(a, b, c))                                                            \
    X(v_fmac_f64, d, d, d, _, 0, CL, fma(a, b, conf_d(x->old)))                                              \
    X(v_ldexp_f64, d, d, s, _, 0, CL, ref_scaled(a, b))                                                      \
    X(v_cvt_f32_f64, f, d, _, _, 0, 0, a)                                                                    \
    X(v_cvt_i32_f64, s, d, _, _, 0, 0, ref_clip(a, -2147483648.0, 2147483647.0))                             \
    X(v_cvt_u32_f64, i, d, _, _, 0, 0, ref_clip(a, 0, 4294967295.0))                                         \
    X(v_frexp_exp_i32_f64, s, d, _, _, 0, 0, ref_exponent(a))                                                \
    X(v_cvt_f64_f32, d, f, _, _, 0, CL, a)                                                                   \
    X(v_cvt_f64_i32, d, s, _, _, 0, CL, a)                                                                   \
    X(v_cvt_f64_u32, d, i, _, _, 0, CL, a)                                                                   \
    X(v_lshlrev_b64, l, i, l, _, 0, 0, b << a % 64)                                                          \
    X(v_lshrrev_b64, l, i, l, _, 0, 0, b >> a % 64)                                                          \
    X(v_ashrrev_i64, l, i, m, _, 0, 0, (unsigned __int128)(__int128)b >> a % 64)                             \
    X(v_mov_b64, l, l, _, _, 0, 0, a)                                                                        \
    X(v_lshl_add_u64, l, l, i, l, 0, 0, (a << (b & 7)) + c)                                                  \
    X(v_mad_u64_u32, l, i, i, l, 0, CONF_BIT_OUT, (x->bit = (unsigned __int128)a * b + c > UINT64_MAX, (uint64_t)a * b + c)) \
    X(v_mad_i64_i32, l, s, s, m, 0, CONF_BIT_OUT, (x->bit = (__int128)a * b + c > INT64_MAX || (__int128)a * b + c < INT64_MIN, (__int128)a * b + c)) \
    X(v_div_fmas_f32, f, f, f, f, 0, CL | CONF_VCC_IN, x->carry ? ref_fma_f(a, b, c) * (fabsf(c) >= 2 ? 0x1p64f : isnan(c) ? 1 : 0x1p-64f) : ref_fma_f(a, b, c)) \
    X(v_div_fmas_f64, d, d, d, d, 0, CL | CONF_VCC_IN, x->carry ? fma(a, b, c) * (fabs(c) >= 2 ? 0x1p128 : isnan(c) ? 1 : 0x1p-128) : fma(a, b, c))
#define HALF_CASES(X)                                                                                        \
    X(v_rcp_f16, h, h, _, _, 1, SH | CL, 1 / a)                                                              \
    X(v_rsq_f16, h, h, _, _, 1, SH | CL, 1 / sqrt(a))                                                        \
    X(v_sqrt_f16, h, h, _, _, 1, SH | CL, sqrt(a))                                                           \
    X(v_exp_f16, h, h, _, _, 1, SH | CL, pow(2, a))                                                          \
    X(v_log_f16, h, h, _, _, 1, SH | CL, log2(a))                                                            \
    X(v_floor_f16, h, h, _, _, 0, SH | CL, floor(a))                                                         \
    X(v_ceil_f16, h, h, _, _, 0, SH | CL, ceil(a))                                                           \
    X(v_trunc_f16, h, h, _, _, 0, SH | CL, trunc(a))                                                         \
    X(v_rndne_f16, h, h, _, _, 0, SH | CL, ref_even(a))                                                      \
    X(v_fract_f16, h, h, _, _, 0, SH, conf_h(conf_from_h(ref_fraction(a, 1))) >= 1 ? 0x1.ffcp-1 : ref_fraction(a, 1))  \
    X(v_frexp_mant_f16, h, h, _, _, 0, SH, ref_mantissa(a))                                                  \
    X(v_add_f16, h, h, h, _, 0, SH | CL, a + b)                                                              \
    X(v_sub_f16, h, h, h, _, 0, SH | CL, a - b)                                                              \
    X(v_subrev_f16, h, h, h, _, 0, SH | CL, b - a)                                                           \
    X(v_mul_f16, h, h, h, _, 0, SH | CL, a * b)                                                              \
    X(v_max_f16, h, h, h, _, 0, SH | CL, ref_max(a, b))                                                      \
    X(v_min_f16, h, h, h, _, 0, SH | CL, ref_min(a, b))                                                      \
    X(v_fma_f16, h, h, h, h, 0, CL, a * b + c)                                                               \
    X(v_max3_f16, h, h, h, h, 0, CL, ref_max(ref_max(a, b), c))                                              \
    X(v_min3_f16, h, h, h, h, 0, CL, ref_min(ref_min(a, b), c))                                              \
    X(v_med3_f16, h, h, h, h, 0, CL, ref_median(a, b, c))                                                    \
    X(v_ldexp_f16, h, h, x, _, 0, SH | CL, ref_scaled(a, b))                                                 \
    X(v_cvt_f16_f32, h, f, _, _, 0, SH, a)                                                                   \
    X(v_cvt_f32_f16, f, h, _, _, 0, SH | CL, a)                                                              \
    X(v_cvt_f16_u16, h, w, _, _, 0, SH, a)                                                                   \
    X(v_cvt_f16_i16, h, x, _, _, 0, SH, a)                                                                   \
    X(v_cvt_u16_f16, w, h, _, _, 0, SH, ref_clip(a, 0, 65535))                                               \
    X(v_cvt_i16_f16, x, h, _, _, 0, SH, ref_clip(a, -32768, 32767))                                          \
    X(v_frexp_exp_i16_f16, x, h, _, _, 0, SH, ref_exponent(a))                                               \
    X(v_add_u16, w, w, w, _, 0, SH, a + b)                                                                   \
    X(v_sub_u16, w, w, w, _, 0, SH, a - b)                                                                   \
    X(v_subrev_u16, w, w, w, _, 0, SH, b - a)                                                                \
    X(v_mul_lo_u16, w, w, w, _, 0, SH, a * b)                                                                \
    X(v_max_u16, w, w, w, _, 0, SH, a < b ? b : a)                                                           \
    X(v_min_u16, w, w, w, _, 0, SH, a < b ? a : b)                                                           \
    X(v_max_i16, x, x, x, _, 0, SH, a < b ? b : a)                                                           \
    X(v_min_i16, x, x, x, _, 0, SH, a < b ? a : b)                                                           \
    X(v_lshlrev_b16, w, w, w, _, 0, SH, b << a % 16)                                                         \
    X(v_lshrrev_b16, w, w, w, _, 0, SH, b >> a % 16)                                                         \
    X(v_ashrrev_i16, x, w, x, _, 0, SH, b >> a % 16)                                                         \
    X(v_add_i16, x, x, x, _, 0, 0, a + b)                                                                    \
    X(v_sub_i16, x, x, x, _, 0, 0, a - b)                                                                    \
    X(v_mad_legacy_u16, w, w, w, w, 0, 0, a * b + c)                                                         \
    X(v_mad_u16, w, w, w, w, 0, 0, a * b + c)                                                                \
    X(v_mad_i16, w, w, w, w, 0, 0, a * b + c)                                                                \
    X(v_max3_u16, w, w, w, w, 0, 0, fmax(fmax(a, b), c))                                                     \
    X(v_min3_u16, w, w, w, w, 0, 0, fmin(fmin(a, b), c))                                                     \
    X(v_pack_b32_f16, i, w, w, _, 0, 0, a | b << 16)                                                         \
    X(v_cvt_pkrtz_f16_f32, p, f, f, _, 0, 0, ref_half_down(a) | ref_half_down(b) << 16)                      \
    X(v_cvt_pk_f16_f32, p, f, f, _, 0, 0, conf_from_h((double)a) | conf_from_h((double)b) << 16)             \
    X(v_cvt_pk_bf16_f32, B, f, f, _, 0, 0, ref_bf16(a) | ref_bf16(b) << 16)

#define CONF_FUNCTION(name, O, A, B, C, ulps, flags, expression)                                             \
    static void ref_##name(conf_lane *x) {                                                                   \
        CONF_IN_##A(a) CONF_IN_##B(b) CONF_IN_##C(c) CONF_OUT_##O(expression);                               \
    }
#define CONF_ROW(name, O, A, B, C, ulps, flags, expression)                                                  \
    {#name, CONF_TYPE_##O, {CONF_TYPE_##A, CONF_TYPE_##B, CONF_TYPE_##C}, ref_##name, ulps, flags, NULL},
FLOAT_CASES(CONF_FUNCTION)
INTEGER_CASES(CONF_FUNCTION)
LONG_CASES(CONF_FUNCTION)
HALF_CASES(CONF_FUNCTION)

/* ---- sine and cosine: an absolute bound ---- */
static void ref_v_sin_f32(conf_lane *x) { x->d = conf_from_f((float)ref_turn((double)conf_f(x->a), false)); }
static void ref_v_cos_f32(conf_lane *x) { x->d = conf_from_f((float)ref_turn((double)conf_f(x->a), true)); }

/* ---- any boolean function ---- */
static void ref_bitop(conf_lane *x) { x->d = ref_table((uint32_t)x->a, (uint32_t)x->b, (uint32_t)x->c, 0x6a); }
static void ref_bitop16(conf_lane *x) { x->d = (uint16_t)ref_table((uint32_t)x->a, (uint32_t)x->b, (uint32_t)x->c, 0x9c); }

/* ---- comparisons: a condition is the set of outcomes (less, equal, greater, unordered) for which it is true ---- */
static unsigned ref_outcome(double a, double b) { return isnan(a) || isnan(b) ? 8 : a < b ? 1 : a == b ? 2 : 4; }
#define ORDER(a, b) ((a) < (b) ? 1u : (a) == (b) ? 2u : 4u)
#define FLOAT_CONDITIONS(X, T)                                                                               \
    X(f, T, 0) X(lt, T, 1) X(eq, T, 2) X(le, T, 3) X(gt, T, 4) X(lg, T, 5) X(ge, T, 6) X(o, T, 7) X(u, T, 8) X(nge, T, 9) X(nlg, T, 10) \
    X(ngt, T, 11) X(nle, T, 12) X(neq, T, 13) X(nlt, T, 14) X(tru, T, 15)
#define INTEGER_CONDITIONS(X, T) X(f, T, 0) X(lt, T, 1) X(eq, T, 2) X(le, T, 3) X(gt, T, 4) X(ne, T, 5) X(ge, T, 6) X(t, T, 7)
#define OUTCOME_f32 ref_outcome((double)conf_f(x->a), (double)conf_f(x->b))
#define OUTCOME_f64 ref_outcome(conf_d(x->a), conf_d(x->b))
#define OUTCOME_f16 ref_outcome(conf_h(x->a), conf_h(x->b))
#define OUTCOME_u32 ORDER((uint32_t)x->a, (uint32_t)x->b)
#define OUTCOME_i32 ORDER((int32_t)x->a, (int32_t)x->b)
#define OUTCOME_u16 ORDER((uint16_t)x->a, (uint16_t)x->b)
#define OUTCOME_i16 ORDER((int16_t)x->a, (int16_t)x->b)
#define OUTCOME_u64 ORDER(x->a, x->b)
#define OUTCOME_i64 ORDER((int64_t)x->a, (int64_t)x->b)
#define KIND_f32 'f'
#define KIND_f64 'd'
#define KIND_f16 'h'
#define KIND_u32 'i'
#define KIND_i32 'i'
#define KIND_u16 'w'
#define KIND_i16 'w'
#define KIND_u64 'l'
#define KIND_i64 'l'
#define CONDITION_FUNCTION(name, T, set)                                                                     \
    static void ref_##name##_##T(conf_lane *x) { x->bit = ((set) & OUTCOME_##T) != 0; }
#define CONDITION_ROW(name, T, set)                                                                          \
    {"v_cmp_" #name "_" #T, '_', {KIND_##T, KIND_##T, '_'}, ref_##name##_##T, 0, CONF_COMPARE, NULL},        \
    {"v_cmpx_" #name "_" #T, '_', {KIND_##T, KIND_##T, '_'}, ref_##name##_##T, 0, CONF_COMPARE | CONF_EXEC, NULL},
#define ALL_CONDITIONS(X)                                                                                    \
    FLOAT_CONDITIONS(X, f32) FLOAT_CONDITIONS(X, f16) FLOAT_CONDITIONS(X, f64) INTEGER_CONDITIONS(X, u32) INTEGER_CONDITIONS(X, i32) \
    INTEGER_CONDITIONS(X, u16) INTEGER_CONDITIONS(X, i16) INTEGER_CONDITIONS(X, u64) INTEGER_CONDITIONS(X, i64)
ALL_CONDITIONS(CONDITION_FUNCTION)

/* Bits of the class mask: sNaN, qNaN, -inf, -normal, -subnormal, -0, +0, +subnormal, +normal, +inf. */
static uint32_t ref_class(uint64_t bits, int width, int mantissa_bits) {
    const uint64_t mantissa = bits & ((UINT64_C(1) << mantissa_bits) - 1);
    const uint64_t top = (UINT64_C(1) << (width - 1 - mantissa_bits)) - 1, exponent = bits >> mantissa_bits & top;
    const bool negative = bits >> (width - 1) & 1;
    if (exponent == top && mantissa) return mantissa >> (mantissa_bits - 1) ? 2 : 1;
    if (exponent == top) return negative ? 4 : 512;
    if (exponent) return negative ? 8 : 256;
    return mantissa ? (negative ? 16 : 128) : negative ? 32 : 64;
}
static void ref_class_f32(conf_lane *x) { x->bit = (ref_class(x->a & UINT32_MAX, 32, 23) & x->b) != 0; }
static void ref_class_f16(conf_lane *x) { x->bit = (ref_class(x->a & 0xffff, 16, 10) & x->b) != 0; }
static void ref_class_f64(conf_lane *x) { x->bit = (ref_class(x->a, 64, 52) & x->b) != 0; }
#define CLASS_ROWS(T, kind)                                                                                  \
    {"v_cmp_class_" #T, '_', {kind, 'i', '_'}, ref_class_##T, 0, CONF_COMPARE, NULL},                        \
    {"v_cmpx_class_" #T, '_', {kind, 'i', '_'}, ref_class_##T, 0, CONF_COMPARE | CONF_EXEC, NULL},

/* ---- packed: the same for both halves, in the order that op_sel says ---- */
#define LOW(v) (x->v & 0xffff)
#define HIGH(v) (x->v >> 16 & 0xffff)
#define H1 conf_h(p)
#define H2 conf_h(q)
#define H3 conf_h(r)
#define PACKED_CASES(X)                                                                                      \
    X(v_pk_add_f16, p, CL, conf_from_h(H1 + H2))                                                             \
    X(v_pk_mul_f16, p, CL, conf_from_h(H1 * H2))                                                             \
    X(v_pk_max_f16, p, CL, conf_from_h(ref_max(H1, H2)))                                                     \
    X(v_pk_min_f16, p, CL, conf_from_h(ref_min(H1, H2)))                                                     \
    X(v_pk_add_u16, i, 0, p + q)                                                                             \
    X(v_pk_add_i16, i, 0, p + q)                                                                             \
    X(v_pk_sub_u16, i, 0, p - q)                                                                             \
    X(v_pk_sub_i16, i, 0, p - q)                                                                             \
    X(v_pk_mul_lo_u16, i, 0, p * q)                                                                          \
    X(v_pk_max_u16, i, 0, p > q ? p : q)                                                                     \
    X(v_pk_min_u16, i, 0, p > q ? q : p)                                                                     \
    X(v_pk_max_i16, i, 0, (int16_t)p > (int16_t)q ? p : q)                                                   \
    X(v_pk_min_i16, i, 0, (int16_t)p > (int16_t)q ? q : p)                                                   \
    X(v_pk_lshlrev_b16, i, 0, q << p % 16)                                                                   \
    X(v_pk_lshrrev_b16, i, 0, q >> p % 16)                                                                   \
    X(v_pk_ashrrev_i16, i, 0, (uint32_t)((int32_t)(int16_t)q >> p % 16))
#define PACKED3_CASES(X)                                                                                     \
    X(v_pk_fma_f16, p, CL, conf_from_h(H1 * H2 + H3))                                                        \
    X(v_pk_maximum3_f16, p, CL, conf_from_h(ref_maximum(ref_maximum(H1, H2), H3)))                           \
    X(v_pk_minimum3_f16, p, CL, conf_from_h(ref_minimum(ref_minimum(H1, H2), H3)))                           \
    X(v_pk_mad_u16, i, 0, p * q + r)                                                                         \
    X(v_pk_mad_i16, i, 0, p * q + r)
#define PACKED_TYPE_p 'p'
#define PACKED_TYPE_i 'i'
#define PACKED_FUNCTION(name, type, flags, expression)                                                       \
    static uint32_t half_##name(uint64_t first, uint64_t second, uint64_t third) {                           \
        const uint32_t p = (uint32_t)first, q = (uint32_t)second, r = (uint32_t)third;                       \
        (void)r;                                                                                             \
        return (uint32_t)(expression) & 0xffff;                                                              \
    }                                                                                                        \
    static void ref_##name(conf_lane *x) {                                                                   \
        x->d = half_##name(LOW(a), LOW(b), LOW(c)) | half_##name(HIGH(a), HIGH(b), HIGH(c)) << 16;           \
    }                                                                                                        \
    static void ref_selected_##name(conf_lane *x) { /* op_sel:[1,0,1] op_sel_hi:[1,0,0] */                   \
        x->d = half_##name(HIGH(a), LOW(b), HIGH(c)) | half_##name(HIGH(a), LOW(b), LOW(c)) << 16;           \
    }
PACKED_CASES(PACKED_FUNCTION)
PACKED3_CASES(PACKED_FUNCTION)
#define PACKED_ROW(name, type, flags, expression)                                                            \
    {#name, PACKED_TYPE_##type, {PACKED_TYPE_##type, PACKED_TYPE_##type, '_'}, ref_##name, 0, (flags) & 0, NULL}, \
    {#name, PACKED_TYPE_##type, {PACKED_TYPE_##type, PACKED_TYPE_##type, '_'}, ref_selected_##name, 0, flags, "op_sel:[1,0] op_sel_hi:[1,0]"},
#define PACKED3_ROW(name, type, flags, expression)                                                           \
    {#name, PACKED_TYPE_##type, {PACKED_TYPE_##type, PACKED_TYPE_##type, PACKED_TYPE_##type}, ref_##name, 0, flags, NULL}, \
    {#name, PACKED_TYPE_##type, {PACKED_TYPE_##type, PACKED_TYPE_##type, PACKED_TYPE_##type}, ref_selected_##name, 0, flags, "op_sel:[1,0,1] op_sel_hi:[1,0,0]"},

#define F_LOW(v) conf_f(x->v)
#define F_HIGH(v) conf_f(x->v >> 32)
#define PAIR(low, high) x->d = conf_from_f((float)(low)) | conf_from_f((float)(high)) << 32
static void ref_pk_add_f32(conf_lane *x) { PAIR((double)F_LOW(a) + (double)F_LOW(b), (double)F_HIGH(a) + (double)F_HIGH(b)); }
static void ref_pk_mul_f32(conf_lane *x) { PAIR((double)F_LOW(a) * (double)F_LOW(b), (double)F_HIGH(a) * (double)F_HIGH(b)); }
static void ref_pk_fma_f32(conf_lane *x) { PAIR(fmaf(F_LOW(a), F_LOW(b), F_LOW(c)), fmaf(F_HIGH(a), F_HIGH(b), F_HIGH(c))); }
static void ref_pk_add_swapped(conf_lane *x) { PAIR((double)F_HIGH(a) + (double)-F_LOW(b), (double)F_LOW(a) + (double)F_LOW(b)); }
static void ref_pk_mov(conf_lane *x) { x->d = x->a >> 32 | (x->b & UINT32_MAX) << 32; }

static const conf_case vector_cases[] = {
    FLOAT_CASES(CONF_ROW)
    INTEGER_CASES(CONF_ROW)
    LONG_CASES(CONF_ROW)
    HALF_CASES(CONF_ROW)
    ALL_CONDITIONS(CONDITION_ROW)
    CLASS_ROWS(f32, 'f') CLASS_ROWS(f16, 'h') CLASS_ROWS(f64, 'd')
    PACKED_CASES(PACKED_ROW)
    PACKED3_CASES(PACKED3_ROW)
    {"v_sin_f32", 'f', {'f', '_', '_'}, ref_v_sin_f32, -1, SH | CONF_BARE, NULL},
    {"v_cos_f32", 'f', {'f', '_', '_'}, ref_v_cos_f32, -1, SH | CONF_BARE, NULL},
    {"v_bitop3_b32", 'i', {'i', 'i', 'i'}, ref_bitop, 0, 0, "bitop3:0x6a"},
    {"v_bitop3_b16", 'w', {'w', 'w', 'w'}, ref_bitop16, 0, 0, "bitop3:0x9c"},
    {"v_pk_add_f32", 'F', {'F', 'F', '_'}, ref_pk_add_f32, 0, CL, NULL},
    {"v_pk_add_f32", 'F', {'F', 'F', '_'}, ref_pk_add_swapped, 0, CL, "op_sel:[1,0] op_sel_hi:[0,0] neg_lo:[0,1]"},
    {"v_pk_mul_f32", 'F', {'F', 'F', '_'}, ref_pk_mul_f32, 0, CL, NULL},
    {"v_pk_fma_f32", 'F', {'F', 'F', 'F'}, ref_pk_fma_f32, 0, CL, NULL},
    {"v_pk_mov_b32", 'F', {'F', 'F', '_'}, ref_pk_mov, 0, CL & 0, "op_sel:[1,0]"},
};
#undef SH
#undef SD
#undef CL

#endif
