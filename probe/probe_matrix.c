/* Probes of matrix instructions: one-hot operands whose products say what meets what. What must come out is computed from the lane maps
 * of gfx950.md section 2, written down here once more. */
#include "probe.h"

#include "formats.h"
#include "gemm.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { lanes = 64, words_in = 18, scale_a = 16, scale_b = 17, one_scale = 0x7f7f7f7f };

static int bits_of(int format) {
    return fsattn_format_describe((fsattn_format)format)->bits;
}
static uint32_t one_of(int format) {
    return fsattn_format_encode((fsattn_format)format, 1, FSATTN_OVERFLOW_SATURATE);
}
static void put(uint32_t *words, unsigned bit, unsigned bits, uint32_t value) {
    const uint64_t placed = (value & ((UINT64_C(1) << bits) - 1)) << bit % 32;
    words[bit / 32] |= (uint32_t)placed;
    if (placed >> 32) {
        words[bit / 32 + 1] |= (uint32_t)(placed >> 32);
    }
}
static uint32_t get(const uint32_t *words, unsigned bit, unsigned bits) {
    const unsigned word = bit / 32, shift = bit % 32;
    const uint64_t both = words[word] | (shift + bits > 32 ? (uint64_t)words[word + 1] << 32 : 0);
    return (uint32_t)(both >> shift & ((UINT64_C(1) << bits) - 1));
}
/* Elements of a lane. */
static int items_of(const probe_matrix *x) {
    return x->k * x->m / lanes;
}
/* Logical k of element n of lane group g: FP8 comes in two runs of 16, all else in one. */
static int k_of(const probe_matrix *x, int format, int g, int n) {
    const int groups = lanes / x->m;
    return bits_of(format) == 8 ? 16 * g + (n & 15) + 16 * groups * (n >> 4) : items_of(x) * g + n;
}
static int row_of(const probe_matrix *x, int lane, int r) {
    return x->m == 32 ? 8 * (r >> 2) + 4 * (lane >> 5) + (r & 3) : 4 * (lane >> 4) + r;
}

/* ---- inputs --------------------------------------------------------------------------------------------------------- */

static int number_bits(const probe_matrix *x) {
    return x->m == 32 ? (x->k == 64 ? 6 : 4) : (x->k == 128 ? 7 : 5);
}
uint32_t probe_matrix_turns(const probe_matrix *x) {
    switch (x->inputs) {
    case PROBE_PAIRS: return (uint32_t)(x->k / (x->sparse ? 2 : 1) * number_bits(x) * (x->sparse ? 2 : 1));
    case PROBE_ROWS: case PROBE_SCALES: return 2 * lanes;
    default: return 4;
    }
}
static void fill_all(const probe_matrix *x, uint32_t *turn, bool of_b) {
    const int format = of_b ? x->b : x->a;
    for (int l = 0; l < lanes; l++) {
        for (int n = 0; n < items_of(x); n++) {
            put(turn + l * words_in + 8 * of_b, (unsigned)(n * bits_of(format)), (unsigned)bits_of(format), one_of(format));
        }
    }
}
/* A: element `item` of all lanes of a group; B: all elements whose number has bit `bit`. */
static void fill_pair(const probe_matrix *x, uint32_t *turn, uint32_t number) {
    const int bits = number_bits(x), of_lane = items_of(x) / (x->sparse ? 2 : 1);
    const int bit = (int)number % bits, at = (int)number / bits % (of_lane * lanes / x->m), pass = (int)number / bits / (of_lane * lanes / x->m);
    const int group = at / of_lane, item = at % of_lane;
    for (int l = 0; l < lanes; l++) {
        uint32_t *to = turn + l * words_in;
        if (l / x->m == group) {
            put(to, (unsigned)(item * bits_of(x->a)), (unsigned)bits_of(x->a), one_of(x->a));
        }
        for (int n = 0; n < items_of(x); n++) {
            if ((n + items_of(x) * (l / x->m)) >> bit & 1) {
                put(to + 8, (unsigned)(n * bits_of(x->b)), (unsigned)bits_of(x->b), one_of(x->b));
            }
        }
        if (x->sparse) { /* positions of the two kept of four */
            static const uint32_t nibbles[] = {0x44444444, 0xeeeeeeee, 0x88888888, 0xdddddddd};
            to[scale_a] = nibbles[(item / 2 + 2 * pass) % 4];
        }
    }
}
static void fill_lane(const probe_matrix *x, uint32_t *turn, uint32_t number) {
    const bool of_b = number >= lanes, rows = x->inputs == PROBE_ROWS;
    const int lane = (int)(number % lanes);
    fill_all(x, turn, false);
    fill_all(x, turn, true);
    for (int l = 0; l < lanes; l++) {
        if (rows && l != lane) {
            memset(turn + l * words_in + 8 * of_b, 0, 8 * sizeof *turn);
        }
    }
    if (!rows) {
        turn[lane * words_in + scale_a + of_b] = 0x81818181; /* four times */
    }
}
static void fill_edge(const probe_matrix *x, uint32_t *turn, uint32_t number) {
    static const uint8_t bytes[][4][2] = {{{0, 254}, {254, 0}, {1, 253}, {0, 253}}, {{254, 0}, {254, 1}, {253, 1}, {126, 128}},
                                          {{255, 127}, {127, 255}, {255, 1}, {255, 0}}};
    fill_all(x, turn, false);
    fill_all(x, turn, true);
    for (int l = 0; l < lanes; l++) {
        const uint8_t *pair = bytes[x->inputs == PROBE_EDGE_0 ? 0 : x->inputs == PROBE_EDGE_254 ? 1 : 2][number];
        uint32_t *to = turn + l * words_in;
        to[scale_a] = x->inputs == PROBE_BYTES ? 0x807f7e7du + number : pair[0] * 0x01010101u;
        to[scale_b] = x->inputs == PROBE_BYTES ? 0x7b7c7f84u - number : pair[1] * 0x01010101u;
        if (x->inputs == PROBE_SUBNORMAL) { /* 2^-67 and 2^-66 - number, one product of each cell */
            memset(to, 0, 16 * sizeof *to);
            to[scale_a] = to[scale_b] = one_scale;
            if (l < x->m) {
                to[0] = (uint32_t)fsattn_bf16_from_float(ldexpf(1, -67));
                to[8] = (uint32_t)fsattn_bf16_from_float(ldexpf(1, -66 + (int)(number & 1) * 8) * (number & 2 ? -1.0f : 1.0f));
            }
        }
    }
}
void probe_matrix_fill(const probe *p, uint32_t *in) {
    const probe_matrix *x = p->data;
    memset(in, 0, p->in_words * sizeof *in);
    for (uint32_t turn = 0; turn < p->count; turn++) {
        uint32_t *to = in + turn * probe_matrix_words;
        for (int l = 0; l < lanes; l++) {
            to[l * words_in + scale_a] = to[l * words_in + scale_b] = one_scale;
        }
        (x->inputs == PROBE_PAIRS ? fill_pair : x->inputs == PROBE_ROWS || x->inputs == PROBE_SCALES ? fill_lane : fill_edge)(x, to, turn);
    }
}

/* ---- what must come out ----------------------------------------------------------------------------------------------- */

static double scale_of(const probe_matrix *x, const fsattn_fact *value, uint8_t code) {
    const bool other = value->choice && ((code == 0 && x->inputs == PROBE_EDGE_0) || (code == 255 && x->inputs == PROBE_EDGE_255));
    return other ? (code ? 0x1p128 : 0) : fsattn_e8m0_decode(code);
}
/* As [row][k], scaled. */
static void unpack(const probe_matrix *x, const fsattn_fact *value, const uint32_t *turn, bool of_b, double out[32][128]) {
    const int format = of_b ? x->b : x->a, bits = bits_of(format);
    double table[256];
    for (uint32_t code = 0; bits <= 8 && code < 1u << bits; code++) {
        table[code] = fsattn_format_decode((fsattn_format)format, code);
    }
    for (int l = 0; l < lanes; l++) {
        const uint32_t *words = turn + l * words_in;
        for (int n = 0; n < items_of(x) / (x->sparse && !of_b ? 2 : 1); n++) {
            const int g = l / x->m, row = l % x->m;
            const int k = x->sparse && !of_b ? items_of(x) * g + 4 * (n / 2) + (int)(words[scale_a] >> 2 * n & 3) : k_of(x, format, g, n);
            const uint8_t code = (uint8_t)(turn[(row + x->m * (k / 32)) * words_in + scale_a + of_b] >> 8 * x->byte);
            const bool scaled = !x->sparse && format != FSATTN_FORMAT_BF16;
            const uint32_t item = get(words + 8 * of_b, (unsigned)(n * bits), (unsigned)bits);
            const double element = bits <= 8 ? table[item] : fsattn_format_decode((fsattn_format)format, item);
            out[row][k] = scaled ? element * scale_of(x, value, code) : element;
        }
    }
}
void probe_matrix_expect(const probe *p, const fsattn_fact *value, const uint32_t *in, uint32_t *out) {
    const probe_matrix *x = p->data;
    const int registers = x->m * x->m / lanes;
    for (uint32_t turn = 0; turn < p->count; turn++) {
        double a[32][128] = {{0}}, b[32][128] = {{0}};
        unpack(x, value, in + turn * probe_matrix_words, false, a);
        unpack(x, value, in + turn * probe_matrix_words, true, b);
        for (int l = 0; l < lanes; l++) {
            for (int r = 0; r < registers; r++) {
                double sum = 0;
                for (int k = 0; k < x->k; k++) {
                    sum += a[row_of(x, l, r)][k] * b[l % x->m][k];
                }
                const float result = x->inputs == PROBE_SUBNORMAL && value->choice && fabs(sum) < 0x1p-126 ? copysignf(0, (float)sum) : (float)sum;
                memcpy(out + ((size_t)turn * lanes + (size_t)l) * (size_t)registers + (size_t)r, &result, sizeof result);
            }
        }
    }
}
void probe_matrix_place(const probe *p, const uint32_t *in, size_t word, char text[probe_place_bytes]) {
    const probe_matrix *x = p->data;
    const int registers = x->m * x->m / lanes, bits = number_bits(x), of_lane = items_of(x) / (x->sparse ? 2 : 1);
    const int turn = (int)word / registers / lanes, lane = (int)word / registers % lanes, r = (int)word % registers;
    const int at = turn / bits % (of_lane * lanes / x->m);
    (void)in;
    if (x->inputs == PROBE_PAIRS) {
        snprintf(text, probe_place_bytes, "A group %d element %d, bit %d of B's element; lane %d register %d", at / of_lane, at % of_lane,
                 turn % bits, lane, r);
    } else if (x->inputs == PROBE_ROWS || x->inputs == PROBE_SCALES) {
        snprintf(text, probe_place_bytes, "%s's lane %d; result lane %d register %d", turn < lanes ? "A" : "B", turn % lanes, lane, r);
    } else {
        snprintf(text, probe_place_bytes, "case %d, lane %d register %d", turn, lane, r);
    }
}

/* ---- order and rounding of sums --------------------------------------------------------------------------------------- */

/* Sixteen products of row and column 0 of a 32x32x16 BF16 instruction, and C. */
static void terms_of(uint32_t number, float a[16], float *seed) {
    for (int k = 0; k < 16; k++) {
        a[k] = number < 16 ? 1.0f : ldexpf(1, (int)(number + (uint32_t)k * 5) % 29 - 14) * (k % 3 ? 1.0f : -1.0f);
    }
    *seed = number < 8 ? ldexpf(1, 20 + (int)number) : number < 16 ? -ldexpf(1, 12 + (int)number) + 1 : ldexpf(1.5f, (int)number - 16);
    if (number >= 8 && number < 16) {
        a[number % 8] = ldexpf(1, 12 + (int)number);
    }
}
void probe_sum_fill(const probe *p, uint32_t *in) {
    memset(in, 0, p->in_words * sizeof *in);
    for (uint32_t turn = 0; turn < p->count; turn++) {
        float a[16], seed;
        terms_of(turn, a, &seed);
        for (int k = 0; k < 16; k++) {
            for (int l = k / 8 * 32; l < k / 8 * 32 + 32; l++) {
                uint32_t *words = in + turn * probe_matrix_words + l * words_in;
                put(words, (unsigned)(16 * (k % 8)), 16, fsattn_bf16_from_float(a[k]));
                put(words + 8, (unsigned)(16 * (k % 8)), 16, fsattn_bf16_from_float(1));
                memcpy(&words[scale_a], &seed, sizeof seed);
            }
        }
        for (int l = 0; l < lanes; l++) {
            memcpy(in + turn * probe_matrix_words + l * words_in + scale_a, &seed, sizeof seed);
        }
    }
}
void probe_sum_expect(const probe *p, const fsattn_fact *value, const uint32_t *in, uint32_t *out) {
    (void)in;
    for (uint32_t turn = 0; turn < p->count; turn++) {
        float a[16], q[16 * fsattn_gemm_lanes], k[16], seed, seeds[fsattn_gemm_lanes], s[fsattn_gemm_lanes];
        terms_of(turn, a, &seed);
        for (int i = 0; i < 16; i++) {
            k[i] = 1;
            for (int r = 0; r < fsattn_gemm_lanes; r++) {
                q[i * fsattn_gemm_lanes + r] = a[i];
                seeds[r] = seed;
            }
        }
        fsattn_gemm_scores((fsattn_accumulation)value->choice, q, fsattn_gemm_lanes, k, 16, 1, 16, seeds, s);
        for (int i = 0; i < lanes * 16; i++) {
            memcpy(out + turn * lanes * 16 + (uint32_t)i, s, sizeof *s);
        }
    }
}
void probe_sum_place(const probe *p, const uint32_t *in, size_t word, char text[probe_place_bytes]) {
    (void)p;
    (void)in;
    snprintf(text, probe_place_bytes, "sum %zu", word / lanes / 16);
}
