/* verify.h - what a kernel's output must be, and whether it is.
 *
 * "Wrong" is judged against the emulation of the very configuration, element by element, with a tolerance derived from the
 * spread of two orders of accumulation; accuracy is measured against float64. Cases are small problems with tails (all
 * input distributions, every row compared) and the tuned problem itself (normal inputs; groups of rows: first, last and seeded
 * random ones; and one row of every group of every head, which must be near the reference). What is expected is computed once for
 * each case and emulation, so that candidates that differ in nothing but speed share it. One thread at a time.
 *
 * Where probabilities are quantized, as on GPUs, the last bit of a score moves a code of P now and then, and with it a row by far more
 * than that spread. So there an eighth of the rows may be beyond it, each element within the tolerance of numerics/tolerance.h (a step of
 * P, and the coarsest model of accumulation), and all rows together within that one's norm. Why not that tolerance alone, and for all: it lets
 * pass a result that is wrong by 1 % in every row, which no kernel is whose codes move. A float32 kernel moves nothing by so much.
 */
#ifndef FSATTN_VERIFY_H
#define FSATTN_VERIFY_H

#include "compare.h"
#include "emulator.h"
#include "evaluator.h"
#include "inputs.h"
#include "manifest.h"

typedef struct fsattn_verifier fsattn_verifier;

/* Canonical text of what is compared and how (part of the policy in result keys). */
extern const char fsattn_verifier_text[];

fsattn_status fsattn_verifier_create(uint64_t seed, fsattn_verifier **verifier, fsattn_err *err);
void fsattn_verifier_destroy(fsattn_verifier *verifier);

/* What the manifest says of the configuration's emulation; its accumulation, which the device decides, is the caller's. Errors name
 * the manifest. */
fsattn_status fsattn_verifier_emulator(fsattn_manifest *manifest, const fsattn_setting *setting, const fsattn_config *config,
                                       fsattn_emulator_config *emulator, fsattn_err *err);

/* One thing that a kernel is run on. */
typedef struct fsattn_verify_case {
    char name[64];        /* distribution and sizes, "normal_37x613" */
    fsattn_problem problem;
    fsattn_distribution distribution;
    uint64_t seed;
    bool padded, guarded; /* as in worker.h */
    bool whole;           /* the tuned problem itself */
    bool sampled;         /* of the others: some groups of rows are compared, not all */
    bool rescaled;        /* has another scale than the problem it belongs to: its errors are not those of normal inputs */
    int64_t rows_total;
    fsattn_rows rows;     /* that are compared */
    struct fsattn_verify_state *state;
} fsattn_verify_case;

/* The cases of a problem, the small ones first; owned by the verifier. */
fsattn_status fsattn_verifier_cases(fsattn_verifier *verifier, const fsattn_problem *problem,
                                    const fsattn_verify_case *const **cases, size_t *count, fsattn_err *err);

/* The small case like `what` (problem, distribution, padding, guards, whether rows are sampled), made when there is none yet; owned by the verifier. */
fsattn_status fsattn_verifier_small(fsattn_verifier *verifier, const fsattn_verify_case *what, const fsattn_verify_case **c,
                                    fsattn_err *err);
/* Tiles that the emulation rolled back in a case whose rows are all compared. */
fsattn_status fsattn_verifier_rollbacks(fsattn_verifier *verifier, const fsattn_verify_case *c,
                                        const fsattn_emulator_config *config, int64_t *rollbacks, fsattn_err *err);
/* Judges the output of one case as it lies in memory (strides in elements of dtype_o; lse may be NULL when the problem has none).
 * *outcome is OK or WRONG with the first defect, its place and the numbers. `comparison` (nullable) gets the accuracy against
 * float64. Rows that are not selected are only searched for unwritten poison by the caller. */
fsattn_status fsattn_verifier_judge(fsattn_verifier *verifier, const fsattn_verify_case *c,
                                    const fsattn_emulator_config *config, const void *o, fsattn_strides strides,
                                    const float *lse, fsattn_outcome *outcome, fsattn_comparison *comparison, fsattn_err *err);
/* Takes in the accuracy of a case, which stands for `rows` rows: normal inputs count whatever their size, so that what a record
 * promises is the worst of the small cases and the tuned problem. A rescaled case is told and does not count: where scores are
 * several times as large, every format errs more. */
void fsattn_verifier_note(const fsattn_verify_case *c, int64_t rows, const fsattn_comparison *comparison, fsattn_verification *verification);

#endif
