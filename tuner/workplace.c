#include "workplace.h"

#include "error.h"
#include "file.h"
#include "memory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *parent_of_all(void) {
    const char *temporary = getenv("TMPDIR");
    return temporary && *temporary ? temporary : "/tmp";
}

/* A locked descriptor of the folder; -1 when it is none of ours, is gone, or its owner lives. */
static int lock_folder(const char *path) {
    struct stat held, named;
    const int fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (fd < 0) {
        return -1;
    }
    /* Whoever holds the lock may remove the folder, so that it counts only when the name still means this folder. */
    if (fstat(fd, &held) == 0 && held.st_uid == geteuid() && (held.st_mode & 077) == 0 && flock(fd, LOCK_EX | LOCK_NB) == 0 &&
        lstat(path, &named) == 0 && named.st_ino == held.st_ino && named.st_dev == held.st_dev) {
        return fd;
    }
    close(fd);
    return -1;
}

static void remove_abandoned(const char *kind) {
    const char *parent = parent_of_all();
    DIR *all = opendir(parent);
    for (struct dirent *entry; all && (entry = readdir(all)) != NULL;) {
        char path[2048];
        if (strncmp(entry->d_name, kind, strlen(kind)) != 0 ||
            (size_t)snprintf(path, sizeof path, "%s/%s", parent, entry->d_name) >= sizeof path) {
            continue;
        }
        const int fd = lock_folder(path);
        if (fd >= 0) {
            fsattn_folder_remove(path, NULL); /* best effort: what cannot be removed is in nobody's way */
            close(fd);
        }
    }
    if (all) {
        closedir(all);
    }
}

fsattn_status fsattn_workplace_open(const char *kind, fsattn_workplace *workplace, fsattn_err *err) {
    char path[2048];
    int fd = -1;
    remove_abandoned(kind);
    for (int tries = 0; fd < 0 && tries < 10; tries++) { /* between making and locking somebody may think it abandoned */
        snprintf(path, sizeof path, "%s/%sXXXXXX", parent_of_all(), kind);
        if (!mkdtemp(path)) {
            const fsattn_status status = fsattn_fail_errno(err, errno, "%s: cannot make a temporary folder", path);
            fsattn_hint(err, "free some space there, or name another folder in TMPDIR");
            return status;
        }
        fd = lock_folder(path);
    }
    if (fd < 0) {
        rmdir(path);
        fsattn_fail(err, FSATTN_IO, "%s: a temporary folder cannot be locked", path);
        fsattn_hint(err, "name a folder of a local file system in TMPDIR");
        return FSATTN_IO;
    }
    char *copy = fsattn_strdup(path);
    if (!copy) {
        rmdir(path);
        close(fd);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for a temporary folder");
    }
    *workplace = (fsattn_workplace){.path = copy, .lock = fd};
    return FSATTN_OK;
}

void fsattn_workplace_close(fsattn_workplace *workplace) {
    if (workplace->path) {
        fsattn_folder_remove(workplace->path, NULL);
        close(workplace->lock);
        fsattn_free(workplace->path);
    }
    *workplace = (fsattn_workplace){.lock = -1};
}

bool fsattn_workplace_full(const fsattn_workplace *workplace) {
    return fsattn_file_disk_full(workplace->path);
}

fsattn_status fsattn_workplace_check(const fsattn_workplace *workplace, fsattn_err *err) {
    struct stat held, named;
    if (fstat(workplace->lock, &held) == 0 && lstat(workplace->path, &named) == 0 && named.st_ino == held.st_ino &&
        named.st_dev == held.st_dev) {
        return FSATTN_OK;
    }
    fsattn_fail(err, FSATTN_IO, "%s: the temporary folder of this run was removed", workplace->path);
    fsattn_hint(err, "name a folder in TMPDIR that nothing tidies up; what was found is stored: run again");
    return FSATTN_IO;
}
