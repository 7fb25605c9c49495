/* A libamdhip64 that does what the hip back end's tests look at: memory is the process's, a launch fills an array, the
 * clock advances by a millisecond per launch. -DNO_DEVICE, -DSIMULATOR and -DINCOMPLETE make its variants; with -DANY_KERNEL it has
 * every kernel, which do nothing; with -finstrument-functions -Wl,-Bsymbolic (libc has the hooks
 * too) it counts what is called (fake_hip_calls). */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))
#define DEFINE(name, ...) EXPORT int name(__VA_ARGS__); EXPORT int name(__VA_ARGS__)

typedef struct arguments {
    float *out;
    float value;
    int32_t count;
} arguments;

static int current_device;
static float clock_ms;
static int function_marker;

#ifdef SIMULATOR
EXPORT extern const char fsattn_sim_version[];
const char fsattn_sim_version[] = "test";
#endif

#ifdef NO_DEVICE
enum { init_result = 100 };
#else
enum { init_result = 0 };
#endif

DEFINE(hipInit, unsigned flags) { return flags ? 1 : init_result; }
DEFINE(hipDriverGetVersion, int *version) { return *version = 70253211, 0; }
DEFINE(hipRuntimeGetVersion, int *version) { return *version = 70253211, 0; }
DEFINE(hipGetDeviceCount, int *count) { return *count = 2, 0; }
DEFINE(hipGetDevice, int *ordinal) { return *ordinal = current_device, 0; }
DEFINE(hipSetDevice, int ordinal) { return current_device = ordinal, 0; }
DEFINE(hipGetDevicePropertiesR0600, char *properties, int ordinal) {
    memset(properties, 0, 1472);
    strcpy(properties, ordinal ? "Fake GPU 1" : "Fake GPU 0");
    int units = 256, l2 = 4 << 20;
    memcpy(properties + 388, &units, sizeof units);
    memcpy(properties + 616, &l2, sizeof l2);
    strcpy(properties + 1160, "gfx950:sramecc+:xnack-");
    return 0;
}
DEFINE(hipDeviceGetPCIBusId, char *id, int bytes, int ordinal) {
    const char *ids[] = {"0000:0A:00.0", "0000:C1:00.0"};
    return (int)strlen(ids[ordinal]) < bytes ? strcpy(id, ids[ordinal]), 0 : 1;
}
EXPORT const char *hipGetErrorString(int error);
EXPORT const char *hipGetErrorString(int error) { return error == 100 ? "no ROCm-capable device is detected" : "fake error"; }
DEFINE(hipModuleLoadData, void **module, const void *image) {
    if (memcmp(image, "FAKE", 4)) {
        return 209;
    }
    return *module = malloc(1), 0;
}
DEFINE(hipModuleUnload, void *module) { return free(module), 0; }
DEFINE(hipModuleGetFunction, void **function, void *module, const char *name) {
    (void)module;
#ifdef ANY_KERNEL
    name = "fill";
#endif
    return strcmp(name, "fill") ? 500 : (*function = &function_marker, 0);
}
DEFINE(hipModuleLaunchKernel, void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
       unsigned lds, void *stream, void **parameters, void **extra) {
    (void)stream;
#ifdef ANY_KERNEL
    return gx * gy * gz * bx * by * bz == 0 || lds || parameters || !extra || function != &function_marker;
#endif
    if (function != &function_marker || parameters || (uintptr_t)extra[0] != 1 || (uintptr_t)extra[2] != 2 ||
        (uintptr_t)extra[4] != 3 || *(size_t *)extra[3] != sizeof(arguments) || gx * gy * gz * bx * by * bz == 0 || lds != 64 ||
        current_device != 1) {
        return 1;
    }
    const arguments *a = extra[1];
    for (int i = 0; i < a->count; i++) {
        a->out[i] = a->value;
    }
    clock_ms += 1;
    return 0;
}
DEFINE(hipMalloc, void **memory, size_t bytes) { return (*memory = malloc(bytes)) ? 0 : 2; }
DEFINE(hipFree, void *memory) { return free(memory), 0; }
DEFINE(hipMemcpyAsync, void *to, const void *from, size_t bytes, int kind, void *stream) {
    (void)stream;
    return kind == 4 ? (memcpy(to, from, bytes), 0) : 1;
}
DEFINE(hipStreamCreateWithFlags, void **stream, unsigned flags) { return flags == 1 ? (*stream = malloc(1), 0) : 1; }
DEFINE(hipStreamDestroy, void *stream) { return free(stream), 0; }
DEFINE(hipStreamSynchronize, void *stream) { return (void)stream, 0; }
DEFINE(hipEventCreateWithFlags, void **event, unsigned flags) { return (void)flags, (*event = calloc(1, sizeof(float))) ? 0 : 2; }
DEFINE(hipEventDestroy, void *event) { return free(event), 0; }
DEFINE(hipEventRecord, void *event, void *stream) { return (void)stream, *(float *)event = clock_ms, 0; }
DEFINE(hipEventSynchronize, void *event) { return (void)event, 0; }
#ifndef INCOMPLETE
DEFINE(hipEventElapsedTime, float *ms, void *start, void *stop) { return *ms = *(float *)stop - *(float *)start, 0; }
#endif

/* ---- counting ---- */

#define UNCOUNTED __attribute__((no_instrument_function))
static int launches, selections, others;
EXPORT void fake_hip_calls(int *of_launches, int *of_selections, int *of_others) UNCOUNTED;
/* Calls since the last time this was asked: launches, hipGetDevice and hipSetDevice, everything else. */
EXPORT void fake_hip_calls(int *of_launches, int *of_selections, int *of_others) {
    *of_launches = launches;
    *of_selections = selections;
    *of_others = others;
    launches = selections = others = 0;
}
EXPORT void __cyg_profile_func_enter(void *function, void *from) UNCOUNTED;
EXPORT void __cyg_profile_func_exit(void *function, void *from) UNCOUNTED;
EXPORT void __cyg_profile_func_enter(void *function, void *from) {
    (void)from;
    const struct {
        void *function;
        int *calls;
    } rows[] = {{(void *)(uintptr_t)hipModuleLaunchKernel, &launches},
                                   {(void *)(uintptr_t)hipGetDevice, &selections},
                                   {(void *)(uintptr_t)hipSetDevice, &selections}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].function == function) {
            ++*rows[i].calls;
            return;
        }
    }
    others++;
}
EXPORT void __cyg_profile_func_exit(void *function, void *from) {
    (void)function;
    (void)from;
}
