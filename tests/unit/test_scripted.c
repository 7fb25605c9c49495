/* The scripted device: its clock, its faults, its file. */
#include "../support/search_fixture.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static fsattn_status try_open(const char *script, fsattn_err *err) {
    search_fixture f;
    fsattn_evaluator *evaluator;
    search_make(&f, "{}");
    search_open(&f, "");
    search_write(&f, "device.json", script);
    fsattn_evaluator_scripted_options options = {.path = f.script, .manifest = f.space->manifest};
    fsattn_status status = fsattn_evaluator_scripted_open(&options, &evaluator, err);
    if (status == FSATTN_OK) {
        evaluator->ops->close(evaluator);
    }
    search_end(&f);
    return status;
}

Test(scripted, mistakes_have_a_place_and_a_way_out) {
    static const struct {
        const char *script, *message, *hint;
    } rows[] = {
        {"{\n  \"cost\": }", "device.json:2:11: ", ""},
        {"[]", "device.json:1:1: expected an object", ""},
        {"{\n  \"costt\": 1}", "device.json:2:12: costt: unknown key", "'cost'"},
        {"{\"noise\": -1}", "device.json:1:11: noise: expected a number of at least 0", ""},
        {"{\"cost\": 1, \"cost\": 2}", "duplicate", ""},
        {"{\"cost\":\n \"a + z\"}", "device.json:2:7: ", ""},
        {"{\"rules\": [{\"fault\": \"hang\"},\n {\"fault\": \"hangs\"}]}", "device.json:2:12: fault: no such word", "'hang'"},
        {"{\"rules\": [{\"when\": \"a ==\"}]}", "device.json:1:", ""},
        {"{\"rules\": [{\"whn\": \"a == 1\"}]}", "whn: unknown key", "'when'"},
        {"{\"rules\": {}}", "rules: expected a list", ""},
        {"{\"drift\": [[5, 1], [4, 2]]}", "drift: expected", ""},
        {"{\"provenance\": \"guessed\"}", "provenance: no such word", "one of measured, modelled"},
        {"{\"recorded\": \"missing.jsonl\"}", "missing.jsonl", ""},
        {"{\"costs\": {\"a=1\": \"x\"}}", "costs: expected a number", ""},
        {"{\"canary_fails\": 1}", "canary_fails: expected true or false", ""},
        {"{\"device\": 1}", "device: expected text", ""},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        fsattn_err err = {0};
        cr_assert_neq(try_open(rows[i].script, &err), FSATTN_OK, "%s", rows[i].script);
        cr_assert(strstr(err.message, rows[i].message), "%s: %s", rows[i].script, err.message);
        cr_assert(strstr(err.hint, rows[i].hint), "%s: %s", rows[i].script, err.hint);
    }
}

/* ---- steps ---- */

typedef struct stepped {
    fsattn_outcome outcome; /* of the first step that is not OK, or of the last */
    int64_t end_ns;
    double time_ns, error;
    bool compiled;
} stepped;

/* Takes one configuration through all steps. */
static stepped step_through(search_fixture *f, const char *configuration, int64_t deadline_ns) {
    stepped result = {0};
    fsattn_err err;
    fsattn_config config;
    fsattn_variant *variant = NULL;
    fsattn_trial *trial = NULL;
    fsattn_verification verification;
    size_t got;
    const fsattn_evaluator_ops *ops = f->evaluator->ops;
    const fsattn_problem *problem = &f->space->problems[0].problem;
    cr_assert_eq(fsattn_config_parse(&f->space->manifest->parameters, configuration, &config, &err), FSATTN_OK);
    cr_assert_eq(ops->render(f->evaluator, problem, &config, &variant, &result.outcome, &err), FSATTN_OK, "%s", err.message);
    if (variant) {
        cr_assert_eq(ops->build(f->evaluator, &variant, 1, deadline_ns, &result.outcome, &err), FSATTN_OK);
        result.compiled = variant->compiled;
    }
    if (variant && !result.outcome.cut && result.outcome.verdict == FSATTN_VERDICT_OK) {
        cr_assert_eq(ops->start(f->evaluator, variant, problem, deadline_ns, &trial, &result.outcome, &err), FSATTN_OK);
    }
    if (trial) {
        cr_assert_eq(ops->verify(trial, deadline_ns, &verification, &result.outcome, &err), FSATTN_OK);
        result.error = verification.accuracies[0].relative_error;
    }
    if (trial && !result.outcome.cut && result.outcome.verdict == FSATTN_VERDICT_OK) {
        cr_assert_eq(ops->sample(trial, 1, false, deadline_ns, &result.time_ns, &got, &result.outcome, &err), FSATTN_OK);
    }
    ops->stop(trial);
    ops->release(f->evaluator, variant);
    result.end_ns = ops->now_ns(f->evaluator);
    return result;
}

static const char script[] =
    "{\"compile_s\": 2, \"start_s\": 0.25, \"verify_s\": 0.5, \"cost\": \"1000 + a\", \"watchdog_s\": 20,"
    " \"costs\": {\"a=15 b=0 c=u\": 7}, \"error\": \"c == 'w' and 0.5 or 0.001\", \"timer_resolution_ns\": 4, \"rules\": ["
    "{\"when\": \"a == 1\", \"fault\": \"rejected\"}, {\"when\": \"a == 2\", \"fault\": \"build-failed\"},"
    "{\"when\": \"a == 3\", \"fault\": \"compiler-crash\"}, {\"when\": \"a == 4\", \"fault\": \"compiler-hang\"},"
    "{\"when\": \"a == 5\", \"fault\": \"launch-failed\"}, {\"when\": \"a == 6\", \"fault\": \"crash\"},"
    "{\"when\": \"a == 7\", \"fault\": \"hang\"}, {\"when\": \"a == 8\", \"fault\": \"wrong\"},"
    "{\"when\": \"a == 9\", \"fault\": \"crash-late\"}, {\"when\": \"a == 10\", \"fault\": \"hang-late\"},"
    "{\"when\": \"a == 11\", \"timer\": \"zero\"}, {\"when\": \"a == 12\", \"timer\": \"negative\"},"
    "{\"when\": \"a == 13\", \"timer\": \"nan\"}, {\"when\": \"a == 14\", \"timer\": \"tiny\"},"
    "{\"configuration\": \"a=0 b=1 c=u\", \"cost\": 5000}, {\"problem\": \"sq=64\", \"factor\": 2}]}";

Test(scripted, every_fault_gives_its_verdict_after_its_time) {
    static const struct {
        int a;
        fsattn_verdict verdict;
        double seconds;
    } rows[] = {
        {1, FSATTN_VERDICT_REJECTED, 0},      {2, FSATTN_VERDICT_BUILD_FAILED, 2}, {3, FSATTN_VERDICT_CRASHED, 2},
        {4, FSATTN_VERDICT_TIMEOUT, 20},      {5, FSATTN_VERDICT_LAUNCH_FAILED, 2.25}, {6, FSATTN_VERDICT_CRASHED, 2.75},
        {7, FSATTN_VERDICT_TIMEOUT, 22.25},   {8, FSATTN_VERDICT_WRONG, 2.75},     {9, FSATTN_VERDICT_CRASHED, 2.75},
        {10, FSATTN_VERDICT_TIMEOUT, 22.75},
    };
    search_fixture f;
    search_make(&f, script);
    search_open(&f, "");
    int64_t before = 0;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char configuration[32];
        snprintf(configuration, sizeof configuration, "a=%d b=0 c=u", rows[i].a);
        stepped result = step_through(&f, configuration, INT64_MAX);
        cr_assert_eq(result.outcome.verdict, rows[i].verdict, "a=%d", rows[i].a);
        cr_assert(strlen(result.outcome.reason) > 0);
        cr_assert_float_eq((double)(result.end_ns - before) / 1e9, rows[i].seconds, 1e-5, "a=%d", rows[i].a);
        before = result.end_ns;
    }
    search_end(&f);
}

Test(scripted, the_timer_says_what_the_file_says) {
    search_fixture f;
    search_make(&f, script);
    search_open(&f, "");
    cr_assert_eq(step_through(&f, "a=0", INT64_MAX).time_ns, 1000);
    cr_assert_eq(step_through(&f, "a=0 b=1", INT64_MAX).time_ns, 5000);
    cr_assert_eq(step_through(&f, "a=15", INT64_MAX).time_ns, 7);
    cr_assert_eq(step_through(&f, "a=11", INT64_MAX).time_ns, 0);
    cr_assert_eq(step_through(&f, "a=12", INT64_MAX).time_ns, -1012);
    cr_assert(isnan(step_through(&f, "a=13", INT64_MAX).time_ns));
    cr_assert_eq(step_through(&f, "a=14", INT64_MAX).time_ns, 2);
    cr_assert_eq(step_through(&f, "c=w", INT64_MAX).error, 0.5);
    search_end(&f);
}

Test(scripted, a_deadline_cuts_every_step_at_its_moment) {
    /* While compiling, starting, verifying, hanging. */
    const double deadlines_s[] = {1, 2.1, 2.4, 10};
    for (size_t i = 0; i < COUNT(deadlines_s); i++) {
        search_fixture f;
        search_make(&f, script);
        search_open(&f, "");
        stepped result = step_through(&f, "a=7", (int64_t)(deadlines_s[i] * 1e9));
        cr_assert(result.outcome.cut);
        cr_assert_eq(result.end_ns, (int64_t)(deadlines_s[i] * 1e9));
        search_end(&f);
    }
}

Test(scripted, drift_is_linear_in_between) {
    search_fixture f;
    search_make(&f, "{\"cost\": 1000, \"compile_s\": 5, \"start_s\": 0, \"verify_s\": 0, \"drift\": [[0, 1], [10, 3]]}");
    search_open(&f, "");
    cr_assert_float_eq(step_through(&f, "a=0", INT64_MAX).time_ns, 2000, 1);
    cr_assert_float_eq(step_through(&f, "a=1", INT64_MAX).time_ns, 3000, 1);
    cr_assert_float_eq(step_through(&f, "a=2", INT64_MAX).time_ns, 3000, 1);
    search_end(&f);
}

Test(scripted, a_build_in_the_store_is_not_made_again) {
    search_fixture f;
    search_make(&f, script);
    search_open(&f, "");
    cr_assert(step_through(&f, "a=0", INT64_MAX).compiled);
    cr_assert(!step_through(&f, "a=0", INT64_MAX).compiled);
    stepped failed = step_through(&f, "a=2", INT64_MAX);
    stepped again = step_through(&f, "a=2", INT64_MAX);
    cr_assert(failed.compiled && !again.compiled && again.outcome.verdict == FSATTN_VERDICT_BUILD_FAILED);
    cr_assert_str_eq(again.outcome.reason, failed.outcome.reason);
    cr_assert_eq(fsattn_evaluator_scripted_counts(f.evaluator)->compilations, 2);
    search_end(&f);
}
