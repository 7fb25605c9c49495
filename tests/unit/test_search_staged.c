/* The search on a scripted device: tiers, screening and proofs. Counts only, nothing is timed. */
#include "../support/search_fixture.h"

#include "judge.h"

static const char few[] = "parameters:\n  a: {from: 0, to: 7, step: 1}\nstrategy: exhaustive\nbudget: {seconds: unlimited}\n";

/* ---- tiers and stages ---- */

/* What of a problem is published, fastest first: "a=5 b=0 c=u; ". */
static void check_published(search_fixture *f, const char *expected) {
    fsattn_fsc_writer *writer;
    fsattn_fsc *fsc;
    fsattn_err err;
    fsattn_text text = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/published.fsc", f->folder.path);
    cr_assert_eq(fsattn_fsc_writer_create(&writer, &err), FSATTN_OK);
    cr_assert_eq(fsattn_store_export(f->store, NULL, writer, NULL, &err), FSATTN_OK, "%s", err.message);
    if (fsattn_fsc_writer_count(writer) > 0) {
        cr_assert_eq(fsattn_fsc_writer_publish(writer, NULL, path, &err), FSATTN_OK, "%s", err.message);
        cr_assert_eq(fsattn_fsc_open(path, NULL, NULL, &fsc, &err), FSATTN_OK, "%s", err.message);
        for (size_t i = 0; i < fsattn_fsc_count(fsc); i++) {
            const fsattn_fsc_record *record = fsattn_fsc_at(fsc, i);
            if (record->role == FSATTN_ROLE_WINNER) {
                fsattn_text_printf(&text, "%s; ", record->configuration);
            }
        }
        fsattn_fsc_close(fsc);
    }
    cr_expect_str_eq(text.data ? text.data : "", expected);
    fsattn_text_fini(&text);
    fsattn_fsc_writer_destroy(writer);
}

static const char tiers[] = "parameters:\n  a: {from: 0, to: 7, step: 1}\n  c: [u, v, w]\n"
                            "tiers:\n  exact: {c: u}\n  middle: {c: v}\n  rough: {c: w}\nstrategy: exhaustive\n";
/* Nothing halves the error of anything. */
static const char three_formats[] =
    "{\"cost\": \"1000 + 10 * a + (c == 'w' and 0 or c == 'u' and 3000 or 2000)\", \"error\": \"c == 'w' and 0.08 or c == 'u' and 0.05 or 0.06\"%s}";

Test(search_staged, the_best_of_each_tier_is_published) {
    search_fixture f;
    char script[512];
    snprintf(script, sizeof script, three_formats, ", \"rules\": [{\"when\": \"a == 6 and c == 'u'\", \"cost\": 3500}]");
    search_once(&f, script, tiers);
    search_assert_winner(&f, "a=0 b=0 c=w");
    cr_assert_eq(f.summary.end, FSATTN_SEARCH_DONE);
    cr_assert_eq(f.seen_count, 24, "%zu", f.seen_count);
    check_published(&f, "a=0 b=0 c=w; a=0 b=0 c=v; a=6 b=0 c=u; ");
    search_run(&f);
    cr_assert_eq(f.summary.totals.measured, 0, "all of it is known");
    cr_assert_eq(f.summary.totals.retimed, 0);
    search_end(&f);
}

Test(search_staged, a_tier_gives_way_to_what_is_faster_and_as_accurate) {
    search_fixture f;
    /* The default wins; v is slower and a little more accurate, w slower and not. */
    search_once(&f, "{\"cost\": \"1000 + 10 * a + (c == 'w' and 900 or c == 'v' and 500 or 0)\", \"error\": \"c == 'v' and 0.05 or 0.06\"}", tiers);
    check_published(&f, "a=0 b=0 c=u; a=0 b=0 c=v; ");
    search_end(&f);
}

Test(search_staged, tiers_share_evaluations_and_cut_nothing_of_one_another) {
    search_fixture f;
    char script[512], yaml[512];
    snprintf(script, sizeof script, three_formats, "");
    snprintf(yaml, sizeof yaml, "%sbudget: {evaluations: 10}\n", tiers);
    search_once(&f, script, yaml);
    size_t of[3] = {0};
    for (size_t i = 0; i < f.seen_count; i++) {
        of[strchr("uvw", f.seen[i].configuration[strlen(f.seen[i].configuration) - 1]) - "uvw"]++;
        cr_expect(!f.seen[i].cut || strstr(f.seen[i].configuration, "a=7"), "%s", f.seen[i].configuration);
    }
    /* The rest is for the exchange, in which nothing is new. */
    cr_assert(of[0] == 4 && of[1] == 2 && of[2] == 2, "the default, then 3, 2 and 2: %zu %zu %zu", of[0], of[1], of[2]);
    search_end(&f);
}

Test(search_staged, the_hopeless_are_screened_out_and_finalists_proven) {
    search_fixture f;
    search_once(&f, "{\"cost\": \"10000 - 1000 * a\", \"staged\": true, \"rules\": [{\"when\": \"a == 2\", \"cost\": 50000}]}", few);
    search_assert_winner(&f, "a=7 b=0 c=u");
    cr_assert(search_only(&f)->confirmed);
    cr_assert_eq(search_seen(&f, "a=2 b=0 c=u")->verdict, FSATTN_VERDICT_UNTIMED);
    cr_assert_eq(f.counts.verifications, 7, "%lld", (long long)f.counts.verifications);
    cr_assert_eq(f.counts.proofs, 2, "the default and the best, not %lld", (long long)f.counts.proofs);
    check_published(&f, "a=7 b=0 c=u; ");
    search_end(&f);
}

Test(search_staged, a_finalist_that_is_not_proven_gives_way_to_the_next) {
    search_fixture f;
    search_once(&f, "{\"cost\": \"10000 - 1000 * a\", \"staged\": true, \"rules\": [{\"when\": \"a >= 6\", \"fault\": \"wrong-late\"}]}", few);
    search_assert_winner(&f, "a=5 b=0 c=u");
    cr_assert_eq(search_seen(&f, "a=7 b=0 c=u")->verdict, FSATTN_VERDICT_OK, "the search saw a part of it");
    int64_t counts[fsattn_verdict_count];
    fsattn_err err;
    cr_assert_eq(fsattn_store_results_count(f.store, &(fsattn_store_filter){0}, counts, &err), FSATTN_OK);
    cr_assert_eq(counts[FSATTN_VERDICT_WRONG], 2);
    check_published(&f, "a=5 b=0 c=u; ");
    search_end(&f);
}

Test(search_staged, nothing_is_published_before_it_is_proven) {
    search_fixture f;
    const char *script = "{\"cost\": \"10000 - 1000 * a\", \"staged\": true, \"verify_s\": 1}";
    char yaml[256];
    snprintf(yaml, sizeof yaml, "%.*sbudget: {seconds: 20}\n", (int)(strstr(few, "budget") - few), few);
    search_once(&f, script, yaml); /* two proofs take 20 s */
    cr_assert(!search_only(&f)->has_winner);
    cr_assert_str_eq(search_only(&f)->why.message, "the time was over before a finalist was wholly verified");
    check_published(&f, "");
    search_reopen(&f, few);
    f.summary = (fsattn_search_summary){0};
    search_run(&f);
    search_assert_winner(&f, "a=7 b=0 c=u");
    check_published(&f, "a=7 b=0 c=u; ");
    search_end(&f);
}

Test(search_staged, what_a_proof_puts_below_the_floor_gives_way_to_the_next) {
    search_fixture f;
    char yaml[256];
    snprintf(yaml, sizeof yaml, "%saccuracy: {max_relative_error: 0.1}\n", few);
    search_once(&f, "{\"cost\": \"10000 - 1000 * a\", \"staged\": true, \"rules\": [{\"when\": \"a >= 5\", \"proof_error\": 0.2}]}", yaml);
    search_assert_winner(&f, "a=4 b=0 c=u");
    cr_assert_eq(f.counts.proofs, 5, "%lld", (long long)f.counts.proofs);
    cr_assert(search_only(&f)->confirmed);
    check_published(&f, "a=4 b=0 c=u; ");
    search_end(&f);
}

Test(search_staged, as_many_finalists_may_fail_their_proof_as_there_are) {
    search_fixture f;
    search_once(&f, "{\"cost\": \"10000 - 1000 * a\", \"staged\": true, \"rules\": [{\"when\": \"a >= 2\", \"fault\": \"wrong-late\"}]}", few);
    search_assert_winner(&f, "a=1 b=0 c=u");
    check_published(&f, "a=1 b=0 c=u; ");
    search_end(&f);
}

Test(search_staged, a_proof_that_the_time_cuts_takes_nothing_from_those_before_it) {
    search_fixture f;
    char yaml[256];
    snprintf(yaml, sizeof yaml, "%.*sbudget: {seconds: 100}\n", (int)(strstr(few, "budget") - few), few);
    /* a=6 is as fast as a=7; whichever comes third takes longer than is left, and more than what those before it took lets one expect. */
    search_once(&f, "{\"cost\": \"10000 - 1000 * a\", \"staged\": true, \"rules\": [{\"when\": \"a == 6\", \"cost\": 3010, \"verify_s\": 9}]}", yaml);
    search_assert_winner(&f, "a=7 b=0 c=u");
    cr_assert(search_only(&f)->confirmed);
    cr_assert_leq(f.end_ns, (int64_t)100e9);
    check_published(&f, "a=7 b=0 c=u; ");
    search_end(&f);
}

/* a=1 seems to be the best by far, and comes early. */
#define EARLY_BEST "{\"cost\": \"10000 - 1000 * a\", \"staged\": true, \"rules\": [{\"when\": \"a == 1\", \"cost\": 1000, %s}]}"

Test(search_staged, what_was_hopeless_beside_one_that_fails_is_judged_after_all) {
    search_fixture f;
    char script[256];
    snprintf(script, sizeof script, EARLY_BEST, "\"fault\": \"wrong-late\"");
    search_once(&f, script, few);
    search_assert_winner(&f, "a=7 b=0 c=u");
    cr_assert(search_only(&f)->confirmed);
    cr_assert_eq(f.counts.verifications, 3, "the default, a=1, and of those that were hopeless the best, not %lld",
                 (long long)f.counts.verifications);
    cr_assert_eq(f.summary.totals.verdicts[FSATTN_VERDICT_UNTIMED], 5, "each counts once");
    check_published(&f, "a=7 b=0 c=u; ");
    search_reopen(&f, few);
    search_run(&f);
    cr_assert_eq(f.counts.starts + f.counts.screenings, 0, "all of it is known");
    search_assert_winner(&f, "a=7 b=0 c=u");
    search_end(&f);
}

Test(search_staged, what_was_hopeless_beside_one_below_a_later_floor_is_judged_after_all) {
    search_fixture f;
    char script[256], yaml[256];
    snprintf(script, sizeof script, EARLY_BEST, "\"error\": 0.2");
    search_once(&f, script, few);
    search_assert_winner(&f, "a=1 b=0 c=u");
    snprintf(yaml, sizeof yaml, "%saccuracy: {max_relative_error: 0.1}\n", few);
    search_reopen(&f, yaml);
    search_run(&f);
    search_assert_winner(&f, "a=7 b=0 c=u");
    cr_assert_eq(f.counts.verifications, 1, "%lld", (long long)f.counts.verifications);
    search_end(&f);
}

Test(search_staged, a_floor_of_other_inputs_is_known_before_the_proof) {
    search_fixture f;
    char yaml[256];
    snprintf(yaml, sizeof yaml, "%saccuracy: {distribution: outliers, max_relative_error: 0.1}\n", few);
    search_once(&f, "{\"cost\": \"10000 - 1000 * a\", \"staged\": true}", yaml);
    search_assert_winner(&f, "a=7 b=0 c=u");
    cr_assert_eq(f.summary.totals.inaccurate, 0);
    search_end(&f);
}

/* Two runs on one store: what one has confirmed is not taken back by the proof of another that began before. */
Test(search_staged, a_proof_takes_nothing_back_that_another_run_has_confirmed) {
    search_fixture f;
    fsattn_err err;
    search_make(&f, "{\"cost\": 1000, \"staged\": true}");
    search_open(&f, few);
    fsattn_totals totals = {0};
    fsattn_session session = {.evaluator = f.evaluator, .store = f.store, .space = f.space, .problem = &f.space->problems[0].problem,
                              .name = "one", .policy_text = "p", .events = &f.events, .stop = &f.stop, .totals = &totals};
    session.policy = fsattn_measure_policy_of(f.space, &f.evaluator->platform, session.problem);
    fsattn_config config = f.space->manifest->defaults;
    config.index[0] = 3;
    fsattn_candidate mine, others;
    fsattn_variant *variant;
    fsattn_outcome outcome;
    fsattn_trial *trial;
    fsattn_verification verification;
    const fsattn_evaluator_ops *ops = f.evaluator->ops;
    char reason[fsattn_reason_bytes];
    bool judged, found;
    cr_assert_eq(fsattn_candidate_init(&session, &config, &mine, &err), FSATTN_OK);
    cr_assert_eq(ops->render(f.evaluator, session.problem, &config, &variant, &outcome, &err), FSATTN_OK);
    cr_assert_eq(ops->build(f.evaluator, &variant, 1, INT64_MAX, &outcome, &err), FSATTN_OK);
    cr_assert_eq(fsattn_candidate_key(&session, variant, &mine, &err), FSATTN_OK);
    cr_assert_eq(fsattn_judge(&session, variant, 0, INT64_MAX, &mine, &judged, reason, &err), FSATTN_OK, "%s", err.message);
    cr_assert(judged && mine.partial);
    others = mine;
    cr_assert_eq(ops->start(f.evaluator, variant, session.problem, INT64_MAX, &trial, &outcome, &err), FSATTN_OK);
    cr_assert_eq(ops->prove(trial, INT64_MAX, &verification, &outcome, &err), FSATTN_OK);
    ops->stop(trial);
    cr_assert_eq(fsattn_candidate_prove(&session, variant, &verification, &others, &err), FSATTN_OK, "%s", err.message);
    fsattn_candidate_verdict won = {.confirmed = true, .won = true, .beats_default = true, .rounds = 9, .final = others.search};
    cr_assert_eq(fsattn_candidate_confirm(&session, &won, &others, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_candidate_prove(&session, variant, &verification, &mine, &err), FSATTN_OK, "%s", err.message);
    cr_assert(!mine.partial);
    cr_assert_eq(fsattn_candidate_find(&session, &mine, &found, NULL, &err), FSATTN_OK);
    cr_assert(found && mine.confirmed && mine.won);
    ops->release(f.evaluator, variant);
    search_end(&f);
}
