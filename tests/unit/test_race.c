/* Racing: the capital of bets, by hand and against chance. */
#include "race.h"
#include "random.h"

#include <criterion/criterion.h>
#include <math.h>

Test(race, a_bet_gains_and_loses_as_it_says) {
    const fsattn_race_bet bet = {1, 0.5};
    const double times[] = {2, 2, 1, NAN, 0};
    cr_assert_float_eq(fsattn_race_capital(&bet, 1, times, 0, 1), 1, 1e-12);
    cr_assert_float_eq(fsattn_race_capital(&bet, 1, times, 2, 1), 1.9 * 1.9, 1e-12);
    cr_assert_float_eq(fsattn_race_capital(&bet, 1, times, 5, 1), 1.9 * 1.9 * 0.1, 1e-12, "no number says nothing");
}

Test(race, far_slower_loses_at_once_and_a_little_slower_never) {
    double far[1] = {3.1}, slower[3] = {1.3, 1.3, 1.3}, little[6] = {1.1, 1.1, 1.1, 1.1, 1.1, 1.1}, near[40];
    for (int i = 0; i < 40; i++) {
        near[i] = 1.04;
    }
    cr_assert(fsattn_race_lost(far, 1, 1e3, 1));
    cr_assert_not(fsattn_race_lost(slower, 1, 1e3, 1));
    cr_assert(fsattn_race_lost(slower, 2, 1e3, 1));
    cr_assert_not(fsattn_race_lost(little, 5, 1e3, 1), "a burst may be as long");
    cr_assert(fsattn_race_lost(little, 6, 1e3, 1));
    cr_assert_not(fsattn_race_lost(near, 40, 1e3, 1));
    far[0] = 1.4;
    cr_assert_not(fsattn_race_lost(far, 1, 1e3, 1));
    cr_assert(fsattn_race_lost(far, 1, 60e6, 1), "long runs");
    cr_assert_float_eq(fsattn_race_at_once(1e3), 3, 1e-12);
    cr_assert_float_eq(fsattn_race_at_once(60e6), 1.3, 1e-12);
    far[0] = NAN;
    cr_assert_not(fsattn_race_lost(far, 1, 1e3, 1));
}

/* As noisy as the shares allow, at the edge of what the bound promises: looked at after every sample. */
Test(race, what_is_as_fast_is_seldom_dropped) {
    size_t bet_count;
    const fsattn_race_bet *bets = fsattn_race_bets(1e3, &bet_count);
    int dropped = 0, runs = 4000;
    for (int run = 0; run < runs; run++) {
        double times[50];
        bool lost = false;
        for (size_t i = 0; i < 50 && !lost; i++) {
            double u = fsattn_random_unit(7, (uint64_t)run, i);
            times[i] = 1;
            for (size_t b = 0; b < bet_count; b++) {
                times[i] = u < bets[b].share ? bets[b].level * 1.01 : times[i];
            }
            lost = fsattn_race_capital(bets, bet_count, times, i + 1, 1) >= 1 / FSATTN_RACE_RISK;
        }
        dropped += lost;
    }
    cr_assert_leq(dropped, (int)(FSATTN_RACE_RISK * runs), "%d of %d", dropped, runs);
    cr_assert_gt(dropped, 0, "the bound is not far off");
}
