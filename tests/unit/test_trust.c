/* Signatures that a context demands: who may have signed, what a changed or cut file comes to, what is told. */
#include "../support/cache_fixture.h"

#include <criterion/criterion.h>
#include <sodium.h>

#define PROBLEM "hq=2 hkv=2 sq=32 sk=32 d=64"

typedef struct told {
    int count;
    fsattn_err last;
} told;

static void tell(void *data, const fsattn_err *err) {
    told *self = data;
    self->count++;
    self->last = *err;
}

/* A key pair; `text` is what stands in NAME.pub, with the end of its line. */
typedef struct signer {
    uint8_t public_key[fsattn_fsc_public_key_bytes], secret[fsattn_fsc_secret_key_bytes];
    char text[2 * fsattn_fsc_public_key_bytes + 2];
} signer;

static signer signer_make(void) {
    signer made;
    cr_assert(sodium_init() >= 0);
    crypto_sign_ed25519_keypair(made.public_key, made.secret);
    sodium_bin2hex(made.text, sizeof made.text, made.public_key, sizeof made.public_key);
    strcat(made.text, "\n");
    return made;
}

static void write_cache(const char *path, const signer *by) {
    fsattn_fsc_writer *writer = test_writer();
    test_record record;
    test_record_init(&record, PROBLEM, NULL, 0);
    test_add(writer, &record);
    test_record_init(&record, PROBLEM " mask=causal", NULL, 0);
    test_add(writer, &record);
    cr_assert_eq(fsattn_fsc_writer_publish(writer, by ? by->secret : NULL, path, NULL), FSATTN_OK);
    fsattn_fsc_writer_destroy(writer);
}

static size_t served(const fsattn_context *context) {
    fsattn_problem problem;
    size_t count = 0;
    while (fsattn_problem_at(context, count, &problem, NULL) == FSATTN_OK) {
        count++;
    }
    return count;
}

/* Opens a context that demands a signature of `signers`; what the only file comes to, and that it is told. */
static fsattn_status outcome(const char *path, fsattn_trust trust, const char *const *signers, size_t count,
                             fsattn_err *err) {
    told warned = {0};
    fsattn_context *context = NULL;
    fsattn_options options;
    fsattn_options_init(&options);
    options.threads = 1;
    options.caches = &path;
    options.cache_count = 1;
    options.trust = trust;
    options.signers = signers;
    options.signer_count = count;
    fsattn_status status = fsattn_open(&options, &context, err);
    if (status == FSATTN_OK) {
        cr_expect_eq(served(context), 2);
        fsattn_close(context);
        return status;
    }
    cr_expect_null(context);
    options.skip_bad_caches = true;
    options.warn = tell;
    options.warn_data = &warned;
    cr_assert_eq(fsattn_open(&options, &context, NULL), FSATTN_OK);
    cr_expect_geq(warned.count, 1);
    cr_expect_str_eq(warned.last.message, err->message);
    cr_expect_eq(served(context), 0);
    cr_expect_eq(fsattn_cache_add(context, path, NULL), status);
    cr_expect_eq(served(context), 0);
    fsattn_close(context);
    return status;
}

Test(trust, only_the_demanded_signers_are_served) {
    char folder[64], path[128];
    fsattn_err err;
    test_folder(folder);
    snprintf(path, sizeof path, "%s/test.fsc", folder);
    const signer mine = signer_make(), other = signer_make();
    const char *const me[] = {mine.text}, *const both[] = {other.text, mine.text}, *const them[] = {other.text};
    write_cache(path, NULL);
    cr_expect_eq(outcome(path, FSATTN_TRUST_SIGNED, me, 1, &err), FSATTN_UNTRUSTED);
    cr_expect_not_null(strstr(err.message, "is not signed, a signature is demanded"), "%s", err.message);
    cr_expect_not_null(strstr(err.hint, "fsattn-cache"), "%s", err.hint);
    write_cache(path, &mine);
    cr_expect_eq(outcome(path, FSATTN_TRUST_SIGNED, me, 1, &err), FSATTN_OK, "%s", err.message);
    cr_expect_eq(outcome(path, FSATTN_TRUST_SIGNED, both, 2, &err), FSATTN_OK, "%s", err.message);
    cr_expect_eq(outcome(path, FSATTN_TRUST_SIGNED, them, 1, &err), FSATTN_UNTRUSTED);
    cr_expect_not_null(strstr(err.message, "none of the demanded keys"), "%s", err.message);
    /* Who may write a signed file does not matter, unless that is demanded too. */
    cr_expect_eq(outcome(path, FSATTN_TRUST_OWNER_AND_SIGNED, me, 1, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(chmod(path, 0666), 0);
    cr_expect_eq(outcome(path, FSATTN_TRUST_SIGNED, me, 1, &err), FSATTN_OK, "%s", err.message);
    cr_expect_eq(outcome(path, FSATTN_TRUST_OWNER_AND_SIGNED, me, 1, &err), FSATTN_UNTRUSTED);
    cr_expect_not_null(strstr(err.message, "others may write it"), "%s", err.message);
    cr_expect_eq(outcome(path, FSATTN_TRUST_OWNER, NULL, 0, &err), FSATTN_UNTRUSTED);
    fsattn_folder_remove(folder, NULL);
}

Test(trust, a_changed_or_cut_file_is_refused_whole, .timeout = 120) {
    char folder[64], path[128], *bytes;
    size_t size;
    fsattn_err err;
    test_folder(folder);
    snprintf(path, sizeof path, "%s/test.fsc", folder);
    const signer mine = signer_make();
    const char *const me[] = {mine.text};
    write_cache(path, &mine);
    cr_assert_eq(fsattn_file_read(path, 1 << 20, &bytes, &size, NULL), FSATTN_OK);
    for (size_t at = 0; at < size; at += at < 100 || at + 100 > size ? 1 : 7) {
        int fd = open(path, O_WRONLY | O_TRUNC);
        bytes[at] = (char)(bytes[at] ^ 16);
        cr_assert(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
        bytes[at] = (char)(bytes[at] ^ 16);
        fsattn_status status = outcome(path, FSATTN_TRUST_SIGNED, me, 1, &err);
        cr_expect(status == FSATTN_UNTRUSTED || status == FSATTN_CORRUPT || status == FSATTN_VERSION,
                  "byte %zu of %zu: %s", at, size, err.message);
        cr_expect_not_null(strstr(err.message, path));
        cr_assert_eq(ftruncate(fd, (off_t)at), 0);
        close(fd);
        cr_expect_eq(outcome(path, FSATTN_TRUST_SIGNED, me, 1, &err), FSATTN_CORRUPT, "cut at %zu", at);
    }
    fsattn_free(bytes);
    fsattn_folder_remove(folder, NULL);
}

Test(trust, demands_and_keys_fit_together) {
    const signer mine = signer_make();
    char text[80];
    const struct {
        fsattn_trust trust;
        const char *key; /* NULL: none */
        const char *message;
    } cases[] = {
        {FSATTN_TRUST_OWNER, mine.text, "options.signers: keys are given, and options.trust demands no"},
        {FSATTN_TRUST_SIGNED, NULL, "options.trust: demands a signature"},
        {FSATTN_TRUST_OWNER_AND_SIGNED, NULL, "options.trust: demands a signature"},
        {FSATTN_TRUST_SIGNED, "", "options.signers[0]: expected 64 hexadecimal digits"},
        {FSATTN_TRUST_SIGNED, "00", "expected 64 hexadecimal digits, got '00'"},
        {FSATTN_TRUST_SIGNED, text, "expected 64 hexadecimal digits"},
        {(fsattn_trust)7, NULL, "options.trust: unknown value 7"},
    };
    snprintf(text, sizeof text, "%.64s%s", mine.text, "x");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fsattn_context *context = NULL;
        fsattn_options options;
        fsattn_err err = {0};
        fsattn_options_init(&options);
        options.trust = cases[i].trust;
        options.signers = &cases[i].key;
        options.signer_count = cases[i].key != NULL;
        cr_expect_neq(fsattn_open(&options, &context, &err), FSATTN_OK, "case %zu", i);
        cr_expect_not_null(strstr(err.message, cases[i].message), "case %zu: %s", i, err.message);
        cr_expect_null(context);
    }
    fsattn_options options;
    fsattn_context *context = NULL;
    fsattn_options_init(&options);
    options.trust = FSATTN_TRUST_SIGNED;
    options.signer_count = 1;
    cr_expect_eq(fsattn_open(&options, &context, NULL), FSATTN_INVALID);
}
