#include "emulator_wave.h"

#include "error.h"
#include "memory.h"
#include "parallel.h"

#include <math.h>
#include <stdatomic.h>
#include <string.h>

/* ---- preparation of the operands ---- */

typedef struct preparation {
    fsattn_emulator *e;
    const fsattn_qkv *qkv;
    float *q, *k, *v;
    fsattn_quantize_options q_options, k_options, v_options;
} preparation;

static void copy_head(float *to, const float *from, fsattn_strides strides, int64_t b, int64_t h, int64_t rows, int64_t d) {
    for (int64_t i = 0; i < rows; i++) {
        memcpy(to + i * d, from + b * strides.b + h * strides.h + i * strides.s, (size_t)d * sizeof *to);
    }
}

static void scale_rotate(float *x, int64_t rows, int64_t d, float factor, bool rotate) {
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t e = 0; e < d; e++) {
            x[i * d + e] *= factor;
        }
        if (rotate) {
            fsattn_hadamard(x + i * d, (int)d);
        }
    }
}

static void smooth(float *k, int64_t keys, int64_t d) {
    for (int64_t e = 0; e < d; e++) {
        double mean = 0;
        for (int64_t j = 0; j < keys; j++) {
            mean += (double)k[j * d + e];
        }
        mean /= (double)keys;
        for (int64_t j = 0; j < keys; j++) {
            k[j * d + e] -= (float)mean;
        }
    }
}

/* Head `item` of Q, then of K and V: copied and transformed, not yet quantized. */
static void transform_head(void *context, int64_t item) {
    preparation *p = context;
    const fsattn_problem *problem = &p->e->problem;
    const fsattn_emulator_config *c = &p->e->config;
    const int64_t d = problem->head_dim, q_heads = problem->batch * problem->heads_q;
    const bool rotate = fsattn_operand_format_rotated(c->qk_format);
    const double scale = (double)fsattn_problem_scale(problem);
    if (item < q_heads) {
        float *q = p->q + item * problem->s_q * d;
        copy_head(q, p->qkv->q, p->qkv->q_strides, item / problem->heads_q, item % problem->heads_q, problem->s_q, d);
        if (!rotate) { /* formats without scales are rounded before the factor, as operands that come in that format */
            fsattn_quantize(c->qk_format == FSATTN_OPERAND_INT8 || c->qk_format == FSATTN_OPERAND_INT4 ? FSATTN_OPERAND_F32
                                                                                                       : c->qk_format,
                            &(fsattn_quantize_options){0}, q, problem->s_q, d);
        }
        scale_rotate(q, problem->s_q, d,
                     rotate ? (float)(scale * 1.4426950408889634074 / sqrt((double)d))
                            : fsattn_problem_scale(problem) * 1.44269504088896340736f,
                     rotate);
        return;
    }
    item -= q_heads;
    float *k = p->k + item * problem->s_k * d, *v = p->v + item * problem->s_k * d;
    copy_head(k, p->qkv->k, p->qkv->k_strides, item / problem->heads_kv, item % problem->heads_kv, problem->s_k, d);
    copy_head(v, p->qkv->v, p->qkv->v_strides, item / problem->heads_kv, item % problem->heads_kv, problem->s_k, d);
    if (c->smooth_k) {
        smooth(k, problem->s_k, d);
    }
    if (rotate) {
        scale_rotate(k, problem->s_k, d, (float)(1.0 / sqrt((double)d)), true);
    }
}

static void quantize_head(void *context, int64_t item) {
    preparation *p = context;
    const fsattn_problem *problem = &p->e->problem;
    const fsattn_emulator_config *c = &p->e->config;
    const int64_t d = problem->head_dim, q_heads = problem->batch * problem->heads_q;
    if (item < q_heads) {
        if (fsattn_operand_format_rotated(c->qk_format) || c->qk_format >= FSATTN_OPERAND_INT8) {
            fsattn_quantize(c->qk_format, &p->q_options, p->q + item * problem->s_q * d, problem->s_q, d);
        }
        return;
    }
    item -= q_heads;
    fsattn_quantize(c->qk_format, &p->k_options, p->k + item * problem->s_k * d, problem->s_k, d);
    fsattn_quantize(c->v_format, &p->v_options, p->v + item * problem->s_k * d, problem->s_k, d);
}

static int quantizer_shift(const fsattn_emulator_config *config) {
    return fsattn_operand_format_scaled(config->qk_format) ? fsattn_exponential_affine(config->exponential).shift : 0;
}

fsattn_status fsattn_emulator_create(const fsattn_emulator_config *config, const fsattn_problem *problem,
                                     const fsattn_qkv *qkv, const fsattn_block_mask *blocks, fsattn_emulator **emulator,
                                     fsattn_err *err) {
    FSATTN_TRY(fsattn_problem_check(problem, err));
    FSATTN_TRY(fsattn_emulator_check(config, err));
    if (problem->head_dim > 1024) {
        return fsattn_fail(err, FSATTN_INVALID, "emulator: head_dim %lld is above 1024", (long long)problem->head_dim);
    }
    if (fsattn_operand_format_rotated(config->qk_format) && (problem->head_dim & (problem->head_dim - 1))) {
        return fsattn_fail(err, FSATTN_INVALID, "emulator: %s rotates Q and K, which needs a head_dim that is a power of two",
                           fsattn_operand_format_text(config->qk_format));
    }
    fsattn_emulator *e = fsattn_alloc(1, sizeof *e);
    const size_t q_elements = (size_t)(problem->batch * problem->heads_q * problem->s_q * problem->head_dim);
    const size_t kv_elements = (size_t)(problem->batch * problem->heads_kv * problem->s_k * problem->head_dim);
    if (!e || !(e->memory = fsattn_alloc_aligned(64, q_elements + 2 * kv_elements, sizeof(float)))) {
        fsattn_free(e);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for the emulator's operands");
    }
    e->config = *config;
    e->problem = *problem;
    e->blocks = blocks;
    preparation p = {.e = e, .qkv = qkv, .q = e->memory, .k = e->memory + q_elements};
    p.v = p.k + kv_elements;
    const int64_t items = problem->batch * (problem->heads_q + problem->heads_kv);
    fsattn_parallel_for(0, items, transform_head, &p);
    e->quantizer_shift = quantizer_shift(config);
    p.q_options = (fsattn_quantize_options){
        .axis = FSATTN_ALONG_COLUMNS, .tile_rows = config->tile_m, .shift = e->quantizer_shift};
    p.k_options = (fsattn_quantize_options){.axis = FSATTN_ALONG_COLUMNS, .tile_rows = config->tile_n};
    p.v_options = (fsattn_quantize_options){
        .axis = FSATTN_ALONG_ROWS, .tile_rows = config->tile_n, .order = config->key_order};
    p.q_options.tensor_amax = fsattn_quantize_amax(p.q, (int64_t)q_elements);
    p.k_options.tensor_amax = fsattn_quantize_amax(p.k, (int64_t)kv_elements);
    p.v_options.tensor_amax = fsattn_quantize_amax(p.v, (int64_t)kv_elements);
    fsattn_parallel_for(0, items, quantize_head, &p);
    double squares = 0;
    for (size_t i = 0; i < kv_elements; i++) { /* of the finite ones: for tolerances */
        const double v = isfinite(p.v[i]) ? (double)p.v[i] : 0;
        squares += v * v;
        e->v_amax = fmaxf(e->v_amax, (float)fabs(v));
    }
    e->v_rms = (float)sqrt(squares / (double)kv_elements);
    e->q = p.q;
    e->k = p.k;
    e->v = p.v;
    *emulator = e;
    return FSATTN_OK;
}

void fsattn_emulator_destroy(fsattn_emulator *emulator) {
    if (emulator) {
        fsattn_free(emulator->memory);
        fsattn_free(emulator);
    }
}

fsattn_status fsattn_emulator_reconfigure(fsattn_emulator *emulator, const fsattn_emulator_config *config,
                                          fsattn_err *err) {
    FSATTN_TRY(fsattn_emulator_check(config, err));
    const fsattn_emulator_config *old = &emulator->config;
    const bool integers = config->qk_format >= FSATTN_OPERAND_INT8 || config->v_format >= FSATTN_OPERAND_INT8;
    if (config->qk_format != old->qk_format || config->v_format != old->v_format || config->smooth_k != old->smooth_k || config->key_order != old->key_order ||
        quantizer_shift(config) != emulator->quantizer_shift ||
        (integers && (config->tile_m != old->tile_m || config->tile_n != old->tile_n))) {
        return fsattn_fail(err, FSATTN_INVALID, "emulator: operands were prepared for other formats");
    }
    emulator->config = *config;
    return FSATTN_OK;
}

/* ---- running ---- */

static int64_t row_at(fsattn_rows rows, size_t index) {
    return rows.rows ? rows.rows[index] : (int64_t)index;
}

static int64_t wave_of(const fsattn_emulator *e, int64_t row) {
    const int64_t waves = (e->problem.s_q + e->config.wave_rows - 1) / e->config.wave_rows;
    return row / e->problem.s_q * waves + row % e->problem.s_q / e->config.wave_rows;
}

static size_t selected_count(const fsattn_emulator *e, fsattn_rows rows) {
    return rows.rows ? rows.count : (size_t)fsattn_problem_rows(&e->problem);
}

int64_t fsattn_emulator_waves(const fsattn_emulator *e, fsattn_rows rows) {
    int64_t count = 0, last = -1;
    for (size_t i = 0; i < selected_count(e, rows); i++) {
        const int64_t wave = wave_of(e, row_at(rows, i));
        count += wave != last;
        last = wave;
    }
    return count;
}

typedef struct run_work {
    const fsattn_emulator *e;
    fsattn_rows rows;
    fsattn_emulator_output *output;
    const size_t *first; /* first selected row of each wave, and the end */
    atomic_bool no_memory;
    atomic_llong rollbacks, missed;
} run_work;

static void run_wave(void *context, int64_t item) {
    run_work *w = context;
    const fsattn_emulator *e = w->e;
    const int64_t waves = (e->problem.s_q + e->config.wave_rows - 1) / e->config.wave_rows;
    const int64_t wave = wave_of(e, row_at(w->rows, w->first[item]));
    fsattn_wave state;
    if (!fsattn_wave_init(&state, e, wave / waves, wave % waves * e->config.wave_rows)) {
        atomic_store(&w->no_memory, true);
        return;
    }
    fsattn_wave_run(&state, w->output->gates ? w->output->gates + item * w->output->tiles : NULL);
    atomic_fetch_add(&w->rollbacks, state.rollbacks);
    atomic_fetch_add(&w->missed, state.missed);
    const int64_t d = e->problem.head_dim;
    for (size_t i = w->first[item]; i < w->first[item + 1]; i++) {
        const int r = (int)(row_at(w->rows, i) % e->problem.s_q - state.first_row);
        fsattn_wave_output(&state, r, w->output->o + (int64_t)i * d, w->output->lse ? &w->output->lse[i] : NULL);
        if (w->output->row_sum) {
            w->output->row_sum[i] = state.sum[r];
        }
        if (w->output->weight) {
            w->output->weight[i] = state.sum[r] == 0 ? 0 : state.largest[r] / state.sum[r];
        }
    }
    fsattn_wave_fini(&state);
}

fsattn_status fsattn_emulator_run(const fsattn_emulator *e, fsattn_rows rows, fsattn_emulator_output *output,
                                  fsattn_err *err) {
    run_work w = {.e = e, .rows = rows, .output = output};
    w.rows.count = selected_count(e, rows);
    output->tiles = (e->problem.s_k + e->config.tile_n - 1) / e->config.tile_n;
    output->waves = fsattn_emulator_waves(e, rows);
    size_t *first = fsattn_alloc((size_t)output->waves + 1, sizeof *first);
    if (!first) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for the emulator");
    }
    int64_t count = 0, last = -1;
    for (size_t i = 0; i < w.rows.count; i++) {
        const int64_t wave = wave_of(e, row_at(rows, i));
        if (wave != last) {
            first[count++] = i;
            last = wave;
        }
    }
    first[count] = w.rows.count;
    w.first = first;
    if (output->gates) {
        memset(output->gates, FSATTN_GATE_QUIET, (size_t)(output->waves * output->tiles));
    }
    fsattn_parallel_for(0, count, run_wave, &w);
    fsattn_free(first);
    output->rollbacks = atomic_load(&w.rollbacks);
    output->missed = atomic_load(&w.missed);
    return atomic_load(&w.no_memory) ? fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for the emulator") : FSATTN_OK;
}
