#include "sim_wait.h"

void sim_wait_vector(sim_wave *wave, unsigned reg, unsigned words) {
    sim_wait *t = wave->wait;
    if (!t) {
        return;
    }
    t->vm_issued++;
    t->pending |= words > 0;
    for (unsigned i = 0; i < words; i++) {
        t->vm_of[reg + i] = t->vm_issued;
    }
}

static void count_lgkm(sim_wait *t, unsigned reg, unsigned words) {
    t->lgkm_issued++;
    t->pending |= words > 0;
    for (unsigned i = 0; i < words; i++) {
        t->lgkm_of[reg + i] = t->lgkm_issued;
    }
}

void sim_wait_lds(sim_wave *wave, unsigned reg, unsigned words) {
    if (wave->wait) {
        count_lgkm(wave->wait, reg, words);
    }
}

void sim_wait_scalar(sim_wave *wave, unsigned reg, unsigned words) {
    if (wave->wait) {
        count_lgkm(wave->wait, sim_vgprs + reg, words);
        wave->wait->scalar_issued = wave->wait->lgkm_issued;
    }
}

void sim_wait_until(sim_wave *wave, unsigned vmcnt, unsigned lgkmcnt) {
    sim_wait *t = wave->wait;
    if (!t) {
        return;
    }
    if (vmcnt < 63 && t->vm_issued - t->vm_done > vmcnt) {
        t->vm_done = t->vm_issued - vmcnt;
        t->history[t->history_count % sim_wait_history].done = t->vm_done;
        t->history[t->history_count++ % sim_wait_history].epoch = wave->group->epoch;
    }
    const bool ordered = t->scalar_issued <= t->lgkm_done;
    if (lgkmcnt < 15 && t->lgkm_issued - t->lgkm_done > lgkmcnt && (ordered || lgkmcnt == 0)) {
        t->lgkm_done = t->lgkm_issued - lgkmcnt;
    }
    t->pending = t->vm_done != t->vm_issued || t->lgkm_done != t->lgkm_issued;
}

static bool late(const sim_wait *t, const sim_operand *o, unsigned i, const char **counter) {
    if (o->kind == SIM_OPERAND_VGPR && t->vm_of[o->reg + i] > t->vm_done) {
        *counter = "vmcnt";
        return true;
    }
    if (t->lgkm_of[(o->kind == SIM_OPERAND_SGPR ? sim_vgprs : 0) + o->reg + i] > t->lgkm_done) {
        *counter = "lgkmcnt";
        return true;
    }
    return false;
}

void sim_wait_check(sim_wave *wave, const sim_instruction *in) {
    const sim_wait *t = wave->wait;
    for (int n = 0; n < in->operand_count; n++) {
        const int k = (n + in->source) % in->operand_count; /* sources first: a read is the plainer bug */
        const sim_operand *o = &in->operands[k];
        if (o->kind != SIM_OPERAND_VGPR && o->kind != SIM_OPERAND_SGPR) {
            continue;
        }
        for (unsigned i = 0; i < o->count; i++) {
            const char *counter;
            if (!late(t, o, i, &counter)) {
                continue;
            }
            /* In-order returns may overwrite each other: a load into a register that an older load still fills. */
            if (o->role == 'D' && (in->row->flags & (SIM_ROW_VMEM | SIM_ROW_LGKM))) {
                continue;
            }
            sim_fault(wave, in, -1, "%c%u is %s before s_waitcnt %s covers the load that fills it",
                      o->kind == SIM_OPERAND_SGPR ? 's' : 'v', o->reg + i, o->role == 'D' || o->role == 'S' ? "written" : "read",
                      counter);
            return;
        }
    }
}
