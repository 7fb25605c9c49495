#include "pack_expect.h"

#include "error.h"
#include "mx.h"

#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { lanes = 64, group_rows = 32, tile_keys = fsattn_packing_keys_per_tile, unused_scale = 127, scale_max = 254, scale_nan = 255, e4m3_nan = 0x7f };

/* Room for one tile on its way. */
typedef struct bench {
    float rows[tile_keys * 128];
    uint8_t codes[tile_keys * 128], scales[tile_keys * 4], tile[tile_keys * 128 + 2048];
} bench;

static bool element_of(fsattn_operand_format format, fsattn_format *element) {
    switch (format) {
    case FSATTN_OPERAND_MXFP8:
    case FSATTN_OPERAND_FP8:
        *element = FSATTN_FORMAT_E4M3;
        return true;
    case FSATTN_OPERAND_MXFP6:
        *element = FSATTN_FORMAT_E2M3;
        return true;
    case FSATTN_OPERAND_MXFP4:
        *element = FSATTN_FORMAT_E2M1;
        return true;
    default:
        return false;
    }
}

/* Rows first .. first + count - 1 of a head, multiplied and rotated when `factor` is not 0. */
static void take_rows(const float *from, int64_t stride, int64_t first, int64_t count, int d, float factor, float *rows) {
    for (int64_t i = 0; i < count; i++) {
        memcpy(rows + i * d, from + (first + i) * stride, (size_t)d * sizeof *rows);
        if (factor != 0) {
            for (int e = 0; e < d; e++) {
                rows[i * d + e] *= factor;
            }
            fsattn_hadamard(rows + i * d, d);
        }
    }
}

static int64_t least(int64_t a, int64_t b) {
    return a < b ? a : b;
}

/* Bytes of a tile's fragments, without scales. */
static size_t fragment_bytes(const fsattn_packing *packing, int64_t rows) {
    return (size_t)rows * (size_t)packing->head_dim * (size_t)fsattn_format_describe(packing->element)->bits / 8;
}

/* ---- Q ---- */

/* The power of two in Q's scales: the units of a doubling that the exponential takes. */
static int shift_of(fsattn_exponential exponential) {
    return exponential == FSATTN_EXPONENTIAL_SCHRAUDOLPH_U16_BF16 ? -9 : exponential == FSATTN_EXPONENTIAL_SCHRAUDOLPH_U8_E4M3 ? 3 : 0;
}

static uint8_t shifted(uint8_t scale, int shift) {
    const int moved = scale + shift;
    return scale == scale_nan ? scale : (uint8_t)(moved < 0 ? 0 : moved > scale_max ? scale_max : moved);
}

static void pack_group(const fsattn_packing *packing, bench *b, int rows, int shift, uint8_t *group) {
    const int blocks = packing->head_dim / 32;
    const size_t bytes = fragment_bytes(packing, group_rows);
    fsattn_packing_quantize(packing, b->rows, rows, 0, b->codes, b->scales);
    fsattn_packing_pack(packing, b->codes, b->scales, b->tile);
    memcpy(group, b->tile, bytes);
    for (int lane = 0; lane < lanes; lane++) {
        for (int h = 0; h < 4; h++) {
            const int block = 2 * h + lane / 32;
            group[bytes + (size_t)(lane * 4 + h)] =
                block < blocks ? shifted(b->scales[lane % 32 * blocks + block], shift) : unused_scale;
        }
    }
}

/* ---- K and V ---- */

/* Tiles of 64 keys: half of the fragments; of the scales the bytes (K) or dwords (V) of keys that are there. */
static void pack_tile(const fsattn_packing *packing, bench *b, int keys, int64_t tile_n, float tensor_scale, uint8_t *to) {
    fsattn_packing_quantize(packing, b->rows, keys, tensor_scale, b->codes, b->scales);
    fsattn_packing_pack(packing, b->codes, b->scales, b->tile);
    const size_t whole = fragment_bytes(packing, tile_keys), bytes = fragment_bytes(packing, tile_n);
    const bool key_operand = packing->operand == FSATTN_PACKING_K;
    memcpy(to, b->tile, bytes);
    if (!packing->scaled && isnan(tensor_scale)) {
        memset(to, e4m3_nan, bytes); /* keys that are missing are divided by the scale like all others */
    }
    if (!packing->scaled) {
        return;
    }
    const int dwords = key_operand ? packing->head_dim / 64 : tile_keys / 64, kept = key_operand ? dwords : (int)tile_n / 64;
    for (int lane = 0; lane < lanes; lane++) {
        for (int at = 0; at < kept * 4; at++) {
            const bool used = !key_operand || at % 4 < tile_n / 32;
            to[bytes + (size_t)(lane * kept * 4 + at)] =
                used ? b->tile[whole + (size_t)(lane * dwords * 4 + at)] : unused_scale;
        }
    }
}

static float tensor_scale_of(const fsattn_problem *p, const fsattn_qkv *qkv) {
    float largest = 0;
    for (int64_t item = 0; item < p->batch * p->heads_kv; item++) {
        for (int64_t row = 0; row < p->s_k; row++) {
            const float *at = qkv->v + item / p->heads_kv * qkv->v_strides.b + item % p->heads_kv * qkv->v_strides.h + row * qkv->v_strides.s;
            const float own = fsattn_quantize_amax(at, p->head_dim);
            largest = isnan(largest) || isnan(own) ? NAN : fmaxf(largest, own);
        }
    }
    return largest > 0 || isnan(largest) ? largest / 448.0f : 1.0f;
}

/* ---- BF16 ---- */

static void put_plain(float value, uint8_t *to) {
    fsattn_elements_write(FSATTN_BF16, &value, 1, to);
}

/* Q or K: a fragment is 32 rows and 64 elements, in pieces of 16 bytes: eight elements of a row, two of them side by side. */
static void pack_plain_rows(const float *rows, int64_t count, int64_t padded, int d, uint8_t *to) {
    for (int64_t row = 0; row < padded; row++) {
        for (int e = 0; e < d; e++) {
            const size_t fragment = (size_t)(row / 32 * (d / 64) + e / 64), piece = (size_t)(e % 64 / 16), lane = (size_t)(row % 32 + e / 8 % 2 * 32);
            put_plain(row < count ? rows[row * d + e] : 0, to + fragment * lanes * 64 + piece * 1024 + lane * 16 + (size_t)(e % 8) * 2);
        }
    }
}

/* V: a lane has one element and 32 of 64 keys in P's order, eight to a piece. */
static void pack_plain_columns(const float *rows, int64_t count, int64_t padded, int d, uint8_t *to) {
    for (int64_t at = 0; at < padded; at++) { /* position: chunk, lane group, item */
        const int64_t c = at / 64, g = at % 64 / 32, item = at % 32, key = fsattn_key_at(FSATTN_KEY_ORDER_BIT2, at);
        for (int e = 0; e < d; e++) {
            const size_t fragment = (size_t)(c * (d / 32) + e / 32), lane = (size_t)(e % 32 + 32 * g);
            put_plain(key < count ? rows[key * d + e] : 0,
                      to + fragment * lanes * 64 + (size_t)(item / 8) * 1024 + lane * 16 + (size_t)(item % 8) * 2);
        }
    }
}

/* ---- INT8 ---- */

/* The scale of rows that share one, and what values are multiplied by. */
static float integer_scale(const float *from, int64_t stride, int64_t rows, int d, float *inverse) {
    float largest = 0;
    for (int64_t row = 0; row < rows; row++) {
        const float own = fsattn_quantize_amax(from + row * stride, d);
        largest = isnan(largest) || isnan(own) ? NAN : fmaxf(largest, own);
    }
    *inverse = largest > 0 ? 127.0f / largest : 0.0f;
    return largest > 0 || isnan(largest) ? largest / 127.0f : 1.0f;
}

/* Q or K: a fragment is 32 rows and 64 elements, in two pieces: 16 elements of a row, two of them side by side. */
static void pack_integers(const float *rows, int64_t count, int64_t padded, int d, float inverse, uint8_t *to) {
    for (int64_t row = 0; row < padded; row++) {
        for (int e = 0; e < d; e++) {
            const size_t fragment = (size_t)(row / 32 * (d / 64) + e / 64), piece = (size_t)(e % 64 / 32), lane = (size_t)(row % 32 + e / 16 % 2 * 32);
            const float code = row < count ? rintf(rows[row * d + e] * inverse) : 0;
            to[fragment * lanes * 32 + piece * 1024 + lane * 16 + (size_t)(e % 16)] = (uint8_t)(int8_t)(isnan(code) ? 0 : code);
        }
    }
}

static void put_floats(float value, uint8_t *to) {
    for (int lane = 0; lane < lanes; lane++) {
        memcpy(to + (size_t)lane * 4, &value, sizeof value);
    }
}

typedef struct plan {
    const fsattn_problem *problem;
    const fsattn_qkv *qkv;
    const fsattn_gpu_workspace *workspace;
    uint8_t *memory;
    fsattn_packing q, k, v;
    bool q_plain, v_plain; /* BF16 as it is */
    bool q_integers;       /* INT8 */
    int shift;
    int64_t tile_n;
    float tensor_scale;
} plan;

static void pack_queries(const plan *x, bench *b) {
    const fsattn_problem *p = x->problem;
    const fsattn_strides *s = &x->qkv->q_strides;
    const int d = (int)p->head_dim;
    const float factor = (float)((double)fsattn_problem_scale(p) * 1.4426950408889634074 / sqrt((double)d));
    const int64_t groups = (p->s_q + group_rows - 1) / group_rows;
    const size_t bytes = x->workspace->q_bytes / (size_t)(p->batch * p->heads_q * groups);
    for (int64_t i = 0; i < p->batch * p->heads_q * groups; i++) {
        const int64_t head = i / groups, first = i % groups * group_rows, rows = least(group_rows, p->s_q - first);
        take_rows(x->qkv->q + head / p->heads_q * s->b + head % p->heads_q * s->h, s->s, first, rows, d, x->q_plain || x->q_integers ? 0 : factor, b->rows);
        uint8_t *group = x->memory + x->workspace->q + (size_t)i * bytes;
        if (x->q_plain) {
            pack_plain_rows(b->rows, rows, group_rows, d, group);
            put_floats(factor * (float)(sqrt((double)d) * ldexp(1, x->shift)), group + (size_t)(group_rows * d) * 2);
        } else if (x->q_integers) {
            const int64_t together = 8192 / d, start = first / together * together;
            float inverse;
            const float own = integer_scale(x->qkv->q + head / p->heads_q * s->b + head % p->heads_q * s->h + start * s->s, s->s,
                                            least(together, p->s_q - start), d, &inverse);
            pack_integers(b->rows, rows, group_rows, d, inverse, group);
            put_floats(factor * (float)(sqrt((double)d) * ldexp(1, x->shift)) * own, group + (size_t)(group_rows * d));
        } else {
            pack_group(&x->q, b, (int)rows, x->shift, group);
        }
    }
}

static void pack_keys(const plan *x, bool values, bench *b) {
    const fsattn_problem *p = x->problem;
    const fsattn_strides *s = values ? &x->qkv->v_strides : &x->qkv->k_strides;
    const float *from = values ? x->qkv->v : x->qkv->k;
    const int d = (int)p->head_dim;
    const float factor = values ? 0 : (float)(1 / sqrt((double)d));
    const int64_t tiles = (p->s_k + x->tile_n - 1) / x->tile_n, all = p->batch * p->heads_kv * tiles;
    const size_t bytes = (values ? x->workspace->v_bytes : x->workspace->k_bytes) / (size_t)all;
    for (int64_t i = 0; i < all; i++) {
        const int64_t head = i / tiles, first = i % tiles * x->tile_n, keys = least(x->tile_n, p->s_k - first);
        take_rows(from + head / p->heads_kv * s->b + head % p->heads_kv * s->h, s->s, first, keys, d, x->q_plain || x->q_integers ? 0 : factor, b->rows);
        uint8_t *tile = x->memory + (values ? x->workspace->v : x->workspace->k) + (size_t)i * bytes;
        if (values ? x->v_plain : x->q_plain) {
            (values ? pack_plain_columns : pack_plain_rows)(b->rows, keys, x->tile_n, d, tile);
        } else if (!values && x->q_integers) {
            float inverse;
            const float own = integer_scale(b->rows, d, keys, d, &inverse);
            pack_integers(b->rows, keys, x->tile_n, d, inverse, tile);
            put_floats(own, tile + (size_t)(x->tile_n * d));
        } else {
            pack_tile(values ? &x->v : &x->k, b, (int)keys, x->tile_n, x->tensor_scale, tile);
        }
    }
}

fsattn_status fsattn_pack_expect(const fsattn_emulator_config *formats, int64_t tile_n, const fsattn_problem *problem,
                                 const fsattn_qkv *qkv, const fsattn_gpu_workspace *workspace, uint8_t *memory, fsattn_err *err) {
    fsattn_format qk = FSATTN_FORMAT_E4M3, v = FSATTN_FORMAT_E4M3;
    plan x = {.problem = problem, .qkv = qkv, .workspace = workspace, .memory = memory, .tile_n = tile_n};
    x.q_plain = formats->qk_format == FSATTN_OPERAND_BF16;
    x.v_plain = formats->v_format == FSATTN_OPERAND_BF16;
    x.q_integers = formats->qk_format == FSATTN_OPERAND_INT8;
    x.shift = shift_of(formats->exponential);
    if ((!x.q_plain && !x.q_integers && !element_of(formats->qk_format, &qk)) || formats->qk_format == FSATTN_OPERAND_FP8 ||
        (!x.v_plain && !element_of(formats->v_format, &v)) ||
        (problem->head_dim != 64 && problem->head_dim != 128) || (tile_n != 64 && tile_n != 128)) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "operands in %s and %s, head_dim %lld, tiles of %lld keys: no packing is known",
                           fsattn_operand_format_text(formats->qk_format), fsattn_operand_format_text(formats->v_format),
                           (long long)problem->head_dim, (long long)tile_n);
    }
    const bool scaled = formats->v_format != FSATTN_OPERAND_FP8;
    x.k = (fsattn_packing){FSATTN_PACKING_K, qk, FSATTN_KEY_ORDER_RUNS, (int)problem->head_dim, true};
    x.q = x.k;
    x.v = (fsattn_packing){FSATTN_PACKING_V, v, formats->key_order, (int)problem->head_dim, scaled};
    x.tensor_scale = scaled ? 0 : tensor_scale_of(problem, qkv);
    bench *b = fsattn_alloc(1, sizeof *b);
    if (!b) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory to pack operands");
    }
    pack_queries(&x, b);
    pack_keys(&x, false, b);
    pack_keys(&x, true, b);
    memcpy(memory + workspace->v_scale, &x.tensor_scale, sizeof x.tensor_scale);
    fsattn_free(b);
    return FSATTN_OK;
}

bool fsattn_pack_equal(const fsattn_gpu_workspace *w, const uint8_t *made, const uint8_t *expected, bool tensor_scale,
                       char *where, size_t bytes) {
    const struct {
        const char *name;
        size_t offset, bytes;
    } parts[] = {{"V's scale", w->v_scale, tensor_scale ? sizeof(float) : 0},
                 {"Q", w->q, w->q_bytes},
                 {"K", w->k, w->k_bytes},
                 {"V", w->v, w->v_bytes}};
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        for (size_t at = parts[i].offset; at < parts[i].offset + parts[i].bytes; at++) {
            if (made[at] != expected[at]) {
                snprintf(where, bytes, "packed %s: byte %zu is %02x, not %02x", parts[i].name, at - parts[i].offset, made[at],
                         expected[at]);
                return false;
            }
        }
    }
    return true;
}
