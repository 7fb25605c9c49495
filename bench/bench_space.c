/* Time and memory of building valid sets: synthetic spaces of 2^30 raw configurations (ten parameters of eight values,
 * eight constraints over three each), and the space files given as arguments. Aim: below 2 s and 200 MB each.
 * "--only" leaves the synthetic ones out; "--print FILE" prints the valid configurations of one space, one a line. */
#include "cli.h"
#include "cpu.h"
#include "enumerate.h"
#include "error.h"
#include "file.h"
#include "random.h"
#include "text.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { parameters = 10, constraints = 8, seeds = 8 };

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static fsattn_status write_manifest(const char *folder, fsattn_err *err) {
    fsattn_text text = {0};
    char path[256];
    fsattn_text_puts(&text, "local parameters = {}\n"
                            "for i = 1, 10 do parameters[i] = { name = 'p' .. i, type = 'int', default = 0,\n"
                            "  values = { 0, 1, 2, 3, 4, 5, 6, 7 }, help = 'a number' } end\n"
                            "return { name = 'synthetic', operation = 'attention_fwd', target = 'host',\n"
                            "  source = 'kernel.c.in', entry = 'none', abi = 1, parameters = parameters,\n"
                            "  launch = { work_items = 'query_tiles', tile_m = '1', tile_n = '1' } }\n");
    snprintf(path, sizeof path, "%s/synthetic/manifest.lua", folder);
    fsattn_status status = fsattn_file_publish(path, text.data, text.bytes, 0600, err);
    if (status == FSATTN_OK) {
        snprintf(path, sizeof path, "%s/synthetic/kernel.c.in", folder);
        status = fsattn_file_publish(path, "", 0, 0600, err);
    }
    fsattn_text_fini(&text);
    return status;
}

/* Seed 0 is a chain of neighbours; the others draw three different parameters for each constraint. */
static fsattn_status write_space(const char *path, uint64_t seed, fsattn_err *err) {
    fsattn_text text = {0};
    uint64_t counter = 0;
    fsattn_text_puts(&text, "template: synthetic\ndevice: host\nproblems: [{d: 64}]\nparameters:\n");
    for (int i = 1; i <= parameters; i++) {
        fsattn_text_printf(&text, "  p%d: {from: 0, to: 7, step: 1}\n", i);
    }
    fsattn_text_puts(&text, "constraints:\n");
    for (uint64_t c = 0; c < constraints; c++) {
        uint64_t reads[3] = {c, c + 1, c + 2};
        for (int i = 0; seed && i < 3; i++) {
            do {
                reads[i] = fsattn_random_below(seed, 0, counter++, parameters);
            } while ((i > 0 && reads[i] == reads[0]) || (i > 1 && reads[i] == reads[1]));
        }
        fsattn_text_printf(&text, "- (p%" PRIu64 " + p%" PRIu64 " + p%" PRIu64 ") %% 3 == 0 and %" PRIu64 " >= 0\n",
                           reads[0] + 1, reads[1] + 1, reads[2] + 1, c);
    }
    fsattn_status status = fsattn_file_publish(path, text.data, text.bytes, 0600, err);
    fsattn_text_fini(&text);
    return status;
}

static fsattn_status measure(const char *path, const char *templates, const char *label, fsattn_err *err) {
    fsattn_space *space;
    fsattn_enumeration *enumeration = NULL;
    fsattn_cpu cpu;
    char isa[128];
    fsattn_cpu_detect(&cpu);
    fsattn_cpu_isa(&cpu, isa);
    double start = now();
    FSATTN_TRY(fsattn_space_load(path, templates, &space, err));
    double loaded = now();
    fsattn_setting setting = {&space->problems[0].problem, isa};
    fsattn_status status = fsattn_enumeration_create(space, &setting, &enumeration, err);
    double built = now();
    if (status == FSATTN_OK) {
        const fsattn_enumeration_statistics *s = fsattn_enumeration_statistics_of(enumeration);
        printf("%-24s %9.3g %12" PRIu64 " %11" PRIu64 " %11" PRIu64 " %9" PRIu64 " %9" PRIu64 " %8.2f %8.3f %8.2f\n",
               label, s->raw, s->valid, s->evaluations, s->checks, s->nodes, s->edges, 1e3 * (loaded - start),
               1e3 * (built - loaded), (double)s->memory_bytes / 1e6);
    }
    fsattn_enumeration_destroy(enumeration);
    fsattn_space_destroy(space);
    return status;
}

static fsattn_status print(const char *path, fsattn_err *err) {
    fsattn_space *space;
    fsattn_enumeration *enumeration = NULL;
    FSATTN_TRY(fsattn_space_load(path, NULL, &space, err));
    const fsattn_setting setting = {&space->problems[0].problem, "x86-64"};
    fsattn_status status = fsattn_enumeration_create(space, &setting, &enumeration, err);
    for (uint64_t i = 0; status == FSATTN_OK && i < fsattn_enumeration_count(enumeration); i++) {
        fsattn_config config;
        fsattn_text text = {0};
        fsattn_enumeration_at(enumeration, i, &config);
        fsattn_config_text(&space->manifest->parameters, &config, &text);
        puts(text.failed ? "out of memory" : text.data);
        fsattn_text_fini(&text);
    }
    fsattn_enumeration_destroy(enumeration);
    fsattn_space_destroy(space);
    return status;
}

static fsattn_status run(const char *folder, int count, char **paths, fsattn_err *err) {
    char path[256];
    snprintf(path, sizeof path, "%s/synthetic", folder);
    FSATTN_TRY(fsattn_folder_make(path, err));
    FSATTN_TRY(write_manifest(folder, err));
    printf("%-24s %9s %12s %11s %11s %9s %9s %8s %8s %8s\n", "space", "raw", "valid", "evaluations", "checks", "nodes",
           "edges", "load ms", "build ms", "MB");
    bool only = count > 0 && !strcmp(paths[0], "--only");
    for (uint64_t seed = 0; seed < seeds && !only; seed++) {
        char label[32];
        snprintf(path, sizeof path, "%s/space.yaml", folder);
        snprintf(label, sizeof label, seed ? "random %" PRIu64 : "chain", seed);
        FSATTN_TRY(write_space(path, seed, err));
        FSATTN_TRY(measure(path, folder, label, err));
    }
    for (int i = only; i < count; i++) {
        const char *slash = strrchr(paths[i], '/');
        FSATTN_TRY(measure(paths[i], NULL, slash ? slash + 1 : paths[i], err));
    }
    return FSATTN_OK;
}

int main(int argc, char **argv) {
    char folder[] = "/tmp/fsattn-bench-XXXXXX";
    fsattn_err err = {0};
    if (argc == 3 && !strcmp(argv[1], "--print")) {
        return print(argv[2], &err) == FSATTN_OK ? 0 : fsattn_cli_report("bench_space", &err);
    }
    if (!mkdtemp(folder)) {
        fprintf(stderr, "bench_space: cannot make a folder in /tmp\n");
        return 4;
    }
    fsattn_status status = run(folder, argc - 1, argv + 1, &err);
    fsattn_folder_remove(folder, NULL);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("peak memory of the process: %.1f MB\n", (double)usage.ru_maxrss / 1e3);
    return status == FSATTN_OK ? 0 : fsattn_cli_report("bench_space", &err);
}
