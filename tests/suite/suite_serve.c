/* Finding and preparing plans: what is nearest, how accurate, what is a miss, what cannot be loaded; and the
 * device's own calls. */
#include "suite.h"

#include "file.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the device ---- */

static void memory_streams_and_events(suite *s) {
    char back[16] = "";
    double time_ns = -1;
    fsattn_event *start, *stop;
    fsattn_stream stream;
    char *memory = suite_allocate(s, 16);
    CHECK((uintptr_t)memory % 256 == 0, "not aligned");
    REQUIRE(fsattn_stream_create(s->device, &stream, NULL) == FSATTN_OK &&
                fsattn_event_create(s->device, &start, NULL) == FSATTN_OK &&
                fsattn_event_create(s->device, &stop, NULL) == FSATTN_OK,
            "no stream or event");
    CHECK(fsattn_event_elapsed(start, stop, &time_ns, NULL) != FSATTN_OK,
          "a time between events that were not recorded");
    CHECK(fsattn_event_record(start, stream, NULL) == FSATTN_OK &&
              fsattn_device_copy(s->device, memory, "fifteen letters", 16, stream, NULL) == FSATTN_OK &&
              fsattn_device_copy(s->device, back, memory, 16, stream, NULL) == FSATTN_OK &&
              fsattn_event_record(stop, stream, NULL) == FSATTN_OK &&
              fsattn_stream_synchronize(s->device, stream, NULL) == FSATTN_OK,
          "copies and events");
    CHECK(fsattn_event_elapsed(start, stop, &time_ns, NULL) == FSATTN_OK && time_ns >= 0, "%g ns", time_ns);
    CHECK(!strcmp(back, "fifteen letters"), "%s", back);
    fsattn_event_destroy(start);
    fsattn_event_destroy(stop);
    fsattn_device_release(s->device, memory);
    fsattn_stream_destroy(s->device, stream);
}

/* ---- choosing ---- */

static void what_is_tuned_near_or_missing(suite *s) {
    static const struct {
        const char *problem;
        fsattn_plan_source source;
        double distance;
    } cases[] = {{SUITE_PLAIN, FSATTN_PLAN_TUNED, 0},
                 {SUITE_NARROW, FSATTN_PLAN_TUNED, 0},
                 {"hq=4 hkv=2 sq=200 sk=131 " SUITE_PLAIN, FSATTN_PLAN_NEAREST, 1},
                 {"b=4 hq=4 hkv=1 sq=200 sk=131 " SUITE_CAUSAL, FSATTN_PLAN_NEAREST, 5}};
    char log[128], text[4096], *missed;
    size_t bytes;
    fsattn_err err = {0};
    fsattn_plan plan;
    fsattn_options options;
    fsattn_miss_info misses = {.size = sizeof misses};
    snprintf(log, sizeof log, "%s/misses", s->folder);
    fsattn_options_init(&options);
    options.miss_log = log;
    fsattn_context *context = suite_open(s, &options);
    for (int again = 0; again < 2; again++) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            plan = suite_plan(s, context, cases[i].problem, NULL);
            CHECK(plan.source == cases[i].source && plan.distance == cases[i].distance, "%s: %s, distance %g",
                  cases[i].problem, fsattn_plan_source_text(plan.source), plan.distance);
        }
    }
    const fsattn_problem absent = suite_problem(s, SUITE_PLAIN " mask=causal");
    CHECK(fsattn_plan_find(context, &absent, NULL, &plan, &err) == FSATTN_NOT_FOUND &&
              strstr(err.message, "no plan for ") && !strchr(err.message, '\n'),
          "%s", err.message);
    CHECK(fsattn_miss_info_get(context, &misses, NULL) == FSATTN_OK && misses.noted == 3 && !misses.queued,
          "%d misses", (int)misses.noted);
    REQUIRE(fsattn_file_read(log, 1 << 16, &missed, &bytes, &err) == FSATTN_OK, "%s", err.message);
    CHECK(strstr(missed, "sq=200") && strstr(missed, "b=4") && strstr(missed, "mask=causal") &&
              !strstr(missed, "layout=bhsd"),
          "%s", missed);
    fsattn_free(missed);
    const fsattn_problem near = suite_problem(s, cases[2].problem);
    CHECK(fsattn_explain(context, &near, NULL, text, sizeof text, NULL, &err) == FSATTN_OK, "%s",
          err.message);
    CHECK(strstr(text, "\nbecause: nearest; ") && strstr(text, s->host ? "measured on" : "led on"), "%s",
          text);
    fsattn_close(context);
}

/* The paper's hybrid: the fine kernels for the first and last steps, the fast ones between, and each as close
 * as it says. */
static void accuracy_goes_by_the_step(suite *s) {
    const fsattn_accuracy fine = {.size = sizeof fine, .maximum_relative_error = suite_fine_error(s)};
    const fsattn_schedule schedule = {
        .size = sizeof schedule, .steps = 6, .first = 2, .last = 1, .ends = &fine};
    static const char steps[] = "ffccvf"; /* v: overridden, fine */
    fsattn_context *context = suite_open(s, NULL);
    const fsattn_problem problem = suite_problem(s, SUITE_WITH_LSE);
    fsattn_err err = {0};
    fsattn_plan plan;
    suite_operands t = suite_operands_make(s, &problem, 11, NULL);
    const fsattn_arguments arguments = suite_arguments(&t);
    double error[2] = {0};
    for (int64_t step = 0; step < schedule.steps; step++) {
        const bool coarse = steps[step] == 'c';
        CHECK(fsattn_plan_find_step(context, &problem, &schedule, step, steps[step] == 'v' ? &fine : NULL,
                                    &plan, &err) == FSATTN_OK,
              "%s", err.message);
        const fsattn_plan_info info = suite_info(s, context, &plan);
        CHECK((info.relative_error > suite_fine_error(s)) == coarse, "step %d: %s", (int)step,
              info.configuration);
        suite_clear(s, &t);
        CHECK(fsattn_run(context, &plan, &arguments, &err) == FSATTN_OK, "%s", err.message);
        suite_check(s, &t, NULL, &info, "a step");
        error[coarse] = suite_error(s, &t, NULL, NULL);
    }
    CHECK(error[0] < error[1], "%g is no finer than %g", error[0], error[1]);
    CHECK(fsattn_plan_find_step(context, &problem, &schedule, schedule.steps, NULL, &plan, &err) ==
              FSATTN_INVALID,
          "a step past the last");
    const fsattn_accuracy exact = {.size = sizeof exact, .grade = FSATTN_GRADE_F32};
    CHECK(fsattn_plan_find(context, &problem, &exact, &plan, &err) == FSATTN_NOT_FOUND,
          "nothing is that accurate");
    suite_operands_free(s, &t);
    fsattn_close(context);
}

/* ---- preparing ---- */

static int modules_of(const fsattn_context *context) {
    int count = 0;
    for (const fsattn_loaded *loaded = context->modules; loaded; loaded = loaded->next) {
        count++;
    }
    return count;
}

/* How many code objects the plans have, each counted once. */
static int codes_of(const fsattn_plan *plans, size_t count) {
    fsattn_hash seen[64];
    int found = 0;
    for (size_t i = 0; i < count; i++) {
        const fsattn_fsc_record *record = plans[i].entry->record;
        for (size_t k = 0; k < record->stage_count && found < 64; k++) {
            int at = 0;
            while (at < found && fsattn_hash_compare(&seen[at], &record->stages[k].code.hash)) {
                at++;
            }
            seen[at] = record->stages[k].code.hash;
            found += at == found;
        }
    }
    return found;
}

static void equal_code_is_loaded_once(suite *s) {
    static const char *const texts[] = {SUITE_PLAIN, SUITE_WITH_LSE, SUITE_CAUSAL};
    enum { count = sizeof texts / sizeof texts[0] };
    fsattn_err err = {0};
    fsattn_plan plans[count];
    fsattn_context *context = suite_open(s, NULL);
    const fsattn_accuracy fine = {.size = sizeof fine, .maximum_relative_error = suite_fine_error(s)};
    for (size_t i = 0; i < count; i++) {
        plans[i] = suite_plan(s, context, texts[i], &fine);
        CHECK(!suite_info(s, context, &plans[i]).prepared, "%s", texts[i]);
        for (int again = 0; again < 2; again++) {
            CHECK(fsattn_prepare(context, &plans[i], &err) == FSATTN_OK, "%s", err.message);
        }
        CHECK(suite_info(s, context, &plans[i]).prepared, "%s", texts[i]);
        CHECK(modules_of(context) == codes_of(plans, i + 1), "%d modules, %d code objects",
              modules_of(context), codes_of(plans, i + 1));
    }
    /* Once is enough for every plan with that record, also of other sizes. */
    const fsattn_plan larger = suite_plan(s, context, "hq=4 hkv=2 sq=101 sk=131 " SUITE_CAUSAL, NULL);
    CHECK(suite_info(s, context, &larger).prepared, "of another size");
    fsattn_close(context);
}

/* A file with the suite's records, and with what `change` makes of the one for SUITE_CAUSAL. */
static const char *spoiled(suite *s, void (*change)(fsattn_stage *last)) {
    static char path[128];
    fsattn_fsc *fsc;
    fsattn_fsc_writer *writer;
    fsattn_err err = {0};
    const fsattn_problem problem = suite_problem(s, SUITE_CAUSAL);
    REQUIRE(fsattn_fsc_open(s->cache, NULL, NULL, &fsc, &err) == FSATTN_OK &&
                fsattn_fsc_writer_create(&writer, &err) == FSATTN_OK,
            "%s", err.message);
    for (size_t i = 0; i < fsattn_fsc_count(fsc); i++) {
        fsattn_stage stages[fsattn_fsc_stage_limit];
        fsattn_fsc_record record = *fsattn_fsc_at(fsc, i);
        memcpy(stages, record.stages, record.stage_count * sizeof *stages);
        record.stages = stages;
        if (fsattn_problem_equal(&record.problem, &problem)) {
            change(&stages[record.stage_count - 1]);
        }
        REQUIRE(fsattn_fsc_writer_add(writer, &record, &err) == FSATTN_OK, "%s", err.message);
    }
    snprintf(path, sizeof path, "%s/spoiled.fsc", s->folder);
    REQUIRE(fsattn_fsc_writer_publish(writer, NULL, path, &err) == FSATTN_OK, "%s", err.message);
    fsattn_fsc_writer_destroy(writer);
    fsattn_fsc_close(fsc);
    return path;
}

static void other_entry(fsattn_stage *last) {
    last->entry = "another_entry";
}
static void no_code_object(fsattn_stage *last) {
    last->code = (fsattn_blob){.data = "no code object at all, but more than a header is", .bytes = 48};
}

static void code_that_cannot_be_loaded_fails_its_plan_only(suite *s) {
    static const struct {
        void (*change)(fsattn_stage *last);
        const char *message;
    } cases[] = {{other_entry, "another_entry"}, {no_code_object, "spoiled.fsc"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fsattn_options options;
        fsattn_options_init(&options);
        options.caches = &(const char *){spoiled(s, cases[i].change)};
        options.cache_count = 1;
        fsattn_context *context = suite_open(s, &options);
        const fsattn_plan bad = suite_plan(s, context, SUITE_CAUSAL, NULL),
                          good = suite_plan(s, context, SUITE_PLAIN, NULL);
        suite_operands t = suite_operands_make(s, &bad.problem, 12, NULL),
                       u = suite_operands_make(s, &good.problem, 12, NULL);
        const fsattn_arguments never = suite_arguments(&t), arguments = suite_arguments(&u);
        const fsattn_plan_info info = suite_info(s, context, &good);
        fsattn_err err = {0};
        for (int again = 0; again < 2; again++) {
            const fsattn_status status =
                again ? fsattn_run(context, &bad, &never, &err) : fsattn_prepare(context, &bad, &err);
            CHECK(status != FSATTN_OK && strstr(err.message, cases[i].message) && !strchr(err.message, '\n'),
                  "case %zu: '%s'", i, err.message);
            CHECK(!suite_info(s, context, &bad).prepared, "case %zu", i);
        }
        CHECK(fsattn_run(context, &good, &arguments, &err) == FSATTN_OK, "%s", err.message);
        suite_check(s, &u, NULL, &info, "beside it");
        suite_operands_free(s, &t);
        suite_operands_free(s, &u);
        fsattn_close(context);
    }
}

const suite_case suite_serve_cases[] = {
    {"memory, streams and events", memory_streams_and_events, NULL},
    {"what is tuned, near or missing", what_is_tuned_near_or_missing, NULL},
    {"accuracy goes by the step", accuracy_goes_by_the_step, NULL},
    {"equal code is loaded once", equal_code_is_loaded_once, NULL},
    {"code that cannot be loaded fails its plan only", code_that_cannot_be_loaded_fails_its_plan_only, NULL},
    {NULL, NULL, NULL}};
