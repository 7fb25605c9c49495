/* Instructions across lanes: ISA manual, sections 6.10 and 12.8; DPP and SDWA are in sim_operands.c. */
#include "sim_rows.h"

#define O(k) (&in->operands[k])

static int first_lane(const sim_wave *w) {
    return sim_exec_of(w) ? __builtin_ctzll(sim_exec_of(w)) : 0;
}
static uint32_t lane_value(const sim_wave *w, const sim_operand *o, unsigned lane) {
    return o->kind == SIM_OPERAND_VGPR ? w->v[o->reg][lane] : sim_scalar32(w, o);
}
static void run_v_readfirstlane_b32(sim_wave *w, const sim_instruction *in) {
    sim_scalar_write32(w, O(0), lane_value(w, O(1), (unsigned)first_lane(w)));
}
static void run_v_readlane_b32(sim_wave *w, const sim_instruction *in) {
    sim_scalar_write32(w, O(0), lane_value(w, O(1), sim_scalar32(w, O(2)) & 63));
}
static void run_v_writelane_b32(sim_wave *w, const sim_instruction *in) {
    w->v[O(0)->reg][sim_scalar32(w, O(2)) & 63] = sim_scalar32(w, O(1));
}

/* Lanes 32-63 of the destination change places with lanes 0-31 of the source; for 16, the odd rows of 16 with the even rows
 * before them. Both registers change; inactive lanes keep what they have. */
static void swap_rows(sim_wave *w, const sim_instruction *in, int row) {
    uint32_t a[sim_lanes], b[sim_lanes];
    memcpy(a, w->v[O(0)->reg], sizeof a);
    memcpy(b, w->v[O(1)->reg], sizeof b);
    SIM_EACH_LANE(i) {
        if (!(i & row)) {
            const uint32_t kept = a[i + row];
            a[i + row] = b[i];
            b[i] = kept;
        }
    }
    sim_write_register(w, O(0)->reg, a);
    sim_write_register(w, O(1)->reg, b);
}
static void run_v_permlane32_swap_b32(sim_wave *w, const sim_instruction *in) { swap_rows(w, in, 32); }
static void run_v_permlane16_swap_b32(sim_wave *w, const sim_instruction *in) { swap_rows(w, in, 16); }
static void run_v_swap_b32(sim_wave *w, const sim_instruction *in) {
    uint32_t a[sim_lanes], b[sim_lanes];
    memcpy(a, w->v[O(0)->reg], sizeof a);
    memcpy(b, w->v[O(1)->reg], sizeof b);
    sim_write_register(w, O(0)->reg, b);
    sim_write_register(w, O(1)->reg, a);
}

static void count_below(sim_wave *w, const sim_instruction *in, int first) {
    uint32_t temporary_a[sim_lanes], temporary_b[sim_lanes], out[sim_lanes];
    const uint32_t *a = sim_read32(w, in, 1, temporary_a), *b = sim_read32(w, in, 2, temporary_b);
    SIM_EACH_LANE(i) {
        const int below = i - first;
        const uint32_t mask = below <= 0 ? 0 : below >= 32 ? ~0u : (1u << below) - 1;
        out[i] = (uint32_t)__builtin_popcount(a[i] & mask) + b[i];
    }
    sim_write32(w, in, out);
}
static void run_v_mbcnt_lo_u32_b32(sim_wave *w, const sim_instruction *in) { count_below(w, in, 0); }
static void run_v_mbcnt_hi_u32_b32(sim_wave *w, const sim_instruction *in) { count_below(w, in, 32); }
static void run_v_nop(sim_wave *w, const sim_instruction *in) {
    (void)w;
    (void)in;
}

static const sim_row rows[] = {
    {"v_readfirstlane_b32", "Si xi", run_v_readfirstlane_b32, 0},
    {"v_readlane_b32", "Si vi xi", run_v_readlane_b32, 0},
    {"v_writelane_b32", "Mi xi xi", run_v_writelane_b32, 0},
    {"v_permlane32_swap_b32", "Mi Mi", run_v_permlane32_swap_b32, 0},
    {"v_permlane16_swap_b32", "Mi Mi", run_v_permlane16_swap_b32, 0},
    {"v_swap_b32", "Mi Mi", run_v_swap_b32, 0},
    {"v_mbcnt_lo_u32_b32", "Di xi xi", run_v_mbcnt_lo_u32_b32, 0},
    {"v_mbcnt_hi_u32_b32", "Di xi xi", run_v_mbcnt_hi_u32_b32, 0},
    {"v_nop", "", run_v_nop, SIM_ROW_TEXT},
};
SIM_DEFINE_TABLE(sim_lane);
