/* Chains of GPU kernels: what is refused, how large the workspace is, which grids and arguments the stages get. */
#include "gpu_chain.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

enum { stage_count = 3 };
typedef struct chain_fixture {
    fsattn_attribute attributes[stage_count][4];
    fsattn_stage stages[stage_count];
} chain_fixture;

static void make_chain(chain_fixture *f) {
    static const char *const rules[] = {"pack_q", "pack_k", "query_tiles"};
    for (size_t i = 0; i < stage_count; i++) {
        f->attributes[i][0] = (fsattn_attribute){"k_tile_bytes", "12800"};
        f->attributes[i][1] = (fsattn_attribute){"pack_layout", "mxfp6-mxfp6-bit2-n128-d128"};
        f->attributes[i][2] = (fsattn_attribute){"q_group_bytes", "3328"};
        f->attributes[i][3] = (fsattn_attribute){"v_tile_bytes", "12800"};
        f->stages[i] = (fsattn_stage){.name = "stage", .entry = rules[i], .work_items = rules[i], .tile_m = i == 2 ? 256 : 64, .tile_n = 128,
                                      .threads = i == 2 ? 512 : 256, .attributes = f->attributes[i], .attribute_count = 4};
    }
}

static void refuse(const chain_fixture *f, size_t count, const char *part) {
    fsattn_gpu_chain chain;
    fsattn_err err = {0};
    cr_expect_eq(fsattn_gpu_chain_read(f->stages, count, &chain, &err), FSATTN_UNSUPPORTED, "%s", part);
    cr_expect_not_null(strstr(err.message, part), "'%s' in '%s'", part, err.message);
}

Test(gpu_chain, stages_that_do_not_fit_together_are_refused) {
    chain_fixture f;
    fsattn_gpu_chain chain;
    fsattn_err err = {0};
    make_chain(&f);
    cr_assert_eq(fsattn_gpu_chain_read(f.stages, stage_count, &chain, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(chain.q_group_bytes, 3328);
    refuse(&f, 0, "is a chain of 0 kernels");
    refuse(&f, 2, "attention is the last stage");
    f.attributes[2][1].value = "mxfp4-mxfp6-bit2-n128-d128";
    refuse(&f, stage_count, "takes operands packed as mxfp4-mxfp6-bit2-n128-d128, the stages before it make mxfp6-mxfp6-bit2-n128-d128");
    make_chain(&f);
    f.attributes[1][0].value = "8704";
    refuse(&f, stage_count, "k_tile_bytes 8704, the stage before it 12800");
    make_chain(&f);
    f.attributes[1][3].value = "12800x";
    refuse(&f, stage_count, "no sound v_tile_bytes ('12800x')");
    make_chain(&f);
    f.stages[0].attribute_count = 1;
    refuse(&f, stage_count, "does not name the layout");
    make_chain(&f);
    f.stages[0].work_items = "pack_z";
    refuse(&f, stage_count, "rule 'pack_z'");
    make_chain(&f);
    f.stages[1].threads = 0;
    refuse(&f, stage_count, "0 threads");
}

Test(gpu_chain, workspace_and_grids_follow_from_the_problem) {
    chain_fixture f;
    fsattn_gpu_chain chain;
    fsattn_gpu_workspace w;
    fsattn_problem p;
    make_chain(&f);
    cr_assert_eq(fsattn_gpu_chain_read(f.stages, stage_count, &chain, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_problem_parse("b=2 hq=4 hkv=2 sq=257 sk=129 q=bf16 kv=bf16 o=bf16", &p, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_gpu_workspace_of(&chain, &p, &w, NULL), FSATTN_OK);
    cr_expect_eq(w.q_bytes, 2 * 4 * 9 * 3328);
    cr_expect_eq(w.k_bytes, 2 * 2 * 2 * 12800);
    cr_expect_eq(w.v_bytes, w.k_bytes);
    cr_expect(w.k >= w.q + w.q_bytes && w.v >= w.k + w.k_bytes && w.v_scale + sizeof(float) <= w.bytes);
    cr_expect_eq(w.k % 256 + w.v % 256 + w.partials % 256 + w.v_scale % 256, 0);
    cr_expect_eq(fsattn_gpu_stage_blocks(&chain.stages[0], &p), 2 * 4 * 5); /* 288 rows of a head, 64 a block */
    cr_expect_eq(fsattn_gpu_stage_blocks(&chain.stages[1], &p), 2 * 2 * 4);
    cr_expect_eq(fsattn_gpu_stage_blocks(&chain.stages[2], &p), 2 * 4 * 2);

    fsattn_gpu_arguments arguments;
    fsattn_launch launch;
    char memory[1], k[1];
    const fsattn_gpu_operands at = {.k = {k, 11, 12, 13}, .workspace = memory};
    cr_assert_eq(fsattn_gpu_stage_launch(&chain, 1, &p, &at, &arguments, &launch, NULL), FSATTN_OK);
    cr_expect_eq(launch.grid[0], 2 * 2 * 4);
    cr_expect_eq(launch.block[0], 256);
    cr_expect_eq(arguments.quantize.x, (const void *)k);
    cr_expect_eq(arguments.quantize.stride_h, 12);
    cr_expect_eq((char *)arguments.quantize.packed - memory, (ptrdiff_t)w.k);
    cr_expect_eq(arguments.quantize.heads, 2);
}

Test(gpu_chain, rows_that_kernels_cannot_read_are_refused) {
    fsattn_problem p;
    fsattn_err err = {0};
    _Alignas(16) char memory[64];
    fsattn_gpu_operands at = {.q = {memory, 256, 128, 128}, .k = {memory, 256, 128, 128}, .v = {memory, 256, 128, 128}, .o = {memory, 256, 128, 128}};
    cr_assert_eq(fsattn_problem_parse("q=bf16 kv=bf16 o=bf16", &p, NULL), FSATTN_OK);
    cr_expect_eq(fsattn_gpu_operands_check(&p, &at, &err), FSATTN_OK, "%s", err.message);
    at.v.stride_s = 129;
    cr_expect_eq(fsattn_gpu_operands_check(&p, &at, &err), FSATTN_INVALID);
    cr_expect(strstr(err.message, "arguments.v") && strstr(err.hint, "even"), "%s; %s", err.message, err.hint);
    at.v.stride_s = 128;
    at.o.data = memory + 2;
    cr_expect_eq(fsattn_gpu_operands_check(&p, &at, &err), FSATTN_INVALID);
    cr_expect(strstr(err.message, "arguments.o"), "%s", err.message);
}

Test(gpu_chain, what_no_launch_can_have_is_refused) {
    chain_fixture f;
    fsattn_gpu_chain chain;
    fsattn_gpu_workspace w;
    fsattn_gpu_arguments arguments;
    fsattn_launch launch;
    fsattn_problem p;
    const fsattn_gpu_operands at = {.workspace = NULL};
    make_chain(&f);
    cr_assert_eq(fsattn_gpu_chain_read(f.stages, stage_count, &chain, NULL), FSATTN_OK);
    fsattn_problem_init(&p);
    p.batch = INT64_MAX / 4;
    p.s_q = p.s_k = 1 << 20;
    cr_expect_eq(fsattn_gpu_workspace_of(&chain, &p, &w, NULL), FSATTN_UNSUPPORTED);
    p.batch = 1 << 16;
    cr_expect_eq(fsattn_gpu_stage_blocks(&chain.stages[2], &p), 0);
    cr_expect_eq(fsattn_gpu_stage_launch(&chain, 2, &p, &at, &arguments, &launch, NULL), FSATTN_UNSUPPORTED);
}
