/* sim_program.h - the disassembly of a code object as instructions that can be run.
 *
 * Owns the instructions and the map from addresses to them. The text is what the helper's disassembler wrote
 * (tools/rocm_frame.h). An instruction, operand or modifier that no row knows becomes an instruction that stops its
 * wave with the reason when it is reached: nothing is skipped and nothing is guessed. Immutable once made; any thread.
 */
#ifndef SIM_PROGRAM_H
#define SIM_PROGRAM_H

#include "memory.h"
#include "sim_core.h"

typedef struct sim_program {
    const sim_instruction *instructions;
    size_t count;
    uint64_t first_address; /* of the instructions; `at` covers [first_address, first_address + 4 * at_count) */
    const uint32_t *at;     /* index of the instruction at an address, UINT32_MAX within one */
    size_t at_count;
    bool matrix;    /* has matrix instructions */
    size_t unknown; /* instructions without a row or with a malformed text */
    fsattn_arena arena;
} sim_program;

/* Reads `text` (NUL-terminated). FSATTN_CORRUPT with the line for what is no disassembly. */
fsattn_status sim_program_init(sim_program *program, const char *name, const char *text, fsattn_err *err);
void sim_program_fini(sim_program *program);
/* Index of the instruction at an address of the code object; UINT32_MAX when there is none. */
uint32_t sim_program_find(const sim_program *program, uint64_t address);

/* All instruction tables, for the level of the processor that this runs on; NULL-terminated. */
const sim_table *const *sim_program_tables(void);

#endif
