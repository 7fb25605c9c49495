#include "gpu_worker.h"

#include "error.h"

fsattn_status fsattn_gpu_worker_layout_of(const fsattn_gpu_chain *chain, const fsattn_problem *problem, bool padded, bool packed,
                                          fsattn_gpu_worker_layout *layout, fsattn_err *err) {
    const size_t page = 4096;
    FSATTN_TRY(fsattn_gpu_workspace_of(chain, problem, &layout->workspace, err));
    fsattn_worker_layout_of(problem, padded, &layout->outputs);
    layout->workspace_offset = layout->outputs.total;
    layout->rollbacks_offset =
        layout->workspace_offset + (packed ? (layout->workspace.bytes + page - 1) / page * page : 0);
    layout->total = layout->rollbacks_offset + page;
    return FSATTN_OK;
}
