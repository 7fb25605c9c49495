/* Searches in which memory ends after any number of allocations: an error each time, no leak, and a store that the next
 * search goes on with. Under AddressSanitizer leaks fail the program. */
#include "error.h"
#include "evaluator_scripted.h"
#include "file.h"
#include "memory.h"
#include "search.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOY FSATTN_SOURCE_DIR "/tests/data/toy"

typedef struct outcome {
    int64_t measured, compiled, winners;
} outcome;

static fsattn_status search_store(fsattn_space *space, const char *store_path, outcome *out, fsattn_err *err) {
    fsattn_store *store = NULL;
    fsattn_evaluator *evaluator = NULL;
    fsattn_search_summary summary = {0};
    fsattn_status status = FSATTN_OK;
    size_t problem = 0;
    FSATTN_GOTO(fsattn_store_open(store_path, NULL, &store, err));
    fsattn_evaluator_scripted_options device = {
        .path = TOY "/device.json", .manifest = space->manifest, .store = store, .jobs = 2};
    FSATTN_GOTO(fsattn_evaluator_scripted_open(&device, &evaluator, err));
    fsattn_search_options options = {.space = space,
                                     .evaluator = evaluator,
                                     .store = store,
                                     .problems = &problem,
                                     .problem_count = 1,
                                     .seconds = INFINITY,
                                     .evaluations = INT64_MAX,
                                     .sample = UINT64_MAX,
                                     .jobs = 2};
    FSATTN_GOTO(fsattn_strategy_find("hill_climbing", &options.strategy, err));
    fsattn_strategy_settings_default(options.strategy, &options.settings);
    FSATTN_GOTO(fsattn_search_run(&options, &summary, err));
    *out = (outcome){summary.totals.measured, summary.totals.compiled, summary.totals.winners};
out:
    fsattn_search_summary_fini(&summary);
    if (evaluator) {
        evaluator->ops->close(evaluator);
    }
    fsattn_store_close(store);
    return status;
}

int main(void) {
    char folder[] = "/tmp/fsattn-search-XXXXXX", path[64];
    fsattn_err err = {0};
    fsattn_space *space;
    outcome out = {0};
    int64_t failures = 0;
    if (!mkdtemp(folder) || fsattn_space_load(TOY "/toy.yaml", TOY "/templates", &space, &err) != FSATTN_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    snprintf(path, sizeof path, "%s/tune.db", folder);
    bool finished = false;
    for (int64_t after = 1; !finished && after < 100000; after += 1 + after / 8) {
        err = (fsattn_err){0};
        fsattn_memory_fail_after(after);
        fsattn_status status = search_store(space, path, &out, &err);
        fsattn_memory_fail_after(0);
        finished = status == FSATTN_OK;
        failures += status == FSATTN_NO_MEMORY;
        if (!finished && (status != FSATTN_NO_MEMORY || !err.message[0])) {
            fprintf(stderr, "after %lld allocations: %s: %s\n", (long long)after, fsattn_status_text(status), err.message);
            return 1;
        }
    }
    fsattn_status status = search_store(space, path, &out, &err);
    fsattn_space_destroy(space);
    fsattn_folder_remove(folder, NULL);
    if (!finished || failures < 10 || status != FSATTN_OK || out.measured || out.compiled || out.winners != 1) {
        fprintf(stderr, "finished %d, %lld failures, then measured %lld, compiled %lld, winners %lld: %s\n", finished,
                (long long)failures, (long long)out.measured, (long long)out.compiled, (long long)out.winners, err.message);
        return 1;
    }
    return 0;
}
