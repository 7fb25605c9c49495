#include "store_lock.h"

#include "error.h"
#include "file.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int64_t fsattn_store_lock_claim(const fsattn_hash *key) {
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++) {
        bits = bits << 8 | key->bytes[i];
    }
    return fsattn_store_lock_claims + (int64_t)(bits >> 3);
}

static fsattn_status lock_byte(int lock, const char *path, int64_t byte, bool shared, bool wait,
                               fsattn_err *err) {
    struct flock range = {
        .l_type = shared ? F_RDLCK : F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
    while (fcntl(lock, wait ? F_OFD_SETLKW : F_OFD_SETLK, &range)) {
        if (errno == EINTR) {
            continue;
        }
        if (errno == EAGAIN || errno == EACCES) {
            return fsattn_fail(err, FSATTN_BUSY, "%s: another process holds the lock", path);
        }
        return fsattn_fail_errno(err, errno, "%s.lock: cannot lock", path);
    }
    return FSATTN_OK;
}

fsattn_status fsattn_store_lock_open(const char *path, int64_t byte, bool shared, bool wait, int *lock,
                                     fsattn_err *err) {
    fsattn_text name = {0};
    fsattn_text_printf(&name, "%s.lock", path);
    if (name.failed) {
        fsattn_text_fini(&name);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
    }
    int fd = open(name.data, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    int errnum = errno;
    fsattn_text_fini(&name);
    if (fd < 0) {
        return fsattn_fail_errno(err, errnum, "%s.lock: cannot open", path);
    }
    fsattn_status status = lock_byte(fd, path, byte, shared, wait, err);
    if (status != FSATTN_OK) {
        close(fd);
        return status;
    }
    *lock = fd;
    return FSATTN_OK;
}

fsattn_status fsattn_store_lock_change(int lock, const char *path, int64_t byte, bool shared,
                                       fsattn_err *err) {
    return lock_byte(lock, path, byte, shared, false, err);
}

void fsattn_store_lock_close(int lock) {
    fsattn_lock_close(lock);
}

bool fsattn_store_lock_exists(const char *path) {
    fsattn_text name = {0};
    fsattn_text_printf(&name, "%s.lock", path);
    bool exists = !name.failed && fsattn_file_exists(name.data);
    fsattn_text_fini(&name);
    return exists;
}
