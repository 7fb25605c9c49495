/* Vector instructions on 16-bit floats and integers, single and packed, and packed floats: ISA manual, sections 6.7 and 12.9. */
#include "sim_rows.h"

#include <math.h>

#define READ(k, name)                                                                                        \
    uint32_t temporary_##name[sim_lanes];                                                                    \
    const uint32_t *from_##name = sim_read32(w, in, k, temporary_##name)

/* Results are computed in double, in which sums and products of halves are exact or round the same way, then rounded once. */
static inline double half(uint32_t bits) {
    return (double)sim_half_to_f32(bits & 0xffff);
}
static inline double max_number(double a, double b) {
    return a != a ? b : b != b ? a : a > b ? a : b > a ? b : signbit(a) ? b : a;
}
static inline double min_number(double a, double b) {
    return a != a ? b : b != b ? a : a < b ? a : b < a ? b : signbit(a) ? a : b;
}
static inline double maximum(double a, double b) {
    return sim_facts_get()->choice[FSATTN_FACT_maximum3_nan] ? max_number(a, b) : a != a ? a : b != b ? b : max_number(a, b);
}
static inline double minimum(double a, double b) {
    return a != a ? a : b != b ? b : min_number(a, b);
}
static inline double mantissa(double a) {
    int e;
    return isfinite(a) ? frexp(a, &e) : a;
}
static inline double median(double a, double b, double c) {
    if (a != a || b != b || c != c) {
        return min_number(min_number(a, b), c);
    }
    const double top = max_number(max_number(a, b), c);
    return top == a ? max_number(b, c) : top == b ? max_number(a, c) : max_number(a, b);
}
/* Below 1, also where the difference would round to it. */
static inline double fraction(double a) {
    const double f = a - floor(a);
    return f > 0x1.ffcp-1 ? 0x1.ffcp-1 : f;
}

#define F16_1_LIST(X)                                                                                        \
    X(v_rcp_f16, 1.0 / a)                                                                                    \
    X(v_rsq_f16, 1.0 / sqrt(a))                                                                              \
    X(v_sqrt_f16, sqrt(a))                                                                                   \
    X(v_exp_f16, exp2(a))                                                                                    \
    X(v_log_f16, log2(a))                                                                                    \
    X(v_floor_f16, floor(a))                                                                                 \
    X(v_ceil_f16, ceil(a))                                                                                   \
    X(v_trunc_f16, trunc(a))                                                                                 \
    X(v_rndne_f16, nearbyint(a))                                                                             \
    X(v_fract_f16, fraction(a))                                                                              \
    X(v_frexp_mant_f16, mantissa(a))
#define F16_2_LIST(X)                                                                                        \
    X(v_add_f16, a + b)                                                                                      \
    X(v_sub_f16, a - b)                                                                                      \
    X(v_subrev_f16, b - a)                                                                                   \
    X(v_mul_f16, a * b)                                                                                      \
    X(v_max_f16, max_number(a, b))                                                                           \
    X(v_min_f16, min_number(a, b))
#define F16_3_LIST(X)                                                                                        \
    X(v_fma_f16, fma(a, b, c))                                                                               \
    X(v_max3_f16, max_number(max_number(a, b), c))                                                           \
    X(v_min3_f16, min_number(min_number(a, b), c))                                                           \
    X(v_med3_f16, median(a, b, c))

static void finish_half(sim_wave *w, const sim_instruction *in, uint32_t out[sim_lanes]) {
    if (in->m.clamp || in->m.output_exponent) {
        sim_output_f16(in, out);
    }
    sim_write16(w, in, out);
}
#define X(name, expression)                                                                                  \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        uint32_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const double a = half(from_a[i]);                                                                \
            out[i] = sim_half_from_f64(expression);                                                          \
        }                                                                                                    \
        finish_half(w, in, out);                                                                             \
    }
F16_1_LIST(X)
#undef X
#define X(name, expression)                                                                                  \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        READ(2, b);                                                                                          \
        uint32_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const double a = half(from_a[i]), b = half(from_b[i]);                                           \
            out[i] = sim_half_from_f64(expression);                                                          \
        }                                                                                                    \
        finish_half(w, in, out);                                                                             \
    }
F16_2_LIST(X)
#undef X
#define X(name, expression)                                                                                  \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        READ(2, b);                                                                                          \
        READ(3, c);                                                                                          \
        uint32_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const double a = half(from_a[i]), b = half(from_b[i]), c = half(from_c[i]);                      \
            out[i] = sim_half_from_f64(expression);                                                          \
        }                                                                                                    \
        finish_half(w, in, out);                                                                             \
    }
F16_3_LIST(X)
#undef X
static void run_v_ldexp_f16(sim_wave *w, const sim_instruction *in) {
    READ(1, a);
    READ(2, b);
    uint32_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        out[i] = sim_half_from_f64(ldexp(half(from_a[i]), (int16_t)from_b[i]));
    }
    finish_half(w, in, out);
}

static inline uint32_t clamp_to(double a, double low, double high) {
    return a != a ? 0 : (uint32_t)(int32_t)(a < low ? low : a > high ? high : a);
}
static uint32_t exponent(double a) {
    int e = 0;
    if (isfinite(a)) {
        frexp(a, &e);
    }
    return (uint32_t)e;
}
#define W16_1_LIST(X)                                                                                        \
    X(v_cvt_f16_f32, "Dh xf", sim_half_from_f64((double)sim_f32(a)))                                         \
    X(v_cvt_f16_u16, "Dh xw", sim_half_from_f64((double)(a & 0xffff)))                                       \
    X(v_cvt_f16_i16, "Dh xw", sim_half_from_f64((double)(int16_t)a))                                         \
    X(v_cvt_u16_f16, "Dw xh", clamp_to(half(a), 0, 65535))                                                   \
    X(v_cvt_i16_f16, "Dw xh", clamp_to(half(a), -32768, 32767))                                              \
    X(v_frexp_exp_i16_f16, "Dw xh", exponent(half(a)))
#define X(name, pattern, expression)                                                                         \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        uint32_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const uint32_t a = from_a[i];                                                                    \
            out[i] = expression;                                                                             \
        }                                                                                                    \
        sim_write16(w, in, out);                                                                             \
    }
W16_1_LIST(X)
#undef X
static void run_v_cvt_f32_f16(sim_wave *w, const sim_instruction *in) {
    READ(1, a);
    uint32_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        out[i] = sim_u32(sim_half_to_f32(from_a[i] & 0xffff));
    }
    sim_write_f32(w, in, out);
}

#define U16_2_LIST(X)                                                                                        \
    X(v_mul_lo_u16, a *b)                                                                                    \
    X(v_max_u16, a > b ? a : b)                                                                              \
    X(v_min_u16, a < b ? a : b)                                                                              \
    X(v_max_i16, (int16_t)a > (int16_t)b ? a : b)                                                            \
    X(v_min_i16, (int16_t)a < (int16_t)b ? a : b)                                                            \
    X(v_lshlrev_b16, b << (a & 15))                                                                          \
    X(v_lshrrev_b16, b >> (a & 15))                                                                          \
    X(v_ashrrev_i16, (uint32_t)((int16_t)b >> (a & 15)))
#define X(name, expression)                                                                                  \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        READ(2, b);                                                                                          \
        uint32_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const uint32_t a = from_a[i] & 0xffff, b = from_b[i] & 0xffff;                                   \
            out[i] = expression;                                                                             \
        }                                                                                                    \
        sim_write16(w, in, out);                                                                             \
    }
U16_2_LIST(X)
#undef X
/* X(name, exact result, range): clamp saturates. */
#define SUM16_LIST(X)                                                                                        \
    X(add_u16, (int32_t)(a + b), 0, 65535)                                                                   \
    X(sub_u16, (int32_t)a - (int32_t)b, 0, 65535)                                                            \
    X(add_i16, (int16_t)a + (int16_t)b, -32768, 32767)                                                       \
    X(sub_i16, (int16_t)a - (int16_t)b, -32768, 32767)
#define SUBREV16(X) X(subrev_u16, (int32_t)b - (int32_t)a, 0, 65535)
static inline int32_t saturated(int32_t exact, int32_t low, int32_t high) {
    return exact < low ? low : exact > high ? high : exact;
}
#define X(name, exact, low, high)                                                                            \
    static void run_v_##name(sim_wave *w, const sim_instruction *in) {                                       \
        READ(1, a);                                                                                          \
        READ(2, b);                                                                                          \
        uint32_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const uint32_t a = from_a[i] & 0xffff, b = from_b[i] & 0xffff;                                   \
            const int32_t sum = exact;                                                                       \
            out[i] = (uint32_t)(in->m.clamp ? saturated(sum, low, high) : sum);                              \
        }                                                                                                    \
        sim_write16(w, in, out);                                                                             \
    }
SUM16_LIST(X)
SUBREV16(X)
#undef X
#define U16_3_LIST(X)                                                                                        \
    X(v_mad_legacy_u16, a *b + c)                                                                            \
    X(v_mad_u16, a *b + c)                                                                                   \
    X(v_mad_i16, a *b + c)                                                                                   \
    X(v_max3_u16, a > b ? (a > c ? a : c) : b > c ? b : c)                                                   \
    X(v_min3_u16, a < b ? (a < c ? a : c) : b < c ? b : c)
#define X(name, expression)                                                                                  \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        READ(2, b);                                                                                          \
        READ(3, c);                                                                                          \
        uint32_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            const uint32_t a = from_a[i] & 0xffff, b = from_b[i] & 0xffff, c = from_c[i] & 0xffff;           \
            out[i] = expression;                                                                             \
        }                                                                                                    \
        sim_write16(w, in, out);                                                                             \
    }
U16_3_LIST(X)
#undef X

/* ---- packed halves ----------------------------------------------------------------------------------- */

/* Half `high` (0 or 1) of source k for the result half of that name, after op_sel and neg. */
static inline uint32_t take_half(const sim_instruction *in, int k, int high, uint32_t bits) {
    const unsigned picks = high ? in->m.op_sel_hi : in->m.op_sel, negates = high ? in->m.neg_hi : in->m.neg_lo;
    return ((picks >> k & 1 ? bits >> 16 : bits) & 0xffff) ^ (negates >> k & 1 ? 0x8000u : 0);
}
typedef uint32_t half_function(uint32_t a, uint32_t b, uint32_t c);
/* clamp of packed halves. */
static void clamp_halves(uint32_t value[sim_lanes]) {
    SIM_EACH_LANE(i) {
        const double low = half(value[i]), high = half(value[i] >> 16);
        value[i] = sim_half_from_f64(!(low > 0) ? 0 : low > 1 ? 1 : low) | sim_half_from_f64(!(high > 0) ? 0 : high > 1 ? 1 : high) << 16;
    }
}
static inline __attribute__((always_inline)) void packed(sim_wave *w, const sim_instruction *in, int sources, half_function *function) {
    READ(1, a);
    READ(2, b);
    READ(sources > 2 ? 3 : 2, c);
    uint32_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        const uint32_t low = function(take_half(in, 0, 0, from_a[i]), take_half(in, 1, 0, from_b[i]), take_half(in, 2, 0, from_c[i]));
        const uint32_t high = function(take_half(in, 0, 1, from_a[i]), take_half(in, 1, 1, from_b[i]), take_half(in, 2, 1, from_c[i]));
        out[i] = (low & 0xffff) | high << 16;
    }
    if (in->m.clamp && (in->row->flags & SIM_ROW_OUTPUT)) {
        clamp_halves(out);
    }
    sim_write32(w, in, out);
}
#define ROUND(expression) sim_half_from_f64(expression)
#define PACKED_FLOAT_LIST(X)                                                                                 \
    X(v_pk_add_f16, 2, ROUND(half(a) + half(b)))                                                             \
    X(v_pk_mul_f16, 2, ROUND(half(a) * half(b)))                                                             \
    X(v_pk_max_f16, 2, ROUND(max_number(half(a), half(b))))                                                  \
    X(v_pk_min_f16, 2, ROUND(min_number(half(a), half(b))))                                                  \
    X(v_pk_fma_f16, 3, ROUND(fma(half(a), half(b), half(c))))                                                \
    X(v_pk_maximum3_f16, 3, ROUND(maximum(maximum(half(a), half(b)), half(c))))                              \
    X(v_pk_minimum3_f16, 3, ROUND(minimum(minimum(half(a), half(b)), half(c))))
#define PACKED_INTEGER_LIST(X)                                                                               \
    X(v_pk_mul_lo_u16, 2, a *b)                                                                              \
    X(v_pk_max_u16, 2, a > b ? a : b)                                                                        \
    X(v_pk_min_u16, 2, a < b ? a : b)                                                                        \
    X(v_pk_max_i16, 2, (int16_t)a > (int16_t)b ? a : b)                                                      \
    X(v_pk_min_i16, 2, (int16_t)a < (int16_t)b ? a : b)                                                      \
    X(v_pk_mad_u16, 3, a *b + c)                                                                             \
    X(v_pk_mad_i16, 3, a *b + c)                                                                             \
    X(v_pk_lshlrev_b16, 2, b << (a & 15))                                                                    \
    X(v_pk_lshrrev_b16, 2, b >> (a & 15))                                                                    \
    X(v_pk_ashrrev_i16, 2, (uint32_t)((int16_t)b >> (a & 15)))
#define X(name, sources, expression)                                                                         \
    static inline __attribute__((always_inline)) uint32_t half_##name(uint32_t a, uint32_t b, uint32_t c) {  \
        (void)c;                                                                                             \
        return expression;                                                                                   \
    }                                                                                                        \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        packed(w, in, sources, half_##name);                                                                 \
    }
PACKED_FLOAT_LIST(X)
PACKED_INTEGER_LIST(X)
#undef X
/* X(mnemonic, exact result, least, largest): with `clamp` the result saturates instead of wrapping. */
#define PACKED_SATURATING_LIST(X)                                                                            \
    X(v_pk_add_u16, (int32_t)a + (int32_t)b, 0, 65535)                                                       \
    X(v_pk_add_i16, (int16_t)a + (int16_t)b, -32768, 32767)                                                  \
    X(v_pk_sub_u16, (int32_t)a - (int32_t)b, 0, 65535)                                                       \
    X(v_pk_sub_i16, (int16_t)a - (int16_t)b, -32768, 32767)
#define X(name, expression, low, high)                                                                       \
    static inline __attribute__((always_inline)) uint32_t half_##name(uint32_t a, uint32_t b, uint32_t c) {  \
        (void)c;                                                                                             \
        return (uint32_t)(expression);                                                                       \
    }                                                                                                        \
    static inline __attribute__((always_inline)) uint32_t clamped_##name(uint32_t a, uint32_t b, uint32_t c) { \
        const int32_t exact = expression;                                                                    \
        (void)c;                                                                                             \
        return (uint32_t)(exact < (low) ? (low) : exact > (high) ? (high) : exact);                          \
    }                                                                                                        \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        if (in->m.clamp) {                                                                                   \
            packed(w, in, 2, clamped_##name);                                                                \
        } else {                                                                                             \
            packed(w, in, 2, half_##name);                                                                   \
        }                                                                                                    \
    }
PACKED_SATURATING_LIST(X)
#undef X

/* ---- packed floats ----------------------------------------------------------------------------------- */

/* Word of source k for the low or high result: registers are pairs, a constant is the same twice. */
static void take_word(const sim_wave *w, const sim_instruction *in, int k, int high, uint32_t out[sim_lanes]) {
    const unsigned picks = high ? in->m.op_sel_hi : in->m.op_sel, negates = high ? in->m.neg_hi : in->m.neg_lo;
    const uint32_t flip = negates >> k & 1 ? 0x80000000u : 0;
    sim_read_word(w, &in->operands[1 + k], picks >> k & 1, out);
    SIM_EACH_LANE(i) {
        out[i] ^= flip;
    }
}
#define PACKED_F32_LIST(X)                                                                                   \
    X(v_pk_add_f32, 2, a + b)                                                                                \
    X(v_pk_mul_f32, 2, a * b)                                                                                \
    X(v_pk_fma_f32, 3, fmaf(a, b, c))
#define X(name, sources, expression)                                                                         \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        uint32_t from_a[sim_lanes], from_b[sim_lanes], from_c[sim_lanes], out[2][sim_lanes];                 \
        for (int high = 0; high < 2; high++) {                                                               \
            take_word(w, in, 0, high, from_a);                                                               \
            take_word(w, in, 1, high, from_b);                                                               \
            take_word(w, in, (sources) - 1, high, from_c);                                                   \
            SIM_EACH_LANE(i) {                                                                               \
                const float a = sim_f32(from_a[i]), b = sim_f32(from_b[i]), c = sim_f32(from_c[i]);          \
                (void)c;                                                                                     \
                out[high][i] = sim_u32(expression);                                                          \
            }                                                                                                \
            if (in->m.clamp) {                                                                               \
                sim_output_f32(in, out[high]);                                                               \
            }                                                                                                \
        }                                                                                                    \
        sim_write_register(w, in->operands[0].reg, out[0]);                                                  \
        sim_write_register(w, in->operands[0].reg + 1u, out[1]);                                             \
    }
PACKED_F32_LIST(X)
#undef X
/* Low from the first source, high from the second, each by its op_sel. */
static void run_v_pk_mov_b32(sim_wave *w, const sim_instruction *in) {
    uint32_t low[sim_lanes], high[sim_lanes];
    sim_read_word(w, &in->operands[1], in->m.op_sel & 1, low);
    sim_read_word(w, &in->operands[2], in->m.op_sel >> 1 & 1, high);
    sim_write_register(w, in->operands[0].reg, low);
    sim_write_register(w, in->operands[0].reg + 1u, high);
}

/* ---- mixed precision: each source a float, or a half of a register where op_sel_hi says so --------------- */

static void mix(sim_wave *w, const sim_instruction *in, uint32_t out[sim_lanes]) {
    float values[3][sim_lanes];
    for (int k = 0; k < 3; k++) {
        const sim_operand *o = &in->operands[1 + k];
        uint32_t bits[sim_lanes];
        sim_read_word(w, o, 0, bits);
        const bool is_half = in->m.op_sel_hi >> k & 1, high = in->m.op_sel >> k & 1;
        SIM_EACH_LANE(i) {
            float value = is_half ? sim_half_to_f32((high ? bits[i] >> 16 : bits[i]) & 0xffff) : sim_f32(bits[i]);
            value = o->absolute || (in->m.neg_hi >> k & 1) ? fabsf(value) : value;
            values[k][i] = o->negate || (in->m.neg_lo >> k & 1) ? -value : value;
        }
    }
    SIM_EACH_LANE(i) {
        out[i] = sim_u32(fmaf(values[0][i], values[1][i], values[2][i]));
    }
    if (in->m.clamp) {
        sim_output_f32(in, out);
    }
}
static void run_v_fma_mix_f32(sim_wave *w, const sim_instruction *in) {
    uint32_t out[sim_lanes];
    mix(w, in, out);
    sim_write32(w, in, out);
}
static void mix_half(sim_wave *w, const sim_instruction *in, unsigned shift) {
    uint32_t out[sim_lanes];
    const uint32_t *old = w->v[in->operands[0].reg];
    mix(w, in, out);
    SIM_EACH_LANE(i) {
        out[i] = (old[i] & ~(0xffffu << shift)) | sim_half_from_f64((double)sim_f32(out[i])) << shift;
    }
    sim_write32(w, in, out);
}
static void run_v_fma_mixlo_f16(sim_wave *w, const sim_instruction *in) { mix_half(w, in, 0); }
static void run_v_fma_mixhi_f16(sim_wave *w, const sim_instruction *in) { mix_half(w, in, 16); }

static const sim_row rows[] = {
#define X(name, expression) {#name, "Dh xh", run_##name, SIM_ROW_LANE | SIM_ROW_OUTPUT},
    F16_1_LIST(X)
#undef X
#define X(name, expression) {#name, "Dh xh xh", run_##name, SIM_ROW_LANE | SIM_ROW_OUTPUT},
    F16_2_LIST(X)
#undef X
#define X(name, expression) {#name, "Dh xh xh xh", run_##name, SIM_ROW_OUTPUT | SIM_ROW_PRESERVE},
    F16_3_LIST(X)
#undef X
    {"v_ldexp_f16", "Dh xh xw", run_v_ldexp_f16, SIM_ROW_LANE | SIM_ROW_OUTPUT},
#define X(name, pattern, expression) {#name, pattern, run_##name, SIM_ROW_LANE},
    W16_1_LIST(X)
#undef X
    {"v_cvt_f32_f16", "Df xh", run_v_cvt_f32_f16, SIM_ROW_LANE | SIM_ROW_OUTPUT},
#define X(name, expression) {#name, "Dw xw xw", run_##name, SIM_ROW_LANE},
    U16_2_LIST(X)
#undef X
    {"v_add_u16", "Dw xw xw", run_v_add_u16, SIM_ROW_LANE | SIM_ROW_INT_CLAMP},
    {"v_sub_u16", "Dw xw xw", run_v_sub_u16, SIM_ROW_LANE | SIM_ROW_INT_CLAMP},
    {"v_subrev_u16", "Dw xw xw", run_v_subrev_u16, SIM_ROW_LANE | SIM_ROW_INT_CLAMP},
    {"v_add_i16", "Dw xw xw", run_v_add_i16, SIM_ROW_PRESERVE | SIM_ROW_INT_CLAMP},
    {"v_sub_i16", "Dw xw xw", run_v_sub_i16, SIM_ROW_PRESERVE | SIM_ROW_INT_CLAMP},
#define X(name, expression) {#name, "Dw xw xw xw", run_##name, SIM_ROW_PRESERVE},
    U16_3_LIST(X)
#undef X
#define X(name, sources, expression)                                                                         \
    {#name, (sources) == 3 ? "Dp xp xp xp" : "Dp xp xp", run_##name, SIM_ROW_PACKED | SIM_ROW_OUTPUT},
    PACKED_FLOAT_LIST(X)
#undef X
#define X(name, sources, expression) {#name, (sources) == 3 ? "Dp xp xp xp" : "Dp xp xp", run_##name, SIM_ROW_PACKED},
    PACKED_INTEGER_LIST(X)
#undef X
#define X(name, expression, low, high) {#name, "Dp xp xp", run_##name, SIM_ROW_PACKED | SIM_ROW_INT_CLAMP},
    PACKED_SATURATING_LIST(X)
#undef X
#define X(name, sources, expression) {#name, (sources) == 3 ? "DF xF xF xF" : "DF xF xF", run_##name, SIM_ROW_PACKED | SIM_ROW_OUTPUT},
    PACKED_F32_LIST(X)
#undef X
    {"v_pk_mov_b32", "DF xF xF", run_v_pk_mov_b32, SIM_ROW_PACKED},
    {"v_fma_mix_f32", "Df xf xf xf", run_v_fma_mix_f32, SIM_ROW_PACKED | SIM_ROW_OP_SEL | SIM_ROW_OUTPUT},
    {"v_fma_mixlo_f16", "Mb xf xf xf", run_v_fma_mixlo_f16, SIM_ROW_PACKED | SIM_ROW_OP_SEL | SIM_ROW_OUTPUT},
    {"v_fma_mixhi_f16", "Mb xf xf xf", run_v_fma_mixhi_f16, SIM_ROW_PACKED | SIM_ROW_OP_SEL | SIM_ROW_OUTPUT},
};
SIM_DEFINE_TABLE(sim_half);
