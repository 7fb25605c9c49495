/* sim_cost.h - what the time model knows of gfx950: every constant in one table with its source, and the cost of each instruction.
 *
 * The constants are frozen: they come from documents and published measurements, never from a comparison with somebody's
 * kernel. Where nothing is published a constant has two values, a pessimistic and an optimistic one, and so has every figure that
 * is made from it. Cycles are those of the shader clock. */
#ifndef SIM_COST_H
#define SIM_COST_H

#include <stdbool.h>
#include <stdint.h>

/* Which of the two values of an unknown counts. */
typedef enum sim_bound { SIM_PESSIMISTIC, SIM_OPTIMISTIC, sim_bounds } sim_bound;

/* X(name, pessimistic, optimistic, source). "assumed" says that nothing was published. The table in docs/simulator.md is compared
 * with this one by a test. */
#define SIM_CONSTANT_LIST(X)                                                                                 \
    X(compute_units, 256, 256, "AMD CDNA4 whitepaper")                                                       \
    X(dies, 8, 8, "AMD CDNA4 whitepaper")                                                                    \
    X(clock_mhz, 2400, 2400, "MI355X data sheet: peak; about 2200 under load")                               \
    X(simds, 4, 4, "AMD CDNA4 whitepaper")                                                                   \
    X(simd_waves, 8, 8, "AMD CDNA4 whitepaper")                                                              \
    X(simd_registers, 512, 512, "ISA manual, 3.6: registers of a lane that the waves of a SIMD share")       \
    X(register_granule, 8, 8, "LLVM, getVGPRAllocGranule: 8 from gfx90a on")                                 \
    X(lds_granule, 1280, 1280, "LLVM, AMDGPU: LDS of gfx950")             \
    X(wave_issue, 4, 4, "AMD GCN whitepaper, 64 lanes on 16: a wave issues once in four cycles")             \
    X(vector, 4, 4, "AMD CDNA4 whitepaper, Table 1: 64 lanes a cycle and CU")                                \
    X(packed_float, 4, 4, "as vector: two elements of FP32 a lane, AMD CDNA4 whitepaper, Table 1")           \
    X(packed_maximum, 4, 4, "assumed of v_pk_max_u16: as vector")                                            \
    X(maximum3, 4, 4, "assumed of v_pk_maximum3_f16: as vector")                                             \
    X(pknorm, 4, 4, "assumed of v_cvt_pknorm_u16_f32: as vector")                                            \
    X(convert_2, 4, 4, "assumed of conversions of two elements with a scale: as vector")                     \
    X(vector_result, 8, 8, "dependent v_fma_f32, measured on MI355X")                                        \
    X(transcendental, 8, 8, "AMD CDNA4 whitepaper: twice CDNA3's rate")                                      \
    X(permlane_swap, 20, 20, "measured on MI355X")                                                           \
    X(convert_32, 64, 16, "pessimistic: the paper's Table 2, 128 elements a cycle and CU; optimistic, assumed: the registers read, 6 in 4 cycles") \
    X(convert_2x16, 64, 16, "of v_cvt_scalef32_2xpk16, assumed as convert_32")                               \
    X(multiply_32, 16, 16, "LLVM, SISchedule.td: WriteIntMul takes 4 times Write32Bit")                      \
    X(double_rate, 4, 4, "AMD CDNA4 whitepaper, Table 1: 128 FLOP of FP64 a cycle and CU, as many as of FP32 that is not packed") \
    X(matrix_32x32x64, 64, 64, "ISA manual, chapter 7, of f8f6f4")  \
    X(matrix_32x32x64_small, 32, 32, "ISA manual, chapter 7, of f8f6f4 with FP6 or FP4 on both sides")       \
    X(matrix_16x16x128, 32, 32, "ISA manual, chapter 7, of f8f6f4") \
    X(matrix_16x16x128_small, 16, 16, "ISA manual, chapter 7, of f8f6f4 with FP6 or FP4 on both sides")      \
    X(matrix_32x32x16_bf16, 32, 32, "ISA manual, chapter 7")                                                 \
    X(matrix_16x16x32_bf16, 16, 16, "ISA manual, chapter 7")                                                 \
    X(matrix_sparse_16x16x128, 16, 16, "ISA manual, chapter 7")                                              \
    X(matrix_chain, 2, 2, "dependent 16x16x32 through C after 18 cycles, measured on MI355X")                \
    X(matrix_result, 20, 20, "ISA manual, 7.6: wait states of 4 cycles until A, B or another unit may read") \
    X(matrix_after_vector, 12, 12, "ISA manual, 7.6: two wait states")                                       \
    X(matrix_blocks, 25, 25, "percent of a matrix instruction's cycles in which no vector instruction issues: 32x32x16 lets 24 of 32 pass, measured") \
    X(matrix_blocks_f8f6f4, 100, 25, "assumed for f8f6f4 and sparse shapes, where nothing is published: all, or as 32x32x16") \
    X(scalar, 4, 4, "AMD GCN whitepaper: one scalar unit for four SIMDs, each in its turn")                  \
    X(scalar_result, 4, 4, "assumed: by the wave's next turn")                                               \
    X(branch_taken, 16, 16, "assumed: as GCN")                                                               \
    X(barrier, 8, 8, "assumed: from the last wave's arrival to everybody's next instruction")                \
    X(lds_latency, 65, 65, "dependent ds_read_b128 69 cycles, 4 of them phases, measured on MI355X")         \
    X(lds_queue, 64, 64, "assumed: cycles of work that may wait before LDS")                                 \
    X(lds_fill, 128, 128, "assumed: bytes a cycle of loads into LDS, as of its writes: 32 banks")            \
    X(memory_issue, 4, 4, "assumed: 16 addresses a cycle, as GCN")                                           \
    X(memory_queue, 64, 64, "assumed: cycles of work that may wait before the L1 cache")                     \
    X(l1_bytes, 32768, 32768, "AMD CDNA4 whitepaper")                                                        \
    X(l1_rate, 128, 128, "bytes a cycle. AMD CDNA3 whitepaper: the bus to the core is as wide as the line, 128; CDNA4 whitepaper: mostly unchanged. AMD rocprofiler-compute's peak of MI300A is that too") \
    X(l1_latency, 120, 120, "assumed: what is told of MI300X, nothing is published of MI355X")               \
    X(l2_bytes, 4194304, 4194304, "AMD CDNA4 whitepaper: of a die")                                          \
    X(l2_line, 2, 2, "AMD CDNA4 whitepaper, cycles for 128 bytes: 16 channels of 128 bytes a cycle, shared by 32 compute units") \
    X(l2_latency, 300, 300, "assumed: between L1 and Infinity Cache")                                        \
    X(infinity_bytes, 268435456, 268435456, "AMD CDNA4 whitepaper")                                          \
    X(infinity_line, 5, 5, "assumed: cycles for 128 bytes of 17.2 TB/s, shared by all compute units. AMD CDNA3 whitepaper; CDNA4 whitepaper: 128 channels of 64 bytes as before, clock not published") \
    X(infinity_latency, 550, 550, "assumed: between L2 and HBM")                                             \
    X(hbm_line, 10, 10, "AMD CDNA4 whitepaper, cycles for 128 bytes: 8 TB/s shared by all compute units")    \
    X(hbm_latency, 790, 790, "measured on MI355X")                                                           \
    X(scalar_load, 200, 200, "assumed: an L2 hit beyond the scalar cache")                                   \
    X(store_latency, 300, 300, "assumed: acknowledged by L2")
typedef enum sim_constant {
#define X(name, pessimistic, optimistic, source) SIM_CONSTANT_##name,
    SIM_CONSTANT_LIST(X)
#undef X
} sim_constant;
/* The pessimistic values as numbers: sim_cost_clock_mhz; for what cannot be probed. */
enum {
#define X(name, pessimistic, optimistic, source) sim_cost_##name = pessimistic,
    SIM_CONSTANT_LIST(X)
#undef X
};
typedef struct sim_cost_source {
    const char *name, *source;
    uint32_t values[sim_bounds];
} sim_cost_source;
/* All of them; NULL-terminated names. */
const sim_cost_source *sim_cost_sources(void);
/* What is in effect: sim_facts.h may have probed it. */
uint32_t sim_cost_constant(sim_constant constant, sim_bound bound);

/* X(NAME, text): where instructions go; a SIMD issues one to each of them in a cycle, from different waves. */
#define SIM_UNIT_LIST(X)                                                                                     \
    X(VECTOR, "vector")                                                                                      \
    X(MATRIX, "matrix")                                                                                      \
    X(SCALAR, "scalar")                                                                                      \
    X(LDS, "lds")                                                                                            \
    X(MEMORY, "memory")                                                                                      \
    X(CONTROL, "control")
typedef enum sim_unit {
#define X(name, text) SIM_UNIT_##name,
    SIM_UNIT_LIST(X)
#undef X
    sim_units
} sim_unit;

/* Which phases an LDS instruction has. */
typedef enum sim_lds_shape {
    SIM_LDS_NONE,     /* not LDS, or its crossbar alone */
    SIM_LDS_READ_32,
    SIM_LDS_READ_64,
    SIM_LDS_READ_96,
    SIM_LDS_READ_128,
    SIM_LDS_WRITE_32,
    SIM_LDS_WRITE_64,
    SIM_LDS_WRITE_96,
    SIM_LDS_WRITE_128,
    SIM_LDS_ATOMIC,
} sim_lds_shape;

enum {
    SIM_COST_PACKED = 1,   /* packed FP32: not beside a matrix instruction */
    SIM_COST_UNKNOWN = 2,  /* matrix: how much issues beside it is not known */
    SIM_COST_LOAD = 4,     /* vector memory that reads */
    SIM_COST_STORE = 8,    /* vector memory that writes */
    SIM_COST_DMA = 16,     /* into LDS */
    SIM_COST_SMEM = 32,
    SIM_COST_TWO = 64,     /* LDS: two addresses */
    SIM_COST_WAIT = 128,   /* s_waitcnt */
    SIM_COST_BARRIER = 256,
    SIM_COST_PRIORITY = 512,
    SIM_COST_NOP = 1024,
    SIM_COST_END = 2048,
    SIM_COST_FLAT = 4096,  /* counted by lgkmcnt too */
    SIM_COST_SCRATCH = 8192,
};

typedef struct sim_cost {
    uint8_t unit;      /* sim_unit */
    uint8_t shape;     /* sim_lds_shape */
    uint8_t bytes;     /* of a lane: memory */
    uint8_t stride;    /* LDS with two addresses: bytes of an offset / 4, 0 for 256 */
    uint16_t flags;
    uint16_t manual;   /* matrix: cycles of the manual, from which its wait states follow, whatever was probed */
    uint16_t cycles[sim_bounds]; /* of the unit; LDS and memory by their addresses */
} sim_cost;

struct sim_instruction;
/* Cost of a decoded instruction. */
sim_cost sim_cost_of(const struct sim_instruction *in);

#endif
