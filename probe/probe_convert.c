/* Probes of conversions, of maximum3 and of transcendental functions: one value a case. */
#include "probe.h"

#include "exponential.h"
#include "formats.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ---- v_cvt_pknorm_u16_f32 ---------------------------------------------------------------------------------- */

/* 65535 is odd, so 0.5 is the only tie; the floats beside the other halves tell whether the product is rounded before. */
void probe_pknorm_fill(const probe *p, uint32_t *in) {
    static const uint32_t range[] = {0, 0x80000000, 1, 0x80000001, 0x00800000, 0x3f800000, 0x3f800001, 0x3f7fffff, 0x40000000, 0x7f800000,
                                     0xff800000, 0xbf800000, 0x7f7fffff, 0xb3000000, 0x37000080, 0x37800080};
    static const uint32_t nans[] = {0x7fc00000, 0xffc00000, 0x7f800001, 0xffffffff};
    const probe_pknorm kind = *(const probe_pknorm *)p->data;
    for (uint32_t i = 0; i < p->count; i++) {
        const double half = (i / 2 * 64 + i % 64 + 0.5) / 65535.0;
        const float near = (float)half;
        in[i] = kind == PROBE_PKNORM_NAN     ? nans[i % 4]
                : kind == PROBE_PKNORM_RANGE ? range[i % (sizeof range / sizeof range[0])]
                : i == 0                     ? bits_of(0.5f)
                                             : bits_of(i % 2 ? near : nextafterf(near, (double)near > half ? 0.0f : 1.0f));
    }
}
void probe_pknorm_expect(const probe *p, const fsattn_fact *value, const uint32_t *in, uint32_t *out) {
    const probe_pknorm kind = *(const probe_pknorm *)p->data;
    for (uint32_t i = 0; i < p->count; i++) {
        const float a = float_of(in[i]);
        out[i] = isnan(a) ? (kind == PROBE_PKNORM_NAN && value->choice ? 65535 : 0)
                 : !(a > 0) ? 0
                 : a >= 1   ? 65535
                            : fsattn_norm16((double)a, kind == PROBE_PKNORM_ROUNDING ? (fsattn_norm_rounding)value->choice : FSATTN_NORM_EXACT);
    }
}
void probe_pknorm_place(const probe *p, const uint32_t *in, size_t word, char text[probe_place_bytes]) {
    (void)p;
    snprintf(text, probe_place_bytes, "%.9g (0x%08x)", (double)float_of(in[word]), in[word]);
}

/* ---- small floats -------------------------------------------------------------------------------------------- */

/* Every value of the format, and every middle between two, for which rounding must be to even; then what lies beyond. */
static float edge(fsattn_format format, uint32_t i) {
    const fsattn_format_properties *f = fsattn_format_describe(format);
    const float largest = (float)f->largest, step = (float)ldexp(1, ilogb(f->largest) - f->mantissa_bits);
    const float beyond[] = {largest, largest + step / 2, largest + step * 0.75f, largest + step, 2 * largest, 0x1.fep127f, INFINITY,
                            (float)ldexp(1, 1 - f->bias - f->mantissa_bits - 1), (float)ldexp(1.5, 1 - f->bias - f->mantissa_bits - 1), 0};
    const uint32_t codes = 1u << (f->bits - 1), cut = codes > 48 ? 48 : codes;
    const uint32_t special = sizeof beyond / sizeof beyond[0];
    const uint32_t half = i / 2;
    float value;
    if (half < special) {
        value = beyond[half];
    } else {
        const uint32_t code = (half - special) % (2 * cut), n = code / 2 * (codes / cut);
        const double low = fsattn_format_decode(format, n), high = fsattn_format_decode(format, n + 1 < codes ? n + 1 : n);
        value = (float)(code % 2 && isfinite(high) ? (low + high) / 2 : isfinite(low) ? low : 0);
    }
    return i % 2 ? -value : value;
}
void probe_narrow_fill(const probe *p, uint32_t *in) {
    const probe_narrow *x = p->data;
    static const uint32_t nans[] = {0x7fc00000, 0xffc00000, 0x7fff0000, 0xffff0000};
    static const uint8_t scales[] = {127, 128, 126, 130, 100, 154};
    for (uint32_t i = 0; i < p->count; i++) {
        const uint8_t scale = x->inputs == PROBE_SCALE_0 ? 0 : x->inputs == PROBE_SCALE_255 ? 255 : scales[i % sizeof scales];
        const double factor = x->inputs == PROBE_EDGES ? fsattn_e8m0_decode(scale) : 1;
        /* With a scale that is asked about, values that tell 2^-127 (or 2^128) from 1. */
        const float plain = (float)((double)edge((fsattn_format)x->format, i) * factor);
        const float other = (float)ldexp((double)(i % 4 + 1) * 0.5, x->inputs == PROBE_SCALE_0 && i & 4 ? -126 : x->inputs == PROBE_SCALE_255 && i & 4 ? 126 : 0);
        in[2 * i] = x->inputs == PROBE_NAN ? nans[i % 4] : bits_of(x->inputs == PROBE_EDGES ? plain : other);
        in[2 * i] &= x->format == FSATTN_FORMAT_E2M3 ? 0xffff0000 : 0xffffffff; /* that conversion takes BF16 */
        in[2 * i + 1] = (uint32_t)scale << 23;
    }
}
void probe_narrow_expect(const probe *p, const fsattn_fact *value, const uint32_t *in, uint32_t *out) {
    const probe_narrow *x = p->data;
    const fsattn_format format = (fsattn_format)x->format;
    const bool special = fsattn_format_describe(format)->bits == 8 && !x->clamped;
    for (uint32_t i = 0; i < p->count; i++) {
        const uint8_t code = (uint8_t)(in[2 * i + 1] >> 23);
        const double scale = code == 0 && x->inputs == PROBE_SCALE_0 && value->choice         ? 1
                             : code == 255 && x->inputs == PROBE_SCALE_255 && value->choice ? 0x1p128
                                                                                            : fsattn_e8m0_decode(code);
        const double number = (double)float_of(in[2 * i]) / scale;
        out[i] = isnan(number) && x->inputs == PROBE_NAN && value->choice
                     ? 0
                     : fsattn_format_encode(format, number, special ? FSATTN_OVERFLOW_SPECIAL : FSATTN_OVERFLOW_SATURATE);
    }
}
void probe_narrow_place(const probe *p, const uint32_t *in, size_t word, char text[probe_place_bytes]) {
    (void)p;
    snprintf(text, probe_place_bytes, "%.9g (0x%08x) with scale exponent %u", (double)float_of(in[2 * word]), in[2 * word], in[2 * word + 1] >> 23);
}

/* ---- BF16 ---------------------------------------------------------------------------------------------------------- */

void probe_bf16_fill(const probe *p, uint32_t *in) {
    static const uint16_t high[] = {0x0000, 0x0001, 0x007f, 0x0080, 0x3f80, 0x3f81, 0x3fff, 0x4000, 0x40ff, 0x7eff, 0x7f7e, 0x7f7f, 0x7f80, 0x7fc0, 0x2a55, 0x5aaa};
    static const uint16_t low[] = {0x0000, 0x7fff, 0x8000, 0x8001, 0xffff};
    for (uint32_t i = 0; i < p->count; i++) {
        in[i] = (uint32_t)high[i / 10] << 16 | (i % 2 ? 0x80000000 : 0) | low[i / 2 % 5];
    }
}
void probe_bf16_expect(const probe *p, const fsattn_fact *value, const uint32_t *in, uint32_t *out) {
    (void)value;
    for (uint32_t i = 0; i < p->count; i++) {
        const bool nan = (in[i] & 0x7fffffff) > 0x7f800000;
        out[i] = nan ? 0x7fc00000 : (in[i] + 0x7fff + (in[i] >> 16 & 1)) & 0xffff0000;
    }
}
void probe_bf16_place(const probe *p, const uint32_t *in, size_t word, char text[probe_place_bytes]) {
    (void)p;
    snprintf(text, probe_place_bytes, "%.9g (0x%08x)", (double)float_of(in[word]), in[word]);
}

/* ---- maximum3 ------------------------------------------------------------------------------------------------- */

void probe_maximum3_fill(const probe *p, uint32_t *in) {
    static const uint16_t halves[] = {0x7e00, 0x4200, 0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x0000};
    for (uint32_t i = 0; i < p->count; i++) {
        const uint32_t x = halves[i % 8], y = halves[i / 8 % 8];
        in[2 * i] = x | y << 16;
        in[2 * i + 1] = y | x << 16;
    }
}
/* Quiet ones alone are asked about. */
static uint16_t plain_nan(uint16_t code) {
    return (code & 0x7fff) > 0x7c00 ? 0x7e00 : code;
}
void probe_maximum3_expect(const probe *p, const fsattn_fact *value, const uint32_t *in, uint32_t *out) {
    for (uint32_t i = 0; i < p->count; i++) {
        out[i] = 0;
        for (unsigned shift = 0; shift < 32; shift += 16) {
            const uint16_t x = (uint16_t)(in[2 * i] >> shift), y = (uint16_t)(in[2 * i + 1] >> shift);
            const bool x_nan = plain_nan(x) == 0x7e00, y_nan = plain_nan(y) == 0x7e00;
            const uint16_t result = value->choice && x_nan != y_nan ? (x_nan ? y : x) : fsattn_maximum3(NULL, x, y);
            out[i] |= (uint32_t)result << shift;
        }
    }
}
void probe_maximum3_place(const probe *p, const uint32_t *in, size_t word, char text[probe_place_bytes]) {
    (void)p;
    snprintf(text, probe_place_bytes, "halves 0x%08x and 0x%08x", in[2 * word], in[2 * word + 1]);
}

/* ---- v_exp_f32, v_log_f32, v_rcp_f32 ------------------------------------------------------------------------- */

void probe_math_fill(const probe *p, uint32_t *in) {
    const probe_math kind = *(const probe_math *)p->data;
    for (uint32_t i = 0; i < p->count; i++) {
        const double part = (i + 0.37) / p->count;
        in[i] = bits_of((float)(kind == PROBE_EXP ? 252 * part - 126 : exp2(240 * part - 120)));
    }
}
void probe_math_expect(const probe *p, const fsattn_fact *value, const uint32_t *in, uint32_t *out) {
    const probe_math kind = *(const probe_math *)p->data;
    (void)value;
    for (uint32_t i = 0; i < p->count; i++) {
        const double a = (double)float_of(in[i]);
        out[i] = bits_of((float)(kind == PROBE_EXP ? exp2(a) : kind == PROBE_LOG ? log2(a) : 1 / a));
    }
}
void probe_math_place(const probe *p, const uint32_t *in, size_t word, char text[probe_place_bytes]) {
    (void)p;
    snprintf(text, probe_place_bytes, "%.9g", (double)float_of(in[word]));
}
