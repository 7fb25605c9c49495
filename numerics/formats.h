/* formats.h - the number formats of quantized attention: codes, values, rounding, packing.
 *
 * Source: OCP Microscaling Formats (MX) 1.0, section 5; OCP 8-bit floating point 1.0; facts of the gfx950 conversions. Rounding is to
 * nearest, ties to even, everywhere. Values travel as float or double, codes as uint32_t. Pure functions, any thread.
 */
#ifndef FSATTN_FORMATS_H
#define FSATTN_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* 2^exponent for -1022 <= exponent <= 1023, without the library's special cases. */
static inline double fsattn_power_of_two(int exponent) {
    const uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
/* floor(log2 |value|) of a normal double; -1023 for zero and subnormals, 1024 for infinity and NaN. */
static inline int fsattn_exponent_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (int)(bits >> 52 & 0x7ff) - 1023;
}

/* X(NAME, text, exponent bits, mantissa bits, bias, largest finite value, has infinity, has NaN, bits packed) */
#define FSATTN_FORMAT_LIST(X)                                                                                \
    X(BF16, "bf16", 8, 7, 127, 0x1.fep127, true, true, 16)                                                   \
    X(F16, "f16", 5, 10, 15, 65504.0, true, true, 16)                                                        \
    X(E4M3, "e4m3", 4, 3, 7, 448.0, false, true, 8)                                                          \
    X(E2M3, "e2m3", 2, 3, 1, 7.5, false, false, 6)                                                           \
    X(E2M1, "e2m1", 2, 1, 1, 6.0, false, false, 4)                                                           \
    X(E5M2, "e5m2", 5, 2, 15, 57344.0, true, true, 8)                                                        \
    X(E3M2, "e3m2", 3, 2, 3, 28.0, false, false, 6)
typedef enum fsattn_format {
#define X(name, text, e, m, bias, largest, inf, nan, bits) FSATTN_FORMAT_##name,
    FSATTN_FORMAT_LIST(X)
#undef X
} fsattn_format;
enum { fsattn_format_count = FSATTN_FORMAT_E3M2 + 1 };

typedef struct fsattn_format_properties {
    const char *name;
    int exponent_bits, mantissa_bits, bias;
    double largest; /* finite */
    bool has_infinity, has_nan;
    int bits; /* of a packed code, the sign included */
} fsattn_format_properties;
const fsattn_format_properties *fsattn_format_describe(fsattn_format format);

/* What happens beyond the largest finite value after rounding. */
typedef enum fsattn_overflow {
    FSATTN_OVERFLOW_SATURATE, /* largest finite value, also for infinity */
    FSATTN_OVERFLOW_SPECIAL,  /* infinity where the format has one, else NaN, else saturate */
} fsattn_overflow;

/* Code of a value. NaN gives the format's NaN (sign kept, E4M3: 0x7F, BF16: quiet); in a format without NaN it gives
 * the largest value of its sign. The sign of zero is kept. */
uint32_t fsattn_format_encode(fsattn_format format, double value, fsattn_overflow overflow);
/* Value of a code; bits above the format's are ignored. */
double fsattn_format_decode(fsattn_format format, uint32_t code);
/* decode(encode(value)) without the code; NaN stays NaN in formats that have none (for emulation). */
double fsattn_format_round(fsattn_format format, double value, fsattn_overflow overflow);

/* BF16, the frequent case. */
uint16_t fsattn_bf16_from_float(float value);
float fsattn_bf16_to_float(uint16_t code);
float fsattn_bf16_round(float value);

/* X(NAME): what becomes of 65535 a, 0 <= a < 1, before it is an integer; in the order of the values of facts.h's pknorm_rounding. */
#define FSATTN_NORM_ROUNDING_LIST(X)                                                                         \
    X(EXACT)     /* the nearest, ties to even */                                                             \
    X(FLOAT)     /* first rounded to float */                                                                \
    X(HALF_DOWN) /* the nearest, ties to the smaller */                                                      \
    X(TRUNCATE)
typedef enum fsattn_norm_rounding {
#define X(name) FSATTN_NORM_##name,
    FSATTN_NORM_ROUNDING_LIST(X)
#undef X
} fsattn_norm_rounding;
/* v_cvt_pknorm_u16_f32 between its clamps. */
uint32_t fsattn_norm16(double a, fsattn_norm_rounding rounding);

/* E8M0, a block's scale: 2^(code - 127), 0xFF is NaN (code 0 is 2^-127). */
double fsattn_e8m0_decode(uint8_t code);
/* Code of the power of two of that exponent, saturated to 0 .. 254. */
uint8_t fsattn_e8m0_from_exponent(int exponent);

/* Dense little-endian packing: code i takes bits [i * w, (i + 1) * w) of the byte string; 32 codes of E2M3 fill 24 bytes.
 * `bytes` holds (count * w + 7) / 8; unused bits of the last byte become 0. */
void fsattn_format_pack(fsattn_format format, const uint8_t *codes, size_t count, uint8_t *bytes);
void fsattn_format_unpack(fsattn_format format, const uint8_t *bytes, size_t count, uint8_t *codes);

#endif
