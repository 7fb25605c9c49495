#include "tune_device.h"

#include "cpu.h"
#include "error.h"
#include "evaluator_gpu.h"
#include "evaluator_host.h"
#include "evaluator_scripted.h"
#include "footprint.h"
#include "hip_api.h"
#include "host_abi.h"
#include "memory.h"
#include "nearest.h"
#include "replay_evaluator.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Whether a device can run what the template makes, and calls it as the template expects. */
static fsattn_status check_template(const fsattn_manifest *manifest, const char *target, int64_t abi, const char *device, fsattn_err *err) {
    if (strcmp(manifest->target, target)) {
        fsattn_fail(err, FSATTN_UNSUPPORTED, "template %s makes code for %s, which the device '%s' cannot run", manifest->name,
                    manifest->target, device);
        fsattn_hint(err, "name another device, or a template whose target is %s", target);
        return FSATTN_UNSUPPORTED;
    }
    if (manifest->abi != abi) {
        fsattn_fail(err, FSATTN_UNSUPPORTED, "%s: abi: kernels of ABI %" PRId64 ", and the device '%s' calls ABI %" PRId64, manifest->path,
                    (int64_t)manifest->abi, device, abi);
        fsattn_hint(err, "write the kernel for ABI %" PRId64 ", and say so", abi);
        return FSATTN_UNSUPPORTED;
    }
    return FSATTN_OK;
}

/* ---- host ---- */

/* What is asked of a worker at once is planned to take the space's time limit at most; the watchdog allows for a slow moment. */
static const double watchdog_factor = 2;

static fsattn_status open_host(const fsattn_tune_device *device, const char *argument, fsattn_evaluator **evaluator,
                               fsattn_err *err) {
    (void)argument;
    FSATTN_TRY(check_template(device->space->manifest, "host", FSATTN_HOST_ABI, "host", err));
    const fsattn_evaluator_host_options options = {
        .manifest = device->space->manifest,
        .store = device->store,
        .jobs = device->jobs,
        .trial_time_limit_s = watchdog_factor * device->space->measurement.time_limit_s,
        .seconds = isfinite(device->seconds) ? device->seconds : 0,
        .seed = 1, /* of the inputs: equal inputs make results comparable whatever order the search takes */
        .stop = device->stop,
        .warn = device->warn,
        .warn_data = device->warn_data,
    };
    return fsattn_evaluator_host_open(&options, evaluator, err);
}

static fsattn_status isa_host(const fsattn_tune_device *device, const char *argument, char isa[128], fsattn_err *err) {
    (void)device;
    (void)argument;
    (void)err;
    fsattn_cpu cpu;
    fsattn_cpu_detect(&cpu);
    fsattn_cpu_isa(&cpu, isa);
    return FSATTN_OK;
}

static fsattn_status fits_host(const fsattn_tune_device *device, const size_t *problems, size_t count, fsattn_err *err) {
    return fsattn_footprint_check(device->space, problems, count, fsattn_footprint_available(""), err);
}

/* ---- scripted ---- */

static fsattn_status open_scripted(const fsattn_tune_device *device, const char *file, fsattn_evaluator **evaluator,
                                   fsattn_err *err) {
    const char *path = device->space->path, *slash = strrchr(path, '/');
    int folder = device->name || !slash || file[0] == '/' ? 0 : (int)(slash + 1 - path);
    fsattn_text text = {0};
    fsattn_text_printf(&text, "%.*s%s", folder, path, file);
    if (text.failed) {
        fsattn_text_fini(&text);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    }
    fsattn_evaluator_scripted_options options = {
        .path = text.data, .manifest = device->space->manifest, .store = device->store, .jobs = device->jobs,
        .distribution = device->space->accuracy.distribution};
    fsattn_status status = fsattn_evaluator_scripted_open(&options, evaluator, err);
    fsattn_text_fini(&text);
    return status;
}

static fsattn_status isa_scripted(const fsattn_tune_device *device, const char *file, char isa[128], fsattn_err *err) {
    fsattn_evaluator *evaluator;
    FSATTN_TRY(open_scripted(device, file, &evaluator, err));
    snprintf(isa, 128, "%s", evaluator->platform.isa);
    evaluator->ops->close(evaluator);
    return FSATTN_OK;
}

/* ---- replay ---- */

static fsattn_status open_replay(const fsattn_tune_device *device, const char *file, fsattn_evaluator **evaluator,
                                 fsattn_err *err) {
    if (!device->space->replay) {
        fsattn_fail(err, FSATTN_USAGE, "replay:%s takes its space from the data, and cannot be searched with %s", file,
                    device->space->path);
        fsattn_hint(err, "leave the space out: fsattn-tune --device replay:%s", file);
        return FSATTN_USAGE;
    }
    return fsattn_replay_evaluator_open(device->space->replay, evaluator, err);
}

static fsattn_status isa_replay(const fsattn_tune_device *device, const char *argument, char isa[128], fsattn_err *err) {
    (void)device;
    (void)argument;
    (void)err;
    snprintf(isa, 128, "replay");
    return FSATTN_OK;
}

/* ---- gfx950 ---- */

/* What is compiled for is known without a device, so that a space can be counted, rendered and compiled anywhere. */
static fsattn_status isa_gfx950(const fsattn_tune_device *device, const char *argument, char isa[128], fsattn_err *err) {
    (void)device;
    (void)argument;
    (void)err;
    snprintf(isa, 128, "gfx950");
    return FSATTN_OK;
}

/* A request to the simulator is limited by the search's budget alone. */
static const double simulated_time_limit_s = 600;

static fsattn_status open_gfx950(const fsattn_tune_device *device, const char *name, fsattn_evaluator **evaluator, fsattn_err *err) {
    const bool simulated = !strcmp(name, "sim");
    FSATTN_TRY(check_template(device->space->manifest, "gfx950", FSATTN_HIP_ABI, name, err));
    const fsattn_evaluator_gpu_options options = {
        .manifest = device->space->manifest,
        .store = device->store,
        .device = name,
        .jobs = device->jobs,
        .trial_time_limit_s = simulated ? simulated_time_limit_s : watchdog_factor * device->space->measurement.time_limit_s,
        .seed = 1, /* as on the host */
        .distribution = device->space->accuracy.distribution,
        .stop = device->stop,
    };
    return fsattn_evaluator_gpu_open(&options, evaluator, err);
}

static fsattn_status open_hip(const fsattn_tune_device *device, const char *argument, fsattn_evaluator **evaluator, fsattn_err *err) {
    (void)argument;
    return open_gfx950(device, "hip", evaluator, err);
}

static fsattn_status open_sim(const fsattn_tune_device *device, const char *argument, fsattn_evaluator **evaluator, fsattn_err *err) {
    (void)argument;
    return open_gfx950(device, "sim", evaluator, err);
}

/* ---- the table ---- */

typedef struct device_row {
    const char *name; /* ends with ':' when an argument follows */
    const char *form; /* for people */
    fsattn_status (*open)(const fsattn_tune_device *device, const char *argument, fsattn_evaluator **evaluator,
                          fsattn_err *err);
    fsattn_status (*isa)(const fsattn_tune_device *device, const char *argument, char isa[128], fsattn_err *err);
    /* Whether the machine has the memory for the problems; NULL: they take none worth asking for. */
    fsattn_status (*fits)(const fsattn_tune_device *device, const size_t *problems, size_t count, fsattn_err *err);
} device_row;

static const device_row rows[] = {
    {"host", "host", open_host, isa_host, fits_host},
    {"hip", "hip", open_hip, isa_gfx950, NULL},
    {"sim", "sim", open_sim, isa_gfx950, NULL},
    {"scripted:", "scripted:FILE", open_scripted, isa_scripted, NULL},
    {"replay:", "replay:FILE", open_replay, isa_replay, NULL},
};
enum { row_count = sizeof rows / sizeof rows[0] };

/* The row whose name is meant, whatever its argument; NULL when none is near. */
static const device_row *nearest_row(const char *typed) {
    const char *names[row_count];
    char name[64];
    for (size_t i = 0; i < row_count; i++) {
        names[i] = rows[i].name;
    }
    snprintf(name, sizeof name, "%.*s", (int)(strcspn(typed, ":") + (strchr(typed, ':') != NULL)), typed);
    const char *nearest = fsattn_nearest(name, names, row_count);
    for (size_t i = 0; i < row_count; i++) {
        if (nearest == rows[i].name) {
            return &rows[i];
        }
    }
    return NULL;
}

static fsattn_status find_row(const fsattn_tune_device *device, const device_row **row, const char **argument,
                              fsattn_err *err) {
    const char *name = device->name ? device->name : device->space->device;
    const char *names[row_count];
    for (size_t i = 0; i < row_count; i++) {
        size_t bytes = strlen(rows[i].name);
        bool takes_argument = rows[i].name[bytes - 1] == ':';
        names[i] = takes_argument ? rows[i].form : rows[i].name;
        if (takes_argument ? !strncmp(name, rows[i].name, bytes) && name[bytes] : !strcmp(name, rows[i].name)) {
            *row = &rows[i];
            *argument = name + bytes;
            return FSATTN_OK;
        }
    }
    if (device->name || !device->space->device_place.line) {
        fsattn_fail(err, FSATTN_USAGE, "--device: no device '%s'", name);
    } else {
        fsattn_space_fail(device->space, device->space->device_place, err, "no device '%s'", name);
    }
    const device_row *nearest = nearest_row(name);
    if (nearest) {
        fsattn_hint(err, "did you mean '%s'?", nearest->form);
    } else {
        fsattn_nearest_hint(err, name, names, row_count);
    }
    return err ? err->code : FSATTN_USAGE;
}

fsattn_status fsattn_tune_device_open(const fsattn_tune_device *device, fsattn_evaluator **evaluator, fsattn_err *err) {
    const device_row *row;
    const char *argument;
    FSATTN_TRY(find_row(device, &row, &argument, err));
    return row->open(device, argument, evaluator, err);
}

fsattn_status fsattn_tune_device_isa(const fsattn_tune_device *device, char isa[128], fsattn_err *err) {
    const device_row *row;
    const char *argument;
    FSATTN_TRY(find_row(device, &row, &argument, err));
    return row->isa(device, argument, isa, err);
}

fsattn_status fsattn_tune_device_fits(const fsattn_tune_device *device, const size_t *problems, size_t count, fsattn_err *err) {
    const device_row *row;
    const char *argument;
    FSATTN_TRY(find_row(device, &row, &argument, err));
    return row->fits ? row->fits(device, problems, count, err) : FSATTN_OK;
}
