/* Movement between lanes and through LDS: every element carries its own number. */
PROBE(permlane32) {
    auto r = B(permlane32_swap)(in[threadIdx.x], in[64 + threadIdx.x], false, false);
    out[threadIdx.x] = r[0];
    out[64 + threadIdx.x] = r[1];
}
PROBE(permlane16) {
    auto r = B(permlane16_swap)(in[threadIdx.x], in[64 + threadIdx.x], false, false);
    out[threadIdx.x] = r[0];
    out[64 + threadIdx.x] = r[1];
}
PROBE(transpose_b16) {
    __shared__ alignas(16) v2i s[64];
    const unsigned l = threadIdx.x;
    for (unsigned turn = 0; turn < count; turn++) {
        s[l] = (v2i){(int)in[128 * turn + 2 * l], (int)in[128 * turn + 2 * l + 1]};
        __syncthreads();
        v4s r = B(ds_read_tr16_b64_v4i16)((LOCAL v4s *)(s + l));
        v2i w = __builtin_bit_cast(v2i, r);
        out[128 * turn + 2 * l] = w.x;
        out[128 * turn + 2 * l + 1] = w.y;
        __syncthreads();
    }
}
#define TRANSPOSE(name, builtin)                                                                             \
    PROBE(name) {                                                                                            \
        __shared__ alignas(16) v2i s[64];                                                                    \
        const unsigned l = threadIdx.x;                                                                      \
        for (unsigned turn = 0; turn < count; turn++) {                                                      \
            s[l] = (v2i){(int)in[128 * turn + 2 * l], (int)in[128 * turn + 2 * l + 1]};                      \
            __syncthreads();                                                                                 \
            v2i w = B(builtin)((LOCAL v2i *)(s + l));                                                        \
            out[128 * turn + 2 * l] = w.x;                                                                   \
            out[128 * turn + 2 * l + 1] = w.y;                                                               \
            __syncthreads();                                                                                 \
        }                                                                                                    \
    }
TRANSPOSE(transpose_b8, ds_read_tr8_b64_v2i32)
TRANSPOSE(transpose_b4, ds_read_tr4_b64_v2i32)
PROBE(transpose_b6) {
    __shared__ alignas(16) v4i s[64];
    const unsigned l = threadIdx.x;
    for (unsigned turn = 0; turn < count; turn++) {
        const unsigned *from = in + 192 * turn + 3 * l;
        unsigned *to = out + 192 * turn + 3 * l;
        s[l] = (v4i){(int)from[0], (int)from[1], (int)from[2], 0};
        __syncthreads();
        v3i w = B(ds_read_tr6_b96_v3i32)((LOCAL v3i *)(s + l));
        to[0] = w.x;
        to[1] = w.y;
        to[2] = w.z;
        __syncthreads();
    }
}
/* Straight to LDS: 16, 12 and 4 bytes a lane, each lane from its own place in reverse order, to word `first` of LDS; then LDS as it lies. An
 * immediate offset moves both places: they begin so much lower. */
#define DMA(name, bytes, first, immediate)                                                                   \
    PROBE(name) {                                                                                            \
        __shared__ alignas(16) unsigned s[bytes / 4 * 64 + first];                                           \
        const unsigned l = threadIdx.x;                                                                      \
        for (unsigned i = l; i < bytes / 4 * 64 + 16; i += 64) s[first - 16 + i] = 0;                        \
        __syncthreads();                                                                                     \
        B(global_load_lds)((GLOBAL unsigned *)(in + (63 - l) * (bytes / 4)) - immediate / 4, (LOCAL unsigned *)s + (first - immediate / 4), bytes, immediate, 0); \
        B(s_waitcnt)(0x0f70);                                                                                \
        __syncthreads();                                                                                     \
        for (unsigned i = l; i < count; i += 64) out[i] = s[first + i];                                      \
    }
DMA(dma_4, 4, 16, 0)
DMA(dma_12, 12, 16, 0)
DMA(dma_16, 16, 16, 0)
DMA(dma_4_immediate, 4, 64, 128)
DMA(dma_16_immediate, 16, 64, 128)
DMA(dma_16_high, 16, 24576, 0) /* M0 beyond 64 KiB */
