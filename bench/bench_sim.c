/* Wave instructions a second that the simulator executes on one core, checks off and on: of simple vector instructions, and of a sort in LDS
 * with its barriers. Stored code objects: needs no compiler. */
#include "file.h"
#include "memory.h"
#include "sim_launch.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { runs = 5, groups = 8 };

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now); /* a launch on one thread runs on this one */
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}
static void need(fsattn_status status, const fsattn_err *err) {
    if (status != FSATTN_OK) {
        fprintf(stderr, "bench_sim: %s\n", err->message);
        exit(1);
    }
}

typedef struct arguments {
    void *memory;
    int n;
} arguments;

/* Millions a second, the best of some runs. */
static double rate(sim_heap *heap, const sim_kernel *kernel, uint32_t block, const arguments *a, bool checks) {
    const sim_options options = {.threads = 1, .check_waits = checks, .check_races = checks, .check_undefined = checks, .poison = checks, .instructions_max = UINT64_MAX};
    const sim_launch launch = {.kernel = kernel, .grid = {groups, 1, 1}, .block = {block, 1, 1}, .arguments = a, .argument_bytes = sizeof *a};
    double best = 0;
    for (int i = 0; i < runs; i++) {
        sim_result result = {0};
        fsattn_err err = {0};
        const double start = seconds();
        need(sim_launch_run(heap, &launch, &options, &result, &err), &err);
        const double here = (double)result.instructions / (seconds() - start) * 1e-6;
        best = here > best ? here : best;
    }
    return best;
}

static void measure(const char *file, const char *entry, uint32_t block, int n, const char *what) {
    enum { room = 1 << 16 };
    sim_heap heap = {.lock = PTHREAD_RWLOCK_INITIALIZER};
    fsattn_err err = {0};
    sim_module *module;
    char path[512], *data;
    size_t bytes;
    snprintf(path, sizeof path, FSATTN_SOURCE_DIR "/tests/data/sim/%s.co", file);
    need(fsattn_file_read(path, 1 << 20, &data, &bytes, &err), &err);
    need(sim_module_open(&heap, file, data, bytes, &module, &err), &err);
    void *memory = fsattn_alloc(room, 1);
    const arguments a = {memory, n};
    need(sim_heap_add(&heap, memory, room, "bench"), &err);
    const sim_kernel *kernel = sim_module_kernel(module, entry);
    const double off = rate(&heap, kernel, block, &a, false), on = rate(&heap, kernel, block, &a, true);
    printf("%-44s %7.1f M/s a core, checks off; %7.1f on: %.2f times the time\n", what, off, on, off / on);
    sim_module_close(module);
    fsattn_free(heap.blocks);
    fsattn_free(memory);
    fsattn_free(data);
}

int main(void) {
    setenv("FSATTN_SIM_CACHE", FSATTN_SOURCE_DIR "/tests/data/sim", 1);
    measure("spin", "spin", 64, 200000, "simple wave instructions (aim: 20 off)");
    measure("basic", "bitonic", 256, 0, "a sort in LDS");
    return 0;
}
