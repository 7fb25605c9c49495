#include "explain_results.h"

#include "error.h"
#include "measure.h"
#include "replay_file.h"

#include <math.h>
#include <string.h>

static fsattn_status no_memory(fsattn_err *err) {
    return fsattn_fail(err, FSATTN_NO_MEMORY, "explain: out of memory");
}

bool fsattn_explain_ranked(const fsattn_explain_result *result) {
    return result->verdict == FSATTN_VERDICT_OK && result->cost.samples && result->cost.median_ns > 0 && !result->below_floor;
}

/* ---- from a store ---- */

typedef struct walk {
    fsattn_explain_results *results;
    const fsattn_space *space;
    fsattn_err *err;
} walk;

static bool keep_texts(fsattn_arena *arena, fsattn_explain_result *kept) {
    const char **texts[] = {&kept->cost.machine, &kept->cost.device, &kept->cost.driver, &kept->cost.policy, &kept->reason, &kept->interval.equivalent, &kept->interval.tier};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        *texts[i] = fsattn_arena_strdup(arena, *texts[i] ? *texts[i] : "");
        if (!*texts[i]) {
            return false;
        }
    }
    return true;
}

static fsattn_status keep(void *data, const fsattn_store_result *result, fsattn_err *err) {
    walk *w = data;
    fsattn_explain_results *results = w->results;
    const fsattn_fsc_record *record = &result->record;
    fsattn_explain_result kept = {.verdict = result->verdict,
                                  .reason = result->reason,
                                  .cost = record->cost,
                                  .identity = record->identity,
                                  .confirmed = result->confirmed,
                                  .below_floor = fsattn_fsc_attribute(record, FSATTN_STORE_BELOW_FLOOR) != NULL,
                                  .won = fsattn_fsc_attribute(record, FSATTN_STORE_SHOOTOUT_WON) != NULL,
                                  .at_ms = result->recorded_ms};
    kept.has_interval = fsattn_fsc_interval_of(record, &kept.interval);
    if (record->unproven) {
        return FSATTN_OK;
    }
    if (fsattn_config_parse(&w->space->manifest->parameters, record->configuration, &kept.config, NULL) != FSATTN_OK) {
        results->unknown++;
        return FSATTN_OK;
    }
    if (!keep_texts(&results->arena, &kept) ||
        fsattn_grow(&results->items, &results->capacity, results->count, sizeof kept)) {
        return no_memory(err);
    }
    ((fsattn_explain_result *)results->items)[results->count++] = kept;
    return FSATTN_OK;
}

static const fsattn_explain_result *newest_of(const fsattn_explain_results *results) {
    const fsattn_explain_result *items = results->items, *newest = NULL;
    for (size_t i = 0; i < results->count; i++) {
        newest = !newest || items[i].at_ms >= newest->at_ms ? &items[i] : newest;
    }
    return newest;
}

/* Of one configuration, built in two ways, the newer result counts; its place in the order is the older's. */
static bool replace_older(fsattn_explain_result *items, size_t count, const fsattn_explain_result *item) {
    for (size_t i = 0; i < count; i++) {
        if (fsattn_config_equal(&items[i].config, &item->config)) {
            items[i] = item->at_ms >= items[i].at_ms ? *item : items[i];
            return true;
        }
    }
    return false;
}

/* Keeps those of the newest one's place, each configuration once. */
static void settle(fsattn_explain_results *results) {
    fsattn_explain_result *items = results->items;
    const fsattn_explain_result *newest = newest_of(results);
    const fsattn_cost place = newest ? newest->cost : (fsattn_cost){0};
    size_t kept = 0;
    for (size_t i = 0; i < results->count; i++) {
        if (fsattn_store_place_compare(&place, &items[i].cost)) {
            results->other_places++;
        } else if (!replace_older(items, kept, &items[i])) {
            items[kept++] = items[i];
        }
    }
    results->count = kept;
    /* A shoot-out stores its finalists again, with its own time: no result is younger than one that came after it. */
    for (size_t i = kept; i > 1; i--) {
        items[i - 2].at_ms = items[i - 2].at_ms < items[i - 1].at_ms ? items[i - 2].at_ms : items[i - 1].at_ms;
    }
}

static fsattn_status from_store(fsattn_explain_results *results, const fsattn_explain_options *options,
                                const fsattn_problem *problem, fsattn_err *err) {
    char text[fsattn_problem_text_bytes];
    fsattn_problem_text(problem, text);
    fsattn_store_filter filter = {
        .template_name = options->space->manifest->name, .problem = text, .by_time = true};
    walk w = {.results = results, .space = options->space};
    FSATTN_TRY(fsattn_store_results_each(options->store, &filter, keep, &w, err));
    settle(results);
    return FSATTN_OK;
}

/* ---- from a replay ---- */

static fsattn_cost cost_of(const fsattn_replay_entry *entry, double *scratch) {
    fsattn_cost cost = {.provenance = FSATTN_MODELLED, .machine = "", .device = "", .driver = "", .policy = ""};
    if (entry->verdict != FSATTN_VERDICT_OK) {
        return cost;
    }
    size_t skipped = entry->time_count > 1, count = entry->time_count - skipped;
    cost.samples = count ? count : 1;
    cost.median_ns = cost.minimum_ns = entry->cost_ns;
    if (count) {
        memcpy(scratch, entry->times_ns + skipped, count * sizeof *scratch);
        fsattn_statistics statistics = fsattn_measure_describe(scratch, count);
        cost.minimum_ns = statistics.minimum_ns;
        cost.spread_ns = statistics.spread_ns;
    }
    return cost;
}

static fsattn_status from_replay(fsattn_explain_results *results, const fsattn_replay_file *file, fsattn_err *err) {
    size_t most = 1;
    double at_s = 0;
    for (size_t i = 0; i < file->count; i++) {
        most = file->entries[i].time_count > most ? file->entries[i].time_count : most;
    }
    double *scratch = fsattn_alloc(most, sizeof *scratch);
    fsattn_explain_result *items = fsattn_alloc(file->count, sizeof *items);
    if (!scratch || !items) {
        fsattn_free(scratch);
        fsattn_free(items);
        return no_memory(err);
    }
    for (size_t i = 0; i < file->count; i++) {
        const fsattn_replay_entry *entry = &file->entries[i];
        at_s += entry->compile_s + entry->verify_s + entry->run_s;
        items[i] = (fsattn_explain_result){.config = entry->config,
                                           .verdict = entry->verdict,
                                           .reason = "",
                                           .cost = cost_of(entry, scratch),
                                           .at_ms = (int64_t)(1e3 * at_s)};
    }
    fsattn_free(scratch);
    results->items = items;
    results->count = results->capacity = file->count;
    return FSATTN_OK;
}

fsattn_status fsattn_explain_results_init(fsattn_explain_results *results, const fsattn_explain_options *options,
                                          const fsattn_problem *problem, fsattn_err *err) {
    *results = (fsattn_explain_results){0};
    if (options->store) {
        FSATTN_TRY(from_store(results, options, problem, err));
    } else {
        FSATTN_TRY(from_replay(results, options->space->replay, err));
    }
    return FSATTN_OK;
}

void fsattn_explain_results_fini(fsattn_explain_results *results) {
    fsattn_arena_fini(&results->arena);
    fsattn_free(results->items);
    *results = (fsattn_explain_results){0};
}
