/* The strategy that learns: what it costs, that it works in the largest spaces, and that it stays away from what fails. */
#include "memory.h"
#include "strategy.h"

#include "../support/space_folder.h"

#include <math.h>

static const fsattn_problem problem = {.size = sizeof(fsattn_problem), .batch = 1, .heads_q = 1, .heads_kv = 1, .s_q = 1, .s_k = 1, .head_dim = 64};
static const fsattn_setting setting = {&problem, "x86_64"};

typedef double cost_function(const fsattn_config *config);

typedef struct fixture {
    space_folder folder;
    fsattn_space *space;
    fsattn_enumeration *enumeration;
} fixture;

/* `parameters` of the values 1 .. `values`. */
static void open_space(fixture *f, size_t parameters, size_t values) {
    fsattn_text manifest = {0}, yaml = {0};
    fsattn_err err;
    fsattn_text_puts(&yaml, "template: toy\ndevice: host\nproblems:\n- {d: 64}\nparameters:\n");
    for (size_t p = 0; p < parameters; p++) {
        fsattn_text_printf(&yaml, "  p%zu: {from: 1, to: %zu, step: 1}\n", p, values);
        fsattn_text_printf(&manifest, "{ name = 'p%zu', type = 'int', help = 'h', default = 1, values = {", p);
        for (size_t v = 1; v <= values; v++) {
            fsattn_text_printf(&manifest, "%zu,", v);
        }
        fsattn_text_puts(&manifest, "} },\n");
    }
    space_folder_make(&f->folder, manifest.data, "");
    cr_assert_eq(space_folder_load(&f->folder, yaml.data, &f->space, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_enumeration_create(f->space, &setting, &f->enumeration, &err), FSATTN_OK, "%s", err.message);
    fsattn_text_fini(&manifest);
    fsattn_text_fini(&yaml);
}

static void close_space(fixture *f) {
    fsattn_enumeration_destroy(f->enumeration);
    fsattn_space_destroy(f->space);
    space_folder_remove(&f->folder);
}

enum { evaluation_limit = 2048 };
typedef struct trace {
    double costs[evaluation_limit];
    uint64_t work[evaluation_limit + 1]; /* before each */
    double best;
} trace;

/* One configuration at a time. */
static void search_with(const fixture *f, const char *name, const fsattn_prior *prior, uint64_t seed, size_t evaluations,
                        cost_function *cost, trace *out) {
    const fsattn_strategy_ops *ops;
    fsattn_strategy_settings settings;
    fsattn_strategy *strategy;
    fsattn_err err;
    cr_assert_eq(fsattn_strategy_find(name, &ops, &err), FSATTN_OK);
    fsattn_strategy_settings_default(ops, &settings);
    settings.seed = seed;
    settings.prior = prior;
    cr_assert_eq(fsattn_strategy_create(ops, f->enumeration, &settings, UINT64_MAX, NULL, &strategy, &err), FSATTN_OK);
    out->best = INFINITY;
    for (size_t i = 0; i < evaluations; i++) {
        uint64_t index;
        size_t count;
        fsattn_config config;
        out->work[i] = fsattn_strategy_work(strategy);
        cr_assert_eq(fsattn_strategy_ask(strategy, 1, &index, &count, &err), FSATTN_OK, "%s", err.message);
        cr_assert_eq(count, 1);
        fsattn_enumeration_at(f->enumeration, index, &config);
        out->costs[i] = cost(&config);
        out->best = fmin(out->best, out->costs[i]);
        cr_assert_eq(fsattn_strategy_tell(strategy, index, out->costs[i], &err), FSATTN_OK);
    }
    out->work[evaluations] = fsattn_strategy_work(strategy);
    fsattn_strategy_destroy(strategy);
}

static void search(const fixture *f, const char *name, uint64_t seed, size_t evaluations, cost_function *cost, trace *out) {
    search_with(f, name, NULL, seed, evaluations, cost, out);
}

/* ---- what it costs ---- */

static double rough(const fsattn_config *config) {
    double sum = 1;
    for (size_t p = 0; p < 6; p++) {
        sum += fabs(config->index[p] - 3.0) * (double)(p + 1) + (config->index[p] * config->index[(p + 1) % 6]) % 3;
    }
    return sum;
}

/* 32 trees of 512 points in all are learned for each new point, and 32 are asked about the pool: 128 random points, and of each of four
 * elites 42 neighbours and 32 points further on. */
Test(surrogate, a_proposal_costs_the_same_early_and_late) {
    fixture f;
    trace *t = fsattn_alloc(1, sizeof *t);
    open_space(&f, 6, 8);
    search(&f, "surrogate", 1, 2000, rough, t);
    for (size_t i = 0; i < 2000; i++) {
        cr_assert_leq(t->work[i + 1] - t->work[i], 512 + 32 * (128 + 4 * (42 + 32)), "at %zu", i);
    }
    uint64_t early = t->work[300] - t->work[100], late = t->work[2000] - t->work[1800];
    cr_assert_gt(early, 200 * 512);
    cr_assert_leq(late, early + early / 10);
    search(&f, "random", 1, 10, rough, t);
    cr_assert_eq(t->work[10], 0);
    fsattn_free(t);
    close_space(&f);
}

/* ---- large spaces ---- */

static double slope(const fsattn_config *config) {
    double sum = 1;
    for (size_t p = 0; p < 30; p++) {
        sum += (double)(p % 5) * config->index[p];
    }
    return sum;
}

Test(surrogate, learns_in_a_space_of_2_to_the_60) {
    fixture f;
    trace *t = fsattn_alloc(1, sizeof *t);
    open_space(&f, 30, 4);
    cr_assert_eq(fsattn_enumeration_count(f.enumeration), (uint64_t)1 << 60);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        search(&f, "random", seed, 300, slope, t);
        double random = t->best;
        search(&f, "auto", seed, 300, slope, t);
        cr_assert_lt(t->best, random / 2, "%g, random %g", t->best, random);
    }
    fsattn_free(t);
    close_space(&f);
}

/* ---- what fails ---- */

/* The faster the nearer to what does not compile: 36% of all. */
static double edge(const fsattn_config *config) {
    int tile = (config->index[0] + 1) * (config->index[1] + 1);
    return tile > 24 ? INFINITY : 100.0 / tile + 3 * abs(config->index[2] - 5) + abs(config->index[3] - 2);
}

/* Whether it fails has nothing to do with how fast it is. */
static double stripe(const fsattn_config *config) {
    double cost = 10;
    for (size_t p = 0; p < 3; p++) {
        cost += abs(config->index[p] - 4);
    }
    return config->index[3] % 3 == 1 ? INFINITY : cost;
}

static double share_failed(const double *costs, size_t count) {
    size_t failed = 0;
    for (size_t i = 0; i < count; i++) {
        failed += isinf(costs[i]);
    }
    return (double)failed / (double)count;
}

static void check_failures(const fixture *f, cost_function *cost) {
    trace *t = fsattn_alloc(1, sizeof *t);
    double sum = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        search(f, "random", seed, 1000, cost, t);
        double everywhere = share_failed(t->costs, 1000);
        cr_assert(everywhere > 0.3 && everywhere < 0.42, "%g", everywhere);
        search(f, "auto", seed, 300, cost, t);
        double late = share_failed(t->costs + 100, 200);
        cr_assert_lt(late, everywhere / 2, "%g of the proposals fail, %g of all", late, everywhere);
        sum += late;
    }
    cr_assert_lt(sum / 5, 0.1);
    fsattn_free(t);
}

Test(surrogate, stays_away_from_what_fails) {
    fixture f;
    open_space(&f, 4, 8);
    check_failures(&f, edge);
    check_failures(&f, stripe);
    close_space(&f);
}

static double hopeless(const fsattn_config *config) {
    (void)config;
    return INFINITY;
}

static double signs(const fsattn_config *config) {
    return config->index[0] * 2.0 - config->index[1] * 3.0 - 2;
}

Test(surrogate, costs_of_any_sign_and_none_at_all) {
    fixture f;
    trace *t = fsattn_alloc(1, sizeof *t);
    open_space(&f, 4, 8);
    search(&f, "auto", 1, 200, hopeless, t);
    cr_assert(isinf(t->best));
    search(&f, "auto", 1, 100, signs, t);
    cr_assert_eq(t->best, -23);
    fsattn_free(t);
    close_space(&f);
}

/* ---- priors ---- */

/* Two valleys: the deeper one is narrow. */
static double valleys(const fsattn_config *config) {
    double wide = 30, narrow = 8;
    for (size_t p = 0; p < 4; p++) {
        wide += 4 * abs(config->index[p] - 1);
        narrow += 20 * abs(config->index[p] - 6);
    }
    return fmin(wide, narrow);
}

/* As a cache file of Kernel Tuner: every configuration, `power` of what it costs with a tenth of noise; those whose last parameter is 8 are missing. */
static void write_prior(const fixture *f, double power, const char *path) {
    FILE *file = fopen(path, "w");
    cr_assert(file);
    fprintf(file, "{\"device_name\": \"d\", \"kernel_name\": \"k\", \"tune_params_keys\": [\"p0\", \"p1\", \"p2\", \"p3\"],\n\"cache\": {");
    const char *separator = "";
    for (uint64_t i = 0; i < fsattn_enumeration_count(f->enumeration); i++) {
        fsattn_config config;
        fsattn_enumeration_at(f->enumeration, i, &config);
        if (config.index[3] == 7) {
            continue;
        }
        const uint16_t *x = config.index;
        double time = pow(valleys(&config), power) * (1 + 0.1 * (double)(i * 7919 % 100) / 100);
        fprintf(file, "%s\n\"%d,%d,%d,%d\": {\"p0\": %d, \"p1\": %d, \"p2\": %d, \"p3\": %d, \"time\": %.9g, \"times\": [%.9g, %.9g]}", separator,
                x[0] + 1, x[1] + 1, x[2] + 1, x[3] + 1, x[0] + 1, x[1] + 1, x[2] + 1, x[3] + 1, time, time, time);
        separator = ",";
    }
    fprintf(file, "}}\n");
    fclose(file);
}

/* Mean evaluations until the optimum. */
static double needed(const fixture *f, const fsattn_prior *prior, trace *t) {
    double sum = 0;
    enum { seeds = 6, limit = 400 };
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        search_with(f, "auto", prior, seed, limit, valleys, t);
        size_t at = 0;
        while (at < limit && t->costs[at] > 8) {
            at++;
        }
        sum += (double)(at + 1) / seeds;
    }
    return sum;
}

Test(surrogate, a_prior_helps_and_a_misleading_one_does_no_harm) {
    fixture f;
    fsattn_err err;
    fsattn_prior *good, *inverted;
    char path[512];
    trace *t = fsattn_alloc(1, sizeof *t);
    open_space(&f, 4, 8);
    snprintf(path, sizeof path, "%s/prior.json", f.folder.path);
    write_prior(&f, 1, path);
    cr_assert_eq(fsattn_prior_open(path, &f.space->manifest->parameters, &good, &err), FSATTN_OK, "%s", err.message);
    write_prior(&f, -1, path);
    cr_assert_eq(fsattn_prior_open(path, &f.space->manifest->parameters, &inverted, &err), FSATTN_OK, "%s", err.message);
    double without = needed(&f, NULL, t), with = needed(&f, good, t), against = needed(&f, inverted, t);
    cr_assert_lt(with, without / 2, "%g with a prior, %g without", with, without);
    cr_assert_leq(against, 1.2 * without, "%g with a misleading prior, %g without", against, without);
    fsattn_config config = {0};
    cr_assert(fsattn_prior_cost(good, &config) > 0);
    config.index[3] = 7;
    cr_assert(isnan(fsattn_prior_cost(good, &config)), "the file does not have it");
    cr_assert(fsattn_prior_best(good, 0, &config) < 9e6 && config.index[0] == 6 && config.index[3] == 6);
    cr_assert_eq(fsattn_prior_count(good), 8 * 8 * 8 * 7);
    fsattn_prior_close(good);
    fsattn_prior_close(inverted);
    fsattn_free(t);
    close_space(&f);
}

Test(surrogate, a_prior_of_another_template_is_refused) {
    fixture four, three;
    fsattn_err err;
    fsattn_prior *prior;
    char path[512];
    open_space(&four, 4, 8);
    open_space(&three, 3, 8);
    snprintf(path, sizeof path, "%s/prior.json", four.folder.path);
    write_prior(&four, 1, path);
    cr_assert_eq(fsattn_prior_open(path, &three.space->manifest->parameters, &prior, &err), FSATTN_INVALID);
    cr_assert(strstr(err.message, "parameter 'p3', which toy has not"), "%s", err.message);
    cr_assert(strstr(err.hint, "same template"));
    close_space(&four);
    close_space(&three);
}
