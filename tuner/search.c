#include "search.h"

#include "bisect.h"
#include "error.h"
#include "listed.h"
#include "memory.h"

#include <math.h>
#include <string.h>

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

static const fsattn_space_problem *problem_at(const fsattn_search_state *s, size_t position) {
    return &s->options->space->problems[s->options->problems[position]];
}

/* ---- the budget ---- */

/* A problem's share of the time: the root of what one of its candidates takes, so that large problems get more time and small
 * ones still more candidates. Equal shares where the device's rate is not known. A range is several problems. */
static double weight_of(const fsattn_search_state *s, size_t position) {
    const fsattn_space_problem *problem = problem_at(s, position);
    const double flop_per_s = s->options->evaluator->platform.flop_per_s;
    const double one = flop_per_s > 0 ? sqrt(candidate_s + candidate_runs * fsattn_problem_flop(&problem->problem) / flop_per_s) : 1;
    return one * (double)fsattn_bisect_expected(problem);
}

static fsattn_search_share share_of(const fsattn_search_state *s, size_t position) {
    fsattn_search_share share = {.position = position, .all_ns = INT64_MAX, .evaluations = INT64_MAX};
    double weights = 0;
    int64_t shapes = 0;
    for (size_t i = position; i < s->options->problem_count; i++) {
        weights += weight_of(s, i);
        shapes += (int64_t)fsattn_bisect_expected(problem_at(s, i));
    }
    if (s->deadline_ns != INT64_MAX) {
        const double left = fmax(0, (double)(s->deadline_ns - fsattn_search_now(s)));
        share.all_ns = fsattn_search_now(s) + (int64_t)(left * weight_of(s, position) / weights);
    }
    if (s->evaluations != INT64_MAX) {
        const int64_t mine = (int64_t)fsattn_bisect_expected(problem_at(s, position));
        share.evaluations = s->evaluations / shapes * mine + (s->evaluations % shapes * mine + shapes - 1) / shapes;
    }
    return share;
}

/* ---- the run ---- */

static void emit(const fsattn_search_state *s, fsattn_notice *notice) {
    notice->elapsed_s = (double)(fsattn_search_now(s) - s->began_ns) / 1e9;
    fsattn_events_emit(s->options->events, notice);
}

static fsattn_status begin(fsattn_search_state *s, fsattn_err *err) {
    const fsattn_search_options *options = s->options;
    fsattn_search_summary *summary = s->summary;
    fsattn_measure_policy_text(&options->space->measurement, &options->evaluator->platform, &s->policy);
    size_t results = 0, intervals = 0;
    for (size_t i = 0; i < options->problem_count; i++) {
        const fsattn_space_range *range = problem_at(s, i)->range;
        results += range ? (size_t)range->shapes : 1;
        intervals += range ? (size_t)range->shapes * fsattn_space_part_count(options->space) : 0;
    }
    summary->results = fsattn_arena_alloc(&summary->arena, results, sizeof *summary->results);
    summary->intervals = fsattn_arena_alloc(&summary->arena, intervals, sizeof *summary->intervals);
    if (s->policy.failed || !summary->results || !summary->intervals) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "search: out of memory");
    }
    s->began_ns = fsattn_search_now(s);
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

static fsattn_status search_all(fsattn_search_state *s, fsattn_listed *listed, fsattn_err *err) {
    for (size_t i = 0; i < s->options->problem_count; i++) {
        const fsattn_space_problem *problem = problem_at(s, i);
        if (fsattn_search_stopped(s)) {
            s->summary->end = FSATTN_SEARCH_INTERRUPTED;
            break;
        }
        const fsattn_search_share share = share_of(s, i);
        const fsattn_status status = problem->range ? fsattn_bisect_run(s, problem, &share, err) : fsattn_listed_tune(listed, &share, err);
        if (status != FSATTN_OK) {
            fsattn_listed_finish(listed, false, NULL);
            return fsattn_context_add(err, status, "%s", problem->name);
        }
    }
    return fsattn_listed_finish(listed, true, err);
}

fsattn_status fsattn_search_run(const fsattn_search_options *options, fsattn_search_summary *summary,
                                fsattn_err *err) {
    *summary = (fsattn_search_summary){.end = FSATTN_SEARCH_DONE};
    fsattn_search_state s = {.options = options, .summary = summary};
    fsattn_status status = FSATTN_OK;
    fsattn_err detail = {0};
    fsattn_listed *listed = NULL;
    FSATTN_GOTO(fsattn_listed_create(&s, &listed, err));
    FSATTN_GOTO(begin(&s, err));
    status = search_all(&s, listed, &detail);
    summary->end = status == FSATTN_OK ? summary->end : FSATTN_SEARCH_ERROR;
    summary->seconds = (double)(fsattn_search_now(&s) - s.began_ns) / 1e9;
    fsattn_status finished = fsattn_store_run_finish(
        options->store, s.run_id, status == FSATTN_OK ? fsattn_search_end_text(summary->end) : detail.message,
        status == FSATTN_OK ? &detail : NULL);
    status = status == FSATTN_OK ? finished : status;
    if (status != FSATTN_OK && err) {
        *err = detail;
    }
out:
    fsattn_listed_destroy(listed);
    fsattn_search_forget(&s);
    fsattn_text_fini(&s.policy);
    return status;
}

void fsattn_search_summary_fini(fsattn_search_summary *summary) {
    fsattn_arena_fini(&summary->arena);
    *summary = (fsattn_search_summary){0};
}
