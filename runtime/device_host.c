/* The host back end: kernels of templates/lib/host_abi.h in shared objects, on a thread pool. */
#include "backend.h"

#include "cpu.h"
#include "elf_check.h"
#include "error.h"
#include "float_control.h"
#include "host_abi.h"
#include "pool.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef struct host_device {
    fsattn_device common;
    fsattn_pool *pool;
} host_device;

typedef struct host_module {
    fsattn_module common;
    void *handle;
    int fd; /* open as long as the object is loaded: the loader knows objects by their path, which is this number */
} host_module;

static fsattn_status host_open(fsattn_device *device, const fsattn_device_options *options, fsattn_err *err) {
    host_device *host = (host_device *)device;
    fsattn_device_properties *properties = &device->properties;
    fsattn_cpu cpu;
    fsattn_cpu_detect(&cpu);
    if (options->library) {
        return fsattn_fail(err, FSATTN_INVALID, "takes no library, got '%s'", options->library);
    }
    properties->units = options->threads ? options->threads : cpu.cores;
    snprintf(properties->name, sizeof properties->name, "%s", cpu.model);
    snprintf(properties->driver, sizeof properties->driver, "host");
    fsattn_cpu_isa(&cpu, properties->isa);
    properties->llc_bytes = cpu.llc_bytes;
    properties->abi = FSATTN_HOST_ABI;
    properties->provenance = FSATTN_MEASURED;
    return fsattn_pool_create(properties->units, &host->pool, err);
}

static void host_close(fsattn_device *device) {
    fsattn_pool_destroy(((host_device *)device)->pool);
}

/* A descriptor of the image whose path the loader does not know yet. It may know a path whose descriptor is closed: one that
 * a parent process had loaded before it forked. It would hand out that old object without looking at the file. */
static fsattn_status fresh_path(host_module *module, char path[64], fsattn_err *err) {
    int fd = fcntl(module->common.image.fd, F_DUPFD_CLOEXEC, 0);
    for (int tries = 0; fd >= 0 && tries < 1000; tries++) {
        snprintf(path, 64, "/proc/self/fd/%d", fd);
        void *known = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
        if (!known) {
            module->fd = fd;
            return FSATTN_OK;
        }
        dlclose(known);
        int next = fcntl(module->common.image.fd, F_DUPFD_CLOEXEC, fd + 1);
        close(fd);
        fd = next;
    }
    if (fd < 0) {
        return fsattn_fail_errno(err, errno, "cannot duplicate a descriptor");
    }
    close(fd);
    return fsattn_fail(err, FSATTN_BUSY, "no free path to load the object from");
}

static fsattn_status host_module_load(fsattn_module *common, fsattn_err *err) {
    host_module *module = (host_module *)common;
    char path[64];
    FSATTN_TRY(fsattn_elf_check(common->image.bytes, common->image.size, err));
    FSATTN_TRY(fresh_path(module, path, err));
    uint32_t control = fsattn_float_control_get();
    module->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    bool changed = fsattn_float_control_get() != control;
    fsattn_float_control_set(control);
    if (!module->handle) {
        fsattn_status status = fsattn_fail(err, FSATTN_DEVICE, "cannot load: %s", dlerror());
        close(module->fd);
        return status;
    }
    if (changed) {
        dlclose(module->handle);
        close(module->fd);
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "not a host kernel: loading it changed the floating-point control bits");
    }
    return FSATTN_OK;
}

static void host_module_unload(fsattn_module *common) {
    host_module *module = (host_module *)common;
    dlclose(module->handle);
    close(module->fd);
}

static fsattn_status host_kernel_get(fsattn_module *common, const char *entry, void **native, fsattn_err *err) {
    FSATTN_TRY(fsattn_elf_check_entry(common->image.bytes, common->image.size, entry, err));
    void *function = dlsym(((host_module *)common)->handle, entry);
    if (!function) {
        return fsattn_fail(err, FSATTN_NOT_FOUND, "no exported function '%s'", entry);
    }
    *native = function;
    return FSATTN_OK;
}

typedef struct host_call {
    fsattn_host_kernel *function;
    const fsattn_host_args *arguments;
    _Atomic bool control_changed;
} host_call;

/* Every item runs under the same setting, whatever the thread's is, and leaves the thread's as it was. */
static void run_item(void *context, int64_t item, void *scratch) {
    host_call *call = context;
    uint32_t control = fsattn_float_control_get();
    fsattn_float_control_set(FSATTN_FLOAT_CONTROL_DEFAULT);
    call->function(call->arguments, item, scratch);
    if (fsattn_float_control_get() != FSATTN_FLOAT_CONTROL_DEFAULT) {
        atomic_store_explicit(&call->control_changed, true, memory_order_relaxed);
    }
    fsattn_float_control_set(control);
}

static fsattn_status host_launch(fsattn_kernel *kernel, const fsattn_launch *launch, fsattn_stream stream,
                                 fsattn_err *err) {
    (void)stream;
    host_device *host = (host_device *)kernel->module->device;
    host_call call = {.arguments = launch->arguments};
    memcpy(&call.function, &kernel->native, sizeof call.function);
    if (launch->argument_bytes != sizeof(fsattn_host_args)) {
        return fsattn_fail(err, FSATTN_INVALID, "%s: %zu bytes of arguments, the host ABI has %zu", kernel->entry,
                           launch->argument_bytes, sizeof(fsattn_host_args));
    }
    if (launch->scratch) {
        for (int64_t item = launch->work_items; item-- > 0;) {
            memset(launch->scratch, 0xff, launch->scratch_bytes);
            run_item(&call, item, launch->scratch);
        }
    } else {
        fsattn_status status =
            fsattn_pool_run(host->pool, run_item, &call, launch->work_items, launch->scratch_bytes, err);
        if (status != FSATTN_OK) {
            return fsattn_context_add(err, status, "%s", kernel->entry);
        }
    }
    if (atomic_load(&call.control_changed)) {
        return fsattn_fail(err, FSATTN_DEVICE, "%s: changed the floating-point control bits", kernel->entry);
    }
    return FSATTN_OK;
}

const fsattn_backend fsattn_backend_host = {
    .name = "host",
    .device_bytes = sizeof(host_device),
    .module_bytes = sizeof(host_module),
    .open = host_open,
    .close = host_close,
    .module_load = host_module_load,
    .module_unload = host_module_unload,
    .kernel_get = host_kernel_get,
    .launch = host_launch,
};
