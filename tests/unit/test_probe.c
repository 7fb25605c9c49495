/* The table of probes: rows are well formed, inputs can tell the alternatives of a fact apart, and a difference is seen and named. */
#include "../../probe/probe_rate.h"
#include "../../probe/probe_run.h"

#include "sim_cost.h"

#include "memory.h"

#include <criterion/criterion.h>
#include <string.h>

static fsattn_fact value_of(int choice) {
    fsattn_fact value = {.choice = choice};
    for (uint8_t i = 0; i < fsattn_fact_bits; i++) {
        value.order[i] = i;
    }
    return value;
}
static int choices_of(const probe *p) {
    const char *words = p->setting != probe_no_setting && !fsattn_fact_switch_ordered((fsattn_fact_switch)p->setting)
                            ? fsattn_fact_switch_values((fsattn_fact_switch)p->setting) : "x";
    int count = 1;
    for (; *words; words++) {
        count += *words == ' ';
    }
    return count;
}

Test(probe, rows_are_well_formed) {
    size_t count;
    const probe *table = probe_table(&count);
    bool asked[fsattn_fact_switches] = {false};
    for (size_t i = 0; i < count; i++) {
        cr_expect(table[i].rate || (table[i].fill && table[i].expect && table[i].place && table[i].count && table[i].in_words && table[i].out_words), "%s", table[i].name);
        if (table[i].setting != probe_no_setting) {
            asked[table[i].setting] = true;
        }
        for (size_t k = 0; k < i; k++) {
            cr_expect_str_neq(table[i].name, table[k].name);
        }
        char *source = probe_source(table[i].file);
        cr_expect(strstr(source, "PROBE(") && !strstr(source, "no such kernel"), "%s", table[i].file);
        fsattn_free(source);
    }
    for (int i = 0; i < fsattn_fact_switches; i++) {
        cr_expect(asked[i], "no probe asks for %s", fsattn_fact_switch_name((fsattn_fact_switch)i));
    }
}

/* What a device of each kind would answer is taken for that kind, and any wrong word for a difference. */
Test(probe, each_alternative_is_told_apart) {
    size_t count;
    const probe *table = probe_table(&count);
    for (size_t i = 0; i < count; i++) {
        const probe *p = &table[i];
        if (p->rate) {
            continue;
        }
        uint32_t *in = fsattn_alloc(p->in_words, sizeof *in), *seen = fsattn_alloc(p->out_words, sizeof *seen);
        probe_outcome outcome;
        p->fill(p, in);
        for (int choice = 0; choice < choices_of(p); choice++) {
            const fsattn_fact value = value_of(choice);
            fsattn_facts *facts = fsattn_alloc(1, sizeof *facts);
            p->expect(p, &value, in, seen);
            cr_assert_eq(probe_judge(p, in, seen, &outcome, NULL), FSATTN_OK);
            cr_expect_eq(outcome.verdict, choice == 0 ? PROBE_AGREES : PROBE_DIFFERS, "%s, choice %d: %s", p->name, choice, outcome.detail);
            cr_expect_eq(probe_record(p, &outcome, facts, NULL), FSATTN_OK, "%s", p->name);
            cr_expect(p->setting == probe_no_setting || fsattn_facts_choice(facts, (fsattn_fact_switch)p->setting) == choice, "%s", p->name);
            fsattn_free(facts);
        }
        const fsattn_fact usual = value_of(0);
        p->expect(p, &usual, in, seen);
        seen[p->out_words / 2] = 0x3f801234; /* what no probe expects */
        probe_judge(p, in, seen, &outcome, NULL);
        cr_expect_eq(outcome.verdict, PROBE_DIFFERS, "%s", p->name);
        cr_expect(strstr(outcome.detail, "seen something else") && strstr(outcome.detail, "1 of"), "%s: %s", p->name, outcome.detail);
        fsattn_free(in);
        fsattn_free(seen);
    }
}

/* Another order of bits is found from the answers. */
Test(probe, an_order_is_derived) {
    size_t count;
    const probe *table = probe_table(&count);
    for (size_t i = 0; i < count; i++) {
        const probe *p = &table[i];
        if (!p->derive) {
            continue;
        }
        uint32_t *in = fsattn_alloc(p->in_words, sizeof *in), *seen = fsattn_alloc(p->out_words, sizeof *seen);
        fsattn_fact value = value_of(0);
        probe_outcome outcome;
        value.order[0] = 4;
        value.order[4] = 2;
        value.order[2] = 0;
        p->fill(p, in);
        p->expect(p, &value, in, seen);
        probe_judge(p, in, seen, &outcome, NULL);
        cr_expect_eq(outcome.verdict, PROBE_DIFFERS);
        cr_expect_eq(strncmp(outcome.seen, "n0 l1 l0 l3 l2", 14), 0, "%s: %s", p->name, outcome.seen);
        fsattn_free(in);
        fsattn_free(seen);
    }
}

static const probe *find(const char *name) {
    size_t count;
    const probe *table = probe_table(&count);
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(table[i].name, name)) {
            return &table[i];
        }
    }
    cr_assert(false, "no probe %s", name);
    return NULL;
}

/* What a probe expects of a constant is what the simulator assumes of it, and its loops are in the kernels. */
Test(probe, rates_are_those_of_the_simulator) {
    size_t count, rates = 0;
    const probe *table = probe_table(&count);
    char *source = probe_source("rates");
    for (size_t i = 0; i < count; i++) {
        const struct probe_rate *rate = table[i].rate;
        if (!rate) {
            continue;
        }
        rates++;
        cr_expect(rate->least <= rate->most && probe_rate_timings(rate) == (rate->kind == PROBE_BLOCKS ? 3u : rate->kind == PROBE_CHAIN ? 2u : 1u));
        for (size_t k = 0; k < probe_rate_timings(rate); k++) { /* rate_fma; beside_32_fp6, made from "32_fp6" */
            const char *name = rate->timings[k].entry, *rest = strchr(name, '_') + 1;
            cr_expect(strstr(source, name) || strstr(source, rest), "%s", name);
        }
        const sim_cost_source *c = sim_cost_sources();
        while (rate->constant && c->name && strcmp(c->name, rate->constant)) {
            c++;
        }
        cr_assert(!rate->constant || c->name, "%s: the simulator has no constant %s", table[i].name, rate->constant);
        for (int bound = 0; rate->constant && bound < sim_bounds; bound++) {
            cr_expect(c->values[bound] >= rate->least && c->values[bound] <= rate->most, "%s: %s is %u", table[i].name, c->name, c->values[bound]);
        }
    }
    cr_expect_geq(rates, 20u);
    fsattn_free(source);
}

Test(probe, rates_are_made_from_times) {
    static const struct {
        const char *probe;
        double cycles[3], value;
        probe_verdict verdict;
        const char *constant, *written, *detail;
    } cases[] = {
        {"rate_pknorm", {1024}, 4, PROBE_AGREES, "pknorm", "4.00", ""},
        {"rate_pknorm", {1060}, 4.14, PROBE_AGREES, "pknorm", "4.14", ""},
        {"rate_pknorm", {2048}, 8, PROBE_DIFFERS, "pknorm", "8.00", "seen 8.00 cycles, expected 4"},
        {"rate_convert_2x16", {64 * 24}, 24, PROBE_AGREES, "convert_2x16", "24.00", ""},
        {"rate_convert_2x16", {64 * 8}, 8, PROBE_DIFFERS, "convert_2x16", "8.00", "seen 8.00 cycles, expected 16 to 64"},
        {"rate_pknorm", {0}, 0, PROBE_CANNOT, NULL, NULL, "rate_pknorm: the device gives no time"},
        {"chain_matrix", {256 * 18, 32 * 17}, 1, PROBE_AGREES, "matrix_chain", "1.00", ""},
        {"chain_matrix", {256 * 16, 32 * 17}, -1, PROBE_DIFFERS, "matrix_chain", "1.00", "seen -1.00 cycles, expected 1 to 2"},
        {"beside_32_fp6", {1000, 1000, 1000}, 0, PROBE_DIFFERS, "matrix_blocks_f8f6f4", "0.00", "seen 0.00 percent, expected 25 to 100"},
        {"beside_32_fp6", {1600, 1000, 1000}, 60, PROBE_AGREES, "matrix_blocks_f8f6f4", "60.00", ""},
        {"beside_32_fp6", {2100, 1000, 1000}, 100, PROBE_AGREES, "matrix_blocks_f8f6f4", "100.00", ""},
        {"beside_32_bf16", {1600, 1000, 1000}, 60, PROBE_DIFFERS, "matrix_blocks", "60.00", "seen 60.00 percent, expected 25"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const probe *p = find(cases[i].probe);
        probe_sample samples[3] = {{cases[i].cycles[0], 500}, {cases[i].cycles[1], 0}, {cases[i].cycles[2], 0}};
        probe_outcome outcome;
        fsattn_facts *facts = fsattn_alloc(1, sizeof *facts);
        probe_rate_judge(p, samples, &outcome);
        cr_expect_eq(outcome.verdict, cases[i].verdict, "case %zu: %s", i, outcome.detail);
        cr_expect_float_eq(outcome.value, cases[i].value, 0.005, "case %zu: %g", i, outcome.value);
        cr_expect_str_eq(outcome.detail, cases[i].detail);
        for (int measured = 0; measured < 2; measured++) { /* a model's own time stays a note */
            facts->measured = measured;
            facts->count = 0;
            cr_expect_eq(probe_record(p, &outcome, facts, NULL), FSATTN_OK);
            const bool constant = measured && cases[i].constant;
            cr_expect_eq(facts->items[0].kind, constant ? FSATTN_FACT_CONSTANT : FSATTN_FACT_NOTE, "case %zu", i);
            cr_expect_str_eq(facts->items[0].name, constant ? cases[i].constant : p->name);
            cr_expect(!cases[i].written || !strcmp(facts->items[0].value, cases[i].written), "case %zu: %s", i, facts->items[0].value);
        }
        fsattn_free(facts);
    }
}
