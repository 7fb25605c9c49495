/* sim_hip.c - the simulator as a HIP runtime: the entry points of libamdhip64 that module programs use.
 *
 * One device. Streams are in order because every call does its work before it returns; a kernel's fault is the result of the launch and,
 * once more, of the next synchronization of its stream. The global state that HIP's ABI demands is in `runtime` and in the
 * thread's last error. A fault's message goes to stderr, as HIP's own do, unless FSATTN_SIM_QUIET is set, and stays readable
 * through fsattn_sim_last_error. */
#include "error.h"
#include "file.h"
#include "memory.h"
#include "sim_facts.h"
#include "sim_hip.h"
#include "sim_launch.h"
#include "sim_report.h"
#include "sim_sample.h"
#include "sim_timing.h"
#include "sim_written.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define EXPORT SIM_HIP_EXPORT

static const struct {
    int number;
    const char *symbol, *text;
} errors[] = {
#define X(name, number, symbol, text) {number, #symbol, text},
    SIM_HIP_ERROR_LIST(X)
#undef X
};

EXPORT extern const char fsattn_sim_version[];
const char fsattn_sim_version[] = "fsattn gfx950 simulator 2";

/* ---- state ------------------------------------------------------------------------------------------- */

enum { hip_version = 70253211, allocation_alignment = 4096 };

typedef struct event {
    _Atomic uint64_t clock_ps;
    _Atomic bool recorded;
} event;

static struct {
    sim_heap heap;
    sim_stream null_stream;
    sim_report_longest longest;
} runtime = {.heap = {.lock = PTHREAD_RWLOCK_INITIALIZER}, .longest = {.lock = PTHREAD_MUTEX_INITIALIZER}};

static _Thread_local int last_error;
static _Thread_local char last_message[sim_launch_message_bytes];

static int result(int error) {
    if (error) {
        last_error = error;
        last_message[0] = '\0';
    }
    return error;
}
int sim_hip_result(int error) { return result(error); }
static int fail(int error, const fsattn_err *err) {
    result(error);
    snprintf(last_message, sizeof last_message, "%s", err->message);
    if (!getenv("FSATTN_SIM_QUIET")) {
        fprintf(stderr, "fsattn simulator: %s%s%s\n", err->message, err->hint[0] ? "; " : "", err->hint);
    }
    return error;
}
static int error_of(fsattn_status status, const fsattn_err *err) {
    static const struct {
        fsattn_status status;
        int error;
    } rows[] = {{FSATTN_INVALID, hip_invalid_configuration}, {FSATTN_UNSUPPORTED, hip_no_binary},
                {FSATTN_CORRUPT, hip_invalid_image},         {FSATTN_NO_MEMORY, hip_out_of_memory},
                {FSATTN_NOT_FOUND, hip_not_supported},       {FSATTN_DEVICE, hip_launch_failure}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].status == status) {
            return fail(rows[i].error, err);
        }
    }
    return status == FSATTN_OK ? hip_success : fail(hip_unknown, err);
}
static sim_stream *stream_of(void *handle) {
    return handle ? handle : &runtime.null_stream;
}
sim_stream *sim_hip_stream(void *handle) { return stream_of(handle); }

/* Why the last call of this thread failed, in the simulator's words; "" when none has. */
EXPORT const char *fsattn_sim_last_error(void);
EXPORT const char *fsattn_sim_last_error(void) { return last_message; }

/* ---- errors, version, device ---------------------------------------------------------------------------- */

EXPORT const char *hipGetErrorString(int error);
EXPORT const char *hipGetErrorString(int error) {
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].number == error) {
            return errors[i].text;
        }
    }
    return "unknown error";
}
EXPORT const char *hipGetErrorName(int error);
EXPORT const char *hipGetErrorName(int error) {
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (errors[i].number == error) {
            return errors[i].symbol;
        }
    }
    return "hipErrorUnknown";
}
HIP(hipGetLastError, void) {
    const int error = last_error;
    last_error = hip_success;
    return error;
}
HIP(hipPeekAtLastError, void) { return last_error; }
/* "facts 0123abcd" when probed facts are in effect: they belong to what a result depends on. "" otherwise. */
EXPORT const char *fsattn_sim_facts(void);
EXPORT const char *fsattn_sim_facts(void) { return sim_facts_get()->file ? sim_facts_get()->file->identity : ""; }

/* The model of time that FSATTN_SIM_TIME asks for; *off: none. */
static fsattn_status read_model(sim_bound *bound, bool *off, fsattn_err *err) {
    const char *which = getenv("FSATTN_SIM_TIME");
    *off = which && !strcmp(which, "off");
    *bound = which && !strcmp(which, "optimistic") ? SIM_OPTIMISTIC : SIM_PESSIMISTIC;
    return !which || !*which || *off || *bound == SIM_OPTIMISTIC || !strcmp(which, "pessimistic")
               ? FSATTN_OK
               : fsattn_fail(err, FSATTN_INVALID, "FSATTN_SIM_TIME: expected pessimistic, optimistic or off, got '%.64s'", which);
}

/* Whether the facts and the model of time that were asked for can be used. */
static int settings_are_good(void) {
    sim_bound bound;
    bool off;
    fsattn_err err = {0};
    return sim_facts_check(&err) == FSATTN_OK && read_model(&bound, &off, &err) == FSATTN_OK ? hip_success : fail(hip_invalid_value, &err);
}
HIP(hipInit, unsigned flags) { return flags ? result(hip_invalid_value) : settings_are_good(); }
HIP(hipDriverGetVersion, int *version) { return version ? (*version = hip_version, hip_success) : result(hip_invalid_value); }
HIP(hipRuntimeGetVersion, int *version) { return version ? (*version = hip_version, hip_success) : result(hip_invalid_value); }
HIP(hipGetDeviceCount, int *count) { return count ? (*count = 1, hip_success) : result(hip_invalid_value); }
HIP(hipGetDevice, int *ordinal) { return ordinal ? (*ordinal = 0, hip_success) : result(hip_invalid_value); }
HIP(hipSetDevice, int ordinal) { return result(ordinal ? hip_invalid_device : hip_success); }
HIP(hipDeviceGet, int *device, int ordinal) { return ordinal ? result(hip_invalid_device) : (*device = 0, hip_success); }
HIP(hipDeviceGetName, char *name, int bytes, int device) {
    return device || bytes < 1 ? result(hip_invalid_device)
                               : (snprintf(name, (size_t)bytes, "AMD Instinct MI355X (simulated)"), hip_success);
}
HIP(hipDeviceSynchronize, void) {
    const int forbidden = sim_capture_forbids(NULL);
    return forbidden ? forbidden : result(atomic_exchange(&runtime.null_stream.failed, 0));
}
HIP(hipDeviceReset, void) { return hip_success; }

/* X(offset in hipDeviceProp_tR0600, type, value) */
#define PROPERTY_LIST(X)                                                                                     \
    X(288, uint64_t, UINT64_C(288) << 30) /* totalGlobalMem */                                               \
    X(296, uint64_t, sim_lds_bytes_max)   /* sharedMemPerBlock */                                            \
    X(304, int, 65536)                    /* regsPerBlock */                                                 \
    X(308, int, 64)                       /* warpSize */                                                     \
    X(320, int, 1024)                     /* maxThreadsPerBlock */                                           \
    X(324, int, 1024)                     /* maxThreadsDim */                                                \
    X(328, int, 1024)                                                                                        \
    X(332, int, 1024)                                                                                        \
    X(336, int, INT32_MAX)                /* maxGridSize */                                                  \
    X(340, int, 65535)                                                                                       \
    X(344, int, 65535)                                                                                       \
    X(348, int, sim_cost_clock_mhz * 1000)  /* clockRate */                                                 \
    X(360, int, 9)                        /* major */                                                        \
    X(364, int, 5)                        /* minor */                                                        \
    X(388, int, sim_cost_compute_units)    /* multiProcessorCount */                                          \
    X(616, int, 4 << 20)                  /* l2CacheSize */
HIP(hipGetDevicePropertiesR0600, unsigned char *properties, int ordinal) {
    enum { bytes = 1472, arch_at = 1160 };
    if (ordinal || !properties) {
        return result(ordinal ? hip_invalid_device : hip_invalid_value);
    }
    memset(properties, 0, bytes);
    snprintf((char *)properties, 256, "AMD Instinct MI355X (simulated)");
    snprintf((char *)properties + arch_at, 256, "gfx950:sramecc+:xnack-");
#define X(offset, type, value)                                                                               \
    {                                                                                                        \
        const type number = (type)(value);                                                                   \
        memcpy(properties + (offset), &number, sizeof number);                                               \
    }
    PROPERTY_LIST(X)
#undef X
    return hip_success;
}

/* ---- memory -------------------------------------------------------------------------------------------- */

/* Hardware's memory holds anything: a kernel that reads what nobody has written shall show it. */
static int allocate(void **memory, size_t bytes, bool watched) {
    if (!memory) {
        return result(hip_invalid_value);
    }
    *memory = NULL;
    const int forbidden = sim_capture_forbids(NULL);
    if (!bytes || forbidden) {
        return forbidden;
    }
    void *block = fsattn_alloc_aligned(allocation_alignment, bytes, 1);
    if (block && watched) {
        sim_sample_poison(block, bytes);
    }
    if (!block || (watched ? sim_heap_add_unwritten : sim_heap_add)(&runtime.heap, block, bytes, "hipMalloc") != FSATTN_OK) {
        fsattn_free(block);
        return result(hip_out_of_memory);
    }
    *memory = block;
    return hip_success;
}
HIP(hipMalloc, void **memory, size_t bytes) { return allocate(memory, bytes, sim_launch_options().check_undefined); }
HIP(hipFree, void *memory) {
    const int forbidden = memory ? sim_capture_forbids(NULL) : hip_success;
    if (!memory || forbidden) {
        return forbidden;
    }
    if (!sim_heap_remove(&runtime.heap, memory)) {
        return result(hip_invalid_value);
    }
    fsattn_free(memory);
    return hip_success;
}
HIP(hipHostMalloc, void **memory, size_t bytes, unsigned flags) {
    (void)flags;
    return allocate(memory, bytes, false);
}
HIP(hipHostFree, void *memory) { return hipFree(memory); }
HIP(hipMemGetInfo, size_t *available, size_t *total) {
    *total = (size_t)288 << 30;
    *available = (size_t)sysconf(_SC_AVPHYS_PAGES) * (size_t)sysconf(_SC_PAGESIZE);
    return hip_success;
}

/* A range that begins in device memory must end in it. *block: that memory; of other memory all counts as written. */
static bool range_is_good(const void *at, size_t bytes, sim_allocation *block) {
    *block = (sim_allocation){.base = (uintptr_t)at, .bytes = bytes};
    pthread_rwlock_rdlock(&runtime.heap.lock);
    const bool device = sim_heap_find(&runtime.heap, (uintptr_t)at, block);
    pthread_rwlock_unlock(&runtime.heap.lock);
    return at && (!device || bytes <= block->bytes - ((uintptr_t)at - block->base));
}
static int copy(void *to, const void *from, size_t bytes) {
    if (!bytes) {
        return hip_success;
    }
    sim_allocation target, source;
    if (!range_is_good(to, bytes, &target) || !range_is_good(from, bytes, &source)) {
        return result(hip_invalid_value);
    }
    memmove(to, from, bytes);
    sim_written_copy(target.written, (uintptr_t)to - target.base, source.written, (uintptr_t)from - source.base, bytes);
    return hip_success;
}
static int set(void *to, uint32_t value, unsigned width, size_t bytes) {
    sim_allocation target;
    if (!bytes) {
        return hip_success;
    }
    if (!range_is_good(to, bytes, &target)) {
        return result(hip_invalid_value);
    }
    for (size_t i = 0; width > 1 && i < bytes; i += width) {
        memcpy((char *)to + i, &value, width);
    }
    if (width == 1) {
        memset(to, (int)value, bytes);
    }
    sim_written_set(target.written, (uintptr_t)to - target.base, bytes);
    return hip_success;
}
/* A copy that is done before the call returns waits for the device. */
static int copy_now(void *to, const void *from, size_t bytes) {
    const int forbidden = sim_capture_forbids(NULL);
    return forbidden ? forbidden : copy(to, from, bytes);
}
static int set_now(void *to, uint32_t value, unsigned width, size_t bytes) {
    const int forbidden = sim_capture_forbids(NULL);
    return forbidden ? forbidden : set(to, value, width, bytes);
}
static int set_on(void *to, uint32_t value, unsigned width, size_t bytes, void *on) {
    const sim_command command = {.kind = SIM_COMMAND_SET, .to = to, .value = value, .width = width, .bytes = bytes};
    return sim_hip_submit(stream_of(on), &command);
}
HIP(hipMemcpy, void *to, const void *from, size_t bytes, int kind) { return kind < 0 || kind > 4 ? result(hip_invalid_value) : copy_now(to, from, bytes); }
HIP(hipMemcpyAsync, void *to, const void *from, size_t bytes, int kind, void *on) {
    const sim_command command = {.kind = SIM_COMMAND_COPY, .to = to, .from = from, .bytes = bytes};
    return kind < 0 || kind > 4 ? result(hip_invalid_value) : sim_hip_submit(stream_of(on), &command);
}
HIP(hipMemcpyHtoD, void *to, const void *from, size_t bytes) { return copy_now(to, from, bytes); }
HIP(hipMemcpyDtoH, void *to, const void *from, size_t bytes) { return copy_now(to, from, bytes); }
HIP(hipMemcpyDtoD, void *to, const void *from, size_t bytes) { return copy_now(to, from, bytes); }
HIP(hipMemset, void *to, int value, size_t bytes) { return set_now(to, (uint32_t)value, 1, bytes); }
HIP(hipMemsetAsync, void *to, int value, size_t bytes, void *on) { return set_on(to, (uint32_t)value, 1, bytes, on); }
/* Counts of 4 bytes, aligned to them. */
static int words_are_good(const void *to, size_t count) {
    return count > SIZE_MAX / 4 || (uintptr_t)to % 4 ? result(hip_invalid_value) : hip_success;
}
HIP(hipMemsetD32, void *to, int value, size_t count) {
    const int error = words_are_good(to, count);
    return error ? error : set_now(to, (uint32_t)value, 4, 4 * count);
}
HIP(hipMemsetD32Async, void *to, int value, size_t count, void *on) {
    const int error = words_are_good(to, count);
    return error ? error : set_on(to, (uint32_t)value, 4, 4 * count, on);
}

/* ---- streams and events: time is modelled ---------------------------------------------------------------- */

HIP(hipStreamCreateWithFlags, void **handle, unsigned flags) {
    sim_stream *made = flags > 1 ? NULL : fsattn_alloc(1, sizeof *made);
    if (!made) {
        return result(flags > 1 ? hip_invalid_value : hip_out_of_memory);
    }
    *handle = made;
    return hip_success;
}
HIP(hipStreamCreate, void **handle) { return hipStreamCreateWithFlags(handle, 0); }
HIP(hipStreamDestroy, void *handle) {
    if (!handle) {
        return result(hip_invalid_handle);
    }
    sim_capture_destroy(atomic_load(&stream_of(handle)->capture));
    fsattn_free(handle);
    return hip_success;
}
HIP(hipStreamSynchronize, void *handle) {
    const int forbidden = sim_capture_forbids(stream_of(handle));
    return forbidden ? forbidden : result(atomic_exchange(&stream_of(handle)->failed, 0));
}
HIP(hipStreamQuery, void *handle) { return hipStreamSynchronize(handle); }
HIP(hipStreamWaitEvent, void *handle, void *what, unsigned flags) {
    (void)flags;
    sim_stream *s = stream_of(handle);
    if (atomic_load(&s->capture)) { /* a graph here is a sequence */
        sim_capture_forbids(s);
        return result(hip_not_supported);
    }
    const uint64_t then = what ? atomic_load(&((event *)what)->clock_ps) : 0;
    atomic_store(&s->timed, true);
    if (then > atomic_load(&s->clock_ps)) {
        atomic_store(&s->clock_ps, then);
    }
    return what ? hip_success : result(hip_invalid_handle);
}
HIP(hipEventCreateWithFlags, void **handle, unsigned flags) {
    (void)flags;
    event *made = fsattn_alloc(1, sizeof *made);
    return made ? (*handle = made, hip_success) : result(hip_out_of_memory);
}
HIP(hipEventCreate, void **handle) { return hipEventCreateWithFlags(handle, 0); }
HIP(hipEventDestroy, void *handle) { return handle ? (fsattn_free(handle), hip_success) : result(hip_invalid_handle); }
HIP(hipEventRecord, void *handle, void *on) {
    event *e = handle;
    if (!e) {
        return result(hip_invalid_handle);
    }
    if (atomic_load(&stream_of(on)->capture)) { /* a place in the graph, at which there is no time yet */
        return hip_success;
    }
    atomic_store(&stream_of(on)->timed, true);
    atomic_store(&e->clock_ps, atomic_load(&stream_of(on)->clock_ps));
    atomic_store(&e->recorded, true);
    return hip_success;
}
HIP(hipEventSynchronize, void *handle) { return result(handle ? hip_success : hip_invalid_handle); }
HIP(hipEventQuery, void *handle) { return result(handle ? hip_success : hip_invalid_handle); }
HIP(hipEventElapsedTime, float *milliseconds, void *start, void *stop) {
    event *a = start, *b = stop;
    if (!milliseconds || !a || !b || !atomic_load(&a->recorded) || !atomic_load(&b->recorded)) {
        return result(hip_invalid_handle);
    }
    const double ps = (double)atomic_load(&b->clock_ps) - (double)atomic_load(&a->clock_ps);
    *milliseconds = (float)(ps * 1e-9);
    return hip_success;
}

/* ---- modules ------------------------------------------------------------------------------------------- */

HIP(hipModuleLoadData, void **module, const void *image) {
    fsattn_err err = {0};
    sim_module *opened;
    const int facts = settings_are_good();
    if (!module || !image || facts) {
        return facts ? facts : result(hip_invalid_value);
    }
    const int forbidden = sim_capture_forbids(NULL);
    if (forbidden) {
        return forbidden;
    }
    const size_t bytes = sim_module_bytes(image);
    if (!bytes) {
        fsattn_fail(&err, FSATTN_CORRUPT, "code object: neither an ELF file nor an offload bundle");
        return fail(hip_invalid_image, &err);
    }
    const fsattn_status status = sim_module_open(&runtime.heap, "code object", image, bytes, &opened, &err);
    if (status == FSATTN_OK) {
        *module = opened;
    }
    return error_of(status, &err);
}
HIP(hipModuleLoadDataEx, void **module, const void *image, unsigned count, void *options, void **values) {
    (void)count;
    (void)options;
    (void)values;
    return hipModuleLoadData(module, image);
}
HIP(hipModuleLoad, void **module, const char *path) {
    char *data;
    size_t bytes;
    fsattn_err err;
    if (fsattn_file_read(path, (size_t)1 << 30, &data, &bytes, &err) != FSATTN_OK) {
        return fail(hip_file_not_found, &err);
    }
    const int error = bytes < 64 ? result(hip_invalid_image) : hipModuleLoadData(module, data);
    fsattn_free(data);
    return error;
}
HIP(hipModuleUnload, void *module) { return module ? (sim_module_close(module), hip_success) : result(hip_invalid_handle); }
HIP(hipModuleGetFunction, void **function, void *module, const char *name) {
    if (!function || !module || !name) {
        return result(hip_invalid_value);
    }
    const sim_kernel *kernel = sim_module_kernel(module, name);
    return kernel ? (*function = (void *)(uintptr_t)kernel, hip_success) : result(hip_not_found);
}
HIP(hipModuleGetGlobal, void **address, size_t *bytes, void *module, const char *name) {
    size_t found_bytes;
    void *found;
    if (!module || !name) {
        return result(hip_invalid_value);
    }
    if (!sim_module_variable(module, name, &found, &found_bytes)) {
        return result(hip_not_found);
    }
    if (address) {
        *address = found;
    }
    if (bytes) {
        *bytes = found_bytes;
    }
    return hip_success;
}

/* hipFunction_attribute by number: what each is of a kernel. */
HIP(hipFuncGetAttribute, int *value, int attribute, void *function) {
    const sim_kernel *kernel = function;
    if (!value || !kernel) {
        return result(hip_invalid_value);
    }
    const int values[] = {(int)kernel->info->threads_max, (int)kernel->info->lds_bytes, 0, (int)kernel->info->scratch_bytes,
                          (int)kernel->info->vgprs,       0,                            0, 0,
                          sim_lds_bytes_max - (int)kernel->info->lds_bytes, 0};
    if (attribute < 0 || attribute >= (int)(sizeof values / sizeof *values)) {
        return result(hip_invalid_value);
    }
    *value = values[attribute];
    return hip_success;
}
HIP(hipFuncSetAttribute, const void *function, int attribute, int value) {
    (void)attribute;
    (void)value;
    return result(function ? hip_success : hip_invalid_value);
}
HIP(hipModuleOccupancyMaxActiveBlocksPerMultiprocessor, int *blocks, void *function, int block, size_t lds_bytes) {
    const sim_kernel *kernel = function;
    if (!blocks || !kernel || block < 1) {
        return result(hip_invalid_value);
    }
    *blocks = (int)sim_timing_resident(kernel->info, ((uint32_t)block + sim_lanes - 1) / sim_lanes, kernel->info->lds_bytes + lds_bytes);
    return hip_success;
}

/* ---- launches ------------------------------------------------------------------------------------------ */

/* The explicit arguments, from a list of pointers, laid out as the metadata says. False when they cannot be. */
static bool gather(const fsattn_code_kernel *info, void **parameters, unsigned char *buffer) {
    size_t next = 0;
    for (size_t i = 0; i < info->argument_count; i++) {
        const fsattn_code_argument *a = &info->arguments[i];
        if (!strncmp(a->kind, "hidden_", 7)) {
            continue;
        }
        if (a->offset > info->kernarg_bytes || a->bytes > info->kernarg_bytes - a->offset || !parameters[next]) {
            return false;
        }
        memcpy(buffer + a->offset, parameters[next++], a->bytes);
    }
    return true;
}
static bool take_extra(void **extra, const void **buffer, size_t *bytes) {
    for (size_t i = 0; (uintptr_t)extra[i] != 3; i += 2) {
        if ((uintptr_t)extra[i] == 1) {
            *buffer = extra[i + 1];
        } else if ((uintptr_t)extra[i] == 2) {
            *bytes = *(const size_t *)extra[i + 1];
        } else {
            return false;
        }
    }
    return *buffer || !*bytes;
}

/* The next launch of this thread runs its own workgroups and takes the time of so many like them: a sample stands for a grid. */
static _Thread_local uint64_t charged_groups;
EXPORT void fsattn_sim_charge(uint64_t groups);
EXPORT void fsattn_sim_charge(uint64_t groups) { charged_groups = groups; }

static int launch_now(sim_stream *s, const sim_launch *launch) {
    sim_options options = sim_launch_options();
    sim_result done = {0};
    fsattn_err err = {0};
    sim_bound bound;
    bool off;
    if (read_model(&bound, &off, &err) != FSATTN_OK) {
        return fail(hip_invalid_value, &err);
    }
    sim_report report = sim_report_wanted(launch->kernel->info->name);
    options.sample = report.other ? 0 : options.sample;
    options.time = (atomic_load(&s->timed) || report.text || report.trace) && !off;
    options.timeline = report.trace ? &report.timeline : NULL;
    options.bound = bound;
    const int error = error_of(sim_launch_run(&runtime.heap, launch, &options, &done, &err), &err);
    if (done.timed) {
        atomic_fetch_add(&s->clock_ps, (uint64_t)(done.timing.cycles[bound] * 1e6 / sim_cost_clock_mhz));
        sim_report_write(&report, &runtime.longest, launch, &done, bound);
    }
    sim_report_fini(&report);
    if (error == hip_launch_failure) {
        atomic_store(&s->failed, error);
    }
    return error;
}
int sim_hip_perform(sim_stream *s, const sim_command *c) {
    switch (c->kind) {
    case SIM_COMMAND_LAUNCH:
        return launch_now(s, &c->launch);
    case SIM_COMMAND_COPY:
        return copy(c->to, c->from, c->bytes);
    case SIM_COMMAND_SET:
        return set(c->to, c->value, c->width, c->bytes);
    }
    return result(hip_unknown);
}
int sim_hip_submit(sim_stream *s, const sim_command *c) {
    sim_capture *capture = atomic_load(&s->capture);
    return capture ? sim_capture_keep(capture, c) : sim_hip_perform(s, c);
}

HIP(hipModuleLaunchKernel, void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
    unsigned block_z, unsigned lds_bytes, void *on, void **parameters, void **extra) {
    const sim_kernel *kernel = function;
    sim_command command = {.launch = {kernel, {grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, lds_bytes, NULL, 0, charged_groups}};
    sim_launch *launch = &command.launch;
    charged_groups = 0;
    if (!kernel) {
        return result(hip_invalid_handle);
    }
    unsigned char *buffer = fsattn_alloc(kernel->info->kernarg_bytes + 1u, 1);
    int error = !buffer                                                          ? hip_out_of_memory
                : parameters && extra                                            ? hip_invalid_value
                : extra && !take_extra(extra, &launch->arguments, &launch->argument_bytes) ? hip_invalid_value
                : parameters && !gather(kernel->info, parameters, buffer)        ? hip_invalid_value
                                                                                 : hip_success;
    if (parameters) {
        launch->arguments = buffer;
        launch->argument_bytes = kernel->info->kernarg_bytes;
    }
    error = error ? result(error) : sim_hip_submit(stream_of(on), &command);
    fsattn_free(buffer);
    return error;
}
