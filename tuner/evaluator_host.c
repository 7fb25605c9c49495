#include "trial_host.h"

#include "code_object.h"
#include "device.h"
#include "error.h"
#include "file.h"
#include "host_abi.h"
#include "keys.h"
#include "problem.h"
#include "template.h"

#include <math.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum { scratch_limit = 64 << 20 };

static fsattn_host_evaluator *host_of(fsattn_evaluator *evaluator) {
    return (fsattn_host_evaluator *)evaluator;
}

static void host_release(fsattn_evaluator *evaluator, fsattn_variant *variant) {
    (void)evaluator;
    fsattn_host_variant *v = (fsattn_host_variant *)variant;
    if (v) {
        fsattn_text_fini(&v->source);
        fsattn_arena_fini(&v->arena);
        fsattn_free(v);
    }
}

static int64_t host_now(fsattn_evaluator *evaluator) {
    (void)evaluator;
    return fsattn_clock_ns();
}

/* ---- rendering ---- */

static fsattn_status launch_of(fsattn_manifest *manifest, const fsattn_setting *setting, const fsattn_config *config,
                               fsattn_host_variant *v, fsattn_err *err) {
    fsattn_pairs launch, resources;
    FSATTN_TRY(fsattn_manifest_evaluate(manifest, FSATTN_SECTION_LAUNCH, setting, config, &launch, err));
    FSATTN_TRY(fsattn_manifest_evaluate(manifest, FSATTN_SECTION_RESOURCES, setting, config, &resources, err));
    const fsattn_value *rule = fsattn_pairs_find(&launch, "work_items");
    fsattn_stage *s = &v->variant.stage;
    s->name = "attention";
    s->entry = manifest->entry;
    s->work_items = rule && rule->type == FSATTN_VALUE_ENUM ? fsattn_arena_strdup(&v->arena, rule->word) : "";
    s->tile_m = fsattn_pairs_integer(&launch, "tile_m", 0);
    s->tile_n = fsattn_pairs_integer(&launch, "tile_n", 0);
    s->scratch_bytes = (uint64_t)fsattn_pairs_integer(&resources, "scratch_bytes", 0);
    v->variant.launch = fsattn_arena_printf(&v->arena, "entry=%s work_items=%s tile_m=%lld tile_n=%lld scratch_bytes=%llu", s->entry,
                                            s->work_items ? s->work_items : "", (long long)s->tile_m, (long long)s->tile_n,
                                            (unsigned long long)s->scratch_bytes);
    if (!s->work_items || !v->variant.launch) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for a variant");
    }
    if (strcmp(s->work_items, "query_tiles") || s->tile_m < 1) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "%s: launch: the host knows work_items 'query_tiles' with a positive tile_m, not '%s'",
                           manifest->path, s->work_items);
    }
    return FSATTN_OK;
}

/* The emulation that proves a candidate is part of its result's key, as the launch is. */
static fsattn_status add_proof(fsattn_host_variant *v, fsattn_err *err) {
    char text[fsattn_emulator_text_bytes];
    fsattn_emulator_text(&v->emulator, text);
    const char *launch = fsattn_arena_printf(&v->arena, "%s; proof: %s", v->variant.launch, text);
    if (!launch) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for a variant");
    }
    v->variant.launch = launch;
    return FSATTN_OK;
}

static fsattn_status finish_variant(fsattn_host_evaluator *host, const char *const *options, size_t option_count,
                                    fsattn_host_variant *v, fsattn_err *err) {
    size_t count;
    v->options = fsattn_toolchain_options(&host->toolchain, options, option_count, &v->arena, &count);
    fsattn_text joined = {0};
    for (size_t i = 0; v->options && i < count; i++) {
        fsattn_text_printf(&joined, "%s%s", i ? " " : "", v->options[i]);
    }
    v->variant.options = joined.failed || !joined.data ? NULL : fsattn_arena_strdup(&v->arena, joined.data);
    fsattn_text_fini(&joined);
    if (!v->options || !v->variant.options) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for a variant");
    }
    const fsattn_build_fields fields = {.source = v->source.data, .source_bytes = v->source.bytes, .options = v->options,
                                        .option_count = count, .compiler = host->toolchain.identity};
    v->variant.build_key = fsattn_key_build(&fields);
    v->variant.source = (fsattn_blob){v->source.data, v->source.bytes, fsattn_hash_of(v->source.data, v->source.bytes)};
    return FSATTN_OK;
}

static fsattn_status host_render(fsattn_evaluator *evaluator, const fsattn_problem *problem, const fsattn_config *config,
                                 fsattn_variant **variant, fsattn_outcome *outcome, fsattn_err *err) {
    fsattn_host_evaluator *host = host_of(evaluator);
    fsattn_manifest *manifest = host->options.manifest;
    const fsattn_setting setting = {.problem = problem, .isa = host->toolchain.isa};
    const char *reason;
    *variant = NULL;
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    FSATTN_TRY(fsattn_manifest_supports(manifest, &setting, &reason, err));
    if (!reason) {
        FSATTN_TRY(fsattn_manifest_check(manifest, &setting, config, &reason, err));
    }
    if (reason) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_REJECTED, "%s", reason);
        return FSATTN_OK;
    }
    fsattn_host_variant *v = fsattn_alloc(1, sizeof *v);
    if (!v) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for a variant");
    }
    v->emulated = true;
    fsattn_status status = FSATTN_OK;
    fsattn_err detail = {0};
    FSATTN_GOTO(launch_of(manifest, &setting, config, v, err));
    FSATTN_GOTO(fsattn_verifier_emulator(manifest, &setting, config, &v->emulator, err));
    v->emulator.accumulation = FSATTN_ACCUMULATION_SEQUENTIAL; /* what a leaf function without reassociation does */
    FSATTN_GOTO(add_proof(v, err));
    if (v->variant.stage.scratch_bytes > scratch_limit) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_REJECTED, "needs more than 64 MiB of scratch memory for a work item");
        goto out;
    }
    const int64_t end_ns = evaluator->render_end_ns ? evaluator->render_end_ns : INT64_MAX;
    const fsattn_template_limits limits = fsattn_template_limits_within(end_ns - fsattn_clock_ns());
    status = fsattn_template_render_child(manifest, &setting, config, &limits, &v->source, &detail);
    if (status == FSATTN_PARSE || status == FSATTN_INVALID) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_BUILD_FAILED, "%s", detail.message);
        outcome->cut = status == FSATTN_INVALID && fsattn_clock_ns() >= end_ns;
        status = FSATTN_OK;
        goto out;
    }
    if (status != FSATTN_OK) {
        if (err) {
            *err = detail;
        }
        goto out;
    }
    FSATTN_GOTO(finish_variant(host, manifest->options, manifest->option_count, v, err));
    *variant = &v->variant;
    return FSATTN_OK;
out:
    host_release(evaluator, &v->variant);
    return status;
}

/* ---- building ---- */

typedef struct building {
    fsattn_host_evaluator *host;
    fsattn_variant *const *variants;
    fsattn_outcome *outcomes;
    size_t count;
    fsattn_compilation *compilations; /* of the variants that have to be compiled */
    size_t *owners;                   /* their indices */
    fsattn_store_claim *claims;
    size_t compile_count;
} building;

static fsattn_status take_code(fsattn_host_variant *v, const void *code, size_t bytes, fsattn_err *err) {
    void *copy = fsattn_arena_alloc(&v->arena, bytes ? bytes : 1, 1);
    if (!copy) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for a code object");
    }
    memcpy(copy, code, bytes);
    v->variant.stage.code = (fsattn_blob){copy, bytes, fsattn_hash_of(copy, bytes)};
    return FSATTN_OK;
}

/* A build that the store knows. Its log opens with the reason. */
static fsattn_status take_stored(building *b, size_t index, const fsattn_store_build *build, fsattn_err *err) {
    fsattn_host_variant *v = (fsattn_host_variant *)b->variants[index];
    b->outcomes[index] = (fsattn_outcome){.verdict = build->verdict};
    v->variant.build_s = build->seconds;
    v->variant.compiled = false;
    if (build->verdict != FSATTN_VERDICT_OK) {
        snprintf(b->outcomes[index].reason, fsattn_reason_bytes, "%.*s", (int)strcspn(build->log, "\n"), build->log);
        return FSATTN_OK;
    }
    return take_code(v, build->code.data, build->code.bytes, err);
}

static fsattn_status compiled(void *context, size_t index, fsattn_err *err) {
    building *b = context;
    fsattn_compilation *c = &b->compilations[index];
    const size_t owner = b->owners[index];
    fsattn_host_variant *v = (fsattn_host_variant *)b->variants[owner];
    b->outcomes[owner] = (fsattn_outcome){.verdict = c->verdict, .cut = c->cut};
    snprintf(b->outcomes[owner].reason, fsattn_reason_bytes, "%s", c->reason);
    v->variant.compiled = !c->cut;
    v->variant.build_s = c->seconds;
    if (c->verdict == FSATTN_VERDICT_OK) {
        FSATTN_TRY(take_code(v, c->code, c->code_bytes, err));
    }
    if (!b->host->options.store) {
        return FSATTN_OK;
    }
    if (c->cut) {
        fsattn_store_build_abandon(&b->claims[index]);
        return FSATTN_OK;
    }
    fsattn_text log = {0};
    fsattn_text_printf(&log, "%s\n%s", c->reason, c->log ? c->log : "");
    const fsattn_store_build build = {
        .build_key = v->variant.build_key,
        .verdict = c->verdict,
        .log = log.data ? log.data : "",
        .seconds = c->seconds,
        .compiler = b->host->toolchain.identity,
        .options = v->variant.options,
        .source = v->variant.source,
        .code = c->verdict == FSATTN_VERDICT_OK ? v->variant.stage.code : (fsattn_blob){0},
    };
    const fsattn_status status = fsattn_store_build_finish(b->host->options.store, &b->claims[index], &build, err);
    fsattn_text_fini(&log);
    return status;
}

/* The first variant of the batch with that key; `index` itself when there is none before it. */
static size_t first_of_key(const building *b, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (!fsattn_hash_compare(&b->variants[i]->build_key, &b->variants[index]->build_key)) {
            return i;
        }
    }
    return index;
}

/* Whether the store knows the variant, this process is to compile it, or (*busy) another process is compiling it. */
static fsattn_status look_up(building *b, size_t index, bool *busy, fsattn_err *err) {
    fsattn_host_variant *v = (fsattn_host_variant *)b->variants[index];
    fsattn_store_claim claim = {.lock = -1};
    bool found = false;
    *busy = false;
    if (b->host->options.store) {
        fsattn_store_build build;
        fsattn_arena arena = {0};
        fsattn_status status = fsattn_store_build_begin(b->host->options.store, &v->variant.build_key, false, &arena, &build, &found,
                                                        &claim, err);
        if (status == FSATTN_OK && found) {
            status = take_stored(b, index, &build, err);
        }
        fsattn_arena_fini(&arena);
        if (status == FSATTN_BUSY) {
            *busy = true;
            return FSATTN_OK;
        }
        FSATTN_TRY(status);
    }
    if (!found) {
        b->compilations[b->compile_count] = (fsattn_compilation){
            .source = v->source.data, .source_bytes = v->source.bytes, .options = v->options};
        b->owners[b->compile_count] = index;
        b->claims[b->compile_count++] = claim;
    }
    return FSATTN_OK;
}

static fsattn_status compile_claimed(building *b, int64_t deadline_ns, fsattn_err *err) {
    fsattn_status status = fsattn_toolchain_compile(&b->host->toolchain, b->compilations, b->compile_count, deadline_ns,
                                                    b->host->options.stop, compiled, b, err);
    for (size_t i = 0; i < b->compile_count; i++) {
        fsattn_store_build_abandon(&b->claims[i]); /* whatever was not finished */
        fsattn_compilation_fini(&b->compilations[i]);
    }
    b->compile_count = 0;
    return status;
}

static fsattn_status share_duplicates(building *b, fsattn_err *err) {
    for (size_t i = 0; i < b->count; i++) {
        const size_t first = first_of_key(b, i);
        if (first != i) {
            fsattn_host_variant *v = (fsattn_host_variant *)b->variants[i];
            b->outcomes[i] = b->outcomes[first];
            v->variant.build_s = b->variants[first]->build_s;
            if (b->outcomes[i].verdict == FSATTN_VERDICT_OK && !b->outcomes[i].cut) {
                FSATTN_TRY(take_code(v, b->variants[first]->stage.code.data, b->variants[first]->stage.code.bytes, err));
            }
        }
    }
    return FSATTN_OK;
}

static fsattn_status host_build(fsattn_evaluator *evaluator, fsattn_variant *const *variants, size_t count, int64_t deadline_ns,
                                fsattn_outcome *outcomes, fsattn_err *err) {
    building b = {.host = host_of(evaluator), .variants = variants, .outcomes = outcomes, .count = count};
    bool *busy = fsattn_alloc(count, sizeof *busy);
    b.compilations = fsattn_alloc(count, sizeof *b.compilations);
    b.owners = fsattn_alloc(count, sizeof *b.owners);
    b.claims = fsattn_alloc(count, sizeof *b.claims);
    fsattn_status status = FSATTN_OK;
    if (!busy || !b.compilations || !b.owners || !b.claims) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for a batch of %zu candidates", count);
        goto out;
    }
    for (size_t i = 0; i < count; i++) {
        if (first_of_key(&b, i) == i) {
            FSATTN_GOTO(look_up(&b, i, &busy[i], err));
        }
    }
    FSATTN_GOTO(compile_claimed(&b, deadline_ns, err));
    for (size_t i = 0; i < count; i++) { /* now that this process holds no claim it may wait for others */
        while (busy[i] && !outcomes[i].cut) {
            FSATTN_GOTO(look_up(&b, i, &busy[i], err));
            FSATTN_GOTO(compile_claimed(&b, deadline_ns, err));
            if (busy[i]) {
                outcomes[i] = (fsattn_outcome){.verdict = FSATTN_VERDICT_TIMEOUT};
                outcomes[i].cut = fsattn_clock_ns() >= deadline_ns || (b.host->options.stop && *b.host->options.stop);
                poll(NULL, 0, 20); /* not a wait for the lock, which neither a signal nor a deadline would end */
            }
        }
    }
    status = share_duplicates(&b, err);
out:
    for (size_t i = 0; b.claims && i < b.compile_count; i++) {
        fsattn_store_build_abandon(&b.claims[i]);
    }
    fsattn_free(busy);
    fsattn_free(b.compilations);
    fsattn_free(b.owners);
    fsattn_free(b.claims);
    return status;
}

/* ---- running ---- */

static fsattn_status host_start(fsattn_evaluator *evaluator, fsattn_variant *variant, const fsattn_problem *problem,
                                int64_t deadline_ns, fsattn_trial **trial, fsattn_outcome *outcome, fsattn_err *err) {
    fsattn_host_evaluator *host = host_of(evaluator);
    const fsattn_verify_case *const *cases;
    size_t count, bytes = 0;
    *trial = NULL;
    FSATTN_TRY(fsattn_verifier_cases(host->verifier, problem, &cases, &count, err));
    for (size_t i = 0; i < count; i++) {
        fsattn_worker_layout layout;
        fsattn_worker_layout_of(&cases[i]->problem, cases[i]->padded, &layout);
        bytes = layout.total > bytes ? layout.total : bytes;
    }
    return fsattn_trial_start(host, (fsattn_host_variant *)variant, problem, bytes, deadline_ns, trial, outcome, err);
}

/* ---- the canary ---- */

/* o = q + q, after work that takes about a millisecond and cannot be left out. */
static const char canary_body[] =
    "\nvoid fsattn_canary(const fsattn_host_args *a, long long item, void *scratch);\n"
    "__attribute__((visibility(\"default\"))) void fsattn_canary(const fsattn_host_args *a, long long item, void *scratch)\n"
    "{\n"
    "    const float *q = (const float *)a->q + item * a->q_stride_s;\n"
    "    float *o = (float *)a->o + item * a->o_stride_s, sum = 0;\n"
    "    (void)scratch;\n"
    "    for (int i = 0; i < 20000; i++) {\n"
    "        sum = sum * 0.5f + q[i & 63];\n"
    "    }\n"
    "    for (int e = 0; e < 64; e++) {\n"
    "        o[e] = q[e] + q[e] + (sum > 1e30f ? sum : 0.0f);\n"
    "    }\n"
    "}\n";

static fsattn_problem canary_problem(void) {
    fsattn_problem p;
    fsattn_problem_init(&p);
    p.s_q = 32;
    p.head_dim = 64;
    return p;
}

static fsattn_status canary_build(fsattn_host_evaluator *host, fsattn_err *err) {
    fsattn_host_variant *v = fsattn_alloc(1, sizeof *v);
    if (!v) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for the canary");
    }
    host->canary = v;
    char path[4096], *abi;
    size_t bytes;
    snprintf(path, sizeof path, "%s/../lib/host_abi.h", host->options.manifest->folder);
    FSATTN_TRY(fsattn_file_read(path, 1 << 16, &abi, &bytes, err));
    fsattn_text_add(&v->source, abi, bytes);
    fsattn_free(abi);
    fsattn_text_puts(&v->source, canary_body);
    v->variant.stage = (fsattn_stage){.name = "canary", .entry = "fsattn_canary", .work_items = "query_tiles", .tile_m = 1};
    static const char *const options[] = {"-O2", "-ffreestanding", "-fno-stack-protector"};
    FSATTN_TRY(finish_variant(host, options, 3, v, err));
    fsattn_variant *variants[] = {&v->variant};
    fsattn_outcome outcome;
    fsattn_store *store = host->options.store;
    host->options.store = NULL; /* it is no candidate */
    const double seconds = host->options.seconds;
    const int64_t deadline_ns = seconds > 0 && seconds < 1e9 ? fsattn_clock_ns() + (int64_t)(seconds * 1e9) : INT64_MAX;
    const fsattn_status status = host_build(&host->base, variants, 1, deadline_ns, &outcome, err);
    host->options.store = store;
    FSATTN_TRY(status);
    if (outcome.cut && host->options.stop && *host->options.stop) {
        return fsattn_fail(err, FSATTN_INTERRUPTED, "interrupted");
    }
    if (outcome.cut) {
        fsattn_outcome_set(&outcome, FSATTN_VERDICT_TIMEOUT, "the compiler was still running when the time was over, after %.3g s", seconds);
    }
    if (outcome.verdict != FSATTN_VERDICT_OK) {
        fsattn_fail(err, FSATTN_COMPILE, "%s cannot compile a host kernel: %s", host->toolchain.path, outcome.reason);
        fsattn_hint(err, "name another compiler in CC (gcc 12 and clang 14 are known to work)");
        return FSATTN_COMPILE;
    }
    return FSATTN_OK;
}

/* Runs it; the fastest time of several. FSATTN_DEVICE when its result is not what it must be. */
static fsattn_status canary_time(fsattn_host_evaluator *host, double *fastest_ns, fsattn_err *err) {
    const fsattn_verify_case what = {.problem = canary_problem(), .seed = host->options.seed};
    fsattn_worker_layout layout;
    fsattn_worker_layout_of(&what.problem, false, &layout);
    fsattn_outcome outcome = {0};
    fsattn_trial *trial = NULL;
    fsattn_operands operands = {0};
    double times[9];
    size_t got = 0;
    fsattn_status status = FSATTN_OK;
    FSATTN_GOTO(fsattn_operands_init(&operands, &what.problem, err));
    fsattn_inputs_fill(what.distribution, what.seed, &what.problem, &operands);
    FSATTN_GOTO(fsattn_trial_start(host, host->canary, &what.problem, layout.total, INT64_MAX, &trial, &outcome, err));
    if (outcome.verdict == FSATTN_VERDICT_OK) {
        FSATTN_GOTO(fsattn_trial_run(trial, &what, INT64_MAX, &layout, &outcome, err));
    }
    const float *o = trial ? (const float *)(const void *)(trial->outputs + layout.o_offset) : NULL;
    for (size_t i = 0; o && i < operands.q_elements && outcome.verdict == FSATTN_VERDICT_OK; i++) {
        if (o[i] != operands.qkv.q[i] + operands.qkv.q[i]) {
            fsattn_outcome_set(&outcome, FSATTN_VERDICT_WRONG, "its result is wrong");
        }
    }
    if (outcome.verdict == FSATTN_VERDICT_OK) {
        FSATTN_GOTO(fsattn_trial_sample(trial, 9, false, INT64_MAX, times, &got, &outcome, err));
    }
    if (outcome.cut) {
        status = fsattn_fail(err, FSATTN_INTERRUPTED, "interrupted");
    } else if (outcome.verdict != FSATTN_VERDICT_OK) {
        status = fsattn_fail(err, FSATTN_DEVICE, "the canary kernel failed: %s", outcome.reason);
    } else {
        *fastest_ns = times[0];
        for (size_t i = 1; i < got; i++) {
            *fastest_ns = fmin(*fastest_ns, times[i]);
        }
    }
out:
    fsattn_trial_stop(trial);
    fsattn_operands_fini(&operands);
    return status;
}

static fsattn_status host_canary(fsattn_evaluator *evaluator, fsattn_err *err) {
    fsattn_host_evaluator *host = host_of(evaluator);
    double fastest = 0;
    const double allowed = 5; /* a busy machine is slow; one that a candidate has left spinning is slower */
    for (int attempt = 0; attempt < 3; attempt++) {
        FSATTN_TRY(canary_time(host, &fastest, err));
        if (fastest <= allowed * host->canary_ns) {
            return FSATTN_OK;
        }
    }
    fsattn_fail(err, FSATTN_DEVICE, "the canary kernel takes %.3g ms, %.1f times what it took at the start", fastest * 1e-6,
                fastest / host->canary_ns);
    fsattn_hint(err, "something else runs on this machine, or a candidate left it in a bad state; the store keeps what was found: run again");
    return FSATTN_DEVICE;
}

/* ---- opening ---- */

static void host_close(fsattn_evaluator *evaluator) {
    fsattn_host_evaluator *host = host_of(evaluator);
    if (host->canary) {
        host_release(evaluator, &host->canary->variant);
    }
    fsattn_verifier_destroy(host->verifier);
    fsattn_toolchain_close(&host->toolchain);
    fsattn_free(host->worker);
    fsattn_machine_fini(&host->machine);
    fsattn_free(host);
}

static const fsattn_evaluator_ops host_ops = {
    .name = "host",
    .close = host_close,
    .now_ns = host_now,
    .render = host_render,
    .build = host_build,
    .release = host_release,
    .start = host_start,
    .verify = fsattn_trial_verify,
    .sample = fsattn_trial_sample,
    .stop = fsattn_trial_stop,
    .canary = host_canary,
};

static fsattn_status describe(fsattn_host_evaluator *host, fsattn_err *err) {
    fsattn_platform *p = &host->base.platform;
    fsattn_device *device;
    const fsattn_device_options options = {.name = "host", .threads = host->options.threads};
    FSATTN_TRY(fsattn_device_open(&options, &device, err));
    const fsattn_device_properties *d = fsattn_device_describe(device);
    *p = (fsattn_platform){.target = FSATTN_TARGET_HOST, .provenance = d->provenance, .units = d->units, .abi = FSATTN_HOST_ABI,
                           .timer_resolution_ns = 100};
    snprintf(p->device, sizeof p->device, "%s", d->name);
    snprintf(p->driver, sizeof p->driver, "%s", d->driver);
    snprintf(p->isa, sizeof p->isa, "%s", host->toolchain.isa);
    snprintf(p->compiler, sizeof p->compiler, "%s", host->toolchain.identity);
    snprintf(p->verification, sizeof p->verification, "%s seed=%llu", fsattn_verifier_text, (unsigned long long)host->options.seed);
    if (gethostname(p->machine, sizeof p->machine - 1) != 0) {
        strcpy(p->machine, "unknown");
    }
    /* No processor retires more than two fused multiply-adds of the widest vector in a clock, nor runs beyond 6 GHz. */
    const fsattn_cpu *cpu = &host->toolchain.cpu;
    p->flop_per_s = (cpu->avx512f ? 64.0 : cpu->avx ? 32.0 : 16.0) * 6e9 * (double)p->units;
    fsattn_device_close(device);
    return FSATTN_OK;
}

fsattn_status fsattn_evaluator_host_open(const fsattn_evaluator_host_options *options, fsattn_evaluator **evaluator,
                                         fsattn_err *err) {
    fsattn_host_evaluator *host = fsattn_alloc(1, sizeof *host);
    if (!host) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for the evaluator");
    }
    host->base.ops = &host_ops;
    host->options = *options;
    host->options.build_time_limit_s = options->build_time_limit_s > 0 ? options->build_time_limit_s : 60;
    host->options.trial_time_limit_s = options->trial_time_limit_s > 0 ? options->trial_time_limit_s : 10;
    fsattn_status status = FSATTN_OK;
    char *folder = NULL;
    FSATTN_GOTO(fsattn_folder_user("cache", &folder, err));
    FSATTN_GOTO(fsattn_folder_make(folder, err));
    FSATTN_GOTO(fsattn_machine_init(folder, "host", &host->machine, err));
    if (options->worker) {
        host->worker = fsattn_strdup(options->worker);
    } else {
        FSATTN_GOTO(fsattn_process_sibling("fsattn-worker", &host->worker, err));
    }
    FSATTN_GOTO(fsattn_verifier_create(options->seed, &host->verifier, err));
    const fsattn_toolchain_settings compiler = {.compiler = options->compiler,
                                                .jobs = options->jobs,
                                                .time_limit_s = host->options.build_time_limit_s,
                                                .answer_limit_s = options->seconds,
                                                .stop = options->stop,
                                                .warn = options->warn,
                                                .warn_data = options->warn_data};
    FSATTN_GOTO(fsattn_toolchain_open(&compiler, &host->toolchain, err));
    host->toolchain.machine = &host->machine;
    FSATTN_GOTO(describe(host, err));
    FSATTN_GOTO(canary_build(host, err));
    FSATTN_GOTO(canary_time(host, &host->canary_ns, err));
    *evaluator = &host->base;
    host = NULL;
out:
    fsattn_free(folder);
    if (host) {
        host_close(&host->base);
    }
    return status;
}
