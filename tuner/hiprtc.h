/* hiprtc.h - the GPU compiler: HIPRTC and comgr's disassembler in a pool of helper processes.
 *
 * Owns where ROCm is (an explicit root, $FSATTN_ROCM_ROOT, /opt/rocm, or the private root that
 * tools/rocm-root builds in the user's cache folder), the identity of what compiles, and the workers: one per
 * core, started when they are first needed, restarted after an abort or a deadline. Some builtins make LLVM
 * abort: that costs one candidate. A bad source is a verdict, an error means that nothing can be compiled.
 * Needs no GPU. Loads nothing into this process. One thread at a time.
 *
 * The identity is made of the packages' versions and hashes (private root) or of the libraries' hashes:
 * hiprtcVersion says 9.0 whatever the release.
 */
#ifndef FSATTN_HIPRTC_H
#define FSATTN_HIPRTC_H

#include "text.h"
#include "verdict.h"

#include <signal.h>

typedef struct fsattn_hiprtc fsattn_hiprtc;

typedef struct fsattn_hiprtc_settings {
    const char *root;   /* private root or ROCm installation; NULL: as above */
    const char *helper; /* path of fsattn-rocm-helper; NULL: beside the running program, or in ../bin of it */
    int jobs;           /* 0: as many as usable cores */
    double time_limit_s; /* of one compilation; 0: 120 */
} fsattn_hiprtc_settings;

/* FSATTN_NOT_FOUND when there is no ROCm or no helper, with how to get one in the hint. `settings` NULL: all
 * defaults. */
fsattn_status fsattn_hiprtc_open(const fsattn_hiprtc_settings *settings, fsattn_hiprtc **hiprtc,
                                 fsattn_err *err);
void fsattn_hiprtc_close(fsattn_hiprtc *hiprtc); /* accepts NULL */
/* "hiprtc 7.2.4-1 comgr 22.0-3 root=0123456789abcdef": part of build keys. */
const char *fsattn_hiprtc_identity(const fsattn_hiprtc *hiprtc);
const char *fsattn_hiprtc_root(const fsattn_hiprtc *hiprtc);

/* One compilation. */
typedef struct fsattn_hiprtc_job {
    const char *source;         /* NUL-terminated; borrowed */
    const char *const *options; /* NULL-terminated; borrowed. At least --offload-arch belongs there */
    /* Set by fsattn_hiprtc_compile: */
    fsattn_verdict verdict; /* OK, BUILD_FAILED, CRASHED, TIMEOUT */
    bool cut;               /* the caller's deadline or a stop ended it: no verdict */
    char reason[512];       /* one line; "" for OK */
    char *log;              /* what the compiler said, or NULL */
    void *code;
    size_t code_bytes;
    double seconds; /* of the compilation, also when it was another job's */
    size_t same_as; /* index of the job of equal source and options whose result this is; its own when it was
                       compiled */
} fsattn_hiprtc_job;

/* Compiles all, `jobs` at a time; equal sources with equal options once. `deadline_ns`: CLOCK_MONOTONIC,
 * INT64_MAX for none; `stop` (nullable) is looked at while waiting. Release each job with
 * fsattn_hiprtc_job_fini, also after an error. */
fsattn_status fsattn_hiprtc_compile(fsattn_hiprtc *hiprtc, fsattn_hiprtc_job *jobs, size_t count,
                                    int64_t deadline_ns, const volatile sig_atomic_t *stop, fsattn_err *err);
void fsattn_hiprtc_job_fini(fsattn_hiprtc_job *job);

/* The text of rocm_frame.h's DISASSEMBLE, appended to `listing`. `isa`: "gfx950". FSATTN_INVALID when comgr
 * refuses. */
fsattn_status fsattn_hiprtc_disassemble(fsattn_hiprtc *hiprtc, const void *code, size_t bytes,
                                        const char *isa, fsattn_text *listing, fsattn_err *err);

#endif
