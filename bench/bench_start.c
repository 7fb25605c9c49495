/* bench_start CACHE [SIMULATOR] - from the start of a process to its first output: loading the library, opening the cache, finding
 * a plan, loading the kernels, one run of the cache's first problem on the host, or on device sim with that library. The child is
 * this program again, which writes when the output is there. */
#include "gpu_memory.h"
#include "error.h"
#include "memory.h"
#include "problem.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { run_count = 15 };

static double now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* `gpu` NULL: the host. NULL when there is no memory, which fsattn_run names. */
static void *memory_of(const gpu_memory *gpu, size_t bytes) {
    void *made = NULL;
    if (!gpu) {
        return fsattn_alloc(bytes, 1);
    }
    return gpu->allocate(&made, bytes) == 0 ? made : NULL;
}

static void *operand(const gpu_memory *gpu, int64_t rows, const fsattn_problem *problem, fsattn_dtype dtype) {
    return memory_of(gpu, (size_t)(problem->batch * rows * problem->head_dim) * (fsattn_dtype_bits(dtype) / 8));
}

static fsattn_status first_output(const char *cache, const char *library, char text[fsattn_problem_text_bytes],
                                  fsattn_err *err) {
    gpu_memory loaded;
    const gpu_memory *gpu = NULL;
    fsattn_options options;
    fsattn_context *context;
    fsattn_problem problem;
    fsattn_plan plan;
    fsattn_options_init(&options);
    options.caches = &cache;
    options.cache_count = 1;
    if (library) {
        char reason[256];
        if (!gpu_memory_open(library, &loaded, reason, sizeof reason)) {
            return fsattn_fail(err, FSATTN_DEVICE, "%s", reason);
        }
        gpu = &loaded;
        options.device = "sim";
        options.library = library;
    }
    FSATTN_TRY(fsattn_open(&options, &context, err));
    FSATTN_TRY(fsattn_problem_at(context, 0, &problem, err));
    FSATTN_TRY(fsattn_plan_find(context, &problem, NULL, &plan, err));
    const fsattn_arguments arguments = {
        .size = sizeof arguments,
        .q.data = operand(gpu, problem.heads_q * problem.s_q, &problem, problem.dtype_q),
        .k.data = operand(gpu, problem.heads_kv * problem.s_k, &problem, problem.dtype_kv),
        .v.data = operand(gpu, problem.heads_kv * problem.s_k, &problem, problem.dtype_kv),
        .o.data = operand(gpu, problem.heads_q * problem.s_q, &problem, problem.dtype_o),
        .lse = problem.lse ? memory_of(gpu, (size_t)(problem.batch * problem.heads_q * problem.s_q) * sizeof(float)) : NULL};
    fsattn_problem_text(&problem, text);
    FSATTN_TRY(fsattn_run(context, &plan, &arguments, err));
    return gpu && gpu->wait() != 0 ? fsattn_fail(err, FSATTN_DEVICE, "the run failed") : FSATTN_OK;
}

static int child(const char *cache, const char *library) {
    char text[fsattn_problem_text_bytes];
    fsattn_err err;
    if (first_output(cache, library, text, &err) != FSATTN_OK) {
        fprintf(stderr, "bench_start: %s\n", err.message);
        return 1;
    }
    return write(STDOUT_FILENO, text, strlen(text)) < 0; /* everything else goes with the process */
}

static int compare_doubles(const void *a, const void *b) {
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

/* Nanoseconds from before the spawn to the first byte; below 0 when it failed. */
static double run_child(const char *cache, const char *library, char text[fsattn_problem_text_bytes]) {
    char program[] = "/proc/self/exe", mark[] = "--child";
    char *const argv[] = {program, mark, (char *)cache, (char *)library, NULL};
    posix_spawn_file_actions_t actions;
    int ends[2], status = 1;
    pid_t pid;
    if (pipe2(ends, O_CLOEXEC) || posix_spawn_file_actions_init(&actions)) {
        return -1;
    }
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    double start = now_ns();
    bool started = posix_spawn(&pid, program, &actions, NULL, argv, environ) == 0;
    close(ends[1]);
    ssize_t got = started ? read(ends[0], text, fsattn_problem_text_bytes - 1) : 0;
    double taken = now_ns() - start;
    text[got > 0 ? got : 0] = '\0';
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    if (started) {
        waitpid(pid, &status, 0);
    }
    return got > 0 && status == 0 ? taken : -1;
}

int main(int argc, char **argv) {
    char text[fsattn_problem_text_bytes];
    double figures[run_count];
    if (argc > 2 && !strcmp(argv[1], "--child")) {
        return child(argv[2], argv[3]); /* NULL ends argv */
    }
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: bench_start CACHE [SIMULATOR]\n");
        return 2;
    }
    for (int i = 0; i < run_count; i++) {
        figures[i] = run_child(argv[1], argv[2], text);
        if (figures[i] < 0) {
            return 1;
        }
    }
    qsort(figures, run_count, sizeof figures[0], compare_doubles);
    printf("process start to first output on %s: median %.2f ms, minimum %.2f, maximum %.2f (%d processes)\n%s\n",
           argc == 3 ? "sim" : "host", figures[run_count / 2] / 1e6, figures[0] / 1e6, figures[run_count - 1] / 1e6, run_count,
           text);
    return 0;
}
