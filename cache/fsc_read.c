#include "fsc_layout.h"

#include "error.h"
#include "file.h"
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

struct fsattn_fsc {
    char *name;
    char *owned; /* the bytes when this opened the file; NULL when the caller keeps them */
    const unsigned char *data;
    size_t bytes, index_bytes, end; /* end: of the blobs, where the signature starts */
    size_t entry_count, blob_count; /* of the indices */
    bool *blob_sound;
    fsattn_fsc_record *records; /* that passed, `count` of them */
    size_t count, damaged;
    fsattn_hash index_hash;
    bool is_signed;
    fsattn_arena arena;
    fsattn_warn *warn;
    void *warn_data;
};

static fsattn_status refuse(const fsattn_fsc *fsc, fsattn_err *err, const char *what) {
    fsattn_fail(err, FSATTN_CORRUPT, "%s: %s", fsc->name, what);
    fsattn_hint(err, "export it again from the store (fsattn-cache export)");
    return FSATTN_CORRUPT;
}

static const unsigned char *record_entry(const fsattn_fsc *fsc, size_t index) {
    return fsc->data + fsattn_fsc_header_bytes + index * fsattn_fsc_record_entry_bytes;
}

static const unsigned char *blob_entry(const fsattn_fsc *fsc, size_t index) {
    return record_entry(fsc, fsc->entry_count) + index * fsattn_fsc_blob_entry_bytes;
}

/* ---- header and indices: any defect refuses the file ---- */

static fsattn_status read_header(fsattn_fsc *fsc, fsattn_err *err) {
    const unsigned char *data = fsc->data;
    if (fsc->bytes == 0) {
        return refuse(fsc, err, "is empty");
    }
    size_t shown = fsc->bytes < fsattn_fsc_magic_bytes ? fsc->bytes : (size_t)fsattn_fsc_magic_bytes;
    if (memcmp(data, FSATTN_FSC_MAGIC, shown)) {
        return refuse(fsc, err, "is not a cache file");
    }
    if (fsc->bytes < fsattn_fsc_header_bytes) {
        return refuse(fsc, err, "is cut off within its header");
    }
    uint32_t version = fsattn_fsc_get32(data + fsattn_fsc_at_version);
    if (version > fsattn_fsc_version) {
        fsattn_fail(err, FSATTN_VERSION, "%s: has format version %" PRIu32 ", newer than %d", fsc->name,
                    version, fsattn_fsc_version);
        fsattn_hint(err, "update fsattn, or export the file again with this version");
        return FSATTN_VERSION;
    }
    uint32_t flags = fsattn_fsc_get32(data + fsattn_fsc_at_flags);
    if (version == 0 || flags & ~(uint32_t)fsattn_fsc_flag_signed) {
        return refuse(fsc, err, "has a damaged header");
    }
    if (fsattn_fsc_get64(data + fsattn_fsc_at_file_bytes) != fsc->bytes) {
        return refuse(fsc, err, "does not have the length that its header names: it is cut off or damaged");
    }
    fsc->is_signed = flags & fsattn_fsc_flag_signed;
    fsc->entry_count = fsattn_fsc_get32(data + fsattn_fsc_at_record_count);
    fsc->blob_count = fsattn_fsc_get32(data + fsattn_fsc_at_blob_count);
    uint64_t index_bytes = (uint64_t)fsc->entry_count * fsattn_fsc_record_entry_bytes +
                           (uint64_t)fsc->blob_count * fsattn_fsc_blob_entry_bytes;
    if (index_bytes > fsc->bytes - fsattn_fsc_header_bytes) {
        return refuse(fsc, err, "has a damaged header");
    }
    fsc->index_bytes = (size_t)index_bytes;
    fsc->index_hash = fsattn_fsc_index_hash(data, fsc->index_bytes);
    if (memcmp(fsc->index_hash.bytes, data + fsattn_fsc_at_hash, sizeof fsc->index_hash.bytes)) {
        return refuse(fsc, err, "has a damaged header or index");
    }
    return FSATTN_OK;
}

/* Takes the next extent of the file: everything lies back to back, so that an index cannot name bytes twice.
 */
static bool next_extent(const unsigned char *entry, size_t limit, size_t align, size_t *at) {
    uint64_t offset = fsattn_fsc_get64(entry), bytes = fsattn_fsc_get64(entry + 8);
    if (offset != *at || bytes > limit - *at) {
        return false;
    }
    size_t end = (*at + (size_t)bytes + align - 1) / align * align;
    *at = end;
    return end <= limit;
}

static fsattn_status read_indices(fsattn_fsc *fsc, fsattn_err *err) {
    size_t limit = fsc->bytes, at = fsattn_fsc_header_bytes + fsc->index_bytes;
    if (fsc->is_signed) {
        if (limit - at < fsattn_fsc_signature_bytes) {
            return refuse(fsc, err, "has no room for its signature");
        }
        limit -= fsattn_fsc_signature_bytes;
    }
    for (size_t i = 0; i < fsc->entry_count; i++) {
        const unsigned char *entry = record_entry(fsc, i);
        bool sorted = i == 0 || memcmp(record_entry(fsc, i - 1), entry, 32) <= 0;
        if (!sorted || !next_extent(entry + 32, limit, 1, &at)) {
            return refuse(fsc, err, "has an inconsistent index of records");
        }
    }
    size_t padded = (at + fsattn_fsc_blob_align - 1) / fsattn_fsc_blob_align * fsattn_fsc_blob_align;
    for (; at < padded; at++) {
        if (at >= limit || fsc->data[at]) {
            return refuse(fsc, err, "has bytes between its parts");
        }
    }
    for (size_t i = 0; i < fsc->blob_count; i++) {
        const unsigned char *entry = blob_entry(fsc, i);
        bool sorted = i == 0 || memcmp(blob_entry(fsc, i - 1), entry, 32) < 0;
        if (!sorted || !next_extent(entry + 32, limit, fsattn_fsc_blob_align, &at)) {
            return refuse(fsc, err, "has an inconsistent index of blobs");
        }
    }
    if (at != limit) {
        return refuse(fsc, err, "has bytes behind its last part");
    }
    fsc->end = at;
    return FSATTN_OK;
}

/* ---- blobs and records: a defect leaves the record out ---- */

static bool blob_is_sound(const fsattn_fsc *fsc, size_t index) {
    const unsigned char *entry = blob_entry(fsc, index);
    size_t offset = (size_t)fsattn_fsc_get64(entry + 32), bytes = (size_t)fsattn_fsc_get64(entry + 40);
    size_t end =
        index + 1 < fsc->blob_count ? (size_t)fsattn_fsc_get64(blob_entry(fsc, index + 1) + 32) : fsc->end;
    fsattn_hash hash = fsattn_hash_of(fsc->data + offset, bytes);
    bool sound = !memcmp(hash.bytes, entry, sizeof hash.bytes);
    for (size_t i = offset + bytes; i < end; i++) {
        sound = sound && fsc->data[i] == 0;
    }
    return sound;
}

/* Points the blob into the file. */
static fsattn_status resolve(const fsattn_fsc *fsc, const char *what, fsattn_blob *blob, fsattn_err *err) {
    if (blob->bytes == 0) {
        blob->data = NULL;
        return FSATTN_OK;
    }
    size_t low = 0, high = fsc->blob_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const unsigned char *entry = blob_entry(fsc, middle);
        int step = memcmp(entry, blob->hash.bytes, sizeof blob->hash.bytes);
        if (step == 0) {
            if (!fsc->blob_sound[middle] || fsattn_fsc_get64(entry + 40) != blob->bytes) {
                return fsattn_fail(err, FSATTN_CORRUPT, "its %s is damaged", what);
            }
            blob->data = fsc->data + fsattn_fsc_get64(entry + 32);
            return FSATTN_OK;
        }
        if (step < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return fsattn_fail(err, FSATTN_CORRUPT, "its %s is missing", what);
}

static fsattn_status read_record(fsattn_fsc *fsc, size_t index, fsattn_fsc_record *record, fsattn_err *err) {
    const unsigned char *entry = record_entry(fsc, index);
    const unsigned char *start = fsc->data + fsattn_fsc_get64(entry + 32);
    size_t bytes = (size_t)fsattn_fsc_get64(entry + 40);
    fsattn_hash hash = fsattn_hash_of(start, bytes);
    if (memcmp(hash.bytes, entry + 48, sizeof hash.bytes)) {
        return fsattn_fail(err, FSATTN_CORRUPT, "its bytes do not fit their hash");
    }
    FSATTN_TRY(fsattn_fsc_record_decode(start, bytes, &fsc->arena, record, err));
    if (memcmp(record->serving_key.bytes, entry, sizeof record->serving_key.bytes)) {
        return fsattn_fail(err, FSATTN_CORRUPT, "its serving key is not the index's");
    }
    FSATTN_TRY(resolve(fsc, "source", &record->source, err));
    for (size_t i = 0; i < record->stage_count; i++) {
        /* The array was allocated by the decoder in our arena; only its type says const. */
        FSATTN_TRY(resolve(fsc, "code object", (fsattn_blob *)&record->stages[i].code, err));
        FSATTN_TRY(resolve(fsc, "source", (fsattn_blob *)&record->stages[i].source, err));
    }
    return fsattn_fsc_record_check(record, err);
}

static fsattn_status read_records(fsattn_fsc *fsc, fsattn_err *err) {
    fsattn_fsc_order last = {0};
    fsc->blob_sound = fsattn_arena_alloc(&fsc->arena, fsc->blob_count, sizeof *fsc->blob_sound);
    fsc->records = fsattn_arena_alloc(&fsc->arena, fsc->entry_count, sizeof *fsc->records);
    if (!fsc->blob_sound || !fsc->records) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", fsc->name);
    }
    for (size_t i = 0; i < fsc->blob_count; i++) {
        fsc->blob_sound[i] = blob_is_sound(fsc, i);
    }
    for (size_t i = 0; i < fsc->entry_count; i++) {
        fsattn_fsc_record *record = &fsc->records[fsc->count];
        fsattn_err why = {0};
        fsattn_status status = read_record(fsc, i, record, &why);
        if (status == FSATTN_NO_MEMORY) {
            return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: %s", fsc->name, why.message);
        }
        if (status != FSATTN_OK) {
            fsc->damaged++;
            fsattn_context_add(&why, FSATTN_CORRUPT, "%s: record %zu of %zu is left out", fsc->name, i + 1,
                               fsc->entry_count);
            if (fsc->warn) {
                fsc->warn(fsc->warn_data, &why);
            }
            continue;
        }
        fsattn_hash hash;
        memcpy(hash.bytes, record_entry(fsc, i) + 48, sizeof hash.bytes);
        fsattn_fsc_order order = fsattn_fsc_order_of(record, &hash);
        if (fsc->count && fsattn_fsc_order_compare(&last, &order) >= 0) {
            return refuse(fsc, err, "has records out of order");
        }
        last = order;
        fsc->count++;
    }
    return FSATTN_OK;
}

/* ---- public ---- */

fsattn_status fsattn_fsc_open_bytes(const char *name, const void *data, size_t bytes, fsattn_warn *warn,
                                    void *warn_data, fsattn_fsc **fsc, fsattn_err *err) {
    fsattn_status status;
    if (bytes > FSATTN_FSC_FILE_LIMIT) {
        return fsattn_fail(err, FSATTN_INVALID, "%s: %zu bytes, more than the limit of %zu", name, bytes,
                           FSATTN_FSC_FILE_LIMIT);
    }
    fsattn_fsc *opened = fsattn_alloc(1, sizeof *opened);
    if (!opened || !(opened->name = fsattn_strdup(name))) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", name);
        goto out;
    }
    /* Without it libsodium hashes with portable code: a third slower, and hashing is much of what opening takes. */
    if (sodium_init() < 0) {
        status = fsattn_fail(err, FSATTN_INTERNAL, "%s: libsodium cannot be initialised", name);
        goto out;
    }
    opened->data = data;
    opened->bytes = bytes;
    opened->warn = warn;
    opened->warn_data = warn_data;
    FSATTN_GOTO(read_header(opened, err));
    FSATTN_GOTO(read_indices(opened, err));
    FSATTN_GOTO(read_records(opened, err));
    *fsc = opened;
    opened = NULL;
out:
    fsattn_fsc_close(opened);
    return status;
}

fsattn_status fsattn_fsc_open_fd(int fd, const char *name, fsattn_warn *warn, void *warn_data,
                                 fsattn_fsc **fsc, fsattn_err *err) {
    char *data;
    size_t bytes;
    fsattn_fsc *opened;
    FSATTN_TRY(fsattn_file_read_fd(fd, name, FSATTN_FSC_FILE_LIMIT, &data, &bytes, err));
    fsattn_status status = fsattn_fsc_open_bytes(name, data, bytes, warn, warn_data, &opened, err);
    if (status != FSATTN_OK) {
        fsattn_free(data);
        return status;
    }
    opened->owned = data;
    *fsc = opened;
    return FSATTN_OK;
}

fsattn_status fsattn_fsc_open(const char *path, fsattn_warn *warn, void *warn_data, fsattn_fsc **fsc,
                              fsattn_err *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return fsattn_fail_errno(err, errno, "%s", path);
    }
    fsattn_status status = fsattn_fsc_open_fd(fd, path, warn, warn_data, fsc, err);
    close(fd);
    return status;
}

void fsattn_fsc_close(fsattn_fsc *fsc) {
    if (fsc) {
        fsattn_arena_fini(&fsc->arena);
        fsattn_free(fsc->owned);
        fsattn_free(fsc->name);
        fsattn_free(fsc);
    }
}

size_t fsattn_fsc_count(const fsattn_fsc *fsc) {
    return fsc->count;
}

size_t fsattn_fsc_damaged(const fsattn_fsc *fsc) {
    return fsc->damaged;
}

const fsattn_fsc_record *fsattn_fsc_at(const fsattn_fsc *fsc, size_t index) {
    return index < fsc->count ? &fsc->records[index] : NULL;
}

size_t fsattn_fsc_find(const fsattn_fsc *fsc, const fsattn_hash *serving_key, size_t *first) {
    size_t low = 0, high = fsc->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (fsattn_hash_compare(&fsc->records[middle].serving_key, serving_key) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    size_t end = low;
    while (end < fsc->count && !fsattn_hash_compare(&fsc->records[end].serving_key, serving_key)) {
        end++;
    }
    *first = low;
    return end - low;
}

const uint8_t *fsattn_fsc_signer(const fsattn_fsc *fsc) {
    return fsc->is_signed ? fsc->data + fsattn_fsc_at_signer : NULL;
}

fsattn_status fsattn_fsc_verify(const fsattn_fsc *fsc, const uint8_t public_key[fsattn_fsc_public_key_bytes],
                                fsattn_err *err) {
    unsigned char message[fsattn_fsc_signed_bytes];
    if (!fsc->is_signed) {
        return fsattn_fail(err, FSATTN_UNTRUSTED, "%s: is not signed", fsc->name);
    }
    if (memcmp(fsattn_fsc_signer(fsc), public_key, fsattn_fsc_public_key_bytes)) {
        return fsattn_fail(err, FSATTN_UNTRUSTED, "%s: is signed by another key", fsc->name);
    }
    fsattn_fsc_signed_message(&fsc->index_hash, message);
    if (crypto_sign_ed25519_verify_detached(fsc->data + fsc->end, message, sizeof message, public_key)) {
        return fsattn_fail(err, FSATTN_UNTRUSTED, "%s: its signature is not valid", fsc->name);
    }
    if (fsc->damaged) {
        return fsattn_fail(err, FSATTN_UNTRUSTED, "%s: %zu of its records were changed since it was signed",
                           fsc->name, fsc->damaged);
    }
    return FSATTN_OK;
}
