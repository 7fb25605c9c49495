/* reference.h - attention in float64: what accuracy is measured against. */
#ifndef FSATTN_REFERENCE_H
#define FSATTN_REFERENCE_H

#include "tensor.h"

/* softmax(scale * Q K^T) V of the selected rows, everything in double, rounded to float once: o [rows.count, head_dim] dense,
 * lse [rows.count] natural logarithm or NULL. A key that is masked contributes nothing, whatever K and V hold there;
 * a row without a live key gives 0 and -inf. NaN and infinity travel as IEEE 754 says. `blocks` may be NULL. Uses all
 * cores. FSATTN_NO_MEMORY is the only failure. Source: paper, section 2. */
fsattn_status fsattn_reference_attention(const fsattn_problem *problem, const fsattn_qkv *qkv,
                                         const fsattn_block_mask *blocks, fsattn_rows rows, float *o, float *lse,
                                         fsattn_err *err);

#endif
