/* race.h - when to stop sampling a configuration because it cannot win, with a bound on the chance to be wrong.
 *
 * A test by betting (Shafer 2021; Waudby-Smith, Ramdas 2024) against "it is as fast as the best so far". Each bet has a level: of a
 * configuration as fast as the best, at most the share `share` of the times lies above `level` times the best. A bet stakes
 * the part `fsattn_race_stake` of its capital on each sample: a time above the level multiplies what was staked by 1 / share, any other
 * loses it. For a configuration that is as fast as the best no bet gains on average, so (Ville's inequality) the chance that the bets'
 * mean capital ever exceeds 1 / risk is at most `risk`, however often one looks: no correction for many looks is needed.
 *
 * What the bound rests on: the shares, and samples that do not follow one another's disturbances; where they do, as in the first runs on
 * slow clocks, the shares must be so large that the capital stays small over a burst. `bench_racing` prints what shares files of raw times
 * have, and how often the best of them is given up. A level of 1 with the share 1/2 would assume nothing, that is the one-sided interval of the median from order
 * statistics; it takes eight samples at least.
 */
#ifndef FSATTN_RACE_H
#define FSATTN_RACE_H

#include <stdbool.h>
#include <stddef.h>

#define FSATTN_RACE_RISK 0.01
#define FSATTN_RACE_STAKE 0.9

typedef struct fsattn_race_bet {
    double level, share;
} fsattn_race_bet;

/* Mean capital of the bets after these times, in their order, begun with 1. Times that are no positive numbers say nothing. */
double fsattn_race_capital(const fsattn_race_bet *bets, size_t bet_count, const double *times_ns, size_t count,
                           double best_ns);
/* The bets of the tuner. Runs of 50 ms and more are disturbed less, and cost more: for them the shares are smaller. */
const fsattn_race_bet *fsattn_race_bets(double run_ns, size_t *bet_count);
/* Whether a configuration with these times has lost against `best_ns`, by the tuner's bets. Its fastest time must be above the lowest level,
 * too: what ranks it may not be good. */
bool fsattn_race_lost(const double *times_ns, size_t count, double run_ns, double best_ns);
/* Above this factor one time is enough. */
double fsattn_race_at_once(double run_ns);

#endif
