/* gpu_abi.h - the contract between the gfx950 kernels and whoever launches them: argument structs, passed by value as the
 * kernarg buffer. The packed operands are described in docs/gfx950.md. This file is rendered into kernels as it stands, so
 * it includes nothing. Members are only added, at the end, and are null where a kernel does not use them; changing what is there means
 * raising FSATTN_GPU_ABI.
 */
#ifndef FSATTN_GPU_ABI_H
#define FSATTN_GPU_ABI_H

#define FSATTN_GPU_ABI 1

/* Attention over packed operands. Strides count elements; head_dim is contiguous. Block b of the grid is block
 * first_block + b of batch * heads_q * ceil(s_q / tile_m) blocks, tile_m as compiled into the kernel, so that parts of a grid
 * can be run alone; which query tile that is, the kernel decides. */
typedef struct fsattn_gpu_attention_args {
    const void *q, *k, *v; /* packed, aligned to 16 bytes */
    void *o;
    float *lse;                    /* [batch, heads_q, s_q], natural logarithm; NULL: not wanted */
    const float *v_scale;          /* V's per-tensor scale; used by kernels with FP8 V */
    unsigned long long *rollbacks; /* tiles rolled back, over all waves, added atomically; or a null pointer */
    long long batch, heads_q, heads_kv, s_q, s_k;
    long long o_stride_b, o_stride_h, o_stride_s;
    long long first_block;
    /* Kernels rendered with `blocks`: queries 256 i .. 256 i + 255 of a head see the tiles of 128 keys whose numbers, ascending, are
     * block_indices[block_starts[n]], and on, block_counts[n] of them, n = (batch * heads_q + head) * ceil(s_q / 256) + i. */
    const int *block_indices;
    const long long *block_starts;
    const int *block_counts;
    /* Kernels rendered with `varlen`: sequence b of the batch has the rows cu_q[b] .. cu_q[b + 1] - 1 of o, and of the queries, and such keys;
     * s_q and s_k are those of the longest, o_stride_b is not used, lse is [heads_q, cu_q[batch]]. */
    const int *cu_q, *cu_k; /* [batch + 1] */
} fsattn_gpu_attention_args;

/* Preparation of one operand: read as the caller has it, written packed. Blocks as above; one block has 256 threads and
 * handles 256 / (head_dim / 32) rows of Q or K (their last group of 32, or tile, filled up with zeros), or a tile of V. */
typedef struct fsattn_gpu_quantize_args {
    const void *x;
    void *packed;     /* aligned to 16 bytes */
    float *partials;  /* FP8 V: 256 maxima, one for each block of fsattn_quantize_amax */
    float *v_scale;   /* FP8 V: written by fsattn_quantize_v */
    long long batch, heads, s;
    long long stride_b, stride_h, stride_s;
    float factor; /* Q: scale * log2(e) / sqrt(head_dim); K: 1 / sqrt(head_dim); multiplied before the rotation */
    int unused;
    long long first_block;
    /* Kernels rendered with `varlen`: sequence b has the rows cu[b] .. cu[b + 1] - 1 of x; s is that of the longest, stride_b is not used.
     * Packed, a head has cu[batch] / n + batch tiles of n rows (Q: groups of 32), sequence b those from cu[b] / n + b on.
     * fsattn_quantize_amax is given all rows as one sequence: batch 1. */
    const int *cu; /* [batch + 1] */
} fsattn_gpu_quantize_args;

#endif
