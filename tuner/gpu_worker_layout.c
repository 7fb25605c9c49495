#include "gpu_worker.h"

#include "error.h"

enum { page = 4096 };

static size_t pages(size_t bytes) {
    return (bytes + page - 1) / page * page;
}

int64_t fsattn_gpu_worker_pitch(const fsattn_problem *problem, fsattn_gpu_worker_operand operand, bool padded) {
    static const int64_t behind[] = {
        [FSATTN_GPU_WORKER_Q] = 6, [FSATTN_GPU_WORKER_K] = 10, [FSATTN_GPU_WORKER_V] = 14, [FSATTN_GPU_WORKER_O] = 18};
    return problem->head_dim + (padded ? behind[operand] : 0);
}

fsattn_status fsattn_gpu_worker_layout_of(const fsattn_gpu_chain *chain, const fsattn_problem *problem, bool padded, bool packed,
                                          fsattn_gpu_worker_layout *layout, fsattn_err *err) {
    fsattn_gpu_worker_layout l = {.pitch = fsattn_gpu_worker_pitch(problem, FSATTN_GPU_WORKER_O, padded)};
    FSATTN_TRY(fsattn_gpu_workspace_of(chain, problem, &l.workspace, err));
    l.lse_bytes = problem->lse ? (size_t)fsattn_problem_rows(problem) * sizeof(float) : 0;
    l.o_bytes = (size_t)(fsattn_problem_rows(problem) * l.pitch) * fsattn_dtype_bytes(problem->dtype_o);
    l.o_strides = fsattn_strides_dense(problem->layout, problem->heads_q, problem->s_q, l.pitch);
    l.o_offset = pages(l.lse_bytes);
    l.workspace_offset = l.o_offset + pages(l.o_bytes);
    l.rollbacks_offset = l.workspace_offset + (packed ? pages(l.workspace.bytes) : 0);
    l.total = l.rollbacks_offset + page;
    *layout = l;
    return FSATTN_OK;
}
