/* search_run.h - what lives as long as a run of search.h, and one problem of it from its first candidate to its winner. Internal to search.c,
 * search_point.c and bisect.c. */
#ifndef FSATTN_SEARCH_RUN_H
#define FSATTN_SEARCH_RUN_H

#include "hunt.h"

/* Everything that lives as long as the run. */
typedef struct fsattn_search_state {
    const fsattn_search_options *options;
    fsattn_search_summary *summary;
    fsattn_text policy;
    int64_t run_id;
    int64_t began_ns, deadline_ns;
    int64_t evaluations; /* left for all problems */
    fsattn_enumeration *enumeration; /* of the whole space */
    fsattn_hunt_part parts[fsattn_space_tier_limit];
    size_t part_count;
    bool started; /* the parts have starts */
    char setting[fsattn_problem_text_bytes]; /* that the enumerations are for */
} fsattn_search_state;

int64_t fsattn_search_now(const fsattn_search_state *s);
bool fsattn_search_stopped(const fsattn_search_state *s);

/* A problem's part of the budget. */
typedef struct fsattn_search_share {
    size_t position;    /* of the problem among those of the run */
    int64_t all_ns;     /* until then; INT64_MAX: no limit */
    int64_t evaluations;
} fsattn_search_share;

/* A problem while it is searched; does not move. Zero-initialised can be released. */
typedef struct fsattn_search_point {
    fsattn_search_state *s;
    const fsattn_space_problem *problem;
    fsattn_session session;
    fsattn_hunt hunt; /* can be taken up again until the point is released */
    fsattn_winners winners;
    fsattn_search_result *result;
} fsattn_search_point;

/* Enumerates what is valid for the problem, and begins its result. The problem is borrowed until the point is released. */
fsattn_status fsattn_search_point_begin(fsattn_search_state *s, const fsattn_space_problem *problem, fsattn_search_point *point, fsattn_err *err);
/* Searches, the `carried` configurations first, and decides who wins. Without anything valid there is nothing to search. */
fsattn_status fsattn_search_point_hunt(fsattn_search_point *point, const fsattn_search_share *share, const fsattn_config *carried, size_t count,
                                       fsattn_err *err);
/* Tries those of the configurations that have not been tried, and decides again if there were any. */
fsattn_status fsattn_search_point_retry(fsattn_search_point *point, const fsattn_config *configs, size_t count, int64_t end_ns, fsattn_err *err);
/* Tells what came out. */
fsattn_status fsattn_search_point_tell(fsattn_search_point *point, fsattn_err *err);
void fsattn_search_point_release(fsattn_search_point *point);

/* Releases what enumerations there are. */
void fsattn_search_forget(fsattn_search_state *s);

#endif
