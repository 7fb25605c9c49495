#include "sim_heap.h"

#include "memory.h"
#include "sim_written.h"

/* Index of the first block whose base is above the address. */
static size_t above(const sim_heap *heap, uint64_t address) {
    size_t low = 0, high = heap->count;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (heap->blocks[middle].base <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static fsattn_status add(sim_heap *heap, const sim_allocation *block) {
    fsattn_status status = FSATTN_OK;
    pthread_rwlock_wrlock(&heap->lock);
    if (fsattn_grow((void **)&heap->blocks, &heap->capacity, heap->count, sizeof *heap->blocks)) {
        status = FSATTN_NO_MEMORY;
    } else {
        const size_t at = above(heap, block->base);
        memmove(&heap->blocks[at + 1], &heap->blocks[at], (heap->count - at) * sizeof *heap->blocks);
        heap->blocks[at] = *block;
        heap->count++;
    }
    pthread_rwlock_unlock(&heap->lock);
    return status;
}
fsattn_status sim_heap_add(sim_heap *heap, const void *base, size_t bytes, const char *owner) {
    return add(heap, &(sim_allocation){(uintptr_t)base, bytes, owner, NULL});
}
fsattn_status sim_heap_add_unwritten(sim_heap *heap, const void *base, size_t bytes, const char *owner) {
    const sim_allocation block = {(uintptr_t)base, bytes, owner, sim_written_create(bytes)};
    const fsattn_status status = block.written ? add(heap, &block) : FSATTN_NO_MEMORY;
    if (status != FSATTN_OK) {
        fsattn_free(block.written);
    }
    return status;
}

void sim_heap_forget(sim_heap *heap) {
    for (size_t i = 0; i < heap->count; i++) {
        if (heap->blocks[i].written) {
            sim_written_forget(heap->blocks[i].written);
        }
    }
}

bool sim_heap_remove(sim_heap *heap, const void *base) {
    pthread_rwlock_wrlock(&heap->lock);
    const size_t at = above(heap, (uintptr_t)base);
    const bool found = at && heap->blocks[at - 1].base == (uintptr_t)base;
    if (found) {
        fsattn_free(heap->blocks[at - 1].written);
        heap->blocks[at - 1].written = NULL;
        heap->freed[heap->freed_count++ % sim_heap_freed_kept] = heap->blocks[at - 1];
        memmove(&heap->blocks[at - 1], &heap->blocks[at], (heap->count - at) * sizeof *heap->blocks);
        heap->count--;
    }
    pthread_rwlock_unlock(&heap->lock);
    return found;
}

size_t sim_heap_index(const sim_heap *heap, uint64_t address) {
    const size_t at = above(heap, address);
    return at && address - heap->blocks[at - 1].base < heap->blocks[at - 1].bytes ? at - 1 : SIZE_MAX;
}

bool sim_heap_find(const sim_heap *heap, uint64_t address, sim_allocation *block) {
    const size_t index = sim_heap_index(heap, address);
    if (index != SIZE_MAX) {
        *block = heap->blocks[index];
    }
    return index != SIZE_MAX;
}

static const sim_allocation *find_freed(const sim_heap *heap, uint64_t address) {
    const size_t kept = heap->freed_count < sim_heap_freed_kept ? heap->freed_count : sim_heap_freed_kept;
    for (size_t i = 0; i < kept; i++) {
        const sim_allocation *block = &heap->freed[(heap->freed_count - 1 - i) % sim_heap_freed_kept];
        if (address - block->base < block->bytes) {
            return block;
        }
    }
    return NULL;
}

bool sim_heap_refuse(sim_wave *wave, const sim_instruction *in, int lane, uint64_t address, size_t bytes, unsigned alignment) {
    const sim_heap *heap = wave->heap;
    const unsigned long long at = address;
    if (address & (alignment - 1)) {
        sim_fault(wave, in, lane, "misaligned: %zu bytes at 0x%llx, a multiple of %u is needed", bytes, at, alignment);
        return false;
    }
    if (address - wave->kernarg.base < wave->kernarg.bytes) {
        wave->last = wave->kernarg;
    }
    if (address - wave->last.base < wave->last.bytes || sim_heap_find(heap, address, &wave->last)) {
        const uint64_t offset = address - wave->last.base;
        if (bytes <= wave->last.bytes - offset) {
            return true;
        }
        sim_fault(wave, in, lane, "out of bounds: %zu bytes at 0x%llx, offset %llu of a block of %zu bytes (%s)", bytes, at,
                  (unsigned long long)offset, wave->last.bytes, wave->last.owner);
        return false;
    }
    const sim_allocation *freed = find_freed(heap, address);
    const size_t index = above(heap, address);
    if (freed) {
        sim_fault(wave, in, lane, "use after free: %zu bytes at 0x%llx, offset %llu of a freed block of %zu bytes (%s)", bytes, at,
                  (unsigned long long)(address - freed->base), freed->bytes, freed->owner);
    } else if (index && address - heap->blocks[index - 1].base < 2 * heap->blocks[index - 1].bytes + 4096) {
        const sim_allocation *block = &heap->blocks[index - 1];
        sim_fault(wave, in, lane, "out of bounds: %zu bytes at 0x%llx, offset %llu from a block of %zu bytes (%s)", bytes, at,
                  (unsigned long long)(address - block->base), block->bytes, block->owner);
    } else {
        sim_fault(wave, in, lane, "out of bounds: %zu bytes at 0x%llx, which is no device memory", bytes, at);
    }
    return false;
}
