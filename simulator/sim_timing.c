#include "sim_timing.h"

/* First match counts. Sources: ISA manual, chapter 7 (passes of matrix instructions, 4 cycles each); AMD's CDNA4 whitepaper (rates
 * per compute unit); published microbenchmarks on MI355X. 64 lanes on 16: 4 cycles. LDS: 128 bytes a cycle and 256 for the
 * widest reads. Memory: the L1's 64 bytes a cycle. */
static const struct {
    const char *prefix;
    sim_unit unit;
    uint16_t cycles;
} costs[] = {
    {"v_mfma_i32_32x32", SIM_UNIT_MATRIX, 32},
    {"v_mfma_f32_32x32x64", SIM_UNIT_MATRIX, 64},
    {"v_mfma_scale_f32_32x32x64", SIM_UNIT_MATRIX, 64},
    {"v_mfma_f32_16x16x128", SIM_UNIT_MATRIX, 32},
    {"v_mfma_scale_f32_16x16x128", SIM_UNIT_MATRIX, 32},
    {"v_mfma_f32_32x32x2_f32", SIM_UNIT_MATRIX, 64},
    {"v_mfma_f32_16x16x4_f32", SIM_UNIT_MATRIX, 32},
    {"v_mfma_f32_32x32", SIM_UNIT_MATRIX, 32},
    {"v_mfma_", SIM_UNIT_MATRIX, 16},
    {"v_smfmac_f32_32x32", SIM_UNIT_MATRIX, 32},
    {"v_smfmac_", SIM_UNIT_MATRIX, 16},
    {"v_exp_f32", SIM_UNIT_VECTOR, 8},
    {"v_log_f32", SIM_UNIT_VECTOR, 8},
    {"v_rcp_", SIM_UNIT_VECTOR, 8},
    {"v_rsq_", SIM_UNIT_VECTOR, 8},
    {"v_sqrt_", SIM_UNIT_VECTOR, 8},
    {"v_sin_f32", SIM_UNIT_VECTOR, 8},
    {"v_cos_f32", SIM_UNIT_VECTOR, 8},
    {"v_permlane", SIM_UNIT_VECTOR, 20},
    {"v_cvt_scalef32_pk32", SIM_UNIT_VECTOR, 64},    /* not published: the slowest that the paper's Table 2 allows */
    {"v_cvt_scalef32_sr_pk32", SIM_UNIT_VECTOR, 64},
    {"v_cvt_scalef32_2xpk16", SIM_UNIT_VECTOR, 64},
    {"v_mul_lo_u32", SIM_UNIT_VECTOR, 16},
    {"v_mul_hi_", SIM_UNIT_VECTOR, 16},
    {"v_", SIM_UNIT_VECTOR, 4},
    {"ds_read_b128", SIM_UNIT_LDS, 4},
    {"ds_read_b96", SIM_UNIT_LDS, 4},
    {"ds_read_b64", SIM_UNIT_LDS, 2},
    {"ds_read2", SIM_UNIT_LDS, 4},
    {"ds_write_b128", SIM_UNIT_LDS, 8},
    {"ds_write_b64", SIM_UNIT_LDS, 4},
    {"ds_write2", SIM_UNIT_LDS, 4},
    {"ds_", SIM_UNIT_LDS, 2},
    {"global_load_lds_dwordx4", SIM_UNIT_MEMORY, 16},
    {"global_load_dwordx4", SIM_UNIT_MEMORY, 16},
    {"global_store_dwordx4", SIM_UNIT_MEMORY, 16},
    {"buffer_load_dwordx4", SIM_UNIT_MEMORY, 16},
    {"global_load_dwordx2", SIM_UNIT_MEMORY, 8},
    {"global_store_dwordx2", SIM_UNIT_MEMORY, 8},
    {"global_", SIM_UNIT_MEMORY, 4},
    {"flat_", SIM_UNIT_MEMORY, 4},
    {"buffer_", SIM_UNIT_MEMORY, 4},
    {"scratch_", SIM_UNIT_MEMORY, 4},
    {"s_nop", SIM_UNIT_VECTOR, 1},
    {"", SIM_UNIT_SCALAR, 1},
};

/* Matrix instructions on FP6 and FP4 alone take half the cycles of those with FP8. */
static bool is_narrow(const sim_instruction *in) {
    return strstr(in->row->mnemonic, "f8f6f4") && in->m.cbsz >= 2 && in->m.blgp >= 2;
}

void sim_timing_cost(const sim_instruction *in, uint8_t *unit, uint16_t *cycles) {
    size_t i = 0;
    while (strncmp(in->row->mnemonic, costs[i].prefix, strlen(costs[i].prefix))) {
        i++;
    }
    *unit = (uint8_t)costs[i].unit;
    *cycles = is_narrow(in) ? costs[i].cycles / 2 : costs[i].cycles;
    if (!strcmp(in->row->mnemonic, "s_nop")) {
        *cycles = (uint16_t)(in->value + 1);
    }
}

double sim_timing_ns(uint64_t groups, uint64_t charged, const uint64_t cycles[sim_units]) {
    static const int counts[] = {
#define X(name, text, count) count,
        SIM_UNIT_LIST(X)
#undef X
    };
    const uint64_t rounds = (charged + sim_timing_compute_units - 1) / sim_timing_compute_units; /* of the busiest unit */
    double busiest = 0;
    for (int i = 0; i < sim_units; i++) {
        const double of_group = (double)cycles[i] / (double)(groups ? groups : 1) / counts[i];
        busiest = of_group > busiest ? of_group : busiest;
    }
    return busiest * (double)rounds * 1000.0 / sim_timing_clock_mhz;
}
