/* footprint.h - the memory that verifying and timing one problem on the host takes, and whether the machine has it.
 *
 * Counted is what grows with the problem: the operands in the worker (as stored, as float32 while they are made, and the sets
 * of cold sampling), the outputs, a second worker (the default beside a candidate), and the operands and their emulation in the
 * tuner. Everything saturates at UINT64_MAX. A problem that does not fit is refused before anything is compiled: the kernel
 * would kill whoever asked last, and that need not be the one that asked for too much.
 */
#ifndef FSATTN_FOOTPRINT_H
#define FSATTN_FOOTPRINT_H

#include "space.h"

/* Of one worker. */
uint64_t fsattn_footprint_worker(const fsattn_problem *problem, bool cold, size_t llc_bytes);
/* Of everything. */
uint64_t fsattn_footprint_of(const fsattn_problem *problem, bool cold, size_t llc_bytes);

/* What can be allocated without driving anybody out: MemAvailable, or less where a control group (version 1 or 2) of this process
 * or of one above it allows less. `root` is where proc and sys lie ("" for the machine). UINT64_MAX when nothing is known. */
uint64_t fsattn_footprint_available(const char *root);

/* FSATTN_NO_MEMORY at the place in the space of the first of the problems that needs more than `available_bytes`, with both
 * figures and the fix. */
fsattn_status fsattn_footprint_check(const fsattn_space *space, const size_t *problems, size_t count, uint64_t available_bytes,
                                     fsattn_err *err);

#endif
