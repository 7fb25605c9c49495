/* manifest.h - a template's manifest: what can be tuned, what is valid, what it needs, how it is launched.
 *
 * Owns a Lua state of its own, in which the file was evaluated and its expressions live. The file's format is
 * in docs/design.md ("Contracts between the parts"). The file is read strictly: an unknown or missing key, a wrong type, a
 * malformed expression is an error with file and line. An open manifest never changes, but evaluating its
 * expressions uses the Lua state: one thread at a time.
 */
#ifndef FSATTN_MANIFEST_H
#define FSATTN_MANIFEST_H

#include "config.h"
#include "problem.h"

struct fsattn_expression; /* expression.h */
struct fsattn_sandbox;    /* sandbox.h */

/* What a variant is specialised for besides its configuration. Expressions see `problem` with dtype_q, dtype_kv,
 * dtype_o, layout, mask (words), head_dim (integer), lse (boolean) and never the sizes; and `target` with isa and arch
 * (words) and one boolean for each processor feature of cpu.h. */
typedef struct fsattn_setting {
    const fsattn_problem *problem; /* not NULL */
    const char *isa;               /* "x86_64+avx2+fma" as fsattn_cpu_isa writes it, "gfx950"; not NULL */
} fsattn_setting;

typedef struct fsattn_manifest {
    const char *path;   /* of manifest.lua */
    const char *folder; /* of the template family */
    const char *name, *operation, *target, *source, *entry;
    int64_t abi;
    const char *const *options; /* compiler options, part of the build key */
    size_t option_count;
    fsattn_parameter_set parameters;
    fsattn_config defaults; /* the fixed default configuration */
    const char *before; /* the family beside this one whose kernels run first, in this one's parameters of equal name; or NULL */
    const struct fsattn_manifest_kernel *kernels; /* of the code object, in the order in which they run; at least one */
    size_t kernel_count;
    struct fsattn_manifest_state *state;
} fsattn_manifest;

/* One kernel of a family's code object. */
typedef struct fsattn_manifest_kernel {
    const char *entry, *work_items;
    const struct fsattn_expression *when; /* whether it runs at all; NULL: always */
} fsattn_manifest_kernel;

/* X(NAME, key): the tables of named expressions. */
#define FSATTN_SECTION_LIST(X)                                                                               \
    X(RESOURCES, "resources") /* integers: scratch_bytes, lds_bytes, threads, ... */                         \
    X(LAUNCH, "launch")       /* work_items, pack_layout: words; the rest integers: tile_m, tile_n, ... */ \
    X(EMULATOR, "emulator")   /* switches of numerics/emulator.h: integers, reals, booleans, words */
typedef enum fsattn_section {
#define X(name, key) FSATTN_SECTION_##name,
    FSATTN_SECTION_LIST(X)
#undef X
} fsattn_section;

enum { fsattn_pair_limit = 48 };
/* The values of one section, sorted by name. Names and words belong to the manifest and live as long as it is open. */
typedef struct fsattn_pairs {
    size_t count;
    struct {
        const char *name;
        fsattn_value value;
    } items[fsattn_pair_limit];
} fsattn_pairs;

/* `path` is the manifest or its folder. *manifest is released by fsattn_manifest_close. */
fsattn_status fsattn_manifest_open(const char *path, fsattn_manifest **manifest, fsattn_err *err);
void fsattn_manifest_close(fsattn_manifest *manifest);

/* One of the manifest's constraints, compiled. */
typedef struct fsattn_manifest_constraint {
    const struct fsattn_expression *expression;
    const char *reason;
} fsattn_manifest_constraint;
const fsattn_manifest_constraint *fsattn_manifest_constraints(const fsattn_manifest *manifest, size_t *count);
/* The Lua state that the manifest owns; a space compiles its constraints there. */
struct fsattn_sandbox *fsattn_manifest_sandbox(const fsattn_manifest *manifest);

/* Whether the template can serve the problem at all. *reason: NULL when it can, else the expression that does
 * not hold (owned by the manifest). An error means that an expression itself failed. */
fsattn_status fsattn_manifest_supports(fsattn_manifest *manifest, const fsattn_setting *setting, const char **reason,
                                       fsattn_err *err);
/* Whether the manifest's constraints hold. *reason: NULL when they do, else the reason of the first that does not. */
fsattn_status fsattn_manifest_check(fsattn_manifest *manifest, const fsattn_setting *setting,
                                    const fsattn_config *config, const char **reason, fsattn_err *err);
/* Evaluates a section; errors name manifest.lua, its line and the entry. */
fsattn_status fsattn_manifest_evaluate(fsattn_manifest *manifest, fsattn_section section,
                                       const fsattn_setting *setting, const fsattn_config *config,
                                       fsattn_pairs *pairs, fsattn_err *err);
/* Whether a kernel of the code object runs. */
fsattn_status fsattn_manifest_kernel_runs(fsattn_manifest *manifest, const fsattn_manifest_kernel *kernel,
                                          const fsattn_setting *setting, const fsattn_config *config, bool *runs,
                                          fsattn_err *err);
/* The value of that name, or NULL. */
const fsattn_value *fsattn_pairs_find(const fsattn_pairs *pairs, const char *name);
/* The integer of that name, or `fallback` when there is no such pair (or it is no integer). */
int64_t fsattn_pairs_integer(const fsattn_pairs *pairs, const char *name, int64_t fallback);

#endif
