#include "exponential.h"

#include <math.h>
#include <string.h>

typedef struct exponential_row {
    int shift, bias, bits;
} exponential_row;
static const exponential_row rows[] = {
#define X(name, text, meaning, unit, bias, bits) {unit, bias, bits},
    FSATTN_EXPONENTIAL_LIST(X)
#undef X
};

fsattn_affine fsattn_exponential_affine(fsattn_exponential exponential) {
    const exponential_row *r = &rows[exponential];
    return (fsattn_affine){r->shift, r->bits ? (float)ldexp(r->bias - FSATTN_SCHRAUDOLPH_EPSILON, r->shift) : 0.0f};
}

int fsattn_exponential_bits(fsattn_exponential exponential) {
    return rows[exponential].bits;
}

static float float_of_bits(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

uint32_t fsattn_exponential_code(fsattn_exponential exponential, const fsattn_facts *facts, float a) {
    if (isnan(a)) {
        return rows[exponential].bits == 16 && fsattn_facts_choice(facts, FSATTN_FACT_pknorm_nan) ? 65535 : 0;
    }
    switch (exponential) {
    case FSATTN_EXPONENTIAL_SCHRAUDOLPH_U16_BF16:
    case FSATTN_EXPONENTIAL_SCHRAUDOLPH_U16_FP16: { /* unsigned normalized: 1.0 is 65535 */
        const double clamped = a < 0 ? 0 : a > 1 ? 1 : (double)a;
        return clamped < 1 ? fsattn_norm16(clamped, (fsattn_norm_rounding)fsattn_facts_choice(facts, FSATTN_FACT_pknorm_rounding)) : 65535;
    }
    case FSATTN_EXPONENTIAL_SCHRAUDOLPH_U8_E4M3: { /* below NaN's code */
        const double code = nearbyint((double)a * 256.0);
        return code < 0 ? 0 : code > 0x7e ? 0x7e : (uint32_t)code;
    }
    default: {
        const double code = nearbyint((double)a);
        return code < 0 ? 0 : code > 4294967040.0 ? 4294967040u : (uint32_t)code;
    }
    }
}

float fsattn_exponential_decode(fsattn_exponential exponential, uint32_t code) {
    switch (exponential) {
    case FSATTN_EXPONENTIAL_SCHRAUDOLPH_U16_BF16:
        return fsattn_bf16_to_float((uint16_t)code);
    case FSATTN_EXPONENTIAL_SCHRAUDOLPH_U16_FP16:
        return (float)fsattn_format_decode(FSATTN_FORMAT_F16, code);
    case FSATTN_EXPONENTIAL_SCHRAUDOLPH_U8_E4M3:
        return (float)fsattn_format_decode(FSATTN_FORMAT_E4M3, code);
    default:
        return float_of_bits(code);
    }
}

/* Relative minimax polynomials of 2^x on [-1/2, 1/2], lowest power first (templates/lib/exponential.c.in has the same; a kernel
 * that used others would be found wrong). */
static const float coefficients[6][6] = {
    [2] = {1.0004431f, 0.703447998f, 0.23842895f},
    [3] = {0.999928057f, 0.693260968f, 0.242611125f, 0.055171676f},
    [4] = {0.999999285f, 0.693121791f, 0.240247443f, 0.0559178554f, 0.0095701078f},
    [5] = {1.00000012f, 0.693146944f, 0.240221202f, 0.0555071309f, 0.00967554003f, 0.00132764876f},
};

static float polynomial(int degree, float x) {
    if (x < -126.0f) {
        return 0;
    }
    const float whole = nearbyintf(x), fraction = x - whole;
    float y = coefficients[degree][degree];
    for (int power = degree - 1; power >= 0; power--) {
        y = fmaf(y, fraction, coefficients[degree][power]);
    }
    return isnan(x) ? x : ldexpf(y, (int)whole);
}

float fsattn_exponential_value(fsattn_exponential exponential, int degree, float a) {
    switch (exponential) {
    case FSATTN_EXPONENTIAL_EXACT:
        return a < -126.0f ? 0.0f : (float)exp2((double)a);
    case FSATTN_EXPONENTIAL_POLYNOMIAL:
        return polynomial(degree, a);
    case FSATTN_EXPONENTIAL_SCHRAUDOLPH_F32: /* a conversion to int truncates, and marks NaN and overflow by its sign bit */
        if (isnan(a) || a >= 2147483648.0f) {
            return NAN;
        }
        return a < 0 ? 0.0f : float_of_bits((uint32_t)(int32_t)a);
    default:
        return isnan(a) ? NAN : fsattn_exponential_decode(exponential, fsattn_exponential_code(exponential, NULL, a));
    }
}

static bool half_is_nan(uint16_t code) {
    return (code & 0x7fff) > 0x7c00;
}

/* FP16 order as integers: negative codes mirrored below zero, -0 below +0 (IEEE 754-2019 maximum). */
static int half_order(uint16_t code) {
    return code & 0x8000 ? -1 - (code & 0x7fff) : code;
}

uint16_t fsattn_maximum3(const fsattn_facts *facts, uint16_t a, uint16_t b) {
    if (half_is_nan(a) || half_is_nan(b)) {
        const bool ignored = fsattn_facts_choice(facts, FSATTN_FACT_maximum3_nan) != 0;
        return half_is_nan(a) != ignored ? a : b;
    }
    return half_order(a) >= half_order(b) ? a : b;
}

bool fsattn_maximum3_exceeds(uint16_t b, uint16_t cap) {
    return half_is_nan(b) || half_order(b) > half_order(cap);
}

int fsattn_p_scale(fsattn_p_format format, uint32_t bits) {
    int code = 127;
    switch (format) {
    case FSATTN_P_FP8_ROW:
    case FSATTN_P_MXFP8: { /* ceil(log2(max / 448)): 448 is 1.75 * 2^8 */
        const uint64_t biased = ((uint64_t)bits + 0x1fffffu) >> 23;
        code = (int)(biased < 9 ? 9 : biased) - 8;
        break;
    }
    case FSATTN_P_MXFP6: {
        const int biased = (int)(bits >> 23);
        code = (biased < 3 ? 3 : biased) - 2;
        break;
    }
    case FSATTN_P_MXFP4: { /* ceil(log2(max / 6)): 6 is 1.5 * 2^2 */
        const uint64_t biased = ((uint64_t)bits + 0x3fffffu) >> 23;
        code = (int)(biased < 3 ? 3 : biased) - 2;
        break;
    }
    default:
        break;
    }
    return code > 255 ? 255 : code;
}

static fsattn_format p_element(fsattn_p_format format) {
    return format == FSATTN_P_MXFP6   ? FSATTN_FORMAT_E2M3
           : format == FSATTN_P_MXFP4 ? FSATTN_FORMAT_E2M1
                                      : FSATTN_FORMAT_E4M3;
}

static uint32_t largest_bits(const float *p, int keys) {
    uint32_t largest = 0;
    for (int j = 0; j < keys; j++) {
        uint32_t bits;
        memcpy(&bits, &p[j], sizeof bits);
        if (!(bits >> 31) && bits > largest) {
            largest = bits;
        }
    }
    return largest;
}

void fsattn_p_quantize(fsattn_p_format format, float *p, int keys, const uint32_t *maximum_bits) {
    if (format == FSATTN_P_F32) {
        return;
    }
    if (format == FSATTN_P_BF16) {
        for (int j = 0; j < keys; j++) {
            p[j] = fsattn_bf16_round(p[j]);
        }
        return;
    }
    const int block = format == FSATTN_P_FP8_ROW ? keys : fsattn_mx_block;
    const fsattn_format element = p_element(format);
    const fsattn_overflow overflow = format == FSATTN_P_FP8_ROW ? FSATTN_OVERFLOW_SPECIAL : FSATTN_OVERFLOW_SATURATE;
    for (int first = 0, index = 0; first < keys; first += block, index++) {
        const int count = keys - first < block ? keys - first : block;
        uint32_t bits = maximum_bits ? maximum_bits[index] : largest_bits(p + first, count);
        if (format == FSATTN_P_FP8_ROW && maximum_bits) { /* one scale for the row: the largest of its blocks */
            for (int other = 1; other * fsattn_mx_block < keys; other++) {
                bits = maximum_bits[other] > bits ? maximum_bits[other] : bits;
            }
        }
        const int code = fsattn_p_scale(format, bits);
        const double scale = fsattn_e8m0_decode((uint8_t)code), inverse = 1 / scale; /* powers of two: both exact */
        for (int j = first; j < first + count; j++) {
            p[j] =
                (float)(fsattn_format_round(element, (double)p[j] * inverse, overflow) * scale);
        }
    }
}

void fsattn_direct_p(const float *x, const uint8_t *dead, int keys, float *p) {
    for (int first = 0; first < keys; first += fsattn_mx_block) {
        const int end = keys - first < fsattn_mx_block ? keys : first + fsattn_mx_block;
        float largest = -INFINITY;
        for (int j = first; j < end; j++) {
            if (!dead || !dead[j]) {
                largest = fmaxf(largest, x[j]);
            }
        }
        /* Codes 2, 4 and 6 of E2M1 are 1, 2 and 4: two codes a doubling, so a straight line through the exponential, with the
         * block's exponent e such that the largest probability is at most 6 * 2^e: code = 2 (x - e) + 2. Ours: the paper
         * says no more than that the map is linear and fitted. */
        const float exponent = isfinite(largest) ? ceilf(largest - 2.5849625f) : 0;
        for (int j = first; j < end; j++) {
            const float code = nearbyintf(2 * (x[j] - exponent) + 2 - 2 * (float)FSATTN_SCHRAUDOLPH_EPSILON);
            const bool none = (dead && dead[j]) || !(code > 0);
            p[j] = none ? 0
                                 : ldexpf((float)fsattn_format_decode(FSATTN_FORMAT_E2M1, code > 7 ? 7 : (uint32_t)code),
                                          (int)exponent);
        }
    }
}
