/* Statistics and sampling: which times count, when sampling ends, how much is kept. */
#include "measure.h"

#include "../support/search_fixture.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const fsattn_measure_policy plain = {.resolution_ns = 10, .roofline_ns = 100};

static fsattn_flag flag_of(const double *times, size_t count, fsattn_statistics *statistics) {
    fsattn_flag flag;
    fsattn_err err;
    cr_assert_eq(fsattn_measure_statistics(&plain, times, count, statistics, &flag, &err), FSATTN_OK);
    return flag;
}

Test(measure, statistics_are_those_of_the_times) {
    const double times[] = {500, 100, 300, 200, 400};
    fsattn_statistics statistics;
    cr_assert_eq(flag_of(times, 5, &statistics), FSATTN_FLAG_NONE);
    cr_assert_eq(statistics.count, 5);
    cr_assert_eq(statistics.median_ns, 300);
    cr_assert_eq(statistics.minimum_ns, 100);
    cr_assert_eq(statistics.spread_ns, 200);
    cr_assert_eq(statistics.mad_ns, 100);
    cr_assert_gt(statistics.error_ns, 50);
}

Test(measure, one_odd_time_is_left_out) {
    const double odd[] = {0, -5, NAN, INFINITY, 5, 50};
    for (size_t i = 0; i < COUNT(odd); i++) {
        const double times[] = {200, odd[i], 210, 220};
        fsattn_statistics statistics;
        cr_assert_eq(flag_of(times, 4, &statistics), FSATTN_FLAG_NONE);
        cr_assert_eq(statistics.count, 3);
        cr_assert_eq(statistics.minimum_ns, 200);
    }
}

Test(measure, mostly_odd_times_are_no_cost) {
    const double odd[] = {0, -5, NAN, INFINITY, 9.99};
    for (size_t i = 0; i < COUNT(odd); i++) {
        const double times[] = {200, odd[i], odd[i], 220};
        fsattn_statistics statistics;
        cr_assert_eq(flag_of(times, 4, &statistics), FSATTN_FLAG_TIMER);
        cr_assert_eq(statistics.count, 0);
        cr_assert_eq(statistics.median_ns, 0);
    }
    const double fast[] = {99, 99, 98, 200};
    fsattn_statistics statistics;
    cr_assert_eq(flag_of(fast, 4, &statistics), FSATTN_FLAG_ROOFLINE);
    cr_assert_eq(statistics.count, 0);
}

/* ---- sampling on the scripted device ---- */

typedef struct sampled {
    fsattn_measurement measurement;
    fsattn_outcome outcome;
    int64_t runs;
    double passed_s;
} sampled;

static void sample(search_fixture *f, double best_ns, double deadline_s, sampled *out) {
    fsattn_err err;
    fsattn_variant *variant;
    fsattn_trial *trial;
    const fsattn_evaluator_ops *ops = f->evaluator->ops;
    const fsattn_problem *problem = &f->space->problems[0].problem;
    fsattn_measure_policy policy = fsattn_measure_policy_of(f->space, &f->evaluator->platform, problem);
    cr_assert_eq(ops->render(f->evaluator, problem, &f->space->manifest->defaults, &variant, &out->outcome, &err), FSATTN_OK);
    cr_assert_eq(ops->build(f->evaluator, &variant, 1, INT64_MAX, &out->outcome, &err), FSATTN_OK);
    cr_assert_eq(ops->start(f->evaluator, variant, problem, INT64_MAX, &trial, &out->outcome, &err), FSATTN_OK);
    int64_t before = ops->now_ns(f->evaluator);
    int64_t deadline = isinf(deadline_s) ? INT64_MAX : before + (int64_t)(deadline_s * 1e9);
    cr_assert_eq(fsattn_measure_run(f->evaluator, trial, &policy, best_ns, deadline, &out->measurement, &out->outcome, &err),
                 FSATTN_OK, "%s", err.message);
    out->runs = fsattn_evaluator_scripted_counts(f->evaluator)->samples;
    out->passed_s = (double)(ops->now_ns(f->evaluator) - before) / 1e9;
    ops->stop(trial);
    ops->release(f->evaluator, variant);
}

static void sample_script(const char *script, const char *yaml, double best_ns, double deadline_s, sampled *out) {
    search_fixture f;
    search_make(&f, script);
    search_open(&f, yaml);
    sample(&f, best_ns, deadline_s, out);
    search_end(&f);
}

Test(measure, a_quiet_candidate_needs_few_samples_and_a_noisy_one_all) {
    sampled out;
    sample_script("{\"cost\": 1000}", "", 0, INFINITY, &out);
    cr_assert(out.measurement.complete && !out.measurement.cut);
    cr_assert_leq(out.measurement.count, 11);
    cr_assert_geq(out.measurement.count, 5);
    cr_assert_eq(out.runs, (int64_t)out.measurement.count + 2); /* two to warm up */
    fsattn_measurement_fini(&out.measurement);
    sample_script("{\"cost\": 1000, \"noise\": 0.3}", "", 0, INFINITY, &out);
    cr_assert_eq(out.measurement.count, 50);
    cr_assert_float_eq(out.measurement.statistics.median_ns, 1000, 250);
    fsattn_measurement_fini(&out.measurement);
}

Test(measure, warm_up_is_not_counted) {
    sampled out;
    sample_script("{\"cost\": 1000, \"warmup_runs\": 2, \"warmup_factor\": 50}", "", 0, INFINITY, &out);
    for (size_t i = 0; i < out.measurement.count; i++) {
        cr_assert_eq(out.measurement.times_ns[i], 1000);
    }
    fsattn_measurement_fini(&out.measurement);
}

Test(measure, what_cannot_win_is_cut_off) {
    sampled out;
    sample_script("{\"cost\": 1200}", "", 1000, INFINITY, &out);
    cr_assert(out.measurement.cut && out.measurement.complete);
    cr_assert_eq(out.measurement.count, 6);
    fsattn_measurement_fini(&out.measurement);
    sample_script("{\"cost\": 1300}", "", 1000, INFINITY, &out);
    cr_assert(out.measurement.cut && out.measurement.complete);
    cr_assert_eq(out.measurement.count, 3);
    fsattn_measurement_fini(&out.measurement);
    sample_script("{\"cost\": 5000}", "", 1000, INFINITY, &out);
    cr_assert_eq(out.measurement.count, 1);
    fsattn_measurement_fini(&out.measurement);
    sample_script("{\"cost\": 1050}", "", 1000, INFINITY, &out);
    cr_assert(!out.measurement.cut);
    fsattn_measurement_fini(&out.measurement);
}

Test(measure, the_time_limit_of_a_candidate_holds) {
    sampled out;
    sample_script("{\"cost\": 1e9}", "measurement: {time_limit_s: 4}\n", 0, INFINITY, &out);
    cr_assert(out.measurement.complete);
    cr_assert_eq(out.measurement.count, 2); /* after two to warm up */
    cr_assert_leq(out.passed_s, 4.001);
    fsattn_measurement_fini(&out.measurement);
}

Test(measure, the_deadline_of_the_caller_cuts) {
    sampled out;
    sample_script("{\"cost\": 1e8}", "", 0, 0.35, &out);
    cr_assert(out.outcome.cut && !out.measurement.complete);
    cr_assert_float_eq(out.passed_s, 0.35, 1e-6);
    fsattn_measurement_fini(&out.measurement);
    sample_script("{\"cost\": 1e8, \"noise\": 0.5}", "", 0, 2.0, &out);
    cr_assert(out.outcome.cut && out.measurement.complete, "what there is suffices");
    cr_assert_float_eq(out.passed_s, 2.0, 1e-6);
    fsattn_measurement_fini(&out.measurement);
}

Test(measure, policy_text_names_everything_that_changes_a_result) {
    static const char *const variants[] = {
        "", "measurement: {warmup: 3}\n", "measurement: {samples_min: 6}\n", "measurement: {samples_max: 51}\n",
        "measurement: {spread: 0.03}\n", "measurement: {cache: cold}\n", "measurement: {time_limit_s: 11}\n",
    };
    char texts[COUNT(variants) + 1][256];
    for (size_t i = 0; i <= COUNT(variants); i++) {
        search_fixture f;
        fsattn_text text = {0};
        search_make(&f, i < COUNT(variants) ? "{}" : "{\"verification\": \"other\"}");
        search_open(&f, variants[i % COUNT(variants)]);
        fsattn_measure_policy_text(&f.space->measurement, &f.evaluator->platform, &text);
        snprintf(texts[i], sizeof texts[i], "%s", text.data);
        for (size_t j = 0; j < i; j++) {
            cr_assert_str_neq(texts[i], texts[j]);
        }
        fsattn_text_fini(&text);
        search_end(&f);
    }
}
