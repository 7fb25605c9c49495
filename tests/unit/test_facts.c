/* The file of facts: what is written is read, what is wrong is named with its place; what simulator and emulator take from it. */
#include "emulator.h"
#include "exponential.h"
#include "facts.h"
#include "file.h"
#include "memory.h"
#include "sim_facts.h"

#include <criterion/criterion.h>
#include <math.h>
#include <yaml.h>

#define HEAD "fsattn_facts: 1\ndevice: \"A GPU\"\ndriver: x\ndate: 2026-12-03\nprovenance: measured\nfacts:\n"

static fsattn_facts read_good(const char *lines) {
    char text[2048];
    fsattn_facts facts;
    fsattn_err err = {0};
    snprintf(text, sizeof text, HEAD "%s", lines);
    cr_assert_eq(fsattn_facts_parse("f.yaml", text, &facts, &err), FSATTN_OK, "%s", err.message);
    return facts;
}

Test(facts, what_is_written_is_read) {
    const fsattn_facts facts = read_good("  - {name: pknorm_rounding, kind: switch, value: half_down, unit: \"\"}\n"
                                         "  - {name: lds_latency, kind: constant, value: 71.5, unit: cycles}\n"
                                         "  - {name: transpose_b8, kind: switch, value: \"l3 l0 l1 l2 n0 n2 n1\", unit: \"\"}\n"
                                         "  - {name: anything, kind: note, value: \"is, here: true\", unit: \"\"}\n");
    fsattn_text text = {0};
    fsattn_facts again;
    cr_assert_eq(facts.count, 4);
    fsattn_facts_write(&facts, &text);
    cr_assert_eq(fsattn_facts_parse("g", text.data, &again, NULL), FSATTN_OK, "%s", text.data);
    cr_assert_eq(again.count, 4);
    cr_assert_str_eq(again.items[3].value, "is, here: true");
    cr_assert_str_eq(again.device, "A GPU");
    cr_assert(again.measured);
    cr_assert_eq(fsattn_facts_choice(&again, FSATTN_FACT_pknorm_rounding), 2);
    cr_assert_eq(fsattn_facts_choice(&again, FSATTN_FACT_pknorm_nan), 0);
    cr_assert_eq(again.items[2].order[0], 3);
    cr_assert_eq(again.items[2].order[6], 5);
    fsattn_text_fini(&text);
}

Test(facts, the_form_is_yaml) {
    const fsattn_facts facts = read_good("  - {name: lds_latency, kind: constant, value: 71, unit: cycles}\n");
    fsattn_text text = {0};
    yaml_parser_t parser;
    yaml_document_t document;
    fsattn_facts_write(&facts, &text);
    cr_assert(yaml_parser_initialize(&parser));
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.data, text.bytes);
    cr_assert(yaml_parser_load(&parser, &document));
    cr_assert_eq(yaml_document_get_root_node(&document)->type, YAML_MAPPING_NODE);
    yaml_document_delete(&document);
    yaml_parser_delete(&parser);
    fsattn_text_fini(&text);
}

Test(facts, what_is_wrong_is_named) {
    static const struct {
        const char *text, *message, *hint;
    } rows[] = {
        {HEAD "  - {name: pknorm_raunding, kind: switch, value: exact}\n", "f.yaml:7: unknown switch 'pknorm_raunding'", "pknorm_rounding"},
        {HEAD "  - {name: pknorm_nan, kind: switch, value: two}\n", "f.yaml:7: pknorm_nan: unknown value 'two'", "one of: zero one"},
        {HEAD "  - {name: transpose_b16, kind: switch, value: \"l0 l0 l2 l3 n0 n1\"}\n", "f.yaml:7: transpose_b16: expected the words", "each bit once"},
        {HEAD "  - {name: lds_latency, kind: constant, value: many}\n", "f.yaml:7: lds_latency: expected a number", "remove the line"},
        {HEAD "  - {name: a, kind: note, value: 1}\n  - {name: a, kind: note, value: 2}\n", "f.yaml:8: note a stands here and in line 7", "remove one"},
        {HEAD "  - {name: a, kind: nota, value: 1}\n", "f.yaml:7: unknown kind 'nota'", "note"},
        {HEAD "  - a\n", "f.yaml:7: expected '- {name: NAME", ""},
        {"fsattn_facts: 2\nfacts:\n", "f.yaml:1: version '2'", ""},
        {"facts:\n", "f.yaml:1: no 'fsattn_facts: 1'", ""},
        {"fsattn_facts: 1\n", "f.yaml: no 'facts:'", "fsattn-probe"},
        {"fsattn_facts: 1\ndevise: x\n", "f.yaml:2: unknown key 'devise'", "device"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fsattn_facts facts;
        fsattn_err err = {0};
        cr_expect_neq(fsattn_facts_parse("f.yaml", rows[i].text, &facts, &err), FSATTN_OK, "%s", rows[i].text);
        cr_expect(strstr(err.message, rows[i].message), "'%s' is not in '%s'", rows[i].message, err.message);
        cr_expect(strstr(err.hint, rows[i].hint), "'%s' is not in '%s'", rows[i].hint, err.hint);
    }
}

Test(facts, the_simulator_takes_constants) {
    const fsattn_facts good = read_good("  - {name: lds_latency, kind: constant, value: 71.6, unit: cycles}\n"
                                        "  - {name: matrix_blocks_f8f6f4, kind: constant, value: 0, unit: percent}\n");
    sim_facts facts;
    fsattn_err err = {0};
    cr_assert_eq(sim_facts_make(&good, &facts, &err), FSATTN_OK, "%s", err.message);
    for (int bound = 0; bound < sim_bounds; bound++) {
        cr_expect_eq(facts.values[bound][SIM_CONSTANT_lds_latency], 72);
        cr_expect_eq(facts.values[bound][SIM_CONSTANT_matrix_blocks_f8f6f4], 0);
        cr_expect_eq(facts.values[bound][SIM_CONSTANT_convert_32], bound == SIM_PESSIMISTIC ? 64 : 16);
    }
    fsattn_text text = {0};
    sim_facts_text(&facts, &text);
    cr_expect(strstr(text.data, "probed: ") && strstr(text.data, "lds_latency 72") && strstr(text.data, "measured on A GPU"), "%s", text.data);
    fsattn_text_fini(&text);
    static const char *const bad[][2] = {{"lds_latancy", "unknown constant 'lds_latancy'"}, {"dies", "cannot be set"}};
    for (size_t i = 0; i < 2; i++) {
        char line[128];
        snprintf(line, sizeof line, "  - {name: %s, kind: constant, value: 7, unit: cycles}\n", bad[i][0]);
        const fsattn_facts file = read_good(line);
        cr_expect_eq(sim_facts_make(&file, &facts, &err), FSATTN_PARSE);
        cr_expect(strstr(err.message, bad[i][1]) && strstr(err.message, "f.yaml:7"), "%s", err.message);
    }
}

Test(facts, the_emulator_takes_switches) {
    const fsattn_facts facts = read_good("  - {name: pknorm_rounding, kind: switch, value: truncate}\n"
                                         "  - {name: pknorm_nan, kind: switch, value: one}\n"
                                         "  - {name: maximum3_nan, kind: switch, value: ignored}\n");
    const fsattn_exponential e = FSATTN_EXPONENTIAL_SCHRAUDOLPH_U16_BF16;
    cr_expect_eq(fsattn_exponential_code(e, NULL, 0.5f), 32768);
    cr_expect_eq(fsattn_exponential_code(e, &facts, 0.5f), 32767);
    cr_expect_eq(fsattn_exponential_code(e, NULL, NAN), 0);
    cr_expect_eq(fsattn_exponential_code(e, &facts, NAN), 65535);
    cr_expect_eq(fsattn_maximum3(NULL, 0x7e00, 0x3c00), 0x7e00);
    cr_expect_eq(fsattn_maximum3(&facts, 0x7e00, 0x3c00), 0x3c00);
    cr_expect_eq(fsattn_maximum3(&facts, 0x3c00, 0x7e00), 0x3c00);
}

/* docs/probe.md lists every switch with its assumed value. */
Test(facts, the_page_lists_the_switches) {
    char *text;
    size_t bytes;
    cr_assert_eq(fsattn_file_read(FSATTN_SOURCE_DIR "/docs/probe.md", 1 << 20, &text, &bytes, NULL), FSATTN_OK);
    for (int i = 0; i < fsattn_fact_switches; i++) {
        char row[256];
        snprintf(row, sizeof row, "| `%s` | %s |", fsattn_fact_switch_name((fsattn_fact_switch)i), fsattn_fact_switch_values((fsattn_fact_switch)i));
        cr_expect(strstr(text, row), "docs/probe.md lacks: %s", row);
    }
    fsattn_free(text);
}
