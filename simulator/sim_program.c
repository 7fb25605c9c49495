#include "sim_program.h"

#include "error.h"
#include "sim_parse.h"
#include "sim_states.h"
#include "sim_undefined.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- the index of mnemonics -------------------------------------------------------------------------- */

enum { index_size = 4096 }; /* a power of two, well above the number of rows */
typedef struct row_index {
    const sim_row *slots[index_size];
} row_index;

static uint32_t hash_of(const char *text) {
    uint32_t hash = 2166136261u;
    for (; *text; text++) {
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    }
    return hash;
}

static const sim_row **slot_of(row_index *index, const char *mnemonic) {
    uint32_t at = hash_of(mnemonic) % index_size;
    while (index->slots[at] && strcmp(index->slots[at]->mnemonic, mnemonic)) {
        at = (at + 1) % index_size;
    }
    return &index->slots[at];
}

static row_index *make_index(void) {
    row_index *index = fsattn_alloc(1, sizeof *index);
    for (const sim_table *const *table = sim_program_tables(); index && *table; table++) {
        for (size_t i = 0; i < (*table)->count; i++) {
            *slot_of(index, (*table)->rows[i].mnemonic) = &(*table)->rows[i];
        }
    }
    return index;
}

/* ---- lines ------------------------------------------------------------------------------------------- */

static void run_unknown(sim_wave *wave, const sim_instruction *in) {
    sim_fault(wave, in, -1, "not simulated: %s", (const char *)(uintptr_t)in->value);
}

static void make_unknown(sim_program *program, sim_instruction *in, const char *reason) {
    const char *copy = fsattn_arena_strdup(&program->arena, reason);
    in->run = run_unknown;
    in->value = (uint64_t)(uintptr_t)(copy ? copy : "");
    in->operand_count = 0;
    program->unknown++;
}

/* "<address> <bytes> <text>[ => <target>]"; `line` is cut up. The target is left as an address in `value` of a branch. */
static bool read_line(sim_program *program, row_index *index, char *line, sim_instruction *in, uint64_t *target) {
    char *end, mnemonic[64], reason[sim_parse_reason_bytes] = "";
    in->address = strtoull(line, &end, 16);
    if (end == line || *end != ' ') {
        return false;
    }
    line = end + 1;
    in->bytes = (uint8_t)strtoul(line, &end, 10);
    if (end == line || *end != ' ' || in->bytes == 0 || in->bytes % 4 || in->address % 4) {
        return false;
    }
    char *text = end + 1, *arrow = strstr(text, " => ");
    *target = UINT64_MAX;
    if (arrow) {
        *target = strtoull(arrow + 4, NULL, 16);
        *arrow = '\0';
    }
    for (size_t length = strlen(text); length && text[length - 1] == ' ';) {
        text[--length] = '\0';
    }
    in->text = fsattn_arena_strdup(&program->arena, text);
    const char *rest = sim_parse_mnemonic(text, mnemonic);
    in->row = *slot_of(index, mnemonic);
    in->m.row_mask = in->m.bank_mask = 0xf;
    in->states = 1;
    if (!in->text) {
        return false;
    }
    if (!in->row) {
        make_unknown(program, in, "no such instruction in the simulator's tables");
    } else if (!sim_parse_operands(in, rest, reason)) {
        make_unknown(program, in, reason);
    } else {
        in->run = in->row->run;
        in->cost = sim_cost_of(in);
        in->flow = sim_undefined_flow(in);
        sim_states_classify(in);
        in->states = strcmp(mnemonic, "s_nop") ? 1 : (uint8_t)((in->value & 15) + 1);
        program->matrix |= in->cost.unit == SIM_UNIT_MATRIX;
    }
    return true;
}

static size_t count_lines(const char *text) {
    size_t lines = 1;
    for (; *text; text++) {
        lines += *text == '\n';
    }
    return lines;
}

static fsattn_status read_lines(sim_program *program, row_index *index, const char *name, char *text,
                                sim_instruction *instructions, uint64_t *targets, fsattn_err *err) {
    size_t number = 0;
    for (char *line = text, *next; *line; line = next) {
        const size_t length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        line[length] = '\0';
        number++;
        if (!length || line[length - 1] == ':') {
            continue;
        }
        sim_instruction *in = &instructions[program->count];
        if (!read_line(program, index, line, in, &targets[program->count])) {
            return fsattn_fail(err, FSATTN_CORRUPT, "%s: line %zu of the disassembly: '%.80s'", name, number, line);
        }
        if (program->count && in->address < in[-1].address + in[-1].bytes) {
            return fsattn_fail(err, FSATTN_CORRUPT, "%s: line %zu of the disassembly: address out of order", name, number);
        }
        program->count++;
    }
    return FSATTN_OK;
}

static fsattn_status map_addresses(sim_program *program, const char *name, sim_instruction *instructions,
                                   const uint64_t *targets, fsattn_err *err) {
    if (!program->count) {
        return fsattn_fail(err, FSATTN_CORRUPT, "%s: the disassembly has no instructions", name);
    }
    const sim_instruction *last = &instructions[program->count - 1];
    program->first_address = instructions[0].address;
    const uint64_t span = (last->address + last->bytes - program->first_address) / 4;
    if (span > (1u << 28)) {
        return fsattn_fail(err, FSATTN_CORRUPT, "%s: code of %llu bytes", name, (unsigned long long)span * 4);
    }
    uint32_t *at = fsattn_arena_alloc(&program->arena, (size_t)span, sizeof *at);
    if (!at) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", name);
    }
    memset(at, 0xff, (size_t)span * sizeof *at);
    for (size_t i = 0; i < program->count; i++) {
        at[(instructions[i].address - program->first_address) / 4] = (uint32_t)i;
    }
    program->at = at;
    program->at_count = (size_t)span;
    for (size_t i = 0; i < program->count; i++) {
        sim_instruction *in = &instructions[i];
        if (in->row && (in->row->flags & SIM_ROW_BRANCH) && in->run != run_unknown) {
            in->target = sim_program_find(program, targets[i]);
            if (in->target == UINT32_MAX) {
                make_unknown(program, in, "a branch to no instruction");
            }
        }
    }
    return FSATTN_OK;
}

fsattn_status sim_program_init(sim_program *program, const char *name, const char *text, fsattn_err *err) {
    fsattn_status status = FSATTN_OK;
    sim_program made = {0};
    const size_t lines = count_lines(text);
    row_index *index = make_index();
    char *copy = fsattn_strdup(text);
    uint64_t *targets = fsattn_alloc(lines, sizeof *targets);
    sim_instruction *instructions = fsattn_arena_alloc(&made.arena, lines, sizeof *instructions);
    if (!index || !copy || !targets || !instructions) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", name);
        goto out;
    }
    made.instructions = instructions;
    FSATTN_GOTO(read_lines(&made, index, name, copy, instructions, targets, err));
    FSATTN_GOTO(map_addresses(&made, name, instructions, targets, err));
out:
    fsattn_free(index);
    fsattn_free(copy);
    fsattn_free(targets);
    if (status != FSATTN_OK) {
        sim_program_fini(&made);
        return status;
    }
    *program = made;
    return FSATTN_OK;
}

void sim_program_fini(sim_program *program) {
    fsattn_arena_fini(&program->arena);
    *program = (sim_program){0};
}

uint32_t sim_program_find(const sim_program *program, uint64_t address) {
    const uint64_t index = (address - program->first_address) / 4;
    if (address < program->first_address || address % 4 || index >= program->at_count) {
        return UINT32_MAX;
    }
    return program->at[index];
}
