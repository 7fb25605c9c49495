#include "fsc_layout.h"

#include "error.h"
#include "file.h"
#include "memory.h"

#include <string.h>

/* Both arrays are sorted at all times, which finds duplicates and makes the bytes independent of the order of
 * adding. */
typedef struct written_record {
    fsattn_fsc_order order;
    char *bytes;
    size_t size;
} written_record;

struct fsattn_fsc_writer {
    written_record *records;
    size_t record_count, record_capacity;
    fsattn_blob *blobs; /* data is owned */
    size_t blob_count, blob_capacity;
};

fsattn_status fsattn_fsc_writer_create(fsattn_fsc_writer **writer, fsattn_err *err) {
    fsattn_fsc_writer *created = fsattn_alloc(1, sizeof *created);
    if (!created) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "cache file: out of memory");
    }
    *writer = created;
    return FSATTN_OK;
}

void fsattn_fsc_writer_destroy(fsattn_fsc_writer *writer) {
    if (!writer) {
        return;
    }
    for (size_t i = 0; i < writer->record_count; i++) {
        fsattn_free(writer->records[i].bytes);
    }
    for (size_t i = 0; i < writer->blob_count; i++) {
        fsattn_free((void *)writer->blobs[i].data);
    }
    fsattn_free(writer->records);
    fsattn_free(writer->blobs);
    fsattn_free(writer);
}

/* First place whose record is not before `order`. */
static size_t record_place(const fsattn_fsc_writer *writer, const fsattn_fsc_order *order, bool *found) {
    size_t low = 0, high = writer->record_count;
    *found = false;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int step = fsattn_fsc_order_compare(&writer->records[middle].order, order);
        *found = *found || step == 0;
        if (step < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static size_t blob_place(const fsattn_fsc_writer *writer, const fsattn_hash *hash, bool *found) {
    size_t low = 0, high = writer->blob_count;
    *found = false;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int step = fsattn_hash_compare(&writer->blobs[middle].hash, hash);
        *found = *found || step == 0;
        if (step < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static fsattn_status add_blob(fsattn_fsc_writer *writer, fsattn_blob *blob, fsattn_err *err) {
    if (blob->bytes == 0) {
        return FSATTN_OK;
    }
    if (blob->bytes > FSATTN_FSC_FILE_LIMIT) {
        return fsattn_fail(err, FSATTN_INVALID, "record: a blob of %zu bytes is larger than a cache file",
                           blob->bytes);
    }
    bool found;
    blob->hash = fsattn_hash_of(blob->data, blob->bytes);
    size_t place = blob_place(writer, &blob->hash, &found);
    if (found) {
        return FSATTN_OK;
    }
    char *copy = fsattn_alloc(blob->bytes, 1);
    if (!copy || fsattn_grow((void **)&writer->blobs, &writer->blob_capacity, writer->blob_count,
                             sizeof *writer->blobs)) {
        fsattn_free(copy);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "record: out of memory for a blob of %zu bytes",
                           blob->bytes);
    }
    memcpy(copy, blob->data, blob->bytes);
    memmove(writer->blobs + place + 1, writer->blobs + place,
            (writer->blob_count - place) * sizeof *writer->blobs);
    writer->blobs[place] = (fsattn_blob){.data = copy, .bytes = blob->bytes, .hash = blob->hash};
    writer->blob_count++;
    return FSATTN_OK;
}

static fsattn_status add_bytes(fsattn_fsc_writer *writer, const fsattn_text *bytes, fsattn_err *err) {
    fsattn_arena arena = {0};
    fsattn_fsc_record record;
    bool found;
    /* Decoding what was encoded gives the derived fields, and proves that a reader will take it. */
    fsattn_status status = fsattn_fsc_record_decode(bytes->data, bytes->bytes, &arena, &record, err);
    if (status != FSATTN_OK) {
        goto out;
    }
    fsattn_hash hash = fsattn_hash_of(bytes->data, bytes->bytes);
    fsattn_fsc_order order = fsattn_fsc_order_of(&record, &hash);
    size_t place = record_place(writer, &order, &found);
    if (found) {
        goto out;
    }
    char *copy = fsattn_strndup(bytes->data, bytes->bytes);
    if (!copy || fsattn_grow((void **)&writer->records, &writer->record_capacity, writer->record_count,
                             sizeof *writer->records)) {
        fsattn_free(copy);
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "record: out of memory");
        goto out;
    }
    memmove(writer->records + place + 1, writer->records + place,
            (writer->record_count - place) * sizeof *writer->records);
    writer->records[place] = (written_record){.order = order, .bytes = copy, .size = bytes->bytes};
    writer->record_count++;
out:
    fsattn_arena_fini(&arena);
    return status;
}

fsattn_status fsattn_fsc_writer_add(fsattn_fsc_writer *writer, const fsattn_fsc_record *record,
                                    fsattn_err *err) {
    FSATTN_TRY(fsattn_fsc_record_check(record, err));
    if (record->source.bytes && !record->source.data) {
        return fsattn_fail(err, FSATTN_INVALID, "record.source: has %zu bytes but no data",
                           record->source.bytes);
    }
    for (size_t i = 0; i < record->stage_count; i++) {
        if (!record->stages[i].code.data) {
            return fsattn_fail(err, FSATTN_INVALID, "record.stages.code: has %zu bytes but no data",
                               record->stages[i].code.bytes);
        }
        if (record->stages[i].source.bytes && !record->stages[i].source.data) {
            return fsattn_fail(err, FSATTN_INVALID, "record.stages.source: has %zu bytes but no data",
                               record->stages[i].source.bytes);
        }
    }
    fsattn_status status;
    fsattn_text bytes = {0};
    fsattn_blob source = record->source;
    FSATTN_GOTO(fsattn_fsc_record_encode(record, &bytes, err));
    /* Blobs first: a record never stands in the writer without its blobs. */
    FSATTN_GOTO(add_blob(writer, &source, err));
    for (size_t i = 0; i < record->stage_count; i++) {
        fsattn_blob code = record->stages[i].code, own_source = record->stages[i].source;
        FSATTN_GOTO(add_blob(writer, &code, err));
        FSATTN_GOTO(add_blob(writer, &own_source, err));
    }
    status = add_bytes(writer, &bytes, err);
out:
    fsattn_text_fini(&bytes);
    return status;
}

size_t fsattn_fsc_writer_count(const fsattn_fsc_writer *writer) {
    return writer->record_count;
}

static size_t padded(size_t bytes) {
    return (bytes + fsattn_fsc_blob_align - 1) / fsattn_fsc_blob_align * fsattn_fsc_blob_align;
}

/* Lengths of the parts; the file's length is their sum. */
typedef struct extents {
    size_t index, blobs, end,
        total; /* places: end of the indices, of the records, of the blobs, of the file */
} extents;

static fsattn_status measure(const fsattn_fsc_writer *writer, bool is_signed, extents *places,
                             fsattn_err *err) {
    uint64_t at = fsattn_fsc_header_bytes + (uint64_t)writer->record_count * fsattn_fsc_record_entry_bytes +
                  (uint64_t)writer->blob_count * fsattn_fsc_blob_entry_bytes;
    places->index = (size_t)at;
    for (size_t i = 0; i < writer->record_count; i++) {
        at += writer->records[i].size;
    }
    at = padded((size_t)at);
    places->blobs = (size_t)at;
    for (size_t i = 0; i < writer->blob_count; i++) {
        at += padded(writer->blobs[i].bytes);
    }
    places->end = (size_t)at;
    places->total = places->end + (is_signed ? fsattn_fsc_signature_bytes : 0);
    if (places->total > FSATTN_FSC_FILE_LIMIT) {
        fsattn_fail(err, FSATTN_INVALID, "cache file: would have %zu bytes, more than the limit of %zu",
                    places->total, FSATTN_FSC_FILE_LIMIT);
        fsattn_hint(err, "write one file per problem or template");
        return FSATTN_INVALID;
    }
    return FSATTN_OK;
}

static void fill_header(const fsattn_fsc_writer *writer, const uint8_t *secret_key, const extents *places,
                        unsigned char *file) {
    memcpy(file, FSATTN_FSC_MAGIC, fsattn_fsc_magic_bytes);
    fsattn_fsc_put32(file + fsattn_fsc_at_version, fsattn_fsc_version);
    fsattn_fsc_put32(file + fsattn_fsc_at_flags, secret_key ? fsattn_fsc_flag_signed : 0);
    fsattn_fsc_put64(file + fsattn_fsc_at_file_bytes, places->total);
    fsattn_fsc_put32(file + fsattn_fsc_at_record_count, (uint32_t)writer->record_count);
    fsattn_fsc_put32(file + fsattn_fsc_at_blob_count, (uint32_t)writer->blob_count);
    if (secret_key) {
        crypto_sign_ed25519_sk_to_pk(file + fsattn_fsc_at_signer, secret_key);
    }
}

static void fill_body(const fsattn_fsc_writer *writer, const extents *places, unsigned char *file) {
    unsigned char *entry = file + fsattn_fsc_header_bytes;
    size_t at = places->index;
    for (size_t i = 0; i < writer->record_count; i++, entry += fsattn_fsc_record_entry_bytes) {
        const written_record *record = &writer->records[i];
        memcpy(entry, record->order.serving_key.bytes, 32);
        fsattn_fsc_put64(entry + 32, at);
        fsattn_fsc_put64(entry + 40, record->size);
        memcpy(entry + 48, record->order.hash.bytes, 32);
        memcpy(file + at, record->bytes, record->size);
        at += record->size;
    }
    at = places->blobs;
    for (size_t i = 0; i < writer->blob_count; i++, entry += fsattn_fsc_blob_entry_bytes) {
        const fsattn_blob *blob = &writer->blobs[i];
        memcpy(entry, blob->hash.bytes, 32);
        fsattn_fsc_put64(entry + 32, at);
        fsattn_fsc_put64(entry + 40, blob->bytes);
        memcpy(file + at, blob->data, blob->bytes);
        at += padded(blob->bytes);
    }
}

fsattn_status fsattn_fsc_writer_encode(const fsattn_fsc_writer *writer,
                                       const uint8_t secret_key[fsattn_fsc_secret_key_bytes],
                                       fsattn_text *out, fsattn_err *err) {
    extents places;
    FSATTN_TRY(measure(writer, secret_key != NULL, &places, err));
    unsigned char *file = fsattn_alloc(places.total, 1); /* zeroed: so is the padding */
    if (!file) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "cache file: out of memory for %zu bytes", places.total);
    }
    fill_header(writer, secret_key, &places, file);
    fill_body(writer, &places, file);
    fsattn_hash hash = fsattn_fsc_index_hash(file, places.index - fsattn_fsc_header_bytes);
    memcpy(file + fsattn_fsc_at_hash, hash.bytes, sizeof hash.bytes);
    if (secret_key) {
        unsigned char message[fsattn_fsc_signed_bytes];
        fsattn_fsc_signed_message(&hash, message);
        crypto_sign_ed25519_detached(file + places.end, NULL, message, sizeof message, secret_key);
    }
    fsattn_text_add(out, file, places.total);
    fsattn_free(file);
    return out->failed ? fsattn_fail(err, FSATTN_NO_MEMORY, "cache file: out of memory") : FSATTN_OK;
}

static fsattn_status is_sound(const char *path, fsattn_err *err) {
    fsattn_fsc *fsc;
    FSATTN_TRY(fsattn_fsc_open(path, NULL, NULL, &fsc, err));
    fsattn_fsc_close(fsc);
    return FSATTN_OK;
}

const fsattn_output_kind fsattn_fsc_output_kind = {"cache file", FSATTN_FSC_MAGIC, is_sound};

fsattn_status fsattn_fsc_writer_publish(const fsattn_fsc_writer *writer,
                                        const uint8_t secret_key[fsattn_fsc_secret_key_bytes],
                                        const char *path, fsattn_err *err) {
    fsattn_text bytes = {0};
    fsattn_status status = fsattn_fsc_writer_encode(writer, secret_key, &bytes, err);
    if (status == FSATTN_OK) {
        status = fsattn_file_publish(path, bytes.data, bytes.bytes, 0644, err);
    } else {
        fsattn_context_add(err, status, "%s", path);
    }
    fsattn_text_fini(&bytes);
    return status;
}

fsattn_status fsattn_fsc_publish_record(const fsattn_fsc_record *record, const char *path, fsattn_err *err) {
    fsattn_fsc_writer *writer = NULL;
    FSATTN_TRY(fsattn_fsc_writer_create(&writer, err));
    fsattn_status status = fsattn_fsc_writer_add(writer, record, err);
    if (status == FSATTN_OK) {
        status = fsattn_fsc_writer_publish(writer, NULL, path, err);
    }
    fsattn_fsc_writer_destroy(writer);
    return status;
}
