/* The simulator as the tests see it: device "sim", code objects from tests/data/sim or compiled afresh, launches by name. */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include "device.h"
#include "file.h"
#include "hiprtc.h"
#include "memory.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIM_LIBRARY FSATTN_BINARY_DIR "/lib/simulator/libamdhip64.so.7"
#define SIM_DATA FSATTN_SOURCE_DIR "/tests/data/sim"

typedef struct sim_device {
    fsattn_device *device;
    fsattn_module *module;
} sim_device;

static inline sim_device sim_device_open(const void *code, size_t bytes) {
    sim_device d = {0};
    fsattn_err err = {0};
    const fsattn_device_options options = {.name = "sim", .library = SIM_LIBRARY};
    setenv("FSATTN_SIM_QUIET", "1", 1);
    cr_assert_eq(fsattn_device_open(&options, &d.device, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_module_load(d.device, "test", code, bytes, NULL, &d.module, &err), FSATTN_OK, "%s", err.message);
    return d;
}
static inline void sim_device_close(sim_device *d) {
    fsattn_module_unload(d->module);
    fsattn_device_close(d->device);
}

/* The committed code object of that name. */
static inline sim_device sim_device_stored(const char *name) {
    char path[512], *data;
    size_t bytes;
    setenv("FSATTN_SIM_CACHE", SIM_DATA, 1);
    snprintf(path, sizeof path, SIM_DATA "/%s.co", name);
    cr_assert_eq(fsattn_file_read(path, 1 << 20, &data, &bytes, NULL), FSATTN_OK, "%s", path);
    sim_device d = sim_device_open(data, bytes);
    fsattn_free(data);
    return d;
}

/* The source compiled by HIPRTC; skips the test where there is none. */
static inline sim_device sim_device_compiled(const char *name) {
    static const char *const options[] = {"--offload-arch=gfx950", "-O3", NULL};
    char path[512], *source;
    size_t bytes;
    fsattn_hiprtc *hiprtc;
    fsattn_err err = {0};
    const fsattn_hiprtc_settings settings = {.helper = FSATTN_BINARY_DIR "/bin/fsattn-rocm-helper", .jobs = 1};
    if (fsattn_hiprtc_open(&settings, &hiprtc, &err) != FSATTN_OK) {
        cr_skip_test("%s", err.message);
    }
    setenv("FSATTN_SIM_CACHE", FSATTN_BINARY_DIR "/sim-cache", 1);
    setenv("FSATTN_ROCM_HELPER", FSATTN_BINARY_DIR "/bin/fsattn-rocm-helper", 1);
    snprintf(path, sizeof path, SIM_DATA "/%s.hip", name);
    cr_assert_eq(fsattn_file_read(path, 1 << 20, &source, &bytes, NULL), FSATTN_OK, "%s", path);
    fsattn_hiprtc_job job = {.source = source, .options = options};
    cr_assert_eq(fsattn_hiprtc_compile(hiprtc, &job, 1, INT64_MAX, NULL, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(job.verdict, FSATTN_VERDICT_OK, "%s", job.reason);
    sim_device d = sim_device_open(job.code, job.code_bytes);
    fsattn_hiprtc_job_fini(&job);
    fsattn_hiprtc_close(hiprtc);
    fsattn_free(source);
    return d;
}

static inline void *sim_device_put(sim_device *d, const void *data, size_t bytes) {
    void *memory = NULL;
    cr_assert_eq(fsattn_device_allocate(d->device, bytes, &memory, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_device_copy(d->device, memory, data, bytes, NULL, NULL), FSATTN_OK);
    return memory;
}
static inline void sim_device_get(sim_device *d, void *to, const void *memory, size_t bytes) {
    cr_assert_eq(fsattn_device_copy(d->device, to, memory, bytes, NULL, NULL), FSATTN_OK);
}
static inline fsattn_status sim_device_try(sim_device *d, const char *entry, uint32_t grid, uint32_t block, const void *arguments,
                                           size_t bytes, fsattn_err *err) {
    fsattn_kernel *kernel;
    const fsattn_launch launch = {.arguments = arguments, .argument_bytes = bytes, .grid = {grid, 1, 1}, .block = {block, 1, 1}};
    cr_assert_eq(fsattn_kernel_get(d->module, entry, &kernel, err), FSATTN_OK, "%s", entry);
    return fsattn_kernel_launch(kernel, &launch, NULL, err);
}
/* Launches with arguments that are one struct laid out as the kernel's. */
#define sim_device_run(d, entry, grid, block, ...)                                                           \
    do {                                                                                                     \
        fsattn_err err_ = {0};                                                                               \
        cr_assert_eq(sim_device_try(d, entry, grid, block, &(__VA_ARGS__), sizeof(__VA_ARGS__), &err_), FSATTN_OK, "%s", \
                     err_.message);                                                                          \
    } while (0)

/* A small generator, so that a failure repeats. */
static inline uint32_t sim_device_random(uint32_t *state) {
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}
static inline float sim_device_uniform(uint32_t *state) {
    return (float)sim_device_random(state) * 0x1p-23f - 1.0f;
}

#endif
