#include "hunt.h"

#include "error.h"
#include "judge.h"
#include "memory.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>

enum { batch_limit = 64, batch_per_job = 4 };
/* Share of the remaining time that one batch may take to build: what is built but not measured is wasted. */
static const double build_share = 0.25;
/* What is kept for the shoot-out: runs of the default, but never more than that share of the time. */
static const double shootout_runs = 30, shootout_most = 0.4;

/* One configuration on its way through a batch. */
typedef struct item {
    bool proposed; /* by the strategy, which hears of it */
    uint64_t index;
    fsattn_candidate *candidate;
    fsattn_variant *variant; /* NULL once finished */
    fsattn_outcome outcome;
    bool finished;
    bool unbuilt; /* the compiler did not make it */
    bool again;   /* it has been screened out, and counts already */
    char reason[fsattn_reason_bytes];
} item;

typedef struct batch {
    item items[batch_limit];
    size_t count;
} batch;

static bool time_over(const fsattn_hunt *hunt) {
    return fsattn_session_stopped(hunt->session) || fsattn_session_now(hunt->session) >= hunt->deadline_ns;
}

/* ---- finishing an item ---- */

static void count_verdict(fsattn_hunt *hunt, const fsattn_candidate *candidate) {
    fsattn_totals *totals = hunt->session->totals;
    bool ok = candidate->verdict == FSATTN_VERDICT_OK;
    totals->verdicts[candidate->verdict]++;
    totals->resumed += candidate->resumed;
    totals->inaccurate += ok && !candidate->accurate;
    hunt->evaluations -= candidate->verdict != FSATTN_VERDICT_REJECTED && hunt->evaluations != INT64_MAX;
}

static bool better(const fsattn_hunt *hunt, const fsattn_candidate *candidate, const fsattn_candidate *best) {
    if (!fsattn_candidate_ranked(candidate)) {
        return false;
    }
    double reference = hunt->baseline.first_ns;
    return !best || fsattn_candidate_score(candidate, reference) < fsattn_candidate_score(best, reference);
}

/* What the strategy hears. */
static double score_of(const fsattn_hunt *hunt, const fsattn_candidate *candidate) {
    return fsattn_candidate_ranked(candidate) ? fsattn_candidate_score(candidate, hunt->baseline.first_ns) : INFINITY;
}

static fsattn_status keep(fsattn_hunt *hunt, fsattn_candidate *candidate, fsattn_err *err) {
    if (fsattn_grow((void **)&hunt->candidates, &hunt->capacity, hunt->count, sizeof *hunt->candidates)) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "search: out of memory");
    }
    hunt->candidates[hunt->count++] = candidate;
    count_verdict(hunt, candidate);
    return FSATTN_OK;
}

/* Counts the verdict of one that was screened out instead of that. */
static void count_again(fsattn_hunt *hunt, const fsattn_candidate *candidate) {
    const int64_t evaluations = hunt->evaluations;
    hunt->session->totals->verdicts[FSATTN_VERDICT_UNTIMED]--;
    count_verdict(hunt, candidate);
    hunt->evaluations = evaluations;
}

/* Takes a verdict in: counts, best, notice, strategy. */
static fsattn_status finish(fsattn_hunt *hunt, fsattn_strategy *strategy, item *it, fsattn_err *err) {
    fsattn_candidate *candidate = it->candidate;
    if (it->again) {
        count_again(hunt, candidate);
    } else {
        FSATTN_TRY(keep(hunt, candidate, err));
    }
    it->finished = true;
    bool best = better(hunt, candidate, hunt->best);
    hunt->best = best ? candidate : hunt->best;
    hunt->leader = better(hunt, candidate, hunt->leader) ? candidate : hunt->leader;
    FSATTN_TRY(fsattn_candidate_report(hunt->session, candidate, it->reason, best, err));
    return it->proposed ? fsattn_strategy_tell(strategy, it->index, score_of(hunt, candidate), err) : FSATTN_OK;
}

/* Stores a verdict that came before anything ran. */
static fsattn_status finish_failed(fsattn_hunt *hunt, fsattn_strategy *strategy, item *it, fsattn_err *err) {
    it->candidate->screened_ns = 0;
    fsattn_candidate_evidence evidence = {.variant = it->variant, .outcome = &it->outcome};
    FSATTN_TRY(fsattn_candidate_put(hunt->session, &evidence, it->candidate, err));
    snprintf(it->reason, sizeof it->reason, "%s", it->outcome.reason);
    return finish(hunt, strategy, it, err);
}

/* Finishes an item when the store knows its result. That it was screened out is known of one that is judged again. */
static fsattn_status finish_known(fsattn_hunt *hunt, fsattn_strategy *strategy, item *it, fsattn_err *err) {
    const bool resumed = it->candidate->resumed;
    bool found;
    FSATTN_TRY(fsattn_candidate_find(hunt->session, it->candidate, &found, it->reason, err));
    if (found && it->again && it->candidate->screened_ns > 0) {
        it->candidate->resumed = resumed;
        found = false;
    }
    return found ? finish(hunt, strategy, it, err) : FSATTN_OK;
}

/* ---- the steps of a batch ---- */

static fsattn_status prepare(fsattn_hunt *hunt, fsattn_strategy *strategy, const fsattn_config *config,
                             item *it, fsattn_err *err) {
    const fsattn_session *session = hunt->session;
    it->candidate = fsattn_arena_alloc(&hunt->arena, 1, sizeof *it->candidate);
    if (!it->candidate) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "search: out of memory");
    }
    FSATTN_TRY(fsattn_candidate_init(session, config, it->candidate, err));
    session->evaluator->render_end_ns = hunt->deadline_ns == INT64_MAX ? 0 : hunt->deadline_ns;
    it->candidate->part = hunt->part;
    FSATTN_TRY(session->evaluator->ops->render(session->evaluator, session->problem, config, &it->variant, &it->outcome, err));
    session->evaluator->render_end_ns = 0; /* baseline and shoot-out render what has been rendered before */
    if (it->outcome.cut) {
        return FSATTN_OK;
    }
    FSATTN_TRY(fsattn_candidate_key(session, it->variant, it->candidate, err));
    /* What a template says of itself is said anew: no key knows which of its mistakes an earlier run met. */
    if (it->variant || it->outcome.verdict != FSATTN_VERDICT_BUILD_FAILED) {
        FSATTN_TRY(finish_known(hunt, strategy, it, err));
    }
    if (!it->finished && !it->variant) {
        FSATTN_TRY(finish_failed(hunt, strategy, it, err));
    }
    return FSATTN_OK;
}

/* Builds what is not finished. */
static fsattn_status build(fsattn_hunt *hunt, fsattn_strategy *strategy, batch *b, fsattn_err *err) {
    const fsattn_session *session = hunt->session;
    fsattn_variant *variants[batch_limit];
    size_t owners[batch_limit], count = 0;
    for (size_t i = 0; i < b->count; i++) {
        if (!b->items[i].finished && !b->items[i].outcome.cut) {
            owners[count] = i;
            variants[count++] = b->items[i].variant;
        }
    }
    fsattn_outcome *outcomes = fsattn_alloc(count, sizeof *outcomes);
    if (!outcomes) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "search: out of memory");
    }
    fsattn_status status = FSATTN_OK;
    fsattn_notice notice = {.kind = FSATTN_NOTICE_BUILD, .build = {.asked = count}};
    if (count) {
        status = session->evaluator->ops->build(session->evaluator, variants, count, hunt->deadline_ns, outcomes, err);
    }
    for (size_t i = 0; i < count && status == FSATTN_OK; i++) {
        item *it = &b->items[owners[i]];
        it->outcome = outcomes[i];
        session->totals->compiled += it->variant->compiled;
        hunt->builds += it->variant->compiled;
        hunt->build_s += it->variant->compiled ? it->variant->build_s : 0;
        notice.build.compiled += it->variant->compiled;
        notice.build.seconds += it->variant->compiled ? it->variant->build_s : 0;
        if (!it->outcome.cut && it->outcome.verdict != FSATTN_VERDICT_OK) {
            notice.build.failed++;
            it->unbuilt = true;
            status = finish_failed(hunt, strategy, it, err);
        }
    }
    if (count && status == FSATTN_OK) {
        fsattn_session_emit(session, &notice);
    }
    fsattn_free(outcomes);
    return status;
}

/* What a candidate must beat, as the machine is now. */
static double best_now(const fsattn_hunt *hunt) {
    if (!hunt->leader) {
        return 0;
    }
    double score = fsattn_candidate_score(hunt->leader, hunt->baseline.first_ns);
    return hunt->baseline.first_ns > 0 ? score / hunt->baseline.first_ns * hunt->baseline.latest_ns : score;
}

/* Judges an item that this process has claimed, or takes what another one has stored meanwhile. */
static fsattn_status judge_claimed(fsattn_hunt *hunt, fsattn_strategy *strategy, item *it, fsattn_err *err) {
    FSATTN_TRY(finish_known(hunt, strategy, it, err));
    if (it->finished) {
        return FSATTN_OK;
    }
    FSATTN_TRY(fsattn_baseline_refresh(&hunt->baseline, hunt->deadline_ns, err));
    if (time_over(hunt)) {
        return FSATTN_OK;
    }
    bool judged;
    it->candidate->baseline_ns = hunt->baseline.latest_ns;
    FSATTN_TRY(fsattn_judge(hunt->session, it->variant, best_now(hunt), hunt->deadline_ns, it->candidate, &judged, it->reason, err));
    return judged ? finish(hunt, strategy, it, err) : FSATTN_OK;
}

/* One pass over what is built, in order, until the time is over. *busy: how many another process is judging. */
static fsattn_status judge_free(fsattn_hunt *hunt, fsattn_strategy *strategy, batch *b, size_t *busy, fsattn_err *err) {
    *busy = 0;
    for (size_t i = 0; i < b->count; i++) {
        item *it = &b->items[i];
        if (it->finished || it->outcome.cut || time_over(hunt)) {
            continue;
        }
        fsattn_store_claim claim;
        fsattn_status status = fsattn_store_result_claim(hunt->session->store, &it->candidate->result_key, &claim, err);
        if (status == FSATTN_BUSY) {
            ++*busy;
            continue;
        }
        FSATTN_TRY(status);
        status = judge_claimed(hunt, strategy, it, err);
        fsattn_store_build_abandon(&claim);
        FSATTN_TRY(status);
    }
    return FSATTN_OK;
}

/* Judges what is built, until the time is over. What another process is at comes last: as it left it, or after all. */
static fsattn_status judge(fsattn_hunt *hunt, fsattn_strategy *strategy, batch *b, fsattn_err *err) {
    size_t busy, before = SIZE_MAX;
    for (;;) {
        FSATTN_TRY(judge_free(hunt, strategy, b, &busy, err));
        if (busy == 0 || time_over(hunt)) {
            return FSATTN_OK;
        }
        if (busy == before) {
            poll(NULL, 0, 10); /* not a wait for the lock, which neither a signal nor a deadline would end */
        }
        before = busy;
    }
}

/* Builds and judges; *complete false: the time was over first. */
static fsattn_status run_batch(fsattn_hunt *hunt, fsattn_strategy *strategy, batch *b, bool *complete, fsattn_err *err) {
    FSATTN_TRY(build(hunt, strategy, b, err));
    FSATTN_TRY(judge(hunt, strategy, b, err));
    *complete = true;
    for (size_t i = 0; i < b->count; i++) {
        *complete = *complete && b->items[i].finished;
    }
    return FSATTN_OK;
}

static void release(fsattn_hunt *hunt, batch *b) {
    fsattn_evaluator *evaluator = hunt->session->evaluator;
    for (size_t i = 0; i < b->count; i++) {
        evaluator->ops->release(evaluator, b->items[i].variant);
    }
    b->count = 0;
}

/* ---- the loop ---- */

/* Slow kernels need more of the time for their shoot-out. */
static void keep_time(fsattn_hunt *hunt) {
    if (hunt->end_ns == INT64_MAX || hunt->base->search.count == 0) {
        return;
    }
    double left_ns = (double)(hunt->end_ns - fsattn_session_now(hunt->session));
    double kept_ns = fmin(shootout_most * left_ns, shootout_runs * hunt->base->search.median_ns);
    int64_t deadline_ns = hunt->end_ns - (int64_t)kept_ns;
    hunt->deadline_ns = deadline_ns < hunt->deadline_ns ? deadline_ns : hunt->deadline_ns;
}

/* What every template must do for its default. When that fails it is the template, and no search mends it. */
static fsattn_status check_default(const fsattn_hunt *hunt, const item *it, fsattn_err *err) {
    if (it->candidate->verdict != FSATTN_VERDICT_BUILD_FAILED && !it->unbuilt) {
        return FSATTN_OK;
    }
    fsattn_fail(err, FSATTN_INVALID, "the default configuration cannot be %s: %s", it->variant ? "built" : "rendered",
                it->reason);
    fsattn_hint(err, "mend the template %s; its source: fsattn-tune %s --problem '%s' --render default",
                hunt->session->space->manifest->folder, hunt->session->space->path, hunt->session->name);
    return FSATTN_INVALID;
}

/* The default configuration, also when the space leaves it out: it is what winners must beat. */
static fsattn_status run_default(fsattn_hunt *hunt, batch *b, bool *complete, fsattn_err *err) {
    hunt->part = fsattn_space_default_part(hunt->session->space);
    b->count = 1;
    b->items[0] = (item){0};
    item *it = &b->items[0];
    FSATTN_TRY(prepare(hunt, NULL, &hunt->session->space->manifest->defaults, it, err));
    FSATTN_TRY(run_batch(hunt, NULL, b, complete, err));
    if (*complete) {
        FSATTN_TRY(check_default(hunt, it, err));
        hunt->base = it->candidate;
        it->candidate->baseline_ns = it->candidate->search.minimum_ns;
        fsattn_baseline_init(hunt->session, it->candidate, &hunt->baseline);
        keep_time(hunt);
    }
    return FSATTN_OK;
}

/* Of the first `count` candidates the one with this configuration, or NULL. */
static fsattn_candidate *find_among(const fsattn_hunt *hunt, size_t count, const fsattn_config *config) {
    size_t i = 0;
    while (i < count && !fsattn_config_equal(&hunt->candidates[i]->config, config)) {
        i++;
    }
    return i < count ? hunt->candidates[i] : NULL;
}

fsattn_candidate *fsattn_hunt_find(const fsattn_hunt *hunt, const fsattn_config *config) {
    return find_among(hunt, hunt->count, config);
}

static size_t batch_size(const fsattn_hunt *hunt) {
    double size = hunt->options->jobs * batch_per_job;
    if (hunt->builds && hunt->deadline_ns != INT64_MAX) {
        double left_s = (double)(hunt->deadline_ns - fsattn_session_now(hunt->session)) / 1e9;
        size = fmin(size, build_share * left_s * hunt->options->jobs / (hunt->build_s / (double)hunt->builds));
    }
    size = fmin(fmin(size, batch_limit), (double)hunt->evaluations);
    return size < 1 ? 1 : (size_t)size;
}

/* Renders what the strategy proposes and looks it up. */
static fsattn_status fill(fsattn_hunt *hunt, fsattn_strategy *strategy, batch *b, bool *done, fsattn_err *err) {
    uint64_t indices[batch_limit];
    size_t count;
    FSATTN_TRY(fsattn_strategy_ask(strategy, batch_size(hunt), indices, &count, err));
    for (size_t i = 0; i < count; i++) {
        fsattn_config config;
        fsattn_enumeration_at(hunt->parts[hunt->part].enumeration, indices[i], &config);
        const fsattn_candidate *given = find_among(hunt, hunt->given, &config);
        if (given) {
            FSATTN_TRY(fsattn_strategy_tell(strategy, indices[i], score_of(hunt, given), err));
            continue;
        }
        item *it = &b->items[b->count++];
        *it = (item){.proposed = true, .index = indices[i], .outcome.cut = time_over(hunt)};
        if (it->outcome.cut) { /* templates may be slow, and a batch long */
            continue;
        }
        FSATTN_TRY(prepare(hunt, strategy, &config, it, err));
    }
    *done = count == 0;
    return FSATTN_OK;
}

static fsattn_status run_strategy(fsattn_hunt *hunt, fsattn_strategy *strategy, batch *b, bool *done, fsattn_err *err) {
    bool complete = true;
    *done = false;
    while (complete && !time_over(hunt) && hunt->evaluations > 0) {
        FSATTN_TRY(fill(hunt, strategy, b, done, err));
        if (*done) {
            break;
        }
        FSATTN_TRY(run_batch(hunt, strategy, b, &complete, err));
        release(hunt, b);
    }
    return FSATTN_OK;
}

/* The n-th part of what is left, when `parts` are; rounded up. */
static uint64_t share_of(uint64_t left, size_t parts) {
    return left / parts + (left % parts != 0);
}

static fsattn_status run_part(fsattn_hunt *hunt, batch *b, uint64_t sample, bool *done, fsattn_err *err) {
    const fsattn_hunt_part *part = &hunt->parts[hunt->part];
    fsattn_strategy *strategy = NULL;
    uint64_t index;
    const bool has_base = fsattn_enumeration_find(part->enumeration, &hunt->base->config, &index);
    hunt->leader = has_base && fsattn_candidate_ranked(hunt->base) ? hunt->base : NULL;
    for (size_t i = 1; i < hunt->given; i++) { /* those carried here, too */
        fsattn_candidate *given = hunt->candidates[i];
        hunt->leader = given->part == hunt->part && better(hunt, given, hunt->leader) ? given : hunt->leader;
    }
    const fsattn_search_options *options = hunt->options;
    fsattn_strategy_settings settings = options->settings;
    settings.prior = options->prior_count ? fsattn_prior_choose(options->priors, options->prior_count, hunt->session->problem) : settings.prior;
    FSATTN_TRY(fsattn_strategy_create(hunt->options->strategy, part->enumeration, &settings, sample, &part->start, &strategy, err));
    fsattn_status status = run_strategy(hunt, strategy, b, done, err);
    fsattn_strategy_destroy(strategy);
    return status;
}

/* `config` with the part's own values where it has not those; false: that is not valid, or is known. */
static bool carry_over(const fsattn_hunt *hunt, const fsattn_config *config, fsattn_config *carried) {
    const fsattn_hunt_part *part = &hunt->parts[hunt->part];
    uint64_t index;
    *carried = *config;
    for (size_t p = 0; p < part->space.manifest->parameters.count; p++) {
        bool has = false;
        for (size_t i = 0; i < part->space.axes[p].count; i++) {
            has |= part->space.axes[p].values[i] == config->index[p];
        }
        carried->index[p] = has ? config->index[p] : part->start.index[p];
    }
    return !fsattn_hunt_find(hunt, carried) && fsattn_enumeration_find(part->enumeration, carried, &index);
}

/* One configuration that no strategy has proposed. */
static fsattn_status run_one(fsattn_hunt *hunt, batch *b, const fsattn_config *config, fsattn_err *err) {
    bool complete;
    b->count = 1;
    b->items[0] = (item){0};
    FSATTN_TRY(prepare(hunt, NULL, config, &b->items[0], err));
    FSATTN_TRY(run_batch(hunt, NULL, b, &complete, err));
    release(hunt, b);
    return FSATTN_OK;
}

/* What is best of all is tried in the other parts, with their values. */
static fsattn_status run_exchange(fsattn_hunt *hunt, batch *b, fsattn_err *err) {
    for (hunt->part = 0; hunt->part < hunt->part_count && hunt->best; hunt->part++) {
        fsattn_config config;
        if (time_over(hunt) || hunt->evaluations <= 0 || hunt->part == hunt->best->part || !carry_over(hunt, &hunt->best->config, &config)) {
            continue;
        }
        hunt->leader = NULL;
        FSATTN_TRY(run_one(hunt, b, &config, err));
    }
    return FSATTN_OK;
}

/* What is valid and new of these; nobody is held against the best, so that each has a time. */
static fsattn_status run_given(fsattn_hunt *hunt, batch *b, const fsattn_config *configs, size_t count, fsattn_err *err) {
    for (size_t i = 0; i < count; i++) {
        uint64_t index;
        hunt->part = 0;
        while (hunt->part < hunt->part_count && !fsattn_enumeration_find(hunt->parts[hunt->part].enumeration, &configs[i], &index)) {
            hunt->part++;
        }
        if (hunt->part < hunt->part_count && !fsattn_hunt_find(hunt, &configs[i]) && !time_over(hunt)) {
            hunt->leader = NULL;
            FSATTN_TRY(run_one(hunt, b, &configs[i], err));
        }
    }
    return FSATTN_OK;
}

/* Each part gets an equal share of what those before it left, the exchange as much as one of them. */
static fsattn_status run_parts(fsattn_hunt *hunt, batch *b, fsattn_err *err) {
    const int64_t limit_ns = hunt->deadline_ns;
    int64_t evaluations = hunt->evaluations;
    uint64_t sample = hunt->options->sample;
    bool all_done = true;
    for (hunt->part = 0; hunt->part < hunt->part_count; hunt->part++) {
        const size_t left = hunt->part_count - hunt->part;
        const int64_t now_ns = fsattn_session_now(hunt->session);
        const uint64_t part_sample = sample == UINT64_MAX ? sample : share_of(sample, left);
        int64_t rest = 0;
        bool done = false;
        const size_t shares = left + (hunt->part_count > 1);
        hunt->deadline_ns = limit_ns == INT64_MAX ? limit_ns : now_ns + (limit_ns - now_ns) / (int64_t)shares;
        if (evaluations != INT64_MAX) {
            hunt->evaluations = (int64_t)share_of((uint64_t)evaluations, shares);
            rest = evaluations - hunt->evaluations;
        }
        fsattn_status status = run_part(hunt, b, part_sample, &done, err);
        release(hunt, b);
        evaluations = evaluations == INT64_MAX ? evaluations : rest + hunt->evaluations;
        sample -= sample == UINT64_MAX ? 0 : part_sample;
        hunt->evaluations = evaluations;
        all_done = all_done && done;
        FSATTN_TRY(status);
    }
    hunt->deadline_ns = limit_ns;
    FSATTN_TRY(run_exchange(hunt, b, err));
    hunt->end = all_done ? FSATTN_SEARCH_DONE : FSATTN_SEARCH_BUDGET;
    return FSATTN_OK;
}

fsattn_status fsattn_hunt_run(fsattn_hunt *hunt, fsattn_err *err) {
    fsattn_status status = FSATTN_OK;
    bool complete = false;
    batch *b = fsattn_alloc(1, sizeof *b);
    if (!b) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "search: out of memory");
    }
    hunt->end = FSATTN_SEARCH_BUDGET;
    FSATTN_GOTO(run_default(hunt, b, &complete, err));
    release(hunt, b);
    if (complete) {
        FSATTN_GOTO(run_given(hunt, b, hunt->carried, hunt->carried_count, err));
        hunt->given = hunt->count;
        FSATTN_GOTO(run_parts(hunt, b, err));
    }
    if (fsattn_session_stopped(hunt->session)) {
        hunt->end = FSATTN_SEARCH_INTERRUPTED;
    }
out:
    release(hunt, b);
    fsattn_free(b);
    fsattn_baseline_fini(&hunt->baseline);
    return status;
}

fsattn_status fsattn_hunt_try(fsattn_hunt *hunt, const fsattn_config *configs, size_t count, bool *any, fsattn_err *err) {
    const size_t before = hunt->count;
    batch *b = fsattn_alloc(1, sizeof *b);
    if (!b) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "search: out of memory");
    }
    const fsattn_status status = run_given(hunt, b, configs, count, err);
    release(hunt, b);
    fsattn_free(b);
    fsattn_baseline_fini(&hunt->baseline);
    *any = hunt->count > before;
    return status;
}

/* ---- those screened out ---- */

/* The best of a part; NULL: none is ranked. */
static fsattn_candidate *leader_of(const fsattn_hunt *hunt, size_t part) {
    fsattn_candidate *leader = NULL;
    for (size_t i = 0; i < hunt->count; i++) {
        fsattn_candidate *candidate = hunt->candidates[i];
        leader = candidate->part == part && better(hunt, candidate, leader) ? candidate : leader;
    }
    return leader;
}

/* Of those screened out that may win by now, the one with the least estimate; makes its part the one at work. */
static fsattn_candidate *next_screened(fsattn_hunt *hunt) {
    fsattn_candidate *next = NULL;
    for (size_t part = 0; part < hunt->part_count && !next; part++) {
        hunt->part = part;
        hunt->leader = leader_of(hunt, part);
        for (size_t i = 0; i < hunt->count; i++) {
            fsattn_candidate *candidate = hunt->candidates[i];
            const double estimate_ns = candidate->screened_ns;
            if (candidate->part == part && estimate_ns > 0 && !fsattn_judge_hopeless(estimate_ns, best_now(hunt)) &&
                (!next || estimate_ns < next->screened_ns)) {
                next = candidate;
            }
        }
    }
    return next;
}

fsattn_status fsattn_hunt_again(fsattn_hunt *hunt, bool *any, fsattn_err *err) {
    const fsattn_session *session = hunt->session;
    fsattn_status status = FSATTN_OK;
    fsattn_candidate *candidate;
    bool complete = true;
    *any = false;
    batch *b = fsattn_alloc(1, sizeof *b);
    if (!b) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "search: out of memory");
    }
    if (hunt->end_ns != INT64_MAX) {
        const int64_t now_ns = fsattn_session_now(session);
        hunt->deadline_ns = now_ns + (hunt->end_ns - now_ns) / 2;
    }
    while (complete && !time_over(hunt) && (candidate = next_screened(hunt)) != NULL) {
        item *it = &b->items[0];
        b->count = 1;
        *it = (item){.candidate = candidate, .again = true};
        FSATTN_GOTO(session->evaluator->ops->render(session->evaluator, session->problem, &candidate->config, &it->variant, &it->outcome, err));
        if (!it->variant) {
            break;
        }
        FSATTN_GOTO(run_batch(hunt, NULL, b, &complete, err));
        *any = *any || complete;
        release(hunt, b);
    }
out:
    release(hunt, b);
    fsattn_free(b);
    fsattn_baseline_fini(&hunt->baseline);
    return status;
}

void fsattn_hunt_fini(fsattn_hunt *hunt) {
    fsattn_free(hunt->candidates);
    fsattn_arena_fini(&hunt->arena);
    *hunt = (fsattn_hunt){0};
}
