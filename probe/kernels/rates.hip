/* Loops for the time: 16 waves, four of a SIMD, by turns of four waves the roles 0 to 3. Counters of each wave in out[0 .. 63], then what keeps the
 * compiler from dropping the loops. Vector instructions are assembly, so that nothing merges or reorders them. */
#define TIMED(name) extern "C" __global__ __launch_bounds__(1024) void name(const unsigned *in, unsigned *out, unsigned count)
#define UNROLL _Pragma("unroll")
#define ALONE 1 /* role 0 */
#define ALL_ROLES 15
template <typename F> static __device__ void timed(unsigned *out, unsigned count, unsigned roles, F body) {
    const unsigned wave = B(readfirstlane)(threadIdx.x / 64);
    const bool takes_part = roles >> wave / 4 & 1;
    __syncthreads();
    const unsigned long start = B(s_memtime)();
    if (takes_part) {
        asm volatile("s_nop 7");
        _Pragma("unroll 1") for (unsigned i = 0; i < count; i++) body();
        asm volatile("s_nop 7");
    }
    const unsigned long end = B(s_memtime)();
    if (threadIdx.x % 64 == 0) {
        out[4 * wave] = (unsigned)start;
        out[4 * wave + 1] = (unsigned)(start >> 32);
        out[4 * wave + 2] = (unsigned)end;
        out[4 * wave + 3] = (unsigned)(end >> 32);
    }
}
static __device__ void keep(unsigned *out, unsigned x) { out[64 + threadIdx.x] = x; }

/* 64 independent ones, in turn on eight registers. */
#define VECTOR_RATE(name, text)                                                                              \
    TIMED(name) {                                                                                            \
        unsigned x[8], a = in[1], b = in[2], sum = 0;                                                        \
        for (int j = 0; j < 8; j++) x[j] = in[3];                                                            \
        timed(out, count, ALL_ROLES, [&] {                                                                   \
            UNROLL for (int k = 0; k < 8; k++)                                                               \
                UNROLL for (int j = 0; j < 8; j++) asm volatile(text : "+v"(x[j]) : "v"(a), "v"(b));         \
        });                                                                                                  \
        for (int j = 0; j < 8; j++) sum += x[j];                                                             \
        keep(out, sum);                                                                                      \
    }
VECTOR_RATE(rate_fma, "v_fma_f32 %0, %0, %1, %2")
VECTOR_RATE(rate_exp, "v_exp_f32 %0, %0")
VECTOR_RATE(rate_pknorm, "v_cvt_pknorm_u16_f32 %0, %0, %1")
VECTOR_RATE(rate_pk_max, "v_pk_max_u16 %0, %0, %1")
VECTOR_RATE(rate_maximum3, "v_pk_maximum3_f16 %0, %0, %1, %2")
VECTOR_RATE(rate_maximum3_f32, "v_maximum3_f32 %0, %0, %1, %2")
VECTOR_RATE(rate_multiply, "v_mul_lo_u32 %0, %0, %1")
VECTOR_RATE(rate_pk_fp8, "v_cvt_scalef32_pk_fp8_f32 %0, %1, %1, %2")
VECTOR_RATE(rate_pk_fp4, "v_cvt_scalef32_pk_fp4_f32 %0, %1, %1, %2")
TIMED(rate_pk_fma) {
    v2f x[8], a = {f32(in[1]), f32(in[2])};
    float sum = 0;
    for (int j = 0; j < 8; j++) x[j] = a;
    timed(out, count, ALL_ROLES, [&] {
        UNROLL for (int k = 0; k < 8; k++)
            UNROLL for (int j = 0; j < 8; j++) asm volatile("v_pk_fma_f32 %0, %0, %1, %1" : "+v"(x[j]) : "v"(a));
    });
    for (int j = 0; j < 8; j++) sum += x[j].x + x[j].y;
    keep(out, u32(sum));
}
TIMED(rate_permlane) {
    unsigned x[8], sum = 0;
    for (int j = 0; j < 8; j++) x[j] = in[3];
    timed(out, count, ALL_ROLES, [&] {
        UNROLL for (int k = 0; k < 16; k++)
            UNROLL for (int j = 0; j < 8; j += 2) asm volatile("v_permlane32_swap_b32 %0, %1" : "+v"(x[j]), "+v"(x[j + 1]));
    });
    for (int j = 0; j < 8; j++) sum += x[j];
    keep(out, sum);
}
/* 32 values a lane to FP6: 16 a turn. */
#define CONVERT_RATE(name, T, n, statement)                                                                  \
    TIMED(name) {                                                                                            \
        v6u r[4] = {};                                                                                       \
        T x, y;                                                                                              \
        float scale = f32(in[1]);                                                                            \
        unsigned seed = in[2], sum = 0;                                                                      \
        for (int i = 0; i < n; i++) x[i] = y[i] = f32(in[3]);                                                \
        timed(out, count, ALL_ROLES, [&] {                                                                   \
            UNROLL for (int k = 0; k < 4; k++)                                                               \
                UNROLL for (int j = 0; j < 4; j++) statement;                                                \
        });                                                                                                  \
        for (int j = 0; j < 4; j++) sum += r[j][0] + r[j][5];                                                \
        keep(out, sum + seed + u32((float)y[0]));                                                            \
    }
CONVERT_RATE(rate_pk32, v32bf, 32, asm volatile("v_cvt_scalef32_pk32_fp6_bf16 %0, %1, %2" : "=&v"(r[j]) : "v"(x), "v"(scale)))
CONVERT_RATE(rate_2xpk16, v16f, 16, asm volatile("v_cvt_scalef32_2xpk16_fp6_f32 %0, %1, %2, %3" : "=&v"(r[j]) : "v"(x), "v"(y), "v"(scale)))
CONVERT_RATE(rate_sr_pk32, v32bf, 32, asm volatile("v_cvt_scalef32_sr_pk32_fp6_bf16 %0, %1, %2, %3" : "=&v"(r[j]) : "v"(x), "v"(seed), "v"(scale)))

/* One wave of each SIMD, 256 in a row, each on the one before. */
TIMED(chain_fma) {
    unsigned x = in[3], a = in[1], b = in[2];
    timed(out, count, ALONE, [&] { UNROLL for (int k = 0; k < 256; k++) asm volatile("v_fma_f32 %0, %0, %1, %2" : "+v"(x) : "v"(a), "v"(b)); });
    keep(out, x);
}
TIMED(chain_matrix) {
    v8bf a = {};
    v4f c = {f32(in[1]), 0, 0, 0};
    a[0] = (__bf16)f32(in[2]);
    timed(out, count, ALONE, [&] { UNROLL for (int k = 0; k < 256; k++) c = B(mfma_f32_16x16x32_bf16)(a, a, c, 0, 0, 0); });
    keep(out, u32(c[0]));
}

/* ---- matrix instructions, alone and beside vector instructions -------------------------------------------------- */

#define SIX(x) (v8i){x[0], x[1], x[2], x[3], x[4], x[5], 0, 0}
#define FOUR(x) (v8i){x[0], x[1], x[2], x[3], 0, 0, 0, 0}
static __device__ v8bf eight(v8i x) { return __builtin_bit_cast(v8bf, (v4i){x[0], x[1], x[2], x[3]}); }
static __device__ v4i four(v8i x) { return (v4i){x[0], x[1], x[2], x[3]}; }
/* in[0] says what runs: 1 the matrix instructions, of roles 0 and 1; 2 the vector instructions, of roles 2 and 3; each turn as long as the other by
 * what is assumed: 8 of `cycles` cycles in each wave, and 2 * cycles of 4. */
#define MATRIX(name, V, cycles, expression)                                                                  \
    TIMED(rate_##name) {                                                                                     \
        v8i a, s;                                                                                            \
        V c[2] = {};                                                                                         \
        for (int i = 0; i < 8; i++) a[i] = in[1];                                                            \
        s[0] = in[2];                                                                                        \
        timed(out, count, ALL_ROLES, [&] {                                                                   \
            UNROLL for (int k = 0; k < 8; k++) {                                                             \
                V &d = c[k % 2];                                                                             \
                d = expression;                                                                              \
            }                                                                                                \
        });                                                                                                  \
        keep(out, u32(c[0][0] + c[1][0]));                                                                   \
    }                                                                                                        \
    TIMED(beside_##name) {                                                                                   \
        v8i a, s;                                                                                            \
        V c[2] = {};                                                                                         \
        unsigned x[8], sum = 0, p = in[1], q = in[2];                                                        \
        for (int i = 0; i < 8; i++) a[i] = in[1];                                                            \
        for (int j = 0; j < 8; j++) x[j] = in[3];                                                            \
        s[0] = in[2];                                                                                        \
        const unsigned what = B(readfirstlane)(in[0]), roles = (what & 1 ? 3 : 0) | (what & 2 ? 12 : 0);     \
        if (B(readfirstlane)(threadIdx.x / 64) < 8) {                                                        \
            timed(out, count, roles, [&] {                                                                   \
                UNROLL for (int k = 0; k < 8; k++) {                                                         \
                    V &d = c[k % 2];                                                                         \
                    d = expression;                                                                          \
                }                                                                                            \
            });                                                                                              \
        } else {                                                                                             \
            timed(out, count, roles, [&] {                                                                   \
                UNROLL for (int k = 0; k < 2 * cycles / 8; k++)                                              \
                    UNROLL for (int j = 0; j < 8; j++) asm volatile("v_fma_f32 %0, %0, %1, %2" : "+v"(x[j]) : "v"(p), "v"(q)); \
            });                                                                                              \
        }                                                                                                    \
        for (int j = 0; j < 8; j++) sum += x[j];                                                             \
        keep(out, sum + u32(c[0][0] + c[1][0]));                                                             \
    }
MATRIX(32_fp8, v16f, 64, B(mfma_scale_f32_32x32x64_f8f6f4)(a, a, d, 0, 0, 0, s[0], 0, s[0]))
MATRIX(32_fp6, v16f, 32, B(mfma_scale_f32_32x32x64_f8f6f4)(SIX(a), SIX(a), d, 2, 2, 0, s[0], 0, s[0]))
MATRIX(32_fp4, v16f, 32, B(mfma_scale_f32_32x32x64_f8f6f4)(FOUR(a), FOUR(a), d, 4, 4, 0, s[0], 0, s[0]))
MATRIX(16_fp8, v4f, 32, B(mfma_scale_f32_16x16x128_f8f6f4)(a, a, d, 0, 0, 0, s[0], 0, s[0]))
MATRIX(16_fp6, v4f, 16, B(mfma_scale_f32_16x16x128_f8f6f4)(SIX(a), SIX(a), d, 2, 2, 0, s[0], 0, s[0]))
MATRIX(32_bf16, v16f, 32, B(mfma_f32_32x32x16_bf16)(eight(a), eight(a), d, 0, 0, 0))
MATRIX(16_bf16, v4f, 16, B(mfma_f32_16x16x32_bf16)(eight(a), eight(a), d, 0, 0, 0))
MATRIX(sparse, v4f, 16, B(smfmac_f32_16x16x128_fp8_fp8)(four(a), a, d, (int)s[0], 0, 0))
