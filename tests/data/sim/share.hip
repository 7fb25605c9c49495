/* Workgroups of one launch that meet in device memory. Blocks of 64 threads; `a` and `b` have 64 words for each block, `flags` is 0. */
#define FIRST (blockIdx.x * 64 + threadIdx.x)
#define NEXT ((blockIdx.x + 1) % gridDim.x * 64 + threadIdx.x)

/* ---- races ---- */
extern "C" __global__ void both_write(unsigned *a, unsigned *b, unsigned *flags) {
    a[threadIdx.x] = blockIdx.x + 1;
}
extern "C" __global__ void reads_what_another_wrote(unsigned *a, unsigned *b, unsigned *flags) {
    a[FIRST] = threadIdx.x + 1;
    b[FIRST] = a[(blockIdx.x ? blockIdx.x - 1 : 0) * 64 + threadIdx.x];
}
extern "C" __global__ void writes_what_another_read(unsigned *a, unsigned *b, unsigned *flags) { /* a stencil in place */
    const unsigned sum = a[FIRST] + a[NEXT];
    __syncthreads();
    a[FIRST] = sum + 1;
}
extern "C" __global__ void same_byte(unsigned *a, unsigned *b, unsigned *flags) {
    ((unsigned char *)a)[threadIdx.x] = (unsigned char)(blockIdx.x + 1);
}
extern "C" __global__ void byte_of_a_word(unsigned *a, unsigned *b, unsigned *flags) {
    if (blockIdx.x) {
        ((unsigned char *)a)[4 * threadIdx.x + 2] = 1;
    } else {
        a[threadIdx.x] = 7;
    }
}
extern "C" __global__ void scalar_read(unsigned *a, unsigned *b, unsigned *flags) {
    a[FIRST] = 5;
    b[FIRST] = b[0] + threadIdx.x;
}
/* The last block adds up what all have written; its readers need the fence behind the counter, its writers the one before it. */
template <bool fence> __device__ void last_block(unsigned *a, unsigned *b, unsigned *flags) {
    __shared__ unsigned last;
    a[FIRST] = threadIdx.x + 1;
    if (fence) __threadfence();
    __syncthreads();
    if (!threadIdx.x) last = atomicAdd(flags, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    if (fence) __threadfence();
    unsigned sum = 0;
    for (unsigned i = 0; i < gridDim.x; i++) sum += a[i * 64 + threadIdx.x];
    a[FIRST] = sum; /* others have written others of these */
    b[threadIdx.x] = sum;
}
extern "C" __global__ void last_block_unfenced(unsigned *a, unsigned *b, unsigned *flags) { last_block<false>(a, b, flags); }

/* ---- none ---- */
extern "C" __global__ void last_block_fenced(unsigned *a, unsigned *b, unsigned *flags) { last_block<true>(a, b, flags); }
extern "C" __global__ void own_slices(unsigned *a, unsigned *b, unsigned *flags) {
    a[FIRST] += b[threadIdx.x];
    a[FIRST] *= 2;
}
extern "C" __global__ void bytes_apart(unsigned *a, unsigned *b, unsigned *flags) { /* each block its own byte of each word */
    ((unsigned char *)a)[4 * threadIdx.x + blockIdx.x % 4] += (unsigned char)(blockIdx.x + 1);
}
extern "C" __global__ void same_value(unsigned *a, unsigned *b, unsigned *flags) {
    a[threadIdx.x] = 1;
}
extern "C" __global__ void atomics(unsigned *a, unsigned *b, unsigned *flags) {
    atomicAdd(a + threadIdx.x, blockIdx.x);
    atomicMax(b + threadIdx.x / 2, FIRST);
}
/* A chain: each block waits for the one before, adds to what that one left and hands it on. */
extern "C" __global__ void chain(unsigned *a, unsigned *b, unsigned *flags) {
    if (!threadIdx.x)
        while (__hip_atomic_load(flags, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_AGENT) != blockIdx.x) {
        }
    __syncthreads();
    __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");
    a[threadIdx.x] = a[threadIdx.x] * 3 + blockIdx.x + b[threadIdx.x];
    __syncthreads();
    if (!threadIdx.x) __hip_atomic_store(flags, blockIdx.x + 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}
/* A lock of atomics. */
extern "C" __global__ void locked(unsigned *a, unsigned *b, unsigned *flags) {
    if (threadIdx.x) return;
    while (atomicCAS(flags, 0u, 1u)) {
    }
    __threadfence();
    a[0] += blockIdx.x;
    __threadfence();
    atomicExch(flags, 0u);
}
/* Flags and values that are volatile. */
extern "C" __global__ void volatile_flags(unsigned *a, unsigned *b, unsigned *flags) {
    volatile unsigned *value = a, *ready = flags;
    if (threadIdx.x) return;
    value[blockIdx.x] = blockIdx.x + 1;
    __threadfence();
    ready[blockIdx.x] = 1;
    for (unsigned i = 0; i < blockIdx.x; i++) {
        while (!ready[i]) {
        }
    }
    __threadfence();
    unsigned sum = 0;
    for (unsigned i = 0; i <= blockIdx.x; i++) sum += value[i];
    value[64 + blockIdx.x] = sum;
}
