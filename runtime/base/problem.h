/* problem.h - what can be said about an attention problem without running it: text, key, work.
 *
 * The text (fsattn_problem_text in fsattn.h) is canonical: every field that affects a launch stands in it, in fixed
 * order, so that equal problems have equal texts and the text can be hashed and compared.
 */
#ifndef FSATTN_PROBLEM_H
#define FSATTN_PROBLEM_H

#include "fsattn.h"
#include "hash.h"

/* Whether the text is exactly what fsattn_problem_text writes for a valid problem, which then is *problem. */
bool fsattn_problem_parse_canonical(const char *text, fsattn_problem *problem, fsattn_err *err);
fsattn_hash fsattn_problem_hash(const fsattn_problem *problem);
bool fsattn_problem_equal(const fsattn_problem *a, const fsattn_problem *b);

/* Query-key pairs that the mask leaves alive, over all batches and query heads. */
double fsattn_problem_live_pairs(const fsattn_problem *problem);
/* 4 * head_dim * live pairs: the FLOP of the two GEMMs, the field's convention. */
double fsattn_problem_flop(const fsattn_problem *problem);
/* Bytes of Q, K, V and O touched once. */
double fsattn_problem_bytes(const fsattn_problem *problem);
/* The scale applied to Q K^T: `scale`, or 1/sqrt(head_dim) when it is 0. */
float fsattn_problem_scale(const fsattn_problem *problem);

const char *fsattn_dtype_text(fsattn_dtype dtype);
unsigned fsattn_dtype_bits(fsattn_dtype dtype);
const char *fsattn_layout_text(fsattn_layout layout);
const char *fsattn_mask_text(fsattn_mask mask);

#endif
