/* judge.h - from a built variant to a stored verdict: start, screen, verify, measure, store.
 *
 * What a look at a small part shows to be hopeless is untimed, with that reason and the estimate, and not verified. Nothing is measured
 * whose code was not verified: on the host in the same worker; on GPUs perhaps in an earlier one, on a problem of another size. A modelled
 * time of the tuned problem is that of a run that is judged in the proof, not before. Times faster than the device can be are taken once more
 * in a fresh worker before they are believed to be a flaw of the timer. After a crash or a timeout the canary runs.
 */
#ifndef FSATTN_JUDGE_H
#define FSATTN_JUDGE_H

#include "candidate.h"

/* Whether a screening's estimate cannot win against `best_ns`. */
bool fsattn_judge_hopeless(double estimate_ns, double best_ns);

/* Judges a built variant and stores the result. `best_ns` is what it must beat, 0 when there is nothing yet. *judged
 * false: the deadline came first and nothing was stored. `reason` gets at most fsattn_reason_bytes. An error means that
 * the run cannot go on; the candidate's verdict may have been stored even then. */
fsattn_status fsattn_judge(const fsattn_session *session, fsattn_variant *variant, double best_ns,
                           int64_t deadline_ns, fsattn_candidate *candidate, bool *judged, char *reason,
                           fsattn_err *err);

#endif
