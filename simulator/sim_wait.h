/* sim_wait.h - results that have been asked for and not been waited for.
 *
 * Memory instructions deliver at once; what they deliver counts as absent until an s_waitcnt has covered it. Reading or
 * overwriting such a register stops the wave. Vector memory returns in order (vmcnt), LDS in order, scalar loads in any order
 * (lgkmcnt): with scalar loads outstanding only lgkmcnt(0) covers anything. FLAT counts in both. Off when wave->wait is NULL.
 */
#ifndef SIM_WAIT_H
#define SIM_WAIT_H

#include "sim_core.h"

enum { sim_wait_history = 64 };
typedef struct sim_wait {
    uint32_t vm_issued, lgkm_issued;       /* operations so far */
    uint32_t vm_done, lgkm_done;           /* covered by a wait */
    uint32_t scalar_issued;                /* lgkm_issued at the last scalar load */
    bool pending;                          /* anything is outstanding */
    uint32_t vm_of[sim_vgprs], lgkm_of[sim_vgprs + sim_sgprs]; /* operation that fills a register, 0 none */
    struct {
        uint32_t done, epoch;
    } history[sim_wait_history]; /* the last waits for vmcnt: what they covered, and in which epoch of the group */
    uint32_t history_count;
} sim_wait;

void sim_wait_vector(sim_wave *wave, unsigned reg, unsigned words); /* counted by vmcnt; words 0: a store */
void sim_wait_lds(sim_wave *wave, unsigned reg, unsigned words);    /* counted by lgkmcnt, in order */
void sim_wait_scalar(sim_wave *wave, unsigned reg, unsigned words); /* counted by lgkmcnt, out of order */
/* s_waitcnt: 255 does not wait. */
void sim_wait_until(sim_wave *wave, unsigned vmcnt, unsigned lgkmcnt);
/* Before an instruction runs: stops the wave when it touches a register that is not there yet. */
void sim_wait_check(sim_wave *wave, const sim_instruction *in);

#endif
