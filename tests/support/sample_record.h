/* sample_record.h - small, valid records for tests of cache files and stores.
 *
 * sample_record(&sample, n) fills record number n: equal numbers give equal records, different ones differ in
 * configuration, cost, keys and code. The record points into the sample.
 */
#ifndef SAMPLE_RECORD_H
#define SAMPLE_RECORD_H

#include "fsc.h"
#include "keys.h"

#include <stdio.h>
#include <string.h>

typedef struct sample {
    fsattn_fsc_record record;
    fsattn_stage stage;
    fsattn_attribute launch[1], attributes[2];
    fsattn_accuracy_entry accuracies[2];
    char configuration[64], code[64], source[64];
} sample;

/* Computes the keys anew after a test changed the record. */
static inline void sample_keys(sample *s) {
    fsattn_fsc_record *record = &s->record;
    const char *options[] = {record->options};
    record->build_key = fsattn_key_build(&(fsattn_build_fields){.source = s->source,
                                                                .source_bytes = strlen(s->source),
                                                                .options = options,
                                                                .option_count = 1,
                                                                .compiler = record->compiler});
    record->result_key = fsattn_key_result(&(fsattn_result_fields){.build_key = record->build_key,
                                                                   .launch = "",
                                                                   .device = record->cost.device,
                                                                   .units = record->cost.units,
                                                                   .driver = record->cost.driver,
                                                                   .policy = record->cost.policy,
                                                                   .problem = &record->problem});
    record->serving_key = fsattn_key_serving(
        &(fsattn_serving_fields){.problem = &record->problem, .isa = record->isa, .abi = record->abi});
    record->identity = fsattn_key_identity(record->template_name, record->configuration);
}

static inline void sample_record(sample *s, int number) {
    memset(s, 0, sizeof *s);
    snprintf(s->configuration, sizeof s->configuration, "tile_m=%d tile_n=64", 32 + number);
    snprintf(s->code, sizeof s->code, "code of %d", number);
    snprintf(s->source, sizeof s->source, "int kernel_%d;", number);
    s->launch[0] = (fsattn_attribute){"grid", "tiles"};
    s->attributes[0] = (fsattn_attribute){"note", "sample"};
    s->attributes[1] = (fsattn_attribute){"softmax.maximum", "online"};
    s->stage = (fsattn_stage){.name = "attention",
                              .entry = "fsattn_attention",
                              .code = {.data = s->code, .bytes = strlen(s->code)},
                              .work_items = "query_tiles",
                              .tile_m = 32,
                              .tile_n = 64,
                              .scratch_bytes = 4096,
                              .attributes = s->launch,
                              .attribute_count = 1};
    s->accuracies[0] = (fsattn_accuracy_entry){"normal", 1e-6 / (1 + number), 0.999999, 1e-5, 1};
    s->accuracies[1] = (fsattn_accuracy_entry){"outlier_channels", 2e-6, 0.999, 2e-5, 0.5};
    s->record = (fsattn_fsc_record){.role = FSATTN_ROLE_WINNER,
                                    .target = FSATTN_TARGET_HOST,
                                    .isa = "x86_64+avx2",
                                    .abi = 1,
                                    .flexible = FSATTN_FLEXIBLE_SIZES | FSATTN_FLEXIBLE_SCALE,
                                    .template_name = "attention_host",
                                    .configuration = s->configuration,
                                    .stages = &s->stage,
                                    .stage_count = 1,
                                    .accuracies = s->accuracies,
                                    .accuracy_count = 2,
                                    .cost = {.median_ns = 1000 + 10 * number,
                                             .minimum_ns = 990 + 10 * number,
                                             .spread_ns = 5,
                                             .samples = 9,
                                             .provenance = FSATTN_MEASURED,
                                             .default_median_ns = 2000,
                                             .default_spread_ns = 7,
                                             .machine = "box",
                                             .device = "cpu model",
                                             .units = 2,
                                             .driver = "linux",
                                             .policy = "warm"},
                                    .compiler = "gcc 12.2.0",
                                    .options = "-O3",
                                    .source = {.data = s->source, .bytes = strlen(s->source)},
                                    .attributes = s->attributes,
                                    .attribute_count = 2};
    fsattn_problem_init(&s->record.problem);
    s->record.problem.heads_q = 12;
    s->record.problem.heads_kv = 12;
    s->record.problem.s_q = s->record.problem.s_k = 512;
    s->record.problem.head_dim = 64;
    sample_keys(s);
}

#endif
