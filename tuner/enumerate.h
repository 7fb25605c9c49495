/* enumerate.h - the valid configurations of a space in one setting, without listing them.
 *
 * The valid set is a layered graph: parameters are bound one after another, in an order chosen from the constraints'
 * structure; a constraint is evaluated as soon as the last parameter that it reads is bound, once for each
 * combination of those parameters; partial configurations that can only be completed in the same ways share
 * one node. Each node knows how many valid completions it has, so counting, the i-th configuration, uniform sampling and
 * lookup all take time proportional to the number of parameters, and none of them ever yields an invalid one.
 *
 * Invariants: index 0 .. count - 1 and valid configurations correspond one to one; the order depends on the space's contents
 * alone, not on the order of the YAML file. Immutable after creation and without Lua: any number of threads may
 * use one. Creation uses the manifest's Lua state (one thread at a time). Keeps a pointer to the space.
 */
#ifndef FSATTN_ENUMERATE_H
#define FSATTN_ENUMERATE_H

#include "space.h"

typedef struct fsattn_enumeration fsattn_enumeration;

enum { fsattn_rejection_limit = 16 };
/* One combination of values that a constraint refused. */
typedef struct fsattn_rejection {
    const fsattn_space_constraint *constraint; /* its reason, file and place */
    const char *values; /* of the parameters that it reads: "tile_m=32 reg_m=6" */
} fsattn_rejection;

typedef struct fsattn_enumeration_statistics {
    double raw;           /* configurations before constraints (may exceed 2^64) */
    uint64_t valid;       /* after them */
    uint64_t evaluations; /* calls into Lua */
    uint64_t checks;      /* constraint results asked for, remembered ones included */
    uint64_t nodes, edges;
    size_t memory_bytes;  /* most held at once while building */
} fsattn_enumeration_statistics;

/* Builds the valid set. No valid configuration at all is not an error (count 0). FSATTN_INVALID when the constraints
 * leave more partial configurations than fit (16 Mi nodes) or 2^63 valid ones; FSATTN_PARSE, with file, line and column,
 * when a constraint raises an error or yields no boolean. */
fsattn_status fsattn_enumeration_create(const fsattn_space *space, const fsattn_setting *setting,
                                        fsattn_enumeration **enumeration, fsattn_err *err);
void fsattn_enumeration_destroy(fsattn_enumeration *enumeration);

uint64_t fsattn_enumeration_count(const fsattn_enumeration *enumeration);
const fsattn_enumeration_statistics *fsattn_enumeration_statistics_of(const fsattn_enumeration *enumeration);
/* The first refused combinations, at most one for each constraint first, then more of them; *count <= fsattn_rejection_limit. */
const fsattn_rejection *fsattn_enumeration_rejections(const fsattn_enumeration *enumeration, size_t *count);
/* FSATTN_INVALID when nothing is valid; the hint names the constraint that refused most (a configuration counts for the first
 * that refused it). */
fsattn_status fsattn_enumeration_check(const fsattn_enumeration *enumeration, fsattn_err *err);

/* How many raw configurations a constraint of the space refused (a configuration counts for the first that refused it). 0 in a
 * replay, which has no constraints. */
double fsattn_enumeration_refused(const fsattn_enumeration *enumeration, size_t constraint);

/* The index-th valid configuration, index < count. */
void fsattn_enumeration_at(const fsattn_enumeration *enumeration, uint64_t index, fsattn_config *config);
/* Index of a configuration; false when it is not valid in this space. */
bool fsattn_enumeration_find(const fsattn_enumeration *enumeration, const fsattn_config *config, uint64_t *index);
/* Uniform over the valid set (with replacement), a function of (seed, stream, draw); count must not be 0. */
uint64_t fsattn_enumeration_sample(const fsattn_enumeration *enumeration, uint64_t seed, uint64_t stream,
                                   uint64_t draw);
/* A seeded permutation of 0 .. count - 1 without memory: position-th index of the random order, position < count.
 * Taking the first N positions samples without replacement. */
uint64_t fsattn_enumeration_shuffled(const fsattn_enumeration *enumeration, uint64_t seed, uint64_t position);

typedef enum fsattn_neighbourhood {
    FSATTN_NEIGHBOURS_ANY,      /* exactly one parameter has another value */
    FSATTN_NEIGHBOURS_ADJACENT, /* one int, real or bool parameter has the next smaller or larger value that is valid;
                                   one enum parameter has any other */
} fsattn_neighbourhood;
/* Appends to neighbours[0 .. limit - 1] the indices of the valid neighbours of a valid configuration, ordered by
 * parameter, then value; returns how many there are (may exceed `limit`; call with limit 0 to count). */
size_t fsattn_enumeration_neighbours(const fsattn_enumeration *enumeration, uint64_t index,
                                     fsattn_neighbourhood neighbourhood, uint64_t *neighbours, size_t limit);

#endif
