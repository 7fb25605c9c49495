/* Conversions to and from packed small formats: ISA manual, section 6.7.1; AMD's host reference for the OCP formats.
 *
 * Assumed where the manual is silent: ties of pknorm go to even; a scale of exponent 255 is NaN; stochastic rounding adds the seed
 * as a fraction of the last bit and truncates, and steps the seed per element as v_prng_b32 does. */
#include "sim_rows.h"

#include "formats.h"

#include <math.h>

#define O(k) (&in->operands[k])
#define READ(k, name)                                                                                        \
    uint32_t temporary_##name[sim_lanes];                                                                    \
    const uint32_t *from_##name = sim_read32(w, in, k, temporary_##name)

/* ---- normalised and packed integers ------------------------------------------------------------------- */

static uint32_t unsigned_norm(float a) {
    const int *choice = sim_facts_get()->choice;
    if (a != a) {
        return choice[FSATTN_FACT_pknorm_nan] ? 65535 : 0;
    }
    return !(a > 0) ? 0 : a >= 1 ? 65535 : fsattn_norm16((double)a, (fsattn_norm_rounding)choice[FSATTN_FACT_pknorm_rounding]);
}
static uint32_t signed_norm(float a) {
    return a != a ? 0 : (uint32_t)(int32_t)nearbyint((double)(a > 1 ? 1 : a < -1 ? -1 : a) * 32767.0) & 0xffff;
}
static uint32_t toward_zero(float a) {
    const uint32_t nearest = sim_half_from_f64((double)a);
    if (!isfinite(a)) {
        return nearest;
    }
    return fabsf(sim_half_to_f32(nearest)) > fabsf(a) ? nearest - 1 : nearest;
}
static uint32_t clip(int64_t a, int64_t low, int64_t high) {
    return (uint32_t)(a < low ? low : a > high ? high : a) & 0xffff;
}
#define PAIR_LIST(X)                                                                                         \
    X(v_cvt_pknorm_u16_f32, "Di xf xf", unsigned_norm(sim_f32(x)))                                           \
    X(v_cvt_pknorm_i16_f32, "Di xf xf", signed_norm(sim_f32(x)))                                             \
    X(v_cvt_pkrtz_f16_f32, "Di xf xf", toward_zero(sim_f32(x)))                                              \
    X(v_cvt_pk_f16_f32, "Di xf xf", sim_half_from_f64((double)sim_f32(x)))                                   \
    X(v_cvt_pk_bf16_f32, "Di xf xf", sim_bf16_from_f32(sim_f32(x)))                                          \
    X(v_cvt_pk_u16_u32, "Di xi xi", clip(x, 0, 65535))                                                       \
    X(v_cvt_pk_i16_i32, "Di xi xi", clip((int32_t)x, -32768, 32767))
#define X(name, pattern, expression)                                                                         \
    static inline uint32_t one_##name(uint32_t x) { return expression; }                                     \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        READ(1, a);                                                                                          \
        READ(2, b);                                                                                          \
        uint32_t out[sim_lanes];                                                                             \
        SIM_EACH_LANE(i) {                                                                                   \
            out[i] = (one_##name(from_a[i]) & 0xffff) | one_##name(from_b[i]) << 16;                         \
        }                                                                                                    \
        sim_write32(w, in, out);                                                                             \
    }
PAIR_LIST(X)
#undef X
static void run_v_pack_b32_f16(sim_wave *w, const sim_instruction *in) {
    READ(1, a);
    READ(2, b);
    uint32_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        out[i] = (from_a[i] & 0xffff) | from_b[i] << 16;
    }
    sim_write32(w, in, out);
}
static void run_v_cvt_pk_u8_f32(sim_wave *w, const sim_instruction *in) {
    READ(1, a);
    READ(2, b);
    READ(3, c);
    uint32_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        const float a = sim_f32(from_a[i]);
        const unsigned shift = 8 * (from_b[i] & 3);
        const uint32_t byte = !(a > 0) ? 0 : a >= 255 ? 255 : (uint32_t)nearbyintf(a);
        out[i] = (from_c[i] & ~(255u << shift)) | byte << shift;
    }
    sim_write32(w, in, out);
}

/* ---- small floats -------------------------------------------------------------------------------------- */

/* Power of two that a scale operand stands for: its exponent field alone. */
static double scale_of(uint32_t bits) {
    const uint8_t exponent = (uint8_t)(bits >> 23);
    const int *choice = sim_facts_get()->choice;
    if (exponent == 0 && choice[FSATTN_FACT_convert_scale_0]) {
        return 1;
    }
    return exponent == 255 && choice[FSATTN_FACT_convert_scale_255] ? 0x1p128 : fsattn_e8m0_decode(exponent);
}
/* E4M3 and E5M2 overflow to their special value unless MODE says clamp; FP6 and FP4 saturate always. */
static uint32_t encode(const sim_wave *w, fsattn_format format, double value) {
    if (value != value && !fsattn_format_describe(format)->has_nan && sim_facts_get()->choice[FSATTN_FACT_small_nan]) {
        return 0;
    }
    const bool special = fsattn_format_describe(format)->bits == 8 && !(w->mode & sim_mode_fp16_ovfl);
    return fsattn_format_encode(format, value, special ? FSATTN_OVERFLOW_SPECIAL : FSATTN_OVERFLOW_SATURATE);
}
/* Rounds by chance: |value| in units of the format's last place, plus the seed as a fraction, cut. */
static uint32_t encode_random(const sim_wave *w, fsattn_format format, double value, uint32_t seed) {
    const fsattn_format_properties *f = fsattn_format_describe(format);
    if (!isfinite(value) || value == 0) {
        return encode(w, format, value);
    }
    int exponent;
    frexp(value, &exponent);
    exponent = exponent - 1 < 1 - f->bias ? 1 - f->bias : exponent - 1;
    const double unit = ldexp(1, exponent - f->mantissa_bits);
    return encode(w, format, copysign(floor(fabs(value) / unit + (double)seed * 0x1p-32) * unit, value));
}
static uint32_t next_seed(uint32_t seed) {
    return seed << 1 ^ (seed >> 31 ? 0xC5u : 0);
}
static double value_f32(uint32_t bits) { return (double)sim_f32(bits); }
static double value_f16(uint32_t bits) { return (double)sim_half_to_f32(bits & 0xffff); }
static double value_bf16(uint32_t bits) { return (double)sim_f32(bits << 16); }
static uint32_t bits_f32(double value) { return sim_u32((float)value); }
static uint32_t bits_f16(double value) { return sim_half_from_f64(value); }
static uint32_t bits_bf16(double value) { return sim_bf16_from_f32((float)value); }

/* Puts `bits` bits at place number `place` of the destination and keeps the rest. */
static void insert(sim_wave *w, const sim_instruction *in, uint32_t out[sim_lanes], unsigned bits, unsigned place) {
    const uint32_t *old = w->v[O(0)->reg];
    const uint32_t mask = (bits == 32 ? ~0u : (1u << bits) - 1) << bits * place;
    SIM_EACH_LANE(i) {
        out[i] = (old[i] & ~mask) | (out[i] << bits * place & mask);
    }
    sim_write_register(w, O(0)->reg, out);
}
/* Element n of a source of 32-bit or packed 16-bit elements. */
static uint32_t element(const sim_wave *w, const sim_operand *o, unsigned n, unsigned bits, int lane) {
    const unsigned word = bits == 32 ? n : n / 2;
    const uint32_t raw = o->kind == SIM_OPERAND_VGPR ? w->v[o->reg + word][lane] : sim_scalar32(w, o);
    return bits == 32 ? raw : raw >> 16 * (n & 1) & 0xffff;
}

/* Two elements into 8 (FP4) or 16 (FP8) bits. Operands: destination, one or two sources, [seed,] scale. */
typedef struct narrow {
    fsattn_format format;
    double (*value)(uint32_t);
    unsigned source_bits; /* of an element */
    bool two_sources, scaled, random, single;
} narrow;
static void pack_two(sim_wave *w, const sim_instruction *in, const narrow *n) {
    const unsigned bits = (unsigned)fsattn_format_describe(n->format)->bits;
    const int scale_at = in->operand_count - 1, seed_at = scale_at - n->scaled, sources = in->operand_count - 1;
    uint32_t out[sim_lanes], temporary_scale[sim_lanes], temporary_seed[sim_lanes], temporary[2][sim_lanes];
    const uint32_t *scale = n->scaled ? sim_read32(w, in, scale_at, temporary_scale) : NULL;
    const uint32_t *seed = n->random ? sim_read32(w, in, seed_at, temporary_seed) : NULL;
    const uint32_t *from[2] = {NULL, NULL};
    if (n->two_sources || n->single) {
        from[0] = sim_read32(w, in, 1, temporary[0]);
        from[1] = n->single ? from[0] : sim_read32(w, in, 2, temporary[1]);
    }
    SIM_EACH_LANE(i) {
        const double factor = n->scaled ? scale_of(scale[i]) : 1;
        uint32_t random = seed ? seed[i] : 0;
        out[i] = 0;
        for (unsigned k = 0; k < (n->single ? 1u : 2u); k++) {
            const uint32_t raw = from[k] ? from[k][i] : element(w, O(1), k, n->source_bits, i);
            const double value = n->value(raw) / factor;
            out[i] |= (n->random ? encode_random(w, n->format, value, random) : encode(w, n->format, value)) << bits * k;
            random = next_seed(random);
        }
    }
    const unsigned place = bits == 4 || n->single ? (in->m.op_sel >> 2 & 3) : (in->m.op_sel >> sources & 1);
    insert(w, in, out, n->single ? bits : 2 * bits, place);
}

/* Two elements (or one) from a byte or half of the source. */
typedef struct widen {
    fsattn_format format;
    uint32_t (*bits_of)(double);
    unsigned result_bits;
    bool scaled, single;
} widen;
static void unpack_two(sim_wave *w, const sim_instruction *in, const widen *n) {
    const unsigned bits = (unsigned)fsattn_format_describe(n->format)->bits, take = n->single ? bits : 2 * bits;
    const unsigned place = in->m.op_sel & (take == 8 ? 3 : 1);
    uint32_t out[2][sim_lanes], temporary_scale[sim_lanes];
    READ(1, a);
    const uint32_t *scale = n->scaled ? sim_read32(w, in, 2, temporary_scale) : NULL;
    SIM_EACH_LANE(i) {
        const uint32_t raw = from_a[i] >> take * place;
        const double factor = n->scaled ? scale_of(scale[i]) : 1;
        for (unsigned k = 0; k < 2; k++) {
            out[k][i] = n->bits_of(fsattn_format_decode(n->format, raw >> bits * k & ((1u << bits) - 1)) * factor);
        }
        if (n->result_bits == 16) {
            out[0][i] = (out[0][i] & 0xffff) | out[1][i] << 16;
        }
    }
    sim_write_register(w, O(0)->reg, out[0]);
    if (n->result_bits == 32 && !n->single) {
        sim_write_register(w, O(0)->reg + 1u, out[1]);
    }
}

/* X(name, pattern, format, value, element bits, two sources, scaled, random, single) */
#define NARROW_FP8_LIST(X, f, F)                                                                             \
    X(v_cvt_scalef32_pk_##f##_f32, "Mb xf xf xf", F, value_f32, 32, true, true, false, false)                \
    X(v_cvt_scalef32_pk_##f##_f16, "Mb xb xf", F, value_f16, 16, false, true, false, false)                  \
    X(v_cvt_scalef32_pk_##f##_bf16, "Mb xb xf", F, value_bf16, 16, false, true, false, false)                \
    X(v_cvt_scalef32_sr_##f##_f32, "Mb xf xi xf", F, value_f32, 32, false, true, true, true)                 \
    X(v_cvt_scalef32_sr_##f##_f16, "Mb xb xi xf", F, value_f16, 16, false, true, true, true)                 \
    X(v_cvt_scalef32_sr_##f##_bf16, "Mb xb xi xf", F, value_bf16, 16, false, true, true, true)               \
    X(v_cvt_pk_##f##_f32, "Mb xf xf", F, value_f32, 32, true, false, false, false)                           \
    X(v_cvt_sr_##f##_f32, "Mb xf xi", F, value_f32, 32, false, false, true, true)
#define NARROW_LIST(X)                                                                                       \
    NARROW_FP8_LIST(X, fp8, FSATTN_FORMAT_E4M3)                                                              \
    NARROW_FP8_LIST(X, bf8, FSATTN_FORMAT_E5M2)                                                              \
    X(v_cvt_scalef32_pk_fp4_f32, "Mb xf xf xf", FSATTN_FORMAT_E2M1, value_f32, 32, true, true, false, false) \
    X(v_cvt_scalef32_pk_fp4_f16, "Mb xb xf", FSATTN_FORMAT_E2M1, value_f16, 16, false, true, false, false)   \
    X(v_cvt_scalef32_pk_fp4_bf16, "Mb xb xf", FSATTN_FORMAT_E2M1, value_bf16, 16, false, true, false, false) \
    X(v_cvt_scalef32_sr_pk_fp4_f32, "Mb vF xi xf", FSATTN_FORMAT_E2M1, value_f32, 32, false, true, true, false) \
    X(v_cvt_scalef32_sr_pk_fp4_f16, "Mb xb xi xf", FSATTN_FORMAT_E2M1, value_f16, 16, false, true, true, false) \
    X(v_cvt_scalef32_sr_pk_fp4_bf16, "Mb xb xi xf", FSATTN_FORMAT_E2M1, value_bf16, 16, false, true, true, false)
#define X(name, pattern, format, value, bits, two, scaled, random, single)                                   \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        pack_two(w, in, &(narrow){format, value, bits, two, scaled, random, single});                        \
    }
NARROW_LIST(X)
#undef X

/* X(name, pattern, format, bits of, result bits, scaled, single) */
#define WIDEN_FORMAT_LIST(X, f, F)                                                                           \
    X(v_cvt_scalef32_pk_f32_##f, "Db2 xb xf", F, bits_f32, 32, true, false)                                  \
    X(v_cvt_scalef32_pk_f16_##f, "Db xb xf", F, bits_f16, 16, true, false)                                   \
    X(v_cvt_scalef32_pk_bf16_##f, "Db xb xf", F, bits_bf16, 16, true, false)
#define WIDEN_LIST(X)                                                                                        \
    WIDEN_FORMAT_LIST(X, fp8, FSATTN_FORMAT_E4M3)                                                            \
    WIDEN_FORMAT_LIST(X, bf8, FSATTN_FORMAT_E5M2)                                                            \
    WIDEN_FORMAT_LIST(X, fp4, FSATTN_FORMAT_E2M1)                                                            \
    X(v_cvt_scalef32_f32_fp8, "Db xb xf", FSATTN_FORMAT_E4M3, bits_f32, 32, true, true)                      \
    X(v_cvt_scalef32_f32_bf8, "Db xb xf", FSATTN_FORMAT_E5M2, bits_f32, 32, true, true)                      \
    X(v_cvt_f32_fp8, "Db xb", FSATTN_FORMAT_E4M3, bits_f32, 32, false, true)                                 \
    X(v_cvt_f32_bf8, "Db xb", FSATTN_FORMAT_E5M2, bits_f32, 32, false, true)                                 \
    X(v_cvt_pk_f32_fp8, "Db2 xb", FSATTN_FORMAT_E4M3, bits_f32, 32, false, false)                            \
    X(v_cvt_pk_f32_bf8, "Db2 xb", FSATTN_FORMAT_E5M2, bits_f32, 32, false, false)
#define X(name, pattern, format, bits_of, result_bits, scaled, single)                                       \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        unpack_two(w, in, &(widen){format, bits_of, result_bits, scaled, single});                           \
    }
WIDEN_LIST(X)
#undef X

/* ---- 32 elements at once ------------------------------------------------------------------------------- */

static void put_bits(uint32_t words[6], unsigned bit, uint32_t code) {
    words[bit / 32] |= code << bit % 32;
    if (bit % 32 > 26) {
        words[bit / 32 + 1] |= code >> (32 - bit % 32);
    }
}
static uint32_t get_bits(const uint32_t words[6], unsigned bit) {
    const uint64_t both = words[bit / 32] | (uint64_t)(bit / 32 < 5 ? words[bit / 32 + 1] : 0) << 32;
    return (uint32_t)(both >> bit % 32) & 63;
}
/* 32 values into 192 bits, element i at bit 6i; with two sources of 16 their elements alternate. */
static void pack_32(sim_wave *w, const sim_instruction *in, const narrow *n) {
    const int scale_at = in->operand_count - 1;
    const uint64_t exec = sim_exec_of(w);
    uint32_t temporary_scale[sim_lanes], temporary_seed[sim_lanes], words[sim_lanes][6] = {{0}};
    const uint32_t *scale = sim_read32(w, in, scale_at, temporary_scale);
    const uint32_t *seed = n->random ? sim_read32(w, in, 2, temporary_seed) : NULL;
    SIM_EACH_LANE(i) {
        uint32_t random = seed ? seed[i] : 0;
        const double factor = scale_of(scale[i]);
        if (!(exec >> i & 1)) {
            continue;
        }
        for (unsigned k = 0; k < 32; k++) {
            const sim_operand *from = O(n->two_sources ? 1 + (k & 1) : 1);
            const double value = n->value(element(w, from, n->two_sources ? k / 2 : k, n->source_bits, i)) / factor;
            put_bits(words[i], 6 * k, n->random ? encode_random(w, n->format, value, random) : encode(w, n->format, value));
            random = next_seed(random);
        }
    }
    for (unsigned k = 0; k < 6; k++) {
        uint32_t out[sim_lanes];
        SIM_EACH_LANE(i) {
            out[i] = words[i][k];
        }
        sim_write_register(w, O(0)->reg + k, out);
    }
}
static void unpack_32(sim_wave *w, const sim_instruction *in, const widen *n) {
    uint32_t out[32][sim_lanes];
    READ(2, scale);
    SIM_EACH_LANE(i) {
        uint32_t words[6];
        for (unsigned k = 0; k < 6; k++) {
            words[k] = w->v[O(1)->reg + k][i];
        }
        const double factor = scale_of(from_scale[i]);
        for (unsigned k = 0; k < 32; k++) {
            const uint32_t bits = n->bits_of(fsattn_format_decode(n->format, get_bits(words, 6 * k)) * factor);
            if (n->result_bits == 32) {
                out[k][i] = bits;
            } else {
                out[k / 2][i] = k & 1 ? out[k / 2][i] | bits << 16 : bits;
            }
        }
    }
    for (unsigned k = 0; k < n->result_bits; k++) {
        sim_write_register(w, O(0)->reg + k, out[k]);
    }
}
#define PACK32_FORMAT_LIST(X, f, F)                                                                          \
    X(v_cvt_scalef32_pk32_##f##_f16, "Db6 vb16 xf", F, value_f16, 16, false, false)                          \
    X(v_cvt_scalef32_pk32_##f##_bf16, "Db6 vb16 xf", F, value_bf16, 16, false, false)                        \
    X(v_cvt_scalef32_sr_pk32_##f##_f32, "Db6 vb32 xi xf", F, value_f32, 32, false, true)                     \
    X(v_cvt_scalef32_sr_pk32_##f##_f16, "Db6 vb16 xi xf", F, value_f16, 16, false, true)                     \
    X(v_cvt_scalef32_sr_pk32_##f##_bf16, "Db6 vb16 xi xf", F, value_bf16, 16, false, true)                   \
    X(v_cvt_scalef32_2xpk16_##f##_f32, "Db6 vb16 vb16 xf", F, value_f32, 32, true, false)
#define PACK32_LIST(X)                                                                                       \
    PACK32_FORMAT_LIST(X, fp6, FSATTN_FORMAT_E2M3)                                                           \
    PACK32_FORMAT_LIST(X, bf6, FSATTN_FORMAT_E3M2)
#define X(name, pattern, format, value, bits, two, random)                                                   \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        pack_32(w, in, &(narrow){format, value, bits, two, true, random, false});                            \
    }
PACK32_LIST(X)
#undef X
#define UNPACK32_FORMAT_LIST(X, f, F)                                                                        \
    X(v_cvt_scalef32_pk32_f32_##f, "Db32 vb6 xf", F, bits_f32, 32)                                           \
    X(v_cvt_scalef32_pk32_f16_##f, "Db16 vb6 xf", F, bits_f16, 16)                                           \
    X(v_cvt_scalef32_pk32_bf16_##f, "Db16 vb6 xf", F, bits_bf16, 16)
#define UNPACK32_LIST(X)                                                                                     \
    UNPACK32_FORMAT_LIST(X, fp6, FSATTN_FORMAT_E2M3)                                                         \
    UNPACK32_FORMAT_LIST(X, bf6, FSATTN_FORMAT_E3M2)
#define X(name, pattern, format, bits_of, result_bits)                                                       \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        unpack_32(w, in, &(widen){format, bits_of, result_bits, true, false});                               \
    }
UNPACK32_LIST(X)
#undef X

static const sim_row rows[] = {
#define X(name, pattern, expression) {#name, pattern, run_##name, 0},
    PAIR_LIST(X)
#undef X
    {"v_pack_b32_f16", "Di xh xh", run_v_pack_b32_f16, 0},
    {"v_cvt_pk_u8_f32", "Di xf xi xi", run_v_cvt_pk_u8_f32, 0},
#define X(name, pattern, format, value, bits, two, scaled, random, single) {#name, pattern, run_##name, SIM_ROW_OP_SEL},
    NARROW_LIST(X)
#undef X
#define X(name, pattern, format, bits_of, result_bits, scaled, single) {#name, pattern, run_##name, SIM_ROW_OP_SEL | SIM_ROW_LANE},
    WIDEN_LIST(X)
#undef X
#define X(name, pattern, format, value, bits, two, random) {#name, pattern, run_##name, 0},
    PACK32_LIST(X)
#undef X
#define X(name, pattern, format, bits_of, result_bits) {#name, pattern, run_##name, 0},
    UNPACK32_LIST(X)
#undef X
};
SIM_DEFINE_TABLE(sim_convert);
