/* gpu_chain.h - a chain of gfx950 kernels as one run of attention: quantizers first, attention last, packed operands between.
 *
 * Owns where packed operands lie in the workspace, and the grid and the arguments of each stage (templates/lib/gpu_abi.h). A
 * stage's work_items names its rule; its attributes name the layout of what it writes or reads. Invariants of a chain that
 * was read: every rule is known, attention is last and stands once, and all stages agree in pack_layout and in the sizes
 * that belong to it. Refuses chains whose stages disagree: nothing may read what another layout wrote.
 * Pure functions over plain data; used by libfsattn and by the tuner's workers alike.
 */
#ifndef FSATTN_GPU_CHAIN_H
#define FSATTN_GPU_CHAIN_H

#include "device.h"
#include "fsc.h"
#include "gpu_abi.h"

/* X(NAME, text): what a stage does, and from what its grid follows. */
#define FSATTN_GPU_RULE_LIST(X)                                                                              \
    X(PACK_AMAX, "pack_amax") /* 256 blocks over all of V */                                                 \
    X(PACK_Q, "pack_q")       /* tile_m rows of Q a block, each head filled up to groups of 32 */            \
    X(PACK_K, "pack_k")       /* tile_m rows of K a block, each head filled up to tiles of tile_n */         \
    X(PACK_V, "pack_v")       /* a tile of tile_n keys a block */                                            \
    X(ATTENTION, "query_tiles") /* tile_m query rows of a head a block */
typedef enum fsattn_gpu_rule {
#define X(name, text) FSATTN_GPU_##name,
    FSATTN_GPU_RULE_LIST(X)
#undef X
} fsattn_gpu_rule;
const char *fsattn_gpu_rule_text(fsattn_gpu_rule rule);

/* X(name): sizes of a pack_layout, attributes of its stages. Bytes of 32 packed rows of Q, of a tile of K, of a tile of V. */
#define FSATTN_GPU_SIZE_LIST(X)                                                                              \
    X(k_tile_bytes)                                                                                          \
    X(q_group_bytes)                                                                                         \
    X(v_tile_bytes)
#define FSATTN_GPU_LAYOUT_ATTRIBUTE "pack_layout"

enum { fsattn_gpu_stage_limit = 8, fsattn_gpu_amax_blocks = 256 };

typedef struct fsattn_gpu_stage {
    fsattn_gpu_rule rule;
    int64_t tile_m, tile_n;
    uint32_t threads, lds_bytes;
} fsattn_gpu_stage;

typedef struct fsattn_gpu_chain {
    fsattn_gpu_stage stages[fsattn_gpu_stage_limit];
    size_t count;
    char pack_layout[96];
#define X(name) uint64_t name;
    FSATTN_GPU_SIZE_LIST(X)
#undef X
} fsattn_gpu_chain;

/* FSATTN_UNSUPPORTED, in a phrase that a record's name goes in front of, for a chain that breaks an invariant. */
fsattn_status fsattn_gpu_chain_read(const fsattn_stage *stages, size_t count, fsattn_gpu_chain *chain, fsattn_err *err);

/* Where the packed operands lie: offsets from the workspace's first byte, multiples of 256. */
typedef struct fsattn_gpu_workspace {
    size_t q, k, v, partials, v_scale;
    size_t q_bytes, k_bytes, v_bytes;
    size_t bytes; /* of all */
} fsattn_gpu_workspace;
/* FSATTN_UNSUPPORTED when the sizes do not fit into memory at all. */
fsattn_status fsattn_gpu_workspace_of(const fsattn_gpu_chain *chain, const fsattn_problem *problem,
                                      fsattn_gpu_workspace *workspace, fsattn_err *err);

/* Memory of K and V packed apart from the workspace, a multiple of 256; it does not depend on the queries. */
fsattn_status fsattn_gpu_packed_bytes(const fsattn_gpu_chain *chain, const fsattn_problem *problem, size_t *bytes,
                                      fsattn_err *err);

/* One operand as the caller has it; strides in elements. */
typedef struct fsattn_gpu_operand {
    void *data;
    int64_t stride_b, stride_h, stride_s;
} fsattn_gpu_operand;

typedef struct fsattn_gpu_operands {
    fsattn_gpu_operand q, k, v, o;
    float *lse;
    unsigned long long *rollbacks; /* or NULL */
    void *workspace;
    void *packed_kv; /* fsattn_gpu_packed_bytes of memory that K and V are packed into, or were; NULL: the workspace */
} fsattn_gpu_operands;

/* Kernels move 4 bytes at a time: FSATTN_INVALID for an operand whose rows are not aligned to that, with the place. */
fsattn_status fsattn_gpu_operands_check(const fsattn_problem *problem, const fsattn_gpu_operands *operands, fsattn_err *err);

/* Blocks of a stage's whole grid; 0 when it is more than a launch can have. */
uint32_t fsattn_gpu_stage_blocks(const fsattn_gpu_stage *stage, const fsattn_problem *problem);

typedef union fsattn_gpu_arguments {
    fsattn_gpu_quantize_args quantize;
    fsattn_gpu_attention_args attention;
} fsattn_gpu_arguments;
/* The launch of a stage's whole grid; it points to `arguments`. FSATTN_UNSUPPORTED for a grid that no launch can have. */
fsattn_status fsattn_gpu_stage_launch(const fsattn_gpu_chain *chain, size_t stage, const fsattn_problem *problem,
                                      const fsattn_gpu_operands *operands, fsattn_gpu_arguments *arguments,
                                      fsattn_launch *launch, fsattn_err *err);

#endif
