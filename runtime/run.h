/* run.h - how a record's kernels are launched: one rule for each way of giving them their work.
 *
 * A rule is a row of a table in run.c. A record whose rule, number of kernels or geometry is not in the table
 * is never chosen: nothing is launched by guess.
 */
#ifndef FSATTN_RUN_H
#define FSATTN_RUN_H

#include "fsc.h"

/* FSATTN_UNSUPPORTED with the reason when this library cannot launch the record's kernels. */
fsattn_status fsattn_run_supports(const fsattn_fsc_record *record, fsattn_err *err);
/* Bytes of workspace that a run of a supported record needs beside its operands; 0 on host. */
size_t fsattn_run_workspace(const fsattn_fsc_record *record, const fsattn_problem *problem);
/* Bytes that fsattn_pack of this plan needs; 0 on host. */
size_t fsattn_run_packed_bytes(const fsattn_plan *plan);

#endif
