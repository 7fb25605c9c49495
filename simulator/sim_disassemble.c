#include "sim_disassemble.h"

#include "error.h"
#include "file.h"
#include "memory.h"
#include "rocm_client.h"
#include "text.h"

#include <dlfcn.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const size_t text_limit = (size_t)256 << 20;
enum { disassemble_timeout_ms = 120000 };

void sim_disassemble_key(const void *elf, size_t bytes, char key[sim_disassemble_key_bytes]) {
    const unsigned char *at = elf;
    unsigned __int128 hash = ((unsigned __int128)0x6c62272e07bb0142u << 64) | 0x62b821756295c58du;
    const unsigned __int128 prime = ((unsigned __int128)1 << 88) | 0x13b;
    for (size_t i = 0; i < bytes; i++) {
        hash = (hash ^ at[i]) * prime;
    }
    snprintf(key, sim_disassemble_key_bytes, "%016llx%016llx", (unsigned long long)(hash >> 64), (unsigned long long)hash);
}

static char *format_path(const char *format, const char *a, const char *b) {
    fsattn_text text = {0};
    fsattn_text_printf(&text, format, a, b); /* every format here takes two strings */
    return fsattn_text_take(&text);
}

static char *cache_path(const char *key, char **folder) {
    const char *given = getenv("FSATTN_SIM_CACHE");
    char *user = NULL;
    if (!given && fsattn_folder_user("cache", &user, NULL) != FSATTN_OK) {
        return NULL;
    }
    *folder = given ? fsattn_strdup(given) : format_path("%s/%s", user, "disassembly");
    fsattn_free(user);
    fsattn_text path = {0};
    fsattn_text_printf(&path, "%s/%s.s", *folder ? *folder : "", key);
    return fsattn_text_take(&path);
}

/* ---- the helper -------------------------------------------------------------------------------------- */

typedef struct command {
    char *helper, *loader, *libraries, *hiprtc, *comgr;
    const char *argv[6];
} command;

static void command_fini(command *c) {
    fsattn_free(c->helper);
    fsattn_free(c->loader);
    fsattn_free(c->libraries);
    fsattn_free(c->hiprtc);
    fsattn_free(c->comgr);
}

static char *find_helper(void) {
    static const char *const places[] = {"%s/../bin/%s", "%s/../../bin/%s", "%s/%s", "%s/../../libexec/fsattn/%s"};
    const char *given = getenv("FSATTN_ROCM_HELPER");
    Dl_info info;
    if (given) {
        return fsattn_strdup(given);
    }
    if (!dladdr(__extension__(void *) sim_disassemble_key, &info) || !info.dli_fname) {
        return NULL;
    }
    char *folder = fsattn_strdup(info.dli_fname), *slash = folder ? strrchr(folder, '/') : NULL, *found = NULL;
    if (slash) {
        *slash = '\0';
    }
    for (size_t i = 0; slash && i < sizeof places / sizeof *places && !found; i++) {
        char *path = format_path(places[i], folder, "fsattn-rocm-helper");
        if (path && !access(path, X_OK)) {
            found = path;
        } else {
            fsattn_free(path);
        }
    }
    fsattn_free(folder);
    return found;
}

static char *find_root(bool *private_root) {
    const char *given = getenv("FSATTN_ROCM_ROOT");
    char *user = NULL, *candidates[3] = {given ? fsattn_strdup(given) : NULL, given ? NULL : fsattn_strdup("/opt/rocm"), NULL};
    char *found = NULL;
    if (!given && fsattn_folder_user("cache", &user, NULL) == FSATTN_OK) {
        candidates[2] = format_path("%s/%s", user, "rocm-root");
        fsattn_free(user);
    }
    for (int i = 0; i < 3; i++) {
        char *mark = candidates[i] && !found ? format_path("%s/%s", candidates[i], "packages.tsv") : NULL;
        char *comgr = mark ? format_path("%s/%s", candidates[i], "lib/libamd_comgr.so.3") : NULL;
        if (comgr && (fsattn_file_exists(mark) || fsattn_file_exists(comgr))) {
            *private_root = fsattn_file_exists(mark);
            found = candidates[i];
            candidates[i] = NULL;
        }
        fsattn_free(mark);
        fsattn_free(comgr);
        fsattn_free(candidates[i]);
    }
    return found;
}

/* A private root's glibc is newer than the system's: its own loader starts the helper. */
static fsattn_status find_command(command *c, fsattn_err *err) {
    bool private_root = false;
    char *root = find_root(&private_root);
    c->helper = find_helper();
    if (!root || !c->helper) {
        fsattn_fail(err, FSATTN_NOT_FOUND, "no disassembler: %s", root ? "fsattn-rocm-helper is not there" : "no ROCm 7 is there");
        fsattn_hint(err, "%s", root ? "name it in FSATTN_ROCM_HELPER" : "install ROCm 7, or run tools/rocm-root");
        fsattn_free(root);
        return FSATTN_NOT_FOUND;
    }
    size_t n = 0;
    if (private_root) {
        c->loader = format_path("%s/%s", root, "usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2");
        c->libraries = format_path("%s/%s", root, "usr/lib/x86_64-linux-gnu");
        c->argv[n++] = c->loader;
        c->argv[n++] = "--library-path";
        c->argv[n++] = c->libraries;
        c->argv[n++] = c->helper;
    } else {
        c->hiprtc = format_path("%s/%s", root, "lib/libhiprtc.so.7");
        c->comgr = format_path("%s/%s", root, "lib/libamd_comgr.so.3");
        c->argv[n++] = c->helper;
        c->argv[n++] = c->hiprtc;
        c->argv[n++] = c->comgr;
    }
    fsattn_free(root);
    for (size_t i = 0; i < n; i++) {
        if (!c->argv[i]) {
            return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
        }
    }
    return FSATTN_OK;
}

static fsattn_status ask(const char *name, const void *elf, size_t bytes, char **text, fsattn_err *err) {
    static const char *const environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", NULL};
    static const char isa[] = "amdgcn-amd-amdhsa--gfx950";
    fsattn_status status = FSATTN_OK;
    command c = {0};
    fsattn_rocm_client client = {0};
    FSATTN_GOTO(find_command(&c, err));
    FSATTN_GOTO(fsattn_rocm_client_start(&client, c.argv, environment, 0, err));
    const fsattn_rocm_blob request[] = {{elf, bytes}, {isa, sizeof isa - 1}};
    FSATTN_GOTO(fsattn_rocm_client_send(&client, FSATTN_ROCM_DISASSEMBLE, request, 2, err));
    fsattn_rocm_progress progress = FSATTN_ROCM_WAITING;
    while (progress == FSATTN_ROCM_WAITING) {
        struct pollfd ready = {client.fd, fsattn_rocm_client_events(&client), 0};
        if (poll(&ready, 1, disassemble_timeout_ms) == 0) {
            status = fsattn_fail(err, FSATTN_DEVICE, "%s: the disassembler does not answer", name);
            goto out;
        }
        progress = fsattn_rocm_client_step(&client);
    }
    if (progress == FSATTN_ROCM_ENDED) {
        char reason[200];
        fsattn_rocm_client_stop(&client, reason, sizeof reason, NULL);
        status = fsattn_fail(err, FSATTN_CORRUPT, "%s: the disassembler ended: %s", name, reason);
        goto out;
    }
    uint32_t failed = 0;
    fsattn_rocm_blob blob = {"", 0};
    fsattn_rocm_client_reply(&client, &failed, &blob, 1);
    if (failed) {
        status = fsattn_fail(err, FSATTN_CORRUPT, "%s: disassembler: %.*s", name, (int)(blob.bytes < 300 ? blob.bytes : 300),
                             (const char *)blob.data);
        goto out;
    }
    *text = fsattn_strndup(blob.data, blob.bytes);
    status = *text ? FSATTN_OK : fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", name);
out:
    fsattn_rocm_client_stop(&client, NULL, 0, NULL);
    command_fini(&c);
    return status;
}

fsattn_status sim_disassemble(const char *name, const void *elf, size_t bytes, char **text, fsattn_err *err) {
    fsattn_status status = FSATTN_OK;
    char key[sim_disassemble_key_bytes], *folder = NULL;
    size_t length;
    sim_disassemble_key(elf, bytes, key);
    char *path = cache_path(key, &folder);
    if (path && fsattn_file_read(path, text_limit, text, &length, NULL) == FSATTN_OK) {
        goto out;
    }
    FSATTN_GOTO(ask(name, elf, bytes, text, err));
    if (path && folder && fsattn_folder_make(folder, NULL) == FSATTN_OK) {
        fsattn_file_publish(path, *text, strlen(*text), 0644, NULL); /* a cache: it may fail */
    }
out:
    fsattn_free(path);
    fsattn_free(folder);
    return status;
}
