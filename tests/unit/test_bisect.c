/* Problems with a range on the scripted device: costs are known functions of the size S. Counts only, nothing is timed. */
#include "../support/search_fixture.h"

#include <inttypes.h>

#define SPACE(range, values) "problems:\n- {name: r, d: 64, s: " range "}\nparameters:\n  a: " values "\nstrategy: exhaustive\nbudget: {seconds: unlimited}\n"

/* The device's file: `cost` for every size from 64 to 1024 in steps of 64, with S replaced by it; `more` are further rules. */
static char *script_of(const char *head, const char *cost, const char *more) {
    fsattn_text text = {0};
    fsattn_text_printf(&text, "{%s \"cost\": 1, \"rules\": [", head);
    for (int size = 64; size <= 1024; size += 64) {
        fsattn_text_printf(&text, "%s{\"problem\": \" sk=%d \", \"cost\": \"", size > 64 ? ",\n" : "", size);
        for (const char *at = cost; *at; at++) {
            if (*at == 'S') {
                fsattn_text_printf(&text, "%d", size);
            } else {
                fsattn_text_printf(&text, "%c", *at);
            }
        }
        fsattn_text_puts(&text, "\"}");
    }
    fsattn_text_printf(&text, "%s]}", more);
    return fsattn_text_take(&text);
}

static void run(search_fixture *f, const char *head, const char *cost, const char *more, const char *yaml) {
    char *script = script_of(head, cost, more);
    cr_assert(script);
    search_once(f, script, yaml);
    fsattn_free(script);
}

/* "s 64 .. 300 a=1; ", of a tier "s 64 .. 300 exact: a=1; ": intervals with what serves them. */
static void check_intervals(const search_fixture *f, const char *expected) {
    fsattn_text text = {0};
    for (size_t i = 0; i < f->summary.interval_count; i++) {
        const fsattn_search_interval *told = &f->summary.intervals[i];
        fsattn_text_printf(&text, "%s %" PRId64 " .. %" PRId64 " %s%s%s; ", fsattn_fsc_interval_axis_text(told->interval.axis), told->interval.from,
                           told->interval.to, told->interval.tier, *told->interval.tier ? ": " : "", *told->difference ? told->difference : "default");
    }
    cr_expect_str_eq(text.data ? text.data : "", expected);
    fsattn_text_fini(&text);
}

/* What is published for a size, of configurations that have `part`; false: no winner is. Strings live in `arena`. */
static bool published_of(search_fixture *f, int64_t size, const char *part, fsattn_arena *arena, fsattn_fsc_interval *interval,
                         const char **configuration) {
    fsattn_fsc_writer *writer;
    fsattn_fsc *fsc;
    fsattn_err err;
    fsattn_text bytes = {0};
    bool found = false;
    *interval = (fsattn_fsc_interval){0};
    cr_assert_eq(fsattn_fsc_writer_create(&writer, &err), FSATTN_OK);
    cr_assert_eq(fsattn_store_export(f->store, NULL, writer, NULL, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_fsc_writer_encode(writer, NULL, &bytes, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_fsc_open_bytes("test", bytes.data, bytes.bytes, NULL, NULL, &fsc, &err), FSATTN_OK, "%s", err.message);
    for (size_t i = 0; i < fsattn_fsc_count(fsc); i++) {
        const fsattn_fsc_record *record = fsattn_fsc_at(fsc, i);
        if (record->role == FSATTN_ROLE_WINNER && record->problem.s_k == size && strstr(record->configuration, part)) {
            cr_expect_not(found, "one winner for a size");
            found = true;
            *configuration = fsattn_arena_strdup(arena, record->configuration);
            if (fsattn_fsc_interval_of(record, interval)) {
                interval->equivalent = fsattn_arena_strdup(arena, interval->equivalent);
                interval->tier = fsattn_arena_strdup(arena, interval->tier);
            }
        }
    }
    fsattn_fsc_close(fsc);
    fsattn_text_fini(&bytes);
    fsattn_fsc_writer_destroy(writer);
    return found;
}

static bool published(search_fixture *f, int64_t size, fsattn_arena *arena, fsattn_fsc_interval *interval, const char **configuration) {
    return published_of(f, size, "", arena, interval, configuration);
}

/* a=1 is the best below 300, a=2 above; each falls behind by a tenth for each doubling. */
#define CROSSING                                                                                             \
    "1000 * S * (a == 1 and 1 + math.max(0, S - 300) / 1000 or a == 2 and 1 + math.max(0, 300 - S) / 1000 or 2)"
static const char crossing[] = SPACE("{from: 64, to: 1024, step: 64}", "[0, 1, 2, 3]");

Test(bisect, a_boundary_is_found_and_published_with_its_price) {
    search_fixture f;
    fsattn_arena arena = {0};
    fsattn_fsc_interval interval;
    const char *configuration;
    run(&f, "", CROSSING, "", crossing);
    /* 256 and 320 are steps beside 300: the boundary is their geometric middle. */
    check_intervals(&f, "s 64 .. 286 a=1; s 287 .. 1024 a=2; ");
    cr_expect_leq(f.summary.result_count, 6);
    for (size_t i = 0; i < f.summary.result_count; i++) {
        cr_expect(f.summary.results[i].has_winner, "%s", f.summary.results[i].name);
        cr_expect(!strncmp(f.summary.results[i].name, "r[s=", 4) && !strstr(f.summary.results[i].name, ".."), "%s", f.summary.results[i].name);
    }
    cr_assert(published(&f, 64, &arena, &interval, &configuration));
    cr_expect_str_eq(configuration, "a=1 b=0 c=u");
    cr_expect_eq(interval.axis, FSATTN_FSC_AXIS_S_BOTH);
    cr_expect_eq(interval.from, 64);
    cr_expect_eq(interval.to, 286);
    cr_expect_leq(interval.regret, 0.01);
    cr_expect_float_eq(interval.beyond, 0.02, 1e-6); /* of a=1 at 320 */
    cr_assert(published(&f, 1024, &arena, &interval, &configuration));
    cr_expect_str_eq(configuration, "a=2 b=0 c=u");
    cr_expect_eq(interval.from, 287);
    cr_expect_float_eq(interval.beyond, 0.044, 1e-6); /* of a=2 at 256 */
    fsattn_arena_fini(&arena);
    search_end(&f);
}

Test(bisect, a_second_run_measures_nothing_and_finds_the_same) {
    search_fixture f;
    fsattn_text first = {0}, second = {0};
    fsattn_text *files[] = {&first, &second};
    run(&f, "\"noise\": 0.003,", CROSSING, "", crossing);
    for (size_t i = 0; i < 2; i++) {
        fsattn_fsc_writer *writer;
        if (i) {
            search_reopen(&f, crossing);
            search_run(&f);
            cr_expect_eq(f.counts.samples, 0);
            cr_expect_eq(f.summary.totals.retimed, 0);
        }
        cr_assert_eq(fsattn_fsc_writer_create(&writer, NULL), FSATTN_OK);
        cr_assert_eq(fsattn_store_export(f.store, NULL, writer, NULL, NULL), FSATTN_OK);
        cr_assert_eq(fsattn_fsc_writer_encode(writer, NULL, files[i], NULL), FSATTN_OK);
        fsattn_fsc_writer_destroy(writer);
    }
    cr_assert_eq(first.bytes, second.bytes);
    cr_expect(!memcmp(first.data, second.data, first.bytes));
    fsattn_text_fini(&first);
    fsattn_text_fini(&second);
    search_end(&f);
}

Test(bisect, neighbours_that_agree_within_noise_are_not_split) {
    search_fixture f;
    run(&f, "\"noise\": 0.004,", "1000 * S * (a == 0 and 2 or 1)", "", crossing);
    cr_expect_eq(f.summary.result_count, 3);
    cr_assert_eq(f.summary.interval_count, 1);
    cr_expect_eq(f.summary.intervals[0].interval.shapes, 3);
    search_end(&f);
}

Test(bisect, of_equivalent_winners_the_robust_one_is_published_with_the_set) {
    search_fixture f;
    fsattn_arena arena = {0};
    fsattn_fsc_interval interval;
    const char *configuration;
    /* Below 500 everything but the default is alike; above, the larger the better, until 7 is far ahead. */
    run(&f, "", "1000 * S * (a == 0 and 3 or S < 500 and 1 or a == 7 and 1 or a == 6 and 1.1 or 2)", "",
        SPACE("{from: 64, to: 1024, step: 64}", "[0, 1, 2, 5, 6, 7]"));
    check_intervals(&f, "s 64 .. 1024 a=7; ");
    cr_expect_eq(f.summary.result_count, 3);
    search_end(&f);
    run(&f, "", "1000 * S * (a == 0 and 3 or S < 500 and (a == 7 and 1.5 or 1) or a == 7 and 1 or a == 5 and 1.1 or 2)", "",
        SPACE("{from: 64, to: 1024, step: 64}", "[0, 1, 2, 5, 6, 7]"));
    check_intervals(&f, "s 64 .. 478 a=5; s 479 .. 1024 a=7; ");
    cr_assert(published(&f, 64, &arena, &interval, &configuration));
    cr_expect_str_eq(configuration, "a=5 b=0 c=u");
    /* Three others are as fast. */
    size_t others = 0;
    for (const char *at = interval.equivalent; (at = strchr(at, ':')); at++) {
        others++;
    }
    cr_expect_eq(others, 3, "%s", interval.equivalent);
    cr_expect_float_eq(interval.beyond, 0.1, 1e-6);
    fsattn_arena_fini(&arena);
    search_end(&f);
}

Test(bisect, where_the_default_is_best_it_serves) {
    search_fixture f;
    fsattn_arena arena = {0};
    fsattn_fsc_interval interval;
    const char *configuration;
    run(&f, "", "1000 * S * (S > 500 and (a == 0 and 1 or 2) or a == 3 and 1 or 1.5)", "", crossing);
    check_intervals(&f, "s 64 .. 478 a=3; s 479 .. 1024 default; ");
    cr_assert(published(&f, 1024, &arena, &interval, &configuration));
    cr_expect_str_eq(configuration, "a=0 b=0 c=u");
    cr_expect_eq(interval.from, 479);
    fsattn_arena_fini(&arena);
    search_end(&f);
}

Test(bisect, limits_end_it_and_leave_the_price) {
    search_fixture f;
    run(&f, "", CROSSING, "", SPACE("{from: 64, to: 1024, step: 64, shapes: 3}", "[0, 1, 2, 3]"));
    cr_expect_eq(f.summary.result_count, 3);
    cr_assert_eq(f.summary.interval_count, 2);
    cr_expect_gt(f.summary.intervals[0].interval.beyond + f.summary.intervals[1].interval.beyond, 0.1);
    search_end(&f);
    /* What may be behind by that much is good enough everywhere. */
    run(&f, "", CROSSING, "", SPACE("{from: 64, to: 1024, step: 64, within: 0.8}", "[0, 1, 2, 3]"));
    cr_expect_eq(f.summary.result_count, 3);
    cr_assert_eq(f.summary.interval_count, 1);
    cr_expect_str_eq(f.summary.intervals[0].difference, "a=2"); /* at worst 0.236 behind, a=1 0.724 */
    cr_expect_float_eq(f.summary.intervals[0].interval.regret, 0.236, 1e-6);
    search_end(&f);
}

Test(bisect, a_budget_is_kept) {
    search_fixture f;
    char *script = script_of("\"compile_s\": 1,", CROSSING, "");
    search_make(&f, script);
    search_open(&f, crossing);
    f.options.seconds = 20;
    search_run(&f);
    cr_expect_leq(f.end_ns, (int64_t)21e9);
    cr_expect_geq(f.summary.result_count, 2);
    search_end(&f);
    search_make(&f, script);
    search_open(&f, crossing);
    f.options.evaluations = 11;
    search_run(&f);
    /* And what the neighbours hand over, which is not counted. */
    cr_expect_geq(f.summary.result_count, 2);
    cr_expect_leq(f.seen_count, 11 + 4 * f.summary.result_count, "%zu", f.seen_count);
    fsattn_free(script);
    search_end(&f);
}

Test(bisect, an_interrupted_run_goes_on) {
    search_fixture f;
    char *script = script_of("", CROSSING, "");
    size_t measured = 0;
    search_make(&f, script);
    search_open(&f, crossing);
    f.stop_after = 7;
    search_run(&f);
    cr_expect_eq(f.summary.end, FSATTN_SEARCH_INTERRUPTED);
    measured += (size_t)f.summary.totals.measured;
    f.stop_after = 0;
    search_reopen(&f, crossing);
    search_run(&f);
    check_intervals(&f, "s 64 .. 286 a=1; s 287 .. 1024 a=2; ");
    measured += (size_t)f.summary.totals.measured;
    cr_expect_eq(measured, 4 * f.summary.result_count, "each configuration once at each shape");
    fsattn_free(script);
    search_end(&f);
}

Test(bisect, a_shape_where_nothing_works_takes_nothing_from_the_others) {
    search_fixture f;
    fsattn_arena arena = {0};
    fsattn_fsc_interval interval;
    const char *configuration;
    run(&f, "", "1000 * S * (a == 1 and 1 or 2)", ", {\"problem\": \" sk=256 \", \"fault\": \"wrong\"}", crossing);
    size_t without = 0;
    for (size_t i = 0; i < f.summary.result_count; i++) {
        without += !f.summary.results[i].has_winner;
    }
    cr_expect_eq(without, 1);
    cr_expect_not(published(&f, 256, &arena, &interval, &configuration));
    cr_assert(published(&f, 64, &arena, &interval, &configuration));
    cr_expect_str_eq(configuration, "a=1 b=0 c=u");
    cr_expect_lt(interval.to, 256);
    fsattn_arena_fini(&arena);
    search_end(&f);
}

Test(bisect, a_later_shootout_withdraws_an_interval) {
    search_fixture f;
    fsattn_arena arena = {0};
    fsattn_fsc_interval interval;
    const char *configuration;
    run(&f, "", CROSSING, "", crossing);
    /* The end as a problem of its own, with a configuration more that is better: its own shoot-out, and no interval. */
    search_reopen(&f, "problems:\n- {name: r, d: 64, s: 64}\nparameters:\n  a: [0, 1, 2, 3]\n  b: [0, 1]\nstrategy: exhaustive\n");
    char *script = script_of("", CROSSING " - b * S * 10", "");
    search_write(&f, "device.json", script);
    fsattn_free(script);
    search_run(&f);
    cr_assert(published(&f, 64, &arena, &interval, &configuration));
    cr_expect_eq(interval.from, 0, "%s", configuration);
    fsattn_arena_fini(&arena);
    search_end(&f);
}

/* ---- tiers ---- */

#define TIERS(values) SPACE("{from: 64, to: 1024, step: 64, shapes: 17, within: 0}", values "\n  c: [u, w]") "tiers:\n  exact: {c: u}\n  rough: {c: w}\n"
#define TWO_ERRORS "\"error\": \"c == 'w' and 0.08 or 0.05\","
/* Of the rough ones a=1 is best below 300 and a=2 above; of the exact ones, which take twice as long, below and above 680. */
#define TWO_CROSSINGS                                                                                                                       \
    "1000 * S * (c == 'w' and 1 or 2) * (a == 1 and 1 + math.max(0, S - (c == 'w' and 300 or 680)) / 1000 or "                              \
    "a == 2 and 1 + math.max(0, (c == 'w' and 300 or 680) - S) / 1000 or 2)"
static const char two_tiers[] = TIERS("[0, 1, 2, 3]");
static const char two_boundaries[] = "s 64 .. 671 exact: a=1; s 672 .. 1024 exact: a=2; s 64 .. 286 rough: a=1 c=w; s 287 .. 1024 rough: a=2 c=w; ";

Test(bisect, each_tier_has_its_own_boundaries_and_a_shape_is_measured_once_for_all) {
    search_fixture f;
    fsattn_arena arena = {0};
    fsattn_fsc_interval interval;
    const char *configuration;
    run(&f, TWO_ERRORS, TWO_CROSSINGS, "", two_tiers);
    check_intervals(&f, two_boundaries);
    cr_expect_leq(f.summary.result_count, 9, "%zu: both ends, and halving to two boundaries", f.summary.result_count);
    cr_expect_eq((size_t)f.summary.totals.measured, 8 * f.summary.result_count, "each configuration once at each shape");
    cr_assert(published_of(&f, 1024, "c=u", &arena, &interval, &configuration));
    cr_expect_str_eq(configuration, "a=2 b=0 c=u");
    cr_expect_str_eq(interval.tier, "exact");
    cr_expect_eq(interval.from, 672);
    cr_expect_float_eq(interval.beyond, 0.04, 1e-6); /* of a=2 at 640 */
    cr_assert(published_of(&f, 64, "c=w", &arena, &interval, &configuration));
    cr_expect_str_eq(configuration, "a=1 b=0 c=w");
    cr_expect_str_eq(interval.tier, "rough");
    cr_expect_eq(interval.to, 286);
    cr_expect_eq(interval.regret, 0);
    cr_expect_float_eq(interval.beyond, 0.02, 1e-6); /* of a=1 at 320 */
    fsattn_arena_fini(&arena);
    search_end(&f);
}

Test(bisect, a_default_that_is_in_no_tier_counts_for_the_one_that_has_most_of_its_values) {
    search_fixture f;
    /* It has c=u as the exact ones have, which come second, and is faster than they are. */
    run(&f, TWO_ERRORS, "1000 * S * (c == 'w' and 1 or a == 0 and 2 or 3)", "",
        SPACE("{from: 64, to: 1024, step: 64}", "[1, 2]\n  c: [u, w]") "tiers:\n  coarse: {a: 1, c: w}\n  exact: {c: u}\n");
    check_intervals(&f, "s 64 .. 1024 coarse: a=1 c=w; s 64 .. 1024 exact: default; ");
    search_end(&f);
}

Test(bisect, with_tiers_a_second_run_measures_nothing_and_an_interrupted_one_goes_on) {
    search_fixture f;
    char *script = script_of(TWO_ERRORS, TWO_CROSSINGS, "");
    size_t measured = 0;
    search_make(&f, script);
    search_open(&f, two_tiers);
    f.stop_after = 21;
    search_run(&f);
    cr_expect_eq(f.summary.end, FSATTN_SEARCH_INTERRUPTED);
    measured += (size_t)f.summary.totals.measured;
    f.stop_after = 0;
    for (size_t i = 0; i < 2; i++) {
        search_reopen(&f, two_tiers);
        search_run(&f);
        check_intervals(&f, two_boundaries);
        measured += (size_t)f.summary.totals.measured;
        cr_expect_eq(measured, 8 * f.summary.result_count);
    }
    cr_expect_eq(f.counts.samples, 0);
    fsattn_free(script);
    search_end(&f);
}

Test(bisect, where_a_more_accurate_tier_is_faster_nothing_is_looked_for_in_the_other) {
    search_fixture f;
    /* The rough ones are faster from 300 on. Below, a=1 and a=3 of them take turns, and it does not matter. */
    run(&f, TWO_ERRORS, "1000 * S * (c == 'u' and (a == 1 and 1 or 2) or (a == 1 and S < 100 or a == 3 and S > 100) and (S < 300 and 1.5 or 0.5) or 3)", "",
        two_tiers);
    check_intervals(&f, "s 64 .. 1024 exact: a=1; s 287 .. 1024 rough: a=3 c=w; ");
    cr_expect_leq(f.summary.result_count, 6, "%zu", f.summary.result_count);
    search_end(&f);
}

Test(bisect, of_equivalent_ones_of_a_tier_the_robust_one_serves) {
    static const char *const cases[] = {"1", "2", "5"};
    for (size_t i = 0; i < 3; i++) { /* one of these has the smallest identity */
        search_fixture f;
        char cost[256], expected[128];
        snprintf(cost, sizeof cost, "1000 * S * (c == 'w' and (a == 1 and 1 or 1.5) or a == 0 and 6 or S < 500 and 2 or a == %s and 2 or 3)", cases[i]);
        snprintf(expected, sizeof expected, "s 64 .. 1024 exact: a=%s; s 64 .. 1024 rough: a=1 c=w; ", cases[i]);
        run(&f, TWO_ERRORS, cost, "", TIERS("[0, 1, 2, 5]"));
        check_intervals(&f, expected);
        cr_expect_eq(f.summary.result_count, 3);
        search_end(&f);
    }
}
