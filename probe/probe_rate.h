/* probe_rate.h - probes of time: cycles of instructions, and how much vector work goes beside matrix instructions.
 *
 * A rate is made from the times of one to three loops (kernels/rates.hip), each the difference of two runs of which one is twice as long, so that what a
 * launch costs cancels. Cycles are counted by the GPU (s_memtime); on a simulator they are its modelled time. Outcomes become
 * constants that the simulator reads (sim_facts.h), but only when they were measured: a model's own time is no news to it. */
#ifndef PROBE_RATE_H
#define PROBE_RATE_H

#include "probe.h"

/* What runs in a kernel that has both kinds of instructions (kernels/rates.hip). */
enum { probe_matrix_runs = 1, probe_vector_runs = 2, probe_both_run = 3 };

/* X(name, fact, constant, least, most, kind, timings). The constant is that of sim_cost.h; NULL: for people. Timings are an entry and how many
 * instructions a SIMD issues in a turn: of CYCLES one; of CHAIN the dependent and the independent ones, whose difference counts; of
 * BLOCKS one kernel with both kinds of instructions, the vector ones and the matrix ones. */
#define PROBE_RATE_LIST(X)                                                                                         \
    X(rate_vector, "simulator.md: a vector instruction takes 4 cycles", "vector", 4, 4, CYCLES, PROBE_TIMED(rate_fma, 256)) \
    X(rate_packed_float, "simulator.md: packed FP32, 2 elements in the same 4 cycles", "packed_float", 4, 4, CYCLES, PROBE_TIMED(rate_pk_fma, 256)) \
    X(rate_exp, "simulator.md: transcendental 8 cycles", "transcendental", 8, 8, CYCLES, PROBE_TIMED(rate_exp, 256)) \
    X(rate_pknorm, "simulator.md: rate of v_cvt_pknorm_u16_f32, not published", "pknorm", 4, 4, CYCLES, PROBE_TIMED(rate_pknorm, 256)) \
    X(rate_pk_max, "simulator.md: rate of packed maxima, not published", "packed_maximum", 4, 4, CYCLES, PROBE_TIMED(rate_pk_max, 256)) \
    X(rate_maximum3, "simulator.md: rate of packed maxima, not published", "maximum3", 4, 4, CYCLES, PROBE_TIMED(rate_maximum3, 256)) \
    X(rate_maximum3_f32, "simulator.md: a vector instruction takes 4 cycles", NULL, 4, 4, CYCLES, PROBE_TIMED(rate_maximum3_f32, 256)) \
    X(rate_multiply_32, "docs/simulator.md: v_mul_lo_u32 16 cycles", "multiply_32", 16, 16, CYCLES, PROBE_TIMED(rate_multiply, 256)) \
    X(rate_permlane, "simulator.md: permlane swap 20 cycles", "permlane_swap", 20, 20, CYCLES, PROBE_TIMED(rate_permlane, 256)) \
    X(rate_convert_2, "docs/simulator.md: conversions of two elements as other vector instructions, not published", "convert_2", 4, 4, CYCLES, PROBE_TIMED(rate_pk_fp8, 256)) \
    X(rate_convert_2_fp4, "docs/simulator.md: conversions of two elements as other vector instructions, not published", NULL, 4, 4, CYCLES, PROBE_TIMED(rate_pk_fp4, 256)) \
    X(rate_convert_32, "simulator.md: 32 elements to FP6, between 16 and 64 cycles", "convert_32", 16, 64, CYCLES, PROBE_TIMED(rate_pk32, 64)) \
    X(rate_convert_2x16, "simulator.md: twice 16 elements to FP6, between 16 and 64 cycles", "convert_2x16", 16, 64, CYCLES, PROBE_TIMED(rate_2xpk16, 64)) \
    X(rate_convert_32_sr, "simulator.md: 32 elements to FP6, between 16 and 64 cycles", NULL, 16, 64, CYCLES, PROBE_TIMED(rate_sr_pk32, 64)) \
    X(rate_32_fp8, "gfx950.md 2: 32x32x64 with FP8 64 cycles", "matrix_32x32x64", 64, 64, CYCLES, PROBE_TIMED(rate_32_fp8, 32)) \
    X(rate_32_fp6, "gfx950.md 2: 32x32x64 with FP6 or FP4 32 cycles", "matrix_32x32x64_small", 32, 32, CYCLES, PROBE_TIMED(rate_32_fp6, 32)) \
    X(rate_32_fp4, "gfx950.md 2: 32x32x64 with FP6 or FP4 32 cycles", NULL, 32, 32, CYCLES, PROBE_TIMED(rate_32_fp4, 32)) \
    X(rate_16_fp8, "gfx950.md 2: 16x16x128 with FP8 32 cycles", "matrix_16x16x128", 32, 32, CYCLES, PROBE_TIMED(rate_16_fp8, 32)) \
    X(rate_16_fp6, "gfx950.md 2: 16x16x128 with FP6 or FP4 16 cycles", "matrix_16x16x128_small", 16, 16, CYCLES, PROBE_TIMED(rate_16_fp6, 32)) \
    X(rate_32_bf16, "gfx950.md 2: 32x32x16 BF16 32 cycles", "matrix_32x32x16_bf16", 32, 32, CYCLES, PROBE_TIMED(rate_32_bf16, 32)) \
    X(rate_16_bf16, "simulator.md: 16x16x32 BF16 16 cycles, seen 17", "matrix_16x16x32_bf16", 16, 17, CYCLES, PROBE_TIMED(rate_16_bf16, 32)) \
    X(rate_sparse, "gfx950.md 2: sparse FP8 16x16x128 16 cycles", "matrix_sparse_16x16x128", 16, 16, CYCLES, PROBE_TIMED(rate_sparse, 32)) \
    X(chain_vector, "simulator.md: dependent v_fma_f32 about 8 cycles", "vector_result", 8, 8, CYCLES, PROBE_TIMED(chain_fma, 256)) \
    X(chain_matrix, "simulator.md: 16x16x32 through C after 18 cycles, 1 or 2 behind the rate", "matrix_chain", 1, 2, CHAIN, PROBE_TIMED(chain_matrix, 256), PROBE_TIMED(rate_16_bf16, 32)) \
    X(beside_32_bf16, "simulator.md: 32x32x16 lets 24 of 32 cycles pass", "matrix_blocks", 25, 25, BLOCKS, PROBE_BESIDE(32_bf16)) \
    X(beside_32_fp6, "simulator.md: what issues beside scaled shapes, unknown", "matrix_blocks_f8f6f4", 25, 100, BLOCKS, PROBE_BESIDE(32_fp6)) \
    X(beside_32_fp8, "simulator.md: what issues beside scaled shapes, unknown", NULL, 25, 100, BLOCKS, PROBE_BESIDE(32_fp8)) \
    X(beside_16_fp6, "simulator.md: what issues beside scaled shapes, unknown", NULL, 25, 100, BLOCKS, PROBE_BESIDE(16_fp6)) \
    X(beside_sparse, "simulator.md: what issues beside sparse shapes, unknown", NULL, 25, 100, BLOCKS, PROBE_BESIDE(sparse))

#define PROBE_TIMED(entry, count) {#entry, 0, count}
#define PROBE_BESIDE(name) {"beside_" #name, probe_both_run, 1}, {"beside_" #name, probe_vector_runs, 1}, {"beside_" #name, probe_matrix_runs, 1}

enum { probe_rate_timings_max = 3, probe_rate_in = 4, probe_rate_kernel_out = 64 + 1024 };
typedef struct probe_timing {
    const char *entry;
    uint32_t what, instructions;
} probe_timing;
struct probe_rate {
    const char *constant;
    double least, most; /* what is assumed */
    enum { PROBE_CYCLES, PROBE_CHAIN, PROBE_BLOCKS } kind;
    probe_timing timings[probe_rate_timings_max];
};
/* Of a turn of a timing. */
typedef struct probe_sample {
    double cycles, time_ns;
} probe_sample;

size_t probe_rate_timings(const struct probe_rate *rate);
void probe_rate_fill(const probe_timing *timing, uint32_t in[probe_rate_in]);
void probe_rate_judge(const probe *p, const probe_sample *samples, probe_outcome *outcome);
/* Adds a constant, or a note where there is none or nothing was measured. */
fsattn_status probe_rate_record(const probe *p, const probe_outcome *outcome, fsattn_facts *facts, fsattn_err *err);

#endif
