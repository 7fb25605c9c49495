/* Whole kernels: tests/data/sim/whole.hip compiled for gfx950 and run on the simulator, and compiled for this processor
 * (support/hip_host.hpp, clang++), agree on random inputs. Skipped where either compiler is absent. */
#include "../support/sim_device.h"

#include <dlfcn.h>
#include <math.h>

enum { bytes_max = 1 << 18 };
typedef enum filling { F32, F64, BITS, BF16, FP8, BYTES } filling;
typedef enum reading { WHOLE, FLOATS, DOUBLES } reading;

/* Sizes count elements of 1, 4 or 8 bytes as the filling says; the result is compared in bits, or in units of the last place. */
typedef struct kernel_case {
    const char *name;
    filling in;
    int elements; /* of each input */
    int out_bytes, grid, block, n;
    reading out;
    double ulps; /* of the greater of |result| and `floor` */
    double floor;
} kernel_case;

static const kernel_case cases[] = {
    {"reduce_tree", F32, 4000, 4 * 3, 3, 256, 4000, WHOLE, 0, 0},
    {"reduce_shuffle", F32, 512, 4 * 3 * 512, 2, 256, 512, FLOATS, 0, 0},
    {"reduce_double", F64, 8 * 100, 8 * 2 * 8, 8, 64, 100, WHOLE, 0, 0},
    {"transpose", F32, 90 * 90, 4 * 90 * 90, 9, 256, 90, WHOLE, 0, 0},
    {"compact", BITS, 256, 4 * 256, 4, 64, 256, WHOLE, 0, 0},
    {"softmax", F32, 8 * 150, 4 * 8 * 150, 8, 64, 150, FLOATS, 16, 0},
    {"layernorm", F32, 8 * 150, 4 * 8 * 150, 8, 64, 150, WHOLE, 0, 0},
    {"argmax", BITS, 16 * 200, 4 * 16, 16, 64, 200, WHOLE, 0, 0},
    {"rope", F32, 50 * 128, 4 * 50 * 128, 50, 64, 128, FLOATS, 2, 50}, /* one place of an angle up to 50 */
    {"histogram", BYTES, 5000, 4 * 256, 3, 256, 5000, WHOLE, 0, 0},
    {"atomics", BITS, 512, 64, 4, 128, 512, WHOLE, 0, 0},
    {"scan", BITS, 768, 4 * 768, 3, 256, 768, WHOLE, 0, 0},
    {"bitonic", BITS, 1024, 4 * 1024, 2, 256, 1024, WHOLE, 0, 0},
    {"hash", BITS, 512, 8 * 512, 2, 256, 512, WHOLE, 0, 0},
    /* Sums of products of both signs: rounding of a sum is in units of its terms. */
    {"gemm_bf16", BF16, 64 * 128, 4 * 64 * 64, 4, 64, 128, FLOATS, 8, 8},
    {"gemm_fp8", FP8, 64 * 128, 4 * 64 * 64, 4, 64, 128, FLOATS, 8, 1000},
    {"gemm_mxfp8", FP8, 64 * 128 + 256, 4 * 64 * 64, 4, 64, 128, FLOATS, 8, 1000},
    {"gemm_mxfp6", BYTES, 64 * 128 + 256, 4 * 64 * 64, 4, 64, 128, FLOATS, 8, 1000},
    {"gemm_mxfp4", BYTES, 64 * 128 + 256, 4 * 64 * 64, 4, 64, 128, FLOATS, 8, 1000},
    {"gemm_float", F32, 64 * 64, 4 * 64 * 64, 4, 256, 64, WHOLE, 0, 0},
    {"libm_float", F32, 1024, 4 * 10 * 1024, 4, 256, 1024, FLOATS, 3, 0x1p-126},
    {"libm_double", F64, 1024, 8 * 10 * 1024, 4, 256, 1024, DOUBLES, 3, 0x1p-1022},
    {"exact_float", F32, 1024, 4 * 10 * 1024, 4, 256, 1024, FLOATS, 0, 0},
    {"exact_double", F64, 1024, 8 * 10 * 1024, 4, 256, 1024, DOUBLES, 0, 0},
};

static size_t fill(filling kind, int elements, uint32_t *seed, void *to) {
    static const size_t sizes[] = {[F32] = 4, [F64] = 8, [BITS] = 4, [BF16] = 2, [FP8] = 1, [BYTES] = 1};
    for (int i = 0; i < elements; i++) {
        const float uniform = sim_device_uniform(seed);
        const double fine = (double)uniform + (double)sim_device_uniform(seed) * 0x1p-24;
        const uint32_t bits = sim_device_random(seed) << 8 ^ sim_device_random(seed);
        const uint8_t byte = (uint8_t)(kind == FP8 && (bits & 0x7f) == 0x7f ? bits ^ 1 : bits); /* no NaN */
        uint32_t word = bits;
        if (kind == F32 || kind == BF16) {
            memcpy(&word, &uniform, sizeof word);
            word = kind == BF16 ? word >> 16 : word;
        }
        memcpy((char *)to + (size_t)i * sizes[kind], kind == F64 ? (const void *)&fine : sizes[kind] == 1 ? (const void *)&byte : &word,
               sizes[kind]);
    }
    return (size_t)elements * sizes[kind];
}

typedef struct arguments {
    const void *a, *b;
    void *out;
    int n;
} arguments;
typedef void host_kernel(const arguments *args, unsigned blocks, int threads);

static void compare(const kernel_case *c, const void *simulated, const void *expected) {
    if (c->out == WHOLE) {
        cr_expect_arr_eq(simulated, expected, (size_t)c->out_bytes, "%s", c->name);
        return;
    }
    const size_t size = c->out == FLOATS ? 4 : 8;
    int wrong = 0;
    for (size_t i = 0; i < (size_t)c->out_bytes / size && wrong < 5; i++) {
        float f[2];
        double d[2];
        memcpy(&f[0], (const char *)simulated + i * size, 4);
        memcpy(&f[1], (const char *)expected + i * size, 4);
        memcpy(&d[0], (const char *)simulated + i * size, size);
        memcpy(&d[1], (const char *)expected + i * size, size);
        const double x = size == 4 ? (double)f[0] : d[0], y = size == 4 ? (double)f[1] : d[1];
        const double unit = ldexp(fmax(fabs(y), c->floor), size == 4 ? -23 : -52);
        const bool close = x == y || (x != x && y != y) || fabs(x - y) <= c->ulps * unit;
        cr_expect(close, "%s: element %zu is %a, on the host %a", c->name, i, x, y);
        wrong += !close;
    }
}

static void run_case(sim_device *d, void *library, const kernel_case *c) {
    static char a[bytes_max], b[bytes_max], simulated[bytes_max], expected[bytes_max];
    char symbol[64];
    host_kernel *host;
    uint32_t seed = 1;
    snprintf(symbol, sizeof symbol, "host_%s", c->name);
    *(void **)(void *)&host = dlsym(library, symbol);
    cr_assert_not_null(host, "%s", symbol);
    const size_t bytes = fill(c->in, c->elements, &seed, a);
    fill(c->in, c->elements, &seed, b);
    cr_assert(bytes <= bytes_max && c->out_bytes <= bytes_max);
    memset(expected, 0, (size_t)c->out_bytes);
    host(&(arguments){a, b, expected, c->n}, (unsigned)c->grid, c->block);
    memset(simulated, 0, (size_t)c->out_bytes);
    const arguments memory = {sim_device_put(d, a, bytes), sim_device_put(d, b, bytes), sim_device_put(d, simulated, (size_t)c->out_bytes), c->n};
    sim_device_run(d, c->name, (uint32_t)c->grid, (uint32_t)c->block, memory);
    sim_device_get(d, simulated, memory.out, (size_t)c->out_bytes);
    fsattn_device_release(d->device, (void *)(uintptr_t)memory.a);
    fsattn_device_release(d->device, (void *)(uintptr_t)memory.b);
    fsattn_device_release(d->device, memory.out);
    compare(c, simulated, expected);
}

Test(sim_conformance, kernels_compute_what_the_same_source_does_on_this_processor, .timeout = 200) {
    char folder[] = "/tmp/fsattn-test-whole.XXXXXX", command[1024], path[256];
    if (system("clang++ --version >/dev/null 2>&1")) {
        cr_skip_test("no clang++ to run the kernels' source with");
    }
    sim_device d = sim_device_compiled("whole");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(command, sizeof command,
             "clang++ -std=c++17 -O1 -ffp-contract=off -w -shared -fPIC -I '%s/tests/support' -include hip_host.hpp -x c++ '%s/whole.hip' "
             "-o '%s/whole.so' -lm",
             FSATTN_SOURCE_DIR, SIM_DATA, folder);
    cr_assert_eq(system(command), 0, "whole.hip does not compile for this processor");
    snprintf(path, sizeof path, "%s/whole.so", folder);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    cr_assert_not_null(library, "%s", dlerror());
    fsattn_folder_remove(folder, NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_case(&d, library, &cases[i]);
    }
    dlclose(library);
    sim_device_close(&d);
}
