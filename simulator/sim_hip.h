/* sim_hip.h - what the files with HIP's entry points share: error numbers, the thread's last error, streams and what is done on them. */
#ifndef SIM_HIP_H
#define SIM_HIP_H

#include "sim_graph.h"

#include <stdatomic.h>

#define SIM_HIP_EXPORT __attribute__((visibility("default")))
/* Declares and opens the definition of an entry point. */
#define HIP(name, ...)                                                                                       \
    SIM_HIP_EXPORT int name(__VA_ARGS__);                                                                    \
    SIM_HIP_EXPORT int name(__VA_ARGS__)

/* X(NAME, number, symbol, text): the numbers of hip_runtime_api.h. */
#define SIM_HIP_ERROR_LIST(X)                                                                                \
    X(success, 0, hipSuccess, "no error")                                                                    \
    X(invalid_value, 1, hipErrorInvalidValue, "invalid argument")                                            \
    X(out_of_memory, 2, hipErrorOutOfMemory, "out of memory")                                                \
    X(invalid_configuration, 9, hipErrorInvalidConfiguration, "invalid configuration argument")              \
    X(invalid_device, 101, hipErrorInvalidDevice, "invalid device ordinal")                                  \
    X(invalid_image, 200, hipErrorInvalidImage, "device kernel image is invalid")                            \
    X(no_binary, 209, hipErrorNoBinaryForGpu, "no kernel image is available for execution on the device")    \
    X(file_not_found, 301, hipErrorFileNotFound, "file not found")                                           \
    X(invalid_handle, 400, hipErrorInvalidHandle, "invalid resource handle")                                 \
    X(illegal_state, 401, hipErrorIllegalState, "the operation cannot be performed in the present state")    \
    X(not_found, 500, hipErrorNotFound, "named symbol not found")                                            \
    X(not_ready, 600, hipErrorNotReady, "device not ready")                                                  \
    X(launch_failure, 719, hipErrorLaunchFailure, "unspecified launch failure")                              \
    X(not_supported, 801, hipErrorNotSupported, "operation not supported")                                   \
    X(capture_unsupported, 900, hipErrorStreamCaptureUnsupported, "operation not permitted when stream is capturing") \
    X(capture_invalidated, 901, hipErrorStreamCaptureInvalidated, "operation failed due to a previous error during capture") \
    X(capture_wrong_thread, 908, hipErrorStreamCaptureWrongThread, "attempt to terminate a thread-local capture sequence from another thread") \
    X(unknown, 999, hipErrorUnknown, "unknown error")
enum {
#define X(name, number, symbol, text) hip_##name = number,
    SIM_HIP_ERROR_LIST(X)
#undef X
};

typedef struct sim_capture sim_capture;

typedef struct sim_stream {
    _Atomic int failed; /* error that the next synchronization reports */
    _Atomic bool timed; /* an event has been recorded: launches are timed */
    _Atomic uint64_t clock_ps; /* modelled */
    _Atomic(sim_capture *) capture; /* commands go there instead of being done; NULL: done at once */
} sim_stream;

/* Keeps an error for hipGetLastError, and returns it. */
int sim_hip_result(int error);
/* The stream of a handle; NULL is the device's own. */
sim_stream *sim_hip_stream(void *handle);
/* Does a command now, on the stream's clock. */
int sim_hip_perform(sim_stream *s, const sim_command *command);
/* Does it, or keeps it when the stream is captured. */
int sim_hip_submit(sim_stream *s, const sim_command *command);

/* sim_capture.c: an error, kept, when the call that asks may not be made while something is captured; the capture is then lost. */
int sim_capture_forbids(const sim_stream *s); /* s: the stream that the call waits for, or NULL: it may wait for any */
int sim_capture_keep(sim_capture *capture, const sim_command *command);
void sim_capture_destroy(sim_capture *capture); /* accepts NULL */

#endif
