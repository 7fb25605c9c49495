/* fsattn-tune: searches kernel configurations for the problems of a space and publishes the winners. */
#include "error.h"
#include "explain.h"
#include "file.h"
#include "memory.h"
#include "miss_log.h"
#include "output.h"
#include "replay_space.h"
#include "report.h"
#include "tune_compile.h"
#include "tune_device.h"
#include "tune_options.h"
#include "tune_show.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char program[] = "fsattn-tune";

/* The one thing that a signal handler may touch. */
static volatile sig_atomic_t stop_wanted;

static void on_signal(int signal_number) {
    stop_wanted = signal_number;
}

/* The first Ctrl-C ends the run cleanly, a second one at once. A closed terminal, which may be told more than once, ends it too,
 * unless nohup has said that it does not matter. A write that nobody reads or that a limit refuses fails as others do. */
static void catch_signals(void) {
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND}, before;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    action.sa_flags = 0;
    if (sigaction(SIGHUP, NULL, &before) == 0 && before.sa_handler != SIG_IGN) {
        sigaction(SIGHUP, &action, NULL);
    }
    action.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &action, NULL);
    sigaction(SIGXFSZ, &action, NULL);
}

/* Sink behind that of the events: when these cannot be written, what is still measured would be for nobody. */
static void stop_unheard(void *stream, const fsattn_notice *notice) {
    (void)notice;
    if (ferror((FILE *)stream) && !stop_wanted) {
        stop_wanted = SIGPIPE;
    }
}

/* Everything that a run holds. */
typedef struct tune {
    fsattn_tune_options options;
    fsattn_space *space;
    size_t *problems, problem_count;
    const fsattn_strategy_ops *strategy;
    fsattn_strategy_settings settings;
    fsattn_prior **priors;
    size_t prior_count;
    char *store_path, *cache_path, *command;
    char *scratch; /* folder of a replay's store, which is not kept */
    fsattn_store *store;
    fsattn_evaluator *evaluator;
    fsattn_events events;
    fsattn_progress progress;
    fsattn_search_summary summary;
} tune;

static void warn(void *data, const fsattn_err *err) {
    fsattn_notice notice = {.kind = FSATTN_NOTICE_WARNING, .warning = {err->message, err->hint}};
    fsattn_events_emit(&((tune *)data)->events, &notice);
}

static fsattn_status make_folder_of(const char *path, fsattn_err *err) {
    const char *slash = strrchr(path, '/');
    char *folder = slash && slash != path ? fsattn_strndup(path, (size_t)(slash - path)) : NULL;
    if (!folder) {
        return FSATTN_OK;
    }
    fsattn_status status = fsattn_folder_make(folder, err);
    fsattn_free(folder);
    return status;
}

static fsattn_status path_or_default(const char *given, const char *name, char **path, fsattn_err *err) {
    if (!given) {
        fsattn_status status = fsattn_store_default_path(name, path, err);
        if (status == FSATTN_NOT_FOUND) {
            fsattn_hint(err, "set HOME or XDG_DATA_HOME to an absolute path, or name both files: --store FILE.db --cache FILE.fsc");
        }
        return status;
    }
    if (!*given) {
        fsattn_fail(err, FSATTN_USAGE, "the name of the file for %s is empty", name);
        fsattn_hint(err, "leave the option out for the default in the user's data folder");
        return FSATTN_USAGE;
    }
    *path = fsattn_strdup(given);
    return *path ? FSATTN_OK : fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
}

/* What will be published over: nothing, or an older cache file. Anything else that bears the name is somebody's. */
static fsattn_status check_cache_path(const tune *t, fsattn_err *err) {
    const fsattn_output_own own[] = {
        {t->store_path, "the store", true}, {t->space->path, "the space", false}, {t->options.from_misses, "the log of misses", false}};
    const fsattn_output cache = {t->cache_path, "--cache", &fsattn_fsc_output_kind, own, sizeof own / sizeof own[0]};
    return fsattn_output_check(&cache, err);
}

/* Before hours are spent: what they find can be published there. */
static fsattn_status check_cache_room(const tune *t, fsattn_err *err) {
    fsattn_status status = make_folder_of(t->cache_path, err);
    status = status == FSATTN_OK ? fsattn_file_publishable(t->cache_path, err) : status;
    if (status != FSATTN_OK) {
        fsattn_context_add(err, status, "--cache: winners cannot be published");
        fsattn_hint(err, "name a file in a folder that can be written, on a disk with room: --cache FILE");
    }
    return status;
}

static fsattn_status command_text(int argc, char **argv, char **command, fsattn_err *err) {
    fsattn_text text = {0};
    for (int i = 0; i < argc; i++) {
        fsattn_text_printf(&text, "%s%s", i ? " " : "", argv[i]);
    }
    *command = fsattn_text_take(&text);
    return *command ? FSATTN_OK : fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
}

/* ---- showing ---- */

static bool shows_only(const fsattn_tune_options *options) {
    return options->list || options->dry_run || options->render || options->inspect;
}

static fsattn_status show(tune *t, fsattn_err *err) {
    const fsattn_tune_options *options = &t->options;
    if (options->list) {
        fsattn_tune_show_list(stdout, t->space, t->problems, t->problem_count);
        return FSATTN_OK;
    }
    if (options->inspect) {
        return fsattn_tune_compile_one(stdout, t->space, &t->space->problems[t->problems[0]].problem, options->inspect, err);
    }
    char isa[128];
    fsattn_tune_device device = {.space = t->space, .name = options->device, .templates = options->templates};
    FSATTN_TRY(fsattn_tune_device_isa(&device, isa, err));
    fsattn_err large;
    if (options->dry_run && fsattn_tune_device_fits(&device, t->problems, t->problem_count, &large) == FSATTN_NO_MEMORY) {
        fprintf(stderr, "%s: warning: %s; %s\n", program, large.message, large.hint);
    }
    if (options->render) {
        const fsattn_problem *problem = &t->space->problems[t->problems[0]].problem;
        return fsattn_tune_show_source(stdout, t->space, isa, problem, options->render, err);
    }
    return fsattn_tune_show_size(stdout, t->space, isa, t->problems, t->problem_count, options->json, err);
}

/* ---- explaining ---- */

static fsattn_status explain(tune *t, fsattn_err *err) {
    char isa[128];
    const bool from_file = t->space->replay && !t->options.store;
    const fsattn_tune_device device = {.space = t->space, .name = t->options.device, .templates = t->options.templates};
    const fsattn_store_options store = {.read_only = true, .warn = warn, .warn_data = t};
    FSATTN_TRY(fsattn_tune_device_isa(&device, isa, err));
    if (!from_file) {
        FSATTN_TRY(path_or_default(t->options.store, "tune.db", &t->store_path, err));
        FSATTN_TRY(fsattn_store_open(t->store_path, &store, &t->store, err));
    }
    const fsattn_explain_options wanted = {
        .space = t->space, .store = t->store, .isa = isa, .problems = t->problems, .problem_count = t->problem_count};
    return fsattn_explain_print(stdout, &wanted, err);
}

/* ---- compiling only ---- */

static fsattn_status compile_only(tune *t, fsattn_err *err) {
    FSATTN_TRY(path_or_default(t->options.store, "tune.db", &t->store_path, err));
    const fsattn_store_options store = {.warn = warn, .warn_data = t};
    FSATTN_TRY(fsattn_store_open(t->store_path, &store, &t->store, err));
    const fsattn_sweep_options wanted = {.sample = (uint64_t)t->options.sample,
                                         .seed = t->options.seed >= 0 ? (uint64_t)t->options.seed : 1,
                                         .problems = t->problems,
                                         .problem_count = t->problem_count,
                                         .store = t->store,
                                         .stop = &stop_wanted};
    return fsattn_tune_compile_all(stdout, stderr, t->space, &wanted, (int)t->options.jobs, err);
}

/* ---- searching ---- */

/* A replay costs nothing to repeat, and does not belong into the user's store. */
static fsattn_status scratch_store(tune *t, fsattn_err *err) {
    const char *parent = getenv("TMPDIR");
    fsattn_text text = {0};
    fsattn_text_printf(&text, "%s/fsattn-replay-XXXXXX", parent && *parent ? parent : "/tmp");
    char *folder = fsattn_text_take(&text);
    if (!folder || !mkdtemp(folder)) {
        fsattn_status status = fsattn_fail_errno(err, errno, "%s", folder ? folder : "temporary folder");
        fsattn_free(folder);
        return status;
    }
    t->scratch = folder;
    fsattn_text_printf(&text, "%s/tune.db", folder);
    t->store_path = fsattn_text_take(&text);
    return t->store_path ? FSATTN_OK : fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
}

static fsattn_status open_paths(tune *t, fsattn_err *err) {
    const fsattn_tune_options *options = &t->options;
    if (t->space->replay && !options->store) {
        return scratch_store(t, err);
    }
    FSATTN_TRY(path_or_default(options->store, "tune.db", &t->store_path, err));
    if (t->space->replay) {
        return FSATTN_OK;
    }
    FSATTN_TRY(path_or_default(options->cache, "fsattn.fsc", &t->cache_path, err));
    FSATTN_TRY(check_cache_path(t, err));
    return check_cache_room(t, err);
}

static double seconds_of(const tune *t) {
    return t->options.budget_s > 0 ? t->options.budget_s : t->space->budget.seconds;
}

static fsattn_status open_run(tune *t, int argc, char **argv, fsattn_err *err) {
    const fsattn_tune_options *options = &t->options;
    FSATTN_TRY(command_text(argc, argv, &t->command, err));
    FSATTN_TRY(open_paths(t, err));
    t->progress = (fsattn_progress){.stream = stderr, .bar = isatty(STDERR_FILENO) != 0};
    fsattn_events_add(&t->events, fsattn_events_progress, &t->progress);
    if (options->json) {
        fsattn_events_add(&t->events, fsattn_events_json, stdout);
        fsattn_events_add(&t->events, stop_unheard, stdout);
    }
    fsattn_tune_device device = {.space = t->space,
                                 .name = options->device,
                                 .templates = options->templates,
                                 .jobs = (int)options->jobs,
                                 .seconds = seconds_of(t),
                                 .stop = &stop_wanted,
                                 .warn = warn,
                                 .warn_data = t};
    FSATTN_TRY(fsattn_tune_device_fits(&device, t->problems, t->problem_count, err));
    fsattn_store_options store_options = {.warn = warn, .warn_data = t};
    FSATTN_TRY(fsattn_store_open(t->store_path, &store_options, &t->store, err));
    device.store = t->store;
    return fsattn_tune_device_open(&device, &t->evaluator, err);
}

static fsattn_status search(tune *t, fsattn_err *err) {
    const fsattn_tune_options *options = &t->options;
    const fsattn_space_budget *budget = &t->space->budget;
    fsattn_search_options search_options = {
        .space = t->space,
        .evaluator = t->evaluator,
        .store = t->store,
        .store_path = t->store_path,
        .store_passing = t->scratch != NULL,
        .command = t->command,
        .problems = t->problems,
        .problem_count = t->problem_count,
        .strategy = t->strategy,
        .settings = t->settings,
        .priors = (const fsattn_prior *const *)t->priors,
        .prior_count = t->prior_count,
        .seconds = seconds_of(t),
        .evaluations = options->evaluations ? options->evaluations : budget->evaluations,
        .sample = options->sample ? (uint64_t)options->sample : UINT64_MAX,
        .jobs = (int)options->jobs,
        .events = &t->events,
        .stop = &stop_wanted,
    };
    return fsattn_search_run(&search_options, &t->summary, err);
}

static void emit(const tune *t, fsattn_notice *notice) {
    notice->elapsed_s = t->summary.seconds;
    fsattn_events_emit(&t->events, notice);
}

static fsattn_status publish(tune *t, fsattn_err *err) {
    fsattn_fsc_writer *writer;
    if (t->space->replay) {
        return FSATTN_OK;
    }
    FSATTN_TRY(fsattn_fsc_writer_create(&writer, err));
    size_t winners = 0;
    fsattn_status status = FSATTN_OK;
    FSATTN_GOTO(fsattn_store_export(t->store, NULL, writer, &winners, err));
    if (fsattn_fsc_writer_count(writer) == 0) {
        if (fsattn_file_exists(t->cache_path)) {
            fsattn_err left = {0};
            fsattn_fail(&left, FSATTN_NOT_FOUND, "nothing to publish: %s is left as it was", t->cache_path);
            warn(t, &left);
        }
        goto out;
    }
    status = check_cache_path(t, err); /* again: hours have passed */
    status = status == FSATTN_OK ? make_folder_of(t->cache_path, err) : status;
    status = status == FSATTN_OK ? fsattn_fsc_writer_publish(writer, NULL, t->cache_path, err) : status;
    if (status != FSATTN_OK) {
        fsattn_context_add(err, status, "the winners are not published");
        fsattn_hint(err, "all results are in the store; publish them from there: fsattn-cache export FILE.fsc --store %s",
                    t->store_path);
        goto out;
    }
    fsattn_notice notice = {.kind = FSATTN_NOTICE_PUBLISHED,
                            .published = {t->cache_path, fsattn_fsc_writer_count(writer), winners}};
    emit(t, &notice);
out:
    fsattn_fsc_writer_destroy(writer);
    return status;
}

/* A run that leaves a problem without a winner has not done what it was asked for. */
static fsattn_status check_winners(const tune *t, fsattn_err *err) {
    const fsattn_search_result *first = NULL;
    size_t more = 0;
    for (size_t i = 0; i < t->summary.result_count; i++) {
        const fsattn_search_result *result = &t->summary.results[i];
        if (result->why.code != FSATTN_OK) {
            more += first != NULL;
            first = first ? first : result;
        }
    }
    if (!first) {
        return FSATTN_OK;
    }
    char others[64] = "";
    if (more) {
        snprintf(others, sizeof others, " (and so for %zu more problem%s)", more, more == 1 ? "" : "s");
    }
    fsattn_fail(err, first->why.code, "%s: no winner: %s%s", first->name, first->why.message, others);
    fsattn_hint(err, "%s", first->why.hint);
    return first->why.code;
}

/* Searches, publishes also what an error left, and says how it ended. */
static fsattn_status run(tune *t, fsattn_err *err) {
    fsattn_status status = search(t, err);
    fsattn_err detail = {0};
    fsattn_status published = publish(t, &detail);
    if (published != FSATTN_OK && status == FSATTN_OK) {
        status = published;
        *err = detail;
    }
    if (status == FSATTN_OK && t->options.json && fsattn_cli_flush(err) != FSATTN_OK) {
        status = FSATTN_IO;
        fsattn_hint(err, "the run ended there; everything finished is stored in %s: run the same command again to go on", t->store_path);
    }
    t->summary.end = status == FSATTN_OK ? t->summary.end : FSATTN_SEARCH_ERROR;
    fsattn_notice notice = {.kind = FSATTN_NOTICE_DONE,
                            .done = {&t->summary.totals, fsattn_search_end_text(t->summary.end)}};
    if (!t->options.json) {
        fsattn_report_print(stdout, &t->summary);
    }
    emit(t, &notice);
    if (status == FSATTN_OK && t->summary.end == FSATTN_SEARCH_INTERRUPTED) {
        fsattn_fail(err, FSATTN_INTERRUPTED, t->scratch ? "interrupted; nothing is kept" : "interrupted; everything finished is stored in %s",
                    t->store_path);
        fsattn_hint(err, t->scratch ? "name a store to be able to go on: --store FILE.db" : "run the same command again to go on");
        return FSATTN_INTERRUPTED;
    }
    return status == FSATTN_OK ? check_winners(t, err) : status;
}

static void close_all(tune *t) {
    fsattn_search_summary_fini(&t->summary);
    if (t->evaluator) {
        t->evaluator->ops->close(t->evaluator);
    }
    fsattn_store_close(t->store);
    if (t->scratch) {
        fsattn_folder_remove(t->scratch, NULL);
    }
    fsattn_free(t->scratch);
    fsattn_free(t->command);
    fsattn_free(t->store_path);
    fsattn_free(t->cache_path);
    fsattn_free(t->problems);
    for (size_t i = 0; i < t->prior_count; i++) {
        fsattn_prior_close(t->priors[i]);
    }
    fsattn_free(t->priors);
    fsattn_space_destroy(t->space);
}

static fsattn_status take_misses(tune *t, fsattn_err *err) {
    char isa[128];
    size_t skipped = 0;
    const fsattn_tune_device device = {.space = t->space, .name = t->options.device, .templates = t->options.templates};
    FSATTN_TRY(fsattn_tune_device_isa(&device, isa, err));
    FSATTN_TRY(fsattn_miss_log_apply(t->options.from_misses, isa, t->space, &skipped, err));
    if (skipped) {
        fprintf(stderr, "%s: %zu problems of %s are left out: %s does not serve them\n", program, skipped,
                t->options.from_misses, t->space->manifest->name);
    }
    return FSATTN_OK;
}

static fsattn_status open_space(tune *t, fsattn_err *err) {
    const char *replay = fsattn_tune_options_replay(&t->options);
    if (replay) {
        return fsattn_replay_space_open(replay, &t->space, err);
    }
    FSATTN_TRY(fsattn_space_load(t->options.space, t->options.templates, &t->space, err));
    return t->options.from_misses ? take_misses(t, err) : FSATTN_OK;
}

static fsattn_status open_priors(tune *t, fsattn_err *err) {
    const fsattn_option_list *paths = &t->options.priors;
    t->priors = fsattn_alloc(paths->count, sizeof(fsattn_prior *));
    if (!t->priors) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < paths->count; i++) {
        FSATTN_TRY(fsattn_prior_open(paths->values[i], &t->space->manifest->parameters, &t->priors[t->prior_count], err));
        t->prior_count++;
    }
    return FSATTN_OK;
}

static fsattn_status tune_main(tune *t, int argc, char **argv, fsattn_err *err) {
    FSATTN_TRY(fsattn_tune_options_read(argc, argv, &t->options, err));
    if (t->options.help) {
        return FSATTN_OK;
    }
    if (t->options.jobs == 0) {
        t->options.jobs = sysconf(_SC_NPROCESSORS_ONLN) < 1 ? 1 : sysconf(_SC_NPROCESSORS_ONLN);
    }
    FSATTN_TRY(open_space(t, err));
    FSATTN_TRY(fsattn_tune_options_problems(&t->options, t->space, &t->problems, &t->problem_count, err));
    FSATTN_TRY(fsattn_tune_options_strategy(&t->options, t->space, &t->strategy, &t->settings, err));
    FSATTN_TRY(open_priors(t, err));
    if (shows_only(&t->options)) {
        return show(t, err);
    }
    if (t->options.explain) {
        return explain(t, err);
    }
    catch_signals();
    if (t->options.compile_only) {
        return compile_only(t, err);
    }
    FSATTN_TRY(open_run(t, argc, argv, err));
    return run(t, err);
}

int main(int argc, char **argv) {
    tune t = {0};
    fsattn_err err = {0};
    fsattn_cli_begin();
    fsattn_status status = tune_main(&t, argc, argv, &err);
    close_all(&t);
    return fsattn_cli_end(program, status, &err);
}
