/* pack_expect.h - the packed operands that quantize_gfx950's kernels must leave, computed with numerics: codes and scales are
 * compared for equality, no tolerance.
 *
 * The layout is docs/gfx950.md's ("Packed operands"): tiles of 128 keys are numerics/packing.h's, tiles of 64 keys the first half of
 * one that holds no more keys, a group of Q the first fragments of a tile of K that holds 32 rows.
 */
#ifndef FSATTN_PACK_EXPECT_H
#define FSATTN_PACK_EXPECT_H

#include "emulator.h"
#include "gpu_chain.h"

/* Writes q, k, v and v_scale of the workspace (partials are left alone); `memory` has workspace->bytes. FSATTN_UNSUPPORTED for
 * formats that are not packed in this way. */
fsattn_status fsattn_pack_expect(const fsattn_emulator_config *formats, int64_t tile_n, const fsattn_problem *problem,
                                 const fsattn_qkv *qkv, const fsattn_gpu_workspace *workspace, uint8_t *memory, fsattn_err *err);
/* Whether `made` holds the same operands; otherwise `where` (of `bytes`) says which byte of which differs. */
bool fsattn_pack_equal(const fsattn_gpu_workspace *workspace, const uint8_t *made, const uint8_t *expected, bool tensor_scale,
                       char *where, size_t bytes);

#endif
