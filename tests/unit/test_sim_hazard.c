/* Wait states between matrix instructions and whoever touches their registers: one too few is found and named, as many as the ISA
 * manual's Table 38 asks for pass. So do those of Table 11 between other instructions. */
#include "../support/sim_device.h"
#include "sim_hazard.h"
#include "sim_program.h"
#include "sim_states.h"
#include "text.h"

#include <math.h>

#define BF16_4 "v_mfma_f32_16x16x32_bf16 v[0:3], v[8:11], v[12:15], v[16:19]"
#define BF16_8 "v_mfma_f32_32x32x16_bf16 v[32:47], v[8:11], v[12:15], v[48:63]"
#define FP8_16 "v_mfma_f32_32x32x64_f8f6f4 v[32:47], v[8:15], v[16:23], v[48:63]"
#define FP4_8 "v_mfma_f32_32x32x64_f8f6f4 v[32:47], v[8:11], v[16:19], v[48:63] cbsz:4 blgp:4"
#define MIXED_16 "v_mfma_f32_32x32x64_f8f6f4 v[32:47], v[8:15], v[16:19], v[48:63] blgp:4"
#define F16_2 "v_mfma_f32_4x4x4_16b_f16 v[0:3], v[8:9], v[12:13], v[16:19]"
#define F64_16 "v_mfma_f64_16x16x4_f64 v[0:7], v[8:9], v[12:13], v[16:23]"
#define F64_4 "v_mfma_f64_4x4x4_4b_f64 v[0:1], v[8:9], v[12:13], v[16:17]"
#define F32_8 "v_mfma_f32_16x16x4_f32 v[0:3], v8, v9, v[16:19]"
#define SPARSE_4 "v_smfmac_f32_16x16x128_fp8_fp8 v[0:3], v[8:11], v[16:23], v24"
static const struct {
    const char *first, *second;
    unsigned needed;
    const char *reg; /* that the message names */
} cases[] = {
    {BF16_4, "v_add_f32_e32 v64, v3, v3", 8, "v3 is read"},
    {BF16_4, "v_mov_b32_e32 v0, v64", 8, "v0 is written"},
    {BF16_4, "v_fmac_f32_e32 v1, v64, v64", 8, "v1 is read"},
    {BF16_4, "global_store_dword v64, v2, s[2:3]", 8, "v2 is read"},
    {BF16_4, "global_load_dword v2, v64, s[2:3]", 0, NULL},
    {BF16_4, "ds_write_b32 v64, v1", 8, "v1 is read"},
    {BF16_4, "v_mfma_f32_16x16x32_bf16 v[64:67], v[0:3], v[12:15], v[16:19]", 8, "v0 is read"},
    {BF16_4, "v_mfma_f32_16x16x32_bf16 v[0:3], v[8:11], v[12:15], v[0:3]", 0, NULL},
    {BF16_4, "v_mfma_f32_32x32x16_bf16 v[64:79], v[8:11], v[12:15], v[0:15]", 6, "v0 is read"},
    {BF16_4, "v_mfma_f32_16x16x4_f32 v[64:67], v8, v9, v[2:5]", 6, "v2 is read"},
    {BF16_4, "v_smfmac_f32_16x16x128_fp8_fp8 v[64:67], v[8:11], v[16:23], v1", 8, "v1 is read"},
    {BF16_4, "v_mfma_scale_f32_16x16x128_f8f6f4 v[64:67], v[8:15], v[16:23], v[24:27], v3, v30", 8, "v3 is read"},
    {BF16_4, "v_mov_b32_e32 v19, v64", 3, "v19 is written"},
    {BF16_4, "v_add_f32_e32 v64, v19, v19", 0, NULL},
    {BF16_4, "v_add_f32_e32 v64, v4, v7", 0, NULL},
    {BF16_4, "s_add_u32 s4, s4, 1", 0, NULL},
    {BF16_8, "v_add_f32_e32 v64, v47, v1", 12, "v47 is read"},
    {BF16_8, "v_mfma_f32_32x32x16_bf16 v[34:49], v[8:11], v[12:15], v[34:49]", 10, "v34 is read"},
    {BF16_8, "v_mov_b32_e32 v48, v64", 7, "v48 is written"},
    {FP8_16, "v_add_f32_e32 v64, v32, v1", 19, "v32 is read"},
    {FP8_16, "v_accvgpr_write_b32 a0, v40", 19, "v40 is read"},
    {FP8_16, "v_mov_b32_e32 v63, v64", 15, "v63 is written"},
    {MIXED_16, "v_add_f32_e32 v64, v32, v1", 19, "v32 is read"},
    {FP4_8, "v_add_f32_e32 v64, v32, v1", 12, "v32 is read"},
    {F32_8, "v_add_f32_e32 v64, v3, v3", 10, "v3 is read"},
    {F32_8, "v_mfma_f32_32x32x16_bf16 v[64:79], v[8:11], v[12:15], v[0:15]", 0, NULL},
    {F32_8, "v_mfma_f32_16x16x4_f32 v[64:67], v8, v9, v[2:5]", 8, "v2 is read"},
    {F32_8, "v_mov_b32_e32 v16, v64", 0, NULL},
    {SPARSE_4, "v_add_f32_e32 v64, v3, v3", 8, "v3 is read"},
    {SPARSE_4, SPARSE_4, 0, NULL},
    {F16_2, "v_add_f32_e32 v64, v3, v3", 5, "v3 is read"},
    {F16_2, "v_mfma_f32_4x4x4_16b_f16 v[0:3], v[8:9], v[12:13], v[0:3]", 2, "v0 is read"},
    {F16_2, "v_mov_b32_e32 v16, v64", 1, "v16 is written"},
    {F64_16, "v_add_f64 v[64:65], v[6:7], v[66:67]", 19, "v6 is read"},
    {F64_16, "global_store_dwordx2 v64, v[2:3], s[2:3]", 18, "v2 is read"},
    {F64_16, "v_mfma_f64_16x16x4_f64 v[0:7], v[8:9], v[12:13], v[0:7]", 0, NULL},
    {F64_16, "v_mfma_f64_16x16x4_f64 v[64:71], v[8:9], v[12:13], v[2:9]", 17, "v2 is read"},
    {F64_4, "v_add_f64 v[64:65], v[0:1], v[66:67]", 6, "v0 is read"},
    {F64_4, "ds_write_b64 v64, v[0:1]", 9, "v0 is read"},
    {F64_4, "v_mfma_f64_4x4x4_4b_f64 v[0:1], v[8:9], v[12:13], v[0:1]", 4, "v0 is read"},
    {"v_mov_b32_e32 v9, v64", BF16_4, 2, "v9 is read"},
    {"v_accvgpr_read_b32 v16, a0", BF16_4, 2, "v16 is read"},
    {"v_mov_b32_e32 v64, v9", BF16_4, 0, NULL},
    {"v_cmpx_lt_f32_e32 vcc, v64, v65", BF16_4, 4, "exec"},
    {"v_mfma_f32_16x16x32_bf16 a[0:3], v[8:11], v[12:15], v[16:19]", "v_accvgpr_read_b32 v64, a3", 8, "a3 is read"},
    /* Table 11: other instructions. */
    {"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 1", "s_setreg_imm32_b32 hwreg(HW_REG_MODE, 23, 1), 0", 2, "hardware register"},
    {"v_cmp_lt_f32_e32 vcc, v1, v2", "v_div_fmas_f32 v3, v4, v5, v6", 4, "vcc"},
    {"v_cmp_lt_f32_e64 s[4:5], v1, v2", "v_div_fmas_f32 v3, v4, v5, v6", 0, NULL},
    {"v_readfirstlane_b32 s4, v1", "v_readlane_b32 s6, v2, s4", 4, "s4 picks the lane"},
    {"v_readlane_b32 s4, v1, 3", "v_writelane_b32 v2, s7, s4", 4, "s4 picks the lane"},
    {"s_mov_b32 s4, s5", "v_readlane_b32 s6, v2, s4", 0, NULL},
    {"global_store_dwordx4 v[0:1], v[4:7], off", "v_mov_b32_e32 v6, v9", 2, "v6 is written"},
    {"global_store_dwordx4 v[0:1], v[4:7], off", "ds_read_b32 v6, v9", 1, "v6 is written"},
    {"global_store_dwordx2 v[0:1], v[4:5], off", "v_mov_b32_e32 v4, v9", 0, NULL},
    {"buffer_store_dwordx4 v[4:7], v0, s[8:11], s3 offen", "v_mov_b32_e32 v4, v9", 0, NULL},
    {"buffer_store_dwordx4 v[4:7], v0, s[8:11], 0 offen", "v_mov_b32_e32 v4, v9", 2, "v4 is written"},
    {"v_readfirstlane_b32 s8, v1", "global_load_dword v2, v3, s[8:9]", 5, "s8 is read"},
    {"v_readfirstlane_b32 s9, v1", "buffer_load_dword v2, v3, s[8:11], 0 offen", 5, "s9 is read"},
    {"v_readfirstlane_b32 s12, v1", "global_load_dword v2, v3, s[8:9]", 0, NULL},
    {"v_mov_b32_e32 v1, v2", "v_mov_b32_dpp v3, v1 row_shl:1 row_mask:0xf bank_mask:0xf", 2, "v1 is read by DPP"},
    {"v_mov_b32_e32 v1, v2", "v_add_u32_dpp v3, v4, v1 row_shl:1 row_mask:0xf bank_mask:0xf", 0, NULL},
    {"v_cmpx_lt_f32_e32 vcc, v1, v2", "v_mov_b32_dpp v3, v4 row_shl:1 row_mask:0xf bank_mask:0xf", 5, "exec"},
    {"s_mov_b32 m0, s4", "global_load_lds_dword v[0:1], off", 1, "m0"},
    {"s_mov_b32 s5, s4", "global_load_lds_dword v[0:1], off", 0, NULL},
    {"v_readfirstlane_b32 s8, v1", "v_add_u32_e32 v2, s8, v3", 2, "s8 is read"},
    {"v_cmp_lt_f32_e32 vcc, v1, v2", "v_cndmask_b32_e32 v3, v4, v5, vcc", 0, NULL},
    /* A comparison writes any pair; vcc has three names. */
    {"v_cmp_lt_f32_e64 s[4:5], v1, v2", "v_mov_b32_e32 v3, s4", 2, "s4 is read"},
    {"v_cmp_lt_f32_e64 s[4:5], v1, v2", "v_add_u32_e32 v3, s5, v4", 2, "s5 is read"},
    {"v_cmp_lt_f32_e64 s[4:5], v1, v2", "v_lshlrev_b64 v[6:7], v3, s[4:5]", 2, "s4 is read"},
    {"v_cmp_lt_f32_e64 s[4:5], v1, v2", "v_mov_b32_e32 v3, s6", 0, NULL},
    {"v_cmp_lt_f32_e64 s[4:5], v1, v2", "v_cndmask_b32_e64 v3, v4, v5, s[4:5]", 0, NULL},
    {"v_cmp_lt_f32_e64 s[4:5], v1, v2", "v_readlane_b32 s6, v2, s5", 4, "s5 picks the lane"},
    {"v_cmp_lt_f32_e64 s[4:5], v1, v2", "global_load_dword v2, v3, s[4:5]", 5, "s4 is read"},
    {"v_cmp_lt_f32_e64 s[4:5], v1, v2", "s_and_b64 s[6:7], s[4:5], exec", 0, NULL},
    {"v_cmp_lt_f32_e64 vcc, v1, v2", "v_div_fmas_f32 v3, v4, v5, v6", 4, "vcc"},
    {"v_cmp_lt_f32_e32 vcc, v1, v2", "v_mov_b32_e32 v3, vcc_lo", 2, "is read"},
    {"v_cmp_lt_f32_e32 vcc, v1, v2", "v_mov_b32_e32 v3, vcc_hi", 2, "is read"},
    {"v_cmp_lt_f32_e32 vcc, v1, v2", "v_readlane_b32 s6, v2, vcc_lo", 4, "picks the lane"},
    {"v_readfirstlane_b32 vcc_hi, v1", "v_lshlrev_b64 v[6:7], v3, vcc", 2, "is read"},
    {"v_readfirstlane_b32 vcc_lo, v1", "v_div_fmas_f32 v3, v4, v5, v6", 4, "vcc"},
    {"v_readfirstlane_b32 vcc_lo, v1", "global_load_dword v2, v3, vcc", 5, "is read"},
    {"v_add_co_u32_e32 v1, vcc, v2, v3", "v_addc_co_u32_e32 v4, vcc, v5, v6, vcc", 0, NULL},
    {"v_add_co_u32_e32 v1, vcc, v2, v3", "v_mov_b32_e32 v3, vcc_lo", 2, "is read"},
    {"v_add_co_u32_e64 v1, s[4:5], v2, v3", "v_addc_co_u32_e64 v4, s[6:7], v5, v6, s[4:5]", 0, NULL},
    {"v_add_co_u32_e64 v1, s[4:5], v2, v3", "v_mov_b32_e32 v3, s5", 2, "s5 is read"},
    {"v_div_scale_f32 v1, vcc, v2, v3, v4", "v_div_fmas_f32 v3, v4, v5, v6", 4, "vcc"},
    {"v_div_scale_f32 v1, s[4:5], v2, v3, v4", "v_mov_b32_e32 v3, s4", 2, "s4 is read"},
    {"v_cmp_lt_f32_e32 vcc, v1, v2", "v_mov_b32_e32 v3, src_vccz", 5, "vccz or execz"},
    {"v_cmp_lt_f32_e64 vcc, v1, v2", "v_add_u32_e32 v3, src_vccz, v4", 5, "vccz or execz"},
    {"v_cmp_lt_f32_e32 vcc, v1, v2", "v_mov_b32_e32 v3, src_execz", 5, "vccz or execz"},
    {"v_cmpx_lt_f32_e32 vcc, v1, v2", "v_mov_b32_e32 v3, src_execz", 5, "vccz or execz"},
    {"v_cmpx_lt_f32_e64 s[4:5], v1, v2", "v_mov_b32_e32 v3, src_execz", 5, "vccz or execz"},
    {"v_cmp_lt_f32_e64 s[4:5], v1, v2", "v_mov_b32_e32 v3, src_vccz", 0, NULL},
    {"s_mov_b64 vcc, s[4:5]", "v_mov_b32_e32 v3, src_vccz", 0, NULL},
    {"s_mov_b32 m0, s4", "s_movrels_b32 s6, s8", 1, "m0"},
    {"s_mov_b32 m0, s4", "s_movreld_b64 s[6:7], s[8:9]", 1, "m0"},
    {"s_mov_b32 s5, s4", "s_movrels_b32 s6, s8", 0, NULL},
    {"v_cmpx_lt_f32_e32 vcc, v1, v2", "v_mov_b32_e32 v3, exec_lo", 2, "exec"},
    {"v_cmpx_lt_f32_e32 vcc, v1, v2", "v_readfirstlane_b32 s6, v2", 4, "exec"},
    {"v_mov_b32_e32 v1, v2", "v_readfirstlane_b32 s6, v1", 1, "v1 is read"},
    {"v_add_u16_sdwa v1, v2, v3 dst_sel:WORD_1 dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:DWORD", "v_add_u32_e32 v4, v1, v5", 1, "v1 is read"},
    {"v_exp_f32_e32 v1, v2", "v_add_f32_e32 v3, v1, v4", 1, "v1 is read"},
    {"v_exp_f32_e32 v1, v2", "v_rcp_f32_e32 v3, v1", 0, NULL},
    {"v_add_f32_e32 v1, v2, v3", "v_add_f32_e32 v3, v1, v4", 0, NULL},
    {"v_cmpx_lt_f32_e32 vcc, v1, v2", "v_permlane32_swap_b32_e32 v3, v4", 4, "exec"},
    {"v_mov_b32_e32 v1, v2", "v_permlane32_swap_b32_e32 v1, v4", 2, "v1 is read"},
};

/* What a wave says that comes to the second instruction `between` wait states behind the first. */
static const char *message_of(const char *first, const char *second, unsigned between, bool one) {
    static sim_wave wave;
    static sim_hazard hazard;
    fsattn_text text = {0};
    fsattn_err err = {0};
    sim_program program;
    unsigned at = 8;
    fsattn_text_printf(&text, "0 8 %s\n", first);
    for (unsigned left = between; left; at += 4) {
        const unsigned some = one || left < 16 ? (one ? 1 : left) : 16;
        fsattn_text_printf(&text, "%x 4 s_nop %u\n", at, some - 1);
        left -= some;
    }
    fsattn_text_printf(&text, "%x 8 %s\n", at, second);
    cr_assert_eq(sim_program_init(&program, "hazards", text.data, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(program.unknown, 0, "%s", text.data);
    sim_hazard_start(&hazard);
    memset(&wave, 0, sizeof wave);
    wave.hazard = &hazard;
    for (size_t i = 0; i < program.count && wave.stop != SIM_FAULTED; i++) {
        sim_hazard_step(&wave, &program.instructions[i]);
    }
    sim_program_fini(&program);
    fsattn_text_fini(&text);
    return wave.fault;
}

Test(sim_hazard, one_wait_state_too_few_is_found_and_enough_pass) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const unsigned needed = cases[i].needed;
        for (unsigned k = 0; k < 2; k++) {
            const char *message = message_of(cases[i].first, cases[i].second, needed, k);
            cr_expect_str_eq(message, "", "'%s' and '%s': %s", cases[i].first, cases[i].second, message);
        }
        if (needed) {
            char counts[40];
            const char *message = message_of(cases[i].first, cases[i].second, needed - 1, false);
            snprintf(counts, sizeof counts, "(%u needed, 1 missing)", needed);
            cr_expect(strstr(message, counts) && strstr(message, cases[i].reg), "'%s' and '%s': '%s', not '%s' and '%s'", cases[i].first,
                      cases[i].second, message, cases[i].reg, counts);
            snprintf(counts, sizeof counts, "(%u needed, %u missing)", needed, needed);
            message = message_of(cases[i].first, cases[i].second, 0, false);
            cr_expect(strstr(message, counts), "'%s' and '%s': '%s'", cases[i].first, cases[i].second, message);
        }
    }
}

/* A write to one half of vcc leaves vccz as it is, however long ago it was; one to all of it does not. */
Test(sim_hazard, halves_of_vcc_do_not_change_vccz) {
    static const char *const halves[] = {"s_mov_b32 vcc_lo, s4", "s_mov_b32 vcc_hi, s4", "v_readfirstlane_b32 vcc_lo, v1", "s_load_dword vcc_hi, s[4:5], 0x0"};
    static const char *const readers[] = {"s_cbranch_vccz 3 => 0", "s_cbranch_vccnz 3 => 0", "v_mov_b32_e32 v3, src_vccz"};
    char second[160], *part = "writes one half of vcc";
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++) {
        for (size_t k = 0; k < sizeof readers / sizeof *readers; k++) {
            const char *message = message_of(halves[i], readers[k], 40, false);
            cr_expect(strstr(message, part) && strstr(message, halves[i]), "'%s' and '%s': '%s'", halves[i], readers[k], message);
            snprintf(second, sizeof second, "s_mov_b64 vcc, vcc\n100 4 %s", readers[k]);
            message = message_of(halves[i], second, 5, false);
            cr_expect_str_eq(message, "", "'%s', vcc and '%s': '%s'", halves[i], readers[k], message);
        }
        const char *message = message_of(halves[i], "s_cbranch_execz 3 => 0", 5, false);
        cr_expect_str_eq(message, "", "%s", message);
    }
}

/* Of two that write a register the later one counts. */
Test(sim_hazard, the_last_writer_counts) {
    const char *message = message_of("v_mfma_f32_32x32x64_f8f6f4 v[32:47], v[8:15], v[16:23], v[48:63]",
                                     "v_mfma_f32_16x16x32_bf16 v[32:35], v[8:11], v[12:15], v[16:19]\n100 8 v_mfma_f32_16x16x32_bf16 v[64:67], "
                                     "v[32:35], v[12:15], v[16:19]", 0, false);
    cr_assert_not_null(strstr(message, "v32 is read 0 wait states behind 'v_mfma_f32_16x16x32_bf16 v[32:35], v[8:11], v[12:15], v[16:19]'"), "%s", message);
}

/* In kernels that HIPRTC made of inline assembly: tests/data/sim/hazard.hip. */
Test(sim_hazard, kernels_with_too_few_are_stopped) {
    enum { threads = 64 };
    static const struct {
        const char *entry, *message;
    } planted[] = {
        {"vector_reads_early", "wait states behind 'v_mfma_f32_16x16x32_bf16"},
        {"store_reads_early", "wait states behind 'v_mfma_f32_16x16x32_bf16"},
        {"matrix_reads_early", "wait states behind 'v_mfma_f32_16x16x32_bf16"},
        {"matrix_reads_vector_early", "wait states behind 'v_mov_b32_e32"},
    };
    static uint32_t out[4 * threads];
    sim_device d = sim_device_stored("hazard");
    void *memory = sim_device_put(&d, out, sizeof out);
    for (size_t i = 0; i < sizeof planted / sizeof *planted; i++) {
        fsattn_err err = {0};
        cr_expect_eq(sim_device_try(&d, planted[i].entry, 1, threads, &memory, sizeof memory, &err), FSATTN_DEVICE, "%s", planted[i].entry);
        cr_expect(strstr(err.message, planted[i].message) && strstr(err.message, "pc 0x") && strstr(err.message, planted[i].entry),
                  "%s: '%s'", planted[i].entry, err.message);
    }
    sim_device_run(&d, "waits_enough", 1, threads, memory);
    sim_device_get(&d, out, memory, sizeof out);
    for (int i = 0; i < 4 * threads; i++) {
        cr_assert_eq(out[i], 0x42000000, "%d: %08x", i, out[i]); /* 32 products of 1 and 1 */
    }
    fsattn_device_release(d.device, memory);
    sim_device_close(&d);
}

/* What the compiler arranges has wait states enough: tests/data/sim/blocks.hip. */
Test(sim_hazard, compiled_kernels_pass) {
    enum { threads = 64, inputs = 2 * threads, outputs = 6 * threads };
    static double in[inputs], out[outputs];
    sim_device d = sim_device_compiled("blocks");
    uint32_t seed = 5;
    for (int i = 0; i < inputs; i++) {
        in[i] = (double)sim_device_uniform(&seed);
    }
    void *memory[] = {sim_device_put(&d, in, sizeof in), sim_device_put(&d, out, sizeof out)};
    sim_device_run(&d, "doubles", 1, threads, memory);
    sim_device_run(&d, "singles", 1, threads, memory);
    sim_device_get(&d, out, memory[1], sizeof out);
    for (int i = 0; i < outputs; i++) {
        cr_assert(isfinite(out[i]), "%d", i);
    }
    fsattn_device_release(d.device, memory[0]);
    fsattn_device_release(d.device, memory[1]);
    sim_device_close(&d);
}
