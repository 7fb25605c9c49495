#include "probe_rate.h"

#include "formats.h"

#define FUNCTIONS(stem) .fill = probe_##stem##_fill, .expect = probe_##stem##_expect, .place = probe_##stem##_place
#define CASES(n, in, out) .count = (n), .in_words = (size_t)(n) * (in), .out_words = (size_t)(n) * (out)
#define F(name) FSATTN_FORMAT_##name

/* X(name, entry, fact, setting, M, K, A, B, byte, inputs, words of D for a lane, turns) */
#define MATRIX_SHAPE_LIST(X, stem, text, A, B)                                                               \
    X(pairs_32_##stem, m32_##stem, "gfx950.md 2: 32x32x64, which k " text " elements meet", probe_no_setting, 32, 64, A, B, 0, PAIRS, 16, 64 * 6) \
    X(pairs_16_##stem, m16_##stem, "gfx950.md 2: 16x16x128, which k " text " elements meet", probe_no_setting, 16, 128, A, B, 0, PAIRS, 4, 128 * 7) \
    X(rows_32_##stem, m32_##stem, "gfx950.md 2: 32x32x64 " text ", rows of lanes and registers of D", probe_no_setting, 32, 64, A, B, 0, ROWS, 16, 128) \
    X(rows_16_##stem, m16_##stem, "gfx950.md 2: 16x16x128 " text ", rows of lanes and registers of D", probe_no_setting, 16, 128, A, B, 0, ROWS, 4, 128) \
    X(scales_32_##stem, m32_##stem, "gfx950.md 2: 32x32x64 " text ", which block a lane's scale is for", probe_no_setting, 32, 64, A, B, 0, SCALES, 16, 128) \
    X(scales_16_##stem, m16_##stem, "gfx950.md 2: 16x16x128 " text ", which block a lane's scale is for", probe_no_setting, 16, 128, A, B, 0, SCALES, 4, 128)
#define MATRIX_LIST(X)                                                                                       \
    MATRIX_SHAPE_LIST(X, fp8_fp8, "FP8 and FP8", F(E4M3), F(E4M3))                                           \
    MATRIX_SHAPE_LIST(X, fp6_fp6, "FP6 and FP6", F(E2M3), F(E2M3))                                           \
    MATRIX_SHAPE_LIST(X, fp4_fp4, "FP4 and FP4", F(E2M1), F(E2M1))                                           \
    MATRIX_SHAPE_LIST(X, fp8_fp6, "FP8 and FP6", F(E4M3), F(E2M3))                                           \
    MATRIX_SHAPE_LIST(X, fp6_fp8, "FP6 and FP8", F(E2M3), F(E4M3))                                           \
    MATRIX_SHAPE_LIST(X, fp8_fp4, "FP8 and FP4", F(E4M3), F(E2M1))                                           \
    MATRIX_SHAPE_LIST(X, fp6_fp4, "FP6 and FP4", F(E2M3), F(E2M1))                                           \
    MATRIX_SHAPE_LIST(X, bf8_bf6, "BF8 and BF6", F(E5M2), F(E3M2))                                           \
    X(pairs_32_bf16, bf16_32, "gfx950.md 2: 32x32x16 BF16, k = 8 g + j", probe_no_setting, 32, 16, F(BF16), F(BF16), 0, PAIRS, 16, 16 * 4) \
    X(pairs_16_bf16, bf16_16, "gfx950.md 2: 16x16x32 BF16, k = 8 g + j", probe_no_setting, 16, 32, F(BF16), F(BF16), 0, PAIRS, 4, 32 * 5) \
    X(rows_32_bf16, bf16_32, "gfx950.md 2: 32x32x16 BF16, rows", probe_no_setting, 32, 16, F(BF16), F(BF16), 0, ROWS, 16, 128) \
    X(rows_16_bf16, bf16_16, "gfx950.md 2: 16x16x32 BF16, rows", probe_no_setting, 16, 32, F(BF16), F(BF16), 0, ROWS, 4, 128) \
    X(matrix_scale_0, m32_fp8_fp8, "gfx950.md 2: scale byte 0 is 2^-127", FSATTN_FACT_matrix_scale_0, 32, 64, F(E4M3), F(E4M3), 0, EDGE_0, 16, 4) \
    X(matrix_scale_254, m32_fp8_fp8, "gfx950.md 2: scale byte 254 is 2^127", probe_no_setting, 32, 64, F(E4M3), F(E4M3), 0, EDGE_254, 16, 4) \
    X(matrix_scale_255, m32_fp8_fp8, "gfx950.md 2: scale byte 255 is NaN", FSATTN_FACT_matrix_scale_255, 32, 64, F(E4M3), F(E4M3), 0, EDGE_255, 16, 4) \
    X(scale_byte_0, select_0, "gfx950.md 2: sel 0 takes byte 0", probe_no_setting, 32, 64, F(E4M3), F(E4M3), 0, BYTES, 16, 4) \
    X(scale_byte_1, select_1, "gfx950.md 2: sel 1 takes byte 1", probe_no_setting, 32, 64, F(E4M3), F(E4M3), 1, BYTES, 16, 4) \
    X(scale_byte_2, select_2, "gfx950.md 2: sel 2 takes byte 2", probe_no_setting, 32, 64, F(E4M3), F(E4M3), 2, BYTES, 16, 4) \
    X(scale_byte_3, select_3, "gfx950.md 2: sel 3 takes byte 3", probe_no_setting, 32, 64, F(E4M3), F(E4M3), 3, BYTES, 16, 4) \
    X(matrix_subnormals, bf16_32, "gfx950.md 2: matrix instructions keep subnormals", FSATTN_FACT_matrix_subnormals, 32, 16, F(BF16), F(BF16), 0, SUBNORMAL, 16, 4)

#define X(name, entry, fact, setting, m, k, a, b, byte, inputs, words, turns)                                \
    static const probe_matrix data_##name = {m, k, a, b, false, byte, PROBE_##inputs};
MATRIX_LIST(X)
#undef X
static const probe_matrix data_sparse = {16, 128, F(E4M3), F(E4M3), true, 0, PROBE_PAIRS};

/* X(name, entry, fact, setting, format, clamped, inputs) */
#define NARROW_LIST(X)                                                                                       \
    X(convert_fp8, fp8, "simulator.md 1, 2: FP8 rounds to even, 465 is NaN", probe_no_setting, E4M3, false, EDGES) \
    X(convert_fp8_clamped, fp8_clamped, "simulator.md 2: FP16_OVFL clamps FP8 to 448", probe_no_setting, E4M3, true, EDGES) \
    X(convert_fp6, fp6, "simulator.md 2, 4: FP6 rounds to even and saturates", probe_no_setting, E2M3, false, EDGES) \
    X(convert_fp6_2x16, fp6_2x16, "simulator.md 2, 4: FP6 of two times 16 floats, items in turn from both", probe_no_setting, E2M3, false, EDGES) \
    X(convert_fp4, fp4, "simulator.md 2, 4: FP4 rounds to even and saturates", probe_no_setting, E2M1, false, EDGES) \
    X(convert_fp8_nan, fp8, "simulator.md 2: FP8 of NaN is NaN", probe_no_setting, E4M3, false, NAN)         \
    X(convert_fp6_nan, fp6, "numerics.md: FP6 of NaN, undocumented", FSATTN_FACT_small_nan, E2M3, false, NAN) \
    X(convert_fp4_nan, fp4, "numerics.md: FP4 of NaN, undocumented", FSATTN_FACT_small_nan, E2M1, false, NAN) \
    X(convert_scale_0, fp8, "numerics.md: scale byte 0 as a conversion operand is undocumented", FSATTN_FACT_convert_scale_0, E4M3, false, SCALE_0) \
    X(convert_scale_255, fp8, "simulator.md 1: a scale with exponent 255", FSATTN_FACT_convert_scale_255, E4M3, false, SCALE_255)
#define X(name, entry, fact, setting, format, clamped, inputs)                                               \
    static const probe_narrow data_##name = {FSATTN_FORMAT_##format, clamped, PROBE_##inputs};
NARROW_LIST(X)
#undef X
static const probe_pknorm pknorm_rounding = PROBE_PKNORM_ROUNDING, pknorm_range = PROBE_PKNORM_RANGE, pknorm_nan = PROBE_PKNORM_NAN;
static const probe_math math_exp = PROBE_EXP, math_log = PROBE_LOG, math_rcp = PROBE_RCP;
static const unsigned swap_32 = 32, swap_16 = 16, dma_1 = 1, dma_3 = 3, dma_4 = 4;
static const probe_transpose b16 = {16, 4, 2}, b8 = {8, 8, 2}, b6 = {6, 16, 3}, b4 = {4, 16, 2};

#define X(name, fact, constant, least, most, kind, ...)                                                      \
    static const struct probe_rate data_##name = {constant, least, most, PROBE_##kind, {__VA_ARGS__}};
PROBE_RATE_LIST(X)
#undef X

static const probe rows[] = {
    {.name = "pknorm_rounding", .fact = "simulator.md 7: RNE of the exact product, ties unknown", .file = "convert", .entry = "pknorm",
     .setting = FSATTN_FACT_pknorm_rounding, CASES(probe_pknorm_count, 1, 1), FUNCTIONS(pknorm), .data = &pknorm_rounding},
    {.name = "pknorm_range", .fact = "simulator.md 7: clamped to [0, 1]", .file = "convert", .entry = "pknorm", .setting = probe_no_setting,
     CASES(16, 1, 1), FUNCTIONS(pknorm), .data = &pknorm_range},
    {.name = "pknorm_nan", .fact = "simulator.md 7: NaN gives 0", .file = "convert", .entry = "pknorm", .setting = FSATTN_FACT_pknorm_nan,
     CASES(4, 1, 1), FUNCTIONS(pknorm), .data = &pknorm_nan},
#define X(name_, entry_, fact_, setting_, format, clamped, inputs)                                           \
    {.name = #name_, .fact = fact_, .file = "convert", .entry = #entry_, .setting = setting_, CASES(probe_narrow_count, 2, 1), \
     FUNCTIONS(narrow), .data = &data_##name_},
    NARROW_LIST(X)
#undef X
    {.name = "convert_bf16", .fact = "gfx950.md 3: v_cvt_pk_bf16_f32 rounds to even", .file = "convert", .entry = "bf16",
     .setting = probe_no_setting, CASES(probe_bf16_count, 1, 1), FUNCTIONS(bf16), .floats = true},
    {.name = "maximum3_nan", .fact = "simulator.md 10: maximum3 propagates NaN", .file = "convert", .entry = "maximum3",
     .setting = FSATTN_FACT_maximum3_nan, CASES(probe_maximum3_count, 2, 1), FUNCTIONS(maximum3)},
    {.name = "exp_accuracy", .fact = "docs/simulator.md: v_exp_f32 within 1 ulp", .file = "math", .entry = "exp2_", .setting = probe_no_setting,
     CASES(probe_math_count, 1, 1), FUNCTIONS(math), .data = &math_exp, .floats = true, .ulps = 1},
    {.name = "log_accuracy", .fact = "docs/simulator.md: v_log_f32 within 1 ulp", .file = "math", .entry = "log2_", .setting = probe_no_setting,
     CASES(probe_math_count, 1, 1), FUNCTIONS(math), .data = &math_log, .floats = true, .ulps = 1},
    {.name = "rcp_accuracy", .fact = "docs/simulator.md: v_rcp_f32 within 1 ulp", .file = "math", .entry = "rcp", .setting = probe_no_setting,
     CASES(probe_math_count, 1, 1), FUNCTIONS(math), .data = &math_rcp, .floats = true, .ulps = 1},
    {.name = "permlane32_swap", .fact = "gfx950.md 5", .file = "lanes", .entry = "permlane32", .setting = probe_no_setting, .count = 1,
     .in_words = 128, .out_words = 128, FUNCTIONS(swap), .data = &swap_32},
    {.name = "permlane16_swap", .fact = "gfx950.md 5", .file = "lanes", .entry = "permlane16", .setting = probe_no_setting, .count = 1,
     .in_words = 128, .out_words = 128, FUNCTIONS(swap), .data = &swap_16},
#define TRANSPOSE(b, turns, words)                                                                           \
    {.name = "transpose_" #b, .fact = "gfx950.md 6, simulator.md 15: transpose reads", .file = "lanes", .entry = "transpose_" #b, \
     .setting = FSATTN_FACT_transpose_##b, CASES(turns, 64 * words, 64 * words), FUNCTIONS(transpose), .derive = probe_transpose_derive, .data = &b},
    TRANSPOSE(b16, 8, 2) TRANSPOSE(b8, 9, 2) TRANSPOSE(b6, 10, 3) TRANSPOSE(b4, 10, 2)
#define DMA(bytes, words)                                                                                    \
    {.name = "dma_" #bytes, .fact = "gfx950.md 7: LDS address is M0 + immediate + lane * size, the immediate is the source's too", .file = "lanes", .entry = "dma_" #bytes, \
     .setting = probe_no_setting, CASES(64 * (words), 1, 1), FUNCTIONS(dma), .data = &dma_##words},
    DMA(4, 1) DMA(12, 3) DMA(16, 4) DMA(4_immediate, 1) DMA(16_immediate, 4) DMA(16_high, 4)
#define X(name_, entry_, fact_, setting_, m, k, a, b, byte, inputs, words, turns)                            \
    {.name = #name_, .fact = fact_, .file = "matrix", .entry = #entry_, .setting = setting_, CASES(turns, probe_matrix_words, 64 * words), \
     FUNCTIONS(matrix), .floats = true, .data = &data_##name_},
    MATRIX_LIST(X)
#undef X
    {.name = "sparse_fp8", .fact = "gfx950.md 2: sparse FP8 16x16x128, indices and B's map", .file = "matrix", .entry = "sparse",
     .setting = probe_no_setting, CASES(128 * 7, probe_matrix_words, 64 * 4), FUNCTIONS(matrix), .floats = true, .data = &data_sparse},
    {.name = "matrix_sums", .fact = "simulator.md 12: order and rounding of sums, unpublished", .file = "matrix", .entry = "seeded",
     .setting = probe_no_setting, .words = "exact sequential pairwise truncated", .open = true,
     CASES(probe_sum_count, probe_matrix_words, 64 * 16), FUNCTIONS(sum), .floats = true},
#define X(name_, fact_, ...) {.name = #name_, .fact = fact_, .file = "rates", .setting = probe_no_setting, .rate = &data_##name_},
    PROBE_RATE_LIST(X)
#undef X
};

const probe *probe_table(size_t *count) {
    *count = sizeof rows / sizeof rows[0];
    return rows;
}
