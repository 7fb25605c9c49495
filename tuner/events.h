/* events.h - what happens during a search, as one stream of typed notices that any number of sinks read.
 *
 * The search never prints: it emits. Sinks: JSON lines (--json), a progress bar (terminal), plain lines (elsewhere).
 * A notice and what it points to live for the call. One thread.
 */
#ifndef FSATTN_EVENTS_H
#define FSATTN_EVENTS_H

#include "fsc_interval.h"
#include "measure.h"

#include <stdio.h>

/* Totals of a run. */
typedef struct fsattn_totals {
    int64_t compiled;   /* compiler runs */
    int64_t measured;   /* candidates that were timed in this run */
    int64_t resumed;    /* candidates whose result was in the store already */
    int64_t retimed;    /* finalists of shoot-outs */
    int64_t inaccurate; /* OK, but below the accuracy floor */
    int64_t drift_checks;
    int64_t canaries;
    int64_t winners; /* problems that have one, the default included */
    int64_t verdicts[fsattn_verdict_count];
} fsattn_totals;

/* X(NAME, name in JSON, member) */
#define FSATTN_NOTICE_LIST(X)                                                                                \
    X(RUN, "run", run)                                                                                       \
    X(PROBLEM, "problem", problem)                                                                           \
    X(BUILD, "build", build)                                                                                 \
    X(CANDIDATE, "candidate", candidate)                                                                     \
    X(DRIFT, "drift", drift)                                                                                 \
    X(CANARY, "canary", canary)                                                                              \
    X(FINALIST, "finalist", finalist)                                                                        \
    X(WINNER, "winner", winner)                                                                              \
    X(INTERVAL, "interval", interval)                                                                        \
    X(NO_WINNER, "no_winner", no_winner)                                                                     \
    X(WARNING, "warning", warning)                                                                           \
    X(PUBLISHED, "published", published)                                                                     \
    X(DONE, "done", done)
typedef enum fsattn_notice_kind {
#define X(name, text, member) FSATTN_NOTICE_##name,
    FSATTN_NOTICE_LIST(X)
#undef X
} fsattn_notice_kind;

typedef struct fsattn_notice_run {
    const char *space, *store, *strategy;
    const fsattn_platform *platform;
    uint64_t seed;
    size_t problems;
    double seconds;      /* INFINITY: no limit */
    int64_t evaluations; /* INT64_MAX: no limit */
} fsattn_notice_run;

typedef struct fsattn_notice_problem {
    const char *problem, *name; /* canonical text; for people */
    size_t index, count;        /* from 0 */
    double raw;                 /* configurations before constraints */
    uint64_t valid;             /* after them */
    bool has_default;           /* the default configuration is one of them */
    double seconds;             /* its share of the budget */
} fsattn_notice_problem;

typedef struct fsattn_notice_build {
    size_t asked, compiled, failed;
    double seconds;
} fsattn_notice_build;

typedef struct fsattn_notice_candidate {
    const char *problem, *configuration;
    fsattn_verdict verdict;
    const char *reason;
    const fsattn_statistics *statistics; /* count 0: no time that counts */
    double error;                        /* relative, NaN when unknown */
    double speedup;                      /* over the default, 0 when unknown */
    bool resumed, cut, best, is_default, accurate;
} fsattn_notice_candidate;

typedef struct fsattn_notice_drift {
    const char *problem;
    double first_ns, now_ns; /* fastest run of the default configuration */
    bool large;
} fsattn_notice_drift;

typedef struct fsattn_notice_canary {
    bool sound;
} fsattn_notice_canary;

typedef struct fsattn_notice_finalist {
    const char *problem, *configuration;
    const fsattn_statistics *statistics; /* of the shoot-out */
    size_t rounds;
    bool is_default, beats_default, tied;
} fsattn_notice_finalist;

typedef struct fsattn_notice_winner {
    const char *problem, *name, *configuration;
    fsattn_hash identity;
    const fsattn_statistics *statistics;
    double default_ns; /* median of the default in the same comparison, 0 when unknown */
    double error;
    size_t tied; /* other finalists that are as fast within noise */
    bool is_default, confirmed;
    fsattn_provenance provenance;
} fsattn_notice_winner;

typedef struct fsattn_notice_interval {
    const char *name; /* of the problem with its range */
    const char *configuration;
    const fsattn_fsc_interval *interval;
} fsattn_notice_interval;

typedef struct fsattn_notice_no_winner {
    const char *problem, *name;
    const char *reason;
} fsattn_notice_no_winner;

typedef struct fsattn_notice_warning {
    const char *message, *hint;
} fsattn_notice_warning;

typedef struct fsattn_notice_published {
    const char *path;
    size_t records, winners;
} fsattn_notice_published;

typedef struct fsattn_notice_done {
    const fsattn_totals *totals;
    const char *outcome; /* of fsattn_search_end_text */
} fsattn_notice_done;

typedef struct fsattn_notice {
    fsattn_notice_kind kind;
    double elapsed_s; /* by the evaluator's clock, since the run began */
    union {
#define X(name, text, member) fsattn_notice_##member member;
        FSATTN_NOTICE_LIST(X)
#undef X
    };
} fsattn_notice;

typedef void fsattn_sink(void *data, const fsattn_notice *notice);

enum { fsattn_sink_limit = 4 };
/* Zero-initialised emits to nobody. */
typedef struct fsattn_events {
    struct {
        fsattn_sink *sink;
        void *data;
    } sinks[fsattn_sink_limit];
    size_t count;
} fsattn_events;

/* Ignored beyond fsattn_sink_limit. */
void fsattn_events_add(fsattn_events *events, fsattn_sink *sink, void *data);
/* Accepts NULL events. */
void fsattn_events_emit(const fsattn_events *events, const fsattn_notice *notice);

/* Sink: one JSON object a line; `data` is a FILE *. */
fsattn_sink fsattn_events_json;

/* Sink: progress for people; `data` is a fsattn_progress. */
fsattn_sink fsattn_events_progress;
typedef struct fsattn_progress {
    FILE *stream;
    bool bar; /* one line that is redrawn; false: plain lines */
    /* Zero in the beginning. */
    bool drawn;
    double seconds, said_s;
    size_t problem, problems;
    uint64_t valid, done;
    bool has_default;
    double best_ns, best_speedup;
    bool modelled;
    char name[96];
} fsattn_progress;

/* "1.234 ms", "850 ns". */
void fsattn_events_time_text(double time_ns, char text[32]);

#endif
