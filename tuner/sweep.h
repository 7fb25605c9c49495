/* sweep.h - every configuration of a GPU space rendered, compiled and held against its manifest, quantizers included. Needs no
 * GPU, ranks nothing.
 *
 * A configuration fails when it does not render or compile, spills, exceeds the registers that its threads
 * leave it, or needs other LDS or threads than the manifest said before. What renders to equal sources, but for the comment
 * that names problem and configuration, is compiled once. The order is shuffled, and all settings advance together, so that
 * what a stopped sweep has seen stands for the whole. With a store, code objects and their resources are kept there, and what is
 * there is not compiled again: a sweep that was stopped goes on where it ended.
 */
#ifndef FSATTN_SWEEP_H
#define FSATTN_SWEEP_H

#include "hiprtc.h"
#include "space.h"
#include "store.h"

typedef struct fsattn_sweep_options {
    uint64_t sample; /* configurations of each setting, at random; 0: all */
    uint64_t seed;
    const size_t *problems; /* of the space, by index; NULL: all */
    size_t problem_count;
    fsattn_store *store; /* nullable */
    const volatile sig_atomic_t *stop;   /* nullable */
} fsattn_sweep_options;

enum { fsattn_sweep_failure_limit = 32 };
typedef struct fsattn_sweep_failure {
    char reason[128]; /* up to its first number: "spills", "build-failed: kernel.hip:" */
    uint64_t count;
    char example[768]; /* problem, configuration, whole reason */
} fsattn_sweep_failure;

typedef struct fsattn_sweep_result {
    uint64_t settings, valid,
        configurations;          /* settings; valid configurations of all of them; those looked at */
    uint64_t sources;                    /* distinct ones that are right */
    uint64_t compiled, reused, distinct; /* compilations; taken from the store; different code objects of both */
    uint64_t failures;
    fsattn_sweep_failure failed[fsattn_sweep_failure_limit]; /* the kinds, as they came */
    size_t failed_count;
    uint32_t vgprs_max;              /* most that a configuration took */
    double seconds, compile_seconds; /* wall time; sum over compilations */
} fsattn_sweep_result;

/* Called after each batch. */
typedef void fsattn_sweep_progress(void *context, const fsattn_sweep_result *so_far);
/* FSATTN_UNSUPPORTED for a template that is not for a GPU. To be asked before a compiler is looked for. */
fsattn_status fsattn_sweep_check(const fsattn_manifest *manifest, const char *path, fsattn_err *err);
/* Failing configurations are a result, not an error. A stop ends it early. */
fsattn_status fsattn_sweep_run(const fsattn_space *space, fsattn_hiprtc *hiprtc,
                               const fsattn_sweep_options *options, fsattn_sweep_progress *progress,
                               void *context, fsattn_sweep_result *result, fsattn_err *err);
/* Appends the result for people. */
void fsattn_sweep_text(const fsattn_sweep_result *result, fsattn_text *text);

#endif
