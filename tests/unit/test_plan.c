/* Which plan is found, and what is said about it. */
#include "context.h"
#include "../support/cache_fixture.h"

#include <criterion/criterion.h>

#define BASE "b=1 hq=8 hkv=4 sq=256 sk=256 d=64"

static fsattn_problem problem_of(const char *text) {
    fsattn_problem problem;
    fsattn_err err = {0};
    cr_assert_eq(test_problem_parse(text, &problem, &err), FSATTN_OK, "%s", err.message);
    return problem;
}

/* A context over one file with these records; the folder is gone when it returns. */
static fsattn_context *context_of(const test_record *records, size_t count) {
    char folder[64], path[128];
    const char *caches[] = {path};
    fsattn_err err = {0};
    fsattn_context *context = NULL;
    test_folder(folder);
    snprintf(path, sizeof path, "%s/test.fsc", folder);
    fsattn_fsc_writer *writer = test_writer();
    for (size_t i = 0; i < count; i++) {
        test_add(writer, &records[i]);
    }
    test_publish(writer, path);
    fsattn_options options;
    fsattn_options_init(&options);
    options.caches = caches;
    options.cache_count = 1;
    cr_assert_eq(fsattn_open(&options, &context, &err), FSATTN_OK, "%s", err.message);
    fsattn_folder_remove(folder, NULL);
    return context;
}

/* The configuration of the plan, which the tests use to tell records apart; "" when there is none. */
static const char *found(const fsattn_context *context, const char *problem, const fsattn_accuracy *wanted,
                         fsattn_plan *plan) {
    fsattn_problem asked = problem_of(problem);
    fsattn_plan_info info = {.size = sizeof info};
    fsattn_err err;
    fsattn_status status = fsattn_plan_find(context, &asked, wanted, plan, &err);
    if (status != FSATTN_OK) {
        cr_assert_eq(status, FSATTN_NOT_FOUND, "%s", err.message);
        return "";
    }
    cr_assert_eq(fsattn_plan_info_get(context, plan, &info, &err), FSATTN_OK, "%s", err.message);
    return info.configuration;
}

Test(plan, every_tuned_problem_is_found_as_tuned) {
    static const char *const texts[] = {BASE,
                                        BASE " mask=causal",
                                        BASE " lse=1",
                                        BASE " layout=bhsd",
                                        BASE " q=bf16",
                                        BASE " kv=bf16",
                                        BASE " o=bf16",
                                        BASE " scale=0.5",
                                        "b=1 hq=8 hkv=8 sq=256 sk=256 d=64",
                                        "b=1 hq=8 hkv=1 sq=256 sk=256 d=64",
                                        "b=2 hq=8 hkv=4 sq=256 sk=256 d=64",
                                        "b=1 hq=8 hkv=4 sq=257 sk=256 d=64",
                                        "b=1 hq=8 hkv=4 sq=256 sk=257 d=64",
                                        "b=1 hq=8 hkv=4 sq=256 sk=256 d=128",
                                        "b=2 hq=4 hkv=2 sq=256 sk=256 d=64"};
    enum { count = sizeof texts / sizeof texts[0] };
    static test_record records[count];
    char configurations[count][32];
    for (size_t i = 0; i < count; i++) {
        test_record_init(&records[i], texts[i], NULL, 0);
        snprintf(configurations[i], sizeof configurations[i], "number=%zu", i);
        records[i].record.configuration = configurations[i];
        test_record_time(&records[i], 1000.0 * (double)(i + 1));
    }
    fsattn_context *context = context_of(records, count);
    for (size_t i = 0; i < count; i++) {
        fsattn_plan plan;
        cr_expect_str_eq(found(context, texts[i], NULL, &plan), configurations[i], "%s", texts[i]);
        cr_expect_eq(plan.source, FSATTN_PLAN_TUNED, "%s", texts[i]);
        fsattn_plan_info info = {.size = sizeof info};
        cr_assert_eq(fsattn_plan_info_get(context, &plan, &info, NULL), FSATTN_OK);
        cr_expect_eq(info.time_ns, 1000.0 * (double)(i + 1));
        cr_expect_eq(info.distance, 0);
    }
    fsattn_problem problem;
    char previous[fsattn_problem_text_bytes] = "";
    for (size_t i = 0; i < count; i++) { /* and the context lists exactly these, in order */
        char text[fsattn_problem_text_bytes];
        fsattn_plan plan;
        cr_assert_eq(fsattn_problem_at(context, i, &problem, NULL), FSATTN_OK);
        fsattn_problem_text(&problem, text);
        cr_expect_gt(strcmp(text, previous), 0);
        strcpy(previous, text);
        cr_expect_str_neq(found(context, text, NULL, &plan), "");
        cr_expect_eq(plan.source, FSATTN_PLAN_TUNED);
    }
    cr_expect_eq(fsattn_problem_at(context, count, &problem, NULL), FSATTN_NOT_FOUND);
    fsattn_close(context);
}

Test(plan, every_field_that_affects_a_launch_makes_another_problem) {
    static test_record record;
    test_record_init(&record, BASE, NULL, 0);
    record.record.flexible = 0; /* serves its own problem only */
    fsattn_context *context = context_of(&record, 1);
    static const char *const others[] = {
        BASE " mask=causal", BASE " lse=1",     BASE " layout=bhsd", BASE " q=bf16", BASE " kv=bf16",
        BASE " o=bf16",      BASE " scale=0.5", BASE " hkv=8",       BASE " b=2",    BASE " sq=255",
        BASE " sk=255",      BASE " d=128",     BASE " hq=4",        BASE " q=f16"};
    fsattn_plan plan;
    cr_assert_str_neq(found(context, BASE, NULL, &plan), "");
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        cr_expect_str_eq(found(context, others[i], NULL, &plan), "", "%s", others[i]);
    }
    cr_expect_str_neq(found(context, BASE " scale=0.125", NULL, &plan), "",
                      "1/sqrt(64) is the default scale");
    fsattn_close(context);
}

Test(plan, the_nearest_valid_sizes_serve_what_is_not_tuned) {
    static test_record records[5];
    static const char *const texts[] = {"hq=8 hkv=8 sq=256 sk=256 d=64", "hq=8 hkv=8 sq=1024 sk=1024 d=64",
                                        "hq=8 hkv=8 sq=512 sk=512 d=64", "hq=8 hkv=8 sq=512 sk=512 d=128",
                                        "hq=8 hkv=2 sq=512 sk=256 d=64"};
    static const char *const names[] = {"small", "large", "rigid", "wide", "grouped"};
    for (size_t i = 0; i < 5; i++) {
        test_record_init(&records[i], texts[i], NULL, 0);
        records[i].record.configuration = names[i];
    }
    records[2].record.flexible = 0;
    records[4].record.flexible = FSATTN_FLEXIBLE_SIZES;
    fsattn_context *context = context_of(records, 5);
    fsattn_plan plan;
    cr_expect_str_eq(found(context, "hq=8 hkv=8 sq=400 sk=400 d=64", NULL, &plan),
                     "small"); /* rigid is nearer */
    cr_expect_eq(plan.source, FSATTN_PLAN_NEAREST);
    cr_expect_float_eq(plan.distance, 2 * pow(log2(400.0 / 256), 2), 1e-12);
    cr_expect_str_eq(found(context, "hq=8 hkv=8 sq=520 sk=520 d=64", NULL, &plan), "large");
    cr_expect_str_eq(found(context, "hq=8 hkv=8 sq=512 sk=512 d=64", NULL, &plan), "rigid");
    cr_expect_str_eq(found(context, "b=3 hq=8 hkv=8 sq=512 sk=512 d=128", NULL, &plan), "wide");
    cr_expect_float_eq(plan.distance, pow(log2(3), 2), 1e-12);
    /* With the ratio and scale it is compiled for; another scale is too much for it. */
    cr_expect_str_eq(found(context, "hq=16 hkv=4 sq=512 sk=256 d=64", NULL, &plan), "grouped");
    cr_expect_str_neq(found(context, "hq=8 hkv=4 sq=512 sk=256 d=64", NULL, &plan), "grouped");
    cr_expect_str_neq(found(context, "hq=16 hkv=4 sq=512 sk=256 d=64 scale=2", NULL, &plan), "grouped");
    cr_expect_str_eq(found(context, "hq=8 hkv=8 sq=400 sk=400 d=64 mask=causal", NULL, &plan), "");
    fsattn_close(context);
}

/* ---- intervals ---- */

/* Attributes of an interval, sorted by name; `beyond` NULL: none. */
static void set_interval(test_record *record, fsattn_attribute *attributes, const char *axis, const char *from, const char *to,
                         const char *regret, const char *beyond) {
    size_t count = 0;
    attributes[count++] = (fsattn_attribute){"interval.axis", axis};
    if (beyond) {
        attributes[count++] = (fsattn_attribute){"interval.beyond", beyond};
    }
    attributes[count++] = (fsattn_attribute){"interval.from", from};
    attributes[count++] = (fsattn_attribute){"interval.regret", regret};
    attributes[count++] = (fsattn_attribute){"interval.shapes", "2"};
    attributes[count++] = (fsattn_attribute){"interval.to", to};
    record->record.attributes = attributes;
    record->record.attribute_count = count;
}

Test(plan, an_interval_that_has_the_sizes_goes_before_what_is_near) {
    test_record records[4];
    fsattn_attribute attributes[3][6];
    fsattn_plan plan;
    static const char *const texts[] = {BASE, BASE " sq=4096 sk=4096", BASE " sq=300 sk=700", BASE " sq=2000 sk=2000"};
    static const char *const names[] = {"name=short", "name=long", "name=keys", "name=near"};
    for (size_t i = 0; i < 4; i++) {
        test_record_init(&records[i], texts[i], NULL, 0);
        records[i].record.configuration = names[i];
    }
    set_interval(&records[0], attributes[0], "s", "64", "1500", "0.02", "0.25");
    set_interval(&records[1], attributes[1], "s", "1501", "4096", "0.005", NULL);
    set_interval(&records[2], attributes[2], "sk", "600", "800", "0", NULL);
    fsattn_context *context = context_of(records, 4);
    static const struct {
        const char *problem, *name;
        fsattn_plan_source source;
    } cases[] = {
        {BASE, "name=short", FSATTN_PLAN_TUNED},
        {BASE " sq=2000 sk=2000", "name=near", FSATTN_PLAN_TUNED}, /* exactly this problem goes before an interval */
        {BASE " sq=1500 sk=1500", "name=short", FSATTN_PLAN_INTERVAL}, /* although others are nearer */
        {BASE " sq=1501 sk=1501", "name=long", FSATTN_PLAN_INTERVAL},
        {BASE " sq=2001 sk=2001", "name=long", FSATTN_PLAN_INTERVAL},
        {BASE " sq=63 sk=63", "name=short", FSATTN_PLAN_NEAREST},
        {BASE " sq=5000 sk=5000", "name=long", FSATTN_PLAN_NEAREST},
        {BASE " sq=1500 sk=1600", "name=near", FSATTN_PLAN_NEAREST}, /* both lengths are the axis */
        {BASE " sq=300 sk=620", "name=keys", FSATTN_PLAN_INTERVAL},
        {BASE " sq=301 sk=620", "name=keys", FSATTN_PLAN_NEAREST},
        {"b=2 hq=8 hkv=4 sq=1500 sk=1500 d=64", "name=near", FSATTN_PLAN_NEAREST},
        {"b=1 hq=8 hkv=8 sq=1500 sk=1500 d=64", "name=near", FSATTN_PLAN_NEAREST},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_str_eq(found(context, cases[i].problem, NULL, &plan), cases[i].name, "%s", cases[i].problem);
        cr_expect_eq(plan.source, cases[i].source, "%s: %s", cases[i].problem, fsattn_plan_source_text(plan.source));
    }
    fsattn_problem asked = problem_of(BASE " sq=1500 sk=1500");
    char text[8192];
    cr_assert_eq(fsattn_explain(context, &asked, NULL, text, sizeof text, NULL, NULL), FSATTN_OK);
    cr_expect(strstr(text, "because: interval; it was tuned for an interval of sizes that has this one\ninterval: s 64 .. 1500: at most 2% slower "
                           "than the best found at 2 measured shapes, 25% at the next ones outside\n"), "%s", text);
    cr_expect(strstr(text, "no interval of its has these sizes; "), "%s", text);
    fsattn_plan_info info = {.size = sizeof info};
    found(context, BASE " sq=1500 sk=1500", NULL, &plan);
    cr_assert_eq(fsattn_plan_info_get(context, &plan, &info, NULL), FSATTN_OK);
    cr_expect_eq(info.interval_regret, 0.02);
    cr_expect_eq(info.interval_beyond, 0.25);
    fsattn_close(context);
}

Test(plan, between_tuned_shapes_the_cheapest_tier_that_will_do_serves) {
    enum { count = 5, interval_attributes = 7 };
    test_record records[count];
    fsattn_attribute attributes[count][interval_attributes];
    fsattn_plan plan;
    /* The rough tier's kernels are fastest; the one that serves 1000 was tuned far from there. That of the middle one ends at 1500. */
    static const struct {
        const char *text, *name, *from, *to, *tier;
        double error, ns;
    } rows[count] = {
        {BASE, "name=exact", "64", "4096", "exact", 0.003, 9000},
        {BASE " sq=1024 sk=1024", "name=middle", "64", "1500", "middle", 0.02, 20000},
        {BASE " sq=1024 sk=1024", "name=also_exact", "64", "4096", "exact", 0.003, 30000},
        {BASE " sq=4096 sk=4096", "name=rough", "900", "4096", "rough", 0.08, 100000},
        {BASE, "name=rough_short", "64", "899", "rough", 0.08, 5000},
    };
    for (size_t i = 0; i < count; i++) {
        test_record_init(&records[i], rows[i].text, NULL, 0);
        records[i].record.configuration = rows[i].name;
        records[i].accuracy.relative_error = rows[i].error;
        records[i].accuracy.cosine = 1 - rows[i].error * rows[i].error;
        records[i].accuracy.maximum_error = 10 * rows[i].error;
        test_record_time(&records[i], rows[i].ns);
        set_interval(&records[i], attributes[i], "s", rows[i].from, rows[i].to, "0.02", NULL);
        attributes[i][5] = attributes[i][4];
        attributes[i][4] = (fsattn_attribute){"interval.tier", rows[i].tier};
        records[i].record.attribute_count++;
    }
    fsattn_context *context = context_of(records, count);
    static const struct {
        const char *sizes, *name;
        double error;
        fsattn_grade grade;
    } cases[] = {
        {"sq=1000 sk=1000", "name=rough", 0, FSATTN_GRADE_ANY},       {"sq=1000 sk=1000", "name=rough", 0.1, FSATTN_GRADE_ANY},
        {"sq=1000 sk=1000", "name=middle", 0.05, FSATTN_GRADE_ANY},   {"sq=1000 sk=1000", "name=also_exact", 0.01, FSATTN_GRADE_ANY},
        {"sq=300 sk=300", "name=exact", 0.01, FSATTN_GRADE_ANY},      {"sq=300 sk=300", "name=middle", 0.05, FSATTN_GRADE_ANY},
        {"sq=300 sk=300", "name=rough_short", 0, FSATTN_GRADE_ANY},   {"sq=2000 sk=2000", "name=also_exact", 0.05, FSATTN_GRADE_ANY},
        {"sq=2000 sk=2000", "name=rough", 0, FSATTN_GRADE_ANY},       {"sq=1000 sk=1000", "name=also_exact", 0, FSATTN_GRADE_BF16},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const fsattn_accuracy wanted = {.size = sizeof wanted, .maximum_relative_error = cases[i].error, .grade = cases[i].grade};
        char problem[128];
        snprintf(problem, sizeof problem, BASE " %s", cases[i].sizes);
        cr_expect_str_eq(found(context, problem, &wanted, &plan), cases[i].name, "%s, %g", cases[i].sizes, cases[i].error);
        cr_expect_eq(plan.source, FSATTN_PLAN_INTERVAL, "%s", cases[i].sizes);
    }
    const fsattn_accuracy wanted = {.size = sizeof wanted, .maximum_relative_error = 0.05};
    const fsattn_accuracy figures[] = {{.size = sizeof figures[0], .minimum_cosine = 0.999}, {.size = sizeof figures[0], .maximum_error = 0.3}};
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        cr_expect_str_eq(found(context, BASE " sq=1000 sk=1000", &figures[i], &plan), "name=middle", "%zu", i);
        cr_expect_eq(plan.source, FSATTN_PLAN_INTERVAL);
    }
    fsattn_problem asked = problem_of(BASE " sq=1000 sk=1000");
    char text[8192];
    cr_assert_eq(fsattn_explain(context, &asked, &wanted, text, sizeof text, NULL, NULL), FSATTN_OK);
    cr_expect(strstr(text, "interval: s 64 .. 1500 in tier middle: at most 2% slower than the best found that is as accurate at 2 measured shapes\n"), "%s", text);
    cr_expect(strstr(text, "its interval is of another tier, and the chosen one's will do; "), "%s", text);
    cr_expect(strstr(text, "not accurate enough; "), "%s", text);
    fsattn_close(context);
}

Test(plan, an_interval_that_is_malformed_or_not_accurate_enough_is_none) {
    static const struct {
        const char *axis, *from, *to, *regret, *beyond;
    } cases[] = {{"length", "64", "512", "0", NULL}, {"s", "512", "64", "0", NULL}, {"s", "64", "512", "-1", NULL}, {"s", "64", "512", "nan", NULL},
                 {"s", "64x", "512", "0", NULL},     {"s", "0", "512", "0", NULL},  {"s", "64", "512", "0", ""},      {"s", "64", "9999999999999999999", "0", NULL}};
    fsattn_plan plan;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_record record;
        fsattn_attribute attributes[6];
        test_record_init(&record, BASE, NULL, 0);
        set_interval(&record, attributes, cases[i].axis, cases[i].from, cases[i].to, cases[i].regret, cases[i].beyond);
        fsattn_context *context = context_of(&record, 1);
        found(context, BASE " sq=257 sk=257", NULL, &plan);
        cr_expect_eq(plan.source, FSATTN_PLAN_NEAREST, "case %zu", i);
        fsattn_close(context);
    }
    test_record records[2];
    fsattn_attribute attributes[6];
    test_record_init(&records[0], BASE, NULL, 0);
    test_record_init(&records[1], BASE " sq=4096 sk=4096", NULL, 0);
    set_interval(&records[0], attributes, "s", "64", "4095", "0", NULL);
    records[0].accuracy.relative_error = 0.1;
    records[1].record.configuration = "name=accurate";
    fsattn_context *context = context_of(records, 2);
    const fsattn_accuracy wanted = {.size = sizeof wanted, .maximum_relative_error = 0.01};
    cr_expect_str_eq(found(context, BASE " sq=257 sk=257", &wanted, &plan), "name=accurate");
    cr_expect_eq(plan.source, FSATTN_PLAN_NEAREST);
    fsattn_close(context);
}

Test(plan, the_default_of_a_family_serves_what_nothing_tuned_serves) {
    static test_record records[3];
    test_record_init(&records[0], BASE, NULL, 0);
    test_record_init(&records[1], BASE, NULL, 0);
    test_record_init(&records[2], BASE " mask=causal", NULL, 0);
    records[0].record.configuration = "tuned";
    records[0].record.flexible = 0;
    records[1].record.configuration = "default";
    test_record_time(&records[1], 10); /* faster, and a default all the same */
    records[2].record.configuration = "causal_default";
    records[1].record.role = records[2].record.role = FSATTN_ROLE_DEFAULT;
    fsattn_context *context = context_of(records, 3);
    fsattn_plan plan;
    fsattn_problem problem;
    cr_expect_str_eq(found(context, BASE, NULL, &plan), "tuned");
    cr_expect_str_eq(found(context, BASE " sq=8", NULL, &plan), "default");
    cr_expect_eq(plan.source, FSATTN_PLAN_DEFAULT);
    cr_expect_eq(plan.distance, 0);
    cr_expect_str_eq(found(context, BASE " mask=causal", NULL, &plan), "causal_default");
    cr_expect_eq(plan.source, FSATTN_PLAN_DEFAULT, "not tuned, although for exactly this problem");
    cr_expect_eq(fsattn_problem_at(context, 0, &problem, NULL), FSATTN_OK);
    cr_expect_eq(fsattn_problem_at(context, 1, &problem, NULL), FSATTN_NOT_FOUND,
                 "a default is not a tuned problem");
    fsattn_close(context);
}

Test(plan, the_fastest_that_is_accurate_enough) {
    static test_record records[4];
    static const char *const names[] = {"fast", "medium", "slow", "unmeasured"};
    static const double errors[] = {1e-1, 1e-3, 1e-6, 0};
    for (size_t i = 0; i < 4; i++) {
        test_record_init(&records[i], BASE, NULL, 0);
        records[i].record.configuration = names[i];
        test_record_time(&records[i], 1000.0 * (double)(i + 1));
        records[i].accuracy = (fsattn_accuracy_entry){.distribution = i == 3 ? "outlier_channels" : "normal",
                                                      .relative_error = errors[i],
                                                      .maximum_error = 10 * errors[i],
                                                      .cosine = 1 - errors[i],
                                                      .coverage = 1};
    }
    test_record_time(&records[3], 1); /* the fastest; how accurate it is on normal inputs is unknown */
    fsattn_context *context = context_of(records, 4);
    const struct {
        fsattn_accuracy wanted;
        const char *expected;
    } cases[] = {
        {{.maximum_relative_error = 0.5}, "fast"},
        {{.maximum_relative_error = 1e-3}, "medium"},
        {{.maximum_relative_error = 1e-5}, "slow"},
        {{.maximum_relative_error = 1e-9}, ""},
        {{.maximum_error = 1e-2}, "medium"},
        {{.maximum_error = 1e-3}, "slow"},
        {{.minimum_cosine = 0.99}, "medium"},
        {{.minimum_cosine = 0.99999}, "slow"},
        {{.minimum_cosine = 0.5, .maximum_error = 1e-4}, "slow"},
        {{0}, "unmeasured"},
    };
    fsattn_plan plan;
    cr_expect_str_eq(found(context, BASE, NULL, &plan), "unmeasured");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fsattn_accuracy wanted = cases[i].wanted;
        wanted.size = sizeof wanted;
        cr_expect_str_eq(found(context, BASE, &wanted, &plan), cases[i].expected, "case %zu", i);
        cr_expect_str_eq(found(context, BASE " sq=300", &wanted, &plan), cases[i].expected,
                         "case %zu, nearest", i);
    }
    fsattn_problem problem = problem_of(BASE);
    fsattn_err err;
    cr_expect_eq(fsattn_plan_find(context, &problem,
                                  &(fsattn_accuracy){.size = sizeof(fsattn_accuracy), .maximum_error = NAN},
                                  &plan, &err),
                 FSATTN_INVALID);
    cr_expect_eq(fsattn_plan_find(context, &problem, &(fsattn_accuracy){.maximum_error = 1}, &plan, &err),
                 FSATTN_INVALID);
    cr_expect_not_null(strstr(err.message, "accuracy.size"), "%s", err.message);
    fsattn_close(context);
}

/* Three kernels for one problem: the faster, the less accurate. */
static fsattn_context *context_of_formats(void) {
    static test_record records[3];
    static const char *const names[] = {"four", "six", "exact"};
    static const double errors[] = {0.2, 0.065, 1e-6};
    for (size_t i = 0; i < 3; i++) {
        test_record_init(&records[i], BASE, NULL, 0);
        records[i].record.configuration = names[i];
        records[i].accuracy.relative_error = errors[i];
        test_record_time(&records[i], 1e6 * (double)(i + 1));
    }
    return context_of(records, 3);
}

Test(plan, a_format_is_an_accuracy_by_name) {
    const struct {
        fsattn_accuracy wanted;
        const char *expected;
    } cases[] = {{{.grade = FSATTN_GRADE_ANY}, "four"},
                 {{.grade = FSATTN_GRADE_MXFP4}, "four"},
                 {{.grade = FSATTN_GRADE_MXFP6}, "six"},
                 {{.grade = FSATTN_GRADE_MXFP8}, "exact"},
                 {{.grade = FSATTN_GRADE_BF16}, "exact"},
                 {{.grade = FSATTN_GRADE_F32}, "exact"},
                 /* The stricter of both counts. */
                 {{.grade = FSATTN_GRADE_MXFP4, .maximum_relative_error = 0.1}, "six"},
                 {{.grade = FSATTN_GRADE_MXFP6, .maximum_relative_error = 0.5}, "six"}};
    fsattn_context *context = context_of_formats();
    fsattn_plan plan;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fsattn_accuracy wanted = cases[i].wanted;
        wanted.size = sizeof wanted;
        cr_expect_str_eq(found(context, BASE, &wanted, &plan), cases[i].expected, "case %zu", i);
    }
    const fsattn_accuracy six = {.size = sizeof six, .grade = FSATTN_GRADE_MXFP6};
    const fsattn_accuracy unknown = {.size = sizeof unknown, .grade = (fsattn_grade)99};
    fsattn_problem problem = problem_of(BASE);
    fsattn_err err;
    char text[4096];
    cr_assert_eq(fsattn_explain(context, &problem, &six, text, sizeof text, NULL, NULL), FSATTN_OK);
    cr_expect_not_null(strstr(text, "relative error at most 0.0706, that is as good as mxfp6\n"), "%s", text);
    cr_expect_eq(fsattn_plan_find(context, &problem, &unknown, &plan, &err), FSATTN_INVALID);
    cr_expect_not_null(strstr(err.message, "accuracy.grade: unknown value 99"), "%s", err.message);
    /* A caller from before there were formats. */
    fsattn_accuracy older = six;
    older.size = offsetof(fsattn_accuracy, grade);
    cr_expect_str_eq(found(context, BASE, &older, &plan), "four");
    fsattn_close(context);
}

Test(plan, a_schedule_asks_for_more_at_its_ends) {
    const fsattn_accuracy six = {.size = sizeof six, .grade = FSATTN_GRADE_MXFP6},
                          four = {.size = sizeof four, .grade = FSATTN_GRADE_MXFP4},
                          exact = {.size = sizeof exact, .grade = FSATTN_GRADE_F32};
    fsattn_schedule schedule = {
        .size = sizeof schedule, .steps = 10, .first = 2, .last = 3, .ends = &six, .middle = &four};
    static const char *const expected[] = {"six",  "six",  "four", "four", "four",
                                           "four", "four", "six",  "six",  "six"};
    fsattn_context *context = context_of_formats();
    fsattn_problem problem = problem_of(BASE);
    fsattn_plan plan;
    fsattn_plan_info info = {.size = sizeof info};
    fsattn_err err;
    for (int64_t step = 0; step < 10; step++) {
        cr_assert_eq(fsattn_plan_find_step(context, &problem, &schedule, step, NULL, &plan, &err), FSATTN_OK);
        cr_assert_eq(fsattn_plan_info_get(context, &plan, &info, &err), FSATTN_OK);
        cr_expect_str_eq(info.configuration, expected[step], "step %d", (int)step);
        cr_assert_eq(fsattn_plan_find_step(context, &problem, &schedule, step, &exact, &plan, &err), FSATTN_OK);
        cr_assert_eq(fsattn_plan_info_get(context, &plan, &info, &err), FSATTN_OK);
        cr_expect_str_eq(info.configuration, "exact", "step %d, this call asks for more", (int)step);
    }
    const struct {
        int64_t steps, first, last, step;
        const char *message;
    } bad[] = {{10, 2, 2, 10, "step: expected 0 to 9, got 10"},
               {10, 2, 2, -1, "step: expected 0 to 9"},
               {0, 0, 0, 0, "schedule: expected at least one step"},
               {10, -1, 0, 0, "no negative number"},
               {10, 0, -1, 0, "no negative number"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        schedule.steps = bad[i].steps;
        schedule.first = bad[i].first;
        schedule.last = bad[i].last;
        cr_expect_eq(fsattn_plan_find_step(context, &problem, &schedule, bad[i].step, NULL, &plan, &err),
                     FSATTN_INVALID);
        cr_expect_not_null(strstr(err.message, bad[i].message), "%s", err.message);
    }
    /* More at the ends than there are steps: all of them are ends. NULL demands take what was tuned. */
    const fsattn_accuracy *wanted = NULL;
    schedule = (fsattn_schedule){.size = sizeof schedule, .steps = 3, .first = 9, .last = 9, .ends = &six};
    cr_assert_eq(fsattn_schedule_at(&schedule, 1, NULL, &wanted, &err), FSATTN_OK);
    cr_expect_eq(wanted, &six);
    schedule.first = schedule.last = 1;
    cr_assert_eq(fsattn_schedule_at(&schedule, 1, NULL, &wanted, &err), FSATTN_OK);
    cr_expect_null(wanted);
    cr_expect_eq(fsattn_schedule_at(&schedule, 1, NULL, NULL, &err), FSATTN_INVALID);
    cr_expect_eq(fsattn_schedule_at(NULL, 1, NULL, &wanted, &err), FSATTN_INVALID);
    fsattn_close(context);
}

Test(plan, times_that_mean_less_come_later) {
    /* In order of preference; each is faster than the one before. */
    static const char *const names[] = {"here", "other_units", "elsewhere", "modelled", "untimed"};
    enum { count = 5 };
    static test_record records[count];
    for (size_t i = 0; i < count; i++) {
        test_record_init(&records[i], BASE, NULL, 0);
        records[i].record.configuration = names[i];
        records[i].record.role = FSATTN_ROLE_DEFAULT; /* the only role that may go untimed */
        test_record_time(&records[i], 1000.0 * (double)(count - i));
    }
    records[1].record.cost.units += 1;
    records[2].record.cost.device = "another processor";
    records[3].record.cost.provenance = FSATTN_MODELLED;
    records[4].record.cost =
        (fsattn_cost){.device = records[4].cpu.model, .units = records[4].cpu.cores, .driver = "host"};
    for (size_t first = 0; first < count; first++) {
        fsattn_plan plan;
        fsattn_context *context = context_of(records + first, count - first);
        cr_expect_str_eq(found(context, BASE, NULL, &plan), names[first]);
        fsattn_close(context);
    }
}

Test(plan, what_cannot_run_here_is_never_found) {
    static test_record record;
    char isa[64];
    const struct {
        const char *isa, *reason;
        uint32_t abi;
        fsattn_target target;
        bool unproven;
        const char *work_items;
        int64_t tile_m;
    } cases[] = {
        {NULL, NULL, FSATTN_HOST_ABI, FSATTN_TARGET_HOST, false, "query_tiles", 16}, /* the one that can */
        {"+avx999", "needs ", FSATTN_HOST_ABI, FSATTN_TARGET_HOST, false, "query_tiles", 16},
        {"64", "needs ", FSATTN_HOST_ABI, FSATTN_TARGET_HOST, false, "query_tiles", 16},
        {"+", "needs ", FSATTN_HOST_ABI, FSATTN_TARGET_HOST, false, "query_tiles", 16},
        {NULL, "kernel ABI 2", 2, FSATTN_TARGET_HOST, false, "query_tiles", 16},
        {NULL, "for target gfx950", FSATTN_HOST_ABI, FSATTN_TARGET_GFX950, false, "query_tiles", 16},
        {NULL, "imported", FSATTN_HOST_ABI, FSATTN_TARGET_HOST, true, "query_tiles", 16},
        {NULL, "rule 'key_tiles'", FSATTN_HOST_ABI, FSATTN_TARGET_HOST, false, "key_tiles", 16},
        {NULL, "tiles of 0", FSATTN_HOST_ABI, FSATTN_TARGET_HOST, false, "query_tiles", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_record_init(&record, BASE, NULL, 0);
        snprintf(isa, sizeof isa, "%s%s", record.cpu.arch, cases[i].isa ? cases[i].isa : "");
        record.record.isa = isa;
        record.record.abi = cases[i].abi;
        record.record.target = cases[i].target;
        record.record.unproven = cases[i].unproven;
        record.stage.work_items = cases[i].work_items;
        record.stage.tile_m = cases[i].tile_m;
        fsattn_context *context = context_of(&record, 1);
        fsattn_plan plan;
        fsattn_problem problem = problem_of(BASE);
        char text[4096];
        cr_assert_eq(fsattn_explain(context, &problem, NULL, text, sizeof text, NULL, NULL), FSATTN_OK);
        cr_expect_eq(strlen(found(context, BASE, NULL, &plan)) > 0, i == 0, "case %zu", i);
        cr_expect_eq(strlen(found(context, BASE " sq=8", NULL, &plan)) > 0, i == 0, "case %zu", i);
        cr_expect(!cases[i].reason || strstr(text, cases[i].reason), "case %zu: %s", i, text);
        cr_expect_eq(fsattn_problem_at(context, 0, &problem, NULL), i == 0 ? FSATTN_OK : FSATTN_NOT_FOUND);
        fsattn_close(context);
    }
}

Test(plan, a_chain_of_kernels_is_not_run_in_part) {
    static test_record record;
    test_record_init(&record, BASE, NULL, 0);
    const fsattn_stage stages[] = {record.stage, record.stage};
    record.record.stages = stages;
    record.record.stage_count = 2;
    fsattn_context *context = context_of(&record, 1);
    fsattn_plan plan;
    cr_expect_str_eq(found(context, BASE, NULL, &plan), "");
    fsattn_close(context);
}

Test(plan, a_kernel_needs_a_subset_of_the_features) {
    const struct {
        const char *offered, *wanted;
        bool covers;
    } cases[] = {
        {"x86_64+avx+avx2+fma", "x86_64+avx+avx2+fma", true},
        {"x86_64+avx+avx2+fma", "x86_64+fma+avx", true},
        {"x86_64+avx+avx2+fma", "x86_64", true},
        {"x86_64+avx+avx2+fma", "x86_64+avx512f", false},
        {"x86_64+avx2+fma", "x86_64+avx", false}, /* a prefix of a feature is none */
        {"x86_64+avx", "x86_64+avx2", false},
        {"x86_64+avx", "aarch64", false},
        {"x86_64+avx", "x86_64+x86_64", false},
        {"x86_64+avx", "x86_6", false},
        {"x86_64+avx", "", false},
        {"x86_64+avx", "x86_64+", false},
        {"gfx950:sramecc+:xnack-", "gfx950", true},
        {"gfx950:sramecc+:xnack-", "gfx950:xnack-", true},
        {"gfx950:sramecc+:xnack-", "gfx950:xnack+", false},
        {"gfx950", "gfx950:xnack-", false},
        {"gfx942:sramecc+:xnack-", "gfx950", false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cr_expect_eq(fsattn_isa_covers(cases[i].offered, cases[i].wanted), cases[i].covers, "%s on %s",
                     cases[i].wanted, cases[i].offered);
    }
}

Test(plan, finding_takes_no_lock_and_allocates_nothing, .timeout = 60) {
    static test_record records[2];
    test_record_init(&records[0], BASE, NULL, 0);
    test_record_init(&records[1], BASE " mask=causal", NULL, 0);
    records[1].record.role = FSATTN_ROLE_DEFAULT;
    fsattn_context *context = context_of(records, 2);
    const fsattn_problem asked[] = {problem_of(BASE), problem_of(BASE " sq=100"),
                                    problem_of(BASE " mask=causal sk=400"), problem_of(BASE " d=128")};
    const fsattn_accuracy wanted = {.size = sizeof wanted, .maximum_error = 1e-3};
    fsattn_plan plan;
    fsattn_plan_info info = {.size = sizeof info};
    fsattn_err err;
    pthread_mutex_lock(&context->lock); /* who needs it now waits for ever */
    fsattn_memory_fail_after(1);
    for (size_t i = 0; i < 4; i++) {
        fsattn_status expected = i < 3 ? FSATTN_OK : FSATTN_NOT_FOUND;
        cr_expect_eq(fsattn_plan_find(context, &asked[i], &wanted, &plan, &err), expected);
    }
    cr_expect_eq(fsattn_plan_info_get(context, &plan, &info, &err), FSATTN_OK);
    fsattn_memory_fail_after(0);
    pthread_mutex_unlock(&context->lock);
    fsattn_close(context);
}

Test(plan, a_plan_says_what_it_is) {
    static test_record record;
    test_record_init(&record, BASE, NULL, 0);
    record.record.cost.spread_ns = 77;
    fsattn_context *context = context_of(&record, 1);
    fsattn_plan plan;
    fsattn_err err;
    cr_assert_str_eq(found(context, BASE " sq=512", NULL, &plan), "tile_m=16");
    fsattn_plan_info info = {.size = sizeof info};
    cr_assert_eq(fsattn_plan_info_get(context, &plan, &info, &err), FSATTN_OK);
    cr_expect_str_eq(fsattn_plan_source_text(info.source), "nearest");
    cr_expect_eq(info.distance, 1);
    cr_expect_eq(info.provenance, FSATTN_MEASURED);
    cr_expect_eq(info.time_ns, 1e6);
    cr_expect_eq(info.time_spread_ns, 77);
    cr_expect_eq(info.maximum_error, 1e-5);
    cr_expect_eq(info.relative_error, 1e-6);
    cr_expect_eq(info.cosine, 0.999999);
    cr_expect_str_eq(info.template_name, "naive");
    cr_expect_str_eq(info.isa, record.cpu.arch);
    cr_expect_not_null(strstr(info.cache, "/test.fsc"));
    cr_expect_not_null(strstr(info.tuned_problem, "sq=256"));
    cr_expect_not(info.prepared);
    /* A caller with a shorter struct gets what fits and nothing else is touched. */
    fsattn_plan_info shorter = {.size = offsetof(fsattn_plan_info, time_ns), .time_ns = 42};
    cr_assert_eq(fsattn_plan_info_get(context, &plan, &shorter, &err), FSATTN_OK);
    cr_expect_eq(shorter.source, FSATTN_PLAN_NEAREST);
    cr_expect_eq(shorter.time_ns, 42);
    cr_expect_eq(fsattn_plan_info_get(context, &plan, &(fsattn_plan_info){0}, &err), FSATTN_INVALID);
    cr_expect_eq(fsattn_plan_info_get(context, &plan, NULL, &err), FSATTN_INVALID);
    fsattn_context *other = context_of(&record, 1);
    cr_expect_eq(fsattn_plan_info_get(other, &plan, &info, &err), FSATTN_INVALID);
    cr_expect_not_null(strstr(err.message, "not found in this context"));
    fsattn_close(other);
    fsattn_close(context);
}

Test(plan, explain_says_what_was_chosen_and_what_was_passed_over) {
    static test_record records[6];
    static const char *const names[] = {"best", "later", "inexact", "foreign", "small", "plain"};
    for (size_t i = 0; i < 6; i++) {
        test_record_init(&records[i], i == 4 ? BASE " sq=64" : BASE, NULL, 0);
        records[i].record.configuration = names[i];
        test_record_time(&records[i], 1e6 * (double)(i + 1));
    }
    records[2].accuracy.relative_error = 0.5;
    test_record_time(&records[2], 1);
    records[3].record.isa = "vax";
    records[5].record.role = FSATTN_ROLE_DEFAULT;
    fsattn_context *context = context_of(records, 6);
    const fsattn_accuracy wanted = {.size = sizeof wanted, .maximum_relative_error = 0.01};
    fsattn_problem problem = problem_of(BASE);
    char text[8192], start[40];
    size_t needed, again;
    fsattn_err err;
    cr_assert_eq(fsattn_explain(context, &problem, &wanted, text, sizeof text, &needed, &err), FSATTN_OK);
    cr_expect_eq(strlen(text), needed);
    const char *const expected[] = {"problem: attention_fwd b=1 hq=8",
                                    "wanted: relative error at most 0.01\n",
                                    "chosen: naive best, for ",
                                    "tuned for exactly this problem",
                                    "median 1 ms",
                                    "passed over: naive later",
                                    "comes after the chosen one",
                                    "naive inexact",
                                    "not accurate enough",
                                    "needs vax",
                                    "a default, and something tuned serves"};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        cr_expect_not_null(strstr(text, expected[i]), "'%s' is not in:\n%s", expected[i], text);
    }
    cr_expect_null(strstr(text, "small"), "an exact plan needs no other sizes");
    cr_assert_eq(fsattn_explain(context, &problem, &wanted, start, sizeof start, &again, &err), FSATTN_OK);
    cr_expect_eq(again, needed);
    cr_expect_eq(strlen(start), sizeof start - 1);
    cr_expect_eq(strncmp(start, text, sizeof start - 1), 0);
    cr_expect_eq(fsattn_explain(context, &problem, NULL, NULL, 0, &needed, &err), FSATTN_OK);
    cr_expect_eq(fsattn_explain(context, &problem, NULL, NULL, 10, &needed, &err), FSATTN_INVALID);
    problem.s_q = 100;
    cr_assert_eq(fsattn_explain(context, &problem, NULL, text, sizeof text, NULL, &err), FSATTN_OK);
    cr_expect_not_null(strstr(text, "chosen: naive small"), "%s", text);
    cr_expect_not_null(strstr(text, "distance 0.415"), "%s", text);
    cr_expect_not_null(strstr(text, "farther away"), "%s", text);
    problem.head_dim = 32;
    cr_assert_eq(fsattn_explain(context, &problem, NULL, text, sizeof text, NULL, &err), FSATTN_OK);
    cr_expect_not_null(strstr(text, "chosen: nothing"), "%s", text);
    fsattn_close(context);
}

Test(plan, what_is_not_found_says_why) {
    static test_record records[2];
    test_record_init(&records[0], BASE, NULL, 0);
    test_record_init(&records[1], BASE " layout=bhsd", NULL, 0);
    records[0].record.flexible = 0;
    records[1].record.abi = 7;
    fsattn_context *context = context_of(records, 2);
    const struct {
        const char *problem, *message, *hint;
    } cases[] = {{BASE " sq=1", "of 1 kernels", "fsattn_explain"},
                 {BASE " layout=bhsd", "none of 1 kernels", "fsattn_explain"},
                 {BASE " d=128", "no cache has a kernel", "fsattn-tune"}};
    for (size_t i = 0; i < 3; i++) {
        fsattn_problem problem = problem_of(cases[i].problem);
        fsattn_plan plan;
        fsattn_err err;
        cr_expect_eq(fsattn_plan_find(context, &problem, NULL, &plan, &err), FSATTN_NOT_FOUND);
        cr_expect_not_null(strstr(err.message, cases[i].message), "%s", err.message);
        cr_expect_not_null(strstr(err.hint, cases[i].hint), "%s", err.hint);
        cr_expect_eq(fsattn_plan_find(context, &problem, NULL, &plan, NULL), FSATTN_NOT_FOUND);
    }
    fsattn_plan plan;
    fsattn_problem bad = problem_of(BASE);
    bad.heads_kv = 3;
    cr_expect_eq(fsattn_plan_find(context, &bad, NULL, &plan, NULL), FSATTN_INVALID);
    cr_expect_eq(fsattn_plan_find(context, NULL, NULL, &plan, NULL), FSATTN_INVALID);
    cr_expect_eq(fsattn_plan_find(NULL, &bad, NULL, &plan, NULL), FSATTN_INVALID);
    bad = problem_of(BASE);
    cr_expect_eq(fsattn_plan_find(context, &bad, NULL, NULL, NULL), FSATTN_INVALID);
    fsattn_close(context);
}
