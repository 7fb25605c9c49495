/* tune_device.h - from a device's name ("host", "scripted:FILE") to its evaluator: one table row for each kind. */
#ifndef FSATTN_TUNE_DEVICE_H
#define FSATTN_TUNE_DEVICE_H

#include "evaluator.h"
#include "space.h"
#include "store.h"

#include <signal.h>

typedef struct fsattn_tune_device {
    const fsattn_space *space;
    const char *name; /* from the command line; NULL: the space's, whose files lie beside the space */
    fsattn_store *store;
    const char *templates; /* as given on the command line, or NULL */
    int jobs;
    double seconds; /* of the run; 0 or infinite: no limit */
    const volatile sig_atomic_t *stop;
    fsattn_warn *warn; /* or NULL */
    void *warn_data;
} fsattn_tune_device;

/* FSATTN_NOT_FOUND for an unknown device, with the nearest right one; a mistake of the space is reported at its place. */
fsattn_status fsattn_tune_device_open(const fsattn_tune_device *device, fsattn_evaluator **evaluator, fsattn_err *err);
/* What the device would compile for, without opening it for work. */
fsattn_status fsattn_tune_device_isa(const fsattn_tune_device *device, char isa[128], fsattn_err *err);
/* FSATTN_NO_MEMORY at the place of the first problem that takes more memory than the machine has to give now. */
fsattn_status fsattn_tune_device_fits(const fsattn_tune_device *device, const size_t *problems, size_t count, fsattn_err *err);

#endif
