#include "sim_cost.h"

#include "sim_core.h"
#include "sim_facts.h"

static const sim_cost_source sources[] = {
#define X(name, pessimistic, optimistic, source) {#name, source, {pessimistic, optimistic}},
    SIM_CONSTANT_LIST(X)
#undef X
    {NULL, NULL, {0, 0}},
};
const sim_cost_source *sim_cost_sources(void) {
    return sources;
}
uint32_t sim_cost_constant(sim_constant constant, sim_bound bound) {
    return sim_facts_get()->values[bound][constant];
}

/* First match counts. `cycles`: a constant's index, or -n for n cycles (ISA manual, chapter 7: passes of 4 cycles). */
#define CONSTANT(name) SIM_CONSTANT_##name
static const struct row {
    const char *prefix;
    sim_unit unit;
    int cycles;
    uint16_t flags;
} rows[] = {
    {"v_mfma_f64_16x16x4", SIM_UNIT_MATRIX, -64, 0},
    {"v_mfma_f64_4x4x4", SIM_UNIT_MATRIX, -16, 0}, /* 4 passes; Table 28 has 32 cycles, at which half of the peak would be lost */
    {"v_mfma_f32_32x32x1_2b", SIM_UNIT_MATRIX, -64, 0},
    {"v_mfma_f32_32x32x4_2b", SIM_UNIT_MATRIX, -64, 0},
    {"v_mfma_i32_32x32x4_2b", SIM_UNIT_MATRIX, -64, 0},
    {"v_mfma_f32_16x16x1_4b", SIM_UNIT_MATRIX, -32, 0},
    {"v_mfma_f32_16x16x4_4b", SIM_UNIT_MATRIX, -32, 0},
    {"v_mfma_i32_16x16x4_4b", SIM_UNIT_MATRIX, -32, 0},
    {"v_mfma_f32_4x4x", SIM_UNIT_MATRIX, -8, 0},
    {"v_mfma_i32_4x4x", SIM_UNIT_MATRIX, -8, 0},
    {"v_mfma_i32_32x32", SIM_UNIT_MATRIX, -32, 0},
    {"v_mfma_f32_32x32x64", SIM_UNIT_MATRIX, CONSTANT(matrix_32x32x64), SIM_COST_UNKNOWN},
    {"v_mfma_scale_f32_32x32x64", SIM_UNIT_MATRIX, CONSTANT(matrix_32x32x64), SIM_COST_UNKNOWN},
    {"v_mfma_f32_16x16x128", SIM_UNIT_MATRIX, CONSTANT(matrix_16x16x128), SIM_COST_UNKNOWN},
    {"v_mfma_scale_f32_16x16x128", SIM_UNIT_MATRIX, CONSTANT(matrix_16x16x128), SIM_COST_UNKNOWN},
    {"v_mfma_f32_32x32x16_bf16", SIM_UNIT_MATRIX, CONSTANT(matrix_32x32x16_bf16), 0},
    {"v_mfma_f32_16x16x32_bf16", SIM_UNIT_MATRIX, CONSTANT(matrix_16x16x32_bf16), 0},
    {"v_mfma_f32_32x32x2_f32", SIM_UNIT_MATRIX, -64, 0},
    {"v_mfma_f32_16x16x4_f32", SIM_UNIT_MATRIX, -32, 0},
    {"v_mfma_f32_32x32", SIM_UNIT_MATRIX, -32, 0},
    {"v_mfma_", SIM_UNIT_MATRIX, -16, 0},
    {"v_smfmac_f32_32x32", SIM_UNIT_MATRIX, -32, SIM_COST_UNKNOWN},
    {"v_smfmac_i32_32x32", SIM_UNIT_MATRIX, -32, SIM_COST_UNKNOWN},
    {"v_smfmac_f32_16x16x128_", SIM_UNIT_MATRIX, CONSTANT(matrix_sparse_16x16x128), SIM_COST_UNKNOWN},
    {"v_smfmac_", SIM_UNIT_MATRIX, -16, SIM_COST_UNKNOWN},
    {"v_exp_", SIM_UNIT_VECTOR, CONSTANT(transcendental), 0},
    {"v_log_", SIM_UNIT_VECTOR, CONSTANT(transcendental), 0},
    {"v_rcp_", SIM_UNIT_VECTOR, CONSTANT(transcendental), 0},
    {"v_rsq_", SIM_UNIT_VECTOR, CONSTANT(transcendental), 0},
    {"v_sqrt_", SIM_UNIT_VECTOR, CONSTANT(transcendental), 0},
    {"v_sin_", SIM_UNIT_VECTOR, CONSTANT(transcendental), 0},
    {"v_cos_", SIM_UNIT_VECTOR, CONSTANT(transcendental), 0},
    {"v_permlane", SIM_UNIT_VECTOR, CONSTANT(permlane_swap), 0},
    {"v_cvt_scalef32_pk32", SIM_UNIT_VECTOR, CONSTANT(convert_32), 0},
    {"v_cvt_scalef32_sr_pk32", SIM_UNIT_VECTOR, CONSTANT(convert_32), 0},
    {"v_cvt_scalef32_2xpk16", SIM_UNIT_VECTOR, CONSTANT(convert_2x16), 0},
    {"v_cvt_scalef32_pk_", SIM_UNIT_VECTOR, CONSTANT(convert_2), 0},
    {"v_cvt_scalef32_sr_pk_", SIM_UNIT_VECTOR, CONSTANT(convert_2), 0},
    {"v_cvt_pknorm_", SIM_UNIT_VECTOR, CONSTANT(pknorm), 0},
    {"v_pk_max_", SIM_UNIT_VECTOR, CONSTANT(packed_maximum), 0},
    {"v_pk_maximum3_", SIM_UNIT_VECTOR, CONSTANT(maximum3), 0},
    {"v_mul_lo_u32", SIM_UNIT_VECTOR, CONSTANT(multiply_32), 0},
    {"v_mul_hi_", SIM_UNIT_VECTOR, CONSTANT(multiply_32), 0},
    {"v_mad_u64_u32", SIM_UNIT_VECTOR, CONSTANT(multiply_32), 0},
    {"v_mad_i64_i32", SIM_UNIT_VECTOR, CONSTANT(multiply_32), 0},
    {"v_fma_f64", SIM_UNIT_VECTOR, CONSTANT(double_rate), 0},
    {"v_add_f64", SIM_UNIT_VECTOR, CONSTANT(double_rate), 0},
    {"v_mul_f64", SIM_UNIT_VECTOR, CONSTANT(double_rate), 0},
    {"v_pk_fma_f32", SIM_UNIT_VECTOR, CONSTANT(packed_float), SIM_COST_PACKED},
    {"v_pk_mul_f32", SIM_UNIT_VECTOR, CONSTANT(packed_float), SIM_COST_PACKED},
    {"v_pk_add_f32", SIM_UNIT_VECTOR, CONSTANT(packed_float), SIM_COST_PACKED},
    {"v_pk_mov_b32", SIM_UNIT_VECTOR, CONSTANT(vector), SIM_COST_PACKED},
    {"v_", SIM_UNIT_VECTOR, CONSTANT(vector), 0},
    {"ds_", SIM_UNIT_LDS, -2, 0},
    {"global_load_lds", SIM_UNIT_MEMORY, CONSTANT(memory_issue), SIM_COST_LOAD | SIM_COST_DMA},
    {"global_load", SIM_UNIT_MEMORY, CONSTANT(memory_issue), SIM_COST_LOAD},
    {"global_", SIM_UNIT_MEMORY, CONSTANT(memory_issue), SIM_COST_STORE},
    {"flat_load", SIM_UNIT_MEMORY, CONSTANT(memory_issue), SIM_COST_LOAD | SIM_COST_FLAT},
    {"flat_", SIM_UNIT_MEMORY, CONSTANT(memory_issue), SIM_COST_STORE | SIM_COST_FLAT},
    {"scratch_load", SIM_UNIT_MEMORY, CONSTANT(memory_issue), SIM_COST_LOAD | SIM_COST_SCRATCH},
    {"scratch_", SIM_UNIT_MEMORY, CONSTANT(memory_issue), SIM_COST_STORE | SIM_COST_SCRATCH},
    {"buffer_load", SIM_UNIT_MEMORY, CONSTANT(memory_issue), SIM_COST_LOAD},
    {"buffer_store", SIM_UNIT_MEMORY, CONSTANT(memory_issue), SIM_COST_STORE},
    {"buffer_atomic", SIM_UNIT_MEMORY, CONSTANT(memory_issue), SIM_COST_STORE},
    {"buffer_", SIM_UNIT_CONTROL, -4, 0},
    {"s_load_", SIM_UNIT_SCALAR, CONSTANT(scalar), SIM_COST_SMEM},
    {"s_memtime", SIM_UNIT_SCALAR, CONSTANT(scalar), SIM_COST_SMEM},
    {"s_memrealtime", SIM_UNIT_SCALAR, CONSTANT(scalar), SIM_COST_SMEM},
    {"s_buffer_load_", SIM_UNIT_SCALAR, CONSTANT(scalar), SIM_COST_SMEM},
    {"s_waitcnt", SIM_UNIT_CONTROL, -4, SIM_COST_WAIT},
    {"s_barrier", SIM_UNIT_CONTROL, -4, SIM_COST_BARRIER},
    {"s_setprio", SIM_UNIT_CONTROL, -4, SIM_COST_PRIORITY},
    {"s_nop", SIM_UNIT_CONTROL, -4, SIM_COST_NOP},
    {"s_sleep", SIM_UNIT_CONTROL, -64, SIM_COST_NOP},
    {"s_endpgm", SIM_UNIT_CONTROL, -4, SIM_COST_END},
    {"", SIM_UNIT_SCALAR, CONSTANT(scalar), 0},
};

/* What the end of a mnemonic says of a lane's bytes; first match counts. */
static const struct {
    const char *part;
    uint8_t bytes;
} widths[] = {{"dwordx4", 16}, {"dwordx3", 12}, {"dwordx2", 8}, {"b128", 16}, {"b96", 12}, {"64", 8}, {"x2", 8},
              {"byte", 1},     {"short", 2},    {"u8", 1},      {"i8", 1},    {"b8", 1},   {"u16", 2}, {"i16", 2}, {"b16", 2}, {"", 4}};

static sim_lds_shape shape_of(const char *name, unsigned bytes) {
    const bool read = !strncmp(name, "ds_read", 7), write = !strncmp(name, "ds_write", 8);
    if (strstr(name, "permute") || strstr(name, "swizzle")) {
        return SIM_LDS_NONE;
    }
    if (!read && !write) {
        return SIM_LDS_ATOMIC;
    }
    const sim_lds_shape first = read ? SIM_LDS_READ_32 : SIM_LDS_WRITE_32;
    return (sim_lds_shape)(first + (bytes == 16 ? 3 : bytes == 12 ? 2 : bytes == 8 ? 1 : 0));
}

static void fill_lds(const char *name, sim_cost *c) {
    const char *transposed = strstr(name, "_tr_");
    c->bytes = transposed ? (strstr(name, "b96") ? 12 : 8) : c->bytes;
    c->shape = (uint8_t)shape_of(name, c->bytes);
    if (!strncmp(name, "ds_read2", 8) || !strncmp(name, "ds_write2", 9)) {
        const bool far = strstr(name, "st64") != NULL;
        c->bytes = strstr(name, "b64") ? 8 : 4;
        c->shape = (uint8_t)shape_of(name, c->bytes);
        c->flags |= SIM_COST_TWO;
        c->stride = (uint8_t)(c->bytes / 4 * (far ? 64 : 1));
    }
}

/* What a row of f8f6f4 names is followed by what both sides small take. */
_Static_assert(CONSTANT(matrix_32x32x64_small) == CONSTANT(matrix_32x32x64) + 1, "order of constants");
_Static_assert(CONSTANT(matrix_16x16x128_small) == CONSTANT(matrix_16x16x128) + 1, "order of constants");

sim_cost sim_cost_of(const sim_instruction *in) {
    const char *name = in->row->mnemonic;
    size_t i = 0, w = 0;
    while (strncmp(name, rows[i].prefix, strlen(rows[i].prefix))) {
        i++;
    }
    sim_cost c = {.unit = (uint8_t)rows[i].unit, .flags = rows[i].flags};
    const bool small = c.unit == SIM_UNIT_MATRIX && strstr(name, "f8f6f4") && in->m.cbsz >= 2 && in->m.blgp >= 2; /* FP6 and FP4 on both sides */
    const int cycles = rows[i].cycles + small;
    c.manual = (uint16_t)(cycles < 0 ? (uint32_t)-cycles : sources[cycles].values[SIM_PESSIMISTIC]);
    for (int bound = 0; bound < sim_bounds; bound++) {
        c.cycles[bound] = (uint16_t)(cycles < 0 ? (uint32_t)-cycles : sim_cost_constant((sim_constant)cycles, (sim_bound)bound));
        if (c.flags & SIM_COST_NOP) {
            c.cycles[bound] = (uint16_t)(c.cycles[bound] * (cycles == -4 ? in->value + 1 : (in->value & 127)));
        }
    }
    if (c.unit == SIM_UNIT_LDS || c.unit == SIM_UNIT_MEMORY) {
        while (!strstr(name, widths[w].part)) {
            w++;
        }
        c.bytes = widths[w].bytes;
    }
    if (c.unit == SIM_UNIT_LDS) {
        fill_lds(name, &c);
    }
    if (c.unit == SIM_UNIT_MEMORY && in->m.lds) {
        c.flags |= SIM_COST_DMA;
    }
    return c;
}
