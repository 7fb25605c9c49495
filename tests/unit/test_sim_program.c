/* Decoding and single instructions: the tables hold together, what is unknown stops the wave and says why. */
#include "sim_operands.h"
#include "sim_program.h"
#include "sim_wait.h"

#include "memory.h"

#include <criterion/criterion.h>
#include <stdio.h>

static sim_program program;
static sim_wave *w;
static sim_group group;

static void setup(void) {
    w = fsattn_alloc_aligned(64, 1, sizeof *w);
    memset(w, 0, sizeof *w);
    w->group = &group;
    w->s64[sim_exec / 2] = UINT64_MAX;
}
static void teardown(void) {
    fsattn_free(w);
}
TestSuite(sim_program, .init = setup, .fini = teardown);

/* Runs one instruction. */
static void run(const char *text) {
    char line[512];
    fsattn_err err = {0};
    snprintf(line, sizeof line, "100 4 %s\n", text);
    cr_assert_eq(sim_program_init(&program, "test", line, &err), FSATTN_OK, "%s", err.message);
    w->program = &program;
    w->stop = SIM_RUNNING;
    w->fault[0] = '\0';
    program.instructions[0].run(w, &program.instructions[0]);
    sim_program_fini(&program);
}
static uint32_t lane(unsigned reg, int i) {
    return w->v[reg][i];
}

Test(sim_program, every_mnemonic_has_one_row) {
    size_t rows = 0;
    for (const sim_table *const *a = sim_program_tables(); *a; a++) {
        for (size_t i = 0; i < (*a)->count; i++) {
            rows++;
            cr_assert_not_null((*a)->rows[i].run);
            cr_assert_not_null((*a)->rows[i].pattern);
            for (const sim_table *const *b = a; *b; b++) {
                for (size_t k = *b == *a ? i + 1 : 0; k < (*b)->count; k++) {
                    cr_assert_str_neq((*a)->rows[i].mnemonic, (*b)->rows[k].mnemonic, "%s", (*a)->rows[i].mnemonic);
                }
            }
        }
    }
    cr_assert_gt(rows, 600u);
}

Test(sim_program, what_is_unknown_stops_the_wave) {
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"v_frobnicate_b32 v1, v2", "no such instruction"},
        {"v_add_f32_e32 v1, v2", "missing operand"},
        {"v_add_f32_e32 v1, v2, v3, v4", "unknown modifier"},
        {"v_add_f32_e32 v1, v2, v3 frob:3", "unknown modifier 'frob:3'"},
        {"v_add_f64 v[0:1], v[2:3], v4", "unexpected operand 'v4'"},
        {"v_add_f32_e32 s1, v2, v3", "unexpected operand 's1'"},
        {"v_mov_b32_e32 v1, v256", "unexpected operand 'v256'"},
        {"v_and_b32_e32 v1, v2, v3 clamp", "unknown modifier 'clamp'"},
        {"s_cbranch_scc0 5 => 7777", "a branch to no instruction"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run(cases[i].text);
        cr_assert_eq(w->stop, SIM_FAULTED, "%s", cases[i].text);
        cr_assert_not_null(strstr(w->fault, cases[i].reason), "%s: %s", cases[i].text, w->fault);
    }
    fsattn_err err;
    cr_assert_eq(sim_program_init(&program, "test", "what is this\n", &err), FSATTN_CORRUPT);
    cr_assert_not_null(strstr(err.message, "test: line 1"));
    cr_assert_eq(sim_program_init(&program, "test", "", &err), FSATTN_CORRUPT);
}

Test(sim_program, inactive_lanes_are_left_alone) {
    w->s64[sim_exec / 2] = 5;
    run("v_mov_b32_e32 v1, 7");
    cr_assert(lane(1, 0) == 7 && lane(1, 1) == 0 && lane(1, 2) == 7 && lane(1, 3) == 0);
    w->s64[sim_exec / 2] = UINT64_MAX;
    run("v_cmp_eq_u32_e32 vcc, 7, v1");
    cr_assert_eq(w->s64[sim_vcc / 2], 5u);
}

Test(sim_program, constants_have_the_type_of_their_operand) {
    run("v_mov_b32_e32 v1, 1.0");
    cr_assert_eq(lane(1, 0), 0x3f800000u);
    run("v_add_f64 v[2:3], 1.0, 0");
    cr_assert(lane(2, 5) == 0 && lane(3, 5) == 0x3ff00000u);
    run("v_add_f64 v[2:3], 0x40080000, 0");
    cr_assert_eq(lane(3, 5), 0x40080000u);
    run("v_add_f16_e32 v4, 1.0, v5");
    cr_assert_eq(lane(4, 0), 0x3c00u);
    run("s_mov_b64 s[4:5], -1");
    cr_assert(w->s[4] == ~0u && w->s[5] == ~0u);
    run("s_movk_i32 s6, 0xff80");
    cr_assert_eq(w->s[6], 0xffffff80u);
    run("s_add_u32 s6, s6, lit(0x80)");
    cr_assert(w->s[6] == 0 && w->scc == 1);
}

Test(sim_program, modifiers_do_what_they_say) {
    w->v[1][0] = sim_u32(-3.0f);
    run("v_add_f32_e64 v2, |v1|, -v1");
    cr_assert_eq(lane(2, 0), sim_u32(6.0f));
    run("v_mul_f32_e64 v2, v1, -1.0 clamp");
    cr_assert_eq(lane(2, 0), sim_u32(1.0f));
    run("v_mul_f32_e64 v2, v1, 1.0 mul:4");
    cr_assert_eq(lane(2, 0), sim_u32(-12.0f));
    w->v[3][0] = 0x80c0a0ff;
    run("v_or_b32_sdwa v4, v3, v5 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:DWORD");
    cr_assert_eq(lane(4, 0), 0xa0u);
    for (int i = 0; i < sim_lanes; i++) {
        w->v[6][i] = (uint32_t)i;
        w->v[7][i] = 99;
    }
    run("v_mov_b32_dpp v7, v6 row_shr:1 row_mask:0xf bank_mask:0xf");
    cr_assert(lane(7, 0) == 99 && lane(7, 1) == 0 && lane(7, 16) == 99 && lane(7, 17) == 16);
    run("v_mov_b32_dpp v7, v6 quad_perm:[3,2,1,0] row_mask:0xf bank_mask:0xf");
    cr_assert(lane(7, 0) == 3 && lane(7, 5) == 6);
    run("v_pk_add_u16 v8, v3, v3 op_sel:[1,0] op_sel_hi:[0,1]");
    cr_assert_eq(lane(8, 0), ((0x80c0u + 0xa0ffu) & 0xffff) | (uint32_t)(0xa0ff + 0x80c0) << 16);
    w->v[9][0] = 0x00018000;
    w->v[10][0] = 0x00020001;
    run("v_pk_sub_u16 v8, v9, v10 clamp");
    cr_assert_eq(lane(8, 0), 0x00007fffu);
    run("v_pk_sub_i16 v8, v9, v10 clamp");
    cr_assert_eq(lane(8, 0), 0xffff8000u);
    run("v_pk_sub_u16 v8, v9, v10");
    cr_assert_eq(lane(8, 0), 0xffff7fffu);
}

/* A wait in time is silent, a missing one is named. */
Test(sim_program, results_count_only_after_their_wait) {
    sim_wait wait = {0};
    w->wait = &wait;
    sim_wait_vector(w, 3, 1);
    sim_wait_vector(w, 4, 1);
    fsattn_err err;
    cr_assert_eq(sim_program_init(&program, "test", "100 4 v_add_u32_e32 v1, v3, v2\n104 4 v_add_u32_e32 v1, v4, v2\n", &err), FSATTN_OK);
    w->program = &program;
    sim_wait_until(w, 1, 255);
    sim_wait_check(w, &program.instructions[0]);
    cr_assert_eq(w->stop, SIM_RUNNING);
    sim_wait_check(w, &program.instructions[1]);
    cr_assert_eq(w->stop, SIM_FAULTED);
    cr_assert_str_eq(w->fault, "v4 is read before s_waitcnt vmcnt covers the load that fills it");
    sim_program_fini(&program);
    w->wait = NULL;
}

/* Every half rounds to itself, and halfway cases go to even. */
Test(sim_program, halves_round_to_nearest_even) {
    for (uint32_t bits = 0; bits < 65536; bits++) {
        const float value = sim_half_to_f32(bits);
        if (value == value) {
            cr_assert_eq(sim_half_from_f64((double)value), bits, "%x", bits);
        }
    }
    cr_assert_eq(sim_half_from_f64(1.0 + 0x1p-11), 0x3c00u);
    cr_assert_eq(sim_half_from_f64(1.0 + 0x1p-11 + 0x1p-40), 0x3c01u);
    cr_assert_eq(sim_half_from_f64(65519.99), 0x7bffu);
    cr_assert_eq(sim_half_from_f64(65520.0), 0x7c00u);
    cr_assert_eq(sim_half_from_f64(0x1p-25), 0u);
    cr_assert_eq(sim_half_from_f64(0x1.8p-25), 1u);
}
