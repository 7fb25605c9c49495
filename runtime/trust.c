#include "trust.h"

#include "error.h"
#include "file.h"
#include "memory.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Row: what the demand of that number asks for. */
static const struct {
    bool owner, signature;
} demands[] = {
    [FSATTN_TRUST_OWNER] = {true, false},
    [FSATTN_TRUST_SIGNED] = {false, true},
    [FSATTN_TRUST_OWNER_AND_SIGNED] = {true, true},
};

/* A key as `fsattn-cache key` writes it; the end of its line may have come along. */
static fsattn_status parse_key(const char *text, size_t number, uint8_t key[fsattn_fsc_public_key_bytes],
                               fsattn_err *err) {
    size_t length = text ? strcspn(text, "\r\n") : 0, got = 0;
    const char *end = NULL;
    if (!text || text[length + strspn(text + length, "\r\n")] ||
        sodium_hex2bin(key, fsattn_fsc_public_key_bytes, text, length, NULL, &got, &end) ||
        got != fsattn_fsc_public_key_bytes || end != text + length) {
        fsattn_fail(err, FSATTN_PARSE, "options.signers[%zu]: expected %d hexadecimal digits, got '%.80s'",
                    number, 2 * fsattn_fsc_public_key_bytes, text ? text : "(null)");
        fsattn_hint(err, "give what stands in NAME.pub of 'fsattn-cache key NAME'");
        return FSATTN_PARSE;
    }
    return FSATTN_OK;
}

fsattn_status fsattn_trust_rule_init(fsattn_trust_rule *rule, const fsattn_options *options, fsattn_err *err) {
    fsattn_trust_rule made = {.demand = options->trust, .key_count = options->signer_count};
    if ((unsigned)options->trust >= sizeof demands / sizeof demands[0]) {
        return fsattn_fail(err, FSATTN_INVALID, "options.trust: unknown value %u", (unsigned)options->trust);
    }
    if (made.key_count && !options->signers) {
        return fsattn_fail(err, FSATTN_INVALID, "options.signers: is NULL, signer_count is %zu",
                           made.key_count);
    }
    if (demands[made.demand].signature != (made.key_count > 0)) {
        fsattn_fail(err, FSATTN_INVALID,
                    made.key_count ? "options.signers: keys are given, and options.trust demands no signature"
                                   : "options.trust: demands a signature, and options.signers has no key");
        fsattn_hint(err, "FSATTN_TRUST_SIGNED or FSATTN_TRUST_OWNER_AND_SIGNED go with at least one key");
        return FSATTN_INVALID;
    }
    made.keys = fsattn_alloc(made.key_count, sizeof made.keys[0]);
    if (!made.keys) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "options.signers: out of memory");
    }
    for (size_t i = 0; i < made.key_count; i++) {
        fsattn_status status = parse_key(options->signers[i], i, made.keys[i], err);
        if (status != FSATTN_OK) {
            fsattn_free(made.keys);
            return status;
        }
    }
    *rule = made;
    return FSATTN_OK;
}

void fsattn_trust_rule_fini(fsattn_trust_rule *rule) {
    fsattn_free(rule->keys);
    *rule = (fsattn_trust_rule){0};
}

/* Signed by one of the keys. The key that the file names picks which one is tried. */
static fsattn_status check_signature(const fsattn_trust_rule *rule, const char *path, const fsattn_fsc *fsc,
                                     fsattn_err *err) {
    const uint8_t *signer = fsattn_fsc_signer(fsc);
    for (size_t i = 0; signer && i < rule->key_count; i++) {
        if (!memcmp(rule->keys[i], signer, fsattn_fsc_public_key_bytes)) {
            return fsattn_fsc_verify(fsc, rule->keys[i], err);
        }
    }
    fsattn_fail(err, FSATTN_UNTRUSTED,
                signer ? "%s: is signed by none of the demanded keys" : "%s: is not signed, a signature is demanded",
                path);
    fsattn_hint(err, "sign it with a key of your own (fsattn-cache sign), or do not demand a signature");
    return FSATTN_UNTRUSTED;
}

fsattn_status fsattn_trust_open(const fsattn_trust_rule *rule, const char *path, fsattn_warn *warn,
                                void *warn_data, fsattn_fsc **fsc, fsattn_err *err) {
    fsattn_fsc *opened = NULL;
    fsattn_status status = FSATTN_OK;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return fsattn_fail_errno(err, errno, "%s", path);
    }
    if (demands[rule->demand].owner) {
        FSATTN_GOTO(fsattn_file_trust(fd, path, err));
    }
    FSATTN_GOTO(fsattn_fsc_open_fd(fd, path, warn, warn_data, &opened, err));
    if (demands[rule->demand].signature) {
        FSATTN_GOTO(check_signature(rule, path, opened, err));
    }
    *fsc = opened;
    opened = NULL;
out:
    fsattn_fsc_close(opened);
    close(fd);
    return status;
}
