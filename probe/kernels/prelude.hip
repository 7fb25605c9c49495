typedef float v2f __attribute__((ext_vector_type(2)));
typedef float v4f __attribute__((ext_vector_type(4)));
typedef float v16f __attribute__((ext_vector_type(16)));
typedef float v32f __attribute__((ext_vector_type(32)));
typedef int v2i __attribute__((ext_vector_type(2)));
typedef int v3i __attribute__((ext_vector_type(3)));
typedef int v4i __attribute__((ext_vector_type(4)));
typedef int v8i __attribute__((ext_vector_type(8)));
typedef unsigned v6u __attribute__((ext_vector_type(6)));
typedef short v2s __attribute__((ext_vector_type(2)));
typedef short v4s __attribute__((ext_vector_type(4)));
typedef unsigned short v2us __attribute__((ext_vector_type(2)));
typedef _Float16 v2h __attribute__((ext_vector_type(2)));
typedef __bf16 v8bf __attribute__((ext_vector_type(8)));
typedef __bf16 v32bf __attribute__((ext_vector_type(32)));
#define B(name) __builtin_amdgcn_##name
#define LOCAL __attribute__((address_space(3)))
#define GLOBAL __attribute__((address_space(1)))
#define PROBE(name) extern "C" __global__ __launch_bounds__(64) void name(const unsigned *in, unsigned *out, unsigned count)
#define EACH_CASE for (unsigned i = threadIdx.x; i < count; i += 64)
static __device__ float f32(unsigned bits) { return __builtin_bit_cast(float, bits); }
static __device__ unsigned u32(float value) { return __builtin_bit_cast(unsigned, value); }
