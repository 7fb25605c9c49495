/* index.h - all entries of a context, arranged for lookup.
 *
 * Immutable once made, so that any number of threads read it without a lock: a context publishes a new one
 * and keeps the old ones until it is closed. What may serve a problem was decided by the serving key
 * (problem, ISA, ABI), which the file's reader and the entries' refusals have compared; what is looked up
 * here is the problem alone, field by field.
 */
#ifndef FSATTN_INDEX_H
#define FSATTN_INDEX_H

#include "entry.h"

/* The entries of one problem in order of preference: winners, then defaults, then those that cannot run here.
 */
typedef struct fsattn_index_group {
    fsattn_shape shape;
    const fsattn_entry *const *entries;
    size_t winners, defaults, refused;
    bool has_interval; /* one of its winners has */
    double log2_s_q, log2_s_k, log2_heads; /* of batch * heads_q */
} fsattn_index_group;

typedef struct fsattn_index fsattn_index;

/* `entries` is copied, what it points to must outlive the index. */
fsattn_status fsattn_index_create(const fsattn_entry *const *entries, size_t count, fsattn_index **index,
                                  fsattn_err *err);
void fsattn_index_destroy(fsattn_index *index); /* accepts NULL */

/* The group of exactly this problem, or NULL. */
const fsattn_index_group *fsattn_index_exact(const fsattn_index *index, const fsattn_shape *shape);
/* Groups of one kind, in order of their problems' texts; *count is 0 when there is none. */
const fsattn_index_group *const *fsattn_index_kind(const fsattn_index *index, uint64_t kind, size_t *count);
/* Number `i` of the groups with winners, in order of their problems' texts; NULL past the last one. */
const fsattn_index_group *fsattn_index_tuned(const fsattn_index *index, size_t i);

/* What a search found. */
typedef struct fsattn_choice {
    const fsattn_entry *entry;
    fsattn_plan_source source;
    double distance;
} fsattn_choice;

/* The plan of fsattn_plan_find. False when there is none. No lock, no allocation. */
bool fsattn_index_choose(const fsattn_index *index, const fsattn_shape *shape, const fsattn_accuracy *wanted,
                         fsattn_choice *choice);

/* The record whose source to compile anew for that problem, or NULL: of those tuned for exactly it, else of the nearest tuned problem,
 * unless a winner of exactly it or of that one serves already. No lock, no allocation. */
const fsattn_entry *fsattn_index_rebuildable(const fsattn_index *index, const fsattn_shape *shape, const fsattn_place *place);
/* What this record's source gives has failed here: neither it nor another record of the same source is rebuildable any more. */
void fsattn_index_rule_out(const fsattn_index *index, const fsattn_entry *entry);

#endif
