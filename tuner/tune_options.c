#include "tune_options.h"

#include "error.h"
#include "memory.h"

#include <math.h>
#include <string.h>

/* "--render" and "--inspect" may stand alone: a value is "default" or has a '=', anything else is the next argument. */
static bool stands_alone(int argc, char **argv, int i, const char *option) {
    return !strcmp(argv[i], option) &&
           (i + 1 == argc || (strcmp(argv[i + 1], "default") != 0 && !strchr(argv[i + 1], '=')));
}

const char *fsattn_tune_options_replay(const fsattn_tune_options *options) {
    static const char prefix[] = "replay:";
    bool replays = options->device && !strncmp(options->device, prefix, sizeof prefix - 1);
    return replays && options->device[sizeof prefix - 1] ? options->device + sizeof prefix - 1 : NULL;
}

/* A replay has its own space and publishes nothing: its kernels exist nowhere. */
static fsattn_status check_replay(const fsattn_tune_options *options, size_t spaces, fsattn_err *err) {
    const char *given = spaces ? options->space : options->cache ? "--cache" : options->render ? "--render"
                        : options->from_misses ? "--from-misses" : NULL;
    if (given && !options->help) {
        fsattn_fail(err, FSATTN_USAGE, "%s: a replay takes its space from the data and publishes nothing", given);
        fsattn_hint(err, "usage: fsattn-tune --device %s [options], without it", options->device);
        return FSATTN_USAGE;
    }
    return FSATTN_OK;
}

/* What only shows something shows one thing; what has no JSON form says so. */
static fsattn_status check_shows(const fsattn_tune_options *options, fsattn_err *err) {
    const struct {
        const char *name;
        bool given, json;
    } rows[] = {{"--list", options->list, false},
                {"--dry-run", options->dry_run, true},
                {"--explain", options->explain, false},
                {"--render", options->render != NULL, false},
                {"--inspect", options->inspect != NULL, false},
                {"--compile-only", options->compile_only, true}};
    const char *first = NULL;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].given && first) {
            fsattn_fail(err, FSATTN_USAGE, "%s and %s: each does something of its own", first, rows[i].name);
            fsattn_hint(err, "leave out one of them");
            return FSATTN_USAGE;
        }
        if (rows[i].given && options->json && !rows[i].json) {
            fsattn_fail(err, FSATTN_USAGE, "--json: %s has no JSON form", rows[i].name);
            fsattn_hint(err, "leave out --json");
            return FSATTN_USAGE;
        }
        first = rows[i].given ? rows[i].name : first;
    }
    return FSATTN_OK;
}

static fsattn_status parse(const fsattn_command *command, int argc, char **argv, fsattn_tune_options *options,
                           fsattn_err *err) {
    static char render_default[] = "--render=default", inspect_default[] = "--inspect=default";
    char **words = fsattn_alloc((size_t)argc + 1, sizeof *words);
    if (!words) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    }
    for (int i = 0; i < argc; i++) {
        words[i] = stands_alone(argc, argv, i, "--render")    ? render_default
                   : stands_alone(argc, argv, i, "--inspect") ? inspect_default
                                                              : argv[i];
    }
    size_t count = 0;
    fsattn_status status =
        fsattn_cli_parse(command, argc, words, &options->space, 1, &count, &options->help, err);
    fsattn_free(words);
    if (status == FSATTN_OK && !options->help) {
        status = check_shows(options, err);
    }
    if (status == FSATTN_OK && ((options->templates && !*options->templates) || (count > 0 && !*options->space))) {
        fsattn_fail(err, FSATTN_USAGE, "%s is empty", count > 0 && !*options->space ? "the name of the space" : "--templates: the name of the folder");
        fsattn_hint(err, "usage: %s %s", command->name, command->synopsis);
        return FSATTN_USAGE;
    }
    if (status == FSATTN_OK && fsattn_tune_options_replay(options)) {
        return check_replay(options, count, err);
    }
    if (status == FSATTN_OK && !options->help && count == 0) {
        fsattn_fail(err, FSATTN_USAGE, "no search space given");
        fsattn_hint(err, "usage: %s %s", command->name, command->synopsis);
        return FSATTN_USAGE;
    }
    return status;
}

/* The strategies and their options, for --help. */
static void describe_strategies(fsattn_text *text) {
    fsattn_text_puts(text, "strategies (the space's `strategy` or --strategy), and their options:\n");
    for (const fsattn_strategy_ops *const *at = fsattn_strategy_all(); *at; at++) {
        fsattn_text_printf(text, "  %-26s %s\n", (*at)->name, (*at)->help);
        for (size_t i = 0; i < (*at)->option_count; i++) {
            const fsattn_strategy_option *option = &(*at)->options[i];
            fsattn_text_printf(text, "    %-24s %s (default: ", option->name, option->help);
            fsattn_value_text(&option->fallback, text);
            fsattn_text_puts(text, ")\n");
        }
    }
    fsattn_text_puts(
        text,
        "\ndevices (the space's `device` or --device):\n"
        "  host                       this processor: candidates are compiled, verified and timed\n"
        "  hip                        an AMD GPU through ROCm's libamdhip64: as on the host\n"
        "  sim                        the gfx950 simulator: candidates are executed and verified, costs are modelled\n"
        "  scripted:FILE              costs, drift, faults and a clock from a JSON file; nothing is run\n"
        "  replay:FILE                a measured space, without SPACE.yaml: a Kernel Tuner cache or T4 results, .json or .json.gz\n"
        "\nWhat is finished is kept in the store: an interrupted or repeated run goes on where it ended.\n"
        "Exit status: 0 every problem has a winner (also when the budget ended the search);\n"
        "  2 wrong command line, a mistake in the space, or constraints that leave nothing;\n"
        "  3 a file that is not there, or a problem without a winner;\n"
        "  4 no memory, or something cannot be written (also standard output); 5 a damaged or untrusted file;\n"
        "  6 busy; 7 the device or the compiler failed; 8 results differ; 70 a defect of fsattn; 130 interrupted.");
}

fsattn_status fsattn_tune_options_read(int argc, char **argv, fsattn_tune_options *options, fsattn_err *err) {
    *options = (fsattn_tune_options){.seed = -1};
    const fsattn_option rows[] = {
        {"--problem", "NAME", FSATTN_OPTION_LIST, &options->problems, 0, 0,
         "only this problem or set of the space, repeatable (default: all)"},
        {"--set", "NAME", FSATTN_OPTION_LIST, &options->sets, 0, 0, "as --problem"},
        {"--from-misses", "LOG", FSATTN_OPTION_TEXT, &options->from_misses, 0, 0,
         "the problems that an application logged (options.miss_log of libfsattn) in place of the space's"},
        {"--list", NULL, FSATTN_OPTION_FLAG, &options->list, 0, 0, "list the problems and sets, and exit"},
        {"--dry-run", NULL, FSATTN_OPTION_FLAG, &options->dry_run, 0, 0,
         "size of the space and what its constraints reject, and exit"},
        {"--render", "[CONFIG]", FSATTN_OPTION_TEXT, &options->render, 0, 0,
         "print the source of a configuration, \"name=value ...\" (default: the default one), and exit"},
        {"--inspect", "[CONFIG]", FSATTN_OPTION_TEXT, &options->inspect, 0, 0,
         "GPU: compile a configuration and print registers, LDS, main loop and roofline, and exit"},
        {"--explain", NULL, FSATTN_OPTION_FLAG, &options->explain, 0, 0,
         "show what the results in the store say: what mattered, what was cut, the best; measures nothing"},
        {"--compile-only", NULL, FSATTN_OPTION_FLAG, &options->compile_only, 0, 0,
         "GPU: compile every configuration (or a --sample) into the store; needs no device, ranks nothing"},
        {"--device", "DEVICE", FSATTN_OPTION_TEXT, &options->device, 0, 0, "device (default: the space's)"},
        {"--store", "FILE", FSATTN_OPTION_TEXT, &options->store, 0, 0,
         "results are kept here, in a folder that is made (default: fsattn/tune.db in the user's data folder)"},
        {"--cache", "FILE", FSATTN_OPTION_TEXT, &options->cache, 0, 0,
         "winners are published here (default: fsattn/fsattn.fsc in the user's data folder)"},
        {"--budget", "SECONDS", FSATTN_OPTION_REAL, &options->budget_s, 0.001, 1e9,
         "stop after so long, shared by the problems (default: the space's, 600)"},
        {"--evaluations", "N", FSATTN_OPTION_INT, &options->evaluations, 1, 1e15,
         "stop after so many candidates, resumed ones included (default: the space's, no limit)"},
        {"--strategy", "NAME", FSATTN_OPTION_TEXT, &options->strategy, 0, 0,
         "order of the search (default: the space's, auto)"},
        {"--strategy-option", "NAME=VALUE", FSATTN_OPTION_LIST, &options->strategy_options, 0, 0,
         "option of the strategy, repeatable (default: the space's)"},
        {"--prior", "FILE", FSATTN_OPTION_LIST, &options->priors, 0, 0,
         "results for the same template (T4, as fsattn-cache t4 writes them, or a Kernel Tuner cache): a hint where to begin, repeatable; "
         "each problem takes the file for the problem most like it (default: none)"},
        {"--seed", "N", FSATTN_OPTION_INT, &options->seed, 0, 9e15,
         "of the strategy (default: the space's, 1)"},
        {"--sample", "N", FSATTN_OPTION_INT, &options->sample, 1, 1e15,
         "N random configurations of each problem: the random strategy, ended after N (default: no)"},
        {"--jobs", "N", FSATTN_OPTION_INT, &options->jobs, 1, 64,
         "compilations at a time (default: the cores usable by the process)"},
        {"--templates", "FOLDER", FSATTN_OPTION_TEXT, &options->templates, 0, 0,
         "kernel templates (default: ../templates seen from the space)"},
        {"--json", NULL, FSATTN_OPTION_FLAG, &options->json, 0, 0,
         "events to stdout, one JSON object a line, instead of the table (default: no)"},
    };
    fsattn_text details = {0};
    describe_strategies(&details);
    fsattn_command command = {
        .name = "fsattn-tune",
        .synopsis = "SPACE.yaml [options]",
        .summary =
            "Searches kernel configurations for the problems of a space, proves each one right, measures "
            "it and publishes the winners.",
        .options = rows,
        .option_count = sizeof rows / sizeof rows[0],
        .details = details.data};
    fsattn_status status = parse(&command, argc, argv, options, err);
    if (status == FSATTN_OK && options->help) {
        fsattn_cli_help(stdout, &command);
    }
    fsattn_text_fini(&details);
    return status;
}

/* ---- strategy ---- */

/* Moves the detail of a failure to its place in the space, hint kept. */
static fsattn_status at_place(const fsattn_space *space, fsattn_place place, const fsattn_err *detail,
                              fsattn_err *err) {
    fsattn_space_fail(space, place, err, "%s", detail->message);
    fsattn_hint(err, "%s", detail->hint);
    return FSATTN_PARSE;
}

static fsattn_status space_settings(const fsattn_space *space, const fsattn_strategy_ops *strategy,
                                    fsattn_strategy_settings *settings, fsattn_err *err) {
    for (size_t i = 0; i < space->strategy.option_count; i++) {
        const fsattn_space_option *option = &space->strategy.options[i];
        fsattn_err detail = {0};
        fsattn_status status =
            fsattn_strategy_settings_set(strategy, option->name, option->value, settings, &detail);
        if (status != FSATTN_OK) {
            return at_place(space, status == FSATTN_NOT_FOUND ? option->name_place : option->place, &detail,
                            err);
        }
    }
    return FSATTN_OK;
}

static fsattn_status command_settings(const fsattn_tune_options *options, const fsattn_strategy_ops *strategy,
                                      fsattn_strategy_settings *settings, fsattn_err *err) {
    for (size_t i = 0; i < options->strategy_options.count; i++) {
        const char *text = options->strategy_options.values[i], *equals = strchr(text, '=');
        if (!equals) {
            return fsattn_fail(err, FSATTN_USAGE, "--strategy-option: expected NAME=VALUE, got '%s'", text);
        }
        char *name = fsattn_strndup(text, (size_t)(equals - text));
        if (!name) {
            return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
        }
        fsattn_status status = fsattn_strategy_settings_set(strategy, name, equals + 1, settings, err);
        fsattn_free(name);
        if (status != FSATTN_OK) {
            /* A name that is not there was misspelt. */
            return fsattn_context_add(err, status == FSATTN_NOT_FOUND ? FSATTN_USAGE : status, "--strategy-option");
        }
    }
    return FSATTN_OK;
}

fsattn_status fsattn_tune_options_strategy(const fsattn_tune_options *options, const fsattn_space *space,
                                           const fsattn_strategy_ops **strategy,
                                           fsattn_strategy_settings *settings, fsattn_err *err) {
    const char *name = options->strategy ? options->strategy
                       : options->sample ? "random"
                                         : space->strategy.name;
    if (options->sample && strcmp(name, "random") != 0) {
        return fsattn_fail(err, FSATTN_USAGE, "--sample: a sample is random, not '%s': leave --strategy out",
                           name);
    }
    fsattn_err detail = {0};
    bool from_space = name == space->strategy.name;
    fsattn_status status = fsattn_strategy_find(name, strategy, &detail);
    if (status != FSATTN_OK && from_space && space->strategy.place.line) {
        return at_place(space, space->strategy.place, &detail, err);
    }
    if (status != FSATTN_OK) {
        fsattn_fail(err, FSATTN_USAGE, "--strategy: %s", detail.message);
        fsattn_hint(err, "%s", detail.hint);
        return FSATTN_USAGE;
    }
    if (options->priors.count && !(*strategy)->takes_prior) {
        fsattn_fail(err, FSATTN_USAGE, "--prior: strategy %s makes no use of one", name);
        fsattn_hint(err, "auto and surrogate do");
        return FSATTN_USAGE;
    }
    fsattn_strategy_settings_default(*strategy, settings);
    if (!strcmp(name, space->strategy.name)) {
        FSATTN_TRY(space_settings(space, *strategy, settings, err));
    }
    settings->seed = options->seed >= 0 ? (uint64_t)options->seed : space->strategy.seed;
    return command_settings(options, *strategy, settings, err);
}

/* ---- problems ---- */

static fsattn_status mark(const fsattn_space *space, const fsattn_option_list *names, const char *option,
                          bool *chosen, fsattn_err *err) {
    for (size_t i = 0; i < names->count; i++) {
        const size_t *problems;
        size_t count;
        fsattn_status status = fsattn_space_select(space, names->values[i], &problems, &count, err);
        if (status != FSATTN_OK) {
            return fsattn_context_add(err, status == FSATTN_NOT_FOUND ? FSATTN_USAGE : status, "%s", option);
        }
        for (size_t j = 0; j < count; j++) {
            chosen[problems[j]] = true;
        }
    }
    return FSATTN_OK;
}

fsattn_status fsattn_tune_options_problems(const fsattn_tune_options *options, const fsattn_space *space,
                                           size_t **problems, size_t *count, fsattn_err *err) {
    bool *chosen = fsattn_alloc(space->problem_count, sizeof *chosen);
    size_t *list = fsattn_alloc(space->problem_count, sizeof *list), used = 0;
    fsattn_status status = FSATTN_OK;
    if (!chosen || !list) {
        FSATTN_GOTO(fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory"));
    }
    FSATTN_GOTO(mark(space, &options->problems, "--problem", chosen, err));
    FSATTN_GOTO(mark(space, &options->sets, "--set", chosen, err));
    bool all = options->problems.count + options->sets.count == 0;
    for (size_t i = 0; i < space->problem_count; i++) {
        if (all || chosen[i]) {
            list[used++] = i;
        }
    }
    *problems = list;
    *count = used;
    list = NULL;
out:
    fsattn_free(chosen);
    fsattn_free(list);
    return status;
}
