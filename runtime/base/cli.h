/* cli.h - command lines: one table per command feeds both the parser and --help.
 *
 * Prints only where asked to (help, error reporting); never exits. A program that could not print all it had to say has failed:
 * every main opens with fsattn_cli_begin and returns fsattn_cli_end.
 */
#ifndef FSATTN_CLI_H
#define FSATTN_CLI_H

#include "fsattn.h"

#include <stdio.h>

typedef enum fsattn_option_kind {
    FSATTN_OPTION_FLAG, /* target: bool *, set to true */
    FSATTN_OPTION_INT,  /* target: int64_t *, within minimum .. maximum */
    FSATTN_OPTION_REAL, /* target: double *, within minimum .. maximum */
    FSATTN_OPTION_TEXT, /* target: const char **, points into argv */
    FSATTN_OPTION_LIST, /* target: fsattn_option_list *, may be given several times */
} fsattn_option_kind;

typedef struct fsattn_option_list {
    const char *values[64];
    size_t count;
} fsattn_option_list;

typedef struct fsattn_option {
    const char *name;     /* "--budget" */
    const char *argument; /* "SECONDS"; NULL for a flag */
    fsattn_option_kind kind;
    void *target;
    double minimum, maximum; /* for INT and REAL; both 0: no limits */
    const char *help;        /* one line, the default included: "stop after SECONDS (default: 600)" */
} fsattn_option;

typedef struct fsattn_command {
    const char *name;     /* "fsattn-tune" */
    const char *synopsis; /* "SPACE.yaml [options]" */
    const char *summary;  /* one sentence */
    const fsattn_option *options;
    size_t option_count;
    const char *details; /* free text after the options, or NULL */
} fsattn_command;

/* Parses argv[1..]: "--name value" and "--name=value"; "--" ends the options. Positional arguments are collected in
 * positionals[0 .. *positional_count - 1] (at most `positional_limit`). --help sets *help. Unknown options name the
 * nearest right one; an option with a value that is no list comes once; FSATTN_USAGE. A command has at most 128 options. */
fsattn_status fsattn_cli_parse(const fsattn_command *command, int argc, char **argv, const char **positionals,
                               size_t positional_limit, size_t *positional_count, bool *help, fsattn_err *err);
void fsattn_cli_help(FILE *stream, const fsattn_command *command);
/* Prints "<program>: <message>" and, when there is one, "  <hint>" to stderr, control characters as \n, \t, \x1b; returns the
 * exit status. */
int fsattn_cli_report(const char *program, const fsattn_err *err);

/* First in main: descriptors 0, 1 and 2 that are closed are opened on /dev/null, so that no file gets their number and is
 * printed into. Printing to a standard output that was closed still fails. */
void fsattn_cli_begin(void);
/* Writes out what was printed: FSATTN_IO when standard output did not take all of it. */
fsattn_status fsattn_cli_flush(fsattn_err *err);
/* Last in main: the exit status for `status`, whose detail is reported; FSATTN_OK counts only when standard output took
 * everything. */
int fsattn_cli_end(const char *program, fsattn_status status, fsattn_err *err);

#endif
