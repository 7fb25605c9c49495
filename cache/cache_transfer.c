/* export, import, merge, gc: what changes files. */
#include "cache_command.h"

#include "error.h"

#include <inttypes.h>
#include <string.h>

static fsattn_status count_roles(const char *path, size_t *winners, size_t *defaults, size_t *problems,
                                 fsattn_err *err) {
    fsattn_fsc *fsc;
    const char *last = "";
    FSATTN_TRY(fsattn_fsc_open(path, NULL, NULL, &fsc, err));
    *winners = *defaults = *problems = 0;
    for (size_t i = 0; i < fsattn_fsc_count(fsc); i++) {
        const fsattn_fsc_record *record = fsattn_fsc_at(fsc, i);
        *winners += record->role == FSATTN_ROLE_WINNER;
        *defaults += record->role == FSATTN_ROLE_DEFAULT;
        *problems += strcmp(last, record->problem_text) != 0;
        last = record->problem_text;
    }
    fsattn_fsc_close(fsc);
    return FSATTN_OK;
}

static fsattn_status publish(const char *store_path, const fsattn_store_export_options *choice,
                             const char *sign, const char *path, fsattn_err *err) {
    uint8_t secret[fsattn_fsc_secret_key_bytes];
    fsattn_store *store = NULL;
    fsattn_fsc_writer *writer = NULL;
    fsattn_text out = {0};
    char *from = NULL;
    size_t winners, defaults, problems;
    fsattn_status status;
    if (sign) {
        FSATTN_TRY(fsattn_cache_read_key(sign, secret, sizeof secret, err));
    }
    FSATTN_GOTO(fsattn_cache_path(store_path, "tune.db", &from, err));
    const fsattn_output_own own[] = {{from, "the store", true}, {sign, "the key", false}};
    const fsattn_output output = {path, NULL, &fsattn_fsc_output_kind, own, sizeof own / sizeof own[0]};
    FSATTN_GOTO(fsattn_output_check(&output, err));
    FSATTN_GOTO(fsattn_cache_store(store_path, FSATTN_CACHE_STORE_READ, &store, err));
    FSATTN_GOTO(fsattn_fsc_writer_create(&writer, err));
    FSATTN_GOTO(fsattn_store_export(store, choice, writer, NULL, err));
    if (fsattn_fsc_writer_count(writer) == 0) {
        status = fsattn_fail(err, FSATTN_NOT_FOUND, "no result to publish in the store%s%s; %s stays as it is", store_path ? " " : "",
                             store_path ? store_path : "", path);
        fsattn_hint(err, "run fsattn-tune first; 'fsattn-cache list' shows what a store has");
        goto out;
    }
    FSATTN_GOTO(fsattn_fsc_writer_publish(writer, sign ? secret : NULL, path, err));
    /* What is reported is what a reader finds. */
    FSATTN_GOTO(count_roles(path, &winners, &defaults, &problems, err));
    fsattn_text_printf(&out, "%s: %zu winners and %zu defaults for %zu problems%s\n", path, winners, defaults,
                       problems, sign ? ", signed" : "");
    status = fsattn_cache_print(&out, err);
out:
    sodium_memzero(secret, sizeof secret);
    fsattn_text_fini(&out);
    fsattn_fsc_writer_destroy(writer);
    fsattn_store_close(store);
    fsattn_free(from);
    return status;
}

fsattn_status fsattn_cache_export(int argc, char **argv, fsattn_err *err) {
    fsattn_store_export_options choice = {0};
    bool done, text = false;
    const char *store_path = NULL, *sign = NULL, *positionals[1];
    const fsattn_option options[] = {
        {"--store", "FILE", FSATTN_OPTION_TEXT, &store_path, 0, 0,
         "store to export from (default: the user's tune.db)"},
        {"--unproven", NULL, FSATTN_OPTION_FLAG, &choice.unproven, 0, 0,
         "imported results that were not verified here too (default: no)"},
        {"--problem", "TEXT", FSATTN_OPTION_TEXT, &choice.problem, 0, 0,
         "only of this problem (default: all)"},
        {"--template", "NAME", FSATTN_OPTION_TEXT, &choice.template_name, 0, 0,
         "only of this template (default: all)"},
        {"--sign", "FILE", FSATTN_OPTION_TEXT, &sign, 0, 0, "secret key to sign with (default: not signed)"},
        {"--text", NULL, FSATTN_OPTION_FLAG, &text, 0, 0, "print the text form instead of writing a file"},
    };
    const fsattn_command command = {
        "fsattn-cache export",
        "[FILE.fsc] [options]",
        "Publishes a store's winners: for each problem the Pareto set of cost against "
        "error, and the defaults.",
        options,
        sizeof options / sizeof options[0],
        "FILE.fsc is replaced in one step, and only if it is a cache file (default: the user's fsattn.fsc)."};
    char *path = NULL, problem_text[fsattn_problem_text_bytes];
    size_t count;
    fsattn_status status;
    FSATTN_TRY(fsattn_cache_parse(&command, argc, argv, positionals, 0, 1, &count, &done, err));
    if (done) {
        return FSATTN_OK;
    }
    FSATTN_TRY(fsattn_cache_problem(&choice.problem, problem_text, err));
    if (text && count) {
        fsattn_fail(err, FSATTN_USAGE, "export: --text prints, and %s would not be written", positionals[0]);
        fsattn_hint(err, "leave the file out, and redirect the output");
        return FSATTN_USAGE;
    }
    if (text) {
        const fsattn_cache_choice shown = {
            .unproven = choice.unproven, .problem = choice.problem, .template_name = choice.template_name};
        return fsattn_cache_text_print(store_path, &shown, err);
    }
    FSATTN_TRY(fsattn_cache_path(count ? positionals[0] : NULL, "fsattn.fsc", &path, err));
    status = publish(store_path, &choice, sign, path, err);
    fsattn_free(path);
    return status;
}

static fsattn_status print_changes(const char *name, const fsattn_store_changes *changes, fsattn_err *err) {
    fsattn_text out = {0};
    fsattn_text_printf(&out,
                       "%s: %" PRId64 " results, %" PRId64 " builds and %" PRId64 " blobs added, %" PRId64
                       " results were there\n",
                       name, changes->results_added, changes->builds_added, changes->blobs_added,
                       changes->results_kept);
    return fsattn_cache_print(&out, err);
}

fsattn_status fsattn_cache_import(int argc, char **argv, fsattn_err *err) {
    const char *store_path = NULL, *signer = NULL, *positionals[1];
    const fsattn_option options[] = {
        {"--store", "FILE", FSATTN_OPTION_TEXT, &store_path, 0, 0,
         "store to import into (default: the user's tune.db)"},
        {"--signer", "FILE", FSATTN_OPTION_TEXT, &signer, 0, 0,
         "public key that must have signed; then the records count as proven (default: they do not)"},
    };
    const fsattn_command command = {
        "fsattn-cache import",
        "FILE.fsc [options]",
        "Takes a cache file's records into a store. What the store has itself is never "
        "replaced.",
        options,
        sizeof options / sizeof options[0],
        NULL};
    uint8_t public_key[fsattn_fsc_public_key_bytes];
    fsattn_store_changes changes;
    fsattn_store *store = NULL;
    fsattn_fsc *fsc = NULL;
    size_t count;
    bool done;
    fsattn_status status;
    FSATTN_TRY(fsattn_cache_parse(&command, argc, argv, positionals, 1, 1, &count, &done, err));
    if (done) {
        return FSATTN_OK;
    }
    FSATTN_GOTO(fsattn_fsc_open(positionals[0], fsattn_cache_warn, NULL, &fsc, err));
    if (signer) {
        FSATTN_GOTO(fsattn_cache_read_key(signer, public_key, sizeof public_key, err));
        FSATTN_GOTO(fsattn_fsc_verify(fsc, public_key, err));
    }
    if (fsattn_fsc_count(fsc) || !fsattn_fsc_damaged(fsc)) {
        FSATTN_GOTO(fsattn_cache_store(store_path, FSATTN_CACHE_STORE_MAKE, &store, err));
        FSATTN_GOTO(fsattn_store_import(store, fsc, signer != NULL, &changes, err));
        FSATTN_GOTO(print_changes(positionals[0], &changes, err));
    }
    status = fsattn_cache_damage(positionals[0], fsc, err);
out:
    fsattn_fsc_close(fsc);
    fsattn_store_close(store);
    return status;
}

fsattn_status fsattn_cache_merge(int argc, char **argv, fsattn_err *err) {
    enum { limit = 64 };
    const char *store_path = NULL, *positionals[limit];
    const fsattn_option options[] = {
        {"--store", "FILE", FSATTN_OPTION_TEXT, &store_path, 0, 0,
         "store to merge into (default: the user's tune.db)"},
    };
    const fsattn_command command = {
        "fsattn-cache merge",
        "FROM.db... [options]",
        "Takes in what other stores have and this one lacks or has older. The others are "
        "only read.",
        options,
        sizeof options / sizeof options[0],
        NULL};
    fsattn_store_changes changes;
    fsattn_store *store = NULL, *from[limit] = {0};
    size_t count;
    bool done;
    fsattn_status status;
    FSATTN_TRY(fsattn_cache_parse(&command, argc, argv, positionals, 1, limit, &count, &done, err));
    if (done) {
        return FSATTN_OK;
    }
    /* All that is to be read is there before anything is made. */
    for (size_t i = 0; i < count; i++) {
        FSATTN_GOTO(fsattn_cache_store(positionals[i], FSATTN_CACHE_STORE_READ, &from[i], err));
    }
    FSATTN_GOTO(fsattn_cache_store(store_path, FSATTN_CACHE_STORE_MAKE, &store, err));
    for (size_t i = 0; i < count; i++) {
        FSATTN_GOTO(fsattn_store_merge(store, from[i], &changes, err));
        FSATTN_GOTO(print_changes(positionals[i], &changes, err));
    }
out:
    for (size_t i = 0; i < limit; i++) {
        fsattn_store_close(from[i]);
    }
    fsattn_store_close(store);
    return status;
}

fsattn_status fsattn_cache_gc(int argc, char **argv, fsattn_err *err) {
    fsattn_store_gc_options choice = {.keep_days = -1};
    const char *store_path = NULL;
    const fsattn_option options[] = {
        {"--store", "FILE", FSATTN_OPTION_TEXT, &store_path, 0, 0,
         "store to clean (default: the user's tune.db)"},
        {"--dry-run", NULL, FSATTN_OPTION_FLAG, &choice.dry_run, 0, 0, "only say what would be removed"},
        {"--keep-days", "DAYS", FSATTN_OPTION_INT, &choice.keep_days, -1, 36500,
         "forget failures older than DAYS, so that they are tried again (default: -1, never)"},
    };
    const fsattn_command command = {
        "fsattn-cache gc",
        "[options]",
        "Removes code objects and sources that no winner or default needs. Verdicts stay, "
        "so that tuning still resumes.",
        options,
        sizeof options / sizeof options[0],
        NULL};
    fsattn_store_changes changes;
    fsattn_store *store = NULL;
    fsattn_text out = {0};
    size_t count;
    bool done;
    fsattn_status status;
    FSATTN_TRY(fsattn_cache_parse(&command, argc, argv, NULL, 0, 0, &count, &done, err));
    if (done) {
        return FSATTN_OK;
    }
    FSATTN_GOTO(fsattn_cache_store(store_path, FSATTN_CACHE_STORE_CHANGE, &store, err));
    FSATTN_GOTO(fsattn_store_gc(store, &choice, &changes, err));
    fsattn_text_printf(
        &out, "%s %" PRId64 " results, %" PRId64 " builds and %" PRId64 " blobs of %" PRId64 " bytes\n",
        choice.dry_run ? "would remove" : "removed", changes.results_removed, changes.builds_removed,
        changes.blobs_removed, changes.bytes_freed);
    status = fsattn_cache_print(&out, err);
out:
    fsattn_text_fini(&out);
    fsattn_store_close(store);
    return status;
}
