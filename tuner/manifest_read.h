/* manifest_read.h - from the table that manifest.lua returns to a fsattn_manifest. Internal to manifest.c. */
#ifndef FSATTN_MANIFEST_READ_H
#define FSATTN_MANIFEST_READ_H

#include "expression.h"
#include "memory.h"

#define FSATTN_SECTION_COUNT (FSATTN_SECTION_EMULATOR + 1)

/* One named expression of a section, or a word that is taken as it stands. */
typedef struct fsattn_manifest_entry {
    const char *name;
    const char *word; /* NULL for an expression */
    fsattn_expression expression;
} fsattn_manifest_entry;

struct fsattn_manifest_state {
    fsattn_arena arena; /* everything that the manifest points to */
    fsattn_sandbox *sandbox;
    const char *text; /* of the file */
    size_t text_bytes;
    fsattn_manifest_constraint *constraints;
    size_t constraint_count;
    fsattn_expression *supports;
    size_t support_count;
    struct {
        fsattn_manifest_entry *items; /* sorted by name */
        size_t count;
    } sections[FSATTN_SECTION_COUNT];
};

/* Reads the table on top of the stack of the sandbox (pops it) into the manifest, whose path, folder, state and the state's
 * text are set. */
fsattn_status fsattn_manifest_read(fsattn_manifest *manifest, fsattn_err *err);

#endif
