/* gpu_worker.h - what passes between the tuner and a GPU device worker (program fsattn-gpu-worker).
 *
 * As worker.h, with these differences. Descriptors: 3, a SOCK_SEQPACKET socket; 4, a memfd for outputs; 5 and 6, sealed code
 * objects. The memfd holds LSE, O, the workspace as the quantizers left it, then the number of
 * rollbacks: the tuner judges every step from these bytes. The worker copies outputs (with the poison that the tuner put there)
 * to the device before a run and back after it. Operands are allocated exactly as long as they are, which the simulator checks.
 */
#ifndef FSATTN_GPU_WORKER_H
#define FSATTN_GPU_WORKER_H

#include "gpu_chain.h"
#include "gpu_state.h"
#include "inputs.h"

enum { fsattn_gpu_worker_magic = 0x66736731, fsattn_gpu_worker_runs = 32, fsattn_gpu_worker_codes = 2, fsattn_gpu_worker_path = 512 };

typedef enum fsattn_gpu_worker_kind {
    FSATTN_GPU_WORKER_OPEN, /* the device; answers what it is */
    FSATTN_GPU_WORKER_LOAD, /* code objects and entries */
    FSATTN_GPU_WORKER_RUN,  /* inputs as described, the whole chain, `runs` times */
} fsattn_gpu_worker_kind;

typedef struct fsattn_gpu_worker_request {
    uint32_t magic;
    fsattn_gpu_worker_kind kind;
    /* OPEN. An empty path is none. */
    char device[16];
    char library[fsattn_gpu_worker_path]; /* libamdhip64 */
    char helper[fsattn_gpu_worker_path];  /* the simulator's disassembler */
    char root[fsattn_gpu_worker_path];    /* ROCm for it */
    char cache[fsattn_gpu_worker_path];   /* its texts */
    char model[16];                       /* of the simulator's time: FSATTN_SIM_TIME */
    int32_t threads;                      /* of the simulator; 0: all cores */
    /* LOAD and RUN */
    fsattn_gpu_chain chain;
    struct {
        char entry[64];
        uint32_t code; /* 0 or 1: which descriptor */
    } kernels[fsattn_gpu_stage_limit];
    /* RUN */
    fsattn_problem problem;
    fsattn_problem charged; /* a simulator takes the time of this problem's grids; equal to `problem` for its own */
    fsattn_distribution distribution;
    uint64_t seed;
    bool timed; /* without it no times are taken, which the simulator's model is spared */
    bool padded, cold, packed; /* padded: rows lie apart (fsattn_gpu_worker_pitch); packed: the workspace is copied out */
    uint32_t runs;
} fsattn_gpu_worker_request;

typedef struct fsattn_gpu_worker_response {
    uint32_t magic;
    fsattn_status status;
    char reason[480];
    fsattn_device_properties device; /* OPEN */
    uint32_t count;
    double times_ns[fsattn_gpu_worker_runs];
    double stage_ns[fsattn_gpu_stage_limit]; /* of the last run */
    fsattn_gpu_state states[fsattn_gpu_worker_runs]; /* measured: as each of the runs was under way */
} fsattn_gpu_worker_response;

/* Where outputs and workspace lie in the memfd. */
typedef struct fsattn_gpu_worker_layout {
    size_t lse_offset, o_offset, lse_bytes, o_bytes; /* lse_bytes 0 when the problem has none */
    int64_t pitch;                                   /* elements of O from one row of head_dim to the next */
    fsattn_strides o_strides;
    fsattn_gpu_workspace workspace;
    size_t workspace_offset, rollbacks_offset;
    size_t total;
} fsattn_gpu_worker_layout;
/* `packed` as in the request: without it the workspace takes no room. */
fsattn_status fsattn_gpu_worker_layout_of(const fsattn_gpu_chain *chain, const fsattn_problem *problem, bool padded, bool packed,
                                          fsattn_gpu_worker_layout *layout, fsattn_err *err);

typedef enum fsattn_gpu_worker_operand { FSATTN_GPU_WORKER_Q, FSATTN_GPU_WORKER_K, FSATTN_GPU_WORKER_V, FSATTN_GPU_WORKER_O } fsattn_gpu_worker_operand;
/* Elements from one row to the next. Padded ones are all different, and aligned to what kernels may count on (4 bytes) and not more. */
int64_t fsattn_gpu_worker_pitch(const fsattn_problem *problem, fsattn_gpu_worker_operand operand, bool padded);

#endif
