/* quantize.h - operands of the two products in the formats that kernels use, as the values that the matrix unit sees.
 *
 * Values stay float32: what is returned is decode(quantize(x)). One matrix is [rows][columns], dense; Q and K have their blocks
 * along the columns (head_dim), V along the rows (keys). Any thread; one call one matrix.
 */
#ifndef FSATTN_QUANTIZE_H
#define FSATTN_QUANTIZE_H

#include "fsattn.h"
#include "packing.h"

/* X(NAME, text, kind, element format, block, meaning) */
#define FSATTN_OPERAND_FORMAT_LIST(X)                                                                        \
    X(F32, "f32", PLAIN, BF16, 0, "as it is")                                                                \
    X(BF16, "bf16", ROUND, BF16, 0, "rounded to BF16")                                                       \
    X(F16, "f16", ROUND, F16, 0, "rounded to FP16")                                                          \
    X(MXFP8, "mxfp8", MX, E4M3, 32, "E4M3, one E8M0 scale for 32 values")                                    \
    X(MXFP6, "mxfp6", MX, E2M3, 32, "E2M3, one E8M0 scale for 32 values")                                    \
    X(MXFP4, "mxfp4", MX, E2M1, 32, "E2M1, one E8M0 scale for 32 values")                                    \
    X(FP8, "fp8", TENSOR, E4M3, 0, "E4M3, one float scale for the tensor")                                   \
    X(NVFP4, "nvfp4", NVFP4, E2M1, 16, "E2M1, an E4M3 scale for 16 values, a float scale for the tensor")    \
    X(INT8, "int8", INTEGER, BF16, 127, "-127 .. 127, one float scale for the matrix's tile")                \
    X(INT4, "int4", INTEGER, BF16, 7, "-7 .. 7, one float scale for the matrix's tile")
typedef enum fsattn_operand_format {
#define X(name, text, kind, element, block, meaning) FSATTN_OPERAND_##name,
    FSATTN_OPERAND_FORMAT_LIST(X)
#undef X
} fsattn_operand_format;
enum { fsattn_operand_format_count = FSATTN_OPERAND_INT4 + 1 };

const char *fsattn_operand_format_text(fsattn_operand_format format);
/* Whether Q and K of that format are rotated by the Hadamard matrix first (all formats of four to eight bits with block
 * or tensor scales). */
bool fsattn_operand_format_rotated(fsattn_operand_format format);
/* Whether the format has E8M0 scales, into which a power-of-two factor can be folded exactly. */
bool fsattn_operand_format_scaled(fsattn_operand_format format);

typedef enum fsattn_block_axis {
    FSATTN_ALONG_COLUMNS,
    FSATTN_ALONG_ROWS,
} fsattn_block_axis;

typedef struct fsattn_quantize_options {
    fsattn_block_axis axis;
    int64_t tile_rows; /* integers: rows that share a scale; 0: all */
    float tensor_amax; /* largest magnitude of the whole tensor, for formats with a tensor scale */
    fsattn_key_order order; /* along rows: which rows form a block; rows that are missing from the last chunk are zeros */
    int shift;         /* MX: added to the code of every scale, saturating; others: multiplied as 2^shift */
} fsattn_quantize_options;

/* In place. Blocks at the end may be short. */
void fsattn_quantize(fsattn_operand_format format, const fsattn_quantize_options *options, float *matrix, int64_t rows,
                     int64_t columns);
/* Largest magnitude; NaN when there is one. */
float fsattn_quantize_amax(const float *values, int64_t count);

#endif
