/* Bugs around LDS and memory that nobody has written. Blocks of 128 threads: two waves. */
#define GLOBAL(p) ((__attribute__((address_space(1))) unsigned *)(p))
#define LDS(p) ((__attribute__((address_space(3))) unsigned *)(p))
/* A barrier is missing, of LDS that has been written before. */
extern "C" __global__ void missing_barrier_again(const unsigned *in, unsigned *out) {
    __shared__ unsigned s[128];
    s[threadIdx.x] = 0;
    __syncthreads();
    s[threadIdx.x] = in[threadIdx.x];
    __builtin_amdgcn_wave_barrier();
    out[threadIdx.x] = s[127 - threadIdx.x];
}
/* Bytes: the waves share words. `apart` 1: each its own bytes; 0: the same ones. */
extern "C" __global__ void bytes_of_words(const unsigned *in, unsigned *out) {
    __shared__ unsigned char s[256];
    const unsigned apart = in[0] & 1;
    volatile unsigned char *mine = s + 2 * (threadIdx.x & 63) + (threadIdx.x >> 6) * apart;
    *mine = (unsigned char)threadIdx.x;
    out[threadIdx.x] = *mine;
}
/* Through a pointer that may be LDS or device memory. */
extern "C" __global__ void flat_race(const unsigned *in, unsigned *out) {
    __shared__ unsigned s[128];
    s[threadIdx.x] = 0;
    __syncthreads();
    volatile unsigned *p = in[1] ? s : out;
    p[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = p[127 - threadIdx.x];
}
/* Memory that nobody has written. */
extern "C" __global__ void reads_unwritten(const unsigned *in, unsigned *out) {
    out[threadIdx.x] = in[threadIdx.x] + 1;
}
extern "C" __global__ void compares_unwritten(const unsigned *in, unsigned *out) {
    if (in[threadIdx.x] > 5) {
        out[threadIdx.x] = 1;
    }
}
extern "C" __global__ void scalar_unwritten(const unsigned *in, unsigned *out) {
    out[threadIdx.x] = in[blockIdx.x] + threadIdx.x;
}
extern "C" __global__ void atomic_unwritten(unsigned *in, unsigned *out) {
    atomicAdd(in, 1u);
}
extern "C" __global__ void lds_unwritten(const unsigned *in, unsigned *out) {
    __shared__ unsigned s[128];
    volatile unsigned *p = s;
    if (threadIdx.x < 64) {
        p[threadIdx.x] = 1;
    }
    __syncthreads();
    out[threadIdx.x] = p[threadIdx.x];
}
extern "C" __global__ void scratch_unwritten(const unsigned *in, unsigned *out) {
    volatile unsigned a[64];
    a[threadIdx.x & 31] = 1;
    out[threadIdx.x] = a[(threadIdx.x & 31) + (threadIdx.x == 70)];
}
/* Staged through LDS: what nobody has written stays that. */
extern "C" __global__ void staged_unwritten(const unsigned *in, unsigned *out) {
    __shared__ unsigned s[128];
    __builtin_amdgcn_global_load_lds(GLOBAL(in + threadIdx.x), LDS(s) + (threadIdx.x & 64), 4, 0, 0);
    __builtin_amdgcn_s_waitcnt(0x0f70);
    __builtin_amdgcn_s_barrier();
    volatile unsigned *p = s;
    out[threadIdx.x] = p[127 - threadIdx.x];
}
/* Reads it all, and takes only the half that is there: no error. */
extern "C" __global__ void drops_unwritten(const unsigned *in, unsigned *out) {
    unsigned value, moved;
    asm volatile("global_load_dword %0, %2, %3\n s_waitcnt vmcnt(0)\n v_mov_b32 %1, %0 row_shl:1" : "=&v"(value), "=&v"(moved)
                 : "v"(threadIdx.x * 4), "s"(in));
    __shared__ unsigned s[128];
    volatile unsigned *p = s;
    p[threadIdx.x] = 3 * value + 1;
    __syncthreads();
    const unsigned staged = p[threadIdx.x];
    out[threadIdx.x] = threadIdx.x < 64 ? staged : 7;
}
