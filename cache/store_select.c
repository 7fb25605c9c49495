#include "store_select.h"

#include "error.h"
#include "store_row.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static double median_of(const fsattn_store_candidate *candidate) {
    const fsattn_cost *cost = &candidate->result.record.cost;
    return cost->samples ? cost->median_ns : INFINITY;
}

static double error_of(const fsattn_store_candidate *candidate) {
    const fsattn_accuracy_entry *normal = fsattn_fsc_accuracy(&candidate->result.record, "normal");
    return normal ? normal->relative_error : INFINITY;
}

static int compare_real(double a, double b) {
    return (a > b) - (a < b);
}

static int compare_serving(const fsattn_store_candidate *a, const fsattn_store_candidate *b) {
    return fsattn_hash_compare(&a->result.record.serving_key, &b->result.record.serving_key);
}

int fsattn_store_place_compare(const fsattn_cost *a, const fsattn_cost *b) {
    int step = strcmp(a->device, b->device);
    step = step ? step : (a->units > b->units) - (a->units < b->units);
    step = step ? step : strcmp(a->driver, b->driver);
    step = step ? step : strcmp(a->policy, b->policy);
    return step ? step : (int)a->provenance - (int)b->provenance;
}

static int compare_place(const fsattn_store_candidate *a, const fsattn_store_candidate *b) {
    return fsattn_store_place_compare(&a->result.record.cost, &b->result.record.cost);
}

/* Groups, and within a place the order in which the Pareto front is walked; the keys resolve ties the same
 * way always. */
static int compare(const void *left, const void *right) {
    const fsattn_store_candidate *a = left, *b = right;
    int step = compare_serving(a, b);
    step = step ? step : compare_place(a, b);
    step = step ? step : compare_real(median_of(a), median_of(b));
    step = step ? step : compare_real(error_of(a), error_of(b));
    step = step ? step : fsattn_hash_compare(&a->result.record.identity, &b->result.record.identity);
    return step ? step : fsattn_hash_compare(&a->result.record.result_key, &b->result.record.result_key);
}

/* What the space that it was tuned for calls too inaccurate, or what is not wholly verified, serves nobody, not even as a
 * family's default. */
static bool may_serve(const fsattn_store_candidate *candidate) {
    const fsattn_fsc_record *record = &candidate->result.record;
    return !candidate->unusable && !fsattn_fsc_attribute(record, FSATTN_STORE_BELOW_FLOOR) &&
           !fsattn_fsc_attribute(record, FSATTN_STORE_PARTIAL);
}

static bool competes(const fsattn_store_candidate *candidate, bool confirmed_only) {
    const fsattn_store_result *result = &candidate->result;
    bool admitted =
        result->confirmed && (result->beats_default || result->record.role == FSATTN_ROLE_DEFAULT);
    return may_serve(candidate) && result->record.cost.samples && (admitted || !confirmed_only);
}

/* One place: candidates[0 .. count - 1], sorted. */
static void mark_place(fsattn_store_candidate *candidates, size_t count) {
    bool confirmed_only = false;
    double best_error = INFINITY;
    bool any = false;
    for (size_t i = 0; i < count; i++) {
        confirmed_only = confirmed_only || (candidates[i].result.confirmed && !candidates[i].unusable);
    }
    for (size_t i = 0; i < count; i++) {
        fsattn_store_candidate *candidate = &candidates[i];
        if (competes(candidate, confirmed_only) && (!any || error_of(candidate) < best_error)) {
            candidate->winner = true;
            best_error = error_of(candidate);
            any = true;
        }
        candidate->is_default = may_serve(candidate) && candidate->result.record.role == FSATTN_ROLE_DEFAULT;
    }
}

/* One serving key. Measured and modelled never compete: with anything measured that may serve, what is modelled
 * is left out. */
static void mark_serving(fsattn_store_candidate *candidates, size_t count) {
    bool measured = false;
    for (size_t i = 0; i < count; i++) {
        const fsattn_cost *cost = &candidates[i].result.record.cost;
        candidates[i].winner = candidates[i].is_default = false;
        measured =
            measured || (may_serve(&candidates[i]) && cost->samples && cost->provenance == FSATTN_MEASURED);
    }
    for (size_t start = 0, end; start < count; start = end) {
        for (end = start + 1; end < count && !compare_place(&candidates[start], &candidates[end]);) {
            end++;
        }
        if (!measured || candidates[start].result.record.cost.provenance == FSATTN_MEASURED) {
            mark_place(candidates + start, end - start);
        }
    }
}

void fsattn_store_select_mark(fsattn_store_selection *selection) {
    for (size_t start = 0, end; start < selection->count; start = end) {
        for (end = start + 1; end < selection->count &&
                              !compare_serving(&selection->candidates[start], &selection->candidates[end]);) {
            end++;
        }
        mark_serving(selection->candidates + start, end - start);
    }
}

fsattn_status fsattn_store_select_init(fsattn_store_selection *selection, fsattn_store *store,
                                       const fsattn_store_export_options *options, fsattn_err *err) {
    static const fsattn_store_export_options defaults = {0};
    options = options ? options : &defaults;
    fsattn_store_filter filter = {.template_name = options->template_name,
                                  .problem = options->problem,
                                  .verdict_plus_one = FSATTN_VERDICT_OK + 1};
    fsattn_store_ids ids = {0};
    fsattn_status status;
    *selection = (fsattn_store_selection){0};
    FSATTN_GOTO(fsattn_store_result_ids(store, &filter, &ids, err));
    selection->candidates = fsattn_arena_alloc(&selection->arena, ids.count, sizeof *selection->candidates);
    if (!selection->candidates) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory for %zu results", ids.count);
        goto out;
    }
    for (size_t i = 0; i < ids.count; i++) {
        fsattn_store_candidate *candidate = &selection->candidates[selection->count];
        bool found;
        FSATTN_GOTO(
            fsattn_store_result_at(store, ids.ids[i], &selection->arena, &candidate->result, &found, err));
        selection->count += found && (options->unproven || !candidate->result.record.unproven);
    }
    qsort(selection->candidates, selection->count, sizeof *selection->candidates, compare);
    fsattn_store_select_mark(selection);
out:
    if (status != FSATTN_OK) {
        fsattn_store_select_fini(selection);
    }
    fsattn_free(ids.ids);
    return status;
}

void fsattn_store_select_fini(fsattn_store_selection *selection) {
    fsattn_arena_fini(&selection->arena);
    *selection = (fsattn_store_selection){0};
}
