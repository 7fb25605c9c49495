/* inputs.h - named input distributions, made from (seed, element) alone by a counter-based generator.
 *
 * Any process can make any operand on its own, so nothing large is passed around. The same seed gives the same values
 * whatever the strides and whoever asks.
 */
#ifndef FSATTN_INPUTS_H
#define FSATTN_INPUTS_H

#include "tensor.h"

/* X(NAME, text, meaning). Numbers are never stored, texts are. */
#define FSATTN_DISTRIBUTION_LIST(X)                                                                          \
    X(NORMAL, "normal", "standard normal Q, K and V")                                                        \
    X(OUTLIERS, "outliers", "every 32nd channel of Q and K eight times as large")                            \
    X(LATE_SPIKE, "late_spike", "keys late in the sequence whose scores exceed all before by far")           \
    X(EQUAL, "equal", "all keys equal, so that all probabilities are")                                       \
    X(TINY, "tiny", "operands of about 1e-18")                                                               \
    X(HUGE_SCORES, "huge", "scores of hundreds of doublings and V of about 1e6")                             \
    X(LOW_BLOCKS, "low_blocks", "blocks of keys 124 to 128 doublings below the first tile's maximum")        \
    X(NAN_KEY, "nan_key", "normal with one NaN in K")                                                        \
    X(NAN_VALUE, "nan_value", "normal with one NaN in V")                                                    \
    X(NAN_QUERY, "nan_query", "normal with one NaN in Q")
typedef enum fsattn_distribution {
#define X(name, text, meaning) FSATTN_DISTRIBUTION_##name,
    FSATTN_DISTRIBUTION_LIST(X)
#undef X
} fsattn_distribution;
enum { fsattn_distribution_count = FSATTN_DISTRIBUTION_NAN_QUERY + 1 };

const char *fsattn_distribution_text(fsattn_distribution distribution);
const char *fsattn_distribution_meaning(fsattn_distribution distribution);
/* FSATTN_PARSE with the nearest in the hint. */
fsattn_status fsattn_distribution_parse(const char *text, fsattn_distribution *distribution, fsattn_err *err);

/* Fills Q, K and V, each element rounded to the problem's dtypes. */
void fsattn_inputs_fill(fsattn_distribution distribution, uint64_t seed, const fsattn_problem *problem,
                        fsattn_operands *operands);

#endif
