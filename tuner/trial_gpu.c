#include "trial_gpu.h"

#include "error.h"
#include "memory.h"
#include "pack_expect.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Pairs of query and key up to which the simulator runs the tuned problem itself and not a part of it. */
static const double whole_pairs_max = 1 << 20;
/* Keys that a look at hopeless candidates takes. */
enum { screen_keys = 1024 };
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

/* What a finding says: nothing of one kind answers for another, whatever the sizes of its problem. */
static const char kind_time[] = "time", kind_verified[] = "verified", kind_proven[] = "proven";

static fsattn_hash finding_key(const fsattn_gpu_variant *v, const char *kind, const fsattn_problem *problem) {
    char text[fsattn_problem_text_bytes];
    fsattn_hasher hasher;
    fsattn_problem_text(problem, text);
    fsattn_hasher_init(&hasher);
    fsattn_hasher_field_text(&hasher, "kind", kind);
    fsattn_hasher_field(&hasher, "build", &v->variant.build_key, sizeof v->variant.build_key);
    fsattn_hasher_field_text(&hasher, "launch", v->variant.launch);
    fsattn_hasher_field_text(&hasher, "problem", text);
    return fsattn_hasher_final(&hasher);
}

static const fsattn_gpu_finding *find_finding(const fsattn_gpu_evaluator *gpu, const fsattn_hash *key) {
    const fsattn_gpu_finding *found = gpu->findings;
    while (found && fsattn_hash_compare(&found->key, key)) {
        found = found->next;
    }
    return found;
}

const fsattn_gpu_finding *fsattn_gpu_trial_time(const fsattn_trial *t) {
    return find_finding(t->gpu, &t->key);
}

static fsattn_status add_finding(fsattn_gpu_evaluator *gpu, const fsattn_gpu_finding *what, fsattn_err *err) {
    fsattn_gpu_finding *made = fsattn_alloc(1, sizeof *made);
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for a result");
    }
    *made = *what;
    made->next = gpu->findings;
    gpu->findings = made;
    return FSATTN_OK;
}

/* The time that the last run took. */
static fsattn_status note_time(fsattn_trial *t, fsattn_err *err) {
    const fsattn_gpu_worker_response *r = t->link.response;
    fsattn_gpu_finding what = {.key = t->key, .time_ns = r->times_ns[0]};
    memcpy(what.stage_ns, r->stage_ns, sizeof what.stage_ns);
    return fsattn_gpu_trial_time(t) ? FSATTN_OK : add_finding(t->gpu, &what, err);
}

/* What was verified of a chain holds for a problem of any size: the small cases, and those of finalists (`whole` false: neither says
 * anything of the tuned problem itself). */
static fsattn_hash verification_key(const fsattn_trial *t, bool proof) {
    fsattn_problem sizeless = t->problem;
    sizeless.batch = sizeless.heads_q = sizeless.heads_kv = 1;
    sizeless.s_q = sizeless.s_k = 1;
    return finding_key(t->variant, proof ? kind_proven : kind_verified, &sizeless);
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

/* What a run of (a part of) the tuned problem stands for. */
static fsattn_problem charged_of(const fsattn_trial *t, const fsattn_verify_case *c) {
    fsattn_problem charged = t->problem;
    if (c->problem.s_k < t->run.s_k) {
        charged.s_k = c->problem.s_k; /* a look at the first keys */
    }
    return charged;
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
    r->charged = c->whole && is_modelled(t->gpu) ? charged_of(t, c) : c->problem;
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

/* One case: run, every step judged in turn, its accuracy noted. */
static fsattn_status verify_case(fsattn_trial *t, const fsattn_verify_case *c, int64_t deadline_ns, fsattn_verification *verification,
                                 fsattn_outcome *outcome, fsattn_err *err) {
    fsattn_gpu_worker_layout l;
    fsattn_comparison comparison = {0};
    FSATTN_TRY(run_case(t, c, 1, false, deadline_ns, &l, outcome, err));
    if (outcome->verdict == FSATTN_VERDICT_OK && shows_packed(t, c)) {
        const fsattn_gpu_packed *packed = NULL;
        FSATTN_TRY(packed_of(t->gpu, t->variant, c, &l.workspace, &packed, err));
        operands_are_right(t, c, &l, packed, outcome);
    }
    if (outcome->verdict == FSATTN_VERDICT_OK) {
        const float *lse = (const float *)(const void *)(t->link.outputs + l.lse_offset);
        FSATTN_TRY(fsattn_verifier_judge(t->gpu->verifier, c, &t->variant->emulator, t->link.outputs + l.o_offset,
                                         l.o_strides, lse, outcome, &comparison, err));
    }
    if (outcome->verdict == FSATTN_VERDICT_OK && shows_packed(t, c)) {
        FSATTN_TRY(rollbacks_are_right(t, c, &l, outcome, err));
    }
    if (outcome->verdict == FSATTN_VERDICT_OK && c->whole) {
        FSATTN_TRY(note_time(t, err));
    }
    if (outcome->verdict == FSATTN_VERDICT_OK && !outcome->cut) {
        fsattn_verifier_note(c, c->whole ? fsattn_problem_rows(&t->problem) : c->rows_total, &comparison, verification);
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

/* A query tile on as many keys as the paper's longest. */
static fsattn_status long_case(fsattn_trial *t, const fsattn_verify_case **c, fsattn_err *err) {
    fsattn_verify_case what = {.problem = fsattn_gpu_tile_of(&t->problem, 256), .distribution = FSATTN_DISTRIBUTION_NORMAL, .seed = t->gpu->options.seed, .sampled = true};
    what.problem.s_q = 256;
    what.problem.s_k = 32768;
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
    const fsattn_verify_case *const *cases, *grid, *large;
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
    FSATTN_TRY(long_case(t, &large, err));
    FSATTN_TRY(output_bytes_of(t, large, &bytes, err));
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
    t->key = finding_key(variant, kind_time, problem);
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

/* Verifies the cases of the tuned problem that `wanted` says. */
static fsattn_status verify_cases(fsattn_trial *t, bool (*wanted)(const fsattn_trial *t, const fsattn_verify_case *c, size_t index), int64_t deadline_ns,
                                  fsattn_verification *verification, fsattn_outcome *outcome, fsattn_err *err) {
    const fsattn_verify_case *const *cases;
    size_t count;
    FSATTN_TRY(fsattn_verifier_cases(t->gpu->verifier, &t->run, &cases, &count, err));
    for (size_t i = 0; i < count && outcome->verdict == FSATTN_VERDICT_OK && !outcome->cut; i++) {
        if (wanted(t, cases[i], i)) {
            FSATTN_TRY(verify_case(t, cases[i], deadline_ns, verification, outcome, err));
        }
    }
    return FSATTN_OK;
}

/* Of the other inputs those that the accuracy floor refers to: without them nothing would be above it. */
static bool is_first_small(const fsattn_trial *t, const fsattn_verify_case *c, size_t index) {
    return !c->whole && (c->distribution == FSATTN_DISTRIBUTION_NORMAL ||
                         (c->distribution == t->gpu->floor && index < (size_t)fsattn_distribution_count));
}

static bool is_other_small(const fsattn_trial *t, const fsattn_verify_case *c, size_t index) {
    (void)t;
    (void)index;
    return !c->whole && c->distribution != FSATTN_DISTRIBUTION_NORMAL;
}

static bool is_whole(const fsattn_trial *t, const fsattn_verify_case *c, size_t index) {
    (void)t;
    (void)index;
    return c->whole;
}

/* Takes over what was found for problems of other sizes; false: nothing was. */
static bool recall(const fsattn_trial *t, bool proof, fsattn_verification *verification) {
    const fsattn_hash key = verification_key(t, proof);
    const fsattn_gpu_finding *known = find_finding(t->gpu, &key);
    if (known) {
        fsattn_verification_merge(verification, &known->verification);
    }
    return known != NULL;
}

static fsattn_status remember(fsattn_trial *t, bool proof, const fsattn_verification *verification, const fsattn_outcome *outcome,
                              fsattn_err *err) {
    const fsattn_gpu_finding what = {.key = verification_key(t, proof), .verification = *verification};
    return outcome->verdict == FSATTN_VERDICT_OK && !outcome->cut ? add_finding(t->gpu, &what, err) : FSATTN_OK;
}

fsattn_status fsattn_gpu_trial_verify(fsattn_trial *t, int64_t deadline_ns, fsattn_verification *verification,
                                      fsattn_outcome *outcome, fsattn_err *err) {
    const fsattn_verify_case *grid = NULL;
    *verification = (fsattn_verification){0};
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    if (recall(t, false, verification)) {
        return FSATTN_OK;
    }
    FSATTN_TRY(open_link(t, deadline_ns, outcome, err));
    if (outcome->verdict == FSATTN_VERDICT_OK && !outcome->cut) {
        FSATTN_TRY(grid_case(t, &grid, err));
        FSATTN_TRY(verify_case(t, grid, deadline_ns, verification, outcome, err));
    }
    FSATTN_TRY(verify_cases(t, is_first_small, deadline_ns, verification, outcome, err));
    return remember(t, false, verification, outcome, err);
}

/* The other inputs and the long case, once for all sizes. */
static fsattn_status prove_sizeless(fsattn_trial *t, int64_t deadline_ns, fsattn_verification *verification, fsattn_outcome *outcome,
                                    fsattn_err *err) {
    const fsattn_verify_case *large = NULL;
    fsattn_verification found = {0};
    if (recall(t, true, verification)) {
        return FSATTN_OK;
    }
    FSATTN_TRY(verify_cases(t, is_other_small, deadline_ns, &found, outcome, err));
    if (outcome->verdict == FSATTN_VERDICT_OK && !outcome->cut) {
        FSATTN_TRY(long_case(t, &large, err));
        FSATTN_TRY(verify_case(t, large, deadline_ns, &found, outcome, err));
    }
    fsattn_verification_merge(verification, &found);
    return remember(t, true, &found, outcome, err);
}

/* The tuned problem itself last. What verification found counts too: it is known, or found anew when another run had verified this. */
fsattn_status fsattn_gpu_trial_prove(fsattn_trial *t, int64_t deadline_ns, fsattn_verification *verification,
                                     fsattn_outcome *outcome, fsattn_err *err) {
    FSATTN_TRY(fsattn_gpu_trial_verify(t, deadline_ns, verification, outcome, err));
    if (outcome->verdict == FSATTN_VERDICT_OK && !outcome->cut) {
        FSATTN_TRY(open_link(t, deadline_ns, outcome, err));
    }
    if (outcome->verdict == FSATTN_VERDICT_OK && !outcome->cut) {
        FSATTN_TRY(prove_sizeless(t, deadline_ns, verification, outcome, err));
    }
    return verify_cases(t, is_whole, deadline_ns, verification, outcome, err);
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
static void sample_model(const fsattn_trial *t, size_t count, double *times_ns, size_t *got) {
    const fsattn_gpu_finding *found = fsattn_gpu_trial_time(t);
    for (; *got < count; (*got)++) {
        times_ns[*got] = found->time_ns;
    }
}

/* Two looks at the first keys of long sequences; what more keys take is in proportion. */
fsattn_status fsattn_gpu_trial_screen(fsattn_trial *t, int64_t deadline_ns, double *cost_ns, fsattn_outcome *outcome, fsattn_err *err) {
    fsattn_verify_case c = {.problem = t->run, .distribution = FSATTN_DISTRIBUTION_NORMAL, .seed = t->gpu->options.seed, .whole = true};
    double times_ns[2];
    *cost_ns = (double)NAN;
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    if (!is_modelled(t->gpu) || fsattn_problem_equal(&t->run, &t->problem) || t->run.s_k < 2 * screen_keys || fsattn_gpu_trial_time(t)) {
        return FSATTN_OK;
    }
    FSATTN_TRY(open_link(t, deadline_ns, outcome, err));
    for (int i = 0; i < 2 && outcome->verdict == FSATTN_VERDICT_OK && !outcome->cut; i++) {
        fsattn_gpu_worker_layout l;
        c.problem.s_k = (i + 1) * (screen_keys / 2);
        FSATTN_TRY(run_case(t, &c, 1, false, deadline_ns, &l, outcome, err));
        times_ns[i] = t->link.response->times_ns[0];
    }
    if (outcome->verdict == FSATTN_VERDICT_OK && !outcome->cut) {
        *cost_ns = times_ns[1] + (times_ns[1] - times_ns[0]) * (double)(t->run.s_k - screen_keys) / (screen_keys / 2.0);
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
        for (size_t i = 0; i < wanted; i++) {
            t->link.response->states[i].partition[sizeof t->link.response->states[i].partition - 1] = '\0'; /* a worker is not trusted */
            fsattn_gpu_state_note(&t->variant->states, &t->link.response->states[i]);
        }
        *got += wanted;
    }
    return FSATTN_OK;
}

fsattn_status fsattn_gpu_trial_sample(fsattn_trial *t, size_t count, bool cold, int64_t deadline_ns, double *times_ns, size_t *got,
                                      fsattn_outcome *outcome, fsattn_err *err) {
    const fsattn_verify_case *whole = NULL;
    *got = 0;
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    if (is_modelled(t->gpu) && fsattn_gpu_trial_time(t)) {
        sample_model(t, count, times_ns, got);
        return FSATTN_OK;
    }
    FSATTN_TRY(open_link(t, deadline_ns, outcome, err));
    FSATTN_TRY(whole_case(t, &whole, err));
    if (outcome->verdict != FSATTN_VERDICT_OK || outcome->cut) {
        return FSATTN_OK;
    }
    if (!is_modelled(t->gpu)) {
        return sample_device(t, whole, count, cold, deadline_ns, times_ns, got, outcome, err);
    }
    fsattn_gpu_worker_layout l;
    FSATTN_TRY(run_case(t, whole, 1, false, deadline_ns, &l, outcome, err)); /* judged in the proof, if there is one */
    if (outcome->verdict == FSATTN_VERDICT_OK && !outcome->cut) {
        FSATTN_TRY(note_time(t, err));
        sample_model(t, count, times_ns, got);
    }
    return FSATTN_OK;
}
