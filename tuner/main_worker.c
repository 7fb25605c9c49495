/* fsattn-worker: runs candidates for the tuner, in a process that may die. See worker.h. */
#include "device.h"
#include "error.h"
#include "host_abi.h"
#include "memory.h"
#include "worker.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
/* A kernel that faults must die of its signal, here as elsewhere. */
const char *__asan_default_options(void);
__attribute__((visibility("default"))) const char *__asan_default_options(void) {
    return "handle_segv=0:handle_sigbus=0:handle_sigill=0:handle_abort=0:handle_sigfpe=0:detect_leaks=0";
}
#endif

enum { socket_fd = 3, code_fd = 4, output_fd = 5, page = 4096, line = 64 };

/* Memory that ends against a page without access (and begins behind one). */
typedef struct guarded {
    char *mapping;
    size_t mapped;
    void *data;
} guarded;

static void guarded_fini(guarded *g) {
    if (g->mapping) {
        munmap(g->mapping, g->mapped);
    }
    *g = (guarded){0};
}

/* `fd` >= 0: `segment` bytes of it from `offset` are mapped shared; else fresh memory. `bytes` of data at the end. */
static fsattn_status guarded_init(guarded *g, size_t bytes, int fd, off_t offset, size_t segment, fsattn_err *err) {
    guarded_fini(g);
    const size_t inner = fd >= 0 ? segment : (bytes + page - 1) / page * page + page;
    char *all = mmap(NULL, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) {
        return fsattn_fail_errno(err, errno, "no memory for %zu bytes", bytes);
    }
    *g = (guarded){.mapping = all, .mapped = inner + 2 * page};
    char *at = mmap(all + page, inner, PROT_READ | PROT_WRITE, MAP_FIXED | (fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS), fd,
                    offset);
    if (at == MAP_FAILED) {
        return fsattn_fail_errno(err, errno, "no memory for %zu bytes", bytes);
    }
    g->data = at + inner - (bytes + 63) / 64 * 64;
    return FSATTN_OK;
}

/* The operands of one problem as the kernel gets them. */
typedef struct operands {
    guarded q, k, v;
} operands;

/* One set of operands of cold sampling. Its output lies in a segment like that of the memfd, canaries included. */
typedef struct copy {
    operands in;
    guarded o;
} copy;

typedef struct worker {
    fsattn_device *device;
    fsattn_module *module;
    fsattn_kernel *kernel;
    fsattn_worker_request made; /* what `inputs` were made for */
    bool have_inputs;
    operands inputs;
    copy copies[fsattn_worker_copies]; /* cold sampling */
    size_t copy_count, next_copy;
    guarded flush;
    size_t flush_bytes, flushed; /* flushed: how far the current walk has come */
    guarded o, lse, scratch, counters;
    fsattn_worker_layout layout;
} worker;

static void operands_fini(operands *o) {
    guarded_fini(&o->q);
    guarded_fini(&o->k);
    guarded_fini(&o->v);
}

/* Dense float rows to the stored type, `pitch` elements apart; gaps are NaN, so that reading them shows. */
static fsattn_status store(guarded *g, const float *from, int64_t rows, int64_t d, int64_t pitch, fsattn_dtype dtype, fsattn_err *err) {
    const size_t element = fsattn_dtype_bytes(dtype), bytes = (size_t)(rows * pitch) * element;
    FSATTN_TRY(guarded_init(g, bytes, -1, 0, 0, err));
    uint16_t *around = (uint16_t *)(void *)(g->mapping + page);
    for (size_t i = 0; i < (g->mapped - 2 * page) / sizeof *around; i++) {
        around[i] = 0x7fff; /* NaN in every type, before the data as well, and not the poison of outputs */
    }
    for (int64_t row = 0; row < rows; row++) {
        fsattn_elements_write(dtype, from + row * d, (size_t)d, (char *)g->data + (size_t)(row * pitch) * element);
    }
    if (mprotect(g->mapping + page, g->mapped - 2 * page, PROT_READ) != 0) {
        return fsattn_fail_errno(err, errno, "inputs cannot be made read-only");
    }
    return FSATTN_OK;
}

static bool same_inputs(const fsattn_worker_request *a, const fsattn_worker_request *b) {
    return fsattn_problem_equal(&a->problem, &b->problem) && a->distribution == b->distribution && a->seed == b->seed &&
           a->padded == b->padded;
}

static fsattn_status make_operands(const fsattn_worker_request *r, operands *to, fsattn_err *err) {
    const fsattn_problem *p = &r->problem;
    fsattn_operands values;
    FSATTN_TRY(fsattn_operands_init(&values, p, err));
    fsattn_inputs_fill(r->distribution, r->seed, p, &values);
    fsattn_status status = FSATTN_OK;
    const int64_t rows_q = fsattn_problem_rows(p), rows_kv = p->batch * p->heads_kv * p->s_k, d = p->head_dim;
    FSATTN_GOTO(store(&to->q, values.qkv.q, rows_q, d, fsattn_worker_pitch(p, FSATTN_WORKER_Q, r->padded), p->dtype_q, err));
    FSATTN_GOTO(store(&to->k, values.qkv.k, rows_kv, d, fsattn_worker_pitch(p, FSATTN_WORKER_K, r->padded), p->dtype_kv, err));
    FSATTN_GOTO(store(&to->v, values.qkv.v, rows_kv, d, fsattn_worker_pitch(p, FSATTN_WORKER_V, r->padded), p->dtype_kv, err));
out:
    fsattn_operands_fini(&values);
    return status;
}

static void drop_copies(worker *w) {
    for (size_t i = 0; i < w->copy_count; i++) {
        operands_fini(&w->copies[i].in);
        guarded_fini(&w->copies[i].o);
    }
    guarded_fini(&w->flush);
    w->copy_count = w->next_copy = w->flush_bytes = w->flushed = 0;
}

static fsattn_status prepare(worker *w, const fsattn_worker_request *r, fsattn_err *err) {
    const fsattn_problem *p = &r->problem;
    fsattn_worker_layout_of(p, r->padded, &w->layout);
    if (!w->have_inputs || !same_inputs(&w->made, r)) {
        w->have_inputs = false;
        drop_copies(w);
        operands_fini(&w->inputs);
        FSATTN_TRY(make_operands(r, &w->inputs, err));
        w->made = *r;
        w->have_inputs = true;
    }
    FSATTN_TRY(guarded_init(&w->lse, w->layout.lse_bytes, output_fd, 0, w->layout.lse_segment, err));
    FSATTN_TRY(guarded_init(&w->o, w->layout.o_bytes, output_fd, (off_t)w->layout.lse_segment, w->layout.o_segment, err));
    const int64_t items = p->batch * p->heads_q * ((p->s_q + r->tile_m - 1) / r->tile_m);
    FSATTN_TRY(guarded_init(&w->counters, (size_t)items * sizeof(unsigned long long), -1, 0, 0, err));
    if (r->guarded) {
        FSATTN_TRY(guarded_init(&w->scratch, r->scratch_bytes, -1, 0, 0, err));
        memset(w->scratch.mapping + page, fsattn_worker_canary, w->scratch.mapped - 2 * page);
    }
    return FSATTN_OK;
}

static fsattn_status launch(worker *w, const fsattn_worker_request *r, const operands *in, void *o, fsattn_err *err) {
    const fsattn_problem *p = &r->problem;
    const fsattn_strides q = fsattn_strides_dense(p->layout, p->heads_q, p->s_q, fsattn_worker_pitch(p, FSATTN_WORKER_Q, r->padded));
    const fsattn_strides k = fsattn_strides_dense(p->layout, p->heads_kv, p->s_k, fsattn_worker_pitch(p, FSATTN_WORKER_K, r->padded));
    const fsattn_strides v = fsattn_strides_dense(p->layout, p->heads_kv, p->s_k, fsattn_worker_pitch(p, FSATTN_WORKER_V, r->padded));
    const fsattn_host_args args = {
        .q = in->q.data, .k = in->k.data, .v = in->v.data, .o = o,
        .lse = p->lse ? w->lse.data : NULL,
        .batch = p->batch, .heads_q = p->heads_q, .heads_kv = p->heads_kv, .s_q = p->s_q, .s_k = p->s_k,
        .q_stride_b = q.b, .q_stride_h = q.h, .q_stride_s = q.s,
        .k_stride_b = k.b, .k_stride_h = k.h, .k_stride_s = k.s,
        .v_stride_b = v.b, .v_stride_h = v.h, .v_stride_s = v.s,
        .o_stride_b = w->layout.o_strides.b, .o_stride_h = w->layout.o_strides.h, .o_stride_s = w->layout.o_strides.s,
        .scale = fsattn_problem_scale(p),
        .rollbacks = r->guarded ? w->counters.data : NULL,
    };
    const fsattn_launch what = {
        .arguments = &args, .argument_bytes = sizeof args,
        .work_items = p->batch * p->heads_q * ((p->s_q + r->tile_m - 1) / r->tile_m),
        .scratch_bytes = r->scratch_bytes,
        .scratch = r->guarded ? w->scratch.data : NULL,
    };
    return fsattn_kernel_launch(w->kernel, &what, NULL, err);
}

/* ---- timing ---- */

static fsattn_status duplicate(const guarded *from, guarded *to, fsattn_err *err) {
    const size_t inner = from->mapped - 2 * page;
    FSATTN_TRY(guarded_init(to, inner - page, -1, 0, 0, err)); /* a page is added in front */
    memcpy(to->mapping + page, from->mapping + page, inner);
    to->data = to->mapping + ((char *)from->data - from->mapping);
    if (mprotect(to->mapping + page, inner, PROT_READ) != 0) {
        return fsattn_fail_errno(err, errno, "inputs cannot be made read-only");
    }
    return FSATTN_OK;
}

static void poison(worker *w, void *o, unsigned n) {
    memset(o, fsattn_worker_poison(n), w->layout.o_bytes);
    memset(w->lse.data, fsattn_worker_poison(n), w->layout.lse_bytes);
}

/* Between two uses of one set the others and the flushed memory are touched: together more than cold_factor times the
 * last-level cache. Outputs are touched here, so that no run pays for the first touch of a page. */
static fsattn_status make_copies(worker *w, const fsattn_worker_request *r, fsattn_err *err) {
    if (w->copy_count) {
        return FSATTN_OK;
    }
    const double set = fsattn_problem_bytes(&r->problem);
    const double goal = fsattn_worker_cold_factor * (double)fsattn_device_describe(w->device)->llc_bytes;
    const double sets = 2 + floor(goal / set);
    const size_t wanted = sets < fsattn_worker_copies ? (size_t)sets : fsattn_worker_copies;
    const double rest = goal - (double)(wanted - 1) * set;
    while (w->copy_count < wanted) {
        copy *c = &w->copies[w->copy_count++];
        FSATTN_TRY(duplicate(&w->inputs.q, &c->in.q, err));
        FSATTN_TRY(duplicate(&w->inputs.k, &c->in.k, err));
        FSATTN_TRY(duplicate(&w->inputs.v, &c->in.v, err));
        FSATTN_TRY(guarded_init(&c->o, w->layout.o_bytes, -1, 0, 0, err));
        memset(c->o.mapping + page, fsattn_worker_canary, c->o.mapped - 2 * page);
        poison(w, c->o.data, 0);
    }
    if (rest > 0) {
        w->flush_bytes = (size_t)rest + page;
        FSATTN_TRY(guarded_init(&w->flush, w->flush_bytes, -1, 0, 0, err));
    }
    return FSATTN_OK;
}

/* This run's share of the memory that is walked through once while all sets have their turn. */
static void flush(worker *w) {
    volatile char *memory = w->flush.data;
    const size_t share = w->flush_bytes / w->copy_count + line;
    for (size_t i = 0; w->flush_bytes && i < share; i += line) {
        memory[w->flushed]++;
        w->flushed = (w->flushed + line) % w->flush_bytes;
    }
}

static fsattn_status sample(worker *w, const fsattn_worker_request *r, fsattn_worker_response *response, fsattn_err *err) {
    if (r->cold) {
        FSATTN_TRY(make_copies(w, r, err));
    }
    const uint32_t count = r->samples < fsattn_worker_samples ? r->samples : fsattn_worker_samples;
    for (uint32_t i = 0; i < count; i++) {
        copy *c = r->cold ? &w->copies[w->next_copy] : NULL;
        void *o = c ? c->o.data : w->o.data;
        if (c) {
            flush(w);
            w->next_copy = (w->next_copy + 1) % w->copy_count;
        }
        struct timespec start, stop;
        clock_gettime(CLOCK_MONOTONIC, &start);
        FSATTN_TRY(launch(w, r, c ? &c->in : &w->inputs, o, err));
        clock_gettime(CLOCK_MONOTONIC, &stop);
        response->digests[i] = fsattn_worker_digest(w->lse.data, w->layout.lse_bytes, o, w->layout.o_bytes);
        response->times_ns[response->count++] =
            (double)(stop.tv_sec - start.tv_sec) * 1e9 + (double)(stop.tv_nsec - start.tv_nsec);
        if (c && i + 1 == count) { /* what surrounds it as well: the tuner looks at all of the last run */
            memcpy(w->o.mapping + page, c->o.mapping + page, w->layout.o_segment);
        }
        if (i + 1 < count) {
            poison(w, o, i);
        } else if (c) {
            memset(o, fsattn_worker_poison(i), w->layout.o_bytes); /* the log-sum-exp lies where the tuner looks */
        }
    }
    return FSATTN_OK;
}

/* Each thread on its own core, as far as there are cores: a thread that moves takes its time with it. */
static void pin_threads(void) {
    cpu_set_t usable;
    DIR *threads = opendir("/proc/self/task");
    int cpu = -1;
    if (sched_getaffinity(0, sizeof usable, &usable) == 0 && CPU_COUNT(&usable) > 0) {
        for (struct dirent *entry; threads && (entry = readdir(threads)) != NULL;) {
            const int thread = atoi(entry->d_name);
            if (thread > 0) {
                cpu_set_t one;
                do {
                    cpu = (cpu + 1) % CPU_SETSIZE;
                } while (!CPU_ISSET(cpu, &usable));
                CPU_ZERO(&one);
                CPU_SET(cpu, &one);
                sched_setaffinity(thread, sizeof one, &one);
            }
        }
    }
    if (threads) {
        closedir(threads);
    }
}

static fsattn_status load(worker *w, const fsattn_worker_request *r, fsattn_err *err) {
    struct stat file;
    if (fstat(code_fd, &file) != 0) {
        return fsattn_fail_errno(err, errno, "the code object");
    }
    const void *code = mmap(NULL, (size_t)file.st_size, PROT_READ, MAP_PRIVATE, code_fd, 0);
    if (code == MAP_FAILED) {
        return fsattn_fail_errno(err, errno, "the code object");
    }
    const fsattn_device_options options = {.name = "host", .threads = r->threads};
    FSATTN_TRY(fsattn_device_open(&options, &w->device, err));
    pin_threads();
    FSATTN_TRY(fsattn_module_load(w->device, "candidate", code, (size_t)file.st_size, NULL, &w->module, err));
    return fsattn_kernel_get(w->module, r->entry, &w->kernel, err);
}

static fsattn_status run(worker *w, const fsattn_worker_request *r, fsattn_worker_response *response, fsattn_err *err) {
    (void)response;
    FSATTN_TRY(launch(w, r, &w->inputs, w->o.data, err));
    const char *before = r->guarded ? w->scratch.mapping + page : w->scratch.data;
    for (; before < (const char *)w->scratch.data; before++) {
        if (*before != (char)fsattn_worker_canary) {
            return fsattn_fail(err, FSATTN_DEVICE, "wrote before its scratch memory");
        }
    }
    return FSATTN_OK;
}

int main(void) {
    static worker w;
    static fsattn_worker_request request;
    for (;;) {
        ssize_t got = recv(socket_fd, &request, sizeof request, 0);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got != (ssize_t)sizeof request || request.magic != fsattn_worker_magic) {
            return 0; /* the tuner closed its end */
        }
        fsattn_worker_response response = {.magic = fsattn_worker_magic};
        fsattn_err err = {0};
        if (request.kind == FSATTN_WORKER_LOAD) {
            response.status = load(&w, &request, &err);
        } else {
            response.status = prepare(&w, &request, &err);
            if (response.status == FSATTN_OK) {
                response.status = (request.kind == FSATTN_WORKER_RUN ? run : sample)(&w, &request, &response, &err);
            }
        }
        snprintf(response.reason, sizeof response.reason, "%.390s", err.message);
        if (send(socket_fd, &response, sizeof response, MSG_NOSIGNAL) != (ssize_t)sizeof response) {
            return 0;
        }
    }
}
