#include "tensor.h"

#include "error.h"
#include "formats.h"
#include "memory.h"

#include <string.h>

fsattn_strides fsattn_strides_dense(fsattn_layout layout, int64_t heads, int64_t length, int64_t head_dim) {
    fsattn_strides s = {.b = heads * length * head_dim};
    s.h = layout == FSATTN_BSHD ? head_dim : length * head_dim;
    s.s = layout == FSATTN_BSHD ? heads * head_dim : head_dim;
    return s;
}

fsattn_status fsattn_operands_init(fsattn_operands *operands, const fsattn_problem *problem, fsattn_err *err) {
    fsattn_operands o = {
        .q_elements = (size_t)(problem->batch * problem->heads_q * problem->s_q * problem->head_dim),
        .kv_elements = (size_t)(problem->batch * problem->heads_kv * problem->s_k * problem->head_dim),
    };
    o.memory = fsattn_alloc_aligned(64, o.q_elements + 2 * o.kv_elements, sizeof(float));
    if (!o.memory) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for operands of %zu elements",
                           o.q_elements + 2 * o.kv_elements);
    }
    o.qkv.q = o.memory;
    o.qkv.k = o.memory + o.q_elements;
    o.qkv.v = o.qkv.k + o.kv_elements;
    o.qkv.q_strides = fsattn_strides_dense(problem->layout, problem->heads_q, problem->s_q, problem->head_dim);
    o.qkv.k_strides = fsattn_strides_dense(problem->layout, problem->heads_kv, problem->s_k, problem->head_dim);
    o.qkv.v_strides = o.qkv.k_strides;
    *operands = o;
    return FSATTN_OK;
}

void fsattn_operands_fini(fsattn_operands *operands) {
    fsattn_free(operands->memory);
    *operands = (fsattn_operands){0};
}

size_t fsattn_dtype_bytes(fsattn_dtype dtype) {
    return fsattn_dtype_bits(dtype) / 8;
}

void fsattn_elements_write(fsattn_dtype dtype, const float *from, size_t count, void *to) {
    uint16_t *half = to;
    switch (dtype) {
    case FSATTN_F32:
        memcpy(to, from, count * sizeof *from);
        break;
    case FSATTN_BF16:
        for (size_t i = 0; i < count; i++) {
            half[i] = fsattn_bf16_from_float(from[i]);
        }
        break;
    case FSATTN_F16:
        for (size_t i = 0; i < count; i++) {
            half[i] = (uint16_t)fsattn_format_encode(FSATTN_FORMAT_F16, (double)from[i], FSATTN_OVERFLOW_SPECIAL);
        }
        break;
    }
}

void fsattn_elements_read(fsattn_dtype dtype, const void *from, size_t count, float *to) {
    const uint16_t *half = from;
    switch (dtype) {
    case FSATTN_F32:
        memcpy(to, from, count * sizeof *to);
        break;
    case FSATTN_BF16:
        for (size_t i = 0; i < count; i++) {
            to[i] = fsattn_bf16_to_float(half[i]);
        }
        break;
    case FSATTN_F16:
        for (size_t i = 0; i < count; i++) {
            to[i] = (float)fsattn_format_decode(FSATTN_FORMAT_F16, half[i]);
        }
        break;
    }
}

void fsattn_elements_round(fsattn_dtype dtype, float *values, size_t count) {
    for (size_t i = 0; i < count && dtype != FSATTN_F32; i++) {
        values[i] = dtype == FSATTN_BF16
                        ? fsattn_bf16_round(values[i])
                        : (float)fsattn_format_round(FSATTN_FORMAT_F16, (double)values[i], FSATTN_OVERFLOW_SPECIAL);
    }
}

int64_t fsattn_problem_rows(const fsattn_problem *problem) {
    return problem->batch * problem->heads_q * problem->s_q;
}
