#include "trial_gpu.h"

#include "error.h"
#include "facts.h"
#include "file.h"
#include "memory.h"
#include "problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char verification_text[] =
    "verify-gpu-5: packed operands, rollbacks equal, emulation within 16 x spread, 1/8 of rows within a step of P; small cases as the host's, 4/2 heads "
    "of 300x130; finalists: all inputs, 256 x 32768, tuned problem (simulator: one query tile); accuracy of the worst case";

static fsattn_gpu_evaluator *gpu_of(fsattn_evaluator *evaluator) {
    return (fsattn_gpu_evaluator *)evaluator;
}

static fsattn_status no_memory(fsattn_err *err) {
    return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for a variant");
}

static void gpu_release(fsattn_evaluator *evaluator, fsattn_variant *variant) {
    fsattn_gpu_variant *v = (fsattn_gpu_variant *)variant;
    if (v) {
        for (size_t i = 0; i < fsattn_gpu_module_limit; i++) {
            fsattn_gpu_module_release(&gpu_of(evaluator)->modules, v->modules[i]);
        }
        fsattn_gpu_state_fini(&v->states);
        fsattn_arena_fini(&v->arena);
        fsattn_free(v);
    }
}

static int64_t gpu_now(fsattn_evaluator *evaluator) {
    (void)evaluator;
    return fsattn_clock_ns();
}

/* ---- a chain of stages ---- */

/* Attributes of a stage, sorted by name; `resources` and `time_ns` are left out while unknown. */
static fsattn_status set_attributes(fsattn_gpu_variant *v, fsattn_stage *stage, const char *pack_layout, const fsattn_gpu_chain *sizes,
                                    const char *resources, double time_ns, fsattn_err *err) {
    enum { limit = 6 + fsattn_gpu_state_fields };
    fsattn_attribute *attributes = fsattn_arena_alloc(&v->arena, limit, sizeof *attributes);
    if (!attributes) {
        return no_memory(err);
    }
    size_t count = 0;
    for (int field = 0; field < fsattn_gpu_state_fields && v->states.count && stage == &v->stages[v->variant.chain_count - 1]; field++) { /* the chain's */
        attributes[count++] = (fsattn_attribute){fsattn_gpu_state_attribute((fsattn_gpu_state_field)field),
                                                 v->states.fields[field].failed ? NULL : fsattn_arena_strdup(&v->arena, v->states.fields[field].data)};
    }
    attributes[count++] = (fsattn_attribute){"k_tile_bytes", fsattn_arena_printf(&v->arena, "%llu", (unsigned long long)sizes->k_tile_bytes)};
    attributes[count++] = (fsattn_attribute){FSATTN_GPU_LAYOUT_ATTRIBUTE, fsattn_arena_strdup(&v->arena, pack_layout)};
    attributes[count++] = (fsattn_attribute){"q_group_bytes", fsattn_arena_printf(&v->arena, "%llu", (unsigned long long)sizes->q_group_bytes)};
    if (resources && *resources) {
        attributes[count++] = (fsattn_attribute){"resources", fsattn_arena_strdup(&v->arena, resources)};
    }
    if (time_ns > 0) {
        attributes[count++] = (fsattn_attribute){"time_ns", fsattn_arena_printf(&v->arena, "%.1f", time_ns)};
    }
    attributes[count++] = (fsattn_attribute){"v_tile_bytes", fsattn_arena_printf(&v->arena, "%llu", (unsigned long long)sizes->v_tile_bytes)};
    for (size_t i = 0; i < count; i++) {
        if (!attributes[i].value) {
            return no_memory(err);
        }
    }
    stage->attributes = attributes;
    stage->attribute_count = count;
    return FSATTN_OK;
}

/* Appends the kernels of a family that run in this configuration. */
static fsattn_status add_stages(fsattn_manifest *manifest, const fsattn_setting *setting, const fsattn_config *config, uint32_t module,
                                const char *name, fsattn_gpu_variant *v, fsattn_err *err) {
    fsattn_pairs launch;
    FSATTN_TRY(fsattn_manifest_evaluate(manifest, FSATTN_SECTION_LAUNCH, setting, config, &launch, err));
    const fsattn_value *layout = fsattn_pairs_find(&launch, FSATTN_GPU_LAYOUT_ATTRIBUTE);
    const fsattn_gpu_chain sizes = {
#define X(name) .name = (uint64_t)fsattn_pairs_integer(&launch, #name, 0),
        FSATTN_GPU_SIZE_LIST(X)
#undef X
    };
    for (size_t i = 0; i < manifest->kernel_count; i++) {
        bool runs;
        FSATTN_TRY(fsattn_manifest_kernel_runs(manifest, &manifest->kernels[i], setting, config, &runs, err));
        if (!runs) {
            continue;
        }
        if (v->variant.chain_count == fsattn_gpu_stage_limit) {
            return fsattn_fail(err, FSATTN_UNSUPPORTED, "%s: more than %d kernels in a chain", manifest->path, fsattn_gpu_stage_limit);
        }
        fsattn_stage *s = &v->stages[v->variant.chain_count];
        *s = (fsattn_stage){
            .name = name,
            .entry = fsattn_arena_strdup(&v->arena, manifest->kernels[i].entry),
            .work_items = fsattn_arena_strdup(&v->arena, manifest->kernels[i].work_items),
            .tile_m = fsattn_pairs_integer(&launch, "tile_m", 0),
            .tile_n = fsattn_pairs_integer(&launch, "tile_n", 0),
            .threads = (uint32_t)fsattn_pairs_integer(&launch, "threads", 0),
            .lds_bytes = (uint32_t)fsattn_pairs_integer(&launch, "lds_dynamic_bytes", 0),
        };
        if (!s->entry || !s->work_items) {
            return no_memory(err);
        }
        FSATTN_TRY(set_attributes(v, s, layout && layout->type == FSATTN_VALUE_ENUM ? layout->word : "", &sizes, NULL, 0, err));
        v->code_of[v->variant.chain_count++] = module;
    }
    return FSATTN_OK;
}

/* Everything that is launched and proved stands in the result's key; the quantizers by the key of their code. */
static fsattn_status set_launch(fsattn_gpu_variant *v, fsattn_err *err) {
    fsattn_text text = {0};
    char proof[fsattn_emulator_text_bytes], hex[fsattn_hash_hex_bytes];
    for (size_t i = 0; i < v->variant.chain_count; i++) {
        const fsattn_stage *s = &v->stages[i];
        fsattn_text_printf(&text, "entry=%s work_items=%s tile_m=%lld tile_n=%lld threads=%u lds=%u; ", s->entry, s->work_items,
                           (long long)s->tile_m, (long long)s->tile_n, s->threads, s->lds_bytes);
    }
    if (v->modules[1]) {
        fsattn_hash_hex(&v->modules[1]->build_key, hex);
        fsattn_text_printf(&text, "before=%s; ", hex);
    }
    fsattn_emulator_text(&v->emulator, proof);
    fsattn_text_printf(&text, "pack_layout=%s; proof: %s", v->chain.pack_layout, proof);
    v->variant.launch = text.failed ? NULL : fsattn_arena_strdup(&v->arena, text.data);
    fsattn_text_fini(&text);
    return v->variant.launch ? FSATTN_OK : no_memory(err);
}

/* ---- rendering ---- */

static fsattn_status render_chain(fsattn_gpu_evaluator *gpu, const fsattn_setting *setting, const fsattn_config *config,
                                  fsattn_gpu_variant *v, fsattn_outcome *outcome, fsattn_err *err) {
    fsattn_manifest *manifest = gpu->options.manifest;
    fsattn_config before;
    fsattn_err detail = {0};
    v->variant.chain = v->stages;
    FSATTN_TRY(fsattn_verifier_emulator(manifest, setting, config, &v->emulator, err));
    v->emulator.accumulation = FSATTN_ACCUMULATION_TRUNCATED; /* another order than the simulator's: the spread is the tolerance */
    if (gpu->before) {
        FSATTN_TRY(fsattn_gpu_module_before(manifest, gpu->before, config, &before, err));
        FSATTN_TRY(add_stages(gpu->before, setting, &before, 1, "quantize", v, err));
    }
    FSATTN_TRY(add_stages(manifest, setting, config, 0, "attention", v, err));
    if (fsattn_gpu_chain_read(v->stages, v->variant.chain_count, &v->chain, &detail) != FSATTN_OK) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_REJECTED, "%s", detail.message);
        return FSATTN_OK;
    }
    gpu->modules.render_end_ns = gpu->base.render_end_ns;
    FSATTN_TRY(fsattn_gpu_module_take(&gpu->modules, manifest, setting, config, &v->modules[0], outcome, err));
    if (gpu->before && v->modules[0]) {
        FSATTN_TRY(fsattn_gpu_module_take(&gpu->modules, gpu->before, setting, &before, &v->modules[1], outcome, err));
    }
    if (outcome->verdict != FSATTN_VERDICT_OK) {
        return FSATTN_OK;
    }
    const fsattn_gpu_module *m = v->modules[0];
    v->variant.build_key = m->build_key;
    v->variant.options = m->options_text;
    v->variant.source = (fsattn_blob){m->source.data, m->source.bytes, fsattn_hash_of(m->source.data, m->source.bytes)};
    return set_launch(v, err);
}

/* Parameters that say what a problem is, not how it is computed: nothing a problem names asks for them, and no operand is there for them. */
static bool asks_for_more(const fsattn_manifest *manifest, const fsattn_config *config, fsattn_outcome *outcome) {
    static const struct {
        const char *parameter, *missing;
    } rows[] = {{"blocks", "lists of tiles"}, {"varlen", "lengths of sequences"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t index;
        if (fsattn_parameter_find(&manifest->parameters, rows[i].parameter, &index) &&
            fsattn_config_value(&manifest->parameters, config, index)->boolean) {
            fsattn_outcome_set(outcome, FSATTN_VERDICT_REJECTED, "%s: the problem has no %s", rows[i].parameter, rows[i].missing);
            return true;
        }
    }
    return false;
}

static fsattn_status gpu_render(fsattn_evaluator *evaluator, const fsattn_problem *problem, const fsattn_config *config,
                                fsattn_variant **variant, fsattn_outcome *outcome, fsattn_err *err) {
    fsattn_gpu_evaluator *gpu = gpu_of(evaluator);
    const fsattn_setting setting = {.problem = problem, .isa = gpu->base.platform.isa};
    const char *reason;
    *variant = NULL;
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    FSATTN_TRY(fsattn_manifest_supports(gpu->options.manifest, &setting, &reason, err));
    if (!reason) {
        FSATTN_TRY(fsattn_manifest_check(gpu->options.manifest, &setting, config, &reason, err));
    }
    if (reason) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_REJECTED, "%s", reason);
        return FSATTN_OK;
    }
    if (asks_for_more(gpu->options.manifest, config, outcome)) {
        return FSATTN_OK;
    }
    fsattn_gpu_variant *v = fsattn_alloc(1, sizeof *v);
    if (!v) {
        return no_memory(err);
    }
    fsattn_status status = render_chain(gpu, &setting, config, v, outcome, err);
    if (status == FSATTN_OK && outcome->verdict == FSATTN_VERDICT_OK) {
        *variant = &v->variant;
    } else {
        gpu_release(evaluator, &v->variant);
    }
    return status;
}

/* ---- building ---- */

/* What became of a variant's modules; the code of its stages. */
static fsattn_status take_modules(fsattn_gpu_variant *v, fsattn_outcome *outcome, fsattn_err *err) {
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    v->variant.build_s = 0;
    v->variant.compiled = false;
    for (size_t i = 0; i < fsattn_gpu_module_limit && v->modules[i]; i++) {
        const fsattn_gpu_module *m = v->modules[i];
        v->variant.build_s += m->seconds;
        v->variant.compiled |= i == 0 && m->compiled;
        if (outcome->verdict == FSATTN_VERDICT_OK) {
            *outcome = m->outcome;
        }
    }
    for (size_t i = 0; i < v->variant.chain_count && outcome->verdict == FSATTN_VERDICT_OK; i++) {
        fsattn_stage *s = &v->stages[i];
        const fsattn_gpu_module *m = v->modules[v->code_of[i]];
        s->code = m->code;
        if (v->code_of[i] != 0) { /* attention's source is the record's */
            s->source = (fsattn_blob){m->source.data, m->source.bytes, fsattn_hash_of(m->source.data, m->source.bytes)};
            s->options = m->options_text;
        }
        if (v->code_of[i] == 0) {
            FSATTN_TRY(set_attributes(v, s, v->chain.pack_layout, &v->chain, v->modules[0]->resources, 0, err));
        }
    }
    v->variant.stage = v->stages[v->variant.chain_count - 1];
    return FSATTN_OK;
}

static fsattn_status gpu_build(fsattn_evaluator *evaluator, fsattn_variant *const *variants, size_t count, int64_t deadline_ns,
                               fsattn_outcome *outcomes, fsattn_err *err) {
    fsattn_gpu_module **modules = fsattn_alloc(count ? fsattn_gpu_module_limit * count : 1, sizeof *modules);
    size_t wanted = 0;
    if (!modules) {
        return no_memory(err);
    }
    for (size_t i = 0; i < count; i++) {
        const fsattn_gpu_variant *v = (const fsattn_gpu_variant *)variants[i];
        for (size_t k = 0; k < fsattn_gpu_module_limit && v->modules[k]; k++) {
            modules[wanted++] = v->modules[k];
        }
    }
    fsattn_status status = fsattn_gpu_modules_build(&gpu_of(evaluator)->modules, modules, wanted, deadline_ns, err);
    for (size_t i = 0; i < count && status == FSATTN_OK; i++) {
        status = take_modules((fsattn_gpu_variant *)variants[i], &outcomes[i], err);
    }
    fsattn_free(modules);
    return status;
}

/* ---- running ---- */

static fsattn_status gpu_start(fsattn_evaluator *evaluator, fsattn_variant *variant, const fsattn_problem *problem, int64_t deadline_ns,
                               fsattn_trial **trial, fsattn_outcome *outcome, fsattn_err *err) {
    (void)deadline_ns; /* the worker is started by whoever first needs it */
    fsattn_gpu_evaluator *gpu = gpu_of(evaluator);
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    if (!fsattn_problem_equal(&gpu->problem, problem)) {
        fsattn_gpu_packed_forget(gpu, false);
        gpu->problem = *problem;
    }
    return fsattn_gpu_trial_start(gpu, (fsattn_gpu_variant *)variant, problem, trial, err);
}

/* The time of each stage goes into the record, so that attention alone and the whole chain can both be told. */
static fsattn_status note_stage_times(fsattn_trial *t, fsattn_err *err) {
    const fsattn_gpu_finding *found = fsattn_gpu_trial_time(t);
    fsattn_gpu_variant *v = t->variant;
    for (size_t i = 0; found && i < v->variant.chain_count; i++) {
        FSATTN_TRY(set_attributes(v, &v->stages[i], v->chain.pack_layout, &v->chain, v->code_of[i] ? NULL : v->modules[0]->resources,
                                  found->stage_ns[i], err));
    }
    return FSATTN_OK;
}

static fsattn_status gpu_prove(fsattn_trial *trial, int64_t deadline_ns, fsattn_verification *verification, fsattn_outcome *outcome,
                               fsattn_err *err) {
    FSATTN_TRY(fsattn_gpu_trial_prove(trial, deadline_ns, verification, outcome, err));
    return note_stage_times(trial, err);
}

static fsattn_status gpu_sample(fsattn_trial *trial, size_t count, bool cold, int64_t deadline_ns, double *times_ns, size_t *got,
                                fsattn_outcome *outcome, fsattn_err *err) {
    FSATTN_TRY(fsattn_gpu_trial_sample(trial, count, cold, deadline_ns, times_ns, got, outcome, err));
    return note_stage_times(trial, err);
}

/* Whether the device can still be opened by a fresh process. */
static fsattn_status gpu_canary(fsattn_evaluator *evaluator, fsattn_err *err) {
    fsattn_gpu_evaluator *gpu = gpu_of(evaluator);
    fsattn_gpu_link link;
    fsattn_outcome outcome;
    FSATTN_TRY(fsattn_gpu_link_open(&gpu->link, NULL, 4096, INT64_MAX, &link, &outcome, err));
    fsattn_gpu_link_close(&link);
    if (outcome.cut) {
        return fsattn_fail(err, FSATTN_INTERRUPTED, "interrupted");
    }
    return outcome.verdict == FSATTN_VERDICT_OK ? FSATTN_OK
                                                : fsattn_fail(err, FSATTN_DEVICE, "the device does not open any more: %s", outcome.reason);
}

/* ---- opening ---- */

static void gpu_close(fsattn_evaluator *evaluator) {
    fsattn_gpu_evaluator *gpu = gpu_of(evaluator);
    fsattn_gpu_packed_forget(gpu, true);
    for (fsattn_gpu_finding *f = gpu->findings, *next; f; f = next) {
        next = f->next;
        fsattn_free(f);
    }
    fsattn_gpu_modules_fini(&gpu->modules);
    fsattn_hiprtc_close(gpu->hiprtc);
    fsattn_verifier_destroy(gpu->verifier);
    fsattn_manifest_close(gpu->before);
    if (gpu->lock >= 0) {
        fsattn_lock_close(gpu->lock);
    }
    fsattn_free(gpu->worker);
    fsattn_free(gpu->library);
    fsattn_free(gpu->helper);
    fsattn_free(gpu->model);
    fsattn_free(gpu);
}

static const fsattn_evaluator_ops gpu_ops = {
    .name = "gpu",
    .close = gpu_close,
    .now_ns = gpu_now,
    .render = gpu_render,
    .build = gpu_build,
    .release = gpu_release,
    .start = gpu_start,
    .screen = fsattn_gpu_trial_screen,
    .verify = fsattn_gpu_trial_verify,
    .prove = gpu_prove,
    .sample = gpu_sample,
    .stop = fsattn_gpu_trial_stop,
    .canary = gpu_canary,
};

static fsattn_status no_device(const fsattn_gpu_evaluator *gpu, const char *reason, fsattn_err *err) {
    char place[32];
    snprintf(place, sizeof place, "device %.16s: ", gpu->options.device);
    fsattn_fail(err, FSATTN_DEVICE, "%s%s", strncmp(reason, place, strlen(place)) ? place : "", reason);
    if (!strcmp(gpu->options.device, "hip")) {
        fsattn_hint(err, "on a machine with an MI355X and ROCm 7 this measures; --device sim searches with modelled costs anywhere, "
                         "--compile-only compiles everything");
    } else {
        fsattn_hint(err, "build the target fsattn_sim, or name the simulator's library in FSATTN_SIM_LIBRARY");
    }
    return FSATTN_DEVICE;
}

/* A worker opens the device and says what it is: nothing of HIP is loaded into this process. */
static fsattn_status describe(fsattn_gpu_evaluator *gpu, fsattn_err *err) {
    fsattn_platform *p = &gpu->base.platform;
    const fsattn_facts *facts;
    FSATTN_TRY(fsattn_facts_process(&facts, err));
    fsattn_gpu_link link;
    fsattn_outcome outcome;
    FSATTN_TRY(fsattn_gpu_link_open(&gpu->link, NULL, 4096, INT64_MAX, &link, &outcome, err));
    const fsattn_device_properties d = link.response->device;
    fsattn_gpu_link_close(&link);
    if (outcome.verdict != FSATTN_VERDICT_OK) {
        return outcome.cut ? fsattn_fail(err, FSATTN_INTERRUPTED, "interrupted") : no_device(gpu, outcome.reason, err);
    }
    const size_t bytes = strcspn(d.isa, ":");
    if (bytes != strlen(gpu->options.manifest->target) || strncmp(d.isa, gpu->options.manifest->target, bytes)) {
        char reason[256];
        snprintf(reason, sizeof reason, "%.100s is %.64s, and template %.40s makes code for %.16s", d.name, d.isa,
                 gpu->options.manifest->name, gpu->options.manifest->target);
        return no_device(gpu, reason, err);
    }
    /* Dense matrix rate of the narrowest format, with room for a higher clock: 16384 operations a cycle and compute unit. */
    const double clock_hz = 2.6e9;
    *p = (fsattn_platform){.target = FSATTN_TARGET_GFX950, .provenance = d.provenance, .exact = d.provenance == FSATTN_MODELLED, .units = d.units, .abi = d.abi,
                           .timer_resolution_ns = d.provenance == FSATTN_MODELLED ? 1 : 100,
                           .flop_per_s = 16384.0 * clock_hz * d.units};
    snprintf(p->device, sizeof p->device, "%s", d.name);
    const char *model = d.provenance == FSATTN_MODELLED && gpu->link.model ? gpu->link.model : "";
    snprintf(p->driver, sizeof p->driver, "%.100s%s%.16s", d.driver, model[0] ? " " : "", model);
    snprintf(p->isa, sizeof p->isa, "%s", gpu->options.manifest->target);
    snprintf(p->compiler, sizeof p->compiler, "%s", fsattn_hiprtc_identity(gpu->hiprtc));
    snprintf(p->verification, sizeof p->verification, "%s; seed=%llu", verification_text, (unsigned long long)gpu->options.seed);
    if (facts) { /* the emulation goes by them */
        const size_t at = strlen(p->verification);
        snprintf(p->verification + at, sizeof p->verification - at, "; %s", facts->identity);
    }
    if (gpu->floor != FSATTN_DISTRIBUTION_NORMAL) { /* what is verified in part knows the accuracy of these inputs alone */
        const size_t at = strlen(p->verification);
        snprintf(p->verification + at, sizeof p->verification - at, "; %s", fsattn_distribution_text(gpu->floor));
    }
    if (gethostname(p->machine, sizeof p->machine - 1) != 0) {
        strcpy(p->machine, "unknown");
    }
    return FSATTN_OK;
}

static fsattn_status find_programs(fsattn_gpu_evaluator *gpu, fsattn_err *err) {
    const fsattn_evaluator_gpu_options *o = &gpu->options;
    const char *model = getenv("FSATTN_SIM_TIME");
    if (o->worker) {
        gpu->worker = fsattn_strdup(o->worker);
    } else {
        FSATTN_TRY(fsattn_process_sibling("fsattn-gpu-worker", &gpu->worker, err));
    }
    FSATTN_TRY(fsattn_gpu_library(o->device, o->library, &gpu->library, err));
    FSATTN_TRY(fsattn_process_sibling("fsattn-rocm-helper", &gpu->helper, err)); /* of no use on hardware */
    gpu->model = model ? fsattn_strdup(model) : NULL;
    return gpu->worker && (gpu->model || !model) ? FSATTN_OK : no_memory(err);
}

/* Hardware is measured by one process at a time. */
static fsattn_status lock_device(fsattn_gpu_evaluator *gpu, fsattn_err *err) {
    char *folder = NULL;
    fsattn_text path = {0};
    fsattn_status status = FSATTN_OK;
    if (gpu->base.platform.provenance == FSATTN_MODELLED) {
        return FSATTN_OK;
    }
    FSATTN_GOTO(fsattn_folder_user("cache", &folder, err));
    FSATTN_GOTO(fsattn_folder_make(folder, err));
    fsattn_text_printf(&path, "%s/device-hip.lock", folder);
    FSATTN_GOTO(path.failed ? no_memory(err) : fsattn_lock_open(path.data, false, &gpu->lock, err));
out:
    if (status == FSATTN_BUSY) {
        gpu->lock = -1;
        fsattn_fail(err, FSATTN_BUSY, "device hip: another process is measuring on this machine");
        fsattn_hint(err, "it holds %.400s", path.data);
    }
    fsattn_text_fini(&path);
    fsattn_free(folder);
    return status;
}

fsattn_status fsattn_evaluator_gpu_open(const fsattn_evaluator_gpu_options *options, fsattn_evaluator **evaluator, fsattn_err *err) {
    fsattn_gpu_evaluator *gpu = fsattn_alloc(1, sizeof *gpu);
    fsattn_status status = FSATTN_OK;
    if (!gpu) {
        return no_memory(err);
    }
    gpu->base.ops = &gpu_ops;
    gpu->options = *options;
    gpu->lock = -1;
    gpu->floor = FSATTN_DISTRIBUTION_NORMAL;
    if (options->distribution) {
        FSATTN_GOTO(fsattn_distribution_parse(options->distribution, &gpu->floor, err));
    }
    const fsattn_hiprtc_settings compiler = {.root = options->rocm, .jobs = options->jobs, .time_limit_s = options->build_time_limit_s};
    FSATTN_GOTO(find_programs(gpu, err));
    FSATTN_GOTO(fsattn_hiprtc_open(&compiler, &gpu->hiprtc, err));
    gpu->link = (fsattn_gpu_link_settings){.worker = gpu->worker,
                                           .device = options->device,
                                           .library = gpu->library,
                                           .helper = gpu->helper,
                                           .model = gpu->model,
                                           .root = fsattn_hiprtc_root(gpu->hiprtc),
                                           .time_limit_s = options->trial_time_limit_s > 0 ? options->trial_time_limit_s : 300,
                                           .stop = options->stop};
    FSATTN_GOTO(describe(gpu, err));
    FSATTN_GOTO(lock_device(gpu, err));
    FSATTN_GOTO(fsattn_gpu_module_open_before(options->manifest, &gpu->before, err));
    FSATTN_GOTO(fsattn_verifier_create(options->seed, &gpu->verifier, err));
    gpu->modules = (fsattn_gpu_modules){.hiprtc = gpu->hiprtc, .store = options->store, .isa = gpu->base.platform.isa, .stop = options->stop};
    *evaluator = &gpu->base;
    gpu = NULL;
out:
    if (gpu) {
        gpu_close(&gpu->base);
    }
    return status;
}
