/* emulator.h - attention step by step as a kernel computes it: Algorithm 1 of the paper and the methods it is compared with.
 *
 * Every component is a switch, set by name, so that a template's manifest can say which emulation proves a configuration.
 * What is judged "wrong" is judged against this, with a tolerance derived from the spread of the models of accumulation; how
 * accurate a method is, is measured against reference.h. Sources: paper sections 3 and 4, Algorithm 1, appendices B and C.
 *
 * Defined where the paper is silent: a row whose keys are all masked gives O = 0 and LSE = -inf; a row whose first tile holds
 * no live key is seeded exactly by its first live tile; masked scores become probability 0 before any reduction; NaN in a
 * live score reaches the output unless `reduction` is one of the 16-bit ones, which cannot see it (the conversion maps NaN
 * to code 0).
 */
#ifndef FSATTN_EMULATOR_H
#define FSATTN_EMULATOR_H

#include "facts.h"
#include "gemm.h"
#include "quantize.h"
#include "tensor.h"

/* X(NAME, text, meaning) for each switch. */
#define FSATTN_SOFTMAX_LIST(X)                                                                               \
    X(ONLINE, "online", "running maximum, rescaled every tile")                                              \
    X(LAZY, "lazy", "rescaled when the maximum grew by more than `threshold` doublings")                     \
    X(FROZEN, "frozen", "maximum of the first tile, rollback past `cap` doublings (Algorithm 1)")
typedef enum fsattn_softmax {
#define X(name, text, meaning) FSATTN_SOFTMAX_##name,
    FSATTN_SOFTMAX_LIST(X)
#undef X
} fsattn_softmax;

/* X(NAME, text, meaning, accumulator units of a doubling as a power of two, exponent bias of the code, code bits; bits 0: not a
 * code of Schraudolph's) */
#define FSATTN_EXPONENTIAL_LIST(X)                                                                           \
    X(EXACT, "exact", "2^x, rounded to float", 0, 0, 0)                                                      \
    X(POLYNOMIAL, "polynomial", "exact integer part, minimax polynomial of `degree`", 0, 0, 0)               \
    X(SCHRAUDOLPH_F32, "schraudolph_f32", "affine, truncated to the bits of a float", 23, 127, 32)           \
    X(SCHRAUDOLPH_U32, "schraudolph_u32", "affine, rounded to the bits of a float", 23, 127, 32)             \
    X(SCHRAUDOLPH_U16_BF16, "schraudolph_u16_bf16", "16-bit code read as BF16 (the paper's kernels)", -9, 127, 16) \
    X(SCHRAUDOLPH_U16_FP16, "schraudolph_u16_fp16", "16-bit code read as FP16", -6, 15, 16)                  \
    X(SCHRAUDOLPH_U8_E4M3, "schraudolph_u8_e4m3", "8-bit code read as E4M3 (VC-Attention)", -5, 7, 8)        \
    X(DIRECT_P, "direct_p", "linear map of the score to an E2M1 code within its block (Direct-P)", 0, 0, 0)
typedef enum fsattn_exponential {
#define X(name, text, meaning, unit, bias, bits) FSATTN_EXPONENTIAL_##name,
    FSATTN_EXPONENTIAL_LIST(X)
#undef X
} fsattn_exponential;

#define FSATTN_ROW_SUM_LIST(X)                                                                               \
    X(VECTOR, "vector", "sum of the probabilities before they are quantized")                                \
    X(GEMM, "gemm", "product of the quantized probabilities with ones (line 17)")
typedef enum fsattn_row_sum {
#define X(name, text, meaning) FSATTN_ROW_SUM_##name,
    FSATTN_ROW_SUM_LIST(X)
#undef X
} fsattn_row_sum;

/* X(NAME, text, NaN scores reach the output, meaning): a conversion to 16-bit codes makes NaN 0. */
#define FSATTN_REDUCTION_LIST(X)                                                                             \
    X(FP32, "fp32", true, "maximum of the accumulator before Stage A")                                       \
    X(U16, "u16", false, "unsigned maximum of the 16-bit codes")                                             \
    X(MAXIMUM3, "maximum3", false, "codes compared as FP16 by v_pk_maximum3_f16, which misreads 0x8000 to 0xFC00")
typedef enum fsattn_reduction {
#define X(name, text, nan, meaning) FSATTN_REDUCTION_##name,
    FSATTN_REDUCTION_LIST(X)
#undef X
} fsattn_reduction;
bool fsattn_reduction_sees_nan(fsattn_reduction reduction);

#define FSATTN_ROLLBACK_LIST(X)                                                                              \
    X(FP32, "fp32", "on the accumulator: recovers any overshoot that the gate sees")                         \
    X(CODES, "codes", "on the 16-bit codes: loses an overshoot beyond 385 doublings")                        \
    X(OFF, "off", "the gate is never asked")
typedef enum fsattn_rollback {
#define X(name, text, meaning) FSATTN_ROLLBACK_##name,
    FSATTN_ROLLBACK_LIST(X)
#undef X
} fsattn_rollback;

/* X(NAME, text, meaning): formats of P. */
#define FSATTN_P_FORMAT_LIST(X)                                                                              \
    X(F32, "f32", "as computed")                                                                             \
    X(BF16, "bf16", "rounded to BF16")                                                                       \
    X(FP8_ROW, "fp8_row", "E4M3, one power of two for a row and tile with which nothing saturates")          \
    X(MXFP8, "mxfp8", "E4M3, E8M0 for 32 keys")                                                              \
    X(MXFP6, "mxfp6", "E2M3, E8M0 for 32 keys: exponent of the block's maximum less 2")                      \
    X(MXFP4, "mxfp4", "E2M1, E8M0 for 32 keys")
typedef enum fsattn_p_format {
#define X(name, text, meaning) FSATTN_P_##name,
    FSATTN_P_FORMAT_LIST(X)
#undef X
} fsattn_p_format;

typedef struct fsattn_emulator_config {
    fsattn_softmax softmax;
    double threshold; /* lazy: doublings */
    double cap;       /* frozen: doublings */
    fsattn_exponential exponential;
    int64_t degree; /* polynomial: 2 .. 5 */
    fsattn_row_sum row_sum;
    fsattn_reduction reduction;
    fsattn_rollback rollback;
    fsattn_operand_format qk_format, v_format;
    fsattn_p_format p_format;
    fsattn_key_order key_order; /* which 32 keys of a tile share a scale in P and V (packing.h) */
    bool smooth_k;    /* subtract the mean over keys from K first (SageAttention) */
    int64_t tile_m, tile_n; /* query rows and keys of a tile */
    int64_t wave_rows; /* rows that share a gate; a multiple of 8 and a divisor of tile_m */
    fsattn_accumulation accumulation;
    const fsattn_facts *facts; /* what the GPU was seen to do (facts.h); NULL: what is assumed. Borrowed, no switch with a name */
} fsattn_emulator_config;

/* Online, exact, f32 everywhere, tile 128 x 128, waves of 32 rows. */
void fsattn_emulator_config_init(fsattn_emulator_config *config);
/* Sets a switch by name from text ("softmax" = "frozen", "cap" = "32"). FSATTN_PARSE names an unknown switch or value with the
 * nearest right one. */
fsattn_status fsattn_emulator_set(fsattn_emulator_config *config, const char *name, const char *value,
                                  fsattn_err *err);
/* FSATTN_INVALID for a combination that has no meaning (16-bit reduction of an exponential without 16-bit codes, ...). */
fsattn_status fsattn_emulator_check(const fsattn_emulator_config *config, fsattn_err *err);
enum { fsattn_emulator_text_bytes = 512 };
/* Canonical text, all switches: equal configurations have equal texts. */
void fsattn_emulator_text(const fsattn_emulator_config *config, char text[fsattn_emulator_text_bytes]);

/* Prepared operands: quantized once, then used for any selection of rows and any softmax with the same formats. */
typedef struct fsattn_emulator fsattn_emulator;
/* Borrows `blocks` (nullable); copies the operands. FSATTN_INVALID as fsattn_emulator_check; head_dim at most 1024. */
fsattn_status fsattn_emulator_create(const fsattn_emulator_config *config, const fsattn_problem *problem,
                                     const fsattn_qkv *qkv, const fsattn_block_mask *blocks, fsattn_emulator **emulator,
                                     fsattn_err *err);
void fsattn_emulator_destroy(fsattn_emulator *emulator);
/* Another softmax, tile or model over the same prepared operands: formats, scaling of Q, smoothing and, for integers, tiles
 * must be equal (FSATTN_INVALID). */
fsattn_status fsattn_emulator_reconfigure(fsattn_emulator *emulator, const fsattn_emulator_config *config,
                                          fsattn_err *err);

typedef struct fsattn_emulator_output {
    float *o;         /* [rows.count, head_dim], rounded to the problem's dtype_o */
    float *lse;       /* [rows.count] or NULL */
    float *row_sum;   /* [rows.count] or NULL: l as accumulated, relative to the last reference maximum */
    float *weight;    /* [rows.count] or NULL: the largest probability of the row over its sum */
    uint8_t *gates;   /* or NULL: [waves touched * tiles], see FSATTN_GATE_*; waves in order of rows */
    int64_t tiles;    /* out: ceil(s_k / tile_n) */
    int64_t waves;    /* out: waves that hold a selected row */
    int64_t rollbacks, missed; /* out: gates that fired; gates that did not although a score exceeded the cap */
} fsattn_emulator_output;
enum { FSATTN_GATE_QUIET, FSATTN_GATE_FIRED, FSATTN_GATE_MISSED };

/* Waves that hold one of the rows: the size of `gates` is this times ceil(s_k / tile_n). */
int64_t fsattn_emulator_waves(const fsattn_emulator *emulator, fsattn_rows rows);
/* Computes the selected rows (their whole waves internally). Uses all cores. */
fsattn_status fsattn_emulator_run(const fsattn_emulator *emulator, fsattn_rows rows, fsattn_emulator_output *output,
                                  fsattn_err *err);

#endif
