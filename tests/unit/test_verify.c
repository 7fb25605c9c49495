/* Which small problems of the verification are one and the same; what accuracy they add up to. */
#include "verify.h"

#include <criterion/criterion.h>
#include <string.h>

Test(verify, a_sample_of_the_rows_is_another_case_than_all_of_them) {
    fsattn_err err;
    fsattn_verifier *verifier;
    const fsattn_verify_case *whole, *sampled, *again;
    fsattn_verify_case what = {.distribution = FSATTN_DISTRIBUTION_NORMAL, .seed = 1};
    cr_assert_eq(fsattn_problem_parse("sq=256 sk=16 d=64 hq=4", &what.problem, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_verifier_create(1, &verifier, &err), FSATTN_OK);
    cr_assert_eq(fsattn_verifier_small(verifier, &what, &whole, &err), FSATTN_OK);
    what.sampled = true;
    cr_assert_eq(fsattn_verifier_small(verifier, &what, &sampled, &err), FSATTN_OK);
    cr_assert_eq(fsattn_verifier_small(verifier, &what, &again, &err), FSATTN_OK);
    cr_assert_neq(sampled, whole);
    cr_assert_eq(sampled, again);
    cr_assert_null(whole->rows.rows);
    fsattn_verifier_destroy(verifier);
}


static const fsattn_accuracy_entry *entry_of(const fsattn_verification *v, const char *name) {
    for (size_t i = 0; i < v->accuracy_count; i++) {
        if (!strcmp(v->accuracies[i].distribution, name)) {
            return &v->accuracies[i];
        }
    }
    cr_assert(false, "nothing is said of %s", name);
    return NULL;
}

/* Each figure is worst in another case, and neither order of them hides one. */
Test(verify, what_is_promised_is_the_worst_of_all_cases_and_each_says_its_own) {
    static const float expected[] = {1, 0, 2, 0}, coarse[] = {1.1f, 0, 2, 0}, far[] = {1, 0, 2.15f, 0};
    fsattn_verify_case small = {.name = "normal_37x613", .distribution = FSATTN_DISTRIBUTION_NORMAL, .rows.count = 37},
                       whole = {.name = "normal_256x4096", .distribution = FSATTN_DISTRIBUTION_NORMAL, .rows.count = 64, .whole = true},
                       rescaled = {.name = "normal_21x45", .distribution = FSATTN_DISTRIBUTION_NORMAL, .rows.count = 84, .rescaled = true},
                       tiny = {.name = "tiny_37x613", .distribution = FSATTN_DISTRIBUTION_TINY, .rows.count = 37};
    fsattn_comparison of_small = {0}, of_whole = {0}, of_tiny = {0}, of_rescaled = {0};
    fsattn_comparison_add(&of_small, coarse, expected, 2);
    fsattn_comparison_add(&of_whole, far, expected, 4);
    fsattn_comparison_add(&of_rescaled, expected, coarse + 1, 2); /* worse than all */
    fsattn_comparison_add(&of_tiny, expected, expected, 4);
    for (int turn = 0; turn < 2; turn++) {
        fsattn_verification v = {0};
        fsattn_verifier_note(turn ? &whole : &small, turn ? 6144 : 37, turn ? &of_whole : &of_small, &v);
        fsattn_verifier_note(turn ? &small : &whole, turn ? 37 : 6144, turn ? &of_small : &of_whole, &v);
        fsattn_verifier_note(&tiny, 37, &of_tiny, &v);
        fsattn_verifier_note(&rescaled, 84, &of_rescaled, &v);
        const fsattn_accuracy_entry *normal = entry_of(&v, "normal"), *a = entry_of(&v, small.name), *b = entry_of(&v, whole.name);
        cr_expect_gt(a->relative_error, b->relative_error);
        cr_expect_gt(b->maximum_error, a->maximum_error);
        cr_expect_eq(normal->relative_error, a->relative_error);
        cr_expect_eq(normal->maximum_error, b->maximum_error);
        cr_expect_eq(normal->cosine, b->cosine);
        cr_expect_eq(normal->coverage, 64.0 / 6144);
        cr_expect_eq(entry_of(&v, "tiny")->relative_error, 0);
        cr_expect_gt(entry_of(&v, rescaled.name)->relative_error, normal->relative_error);
        cr_expect_eq(v.accuracy_count, 5);
    }
}
