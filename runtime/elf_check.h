/* elf_check.h - decides whether a shared object is a host kernel that may be handed to dlopen.
 *
 * dlopen runs code and binds names before a caller can look, so the object is read first, the way the loader would (by its
 * dynamic section; section headers are never looked at). Accepted is only what needs nothing from the process, does nothing
 * on loading, and has no variables that could carry something from one call to the next (.data, .bss): a whitelist of dynamic
 * tags, relocations and writable bytes, not a list of known evils. Does not judge the instructions. Thread-safe, allocates nothing.
 */
#ifndef FSATTN_ELF_CHECK_H
#define FSATTN_ELF_CHECK_H

#include "fsattn.h"

/* FSATTN_CORRUPT for bytes that are no well-formed ELF, FSATTN_UNSUPPORTED for an object for another machine or one
 * that breaks the contract; the message says which rule and, where there is one, which symbol. */
fsattn_status fsattn_elf_check(const void *bytes, size_t size, fsattn_err *err);
/* FSATTN_NOT_FOUND unless `entry` is an exported function inside an executable segment. Only for bytes that
 * fsattn_elf_check has accepted. */
fsattn_status fsattn_elf_check_entry(const void *bytes, size_t size, const char *entry, fsattn_err *err);

#endif
