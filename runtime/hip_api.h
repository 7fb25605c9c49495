/* hip_api.h - the HIP runtime library, opened at run time.
 *
 * Declares the little of HIP's binary interface that is used, so that building needs no HIP headers and running needs no
 * ROCm. The numbers are those of HIP 6 and 7 on AMD (hip_runtime_api.h); a static assertion holds the struct in place.
 */
#ifndef FSATTN_HIP_API_H
#define FSATTN_HIP_API_H

#include "fsattn.h"

enum {
    hip_success = 0,
    hip_error_out_of_memory = 2,
    hip_error_no_device = 100,
    hip_error_no_binary_for_gpu = 209,
    hip_error_not_found = 500,
    hip_memcpy_default = 4, /* the direction follows from the pointers */
    hip_stream_non_blocking = 1,
};

/* Version of what this project's GPU kernels expect in their kernarg buffer. */
#define FSATTN_HIP_ABI 1

/* Values of the `extra` list of hipModuleLaunchKernel. */
#define HIP_EXTRA_BUFFER_POINTER ((void *)(uintptr_t)1)
#define HIP_EXTRA_BUFFER_SIZE ((void *)(uintptr_t)2)
#define HIP_EXTRA_END ((void *)(uintptr_t)3)

/* hipDeviceProp_tR0600: the fields that are read, at their offsets, and the whole size, which the library writes. */
typedef struct hip_device_properties {
    char name[256];
    char unused_a[388 - 256];
    int multiprocessor_count;
    char unused_b[616 - 392];
    int l2_cache_bytes;
    char unused_c[1160 - 620];
    char gcn_arch_name[256]; /* "gfx950:sramecc+:xnack-" */
    char unused_d[1472 - 1416];
} hip_device_properties;
_Static_assert(sizeof(hip_device_properties) == 1472, "layout of hipDeviceProp_tR0600");

typedef struct fsattn_hip_api {
    void *handle;
    const char *simulator; /* what the library exports as fsattn_sim_version: all that it says about time is modelled. NULL: hardware */
    const char *(*sim_last_error)(void); /* of a simulator: why this thread's last call failed, in more words than HIP's; may be NULL */
    const char *(*sim_facts)(void); /* of a simulator: which probed facts it goes by, "" for none; may be NULL */
    int (*pci_bus_id)(char *id, int bytes, int ordinal); /* hipDeviceGetPCIBusId; may be NULL */
    void (*sim_charge)(uint64_t groups); /* of a simulator: the next launch takes the time of so many workgroups; may be NULL */
#define ENTRY(result, name, parameters) result(*name) parameters;
#include "hip_api.def"
#undef ENTRY
} fsattn_hip_api;

/* `path` NULL: libamdhip64.so.7, then .so.6, then .so by the loader's rules. FSATTN_DEVICE in one line when there is none
 * or an entry point is missing. */
fsattn_status fsattn_hip_api_open(const char *path, fsattn_hip_api *api, fsattn_err *err);
void fsattn_hip_api_close(fsattn_hip_api *api);

/* Translates a hipError_t: FSATTN_OK for hipSuccess, else `what` with HIP's own text and number. */
fsattn_status fsattn_hip_api_check(const fsattn_hip_api *api, int error, const char *what, fsattn_err *err);

#endif
