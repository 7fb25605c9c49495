#include "formats.h"

#include <math.h>
#include <string.h>

static const fsattn_format_properties properties[] = {
#define X(name, text, e, m, bias, largest, inf, nan, bits) {text, e, m, bias, largest, inf, nan, bits},
    FSATTN_FORMAT_LIST(X)
#undef X
};

const fsattn_format_properties *fsattn_format_describe(fsattn_format format) {
    return &properties[format];
}

/* The integer nearest to x, 0 <= x < 2^51, ties to even: adding 2^52 leaves no room for a fraction. */
static double nearest_even(double x) {
    const double shifted = x + 0x1p52; /* never contracted or reassociated: no -ffast-math here */
    return shifted - 0x1p52;
}

/* |value| as quantum * 2^*exponent with an integer quantum <= 2^(mantissa_bits + 1); value finite. */
static double quantum_of(const fsattn_format_properties *p, double magnitude, int *exponent) {
    int e = fsattn_exponent_of(magnitude);
    if (e < 1 - p->bias) {
        e = 1 - p->bias;
    }
    *exponent = e - p->mantissa_bits;
    return nearest_even(magnitude * fsattn_power_of_two(-*exponent));
}

static uint32_t largest_code(const fsattn_format_properties *p) {
    uint32_t all = (1u << (p->exponent_bits + p->mantissa_bits)) - 1;
    if (p->has_infinity) {
        return all - (1u << p->mantissa_bits);
    }
    return p->has_nan ? all - 1 : all;
}

static uint32_t nan_code(const fsattn_format_properties *p) {
    uint32_t all = (1u << (p->exponent_bits + p->mantissa_bits)) - 1;
    if (p->has_infinity) { /* quiet: exponent all ones, top mantissa bit set */
        return all - (1u << p->mantissa_bits) + 1 + (1u << (p->mantissa_bits - 1));
    }
    return all; /* the largest value where there is no NaN */
}

uint32_t fsattn_format_encode(fsattn_format format, double value, fsattn_overflow overflow) {
    const fsattn_format_properties *p = &properties[format];
    uint32_t sign = signbit(value) ? 1u << (p->exponent_bits + p->mantissa_bits) : 0;
    if (isnan(value)) {
        return sign | nan_code(p);
    }
    double magnitude = fabs(value);
    if (!isinf(magnitude)) {
        int exponent;
        double quantum = quantum_of(p, magnitude, &exponent);
        if (quantum * fsattn_power_of_two(exponent) <= p->largest) {
            /* A subnormal has exponent field 0 and quantum < 2^m; a normal one quantum >= 2^m and its field in place of the
             * leading one. A quantum of 2^(m+1) carries into the field, which is what rounding up a binade means. */
            uint32_t field = (uint32_t)(exponent + p->mantissa_bits + p->bias - 1);
            return sign | ((field << p->mantissa_bits) + (uint32_t)quantum);
        }
    }
    if (overflow == FSATTN_OVERFLOW_SPECIAL && p->has_infinity) {
        return sign | (largest_code(p) + 1);
    }
    if (overflow == FSATTN_OVERFLOW_SPECIAL && p->has_nan) {
        return sign | nan_code(p);
    }
    return sign | largest_code(p);
}

double fsattn_format_decode(fsattn_format format, uint32_t code) {
    const fsattn_format_properties *p = &properties[format];
    uint32_t mantissa = code & ((1u << p->mantissa_bits) - 1);
    uint32_t field = code >> p->mantissa_bits & ((1u << p->exponent_bits) - 1);
    bool negative = code >> (p->exponent_bits + p->mantissa_bits) & 1;
    uint32_t top = (1u << p->exponent_bits) - 1;
    double value;
    if (p->has_infinity && field == top) {
        value = mantissa ? (double)NAN : (double)INFINITY;
    } else if (!p->has_infinity && p->has_nan && field == top && mantissa == (1u << p->mantissa_bits) - 1) {
        value = (double)NAN;
    } else if (field == 0) {
        value = mantissa * fsattn_power_of_two(1 - p->bias - p->mantissa_bits);
    } else {
        value = (mantissa + (1u << p->mantissa_bits)) * fsattn_power_of_two((int)field - p->bias - p->mantissa_bits);
    }
    return negative ? -value : value;
}

double fsattn_format_round(fsattn_format format, double value, fsattn_overflow overflow) {
    const fsattn_format_properties *p = &properties[format];
    if (isnan(value)) {
        return value;
    }
    double magnitude = fabs(value), rounded = INFINITY;
    if (!isinf(magnitude)) {
        int exponent;
        double quantum = quantum_of(p, magnitude, &exponent);
        rounded = quantum * fsattn_power_of_two(exponent);
    }
    if (rounded > p->largest) {
        rounded = overflow == FSATTN_OVERFLOW_SATURATE ? p->largest
                  : p->has_infinity                    ? (double)INFINITY
                  : p->has_nan                         ? (double)NAN
                                                       : p->largest;
    }
    return copysign(rounded, value);
}

uint16_t fsattn_bf16_from_float(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if ((bits & 0x7fffffffu) > 0x7f800000u) {
        return (uint16_t)(bits >> 16 | 0x40u);
    }
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1)) >> 16);
}

float fsattn_bf16_to_float(uint16_t code) {
    uint32_t bits = (uint32_t)code << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

float fsattn_bf16_round(float value) {
    return fsattn_bf16_to_float(fsattn_bf16_from_float(value));
}

uint32_t fsattn_norm16(double a, fsattn_norm_rounding rounding) {
    const double scaled = a * 65535.0;
    switch (rounding) {
    case FSATTN_NORM_FLOAT: return (uint32_t)nearest_even((double)(float)scaled);
    case FSATTN_NORM_HALF_DOWN: return (uint32_t)ceil(scaled - 0.5);
    case FSATTN_NORM_TRUNCATE: return (uint32_t)scaled;
    default: return (uint32_t)nearest_even(scaled);
    }
}

double fsattn_e8m0_decode(uint8_t code) {
    return code == 0xff ? (double)NAN : fsattn_power_of_two(code - 127);
}

uint8_t fsattn_e8m0_from_exponent(int exponent) {
    return (uint8_t)(exponent < -127 ? 0 : exponent > 127 ? 254 : exponent + 127);
}

void fsattn_format_pack(fsattn_format format, const uint8_t *codes, size_t count, uint8_t *bytes) {
    const int width = properties[format].bits;
    uint32_t pending = 0;
    int held = 0;
    for (size_t i = 0; i < count; i++) {
        pending |= (uint32_t)(codes[i] & ((1u << width) - 1)) << held;
        for (held += width; held >= 8; held -= 8) {
            *bytes++ = (uint8_t)pending;
            pending >>= 8;
        }
    }
    if (held > 0) {
        *bytes = (uint8_t)pending;
    }
}

void fsattn_format_unpack(fsattn_format format, const uint8_t *bytes, size_t count, uint8_t *codes) {
    const int width = properties[format].bits;
    uint32_t pending = 0;
    int held = 0;
    for (size_t i = 0; i < count; i++) {
        while (held < width) {
            pending |= (uint32_t)*bytes++ << held;
            held += 8;
        }
        codes[i] = (uint8_t)(pending & ((1u << width) - 1));
        pending >>= width;
        held -= width;
    }
}
