/* backend.h - what a device back end implements; included by device.c and the back ends only.
 *
 * A back end is one constant table. Slots marked optional may be NULL; each states what happens then. Slots are called
 * with arguments that device.c has checked: no NULL objects, events recorded, objects of this device.
 */
#ifndef FSATTN_BACKEND_H
#define FSATTN_BACKEND_H

#include "device.h"

#include <pthread.h>

typedef struct fsattn_backend fsattn_backend;

/* A code object in a sealed memfd, mapped read-only. */
typedef struct fsattn_image {
    int fd;
    const void *bytes;
    size_t size;
} fsattn_image;

/* Back ends put these first in their own structs. */
struct fsattn_device {
    const fsattn_backend *backend;
    fsattn_device_properties properties;
};

struct fsattn_module {
    fsattn_device *device;
    fsattn_hash hash;
    char *name; /* for messages */
    fsattn_image image;
    pthread_mutex_t lock; /* guards `kernels` */
    fsattn_kernel *kernels;
};

struct fsattn_kernel {
    fsattn_module *module;
    fsattn_kernel *next;
    char *entry;
    void *native; /* host: the function; hip: hipFunction_t */
};

struct fsattn_backend {
    const char *name;
    size_t device_bytes, module_bytes; /* of its structs */

    /* `device` is zeroed with `backend` set; fills in `properties`. Undone by close only when it succeeded. */
    fsattn_status (*open)(fsattn_device *device, const fsattn_device_options *options, fsattn_err *err);
    void (*close)(fsattn_device *device);

    /* `module` has the common part set; its image stays until after unload. */
    fsattn_status (*module_load)(fsattn_module *module, fsattn_err *err);
    void (*module_unload)(fsattn_module *module);
    /* The native kernel of an entry. */
    fsattn_status (*kernel_get)(fsattn_module *module, const char *entry, void **native, fsattn_err *err);
    fsattn_status (*launch)(fsattn_kernel *kernel, const fsattn_launch *launch, fsattn_stream stream,
                            fsattn_err *err);

    /* Optional together: the process's memory, aligned to 256 bytes. */
    fsattn_status (*allocate)(fsattn_device *device, size_t bytes, void **memory, fsattn_err *err);
    void (*release)(fsattn_device *device, void *memory);
    /* Optional: memmove. */
    fsattn_status (*copy)(fsattn_device *device, void *to, const void *from, size_t bytes, fsattn_stream stream,
                          fsattn_err *err);

    /* Optional together: work is done when a call returns, the only stream is NULL. */
    fsattn_status (*stream_create)(fsattn_device *device, fsattn_stream *stream, fsattn_err *err);
    void (*stream_destroy)(fsattn_device *device, fsattn_stream stream);
    fsattn_status (*stream_synchronize)(fsattn_device *device, fsattn_stream stream, fsattn_err *err);

    /* Optional together: CLOCK_MONOTONIC_RAW when the event is recorded. */
    fsattn_status (*event_create)(fsattn_device *device, void **native, fsattn_err *err);
    void (*event_destroy)(fsattn_device *device, void *native);
    fsattn_status (*event_record)(fsattn_device *device, void *native, fsattn_stream stream, fsattn_err *err);
    fsattn_status (*event_elapsed)(fsattn_device *device, void *start, void *stop, double *time_ns,
                                   fsattn_err *err);
};

extern const fsattn_backend fsattn_backend_host;
extern const fsattn_backend fsattn_backend_hip;
extern const fsattn_backend fsattn_backend_sim; /* hip, with a library that must be named */

#endif
