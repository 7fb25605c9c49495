#include "run.h"

#include "context.h"
#include "error.h"
#include "gpu_chain.h"
#include "host_abi.h"
#include "sized.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- operands ------------------------------------------------------------------------------- */

/* One operand, checked: where it lies and how far it reaches. */
typedef struct operand {
    const char *name;
    void *data;
    int64_t stride_b, stride_h, stride_s;
    uintptr_t first, end; /* addresses */
} operand;

typedef struct operands {
    operand q, k, v, o, lse;
} operands;

static void dense_strides(const fsattn_problem *problem, int64_t heads, int64_t rows, operand *made) {
    bool heads_inside = problem->layout == FSATTN_BSHD;
    made->stride_b = heads * rows * problem->head_dim;
    made->stride_s = heads_inside ? heads * problem->head_dim : problem->head_dim;
    made->stride_h = heads_inside ? problem->head_dim : rows * problem->head_dim;
}

/* Elements from the first to past the last; -1 when that is more than an address can say. */
static int64_t extent_of(const int64_t strides[3], const int64_t counts[3], int64_t head_dim) {
    int64_t elements = head_dim, step;
    for (int i = 0; i < 3; i++) {
        if (__builtin_mul_overflow(strides[i], counts[i] - 1, &step) ||
            __builtin_add_overflow(elements, step, &elements)) {
            return -1;
        }
    }
    return elements;
}

/* Whether no two rows of an output share an element: from the smallest stride on, each dimension steps over
 * all of the one inside it. */
static bool rows_apart(const int64_t strides[3], const int64_t counts[3], int64_t head_dim) {
    int64_t covered = head_dim;
    bool done[3] = {false};
    for (int step = 0; step < 3; step++) {
        int smallest = -1;
        for (int i = 0; i < 3; i++) {
            if (!done[i] && (smallest < 0 || strides[i] < strides[smallest] ||
                             (strides[i] == strides[smallest] && counts[i] < counts[smallest]))) {
                smallest = i;
            }
        }
        done[smallest] = true;
        if (counts[smallest] > 1) {
            if (strides[smallest] < covered) {
                return false;
            }
            covered += strides[smallest] * (counts[smallest] - 1);
        }
    }
    return true;
}

static fsattn_status place_operand(operand *made, int64_t elements, size_t element_bytes, fsattn_err *err) {
    int64_t bytes;
    made->first = (uintptr_t)made->data;
    if (made->first % element_bytes) {
        return fsattn_fail(err, FSATTN_INVALID,
                           "arguments.%s.data: is not aligned to its elements of %zu bytes", made->name,
                           element_bytes);
    }
    if (elements < 0 || __builtin_mul_overflow(elements, (int64_t)element_bytes, &bytes) ||
        __builtin_add_overflow(made->first, (uintptr_t)bytes, &made->end)) {
        return fsattn_fail(err, FSATTN_INVALID, "arguments.%s: its strides reach past the address space",
                           made->name);
    }
    return FSATTN_OK;
}

static fsattn_status check_tensor(const fsattn_problem *problem, const fsattn_tensor *tensor, bool query_side,
                                  bool output, operand *made, fsattn_err *err) {
    int64_t heads = query_side ? problem->heads_q : problem->heads_kv;
    int64_t rows = query_side ? problem->s_q : problem->s_k;
    fsattn_dtype dtype = output ? problem->dtype_o : query_side ? problem->dtype_q : problem->dtype_kv;
    if (!tensor->data) {
        return fsattn_fail(err, FSATTN_INVALID, "arguments.%s.data: is NULL", made->name);
    }
    made->data = tensor->data;
    made->stride_b = tensor->stride_b;
    made->stride_h = tensor->stride_h;
    made->stride_s = tensor->stride_s;
    if (!tensor->stride_b && !tensor->stride_h && !tensor->stride_s) {
        dense_strides(problem, heads, rows, made);
    }
    const int64_t strides[3] = {made->stride_b, made->stride_h, made->stride_s};
    const int64_t counts[3] = {problem->batch, heads, rows};
    if (strides[0] < 0 || strides[1] < 0 || strides[2] < 0) {
        return fsattn_fail(err, FSATTN_INVALID,
                           "arguments.%s: negative stride (batch %" PRId64 ", head %" PRId64 ", row %" PRId64
                           ")",
                           made->name, strides[0], strides[1], strides[2]);
    }
    int64_t elements = extent_of(strides, counts, problem->head_dim);
    FSATTN_TRY(place_operand(made, elements, fsattn_dtype_bits(dtype) / 8, err));
    if (output && !rows_apart(strides, counts, problem->head_dim)) {
        fsattn_fail(err, FSATTN_INVALID,
                    "arguments.%s: its rows overlap one another (strides: batch %" PRId64 ", head %" PRId64
                    ", row %" PRId64 ")",
                    made->name, strides[0], strides[1], strides[2]);
        fsattn_hint(err, "strides count elements; leave all three zero for a dense tensor");
        return FSATTN_INVALID;
    }
    return FSATTN_OK;
}

static fsattn_status check_lse(const fsattn_problem *problem, float *lse, operand *made, fsattn_err *err) {
    if (problem->lse != (lse != NULL)) {
        return fsattn_fail(err, FSATTN_INVALID,
                           problem->lse ? "arguments.lse: is NULL, the problem wants log-sum-exp"
                                        : "arguments.lse: is set, the problem has no log-sum-exp");
    }
    made->data = lse;
    return lse ? place_operand(made, problem->batch * problem->heads_q * problem->s_q, sizeof *lse, err)
               : FSATTN_OK;
}

static fsattn_status check_overlap(const operand *output, const operand *other, fsattn_err *err) {
    if (output->first < other->end && other->first < output->end) {
        return fsattn_fail(err, FSATTN_INVALID, "arguments.%s: overlaps %s", output->name, other->name);
    }
    return FSATTN_OK;
}

/* K and V are no operands of the caller's when they have been packed into memory of their own. */
static fsattn_status check_keys(const fsattn_problem *problem, const fsattn_arguments *arguments, void *packed_kv,
                                size_t packed_bytes, operands *made, fsattn_err *err) {
    if (packed_kv) {
        made->k.name = made->v.name = "packed K and V";
        made->k.first = made->v.first = (uintptr_t)packed_kv;
        made->k.end = made->v.end = (uintptr_t)packed_kv + packed_bytes;
        return FSATTN_OK;
    }
    FSATTN_TRY(check_tensor(problem, &arguments->k, false, false, &made->k, err));
    return check_tensor(problem, &arguments->v, false, false, &made->v, err);
}

static fsattn_status check_operands(const fsattn_problem *problem, const fsattn_arguments *arguments, void *packed_kv,
                                    size_t packed_bytes, operands *made, fsattn_err *err) {
    *made = (operands){{.name = "q"}, {.name = "k"}, {.name = "v"}, {.name = "o"}, {.name = "lse"}};
    FSATTN_TRY(check_tensor(problem, &arguments->q, true, false, &made->q, err));
    FSATTN_TRY(check_keys(problem, arguments, packed_kv, packed_bytes, made, err));
    FSATTN_TRY(check_tensor(problem, &arguments->o, true, true, &made->o, err));
    FSATTN_TRY(check_lse(problem, arguments->lse, &made->lse, err));
    const operand *inputs[] = {&made->q, &made->k, &made->v};
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        FSATTN_TRY(check_overlap(&made->o, inputs[i], err));
        FSATTN_TRY(check_overlap(&made->lse, inputs[i], err));
    }
    return check_overlap(&made->lse, &made->o, err);
}

/* ---- one kernel on the host ----------------------------------------------------------------- */

/* One kernel with a tile_m of at least 1, one call for each tile of tile_m query rows of each head (host_abi.h). */
static fsattn_status run_query_tiles(fsattn_context *context, const fsattn_entry *entry, const fsattn_problem *problem,
                                     const operands *at, const fsattn_arguments *call, void *packed_kv,
                                     fsattn_err *err) {
    (void)context;
    (void)packed_kv; /* nothing is packed for the host */
    const fsattn_stage *stage = &entry->record->stages[0];
    const fsattn_host_args arguments = {
        .q = at->q.data,
        .k = at->k.data,
        .v = at->v.data,
        .o = at->o.data,
        .lse = at->lse.data,
        .batch = problem->batch,
        .heads_q = problem->heads_q,
        .heads_kv = problem->heads_kv,
        .s_q = problem->s_q,
        .s_k = problem->s_k,
        .q_stride_b = at->q.stride_b,
        .q_stride_h = at->q.stride_h,
        .q_stride_s = at->q.stride_s,
        .k_stride_b = at->k.stride_b,
        .k_stride_h = at->k.stride_h,
        .k_stride_s = at->k.stride_s,
        .v_stride_b = at->v.stride_b,
        .v_stride_h = at->v.stride_h,
        .v_stride_s = at->v.stride_s,
        .o_stride_b = at->o.stride_b,
        .o_stride_h = at->o.stride_h,
        .o_stride_s = at->o.stride_s,
        .scale = fsattn_problem_scale(problem),
    };
    int64_t tiles = (problem->s_q - 1) / stage->tile_m + 1;
    const fsattn_launch launch = {.arguments = &arguments,
                                  .argument_bytes = sizeof arguments,
                                  .work_items = problem->batch * problem->heads_q * tiles,
                                  .scratch_bytes = stage->scratch_bytes};
    return fsattn_kernel_launch(entry->state->kernels[0], &launch, call->stream, err);
}

static fsattn_status supports_query_tiles(const fsattn_fsc_record *record, fsattn_err *err) {
    if (record->stage_count != 1) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED,
                           "is a chain of %zu kernels, this library runs single ones", record->stage_count);
    }
    if (strcmp(record->stages[0].work_items, "query_tiles")) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED,
                           "is launched by the rule '%s', which this library does not know on %s",
                           record->stages[0].work_items, fsattn_target_text(record->target));
    }
    if (record->stages[0].tile_m < 1) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "has tiles of %" PRId64 " query rows",
                           record->stages[0].tile_m);
    }
    return FSATTN_OK;
}

/* ---- chains on a GPU ------------------------------------------------------------------------ */

static fsattn_status supports_chain(const fsattn_fsc_record *record, fsattn_err *err) {
    fsattn_gpu_chain chain;
    return fsattn_gpu_chain_read(record->stages, record->stage_count, &chain, err);
}

/* The stream's own memory of at least so many bytes; called with the rooms' lock. Growing it waits for the stream. */
static fsattn_status room_of(fsattn_context *context, fsattn_stream stream, size_t bytes, void **memory, fsattn_err *err) {
    fsattn_room *room = context->rooms;
    while (room && room->stream != stream) {
        room = room->next;
    }
    if (!room) {
        room = fsattn_alloc(1, sizeof *room);
        if (!room) {
            return fsattn_fail(err, FSATTN_NO_MEMORY, "fsattn_run: out of memory");
        }
        room->stream = stream;
        room->next = context->rooms;
        context->rooms = room;
    }
    if (room->bytes < bytes) {
        FSATTN_TRY(fsattn_stream_synchronize(context->device, stream, err));
        fsattn_device_release(context->device, room->memory);
        room->memory = NULL;
        room->bytes = 0;
        FSATTN_TRY(fsattn_device_allocate(context->device, bytes, &room->memory, err));
        room->bytes = bytes;
    }
    *memory = room->memory;
    return FSATTN_OK;
}

static fsattn_status check_workspace(const fsattn_arguments *arguments, size_t needed, fsattn_err *err) {
    const uintptr_t alignment = 256;
    if (arguments->workspace_bytes < needed) {
        return fsattn_fail(err, FSATTN_INVALID, "arguments.workspace_bytes: %zu, this plan needs %zu", arguments->workspace_bytes,
                           needed);
    }
    if ((uintptr_t)arguments->workspace % alignment) {
        return fsattn_fail(err, FSATTN_INVALID, "arguments.workspace: is not aligned to 256 bytes");
    }
    return FSATTN_OK;
}

/* Where packed operands go. */
typedef struct memories {
    void *workspace;
    void *packed_kv; /* or NULL: in the workspace */
} memories;

static fsattn_gpu_operand gpu_operand(const operand *at) {
    return (fsattn_gpu_operand){at->data, at->stride_b, at->stride_h, at->stride_s};
}

/* Which stages a call is for: all, those that pack K and V, or what is left when they have been packed. */
typedef enum phase { phase_all, phase_pack, phase_rest } phase;

static bool in_phase(fsattn_gpu_rule rule, phase which) {
    const bool packs_keys = rule != FSATTN_GPU_PACK_Q && rule != FSATTN_GPU_ATTENTION;
    return which == phase_all || packs_keys == (which == phase_pack);
}

static fsattn_status launch_chain(const fsattn_entry *entry, const fsattn_gpu_chain *chain, const fsattn_problem *problem,
                                  const operands *at, const memories *in, phase which, fsattn_stream stream,
                                  fsattn_err *err) {
    const fsattn_gpu_operands own = {.q = gpu_operand(&at->q),
                                     .k = gpu_operand(&at->k),
                                     .v = gpu_operand(&at->v),
                                     .o = gpu_operand(&at->o),
                                     .lse = at->lse.data,
                                     .workspace = in->workspace,
                                     .packed_kv = in->packed_kv};
    FSATTN_TRY(fsattn_gpu_operands_check(problem, &own, err));
    for (size_t i = 0; i < chain->count; i++) {
        fsattn_gpu_arguments arguments;
        fsattn_launch launch;
        if (!in_phase(chain->stages[i].rule, which)) {
            continue;
        }
        FSATTN_TRY(fsattn_gpu_stage_launch(chain, i, problem, &own, &arguments, &launch, err));
        FSATTN_TRY(fsattn_kernel_launch(entry->state->kernels[i], &launch, stream, err));
    }
    return FSATTN_OK;
}

/* Stages follow one another on the stream. In a workspace of the context's, two chains on one stream must not be mixed: the
 * lock is held while one is being launched, not while it runs. */
static fsattn_status run_chain(fsattn_context *context, const fsattn_entry *entry, const fsattn_problem *problem,
                               const operands *at, const fsattn_arguments *arguments, void *packed_kv,
                               fsattn_err *err) {
    const phase which = packed_kv ? phase_rest : phase_all;
    fsattn_gpu_chain chain;
    fsattn_gpu_workspace workspace;
    FSATTN_TRY(fsattn_gpu_chain_read(entry->record->stages, entry->record->stage_count, &chain, err));
    FSATTN_TRY(fsattn_gpu_workspace_of(&chain, problem, &workspace, err));
    if (arguments->workspace) {
        FSATTN_TRY(check_workspace(arguments, workspace.bytes, err));
        const memories given = {arguments->workspace, packed_kv};
        return launch_chain(entry, &chain, problem, at, &given, which, arguments->stream, err);
    }
    void *memory = NULL;
    pthread_mutex_lock(&context->rooms_lock);
    fsattn_status status = room_of(context, arguments->stream, workspace.bytes, &memory, err);
    if (status == FSATTN_OK) {
        const memories own = {memory, packed_kv};
        status = launch_chain(entry, &chain, problem, at, &own, which, arguments->stream, err);
    }
    pthread_mutex_unlock(&context->rooms_lock);
    return status;
}

/* ---- rules ---------------------------------------------------------------------------------- */

typedef struct rule {
    fsattn_target target;
    fsattn_status (*supports)(const fsattn_fsc_record *record, fsattn_err *err);
    fsattn_status (*run)(fsattn_context *context, const fsattn_entry *entry, const fsattn_problem *problem,
                         const operands *at, const fsattn_arguments *arguments, void *packed_kv, fsattn_err *err);
} rule;

static const rule rules[] = {
    {FSATTN_TARGET_HOST, supports_query_tiles, run_query_tiles},
    {FSATTN_TARGET_GFX950, supports_chain, run_chain},
};

static const rule *rule_of(const fsattn_fsc_record *record) {
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (rules[i].target == record->target) {
            return &rules[i];
        }
    }
    return NULL;
}

fsattn_status fsattn_run_supports(const fsattn_fsc_record *record, fsattn_err *err) {
    const rule *found = rule_of(record);
    return found ? found->supports(record, err)
                 : fsattn_fail(err, FSATTN_UNSUPPORTED, "is for %s, which this library does not run", fsattn_target_text(record->target));
}

size_t fsattn_run_workspace(const fsattn_fsc_record *record, const fsattn_problem *problem) {
    fsattn_gpu_chain chain;
    fsattn_gpu_workspace workspace;
    const bool needs = record->target == FSATTN_TARGET_GFX950 &&
                       fsattn_gpu_chain_read(record->stages, record->stage_count, &chain, NULL) == FSATTN_OK &&
                       fsattn_gpu_workspace_of(&chain, problem, &workspace, NULL) == FSATTN_OK;
    return needs ? workspace.bytes : 0;
}

/* ---- packed K and V ------------------------------------------------------------------------- */

/* The order in which a plan's kernels read K and V, and how much memory that takes: "plain" and none where they are read as they
 * are. */
static fsattn_status packing_of(const fsattn_plan *plan, fsattn_gpu_chain *chain, const char **layout, size_t *bytes,
                                fsattn_err *err) {
    const fsattn_fsc_record *record = plan->entry->record;
    *layout = "plain";
    *bytes = 0;
    if (record->target != FSATTN_TARGET_GFX950) {
        return FSATTN_OK;
    }
    FSATTN_TRY(fsattn_gpu_chain_read(record->stages, record->stage_count, chain, err));
    *layout = chain->pack_layout;
    return fsattn_gpu_packed_bytes(chain, &plan->problem, bytes, err);
}

size_t fsattn_run_packed_bytes(const fsattn_plan *plan) {
    fsattn_gpu_chain chain;
    const char *layout;
    size_t bytes;
    return packing_of(plan, &chain, &layout, &bytes, NULL) == FSATTN_OK ? bytes : 0;
}

static fsattn_status check_memory(const fsattn_packed *packed, size_t needed, fsattn_err *err) {
    if (needed && !packed->memory) {
        return fsattn_fail(err, FSATTN_INVALID, "packed.memory: is NULL, this plan needs %zu bytes", needed);
    }
    if (packed->bytes < needed) {
        return fsattn_fail(err, FSATTN_INVALID, "packed.bytes: %zu, this plan needs %zu", packed->bytes, needed);
    }
    if (needed && (uintptr_t)packed->memory % 256) {
        return fsattn_fail(err, FSATTN_INVALID, "packed.memory: is not aligned to 256 bytes");
    }
    return FSATTN_OK;
}

static fsattn_status check_plan(const fsattn_context *context, const fsattn_plan *plan, fsattn_err *err) {
    FSATTN_TRY(fsattn_context_owns(context, plan, err));
    FSATTN_TRY(fsattn_problem_check(&plan->problem, err));
    const fsattn_shape shape = fsattn_shape_of(&plan->problem);
    if (!fsattn_entry_fits(plan->entry, &shape)) {
        fsattn_fail(err, FSATTN_INVALID, "plan: its problem is not the one it was found for");
        fsattn_hint(err, "call fsattn_plan_find for each problem");
        return FSATTN_INVALID;
    }
    return FSATTN_OK;
}

fsattn_status fsattn_pack(fsattn_context *context, const fsattn_plan *plan, const fsattn_arguments *arguments,
                          fsattn_packed *packed, fsattn_err *err) {
    fsattn_arguments own;
    fsattn_packed made;
    fsattn_gpu_chain chain;
    const char *layout;
    size_t needed;
    operands at = {.k.name = "k", .v.name = "v"};
    FSATTN_TRY(check_plan(context, plan, err));
    FSATTN_TRY(fsattn_sized_read("arguments", arguments, &own, sizeof own, err));
    FSATTN_TRY(fsattn_sized_read("packed", packed, &made, sizeof made, err));
    FSATTN_TRY(packing_of(plan, &chain, &layout, &needed, err));
    FSATTN_TRY(check_memory(&made, needed, err));
    FSATTN_TRY(check_keys(&plan->problem, &own, NULL, 0, &at, err));
    FSATTN_TRY(fsattn_prepare(context, plan, err));
    if (needed) {
        operand target = {.name = "packed.memory", .first = (uintptr_t)made.memory, .end = (uintptr_t)made.memory + needed};
        FSATTN_TRY(check_overlap(&target, &at.k, err));
        FSATTN_TRY(check_overlap(&target, &at.v, err));
        const memories in = {.packed_kv = made.memory};
        FSATTN_TRY(launch_chain(plan->entry, &chain, &plan->problem, &at, &in, phase_pack, own.stream, err));
    }
    made.problem = plan->problem;
    made.k = own.k;
    made.v = own.v;
    snprintf(made.layout, sizeof made.layout, "%s", layout);
    return fsattn_sized_write("packed", packed, &made, sizeof made, err);
}

/* Whether a plan can read what was packed. */
static fsattn_status check_packed(const fsattn_plan *plan, const fsattn_packed *packed, const char *layout, size_t needed,
                                  fsattn_err *err) {
    const fsattn_problem *has = &packed->problem, *needs = &plan->problem;
    const struct {
        const char *name;
        int64_t has, needs;
    } fields[] = {{"batch", has->batch, needs->batch},
                  {"heads_kv", has->heads_kv, needs->heads_kv},
                  {"s_k", has->s_k, needs->s_k},
                  {"head_dim", has->head_dim, needs->head_dim},
                  {"dtype_kv", has->dtype_kv, needs->dtype_kv}};
    if (!packed->layout[0]) {
        fsattn_fail(err, FSATTN_INVALID, "packed: holds nothing yet");
        fsattn_hint(err, "call fsattn_pack first");
        return FSATTN_INVALID;
    }
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        if (fields[i].has != fields[i].needs) {
            return fsattn_fail(err, FSATTN_INVALID, "packed.problem.%s: is %" PRId64 ", the plan's is %" PRId64,
                               fields[i].name, fields[i].has, fields[i].needs);
        }
    }
    if (strcmp(packed->layout, layout) != 0) {
        fsattn_fail(err, FSATTN_INVALID, "packed: lies as '%s', this plan needs '%s'", packed->layout, layout);
        fsattn_hint(err, "pack K and V for this plan too, or take a plan for the layout they have");
        return FSATTN_INVALID;
    }
    return check_memory(packed, needed, err);
}

fsattn_status fsattn_run_packed(fsattn_context *context, const fsattn_plan *plan, const fsattn_packed *packed,
                                const fsattn_arguments *arguments, fsattn_err *err) {
    fsattn_arguments own;
    fsattn_packed from;
    fsattn_gpu_chain chain;
    const char *layout;
    size_t needed;
    operands at;
    FSATTN_TRY(check_plan(context, plan, err));
    FSATTN_TRY(fsattn_sized_read("arguments", arguments, &own, sizeof own, err));
    FSATTN_TRY(fsattn_sized_read("packed", packed, &from, sizeof from, err));
    FSATTN_TRY(packing_of(plan, &chain, &layout, &needed, err));
    FSATTN_TRY(check_packed(plan, &from, layout, needed, err));
    if (own.k.data || own.v.data) {
        return fsattn_fail(err, FSATTN_INVALID, "arguments.%s.data: is set, K and V are packed", own.k.data ? "k" : "v");
    }
    own.k = from.k;
    own.v = from.v;
    void *packed_kv = needed ? from.memory : NULL;
    FSATTN_TRY(check_operands(&plan->problem, &own, packed_kv, needed, &at, err));
    FSATTN_TRY(fsattn_prepare(context, plan, err));
    return rule_of(plan->entry->record)->run(context, plan->entry, &plan->problem, &at, &own, packed_kv, err);
}

fsattn_status fsattn_run(fsattn_context *context, const fsattn_plan *plan, const fsattn_arguments *arguments,
                         fsattn_err *err) {
    fsattn_arguments own;
    operands at;
    FSATTN_TRY(check_plan(context, plan, err));
    FSATTN_TRY(fsattn_sized_read("arguments", arguments, &own, sizeof own, err));
    FSATTN_TRY(check_operands(&plan->problem, &own, NULL, 0, &at, err));
    FSATTN_TRY(fsattn_prepare(context, plan, err));
    return rule_of(plan->entry->record)->run(context, plan->entry, &plan->problem, &at, &own, NULL, err);
}
