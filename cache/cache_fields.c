#include "cache_input.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* Collects fields; a failed allocation ends it. */
typedef struct fields {
    fsattn_cache_field *list;
    size_t count, limit;
    fsattn_arena *arena;
    bool failed;
} fields;

__attribute__((format(printf, 3, 4))) static void add(fields *all, const char *name, const char *format,
                                                      ...) {
    char *value = NULL;
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length >= 0 && all->count < all->limit) {
        value = fsattn_arena_alloc(all->arena, (size_t)length + 1, 1);
    }
    if (!value || !name) {
        all->failed = true;
        return;
    }
    va_start(args, format);
    vsnprintf(value, (size_t)length + 1, format, args);
    va_end(args);
    all->list[all->count++] = (fsattn_cache_field){.name = name, .value = value};
}

/* The shortest decimal that reads back as the same number; whole numbers without an exponent. */
static void add_real(fields *all, const char *name, double value) {
    char digits[40];
    if (fabs(value) < 1e15 && value == floor(value)) {
        add(all, name, "%.0f", value);
        return;
    }
    for (int precision = 1; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, value);
        if (strtod(digits, NULL) == value) {
            break;
        }
    }
    add(all, name, "%s", digits);
}

static void add_hash(fields *all, const char *name, const fsattn_hash *hash) {
    char hex[fsattn_hash_hex_bytes];
    fsattn_hash_hex(hash, hex);
    add(all, name, "%s", hex);
}

static void add_blob(fields *all, const char *name, const fsattn_blob *blob) {
    char hex[fsattn_hash_hex_bytes];
    fsattn_hash_hex(&blob->hash, hex);
    if (blob->bytes) {
        add(all, name, "%s (%zu bytes)", hex, blob->bytes);
    } else {
        add(all, name, "none");
    }
}

static const char *sub(fields *all, const char *format, const char *name, const char *last) {
    return fsattn_arena_printf(all->arena, format, name, last);
}

static void add_attributes(fields *all, const char *prefix, const fsattn_attribute *attributes,
                           size_t count) {
    for (size_t i = 0; i < count; i++) {
        add(all, sub(all, "%sattribute.%s", prefix, attributes[i].name), "%s", attributes[i].value);
    }
}

static void add_identity(fields *all, const fsattn_store_result *result) {
    const fsattn_fsc_record *record = &result->record;
    fsattn_text flexible = {0};
#define X(name, bit, text)                                                                                   \
    if (record->flexible & (bit)) {                                                                          \
        fsattn_text_printf(&flexible, "%s%s", flexible.bytes ? "+" : "", text);                              \
    }
    FSATTN_FLEXIBLE_LIST(X)
#undef X
    add(all, "problem", "%s", record->problem_text);
    add(all, "target", "%s", fsattn_target_text(record->target));
    add(all, "isa", "%s", record->isa);
    add(all, "abi", "%" PRIu32, record->abi);
    add(all, "role", "%s", fsattn_role_text(record->role));
    add(all, "template", "%s", record->template_name);
    add(all, "configuration", "%s", record->configuration);
    add(all, "flexible", "%s", flexible.bytes ? flexible.data : "no");
    add(all, "unproven", "%s", record->unproven ? "yes" : "no");
    add(all, "verdict", "%s", fsattn_verdict_text(result->verdict));
    add(all, "reason", "%s", result->reason);
    add_hash(all, "identity", &record->identity);
    add_hash(all, "build_key", &record->build_key);
    add_hash(all, "result_key", &record->result_key);
    add_hash(all, "serving_key", &record->serving_key);
    all->failed = all->failed || flexible.failed;
    fsattn_text_fini(&flexible);
}

static void add_cost(fields *all, const fsattn_cost *cost) {
    add(all, "cost.provenance", "%s", cost->provenance == FSATTN_MEASURED ? "measured" : "modelled");
    add_real(all, "cost.median_ns", cost->median_ns);
    add_real(all, "cost.minimum_ns", cost->minimum_ns);
    add_real(all, "cost.spread_ns", cost->spread_ns);
    add(all, "cost.samples", "%" PRIu64, cost->samples);
    add_real(all, "cost.default_median_ns", cost->default_median_ns);
    add_real(all, "cost.default_spread_ns", cost->default_spread_ns);
    add(all, "cost.machine", "%s", cost->machine);
    add(all, "cost.device", "%s", cost->device);
    add(all, "cost.units", "%" PRId64, cost->units);
    add(all, "cost.driver", "%s", cost->driver);
    add(all, "cost.policy", "%s", cost->policy);
}

static void add_accuracy(fields *all, const fsattn_accuracy_entry *entry) {
    const struct {
        const char *name;
        double value;
    } rows[] = {{"relative_error", entry->relative_error},
                {"cosine", entry->cosine},
                {"maximum_error", entry->maximum_error},
                {"coverage", entry->coverage}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        add_real(all, sub(all, "accuracy.%s.%s", entry->distribution, rows[i].name), rows[i].value);
    }
}

static void add_stage(fields *all, size_t index, const fsattn_stage *stage) {
    char prefix[32];
    snprintf(prefix, sizeof prefix, "stage.%zu.", index);
    add(all, sub(all, "%s%s", prefix, "name"), "%s", stage->name);
    add(all, sub(all, "%s%s", prefix, "entry"), "%s", stage->entry);
    add_blob(all, sub(all, "%s%s", prefix, "code"), &stage->code);
    add(all, sub(all, "%s%s", prefix, "work_items"), "%s", stage->work_items);
    add(all, sub(all, "%s%s", prefix, "tile_m"), "%" PRId64, stage->tile_m);
    add(all, sub(all, "%s%s", prefix, "tile_n"), "%" PRId64, stage->tile_n);
    add(all, sub(all, "%s%s", prefix, "threads"), "%" PRIu32, stage->threads);
    add(all, sub(all, "%s%s", prefix, "lds_bytes"), "%" PRIu32, stage->lds_bytes);
    add(all, sub(all, "%s%s", prefix, "scratch_bytes"), "%" PRIu64, stage->scratch_bytes);
    if (stage->source.bytes) {
        add_blob(all, sub(all, "%s%s", prefix, "source"), &stage->source);
        add(all, sub(all, "%s%s", prefix, "options"), "%s", stage->options);
    }
    add_attributes(all, prefix, stage->attributes, stage->attribute_count);
}

const fsattn_cache_field *fsattn_cache_fields(const fsattn_store_result *result, fsattn_arena *arena,
                                              size_t *count) {
    const fsattn_fsc_record *record = &result->record;
    size_t limit = 64 + record->attribute_count + 4 * record->accuracy_count;
    for (size_t i = 0; i < record->stage_count; i++) {
        limit += 16 + record->stages[i].attribute_count;
    }
    fields all = {.list = fsattn_arena_alloc(arena, limit, sizeof *all.list), .limit = limit, .arena = arena};
    if (!all.list) {
        return NULL;
    }
    add_identity(&all, result);
    add_cost(&all, &record->cost);
    for (size_t i = 0; i < record->accuracy_count; i++) {
        add_accuracy(&all, &record->accuracies[i]);
    }
    add(&all, "compiler", "%s", record->compiler);
    add(&all, "options", "%s", record->options);
    add_blob(&all, "source", &record->source);
    add_attributes(&all, "", record->attributes, record->attribute_count);
    for (size_t i = 0; i < record->stage_count; i++) {
        add_stage(&all, i, &record->stages[i]);
    }
    *count = all.count;
    return all.failed ? NULL : all.list;
}
