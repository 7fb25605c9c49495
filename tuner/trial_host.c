#include "trial_host.h"

#include "error.h"
#include "file.h"
#include "footprint.h"

#include <errno.h>
#include <math.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- turns at the machine ---- */

static bool stopped(const fsattn_host_evaluator *host) {
    return host->options.stop && *host->options.stop;
}

/* Waits for the machine. *outcome is cut when the deadline or a stop comes first. */
static fsattn_status enter_machine(fsattn_host_evaluator *host, fsattn_machine_use use, int64_t deadline_ns, fsattn_machine_turn *turn,
                                   fsattn_outcome *outcome, fsattn_err *err) {
    const int64_t told_after_ns = 1000000000, started_ns = fsattn_clock_ns();
    bool told = false;
    *turn = FSATTN_MACHINE_TURN_NONE;
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    for (;;) {
        const fsattn_status status = fsattn_machine_enter(&host->machine, use, turn, err);
        if (status != FSATTN_BUSY) {
            host->base.waited_ns += fsattn_clock_ns() - started_ns;
            return status;
        }
        if (fsattn_clock_ns() >= deadline_ns || stopped(host)) {
            fsattn_machine_leave(turn);
            fsattn_outcome_set(outcome, FSATTN_VERDICT_TIMEOUT, "another process is using this machine");
            outcome->cut = true;
            return FSATTN_OK;
        }
        if (!told && host->options.warn && fsattn_clock_ns() - started_ns > told_after_ns) {
            fsattn_err notice = {.code = FSATTN_BUSY};
            snprintf(notice.message, sizeof notice.message, "waiting: another process is compiling or measuring on this machine");
            snprintf(notice.hint, sizeof notice.hint, "it holds %.400s", host->machine.room);
            host->options.warn(host->options.warn_data, &notice);
            told = true;
        }
        poll(NULL, 0, 5);
    }
}

/* ---- one request and its answer ---- */

static void worker_died(fsattn_trial *t, const char *doing, fsattn_outcome *outcome) {
    char how[128] = "without a word";
    const int64_t deadline = fsattn_clock_ns() + 2000000000;
    while (!fsattn_process_reap(&t->process) && fsattn_clock_ns() < deadline) {
        fsattn_process_wait(&t->process, 1, deadline, NULL);
    }
    if (t->process.ended) {
        fsattn_process_describe(&t->process, how, sizeof how);
        t->killed = WIFSIGNALED(t->process.status) && WTERMSIG(t->process.status) == SIGKILL;
    }
    t->dead = true;
    fsattn_outcome_set(outcome, FSATTN_VERDICT_CRASHED, "the worker ended while %s: %s", doing, how);
}

/* Sends, waits; outcome OK with the response, or what happened instead. */
static void ask(fsattn_trial *t, const fsattn_worker_request *request, const char *doing, int64_t deadline_ns,
                fsattn_worker_response *response, fsattn_outcome *outcome) {
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    t->failure = FSATTN_OK;
    if (t->dead) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_CRASHED, "the worker ended before %s", doing);
        return;
    }
    if (send(t->socket, request, sizeof *request, MSG_NOSIGNAL) != (ssize_t)sizeof *request) {
        worker_died(t, doing, outcome);
        return;
    }
    const int64_t own_deadline = fsattn_clock_ns() + (int64_t)(t->host->options.trial_time_limit_s * 1e9);
    for (;;) {
        const int64_t now = fsattn_clock_ns(), end = own_deadline < deadline_ns ? own_deadline : deadline_ns;
        const bool stop = stopped(t->host);
        if (now >= end || stop) {
            t->dead = true;
            fsattn_process_close(&t->process);
            fsattn_outcome_set(outcome, FSATTN_VERDICT_TIMEOUT, "still %s after %.3g s", doing, t->host->options.trial_time_limit_s);
            outcome->cut = stop || now < own_deadline;
            return;
        }
        struct pollfd waiting = {.fd = t->socket, .events = POLLIN};
        const int64_t left_ms = (end - now) / 1000000 + 1;
        if (poll(&waiting, 1, left_ms > 100 ? 100 : (int)left_ms) > 0) {
            break;
        }
    }
    if (recv(t->socket, response, sizeof *response, 0) != (ssize_t)sizeof *response || response->magic != fsattn_worker_magic) {
        worker_died(t, doing, outcome);
        return;
    }
    response->reason[sizeof response->reason - 1] = 0;
    if (response->status == FSATTN_NO_MEMORY || response->status == FSATTN_IO) {
        t->failure = response->status;
    } else if (response->status != FSATTN_OK) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_LAUNCH_FAILED, "%s", response->reason);
    }
}

/* Ends the run when the machine, not the candidate, failed the worker. */
static fsattn_status machine_failure(const fsattn_trial *t, const char *doing, const char *reason, fsattn_err *err) {
    fsattn_status status = t->failure;
    if (t->killed) {
        status = FSATTN_NO_MEMORY;
        fsattn_fail(err, status, "a worker was killed twice while %s, not by the tuner", doing);
    } else if (status != FSATTN_OK) {
        fsattn_fail(err, status, "a worker failed while %s: %s", doing, reason);
    }
    if (status != FSATTN_OK) {
        fsattn_hint(err, "the machine most likely has run out of memory: free some, or leave the largest problems out; what was found is "
                         "stored: run again");
    }
    return status;
}

/* ---- outputs ---- */

static void fill(fsattn_trial *t, const fsattn_worker_layout *l, int poison) {
    memset(t->outputs, fsattn_worker_canary, l->total);
    memset(t->outputs + l->lse_offset, poison, l->lse_bytes);
    memset(t->outputs + l->o_offset, poison, l->o_bytes);
}

static bool all_bytes(const char *at, size_t bytes, int value) {
    return bytes == 0 || (at[0] == (char)value && memcmp(at, at + 1, bytes - 1) == 0);
}

/* Nothing written around the outputs and between their rows, nothing in them left unwritten. */
static bool intact(fsattn_trial *t, const fsattn_problem *p, const fsattn_worker_layout *l, int poison, fsattn_outcome *outcome) {
    const size_t lse_end = l->lse_offset + l->lse_bytes, o_end = l->o_offset + l->o_bytes;
    if (!all_bytes(t->outputs, l->lse_offset, fsattn_worker_canary) ||
        !all_bytes(t->outputs + lse_end, l->lse_segment - lse_end, fsattn_worker_canary) ||
        !all_bytes(t->outputs + l->lse_segment, l->o_offset - l->lse_segment, fsattn_worker_canary) ||
        !all_bytes(t->outputs + o_end, l->total - o_end, fsattn_worker_canary)) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_WRONG, "wrote outside its output");
        return false;
    }
    const size_t element = fsattn_dtype_bytes(p->dtype_o), row_bytes = (size_t)p->head_dim * element;
    for (int64_t row = 0; row < fsattn_problem_rows(p); row++) {
        const char *at = t->outputs + l->o_offset + (size_t)(row * l->pitch) * element;
        if (!all_bytes(at + row_bytes, (size_t)(l->pitch - p->head_dim) * element, poison)) {
            fsattn_outcome_set(outcome, FSATTN_VERDICT_WRONG, "wrote between the rows of its output (row %lld in memory)", (long long)row);
            return false;
        }
        for (size_t x = 0; x < row_bytes; x += element) {
            if (all_bytes(at + x, element, poison)) {
                fsattn_outcome_set(outcome, FSATTN_VERDICT_WRONG, "left output unwritten (row %lld in memory, element %zu)", (long long)row,
                            x / element);
                return false;
            }
        }
    }
    for (size_t i = 0; i < l->lse_bytes / sizeof(float); i++) {
        if (all_bytes(t->outputs + l->lse_offset + i * sizeof(float), sizeof(float), poison)) {
            fsattn_outcome_set(outcome, FSATTN_VERDICT_WRONG, "left the log-sum-exp of row %zu unwritten", i);
            return false;
        }
    }
    return true;
}

/* Of O and LSE, wherever they lie. */
static fsattn_hash hash_outputs(const fsattn_trial *t, const fsattn_problem *p, const fsattn_worker_layout *l) {
    const size_t element = fsattn_dtype_bytes(p->dtype_o);
    fsattn_hasher hasher;
    fsattn_hasher_init(&hasher);
    fsattn_hasher_add(&hasher, t->outputs + l->lse_offset, l->lse_bytes);
    for (int64_t row = 0; row < fsattn_problem_rows(p); row++) {
        fsattn_hasher_add(&hasher, t->outputs + l->o_offset + (size_t)(row * l->pitch) * element, (size_t)p->head_dim * element);
    }
    return fsattn_hasher_final(&hasher);
}

/* ---- the worker ---- */

/* What a worker may map: no address sanitizer lives within any bound. */
static size_t address_limit(const fsattn_trial *t) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    (void)t;
    return 0;
#else
    const uint64_t base = (uint64_t)1 << 30, of_thread = (uint64_t)512 << 20; /* stack, arenas of the allocator, scratch */
    const uint64_t threads = (uint64_t)t->host->base.platform.units + 1;
    const uint64_t need = fsattn_footprint_worker(&t->problem, true, t->host->toolchain.cpu.llc_bytes);
    const uint64_t limit = base + threads * of_thread + 2 * need;
    return need > (uint64_t)1 << 48 || limit > SIZE_MAX ? 0 : (size_t)limit;
#endif
}

/* Starts a worker in place of the one before, if any, and loads the candidate; once more when somebody else kills it. */
static fsattn_status load_worker(fsattn_trial *t, int64_t deadline_ns, fsattn_outcome *outcome, fsattn_err *err) {
    fsattn_host_evaluator *host = t->host;
    const fsattn_stage *stage = &t->variant->variant.stage;
    int sockets[2] = {-1, -1}, code = -1;
    fsattn_status status = FSATTN_OK;
    fsattn_process_close(&t->process);
    if (t->socket >= 0) {
        close(t->socket);
        t->socket = -1;
    }
    t->dead = t->killed = false;
    FSATTN_GOTO(fsattn_workplace_check(&host->toolchain.workplace, err));
    FSATTN_GOTO(fsattn_memfd_sealed("fsattn-candidate", stage->code.data, stage->code.bytes, &code, err));
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0) {
        status = fsattn_fail_errno(err, errno, "no socket for a worker");
        goto out;
    }
    t->socket = sockets[0];
    const char *argv[] = {host->worker, NULL};
    const fsattn_process_start start = {.argv = argv, .folder = host->toolchain.workplace.path, .fds = {sockets[1], code, t->memory},
                                        .fd_count = 3, .memory_bytes = address_limit(t), .file_bytes = stage->code.bytes + 4096};
    FSATTN_GOTO(fsattn_process_open(&start, &t->process, err));
    close(sockets[1]);
    sockets[1] = -1;
    fsattn_worker_request request = {.magic = fsattn_worker_magic, .kind = FSATTN_WORKER_LOAD, .threads = host->options.threads};
    snprintf(request.entry, sizeof request.entry, "%s", stage->entry);
    fsattn_worker_response response;
    ask(t, &request, "loading", deadline_ns, &response, outcome);
    if (!t->killed || t->replaced) {
        status = machine_failure(t, "loading", response.reason, err);
    }
out:
    if (sockets[1] >= 0) {
        close(sockets[1]);
    }
    if (code >= 0) {
        close(code);
    }
    if (status == FSATTN_OK && t->killed) {
        t->replaced = true;
        return load_worker(t, deadline_ns, outcome, err);
    }
    return status;
}

/* Poisons, asks and waits. The outcome is what became of the candidate; an error is what became of the machine. */
static fsattn_status exchange(fsattn_trial *t, const fsattn_worker_layout *layout, const fsattn_worker_request *request,
                              const char *doing, int64_t deadline_ns, int *poison, fsattn_worker_response *response,
                              fsattn_outcome *outcome, fsattn_err *err) {
    for (;;) {
        *poison = fsattn_worker_poison(t->poison++);
        fill(t, layout, *poison);
        ask(t, request, doing, deadline_ns, response, outcome);
        if (!t->killed || t->replaced) {
            return machine_failure(t, doing, response->reason, err);
        }
        t->replaced = true;
        FSATTN_TRY(load_worker(t, deadline_ns, outcome, err));
        if (outcome->verdict != FSATTN_VERDICT_OK || outcome->cut) {
            return FSATTN_OK;
        }
    }
}

/* ---- the trial ---- */

fsattn_status fsattn_trial_start(fsattn_host_evaluator *host, fsattn_host_variant *variant, const fsattn_problem *problem,
                                 size_t output_bytes, int64_t deadline_ns, fsattn_trial **trial, fsattn_outcome *outcome,
                                 fsattn_err *err) {
    fsattn_machine_turn turn;
    FSATTN_TRY(enter_machine(host, FSATTN_MACHINE_WORK, deadline_ns, &turn, outcome, err));
    if (outcome->cut) {
        return FSATTN_OK;
    }
    fsattn_status status = FSATTN_OK;
    fsattn_trial *t = fsattn_alloc(1, sizeof *t);
    if (!t) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for a trial");
        goto out;
    }
    *t = (fsattn_trial){.host = host, .variant = variant, .problem = *problem, .socket = -1, .memory = -1,
                        .output_bytes = output_bytes, .process = {.pidfd = -1}};
    t->memory = memfd_create("fsattn-outputs", MFD_CLOEXEC);
    /* All of it now: memory that is promised and not there would kill whoever touches it. */
    const int error = t->memory < 0 ? errno : posix_fallocate(t->memory, 0, (off_t)output_bytes);
    void *outputs = error ? MAP_FAILED : mmap(NULL, output_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, t->memory, 0);
    if (outputs == MAP_FAILED) {
        status = fsattn_fail_errno(err, error ? error : errno, "no memory for outputs of %zu bytes", output_bytes);
        fsattn_hint(err, "free some memory, or leave the largest problems out; what was found is stored: run again");
        goto out;
    }
    t->outputs = outputs;
    FSATTN_GOTO(load_worker(t, deadline_ns, outcome, err));
    if (outcome->verdict == FSATTN_VERDICT_OK) {
        *trial = t;
        t = NULL;
    }
out:
    fsattn_trial_stop(t);
    fsattn_machine_leave(&turn);
    return status;
}

void fsattn_trial_stop(fsattn_trial *t) {
    if (!t) {
        return;
    }
    fsattn_process_close(&t->process);
    if (t->socket >= 0) {
        close(t->socket);
    }
    if (t->outputs) {
        munmap(t->outputs, t->output_bytes);
    }
    if (t->memory >= 0) {
        close(t->memory);
    }
    fsattn_free(t);
}

static fsattn_worker_request request_of(const fsattn_trial *t, const fsattn_problem *problem, fsattn_worker_kind kind) {
    return (fsattn_worker_request){
        .magic = fsattn_worker_magic,
        .kind = kind,
        .problem = *problem,
        .distribution = FSATTN_DISTRIBUTION_NORMAL,
        .seed = t->host->options.seed,
        .tile_m = t->variant->variant.stage.tile_m,
        .scratch_bytes = t->variant->variant.stage.scratch_bytes,
    };
}

/* Within a turn. */
static fsattn_status run_case(fsattn_trial *t, const fsattn_verify_case *c, int64_t deadline_ns, fsattn_worker_layout *layout,
                              fsattn_outcome *outcome, fsattn_err *err) {
    fsattn_worker_layout_of(&c->problem, c->padded, layout);
    fsattn_worker_request request = request_of(t, &c->problem, FSATTN_WORKER_RUN);
    request.distribution = c->distribution;
    request.seed = c->seed;
    request.padded = c->padded;
    request.guarded = c->guarded;
    fsattn_worker_response response;
    int poison;
    FSATTN_TRY(exchange(t, layout, &request, "running", deadline_ns, &poison, &response, outcome, err));
    if (outcome->verdict == FSATTN_VERDICT_OK) {
        intact(t, &c->problem, layout, poison, outcome);
    }
    return FSATTN_OK;
}

fsattn_status fsattn_trial_run(fsattn_trial *t, const fsattn_verify_case *c, int64_t deadline_ns,
                               fsattn_worker_layout *layout, fsattn_outcome *outcome, fsattn_err *err) {
    fsattn_machine_turn turn;
    FSATTN_TRY(enter_machine(t->host, FSATTN_MACHINE_WORK, deadline_ns, &turn, outcome, err));
    if (outcome->cut) {
        return FSATTN_OK;
    }
    const fsattn_status status = run_case(t, c, deadline_ns, layout, outcome, err);
    fsattn_machine_leave(&turn);
    return status;
}

/* Within a turn, one case: run, judge, run again over another poison and compare; the whole problem's second run is its first sample. */
static fsattn_status prove_case(fsattn_trial *t, const fsattn_verify_case *c, int64_t deadline_ns, fsattn_comparison *comparison,
                                 fsattn_outcome *outcome, fsattn_err *err) {
    fsattn_worker_layout l;
    FSATTN_TRY(run_case(t, c, deadline_ns, &l, outcome, err));
    if (outcome->verdict != FSATTN_VERDICT_OK) {
        return FSATTN_OK;
    }
    const float *lse = (const float *)(const void *)(t->outputs + l.lse_offset);
    FSATTN_TRY(fsattn_verifier_judge(t->host->verifier, c, &t->variant->emulator, t->outputs + l.o_offset, l.o_strides, lse, outcome,
                                     comparison, err));
    if (outcome->verdict != FSATTN_VERDICT_OK) {
        return FSATTN_OK;
    }
    const fsattn_hash first = hash_outputs(t, &c->problem, &l);
    if (c->whole) {
        t->expected = first;
        t->verified = true;
        return FSATTN_OK;
    }
    FSATTN_TRY(run_case(t, c, deadline_ns, &l, outcome, err));
    if (outcome->verdict == FSATTN_VERDICT_OK) {
        const fsattn_hash second = hash_outputs(t, &c->problem, &l);
        if (fsattn_hash_compare(&first, &second)) {
            fsattn_outcome_set(outcome, FSATTN_VERDICT_WRONG, "a second run over the same inputs gave another result (%s inputs)",
                        fsattn_distribution_text(c->distribution));
        }
    }
    return FSATTN_OK;
}

static fsattn_status verify_case(fsattn_trial *t, const fsattn_verify_case *c, int64_t deadline_ns, fsattn_comparison *comparison,
                                 fsattn_outcome *outcome, fsattn_err *err) {
    fsattn_machine_turn turn;
    FSATTN_TRY(enter_machine(t->host, FSATTN_MACHINE_WORK, deadline_ns, &turn, outcome, err));
    if (outcome->cut) {
        return FSATTN_OK;
    }
    const fsattn_status status = prove_case(t, c, deadline_ns, comparison, outcome, err);
    fsattn_machine_leave(&turn);
    return status;
}

fsattn_status fsattn_trial_verify(fsattn_trial *t, int64_t deadline_ns, fsattn_verification *verification,
                                  fsattn_outcome *outcome, fsattn_err *err) {
    const fsattn_verify_case *const *cases;
    size_t count;
    FSATTN_TRY(fsattn_verifier_cases(t->host->verifier, &t->problem, &cases, &count, err));
    *verification = (fsattn_verification){0};
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    for (size_t i = 0; i < count; i++) {
        const fsattn_verify_case *c = cases[i];
        fsattn_comparison comparison = {0};
        FSATTN_TRY(verify_case(t, c, deadline_ns, &comparison, outcome, err));
        if (outcome->verdict != FSATTN_VERDICT_OK || outcome->cut) {
            return FSATTN_OK;
        }
        fsattn_verifier_note(c, c->rows_total, &comparison, verification);
    }
    return FSATTN_OK;
}

/* A worker that was started only to be timed (baseline, shoot-out) has its result judged all the same. */
static fsattn_status verify_whole(fsattn_trial *t, int64_t deadline_ns, fsattn_outcome *outcome, fsattn_err *err) {
    const fsattn_verify_case *const *cases;
    size_t count;
    FSATTN_TRY(fsattn_verifier_cases(t->host->verifier, &t->problem, &cases, &count, err));
    for (size_t i = 0; i < count && outcome->verdict == FSATTN_VERDICT_OK; i++) {
        if (cases[i]->whole) {
            FSATTN_TRY(verify_case(t, cases[i], deadline_ns, NULL, outcome, err));
        }
    }
    return FSATTN_OK;
}

static bool times_fit(const double *times, size_t count, double wall_ns, fsattn_outcome *outcome) {
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (isfinite(times[i]) && times[i] > 0) {
            sum += times[i];
        }
    }
    if (sum > wall_ns) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_WRONG, "its times add up to %.3g ms in %.3g ms of the tuner's clock", sum * 1e-6, wall_ns * 1e-6);
        return false;
    }
    return true;
}

/* Whether every timed run of the message left what the last one did, and that is what was verified. */
static bool same_results(fsattn_trial *t, const fsattn_worker_layout *l, const fsattn_worker_response *response, size_t count,
                         fsattn_outcome *outcome) {
    const uint64_t last = fsattn_worker_digest(t->outputs + l->lse_offset, l->lse_bytes, t->outputs + l->o_offset, l->o_bytes);
    for (size_t i = 0; i < count; i++) {
        if (response->digests[i] != last) {
            fsattn_outcome_set(outcome, FSATTN_VERDICT_WRONG, "timed runs over the same inputs gave different results");
            return false;
        }
    }
    const fsattn_hash now = hash_outputs(t, &t->problem, l);
    if (t->verified && fsattn_hash_compare(&now, &t->expected)) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_WRONG, "a timed run gave another result than the verified one");
        return false;
    }
    return true;
}

/* Within a turn: up to fsattn_worker_samples runs. *given is 0 unless the outcome is OK. */
static fsattn_status sample_once(fsattn_trial *t, size_t wanted, bool cold, int64_t deadline_ns, double *times_ns, size_t *given,
                                 fsattn_outcome *outcome, fsattn_err *err) {
    fsattn_worker_layout l;
    fsattn_worker_layout_of(&t->problem, false, &l);
    fsattn_worker_request request = request_of(t, &t->problem, FSATTN_WORKER_SAMPLE);
    request.samples = (uint32_t)wanted;
    request.cold = cold;
    fsattn_worker_response response;
    int poison;
    *given = 0;
    const int64_t start = fsattn_clock_ns();
    FSATTN_TRY(exchange(t, &l, &request, "being timed", deadline_ns, &poison, &response, outcome, err));
    const double wall_ns = (double)(fsattn_clock_ns() - start);
    if (outcome->verdict != FSATTN_VERDICT_OK) {
        return FSATTN_OK;
    }
    const size_t count = response.count < wanted ? response.count : wanted;
    if (count == 0) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_CRASHED, "the worker gave no times");
        return FSATTN_OK;
    }
    if (times_fit(response.times_ns, count, wall_ns, outcome) && intact(t, &t->problem, &l, poison, outcome) &&
        same_results(t, &l, &response, count, outcome)) {
        memcpy(times_ns, response.times_ns, count * sizeof *times_ns);
        *given = count;
    }
    return FSATTN_OK;
}

fsattn_status fsattn_trial_sample(fsattn_trial *t, size_t count, bool cold, int64_t deadline_ns, double *times_ns, size_t *got,
                                  fsattn_outcome *outcome, fsattn_err *err) {
    *got = 0;
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    if (!t->verified && t->variant->emulated) {
        FSATTN_TRY(verify_whole(t, deadline_ns, outcome, err));
    }
    while (*got < count && outcome->verdict == FSATTN_VERDICT_OK && !outcome->cut) {
        const size_t wanted = count - *got < fsattn_worker_samples ? count - *got : fsattn_worker_samples;
        size_t given = 0;
        fsattn_machine_turn turn;
        FSATTN_TRY(enter_machine(t->host, FSATTN_MACHINE_TIME, deadline_ns, &turn, outcome, err));
        if (outcome->cut) {
            break;
        }
        const fsattn_status status = sample_once(t, wanted, cold, deadline_ns, times_ns + *got, &given, outcome, err);
        fsattn_machine_leave(&turn);
        FSATTN_TRY(status);
        *got += given;
    }
    return FSATTN_OK;
}
