#include "hip_api.h"

#include "error.h"

#include <dlfcn.h>
#include <string.h>

/* Never unmapped: the HIP runtime has threads and exit handlers of its own. */
enum { library_flags = RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE };

static fsattn_status open_library(const char *path, void **handle, fsattn_err *err) {
    static const char *const names[] = {"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so"};
    if (path) {
        *handle = dlopen(path, library_flags);
        return *handle ? FSATTN_OK : fsattn_fail(err, FSATTN_DEVICE, "cannot load the HIP runtime: %s", dlerror());
    }
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        *handle = dlopen(names[i], library_flags);
        if (*handle) {
            return FSATTN_OK;
        }
    }
    fsattn_fail(err, FSATTN_DEVICE, "no HIP runtime: neither %s, %s nor %s can be loaded", names[0], names[1], names[2]);
    fsattn_hint(err, "install ROCm, put its lib folder on LD_LIBRARY_PATH, or name the library");
    return FSATTN_DEVICE;
}

fsattn_status fsattn_hip_api_open(const char *path, fsattn_hip_api *api, fsattn_err *err) {
    fsattn_hip_api opened = {0};
    const struct {
        const char *name;
        void *place;
    } entries[] = {
#define ENTRY(result, name, parameters) {#name, &opened.name},
#include "hip_api.def"
#undef ENTRY
    };
    FSATTN_TRY(open_library(path, &opened.handle, err));
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        void *symbol = dlsym(opened.handle, entries[i].name);
        if (!symbol) {
            dlclose(opened.handle);
            fsattn_fail(err, FSATTN_DEVICE, "%s: has no %s", path ? path : "libamdhip64", entries[i].name);
            fsattn_hint(err, "HIP 6 or newer is needed");
            return FSATTN_DEVICE;
        }
        memcpy(entries[i].place, &symbol, sizeof symbol);
    }
    opened.simulator = dlsym(opened.handle, "fsattn_sim_version");
    void *last_error = dlsym(opened.handle, "fsattn_sim_last_error");
    memcpy(&opened.sim_last_error, &last_error, sizeof last_error);
    void *facts = dlsym(opened.handle, "fsattn_sim_facts");
    memcpy(&opened.sim_facts, &facts, sizeof facts);
    void *pci = dlsym(opened.handle, "hipDeviceGetPCIBusId");
    memcpy(&opened.pci_bus_id, &pci, sizeof pci);
    void *charge = dlsym(opened.handle, "fsattn_sim_charge");
    memcpy(&opened.sim_charge, &charge, sizeof charge);
    *api = opened;
    return FSATTN_OK;
}

void fsattn_hip_api_close(fsattn_hip_api *api) {
    dlclose(api->handle);
}

fsattn_status fsattn_hip_api_check(const fsattn_hip_api *api, int error, const char *what, fsattn_err *err) {
    static const struct {
        int error;
        fsattn_status status;
        const char *hint;
    } rows[] = {
        {hip_error_out_of_memory, FSATTN_NO_MEMORY, ""},
        {hip_error_no_device, FSATTN_DEVICE, "no AMD GPU is visible: check /dev/kfd and HIP_VISIBLE_DEVICES"},
        {hip_error_no_binary_for_gpu, FSATTN_UNSUPPORTED, "the code object is for another GPU"},
        {hip_error_not_found, FSATTN_NOT_FOUND, ""},
    };
    if (error == hip_success) {
        return FSATTN_OK;
    }
    const char *text = api->hipGetErrorString(error);
    fsattn_status status = FSATTN_DEVICE;
    const char *hint = "";
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].error == error) {
            status = rows[i].status;
            hint = rows[i].hint;
        }
    }
    const char *more = api->sim_last_error ? api->sim_last_error() : "";
    fsattn_fail(err, status, "%s: %s (hipError %d)%s%s", what, text ? text : "unknown error", error, more[0] ? ": " : "", more);
    fsattn_hint(err, "%s", hint);
    return status;
}
