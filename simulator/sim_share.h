/* sim_share.h - device memory as the workgroups of one launch share it: who of them wrote and read it, and what orders them.
 *
 * Two workgroups that touch the same byte, at least one writing, race unless the earlier one has released (buffer_wbl2 sc1: what
 * __threadfence and release order at agent or system scope become) behind its access and the later one has acquired (buffer_inv sc1)
 * after that and before its own. Atomics and accesses with sc1 (volatile; atomic loads and stores) are no part of it, neither are stores of
 * what is there already: many may write the same value. A workgroup's time falls into segments, which end with its releases: for each
 * word of memory that is touched, and each byte of those of which a part is, the segment of the last writer and of two readers of
 * different workgroups are kept, so that it does not matter in which order workgroups run. Nothing that is ordered is reported; of what is
 * not, a third reader may be missed. Any thread; a workgroup belongs to one. Off where wave->share is NULL. The heap must not change
 * between start and finish. */
#ifndef SIM_SHARE_H
#define SIM_SHARE_H

#include "sim_heap.h"

typedef struct sim_share sim_share;

/* Of a launch with this grid; NULL without memory. */
sim_share *sim_share_start(const sim_heap *heap, const uint32_t grid[3]);
void sim_share_finish(sim_share *share);
/* group->id is set: it begins. False where there is no room for one more, after 67 million. */
bool sim_share_enter(sim_share *share, sim_group *group);
/* All that the workgroup has done so far goes to whoever acquires. */
void sim_share_release(sim_wave *wave, const sim_instruction *in);
void sim_share_acquire(sim_wave *wave);
/* Accesses that are not atomic, of `bytes_each` by this lane and those behind it, one after another in one block, or of the wave (-1).
 * Memory that is not in the heap is passed over. False after a fault. */
bool sim_share_touch(sim_wave *wave, const sim_instruction *in, int lane, uint64_t address, unsigned bytes, unsigned bytes_each, bool writes);

#endif
