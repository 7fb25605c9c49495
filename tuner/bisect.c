#include "bisect.h"

#include "error.h"
#include "memory.h"
#include "shapes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

enum { expected_shapes = 5 }; /* two ends, and the way to one boundary */

/* One measured shape. */
typedef struct shape {
    int64_t size;
    fsattn_space_problem problem;
    fsattn_search_point point;
} shape;

typedef struct bisect {
    fsattn_search_state *s;
    const fsattn_space_problem *problem;
    const fsattn_space_range *range;
    fsattn_search_share share; /* evaluations: left */
    shape *shapes[fsattn_interval_shape_limit]; /* by size */
    size_t count;
    fsattn_shapes *compared; /* of each part of the space */
    size_t part_count;
} bisect;

size_t fsattn_bisect_expected(const fsattn_space_problem *problem) {
    const size_t most = problem->range ? (size_t)problem->range->shapes : 1;
    return most < expected_shapes ? most : (size_t)expected_shapes;
}

static fsattn_status no_memory(fsattn_err *err) {
    return fsattn_fail(err, FSATTN_NO_MEMORY, "search: out of memory");
}

static bool time_over(const bisect *b) {
    return fsattn_search_stopped(b->s) || fsattn_search_now(b->s) >= b->share.all_ns || b->share.evaluations <= 0;
}

/* ---- measuring ---- */

/* Its part of what is left: as if so many shapes were still to come as are expected, at least another one. */
static fsattn_search_share next_share(const bisect *b) {
    const size_t expected = fsattn_bisect_expected(b->problem);
    const int64_t parts = b->count + 2 < expected ? (int64_t)(expected - b->count) : 2, now_ns = fsattn_search_now(b->s);
    fsattn_search_share share = b->share;
    if (share.all_ns != INT64_MAX) {
        share.all_ns = now_ns + (share.all_ns - now_ns) / parts;
    }
    if (share.evaluations != INT64_MAX) {
        share.evaluations = (share.evaluations + parts - 1) / parts;
    }
    return share;
}

/* Tries what is good at one shape at another one. */
static fsattn_status hand_over(bisect *b, const shape *from, shape *to, fsattn_err *err) {
    fsattn_config configs[fsattn_shapes_carried_limit];
    const size_t count = fsattn_shapes_good(&from->point, b->range->within, 1, configs);
    return fsattn_search_point_retry(&to->point, configs, count, b->share.all_ns, err);
}

static fsattn_status hunt_shape(bisect *b, shape *made, size_t place, fsattn_err *err) {
    fsattn_config carried[2 * fsattn_shapes_carried_limit];
    size_t count = place > 0 ? fsattn_shapes_good(&b->shapes[place - 1]->point, b->range->within, 1, carried) : 0;
    count += place + 1 < b->count ? fsattn_shapes_good(&b->shapes[place + 1]->point, b->range->within, 1, carried + count) : 0;
    const fsattn_search_share share = next_share(b);
    FSATTN_TRY(fsattn_search_point_hunt(&made->point, &share, carried, count, err));
    b->share.evaluations -= b->share.evaluations == INT64_MAX ? 0 : share.evaluations - made->point.hunt.evaluations;
    return FSATTN_OK;
}

static fsattn_status tune_size(bisect *b, int64_t size, fsattn_err *err) {
    size_t place = b->count;
    shape *made = fsattn_alloc(1, sizeof *made);
    if (!made) {
        return no_memory(err);
    }
    *made = (shape){.size = size, .problem = *b->problem};
    for (; place && b->shapes[place - 1]->size > size; place--) {
        b->shapes[place] = b->shapes[place - 1];
    }
    b->shapes[place] = made;
    b->count++;
    fsattn_space_problem_at(b->problem, size, &made->problem.problem);
    made->problem.name = fsattn_space_problem_name_at(b->problem, size, &b->s->summary->arena);
    if (!made->problem.name) {
        return no_memory(err);
    }
    FSATTN_TRY(fsattn_search_point_begin(b->s, &made->problem, &made->point, err));
    FSATTN_TRY(hunt_shape(b, made, place, err));
    if (place > 0) {
        FSATTN_TRY(hand_over(b, made, b->shapes[place - 1], err));
    }
    return place + 1 < b->count ? hand_over(b, made, b->shapes[place + 1], err) : FSATTN_OK;
}

/* What was measured at a shape counts for all parts. */
static void make_tables(bisect *b) {
    for (size_t part = 0; part < b->part_count; part++) {
        fsattn_shapes *compared = &b->compared[part];
        compared->part = part;
        compared->table.shapes = b->count;
        compared->table.within = b->range->within;
        for (size_t i = 0; i < b->count; i++) {
            compared->points[i] = &b->shapes[i]->point;
            compared->table.sizes[i] = b->shapes[i]->size;
        }
        fsattn_shapes_tabulate(compared);
    }
}

/* Of what the parts want to be measured next that where it costs most. A part that has nothing wants nothing. */
static bool next_size(const bisect *b, int64_t *size) {
    double most = -1;
    for (size_t part = 0; part < b->part_count; part++) {
        const fsattn_interval_table *table = &b->compared[part].table;
        int64_t wanted;
        double cost;
        if (table->columns && fsattn_interval_next(table, b->range->step, &wanted, &cost) && cost > most) {
            most = cost;
            *size = wanted;
        }
    }
    return most >= 0;
}

/* Both ends, then between neighbours that do not agree. */
static fsattn_status tune_all(bisect *b, fsattn_err *err) {
    int64_t size;
    FSATTN_TRY(tune_size(b, b->range->to, err));
    if (!b->shapes[0]->point.result->valid || time_over(b)) {
        return FSATTN_OK;
    }
    FSATTN_TRY(tune_size(b, b->range->from, err));
    for (;;) {
        make_tables(b);
        if ((int64_t)b->count >= b->range->shapes || time_over(b) || !next_size(b, &size)) {
            return FSATTN_OK;
        }
        FSATTN_TRY(tune_size(b, size, err));
    }
}

/* ---- what serves ---- */

/* "IDENTITY:REGRET ..." of the other columns that are as fast at the shape, each with its worst inside the interval. */
static fsattn_status equivalent_text(const fsattn_shapes *compared, const fsattn_interval *interval, size_t at, fsattn_text *text, fsattn_err *err) {
    for (size_t column = 0; column < compared->table.columns; column++) {
        char hex[fsattn_hash_hex_bytes];
        double worst = 0;
        if (column == interval->column || !compared->table.cells[at][column].equal) {
            continue;
        }
        for (size_t i = interval->first; i <= interval->last; i++) {
            const double regret = compared->table.cells[i][column].regret;
            worst = isnan(regret) || isnan(worst) ? (double)NAN : fmax(worst, regret);
        }
        fsattn_hash_hex(&compared->columns[column].identity, hex);
        fsattn_text_printf(text, "%s%.12s:%.4g", text->bytes ? " " : "", hex, worst);
    }
    return text->failed ? no_memory(err) : FSATTN_OK;
}

static fsattn_fsc_interval published(const bisect *b, size_t part, const fsattn_interval *interval, const char *equivalent) {
    const fsattn_space *space = b->s->options->space;
    return (fsattn_fsc_interval){.axis = b->range->axis, .from = interval->from, .to = interval->to,
                                 .shapes = (int64_t)(interval->last - interval->first + 1), .regret = interval->regret,
                                 .beyond = interval->beyond, .tier = space->tier_count ? space->tiers[part].name : "",
                                 .equivalent = equivalent};
}

/* Stores with a shape's result of the interval's kernel that it won, and the interval. */
static fsattn_status store_serving(const bisect *b, const fsattn_shapes *compared, const fsattn_interval *interval, size_t at, fsattn_err *err) {
    fsattn_text equivalent = {0};
    fsattn_status status = FSATTN_OK;
    FSATTN_GOTO(equivalent_text(compared, interval, at, &equivalent, err));
    const fsattn_fsc_interval serving = published(b, compared->part, interval, equivalent.data ? equivalent.data : "");
    FSATTN_GOTO(fsattn_shapes_serve(compared, at, interval->column, &serving, err));
out:
    fsattn_text_fini(&equivalent);
    return status;
}

/* At each shape the interval's kernel wins its part where it may; what another run said of intervals of the part goes. */
static fsattn_status store_shape(const bisect *b, const fsattn_shapes *compared, const fsattn_interval *interval, size_t at, fsattn_err *err) {
    const fsattn_search_point *point = &b->shapes[at]->point;
    const bool serves = fsattn_shapes_serves(compared, at, interval->column);
    for (size_t i = 0; i < point->hunt.count; i++) {
        fsattn_candidate *candidate = point->hunt.candidates[i];
        const bool stays = serves && fsattn_config_equal(&candidate->config, &compared->columns[interval->column].config);
        if (candidate->interval && candidate->part == compared->part && !stays) {
            const fsattn_candidate_service none = {.won = candidate->won, .beats_default = candidate->beats_default,
                                                   .tied_with = candidate->tied ? fsattn_shapes_leader(point, compared->part) : NULL};
            FSATTN_TRY(fsattn_candidate_serve(&point->session, &none, candidate, err));
        }
    }
    return serves ? store_serving(b, compared, interval, at, err) : FSATTN_OK;
}

static const char *keep(const bisect *b, fsattn_text *text) {
    const char *kept = text->failed ? NULL : fsattn_arena_strdup(&b->s->summary->arena, text->data ? text->data : "");
    fsattn_text_fini(text);
    return kept;
}

static fsattn_status tell_interval(const bisect *b, const fsattn_shapes *compared, const fsattn_interval *interval, fsattn_err *err) {
    const fsattn_manifest *manifest = b->s->options->space->manifest;
    fsattn_search_summary *summary = b->s->summary;
    fsattn_search_interval *told = &summary->intervals[summary->interval_count];
    fsattn_text text = {0};
    *told = (fsattn_search_interval){.name = b->problem->name, .interval = published(b, compared->part, interval, "")};
    if (interval->column == SIZE_MAX) {
        return FSATTN_OK;
    }
    fsattn_config_text(&manifest->parameters, &compared->columns[interval->column].config, &text);
    told->configuration = keep(b, &text);
    fsattn_config_difference(&manifest->parameters, &compared->columns[interval->column].config, &manifest->defaults, &text);
    told->difference = keep(b, &text);
    if (!told->configuration || !told->difference) {
        return no_memory(err);
    }
    summary->interval_count++;
    fsattn_notice notice = {.kind = FSATTN_NOTICE_INTERVAL,
                            .interval = {.name = told->name, .configuration = told->configuration, .interval = &told->interval}};
    fsattn_session_emit(&b->shapes[interval->first]->point.session, &notice);
    return FSATTN_OK;
}

/* What serves where in one part; `telling` after it is stored. */
static fsattn_status settle_part(bisect *b, const fsattn_shapes *compared, bool telling, fsattn_err *err) {
    fsattn_interval intervals[fsattn_interval_shape_limit];
    const size_t count = fsattn_interval_split(&compared->table, intervals);
    for (size_t i = 0; i < count; i++) {
        if (telling) {
            FSATTN_TRY(tell_interval(b, compared, &intervals[i], err));
            continue;
        }
        for (size_t at = intervals[i].first; at <= intervals[i].last; at++) {
            FSATTN_TRY(store_shape(b, compared, &intervals[i], at, err));
        }
    }
    return FSATTN_OK;
}

static fsattn_status settle(bisect *b, fsattn_err *err) {
    make_tables(b);
    for (size_t part = 0; part < b->part_count; part++) {
        FSATTN_TRY(settle_part(b, &b->compared[part], false, err));
    }
    for (size_t i = 0; i < b->count; i++) {
        FSATTN_TRY(fsattn_search_point_tell(&b->shapes[i]->point, err));
    }
    for (size_t part = 0; part < b->part_count; part++) {
        FSATTN_TRY(settle_part(b, &b->compared[part], true, err));
    }
    return FSATTN_OK;
}

fsattn_status fsattn_bisect_run(fsattn_search_state *s, const fsattn_space_problem *problem, const fsattn_search_share *share, fsattn_err *err) {
    fsattn_status status = FSATTN_OK;
    bisect *b = fsattn_alloc(1, sizeof *b);
    if (!b) {
        return no_memory(err);
    }
    b->part_count = fsattn_space_part_count(s->options->space);
    b->compared = fsattn_alloc(b->part_count, sizeof *b->compared);
    if (!b->compared) {
        status = no_memory(err);
        goto out;
    }
    b->s = s;
    b->problem = problem;
    b->range = problem->range;
    b->share = *share;
    FSATTN_GOTO(tune_all(b, err));
    FSATTN_GOTO(settle(b, err));
out:
    for (size_t i = 0; i < b->count; i++) {
        fsattn_search_point_release(&b->shapes[i]->point);
        fsattn_free(b->shapes[i]);
    }
    fsattn_free(b->compared);
    fsattn_free(b);
    return status;
}
