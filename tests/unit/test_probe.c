/* The table of probes: rows are well formed, inputs can tell the alternatives of a fact apart, and a difference is seen and named. */
#include "../../probe/probe_run.h"

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
        cr_expect(table[i].fill && table[i].expect && table[i].place && table[i].count && table[i].in_words && table[i].out_words, "%s", table[i].name);
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
