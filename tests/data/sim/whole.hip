// Ordinary kernels, compiled for gfx950 as they are and for the host behind tests/support/hip_host.hpp; both must agree on
// random inputs (tests/unit/test_sim_conformance_kernels.c). Every kernel has the same four arguments.
#pragma clang fp contract(off)
#ifndef KERNEL
#define KERNEL(name, A, B, O) extern "C" __global__ void name(const A *a, const B *b, O *out, int n)
#endif
typedef float v16f __attribute__((ext_vector_type(16)));
typedef int v8i __attribute__((ext_vector_type(8)));
typedef __bf16 v8bf __attribute__((ext_vector_type(8)));

// ---- reductions ----

KERNEL(reduce_tree, float, float, float) { // a sum per block: strided, then a tree in LDS
    __shared__ float part[256];
    float s = 0;
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) s += a[i] * b[i];
    part[threadIdx.x] = s;
    __syncthreads();
    for (int w = 128; w > 0; w >>= 1) {
        if (threadIdx.x < w) part[threadIdx.x] += part[threadIdx.x + w];
        __syncthreads();
    }
    if (!threadIdx.x) out[blockIdx.x] = part[0];
}

KERNEL(reduce_shuffle, float, int, float) { // sum, least and greatest of each wave's 64 numbers
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = a[i], low = a[i];
    int high = b[i];
    for (int o = 32; o; o >>= 1) {
        sum += __shfl_xor(sum, o);
        low = fminf(low, __shfl_xor(low, o));
        const int other = __shfl_xor(high, o);
        high = other > high ? other : high;
    }
    out[i] = sum;
    out[n + i] = low;
    out[2 * n + i] = (float)high;
}

KERNEL(reduce_double, double, double, double) { // a row's dot product and norm in double
    double dot = 0, norm = 0;
    for (int i = threadIdx.x; i < n; i += 64) {
        const double x = a[blockIdx.x * n + i];
        dot = dot + x * b[i];
        norm = norm + x * x;
    }
    for (int o = 1; o < 64; o *= 2) {
        dot += __shfl_xor(dot, o);
        norm += __shfl_xor(norm, o);
    }
    if (!threadIdx.x) {
        out[2 * blockIdx.x] = dot;
        out[2 * blockIdx.x + 1] = sqrt(norm);
    }
}

// ---- moving ----

KERNEL(transpose, float, float, float) { // n x n by tiles of 32, 256 threads
    __shared__ float tile[32][33];
    const int tiles = (n + 31) / 32, bx = blockIdx.x % tiles * 32, by = blockIdx.x / tiles * 32;
    const int x = threadIdx.x % 32, y = threadIdx.x / 32;
    for (int j = y; j < 32; j += 8)
        if (bx + x < n && by + j < n) tile[j][x] = a[(by + j) * n + bx + x];
    __syncthreads();
    for (int j = y; j < 32; j += 8)
        if (by + x < n && bx + j < n) out[(bx + j) * n + by + x] = tile[x][j];
}

KERNEL(compact, int, int, int) { // the even numbers of each wave, packed to the left; the rest is their count
    const int i = blockIdx.x * 64 + threadIdx.x;
    const bool keep = (a[i] & 1) == 0;
    const unsigned long long all = __ballot(keep);
    const int before = __popcll(all & ((1ull << threadIdx.x) - 1)), count = __popcll(all);
    out[i] = -count;
    __syncthreads();
    if (keep) out[blockIdx.x * 64 + before] = a[i];
}

// ---- rows ----

KERNEL(softmax, float, float, float) { // a row of n per wave
    const float *row = a + blockIdx.x * n;
    float top = -3e38f, sum = 0;
    for (int i = threadIdx.x; i < n; i += 64) top = fmaxf(top, row[i] * 8);
    for (int o = 32; o; o >>= 1) top = fmaxf(top, __shfl_xor(top, o));
    for (int i = threadIdx.x; i < n; i += 64) sum += expf(row[i] * 8 - top);
    for (int o = 32; o; o >>= 1) sum += __shfl_xor(sum, o);
    for (int i = threadIdx.x; i < n; i += 64) out[blockIdx.x * n + i] = expf(row[i] * 8 - top) / sum;
}

KERNEL(layernorm, float, float, float) {
    const float *row = a + blockIdx.x * n;
    float sum = 0, squares = 0;
    for (int i = threadIdx.x; i < n; i += 64) sum += row[i];
    for (int o = 32; o; o >>= 1) sum += __shfl_xor(sum, o);
    const float mean = sum / (float)n;
    for (int i = threadIdx.x; i < n; i += 64) squares += (row[i] - mean) * (row[i] - mean);
    for (int o = 32; o; o >>= 1) squares += __shfl_xor(squares, o);
    const float scale = 1.0f / sqrtf(squares / (float)n + 1e-5f);
    for (int i = threadIdx.x; i < n; i += 64) out[blockIdx.x * n + i] = (row[i] - mean) * scale * b[i];
}

KERNEL(argmax, int, int, int) { // first place of a row's greatest; values are few, so that there are ties
    const int *row = a + blockIdx.x * n;
    int best = row[threadIdx.x] & 31, where = threadIdx.x;
    for (int i = threadIdx.x + 64; i < n; i += 64)
        if ((row[i] & 31) > best) best = row[i] & 31, where = i;
    for (int o = 32; o; o >>= 1) {
        const int other = __shfl_down(best, o), place = __shfl_down(where, o);
        if (other > best || (other == best && place < where)) best = other, where = place;
    }
    if (!threadIdx.x) out[blockIdx.x] = where;
}

KERNEL(rope, float, float, float) { // rows of n, halves rotated against each other
    const int p = blockIdx.x, i = threadIdx.x;
    const float angle = (float)p * powf(10000.0f, -2.0f * (float)i / (float)n), c = cosf(angle), s = sinf(angle);
    const float x = a[p * n + i], y = a[p * n + i + n / 2];
    out[p * n + i] = x * c - y * s;
    out[p * n + i + n / 2] = x * s + y * c;
}

// ---- integers ----

KERNEL(histogram, unsigned char, int, unsigned) {
    __shared__ unsigned bins[256];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(&bins[a[i]], 1u);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

KERNEL(atomics, int, int, int) { // results that do not depend on the order
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicMax(out, a[i]);
    atomicMin(out + 1, a[i]);
    atomicXor(out + 2, a[i]);
    atomicMax((unsigned *)out + 3, (unsigned)a[i]);
    atomicAdd((unsigned long long *)out + 2, (unsigned long long)(unsigned)a[i]);
    atomicAdd((float *)out + 6, (float)(a[i] & 15));
    atomicAdd((double *)out + 4, (double)(a[i] & 255));
}

KERNEL(scan, unsigned, int, unsigned) { // exclusive, a block of 256: waves by shuffles, then their sums
    __shared__ unsigned sums[4];
    const int i = blockIdx.x * 256 + threadIdx.x, lane = threadIdx.x & 63, wave = threadIdx.x >> 6;
    unsigned x = a[i];
    for (int o = 1; o < 64; o *= 2) {
        const unsigned y = __shfl_up(x, o);
        if (lane >= o) x += y;
    }
    if (lane == 63) sums[wave] = x;
    __syncthreads();
    for (int w = 0; w < wave; w++) x += sums[w];
    out[i] = x - a[i];
}

KERNEL(bitonic, int, int, int) { // 512 numbers, 256 threads
    __shared__ int s[512];
    const int i = threadIdx.x;
    s[i] = a[blockIdx.x * 512 + i];
    s[i + 256] = a[blockIdx.x * 512 + i + 256];
    __syncthreads();
    for (int k = 2; k <= 512; k *= 2)
        for (int j = k / 2; j; j /= 2) {
            const int low = 2 * j * (i / j) + i % j, high = low + j, x = s[low], y = s[high];
            if ((x > y) == ((low & k) == 0)) s[low] = y, s[high] = x;
            __syncthreads();
        }
    out[blockIdx.x * 512 + i] = s[i];
    out[blockIdx.x * 512 + i + 256] = s[i + 256];
}

KERNEL(hash, int, int, unsigned long long) { // multiplications, rotations and divisions of 64 bits
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned long long h = 1469598103934665603ull + (unsigned)b[i];
    for (int k = 0; k < 8; k++) {
        h = (h ^ (unsigned)a[(i + k) % n]) * 1099511628211ull;
        h = (h << 13 | h >> 51) + h / (unsigned long long)((unsigned)b[i] | 1u) + (unsigned long long)((long long)h % ((b[i] & 1023) + 7));
        h ^= (unsigned long long)__clz(a[i]) << (k * 7) | (unsigned long long)__popc(b[i]);
    }
    out[i] = h;
}

// ---- matrices: C = A B^T, 64 x 64, a tile of 32 x 32 per wave ----

__device__ void store_tile(float *out, v16f acc) {
    const int l = threadIdx.x, row0 = blockIdx.x / 2 * 32, column = blockIdx.x % 2 * 32 + (l & 31);
    for (int r = 0; r < 16; r++) out[(row0 + 8 * (r / 4) + 4 * (l / 32) + r % 4) * 64 + column] = acc[r];
}

KERNEL(gemm_bf16, unsigned short, unsigned short, float) {
    const int l = threadIdx.x;
    const unsigned short *x = a + (blockIdx.x / 2 * 32 + (l & 31)) * n, *y = b + (blockIdx.x % 2 * 32 + (l & 31)) * n;
    v16f acc = {};
    for (int k = 8 * (l >> 5); k < n; k += 16)
        acc = __builtin_amdgcn_mfma_f32_32x32x16_bf16(*(const v8bf *)(x + k), *(const v8bf *)(y + k), acc, 0, 0, 0);
    store_tile(out, acc);
}

// 32 codes of a lane from a row of one code a byte, as the matrix unit takes them: bytes in two runs of 16.
template <int bits> __device__ v8i pack(const unsigned char *row, int group) {
    unsigned words[8] = {};
    for (int i = 0; i < 32; i++) {
        const unsigned code = row[bits == 8 ? 16 * group + i % 16 + 32 * (i / 16) : 32 * group + i] & ((1u << bits) - 1);
        words[i * bits / 32] |= code << (i * bits % 32);
        if (i * bits % 32 + bits > 32) words[i * bits / 32 + 1] |= code >> (32 - i * bits % 32);
    }
    v8i out;
    for (int k = 0; k < 8; k++) out[k] = (int)words[k];
    return out;
}

// Behind the 64 rows of n codes of an operand: a scale for each row and 32 of k.
#define SCALED(name, bits, format)                                                                           \
    KERNEL(name, unsigned char, unsigned char, float) {                                                      \
        const int l = threadIdx.x, row = blockIdx.x / 2 * 32 + (l & 31), column = blockIdx.x % 2 * 32 + (l & 31); \
        v16f acc = {};                                                                                       \
        for (int k = 0; k < n; k += 64) {                                                                    \
            const v8i x = pack<bits>(a + row * n + k, l >> 5), y = pack<bits>(b + column * n + k, l >> 5);   \
            const int sx = a[64 * n + row * (n / 32) + k / 32 + (l >> 5)] % 16 + 120;                        \
            const int sy = b[64 * n + column * (n / 32) + k / 32 + (l >> 5)] % 16 + 120;                     \
            acc = __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(x, y, acc, format, format, 0, sx, 0, sy);  \
        }                                                                                                    \
        store_tile(out, acc);                                                                                \
    }
SCALED(gemm_mxfp8, 8, 0)
SCALED(gemm_mxfp6, 6, 2)
SCALED(gemm_mxfp4, 4, 4)

KERNEL(gemm_fp8, unsigned char, unsigned char, float) { // no scales
    const int l = threadIdx.x, row = blockIdx.x / 2 * 32 + (l & 31), column = blockIdx.x % 2 * 32 + (l & 31);
    v16f acc = {};
    for (int k = 0; k < n; k += 64)
        acc = __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(pack<8>(a + row * n + k, l >> 5), pack<8>(b + column * n + k, l >> 5), acc,
                                                              0, 0, 0, 127, 0, 127);
    store_tile(out, acc);
}

KERNEL(gemm_float, float, float, float) { // on the vector unit, through LDS
    __shared__ float x[32][33], y[32][33];
    const int i = threadIdx.x / 32, j = threadIdx.x % 32, row0 = blockIdx.x / 2 * 32, column0 = blockIdx.x % 2 * 32;
    float acc[4] = {};
    for (int k = 0; k < n; k += 32) {
        for (int r = i; r < 32; r += 8) x[r][j] = a[(row0 + r) * n + k + j], y[r][j] = b[(column0 + r) * n + k + j];
        __syncthreads();
        for (int m = 0; m < 32; m++)
            for (int r = 0; r < 4; r++) acc[r] += x[8 * r + i][m] * y[j][m];
        __syncthreads();
    }
    for (int r = 0; r < 4; r++) out[(row0 + 8 * r + i) * 64 + column0 + j] = acc[r];
}

// ---- libm ----

#define LIBM(name, T, F)                                                                                     \
    KERNEL(name, T, T, T) {                                                                                  \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                 \
        const T x = a[i], y = b[i], m = F(fabs)(x);                                                          \
        out[i] = F(exp)(x * 10);                                                                             \
        out[n + i] = F(log)(m);                                                                              \
        out[2 * n + i] = F(sin)(x * 100);                                                                    \
        out[3 * n + i] = F(cos)(x * 1000);                                                                   \
        out[4 * n + i] = F(pow)(m * 4, y * 5);                                                               \
        out[5 * n + i] = F(tanh)(x);                                                                         \
        out[6 * n + i] = F(atan2)(x, y);                                                                     \
        out[7 * n + i] = F(log1p)(m);                                                                        \
        out[8 * n + i] = F(cbrt)(x);                                                                         \
        out[9 * n + i] = F(hypot)(x, y);                                                                     \
    }
#define FLOAT_NAME(function) function##f
#define DOUBLE_NAME(function) function
LIBM(libm_float, float, FLOAT_NAME)
LIBM(libm_double, double, DOUBLE_NAME)

#define EXACT(name, T, F)                                                                                    \
    KERNEL(name, T, T, T) {                                                                                  \
        const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                 \
        const T x = a[i], y = b[i];                                                                          \
        out[i] = x / y;                                                                                      \
        out[n + i] = F(sqrt)(F(fabs)(x));                                                                    \
        out[2 * n + i] = F(fma)(x, y, x);                                                                    \
        out[3 * n + i] = F(floor)(x * 50) + F(ceil)(y * 50) * F(trunc)(x * 7) - F(rint)(y * 9);              \
        out[4 * n + i] = F(fmod)(x * 100, y);                                                                \
        out[5 * n + i] = F(ldexp)(x, (int)(y * 40));                                                         \
        out[6 * n + i] = (T)(int)(x * 1000000) + (T)(unsigned)(F(fabs)(y) * 3000000) + (T)(long long)(x * 1000000000); \
        out[7 * n + i] = F(fmin)(x, y) - F(fmax)(x, y) * F(copysign)((T)3, x);                               \
        out[8 * n + i] = F(nextafter)(x, y);                                                                 \
        out[9 * n + i] = 1 / (x * y) + F(remainder)(x * 10, y);                                              \
    }
EXACT(exact_float, float, FLOAT_NAME)
EXACT(exact_double, double, DOUBLE_NAME)
