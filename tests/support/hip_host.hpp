/* hip_host.hpp - HIP's own names on this processor, over gfx950_shim.hpp: what ordinary kernels use of the language.
 *
 * A file of kernels is compiled behind this header for the host and as it is for the GPU (tests/data/sim/whole.hip); the host's
 * mathematical functions, sums and matrix products know nothing of the simulator. One-dimensional grids and blocks; all lanes
 * of a wave take part in a shuffle. */
#include "gfx950_shim.hpp"

struct whole_args {
    const void *a, *b;
    void *out;
    int n;
};

struct hip_index {
    unsigned x;
};
static unsigned hip_grid;
#define threadIdx (hip_index{(unsigned)shim::current->number})
#define blockIdx (hip_index{shim::block})
#define blockDim (hip_index{(unsigned)shim::lane_count})
#define gridDim (hip_index{hip_grid})

/* Defines a kernel and host_NAME, which runs it over a grid. */
#define KERNEL(name, A, B, O)                                                                                \
    static void name(const A *a, const B *b, O *out, int n);                                                 \
    extern "C" void host_##name(const whole_args *args, unsigned blocks, int threads) {                      \
        shim::kernel = [](const void *p) {                                                                   \
            const whole_args *x = (const whole_args *)p;                                                     \
            name((const A *)x->a, (const B *)x->b, (O *)x->out, x->n);                                       \
        };                                                                                                   \
        shim::kernel_args = args;                                                                            \
        hip_grid = blocks;                                                                                   \
        for (shim::block = 0; shim::block < blocks; shim::block++) {                                         \
            shim::run_block(threads);                                                                        \
        }                                                                                                    \
    }                                                                                                        \
    static void name(const A *a, const B *b, O *out, int n)

/* ---- shuffles: source lane by lane ---- */

template <typename T> struct hip_shuffled {
    T value;
    int from;
};
template <typename T> static T hip_shuffle(T value, int from) {
    const hip_shuffled<T> in = {value, from};
    return shim::across<hip_shuffled<T>, T>(in, [](const hip_shuffled<T> *const *from_lane, T *const *to) {
        for (int i = 0; i < shim::lanes; i++) {
            const int source = from_lane[i]->from;
            *to[i] = source >= 0 && source < shim::lanes ? from_lane[source]->value : from_lane[i]->value;
        }
    });
}
static int hip_lane() {
    return shim::current->number % shim::lanes;
}
template <typename T> static T __shfl(T value, int lane) {
    return hip_shuffle(value, lane);
}
template <typename T> static T __shfl_xor(T value, int mask) {
    return hip_shuffle(value, hip_lane() ^ mask);
}
template <typename T> static T __shfl_down(T value, unsigned by) {
    return hip_shuffle(value, hip_lane() + (int)by);
}
template <typename T> static T __shfl_up(T value, unsigned by) {
    return hip_shuffle(value, hip_lane() - (int)by);
}
#define __ballot(x) shim_ballot(x)
#define __popcll(x) __builtin_popcountll(x)
#define __popc(x) __builtin_popcount(x)
#define __clz(x) ((x) ? __builtin_clz((unsigned)(x)) : 32)

/* ---- atomics: lanes run one after another ---- */

template <typename T> static T atomicAdd(T *to, T value) {
    const T old = *to;
    *to = old + value;
    return old;
}
template <typename T> static T atomicMax(T *to, T value) {
    const T old = *to;
    *to = old > value ? old : value;
    return old;
}
template <typename T> static T atomicMin(T *to, T value) {
    const T old = *to;
    *to = old < value ? old : value;
    return old;
}
template <typename T> static T atomicXor(T *to, T value) {
    const T old = *to;
    *to = old ^ value;
    return old;
}

/* ---- D = A B + C of 32x32x16 BF16: lane l has row (column) l % 32 and eight k from 8 (l / 32) on ---- */

typedef unsigned short hip_v8us __attribute__((ext_vector_type(8)));
struct hip_mfma_in {
    hip_v8us a, b;
    shim_v16f c;
};
static shim_v16f hip_mfma_bf16(hip_v8us a, hip_v8us b, shim_v16f c) {
    const hip_mfma_in in = {a, b, c};
    return shim::across<hip_mfma_in, shim_v16f>(in, [](const hip_mfma_in *const *from, shim_v16f *const *to) {
        for (int l = 0; l < shim::lanes; l++) {
            for (int r = 0; r < 16; r++) {
                const int row = 8 * (r / 4) + 4 * (l / 32) + r % 4;
                double sum = 0;
                for (int k = 0; k < 16; k++) {
                    sum += (double)shim::from_bits((unsigned)from[row + 32 * (k / 8)]->a[k % 8] << 16) *
                           (double)shim::from_bits((unsigned)from[l % 32 + 32 * (k / 8)]->b[k % 8] << 16);
                }
                (*to[l])[r] = (float)(sum + (double)from[l]->c[r]);
            }
        }
    });
}
#define __builtin_amdgcn_mfma_f32_32x32x16_bf16(a, b, c, x, y, z) hip_mfma_bf16(a, b, c)
