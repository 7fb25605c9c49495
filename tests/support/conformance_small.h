/* Cases of conversions of small formats, of lane exchange and of transposing reads: ISA manual, sections 6.7.1, 6.10, 12.8 - 12.13.
 * Formats are decoded from their bits and encoded by looking for the nearest code: nothing of numerics is used. */
#ifndef CONFORMANCE_SMALL_H
#define CONFORMANCE_SMALL_H

#include "conformance_memory.h"

typedef struct small_format {
    const char *name;
    int bits, exponent_bits, bias;
} small_format;
static const small_format small_formats[] = {{"fp8", 8, 4, 7}, {"bf8", 8, 5, 15}, {"fp6", 6, 2, 1}, {"bf6", 6, 3, 3}, {"fp4", 4, 2, 1}};

static double small_decode(const small_format *f, uint32_t code) {
    const int mantissa_bits = f->bits - 1 - f->exponent_bits;
    const int mantissa = (int)(code & ((1u << mantissa_bits) - 1)), exponent = (int)(code >> mantissa_bits) & ((1 << f->exponent_bits) - 1);
    const double sign = code >> (f->bits - 1) & 1 ? -1 : 1;
    if (f->bits == 8 && f->exponent_bits == 4 && (code & 0x7f) == 0x7f) {
        return NAN;
    }
    if (f->bits == 8 && f->exponent_bits == 5 && exponent == 31) {
        return mantissa ? NAN : sign * INFINITY;
    }
    return sign * ldexp(exponent ? mantissa + (1 << mantissa_bits) : mantissa, (exponent ? exponent : 1) - f->bias - mantissa_bits);
}
/* Nearest code, ties to even; above the greatest: NaN or infinity in 8 bits, the greatest below. NaN of 6 and 4 bits: the greatest. */
static uint32_t small_encode(const small_format *f, double value, bool clamp) {
    const uint32_t sign = signbit(value) ? 1u << (f->bits - 1) : 0, count = 1u << (f->bits - 1);
    const bool e4 = f->exponent_bits == 4, e5 = f->exponent_bits == 5;
    const uint32_t greatest = e4 ? 0x7e : e5 ? 0x7b : count - 1;
    const double twice = 2 * small_decode(f, greatest), magnitude = fabs(value) < twice ? fabs(value) : twice;
    uint32_t best = 0;
    if (isnan(value)) {
        return f->bits == 8 ? sign | 0x7f : sign | greatest;
    }
    for (uint32_t code = 0; code <= greatest; code++) {
        const double here = fabs(small_decode(f, code) - magnitude), there = fabs(small_decode(f, best) - magnitude);
        best = here < there || (here == there && !(code & 1)) ? code : best;
    }
    if (f->bits == 8 && best == greatest) { /* beyond the middle between the greatest and what would follow */
        const double top = small_decode(f, greatest), step = top - small_decode(f, greatest - 1);
        if (isinf(value) ? !clamp || e5 : !clamp && (magnitude > top + step / 2 || (magnitude == top + step / 2 && (greatest & 1)))) {
            return sign | (e4 ? 0x7f : 0x7c);
        }
    }
    return sign | best;
}
/* The seed is a fraction of the last place; what is below it is cut. */
static uint32_t small_random(const small_format *f, double value, uint32_t seed) {
    const int mantissa_bits = f->bits - 1 - f->exponent_bits;
    if (!isfinite(value) || value == 0) {
        return small_encode(f, value, false);
    }
    int e = ilogb(value);
    e = e < 1 - f->bias ? 1 - f->bias : e;
    const double unit = ldexp(1, e - mantissa_bits);
    return small_encode(f, copysign(floor(fabs(value) / unit + ldexp(seed, -32)) * unit, value), false);
}
static uint32_t small_step(uint32_t seed) { return (seed << 1) ^ (seed & 0x80000000u ? 0xC5 : 0); }
static double small_scale(uint32_t bits) { /* the exponent alone; 255 is NaN */
    const int e = (int)(bits >> 23 & 255);
    return e == 255 ? NAN : ldexp(1, e - 127);
}

/* ---- the list: v_cvt[_scalef32][_sr][_pk|_pk32|_2xpk16]_TO_FROM ---- */

typedef struct small_case {
    char mnemonic[48];
    const small_format *format;
    char wide; /* f h b: the other side */
    bool widens, scaled, random, single;
    int count;   /* elements */
    bool two;    /* sources of one element (or, of 32, of 16) */
    int select;  /* op_sel: destination or source part */
} small_case;

static double small_value(char wide, uint64_t bits) {
    return wide == 'f' ? (double)conf_f(bits) : wide == 'h' ? conf_h(bits) : (double)conf_f(bits << 16);
}
static uint32_t small_bits(char wide, double value) {
    return wide == 'f' ? (uint32_t)conf_from_f((float)value) : wide == 'h' ? (uint32_t)conf_from_h(value) : ref_bf16((float)value);
}
static void small_add(small_case *cases, size_t *count, small_case c, const char *format, ...) __attribute__((format(printf, 4, 5)));
static void small_add(small_case *cases, size_t *count, small_case c, const char *format, ...) {
    va_list list;
    va_start(list, format);
    vsnprintf(c.mnemonic, sizeof c.mnemonic, format, list);
    va_end(list);
    cases[(*count)++] = c;
}
enum { small_cases_max = 200 };
static size_t small_list(small_case *cases) {
    static const struct {
        char wide;
        const char *name;
    } wides[] = {{'f', "f32"}, {'h', "f16"}, {'b', "bf16"}};
    size_t n = 0;
    for (size_t k = 0; k < CONF_COUNT(small_formats); k++) {
        const small_format *f = &small_formats[k];
        for (size_t i = 0; i < 3; i++) {
            const char w = wides[i].wide, *name = wides[i].name;
            const small_case base = {.format = f, .wide = w, .scaled = true, .count = 2};
            small_case c = base;
            if (f->bits == 6) {
                c.count = 32;
                if (w != 'f') { /* from float it is 2xpk16 */
                    small_add(cases, &n, c, "v_cvt_scalef32_pk32_%s_%s", f->name, name);
                }
                c.random = true;
                small_add(cases, &n, c, "v_cvt_scalef32_sr_pk32_%s_%s", f->name, name);
                c = (small_case){.format = f, .wide = w, .scaled = true, .count = 32, .widens = true};
                small_add(cases, &n, c, "v_cvt_scalef32_pk32_%s_%s", name, f->name);
                continue;
            }
            for (int select = 0; select < (f->bits == 4 ? 4 : 2); select++) {
                c = base;
                c.select = select;
                c.two = w == 'f';
                small_add(cases, &n, c, "v_cvt_scalef32_pk_%s_%s", f->name, name);
                c.two = false;
                c.widens = true;
                small_add(cases, &n, c, "v_cvt_scalef32_pk_%s_%s", name, f->name);
            }
            for (int select = 0; select < 4; select++) {
                c = base;
                c.select = select;
                c.random = true;
                if (f->bits == 4) {
                    small_add(cases, &n, c, "v_cvt_scalef32_sr_pk_%s_%s", f->name, name);
                } else {
                    c.single = true;
                    c.count = 1;
                    small_add(cases, &n, c, "v_cvt_scalef32_sr_%s_%s", f->name, name);
                }
            }
        }
        for (int select = 0; select < 4 && f->bits == 8; select++) {
            small_case c = {.format = f, .wide = 'f', .count = 1, .widens = true, .single = true, .select = select};
            small_add(cases, &n, c, "v_cvt_f32_%s", f->name);
            c.scaled = true;
            small_add(cases, &n, c, "v_cvt_scalef32_f32_%s", f->name);
            c = (small_case){.format = f, .wide = 'f', .count = 1, .single = true, .random = true, .select = select};
            small_add(cases, &n, c, "v_cvt_sr_%s_f32", f->name);
            c = (small_case){.format = f, .wide = 'f', .count = 2, .widens = true, .select = select & 1};
            small_add(cases, &n, c, "v_cvt_pk_f32_%s", f->name);
            c = (small_case){.format = f, .wide = 'f', .count = 2, .two = true, .select = select & 1};
            small_add(cases, &n, c, "v_cvt_pk_%s_f32", f->name);
        }
        if (f->bits == 6) {
            small_case c = {.format = f, .wide = 'f', .scaled = true, .count = 32, .two = true};
            small_add(cases, &n, c, "v_cvt_scalef32_2xpk16_%s_f32", f->name);
        }
    }
    return n;
}

/* Registers: destination v64.., sources v96.., second source v128.., seed v160, scale v161. */
static int small_source_words(const small_case *c) {
    const int bits = c->widens ? c->format->bits : c->wide == 'f' ? 32 : 16, elements = c->two ? c->count / 2 : c->count;
    const int words = (bits * elements + 31) / 32;
    return words ? words : 1;
}
static int small_result_words(const small_case *c) {
    const int bits = c->widens ? (c->wide == 'f' ? 32 : 16) : c->format->bits;
    return (bits * c->count + 31) / 32;
}
static void small_write(fsattn_text *text, const small_case *c) {
    char to[32], from[32], second[32];
    const bool sdwa = c->widens && !c->scaled && c->select; /* these are selected as SDWA does */
    fsattn_text_printf(text, "%s%s %s, %s", c->mnemonic, sdwa ? "_sdwa" : "", memory_registers(to, 'v', 64, small_result_words(c)),
                       memory_registers(from, 'v', 96, small_source_words(c)));
    if (c->two) {
        fsattn_text_printf(text, ", %s", memory_registers(second, 'v', 128, small_source_words(c)));
    }
    fsattn_text_puts(text, c->random ? ", v160" : "");
    fsattn_text_puts(text, c->scaled ? ", v161" : "");
    if (c->count < 32 && c->select) {
        const int sources = 1 + c->two + c->random + c->scaled;
        const bool byte = c->single || c->format->bits == 4;
        if (sdwa) {
            fsattn_text_printf(text, " src0_sel:%s_%d", byte ? "BYTE" : "WORD", c->select);
        } else if (c->widens && byte) { /* a part of the source: bits 0 and 1 of op_sel */
            fsattn_text_printf(text, " op_sel:[%d,%d]", c->select & 1, c->select >> 1);
        } else if (c->widens) {
            fsattn_text_printf(text, " op_sel:[%d,0]", c->select & 1);
        } else if (byte) { /* destination byte: bits 2 and 3 */
            fsattn_text_printf(text, " op_sel:[0,0,%d,%d]", c->select & 1, c->select >> 1);
        } else {
            fsattn_text_printf(text, " op_sel:[%s%d]", sources == 3 ? "0,0,0," : "0,0,", c->select & 1);
        }
    }
    fsattn_text_puts(text, "\n");
}
static uint32_t small_take(const uint32_t *words, int bits, int i) {
    uint32_t value = 0;
    for (int b = 0; b < bits; b++) value |= (words[(i * bits + b) / 32] >> ((i * bits + b) % 32) & 1) << b;
    return value;
}
static void small_put(uint32_t *words, int bits, int i, uint32_t value) {
    for (int b = 0; b < bits; b++) {
        const int at = i * bits + b;
        words[at / 32] = (words[at / 32] & ~(1u << at % 32)) | (value >> b & 1) << at % 32;
    }
}
/* The registers of a lane after the conversion, in `to`. */
static void small_reference(const small_case *c, const uint32_t *from, const uint32_t *second, uint32_t seed, uint32_t scale, uint32_t *to) {
    const int wide_bits = c->wide == 'f' ? 32 : 16, bits = c->format->bits;
    const double factor = c->scaled ? small_scale(scale) : 1;
    for (int i = 0; i < c->count; i++) {
        if (c->widens) {
            const int part = c->count == 32 ? 0 : c->select * c->count;
            const double value = small_decode(c->format, small_take(from, bits, part + i)) * factor;
            small_put(to, wide_bits, i, small_bits(c->wide, value));
            continue;
        }
        const uint32_t raw = !c->two ? small_take(from, wide_bits, i) : small_take(i & 1 ? second : from, wide_bits, i / 2);
        const double value = small_value(c->wide, raw) / factor;
        const int part = c->count == 32 ? 0 : c->select * c->count;
        small_put(to, bits, part + i, c->random ? small_random(c->format, value, seed) : small_encode(c->format, value, false));
        seed = small_step(seed);
    }
}
static bool small_equal(const small_case *c, const uint32_t *got, const uint32_t *expected) {
    const int wide_bits = c->wide == 'f' ? 32 : 16;
    for (int k = 0; k < small_result_words(c); k++) {
        for (int part = 0; part < 32 && c->widens; part += wide_bits) { /* any NaN for a NaN */
            const uint32_t x = got[k] >> part << (32 - wide_bits) >> (32 - wide_bits), y = expected[k] >> part << (32 - wide_bits) >> (32 - wide_bits);
            if (x != y && !(isnan(small_value(c->wide, x)) && isnan(small_value(c->wide, y)))) return false;
        }
        for (int part = 0; part < 32 && !c->widens && got[k] != expected[k]; part += c->format->bits) {
            if (c->format->bits != 8) return false;
            const uint32_t x = got[k] >> part & 255, y = expected[k] >> part & 255;
            if (x != y && !(isnan(small_decode(c->format, x)) && isnan(small_decode(c->format, y)))) return false;
        }
    }
    return true;
}
static void small_run(const void *of, int variant, const sim_instruction *in) {
    const small_case *c = of;
    sim_wave *w = conf_wave;
    uint32_t seed = 5 + (uint32_t)variant;
    for (int round = 0; round < 6; round++) {
        const uint64_t exec = round % 2 ? 0x13579bdf02468aceu : UINT64_MAX;
        uint32_t old[32][64];
        for (int i = 0; i < 64; i++) {
            for (int k = 0; k < 32; k++) {
                for (int s = 0; s < 2; s++) {
                    const char type = c->wide == 'f' ? 'f' : 'p';
                    uint32_t word = (uint32_t)(round < 2 ? conf_edge(type, (uint32_t)(i + k * 5 + round * 64), &seed) : conf_random(type, &seed));
                    if (c->wide == 'b') word = (uint32_t)(conf_random('f', &seed) >> 16 | (conf_random('f', &seed) & 0xffff0000));
                    w->v[(s ? 128 : 96) + k][i] = c->widens ? conf_word(&seed) : word;
                }
                w->v[64 + k][i] = old[k][i] = conf_word(&seed);
            }
            w->v[160][i] = conf_word(&seed);
            w->v[161][i] = (uint32_t)(round == 0 && i == 5 ? 0x7f800000u : (uint32_t)(120 + sim_device_random(&seed) % 14) << 23 | (conf_word(&seed) & 0x7fffff));
        }
        w->s64[sim_exec / 2] = exec;
        w->mode = 0xf0;
        w->stop = SIM_RUNNING;
        in->run(w, in);
        if (w->stop == SIM_FAULTED) {
            memory_complain(in, -1, w->fault);
            return;
        }
        for (int i = 0; i < 64; i++) {
            uint32_t from[32], second[32], to[32], got[32];
            for (int k = 0; k < 32; k++) {
                from[k] = w->v[96 + k][i];
                second[k] = w->v[128 + k][i];
                to[k] = old[k][i];
                got[k] = w->v[64 + k][i];
            }
            if (exec >> i & 1) small_reference(c, from, second, w->v[160][i], w->v[161][i], to);
            if (!small_equal(c, got, to)) {
                conf_failures++;
                cr_expect_fail("%s: lane %d: %08x %08x second %08x seed %08x scale %08x: %08x %08x, not %08x %08x", in->text, i, from[0], from[1], second[0],
                               w->v[160][i], w->v[161][i], got[0], got[1], to[0], to[1]);
                return;
            }
        }
    }
}

/* ---- across lanes: sources v16 and v24, destination v64 (v16 and v24 themselves for swaps), s8 ---- */

typedef uint32_t lane_from(const uint32_t *a, const uint32_t *b, uint64_t exec, uint32_t lane);
typedef struct lane_case {
    const char *mnemonic, *text;
    lane_from *first, *second; /* of v64 or v16; of v24 */
    bool swaps, scalar, whole; /* scalar: s20; whole: EXEC is full */
} lane_case;
static uint32_t at_active(const uint32_t *a, uint64_t exec, uint32_t lane) { return exec >> lane & 1 ? a[lane] : 0; }
#define LANE(name, expression)                                                                               \
    static uint32_t lane_##name(const uint32_t *a, const uint32_t *b, uint64_t exec, uint32_t lane) {        \
        (void)a; (void)b; (void)exec; (void)lane;                                                            \
        return expression;                                                                                   \
    }
LANE(first, a[exec ? ref_trailing(exec, 64) : 0])
LANE(nineteen, a[19])
LANE(written, lane == 19 ? 0x1234 : 0xabcd0000 + lane)
LANE(other_a, b[lane])
LANE(other_b, a[lane])
LANE(swap32_a, lane < 32 ? a[lane] : b[lane - 32])
LANE(swap32_b, lane < 32 ? a[lane + 32] : b[lane])
LANE(swap16_a, lane % 32 < 16 ? a[lane] : b[lane - 16])
LANE(swap16_b, lane % 32 < 16 ? a[lane + 16] : b[lane])
LANE(pull, at_active(b, exec, (a[lane] + 8) / 4 % 64))
static uint32_t lane_push(const uint32_t *a, const uint32_t *b, uint64_t exec, uint32_t lane) {
    uint32_t value = 0;
    for (uint32_t i = 0; i < 64; i++) value = (exec >> i & 1) && (a[i] + 8) / 4 % 64 == lane ? b[i] : value;
    return value;
}
LANE(reversed, at_active(a, exec, lane ^ 7))
LANE(broadcast, at_active(a, exec, lane / 8 * 8 + 3))
LANE(quad, at_active(a, exec, lane / 4 * 4 + (lane + 1) % 4))
static const lane_case lane_cases[] = {
    {"v_readfirstlane_b32", "s20, v16", lane_first, NULL, false, true, false},
    {"v_readlane_b32", "s20, v16, s8", lane_nineteen, NULL, false, true, false},
    {"v_writelane_b32", "v64, s9, 19", lane_written, NULL, false, false, true},
    {"v_swap_b32", "v16, v24", lane_other_a, lane_other_b, true, false, false},
    {"v_permlane32_swap_b32", "v16, v24", lane_swap32_a, lane_swap32_b, true, false, true},
    {"v_permlane16_swap_b32", "v16, v24", lane_swap16_a, lane_swap16_b, true, false, true},
    {"ds_bpermute_b32", "v64, v16, v24 offset:8", lane_pull, NULL, false, false, false},
    {"ds_permute_b32", "v64, v16, v24 offset:8", lane_push, NULL, false, false, false},
    {"ds_swizzle_b32", "v64, v16 offset:swizzle(REVERSE,8)", lane_reversed, NULL, false, false, false},
    {"ds_swizzle_b32", "v64, v16 offset:swizzle(BROADCAST,8,3)", lane_broadcast, NULL, false, false, false},
    {"ds_swizzle_b32", "v64, v16 offset:swizzle(QUAD_PERM,1,2,3,0)", lane_quad, NULL, false, false, false},
};
static void lane_run(const void *of, int variant, const sim_instruction *in) {
    const lane_case *c = of;
    sim_wave *w = conf_wave;
    uint32_t seed = 9 + (uint32_t)variant, a[64], b[64];
    for (int round = 0; round < 6; round++) {
        const uint64_t exec = c->whole || round % 2 ? UINT64_MAX : 0xf0f3c3c35a5aff00u;
        for (uint32_t i = 0; i < 64; i++) {
            w->v[16][i] = a[i] = conf_word(&seed);
            w->v[24][i] = b[i] = conf_word(&seed);
            w->v[64][i] = 0xabcd0000 + i;
        }
        w->s[8] = 19 + 64 * (uint32_t)round;
        w->s[9] = 0x1234;
        w->s64[sim_exec / 2] = exec;
        w->stop = SIM_RUNNING;
        in->run(w, in);
        for (uint32_t i = 0; i < 64; i++) {
            const bool active = exec >> i & 1;
            const uint32_t got = c->scalar ? w->s[20] : w->v[c->swaps ? 16 : 64][i];
            const uint32_t kept = c->swaps ? a[i] : 0xabcd0000 + i;
            const uint32_t expected = c->scalar || active ? c->first(a, b, exec, i) : kept;
            const bool second = !c->swaps || w->v[24][i] == (active ? c->second(a, b, exec, i) : b[i]);
            if (got != expected || !second || w->stop != SIM_RUNNING) {
                memory_complain(in, (int)i, "another value");
                return;
            }
        }
    }
}

/* ---- transposing reads: groups of 16 lanes read rows of 64 (96) bits, lane l gets column l of the group's block ---- */

static const struct transposed_case {
    const char *mnemonic;
    int bits, words;
} transposed_cases[] = {{"ds_read_b64_tr_b16", 16, 2}, {"ds_read_b64_tr_b8", 8, 2}, {"ds_read_b64_tr_b4", 4, 2}, {"ds_read_b96_tr_b6", 6, 3}};
static void transposed_run(const void *of, int variant, const sim_instruction *in) {
    const struct transposed_case *c = of;
    sim_wave *w = conf_wave;
    uint32_t seed = 3 + (uint32_t)variant;
    const int per_lane = 32 * c->words / c->bits, lanes_per_row = 16 / per_lane;
    for (int i = 0; i < memory_lds; i++) memory_local[i] = (unsigned char)sim_device_random(&seed);
    for (int i = 0; i < 64; i++) w->v[16][i] = (uint32_t)(i * 29 % 64 * 16);
    w->s64[sim_exec / 2] = UINT64_MAX;
    w->stop = SIM_RUNNING;
    in->run(w, in);
    for (int i = 0; i < 64; i++) {
        for (int n = 0; n < per_lane; n++) { /* row n of the block is in lanes_per_row lanes */
            const int column = i % 16, source = i / 16 * 16 + n * lanes_per_row + column / per_lane;
            uint32_t row[3] = {0}, mine[3];
            memcpy(row, memory_local + w->v[16][source], (size_t)c->words * 4);
            for (int k = 0; k < c->words; k++) mine[k] = w->v[64 + k][i];
            if (small_take(mine, c->bits, n) != small_take(row, c->bits, column % per_lane) || w->stop != SIM_RUNNING) {
                memory_complain(in, i, "another element");
                return;
            }
        }
    }
}

#endif
