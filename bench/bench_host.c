/* bench_host CACHE: every tuned problem of a cache file against the processor's FMA peak, which is measured in the same run,
 * interleaved, with one thread and with all. Measured on this machine; each figure is the best of `rounds` rounds, because
 * whatever else runs here can only slow both sides down. */
#include "cpu.h"
#include "error.h"
#include "fsc.h"
#include "inputs.h"
#include "memory.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { rounds = 7, thread_limit = 64, accumulators = 12 };

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_RAW, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the peak: independent chains of fused multiply-adds in registers, for each width of vector ---- */

#if defined(__x86_64__)
#define PEAK(name, features, bytes)                                                                          \
    typedef float name##_vector __attribute__((vector_size(bytes)));                                         \
    __attribute__((target(features))) static double name(double seconds) { \
        name##_vector sum[accumulators] = {{0}}, factor, term;                                               \
        for (unsigned i = 0; i < bytes / 4; i++) {                                                           \
            factor[i] = 0.999f;                                                                              \
            term[i] = 1e-3f;                                                                                 \
        }                                                                                                    \
        const double start = now_s();                                                                        \
        double flop = 0, elapsed = 0;                                                                        \
        while (elapsed < seconds) {                                                                          \
            for (int k = 0; k < 20000; k++) {                                                                \
                _Pragma("GCC unroll 12") for (int i = 0; i < accumulators; i++) {                            \
                    sum[i] = sum[i] * factor + term;                                                         \
                    __asm__ volatile("" : "+v"(sum[i]));                                                     \
                }                                                                                            \
            }                                                                                                \
            flop += 20000.0 * accumulators * (bytes / 4) * 2;                                                \
            elapsed = now_s() - start;                                                                       \
        }                                                                                                    \
        return flop / elapsed;                                                                               \
    }
#pragma GCC diagnostic ignored "-Wpsabi"
PEAK(peak_avx512, "avx512f", 64)
PEAK(peak_avx2, "avx2,fma", 32)
#endif

typedef struct peak_thread {
    pthread_t thread;
    double flop_per_s;
    bool wide;
} peak_thread;

static void *run_peak(void *data) {
    peak_thread *p = data;
#if defined(__x86_64__)
    for (int i = 0; i < 25; i++) { /* as short as a kernel's run, so that the best of many is undisturbed */
        p->flop_per_s = fmax(p->flop_per_s, p->wide ? peak_avx512(0.002) : peak_avx2(0.002));
    }
#endif
    return NULL;
}

/* FLOP/s of `threads` cores together. */
static double peak(int threads, bool wide) {
    peak_thread all[thread_limit];
    double sum = 0;
    int started = 0;
    for (; started < threads && started < thread_limit; started++) {
        all[started] = (peak_thread){.wide = wide};
        if (pthread_create(&all[started].thread, NULL, run_peak, &all[started]) != 0) {
            break;
        }
    }
    for (int i = 0; i < started; i++) {
        pthread_join(all[i].thread, NULL);
        sum += all[i].flop_per_s;
    }
    return sum;
}

/* ---- the winners, through the public interface ---- */

typedef struct measured {
    double best_s, peak_flop_per_s;
} measured;

static fsattn_status measure(const char *cache, const fsattn_problem *problem, int threads, bool wide, measured *m,
                             fsattn_err *err) {
    fsattn_options options;
    fsattn_options_init(&options);
    options.threads = threads;
    options.caches = &cache;
    options.cache_count = 1;
    fsattn_context *context;
    fsattn_operands values = {0};
    void *memory[4] = {0};
    float *lse = NULL;
    FSATTN_TRY(fsattn_open(&options, &context, err));
    fsattn_status status = FSATTN_OK;
    fsattn_plan plan;
    FSATTN_GOTO(fsattn_plan_find(context, problem, NULL, &plan, err));
    FSATTN_GOTO(fsattn_operands_init(&values, problem, err));
    fsattn_inputs_fill(FSATTN_DISTRIBUTION_NORMAL, 1, problem, &values);
    const float *from[3] = {values.qkv.q, values.qkv.k, values.qkv.v};
    const size_t counts[4] = {values.q_elements, values.kv_elements, values.kv_elements, values.q_elements};
    const fsattn_dtype dtypes[4] = {problem->dtype_q, problem->dtype_kv, problem->dtype_kv, problem->dtype_o};
    for (int i = 0; i < 4; i++) {
        memory[i] = fsattn_alloc_aligned(64, counts[i], fsattn_dtype_bytes(dtypes[i]));
        if (!memory[i]) {
            status = fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for operands");
            goto out;
        }
        if (i < 3) {
            fsattn_elements_write(dtypes[i], from[i], counts[i], memory[i]);
        }
    }
    lse = problem->lse ? fsattn_alloc((size_t)fsattn_problem_rows(problem), sizeof *lse) : NULL;
    fsattn_arguments arguments = {.size = sizeof arguments, .q = {memory[0], 0, 0, 0}, .k = {memory[1], 0, 0, 0},
                                  .v = {memory[2], 0, 0, 0}, .o = {memory[3], 0, 0, 0}, .lse = lse};
    FSATTN_GOTO(fsattn_run(context, &plan, &arguments, err));
    *m = (measured){.best_s = (double)INFINITY};
    for (int round = 0; round < rounds; round++) {
        m->peak_flop_per_s = fmax(m->peak_flop_per_s, peak(threads, wide));
        const double start = now_s();
        FSATTN_GOTO(fsattn_run(context, &plan, &arguments, err));
        m->best_s = fmin(m->best_s, now_s() - start);
    }
out:
    for (int i = 0; i < 4; i++) {
        fsattn_free(memory[i]);
    }
    fsattn_free(lse);
    fsattn_operands_fini(&values);
    fsattn_close(context);
    return status;
}

/* What the shoot-out of tuning said about the winner of that problem: default over winner, or 0. */
static double speed_up(const fsattn_fsc *fsc, const fsattn_problem *problem) {
    for (size_t i = 0; i < fsattn_fsc_count(fsc); i++) {
        const fsattn_fsc_record *r = fsattn_fsc_at(fsc, i);
        if (r->role == FSATTN_ROLE_WINNER && fsattn_problem_equal(&r->problem, problem) && r->cost.median_ns > 0) {
            return r->cost.default_median_ns / r->cost.median_ns;
        }
    }
    return 0;
}

int main(int argc, char **argv) {
    fsattn_err err = {0};
    fsattn_cpu cpu;
    fsattn_fsc *fsc;
    fsattn_cpu_detect(&cpu);
    if (argc != 2) {
        fprintf(stderr, "usage: bench_host CACHE.fsc\n");
        return 2;
    }
    if (fsattn_fsc_open(argv[1], NULL, NULL, &fsc, &err) != FSATTN_OK) {
        fprintf(stderr, "bench_host: %s\n", err.message);
        return fsattn_status_exit(err.code);
    }
    printf("measured on %s, %d cores, best of %d interleaved rounds; speed-up: default / winner in the tuning's shoot-out\n", cpu.model,
           cpu.cores, rounds);
    printf("%8s %10s %10s %6s %9s  %s\n", "threads", "GFLOP/s", "FMA peak", "ratio", "speed-up", "problem");
    fsattn_status status = FSATTN_OK;
    fsattn_problem done;
    fsattn_problem_init(&done);
    done.batch = 0;
    for (size_t i = 0; i < fsattn_fsc_count(fsc); i++) {
        const fsattn_fsc_record *r = fsattn_fsc_at(fsc, i);
        if (r->role != FSATTN_ROLE_WINNER || r->target != FSATTN_TARGET_HOST || fsattn_problem_equal(&r->problem, &done)) {
            continue;
        }
        done = r->problem;
        for (int threads = 1; threads <= cpu.cores; threads += cpu.cores > 1 ? cpu.cores - 1 : 1) {
            measured m = {0};
            status = measure(argv[1], &r->problem, threads, cpu.avx512f, &m, &err);
            if (status != FSATTN_OK) {
                fprintf(stderr, "bench_host: %s: %s\n", r->problem_text, err.message);
                goto out;
            }
            const double rate = fsattn_problem_flop(&r->problem) / m.best_s;
            printf("%8d %10.1f %10.1f %6.2f %8.2fx  %s\n", threads, rate * 1e-9, m.peak_flop_per_s * 1e-9, rate / m.peak_flop_per_s,
                   speed_up(fsc, &r->problem), r->problem_text);
            fflush(stdout);
        }
    }
out:
    fsattn_fsc_close(fsc);
    return fsattn_status_exit(status);
}
