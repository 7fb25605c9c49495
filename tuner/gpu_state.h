/* gpu_state.h - in what state a GPU timed something: clock, power, partition mode, throttling, from what amdgpu tells in sysfs.
 *
 * Everything may be missing, and then is unknown: nothing here fails. The folder of sysfs is /sys, or the one that FSATTN_SYSFS names.
 * A log keeps one value for each timed run and hands them out as attributes of a record (gpu.clock_mhz, ...), which
 * fsattn-cache shows and exports. */
#ifndef FSATTN_GPU_STATE_H
#define FSATTN_GPU_STATE_H

#include "fsc.h"
#include "text.h"

typedef struct fsattn_gpu_state {
    double clock_mhz, power_w; /* below 0: unknown */
    char partition[32];        /* "SPX NPS1"; "": unknown */
    bool counts;               /* `throttle` sums up how long it was throttled since it started, instead of telling whether it is now */
    uint64_t throttle;         /* of gpu_metrics */
    int throttled;             /* since the state before: 1, 0, or -1: unknown */
} fsattn_gpu_state;

/* sysfs's folder of the GPU with that PCI bus id ("0000:c1:00.0"); "" for an empty id. */
void fsattn_gpu_state_folder(const char *pci, char *folder, size_t bytes);
/* `before`: the last state of this GPU, or NULL. An empty folder gives a state of which all is unknown. */
fsattn_gpu_state fsattn_gpu_state_read(const char *folder, const fsattn_gpu_state *before);

/* X(FIELD, attribute): sorted by attribute. */
#define FSATTN_GPU_STATE_LIST(X)                                                                             \
    X(CLOCK, "gpu.clock_mhz")                                                                                \
    X(PARTITION, "gpu.partition")                                                                            \
    X(POWER, "gpu.power_w")                                                                                  \
    X(THROTTLED, "gpu.throttled")
typedef enum fsattn_gpu_state_field {
#define X(name, attribute) FSATTN_GPU_STATE_##name,
    FSATTN_GPU_STATE_LIST(X)
#undef X
    fsattn_gpu_state_fields
} fsattn_gpu_state_field;

enum { fsattn_gpu_state_runs = 4096 }; /* of a log; later ones are left out */
typedef struct fsattn_gpu_state_log {
    fsattn_text fields[fsattn_gpu_state_fields];
    size_t count;
} fsattn_gpu_state_log;
/* Clock, power and throttling one value a run, "?" where unknown; of the partition what is new. Memory that is missing shows in the texts. */
void fsattn_gpu_state_note(fsattn_gpu_state_log *log, const fsattn_gpu_state *state);
void fsattn_gpu_state_fini(fsattn_gpu_state_log *log);
const char *fsattn_gpu_state_attribute(fsattn_gpu_state_field field);

#endif
