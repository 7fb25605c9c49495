#include "gpu_chain.h"

#include "error.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { group_rows = 32, alignment = 256 };

static const char *const rule_texts[] = {
#define X(name, text) text,
    FSATTN_GPU_RULE_LIST(X)
#undef X
};
enum { rule_count = sizeof rule_texts / sizeof rule_texts[0] };

const char *fsattn_gpu_rule_text(fsattn_gpu_rule rule) {
    return rule_texts[rule];
}

/* ---- reading a chain ------------------------------------------------------------------------ */

static const char *attribute_of(const fsattn_stage *stage, const char *name) {
    for (size_t i = 0; i < stage->attribute_count; i++) {
        if (!strcmp(stage->attributes[i].name, name)) {
            return stage->attributes[i].value;
        }
    }
    return NULL;
}

static fsattn_status read_size(const fsattn_stage *stage, const char *name, bool first, uint64_t *size, fsattn_err *err) {
    const char *text = attribute_of(stage, name);
    char *end = NULL;
    const unsigned long long value = text ? strtoull(text, &end, 10) : 0;
    if (!text || end == text || *end || text[0] == '-' || value == 0 || value > UINT32_MAX) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "stage %s has no sound %s ('%s')", stage->entry, name, text ? text : "");
    }
    if (!first && value != *size) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "stage %s has %s %llu, the stage before it %" PRIu64, stage->entry, name, value,
                           *size);
    }
    *size = value;
    return FSATTN_OK;
}

static fsattn_status read_layout(const fsattn_stage *stage, bool first, fsattn_gpu_chain *chain, fsattn_err *err) {
    const char *layout = attribute_of(stage, FSATTN_GPU_LAYOUT_ATTRIBUTE);
    if (!layout || !*layout || strlen(layout) >= sizeof chain->pack_layout) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "stage %s does not name the layout of its packed operands", stage->entry);
    }
    if (first) {
        strcpy(chain->pack_layout, layout);
    } else if (strcmp(chain->pack_layout, layout)) {
        fsattn_fail(err, FSATTN_UNSUPPORTED, "stage %s takes operands packed as %s, the stages before it make %s", stage->entry,
                    layout, chain->pack_layout);
        fsattn_hint(err, "quantizers and attention must be rendered with equal formats and tile_n");
        return FSATTN_UNSUPPORTED;
    }
#define X(name) FSATTN_TRY(read_size(stage, #name, first, &chain->name, err));
    FSATTN_GPU_SIZE_LIST(X)
#undef X
    return FSATTN_OK;
}

fsattn_status fsattn_gpu_chain_read(const fsattn_stage *stages, size_t count, fsattn_gpu_chain *chain, fsattn_err *err) {
    fsattn_gpu_chain made = {.count = count};
    if (count < 1 || count > fsattn_gpu_stage_limit) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "is a chain of %zu kernels, 1 to %d can be run", count, fsattn_gpu_stage_limit);
    }
    for (size_t i = 0; i < count; i++) {
        const fsattn_stage *stage = &stages[i];
        size_t rule = 0;
        while (rule < rule_count && strcmp(rule_texts[rule], stage->work_items)) {
            rule++;
        }
        if (rule == rule_count) {
            return fsattn_fail(err, FSATTN_UNSUPPORTED, "is launched by the rule '%s', which this library does not know on gfx950",
                               stage->work_items);
        }
        if ((rule == FSATTN_GPU_ATTENTION) != (i + 1 == count)) {
            return fsattn_fail(err, FSATTN_UNSUPPORTED, "its stage %s is out of place: attention is the last stage, and only that",
                               stage->entry);
        }
        if (stage->tile_m < 1 || stage->tile_n < 1 || stage->threads < 1 || stage->threads > 1024) {
            return fsattn_fail(err, FSATTN_UNSUPPORTED, "stage %s has tiles of %" PRId64 " x %" PRId64 " and %" PRIu32 " threads",
                               stage->entry, stage->tile_m, stage->tile_n, stage->threads);
        }
        FSATTN_TRY(read_layout(stage, i == 0, &made, err));
        made.stages[i] = (fsattn_gpu_stage){(fsattn_gpu_rule)rule, stage->tile_m, stage->tile_n, stage->threads, stage->lds_bytes};
    }
    *chain = made;
    return FSATTN_OK;
}

/* ---- the workspace -------------------------------------------------------------------------- */

static int64_t divide_up(int64_t value, int64_t by) {
    return value / by + (value % by != 0);
}

/* heads * units * bytes, rounded up; false when that is no size. */
static bool bytes_of(int64_t heads, int64_t units, uint64_t bytes, size_t *total) {
    size_t all;
    return !__builtin_mul_overflow((size_t)heads, (size_t)units, &all) && !__builtin_mul_overflow(all, (size_t)bytes, total) &&
           *total <= SIZE_MAX / 8;
}

fsattn_status fsattn_gpu_workspace_of(const fsattn_gpu_chain *chain, const fsattn_problem *p, fsattn_gpu_workspace *workspace,
                                      fsattn_err *err) {
    fsattn_gpu_workspace w = {0};
    const int64_t tile_n = chain->stages[chain->count - 1].tile_n;
    size_t at = 0;
    if (!bytes_of(p->batch * p->heads_q, divide_up(p->s_q, group_rows), chain->q_group_bytes, &w.q_bytes) ||
        !bytes_of(p->batch * p->heads_kv, divide_up(p->s_k, tile_n), chain->k_tile_bytes, &w.k_bytes) ||
        !bytes_of(p->batch * p->heads_kv, divide_up(p->s_k, tile_n), chain->v_tile_bytes, &w.v_bytes)) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "plan: the packed operands of this problem are larger than memory can be");
    }
    const struct {
        size_t *offset, bytes;
    } parts[] = {{&w.q, w.q_bytes},
                 {&w.k, w.k_bytes},
                 {&w.v, w.v_bytes},
                 {&w.partials, fsattn_gpu_amax_blocks * sizeof(float)},
                 {&w.v_scale, sizeof(float)}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        *parts[i].offset = at;
        at += (parts[i].bytes + alignment - 1) / alignment * alignment;
    }
    w.bytes = at;
    *workspace = w;
    return FSATTN_OK;
}

/* ---- operands ------------------------------------------------------------------------------- */

fsattn_status fsattn_gpu_operands_check(const fsattn_problem *p, const fsattn_gpu_operands *operands, fsattn_err *err) {
    const struct {
        const char *name;
        const fsattn_gpu_operand *at;
        fsattn_dtype dtype;
    } rows[] = {{"q", &operands->q, p->dtype_q}, {"k", &operands->k, p->dtype_kv}, {"v", &operands->v, p->dtype_kv}, {"o", &operands->o, p->dtype_o}};
    const int64_t needed = 4;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const int64_t bytes = (int64_t)fsattn_dtype_bits(rows[i].dtype) / 8;
        const fsattn_gpu_operand *at = rows[i].at;
        const bool aligned = (uintptr_t)at->data % (uintptr_t)needed == 0 && at->stride_b * bytes % needed == 0 &&
                             at->stride_h * bytes % needed == 0 && at->stride_s * bytes % needed == 0;
        if (!aligned) {
            fsattn_fail(err, FSATTN_INVALID, "arguments.%s: its rows do not begin at multiples of 4 bytes, which GPU kernels need", rows[i].name);
            fsattn_hint(err, "strides of 16-bit elements must be even");
            return FSATTN_INVALID;
        }
    }
    return FSATTN_OK;
}

/* ---- launches ------------------------------------------------------------------------------- */

uint32_t fsattn_gpu_stage_blocks(const fsattn_gpu_stage *stage, const fsattn_problem *p) {
    int64_t heads = p->batch * (stage->rule == FSATTN_GPU_PACK_Q || stage->rule == FSATTN_GPU_ATTENTION ? p->heads_q : p->heads_kv);
    int64_t each = 0, blocks;
    switch (stage->rule) {
    case FSATTN_GPU_PACK_AMAX:
        return fsattn_gpu_amax_blocks;
    case FSATTN_GPU_PACK_Q:
        each = divide_up(divide_up(p->s_q, group_rows) * group_rows, stage->tile_m);
        break;
    case FSATTN_GPU_PACK_K:
        each = divide_up(divide_up(p->s_k, stage->tile_n) * stage->tile_n, stage->tile_m);
        break;
    case FSATTN_GPU_PACK_V:
        each = divide_up(p->s_k, stage->tile_n);
        break;
    case FSATTN_GPU_ATTENTION:
        each = divide_up(p->s_q, stage->tile_m);
        break;
    }
    /* The driver counts threads in 32 bits. */
    return __builtin_mul_overflow(heads, each, &blocks) || blocks > UINT32_MAX / stage->threads ? 0 : (uint32_t)blocks;
}

/* Where packed operands lie: in the workspace, or K and V, with what belongs to them, in memory of their own. */
typedef struct places {
    char *q, *k, *v;
    float *partials, *v_scale;
} places;

static places places_of(const fsattn_gpu_workspace *w, const fsattn_gpu_operands *at) {
    char *workspace = at->workspace;
    char *kv = at->packed_kv ? at->packed_kv : workspace + w->k; /* K, V, maxima and scale follow one another in both */
    return (places){.q = workspace ? workspace + w->q : NULL,
                    .k = kv,
                    .v = kv + (w->v - w->k),
                    .partials = (float *)(void *)(kv + (w->partials - w->k)),
                    .v_scale = (float *)(void *)(kv + (w->v_scale - w->k))};
}

fsattn_status fsattn_gpu_packed_bytes(const fsattn_gpu_chain *chain, const fsattn_problem *problem, size_t *bytes,
                                      fsattn_err *err) {
    fsattn_gpu_workspace w;
    FSATTN_TRY(fsattn_gpu_workspace_of(chain, problem, &w, err));
    *bytes = w.bytes - w.k;
    return FSATTN_OK;
}

static fsattn_gpu_quantize_args quantize_args(fsattn_gpu_rule rule, const fsattn_problem *p, const fsattn_gpu_workspace *w, const fsattn_gpu_operands *at) {
    const bool query = rule == FSATTN_GPU_PACK_Q;
    const fsattn_gpu_operand *x = query ? &at->q : rule == FSATTN_GPU_PACK_K ? &at->k : &at->v;
    const double root = sqrt((double)p->head_dim); /* of the rotation, which the kernels leave unscaled */
    const places to = places_of(w, at);
    return (fsattn_gpu_quantize_args){
        .x = x->data,
        .packed = query ? to.q : rule == FSATTN_GPU_PACK_K ? to.k : to.v,
        .partials = to.partials,
        .v_scale = to.v_scale,
        .batch = p->batch,
        .heads = query ? p->heads_q : p->heads_kv,
        .s = query ? p->s_q : p->s_k,
        .stride_b = x->stride_b,
        .stride_h = x->stride_h,
        .stride_s = x->stride_s,
        .factor = query ? (float)((double)fsattn_problem_scale(p) * 1.4426950408889634074 / root) : (float)(1 / root),
    };
}

static fsattn_gpu_attention_args attention_args(const fsattn_problem *p, const fsattn_gpu_workspace *w,
                                                const fsattn_gpu_operands *at) {
    const places from = places_of(w, at);
    return (fsattn_gpu_attention_args){
        .q = from.q,
        .k = from.k,
        .v = from.v,
        .o = at->o.data,
        .lse = at->lse,
        .v_scale = from.v_scale,
        .rollbacks = at->rollbacks,
        .batch = p->batch,
        .heads_q = p->heads_q,
        .heads_kv = p->heads_kv,
        .s_q = p->s_q,
        .s_k = p->s_k,
        .o_stride_b = at->o.stride_b,
        .o_stride_h = at->o.stride_h,
        .o_stride_s = at->o.stride_s,
    };
}

fsattn_status fsattn_gpu_stage_launch(const fsattn_gpu_chain *chain, size_t index, const fsattn_problem *p,
                                      const fsattn_gpu_operands *operands, fsattn_gpu_arguments *arguments, fsattn_launch *launch,
                                      fsattn_err *err) {
    const fsattn_gpu_stage *stage = &chain->stages[index];
    const uint32_t blocks = fsattn_gpu_stage_blocks(stage, p);
    fsattn_gpu_workspace w;
    FSATTN_TRY(fsattn_gpu_workspace_of(chain, p, &w, err));
    if (!blocks) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "plan: the grid of stage %s is larger than a launch can be",
                           rule_texts[stage->rule]);
    }
    const bool attention = stage->rule == FSATTN_GPU_ATTENTION;
    if (attention) {
        arguments->attention = attention_args(p, &w, operands);
    } else {
        arguments->quantize = quantize_args(stage->rule, p, &w, operands);
    }
    *launch = (fsattn_launch){
        .arguments = arguments,
        .argument_bytes = attention ? sizeof arguments->attention : sizeof arguments->quantize,
        .grid = {blocks, 1, 1},
        .block = {stage->threads, 1, 1},
        .lds_bytes = stage->lds_bytes,
    };
    return FSATTN_OK;
}
