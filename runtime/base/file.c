#include "file.h"

#include "error.h"
#include "memory.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

fsattn_status fsattn_file_read_fd(int fd, const char *name, size_t limit, char **data, size_t *bytes,
                                  fsattn_err *err) {
    struct stat info;
    if (fstat(fd, &info)) {
        return fsattn_fail_errno(err, errno, "%s", name);
    }
    if (!S_ISREG(info.st_mode)) {
        return fsattn_fail(err, FSATTN_INVALID, "%s: not a regular file", name);
    }
    if ((uint64_t)info.st_size > limit) {
        return fsattn_fail(err, FSATTN_INVALID, "%s: %lld bytes, more than the limit of %zu", name,
                           (long long)info.st_size, limit);
    }
    size_t size = (size_t)info.st_size, have = 0;
    char *buffer = fsattn_alloc(size + 1, 1);
    if (!buffer) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory for %zu bytes", name, size);
    }
    while (have < size) {
        ssize_t got = pread(fd, buffer + have, size - have, (off_t)have);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            int errnum = errno;
            fsattn_free(buffer);
            return fsattn_fail_errno(err, errnum, "%s", name);
        }
        if (got == 0) {
            break;
        }
        have += (size_t)got;
    }
    buffer[have] = '\0';
    *data = buffer;
    *bytes = have;
    return FSATTN_OK;
}

fsattn_status fsattn_file_read(const char *path, size_t limit, char **data, size_t *bytes, fsattn_err *err) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        return fsattn_fail_errno(err, errno, "%s", path);
    }
    fsattn_status status = fsattn_file_read_fd(fd, path, limit, data, bytes, err);
    close(fd);
    return status;
}

static int write_all(int fd, const char *data, size_t bytes) {
    while (bytes) {
        ssize_t put = write(fd, data, bytes);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return -1;
        }
        data += put;
        bytes -= (size_t)put;
    }
    return 0;
}

static char *parent_of(const char *path) {
    const char *slash = strrchr(path, '/');
    if (!slash) {
        return fsattn_strdup(".");
    }
    return slash == path ? fsattn_strdup("/") : fsattn_strndup(path, (size_t)(slash - path));
}

/* A new file beside `path`, which will take its place; its name is in `temporary`. */
static fsattn_status make_neighbour(const char *path, fsattn_text *temporary, int *fd, fsattn_err *err) {
    fsattn_text_printf(temporary, "%s.XXXXXX", path);
    if (temporary->failed) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
    }
    int made = mkostemp(temporary->data, O_CLOEXEC);
    if (made < 0) {
        return fsattn_fail_errno(err, errno, "%s: cannot create a file beside it", path);
    }
    *fd = made;
    return FSATTN_OK;
}

fsattn_status fsattn_file_publishable(const char *path, fsattn_err *err) {
    fsattn_text temporary = {0};
    static const char block[4096];
    int fd = -1;
    fsattn_status status = make_neighbour(path, &temporary, &fd, err);
    if (status == FSATTN_OK) {
        if (write_all(fd, block, sizeof block) || fsync(fd)) {
            status = fsattn_fail_errno(err, errno, "%s: cannot write", path);
        }
        close(fd);
        unlink(temporary.data);
    }
    fsattn_text_fini(&temporary);
    return status;
}

fsattn_status fsattn_file_publish(const char *path, const void *data, size_t bytes, unsigned mode,
                                  fsattn_err *err) {
    fsattn_status status = FSATTN_OK;
    fsattn_text temporary = {0};
    char *folder = parent_of(path);
    int fd = -1, folder_fd = -1;
    bool made = false;
    if (!folder) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
        goto out;
    }
    FSATTN_GOTO(make_neighbour(path, &temporary, &fd, err));
    made = true;
    if (write_all(fd, data, bytes) || fchmod(fd, mode) || fsync(fd)) {
        status = fsattn_fail_errno(err, errno, "%s: cannot write", path);
        goto out;
    }
    if (rename(temporary.data, path)) {
        status = fsattn_fail_errno(err, errno, "%s: cannot rename into place", path);
        goto out;
    }
    made = false;
    folder_fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder_fd < 0 || fsync(folder_fd)) {
        status = fsattn_fail_errno(err, errno, "%s: cannot sync the folder", folder);
    }
out:
    if (fd >= 0) {
        close(fd);
    }
    if (folder_fd >= 0) {
        close(folder_fd);
    }
    if (made) {
        unlink(temporary.data);
    }
    fsattn_text_fini(&temporary);
    fsattn_free(folder);
    return status;
}

fsattn_status fsattn_folder_make(const char *path, fsattn_err *err) {
    char *copy = fsattn_strdup(path);
    if (!copy) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
    }
    fsattn_status status = FSATTN_OK;
    for (char *at = copy + 1; status == FSATTN_OK; at++) {
        if (*at != '/' && *at != '\0') {
            continue;
        }
        char kept = *at;
        *at = '\0';
        if (mkdir(copy, 0700) && errno != EEXIST) {
            status = fsattn_fail_errno(err, errno, "%s: cannot create the folder", copy);
        }
        *at = kept;
        if (kept == '\0') {
            break;
        }
    }
    struct stat info;
    if (status == FSATTN_OK && (stat(path, &info) || !S_ISDIR(info.st_mode))) {
        status = fsattn_fail(err, FSATTN_IO, "%s: exists and is not a folder", path);
    }
    fsattn_free(copy);
    return status;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *walk) {
    (void)info;
    (void)type;
    (void)walk;
    return remove(path);
}

fsattn_status fsattn_folder_remove(const char *path, fsattn_err *err) {
    if (nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS) && errno != ENOENT) {
        return fsattn_fail_errno(err, errno, "%s: cannot remove", path);
    }
    return FSATTN_OK;
}

bool fsattn_file_exists(const char *path) {
    return access(path, F_OK) == 0;
}

bool fsattn_file_disk_full(const char *path) {
    struct statvfs space;
    const unsigned long long little = 1 << 20;
    bool known = statvfs(path, &space) == 0;
    if (!known) {
        char *folder = parent_of(path);
        known = folder && statvfs(folder, &space) == 0;
        fsattn_free(folder);
    }
    return known && ((unsigned long long)space.f_bavail * space.f_frsize < little || (space.f_files > 0 && space.f_favail == 0));
}

static bool owner_ok(const struct stat *info) {
    return info->st_uid == 0 || info->st_uid == geteuid();
}

fsattn_status fsattn_file_trust(int fd, const char *path, fsattn_err *err) {
    struct stat info;
    if (fstat(fd, &info)) {
        return fsattn_fail_errno(err, errno, "%s", path);
    }
    if (!S_ISREG(info.st_mode)) {
        return fsattn_fail(err, FSATTN_UNTRUSTED, "%s: not a regular file", path);
    }
    if (!owner_ok(&info)) {
        return fsattn_fail(err, FSATTN_UNTRUSTED, "%s: belongs to user %u", path, (unsigned)info.st_uid);
    }
    if (info.st_mode & 022) {
        fsattn_fail(err, FSATTN_UNTRUSTED, "%s: others may write it (mode %04o)", path,
                    (unsigned)info.st_mode & 07777u);
        fsattn_hint(err, "chmod go-w '%s'", path);
        return FSATTN_UNTRUSTED;
    }
    char resolved[PATH_MAX];
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(link, resolved, sizeof resolved - 1);
    if (length < 0) {
        return fsattn_fail_errno(err, errno, "%s: cannot find its real path", path);
    }
    resolved[length] = '\0';
    for (char *slash = strrchr(resolved, '/'); slash; slash = strrchr(resolved, '/')) {
        *slash = '\0';
        const char *folder = resolved[0] ? resolved : "/";
        if (stat(folder, &info)) {
            return fsattn_fail_errno(err, errno, "%s", folder);
        }
        bool sticky = info.st_mode & S_ISVTX;
        if (!owner_ok(&info) || ((info.st_mode & 022) && !sticky)) {
            fsattn_fail(err, FSATTN_UNTRUSTED, "%s: its folder %s can be changed by others (mode %04o, owner %u)",
                        path, folder, (unsigned)info.st_mode & 07777u, (unsigned)info.st_uid);
            fsattn_hint(err, "chmod go-w '%s'", folder);
            return FSATTN_UNTRUSTED;
        }
    }
    return FSATTN_OK;
}

const char *fsattn_file_network(uint32_t magic) {
    static const struct {
        uint32_t magic;
        const char *name;
    } rows[] = {{0x6969, "NFS"},        {0xff534d42, "CIFS"}, {0xfe534d42, "SMB2"}, {0x517b, "SMB"},
                {0x0bd00bd0, "Lustre"}, {0x47504653, "GPFS"}, {0x00c36400, "Ceph"}, {0x01021997, "9P"},
                {0x5346414f, "AFS"},    {0x73757245, "Coda"}, {0x19830326, "BeeGFS"}, {0x65735546, "FUSE"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].magic == magic) {
            return rows[i].name;
        }
    }
    return NULL;
}

fsattn_status fsattn_file_local(const char *path, fsattn_err *err) {
    char *at = fsattn_strdup(path);
    if (!at) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
    }
    struct statfs info;
    fsattn_status status = FSATTN_OK;
    while (statfs(at, &info)) {
        if (errno != ENOENT || !strcmp(at, ".") || !strcmp(at, "/")) {
            status = fsattn_fail_errno(err, errno, "%s", path);
            goto out;
        }
        char *parent = parent_of(at);
        fsattn_free(at);
        at = parent;
        if (!at) {
            return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
        }
    }
    const char *network = fsattn_file_network((uint32_t)info.f_type);
    if (network) {
        status = fsattn_fail(err, FSATTN_UNSUPPORTED, "%s: is on a network file system (%s)", path, network);
        fsattn_hint(err, "keep the file on a local disk and merge it afterwards: fsattn-cache merge");
    }
out:
    fsattn_free(at);
    return status;
}

fsattn_status fsattn_folder_user(const char *kind, char **path, fsattn_err *err) {
    static const struct {
        const char *kind, *variable, *below_home;
    } rows[] = {{"data", "XDG_DATA_HOME", ".local/share"}, {"cache", "XDG_CACHE_HOME", ".cache"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (strcmp(rows[i].kind, kind)) {
            continue;
        }
        fsattn_text text = {0};
        const char *base = getenv(rows[i].variable), *home = getenv("HOME");
        if (base && base[0] == '/') {
            fsattn_text_printf(&text, "%s/fsattn", base);
        } else if (home && home[0] == '/') {
            fsattn_text_printf(&text, "%s/%s/fsattn", home, rows[i].below_home);
        } else {
            fsattn_fail(err, FSATTN_NOT_FOUND, "no %s folder: neither %s nor HOME is an absolute path", kind,
                        rows[i].variable);
            fsattn_hint(err, "set HOME or %s to an absolute path", rows[i].variable);
            return FSATTN_NOT_FOUND;
        }
        char *result = fsattn_text_take(&text);
        if (!result) {
            return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
        }
        *path = result;
        return FSATTN_OK;
    }
    return fsattn_fail(err, FSATTN_INTERNAL, "no user folder of kind '%s'", kind);
}

fsattn_status fsattn_folder_program(char **path, fsattn_err *err) {
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0) {
        return fsattn_fail_errno(err, errno, "/proc/self/exe");
    }
    program[length] = '\0';
    char *folder = parent_of(program);
    if (!folder) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    }
    *path = folder;
    return FSATTN_OK;
}

fsattn_status fsattn_lock_open(const char *path, bool wait, int *lock, fsattn_err *err) {
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0) {
        return fsattn_fail_errno(err, errno, "%s: cannot open the lock", path);
    }
    while (flock(fd, LOCK_EX | (wait ? 0 : LOCK_NB))) {
        int errnum = errno;
        if (errnum == EINTR) {
            continue;
        }
        close(fd);
        if (errnum == EWOULDBLOCK) {
            return fsattn_fail(err, FSATTN_BUSY, "%s: another process holds the lock", path);
        }
        return fsattn_fail_errno(err, errnum, "%s: cannot lock", path);
    }
    *lock = fd;
    return FSATTN_OK;
}

void fsattn_lock_close(int lock) {
    if (lock >= 0) {
        close(lock);
    }
}

fsattn_status fsattn_memfd_sealed(const char *name, const void *data, size_t bytes, int *fd, fsattn_err *err) {
    int memfd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (memfd < 0) {
        return fsattn_fail_errno(err, errno, "%s: memfd_create", name);
    }
    if (write_all(memfd, data, bytes) ||
        fcntl(memfd, F_ADD_SEALS, F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE)) {
        int errnum = errno;
        close(memfd);
        return fsattn_fail_errno(err, errnum, "%s: cannot fill and seal a memfd", name);
    }
    *fd = memfd;
    return FSATTN_OK;
}
