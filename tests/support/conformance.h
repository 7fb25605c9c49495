/* conformance.h - vectors for single instructions: what the ISA manual says an instruction computes, in plain C, against its row.
 *
 * A case names a mnemonic, the types of destination and sources and a reference for one lane; the texts of all cases are assembled
 * by HIPRTC in one kernel and run from its disassembly on a bare wave (no launch), or are run as written where there is no ROCm.
 * References are written from the manual alone and use none of the simulator's functions.
 *
 * Types: f d h floats of 32, 64 and 16 bits, i 32 bits, w 16 bits (garbage above), l 64 bits, p two 16-bit halves, F two floats, B two BF16,
 * _ absent. */
#ifndef CONFORMANCE_H
#define CONFORMANCE_H

#include "formats.h"
#include "sim_device.h"
#include "sim_disassemble.h"
#include "sim_operands.h"
#include "sim_program.h"
#include "text.h"

#include <math.h>

typedef struct conf_lane {
    uint64_t a, b, c, old; /* old: the destination before */
    uint32_t carry;        /* bit of VCC; of scalar instructions SCC */
    uint32_t number;       /* of the lane */
    uint64_t d;            /* results */
    uint32_t bit;
} conf_lane;
typedef void conf_reference(conf_lane *x);

enum {
    CONF_BIT_OUT = 1,  /* second operand vcc is written */
    CONF_BIT_IN = 2,   /* last operand vcc is read */
    CONF_VCC_IN = 4,   /* vcc is read without being named */
    CONF_COMPARE = 8,  /* the destination is a bit per lane */
    CONF_EXEC = 16,    /* and EXEC too */
    CONF_SHORT = 32,   /* has a 32-bit encoding: DPP */
    CONF_BARE = 64,    /* no negation of sources */
    CONF_CLAMP = 128,  /* clamp to [0, 1] */
    CONF_BYTE_SELECT = 256, /* SDWA */
    CONF_ACC_IN = 512, CONF_ACC_OUT = 1024, /* accumulation registers */
};
typedef struct conf_case {
    const char *mnemonic;
    char out, in[3];
    conf_reference *reference;
    int ulps; /* allowed in a float result; -1: 2^-22 */
    unsigned flags;
    const char *modifiers; /* text behind the operands, or NULL */
} conf_case;

typedef enum conf_variant { CONF_PLAIN, CONF_NEGATED, CONF_SCALAR, CONF_CLAMPED, CONF_DPP, CONF_SDWA, conf_variants } conf_variant;
static const char *const conf_variant_names[] = {"plain", "negated", "scalar", "clamped", "dpp", "sdwa"};

/* ---- bits ---- */

static inline float conf_f(uint64_t bits) {
    const uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}
static inline double conf_d(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline double conf_h(uint64_t bits) {
    return fsattn_format_decode(FSATTN_FORMAT_F16, (uint32_t)bits & 0xffff);
}
static inline uint64_t conf_from_f(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline uint64_t conf_from_d(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline uint64_t conf_from_h(double value) {
    return value != value ? 0x7e00 : fsattn_format_encode(FSATTN_FORMAT_F16, value, FSATTN_OVERFLOW_SPECIAL);
}
static inline int conf_words(char type) {
    return strchr("dlF", type) ? 2 : type == '_' ? 0 : 1;
}

/* ---- inputs: all pairs of edge values, then random bits and random moderate numbers ---- */

static const uint32_t conf_edges_f[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x7f800000, 0xff800000, 0x7fc00000, 0x7f800001,
                                        1,          0x807fffff, 0x00800000, 0x7f7fffff, 0x3f000000, 0xbfc00000, 0x4f000000, 0xcf000000,
                                        0x4f800000, 0x477fe000, 0x477ff000, 0x3f7fffff, 0x40400000, 0x437f8000, 0x3effffff, 0xc2c80000};
static const uint32_t conf_edges_h[] = {0,      0x8000, 0x3c00, 0xbc00, 0x7c00, 0xfc00, 0x7e00, 0x7c01, 1,     0x83ff,
                                        0x0400, 0x7bff, 0x3800, 0xbe00, 0x3bff, 0x4200, 0xd640, 0x6800, 0x37ff};
static const uint32_t conf_edges_i[] = {0,          1,          0xffffffff, 0x80000000, 0x7fffffff, 31,         32,         63,
                                        0xffff,     0x10000,    0x80008000, 0x7fff7fff, 0x00ffffff, 0x01000000, 0x00800000, 0xfffffffe,
                                        0x0c0d0e0f, 0x00080a0b, 0x3f800000, 0x80000001};
static const uint64_t conf_edges_l[] = {0, 1, UINT64_MAX, 0x8000000000000000, 0x7fffffffffffffff, 0xffffffff, 0x100000000, 63,
                                        0x8000000080000000, 0x5555555555555555};
static const uint64_t conf_edges_d[] = {0,
                                        0x8000000000000000,
                                        0x3ff0000000000000,
                                        0xbff0000000000000,
                                        0x7ff0000000000000,
                                        0xfff0000000000000,
                                        0x7ff8000000000000,
                                        0x7ff0000000000001,
                                        1,
                                        0x800fffffffffffff,
                                        0x0010000000000000,
                                        0x7fefffffffffffff,
                                        0x3fe0000000000000,
                                        0xbff8000000000000,
                                        0x41e0000000000000,
                                        0xc1e0000000000000,
                                        0x41efffffffffffff,
                                        0x3fefffffffffffff,
                                        0x4008000000000000,
                                        0xc08f400000000000};
#define CONF_COUNT(array) (sizeof(array) / sizeof(array)[0])

static inline uint32_t conf_word(uint32_t *seed) {
    return sim_device_random(seed) << 16 ^ sim_device_random(seed);
}
static uint64_t conf_random(char type, uint32_t *seed) {
    const uint32_t word = conf_word(seed), kind = sim_device_random(seed) % 4;
    const uint64_t wide = (uint64_t)conf_word(seed) << 32 | word;
    const float small = ldexpf(sim_device_uniform(seed), (int)(sim_device_random(seed) % 12) - 2);
    switch (type) {
    case 'f': return kind ? conf_from_f(small) : word;
    case 'd': return kind ? conf_from_d((double)small * (1 + (double)word * 0x1p-60)) : wide;
    case 'h': return (kind ? conf_from_h((double)small) : word & 0xffff) | (wide >> 32 & 0xffff0000);
    case 'p': return kind ? conf_from_h((double)small) | conf_from_h((double)sim_device_uniform(seed) * 3) << 16 : word;
    case 'F': return kind ? conf_from_f(small) | conf_from_f(sim_device_uniform(seed)) << 32 : wide;
    case 'i': return kind == 1 ? word >> 24 : kind == 2 ? word >> 8 : word;
    case 'l': return kind ? wide : wide >> 40;
    default: return word;
    }
}
/* Edge value number `n`, whatever n is. */
static uint64_t conf_edge(char type, uint32_t n, uint32_t *seed) {
    switch (type) {
    case 'f': return conf_edges_f[n % CONF_COUNT(conf_edges_f)];
    case 'd': return conf_edges_d[n % CONF_COUNT(conf_edges_d)];
    case 'l': return conf_edges_l[n % CONF_COUNT(conf_edges_l)];
    case 'i': return conf_edges_i[n % CONF_COUNT(conf_edges_i)];
    case 'w': return (conf_edges_i[n % CONF_COUNT(conf_edges_i)] & 0xffff) | conf_word(seed) << 16;
    case 'h': return conf_edges_h[n % CONF_COUNT(conf_edges_h)] | conf_word(seed) << 16;
    case 'p': return conf_edges_h[n % CONF_COUNT(conf_edges_h)] | (uint64_t)conf_edges_h[(n + 7) % CONF_COUNT(conf_edges_h)] << 16;
    case 'F': return conf_edges_f[n % CONF_COUNT(conf_edges_f)] | (uint64_t)conf_edges_f[(n + 5) % CONF_COUNT(conf_edges_f)] << 32;
    default: return 0;
    }
}

/* ---- the text of a case ---- */

enum { conf_dst = 64, conf_src = 16, conf_src_step = 8, conf_scalar = 8, conf_rounds = 10 };

static bool conf_has(const conf_case *c, conf_variant variant) {
    const bool floats = strchr("fhd", c->in[0]) != NULL;
    switch (variant) {
    case CONF_PLAIN: return true;
    case CONF_NEGATED: return floats && !(c->flags & CONF_BARE);
    case CONF_SCALAR: return !(c->flags & (CONF_ACC_IN | CONF_BIT_IN | CONF_VCC_IN)) && c->in[0] != 'F' && c->in[0] != '_';
    case CONF_CLAMPED: return (c->flags & CONF_CLAMP) != 0;
    case CONF_DPP: return (c->flags & CONF_SHORT) != 0;
    case CONF_SDWA: return (c->flags & CONF_BYTE_SELECT) != 0;
    default: return false;
    }
}
static void conf_register(fsattn_text *text, char kind, int reg, char type) {
    if (conf_words(type) == 2) {
        fsattn_text_printf(text, "%c[%d:%d]", kind, reg, reg + 1);
    } else {
        fsattn_text_printf(text, "%c%d", kind, reg);
    }
}
static void conf_write(fsattn_text *text, const conf_case *c, conf_variant variant) {
    fsattn_text_printf(text, "%s%s ", c->mnemonic, variant == CONF_DPP ? "_dpp" : variant == CONF_SDWA ? "_sdwa" : "");
    const char *between = ", ";
    if (c->flags & CONF_COMPARE) {
        fsattn_text_puts(text, "vcc");
    } else {
        conf_register(text, c->flags & CONF_ACC_OUT ? 'a' : 'v', conf_dst, c->out);
        fsattn_text_puts(text, c->flags & CONF_BIT_OUT ? ", vcc" : "");
    }
    for (int k = 0; k < 3 && c->in[k] != '_'; k++) {
        const bool sign = variant == CONF_NEGATED && strchr("fhd", c->in[k]);
        fsattn_text_printf(text, "%s%s", between, sign ? (k == 1 ? "|" : "-") : "");
        conf_register(text, variant == CONF_SCALAR && k == 0 ? 's' : c->flags & CONF_ACC_IN ? 'a' : 'v',
                      variant == CONF_SCALAR && k == 0 ? conf_scalar : conf_src + k * conf_src_step, c->in[k]);
        fsattn_text_puts(text, sign && k == 1 ? "|" : "");
    }
    fsattn_text_puts(text, c->flags & CONF_BIT_IN ? ", vcc" : "");
    if (c->modifiers) {
        fsattn_text_printf(text, " %s", c->modifiers);
    }
    fsattn_text_puts(text, variant == CONF_CLAMPED ? " clamp"
                           : variant == CONF_DPP   ? " row_ror:3 row_mask:0xf bank_mask:0xf"
                                                   : "");
    if (variant == CONF_SDWA) {
        fsattn_text_puts(text, c->flags & CONF_COMPARE ? "" : " dst_sel:DWORD dst_unused:UNUSED_PAD");
        fsattn_text_puts(text, " src0_sel:WORD_1");
        fsattn_text_puts(text, c->in[1] != '_' ? " src1_sel:BYTE_2" : "");
    }
    fsattn_text_puts(text, "\n");
}

/* ---- running ---- */

static sim_wave *conf_wave;
static int conf_failures;

static uint64_t conf_signed(char type, int k, uint64_t bits) {
    const uint64_t sign = type == 'd' ? UINT64_C(1) << 63 : type == 'f' ? 1u << 31 : 1u << 15;
    return k == 1 ? bits & ~sign : bits ^ sign;
}
static bool conf_is_nan(char type, uint64_t bits) {
    return type == 'f' ? isnan(conf_f(bits)) : type == 'd' ? isnan(conf_d(bits)) : type == 'h' ? isnan(conf_h(bits)) : false;
}
static bool conf_equal(const conf_case *c, uint64_t got, uint64_t expected, uint64_t old) {
    if (c->out == 'h' || c->out == 'w') { /* the upper half becomes 0 or is kept */
        if (got >> 16 && got >> 16 != (old >> 16 & 0xffff)) {
            return false;
        }
        got &= 0xffff;
        expected &= 0xffff;
    }
    if (c->out == 'B') { /* a half of BF16 is the upper part of a float */
        const bool low = (got ^ expected) & 0xffff && !(conf_is_nan('f', got << 16) && conf_is_nan('f', expected << 16));
        return !low && ((got ^ expected) < 0x10000 || (conf_is_nan('f', got & 0xffff0000) && conf_is_nan('f', expected & 0xffff0000)));
    }
    if (c->out == 'p' || c->out == 'F') {
        const char half = c->out == 'p' ? 'h' : 'f';
        const int bits = c->out == 'p' ? 16 : 32;
        const uint64_t mask = (UINT64_C(1) << bits) - 1;
        for (int k = 0; k < 2; k++) {
            const uint64_t x = got >> k * bits & mask, y = expected >> k * bits & mask;
            if (x != y && !(conf_is_nan(half, x) && conf_is_nan(half, y))) {
                return false;
            }
        }
        return true;
    }
    if (got == expected || (conf_is_nan(c->out, got) && conf_is_nan(c->out, expected))) {
        return true;
    }
    if (c->ulps < 0) {
        return fabsf(conf_f(got) - conf_f(expected)) <= 0x1p-22f;
    }
    const uint64_t apart = got > expected ? got - expected : expected - got;
    return c->ulps && !conf_is_nan(c->out, got) && !conf_is_nan(c->out, expected) && apart <= (uint64_t)c->ulps;
}
static uint64_t conf_clamped(char type, uint64_t bits) {
    const double x = type == 'f' ? (double)conf_f(bits) : type == 'd' ? conf_d(bits) : conf_h(bits);
    const double y = !(x > 0) ? 0 : x > 1 ? 1 : x;
    return type == 'f' ? conf_from_f((float)y) : type == 'd' ? conf_from_d(y) : conf_from_h(y);
}
/* Clamp of each half of a packed result. */
static uint64_t conf_clamp_all(char type, uint64_t bits) {
    if (type == 'p') {
        return conf_clamped('h', bits & 0xffff) | conf_clamped('h', bits >> 16) << 16;
    }
    return type == 'F' ? conf_clamped('f', bits & UINT32_MAX) | conf_clamped('f', bits >> 32) << 32 : conf_clamped(type, bits);
}

static void conf_fill(const conf_case *c, conf_variant variant, int round, uint32_t *seed, conf_lane x[64]) {
    for (uint32_t i = 0; i < 64; i++) {
        const uint32_t n = (uint32_t)round * 64 + i;
        const bool edges = round < conf_rounds - 3;
        uint64_t *sources[] = {&x[i].a, &x[i].b, &x[i].c};
        for (uint32_t k = 0; k < 3; k++) {
            /* 25: near the number of edges, so that two sources run through all pairs */
            *sources[k] = edges ? conf_edge(c->in[k], k == 0 ? n : k == 1 ? n / 25 : n * 7 + n / 64, seed) : conf_random(c->in[k], seed);
        }
        x[i].a = variant == CONF_SCALAR ? x[0].a : x[i].a;
        x[i].old = conf_words(c->out) == 2 ? (uint64_t)conf_word(seed) << 32 | conf_word(seed) : conf_random(c->out == '_' ? 'i' : c->out, seed);
        x[i].carry = sim_device_random(seed) & 1;
        x[i].number = i;
        x[i].d = x[i].bit = 0;
    }
}
static void conf_load(const conf_case *c, conf_variant variant, const conf_lane x[64], uint64_t exec) {
    sim_wave *w = conf_wave;
    uint64_t vcc = 0;
    for (int i = 0; i < 64; i++) {
        const uint64_t sources[] = {x[i].a, x[i].b, x[i].c};
        for (int k = 0; k < 3; k++) {
            const int reg = conf_src + k * conf_src_step + (c->flags & CONF_ACC_IN ? sim_agpr : 0);
            w->v[reg][i] = (uint32_t)sources[k];
            w->v[reg + 1][i] = (uint32_t)(sources[k] >> 32);
        }
        const int to = conf_dst + (c->flags & CONF_ACC_OUT ? sim_agpr : 0);
        w->v[to][i] = (uint32_t)x[i].old;
        w->v[to + 1][i] = (uint32_t)(x[i].old >> 32);
        vcc |= (uint64_t)x[i].carry << i;
    }
    if (variant == CONF_SCALAR) {
        w->s[conf_scalar] = (uint32_t)x[0].a;
        w->s[conf_scalar + 1] = (uint32_t)(x[0].a >> 32);
    }
    w->s64[sim_vcc / 2] = vcc;
    w->s64[sim_exec / 2] = exec;
    w->mode = 0xf0;
    w->scc = 0;
    w->stop = SIM_RUNNING;
    w->fault[0] = '\0';
}
/* What the reference sees of lane i. */
static conf_lane conf_seen(const conf_case *c, conf_variant variant, const conf_lane x[64], int i) {
    conf_lane seen = x[i];
    if (variant == CONF_DPP) {
        seen.a = x[(i & ~15) | ((i - 3) & 15)].a;
    } else if (variant == CONF_SDWA) {
        seen.a = x[i].a >> 16 & 0xffff;
        seen.b = x[i].b >> 16 & 0xff;
    } else if (variant == CONF_NEGATED) {
        uint64_t *sources[] = {&seen.a, &seen.b, &seen.c};
        for (int k = 0; k < 3; k++) {
            *sources[k] = strchr("fhd", c->in[k]) ? conf_signed(c->in[k], k, *sources[k]) : *sources[k];
        }
    }
    return seen;
}
static void conf_complain(const conf_case *c, conf_variant variant, const char *text, const conf_lane *x, int lane, uint64_t got,
                          uint64_t expected) {
    static const conf_case *last;
    static int shown;
    shown = c == last ? shown + 1 : 0;
    last = c;
    conf_failures++;
    cr_expect(shown >= 2, "%s (%s): lane %d, a %llx b %llx c %llx old %llx carry %u: %llx, not %llx", text, conf_variant_names[variant],
              lane, (unsigned long long)x->a, (unsigned long long)x->b, (unsigned long long)x->c, (unsigned long long)x->old, x->carry,
              (unsigned long long)got, (unsigned long long)expected);
}
static void conf_round(const conf_case *c, conf_variant variant, const sim_instruction *in, int round, uint32_t *seed) {
    conf_lane x[64];
    sim_wave *w = conf_wave;
    const uint64_t exec = variant == CONF_DPP || round % 2 == 0 ? UINT64_MAX : 0xfedcba9876543210u;
    conf_fill(c, variant, round, seed, x);
    conf_load(c, variant, x, exec);
    in->run(w, in);
    cr_assert_neq(w->stop, SIM_FAULTED, "%s: %s", in->text, w->fault);
    for (int i = 0; i < 64; i++) {
        conf_lane seen = conf_seen(c, variant, x, i);
        const bool active = exec >> i & 1;
        const int from = conf_dst + (c->flags & CONF_ACC_OUT ? sim_agpr : 0);
        const uint64_t high = conf_words(c->out) == 2 ? (uint64_t)w->v[from + 1][i] << 32 : 0;
        c->reference(&seen);
        if (!(c->flags & CONF_COMPARE)) {
            const uint64_t got = high | w->v[from][i], old = conf_words(c->out) == 2 ? x[i].old : x[i].old & UINT32_MAX;
            const uint64_t expected = !active ? old : variant == CONF_CLAMPED ? conf_clamp_all(c->out, seen.d) : seen.d;
            if (active ? !conf_equal(c, got, expected, x[i].old) : got != expected) {
                conf_complain(c, variant, in->text, &seen, i, got, expected);
            }
        }
        if (c->flags & (CONF_BIT_OUT | CONF_COMPARE)) {
            const uint64_t bit = w->s64[sim_vcc / 2] >> i & 1, expected = active && (seen.bit & 1);
            if (bit != expected) {
                conf_complain(c, variant, in->text, &seen, i, bit, expected);
            }
        }
    }
    if ((c->flags & CONF_EXEC) && w->s64[sim_exec / 2] != w->s64[sim_vcc / 2]) {
        conf_complain(c, variant, in->text, &x[0], -1, w->s64[sim_exec / 2], w->s64[sim_vcc / 2]);
    }
}

#endif
