/* The hip back end, for GPUs through libamdhip64 and for the simulator, which is such a library. */
#include "backend.h"

#include "error.h"
#include "hip_api.h"

#include <stdio.h>
#include <string.h>

typedef struct hip_device {
    fsattn_device common;
    fsattn_hip_api api;
    int ordinal;
} hip_device;

typedef struct hip_module {
    fsattn_module common;
    void *handle;
} hip_module;

static hip_device *device_of(fsattn_device *device) {
    return (hip_device *)device;
}

/* HIP's current device is the calling thread's and belongs to the application: it is switched for a call and put back. */
static fsattn_status enter(hip_device *hip, int *previous, fsattn_err *err) {
    FSATTN_TRY(fsattn_hip_api_check(&hip->api, hip->api.hipGetDevice(previous), "hipGetDevice", err));
    return *previous == hip->ordinal
               ? FSATTN_OK
               : fsattn_hip_api_check(&hip->api, hip->api.hipSetDevice(hip->ordinal), "hipSetDevice", err);
}

static void leave(hip_device *hip, int previous) {
    if (previous != hip->ordinal) {
        hip->api.hipSetDevice(previous);
    }
}

/* Makes one HIP call on the device and translates its result. */
#define ON_DEVICE(hip, err, name, ...)                                                                       \
    do {                                                                                                     \
        int previous_;                                                                                       \
        FSATTN_TRY(enter(hip, &previous_, err));                                                             \
        int error_ = (hip)->api.name(__VA_ARGS__);                                                           \
        leave(hip, previous_);                                                                               \
        return fsattn_hip_api_check(&(hip)->api, error_, #name, err);                                        \
    } while (0)

static fsattn_status describe(hip_device *hip, fsattn_err *err) {
    fsattn_device_properties *properties = &hip->common.properties;
    hip_device_properties found = {0};
    int driver = 0, runtime = 0, count = 0;
    const fsattn_hip_api *api = &hip->api;
    FSATTN_TRY(fsattn_hip_api_check(api, api->hipInit(0), "hipInit", err));
    FSATTN_TRY(fsattn_hip_api_check(api, api->hipGetDeviceCount(&count), "hipGetDeviceCount", err));
    if (hip->ordinal < 0 || hip->ordinal >= count) {
        return fsattn_fail(err, FSATTN_DEVICE, "GPU %d: there are %d", hip->ordinal, count);
    }
    FSATTN_TRY(fsattn_hip_api_check(api, api->hipDriverGetVersion(&driver), "hipDriverGetVersion", err));
    FSATTN_TRY(fsattn_hip_api_check(api, api->hipRuntimeGetVersion(&runtime), "hipRuntimeGetVersion", err));
    FSATTN_TRY(fsattn_hip_api_check(api, api->hipGetDevicePropertiesR0600(&found, hip->ordinal),
                                    "hipGetDeviceProperties", err));
    snprintf(properties->name, sizeof properties->name, "%.127s", found.name);
    snprintf(properties->isa, sizeof properties->isa, "%.127s", found.gcn_arch_name);
    const char *facts = api->sim_facts ? api->sim_facts() : "";
    snprintf(properties->driver, sizeof properties->driver, "%s driver %d runtime %d%s%s",
             api->simulator ? api->simulator : "hip", driver, runtime, facts[0] ? " " : "", facts);
    if (!api->pci_bus_id || api->simulator || api->pci_bus_id(properties->pci, sizeof properties->pci, hip->ordinal) != hip_success) {
        properties->pci[0] = '\0';
    }
    properties->units = found.multiprocessor_count;
    properties->llc_bytes = found.l2_cache_bytes > 0 ? (size_t)found.l2_cache_bytes : 0;
    properties->abi = FSATTN_HIP_ABI;
    properties->provenance = api->simulator ? FSATTN_MODELLED : FSATTN_MEASURED;
    return FSATTN_OK;
}

static fsattn_status hip_open(fsattn_device *device, const fsattn_device_options *options, fsattn_err *err) {
    hip_device *hip = device_of(device);
    FSATTN_TRY(fsattn_hip_api_open(options->library, &hip->api, err));
    hip->ordinal = options->ordinal;
    fsattn_status status = describe(hip, err);
    if (status != FSATTN_OK) {
        fsattn_hip_api_close(&hip->api);
    }
    return status;
}

static fsattn_status sim_open(fsattn_device *device, const fsattn_device_options *options, fsattn_err *err) {
    if (!options->library) {
        fsattn_fail(err, FSATTN_INVALID, "the simulator's library must be named");
        fsattn_hint(err, "give the path of the simulator's libamdhip64.so");
        return FSATTN_INVALID;
    }
    FSATTN_TRY(hip_open(device, options, err));
    if (device_of(device)->api.simulator) {
        return FSATTN_OK;
    }
    fsattn_hip_api_close(&device_of(device)->api);
    fsattn_fail(err, FSATTN_DEVICE, "%s: is no simulator (it exports no fsattn_sim_version)", options->library);
    fsattn_hint(err, "use device hip for a real HIP runtime");
    return FSATTN_DEVICE;
}

static void hip_close(fsattn_device *device) {
    fsattn_hip_api_close(&device_of(device)->api);
}

static fsattn_status hip_module_load(fsattn_module *common, fsattn_err *err) {
    ON_DEVICE(device_of(common->device), err, hipModuleLoadData, &((hip_module *)common)->handle,
              common->image.bytes);
}

static void hip_module_unload(fsattn_module *common) {
    hip_device *hip = device_of(common->device);
    int previous;
    if (enter(hip, &previous, NULL) == FSATTN_OK) {
        hip->api.hipModuleUnload(((hip_module *)common)->handle);
        leave(hip, previous);
    }
}

static fsattn_status hip_kernel_get(fsattn_module *common, const char *entry, void **native, fsattn_err *err) {
    hip_device *hip = device_of(common->device);
    int previous;
    FSATTN_TRY(enter(hip, &previous, err));
    int error = hip->api.hipModuleGetFunction(native, ((hip_module *)common)->handle, entry);
    leave(hip, previous);
    fsattn_status status = fsattn_hip_api_check(&hip->api, error, "hipModuleGetFunction", err);
    return status == FSATTN_OK ? status : fsattn_context_add(err, status, "%s", entry);
}

static fsattn_status hip_launch(fsattn_kernel *kernel, const fsattn_launch *launch, fsattn_stream stream,
                                fsattn_err *err) {
    const fsattn_hip_api *api = &device_of(kernel->module->device)->api;
    size_t bytes = launch->argument_bytes;
    if (api->sim_charge && launch->charged_groups) {
        api->sim_charge(launch->charged_groups);
    }
    void *extra[] = {HIP_EXTRA_BUFFER_POINTER, (void *)launch->arguments, HIP_EXTRA_BUFFER_SIZE, &bytes, HIP_EXTRA_END};
    ON_DEVICE(device_of(kernel->module->device), err, hipModuleLaunchKernel, kernel->native, launch->grid[0],
              launch->grid[1], launch->grid[2], launch->block[0], launch->block[1], launch->block[2],
              launch->lds_bytes, stream, NULL, extra);
}

static fsattn_status hip_allocate(fsattn_device *device, size_t bytes, void **memory, fsattn_err *err) {
    ON_DEVICE(device_of(device), err, hipMalloc, memory, bytes);
}

static void hip_release(fsattn_device *device, void *memory) {
    device_of(device)->api.hipFree(memory);
}

static fsattn_status hip_copy(fsattn_device *device, void *to, const void *from, size_t bytes, fsattn_stream stream,
                              fsattn_err *err) {
    ON_DEVICE(device_of(device), err, hipMemcpyAsync, to, from, bytes, hip_memcpy_default, stream);
}

static fsattn_status hip_stream_create(fsattn_device *device, fsattn_stream *stream, fsattn_err *err) {
    ON_DEVICE(device_of(device), err, hipStreamCreateWithFlags, stream, hip_stream_non_blocking);
}

static void hip_stream_destroy(fsattn_device *device, fsattn_stream stream) {
    device_of(device)->api.hipStreamDestroy(stream);
}

static fsattn_status hip_stream_synchronize(fsattn_device *device, fsattn_stream stream, fsattn_err *err) {
    ON_DEVICE(device_of(device), err, hipStreamSynchronize, stream);
}

static fsattn_status hip_event_create(fsattn_device *device, void **native, fsattn_err *err) {
    ON_DEVICE(device_of(device), err, hipEventCreateWithFlags, native, 0);
}

static void hip_event_destroy(fsattn_device *device, void *native) {
    device_of(device)->api.hipEventDestroy(native);
}

static fsattn_status hip_event_record(fsattn_device *device, void *native, fsattn_stream stream, fsattn_err *err) {
    ON_DEVICE(device_of(device), err, hipEventRecord, native, stream);
}

static fsattn_status hip_event_elapsed(fsattn_device *device, void *start, void *stop, double *time_ns,
                                       fsattn_err *err) {
    const fsattn_hip_api *api = &device_of(device)->api;
    float milliseconds = 0;
    FSATTN_TRY(fsattn_hip_api_check(api, api->hipEventSynchronize(stop), "hipEventSynchronize", err));
    FSATTN_TRY(fsattn_hip_api_check(api, api->hipEventElapsedTime(&milliseconds, start, stop), "hipEventElapsedTime", err));
    *time_ns = (double)milliseconds * 1e6;
    return FSATTN_OK;
}

/* Expanded for both names, which differ in how they are opened. */
#define HIP_BACKEND(text, opener)                                                                            \
    {                                                                                                        \
        .name = text, .device_bytes = sizeof(hip_device), .module_bytes = sizeof(hip_module), .open = opener, \
        .close = hip_close, .module_load = hip_module_load, .module_unload = hip_module_unload,              \
        .kernel_get = hip_kernel_get, .launch = hip_launch, .allocate = hip_allocate, .release = hip_release, \
        .copy = hip_copy, .stream_create = hip_stream_create, .stream_destroy = hip_stream_destroy,          \
        .stream_synchronize = hip_stream_synchronize, .event_create = hip_event_create,                      \
        .event_destroy = hip_event_destroy, .event_record = hip_event_record,                                \
        .event_elapsed = hip_event_elapsed,                                                                  \
    }

const fsattn_backend fsattn_backend_hip = HIP_BACKEND("hip", hip_open);
const fsattn_backend fsattn_backend_sim = HIP_BACKEND("sim", sim_open);
