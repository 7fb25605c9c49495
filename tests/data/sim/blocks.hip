/* Matrix instructions of double precision and of several blocks as the compiler arranges them: it must leave enough wait states. */
typedef __attribute__((ext_vector_type(4))) double double4_;
typedef __attribute__((ext_vector_type(4))) float float4_;
typedef __attribute__((ext_vector_type(16))) float float16_;
typedef __attribute__((ext_vector_type(4))) _Float16 half4_;
extern "C" __global__ void doubles(const double *in, double *out) {
    const double a = in[threadIdx.x], b = in[64 + threadIdx.x];
    double4_ c = {0, 0, 0, 0};
    c = __builtin_amdgcn_mfma_f64_16x16x4f64(a, b, c, 0, 0, 0);
    c = __builtin_amdgcn_mfma_f64_16x16x4f64(c[0], b, c, 0, 0, 0);
    double d = __builtin_amdgcn_mfma_f64_4x4x4f64(c[1], a, c[2], 0, 0, 0);
    d = __builtin_amdgcn_mfma_f64_4x4x4f64(d, b, d, 0, 0, 0);
    c = __builtin_amdgcn_mfma_f64_16x16x4f64(d, b, c, 0, 0, 0);
    out[threadIdx.x] = d;
    out[64 + threadIdx.x] = c[3] * 0.5;
    *(double4_ *)(out + 128 + 4 * threadIdx.x) = c;
}
extern "C" __global__ void singles(const double *in, double *out) {
    const half4_ a = {(_Float16)in[threadIdx.x], 1, 2, 3}, b = {1, (_Float16)in[64 + threadIdx.x], 1, 2};
    float4_ c = {0, 1, 2, 3};
    c = __builtin_amdgcn_mfma_f32_4x4x4f16(a, b, c, 0, 0, 0);
    c = __builtin_amdgcn_mfma_f32_4x4x4f16(a, b, c, 0, 0, 0);
    c = __builtin_amdgcn_mfma_f32_4x4x1f32(c[0], c[1], c, 0, 0, 0);
    float16_ d;
    for (int i = 0; i < 16; i++) {
        d[i] = c[i % 4];
    }
    d = __builtin_amdgcn_mfma_f32_16x16x4f16(a, b, d, 0, 0, 0);
    d = __builtin_amdgcn_mfma_f32_16x16x1f32(d[3], d[7], d, 0, 0, 0);
    d = __builtin_amdgcn_mfma_f32_32x32x8f16(a, b, d, 0, 0, 0);
    d = __builtin_amdgcn_mfma_f32_32x32x2f32(d[0], d[1], d, 0, 0, 0);
    for (int i = 0; i < 4; i++) {
        c[i] = d[4 * i];
    }
    c = __builtin_amdgcn_mfma_f32_16x16x4f32(c[0], c[1], c, 0, 0, 0);
    c = __builtin_amdgcn_mfma_f32_16x16x16f16(a, b, c, 0, 0, 0);
    double4_ wide = {c[0], c[1], d[2], d[15]};
    *(double4_ *)(out + 4 * threadIdx.x) = wide;
}
