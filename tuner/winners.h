/* winners.h - who wins: finalists, their shoot-out, ties, the Pareto set of cost against error.
 *
 *   finalists   the default; of each tier of the space (or of the space) the fastest than which nothing faster is as accurate, and
 *               whatever is within the search's noise of it; and of the rest each that halves the error of all that are faster
 *   winner      the fastest of the shoot-out above the accuracy floor. Those as fast within noise are tied with it and are
 *               recorded so; of them the one with the smallest identity wins, or the default if it is one of them. So the
 *               order of measuring decides nothing, and a tuned configuration replaces the default only by beating it. In the
 *               same way one wins each other tier, of those that are published
 *   beats_default  (store.h) what is published: the default was slower beyond noise, or has at least twice the error, or is
 *               below the accuracy floor, or failed; or is less accurate and of another tier. And it does not give way to the winner that
 *               it is tied with, or of a tier to the one that it is tied with there
 *   nothing at all  when no candidate is above the accuracy floor: neither the default nor anything else is published then
 *
 * A search whose finalists all have been through their shoot-out already is decided from the store.
 */
#ifndef FSATTN_WINNERS_H
#define FSATTN_WINNERS_H

#include "candidate.h"
#include "shootout.h"

typedef struct fsattn_winners {
    fsattn_candidate *winner;     /* NULL: nothing is ranked */
    fsattn_statistics statistics; /* of the shoot-out, or of the search when it is not confirmed */
    double default_ns;            /* median of the default in the same comparison; 0: unknown */
    bool confirmed;
    size_t finalists, tied; /* tied: others of the winner's tier that are as fast */
    size_t rounds;          /* of the shoot-out; 0: there was none in this run */
} fsattn_winners;

/* The finalists among all candidates of a problem, the default first when it is OK, then the best of all; returns how many, at most
 * `limit` (>= 4 and the tiers). `reference_ns` as for fsattn_candidate_score; `exact`: times carry no noise. Depends on the search's
 * times alone. FSATTN_NO_MEMORY is the only failure. */
fsattn_status fsattn_winners_finalists(fsattn_candidate *const *candidates, size_t count, double reference_ns, bool exact,
                                       fsattn_candidate **finalists, size_t limit, size_t *finalist_count,
                                       fsattn_err *err);

/* Decides among the finalists of a shoot-out that is complete: sets each contender's verdict (but not its times). The winner's
 * index, or SIZE_MAX when nobody is eligible. `verdicts` has one for each contender. */
size_t fsattn_winners_resolve(const fsattn_shootout *shootout, fsattn_candidate_verdict *verdicts);

/* Whether what ties with the winner is worth publishing beside it: it has half of its error, or is more accurate and of another tier. */
bool fsattn_winners_beside(const fsattn_candidate *tied, const fsattn_candidate *winner);

/* Chooses the winner of a problem, with a shoot-out where one is needed, and stores what came out of it. */
fsattn_status fsattn_winners_decide(const fsattn_session *session, fsattn_candidate *const *candidates,
                                    size_t count, double reference_ns, int64_t deadline_ns,
                                    fsattn_winners *winners, fsattn_err *err);

#endif
