/* fsc_interval.h - how far from its own problem a record serves at a known price: its attributes `interval.*` (FORMAT.md).
 *
 * Owns their names, their reading and the words for them. They are optional: whoever does not know them reads the record as if it had
 * none, and what is malformed here counts as none. Who finds them: tuner/bisect.h.
 */
#ifndef FSATTN_FSC_INTERVAL_H
#define FSATTN_FSC_INTERVAL_H

#include "fsc.h"

/* X(NAME, text, sizes): what varies, as spaces write it, and which of fsattn_fsc_sizes have its value. */
#define FSATTN_FSC_INTERVAL_AXIS_LIST(X)                                                                     \
    X(BATCH, "b", 1)                                                                                             \
    X(HEADS, "h", 2 | 4) /* heads_q and heads_kv */                                                             \
    X(S_Q, "sq", 8)                                                                                           \
    X(S_K, "sk", 16)                                                                                          \
    X(S_BOTH, "s", 8 | 16) /* s_q and s_k */
typedef enum fsattn_fsc_interval_axis {
#define X(name, text, sizes) FSATTN_FSC_AXIS_##name,
    FSATTN_FSC_INTERVAL_AXIS_LIST(X)
#undef X
} fsattn_fsc_interval_axis;
enum { fsattn_fsc_interval_axis_count = FSATTN_FSC_AXIS_S_BOTH + 1 };

/* What a range may run over. */
typedef struct fsattn_fsc_sizes {
    int64_t value[5]; /* batch, heads_q, heads_kv, s_q, s_k */
} fsattn_fsc_sizes;

typedef struct fsattn_fsc_interval {
    fsattn_fsc_interval_axis axis;
    int64_t from, to; /* both included */
    int64_t shapes;   /* measured inside, >= 1 */
    double regret;    /* the most that this kernel took there beyond the best that was found for the shape, as a share of that; >= 0 */
    double beyond;    /* the same at the next measured shapes outside; NaN: there are none */
    const char *tier; /* of the space, whose best is meant (spaces/README.md); "": the best of all */
    const char *equivalent; /* identities that were as fast within noise at the record's own problem, each with its worst regret
                               inside, "12AB:0.01 34CD:0.02"; "" */
} fsattn_fsc_interval;

/* Names of the attributes, in their order. X(NAME, text) */
#define FSATTN_FSC_INTERVAL_ATTRIBUTE_LIST(X)                                                                \
    X(AXIS, "interval.axis")                                                                                 \
    X(BEYOND, "interval.beyond")                                                                             \
    X(EQUIVALENT, "interval.equivalent")                                                                     \
    X(FROM, "interval.from")                                                                                 \
    X(REGRET, "interval.regret")                                                                             \
    X(SHAPES, "interval.shapes")                                                                             \
    X(TIER, "interval.tier")                                                                                 \
    X(TO, "interval.to")
enum fsattn_fsc_interval_attribute {
#define X(name, text) FSATTN_FSC_INTERVAL_ATTRIBUTE_##name,
    FSATTN_FSC_INTERVAL_ATTRIBUTE_LIST(X)
#undef X
    fsattn_fsc_interval_attribute_count
};
#define FSATTN_FSC_INTERVAL_PREFIX "interval."
const char *fsattn_fsc_interval_attribute_name(int attribute);

const char *fsattn_fsc_interval_axis_text(fsattn_fsc_interval_axis axis);
/* False: no axis is called so. */
bool fsattn_fsc_interval_axis_find(const char *text, fsattn_fsc_interval_axis *axis);

/* False: the record has none. `tier` and `equivalent` point into the record. */
bool fsattn_fsc_interval_of(const fsattn_fsc_record *record, fsattn_fsc_interval *interval);
fsattn_fsc_sizes fsattn_fsc_sizes_of(const fsattn_problem *problem);
/* Whether sizes `asked` lie in the interval of a record with sizes `own`. */
bool fsattn_fsc_interval_covers(const fsattn_fsc_interval *interval, const fsattn_fsc_sizes *own, const fsattn_fsc_sizes *asked);
/* Whether the sizes differ along one axis alone: that axis, and its values in `a` and in `b`. */
bool fsattn_fsc_interval_axis_between(const fsattn_fsc_sizes *a, const fsattn_fsc_sizes *b, fsattn_fsc_interval_axis *axis, int64_t *from, int64_t *to);
/* "s 1024 .. 5792: at most 0.8% slower than the best found at 3 measured shapes, 12% at the next ones outside"; of a tier
 * "s 1024 .. 5792 in tier mxfp6: at most 0.8% slower than the best found that is as accurate at 3 ...". */
void fsattn_fsc_interval_tell(const fsattn_fsc_interval *interval, fsattn_text *text);

#endif
