/* Choosing a plan and saying what it is. */
#include "context.h"

#include "accuracy.h"
#include "error.h"
#include "run.h"
#include "sized.h"
#include "text.h"

#include <string.h>

static const char *const source_texts[] = {
#define X(name, text) [FSATTN_##name] = text,
    FSATTN_PLAN_LIST(X)
#undef X
};
static const char *const provenance_texts[] = {
#define X(name, text) [FSATTN_##name] = text,
    FSATTN_PROVENANCE_LIST(X)
#undef X
};

const char *fsattn_plan_source_text(fsattn_plan_source source) {
    return (unsigned)source < sizeof source_texts / sizeof source_texts[0] ? source_texts[source] : "?";
}

/* ---- choosing ------------------------------------------------------------------------------- */

/* Checked copies of what was asked. */
typedef struct request {
    fsattn_shape shape;
    fsattn_accuracy wanted; /* zeroed: no demand */
} request;

static fsattn_status request_init(const fsattn_context *context, const fsattn_problem *problem,
                                  const fsattn_accuracy *wanted, request *made, fsattn_err *err) {
    if (!context) {
        return fsattn_fail(err, FSATTN_INVALID, "context: is NULL");
    }
    FSATTN_TRY(fsattn_problem_check(problem, err));
    FSATTN_TRY(fsattn_accuracy_resolve(wanted, &made->wanted, err));
    made->shape = fsattn_shape_of(problem);
    return FSATTN_OK;
}

/* Why nothing was found, in the order in which somebody would look for it. */
static fsattn_status fail_not_found(const fsattn_index *index, const request *asked,
                                    const fsattn_problem *problem, fsattn_err *err) {
    char text[fsattn_problem_text_bytes];
    size_t count, usable = 0, refused = 0;
    if (!err) {
        return FSATTN_NOT_FOUND;
    }
    const fsattn_index_group *const *groups = fsattn_index_kind(index, asked->shape.kind, &count);
    for (size_t i = 0; i < count; i++) {
        usable += groups[i]->winners + groups[i]->defaults;
        refused += groups[i]->refused;
    }
    fsattn_problem_text(problem, text);
    if (usable) {
        fsattn_fail(
            err, FSATTN_NOT_FOUND,
            "no plan for %s: of %zu kernels for its types, none takes these sizes and is accurate enough",
            text, usable);
    } else if (refused) {
        fsattn_fail(err, FSATTN_NOT_FOUND, "no plan for %s: none of %zu kernels for its types can run here",
                    text, refused);
    } else {
        fsattn_fail(
            err, FSATTN_NOT_FOUND,
            "no plan for %s: no cache has a kernel for its types, head dimension, layout, mask and lse",
            text);
    }
    fsattn_hint(err, usable || refused ? "fsattn_explain says what was passed over and why"
                                       : "tune it with fsattn-tune, or add a cache with fsattn_cache_add");
    return FSATTN_NOT_FOUND;
}

/* A problem that has been tuned, and for which only what was asked for is too accurate, would be tuned in vain. */
static void note_miss(const fsattn_context *context, const fsattn_index *index, const fsattn_shape *shape,
                      const fsattn_problem *problem) {
    const fsattn_index_group *exact = fsattn_index_exact(index, shape);
    if (!exact || !exact->winners) {
        fsattn_misses_note(context->misses, shape, problem);
    }
}

static bool is_tuned(const fsattn_choice *choice) {
    return choice->source == FSATTN_PLAN_TUNED || choice->source == FSATTN_PLAN_INTERVAL;
}

fsattn_status fsattn_miss_info_get(const fsattn_context *context, fsattn_miss_info *info, fsattn_err *err) {
    fsattn_miss_info all = {0};
    if (!context) {
        return fsattn_fail(err, FSATTN_INVALID, "context: is NULL");
    }
    fsattn_misses_count(context->misses, &all);
    return fsattn_sized_write("info", info, &all, sizeof all, err);
}

fsattn_status fsattn_plan_find(const fsattn_context *context, const fsattn_problem *problem,
                               const fsattn_accuracy *wanted, fsattn_plan *plan, fsattn_err *err) {
    request asked;
    fsattn_choice choice;
    FSATTN_TRY(request_init(context, problem, wanted, &asked, err));
    if (!plan) {
        return fsattn_fail(err, FSATTN_INVALID, "plan: is NULL");
    }
    const fsattn_index *index = fsattn_context_index(context);
    const bool found = fsattn_index_choose(index, &asked.shape, &asked.wanted, &choice);
    if (context->misses && !(found && is_tuned(&choice))) {
        note_miss(context, index, &asked.shape, problem);
    }
    if (!found) {
        return fail_not_found(index, &asked, problem, err);
    }
    *plan = (fsattn_plan){
        .entry = choice.entry, .problem = *problem, .source = choice.source, .distance = choice.distance};
    return FSATTN_OK;
}

/* Of several problems that are the same work the first that a compiler has something for, else the first. */
static void note_one(const fsattn_context *context, const fsattn_index *index, const fsattn_problem *const *problems, size_t count) {
    size_t noted = 0;
    fsattn_shape shape = fsattn_shape_of(problems[0]);
    while (noted < count && !fsattn_index_rebuildable(index, &shape, &context->place)) {
        if (++noted < count) {
            shape = fsattn_shape_of(problems[noted]);
        }
    }
    noted = noted < count ? noted : 0;
    shape = fsattn_shape_of(problems[noted]);
    note_miss(context, index, &shape, problems[noted]);
}

fsattn_status fsattn_plan_find_first(const fsattn_context *context, const fsattn_problem *const *problems, size_t count,
                                     const fsattn_accuracy *wanted, fsattn_plan *plan, fsattn_err *err) {
    request first, asked;
    fsattn_choice choice;
    bool found = false;
    if (!problems || !count || !plan) {
        return fsattn_fail(err, FSATTN_INVALID, "%s", plan ? "problems: there are none" : "plan: is NULL");
    }
    FSATTN_TRY(request_init(context, problems[0], wanted, &first, err));
    const fsattn_index *index = fsattn_context_index(context);
    for (size_t i = 0; i < count && !found; i++) {
        FSATTN_TRY(request_init(context, problems[i], wanted, &asked, err));
        found = fsattn_index_choose(index, &asked.shape, &asked.wanted, &choice);
        if (found) {
            *plan = (fsattn_plan){.entry = choice.entry, .problem = *problems[i], .source = choice.source, .distance = choice.distance};
        }
    }
    if (context->misses && !(found && is_tuned(&choice))) {
        note_one(context, index, problems, count);
    }
    return found ? FSATTN_OK : fail_not_found(index, &first, problems[0], err);
}

fsattn_status fsattn_plan_info_get(const fsattn_context *context, const fsattn_plan *plan,
                                   fsattn_plan_info *info, fsattn_err *err) {
    FSATTN_TRY(fsattn_context_owns(context, plan, err));
    const fsattn_entry *entry = plan->entry;
    const fsattn_fsc_record *record = entry->record;
    const fsattn_plan_info all = {
        .source = plan->source,
        .distance = plan->distance,
        .provenance = record->cost.provenance,
        .time_ns = record->cost.median_ns,
        .time_spread_ns = record->cost.spread_ns,
        .maximum_error = entry->accuracy ? entry->accuracy->maximum_error : 0,
        .relative_error = entry->accuracy ? entry->accuracy->relative_error : 0,
        .cosine = entry->accuracy ? entry->accuracy->cosine : 0,
        .template_name = record->template_name,
        .configuration = record->configuration,
        .isa = record->isa,
        .cache = entry->cache,
        .tuned_problem = record->problem_text,
        .workspace_bytes = fsattn_run_workspace(record, &plan->problem),
        .packed_bytes = fsattn_run_packed_bytes(plan),
        .interval_regret = plan->source == FSATTN_PLAN_INTERVAL ? entry->interval.regret : 0,
        .interval_beyond = plan->source == FSATTN_PLAN_INTERVAL && entry->interval.beyond > 0 ? entry->interval.beyond : 0,
        .prepared = atomic_load_explicit(&entry->state->ready, memory_order_acquire),
    };
    return fsattn_sized_write("info", info, &all, sizeof all, err);
}

/* ---- explaining ----------------------------------------------------------------------------- */

static void tell_entry(fsattn_text *text, const fsattn_entry *entry) {
    const fsattn_fsc_record *record = entry->record;
    fsattn_text_printf(text, "%s %s, for %s, from %s", record->template_name,
                       record->configuration[0] ? record->configuration : "(no parameters)",
                       record->problem_text, entry->cache);
}

static void tell_time(fsattn_text *text, const fsattn_entry *entry) {
    const fsattn_cost *cost = &entry->record->cost;
    if (cost->samples) {
        fsattn_text_printf(text, "median %.4g ms, spread %.2g ms, %s on %s with %lld units",
                           cost->median_ns / 1e6, cost->spread_ns / 1e6, provenance_texts[cost->provenance],
                           cost->device, (long long)cost->units);
    } else {
        fsattn_text_puts(text, "never timed");
    }
    if (entry->accuracy) {
        fsattn_text_printf(text, "; maximum error %.3g, relative error %.3g, cosine %.9g",
                           entry->accuracy->maximum_error, entry->accuracy->relative_error,
                           entry->accuracy->cosine);
    } else {
        fsattn_text_puts(text, "; accuracy not measured");
    }
}

static void tell_wanted(fsattn_text *text, const fsattn_accuracy *wanted) {
    const struct {
        const char *name;
        double value;
    } demands[] = {{"maximum error at most", wanted->maximum_error},
                   {"relative error at most", wanted->maximum_relative_error},
                   {"cosine at least", wanted->minimum_cosine}};
    const char *separator = "wanted: ";
    for (size_t i = 0; i < sizeof demands / sizeof demands[0]; i++) {
        if (demands[i].value != 0) {
            fsattn_text_printf(text, "%s%s %.9g", separator, demands[i].name, demands[i].value);
            separator = ", ";
        }
    }
    if (wanted->grade != FSATTN_GRADE_ANY) {
        fsattn_text_printf(text, ", that is as good as %s", fsattn_grade_text(wanted->grade));
    }
    fsattn_text_puts(text, separator[0] == 'w' ? "wanted: the fastest of what was tuned\n" : "\n");
}

static void tell_choice(fsattn_text *text, const fsattn_choice *choice) {
    static const char *const reasons[] = {
        [FSATTN_PLAN_TUNED] = "it was tuned for exactly this problem",
        [FSATTN_PLAN_NEAREST] =
            "nothing tuned for this problem serves it, and this was tuned for the nearest sizes",
        [FSATTN_PLAN_INTERVAL] = "it was tuned for an interval of sizes that has this one",
        [FSATTN_PLAN_DEFAULT] =
            "nothing tuned serves this problem, and this is the family's default configuration",
    };
    fsattn_text_puts(text, "chosen: ");
    tell_entry(text, choice->entry);
    fsattn_text_printf(text, "\nbecause: %s; %s", fsattn_plan_source_text(choice->source),
                       reasons[choice->source]);
    if (choice->source == FSATTN_PLAN_NEAREST) {
        fsattn_text_printf(text, " (distance %.3g)", choice->distance);
    } else if (choice->source == FSATTN_PLAN_INTERVAL) {
        fsattn_text_puts(text, "\ninterval: ");
        fsattn_fsc_interval_tell(&choice->entry->interval, text);
    }
    fsattn_text_puts(text, "\ntime and accuracy: ");
    tell_time(text, choice->entry);
    fsattn_text_puts(text, "\n");
}

/* Why `entry` is not the chosen one (nullable). */
static void tell_passed_over(fsattn_text *text, const fsattn_entry *entry, const request *asked,
                             const fsattn_choice *choice) {
    fsattn_text_puts(text, "passed over: ");
    tell_entry(text, entry);
    fsattn_text_puts(text, ": ");
    const fsattn_entry *chosen = choice ? choice->entry : NULL;
    if (entry->refusal) {
        fsattn_text_puts(text, entry->refusal);
    } else if (!fsattn_entry_fits(entry, &asked->shape)) {
        fsattn_text_puts(text, "compiled for other sizes, scale or GQA ratio");
    } else if (!fsattn_entry_accurate(entry, &asked->wanted)) {
        fsattn_text_puts(text, "not accurate enough; ");
        tell_time(text, entry);
    } else if (entry->record->role != chosen->record->role) {
        fsattn_text_puts(text, "a default, and something tuned serves; ");
        tell_time(text, entry);
    } else if (!fsattn_shape_equal(&entry->shape, &chosen->shape)) {
        const bool interval = choice->source == FSATTN_PLAN_INTERVAL, outside = interval && !fsattn_entry_covers(entry, &asked->shape);
        const bool tier = interval && !outside && strcmp(entry->interval.tier, chosen->interval.tier) != 0;
        fsattn_text_puts(text, outside ? "no interval of its has these sizes; " : tier ? "its interval is of another tier, and the chosen one's will do; "
                                                                                      : "farther away; ");
        tell_time(text, entry);
    } else {
        fsattn_text_puts(text, "comes after the chosen one; ");
        tell_time(text, entry);
    }
    fsattn_text_puts(text, "\n");
}

static void tell_group(fsattn_text *text, const fsattn_index_group *group, const request *asked,
                       const fsattn_choice *choice) {
    for (size_t i = 0; i < group->winners + group->defaults + group->refused; i++) {
        if (!choice || group->entries[i] != choice->entry) {
            tell_passed_over(text, group->entries[i], asked, choice);
        }
    }
}

/* Everything for this very problem; when that does not serve, everything for other sizes of it. */
static void tell(fsattn_text *text, const fsattn_index *index, const request *asked,
                 const fsattn_problem *problem) {
    char line[fsattn_problem_text_bytes];
    fsattn_choice choice;
    size_t count;
    fsattn_problem_text(problem, line);
    fsattn_text_printf(text, "problem: %s\n", line);
    tell_wanted(text, &asked->wanted);
    bool found = fsattn_index_choose(index, &asked->shape, &asked->wanted, &choice);
    if (found) {
        tell_choice(text, &choice);
    } else {
        fsattn_text_puts(text, "chosen: nothing\n");
    }
    const fsattn_index_group *exact = fsattn_index_exact(index, &asked->shape);
    const fsattn_index_group *const *groups = fsattn_index_kind(index, asked->shape.kind, &count);
    if (exact) {
        tell_group(text, exact, asked, found ? &choice : NULL);
    }
    for (size_t i = 0; (!found || choice.source != FSATTN_PLAN_TUNED) && i < count; i++) {
        if (groups[i] != exact) {
            tell_group(text, groups[i], asked, found ? &choice : NULL);
        }
    }
    if (!count) {
        fsattn_text_puts(text, "no cache has a kernel for its types, head dimension, layout, mask and lse\n");
    }
}

/* Files that might have served, had they been used. */
static void tell_skipped(fsattn_text *text, const fsattn_context *context) {
    for (const fsattn_skipped *skipped = atomic_load(&context->skipped); skipped; skipped = skipped->next) {
        if (!atomic_load(&skipped->over)) {
            fsattn_text_printf(text, "file not used: %s\n", skipped->reason.message);
        }
    }
}

fsattn_status fsattn_explain(const fsattn_context *context, const fsattn_problem *problem,
                             const fsattn_accuracy *wanted, char *text, size_t bytes, size_t *needed,
                             fsattn_err *err) {
    request asked;
    fsattn_text told = {0};
    FSATTN_TRY(request_init(context, problem, wanted, &asked, err));
    if (bytes && !text) {
        return fsattn_fail(err, FSATTN_INVALID, "text: is NULL");
    }
    tell(&told, fsattn_context_index(context), &asked, problem);
    tell_skipped(&told, context);
    if (told.failed) {
        fsattn_text_fini(&told);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "fsattn_explain: out of memory");
    }
    if (bytes) {
        size_t copied = told.bytes < bytes ? told.bytes : bytes - 1;
        memcpy(text, told.data, copied);
        text[copied] = '\0';
    }
    if (needed) {
        *needed = told.bytes;
    }
    fsattn_text_fini(&told);
    return FSATTN_OK;
}
