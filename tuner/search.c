#include "search.h"

#include "error.h"
#include "hunt.h"
#include "memory.h"

#include <math.h>
#include <string.h>

/* Share of a problem's time that is kept for the shoot-out. */
static const double shootout_share = 0.15;
/* Share that one candidate may take while it is timed: long kernels get no more samples than they must. */
static const double patience_share = 0.02;
static const double patience_least_ns = 0.5e9;

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
    fsattn_enumeration *enumeration;
    char setting[fsattn_problem_text_bytes]; /* that the enumeration is for */
} search;

static int64_t now(const search *s) {
    return s->options->evaluator->ops->now_ns(s->options->evaluator);
}

/* ---- one problem ---- */

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
    fsattn_enumeration_destroy(s->enumeration);
    s->enumeration = NULL;
    memcpy(s->setting, text, sizeof text);
    fsattn_setting setting = {problem, s->options->evaluator->platform.isa};
    return fsattn_enumeration_create(s->options->space, &setting, &s->enumeration, err);
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

/* "tile_m=64 exponential=schraudolph": what a configuration has otherwise than the default. */
static void difference_text(const fsattn_space *space, const fsattn_config *config, fsattn_text *text) {
    const fsattn_parameter_set *set = &space->manifest->parameters;
    for (size_t i = 0; i < set->count; i++) {
        size_t parameter = set->by_name[i];
        if (config->index[parameter] != space->manifest->defaults.index[parameter]) {
            fsattn_text_printf(text, "%s%s=", text->bytes ? " " : "", set->items[parameter].name);
            fsattn_value_text(fsattn_config_value(set, config, parameter), text);
        }
    }
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
    difference_text(space, &winner->config, &text);
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

/* Until when this problem may be searched, and until when its shoot-out may last. */
static void share_time(const search *s, size_t problems_left, int64_t *search_ns, int64_t *all_ns) {
    *search_ns = *all_ns = INT64_MAX;
    if (s->deadline_ns != INT64_MAX) {
        int64_t left = s->deadline_ns - now(s);
        int64_t share = left > 0 ? left / (int64_t)problems_left : 0;
        *all_ns = now(s) + share;
        *search_ns = now(s) + (int64_t)((double)share * (1 - shootout_share));
    }
}

static void note_problem(const search *s, const fsattn_session *session, size_t position,
                         int64_t deadline_ns) {
    const fsattn_enumeration_statistics *statistics = fsattn_enumeration_statistics_of(s->enumeration);
    fsattn_notice notice = {
        .kind = FSATTN_NOTICE_PROBLEM,
        .problem = {.problem = session->problem_text,
                    .name = session->name,
                    .index = position,
                    .count = s->options->problem_count,
                    .raw = statistics->raw,
                    .valid = fsattn_enumeration_count(s->enumeration),
                    .seconds = deadline_ns == INT64_MAX ? INFINITY : (double)(deadline_ns - now(s)) / 1e9}};
    fsattn_session_emit(session, &notice);
}

static fsattn_status search_problem(search *s, size_t position, fsattn_search_result *result,
                                    fsattn_err *err) {
    const fsattn_search_options *options = s->options;
    const fsattn_space_problem *problem = &options->space->problems[options->problems[position]];
    size_t problems_left = options->problem_count - position;
    FSATTN_TRY(enumerate(s, &problem->problem, err));
    fsattn_session session;
    open_session(s, problem, &result->totals, &session);
    result->raw = fsattn_enumeration_statistics_of(s->enumeration)->raw;
    result->valid = fsattn_enumeration_count(s->enumeration);
    fsattn_hunt hunt = {.options = options, .session = &session, .enumeration = s->enumeration};
    int64_t all_ns;
    share_time(s, problems_left, &hunt.deadline_ns, &all_ns);
    int64_t evaluations = s->evaluations == INT64_MAX
                              ? INT64_MAX
                              : (s->evaluations + (int64_t)problems_left - 1) / (int64_t)problems_left;
    hunt.evaluations = evaluations;
    if (all_ns != INT64_MAX) {
        session.policy.patience_ns = fmax(patience_least_ns, patience_share * (double)(all_ns - now(s)));
    }
    hunt.end_ns = all_ns;
    note_problem(s, &session, position, all_ns);
    fsattn_status status = FSATTN_OK;
    FSATTN_GOTO(fsattn_hunt_run(&hunt, err));
    if (hunt.end != FSATTN_SEARCH_DONE) {
        s->summary->end = hunt.end > s->summary->end ? hunt.end : s->summary->end;
    }
    s->evaluations -= s->evaluations == INT64_MAX ? 0 : evaluations - hunt.evaluations;
    result->default_verdict = hunt.base ? hunt.base->verdict : FSATTN_VERDICT_REJECTED;
    result->baseline_lowest_ns = hunt.baseline.lowest_ns;
    result->baseline_highest_ns = hunt.baseline.highest_ns;
    fsattn_winners winners;
    FSATTN_GOTO(fsattn_winners_decide(&session, hunt.candidates, hunt.count, hunt.baseline.first_ns, all_ns,
                                      &winners, err));
    if (winners.winner) {
        FSATTN_GOTO(describe_winner(s, &session, &winners, result, err));
    }
out:
    fsattn_hunt_fini(&hunt);
    return status;
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
    summary->seconds = (double)(now(&s) - s.began_ns) / 1e9;
    fsattn_status finished = fsattn_store_run_finish(
        options->store, s.run_id, status == FSATTN_OK ? fsattn_search_end_text(summary->end) : detail.message,
        status == FSATTN_OK ? &detail : NULL);
    status = status == FSATTN_OK ? finished : status;
    if (status != FSATTN_OK && err) {
        *err = detail;
    }
out:
    fsattn_enumeration_destroy(s.enumeration);
    fsattn_text_fini(&s.policy);
    return status;
}

void fsattn_search_summary_fini(fsattn_search_summary *summary) {
    fsattn_arena_fini(&summary->arena);
    *summary = (fsattn_search_summary){0};
}
