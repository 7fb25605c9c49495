/* entry.h - one record of one cache file, as this context sees it: may it run here, for which problems, how
 * good is it.
 *
 * An entry is made once, when its file is added, lives until the context is closed and never changes, except
 * for what preparing it puts into its state. A record that cannot run here becomes an entry all the same,
 * with the reason: it is never chosen, and can be explained.
 */
#ifndef FSATTN_ENTRY_H
#define FSATTN_ENTRY_H

#include "device.h"
#include "gpu_chain.h"
#include "fsc.h"
#include "fsc_interval.h"
#include "memory.h"

#include <stdatomic.h>

/* A problem's fields as they are compared: two shapes are equal exactly when fsattn_problem_equal says so. */
typedef struct fsattn_shape {
    int64_t batch, heads_q, heads_kv, s_q, s_k;
    uint64_t kind; /* element types, layout, mask, log-sum-exp, head_dim: what no kernel takes at run time */
    float scale;   /* resolved */
} fsattn_shape;

/* Of a problem that passes fsattn_problem_check. */
fsattn_shape fsattn_shape_of(const fsattn_problem *problem);
bool fsattn_shape_equal(const fsattn_shape *a, const fsattn_shape *b);

/* Where a context runs. Borrowed strings. */
typedef struct fsattn_place {
    fsattn_target target;
    const fsattn_device_properties *device;
} fsattn_place;

/* `ready` is set once, by whoever prepares first; kernels are read only after it has been. */
typedef struct fsattn_entry_state {
    atomic_bool ready;
    atomic_bool hopeless; /* what its source gives here has failed: it is not compiled anew again */
    fsattn_kernel *kernels[fsattn_gpu_stage_limit]; /* of each stage */
} fsattn_entry_state;

struct fsattn_entry {
    const fsattn_context *context; /* its owner */
    const fsattn_fsc_record *record;
    const char *cache;   /* path of the file */
    unsigned priority;   /* of the file: 0 is the highest */
    unsigned remoteness; /* of its time: 0 from a device like this one, 1 with other units or driver, 2 from
                            another device */
    const char *refusal; /* why it cannot run here, or NULL */
    const fsattn_accuracy_entry *accuracy; /* what requests are compared with, or NULL */
    fsattn_shape shape;
    bool has_interval;
    fsattn_fsc_interval interval; /* of sizes that it serves at a known price */
    fsattn_entry_state *state;
};
typedef struct fsattn_entry fsattn_entry;

/* The name of the input distribution whose accuracy requests are compared with. */
#define FSATTN_ACCURACY_DISTRIBUTION "normal"

/* Fills in an entry but for `context`, `cache`, `priority` and `state`. A refusal is written into `arena`. */
fsattn_status fsattn_entry_init(fsattn_entry *entry, const fsattn_fsc_record *record,
                                const fsattn_place *place, fsattn_arena *arena, fsattn_err *err);
/* Whether code for the ISA `wanted` ("x86_64+avx2+fma", "gfx950:xnack-") runs on a device of the ISA
 * `offered`: equal architecture, and every feature of the first is one of the second. An empty text is no
 * ISA. */
bool fsattn_isa_covers(const char *offered, const char *wanted);

/* Whether code made from the record's source could run here: it is for this kind of device and this kernel ABI, was verified, can be
 * launched, only its ISA is another, and nobody has found that it fails. */
bool fsattn_entry_rebuildable(const fsattn_entry *entry, const fsattn_place *place);
/* Whether both records are compiled from the same sources with the same options, so that what fails for one fails for the other. */
bool fsattn_entry_same_source(const fsattn_entry *a, const fsattn_entry *b);

/* Order of preference among entries of one problem: usable, winners, measured, timed, least remote, fastest,
 * cache of higher priority, more accurate, identity. Below 0 when a is preferred. */
int fsattn_entry_compare(const fsattn_entry *a, const fsattn_entry *b);
/* Whether the kernel computes that problem: equal, or different only in what it takes at run time. */
bool fsattn_entry_fits(const fsattn_entry *entry, const fsattn_shape *shape);
/* Whether its interval has that shape, which its kernel then computes. */
bool fsattn_entry_covers(const fsattn_entry *entry, const fsattn_shape *shape);
/* Whether its measured accuracy meets every demand. What was not measured meets none. */
bool fsattn_entry_accurate(const fsattn_entry *entry, const fsattn_accuracy *wanted);

#endif
