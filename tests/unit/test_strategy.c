/* Strategies: valid proposals only, none twice, the same order for the same seed, nothing left out. */
#include "memory.h"
#include "random.h"
#include "strategy.h"

#include "../support/space_folder.h"

#include <math.h>

static const fsattn_problem problem = {.size = sizeof(fsattn_problem), .batch = 1, .heads_q = 1, .heads_kv = 1, .s_q = 1, .s_k = 1, .head_dim = 64};
static const fsattn_setting setting = {&problem, "x86_64"};
static const char plain_yaml[] = "template: toy\ndevice: host\nproblems:\n- {d: 64}\n";

/* ---- random constrained spaces, and what is valid in them ---- */

enum { parameter_limit = 4, constraint_limit = 3 };
typedef struct toy {
    size_t parameters, constraints, sizes[parameter_limit];
    struct {
        size_t a, b;
        int factor, modulus, below;
    } items[constraint_limit];
} toy;

/* Values are 0 .. size - 1; the default, all zeros, is always valid. */
static void toy_make(toy *t, uint64_t seed) {
    uint64_t n = 0;
    *t = (toy){0};
    t->parameters = 1 + fsattn_random_below(seed, 3, n++, parameter_limit);
    t->constraints = fsattn_random_below(seed, 3, n++, constraint_limit + 1);
    for (size_t p = 0; p < t->parameters; p++) {
        t->sizes[p] = 1 + fsattn_random_below(seed, 3, n++, 6);
    }
    for (size_t c = 0; c < t->constraints; c++) {
        t->items[c].a = fsattn_random_below(seed, 3, n++, t->parameters);
        t->items[c].b = fsattn_random_below(seed, 3, n++, t->parameters);
        t->items[c].factor = 1 + (int)fsattn_random_below(seed, 3, n++, 5);
        t->items[c].modulus = 2 + (int)fsattn_random_below(seed, 3, n++, 4);
        t->items[c].below = 1 + (int)fsattn_random_below(seed, 3, n++, (uint64_t)t->items[c].modulus);
    }
}

static bool toy_valid(const toy *t, const fsattn_config *config) {
    for (size_t c = 0; c < t->constraints; c++) {
        int sum = config->index[t->items[c].a] + t->items[c].factor * config->index[t->items[c].b];
        if (sum % t->items[c].modulus >= t->items[c].below) {
            return false;
        }
    }
    return true;
}

static double toy_cost(const toy *t, const fsattn_config *config, uint64_t seed) {
    double cost = 0;
    for (size_t p = 0; p < t->parameters; p++) {
        cost += fsattn_random_unit(seed, 100 + p, config->index[p]) + 0.1 * (double)config->index[p];
    }
    return cost;
}

typedef struct fixture {
    space_folder folder;
    fsattn_space *space;
    fsattn_enumeration *enumeration;
} fixture;

/* `axes`: the parameters of the space, as YAML. */
static void open_space(fixture *f, const char *parameters, const char *constraints, const char *axes) {
    fsattn_err err;
    fsattn_text yaml = {0};
    fsattn_text_printf(&yaml, "%s%s", plain_yaml, axes);
    space_folder_make(&f->folder, parameters, constraints);
    cr_assert_eq(space_folder_load(&f->folder, yaml.data, &f->space, &err), FSATTN_OK, "%s", err.message);
    fsattn_text_fini(&yaml);
    cr_assert_eq(fsattn_enumeration_create(f->space, &setting, &f->enumeration, &err), FSATTN_OK, "%s", err.message);
}

static void open_toy(fixture *f, const toy *t) {
    fsattn_text parameters = {0}, constraints = {0}, axes = {0};
    fsattn_text_puts(&axes, "parameters:\n");
    for (size_t p = 0; p < t->parameters; p++) {
        fsattn_text_printf(&axes, "  p%zu: {from: 0, to: %zu, step: 1}\n", p, t->sizes[p] - 1);
        fsattn_text_printf(&parameters, "{ name = 'p%zu', type = 'int', help = 'h', default = 0, values = {", p);
        for (size_t v = 0; v < t->sizes[p]; v++) {
            fsattn_text_printf(&parameters, "%zu,", v);
        }
        fsattn_text_puts(&parameters, "} },\n");
    }
    for (size_t c = 0; c < t->constraints; c++) {
        fsattn_text_printf(&constraints, "{ when = '(p%zu + %d * p%zu) %% %d < %d', reason = 'r' },\n", t->items[c].a,
                           t->items[c].factor, t->items[c].b, t->items[c].modulus, t->items[c].below);
    }
    open_space(f, parameters.data, constraints.data ? constraints.data : "", axes.data);
    fsattn_text_fini(&axes);
    fsattn_text_fini(&parameters);
    fsattn_text_fini(&constraints);
}

static void close_space(fixture *f) {
    fsattn_enumeration_destroy(f->enumeration);
    fsattn_space_destroy(f->space);
    space_folder_remove(&f->folder);
}

/* ---- running ---- */

typedef double cost_function(const void *data, const fsattn_config *config);

typedef struct trace {
    uint64_t indices[4096];
    size_t count;
    double best;
} trace;

static void run_strategy(const fixture *f, const char *name, const fsattn_strategy_settings *settings, uint64_t limit,
                         size_t batch, cost_function *cost, const void *data, trace *out) {
    const fsattn_strategy_ops *ops;
    fsattn_strategy *strategy;
    fsattn_strategy_settings plain;
    fsattn_err err;
    cr_assert_eq(fsattn_strategy_find(name, &ops, &err), FSATTN_OK, "%s", err.message);
    fsattn_strategy_settings_default(ops, &plain);
    cr_assert_eq(fsattn_strategy_create(ops, f->enumeration, settings ? settings : &plain, limit,
                                        &f->space->manifest->defaults, &strategy, &err),
                 FSATTN_OK, "%s", err.message);
    *out = (trace){.best = INFINITY};
    for (;;) {
        uint64_t indices[64];
        size_t count;
        cr_assert_eq(fsattn_strategy_ask(strategy, batch, indices, &count, &err), FSATTN_OK, "%s", err.message);
        cr_assert_leq(count, batch);
        if (count == 0) {
            break;
        }
        for (size_t i = 0; i < count; i++) {
            fsattn_config config;
            cr_assert_lt(indices[i], fsattn_enumeration_count(f->enumeration));
            fsattn_enumeration_at(f->enumeration, indices[i], &config);
            double told = cost(data, &config);
            out->best = fmin(out->best, told);
            cr_assert_lt(out->count, 4096);
            out->indices[out->count++] = indices[i];
            cr_assert_eq(fsattn_strategy_tell(strategy, indices[i], told, &err), FSATTN_OK, "%s", err.message);
        }
    }
    fsattn_strategy_destroy(strategy);
}

static void assert_distinct(const trace *t, uint64_t count) {
    bool *seen = fsattn_alloc(count, sizeof *seen);
    for (size_t i = 0; i < t->count; i++) {
        cr_assert(!seen[t->indices[i]], "proposed twice");
        seen[t->indices[i]] = true;
    }
    fsattn_free(seen);
}

typedef struct toy_costs {
    const toy *t;
    uint64_t seed;
    double sign;
    bool fails; /* some candidates fail */
} toy_costs;

static double toy_told(const void *data, const fsattn_config *config) {
    const toy_costs *costs = data;
    cr_assert(toy_valid(costs->t, config), "an invalid configuration was proposed");
    double cost = toy_cost(costs->t, config, costs->seed);
    return costs->fails && cost > 2 ? INFINITY : costs->sign * cost;
}

static double best_of(const toy *t, const fixture *f, const toy_costs *costs) {
    double best = INFINITY;
    for (uint64_t i = 0; i < fsattn_enumeration_count(f->enumeration); i++) {
        fsattn_config config;
        fsattn_enumeration_at(f->enumeration, i, &config);
        cr_assert(toy_valid(t, &config));
        best = fmin(best, toy_told(costs, &config));
    }
    return best;
}

Test(strategy, proposes_only_valid_configurations_of_a_thousand_spaces_and_all_of_them, .timeout = 200) {
    uint64_t total = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        toy t;
        fixture f;
        toy_make(&t, seed);
        open_toy(&f, &t);
        uint64_t count = fsattn_enumeration_count(f.enumeration);
        total += count;
        for (const fsattn_strategy_ops *const *ops = fsattn_strategy_all(); *ops; ops++) {
            toy_costs costs = {&t, seed, seed % 2 ? -1 : 1, seed % 3 == 0}; /* minimising and maximising */
            trace out;
            run_strategy(&f, (*ops)->name, NULL, UINT64_MAX, 1 + seed % 9, toy_told, &costs, &out);
            assert_distinct(&out, count);
            cr_assert_eq(out.count, count, "%s: %zu of %ju", (*ops)->name, out.count, (uintmax_t)count);
            cr_assert_eq(out.best, best_of(&t, &f, &costs));
        }
        close_space(&f);
    }
    cr_assert_gt(total, 20000);
}

/* ---- order ---- */

static const char wide[] = "{ name = 'a', type = 'int', values = {0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}, default = 3, help = 'h' },"
                           "{ name = 'b', type = 'int', values = {0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15}, default = 3, help = 'h' },"
                           "{ name = 'c', type = 'enum', values = {'u','v','w'}, default = 'u', help = 'h' },";

static const char wide_axes[] = "parameters:\n  a: {from: 0, to: 15, step: 1}\n  b: {from: 0, to: 15, step: 1}\n"
                                "  c: [u, v, w]\n";

static double bowl(const void *data, const fsattn_config *config) {
    (void)data;
    double a = config->index[0] - 12.0, b = config->index[1] - 11.0;
    return 100 + a * a + b * b + 5 * config->index[2];
}

Test(strategy, order_depends_on_seed_and_options_alone) {
    fixture f;
    open_space(&f, wide, "", wide_axes);
    for (const fsattn_strategy_ops *const *ops = fsattn_strategy_all(); *ops; ops++) {
        trace one, two, other;
        fsattn_strategy_settings settings;
        fsattn_strategy_settings_default(*ops, &settings);
        run_strategy(&f, (*ops)->name, &settings, UINT64_MAX, 8, bowl, NULL, &one);
        run_strategy(&f, (*ops)->name, &settings, UINT64_MAX, 8, bowl, NULL, &two);
        settings.seed = 2;
        run_strategy(&f, (*ops)->name, &settings, UINT64_MAX, 8, bowl, NULL, &other);
        cr_assert(one.count == two.count && !memcmp(one.indices, two.indices, one.count * sizeof *one.indices));
        bool same = one.count == other.count && !memcmp(one.indices, other.indices, one.count * sizeof *one.indices);
        cr_assert_eq(same, !strcmp((*ops)->name, "exhaustive"));
    }
    close_space(&f);
}

Test(strategy, hill_climbing_starts_from_the_default_and_needs_a_part_of_the_space) {
    fixture f;
    open_space(&f, wide, "", wide_axes);
    const fsattn_strategy_ops *ops;
    fsattn_strategy_settings settings;
    fsattn_err err;
    cr_assert_eq(fsattn_strategy_find("hill_climbing", &ops, &err), FSATTN_OK);
    fsattn_strategy_settings_default(ops, &settings);
    cr_assert_eq(fsattn_strategy_settings_set(ops, "restarts", "1", &settings, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_strategy_settings_set(ops, "gain", "0.0", &settings, &err), FSATTN_OK, "%s", err.message);
    trace out;
    uint64_t start;
    cr_assert(fsattn_enumeration_find(f.enumeration, &f.space->manifest->defaults, &start));
    run_strategy(&f, "hill_climbing", &settings, UINT64_MAX, 4, bowl, NULL, &out);
    cr_assert_eq(out.indices[0], start);
    cr_assert_eq(out.best, 100);
    cr_assert_lt(out.count, 200, "%zu of 768", out.count);
    close_space(&f);
}

Test(strategy, a_sample_larger_than_the_space_takes_all_of_it) {
    fixture f;
    open_space(&f, wide, "{ when = 'a >= b', reason = 'r' },", wide_axes);
    uint64_t count = fsattn_enumeration_count(f.enumeration);
    trace out;
    run_strategy(&f, "random", NULL, 1000, 7, bowl, NULL, &out);
    cr_assert_eq(out.count, count);
    assert_distinct(&out, count);
    run_strategy(&f, "random", NULL, 100, 7, bowl, NULL, &out);
    cr_assert_eq(out.count, 100);
    assert_distinct(&out, count);
    close_space(&f);
}

Test(strategy, an_empty_space_ends_at_once) {
    fixture f;
    space_folder_make(&f.folder, wide, "");
    fsattn_text yaml = {0};
    fsattn_err err;
    fsattn_text_printf(&yaml, "%sconstraints: [a < 0 and b >= 0]\n", plain_yaml);
    cr_assert_eq(space_folder_load(&f.folder, yaml.data, &f.space, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_enumeration_create(f.space, &setting, &f.enumeration, &err), FSATTN_OK, "%s", err.message);
    for (const fsattn_strategy_ops *const *ops = fsattn_strategy_all(); *ops; ops++) {
        trace out;
        run_strategy(&f, (*ops)->name, NULL, UINT64_MAX, 7, bowl, NULL, &out);
        cr_assert_eq(out.count, 0);
    }
    fsattn_text_fini(&yaml);
    close_space(&f);
}

/* ---- mistakes ---- */

Test(strategy, mistakes_are_named) {
    const fsattn_strategy_ops *ops;
    fsattn_strategy_settings settings;
    fsattn_err err;
    cr_assert_eq(fsattn_strategy_find("hill-climbing", &ops, &err), FSATTN_NOT_FOUND);
    cr_assert(strstr(err.hint, "'hill_climbing'"));
    cr_assert_eq(fsattn_strategy_find("hill_climbing", &ops, &err), FSATTN_OK);
    fsattn_strategy_settings_default(ops, &settings);
    cr_assert_eq(fsattn_strategy_settings_set(ops, "restart", "1", &settings, &err), FSATTN_NOT_FOUND);
    cr_assert(strstr(err.hint, "'restarts'"));
    cr_assert_eq(fsattn_strategy_settings_set(ops, "starts", "0", &settings, &err), FSATTN_INVALID);
    cr_assert_eq(fsattn_strategy_settings_set(ops, "gain", "much", &settings, &err), FSATTN_PARSE);
    cr_assert_eq(fsattn_strategy_settings_set(ops, "neighbourhood", "near", &settings, &err), FSATTN_INVALID);
    cr_assert(strstr(err.hint, "any") || strstr(err.hint, "adjacent"));
}

Test(strategy, what_was_not_asked_for_cannot_be_told) {
    fixture f;
    open_space(&f, wide, "", wide_axes);
    const fsattn_strategy_ops *ops;
    fsattn_strategy_settings settings;
    fsattn_strategy *strategy;
    fsattn_err err;
    uint64_t indices[4];
    size_t count;
    cr_assert_eq(fsattn_strategy_find("exhaustive", &ops, &err), FSATTN_OK);
    fsattn_strategy_settings_default(ops, &settings);
    cr_assert_eq(fsattn_strategy_create(ops, f.enumeration, &settings, UINT64_MAX, NULL, &strategy, &err), FSATTN_OK);
    cr_assert_eq(fsattn_strategy_ask(strategy, 2, indices, &count, &err), FSATTN_OK);
    cr_assert_eq(fsattn_strategy_tell(strategy, 700, 1, &err), FSATTN_INTERNAL);
    cr_assert_eq(fsattn_strategy_tell(strategy, indices[0], 1, &err), FSATTN_OK);
    cr_assert_eq(fsattn_strategy_tell(strategy, indices[0], 1, &err), FSATTN_INTERNAL);
    cr_assert_eq(fsattn_strategy_ask(strategy, 2, indices, &count, &err), FSATTN_INTERNAL);
    fsattn_strategy_destroy(strategy);
    close_space(&f);
}
