#include "worker.h"

enum { page = 4096 };

static size_t round_up(size_t bytes, size_t multiple) {
    return (bytes + multiple - 1) / multiple * multiple;
}

/* Canary page, then whole pages with the data at their end. Returns where the data begin. */
static size_t place(size_t bytes, size_t *segment) {
    *segment = page + round_up(bytes, page);
    return *segment - round_up(bytes, 64);
}

void fsattn_worker_layout_of(const fsattn_problem *p, bool padded, fsattn_worker_layout *layout) {
    fsattn_worker_layout l = {.pitch = p->head_dim + (padded ? fsattn_worker_padding : 0)};
    l.lse_bytes = p->lse ? (size_t)fsattn_problem_rows(p) * sizeof(float) : 0;
    l.o_bytes = (size_t)(fsattn_problem_rows(p) * l.pitch) * fsattn_dtype_bytes(p->dtype_o);
    l.o_strides = fsattn_strides_dense(p->layout, p->heads_q, p->s_q, l.pitch);
    l.lse_offset = place(l.lse_bytes, &l.lse_segment);
    l.o_offset = l.lse_segment + place(l.o_bytes, &l.o_segment);
    l.total = l.lse_segment + l.o_segment;
    *layout = l;
}
