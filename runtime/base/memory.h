/* memory.h - heap allocation with overflow checks and fault injection, and arenas.
 *
 * All allocation of the project goes through here. Functions return NULL on failure and never abort.
 * Release with fsattn_free. Thread-safe, except that an arena belongs to one thread at a time.
 */
#ifndef FSATTN_MEMORY_H
#define FSATTN_MEMORY_H

#include <stddef.h>
#include <stdint.h>

/* `count` elements of `size` bytes, zeroed; NULL when the product overflows or memory ends.
 * A zero count gives a unique pointer. */
void *fsattn_alloc(size_t count, size_t size);
/* As fsattn_alloc, aligned to `alignment` (a power of two, at least sizeof(void *)); released by fsattn_free. */
void *fsattn_alloc_aligned(size_t alignment, size_t count, size_t size);
/* Grows or shrinks; the new part is not zeroed. The old block stays valid on failure. */
void *fsattn_realloc(void *old, size_t count, size_t size);
void fsattn_free(void *memory);
char *fsattn_strdup(const char *text);
char *fsattn_strndup(const char *text, size_t bytes);

/* Makes room for one more element in a growing array: *capacity doubles when `count` has reached it.
 * Returns 0 on success, -1 when memory ends (the array stays valid). */
int fsattn_grow(void **array, size_t *capacity, size_t count, size_t size);

/* Fault injection for tests: the n-th allocation from now on fails, and every one after it; 0 turns it off. */
void fsattn_memory_fail_after(int64_t allocations);

/* An arena hands out memory that is released all at once. Zero-initialised is empty and valid. */
typedef struct fsattn_arena {
    struct fsattn_arena_block *blocks;
} fsattn_arena;

/* `count` elements of `size` bytes, zeroed, aligned for any type; NULL when memory ends. */
void *fsattn_arena_alloc(fsattn_arena *arena, size_t count, size_t size);
char *fsattn_arena_strdup(fsattn_arena *arena, const char *text);
char *fsattn_arena_printf(fsattn_arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));
void fsattn_arena_fini(fsattn_arena *arena);

#endif
