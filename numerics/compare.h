/* compare.h - how far an output is from what it should be. */
#ifndef FSATTN_COMPARE_H
#define FSATTN_COMPARE_H

#include "fsattn.h"

/* Sums over everything that was added; a pair in which exactly one side is NaN, or the infinities differ, counts as
 * `mismatches` and enters no sum. Zero-initialised is empty. */
typedef struct fsattn_comparison {
    double difference2, expected2, actual2, product; /* sums of squares and of products */
    double maximum_error;                             /* largest |actual - expected| */
    int64_t count, mismatches;
} fsattn_comparison;

void fsattn_comparison_add(fsattn_comparison *comparison, const float *actual, const float *expected, size_t count);
void fsattn_comparison_merge(fsattn_comparison *into, const fsattn_comparison *from);
/* ||actual - expected|| / ||expected|| (Frobenius). 0 when both are zero, infinite when only the expected one is or anything
 * mismatches: NaN never passes a threshold. */
double fsattn_comparison_error(const fsattn_comparison *comparison);
/* Cosine similarity; 1 when both are zero, 0 when one is or anything mismatches. */
double fsattn_comparison_cosine(const fsattn_comparison *comparison);

#endif
