#include "cache_folder.h"

#include "context.h"
#include "error.h"
#include "memory.h"
#include "text.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int is_cache(const struct dirent *entry) {
    size_t length = strlen(entry->d_name);
    return length > 4 && !strcmp(entry->d_name + length - 4, ".fsc");
}

fsattn_status fsattn_cache_folder_add(fsattn_context *context, const char *folder, fsattn_err *err) {
    struct dirent **entries = NULL;
    fsattn_status status = FSATTN_OK;
    int count = scandir(folder, &entries, is_cache, alphasort);
    if (count < 0) {
        return fsattn_fail_errno(err, errno, "%s", folder);
    }
    for (int i = 0; i < count; i++) {
        fsattn_text path = {0};
        fsattn_err reason = {0};
        fsattn_text_printf(&path, "%s/%s", folder, entries[i]->d_name);
        fsattn_status added = path.failed ? fsattn_fail(&reason, FSATTN_NO_MEMORY, "%s: out of memory", folder)
                                          : fsattn_cache_add(context, path.data, &reason);
        if (added == FSATTN_NO_MEMORY && status == FSATTN_OK) {
            status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s", reason.message);
        } else if (added != FSATTN_OK && path.data) {
            fsattn_context_skip(context, path.data, &reason);
        }
        fsattn_text_fini(&path);
        free(entries[i]);
    }
    free(entries);
    return status;
}

fsattn_status fsattn_cache_folder_shipped(char **folder, fsattn_err *err) {
    static const char anchor; /* of this library */
    Dl_info info;
    fsattn_text text = {0};
    char *library = dladdr(&anchor, &info) && info.dli_fname ? realpath(info.dli_fname, NULL) : NULL;
    library = library ? library : realpath("/proc/self/exe", NULL); /* a program is named as it was called, which need not be a path */
    char *slash = library ? strrchr(library, '/') : NULL;
    *folder = NULL;
    if (!slash) {
        free(library);
        return FSATTN_OK;
    }
    *slash = '\0';
    fsattn_text_printf(&text, "%s/%s", library, FSATTN_SHIPPED_FOLDER);
    free(library);
    if (!text.failed && access(text.data, R_OK | X_OK) == 0) {
        *folder = fsattn_text_take(&text);
    }
    const bool failed = text.failed;
    fsattn_text_fini(&text);
    return failed ? fsattn_fail(err, FSATTN_NO_MEMORY, "options.shipped_caches: out of memory") : FSATTN_OK;
}
