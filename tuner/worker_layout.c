#include "worker.h"

#include <string.h>

enum { page = 4096 };

static size_t round_up(size_t bytes, size_t multiple) {
    return (bytes + multiple - 1) / multiple * multiple;
}

/* Canary page, then whole pages with the data at their end. Returns where the data begin. */
static size_t place(size_t bytes, size_t *segment) {
    *segment = page + round_up(bytes, page);
    return *segment - round_up(bytes, 64);
}

int64_t fsattn_worker_pitch(const fsattn_problem *problem, fsattn_worker_operand operand, bool padded) {
    static const int64_t padding[] = {[FSATTN_WORKER_Q] = 3, [FSATTN_WORKER_K] = 5, [FSATTN_WORKER_V] = 7, [FSATTN_WORKER_O] = 9};
    return problem->head_dim + (padded ? padding[operand] : 0);
}

int fsattn_worker_poison(unsigned n) {
    return n % 2 ? 0x5a : 0xff;
}

/* Four lanes of multiply and rotate over whole words; the rest as one word. */
static uint64_t digest_add(uint64_t digest, const char *data, size_t bytes) {
    const uint64_t factor = 0x9e3779b97f4a7c15u;
    uint64_t lanes[4] = {digest, digest + 1, digest + 2, digest + 3}, words[4];
    for (; bytes >= sizeof words; data += sizeof words, bytes -= sizeof words) {
        memcpy(words, data, sizeof words);
        for (int i = 0; i < 4; i++) {
            lanes[i] = (lanes[i] ^ words[i]) * factor;
            lanes[i] = lanes[i] << 29 | lanes[i] >> 35;
        }
    }
    memset(words, 0, sizeof words);
    memcpy(words, data, bytes);
    for (int i = 0; i < 4; i++) {
        digest = (digest ^ lanes[i] ^ words[i]) * factor;
        digest ^= digest >> 32;
    }
    return digest;
}

uint64_t fsattn_worker_digest(const void *lse, size_t lse_bytes, const void *o, size_t o_bytes) {
    return digest_add(digest_add(lse_bytes, lse, lse_bytes), o, o_bytes);
}

void fsattn_worker_layout_of(const fsattn_problem *p, bool padded, fsattn_worker_layout *layout) {
    fsattn_worker_layout l = {.pitch = fsattn_worker_pitch(p, FSATTN_WORKER_O, padded)};
    l.lse_bytes = p->lse ? (size_t)fsattn_problem_rows(p) * sizeof(float) : 0;
    l.o_bytes = (size_t)(fsattn_problem_rows(p) * l.pitch) * fsattn_dtype_bytes(p->dtype_o);
    l.o_strides = fsattn_strides_dense(p->layout, p->heads_q, p->s_q, l.pitch);
    l.lse_offset = place(l.lse_bytes, &l.lse_segment);
    l.o_offset = l.lse_segment + place(l.o_bytes, &l.o_segment);
    l.total = l.lse_segment + l.o_segment;
    *layout = l;
}
