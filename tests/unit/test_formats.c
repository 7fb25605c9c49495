#include "formats.h"
#include "mx.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static uint32_t codes_of(fsattn_format format) {
    const fsattn_format_properties *p = fsattn_format_describe(format);
    return 1u << (1 + p->exponent_bits + p->mantissa_bits);
}

Test(formats, every_code_survives_a_round_trip) {
    for (int f = 0; f < fsattn_format_count; f++) {
        for (uint32_t code = 0; code < codes_of((fsattn_format)f); code++) {
            double value = fsattn_format_decode((fsattn_format)f, code);
            uint32_t back = fsattn_format_encode((fsattn_format)f, value, FSATTN_OVERFLOW_SPECIAL);
            if (isnan(value)) {
                cr_assert(isnan(fsattn_format_decode((fsattn_format)f, back)));
            } else {
                cr_assert_eq(back, code, "%s code %x is %g, encoded as %x", fsattn_format_describe((fsattn_format)f)->name,
                             code, value, back);
            }
        }
    }
}

/* Between neighbouring values a and b: the midpoint goes to the even code, one step of a double to either side to the nearer. */
Test(formats, midpoints_round_to_the_even_code) {
    for (int f = 0; f < fsattn_format_count; f++) {
        const fsattn_format format = (fsattn_format)f;
        for (uint32_t code = 0; code + 1 < codes_of(format) / 2; code++) {
            double a = fsattn_format_decode(format, code), b = fsattn_format_decode(format, code + 1);
            if (!isfinite(a) || !isfinite(b)) {
                continue;
            }
            for (int sign = 1; sign >= -1; sign -= 2) {
                const uint32_t top = sign < 0 ? codes_of(format) / 2 : 0;
                double middle = sign * (a + b) / 2;
                cr_assert_eq(fsattn_format_encode(format, middle, FSATTN_OVERFLOW_SATURATE), top | (code + (code & 1)));
                cr_assert_eq(fsattn_format_encode(format, nextafter(middle, sign * a), FSATTN_OVERFLOW_SATURATE), top | code);
                cr_assert_eq(fsattn_format_encode(format, nextafter(middle, sign * b), FSATTN_OVERFLOW_SATURATE),
                             top | (code + 1));
                cr_assert_eq(fsattn_format_round(format, middle, FSATTN_OVERFLOW_SATURATE),
                             sign * (code & 1 ? b : a));
            }
        }
    }
}

Test(formats, overflow_and_special_values) {
    cr_assert_eq(fsattn_format_encode(FSATTN_FORMAT_E4M3, 464.0, FSATTN_OVERFLOW_SPECIAL), 0x7eu); /* tie to 448 */
    cr_assert_eq(fsattn_format_encode(FSATTN_FORMAT_E4M3, 465.0, FSATTN_OVERFLOW_SPECIAL), 0x7fu);
    cr_assert_eq(fsattn_format_encode(FSATTN_FORMAT_E4M3, 465.0, FSATTN_OVERFLOW_SATURATE), 0x7eu);
    cr_assert_eq(fsattn_format_encode(FSATTN_FORMAT_E4M3, -INFINITY, FSATTN_OVERFLOW_SATURATE), 0xfeu);
    cr_assert_eq(fsattn_format_encode(FSATTN_FORMAT_E4M3, NAN, FSATTN_OVERFLOW_SATURATE) & 0x7f, 0x7fu);
    cr_assert_eq(fsattn_format_encode(FSATTN_FORMAT_E2M3, 1e9, FSATTN_OVERFLOW_SPECIAL), 0x1fu);
    cr_assert_eq(fsattn_format_encode(FSATTN_FORMAT_E2M1, -5.0, FSATTN_OVERFLOW_SPECIAL), 0xeu); /* tie between 4 and 6 */
    cr_assert_eq(fsattn_format_encode(FSATTN_FORMAT_BF16, 1e39, FSATTN_OVERFLOW_SPECIAL), 0x7f80u);
    cr_assert_eq(fsattn_format_encode(FSATTN_FORMAT_E2M1, -0.0, FSATTN_OVERFLOW_SPECIAL), 0x8u);
    cr_assert_eq(fsattn_bf16_from_float(1.00390625f), 0x3f80); /* 1 + 2^-8 is a tie */
    cr_assert(isnan(fsattn_bf16_to_float(fsattn_bf16_from_float(NAN))));
}

Test(formats, bf16_agrees_with_the_general_conversion) {
    for (uint64_t bits = 0; bits <= 0xffffffffu; bits += 0x7ff3) {
        uint32_t b = (uint32_t)bits;
        float x;
        memcpy(&x, &b, sizeof x);
        if (!isnan(x)) {
            cr_assert_eq(fsattn_bf16_from_float(x), fsattn_format_encode(FSATTN_FORMAT_BF16, (double)x, FSATTN_OVERFLOW_SPECIAL));
        }
    }
}

Test(formats, packing_is_dense_little_endian) {
    uint8_t codes[32], packed[24], back[32];
    memset(codes, 0x08, sizeof codes); /* 1.0 in E2M3 */
    fsattn_format_pack(FSATTN_FORMAT_E2M3, codes, 32, packed);
    static const uint8_t pattern[3] = {0x08, 0x82, 0x20};
    for (int i = 0; i < 24; i++) {
        cr_assert_eq(packed[i], pattern[i % 3]);
    }
    static const uint32_t words[3] = {0x08208208, 0x82082082, 0x20820820}; /* as registers hold them */
    for (int w = 0; w < 6; w++) {
        const uint32_t word = packed[4 * w] | (uint32_t)packed[4 * w + 1] << 8 | (uint32_t)packed[4 * w + 2] << 16 | (uint32_t)packed[4 * w + 3] << 24;
        cr_assert_eq(word, words[w % 3], "word %d: %08x", w, word);
    }
    for (int f = 0; f < fsattn_format_count; f++) {
        if (fsattn_format_describe((fsattn_format)f)->bits > 8) {
            continue;
        }
        for (int i = 0; i < 32; i++) {
            codes[i] = (uint8_t)((i * 37 + 11) & ((1 << fsattn_format_describe((fsattn_format)f)->bits) - 1));
        }
        for (size_t count = 1; count <= 32; count++) {
            uint8_t bytes[33];
            fsattn_format_pack((fsattn_format)f, codes, count, bytes);
            fsattn_format_unpack((fsattn_format)f, bytes, count, back);
            cr_assert_eq(memcmp(codes, back, count), 0);
        }
    }
}

Test(mx, scale_rules) {
    cr_assert_eq(fsattn_mx_scale(FSATTN_MX_EVEN, FSATTN_FORMAT_E4M3, 448.0f), 128); /* 1.75 * 2^8 rounds up */
    cr_assert_eq(fsattn_mx_scale(FSATTN_MX_EVEN, FSATTN_FORMAT_E4M3, 447.0f), 127);
    cr_assert_eq(fsattn_mx_scale(FSATTN_MX_FLOOR, FSATTN_FORMAT_E2M3, 7.99f), 127);
    cr_assert_eq(fsattn_mx_scale(FSATTN_MX_FLOOR, FSATTN_FORMAT_E2M3, 8.0f), 128);
    cr_assert_eq(fsattn_mx_scale(FSATTN_MX_CEIL, FSATTN_FORMAT_E2M1, 6.0f), 127);
    cr_assert_eq(fsattn_mx_scale(FSATTN_MX_CEIL, FSATTN_FORMAT_E2M1, 6.0001f), 128);
    cr_assert_eq(fsattn_mx_scale(FSATTN_MX_CEIL, FSATTN_FORMAT_E2M1, 3.0f), 126);
    for (int rule = FSATTN_MX_EVEN; rule <= FSATTN_MX_CEIL; rule++) {
        cr_assert_eq(fsattn_mx_scale((fsattn_mx_rule)rule, FSATTN_FORMAT_E2M1, 0.0f), 127);
        cr_assert_eq(fsattn_mx_scale((fsattn_mx_rule)rule, FSATTN_FORMAT_E2M1, NAN), 0xff);
        cr_assert_eq(fsattn_mx_scale((fsattn_mx_rule)rule, FSATTN_FORMAT_E2M1, 1e-45f), 0);
    }
}

Test(mx, hadamard_twice_is_d_times_the_identity) {
    float x[128], y[128];
    for (int d = 1; d <= 128; d *= 2) {
        for (int i = 0; i < d; i++) {
            x[i] = y[i] = (float)(i * 7 % 13 - 6);
        }
        fsattn_hadamard(y, d);
        fsattn_hadamard(y, d);
        for (int i = 0; i < d; i++) {
            cr_assert_eq(y[i], x[i] * (float)d); /* small integers: exact */
        }
    }
}
