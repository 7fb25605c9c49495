/* Kernels on the simulator against the same computation here, bit by bit: tests/data/sim/basic.hip, stored and compiled. */
#include "../support/sim_device.h"

enum { count = 1000, wave = 64 };

static void fill(float *values, int n, uint32_t seed) {
    for (int i = 0; i < n; i++) {
        values[i] = sim_device_uniform(&seed);
    }
}

static void check_vector_add(sim_device *d) {
    static float a[count], b[count], c[count];
    fill(a, count, 1);
    fill(b, count, 2);
    void *in_a = sim_device_put(d, a, sizeof a), *in_b = sim_device_put(d, b, sizeof b), *out = sim_device_put(d, c, sizeof c);
    struct {
        void *a, *b, *c;
        int n;
    } arguments = {in_a, in_b, out, count};
    sim_device_run(d, "vector_add", 4, 256, arguments);
    sim_device_get(d, c, out, sizeof c);
    for (int i = 0; i < count; i++) {
        cr_assert_eq(c[i], a[i] + b[i], "%d", i);
    }
    fsattn_device_release(d->device, in_a);
    fsattn_device_release(d->device, in_b);
    fsattn_device_release(d->device, out);
}

/* The kernel's order of summation: strided by thread, then a tree in LDS. */
static void check_reduction(sim_device *d) {
    enum { groups = 2, threads = 256 };
    static float in[count], out[groups];
    fill(in, count, 3);
    void *from = sim_device_put(d, in, sizeof in), *to = sim_device_put(d, out, sizeof out);
    struct {
        void *in, *out;
        int n;
    } arguments = {from, to, count};
    sim_device_run(d, "reduce_sum", groups, threads, arguments);
    sim_device_get(d, out, to, sizeof out);
    for (int g = 0; g < groups; g++) {
        float part[threads] = {0};
        for (int t = 0; t < threads; t++) {
            for (int i = g * threads + t; i < count; i += groups * threads) {
                part[t] += in[i];
            }
        }
        for (int w = threads / 2; w; w /= 2) {
            for (int t = 0; t < w; t++) {
                part[t] += part[t + w];
            }
        }
        cr_assert_eq(out[g], part[0]);
    }
    fsattn_device_release(d->device, from);
    fsattn_device_release(d->device, to);
}

static void check_integers(sim_device *d) {
    enum { bytes = 5000, bins = 256, sorted = 512 };
    static uint8_t data[bytes];
    static uint32_t expected[bins], bin[bins], values[sorted], scanned[bins];
    uint32_t seed = 4;
    for (int i = 0; i < bytes; i++) {
        data[i] = (uint8_t)sim_device_random(&seed);
        expected[data[i]]++;
    }
    void *from = sim_device_put(d, data, sizeof data), *to = sim_device_put(d, bin, sizeof bin);
    struct {
        void *in, *out;
        int n;
    } histogram = {from, to, bytes};
    sim_device_run(d, "histogram", 3, bins, histogram);
    sim_device_get(d, bin, to, sizeof bin);
    cr_assert_arr_eq(bin, expected, sizeof bin);
    for (int i = 0; i < sorted; i++) {
        values[i] = sim_device_random(&seed);
    }
    void *array = sim_device_put(d, values, sizeof values);
    struct {
        void *in, *out;
    } scan = {array, to};
    sim_device_run(d, "scan", 1, bins, scan);
    sim_device_get(d, scanned, to, sizeof scanned);
    uint32_t sum = 0;
    for (int i = 0; i < bins; i++) {
        cr_assert_eq(scanned[i], sum, "%d", i);
        sum += values[i];
    }
    sim_device_run(d, "bitonic", 1, bins, array);
    sim_device_get(d, values, array, sizeof values);
    for (int i = 1; i < sorted; i++) {
        cr_assert_leq(values[i - 1], values[i]);
    }
    fsattn_device_release(d->device, from);
    fsattn_device_release(d->device, to);
    fsattn_device_release(d->device, array);
}

static void check_all(sim_device d) {
    check_vector_add(&d);
    check_reduction(&d);
    check_integers(&d);
    sim_device_close(&d);
}

Test(simulator, stored_kernels_compute_what_this_processor_does) { check_all(sim_device_stored("basic")); }
Test(simulator, compiled_kernels_compute_what_this_processor_does) { check_all(sim_device_compiled("basic")); }

Test(simulator, says_what_it_is) {
    sim_device d = sim_device_stored("basic");
    const fsattn_device_properties *properties = fsattn_device_describe(d.device);
    cr_assert_eq(properties->provenance, FSATTN_MODELLED);
    cr_assert_not_null(strstr(properties->isa, "gfx950"));
    cr_assert_eq(properties->units, 256);
    sim_device_close(&d);
}

/* Time passes, and more work takes longer. */
Test(simulator, time_is_modelled) {
    sim_device d = sim_device_stored("basic");
    static float data[count];
    void *memory = sim_device_put(&d, data, sizeof data);
    double times[3];
    for (int k = 0; k < 3; k++) {
        struct {
            void *in, *out;
            int n;
        } arguments = {memory, memory, k == 1 ? 100 : 50};
        fsattn_event *start, *stop;
        cr_assert_eq(fsattn_event_create(d.device, &start, NULL), FSATTN_OK);
        cr_assert_eq(fsattn_event_create(d.device, &stop, NULL), FSATTN_OK);
        cr_assert_eq(fsattn_event_record(start, NULL, NULL), FSATTN_OK);
        fsattn_kernel *kernel;
        const fsattn_launch launch = {.arguments = &arguments, .argument_bytes = sizeof arguments, .grid = {1, 1, 1},
                                      .block = {wave, 1, 1}, .charged_groups = k == 2 ? 3 * 256 : 0};
        cr_assert_eq(fsattn_kernel_get(d.module, "softmax_rows", &kernel, NULL), FSATTN_OK);
        cr_assert_eq(fsattn_kernel_launch(kernel, &launch, NULL, NULL), FSATTN_OK);
        cr_assert_eq(fsattn_event_record(stop, NULL, NULL), FSATTN_OK);
        cr_assert_eq(fsattn_event_elapsed(start, stop, &times[k], NULL), FSATTN_OK);
        fsattn_event_destroy(start);
        fsattn_event_destroy(stop);
    }
    cr_assert(times[0] > 0 && times[1] > times[0], "%g %g", times[0], times[1]);
    /* One workgroup that stands for three of each compute unit, which run beside each other. */
    cr_assert(times[2] > times[0] && times[2] < 3 * times[0] + 1, "%g %g", times[0], times[2]);
    fsattn_device_release(d.device, memory);
    sim_device_close(&d);
}

/* ---- what is wrong is named ------------------------------------------------------------------------------ */

static void expect_fault(sim_device *d, const char *entry, const void *arguments, size_t bytes, uint32_t block, const char *part) {
    fsattn_err err = {0};
    cr_assert_eq(sim_device_try(d, entry, 1, block, arguments, bytes, &err), FSATTN_DEVICE, "%s: %s", entry, err.message);
    cr_assert_not_null(strstr(err.message, part), "'%s' in '%s'", part, err.message);
    cr_assert_not_null(strstr(err.message, entry), "%s", err.message);
}

Test(simulator, accesses_outside_memory_are_found) {
    sim_device d = sim_device_stored("basic");
    static float data[wave];
    void *a = sim_device_put(&d, data, sizeof data), *b = sim_device_put(&d, data, sizeof data - 4);
    struct {
        void *a, *b, *c;
        int n;
    } arguments = {a, a, b, wave};
    expect_fault(&d, "vector_add", &arguments, sizeof arguments, wave, "lane 63: out of bounds: 4 bytes at");
    arguments.c = (char *)a + 2;
    arguments.n = 8;
    expect_fault(&d, "vector_add", &arguments, sizeof arguments, wave, "lane 0: misaligned");
    arguments.c = NULL;
    expect_fault(&d, "vector_add", &arguments, sizeof arguments, wave, "no device memory");
    fsattn_device_release(d.device, b);
    arguments.c = b;
    expect_fault(&d, "vector_add", &arguments, sizeof arguments, wave, "use after free");
    fsattn_device_release(d.device, a);
    sim_device_close(&d);
}

/* Bugs that hardware mostly hides, in two waves of tests/data/sim/planted.hip. */
Test(simulator, planted_bugs_are_found_and_named) {
    enum { threads = 128 };
    static const struct {
        const char *entry, *message;
    } cases[] = {
        {"missing_barrier", "(LDS), where nobody has written"},
        {"missing_wait", "is read before s_waitcnt vmcnt covers the load that fills it"},
        {"lds_overflow", "out of bounds: 4 bytes at LDS address"},
        {"load_not_waited_for", "s_waitcnt vmcnt covers the load that fills it"},
        {"wait_behind_the_barrier", "s_waitcnt vmcnt covers the load that fills it"},
        {"divergent_barrier", "divergent barrier: this lane was not at the barrier at pc 0x"},
        {"never_ends", "instructions without an end: it hangs"},
        {"traps", "trap: the kernel stopped itself"},
    };
    static uint32_t in[threads], out[threads];
    setenv("FSATTN_SIM_LIMIT", "100000", 1);
    sim_device d = sim_device_stored("planted");
    for (uint32_t i = 0; i < threads; i++) {
        in[i] = 1000 + i;
    }
    void *memory[] = {sim_device_put(&d, in, sizeof in), sim_device_put(&d, out, sizeof out)};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const bool one = i >= 6; /* argument: only the output */
        cr_assert_eq(fsattn_device_copy(d.device, memory[1], out, sizeof out, NULL, NULL), FSATTN_OK);
        expect_fault(&d, cases[i].entry, memory + one, sizeof memory - one * sizeof *memory, threads, cases[i].message);
    }
    sim_device_run(&d, "waited_and_synchronized", 1, threads, memory);
    sim_device_get(&d, out, memory[1], sizeof out);
    for (uint32_t i = 0; i < threads; i++) {
        cr_assert_eq(out[i], in[threads - 1 - i]);
    }
    sim_device_run(&d, "early_return", 1, threads, memory);
    fsattn_device_release(d.device, memory[0]);
    fsattn_device_release(d.device, memory[1]);
    sim_device_close(&d);
}

/* The same, of LDS that was written before, of bytes, through flat pointers; and of memory that nobody has written. */
Test(simulator, races_in_bytes_and_through_flat_pointers_are_found) {
    enum { threads = 128 };
    static const struct {
        const char *entry, *message;
    } cases[] = {
        {"missing_barrier_again", "race in LDS: writes address 256, which wave 0 has read since the last barrier"},
        {"bytes_of_words", "race in LDS: writes address 0, which wave 0 has"},
        {"flat_race", "race in LDS: writes address 256, which wave 0 has read since the last barrier"},
        {"lds_unwritten", "(LDS), where nobody has written"},
        {"scratch_unwritten", "lane 6: uninitialized: v"},
    };
    static uint32_t in[threads], out[threads];
    sim_device d = sim_device_stored("unwritten");
    in[1] = 1;
    void *memory[] = {sim_device_put(&d, in, sizeof in), sim_device_put(&d, out, sizeof out)};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_fault(&d, cases[i].entry, memory, sizeof memory, threads, cases[i].message);
    }
    in[0] = 1; /* each wave its own bytes of the same words */
    cr_assert_eq(fsattn_device_copy(d.device, memory[0], in, sizeof in, NULL, NULL), FSATTN_OK);
    sim_device_run(&d, "bytes_of_words", 1, threads, memory);
    fsattn_device_release(d.device, memory[0]);
    fsattn_device_release(d.device, memory[1]);
    sim_device_close(&d);
}

/* Memory of which the first half has been written, in two waves of tests/data/sim/unwritten.hip. */
Test(simulator, memory_that_nobody_has_written_is_named_when_it_is_used) {
    enum { threads = 128 };
    static const struct {
        const char *entry, *message, *owner; /* of the first lane without */
    } cases[] = {
        {"reads_unwritten", "wave 1, pc 0x", "lane 0: uninitialized: v1 is used, which 'global_load_dword v1, v0, s[0:1]' at pc 0x"},
        {"reads_unwritten", "'global_store_dword", "offset 256 of a block of 512 bytes (hipMalloc), where nobody has written"},
        {"compares_unwritten", "'v_cmp_", "offset 256 of a block of 512 bytes (hipMalloc)"},
        {"staged_unwritten", "wave 0", "uninitialized"},
    };
    static uint32_t in[threads / 2], out[threads];
    sim_device d = sim_device_stored("unwritten");
    void *memory[2] = {NULL, sim_device_put(&d, out, sizeof out)}, *none[2] = {NULL, memory[1]}, *copy;
    cr_assert_eq(fsattn_device_allocate(d.device, 2 * sizeof in, &memory[0], NULL), FSATTN_OK);
    cr_assert_eq(fsattn_device_allocate(d.device, 2 * sizeof in, &none[0], NULL), FSATTN_OK);
    cr_assert_eq(fsattn_device_allocate(d.device, 2 * sizeof in, &copy, NULL), FSATTN_OK);
    for (uint32_t i = 0; i < threads / 2; i++) {
        in[i] = 1000 + i;
    }
    cr_assert_eq(fsattn_device_copy(d.device, memory[0], in, sizeof in, NULL, NULL), FSATTN_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        expect_fault(&d, cases[i].entry, memory, sizeof memory, threads, cases[i].message);
        expect_fault(&d, cases[i].entry, memory, sizeof memory, threads, cases[i].owner);
    }
    /* A copy of it on the device has the same halves. */
    cr_assert_eq(fsattn_device_copy(d.device, copy, memory[0], 2 * sizeof in, NULL, NULL), FSATTN_OK);
    expect_fault(&d, "reads_unwritten", (void *[]){copy, memory[1]}, sizeof memory, threads, "wave 1");
    expect_fault(&d, "scalar_unwritten", none, sizeof none, threads, "uninitialized: s");
    expect_fault(&d, "atomic_unwritten", none, sizeof none, threads, "uninitialized: an atomic at");
    /* What is read and then thrown away is no error. */
    sim_device_run(&d, "drops_unwritten", 1, threads, memory);
    sim_device_get(&d, out, memory[1], sizeof out);
    for (uint32_t i = 0; i < threads; i++) {
        cr_assert_eq(out[i], i < threads / 2 ? 3 * in[i] + 1 : 7);
    }
    sim_device_run(&d, "scalar_unwritten", 1, threads, memory);
    /* What a kernel writes is written. */
    sim_device_run(&d, "scalar_unwritten", 1, threads, ((void *[]){memory[0], none[0]}));
    sim_device_run(&d, "reads_unwritten", 1, threads, none);
    fsattn_device_release(d.device, memory[0]);
    fsattn_device_release(d.device, memory[1]);
    fsattn_device_release(d.device, none[0]);
    fsattn_device_release(d.device, copy);
    sim_device_close(&d);
}

Test(simulator, launches_that_cannot_be_are_refused) {
    sim_device d = sim_device_stored("basic");
    fsattn_err err = {0};
    struct {
        void *a;
    } arguments = {NULL};
    cr_assert_eq(sim_device_try(&d, "bitonic", 1, 1025, &arguments, sizeof arguments, &err), FSATTN_DEVICE);
    cr_assert_not_null(strstr(err.message, "1025 threads in a block"), "%s", err.message);
    cr_assert_eq(sim_device_try(&d, "bitonic", 0, 64, &arguments, sizeof arguments, &err), FSATTN_DEVICE);
    sim_device_close(&d);
}

Test(simulator, damaged_code_objects_are_refused) {
    char *data;
    size_t bytes;
    fsattn_device *device;
    fsattn_module *module;
    const fsattn_device_options options = {.name = "sim", .library = SIM_LIBRARY};
    setenv("FSATTN_SIM_CACHE", SIM_DATA, 1);
    setenv("FSATTN_ROCM_ROOT", "/nowhere", 1);
    setenv("FSATTN_SIM_QUIET", "1", 1);
    cr_assert_eq(fsattn_device_open(&options, &device, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_file_read(SIM_DATA "/basic.co", 1 << 20, &data, &bytes, NULL), FSATTN_OK);
    for (size_t at = 64; at < bytes; at += 97) { /* the header says how long the file is, which HIP's call does not */
        fsattn_err err = {0};
        data[at] ^= 0x5a;
        cr_assert_neq(fsattn_module_load(device, "damaged", data, bytes, NULL, &module, &err), FSATTN_OK);
        data[at] ^= 0x5a;
    }
    cr_assert_neq(fsattn_module_load(device, "text", "no code object at all, but long enough to be looked at ........", 64, NULL,
                                     &module, NULL), FSATTN_OK);
    fsattn_free(data);
    fsattn_device_close(device);
}
