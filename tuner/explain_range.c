#include "explain_range.h"

#include "error.h"
#include "events.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { column_limit = 8, equivalent_limit = 4 };

static fsattn_status no_memory(fsattn_err *err) {
    return fsattn_fail(err, FSATTN_NO_MEMORY, "explain: out of memory");
}

static const fsattn_explain_result *result_at(const fsattn_explain_shape *shape, size_t i) {
    return &((const fsattn_explain_result *)shape->results.items)[i];
}

/* ---- which shapes there are ---- */

typedef struct sizes {
    const fsattn_space_problem *problem;
    void *items; /* int64_t, ascending, each once */
    size_t count, capacity;
} sizes;

/* The problem's size on the range; 0: it is none of its problems. */
static int64_t size_on(const fsattn_space_problem *ranged, const fsattn_problem *problem) {
    const fsattn_fsc_sizes all = fsattn_fsc_sizes_of(problem);
    for (size_t i = 0; i < sizeof all.value / sizeof all.value[0]; i++) {
        fsattn_problem made;
        if (all.value[i] >= ranged->range->from && all.value[i] <= ranged->range->to) {
            fsattn_space_problem_at(ranged, all.value[i], &made);
            if (fsattn_problem_equal(&made, problem)) {
                return all.value[i];
            }
        }
    }
    return 0;
}

static fsattn_status note_size(void *data, const fsattn_store_result *result, fsattn_err *err) {
    sizes *s = data;
    const int64_t size = size_on(s->problem, &result->record.problem);
    size_t at = s->count;
    int64_t *items = s->items;
    while (at && items[at - 1] > size) {
        at--;
    }
    if (!size || (at && items[at - 1] == size)) {
        return FSATTN_OK;
    }
    if (fsattn_grow(&s->items, &s->capacity, s->count, sizeof size)) {
        return no_memory(err);
    }
    items = s->items;
    memmove(items + at + 1, items + at, (s->count - at) * sizeof *items);
    items[at] = size;
    s->count++;
    return FSATTN_OK;
}

/* Of least cost of the tier, of those from a shoot-out if there are any; NULL: none is ranked. */
static const fsattn_explain_result *best_of(const fsattn_explain_range *range, const fsattn_explain_shape *shape, const char *tier) {
    const fsattn_explain_result *best = NULL;
    for (size_t i = 0; i < shape->results.count; i++) {
        const fsattn_explain_result *result = result_at(shape, i);
        const bool comparable = !best || result->confirmed == best->confirmed;
        if (fsattn_explain_ranked(result) && fsattn_space_tier_has(range->options->space, tier, &result->config) &&
            (comparable ? !best || result->cost.median_ns < best->cost.median_ns : result->confirmed)) {
            best = result;
        }
    }
    return best;
}

static fsattn_status read_shape(fsattn_explain_range *range, int64_t size, fsattn_err *err) {
    fsattn_explain_shape *shape = &range->shapes[range->shape_count];
    fsattn_problem problem;
    shape->size = size;
    fsattn_space_problem_at(range->problem, size, &problem);
    range->shape_count++;
    FSATTN_TRY(fsattn_explain_results_init(&shape->results, range->options, &problem, err));
    if (!shape->results.count) {
        fsattn_explain_results_fini(&shape->results);
        range->shape_count--;
    }
    return FSATTN_OK;
}

/* ---- intervals ---- */

static bool same_interval(const fsattn_explain_result *a, const fsattn_explain_result *b) {
    return a->interval.from == b->interval.from && a->interval.to == b->interval.to && !strcmp(a->interval.tier, b->interval.tier) &&
           fsattn_config_equal(&a->config, &b->config);
}

/* Whether `a` stands before `b`: by tier, then by where it begins. */
static bool precedes(const fsattn_fsc_interval *a, const fsattn_fsc_interval *b) {
    const int tiers = strcmp(a->tier, b->tier);
    return tiers ? tiers < 0 : a->from < b->from;
}

/* Each shape that an interval's configuration wins says it; it is kept once. */
static void add_interval(fsattn_explain_range *range, const fsattn_explain_result *result) {
    size_t at = range->interval_count;
    for (size_t i = 0; i < range->interval_count; i++) {
        if (same_interval(range->intervals[i], result)) {
            return;
        }
    }
    for (; at && precedes(&result->interval, &range->intervals[at - 1]->interval); at--) {
        range->intervals[at] = range->intervals[at - 1];
    }
    range->intervals[at] = result;
    range->interval_count++;
}

static fsattn_status find_intervals(fsattn_explain_range *range, fsattn_err *err) {
    size_t most = 0;
    for (size_t turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < range->shape_count; i++) {
            for (size_t j = 0; j < range->shapes[i].results.count; j++) {
                const fsattn_explain_result *result = result_at(&range->shapes[i], j);
                const bool serves = result->has_interval && result->interval.axis == range->problem->range->axis;
                most += turn == 0 && serves;
                if (turn == 1 && serves) {
                    add_interval(range, result);
                }
            }
        }
        if (turn == 0 && !(range->intervals = fsattn_alloc(most ? most : 1, sizeof *range->intervals))) {
            return no_memory(err);
        }
    }
    return FSATTN_OK;
}

static bool has_size(const fsattn_fsc_interval *interval, int64_t size) {
    return size >= interval->from && size <= interval->to;
}

/* Number of the tier's interval that has the size; SIZE_MAX: none. */
static size_t interval_of(const fsattn_explain_range *range, const char *tier, int64_t size) {
    for (size_t i = 0; i < range->interval_count; i++) {
        if (has_size(&range->intervals[i]->interval, size) && !strcmp(range->intervals[i]->interval.tier, tier)) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* Whether the shape has the most results of those in the interval (NULL: of all), and is the largest of these. */
static bool most_results(const fsattn_explain_range *range, size_t shape, const fsattn_fsc_interval *interval) {
    if (interval && !has_size(interval, range->shapes[shape].size)) {
        return false;
    }
    for (size_t i = 0; i < range->shape_count; i++) {
        const size_t mine = range->shapes[shape].results.count, others = range->shapes[i].results.count;
        if ((!interval || has_size(interval, range->shapes[i].size)) && (others > mine || (others == mine && i > shape))) {
            return false;
        }
    }
    return true;
}

bool fsattn_explain_range_shown(const fsattn_explain_range *range, size_t shape) {
    bool shown = !range->interval_count && most_results(range, shape, NULL);
    for (size_t i = 0; i < range->interval_count; i++) {
        shown = shown || most_results(range, shape, &range->intervals[i]->interval);
    }
    return shown;
}

/* ---- printing ---- */

/* What a configuration has otherwise than the default; released by the caller. */
static const char *difference_of(const fsattn_explain_range *range, const fsattn_config *config, fsattn_text *text) {
    const fsattn_manifest *manifest = range->options->space->manifest;
    fsattn_config_difference(&manifest->parameters, config, &manifest->defaults, text);
    return text->failed ? "?" : text->bytes ? text->data : "default";
}

/* The result whose identity begins with the digits. */
static const fsattn_explain_result *find_identity(const fsattn_explain_range *range, const char *digits, size_t count) {
    for (size_t i = 0; i < range->shape_count; i++) {
        for (size_t j = 0; j < range->shapes[i].results.count; j++) {
            char hex[fsattn_hash_hex_bytes];
            fsattn_hash_hex(&result_at(&range->shapes[i], j)->identity, hex);
            if (count && count < sizeof hex && !strncmp(hex, digits, count)) {
                return result_at(&range->shapes[i], j);
            }
        }
    }
    return NULL;
}

/* "as fast within noise at 128: tile_m=96 (at most 1.2% slower inside)"; `text` is fsattn_fsc_interval's `equivalent`. */
static void print_equivalents(FILE *stream, const fsattn_explain_range *range, const fsattn_explain_shape *shape, const char *text) {
    size_t told = 0;
    while (*text) {
        const size_t digits = strcspn(text, ": "), bytes = strcspn(text, " ");
        const fsattn_explain_result *result = find_identity(range, text, digits);
        const double regret = text[digits] == ':' ? strtod(text + digits + 1, NULL) : (double)NAN;
        fsattn_text difference = {0};
        if (result && told < equivalent_limit) {
            if (told) {
                fputs(", ", stream);
            } else {
                fprintf(stream, "      as fast within noise at %" PRId64 ": ", shape->size);
            }
            fputs(difference_of(range, &result->config, &difference), stream);
            if (isfinite(regret)) {
                fprintf(stream, " (at most %.2g%% slower inside)", 100 * regret);
            }
        }
        told += result != NULL;
        fsattn_text_fini(&difference);
        text += bytes + strspn(text + bytes, " ");
    }
    if (told > equivalent_limit) {
        fprintf(stream, " and %zu more", told - equivalent_limit);
    }
    fputs(told ? "\n" : "", stream);
}

static void print_interval(FILE *stream, const fsattn_explain_range *range, size_t number) {
    const fsattn_explain_result *serves = range->intervals[number];
    fsattn_text words = {0}, difference = {0};
    fsattn_fsc_interval_tell(&serves->interval, &words);
    fprintf(stream, "    [%zu] %s: %s\n", number + 1, words.data ? words.data : "", difference_of(range, &serves->config, &difference));
    fsattn_text_fini(&words);
    fsattn_text_fini(&difference);
    for (size_t i = 0; i < range->shape_count; i++) {
        for (size_t j = 0; j < range->shapes[i].results.count; j++) {
            const fsattn_explain_result *result = result_at(&range->shapes[i], j);
            if (result->has_interval && same_interval(result, serves)) {
                print_equivalents(stream, range, &range->shapes[i], result->interval.equivalent);
            }
        }
    }
}

/* "+1.2%" beyond the best of the shape, "-": not measured there, or the verdict. */
static void cell_text(const fsattn_explain_shape *shape, const fsattn_explain_result *best, const fsattn_config *config, char text[32]) {
    snprintf(text, 32, "-");
    for (size_t i = 0; i < shape->results.count; i++) {
        const fsattn_explain_result *result = result_at(shape, i);
        if (!fsattn_config_equal(&result->config, config)) {
            continue;
        }
        if (best && fsattn_explain_ranked(result)) {
            snprintf(text, 32, "%+.1f%%", 100 * fmax(0, result->cost.median_ns / best->cost.median_ns - 1));
        } else if (result->verdict != FSATTN_VERDICT_OK) {
            snprintf(text, 32, "%s", fsattn_verdict_text(result->verdict));
        }
    }
}

/* Of the intervals `first` .. `first + count - 1`, which are one tier's. */
static void print_table(FILE *stream, const fsattn_explain_range *range, const char *tier, size_t first, size_t count) {
    const size_t columns = count < column_limit ? count : column_limit;
    fprintf(stream, "  what these cost beyond the best%s%s at the measured shapes\n    %10s %8s  %-12s %-7s", *tier ? " of tier " : "", tier,
            fsattn_fsc_interval_axis_text(range->problem->range->axis), "results", "best", "serves");
    for (size_t column = 0; column < columns; column++) {
        fprintf(stream, "      [%zu]", first + column + 1);
    }
    fputc('\n', stream);
    for (size_t i = 0; i < range->shape_count; i++) {
        const fsattn_explain_shape *shape = &range->shapes[i];
        const fsattn_explain_result *of_tier = best_of(range, shape, tier);
        const size_t serves = interval_of(range, tier, shape->size);
        char best[32] = "-", number[32] = "-", cell[32];
        if (of_tier) {
            fsattn_events_time_text(of_tier->cost.median_ns, best);
        }
        if (serves != SIZE_MAX) {
            snprintf(number, sizeof number, "[%zu]", serves + 1);
        }
        fprintf(stream, "    %10" PRId64 " %8zu  %-12s %-7s", shape->size, shape->results.count, best, number);
        for (size_t column = 0; column < columns; column++) {
            cell_text(shape, of_tier, &range->intervals[first + column]->config, cell);
            fprintf(stream, " %8s", cell);
        }
        fputc('\n', stream);
    }
}

void fsattn_explain_range_print(FILE *stream, const fsattn_explain_range *range) {
    fprintf(stream, "%s\n  %zu measured shape%s", range->problem->name, range->shape_count, range->shape_count == 1 ? "" : "s");
    if (range->interval_count) {
        fprintf(stream, "; which configuration serves where\n");
    } else {
        fprintf(stream, "; what serves where is not settled: no run of the range came to its end\n");
    }
    for (size_t i = 0; i < range->interval_count; i++) {
        print_interval(stream, range, i);
    }
    size_t first = 0;
    do {
        const char *tier = range->interval_count ? range->intervals[first]->interval.tier : "";
        size_t count = 0;
        while (first + count < range->interval_count && !strcmp(range->intervals[first + count]->interval.tier, tier)) {
            count++;
        }
        print_table(stream, range, tier, first, count);
        first += count;
    } while (first < range->interval_count);
}

/* ---- all of it ---- */

fsattn_status fsattn_explain_range_init(fsattn_explain_range *range, const fsattn_explain_options *options, const fsattn_space_problem *problem,
                                        fsattn_err *err) {
    const fsattn_store_filter filter = {.template_name = options->space->manifest->name};
    sizes found = {.problem = problem};
    fsattn_status status;
    *range = (fsattn_explain_range){.options = options, .problem = problem};
    FSATTN_GOTO(fsattn_store_results_each(options->store, &filter, note_size, &found, err));
    range->shapes = fsattn_alloc(found.count ? found.count : 1, sizeof *range->shapes);
    if (!range->shapes) {
        status = no_memory(err);
        goto out;
    }
    for (size_t i = 0; i < found.count; i++) {
        FSATTN_GOTO(read_shape(range, ((const int64_t *)found.items)[i], err));
    }
    FSATTN_GOTO(find_intervals(range, err));
out:
    fsattn_free(found.items);
    return status;
}

void fsattn_explain_range_fini(fsattn_explain_range *range) {
    for (size_t i = 0; i < range->shape_count; i++) {
        fsattn_explain_results_fini(&range->shapes[i].results);
    }
    fsattn_free(range->shapes);
    fsattn_free(range->intervals);
    *range = (fsattn_explain_range){0};
}
