/* Accuracy by step, and what the named grades ask for. */
#include "accuracy.h"
#include "error.h"
#include "sized.h"

#include <inttypes.h>

static const struct {
    const char *text;
    double maximum_relative_error;
} grades[] = {
#define X(name, text, maximum_relative_error) [FSATTN_GRADE_##name] = {text, maximum_relative_error},
    FSATTN_GRADE_LIST(X)
#undef X
};

const char *fsattn_grade_text(fsattn_grade grade) {
    return (unsigned)grade < sizeof grades / sizeof grades[0] ? grades[grade].text : "?";
}

fsattn_status fsattn_accuracy_resolve(const fsattn_accuracy *wanted, fsattn_accuracy *resolved, fsattn_err *err) {
    fsattn_accuracy made = {0};
    if (!wanted) {
        *resolved = made;
        return FSATTN_OK;
    }
    FSATTN_TRY(fsattn_sized_read("accuracy", wanted, &made, sizeof made, err));
    if (!(made.maximum_error >= 0 && made.maximum_relative_error >= 0 && made.minimum_cosine <= 1)) {
        return fsattn_fail(err, FSATTN_INVALID, "accuracy: an error below 0 or a cosine above 1 was demanded");
    }
    if ((unsigned)made.grade >= sizeof grades / sizeof grades[0]) {
        return fsattn_fail(err, FSATTN_INVALID, "accuracy.grade: unknown value %u", (unsigned)made.grade);
    }
    double named = grades[made.grade].maximum_relative_error;
    if (named != 0 && (made.maximum_relative_error == 0 || named < made.maximum_relative_error)) {
        made.maximum_relative_error = named;
    }
    *resolved = made;
    return FSATTN_OK;
}

fsattn_status fsattn_schedule_at(const fsattn_schedule *schedule, int64_t step, const fsattn_accuracy *override,
                                 const fsattn_accuracy **wanted, fsattn_err *err) {
    fsattn_schedule own;
    FSATTN_TRY(fsattn_sized_read("schedule", schedule, &own, sizeof own, err));
    if (!wanted) {
        return fsattn_fail(err, FSATTN_INVALID, "fsattn_schedule_at: wanted is NULL");
    }
    if (own.steps < 1 || own.first < 0 || own.last < 0) {
        return fsattn_fail(err, FSATTN_INVALID,
                           "schedule: expected at least one step and no negative number of them, got %" PRId64
                           " (first %" PRId64 ", last %" PRId64 ")",
                           own.steps, own.first, own.last);
    }
    if (step < 0 || step >= own.steps) {
        return fsattn_fail(err, FSATTN_INVALID, "step: expected 0 to %" PRId64 ", got %" PRId64, own.steps - 1,
                           step);
    }
    bool at_an_end = step < own.first || own.steps - step <= own.last;
    *wanted = override ? override : at_an_end ? own.ends : own.middle;
    return FSATTN_OK;
}

fsattn_status fsattn_plan_find_step(const fsattn_context *context, const fsattn_problem *problem,
                                    const fsattn_schedule *schedule, int64_t step, const fsattn_accuracy *override,
                                    fsattn_plan *plan, fsattn_err *err) {
    const fsattn_accuracy *wanted = NULL;
    FSATTN_TRY(fsattn_schedule_at(schedule, step, override, &wanted, err));
    return fsattn_plan_find(context, problem, wanted, plan, err);
}
