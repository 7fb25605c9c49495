/* Result files of other tools as a device: what is read, the space that it makes, the valid set, and mistakes. */
#include "enumerate.h"
#include "replay_evaluator.h"
#include "replay_space.h"

#include "../support/space_folder.h"

#include <math.h>
#include <unistd.h>

static const char data_folder[] = FSATTN_SOURCE_DIR "/tests/data/replay";

static fsattn_replay_file *open_file(const char *name) {
    char path[512];
    fsattn_err err;
    fsattn_replay_file *file;
    snprintf(path, sizeof path, "%s/%s", data_folder, name);
    cr_assert_eq(fsattn_replay_file_open(path, &file, &err), FSATTN_OK, "%s", err.message);
    return file;
}

static const fsattn_replay_entry *entry_of(const fsattn_replay_file *file, const char *text) {
    fsattn_config config;
    fsattn_err err;
    cr_assert_eq(fsattn_config_parse(&file->parameters, text, &config, &err), FSATTN_OK, "%s: %s", text, err.message);
    return fsattn_replay_file_find(file, &config);
}

static size_t count_of(const fsattn_replay_file *file, fsattn_verdict verdict) {
    size_t count = 0;
    for (size_t i = 0; i < file->count; i++) {
        count += file->entries[i].verdict == verdict;
        cr_assert_eq(isfinite(file->entries[i].cost_ns), file->entries[i].verdict == FSATTN_VERDICT_OK);
    }
    return count;
}

/* ---- files ---- */

static void check_convolution(const char *name) {
    fsattn_replay_file *file = open_file(name);
    cr_assert_eq(file->count, 37);
    cr_assert_eq(file->parameters.count, 10);
    cr_assert_str_eq(file->device, "NVIDIA A100-PCIE-40GB");
    cr_assert_str_eq(file->kernel, "convolution_kernel");
    cr_assert_str_eq(file->size, "4096 x 4096");
    cr_assert_eq(count_of(file, FSATTN_VERDICT_OK), 31);
    cr_assert_eq(count_of(file, FSATTN_VERDICT_LAUNCH_FAILED), 3);
    cr_assert_eq(count_of(file, FSATTN_VERDICT_BUILD_FAILED), 3);
    cr_assert_not(file->unclosed);
    const fsattn_replay_entry *best =
        entry_of(file, "block_size_x=32 block_size_y=4 tile_size_x=1 tile_size_y=3 read_only=1 use_padding=0 use_shmem=1");
    cr_assert_eq(best, &file->entries[file->best]);
    cr_assert_eq(best->time_count, 8);
    double sorted[7];
    memcpy(sorted, best->times_ns + 1, sizeof sorted);
    size_t below = 0;
    for (size_t i = 0; i < 7; i++) {
        below += sorted[i] < best->cost_ns;
    }
    cr_assert_leq(below, 3, "the median of the times without the first");
    cr_assert_float_eq(best->cost_ns, 0.55e6, 0.01e6);
    cr_assert_float_eq(best->compile_s, 1.277, 0.001);
    fsattn_replay_file_close(file);
}

Test(replay, a_cache_of_kernel_tuner_is_read) {
    check_convolution("convolution.json");
}

Test(replay, a_gzipped_file_reads_as_the_plain_one) {
    check_convolution("convolution.json.gz");
}

Test(replay, t4_results_are_read_with_their_types_and_verdicts) {
    fsattn_replay_file *file = open_file("results.t4.json");
    cr_assert_eq(file->count, 6);
    const fsattn_replay_entry *entry = entry_of(file, "vector=float4 block=64 share=0.5 pad=true");
    cr_assert_eq(entry->cost_ns, 3e6, "median of 2 and 4 ms, not the measurement and not the first time");
    cr_assert_float_eq(entry->compile_s, 0.5, 1e-12);
    cr_assert_float_eq(entry->run_s, 0.1, 1e-12);
    cr_assert_float_eq(entry->verify_s, 0.05, 1e-12);
    entry = entry_of(file, "vector=float4 block=128 share=0.25 pad=false");
    cr_assert_eq(entry->cost_ns, 2.5e6, "the objective among the measurements");
    cr_assert_eq(entry, &file->entries[file->best]);
    cr_assert_eq(entry_of(file, "vector=float_2 block=128 share=1.0 pad=false")->verdict, FSATTN_VERDICT_BUILD_FAILED);
    cr_assert_eq(file->entries[3].verdict, FSATTN_VERDICT_TIMEOUT);
    cr_assert_eq(file->entries[4].verdict, FSATTN_VERDICT_WRONG);
    cr_assert_eq(file->entries[5].verdict, FSATTN_VERDICT_REJECTED);
    cr_assert_null(entry_of(file, "vector=float4 block=128 share=1.0 pad=true"), "not in the file");
    /* 'float 2' and 'float_2' are different values although their words collide. */
    size_t vector;
    const fsattn_parameter *parameter = fsattn_parameter_find(&file->parameters, "vector", &vector);
    cr_assert_eq(parameter->value_count, 3);
    cr_assert_eq(parameter->type, FSATTN_VALUE_ENUM);
    cr_assert_eq(fsattn_parameter_find(&file->parameters, "share", NULL)->type, FSATTN_VALUE_REAL);
    cr_assert_eq(fsattn_parameter_find(&file->parameters, "share", NULL)->value_count, 3, "1 and 1.0 are one value");
    cr_assert_eq(fsattn_parameter_find(&file->parameters, "pad", NULL)->type, FSATTN_VALUE_BOOL);
    fsattn_replay_file_close(file);
}

Test(replay, unclosed_files_odd_numbers_and_repeated_results_are_read) {
    fsattn_replay_file *file = open_file("odd.json");
    cr_assert_eq(file->count, 6);
    cr_assert(file->unclosed);
    cr_assert_str_eq(file->size, "4096");
    cr_assert_eq(entry_of(file, "x=1")->cost_ns, 2e6, "the last result counts");
    cr_assert_float_eq(entry_of(file, "x=1")->compile_s, 0.2, 1e-12);
    cr_assert_eq(entry_of(file, "x=2")->cost_ns, 3e6);
    cr_assert_eq(entry_of(file, "x=3")->verdict, FSATTN_VERDICT_LAUNCH_FAILED);
    cr_assert_eq(entry_of(file, "x=4")->verdict, FSATTN_VERDICT_LAUNCH_FAILED);
    cr_assert_eq(entry_of(file, "x=5")->verdict, FSATTN_VERDICT_UNTIMED);
    cr_assert_eq(entry_of(file, "x=6")->verdict, FSATTN_VERDICT_REJECTED);
    fsattn_replay_file_close(file);
}

Test(replay, mistakes_have_their_place) {
    static const struct {
        const char *text, *message;
    } cases[] = {
        {"", ":1:1: expected '{', got the end of the file"},
        {"[]", ":1:1: expected '{', got '['"},
        {"{\"a\": 1}", ":1:1: neither \"cache\" nor \"results\""},
        {"{\"a\": 1 \"b\": 2}", ":1:9: expected ',' or '}', got '\"'"},
        {"{\"results\": []}", ":1:1: no results, or no parameters"},
        {"{\"results\": [{\"times\": {}}]}", ":1:14: a result without a configuration"},
        {"{\"tune_params_keys\": [\"x\"],\n\"cache\": {\"1\": {\"time\": 1}}}", ":2:11: a result without the parameter 'x'"},
        {"{\"tune_params_keys\": [\"x\"],\n\"cache\": {\"1\": {\"x\": [1], \"time\": 1}}}", ":2:11: x: a value must be"},
        {"{\"tune_params_keys\": [\"x\"],\n\"cache\": {\"1\": {\"x\": 1}}}", ":2:11: a result without a time"},
        {"{\"tune_params_keys\": [\"x\"],\n\"cache\": {\"1\": {\"x\": 1, \"time\": }}}", ":2:3"},
        {"{\"tune_params_keys\": [\"x\"],\n\"cache\": {\"1\": {\"x\": 1, \"time\": 1},}}", ":2:36: a comma before '}'"},
    };
    char path[] = "/tmp/fsattn-replay-test-XXXXXX";
    int fd = mkstemp(path);
    cr_assert_geq(fd, 0);
    close(fd);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fsattn_replay_file *file;
        fsattn_err err = {0};
        space_folder_write(path, cases[i].text, strlen(cases[i].text));
        cr_assert_eq(fsattn_replay_file_open(path, &file, &err), FSATTN_PARSE, "%s", cases[i].text);
        cr_assert(!strncmp(err.message, path, strlen(path)), "%s", err.message);
        cr_assert(strstr(err.message, cases[i].message), "%s instead of %s", err.message, cases[i].message);
        cr_assert_eq(fsattn_replay_file_open(path, &file, NULL), FSATTN_PARSE);
    }
    unlink(path);
    fsattn_replay_file *file;
    cr_assert_eq(fsattn_replay_file_open(path, &file, NULL), FSATTN_NOT_FOUND);
}

/* ---- the space ---- */

Test(replay, the_valid_set_is_what_the_file_has) {
    char path[512];
    fsattn_err err;
    fsattn_space *space;
    fsattn_enumeration *enumeration;
    snprintf(path, sizeof path, "%s/convolution.json", data_folder);
    cr_assert_eq(fsattn_replay_space_open(path, &space, &err), FSATTN_OK, "%s", err.message);
    fsattn_setting setting = {&space->problems[0].problem, "replay"};
    cr_assert_eq(fsattn_enumeration_create(space, &setting, &enumeration, &err), FSATTN_OK, "%s", err.message);
    const fsattn_replay_file *file = space->replay;
    cr_assert_eq(fsattn_enumeration_count(enumeration), file->count);
    bool seen[64] = {false};
    for (uint64_t i = 0; i < file->count; i++) {
        fsattn_config config;
        uint64_t found;
        fsattn_enumeration_at(enumeration, i, &config);
        const fsattn_replay_entry *entry = fsattn_replay_file_find(file, &config);
        cr_assert_not_null(entry);
        cr_assert_not(seen[entry - file->entries], "one to one");
        seen[entry - file->entries] = true;
        cr_assert(fsattn_enumeration_find(enumeration, &config, &found));
        cr_assert_eq(found, i);
    }
    /* Neighbours are exactly the entries that differ in one parameter. */
    for (uint64_t i = 0; i < file->count; i++) {
        uint64_t neighbours[64];
        fsattn_config config, other;
        fsattn_enumeration_at(enumeration, i, &config);
        size_t count = fsattn_enumeration_neighbours(enumeration, i, FSATTN_NEIGHBOURS_ANY, neighbours, 64), expected = 0;
        for (uint64_t j = 0; j < file->count; j++) {
            size_t differences = 0;
            fsattn_enumeration_at(enumeration, j, &other);
            for (size_t p = 0; p < file->parameters.count; p++) {
                differences += config.index[p] != other.index[p];
            }
            expected += differences == 1;
        }
        cr_assert_eq(count, expected);
    }
    fsattn_config outside = file->entries[0].config;
    outside.index[0] = (uint16_t)(file->parameters.items[0].value_count - 1);
    outside.index[1] = (uint16_t)(file->parameters.items[1].value_count - 1);
    cr_assert_eq(fsattn_enumeration_find(enumeration, &outside, &(uint64_t){0}),
                 fsattn_replay_file_find(file, &outside) != NULL);
    fsattn_enumeration_destroy(enumeration);
    fsattn_space_destroy(space);
}

/* ---- the device ---- */

/* Takes a configuration through all steps until one fails; its verdict, and its time in *time_ns. */
static fsattn_verdict take(fsattn_evaluator *evaluator, const fsattn_space *space, const fsattn_config *config,
                           double *time_ns) {
    const fsattn_problem *problem = &space->problems[0].problem;
    const fsattn_evaluator_ops *ops = evaluator->ops;
    fsattn_variant *variant;
    fsattn_trial *trial = NULL;
    fsattn_outcome outcome;
    fsattn_verification verification;
    size_t got = 0;
    cr_assert_eq(ops->render(evaluator, problem, config, &variant, &outcome, NULL), FSATTN_OK);
    if (variant) {
        ops->build(evaluator, &variant, 1, INT64_MAX, &outcome, NULL);
    }
    if (outcome.verdict == FSATTN_VERDICT_OK) {
        ops->start(evaluator, variant, problem, INT64_MAX, &trial, &outcome, NULL);
    }
    if (outcome.verdict == FSATTN_VERDICT_OK) {
        ops->verify(trial, INT64_MAX, &verification, &outcome, NULL);
    }
    if (outcome.verdict == FSATTN_VERDICT_OK) {
        ops->sample(trial, 1, false, INT64_MAX, time_ns, &got, &outcome, NULL);
    }
    ops->stop(trial);
    ops->release(evaluator, variant);
    return outcome.verdict;
}

static void check_device(const char *name) {
    char path[512];
    fsattn_space *space;
    fsattn_evaluator *evaluator;
    fsattn_err err;
    snprintf(path, sizeof path, "%s/%s", data_folder, name);
    cr_assert_eq(fsattn_replay_space_open(path, &space, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_replay_evaluator_open(space->replay, &evaluator, &err), FSATTN_OK, "%s", err.message);
    double took_s = 0;
    for (size_t i = 0; i < space->replay->count; i++) {
        const fsattn_replay_entry *entry = &space->replay->entries[i];
        double time_ns = 0;
        cr_assert_eq(take(evaluator, space, &entry->config, &time_ns), entry->verdict, "%s: %zu", name, i);
        if (entry->verdict == FSATTN_VERDICT_OK) {
            cr_assert_eq(time_ns, entry->cost_ns);
            took_s += entry->compile_s + entry->verify_s + fmax(entry->run_s, entry->cost_ns / 1e9);
        }
    }
    cr_assert_geq((double)evaluator->ops->now_ns(evaluator) / 1e9, took_s * (1 - 1e-6), "the clock goes by the file");
    evaluator->ops->close(evaluator);
    fsattn_space_destroy(space);
}

Test(replay, the_device_gives_costs_and_verdicts_of_the_file) {
    check_device("convolution.json");
    check_device("results.t4.json");
    check_device("odd.json");
}
