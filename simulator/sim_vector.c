/* Vector instructions on 32-bit floats and integers: ISA manual, chapter 6 and sections 12.8 - 12.10. */
#include "sim_rows.h"

#include <math.h>

/* maxNum and minNum: a NaN loses against a number; -0 is below +0. */
static inline float max_number(float a, float b) {
    return a != a ? b : b != b ? a : a > b ? a : b > a ? b : sim_f32(sim_u32(a) & sim_u32(b));
}
static inline float min_number(float a, float b) {
    return a != a ? b : b != b ? a : a < b ? a : b < a ? b : sim_f32(sim_u32(a) | sim_u32(b));
}
/* IEEE 754-2019 maximum and minimum: NaN wins. */
static inline float maximum(float a, float b) {
    return sim_facts_get()->choice[FSATTN_FACT_maximum3_nan] ? max_number(a, b) : a != a ? a : b != b ? b : max_number(a, b);
}
static inline float minimum(float a, float b) {
    return a != a ? a : b != b ? b : min_number(a, b);
}
static inline float median(float a, float b, float c) {
    if (a != a || b != b || c != c) {
        return min_number(min_number(a, b), c);
    }
    const float top = max_number(max_number(a, b), c);
    return top == a ? max_number(b, c) : top == b ? max_number(a, c) : max_number(a, b);
}
/* The transcendental unit neither takes nor gives subnormal numbers. */
static inline float flush(float a) {
    return fabsf(a) < 0x1p-126f ? copysignf(0, a) : a;
}
static inline float exponential(float a) {
    return a != a ? a : flush(exp2f(flush(a)));
}
static inline float logarithm(float a) {
    return log2f(flush(a));
}
static inline float reciprocal(float a) {
    return flush(1.0f / flush(a));
}
static inline float reciprocal_root(float a) {
    return (float)(1.0 / sqrt((double)flush(a)));
}
/* Sources of sine and cosine are in turns. */
static inline float sine(float a) {
    return isfinite(a) ? (float)sin(6.283185307179586 * (a - floor(a))) : NAN;
}
static inline float cosine(float a) {
    return isfinite(a) ? (float)cos(6.283185307179586 * (a - floor(a))) : NAN;
}
static inline float fraction(float a) {
    const float f = a - floorf(a);
    return f < 1 ? f : f != f ? f : 0x1.fffffep-1f;
}
static inline float mantissa(float a) {
    int e;
    return isfinite(a) ? frexpf(a, &e) : a;
}
static inline uint32_t exponent(float a) {
    int e = 0;
    if (isfinite(a)) {
        frexpf(a, &e);
    }
    return (uint32_t)e;
}
static inline uint32_t to_unsigned(float a) {
    return !(a > 0) ? 0 : a >= 4294967296.0f ? UINT32_MAX : (uint32_t)a;
}
static inline uint32_t to_signed(float a) {
    return a != a ? 0 : a >= 2147483648.0f ? INT32_MAX : a <= -2147483648.0f ? 0x80000000u : (uint32_t)(int32_t)a;
}
static inline float scale_by(float a, int32_t n) {
    return ldexpf(a, n < -1000 ? -1000 : n > 1000 ? 1000 : n);
}
/* Any number times 0 is 0, also infinity and NaN. */
static inline float legacy(float a, float b) {
    return a == 0 || b == 0 ? 0 : a * b;
}

#define F32_2_LIST(X)                                                                                        \
    X(v_add_f32, a + b)                                                                                      \
    X(v_sub_f32, a - b)                                                                                      \
    X(v_subrev_f32, b - a)                                                                                   \
    X(v_mul_f32, a * b)                                                                                      \
    X(v_mul_legacy_f32, legacy(a, b))                                                                        \
    X(v_max_f32, max_number(a, b))                                                                           \
    X(v_min_f32, min_number(a, b))
#define F32_3_LIST(X)                                                                                        \
    X(v_fma_f32, fmaf(a, b, c))                                                                              \
    X(v_max3_f32, max_number(max_number(a, b), c))                                                           \
    X(v_min3_f32, min_number(min_number(a, b), c))                                                           \
    X(v_med3_f32, median(a, b, c))                                                                           \
    X(v_maximum3_f32, maximum(maximum(a, b), c))                                                             \
    X(v_minimum3_f32, minimum(minimum(a, b), c))
#define F32_1_LIST(X)                                                                                        \
    X(v_exp_f32, exponential(a))                                                                             \
    X(v_log_f32, logarithm(a))                                                                               \
    X(v_rcp_f32, reciprocal(a))                                                                              \
    X(v_rcp_iflag_f32, reciprocal(a))                                                                        \
    X(v_rsq_f32, reciprocal_root(a))                                                                         \
    X(v_sqrt_f32, sqrtf(flush(a)))                                                                           \
    X(v_sin_f32, sine(a))                                                                                    \
    X(v_cos_f32, cosine(a))                                                                                  \
    X(v_floor_f32, floorf(a))                                                                                \
    X(v_ceil_f32, ceilf(a))                                                                                  \
    X(v_trunc_f32, truncf(a))                                                                                \
    X(v_rndne_f32, nearbyintf(a))                                                                            \
    X(v_fract_f32, fraction(a))                                                                              \
    X(v_frexp_mant_f32, mantissa(a))

#define READ(k, name) uint32_t temporary_##name[sim_lanes]; const uint32_t *from_##name = sim_read32(w, in, k, temporary_##name)
#define X(name, expression)                                                                                  \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        uint32_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const float a = sim_f32(from_a[i]);                                                              \
            out[i] = sim_u32(expression);                                                                    \
        }                                                                                                    \
        sim_write_f32(w, in, out);                                                                           \
    }
F32_1_LIST(X)
#undef X
#define X(name, expression)                                                                                  \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        READ(2, b);                                                                                          \
        uint32_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const float a = sim_f32(from_a[i]), b = sim_f32(from_b[i]);                                      \
            out[i] = sim_u32(expression);                                                                    \
        }                                                                                                    \
        sim_write_f32(w, in, out);                                                                           \
    }
F32_2_LIST(X)
#undef X
#define X(name, expression)                                                                                  \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        READ(2, b);                                                                                          \
        READ(3, c);                                                                                          \
        uint32_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const float a = sim_f32(from_a[i]), b = sim_f32(from_b[i]), c = sim_f32(from_c[i]);              \
            out[i] = sim_u32(expression);                                                                    \
        }                                                                                                    \
        sim_write_f32(w, in, out);                                                                           \
    }
F32_3_LIST(X)
#undef X

static void run_v_fmac_f32(sim_wave *w, const sim_instruction *in) {
    READ(1, a);
    READ(2, b);
    const uint32_t *old = w->v[in->operands[0].reg];
    uint32_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        out[i] = sim_u32(fmaf(sim_f32(from_a[i]), sim_f32(from_b[i]), sim_f32(old[i])));
    }
    sim_write_f32(w, in, out);
}
/* D = a * K + c and D = a * b + K: the constant stands where the text has it. */
static void run_v_fmamk_f32(sim_wave *w, const sim_instruction *in) { run_v_fma_f32(w, in); }
static void run_v_fmaak_f32(sim_wave *w, const sim_instruction *in) { run_v_fma_f32(w, in); }

static void run_v_ldexp_f32(sim_wave *w, const sim_instruction *in) {
    READ(1, a);
    READ(2, b);
    uint32_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        out[i] = sim_u32(scale_by(sim_f32(from_a[i]), (int32_t)from_b[i]));
    }
    sim_write_f32(w, in, out);
}

/* ---- floats to integers and back --------------------------------------------------------------------- */

#define F32_TO_LIST(X)                                                                                       \
    X(v_cvt_u32_f32, to_unsigned(a))                                                                         \
    X(v_cvt_i32_f32, to_signed(a))                                                                           \
    X(v_cvt_rpi_i32_f32, to_signed(floorf(a + 0.5f)))                                                        \
    X(v_cvt_flr_i32_f32, to_signed(floorf(a)))                                                               \
    X(v_frexp_exp_i32_f32, exponent(a))
#define X(name, expression)                                                                                  \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        uint32_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const float a = sim_f32(from_a[i]);                                                              \
            out[i] = expression;                                                                             \
        }                                                                                                    \
        sim_write32(w, in, out);                                                                             \
    }
F32_TO_LIST(X)
#undef X
#define F32_FROM_LIST(X)                                                                                     \
    X(v_cvt_f32_u32, (float)a)                                                                               \
    X(v_cvt_f32_i32, (float)(int32_t)a)                                                                      \
    X(v_cvt_f32_ubyte0, (float)(a & 255))                                                                    \
    X(v_cvt_f32_ubyte1, (float)(a >> 8 & 255))                                                               \
    X(v_cvt_f32_ubyte2, (float)(a >> 16 & 255))                                                              \
    X(v_cvt_f32_ubyte3, (float)(a >> 24))
#define X(name, expression)                                                                                  \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        uint32_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const uint32_t a = from_a[i];                                                                    \
            out[i] = sim_u32(expression);                                                                    \
        }                                                                                                    \
        sim_write_f32(w, in, out);                                                                           \
    }
F32_FROM_LIST(X)
#undef X

/* ---- integers ---------------------------------------------------------------------------------------- */

static inline uint32_t reverse_bits(uint32_t a) {
    a = (a >> 1 & 0x55555555) | (a & 0x55555555) << 1;
    a = (a >> 2 & 0x33333333) | (a & 0x33333333) << 2;
    a = (a >> 4 & 0x0f0f0f0f) | (a & 0x0f0f0f0f) << 4;
    return __builtin_bswap32(a);
}
static inline uint32_t sign_bits(uint32_t a) {
    const uint32_t other = (int32_t)a < 0 ? ~a : a;
    return other ? (uint32_t)__builtin_clz(other) : ~0u;
}
static inline int32_t low24(uint32_t a) {
    return (int32_t)(a << 8) >> 8;
}
/* A signed field that reaches beyond bit 31 is filled with the sign. */
static inline uint32_t field(uint32_t a, uint32_t b, uint32_t c, bool sign) {
    const unsigned offset = b & 31, width = c & 31, unused = width ? 32 - width : 0;
    const uint32_t moved = sign ? (uint32_t)((int32_t)a >> offset) : a >> offset;
    const uint32_t taken = width ? moved << unused : 0;
    return sign ? (uint32_t)((int32_t)taken >> unused) : taken >> unused;
}
/* A byte of {a, b} by selector: 0-3 b, 4-7 a, 8-11 signs of halves, 12 zero, above all ones. */
static inline uint32_t permuted_byte(uint32_t a, uint32_t b, uint32_t selector) {
    const uint64_t both = (uint64_t)a << 32 | b;
    if (selector < 8) {
        return (uint32_t)(both >> 8 * selector) & 255;
    }
    if (selector < 12) {
        return -(uint32_t)(both >> (16 * (selector - 8) + 15) & 1) & 255;
    }
    return selector == 12 ? 0 : 255;
}
static inline uint32_t permute(uint32_t a, uint32_t b, uint32_t c) {
    return permuted_byte(a, b, c & 255) | permuted_byte(a, b, c >> 8 & 255) << 8 | permuted_byte(a, b, c >> 16 & 255) << 16 |
           permuted_byte(a, b, c >> 24) << 24;
}
static inline uint32_t sum_of_differences(uint32_t a, uint32_t b) {
    uint32_t sum = 0;
    for (int i = 0; i < 32; i += 8) {
        const int d = (int)(a >> i & 255) - (int)(b >> i & 255);
        sum += (uint32_t)(d < 0 ? -d : d);
    }
    return sum;
}
static inline uint32_t smaller(uint32_t a, uint32_t b) { return a < b ? a : b; }
static inline uint32_t larger(uint32_t a, uint32_t b) { return a > b ? a : b; }
static inline uint32_t smaller_signed(uint32_t a, uint32_t b) { return (int32_t)a < (int32_t)b ? a : b; }
static inline uint32_t larger_signed(uint32_t a, uint32_t b) { return (int32_t)a > (int32_t)b ? a : b; }

#define U32_1_LIST(X)                                                                                        \
    X(v_mov_b32, a)                                                                                          \
    X(v_not_b32, ~a)                                                                                         \
    X(v_bfrev_b32, reverse_bits(a))                                                                          \
    X(v_ffbh_u32, a ? (uint32_t)__builtin_clz(a) : ~0u)                                                      \
    X(v_ffbl_b32, a ? (uint32_t)__builtin_ctz(a) : ~0u)                                                      \
    X(v_ffbh_i32, sign_bits(a))                                                                              \
    X(v_prng_b32, a << 1 ^ (a >> 31 ? 0xC5u : 0))                                                            \
    X(v_accvgpr_read_b32, a)                                                                                 \
    X(v_accvgpr_write_b32, a)                                                                                \
    X(v_accvgpr_mov_b32, a)
#define U32_2_LIST(X)                                                                                        \
    X(v_and_b32, a & b)                                                                                      \
    X(v_or_b32, a | b)                                                                                       \
    X(v_xor_b32, a ^ b)                                                                                      \
    X(v_xnor_b32, ~(a ^ b))                                                                                  \
    X(v_lshlrev_b32, b << (a & 31))                                                                          \
    X(v_lshrrev_b32, b >> (a & 31))                                                                          \
    X(v_ashrrev_i32, (uint32_t)((int32_t)b >> (a & 31)))                                                     \
    X(v_min_u32, smaller(a, b))                                                                              \
    X(v_max_u32, larger(a, b))                                                                               \
    X(v_min_i32, smaller_signed(a, b))                                                                       \
    X(v_max_i32, larger_signed(a, b))                                                                        \
    X(v_mul_lo_u32, a * b)                                                                                   \
    X(v_mul_hi_u32, (uint32_t)((uint64_t)a * b >> 32))                                                       \
    X(v_mul_hi_i32, (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32))                          \
    X(v_mul_u32_u24, (a & 0xffffff) * (b & 0xffffff))                                                        \
    X(v_mul_i32_i24, (uint32_t)low24(a) * (uint32_t)low24(b))                                                \
    X(v_mul_hi_u32_u24, (uint32_t)((uint64_t)(a & 0xffffff) * (b & 0xffffff) >> 32))                         \
    X(v_mul_hi_i32_i24, (uint32_t)((uint64_t)((int64_t)low24(a) * low24(b)) >> 32))                          \
    X(v_bcnt_u32_b32, (uint32_t)__builtin_popcount(a) + b)                                                   \
    X(v_bfm_b32, ((1u << (a & 31)) - 1) << (b & 31))
#define U32_3_LIST(X)                                                                                        \
    X(v_add3_u32, a + b + c)                                                                                 \
    X(v_lshl_add_u32, (a << (b & 31)) + c)                                                                   \
    X(v_add_lshl_u32, (a + b) << (c & 31))                                                                   \
    X(v_lshl_or_b32, a << (b & 31) | c)                                                                      \
    X(v_and_or_b32, (a & b) | c)                                                                             \
    X(v_or3_b32, a | b | c)                                                                                  \
    X(v_xad_u32, (a ^ b) + c)                                                                                \
    X(v_bfe_u32, field(a, b, c, false))                                                                      \
    X(v_bfe_i32, field(a, b, c, true))                                                                       \
    X(v_bfi_b32, (a & b) | (~a & c))                                                                         \
    X(v_alignbit_b32, (uint32_t)(((uint64_t)a << 32 | b) >> (c & 31)))                                       \
    X(v_alignbyte_b32, (uint32_t)(((uint64_t)a << 32 | b) >> 8 * (c & 3)))                                   \
    X(v_perm_b32, permute(a, b, c))                                                                          \
    X(v_min3_u32, smaller(smaller(a, b), c))                                                                 \
    X(v_max3_u32, larger(larger(a, b), c))                                                                   \
    X(v_med3_u32, larger(smaller(a, b), smaller(larger(a, b), c)))                                           \
    X(v_min3_i32, smaller_signed(smaller_signed(a, b), c))                                                   \
    X(v_max3_i32, larger_signed(larger_signed(a, b), c))                                                     \
    X(v_med3_i32, larger_signed(smaller_signed(a, b), smaller_signed(larger_signed(a, b), c)))               \
    X(v_mad_u32_u24, (a & 0xffffff) * (b & 0xffffff) + c)                                                    \
    X(v_mad_i32_i24, (uint32_t)low24(a) * (uint32_t)low24(b) + c)                                            \
    X(v_sad_u32, (a > b ? a - b : b - a) + c)                                                                \
    X(v_sad_u8, sum_of_differences(a, b) + c)                                                                \
    X(v_sad_hi_u8, (sum_of_differences(a, b) << 16) + c)

/* clamp saturates. */
static inline uint32_t saturated(int64_t exact, int64_t low, int64_t high) {
    return (uint32_t)(exact < low ? low : exact > high ? high : exact);
}
#define SUM_LIST(X)                                                                                          \
    X(v_add_u32, a + b, (int64_t)a + b, 0, UINT32_MAX)                                                       \
    X(v_sub_u32, a - b, (int64_t)a - b, 0, UINT32_MAX)                                                       \
    X(v_subrev_u32, b - a, (int64_t)b - a, 0, UINT32_MAX)                                                    \
    X(v_add_i32, a + b, (int64_t)(int32_t)a + (int32_t)b, INT32_MIN, INT32_MAX)                              \
    X(v_sub_i32, a - b, (int64_t)(int32_t)a - (int32_t)b, INT32_MIN, INT32_MAX)
#define X(name, wrapped, exact, low, high)                                                                   \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        READ(2, b);                                                                                          \
        uint32_t out[sim_lanes];                                                                             \
        if (in->m.clamp) {                                                                                   \
            SIM_EACH_LANE(i) {                                                                               \
                const uint32_t a = from_a[i], b = from_b[i];                                                 \
                out[i] = saturated(exact, low, high);                                                        \
            }                                                                                                \
        } else {                                                                                             \
            SIM_EACH_LANE(i) {                                                                               \
                const uint32_t a = from_a[i], b = from_b[i];                                                 \
                out[i] = wrapped;                                                                            \
            }                                                                                                \
        }                                                                                                    \
        sim_write32(w, in, out);                                                                             \
    }
SUM_LIST(X)
#undef X

#define X(name, expression)                                                                                  \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        uint32_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const uint32_t a = from_a[i];                                                                    \
            out[i] = expression;                                                                             \
        }                                                                                                    \
        sim_write32(w, in, out);                                                                             \
    }
U32_1_LIST(X)
#undef X
#define X(name, expression)                                                                                  \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        READ(2, b);                                                                                          \
        uint32_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const uint32_t a = from_a[i], b = from_b[i];                                                     \
            out[i] = expression;                                                                             \
        }                                                                                                    \
        sim_write32(w, in, out);                                                                             \
    }
U32_2_LIST(X)
#undef X
#define X(name, expression)                                                                                  \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        READ(2, b);                                                                                          \
        READ(3, c);                                                                                          \
        uint32_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const uint32_t a = from_a[i], b = from_b[i], c = from_c[i];                                      \
            out[i] = expression;                                                                             \
        }                                                                                                    \
        sim_write32(w, in, out);                                                                             \
    }
U32_3_LIST(X)
#undef X

/* Any boolean function of three bits: entry S0 * 4 + S1 * 2 + S2 of an 8-bit table. */
static void run_v_bitop3_b32(sim_wave *w, const sim_instruction *in) {
    READ(1, a);
    READ(2, b);
    READ(3, c);
    uint32_t out[sim_lanes] = {0};
    for (int entry = 0; entry < 8; entry++) {
        if (!(in->m.bitop3 >> entry & 1)) {
            continue;
        }
        SIM_EACH_LANE(i) {
            out[i] |= (entry & 4 ? from_a[i] : ~from_a[i]) & (entry & 2 ? from_b[i] : ~from_b[i]) &
                      (entry & 1 ? from_c[i] : ~from_c[i]);
        }
    }
    if (in->operands[0].type == 'w') {
        sim_write16(w, in, out);
    } else {
        sim_write32(w, in, out);
    }
}

/* ---- carry ------------------------------------------------------------------------------------------- */

#define CARRY_LIST(X)                                                                                        \
    X(v_add_co_u32, (uint64_t)a + b, r >> 32 & 1, false)                                                     \
    X(v_sub_co_u32, (uint64_t)a - b, r >> 32 & 1, false)                                                     \
    X(v_subrev_co_u32, (uint64_t)b - a, r >> 32 & 1, false)                                                  \
    X(v_addc_co_u32, (uint64_t)a + b + carry, r >> 32 & 1, true)                                             \
    X(v_subb_co_u32, (uint64_t)a - b - carry, r >> 32 & 1, true)                                             \
    X(v_subbrev_co_u32, (uint64_t)b - a - carry, r >> 32 & 1, true)
#define X(name, expression, carry_out, has_carry)                                                            \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(2, a);                                                                                          \
        READ(3, b);                                                                                          \
        const uint64_t carries = has_carry ? sim_scalar64(w, &in->operands[4]) : 0;                          \
        uint32_t out[sim_lanes], bit[sim_lanes];                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const uint32_t a = from_a[i], b = from_b[i], carry = (uint32_t)(carries >> i) & 1;               \
            (void)carry;                                                                                     \
            const uint64_t r = expression;                                                                   \
            out[i] = (uint32_t)r;                                                                            \
            bit[i] = (uint32_t)(carry_out);                                                                  \
        }                                                                                                    \
        sim_write_bits(w, in, 1, bit);                                                                       \
        sim_write32(w, in, out);                                                                             \
    }
CARRY_LIST(X)
#undef X

static void run_v_cndmask_b32(sim_wave *w, const sim_instruction *in) {
    READ(1, a);
    READ(2, b);
    const uint64_t bits = sim_scalar64(w, &in->operands[3]);
    uint32_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        out[i] = bits >> i & 1 ? from_b[i] : from_a[i];
    }
    sim_write32(w, in, out);
}

static const sim_row rows[] = {
#define X(name, expression) {#name, "Df xf", run_##name, SIM_ROW_LANE | SIM_ROW_OUTPUT},
    F32_1_LIST(X)
#undef X
#define X(name, expression) {#name, "Df xf xf", run_##name, SIM_ROW_LANE | SIM_ROW_OUTPUT},
    F32_2_LIST(X)
#undef X
#define X(name, expression) {#name, "Df xf xf xf", run_##name, SIM_ROW_OUTPUT},
    F32_3_LIST(X)
#undef X
    {"v_fmac_f32", "Mf xf xf", run_v_fmac_f32, SIM_ROW_LANE | SIM_ROW_OUTPUT},
    {"v_fmamk_f32", "Df xf xf xf", run_v_fmamk_f32, 0},
    {"v_fmaak_f32", "Df xf xf xf", run_v_fmaak_f32, 0},
    {"v_ldexp_f32", "Df xf xi", run_v_ldexp_f32, SIM_ROW_OUTPUT},
#define X(name, expression) {#name, "Di xf", run_##name, SIM_ROW_LANE},
    F32_TO_LIST(X)
#undef X
#define X(name, expression) {#name, "Df xi", run_##name, SIM_ROW_LANE | SIM_ROW_OUTPUT},
    F32_FROM_LIST(X)
#undef X
#define X(name, expression) {#name, "Di xi", run_##name, SIM_ROW_LANE},
    U32_1_LIST(X)
#undef X
#define X(name, wrapped, exact, low, high) {#name, "Di xi xi", run_##name, SIM_ROW_LANE | SIM_ROW_INT_CLAMP},
    SUM_LIST(X)
#undef X
#define X(name, expression) {#name, "Di xi xi", run_##name, SIM_ROW_LANE},
    U32_2_LIST(X)
#undef X
#define X(name, expression) {#name, "Di xi xi xi", run_##name, 0},
    U32_3_LIST(X)
#undef X
    {"v_bitop3_b32", "Di xi xi xi", run_v_bitop3_b32, 0},
    {"v_bitop3_b16", "Dw xw xw xw", run_v_bitop3_b32, SIM_ROW_PRESERVE},
#define X(name, expression, carry_out, has_carry) {#name, has_carry ? "Di Sl xi xi sl" : "Di Sl xi xi", run_##name, SIM_ROW_LANE},
    CARRY_LIST(X)
#undef X
    {"v_cndmask_b32", "Di xf xf sl", run_v_cndmask_b32, SIM_ROW_LANE},
};
SIM_DEFINE_TABLE(sim_vector);
