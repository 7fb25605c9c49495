#include "gpu_link.h"

#include "error.h"
#include "file.h"
#include "memory.h"
#include "text.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

fsattn_status fsattn_gpu_library(const char *device, const char *named, char **library, fsattn_err *err) {
    static const char simulator[] = "%s/../lib/simulator/libamdhip64.so.7", rocm[] = "/opt/rocm/lib/libamdhip64.so.7";
    const bool simulated = !strcmp(device, "sim"), host = !strcmp(device, "host");
    fsattn_text path = {0};
    char *folder = NULL;
    named = named || host ? named : getenv(simulated ? "FSATTN_SIM_LIBRARY" : "FSATTN_HIP_LIBRARY");
    if (named) {
        fsattn_text_puts(&path, named);
    } else if (simulated) {
        FSATTN_TRY(fsattn_folder_program(&folder, err));
        fsattn_text_printf(&path, simulator, folder);
        fsattn_free(folder);
    } else if (!host && fsattn_file_exists(rocm)) {
        fsattn_text_puts(&path, rocm); /* ROCm's folder is not always on the loader's path */
    } else {
        *library = NULL;
        return FSATTN_OK;
    }
    char *taken = fsattn_text_take(&path);
    if (!taken) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for a path");
    }
    *library = taken;
    return FSATTN_OK;
}

static void worker_died(fsattn_gpu_link *link, const char *doing, fsattn_outcome *outcome) {
    char how[128] = "without a word";
    const int64_t deadline = fsattn_clock_ns() + 2000000000;
    while (!fsattn_process_reap(&link->process) && fsattn_clock_ns() < deadline) {
        fsattn_process_wait(&link->process, 1, deadline, NULL);
    }
    if (link->process.ended) {
        fsattn_process_describe(&link->process, how, sizeof how);
    }
    link->dead = true;
    fsattn_outcome_set(outcome, FSATTN_VERDICT_CRASHED, "the worker ended while %s: %s", doing, how);
}

/* Whether an answer came before the request's own limit, the deadline and a stop. */
static bool wait_answer(fsattn_gpu_link *link, const char *doing, int64_t deadline_ns, fsattn_outcome *outcome) {
    const int64_t own_deadline = fsattn_clock_ns() + (int64_t)(link->settings->time_limit_s * 1e9);
    const int look_ms = 100;
    for (;;) {
        const int64_t now = fsattn_clock_ns(), end = own_deadline < deadline_ns ? own_deadline : deadline_ns;
        const bool stopped = link->settings->stop && *link->settings->stop;
        if (now >= end || stopped) {
            link->dead = true;
            fsattn_process_close(&link->process);
            fsattn_outcome_set(outcome, FSATTN_VERDICT_TIMEOUT, "still %s after %.3g s", doing, link->settings->time_limit_s);
            outcome->cut = stopped || now < own_deadline;
            return false;
        }
        struct pollfd waiting = {.fd = link->socket, .events = POLLIN};
        const int64_t left_ms = (end - now) / 1000000 + 1;
        if (poll(&waiting, 1, left_ms > look_ms ? look_ms : (int)left_ms) > 0) {
            return true;
        }
    }
}

/* What the worker's own errors say about the candidate. */
static void judge_answer(const fsattn_gpu_worker_response *response, fsattn_outcome *outcome) {
    if (response->status == FSATTN_MISMATCH) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_WRONG, "%s", response->reason);
    } else if (response->status != FSATTN_OK) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_LAUNCH_FAILED, "%s", response->reason);
    }
}

void fsattn_gpu_link_ask(fsattn_gpu_link *link, const char *doing, int64_t deadline_ns, fsattn_outcome *outcome) {
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    link->request->magic = fsattn_gpu_worker_magic;
    if (link->dead) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_CRASHED, "the worker ended before %s", doing);
        return;
    }
    if (send(link->socket, link->request, sizeof *link->request, MSG_NOSIGNAL) != (ssize_t)sizeof *link->request) {
        worker_died(link, doing, outcome);
        return;
    }
    if (!wait_answer(link, doing, deadline_ns, outcome)) {
        return;
    }
    if (recv(link->socket, link->response, sizeof *link->response, 0) != (ssize_t)sizeof *link->response ||
        link->response->magic != fsattn_gpu_worker_magic) {
        worker_died(link, doing, outcome);
        return;
    }
    link->response->reason[sizeof link->response->reason - 1] = 0;
    judge_answer(link->response, outcome);
}

static fsattn_status make_memory(fsattn_gpu_link *link, size_t bytes, fsattn_err *err) {
    link->memory = memfd_create("fsattn-outputs", MFD_CLOEXEC);
    if (link->memory < 0 || ftruncate(link->memory, (off_t)bytes) != 0) {
        return fsattn_fail_errno(err, errno, "no memory for outputs of %zu bytes", bytes);
    }
    void *mapped = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, link->memory, 0);
    if (mapped == MAP_FAILED) {
        return fsattn_fail_errno(err, errno, "no memory for outputs of %zu bytes", bytes);
    }
    link->outputs = mapped;
    link->output_bytes = bytes;
    return FSATTN_OK;
}

static fsattn_status start_worker(const fsattn_gpu_link_code *code, fsattn_gpu_link *link, fsattn_err *err) {
    int sockets[2] = {-1, -1}, codes[fsattn_gpu_worker_codes] = {-1, -1};
    fsattn_status status = FSATTN_OK;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
        return fsattn_fail_errno(err, errno, "no socket for a worker");
    }
    link->socket = sockets[0];
    const char *argv[] = {link->settings->worker, NULL};
    fsattn_process_start start = {.argv = argv, .fds = {sockets[1], link->memory}, .fd_count = 2};
    for (size_t i = 0; code && i < code->code_count; i++) {
        FSATTN_GOTO(fsattn_memfd_sealed("fsattn-candidate", code->codes[i].data, code->codes[i].bytes, &codes[i], err));
        start.fds[start.fd_count++] = codes[i];
    }
    FSATTN_GOTO(fsattn_process_open(&start, &link->process, err));
out:
    close(sockets[1]);
    for (size_t i = 0; i < fsattn_gpu_worker_codes; i++) {
        if (codes[i] >= 0) {
            close(codes[i]);
        }
    }
    return status;
}

static void copy_path(char to[fsattn_gpu_worker_path], const char *path) {
    snprintf(to, fsattn_gpu_worker_path, "%s", path ? path : "");
}

fsattn_status fsattn_gpu_link_open(const fsattn_gpu_link_settings *settings, const fsattn_gpu_link_code *code, size_t output_bytes,
                                   int64_t deadline_ns, fsattn_gpu_link *link, fsattn_outcome *outcome, fsattn_err *err) {
    *link = (fsattn_gpu_link){.settings = settings, .socket = -1, .memory = -1, .process = {.pidfd = -1}};
    link->request = fsattn_alloc(1, sizeof *link->request);
    link->response = fsattn_alloc(1, sizeof *link->response);
    fsattn_gpu_worker_request *r = link->request;
    fsattn_status status = FSATTN_OK;
    if (!r || !link->response) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for a trial");
        goto out;
    }
    FSATTN_GOTO(make_memory(link, output_bytes, err));
    FSATTN_GOTO(start_worker(code, link, err));
    r->kind = FSATTN_GPU_WORKER_OPEN;
    snprintf(r->device, sizeof r->device, "%s", settings->device);
    snprintf(r->model, sizeof r->model, "%s", settings->model ? settings->model : "");
    copy_path(r->library, settings->library);
    copy_path(r->helper, settings->helper);
    copy_path(r->root, settings->root);
    fsattn_gpu_link_ask(link, "opening the device", deadline_ns, outcome);
    if (outcome->verdict == FSATTN_VERDICT_OK && code) {
        r->kind = FSATTN_GPU_WORKER_LOAD;
        r->chain = *code->chain;
        for (size_t i = 0; i < code->chain->count; i++) {
            snprintf(r->kernels[i].entry, sizeof r->kernels[i].entry, "%s", code->stages[i].entry);
            r->kernels[i].code = code->code_of[i];
        }
        fsattn_gpu_link_ask(link, "loading", deadline_ns, outcome);
    }
out:
    if (status != FSATTN_OK) {
        fsattn_gpu_link_close(link);
    }
    return status;
}

void fsattn_gpu_link_close(fsattn_gpu_link *link) {
    fsattn_process_close(&link->process);
    if (link->socket >= 0) {
        close(link->socket);
    }
    if (link->outputs) {
        munmap(link->outputs, link->output_bytes);
    }
    if (link->memory >= 0) {
        close(link->memory);
    }
    fsattn_free(link->request);
    fsattn_free(link->response);
    *link = (fsattn_gpu_link){.socket = -1, .memory = -1, .process = {.pidfd = -1}};
}
