#include "fsc_layout.h"

#include "error.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char *const role_texts[] = {
#define X(name, text) [FSATTN_ROLE_##name] = text,
    FSATTN_ROLE_LIST(X)
#undef X
};
static const char *const target_texts[] = {
#define X(name, text) [FSATTN_TARGET_##name] = text,
    FSATTN_TARGET_LIST(X)
#undef X
};
enum {
    flexible_all = 0
#define X(name, bit, text) | bit
    FSATTN_FLEXIBLE_LIST(X)
#undef X
        ,
    provenance_count = 0
#define X(name, text) +1
    FSATTN_PROVENANCE_LIST(X)
#undef X
};

const char *fsattn_role_text(fsattn_role role) {
    return (unsigned)role < COUNT(role_texts) ? role_texts[role] : "?";
}

const char *fsattn_target_text(fsattn_target target) {
    return (unsigned)target < COUNT(target_texts) ? target_texts[target] : "?";
}

const fsattn_accuracy_entry *fsattn_fsc_accuracy(const fsattn_fsc_record *record, const char *distribution) {
    for (size_t i = 0; i < record->accuracy_count; i++) {
        if (!strcmp(record->accuracies[i].distribution, distribution)) {
            return &record->accuracies[i];
        }
    }
    return NULL;
}

const char *fsattn_fsc_attribute(const fsattn_fsc_record *record, const char *name) {
    for (size_t i = 0; i < record->attribute_count; i++) {
        if (!strcmp(record->attributes[i].name, name)) {
            return record->attributes[i].value;
        }
    }
    return NULL;
}

static bool is_empty(const char *text) {
    return !text || !*text;
}

static bool is_name(const char *text) {
    return text && text[0] >= 'a' && text[0] <= 'z' &&
           strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_.") == strlen(text);
}

/* ---- shape: what can be encoded at all ---- */

static fsattn_status check_count(const char *field, size_t count, size_t limit, fsattn_err *err) {
    if (count > limit) {
        return fsattn_fail(err, FSATTN_INVALID, "record.%s: expected at most %zu, got %zu", field, limit,
                           count);
    }
    return FSATTN_OK;
}

static fsattn_status check_enum(const char *field, unsigned value, size_t count, fsattn_err *err) {
    if (value >= count) {
        return fsattn_fail(err, FSATTN_INVALID, "record.%s: unknown value %u", field, value);
    }
    return FSATTN_OK;
}

static fsattn_status check_attributes(const char *of, const fsattn_attribute *attributes, size_t count,
                                      fsattn_err *err) {
    FSATTN_TRY(check_count("attribute_count", count, fsattn_fsc_attribute_limit, err));
    for (size_t i = 0; i < count; i++) {
        const char *name = attributes[i].name;
        if (!is_name(name)) {
            return fsattn_fail(err, FSATTN_INVALID,
                               "%s.attributes: expected a name of a-z, 0-9, _ and ., got '%s'", of,
                               name ? name : "");
        }
        if (i && strcmp(attributes[i - 1].name, name) >= 0) {
            return fsattn_fail(err, FSATTN_INVALID, "%s.attributes: '%s' stands twice or is not sorted", of,
                               name);
        }
    }
    return FSATTN_OK;
}

fsattn_status fsattn_fsc_record_shape(const fsattn_fsc_record *record, fsattn_err *err) {
    FSATTN_TRY(fsattn_problem_check(&record->problem, err));
    FSATTN_TRY(check_enum("role", (unsigned)record->role, COUNT(role_texts), err));
    FSATTN_TRY(check_enum("target", (unsigned)record->target, COUNT(target_texts), err));
    FSATTN_TRY(check_enum("cost.provenance", (unsigned)record->cost.provenance, provenance_count, err));
    if (record->flexible & ~(uint32_t)flexible_all) {
        return fsattn_fail(err, FSATTN_INVALID, "record.flexible: unknown bits in 0x%" PRIx32,
                           record->flexible);
    }
    FSATTN_TRY(check_count("stage_count", record->stage_count, fsattn_fsc_stage_limit, err));
    FSATTN_TRY(check_count("accuracy_count", record->accuracy_count, fsattn_fsc_accuracy_limit, err));
    FSATTN_TRY(check_attributes("record", record->attributes, record->attribute_count, err));
    for (size_t i = 0; i < record->stage_count; i++) {
        FSATTN_TRY(
            check_attributes("stage", record->stages[i].attributes, record->stages[i].attribute_count, err));
    }
    return FSATTN_OK;
}

/* ---- values: what may be served ---- */

static fsattn_status check_real(const char *field, double value, double low, double high, fsattn_err *err) {
    if (!(value >= low && value <= high) || !isfinite(value)) { /* NaN fails every comparison */
        return fsattn_fail(err, FSATTN_INVALID, "record.%s: %g is not a number from %g to %g", field, value,
                           low, high);
    }
    return FSATTN_OK;
}

static fsattn_status check_cost(const fsattn_fsc_record *record, fsattn_err *err) {
    const fsattn_cost *cost = &record->cost;
    const struct {
        const char *field;
        double value;
    } times[] = {{"cost.median_ns", cost->median_ns},
                 {"cost.minimum_ns", cost->minimum_ns},
                 {"cost.spread_ns", cost->spread_ns},
                 {"cost.default_median_ns", cost->default_median_ns},
                 {"cost.default_spread_ns", cost->default_spread_ns}};
    for (size_t i = 0; i < COUNT(times); i++) {
        FSATTN_TRY(check_real(times[i].field, times[i].value, 0, INFINITY, err));
    }
    if (cost->samples == 0) {
        if (record->role == FSATTN_ROLE_WINNER) {
            return fsattn_fail(err, FSATTN_INVALID, "record.cost.samples: a winner must have been timed");
        }
        if (cost->median_ns != 0 || cost->minimum_ns != 0 || cost->spread_ns != 0) {
            return fsattn_fail(err, FSATTN_INVALID, "record.cost.samples: is 0, but a time is not");
        }
        return FSATTN_OK;
    }
    if (cost->minimum_ns <= 0) {
        return fsattn_fail(err, FSATTN_INVALID, "record.cost.minimum_ns: a timed kernel takes more than 0");
    }
    if (cost->minimum_ns > cost->median_ns) {
        return fsattn_fail(err, FSATTN_INVALID, "record.cost.minimum_ns: %g is above the median %g",
                           cost->minimum_ns, cost->median_ns);
    }
    return FSATTN_OK;
}

static fsattn_status check_accuracies(const fsattn_fsc_record *record, fsattn_err *err) {
    for (size_t i = 0; i < record->accuracy_count; i++) {
        const fsattn_accuracy_entry *entry = &record->accuracies[i];
        if (!is_name(entry->distribution)) {
            return fsattn_fail(err, FSATTN_INVALID,
                               "record.accuracies: expected the name of a distribution, got '%s'",
                               entry->distribution ? entry->distribution : "");
        }
        if (fsattn_fsc_accuracy(record, entry->distribution) != entry) {
            return fsattn_fail(err, FSATTN_INVALID, "record.accuracies: '%s' stands twice",
                               entry->distribution);
        }
        FSATTN_TRY(check_real("accuracies.relative_error", entry->relative_error, 0, INFINITY, err));
        /* A quotient of rounded sums may exceed 1 by rounding. */
        FSATTN_TRY(check_real("accuracies.cosine", entry->cosine, -1 - 1e-6, 1 + 1e-6, err));
        FSATTN_TRY(check_real("accuracies.maximum_error", entry->maximum_error, 0, INFINITY, err));
        FSATTN_TRY(check_real("accuracies.coverage", entry->coverage, 0, 1, err));
    }
    return FSATTN_OK;
}

static fsattn_status check_stage(const fsattn_stage *stage, fsattn_err *err) {
    if (is_empty(stage->name)) {
        return fsattn_fail(err, FSATTN_INVALID, "record.stages.name: is empty");
    }
    if (is_empty(stage->entry)) {
        return fsattn_fail(err, FSATTN_INVALID, "record.stages.entry: is empty");
    }
    if (is_empty(stage->work_items)) {
        return fsattn_fail(err, FSATTN_INVALID, "record.stages.work_items: is empty");
    }
    if (stage->code.bytes == 0) {
        return fsattn_fail(err, FSATTN_INVALID, "record.stages.code: is empty");
    }
    if (!stage->source.bytes && !is_empty(stage->options)) {
        return fsattn_fail(err, FSATTN_INVALID, "record.stages.options: stand without a source");
    }
    if (stage->tile_m < 0 || stage->tile_n < 0) {
        return fsattn_fail(err, FSATTN_INVALID, "record.stages.tile: %" PRId64 " x %" PRId64 " is negative",
                           stage->tile_m, stage->tile_n);
    }
    return FSATTN_OK;
}

fsattn_status fsattn_fsc_record_check(const fsattn_fsc_record *record, fsattn_err *err) {
    FSATTN_TRY(fsattn_fsc_record_shape(record, err));
    if (is_empty(record->isa)) {
        return fsattn_fail(err, FSATTN_INVALID, "record.isa: is empty");
    }
    if (is_empty(record->template_name)) {
        return fsattn_fail(err, FSATTN_INVALID, "record.template_name: is empty");
    }
    if (record->stage_count == 0) {
        return fsattn_fail(err, FSATTN_INVALID, "record.stage_count: expected 1 to %d, got 0",
                           fsattn_fsc_stage_limit);
    }
    for (size_t i = 0; i < record->stage_count; i++) {
        FSATTN_TRY(check_stage(&record->stages[i], err));
    }
    FSATTN_TRY(check_cost(record, err));
    return check_accuracies(record, err);
}
