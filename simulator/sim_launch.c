#include "sim_launch.h"

#include "error.h"
#include "sim_hazard.h"
#include "sim_operands.h"
#include "sim_race.h"
#include "sim_sample.h"
#include "sim_share.h"
#include "sim_undefined.h"
#include "sim_wait.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { threads_max = 64, waves_max = 16, slice = 20000, dynamic_stack_bytes = 16384, packet_bytes = 64 };

sim_options sim_launch_options(void) {
    const char *threads = getenv("FSATTN_SIM_THREADS"), *check = getenv("FSATTN_SIM_CHECK"), *limit = getenv("FSATTN_SIM_LIMIT");
    const char *sample = getenv("FSATTN_SIM_SAMPLE");
    const bool checks = !check || strcmp(check, "0") != 0;
    return (sim_options){
        .threads = threads ? atoi(threads) : 0,
        .check_waits = checks,
        .check_races = checks,
        .check_undefined = checks,
        .poison = checks,
        .sample = sample ? strtoull(sample, NULL, 0) : 0,
        .instructions_max = limit ? strtoull(limit, NULL, 0) : UINT64_C(20000000000),
    };
}

/* ---- arguments ---------------------------------------------------------------------------------------- */

typedef struct job {
    const sim_launch *launch;
    const sim_options *options;
    sim_heap *heap;
    unsigned char *kernarg; /* arguments, then the dispatch packet */
    size_t kernarg_bytes;   /* of the arguments, rounded up */
    uint32_t threads, waves, lds_bytes, scratch_bytes;
    uint64_t groups, grid_groups; /* those that run; all */
    sim_sample *sample;           /* where they are fewer */
    sim_share *share;             /* where races are looked for, or NULL */
    uint32_t resident, trace_count;
    sim_trace *traces;  /* of the workgroups that are replayed in time, or NULL */
    uint64_t *executed; /* instructions of each workgroup, or NULL */
    _Atomic uint64_t next, instructions;
    _Atomic bool failed;
    pthread_mutex_t message_lock;
    char message[sim_launch_message_bytes];
} job;

/* X(kind, value): hidden arguments; kinds that are not listed stay 0. */
#define HIDDEN_LIST(X)                                                                                       \
    X(hidden_block_count_x, l->grid[0])                                                                      \
    X(hidden_block_count_y, l->grid[1])                                                                      \
    X(hidden_block_count_z, l->grid[2])                                                                      \
    X(hidden_group_size_x, l->block[0])                                                                      \
    X(hidden_group_size_y, l->block[1])                                                                      \
    X(hidden_group_size_z, l->block[2])                                                                      \
    X(hidden_grid_dims, l->grid[2] * l->block[2] > 1 ? 3 : l->grid[1] * l->block[1] > 1 ? 2 : 1)             \
    X(hidden_private_base, SIM_PRIVATE_APERTURE)                                                             \
    X(hidden_shared_base, SIM_SHARED_APERTURE)                                                               \
    X(hidden_dynamic_lds_size, l->lds_bytes)

static void fill_hidden(const sim_launch *l, const fsattn_code_kernel *info, unsigned char *kernarg) {
    const struct {
        const char *kind;
        uint64_t value;
    } hidden[] = {
#define X(kind, value) {#kind, value},
        HIDDEN_LIST(X)
#undef X
    };
    for (size_t i = 0; i < info->argument_count; i++) {
        const fsattn_code_argument *a = &info->arguments[i];
        for (size_t k = 0; k < sizeof hidden / sizeof *hidden; k++) {
            if (!strcmp(a->kind, hidden[k].kind) && a->bytes <= 8 && a->offset <= info->kernarg_bytes &&
                a->bytes <= info->kernarg_bytes - a->offset) {
                memcpy(kernarg + a->offset, &hidden[k].value, a->bytes);
            }
        }
    }
}

/* hsa_kernel_dispatch_packet_t: the fields that kernels read. */
static void fill_packet(const job *j, unsigned char *packet) {
    const sim_launch *l = j->launch;
    for (int i = 0; i < 3; i++) {
        const uint16_t block = (uint16_t)l->block[i];
        const uint32_t items = l->grid[i] * l->block[i];
        memcpy(packet + 4 + 2 * i, &block, sizeof block);
        memcpy(packet + 12 + 4 * i, &items, sizeof items);
    }
    memcpy(packet + 24, &j->scratch_bytes, 4);
    memcpy(packet + 28, &j->lds_bytes, 4);
}

static fsattn_status make_arguments(job *j, fsattn_err *err) {
    const fsattn_code_kernel *info = j->launch->kernel->info;
    j->kernarg_bytes = (info->kernarg_bytes + 63u) & ~63u;
    j->kernarg = fsattn_alloc_aligned(64, j->kernarg_bytes + packet_bytes, 1);
    if (!j->kernarg) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", info->name);
    }
    memset(j->kernarg, 0, j->kernarg_bytes + packet_bytes);
    const size_t given = j->launch->argument_bytes < info->kernarg_bytes ? j->launch->argument_bytes : info->kernarg_bytes;
    if (given) {
        memcpy(j->kernarg, j->launch->arguments, given);
    }
    fill_hidden(j->launch, info, j->kernarg);
    fill_packet(j, j->kernarg + j->kernarg_bytes);
    return FSATTN_OK;
}

/* ---- the state that a wave starts with ------------------------------------------------------------------ */

/* What nobody has written: a NaN pattern, or 0. */
static void fill_unwritten(const job *j, void *memory, size_t bytes) {
    if (j->options->poison) {
        sim_sample_poison(memory, bytes);
    } else {
        memset(memory, 0, bytes);
    }
}

static void start_scalars(const job *j, const sim_group *group, sim_wave *w) {
    const sim_kernel *kernel = j->launch->kernel;
    const uint64_t kernarg = (uintptr_t)j->kernarg, packet = kernarg + j->kernarg_bytes;
    /* User registers in the order of the kernel's property bits: words, and what they hold. */
    const struct {
        unsigned bit, words;
        uint64_t value;
    } user[] = {{0, 4, 0}, {1, 2, packet}, {2, 2, 0}, {3, 2, kernarg}, {4, 2, 0}, {5, 2, 0}, {6, 1, j->scratch_bytes}};
    unsigned at = 0;
    for (size_t i = 0; i < sizeof user / sizeof *user; i++) {
        if (kernel->properties >> user[i].bit & 1) {
            memcpy(&w->s[at], &user[i].value, user[i].words > 1 ? 8 : 4);
            at += user[i].words;
        }
    }
    const unsigned preload_words = kernel->preload & 127, preload_from = kernel->preload >> 7;
    for (unsigned i = 0; i < preload_words && at < 32 && 4 * (preload_from + i + 1) <= j->kernarg_bytes; i++) {
        memcpy(&w->s[at++], j->kernarg + 4 * (preload_from + i), 4);
    }
    at = kernel->rsrc2 >> 1 & 31;
    for (int i = 0; i < 3; i++) {
        if (kernel->rsrc2 >> (7 + i) & 1) {
            w->s[at++] = group->id[i];
        }
    }
}

static void fill_registers(uint32_t *registers, uint32_t count, uint32_t value) {
    for (size_t i = 0; i < (size_t)count * sim_lanes; i++) {
        registers[i] = value;
    }
}

static void start_wave(const job *j, sim_group *group, sim_wave *w, uint32_t id) {
    const sim_launch *l = j->launch;
    const sim_module *m = l->kernel->module;
    const uint32_t fill = j->options->poison ? sim_poison_word : 0;
    const uint32_t first = id * sim_lanes, left = j->threads - first;
    const uint32_t agprs = l->kernel->info->agprs, vgprs = l->kernel->info->vgprs - agprs;
    fill_registers(w->v[0], vgprs < sim_agpr ? vgprs : sim_agpr, fill);
    fill_registers(w->v[sim_agpr], agprs < sim_agpr ? agprs : sim_agpr, fill);
    memset(w->s, 0, sizeof w->s);
    w->program = &m->program;
    w->image = (uintptr_t)m->image;
    w->heap = j->heap;
    w->group = group;
    w->id = id;
    w->scc = 0;
    w->gpr_index = false;
    const uint32_t rsrc1 = l->kernel->rsrc1; /* rounding and denormals, DX10_CLAMP, IEEE, FP16_OVFL */
    w->mode = (rsrc1 >> 12 & 0xff) | (rsrc1 >> 21 & 1) << 8 | (rsrc1 >> 23 & 1) << 9 | (rsrc1 >> 26 & 1 ? sim_mode_fp16_ovfl : 0);
    w->pc = l->kernel->entry;
    w->stop = SIM_RUNNING;
    w->executed = 0;
    w->sample = j->sample;
    w->last = (sim_allocation){0};
    w->kernarg = (sim_allocation){(uintptr_t)j->kernarg, j->kernarg_bytes + packet_bytes, "kernel arguments", NULL};
    w->scratch_bytes = j->scratch_bytes;
    if (w->wait) {
        memset(w->wait, 0, sizeof *w->wait);
    }
    if (w->hazard) {
        sim_hazard_start(w->hazard);
    }
    if (w->undefined) {
        sim_undefined_start(w->undefined, (size_t)sim_lanes * j->scratch_bytes);
    }
    w->watched = w->wait || w->hazard || w->undefined;
    if (w->scratch) {
        fill_unwritten(j, w->scratch, (size_t)sim_lanes * j->scratch_bytes);
    }
    w->s64[sim_exec / 2] = left >= sim_lanes ? UINT64_MAX : (UINT64_C(1) << left) - 1;
    w->lanes = sim_exec_of(w);
    w->behind = 0;
    sim_mask_make(w);
    start_scalars(j, group, w);
    SIM_EACH_LANE(i) {
        const uint32_t item = first + (uint32_t)i;
        w->v[0][i] = item % l->block[0] | item / l->block[0] % l->block[1] << 10 | item / (l->block[0] * l->block[1]) << 20;
    }
}

/* ---- running ------------------------------------------------------------------------------------------- */

/* With register indexing on: the instruction with its register numbers moved. */
static void run_indexed(sim_wave *w, const sim_instruction *in) {
    sim_instruction moved = *in;
    const uint32_t by = w->s[sim_m0] & 0xff;
    const bool vector = in->row && !strncmp(in->row->mnemonic, "v_", 2);
    for (int k = 0; vector && k < in->operand_count; k++) {
        sim_operand *o = &moved.operands[k];
        const int bit = k < in->source ? 3 : k - in->source;
        if (o->kind == SIM_OPERAND_VGPR && bit < 4 && (w->s[sim_m0] >> (12 + bit) & 1)) {
            o->reg = (uint16_t)(o->reg + by);
            if (o->reg + o->count > sim_vgprs) {
                sim_fault(w, in, -1, "register index %u leads to v%u, which there is not", by, o->reg);
                return;
            }
        }
    }
    if (w->wait && w->wait->pending) {
        sim_wait_check(w, &moved);
    }
    if (w->undefined && w->undefined->live) {
        sim_undefined_step(w, &moved);
    }
    if (w->stop != SIM_FAULTED) {
        in->run(w, &moved);
    }
}

/* What the checks have to say before an instruction runs, and the trace. False after a fault. */
static bool watch(sim_wave *w, const sim_instruction *in) {
    if (w->wait && w->wait->pending && !w->gpr_index) {
        sim_wait_check(w, in);
    }
    if (w->hazard && w->stop != SIM_FAULTED) {
        sim_hazard_step(w, in);
    }
    if (w->undefined && w->undefined->live && !w->gpr_index && w->stop != SIM_FAULTED) {
        sim_undefined_step(w, in);
    }
    if (w->trace && w->stop != SIM_FAULTED) {
        sim_trace_record(w->trace, w, in, w->pc - 1);
    }
    return w->stop != SIM_FAULTED;
}

static void run_slice(sim_wave *w, uint64_t limit) {
    const sim_instruction *all = w->program->instructions;
    const size_t count = w->program->count;
    uint64_t done = 0;
    while (w->stop == SIM_RUNNING && done < slice) {
        if (w->pc >= count) {
            sim_fault(w, NULL, -1, "ran beyond the last instruction");
            break;
        }
        const sim_instruction *in = &all[w->pc++];
        if (w->watched && !watch(w, in)) {
            break;
        }
        if (w->gpr_index) {
            run_indexed(w, in);
        } else {
            in->run(w, in);
        }
        done++;
    }
    w->executed += done;
    if (w->stop == SIM_RUNNING && w->executed > limit) {
        sim_fault(w, &all[w->pc < count ? w->pc : 0], -1, "%llu instructions without an end: it hangs",
                  (unsigned long long)w->executed);
    }
}

static void report(job *j, const sim_wave *w) {
    const sim_group *g = w->group;
    const sim_instruction *in = w->fault_at;
    pthread_mutex_lock(&j->message_lock);
    if (!j->message[0]) {
        snprintf(j->message, sizeof j->message, "kernel %s, workgroup (%u, %u, %u), wave %u, pc 0x%llx '%s': %s",
                 j->launch->kernel->info->name, g->id[0], g->id[1], g->id[2], w->id, in ? (unsigned long long)in->address : 0,
                 in ? in->text : "", w->fault);
    }
    pthread_mutex_unlock(&j->message_lock);
    atomic_store(&j->failed, true);
}

/* True when nobody of the group runs any more; lets those at a barrier go when all that are left have come. */
static bool settle(sim_group *group, sim_wave *waves, uint32_t count) {
    uint32_t at_barrier = 0, running = 0;
    for (uint32_t i = 0; i < count; i++) {
        at_barrier += waves[i].stop == SIM_AT_BARRIER;
        running += waves[i].stop == SIM_RUNNING;
    }
    if (at_barrier && !running) {
        group->epoch++;
        for (uint32_t i = 0; i < count; i++) {
            waves[i].stop = waves[i].stop == SIM_AT_BARRIER ? SIM_RUNNING : waves[i].stop;
        }
        return false;
    }
    return !running;
}

/* The trace that this workgroup fills; NULL: none. */
static sim_trace *trace_of(job *j, uint64_t index) {
    for (uint32_t i = 0; i < j->trace_count; i++) {
        if (j->traces[i].group == index) {
            return &j->traces[i];
        }
    }
    return NULL;
}

/* A bit for each byte of LDS, and a word beyond them. */
static size_t lds_map_bytes(uint32_t lds_bytes) { return (lds_bytes / 64 + 2) * sizeof(uint64_t); }

static void run_group(job *j, sim_group *group, sim_wave *waves, uint64_t index) {
    const uint32_t *grid = j->launch->grid;
    const uint64_t place = j->sample ? sim_timing_pick(j->grid_groups, (uint32_t)j->groups, (uint32_t)index) : index;
    group->id[0] = (uint32_t)(place % grid[0]);
    group->id[1] = (uint32_t)(place / grid[0] % grid[1]);
    group->id[2] = (uint32_t)(place / ((uint64_t)grid[0] * grid[1]));
    group->epoch++; /* what an earlier group left in the shadow is old */
    if (j->lds_bytes) {
        fill_unwritten(j, group->lds, j->lds_bytes);
    }
    if (group->written) {
        memset(group->written, 0, lds_map_bytes(j->lds_bytes));
    }
    sim_trace *trace = trace_of(j, index);
    sim_share *share = j->share && sim_share_enter(j->share, group) ? j->share : NULL;
    for (uint32_t i = 0; i < j->waves; i++) {
        start_wave(j, group, &waves[i], i);
        waves[i].share = share;
        waves[i].trace = trace ? &trace->waves[i] : NULL;
        waves[i].watched |= trace != NULL;
    }
    do {
        for (uint32_t i = 0; i < j->waves; i++) {
            run_slice(&waves[i], j->options->instructions_max);
            if (waves[i].stop == SIM_FAULTED) {
                report(j, &waves[i]);
            }
        }
    } while (!atomic_load(&j->failed) && !settle(group, waves, j->waves));
    uint64_t executed = 0;
    for (uint32_t i = 0; i < j->waves; i++) {
        executed += waves[i].executed;
    }
    atomic_fetch_add(&j->instructions, executed);
    if (j->executed) {
        j->executed[index] = executed;
    }
    if (trace) {
        trace->executed = executed;
        for (uint32_t i = 0; i < j->waves; i++) {
            trace->recorded += trace->waves[i].recorded;
        }
    }
}

static void *work(void *argument) {
    job *j = argument;
    bool good = true;
    const bool hazards = j->options->check_waits;
    sim_group group = {.lds_bytes = j->lds_bytes, .lds = fsattn_alloc_aligned(64, j->lds_bytes + 64, 1)};
    sim_wave *waves = fsattn_alloc_aligned(64, j->waves, sizeof *waves);
    if (j->options->check_races && j->lds_bytes && j->waves > 1) {
        group.shadow = fsattn_alloc(j->lds_bytes / 4 + 1, sizeof *group.shadow);
        good = group.shadow != NULL;
    }
    const bool undefined = j->options->check_undefined;
    group.written = undefined ? fsattn_alloc(1, lds_map_bytes(j->lds_bytes)) : NULL;
    good &= group.written || !undefined;
    group.watched = group.written || group.shadow;
    group.waves = waves;
    for (uint32_t i = 0; waves && i < j->waves; i++) {
        waves[i].scratch = j->scratch_bytes ? fsattn_alloc(sim_lanes, j->scratch_bytes) : NULL;
        waves[i].wait = j->options->check_waits ? fsattn_alloc(1, sizeof *waves[i].wait) : NULL;
        waves[i].hazard = hazards ? fsattn_alloc(1, sizeof *waves[i].hazard) : NULL;
        waves[i].undefined = undefined ? sim_undefined_create((size_t)sim_lanes * j->scratch_bytes) : NULL;
        good &= waves[i].undefined || !undefined;
        good &= (waves[i].scratch || !j->scratch_bytes) && (waves[i].wait || !j->options->check_waits) && (waves[i].hazard || !hazards);
    }
    if (!group.lds || !waves || !good) {
        pthread_mutex_lock(&j->message_lock);
        snprintf(j->message, sizeof j->message, "out of memory for %u waves", j->waves);
        pthread_mutex_unlock(&j->message_lock);
        atomic_store(&j->failed, true);
    }
    while (!atomic_load(&j->failed)) {
        const uint64_t index = atomic_fetch_add(&j->next, 1);
        if (index >= j->groups) {
            break;
        }
        run_group(j, &group, waves, index);
    }
    for (uint32_t i = 0; waves && i < j->waves; i++) {
        fsattn_free(waves[i].scratch);
        fsattn_free(waves[i].wait);
        fsattn_free(waves[i].hazard);
        sim_undefined_destroy(waves[i].undefined);
    }
    fsattn_free(waves);
    fsattn_free(group.written);
    fsattn_free(group.bytes);
    fsattn_free(group.shadow);
    fsattn_free(group.lds);
    return NULL;
}

static int usable_cores(void) {
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
}

static void run_groups(job *j) {
    pthread_t helpers[threads_max];
    int wanted = j->options->threads > 0 ? j->options->threads : usable_cores(), started = 0;
    wanted = wanted > threads_max ? threads_max : wanted;
    wanted = (uint64_t)wanted > j->groups ? (int)j->groups : wanted;
    while (started < wanted - 1 && !pthread_create(&helpers[started], NULL, work, j)) {
        started++;
    }
    work(j);
    for (int i = 0; i < started; i++) {
        pthread_join(helpers[i], NULL);
    }
}

/* ---- what a launch may be ------------------------------------------------------------------------------- */

static fsattn_status check_launch(const job *j, fsattn_err *err) {
    const sim_launch *l = j->launch;
    const fsattn_code_kernel *info = l->kernel->info;
    const uint64_t limit = info->threads_max ? info->threads_max : 1024;
    const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    if (!threads || threads > limit || threads > 1024) {
        return fsattn_fail(err, FSATTN_INVALID, "%s: %llu threads in a block, the kernel allows 1 to %llu", info->name,
                           (unsigned long long)threads, (unsigned long long)limit);
    }
    for (int i = 0; i < 3; i++) {
        if (!l->grid[i] || (uint64_t)l->grid[i] * l->block[i] > UINT32_MAX) {
            return fsattn_fail(err, FSATTN_INVALID, "%s: a grid of %u blocks of %u threads", info->name, l->grid[i], l->block[i]);
        }
    }
    if ((uint64_t)info->lds_bytes + l->lds_bytes > sim_lds_bytes_max) {
        return fsattn_fail(err, FSATTN_INVALID, "%s: %llu bytes of LDS, there are %d", info->name,
                           (unsigned long long)info->lds_bytes + l->lds_bytes, sim_lds_bytes_max);
    }
    if ((l->kernel->rsrc1 >> 12 & 0xff) != 0xf0 || info->wavefront != 64) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "%s: floating-point mode 0x%x, wave of %u: not simulated", info->name,
                           l->kernel->rsrc1 >> 12 & 0xff, info->wavefront);
    }
    return FSATTN_OK;
}

/* ---- modelled time --------------------------------------------------------------------------------------- */

/* Room for the traces; without memory the launch is not timed. */
static void start_traces(job *j) {
    const uint32_t wanted = sim_timing_wanted(j->groups, j->resident);
    j->traces = fsattn_alloc(wanted, sizeof *j->traces);
    j->executed = fsattn_alloc((size_t)j->groups, sizeof *j->executed);
    for (uint32_t i = 0; j->traces && i < wanted; i++) {
        sim_trace *t = &j->traces[i];
        *t = (sim_trace){.program = &j->launch->kernel->module->program, .wave_count = j->waves,
                         .waves = fsattn_alloc(j->waves, sizeof *t->waves), .group = sim_timing_pick(j->groups, wanted, i)};
        if (!t->waves) {
            break;
        }
        j->trace_count++;
    }
}

static void finish_traces(job *j, sim_result *result) {
    uint64_t device_bytes = 0;
    for (size_t i = 0; i < j->heap->count; i++) {
        device_bytes += j->heap->blocks[i].bytes;
    }
    const sim_timing_input input = {
        .traces = j->traces, .trace_count = j->trace_count, .ran = j->groups, .executed = j->executed,
        .groups = j->launch->charged_groups ? j->launch->charged_groups : j->grid_groups, .spread = j->sample != NULL, .resident = j->resident,
        .near = device_bytes <= sim_cost_infinity_bytes, .timeline = j->options->timeline, .timeline_bound = j->options->bound};
    if (j->trace_count && !atomic_load(&j->failed)) {
        result->timed = sim_timing_run(&input, &result->timing);
    }
    for (uint32_t i = 0; i < j->trace_count; i++) {
        sim_trace_fini(&j->traces[i]);
    }
    fsattn_free(j->traces);
    fsattn_free(j->executed);
}

fsattn_status sim_launch_run(sim_heap *heap, const sim_launch *launch, const sim_options *options, sim_result *result, fsattn_err *err) {
    fsattn_status status = FSATTN_OK;
    const fsattn_code_kernel *info = launch->kernel->info;
    job j = {.launch = launch, .options = options, .heap = heap, .message_lock = PTHREAD_MUTEX_INITIALIZER};
    FSATTN_TRY(check_launch(&j, err));
    j.threads = launch->block[0] * launch->block[1] * launch->block[2];
    j.waves = (j.threads + sim_lanes - 1) / sim_lanes;
    j.lds_bytes = info->lds_bytes + launch->lds_bytes;
    j.scratch_bytes = (info->scratch_bytes + (info->dynamic_stack ? dynamic_stack_bytes : 0) + 15u) & ~15u;
    j.grid_groups = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    j.groups = options->sample && options->sample < j.grid_groups && options->sample <= UINT32_MAX ? options->sample : j.grid_groups;
    FSATTN_TRY(make_arguments(&j, err));
    j.resident = sim_timing_resident(info, j.waves, j.lds_bytes);
    if (options->time) {
        start_traces(&j);
    }
    pthread_rwlock_rdlock(&heap->lock);
    if (!options->check_undefined || j.groups < j.grid_groups) { /* what is written unseen, or left out, is not to be complained about later */
        sim_heap_forget(heap);
    }
    j.sample = j.groups < j.grid_groups ? sim_sample_start(heap) : NULL;
    const bool shared = options->check_races && j.groups > 1;
    j.share = shared ? sim_share_start(heap, launch->grid) : NULL;
    if ((j.groups == j.grid_groups || j.sample) && (!shared || j.share)) {
        run_groups(&j);
    } else {
        snprintf(j.message, sizeof j.message, "%s: out of memory for a launch", info->name);
        atomic_store(&j.failed, true);
    }
    finish_traces(&j, result);
    sim_sample_finish(j.sample);
    sim_share_finish(j.share);
    pthread_rwlock_unlock(&heap->lock);
    result->instructions = atomic_load(&j.instructions);
    result->ran = j.groups;
    if (atomic_load(&j.failed)) {
        snprintf(result->message, sizeof result->message, "%s", j.message);
        status = fsattn_fail(err, FSATTN_DEVICE, "%s", j.message);
    }
    fsattn_free(j.kernarg);
    return status;
}
