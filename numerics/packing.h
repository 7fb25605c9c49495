/* packing.h - K and V as the matrix unit of gfx950 reads them: which keys share a scale, and tiles packed for copies of 16 bytes a lane.
 *
 * S^T = K Q^T leaves a lane with the scores of one query and of keys that are not neighbours; P goes into O^T = V^T P^T as it
 * lies there, so V is stored in that order and P's and V's MX blocks are the 32 keys of one lane (v_mfma_scale_f32_32x32x64:
 * register r of lane group g = lane / 32 holds row 8 (r / 4) + 4 g + r % 4). "Position" below is the place in that order.
 *
 * A packed tile holds 128 keys of one head. Fragments of 64 lanes come first: for each, 64 x 16 bytes and then, where a
 * lane's 32 codes fill more, 64 x the rest (8 for E2M3, 16 for E4M3). Lane L is row L % 32 of the fragment and holds the
 * items of group g = L / 32. Then the scales, 64 lanes x 8 bytes (4 x head_dim / 64 for K):
 *   K: fragment 2 t + h is keys 32 t .. 32 t + 31 and elements 64 h .. 64 h + 63; item i of E2M3 and E2M1 is element 64 h + 32 g + i,
 *      of E4M3 element 64 h + 16 g + i % 16 + 32 (i / 16). Scale dword h, byte t is that of key 32 t + L % 32, block 2 h + g.
 *   V: fragment c * head_dim / 32 + u is positions 64 c .. 64 c + 63 and elements 32 u .. 32 u + 31; item i of E2M3 and E2M1 is position
 *      64 c + 32 g + i, of E4M3 (always against E4M3 probabilities) key 64 c + 32 (i / 16) + 8 (i % 16 / 4) + 4 g + i % 4.
 *      Scale dword c, byte u is that of element 32 u + L % 32, block 2 c + g.
 * E2M3 with head_dim 128: 8 x 1536 + 512 = 12800 bytes; E2M1 8704; E4M3 16896, V without scales 16384.
 * Sources: facts of the gfx950 operand maps (CDNA4 ISA, section 7); the order of fragments and of scale dwords is ours.
 * Refuses nothing: shapes are the caller's duty. Pure functions.
 */
#ifndef FSATTN_PACKING_H
#define FSATTN_PACKING_H

#include "mx.h"

enum { fsattn_packing_keys_per_tile = 128, fsattn_packing_lanes = 64 };

/* X(NAME, text, keys after which the order repeats, meaning) */
#define FSATTN_KEY_ORDER_LIST(X)                                                                             \
    X(RUNS, "runs", 32, "blocks of 32 neighbours, in order")                                                 \
    X(BIT2, "bit2", 64, "blocks of the keys of a 64-key chunk with equal bit 2 (32x32x64, 4- and 6-bit P)")  \
    X(BITS23, "bits23", 128, "blocks of the keys of a 128-key chunk with equal bits 2 and 3 (16x16x128)")    \
    X(FP8_P, "fp8_p", 64, "blocks of 32 neighbours, permuted inside (32x32x64, 4- and 6-bit V against E4M3 P)")
typedef enum fsattn_key_order {
#define X(name, text, chunk, meaning) FSATTN_KEY_ORDER_##name,
    FSATTN_KEY_ORDER_LIST(X)
#undef X
} fsattn_key_order;
enum { fsattn_key_order_count = FSATTN_KEY_ORDER_FP8_P + 1 };

const char *fsattn_key_order_text(fsattn_key_order order);
/* Keys after which the order repeats: a tile is a multiple of it. */
int fsattn_key_order_chunk(fsattn_key_order order);
/* Key at a position. Block b is positions 32 b .. 32 b + 31. */
int64_t fsattn_key_at(fsattn_key_order order, int64_t position);

typedef enum fsattn_packing_operand { FSATTN_PACKING_K, FSATTN_PACKING_V } fsattn_packing_operand;

typedef struct fsattn_packing {
    fsattn_packing_operand operand;
    fsattn_format element;  /* E4M3, E2M3 or E2M1 */
    fsattn_key_order order; /* V: of the positions; K: RUNS */
    int head_dim;           /* 64 or 128 */
    bool scaled;            /* MX; otherwise one scale for the tensor, kept elsewhere */
} fsattn_packing;

enum { fsattn_packing_text_bytes = 32 };
/* "k32x64-e2m3-runs-d128-mx": stands in keys and in packed tensors' headers; equal packings have equal texts. */
void fsattn_packing_text(const fsattn_packing *packing, char text[fsattn_packing_text_bytes]);
size_t fsattn_packing_tile_bytes(const fsattn_packing *packing);
/* Scales of a tile: [128][head_dim / 32] of K, [4][head_dim] of V (block, element); 0 when not scaled. */
size_t fsattn_packing_scales(const fsattn_packing *packing);

/* Quantizes `keys` <= 128 rows of head_dim values, as they are after scaling and rotation, into codes [128][head_dim] and scales; keys
 * that are missing get codes 0 and are zeros to their blocks, so that every scale is finite. Not scaled: codes of x / scale,
 * `tensor_scale` as in the operand format "fp8"; `scales` unused. */
void fsattn_packing_quantize(const fsattn_packing *packing, const float *x, int keys, float tensor_scale, uint8_t *codes,
                            uint8_t *scales);
/* Codes [128][head_dim] and scales to fsattn_packing_tile_bytes, and back. */
void fsattn_packing_pack(const fsattn_packing *packing, const uint8_t *codes, const uint8_t *scales, uint8_t *tile);
void fsattn_packing_unpack(const fsattn_packing *packing, const uint8_t *tile, uint8_t *codes, uint8_t *scales);

#endif
