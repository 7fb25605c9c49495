/* fsattn-gpu-worker: runs chains of GPU kernels for the tuner, in a process that may die. See gpu_worker.h. */
#include "device.h"
#include "error.h"
#include "gpu_worker.h"
#include "memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

enum { socket_fd = 3, output_fd = 4, code_fd = 5 };
/* More than the last-level cache (256 MiB of Infinity Cache): copied over before a cold run. */
static const size_t evict_bytes = (size_t)512 << 20;

typedef struct worker {
    fsattn_device *device;
    fsattn_module *modules[fsattn_gpu_worker_codes];
    fsattn_kernel *kernels[fsattn_gpu_stage_limit];
    fsattn_stream timed;                              /* the simulator models time on streams with events alone */
    fsattn_event *events[fsattn_gpu_stage_limit + 1]; /* before the first stage, behind each */
    void *evict;                                      /* 2 * evict_bytes, made when first needed */
    char state_folder[256];                           /* of sysfs; "": none */
    fsattn_gpu_state state;                           /* the last */
} worker;

/* ---- opening -------------------------------------------------------------------------------- */

static void set_variable(const char *name, const char *value) {
    if (value[0]) {
        setenv(name, value, 1);
    }
}

static fsattn_status open_device(worker *w, const fsattn_gpu_worker_request *r, fsattn_gpu_worker_response *response, fsattn_err *err) {
    char threads[16];
    snprintf(threads, sizeof threads, "%d", r->threads);
    set_variable("FSATTN_ROCM_HELPER", r->helper);
    set_variable("FSATTN_ROCM_ROOT", r->root);
    set_variable("FSATTN_SIM_CACHE", r->cache);
    set_variable("FSATTN_SIM_QUIET", "1");
    set_variable("FSATTN_SIM_TIME", r->model);
    set_variable("FSATTN_SIM_THREADS", r->threads ? threads : "");
    const fsattn_device_options options = {.name = r->device, .library = r->library[0] ? r->library : NULL};
    FSATTN_TRY(fsattn_device_open(&options, &w->device, err));
    response->device = *fsattn_device_describe(w->device);
    fsattn_gpu_state_folder(response->device.pci, w->state_folder, sizeof w->state_folder);
    w->state = fsattn_gpu_state_read(w->state_folder, NULL);
    FSATTN_TRY(fsattn_stream_create(w->device, &w->timed, err));
    for (size_t i = 0; i <= fsattn_gpu_stage_limit; i++) {
        FSATTN_TRY(fsattn_event_create(w->device, &w->events[i], err));
    }
    return FSATTN_OK;
}

static fsattn_status load(worker *w, const fsattn_gpu_worker_request *r, fsattn_err *err) {
    for (size_t i = 0; i < r->chain.count && i < fsattn_gpu_stage_limit; i++) {
        const uint32_t code = r->kernels[i].code;
        if (code >= fsattn_gpu_worker_codes) {
            return fsattn_fail(err, FSATTN_INVALID, "code object %u", code);
        }
        if (!w->modules[code]) {
            struct stat file;
            if (fstat(code_fd + (int)code, &file) != 0) {
                return fsattn_fail_errno(err, errno, "the code object");
            }
            const void *bytes = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, code_fd + (int)code, 0);
            if (bytes == MAP_FAILED) {
                return fsattn_fail_errno(err, errno, "the code object");
            }
            FSATTN_TRY(fsattn_module_load(w->device, "candidate", bytes, (size_t)file.st_size, NULL, &w->modules[code], err));
        }
        FSATTN_TRY(fsattn_kernel_get(w->modules[code], r->kernels[i].entry, &w->kernels[i], err));
    }
    return FSATTN_OK;
}

/* ---- one run -------------------------------------------------------------------------------- */

/* One operand: on the host as it must stay, on the device. */
typedef struct operand {
    char *host;
    void *device;
    size_t bytes;
} operand;

typedef struct run {
    fsattn_gpu_worker_layout layout;
    operand q, k, v;
    void *o, *lse, *workspace, *rollbacks;
    char *shared; /* the memfd */
} run;

static void run_fini(worker *w, run *x) {
    operand *inputs[] = {&x->q, &x->k, &x->v};
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        fsattn_device_release(w->device, inputs[i]->device);
        fsattn_free(inputs[i]->host);
    }
    fsattn_device_release(w->device, x->o);
    fsattn_device_release(w->device, x->lse);
    fsattn_device_release(w->device, x->workspace);
    fsattn_device_release(w->device, x->rollbacks);
    if (x->shared) {
        munmap(x->shared, x->layout.total);
    }
}

static fsattn_status copy(worker *w, void *to, const void *from, size_t bytes, fsattn_err *err) {
    return bytes ? fsattn_device_copy(w->device, to, from, bytes, NULL, err) : FSATTN_OK;
}

/* Rows of `d` floats as the stored type, `pitch` elements apart; gaps are NaN, so that reading them shows. Nothing lies
 * behind the last row. */
static fsattn_status make_operand(worker *w, const float *from, int64_t rows, int64_t d, int64_t pitch, fsattn_dtype dtype,
                                  operand *made, fsattn_err *err) {
    const size_t element = fsattn_dtype_bytes(dtype);
    made->bytes = (size_t)((rows - 1) * pitch + d) * element;
    made->host = fsattn_alloc(made->bytes, 1);
    if (!made->host) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for inputs of %zu bytes", made->bytes);
    }
    memset(made->host, 0xff, made->bytes);
    for (int64_t row = 0; row < rows; row++) {
        fsattn_elements_write(dtype, from + row * d, (size_t)d, made->host + (size_t)(row * pitch) * element);
    }
    FSATTN_TRY(fsattn_device_allocate(w->device, made->bytes, &made->device, err));
    return copy(w, made->device, made->host, made->bytes, err);
}

static fsattn_status make_inputs(worker *w, const fsattn_gpu_worker_request *r, run *x, fsattn_err *err) {
    const fsattn_problem *p = &r->problem;
    const int64_t rows_kv = p->batch * p->heads_kv * p->s_k, d = p->head_dim;
    fsattn_operands values;
    FSATTN_TRY(fsattn_operands_init(&values, p, err));
    fsattn_inputs_fill(r->distribution, r->seed, p, &values);
    fsattn_status status = FSATTN_OK;
    FSATTN_GOTO(make_operand(w, values.qkv.q, fsattn_problem_rows(p), d, fsattn_gpu_worker_pitch(p, FSATTN_GPU_WORKER_Q, r->padded), p->dtype_q, &x->q, err));
    FSATTN_GOTO(make_operand(w, values.qkv.k, rows_kv, d, fsattn_gpu_worker_pitch(p, FSATTN_GPU_WORKER_K, r->padded), p->dtype_kv, &x->k, err));
    FSATTN_GOTO(make_operand(w, values.qkv.v, rows_kv, d, fsattn_gpu_worker_pitch(p, FSATTN_GPU_WORKER_V, r->padded), p->dtype_kv, &x->v, err));
out:
    fsattn_operands_fini(&values);
    return status;
}

static fsattn_status make_outputs(worker *w, const fsattn_gpu_worker_request *r, run *x, fsattn_err *err) {
    const fsattn_gpu_worker_layout *l = &x->layout;
    x->shared = mmap(NULL, l->total, PROT_READ | PROT_WRITE, MAP_SHARED, output_fd, 0);
    if (x->shared == MAP_FAILED) {
        x->shared = NULL;
        return fsattn_fail_errno(err, errno, "no memory for outputs of %zu bytes", l->total);
    }
    FSATTN_TRY(fsattn_device_allocate(w->device, l->o_bytes, &x->o, err));
    FSATTN_TRY(copy(w, x->o, x->shared + l->o_offset, l->o_bytes, err));
    if (r->problem.lse) {
        FSATTN_TRY(fsattn_device_allocate(w->device, l->lse_bytes, &x->lse, err));
        FSATTN_TRY(copy(w, x->lse, x->shared + l->lse_offset, l->lse_bytes, err));
    }
    FSATTN_TRY(fsattn_device_allocate(w->device, l->workspace.bytes, &x->workspace, err));
    if (r->packed) {
        FSATTN_TRY(copy(w, x->workspace, x->shared + l->workspace_offset, l->workspace.bytes, err));
    }
    return fsattn_device_allocate(w->device, sizeof(unsigned long long), &x->rollbacks, err);
}

/* Workgroups of the charged problem, each with as much work as one of the problem's. */
static uint64_t charge_of(const fsattn_gpu_stage *stage, const fsattn_problem *p, const fsattn_problem *charged) {
    if (stage->rule != FSATTN_GPU_PACK_AMAX) {
        return fsattn_gpu_stage_blocks(stage, charged);
    }
    const double rows = (double)p->batch * (double)p->heads_kv * (double)p->s_k;
    const double wanted = (double)charged->batch * (double)charged->heads_kv * (double)charged->s_k;
    return (uint64_t)(fsattn_gpu_amax_blocks * wanted / rows + 0.5); /* its blocks share all rows among them */
}

static fsattn_status launch_chain(worker *w, const fsattn_gpu_worker_request *r, const fsattn_gpu_operands *at, fsattn_err *err) {
    const fsattn_stream stream = r->timed ? w->timed : NULL;
    FSATTN_TRY(fsattn_stream_synchronize(w->device, NULL, err)); /* what was copied */
    if (r->timed) {
        FSATTN_TRY(fsattn_event_record(w->events[0], stream, err));
    }
    for (size_t i = 0; i < r->chain.count; i++) {
        fsattn_gpu_arguments arguments;
        fsattn_launch launch;
        FSATTN_TRY(fsattn_gpu_stage_launch(&r->chain, i, &r->problem, at, &arguments, &launch, err));
        if (!fsattn_problem_equal(&r->problem, &r->charged)) {
            launch.charged_groups = charge_of(&r->chain.stages[i], &r->problem, &r->charged);
        }
        FSATTN_TRY(fsattn_kernel_launch(w->kernels[i], &launch, stream, err));
        if (r->timed) {
            FSATTN_TRY(fsattn_event_record(w->events[i + 1], stream, err));
        }
    }
    if (r->timed) { /* while it is under way, which the GPU's own times do not feel */
        w->state = fsattn_gpu_state_read(w->state_folder, &w->state);
    }
    return fsattn_stream_synchronize(w->device, stream, err);
}

/* What other work leaves in the caches: a copy larger than the last of them. */
static fsattn_status evict(worker *w, fsattn_err *err) {
    if (fsattn_device_describe(w->device)->provenance == FSATTN_MODELLED) {
        return FSATTN_OK; /* no cache is modelled */
    }
    if (!w->evict) {
        FSATTN_TRY(fsattn_device_allocate(w->device, 2 * evict_bytes, &w->evict, err));
    }
    return copy(w, w->evict, (char *)w->evict + evict_bytes, evict_bytes, err);
}

static fsattn_status check_inputs(worker *w, const run *x, fsattn_err *err) {
    const operand *inputs[] = {&x->q, &x->k, &x->v};
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        char *now = fsattn_alloc(inputs[i]->bytes, 1);
        fsattn_status status = now ? copy(w, now, inputs[i]->device, inputs[i]->bytes, err)
                                   : fsattn_fail(err, FSATTN_NO_MEMORY, "no memory to look at the inputs");
        if (status == FSATTN_OK && memcmp(now, inputs[i]->host, inputs[i]->bytes)) {
            status = fsattn_fail(err, FSATTN_MISMATCH, "it wrote into its input %c", "QKV"[i]);
        }
        fsattn_free(now);
        FSATTN_TRY(status);
    }
    return FSATTN_OK;
}

static fsattn_status run_chain(worker *w, const fsattn_gpu_worker_request *r, run *x, fsattn_gpu_worker_response *response,
                               fsattn_err *err) {
    const fsattn_problem *p = &r->problem;
    const fsattn_strides q = fsattn_strides_dense(p->layout, p->heads_q, p->s_q, fsattn_gpu_worker_pitch(p, FSATTN_GPU_WORKER_Q, r->padded));
    const fsattn_strides k = fsattn_strides_dense(p->layout, p->heads_kv, p->s_k, fsattn_gpu_worker_pitch(p, FSATTN_GPU_WORKER_K, r->padded));
    const fsattn_strides v = fsattn_strides_dense(p->layout, p->heads_kv, p->s_k, fsattn_gpu_worker_pitch(p, FSATTN_GPU_WORKER_V, r->padded));
    const fsattn_strides o = x->layout.o_strides;
    const fsattn_gpu_operands at = {.q = {x->q.device, q.b, q.h, q.s},
                                    .k = {x->k.device, k.b, k.h, k.s},
                                    .v = {x->v.device, v.b, v.h, v.s},
                                    .o = {x->o, o.b, o.h, o.s},
                                    .lse = x->lse,
                                    .rollbacks = r->packed ? x->rollbacks : NULL,
                                    .workspace = x->workspace};
    const unsigned long long none = 0;
    for (uint32_t i = 0; i < r->runs && i < fsattn_gpu_worker_runs; i++) {
        FSATTN_TRY(copy(w, x->rollbacks, &none, sizeof none, err));
        if (r->cold) {
            FSATTN_TRY(evict(w, err));
        }
        FSATTN_TRY(launch_chain(w, r, &at, err));
        if (r->timed) {
            FSATTN_TRY(fsattn_event_elapsed(w->events[0], w->events[r->chain.count], &response->times_ns[i], err));
            response->states[i] = w->state;
            response->count++;
        }
    }
    for (size_t i = 0; i < r->chain.count && response->count; i++) {
        FSATTN_TRY(fsattn_event_elapsed(w->events[i], w->events[i + 1], &response->stage_ns[i], err));
    }
    return FSATTN_OK;
}

static fsattn_status take_outputs(worker *w, const fsattn_gpu_worker_request *r, run *x, fsattn_err *err) {
    const fsattn_gpu_worker_layout *l = &x->layout;
    FSATTN_TRY(copy(w, x->shared + l->o_offset, x->o, l->o_bytes, err));
    if (x->lse) {
        FSATTN_TRY(copy(w, x->shared + l->lse_offset, x->lse, l->lse_bytes, err));
    }
    if (r->packed) {
        FSATTN_TRY(copy(w, x->shared + l->workspace_offset, x->workspace, l->workspace.bytes, err));
    }
    FSATTN_TRY(copy(w, x->shared + l->rollbacks_offset, x->rollbacks, sizeof(unsigned long long), err));
    return fsattn_stream_synchronize(w->device, NULL, err);
}

static fsattn_status run_request(worker *w, const fsattn_gpu_worker_request *r, fsattn_gpu_worker_response *response, fsattn_err *err) {
    run x = {0};
    fsattn_status status = FSATTN_OK;
    FSATTN_GOTO(fsattn_gpu_worker_layout_of(&r->chain, &r->problem, r->padded, r->packed, &x.layout, err));
    FSATTN_GOTO(make_inputs(w, r, &x, err));
    FSATTN_GOTO(make_outputs(w, r, &x, err));
    FSATTN_GOTO(run_chain(w, r, &x, response, err));
    FSATTN_GOTO(check_inputs(w, &x, err));
    FSATTN_GOTO(take_outputs(w, r, &x, err));
out:
    run_fini(w, &x);
    return status;
}

int main(void) {
    static worker w;
    static fsattn_gpu_worker_request request;
    static fsattn_gpu_worker_response response;
    for (;;) {
        const ssize_t got = recv(socket_fd, &request, sizeof request, 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got != (ssize_t)sizeof request || request.magic != fsattn_gpu_worker_magic) {
            return 0; /* the tuner closed its end */
        }
        fsattn_err err = {0};
        response = (fsattn_gpu_worker_response){.magic = fsattn_gpu_worker_magic};
        response.status = request.kind == FSATTN_GPU_WORKER_OPEN   ? open_device(&w, &request, &response, &err)
                          : request.kind == FSATTN_GPU_WORKER_LOAD ? load(&w, &request, &err)
                                                                   : run_request(&w, &request, &response, &err);
        snprintf(response.reason, sizeof response.reason, "%.470s", err.message);
        if (send(socket_fd, &response, sizeof response, MSG_NOSIGNAL) != (ssize_t)sizeof response) {
            return 0;
        }
    }
}
