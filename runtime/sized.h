/* sized.h - structs of the public interface that open with their own size, so that they can grow.
 *
 * Owns the one rule for them: fields that an older caller does not have count as zero, fields of a newer
 * caller that this library does not know must be zero. Writing back touches nothing outside the caller's
 * struct. Any thread.
 */
#ifndef FSATTN_SIZED_H
#define FSATTN_SIZED_H

#include "fsattn.h"

/* Copies the caller's struct `from` (NULL is FSATTN_INVALID) into `to` of `bytes` bytes; `name` stands in
 * messages. FSATTN_INVALID for an impossible size, FSATTN_UNSUPPORTED for a field from the future. */
fsattn_status fsattn_sized_read(const char *name, const void *from, void *to, size_t bytes, fsattn_err *err);
/* Copies `from` of `bytes` bytes into the caller's struct as far as that reaches; its size stays. */
fsattn_status fsattn_sized_write(const char *name, void *to, const void *from, size_t bytes, fsattn_err *err);

#endif
