/* hunt.h - the search of one problem: part after part of the space, batches from the strategy until it ends or the part's share of the
 * budget does. Internal to search.c. */
#ifndef FSATTN_HUNT_H
#define FSATTN_HUNT_H

#include "baseline.h"
#include "search.h"

/* What is searched by itself: a tier of the space, or all of it. */
typedef struct fsattn_hunt_part {
    fsattn_space space; /* borrows everything; fsattn_space_part */
    fsattn_config start;
    fsattn_enumeration *enumeration;
} fsattn_hunt_part;

typedef struct fsattn_hunt {
    const fsattn_search_options *options;
    const fsattn_session *session;
    const fsattn_hunt_part *parts;
    size_t part_count;
    size_t part;                   /* at work */
    int64_t deadline_ns;           /* no candidate is begun after it; of all parts, then of the one at work */
    int64_t end_ns;                /* of the problem, shoot-out included */
    int64_t evaluations;           /* left */
    const fsattn_config *carried;  /* tried before what the strategy proposes, after the default */
    size_t carried_count;
    fsattn_candidate **candidates; /* all with a verdict, the default first */
    size_t count, capacity;
    size_t given; /* of them, those that no strategy has proposed; the first ones */
    fsattn_candidate *base; /* the default configuration, NULL until it has a verdict */
    fsattn_candidate *best;   /* of all */
    fsattn_candidate *leader; /* of the part at work, which its candidates must beat */
    fsattn_baseline baseline;
    double build_s; /* of all builds together */
    int64_t builds;
    fsattn_search_end end;
    fsattn_arena arena; /* of the candidates */
} fsattn_hunt;

/* Runs it; members above `candidates` are set by the caller. */
fsattn_status fsattn_hunt_run(fsattn_hunt *hunt, fsattn_err *err);
/* Judges those that were screened out beside a best that is none any more (it failed since, or is below the accuracy floor), as long as
 * the shoot-out's time allows. *any: one has a verdict of its own now, and may be a finalist. */
fsattn_status fsattn_hunt_again(fsattn_hunt *hunt, bool *any, fsattn_err *err);
/* Tries those of the configurations that have not been tried, until its deadline. *any: one has a verdict now. */
fsattn_status fsattn_hunt_try(fsattn_hunt *hunt, const fsattn_config *configs, size_t count, bool *any, fsattn_err *err);
/* The candidate with this configuration, or NULL. */
fsattn_candidate *fsattn_hunt_find(const fsattn_hunt *hunt, const fsattn_config *config);
void fsattn_hunt_fini(fsattn_hunt *hunt);

#endif
