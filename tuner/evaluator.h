/* evaluator.h - where candidates are rendered, built, verified and timed: all that the search knows of the outside.
 *
 * An evaluator is a function table. Three there are: `host` (compile pool, device workers; evaluator_host.h), `gpu`
 * (HIPRTC, hardware or simulator; evaluator_gpu.h) and `scripted` (costs, faults, drift and a fake clock from a file;
 * evaluator_scripted.h). A bad candidate is an outcome, never an error:
 * an error means that the run cannot go on. Everything is called from one thread.
 *
 * Order for one candidate: render, then (unless the store knows the result) build, start, screen, verify, sample any number of
 * times, stop, release; for finalists start, prove, sample, stop. Several trials may be open at once, for interleaved timing; an evaluator times one at a time.
 * Deadlines are in the time of the now_ns operation; INT64_MAX is none.
 */
#ifndef FSATTN_EVALUATOR_H
#define FSATTN_EVALUATOR_H

#include "config.h"
#include "fsc.h"
#include "verdict.h"

typedef struct fsattn_evaluator fsattn_evaluator;
typedef struct fsattn_trial fsattn_trial; /* a worker with one built variant loaded and the inputs of one problem */

/* What results are valid for. */
typedef struct fsattn_platform {
    fsattn_target target;
    fsattn_provenance provenance; /* of all costs */
    bool exact;                   /* times carry no noise: any difference counts */
    char machine[64];             /* host name, for people */
    char device[128];             /* name of the processor or GPU */
    char driver[128];
    char isa[128];                /* what variants are compiled for, resolved */
    char compiler[256];           /* identity */
    char verification[512];       /* canonical text of what `verify` does; part of the policy in result keys */
    int64_t units;                /* cores used, or compute units */
    uint32_t abi;
    double timer_resolution_ns;   /* a time below it never counts */
    double flop_per_s;            /* what the device cannot exceed; 0: unknown. A faster time is flagged */
} fsattn_platform;

enum { fsattn_reason_bytes = 512 };
/* What became of a step. */
typedef struct fsattn_outcome {
    fsattn_verdict verdict;          /* OK: go on */
    bool cut;                        /* the deadline given by the caller ended it, not the candidate: no verdict at all */
    char reason[fsattn_reason_bytes]; /* one line; "" for OK */
} fsattn_outcome;

/* Writes the verdict with its reason (cut to what fits); not cut. */
void fsattn_outcome_set(fsattn_outcome *outcome, fsattn_verdict verdict, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* A configuration rendered for the dtypes, mask and layout of a problem. Members are set by render and build, and owned by
 * the evaluator until release. */
typedef struct fsattn_variant {
    fsattn_hash build_key;
    fsattn_stage stage;  /* launch: entry, rule, tiles, scratch; `code` after build */
    const fsattn_stage *chain; /* of several kernels all of them, in order, `stage` being the last; NULL: `stage` alone */
    size_t chain_count;
    const char *launch;  /* canonical text of the launch, for the result key */
    const char *options; /* of the compiler, joined by one space */
    fsattn_blob source;
    bool compiled;       /* build ran the compiler (false: the code came from the store) */
    double build_s;      /* what the compiler took, also when it was another run's */
} fsattn_variant;

enum { fsattn_verification_limit = 32 };
/* Of each distribution the worst figures of all cases ("normal": what requests for an accuracy and floors are compared with); of normal inputs each
 * case's own too ("normal_37x613"), which say where the worst is. */
typedef struct fsattn_verification {
    fsattn_accuracy_entry accuracies[fsattn_verification_limit]; /* names live as long as the evaluator */
    size_t accuracy_count;
} fsattn_verification;

/* Takes in what was found of `entry->distribution`: the worse of each figure stays. What is no number, or one distribution too many, is left out. */
void fsattn_verification_add(fsattn_verification *verification, const fsattn_accuracy_entry *entry);
void fsattn_verification_merge(fsattn_verification *verification, const fsattn_verification *from);

typedef struct fsattn_evaluator_ops {
    const char *name;
    void (*close)(fsattn_evaluator *evaluator);
    int64_t (*now_ns)(fsattn_evaluator *evaluator);

    /* REJECTED (supports, constraints, resources), BUILD_FAILED (the template) or cut leave *variant NULL. */
    fsattn_status (*render)(fsattn_evaluator *evaluator, const fsattn_problem *problem, const fsattn_config *config,
                            fsattn_variant **variant, fsattn_outcome *outcome, fsattn_err *err);
    /* Builds all of them, as many at a time as there are cores, one compilation for each build key: outcomes[i] is OK,
     * BUILD_FAILED, CRASHED or TIMEOUT. */
    fsattn_status (*build)(fsattn_evaluator *evaluator, fsattn_variant *const *variants, size_t count,
                           int64_t deadline_ns, fsattn_outcome *outcomes, fsattn_err *err);
    void (*release)(fsattn_evaluator *evaluator, fsattn_variant *variant); /* accepts NULL */

    /* A worker with the variant loaded. *trial is NULL unless the outcome is OK. The variant must outlive the trial. */
    fsattn_status (*start)(fsattn_evaluator *evaluator, fsattn_variant *variant, const fsattn_problem *problem,
                           int64_t deadline_ns, fsattn_trial **trial, fsattn_outcome *outcome, fsattn_err *err);
    /* What a look at a small part says of the cost, before anything is verified; NaN: it says nothing. NULL: there is no such look. */
    fsattn_status (*screen)(fsattn_trial *trial, int64_t deadline_ns, double *cost_ns, fsattn_outcome *outcome, fsattn_err *err);
    /* Correctness (tight, against the emulation of this very configuration) and accuracy (against float64). */
    fsattn_status (*verify)(fsattn_trial *trial, int64_t deadline_ns, fsattn_verification *verification,
                            fsattn_outcome *outcome, fsattn_err *err);
    /* The whole of it, for finalists, where verify is a part: nothing is published before. NULL: verify is the whole. */
    fsattn_status (*prove)(fsattn_trial *trial, int64_t deadline_ns, fsattn_verification *verification,
                           fsattn_outcome *outcome, fsattn_err *err);
    /* Runs the kernel `count` times and writes the time of each, as the clock gave it: what may count is decided by
     * the caller. `cold`: operands come from memory, not from a cache. *got < count only when the outcome is not OK. */
    fsattn_status (*sample)(fsattn_trial *trial, size_t count, bool cold, int64_t deadline_ns, double *times_ns,
                            size_t *got, fsattn_outcome *outcome, fsattn_err *err);
    void (*stop)(fsattn_trial *trial); /* accepts NULL */

    /* After a crash or a timeout: whether a kernel with a known result still gives it, in a time like before. An error is
     * returned when it does not: nothing measured after that would mean anything. */
    fsattn_status (*canary)(fsattn_evaluator *evaluator, fsattn_err *err);
} fsattn_evaluator_ops;

/* Implementations put this first. */
struct fsattn_evaluator {
    const fsattn_evaluator_ops *ops;
    fsattn_platform platform;
    int64_t render_end_ns; /* by its clock; set by the caller, 0: none. What is still being rendered then is cut */
    int64_t waited_ns; /* altogether, for other processes that used the machine: nobody's time but the budget's */
};

#endif
