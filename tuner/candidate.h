/* candidate.h - one configuration on one problem: what is known of it, and how that is kept in the store.
 *
 * A candidate is ranked only when its verdict is OK (so it was verified), it has a time that counts and it is above
 * the space's accuracy floor. What the search measured is kept beside what a shoot-out measured later (as attributes of the
 * record and as the first of its samples), so that a resumed run picks the same finalists.
 */
#ifndef FSATTN_CANDIDATE_H
#define FSATTN_CANDIDATE_H

#include "fsc_interval.h"
#include "session.h"

typedef struct fsattn_candidate {
    fsattn_config config;
    fsattn_hash identity, result_key;
    fsattn_verdict verdict;
    bool is_default;
    bool partial;                             /* it passed what all go through; what finalists go through is still to come */
    size_t part;                              /* of the space (fsattn_space_part) that it was found in */
    bool resumed;                             /* the store had its result */
    bool cut;                                 /* given up early, it cannot win */
    fsattn_flag flag;                         /* why it is untimed */
    double screened_ns;                       /* untimed by this estimate, beside what was the best then; 0: not so */
    fsattn_statistics search;                 /* count 0: there is none */
    double baseline_ns;                       /* fastest run of the default at that time; 0: unknown */
    bool accurate;                            /* above the accuracy floor */
    bool floor_stale;                         /* the store has it otherwise: it was judged by another floor */
    double error;                             /* relative, of the floor's distribution; NaN: unknown */
    bool confirmed, beats_default, tied, won; /* of the shoot-out; tied with what wins its part */
    bool interval;                            /* the store says that it serves one (fsc_interval.h) */
    fsattn_statistics final;                  /* of the shoot-out */
} fsattn_candidate;

/* What is stored of a candidate besides what stands in it; members may be NULL. */
typedef struct fsattn_candidate_evidence {
    const fsattn_variant *variant;
    const fsattn_outcome *outcome;
    const fsattn_verification *verification;
    const fsattn_measurement *measurement;
    bool partial; /* the verification */
} fsattn_candidate_evidence;

fsattn_status fsattn_candidate_init(const fsattn_session *session, const fsattn_config *config,
                                    fsattn_candidate *candidate, fsattn_err *err);
/* Sets the result key. Without a variant (it was rejected or could not be rendered) the key is that of the configuration's
 * text: it is found again only while it still cannot be rendered. */
fsattn_status fsattn_candidate_key(const fsattn_session *session, const fsattn_variant *variant,
                                   fsattn_candidate *candidate, fsattn_err *err);
/* Looks the result up; *found true: the candidate is as the store has it. `reason` (nullable) gets at most
 * fsattn_reason_bytes. */
fsattn_status fsattn_candidate_find(const fsattn_session *session, fsattn_candidate *candidate, bool *found,
                                    char *reason, fsattn_err *err);
/* Sets verdict, accuracy and statistics from the evidence and stores the result, one durable transaction. */
fsattn_status fsattn_candidate_put(const fsattn_session *session, const fsattn_candidate_evidence *evidence,
                                   fsattn_candidate *candidate, fsattn_err *err);

/* Stores what the whole verification found of a candidate whose result is in the store. Nothing is changed there when another run has
 * proven it meanwhile. */
fsattn_status fsattn_candidate_prove(const fsattn_session *session, const fsattn_variant *variant,
                                     const fsattn_verification *verification, fsattn_candidate *candidate, fsattn_err *err);

/* What a shoot-out adds. */
typedef struct fsattn_candidate_verdict {
    bool confirmed, beats_default, won;
    const fsattn_candidate *tied_with; /* what wins its part of the space and it ties with; or NULL */
    size_t rounds;
    fsattn_statistics final;
    double default_ns, default_spread_ns;
    const double *times_ns; /* added to the samples */
    size_t count;
} fsattn_candidate_verdict;
/* Stores the outcome of a shoot-out with a result that is in the store, and sets the candidate's members. */
fsattn_status fsattn_candidate_confirm(const fsattn_session *session, const fsattn_candidate_verdict *verdict,
                                       fsattn_candidate *candidate, fsattn_err *err);

/* What is known when the neighbouring shapes are: of those that are tied another one wins, or what wins serves an interval. */
typedef struct fsattn_candidate_service {
    bool won, beats_default;
    const fsattn_candidate *tied_with;   /* what wins its part of the space and it ties with; or NULL */
    const fsattn_fsc_interval *interval; /* or NULL: none, also when it had one */
} fsattn_candidate_service;
/* Stores that with the result of a finalist that has been through its shoot-out, and sets the candidate's members. */
fsattn_status fsattn_candidate_serve(const fsattn_session *session, const fsattn_candidate_service *service, fsattn_candidate *candidate,
                                     fsattn_err *err);

bool fsattn_candidate_ranked(const fsattn_candidate *candidate);
/* What the search ranks by: the fastest run, as it would be had the default always taken `reference_ns` (0: as measured), so
 * that drift cancels. The fastest, because whatever disturbs a run makes it slower. */
double fsattn_candidate_score(const fsattn_candidate *candidate, double reference_ns);
/* Emits the candidate's notice. `best_ns` as in the notice. */
fsattn_status fsattn_candidate_report(const fsattn_session *session, const fsattn_candidate *candidate,
                                      const char *reason, bool best, fsattn_err *err);

#endif
