#include "gpu_module.h"

#include "code_object.h"
#include "error.h"
#include "inspect.h"
#include "keys.h"
#include "memory.h"
#include "problem.h"
#include "process.h"
#include "template.h"

#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

enum { lds_bytes_max = 160 * 1024, wait_ms = 20 };

static fsattn_status no_memory(fsattn_err *err) {
    return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for a code object");
}

/* ---- rendering ---- */

/* What a source follows from: the family, its configuration, and what of a problem templates see. */
static fsattn_status name_of(const fsattn_manifest *manifest, const fsattn_setting *setting, const fsattn_config *config,
                             fsattn_text *text, fsattn_err *err) {
    fsattn_problem kind;
    char problem[fsattn_problem_text_bytes];
    const fsattn_problem *p = setting->problem;
    fsattn_problem_init(&kind);
    kind.head_dim = p->head_dim;
    kind.dtype_q = p->dtype_q;
    kind.dtype_kv = p->dtype_kv;
    kind.dtype_o = p->dtype_o;
    kind.layout = p->layout;
    kind.mask = p->mask;
    kind.lse = p->lse;
    fsattn_problem_text(&kind, problem);
    fsattn_text_printf(text, "%s ", manifest->name);
    fsattn_config_text(&manifest->parameters, config, text);
    fsattn_text_printf(text, " %s", problem);
    return text->failed ? no_memory(err) : FSATTN_OK;
}

static void module_destroy(fsattn_gpu_module *m) {
    if (m) {
        fsattn_text_fini(&m->source);
        fsattn_text_fini(&m->input);
        fsattn_free((void *)(uintptr_t)m->code.data);
        fsattn_arena_fini(&m->arena);
        fsattn_free(m);
    }
}

static fsattn_status set_key(const fsattn_manifest *manifest, const char *compiler, fsattn_gpu_module *m, fsattn_err *err) {
    const char **options = fsattn_arena_alloc(&m->arena, manifest->option_count + 1, sizeof *options);
    fsattn_text joined = {0};
    for (size_t i = 0; i < manifest->option_count; i++) {
        fsattn_text_printf(&joined, "%s%s", i ? " " : "", manifest->options[i]);
    }
    m->options_text = joined.failed ? NULL : fsattn_arena_strdup(&m->arena, joined.data ? joined.data : "");
    fsattn_text_fini(&joined);
    if (!options || !m->options_text) {
        return no_memory(err);
    }
    memcpy(options, manifest->options, manifest->option_count * sizeof *options);
    options[manifest->option_count] = NULL;
    m->options = options;
    fsattn_template_code(m->source.data, &m->input);
    if (m->input.failed) {
        return no_memory(err);
    }
    const fsattn_build_fields fields = {.source = m->input.data, .source_bytes = m->input.bytes, .options = options,
                                        .option_count = manifest->option_count, .compiler = compiler};
    m->build_key = fsattn_key_build(&fields);
    return FSATTN_OK;
}

static fsattn_status set_limits(fsattn_manifest *manifest, const fsattn_setting *setting, const fsattn_config *config,
                                fsattn_gpu_module *m, fsattn_err *err) {
    fsattn_pairs pairs;
    FSATTN_TRY(fsattn_manifest_evaluate(manifest, FSATTN_SECTION_RESOURCES, setting, config, &pairs, err));
    m->entry = fsattn_arena_strdup(&m->arena, manifest->entry);
    m->lds_bytes = fsattn_pairs_integer(&pairs, "lds_bytes", -1);
    m->threads = fsattn_pairs_integer(&pairs, "threads", -1);
    m->vgprs_max = fsattn_pairs_integer(&pairs, "vgprs_max", 0);
    return m->entry ? FSATTN_OK : no_memory(err);
}

fsattn_status fsattn_gpu_module_take(fsattn_gpu_modules *modules, fsattn_manifest *manifest, const fsattn_setting *setting,
                                     const fsattn_config *config, fsattn_gpu_module **module, fsattn_outcome *outcome,
                                     fsattn_err *err) {
    fsattn_text name = {0};
    fsattn_gpu_module *m = NULL;
    fsattn_status status = FSATTN_OK;
    fsattn_err detail = {0};
    *module = NULL;
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    FSATTN_GOTO(name_of(manifest, setting, config, &name, err));
    for (fsattn_gpu_module *known = modules->first; known; known = known->next) {
        if (!strcmp(known->what, name.data)) {
            known->users++;
            *module = known;
            goto out;
        }
    }
    m = fsattn_alloc(1, sizeof *m);
    if (!m || !(m->what = fsattn_arena_strdup(&m->arena, name.data))) {
        status = no_memory(err);
        goto out;
    }
    const int64_t end_ns = modules->render_end_ns ? modules->render_end_ns : INT64_MAX;
    const fsattn_template_limits limits = fsattn_template_limits_within(end_ns - fsattn_clock_ns());
    status = fsattn_template_render_child(manifest, setting, config, &limits, &m->source, &detail);
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
    FSATTN_GOTO(set_key(manifest, fsattn_hiprtc_identity(modules->hiprtc), m, err));
    FSATTN_GOTO(set_limits(manifest, setting, config, m, err));
    m->users = 1;
    m->next = modules->first;
    modules->first = m;
    *module = m;
    m = NULL;
out:
    module_destroy(m);
    fsattn_text_fini(&name);
    return status;
}

void fsattn_gpu_module_release(fsattn_gpu_modules *modules, fsattn_gpu_module *module) {
    if (!module || --module->users) {
        return;
    }
    for (fsattn_gpu_module **at = &modules->first; *at; at = &(*at)->next) {
        if (*at == module) {
            *at = module->next;
            break;
        }
    }
    module_destroy(module);
}

/* ---- the family before ---- */

fsattn_status fsattn_gpu_module_before(const fsattn_manifest *manifest, const fsattn_manifest *before, const fsattn_config *config,
                                       fsattn_config *made, fsattn_err *err) {
    const fsattn_parameter_set *own = &manifest->parameters, *other = &before->parameters;
    fsattn_config_default(other, made);
    for (size_t i = 0; i < other->count; i++) {
        size_t index, value;
        if (fsattn_parameter_find(own, other->items[i].name, &index)) {
            const fsattn_status status =
                fsattn_parameter_value_find(&other->items[i], fsattn_config_value(own, config, index), &value, err);
            if (status != FSATTN_OK) {
                return fsattn_context_add(err, status, "%s: %s", before->path, other->items[i].name);
            }
            made->index[i] = (uint16_t)value;
        }
    }
    return FSATTN_OK;
}

fsattn_status fsattn_gpu_module_open_before(const fsattn_manifest *manifest, fsattn_manifest **before, fsattn_err *err) {
    char path[4096];
    *before = NULL;
    if (!manifest->before) {
        return FSATTN_OK;
    }
    snprintf(path, sizeof path, "%s/../%s", manifest->folder, manifest->before);
    return fsattn_manifest_open(path, before, err);
}

void fsattn_gpu_modules_fini(fsattn_gpu_modules *modules) {
    while (modules->first) {
        fsattn_gpu_module *next = modules->first->next;
        module_destroy(modules->first);
        modules->first = next;
    }
}

/* ---- what came out ---- */

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

/* Holds one kernel against the manifest; `most` gathers the most of everything. */
static void inspect_kernel(const fsattn_gpu_module *m, const fsattn_code_kernel *kernel, fsattn_code_kernel *most, char *reason, size_t bytes) {
    const fsattn_inspect_limits limits = {.vgprs = (uint32_t)m->vgprs_max, .lds_bytes = lds_bytes_max};
    most->vgprs = larger(most->vgprs, kernel->vgprs);
    most->agprs = larger(most->agprs, kernel->agprs);
    most->sgprs = larger(most->sgprs, kernel->sgprs);
    most->lds_bytes = larger(most->lds_bytes, kernel->lds_bytes);
    most->scratch_bytes = larger(most->scratch_bytes, kernel->scratch_bytes);
    most->vgpr_spills = larger(most->vgpr_spills, kernel->vgpr_spills + kernel->sgpr_spills);
    if (fsattn_inspect_fits(kernel, &limits, reason, bytes) && m->threads >= 0 && kernel->threads_max != m->threads) {
        snprintf(reason, bytes, "threads are not as the manifest says: %u, not %" PRId64, kernel->threads_max, m->threads);
    }
}

/* Holds all kernels against the manifest; notes their resources. */
static void inspect(const fsattn_gpu_modules *modules, fsattn_gpu_module *m) {
    fsattn_code_object object;
    fsattn_code_kernel most = {0};
    fsattn_err detail = {0};
    char *reason = m->outcome.reason;
    const size_t bytes = sizeof m->outcome.reason;
    if (fsattn_code_object_init(&object, "code object", m->code.data, m->code.bytes, modules->isa, &detail) != FSATTN_OK) {
        m->outcome.verdict = FSATTN_VERDICT_BUILD_FAILED;
        snprintf(reason, bytes, "%.*s", fsattn_reason_bytes - 1, detail.message);
        return;
    }
    for (size_t i = 0; i < object.kernel_count && !reason[0]; i++) {
        inspect_kernel(m, &object.kernels[i], &most, reason, bytes);
    }
    m->vgprs = most.vgprs;
    snprintf(m->resources, sizeof m->resources, "vgprs=%u agprs=%u sgprs=%u lds=%u scratch=%u spills=%u", most.vgprs, most.agprs,
             most.sgprs, most.lds_bytes, most.scratch_bytes, most.vgpr_spills);
    if (!reason[0] && !fsattn_code_object_kernel(&object, m->entry)) {
        snprintf(reason, bytes, "no kernel '%s' in the code object", m->entry);
    } else if (!reason[0] && m->lds_bytes >= 0 && most.lds_bytes != m->lds_bytes) {
        snprintf(reason, bytes, "LDS is not as the manifest says: %u bytes, not %" PRId64, most.lds_bytes, m->lds_bytes);
    }
    if (reason[0]) {
        m->outcome.verdict = FSATTN_VERDICT_BUILD_FAILED;
    }
    fsattn_code_object_fini(&object);
}

static fsattn_status take_code(const fsattn_gpu_modules *modules, fsattn_gpu_module *m, const void *code, size_t bytes, fsattn_err *err) {
    void *copy = fsattn_alloc(bytes ? bytes : 1, 1);
    if (!copy) {
        return no_memory(err);
    }
    memcpy(copy, code, bytes);
    m->code = (fsattn_blob){copy, bytes, fsattn_hash_of(copy, bytes)};
    inspect(modules, m);
    return FSATTN_OK;
}

/* ---- building ---- */

typedef struct batch {
    fsattn_gpu_modules *modules;
    size_t count; /* to be compiled by this process */
    fsattn_hiprtc_job *jobs;
    fsattn_gpu_module **owners;
    fsattn_store_claim *claims;
} batch;

/* A build that the store knows. Its log opens with the reason. */
static fsattn_status take_stored(const fsattn_gpu_modules *modules, fsattn_gpu_module *m, const fsattn_store_build *build, fsattn_err *err) {
    m->outcome = (fsattn_outcome){.verdict = build->verdict};
    m->seconds = build->seconds;
    m->built = true;
    if (build->verdict != FSATTN_VERDICT_OK) {
        snprintf(m->outcome.reason, fsattn_reason_bytes, "%.*s", (int)strcspn(build->log, "\n"), build->log);
        return FSATTN_OK;
    }
    return take_code(modules, m, build->code.data, build->code.bytes, err);
}

/* Whether the store knows the module, this process is to compile it, or (*busy) another one is compiling it. */
static fsattn_status look_up(batch *b, fsattn_gpu_module *m, bool *busy, fsattn_err *err) {
    fsattn_store_claim claim = {.lock = -1};
    bool found = false;
    *busy = false;
    if (b->modules->store) {
        fsattn_store_build build;
        fsattn_arena arena = {0};
        fsattn_status status =
            fsattn_store_build_begin(b->modules->store, &m->build_key, false, &arena, &build, &found, &claim, err);
        if (status == FSATTN_OK && found) {
            status = take_stored(b->modules, m, &build, err);
        }
        fsattn_arena_fini(&arena);
        if (status == FSATTN_BUSY) {
            *busy = true;
            return FSATTN_OK;
        }
        FSATTN_TRY(status);
    }
    if (!found) {
        b->jobs[b->count] = (fsattn_hiprtc_job){.source = m->input.data, .options = m->options};
        b->owners[b->count] = m;
        b->claims[b->count++] = claim;
    }
    return FSATTN_OK;
}

static fsattn_status compiled(batch *b, size_t index, fsattn_err *err) {
    const fsattn_hiprtc_job *job = &b->jobs[index];
    fsattn_gpu_module *m = b->owners[index];
    m->outcome = (fsattn_outcome){.verdict = job->verdict, .cut = job->cut};
    snprintf(m->outcome.reason, sizeof m->outcome.reason, "%.*s", fsattn_reason_bytes - 1, job->reason);
    if (job->cut) {
        fsattn_store_build_abandon(&b->claims[index]);
        return FSATTN_OK;
    }
    m->built = m->compiled = true;
    m->seconds = job->seconds;
    b->modules->compilations += job->same_as == index;
    b->modules->seconds += job->same_as == index ? job->seconds : 0;
    if (job->verdict == FSATTN_VERDICT_OK) {
        FSATTN_TRY(take_code(b->modules, m, job->code, job->code_bytes, err));
    }
    if (!b->modules->store) {
        return FSATTN_OK;
    }
    fsattn_text log = {0};
    fsattn_text_printf(&log, "%s\n%s%s%s", job->verdict == FSATTN_VERDICT_OK ? m->resources : job->reason, m->resources[0] ? "" : m->what,
                       m->resources[0] ? "" : "\n", job->log ? job->log : "");
    const fsattn_store_build build = {
        .build_key = m->build_key,
        .verdict = job->verdict,
        .log = log.data ? log.data : "",
        .seconds = job->seconds,
        .compiler = fsattn_hiprtc_identity(b->modules->hiprtc),
        .options = m->options_text,
        .source = {m->source.data, m->source.bytes, fsattn_hash_of(m->source.data, m->source.bytes)},
        .code = job->verdict == FSATTN_VERDICT_OK ? m->code : (fsattn_blob){0},
    };
    const fsattn_status status = fsattn_store_build_finish(b->modules->store, &b->claims[index], &build, err);
    fsattn_text_fini(&log);
    return status;
}

static fsattn_status compile_claimed(batch *b, int64_t deadline_ns, fsattn_err *err) {
    fsattn_status status = b->count ? fsattn_hiprtc_compile(b->modules->hiprtc, b->jobs, b->count, deadline_ns, b->modules->stop, err)
                                    : FSATTN_OK;
    for (size_t i = 0; i < b->count && status == FSATTN_OK; i++) {
        status = compiled(b, i, err);
    }
    for (size_t i = 0; i < b->count; i++) {
        fsattn_store_build_abandon(&b->claims[i]); /* whatever was not finished */
        fsattn_hiprtc_job_fini(&b->jobs[i]);
    }
    b->count = 0;
    return status;
}

/* Waits while other processes compile; this one holds no claim meanwhile. */
static fsattn_status wait_for(batch *b, fsattn_gpu_module *m, int64_t deadline_ns, fsattn_err *err) {
    const fsattn_gpu_modules *modules = b->modules;
    for (bool busy = true; busy;) {
        FSATTN_TRY(look_up(b, m, &busy, err));
        FSATTN_TRY(compile_claimed(b, deadline_ns, err));
        if (busy && (fsattn_clock_ns() >= deadline_ns || (modules->stop && *modules->stop))) {
            m->outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_TIMEOUT, .cut = true};
            return FSATTN_OK;
        }
        if (busy) {
            poll(NULL, 0, wait_ms); /* not a wait for the lock, which neither a signal nor a deadline would end */
        }
    }
    return FSATTN_OK;
}

static bool stands_before(fsattn_gpu_module *const *wanted, size_t index) {
    for (size_t i = 0; i < index; i++) {
        if (wanted[i] == wanted[index]) {
            return true;
        }
    }
    return false;
}

fsattn_status fsattn_gpu_modules_build(fsattn_gpu_modules *modules, fsattn_gpu_module *const *wanted, size_t count,
                                       int64_t deadline_ns, fsattn_err *err) {
    batch b = {.modules = modules};
    bool *busy = fsattn_alloc(count ? count : 1, sizeof *busy);
    b.jobs = fsattn_alloc(count ? count : 1, sizeof *b.jobs);
    b.owners = fsattn_alloc(count ? count : 1, sizeof *b.owners);
    b.claims = fsattn_alloc(count ? count : 1, sizeof *b.claims);
    fsattn_status status = FSATTN_OK;
    if (!busy || !b.jobs || !b.owners || !b.claims) {
        status = no_memory(err);
        goto out;
    }
    for (size_t i = 0; i < count; i++) {
        if (!wanted[i]->built && !stands_before(wanted, i)) {
            FSATTN_GOTO(look_up(&b, wanted[i], &busy[i], err));
        }
    }
    FSATTN_GOTO(compile_claimed(&b, deadline_ns, err));
    for (size_t i = 0; i < count; i++) {
        if (busy[i]) {
            FSATTN_GOTO(wait_for(&b, wanted[i], deadline_ns, err));
        }
    }
out:
    for (size_t i = 0; b.claims && i < b.count; i++) {
        fsattn_store_build_abandon(&b.claims[i]);
    }
    fsattn_free(busy);
    fsattn_free(b.jobs);
    fsattn_free(b.owners);
    fsattn_free(b.claims);
    return status;
}
