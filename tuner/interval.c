#include "interval.h"

#include <math.h>

bool fsattn_interval_good(const fsattn_interval_cell *cell, double within) {
    return cell->equal || cell->regret <= within; /* false for NaN */
}

static bool good_at(const fsattn_interval_table *table, size_t shape, size_t column) {
    return fsattn_interval_good(&table->cells[shape][column], table->within);
}

/* What is not measured may be anything. */
static double regret_at(const fsattn_interval_table *table, size_t shape, size_t column) {
    const double regret = table->cells[shape][column].regret;
    return isnan(regret) ? INFINITY : regret;
}

static double worst_at(const fsattn_interval_table *table, size_t first, size_t last, size_t column) {
    double worst = 0;
    for (size_t shape = first; shape <= last; shape++) {
        worst = fmax(worst, regret_at(table, shape, column));
    }
    return worst;
}

/* ---- where to look ---- */

/* The least that one configuration for both shapes costs; 0 when they agree. */
static double disagreement(const fsattn_interval_table *table, size_t left) {
    double least = INFINITY;
    if (table->vacant[left] && table->vacant[left + 1]) {
        return 0;
    }
    for (size_t column = 0; column < table->columns; column++) {
        if (good_at(table, left, column) && good_at(table, left + 1, column)) {
            return 0;
        }
        least = fmin(least, worst_at(table, left, left + 1, column));
    }
    return least;
}

/* The middle of sizes a < b on the grid from `origin`; false: there is none between them. */
static bool middle_of(int64_t a, int64_t b, int64_t origin, int64_t step, int64_t *size) {
    const double middle = sqrt((double)a) * sqrt((double)b);
    int64_t at = origin + (int64_t)llround((middle - (double)origin) / (double)step) * step;
    at = at <= a ? at + step : at >= b ? at - step : at;
    *size = at;
    return at > a && at < b;
}

bool fsattn_interval_next(const fsattn_interval_table *table, int64_t step, int64_t *size, double *most) {
    bool found = false;
    *most = 0;
    for (size_t left = 0; left + 1 < table->shapes; left++) {
        int64_t middle;
        const double cost = disagreement(table, left);
        const bool wanted = cost > *most || (table->shapes == 2 && !found);
        if (wanted && middle_of(table->sizes[left], table->sizes[left + 1], table->sizes[0], step, &middle)) {
            *most = cost;
            *size = middle;
            found = true;
        }
    }
    return found;
}

/* ---- what serves ---- */

/* Good at all of these shapes, and of one of them published: what is only nearly as good everywhere has no record that could serve. */
static bool may_serve(const fsattn_interval_table *table, size_t first, size_t last, size_t column) {
    bool serves = false;
    for (size_t shape = first; shape <= last; shape++) {
        if (!good_at(table, shape, column)) {
            return false;
        }
        serves = serves || table->cells[shape][column].serves;
    }
    return serves;
}

/* The column that may serve shapes `first` .. `last` with the least worst regret at `before` .. `after`, which has these; SIZE_MAX when there is none. */
static size_t choose_around(const fsattn_interval_table *table, size_t before, size_t after, size_t first, size_t last) {
    size_t best = SIZE_MAX;
    double best_around = INFINITY, best_inside = INFINITY;
    for (size_t column = 0; column < table->columns; column++) {
        if (!may_serve(table, first, last, column)) {
            continue;
        }
        const double around = worst_at(table, before, after, column), inside = worst_at(table, first, last, column);
        if (best == SIZE_MAX || around < best_around || (around == best_around && inside < best_inside)) {
            best = column;
            best_around = around;
            best_inside = inside;
        }
    }
    return best;
}

static size_t choose(const fsattn_interval_table *table, size_t first, size_t last) {
    return choose_around(table, first ? first - 1 : first, last + 1 < table->shapes ? last + 1 : last, first, last);
}

size_t fsattn_interval_robust(const fsattn_interval_table *table, size_t shape) {
    return choose_around(table, 0, table->shapes - 1, shape, shape);
}

/* NaN where nothing is there, or nobody knows what it costs there. */
static double beyond_of(const fsattn_interval_table *table, const fsattn_interval *interval) {
    const bool before = interval->first > 0, after = interval->last + 1 < table->shapes;
    const double left = before ? table->cells[interval->first - 1][interval->column].regret : NAN;
    const double right = after ? table->cells[interval->last + 1][interval->column].regret : NAN;
    return (before && !isfinite(left)) || (after && !isfinite(right)) ? NAN : fmax(left, right);
}

size_t fsattn_interval_split(const fsattn_interval_table *table, fsattn_interval *intervals) {
    size_t count = 0;
    for (size_t first = 0; first < table->shapes;) {
        fsattn_interval *made = &intervals[count++];
        *made = (fsattn_interval){.first = first, .last = first, .column = choose(table, first, first), .beyond = NAN};
        for (size_t last = first + 1; last < table->shapes && made->column != SIZE_MAX; last++) {
            const size_t column = choose(table, first, last);
            if (column == SIZE_MAX) {
                break;
            }
            made->last = last;
            made->column = column;
        }
        made->from = first ? intervals[count - 2].to + 1 : table->sizes[0];
        made->to = table->sizes[made->last];
        if (made->last + 1 < table->shapes) {
            made->to = (int64_t)floor(sqrt((double)table->sizes[made->last]) * sqrt((double)table->sizes[made->last + 1]));
            made->to = made->to < table->sizes[made->last] ? table->sizes[made->last] : made->to;
            made->to = made->to >= table->sizes[made->last + 1] ? table->sizes[made->last + 1] - 1 : made->to;
        }
        if (made->column != SIZE_MAX) {
            made->regret = worst_at(table, made->first, made->last, made->column);
            made->beyond = beyond_of(table, made);
        }
        first = made->last + 1;
    }
    return count;
}
