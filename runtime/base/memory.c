#include "memory.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The one process-wide variable of base: it exists for tests only and is 0 in production. */
static _Atomic int64_t fail_after;

static int injected_failure(void) {
    int64_t left = atomic_load_explicit(&fail_after, memory_order_relaxed);
    if (left == 0) {
        return 0;
    }
    if (left == 1) {
        return 1;
    }
    atomic_fetch_sub_explicit(&fail_after, 1, memory_order_relaxed);
    return 0;
}

void fsattn_memory_fail_after(int64_t allocations) {
    atomic_store(&fail_after, allocations > 0 ? allocations : 0);
}

static int bytes_of(size_t count, size_t size, size_t *bytes) {
    if (__builtin_mul_overflow(count, size, bytes)) {
        return -1;
    }
    if (*bytes == 0) {
        *bytes = 1;
    }
    return 0;
}

void *fsattn_alloc(size_t count, size_t size) {
    size_t bytes;
    if (injected_failure() || bytes_of(count, size, &bytes)) {
        return NULL;
    }
    return calloc(1, bytes);
}

void *fsattn_alloc_aligned(size_t alignment, size_t count, size_t size) {
    size_t bytes;
    void *memory;
    if (injected_failure() || bytes_of(count, size, &bytes) || posix_memalign(&memory, alignment, bytes)) {
        return NULL;
    }
    memset(memory, 0, bytes);
    return memory;
}

void *fsattn_realloc(void *old, size_t count, size_t size) {
    size_t bytes;
    if (injected_failure() || bytes_of(count, size, &bytes)) {
        return NULL;
    }
    return realloc(old, bytes);
}

void fsattn_free(void *memory) {
    free(memory);
}

char *fsattn_strndup(const char *text, size_t bytes) {
    char *copy = fsattn_alloc(bytes + 1, 1);
    if (copy) {
        memcpy(copy, text, bytes);
    }
    return copy;
}

char *fsattn_strdup(const char *text) {
    return fsattn_strndup(text, strlen(text));
}

int fsattn_grow(void **array, size_t *capacity, size_t count, size_t size) {
    if (count < *capacity) {
        return 0;
    }
    size_t wanted = *capacity ? *capacity * 2 : 8;
    void *grown = fsattn_realloc(*array, wanted, size);
    if (!grown) {
        return -1;
    }
    *array = grown;
    *capacity = wanted;
    return 0;
}

typedef struct fsattn_arena_block {
    struct fsattn_arena_block *next;
    size_t used;
    size_t capacity;
    _Alignas(max_align_t) unsigned char data[];
} fsattn_arena_block;

enum { arena_block_bytes = 16384 };

void *fsattn_arena_alloc(fsattn_arena *arena, size_t count, size_t size) {
    size_t bytes;
    const size_t align = _Alignof(max_align_t);
    if (bytes_of(count, size, &bytes) || bytes > SIZE_MAX - arena_block_bytes) {
        return NULL;
    }
    bytes = (bytes + align - 1) / align * align;
    fsattn_arena_block *block = arena->blocks;
    if (!block || block->capacity - block->used < bytes) {
        size_t capacity = bytes > arena_block_bytes ? bytes : (size_t)arena_block_bytes;
        block = fsattn_alloc(1, sizeof *block + capacity);
        if (!block) {
            return NULL;
        }
        block->capacity = capacity;
        block->next = arena->blocks;
        arena->blocks = block;
    }
    void *memory = block->data + block->used;
    block->used += bytes;
    return memory;
}

char *fsattn_arena_strdup(fsattn_arena *arena, const char *text) {
    size_t bytes = strlen(text) + 1;
    char *copy = fsattn_arena_alloc(arena, bytes, 1);
    if (copy) {
        memcpy(copy, text, bytes);
    }
    return copy;
}

char *fsattn_arena_printf(fsattn_arena *arena, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *text = length < 0 ? NULL : fsattn_arena_alloc(arena, (size_t)length + 1, 1);
    if (text) {
        va_start(args, format);
        vsnprintf(text, (size_t)length + 1, format, args);
        va_end(args);
    }
    return text;
}

void fsattn_arena_fini(fsattn_arena *arena) {
    fsattn_arena_block *block = arena->blocks;
    while (block) {
        fsattn_arena_block *next = block->next;
        fsattn_free(block);
        block = next;
    }
    arena->blocks = NULL;
}
