#include "explain.h"

#include "enumerate.h"
#include "error.h"
#include "events.h"
#include "explain_range.h"
#include "explain_results.h"
#include "importance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { best_limit = 5, cut_limit = 8, step_limit = 20 };

/* One problem. */
typedef struct explanation {
    const fsattn_explain_options *options;
    const fsattn_space_problem *problem;
    const fsattn_enumeration *enumeration;
    FILE *stream;
    fsattn_explain_results results;
    const fsattn_explain_result *best; /* of least cost; NULL: none is ranked */
} explanation;

static fsattn_status no_memory(fsattn_err *err) {
    return fsattn_fail(err, FSATTN_NO_MEMORY, "explain: out of memory");
}

static const fsattn_parameter_set *parameters_of(const explanation *e) {
    return &e->options->space->manifest->parameters;
}

static const fsattn_explain_result *result_at(const explanation *e, size_t i) {
    return &((const fsattn_explain_result *)e->results.items)[i];
}

/* ---- the head ---- */

static void print_head(const explanation *e) {
    size_t verdicts[fsattn_verdict_count] = {0}, below = 0;
    const char *separator = ": ";
    for (size_t i = 0; i < e->results.count; i++) {
        verdicts[result_at(e, i)->verdict]++;
        below += result_at(e, i)->below_floor;
    }
    fprintf(e->stream, "%s\n  %zu results, %llu valid configurations", e->problem->name, e->results.count,
            (unsigned long long)fsattn_enumeration_count(e->enumeration));
    for (int i = 0; i < fsattn_verdict_count; i++) {
        if (verdicts[i]) {
            fprintf(e->stream, "%s%zu %s", separator, verdicts[i], fsattn_verdict_text((fsattn_verdict)i));
            separator = ", ";
        }
    }
    if (below) {
        fprintf(e->stream, ", %zu below the accuracy floor", below);
    }
    const fsattn_cost *cost = &result_at(e, 0)->cost;
    fprintf(e->stream, "; costs are %s%s%s\n", cost->provenance == FSATTN_MEASURED ? "measured" : "modelled",
            *cost->device ? " on " : "", cost->device);
    if (e->results.other_places) {
        fprintf(e->stream, "  %zu results of other devices, drivers or ways to measure are left out\n",
                e->results.other_places);
    }
    if (e->results.unknown) {
        fprintf(e->stream, "  %zu results of configurations that the template does not have any more are left out\n",
                e->results.unknown);
    }
}

/* ---- best so far ---- */

static void print_curve(const explanation *e) {
    const fsattn_explain_result *best = NULL;
    size_t improvements = 0, shown = 0;
    for (size_t turn = 0; turn < 2; turn++) {
        best = NULL;
        for (size_t i = 0; i < e->results.count; i++) {
            const fsattn_explain_result *result = result_at(e, i);
            if (!fsattn_explain_ranked(result) || (best && result->cost.median_ns >= best->cost.median_ns)) {
                continue;
            }
            best = result;
            improvements += turn == 0;
            /* Of many the last ones are shown, and the first. */
            if (turn == 1 && (shown++ == 0 || improvements - shown < step_limit)) {
                char time[32];
                fsattn_events_time_text(result->cost.median_ns, time);
                fprintf(e->stream, "    %7zu %9.1f s  %-12s %+.1f%%\n", i + 1,
                        (double)(result->at_ms - result_at(e, 0)->at_ms) / 1e3, time,
                        100 * (result->cost.median_ns / e->best->cost.median_ns - 1));
            }
        }
        if (turn == 0) {
            fprintf(e->stream, "  best so far\n    results     after  cost         over the best\n");
        }
    }
}

/* ---- parameters ---- */

/* Best cost among results with another value of the parameter than the best result has; INFINITY: there is none. */
static double best_otherwise(const explanation *e, size_t parameter) {
    double least = INFINITY;
    for (size_t i = 0; i < e->results.count; i++) {
        const fsattn_explain_result *result = result_at(e, i);
        if (fsattn_explain_ranked(result) && result->config.index[parameter] != e->best->config.index[parameter]) {
            least = fmin(least, result->cost.median_ns);
        }
    }
    return least;
}

static int compare_index(const void *a, const void *b) {
    const fsattn_explain_result *x = *(const fsattn_explain_result *const *)a, *y = *(const fsattn_explain_result *const *)b;
    return (x->index > y->index) - (x->index < y->index);
}

/* The results with a cost, below the floor or not, that are configurations of the space. */
static fsattn_status measure_importance(const explanation *e, fsattn_importance *importance, size_t *used, fsattn_err *err) {
    const fsattn_explain_result **chosen = fsattn_alloc(e->results.count, sizeof *chosen);
    uint64_t *indices = fsattn_alloc(e->results.count, sizeof *indices);
    double *costs = fsattn_alloc(e->results.count, sizeof *costs);
    fsattn_status status = chosen && indices && costs ? FSATTN_OK : no_memory(err);
    size_t count = 0;
    for (size_t i = 0; i < e->results.count && status == FSATTN_OK; i++) {
        const fsattn_explain_result *result = result_at(e, i);
        if (result->verdict == FSATTN_VERDICT_OK && result->cost.samples && result->cost.median_ns > 0 &&
            result->index != UINT64_MAX) {
            chosen[count++] = result;
        }
    }
    if (count) {
        qsort(chosen, count, sizeof *chosen, compare_index);
    }
    for (size_t i = 0; i < count; i++) {
        indices[i] = chosen[i]->index;
        costs[i] = chosen[i]->cost.median_ns;
    }
    if (status == FSATTN_OK && count >= fsattn_importance_least) {
        status = fsattn_importance_of(e->enumeration, indices, costs, count, importance, err);
    }
    *used = count;
    fsattn_free(chosen);
    fsattn_free(indices);
    fsattn_free(costs);
    return status;
}

static void print_parameter(const explanation *e, const fsattn_importance *importance, bool known, size_t parameter) {
    fsattn_text value = {0};
    char share[16] = "-", otherwise[32] = "-";
    fsattn_value_text(fsattn_config_value(parameters_of(e), &e->best->config, parameter), &value);
    if (known) {
        snprintf(share, sizeof share, "%.1f%%", 100 * importance->shares[parameter]);
    }
    double other = best_otherwise(e, parameter);
    if (isfinite(other)) {
        snprintf(otherwise, sizeof otherwise, "%+.1f%%", 100 * (other / e->best->cost.median_ns - 1));
    }
    fprintf(e->stream, "    %-28s %7s  %-14s %s\n", parameters_of(e)->items[parameter].name, share,
            value.failed ? "?" : value.data, otherwise);
    fsattn_text_fini(&value);
}

static fsattn_status print_parameters(const explanation *e, fsattn_err *err) {
    const fsattn_space *space = e->options->space;
    fsattn_importance importance = {0};
    size_t used, order[fsattn_parameter_limit], count = 0;
    FSATTN_TRY(measure_importance(e, &importance, &used, err));
    bool known = used >= fsattn_importance_least;
    /* By falling share; equal ones in the template's order. */
    for (size_t p = 0; p < parameters_of(e)->count; p++) {
        size_t at = count;
        if (space->axes[p].count < 2) {
            continue;
        }
        for (; at && importance.shares[order[at - 1]] < importance.shares[p]; at--) {
            order[at] = order[at - 1];
        }
        order[at] = p;
        count++;
    }
    if (known) {
        fprintf(e->stream,
                "  what mattered (a forest of trees explains %.0f%% of the variance of log cost in results that it did not see)\n",
                100 * fmax(0, importance.explained));
    } else {
        fprintf(e->stream, "  what mattered (shares need %d results with a cost, there are %zu)\n", fsattn_importance_least,
                used);
    }
    fprintf(e->stream, "    %-28s %7s  %-14s %s\n", "parameter", "share", "of the best", "best otherwise");
    for (size_t i = 0; i < count; i++) {
        print_parameter(e, &importance, known, order[i]);
    }
    return FSATTN_OK;
}

/* ---- what was cut ---- */

static void print_constraints(const explanation *e) {
    const fsattn_space *space = e->options->space;
    const double raw = fsattn_enumeration_statistics_of(e->enumeration)->raw;
    const double valid = (double)fsattn_enumeration_count(e->enumeration);
    double shown_least = INFINITY;
    size_t last = SIZE_MAX;
    if (space->constraint_count == 0) {
        return;
    }
    fprintf(e->stream, "  constraints leave %.15g of %.15g configurations\n", valid, raw);
    /* By falling number, without sorting: the next is the largest below what was shown; equal ones in their order. */
    for (size_t turn = 0; turn < cut_limit; turn++) {
        size_t next = SIZE_MAX;
        double most = 0;
        for (size_t i = 0; i < space->constraint_count; i++) {
            double refused = fsattn_enumeration_refused(e->enumeration, i);
            bool later = refused < shown_least || (refused == shown_least && (last == SIZE_MAX || i > last));
            if (later && refused > most) {
                most = refused;
                next = i;
            }
        }
        if (next == SIZE_MAX) {
            break;
        }
        const fsattn_space_constraint *constraint = &space->constraints[next];
        fprintf(e->stream, "    %5.1f%%  %s (%s:%d)\n", 100 * most / raw, constraint->reason, constraint->file,
                constraint->place.line);
        shown_least = most;
        last = next;
    }
}

/* The reason that most results of the verdict have; the first of those as frequent. */
static const char *frequent_reason(const explanation *e, fsattn_verdict verdict, size_t *count) {
    const char *frequent = "";
    *count = 0;
    for (size_t i = 0; i < e->results.count; i++) {
        const fsattn_explain_result *result = result_at(e, i);
        size_t same = 0;
        for (size_t j = i; j < e->results.count && result->verdict == verdict && *result->reason; j++) {
            const fsattn_explain_result *other = result_at(e, j);
            same += other->verdict == verdict && !strcmp(other->reason, result->reason);
        }
        if (same > *count) {
            *count = same;
            frequent = result->reason;
        }
    }
    return frequent;
}

static void print_failures(const explanation *e) {
    size_t verdicts[fsattn_verdict_count] = {0}, failed = 0;
    for (size_t i = 0; i < e->results.count; i++) {
        verdicts[result_at(e, i)->verdict]++;
        failed += result_at(e, i)->verdict != FSATTN_VERDICT_OK;
    }
    if (!failed) {
        return;
    }
    fprintf(e->stream, "  %zu of %zu results failed\n", failed, e->results.count);
    for (int i = 0; i < fsattn_verdict_count; i++) {
        if (verdicts[i] && i != FSATTN_VERDICT_OK) {
            size_t count;
            const char *reason = frequent_reason(e, (fsattn_verdict)i, &count);
            fprintf(e->stream, "    %5zu  %s", verdicts[i], fsattn_verdict_text((fsattn_verdict)i));
            fprintf(e->stream, count ? "; %zu of them: %s\n" : "\n", count, reason);
        }
    }
}

/* ---- the best ---- */

static void print_result(const explanation *e, const fsattn_explain_result *result) {
    const fsattn_cost *cost = &result->cost;
    fsattn_text text = {0};
    char median[32], minimum[32];
    fsattn_config_difference(parameters_of(e), &result->config, &e->options->space->manifest->defaults, &text);
    fsattn_events_time_text(cost->median_ns, median);
    fsattn_events_time_text(cost->minimum_ns, minimum);
    fprintf(e->stream, "    %-12s +-%.1f%% of %llu, fastest %s  %s%s\n", median, 100 * cost->spread_ns / cost->median_ns,
            (unsigned long long)cost->samples, minimum, text.data ? text.data : "default", result->won ? "  (winner)" : "");
    fsattn_text_fini(&text);
}

/* Whether `a` stands before `b` among the best. */
static bool precedes(const fsattn_explain_result *a, const fsattn_explain_result *b) {
    return a->cost.median_ns != b->cost.median_ns ? a->cost.median_ns < b->cost.median_ns : a < b;
}

static void print_best(const explanation *e) {
    const fsattn_explain_result *last = NULL;
    fprintf(e->stream, "  the best (median, spread of so many samples; what they have otherwise than the default)\n");
    for (size_t turn = 0; turn < best_limit; turn++) {
        const fsattn_explain_result *next = NULL;
        for (size_t i = 0; i < e->results.count; i++) {
            const fsattn_explain_result *result = result_at(e, i);
            if (fsattn_explain_ranked(result) && (!last || precedes(last, result)) && (!next || precedes(result, next))) {
                next = result;
            }
        }
        if (!next) {
            return;
        }
        print_result(e, next);
        last = next;
    }
}

/* ---- all of it ---- */

static void find_best(explanation *e) {
    fsattn_explain_result *items = e->results.items;
    for (size_t i = 0; i < e->results.count; i++) {
        uint64_t index;
        items[i].index = fsattn_enumeration_find(e->enumeration, &items[i].config, &index) ? index : UINT64_MAX;
        if (fsattn_explain_ranked(&items[i]) && (!e->best || precedes(&items[i], e->best))) {
            e->best = &items[i];
        }
    }
}

static fsattn_status explain_problem(FILE *stream, const fsattn_explain_options *options, const fsattn_space_problem *problem,
                                     bool *any, fsattn_err *err) {
    explanation e = {.options = options, .problem = problem, .stream = stream};
    fsattn_enumeration *enumeration = NULL;
    fsattn_status status;
    FSATTN_GOTO(fsattn_explain_results_init(&e.results, options, &problem->problem, err));
    if (e.results.count == 0) {
        goto out;
    }
    const fsattn_setting setting = {&problem->problem, options->isa};
    FSATTN_GOTO(fsattn_enumeration_create(options->space, &setting, &enumeration, err));
    e.enumeration = enumeration;
    find_best(&e);
    fputs(*any ? "\n" : "", stream);
    *any = true;
    print_head(&e);
    if (e.best) {
        print_curve(&e);
        FSATTN_GOTO(print_parameters(&e, err));
    }
    print_constraints(&e);
    print_failures(&e);
    if (e.best) {
        print_best(&e);
    }
out:
    fsattn_enumeration_destroy(enumeration);
    fsattn_explain_results_fini(&e.results);
    return status;
}

/* A range as a whole, and of each interval one shape. */
static fsattn_status explain_range(FILE *stream, const fsattn_explain_options *options, const fsattn_space_problem *problem, bool *any,
                                   fsattn_err *err) {
    fsattn_explain_range range;
    fsattn_arena arena = {0};
    fsattn_status status;
    FSATTN_GOTO(fsattn_explain_range_init(&range, options, problem, err));
    if (range.shape_count) {
        fputs(*any ? "\n" : "", stream);
        *any = true;
        fsattn_explain_range_print(stream, &range);
    }
    for (size_t i = 0; i < range.shape_count; i++) {
        fsattn_space_problem shape = *problem;
        if (!fsattn_explain_range_shown(&range, i)) {
            continue;
        }
        fsattn_space_problem_at(problem, range.shapes[i].size, &shape.problem);
        shape.name = fsattn_space_problem_name_at(problem, range.shapes[i].size, &arena);
        if (!shape.name) {
            status = no_memory(err);
            goto out;
        }
        FSATTN_GOTO(explain_problem(stream, options, &shape, any, err));
    }
out:
    fsattn_explain_range_fini(&range);
    fsattn_arena_fini(&arena);
    return status;
}

fsattn_status fsattn_explain_print(FILE *stream, const fsattn_explain_options *options, fsattn_err *err) {
    bool any = false;
    for (size_t i = 0; i < options->problem_count; i++) {
        const fsattn_space_problem *problem = &options->space->problems[options->problems[i]];
        const bool ranged = problem->range && options->store;
        FSATTN_TRY((ranged ? explain_range : explain_problem)(stream, options, problem, &any, err));
    }
    if (!any) {
        fsattn_fail(err, FSATTN_NOT_FOUND, "no results of %s for these problems in the store",
                    options->space->manifest->name);
        fsattn_hint(err, "run it first: the same command without --explain");
        return FSATTN_NOT_FOUND;
    }
    return FSATTN_OK;
}
