#include "store_open.h"

#include "error.h"

fsattn_status fsattn_store_repair(fsattn_store *store, const fsattn_err *why, fsattn_err *err) {
    (void)store;
    return fsattn_fail(err, FSATTN_CORRUPT, "%s", why->message);
}
