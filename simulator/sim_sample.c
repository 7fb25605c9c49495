#include "sim_sample.h"

#include "memory.h"

#include <stdatomic.h>

enum { word_bits = 64 };
typedef _Atomic uint64_t map; /* a bit for each byte of a block, words of 64 */

struct sim_sample {
    const sim_heap *heap;
    size_t count; /* blocks of the heap */
    _Atomic(map *) maps[]; /* of each block; NULL: nobody has stored there */
};

sim_sample *sim_sample_start(const sim_heap *heap) {
    sim_sample *s = fsattn_alloc(1, sizeof *s + heap->count * sizeof s->maps[0]);
    if (s) {
        s->heap = heap;
        s->count = heap->count;
    }
    return s;
}

void sim_sample_poison(void *from, size_t bytes) {
    enum { word = sizeof sim_poison_word };
    unsigned char *at = from, *end = at + bytes;
    for (; at < end && ((uintptr_t)at % word || end - at < word); at++) {
        *at = (unsigned char)(sim_poison_word >> 8 * ((uintptr_t)at % word));
    }
    for (; end - at >= word; at += word) {
        memcpy(at, &sim_poison_word, word);
    }
    if (at < end) {
        sim_sample_poison(at, (size_t)(end - at));
    }
}

static map *map_of(sim_sample *s, size_t index) {
    map *found = atomic_load(&s->maps[index]);
    if (!found) {
        map *made = fsattn_alloc(s->heap->blocks[index].bytes / word_bits + 1, sizeof *made);
        if (made && atomic_compare_exchange_strong(&s->maps[index], &found, made)) {
            return made;
        }
        fsattn_free(made); /* another thread's is there */
    }
    return found;
}

void sim_sample_store(sim_wave *wave, const sim_instruction *in, int lane, const void *at, size_t bytes, bool certain) {
    sim_sample *s = wave->sample;
    const size_t index = sim_heap_index(s->heap, (uintptr_t)at);
    if (index == SIZE_MAX) {
        return; /* LDS or scratch */
    }
    const sim_allocation *block = &s->heap->blocks[index];
    if (!strcmp(block->owner, "code object")) {
        sim_fault(wave, in, lane, "a sampled launch (FSATTN_SIM_SAMPLE) writes a variable of its module, which cannot be left half written");
        return;
    }
    map *bits = map_of(s, index);
    if (!bits) {
        sim_fault(wave, in, lane, "out of memory for the map of a block of %zu bytes", block->bytes);
        return;
    }
    const size_t from = (size_t)((uintptr_t)at - block->base);
    for (size_t i = from; i < from + bytes; i++) {
        const uint64_t bit = UINT64_C(1) << i % word_bits;
        if (certain) {
            atomic_fetch_or_explicit(&bits[i / word_bits], bit, memory_order_relaxed);
        } else {
            atomic_fetch_and_explicit(&bits[i / word_bits], ~bit, memory_order_relaxed);
        }
    }
}

void sim_sample_finish(sim_sample *s) {
    for (size_t k = 0; s && k < s->count; k++) {
        map *bits = atomic_load(&s->maps[k]);
        const sim_allocation *block = &s->heap->blocks[k];
        for (size_t i = 0; bits && i < block->bytes; i++) {
            const uint64_t word = atomic_load_explicit(&bits[i / word_bits], memory_order_relaxed);
            if (word == UINT64_MAX) {
                i |= word_bits - 1;
            } else if (!(word >> i % word_bits & 1)) {
                sim_sample_poison((unsigned char *)block->base + i, 1);
            }
        }
        fsattn_free(bits);
    }
    fsattn_free(s);
}
