/* Cases of scalar instructions: ISA manual, chapter 5. `carry` and `bit` of a lane are SCC before and after, `c` is EXEC. */
#ifndef CONFORMANCE_SCALAR_H
#define CONFORMANCE_SCALAR_H

#include "conformance_vector.h"

enum { SCALAR_READS_DESTINATION = 1 };
typedef struct scalar_case {
    const char *mnemonic;
    char out, in[2]; /* i 32 bits, l 64 bits, n a 16-bit constant, _ absent */
    conf_reference *reference;
} scalar_case;

static uint64_t ref_run64(uint64_t a, bool ones) { return ones ? a : ~a; }
static uint32_t ref_extract(uint32_t a, uint32_t field, bool sign) {
    const __int128 wide = field >> 16 & 127, width = wide > 100 ? 100 : wide, mask = ((__int128)1 << width) - 1;
    __int128 r = ((sign ? (__int128)(int32_t)a : (__int128)a) >> field % 32) & mask;
    r = sign && width && (r >> (width - 1) & 1) ? r - ((__int128)1 << width) : r;
    return (uint32_t)r;
}
static uint64_t ref_extract64(uint64_t a, uint32_t field, bool sign) {
    const int width = (int)(field >> 16 & 127), offset = (int)(field % 64);
    uint64_t r = 0;
    for (int i = 0; i < width && i < 64; i++) {
        const int at = offset + i;
        r |= (at < 64 ? a >> at & 1 : sign ? a >> 63 : 0) << i;
    }
    return sign && width && width < 64 && (r >> (width - 1) & 1) ? r | UINT64_MAX << width : r;
}
static uint64_t ref_quads(uint64_t a) {
    uint64_t r = 0;
    for (int i = 0; i < 64; i += 4) r |= a >> i & 15 ? UINT64_C(15) << i : 0;
    return r;
}
static uint64_t ref_reverse64(uint64_t a) {
    uint64_t r = 0;
    for (int i = 0; i < 64; i++) r |= (a >> i & 1) << (63 - i);
    return r;
}
#define SCC(e) x->bit = (e)
#define SUM(T, e) ((T)(e) != (__int128)(e))
/* X(name, destination, sources, result, SCC: a statement) */
#define SCALAR_CASES(X)                                                                                      \
    X(s_add_u32, i, i, i, a + b, SCC((uint64_t)a + b > UINT32_MAX))                                          \
    X(s_sub_u32, i, i, i, a - b, SCC(b > a))                                                                 \
    X(s_addc_u32, i, i, i, a + b + x->carry, SCC((uint64_t)a + b + x->carry > UINT32_MAX))                   \
    X(s_subb_u32, i, i, i, a - b - x->carry, SCC((uint64_t)b + x->carry > a))                                \
    X(s_add_i32, i, s, s, (int64_t)a + b, SCC(SUM(int32_t, (int64_t)a + b)))                                 \
    X(s_sub_i32, i, s, s, (int64_t)a - b, SCC(SUM(int32_t, (int64_t)a - b)))                                 \
    X(s_min_i32, i, s, s, a < b ? a : b, SCC(a < b))                                                         \
    X(s_max_i32, i, s, s, a > b ? a : b, SCC(a > b))                                                         \
    X(s_min_u32, i, i, i, a < b ? a : b, SCC(a < b))                                                         \
    X(s_max_u32, i, i, i, a > b ? a : b, SCC(a > b))                                                         \
    X(s_and_b32, i, i, i, a & b, SCC(x->d != 0))                                                             \
    X(s_or_b32, i, i, i, a | b, SCC(x->d != 0))                                                              \
    X(s_xor_b32, i, i, i, (a | b) & ~(a & b), SCC(x->d != 0))                                                \
    X(s_andn2_b32, i, i, i, a & ~b, SCC(x->d != 0))                                                          \
    X(s_orn2_b32, i, i, i, a | ~b, SCC(x->d != 0))                                                           \
    X(s_nand_b32, i, i, i, ~a | ~b, SCC(x->d != 0))                                                          \
    X(s_nor_b32, i, i, i, ~a & ~b, SCC(x->d != 0))                                                           \
    X(s_xnor_b32, i, i, i, (a & b) | (~a & ~b), SCC(x->d != 0))                                              \
    X(s_lshl_b32, i, i, i, (uint64_t)a << b % 32, SCC(x->d != 0))                                            \
    X(s_lshr_b32, i, i, i, a >> b % 32, SCC(x->d != 0))                                                      \
    X(s_ashr_i32, i, s, i, (int64_t)a >> b % 32, SCC(x->d != 0))                                             \
    X(s_bfm_b32, i, i, i, (uint64_t)ref_ones_low(a % 32) << b % 32, (void)0)                                 \
    X(s_mul_i32, i, s, s, (int64_t)a * b, (void)0)                                                           \
    X(s_mul_hi_u32, i, i, i, (uint64_t)a * b >> 32, (void)0)                                                 \
    X(s_mul_hi_i32, i, s, s, ((int64_t)a * b) >> 32, (void)0)                                                \
    X(s_cselect_b32, i, i, i, x->carry ? a : b, (void)0)                                                     \
    X(s_absdiff_i32, i, s, s, llabs((int64_t)a - b), SCC(x->d != 0))                                         \
    X(s_lshl1_add_u32, i, i, i, (uint64_t)a * 2 + b, SCC((uint64_t)a * 2 + b > UINT32_MAX))                  \
    X(s_lshl2_add_u32, i, i, i, (uint64_t)a * 4 + b, SCC((uint64_t)a * 4 + b > UINT32_MAX))                  \
    X(s_lshl3_add_u32, i, i, i, (uint64_t)a * 8 + b, SCC((uint64_t)a * 8 + b > UINT32_MAX))                  \
    X(s_lshl4_add_u32, i, i, i, (uint64_t)a * 16 + b, SCC((uint64_t)a * 16 + b > UINT32_MAX))                \
    X(s_pack_ll_b32_b16, i, i, i, a % 65536 + b % 65536 * 65536, (void)0)                                    \
    X(s_pack_lh_b32_b16, i, i, i, a % 65536 + b / 65536 * 65536, (void)0)                                    \
    X(s_pack_hh_b32_b16, i, i, i, a / 65536 + b / 65536 * 65536, (void)0)                                    \
    X(s_bfe_u32, i, i, i, ref_extract(a, b, false), SCC(x->d != 0))                                          \
    X(s_bfe_i32, i, i, i, ref_extract(a, b, true), SCC(x->d != 0))                                           \
    X(s_and_b64, l, l, l, a & b, SCC(x->d != 0))                                                             \
    X(s_or_b64, l, l, l, a | b, SCC(x->d != 0))                                                              \
    X(s_xor_b64, l, l, l, (a | b) & ~(a & b), SCC(x->d != 0))                                                \
    X(s_andn2_b64, l, l, l, a & ~b, SCC(x->d != 0))                                                          \
    X(s_orn2_b64, l, l, l, a | ~b, SCC(x->d != 0))                                                           \
    X(s_nand_b64, l, l, l, ~a | ~b, SCC(x->d != 0))                                                          \
    X(s_nor_b64, l, l, l, ~a & ~b, SCC(x->d != 0))                                                           \
    X(s_xnor_b64, l, l, l, (a & b) | (~a & ~b), SCC(x->d != 0))                                              \
    X(s_cselect_b64, l, l, l, x->carry ? a : b, (void)0)                                                     \
    X(s_lshl_b64, l, l, i, a << b % 64, SCC(x->d != 0))                                                      \
    X(s_lshr_b64, l, l, i, a >> b % 64, SCC(x->d != 0))                                                      \
    X(s_ashr_i64, l, m, i, (__int128)a >> b % 64, SCC(x->d != 0))                                            \
    X(s_bfe_u64, l, l, i, ref_extract64(a, b, false), SCC(x->d != 0))                                        \
    X(s_bfe_i64, l, l, i, ref_extract64(a, b, true), SCC(x->d != 0))                                         \
    X(s_bfm_b64, l, i, i, ((UINT64_C(1) << a % 64) - 1) << b % 64, (void)0)                                  \
    X(s_mov_b32, i, i, _, a, (void)0)                                                                        \
    X(s_not_b32, i, i, _, UINT32_MAX - a, SCC(x->d != 0))                                                    \
    X(s_brev_b32, i, i, _, ref_reverse(a), (void)0)                                                          \
    X(s_abs_i32, i, s, _, llabs((int64_t)a), SCC(x->d != 0))                                                 \
    X(s_bcnt1_i32_b32, i, i, _, ref_ones(a), SCC(x->d != 0))                                                 \
    X(s_bcnt0_i32_b32, i, i, _, 32 - ref_ones(a), SCC(x->d != 0))                                            \
    X(s_ff1_i32_b32, i, i, _, ref_trailing(a, 32), (void)0)                                                  \
    X(s_ff0_i32_b32, i, i, _, ref_trailing(UINT32_MAX - a, 32), (void)0)                                     \
    X(s_flbit_i32_b32, i, i, _, ref_leading(a, 32), (void)0)                                                 \
    X(s_flbit_i32, i, i, _, ref_sign_run(a), (void)0)                                                        \
    X(s_sext_i32_i8, i, i, _, (int64_t)(a % 256) - (a & 128 ? 256 : 0), (void)0)                             \
    X(s_sext_i32_i16, i, i, _, (int64_t)(a % 65536) - (a & 32768 ? 65536 : 0), (void)0)                      \
    X(s_bitset0_b32, i, i, _, (uint32_t)x->old & ~(1u << a % 32), (void)0)                                   \
    X(s_bitset1_b32, i, i, _, (uint32_t)x->old | 1u << a % 32, (void)0)                                      \
    X(s_cmov_b32, i, i, _, x->carry ? a : (uint32_t)x->old, (void)0)                                         \
    X(s_movk_i32, i, n, _, a, (void)0)                                                                       \
    X(s_cmovk_i32, i, n, _, x->carry ? (uint32_t)a : (uint32_t)x->old, (void)0)                              \
    X(s_mulk_i32, i, n, _, (int64_t)(int32_t)x->old * a, (void)0)                                            \
    X(s_addk_i32, i, n, _, (int64_t)(int32_t)x->old + a, SCC(SUM(int32_t, (int64_t)(int32_t)x->old + a)))    \
    X(s_mov_b64, l, l, _, a, (void)0)                                                                        \
    X(s_not_b64, l, l, _, UINT64_MAX - a, SCC(x->d != 0))                                                    \
    X(s_wqm_b64, l, l, _, ref_quads(a), SCC(x->d != 0))                                                      \
    X(s_brev_b64, l, l, _, ref_reverse64(a), (void)0)                                                        \
    X(s_cmov_b64, l, l, _, x->carry ? a : x->old, (void)0)                                                   \
    X(s_bcnt1_i32_b64, i, l, _, ref_ones(a), SCC(x->d != 0))                                                 \
    X(s_bcnt0_i32_b64, i, l, _, ref_ones(ref_run64(a, false)), SCC(x->d != 0))                               \
    X(s_ff1_i32_b64, i, l, _, ref_trailing(a, 64), (void)0)                                                  \
    X(s_ff0_i32_b64, i, l, _, ref_trailing(~a, 64), (void)0)                                                 \
    X(s_flbit_i32_b64, i, l, _, ref_leading(a, 64), (void)0)                                                 \
    X(s_and_saveexec_b64, l, l, _, x->c, (x->c &= a, SCC(x->c != 0)))                                        \
    X(s_or_saveexec_b64, l, l, _, x->c, (x->c |= a, SCC(x->c != 0)))                                         \
    X(s_xor_saveexec_b64, l, l, _, x->c, (x->c ^= a, SCC(x->c != 0)))                                        \
    X(s_andn2_saveexec_b64, l, l, _, x->c, (x->c = a & ~x->c, SCC(x->c != 0)))                               \
    X(s_orn2_saveexec_b64, l, l, _, x->c, (x->c = a | ~x->c, SCC(x->c != 0)))                                \
    X(s_andn1_saveexec_b64, l, l, _, x->c, (x->c = ~a & x->c, SCC(x->c != 0)))                               \
    X(s_orn1_saveexec_b64, l, l, _, x->c, (x->c = ~a | x->c, SCC(x->c != 0)))                                \
    X(s_nand_saveexec_b64, l, l, _, x->c, (x->c = ~(a & x->c), SCC(x->c != 0)))                              \
    X(s_nor_saveexec_b64, l, l, _, x->c, (x->c = ~(a | x->c), SCC(x->c != 0)))                               \
    X(s_xnor_saveexec_b64, l, l, _, x->c, (x->c = ~(a ^ x->c), SCC(x->c != 0)))                              \
    X(s_andn1_wrexec_b64, l, l, _, ~a & x->c, (x->c = x->d, SCC(x->c != 0)))                                 \
    X(s_andn2_wrexec_b64, l, l, _, a & ~x->c, (x->c = x->d, SCC(x->c != 0)))                                 \
    X(s_cmp_eq_u64, _, l, l, 0, SCC(a == b))                                                                 \
    X(s_cmp_lg_u64, _, l, l, 0, SCC(a != b))                                                                 \
    X(s_bitcmp0_b32, _, i, i, 0, SCC((a & 1u << b % 32) == 0))                                               \
    X(s_bitcmp1_b32, _, i, i, 0, SCC((a & 1u << b % 32) != 0))
#define SCALAR_COMPARISONS(X, name, operator)                                                                \
    X(s_cmp_##name##_i32, _, s, s, 0, SCC(a operator b))                                                     \
    X(s_cmp_##name##_u32, _, i, i, 0, SCC(a operator b))                                                     \
    X(s_cmpk_##name##_i32, _, s, n, 0, SCC(a operator b))                                                    \
    X(s_cmpk_##name##_u32, _, i, u, 0, SCC(a operator b))
#define ALL_SCALAR_COMPARISONS(X)                                                                            \
    SCALAR_COMPARISONS(X, eq, ==) SCALAR_COMPARISONS(X, lg, !=) SCALAR_COMPARISONS(X, gt, >) SCALAR_COMPARISONS(X, ge, >=) \
    SCALAR_COMPARISONS(X, lt, <) SCALAR_COMPARISONS(X, le, <=)
#define CONF_IN_n(v) const int32_t v = (int16_t)x->v; (void)v;
#define CONF_IN_u(v) const uint32_t v = (uint16_t)x->v; (void)v;
#define CONF_TYPE_n 'n'
#define CONF_TYPE_u 'n'
#undef CONF_OUT__
#define CONF_OUT__(e) x->d = 0
#define SCALAR_FUNCTION(name, O, A, B, result, after)                                                        \
    static void ref_##name(conf_lane *x) {                                                                   \
        CONF_IN_##A(a) CONF_IN_##B(b) CONF_OUT_##O(result);                                                  \
        after;                                                                                               \
    }
#define SCALAR_ROW(name, O, A, B, result, after) {#name, CONF_TYPE_##O, {CONF_TYPE_##A, CONF_TYPE_##B}, ref_##name},
SCALAR_CASES(SCALAR_FUNCTION)
ALL_SCALAR_COMPARISONS(SCALAR_FUNCTION)
static const scalar_case scalar_cases[] = {SCALAR_CASES(SCALAR_ROW) ALL_SCALAR_COMPARISONS(SCALAR_ROW)};

/* Constants that stand in the text: an instruction with one is there once for each. */
static const int scalar_constants[] = {5, 0x7fff, -3};
enum { scalar_dst = 64, scalar_a = 16, scalar_b = 24 };

static int scalar_texts(const scalar_case *c) {
    return c->in[0] == 'n' || c->in[1] == 'n' ? (int)CONF_COUNT(scalar_constants) : 1;
}
static void scalar_write(fsattn_text *text, const scalar_case *c, int variant) {
    const char types[] = {c->out, c->in[0], c->in[1]};
    const int regs[] = {scalar_dst, scalar_a, scalar_b};
    const char *between = " ";
    fsattn_text_puts(text, c->mnemonic);
    for (int k = 0; k < 3; k++) {
        if (types[k] == 'n') {
            const bool is_unsigned = strstr(c->mnemonic, "_u32") != NULL;
            fsattn_text_printf(text, "%s%d", between, is_unsigned ? scalar_constants[variant] & 0xffff : scalar_constants[variant]);
        } else if (types[k] != '_') {
            fsattn_text_puts(text, between);
            conf_register(text, 's', regs[k], types[k]);
        } else {
            continue;
        }
        between = ", ";
    }
    fsattn_text_puts(text, "\n");
}
static void scalar_put(int reg, uint64_t value) {
    conf_wave->s[reg] = (uint32_t)value;
    conf_wave->s[reg + 1] = (uint32_t)(value >> 32);
}
static void scalar_run(const scalar_case *c, int variant, const sim_instruction *in) {
    uint32_t seed = 1;
    sim_wave *w = conf_wave;
    for (uint32_t n = 0; n < 700; n++) {
        const bool edges = n < 500;
        uint64_t value[2];
        for (int k = 0; k < 2; k++) {
            const char type = c->in[k];
            value[k] = type == 'n'                ? (uint64_t)(int64_t)scalar_constants[variant]
                       : edges && type != '_'     ? conf_edge(type, k ? n / 20 : n, &seed)
                                                  : conf_random(type == '_' ? 'i' : type, &seed);
        }
        if (!edges && strstr(c->mnemonic, "s_bfe")) { /* fields that make sense */
            value[1] = sim_device_random(&seed) % 64 | (uint64_t)(sim_device_random(&seed) % 65) << 16;
        }
        conf_lane x = {.a = value[0], .b = value[1], .c = conf_random('l', &seed), .old = conf_random('l', &seed), .carry = n & 1, .bit = n & 1};
        scalar_put(scalar_a, x.a);
        scalar_put(scalar_b, x.b);
        scalar_put(scalar_dst, x.old);
        scalar_put(sim_exec, x.c);
        w->scc = x.carry;
        w->stop = SIM_RUNNING;
        const conf_lane before = x;
        in->run(w, in);
        c->reference(&x);
        const uint64_t got = w->s[scalar_dst] | (uint64_t)(c->out == 'l' ? w->s[scalar_dst + 1] : 0) << 32;
        const bool equal = c->out == '_' || got == (c->out == 'l' ? x.d : x.d & UINT32_MAX);
        if (!equal || w->scc != x.bit || w->s64[sim_exec / 2] != x.c || w->stop != SIM_RUNNING) {
            conf_failures++;
            cr_expect_fail("%s: a %llx b %llx exec %llx scc %u: %llx scc %u, not %llx %u", in->text, (unsigned long long)before.a,
                           (unsigned long long)before.b, (unsigned long long)before.c, before.carry, (unsigned long long)got, w->scc,
                           (unsigned long long)x.d, x.bit);
            return;
        }
    }
}

#endif
