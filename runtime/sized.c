#include "sized.h"

#include "error.h"

#include <string.h>

/* No struct of the interface comes near it: a larger size is memory that was never set. */
enum { size_limit = 4096 };

static fsattn_status size_of(const char *name, const void *data, size_t *size, fsattn_err *err) {
    if (!data) {
        return fsattn_fail(err, FSATTN_INVALID, "%s: is NULL", name);
    }
    memcpy(size, data, sizeof *size);
    if (*size < sizeof *size || *size > size_limit) {
        fsattn_fail(err, FSATTN_INVALID, "%s.size: impossible value %zu", name, *size);
        fsattn_hint(err, "set it to the sizeof of the struct and the rest to zero");
        return FSATTN_INVALID;
    }
    return FSATTN_OK;
}

fsattn_status fsattn_sized_read(const char *name, const void *from, void *to, size_t bytes, fsattn_err *err) {
    size_t size = 0;
    FSATTN_TRY(size_of(name, from, &size, err));
    for (size_t i = bytes; i < size; i++) {
        if (((const unsigned char *)from)[i]) {
            return fsattn_fail(err, FSATTN_UNSUPPORTED,
                               "%s: sets a field at byte %zu that this library does not know", name, i);
        }
    }
    size_t known = size < bytes ? size : bytes;
    memset(to, 0, bytes);
    memcpy(to, from, known);
    return FSATTN_OK;
}

fsattn_status fsattn_sized_write(const char *name, void *to, const void *from, size_t bytes,
                                 fsattn_err *err) {
    size_t size = 0;
    FSATTN_TRY(size_of(name, to, &size, err));
    size_t known = size < bytes ? size : bytes;
    memcpy((char *)to + sizeof size, (const char *)from + sizeof size, known - sizeof size);
    return FSATTN_OK;
}
