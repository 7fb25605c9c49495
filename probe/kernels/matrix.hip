/* count products; of each, A and B (8 words a lane), scales of A and B (a word a lane) come in, D (16 or 4 words a lane) goes out. */
template <typename V, int words, typename F> static __device__ void products(const unsigned *in, unsigned *out, unsigned count, F multiply) {
    const unsigned l = threadIdx.x;
    for (unsigned turn = 0; turn < count; turn++) {
        const unsigned *from = in + turn * 64 * 18 + l * 18;
        v8i a, b;
        for (int i = 0; i < 8; i++) {
            a[i] = from[i];
            b[i] = from[8 + i];
        }
        V d = multiply(a, b, (int)from[16], (int)from[17]);
        for (int i = 0; i < words; i++) out[turn * 64 * words + l * words + i] = u32(d[i]);
    }
}
#define PRODUCT(name, V, words, expression)                                                                  \
    PROBE(name) {                                                                                            \
        products<V, words>(in, out, count, [](v8i a, v8i b, int sa, int sb) -> V { return expression; });    \
    }
#define LOW(x) (v8i){x[0], x[1], x[2], x[3], 0, 0, 0, 0}
#define SIX(x) (v8i){x[0], x[1], x[2], x[3], x[4], x[5], 0, 0}
#define ALL(x) x
#define SCALED(name, shape, V, words, A, B_, fa, fb) PRODUCT(name, V, words, B(mfma_scale_f32_##shape##_f8f6f4)(A(a), B_(b), V{}, fa, fb, 0, sa, 0, sb))
#define BOTH(suffix, A, B_, fa, fb)                                                                          \
    SCALED(m32_##suffix, 32x32x64, v16f, 16, A, B_, fa, fb)                                                  \
    SCALED(m16_##suffix, 16x16x128, v4f, 4, A, B_, fa, fb)
BOTH(fp8_fp8, ALL, ALL, 0, 0)
BOTH(fp6_fp6, SIX, SIX, 2, 2)
BOTH(fp4_fp4, LOW, LOW, 4, 4)
BOTH(fp8_fp6, ALL, SIX, 0, 2)
BOTH(fp6_fp8, SIX, ALL, 2, 0)
BOTH(fp8_fp4, ALL, LOW, 0, 4)
BOTH(fp6_fp4, SIX, LOW, 2, 4)
BOTH(bf8_bf6, ALL, SIX, 1, 3)
#define SELECTED(byte) PRODUCT(select_##byte, v16f, 16, B(mfma_scale_f32_32x32x64_f8f6f4)(a, b, v16f{}, 0, 0, byte, sa, byte, sb))
SELECTED(0) SELECTED(1) SELECTED(2) SELECTED(3)
static __device__ v8bf eight(v8i x) { return __builtin_bit_cast(v8bf, (v4i){x[0], x[1], x[2], x[3]}); }
PRODUCT(bf16_32, v16f, 16, B(mfma_f32_32x32x16_bf16)(eight(a), eight(b), v16f{}, 0, 0, 0))
PRODUCT(bf16_16, v4f, 4, B(mfma_f32_16x16x32_bf16)(eight(a), eight(b), v4f{}, 0, 0, 0))
/* C from the scale words: one value for all of a lane. */
static __device__ v16f all16(int c) { float x = f32(c); return (v16f){x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x}; }
PRODUCT(seeded, v16f, 16, B(mfma_f32_32x32x16_bf16)(eight(a), eight(b), all16(sa), 0, 0, 0))
PRODUCT(sparse, v4f, 4, B(smfmac_f32_16x16x128_fp8_fp8)((v4i){a[0], a[1], a[2], a[3]}, b, v4f{}, sa, 0, 0))
