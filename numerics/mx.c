#include "mx.h"

#include <math.h>
#include <string.h>

fsattn_mx_rule fsattn_mx_rule_usual(fsattn_format element) {
    return element == FSATTN_FORMAT_E2M3 ? FSATTN_MX_FLOOR : element == FSATTN_FORMAT_E2M1 ? FSATTN_MX_CEIL : FSATTN_MX_EVEN;
}

/* Exponent of the largest value: 8, 2, 2 for E4M3, E2M3, E2M1. */
static int largest_exponent(fsattn_format element) {
    int exponent;
    frexp(fsattn_format_describe(element)->largest, &exponent);
    return exponent - 1;
}

uint8_t fsattn_mx_scale(fsattn_mx_rule rule, fsattn_format element, float amax) {
    uint32_t bits;
    memcpy(&bits, &amax, sizeof bits);
    if (!isfinite(amax)) {
        return 0xff;
    }
    if (bits == 0) {
        return 127;
    }
    int code = 0;
    switch (rule) {
    case FSATTN_MX_EVEN:
        code = (int)((bits + 0x200000u) >> 23) - largest_exponent(element);
        break;
    case FSATTN_MX_FLOOR:
        code = (int)(bits >> 23) - largest_exponent(element);
        break;
    case FSATTN_MX_CEIL: {
        int exponent; /* of amax as fraction * 2^exponent, fraction in [1/2, 1) */
        double fraction = frexp((double)amax / fsattn_format_describe(element)->largest, &exponent);
        code = 127 + (fraction == 0.5 ? exponent - 1 : exponent);
        break;
    }
    }
    return (uint8_t)(code < 0 ? 0 : code > 254 ? 254 : code);
}

void fsattn_mx_quantize(fsattn_mx_rule rule, fsattn_format element, const float *values, int64_t stride, int count,
                        int shift, uint8_t *codes, uint8_t *scale) {
    float amax = 0;
    for (int i = 0; i < count; i++) {
        float x = fabsf(values[i * stride]);
        amax = isnan(x) || x > amax ? x : amax;
        if (isnan(amax)) {
            break;
        }
    }
    const uint8_t code = fsattn_mx_scale(rule, element, amax);
    if (code == 0xff) {
        memset(codes, 0, (size_t)count);
        *scale = 0xff;
        return;
    }
    const double inverse = fsattn_power_of_two(127 - code);
    for (int i = 0; i < count; i++) {
        codes[i] = (uint8_t)fsattn_format_encode(element, (double)values[i * stride] * inverse, FSATTN_OVERFLOW_SATURATE);
    }
    const int shifted = code + shift;
    *scale = (uint8_t)(shifted < 0 ? 0 : shifted > 254 ? 254 : shifted);
}

float fsattn_mx_value(fsattn_format element, uint8_t code, uint8_t scale) {
    return (float)(fsattn_format_decode(element, code) * fsattn_e8m0_decode(scale));
}

void fsattn_hadamard(float *x, int d) {
    for (int distance = 1; distance < d; distance *= 2) {
        for (int first = 0; first < d; first += 2 * distance) {
            for (int i = first; i < first + distance; i++) {
                const float a = x[i], b = x[i + distance];
                x[i] = a + b;
                x[i + distance] = a - b;
            }
        }
    }
}
