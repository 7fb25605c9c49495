#include "race.h"

#include <math.h>

enum { bet_count = 3 };
static const double long_run_ns = 50e6;
/* Far larger shares than files of raw times show (docs/search.md: at most 0.023 above 1.05), because disturbances come in bursts: on
 * an MI50 the first five runs of a kernel are 15% slower, until the clocks are up. Against that it takes six times above 1.05. The lowest level
 * lies above the margin of the finalists (winners.c), so that nobody within it is given up. */
static const fsattn_race_bet usual[bet_count] = {{1.05, 0.3}, {1.25, 0.05}, {3, 0.002}};
static const fsattn_race_bet of_long_runs[bet_count] = {{1.05, 0.3}, {1.3, 0.002}, {3, 0.002}};

const fsattn_race_bet *fsattn_race_bets(double run_ns, size_t *count) {
    *count = bet_count;
    return run_ns >= long_run_ns ? of_long_runs : usual;
}

double fsattn_race_capital(const fsattn_race_bet *bets, size_t count_of_bets, const double *times_ns, size_t count,
                           double best_ns) {
    double sum = 0;
    for (size_t b = 0; b < count_of_bets; b++) {
        double capital = 1;
        for (size_t i = 0; i < count; i++) {
            if (isfinite(times_ns[i]) && times_ns[i] > 0) {
                double won = times_ns[i] > bets[b].level * best_ns ? 1 / bets[b].share : 0;
                capital *= 1 - FSATTN_RACE_STAKE + FSATTN_RACE_STAKE * won;
            }
        }
        sum += capital;
    }
    return sum / (double)count_of_bets;
}

bool fsattn_race_lost(const double *times_ns, size_t count, double run_ns, double best_ns) {
    size_t bets_made;
    const fsattn_race_bet *bets = fsattn_race_bets(run_ns, &bets_made);
    double fastest = INFINITY;
    for (size_t i = 0; i < count; i++) {
        fastest = times_ns[i] > 0 ? fmin(fastest, times_ns[i]) : fastest;
    }
    return isfinite(fastest) && fastest > bets[0].level * best_ns &&
           fsattn_race_capital(bets, bets_made, times_ns, count, best_ns) >= 1 / FSATTN_RACE_RISK;
}

double fsattn_race_at_once(double run_ns) {
    size_t bets_made;
    const fsattn_race_bet *bets = fsattn_race_bets(run_ns, &bets_made);
    for (size_t b = 0; b < bets_made; b++) {
        const double time = 2 * bets[b].level;
        double alone = fsattn_race_capital(&bets[b], 1, &time, 1, 1) / (double)bets_made;
        if (alone >= 1 / FSATTN_RACE_RISK) {
            return bets[b].level;
        }
    }
    return INFINITY;
}
