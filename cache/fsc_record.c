#include "fsc_layout.h"

#include "error.h"
#include "keys.h"
#include "memory.h"

#include <string.h>

/* One walk over a record's fields serves both directions, so that reading and writing cannot disagree. The
 * first failure is kept and ends the walk's effects. */
typedef struct codec {
    fsattn_text *out; /* encoding; NULL when decoding */
    const unsigned char *at, *end;
    fsattn_arena *arena;
    fsattn_status status;
    fsattn_err *err;
} codec;

static void fail(codec *c, const char *field, const char *what) {
    if (c->status == FSATTN_OK) {
        c->status =
            fsattn_fail(c->err, c->out ? FSATTN_INVALID : FSATTN_CORRUPT, "record.%s: %s", field, what);
    }
}

/* The next `bytes` bytes to decode, or NULL. */
static const unsigned char *take(codec *c, const char *field, uint64_t bytes) {
    if (c->status != FSATTN_OK) {
        return NULL;
    }
    if (bytes > (uint64_t)(c->end - c->at)) {
        fail(c, field, "runs past the end");
        return NULL;
    }
    const unsigned char *start = c->at;
    c->at += bytes;
    return start;
}

static void code_u32(codec *c, const char *field, uint32_t *value) {
    if (c->out) {
        unsigned char bytes[4];
        fsattn_fsc_put32(bytes, *value);
        fsattn_text_add(c->out, bytes, sizeof bytes);
        return;
    }
    const unsigned char *bytes = take(c, field, 4);
    *value = bytes ? fsattn_fsc_get32(bytes) : 0;
}

static void code_u64(codec *c, const char *field, uint64_t *value) {
    if (c->out) {
        unsigned char bytes[8];
        fsattn_fsc_put64(bytes, *value);
        fsattn_text_add(c->out, bytes, sizeof bytes);
        return;
    }
    const unsigned char *bytes = take(c, field, 8);
    *value = bytes ? fsattn_fsc_get64(bytes) : 0;
}

static void code_i64(codec *c, const char *field, int64_t *value) {
    uint64_t bits = (uint64_t)*value;
    code_u64(c, field, &bits);
    *value = (int64_t)bits;
}

static void code_real(codec *c, const char *field, double *value) {
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    code_u64(c, field, &bits);
    memcpy(value, &bits, sizeof bits);
}

static void code_bool(codec *c, const char *field, bool *value) {
    uint32_t word = *value;
    code_u32(c, field, &word);
    if (word > 1) {
        fail(c, field, "is neither 0 nor 1");
    }
    *value = word == 1;
}

static void code_text(codec *c, const char *field, const char **text) {
    if (c->out) {
        const char *string = *text ? *text : "";
        size_t bytes = strlen(string);
        if (bytes > fsattn_fsc_string_limit) {
            fail(c, field, "is longer than 65536 bytes");
            return;
        }
        uint32_t length = (uint32_t)bytes;
        code_u32(c, field, &length);
        fsattn_text_add(c->out, string, bytes + 1);
        return;
    }
    uint32_t length;
    *text = "";
    code_u32(c, field, &length);
    const unsigned char *bytes = take(c, field, (uint64_t)length + 1);
    if (!bytes) {
        return;
    }
    if (length > fsattn_fsc_string_limit || memchr(bytes, 0, (size_t)length + 1) != bytes + length) {
        fail(c, field, "is not a string");
        return;
    }
    *text = (const char *)bytes;
}

static void code_hash(codec *c, const char *field, fsattn_hash *hash) {
    if (c->out) {
        fsattn_text_add(c->out, hash->bytes, sizeof hash->bytes);
        return;
    }
    const unsigned char *bytes = take(c, field, sizeof hash->bytes);
    if (bytes) {
        memcpy(hash->bytes, bytes, sizeof hash->bytes);
    }
}

static void code_blob(codec *c, const char *field, fsattn_blob *blob) {
    uint64_t bytes = blob->bytes;
    if (c->out && blob->data) {
        blob->hash = fsattn_hash_of(blob->data, blob->bytes);
    }
    if (c->out && blob->bytes == 0) {
        blob->hash = (fsattn_hash){{0}};
    }
    code_hash(c, field, &blob->hash);
    code_u64(c, field, &bytes);
    if (bytes > FSATTN_FSC_FILE_LIMIT) {
        fail(c, field, "is larger than a cache file");
        return;
    }
    blob->bytes = (size_t)bytes;
}

/* The number of elements of an array, and when decoding the array itself. */
static void *code_array(codec *c, const char *field, const void *array, size_t *count, size_t limit,
                        size_t element_bytes) {
    uint32_t word = (uint32_t)*count;
    code_u32(c, field, &word);
    if (c->out) {
        return (void *)array; /* only read from */
    }
    *count = 0;
    if (c->status != FSATTN_OK || word == 0) {
        return NULL;
    }
    if (word > limit) {
        fail(c, field, "has too many elements");
        return NULL;
    }
    void *elements = fsattn_arena_alloc(c->arena, word, element_bytes);
    if (!elements) {
        c->status = fsattn_fail(c->err, FSATTN_NO_MEMORY, "record.%s: out of memory", field);
        return NULL;
    }
    *count = word;
    return elements;
}

static void code_attributes(codec *c, const char *field, const fsattn_attribute **attributes, size_t *count) {
    fsattn_attribute *array =
        code_array(c, field, *attributes, count, fsattn_fsc_attribute_limit, sizeof *array);
    for (size_t i = 0; i < *count && c->status == FSATTN_OK; i++) {
        fsattn_attribute attribute = array[i];
        code_text(c, field, &attribute.name);
        code_text(c, field, &attribute.value);
        if (!c->out) {
            array[i] = attribute;
        }
    }
    *attributes = array;
}

static void code_accuracies(codec *c, fsattn_fsc_record *record) {
    fsattn_accuracy_entry *array = code_array(c, "accuracies", record->accuracies, &record->accuracy_count,
                                              fsattn_fsc_accuracy_limit, sizeof *array);
    for (size_t i = 0; i < record->accuracy_count && c->status == FSATTN_OK; i++) {
        fsattn_accuracy_entry entry = array[i];
        code_text(c, "accuracies.distribution", &entry.distribution);
        code_real(c, "accuracies.relative_error", &entry.relative_error);
        code_real(c, "accuracies.cosine", &entry.cosine);
        code_real(c, "accuracies.maximum_error", &entry.maximum_error);
        code_real(c, "accuracies.coverage", &entry.coverage);
        if (!c->out) {
            array[i] = entry;
        }
    }
    record->accuracies = array;
}

/* From this version on each stage has a source and options. */
enum { version_of_sources = 2 };

static uint32_t version_of(const fsattn_fsc_record *record) {
    for (size_t i = 0; i < record->stage_count; i++) {
        if (record->stages[i].source.bytes) {
            return version_of_sources;
        }
    }
    return 1;
}

static void code_stages(codec *c, fsattn_fsc_record *record, uint32_t version) {
    fsattn_stage *array =
        code_array(c, "stages", record->stages, &record->stage_count, fsattn_fsc_stage_limit, sizeof *array);
    for (size_t i = 0; i < record->stage_count && c->status == FSATTN_OK; i++) {
        fsattn_stage stage = array[i];
        code_text(c, "stages.name", &stage.name);
        code_text(c, "stages.entry", &stage.entry);
        code_blob(c, "stages.code", &stage.code);
        code_text(c, "stages.work_items", &stage.work_items);
        code_i64(c, "stages.tile_m", &stage.tile_m);
        code_i64(c, "stages.tile_n", &stage.tile_n);
        code_u32(c, "stages.threads", &stage.threads);
        code_u32(c, "stages.lds_bytes", &stage.lds_bytes);
        code_u64(c, "stages.scratch_bytes", &stage.scratch_bytes);
        code_attributes(c, "stages.attributes", &stage.attributes, &stage.attribute_count);
        if (version >= version_of_sources) {
            code_blob(c, "stages.source", &stage.source);
            code_text(c, "stages.options", &stage.options);
        }
        if (!c->out) {
            array[i] = stage;
        }
    }
    record->stages = array;
}

static void code_cost(codec *c, fsattn_cost *cost) {
    uint32_t provenance = (uint32_t)cost->provenance;
    code_real(c, "cost.median_ns", &cost->median_ns);
    code_real(c, "cost.minimum_ns", &cost->minimum_ns);
    code_real(c, "cost.spread_ns", &cost->spread_ns);
    code_u64(c, "cost.samples", &cost->samples);
    code_u32(c, "cost.provenance", &provenance);
    code_real(c, "cost.default_median_ns", &cost->default_median_ns);
    code_real(c, "cost.default_spread_ns", &cost->default_spread_ns);
    code_text(c, "cost.machine", &cost->machine);
    code_text(c, "cost.device", &cost->device);
    code_i64(c, "cost.units", &cost->units);
    code_text(c, "cost.driver", &cost->driver);
    code_text(c, "cost.policy", &cost->policy);
    cost->provenance = (fsattn_provenance)provenance;
}

static void code_record(codec *c, fsattn_fsc_record *record) {
    uint32_t version = version_of(record), role = (uint32_t)record->role, target = (uint32_t)record->target;
    code_u32(c, "version", &version);
    if (version < 1 || version > fsattn_fsc_record_version) {
        fail(c, "version", "is unknown");
    }
    code_text(c, "problem", &record->problem_text);
    code_u32(c, "role", &role);
    code_u32(c, "target", &target);
    code_text(c, "isa", &record->isa);
    code_u32(c, "abi", &record->abi);
    code_u32(c, "flexible", &record->flexible);
    code_bool(c, "unproven", &record->unproven);
    code_text(c, "template_name", &record->template_name);
    code_text(c, "configuration", &record->configuration);
    code_hash(c, "identity", &record->identity);
    code_hash(c, "build_key", &record->build_key);
    code_hash(c, "result_key", &record->result_key);
    code_hash(c, "serving_key", &record->serving_key);
    code_cost(c, &record->cost);
    code_text(c, "compiler", &record->compiler);
    code_text(c, "options", &record->options);
    code_blob(c, "source", &record->source);
    code_attributes(c, "attributes", &record->attributes, &record->attribute_count);
    code_accuracies(c, record);
    code_stages(c, record, version);
    if (c->status == FSATTN_OK && version != version_of(record)) { /* equal records have equal bytes */
        fail(c, "version", "is newer than what stands in it");
    }
    record->role = (fsattn_role)role;
    record->target = (fsattn_target)target;
}

/* `problem_text` must be the canonical one. */
static void derive(const fsattn_fsc_record *record, fsattn_hash *identity, fsattn_hash *serving_key) {
    *identity = fsattn_key_identity(record->template_name, record->configuration);
    *serving_key = fsattn_key_serving_text(record->problem_text, record->isa, record->abi);
}

fsattn_status fsattn_fsc_record_encode(const fsattn_fsc_record *record, fsattn_text *out, fsattn_err *err) {
    FSATTN_TRY(fsattn_fsc_record_shape(record, err));
    fsattn_fsc_record copy = *record;
    char problem_text[fsattn_problem_text_bytes];
    fsattn_problem_text(&record->problem, problem_text);
    copy.problem_text = problem_text;
    derive(&copy, &copy.identity, &copy.serving_key);
    fsattn_text bytes = {0};
    codec c = {.out = &bytes, .err = err};
    code_record(&c, &copy);
    if (c.status == FSATTN_OK) {
        fsattn_text_add(out, bytes.data, bytes.bytes);
        if (bytes.failed || out->failed) {
            c.status = fsattn_fail(err, FSATTN_NO_MEMORY, "record: out of memory");
        }
    }
    fsattn_text_fini(&bytes);
    return c.status;
}

/* Whatever the bytes said, what they mean must be consistent. */
static fsattn_status check_decoded(fsattn_fsc_record *record, fsattn_err *err) {
    fsattn_hash identity, serving_key;
    if (!fsattn_problem_parse_canonical(record->problem_text, &record->problem, err)) {
        return fsattn_context_add(err, FSATTN_CORRUPT, "record");
    }
    if (fsattn_fsc_record_shape(record, err) != FSATTN_OK) {
        return fsattn_context_add(err, FSATTN_CORRUPT, "record");
    }
    derive(record, &identity, &serving_key);
    if (fsattn_hash_compare(&identity, &record->identity)) {
        return fsattn_fail(err, FSATTN_CORRUPT, "record.identity: does not fit template and configuration");
    }
    if (fsattn_hash_compare(&serving_key, &record->serving_key)) {
        return fsattn_fail(err, FSATTN_CORRUPT, "record.serving_key: does not fit problem, isa and abi");
    }
    return FSATTN_OK;
}

fsattn_status fsattn_fsc_record_decode(const void *data, size_t bytes, fsattn_arena *arena,
                                       fsattn_fsc_record *record, fsattn_err *err) {
    fsattn_fsc_record decoded = {0};
    codec c = {.at = data, .end = (const unsigned char *)data + bytes, .arena = arena, .err = err};
    code_record(&c, &decoded);
    if (c.status == FSATTN_OK && c.at != c.end) {
        fail(&c, "end", "bytes follow the last field");
    }
    FSATTN_TRY(c.status);
    FSATTN_TRY(check_decoded(&decoded, err));
    *record = decoded;
    return FSATTN_OK;
}
