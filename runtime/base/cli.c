#include "cli.h"

#include "error.h"
#include "nearest.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { option_limit = 128 }; /* of a command */

static fsattn_status unknown_option(const fsattn_command *command, const char *typed, fsattn_err *err) {
    const char *names[option_limit + 1];
    size_t count = 0;
    names[count++] = "--help";
    for (size_t i = 0; i < command->option_count && i < option_limit; i++) {
        names[count++] = command->options[i].name;
    }
    fsattn_fail(err, FSATTN_USAGE, "unknown option '%s'", typed);
    const char *nearest = fsattn_nearest(typed, names, count);
    fsattn_hint(err, "%s%s%s'%s --help' lists them all", nearest ? "did you mean '" : "", nearest ? nearest : "",
                nearest ? "'? " : "", command->name);
    return FSATTN_USAGE;
}

static bool in_range(const fsattn_option *option, double value) {
    return (option->minimum == 0 && option->maximum == 0) ||
           (value >= option->minimum && value <= option->maximum);
}

static fsattn_status store_number(const fsattn_option *option, const char *value, fsattn_err *err) {
    const bool whole = option->kind == FSATTN_OPTION_INT;
    int64_t integer = 0;
    double real = 0;
    bool read = whole ? fsattn_text_integer(value, &integer) : fsattn_text_real(value, &real);
    if (!read || !in_range(option, whole ? (double)integer : real)) {
        const char *what = whole ? "a whole number" : "a number";
        if (option->minimum == 0 && option->maximum == 0) {
            return fsattn_fail(err, FSATTN_USAGE, "%s: expected %s, got '%s'", option->name, what, value);
        }
        return fsattn_fail(err, FSATTN_USAGE, whole ? "%s: expected %s from %.0f to %.0f, got '%s'" : "%s: expected %s from %.15g to %.15g, got '%s'",
                           option->name, what, option->minimum, option->maximum, value);
    }
    if (whole) {
        *(int64_t *)option->target = integer;
    } else {
        *(double *)option->target = real;
    }
    return FSATTN_OK;
}

static fsattn_status store(const fsattn_option *option, const char *value, fsattn_err *err) {
    switch (option->kind) {
    case FSATTN_OPTION_FLAG:
        *(bool *)option->target = true;
        return FSATTN_OK;
    case FSATTN_OPTION_INT:
    case FSATTN_OPTION_REAL:
        return store_number(option, value, err);
    case FSATTN_OPTION_TEXT:
        *(const char **)option->target = value;
        return FSATTN_OK;
    case FSATTN_OPTION_LIST: {
        fsattn_option_list *list = option->target;
        if (list->count == sizeof list->values / sizeof list->values[0]) {
            return fsattn_fail(err, FSATTN_USAGE, "%s: given more than %zu times", option->name, list->count);
        }
        list->values[list->count++] = value;
        return FSATTN_OK;
    }
    }
    return fsattn_fail(err, FSATTN_INTERNAL, "%s: unknown kind", option->name);
}

static const fsattn_option *find(const fsattn_command *command, const char *name, size_t bytes) {
    for (size_t i = 0; i < command->option_count && i < option_limit; i++) {
        const fsattn_option *option = &command->options[i];
        if (strlen(option->name) == bytes && !memcmp(option->name, name, bytes)) {
            return option;
        }
    }
    return NULL;
}

fsattn_status fsattn_cli_parse(const fsattn_command *command, int argc, char **argv, const char **positionals,
                               size_t positional_limit, size_t *positional_count, bool *help, fsattn_err *err) {
    size_t count = 0;
    bool options_ended = false, help_wanted = false, given[option_limit] = {false};
    for (int i = 1; i < argc; i++) {
        const char *word = argv[i];
        if (options_ended || word[0] != '-' || !strcmp(word, "-")) {
            if (count == positional_limit) {
                fsattn_fail(err, FSATTN_USAGE, "unexpected argument '%s'", word);
                fsattn_hint(err, "usage: %s %s", command->name, command->synopsis);
                return FSATTN_USAGE;
            }
            positionals[count++] = word;
            continue;
        }
        if (!strcmp(word, "--")) {
            options_ended = true;
            continue;
        }
        if (!strcmp(word, "--help") || !strcmp(word, "-h")) {
            help_wanted = true;
            continue;
        }
        const char *equals = strchr(word, '=');
        const fsattn_option *option = find(command, word, equals ? (size_t)(equals - word) : strlen(word));
        if (!option) {
            return unknown_option(command, word, err);
        }
        const char *value = equals ? equals + 1 : NULL;
        const size_t row = (size_t)(option - command->options);
        if (given[row] && option->kind != FSATTN_OPTION_FLAG && option->kind != FSATTN_OPTION_LIST) {
            fsattn_fail(err, FSATTN_USAGE, "%s: given twice", option->name);
            fsattn_hint(err, "leave one of them out");
            return FSATTN_USAGE;
        }
        given[row] = true;
        if (option->kind == FSATTN_OPTION_FLAG && equals) {
            return fsattn_fail(err, FSATTN_USAGE, "%s: takes no value, got '%s'", option->name, value);
        }
        if (option->kind != FSATTN_OPTION_FLAG && !equals) {
            if (i + 1 == argc) {
                return fsattn_fail(err, FSATTN_USAGE, "%s: needs a value (%s)", option->name, option->argument);
            }
            value = argv[++i];
        }
        FSATTN_TRY(store(option, value, err));
    }
    *positional_count = count;
    *help = help_wanted;
    return FSATTN_OK;
}

void fsattn_cli_help(FILE *stream, const fsattn_command *command) {
    fprintf(stream, "usage: %s %s\n\n%s\n\noptions:\n", command->name, command->synopsis, command->summary);
    for (size_t i = 0; i < command->option_count; i++) {
        const fsattn_option *option = &command->options[i];
        char left[64];
        snprintf(left, sizeof left, "%s%s%s", option->name, option->argument ? " " : "",
                 option->argument ? option->argument : "");
        fprintf(stream, "  %-26s %s\n", left, option->help);
    }
    fprintf(stream, "  %-26s %s\n", "--help", "show this and exit");
    if (command->details) {
        fprintf(stream, "\n%s\n", command->details);
    }
}

/* Words of a file or a command line stand in messages: what a terminal would obey is shown instead. */
static void print_plain(FILE *stream, const char *text) {
    for (const char *at = text; *at; at++) {
        const unsigned char byte = (unsigned char)*at;
        if (byte < 0x20 || byte == 0x7f) {
            fprintf(stream, byte == '\n' ? "\\n" : byte == '\t' ? "\\t" : "\\x%02x", byte);
        } else {
            fputc(byte, stream);
        }
    }
    fputc('\n', stream);
}

int fsattn_cli_report(const char *program, const fsattn_err *err) {
    fprintf(stderr, "%s: ", program);
    print_plain(stderr, err->message);
    if (err->hint[0]) {
        fputs("  ", stderr);
        print_plain(stderr, err->hint);
    }
    return fsattn_status_exit(err->code);
}

void fsattn_cli_begin(void) {
    /* Opened for reading, standard output still refuses to be written, as it did when it was closed. */
    static const int flags[] = {O_RDONLY, O_RDONLY, O_WRONLY};
    for (int fd = 0; fd < 3; fd++) {
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
            int opened = open("/dev/null", flags[fd]); /* the lowest that is free, which is fd */
            (void)opened;
        }
    }
}

fsattn_status fsattn_cli_flush(fsattn_err *err) {
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout)) {
        return FSATTN_OK;
    }
    fsattn_status status = errno ? fsattn_fail_errno(err, errno, "standard output: cannot be written")
                                 : fsattn_fail(err, FSATTN_IO, "standard output: cannot be written");
    fsattn_hint(err, "what was printed is not complete");
    return status;
}

int fsattn_cli_end(const char *program, fsattn_status status, fsattn_err *err) {
    if (status == FSATTN_OK) {
        status = fsattn_cli_flush(err);
    }
    return status == FSATTN_OK ? 0 : fsattn_cli_report(program, err);
}
