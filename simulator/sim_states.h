/* sim_states.h - wait states that hardware does not see to between other than matrix instructions: ISA manual, 4.5, Table 11.
 *
 * A row of the table names what comes first, what may come only so many wait states later, and over which registers. Which rows an
 * instruction may be the first or the second of is found out when it is decoded. The compiler inserts what is needed into code that it
 * makes; inline assembly must itself. vccz, which writes to one half of vcc leave as it is, is looked at here too. Kept with the matrix instructions' (sim_hazard.h). */
#ifndef SIM_STATES_H
#define SIM_STATES_H

#include "sim_hazard.h"

/* Sets in->states_first and in->states_second, a bit for each row, and those of vcc. */
void sim_states_classify(sim_instruction *in);
/* Stops the wave when the instruction comes too early behind one of those kept. */
void sim_states_check(sim_wave *wave, const sim_instruction *in);

#endif
