/* fsattn-cache: looks into stores and cache files and moves results between them. */
#include "cache_command.h"

#include "error.h"
#include "file.h"
#include "nearest.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct subcommand {
    const char *name;
    fsattn_status (*run)(int argc, char **argv, fsattn_err *err);
    const char *summary;
} subcommand;

static const subcommand subcommands[] = {
#define X(name, function, summary) {name, function, summary},
    FSATTN_CACHE_COMMAND_LIST(X)
#undef X
};
enum { subcommand_count = sizeof subcommands / sizeof subcommands[0] };

void fsattn_cache_warn(void *data, const fsattn_err *err) {
    (void)data;
    fprintf(stderr, "fsattn-cache: warning: %s\n", err->message);
    if (err->hint[0]) {
        fprintf(stderr, "  %s\n", err->hint);
    }
}

void fsattn_cache_warn_untrusted(const char *path) {
    fsattn_err err = {0};
    const int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) {
        return;
    }
    if (fsattn_file_trust(fd, path, &err) != FSATTN_OK) {
        fsattn_context_add(&err, err.code, "programs will refuse to run its kernels");
        fsattn_cache_warn(NULL, &err);
    }
    close(fd);
}

fsattn_status fsattn_cache_parse(const fsattn_command *command, int argc, char **argv,
                                 const char **positionals, size_t minimum, size_t limit, size_t *count,
                                 bool *done, fsattn_err *err) {
    FSATTN_TRY(fsattn_cli_parse(command, argc, argv, positionals, limit, count, done, err));
    if (*done) {
        fsattn_cli_help(stdout, command);
        return FSATTN_OK;
    }
    if (*count < minimum) {
        fsattn_fail(err, FSATTN_USAGE, "%s: expected %s%zu argument%s, got %zu", command->name + strlen("fsattn-cache "),
                    limit > minimum ? "at least " : "", minimum, minimum == 1 ? "" : "s", *count);
        fsattn_hint(err, "usage: %s %s", command->name, command->synopsis);
        return FSATTN_USAGE;
    }
    return FSATTN_OK;
}

fsattn_status fsattn_cache_print(fsattn_text *text, fsattn_err *err) {
    fsattn_status status = FSATTN_OK;
    if (text->failed) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    } else {
        fwrite(text->bytes ? text->data : "", 1, text->bytes, stdout);
        status = fsattn_cli_flush(err);
    }
    fsattn_text_fini(text);
    return status;
}

fsattn_status fsattn_cache_path(const char *given, const char *name, char **owned, fsattn_err *err) {
    if (!given) {
        fsattn_status status = fsattn_store_default_path(name, owned, err);
        if (status == FSATTN_NOT_FOUND) {
            fsattn_hint(err, "set HOME or XDG_DATA_HOME to an absolute path, or name the file (--help says how)");
        }
        return status;
    }
    if (!given[0]) {
        fsattn_fail(err, FSATTN_USAGE, "the name of the file for %s is empty", name);
        fsattn_hint(err, "leave it out for the default in the user's data folder");
        return FSATTN_USAGE;
    }
    *owned = fsattn_strdup(given);
    return *owned ? FSATTN_OK : fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
}

fsattn_status fsattn_cache_store(const char *given, fsattn_cache_store_use use, fsattn_store **store, fsattn_err *err) {
    char *path;
    fsattn_store_options options = {
        .read_only = use == FSATTN_CACHE_STORE_READ, .existing = use != FSATTN_CACHE_STORE_MAKE, .warn = fsattn_cache_warn};
    FSATTN_TRY(fsattn_cache_path(given, "tune.db", &path, err));
    fsattn_status status = fsattn_store_open(path, &options, store, err);
    fsattn_free(path);
    return status;
}

fsattn_status fsattn_cache_problem(const char **problem, char text[fsattn_problem_text_bytes], fsattn_err *err) {
    fsattn_problem parsed;
    if (!*problem) {
        return FSATTN_OK;
    }
    if (!(*problem)[strspn(*problem, " ")]) {
        fsattn_fail(err, FSATTN_USAGE, "--problem: expected a problem, got nothing");
        fsattn_hint(err, "leave the option out for all; 'fsattn-cache list' shows the problems");
        return FSATTN_USAGE;
    }
    FSATTN_TRY(fsattn_problem_parse(*problem, &parsed, err));
    fsattn_problem_text(&parsed, text);
    *problem = text;
    return FSATTN_OK;
}

fsattn_status fsattn_cache_no_results(fsattn_err *err) {
    fsattn_fail(err, FSATTN_NOT_FOUND, "no results of that problem and template");
    fsattn_hint(err, "'fsattn-cache list --all' shows what a store has");
    return FSATTN_NOT_FOUND;
}

fsattn_status fsattn_cache_damage(const char *path, const fsattn_fsc *fsc, fsattn_err *err) {
    const size_t damaged = fsattn_fsc_damaged(fsc);
    if (!damaged) {
        return FSATTN_OK;
    }
    fsattn_fail(err, FSATTN_CORRUPT, "%s: %zu of %zu records are damaged", path, damaged, damaged + fsattn_fsc_count(fsc));
    fsattn_hint(err, "export it again from the store (fsattn-cache export)");
    return FSATTN_CORRUPT;
}

fsattn_status fsattn_cache_is_fsc(const char *path, bool *is_fsc, fsattn_err *err) {
    char first[4] = "";
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        const fsattn_status status = fsattn_fail_errno(err, errno, "%s", path);
        if (status == FSATTN_NOT_FOUND) {
            fsattn_hint(err, "name a store (tune.db) or a cache file (.fsc); 'fsattn-tune SPACE.yaml' makes the user's, and says where");
        }
        return status;
    }
    ssize_t got = pread(fd, first, sizeof first, 0);
    close(fd);
    size_t length = strlen(path);
    *is_fsc = (got == sizeof first && !memcmp(first,
                                              "\x89"
                                              "FSC",
                                              sizeof first)) ||
              (length > 4 && !strcmp(path + length - 4, ".fsc"));
    return FSATTN_OK;
}

void fsattn_cache_time_text(double ns, char text[32]) {
    static const struct {
        double limit, unit;
        const char *name;
    } rows[] = {{1e3, 1, "ns"}, {1e6, 1e3, "us"}, {1e9, 1e6, "ms"}, {0, 1e9, "s"}};
    size_t row = 0;
    while (rows[row].limit != 0 && ns >= rows[row].limit) {
        row++;
    }
    snprintf(text, 32, "%.4g %s", ns / rows[row].unit, rows[row].name);
}

static void help(FILE *stream) {
    fprintf(
        stream,
        "usage: fsattn-cache COMMAND [arguments]\n\nLooks into stores (tune.db) and cache files (.fsc) and "
        "moves results between them.\n\ncommands:\n");
    for (size_t i = 0; i < subcommand_count; i++) {
        fprintf(stream, "  %-10s %s\n", subcommands[i].name, subcommands[i].summary);
    }
    fprintf(stream, "  %-10s %s\n\n'fsattn-cache COMMAND --help' says more about each.\n", "--help",
            "show this and exit");
}

static fsattn_status unknown_command(const char *typed, fsattn_err *err) {
    const char *names[subcommand_count];
    for (size_t i = 0; i < subcommand_count; i++) {
        names[i] = subcommands[i].name;
    }
    fsattn_fail(err, FSATTN_USAGE, "unknown command '%s'", typed);
    if (typed[0] == '-') {
        fsattn_hint(err, "a command comes first; 'fsattn-cache --help' lists them");
        return FSATTN_USAGE;
    }
    fsattn_nearest_hint(err, typed, names, subcommand_count);
    return FSATTN_USAGE;
}

int main(int argc, char **argv) {
    fsattn_err err = {0};
    fsattn_cli_begin();
    if (argc < 2) {
        help(stderr);
        return fsattn_status_exit(FSATTN_USAGE);
    }
    fsattn_status status = FSATTN_OK;
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
        help(stdout);
    } else {
        size_t i = 0;
        while (i < subcommand_count && strcmp(argv[1], subcommands[i].name)) {
            i++;
        }
        status = i < subcommand_count ? subcommands[i].run(argc - 1, argv + 1, &err) : unknown_command(argv[1], &err);
    }
    return fsattn_cli_end("fsattn-cache", status, &err);
}
