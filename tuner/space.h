/* space.h - a search space read from a YAML file (the schema in words: spaces/README.md).
 *
 * Owns the file's contents and the manifest of its template. A loaded space never changes. Everything in the file is
 * checked when it is loaded; a failure is FSATTN_PARSE (or NOT_FOUND, IO for the file itself) of the
 * form "spaces/host.yaml:12:9: cause" with the fix in the hint. Values take the type that the manifest declares.
 * Orders in the file carry no meaning: axes hold their values in the manifest's order.
 */
#ifndef FSATTN_SPACE_H
#define FSATTN_SPACE_H

#include "fsc_interval.h"
#include "interval.h"
#include "manifest.h"
#include "memory.h"

enum { fsattn_space_file_limit = 1 << 20, fsattn_space_problem_limit = 4096, fsattn_space_tier_limit = 8 };

/* A place in the file, both from 1; line 0 means that it does not stand in the file (a default). */
typedef struct fsattn_place {
    int line, column;
} fsattn_place;

/* A size of a problem that runs between two ends: where which kernel wins is found by halving (bisect.h). */
typedef struct fsattn_space_range {
    fsattn_fsc_interval_axis axis;
    int64_t from, to, step; /* step divides to - from */
    int64_t shapes;         /* tuned at most, the ends among them; default 9 */
    double within;          /* a kernel that is behind the best by no more is good enough; default 0.01 */
} fsattn_space_range;

typedef struct fsattn_space_problem {
    fsattn_problem problem; /* with a range its upper end */
    const char *entry; /* the entry's name ("bert_base"), or "" */
    const char *name;  /* the entry's name and what was swept ("gpt2[s=1024 mask=causal]"), or the problem's text */
    const fsattn_space_range *range; /* or NULL */
    fsattn_place place;
} fsattn_space_problem;

/* The values of one parameter that the space searches: indices into the manifest's legal values, ascending. */
typedef struct fsattn_space_axis {
    const uint16_t *values;
    size_t count; /* >= 1 */
    fsattn_place place;
} fsattn_space_axis;

/* One constraint of the space or the manifest. */
typedef struct fsattn_space_constraint {
    const char *text;    /* the expression */
    const char *reason;  /* for people; the expression itself when the file gives none */
    const char *file;    /* where it stands */
    fsattn_place place;
    const struct fsattn_expression *expression; /* expression.h; compiled in the manifest's Lua state */
} fsattn_space_constraint;

/* Named subset of the problems. */
typedef struct fsattn_space_set {
    const char *name;
    const size_t *problems; /* indices, ascending */
    size_t count;
    fsattn_place place;
} fsattn_space_set;

/* A part of the space that is searched by itself: the same parameters with fewer values. */
typedef struct fsattn_space_tier {
    const char *name;
    const fsattn_space_axis *axes; /* one for each parameter, none with a value that the space leaves out */
    fsattn_place place;
} fsattn_space_tier;

typedef struct fsattn_space_accuracy {
    const char *distribution;  /* input distribution the floor refers to; default "normal" */
    double max_relative_error; /* global relative error against the float64 reference; INFINITY: no floor */
    double max_error;          /* largest absolute error; INFINITY: no floor */
    double min_cosine;         /* -1: no floor */
    fsattn_place place, distribution_place;
} fsattn_space_accuracy;

typedef struct fsattn_space_measurement {
    int64_t warmup;      /* runs before the first sample; default 2 */
    int64_t samples_min; /* default 5 */
    int64_t samples_max; /* default 50 */
    double spread;       /* stop early when the relative spread (MAD / median) is below; default 0.02 */
    bool cold;           /* "cache: cold": buffers rotate beyond the last-level cache; default warm */
    double time_limit_s; /* for one candidate, run time included; default 10 */
    fsattn_place place;
} fsattn_space_measurement;

typedef struct fsattn_space_option {
    const char *name, *value; /* as written; the strategy gives them their types (fsattn_value_parse) */
    fsattn_place place;       /* of the value */
    fsattn_place name_place;
} fsattn_space_option;

typedef struct fsattn_space_strategy {
    const char *name; /* default "auto"; checked by whoever owns the strategies */
    uint64_t seed;    /* default 1 */
    const fsattn_space_option *options;
    size_t option_count;
    fsattn_place place; /* of the name */
} fsattn_space_strategy;

typedef struct fsattn_space_budget {
    double seconds;      /* INFINITY: no limit; default 600 */
    int64_t evaluations; /* measured candidates; INT64_MAX: no limit (default) */
    fsattn_place place;
} fsattn_space_budget;

typedef enum fsattn_objective {
    FSATTN_OBJECTIVE_TIME, /* "time": nanoseconds of one call, least wins */
} fsattn_objective;

typedef struct fsattn_space {
    const char *path;  /* as given to fsattn_space_load */
    fsattn_hash hash;  /* of the file's bytes, for provenance only: identity is the content of each configuration */
    const char *device; /* as written: "host", "sim", "hip", "scripted:FILE"; checked by whoever opens it */
    fsattn_place device_place;
    fsattn_manifest *manifest;
    const fsattn_space_problem *problems;
    size_t problem_count; /* >= 1, all supported by the manifest, distinct */
    const fsattn_space_set *sets;
    size_t set_count;
    const fsattn_space_axis *axes; /* one for each parameter of the manifest, in its order */
    const fsattn_space_constraint *constraints; /* the manifest's first, then the space's */
    size_t constraint_count;
    const fsattn_space_tier *tiers; /* sorted by name; no configuration is in two of them */
    size_t tier_count;              /* 0: the space is searched as a whole */
    fsattn_objective objective;
    fsattn_space_accuracy accuracy;
    fsattn_space_measurement measurement;
    fsattn_space_strategy strategy;
    fsattn_space_budget budget;
    struct fsattn_replay_file *replay; /* owned: its configurations are the valid set (replay_space.h); else NULL */
    struct fsattn_space_memory *memory;
} fsattn_space;

/* Loads a space. `templates` is the folder of the template families; NULL: "../templates" seen from the space's
 * folder. *space is released by fsattn_space_destroy. */
fsattn_status fsattn_space_load(const char *path, const char *templates, fsattn_space **space, fsattn_err *err);
void fsattn_space_destroy(fsattn_space *space);

/* The problem of that size on the range that `problem` has. */
void fsattn_space_problem_at(const fsattn_space_problem *problem, int64_t size, fsattn_problem *at);
/* Its name: "gpt2[s=1024..4096]" becomes "gpt2[s=2048]"; in `arena`, NULL when memory ends. */
const char *fsattn_space_problem_name_at(const fsattn_space_problem *problem, int64_t size, fsattn_arena *arena);

/* The problems of a set, or of an entry's name, or all for NULL and "all": *problems (indices, owned by the space) and
 * *count. FSATTN_NOT_FOUND names the nearest right name. */
fsattn_status fsattn_space_select(const fsattn_space *space, const char *name, const size_t **problems,
                                  size_t *count, fsattn_err *err);

/* How many parts are searched one after another: the tiers, or the whole space. */
size_t fsattn_space_part_count(const fsattn_space *space);
/* The part as a space of its own, which borrows everything; and its start: the manifest's defaults where the part has them, else its
 * first value of a parameter (which constraints may refuse). */
void fsattn_space_part(const fsattn_space *space, size_t part, fsattn_space *as_space, fsattn_config *start);

/* The part that the manifest's default counts for: the tier that has most of its values, the first by name of several. */
size_t fsattn_space_default_part(const fsattn_space *space);

/* Whether the tier of that name has the configuration, or is the default's; "" is the whole space. */
bool fsattn_space_tier_has(const fsattn_space *space, const char *tier, const fsattn_config *config);

/* Reports a mistake at a place of the file: "path:line:column: message"; returns FSATTN_PARSE. */
fsattn_status fsattn_space_fail(const fsattn_space *space, fsattn_place place, fsattn_err *err, const char *format,
                                ...) __attribute__((format(printf, 4, 5)));

#endif
