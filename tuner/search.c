#include "search.h"

#include "error.h"
#include "hunt.h"
#include "memory.h"

#include <math.h>
#include <string.h>

/* Share of a problem's time that is kept for the shoot-out. */
static const double shootout_share = 0.15, shootout_share_proving = 0.4; /* the second where finalists are verified then */
/* Share that one candidate may take while it is timed: long kernels get no more samples than they must. */
static const double patience_share = 0.02;
static const double patience_least_ns = 0.5e9;
/* What a candidate takes: to be built and verified, and for its runs, in times of the device's highest rate. */
static const double candidate_s = 0.4, candidate_runs = 40;

const char *fsattn_search_end_text(fsattn_search_end end) {
    static const char *const texts[] = {
#define X(name, text) [FSATTN_SEARCH_##name] = text,
        FSATTN_SEARCH_END_LIST(X)
#undef X
    };
    return texts[end];
}

/* Everything that lives as long as the run. */
typedef struct search {
    const fsattn_search_options *options;
    fsattn_search_summary *summary;
    fsattn_text policy;
    int64_t run_id;
    int64_t began_ns, deadline_ns;
    int64_t evaluations; /* left for all problems */
    fsattn_enumeration *enumeration; /* of the whole space */
    fsattn_hunt_part parts[fsattn_space_tier_limit];
    size_t part_count;
    bool started; /* the parts have starts */
    char setting[fsattn_problem_text_bytes]; /* that the enumerations are for */
} search;

static int64_t now(const search *s) {
    return s->options->evaluator->ops->now_ns(s->options->evaluator);
}

/* ---- one problem ---- */

static void forget_enumerations(search *s) {
    for (size_t i = 0; i < s->part_count; i++) {
        if (s->parts[i].enumeration != s->enumeration) {
            fsattn_enumeration_destroy(s->parts[i].enumeration);
        }
    }
    fsattn_enumeration_destroy(s->enumeration);
    s->enumeration = NULL;
    s->part_count = 0;
}

/* Problems that differ in sizes alone have the same valid set. */
static fsattn_status enumerate(search *s, const fsattn_problem *problem, fsattn_err *err) {
    fsattn_problem sizeless = *problem;
    sizeless.batch = sizeless.heads_q = sizeless.heads_kv = sizeless.s_q = sizeless.s_k = 1;
    sizeless.scale = 0;
    char text[fsattn_problem_text_bytes];
    fsattn_problem_text(&sizeless, text);
    if (s->enumeration && !strcmp(text, s->setting)) {
        return FSATTN_OK;
    }
    forget_enumerations(s);
    memcpy(s->setting, text, sizeof text);
    const fsattn_space *space = s->options->space;
    fsattn_setting setting = {problem, s->options->evaluator->platform.isa};
    FSATTN_TRY(fsattn_enumeration_create(space, &setting, &s->enumeration, err));
    for (size_t i = 0; i < fsattn_space_part_count(space); i++) {
        fsattn_hunt_part *part = &s->parts[i];
        fsattn_config start;
        uint64_t index;
        fsattn_space_part(space, i, &part->space, &start);
        part->enumeration = s->enumeration;
        if (space->tier_count) {
            FSATTN_TRY(fsattn_enumeration_create(&part->space, &setting, &part->enumeration, err));
        }
        if (!s->started || !fsattn_enumeration_find(part->enumeration, &part->start, &index)) {
            part->start = start;
        }
        s->part_count++;
    }
    s->started = true;
    return FSATTN_OK;
}

/* Valid configurations of all parts. */
static uint64_t valid_count(const search *s) {
    uint64_t valid = 0;
    for (size_t i = 0; i < s->part_count; i++) {
        valid += fsattn_enumeration_count(s->parts[i].enumeration);
    }
    return valid;
}

static bool has_default(const search *s) {
    uint64_t index;
    for (size_t i = 0; i < s->part_count; i++) {
        if (fsattn_enumeration_find(s->parts[i].enumeration, &s->options->space->manifest->defaults, &index)) {
            return true;
        }
    }
    return false;
}

static void open_session(const search *s, const fsattn_space_problem *problem, fsattn_totals *totals,
                         fsattn_session *session) {
    const fsattn_search_options *options = s->options;
    *session = (fsattn_session){.evaluator = options->evaluator,
                                .store = options->store,
                                .space = options->space,
                                .problem = &problem->problem,
                                .name = problem->name,
                                .policy_text = s->policy.data,
                                .run_id = s->run_id,
                                .began_ns = s->began_ns,
                                .events = options->events,
                                .stop = options->stop,
                                .totals = totals};
    fsattn_problem_text(&problem->problem, session->problem_text);
    session->policy =
        fsattn_measure_policy_of(options->space, &options->evaluator->platform, &problem->problem);
}

/* Copies a text into the summary and clears it. */
static const char *keep(search *s, fsattn_text *text) {
    const char *kept =
        text->failed ? NULL : fsattn_arena_strdup(&s->summary->arena, text->data ? text->data : "");
    fsattn_text_fini(text);
    return kept;
}

static fsattn_status describe_winner(search *s, const fsattn_session *session, const fsattn_winners *winners,
                                     fsattn_search_result *result, fsattn_err *err) {
    const fsattn_space *space = session->space;
    const fsattn_candidate *winner = winners->winner;
    fsattn_text text = {0};
    fsattn_config_text(&space->manifest->parameters, &winner->config, &text);
    result->configuration = keep(s, &text);
    fsattn_config_difference(&space->manifest->parameters, &winner->config, &space->manifest->defaults, &text);
    result->difference = keep(s, &text);
    if (!result->configuration || !result->difference) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "search: out of memory");
    }
    result->has_winner = true;
    result->is_default = winner->is_default;
    result->confirmed = winners->confirmed;
    result->identity = winner->identity;
    result->statistics = winners->statistics;
    result->default_ns = winners->default_ns;
    result->error = winner->error;
    result->tied = winners->tied;
    session->totals->winners++;
    fsattn_notice notice = {.kind = FSATTN_NOTICE_WINNER,
                            .winner = {.problem = session->problem_text,
                                       .name = session->name,
                                       .configuration = result->configuration,
                                       .identity = winner->identity,
                                       .statistics = &result->statistics,
                                       .default_ns = result->default_ns,
                                       .error = winner->error,
                                       .tied = result->tied,
                                       .is_default = result->is_default,
                                       .confirmed = result->confirmed,
                                       .provenance = s->summary->provenance}};
    fsattn_session_emit(session, &notice);
    return FSATTN_OK;
}

/* ---- no winner ---- */

/* "max_relative_error 1e-09, min_cosine 0.999": the floor, as far as there is one. */
static void floor_text(const fsattn_space_accuracy *accuracy, char text[160]) {
    const struct {
        const char *name;
        double value;
        bool set;
    } rows[] = {{"max_relative_error", accuracy->max_relative_error, !isinf(accuracy->max_relative_error)},
                {"max_error", accuracy->max_error, !isinf(accuracy->max_error)},
                {"min_cosine", accuracy->min_cosine, accuracy->min_cosine > -1}};
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].set) {
            used += (size_t)snprintf(text + used, 160 - used, "%s%s %.6g", used ? ", " : "", rows[i].name,
                                     rows[i].value);
        }
    }
}

static double smallest_error(const fsattn_hunt *hunt) {
    double smallest = NAN;
    for (size_t i = 0; i < hunt->count; i++) {
        smallest = fmin(smallest, hunt->candidates[i]->verdict == FSATTN_VERDICT_OK ? hunt->candidates[i]->error : NAN);
    }
    return smallest;
}

static bool waits_for_proof(const fsattn_hunt *hunt) {
    for (size_t i = 0; i < hunt->count; i++) {
        if (hunt->candidates[i]->partial && fsattn_candidate_ranked(hunt->candidates[i])) {
            return true;
        }
    }
    return false;
}

/* What was tried and will not do. */
static void explain_failure(const search *s, const fsattn_hunt *hunt, const fsattn_totals *totals, fsattn_err *why) {
    const int64_t right = totals->verdicts[FSATTN_VERDICT_OK];
    if (hunt->end == FSATTN_SEARCH_INTERRUPTED) {
        return;
    }
    if (hunt->count == 0) {
        fsattn_fail(why, FSATTN_NOT_FOUND, "the time was over before the default configuration had a verdict");
        fsattn_hint(why, "give it more: --budget SECONDS");
    } else if (waits_for_proof(hunt)) {
        fsattn_fail(why, FSATTN_NOT_FOUND, "the time was over before a finalist was wholly verified");
        fsattn_hint(why, "run again to go on, or give it more: --budget SECONDS");
    } else if (right > 0 && right == totals->inaccurate) {
        char floor[160];
        floor_text(&s->options->space->accuracy, floor);
        fsattn_fail(why, FSATTN_NOT_FOUND,
                    "%lld work, none reaches the accuracy floor (%s; the smallest relative error is %.3g)", (long long)right,
                    floor, smallest_error(hunt));
        fsattn_hint(why, "search longer, widen the parameters, or lower the floor: `accuracy` in %s",
                    s->options->space->path);
    } else {
        fsattn_fail(why, FSATTN_NOT_FOUND, "none of %zu candidates is right and has a time", hunt->count);
        if (s->options->store_passing) {
            fsattn_hint(why, "--json says what became of each, or keep the results and list them: --store FILE.db");
        } else {
            fsattn_hint(why, "'fsattn-cache list --all %s' says what became of each", s->options->store_path);
        }
    }
}

static void report_no_winner(const fsattn_session *session, const fsattn_search_result *result) {
    fsattn_notice notice = {
        .kind = FSATTN_NOTICE_NO_WINNER,
        .no_winner = {.problem = session->problem_text, .name = session->name, .reason = result->why.message}};
    if (result->why.code != FSATTN_OK) {
        fsattn_session_emit(session, &notice);
    }
}

/* A problem's share of the time: the root of what one of its candidates takes, so that large problems get more time and small
 * ones still more candidates. Equal shares where the device's rate is not known. */
static double weight_of(const search *s, size_t position) {
    const fsattn_problem *problem = &s->options->space->problems[s->options->problems[position]].problem;
    const double flop_per_s = s->options->evaluator->platform.flop_per_s;
    return flop_per_s > 0 ? sqrt(candidate_s + candidate_runs * fsattn_problem_flop(problem) / flop_per_s) : 1;
}

/* Until when this problem may be searched, and until when its shoot-out may last. */
static void share_time(const search *s, size_t position, int64_t *search_ns, int64_t *all_ns) {
    *search_ns = *all_ns = INT64_MAX;
    if (s->deadline_ns != INT64_MAX) {
        double weights = 0, left = fmax(0, (double)(s->deadline_ns - now(s)));
        for (size_t i = position; i < s->options->problem_count; i++) {
            weights += weight_of(s, i);
        }
        double share = left * weight_of(s, position) / weights;
        *all_ns = now(s) + (int64_t)share;
        const double kept = s->options->evaluator->ops->prove ? shootout_share_proving : shootout_share;
        *search_ns = now(s) + (int64_t)(share * (1 - kept));
    }
}

static void note_problem(const search *s, const fsattn_session *session, size_t position, bool outside,
                         int64_t deadline_ns) {
    const fsattn_enumeration_statistics *statistics = fsattn_enumeration_statistics_of(s->enumeration);
    fsattn_notice notice = {
        .kind = FSATTN_NOTICE_PROBLEM,
        .problem = {.problem = session->problem_text,
                    .name = session->name,
                    .index = position,
                    .count = s->options->problem_count,
                    .raw = statistics->raw,
                    .valid = valid_count(s),
                    .has_default = !outside,
                    .seconds = deadline_ns == INT64_MAX ? INFINITY : (double)(deadline_ns - now(s)) / 1e9}};
    fsattn_session_emit(session, &notice);
}

/* The next problem is begun, in each part, where this one ended. */
static void take_starts(search *s, const fsattn_hunt *hunt) {
    for (size_t part = 0; part < s->part_count; part++) {
        const fsattn_candidate *best = NULL;
        uint64_t index;
        for (size_t i = 0; i < hunt->count; i++) {
            const fsattn_candidate *candidate = hunt->candidates[i];
            const double reference_ns = hunt->baseline.first_ns;
            if (candidate->part == part && fsattn_candidate_ranked(candidate) &&
                (!best || fsattn_candidate_score(candidate, reference_ns) < fsattn_candidate_score(best, reference_ns))) {
                best = candidate;
            }
        }
        if (best && fsattn_enumeration_find(s->parts[part].enumeration, &best->config, &index)) {
            s->parts[part].start = best->config;
        }
    }
}

/* What the hunt gave up beside one that fails now may be a finalist after all. */
static fsattn_status decide(fsattn_hunt *hunt, fsattn_winners *winners, fsattn_err *err) {
    bool more;
    FSATTN_TRY(fsattn_hunt_again(hunt, &more, err));
    do {
        FSATTN_TRY(fsattn_winners_decide(hunt->session, hunt->candidates, hunt->count, hunt->baseline.first_ns, hunt->end_ns, winners, err));
        FSATTN_TRY(fsattn_hunt_again(hunt, &more, err));
    } while (more);
    return FSATTN_OK;
}

/* Searches one problem with its share of the budget, and decides. */
static fsattn_status hunt_problem(search *s, size_t position, fsattn_session *session, fsattn_search_result *result,
                                  fsattn_err *err) {
    const fsattn_search_options *options = s->options;
    const size_t problems_left = options->problem_count - position;
    fsattn_hunt hunt = {.options = options, .session = session, .parts = s->parts, .part_count = s->part_count};
    share_time(s, position, &hunt.deadline_ns, &hunt.end_ns);
    int64_t evaluations = s->evaluations == INT64_MAX
                              ? INT64_MAX
                              : (s->evaluations + (int64_t)problems_left - 1) / (int64_t)problems_left;
    hunt.evaluations = evaluations;
    if (hunt.end_ns != INT64_MAX) {
        session->policy.patience_ns = fmax(patience_least_ns, patience_share * (double)(hunt.end_ns - now(s)));
    }
    note_problem(s, session, position, result->default_outside, hunt.end_ns);
    fsattn_winners winners;
    fsattn_status status = fsattn_hunt_run(&hunt, err);
    if (hunt.end != FSATTN_SEARCH_DONE) {
        s->summary->end = hunt.end > s->summary->end ? hunt.end : s->summary->end;
    }
    s->evaluations -= s->evaluations == INT64_MAX ? 0 : evaluations - hunt.evaluations;
    result->default_known = hunt.base != NULL;
    result->default_verdict = hunt.base ? hunt.base->verdict : FSATTN_VERDICT_REJECTED;
    result->baseline_lowest_ns = hunt.baseline.lowest_ns;
    result->baseline_highest_ns = hunt.baseline.highest_ns;
    FSATTN_GOTO(status);
    take_starts(s, &hunt);
    FSATTN_GOTO(decide(&hunt, &winners, err));
    if (winners.winner) {
        FSATTN_GOTO(describe_winner(s, session, &winners, result, err));
    } else {
        explain_failure(s, &hunt, &result->totals, &result->why);
    }
out:
    fsattn_hunt_fini(&hunt);
    return status;
}

static fsattn_status search_problem(search *s, size_t position, fsattn_search_result *result,
                                    fsattn_err *err) {
    const fsattn_search_options *options = s->options;
    const fsattn_space_problem *problem = &options->space->problems[options->problems[position]];
    FSATTN_TRY(enumerate(s, &problem->problem, err));
    fsattn_session session;
    open_session(s, problem, &result->totals, &session);
    result->raw = fsattn_enumeration_statistics_of(s->enumeration)->raw;
    result->valid = valid_count(s);
    result->default_outside = !has_default(s);
    if (result->valid) {
        FSATTN_TRY(hunt_problem(s, position, &session, result, err));
    } else {
        note_problem(s, &session, position, result->default_outside, now(s));
        fsattn_enumeration_check(s->enumeration, &result->why);
        if (result->why.code == FSATTN_OK) {
            fsattn_fail(&result->why, FSATTN_INVALID, "no valid configuration is in any tier");
            fsattn_hint(&result->why, "widen `tiers` in %s", options->space->path);
        }
    }
    if (!result->has_winner) {
        report_no_winner(&session, result);
    }
    return FSATTN_OK;
}

/* ---- the run ---- */

static void add_totals(fsattn_totals *sum, const fsattn_totals *totals) {
    sum->compiled += totals->compiled;
    sum->measured += totals->measured;
    sum->resumed += totals->resumed;
    sum->retimed += totals->retimed;
    sum->inaccurate += totals->inaccurate;
    sum->drift_checks += totals->drift_checks;
    sum->canaries += totals->canaries;
    sum->winners += totals->winners;
    for (int i = 0; i < fsattn_verdict_count; i++) {
        sum->verdicts[i] += totals->verdicts[i];
    }
}

static void emit(const search *s, fsattn_notice *notice) {
    notice->elapsed_s = (double)(now(s) - s->began_ns) / 1e9;
    fsattn_events_emit(s->options->events, notice);
}

static fsattn_status begin(search *s, fsattn_err *err) {
    const fsattn_search_options *options = s->options;
    fsattn_search_summary *summary = s->summary;
    fsattn_measure_policy_text(&options->space->measurement, &options->evaluator->platform, &s->policy);
    summary->results = fsattn_arena_alloc(&summary->arena, options->problem_count, sizeof *summary->results);
    if (s->policy.failed || !summary->results) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "search: out of memory");
    }
    s->began_ns = now(s);
    s->deadline_ns = INT64_MAX;
    if (options->seconds < (double)(INT64_MAX - s->began_ns) / 1e9) {
        s->deadline_ns = s->began_ns + (int64_t)(options->seconds * 1e9);
    }
    s->evaluations = options->evaluations;
    summary->provenance = options->evaluator->platform.provenance;
    fsattn_store_run run = {.space = options->space->path,
                            .command = options->command,
                            .machine = options->evaluator->platform.machine,
                            .outcome = ""};
    FSATTN_TRY(fsattn_store_run_begin(options->store, &run, &s->run_id, err));
    fsattn_notice notice = {.kind = FSATTN_NOTICE_RUN,
                            .run = {.space = options->space->path,
                                    .store = options->store_path,
                                    .strategy = options->strategy->name,
                                    .platform = &options->evaluator->platform,
                                    .seed = options->settings.seed,
                                    .problems = options->problem_count,
                                    .seconds = options->seconds,
                                    .evaluations = options->evaluations}};
    emit(s, &notice);
    return FSATTN_OK;
}

static fsattn_status search_all(search *s, fsattn_err *err) {
    const fsattn_search_options *options = s->options;
    fsattn_search_summary *summary = s->summary;
    for (size_t i = 0; i < options->problem_count; i++) {
        const fsattn_space_problem *problem = &options->space->problems[options->problems[i]];
        if (options->stop && *options->stop) {
            summary->end = FSATTN_SEARCH_INTERRUPTED;
            return FSATTN_OK;
        }
        fsattn_search_result *result = &summary->results[summary->result_count++];
        char text[fsattn_problem_text_bytes];
        fsattn_problem_text(&problem->problem, text);
        result->name = fsattn_arena_strdup(&summary->arena, problem->name);
        result->problem = fsattn_arena_strdup(&summary->arena, text);
        if (!result->name || !result->problem) {
            return fsattn_fail(err, FSATTN_NO_MEMORY, "search: out of memory");
        }
        fsattn_status status = search_problem(s, i, result, err);
        add_totals(&summary->totals, &result->totals);
        if (status != FSATTN_OK) {
            return fsattn_context_add(err, status, "%s", problem->name);
        }
    }
    return FSATTN_OK;
}

fsattn_status fsattn_search_run(const fsattn_search_options *options, fsattn_search_summary *summary,
                                fsattn_err *err) {
    *summary = (fsattn_search_summary){.end = FSATTN_SEARCH_DONE};
    search s = {.options = options, .summary = summary};
    fsattn_status status = FSATTN_OK;
    fsattn_err detail = {0};
    FSATTN_GOTO(begin(&s, err));
    status = search_all(&s, &detail);
    summary->end = status == FSATTN_OK ? summary->end : FSATTN_SEARCH_ERROR;
    summary->seconds = (double)(now(&s) - s.began_ns) / 1e9;
    fsattn_status finished = fsattn_store_run_finish(
        options->store, s.run_id, status == FSATTN_OK ? fsattn_search_end_text(summary->end) : detail.message,
        status == FSATTN_OK ? &detail : NULL);
    status = status == FSATTN_OK ? finished : status;
    if (status != FSATTN_OK && err) {
        *err = detail;
    }
out:
    forget_enumerations(&s);
    fsattn_text_fini(&s.policy);
    return status;
}

void fsattn_search_summary_fini(fsattn_search_summary *summary) {
    fsattn_arena_fini(&summary->arena);
    *summary = (fsattn_search_summary){0};
}
