#include "shapes.h"

#include "error.h"

#include <math.h>
#include <stdlib.h>

/* ---- what a configuration costs at a shape ---- */

fsattn_interval_cell fsattn_shapes_cell(const fsattn_search_point *point, const fsattn_config *config) {
    const fsattn_candidate *winner = point->winners.winner, *candidate = fsattn_hunt_find(&point->hunt, config);
    const double reference_ns = point->hunt.baseline.first_ns;
    if (!winner || !candidate || candidate->screened_ns > 0) {
        return (fsattn_interval_cell){.regret = NAN};
    }
    if (candidate == winner) {
        return (fsattn_interval_cell){.equal = true, .serves = point->winners.confirmed};
    }
    if (!fsattn_candidate_ranked(candidate)) {
        return (fsattn_interval_cell){.regret = INFINITY};
    }
    const bool both = candidate->confirmed && winner->confirmed;
    const double ratio = both ? candidate->final.median_ns / winner->final.median_ns
                              : fsattn_candidate_score(candidate, reference_ns) / fsattn_candidate_score(winner, reference_ns);
    /* Where the default stays because nothing beats it, nothing else is published. */
    const bool faster = point->winners.default_ns <= 0 || candidate->final.median_ns < point->winners.default_ns * (1 - FSATTN_NOISE_FLOOR);
    const bool equal = both && candidate->tied;
    return (fsattn_interval_cell){.regret = fmax(0, ratio - 1), .equal = equal, .serves = equal && !winner->is_default && faster};
}

static bool good_at(const fsattn_search_point *point, double within, const fsattn_candidate *candidate) {
    const fsattn_interval_cell cell = fsattn_shapes_cell(point, &candidate->config);
    return fsattn_candidate_ranked(candidate) && fsattn_interval_good(&cell, within);
}

size_t fsattn_shapes_good(const fsattn_search_point *point, double within, fsattn_config *configs) {
    double regrets[fsattn_shapes_carried];
    size_t count = 0;
    for (size_t i = 0; i < point->hunt.count; i++) {
        const fsattn_candidate *candidate = point->hunt.candidates[i];
        if (!good_at(point, within, candidate)) {
            continue;
        }
        const double regret = candidate == point->winners.winner ? -1 : fsattn_shapes_cell(point, &candidate->config).regret;
        size_t at = count < fsattn_shapes_carried ? count++ : fsattn_shapes_carried;
        while (at && regrets[at - 1] > regret) {
            at--;
            if (at + 1 < fsattn_shapes_carried) {
                regrets[at + 1] = regrets[at];
                configs[at + 1] = configs[at];
            }
        }
        if (at < fsattn_shapes_carried) {
            regrets[at] = regret;
            configs[at] = candidate->config;
        }
    }
    return count;
}

/* ---- the table ---- */

static int compare_columns(const void *left, const void *right) {
    const fsattn_candidate *a = left, *b = right;
    return fsattn_hash_compare(&a->identity, &b->identity);
}

static void add_columns(fsattn_shapes *shapes, const fsattn_search_point *point) {
    fsattn_interval_table *table = &shapes->table;
    for (size_t i = 0; i < point->hunt.count; i++) {
        const fsattn_candidate *candidate = point->hunt.candidates[i];
        bool known = !good_at(point, table->within, candidate);
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
        for (size_t column = 0; column < table->columns; column++) {
            table->cells[i][column] = fsattn_shapes_cell(shapes->points[i], &shapes->columns[column].config);
        }
    }
}

/* ---- what is published ---- */

bool fsattn_shapes_serves(const fsattn_shapes *shapes, size_t row, size_t column) {
    return column != SIZE_MAX && shapes->table.cells[row][column].serves;
}

fsattn_status fsattn_shapes_serve(const fsattn_shapes *shapes, size_t row, size_t column, const fsattn_fsc_interval *interval, fsattn_err *err) {
    fsattn_search_point *point = shapes->points[row];
    fsattn_candidate *before = point->winners.winner, *chosen = fsattn_hunt_find(&point->hunt, &shapes->columns[column].config);
    const fsattn_candidate_service wins = {.won = true, .beats_default = !chosen->is_default, .interval = interval};
    const fsattn_candidate_service loses = {.beats_default = before->beats_default && fsattn_winners_beside(before, chosen), .tied_with = chosen};
    FSATTN_TRY(fsattn_candidate_serve(&point->session, &wins, chosen, err));
    if (before != chosen) {
        FSATTN_TRY(fsattn_candidate_serve(&point->session, &loses, before, err));
        point->winners.winner = chosen;
        point->winners.statistics = chosen->final;
    }
    return FSATTN_OK;
}
