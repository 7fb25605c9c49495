/* sim_core.h - what every part of the simulator shares: waves, workgroups, instructions, instruction tables.
 *
 * A wave has 64 lanes; a register is an array over them. Instructions are decoded once per code object (sim_program.h) into
 * sim_instruction and executed by the function of their row. Invariants: a row exists for each mnemonic at most once; an
 * operand has the width that its row's pattern says; a function touches no state but its wave's and what the wave points
 * to. A wave belongs to one thread at a time. Failures stop the wave with a message (sim_fault), never the process.
 */
#ifndef SIM_CORE_H
#define SIM_CORE_H

#include "fsattn.h"
#include "sim_cost.h"

#include <stdarg.h>
#include <string.h>

enum {
    sim_lanes = 64,
    sim_vgprs = 512, /* 0 .. 255 architectural, 256 .. 511 accumulation */
    sim_agpr = 256,
    sim_sgprs = 128,
    sim_flat_scratch = 102,
    sim_vcc = 106,
    sim_m0 = 124,
    sim_exec = 126,
    sim_operands_max = 6,
    sim_lds_bytes_max = 160 * 1024,
};

/* Upper halves of the addresses at which flat accesses see LDS and scratch: outside of what user space maps. */
#define SIM_SHARED_APERTURE 0x10000u
#define SIM_PRIVATE_APERTURE 0x20000u

/* MODE bits that are honoured. */
enum { sim_mode_fp16_ovfl = 1 << 23 };

/* ---- instructions ------------------------------------------------------------------------------------ */

typedef enum sim_operand_kind {
    SIM_OPERAND_NONE, /* absent, or "off" */
    SIM_OPERAND_VGPR,
    SIM_OPERAND_SGPR,
    SIM_OPERAND_CONSTANT,
    SIM_OPERAND_SCC,
    SIM_OPERAND_VCCZ,
    SIM_OPERAND_EXECZ,
} sim_operand_kind;

/* Part of a register that an SDWA operand takes or writes. */
typedef enum sim_select { SIM_DWORD, SIM_BYTE_0, SIM_BYTE_1, SIM_BYTE_2, SIM_BYTE_3, SIM_WORD_0, SIM_WORD_1 } sim_select;

typedef struct sim_operand {
    uint8_t kind;
    char role, type; /* of the row's pattern: see sim_row */
    uint8_t select;  /* sim_select */
    bool negate, absolute, sign_extend;
    bool plain; /* a VGPR that is read as it is */
    uint16_t reg, count;
    uint64_t value; /* of a constant, as the operand's type has it */
} sim_operand;

typedef enum sim_dpp {
    SIM_DPP_NONE,
    SIM_DPP_QUAD_PERM,
    SIM_DPP_ROW_SHL,
    SIM_DPP_ROW_SHR,
    SIM_DPP_ROW_ROR,
    SIM_DPP_WAVE_SHL,
    SIM_DPP_WAVE_ROL,
    SIM_DPP_WAVE_SHR,
    SIM_DPP_WAVE_ROR,
    SIM_DPP_ROW_MIRROR,
    SIM_DPP_ROW_HALF_MIRROR,
    SIM_DPP_ROW_BCAST,
    SIM_DPP_ROW_NEWBCAST,
} sim_dpp;

typedef struct sim_modifiers {
    int32_t offset, offset0, offset1;
    uint8_t op_sel, op_sel_hi, neg_lo, neg_hi; /* bit k: operand k of the sources */
    uint8_t cbsz, abid, blgp;
    uint8_t bitop3;
    uint8_t dpp, dpp_argument, row_mask, bank_mask;
    uint8_t dst_select, dst_unused; /* SDWA; unused: 0 pad, 1 sign, 2 preserve */
    int8_t output_exponent;         /* mul:2 is 1, div:2 is -1 */
    bool clamp, bound_control, sdwa;
    bool offen, idxen, lds, gds, sc0, sc1, nt;
    bool has_op_sel, has_op_sel_hi;
} sim_modifiers;

struct sim_wave;
struct sim_instruction;
typedef void sim_function(struct sim_wave *wave, const struct sim_instruction *in);

/* What a row takes besides its operands. */
enum {
    SIM_ROW_OUTPUT = 1,    /* clamp, mul, div */
    SIM_ROW_OP_SEL = 2,    /* op_sel read by the function itself */
    SIM_ROW_PACKED = 4,    /* op_sel, op_sel_hi, neg_lo, neg_hi */
    SIM_ROW_MATRIX = 8,    /* cbsz, abid, blgp */
    SIM_ROW_MEMORY = 16,   /* offset, cache bits */
    SIM_ROW_BUFFER = 32,   /* offen, lds */
    SIM_ROW_LANE = 64,     /* 32-bit vector operation: DPP and SDWA through the common readers */
    SIM_ROW_TEXT = 128,    /* the operands are not registers: the function reads in->value, set by a parser of its own */
    SIM_ROW_BRANCH = 256,  /* needs a target */
    SIM_ROW_PRESERVE = 512, /* a 16-bit result leaves the upper half alone */
    SIM_ROW_INT_CLAMP = 1024,
    SIM_ROW_VMEM = 2048,   /* counted by vmcnt */
    SIM_ROW_LGKM = 4096,   /* counted by lgkmcnt */
    SIM_ROW_NO_DST = 8192,
};

/* One instruction. `pattern` has a token per operand, separated by blanks: role, type, width in registers.
 * Role: D vector destination, M vector register read and written, S scalar destination, v vector source, s scalar source,
 *   x any source, A vector address or off, O scalar base or off, n number.
 * Type: f float, h half, d double, i 32 bits, w 16 bits, l 64 bits, p two halves, q two 16-bit integers, F two floats,
 *   b bits. The width defaults to what the type needs; '*' takes any. */
typedef struct sim_row {
    const char *mnemonic; /* without _e32, _e64, _dpp, _sdwa */
    const char *pattern;
    sim_function *run;
    uint32_t flags;
} sim_row;

typedef struct sim_table {
    const char *name;
    const sim_row *rows;
    size_t count;
} sim_table;

typedef struct sim_instruction {
    sim_function *run;
    const sim_row *row;
    sim_operand operands[sim_operands_max];
    uint8_t operand_count, bytes;
    uint8_t source; /* index of the first source among the operands */
    uint8_t states; /* wait states that it makes for those behind it: 1, of s_nop n n + 1 */
    uint32_t states_first, states_second; /* rows of wait states that it is the first and the second of (sim_states.h) */
    uint8_t flow;   /* what it does with values that nobody has written (sim_undefined.h) */
    sim_cost cost;  /* modelled */
    sim_modifiers m;
    uint64_t value;   /* SIM_ROW_TEXT */
    uint64_t address; /* before relocation */
    uint32_t target;  /* index of the instruction that a branch goes to */
    const char *text;
} sim_instruction;

/* ---- state ------------------------------------------------------------------------------------------- */

typedef enum sim_stop {
    SIM_RUNNING,
    SIM_AT_BARRIER,
    SIM_ENDED,
    SIM_FAULTED,
} sim_stop;

typedef struct sim_allocation {
    uintptr_t base;
    size_t bytes;
    const char *owner; /* "hipMalloc", "code object" */
    struct sim_written *written; /* what of it has been written; NULL: all (sim_written.h) */
} sim_allocation;

struct sim_heap;
struct sim_program;

typedef struct sim_group {
    unsigned char *lds;
    uint32_t lds_bytes;
    uint32_t id[3];
    uint32_t epoch; /* one more at each barrier and each start; never 0 */
    bool watched;   /* by one of the following */
    struct sim_shadow *shadow; /* of each word of LDS, or NULL (sim_race.h) */
    struct sim_shadow *bytes;  /* of each byte, once a part of a word was touched */
    uint64_t *written; /* a bit for each byte of LDS that has been written, or NULL (sim_undefined.h) */
    struct sim_wave *waves;
    /* What sim_share.h keeps of it. */
    uint32_t segment;
    bool segment_used;
    uint64_t acquired;
    size_t share_block; /* of the heap, found last */
} sim_group;

typedef struct sim_wave {
    uint32_t v[sim_vgprs][sim_lanes];
    union {
        uint32_t s[sim_sgprs];
        uint64_t s64[sim_sgprs / 2];
    };
    uint32_t scc, mode;
    bool gpr_index; /* register indexing is on: M0 has the index, and in bits 12-15 of what: sources 0-2, destination */
    uint32_t pc; /* index of the next instruction */
    sim_stop stop;
    uint64_t mask_exec;       /* the EXEC that `mask` was made from */
    uint32_t mask[sim_lanes]; /* all ones where the lane is active */
    const struct sim_program *program;
    sim_group *group;
    struct sim_heap *heap;
    sim_allocation last; /* the allocation that was found last */
    sim_allocation kernarg;
    unsigned char *scratch; /* scratch_bytes for each lane */
    uint32_t scratch_bytes;
    uint64_t lanes, behind; /* that there are; those that were not at a barrier of their wave, the last of which was `left_at` */
    const sim_instruction *left_at;
    uint64_t image; /* what is added to an address of the code object */
    uint32_t id;    /* in the workgroup */
    uint64_t executed;
    bool watched; /* any of the following is there */
    struct sim_wave_trace *trace; /* of what runs, or NULL (sim_trace.h) */
    /* Results that have not been waited for: sequence numbers of vmcnt and lgkmcnt operations (sim_wait.h). */
    struct sim_wait *wait;
    struct sim_undefined *undefined; /* what nobody has written, or NULL (sim_undefined.h) */
    struct sim_share *share;   /* device memory as workgroups share it, or NULL (sim_share.h) */
    struct sim_sample *sample; /* what a sampled launch writes, or NULL (sim_sample.h) */
    struct sim_hazard *hazard; /* of matrix instructions, or NULL (sim_hazard.h) */
    const sim_instruction *fault_at;
    char fault[512];
} sim_wave;

static inline uint64_t sim_exec_of(const sim_wave *wave) {
    return wave->s64[sim_exec / 2];
}

/* Stops the wave. `lane` -1: the whole wave. The first message counts. */
void sim_fault(sim_wave *wave, const sim_instruction *in, int lane, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* ---- bits -------------------------------------------------------------------------------------------- */

static inline float sim_f32(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint32_t sim_u32(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}
static inline double sim_f64(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}
static inline uint64_t sim_u64(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

#endif
