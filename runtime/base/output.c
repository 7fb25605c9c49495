#include "output.h"

#include "error.h"
#include "text.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { link_limit = 40 };

const fsattn_output_kind fsattn_output_trace_kind = {"trace", "{\"displayTimeUnit\":", NULL};

/* What databases keep beside themselves. */
static const struct {
    const char *suffix, *what;
} companions[] = {{"-wal", "log"}, {"-shm", "shared memory"}, {"-journal", "journal"}, {".lock", "lock file"}};
enum { companion_count = sizeof companions / sizeof companions[0] };

/* Takes the first part of `left`. */
static void take_part(char *left, char *part) {
    const size_t length = strcspn(left, "/");
    memcpy(part, left, length);
    part[length] = '\0';
    memmove(left, left + length + (left[length] == '/'), strlen(left + length + (left[length] == '/')) + 1);
}

/* a := a/b. False when it does not fit. */
static bool join(char a[PATH_MAX], const char *b) {
    const size_t have = strlen(a), more = strlen(b);
    if (have + 1 + more >= PATH_MAX) {
        return false;
    }
    a[have] = '/';
    memcpy(a + have + 1, b, more + 1);
    return true;
}

/* The absolute path without links and dots, also of what is not there: that becomes folders, never links. False when there is
 * none. */
static bool resolve(const char *path, char resolved[PATH_MAX]) {
    char left[PATH_MAX], part[PATH_MAX], target[PATH_MAX];
    int links = 0;
    if (strlen(path) >= sizeof left || (path[0] != '/' && !getcwd(resolved, PATH_MAX))) {
        return false;
    }
    strcpy(left, path);
    if (path[0] == '/' || !strcmp(resolved, "/")) {
        resolved[0] = '\0';
    }
    while (left[0]) {
        take_part(left, part);
        const size_t before = strlen(resolved);
        if (!strcmp(part, "..")) {
            char *slash = strrchr(resolved, '/');
            resolved[slash ? slash - resolved : 0] = '\0';
            continue;
        }
        if (!part[0] || !strcmp(part, ".")) {
            continue;
        }
        if (!join(resolved, part)) {
            return false;
        }
        const ssize_t length = readlink(resolved, target, sizeof target - 1);
        if (length < 0) {
            continue;
        }
        target[length] = '\0';
        resolved[target[0] == '/' ? 0 : before] = '\0';
        if (++links > link_limit || !join(target, left)) {
            return false;
        }
        strcpy(left, target);
    }
    return true;
}

/* The message, with the option in front. */
static fsattn_status refuse(const fsattn_output *output, fsattn_err *err, const char *what, const char *of) {
    fsattn_fail(err, FSATTN_INVALID, "%s%s%s is %s%s", output->option ? output->option : "", output->option ? ": " : "", output->path,
                what, of);
    fsattn_hint(err, "name another file for the output");
    return FSATTN_INVALID;
}

static bool same_file(const char *path, const char *resolved, const char *own) {
    char other[PATH_MAX];
    struct stat a, b;
    return (resolve(own, other) && !strcmp(resolved, other)) ||
           (stat(path, &a) == 0 && stat(own, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

/* The name that a companion gets of a database: by the path as it was given, or by the one that it resolves to. */
static bool same_companion(const char *path, const char *resolved, const char *own, const char *suffix) {
    char other[PATH_MAX];
    const char *const stems[] = {own, resolve(own, other) ? other : own};
    for (size_t i = 0; i < sizeof stems / sizeof stems[0]; i++) {
        char name[PATH_MAX];
        if (strlen(stems[i]) + strlen(suffix) < sizeof name) {
            strcpy(name, stems[i]);
            strcat(name, suffix);
            if (same_file(path, resolved, name)) {
                return true;
            }
        }
    }
    return false;
}

static fsattn_status check_own(const fsattn_output *output, const char *resolved, fsattn_err *err) {
    for (size_t i = 0; i < output->own_count; i++) {
        const fsattn_output_own *own = &output->own[i];
        if (!own->path || !own->path[0]) {
            continue;
        }
        if (same_file(output->path, resolved, own->path)) {
            return refuse(output, err, own->what, "");
        }
        for (size_t j = 0; own->database && j < companion_count; j++) {
            if (same_companion(output->path, resolved, own->path, companions[j].suffix)) {
                fsattn_text what = {0};
                fsattn_text_printf(&what, "the %s of %s", companions[j].what, own->what);
                const fsattn_status status = refuse(output, err, what.data ? what.data : own->what, "");
                fsattn_text_fini(&what);
                return status;
            }
        }
    }
    return FSATTN_OK;
}

/* A name that belongs to another file which is there. */
static fsattn_status check_stem(const fsattn_output *output, const char *resolved, fsattn_err *err) {
    char stem[PATH_MAX];
    struct stat info;
    const size_t length = strlen(resolved);
    for (size_t i = 0; i < companion_count; i++) {
        const size_t ending = strlen(companions[i].suffix);
        if (length <= ending || strcmp(resolved + length - ending, companions[i].suffix) != 0) {
            continue;
        }
        memcpy(stem, resolved, length - ending);
        stem[length - ending] = '\0';
        if (stat(stem, &info) == 0 && S_ISREG(info.st_mode)) {
            return refuse(output, err, "by its name what a database keeps beside itself: ", stem);
        }
    }
    return FSATTN_OK;
}

/* By its first bytes, and by whoever knows more. */
static fsattn_status check_kind(const fsattn_output *output, fsattn_err *err) {
    const fsattn_output_kind *kind = output->kind;
    char first[32];
    const size_t bytes = strlen(kind->magic);
    fsattn_err why = {0};
    const int fd = open(output->path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    fsattn_status status = fd < 0 ? fsattn_fail_errno(&why, errno, "%s", output->path) : FSATTN_OK;
    if (fd >= 0) {
        const bool begins = bytes <= sizeof first && pread(fd, first, bytes, 0) == (ssize_t)bytes && !memcmp(first, kind->magic, bytes);
        close(fd);
        status = !begins      ? fsattn_fail(&why, FSATTN_INVALID, "%s: is not one", output->path)
                 : kind->sound ? kind->sound(output->path, &why)
                               : FSATTN_OK;
    }
    if (status == FSATTN_OK) {
        return FSATTN_OK;
    }
    fsattn_fail(err, FSATTN_INVALID, "%s%swould be replaced, but is no sound %s: %s", output->option ? output->option : "",
                output->option ? ": " : "", kind->name, why.message);
    fsattn_hint(err, "name another file, or move this one away");
    return FSATTN_INVALID;
}

fsattn_status fsattn_output_check(const fsattn_output *output, fsattn_err *err) {
    char resolved[PATH_MAX];
    struct stat info;
    if (!output->path[0]) {
        fsattn_fail(err, FSATTN_USAGE, "%s%sthe name of the %s is empty", output->option ? output->option : "", output->option ? ": " : "",
                    output->kind->name);
        fsattn_hint(err, "name a file");
        return FSATTN_USAGE;
    }
    if (!resolve(output->path, resolved)) {
        fsattn_fail(err, FSATTN_INVALID, "%s%sthe name of the %s is too long, or its links go round: %s", output->option ? output->option : "",
                    output->option ? ": " : "", output->kind->name, output->path);
        fsattn_hint(err, "name another file for the output");
        return FSATTN_INVALID;
    }
    FSATTN_TRY(check_own(output, resolved, err));
    FSATTN_TRY(check_stem(output, resolved, err));
    if (lstat(output->path, &info) != 0) {
        return FSATTN_OK;
    }
    if (S_ISLNK(info.st_mode)) {
        refuse(output, err, "a symbolic link, and would be replaced itself", "");
        fsattn_hint(err, "name the file that it means: %s", resolved);
        return FSATTN_INVALID;
    }
    if (!S_ISREG(info.st_mode)) {
        return refuse(output, err, S_ISDIR(info.st_mode) ? "a folder" : "not a regular file", "");
    }
    return info.st_size == 0 ? FSATTN_OK : check_kind(output, err);
}
