/* FSATTN_SIM_SAMPLE: some workgroups of a launch run, what the others would have written is a NaN, and the time is the whole grid's. */
#include "../support/sim_device.h"
#include "sim_launch.h"

#include <math.h>

enum { threads = 64, groups = 16, count = threads * groups, spare = 3 };

typedef struct vector_add {
    void *a, *b, *c;
    int n;
} vector_add;

static const uint32_t poison = 0x7fa5a5a5;

static double launch(sim_device *d, const vector_add *arguments) {
    fsattn_event *start, *stop;
    fsattn_err err = {0};
    double time;
    cr_assert_eq(fsattn_event_create(d->device, &start, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_event_create(d->device, &stop, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_event_record(start, NULL, NULL), FSATTN_OK);
    cr_assert_eq(sim_device_try(d, "vector_add", groups, threads, arguments, sizeof *arguments, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_event_record(stop, NULL, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_event_elapsed(start, stop, &time, NULL), FSATTN_OK);
    fsattn_event_destroy(start);
    fsattn_event_destroy(stop);
    return time;
}
/* Workgroups whose part of the result is there; the rest of the block must be the poison. */
static int complete(const float *a, const float *c) {
    int whole = 0;
    for (int g = 0; g < groups; g++) {
        int right = 0, poisoned = 0;
        for (int i = g * threads; i < (g + 1) * threads; i++) {
            right += c[i] == 2 * a[i];
            poisoned += !memcmp(&c[i], &poison, sizeof poison);
        }
        cr_assert(right == threads || poisoned == threads, "workgroup %d: %d right, %d poisoned", g, right, poisoned);
        whole += right == threads;
    }
    return whole;
}

Test(sim_sample, what_did_not_run_is_poisoned_and_charged) {
    static float a[count], c[count + spare];
    sim_device d = sim_device_stored("basic");
    for (int i = 0; i < count + spare; i++) {
        c[i] = -1; /* of an earlier run: must not be taken for a result */
        a[i % count] = (float)(i % count) + 1;
    }
    const vector_add arguments = {sim_device_put(&d, a, sizeof a), NULL, sim_device_put(&d, c, sizeof c), count};
    const vector_add all = {arguments.a, arguments.a, arguments.c, count};
    setenv("FSATTN_SIM_SAMPLE", "4", 1);
    const double sampled = launch(&d, &all);
    sim_device_get(&d, c, all.c, sizeof c);
    cr_assert_eq(complete(a, c), 4);
    for (int i = count; i < count + spare; i++) {
        cr_assert(isnan(c[i]), "%d: %g", i, (double)c[i]);
    }
    /* What the others did not write reaches the next kernel as NaN. */
    setenv("FSATTN_SIM_SAMPLE", "16", 1);
    const vector_add next = {all.c, all.c, sim_device_put(&d, a, sizeof a), count};
    const double whole = launch(&d, &next);
    float twice[count];
    sim_device_get(&d, twice, next.c, sizeof twice);
    int numbers = 0;
    for (int i = 0; i < count; i++) {
        cr_assert(isnan(c[i]) ? isnan(twice[i]) : twice[i] == 2 * c[i], "%d", i);
        numbers += !isnan(twice[i]);
    }
    cr_assert_eq(numbers, 4 * threads);
    cr_assert(fabs(sampled - whole) <= 0.05 * whole, "%g ms sampled, %g ms whole", sampled, whole);
    /* Another kernel's launches are left alone. */
    setenv("FSATTN_SIM_SAMPLE", "4", 1);
    setenv("FSATTN_SIM_KERNEL", "bitonic", 1);
    launch(&d, &all);
    sim_device_get(&d, c, all.c, sizeof c);
    cr_assert_eq(complete(a, c), groups);
    fsattn_device_release(d.device, all.a);
    fsattn_device_release(d.device, all.c);
    fsattn_device_release(d.device, next.c);
    sim_device_close(&d);
}

/* A sum over the grid of which only a part has been added is nothing to show. */
Test(sim_sample, partial_sums_are_poisoned) {
    enum { bins = 256, bytes = 4096 };
    static uint8_t data[bytes];
    static uint32_t bin[bins];
    sim_device d = sim_device_stored("basic");
    struct {
        void *in, *out;
        int n;
    } histogram = {sim_device_put(&d, data, sizeof data), sim_device_put(&d, bin, sizeof bin), bytes};
    setenv("FSATTN_SIM_SAMPLE", "1", 1);
    sim_device_run(&d, "histogram", 4, bins, histogram);
    sim_device_get(&d, bin, histogram.out, sizeof bin);
    for (int i = 0; i < bins; i++) {
        cr_assert_eq(bin[i], poison, "%d: %08x", i, bin[i]);
    }
    fsattn_device_release(d.device, histogram.in);
    fsattn_device_release(d.device, histogram.out);
    sim_device_close(&d);
}

/* A sample leaves memory unwritten that a whole launch writes: a kernel that reads it is not stopped but gets a NaN. */
Test(sim_sample, what_only_others_would_have_written_is_a_nan) {
    static float a[count];
    sim_device d = sim_device_stored("basic");
    void *new_memory, *out = sim_device_put(&d, a, sizeof a);
    cr_assert_eq(fsattn_device_allocate(d.device, sizeof a, &new_memory, NULL), FSATTN_OK);
    const vector_add arguments = {out, new_memory, out, count};
    fsattn_err err = {0};
    cr_assert_eq(sim_device_try(&d, "vector_add", groups, threads, &arguments, sizeof arguments, &err), FSATTN_DEVICE);
    cr_assert_not_null(strstr(err.message, "uninitialized"), "%s", err.message);
    setenv("FSATTN_SIM_SAMPLE", "2", 1);
    sim_device_run(&d, "vector_add", groups, threads, ((vector_add){out, out, out, count}));
    unsetenv("FSATTN_SIM_SAMPLE");
    sim_device_run(&d, "vector_add", groups, threads, arguments);
    sim_device_get(&d, a, out, sizeof a);
    for (int i = 0; i < count; i++) {
        cr_assert(isnan(a[i]));
    }
    fsattn_device_release(d.device, out);
    fsattn_device_release(d.device, new_memory);
    sim_device_close(&d);
}

/* What LDS and scratch hold that nobody has written is such a NaN too: seen where the check that would stop the wave is off. */
Test(sim_sample, unwritten_lds_and_scratch_are_no_numbers) {
    enum { waves_threads = 128 };
    static uint32_t in[waves_threads] __attribute__((aligned(256))), out[waves_threads] __attribute__((aligned(256)));
    static const char *const entries[] = {"lds_unwritten", "scratch_unwritten"};
    static const uint32_t from[] = {64, 70}, to[] = {waves_threads, 71};
    sim_heap heap = {.lock = PTHREAD_RWLOCK_INITIALIZER};
    const sim_options options = {.threads = 1, .poison = true, .instructions_max = 10000};
    const void *const arguments[] = {in, out};
    sim_module *m;
    sim_result result;
    fsattn_err err = {0};
    char *code;
    size_t bytes;
    setenv("FSATTN_SIM_CACHE", SIM_DATA, 1);
    cr_assert_eq(fsattn_file_read(SIM_DATA "/unwritten.co", 1 << 20, &code, &bytes, NULL), FSATTN_OK);
    cr_assert_eq(sim_module_open(&heap, "unwritten", code, bytes, &m, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(sim_heap_add(&heap, in, sizeof in, "in"), FSATTN_OK);
    cr_assert_eq(sim_heap_add(&heap, out, sizeof out, "out"), FSATTN_OK);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        const sim_launch l = {.kernel = sim_module_kernel(m, entries[i]), .grid = {1, 1, 1}, .block = {waves_threads, 1, 1},
                              .arguments = arguments, .argument_bytes = sizeof arguments};
        cr_assert_eq(sim_launch_run(&heap, &l, &options, &result, &err), FSATTN_OK, "%s", err.message);
        for (uint32_t k = 0; k < waves_threads; k++) {
            cr_expect_eq(out[k], k >= from[i] && k < to[i] ? poison : 1, "%s: %u is %x", entries[i], k, out[k]);
        }
    }
    sim_heap_remove(&heap, in);
    sim_heap_remove(&heap, out);
    sim_module_close(m);
    fsattn_free(heap.blocks);
    fsattn_free(code);
}
