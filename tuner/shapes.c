#include "shapes.h"

#include "error.h"

#include <math.h>
#include <stdlib.h>

/* ---- what wins a part ---- */

/* What the configurations of a part are held against at a point. */
typedef struct standing {
    fsattn_candidate *leader;          /* wins the part; NULL: nothing is ranked */
    const fsattn_candidate *reference; /* the fastest that is as accurate; the leader unless another part has that */
    bool published;                    /* the leader is */
} standing;

/* The time of `a` over that of `b`, both ranked. */
static double ratio_of(const fsattn_search_point *point, const fsattn_candidate *a, const fsattn_candidate *b) {
    const double reference_ns = point->hunt.baseline.first_ns;
    return a->confirmed && b->confirmed ? a->final.median_ns / b->final.median_ns
                                        : fsattn_candidate_score(a, reference_ns) / fsattn_candidate_score(b, reference_ns);
}

/* Whether it is a finalist that gives way to no other one of its part. */
static bool stands(const fsattn_candidate *candidate) {
    return fsattn_candidate_ranked(candidate) && candidate->confirmed && !candidate->tied && (candidate->beats_default || candidate->is_default);
}

fsattn_candidate *fsattn_shapes_leader(const fsattn_search_point *point, size_t part) {
    fsattn_candidate *leader = NULL;
    if (!point->winners.winner || point->winners.winner->part == part) {
        return point->winners.winner;
    }
    for (size_t i = 0; i < point->hunt.count; i++) {
        fsattn_candidate *candidate = point->hunt.candidates[i];
        if (candidate->part != part || !fsattn_candidate_ranked(candidate)) {
            continue;
        }
        const bool better = !leader || (stands(candidate) == stands(leader) ? ratio_of(point, candidate, leader) < 1 : stands(candidate));
        leader = better ? candidate : leader;
    }
    return leader;
}

/* Whether one of another part is published that is faster and as accurate: this one is not, then. */
static bool dominated(const fsattn_search_point *point, const fsattn_candidate *candidate) {
    for (size_t i = 0; i < point->hunt.count; i++) {
        const fsattn_candidate *other = point->hunt.candidates[i];
        if (other->part != candidate->part && stands(other) && other->final.median_ns < candidate->final.median_ns && other->error <= candidate->error) {
            return true;
        }
    }
    return false;
}

static standing standing_of(const fsattn_search_point *point, size_t part) {
    standing made = {.leader = fsattn_shapes_leader(point, part)};
    made.reference = made.leader;
    if (!made.leader) {
        return made;
    }
    if (made.leader == point->winners.winner) {
        made.published = point->winners.confirmed;
        return made;
    }
    for (size_t i = 0; i < point->hunt.count; i++) {
        const fsattn_candidate *other = point->hunt.candidates[i];
        const double limit = made.reference == made.leader ? 1 - FSATTN_NOISE_FLOOR : 1;
        if (other->part != part && fsattn_candidate_ranked(other) && other->error <= made.leader->error && ratio_of(point, other, made.reference) < limit) {
            made.reference = other;
        }
    }
    made.published = stands(made.leader) && !dominated(point, made.leader);
    return made;
}

/* ---- what a configuration costs at a shape ---- */

/* Where the default stays because nothing beats it, nothing else is published. */
static bool replaces_default(const fsattn_search_point *point, const fsattn_candidate *candidate) {
    const fsattn_candidate *base = point->hunt.base;
    return point->winners.default_ns <= 0 || candidate->final.median_ns < point->winners.default_ns * (1 - FSATTN_NOISE_FLOOR) ||
           (base && base->part != candidate->part && fsattn_winners_beside(candidate, base));
}

static fsattn_interval_cell cell_of(const fsattn_search_point *point, const standing *best, const fsattn_candidate *candidate) {
    const fsattn_candidate *leader = best->leader;
    const bool wanted = best->reference == leader;
    if (!leader || !candidate || candidate->screened_ns > 0) {
        return (fsattn_interval_cell){.regret = NAN};
    }
    if (candidate == leader) {
        return (fsattn_interval_cell){.regret = wanted ? 0 : ratio_of(point, leader, best->reference) - 1, .equal = wanted, .serves = best->published};
    }
    if (!fsattn_candidate_ranked(candidate)) {
        return (fsattn_interval_cell){.regret = INFINITY};
    }
    const bool equal = wanted && candidate->confirmed && leader->confirmed && candidate->tied;
    const bool may = equal && best->published && !leader->is_default && replaces_default(point, candidate) && !dominated(point, candidate);
    return (fsattn_interval_cell){.regret = fmax(0, ratio_of(point, candidate, best->reference) - 1), .equal = equal, .serves = may};
}

static bool good_at(const fsattn_search_point *point, const standing *best, double within, const fsattn_candidate *candidate) {
    if (!best->leader || candidate->part != best->leader->part || !fsattn_candidate_ranked(candidate)) {
        return false;
    }
    const fsattn_interval_cell cell = cell_of(point, best, candidate);
    return fsattn_interval_good(&cell, within);
}

/* Of one part, at most `limit`. */
static size_t good_of(const fsattn_search_point *point, size_t part, double within, size_t limit, fsattn_config *configs) {
    const standing best = standing_of(point, part);
    double regrets[fsattn_shapes_carried];
    size_t count = 0;
    for (size_t i = 0; i < point->hunt.count; i++) {
        const fsattn_candidate *candidate = point->hunt.candidates[i];
        if (!good_at(point, &best, within, candidate)) {
            continue;
        }
        const double regret = candidate == best.leader ? -1 : cell_of(point, &best, candidate).regret;
        size_t at = count < limit ? count++ : limit;
        while (at && regrets[at - 1] > regret) {
            at--;
            if (at + 1 < limit) {
                regrets[at + 1] = regrets[at];
                configs[at + 1] = configs[at];
            }
        }
        if (at < limit) {
            regrets[at] = regret;
            configs[at] = candidate->config;
        }
    }
    return count;
}

size_t fsattn_shapes_good(const fsattn_search_point *point, double within, size_t least, fsattn_config configs[fsattn_shapes_carried_limit]) {
    const size_t limit = point->hunt.part_count > 1 ? fsattn_shapes_carried_tier : fsattn_shapes_carried;
    size_t count = 0;
    for (size_t part = 0; part < point->hunt.part_count; part++) {
        const size_t good = good_of(point, part, within, limit, configs + count);
        count += good >= least ? good : 0;
    }
    return count;
}

/* ---- the table ---- */

static int compare_columns(const void *left, const void *right) {
    const fsattn_candidate *a = left, *b = right;
    return fsattn_hash_compare(&a->identity, &b->identity);
}

static void add_columns(fsattn_shapes *shapes, const fsattn_search_point *point) {
    const standing best = standing_of(point, shapes->part);
    fsattn_interval_table *table = &shapes->table;
    for (size_t i = 0; i < point->hunt.count; i++) {
        const fsattn_candidate *candidate = point->hunt.candidates[i];
        bool known = !good_at(point, &best, table->within, candidate);
        for (size_t column = 0; column < table->columns; column++) {
            known = known || !compare_columns(&shapes->columns[column], candidate);
        }
        if (!known && table->columns < fsattn_interval_column_limit) {
            shapes->columns[table->columns++] = *candidate;
        }
    }
}

void fsattn_shapes_tabulate(fsattn_shapes *shapes) {
    fsattn_interval_table *table = &shapes->table;
    table->columns = 0;
    for (size_t i = 0; i < table->shapes; i++) {
        add_columns(shapes, shapes->points[i]);
    }
    qsort(shapes->columns, table->columns, sizeof shapes->columns[0], compare_columns);
    for (size_t i = 0; i < table->shapes; i++) {
        const standing best = standing_of(shapes->points[i], shapes->part);
        table->vacant[i] = best.leader && best.reference != best.leader;
        for (size_t column = 0; column < table->columns; column++) {
            table->cells[i][column] = cell_of(shapes->points[i], &best, fsattn_hunt_find(&shapes->points[i]->hunt, &shapes->columns[column].config));
        }
    }
}

/* ---- what is published ---- */

bool fsattn_shapes_serves(const fsattn_shapes *shapes, size_t row, size_t column) {
    return column != SIZE_MAX && shapes->table.cells[row][column].serves;
}

fsattn_status fsattn_shapes_serve(const fsattn_shapes *shapes, size_t row, size_t column, const fsattn_fsc_interval *interval, fsattn_err *err) {
    fsattn_search_point *point = shapes->points[row];
    fsattn_candidate *before = fsattn_shapes_leader(point, shapes->part), *chosen = fsattn_hunt_find(&point->hunt, &shapes->columns[column].config);
    const bool wins_all = before == point->winners.winner;
    const fsattn_candidate_service wins = {.won = wins_all, .beats_default = !chosen->is_default, .interval = interval};
    const fsattn_candidate_service loses = {.beats_default = before->beats_default && fsattn_winners_beside(before, chosen), .tied_with = chosen};
    FSATTN_TRY(fsattn_candidate_serve(&point->session, &wins, chosen, err));
    if (before != chosen) {
        FSATTN_TRY(fsattn_candidate_serve(&point->session, &loses, before, err));
    }
    if (wins_all) {
        point->winners.winner = chosen;
        point->winners.statistics = chosen->final;
    }
    return FSATTN_OK;
}
