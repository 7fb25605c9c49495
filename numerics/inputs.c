#include "inputs.h"

#include "error.h"
#include "nearest.h"
#include "parallel.h"
#include "random.h"

#include <math.h>
#include <string.h>

static const char *const texts[] = {
#define X(name, text, meaning) text,
    FSATTN_DISTRIBUTION_LIST(X)
#undef X
};
static const char *const meanings[] = {
#define X(name, text, meaning) meaning,
    FSATTN_DISTRIBUTION_LIST(X)
#undef X
};

const char *fsattn_distribution_text(fsattn_distribution distribution) {
    return texts[distribution];
}

const char *fsattn_distribution_meaning(fsattn_distribution distribution) {
    return meanings[distribution];
}

fsattn_status fsattn_distribution_parse(const char *text, fsattn_distribution *distribution, fsattn_err *err) {
    for (int i = 0; i < fsattn_distribution_count; i++) {
        if (!strcmp(text, texts[i])) {
            *distribution = (fsattn_distribution)i;
            return FSATTN_OK;
        }
    }
    fsattn_fail(err, FSATTN_PARSE, "unknown input distribution '%s'", text);
    fsattn_nearest_hint(err, text, texts, fsattn_distribution_count);
    return FSATTN_PARSE;
}

typedef enum role { role_q, role_k, role_v } role;

typedef struct filling {
    fsattn_distribution distribution;
    uint64_t seed;
    const fsattn_problem *problem;
    role role;
    float *data;
    fsattn_strides strides;
    int64_t heads, length;
    fsattn_dtype dtype;
} filling;

/* Element 0 of Q and K carries a part of the score that is the same for every query: Q has `pilot` there, and a key that
 * is to lie x doublings above the others has x / (scale * log2 e * pilot). Distributions that place keys use it; all other
 * elements stay random. */
static const double pilot = 8.0;

static double key_offset(const filling *f, int64_t j) {
    const int64_t s_k = f->problem->s_k;
    if (f->distribution == FSATTN_DISTRIBUTION_LATE_SPIKE) {
        /* Three spikes past the first half, each with companions one, two and three doublings below it. */
        static const double heights[] = {45, 100, 155};
        for (int i = 0; i < 3; i++) {
            int64_t at = s_k / 2 + (s_k - s_k / 2) * (i + 1) / 4;
            if (j >= at && j < at + 4) {
                return heights[i] - (double)(j - at);
            }
        }
        return 0;
    }
    if (f->distribution == FSATTN_DISTRIBUTION_LOW_BLOCKS) {
        return j >= 128 && j / 32 % 2 ? -124.0 - (double)(j / 64 % 5) : 0;
    }
    return 0;
}

static double element(const filling *f, uint64_t row, int64_t j, int64_t e) {
    const int64_t d = f->problem->head_dim;
    const bool score = f->role != role_v;
    uint64_t index = row * (uint64_t)d + (uint64_t)e;
    if (f->distribution == FSATTN_DISTRIBUTION_EQUAL && f->role == role_k) {
        index = row / (uint64_t)f->length * (uint64_t)d + (uint64_t)e; /* the head's first key */
    }
    double x = fsattn_random_normal(f->seed, (uint64_t)f->role, index);
    switch (f->distribution) {
    case FSATTN_DISTRIBUTION_OUTLIERS:
        return score && e % 32 == 5 ? 8 * x : x;
    case FSATTN_DISTRIBUTION_LATE_SPIKE:
    case FSATTN_DISTRIBUTION_LOW_BLOCKS:
        if (score && e == 0) {
            double scale = (double)fsattn_problem_scale(f->problem) * 1.4426950408889634;
            return f->role == role_q ? pilot : key_offset(f, j) / (scale * pilot);
        }
        return x;
    case FSATTN_DISTRIBUTION_TINY:
        return x * 1e-18;
    case FSATTN_DISTRIBUTION_HUGE_SCORES:
        return score ? x * 16 : x * 1e6;
    case FSATTN_DISTRIBUTION_NAN_KEY:
        return f->role == role_k && j == f->length / 3 && e == 1 ? (double)NAN : x;
    case FSATTN_DISTRIBUTION_NAN_VALUE:
        return f->role == role_v && j == f->length / 3 && e == 1 ? (double)NAN : x;
    case FSATTN_DISTRIBUTION_NAN_QUERY:
        return f->role == role_q && j == f->length / 3 && e == 1 ? (double)NAN : x;
    default:
        return x;
    }
}

static void fill_head(void *context, int64_t item) {
    const filling *f = context;
    const int64_t b = item / f->heads, h = item % f->heads, d = f->problem->head_dim;
    for (int64_t j = 0; j < f->length; j++) {
        float *row = f->data + b * f->strides.b + h * f->strides.h + j * f->strides.s;
        for (int64_t e = 0; e < d; e++) {
            row[e] = (float)element(f, (uint64_t)(item * f->length + j), j, e);
        }
        fsattn_elements_round(f->dtype, row, (size_t)d);
    }
}

void fsattn_inputs_fill(fsattn_distribution distribution, uint64_t seed, const fsattn_problem *problem,
                        fsattn_operands *operands) {
    filling f = {distribution, seed, problem, role_q, operands->memory, operands->qkv.q_strides,
                 problem->heads_q, problem->s_q, problem->dtype_q};
    fsattn_parallel_for(0, problem->batch * f.heads, fill_head, &f);
    f.role = role_k;
    f.data = operands->memory + operands->q_elements;
    f.strides = operands->qkv.k_strides;
    f.heads = problem->heads_kv;
    f.length = problem->s_k;
    f.dtype = problem->dtype_kv;
    fsattn_parallel_for(0, problem->batch * f.heads, fill_head, &f);
    f.role = role_v;
    f.data += operands->kv_elements;
    fsattn_parallel_for(0, problem->batch * f.heads, fill_head, &f);
}
