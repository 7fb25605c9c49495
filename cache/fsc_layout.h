/* fsc_layout.h - what the reader and the writer of cache files share: sizes, places, order. Internal to
 * fsattn_fsc.
 *
 * Everything that depends on where a byte of a file lies stands here or in fsc_record.c, and in words in
 * FORMAT.md.
 */
#ifndef FSATTN_FSC_LAYOUT_H
#define FSATTN_FSC_LAYOUT_H

#include "fsc.h"

#define FSATTN_FSC_MAGIC                                                                                     \
    "\x89"                                                                                                   \
    "FSC\r\n\x1a\n"

enum {
    fsattn_fsc_magic_bytes = 8,
    /* Places in the header. */
    fsattn_fsc_at_version = 8,
    fsattn_fsc_at_flags = 12,
    fsattn_fsc_at_file_bytes = 16,
    fsattn_fsc_at_record_count = 24,
    fsattn_fsc_at_blob_count = 28,
    fsattn_fsc_at_signer = 32,
    fsattn_fsc_at_hash = 64,
    fsattn_fsc_header_bytes = 96,
    /* Entries of the indices. */
    fsattn_fsc_record_entry_bytes = 80, /* serving key, offset, bytes, hash */
    fsattn_fsc_blob_entry_bytes = 48,   /* hash, offset, bytes */
    fsattn_fsc_blob_align = 64,
    fsattn_fsc_signature_bytes = 64,
    fsattn_fsc_flag_signed = 1,
};

/* What decides a record's place in a file. */
typedef struct fsattn_fsc_order {
    fsattn_hash serving_key;
    fsattn_role role;
    fsattn_provenance provenance;
    double median_ns;
    double relative_error; /* normal distribution; infinite when unknown */
    fsattn_hash identity;
    fsattn_hash hash; /* of the record's bytes; equal only for equal records */
} fsattn_fsc_order;

/* `hash` is of the record's bytes. Derived fields of the record must be set. */
fsattn_fsc_order fsattn_fsc_order_of(const fsattn_fsc_record *record, const fsattn_hash *hash);
int fsattn_fsc_order_compare(const fsattn_fsc_order *a, const fsattn_fsc_order *b);

/* Hash over header and indices; `data` starts with the header, `index_bytes` is the length of both indices.
 */
fsattn_hash fsattn_fsc_index_hash(const unsigned char *data, size_t index_bytes);
/* What is signed: a purpose and the hash over header and indices, which hold the hashes of everything else.
 */
enum { fsattn_fsc_signed_bytes = 24 + 32 };
void fsattn_fsc_signed_message(const fsattn_hash *index_hash, unsigned char message[fsattn_fsc_signed_bytes]);

/* The part of fsattn_fsc_record_check that also holds for a candidate that failed: what can be encoded at
 * all. */
fsattn_status fsattn_fsc_record_shape(const fsattn_fsc_record *record, fsattn_err *err);

static inline void fsattn_fsc_put32(unsigned char *at, uint32_t value) {
    for (int i = 0; i < 4; i++) {
        at[i] = (unsigned char)(value >> (8 * i));
    }
}
static inline void fsattn_fsc_put64(unsigned char *at, uint64_t value) {
    for (int i = 0; i < 8; i++) {
        at[i] = (unsigned char)(value >> (8 * i));
    }
}
static inline uint32_t fsattn_fsc_get32(const unsigned char *at) {
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}
static inline uint64_t fsattn_fsc_get64(const unsigned char *at) {
    return (uint64_t)fsattn_fsc_get32(at) | (uint64_t)fsattn_fsc_get32(at + 4) << 32;
}

#endif
