#include "hash.h"

#include "error.h"

#include <string.h>

void fsattn_hasher_init(fsattn_hasher *hasher) {
    crypto_generichash_init(&hasher->state, NULL, 0, sizeof(fsattn_hash));
    hasher->waiting = 0;
}

static void flush(fsattn_hasher *hasher) {
    crypto_generichash_update(&hasher->state, hasher->pieces, hasher->waiting);
    hasher->waiting = 0;
}

void fsattn_hasher_add(fsattn_hasher *hasher, const void *data, size_t bytes) {
    if (bytes > sizeof hasher->pieces - hasher->waiting) {
        flush(hasher);
    }
    if (bytes > sizeof hasher->pieces) {
        crypto_generichash_update(&hasher->state, data, bytes);
        return;
    }
    if (bytes) {
        memcpy(hasher->pieces + hasher->waiting, data, bytes);
        hasher->waiting += bytes;
    }
}

static void add_length(fsattn_hasher *hasher, uint64_t length) {
    uint8_t little_endian[8];
    for (int i = 0; i < 8; i++) {
        little_endian[i] = (uint8_t)(length >> (8 * i));
    }
    fsattn_hasher_add(hasher, little_endian, sizeof little_endian);
}

void fsattn_hasher_field(fsattn_hasher *hasher, const char *name, const void *data, size_t bytes) {
    size_t name_bytes = strlen(name);
    add_length(hasher, name_bytes);
    fsattn_hasher_add(hasher, name, name_bytes);
    add_length(hasher, bytes);
    fsattn_hasher_add(hasher, data, bytes);
}

void fsattn_hasher_field_text(fsattn_hasher *hasher, const char *name, const char *value) {
    fsattn_hasher_field(hasher, name, value, strlen(value));
}

void fsattn_hasher_field_int(fsattn_hasher *hasher, const char *name, int64_t value) {
    uint8_t little_endian[8];
    for (int i = 0; i < 8; i++) {
        little_endian[i] = (uint8_t)((uint64_t)value >> (8 * i));
    }
    fsattn_hasher_field(hasher, name, little_endian, sizeof little_endian);
}

fsattn_hash fsattn_hasher_final(fsattn_hasher *hasher) {
    fsattn_hash hash;
    flush(hasher);
    crypto_generichash_final(&hasher->state, hash.bytes, sizeof hash.bytes);
    return hash;
}

fsattn_hash fsattn_hash_of(const void *data, size_t bytes) {
    fsattn_hash hash;
    crypto_generichash(hash.bytes, sizeof hash.bytes, data, bytes, NULL, 0);
    return hash;
}

int fsattn_hash_compare(const fsattn_hash *a, const fsattn_hash *b) {
    return memcmp(a->bytes, b->bytes, sizeof a->bytes);
}

void fsattn_hash_hex(const fsattn_hash *hash, char hex[fsattn_hash_hex_bytes]) {
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < sizeof hash->bytes; i++) {
        hex[2 * i] = digits[hash->bytes[i] >> 4];
        hex[2 * i + 1] = digits[hash->bytes[i] & 15];
    }
    hex[64] = '\0';
}

static int digit_of(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c |= 32;
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

fsattn_status fsattn_hash_parse(const char *hex, fsattn_hash *hash, fsattn_err *err) {
    fsattn_hash parsed;
    size_t length = strlen(hex);
    for (size_t i = 0; length == 64 && i < 32; i++) {
        int high = digit_of(hex[2 * i]), low = digit_of(hex[2 * i + 1]);
        if (high < 0 || low < 0) {
            length = 0;
            break;
        }
        parsed.bytes[i] = (uint8_t)(high << 4 | low);
    }
    if (length != 64) {
        return fsattn_fail(err, FSATTN_PARSE, "'%.80s': expected 64 hexadecimal digits", hex);
    }
    *hash = parsed;
    return FSATTN_OK;
}
