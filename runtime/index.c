#include "index.h"

#include "error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct kind_row {
    uint64_t kind;
    size_t first, count; /* in by_kind */
} kind_row;

struct fsattn_index {
    fsattn_arena arena; /* of everything below */
    const fsattn_entry **entries;
    size_t entry_count;
    fsattn_index_group *groups; /* by text */
    size_t group_count;
    const fsattn_index_group **tuned;
    size_t tuned_count;
    const fsattn_index_group **by_kind;
    kind_row *kinds; /* by kind */
    size_t kind_count;
    uint32_t *slots; /* open addressing: number of the group + 1, or 0 */
    size_t slot_mask;
};

static uint64_t mix(uint64_t hash, uint64_t value) {
    hash = (hash ^ value) * 0x9e3779b97f4a7c15u; /* 2^64 / golden ratio */
    return hash ^ hash >> 29;
}

/* The scale is left out: problems that differ in it alone are few, and are told apart by the comparison. */
static uint64_t hash_of(const fsattn_shape *shape) {
    uint64_t hash = mix(shape->kind, (uint64_t)shape->s_q);
    hash = mix(hash, (uint64_t)shape->s_k);
    hash = mix(hash, (uint64_t)shape->batch);
    hash = mix(hash, (uint64_t)shape->heads_q);
    return mix(hash, (uint64_t)shape->heads_kv);
}

/* ---- building ------------------------------------------------------------------------------- */

/* What entries are sorted by, close together: sorting ten thousand of them is mostly waiting for memory. */
typedef struct sortable {
    uint64_t key; /* of the text the first bytes behind what all texts begin with; decides nearly always */
    const char *text;
    const fsattn_entry *entry;
} sortable;

static uint64_t key_of(const char *text) {
    uint64_t key = 0;
    for (size_t i = 0; i < sizeof key; i++) {
        key = key << 8 | (unsigned char)*text;
        text += *text != 0; /* orders as strcmp does: what ends is followed by zeros */
    }
    return key;
}

/* How many bytes all texts begin with. */
static size_t common_bytes(const sortable *rows, size_t count) {
    size_t common = count ? strlen(rows[0].text) : 0;
    for (size_t i = 1; i < count; i++) {
        size_t same = 0;
        while (same < common && rows[i].text[same] == rows[0].text[same]) {
            same++;
        }
        common = same;
    }
    return common;
}

static int compare_entries(const void *left, const void *right) {
    const sortable *a = left, *b = right;
    if (a->key != b->key) {
        return a->key < b->key ? -1 : 1;
    }
    int texts = strcmp(a->text, b->text);
    return texts ? texts : fsattn_entry_compare(a->entry, b->entry);
}

/* Into index->entries, by the problems' texts and in order of preference among those of one problem. */
static int sort_entries(fsattn_index *index, const fsattn_entry *const *entries, size_t count) {
    sortable *rows = fsattn_alloc(count, sizeof *rows);
    if (!rows) {
        return -1;
    }
    for (size_t i = 0; i < count; i++) {
        rows[i] = (sortable){0, entries[i]->record->problem_text, entries[i]};
    }
    const size_t common = common_bytes(rows, count);
    for (size_t i = 0; i < count; i++) {
        rows[i].key = key_of(rows[i].text + common);
    }
    qsort(rows, count, sizeof rows[0], compare_entries);
    for (size_t i = 0; i < count; i++) {
        index->entries[i] = rows[i].entry;
    }
    fsattn_free(rows);
    return 0;
}

static int compare_kinds(const void *left, const void *right) {
    const fsattn_index_group *a = *(const fsattn_index_group *const *)left;
    const fsattn_index_group *b = *(const fsattn_index_group *const *)right;
    if (a->shape.kind != b->shape.kind) {
        return a->shape.kind < b->shape.kind ? -1 : 1;
    }
    return (a > b) - (a < b); /* groups lie in order of text */
}

static void group_add(fsattn_index_group *group, const fsattn_entry *entry) {
    if (entry->refusal) {
        group->refused++;
    } else if (entry->record->role == FSATTN_ROLE_WINNER) {
        group->winners++;
        group->has_interval |= entry->has_interval;
    } else {
        group->defaults++;
    }
}

/* Sorted entries become groups of equal problems. */
static void make_groups(fsattn_index *index, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const fsattn_shape *shape = &index->entries[i]->shape;
        fsattn_index_group *group = index->group_count ? &index->groups[index->group_count - 1] : NULL;
        if (!group || !fsattn_shape_equal(&group->shape, shape)) {
            group = &index->groups[index->group_count++];
            *group = (fsattn_index_group){.shape = *shape,
                                          .entries = &index->entries[i],
                                          .log2_s_q = log2((double)shape->s_q),
                                          .log2_s_k = log2((double)shape->s_k),
                                          .log2_heads = log2((double)shape->batch * (double)shape->heads_q)};
        }
        group_add(group, index->entries[i]);
    }
}

static void make_tables(fsattn_index *index) {
    for (size_t i = 0; i < index->group_count; i++) {
        const fsattn_index_group *group = &index->groups[i];
        if (group->winners) {
            index->tuned[index->tuned_count++] = group;
        }
        index->by_kind[i] = group;
        size_t slot = hash_of(&group->shape) & index->slot_mask;
        while (index->slots[slot]) {
            slot = (slot + 1) & index->slot_mask;
        }
        index->slots[slot] = (uint32_t)(i + 1);
    }
    qsort(index->by_kind, index->group_count, sizeof index->by_kind[0], compare_kinds);
    for (size_t i = 0; i < index->group_count; i++) {
        uint64_t kind = index->by_kind[i]->shape.kind;
        if (!index->kind_count || index->kinds[index->kind_count - 1].kind != kind) {
            index->kinds[index->kind_count++] = (kind_row){.kind = kind, .first = i};
        }
        index->kinds[index->kind_count - 1].count++;
    }
}

fsattn_status fsattn_index_create(const fsattn_entry *const *entries, size_t count, fsattn_index **index,
                                  fsattn_err *err) {
    fsattn_index *made = count < UINT32_MAX / 4 ? fsattn_alloc(1, sizeof *made) : NULL;
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "index: out of memory for %zu records", count);
    }
    size_t slot_count = 2;
    while (slot_count < 2 * count) {
        slot_count *= 2;
    }
    made->slot_mask = slot_count - 1;
    made->entry_count = count;
    made->entries = fsattn_arena_alloc(&made->arena, count, sizeof made->entries[0]);
    made->groups = fsattn_arena_alloc(&made->arena, count, sizeof made->groups[0]);
    made->tuned = fsattn_arena_alloc(&made->arena, count, sizeof made->tuned[0]);
    made->by_kind = fsattn_arena_alloc(&made->arena, count, sizeof made->by_kind[0]);
    made->kinds = fsattn_arena_alloc(&made->arena, count, sizeof made->kinds[0]);
    made->slots = fsattn_arena_alloc(&made->arena, slot_count, sizeof made->slots[0]);
    if (!made->entries || !made->groups || !made->tuned || !made->by_kind || !made->kinds || !made->slots ||
        sort_entries(made, entries, count)) {
        fsattn_index_destroy(made);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "index: out of memory for %zu records", count);
    }
    make_groups(made, count);
    make_tables(made);
    *index = made;
    return FSATTN_OK;
}

void fsattn_index_destroy(fsattn_index *index) {
    if (index) {
        fsattn_arena_fini(&index->arena);
        fsattn_free(index);
    }
}

/* ---- looking up ----------------------------------------------------------------------------- */

const fsattn_index_group *fsattn_index_exact(const fsattn_index *index, const fsattn_shape *shape) {
    for (size_t slot = hash_of(shape) & index->slot_mask; index->slots[slot];
         slot = (slot + 1) & index->slot_mask) {
        const fsattn_index_group *group = &index->groups[index->slots[slot] - 1];
        if (fsattn_shape_equal(&group->shape, shape)) {
            return group;
        }
    }
    return NULL;
}

const fsattn_index_group *const *fsattn_index_kind(const fsattn_index *index, uint64_t kind, size_t *count) {
    size_t low = 0, high = index->kind_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (index->kinds[middle].kind < kind) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < index->kind_count && index->kinds[low].kind == kind;
    *count = found ? index->kinds[low].count : 0;
    return found ? &index->by_kind[index->kinds[low].first] : NULL;
}

const fsattn_index_group *fsattn_index_tuned(const fsattn_index *index, size_t i) {
    return i < index->tuned_count ? index->tuned[i] : NULL;
}

/* The preferred one of `count` entries from `first` on that computes the problem accurately enough, or NULL.
 */
static const fsattn_entry *pick(const fsattn_index_group *group, size_t first, size_t count,
                                const fsattn_shape *shape, const fsattn_accuracy *wanted) {
    for (size_t i = first; i < first + count; i++) {
        if (fsattn_entry_fits(group->entries[i], shape) && fsattn_entry_accurate(group->entries[i], wanted)) {
            return group->entries[i];
        }
    }
    return NULL;
}

typedef struct point {
    double s_q, s_k, heads;
} point;

static point point_of(const fsattn_shape *shape) {
    return (point){.s_q = log2((double)shape->s_q),
                   .s_k = log2((double)shape->s_k),
                   .heads = log2((double)shape->batch * (double)shape->heads_q)};
}

static double distance_to(const fsattn_index_group *group, const point *from) {
    double q = group->log2_s_q - from->s_q, k = group->log2_s_k - from->s_k,
           h = group->log2_heads - from->heads;
    return q * q + k * k + h * h;
}

/* The nearest winner, or the nearest default; the first by text of equally near ones. */
static bool choose_nearest(const fsattn_index_group *const *groups, size_t count, bool winners,
                           const fsattn_shape *shape, const fsattn_accuracy *wanted, fsattn_choice *choice) {
    const point from = point_of(shape);
    const fsattn_entry *best = NULL;
    double best_distance = INFINITY;
    for (size_t i = 0; i < count; i++) {
        double distance = distance_to(groups[i], &from);
        if (distance >= best_distance) {
            continue;
        }
        const fsattn_entry *entry =
            winners ? pick(groups[i], 0, groups[i]->winners, shape, wanted)
                    : pick(groups[i], groups[i]->winners, groups[i]->defaults, shape, wanted);
        if (entry) {
            best = entry;
            best_distance = distance;
        }
    }
    if (!best) {
        return false;
    }
    *choice = (fsattn_choice){.entry = best,
                              .source = winners ? FSATTN_PLAN_NEAREST : FSATTN_PLAN_DEFAULT,
                              .distance = winners ? best_distance : 0};
    return true;
}

/* Whether `a` goes before `b`; both have the shape in their intervals. The nearer does. Of two tiers the less accurate one does: what serves a
 * tier was measured against all that is as accurate, so of those that will do nothing is cheaper, but for its price. */
static bool covers_better(const fsattn_entry *a, double a_distance, const fsattn_entry *b, double b_distance) {
    const bool tiers = *a->interval.tier && *b->interval.tier && strcmp(a->interval.tier, b->interval.tier) != 0;
    const fsattn_provenance provenances[] = {a->record->cost.provenance, b->record->cost.provenance};
    if (!tiers || !a->accuracy || !b->accuracy || provenances[0] != provenances[1] || a->remoteness != b->remoteness) {
        return a_distance < b_distance;
    }
    return a->accuracy->relative_error > b->accuracy->relative_error;
}

/* The winner whose interval has the shape; of several of one group the preferred one. */
static bool choose_covering(const fsattn_index_group *const *groups, size_t count, const fsattn_shape *shape,
                            const fsattn_accuracy *wanted, fsattn_choice *choice) {
    const point from = point_of(shape);
    const fsattn_entry *best = NULL;
    double best_distance = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const size_t winners = groups[i]->has_interval ? groups[i]->winners : 0;
        for (size_t j = 0; j < winners; j++) {
            const fsattn_entry *entry = groups[i]->entries[j];
            if (!fsattn_entry_covers(entry, shape) || !fsattn_entry_accurate(entry, wanted)) {
                continue;
            }
            const double distance = distance_to(groups[i], &from);
            if (!best || covers_better(entry, distance, best, best_distance)) {
                best = entry;
                best_distance = distance;
            }
            break;
        }
    }
    if (best) {
        *choice = (fsattn_choice){.entry = best, .source = FSATTN_PLAN_INTERVAL, .distance = best_distance};
    }
    return best != NULL;
}

bool fsattn_index_choose(const fsattn_index *index, const fsattn_shape *shape, const fsattn_accuracy *wanted,
                         fsattn_choice *choice) {
    const fsattn_index_group *exact = fsattn_index_exact(index, shape);
    for (size_t i = 0; exact && i < exact->winners; i++) {
        if (fsattn_entry_accurate(exact->entries[i], wanted)) {
            *choice = (fsattn_choice){.entry = exact->entries[i], .source = FSATTN_PLAN_TUNED};
            return true;
        }
    }
    size_t count;
    const fsattn_index_group *const *groups = fsattn_index_kind(index, shape->kind, &count);
    return choose_covering(groups, count, shape, wanted, choice) || choose_nearest(groups, count, true, shape, wanted, choice) ||
           choose_nearest(groups, count, false, shape, wanted, choice);
}

static const fsattn_entry *rebuildable_of(const fsattn_index_group *group, const fsattn_shape *shape, const fsattn_place *place) {
    const size_t usable = group->winners + group->defaults;
    for (size_t i = usable; i < usable + group->refused; i++) {
        if (fsattn_entry_fits(group->entries[i], shape) && fsattn_entry_rebuildable(group->entries[i], place)) {
            return group->entries[i];
        }
    }
    return NULL;
}

const fsattn_entry *fsattn_index_rebuildable(const fsattn_index *index, const fsattn_shape *shape, const fsattn_place *place) {
    const fsattn_index_group *exact = fsattn_index_exact(index, shape);
    const bool served = exact && exact->winners;
    const fsattn_entry *best = exact && !served ? rebuildable_of(exact, shape, place) : NULL;
    if (served || best) {
        return best;
    }
    const point from = point_of(shape);
    const fsattn_accuracy any = {0};
    double best_distance = INFINITY;
    size_t count;
    const fsattn_index_group *const *groups = fsattn_index_kind(index, shape->kind, &count);
    for (size_t i = 0; i < count; i++) {
        const double distance = distance_to(groups[i], &from);
        if (distance >= best_distance) {
            continue;
        }
        const bool serves = pick(groups[i], 0, groups[i]->winners, shape, &any) != NULL;
        const fsattn_entry *entry = serves ? NULL : rebuildable_of(groups[i], shape, place);
        if (serves || entry) {
            best = entry;
            best_distance = distance;
        }
    }
    return best;
}

void fsattn_index_rule_out(const fsattn_index *index, const fsattn_entry *entry) {
    for (size_t i = 0; i < index->entry_count; i++) {
        if (fsattn_entry_same_source(index->entries[i], entry)) {
            atomic_store_explicit(&index->entries[i]->state->hopeless, true, memory_order_relaxed);
        }
    }
}
