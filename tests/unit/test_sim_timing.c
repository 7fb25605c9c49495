/* The time model on short sequences whose cycles can be counted by hand from the table of sim_cost.h. */
#include "file.h"
#include "memory.h"
#include "sim_operands.h"
#include "sim_program.h"
#include "sim_timing.h"
#include "text.h"

#include <criterion/criterion.h>
#include <stdio.h>

enum { groups_max = 2, waves_max = 8 };
static sim_program program;
static sim_wave *w;
static sim_group group;
static sim_trace traces[groups_max];

static void setup(void) {
    w = fsattn_alloc_aligned(64, 1, sizeof *w);
    memset(w, 0, sizeof *w);
    w->group = &group;
    w->s64[sim_exec / 2] = UINT64_MAX;
}
static void teardown(void) {
    for (int g = 0; g < groups_max; g++) {
        sim_trace_fini(&traces[g]);
    }
    sim_program_fini(&program);
    fsattn_free(w);
}
TestSuite(sim_timing, .init = setup, .fini = teardown);

/* The program: instructions separated by ";". */
static void assemble(const char *text) {
    fsattn_text lines = {0};
    fsattn_err err = {0};
    unsigned address = 0;
    for (const char *at = text; *at; address += 4) {
        const size_t length = strcspn(at, ";");
        fsattn_text_printf(&lines, "%x 4 %.*s\n", address, (int)length, at);
        at += length + (at[length] == ';');
    }
    cr_assert_eq(sim_program_init(&program, "test", lines.data, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(program.unknown, 0u, "%s", text);
    fsattn_text_fini(&lines);
}
/* A wave of a workgroup executes instructions `from` .. `to` - 1. */
static void executes(int g, uint32_t wave, uint32_t from, uint32_t to) {
    sim_trace *t = &traces[g];
    if (!t->waves) {
        *t = (sim_trace){.program = &program, .waves = fsattn_alloc(waves_max, sizeof *t->waves), .wave_count = waves_max};
    }
    for (uint32_t i = from; i < to; i++) {
        sim_trace_record(&t->waves[wave], w, &program.instructions[i], i);
        t->executed++;
        t->recorded++;
    }
}
static sim_replay replay(sim_bound bound) {
    const sim_trace *groups[groups_max] = {&traces[0], &traces[1]};
    sim_replay r;
    uint64_t stalls = 0;
    cr_assert(sim_replay_run(groups, traces[1].waves ? 2 : 1, bound, true, NULL, &r));
    for (int i = 0; i < sim_stalls; i++) {
        stalls += r.stalls[i];
    }
    cr_assert_eq(r.wave_cycles, r.issue_cycles + stalls, "every cycle of a wave has one reason");
    return r;
}
/* `text` by `waves` waves of one workgroup. */
static uint64_t cycles(const char *text, uint32_t waves, sim_bound bound) {
    teardown();
    setup();
    assemble(text);
    for (uint32_t i = 0; i < waves; i++) {
        executes(0, i, 0, (uint32_t)program.count);
    }
    return replay(bound).cycles;
}

#define FMA "v_fma_f32 v1, v1, v1, v1;"
#define OTHER(n) "v_fma_f32 v" #n ", v0, v0, v0;"
Test(sim_timing, vector_instructions) {
    /* Issued every 4 cycles, the last one's own 4 included; 8 until a result may be read. */
    cr_expect_eq(cycles(OTHER(1) OTHER(2) OTHER(3), 1, SIM_PESSIMISTIC), 12u);
    cr_expect_eq(cycles(FMA FMA FMA, 1, SIM_PESSIMISTIC), 2 * 8 + 4u);
    cr_expect_eq(cycles(FMA FMA FMA, 4, SIM_PESSIMISTIC), 2 * 8 + 4u, "a SIMD each");
    cr_expect_eq(cycles(FMA FMA FMA, 8, SIM_PESSIMISTIC), 2 * 8 + 4 + 4u, "two waves fill each other's gaps");
    cr_expect_eq(cycles("v_exp_f32 v1, v0;v_exp_f32 v2, v0;", 1, SIM_PESSIMISTIC), 8 + 4u);
    cr_expect_eq(cycles("s_nop 3;" OTHER(1), 1, SIM_PESSIMISTIC), 16 + 4u);
    cr_expect_eq(cycles("s_mov_b32 s0, 1;s_mov_b32 s1, s0;", 1, SIM_PESSIMISTIC), 8u);
}

#define MFMA16(d, c) "v_mfma_f32_16x16x32_bf16 v[" d "], v[0:3], v[4:7], v[" c "];"
#define MFMA32(d, c) "v_mfma_f32_32x32x16_bf16 v[" d "], v[0:3], v[4:7], v[" c "];"
Test(sim_timing, matrix_instructions) {
    cr_expect_eq(cycles(MFMA16("8:11", "8:11") MFMA16("12:15", "12:15"), 1, SIM_PESSIMISTIC), 16 + 4u);
    cr_expect_eq(cycles(MFMA16("8:11", "8:11") MFMA16("8:11", "8:11"), 1, SIM_PESSIMISTIC), 18 + 4u, "chained through C");
    cr_expect_eq(cycles(MFMA16("8:11", "8:11") "v_mov_b32 v20, v8;", 1, SIM_PESSIMISTIC), 16 + 20 + 4u, "8 wait states");
    cr_expect_eq(cycles("v_mov_b32 v0, v9;" MFMA16("8:11", "8:11"), 1, SIM_PESSIMISTIC), 12 + 4u, "two wait states");
    cr_expect_eq(cycles(MFMA32("16:31", "16:31") OTHER(40), 1, SIM_PESSIMISTIC), 8 + 4u, "24 of 32 cycles let others pass");
    cr_expect_eq(cycles(MFMA32("16:31", "16:31") "v_pk_mul_f32 v[40:41], v[42:43], v[42:43];", 1, SIM_PESSIMISTIC), 32 + 4u);
}

#define SCALED "v_mfma_scale_f32_32x32x64_f8f6f4 v[16:31], v[0:5], v[6:11], v[16:31], v12, v13 cbsz:2 blgp:2;"
#define SCALED8 "v_mfma_scale_f32_32x32x64_f8f6f4 v[16:31], v[0:7], v[8:15], v[16:31], v12, v13;"
Test(sim_timing, what_is_unknown_has_two_figures) {
    cr_expect_eq(cycles(SCALED OTHER(40), 1, SIM_PESSIMISTIC), 32 + 4u);
    cr_expect_eq(cycles(SCALED OTHER(40), 1, SIM_OPTIMISTIC), 8 + 4u);
    cr_expect_eq(cycles(SCALED8 OTHER(40), 1, SIM_PESSIMISTIC), 64 + 4u, "FP8 takes twice as long");
    const char *convert = "v_cvt_scalef32_pk32_fp6_bf16 v[50:55], v[10:25], v30;" OTHER(40);
    cr_expect_eq(cycles(convert, 1, SIM_PESSIMISTIC), 64 + 4u);
    cr_expect_eq(cycles(convert, 1, SIM_OPTIMISTIC), 16 + 4u);
}

Test(sim_timing, banks_of_lds) {
    uint32_t address[sim_lanes];
    static const struct {
        sim_lds_shape shape;
        uint32_t stride;
        unsigned cycles;
    } cases[] = {
        {SIM_LDS_READ_128, 16, 4},   {SIM_LDS_READ_128, 0, 4},     {SIM_LDS_READ_128, 256, 64}, {SIM_LDS_READ_64, 8, 2},
        {SIM_LDS_READ_64, 256, 64},  {SIM_LDS_READ_32, 4, 2},      {SIM_LDS_READ_32, 8, 4},     {SIM_LDS_READ_32, 128, 64},
        {SIM_LDS_WRITE_64, 8, 4},    {SIM_LDS_WRITE_128, 16, 8},   {SIM_LDS_READ_96, 16, 8},    {SIM_LDS_ATOMIC, 0, 64},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        SIM_EACH_LANE(i) {
            address[i] = (uint32_t)i * cases[k].stride;
        }
        cr_expect_eq(sim_trace_lds_cycles(cases[k].shape, address, UINT64_MAX), cases[k].cycles, "case %zu: %u", k,
                     sim_trace_lds_cycles(cases[k].shape, address, UINT64_MAX));
    }
    cr_expect_eq(sim_trace_lds_cycles(SIM_LDS_READ_128, address, 0xf), 1u, "four lanes are one phase");
}

Test(sim_timing, waits) {
    SIM_EACH_LANE(i) {
        w->v[0][i] = (uint32_t)i * 16;
    }
    assemble("ds_read_b128 v[4:7], v0;s_waitcnt lgkmcnt(0);" OTHER(1));
    executes(0, 0, 0, 3);
    sim_replay r = replay(SIM_PESSIMISTIC);
    cr_expect_eq(r.cycles, 69 + 4 + 4u, "%llu", (unsigned long long)r.cycles);
    cr_expect_eq(r.stalls[SIM_STALL_LGKMCNT], 69 - 4u);
    teardown();
    setup();
    assemble("global_load_dword v4, v0, s[2:3];s_waitcnt vmcnt(0);global_load_dword v5, v0, s[2:3];s_waitcnt vmcnt(0)");
    executes(0, 0, 0, 4);
    r = replay(SIM_PESSIMISTIC);
    /* One line: Infinity Cache, then L1. */
    cr_expect_eq(r.cycles, 550 + 4 + 120 + 4u, "%llu", (unsigned long long)r.cycles);
    cr_expect_eq(r.misses, 1u);
    cr_expect_eq(r.hits_l1, 1u);
}

Test(sim_timing, barriers_and_priorities) {
    assemble("s_nop 15;s_nop 15;s_barrier;" OTHER(1) "s_setprio 1;" FMA OTHER(2) OTHER(3) OTHER(4));
    executes(0, 0, 0, 4); /* late by 128 cycles */
    executes(0, 1, 2, 4);
    sim_replay r = replay(SIM_PESSIMISTIC);
    cr_expect_eq(r.cycles, 128 + 8 + 4u, "%llu", (unsigned long long)r.cycles);
    cr_expect_eq(r.stalls[SIM_STALL_BARRIER], (128 + 8 - 4) + (8 - 4u));
    /* On one SIMD, the second workgroup's waves with and without priority. */
    uint64_t ends[2];
    for (uint32_t priority = 0; priority < 2; priority++) {
        sim_trace_fini(&traces[0]);
        sim_trace_fini(&traces[1]);
        for (uint32_t wave = 0; wave < 4; wave++) {
            executes(0, wave, 6, 9);
            executes(0, wave, 6, 9);
            executes(1, wave, priority ? 4 : 5, 9);
        }
        ends[priority] = replay(SIM_PESSIMISTIC).group_cycles[1];
    }
    cr_expect_lt(ends[1], ends[0], "%llu, %llu", (unsigned long long)ends[0], (unsigned long long)ends[1]);
}

Test(sim_timing, occupancy_and_grid) {
    const fsattn_code_kernel info = {.vgprs = 100};
    cr_expect_eq(sim_timing_resident(&info, 8, 0), 2u, "104 registers: four waves of a SIMD");
    cr_expect_eq(sim_timing_resident(&info, 8, 100000), 1u, "LDS");
    cr_expect_eq(sim_timing_resident(&(fsattn_code_kernel){.vgprs = 32}, 4, 0), 8u, "eight waves of a SIMD");
    assemble(FMA FMA FMA FMA);
    executes(0, 0, 0, 4);
    double last = 0;
    static const struct {
        uint64_t groups;
        double cycles;
    } cases[] = {{1, 28}, {256, 28}, {512, 28}, {513, 56}, {1025, 84}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        sim_timing timing;
        const sim_timing_input input = {.traces = traces, .trace_count = 1, .ran = 1, .groups = cases[k].groups, .resident = 2, .near = true};
        cr_assert(sim_timing_run(&input, &timing));
        cr_expect_eq(timing.cycles[0], cases[k].cycles, "%llu workgroups: %g", (unsigned long long)cases[k].groups, timing.cycles[0]);
        cr_expect_geq(timing.cycles[0], last);
        last = timing.cycles[0];
    }
}

/* The table in the document is the one that the model uses, and each constant has a source or says that it is assumed. */
Test(sim_timing, the_document_has_the_constants) {
    char *document;
    size_t bytes, rows = 0, listed = 0;
    cr_assert_eq(fsattn_file_read(FSATTN_SOURCE_DIR "/docs/simulator.md", 1 << 20, &document, &bytes, NULL), FSATTN_OK);
    for (const sim_cost_source *c = sim_cost_sources(); c->name; c++, rows++) {
        fsattn_text row = {0};
        const bool two = c->values[SIM_PESSIMISTIC] != c->values[SIM_OPTIMISTIC];
        fsattn_text_printf(&row, "| `%s` | %u", c->name, c->values[SIM_PESSIMISTIC]);
        if (two) {
            fsattn_text_printf(&row, " or %u", c->values[SIM_OPTIMISTIC]);
        }
        fsattn_text_printf(&row, " | %s |\n", c->source);
        cr_expect(strstr(document, row.data), "%s", row.data);
        cr_expect(strlen(c->source) > 10, "%s: no source", c->name);
        cr_expect(!two || strstr(c->source, "assumed"), "%s: two values of something that is known", c->name);
        fsattn_text_fini(&row);
    }
    const char *table = strstr(document, "| constant | value | source |");
    const char *end = table ? strstr(table, "\n\n") : NULL;
    for (const char *at = table; at && end && (at = strstr(at, "\n| `")) && at < end; at++) {
        listed++;
    }
    cr_assert_eq(listed, rows);
    fsattn_free(document);
}
