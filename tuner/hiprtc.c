#include "hiprtc.h"

#include "error.h"
#include "file.h"
#include "hash.h"
#include "memory.h"
#include "rocm_client.h"
#include "workplace.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    jobs_max = 64,
    path_bytes = 4096,
    stop_look_ns = 100000000, /* how often a stop is looked for */
};
static const size_t worker_memory_bytes = (size_t)16 << 30;

typedef struct worker {
    fsattn_rocm_client client;
    size_t job; /* that it works on; SIZE_MAX: none */
    int64_t start_ns;
} worker;

struct fsattn_hiprtc {
    char identity[256];
    char root[path_bytes], helper[path_bytes];
    fsattn_workplace workplace;  /* temporary files of the compiler */
    char strings[3][path_bytes]; /* what argv points to, besides */
    const char *argv[6];
    char temporary[2200];
    const char *environment[6];
    double time_limit_s;
    int worker_count;
    worker workers[jobs_max];
};

static int64_t now_ns(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* ---- finding ROCm --------------------------------------------------------------------------- */

#define PRIVATE_LIBRARIES "usr/lib/x86_64-linux-gnu"

static bool is_private(const char *root) {
    char path[path_bytes + 32];
    snprintf(path, sizeof path, "%s/packages.tsv", root);
    return fsattn_file_exists(path);
}

static bool is_rocm(const char *root) {
    char path[path_bytes + 32];
    snprintf(path, sizeof path, "%s/lib/libhiprtc.so.7", root);
    return is_private(root) || fsattn_file_exists(path);
}

static fsattn_status find_root(const char *wanted, char root[path_bytes], fsattn_err *err) {
    const char *given = wanted ? wanted : getenv("FSATTN_ROCM_ROOT");
    if (given) {
        snprintf(root, path_bytes, "%s", given);
        if (is_rocm(root)) {
            return FSATTN_OK;
        }
        fsattn_fail(err, FSATTN_NOT_FOUND, "%s: neither a ROCm 7 installation nor a private ROCm root",
                    given);
        fsattn_hint(err, "tools/rocm-root builds a private one");
        return FSATTN_NOT_FOUND;
    }
    snprintf(root, path_bytes, "/opt/rocm");
    if (is_rocm(root)) {
        return FSATTN_OK;
    }
    char *cache;
    FSATTN_TRY(fsattn_folder_user("cache", &cache, err));
    snprintf(root, path_bytes, "%s/rocm-root", cache);
    fsattn_free(cache);
    if (is_rocm(root)) {
        return FSATTN_OK;
    }
    fsattn_fail(err, FSATTN_NOT_FOUND, "no HIPRTC: neither /opt/rocm nor %s is there", root);
    fsattn_hint(err, "install ROCm 7, or run tools/rocm-root to build a private root (needs network)");
    return FSATTN_NOT_FOUND;
}

static fsattn_status find_helper(const char *wanted, char helper[path_bytes], fsattn_err *err) {
    static const char *const places[] = {"%s/fsattn-rocm-helper", "%s/../bin/fsattn-rocm-helper",
                                         "%s/../libexec/fsattn/fsattn-rocm-helper"};
    char *folder = NULL;
    if (wanted) {
        snprintf(helper, path_bytes, "%s", wanted);
    } else {
        FSATTN_TRY(fsattn_folder_program(&folder, err));
        snprintf(helper, path_bytes, places[0], folder);
        for (size_t i = 1; i < sizeof places / sizeof *places && access(helper, X_OK); i++) {
            snprintf(helper, path_bytes, i == 1 ? places[1] : places[2], folder);
        }
        fsattn_free(folder);
    }
    return access(helper, X_OK) ? fsattn_fail(err, FSATTN_NOT_FOUND, "%s: no such program (it holds HIPRTC)",
                                              wanted ? wanted : "fsattn-rocm-helper")
                                : FSATTN_OK;
}

/* ---- identity ------------------------------------------------------------------------------- */

static void package_version(const char *table, const char *package, char *version, size_t bytes) {
    const size_t length = strlen(package);
    snprintf(version, bytes, "?");
    for (const char *at = table; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL) {
        if (!strncmp(at, package, length) && at[length] == '\t') {
            const char *text = at + length + 1;
            snprintf(version, bytes, "%.*s", (int)strcspn(text, "\t\n"), text);
            return;
        }
    }
}

static fsattn_status hash_file(fsattn_hasher *hasher, const char *path, fsattn_err *err) {
    char *data;
    size_t bytes;
    FSATTN_TRY(fsattn_file_read(path, (size_t)1 << 30, &data, &bytes, err));
    fsattn_hasher_field(hasher, "file", data, bytes);
    fsattn_free(data);
    return FSATTN_OK;
}

static fsattn_status identify(fsattn_hiprtc *h, fsattn_err *err) {
    char path[path_bytes + 64], hex[fsattn_hash_hex_bytes];
    if (is_private(h->root)) {
        char *table, hiprtc[64], comgr[64];
        size_t bytes;
        snprintf(path, sizeof path, "%s/packages.tsv", h->root);
        FSATTN_TRY(fsattn_file_read(path, 1 << 20, &table, &bytes, err));
        package_version(table, "libhiprtc7", hiprtc, sizeof hiprtc);
        package_version(table, "libamd-comgr3", comgr, sizeof comgr);
        const fsattn_hash hash = fsattn_hash_of(table, bytes);
        fsattn_hash_hex(&hash, hex);
        snprintf(h->identity, sizeof h->identity, "hiprtc %s comgr %s root=%.16s", hiprtc, comgr, hex);
        fsattn_free(table);
        return FSATTN_OK;
    }
    fsattn_hasher hasher;
    fsattn_hasher_init(&hasher);
    FSATTN_TRY(hash_file(&hasher, h->strings[0], err));
    FSATTN_TRY(hash_file(&hasher, h->strings[1], err));
    const fsattn_hash hash = fsattn_hasher_final(&hasher);
    fsattn_hash_hex(&hash, hex);
    snprintf(h->identity, sizeof h->identity, "hiprtc of %.64s libraries=%.16s", h->root, hex);
    return FSATTN_OK;
}

/* ---- opening -------------------------------------------------------------------------------- */

/* The private root's glibc is newer than the system's: its own loader starts the helper. */
static void set_command(fsattn_hiprtc *h) {
    size_t n = 0;
    if (is_private(h->root)) {
        snprintf(h->strings[0], path_bytes, "%.4000s/" PRIVATE_LIBRARIES "/ld-linux-x86-64.so.2", h->root);
        snprintf(h->strings[1], path_bytes, "%.4000s/" PRIVATE_LIBRARIES, h->root);
        h->argv[n++] = h->strings[0];
        h->argv[n++] = "--library-path";
        h->argv[n++] = h->strings[1];
        h->argv[n++] = h->helper;
    } else {
        snprintf(h->strings[0], path_bytes, "%.4000s/lib/libhiprtc.so.7", h->root);
        snprintf(h->strings[1], path_bytes, "%.4000s/lib/libamd_comgr.so.3", h->root);
        h->argv[n++] = h->helper;
        h->argv[n++] = h->strings[0];
        h->argv[n++] = h->strings[1];
    }
    snprintf(h->temporary, sizeof h->temporary, "TMPDIR=%s", h->workplace.path);
    const char *const environment[] = {"PATH=/usr/bin:/bin", "LC_ALL=C", "AMD_COMGR_CACHE=0", h->temporary,
                                       NULL};
    memcpy(h->environment, environment, sizeof environment);
}

static int usable_cores(void) {
    cpu_set_t set;
    const int cores = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
    return cores < 1 ? 1 : cores > jobs_max ? jobs_max : cores;
}

fsattn_status fsattn_hiprtc_open(const fsattn_hiprtc_settings *settings, fsattn_hiprtc **hiprtc,
                                 fsattn_err *err) {
    const fsattn_hiprtc_settings defaults = {0}, *s = settings ? settings : &defaults;
    fsattn_status status;
    fsattn_hiprtc *h = fsattn_alloc(1, sizeof *h);
    if (!h) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "compiler: out of memory");
    }
    FSATTN_GOTO(find_root(s->root, h->root, err));
    FSATTN_GOTO(find_helper(s->helper, h->helper, err));
    FSATTN_GOTO(fsattn_workplace_open("fsattn-hiprtc-", &h->workplace, err));
    set_command(h);
    FSATTN_GOTO(identify(h, err));
    h->time_limit_s = s->time_limit_s > 0 ? s->time_limit_s : 120;
    h->worker_count = s->jobs > 0 ? (s->jobs < jobs_max ? s->jobs : jobs_max) : usable_cores();
    for (int i = 0; i < h->worker_count; i++) {
        h->workers[i].job = SIZE_MAX;
    }
    *hiprtc = h;
    h = NULL;
    status = FSATTN_OK;
out:
    fsattn_hiprtc_close(h);
    return status;
}

void fsattn_hiprtc_close(fsattn_hiprtc *hiprtc) {
    if (!hiprtc) {
        return;
    }
    for (int i = 0; i < hiprtc->worker_count; i++) {
        fsattn_rocm_client_stop(&hiprtc->workers[i].client, NULL, 0, NULL);
    }
    fsattn_workplace_close(&hiprtc->workplace);
    fsattn_free(hiprtc);
}

const char *fsattn_hiprtc_identity(const fsattn_hiprtc *hiprtc) {
    return hiprtc->identity;
}

const char *fsattn_hiprtc_root(const fsattn_hiprtc *hiprtc) {
    return hiprtc->root;
}

/* ---- results -------------------------------------------------------------------------------- */

/* The line of a compiler's log that says what is wrong, without the temporary folder that the source lay in.
 */
static void log_reason(const char *log, char *reason, size_t bytes) {
    const char *error = strstr(log, "error:");
    const char *line = error ? error : log;
    while (line > log && line[-1] != '\n') {
        line--;
    }
    const char *file = strstr(line, "/input/");
    if (file && error && file < error) {
        line = file + strlen("/input/");
    }
    snprintf(reason, bytes, "%.*s", (int)strcspn(line, "\n"), line);
}

static void take_reply(worker *w, fsattn_hiprtc_job *job) {
    uint32_t failed;
    fsattn_rocm_blob blobs[2];
    const size_t count = fsattn_rocm_client_reply(&w->client, &failed, blobs, 2);
    job->log = count > 0 ? fsattn_strndup(blobs[0].data, blobs[0].bytes) : NULL;
    if (failed || count < 2) {
        job->verdict = FSATTN_VERDICT_BUILD_FAILED;
        log_reason(job->log ? job->log : "no reason given", job->reason, sizeof job->reason);
        return;
    }
    job->code = fsattn_alloc(blobs[1].bytes, 1);
    if (!job->code) {
        job->verdict = FSATTN_VERDICT_BUILD_FAILED;
        snprintf(job->reason, sizeof job->reason, "out of memory for the code object");
        return;
    }
    memcpy(job->code, blobs[1].data, blobs[1].bytes);
    job->code_bytes = blobs[1].bytes;
    job->verdict = FSATTN_VERDICT_OK;
}

void fsattn_hiprtc_job_fini(fsattn_hiprtc_job *job) {
    fsattn_free(job->log);
    fsattn_free(job->code);
    job->log = NULL;
    job->code = NULL;
    job->code_bytes = 0;
}

/* ---- the pool ------------------------------------------------------------------------------- */

typedef struct batch {
    fsattn_hiprtc *hiprtc;
    fsattn_hiprtc_job *jobs;
    size_t count, next, running;
    bool lost; /* the compilers' folder */
} batch;

static fsattn_hash job_hash(const fsattn_hiprtc_job *job) {
    fsattn_hasher hasher;
    fsattn_hasher_init(&hasher);
    fsattn_hasher_field_text(&hasher, "source", job->source);
    for (const char *const *option = job->options; *option; option++) {
        fsattn_hasher_field_text(&hasher, "option", *option);
    }
    return fsattn_hasher_final(&hasher);
}

static fsattn_status find_equal(fsattn_hiprtc_job *jobs, size_t count, fsattn_err *err) {
    fsattn_hash *hashes = fsattn_alloc(count, sizeof *hashes);
    if (!hashes) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "compiler: out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        hashes[i] = job_hash(&jobs[i]);
        jobs[i].same_as = i;
        for (size_t j = 0; j < i && jobs[i].same_as == i; j++) {
            if (jobs[j].same_as == j && !fsattn_hash_compare(&hashes[i], &hashes[j])) {
                jobs[i].same_as = j;
            }
        }
    }
    fsattn_free(hashes);
    return FSATTN_OK;
}

static fsattn_status start_request(fsattn_hiprtc *h, worker *w, uint32_t command,
                                   const fsattn_rocm_blob *blobs, size_t count, fsattn_err *err) {
    struct pollfd idle = {.fd = w->client.fd, .events = POLLIN};
    if (w->client.pid && poll(&idle, 1, 0) != 0) { /* an idle worker has nothing to say: it has died */
        fsattn_rocm_client_stop(&w->client, NULL, 0, NULL);
    }
    if (!w->client.pid) {
        FSATTN_TRY(fsattn_rocm_client_start(&w->client, h->argv, h->environment, worker_memory_bytes, err));
    }
    FSATTN_TRY(fsattn_rocm_client_send(&w->client, command, blobs, count, err));
    w->start_ns = now_ns();
    return FSATTN_OK;
}

static fsattn_status start_job(batch *b, worker *w, size_t index, fsattn_err *err) {
    fsattn_hiprtc_job *job = &b->jobs[index];
    fsattn_rocm_blob blobs[fsattn_rocm_frame_blobs];
    size_t count = 0;
    blobs[count++] = (fsattn_rocm_blob){job->source, strlen(job->source)};
    for (const char *const *option = job->options; *option; option++) {
        if (count == fsattn_rocm_frame_blobs) {
            return fsattn_fail(err, FSATTN_INVALID, "compiler: more than %d options",
                               fsattn_rocm_frame_blobs - 1);
        }
        blobs[count++] = (fsattn_rocm_blob){*option, strlen(*option)};
    }
    FSATTN_TRY(start_request(b->hiprtc, w, FSATTN_ROCM_COMPILE, blobs, count, err));
    w->job = index;
    b->running++;
    return FSATTN_OK;
}

static void finish_job(batch *b, worker *w) {
    b->jobs[w->job].seconds = 1e-9 * (double)(now_ns() - w->start_ns);
    w->job = SIZE_MAX;
    b->running--;
}

/* What has come from a worker, or its end. A worker that ends without having been asked twice is an unlucky
 * candidate; one that cannot even start (no library) says so in its reply. */
static void serve(batch *b, worker *w) {
    fsattn_hiprtc_job *job = &b->jobs[w->job];
    switch (fsattn_rocm_client_step(&w->client)) {
    case FSATTN_ROCM_WAITING:
        return;
    case FSATTN_ROCM_REPLIED:
        take_reply(w, job);
        break;
    case FSATTN_ROCM_ENDED:
        job->verdict = FSATTN_VERDICT_CRASHED;
        char how[400];
        fsattn_rocm_client_stop(&w->client, how, sizeof how, &job->log);
        snprintf(job->reason, sizeof job->reason, "the compiler was %s", how);
        break;
    }
    if (job->verdict != FSATTN_VERDICT_OK && fsattn_workplace_check(&b->hiprtc->workplace, NULL) != FSATTN_OK) {
        b->lost = job->cut = true; /* no verdict: it says nothing about the source */
    }
    finish_job(b, w);
}

static void expire(batch *b, worker *w, bool cut) {
    fsattn_hiprtc_job *job = &b->jobs[w->job];
    job->cut = cut;
    job->verdict = FSATTN_VERDICT_TIMEOUT;
    snprintf(job->reason, sizeof job->reason,
             cut ? "stopped" : "compilation took more than %g s and was killed", b->hiprtc->time_limit_s);
    fsattn_rocm_client_stop(&w->client, NULL, 0, &job->log);
    finish_job(b, w);
}

/* Waits until something moves, for at most stop_look_ns. */
static void wait_for_workers(batch *b) {
    fsattn_hiprtc *h = b->hiprtc;
    struct pollfd fds[jobs_max];
    worker *of[jobs_max];
    nfds_t count = 0;
    for (int i = 0; i < h->worker_count; i++) {
        if (h->workers[i].job != SIZE_MAX) {
            const fsattn_rocm_client *client = &h->workers[i].client;
            of[count] = &h->workers[i];
            fds[count++] = (struct pollfd){.fd = client->fd, .events = fsattn_rocm_client_events(client)};
        }
    }
    if (poll(fds, count, stop_look_ns / 1000000) <= 0) {
        return;
    }
    for (nfds_t i = 0; i < count; i++) {
        if (fds[i].revents) {
            serve(b, of[i]);
        }
    }
}

static fsattn_status copy_results(fsattn_hiprtc_job *jobs, size_t count, fsattn_err *err) {
    for (size_t i = 0; i < count; i++) {
        const fsattn_hiprtc_job *from = &jobs[jobs[i].same_as];
        if (jobs[i].same_as == i) {
            continue;
        }
        jobs[i].verdict = from->verdict;
        jobs[i].cut = from->cut;
        jobs[i].seconds = from->seconds;
        memcpy(jobs[i].reason, from->reason, sizeof jobs[i].reason);
        jobs[i].log = from->log ? fsattn_strdup(from->log) : NULL;
        if (from->code) {
            jobs[i].code = fsattn_alloc(from->code_bytes, 1);
            if (!jobs[i].code) {
                return fsattn_fail(err, FSATTN_NO_MEMORY, "compiler: out of memory");
            }
            memcpy(jobs[i].code, from->code, from->code_bytes);
            jobs[i].code_bytes = from->code_bytes;
        }
    }
    return FSATTN_OK;
}

fsattn_status fsattn_hiprtc_compile(fsattn_hiprtc *hiprtc, fsattn_hiprtc_job *jobs, size_t count,
                                    int64_t deadline_ns, const volatile sig_atomic_t *stop, fsattn_err *err) {
    batch b = {.hiprtc = hiprtc, .jobs = jobs, .count = count};
    fsattn_status status = FSATTN_OK;
    const int64_t limit_ns = (int64_t)(hiprtc->time_limit_s * 1e9);
    for (size_t i = 0; i < count; i++) {
        jobs[i].cut = false;
        jobs[i].reason[0] = '\0';
        jobs[i].log = NULL;
        jobs[i].code = NULL;
        jobs[i].code_bytes = 0;
        jobs[i].seconds = 0;
    }
    FSATTN_TRY(find_equal(jobs, count, err));
    while (status == FSATTN_OK && (b.running || b.next < count)) {
        const bool over = (stop && *stop) || now_ns() >= deadline_ns;
        for (int i = 0; i < hiprtc->worker_count; i++) {
            worker *w = &hiprtc->workers[i];
            if (w->job != SIZE_MAX && (over || now_ns() - w->start_ns > limit_ns)) {
                expire(&b, w, over);
            }
            while (b.next < count && jobs[b.next].same_as != b.next) {
                b.next++;
            }
            if (status == FSATTN_OK && w->job == SIZE_MAX && b.next < count && !over) {
                status = start_job(&b, w, b.next++, err);
            }
        }
        for (; over && b.next < count; b.next++) {
            jobs[b.next].cut = true;
            jobs[b.next].verdict = FSATTN_VERDICT_TIMEOUT;
            snprintf(jobs[b.next].reason, sizeof jobs[b.next].reason, "stopped");
        }
        if (b.running) {
            wait_for_workers(&b);
        }
        if (b.lost) {
            status = fsattn_workplace_check(&hiprtc->workplace, err);
        }
    }
    for (int i = 0; i < hiprtc->worker_count; i++) {
        if (hiprtc->workers[i].job != SIZE_MAX) { /* after an error */
            expire(&b, &hiprtc->workers[i], true);
        }
    }
    return status == FSATTN_OK ? copy_results(jobs, count, err) : status;
}

/* ---- one request outside a batch ------------------------------------------------------------ */

fsattn_status fsattn_hiprtc_disassemble(fsattn_hiprtc *hiprtc, const void *code, size_t bytes,
                                        const char *isa, fsattn_text *listing, fsattn_err *err) {
    worker *w = &hiprtc->workers[0];
    char name[128], how[400];
    snprintf(name, sizeof name, "amdgcn-amd-amdhsa--%s", isa);
    const fsattn_rocm_blob request[] = {{code, bytes}, {name, strlen(name)}};
    FSATTN_TRY(start_request(hiprtc, w, FSATTN_ROCM_DISASSEMBLE, request, 2, err));
    const int64_t deadline = now_ns() + (int64_t)(hiprtc->time_limit_s * 1e9);
    fsattn_rocm_progress progress = FSATTN_ROCM_WAITING;
    while (progress == FSATTN_ROCM_WAITING && now_ns() < deadline) {
        struct pollfd ready = {.fd = w->client.fd, .events = fsattn_rocm_client_events(&w->client)};
        if (poll(&ready, 1, stop_look_ns / 1000000) > 0) {
            progress = fsattn_rocm_client_step(&w->client);
        }
    }
    if (progress != FSATTN_ROCM_REPLIED) {
        fsattn_rocm_client_stop(&w->client, progress == FSATTN_ROCM_ENDED ? how : NULL, sizeof how, NULL);
        return progress == FSATTN_ROCM_ENDED
                   ? fsattn_fail(err, FSATTN_COMPILE, "disassembler: %s", how)
                   : fsattn_fail(err, FSATTN_COMPILE, "disassembler: took more than %g s",
                                 hiprtc->time_limit_s);
    }
    uint32_t failed;
    fsattn_rocm_blob blob = {"", 0};
    fsattn_rocm_client_reply(&w->client, &failed, &blob, 1);
    if (failed) {
        return fsattn_fail(err, FSATTN_INVALID, "disassembler: %.*s", (int)blob.bytes,
                           (const char *)blob.data);
    }
    fsattn_text_add(listing, blob.data, blob.bytes);
    return listing->failed ? fsattn_fail(err, FSATTN_NO_MEMORY, "disassembler: out of memory") : FSATTN_OK;
}
