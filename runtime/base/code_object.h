/* code_object.h - reads what an AMD GPU code object says about itself: target, kernels, their resources and arguments.
 *
 * Understands ELF64 code objects of version 4 to 6 (metadata note in MessagePack; LLVM's "User Guide for AMDGPU
 * Backend", code object metadata) and uncompressed offload bundles, of which it picks the entry for one target.
 * Every offset is checked, any bytes may be given. Executes and loads nothing. Any thread.
 */
#ifndef FSATTN_CODE_OBJECT_H
#define FSATTN_CODE_OBJECT_H

#include "fsattn.h"
#include "memory.h"

typedef struct fsattn_code_argument {
    uint32_t offset, bytes; /* in the kernarg segment */
    const char *kind;       /* "global_buffer", "by_value", "hidden_block_count_x", ... */
    const char *name;       /* as in the source; "" when unknown */
} fsattn_code_argument;

typedef struct fsattn_code_kernel {
    const char *name;
    const char *symbol; /* of the kernel descriptor: "<name>.kd" */
    uint32_t kernarg_bytes, kernarg_align;
    uint32_t lds_bytes;     /* static, per workgroup */
    uint32_t scratch_bytes; /* per lane */
    uint32_t vgprs;         /* architectural and accumulation registers together, per lane */
    uint32_t agprs, sgprs;
    uint32_t vgpr_spills, sgpr_spills;
    uint32_t wavefront, threads_max;
    bool dynamic_stack;
    const fsattn_code_argument *arguments;
    size_t argument_count;
    uint64_t descriptor_address; /* of the 64-byte kernel descriptor, before relocation */
    uint64_t entry_address;      /* of the first instruction, before relocation */
} fsattn_code_kernel;

typedef struct fsattn_code_object {
    const unsigned char *elf; /* inside the bytes given; borrowed */
    size_t elf_bytes;
    const char *target; /* "amdgcn-amd-amdhsa--gfx950", features behind colons included */
    const fsattn_code_kernel *kernels;
    size_t kernel_count;
    fsattn_arena arena; /* holds everything above */
} fsattn_code_object;

/* Reads `bytes` of `data`, which must stay valid as long as the object is used; `name` stands in messages.
 * `isa` ("gfx950") picks the entry of a bundle and must match the ELF; NULL takes any ELF and the first GPU entry.
 * FSATTN_CORRUPT for anything malformed, FSATTN_UNSUPPORTED for another architecture or a compressed bundle. */
fsattn_status fsattn_code_object_init(fsattn_code_object *object, const char *name, const void *data, size_t bytes,
                                      const char *isa, fsattn_err *err);
void fsattn_code_object_fini(fsattn_code_object *object);
/* NULL when there is none of that name. */
const fsattn_code_kernel *fsattn_code_object_kernel(const fsattn_code_object *object, const char *kernel);

#endif
