/* sim_disassemble.h - the text of a code object, from the cache or from the helper.
 *
 * comgr's disassembler cannot be loaded into the simulator's process, so fsattn-rocm-helper runs it. The text is kept in
 * $FSATTN_SIM_CACHE, else in the user's cache folder (fsattn/disassembly), as <hash of the ELF>.s; a folder that cannot be
 * written is no error. The helper: $FSATTN_ROCM_HELPER, else beside the library (../bin, ../../bin). ROCm: $FSATTN_ROCM_ROOT, /opt/rocm,
 * the private root of tools/rocm-root. Any thread. */
#ifndef SIM_DISASSEMBLE_H
#define SIM_DISASSEMBLE_H

#include "fsattn.h"

enum { sim_disassemble_key_bytes = 33 };
/* Name under which the text of an ELF is cached: 128 bits of FNV-1a over its bytes, in hexadecimal. */
void sim_disassemble_key(const void *elf, size_t bytes, char key[sim_disassemble_key_bytes]);
/* New string in *text (fsattn_free). FSATTN_NOT_FOUND when there is neither a cached text nor a disassembler. */
fsattn_status sim_disassemble(const char *name, const void *elf, size_t bytes, char **text, fsattn_err *err);

#endif
