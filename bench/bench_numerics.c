/* Time of the oracles: the float64 reference at s=4096, d=128, one head (aim: below 2 s on two cores), the emulator of the mxfp6
 * kernel under each model of accumulation, and table 4 (256 rows, 32768 keys, one seed; aim: below 60 s). The load of the
 * machine stands beside every figure, as other work on it shows in all of them. */
#include "emulator.h"
#include "error.h"
#include "inputs.h"
#include "memory.h"
#include "methods.h"
#include "reference.h"
#include "tables.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

typedef struct stopwatch {
    double wall, processor;
} stopwatch;

static stopwatch start(void) {
    return (stopwatch){now(CLOCK_MONOTONIC), now(CLOCK_PROCESS_CPUTIME_ID)};
}

static void report(const char *what, stopwatch since) {
    double load = 0;
    if (getloadavg(&load, 1) != 1) {
        load = (double)NAN;
    }
    printf("%-44s %8.3f s wall %8.3f s processor, load %.1f\n", what, now(CLOCK_MONOTONIC) - since.wall,
           now(CLOCK_PROCESS_CPUTIME_ID) - since.processor, load);
    fflush(stdout);
}

static fsattn_status bench_reference(fsattn_err *err) {
    fsattn_problem problem;
    fsattn_operands operands = {0};
    FSATTN_TRY(fsattn_problem_parse("b=1 hq=1 hkv=1 sq=4096 sk=4096 d=128", &problem, err));
    FSATTN_TRY(fsattn_operands_init(&operands, &problem, err));
    fsattn_inputs_fill(FSATTN_DISTRIBUTION_NORMAL, 1, &problem, &operands);
    fsattn_status status = FSATTN_OK;
    float *o = fsattn_alloc(operands.q_elements, sizeof *o);
    if (!o) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for the output");
        goto out;
    }
    for (int repeat = 0; repeat < 3; repeat++) {
        const stopwatch since = start();
        FSATTN_GOTO(fsattn_reference_attention(&problem, &operands.qkv, NULL, (fsattn_rows){0}, o, NULL, err));
        report("reference, s=4096 d=128, one head", since);
    }
out:
    fsattn_free(o);
    fsattn_operands_fini(&operands);
    return status;
}

static fsattn_status bench_emulator(fsattn_err *err) {
    static const char *const models[fsattn_accumulation_count] = {
#define X(name, text, meaning) text,
        FSATTN_ACCUMULATION_LIST(X)
#undef X
    };
    for (int model = 0; model < fsattn_accumulation_count; model++) {
        const fsattn_method *method;
        fsattn_emulator_config config;
        fsattn_method_result result;
        char what[64];
        fsattn_emulator_config_init(&config);
        FSATTN_TRY(fsattn_method_find("mxfp6", &method, err));
        FSATTN_TRY(fsattn_emulator_apply(&config, method->switches, err));
        config.accumulation = (fsattn_accumulation)model;
        const stopwatch since = start();
        FSATTN_TRY(fsattn_method_measure(&config, FSATTN_DISTRIBUTION_NORMAL, 256, 4096, 1, 1, &result, err));
        snprintf(what, sizeof what, "emulator mxfp6, 256 x 4096, %s", models[model]);
        report(what, since);
    }
    return FSATTN_OK;
}

static fsattn_status bench_table4(fsattn_err *err) {
    fsattn_table4_row table[fsattn_table4_rows];
    const stopwatch since = start();
    FSATTN_TRY(fsattn_table4(256, 32768, 1, 1, table, err));
    report("table 4, 256 rows, 32768 keys, one seed", since);
    return FSATTN_OK;
}

int main(int argc, char **argv) {
    static const struct {
        const char *name;
        fsattn_status (*run)(fsattn_err *err);
    } parts[] = {{"reference", bench_reference}, {"emulator", bench_emulator}, {"table4", bench_table4}};
    fsattn_err err = {0};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (argc > 1 && strcmp(argv[1], parts[i].name)) {
            continue;
        }
        if (parts[i].run(&err) != FSATTN_OK) {
            fprintf(stderr, "bench_numerics: %s\n", err.message);
            return 1;
        }
    }
    return 0;
}
