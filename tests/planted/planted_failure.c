/* Must fail: proves that a failing Criterion test makes ctest red. */
#include <criterion/criterion.h>

Test(planted, failure) {
    cr_assert_eq(1 + 1, 3);
}
