#include "packing.h"

#include <stdio.h>
#include <string.h>

enum { tile_keys = fsattn_packing_keys_per_tile, lanes = fsattn_packing_lanes, items = 32, piece = 16 };

static const struct {
    const char *text;
    int chunk;
} orders[] = {
#define X(name, text, chunk, meaning) {text, chunk},
    FSATTN_KEY_ORDER_LIST(X)
#undef X
};

const char *fsattn_key_order_text(fsattn_key_order order) {
    return orders[order].text;
}

int fsattn_key_order_chunk(fsattn_key_order order) {
    return orders[order].chunk;
}

int64_t fsattn_key_at(fsattn_key_order order, int64_t position) {
    const int64_t chunk = orders[order].chunk, first = position / chunk * chunk;
    const int64_t g = position % chunk / items, i = position % items; /* lane group and item */
    switch (order) {
    case FSATTN_KEY_ORDER_RUNS:
        break;
    case FSATTN_KEY_ORDER_BIT2: /* score tile i / 16, register i % 16 */
        return first + 32 * (i / 16) + 8 * (i % 16 / 4) + 4 * g + i % 4;
    case FSATTN_KEY_ORDER_BITS23: /* score tile i / 4, register i % 4 */
        return first + 16 * (i / 4) + 4 * g + i % 4;
    case FSATTN_KEY_ORDER_FP8_P: /* the unit pairs equal logical k, which E4M3 bytes have in another order */
        return first + 32 * g + 8 * (i % 16 / 4) + i % 4 + 4 * (i / 16);
    }
    return position;
}

void fsattn_packing_text(const fsattn_packing *l, char text[fsattn_packing_text_bytes]) {
    snprintf(text, fsattn_packing_text_bytes, "%s32x64-%s-%s-d%d-%s", l->operand == FSATTN_PACKING_K ? "k" : "v",
             fsattn_format_describe(l->element)->name, orders[l->order].text, l->head_dim, l->scaled ? "mx" : "tensor");
}

/* ---- where everything lies ---- */

static int lane_bytes(const fsattn_packing *l) {
    return items * fsattn_format_describe(l->element)->bits / 8;
}

static int fragments(const fsattn_packing *l) {
    return tile_keys * l->head_dim / (items * lanes);
}

/* Dwords of scales that a lane reads: one for each half of head_dim (K) or 64 positions (V). */
static int scale_dwords(const fsattn_packing *l) {
    return l->operand == FSATTN_PACKING_K ? l->head_dim / 64 : tile_keys / 64;
}

size_t fsattn_packing_tile_bytes(const fsattn_packing *l) {
    return (size_t)(fragments(l) * lanes * lane_bytes(l) + (l->scaled ? lanes * scale_dwords(l) * 4 : 0));
}

size_t fsattn_packing_scales(const fsattn_packing *l) {
    return l->scaled ? (size_t)(tile_keys * l->head_dim / items) : 0;
}

/* Index into codes [128][head_dim] of an item of a fragment's lane. */
static int code_index(const fsattn_packing *l, int fragment, int lane, int item) {
    const int g = lane / 32, row = lane % 32;
    const bool bytes = l->element == FSATTN_FORMAT_E4M3;
    if (l->operand == FSATTN_PACKING_K) {
        const int halves = l->head_dim / 64, t = fragment / halves, h = fragment % halves;
        const int element = bytes ? 16 * g + item % 16 + 32 * (item / 16) : 32 * g + item;
        return (32 * t + row) * l->head_dim + 64 * h + element;
    }
    const int rows = l->head_dim / 32, c = fragment / rows, u = fragment % rows;
    const int64_t key = bytes ? 64 * c + 32 * (item / 16) + 8 * (item % 16 / 4) + 4 * g + item % 4
                              : fsattn_key_at(l->order, 64 * c + 32 * g + item);
    return (int)key * l->head_dim + 32 * u + row;
}

/* Index into the scales of byte `byte` of a lane's dword; -1 where it is not used (V with head_dim 64). */
static int scale_index(const fsattn_packing *l, int lane, int dword, int byte) {
    const int g = lane / 32, row = lane % 32;
    if (l->operand == FSATTN_PACKING_K) {
        return (32 * byte + row) * (l->head_dim / items) + 2 * dword + g;
    }
    return 32 * byte < l->head_dim ? (2 * dword + g) * l->head_dim + 32 * byte + row : -1;
}

/* Byte `byte` of a lane in a fragment: pieces of 16 bytes a lane, the last one shorter. */
static size_t lane_offset(const fsattn_packing *l, int fragment, int lane, int byte) {
    const int bytes = lane_bytes(l), before = byte / piece * piece;
    const int width = bytes - before < piece ? bytes - before : piece;
    return (size_t)(fragment * lanes * bytes + before * lanes + lane * width + byte % piece);
}

static size_t scale_offset(const fsattn_packing *l, int lane, int dword, int byte) {
    return (size_t)(fragments(l) * lanes * lane_bytes(l) + (lane * scale_dwords(l) + dword) * 4 + byte);
}

/* ---- */

void fsattn_packing_pack(const fsattn_packing *l, const uint8_t *codes, const uint8_t *scales, uint8_t *tile) {
    for (int fragment = 0; fragment < fragments(l); fragment++) {
        for (int lane = 0; lane < lanes; lane++) {
            uint8_t own[items], packed[items];
            for (int i = 0; i < items; i++) {
                own[i] = codes[code_index(l, fragment, lane, i)];
            }
            fsattn_format_pack(l->element, own, items, packed);
            for (int byte = 0; byte < lane_bytes(l); byte++) {
                tile[lane_offset(l, fragment, lane, byte)] = packed[byte];
            }
        }
    }
    for (int lane = 0; l->scaled && lane < lanes; lane++) {
        for (int at = 0; at < scale_dwords(l) * 4; at++) {
            const int index = scale_index(l, lane, at / 4, at % 4);
            tile[scale_offset(l, lane, at / 4, at % 4)] = index < 0 ? 127 : scales[index];
        }
    }
}

void fsattn_packing_unpack(const fsattn_packing *l, const uint8_t *tile, uint8_t *codes, uint8_t *scales) {
    for (int fragment = 0; fragment < fragments(l); fragment++) {
        for (int lane = 0; lane < lanes; lane++) {
            uint8_t own[items], packed[items];
            for (int byte = 0; byte < lane_bytes(l); byte++) {
                packed[byte] = tile[lane_offset(l, fragment, lane, byte)];
            }
            fsattn_format_unpack(l->element, packed, items, own);
            for (int i = 0; i < items; i++) {
                codes[code_index(l, fragment, lane, i)] = own[i];
            }
        }
    }
    for (int lane = 0; l->scaled && lane < lanes; lane++) {
        for (int at = 0; at < scale_dwords(l) * 4; at++) {
            const int index = scale_index(l, lane, at / 4, at % 4);
            if (index >= 0) {
                scales[index] = tile[scale_offset(l, lane, at / 4, at % 4)];
            }
        }
    }
}

void fsattn_packing_quantize(const fsattn_packing *l, const float *x, int keys, float tensor_scale, uint8_t *codes,
                            uint8_t *scales) {
    const int d = l->head_dim;
    if (!l->scaled) {
        for (int at = 0; at < tile_keys * d; at++) {
            codes[at] = at >= keys * d ? 0
                                       : (uint8_t)fsattn_format_encode(l->element, (double)x[at] / (double)tensor_scale,
                                                                       FSATTN_OVERFLOW_SATURATE);
        }
        return;
    }
    float block[items];
    uint8_t own[items];
    const bool rows = l->operand == FSATTN_PACKING_K;
    const int blocks = rows ? d / items : tile_keys / items, lines = rows ? tile_keys : d;
    for (int line = 0; line < lines; line++) {
        for (int b = 0; b < blocks; b++) {
            int index[items];
            for (int i = 0; i < items; i++) {
                index[i] = rows ? line * d + b * items + i : (int)fsattn_key_at(l->order, b * items + i) * d + line;
                block[i] = index[i] < keys * d ? x[index[i]] : 0;
            }
            fsattn_mx_quantize(fsattn_mx_rule_usual(l->element), l->element, block, 1, items, 0, own,
                               &scales[rows ? line * blocks + b : b * lines + line]);
            for (int i = 0; i < items; i++) {
                codes[index[i]] = own[i];
            }
        }
    }
}
