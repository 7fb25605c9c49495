#include "trial_gpu.h"

#include "error.h"
#include "memory.h"
#include "pack_expect.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Pairs of query and key up to which the simulator runs the tuned problem itself and not a part of it. */
static const double whole_pairs_max = 1 << 20;
/* Values that no kernel writes by chance, of equal bytes: a NaN, which reading shows, and a large number for inputs with NaN. */
static const int poison_nan = 0xff, poison_large = 0x5a;

static bool is_modelled(const fsattn_gpu_evaluator *gpu) {
    return gpu->base.platform.provenance == FSATTN_MODELLED;
}

/* ---- what represents a problem ---- */

fsattn_problem fsattn_gpu_tile_of(const fsattn_problem *p, int64_t tile_m) {
    fsattn_problem part = *p;
    part.batch = part.heads_q = part.heads_kv = 1;
    part.s_q = p->s_q < tile_m ? p->s_q : tile_m;
    if (p->mask == FSATTN_MASK_CAUSAL) {
        const int64_t first = (p->s_q - part.s_q) / 2, seen = first + part.s_q + p->s_k - p->s_q;
        part.s_k = seen < 1 ? 1 : seen;
    }
    return part;
}

/* Small problems represent themselves. */
static fsattn_problem part_of(const fsattn_problem *p, int64_t tile_m) {
    const double tiles = ceil((double)p->s_q / (double)tile_m), pairs = (double)(p->batch * p->heads_q) * tiles * (double)tile_m * (double)p->s_k;
    return pairs <= whole_pairs_max ? *p : fsattn_gpu_tile_of(p, tile_m);
}

/* ---- findings ---- */

static fsattn_hash finding_key(const fsattn_gpu_variant *v, const fsattn_problem *problem) {
    char text[fsattn_problem_text_bytes];
    fsattn_hasher hasher;
    fsattn_problem_text(problem, text);
    fsattn_hasher_init(&hasher);
    fsattn_hasher_field(&hasher, "build", &v->variant.build_key, sizeof v->variant.build_key);
    fsattn_hasher_field_text(&hasher, "launch", v->variant.launch);
    fsattn_hasher_field_text(&hasher, "problem", text);
    return fsattn_hasher_final(&hasher);
}

static const fsattn_gpu_finding *find_finding(const fsattn_trial *t) {
    const fsattn_gpu_finding *found = t->gpu->findings;
    while (found && fsattn_hash_compare(&found->key, &t->key)) {
        found = found->next;
    }
    return found;
}

static fsattn_status add_finding(fsattn_trial *t, fsattn_err *err) {
    const fsattn_gpu_worker_response *r = t->link.response;
    fsattn_gpu_finding *made = fsattn_alloc(1, sizeof *made);
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for a result");
    }
    made->key = t->key;
    made->time_ns = r->times_ns[0];
    memcpy(made->stage_ns, r->stage_ns, sizeof made->stage_ns);
    made->next = t->gpu->findings;
    t->gpu->findings = made;
    return FSATTN_OK;
}

/* ---- packed operands as they must be ---- */

static fsattn_status make_packed(const fsattn_gpu_variant *v, const fsattn_verify_case *c, const fsattn_gpu_workspace *workspace,
                                 fsattn_gpu_packed *packed, fsattn_err *err) {
    fsattn_operands operands = {0};
    fsattn_status status = FSATTN_OK;
    const int64_t tile_n = v->chain.stages[v->chain.count - 1].tile_n;
    FSATTN_GOTO(fsattn_operands_init(&operands, &c->problem, err));
    fsattn_inputs_fill(c->distribution, c->seed, &c->problem, &operands);
    packed->memory = fsattn_alloc(workspace->bytes, 1);
    if (!packed->memory) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for packed operands");
        goto out;
    }
    status = fsattn_pack_expect(&v->emulator, tile_n, &c->problem, &operands.qkv, workspace, packed->memory, err);
    if (status == FSATTN_UNSUPPORTED) {
        fsattn_free(packed->memory);
        packed->memory = NULL;
        status = FSATTN_OK;
    }
out:
    fsattn_operands_fini(&operands);
    return status;
}

static fsattn_status packed_of(fsattn_gpu_evaluator *gpu, const fsattn_gpu_variant *v, const fsattn_verify_case *c,
                               const fsattn_gpu_workspace *workspace, const fsattn_gpu_packed **found, fsattn_err *err) {
    for (const fsattn_gpu_packed *p = gpu->packed; p; p = p->next) {
        if (p->of == c && !strcmp(p->layout, v->chain.pack_layout)) {
            *found = p;
            return FSATTN_OK;
        }
    }
    fsattn_gpu_packed *made = fsattn_alloc(1, sizeof *made);
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for packed operands");
    }
    made->of = c;
    strcpy(made->layout, v->chain.pack_layout);
    fsattn_status status = make_packed(v, c, workspace, made, err);
    if (status != FSATTN_OK) {
        fsattn_free(made->memory);
        fsattn_free(made);
        return status;
    }
    made->next = gpu->packed;
    gpu->packed = made;
    *found = made;
    return FSATTN_OK;
}

void fsattn_gpu_packed_forget(fsattn_gpu_evaluator *gpu, bool all) {
    for (fsattn_gpu_packed **at = &gpu->packed; *at;) {
        fsattn_gpu_packed *p = *at;
        if (all || p->of->whole) {
            *at = p->next;
            fsattn_free(p->memory);
            fsattn_free(p);
        } else {
            at = &p->next;
        }
    }
}

/* ---- one run ---- */

static bool has_nan(fsattn_distribution d) {
    return d == FSATTN_DISTRIBUTION_NAN_KEY || d == FSATTN_DISTRIBUTION_NAN_VALUE || d == FSATTN_DISTRIBUTION_NAN_QUERY;
}

static bool all_bytes(const char *at, size_t bytes, int value) {
    return bytes == 0 || (at[0] == (char)value && memcmp(at, at + 1, bytes - 1) == 0);
}

/* Nothing written between rows, nothing left unwritten. */
static bool is_written(const fsattn_trial *t, const fsattn_problem *p, const fsattn_gpu_worker_layout *l, int poison, fsattn_outcome *outcome) {
    const size_t element = fsattn_dtype_bytes(p->dtype_o), row_bytes = (size_t)p->head_dim * element;
    char unwritten[sizeof(float)];
    memset(unwritten, poison, sizeof unwritten);
    for (int64_t row = 0; row < fsattn_problem_rows(p); row++) {
        const char *at = t->link.outputs + l->o_offset + (size_t)(row * l->pitch) * element;
        if (!all_bytes(at + row_bytes, (size_t)(l->pitch - p->head_dim) * element, poison)) {
            fsattn_outcome_set(outcome, FSATTN_VERDICT_WRONG, "wrote between the rows of its output (row %lld in memory)", (long long)row);
            return false;
        }
        for (size_t x = 0; x < row_bytes; x += element) {
            if (memcmp(at + x, unwritten, element) == 0) {
                fsattn_outcome_set(outcome, FSATTN_VERDICT_WRONG, "left output unwritten (row %lld in memory, element %zu)", (long long)row,
                            x / element);
                return false;
            }
        }
    }
    for (size_t at = 0; at < l->lse_bytes; at += sizeof(float)) {
        if (memcmp(t->link.outputs + l->lse_offset + at, unwritten, sizeof(float)) == 0) {
            fsattn_outcome_set(outcome, FSATTN_VERDICT_WRONG, "left the log-sum-exp of row %zu unwritten", at / sizeof(float));
            return false;
        }
    }
    return true;
}

static bool operands_are_right(const fsattn_trial *t, const fsattn_verify_case *c, const fsattn_gpu_worker_layout *l,
                               const fsattn_gpu_packed *packed, fsattn_outcome *outcome) {
    char where[128];
    const bool tensor_scale = t->variant->emulator.v_format == FSATTN_OPERAND_FP8;
    if (!packed->memory || fsattn_pack_equal(&l->workspace, (const uint8_t *)t->link.outputs + l->workspace_offset, packed->memory,
                                             tensor_scale, where, sizeof where)) {
        return true;
    }
    fsattn_outcome_set(outcome, FSATTN_VERDICT_WRONG, "%s inputs, s_q=%lld s_k=%lld: %s", fsattn_distribution_text(c->distribution),
                (long long)c->problem.s_q, (long long)c->problem.s_k, where);
    return false;
}

static fsattn_status rollbacks_are_right(const fsattn_trial *t, const fsattn_verify_case *c, const fsattn_gpu_worker_layout *l,
                                         fsattn_outcome *outcome, fsattn_err *err) {
    int64_t expected = 0;
    unsigned long long counted;
    if (c->rows.rows || t->variant->emulator.softmax != FSATTN_SOFTMAX_FROZEN) {
        return FSATTN_OK; /* the emulation looked at some waves only; other softmaxes roll nothing back */
    }
    FSATTN_TRY(fsattn_verifier_rollbacks(t->gpu->verifier, c, &t->variant->emulator, &expected, err));
    memcpy(&counted, t->link.outputs + l->rollbacks_offset, sizeof counted);
    if (counted != (unsigned long long)expected) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_WRONG, "%s inputs, s_q=%lld s_k=%lld: %llu tiles rolled back, not %lld",
                    fsattn_distribution_text(c->distribution), (long long)c->problem.s_q, (long long)c->problem.s_k, counted,
                    (long long)expected);
    }
    return FSATTN_OK;
}

/* Packed operands are looked at wherever the workspace is small enough to be handed over. */
static bool shows_packed(const fsattn_trial *t, const fsattn_verify_case *c) {
    return !c->whole || is_modelled(t->gpu);
}

/* Runs a case `runs` times; what it left lies in the link's memory as `layout` says. */
static fsattn_status run_case(fsattn_trial *t, const fsattn_verify_case *c, uint32_t runs, bool cold, int64_t deadline_ns,
                              fsattn_gpu_worker_layout *layout, fsattn_outcome *outcome, fsattn_err *err) {
    fsattn_gpu_worker_request *r = t->link.request;
    const bool packed = shows_packed(t, c);
    const int poison = has_nan(c->distribution) || t->poison++ % 2 ? poison_large : poison_nan;
    FSATTN_TRY(fsattn_gpu_worker_layout_of(&t->variant->chain, &c->problem, c->padded, packed, layout, err));
    memset(t->link.outputs, poison, layout->total);
    r->kind = FSATTN_GPU_WORKER_RUN;
    r->problem = c->problem;
    r->charged = c->whole && is_modelled(t->gpu) ? t->problem : c->problem;
    r->distribution = c->distribution;
    r->seed = c->seed;
    r->padded = c->padded;
    r->packed = packed;
    r->cold = cold;
    r->runs = runs;
    r->timed = c->whole;
    fsattn_gpu_link_ask(&t->link, runs > 1 ? "being timed" : "running", deadline_ns, outcome);
    if (outcome->verdict == FSATTN_VERDICT_OK) {
        is_written(t, &c->problem, layout, poison, outcome);
    }
    return FSATTN_OK;
}

/* One case: run, every step judged in turn. */
static fsattn_status verify_case(fsattn_trial *t, const fsattn_verify_case *c, int64_t deadline_ns, fsattn_comparison *comparison,
                                 fsattn_outcome *outcome, fsattn_err *err) {
    fsattn_gpu_worker_layout l;
    FSATTN_TRY(run_case(t, c, 1, false, deadline_ns, &l, outcome, err));
    if (outcome->verdict == FSATTN_VERDICT_OK && shows_packed(t, c)) {
        const fsattn_gpu_packed *packed = NULL;
        FSATTN_TRY(packed_of(t->gpu, t->variant, c, &l.workspace, &packed, err));
        operands_are_right(t, c, &l, packed, outcome);
    }
    if (outcome->verdict == FSATTN_VERDICT_OK) {
        const float *lse = (const float *)(const void *)(t->link.outputs + l.lse_offset);
        FSATTN_TRY(fsattn_verifier_judge(t->gpu->verifier, c, &t->variant->emulator, t->link.outputs + l.o_offset,
                                         l.o_strides, lse, outcome, comparison, err));
    }
    if (outcome->verdict == FSATTN_VERDICT_OK && shows_packed(t, c)) {
        FSATTN_TRY(rollbacks_are_right(t, c, &l, outcome, err));
    }
    if (outcome->verdict == FSATTN_VERDICT_OK && c->whole) {
        t->verified = true;
        FSATTN_TRY(add_finding(t, err));
    }
    return FSATTN_OK;
}

/* ---- the trial ---- */

/* More than one tile of queries for each of several heads: the order of workgroups. */
static fsattn_status grid_case(fsattn_trial *t, const fsattn_verify_case **c, fsattn_err *err) {
    fsattn_verify_case what = {.problem = t->run, .distribution = FSATTN_DISTRIBUTION_NORMAL, .seed = t->gpu->options.seed, .padded = true};
    what.problem.batch = 1;
    what.problem.heads_q = 4;
    what.problem.heads_kv = 2;
    what.problem.s_q = 300;
    what.problem.s_k = 130;
    return fsattn_verifier_small(t->gpu->verifier, &what, c, err);
}

static fsattn_status output_bytes_of(const fsattn_trial *t, const fsattn_verify_case *c, size_t *bytes, fsattn_err *err) {
    fsattn_gpu_worker_layout layout;
    FSATTN_TRY(fsattn_gpu_worker_layout_of(&t->variant->chain, &c->problem, c->padded, shows_packed(t, c), &layout, err));
    *bytes = layout.total > *bytes ? layout.total : *bytes;
    return FSATTN_OK;
}

static fsattn_status open_link(fsattn_trial *t, int64_t deadline_ns, fsattn_outcome *outcome, fsattn_err *err) {
    const fsattn_gpu_variant *v = t->variant;
    const fsattn_verify_case *const *cases, *grid;
    size_t count, bytes = 0;
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    if (t->open) {
        return FSATTN_OK;
    }
    FSATTN_TRY(fsattn_verifier_cases(t->gpu->verifier, &t->run, &cases, &count, err));
    for (size_t i = 0; i < count; i++) {
        FSATTN_TRY(output_bytes_of(t, cases[i], &bytes, err));
    }
    FSATTN_TRY(grid_case(t, &grid, err));
    FSATTN_TRY(output_bytes_of(t, grid, &bytes, err));
    fsattn_gpu_link_code code = {.chain = &v->chain, .stages = v->stages, .code_of = v->code_of};
    for (size_t i = 0; i < fsattn_gpu_module_limit && v->modules[i]; i++) {
        code.codes[code.code_count++] = v->modules[i]->code;
    }
    FSATTN_TRY(fsattn_gpu_link_open(&t->gpu->link, &code, bytes, deadline_ns, &t->link, outcome, err));
    t->open = true;
    return FSATTN_OK;
}

fsattn_status fsattn_gpu_trial_start(fsattn_gpu_evaluator *gpu, fsattn_gpu_variant *variant, const fsattn_problem *problem,
                                     fsattn_trial **trial, fsattn_err *err) {
    fsattn_trial *t = fsattn_alloc(1, sizeof *t);
    if (!t) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for a trial");
    }
    *t = (fsattn_trial){.gpu = gpu, .variant = variant, .problem = *problem, .run = *problem};
    if (is_modelled(gpu)) {
        t->run = part_of(problem, variant->chain.stages[variant->chain.count - 1].tile_m);
    }
    t->key = finding_key(variant, problem);
    *trial = t;
    return FSATTN_OK;
}

void fsattn_gpu_trial_stop(fsattn_trial *t) {
    if (t) {
        if (t->open) {
            fsattn_gpu_link_close(&t->link);
        }
        fsattn_free(t);
    }
}

static void add_accuracy(const fsattn_trial *t, fsattn_verification *v, const fsattn_verify_case *c, const fsattn_comparison *comparison) {
    const double error = fsattn_comparison_error(comparison);
    const double rows = (double)(c->whole ? fsattn_problem_rows(&t->problem) : c->rows_total);
    if (!isfinite(error) || v->accuracy_count == sizeof v->accuracies / sizeof *v->accuracies) {
        return;
    }
    v->accuracies[v->accuracy_count++] = (fsattn_accuracy_entry){
        .distribution = fsattn_distribution_text(c->distribution),
        .relative_error = error,
        .cosine = fmin(fsattn_comparison_cosine(comparison), 1.0),
        .maximum_error = comparison->maximum_error,
        .coverage = (double)c->rows.count / rows,
    };
}

fsattn_status fsattn_gpu_trial_verify(fsattn_trial *t, int64_t deadline_ns, fsattn_verification *verification,
                                      fsattn_outcome *outcome, fsattn_err *err) {
    const fsattn_verify_case *const *cases, *grid = NULL;
    size_t count;
    *verification = (fsattn_verification){0};
    FSATTN_TRY(open_link(t, deadline_ns, outcome, err));
    if (outcome->verdict == FSATTN_VERDICT_OK) {
        FSATTN_TRY(grid_case(t, &grid, err));
        FSATTN_TRY(verify_case(t, grid, deadline_ns, NULL, outcome, err));
    }
    FSATTN_TRY(fsattn_verifier_cases(t->gpu->verifier, &t->run, &cases, &count, err));
    for (size_t i = 0; i < count && outcome->verdict == FSATTN_VERDICT_OK && !outcome->cut; i++) {
        const fsattn_verify_case *c = cases[i];
        fsattn_comparison comparison = {0};
        FSATTN_TRY(verify_case(t, c, deadline_ns, &comparison, outcome, err));
        /* Normal inputs count on the tuned problem itself, the others on the first small one. */
        if (outcome->verdict == FSATTN_VERDICT_OK &&
            (c->whole || (i < (size_t)fsattn_distribution_count && c->distribution != FSATTN_DISTRIBUTION_NORMAL))) {
            add_accuracy(t, verification, c, &comparison);
        }
    }
    return FSATTN_OK;
}

/* ---- timing ---- */

static fsattn_status whole_case(fsattn_trial *t, const fsattn_verify_case **whole, fsattn_err *err) {
    const fsattn_verify_case *const *cases;
    size_t count;
    FSATTN_TRY(fsattn_verifier_cases(t->gpu->verifier, &t->run, &cases, &count, err));
    for (size_t i = 0; i < count; i++) {
        if (cases[i]->whole) {
            *whole = cases[i];
            return FSATTN_OK;
        }
    }
    return fsattn_fail(err, FSATTN_INTERNAL, "no case of the tuned problem itself");
}

/* A modelled time is what the model says, once and for all. */
static fsattn_status sample_model(fsattn_trial *t, size_t count, double *times_ns, size_t *got) {
    const fsattn_gpu_finding *found = find_finding(t);
    for (; *got < count; (*got)++) {
        times_ns[*got] = found->time_ns;
    }
    return FSATTN_OK;
}

static fsattn_status sample_device(fsattn_trial *t, const fsattn_verify_case *whole, size_t count, bool cold, int64_t deadline_ns,
                                   double *times_ns, size_t *got, fsattn_outcome *outcome, fsattn_err *err) {
    while (*got < count) {
        fsattn_gpu_worker_layout l;
        const size_t wanted = count - *got < fsattn_gpu_worker_runs ? count - *got : fsattn_gpu_worker_runs;
        FSATTN_TRY(run_case(t, whole, (uint32_t)wanted, cold, deadline_ns, &l, outcome, err));
        if (outcome->verdict == FSATTN_VERDICT_OK) { /* also what was timed is judged */
            const float *lse = (const float *)(const void *)(t->link.outputs + l.lse_offset);
            FSATTN_TRY(fsattn_verifier_judge(t->gpu->verifier, whole, &t->variant->emulator, t->link.outputs + l.o_offset,
                                             l.o_strides, lse, outcome, NULL, err));
        }
        if (outcome->verdict == FSATTN_VERDICT_OK && t->link.response->count != wanted) {
            fsattn_outcome_set(outcome, FSATTN_VERDICT_CRASHED, "the worker gave %u times, not %zu", t->link.response->count, wanted);
        }
        if (outcome->verdict != FSATTN_VERDICT_OK) {
            return FSATTN_OK;
        }
        memcpy(times_ns + *got, t->link.response->times_ns, wanted * sizeof *times_ns);
        *got += wanted;
    }
    return FSATTN_OK;
}

fsattn_status fsattn_gpu_trial_sample(fsattn_trial *t, size_t count, bool cold, int64_t deadline_ns, double *times_ns, size_t *got,
                                      fsattn_outcome *outcome, fsattn_err *err) {
    const fsattn_verify_case *whole = NULL;
    *got = 0;
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    if (is_modelled(t->gpu) && find_finding(t)) {
        return sample_model(t, count, times_ns, got);
    }
    FSATTN_TRY(open_link(t, deadline_ns, outcome, err));
    FSATTN_TRY(whole_case(t, &whole, err));
    if (!t->verified && outcome->verdict == FSATTN_VERDICT_OK) {
        FSATTN_TRY(verify_case(t, whole, deadline_ns, NULL, outcome, err));
    }
    if (outcome->verdict != FSATTN_VERDICT_OK) {
        return FSATTN_OK;
    }
    return is_modelled(t->gpu) ? sample_model(t, count, times_ns, got)
                               : sample_device(t, whole, count, cold, deadline_ns, times_ns, got, outcome, err);
}
