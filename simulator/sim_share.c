#include "sim_share.h"

#include "memory.h"

#include <stdatomic.h>

enum { page_bytes = 4096, page_words = page_bytes / 4, readers = 2 };
enum { chunk_segments = 256, chunks_max = 18 }; /* of the first chunk; each has twice as many as the one before */

static const char out_of_memory[] = "out of memory for what workgroups share";

/* A stretch of a workgroup's time between two of its releases. */
typedef struct segment {
    uint64_t group;           /* place in the grid */
    _Atomic uint64_t released; /* the share's clock when it ended with a release; 0: it has not */
} segment;

/* Who touched a word or a byte: numbers of segments and one more, 0 nobody. */
typedef struct cell {
    _Atomic uint32_t writer, reader[readers];
} cell;
typedef struct page {
    cell words[page_words];
    _Atomic(cell *) bytes; /* of accesses to parts of words; NULL: there was none */
} page;
typedef _Atomic(page *) page_slot;

struct sim_share {
    const sim_heap *heap;
    uint32_t grid[3];
    _Atomic uint64_t clock; /* one more with each release and each acquisition */
    _Atomic uint32_t segment_count;
    _Atomic(segment *) chunks[chunks_max];
    size_t block_count;
    _Atomic(page_slot *) blocks[]; /* pages of each block of the heap */
};

sim_share *sim_share_start(const sim_heap *heap, const uint32_t grid[3]) {
    sim_share *s = fsattn_alloc(1, sizeof *s + heap->count * sizeof s->blocks[0]);
    if (s) {
        s->heap = heap;
        s->block_count = heap->count;
        memcpy(s->grid, grid, sizeof s->grid);
    }
    return s;
}

void sim_share_finish(sim_share *s) {
    for (size_t i = 0; s && i < s->block_count; i++) {
        page_slot *pages = atomic_load(&s->blocks[i]);
        for (size_t k = 0; pages && k <= s->heap->blocks[i].bytes / page_bytes; k++) {
            page *p = atomic_load(&pages[k]);
            if (p) {
                fsattn_free(atomic_load(&p->bytes));
                fsattn_free(p);
            }
        }
        fsattn_free(pages);
    }
    for (size_t i = 0; s && i < chunks_max; i++) {
        fsattn_free(atomic_load(&s->chunks[i]));
    }
    fsattn_free(s);
}

/* What the slot holds, made where nobody has: `made` is given up when another thread was first. */
#define TAKE(slot, make)                                                                                     \
    __extension__({                                                                                          \
        __typeof__(make) found_ = atomic_load(slot);                                                         \
        if (!found_) {                                                                                       \
            __typeof__(make) made_ = make;                                                                   \
            if (made_ && atomic_compare_exchange_strong(slot, &found_, made_)) {                             \
                found_ = made_;                                                                              \
            } else {                                                                                         \
                fsattn_free(made_);                                                                          \
            }                                                                                                \
        }                                                                                                    \
        found_;                                                                                              \
    })

/* ---- segments ---------------------------------------------------------------------------------------------- */

typedef struct place {
    unsigned chunk;
    uint32_t at, count;
} place;
static place place_of(uint32_t index) {
    const unsigned chunk = 31u - (unsigned)__builtin_clz(index / chunk_segments + 1);
    return (place){chunk, index - chunk_segments * ((1u << chunk) - 1), (uint32_t)chunk_segments << chunk};
}
static segment *segment_of(const sim_share *s, uint32_t number) {
    const place p = place_of(number - 1);
    return &atomic_load(&s->chunks[p.chunk])[p.at];
}

/* False when there is no room for one more. */
static bool begin_segment(sim_share *s, sim_group *g, uint64_t group) {
    const uint32_t index = atomic_fetch_add(&s->segment_count, 1);
    const place p = place_of(index);
    segment *chunk = p.chunk < chunks_max ? TAKE(&s->chunks[p.chunk], (segment *)fsattn_alloc(p.count, sizeof(segment))) : NULL;
    if (chunk) {
        chunk[p.at].group = group;
        g->segment = index + 1;
        g->segment_used = false;
    }
    return chunk != NULL;
}
bool sim_share_enter(sim_share *s, sim_group *g) {
    g->acquired = 0;
    g->share_block = SIZE_MAX;
    return begin_segment(s, g, g->id[0] + (uint64_t)s->grid[0] * (g->id[1] + (uint64_t)s->grid[1] * g->id[2]));
}
void sim_share_release(sim_wave *wave, const sim_instruction *in) {
    sim_group *g = wave->group;
    segment *mine = segment_of(wave->share, g->segment);
    if (!g->segment_used) {
        return; /* there is nothing in it yet */
    }
    atomic_store(&mine->released, atomic_fetch_add(&wave->share->clock, 1) + 1);
    if (!begin_segment(wave->share, g, mine->group)) {
        sim_fault(wave, in, -1, "no room for what workgroups share: %d releases", chunk_segments << chunks_max);
    }
}
void sim_share_acquire(sim_wave *wave) { wave->group->acquired = atomic_fetch_add(&wave->share->clock, 1) + 1; }

/* Whether what was done in the segment may not be touched by the workgroup. */
static bool apart(const sim_wave *w, uint32_t number) {
    const sim_group *g = w->group;
    if (!number || number == g->segment) {
        return false;
    }
    const segment *other = segment_of(w->share, number);
    const uint64_t released = atomic_load(&other->released);
    return other->group != segment_of(w->share, g->segment)->group && !(released && g->acquired > released);
}

/* ---- cells ------------------------------------------------------------------------------------------------- */

typedef struct touching {
    sim_wave *wave;
    const sim_instruction *in;
    const sim_allocation *block;
    int lane; /* the first one, -1: the wave; those behind it go on where it ends */
    unsigned bytes_each;
    size_t first, offset; /* of its access; of the word or byte looked at */
    bool writes;
} touching;

static bool refuse(const touching *t, uint32_t number, const char *did) {
    const sim_share *s = t->wave->share;
    const uint64_t other = segment_of(s, number)->group;
    sim_fault(t->wave, t->in, t->lane < 0 ? -1 : t->lane + (int)((t->offset - t->first) / t->bytes_each),
              "race in device memory: %s offset %zu of a block of %zu bytes (%s), which workgroup (%llu, %llu, %llu) has %s in the same launch: "
              "no release of that one's and acquisition of this one's lies between",
              t->writes ? "writes" : "reads", t->offset, t->block->bytes, t->block->owner, (unsigned long long)(other % s->grid[0]),
              (unsigned long long)(other / s->grid[0] % s->grid[1]), (unsigned long long)(other / s->grid[0] / s->grid[1]), did);
    return false;
}

/* Against what others have noted there. */
static bool check(const touching *t, const cell *c) {
    const uint32_t writer = atomic_load(&c->writer);
    if (apart(t->wave, writer)) {
        return refuse(t, writer, "written");
    }
    for (int i = 0; t->writes && i < readers; i++) {
        const uint32_t reader = atomic_load(&c->reader[i]);
        if (apart(t->wave, reader)) {
            return refuse(t, reader, "read");
        }
    }
    return true;
}

/* Takes a place that is free, or one whose holder no writer behind this access need fear more than this one. */
static void note_reader(const sim_wave *w, cell *c) {
    const uint32_t mine = w->group->segment;
    for (int i = 0; i < readers; i++) {
        uint32_t there = atomic_load(&c->reader[i]);
        while (!apart(w, there)) {
            if (there == mine || atomic_compare_exchange_weak(&c->reader[i], &there, mine)) {
                return;
            }
        }
    }
}

/* Notes first and looks then: of two workgroups at the same time one sees the other. False after a fault. */
static bool touch_cell(const touching *t, cell *c) {
    const uint32_t mine = t->wave->group->segment;
    if (!t->writes) {
        for (int i = 0; i < readers; i++) {
            if (atomic_load_explicit(&c->reader[i], memory_order_relaxed) == mine) {
                return true; /* whoever wrote since then has looked */
            }
        }
        note_reader(t->wave, c);
        return check(t, c);
    }
    if (atomic_load_explicit(&c->writer, memory_order_relaxed) == mine) {
        return true;
    }
    const uint32_t before = atomic_exchange(&c->writer, mine);
    return apart(t->wave, before) ? refuse(t, before, "written") : check(t, c);
}

/* ---- accesses ---------------------------------------------------------------------------------------------- */

static page *page_at(sim_share *s, size_t block, size_t offset) {
    page_slot *pages = TAKE(&s->blocks[block], (page_slot *)fsattn_alloc(s->heap->blocks[block].bytes / page_bytes + 1, sizeof(page_slot)));
    return pages ? TAKE(&pages[offset / page_bytes], (page *)fsattn_alloc(1, sizeof(page))) : NULL;
}

/* A word: its own cell is noted in, those of its bytes are looked at. */
static bool touch_word(const touching *t, page *p) {
    const size_t at = t->offset % page_bytes;
    if (!touch_cell(t, &p->words[at / 4])) {
        return false;
    }
    const cell *bytes = atomic_load(&p->bytes);
    for (size_t i = 0; bytes && i < 4; i++) {
        if (!check(t, &bytes[at + i])) {
            return false;
        }
    }
    return true;
}

/* From t->offset to `end`, which lies in the same page. */
static bool touch_page(touching *t, page *p, size_t end) {
    while (t->offset < end) {
        const size_t at = t->offset % page_bytes;
        if (at % 4 == 0 && end - t->offset >= 4) {
            if (!touch_word(t, p)) {
                return false;
            }
            t->offset += 4;
            continue;
        }
        cell *parts = TAKE(&p->bytes, (cell *)fsattn_alloc(page_bytes, sizeof(cell)));
        if (!parts) {
            sim_fault(t->wave, t->in, -1, "%s", out_of_memory);
            return false;
        }
        if (!touch_cell(t, &parts[at]) || !check(t, &p->words[at / 4])) {
            return false;
        }
        t->offset++;
    }
    return true;
}

bool sim_share_touch(sim_wave *w, const sim_instruction *in, int lane, uint64_t address, unsigned bytes, unsigned bytes_each, bool writes) {
    sim_group *g = w->group;
    sim_share *s = w->share;
    const sim_allocation *blocks = s->heap->blocks;
    if (!(g->share_block < s->block_count && address - blocks[g->share_block].base < blocks[g->share_block].bytes)) {
        g->share_block = sim_heap_index(s->heap, address);
        if (g->share_block == SIZE_MAX) {
            return true; /* LDS, scratch, kernel arguments */
        }
    }
    const sim_allocation *block = &blocks[g->share_block];
    const size_t first = (size_t)(address - block->base);
    touching t = {w, in, block, lane, bytes_each, first, first, writes};
    g->segment_used = true;
    for (const size_t end = t.offset + bytes < block->bytes ? t.offset + bytes : block->bytes; t.offset < end;) {
        const size_t next = (t.offset / page_bytes + 1) * page_bytes;
        page *p = page_at(s, g->share_block, t.offset);
        if (!p) {
            sim_fault(w, in, -1, "%s", out_of_memory);
            return false;
        }
        if (!touch_page(&t, p, next < end ? next : end)) {
            return false;
        }
    }
    return true;
}
