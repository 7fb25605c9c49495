/* Which small problems of the verification are one and the same. */
#include "verify.h"

#include <criterion/criterion.h>

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
