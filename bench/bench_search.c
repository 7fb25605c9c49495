/* Every strategy on measured spaces: evaluations and simulated seconds until the best found is within 90, 95 and 98 % of the
 * optimum. Each run is a loop of ask and tell against an array of costs; nothing is read or written meanwhile. One line for
 * each run goes to --traces, in the form that bench/search_report.py reads. */
#include "cli.h"
#include "enumerate.h"
#include "error.h"
#include "memory.h"
#include "replay_space.h"
#include "strategy.h"
#include "text.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A run ends at the last target, but not before the curve that is drawn of it. */
enum { target_count = 3, file_limit = 64, curve_evaluations = 200 };
static const double targets[target_count] = {0.90, 0.95, 0.98};

typedef struct landscape {
    fsattn_space *space;
    fsattn_enumeration *enumeration;
    char name[128];
    double *cost_ms, *seconds; /* by index */
    fsattn_prior *prior;       /* or NULL */
    uint64_t count;
    double best_ms;
} landscape;

typedef struct run {
    const landscape *land;
    const fsattn_strategy_ops *ops;
    uint64_t seed;
    uint64_t evaluations;
    double reached[target_count], reached_s[target_count]; /* INFINITY: never */
    double ask_s, ask_most_s;
    fsattn_text steps; /* improvements: evaluation:seconds:cost */
} run;

typedef struct bench {
    landscape lands[file_limit];
    size_t land_count;
    run *runs;
    size_t run_count;
    atomic_size_t next;
    int64_t batch, limit, seeds, threads;
    fsattn_option_list settings; /* NAME=VALUE for strategies that have NAME */
    const char *prior;           /* a file, or NULL */
} bench;

/* ---- landscapes ---- */

static fsattn_status open_landscape(const char *path, landscape *land, fsattn_err *err) {
    FSATTN_TRY(fsattn_replay_space_open(path, &land->space, err));
    fsattn_setting setting = {&land->space->problems[0].problem, "replay"};
    FSATTN_TRY(fsattn_enumeration_create(land->space, &setting, &land->enumeration, err));
    const char *slash = strrchr(path, '/');
    snprintf(land->name, sizeof land->name, "%s", slash ? slash + 1 : path);
    char *end = strstr(land->name, ".json");
    if (end) {
        *end = '\0';
    }
    land->count = fsattn_enumeration_count(land->enumeration);
    land->cost_ms = fsattn_alloc(land->count, sizeof *land->cost_ms);
    land->seconds = fsattn_alloc(land->count, sizeof *land->seconds);
    if (!land->cost_ms || !land->seconds) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
    }
    land->best_ms = INFINITY;
    for (uint64_t i = 0; i < land->count; i++) {
        fsattn_config config;
        fsattn_enumeration_at(land->enumeration, i, &config);
        const fsattn_replay_entry *entry = fsattn_replay_file_find(land->space->replay, &config);
        land->cost_ms[i] = entry->cost_ns / 1e6;
        land->seconds[i] = entry->compile_s + entry->verify_s + entry->run_s;
        land->best_ms = fmin(land->best_ms, land->cost_ms[i]);
    }
    return FSATTN_OK;
}

/* ---- one run ---- */

static double now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void note(run *r, double cost_ms, double seconds, double *best_ms) {
    if (cost_ms >= *best_ms) {
        return;
    }
    *best_ms = cost_ms;
    fsattn_text_printf(&r->steps, "%s%llu:%.3f:%.9g", r->steps.bytes ? ";" : "", (unsigned long long)r->evaluations, seconds,
                       cost_ms);
    for (size_t t = 0; t < target_count; t++) {
        if (isinf(r->reached[t]) && r->land->best_ms / cost_ms >= targets[t]) {
            r->reached[t] = (double)r->evaluations;
            r->reached_s[t] = seconds;
        }
    }
}

static void set_options(const bench *b, const fsattn_strategy_ops *ops, fsattn_strategy_settings *settings) {
    for (size_t i = 0; i < b->settings.count; i++) {
        char name[64];
        const char *equals = strchr(b->settings.values[i], '=');
        snprintf(name, sizeof name, "%.*s", equals ? (int)(equals - b->settings.values[i]) : 0, b->settings.values[i]);
        fsattn_strategy_settings_set(ops, name, equals ? equals + 1 : "", settings, NULL);
    }
}

static fsattn_status do_run(const bench *b, run *r, fsattn_err *err) {
    const landscape *land = r->land;
    fsattn_strategy *strategy;
    fsattn_strategy_settings settings;
    fsattn_strategy_settings_default(r->ops, &settings);
    settings.seed = r->seed;
    settings.prior = land->prior;
    set_options(b, r->ops, &settings);
    uint64_t limit = b->limit ? (uint64_t)b->limit : UINT64_MAX;
    FSATTN_TRY(fsattn_strategy_create(r->ops, land->enumeration, &settings, limit, NULL, &strategy, err));
    for (size_t t = 0; t < target_count; t++) {
        r->reached[t] = r->reached_s[t] = INFINITY;
    }
    double best_ms = INFINITY, seconds = 0;
    fsattn_status status = FSATTN_OK;
    uint64_t indices[64];
    size_t count = 1;
    while (count && status == FSATTN_OK && (isinf(r->reached[target_count - 1]) || r->evaluations < curve_evaluations)) {
        double began_s = now_s();
        status = fsattn_strategy_ask(strategy, (size_t)b->batch, indices, &count, err);
        double took_s = now_s() - began_s;
        r->ask_s += took_s;
        r->ask_most_s = fmax(r->ask_most_s, took_s);
        for (size_t i = 0; i < count && status == FSATTN_OK; i++) {
            r->evaluations++;
            seconds += land->seconds[indices[i]];
            note(r, land->cost_ms[indices[i]], seconds, &best_ms);
            began_s = now_s();
            status = fsattn_strategy_tell(strategy, indices[i], land->cost_ms[indices[i]], err);
            r->ask_s += now_s() - began_s;
        }
    }
    fsattn_strategy_destroy(strategy);
    return status;
}

static void *work(void *data) {
    bench *b = data;
    for (size_t i; (i = atomic_fetch_add(&b->next, 1)) < b->run_count;) {
        fsattn_err err;
        if (do_run(b, &b->runs[i], &err) != FSATTN_OK) {
            fprintf(stderr, "bench_search: %s\n", err.message);
            exit(1);
        }
    }
    return NULL;
}

/* ---- telling ---- */

static int compare_doubles(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double quantile(const double *sorted, size_t count, double share) {
    return sorted[(size_t)(share * (double)(count - 1) + 0.5)];
}

/* "123 (80-200)", "-" for what was not reached. */
static void quartiles_text(double *values, size_t count, char text[40]) {
    qsort(values, count, sizeof *values, compare_doubles);
    double low = quantile(values, count, 0.25), middle = quantile(values, count, 0.5), high = quantile(values, count, 0.75);
    if (isinf(middle)) {
        snprintf(text, 40, "-");
    } else if (isinf(high)) {
        snprintf(text, 40, "%.0f (%.0f-)", middle, low);
    } else {
        snprintf(text, 40, "%.0f (%.0f-%.0f)", middle, low, high);
    }
}

/* Rows of one strategy on one file; the mean logarithm of the evaluations to the last target goes to *sum. */
static void print_row(const run *runs, size_t count, double *values, double *sum) {
    char texts[2 * target_count][40];
    double ask_s = 0, most_s = 0, mean = 0, evaluations = 0;
    for (size_t t = 0; t < target_count; t++) {
        for (size_t i = 0; i < count; i++) {
            values[i] = runs[i].reached[t];
        }
        quartiles_text(values, count, texts[t]);
        for (size_t i = 0; i < count; i++) {
            values[i] = runs[i].reached_s[t];
        }
        quartiles_text(values, count, texts[target_count + t]);
    }
    for (size_t i = 0; i < count; i++) {
        bool reached = isfinite(runs[i].reached[target_count - 1]);
        double needed = reached ? runs[i].reached[target_count - 1] : (double)runs[i].land->count;
        mean += needed / (double)count;
        evaluations += (double)runs[i].evaluations;
        ask_s += runs[i].ask_s;
        most_s = fmax(most_s, runs[i].ask_most_s);
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = fmin(runs[i].reached[target_count - 1], (double)runs[i].land->count);
    }
    qsort(values, count, sizeof *values, compare_doubles);
    *sum += log(quantile(values, count, 0.5));
    printf("%-22s %-20s %16s %16s %16s %7.0f %16s %16s %16s %7.0f us %6.1f ms\n", runs->ops->name, runs->land->name, texts[0],
           texts[1], texts[2], mean, texts[3], texts[4], texts[5], ask_s / evaluations * 1e6, most_s * 1e3);
}

static fsattn_status print_all(const bench *b, fsattn_err *err) {
    double *values = fsattn_alloc((size_t)b->seeds, sizeof *values);
    if (!values) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    }
    printf("median (quartiles) of %lld seeds, evaluations and simulated seconds until within 90, 95, 98 %% of the optimum\n"
           "%-22s %-20s %16s %16s %16s %7s %16s %16s %16s %10s %9s\n",
           (long long)b->seeds, "strategy", "file", "90 %", "95 %", "98 %", "mean", "90 % s", "95 % s", "98 % s", "a proposal",
           "at most");
    size_t each = (size_t)b->seeds, group = each * b->land_count;
    for (size_t first = 0; first < b->run_count; first += group) {
        double sum = 0;
        for (size_t i = first; i < first + group; i += each) {
            print_row(&b->runs[i], each, values, &sum);
        }
        printf("%-22s %-20s %50.1f\n", b->runs[first].ops->name, "geometric mean, 98 %", exp(sum / (double)b->land_count));
    }
    fsattn_free(values);
    return FSATTN_OK;
}

static fsattn_status write_traces(const bench *b, const char *path, fsattn_err *err) {
    FILE *file = fopen(path, "w");
    if (!file) {
        return fsattn_fail_errno(err, errno, "%s", path);
    }
    for (size_t i = 0; i < b->land_count; i++) {
        fprintf(file, "optimum,%s,%llu,%.9g\n", b->lands[i].name, (unsigned long long)b->lands[i].count, b->lands[i].best_ms);
    }
    for (size_t i = 0; i < b->run_count; i++) {
        const run *r = &b->runs[i];
        fprintf(file, "fsattn,%s,%s,%llu,%llu,%s\n", r->land->name, r->ops->name, (unsigned long long)r->seed,
                (unsigned long long)r->evaluations, r->steps.data ? r->steps.data : "");
    }
    return fclose(file) == 0 ? FSATTN_OK : fsattn_fail_errno(err, errno, "%s", path);
}

/* ---- main ---- */

static bool wanted(const char *list, const char *name) {
    size_t bytes = strlen(name);
    for (const char *at = list; at && (at = strstr(at, name)); at += bytes) {
        if ((at == list || at[-1] == ',') && (at[bytes] == ',' || !at[bytes])) {
            return true;
        }
    }
    return !list;
}

static fsattn_status plan_runs(bench *b, const char *strategies, fsattn_err *err) {
    size_t all = 0;
    for (const fsattn_strategy_ops *const *ops = fsattn_strategy_all(); *ops; ops++) {
        all++;
    }
    b->runs = fsattn_alloc(all * b->land_count * (size_t)b->seeds, sizeof *b->runs);
    if (!b->runs) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    }
    for (const fsattn_strategy_ops *const *ops = fsattn_strategy_all(); *ops; ops++) {
        if (!wanted(strategies, (*ops)->name) || (!strategies && !strcmp((*ops)->name, "exhaustive"))) {
            continue;
        }
        for (size_t l = 0; l < b->land_count; l++) {
            for (int64_t seed = 1; seed <= b->seeds; seed++) {
                b->runs[b->run_count++] = (run){.land = &b->lands[l], .ops = *ops, .seed = (uint64_t)seed};
            }
        }
    }
    return FSATTN_OK;
}

static fsattn_status bench_main(int argc, char **argv, fsattn_err *err) {
    static bench b;
    const char *paths[file_limit], *strategies = NULL, *traces = NULL;
    bool help = false;
    b.batch = 1;
    b.seeds = 100;
    b.threads = sysconf(_SC_NPROCESSORS_ONLN);
    const fsattn_option rows[] = {
        {"--seeds", "N", FSATTN_OPTION_INT, &b.seeds, 1, 100000, "runs of each strategy on each file (default: 100)"},
        {"--strategies", "A,B", FSATTN_OPTION_TEXT, &strategies, 0, 0, "only these (default: all but exhaustive)"},
        {"--batch", "N", FSATTN_OPTION_INT, &b.batch, 1, 64, "configurations asked for at a time (default: 1)"},
        {"--evaluations", "N", FSATTN_OPTION_INT, &b.limit, 1, 1e9, "of a run at most (default: the whole space)"},
        {"--threads", "N", FSATTN_OPTION_INT, &b.threads, 1, 256, "(default: the cores)"},
        {"--set", "NAME=VALUE", FSATTN_OPTION_LIST, &b.settings, 0, 0, "option of the strategies that have it, repeatable"},
        {"--prior", "FILE", FSATTN_OPTION_TEXT, &b.prior, 0, 0, "results that the strategies are given as a prior (default: none)"},
        {"--traces", "FILE", FSATTN_OPTION_TEXT, &traces, 0, 0, "one line for each run (default: none)"},
    };
    const fsattn_command command = {.name = "bench_search",
                                    .synopsis = "FILE... [options]",
                                    .summary = "Judges strategies on measured spaces.",
                                    .options = rows,
                                    .option_count = sizeof rows / sizeof rows[0]};
    size_t count;
    FSATTN_TRY(fsattn_cli_parse(&command, argc, argv, paths, file_limit, &count, &help, err));
    if (help) {
        fsattn_cli_help(stdout, &command);
        return FSATTN_OK;
    }
    for (; b.land_count < count; b.land_count++) {
        landscape *land = &b.lands[b.land_count];
        FSATTN_TRY(open_landscape(paths[b.land_count], land, err));
        if (b.prior) {
            FSATTN_TRY(fsattn_prior_open(b.prior, &land->space->manifest->parameters, &land->prior, err));
        }
    }
    FSATTN_TRY(plan_runs(&b, strategies, err));
    pthread_t threads[256];
    for (int64_t i = 0; i < b.threads; i++) {
        if (pthread_create(&threads[i], NULL, work, &b)) {
            return fsattn_fail(err, FSATTN_INTERNAL, "cannot start a thread");
        }
    }
    for (int64_t i = 0; i < b.threads; i++) {
        pthread_join(threads[i], NULL);
    }
    FSATTN_TRY(print_all(&b, err));
    return traces ? write_traces(&b, traces, err) : FSATTN_OK;
}

int main(int argc, char **argv) {
    fsattn_err err = {0};
    fsattn_status status = bench_main(argc, argv, &err);
    return status == FSATTN_OK ? 0 : fsattn_cli_report("bench_search", &err);
}
