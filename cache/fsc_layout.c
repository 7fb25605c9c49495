#include "fsc_layout.h"

#include <math.h>
#include <string.h>

fsattn_fsc_order fsattn_fsc_order_of(const fsattn_fsc_record *record, const fsattn_hash *hash) {
    const fsattn_accuracy_entry *normal = fsattn_fsc_accuracy(record, "normal");
    return (fsattn_fsc_order){.serving_key = record->serving_key,
                              .role = record->role,
                              .provenance = record->cost.provenance,
                              .median_ns = record->cost.samples ? record->cost.median_ns : INFINITY,
                              .relative_error = normal ? normal->relative_error : INFINITY,
                              .identity = record->identity,
                              .hash = *hash};
}

static int compare_real(double a, double b) {
    return (a > b) - (a < b);
}

int fsattn_fsc_order_compare(const fsattn_fsc_order *a, const fsattn_fsc_order *b) {
    const int steps[] = {fsattn_hash_compare(&a->serving_key, &b->serving_key),
                         (int)a->role - (int)b->role,
                         (int)a->provenance - (int)b->provenance,
                         compare_real(a->median_ns, b->median_ns),
                         compare_real(a->relative_error, b->relative_error),
                         fsattn_hash_compare(&a->identity, &b->identity),
                         fsattn_hash_compare(&a->hash, &b->hash)};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        if (steps[i]) {
            return steps[i];
        }
    }
    return 0;
}

fsattn_hash fsattn_fsc_index_hash(const unsigned char *data, size_t index_bytes) {
    fsattn_hasher hasher;
    fsattn_hasher_init(&hasher);
    fsattn_hasher_add(&hasher, data, fsattn_fsc_at_hash);
    fsattn_hasher_add(&hasher, data + fsattn_fsc_header_bytes, index_bytes);
    return fsattn_hasher_final(&hasher);
}

void fsattn_fsc_signed_message(const fsattn_hash *index_hash,
                               unsigned char message[fsattn_fsc_signed_bytes]) {
    static const char purpose[24] = "fsattn fsc signature 1";
    memcpy(message, purpose, sizeof purpose);
    memcpy(message + sizeof purpose, index_hash->bytes, sizeof index_hash->bytes);
}
