/* evaluator_host.h - candidates on this processor: rendered, compiled by the system's compiler, run in device workers.
 *
 * Owns the toolchain and its temporary folder, the verifier, and a lock of the machine while anything is being run: one process
 * at a time measures. A canary kernel with a known result and time is compiled when the evaluator is opened.
 */
#ifndef FSATTN_EVALUATOR_HOST_H
#define FSATTN_EVALUATOR_HOST_H

#include "evaluator.h"
#include "manifest.h"
#include "store.h"

#include <signal.h>

typedef struct fsattn_evaluator_host_options {
    fsattn_manifest *manifest;  /* of a template with target host; borrowed */
    fsattn_store *store;        /* builds are reused from and put into it; NULL: none. Borrowed */
    const char *compiler;       /* NULL: $CC, else cc */
    const char *worker;         /* path of fsattn-worker; NULL: beside the running program */
    int jobs;                   /* compilations at a time; 0: usable cores */
    int threads;                /* of a kernel run; 0: usable cores */
    double build_time_limit_s;  /* of one compilation; 0: 60 */
    double trial_time_limit_s;  /* of one request to a worker; 0: 10 */
    double seconds;             /* that the run may last: no longer is waited for the compiler when it opens; 0: no limit */
    uint64_t seed;              /* of the inputs */
    fsattn_warn *warn;          /* told when another process is measuring and this one waits; or NULL */
    void *warn_data;
    const volatile sig_atomic_t *stop; /* set by a signal handler: everything in flight ends as cut. Nullable */
} fsattn_evaluator_host_options;

fsattn_status fsattn_evaluator_host_open(const fsattn_evaluator_host_options *options, fsattn_evaluator **evaluator,
                                         fsattn_err *err);

#endif
