/* Scalar instructions: ISA manual, chapters 5 (SALU), 4 (flow control) and 7 (SMEM). */
#include "sim_rows.h"

#include "sim_heap.h"
#include "sim_program.h"
#include "sim_share.h"
#include "sim_undefined.h"
#include "sim_wait.h"

/* ---- two sources into one destination; SCC as said ---------------------------------------------------- */

#define S32_LIST(X)                                                                                          \
    X(s_add_u32, uint64_t r = (uint64_t)a + b, scc = r >> 32 != 0)                                           \
    X(s_sub_u32, uint32_t r = a - b, scc = b > a)                                                            \
    X(s_addc_u32, uint64_t r = (uint64_t)a + b + scc, scc = r >> 32 != 0)                                    \
    X(s_subb_u32, uint64_t r = (uint64_t)a - b - scc, scc = r >> 32 != 0)                                    \
    X(s_add_i32, uint32_t r = a + b, scc = (~(a ^ b) & (a ^ r)) >> 31)                                       \
    X(s_sub_i32, uint32_t r = a - b, scc = ((a ^ b) & (a ^ r)) >> 31)                                        \
    X(s_min_i32, uint32_t r = (int32_t)a < (int32_t)b ? a : b, scc = (int32_t)a < (int32_t)b)                \
    X(s_max_i32, uint32_t r = (int32_t)a > (int32_t)b ? a : b, scc = (int32_t)a > (int32_t)b)                \
    X(s_min_u32, uint32_t r = a < b ? a : b, scc = a < b)                                                    \
    X(s_max_u32, uint32_t r = a > b ? a : b, scc = a > b)                                                    \
    X(s_and_b32, uint32_t r = a & b, scc = r != 0)                                                           \
    X(s_or_b32, uint32_t r = a | b, scc = r != 0)                                                            \
    X(s_xor_b32, uint32_t r = a ^ b, scc = r != 0)                                                           \
    X(s_andn2_b32, uint32_t r = a & ~b, scc = r != 0)                                                        \
    X(s_orn2_b32, uint32_t r = a | ~b, scc = r != 0)                                                         \
    X(s_nand_b32, uint32_t r = ~(a & b), scc = r != 0)                                                       \
    X(s_nor_b32, uint32_t r = ~(a | b), scc = r != 0)                                                        \
    X(s_xnor_b32, uint32_t r = ~(a ^ b), scc = r != 0)                                                       \
    X(s_lshl_b32, uint32_t r = a << (b & 31), scc = r != 0)                                                  \
    X(s_lshr_b32, uint32_t r = a >> (b & 31), scc = r != 0)                                                  \
    X(s_ashr_i32, uint32_t r = (uint32_t)((int32_t)a >> (b & 31)), scc = r != 0)                             \
    X(s_bfm_b32, uint32_t r = ((1u << (a & 31)) - 1) << (b & 31), (void)0)                                   \
    X(s_mul_i32, uint32_t r = a * b, (void)0)                                                                \
    X(s_mul_hi_u32, uint32_t r = (uint32_t)((uint64_t)a * b >> 32), (void)0)                                 \
    X(s_mul_hi_i32, uint32_t r = (uint32_t)((uint64_t)((int64_t)(int32_t)a * (int32_t)b) >> 32), (void)0)    \
    X(s_cselect_b32, uint32_t r = scc ? a : b, (void)0)                                                      \
    X(s_absdiff_i32, uint32_t r = (int32_t)a > (int32_t)b ? a - b : b - a, scc = r != 0)                     \
    X(s_lshl1_add_u32, uint64_t r = ((uint64_t)a << 1) + b, scc = r >> 32 != 0)                              \
    X(s_lshl2_add_u32, uint64_t r = ((uint64_t)a << 2) + b, scc = r >> 32 != 0)                              \
    X(s_lshl3_add_u32, uint64_t r = ((uint64_t)a << 3) + b, scc = r >> 32 != 0)                              \
    X(s_lshl4_add_u32, uint64_t r = ((uint64_t)a << 4) + b, scc = r >> 32 != 0)                              \
    X(s_pack_ll_b32_b16, uint32_t r = (a & 0xffff) | b << 16, (void)0)                                       \
    X(s_pack_lh_b32_b16, uint32_t r = (a & 0xffff) | (b & 0xffff0000), (void)0)                              \
    X(s_pack_hh_b32_b16, uint32_t r = a >> 16 | (b & 0xffff0000), (void)0)                                   \
    X(s_bfe_u32, uint32_t r = bits_of(a, b, false), scc = r != 0)                                            \
    X(s_bfe_i32, uint32_t r = bits_of(a, b, true), scc = r != 0)

static uint32_t bits_of(uint32_t value, uint32_t field, bool sign) {
    const unsigned offset = field & 31, width = field >> 16 & 127;
    if (!width) {
        return 0;
    }
    const unsigned unused = width < 32 ? 32 - width : 0;
    const uint32_t moved = sign ? (uint32_t)((int32_t)value >> offset) : value >> offset, taken = moved << unused;
    return sign ? (uint32_t)((int32_t)taken >> unused) : taken >> unused;
}

#define X(name, compute, condition)                                                                          \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        const uint32_t a = sim_scalar32(w, &in->operands[1]), b = sim_scalar32(w, &in->operands[2]);         \
        uint32_t scc = w->scc;                                                                               \
        compute;                                                                                             \
        condition;                                                                                           \
        w->scc = scc;                                                                                        \
        sim_scalar_write32(w, &in->operands[0], (uint32_t)r);                                                \
    }
S32_LIST(X)
#undef X

#define S64_LIST(X)                                                                                          \
    X(s_and_b64, a & b, true)                                                                                \
    X(s_or_b64, a | b, true)                                                                                 \
    X(s_xor_b64, a ^ b, true)                                                                                \
    X(s_andn2_b64, a & ~b, true)                                                                             \
    X(s_orn2_b64, a | ~b, true)                                                                              \
    X(s_nand_b64, ~(a & b), true)                                                                            \
    X(s_nor_b64, ~(a | b), true)                                                                             \
    X(s_xnor_b64, ~(a ^ b), true)                                                                            \
    X(s_cselect_b64, w->scc ? a : b, false)
#define X(name, expression, sets_scc)                                                                        \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        const uint64_t a = sim_scalar64(w, &in->operands[1]), b = sim_scalar64(w, &in->operands[2]);         \
        const uint64_t r = expression;                                                                       \
        w->scc = sets_scc ? r != 0 : w->scc;                                                                 \
        sim_scalar_write64(w, &in->operands[0], r);                                                          \
    }
S64_LIST(X)
#undef X

#define SHIFT64_LIST(X)                                                                                      \
    X(s_lshl_b64, a << (b & 63))                                                                             \
    X(s_lshr_b64, a >> (b & 63))                                                                             \
    X(s_ashr_i64, (uint64_t)((int64_t)a >> (b & 63)))
#define X(name, expression)                                                                                  \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        const uint64_t a = sim_scalar64(w, &in->operands[1]);                                                \
        const uint32_t b = sim_scalar32(w, &in->operands[2]);                                                \
        const uint64_t r = expression;                                                                       \
        w->scc = r != 0;                                                                                     \
        sim_scalar_write64(w, &in->operands[0], r);                                                          \
    }
SHIFT64_LIST(X)
#undef X

static void run_s_bfe64(sim_wave *w, const sim_instruction *in, bool sign) {
    const uint64_t value = sim_scalar64(w, &in->operands[1]);
    const uint32_t field = sim_scalar32(w, &in->operands[2]);
    const unsigned offset = field & 63, width = field >> 16 & 127, unused = width && width < 64 ? 64 - width : 0;
    const uint64_t moved = sign ? (uint64_t)((int64_t)value >> offset) : value >> offset;
    uint64_t r = width ? moved << unused : 0;
    r = sign ? (uint64_t)((int64_t)r >> unused) : r >> unused;
    w->scc = r != 0;
    sim_scalar_write64(w, &in->operands[0], r);
}
static void run_s_bfe_u64(sim_wave *w, const sim_instruction *in) { run_s_bfe64(w, in, false); }
static void run_s_bfe_i64(sim_wave *w, const sim_instruction *in) { run_s_bfe64(w, in, true); }
static void run_s_bfm_b64(sim_wave *w, const sim_instruction *in) {
    const uint32_t a = sim_scalar32(w, &in->operands[1]), b = sim_scalar32(w, &in->operands[2]);
    sim_scalar_write64(w, &in->operands[0], ((UINT64_C(1) << (a & 63)) - 1) << (b & 63));
}

/* ---- one source -------------------------------------------------------------------------------------- */

static uint32_t reverse32(uint32_t a) {
    uint32_t r = 0;
    for (int i = 0; i < 32; i++) {
        r |= (a >> i & 1) << (31 - i);
    }
    return r;
}
static int count_sign_bits(uint32_t a) {
    const uint32_t other = (int32_t)a < 0 ? ~a : a;
    return other ? __builtin_clz(other) : -1;
}

#define S1_LIST(X)                                                                                           \
    X(s_mov_b32, a, w->scc)                                                                                  \
    X(s_not_b32, ~a, r != 0)                                                                                 \
    X(s_brev_b32, reverse32(a), w->scc)                                                                      \
    X(s_abs_i32, (int32_t)a < 0 ? -a : a, r != 0)                                                            \
    X(s_bcnt1_i32_b32, (uint32_t)__builtin_popcount(a), r != 0)                                              \
    X(s_bcnt0_i32_b32, (uint32_t)__builtin_popcount(~a), r != 0)                                             \
    X(s_ff1_i32_b32, a ? (uint32_t)__builtin_ctz(a) : ~0u, w->scc)                                           \
    X(s_ff0_i32_b32, ~a ? (uint32_t)__builtin_ctz(~a) : ~0u, w->scc)                                         \
    X(s_flbit_i32_b32, a ? (uint32_t)__builtin_clz(a) : ~0u, w->scc)                                         \
    X(s_flbit_i32, (uint32_t)count_sign_bits(a), w->scc)                                                     \
    X(s_sext_i32_i8, (uint32_t)(int8_t)a, w->scc)                                                            \
    X(s_sext_i32_i16, (uint32_t)(int16_t)a, w->scc)                                                          \
    X(s_bitset0_b32, sim_scalar32(w, &in->operands[0]) & ~(1u << (a & 31)), w->scc)                          \
    X(s_bitset1_b32, sim_scalar32(w, &in->operands[0]) | 1u << (a & 31), w->scc)                             \
    X(s_cmov_b32, w->scc ? a : sim_scalar32(w, &in->operands[0]), w->scc)                                    \
    X(s_movk_i32, (uint32_t)(int16_t)a, w->scc)                                                              \
    X(s_cmovk_i32, w->scc ? (uint32_t)(int16_t)a : sim_scalar32(w, &in->operands[0]), w->scc)                \
    X(s_mulk_i32, sim_scalar32(w, &in->operands[0]) * (uint32_t)(int16_t)a, w->scc)
#define X(name, expression, condition)                                                                       \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        const uint32_t a = sim_scalar32(w, &in->operands[1]);                                                \
        const uint32_t r = expression;                                                                       \
        w->scc = condition;                                                                                  \
        sim_scalar_write32(w, &in->operands[0], r);                                                          \
    }
S1_LIST(X)
#undef X

static void run_s_addk_i32(sim_wave *w, const sim_instruction *in) {
    const uint32_t a = sim_scalar32(w, &in->operands[0]), b = (uint32_t)(int16_t)in->operands[1].value, r = a + b;
    w->scc = (~(a ^ b) & (a ^ r)) >> 31;
    sim_scalar_write32(w, &in->operands[0], r);
}

#define S1_64_LIST(X)                                                                                        \
    X(s_mov_b64, a, w->scc)                                                                                  \
    X(s_not_b64, ~a, r != 0)                                                                                 \
    X(s_wqm_b64, quads(a), r != 0)                                                                          \
    X(s_brev_b64, (uint64_t)reverse32((uint32_t)a) << 32 | reverse32((uint32_t)(a >> 32)), w->scc)           \
    X(s_cmov_b64, w->scc ? a : sim_scalar64(w, &in->operands[0]), w->scc)
static uint64_t quads(uint64_t a) {
    const uint64_t any = (a | a >> 1 | a >> 2 | a >> 3) & UINT64_C(0x1111111111111111);
    return any * 15;
}
#define X(name, expression, condition)                                                                       \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        const uint64_t a = sim_scalar64(w, &in->operands[1]);                                                \
        const uint64_t r = expression;                                                                       \
        w->scc = condition;                                                                                  \
        sim_scalar_write64(w, &in->operands[0], r);                                                          \
    }
S1_64_LIST(X)
#undef X

#define S1_64_32_LIST(X)                                                                                     \
    X(s_bcnt1_i32_b64, (uint32_t)__builtin_popcountll(a), r != 0)                                            \
    X(s_bcnt0_i32_b64, (uint32_t)__builtin_popcountll(~a), r != 0)                                           \
    X(s_ff1_i32_b64, a ? (uint32_t)__builtin_ctzll(a) : ~0u, w->scc)                                         \
    X(s_ff0_i32_b64, ~a ? (uint32_t)__builtin_ctzll(~a) : ~0u, w->scc)                                       \
    X(s_flbit_i32_b64, a ? (uint32_t)__builtin_clzll(a) : ~0u, w->scc)
#define X(name, expression, condition)                                                                       \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        const uint64_t a = sim_scalar64(w, &in->operands[1]);                                                \
        const uint32_t r = expression;                                                                       \
        w->scc = condition;                                                                                  \
        sim_scalar_write32(w, &in->operands[0], r);                                                          \
    }
S1_64_32_LIST(X)
#undef X

/* D = EXEC, then EXEC = f(a, EXEC); wrexec: D = EXEC = that. */
#define SAVEEXEC_LIST(X)                                                                                     \
    X(s_and_saveexec_b64, a & exec, exec)                                                                    \
    X(s_or_saveexec_b64, a | exec, exec)                                                                     \
    X(s_xor_saveexec_b64, a ^ exec, exec)                                                                    \
    X(s_andn2_saveexec_b64, a & ~exec, exec)                                                                 \
    X(s_orn2_saveexec_b64, a | ~exec, exec)                                                                  \
    X(s_andn1_saveexec_b64, ~a & exec, exec)                                                                 \
    X(s_orn1_saveexec_b64, ~a | exec, exec)                                                                  \
    X(s_nand_saveexec_b64, ~(a & exec), exec)                                                                \
    X(s_nor_saveexec_b64, ~(a | exec), exec)                                                                 \
    X(s_xnor_saveexec_b64, ~(a ^ exec), exec)                                                                \
    X(s_andn1_wrexec_b64, ~a & exec, r)                                                                      \
    X(s_andn2_wrexec_b64, a & ~exec, r)
#define X(name, expression, destination)                                                                     \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        const uint64_t a = sim_scalar64(w, &in->operands[1]), exec = sim_exec_of(w);                         \
        const uint64_t r = expression;                                                                       \
        sim_scalar_write64(w, &in->operands[0], destination);                                                \
        w->s64[sim_exec / 2] = r;                                                                            \
        w->scc = r != 0;                                                                                     \
    }
SAVEEXEC_LIST(X)
#undef X

/* ---- comparisons ------------------------------------------------------------------------------------- */

#define SCMP_LIST(X)                                                                                         \
    X(eq, ==)                                                                                                \
    X(lg, !=)                                                                                                \
    X(gt, >)                                                                                                 \
    X(ge, >=)                                                                                                \
    X(lt, <)                                                                                                 \
    X(le, <=)
#define X(name, operator)                                                                                    \
    static void run_s_cmp_##name##_i32(sim_wave *w, const sim_instruction *in) {                             \
        w->scc = (int32_t)sim_scalar32(w, &in->operands[0]) operator(int32_t) sim_scalar32(w, &in->operands[1]); \
    }                                                                                                        \
    static void run_s_cmp_##name##_u32(sim_wave *w, const sim_instruction *in) {                             \
        w->scc = sim_scalar32(w, &in->operands[0]) operator sim_scalar32(w, &in->operands[1]);               \
    }                                                                                                        \
    static void run_s_cmpk_##name##_i32(sim_wave *w, const sim_instruction *in) {                            \
        w->scc = (int32_t)sim_scalar32(w, &in->operands[0]) operator(int32_t)(int16_t) in->operands[1].value; \
    }                                                                                                        \
    static void run_s_cmpk_##name##_u32(sim_wave *w, const sim_instruction *in) {                            \
        w->scc = sim_scalar32(w, &in->operands[0]) operator(uint16_t) in->operands[1].value;                 \
    }
SCMP_LIST(X)
#undef X
static void run_s_cmp_eq_u64(sim_wave *w, const sim_instruction *in) {
    w->scc = sim_scalar64(w, &in->operands[0]) == sim_scalar64(w, &in->operands[1]);
}
static void run_s_cmp_lg_u64(sim_wave *w, const sim_instruction *in) {
    w->scc = sim_scalar64(w, &in->operands[0]) != sim_scalar64(w, &in->operands[1]);
}
static void run_s_bitcmp0_b32(sim_wave *w, const sim_instruction *in) {
    w->scc = !(sim_scalar32(w, &in->operands[0]) >> (sim_scalar32(w, &in->operands[1]) & 31) & 1);
}
static void run_s_bitcmp1_b32(sim_wave *w, const sim_instruction *in) {
    w->scc = sim_scalar32(w, &in->operands[0]) >> (sim_scalar32(w, &in->operands[1]) & 31) & 1;
}

/* ---- flow -------------------------------------------------------------------------------------------- */

#define BRANCH_LIST(X)                                                                                       \
    X(s_branch, true)                                                                                        \
    X(s_cbranch_scc0, !w->scc)                                                                               \
    X(s_cbranch_scc1, w->scc)                                                                                \
    X(s_cbranch_vccz, !w->s64[sim_vcc / 2])                                                                  \
    X(s_cbranch_vccnz, w->s64[sim_vcc / 2] != 0)                                                             \
    X(s_cbranch_execz, !sim_exec_of(w))                                                                      \
    X(s_cbranch_execnz, sim_exec_of(w) != 0)
#define X(name, condition)                                                                                   \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        w->pc = (condition) ? in->target : w->pc;                                                            \
    }
BRANCH_LIST(X)
#undef X

static void jump(sim_wave *w, const sim_instruction *in, uint64_t address) {
    const uint32_t index = sim_program_find(w->program, address - w->image);
    if (index == UINT32_MAX) {
        sim_fault(w, in, -1, "jump to 0x%llx, where there is no instruction", (unsigned long long)address);
    } else {
        w->pc = index;
    }
}
static uint64_t next_address(const sim_wave *w, const sim_instruction *in) {
    return w->image + in->address + in->bytes;
}
static void run_s_getpc_b64(sim_wave *w, const sim_instruction *in) {
    sim_scalar_write64(w, &in->operands[0], next_address(w, in));
}
static void run_s_setpc_b64(sim_wave *w, const sim_instruction *in) {
    jump(w, in, sim_scalar64(w, &in->operands[0]));
}
static void run_s_swappc_b64(sim_wave *w, const sim_instruction *in) {
    const uint64_t to = sim_scalar64(w, &in->operands[1]);
    sim_scalar_write64(w, &in->operands[0], next_address(w, in));
    jump(w, in, to);
}
static void run_s_endpgm(sim_wave *w, const sim_instruction *in) {
    (void)in;
    w->stop = SIM_ENDED;
}
/* A lane that another lane of its wave has left behind at a barrier must not come to one any more: hardware counts waves alone. */
static void run_s_barrier(sim_wave *w, const sim_instruction *in) {
    const uint64_t exec = sim_exec_of(w), late = w->behind & exec;
    if (w->wait && late) {
        sim_fault(w, in, __builtin_ctzll(late), "divergent barrier: this lane was not at the barrier at pc 0x%llx, where others of its wave were",
                  (unsigned long long)w->left_at->address);
        return;
    }
    if (w->lanes & ~exec) {
        w->behind |= w->lanes & ~exec;
        w->left_at = in;
    }
    w->stop = SIM_AT_BARRIER;
}
static void run_s_trap(sim_wave *w, const sim_instruction *in) {
    sim_fault(w, in, -1, "trap: the kernel stopped itself (abort, assert or __builtin_trap)");
}
static void run_nothing(sim_wave *w, const sim_instruction *in) {
    (void)w;
    (void)in;
}
/* Fences at agent or system scope have sc1. */
static void run_buffer_wbl2(sim_wave *w, const sim_instruction *in) {
    if (w->share && strstr(in->text, "sc1")) {
        sim_share_release(w, in);
    }
}
static void run_buffer_inv(sim_wave *w, const sim_instruction *in) {
    if (w->share && strstr(in->text, "sc1")) {
        sim_share_acquire(w);
    }
}
static void run_s_waitcnt(sim_wave *w, const sim_instruction *in) {
    sim_wait_until(w, (unsigned)in->value & 255, (unsigned)(in->value >> 8) & 255);
}

/* Register indexing: while it is on, vector instructions add M0's low byte to the register numbers that M0[15:12] names. */
static void run_s_set_gpr_idx_mode(sim_wave *w, const sim_instruction *in) {
    w->s[sim_m0] = (w->s[sim_m0] & 0xffff0fff) | (uint32_t)in->value << 12;
}
static void run_s_set_gpr_idx_on(sim_wave *w, const sim_instruction *in) {
    w->gpr_index = true;
    w->s[sim_m0] = (w->s[sim_m0] & 0xffffff00) | (sim_scalar32(w, &in->operands[0]) & 0xff);
    run_s_set_gpr_idx_mode(w, in);
}
static void run_s_set_gpr_idx_off(sim_wave *w, const sim_instruction *in) {
    (void)in;
    w->gpr_index = false;
}
static void run_s_set_gpr_idx_idx(sim_wave *w, const sim_instruction *in) {
    w->s[sim_m0] = (w->s[sim_m0] & 0xffffff00) | (sim_scalar32(w, &in->operands[0]) & 0xff);
}

/* Scalar registers by M0: the register that is meant, as an operand of its own. */
static bool indexed(sim_wave *w, const sim_instruction *in, int k, sim_instruction *moved) {
    *moved = *in;
    const sim_operand *o = &in->operands[k];
    const uint64_t reg = (uint64_t)o->reg + w->s[sim_m0];
    if (reg + o->count > sim_flat_scratch || reg % o->count) {
        sim_fault(w, in, -1, "scalar register index %u leads to s%llu, which there is not", w->s[sim_m0], (unsigned long long)reg);
        return false;
    }
    moved->operands[k].reg = (uint16_t)reg;
    if (w->wait && w->wait->pending) {
        sim_wait_check(w, moved);
    }
    return w->stop != SIM_FAULTED;
}
#define MOVREL_LIST(X)                                                                                       \
    X(s_movrels, 1)                                                                                          \
    X(s_movreld, 0)
#define X(name, k)                                                                                           \
    static void run_##name##_b32(sim_wave *w, const sim_instruction *in) {                                   \
        sim_instruction moved;                                                                               \
        if (indexed(w, in, k, &moved)) {                                                                     \
            sim_scalar_write32(w, &moved.operands[0], sim_scalar32(w, &moved.operands[1]));                  \
        }                                                                                                    \
    }                                                                                                        \
    static void run_##name##_b64(sim_wave *w, const sim_instruction *in) {                                   \
        sim_instruction moved;                                                                               \
        if (indexed(w, in, k, &moved)) {                                                                     \
            sim_scalar_write64(w, &moved.operands[0], sim_scalar64(w, &moved.operands[1]));                  \
        }                                                                                                    \
    }
MOVREL_LIST(X)
#undef X

/* MODE: FP16_OVFL may change, nothing else: not rounding (0 - 3), denormals (4 - 7), traps or skipping of vector instructions. */
static void run_s_setreg(sim_wave *w, const sim_instruction *in) {
    const unsigned offset = (unsigned)(in->value >> 8) & 31, width = (unsigned)(in->value >> 16) & 63;
    const uint32_t mask = (width >= 32 ? ~0u : (1u << width) - 1) << offset;
    const uint32_t value = sim_scalar32(w, &in->operands[0]) << offset & mask, mode = (w->mode & ~mask) | value;
    if (!(in->value & 1)) {
        sim_fault(w, in, -1, "not simulated: this hardware register");
    } else if ((mode ^ w->mode) & ~(uint32_t)sim_mode_fp16_ovfl) {
        sim_fault(w, in, -1, "not simulated: MODE 0x%x, it is 0x%x and only FP16_OVFL may change", mode, w->mode);
    } else {
        w->mode = mode;
    }
}

/* ---- scalar loads ------------------------------------------------------------------------------------ */

static void scalar_load(sim_wave *w, const sim_instruction *in, uint64_t base, unsigned words) {
    const sim_operand *to = &in->operands[0];
    const sim_operand *by = &in->operands[2]; /* a constant is signed, a register is not */
    const uint64_t offset = by->kind == SIM_OPERAND_CONSTANT ? by->value : sim_scalar32(w, by);
    const uint64_t address = (base + offset + (uint64_t)(int64_t)in->m.offset) & ~UINT64_C(3);
    if (sim_heap_check(w, in, -1, address, words * 4, 4) && (!w->share || sim_share_touch(w, in, -1, address, words * 4, words * 4, false))) {
        memcpy(&w->s[to->reg], (const void *)(uintptr_t)address, words * 4);
        if (w->undefined) {
            sim_undefined_load_scalar(w, in, to->reg, address, words);
        }
        sim_wait_scalar(w, to->reg, words);
    }
}
/* No time passes while instructions run: each counts for the four cycles in which a wave issues one. */
static void run_s_memtime(sim_wave *w, const sim_instruction *in) {
    w->s64[in->operands[0].reg / 2] = w->executed * sim_cost_wave_issue;
    sim_wait_scalar(w, in->operands[0].reg, 2);
}
/* 100 MHz. */
static void run_s_memrealtime(sim_wave *w, const sim_instruction *in) {
    w->s64[in->operands[0].reg / 2] = w->executed * sim_cost_wave_issue * 100 / sim_cost_clock_mhz;
    sim_wait_scalar(w, in->operands[0].reg, 2);
}
static void run_s_load(sim_wave *w, const sim_instruction *in) {
    scalar_load(w, in, sim_scalar64(w, &in->operands[1]), in->operands[0].count);
}
static void run_s_buffer_load(sim_wave *w, const sim_instruction *in) {
    const uint32_t *resource = &w->s[in->operands[1].reg];
    const uint64_t base = resource[0] | (uint64_t)(resource[1] & 0xffff) << 32;
    const uint32_t offset = sim_scalar32(w, &in->operands[2]) + (uint32_t)in->m.offset;
    if ((uint64_t)offset + in->operands[0].count * 4u > resource[2]) {
        memset(&w->s[in->operands[0].reg], 0, in->operands[0].count * 4u);
        return;
    }
    scalar_load(w, in, base, in->operands[0].count);
}

static const sim_row rows[] = {
#define X(name, compute, condition) {#name, "Si xi xi", run_##name, 0},
    S32_LIST(X)
#undef X
#define X(name, expression, sets_scc) {#name, "Sl xl xl", run_##name, 0},
    S64_LIST(X)
#undef X
#define X(name, expression) {#name, "Sl xl xi", run_##name, 0},
    SHIFT64_LIST(X)
#undef X
    {"s_bfe_u64", "Sl xl xi", run_s_bfe_u64, 0},
    {"s_bfe_i64", "Sl xl xi", run_s_bfe_i64, 0},
    {"s_bfm_b64", "Sl xi xi", run_s_bfm_b64, 0},
#define X(name, expression, condition) {#name, "Si xi", run_##name, 0},
    S1_LIST(X)
#undef X
    {"s_addk_i32", "Si n", run_s_addk_i32, 0},
#define X(name, expression, condition) {#name, "Sl xl", run_##name, 0},
    S1_64_LIST(X)
#undef X
#define X(name, expression, condition) {#name, "Si xl", run_##name, 0},
    S1_64_32_LIST(X)
#undef X
#define X(name, expression, destination) {#name, "Sl xl", run_##name, 0},
    SAVEEXEC_LIST(X)
#undef X
#define X(name, operator)                                                                                    \
    {"s_cmp_" #name "_i32", "xi xi", run_s_cmp_##name##_i32, 0},                                             \
    {"s_cmp_" #name "_u32", "xi xi", run_s_cmp_##name##_u32, 0},                                             \
    {"s_cmpk_" #name "_i32", "si n", run_s_cmpk_##name##_i32, 0},                                            \
    {"s_cmpk_" #name "_u32", "si n", run_s_cmpk_##name##_u32, 0},
    SCMP_LIST(X)
#undef X
    {"s_cmp_eq_u64", "xl xl", run_s_cmp_eq_u64, 0},
    {"s_cmp_lg_u64", "xl xl", run_s_cmp_lg_u64, 0},
    {"s_bitcmp0_b32", "xi xi", run_s_bitcmp0_b32, 0},
    {"s_bitcmp1_b32", "xi xi", run_s_bitcmp1_b32, 0},
#define X(name, condition) {#name, "", run_##name, SIM_ROW_BRANCH},
    BRANCH_LIST(X)
#undef X
    {"s_getpc_b64", "Sl", run_s_getpc_b64, 0},
    {"s_setpc_b64", "sl", run_s_setpc_b64, 0},
    {"s_swappc_b64", "Sl sl", run_s_swappc_b64, 0},
    {"s_endpgm", "", run_s_endpgm, SIM_ROW_TEXT},
    {"s_barrier", "", run_s_barrier, SIM_ROW_TEXT},
    {"s_trap", "", run_s_trap, SIM_ROW_TEXT},
    {"s_waitcnt", "", run_s_waitcnt, SIM_ROW_TEXT},
    {"s_setreg_imm32_b32", "", run_s_setreg, SIM_ROW_TEXT},
    {"s_setreg_b32", "", run_s_setreg, SIM_ROW_TEXT},
    {"s_set_gpr_idx_on", "si", run_s_set_gpr_idx_on, SIM_ROW_TEXT},
    {"s_set_gpr_idx_off", "", run_s_set_gpr_idx_off, SIM_ROW_TEXT},
    {"s_set_gpr_idx_mode", "", run_s_set_gpr_idx_mode, SIM_ROW_TEXT},
    {"s_set_gpr_idx_idx", "si", run_s_set_gpr_idx_idx, 0},
    {"s_movrels_b32", "Si si", run_s_movrels_b32, 0},
    {"s_movrels_b64", "Sl sl", run_s_movrels_b64, 0},
    {"s_movreld_b32", "Si xi", run_s_movreld_b32, 0},
    {"s_movreld_b64", "Sl xl", run_s_movreld_b64, 0},
    {"s_nop", "", run_nothing, SIM_ROW_TEXT},
    {"s_sleep", "", run_nothing, SIM_ROW_TEXT},
    {"s_setprio", "", run_nothing, SIM_ROW_TEXT},
    {"s_sethalt", "", run_nothing, SIM_ROW_TEXT},
    {"s_wakeup", "", run_nothing, SIM_ROW_TEXT},
    {"s_icache_inv", "", run_nothing, SIM_ROW_TEXT},
    {"s_dcache_inv", "", run_nothing, SIM_ROW_TEXT},
    {"s_dcache_wb", "", run_nothing, SIM_ROW_TEXT},
    {"buffer_wbl2", "", run_buffer_wbl2, SIM_ROW_TEXT},
    {"buffer_inv", "", run_buffer_inv, SIM_ROW_TEXT},
    {"s_memtime", "Sb2", run_s_memtime, SIM_ROW_LGKM},
    {"s_memrealtime", "Sb2", run_s_memrealtime, SIM_ROW_LGKM},
    {"s_load_dword", "Sb1 sl xi", run_s_load, SIM_ROW_MEMORY | SIM_ROW_LGKM},
    {"s_load_dwordx2", "Sb2 sl xi", run_s_load, SIM_ROW_MEMORY | SIM_ROW_LGKM},
    {"s_load_dwordx4", "Sb4 sl xi", run_s_load, SIM_ROW_MEMORY | SIM_ROW_LGKM},
    {"s_load_dwordx8", "Sb8 sl xi", run_s_load, SIM_ROW_MEMORY | SIM_ROW_LGKM},
    {"s_load_dwordx16", "Sb16 sl xi", run_s_load, SIM_ROW_MEMORY | SIM_ROW_LGKM},
    {"s_buffer_load_dword", "Sb1 sb4 xi", run_s_buffer_load, SIM_ROW_MEMORY | SIM_ROW_LGKM},
    {"s_buffer_load_dwordx2", "Sb2 sb4 xi", run_s_buffer_load, SIM_ROW_MEMORY | SIM_ROW_LGKM},
    {"s_buffer_load_dwordx4", "Sb4 sb4 xi", run_s_buffer_load, SIM_ROW_MEMORY | SIM_ROW_LGKM},
    {"s_buffer_load_dwordx8", "Sb8 sb4 xi", run_s_buffer_load, SIM_ROW_MEMORY | SIM_ROW_LGKM},
    {"s_buffer_load_dwordx16", "Sb16 sb4 xi", run_s_buffer_load, SIM_ROW_MEMORY | SIM_ROW_LGKM},
};
SIM_DEFINE_TABLE(sim_scalar);
