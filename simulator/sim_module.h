/* sim_module.h - a code object in memory: its image, relocated, and its program.
 *
 * Owns the image, which is device memory to kernels, and everything read from the code object. Refuses with a message: other
 * processors, damaged files, undefined symbols, images above 1 GiB, kernels with more scratch or arguments than there can be. Immutable
 * once open, but for the image's variables. */
#ifndef SIM_MODULE_H
#define SIM_MODULE_H

#include "code_object.h"
#include "sim_heap.h"
#include "sim_program.h"

typedef struct sim_module sim_module;
typedef struct sim_kernel {
    const fsattn_code_kernel *info;
    const sim_module *module;
    uint32_t entry; /* index of the first instruction */
    uint32_t rsrc1, rsrc2, rsrc3, properties, preload;
} sim_kernel;

struct sim_module {
    fsattn_code_object object;
    void *bytes; /* copy of the file */
    void *image_memory; /* that holds the image; zeroed by the system as it is touched, whatever size a file claims */
    unsigned char *image;
    size_t image_bytes;
    sim_program program;
    sim_kernel *kernels; /* as many as object.kernel_count */
    sim_heap *heap;
    char name[32];
};

/* Bytes of the ELF file or bundle at `image`, as its own tables say; 0 when it is neither. */
size_t sim_module_bytes(const void *image);
fsattn_status sim_module_open(sim_heap *heap, const char *name, const void *data, size_t bytes, sim_module **module, fsattn_err *err);
void sim_module_close(sim_module *module);
/* NULL when there is none of that name. */
const sim_kernel *sim_module_kernel(const sim_module *module, const char *name);
/* Address and size of a variable; false when there is none. */
bool sim_module_variable(const sim_module *module, const char *name, void **address, size_t *bytes);

#endif
