/* Racing on raw samples: how much measuring time stopping early saves, and what it costs, against taking all samples.
 * Configurations come in random order; each is sampled in the order of its file, the first time left out. */
#include "cli.h"
#include "error.h"
#include "measure.h"
#include "memory.h"
#include "race.h"
#include "random.h"
#include "replay_file.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { seeds = 100, sample_limit = 256 };

/* What has been seen of the best so far. */
typedef struct leader {
    double median_ns, minimum_ns; /* INFINITY: nothing yet */
} leader;

typedef struct rule {
    const char *name;
    size_t fixed; /* samples at most; 0: all */
    bool (*lost)(const double *times_ns, size_t count, const leader *best); /* NULL: never */
} rule;

static bool lost_race(const double *times_ns, size_t count, const leader *best) {
    return isfinite(best->minimum_ns) && fsattn_race_lost(times_ns, count, times_ns[0], best->minimum_ns);
}

/* Nothing assumed: the one-sided interval of the median. */
static bool lost_median(const double *times_ns, size_t count, const leader *best) {
    static const fsattn_race_bet bet = {1, 0.5};
    return isfinite(best->median_ns) &&
           fsattn_race_capital(&bet, 1, times_ns, count, best->median_ns) >= 1 / FSATTN_RACE_RISK;
}

/* What the tuner had before: a factor without a bound. */
static bool lost_factor(const double *times_ns, size_t count, const leader *best) {
    double fastest = INFINITY;
    for (size_t i = 0; i < count; i++) {
        fastest = fmin(fastest, times_ns[i]);
    }
    return fastest > 3 * best->minimum_ns || (count >= 3 && fastest > 1.15 * best->minimum_ns);
}

static const rule rules[] = {{"all samples", 0, NULL},
                             {"fixed, 3 samples", 3, NULL},
                             {"fixed, 7 samples", 7, NULL},
                             {"interval of the median", 0, lost_median},
                             {"factor 1.15 after 3", 0, lost_factor},
                             {"race", 0, lost_race}};
enum { rule_count = sizeof rules / sizeof rules[0] };

typedef struct outcome {
    double time_ns, regret, worst;
    size_t dropped; /* seeds in which the best was given up */
} outcome;

static void shuffle(size_t *order, size_t count, uint64_t seed) {
    for (size_t i = count; i > 1; i--) {
        size_t at = (size_t)fsattn_random_below(seed, 0, i, i), swap = order[i - 1];
        order[i - 1] = order[at];
        order[at] = swap;
    }
}

static void run_rule(const fsattn_replay_file *file, const size_t *order, size_t count, const rule *r, outcome *out) {
    leader best = {INFINITY, INFINITY};
    double chosen = INFINITY;
    for (size_t i = 0; i < count; i++) {
        const fsattn_replay_entry *entry = &file->entries[order[i]];
        const double *times = entry->times_ns + 1;
        size_t most = entry->time_count - 1, taken = 0;
        bool lost = false;
        most = most > sample_limit ? sample_limit : most;
        most = r->fixed && r->fixed < most ? r->fixed : most;
        while (taken < most && !lost) {
            out->time_ns += times[taken++];
            lost = r->lost && r->lost(times, taken, &best);
        }
        double copy[sample_limit];
        memcpy(copy, times, taken * sizeof *copy);
        fsattn_statistics seen = fsattn_measure_describe(copy, taken);
        out->dropped += lost && order[i] == file->best;
        if (!lost && seen.median_ns < best.median_ns) {
            best = (leader){seen.median_ns, seen.minimum_ns};
            chosen = entry->cost_ns;
        }
    }
    double regret = chosen / file->entries[file->best].cost_ns - 1;
    out->regret += regret / seeds;
    out->worst = fmax(out->worst, regret);
}

/* The share of times above each level of the tuner, all configurations together. */
static void print_shares(const fsattn_replay_file *file, const size_t *order, size_t count) {
    size_t bet_count, above[8] = {0}, all = 0;
    const fsattn_race_bet *bets = fsattn_race_bets(0, &bet_count);
    for (size_t i = 0; i < count; i++) {
        const fsattn_replay_entry *entry = &file->entries[order[i]];
        for (size_t t = 1; t < entry->time_count; t++, all++) {
            for (size_t b = 0; b < bet_count; b++) {
                above[b] += entry->times_ns[t] > bets[b].level * entry->cost_ns;
            }
        }
    }
    printf("  times above");
    for (size_t b = 0; b < bet_count; b++) {
        printf("  %.4g x median: %.2g%% (granted %.2g%%)", bets[b].level, 100 * (double)above[b] / (double)all,
               100 * bets[b].share);
    }
    printf("\n");
}

static fsattn_status bench_file(const char *path, fsattn_err *err) {
    fsattn_replay_file *file;
    FSATTN_TRY(fsattn_replay_file_open(path, &file, err));
    outcome outcomes[rule_count] = {0};
    size_t *order = fsattn_alloc(file->count, sizeof *order), count = 0;
    if (!order) {
        fsattn_replay_file_close(file);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
    }
    for (size_t i = 0; i < file->count; i++) {
        order[count] = i;
        count += file->entries[i].verdict == FSATTN_VERDICT_OK && file->entries[i].time_count > 1;
    }
    const char *slash = strrchr(path, '/');
    printf("%s: %zu configurations, %d random orders\n", slash ? slash + 1 : path, count, seeds);
    if (count) {
        print_shares(file, order, count);
    }
    for (uint64_t seed = 1; seed <= seeds && count; seed++) {
        shuffle(order, count, seed);
        for (size_t r = 0; r < rule_count; r++) {
            run_rule(file, order, count, &rules[r], &outcomes[r]);
        }
    }
    printf("  %-24s %10s %12s %12s %14s\n", "rule", "time saved", "mean regret", "most regret", "best given up");
    for (size_t r = 0; r < rule_count && count; r++) {
        printf("  %-24s %9.1f%% %11.3f%% %11.3f%% %11zu/%d\n", rules[r].name,
               100 * (1 - outcomes[r].time_ns / outcomes[0].time_ns), 100 * outcomes[r].regret, 100 * outcomes[r].worst,
               outcomes[r].dropped, seeds);
    }
    fsattn_free(order);
    fsattn_replay_file_close(file);
    return FSATTN_OK;
}

int main(int argc, char **argv) {
    fsattn_err err = {0};
    fsattn_status status = FSATTN_OK;
    fsattn_cli_begin();
    if (argc < 2) {
        status = fsattn_fail(&err, FSATTN_USAGE, "no files");
        fsattn_hint(&err, "usage: bench_racing FILE.json... (cache files of Kernel Tuner, T4 results)");
    }
    for (int i = 1; i < argc && status == FSATTN_OK; i++) {
        status = bench_file(argv[i], &err);
    }
    return fsattn_cli_end("bench_racing", status, &err);
}
