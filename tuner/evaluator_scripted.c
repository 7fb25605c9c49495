#include "evaluator_scripted.h"

#include "error.h"
#include "keys.h"
#include "memory.h"
#include "random.h"
#include "scripted_file.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char compiler_identity[] = "scripted 1";
enum { noise_stream = 1, slot_limit = 64 };

typedef struct scripted_evaluator {
    fsattn_evaluator base;
    fsattn_scripted_file *file;
    fsattn_manifest *manifest;
    fsattn_store *store;
    int jobs;
    const char *distribution; /* besides normal; nullable */
    int64_t now_ns;
    uint64_t draws;  /* of noise */
    bool once_given; /* FSATTN_TIMER_ONCE has had its worker */
    fsattn_scripted_counts counts;
} scripted_evaluator;

typedef struct scripted_variant {
    fsattn_variant base;
    fsattn_scripted_conduct conduct;
    fsattn_arena arena;
} scripted_variant;

struct fsattn_trial {
    scripted_evaluator *evaluator;
    scripted_variant *variant;
    double roofline_ns;
    int64_t runs;
    bool odd; /* FSATTN_TIMER_ONCE: it is the one */
};

static scripted_evaluator *scripted(fsattn_evaluator *evaluator) {
    return (scripted_evaluator *)evaluator;
}

/* ---- the clock ---- */

static void pass_to(scripted_evaluator *e, int64_t time_ns) {
    double real_s = (double)(time_ns - e->now_ns) / 1e9 * e->file->sleep;
    if (real_s > 0) {
        struct timespec pause = {(time_t)real_s, (long)((real_s - floor(real_s)) * 1e9)};
        nanosleep(&pause, NULL);
    }
    e->now_ns = time_ns;
}

/* Lets time pass; false when the deadline came first. */
static bool pass(scripted_evaluator *e, double time_ns, int64_t deadline_ns) {
    if (time_ns > (double)deadline_ns - (double)e->now_ns) {
        pass_to(e, deadline_ns > e->now_ns ? deadline_ns : e->now_ns);
        return false;
    }
    pass_to(e, e->now_ns + (int64_t)llround(time_ns));
    return true;
}

/* Lets a step take `time_ns` and then do what the script says. */
static void take_step(scripted_evaluator *e, const fsattn_scripted_conduct *conduct,
                      fsattn_scripted_step step, double time_ns, int64_t deadline_ns,
                      fsattn_outcome *outcome) {
    const fsattn_fault_row *fault = fsattn_scripted_fault(conduct->fault);
    bool faulty = fault->step == step && fault->verdict != FSATTN_VERDICT_OK;
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    if (!pass(e, faulty && fault->hangs ? e->file->watchdog_s * 1e9 : time_ns, deadline_ns)) {
        outcome->cut = true;
        return;
    }
    if (faulty) {
        outcome->verdict = fault->verdict;
        snprintf(outcome->reason, sizeof outcome->reason, "scripted: %s", fault->word);
    }
}

static int64_t now_ns(fsattn_evaluator *evaluator) {
    return scripted(evaluator)->now_ns;
}

/* ---- render ---- */

/* Fills in launch, source and keys. Everything but the sizes of the problem stands in the source, as in a real one. */
static fsattn_status fill_in(scripted_evaluator *e, const fsattn_setting *setting,
                             const fsattn_config *config, scripted_variant *made, fsattn_err *err) {
    fsattn_pairs launch;
    FSATTN_TRY(fsattn_manifest_evaluate(e->manifest, FSATTN_SECTION_LAUNCH, setting, config, &launch, err));
    const fsattn_value *work_items = fsattn_pairs_find(&launch, "work_items");
    fsattn_problem problem = *setting->problem;
    problem.batch = problem.heads_q = problem.heads_kv = problem.s_q = problem.s_k = 1;
    problem.scale = 0;
    char problem_text[fsattn_problem_text_bytes];
    fsattn_problem_text(&problem, problem_text);
    fsattn_text text = {0};
    fsattn_config_text(&e->manifest->parameters, config, &text);
    const char *source = fsattn_arena_printf(&made->arena, "scripted %s\n%s\n%s\n", e->manifest->name,
                                             text.data ? text.data : "", problem_text);
    bool failed = text.failed || !source;
    fsattn_text_fini(&text);
    fsattn_stage *stage = &made->base.stage;
    *stage = (fsattn_stage){.name = "attention",
                            .entry = e->manifest->entry,
                            .work_items =
                                work_items && work_items->type == FSATTN_VALUE_ENUM ? work_items->word : "",
                            .tile_m = fsattn_pairs_integer(&launch, "tile_m", 0),
                            .tile_n = fsattn_pairs_integer(&launch, "tile_n", 0)};
    made->base.launch =
        fsattn_arena_printf(&made->arena, "work_items=%s tile_m=%lld tile_n=%lld", stage->work_items,
                            (long long)stage->tile_m, (long long)stage->tile_n);
    made->base.options = "";
    if (failed || !made->base.launch) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", e->file->path);
    }
    made->base.source = (fsattn_blob){source, strlen(source), fsattn_hash_of(source, strlen(source))};
    fsattn_build_fields fields = {
        .source = source, .source_bytes = strlen(source), .compiler = compiler_identity};
    made->base.build_key = fsattn_key_build(&fields);
    return FSATTN_OK;
}

static void release(fsattn_evaluator *evaluator, fsattn_variant *variant) {
    (void)evaluator;
    if (variant) {
        fsattn_arena_fini(&((scripted_variant *)variant)->arena);
        fsattn_free(variant);
    }
}

static fsattn_status render(fsattn_evaluator *evaluator, const fsattn_problem *problem,
                            const fsattn_config *config, fsattn_variant **variant, fsattn_outcome *outcome,
                            fsattn_err *err) {
    scripted_evaluator *e = scripted(evaluator);
    fsattn_setting setting = {problem, e->base.platform.isa};
    const char *reason;
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    *variant = NULL;
    e->counts.renders++;
    FSATTN_TRY(fsattn_manifest_supports(e->manifest, &setting, &reason, err));
    if (!reason) {
        FSATTN_TRY(fsattn_manifest_check(e->manifest, &setting, config, &reason, err));
    }
    if (reason) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_REJECTED, "%s", reason);
        return FSATTN_OK;
    }
    scripted_variant *made = fsattn_alloc(1, sizeof *made);
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", e->file->path);
    }
    fsattn_status status =
        fsattn_scripted_file_conduct(e->file, &setting, config, (double)e->now_ns / 1e9, &made->conduct, err);
    status = status == FSATTN_OK ? fill_in(e, &setting, config, made, err) : status;
    if (status != FSATTN_OK || made->conduct.fault == FSATTN_FAULT_REJECTED) {
        if (status == FSATTN_OK) {
            fsattn_outcome_set(outcome, FSATTN_VERDICT_REJECTED, "scripted: rejected");
        }
        release(evaluator, &made->base);
        return status;
    }
    *variant = &made->base;
    return FSATTN_OK;
}

/* ---- build ---- */

/* Compiles one variant from `start_ns` on; *end_ns is when that ends. */
static void compile(scripted_evaluator *e, scripted_variant *variant, int64_t start_ns, int64_t deadline_ns,
                    int64_t *end_ns, fsattn_outcome *outcome) {
    const fsattn_fault_row *fault = fsattn_scripted_fault(variant->conduct.fault);
    bool faulty = fault->step == FSATTN_STEP_BUILD;
    double seconds = faulty && fault->hangs ? e->file->watchdog_s : variant->conduct.compile_s;
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    *end_ns = start_ns + (int64_t)llround(seconds * 1e9);
    e->counts.compilations++;
    variant->base.compiled = true;
    variant->base.build_s = seconds;
    if (*end_ns > deadline_ns) {
        *end_ns = deadline_ns > start_ns ? deadline_ns : start_ns;
        outcome->cut = true;
    } else if (faulty) {
        outcome->verdict = fault->verdict;
        snprintf(outcome->reason, sizeof outcome->reason, "scripted: %s", fault->word);
    } else {
        variant->base.stage.code = variant->base.source; /* stands for what a compiler would make of it */
    }
}

/* Takes the build from the store; *found says whether it was there. Otherwise the caller holds the claim. */
static fsattn_status take_stored(scripted_evaluator *e, scripted_variant *variant, bool *found,
                                 fsattn_store_claim *claim, fsattn_outcome *outcome, fsattn_err *err) {
    fsattn_store_build build;
    FSATTN_TRY(fsattn_store_build_begin(e->store, &variant->base.build_key, true, &variant->arena, &build,
                                        found, claim, err));
    if (*found) {
        *outcome = (fsattn_outcome){.verdict = build.verdict};
        if (build.verdict != FSATTN_VERDICT_OK) {
            snprintf(outcome->reason, sizeof outcome->reason, "%s", build.log);
        }
        variant->base.stage.code = build.code;
        variant->base.build_s = build.seconds;
    }
    return FSATTN_OK;
}

static fsattn_status build_one(scripted_evaluator *e, scripted_variant *variant, int64_t start_ns,
                               int64_t deadline_ns, int64_t *end_ns, fsattn_outcome *outcome,
                               fsattn_err *err) {
    fsattn_store_claim claim = {-1};
    bool found = false;
    *end_ns = start_ns;
    if (e->store) {
        FSATTN_TRY(take_stored(e, variant, &found, &claim, outcome, err));
    }
    if (found) {
        return FSATTN_OK;
    }
    compile(e, variant, start_ns, deadline_ns, end_ns, outcome);
    if (!e->store) {
        return FSATTN_OK;
    }
    if (outcome->cut) {
        fsattn_store_build_abandon(&claim);
        return FSATTN_OK;
    }
    fsattn_store_build build = {.build_key = variant->base.build_key,
                                .verdict = outcome->verdict,
                                .log = outcome->reason,
                                .seconds = variant->base.build_s,
                                .compiler = compiler_identity,
                                .options = "",
                                .source = variant->base.source,
                                .code = variant->base.stage.code};
    return fsattn_store_build_finish(e->store, &claim, &build, err);
}

static fsattn_status build(fsattn_evaluator *evaluator, fsattn_variant *const *variants, size_t count,
                           int64_t deadline_ns, fsattn_outcome *outcomes, fsattn_err *err) {
    scripted_evaluator *e = scripted(evaluator);
    int64_t free_ns[slot_limit]; /* when each compiler is free again */
    int64_t last_ns = e->now_ns;
    for (int i = 0; i < e->jobs; i++) {
        free_ns[i] = e->now_ns;
    }
    for (size_t i = 0; i < count; i++) {
        int slot = 0;
        for (int j = 1; j < e->jobs; j++) {
            slot = free_ns[j] < free_ns[slot] ? j : slot;
        }
        FSATTN_TRY(build_one(e, (scripted_variant *)variants[i], free_ns[slot], deadline_ns, &free_ns[slot],
                             &outcomes[i], err));
        last_ns = free_ns[slot] > last_ns ? free_ns[slot] : last_ns;
    }
    pass_to(e, last_ns);
    return FSATTN_OK;
}

/* ---- trials ---- */

static fsattn_status start(fsattn_evaluator *evaluator, fsattn_variant *variant,
                           const fsattn_problem *problem, int64_t deadline_ns, fsattn_trial **trial,
                           fsattn_outcome *outcome, fsattn_err *err) {
    scripted_evaluator *e = scripted(evaluator);
    scripted_variant *v = (scripted_variant *)variant;
    *trial = NULL;
    e->counts.starts++;
    take_step(e, &v->conduct, FSATTN_STEP_START, e->file->start_s * 1e9, deadline_ns, outcome);
    if (outcome->cut || outcome->verdict != FSATTN_VERDICT_OK) {
        return FSATTN_OK;
    }
    fsattn_trial *made = fsattn_alloc(1, sizeof *made);
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", e->file->path);
    }
    double flop_per_s = e->base.platform.flop_per_s;
    *made =
        (fsattn_trial){.evaluator = e,
                       .variant = v,
                       .roofline_ns = flop_per_s > 0 ? fsattn_problem_flop(problem) / flop_per_s * 1e9 : 0,
                       .odd = v->conduct.timer == FSATTN_TIMER_ONCE && !e->once_given};
    e->once_given = e->once_given || made->odd;
    *trial = made;
    return FSATTN_OK;
}

static fsattn_status screen(fsattn_trial *trial, int64_t deadline_ns, double *cost_ns, fsattn_outcome *outcome, fsattn_err *err) {
    (void)deadline_ns;
    (void)err;
    trial->evaluator->counts.screenings++;
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    *cost_ns = trial->variant->conduct.cost_ns;
    return FSATTN_OK;
}

static void verify_step(fsattn_trial *trial, fsattn_scripted_step step, double takes_ns, int64_t deadline_ns,
                        fsattn_verification *verification, fsattn_outcome *outcome) {
    const fsattn_scripted_conduct *conduct = &trial->variant->conduct;
    const double error = step == FSATTN_STEP_PROVE && !isnan(conduct->proof_error) ? conduct->proof_error : conduct->error;
    take_step(trial->evaluator, conduct, step, takes_ns, deadline_ns, outcome);
    if (!outcome->cut && outcome->verdict == FSATTN_VERDICT_OK) {
        const char *other = trial->evaluator->distribution;
        *verification = (fsattn_verification){.accuracy_count = 1};
        verification->accuracies[0] = (fsattn_accuracy_entry){.distribution = "normal",
                                                              .relative_error = error,
                                                              .cosine = fmax(-1, 1 - error * error / 2),
                                                              .maximum_error = error,
                                                              .coverage = 1};
        if (other && strcmp(other, "normal") != 0) {
            verification->accuracies[1] = verification->accuracies[0];
            verification->accuracies[1].distribution = other;
            verification->accuracy_count++;
        }
    }
}

static fsattn_status verify(fsattn_trial *trial, int64_t deadline_ns, fsattn_verification *verification,
                            fsattn_outcome *outcome, fsattn_err *err) {
    (void)err;
    trial->evaluator->counts.verifications++;
    verify_step(trial, FSATTN_STEP_VERIFY, trial->variant->conduct.verify_s * 1e9, deadline_ns, verification, outcome);
    return FSATTN_OK;
}

static fsattn_status prove(fsattn_trial *trial, int64_t deadline_ns, fsattn_verification *verification,
                           fsattn_outcome *outcome, fsattn_err *err) {
    (void)err;
    trial->evaluator->counts.proofs++;
    verify_step(trial, FSATTN_STEP_PROVE, trial->variant->conduct.verify_s * 10e9, deadline_ns, verification, outcome);
    return FSATTN_OK;
}

/* What the timer says for a run that took time_ns. */
static double timer_says(const fsattn_trial *trial, double time_ns) {
    switch (trial->variant->conduct.timer) {
    case FSATTN_TIMER_GOOD:
        return time_ns;
    case FSATTN_TIMER_ZERO:
        return 0;
    case FSATTN_TIMER_NEGATIVE:
        return -time_ns;
    case FSATTN_TIMER_NAN:
        return NAN;
    case FSATTN_TIMER_TINY:
        return trial->evaluator->base.platform.timer_resolution_ns / 2;
    case FSATTN_TIMER_IMPOSSIBLE:
        return trial->roofline_ns / 2;
    case FSATTN_TIMER_ONCE:
        return trial->odd ? trial->roofline_ns / 2 : time_ns;
    }
    return time_ns;
}

static fsattn_status sample(fsattn_trial *trial, size_t count, bool cold, int64_t deadline_ns,
                            double *times_ns, size_t *got, fsattn_outcome *outcome, fsattn_err *err) {
    (void)err;
    scripted_evaluator *e = trial->evaluator;
    const fsattn_scripted_conduct *conduct = &trial->variant->conduct;
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    for (*got = 0; *got < count; ++*got) {
        double factor = fsattn_scripted_file_drift(e->file, (double)e->now_ns / 1e9);
        factor *= cold ? e->file->cold_factor : 1;
        factor *= (double)trial->runs++ < e->file->warmup_runs ? e->file->warmup_factor : 1;
        double noise =
            conduct->noise * fsattn_random_normal((uint64_t)e->file->seed, noise_stream, e->draws++);
        double time_ns = conduct->cost_ns * factor * fmax(0.1, 1 + noise);
        e->counts.samples++;
        take_step(e, conduct, FSATTN_STEP_SAMPLE, time_ns, deadline_ns, outcome);
        if (outcome->cut || outcome->verdict != FSATTN_VERDICT_OK) {
            break;
        }
        times_ns[*got] = timer_says(trial, time_ns);
    }
    return FSATTN_OK;
}

static void stop(fsattn_trial *trial) {
    fsattn_free(trial);
}

static fsattn_status canary(fsattn_evaluator *evaluator, fsattn_err *err) {
    scripted_evaluator *e = scripted(evaluator);
    e->counts.canaries++;
    if (e->file->canary_fails) {
        fsattn_fail(err, FSATTN_DEVICE, "%s: the canary kernel gives another result than before",
                    e->base.platform.device);
        fsattn_hint(err, "the device is in a bad state: reset it and start again, finished results are kept");
        return FSATTN_DEVICE;
    }
    return FSATTN_OK;
}

/* ---- life ---- */

static void close_evaluator(fsattn_evaluator *evaluator) {
    if (evaluator) {
        fsattn_scripted_file_close(scripted(evaluator)->file);
        fsattn_free(evaluator);
    }
}

/* The arguments: what the other table has not. */
#define SCRIPTED_OPS(...)                                                                                    \
    {                                                                                                        \
        .name = "scripted", .close = close_evaluator, .now_ns = now_ns, .render = render, .build = build,    \
        .release = release, .start = start, .verify = verify, .sample = sample, .stop = stop, .canary = canary, \
        __VA_ARGS__                                                                                          \
    }
static const fsattn_evaluator_ops ops = SCRIPTED_OPS(.prove = NULL);
static const fsattn_evaluator_ops staged_ops = SCRIPTED_OPS(.screen = screen, .prove = prove);
#undef SCRIPTED_OPS

fsattn_status fsattn_evaluator_scripted_open(const fsattn_evaluator_scripted_options *options,
                                             fsattn_evaluator **evaluator, fsattn_err *err) {
    scripted_evaluator *made = fsattn_alloc(1, sizeof *made);
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", options->path);
    }
    fsattn_status status = fsattn_scripted_file_open(options->path, options->manifest, &made->file, err);
    if (status != FSATTN_OK) {
        fsattn_free(made);
        return status;
    }
    const fsattn_scripted_file *file = made->file;
    made->base.ops = file->staged ? &staged_ops : &ops;
    made->manifest = options->manifest;
    made->store = options->store;
    made->distribution = options->distribution;
    made->jobs = options->jobs < 1 ? 1 : options->jobs > slot_limit ? slot_limit : options->jobs;
    fsattn_platform *platform = &made->base.platform;
    *platform = (fsattn_platform){.target = FSATTN_TARGET_HOST,
                                  .provenance = file->provenance,
                                  .units = (int64_t)file->units,
                                  .abi = (uint32_t)options->manifest->abi,
                                  .timer_resolution_ns = file->timer_resolution_ns,
                                  .flop_per_s = file->flop_per_s};
    snprintf(platform->machine, sizeof platform->machine, "scripted");
    snprintf(platform->device, sizeof platform->device, "%s", file->device);
    snprintf(platform->driver, sizeof platform->driver, "%s", file->driver);
    snprintf(platform->isa, sizeof platform->isa, "%s", file->isa);
    snprintf(platform->compiler, sizeof platform->compiler, "%s", compiler_identity);
    snprintf(platform->verification, sizeof platform->verification, "%s", file->verification);
    *evaluator = &made->base;
    return FSATTN_OK;
}

const fsattn_scripted_counts *fsattn_evaluator_scripted_counts(const fsattn_evaluator *evaluator) {
    return &((const scripted_evaluator *)evaluator)->counts;
}
