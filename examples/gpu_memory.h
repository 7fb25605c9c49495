/* gpu_memory.h - for attention.c: memory on a GPU. An application for AMD GPUs has hipMalloc and hipMemcpy anyway and passes its
 * pointers to fsattn_run; here they are looked up at run time, so that the example builds without ROCm.
 */
#ifndef GPU_MEMORY_H
#define GPU_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

typedef struct gpu_memory {
    int (*allocate)(void **memory, size_t bytes);
    int (*release)(void *memory);
    int (*copy)(void *to, const void *from, size_t bytes, int kind);
    int (*wait)(void);
} gpu_memory;

/* False with the reason in `reason` (of `bytes`). `library`: a libamdhip64. */
bool gpu_memory_open(const char *library, gpu_memory *memory, char *reason, size_t bytes);

#endif
