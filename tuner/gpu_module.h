/* gpu_module.h - code objects for a GPU: rendered once for each family and configuration, compiled once for each source.
 *
 * Owns the modules in use and how they are built: looked up in the store by (source without its opening comment, which names the
 * configuration and the problem, options, compiler), claimed there so that
 * of any number of processes one compiles, compiled by the HIPRTC pool, inspected, stored. A module that spills or exceeds what
 * its manifest allows is `build-failed` with the reason, wherever its code came from. Several variants share one module:
 * all candidates of equal formats have the same quantizers. One thread.
 */
#ifndef FSATTN_GPU_MODULE_H
#define FSATTN_GPU_MODULE_H

#include "evaluator.h"
#include "hiprtc.h"
#include "manifest.h"
#include "store.h"

typedef struct fsattn_gpu_module {
    struct fsattn_gpu_module *next;
    size_t users;
    fsattn_arena arena; /* of the strings */
    const char *what;   /* family, configuration, setting */
    fsattn_text source; /* as rendered */
    fsattn_text input;  /* as compiled: without the opening comment */
    const char *const *options; /* NULL-terminated */
    const char *options_text;   /* joined by one space */
    fsattn_hash build_key;
    const char *entry;                             /* that must be there */
    int64_t lds_bytes, threads, vgprs_max;         /* as the manifest says */
    /* Set by building: */
    bool built, compiled; /* compiled: by this process, and not taken from the store */
    fsattn_outcome outcome;
    double seconds;
    fsattn_blob code; /* fsattn_free */
    char resources[160]; /* "vgprs=229 agprs=0 sgprs=62 lds=51200 scratch=0 spills=0": the most that a kernel of it takes */
    uint32_t vgprs;
} fsattn_gpu_module;

typedef struct fsattn_gpu_modules {
    fsattn_hiprtc *hiprtc;
    fsattn_store *store; /* NULL: none */
    const char *isa;     /* "gfx950" */
    const volatile sig_atomic_t *stop;
    int64_t render_end_ns; /* as the evaluator's */
    fsattn_gpu_module *first;
    uint64_t compilations; /* of this process; distinct sources */
    double seconds;        /* sum of theirs */
} fsattn_gpu_modules;

/* The module of a configuration that its manifest accepts; *module NULL with *outcome BUILD_FAILED when the template is wrong. */
fsattn_status fsattn_gpu_module_take(fsattn_gpu_modules *modules, fsattn_manifest *manifest, const fsattn_setting *setting,
                                     const fsattn_config *config, fsattn_gpu_module **module, fsattn_outcome *outcome,
                                     fsattn_err *err);
void fsattn_gpu_module_release(fsattn_gpu_modules *modules, fsattn_gpu_module *module); /* accepts NULL */
/* Builds those that are not built. A deadline or a stop leaves the outcomes `cut`, and the modules unbuilt. */
fsattn_status fsattn_gpu_modules_build(fsattn_gpu_modules *modules, fsattn_gpu_module *const *wanted, size_t count,
                                       int64_t deadline_ns, fsattn_err *err);
/* The configuration of the family `before` that goes with one of `manifest`: parameters of equal name have equal values. */
fsattn_status fsattn_gpu_module_before(const fsattn_manifest *manifest, const fsattn_manifest *before, const fsattn_config *config,
                                       fsattn_config *made, fsattn_err *err);
/* The manifest of the family whose kernels run first; NULL when there is none. Released by fsattn_manifest_close. */
fsattn_status fsattn_gpu_module_open_before(const fsattn_manifest *manifest, fsattn_manifest **before, fsattn_err *err);
void fsattn_gpu_modules_fini(fsattn_gpu_modules *modules);

#endif
