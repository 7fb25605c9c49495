/* worker.h - what passes between the tuner and a device worker (program fsattn-worker).
 *
 * The worker has three descriptors: 3, a SOCK_SEQPACKET socket for the messages below; 4, the sealed code object; 5, a memfd for
 * outputs. Inputs are generated in the worker; outputs are judged by the tuner, which fills the memfd with poison and
 * canaries before each run and believes nothing but the bytes that it finds afterwards. Messages are structs of one build:
 * both sides are always from the same build.
 *
 * Before a message each output is filled with poison; of several timed runs the worker fills it again after each, and tells a digest
 * of what each left, of which the tuner can compute the last one itself.
 *
 * The memfd holds two segments, LSE then O. Each begins with a canary page; its data end at the segment's last byte (rounded down
 * to 64), behind which the worker maps a page without access. Inputs lie against such pages too, and are read-only.
 */
#ifndef FSATTN_WORKER_H
#define FSATTN_WORKER_H

#include "inputs.h"

enum {
    fsattn_worker_magic = 0x66737731,
    fsattn_worker_samples = 64, /* of one message */
    fsattn_worker_canary = 0xc5,
    fsattn_worker_copies = 512,    /* sets of operands in cold sampling, at most */
    fsattn_worker_cold_factor = 2, /* last-level caches that are touched between two uses of one set */
};

typedef enum fsattn_worker_kind {
    FSATTN_WORKER_LOAD,   /* load the code object, look up the entry */
    FSATTN_WORKER_RUN,    /* inputs as described, one run */
    FSATTN_WORKER_SAMPLE, /* `samples` timed runs with normal inputs */
} fsattn_worker_kind;

typedef struct fsattn_worker_request {
    uint32_t magic;
    fsattn_worker_kind kind;
    char entry[64];         /* LOAD */
    int32_t threads;        /* LOAD: of the device; 0: all cores */
    fsattn_problem problem; /* RUN, SAMPLE */
    fsattn_distribution distribution;
    uint64_t seed;
    bool padded;            /* rows lie apart, those of each operand by another number of elements */
    bool guarded;           /* scratch against a page without access; then one thread works */
    bool cold;              /* SAMPLE: operands rotate through more memory than the last-level cache holds */
    int64_t tile_m;
    uint64_t scratch_bytes;
    uint32_t samples;
} fsattn_worker_request;

typedef struct fsattn_worker_response {
    uint32_t magic;
    fsattn_status status;   /* OK, or why the launch did not happen */
    char reason[400];
    uint32_t count;
    double times_ns[fsattn_worker_samples];
    uint64_t digests[fsattn_worker_samples]; /* of the outputs that each timed run left */
} fsattn_worker_response;

/* Where the outputs of a problem lie in the memfd. */
typedef struct fsattn_worker_layout {
    size_t lse_segment, o_segment; /* bytes, multiples of the page; the segments follow one another */
    size_t lse_offset, o_offset;   /* of the data, from the start of the memfd */
    size_t lse_bytes, o_bytes;     /* lse_bytes 0 when the problem has none */
    size_t total;
    int64_t pitch;                 /* elements of O from one row of head_dim to the next */
    fsattn_strides o_strides;
} fsattn_worker_layout;
void fsattn_worker_layout_of(const fsattn_problem *problem, bool padded, fsattn_worker_layout *layout);

typedef enum fsattn_worker_operand { FSATTN_WORKER_Q, FSATTN_WORKER_K, FSATTN_WORKER_V, FSATTN_WORKER_O } fsattn_worker_operand;
/* Elements from one row to the next. Padded ones are odd and all different: a kernel that takes one operand's stride for
 * another's, or aligned rows for granted, shows. */
int64_t fsattn_worker_pitch(const fsattn_problem *problem, fsattn_worker_operand operand, bool padded);
/* The byte of the n-th poison: 0xff makes a NaN, 0x5a a large number, and the next one always differs. */
int fsattn_worker_poison(unsigned n);
/* Of outputs that lie dense. Fast, and no defence against malice: it finds mistakes. */
uint64_t fsattn_worker_digest(const void *lse, size_t lse_bytes, const void *o, size_t o_bytes);

#endif
