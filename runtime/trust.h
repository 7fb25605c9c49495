/* trust.h - what a cache file must have before anything in it is served: an owner, a signature, or both.
 *
 * Owns the keys whose signatures count. Immutable once made. Decides about whole files; the bytes that were judged are the
 * bytes that are used, because both come from one reading through one descriptor.
 */
#ifndef FSATTN_TRUST_H
#define FSATTN_TRUST_H

#include "fsc.h"

typedef struct fsattn_trust_rule {
    fsattn_trust demand;
    uint8_t (*keys)[fsattn_fsc_public_key_bytes];
    size_t key_count;
} fsattn_trust_rule;

/* FSATTN_INVALID for an unknown demand, for a demanded signature without keys and for keys without it, FSATTN_PARSE for a key
 * that is none. */
fsattn_status fsattn_trust_rule_init(fsattn_trust_rule *rule, const fsattn_options *options, fsattn_err *err);
void fsattn_trust_rule_fini(fsattn_trust_rule *rule);

/* Opens the file, reads it once and judges it: FSATTN_UNTRUSTED with the reason. */
fsattn_status fsattn_trust_open(const fsattn_trust_rule *rule, const char *path, fsattn_warn *warn,
                                void *warn_data, fsattn_fsc **fsc, fsattn_err *err);

#endif
