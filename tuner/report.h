/* report.h - the closing table of a run, for people. Prints to the stream given, owns nothing. */
#ifndef FSATTN_REPORT_H
#define FSATTN_REPORT_H

#include "search.h"

#include <stdio.h>

/* One row for each problem: winner, cost with spread, speed-up over the default, error; below it what became of its
 * candidates. Modelled times say so. */
void fsattn_report_print(FILE *stream, const fsattn_search_summary *summary);

#endif
