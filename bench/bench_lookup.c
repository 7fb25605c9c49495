/* bench_lookup - what a call of fsattn_plan_find costs, warm: exact, nearest and not found, in one thread and
 * in many; and what opening a cache of that size costs. Nothing is compiled or run. */
#include "cpu.h"
#include "error.h"
#include "file.h"
#include "fsc.h"
#include "host_abi.h"
#include "memory.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { problem_count = 1000, open_count = 10000, call_count = 200000, run_count = 9, thread_limit = 64 };

static double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* Processor time of this thread: with more threads than cores, waiting for a core is not part of a call. Waiting for a lock
 * would not be either, and there is none. */
static double thread_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* Of four kinds and 250 sizes, or as many as it takes. */
static fsattn_problem problem_of(int number) {
    fsattn_problem problem;
    fsattn_problem_init(&problem);
    problem.heads_q = problem.heads_kv = 8;
    problem.head_dim = number & 1 ? 64 : 128;
    problem.mask = number & 2 ? FSATTN_MASK_CAUSAL : FSATTN_MASK_NONE;
    problem.s_q = problem.s_k = 64 + 32 * (number / 4);
    return problem;
}

static fsattn_status write_cache(const char *path, int count, const fsattn_cpu *cpu, fsattn_err *err) {
    fsattn_fsc_writer *writer = NULL;
    fsattn_status status = FSATTN_OK;
    FSATTN_TRY(fsattn_fsc_writer_create(&writer, err));
    for (int i = 0; i < count; i++) {
        const fsattn_stage stage = {.name = "attention",
                                    .entry = "none",
                                    .code = {.data = "code", .bytes = 4},
                                    .work_items = "query_tiles",
                                    .tile_m = 64,
                                    .tile_n = 64};
        const fsattn_fsc_record record = {.problem = problem_of(i),
                                          .role = FSATTN_ROLE_WINNER,
                                          .target = FSATTN_TARGET_HOST,
                                          .isa = cpu->arch,
                                          .abi = FSATTN_HOST_ABI,
                                          .flexible = FSATTN_FLEXIBLE_SIZES,
                                          .template_name = "bench",
                                          .configuration = "tile_m=64",
                                          .stages = &stage,
                                          .stage_count = 1,
                                          .cost = {.median_ns = 1e6,
                                                   .minimum_ns = 1e6,
                                                   .samples = 1,
                                                   .device = cpu->model,
                                                   .units = cpu->cores}};
        FSATTN_GOTO(fsattn_fsc_writer_add(writer, &record, err));
    }
    status = fsattn_fsc_writer_publish(writer, NULL, path, err);
out:
    fsattn_fsc_writer_destroy(writer);
    return status;
}

typedef struct caller {
    const fsattn_context *context;
    const fsattn_problem *problems;
    fsattn_status expected;
    double per_call_ns;
    long wrong;
} caller;

static void *call(void *argument) {
    caller *self = argument;
    fsattn_plan plan;
    double start = thread_ns();
    for (int i = 0; i < call_count; i++) {
        /* A stride that shares no factor with the number of problems: no two calls in a row are alike. */
        const fsattn_problem *problem = &self->problems[(unsigned)i * 7919u % problem_count];
        self->wrong += fsattn_plan_find(self->context, problem, NULL, &plan, NULL) != self->expected;
    }
    self->per_call_ns = (thread_ns() - start) / call_count;
    return NULL;
}

static int compare_doubles(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static int measure(const char *name, const fsattn_context *context, const fsattn_problem *problems,
                   fsattn_status expected, int threads) {
    double figures[run_count];
    long wrong = 0;
    for (int run = 0; run < run_count; run++) {
        pthread_t handles[thread_limit];
        caller callers[thread_limit];
        double total = 0;
        for (int i = 0; i < threads; i++) {
            callers[i] = (caller){.context = context, .problems = problems, .expected = expected};
            if (pthread_create(&handles[i], NULL, call, &callers[i])) {
                return 1;
            }
        }
        for (int i = 0; i < threads; i++) {
            pthread_join(handles[i], NULL);
            total += callers[i].per_call_ns;
            wrong += callers[i].wrong;
        }
        figures[run] = total / threads;
    }
    qsort(figures, run_count, sizeof figures[0], compare_doubles);
    printf("%-10s %2d thread%s  median %7.1f ns a call, minimum %7.1f, maximum %7.1f (%d runs of %d calls)\n",
           name, threads, threads > 1 ? "s" : " ", figures[run_count / 2], figures[0], figures[run_count - 1],
           run_count, call_count);
    if (wrong) {
        fprintf(stderr, "bench_lookup: %ld calls of '%s' had another result than expected\n", wrong, name);
    }
    return wrong > 0;
}

static int measure_all(const fsattn_context *context, int cores) {
    static fsattn_problem exact[problem_count], nearest[problem_count], absent[problem_count];
    int bad = 0;
    for (int i = 0; i < problem_count; i++) {
        exact[i] = nearest[i] = absent[i] = problem_of(i);
        nearest[i].s_q += 1;
        absent[i].head_dim = 96;
    }
    const int threads[] = {1, cores < thread_limit ? cores : thread_limit, thread_limit};
    for (size_t i = 0; i < sizeof threads / sizeof threads[0]; i++) {
        bad |= measure("exact", context, exact, FSATTN_OK, threads[i]);
    }
    bad |= measure("nearest", context, nearest, FSATTN_OK, 1);
    return bad | measure("not found", context, absent, FSATTN_NOT_FOUND, 1);
}

/* Time of opening a context on a large file, several times over; the file is in the page cache. */
static fsattn_status measure_open(const char *path, const fsattn_cpu *cpu, fsattn_err *err) {
    double figures[run_count];
    fsattn_options options;
    fsattn_options_init(&options);
    options.caches = &path;
    options.cache_count = 1;
    options.threads = 1;
    fsattn_status status = write_cache(path, open_count, cpu, err);
    for (int run = 0; run < run_count && status == FSATTN_OK; run++) {
        fsattn_context *context = NULL;
        double start = now_ns();
        status = fsattn_open(&options, &context, err);
        figures[run] = now_ns() - start;
        fsattn_close(context);
    }
    if (status == FSATTN_OK) {
        qsort(figures, run_count, sizeof figures[0], compare_doubles);
        printf("open       %d records: median %.2f ms, minimum %.2f, maximum %.2f (%d runs)\n", open_count,
               figures[run_count / 2] / 1e6, figures[0] / 1e6, figures[run_count - 1] / 1e6, run_count);
    }
    return status;
}

int main(void) {
    char folder[] = "/tmp/fsattn-bench-XXXXXX", path[64];
    fsattn_cpu cpu;
    fsattn_err err = {0};
    fsattn_context *context = NULL;
    int result = 1;
    fsattn_cpu_detect(&cpu);
    if (!mkdtemp(folder)) {
        perror("bench_lookup: mkdtemp");
        return 1;
    }
    snprintf(path, sizeof path, "%s/bench.fsc", folder);
    fsattn_options options;
    fsattn_options_init(&options);
    options.caches = &(const char *){path};
    options.cache_count = 1;
    options.threads = 1;
    if (measure_open(path, &cpu, &err) == FSATTN_OK && write_cache(path, problem_count, &cpu, &err) == FSATTN_OK &&
        fsattn_open(&options, &context, &err) == FSATTN_OK) {
        printf("machine: %s, %d cores; %d tuned problems\n", cpu.model, cpu.cores, problem_count);
        result = measure_all(context, cpu.cores);
    }
    if (!context) {
        fprintf(stderr, "bench_lookup: %s\n", err.message);
    }
    fsattn_close(context);
    fsattn_folder_remove(folder, NULL);
    return result;
}
