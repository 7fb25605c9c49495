#include "search_run.h"

#include "error.h"
#include "memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Share of a problem's time that is kept for the shoot-out. */
static const double shootout_share = 0.15, shootout_share_proving = 0.4; /* the second where finalists are verified then */
/* Share that one candidate may take while it is timed: long kernels get no more samples than they must. */
static const double patience_share = 0.02;
static const double patience_least_ns = 0.5e9;

int64_t fsattn_search_now(const fsattn_search_state *s) {
    return s->options->evaluator->ops->now_ns(s->options->evaluator);
}

bool fsattn_search_stopped(const fsattn_search_state *s) {
    return s->options->stop && *s->options->stop;
}

/* ---- what is valid ---- */

void fsattn_search_forget(fsattn_search_state *s) {
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
static fsattn_status enumerate(fsattn_search_state *s, const fsattn_problem *problem, fsattn_err *err) {
    fsattn_problem sizeless = *problem;
    sizeless.batch = sizeless.heads_q = sizeless.heads_kv = sizeless.s_q = sizeless.s_k = 1;
    sizeless.scale = 0;
    char text[fsattn_problem_text_bytes];
    fsattn_problem_text(&sizeless, text);
    if (s->enumeration && !strcmp(text, s->setting)) {
        return FSATTN_OK;
    }
    fsattn_search_forget(s);
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
static uint64_t valid_count(const fsattn_search_state *s) {
    uint64_t valid = 0;
    for (size_t i = 0; i < s->part_count; i++) {
        valid += fsattn_enumeration_count(s->parts[i].enumeration);
    }
    return valid;
}

static bool has_default(const fsattn_search_state *s) {
    uint64_t index;
    for (size_t i = 0; i < s->part_count; i++) {
        if (fsattn_enumeration_find(s->parts[i].enumeration, &s->options->space->manifest->defaults, &index)) {
            return true;
        }
    }
    return false;
}

/* ---- what is told ---- */

/* Copies a text into the summary and clears it. */
static const char *keep(fsattn_search_state *s, fsattn_text *text) {
    const char *kept =
        text->failed ? NULL : fsattn_arena_strdup(&s->summary->arena, text->data ? text->data : "");
    fsattn_text_fini(text);
    return kept;
}

static fsattn_status describe_winner(fsattn_search_state *s, const fsattn_session *session, const fsattn_winners *winners,
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
static void explain_failure(const fsattn_search_state *s, const fsattn_hunt *hunt, const fsattn_totals *totals, fsattn_err *why) {
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

static void note_problem(const fsattn_search_state *s, const fsattn_session *session, size_t position, bool outside,
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
                    .seconds = deadline_ns == INT64_MAX ? INFINITY : (double)(deadline_ns - fsattn_search_now(s)) / 1e9}};
    fsattn_session_emit(session, &notice);
}

/* ---- searching ---- */

static void open_session(const fsattn_search_state *s, const fsattn_space_problem *problem, fsattn_totals *totals,
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

/* The next problem is begun, in each part, where this one ended. */
static void take_starts(fsattn_search_state *s, const fsattn_hunt *hunt) {
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


/* Of what is left until then, what the search may take. */
static int64_t search_end(const fsattn_search_state *s, int64_t all_ns) {
    const double kept = s->options->evaluator->ops->prove ? shootout_share_proving : shootout_share;
    const int64_t now_ns = fsattn_search_now(s);
    return all_ns == INT64_MAX ? INT64_MAX : now_ns + (int64_t)((double)(all_ns - now_ns) * (1 - kept));
}

fsattn_status fsattn_search_point_begin(fsattn_search_state *s, const fsattn_space_problem *problem, fsattn_search_point *point, fsattn_err *err) {
    fsattn_search_summary *summary = s->summary;
    fsattn_search_result *result = &summary->results[summary->result_count++];
    char text[fsattn_problem_text_bytes];
    *point = (fsattn_search_point){.s = s, .problem = problem, .result = result};
    fsattn_problem_text(&problem->problem, text);
    result->name = fsattn_arena_strdup(&summary->arena, problem->name);
    result->problem = fsattn_arena_strdup(&summary->arena, text);
    if (!result->name || !result->problem) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "search: out of memory");
    }
    FSATTN_TRY(enumerate(s, &problem->problem, err));
    open_session(s, problem, &result->totals, &point->session);
    result->raw = fsattn_enumeration_statistics_of(s->enumeration)->raw;
    result->valid = valid_count(s);
    result->default_outside = !has_default(s);
    point->hunt = (fsattn_hunt){.options = s->options, .session = &point->session, .parts = s->parts, .part_count = s->part_count};
    return FSATTN_OK;
}

fsattn_status fsattn_search_point_hunt(fsattn_search_point *point, const fsattn_search_share *share, const fsattn_config *carried, size_t count,
                                       fsattn_err *err) {
    fsattn_search_state *s = point->s;
    fsattn_hunt *hunt = &point->hunt;
    fsattn_search_result *result = point->result;
    if (!result->valid) {
        note_problem(s, &point->session, share->position, result->default_outside, fsattn_search_now(s));
        return FSATTN_OK;
    }
    hunt->end_ns = share->all_ns;
    hunt->deadline_ns = search_end(s, share->all_ns);
    hunt->evaluations = share->evaluations;
    hunt->carried = carried;
    hunt->carried_count = count;
    if (hunt->end_ns != INT64_MAX) {
        point->session.policy.patience_ns = fmax(patience_least_ns, patience_share * (double)(hunt->end_ns - fsattn_search_now(s)));
    }
    note_problem(s, &point->session, share->position, result->default_outside, hunt->end_ns);
    const fsattn_status status = fsattn_hunt_run(hunt, err);
    if (hunt->end != FSATTN_SEARCH_DONE) {
        s->summary->end = hunt->end > s->summary->end ? hunt->end : s->summary->end;
    }
    s->evaluations -= s->evaluations == INT64_MAX ? 0 : share->evaluations - hunt->evaluations;
    result->default_known = hunt->base != NULL;
    result->default_verdict = hunt->base ? hunt->base->verdict : FSATTN_VERDICT_REJECTED;
    result->baseline_lowest_ns = hunt->baseline.lowest_ns;
    result->baseline_highest_ns = hunt->baseline.highest_ns;
    FSATTN_TRY(status);
    take_starts(s, hunt);
    return decide(hunt, &point->winners, err);
}

fsattn_status fsattn_search_point_retry(fsattn_search_point *point, const fsattn_config *configs, size_t count, int64_t end_ns, fsattn_err *err) {
    bool any;
    if (!point->result->valid || !point->hunt.base) {
        return FSATTN_OK;
    }
    FSATTN_TRY(enumerate(point->s, &point->problem->problem, err)); /* another problem may have been begun since */
    point->hunt.end_ns = end_ns;
    point->hunt.deadline_ns = search_end(point->s, end_ns);
    FSATTN_TRY(fsattn_hunt_try(&point->hunt, configs, count, &any, err));
    return any ? decide(&point->hunt, &point->winners, err) : FSATTN_OK;
}

fsattn_status fsattn_search_point_tell(fsattn_search_point *point, fsattn_err *err) {
    fsattn_search_state *s = point->s;
    fsattn_search_result *result = point->result;
    if (point->winners.winner) {
        FSATTN_TRY(describe_winner(s, &point->session, &point->winners, result, err));
    } else if (result->valid) {
        explain_failure(s, &point->hunt, &result->totals, &result->why);
    } else {
        fsattn_enumeration_check(s->enumeration, &result->why);
        if (result->why.code == FSATTN_OK) {
            fsattn_fail(&result->why, FSATTN_INVALID, "no valid configuration is in any tier");
            fsattn_hint(&result->why, "widen `tiers` in %s", s->options->space->path);
        }
    }
    if (!result->has_winner) {
        report_no_winner(&point->session, result);
    }
    return FSATTN_OK;
}

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

void fsattn_search_point_release(fsattn_search_point *point) {
    if (point->result) {
        add_totals(&point->s->summary->totals, &point->result->totals);
        fsattn_hunt_fini(&point->hunt);
        *point = (fsattn_search_point){0};
    }
}
