/* host_abi.h - the contract between a compiled host kernel and whoever calls it.
 *
 * A host kernel is a leaf function over one work item: no libc, no threads, no constructors, no undefined symbols.
 * Parallelism, scratch memory and the floating-point environment belong to the caller. This file is rendered into
 * kernels as it stands, so it includes nothing. Changing a layout here means raising FSATTN_HOST_ABI.
 */
#ifndef FSATTN_HOST_ABI_H
#define FSATTN_HOST_ABI_H

#define FSATTN_HOST_ABI 1

/* Strides count elements; head_dim is contiguous. Work item i of batch * heads_q * query_tiles is
 * query tile i % query_tiles of head (i / query_tiles) % heads_q of batch i / (query_tiles * heads_q),
 * query_tiles = ceil(s_q / tile_m), tile_m as compiled into the kernel. */
typedef struct fsattn_host_args {
    const void *q, *k, *v;
    void *o;
    float *lse; /* [batch, heads_q, s_q], natural logarithm; a null pointer when not wanted */
    long long batch, heads_q, heads_kv, s_q, s_k;
    long long q_stride_b, q_stride_h, q_stride_s;
    long long k_stride_b, k_stride_h, k_stride_s;
    long long v_stride_b, v_stride_h, v_stride_s;
    long long o_stride_b, o_stride_h, o_stride_s;
    float scale;                   /* of Q K^T before the softmax; multiplied by log2(e) inside the kernel */
    unsigned long long *rollbacks; /* tiles rolled back or rescaled, added to with plain stores by this item only:
                                      one counter per work item, or a null pointer */
} fsattn_host_args;

/* `scratch`: at least the scratch bytes that the manifest states, aligned to 64, contents undefined,
 * used by this call alone. Every symbol exported by a kernel object has this type. */
typedef void fsattn_host_kernel(const fsattn_host_args *args, long long item, void *scratch);

#endif
