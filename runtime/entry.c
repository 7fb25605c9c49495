#include "entry.h"

#include "error.h"
#include "run.h"

#include <string.h>

/* X(member, bits): head_dim takes the rest; fsattn_problem_check keeps it below 2^40. */
#define KIND_FIELDS(X) X(dtype_q, 4) X(dtype_kv, 4) X(dtype_o, 4) X(layout, 4) X(mask, 4) X(lse, 1)

fsattn_shape fsattn_shape_of(const fsattn_problem *problem) {
    uint64_t kind = (uint64_t)problem->head_dim;
#define X(member, bits) kind = kind << bits | (uint64_t)problem->member;
    KIND_FIELDS(X)
#undef X
    return (fsattn_shape){.batch = problem->batch,
                          .heads_q = problem->heads_q,
                          .heads_kv = problem->heads_kv,
                          .s_q = problem->s_q,
                          .s_k = problem->s_k,
                          .kind = kind,
                          .scale = fsattn_problem_scale(problem)};
}

static bool sizes_equal(const fsattn_shape *a, const fsattn_shape *b) {
    return a->batch == b->batch && a->heads_q == b->heads_q && a->s_q == b->s_q && a->s_k == b->s_k;
}

bool fsattn_shape_equal(const fsattn_shape *a, const fsattn_shape *b) {
    return sizes_equal(a, b) && a->heads_kv == b->heads_kv && a->kind == b->kind && a->scale == b->scale;
}

/* ---- may it run here ------------------------------------------------------------------------ */

/* Whether `feature` stands between separators of `isa`, after the architecture. */
static bool has_feature(const char *isa, const char *feature, size_t length, const char *separator) {
    for (const char *at = strpbrk(isa, separator); at; at = strpbrk(at, separator)) {
        at++;
        if (strcspn(at, separator) == length && !memcmp(at, feature, length)) {
            return true;
        }
    }
    return false;
}

bool fsattn_isa_covers(const char *offered, const char *wanted) {
    /* LLVM's target ids hang signed features behind colons, processors unsigned ones behind plus signs. */
    const char *separator = strchr(offered, ':') || strchr(wanted, ':') ? ":" : "+";
    size_t length = strcspn(wanted, separator);
    if (length == 0 || strcspn(offered, separator) != length || memcmp(offered, wanted, length)) {
        return false;
    }
    for (const char *at = wanted + length; *at;) {
        at++;
        length = strcspn(at, separator);
        if (!has_feature(offered, at, length, separator)) {
            return false;
        }
        at += length;
    }
    return true;
}

/* FSATTN_UNSUPPORTED with the reason when this record cannot run on that place. */
static fsattn_status check_place(const fsattn_fsc_record *record, const fsattn_place *place,
                                 fsattn_err *err) {
    const fsattn_device_properties *device = place->device;
    if (record->target != place->target) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "for target %s, this device is %s",
                           fsattn_target_text(record->target), fsattn_target_text(place->target));
    }
    if (!fsattn_isa_covers(device->isa, record->isa)) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "needs %s, this device has %s", record->isa, device->isa);
    }
    if (record->abi != device->abi) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "has kernel ABI %u, this library calls %u", record->abi,
                           device->abi);
    }
    if (record->unproven) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "was imported and has not been verified here");
    }
    return fsattn_run_supports(record, err);
}

bool fsattn_entry_rebuildable(const fsattn_entry *entry, const fsattn_place *place) {
    const fsattn_fsc_record *record = entry->record;
    return entry->refusal && record->source.bytes && record->target == place->target && record->abi == place->device->abi &&
           !record->unproven && !atomic_load_explicit(&entry->state->hopeless, memory_order_relaxed) &&
           fsattn_run_supports(record, NULL) == FSATTN_OK;
}

static bool same_blob(const fsattn_blob *a, const fsattn_blob *b) {
    return a->bytes == b->bytes && (!a->bytes || !fsattn_hash_compare(&a->hash, &b->hash));
}

bool fsattn_entry_same_source(const fsattn_entry *a, const fsattn_entry *b) {
    const fsattn_fsc_record *left = a->record, *right = b->record;
    bool same = same_blob(&left->source, &right->source) && !strcmp(left->options, right->options) &&
                left->stage_count == right->stage_count;
    for (size_t i = 0; same && i < left->stage_count; i++) {
        const fsattn_stage *a_stage = &left->stages[i], *b_stage = &right->stages[i];
        same = same_blob(&a_stage->source, &b_stage->source) &&
               (!a_stage->source.bytes || !strcmp(a_stage->options, b_stage->options)); /* without a source there are none */
    }
    return same;
}

static unsigned remoteness_of(const fsattn_cost *cost, const fsattn_device_properties *device) {
    if (strcmp(cost->device, device->name)) {
        return 2;
    }
    return cost->units != device->units || strcmp(cost->driver, device->driver) ? 1 : 0;
}

fsattn_status fsattn_entry_init(fsattn_entry *entry, const fsattn_fsc_record *record,
                                const fsattn_place *place, fsattn_arena *arena, fsattn_err *err) {
    fsattn_err reason;
    fsattn_entry made = {.record = record,
                         .remoteness = remoteness_of(&record->cost, place->device),
                         .accuracy = fsattn_fsc_accuracy(record, FSATTN_ACCURACY_DISTRIBUTION),
                         .shape = fsattn_shape_of(&record->problem)};
    made.has_interval = fsattn_fsc_interval_of(record, &made.interval);
    if (check_place(record, place, &reason) != FSATTN_OK) {
        made.refusal = fsattn_arena_strdup(arena, reason.message);
        if (!made.refusal) {
            return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
        }
    }
    *entry = made;
    return FSATTN_OK;
}

/* ---- which is better ------------------------------------------------------------------------ */

static int order(double a, double b) {
    return (a > b) - (a < b);
}

int fsattn_entry_compare(const fsattn_entry *a, const fsattn_entry *b) {
    const fsattn_fsc_record *left = a->record, *right = b->record;
    const int steps[] = {
        (a->refusal != NULL) - (b->refusal != NULL),
        (int)left->role - (int)right->role,
        /* A time that was never taken is 0 and says nothing, so it comes after all that were. */
        (left->cost.samples == 0) - (right->cost.samples == 0),
        (int)left->cost.provenance - (int)right->cost.provenance,
        (int)a->remoteness - (int)b->remoteness,
        order(left->cost.median_ns, right->cost.median_ns),
        order(a->priority, b->priority),
        (a->accuracy == NULL) - (b->accuracy == NULL),
        a->accuracy && b->accuracy ? order(a->accuracy->relative_error, b->accuracy->relative_error) : 0,
        fsattn_hash_compare(&left->identity, &right->identity),
    };
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (steps[i]) {
            return steps[i];
        }
    }
    return 0;
}

bool fsattn_entry_fits(const fsattn_entry *entry, const fsattn_shape *shape) {
    const fsattn_shape *own = &entry->shape;
    uint32_t flexible = entry->record->flexible;
    return own->kind == shape->kind && (flexible & FSATTN_FLEXIBLE_SIZES || sizes_equal(own, shape)) &&
           (flexible & FSATTN_FLEXIBLE_SCALE || own->scale == shape->scale) &&
           (flexible & FSATTN_FLEXIBLE_GQA ||
            own->heads_q / own->heads_kv == shape->heads_q / shape->heads_kv);
}

bool fsattn_entry_covers(const fsattn_entry *entry, const fsattn_shape *shape) {
    const fsattn_shape *own = &entry->shape;
    const fsattn_fsc_sizes mine = {{own->batch, own->heads_q, own->heads_kv, own->s_q, own->s_k}};
    const fsattn_fsc_sizes asked = {{shape->batch, shape->heads_q, shape->heads_kv, shape->s_q, shape->s_k}};
    return entry->has_interval && fsattn_fsc_interval_covers(&entry->interval, &mine, &asked) && fsattn_entry_fits(entry, shape);
}

bool fsattn_entry_accurate(const fsattn_entry *entry, const fsattn_accuracy *wanted) {
    const fsattn_accuracy_entry *got = entry->accuracy;
    if (wanted->maximum_error == 0 && wanted->maximum_relative_error == 0 && wanted->minimum_cosine == 0) {
        return true;
    }
    /* Written so that a NaN on either side is not accurate. */
    return got && (wanted->maximum_error == 0 || got->maximum_error <= wanted->maximum_error) &&
           (wanted->maximum_relative_error == 0 || got->relative_error <= wanted->maximum_relative_error) &&
           (wanted->minimum_cosine == 0 || got->cosine >= wanted->minimum_cosine);
}
