/* Cases that are none of the others': division helpers, reduction of angles, mixed precision, constants within an instruction; and
 * short programs for what only moves the program along. ISA manual, chapters 4, 5 and 12. */
#ifndef CONFORMANCE_OTHER_H
#define CONFORMANCE_OTHER_H

#include "conformance_matrix.h"

/* ---- division: fixup is the manual's; fmas is held by the quotient that all of them make together ---- */

static double ref_fixup(double q, double denominator, double numerator, int bias, int least) {
    const double sign = signbit(denominator) != signbit(numerator) ? -1 : 1;
    if (isnan(numerator)) return numerator;
    if (isnan(denominator)) return denominator;
    if ((denominator == 0 && numerator == 0) || (isinf(denominator) && isinf(numerator))) return NAN;
    if (denominator == 0 || isinf(numerator)) return sign * INFINITY;
    if (isinf(denominator) || numerator == 0) return sign * 0.0;
    const int n = ref_exponent(numerator) + bias - 1, d = ref_exponent(denominator) + bias - 1;
    return (n < 0 ? 0 : n) - (d < 0 ? 0 : d) < least ? sign * 0.0 : sign * fabs(q);
}
static void ref_fixup_f32(conf_lane *x) { x->d = conf_from_f((float)ref_fixup((double)conf_f(x->a), (double)conf_f(x->b), (double)conf_f(x->c), 127, -150)); }
static void ref_fixup_f64(conf_lane *x) { x->d = conf_from_d(ref_fixup(conf_d(x->a), conf_d(x->b), conf_d(x->c), 1023, -1075)); }
static void ref_fixup_f16(conf_lane *x) { x->d = conf_from_h(ref_fixup(conf_h(x->a), conf_h(x->b), conf_h(x->c), 15, -1000)); }

/* ---- a half or a float by op_sel_hi; op_sel picks the half ---- */
static double ref_mixed(uint64_t bits, bool half, bool high) { return half ? conf_h(high ? bits >> 16 : bits) : (double)conf_f(bits); }
static float ref_mix(const conf_lane *x) { /* op_sel:[0,0,1] op_sel_hi:[1,0,1] */
    return fmaf((float)ref_mixed(x->a, true, false), (float)ref_mixed(x->b, false, false), (float)ref_mixed(x->c, true, true));
}
static void ref_mix_f32(conf_lane *x) { x->d = conf_from_f(ref_mix(x)); }
static void ref_mix_low(conf_lane *x) { x->d = conf_from_h((double)ref_mix(x)) | (x->old & 0xffff0000); }
static void ref_mix_high(conf_lane *x) { x->d = conf_from_h((double)ref_mix(x)) << 16 | (x->old & 0xffff); }

/* ---- scaling before a division, and whether its quotient is to be scaled back. Where the manual's text cannot divide (a denominator near
 * the top) AMD's later manuals are followed: down, not up ---- */
typedef struct ref_division {
    int bias, apart, least, scale, mantissa;
    double smallest;
} ref_division;
static bool ref_denormal(double x, const ref_division *r) { return x != 0 && fabs(x) < r->smallest; }
static int ref_biased(double x, const ref_division *r) { return x == 0 || ref_denormal(x, r) ? 0 : ref_exponent(x) + r->bias - 1; }
static double ref_scale(conf_lane *x, double value, double denominator, double numerator, const ref_division *r) {
    const int apart = ref_biased(numerator, r) - ref_biased(denominator, r);
    const bool inverse = ref_denormal(1 / denominator, r), quotient = ref_denormal(numerator / denominator, r) || apart < r->least;
    x->bit = 0;
    if (denominator == 0 || numerator == 0) return NAN;
    if (!isfinite(denominator) || !isfinite(numerator)) return value;
    x->bit = apart >= r->apart;
    if (x->bit) return value == denominator ? ldexp(value, r->scale) : value;
    if (ref_denormal(denominator, r)) return ldexp(value, r->scale);
    x->bit = quotient;
    if (inverse) return !quotient || value == denominator ? ldexp(value, -r->scale) : value;
    if (quotient) return value == numerator ? ldexp(value, r->scale) : value;
    return ref_biased(numerator, r) <= r->mantissa ? ldexp(value, r->scale) : value;
}
static const ref_division ref_single = {127, 96, -1000, 64, 23, 0x1p-126}, ref_double = {1023, 768, -1023, 128, 53, 0x1p-1022};
static void ref_scale_f32(conf_lane *x) {
    x->d = conf_from_f((float)ref_scale(x, (double)conf_f(x->a), (double)conf_f(x->b), (double)conf_f(x->c), &ref_single));
}
static void ref_scale_f64(conf_lane *x) { x->d = conf_from_d(ref_scale(x, conf_d(x->a), conf_d(x->b), conf_d(x->c), &ref_double)); }
#define MIX " op_sel:[0,0,1] op_sel_hi:[1,0,1]"

static const conf_case other_cases[] = {
    {"v_div_fixup_f32", 'f', {'f', 'f', 'f'}, ref_fixup_f32, 0, CONF_CLAMP, NULL},
    {"v_div_fixup_f64", 'd', {'d', 'd', 'd'}, ref_fixup_f64, 0, CONF_CLAMP, NULL},
    {"v_div_fixup_f16", 'h', {'h', 'h', 'h'}, ref_fixup_f16, 0, 0, NULL},
    {"v_div_scale_f32", 'f', {'f', 'f', 'f'}, ref_scale_f32, 0, CONF_BIT_OUT | CONF_BARE, NULL},
    {"v_div_scale_f64", 'd', {'d', 'd', 'd'}, ref_scale_f64, 0, CONF_BIT_OUT | CONF_BARE, NULL},
    {"v_fma_mix_f32", 'f', {'f', 'f', 'f'}, ref_mix_f32, 0, CONF_BARE | CONF_CLAMP, MIX},
    {"v_fma_mixlo_f16", 'p', {'f', 'f', 'f'}, ref_mix_low, 0, CONF_BARE, MIX},
    {"v_fma_mixhi_f16", 'p', {'f', 'f', 'f'}, ref_mix_high, 0, CONF_BARE, MIX},
};

/* ---- constants within: D = a * K + b, D = a * b + K ---- */
static void ref_fmamk(conf_lane *x) { x->d = conf_from_f(fmaf(conf_f(x->a), 3.25f, conf_f(x->b))); }
static void ref_fmaak(conf_lane *x) { x->d = conf_from_f(fmaf(conf_f(x->a), conf_f(x->b), 3.25f)); }
static const struct written_case {
    conf_case c;
    const char *text;
} written_cases[] = {
    {{"v_fmamk_f32", 'f', {'f', 'f', '_'}, ref_fmamk, 0, 0, NULL}, "v_fmamk_f32 v64, v16, 0x40500000, v24"},
    {{"v_fmaak_f32", 'f', {'f', 'f', '_'}, ref_fmaak, 0, 0, NULL}, "v_fmaak_f32 v64, v16, v24, 0x40500000"},
};

/* ---- 2/pi, 53 bits a step ---- */
static void trig_run(const void *of, int variant, const sim_instruction *in) {
    (void)of;
    (void)variant;
    for (uint32_t step = 0; step < 3; step++) {
        for (int i = 0; i < 64; i++) { /* |a| below 2^54: nothing is shifted */
            const uint64_t a = conf_from_d(ldexp(1.5, i - 10));
            conf_wave->v[16][i] = (uint32_t)a;
            conf_wave->v[17][i] = (uint32_t)(a >> 32);
            conf_wave->v[24][i] = step;
        }
        conf_wave->s64[sim_exec / 2] = UINT64_MAX;
        in->run(conf_wave, in);
        static const double parts[] = {0x1.45f306dc9c882p-1, 0x1.4a7f09d5f47d4p-54, 0x1.a6ee06db14accp-107};
        const double got = conf_d((uint64_t)conf_wave->v[65][7] << 32 | conf_wave->v[64][7]);
        if (got != parts[step]) {
            conf_failures++;
            cr_expect_fail("%s: step %u is %a, not %a", in->text, step, got, parts[step]);
        }
    }
}

/* ---- a program: where it has been is in s30; a call, a barrier, MODE, registers by M0, what has no effect here, the end ---- */

static const char flow_text[] =
    "s_mov_b32 s30, 0\ns_cmp_eq_u32 s30, 0\n"
    "s_cbranch_scc1 1f\ns_or_b32 s30, s30, 1\n1: s_cbranch_scc0 1f\ns_or_b32 s30, s30, 2\n1: s_mov_b64 vcc, 0\n"
    "s_cbranch_vccz 1f\ns_or_b32 s30, s30, 4\n1: s_cbranch_vccnz 1f\ns_or_b32 s30, s30, 8\n1: s_mov_b64 exec, 0\n"
    "s_cbranch_execz 1f\ns_or_b32 s30, s30, 16\n1: s_cbranch_execnz 1f\ns_or_b32 s30, s30, 32\n1: s_mov_b64 exec, -1\n"
    "s_branch 1f\ns_or_b32 s30, s30, 64\n1: s_getpc_b64 s[32:33]\n" /* + 16: behind the or */
    "s_add_u32 s32, s32, 20\ns_addc_u32 s33, s33, 0\ns_setpc_b64 s[32:33]\ns_or_b32 s30, s30, 0x80\n"
    "s_getpc_b64 s[32:33]\n"
    "s_add_u32 s32, s32, 24\ns_addc_u32 s33, s33, 0\ns_swappc_b64 s[34:35], s[32:33]\ns_or_b32 s30, s30, 0x200\ns_branch 1f\n"
    "s_or_b32 s30, s30, 0x100\ns_setpc_b64 s[34:35]\n1: v_nop\ns_nop 0\ns_sleep 1\ns_setprio 1\ns_sethalt 0\ns_wakeup\n"
    "s_memtime s[54:55]\ns_memrealtime s[56:57]\ns_icache_inv\ns_dcache_inv\ns_dcache_wb\nbuffer_wbl2 sc1\nbuffer_inv sc1\ns_waitcnt vmcnt(0) lgkmcnt(0)\ns_mov_b32 s37, 0\n"
    "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1\ns_barrier\ns_setreg_b32 hwreg(HW_REG_MODE, 23, 1), s37\n"
    "s_mov_b32 s41, 0x1234\ns_mov_b32 s43, 0x5678\ns_mov_b32 m0, 3\ns_nop 0\ns_movrels_b32 s36, s38\ns_movreld_b32 s39, s36\n" /* s36 <- s41, s42 <- s36 */
    "s_mov_b32 m0, 2\ns_nop 0\ns_movrels_b64 s[44:45], s[40:41]\ns_movreld_b64 s[46:47], s[44:45]\n" /* s[44:45] <- s[42:43], s[48:49] <- s[44:45] */
    "s_set_gpr_idx_on s36, gpr_idx(SRC0,DST)\ns_mov_b32 s50, m0\ns_set_gpr_idx_idx s43\ns_mov_b32 s51, m0\n"
    "s_set_gpr_idx_mode gpr_idx(SRC1)\ns_mov_b32 s52, m0\ns_set_gpr_idx_off\ns_endpgm\ns_trap 2\n"
    "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), 1\ns_setreg_imm32_b32 hwreg(HW_REG_MODE, 28, 1), 1\n"; /* rounding, VSKIP */
enum { flow_max = 128 };
/* Runs it from instruction `first` on; the mnemonics that it has come by. */
static size_t flow_run(const sim_program *program, size_t first, const char *visited[flow_max]) {
    sim_wave *w = conf_wave;
    size_t count = 0;
    w->pc = (uint32_t)first;
    w->image = 0;
    w->stop = SIM_RUNNING;
    w->mode = 0xf0;
    w->executed = 48;
    while (w->stop == SIM_RUNNING && count < flow_max - 1) {
        const sim_instruction *in = &program->instructions[w->pc++];
        cr_assert_not_null(in->row, "%s", in->text);
        visited[count++] = in->row->mnemonic;
        in->run(w, in);
        if (w->stop == SIM_AT_BARRIER) {
            cr_expect_eq(w->mode, 0xf0u | sim_mode_fp16_ovfl);
            w->stop = SIM_RUNNING;
        }
    }
    cr_expect_eq(w->stop, SIM_ENDED, "%s", w->fault);
    cr_expect_eq(w->s[30], 0x200u | 0x100 | 32 | 8 | 2, "been at %x", w->s[30]);
    cr_expect_eq(w->mode, 0xf0u);
    static const struct {
        int reg;
        uint32_t value;
    } moved[] = {{36, 0x1234}, {42, 0x1234}, {44, 0x1234}, {45, 0x5678}, {48, 0x1234}, {49, 0x5678}, {50, 0x9034}, {51, 0x9078}, {52, 0x2078},
                 {54, 48 * 4}, {55, 0}, {56, 48 * 4 / 24}, {57, 0}};
    for (size_t i = 0; i < CONF_COUNT(moved); i++) {
        cr_expect_eq(w->s[moved[i].reg], moved[i].value, "s%d is %x", moved[i].reg, w->s[moved[i].reg]);
    }
    cr_expect(!w->gpr_index);
    const sim_instruction *trap = &program->instructions[w->pc];
    visited[count++] = trap->row->mnemonic;
    w->stop = SIM_RUNNING;
    trap->run(w, trap);
    cr_expect_eq(w->stop, SIM_FAULTED);
    for (uint32_t i = 1; i <= 2; i++) { /* not simulated */
        w->stop = SIM_RUNNING;
        w->fault[0] = '\0';
        trap[i].run(w, &trap[i]);
        cr_expect(w->stop == SIM_FAULTED && strstr(w->fault, "only FP16_OVFL may change"), "%s: %s", trap[i].text, w->fault);
    }
    return count;
}

#endif
