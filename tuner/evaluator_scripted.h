/* evaluator_scripted.h - a device that follows a file (scripted_file.h): for tests of everything that concerns time,
 * search and failure, and for replaying recorded results.
 *
 * Its clock starts at 0 and advances only by what the file says compiling, starting, verifying and running take, so a
 * search on it is the same each time. Nothing is compiled or run. It counts what it was asked for. Its times are
 * modelled unless the file says otherwise.
 */
#ifndef FSATTN_EVALUATOR_SCRIPTED_H
#define FSATTN_EVALUATOR_SCRIPTED_H

#include "evaluator.h"
#include "manifest.h"
#include "store.h"

typedef struct fsattn_evaluator_scripted_options {
    const char *path;          /* of the file */
    fsattn_manifest *manifest; /* of the template; outlives the evaluator */
    fsattn_store *store;       /* keeps builds; NULL: every build is a compilation */
    int jobs;                  /* compilations at a time; 0: 1 */
    const char *distribution;  /* of inputs whose accuracy is found besides that of normal ones; NULL: none. Outlives the evaluator */
} fsattn_evaluator_scripted_options;

typedef struct fsattn_scripted_counts {
    int64_t renders, compilations, starts, screenings, verifications, proofs, canaries;
    int64_t samples; /* runs of a kernel, warm-up included */
} fsattn_scripted_counts;

fsattn_status fsattn_evaluator_scripted_open(const fsattn_evaluator_scripted_options *options,
                                             fsattn_evaluator **evaluator, fsattn_err *err);
/* Of an evaluator from fsattn_evaluator_scripted_open. */
const fsattn_scripted_counts *fsattn_evaluator_scripted_counts(const fsattn_evaluator *evaluator);

#endif
