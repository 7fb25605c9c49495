/* sim_hip_names.c - entry points that say the same as one of sim_hip.c in other words, or ask for one number.
 *
 * Nothing here holds state. Attributes that are not in the table are refused: a program must not take 0 for an answer. */
#include "sim_core.h"
#include "sim_hip.h"

#include <limits.h>

int hipMalloc(void **memory, size_t bytes);
int hipFree(void *memory);
int hipMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *on);
int hipMemset(void *to, int value, size_t bytes);
int hipStreamCreateWithFlags(void **handle, unsigned flags);
const char *hipGetErrorName(int error);
const char *hipGetErrorString(int error);

/* ---- memory ------------------------------------------------- */

HIP(hipMallocAsync, void **memory, size_t bytes, void *on) {
    (void)on;
    return hipMalloc(memory, bytes);
}
HIP(hipFreeAsync, void *memory, void *on) {
    (void)on;
    return hipFree(memory);
}
HIP(hipMemcpyHtoDAsync, void *to, const void *from, size_t bytes, void *on) {
    return hipMemcpyAsync(to, from, bytes, 1, on);
}
HIP(hipMemcpyDtoHAsync, void *to, const void *from, size_t bytes, void *on) {
    return hipMemcpyAsync(to, from, bytes, 2, on);
}
HIP(hipMemcpyDtoDAsync, void *to, const void *from, size_t bytes, void *on) {
    return hipMemcpyAsync(to, from, bytes, 3, on);
}
HIP(hipMemsetD8, void *to, unsigned char value, size_t count) { return hipMemset(to, value, count); }
HIP(hipStreamCreateWithPriority, void **handle, unsigned flags, int priority) {
    (void)priority;
    return hipStreamCreateWithFlags(handle, flags);
}

/* ---- questions -------------------------------------------------------------------------------------------- */

/* X(number in hipDeviceAttribute_t, value) */
#define ATTRIBUTE_LIST(X)                                                                                    \
    X(5, sim_cost_clock_mhz * 1000)                        /* ClockRate */                                   \
    X(8, 1)                                                /* ConcurrentKernels */                           \
    X(10, 0)                                               /* CooperativeLaunch */                           \
    X(16, 0)                                               /* Integrated */                                  \
    X(19, sim_cost_l2_bytes)                               /* L2CacheSize */                                 \
    X(23, 9)                                               /* ComputeCapabilityMajor */                      \
    X(24, 0)                                               /* ManagedMemory */                               \
    X(26, 1024)                                            /* MaxBlockDimX */                                \
    X(27, 1024)                                            /* MaxBlockDimY */                                \
    X(28, 1024)                                            /* MaxBlockDimZ */                                \
    X(29, INT_MAX)                                         /* MaxGridDimX */                                 \
    X(30, 65535)                                           /* MaxGridDimY */                                 \
    X(31, 65535)                                           /* MaxGridDimZ */                                 \
    X(56, 1024)                                            /* MaxThreadsPerBlock */                          \
    X(57, sim_cost_simds *sim_cost_simd_waves *sim_lanes)  /* MaxThreadsPerMultiProcessor */                 \
    X(61, 5)                                               /* ComputeCapabilityMinor */                      \
    X(63, sim_cost_compute_units)                          /* MultiprocessorCount */                         \
    X(71, 65536)                                           /* MaxRegistersPerBlock */                        \
    X(74, sim_lds_bytes_max)                               /* MaxSharedMemoryPerBlock */                     \
    X(75, sim_lds_bytes_max)                               /* SharedMemPerBlockOptin */                      \
    X(76, sim_lds_bytes_max)                               /* SharedMemPerMultiprocessor */                  \
    X(87, sim_lanes)                                       /* WarpSize */                                    \
    X(10002, sim_lds_bytes_max)                            /* MaxSharedMemoryPerMultiprocessor */
HIP(hipDeviceGetAttribute, int *value, int attribute, int device) {
    static const struct {
        int number, value;
    } rows[] = {
#define X(number, value) {number, value},
        ATTRIBUTE_LIST(X)
#undef X
    };
    for (size_t i = 0; value && !device && i < sizeof rows / sizeof *rows; i++) {
        if (rows[i].number == attribute) {
            *value = rows[i].value;
            return hip_success;
        }
    }
    return sim_hip_result(device ? hip_invalid_device : hip_invalid_value);
}
HIP(hipDeviceComputeCapability, int *major, int *minor, int device) {
    if (device || !major || !minor) {
        return sim_hip_result(device ? hip_invalid_device : hip_invalid_value);
    }
    *major = 9;
    *minor = 5;
    return hip_success;
}
HIP(hipDeviceTotalMem, size_t *bytes, int device) {
    return device || !bytes ? sim_hip_result(device ? hip_invalid_device : hip_invalid_value) : (*bytes = (size_t)288 << 30, hip_success);
}
HIP(hipDeviceGetStreamPriorityRange, int *least, int *greatest) {
    if (least) {
        *least = 0;
    }
    if (greatest) {
        *greatest = 0;
    }
    return hip_success;
}
HIP(hipDrvGetErrorName, int error, const char **name) { return name ? (*name = hipGetErrorName(error), hip_success) : sim_hip_result(hip_invalid_value); }
HIP(hipDrvGetErrorString, int error, const char **text) { return text ? (*text = hipGetErrorString(error), hip_success) : sim_hip_result(hip_invalid_value); }
