/* hash.h - the one content hash of the project: BLAKE2b, 256 bits (libsodium).
 *
 * Keys are built from named, length-prefixed fields, so that no two different field lists can run into the
 * same bytes.
 */
#ifndef FSATTN_HASH_H
#define FSATTN_HASH_H

#include "fsattn.h"

#include <sodium.h>

typedef struct fsattn_hash {
    uint8_t bytes[32];
} fsattn_hash;

enum { fsattn_hash_hex_bytes = 65 }; /* 64 digits and the NUL */

typedef struct fsattn_hasher {
    crypto_generichash_state state;
    size_t waiting; /* bytes that were added and not yet hashed: a key is a dozen small pieces */
    uint8_t pieces[480];
} fsattn_hasher;

void fsattn_hasher_init(fsattn_hasher *hasher);
/* Raw bytes, no framing. */
void fsattn_hasher_add(fsattn_hasher *hasher, const void *data, size_t bytes);
/* One named field: both name and value are length-prefixed. */
void fsattn_hasher_field(fsattn_hasher *hasher, const char *name, const void *data, size_t bytes);
void fsattn_hasher_field_text(fsattn_hasher *hasher, const char *name, const char *value);
void fsattn_hasher_field_int(fsattn_hasher *hasher, const char *name, int64_t value);
fsattn_hash fsattn_hasher_final(fsattn_hasher *hasher);

fsattn_hash fsattn_hash_of(const void *data, size_t bytes);
int fsattn_hash_compare(const fsattn_hash *a, const fsattn_hash *b); /* memcmp order */
void fsattn_hash_hex(const fsattn_hash *hash, char hex[fsattn_hash_hex_bytes]);
/* Reads exactly 64 lower-case or upper-case hex digits; FSATTN_PARSE otherwise. */
fsattn_status fsattn_hash_parse(const char *hex, fsattn_hash *hash, fsattn_err *err);

#endif
