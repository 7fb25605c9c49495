#include "replay_evaluator.h"

#include "error.h"
#include "keys.h"
#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char compiler_identity[] = "replay 1";

typedef struct replay_evaluator {
    fsattn_evaluator base;
    const fsattn_replay_file *file;
    int64_t now_ns;
} replay_evaluator;

typedef struct replay_variant {
    fsattn_variant base;
    const fsattn_replay_entry *entry;
    fsattn_arena arena;
} replay_variant;

struct fsattn_trial {
    replay_evaluator *evaluator;
    const fsattn_replay_entry *entry;
    bool begun; /* a run was taken: what benchmarking took has passed */
};

static replay_evaluator *replay(fsattn_evaluator *evaluator) {
    return (replay_evaluator *)evaluator;
}

/* ---- the clock ---- */

/* Lets the step's time pass, then fails with the entry's verdict when that belongs to the step. */
static void take_step(replay_evaluator *e, const fsattn_replay_entry *entry, double time_ns, bool fails, int64_t deadline_ns,
                      fsattn_outcome *outcome) {
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    if (time_ns > (double)deadline_ns - (double)e->now_ns) {
        e->now_ns = deadline_ns > e->now_ns ? deadline_ns : e->now_ns;
        outcome->cut = true;
        return;
    }
    e->now_ns += (int64_t)llround(time_ns);
    if (fails) {
        fsattn_outcome_set(outcome, entry->verdict, "replayed: %s", fsattn_verdict_text(entry->verdict));
    }
}

static int64_t now_ns(fsattn_evaluator *evaluator) {
    return replay(evaluator)->now_ns;
}

/* ---- render and build ---- */

static void release(fsattn_evaluator *evaluator, fsattn_variant *variant) {
    (void)evaluator;
    if (variant) {
        fsattn_arena_fini(&((replay_variant *)variant)->arena);
        fsattn_free(variant);
    }
}

static fsattn_status fill_in(replay_evaluator *e, const fsattn_config *config, replay_variant *made, fsattn_err *err) {
    fsattn_text text = {0};
    fsattn_config_text(&e->file->parameters, config, &text);
    const char *source = text.failed ? NULL : fsattn_arena_printf(&made->arena, "replay %s\n%s\n", e->file->kernel, text.data);
    fsattn_text_fini(&text);
    if (!source) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", e->file->path);
    }
    made->base.stage = (fsattn_stage){.name = "replay", .entry = "replay", .work_items = "replay"};
    made->base.launch = made->base.options = "";
    made->base.source = (fsattn_blob){source, strlen(source), fsattn_hash_of(source, strlen(source))};
    fsattn_build_fields fields = {.source = source, .source_bytes = strlen(source), .compiler = compiler_identity};
    made->base.build_key = fsattn_key_build(&fields);
    return FSATTN_OK;
}

static fsattn_status render(fsattn_evaluator *evaluator, const fsattn_problem *problem, const fsattn_config *config,
                            fsattn_variant **variant, fsattn_outcome *outcome, fsattn_err *err) {
    (void)problem;
    replay_evaluator *e = replay(evaluator);
    const fsattn_replay_entry *entry = fsattn_replay_file_find(e->file, config);
    *variant = NULL;
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    if (!entry || entry->verdict == FSATTN_VERDICT_REJECTED) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_REJECTED, "%s", entry ? "replayed: rejected" : "not in the file");
        return FSATTN_OK;
    }
    replay_variant *made = fsattn_alloc(1, sizeof *made);
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", e->file->path);
    }
    made->entry = entry;
    fsattn_status status = fill_in(e, config, made, err);
    if (status != FSATTN_OK) {
        release(evaluator, &made->base);
        return status;
    }
    *variant = &made->base;
    return FSATTN_OK;
}

static fsattn_status build(fsattn_evaluator *evaluator, fsattn_variant *const *variants, size_t count, int64_t deadline_ns,
                           fsattn_outcome *outcomes, fsattn_err *err) {
    (void)err;
    for (size_t i = 0; i < count; i++) {
        replay_variant *variant = (replay_variant *)variants[i];
        const fsattn_replay_entry *entry = variant->entry;
        take_step(replay(evaluator), entry, entry->compile_s * 1e9, entry->verdict == FSATTN_VERDICT_BUILD_FAILED, deadline_ns,
                  &outcomes[i]);
        variant->base.compiled = !outcomes[i].cut;
        variant->base.build_s = entry->compile_s;
        variant->base.stage.code = variant->base.source; /* stands for what a compiler made of it */
    }
    return FSATTN_OK;
}

/* ---- trials ---- */

static fsattn_status start(fsattn_evaluator *evaluator, fsattn_variant *variant, const fsattn_problem *problem,
                           int64_t deadline_ns, fsattn_trial **trial, fsattn_outcome *outcome, fsattn_err *err) {
    (void)problem;
    replay_evaluator *e = replay(evaluator);
    const fsattn_replay_entry *entry = ((replay_variant *)variant)->entry;
    bool fails = entry->verdict != FSATTN_VERDICT_OK && entry->verdict != FSATTN_VERDICT_WRONG &&
                 entry->verdict != FSATTN_VERDICT_UNTIMED;
    *trial = NULL;
    take_step(e, entry, 0, fails, deadline_ns, outcome);
    if (outcome->cut || outcome->verdict != FSATTN_VERDICT_OK) {
        return FSATTN_OK;
    }
    fsattn_trial *made = fsattn_alloc(1, sizeof *made);
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", e->file->path);
    }
    *made = (fsattn_trial){.evaluator = e, .entry = entry};
    *trial = made;
    return FSATTN_OK;
}

static fsattn_status verify(fsattn_trial *trial, int64_t deadline_ns, fsattn_verification *verification,
                            fsattn_outcome *outcome, fsattn_err *err) {
    (void)err;
    /* Files say right or wrong, and nothing about errors. */
    *verification = (fsattn_verification){
        .accuracies = {{.distribution = "normal", .cosine = 1, .coverage = 1}}, .accuracy_count = 1};
    take_step(trial->evaluator, trial->entry, trial->entry->verify_s * 1e9, trial->entry->verdict == FSATTN_VERDICT_WRONG,
              deadline_ns, outcome);
    return FSATTN_OK;
}

static fsattn_status sample(fsattn_trial *trial, size_t count, bool cold, int64_t deadline_ns, double *times_ns, size_t *got,
                            fsattn_outcome *outcome, fsattn_err *err) {
    (void)cold;
    (void)err;
    const fsattn_replay_entry *entry = trial->entry;
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    for (*got = 0; *got < count; ++*got) {
        double time_ns = isfinite(entry->cost_ns) ? entry->cost_ns : 0;
        time_ns = trial->begun ? time_ns : fmax(time_ns, entry->run_s * 1e9);
        take_step(trial->evaluator, entry, time_ns, entry->verdict == FSATTN_VERDICT_UNTIMED, deadline_ns, outcome);
        if (outcome->cut || outcome->verdict != FSATTN_VERDICT_OK) {
            break;
        }
        trial->begun = true;
        times_ns[*got] = entry->cost_ns;
    }
    return FSATTN_OK;
}

static void stop(fsattn_trial *trial) {
    fsattn_free(trial);
}

static fsattn_status canary(fsattn_evaluator *evaluator, fsattn_err *err) {
    (void)evaluator;
    (void)err;
    return FSATTN_OK;
}

/* ---- life ---- */

static void close_evaluator(fsattn_evaluator *evaluator) {
    fsattn_free(evaluator);
}

static const fsattn_evaluator_ops ops = {
    .name = "replay",
    .close = close_evaluator,
    .now_ns = now_ns,
    .render = render,
    .build = build,
    .release = release,
    .start = start,
    .verify = verify,
    .sample = sample,
    .stop = stop,
    .canary = canary,
};

fsattn_status fsattn_replay_evaluator_open(const fsattn_replay_file *file, fsattn_evaluator **evaluator, fsattn_err *err) {
    replay_evaluator *made = fsattn_alloc(1, sizeof *made);
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", file->path);
    }
    made->base.ops = &ops;
    made->file = file;
    fsattn_platform *platform = &made->base.platform;
    *platform = (fsattn_platform){.target = FSATTN_TARGET_HOST,
                                  .provenance = FSATTN_MODELLED,
                                  .exact = true,
                                  .units = 1,
                                  .abi = 1,
                                  .timer_resolution_ns = 0};
    char hex[fsattn_hash_hex_bytes];
    fsattn_hash_hex(&file->hash, hex);
    snprintf(platform->machine, sizeof platform->machine, "replay");
    snprintf(platform->device, sizeof platform->device, "%s", file->device);
    snprintf(platform->driver, sizeof platform->driver, "replay %.16s", hex);
    snprintf(platform->isa, sizeof platform->isa, "replay");
    snprintf(platform->compiler, sizeof platform->compiler, "%s", compiler_identity);
    *evaluator = &made->base;
    return FSATTN_OK;
}
