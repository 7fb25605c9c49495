/* gfx950_shim.hpp - lets a processor run the GPU kernels' source, lane by lane, to test what they compute.
 *
 * Every lane is a fiber; an operation across a wave waits until its 64 lanes have come, a barrier until the
 * whole workgroup has. Copies to LDS poison their target when they are started and deliver when they are
 * waited for: a missing wait or a slot that is overwritten too early changes the result. The operations are
 * written from the CDNA4 manual, on their own, with none of the project's numerics. What it cannot show: what
 * the compiler makes of the source, and what the hardware does that the manual does not say.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

namespace shim {

enum { lanes = 64, lanes_max = 512, pending_max = 256 };

struct copy {
    const char *from;
    char *to;
    int bytes;
};

struct lane {
    ucontext_t context;
    void *stack;
    int number; /* in the workgroup */
    bool done;
    const void *in;
    void *out;
    copy pending[pending_max];
    int pending_count;
};

struct wave {
    int arrived;
    unsigned generation;
};

static lane all[lanes_max];
static wave waves[lanes_max / lanes];
static int lane_count, barrier_arrived;
static unsigned barrier_generation, block;
static lane *current;
static ucontext_t scheduler;
static void (*kernel)(const void *args);
static const void *kernel_args;

static void yield() {
    swapcontext(&current->context, &scheduler);
}

/* Waits for the wave; the last lane to come computes for all with compute(in[64], out[64]). */
template <typename In, typename Out, typename F> static Out across(const In &in, F compute) {
    wave &w = waves[current->number / lanes];
    Out out;
    current->in = &in;
    current->out = &out;
    const unsigned generation = w.generation;
    if (++w.arrived == lanes) {
        const In *ins[lanes];
        Out *outs[lanes];
        for (int i = 0; i < lanes; i++) {
            lane &l = all[current->number / lanes * lanes + i];
            ins[i] = (const In *)l.in;
            outs[i] = (Out *)l.out;
        }
        compute(ins, outs);
        w.arrived = 0;
        w.generation++;
    }
    while (w.generation == generation) {
        yield();
    }
    return out;
}

static void deliver(int keep) {
    lane &l = *current;
    int count = l.pending_count > keep ? l.pending_count - keep : 0;
    for (int i = 0; i < count; i++) {
        memcpy(l.pending[i].to, l.pending[i].from, l.pending[i].bytes);
    }
    memmove(l.pending, l.pending + count, (l.pending_count - count) * sizeof(copy));
    l.pending_count -= count;
}

static void body() {
    kernel(kernel_args);
    if (current->pending_count) {
        fprintf(stderr, "shim: the workgroup ends with copies to LDS under way\n");
        abort();
    }
    current->done = true;
    for (;;) {
        yield();
    }
}

static void run_block(int threads) {
    const size_t stack_bytes = 1 << 19;
    lane_count = threads;
    barrier_arrived = 0;
    for (int i = 0; i < threads; i++) {
        lane &l = all[i];
        if (!l.stack) {
            l.stack = mmap(NULL, stack_bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        }
        l.number = i;
        l.done = false;
        l.pending_count = 0;
        getcontext(&l.context);
        l.context.uc_stack.ss_sp = l.stack;
        l.context.uc_stack.ss_size = stack_bytes;
        makecontext(&l.context, body, 0);
    }
    for (int left = threads, idle = 0; left > 0;) {
        left = 0;
        for (int i = 0; i < threads; i++) {
            if (!all[i].done) {
                left++;
                current = &all[i];
                swapcontext(&scheduler, &all[i].context);
            }
        }
        if (++idle > 10000000) {
            abort();
        }
    }
}

/* ---- numbers ---- */

struct small_format {
    int bits, exponent_bits, bias;
};

static small_format format_of(int code) { /* cbsz, blgp */
    static const small_format formats[] = {{8, 4, 7}, {8, 5, 15}, {6, 2, 1}, {6, 3, 3}, {4, 2, 1}};
    return formats[code];
}

static float decode(small_format f, unsigned code) {
    const int mantissa_bits = f.bits - 1 - f.exponent_bits;
    const int exponent = code >> mantissa_bits & ((1 << f.exponent_bits) - 1),
              mantissa = code & ((1 << mantissa_bits) - 1);
    const bool negative = code >> (f.bits - 1) & 1;
    if (f.bits == 8 && f.exponent_bits == 4 && (code & 0x7f) == 0x7f) {
        return NAN;
    }
    const float m =
        exponent ? 1 + ldexpf((float)mantissa, -mantissa_bits) : ldexpf((float)mantissa, -mantissa_bits);
    const float x = ldexpf(m, (exponent ? exponent : 1) - f.bias);
    return negative ? -x : x;
}

/* To nearest, ties to even; saturating (FP8: NaN beyond 464, as with FP16_OVFL 0). */
static unsigned encode(small_format f, float x) {
    const unsigned sign = signbit(x) ? 1u << (f.bits - 1) : 0, count = 1u << (f.bits - 1);
    const float magnitude = fabsf(x);
    if (f.bits == 8 && !(magnitude < 464.5f)) {
        return sign | 0x7f;
    }
    unsigned best = 0;
    for (unsigned code = 1; code < count && !(f.bits == 8 && code == 0x7f); code++) {
        const float below = decode(f, best), here = decode(f, code);
        const float middle = below + (here - below) / 2; /* exact */
        if (magnitude > middle || (magnitude == middle && !(code & 1))) {
            best = code;
        } else {
            break;
        }
    }
    return sign | best;
}

static unsigned item_at(const int *words, int bits, int i) {
    unsigned value = 0;
    for (int b = 0; b < bits; b++) {
        const int at = i * bits + b;
        value |= ((unsigned)words[at / 32] >> (at % 32) & 1) << b;
    }
    return value;
}

static void set_item(int *words, int bits, int i, unsigned value) {
    for (int b = 0; b < bits; b++) {
        const int at = i * bits + b;
        words[at / 32] =
            (int)((unsigned)words[at / 32] & ~(1u << at % 32)) | (int)((value >> b & 1) << at % 32);
    }
}

static float from_bits(unsigned bits) {
    float x;
    memcpy(&x, &bits, 4);
    return x;
}

static unsigned to_bits(float x) {
    unsigned bits;
    memcpy(&bits, &x, 4);
    return bits;
}

static float scale_value(unsigned byte) {
    return byte == 0xff ? NAN : ldexpf(1.0f, (int)byte - 127);
}

/* Only the exponent of a conversion's scale counts. */
static float divisor_of(float scale) {
    const unsigned byte = to_bits(scale) >> 23 & 0xff;
    if (byte == 0) {
        fprintf(stderr, "shim: a conversion with scale 0, which is not documented\n");
        abort();
    }
    return ldexpf(1.0f, (int)byte - 127);
}

} // namespace shim

#define __device__
#define __global__
#define __shared__ static
#define __launch_bounds__(...)
#define address_space(n) aligned(1)
#define __bf16 unsigned short
#define _Float16 unsigned short

typedef float shim_v4f __attribute__((ext_vector_type(4)));
typedef float shim_v16f __attribute__((ext_vector_type(16)));
typedef int shim_v4i __attribute__((ext_vector_type(4)));
typedef int shim_v16i __attribute__((ext_vector_type(16)));
typedef short shim_v4s __attribute__((ext_vector_type(4)));
typedef int shim_v8i __attribute__((ext_vector_type(8)));
typedef unsigned shim_v2u __attribute__((ext_vector_type(2)));
typedef unsigned shim_v6u __attribute__((ext_vector_type(6)));
typedef short shim_v2s __attribute__((ext_vector_type(2)));
typedef unsigned short shim_v2us __attribute__((ext_vector_type(2)));
typedef unsigned short shim_v8us __attribute__((ext_vector_type(8)));
typedef unsigned short shim_v32us __attribute__((ext_vector_type(32)));
typedef float shim_v2f __attribute__((ext_vector_type(2)));

#define __builtin_amdgcn_workitem_id_x() ((unsigned)shim::current->number)
#define __builtin_amdgcn_workgroup_id_x() (shim::block)
#define __builtin_amdgcn_readfirstlane(x) (x)
#define __builtin_amdgcn_sched_barrier(x) ((void)0)
#define __builtin_amdgcn_s_setprio(x) ((void)0)
#define __builtin_amdgcn_logf(x) log2f(x)

/* Subnormal results are flushed. */
static float shim_exp2(float x) {
    return x < -126 ? 0.0f : exp2f(x);
}
#define __builtin_amdgcn_exp2f(x) shim_exp2(x)

static void shim_barrier() {
    const unsigned generation = shim::barrier_generation;
    if (++shim::barrier_arrived == shim::lane_count) {
        shim::barrier_arrived = 0;
        shim::barrier_generation++;
    }
    while (shim::barrier_generation == generation) {
        shim::yield();
    }
}
#define __builtin_amdgcn_s_barrier() shim_barrier()
#define __syncthreads() (shim::deliver(0), shim_barrier())
#define __builtin_amdgcn_s_waitcnt(x) shim::deliver(((x)&15) | ((x) >> 14 & 3) << 4)

static void shim_load_lds(const char *from, char *to, int bytes) {
    to += shim::current->number % shim::lanes * bytes;
    memset(to, 0xa5, bytes);
    shim::current->pending[shim::current->pending_count++] = {from, to, bytes};
    if (shim::current->pending_count == shim::pending_max) {
        abort();
    }
}
#define __builtin_amdgcn_global_load_lds(from, to, bytes, offset, aux) shim_load_lds(from, to, bytes)

static uint64_t shim_ballot(bool x) {
    return shim::across<bool, uint64_t>(x, [](const bool *const *in, uint64_t *const *out) {
        uint64_t all = 0;
        for (int i = 0; i < 64; i++) {
            all |= (uint64_t)*in[i] << i;
        }
        for (int i = 0; i < 64; i++) {
            *out[i] = all;
        }
    });
}
#define __builtin_amdgcn_ballot_w64(x) shim_ballot(x)

static shim_v2u shim_permlane32_swap(unsigned a, unsigned b) {
    const shim_v2u in = {a, b};
    return shim::across<shim_v2u, shim_v2u>(in, [](const shim_v2u *const *from, shim_v2u *const *out) {
        for (int i = 0; i < 64; i++) {
            *out[i] =
                (shim_v2u){i < 32 ? from[i]->x : from[i - 32]->y, i < 32 ? from[i + 32]->x : from[i]->y};
        }
    });
}
#define __builtin_amdgcn_permlane32_swap(a, b, c, d) shim_permlane32_swap(a, b)

static int shim_quad_perm(int x, int control) {
    return shim::across<int, int>(x, [control](const int *const *from, int *const *out) {
        for (int i = 0; i < 64; i++) {
            *out[i] = *from[(i & ~3) | (control >> (2 * (i & 3)) & 3)];
        }
    });
}
#define __builtin_amdgcn_mov_dpp(x, control, rows, banks, bound) shim_quad_perm(x, control)

static int shim_bpermute(int address, int x) {
    const shim_v2u in = {(unsigned)address, (unsigned)x};
    return shim::across<shim_v2u, int>(in, [](const shim_v2u *const *from, int *const *out) {
        for (int i = 0; i < 64; i++) {
            *out[i] = (int)from[from[i]->x / 4 % 64]->y;
        }
    });
}
#define __builtin_amdgcn_ds_bpermute(address, x) shim_bpermute(address, x)

/* ---- matrix ---- */

struct shim_mfma_in {
    shim_v8i a, b;
    shim_v16f c;
    unsigned scale_a, scale_b; /* bytes */
};

/* k of an item that lane group g holds. */
static int shim_k(int format, int g, int item) {
    return format <= 1 ? 16 * g + item % 16 + 32 * (item / 16) : 32 * g + item;
}

static shim_v16f shim_mfma(shim_v8i a, shim_v8i b, shim_v16f c, int fa, int fb, int sa, int scale_a, int sb,
                           int scale_b) {
    const shim_mfma_in in = {a, b, c, (unsigned)scale_a >> (8 * sa) & 0xff,
                             (unsigned)scale_b >> (8 * sb) & 0xff};
    return shim::across<shim_mfma_in, shim_v16f>(in, [fa, fb](const shim_mfma_in *const *from,
                                                              shim_v16f *const *out) {
        static float x[32][64], y[64][32];
        for (int i = 0; i < 64; i++) {
            const int g = i / 32;
            for (int item = 0; item < 32; item++) {
                const int ka = shim_k(fa, g, item), kb = shim_k(fb, g, item);
                int words[8];
                memcpy(words, &from[i]->a, sizeof words);
                x[i % 32][ka] =
                    shim::decode(shim::format_of(fa), shim::item_at(words, shim::format_of(fa).bits, item)) *
                    shim::scale_value(from[ka / 32 * 32 + i % 32]->scale_a);
                memcpy(words, &from[i]->b, sizeof words);
                y[kb][i % 32] =
                    shim::decode(shim::format_of(fb), shim::item_at(words, shim::format_of(fb).bits, item)) *
                    shim::scale_value(from[kb / 32 * 32 + i % 32]->scale_b);
            }
        }
        for (int i = 0; i < 64; i++) {
            for (int r = 0; r < 16; r++) {
                const int row = 8 * (r / 4) + 4 * (i / 32) + r % 4;
                double sum = 0;
                for (int k = 0; k < 64; k++) {
                    sum += (double)x[row][k] * (double)y[k][i % 32];
                }
                (*out[i])[r] = (float)(sum + (double)from[i]->c[r]);
            }
        }
    });
}
#define __builtin_amdgcn_mfma_scale_f32_32x32x64_f8f6f4(a, b, c, fa, fb, sa, scale_a, sb, scale_b)           \
    shim_mfma(a, b, c, fa, fb, sa, scale_a, sb, scale_b)

/* Plain 32 x 32 products: a lane has ITEMS neighbouring items of k. */
template <typename Operand, typename Sum, int ITEMS> struct shim_plain_in {
    Operand a, b;
    Sum c;
};

template <typename Operand, typename Sum, int ITEMS, typename Value>
static Sum shim_mfma_plain(Operand a, Operand b, Sum c, Value value) {
    typedef shim_plain_in<Operand, Sum, ITEMS> input;
    const input in = {a, b, c};
    return shim::across<input, Sum>(in, [value](const input *const *from, Sum *const *out) {
        static double x[32][2 * ITEMS], y[32][2 * ITEMS];
        for (int i = 0; i < 64; i++) {
            for (int j = 0; j < ITEMS; j++) {
                x[i % 32][ITEMS * (i / 32) + j] = value(from[i]->a, j);
                y[i % 32][ITEMS * (i / 32) + j] = value(from[i]->b, j);
            }
        }
        for (int i = 0; i < 64; i++) {
            for (int r = 0; r < 16; r++) {
                const int row = 8 * (r / 4) + 4 * (i / 32) + r % 4;
                double sum = (double)from[i]->c[r];
                for (int k = 0; k < 2 * ITEMS; k++) {
                    sum += x[row][k] * y[i % 32][k];
                }
                (*out[i])[r] = (decltype((*out[i])[r] + 0))sum;
            }
        }
    });
}
template <typename Operand> static double shim_bf16_item(Operand x, int j) {
    return (double)shim::from_bits((unsigned)(unsigned short)x[j] << 16);
}
#define __builtin_amdgcn_mfma_f32_32x32x16_bf16(a, b, c, x, y, z)                                            \
    shim_mfma_plain<shim_v8us, shim_v16f, 8>(a, b, c, shim_bf16_item<shim_v8us>)
#define __builtin_amdgcn_mfma_f32_32x32x8bf16_1k(a, b, c, x, y, z)                                           \
    shim_mfma_plain<shim_v4s, shim_v16f, 4>(a, b, c, shim_bf16_item<shim_v4s>)
static double shim_int8_item(shim_v4i x, int j) {
    return (double)(signed char)((unsigned)x[j / 4] >> (8 * (j % 4)) & 0xff);
}
#define __builtin_amdgcn_mfma_i32_32x32x32_i8(a, b, c, x, y, z)                                              \
    shim_mfma_plain<shim_v4i, shim_v16i, 16>(a, b, c, shim_int8_item)

struct shim_smfmac_in {
    shim_v4i a;
    shim_v8i b;
    shim_v4f c;
    int index;
};

static shim_v4f shim_smfmac(shim_v4i a, shim_v8i b, shim_v4f c, int index) {
    const shim_smfmac_in in = {a, b, c, index};
    return shim::across<shim_smfmac_in, shim_v4f>(
        in, [](const shim_smfmac_in *const *from, shim_v4f *const *out) {
            static float x[16][128], y[128][16];
            memset(x, 0, sizeof x);
            for (int i = 0; i < 64; i++) {
                const int g = i / 16;
                int words[8];
                memcpy(words, &from[i]->a, 16);
                for (int n = 0; n < 16; n++) { /* two of every four k from 32 g on */
                    const int position = from[i]->index >> (2 * n) & 3;
                    x[i % 16][32 * g + n / 2 * 4 + position] +=
                        shim::decode(shim::format_of(0), shim::item_at(words, 8, n));
                }
                memcpy(words, &from[i]->b, 32);
                for (int s = 0; s < 32; s++) {
                    y[16 * g + s % 16 + 64 * (s / 16)][i % 16] =
                        shim::decode(shim::format_of(0), shim::item_at(words, 8, s));
                }
            }
            for (int i = 0; i < 64; i++) {
                for (int r = 0; r < 4; r++) {
                    double sum = (double)from[i]->c[r];
                    for (int k = 0; k < 128; k++) {
                        sum += (double)x[4 * (i / 16) + r][k] * (double)y[k][i % 16];
                    }
                    (*out[i])[r] = (float)sum;
                }
            }
        });
}
#define __builtin_amdgcn_smfmac_f32_16x16x128_fp8_fp8(a, b, c, index, x, y) shim_smfmac(a, b, c, index)

/* ---- conversions and comparisons ---- */

static unsigned short shim_pknorm(float x) {
    const double clamped = !(x > 0) ? 0 : x > 1 ? 1 : (double)x; /* NaN: 0 */
    return (unsigned short)nearbyint(clamped * 65535);
}
#define __builtin_amdgcn_cvt_pknorm_u16(a, b) ((shim_v2us){shim_pknorm(a), shim_pknorm(b)})

static shim_v6u shim_pk32_fp6(shim_v32us x, float scale) {
    int words[8] = {0};
    for (int i = 0; i < 32; i++) {
        shim::set_item(words, 6, i,
                       shim::encode(shim::format_of(2),
                                    shim::from_bits((unsigned)x[i] << 16) / shim::divisor_of(scale)));
    }
    shim_v6u out;
    memcpy(&out, words, 24);
    return out;
}
#define __builtin_amdgcn_cvt_scalef32_pk32_fp6_bf16(x, scale) shim_pk32_fp6(x, scale)

static shim_v6u shim_2xpk16_fp6(shim_v16f even, shim_v16f odd, float scale) {
    int words[8] = {0};
    for (int i = 0; i < 32; i++) {
        shim::set_item(
            words, 6, i,
            shim::encode(shim::format_of(2), (i % 2 ? odd : even)[i / 2] / shim::divisor_of(scale)));
    }
    shim_v6u out;
    memcpy(&out, words, 24);
    return out;
}
#define __builtin_amdgcn_cvt_scalef32_2xpk16_fp6_f32(even, odd, scale) shim_2xpk16_fp6(even, odd, scale)

static shim_v2s shim_pk_fp8(shim_v2s old, float a, float b, float scale, bool high) {
    const unsigned low_code = shim::encode(shim::format_of(0), a / shim::divisor_of(scale));
    const unsigned high_code = shim::encode(shim::format_of(0), b / shim::divisor_of(scale));
    old[high ? 1 : 0] = (short)(low_code | high_code << 8);
    return old;
}
#define __builtin_amdgcn_cvt_scalef32_pk_fp8_f32(old, a, b, scale, high) shim_pk_fp8(old, a, b, scale, high)
#define __builtin_amdgcn_cvt_scalef32_pk_fp8_bf16(old, pair, scale, high)                                    \
    shim_pk_fp8(old, shim::from_bits((unsigned)(pair)[0] << 16), shim::from_bits((unsigned)(pair)[1] << 16), \
                scale, high)

static unsigned shim_pk_fp4(unsigned old, float a, float b, float scale, int byte) {
    const unsigned low = shim::encode(shim::format_of(4), a / shim::divisor_of(scale));
    const unsigned high = shim::encode(shim::format_of(4), b / shim::divisor_of(scale));
    return (old & ~(0xffu << 8 * byte)) | (low | high << 4) << 8 * byte;
}
#define __builtin_amdgcn_cvt_scalef32_pk_fp4_f32(old, a, b, scale, byte) shim_pk_fp4(old, a, b, scale, byte)

#define __builtin_amdgcn_cvt_scalef32_pk_fp4_bf16(old, pair, scale, byte)                                    \
    shim_pk_fp4(old, shim::from_bits((unsigned)(pair)[0] << 16), shim::from_bits((unsigned)(pair)[1] << 16), \
                scale, byte)

/* To nearest, ties to even, clamped; NaN gives 0. */
static unsigned shim_pk_u8(float x, int byte, unsigned old) {
    const unsigned code = !(x > 0) ? 0 : x >= 255 ? 255 : (unsigned)nearbyintf(x);
    return (old & ~(0xffu << 8 * byte)) | code << 8 * byte;
}
#define __builtin_amdgcn_cvt_pk_u8_f32(x, byte, old) shim_pk_u8(x, byte, old)

static shim_v2f shim_pk_f32_fp8(unsigned codes, float scale, bool high) {
    const float factor = shim::divisor_of(scale);
    codes >>= high ? 16 : 0;
    return (shim_v2f){shim::decode(shim::format_of(0), codes & 0xff) * factor,
                      shim::decode(shim::format_of(0), codes >> 8 & 0xff) * factor};
}
#define __builtin_amdgcn_cvt_scalef32_pk_f32_fp8(codes, scale, high) shim_pk_f32_fp8(codes, scale, high)

static unsigned short shim_to_bf16(float x) {
    const unsigned bits = shim::to_bits(x);
    return x != x ? 0x7fc0 : (unsigned short)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}
#define __builtin_convertvector(x, type) ((shim_v2us){shim_to_bf16((x)[0]), shim_to_bf16((x)[1])})

static shim_v2us shim_max(shim_v2us a, shim_v2us b) {
    return (shim_v2us){a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
}
static unsigned shim_max(unsigned a, unsigned b) {
    return a > b ? a : b;
}
#define __builtin_elementwise_max(a, b) shim_max(a, b)

static shim_v2us shim_sub_sat(shim_v2us a, shim_v2us b) {
    return (shim_v2us){(unsigned short)(a[0] > b[0] ? a[0] - b[0] : 0),
                       (unsigned short)(a[1] > b[1] ? a[1] - b[1] : 0)};
}
#define __builtin_elementwise_sub_sat(a, b) shim_sub_sat(a, b)

/* Value of FP16 bits; NaN wins a maximum. */
static float shim_half(unsigned short bits) {
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const float m = exponent == 31 ? (mantissa ? NAN : INFINITY)
                    : exponent     ? ldexpf((float)(1024 + mantissa), exponent - 25)
                                   : ldexpf((float)mantissa, -24);
    return bits >> 15 ? -m : m;
}

static unsigned short shim_maximum_half(unsigned short a, unsigned short b) {
    const float x = shim_half(a), y = shim_half(b);
    return x != x ? a : y != y ? b : x > y ? a : b;
}

static shim_v2us shim_maximum(shim_v2us a, shim_v2us b) {
    return (shim_v2us){shim_maximum_half(a[0], b[0]), shim_maximum_half(a[1], b[1])};
}

/* What the kernels compare as FP16; the rest of them only carries its bits. */
struct shim_f16 {
    unsigned short bits;
    bool operator<=(shim_f16 other) const {
        return shim_half(bits) <= shim_half(other.bits);
    }
};

static shim_v16f shim_fma(shim_v16f a, shim_v16f b, shim_v16f c) {
    for (int i = 0; i < 16; i++) {
        a[i] = fmaf(a[i], b[i], c[i]);
    }
    return a;
}
#define __builtin_elementwise_fma(a, b, c) shim_fma(a, b, c)

static float shim_maximum(float a, float b) {
    return a != a || b != b ? NAN : a > b ? a : b;
}
#define __builtin_elementwise_maximum(a, b) shim_maximum(a, b)

/* ---- how a test runs them ---- */

#define SHIM_RUN(name, type)                                                                                 \
    extern "C" void shim_run_##name(const type *args, unsigned blocks, int threads) {                        \
        shim::kernel = [](const void *a) { name(*(const type *)a); };                                        \
        shim::kernel_args = args;                                                                            \
        for (shim::block = 0; shim::block < blocks; shim::block++) {                                         \
            shim::run_block(threads);                                                                        \
        }                                                                                                    \
    }
