/* inspect.h - what a compiled GPU kernel is made of: registers, LDS, spills, and the instructions of its main
 * loop.
 *
 * The main loop is found in comgr's listing: of all ranges from a loop's head (a branch's target that every
 * path to the branch passes) to the branch back to it, the one with the most matrix instructions, and of
 * those the shortest. What the compiler placed outside that range (the rollback, if it did as it was told) is
 * not counted. Pure functions over bytes; any thread.
 */
#ifndef FSATTN_INSPECT_H
#define FSATTN_INSPECT_H

#include "code_object.h"
#include "text.h"

/* X(NAME, text, prefixes of mnemonics, separated by blanks). The first row that fits counts. */
#define FSATTN_UNIT_LIST(X)                                                                                  \
    X(MATRIX, "matrix", "v_mfma v_smfmac")                                                                   \
    X(WAIT, "wait", "s_waitcnt s_barrier s_nop s_sleep s_setprio")                                           \
    X(SCALAR_MEMORY, "scalar memory", "s_load s_buffer_load s_store s_dcache")                               \
    X(SCALAR, "scalar", "s_")                                                                                \
    X(LDS, "LDS", "ds_")                                                                                     \
    X(MEMORY, "memory", "global_ buffer_ flat_ scratch_")                                                    \
    X(VECTOR, "vector", "v_")                                                                                \
    X(OTHER, "other", "")
typedef enum fsattn_unit {
#define X(name, text, prefixes) FSATTN_UNIT_##name,
    FSATTN_UNIT_LIST(X)
#undef X
} fsattn_unit;
enum { fsattn_unit_count = FSATTN_UNIT_OTHER + 1 };
const char *fsattn_unit_text(fsattn_unit unit);

typedef struct fsattn_mnemonic {
    char name[56];
    fsattn_unit unit;
    size_t count;
} fsattn_mnemonic;

enum { fsattn_loop_mnemonic_limit = 128 };
typedef struct fsattn_loop {
    uint64_t first, last; /* addresses of its first instruction and of the branch back */
    size_t instructions;
    size_t units[fsattn_unit_count];
    fsattn_mnemonic mnemonics[fsattn_loop_mnemonic_limit]; /* by name */
    size_t mnemonic_count;
} fsattn_loop;

/* `listing` as fsattn_hiprtc_disassemble writes it. FSATTN_NOT_FOUND when the kernel is not in it or has no
 * loop with a matrix instruction; FSATTN_CORRUPT for a listing that does not have the form. */
fsattn_status fsattn_inspect_loop(const char *listing, const char *kernel, fsattn_loop *loop,
                                  fsattn_err *err);
/* Instructions of the loop whose mnemonic opens with `prefix`. */
size_t fsattn_loop_count(const fsattn_loop *loop, const char *prefix);

/* What a kernel may use; 0 is no limit. */
typedef struct fsattn_inspect_limits {
    uint32_t vgprs, lds_bytes;
} fsattn_inspect_limits;
/* Whether a kernel stays within them, spills nothing and uses no scratch. `reason` (of `bytes`) says what it
 * does not. */
bool fsattn_inspect_fits(const fsattn_code_kernel *kernel, const fsattn_inspect_limits *limits, char *reason,
                         size_t bytes);

/* Appends the report for people: resources, instructions by unit, mnemonics. `loop` may be NULL. */
void fsattn_inspect_text(const fsattn_code_kernel *kernel, const fsattn_loop *loop, fsattn_text *text);

#endif
