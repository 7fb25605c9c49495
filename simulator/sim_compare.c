/* Vector comparisons: ISA manual, section 12.11. Every condition is a row of one list, expanded for every type. */
#include "sim_rows.h"

#include <math.h>

/* X(name, expression for integers) and for floats: n.. are the negations, true with NaN. */
#define INTEGER_CONDITIONS(X, T)                                                                             \
    X(f, T, false)                                                                                           \
    X(lt, T, a < b)                                                                                          \
    X(eq, T, a == b)                                                                                         \
    X(le, T, a <= b)                                                                                         \
    X(gt, T, a > b)                                                                                          \
    X(ne, T, a != b)                                                                                         \
    X(ge, T, a >= b)                                                                                         \
    X(t, T, true)
#define FLOAT_CONDITIONS(X, T)                                                                               \
    X(f, T, false)                                                                                           \
    X(lt, T, a < b)                                                                                          \
    X(eq, T, a == b)                                                                                         \
    X(le, T, a <= b)                                                                                         \
    X(gt, T, a > b)                                                                                          \
    X(lg, T, a < b || a > b)                                                                                 \
    X(ge, T, a >= b)                                                                                         \
    X(o, T, a == a && b == b)                                                                                \
    X(u, T, a != a || b != b)                                                                                \
    X(nge, T, !(a >= b))                                                                                     \
    X(nlg, T, !(a < b || a > b))                                                                             \
    X(ngt, T, !(a > b))                                                                                      \
    X(nle, T, !(a <= b))                                                                                     \
    X(neq, T, !(a == b))                                                                                     \
    X(nlt, T, !(a < b))                                                                                      \
    X(tru, T, true)

/* How a type is read: READ fills `from_a`, VALUE makes the C value of a lane. */
#define WORDS(k, name)                                                                                       \
    uint32_t temporary_##name[sim_lanes];                                                                    \
    const uint32_t *from_##name = sim_read32(w, in, k, temporary_##name)
#define LONGS(k, name)                                                                                       \
    uint64_t from_##name[sim_lanes];                                                                         \
    sim_read64(w, in, k, from_##name)
#define READ_f32 WORDS
#define READ_f16 WORDS
#define READ_u32 WORDS
#define READ_i32 WORDS
#define READ_u16 WORDS
#define READ_i16 WORDS
#define READ_f64 LONGS
#define READ_u64 LONGS
#define READ_i64 LONGS
#define VALUE_f32(x) const float x = sim_f32(from_##x[i])
#define VALUE_f16(x) const float x = sim_half_to_f32(from_##x[i] & 0xffff)
#define VALUE_u32(x) const uint32_t x = from_##x[i]
#define VALUE_i32(x) const int32_t x = (int32_t)from_##x[i]
#define VALUE_u16(x) const uint16_t x = (uint16_t)from_##x[i]
#define VALUE_i16(x) const int16_t x = (int16_t)from_##x[i]
#define VALUE_f64(x) const double x = sim_f64(from_##x[i])
#define VALUE_u64(x) const uint64_t x = from_##x[i]
#define VALUE_i64(x) const int64_t x = (int64_t)from_##x[i]

#define COMPARE(name, T, expression)                                                                         \
    static void run_##name##_##T(sim_wave *w, const sim_instruction *in) {                                   \
        READ_##T(1, a);                                                                                      \
        READ_##T(2, b);                                                                                      \
        uint32_t bit[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            VALUE_##T(a);                                                                                    \
            VALUE_##T(b);                                                                                    \
            (void)a;                                                                                         \
            (void)b;                                                                                         \
            bit[i] = (expression);                                                                           \
        }                                                                                                    \
        sim_write_bits(w, in, 0, bit);                                                                       \
    }                                                                                                        \
    static void run_x_##name##_##T(sim_wave *w, const sim_instruction *in) {                                 \
        run_##name##_##T(w, in);                                                                             \
        w->s64[sim_exec / 2] = sim_scalar64(w, &in->operands[0]);                                            \
    }
FLOAT_CONDITIONS(COMPARE, f32)
FLOAT_CONDITIONS(COMPARE, f16)
FLOAT_CONDITIONS(COMPARE, f64)
INTEGER_CONDITIONS(COMPARE, u32)
INTEGER_CONDITIONS(COMPARE, i32)
INTEGER_CONDITIONS(COMPARE, u16)
INTEGER_CONDITIONS(COMPARE, i16)
INTEGER_CONDITIONS(COMPARE, u64)
INTEGER_CONDITIONS(COMPARE, i64)

/* Bit of the class mask that a number belongs to: sNaN, qNaN, -inf, -normal, -subnormal, -0, +0, +subnormal, +normal, +inf. */
static unsigned class_of(bool negative, bool quiet, int kind) {
    switch (kind) {
    case FP_NAN: return quiet ? 1 : 0;
    case FP_INFINITE: return negative ? 2 : 9;
    case FP_NORMAL: return negative ? 3 : 8;
    case FP_SUBNORMAL: return negative ? 4 : 7;
    default: return negative ? 5 : 6;
    }
}
static unsigned class_f32(uint32_t bits) {
    return class_of(bits >> 31, bits >> 22 & 1, fpclassify(sim_f32(bits)));
}
static unsigned class_f16(uint32_t bits) {
    const unsigned e = bits >> 10 & 31, m = bits & 0x3ff;
    return class_of(bits >> 15 & 1, m >> 9, e == 31 ? (m ? FP_NAN : FP_INFINITE) : e ? FP_NORMAL : m ? FP_SUBNORMAL : FP_ZERO);
}
#define CLASS(T, read, classify)                                                                             \
    static void run_class_##T(sim_wave *w, const sim_instruction *in) {                                      \
        read(1, a);                                                                                          \
        WORDS(2, b);                                                                                         \
        uint32_t bit[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            bit[i] = from_b[i] >> classify(from_a[i]) & 1;                                                   \
        }                                                                                                    \
        sim_write_bits(w, in, 0, bit);                                                                       \
    }                                                                                                        \
    static void run_x_class_##T(sim_wave *w, const sim_instruction *in) {                                    \
        run_class_##T(w, in);                                                                                \
        w->s64[sim_exec / 2] = sim_scalar64(w, &in->operands[0]);                                            \
    }
static unsigned class_f64(uint64_t bits) {
    return class_of(bits >> 63, bits >> 51 & 1, fpclassify(sim_f64(bits)));
}
CLASS(f32, WORDS, class_f32)
CLASS(f16, WORDS, class_f16)
CLASS(f64, LONGS, class_f64)

#define PATTERN_f32 "Sl xf xf"
#define PATTERN_f16 "Sl xh xh"
#define PATTERN_f64 "Sl xd xd"
#define PATTERN_u32 "Sl xi xi"
#define PATTERN_i32 "Sl xi xi"
#define PATTERN_u16 "Sl xw xw"
#define PATTERN_i16 "Sl xw xw"
#define PATTERN_u64 "Sl xl xl"
#define PATTERN_i64 "Sl xl xl"
#define ROW(name, T, expression)                                                                             \
    {"v_cmp_" #name "_" #T, PATTERN_##T, run_##name##_##T, SIM_ROW_LANE},                                    \
    {"v_cmpx_" #name "_" #T, PATTERN_##T, run_x_##name##_##T, SIM_ROW_LANE},
static const sim_row rows[] = {
    FLOAT_CONDITIONS(ROW, f32)
    FLOAT_CONDITIONS(ROW, f16)
    FLOAT_CONDITIONS(ROW, f64)
    INTEGER_CONDITIONS(ROW, u32)
    INTEGER_CONDITIONS(ROW, i32)
    INTEGER_CONDITIONS(ROW, u16)
    INTEGER_CONDITIONS(ROW, i16)
    INTEGER_CONDITIONS(ROW, u64)
    INTEGER_CONDITIONS(ROW, i64)
    {"v_cmp_class_f32", "Sl xf xi", run_class_f32, SIM_ROW_LANE},
    {"v_cmpx_class_f32", "Sl xf xi", run_x_class_f32, SIM_ROW_LANE},
    {"v_cmp_class_f16", "Sl xh xi", run_class_f16, SIM_ROW_LANE},
    {"v_cmpx_class_f16", "Sl xh xi", run_x_class_f16, SIM_ROW_LANE},
    {"v_cmp_class_f64", "Sl xd xi", run_class_f64, SIM_ROW_LANE},
    {"v_cmpx_class_f64", "Sl xd xi", run_x_class_f64, SIM_ROW_LANE},
};
SIM_DEFINE_TABLE(sim_compare);
