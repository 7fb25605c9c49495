/* output.h - whether a file that a program writes may take the place of what bears its name.
 *
 * Outputs are put in place by rename (fsattn_file_publish), which would replace anything. The rule for every program: what is
 * there is nothing, an empty regular file, or a sound file of the kind that is written. Refused are links, folders, devices and
 * pipes; the command's own files, by resolved path and by inode, whether or not they are there already; and what a database
 * keeps beside itself (-wal, -shm, -journal, .lock), of the command's own or of any other that is there. Nothing is changed,
 * and none of the command's own files is opened (closing a database would drop its locks). Any thread.
 */
#ifndef FSATTN_OUTPUT_H
#define FSATTN_OUTPUT_H

#include "fsattn.h"

/* What is written. */
typedef struct fsattn_output_kind {
    const char *name;  /* "cache file" */
    const char *magic; /* the first bytes of every file of the kind */
    /* Asked when those are there; sets the cause. NULL: they are enough. */
    fsattn_status (*sound)(const char *path, fsattn_err *err);
} fsattn_output_kind;

/* The simulator's traces, which fsattn-sim asks about and the simulator writes. */
extern const fsattn_output_kind fsattn_output_trace_kind;

/* A file that the same command reads or keeps. */
typedef struct fsattn_output_own {
    const char *path; /* NULL: there is none */
    const char *what; /* "the store" */
    bool database;    /* with files beside it */
} fsattn_output_own;

typedef struct fsattn_output {
    const char *path, *option; /* option: "--cache", which messages open with; NULL for an argument */
    const fsattn_output_kind *kind;
    const fsattn_output_own *own;
    size_t own_count;
} fsattn_output;

/* FSATTN_INVALID when it may not be replaced (USAGE for an empty name), with what it is and the way out. A folder that is missing
 * is fsattn_file_publish's to refuse. */
fsattn_status fsattn_output_check(const fsattn_output *output, fsattn_err *err);

#endif
