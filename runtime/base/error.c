#include "error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

typedef struct status_row {
    const char *name;
    const char *text;
    int exit_status;
} status_row;

static const status_row status_rows[] = {
#define X(name, value, text, exit_status) [value] = {#name, text, exit_status},
    FSATTN_STATUS_LIST(X)
#undef X
};

static const status_row *row_of(fsattn_status status) {
    static const status_row unknown = {"UNKNOWN", "unknown status", 70};
    size_t count = sizeof status_rows / sizeof status_rows[0];
    return (size_t)status < count ? &status_rows[status] : &unknown;
}

const char *fsattn_status_text(fsattn_status status) {
    return row_of(status)->text;
}

const char *fsattn_status_name(fsattn_status status) {
    return row_of(status)->name;
}

int fsattn_status_exit(fsattn_status status) {
    return row_of(status)->exit_status;
}

fsattn_status fsattn_fail(fsattn_err *err, fsattn_status status, const char *format, ...) {
    if (err) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
        err->code = status;
        err->hint[0] = '\0';
    }
    return status;
}

static fsattn_status status_of_errno(int errnum) {
    switch (errnum) {
    case ENOENT:
        return FSATTN_NOT_FOUND;
    case ENOMEM:
        return FSATTN_NO_MEMORY;
    default:
        return FSATTN_IO;
    }
}

fsattn_status fsattn_fail_errno(fsattn_err *err, int errnum, const char *format, ...) {
    fsattn_status status = status_of_errno(errnum);
    if (err) {
        va_list args;
        va_start(args, format);
        int used = vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
        if (used >= 0 && (size_t)used < sizeof err->message) {
            char buffer[128];
            snprintf(err->message + used, sizeof err->message - (size_t)used, ": %s",
                     strerror_r(errnum, buffer, sizeof buffer));
        }
        err->code = status;
        err->hint[0] = '\0';
    }
    return status;
}

void fsattn_hint(fsattn_err *err, const char *format, ...) {
    if (err) {
        va_list args;
        va_start(args, format);
        vsnprintf(err->hint, sizeof err->hint, format, args);
        va_end(args);
    }
}

fsattn_status fsattn_context_add(fsattn_err *err, fsattn_status status, const char *format, ...) {
    if (err && status != FSATTN_OK) {
        char old[sizeof err->message];
        memcpy(old, err->message, sizeof old);
        va_list args;
        va_start(args, format);
        int used = vsnprintf(err->message, sizeof err->message, format, args);
        va_end(args);
        if (used >= 0 && (size_t)used < sizeof err->message) {
            snprintf(err->message + used, sizeof err->message - (size_t)used, ": %s", old);
        }
        err->code = status;
    }
    return status;
}
