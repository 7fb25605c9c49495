/* Intervals of a size from a table of regrets, with known cost functions. */
#include "interval.h"

#include <criterion/criterion.h>
#include <math.h>

/* Costs of a configuration at a size. */
typedef double cost_function(int64_t size, size_t column);

static void measure(fsattn_interval_table *table, int64_t size, cost_function *cost) {
    size_t at = table->shapes++;
    for (; at && table->sizes[at - 1] > size; at--) {
        table->sizes[at] = table->sizes[at - 1];
        memcpy(table->cells[at], table->cells[at - 1], sizeof table->cells[at]);
    }
    double best = INFINITY;
    table->sizes[at] = size;
    for (size_t column = 0; column < table->columns; column++) {
        best = fmin(best, cost(size, column));
    }
    for (size_t column = 0; column < table->columns; column++) {
        const double regret = cost(size, column) / best - 1;
        table->cells[at][column] = (fsattn_interval_cell){regret, regret < 1e-3, regret < 1e-3};
    }
}

/* Measures until there is nothing to be found, at most `limit` shapes; returns how many intervals. */
static size_t bisect(fsattn_interval_table *table, int64_t from, int64_t to, int64_t step, size_t limit, cost_function *cost,
                     fsattn_interval *intervals) {
    int64_t size;
    double price;
    measure(table, to, cost);
    measure(table, from, cost);
    while (table->shapes < limit && fsattn_interval_next(table, step, &size, &price)) {
        cr_assert((size - from) % step == 0 && size > from && size < to, "%lld", (long long)size);
        for (size_t i = 0; i < table->shapes; i++) {
            cr_assert_neq(size, table->sizes[i], "measured twice");
        }
        measure(table, size, cost);
    }
    const size_t count = fsattn_interval_split(table, intervals);
    cr_expect_eq(intervals[0].from, from);
    cr_expect_eq(intervals[count - 1].to, to);
    for (size_t i = 1; i < count; i++) {
        cr_expect_eq(intervals[i].from, intervals[i - 1].to + 1);
    }
    return count;
}

static double crossing(int64_t size, size_t column) {
    const double octaves = log2((double)size / 1000);
    return column == 0 ? 1 + 0.1 * fmax(0, octaves) : column == 1 ? 1 + 0.1 * fmax(0, -octaves) : 1.5;
}

Test(interval, one_boundary_is_found_by_halving) {
    fsattn_interval_table table = {.columns = 3, .within = 0.01};
    fsattn_interval intervals[fsattn_interval_shape_limit];
    const size_t count = bisect(&table, 64, 65536, 64, fsattn_interval_shape_limit, crossing, intervals);
    cr_assert_eq(count, 2);
    cr_expect_eq(intervals[0].column, 0);
    cr_expect_eq(intervals[1].column, 1);
    /* Either is within 1 % from 933 to 1072, so the boundary may be anywhere there or one step beside. */
    cr_expect(intervals[0].to >= 933 - 64 && intervals[0].to <= 1072 + 64, "%lld", (long long)intervals[0].to);
    cr_expect_leq(table.shapes, 2 + 10); /* 1024 steps */
    for (size_t i = 0; i < 2; i++) {
        cr_expect_leq(intervals[i].regret, 0.01);
        for (int64_t size = intervals[i].from; size <= intervals[i].to; size++) {
            const double regret = crossing(size, intervals[i].column) / fmin(crossing(size, 0), crossing(size, 1)) - 1;
            cr_assert_leq(regret, fmax(intervals[i].regret, intervals[i].beyond) + 1e-9, "%lld: the price holds between the shapes", (long long)size);
        }
    }
}

static double level(int64_t size, size_t column) {
    (void)size;
    return 1 + 0.2 * (double)column;
}

Test(interval, neighbours_that_agree_end_it_after_one_look_between) {
    fsattn_interval_table table = {.columns = 2};
    fsattn_interval intervals[fsattn_interval_shape_limit];
    cr_expect_eq(bisect(&table, 1, 1 << 20, 1, fsattn_interval_shape_limit, level, intervals), 1);
    cr_expect_eq(table.shapes, 3);
    cr_expect_eq(table.sizes[1], 1024); /* the geometric middle */
    cr_expect_eq(intervals[0].regret, 0);
    cr_expect(isnan(intervals[0].beyond));
}

static double bump(int64_t size, size_t column) {
    const double octaves = fabs(log2((double)size / 1024));
    return column == 0 ? 1 : octaves < 2 ? 0.9 : 1.3;
}

Test(interval, ends_that_agree_are_not_believed_unseen) {
    fsattn_interval_table table = {.columns = 2};
    fsattn_interval intervals[fsattn_interval_shape_limit];
    cr_assert_eq(bisect(&table, 16, 65536, 16, fsattn_interval_shape_limit, bump, intervals), 3);
    cr_expect_eq(intervals[0].column, 0);
    cr_expect_eq(intervals[1].column, 1);
    cr_expect_eq(intervals[2].column, 0);
    cr_expect(intervals[1].from >= 256 - 16 && intervals[1].from <= 256 + 16, "%lld", (long long)intervals[1].from);
    cr_expect(intervals[1].to >= 4096 - 16 && intervals[1].to <= 4096 + 16, "%lld", (long long)intervals[1].to);
    cr_expect_float_eq(intervals[1].beyond, 0.3, 1e-9);
}

Test(interval, a_limit_leaves_a_price) {
    fsattn_interval_table table = {.columns = 3, .within = 0.01};
    fsattn_interval intervals[fsattn_interval_shape_limit];
    cr_assert_eq(bisect(&table, 64, 65536, 64, 3, crossing, intervals), 2);
    cr_expect_eq(table.shapes, 3);
    cr_expect_gt(intervals[0].beyond, 0.09);
}

/* A table with the same step between all shapes. */
static fsattn_interval_table table_of(size_t shapes, size_t columns, const double *regrets) {
    fsattn_interval_table table = {.shapes = shapes, .columns = columns};
    for (size_t i = 0; i < shapes; i++) {
        table.sizes[i] = 100 + (int64_t)i;
        for (size_t column = 0; column < columns; column++) {
            const double regret = regrets[i * columns + column];
            table.cells[i][column] = (fsattn_interval_cell){regret, regret <= 0.001, regret <= 0.001};
        }
    }
    return table;
}

Test(interval, of_equivalent_ones_the_robust_one_serves) {
    fsattn_interval intervals[fsattn_interval_shape_limit];
    /* Columns 0 and 1 are equal at the first two shapes; beyond them column 1 costs less. */
    fsattn_interval_table table = table_of(3, 3, (double[]){0, 0.0005, 0.4, 0.0005, 0, 0.2, 0.3, 0.1, 0});
    cr_assert_eq(fsattn_interval_split(&table, intervals), 2);
    cr_expect_eq(intervals[0].column, 1);
    cr_expect_eq(intervals[0].to, 101);
    cr_expect_eq(intervals[0].regret, 0.0005);
    cr_expect_eq(intervals[0].beyond, 0.1);
    cr_expect_eq(intervals[1].column, 2);
    /* What was not measured beside it is not robust. */
    table.cells[2][1].regret = NAN;
    cr_assert_eq(fsattn_interval_split(&table, intervals), 2);
    cr_expect_eq(intervals[0].column, 0);
    /* All alike: the first one, which the caller's order decides. */
    table = table_of(2, 2, (double[]){0, 0, 0, 0});
    cr_assert_eq(fsattn_interval_split(&table, intervals), 1);
    cr_expect_eq(intervals[0].column, 0);
}

Test(interval, what_is_not_published_or_not_known_serves_nothing) {
    fsattn_interval intervals[fsattn_interval_shape_limit];
    fsattn_interval_table table = table_of(2, 3, (double[]){0, 0.4, 0.005, 0.4, 0, 0.005});
    table.within = 0.01;
    /* Column 2 is good at both and the best at none: it has no record. */
    cr_assert_eq(fsattn_interval_split(&table, intervals), 2);
    cr_expect_eq(intervals[0].column, 0);
    cr_expect_eq(intervals[1].column, 1);
    int64_t size;
    double price;
    cr_expect_not(fsattn_interval_next(&table, 1, &size, &price), "nothing lies between 100 and 101");
    /* What fails beside it has no price. */
    table.cells[1][0].regret = INFINITY;
    fsattn_interval_split(&table, intervals);
    cr_expect(isnan(intervals[0].beyond));
    /* A shape without a winner is an interval that nothing serves. */
    table = table_of(3, 1, (double[]){0, NAN, 0});
    cr_assert_eq(fsattn_interval_split(&table, intervals), 3);
    cr_expect_eq(intervals[1].column, SIZE_MAX);
    cr_expect_eq(intervals[1].from, 101);
    cr_expect_eq(intervals[1].to, 101);
}
