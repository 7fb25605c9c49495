#include "events.h"

#include "memory.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

void fsattn_events_add(fsattn_events *events, fsattn_sink *sink, void *data) {
    if (events->count < fsattn_sink_limit) {
        events->sinks[events->count].sink = sink;
        events->sinks[events->count++].data = data;
    }
}

void fsattn_events_emit(const fsattn_events *events, const fsattn_notice *notice) {
    for (size_t i = 0; events && i < events->count; i++) {
        events->sinks[i].sink(events->sinks[i].data, notice);
    }
}

void fsattn_events_time_text(double time_ns, char text[32]) {
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "us"}, {0, "ns"}};
    size_t i = 0;
    while (time_ns < units[i].unit) {
        i++;
    }
    snprintf(text, 32, "%.4g %s", units[i].unit > 0 ? time_ns / units[i].unit : time_ns, units[i].name);
}

/* ---- JSON lines ---- */

/* null for what JSON has no number for. */
static json_t *real(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *count(uint64_t value) {
    return json_integer((json_int_t)value);
}

static void add(json_t *object, const char *name, json_t *value) {
    json_object_set_new(object, name, value);
}

static void add_text(json_t *object, const char *name, const char *value) {
    json_t *text = json_string(value ? value : "");
    add(object, name, text ? text : json_string("(not UTF-8)"));
}

static void add_statistics(json_t *object, const fsattn_statistics *statistics) {
    add(object, "samples", count(statistics->count));
    if (statistics->count) {
        add(object, "median_ns", real(statistics->median_ns));
        add(object, "minimum_ns", real(statistics->minimum_ns));
        add(object, "spread_ns", real(statistics->spread_ns));
    }
}

static const char *provenance_text(fsattn_provenance provenance) {
    static const char *const texts[] = {
#define X(name, text) [FSATTN_##name] = text,
        FSATTN_PROVENANCE_LIST(X)
#undef X
    };
    return texts[provenance];
}

static void json_run(json_t *object, const fsattn_notice *notice) {
    const fsattn_notice_run *run = &notice->run;
    add_text(object, "space", run->space);
    add_text(object, "store", run->store);
    add_text(object, "device", run->platform->device);
    add_text(object, "isa", run->platform->isa);
    add_text(object, "provenance", provenance_text(run->platform->provenance));
    add_text(object, "strategy", run->strategy);
    add(object, "seed", count(run->seed));
    add(object, "problems", count(run->problems));
    add(object, "budget_s", real(run->seconds));
    add(object, "evaluations", run->evaluations == INT64_MAX ? json_null() : json_integer(run->evaluations));
}

static void json_problem(json_t *object, const fsattn_notice *notice) {
    const fsattn_notice_problem *problem = &notice->problem;
    add_text(object, "problem", problem->problem);
    add_text(object, "name", problem->name);
    add(object, "index", count(problem->index));
    add(object, "count", count(problem->count));
    add(object, "raw", real(problem->raw));
    add(object, "valid", count(problem->valid));
    add(object, "budget_s", real(problem->seconds));
}

static void json_build(json_t *object, const fsattn_notice *notice) {
    add(object, "asked", count(notice->build.asked));
    add(object, "compiled", count(notice->build.compiled));
    add(object, "failed", count(notice->build.failed));
    add(object, "seconds", real(notice->build.seconds));
}

static void json_candidate(json_t *object, const fsattn_notice *notice) {
    const fsattn_notice_candidate *candidate = &notice->candidate;
    add_text(object, "problem", candidate->problem);
    add_text(object, "configuration", candidate->configuration);
    add_text(object, "verdict", fsattn_verdict_text(candidate->verdict));
    add_text(object, "reason", candidate->reason);
    add_statistics(object, candidate->statistics);
    add(object, "error", real(candidate->error));
    add(object, "speedup", real(candidate->speedup));
    add(object, "resumed", json_boolean(candidate->resumed));
    add(object, "cut", json_boolean(candidate->cut));
    add(object, "best", json_boolean(candidate->best));
    add(object, "default", json_boolean(candidate->is_default));
    add(object, "accurate", json_boolean(candidate->accurate));
}

static void json_drift(json_t *object, const fsattn_notice *notice) {
    add_text(object, "problem", notice->drift.problem);
    add(object, "first_ns", real(notice->drift.first_ns));
    add(object, "now_ns", real(notice->drift.now_ns));
    add(object, "large", json_boolean(notice->drift.large));
}

static void json_canary(json_t *object, const fsattn_notice *notice) {
    add(object, "sound", json_boolean(notice->canary.sound));
}

static void json_finalist(json_t *object, const fsattn_notice *notice) {
    const fsattn_notice_finalist *finalist = &notice->finalist;
    add_text(object, "problem", finalist->problem);
    add_text(object, "configuration", finalist->configuration);
    add_statistics(object, finalist->statistics);
    add(object, "rounds", count(finalist->rounds));
    add(object, "default", json_boolean(finalist->is_default));
    add(object, "beats_default", json_boolean(finalist->beats_default));
    add(object, "tied", json_boolean(finalist->tied));
}

static void json_winner(json_t *object, const fsattn_notice *notice) {
    const fsattn_notice_winner *winner = &notice->winner;
    char hex[fsattn_hash_hex_bytes];
    fsattn_hash_hex(&winner->identity, hex);
    add_text(object, "problem", winner->problem);
    add_text(object, "name", winner->name);
    add_text(object, "configuration", winner->configuration);
    add_text(object, "identity", hex);
    add_statistics(object, winner->statistics);
    add(object, "default_ns", real(winner->default_ns));
    add(object, "speedup", real(winner->default_ns / winner->statistics->median_ns));
    add(object, "error", real(winner->error));
    add(object, "default", json_boolean(winner->is_default));
    add(object, "confirmed", json_boolean(winner->confirmed));
    add(object, "tied", count(winner->tied));
    add_text(object, "provenance", provenance_text(winner->provenance));
}

static void json_interval(json_t *object, const fsattn_notice *notice) {
    const fsattn_fsc_interval *interval = notice->interval.interval;
    add_text(object, "name", notice->interval.name);
    add_text(object, "axis", fsattn_fsc_interval_axis_text(interval->axis));
    add(object, "from", json_integer(interval->from));
    add(object, "to", json_integer(interval->to));
    add(object, "shapes", json_integer(interval->shapes));
    add(object, "regret", real(interval->regret));
    add(object, "beyond", real(interval->beyond));
    add_text(object, "tier", interval->tier);
    add_text(object, "configuration", notice->interval.configuration);
}

static void json_no_winner(json_t *object, const fsattn_notice *notice) {
    add_text(object, "problem", notice->no_winner.problem);
    add_text(object, "name", notice->no_winner.name);
    add_text(object, "reason", notice->no_winner.reason);
}

static void json_warning(json_t *object, const fsattn_notice *notice) {
    add_text(object, "message", notice->warning.message);
    add_text(object, "hint", notice->warning.hint);
}

static void json_published(json_t *object, const fsattn_notice *notice) {
    add_text(object, "path", notice->published.path);
    add(object, "records", count(notice->published.records));
    add(object, "winners", count(notice->published.winners));
}

static void json_done(json_t *object, const fsattn_notice *notice) {
    const fsattn_totals *totals = notice->done.totals;
    add_text(object, "outcome", notice->done.outcome);
    add(object, "compiled", json_integer(totals->compiled));
    add(object, "measured", json_integer(totals->measured));
    add(object, "winners", json_integer(totals->winners));
    add(object, "resumed", json_integer(totals->resumed));
    add(object, "retimed", json_integer(totals->retimed));
    add(object, "inaccurate", json_integer(totals->inaccurate));
    add(object, "drift_checks", json_integer(totals->drift_checks));
    add(object, "canaries", json_integer(totals->canaries));
    json_t *verdicts = json_object();
    for (int i = 0; i < fsattn_verdict_count; i++) {
        add(verdicts, fsattn_verdict_text((fsattn_verdict)i), json_integer(totals->verdicts[i]));
    }
    add(object, "verdicts", verdicts);
}

void fsattn_events_json(void *data, const fsattn_notice *notice) {
    static const struct {
        const char *name;
        void (*fill)(json_t *object, const fsattn_notice *notice);
    } rows[] = {
#define X(name, text, member) [FSATTN_NOTICE_##name] = {text, json_##member},
        FSATTN_NOTICE_LIST(X)
#undef X
    };
    FILE *stream = data;
    json_t *object = json_object();
    add_text(object, "event", rows[notice->kind].name);
    rows[notice->kind].fill(object, notice);
    add(object, "elapsed_s", real(notice->elapsed_s));
    json_dumpf(object, stream, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15));
    json_decref(object);
    fputc('\n', stream);
    fflush(stream);
}
