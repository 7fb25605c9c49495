/* search_fixture.h - a space with two numbers and a word, a scripted device and a store, all in one temporary folder. */
#ifndef SEARCH_FIXTURE_H
#define SEARCH_FIXTURE_H

#include "evaluator_scripted.h"
#include "search.h"

#include "space_folder.h"

#include <math.h>

static const char search_parameters[] =
    "{ name = 'a', type = 'int', values = {0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}, default = 0, help = 'h' },"
    "{ name = 'b', type = 'int', values = {0,1,2,3,4,5,6,7}, default = 0, help = 'h' },"
    "{ name = 'c', type = 'enum', values = {'u','v','w'}, default = 'u', help = 'h' },";

/* What a candidate's notice said. */
typedef struct seen_candidate {
    char configuration[64];
    fsattn_verdict verdict;
    double median_ns;
    size_t samples;
    bool resumed, cut;
} seen_candidate;

typedef struct search_fixture {
    space_folder folder;
    char script[96], store_path[96];
    fsattn_space *space;
    fsattn_store *store;
    fsattn_evaluator *evaluator;
    fsattn_search_options options; /* defaults of the space; a test may change them before search_run */
    fsattn_events events;
    size_t problems[64];
    /* Of the last run. */
    fsattn_search_summary summary;
    fsattn_scripted_counts counts;
    int64_t end_ns;
    seen_candidate seen[1024];
    size_t seen_count, drifts, large_drifts;
    bool canary_sound;
    /* Set by a test: the run is interrupted after so many candidates. */
    size_t stop_after;
    volatile sig_atomic_t stop;
} search_fixture;

static inline void search_sink(void *data, const fsattn_notice *notice) {
    search_fixture *f = data;
    if (notice->kind == FSATTN_NOTICE_CANDIDATE && f->seen_count < 1024) {
        seen_candidate *seen = &f->seen[f->seen_count++];
        const fsattn_notice_candidate *candidate = &notice->candidate;
        snprintf(seen->configuration, sizeof seen->configuration, "%s", candidate->configuration);
        seen->verdict = candidate->verdict;
        seen->median_ns = candidate->statistics->median_ns;
        seen->samples = candidate->statistics->count;
        seen->resumed = candidate->resumed;
        seen->cut = candidate->cut;
        f->stop = f->stop_after && f->seen_count >= f->stop_after;
    } else if (notice->kind == FSATTN_NOTICE_DRIFT) {
        f->drifts++;
        f->large_drifts += notice->drift.large;
    }
}

static inline void search_write(const search_fixture *f, const char *name, const char *text) {
    char path[160];
    snprintf(path, sizeof path, "%s/%s", f->folder.path, name);
    space_folder_write(path, text, strlen(text));
}

/* `script` is the JSON of the device. */
static inline void search_make(search_fixture *f, const char *script) {
    *f = (search_fixture){0};
    space_folder_make(&f->folder, search_parameters, "");
    snprintf(f->script, sizeof f->script, "%s/device.json", f->folder.path);
    snprintf(f->store_path, sizeof f->store_path, "%s/tune.db", f->folder.path);
    search_write(f, "device.json", script);
}

/* Loads the space (`yaml` follows template, device and problem) and opens store and device. */
static inline void search_open(search_fixture *f, const char *yaml) {
    fsattn_err err;
    fsattn_text text = {0};
    bool own_problems = strstr(yaml, "problems:") != NULL;
    fsattn_text_printf(&text, "template: toy\ndevice: scripted:device.json\n%s%s",
                       own_problems ? "" : "problems:\n- {name: one, d: 64, s: 128}\n", yaml);
    cr_assert_eq(space_folder_load(&f->folder, text.data, &f->space, &err), FSATTN_OK, "%s\n%s", err.message, text.data);
    fsattn_text_fini(&text);
    cr_assert_eq(fsattn_store_open(f->store_path, NULL, &f->store, &err), FSATTN_OK, "%s", err.message);
    fsattn_evaluator_scripted_options options = {
        .path = f->script, .manifest = f->space->manifest, .store = f->store, .jobs = 2,
        .distribution = f->space->accuracy.distribution};
    cr_assert_eq(fsattn_evaluator_scripted_open(&options, &f->evaluator, &err), FSATTN_OK, "%s", err.message);
    for (size_t i = 0; i < f->space->problem_count; i++) {
        f->problems[i] = i;
    }
    f->events = (fsattn_events){0};
    fsattn_events_add(&f->events, search_sink, f);
    f->options = (fsattn_search_options){.space = f->space,
                                         .evaluator = f->evaluator,
                                         .store = f->store,
                                         .store_path = f->store_path,
                                         .command = "test",
                                         .problems = f->problems,
                                         .problem_count = f->space->problem_count,
                                         .seconds = f->space->budget.seconds,
                                         .evaluations = f->space->budget.evaluations,
                                         .sample = UINT64_MAX,
                                         .jobs = 2,
                                         .events = &f->events,
                                         .stop = &f->stop};
    cr_assert_eq(fsattn_strategy_find(f->space->strategy.name, &f->options.strategy, &err), FSATTN_OK, "%s", err.message);
    fsattn_strategy_settings_default(f->options.strategy, &f->options.settings);
    f->options.settings.seed = f->space->strategy.seed;
}

static inline void search_close(search_fixture *f) {
    fsattn_search_summary_fini(&f->summary);
    f->evaluator->ops->close(f->evaluator);
    fsattn_store_close(f->store);
    fsattn_space_destroy(f->space);
}

static inline void search_end(search_fixture *f) {
    search_close(f);
    space_folder_remove(&f->folder);
}

static inline fsattn_status search_try(search_fixture *f, fsattn_err *err) {
    fsattn_search_summary_fini(&f->summary);
    f->seen_count = f->drifts = f->large_drifts = 0;
    f->stop = 0;
    fsattn_status status = fsattn_search_run(&f->options, &f->summary, err);
    f->counts = *fsattn_evaluator_scripted_counts(f->evaluator);
    f->end_ns = f->evaluator->ops->now_ns(f->evaluator);
    return status;
}

static inline void search_run(search_fixture *f) {
    fsattn_err err;
    cr_assert_eq(search_try(f, &err), FSATTN_OK, "%s", err.message);
}

/* The same space, store and script in what counts as another process. */
static inline void search_reopen(search_fixture *f, const char *yaml) {
    search_close(f);
    search_open(f, yaml);
}

static inline const seen_candidate *search_seen(const search_fixture *f, const char *configuration) {
    for (size_t i = 0; i < f->seen_count; i++) {
        if (!strcmp(f->seen[i].configuration, configuration)) {
            return &f->seen[i];
        }
    }
    return NULL;
}

/* The one result of the last run. */
static inline const fsattn_search_result *search_only(const search_fixture *f) {
    cr_assert_eq(f->summary.result_count, 1);
    return &f->summary.results[0];
}

static inline void search_assert_winner(const search_fixture *f, const char *configuration) {
    const fsattn_search_result *result = search_only(f);
    cr_assert(result->has_winner);
    cr_assert_str_eq(result->configuration, configuration);
}

/* Makes, opens and runs. */
static inline void search_once(search_fixture *f, const char *script, const char *yaml) {
    search_make(f, script);
    search_open(f, yaml);
    search_run(f);
}

#endif
