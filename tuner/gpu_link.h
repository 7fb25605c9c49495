/* gpu_link.h - a GPU device worker, seen from the tuner: started, asked, killed. Internal to evaluator_gpu.c and trial_gpu.c.
 *
 * What a worker does or fails to do is an outcome; an error means that no worker can be started. One thread.
 */
#ifndef FSATTN_GPU_LINK_H
#define FSATTN_GPU_LINK_H

#include "evaluator.h"
#include "gpu_worker.h"
#include "process.h"

/* Where and how workers run; strings are borrowed, NULL is none. */
typedef struct fsattn_gpu_link_settings {
    const char *worker; /* path of fsattn-gpu-worker */
    const char *device, *library, *helper, *root, *model; /* as in gpu_worker.h */
    double time_limit_s; /* of one request */
    const volatile sig_atomic_t *stop; /* nullable */
} fsattn_gpu_link_settings;

/* What a worker loads. */
typedef struct fsattn_gpu_link_code {
    fsattn_blob codes[fsattn_gpu_worker_codes];
    size_t code_count;
    const fsattn_gpu_chain *chain;
    const fsattn_stage *stages;
    const uint32_t *code_of; /* of each stage */
} fsattn_gpu_link_code;

typedef struct fsattn_gpu_link {
    const fsattn_gpu_link_settings *settings;
    fsattn_process process;
    int socket, memory;
    char *outputs; /* mapped */
    size_t output_bytes;
    bool dead;
    fsattn_gpu_worker_request *request;   /* the next one; device, chain and kernels stay */
    fsattn_gpu_worker_response *response; /* to the last one */
} fsattn_gpu_link;

/* Where the device's libamdhip64 is: the one that is named, else in $FSATTN_SIM_LIBRARY ("sim") or $FSATTN_HIP_LIBRARY, else the simulator
 * beside the programs or ROCm's in /opt/rocm; new string. NULL where it is the loader's to find, and for the host. */
fsattn_status fsattn_gpu_library(const char *device, const char *named, char **library, fsattn_err *err);
/* Starts a worker with `output_bytes` of outputs, opens the device and loads `code` (NULL: nothing). *outcome is OK or what
 * happened; after FSATTN_OK the link is closed by fsattn_gpu_link_close whatever the outcome. */
fsattn_status fsattn_gpu_link_open(const fsattn_gpu_link_settings *settings, const fsattn_gpu_link_code *code, size_t output_bytes,
                                   int64_t deadline_ns, fsattn_gpu_link *link, fsattn_outcome *outcome, fsattn_err *err);
void fsattn_gpu_link_close(fsattn_gpu_link *link);
/* Sends link->request, waits for link->response. Deadlines as in process.h. */
void fsattn_gpu_link_ask(fsattn_gpu_link *link, const char *doing, int64_t deadline_ns, fsattn_outcome *outcome);

#endif
