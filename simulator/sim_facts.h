/* sim_facts.h - what the simulator takes from a probed device in place of what it assumes (FSATTN_FACTS; docs/probe.md).
 *
 * Owns the constants and switches in effect: those of sim_cost.h and facts.h, unless the file says otherwise. They are made at the first
 * question and never change. Refuses constants that the simulator is built around (sizes, numbers of units, the clock). */
#ifndef SIM_FACTS_H
#define SIM_FACTS_H

#include "sim_cost.h"

#include "facts.h"

enum { sim_constants = sizeof((sim_cost_source[]){
#define X(name, pessimistic, optimistic, source) {0},
           SIM_CONSTANT_LIST(X)
#undef X
       }) / sizeof(sim_cost_source) };

typedef struct sim_facts {
    const fsattn_facts *file; /* NULL: everything is assumed */
    int choice[fsattn_fact_switches];
    uint8_t order[fsattn_fact_switches][fsattn_fact_bits];
    uint32_t values[sim_bounds][sim_constants];
    bool probed[sim_constants];
} sim_facts;

/* FSATTN_PARSE with place, cause and fix when the file cannot be used; what is assumed is then in effect. */
fsattn_status sim_facts_check(fsattn_err *err);
const sim_facts *sim_facts_get(void) __attribute__((const));

/* The facts that a file makes; `file` may be NULL. For sim_facts_get and tests. */
fsattn_status sim_facts_make(const fsattn_facts *file, sim_facts *facts, fsattn_err *err);
/* Appends a line for everything that is probed; nothing when nothing is. */
void sim_facts_text(const sim_facts *facts, fsattn_text *out);

#endif
