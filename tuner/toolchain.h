/* toolchain.h - the system's C compiler as the maker of host code objects.
 *
 * Owns what it is (its identity: name, version, and the hashes of its driver and of the compiler proper), how a variant is
 * compiled (options, resolved processor features), and a pool of compilations in child processes. A machine that has run out
 * of disk or memory is no property of a source: what fails for that reason, or is killed by somebody else, is tried once more
 * and alone, and then ends the run. A compiler that runs into its own limits (time, 8 GiB of addresses, 64 MiB files) has failed.
 */
#ifndef FSATTN_TOOLCHAIN_H
#define FSATTN_TOOLCHAIN_H

#include "process.h"
#include "workplace.h"

#include "cpu.h"
#include "machine.h"
#include "memory.h"

#include <signal.h>

typedef struct fsattn_toolchain {
    char *path;          /* of the compiler, resolved */
    char identity[256];  /* "cc (Debian 12.2.0-14) 12.2.0 driver=... proper=..." */
    fsattn_cpu cpu;      /* what is compiled for */
    char isa[128];       /* of cpu */
    fsattn_workplace workplace;
    int jobs;            /* compilations at a time */
    double time_limit_s; /* of one */
    const fsattn_machine *machine; /* entered while anything is compiled; NULL: none. Borrowed */
} fsattn_toolchain;

typedef struct fsattn_toolchain_settings {
    const char *compiler;  /* one program; NULL: $CC, else cc */
    int jobs;              /* 0: as many as usable cores */
    double time_limit_s;   /* of one compilation */
    double answer_limit_s; /* of a question about itself; 0, and at most: 20 */
    const volatile sig_atomic_t *stop; /* nullable */
    fsattn_warn *warn;     /* told when an answer takes long; nullable */
    void *warn_data;
} fsattn_toolchain_settings;

/* FSATTN_NOT_FOUND when the compiler does not run, FSATTN_COMPILE when it does not answer; the hint has the way out. */
fsattn_status fsattn_toolchain_open(const fsattn_toolchain_settings *settings, fsattn_toolchain *toolchain, fsattn_err *err);
void fsattn_toolchain_close(fsattn_toolchain *toolchain);

/* The options of one variant in order: the manifest's, the processor features, the linker's. NULL-terminated, in `arena`;
 * NULL when memory ends. */
const char **fsattn_toolchain_options(const fsattn_toolchain *toolchain, const char *const *options, size_t count,
                                      fsattn_arena *arena, size_t *total);

/* Whether an option, of whatever processor's, is one that fsattn_toolchain_options adds: of a feature, or for the linker. */
bool fsattn_toolchain_adds(const char *option);

/* One compilation. */
typedef struct fsattn_compilation {
    const void *source;
    size_t source_bytes;
    const char **options; /* NULL-terminated */
    /* Set by fsattn_toolchain_compile: */
    fsattn_verdict verdict; /* OK, BUILD_FAILED, CRASHED, TIMEOUT */
    bool cut;               /* the caller's deadline or a stop ended it: no verdict */
    char reason[512];
    char *log;              /* fsattn_free; what the compiler said, bounded */
    void *code;             /* fsattn_free */
    size_t code_bytes;
    double seconds;
    int again; /* 1: to be tried again, 2: being tried again. Of the pool */
} fsattn_compilation;

/* Called as each compilation ends, in the order in which they end. */
typedef fsattn_status fsattn_compiled(void *context, size_t index, fsattn_err *err);
/* Compiles all, `jobs` at a time. A bad source is a verdict; an error means that nothing can be compiled, NO_MEMORY or IO that
 * the machine has run out of something (or that `done` returned one). */
fsattn_status fsattn_toolchain_compile(fsattn_toolchain *toolchain, fsattn_compilation *compilations, size_t count,
                                       int64_t deadline_ns, const volatile sig_atomic_t *stop, fsattn_compiled *done,
                                       void *context, fsattn_err *err);
void fsattn_compilation_fini(fsattn_compilation *compilation);

#endif
