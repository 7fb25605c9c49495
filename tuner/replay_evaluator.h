/* replay_evaluator.h - the device `replay:FILE`: builds, verdicts and times are those of a result file (replay_file.h).
 *
 * The clock starts at 0 and advances by what compiling, verifying and running took when the file was made, one thing after
 * another. A run takes exactly the configuration's cost, the median of its times without the first: whatever is
 * noise in the file was averaged out there, and a search is judged by what it finds. All costs are modelled. Nothing is compiled
 * or run.
 */
#ifndef FSATTN_REPLAY_EVALUATOR_H
#define FSATTN_REPLAY_EVALUATOR_H

#include "evaluator.h"
#include "replay_file.h"

/* The file outlives the evaluator. */
fsattn_status fsattn_replay_evaluator_open(const fsattn_replay_file *file, fsattn_evaluator **evaluator, fsattn_err *err);

#endif
