#include "candidate.h"

#include "error.h"
#include "keys.h"

#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Attributes of a stored record; in a record they are sorted by name. */
#define ATTRIBUTE_BASELINE "search.baseline_ns"
#define ATTRIBUTE_CUT "search.cut"
#define ATTRIBUTE_SCREENED "search.screened_ns"
#define ATTRIBUTE_SAMPLES FSATTN_STORE_SEARCH_SAMPLES
#define ATTRIBUTE_ROUNDS "shootout.rounds"
#define ATTRIBUTE_TIED "shootout.tied_with"
#define ATTRIBUTE_WON FSATTN_STORE_SHOOTOUT_WON
enum { attribute_limit = 5 }; /* of a search */

static fsattn_status no_memory(fsattn_err *err) {
    return fsattn_fail(err, FSATTN_NO_MEMORY, "candidate: out of memory");
}

static const fsattn_parameter_set *parameters_of(const fsattn_session *session) {
    return &session->space->manifest->parameters;
}

fsattn_status fsattn_candidate_init(const fsattn_session *session, const fsattn_config *config,
                                    fsattn_candidate *candidate, fsattn_err *err) {
    *candidate = (fsattn_candidate){.config = *config, .error = NAN};
    candidate->is_default = fsattn_config_equal(config, &session->space->manifest->defaults);
    return fsattn_config_identity(parameters_of(session), config, &candidate->identity, err);
}

/* ---- keys ---- */

/* Stands for the build key of something that has no source. */
static fsattn_status unrendered_key(const fsattn_session *session, const fsattn_candidate *candidate,
                                    fsattn_hash *key, fsattn_err *err) {
    fsattn_text text = {0};
    fsattn_text_printf(&text, "unrendered %s ", session->space->manifest->name);
    fsattn_config_text(parameters_of(session), &candidate->config, &text);
    fsattn_build_fields fields = {.compiler = text.data};
    *key = fsattn_key_build(&fields);
    bool failed = text.failed;
    fsattn_text_fini(&text);
    return failed ? no_memory(err) : FSATTN_OK;
}

static fsattn_status build_key_of(const fsattn_session *session, const fsattn_variant *variant,
                                  const fsattn_candidate *candidate, fsattn_hash *key, fsattn_err *err) {
    if (variant) {
        *key = variant->build_key;
        return FSATTN_OK;
    }
    return unrendered_key(session, candidate, key, err);
}

fsattn_status fsattn_candidate_key(const fsattn_session *session, const fsattn_variant *variant,
                                   fsattn_candidate *candidate, fsattn_err *err) {
    const fsattn_platform *platform = &session->evaluator->platform;
    fsattn_result_fields fields = {.launch = variant ? variant->launch : "",
                                   .device = platform->device,
                                   .units = platform->units,
                                   .driver = platform->driver,
                                   .policy = session->policy_text,
                                   .problem = session->problem};
    FSATTN_TRY(build_key_of(session, variant, candidate, &fields.build_key, err));
    candidate->result_key = fsattn_key_result(&fields);
    return FSATTN_OK;
}

/* ---- accuracy ---- */

static void judge_accuracy(const fsattn_session *session, const fsattn_accuracy_entry *entries, size_t count,
                           fsattn_candidate *candidate) {
    const fsattn_space_accuracy *floor_of = &session->space->accuracy;
    const fsattn_accuracy_entry *entry = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(entries[i].distribution, floor_of->distribution)) {
            entry = &entries[i];
        }
    }
    candidate->error = entry ? entry->relative_error : NAN;
    /* Written so that NaN does not pass. */
    bool relative = isinf(floor_of->max_relative_error) ||
                    (entry && entry->relative_error <= floor_of->max_relative_error);
    bool absolute = isinf(floor_of->max_error) || (entry && entry->maximum_error <= floor_of->max_error);
    bool cosine = floor_of->min_cosine <= -1 || (entry && entry->cosine >= floor_of->min_cosine);
    candidate->accurate = relative && absolute && cosine;
}

/* ---- from the store ---- */

static double attribute_number(const fsattn_fsc_record *record, const char *name, double fallback) {
    const char *value = fsattn_fsc_attribute(record, name);
    return value ? strtod(value, NULL) : fallback;
}

static fsattn_status take(const fsattn_session *session, const fsattn_store_result *result,
                          fsattn_candidate *candidate, fsattn_err *err) {
    const fsattn_fsc_record *record = &result->record;
    candidate->verdict = result->verdict;
    candidate->resumed = true;
    candidate->screened_ns = attribute_number(record, ATTRIBUTE_SCREENED, 0);
    if (result->verdict != FSATTN_VERDICT_OK) {
        return FSATTN_OK;
    }
    judge_accuracy(session, record->accuracies, record->accuracy_count, candidate);
    double searched = attribute_number(record, ATTRIBUTE_SAMPLES, (double)result->sample_count);
    size_t count =
        searched >= 0 && searched <= (double)result->sample_count ? (size_t)searched : result->sample_count;
    FSATTN_TRY(fsattn_measure_statistics(&session->policy, result->samples, count, &candidate->search,
                                         &candidate->flag, err));
    candidate->baseline_ns = attribute_number(record, ATTRIBUTE_BASELINE, 0);
    candidate->cut = fsattn_fsc_attribute(record, ATTRIBUTE_CUT) != NULL;
    candidate->partial = fsattn_fsc_attribute(record, FSATTN_STORE_PARTIAL) != NULL;
    candidate->tied = fsattn_fsc_attribute(record, ATTRIBUTE_TIED) != NULL;
    candidate->won = fsattn_fsc_attribute(record, ATTRIBUTE_WON) != NULL;
    candidate->interval = fsattn_fsc_attribute(record, fsattn_fsc_interval_attribute_name(FSATTN_FSC_INTERVAL_ATTRIBUTE_AXIS)) != NULL;
    candidate->confirmed = result->confirmed && fsattn_fsc_attribute(record, ATTRIBUTE_ROUNDS);
    candidate->beats_default = result->beats_default;
    candidate->floor_stale =
        (fsattn_fsc_attribute(record, FSATTN_STORE_BELOW_FLOOR) != NULL) == candidate->accurate;
    if (candidate->confirmed) {
        candidate->final = (fsattn_statistics){.count = record->cost.samples,
                                               .median_ns = record->cost.median_ns,
                                               .minimum_ns = record->cost.minimum_ns,
                                               .spread_ns = record->cost.spread_ns};
    }
    return FSATTN_OK;
}

fsattn_status fsattn_candidate_find(const fsattn_session *session, fsattn_candidate *candidate, bool *found,
                                    char *reason, fsattn_err *err) {
    fsattn_arena arena = {0};
    fsattn_store_result result;
    fsattn_status status =
        fsattn_store_result_find(session->store, &candidate->result_key, &arena, &result, found, err);
    if (status == FSATTN_OK && *found && result.record.unproven) {
        *found = false; /* imported: tried like any other, and proven by that */
    }
    if (status == FSATTN_OK && *found) {
        status = take(session, &result, candidate, err);
        if (reason) {
            snprintf(reason, fsattn_reason_bytes, "%s", result.reason ? result.reason : "");
        }
    }
    fsattn_arena_fini(&arena);
    return status;
}

/* ---- into the store ---- */

static fsattn_cost cost_of(const fsattn_session *session, const fsattn_statistics *statistics) {
    const fsattn_platform *platform = &session->evaluator->platform;
    return (fsattn_cost){.median_ns = statistics->median_ns,
                         .minimum_ns = statistics->minimum_ns,
                         .spread_ns = statistics->spread_ns,
                         .samples = statistics->count,
                         .provenance = platform->provenance,
                         .machine = platform->machine,
                         .device = platform->device,
                         .units = platform->units,
                         .driver = platform->driver,
                         .policy = session->policy_text};
}

/* The record of a candidate, without what lives elsewhere: configuration, attributes. */
static fsattn_status record_of(const fsattn_session *session, const fsattn_candidate_evidence *evidence,
                               const fsattn_candidate *candidate, fsattn_fsc_record *record,
                               fsattn_err *err) {
    const fsattn_platform *platform = &session->evaluator->platform;
    const fsattn_variant *variant = evidence->variant;
    *record = (fsattn_fsc_record){
        .problem = *session->problem,
        .role = candidate->is_default ? FSATTN_ROLE_DEFAULT : FSATTN_ROLE_WINNER,
        .target = platform->target,
        .isa = platform->isa,
        .abi = platform->abi,
        /* A source is never specialised for sizes, scale or head ratio: templates do not see them. */
        .flexible = FSATTN_FLEXIBLE_SIZES | FSATTN_FLEXIBLE_SCALE | FSATTN_FLEXIBLE_GQA,
        .template_name = session->space->manifest->name,
        .cost = cost_of(session, &candidate->search),
        .compiler = platform->compiler,
        .result_key = candidate->result_key,
    };
    if (variant) {
        record->options = variant->options;
        record->source = variant->source;
        record->stages = variant->chain ? variant->chain : &variant->stage;
        record->stage_count = !variant->stage.code.bytes ? 0 : variant->chain ? variant->chain_count : 1;
    }
    if (evidence->verification && evidence->outcome->verdict == FSATTN_VERDICT_OK) {
        record->accuracies = evidence->verification->accuracies;
        record->accuracy_count = evidence->verification->accuracy_count;
    }
    return build_key_of(session, variant, candidate, &record->build_key, err);
}

static void set_statistics(const fsattn_session *session, const fsattn_candidate_evidence *evidence,
                           fsattn_candidate *candidate) {
    candidate->verdict = evidence->outcome->verdict;
    candidate->flag = FSATTN_FLAG_NONE;
    if (candidate->verdict != FSATTN_VERDICT_OK) {
        return;
    }
    judge_accuracy(session, evidence->verification->accuracies, evidence->verification->accuracy_count,
                   candidate);
    if (evidence->measurement) {
        candidate->search = evidence->measurement->statistics;
        candidate->flag = evidence->measurement->flag;
        candidate->cut = evidence->measurement->cut;
        candidate->partial = evidence->partial;
        candidate->verdict = candidate->flag == FSATTN_FLAG_NONE ? FSATTN_VERDICT_OK : FSATTN_VERDICT_UNTIMED;
    }
}

fsattn_status fsattn_candidate_put(const fsattn_session *session, const fsattn_candidate_evidence *evidence,
                                   fsattn_candidate *candidate, fsattn_err *err) {
    set_statistics(session, evidence, candidate);
    bool ok = candidate->verdict == FSATTN_VERDICT_OK;
    /* Nothing tuned replaces the default before it has beaten it: until then the default is what is published, if it may be. */
    fsattn_store_result result = {.verdict = candidate->verdict,
                                  .run_id = session->run_id,
                                  .confirmed = ok && candidate->is_default && candidate->accurate && !candidate->partial};
    FSATTN_TRY(record_of(session, evidence, candidate, &result.record, err));
    result.reason =
        candidate->flag == FSATTN_FLAG_NONE ? evidence->outcome->reason : fsattn_flag_reason(candidate->flag);
    if (evidence->measurement) {
        result.samples = evidence->measurement->times_ns;
        result.sample_count = evidence->measurement->count;
    }
    fsattn_text configuration = {0};
    fsattn_config_text(parameters_of(session), &candidate->config, &configuration);
    char baseline[32], samples[32], screened[32];
    snprintf(screened, sizeof screened, "%.17g", candidate->screened_ns);
    snprintf(baseline, sizeof baseline, "%.17g", candidate->baseline_ns);
    snprintf(samples, sizeof samples, "%zu", result.sample_count);
    fsattn_attribute attributes[attribute_limit];
    size_t count = 0;
    if (ok) {
        if (!candidate->accurate) {
            attributes[count++] = (fsattn_attribute){FSATTN_STORE_BELOW_FLOOR, "1"};
        }
        attributes[count++] = (fsattn_attribute){ATTRIBUTE_BASELINE, baseline};
        if (candidate->cut) {
            attributes[count++] = (fsattn_attribute){ATTRIBUTE_CUT, "1"};
        }
        attributes[count++] = (fsattn_attribute){ATTRIBUTE_SAMPLES, samples};
        if (candidate->partial) {
            attributes[count++] = (fsattn_attribute){FSATTN_STORE_PARTIAL, "1"};
        }
    }
    if (!ok && candidate->screened_ns > 0) {
        attributes[count++] = (fsattn_attribute){ATTRIBUTE_SCREENED, screened};
    }
    result.record.attributes = attributes;
    result.record.attribute_count = count;
    result.record.configuration = configuration.data;
    fsattn_status status =
        configuration.failed ? no_memory(err) : fsattn_store_result_put(session->store, &result, err);
    fsattn_text_fini(&configuration);
    return status;
}

/* Claims a finalist's result and finds it, for changing and putting it, so that no other process does between. The one that has the claim gives it up
 * soon; whoever is stopped does not wait for it (claim->lock -1). */
static fsattn_status claim_result(const fsattn_session *session, const fsattn_candidate *candidate, fsattn_store_claim *claim,
                                  fsattn_arena *arena, fsattn_store_result *result, fsattn_err *err) {
    fsattn_status status;
    bool found;
    while ((status = fsattn_store_result_claim(session->store, &candidate->result_key, claim, err)) == FSATTN_BUSY) {
        if (fsattn_session_stopped(session)) {
            status = FSATTN_OK;
            break;
        }
        poll(NULL, 0, 10);
    }
    FSATTN_TRY(status);
    FSATTN_TRY(fsattn_store_result_find(session->store, &candidate->result_key, arena, result, &found, err));
    return found ? FSATTN_OK : fsattn_fail(err, FSATTN_INTERNAL, "candidate: the result of a finalist is gone");
}

/* ---- the whole verification ---- */

/* The record's attributes, without that of a partial verification, and with that of the accuracy floor as it is now. */
static fsattn_status proven_attributes(bool accurate, fsattn_arena *arena, fsattn_fsc_record *record, fsattn_err *err) {
    fsattn_attribute *attributes = fsattn_arena_alloc(arena, record->attribute_count + 1, sizeof *attributes);
    if (!attributes) {
        return no_memory(err);
    }
    size_t count = 0;
    if (!accurate) {
        attributes[count++] = (fsattn_attribute){FSATTN_STORE_BELOW_FLOOR, "1"};
    }
    for (size_t i = 0; i < record->attribute_count; i++) {
        if (strcmp(record->attributes[i].name, FSATTN_STORE_PARTIAL) != 0 &&
            strcmp(record->attributes[i].name, FSATTN_STORE_BELOW_FLOOR) != 0) {
            attributes[count++] = record->attributes[i];
        }
    }
    record->attributes = attributes;
    record->attribute_count = count;
    return FSATTN_OK;
}

fsattn_status fsattn_candidate_prove(const fsattn_session *session, const fsattn_variant *variant,
                                     const fsattn_verification *verification, fsattn_candidate *candidate, fsattn_err *err) {
    fsattn_arena arena = {0};
    fsattn_store_result result;
    fsattn_store_claim claim = {.lock = -1};
    fsattn_status status = FSATTN_OK;
    FSATTN_GOTO(claim_result(session, candidate, &claim, &arena, &result, err));
    judge_accuracy(session, verification->accuracies, verification->accuracy_count, candidate);
    const bool below = fsattn_fsc_attribute(&result.record, FSATTN_STORE_BELOW_FLOOR) != NULL;
    if (result.verdict == FSATTN_VERDICT_OK && !fsattn_fsc_attribute(&result.record, FSATTN_STORE_PARTIAL) && below != candidate->accurate) {
        candidate->partial = false; /* another run has proven it meanwhile, and perhaps confirmed it */
        candidate->floor_stale = false;
        goto out;
    }
    FSATTN_GOTO(proven_attributes(candidate->accurate, &arena, &result.record, err));
    result.record.accuracies = verification->accuracies;
    result.record.accuracy_count = verification->accuracy_count;
    result.record.stages = variant->chain ? variant->chain : &variant->stage;
    result.record.stage_count = variant->chain ? variant->chain_count : 1;
    result.confirmed = candidate->is_default && candidate->accurate;
    result.recorded_ms = 0;
    FSATTN_GOTO(fsattn_store_result_put(session->store, &result, err));
    candidate->partial = false;
    candidate->floor_stale = false;
out:
    fsattn_store_build_abandon(&claim);
    fsattn_arena_fini(&arena);
    return status;
}

/* ---- the shoot-out ---- */

static bool of_interval(const fsattn_attribute *attribute) {
    return !strncmp(attribute->name, FSATTN_FSC_INTERVAL_PREFIX, strlen(FSATTN_FSC_INTERVAL_PREFIX));
}

/* The attributes that the search set, with those of the shoot-out; in `arena`. */
static fsattn_status confirmed_attributes(const fsattn_candidate_verdict *verdict, bool accurate,
                                          fsattn_arena *arena, fsattn_fsc_record *record, fsattn_err *err) {
    fsattn_attribute *attributes = fsattn_arena_alloc(arena, record->attribute_count + 4, sizeof *attributes);
    if (!attributes) {
        return no_memory(err);
    }
    size_t count = 0;
    if (!accurate) {
        attributes[count++] = (fsattn_attribute){FSATTN_STORE_BELOW_FLOOR, "1"};
    }
    for (size_t i = 0; i < record->attribute_count; i++) {
        if (strncmp(record->attributes[i].name, "shootout.", 9) != 0 && !of_interval(&record->attributes[i]) &&
            strcmp(record->attributes[i].name, FSATTN_STORE_BELOW_FLOOR) != 0) {
            attributes[count++] = record->attributes[i];
        }
    }
    if (verdict->confirmed) {
        const char *rounds = fsattn_arena_printf(arena, "%zu", verdict->rounds);
        attributes[count++] = (fsattn_attribute){ATTRIBUTE_ROUNDS, rounds};
    }
    if (verdict->tied_with) {
        char hex[fsattn_hash_hex_bytes];
        fsattn_hash_hex(&verdict->tied_with->identity, hex);
        attributes[count++] = (fsattn_attribute){ATTRIBUTE_TIED, fsattn_arena_strdup(arena, hex)};
    }
    if (verdict->won) {
        attributes[count++] = (fsattn_attribute){ATTRIBUTE_WON, "1"};
    }
    record->attributes = attributes;
    record->attribute_count = count;
    return FSATTN_OK;
}

/* The search's samples followed by the shoot-out's. */
static fsattn_status confirmed_samples(const fsattn_candidate_verdict *verdict, fsattn_arena *arena,
                                       fsattn_store_result *result, fsattn_err *err) {
    double searched = attribute_number(&result->record, ATTRIBUTE_SAMPLES, (double)result->sample_count);
    size_t kept = searched <= (double)result->sample_count ? (size_t)searched : result->sample_count;
    double *samples = fsattn_arena_alloc(arena, kept + verdict->count + 1, sizeof *samples);
    if (!samples) {
        return no_memory(err);
    }
    if (kept) {
        memcpy(samples, result->samples, kept * sizeof *samples);
    }
    if (verdict->count) {
        memcpy(samples + kept, verdict->times_ns, verdict->count * sizeof *samples);
    }
    result->samples = samples;
    result->sample_count = kept + verdict->count;
    return FSATTN_OK;
}

fsattn_status fsattn_candidate_confirm(const fsattn_session *session, const fsattn_candidate_verdict *verdict,
                                       fsattn_candidate *candidate, fsattn_err *err) {
    fsattn_arena arena = {0};
    fsattn_store_result result;
    fsattn_store_claim claim = {.lock = -1};
    fsattn_status status = FSATTN_OK;
    FSATTN_GOTO(claim_result(session, candidate, &claim, &arena, &result, err));
    FSATTN_GOTO(confirmed_samples(verdict, &arena, &result, err));
    FSATTN_GOTO(confirmed_attributes(verdict, candidate->accurate, &arena, &result.record, err));
    result.record.cost = cost_of(session, verdict->confirmed ? &verdict->final : &candidate->search);
    result.record.cost.default_median_ns = verdict->confirmed ? verdict->default_ns : 0;
    result.record.cost.default_spread_ns = verdict->confirmed ? verdict->default_spread_ns : 0;
    result.confirmed = verdict->confirmed || (candidate->is_default && candidate->accurate && !candidate->partial);
    result.beats_default = verdict->beats_default;
    result.run_id = session->run_id;
    result.recorded_ms = 0;
    FSATTN_GOTO(fsattn_store_result_put(session->store, &result, err));
    candidate->confirmed = verdict->confirmed;
    candidate->beats_default = verdict->beats_default;
    candidate->tied = verdict->tied_with != NULL;
    candidate->won = verdict->won;
    candidate->interval = false;
    candidate->final = verdict->final;
    candidate->floor_stale = false;
out:
    fsattn_store_build_abandon(&claim);
    fsattn_arena_fini(&arena);
    return status;
}

/* ---- between shapes ---- */

static void add_text(fsattn_attribute *attributes, size_t *count, int attribute, const char *value) {
    attributes[(*count)++] = (fsattn_attribute){fsattn_fsc_interval_attribute_name(attribute), value};
}

static int compare_attributes(const void *a, const void *b) {
    return strcmp(((const fsattn_attribute *)a)->name, ((const fsattn_attribute *)b)->name);
}

/* The attributes with those of the service; in `arena`. */
static fsattn_status serving_attributes(const fsattn_candidate_service *service, fsattn_arena *arena, fsattn_fsc_record *record, fsattn_err *err) {
    const fsattn_fsc_interval *interval = service->interval;
    size_t count = 0;
    fsattn_attribute *attributes =
        fsattn_arena_alloc(arena, record->attribute_count + 2 + fsattn_fsc_interval_attribute_count, sizeof *attributes);
    if (!attributes) {
        return no_memory(err);
    }
    for (size_t i = 0; i < record->attribute_count; i++) {
        const char *name = record->attributes[i].name;
        if (!of_interval(&record->attributes[i]) && strcmp(name, ATTRIBUTE_TIED) != 0 && strcmp(name, ATTRIBUTE_WON) != 0) {
            attributes[count++] = record->attributes[i];
        }
    }
    if (service->tied_with) {
        char hex[fsattn_hash_hex_bytes];
        fsattn_hash_hex(&service->tied_with->identity, hex);
        attributes[count++] = (fsattn_attribute){ATTRIBUTE_TIED, fsattn_arena_strdup(arena, hex)};
    }
    if (service->won) {
        attributes[count++] = (fsattn_attribute){ATTRIBUTE_WON, "1"};
    }
    if (interval) {
        add_text(attributes, &count, FSATTN_FSC_INTERVAL_ATTRIBUTE_AXIS, fsattn_fsc_interval_axis_text(interval->axis));
        add_text(attributes, &count, FSATTN_FSC_INTERVAL_ATTRIBUTE_FROM, fsattn_arena_printf(arena, "%lld", (long long)interval->from));
        add_text(attributes, &count, FSATTN_FSC_INTERVAL_ATTRIBUTE_TO, fsattn_arena_printf(arena, "%lld", (long long)interval->to));
        add_text(attributes, &count, FSATTN_FSC_INTERVAL_ATTRIBUTE_SHAPES, fsattn_arena_printf(arena, "%lld", (long long)interval->shapes));
        add_text(attributes, &count, FSATTN_FSC_INTERVAL_ATTRIBUTE_REGRET, fsattn_arena_printf(arena, "%.6g", interval->regret));
        if (!isnan(interval->beyond)) {
            add_text(attributes, &count, FSATTN_FSC_INTERVAL_ATTRIBUTE_BEYOND, fsattn_arena_printf(arena, "%.6g", interval->beyond));
        }
        if (*interval->tier) {
            add_text(attributes, &count, FSATTN_FSC_INTERVAL_ATTRIBUTE_TIER, interval->tier);
        }
        if (*interval->equivalent) {
            add_text(attributes, &count, FSATTN_FSC_INTERVAL_ATTRIBUTE_EQUIVALENT, interval->equivalent);
        }
    }
    for (size_t i = 0; i < count; i++) {
        if (!attributes[i].value) {
            return no_memory(err);
        }
    }
    qsort(attributes, count, sizeof *attributes, compare_attributes);
    record->attributes = attributes;
    record->attribute_count = count;
    return FSATTN_OK;
}

fsattn_status fsattn_candidate_serve(const fsattn_session *session, const fsattn_candidate_service *service, fsattn_candidate *candidate,
                                     fsattn_err *err) {
    fsattn_arena arena = {0};
    fsattn_store_result result;
    fsattn_store_claim claim = {.lock = -1};
    fsattn_status status = FSATTN_OK;
    FSATTN_GOTO(claim_result(session, candidate, &claim, &arena, &result, err));
    FSATTN_GOTO(serving_attributes(service, &arena, &result.record, err));
    result.beats_default = service->beats_default;
    FSATTN_GOTO(fsattn_store_result_put(session->store, &result, err));
    candidate->beats_default = service->beats_default;
    candidate->tied = service->tied_with != NULL;
    candidate->won = service->won;
    candidate->interval = service->interval != NULL;
out:
    fsattn_store_build_abandon(&claim);
    fsattn_arena_fini(&arena);
    return status;
}

/* ---- ranking and telling ---- */

bool fsattn_candidate_ranked(const fsattn_candidate *candidate) {
    return candidate->verdict == FSATTN_VERDICT_OK && candidate->search.count > 0 && candidate->accurate;
}

double fsattn_candidate_score(const fsattn_candidate *candidate, double reference_ns) {
    double minimum = candidate->search.minimum_ns;
    return reference_ns > 0 && candidate->baseline_ns > 0 ? minimum / candidate->baseline_ns * reference_ns
                                                          : minimum;
}

fsattn_status fsattn_candidate_report(const fsattn_session *session, const fsattn_candidate *candidate,
                                      const char *reason, bool best, fsattn_err *err) {
    fsattn_text configuration = {0};
    fsattn_config_text(parameters_of(session), &candidate->config, &configuration);
    if (configuration.failed) {
        fsattn_text_fini(&configuration);
        return no_memory(err);
    }
    bool timed = candidate->verdict == FSATTN_VERDICT_OK && candidate->search.count > 0;
    fsattn_notice notice = {
        .kind = FSATTN_NOTICE_CANDIDATE,
        .candidate = {.problem = session->problem_text,
                      .configuration = configuration.data,
                      .verdict = candidate->verdict,
                      .reason = reason,
                      .statistics = &candidate->search,
                      .error = candidate->error,
                      .speedup = timed ? candidate->baseline_ns / candidate->search.minimum_ns : 0,
                      .resumed = candidate->resumed,
                      .cut = candidate->cut,
                      .best = best,
                      .is_default = candidate->is_default,
                      .accurate = candidate->accurate}};
    fsattn_session_emit(session, &notice);
    fsattn_text_fini(&configuration);
    return FSATTN_OK;
}
