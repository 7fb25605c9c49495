/* gpu_memory.h - for attention.c: memory on a GPU, a stream and a graph. An application for AMD GPUs has hipMalloc and the others
 * anyway and passes its pointers to fsattn_run; here they are looked up at run time, so that the example builds without ROCm.
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
    int (*stream_create)(void **stream);
    int (*stream_destroy)(void *stream);
    int (*capture_begin)(void *stream, int mode);
    int (*capture_end)(void *stream, void **graph);
    int (*graph_instantiate)(void **executable, void *graph, void **node, char *log, size_t log_bytes);
    int (*graph_launch)(void *executable, void *stream);
    int (*graph_destroy)(void *graph);
    int (*executable_destroy)(void *executable);
} gpu_memory;

/* False with the reason in `reason` (of `bytes`). `library`: a libamdhip64. */
bool gpu_memory_open(const char *library, gpu_memory *memory, char *reason, size_t bytes);

#endif
