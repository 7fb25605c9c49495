/* listed.h - problems of a run whose sizes are listed one by one: of the configurations that are as fast at a problem the robust one wins.
 *
 * Neighbours of a problem are those of the run that differ from it in one axis alone (fsc_interval.h), on each axis the next below and the next
 * above. A problem is kept until its neighbours are tuned. Where several configurations are as fast they are tried at the neighbours, and the one
 * that costs least there beyond the best, at worst, becomes the winner; only then is it told. A problem without neighbours is told at once.
 */
#ifndef FSATTN_LISTED_H
#define FSATTN_LISTED_H

#include "search_run.h"

typedef struct fsattn_listed fsattn_listed;

fsattn_status fsattn_listed_create(fsattn_search_state *s, fsattn_listed **listed, fsattn_err *err);
/* Tunes the problem of the share's position, then settles those whose neighbours are all tuned. Positions come in order. */
fsattn_status fsattn_listed_tune(fsattn_listed *listed, const fsattn_search_share *share, fsattn_err *err);
/* Settles the rest, whose neighbours are not tuned any more. `choosing` false: a failure ended the run, and what won so far is told. */
fsattn_status fsattn_listed_finish(fsattn_listed *listed, bool choosing, fsattn_err *err);
void fsattn_listed_destroy(fsattn_listed *listed); /* accepts NULL */

#endif
