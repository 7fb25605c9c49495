#include "device.h"
#include "elf_check.h"
#include "float_control.h"
#include "host_abi.h"
#include "hash.h"
#include "../support/host_object.h"

#include <criterion/criterion.h>
#include <elf.h>
#include <math.h>
#include <pthread.h>

enum { sequence = 37, head_dim = 64, heads = 4, tile_m = 16, scratch_bytes = head_dim * sizeof(float) };

static fsattn_device *open_host(int threads) {
    fsattn_device *device = NULL;
    fsattn_err err = {0};
    cr_assert_eq(fsattn_device_open(&(fsattn_device_options){.threads = threads}, &device, &err), FSATTN_OK, "%s",
                 err.message);
    return device;
}

typedef struct inputs {
    float q[sequence * heads * head_dim], k[sequence * heads * head_dim], v[sequence * heads * head_dim];
} inputs;

static void fill(inputs *in) {
    for (int i = 0; i < sequence * heads * head_dim; i++) {
        in->q[i] = (float)((i * 7 + 3) % 13 - 6) / 6;
        in->k[i] = (float)((i * 5 + 1) % 11 - 5) / 5;
        in->v[i] = (float)((i * 3 + 2) % 17 - 8) / 8;
    }
}

/* BSHD, dense. */
static fsattn_host_args arguments_of(const inputs *in, float *o, float *lse) {
    long long row = heads * head_dim;
    return (fsattn_host_args){.q = in->q, .k = in->k, .v = in->v, .o = o, .lse = lse, .batch = 1, .heads_q = heads,
                              .heads_kv = heads, .s_q = sequence, .s_k = sequence, .q_stride_h = head_dim,
                              .q_stride_s = row, .k_stride_h = head_dim, .k_stride_s = row, .v_stride_h = head_dim,
                              .v_stride_s = row, .o_stride_h = head_dim, .o_stride_s = row, .scale = 0.125f};
}

static fsattn_launch launch_of(const fsattn_host_args *arguments) {
    return (fsattn_launch){.arguments = arguments, .argument_bytes = sizeof *arguments,
                           .work_items = heads * ((sequence + tile_m - 1) / tile_m), .scratch_bytes = scratch_bytes};
}

/* Largest difference to attention in double. */
static double error_of(const inputs *in, const float *o, const float *lse) {
    double worst = 0;
    for (int h = 0; h < heads; h++) {
        for (int i = 0; i < sequence; i++) {
            double total = 0, sum[head_dim] = {0};
            for (int j = 0; j < sequence; j++) {
                double dot = 0;
                for (int d = 0; d < head_dim; d++) {
                    dot += (double)in->q[(i * heads + h) * head_dim + d] * in->k[(j * heads + h) * head_dim + d];
                }
                double p = exp(dot * 0.125);
                total += p;
                for (int d = 0; d < head_dim; d++) {
                    sum[d] += p * in->v[(j * heads + h) * head_dim + d];
                }
            }
            for (int d = 0; d < head_dim; d++) {
                worst = fmax(worst, fabs(sum[d] / total - o[(i * heads + h) * head_dim + d]));
            }
            worst = lse ? fmax(worst, fabs(log(total) - lse[h * sequence + i])) : worst;
        }
    }
    return worst;
}

Test(device, unknown_names_are_refused_with_the_nearest) {
    fsattn_device *device;
    fsattn_err err;
    cr_assert_eq(fsattn_device_open(&(fsattn_device_options){.name = "hots"}, &device, &err), FSATTN_NOT_FOUND);
    cr_assert_not_null(strstr(err.hint, "'host'"));
    cr_assert_eq(fsattn_device_open(&(fsattn_device_options){.threads = -1}, &device, &err), FSATTN_INVALID);
    cr_assert_eq(fsattn_device_open(&(fsattn_device_options){.library = "/x"}, &device, &err), FSATTN_INVALID);
}

Test(device, host_describes_itself) {
    fsattn_device *device = open_host(3);
    const fsattn_device_properties *properties = fsattn_device_describe(device);
    cr_assert_eq(properties->units, 3);
    cr_assert_eq(properties->abi, FSATTN_HOST_ABI);
    cr_assert_eq(properties->provenance, FSATTN_MEASURED);
    cr_assert(properties->isa[0] && properties->name[0] && properties->llc_bytes > 0);
    fsattn_device_close(device);
}

Test(device, host_runs_a_kernel_with_any_number_of_threads) {
    char folder[64];
    size_t bytes;
    test_folder(folder);
    char *object = test_object(folder, "", &bytes);
    fsattn_hash hash = fsattn_hash_of(object, bytes);
    static inputs in;
    fill(&in);
    for (int threads = 1; threads <= 4; threads++) {
        static float o[sequence * heads * head_dim], lse[heads * sequence];
        memset(o, 0xff, sizeof o);
        fsattn_err err = {0};
        fsattn_device *device = open_host(threads);
        fsattn_module *module;
        fsattn_kernel *kernel, *again;
        cr_assert_eq(fsattn_module_load(device, "naive", object, bytes, &hash, &module, &err), FSATTN_OK, "%s", err.message);
        cr_assert_eq(fsattn_hash_compare(fsattn_module_hash(module), &hash), 0);
        cr_assert_eq(fsattn_kernel_get(module, "fsattn_attention", &kernel, &err), FSATTN_OK, "%s", err.message);
        cr_assert_eq(fsattn_kernel_get(module, "fsattn_attention", &again, &err), FSATTN_OK);
        cr_assert_eq(kernel, again);
        fsattn_host_args arguments = arguments_of(&in, o, lse);
        fsattn_launch launch = launch_of(&arguments);
        cr_assert_eq(fsattn_kernel_launch(kernel, &launch, NULL, &err), FSATTN_OK, "%s", err.message);
        cr_assert_lt(error_of(&in, o, lse), 1e-5);
        float own[64 / sizeof(float) + head_dim];
        launch.scratch = own;
        memset(o, 0xff, sizeof o);
        cr_assert_eq(fsattn_kernel_launch(kernel, &launch, NULL, &err), FSATTN_OK, "%s", err.message);
        cr_assert_lt(error_of(&in, o, lse), 1e-5);
        launch.argument_bytes--;
        cr_assert_eq(fsattn_kernel_launch(kernel, &launch, NULL, &err), FSATTN_INVALID);
        fsattn_module_unload(module);
        fsattn_device_close(device);
    }
    fsattn_free(object);
    fsattn_folder_remove(folder, NULL);
}

/* Two objects in a row must not be confused, although the second may get the first one's descriptor. */
Test(device, a_second_object_is_not_the_first) {
    char folder[64];
    size_t bytes[2];
    test_folder(folder);
    char *objects[2] = {test_object(folder, "-DOFFSET=0.0f", &bytes[0]), test_object(folder, "-DOFFSET=1.0f", &bytes[1])};
    static inputs in;
    static float o[sequence * heads * head_dim];
    fill(&in);
    fsattn_device *device = open_host(1);
    for (int i = 0; i < 4; i++) {
        fsattn_module *module;
        fsattn_kernel *kernel;
        cr_assert_eq(fsattn_module_load(device, "naive", objects[i % 2], bytes[i % 2], NULL, &module, NULL), FSATTN_OK);
        cr_assert_eq(fsattn_kernel_get(module, "fsattn_attention", &kernel, NULL), FSATTN_OK);
        fsattn_host_args arguments = arguments_of(&in, o, NULL);
        fsattn_launch launch = launch_of(&arguments);
        cr_assert_eq(fsattn_kernel_launch(kernel, &launch, NULL, NULL), FSATTN_OK);
        cr_assert_float_eq(error_of(&in, o, NULL), (double)(i % 2), 1e-5);
        fsattn_module_unload(module);
    }
    fsattn_device_close(device);
    fsattn_free(objects[0]);
    fsattn_free(objects[1]);
    fsattn_folder_remove(folder, NULL);
}

Test(device, a_wrong_hash_or_entry_is_refused) {
    char folder[64];
    size_t bytes;
    test_folder(folder);
    char *object = test_object(folder, "", &bytes), *data = test_object(folder, "-DENTRY_IS_DATA", &bytes);
    fsattn_free(object);
    object = test_object(folder, "", &bytes);
    fsattn_hash hash = fsattn_hash_of(object, bytes - 1);
    fsattn_device *device = open_host(1);
    fsattn_module *module;
    fsattn_kernel *kernel;
    fsattn_err err;
    cr_assert_eq(fsattn_module_load(device, "x", object, bytes, &hash, &module, &err), FSATTN_CORRUPT);
    cr_assert_eq(fsattn_module_load(device, "x", object, 0, NULL, &module, &err), FSATTN_CORRUPT);
    cr_assert_eq(fsattn_module_load(device, "x", object, bytes, NULL, &module, &err), FSATTN_OK);
    cr_assert_eq(fsattn_kernel_get(module, "nothing", &kernel, &err), FSATTN_NOT_FOUND);
    cr_assert_str_eq(err.message, "x: no exported function 'nothing'");
    fsattn_module_unload(module);
    fsattn_free(data);
    data = test_object(folder, "-DENTRY_IS_DATA", &bytes);
    cr_assert_eq(fsattn_module_load(device, "x", data, bytes, NULL, &module, &err), FSATTN_OK);
    cr_assert_eq(fsattn_kernel_get(module, "fsattn_attention", &kernel, &err), FSATTN_NOT_FOUND);
    cr_assert_str_eq(err.message, "x: 'fsattn_attention' is not a function");
    fsattn_module_unload(module);
    fsattn_device_close(device);
    fsattn_free(object);
    fsattn_free(data);
    fsattn_folder_remove(folder, NULL);
}

#if defined(__x86_64__)
Test(device, a_kernel_that_changes_the_float_control_is_reported_and_undone) {
    char folder[64];
    size_t bytes;
    test_folder(folder);
    char *object = test_object(folder, "-DCHANGE_FLOAT_CONTROL", &bytes);
    static inputs in;
    static float o[sequence * heads * head_dim];
    fill(&in);
    fsattn_device *device = open_host(2);
    fsattn_module *module;
    fsattn_kernel *kernel;
    fsattn_err err;
    cr_assert_eq(fsattn_module_load(device, "x", object, bytes, NULL, &module, &err), FSATTN_OK);
    cr_assert_eq(fsattn_kernel_get(module, "fsattn_attention", &kernel, &err), FSATTN_OK);
    fsattn_host_args arguments = arguments_of(&in, o, NULL);
    fsattn_launch launch = launch_of(&arguments);
    uint32_t odd = FSATTN_FLOAT_CONTROL_DEFAULT | 0x2000u, before = fsattn_float_control_get();
    fsattn_float_control_set(odd); /* rounds down: the caller's own business, kept, and not the kernel's setting */
    cr_assert_eq(fsattn_kernel_launch(kernel, &launch, NULL, &err), FSATTN_DEVICE);
    uint32_t after = fsattn_float_control_get();
    fsattn_float_control_set(before);
    cr_assert_eq(after, odd);
    cr_assert_not_null(strstr(err.message, "floating-point control"));
    fsattn_module_unload(module);
    fsattn_device_close(device);
    fsattn_free(object);
    fsattn_folder_remove(folder, NULL);
}
#endif

Test(elf_check, every_kind_of_object_that_is_no_kernel_is_refused) {
    static const struct {
        const char *options, *message;
        bool optional; /* not every linker or C library can make it */
    } rows[] = {
        {"-DCONSTRUCTOR", "constructors (DT_INIT_ARRAY)", false},
        {"-DDESTRUCTOR", "destructors (DT_FINI_ARRAY)", false},
        {"-DUNDEFINED", "undefined symbol 'cos'", false},
        {"-Wl,--no-as-needed -lm", "needs other libraries", false},
        {"-DTHREAD_LOCAL", "thread-local", false},
        {"-DBOUND_BY_NAME", "'helper' is bound by name", false},
        {"-DINDIRECT", "indirect function", false},
        {"-DSTATE=", "bytes of variables that outlive a call", false},
        {"-DSTATE==1", "bytes of variables that outlive a call", false},
        {"-DSTATE= -Wl,-z,now", "bytes of variables that outlive a call", false},
        {"-Wl,-z,execstack", "executable stack", false},
        {"-Wl,-rpath,/tmp", "library search path", false},
        {"-Wl,-soname,libc.so.6", "library name", false},
        {"-Wl,-z,nodelete", "dynamic entry", false},
        {"-nostartfiles -Wl,-N", "writable and executable", false},
        {"-Wl,-init=fsattn_attention", "constructor (DT_INIT)", false},
        {"-c", "not a shared object", false},
        {"-static-pie -e fsattn_attention -Wl,--no-dynamic-linker", "dynamic entry", false},
    };
    char folder[64];
    test_folder(folder);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t bytes;
        fsattn_err err = {0};
        char *object = test_object(folder, rows[i].options, &bytes);
        cr_assert_eq(fsattn_elf_check(object, bytes, &err), FSATTN_UNSUPPORTED, "%s: %s", rows[i].options, err.message);
        cr_assert_not_null(strstr(err.message, rows[i].message), "%s: %s", rows[i].options, err.message);
        fsattn_free(object);
    }
    fsattn_folder_remove(folder, NULL);
}

Test(elf_check, damaged_bytes_never_crash) {
    char folder[64];
    size_t bytes;
    test_folder(folder);
    char *tables = test_object(folder, "-DTABLES", &bytes);
    cr_assert_eq(fsattn_elf_check(tables, bytes, NULL), FSATTN_OK, "tables of constants are no variables");
    fsattn_free(tables);
    char *object = test_object(folder, "", &bytes), *damaged = fsattn_alloc(bytes, 1);
    cr_assert_eq(fsattn_elf_check(object, bytes, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_elf_check("not an object at all", 20, NULL), FSATTN_CORRUPT);
    Elf64_Ehdr header;
    memcpy(&header, object, sizeof header);
    header.e_machine = EM_AARCH64 + EM_X86_64;
    memcpy(damaged, object, bytes);
    memcpy(damaged, &header, sizeof header);
    cr_assert_eq(fsattn_elf_check(damaged, bytes, NULL), FSATTN_UNSUPPORTED);
    /* Truncated anywhere in what the loader reads: the copy is exactly as long, so that ASan sees one byte too far. */
    for (size_t cut = 0; cut < bytes; cut += cut < 2048 ? 1 : 97) {
        char *part = fsattn_alloc(cut, 1);
        memcpy(part, object, cut);
        fsattn_elf_check(part, cut, NULL);
        fsattn_elf_check_entry(part, cut, "fsattn_attention", NULL);
        fsattn_free(part);
    }
    for (size_t bit = 0; bit < bytes * 8; bit += bit < 8 * 2048 ? 1 : 11) {
        memcpy(damaged, object, bytes);
        damaged[bit / 8] ^= (char)(1 << (bit % 8));
        fsattn_elf_check(damaged, bytes, NULL);
        fsattn_elf_check_entry(damaged, bytes, "fsattn_attention", NULL);
    }
    fsattn_free(damaged);
    fsattn_free(object);
    fsattn_folder_remove(folder, NULL);
}

/* ---- hip, on a library made for the test --------------------------------------------------- */

/* A file of its own for each variant: a library once loaded stays. */
static void fake_hip(const char *folder, const char *options, char path[128]) {
    char command[1024];
    snprintf(path, 128, "%s/libfake%s.so", folder, options);
    snprintf(command, sizeof command, "cc -std=c17 -shared -fPIC %s -o '%s' '%s/tests/support/fake_hip.c'", options, path,
             FSATTN_SOURCE_DIR);
    test_run(command);
}

Test(device, hip_launches_through_the_loaded_library) {
    char folder[64], path[128];
    test_folder(folder);
    fake_hip(folder, "", path);
    fsattn_device *device;
    fsattn_module *module;
    fsattn_kernel *kernel;
    fsattn_stream stream;
    fsattn_event *start, *stop;
    fsattn_err err = {0};
    fsattn_device_options options = {.name = "hip", .library = path, .ordinal = 1};
    cr_assert_eq(fsattn_device_open(&options, &device, &err), FSATTN_OK, "%s", err.message);
    const fsattn_device_properties *properties = fsattn_device_describe(device);
    cr_assert_str_eq(properties->name, "Fake GPU 1");
    cr_assert_str_eq(properties->pci, "0000:C1:00.0");
    cr_assert_str_eq(properties->isa, "gfx950:sramecc+:xnack-");
    cr_assert_eq(properties->units, 256);
    cr_assert_eq(properties->provenance, FSATTN_MEASURED);
    cr_assert_eq(fsattn_module_load(device, "m", "NONE", 4, NULL, &module, &err), FSATTN_UNSUPPORTED);
    cr_assert_eq(fsattn_module_load(device, "m", "FAKE", 4, NULL, &module, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_kernel_get(module, "gone", &kernel, &err), FSATTN_NOT_FOUND);
    cr_assert_eq(fsattn_kernel_get(module, "fill", &kernel, &err), FSATTN_OK, "%s", err.message);
    void *memory;
    float back[8] = {0};
    cr_assert_eq(fsattn_stream_create(device, &stream, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_event_create(device, &start, &err), FSATTN_OK);
    cr_assert_eq(fsattn_event_create(device, &stop, &err), FSATTN_OK);
    cr_assert_eq(fsattn_device_allocate(device, sizeof back, &memory, &err), FSATTN_OK);
    struct {
        void *out;
        float value;
        int32_t count;
    } kernarg = {memory, 3.5f, 8};
    fsattn_launch launch = {.arguments = &kernarg, .argument_bytes = sizeof kernarg, .grid = {2, 1, 1},
                            .block = {512, 1, 1}, .lds_bytes = 64};
    cr_assert_eq(fsattn_event_record(start, stream, &err), FSATTN_OK);
    cr_assert_eq(fsattn_kernel_launch(kernel, &launch, stream, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_event_record(stop, stream, &err), FSATTN_OK);
    cr_assert_eq(fsattn_device_copy(device, back, memory, sizeof back, stream, &err), FSATTN_OK);
    cr_assert_eq(fsattn_stream_synchronize(device, stream, &err), FSATTN_OK);
    double time_ns;
    cr_assert_eq(fsattn_event_elapsed(start, stop, &time_ns, &err), FSATTN_OK);
    cr_assert_float_eq(time_ns, 1e6, 1);
    cr_assert_float_eq(back[7], 3.5f, 0);
    fsattn_device_release(device, memory);
    fsattn_event_destroy(start);
    fsattn_event_destroy(stop);
    fsattn_stream_destroy(device, stream);
    fsattn_module_unload(module);
    fsattn_device_close(device);
    options.ordinal = 2;
    cr_assert_eq(fsattn_device_open(&options, &device, &err), FSATTN_DEVICE);
    cr_assert_str_eq(err.message, "device hip: GPU 2: there are 2");
    options.name = "sim";
    options.ordinal = 0;
    cr_assert_eq(fsattn_device_open(&options, &device, &err), FSATTN_DEVICE);
    cr_assert_not_null(strstr(err.message, "is no simulator"));
    fsattn_folder_remove(folder, NULL);
}

Test(device, a_simulator_is_known_by_its_symbol_and_its_times_are_modelled) {
    char folder[64], path[128];
    test_folder(folder);
    fake_hip(folder, "-DSIMULATOR", path);
    const char *names[] = {"sim", "hip"};
    for (int i = 0; i < 2; i++) {
        fsattn_device *device;
        fsattn_err err = {0};
        fsattn_device_options options = {.name = names[i], .library = path};
        cr_assert_eq(fsattn_device_open(&options, &device, &err), FSATTN_OK, "%s", err.message);
        cr_assert_eq(fsattn_device_describe(device)->provenance, FSATTN_MODELLED);
        fsattn_device_close(device);
    }
    fsattn_folder_remove(folder, NULL);
}

Test(device, no_gpu_no_library_and_an_old_library_are_one_clear_line) {
    char folder[64], path[128];
    test_folder(folder);
    fsattn_device *device;
    fsattn_err err = {0};
    fsattn_device_options options = {.name = "hip", .library = path};
    fake_hip(folder, "-DNO_DEVICE", path);
    cr_assert_eq(fsattn_device_open(&options, &device, &err), FSATTN_DEVICE);
    cr_assert_str_eq(err.message, "device hip: hipInit: no ROCm-capable device is detected (hipError 100)");
    cr_assert_neq(err.hint[0], '\0');
    fake_hip(folder, "-DINCOMPLETE", path);
    cr_assert_eq(fsattn_device_open(&options, &device, &err), FSATTN_DEVICE);
    cr_assert_not_null(strstr(err.message, "has no hipEventElapsedTime"));
    options.library = "/nowhere/libamdhip64.so";
    cr_assert_eq(fsattn_device_open(&options, &device, &err), FSATTN_DEVICE);
    cr_assert_not_null(strstr(err.message, "/nowhere/libamdhip64.so"));
    cr_assert_null(strchr(err.message, '\n'));
    options.name = "sim";
    options.library = NULL;
    cr_assert_eq(fsattn_device_open(&options, &device, &err), FSATTN_INVALID);
    fsattn_folder_remove(folder, NULL);
}
