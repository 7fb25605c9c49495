/* tensor.h - operands of attention as the numerics see them: float32 values with strides, whatever they were stored as.
 *
 * Shapes are those of the problem: Q and O [batch, heads_q, s_q, d], K and V [batch, heads_kv, s_k, d], LSE [batch, heads_q,
 * s_q]. head_dim is contiguous. A row of O is "row" r = (b * heads_q + h) * s_q + i everywhere.
 */
#ifndef FSATTN_TENSOR_H
#define FSATTN_TENSOR_H

#include "problem.h"

/* Strides in elements. */
typedef struct fsattn_strides {
    int64_t b, h, s;
} fsattn_strides;

/* Dense strides of Q and O (heads = heads_q, length = s_q) or K and V in the problem's layout. */
fsattn_strides fsattn_strides_dense(fsattn_layout layout, int64_t heads, int64_t length, int64_t head_dim);

/* Borrowed operands; elements are f32. */
typedef struct fsattn_qkv {
    const float *q, *k, *v;
    fsattn_strides q_strides, k_strides, v_strides;
} fsattn_qkv;

/* Operands that own their memory, dense in the problem's layout. Zero-initialised is empty. */
typedef struct fsattn_operands {
    fsattn_qkv qkv;
    float *memory; /* Q, then K, then V */
    size_t q_elements, kv_elements;
} fsattn_operands;
fsattn_status fsattn_operands_init(fsattn_operands *operands, const fsattn_problem *problem, fsattn_err *err);
void fsattn_operands_fini(fsattn_operands *operands);

/* Elements of the dtypes as stored, and back. F16 and BF16 round to nearest even, overflow to infinity. */
size_t fsattn_dtype_bytes(fsattn_dtype dtype);
void fsattn_elements_write(fsattn_dtype dtype, const float *from, size_t count, void *to);
void fsattn_elements_read(fsattn_dtype dtype, const void *from, size_t count, float *to);
/* Rounds in place to what the dtype can hold. */
void fsattn_elements_round(fsattn_dtype dtype, float *values, size_t count);

/* A selection of query rows, ascending and distinct; rows NULL: all of them. */
typedef struct fsattn_rows {
    const int64_t *rows;
    size_t count;
} fsattn_rows;
/* All rows of a problem: batch * heads_q * s_q. */
int64_t fsattn_problem_rows(const fsattn_problem *problem);

/* Block-sparse masks: live[(i / block_q) * blocks_k + j / block_k] says whether query i may see key j. Borrowed. */
typedef struct fsattn_block_mask {
    const uint8_t *live;
    int64_t block_q, block_k, blocks_k;
} fsattn_block_mask;

/* Whether query i of the problem may see key j; `blocks` may be NULL. */
static inline bool fsattn_key_live(const fsattn_problem *problem, const fsattn_block_mask *blocks, int64_t i,
                                   int64_t j) {
    if (problem->mask == FSATTN_MASK_CAUSAL && j > i + problem->s_k - problem->s_q) {
        return false;
    }
    return !blocks || blocks->live[i / blocks->block_q * blocks->blocks_k + j / blocks->block_k];
}

#endif
