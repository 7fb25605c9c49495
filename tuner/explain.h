/* explain.h - what a search found out about its space, from results that are there: nothing is compiled or measured.
 *
 * For each problem: best so far, result by result; which parameters mattered (importance.h) and what the best costs with any
 * other value of each; what constraints and failures cut; the five best with their spread. Of a range first what serves which interval,
 * and what that costs at each measured shape; then so for one shape of each interval. Results are those of the
 * store for the problem and the template at one place of measurement, the one of the newest result; or, for a replay without a
 * store, those of its file. The same results give the same text.
 */
#ifndef FSATTN_EXPLAIN_H
#define FSATTN_EXPLAIN_H

#include "space.h"
#include "store.h"

#include <stdio.h>

typedef struct fsattn_explain_options {
    const fsattn_space *space;
    fsattn_store *store; /* NULL: the results of the space's replay */
    const char *isa;
    const size_t *problems; /* of the space */
    size_t problem_count;
} fsattn_explain_options;

/* Prints to `stream`. FSATTN_NOT_FOUND when there are no results of any of the problems. */
fsattn_status fsattn_explain_print(FILE *stream, const fsattn_explain_options *options, fsattn_err *err);

#endif
