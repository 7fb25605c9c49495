/* verify and key: whether bytes are what they were, and whose. */
#include "cache_command.h"

#include "error.h"
#include "file.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

fsattn_status fsattn_cache_read_key(const char *path, uint8_t *key, size_t bytes, fsattn_err *err) {
    char *text;
    size_t length, got = 0;
    const char *end = NULL;
    FSATTN_TRY(fsattn_file_read(path, 4096, &text, &length, err));
    length = strcspn(text, "\r\n");
    bool sound =
        !sodium_hex2bin(key, bytes, text, length, NULL, &got, &end) && got == bytes && end == text + length;
    sodium_memzero(text, length);
    fsattn_free(text);
    if (!sound) {
        fsattn_fail(err, FSATTN_PARSE, "%s: expected one line of %zu hexadecimal digits", path, 2 * bytes);
        fsattn_hint(err,
                    "'fsattn-cache key' makes such files: NAME.key to sign with, NAME.pub to verify with");
        return FSATTN_PARSE;
    }
    return FSATTN_OK;
}

/* Also a link that leads nowhere is somebody's. */
static fsattn_status check_free(const char *name, const char *suffix, fsattn_err *err) {
    struct stat info;
    fsattn_text path = {0};
    fsattn_text_printf(&path, "%s%s", name, suffix);
    fsattn_status status = path.failed ? fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory") : FSATTN_OK;
    if (!path.failed && lstat(path.data, &info) == 0) {
        status = fsattn_fail(err, FSATTN_INVALID, "%s: is there already", path.data);
        fsattn_hint(err, "keys are never overwritten: choose another NAME");
    }
    fsattn_text_fini(&path);
    return status;
}

static fsattn_status write_key(const char *name, const char *suffix, const uint8_t *key, size_t bytes,
                               unsigned mode, fsattn_err *err) {
    char hex[2 * fsattn_fsc_secret_key_bytes + 2];
    fsattn_text path = {0};
    fsattn_status status;
    sodium_bin2hex(hex, sizeof hex, key, bytes);
    strcat(hex, "\n");
    fsattn_text_printf(&path, "%s%s", name, suffix);
    if (path.failed) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    } else {
        status = fsattn_file_publish(path.data, hex, strlen(hex), mode, err);
    }
    sodium_memzero(hex, sizeof hex);
    fsattn_text_fini(&path);
    return status;
}

fsattn_status fsattn_cache_key(int argc, char **argv, fsattn_err *err) {
    const fsattn_command command = {
        "fsattn-cache key",
        "NAME",
        "Makes a key pair: NAME.key to sign with (keep it to yourself) and NAME.pub to "
        "verify with.",
        NULL,
        0,
        NULL};
    uint8_t public_key[fsattn_fsc_public_key_bytes], secret[fsattn_fsc_secret_key_bytes];
    const char *positionals[1];
    size_t count;
    bool done;
    fsattn_text out = {0};
    FSATTN_TRY(fsattn_cache_parse(&command, argc, argv, positionals, 1, 1, &count, &done, err));
    if (done) {
        return FSATTN_OK;
    }
    const char *slash = strrchr(positionals[0], '/');
    if (!(slash ? slash + 1 : positionals[0])[0]) {
        fsattn_fail(err, FSATTN_USAGE, "key: '%s' is no name for a key", positionals[0]);
        fsattn_hint(err, "name the key: 'fsattn-cache key me' makes me.key and me.pub");
        return FSATTN_USAGE;
    }
    FSATTN_TRY(check_free(positionals[0], ".key", err));
    FSATTN_TRY(check_free(positionals[0], ".pub", err));
    if (sodium_init() < 0 || crypto_sign_ed25519_keypair(public_key, secret)) {
        return fsattn_fail(err, FSATTN_INTERNAL, "libsodium cannot make random numbers");
    }
    fsattn_status status = write_key(positionals[0], ".key", secret, sizeof secret, 0600, err);
    sodium_memzero(secret, sizeof secret);
    FSATTN_TRY(status);
    FSATTN_TRY(write_key(positionals[0], ".pub", public_key, sizeof public_key, 0644, err));
    fsattn_text_printf(&out, "%s.key, %s.pub\n", positionals[0], positionals[0]);
    return fsattn_cache_print(&out, err);
}

/* ---- verify ---- */

static fsattn_status verify_fsc(const char *path, const char *signer, fsattn_text *out, fsattn_err *err) {
    uint8_t public_key[fsattn_fsc_public_key_bytes];
    fsattn_fsc *fsc;
    fsattn_status status = FSATTN_OK;
    FSATTN_TRY(fsattn_fsc_open(path, fsattn_cache_warn, NULL, &fsc, err));
    fsattn_cache_warn_untrusted(path);
    FSATTN_GOTO(fsattn_cache_damage(path, fsc, err));
    if (signer) {
        FSATTN_GOTO(fsattn_cache_read_key(signer, public_key, sizeof public_key, err));
        FSATTN_GOTO(fsattn_fsc_verify(fsc, public_key, err));
    }
    const char *signature = signer                   ? ", signature valid"
                            : fsattn_fsc_signer(fsc) ? ", signed (not checked)"
                                                     : "";
    fsattn_text_printf(out, "%s: %zu records, all sound%s\n", path, fsattn_fsc_count(fsc), signature);
out:
    fsattn_fsc_close(fsc);
    return status;
}

static fsattn_status verify_store(const char *path, fsattn_text *out, fsattn_err *err) {
    fsattn_store *store;
    int64_t rows, defects;
    FSATTN_TRY(fsattn_cache_store(path, FSATTN_CACHE_STORE_READ, &store, err));
    fsattn_status status = fsattn_store_verify(store, &rows, &defects, err);
    fsattn_store_close(store);
    FSATTN_TRY(status);
    if (defects) {
        fsattn_fail(err, FSATTN_CORRUPT, "%s: %" PRId64 " defects in %" PRId64 " rows", path, defects, rows);
        fsattn_hint(err, "damaged rows count as absent: tuning again makes them anew");
        return FSATTN_CORRUPT;
    }
    fsattn_text_printf(out, "%s: %" PRId64 " rows, all sound\n", path, rows);
    return FSATTN_OK;
}

fsattn_status fsattn_cache_verify(int argc, char **argv, fsattn_err *err) {
    const char *signer = NULL, *positionals[1];
    const fsattn_option options[] = {
        {"--signer", "FILE", FSATTN_OPTION_TEXT, &signer, 0, 0,
         "public key that must have signed the cache file (default: not asked)"},
    };
    const fsattn_command command = {
        "fsattn-cache verify",
        "[FILE] [options]",
        "Checks every hash, row and reference of a store or a cache file.",
        options,
        sizeof options / sizeof options[0],
        "FILE is a store or a cache file (default: the user's tune.db). Exit status 5 when "
        "something is damaged or not signed."};
    char *path = NULL;
    size_t count;
    bool done, is_fsc;
    fsattn_text out = {0};
    fsattn_status status;
    FSATTN_TRY(fsattn_cache_parse(&command, argc, argv, positionals, 0, 1, &count, &done, err));
    if (done) {
        return FSATTN_OK;
    }
    FSATTN_GOTO(fsattn_cache_path(count ? positionals[0] : NULL, "tune.db", &path, err));
    FSATTN_GOTO(fsattn_cache_is_fsc(path, &is_fsc, err));
    if (signer && !is_fsc) {
        status = fsattn_fail(err, FSATTN_USAGE, "--signer: %s is a store, and stores are not signed", path);
        goto out;
    }
    FSATTN_GOTO(is_fsc ? verify_fsc(path, signer, &out, err) : verify_store(path, &out, err));
    status = fsattn_cache_print(&out, err);
out:
    fsattn_text_fini(&out);
    fsattn_free(path);
    return status;
}
