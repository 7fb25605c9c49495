/* sign: puts a signature on a cache file that is there already. */
#include "cache_command.h"

#include "error.h"

static fsattn_status copy_records(const fsattn_fsc *fsc, fsattn_fsc_writer *writer, fsattn_err *err) {
    for (size_t i = 0; i < fsattn_fsc_count(fsc); i++) {
        FSATTN_TRY(fsattn_fsc_writer_add(writer, fsattn_fsc_at(fsc, i), err));
    }
    return FSATTN_OK;
}

/* The same records with a signature: a file that has damage in it is not vouched for. */
static fsattn_status sign_file(const char *path, const char *to, const char *key, fsattn_err *err) {
    uint8_t secret[fsattn_fsc_secret_key_bytes];
    fsattn_fsc *fsc = NULL;
    fsattn_fsc_writer *writer = NULL;
    fsattn_text out = {0};
    fsattn_status status;
    const fsattn_output_own own[] = {{key, "the key", false}};
    const fsattn_output output = {to, to == path ? NULL : "--output", &fsattn_fsc_output_kind, own, sizeof own / sizeof own[0]};
    FSATTN_TRY(fsattn_cache_read_key(key, secret, sizeof secret, err));
    FSATTN_GOTO(fsattn_fsc_open(path, fsattn_cache_warn, NULL, &fsc, err));
    if (fsattn_fsc_damaged(fsc)) {
        status = fsattn_fail(err, FSATTN_CORRUPT, "%s: %zu of its records are damaged, nothing is signed", path,
                             fsattn_fsc_damaged(fsc));
        fsattn_hint(err, "export it again from the store (fsattn-cache export --sign)");
        goto out;
    }
    FSATTN_GOTO(fsattn_output_check(&output, err));
    FSATTN_GOTO(fsattn_fsc_writer_create(&writer, err));
    FSATTN_GOTO(copy_records(fsc, writer, err));
    FSATTN_GOTO(fsattn_fsc_writer_publish(writer, secret, to, err));
    fsattn_text_printf(&out, "%s: %zu records, signed\n", to, fsattn_fsc_writer_count(writer));
    status = fsattn_cache_print(&out, err);
out:
    sodium_memzero(secret, sizeof secret);
    fsattn_text_fini(&out);
    fsattn_fsc_writer_destroy(writer);
    fsattn_fsc_close(fsc);
    return status;
}

fsattn_status fsattn_cache_sign(int argc, char **argv, fsattn_err *err) {
    const char *key = NULL, *output = NULL, *positionals[1];
    const fsattn_option options[] = {
        {"--key", "FILE", FSATTN_OPTION_TEXT, &key, 0, 0, "secret key to sign with, NAME.key; required"},
        {"--output", "FILE", FSATTN_OPTION_TEXT, &output, 0, 0, "write here, over nothing but a cache file (default: FILE.fsc is replaced in one step)"},
    };
    const fsattn_command command = {
        "fsattn-cache sign",
        "FILE.fsc --key NAME.key [options]",
        "Signs a cache file as it is; a signature that it has is replaced. Look at what you sign "
        "(fsattn-cache list FILE.fsc): whoever demands your key runs its code.",
        options,
        sizeof options / sizeof options[0],
        NULL};
    size_t count;
    bool done;
    FSATTN_TRY(fsattn_cache_parse(&command, argc, argv, positionals, 1, 1, &count, &done, err));
    if (done) {
        return FSATTN_OK;
    }
    if (!key) {
        fsattn_fail(err, FSATTN_USAGE, "sign: --key is missing");
        fsattn_hint(err, "'fsattn-cache key NAME' makes one: sign with --key NAME.key");
        return FSATTN_USAGE;
    }
    return sign_file(positionals[0], output ? output : positionals[0], key, err);
}
