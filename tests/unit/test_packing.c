/* Packed tiles: an operand that the matrix unit would read from them gives the product it should. */
#include "exponential.h"
#include "quantize.h"
#include "random.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

enum { keys = fsattn_packing_keys_per_tile, lanes = fsattn_packing_lanes };

Test(packing, orders_are_permutations_with_the_blocks_they_name) {
    for (int o = 0; o < fsattn_key_order_count; o++) {
        const fsattn_key_order order = (fsattn_key_order)o;
        bool seen[256] = {false};
        cr_assert_eq(keys % fsattn_key_order_chunk(order), 0);
        for (int64_t p = 0; p < 256; p++) {
            const int64_t key = fsattn_key_at(order, p);
            cr_assert(key >= 0 && key < 256 && !seen[key], "%s: position %d", fsattn_key_order_text(order), (int)p);
            seen[key] = true;
            cr_assert_eq(key / fsattn_key_order_chunk(order), p / fsattn_key_order_chunk(order));
            const int64_t block = order == FSATTN_KEY_ORDER_BIT2     ? key / 64 * 2 + (key >> 2 & 1)
                                  : order == FSATTN_KEY_ORDER_BITS23 ? key / 128 * 4 + (key >> 2 & 3)
                                                                     : key / 32;
            cr_assert_eq(p / 32, block, "%s: position %d, key %d", fsattn_key_order_text(order), (int)p, (int)key);
        }
    }
}

static const fsattn_packing packings[] = {
    {FSATTN_PACKING_K, FSATTN_FORMAT_E4M3, FSATTN_KEY_ORDER_RUNS, 128, true},
    {FSATTN_PACKING_K, FSATTN_FORMAT_E2M3, FSATTN_KEY_ORDER_RUNS, 128, true},
    {FSATTN_PACKING_K, FSATTN_FORMAT_E2M1, FSATTN_KEY_ORDER_RUNS, 128, true},
    {FSATTN_PACKING_K, FSATTN_FORMAT_E2M3, FSATTN_KEY_ORDER_RUNS, 64, true},
    {FSATTN_PACKING_V, FSATTN_FORMAT_E4M3, FSATTN_KEY_ORDER_RUNS, 128, false},
    {FSATTN_PACKING_V, FSATTN_FORMAT_E2M3, FSATTN_KEY_ORDER_BIT2, 128, true},
    {FSATTN_PACKING_V, FSATTN_FORMAT_E2M1, FSATTN_KEY_ORDER_BIT2, 128, true},
    {FSATTN_PACKING_V, FSATTN_FORMAT_E2M1, FSATTN_KEY_ORDER_FP8_P, 128, true},
    {FSATTN_PACKING_V, FSATTN_FORMAT_E2M3, FSATTN_KEY_ORDER_BIT2, 64, true},
};
enum { packing_count = sizeof packings / sizeof *packings };

Test(packing, tiles_have_the_stated_sizes) {
    static const size_t bytes[packing_count] = {16896, 12800, 8704, 6400, 16384, 12800, 8704, 8704, 6656};
    for (int i = 0; i < packing_count; i++) {
        cr_assert_eq(fsattn_packing_tile_bytes(&packings[i]), bytes[i], "packing %d: %zu", i, fsattn_packing_tile_bytes(&packings[i]));
    }
    char text[fsattn_packing_text_bytes];
    fsattn_packing_text(&packings[1], text);
    cr_assert_str_eq(text, "k32x64-e2m3-runs-d128-mx");
    fsattn_packing_text(&packings[4], text);
    cr_assert_str_eq(text, "v32x64-e4m3-runs-d128-tensor");
}

typedef struct tile {
    uint8_t codes[keys * 128], scales[keys * 4], bytes[16896];
} tile;

static void fill(const fsattn_packing *l, tile *t, uint64_t seed) {
    const uint32_t limit = 1u << fsattn_format_describe(l->element)->bits;
    for (size_t i = 0; i < sizeof t->codes; i++) {
        t->codes[i] = (uint8_t)fsattn_random_below(seed, 0, i, limit);
        t->codes[i] = (t->codes[i] & 0x7f) == 0x7f ? 0 : t->codes[i]; /* E4M3's NaN */
    }
    for (size_t i = 0; i < sizeof t->scales; i++) {
        t->scales[i] = (uint8_t)(120 + fsattn_random_below(seed, 1, i, 16));
    }
    memset(t->bytes, 0xee, sizeof t->bytes);
    fsattn_packing_pack(l, t->codes, t->scales, t->bytes);
}

Test(packing, unpacking_undoes_packing) {
    for (int i = 0; i < packing_count; i++) {
        const fsattn_packing *l = &packings[i];
        static tile t, back;
        memset(&back, 0, sizeof back);
        fill(l, &t, 4);
        fsattn_packing_unpack(l, t.bytes, back.codes, back.scales);
        cr_assert_arr_eq(back.codes, t.codes, (size_t)(keys * l->head_dim));
        cr_assert_arr_eq(back.scales, t.scales, fsattn_packing_scales(l));
        for (size_t b = fsattn_packing_tile_bytes(l); b < sizeof t.bytes; b++) {
            cr_assert_eq(t.bytes[b], 0xee, "packing %d wrote behind its end", i);
        }
    }
}

/* The matrix unit's own view of an operand, from its description and not from packing.c: lane L of fragment f supplies 32 codes and
 * one scale byte; A[row][k] for row 0 .. 31 and logical k 0 .. 63. */
static void fragment_read(const fsattn_packing *l, const tile *t, int f, int dword, int byte, double a[32][64]) {
    const int bits = fsattn_format_describe(l->element)->bits, bytes = 4 * bits;
    const uint8_t *fragment = t->bytes + f * lanes * bytes;
    const uint8_t *scales = t->bytes + keys * l->head_dim * bits / 8;
    const int dwords = l->operand == FSATTN_PACKING_K ? l->head_dim / 64 : 2;
    for (int lane = 0; lane < lanes; lane++) {
        uint8_t own[32], codes[32];
        memcpy(own, fragment + lane * 16, 16); /* ds_read_b128, then ds_read_b64 or another b128 */
        if (bytes > 16) {
            memcpy(own + 16, fragment + lanes * 16 + lane * (bytes - 16), (size_t)(bytes - 16));
        }
        fsattn_format_unpack(l->element, own, 32, codes);
        for (int i = 0; i < 32; i++) {
            const int k = bits == 8 ? 16 * (lane / 32) + i % 16 + 32 * (i / 16) : 32 * (lane / 32) + i;
            a[lane % 32][k] = fsattn_format_decode(l->element, codes[i]);
        }
    }
    for (int lane = 0; l->scaled && lane < lanes; lane++) { /* lane L scales row L % 32, logical k of block L / 32 */
        const double scale = fsattn_e8m0_decode(scales[(lane * dwords + dword) * 4 + byte]);
        for (int k = 0; k < 32; k++) {
            a[lane % 32][32 * (lane / 32) + k] *= scale;
        }
    }
}

/* S^T = K Q^T, fragment by fragment, is the product of the dequantized matrices. */
Test(packing, keys_multiply_as_they_should) {
    for (int i = 0; i < packing_count; i++) {
        const fsattn_packing *l = &packings[i];
        static tile t;
        static double a[32][64];
        if (l->operand != FSATTN_PACKING_K) {
            continue;
        }
        fill(l, &t, 5);
        const int d = l->head_dim, halves = d / 64;
        for (int key = 0; key < keys; key++) {
            double expected = 0, actual = 0;
            for (int e = 0; e < d; e++) {
                expected += (e + 1) * fsattn_format_decode(l->element, t.codes[key * d + e]) *
                            fsattn_e8m0_decode(t.scales[key * (d / 32) + e / 32]);
            }
            for (int h = 0; h < halves; h++) {
                fragment_read(l, &t, key / 32 * halves + h, h, key / 32, a);
                for (int k = 0; k < 64; k++) {
                    actual += (64 * h + k + 1) * a[key % 32][k];
                }
            }
            cr_assert_float_eq(actual, expected, 1e-9 * (1 + fabs(expected)), "packing %d, key %d", i, key);
        }
    }
}

/* O^T = V^T P^T with P as S^T left it in a lane: score tile t, register r of group g is key 32 t + 8 (r / 4) + 4 g + r % 4. A lane
 * converts its 32 values of two tiles in that order, so they are items 0 .. 31 of its group; E4M3 bytes have logical k in
 * another order than 4- and 6-bit items, and the unit pairs equal logical k. */
Test(packing, values_multiply_as_they_should) {
    for (int i = 0; i < packing_count; i++) {
        const fsattn_packing *l = &packings[i];
        static tile t;
        static double a[32][64];
        if (l->operand != FSATTN_PACKING_V) {
            continue;
        }
        fill(l, &t, 6);
        const int d = l->head_dim;
        const bool p_bytes = l->element == FSATTN_FORMAT_E4M3 || l->order == FSATTN_KEY_ORDER_FP8_P;
        int block_of[keys];
        for (int p = 0; p < keys; p++) {
            block_of[fsattn_key_at(l->order, p)] = p / 32;
        }
        for (int e = 0; e < d; e++) {
            double expected = 0, actual = 0;
            for (int key = 0; key < keys; key++) {
                const double scale = l->scaled ? fsattn_e8m0_decode(t.scales[block_of[key] * d + e]) : 1;
                expected += (key + 1) * fsattn_format_decode(l->element, t.codes[key * d + e]) * scale;
            }
            for (int c = 0; c < 2; c++) {
                fragment_read(l, &t, c * (d / 32) + e / 32, c, e / 32, a);
                for (int g = 0; g < 2; g++) {
                    for (int item = 0; item < 32; item++) {
                        const int key = 64 * c + 32 * (item / 16) + 8 * (item % 16 / 4) + 4 * g + item % 4;
                        const int k = p_bytes ? 16 * g + item % 16 + 32 * (item / 16) : 32 * g + item;
                        actual += (key + 1) * a[e % 32][k];
                    }
                }
            }
            cr_assert_float_eq(actual, expected, 1e-9 * (1 + fabs(expected)), "packing %d, element %d: %g, expected %g", i, e, actual,
                               expected);
        }
    }
}

/* The emulator multiplies by the very values that a packed tile holds. */
Test(packing, packed_values_are_the_emulated_ones) {
    enum { present = 3 * 32 + 13 };
    static float x[keys * 128], emulated[keys * 128];
    static tile t, back;
    static const fsattn_operand_format formats[] = {FSATTN_OPERAND_MXFP8, FSATTN_OPERAND_MXFP6, FSATTN_OPERAND_MXFP4};
    for (int i = 0; i < packing_count; i++) {
        const fsattn_packing *l = &packings[i];
        const fsattn_operand_format format = !l->scaled ? FSATTN_OPERAND_FP8 : formats[l->element - FSATTN_FORMAT_E4M3];
        const int d = l->head_dim;
        for (int at = 0; at < keys * d; at++) {
            x[at] = emulated[at] = (float)fsattn_random_normal(9, 0, (uint64_t)at);
        }
        const float amax = fsattn_quantize_amax(x, present * d);
        const fsattn_quantize_options options = {.axis = l->operand == FSATTN_PACKING_K ? FSATTN_ALONG_COLUMNS : FSATTN_ALONG_ROWS,
                                                 .tensor_amax = amax,
                                                 .order = l->order};
        fsattn_quantize(format, &options, emulated, present, d);
        fsattn_packing_quantize(l, x, present, amax / 448, t.codes, t.scales);
        fsattn_packing_pack(l, t.codes, t.scales, t.bytes);
        fsattn_packing_unpack(l, t.bytes, back.codes, back.scales);
        int block_of[keys];
        for (int p = 0; p < keys; p++) {
            block_of[fsattn_key_at(l->order, p)] = p / 32;
        }
        for (int at = 0; at < present * d; at++) {
            const int key = at / d, e = at % d;
            const uint8_t scale = back.scales[l->operand == FSATTN_PACKING_K ? key * (d / 32) + e / 32 : block_of[key] * d + e];
            const double value = fsattn_format_decode(l->element, back.codes[at]) *
                                 (l->scaled ? fsattn_e8m0_decode(scale) : (double)amax / 448);
            cr_assert_float_eq(value, (double)emulated[at], 1e-7 * fabs(value), "packing %d, key %d, element %d: %g, emulated %g", i, key, e, value,
                               (double)emulated[at]);
        }
    }
}

Test(packing, missing_keys_are_zeros_with_finite_scales) {
    static float x[keys * 128];
    static tile t;
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        x[i] = (float)fsattn_random_normal(8, 0, i);
    }
    for (int i = 0; i < packing_count; i++) {
        const fsattn_packing *l = &packings[i];
        const int d = l->head_dim, present = 45;
        memset(&t, 0xff, sizeof t);
        fsattn_packing_quantize(l, x, present, 0.01f, t.codes, t.scales);
        for (int at = present * d; at < keys * d; at++) {
            cr_assert_eq(t.codes[at], 0);
        }
        for (size_t s = 0; s < fsattn_packing_scales(l); s++) {
            cr_assert_neq(t.scales[s], 0xff);
        }
    }
}
