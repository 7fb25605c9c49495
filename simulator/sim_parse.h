/* sim_parse.h - one instruction's text into operands and modifiers. Internal to sim_program. */
#ifndef SIM_PARSE_H
#define SIM_PARSE_H

#include "sim_core.h"

enum { sim_parse_reason_bytes = 200 };

/* Splits "v_add_f32_e64 v1, v2, -v3 clamp": `mnemonic` without its encoding suffix (at most 63 bytes), returns the rest. */
const char *sim_parse_mnemonic(const char *text, char mnemonic[64]);
/* Fills operands, modifiers and value of `in`, whose row is set, from the text behind the mnemonic. False with a reason. */
bool sim_parse_operands(sim_instruction *in, const char *text, char reason[sim_parse_reason_bytes]);

#endif
