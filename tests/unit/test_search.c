/* The search on a scripted device: budgets, hangs, crashes, timers, drift, ties, resuming. Counts only, nothing is timed. */
#include "../support/search_fixture.h"

#include "judge.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static const char all[] = "parameters:\n  a: {from: 0, to: 15, step: 1}\n  b: {from: 0, to: 7, step: 1}\n  c: [u, v, w]\n"
                          "strategy: exhaustive\nbudget: {seconds: unlimited}\n";
static const char few[] = "parameters:\n  a: {from: 0, to: 7, step: 1}\nstrategy: exhaustive\nbudget: {seconds: unlimited}\n";
/* The best is a=11 b=5 c=w, at 1000. */
static const char bowl[] = "{\"cost\": \"1000 + 50 * (a - 11) ^ 2 + 80 * (b - 5) ^ 2 + (c == 'w' and 0 or 200)\", \"noise\": 0.002}";

/* ---- finding and resuming ---- */

Test(search, every_strategy_finds_the_best) {
    static const char *const strategies[] = {"exhaustive", "random", "hill_climbing"};
    for (size_t i = 0; i < COUNT(strategies); i++) {
        search_fixture f;
        search_make(&f, bowl);
        search_open(&f, all);
        fsattn_err err;
        cr_assert_eq(fsattn_strategy_find(strategies[i], &f.options.strategy, &err), FSATTN_OK);
        fsattn_strategy_settings_default(f.options.strategy, &f.options.settings);
        search_run(&f);
        search_assert_winner(&f, "a=11 b=5 c=w");
        const fsattn_search_result *result = search_only(&f);
        cr_assert(result->confirmed && !result->is_default);
        cr_assert_str_eq(result->difference, "a=11 b=5 c=w");
        cr_assert_float_eq(result->statistics.median_ns, 1000, 10);
        cr_assert_float_eq(result->default_ns, 9250, 100);
        cr_assert_eq(f.summary.end, FSATTN_SEARCH_DONE);
        cr_assert_eq(f.summary.totals.verdicts[FSATTN_VERDICT_OK], 384);
        cr_assert_eq(f.counts.compilations, 384);
        search_end(&f);
    }
}

Test(search, hopeless_candidates_cost_few_runs) {
    search_fixture f;
    fsattn_err err;
    search_make(&f, bowl);
    search_open(&f, all);
    cr_assert_eq(fsattn_strategy_find("random", &f.options.strategy, &err), FSATTN_OK);
    search_run(&f);
    cr_assert_lt(f.counts.samples, 384 * 6, "%jd", (intmax_t)f.counts.samples);
    const seen_candidate *slow = search_seen(&f, "a=0 b=0 c=v");
    cr_assert(slow && slow->samples <= 8);
    search_end(&f);
}

Test(search, a_second_run_compiles_and_measures_nothing) {
    search_fixture f;
    search_once(&f, bowl, all);
    char winner[64];
    snprintf(winner, sizeof winner, "%s", search_only(&f)->configuration);
    double median = search_only(&f)->statistics.median_ns;
    search_reopen(&f, all);
    search_run(&f);
    cr_assert_eq(f.counts.compilations + f.counts.starts + f.counts.samples, 0);
    cr_assert_eq(f.summary.totals.measured, 0);
    cr_assert_eq(f.summary.totals.compiled, 0);
    cr_assert_eq(f.summary.totals.resumed, 384);
    search_assert_winner(&f, winner);
    cr_assert_eq(search_only(&f)->statistics.median_ns, median);
    cr_assert(search_only(&f)->confirmed);
    search_end(&f);
}

Test(search, one_more_value_measures_only_the_new_configurations) {
    search_fixture f;
    search_once(&f, bowl, few);
    cr_assert_eq(f.counts.compilations, 8);
    search_reopen(&f, "parameters:\n  a: {from: 0, to: 8, step: 1}\nstrategy: exhaustive\nbudget: {seconds: unlimited}\n");
    search_run(&f);
    cr_assert_eq(f.counts.compilations, 1);
    cr_assert_eq(f.counts.verifications, 1);
    cr_assert_eq(f.summary.totals.measured, 1);
    cr_assert_eq(f.summary.totals.resumed, 8);
    search_assert_winner(&f, "a=8 b=0 c=u");
    search_end(&f);
}

Test(search, another_policy_measures_again_but_compiles_nothing) {
    search_fixture f;
    search_once(&f, bowl, few);
    char yaml[512];
    snprintf(yaml, sizeof yaml, "%smeasurement: {samples_min: 7}\n", few);
    search_reopen(&f, yaml);
    search_run(&f);
    cr_assert_eq(f.counts.compilations, 0);
    cr_assert_eq(f.summary.totals.measured, 8);
    search_end(&f);
}

Test(search, another_driver_or_unit_count_resumes_nothing) {
    static const char *const others[] = {"\"driver\": \"y\", \"units\": 1", "\"driver\": \"x\", \"units\": 2",
                                         "\"driver\": \"x\", \"units\": 1, \"device\": \"z\""};
    search_fixture f;
    search_once(&f, "{\"cost\": \"1000 + a\", \"driver\": \"x\", \"units\": 1}", few);
    for (size_t i = 0; i < COUNT(others); i++) {
        char script[256];
        snprintf(script, sizeof script, "{\"cost\": \"1000 + a\", %s}", others[i]);
        search_write(&f, "device.json", script);
        search_reopen(&f, few);
        search_run(&f);
        cr_assert_eq(f.summary.totals.measured, 8, "%s", others[i]);
    }
    search_write(&f, "device.json", "{\"cost\": \"1000 + a\", \"driver\": \"x\", \"units\": 1}");
    search_reopen(&f, few);
    search_run(&f);
    cr_assert_eq(f.summary.totals.measured, 0, "restored: all hits");
    search_end(&f);
}

Test(search, an_interruption_loses_nothing_and_the_next_run_repeats_nothing) {
    search_fixture f;
    search_make(&f, bowl);
    int64_t compiled = 0, measured = 0;
    for (size_t part = 0; part < 6; part++) {
        search_open(&f, all);
        f.stop_after = part < 5 ? 70 * (part + 1) : 0; /* resumed candidates are reported as well */
        search_run(&f);
        cr_assert_eq(f.summary.end, part < 5 ? FSATTN_SEARCH_INTERRUPTED : FSATTN_SEARCH_DONE);
        if (part < 5) { /* no shoot-out yet: the default stays, as fast as itself */
            cr_assert(search_only(&f)->is_default && !search_only(&f)->confirmed);
            cr_assert_eq(search_only(&f)->default_ns, search_only(&f)->statistics.median_ns);
        }
        measured += f.summary.totals.measured;
        compiled += f.counts.compilations;
        if (part < 5) {
            search_close(&f);
            f.summary = (fsattn_search_summary){0};
        }
    }
    cr_assert_eq(measured, 384);
    cr_assert_eq(compiled, 384);
    search_assert_winner(&f, "a=11 b=5 c=w");
    search_end(&f);
}

Test(search, replaying_recorded_results_gives_the_same_winner) {
    search_fixture f;
    search_make(&f, "{\"cost\": \"1000 + 10 * (a - 5) ^ 2\", \"rules\": [{\"when\": \"a == 5\", \"fault\": \"wrong\"}]}");
    search_open(&f, few);
    char path[160];
    snprintf(path, sizeof path, "%s/recorded.jsonl", f.folder.path);
    FILE *stream = fopen(path, "w");
    fsattn_events_add(&f.events, fsattn_events_json, stream);
    search_run(&f);
    fclose(stream);
    char winner[64];
    snprintf(winner, sizeof winner, "%s", search_only(&f)->configuration);
    cr_assert_str_eq(winner, "a=4 b=0 c=u");
    search_write(&f, "device.json", "{\"recorded\": \"recorded.jsonl\", \"cost\": 1e9}");
    search_reopen(&f, few);
    search_run(&f);
    cr_assert_eq(f.summary.totals.measured, 7); /* the wrong one is not timed */
    cr_assert_eq(f.summary.totals.verdicts[FSATTN_VERDICT_WRONG], 1);
    search_assert_winner(&f, "a=4 b=0 c=u");
    cr_assert_float_eq(search_only(&f)->statistics.median_ns, 1010, 1e-3);
    search_end(&f);
}

/* ---- timers ---- */

Test(search, times_that_cannot_be_never_win) {
    static const char *const timers[] = {"zero", "negative", "nan", "tiny", "impossible"};
    for (size_t i = 0; i < COUNT(timers); i++) {
        search_fixture f;
        char script[256];
        /* 4 * 64 * 128 * 128 FLOP at 4.194304e12 a second: nothing is faster than 1000 ns. */
        snprintf(script, sizeof script,
                 "{\"cost\": \"2000 - a\", \"timer_resolution_ns\": 20, \"flop_per_s\": 4.194304e12,"
                 " \"rules\": [{\"when\": \"a == 5\", \"timer\": \"%s\"}]}", timers[i]);
        search_once(&f, script, few);
        cr_assert_str_neq(search_only(&f)->configuration, "a=5 b=0 c=u");
        cr_assert_eq(f.summary.totals.verdicts[FSATTN_VERDICT_UNTIMED], 1);
        cr_assert_eq(f.summary.totals.verdicts[FSATTN_VERDICT_OK], 7);
        cr_assert_eq(search_seen(&f, "a=5 b=0 c=u")->samples, 0);
        search_reopen(&f, few);
        search_run(&f);
        cr_assert_eq(f.summary.totals.verdicts[FSATTN_VERDICT_UNTIMED], 1, "resumed as it was");
        cr_assert_eq(f.counts.samples, 0);
        search_end(&f);
    }
}

Test(search, a_time_below_the_roofline_counts_only_when_a_fresh_worker_does_not_give_it) {
    search_fixture f;
    search_once(&f, "{\"cost\": \"2000 - 100 * a\", \"flop_per_s\": 4.194304e12,"
             " \"rules\": [{\"when\": \"a == 7\", \"timer\": \"impossible-once\"}]}", few);
    search_assert_winner(&f, "a=7 b=0 c=u");
    cr_assert_float_eq(search_seen(&f, "a=7 b=0 c=u")->median_ns, 1300, 1e-6);
    cr_assert_eq(f.counts.verifications, 9); /* eight, and the fresh worker */
    search_end(&f);
}

/* ---- failures ---- */

Test(search, nothing_unverified_is_ranked) {
    search_fixture f;
    search_once(&f, "{\"cost\": \"1000 - 100 * a\", \"rules\": [{\"when\": \"a == 7\", \"fault\": \"wrong\"},"
             "{\"when\": \"a == 6\", \"fault\": \"build-failed\"}, {\"when\": \"a == 5\", \"fault\": \"launch-failed\"},"
             "{\"when\": \"a == 4\", \"fault\": \"rejected\"}]}", few);
    search_assert_winner(&f, "a=3 b=0 c=u");
    cr_assert_eq(f.summary.totals.verdicts[FSATTN_VERDICT_WRONG], 1);
    cr_assert_eq(f.summary.totals.verdicts[FSATTN_VERDICT_BUILD_FAILED], 1);
    cr_assert_eq(f.summary.totals.verdicts[FSATTN_VERDICT_LAUNCH_FAILED], 1);
    cr_assert_eq(f.summary.totals.verdicts[FSATTN_VERDICT_REJECTED], 1);
    cr_assert_eq(f.counts.canaries, 0);
    search_reopen(&f, few);
    search_run(&f);
    cr_assert_eq(f.counts.compilations + f.counts.starts, 0, "a failure is final");
    cr_assert_eq(f.summary.totals.resumed, 8);
    search_end(&f);
}

Test(search, crashes_and_hangs_are_followed_by_the_canary_and_not_tried_again) {
    search_fixture f;
    search_once(&f, "{\"cost\": \"1000 + a\", \"rules\": [{\"when\": \"a == 2\", \"fault\": \"crash\"},"
             "{\"when\": \"a == 3\", \"fault\": \"hang\"}, {\"when\": \"a == 4\", \"fault\": \"crash-late\"},"
             "{\"when\": \"a == 5\", \"fault\": \"hang-late\"}, {\"when\": \"a == 6\", \"fault\": \"compiler-hang\"}]}", few);
    cr_assert_eq(f.counts.canaries, 4, "a compiler cannot harm the device");
    cr_assert_eq(f.summary.totals.verdicts[FSATTN_VERDICT_TIMEOUT], 3);
    cr_assert_eq(f.summary.totals.verdicts[FSATTN_VERDICT_CRASHED], 2);
    cr_assert_eq(f.summary.totals.verdicts[FSATTN_VERDICT_OK], 3, "the run goes on");
    search_reopen(&f, few);
    search_run(&f);
    cr_assert_eq(f.counts.compilations + f.counts.starts, 0);
    search_end(&f);
}

Test(search, a_failed_canary_ends_the_run_with_everything_stored) {
    search_fixture f;
    fsattn_err err;
    search_make(&f, "{\"cost\": \"1000 + a\", \"canary_fails\": true, \"rules\": [{\"when\": \"a == 3\", \"fault\": \"crash\"}]}");
    search_open(&f, few);
    cr_assert_eq(search_try(&f, &err), FSATTN_DEVICE);
    cr_assert(strstr(err.message, "canary"));
    cr_assert(strlen(err.hint) > 0);
    int64_t counts[fsattn_verdict_count];
    cr_assert_eq(fsattn_store_results_count(f.store, &(fsattn_store_filter){0}, counts, &err), FSATTN_OK);
    cr_assert_eq(counts[FSATTN_VERDICT_OK], 3);
    cr_assert_eq(counts[FSATTN_VERDICT_CRASHED], 1);
    search_end(&f);
}

Test(search, a_finalist_that_fails_in_the_shootout_is_out) {
    /* The last batch is rendered after 1.1 s and built until 5.1 s: what is rendered after that is for the shoot-out. */
    static const char *const effects[] = {"\"fault\": \"crash-late\"", "\"fault\": \"hang-late\"", "\"timer\": \"zero\"",
                                          "\"fault\": \"launch-failed\""};
    static const fsattn_verdict verdicts[] = {FSATTN_VERDICT_CRASHED, FSATTN_VERDICT_TIMEOUT, FSATTN_VERDICT_UNTIMED,
                                              FSATTN_VERDICT_LAUNCH_FAILED};
    for (size_t i = 0; i < COUNT(effects); i++) {
        search_fixture f;
        char script[256];
        snprintf(script, sizeof script, "{\"cost\": \"2000 - 10 * a\", \"compile_s\": 1, \"rules\": [{\"when\": \"a == 7\","
                                        " \"after_s\": 4.5, %s}]}", effects[i]);
        search_once(&f, script, few);
        search_assert_winner(&f, "a=6 b=0 c=u");
        cr_assert(search_only(&f)->confirmed);
        cr_assert_eq(search_seen(&f, "a=7 b=0 c=u")->verdict, FSATTN_VERDICT_OK, "the search found it sound");
        fsattn_err err;
        int64_t counts[fsattn_verdict_count];
        cr_assert_eq(fsattn_store_results_count(f.store, &(fsattn_store_filter){0}, counts, &err), FSATTN_OK);
        cr_assert_eq(counts[verdicts[i]], 1, "%s", effects[i]);
        cr_assert_eq(f.counts.canaries, i < 2);
        search_end(&f);
    }
}

Test(search, a_default_that_cannot_be_built_ends_the_run) {
    search_fixture f;
    fsattn_err err;
    search_make(&f, "{\"cost\": \"1000 + a\", \"rules\": [{\"when\": \"a == 0\", \"fault\": \"build-failed\"}]}");
    search_open(&f, few);
    for (int run = 0; run < 2; run++) {
        cr_assert_eq(search_try(&f, &err), FSATTN_INVALID);
        cr_assert(strstr(err.message, "the default configuration cannot be built: scripted: build-failed"), "%s", err.message);
        cr_assert_eq(f.counts.compilations, run == 0, "nothing after the first, and that one not again");
        cr_assert_eq(f.counts.starts, 0);
        search_reopen(&f, few);
    }
    search_end(&f);
}

Test(search, without_a_sound_default_the_best_wins) {
    search_fixture f;
    search_once(&f, "{\"cost\": \"1000 - 10 * a\", \"rules\": [{\"when\": \"a == 0\", \"fault\": \"wrong\"}]}", few);
    search_assert_winner(&f, "a=7 b=0 c=u");
    cr_assert_eq(search_only(&f)->default_verdict, FSATTN_VERDICT_WRONG);
    cr_assert(search_only(&f)->confirmed);
    search_end(&f);
}

Test(search, the_default_is_measured_also_when_the_space_leaves_it_out) {
    search_fixture f;
    search_once(&f, "{\"cost\": \"1000 + 10 * a\"}", "parameters:\n  a: {from: 1, to: 7, step: 1}\nstrategy: exhaustive\n");
    search_assert_winner(&f, "a=0 b=0 c=u");
    cr_assert(search_only(&f)->is_default);
    search_end(&f);
}

/* ---- budgets ---- */

Test(search, a_budget_ends_on_time_also_when_a_candidate_hangs_at_its_end) {
    search_fixture f;
    search_make(&f, "{\"cost\": \"1e6 + a + 16 * b\", \"compile_s\": 1, \"watchdog_s\": 1000,"
                    " \"rules\": [{\"when\": \"b == 2 and a == 3\", \"fault\": \"hang\"}]}");
    search_open(&f, all);
    f.options.seconds = 60;
    search_run(&f);
    cr_assert_eq(f.summary.end, FSATTN_SEARCH_BUDGET);
    cr_assert_leq(f.end_ns, (int64_t)60e9);
    cr_assert_gt(f.end_ns, (int64_t)50e9);
    cr_assert_eq(f.summary.totals.verdicts[FSATTN_VERDICT_TIMEOUT], 0, "the budget cut it, that is no verdict");
    cr_assert(search_only(&f)->confirmed, "time is kept for the shoot-out");
    search_end(&f);
}

Test(search, a_hanging_compiler_does_not_outlast_the_budget) {
    search_fixture f;
    search_make(&f, "{\"cost\": 1e6, \"watchdog_s\": 1000, \"rules\": [{\"when\": \"a >= 2\", \"fault\": \"compiler-hang\"}]}");
    search_open(&f, all);
    f.options.seconds = 30;
    search_run(&f);
    cr_assert_leq(f.end_ns, (int64_t)30e9);
    search_end(&f);
}

Test(search, slow_kernels_keep_time_for_their_shootout) {
    search_fixture f;
    search_make(&f, "{\"cost\": \"1.5e9 - 1e8 * a\", \"noise\": 0.01, \"compile_s\": 1}");
    search_open(&f, "parameters:\n  a: {from: 0, to: 7, step: 1}\nstrategy: exhaustive\n");
    f.options.seconds = 90;
    search_run(&f);
    cr_assert_leq(f.end_ns, (int64_t)90e9);
    cr_assert(search_only(&f)->confirmed && !search_only(&f)->is_default);
    search_end(&f);
}

/* Many are within noise of the best, and starting each takes seconds: the leader's shoot-out comes before theirs. */
Test(search, a_leader_goes_through_its_shootout_when_there_is_time_for_few) {
    search_fixture f;
    search_make(&f, "{\"cost\": \"a == 0 and 6e8 or 4e8 + 1e6 * a\", \"noise\": 0.03, \"compile_s\": 1, \"start_s\": 2}");
    search_open(&f, "parameters:\n  a: {from: 0, to: 15, step: 1}\nstrategy: exhaustive\n");
    f.options.seconds = 100;
    search_run(&f);
    cr_assert_leq(f.end_ns, (int64_t)100e9);
    cr_assert(search_only(&f)->confirmed && !search_only(&f)->is_default);
    search_end(&f);
}

Test(search, a_single_finalist_is_not_timed_again) {
    search_fixture f;
    search_once(&f, "{\"cost\": \"1000 + 500 * a\"}", few);
    cr_assert(search_only(&f)->is_default && search_only(&f)->confirmed);
    cr_assert_eq(f.summary.totals.retimed, 0);
    search_reopen(&f, few);
    search_run(&f);
    cr_assert(search_only(&f)->confirmed);
    cr_assert_eq(f.counts.starts, 0);
    search_end(&f);
}

Test(search, time_is_shared_by_the_problems) {
    search_fixture f;
    char yaml[512];
    snprintf(yaml, sizeof yaml, "problems:\n- {name: p, d: 64, s: [64, 128, 256, 512]}\n%s", all);
    search_make(&f, "{\"cost\": 1e6, \"compile_s\": 1}");
    search_open(&f, yaml);
    f.options.seconds = 200;
    search_run(&f);
    cr_assert_eq(f.summary.result_count, 4);
    cr_assert_leq(f.end_ns, (int64_t)200e9);
    for (size_t i = 0; i < 4; i++) {
        int64_t measured = f.summary.results[i].totals.measured;
        cr_assert(measured > 40 && measured < 400, "problem %zu: %jd", i, (intmax_t)measured);
        cr_assert(f.summary.results[i].confirmed);
    }
    search_end(&f);
}

Test(search, evaluations_are_counted_with_those_resumed) {
    search_fixture f;
    search_make(&f, bowl);
    search_open(&f, all);
    f.options.evaluations = 50;
    search_run(&f);
    cr_assert_eq(f.summary.totals.measured, 50);
    cr_assert_eq(f.summary.end, FSATTN_SEARCH_BUDGET);
    search_reopen(&f, all);
    f.options.evaluations = 50;
    search_run(&f);
    cr_assert_eq(f.summary.totals.measured, 0);
    search_reopen(&f, all);
    f.options.evaluations = 60;
    search_run(&f);
    cr_assert_eq(f.summary.totals.measured, 10);
    search_end(&f);
}

Test(search, a_sample_larger_than_the_space_takes_all) {
    search_fixture f;
    fsattn_err err;
    search_make(&f, bowl);
    search_open(&f, "parameters:\n  a: {from: 0, to: 15, step: 1}\n  b: {from: 0, to: 7, step: 1}\n"
                    "constraints: [a * b < 40]\n");
    cr_assert_eq(fsattn_strategy_find("random", &f.options.strategy, &err), FSATTN_OK);
    f.options.sample = 1000;
    search_run(&f);
    uint64_t valid = f.summary.results[0].valid;
    cr_assert(valid < 128 && valid > 64);
    cr_assert_eq(f.summary.totals.verdicts[FSATTN_VERDICT_OK], (int64_t)valid);
    cr_assert_eq(f.summary.end, FSATTN_SEARCH_DONE);
    search_end(&f);
}

/* ---- drift, ties, the default ---- */

Test(search, one_kernel_first_middle_and_last_measures_the_same) {
    /* The machine becomes a third slower during the run. a=1, a=8 and a=15 are the same kernel. */
    search_fixture f;
    search_make(&f, "{\"cost\": \"(a == 1 or a == 8 or a == 15) and 1e6 or 2e6\", \"noise\": 0.002, \"compile_s\": 2,"
                    " \"drift\": [[0, 1], [60, 1.33]]}");
    search_open(&f, "parameters:\n  a: {from: 0, to: 15, step: 1}\n  b: [0, 1]\nstrategy: exhaustive\nbudget: {seconds: unlimited}\n");
    search_run(&f);
    const seen_candidate *first = search_seen(&f, "a=1 b=0 c=u"), *last = search_seen(&f, "a=15 b=1 c=u");
    cr_assert_gt(last->median_ns, 1.1 * first->median_ns, "the search's times do drift");
    cr_assert_gt(f.large_drifts, 0, "and it says so");
    cr_assert_gt(search_only(&f)->baseline_highest_ns, 1.1 * search_only(&f)->baseline_lowest_ns);
    cr_assert_eq(search_only(&f)->tied, 5, "the shoot-out finds them equal: %zu", search_only(&f)->tied);
    search_end(&f);
}

/* Which of the tied configurations a=4..7 wins, searched in some order. */
static void tie_winner(const char *yaml, uint64_t seed, char winner[64]) {
    search_fixture f;
    search_make(&f, "{\"cost\": \"a >= 4 and 1000 or 2000\", \"noise\": 0.001}");
    search_open(&f, yaml);
    f.options.settings.seed = seed;
    search_run(&f);
    cr_assert_eq(search_only(&f)->tied, 3);
    snprintf(winner, 64, "%s", search_only(&f)->configuration);
    search_end(&f);
}

Test(search, ties_are_recorded_and_resolved_by_identity) {
    char expected[64], winner[64];
    tie_winner(few, 1, expected);
    static const char *const orders[] = {
        "strategy: random\nparameters:\n  a: [7, 6, 5, 4, 3, 2, 1, 0]\n",
        "parameters:\n  a: [3, 1, 4, 0, 5, 2, 6, 7]\nstrategy: hill_climbing\n",
        "strategy: exhaustive\nparameters:\n  a: [5, 6, 7, 4, 0]\n",
    };
    for (size_t i = 0; i < COUNT(orders); i++) {
        for (uint64_t seed = 1; seed < 4; seed++) {
            tie_winner(orders[i], seed, winner);
            cr_assert_str_eq(winner, expected);
        }
    }
}

Test(search, the_default_stays_unless_it_is_beaten) {
    /* Others are as fast, or faster by less than the noise floor. */
    static const char *const scripts[] = {
        "{\"cost\": 100000}",
        "{\"cost\": \"100000 - 50 * a\"}",
        "{\"cost\": 100000, \"noise\": 0.05}",
        "{\"cost\": 100000, \"noise\": 0.02, \"drift\": [[0, 1.3], [5, 1]]}",
    };
    for (size_t i = 0; i < COUNT(scripts); i++) {
        for (uint64_t seed = 1; seed < 6; seed++) {
            search_fixture f;
            char script[256];
            snprintf(script, sizeof script, "{\"seed\": %d, %s", (int)seed, scripts[i] + 1);
            search_once(&f, script, few);
            cr_assert(search_only(&f)->is_default, "%s: %s", script, search_only(&f)->difference);
            cr_assert(search_only(&f)->confirmed);
            search_end(&f);
        }
    }
    search_fixture f;
    search_once(&f, "{\"cost\": \"a == 3 and 98000 or 100000\", \"noise\": 0.005}", few);
    search_assert_winner(&f, "a=3 b=0 c=u");
    search_end(&f);
}

/* ---- accuracy ---- */

static fsattn_status count_confirmed(void *data, const fsattn_store_result *result, fsattn_err *err) {
    (void)err;
    size_t *counts = data;
    counts[0] += result->confirmed;
    counts[1] += result->beats_default;
    return FSATTN_OK;
}

Test(search, the_accuracy_floor_keeps_the_inaccurate_from_winning) {
    search_fixture f;
    char yaml[512];
    snprintf(yaml, sizeof yaml, "%saccuracy: {max_relative_error: 1e-3}\n", few);
    search_once(&f, "{\"cost\": \"10000 - 1000 * a\", \"error\": \"a >= 6 and 0.01 or 1e-6\"}", yaml);
    search_assert_winner(&f, "a=5 b=0 c=u");
    cr_assert_eq(f.summary.totals.inaccurate, 2);
    search_end(&f);
}

Test(search, a_slower_but_far_more_accurate_one_is_kept) {
    search_fixture f;
    fsattn_err err;
    size_t counts[2] = {0};
    /* a=7 is the fastest and inaccurate, a=6 slower than the default and exact, the rest is neither. */
    search_once(&f, "{\"cost\": \"a == 7 and 5000 or a == 6 and 20000 or 10000 + 1000 * a\", \"error\": \"a == 6 and 1e-9 or a == 7 and 0.01 or 1e-4\"}", few);
    search_assert_winner(&f, "a=7 b=0 c=u");
    cr_assert_eq(fsattn_store_results_each(f.store, &(fsattn_store_filter){0}, count_confirmed, counts, &err), FSATTN_OK);
    cr_assert_eq(counts[0], 3, "%zu", counts[0]); /* the default, a=7, a=6 */
    cr_assert_eq(counts[1], 2, "%zu", counts[1]);
    search_end(&f);
}
