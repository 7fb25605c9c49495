/* Bugs that hardware mostly hides. Blocks of 128 threads: two waves. */
#define GLOBAL(p) ((__attribute__((address_space(1))) unsigned *)(p))
#define LDS(p) ((__attribute__((address_space(3))) unsigned *)(p))
extern "C" __global__ void missing_barrier(const unsigned *in, unsigned *out) {
    __shared__ unsigned s[128];
    s[threadIdx.x] = in[threadIdx.x];
    __builtin_amdgcn_wave_barrier();
    out[threadIdx.x] = s[127 - threadIdx.x];
}
extern "C" __global__ void missing_wait(const unsigned *in, unsigned *out) {
    unsigned value;
    asm volatile("global_load_dword %0, %1, %2\n v_add_u32 %0, 1, %0" : "=&v"(value) : "v"(threadIdx.x * 4), "s"(in));
    out[threadIdx.x] = value;
}
extern "C" __global__ void lds_overflow(const unsigned *in, unsigned *out) {
    __shared__ unsigned s[128];
    s[threadIdx.x + in[threadIdx.x]] = 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
extern "C" __global__ void load_not_waited_for(const unsigned *in, unsigned *out) {
    __shared__ unsigned s[128];
    __attribute__((address_space(3))) unsigned *mine = LDS(s) + (threadIdx.x & 64);
    __builtin_amdgcn_global_load_lds(GLOBAL(in + threadIdx.x), mine, 4, 0, 0);
    __builtin_amdgcn_s_barrier();
    unsigned value;
    asm volatile("ds_read_b32 %0, %1\n s_waitcnt lgkmcnt(0)" : "=&v"(value) : "v"((127 - threadIdx.x) * 4));
    out[threadIdx.x] = value;
}
extern "C" __global__ void wait_behind_the_barrier(const unsigned *in, unsigned *out) {
    __shared__ unsigned s[128];
    __attribute__((address_space(3))) unsigned *mine = LDS(s) + (threadIdx.x & 64);
    __builtin_amdgcn_global_load_lds(GLOBAL(in + threadIdx.x), mine, 4, 0, 0);
    __builtin_amdgcn_s_barrier();
    __builtin_amdgcn_s_waitcnt(0x0f70);
    unsigned value;
    asm volatile("ds_read_b32 %0, %1\n s_waitcnt lgkmcnt(0)" : "=&v"(value) : "v"((127 - threadIdx.x) * 4));
    out[threadIdx.x] = value;
}
extern "C" __global__ void waited_and_synchronized(const unsigned *in, unsigned *out) {
    __shared__ unsigned s[128];
    __attribute__((address_space(3))) unsigned *mine = LDS(s) + (threadIdx.x & 64);
    __builtin_amdgcn_global_load_lds(GLOBAL(in + threadIdx.x), mine, 4, 0, 0);
    __builtin_amdgcn_s_waitcnt(0x0f70);
    __builtin_amdgcn_s_barrier();
    unsigned value;
    asm volatile("ds_read_b32 %0, %1\n s_waitcnt lgkmcnt(0)" : "=&v"(value) : "v"((127 - threadIdx.x) * 4));
    out[threadIdx.x] = value;
}
extern "C" __global__ void never_ends(unsigned *out) {
    while (__hip_atomic_load(out, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT) == 0) {
    }
}
/* Half of each wave goes past a barrier that the other half waits at: two for some, one for others. */
extern "C" __global__ void divergent_barrier(const unsigned *in, unsigned *out) {
    __shared__ unsigned s[128];
    s[threadIdx.x] = in[threadIdx.x];
    if (in[threadIdx.x] & 1) {
        __syncthreads();
        s[threadIdx.x]++;
    }
    __syncthreads();
    out[threadIdx.x] = s[127 - threadIdx.x];
}
/* Those that have nothing to do leave early: no error. */
extern "C" __global__ void early_return(const unsigned *in, unsigned *out) {
    __shared__ unsigned s[128];
    if (threadIdx.x & 1) {
        return;
    }
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = s[126 - threadIdx.x];
    __syncthreads();
    s[threadIdx.x] = 0;
}
extern "C" __global__ void traps(unsigned *out) {
    out[0] = 1;
    __builtin_trap();
}
