/* The cache file that comes with the library: it opens, and serves each of its problems as tuned, with costs that are modelled. */
#include "error.h"
#include "fsattn.h"
#include "fsc.h"
#include "memory.h"
#include "space.h"

#include "../support/sim_device.h"

#include <sys/stat.h>

#define PRETUNED FSATTN_SOURCE_DIR "/cache/pretuned/mi355x.fsc"

static fsattn_context *open_shipped(void) {
    fsattn_options options;
    fsattn_context *context = NULL;
    fsattn_err err = {0};
    fsattn_options_init(&options);
    options.device = "sim";
    options.library = SIM_LIBRARY;
    options.shipped_caches = true;
    cr_assert_eq(fsattn_open(&options, &context, &err), FSATTN_OK, "%s", err.message);
    return context;
}

static fsattn_plan_info info_of(fsattn_context *context, const fsattn_problem *problem, fsattn_grade grade) {
    const fsattn_accuracy accuracy = {.size = sizeof accuracy, .grade = grade};
    fsattn_plan_info info = {.size = sizeof info};
    fsattn_plan plan;
    fsattn_err err = {0};
    char text[fsattn_problem_text_bytes];
    fsattn_problem_text(problem, text);
    const fsattn_status status = fsattn_plan_find(context, problem, grade == FSATTN_GRADE_ANY ? NULL : &accuracy, &plan, &err);
    if (status != FSATTN_OK && grade == FSATTN_GRADE_MXFP8) {
        info.source = FSATTN_PLAN_DEFAULT; /* not every problem has something that accurate */
        return info;
    }
    cr_assert_eq(status, FSATTN_OK, "%s: %s", text, err.message);
    cr_assert_eq(fsattn_plan_info_get(context, &plan, &info, &err), FSATTN_OK, "%s", err.message);
    /* Where nothing tuned is that accurate another size's kernel may be. */
    cr_expect(info.source == FSATTN_PLAN_TUNED || grade == FSATTN_GRADE_MXFP8, "%s, %s: %s", text, fsattn_grade_text(grade),
              fsattn_plan_source_text(info.source));
    cr_expect_eq(info.provenance, FSATTN_MODELLED, "%s", text);
    cr_expect(strstr(info.cache, "mi355x.fsc") != NULL, "%s", info.cache);
    return info;
}

Test(pretuned, each_problem_is_served_as_tuned_and_modelled) {
    const size_t *problems;
    size_t count;
    fsattn_space *space;
    fsattn_err err = {0};
    fsattn_context *context = open_shipped();
    cr_assert_eq(fsattn_space_load(FSATTN_SOURCE_DIR "/spaces/mi355x.yaml", NULL, &space, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_space_select(space, "pretuned", &problems, &count, &err), FSATTN_OK, "%s", err.message);
    cr_assert_geq(count, 10);
    size_t whole = 0; /* problems with a kernel of each of these grades */
    for (size_t i = 0; i < count; i++) {
        const fsattn_problem *problem = &space->problems[problems[i]].problem;
        const fsattn_plan_info any = info_of(context, problem, FSATTN_GRADE_ANY);
        double faster_ns = any.time_ns;
        bool all = true;
        /* Who asks for more accuracy gets it, and pays for it. */
        static const fsattn_grade grades[] = {FSATTN_GRADE_MXFP4, FSATTN_GRADE_MXFP6, FSATTN_GRADE_MXFP8};
        static const double errors[] = {0.2187, 0.0706, 0.0626};
        for (size_t g = 0; g < sizeof grades / sizeof grades[0]; g++) {
            const fsattn_plan_info info = info_of(context, problem, grades[g]);
            cr_expect_leq(info.relative_error, errors[g], "%s: %g", space->problems[problems[i]].name, info.relative_error);
            const bool tuned = info.source == FSATTN_PLAN_TUNED;
            cr_expect(!tuned || info.time_ns >= faster_ns, "%s", space->problems[problems[i]].name);
            faster_ns = tuned ? info.time_ns : faster_ns;
            all = all && tuned;
        }
        whole += all;
    }
    cr_expect_geq(whole, 4, "only %zu problems have all of MXFP4, MXFP6 and MXFP8", whole);
    fsattn_space_destroy(space);
    fsattn_close(context);
}

/* What is promised is no better than any case that the record tells of, but that of another scale. */
static void expect_worst(const fsattn_fsc_record *record) {
    const fsattn_accuracy_entry *normal = fsattn_fsc_accuracy(record, "normal");
    cr_assert_not_null(normal);
    for (size_t i = 0; i < record->accuracy_count; i++) {
        const fsattn_accuracy_entry *one = &record->accuracies[i];
        if (!strncmp(one->distribution, "normal_", 7) && strcmp(one->distribution, "normal_21x45") != 0) {
            cr_expect_leq(one->relative_error, normal->relative_error, "%s: %s", record->problem_text, one->distribution);
            cr_expect_leq(one->maximum_error, normal->maximum_error, "%s: %s", record->problem_text, one->distribution);
            cr_expect_geq(one->cosine, normal->cosine, "%s: %s", record->problem_text, one->distribution);
        }
    }
}

Test(pretuned, it_holds_source_and_code_and_is_small) {
    struct stat file;
    fsattn_fsc *fsc = NULL;
    fsattn_err err = {0};
    cr_assert_eq(stat(PRETUNED, &file), 0);
    cr_assert_lt(file.st_size, 20000000);
    cr_assert_eq(fsattn_fsc_open(PRETUNED, NULL, NULL, &fsc, &err), FSATTN_OK, "%s", err.message);
    for (size_t i = 0; i < fsattn_fsc_count(fsc); i++) {
        const fsattn_fsc_record *record = fsattn_fsc_at(fsc, i);
        cr_expect_eq(record->cost.provenance, FSATTN_MODELLED);
        cr_expect_gt(record->source.bytes, 1000);
        expect_worst(record);
        cr_expect_gt(record->stage_count, 1);
        for (size_t k = 0; k < record->stage_count; k++) {
            cr_expect(record->stages[k].code.data && record->stages[k].code.bytes > 1000);
        }
    }
    fsattn_fsc_close(fsc);
}
