/* device.h - the device layer: load code objects, launch kernels, move memory, measure time.
 *
 * Internal to the project: the runtime serves plans through it, the tuner's workers run candidates through it.
 * A back end is a function table (backend.h); this header is what callers see of all of them:
 *
 *   host   kernels of templates/lib/host_abi.h in shared objects, on a thread pool owned by the device
 *   hip    libamdhip64 by dlopen from the entry points in hip_api.def; the simulator is another such library
 *
 * Invariants: bytes of a code object are read once, hashed, checked, and loaded from a sealed memfd, so what was
 * checked is what runs. Nothing here decides whether bytes may be trusted: that is for whoever reads the file.
 * All functions may be called from any thread, several at once, unless they say otherwise; close and unload only when
 * nothing of the object is in use. Nothing prints. The layer refuses to isolate: a kernel that faults takes the process
 * along, which is why candidates run in child processes.
 */
#ifndef FSATTN_DEVICE_H
#define FSATTN_DEVICE_H

#include "fsattn.h"
#include "hash.h"

typedef struct fsattn_device fsattn_device;
typedef struct fsattn_module fsattn_module; /* one loaded code object */
typedef struct fsattn_kernel fsattn_kernel; /* one entry of a module, owned by it */
typedef struct fsattn_event fsattn_event;   /* a point in a stream's time */

/* What the device's streams are to a caller: hipStream_t on hip; ignored on host, where work is done when the call
 * returns. NULL is the default stream everywhere. */
typedef void *fsattn_stream;

typedef struct fsattn_device_options {
    const char *name;    /* "host", "hip" or "sim"; NULL means host */
    const char *library; /* hip: path of the libamdhip64 to load (sim needs it); NULL: by name from the loader's path */
    int ordinal;         /* hip: which GPU, 0 the first */
    int threads;         /* host: threads of a launch, the caller's included; 0: the cores usable by this process */
} fsattn_device_options;

typedef struct fsattn_device_properties {
    char name[128];  /* processor or GPU, for people and result keys */
    char isa[128];   /* host: fsattn_cpu_isa text; hip: "gfx950" with features as the driver says them */
    char driver[128]; /* host: "host"; hip: driver and runtime version */
    char pci[32];    /* hip: PCI bus id of the GPU, "0000:c1:00.0"; "" when there is none, as of the simulator's */
    int units;       /* host: threads of a launch; hip: compute units */
    size_t llc_bytes; /* last-level cache */
    uint32_t abi;    /* version of the kernel ABI: FSATTN_HOST_ABI on host */
    fsattn_provenance provenance; /* of every time that comes from this device */
} fsattn_device_properties;

/* One launch. On host `arguments` is a fsattn_host_args and `work_items` counts the calls; grid and block are unused.
 * On hip `arguments` is the kernarg buffer and grid counts blocks; work_items and scratch are unused. */
typedef struct fsattn_launch {
    const void *arguments; /* borrowed for the call */
    size_t argument_bytes;
    int64_t work_items;   /* host: items 0 .. work_items - 1 */
    size_t scratch_bytes; /* host: of each item's scratch, aligned to 64 bytes; pooled by the device, not cleared */
    void *scratch;        /* host: the caller's scratch instead, which a worker puts guard pages around; then only the
                             calling thread works, from the last item to the first, each on scratch full of NaN, so that whoever
                             counts on an order or on what another item left shows. NULL: pooled */
    uint32_t grid[3], block[3]; /* hip */
    uint32_t lds_bytes;         /* hip: dynamic LDS */
    uint64_t charged_groups;    /* a simulator takes the time of so many workgroups like those of the grid; 0: of the grid.
                                   Elsewhere without meaning */
} fsattn_launch;

/* FSATTN_NOT_FOUND for an unknown name (the nearest in the hint), FSATTN_DEVICE when there is no such device or
 * library, in one line. */
fsattn_status fsattn_device_open(const fsattn_device_options *options, fsattn_device **device, fsattn_err *err);
/* Unload modules first. Accepts NULL. */
void fsattn_device_close(fsattn_device *device);
/* Lives as long as the device. */
const fsattn_device_properties *fsattn_device_describe(const fsattn_device *device);

/* Loads a code object from memory; `name` stands in messages. The bytes are copied before they are checked.
 * `expected`, when not NULL, is the hash they must have: FSATTN_CORRUPT otherwise, before anything is parsed.
 * host: FSATTN_UNSUPPORTED or FSATTN_CORRUPT with the reason unless the bytes are a shared object for this machine with
 * no undefined symbols, constructors, needed libraries, text relocations or indirect functions, with every segment
 * inside the file and none both writable and executable. */
fsattn_status fsattn_module_load(fsattn_device *device, const char *name, const void *bytes, size_t size,
                                 const fsattn_hash *expected, fsattn_module **module, fsattn_err *err);
/* Accepts NULL. Kernels of the module become invalid. */
void fsattn_module_unload(fsattn_module *module);
const fsattn_hash *fsattn_module_hash(const fsattn_module *module);

/* FSATTN_NOT_FOUND when the module exports no such entry. The kernel lives as long as its module. */
fsattn_status fsattn_kernel_get(fsattn_module *module, const char *entry, fsattn_kernel **kernel, fsattn_err *err);

/* Runs a kernel. host: returns when all items are done; the calling thread takes part, items are handed out one by one;
 * allocates nothing once the pool's scratch is as large as asked. FSATTN_DEVICE when the kernel changed the control bits
 * of MXCSR (they are restored). hip: asynchronous on `stream`. */
fsattn_status fsattn_kernel_launch(fsattn_kernel *kernel, const fsattn_launch *launch, fsattn_stream stream,
                                   fsattn_err *err);

/* Device memory, aligned to at least 256 bytes, contents undefined. */
fsattn_status fsattn_device_allocate(fsattn_device *device, size_t bytes, void **memory, fsattn_err *err);
void fsattn_device_release(fsattn_device *device, void *memory); /* accepts NULL */
/* Copies between any two of host and device memory, in the order of `stream`; the source must stay until the stream has
 * been synchronized. */
fsattn_status fsattn_device_copy(fsattn_device *device, void *to, const void *from, size_t bytes,
                                 fsattn_stream stream, fsattn_err *err);

fsattn_status fsattn_stream_create(fsattn_device *device, fsattn_stream *stream, fsattn_err *err);
void fsattn_stream_destroy(fsattn_device *device, fsattn_stream stream); /* accepts NULL */
/* Waits for everything submitted to the stream, and reports a failure of it. */
fsattn_status fsattn_stream_synchronize(fsattn_device *device, fsattn_stream stream, fsattn_err *err);

fsattn_status fsattn_event_create(fsattn_device *device, fsattn_event **event, fsattn_err *err);
void fsattn_event_destroy(fsattn_event *event); /* accepts NULL */
fsattn_status fsattn_event_record(fsattn_event *event, fsattn_stream stream, fsattn_err *err);
/* Nanoseconds between two recorded events; waits for `stop`. host: CLOCK_MONOTONIC_RAW; hip: the device's clock. */
fsattn_status fsattn_event_elapsed(fsattn_event *start, fsattn_event *stop, double *time_ns, fsattn_err *err);

#endif
