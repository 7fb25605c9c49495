#include "device.h"

#include "backend.h"
#include "error.h"
#include "file.h"
#include "memory.h"
#include "nearest.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

struct fsattn_event {
    fsattn_device *device;
    bool recorded;
    void *native;    /* of back ends with events of their own */
    int64_t time_ns; /* of the others */
};

static const fsattn_backend *const backends[] = {&fsattn_backend_host, &fsattn_backend_hip, &fsattn_backend_sim};
enum { backend_count = sizeof backends / sizeof backends[0] };

fsattn_status fsattn_device_open(const fsattn_device_options *options, fsattn_device **device, fsattn_err *err) {
    const char *name = options->name ? options->name : backends[0]->name;
    const char *names[backend_count];
    for (size_t i = 0; i < backend_count; i++) {
        names[i] = backends[i]->name;
        if (strcmp(name, names[i])) {
            continue;
        }
        fsattn_device *opened = fsattn_alloc(1, backends[i]->device_bytes);
        if (!opened) {
            return fsattn_fail(err, FSATTN_NO_MEMORY, "device %s: out of memory", name);
        }
        opened->backend = backends[i];
        fsattn_status status = backends[i]->open(opened, options, err);
        if (status != FSATTN_OK) {
            fsattn_free(opened);
            return fsattn_context_add(err, status, "device %s", name);
        }
        *device = opened;
        return FSATTN_OK;
    }
    fsattn_fail(err, FSATTN_NOT_FOUND, "device '%s': no such device", name);
    fsattn_nearest_hint(err, name, names, backend_count);
    return FSATTN_NOT_FOUND;
}

void fsattn_device_close(fsattn_device *device) {
    if (device) {
        device->backend->close(device);
        fsattn_free(device);
    }
}

const fsattn_device_properties *fsattn_device_describe(const fsattn_device *device) {
    return &device->properties;
}

/* ---- modules ------------------------------------------------------------------------------- */

static void image_close(fsattn_image *image) {
    if (image->bytes) {
        munmap((void *)image->bytes, image->size);
    }
    if (image->fd >= 0) {
        close(image->fd);
    }
}

/* The copy is made first: everything after it looks at bytes that nobody can change any more. */
static fsattn_status image_open(const char *name, const void *bytes, size_t size, fsattn_image *image,
                                fsattn_err *err) {
    *image = (fsattn_image){.fd = -1, .size = size};
    if (size == 0) {
        return fsattn_fail(err, FSATTN_CORRUPT, "%s: empty code object", name);
    }
    FSATTN_TRY(fsattn_memfd_sealed("fsattn-code", bytes, size, &image->fd, err));
    void *mapped = mmap(NULL, size, PROT_READ, MAP_PRIVATE, image->fd, 0);
    if (mapped == MAP_FAILED) {
        fsattn_status status = fsattn_fail_errno(err, errno, "%s: cannot map", name);
        image_close(image);
        return status;
    }
    image->bytes = mapped;
    return FSATTN_OK;
}

static void module_fini(fsattn_module *module) {
    while (module->kernels) {
        fsattn_kernel *kernel = module->kernels;
        module->kernels = kernel->next;
        fsattn_free(kernel->entry);
        fsattn_free(kernel);
    }
    image_close(&module->image);
    pthread_mutex_destroy(&module->lock);
    fsattn_free(module->name);
    fsattn_free(module);
}

/* A module with its image and nothing loaded yet. */
static fsattn_status module_init(fsattn_device *device, const char *name, const void *bytes, size_t size,
                                 fsattn_module **module, fsattn_err *err) {
    fsattn_module *made = fsattn_alloc(1, device->backend->module_bytes);
    if (!made || !(made->name = fsattn_strdup(name))) {
        fsattn_free(made);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", name);
    }
    fsattn_status status = image_open(name, bytes, size, &made->image, err);
    if (status != FSATTN_OK) {
        fsattn_free(made->name);
        fsattn_free(made);
        return status;
    }
    pthread_mutex_init(&made->lock, NULL);
    made->device = device;
    made->hash = fsattn_hash_of(made->image.bytes, made->image.size);
    *module = made;
    return FSATTN_OK;
}

fsattn_status fsattn_module_load(fsattn_device *device, const char *name, const void *bytes, size_t size,
                                 const fsattn_hash *expected, fsattn_module **module, fsattn_err *err) {
    fsattn_module *made = NULL;
    FSATTN_TRY(module_init(device, name, bytes, size, &made, err));
    fsattn_status status =
        expected && fsattn_hash_compare(&made->hash, expected)
            ? fsattn_fail(err, FSATTN_CORRUPT, "the bytes of the code object do not have their hash")
            : device->backend->module_load(made, err);
    if (status != FSATTN_OK) {
        fsattn_context_add(err, status, "%s", name);
        module_fini(made);
        return status;
    }
    *module = made;
    return FSATTN_OK;
}

void fsattn_module_unload(fsattn_module *module) {
    if (module) {
        module->device->backend->module_unload(module);
        module_fini(module);
    }
}

const fsattn_hash *fsattn_module_hash(const fsattn_module *module) {
    return &module->hash;
}

static fsattn_status kernel_make(fsattn_module *module, const char *entry, fsattn_kernel **kernel,
                                 fsattn_err *err) {
    void *native;
    fsattn_status status = module->device->backend->kernel_get(module, entry, &native, err);
    if (status != FSATTN_OK) {
        return fsattn_context_add(err, status, "%s", module->name);
    }
    fsattn_kernel *made = fsattn_alloc(1, sizeof *made);
    char *copy = fsattn_strdup(entry);
    if (!made || !copy) {
        fsattn_free(made);
        fsattn_free(copy);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", module->name);
    }
    *made = (fsattn_kernel){.module = module, .next = module->kernels, .entry = copy, .native = native};
    module->kernels = made;
    *kernel = made;
    return FSATTN_OK;
}

fsattn_status fsattn_kernel_get(fsattn_module *module, const char *entry, fsattn_kernel **kernel, fsattn_err *err) {
    fsattn_status status = FSATTN_OK;
    pthread_mutex_lock(&module->lock);
    fsattn_kernel *found = module->kernels;
    while (found && strcmp(found->entry, entry)) {
        found = found->next;
    }
    if (!found) {
        status = kernel_make(module, entry, &found, err);
    }
    pthread_mutex_unlock(&module->lock);
    if (status == FSATTN_OK) {
        *kernel = found;
    }
    return status;
}

fsattn_status fsattn_kernel_launch(fsattn_kernel *kernel, const fsattn_launch *launch, fsattn_stream stream,
                                   fsattn_err *err) {
    fsattn_status status = kernel->module->device->backend->launch(kernel, launch, stream, err);
    return status == FSATTN_OK ? status : fsattn_context_add(err, status, "%s", kernel->module->name);
}

/* ---- memory -------------------------------------------------------------------------------- */

fsattn_status fsattn_device_allocate(fsattn_device *device, size_t bytes, void **memory, fsattn_err *err) {
    if (device->backend->allocate) {
        return device->backend->allocate(device, bytes, memory, err);
    }
    void *made = fsattn_alloc_aligned(256, bytes, 1);
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "device %s: out of memory for %zu bytes", device->backend->name, bytes);
    }
    *memory = made;
    return FSATTN_OK;
}

void fsattn_device_release(fsattn_device *device, void *memory) {
    if (memory && device->backend->release) {
        device->backend->release(device, memory);
    } else {
        fsattn_free(memory);
    }
}

fsattn_status fsattn_device_copy(fsattn_device *device, void *to, const void *from, size_t bytes,
                                 fsattn_stream stream, fsattn_err *err) {
    if (device->backend->copy) {
        return device->backend->copy(device, to, from, bytes, stream, err);
    }
    memmove(to, from, bytes);
    return FSATTN_OK;
}

/* ---- streams and events -------------------------------------------------------------------- */

fsattn_status fsattn_stream_create(fsattn_device *device, fsattn_stream *stream, fsattn_err *err) {
    if (device->backend->stream_create) {
        return device->backend->stream_create(device, stream, err);
    }
    *stream = NULL;
    return FSATTN_OK;
}

void fsattn_stream_destroy(fsattn_device *device, fsattn_stream stream) {
    if (stream && device->backend->stream_destroy) {
        device->backend->stream_destroy(device, stream);
    }
}

fsattn_status fsattn_stream_synchronize(fsattn_device *device, fsattn_stream stream, fsattn_err *err) {
    return device->backend->stream_synchronize ? device->backend->stream_synchronize(device, stream, err)
                                               : FSATTN_OK;
}

fsattn_status fsattn_event_create(fsattn_device *device, fsattn_event **event, fsattn_err *err) {
    fsattn_event *made = fsattn_alloc(1, sizeof *made);
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "event: out of memory");
    }
    made->device = device;
    if (device->backend->event_create) {
        fsattn_status status = device->backend->event_create(device, &made->native, err);
        if (status != FSATTN_OK) {
            fsattn_free(made);
            return status;
        }
    }
    *event = made;
    return FSATTN_OK;
}

void fsattn_event_destroy(fsattn_event *event) {
    if (event && event->device->backend->event_destroy) {
        event->device->backend->event_destroy(event->device, event->native);
    }
    fsattn_free(event);
}

fsattn_status fsattn_event_record(fsattn_event *event, fsattn_stream stream, fsattn_err *err) {
    if (event->device->backend->event_record) {
        FSATTN_TRY(event->device->backend->event_record(event->device, event->native, stream, err));
    } else {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC_RAW, &now);
        event->time_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    }
    event->recorded = true;
    return FSATTN_OK;
}

fsattn_status fsattn_event_elapsed(fsattn_event *start, fsattn_event *stop, double *time_ns, fsattn_err *err) {
    if (!start->recorded || !stop->recorded || start->device != stop->device) {
        return fsattn_fail(err, FSATTN_INVALID, "event: both events must have been recorded on one device");
    }
    if (start->device->backend->event_elapsed) {
        return start->device->backend->event_elapsed(start->device, start->native, stop->native, time_ns, err);
    }
    *time_ns = (double)(stop->time_ns - start->time_ns);
    return FSATTN_OK;
}
