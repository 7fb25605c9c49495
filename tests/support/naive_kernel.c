/* A host kernel that is easy to read: attention of one query tile, float32, no libm. Compiled by the tests with
 * -DTILE_M -DHEAD_DIM -DCAUSAL and, to provoke failures, -DFAULT=... */
#include "host_abi.h"

#ifndef TILE_M
#define TILE_M 16
#endif
#ifndef HEAD_DIM
#define HEAD_DIM 64
#endif
#ifndef CAUSAL
#define CAUSAL 0
#endif
#ifndef OFFSET /* added to every output: a kernel that is wrong by as much */
#define OFFSET 0.0f
#endif
#ifndef LSE_OFFSET /* the same of every log-sum-exp */
#define LSE_OFFSET 0.0f
#endif

static float exponential(float x) {
    if (x < -87.0f) {
        return 0.0f;
    }
    int n = (int)(x * 1.44269504f + (x < 0 ? -0.5f : 0.5f));
    float r = x - (float)n * 0.693359375f + (float)n * 2.12194440e-4f;
    float p = 1 + r * (1 + r * (0.5f + r * (1.6666667e-1f + r * (4.1666667e-2f + r * (8.333333e-3f + r * 1.3888889e-3f)))));
    union {
        unsigned bits;
        float value;
    } power = {.bits = (unsigned)(n + 127) << 23};
    return p * power.value;
}

static float logarithm(float x) { /* Newton on exp */
    float y = 0;
    for (int i = 0; i < 60; i++) {
        float e = exponential(y);
        y += 2 * (x - e) / (x + e);
    }
    return y;
}

#if defined(ENTRY_IS_DATA)
__attribute__((visibility("default"))) const int fsattn_attention = 1;
#else
__attribute__((visibility("default"))) void fsattn_attention(const fsattn_host_args *a, long long item, void *scratch) {
    long long tiles = (a->s_q + TILE_M - 1) / TILE_M, tile = item % tiles;
    long long h = item / tiles % a->heads_q, b = item / (tiles * a->heads_q);
    long long group = a->heads_q / a->heads_kv;
#if defined(HANGS)
    for (volatile int forever = 1; forever;) {
    }
#elif defined(CRASHES)
    __builtin_trap();
#endif
    const float *k = (const float *)a->k + b * a->k_stride_b + h / group * a->k_stride_h;
    const float *v = (const float *)a->v + b * a->v_stride_b + h / group * a->v_stride_h;
    float *sum = scratch; /* HEAD_DIM */
    for (long long i = tile * TILE_M; i < (tile + 1) * TILE_M && i < a->s_q; i++) {
        const float *q = (const float *)a->q + b * a->q_stride_b + h * a->q_stride_h + i * a->q_stride_s;
        float *o = (float *)a->o + b * a->o_stride_b + h * a->o_stride_h + i * a->o_stride_s;
        long long live = CAUSAL ? i + 1 + a->s_k - a->s_q : a->s_k;
        float maximum = -1e30f, total = 0;
        for (int pass = 0; pass < 2; pass++) {
            for (int d = 0; d < HEAD_DIM; d++) {
                sum[d] = 0;
            }
            for (long long j = 0; j < live; j++) {
                float dot = 0;
                for (int d = 0; d < HEAD_DIM; d++) {
                    dot += q[d] * k[j * a->k_stride_s + d];
                }
                dot *= a->scale;
                if (pass == 0) {
                    maximum = dot > maximum ? dot : maximum;
                    continue;
                }
                float p = exponential(dot - maximum);
                total += p;
                for (int d = 0; d < HEAD_DIM; d++) {
                    sum[d] += p * v[j * a->v_stride_s + d];
                }
            }
        }
        for (int d = 0; d < HEAD_DIM; d++) {
            o[d] = (total > 0 ? sum[d] / total : 0) + OFFSET;
        }
        if (a->lse) {
            a->lse[(b * a->heads_q + h) * a->s_q + i] =
                total > 0 ? maximum + logarithm(total) + LSE_OFFSET : -__builtin_inff();
        }
    }
#if defined(CHANGE_FLOAT_CONTROL) && defined(__x86_64__)
    __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | 0x8040u); /* flush to zero, denormals are zero */
#endif
}
#endif

#if defined(CONSTRUCTOR)
static volatile int constructed;
__attribute__((constructor)) static void construct(void) {
    constructed = 1;
}
#endif
#if defined(DESTRUCTOR)
static volatile int destructed;
__attribute__((destructor)) static void destruct(void) {
    destructed = 1;
}
#endif
#if defined(STATE)
__attribute__((visibility("default"))) int counts(void);
int counts(void) {
    static int calls STATE;
    return calls++;
}
#endif
#if defined(TABLES) /* constants that hold addresses are written by the loader and sealed */
static const float table[8] = {1, 2};
static const float *const tables[2] = {table, table + 4};
__attribute__((visibility("default"))) float looks_up(int i);
float looks_up(int i) {
    return tables[i & 1][i & 3];
}
#endif
#if defined(UNDEFINED)
extern double cos(double);
__attribute__((visibility("default"))) double calls(double x);
double calls(double x) {
    return cos(x);
}
#endif
#if defined(THREAD_LOCAL)
__attribute__((visibility("default"))) _Thread_local int counter;
#endif
#if defined(BOUND_BY_NAME)
__attribute__((visibility("default"))) void helper(void);
void helper(void) {
}
__attribute__((visibility("default"))) void (*const pointer)(void) = helper;
#endif
#if defined(INDIRECT)
static void chosen(void) {
}
static void *choose(void) {
    return (void *)chosen;
}
__attribute__((visibility("default"), ifunc("choose"))) void indirect(void);
#endif
