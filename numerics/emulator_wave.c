#include "emulator_wave.h"

#include "memory.h"

#include <math.h>
#include <string.h>

bool fsattn_wave_init(fsattn_wave *w, const fsattn_emulator *e, int64_t head, int64_t first_row) {
    const fsattn_problem *p = &e->problem;
    const int64_t d = p->head_dim, b = head / p->heads_q, h = head % p->heads_q;
    const int64_t head_kv = b * p->heads_kv + h / (p->heads_q / p->heads_kv);
    *w = (fsattn_wave){.e = e, .first_row = first_row};
    w->k = e->k + head_kv * p->s_k * d;
    w->v = e->v + head_kv * p->s_k * d;
    w->rows = (int)(p->s_q - first_row < e->config.wave_rows ? p->s_q - first_row : e->config.wave_rows);
    w->lanes = (w->rows + fsattn_gemm_lanes - 1) / fsattn_gemm_lanes * fsattn_gemm_lanes;
    const fsattn_affine affine = fsattn_exponential_affine(e->config.exponential);
    w->unit = ldexpf(1.0f, affine.shift);
    w->zero = affine.zero;
    const size_t lanes = (size_t)w->lanes, tile = (size_t)e->config.tile_n * lanes;
    const size_t floats = 2 * (size_t)d * lanes + 6 * lanes + tile;
    w->memory = fsattn_alloc_aligned(64, floats * sizeof(float) + tile * 3 + 2 * lanes, 1);
    if (!w->memory) {
        return false;
    }
    float *at = w->memory;
    w->q = at, at += (size_t)d * lanes;
    w->o = at, at += (size_t)d * lanes;
    w->maximum = at, at += lanes;
    w->sum = at, at += lanes;
    w->seed = at, at += lanes;
    w->top = at, at += lanes;
    w->shift = at, at += lanes;
    w->largest = at, at += lanes;
    w->p = at, at += tile;
    w->codes = (uint16_t *)at;
    w->dead = (uint8_t *)(w->codes + tile);
    w->seeded = w->dead + tile;
    w->poisoned = w->seeded + lanes;
    const float remaining = ldexpf(1.0f, affine.shift - e->quantizer_shift);
    const float *q = e->q + (head * p->s_q + first_row) * d;
    for (int r = 0; r < w->rows; r++) {
        w->maximum[r] = -INFINITY;
        for (int64_t x = 0; x < d; x++) {
            w->q[x * w->lanes + r] = q[r * d + x] * remaining;
        }
    }
    return true;
}

void fsattn_wave_fini(fsattn_wave *w) {
    fsattn_free(w->memory);
}

/* The maximum that a row without a live key is measured from is 0, so that everything stays finite. */
static float finite_maximum(float maximum) {
    return maximum == -INFINITY ? 0 : maximum;
}

/* Marks masked keys of the tile; the largest live accumulator value of each row, NaN left out, and whether there is a NaN or
 * an infinite one, for which softmax has no value. */
static void mask_and_top(fsattn_wave *w, int64_t first_key, int keys) {
    const fsattn_emulator *e = w->e;
    const bool masks = e->problem.mask != FSATTN_MASK_NONE || e->blocks;
    w->any_dead = false;
    for (int r = 0; r < w->lanes; r++) {
        w->top[r] = -INFINITY;
        w->poisoned[r] = 0;
        for (int j = 0; j < keys; j++) {
            const bool live =
                r < w->rows && (!masks || fsattn_key_live(&e->problem, e->blocks, w->first_row + r, first_key + j));
            w->dead[j * w->lanes + r] = !live;
            w->any_dead |= !live && r < w->rows;
            if (live) {
                const float a = w->p[j * w->lanes + r];
                w->top[r] = fmaxf(w->top[r], a);
                w->poisoned[r] |= isnan(a) || a == INFINITY;
            }
        }
    }
}

static void rescale(fsattn_wave *w, int r, float factor) {
    w->sum[r] *= factor;
    w->largest[r] *= factor;
    for (int64_t x = 0; x < w->e->problem.head_dim; x++) {
        w->o[x * w->lanes + r] *= factor;
    }
}

/* Division by 2^doublings, exact down to the smallest subnormal. */
static void rescale_doublings(fsattn_wave *w, int r, float doublings) {
    const int exponent = doublings > 1000 ? -1000 : -(int)doublings;
    if (w->e->planted == FSATTN_PLANTED_MISSING_RESCALE) {
        return;
    }
    w->largest[r] = ldexpf(w->largest[r], exponent);
    w->sum[r] = ldexpf(w->sum[r], exponent);
    for (int64_t x = 0; x < w->e->problem.head_dim; x++) {
        w->o[x * w->lanes + r] = ldexpf(w->o[x * w->lanes + r], exponent);
    }
}

/* ---- the three ways to keep a maximum; each leaves in `shift` what turns accumulator values into a ---- */

static void online(fsattn_wave *w) {
    for (int r = 0; r < w->rows; r++) {
        const float before = w->maximum[r], after = fmaxf(before, w->top[r]);
        const float difference = (before - finite_maximum(after)) / w->unit;
        rescale(w, r, fsattn_exponential_value(FSATTN_EXPONENTIAL_EXACT, 0, difference));
        w->maximum[r] = after;
        w->shift[r] = w->zero - finite_maximum(after);
    }
}

/* Rows whose first live key is in this tile take its maximum exactly; their values came with another seed. A row of which the
 * tile shows nothing but NaN and -inf stays unseeded, as there is nothing to measure from. */
static void seed_rows(fsattn_wave *w, bool first_tile) {
    for (int r = 0; r < w->rows; r++) {
        w->shift[r] = 0;
        if (w->seeded[r] || w->top[r] == -INFINITY) {
            if (first_tile) {
                w->shift[r] = w->zero;
            }
            continue;
        }
        w->seeded[r] = 1;
        w->maximum[r] = first_tile ? w->top[r] : w->top[r] - w->zero; /* an unseeded row's seed was `zero` */
        w->shift[r] = (first_tile ? w->zero : 0.0f) - finite_maximum(w->maximum[r]);
        w->top[r] = w->zero;
    }
}

static void lazy(fsattn_wave *w) {
    const float gate = w->zero + (float)w->e->config.threshold * w->unit;
    bool fired = false;
    for (int r = 0; r < w->rows; r++) {
        if (w->top[r] > gate) {
            const float lag = (w->top[r] - w->zero) / w->unit;
            w->shift[r] -= lag * w->unit;
            w->maximum[r] += lag * w->unit;
            rescale(w, r, fsattn_exponential_value(FSATTN_EXPONENTIAL_EXACT, 0, -lag));
            fired = true;
        }
    }
    w->rollbacks += fired;
}

/* 16-bit codes of the tile, dead keys 0. */
static void make_codes(fsattn_wave *w, int keys) {
    for (int j = 0; j < keys; j++) {
        for (int r = 0; r < w->rows; r++) {
            const int at = j * w->lanes + r;
            w->codes[at] = w->dead[at] ? 0
                                       : (uint16_t)fsattn_exponential_code(w->e->config.exponential, w->e->config.facts,
                                                                           w->p[at] + w->shift[r]);
        }
    }
}

/* Positions of a tile: its keys in the configured order, filled up to whole blocks of that order. */
static int positions(const fsattn_wave *w, int keys) {
    const int chunk = w->e->config.key_order == FSATTN_KEY_ORDER_RUNS ? 1 : fsattn_key_order_chunk(w->e->config.key_order);
    return (keys + chunk - 1) / chunk * chunk;
}

/* Largest code of a block, as unsigned numbers or as v_pk_maximum3_f16 sees them; keys that are missing count as code 0. */
static uint16_t reduce_block(const fsattn_wave *w, int r, int first, int keys, bool maximum3) {
    const int block = w->e->planted == FSATTN_PLANTED_LOST_MATE ? fsattn_mx_block / 2 : fsattn_mx_block;
    const int end = positions(w, keys) - first < block ? positions(w, keys) : first + block;
    uint16_t b = 0;
    for (int position = first; position < end; position++) {
        const int j = (int)fsattn_key_at(w->e->config.key_order, position);
        const uint16_t code = j < keys ? w->codes[j * w->lanes + r] : 0;
        b = position == first ? code : maximum3 ? fsattn_maximum3(w->e->config.facts, b, code) : code > b ? code : b;
    }
    return b;
}

/* Whether a row of the wave exceeds the cap as the configured reduction sees it; *truly: as it is. */
static bool gate_fires(const fsattn_wave *w, int keys, bool *truly) {
    const fsattn_emulator_config *c = &w->e->config;
    const float gate = w->zero + (float)c->cap * w->unit;
    const uint16_t cap_code = (uint16_t)fsattn_exponential_code(c->exponential, c->facts, gate);
    bool fires = false;
    *truly = false;
    for (int r = 0; r < w->rows; r++) {
        *truly |= w->top[r] > gate;
        if (c->reduction == FSATTN_REDUCTION_FP32) {
            fires |= w->top[r] > gate || w->poisoned[r];
        } else {
            for (int first = 0; first < positions(w, keys); first += fsattn_mx_block) {
                const uint16_t b = reduce_block(w, r, first, keys, c->reduction == FSATTN_REDUCTION_MAXIMUM3);
                fires |= c->reduction == FSATTN_REDUCTION_MAXIMUM3 ? fsattn_maximum3_exceeds(b, cap_code) : b > cap_code;
            }
        }
    }
    return fires;
}

/* Lines 9 to 12 for every row of the wave that lags, on the accumulator. */
static void roll_back_accumulator(fsattn_wave *w) {
    for (int r = 0; r < w->rows; r++) {
        const float lag = (w->top[r] - w->zero) / w->unit;
        const float delta = w->top[r] > w->zero && w->seeded[r] ? ceilf(lag) : 0;
        if (delta > 0 && isfinite(delta)) {
            w->shift[r] -= delta * w->unit;
            w->maximum[r] += delta * w->unit;
            w->top[r] -= delta * w->unit;
            rescale_doublings(w, r, delta);
        }
    }
}

/* The same on the 16-bit codes: what lies beyond code 65535 is lost. */
static void roll_back_codes(fsattn_wave *w, int keys) {
    for (int r = 0; r < w->rows; r++) {
        uint16_t b = 0;
        for (int j = 0; j < keys; j++) {
            b = w->codes[j * w->lanes + r] > b ? w->codes[j * w->lanes + r] : b;
        }
        const double lag = ((double)b / 65535.0 - (double)w->zero) / (double)w->unit;
        const int delta = lag > 0 ? (int)ceil(lag) : 0;
        if (delta == 0) {
            continue;
        }
        for (int j = 0; j < keys; j++) {
            uint16_t *code = &w->codes[j * w->lanes + r];
            *code = (uint16_t)(*code > delta * 128 ? *code - delta * 128 : 0);
        }
        w->maximum[r] += (float)delta * w->unit;
        rescale_doublings(w, r, (float)delta);
    }
}

/* Returns FSATTN_GATE_*. Codes, where the exponential has them, are ready afterwards. */
static uint8_t frozen(fsattn_wave *w, int keys, bool codes) {
    const fsattn_emulator_config *c = &w->e->config;
    if (codes) {
        make_codes(w, keys);
    }
    bool truly;
    const bool fires = gate_fires(w, keys, &truly);
    if (c->rollback == FSATTN_ROLLBACK_OFF || !fires) {
        w->missed += truly;
        return truly ? FSATTN_GATE_MISSED : FSATTN_GATE_QUIET;
    }
    w->rollbacks++;
    if (c->rollback == FSATTN_ROLLBACK_CODES) {
        roll_back_codes(w, keys);
        return FSATTN_GATE_FIRED;
    }
    roll_back_accumulator(w);
    if (codes) {
        make_codes(w, keys);
    }
    return FSATTN_GATE_FIRED;
}

/* ---- probabilities ---- */

/* Back from the configured order. */
static void put_row(fsattn_wave *w, int r, int keys, const float *row) {
    for (int position = 0; position < positions(w, keys); position++) {
        const int j = (int)fsattn_key_at(w->e->config.key_order, position);
        if (j < keys) {
            w->p[j * w->lanes + r] = row[position];
        }
    }
}

static void probabilities(fsattn_wave *w, int keys, bool codes) {
    const fsattn_emulator_config *c = &w->e->config;
    for (int j = 0; j < keys; j++) {
        for (int r = 0; r < w->lanes; r++) {
            const int at = j * w->lanes + r;
            if (w->dead[at]) {
                w->p[at] = 0;
            } else if (codes) {
                w->p[at] = fsattn_exponential_decode(c->exponential, w->codes[at]);
            } else if (c->exponential != FSATTN_EXPONENTIAL_DIRECT_P) {
                w->p[at] = fsattn_exponential_value(c->exponential, (int)c->degree, w->p[at] + w->shift[r]);
            } else {
                w->p[at] += w->shift[r];
            }
        }
    }
    float row[1024];
    uint8_t dead[1024];
    const int padded = positions(w, keys);
    for (int r = 0; r < w->rows && c->exponential == FSATTN_EXPONENTIAL_DIRECT_P; r++) {
        for (int position = 0; position < padded; position++) {
            const int j = (int)fsattn_key_at(c->key_order, position), at = j * w->lanes + r;
            row[position] = j < keys ? w->p[at] : 0;
            dead[position] = j < keys ? w->dead[at] : 1;
        }
        fsattn_direct_p(row, dead, padded, row);
        put_row(w, r, keys, row);
    }
}

static void quantize_probabilities(fsattn_wave *w, int keys, bool codes) {
    const fsattn_emulator_config *c = &w->e->config;
    if (c->p_format == FSATTN_P_F32 || c->exponential == FSATTN_EXPONENTIAL_DIRECT_P) {
        return;
    }
    float row[1024];
    uint32_t maxima[1024 / fsattn_mx_block];
    const int padded = positions(w, keys);
    for (int r = 0; r < w->rows; r++) {
        for (int first = 0; codes && first < padded; first += fsattn_mx_block) {
            maxima[first / fsattn_mx_block] =
                (uint32_t)reduce_block(w, r, first, keys, c->reduction == FSATTN_REDUCTION_MAXIMUM3) << 16;
        }
        for (int position = 0; position < padded; position++) {
            const int j = (int)fsattn_key_at(c->key_order, position);
            row[position] = j < keys ? w->p[j * w->lanes + r] : 0;
        }
        fsattn_p_quantize(c->p_format, row, padded, codes ? maxima : NULL);
        put_row(w, r, keys, row);
    }
}

static void note_largest(fsattn_wave *w, int keys) {
    for (int j = 0; j < keys; j++) {
        for (int r = 0; r < w->rows; r++) {
            w->largest[r] = fmaxf(w->largest[r], w->p[j * w->lanes + r]);
        }
    }
}

static void add_row_sums(fsattn_wave *w, int keys) {
    float *tile_sum = w->top; /* no longer needed for this tile */
    memset(tile_sum, 0, (size_t)w->lanes * sizeof *tile_sum);
    fsattn_gemm_ones(w->e->config.accumulation, w->p, w->lanes, keys, tile_sum);
    for (int r = 0; r < w->rows; r++) {
        w->sum[r] += tile_sum[r];
    }
}

static bool values_finite(const fsattn_wave *w, const float *v, int keys) {
    for (int64_t i = 0; i < keys * w->e->problem.head_dim; i++) {
        if (!isfinite(v[i])) {
            return false;
        }
    }
    return true;
}

static uint8_t run_tile(fsattn_wave *w, int64_t first_key, int keys) {
    const fsattn_emulator_config *c = &w->e->config;
    const int d = (int)w->e->problem.head_dim;
    const bool codes = fsattn_exponential_bits(c->exponential) == 16, first = first_key == 0;
    const float *k = w->k + first_key * d, *v = w->v + first_key * d;
    uint8_t gate = FSATTN_GATE_QUIET;
    for (int r = 0; r < w->rows; r++) {
        w->seed[r] = c->softmax == FSATTN_SOFTMAX_ONLINE || first ? 0 : w->zero - finite_maximum(w->maximum[r]);
    }
    fsattn_gemm_scores(c->accumulation, w->q, w->lanes, k, d, keys, d, w->seed, w->p);
    mask_and_top(w, first_key, keys);
    if (c->softmax == FSATTN_SOFTMAX_ONLINE) {
        online(w);
    } else {
        seed_rows(w, first);
    }
    if (fsattn_reduction_sees_nan(c->reduction) &&
        (first || c->softmax != FSATTN_SOFTMAX_FROZEN || c->rollback != FSATTN_ROLLBACK_OFF)) {
        for (int r = 0; r < w->rows; r++) {
            w->sum[r] = w->poisoned[r] ? NAN : w->sum[r];
        }
    }
    if (!first && c->softmax == FSATTN_SOFTMAX_LAZY) {
        lazy(w);
    }
    if (!first && c->softmax == FSATTN_SOFTMAX_FROZEN) {
        gate = frozen(w, keys, codes);
    } else if (codes) {
        make_codes(w, keys);
    }
    probabilities(w, keys, codes);
    if (c->row_sum == FSATTN_ROW_SUM_VECTOR) {
        add_row_sums(w, keys);
    }
    quantize_probabilities(w, keys, codes);
    note_largest(w, keys);
    if (c->row_sum == FSATTN_ROW_SUM_GEMM) {
        fsattn_gemm_ones(c->accumulation, w->p, w->lanes, keys, w->sum);
    }
    fsattn_gemm_values(c->accumulation, w->p, w->lanes, v, d, keys, d,
                       w->any_dead && !values_finite(w, v, keys) ? w->dead : NULL, w->o);
    return gate;
}

void fsattn_wave_run(fsattn_wave *w, uint8_t *gates) {
    const fsattn_problem *p = &w->e->problem;
    int64_t end = p->s_k;
    if (p->mask == FSATTN_MASK_CAUSAL) {
        const int64_t last = w->first_row + w->rows + p->s_k - p->s_q;
        end = last < 0 ? 0 : last < end ? last : end;
    }
    for (int64_t j = 0, tile = 0; j < end; j += w->e->config.tile_n, tile++) {
        const int keys = (int)(end - j < w->e->config.tile_n ? end - j : w->e->config.tile_n);
        const uint8_t gate = run_tile(w, j, keys);
        if (gates) {
            gates[tile] = gate;
        }
    }
}

void fsattn_wave_output(const fsattn_wave *w, int r, float *o, float *lse) {
    const int64_t d = w->e->problem.head_dim;
    const float inverse = 1.0f / w->sum[r];
    for (int64_t x = 0; x < d; x++) {
        o[x] = w->sum[r] == 0 ? 0 : w->o[x * w->lanes + r] * inverse;
    }
    fsattn_elements_round(w->e->problem.dtype_o, o, (size_t)d);
    if (lse) {
        *lse = w->sum[r] == 0 ? -INFINITY
                              : (float)(0.69314718055994530942 *
                                        ((double)w->maximum[r] / (double)w->unit + log2((double)w->sum[r])));
    }
}
