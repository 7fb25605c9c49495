#include "sim_states.h"

#include "sim_operands.h"

#include <stdio.h>

/* ---- what instructions are -------------------------------------------------------------------------------- */

static bool starts(const sim_instruction *in, const char *text) { return !strncmp(in->row->mnemonic, text, strlen(text)); }
static bool is_vector(const sim_instruction *in) { return in->cost.unit == SIM_UNIT_VECTOR; }
static bool is_memory(const sim_instruction *in) { return in->cost.unit == SIM_UNIT_MEMORY; }
static bool is_other(const sim_instruction *in) { return is_memory(in) || in->cost.unit == SIM_UNIT_LDS; }
static bool is_cmpx(const sim_instruction *in) { return starts(in, "v_cmpx"); }
static bool is_div_fmas(const sim_instruction *in) { return starts(in, "v_div_fmas"); }
static bool is_read_lane(const sim_instruction *in) { return starts(in, "v_readlane") || starts(in, "v_readfirstlane"); }
static bool is_lane(const sim_instruction *in) { return is_read_lane(in) || starts(in, "v_writelane"); }
static bool is_permlane(const sim_instruction *in) { return starts(in, "v_permlane"); }
static bool is_dpp(const sim_instruction *in) { return in->m.dpp != SIM_DPP_NONE; }
static bool is_dma(const sim_instruction *in) { return (in->cost.flags & SIM_COST_DMA) != 0; }
static bool is_setreg(const sim_instruction *in) { return starts(in, "s_setreg"); }
static bool is_movrel(const sim_instruction *in) { return starts(in, "s_movrel"); }
static bool is_scalar(const sim_instruction *in) { return in->cost.unit == SIM_UNIT_SCALAR && !(in->cost.flags & SIM_COST_SMEM); }
static bool is_trans(const sim_instruction *in) { /* Table 12 */
    static const char *const names[] = {"v_exp_", "v_log_", "v_rcp_", "v_rsq_", "v_sqrt_", "v_sin_", "v_cos_"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (starts(in, names[i])) {
            return true;
        }
    }
    return false;
}
static bool is_plain_vector(const sim_instruction *in) { return is_vector(in) && !is_trans(in); }
/* The result lands elsewhere in its register than where it was made. */
static bool is_shifted(const sim_instruction *in) {
    const int sources = in->operand_count - in->source;
    return is_vector(in) && (in->m.sdwa ? in->m.dst_select != SIM_DWORD : !(in->row->flags & SIM_ROW_PACKED) && in->m.op_sel >> sources);
}
static bool is_wide_store(const sim_instruction *in) {
    const bool buffer = starts(in, "buffer_"), store = buffer || starts(in, "global_") || starts(in, "flat_") || starts(in, "scratch_");
    const bool wide = strstr(in->row->mnemonic, "_store_dwordx3") || strstr(in->row->mnemonic, "_store_dwordx4") || strstr(in->row->mnemonic, "cmpswap_x2");
    return store && wide && !(buffer && in->operand_count > 3 && in->operands[3].kind == SIM_OPERAND_SGPR);
}
static bool uses_zero_flag(const sim_instruction *in) {
    for (int k = in->source; k < in->operand_count; k++) {
        if (in->operands[k].kind == SIM_OPERAND_VCCZ || in->operands[k].kind == SIM_OPERAND_EXECZ) {
            return is_vector(in);
        }
    }
    return false;
}

/* ---- which of their operands count ------------------------------------------------------------------------- */

typedef bool counts(const sim_instruction *in, int k);
static bool writes_scalar(const sim_instruction *in, int k) { return in->operands[k].role == 'S'; }
static bool writes_vcc(const sim_instruction *in, int k) { return in->operands[k].role == 'S' && in->operands[k].reg / 2 == sim_vcc / 2; }
static bool writes_m0(const sim_instruction *in, int k) { return in->operands[k].role == 'S' && in->operands[k].reg == sim_m0; }
static bool writes_vector(const sim_instruction *in, int k) { return in->operands[k].role == 'D' || in->operands[k].role == 'M'; }
static bool holds_data(const sim_instruction *in, int k) { return in->operands[k].role == 'v' && in->operands[k].count > 2; }
static bool reads_scalar(const sim_instruction *in, int k) { return in->operands[k].role != 'S'; }
static bool reads_constant(const sim_instruction *in, int k) { return in->operands[k].role == 'x' && !(is_lane(in) && k > in->source); }
static bool reads_exec(const sim_instruction *in, int k) { return in->operands[k].role == 'x' && in->operands[k].reg / 2 == sim_exec / 2; }
static bool selects_lane(const sim_instruction *in, int k) { return is_lane(in) && k == in->source + 1; }
static bool reads_vector(const sim_instruction *in, int k) { return in->operands[k].role != 'D'; }
static bool reads_first(const sim_instruction *in, int k) { return k == in->source && in->operands[k].role != 'D'; }

/* ---- the table ---------------------------------------------------------------------------------------------- */

typedef bool fits(const sim_instruction *in);
typedef struct states_row {
    uint8_t wait;
    uint8_t kind; /* of the registers that both must touch; SIM_OPERAND_NONE: the second operands need not be the first ones */
    fits *first;
    counts *given; /* NULL: none is looked at */
    fits *second;
    counts *taken;
    const char *did, *does;
} states_row;
#define VGPR SIM_OPERAND_VGPR
#define SGPR SIM_OPERAND_SGPR
#define NONE SIM_OPERAND_NONE
/* Where the manual's table has lost a number, LLVM's GCNHazardRecognizer has it: v_readlane and its kin 4 behind v_cmpx, execz and vccz 5. */
static const states_row table[] = {
    {2, NONE, is_setreg, NULL, is_setreg, NULL, "sets this register", "sets a hardware register"},
    {5, NONE, is_vector, writes_vcc, uses_zero_flag, NULL, "writes vcc", "reads vccz or execz"},
    {5, NONE, is_cmpx, NULL, uses_zero_flag, NULL, "writes exec", "reads vccz or execz"},
    {4, SGPR, is_vector, writes_scalar, is_lane, selects_lane, "writes it", "picks the lane"},
    {4, NONE, is_vector, writes_vcc, is_div_fmas, NULL, "writes vcc", "reads vcc"},
    {1, VGPR, is_wide_store, holds_data, is_other, writes_vector, "stores it", "is written"},
    {2, VGPR, is_wide_store, holds_data, is_vector, writes_vector, "stores it", "is written"},
    {5, SGPR, is_vector, writes_scalar, is_memory, reads_scalar, "writes it", "is read"},
    {2, VGPR, is_vector, writes_vector, is_dpp, reads_first, "writes it", "is read by DPP"},
    {5, NONE, is_cmpx, NULL, is_dpp, NULL, "writes exec", "moves lanes by DPP"},
    {1, NONE, is_scalar, writes_m0, is_dma, NULL, "writes m0", "loads to LDS"},
    {1, NONE, is_scalar, writes_m0, is_movrel, NULL, "writes m0", "indexes registers by m0"},
    {2, SGPR, is_vector, writes_scalar, is_vector, reads_constant, "writes it", "is read"},
    {2, NONE, is_cmpx, NULL, is_vector, reads_exec, "writes exec", "reads exec"},
    {4, NONE, is_cmpx, NULL, is_lane, NULL, "writes exec", "reads or writes a lane"},
    {1, VGPR, is_vector, writes_vector, is_read_lane, reads_vector, "writes it", "is read"},
    {1, VGPR, is_shifted, writes_vector, is_vector, reads_vector, "writes a part of it", "is read"},
    {1, VGPR, is_trans, writes_vector, is_plain_vector, reads_vector, "writes it", "is read"},
    {4, NONE, is_cmpx, NULL, is_permlane, NULL, "writes exec", "moves lanes"},
    {2, VGPR, is_vector, writes_vector, is_permlane, reads_vector, "writes it", "is read"},
};
enum { rows_count = sizeof table / sizeof *table };
_Static_assert(rows_count <= 29, "bits of states_first");

/* ---- vcc in halves ------------------------------------------------------------------------------------------ */

/* What writes vcc_lo or vcc_hi alone does not change vccz; what writes vcc does. LLVM: GCNSubtarget, partialVCCWritesUpdateVCCZ, from gfx10 on. */
static bool reads_vccz(const sim_instruction *in) {
    for (int k = in->source; k < in->operand_count; k++) {
        if (in->operands[k].kind == SIM_OPERAND_VCCZ) {
            return true;
        }
    }
    return starts(in, "s_cbranch_vcc");
}
static uint32_t vcc_written(const sim_instruction *in) {
    for (int k = 0; k < in->operand_count; k++) {
        const sim_operand *o = &in->operands[k];
        if (o->kind == SGPR && o->role == 'S' && o->reg / 2 == sim_vcc / 2) {
            return o->count == 1 ? sim_states_half_vcc : sim_states_vcc;
        }
    }
    return 0;
}
void sim_states_note_vcc(sim_hazard *h, const sim_instruction *in) {
    const bool half = (in->states_first & sim_states_half_vcc) != 0;
    h->half_vcc = half ? in : NULL;
    h->recent_rows = (h->recent_rows & ~(uint32_t)(sim_states_vcc | sim_states_half_vcc)) | (half ? sim_states_half_vcc : 0);
}

/* Whether an operand of the kind counts; without a kind any will do, and without a rule none is needed. */
static bool has(const sim_instruction *in, const states_row *row, counts *rule) {
    for (int k = 0; rule && k < in->operand_count; k++) {
        const uint8_t kind = in->operands[k].kind;
        if ((row->kind == NONE ? kind == SGPR : kind == row->kind) && rule(in, k)) {
            return true;
        }
    }
    return !rule;
}

void sim_states_classify(sim_instruction *in) {
    for (int i = 0; i < rows_count; i++) {
        const states_row *row = &table[i];
        in->states_first |= (uint32_t)(row->first(in) && has(in, row, row->given)) << i;
        in->states_second |= (uint32_t)(row->second(in) && has(in, row, row->taken)) << i;
    }
    in->states_first |= vcc_written(in);
    in->states_second |= reads_vccz(in) ? sim_states_half_vcc : 0;
}

/* The register that both touch; -1: none; for a row without a kind any is. */
static int shared(const states_row *row, const sim_instruction *first, const sim_instruction *second) {
    if (row->kind == NONE) {
        return is_setreg(first) && (first->value ^ second->value) & 0xff ? -1 : 0;
    }
    for (int i = 0; i < first->operand_count; i++) {
        const sim_operand *a = &first->operands[i];
        for (int k = 0; k < second->operand_count; k++) {
            const sim_operand *b = &second->operands[k];
            if (a->kind == row->kind && b->kind == row->kind && row->given(first, i) && row->taken(second, k) && a->reg < b->reg + b->count &&
                b->reg < a->reg + a->count) {
                return a->reg > b->reg ? a->reg : b->reg;
            }
        }
    }
    return -1;
}

static void refuse(sim_wave *wave, const sim_instruction *in, const states_row *row, int reg, const sim_instruction *first, unsigned between) {
    char name[16] = "this";
    if (row->kind != NONE) {
        snprintf(name, sizeof name, "%c%d", row->kind == SGPR ? 's' : reg < sim_agpr ? 'v' : 'a', reg % sim_agpr);
    }
    sim_fault(wave, in, -1, "%s %s %u wait states behind '%s' at pc 0x%llx, which %s (%u needed, %u missing)", name, row->does, between,
              first->text, (unsigned long long)first->address, row->did, row->wait, row->wait - between);
}

void sim_states_check(sim_wave *wave, const sim_instruction *in) {
    sim_hazard *h = wave->hazard;
    uint32_t found = h->recent_rows & sim_states_half_vcc;
    if (found & in->states_second) {
        sim_fault(wave, in, -1, "vccz is read behind '%s' at pc 0x%llx, which writes one half of vcc: only what writes all of it changes vccz",
                  h->half_vcc->text, (unsigned long long)h->half_vcc->address);
        return;
    }
    for (uint32_t i = h->recent_count; i > 0 && h->recent_count - i < sim_hazard_recent; i--) {
        const sim_instruction *first = h->recent[(i - 1) % sim_hazard_recent].in;
        const uint64_t between = h->clock - h->recent[(i - 1) % sim_hazard_recent].at - first->states;
        if (between >= sim_hazard_recent) {
            break;
        }
        const uint32_t rows = first->states_first & ~(uint32_t)(sim_states_half_vcc | sim_states_vcc);
        found |= rows;
        for (uint32_t left = rows & in->states_second; left; left &= left - 1) {
            const states_row *row = &table[__builtin_ctz(left)];
            const int reg = between < row->wait ? shared(row, first, in) : -1;
            if (reg >= 0) {
                refuse(wave, in, row, reg, first, (unsigned)between);
                return;
            }
        }
    }
    h->recent_rows = found;
}
