/* text and diff: results as facts, one a line. */
#include "cache_input.h"

#include "error.h"

#include <string.h>

enum { positional_limit = 2 };

/* Control characters and the backslash are escaped, so that a fact is always one line. */
static void add_escaped(fsattn_text *out, const char *value) {
    for (const unsigned char *at = (const unsigned char *)value; *at; at++) {
        if (*at < 0x20 || *at == 0x7f || *at == '\\') {
            fsattn_text_printf(out, "\\x%02x", *at);
        } else {
            fsattn_text_add(out, at, 1);
        }
    }
}

static fsattn_status add_entry(fsattn_text *out, const fsattn_cache_entry *entry, fsattn_err *err) {
    fsattn_arena arena = {0};
    size_t count;
    const fsattn_cache_field *fields = fsattn_cache_fields(&entry->result, &arena, &count);
    if (fields) {
        fsattn_text_puts(out, "\nresult\n");
        for (size_t i = 0; i < count; i++) {
            fsattn_text_printf(out, "  %s:%s", fields[i].name, fields[i].value[0] ? " " : "");
            add_escaped(out, fields[i].value);
            fsattn_text_puts(out, "\n");
        }
    }
    fsattn_arena_fini(&arena);
    return fields ? FSATTN_OK : fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
}

fsattn_status fsattn_cache_text_print(const char *given, const fsattn_cache_choice *choice, fsattn_err *err) {
    char *path = NULL;
    bool is_fsc;
    fsattn_cache_input input = {0};
    fsattn_text out = {0};
    fsattn_status status;
    FSATTN_GOTO(fsattn_cache_path(given, "tune.db", &path, err));
    FSATTN_GOTO(fsattn_cache_is_fsc(path, &is_fsc, err));
    FSATTN_GOTO(fsattn_cache_input_open(&input, path, is_fsc, choice, err));
    fsattn_text_puts(&out, "# fsattn results, text form 1\n");
    for (size_t i = 0; i < input.count; i++) {
        FSATTN_GOTO(add_entry(&out, &input.entries[i], err));
    }
    status = fsattn_cache_print(&out, err);
out:
    fsattn_text_fini(&out);
    fsattn_cache_input_fini(&input);
    fsattn_free(path);
    return status;
}

fsattn_status fsattn_cache_text(int argc, char **argv, fsattn_err *err) {
    fsattn_cache_choice choice = {0};
    const fsattn_option options[] = {
        {"--all", NULL, FSATTN_OPTION_FLAG, &choice.all, 0, 0,
         "every result of a store, failed ones too (default: what an export would have)"},
        {"--unproven", NULL, FSATTN_OPTION_FLAG, &choice.unproven, 0, 0,
         "imported results that were not verified here too (default: no)"},
    };
    const fsattn_command command = {
        "fsattn-cache text",
        "[FILE] [options]",
        "Prints a store or a cache file as text, one fact a line, in an order that new "
        "measurements do not change.",
        options,
        sizeof options / sizeof options[0],
        "FILE is a store or a cache file (default: the user's tune.db)."};
    const char *positionals[1];
    size_t count;
    bool done;
    FSATTN_TRY(fsattn_cache_parse(&command, argc, argv, positionals, 0, 1, &count, &done, err));
    return done ? FSATTN_OK : fsattn_cache_text_print(count ? positionals[0] : NULL, &choice, err);
}

/* ---- diff ---- */

static void add_only(fsattn_text *out, char sign, const fsattn_cache_entry *entry) {
    fsattn_text_printf(out, "%c ", sign);
    add_escaped(out, entry->title);
    fsattn_text_puts(out, "\n");
}

static const char *value_of(const fsattn_cache_field *fields, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(fields[i].name, name)) {
            return fields[i].value;
        }
    }
    return NULL;
}

static void add_change(fsattn_text *out, const char *name, const char *before, const char *after) {
    fsattn_text_printf(out, "    %s: ", name);
    add_escaped(out, before ? before : "(absent)");
    fsattn_text_puts(out, " -> ");
    add_escaped(out, after ? after : "(absent)");
    fsattn_text_puts(out, "\n");
}

/* The same title on both sides: which facts differ. *changed is left alone when none does. */
static fsattn_status add_changes(fsattn_text *out, const fsattn_cache_entry *a, const fsattn_cache_entry *b,
                                 size_t *changed, fsattn_err *err) {
    fsattn_arena arena = {0};
    fsattn_text lines = {0};
    size_t a_count = 0, b_count = 0;
    const fsattn_cache_field *x = fsattn_cache_fields(&a->result, &arena, &a_count);
    const fsattn_cache_field *y = fsattn_cache_fields(&b->result, &arena, &b_count);
    bool complete = x && y;
    for (size_t i = 0; complete && i < a_count; i++) {
        const char *after = value_of(y, b_count, x[i].name);
        if (!after || strcmp(x[i].value, after)) {
            add_change(&lines, x[i].name, x[i].value, after);
        }
    }
    for (size_t i = 0; complete && i < b_count; i++) {
        if (!value_of(x, a_count, y[i].name)) {
            add_change(&lines, y[i].name, NULL, y[i].value);
        }
    }
    if (lines.bytes) {
        add_only(out, '~', a);
        fsattn_text_add(out, lines.data, lines.bytes);
        ++*changed;
    }
    complete = complete && !lines.failed;
    fsattn_text_fini(&lines);
    fsattn_arena_fini(&arena);
    return complete ? FSATTN_OK : fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
}

static fsattn_status compare(fsattn_text *out, const fsattn_cache_input *a, const fsattn_cache_input *b,
                             size_t *differences, fsattn_err *err) {
    size_t removed = 0, added = 0, changed = 0, i = 0, j = 0;
    while (i < a->count || j < b->count) {
        int step = i == a->count ? 1 : j == b->count ? -1 : strcmp(a->entries[i].title, b->entries[j].title);
        if (step < 0) {
            add_only(out, '-', &a->entries[i++]);
            removed++;
        } else if (step > 0) {
            add_only(out, '+', &b->entries[j++]);
            added++;
        } else {
            FSATTN_TRY(add_changes(out, &a->entries[i++], &b->entries[j++], &changed, err));
        }
    }
    *differences = removed + added + changed;
    fsattn_text_printf(out, "%zu only in the first, %zu only in the second, %zu changed\n", removed, added,
                       changed);
    return FSATTN_OK;
}

fsattn_status fsattn_cache_diff(int argc, char **argv, fsattn_err *err) {
    fsattn_cache_choice choice = {0};
    const fsattn_option options[] = {
        {"--all", NULL, FSATTN_OPTION_FLAG, &choice.all, 0, 0,
         "every result of a store, failed ones too (default: what an export would have)"},
        {"--unproven", NULL, FSATTN_OPTION_FLAG, &choice.unproven, 0, 0,
         "imported results that were not verified here too (default: no)"},
    };
    const fsattn_command command = {
        "fsattn-cache diff",
        "FILE FILE [options]",
        "Compares two stores or cache files, result by result.",
        options,
        sizeof options / sizeof options[0],
        "'-' is only in the first, '+' only in the second, '~' in both with different "
        "facts. Exit status 8 when they differ."};
    const char *paths[positional_limit];
    size_t count, differences = 0;
    bool done, is_fsc[positional_limit];
    fsattn_cache_input inputs[positional_limit] = {{0}};
    fsattn_text out = {0};
    fsattn_status status;
    FSATTN_TRY(fsattn_cache_parse(&command, argc, argv, paths, positional_limit, positional_limit, &count,
                                  &done, err));
    if (done) {
        return FSATTN_OK;
    }
    /* Both are looked at before one is opened: closing a file drops SQLite's locks on it. */
    for (size_t i = 0; i < positional_limit; i++) {
        FSATTN_TRY(fsattn_cache_is_fsc(paths[i], &is_fsc[i], err));
    }
    for (size_t i = 0; i < positional_limit; i++) {
        FSATTN_GOTO(fsattn_cache_input_open(&inputs[i], paths[i], is_fsc[i], &choice, err));
    }
    FSATTN_GOTO(compare(&out, &inputs[0], &inputs[1], &differences, err));
    FSATTN_GOTO(fsattn_cache_print(&out, err));
    if (differences) {
        status = fsattn_fail(err, FSATTN_MISMATCH, "%s and %s differ", paths[0], paths[1]);
    }
out:
    fsattn_text_fini(&out);
    for (size_t i = 0; i < positional_limit; i++) {
        fsattn_cache_input_fini(&inputs[i]);
    }
    return status;
}
