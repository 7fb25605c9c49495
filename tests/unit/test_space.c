#include "enumerate.h"
#include "memory.h"
#include "random.h"
#include "space.h"

#include "../support/space_folder.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static const char parameters[] =
    "{ name = 'tile_m', type = 'int', values = {128, 16, 32, 64, 24, 48}, default = 32, help = 'h' },\n"
    "{ name = 'growth', type = 'real', values = {0.1, 0.2, 0.3, 8.0, 1000.0}, default = 8.0, help = 'h' },\n"
    "{ name = 'fused', type = 'bool', default = false, help = 'h' },\n"
    "{ name = 'kind', type = 'enum', values = {'yes', 'no', 'on', '1e3'}, default = 'yes', help = 'h' },\n";
static const char constraints[] = "{ when = 'tile_m >= 16', reason = 'wide enough' }\n";

static space_folder make(void) {
    space_folder folder;
    space_folder_make(&folder, parameters, constraints);
    return folder;
}

/* Line 1 of every file that is only to show one mistake. */
#define HEAD "{template: toy, device: host, problems: [{d: 64}], "

/* ---- mistakes ---- */

static void check_bad(const space_folder *folder, const char *yaml, const char *message, const char *hint) {
    fsattn_space *space;
    fsattn_err err = {0};
    char expected[256];
    snprintf(expected, sizeof expected, "%s:%s", folder->space, message);
    cr_assert_eq(space_folder_load(folder, yaml, &space, &err), FSATTN_PARSE, "loaded:\n%s", yaml);
    cr_expect_str_eq(err.message, expected);
    cr_expect_str_eq(err.hint, hint, "%s: '%s'", err.message, err.hint);
}

typedef struct bad {
    const char *yaml, *message, *hint;
} bad;

static void check_all(const bad *cases, size_t count) {
    space_folder folder = make();
    for (size_t i = 0; i < count; i++) {
        check_bad(&folder, cases[i].yaml, cases[i].message, cases[i].hint);
    }
    space_folder_remove(&folder);
}
#define CHECK_ALL(cases) check_all(cases, sizeof cases / sizeof *cases)

static const char no_references[] =
    "write the value itself: the template declares its type, and spaces have no references";

Test(space, yaml_beyond_the_schema_is_refused) {
    static const bad cases[] = {
        {"", "1:1: the file is empty", "spaces/README.md has the schema"},
        {"# nothing\n", "1:1: the file is empty", "spaces/README.md has the schema"},
        {"- a\n", "1:1: the file: expected a map, got a list", "write {key: value}, or 'key: value' lines below it"},
        {"just text\n", "1:1: the file: expected a map, got text", "write {key: value}, or 'key: value' lines below it"},
        {"template: toy\ndevice: &d host\n", "2:9: anchor 'd'", no_references},
        {"template: toy\ndevice: *d\n", "2:9: alias 'd'", no_references},
        {"template: toy\nparameters: {tile_m: [!!int 32]}\n", "2:23: tag 'tag:yaml.org,2002:int'", no_references},
        {"template: toy\n<<: {a: 1}\n", "2:1: unknown key '<<'",
         "expected one of template, device, problems, sets, parameters, constraints, tiers, objective, accuracy, measurement, strategy, budget"},
        {"template: toy\ntemplate: toy\n", "2:1: the key 'template' stands on line 1 already", "keep one of the two"},
        {HEAD "\n budget: {seconds: 1, seconds: 2}}", "2:23: the key 'seconds' stands on line 2 already",
         "keep one of the two"},
        {"template: toy\n? [a]\n: b\n", "2:3: expected a key, got a list", "a key is a word"},
        {"template: toy\n'': b\n", "2:1: expected a key, got nothing", "a key is a word"},
        {"template: toy\n---\ntemplate: toy\n", "2:1: a second document",
         "a file holds one space: move the rest to a file of its own"},
        {"a: [[[[[[[[[[[[[[[[x]]]]]]]]]]]]]]]]\n", "1:19: nested deeper than 16", "a space needs four levels"},
        {"a: [1, 2\nb: 3\n", "2:2: while parsing a flow sequence: did not find expected ',' or ']'",
         "check the indentation; an expression that opens with a quote, [ or { goes into a literal block (|)"},
        {"a:\n\t- b\n", "2:1: a tab where spaces are expected",
         "indent with spaces, and put spaces between words"},
        {"a: @b\n", "1:4: nothing may begin with '@'", "quote it, or put an expression into a literal block (|)"},
        {"\xef\xbb\xbf" "a: b\n", "1:1: the file begins with a byte order mark",
         "save it as UTF-8 without BOM: sed -i '1s/^\\xEF\\xBB\\xBF//' FILE"},
        {"\xff\xfe" "a: b\n", "1:1: the file is UTF-16", "save it as UTF-8: iconv -f UTF-16 -t UTF-8"},
        {"a: b: c\n", "1:5: mapping values are not allowed in this context",
         "put an expression that holds ': ' into a literal block (|)"},
        {"a: 'b\n", "2:1: while scanning a quoted scalar: found unexpected end of stream", "close the quote"},
        {"a: \"b\\0c\"\n", "1:4: the text holds a NUL byte", "remove the \\0"},
        {"a: b\nc: \xff\n", "2:4: invalid leading UTF-8 octet", "save the file as UTF-8"},
        {"a: b\nc: \x01\n", "2:4: a control character (0x01)", "remove it; in double quotes it is written \\x01"},
    };
    CHECK_ALL(cases);
}

Test(space, keys_are_checked) {
    static const bad cases[] = {
        {"template: toy\nbudgt: {}\n", "2:1: unknown key 'budgt'", "did you mean 'budget'?"},
        {"device: host\nproblems: []\n", "1:1: 'template' is missing",
         "add 'template: ...'; spaces/README.md has the schema"},
        {"template: toy\nproblems: []\n", "1:1: 'device' is missing",
         "add 'device: ...'; spaces/README.md has the schema"},
        {"template: toy\ndevice: host\n", "1:1: 'problems' is missing",
         "add 'problems: ...'; spaces/README.md has the schema"},
        {"template: toy\ndevice: [host]\nproblems: []\n", "2:9: device: expected one value, got a list",
         "write one value behind the colon"},
        {"template: toy\ndevice:\nproblems: []\n", "2:8: device: expected one line of text, got nothing",
         "write the text behind the colon"},
        {"template: a/b\n", "1:11: template: expected a word, got 'a/b'",
         "a word consists of letters, digits, '_', '.', '+' and '-'"},
        {HEAD "budget: {second: 1}}", "1:61: budget: unknown key 'second'", "did you mean 'seconds'?"},
        {HEAD "budget: 30}", "1:60: budget: expected a map, got text",
         "write {key: value}, or 'key: value' lines below it"},
        {HEAD "objective: memory}", "1:63: objective: unknown value 'memory'", "expected time"},
        {HEAD "measurement: {cache: cool}}", "1:73: measurement.cache: unknown value 'cool'", "expected one of warm, cold"},
        {HEAD "measurement: {samples_min: 9, samples_max: 3}}",
         "1:65: measurement: samples_min 9 is larger than samples_max 3", "raise samples_max to at least 9"},
        {HEAD "accuracy: {min_cosine: 1.5}}", "1:75: accuracy.min_cosine: 1.5 is out of range", "from -1 to 1"},
        {HEAD "strategy: {name: [a]}}", "1:69: strategy.name: expected one value, got a list",
         "write one value behind the colon"},
        {HEAD "strategy: {starts: {a: 1}}}", "1:71: strategy.starts: expected one value, got a map",
         "write one value behind the colon"},
    };
    CHECK_ALL(cases);
}

Test(space, no_text_changes_its_meaning) {
    static const bad cases[] = {
        {HEAD "budget: {seconds: 08}}", "1:70: budget.seconds: expected a number, got '08'", "write 8.0"},
        {HEAD "budget: {evaluations: 1e3}}", "1:74: budget.evaluations: expected an integer, got '1e3'", "write 1000"},
        {HEAD "budget: {seconds: .inf}}", "1:70: budget.seconds: expected a number, got '.inf'",
         "write a finite decimal number such as 0.5 or 1e-3"},
        {HEAD "parameters: {tile_m: [0x10]}}", "1:74: tile_m: expected an integer, got '0x10'", "write 16"},
        {HEAD "parameters: {tile_m: [1e3]}}", "1:74: tile_m: expected an integer, got '1e3'", "write 1000"},
        {HEAD "parameters: {tile_m: [016]}}", "1:74: tile_m: expected an integer, got '016'",
         "write 16 (or 14 if octal was meant)"},
        {HEAD "parameters: {tile_m: [1_6]}}", "1:74: tile_m: expected an integer, got '1_6'", "write 16"},
        {HEAD "parameters: {tile_m: [~]}}", "1:74: tile_m: expected an integer, got '~'", "write a decimal integer"},
        {HEAD "parameters: {tile_m: ['32']}}", "1:74: tile_m: expected type int, got the text \"32\"",
         "write it without quotes, on the line of its key"},
        {HEAD "parameters: {fused: no}}", "1:72: fused: expected true or false, got 'no'", "write false"},
        {HEAD "parameters: {fused: 1}}", "1:72: fused: expected true or false, got '1'", "write true"},
        {HEAD "parameters: {growth: 1_000.0}}", "1:73: growth: expected a number, got '1_000.0'", "write 1e+03"},
        {HEAD "parameters: {kind: off}}", "1:71: kind: 'off' is not a legal value", "legal values: yes, no, on, 1e3"},
        {HEAD "parameters: {tile_m:\n  }}", "2:3: tile_m: expected an integer, got ''", "write a decimal integer"},
    };
    CHECK_ALL(cases);
}

Test(space, axes_are_checked) {
    static const bad cases[] = {
        {HEAD "parameters: {tile_k: [1]}}", "1:65: parameters: toy has no parameter 'tile_k'",
         "did you mean 'tile_m'?"},
        {HEAD "tiers: {}}", "1:59: tiers: expected 1 to 8, got 0", "leave the key out to search the space as a whole"},
        {HEAD "tiers: {a: {tile_k: 1}}}", "1:64: tiers.a: toy has no parameter 'tile_k'",
         "did you mean 'tile_m'?"},
        {HEAD "tiers: {a: {tile_m: 16}}}", "1:64: tiers.a: the space does not search tile_m=16",
         "add the value to `parameters`, or leave it out here"},
        {HEAD "parameters: {tile_m: [16, 32]},\n tiers: {a: {tile_m: 16}, b: {}}}", "2:27: tiers: 'a' and 'b' share configurations",
         "give them different values of one parameter"},
        {HEAD "parameters: {tile_m: []}}", "1:73: tile_m: the axis is empty",
         "name at least one value, or leave the parameter out to fix it at its default"},
        {HEAD "parameters: {tile_m: [32, 40]}}", "1:78: tile_m: '40' is not a legal value",
         "legal values: 128, 16, 32, 64, 24, 48"},
        {HEAD "parameters: {tile_m: [32, 64, 32]}}", "1:82: tile_m: '32' occurs twice", "remove one of them"},
        {HEAD "parameters: {tile_m: [[32]]}}", "1:74: tile_m: expected one value, got a list",
         "write one value behind the colon"},
        {HEAD "parameters: {tile_m: {from: 64, to: 16, factor: 2}}}",
         "1:73: tile_m: the range is reversed: from 64 is larger than to 16", "write from: 16, to: 64"},
        {HEAD "parameters: {tile_m: {from: 16, to: 64}}}",
         "1:73: tile_m: a range has from, to, and either step or factor",
         "write {from: 16, to: 64, step: 16} or {from: 16, to: 64, factor: 2}"},
        {HEAD "parameters: {tile_m: {from: 16, to: 64, step: 1, factor: 2}}}",
         "1:73: tile_m: a range has from, to, and either step or factor",
         "write {from: 16, to: 64, step: 16} or {from: 16, to: 64, factor: 2}"},
        {HEAD "parameters: {tile_m: {from: 16, to: 64, stop: 1}}}", "1:92: tile_m: unknown key 'stop'",
         "did you mean 'step'?"},
        {HEAD "parameters: {tile_m: {from: 16, to: 64, step: 0}}}", "1:73: tile_m: step must be larger than 0",
         "write step: 1 or more"},
        {HEAD "parameters: {tile_m: {from: 16, to: 64, factor: 1}}}",
         "1:73: tile_m: a range with a factor opens above 0 and has a factor above 1",
         "write {from: 1, to: 8, factor: 2}"},
        {HEAD "parameters: {tile_m: {from: 16, to: 50, step: 8}}}",
         "1:73: tile_m: '40' is not a legal value, and the range holds it", "legal values: 128, 16, 32, 64, 24, 48"},
        {HEAD "parameters: {tile_m: {from: 16, to: 100, factor: 2}}}",
         "1:73: tile_m: the range does not reach its end: 64 is followed by 128", "write to: 64"},
        {HEAD "parameters: {tile_m: {from: 0x10, to: 64, factor: 2}}}",
         "1:80: tile_m.from: expected an integer, got '0x10'", "write 16"},
        {HEAD "parameters: {tile_m: {from: 16, to: 99999999999999999, factor: 2}}}",
         "1:88: tile_m.to: 99999999999999999 is out of range", "list such values one by one"},
        {HEAD "parameters: {kind: {from: 1, to: 2, step: 1}}}", "1:71: kind: a range needs numbers",
         "list the values: [a, b]"},
    };
    CHECK_ALL(cases);
}

Test(space, constraints_are_checked) {
    static const bad cases[] = {
        {"template: toy\ndevice: host\nproblems: [{d: 64}]\nconstraints:\n- 1 < 2\n",
         "5:3: the constraint names no parameter",
         "it would hold for all configurations or for none: compare a parameter of toy"},
        {HEAD "constraints: [problem.head_dim == 64]}", "1:66: the constraint names no parameter",
         "it would hold for all configurations or for none: compare a parameter of toy"},
        {"template: toy\ndevice: host\nproblems: [{d: 64}]\nconstraints:\n- tile_m == tile_n\n",
         "5:13: unknown name 'tile_n': toy has no such parameter", "did you mean 'tile_m'?"},
        {"template: toy\ndevice: host\nproblems: [{d: 64}]\nconstraints:\n- when: |\n    tile_m ==\n      tile_k\n",
         "7:7: unknown name 'tile_k': toy has no such parameter", "did you mean 'tile_m'?"},
        {"template: toy\ndevice: host\nproblems: [{d: 64}]\nconstraints:\n- when: |2\n     tile_m == 1 and (\n",
         "6:23: unexpected symbol near <eof>",
         "write a condition in Lua, such as tile_m % reg_m == 0 and not fused"},
        {HEAD "constraints: [tile_m % == 0]}", "1:75: unexpected symbol near '=='",
         "write a condition in Lua, such as tile_m % reg_m == 0 and not fused"},
        {HEAD "constraints: ['tile_m == 32']}", "1:66: constraints: the expression is quoted",
         "write it plain on one line, or in a literal block (|)"},
        {"template: toy\ndevice: host\nproblems: [{d: 64}]\nconstraints:\n- tile_m ==\n  32\n",
         "5:3: constraints: the expression is folded", "write it plain on one line, or in a literal block (|)"},
        {"template: toy\ndevice: host\nproblems: [{d: 64}]\nconstraints:\n- when: >\n    tile_m == 32\n",
         "5:9: constraints.when: the expression is folded", "write it plain on one line, or in a literal block (|)"},
        {HEAD "constraints: [{reason: r}]}", "1:66: constraints: 'when' is missing",
         "add 'when: ...'; spaces/README.md has the schema"},
        {HEAD "constraints: [{when: tile_m > 1, why: r}]}", "1:85: constraints: unknown key 'why'",
         "expected one of when, reason"},
        {HEAD "constraints: [{when: , reason: r}]}", "1:73: constraints.when: the expression is empty",
         "write a condition such as tile_m % reg_m == 0"},
        {HEAD "constraints: [tile_m > 16, tile_m > 16]}", "1:79: the constraint stands on line 1 already",
         "remove one of them"},
        {HEAD "constraints: {a: 1}}", "1:65: constraints: expected a list, got a map",
         "write [a, b], or '- a' lines below it"},
    };
    CHECK_ALL(cases);
}

#define TOP "template: toy\ndevice: host\n"
Test(space, problems_are_checked) {
    static const bad cases[] = {
        {TOP "problems: []\n", "3:11: problems: the list is empty",
         "write entries such as - {name: bert_base, h: 12, s: 512, d: 64}"},
        {TOP "problems: {d: 64}\n", "3:11: problems: expected a list, got a map",
         "write [a, b], or '- a' lines below it"},
        {TOP "problems: [64]\n", "3:12: problems: expected a map, got text",
         "write {key: value}, or 'key: value' lines below it"},
        {TOP "problems: [{dim: 64}]\n", "3:13: problems: unknown key 'dim'",
         "expected one of b, h, hq, hkv, s, sq, sk, d, dtype, q, kv, o, layout, mask, lse, scale, name"},
        {TOP "problems: [{d: 064}]\n", "3:16: problems.d: expected an integer, got '064'",
         "write 64 (or 52 if octal was meant)"},
        {TOP "problems: [{d: 99999999999999999999}]\n", "3:16: problems.d: expected an integer, got '99999999999999999999'",
         "it is too large: an integer has 63 bits, at most 9223372036854775807"},
        {TOP "problems: [{b: 0}]\n", "3:16: problems.b: 0 is out of range", "from 1 to 4611686018427387904"},
        {TOP "problems: [{dtype: fp32}]\n", "3:20: problems.dtype: unknown value 'fp32'", "did you mean 'f32'?"},
        {TOP "problems: [{lse: 1}]\n", "3:18: problems.lse: expected true or false, got '1'", "write true"},
        {TOP "problems: [{s: []}]\n", "3:16: problems.s: the list is empty",
         "write from 1 to 4096 values, or leave the key out"},
        {TOP "problems: [{s: [64, 32, 64]}]\n", "3:25: problems.s: '64' occurs twice", "remove one of them"},
        {TOP "problems: [{h: 12, hkv: 4}]\n", "3:25: problems: 'hkv' says again what 'h' says",
         "keep 'h', or write all of its parts instead"},
        {TOP "problems: [{hq: 12}]\n", "3:17: problems: 'hq' without 'hkv'", "add 'hkv', or write 'h' for all"},
        {TOP "problems: [{q: bf16, o: bf16}]\n", "3:16: problems: 'q' without 'kv'",
         "add 'kv', or write 'dtype' for all"},
        {TOP "problems: [{hq: 12, hkv: 5}]\n",
         "3:12: attention_fwd b=1 hq=12 hkv=5 sq=1 sk=1 d=128 q=f32 kv=f32 o=f32 layout=bshd mask=none lse=0 "
         "scale=default: problem.heads_q: expected a multiple of heads_kv (5), got 12",
         "change the sizes"},
        {TOP "problems: [{name: big, d: 512}]\n", "3:12: big: toy does not serve this problem",
         "it needs: problem.head_dim <= 256"},
        {TOP "problems: [{name: all}]\n", "3:19: problems.name: 'all' means every problem", "choose another name"},
        {TOP "problems:\n- {name: a, s: 1}\n- {name: a, s: 2}\n", "5:3: problems: 'a' stands on line 4 already",
         "choose another name"},
        {TOP "problems:\n- {name: a, s: [1, 2]}\n- {name: b, sq: 2, sk: 2}\n",
         "5:3: b: the same problem as a[s=2] on line 4", "remove one of them"},
        {TOP "problems:\n- {scale: 0}\n", "4:11: problems.scale: 0 is out of range", "from 1e-30 to 1e+30"},
    };
    CHECK_ALL(cases);
}

Test(space, sets_are_checked) {
    static const bad cases[] = {
        {TOP "problems: [{name: aa}]\nsets: {s: [ab]}\n", "4:12: sets.s: no problem is named 'ab'",
         "expected aa"},
        {TOP "problems: [{name: aa}]\nsets: {s: []}\n", "4:11: sets.s: the list is empty",
         "name problems, or remove the set"},
        {TOP "problems: [{name: aa}]\nsets: {aa: [aa]}\n", "4:8: sets.aa: the name means problems already",
         "choose another name for the set"},
        {TOP "problems: [{name: aa}]\nsets: {all: [aa]}\n", "4:8: sets.all: the name means problems already",
         "choose another name for the set"},
        {TOP "problems: [{name: aa}]\nsets: {s: [aa, aa]}\n", "4:16: sets.s: 'aa' is in the set already",
         "remove one of them"},
        {TOP "problems: [{d: 64}]\nsets: {s: [aa]}\n", "4:12: sets.s: no problem is named 'aa'",
         "give the problems names"},
    };
    CHECK_ALL(cases);
}

static void check_error(const char *path, const char *templates, fsattn_status status, const char *message,
                        const char *hint) {
    fsattn_space *space;
    fsattn_err err = {0};
    cr_assert_eq(fsattn_space_load(path, templates, &space, &err), status, "%s", err.message);
    cr_assert_str_eq(err.message, message);
    cr_assert_str_eq(err.hint, hint);
}

Test(space, files_and_templates_that_are_not_there) {
    space_folder folder = make();
    char message[512];
    check_error("/nowhere/a.yaml", NULL, FSATTN_NOT_FOUND, "/nowhere/a.yaml: No such file or directory", "");
    space_folder_write(folder.space, "template: tony\n", 15);
    snprintf(message, sizeof message, "%s:1:11: template: there is no '%s/tony/manifest.lua'", folder.space,
             folder.templates);
    check_error(folder.space, folder.templates, FSATTN_PARSE, message, "did you mean 'toy'?");
    char elsewhere[128], hint[256];
    snprintf(elsewhere, sizeof elsewhere, "%s/nothing", folder.path);
    snprintf(message, sizeof message, "%s:1:11: template: there is no '%s/tony/manifest.lua'", folder.space, elsewhere);
    snprintf(hint, sizeof hint,
             "templates are looked for beside the space's folder, in %s: name another with --templates FOLDER", elsewhere);
    check_error(folder.space, elsewhere, FSATTN_PARSE, message, hint);
    /* A mistake in the manifest has its own file. */
    space_folder_write(folder.space, "template: toy\n", 14);
    space_folder_write(folder.manifest, "return 1\n", 9);
    snprintf(message, sizeof message, "%s:1:8: the file must return one table, got a number", folder.manifest);
    check_error(folder.space, folder.templates, FSATTN_PARSE, message, "");
    space_folder_remove(&folder);
}

Test(space, large_files_are_refused_by_their_size) {
    space_folder folder = make();
    char message[256];
    static const char hint[] = "a space says what may vary, not every configuration: use ranges and constraints";
    space_folder_write(folder.space, "", 0);
    cr_assert_eq(truncate(folder.space, 100 << 20), 0);
    snprintf(message, sizeof message, "%s:1:1: 104857600 bytes, more than the limit of 1048576", folder.space);
    check_error(folder.space, folder.templates, FSATTN_PARSE, message, hint);
    cr_assert_eq(truncate(folder.space, (1 << 20) + 1), 0);
    snprintf(message, sizeof message, "%s:1:1: 1048577 bytes, more than the limit of 1048576", folder.space);
    check_error(folder.space, folder.templates, FSATTN_PARSE, message, hint);
    cr_assert_eq(unlink(folder.space), 0);
    cr_assert_eq(mkfifo(folder.space, 0600), 0);
    snprintf(message, sizeof message, "%s: not a regular file", folder.space);
    check_error(folder.space, folder.templates, FSATTN_INVALID, message, "name the file of a space, as in spaces/host.yaml");
    space_folder_remove(&folder);
}

/* Files just under the limit that a careless reader takes minutes or all of the memory for. */
Test(space, files_below_the_limit_stay_cheap) {
    static const struct {
        const char *opening, *repeated, *message;
    } cases[] = {
        {"", "[", "1:17: nested deeper than 16"},
        {"a: ", "[", "1:19: nested deeper than 16"},
        {"", "- ", "1:33: nested deeper than 16"},
        {"", "? ", "1:3: expected a key, got a map"},
        {"a: [", "{},", "2:1: while parsing a flow node: did not find expected node content"},
        {"a: ", "x", "1:1: unknown key 'a'"},
    };
    space_folder folder = make();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fsattn_text yaml = {0};
        char message[128];
        fsattn_text_puts(&yaml, cases[i].opening);
        while (yaml.bytes < ((size_t)1 << 20) - 64) {
            fsattn_text_puts(&yaml, cases[i].repeated);
        }
        fsattn_text_puts(&yaml, "\n");
        snprintf(message, sizeof message, "%s", cases[i].message);
        fsattn_space *space;
        fsattn_err err;
        cr_assert_eq(space_folder_load(&folder, yaml.data, &space, &err), FSATTN_PARSE);
        const char *place = strrchr(err.message, '/');
        cr_expect_str_eq(strchr(place, ':') + 1, message);
        fsattn_text_fini(&yaml);
    }
    fsattn_text yaml = {0};
    for (int i = 0; i < 1100; i++) {
        fsattn_text_printf(&yaml, "k%d: 1\n", i);
    }
    check_bad(&folder, yaml.data, "1025:1: more than 1024 keys in one map", "a space has a handful of keys");
    fsattn_text_fini(&yaml);
    space_folder_remove(&folder);
}

/* ---- what is right ---- */

static fsattn_space *load(const space_folder *folder, const char *yaml) {
    fsattn_space *space;
    fsattn_err err;
    cr_assert_eq(space_folder_load(folder, yaml, &space, &err), FSATTN_OK, "%s (%s)", err.message, err.hint);
    return space;
}

static void check_axis(const fsattn_space *space, const char *name, const char *expected) {
    size_t index;
    const fsattn_parameter *parameter = fsattn_parameter_find(&space->manifest->parameters, name, &index);
    fsattn_text text = {0};
    for (size_t i = 0; i < space->axes[index].count; i++) {
        fsattn_text_puts(&text, i ? " " : "");
        fsattn_value_text(&parameter->values[space->axes[index].values[i]], &text);
    }
    cr_expect_str_eq(text.data, expected);
    fsattn_text_fini(&text);
}

Test(space, defaults) {
    space_folder folder = make();
    fsattn_space *space = load(&folder, TOP "problems: [{}]\n");
    fsattn_problem plain;
    fsattn_problem_init(&plain);
    cr_assert_eq(space->problem_count, 1);
    cr_assert(fsattn_problem_equal(&space->problems[0].problem, &plain));
    cr_assert_str_eq(space->problems[0].entry, "");
    cr_assert_str_eq(space->problems[0].name,
                     "attention_fwd b=1 hq=1 hkv=1 sq=1 sk=1 d=128 q=f32 kv=f32 o=f32 layout=bshd mask=none lse=0 "
                     "scale=default");
    cr_assert_str_eq(space->path, folder.space);
    cr_assert_str_eq(space->device, "host");
    cr_assert_eq(space->set_count, 0);
    check_axis(space, "tile_m", "32");
    check_axis(space, "growth", "8.0");
    check_axis(space, "fused", "false");
    check_axis(space, "kind", "yes");
    cr_assert_eq(space->axes[0].place.line, 0);
    cr_assert_eq(space->constraint_count, 1);
    cr_assert_str_eq(space->constraints[0].reason, "wide enough");
    cr_assert_str_eq(space->constraints[0].file, folder.manifest);
    cr_assert_eq(space->objective, FSATTN_OBJECTIVE_TIME);
    cr_assert_str_eq(space->accuracy.distribution, "normal");
    cr_assert(isinf(space->accuracy.max_relative_error) && isinf(space->accuracy.max_error));
    cr_assert_eq(space->accuracy.min_cosine, -1);
    cr_assert_eq(space->accuracy.place.line, 0);
    cr_assert_eq(space->measurement.warmup, 2);
    cr_assert_eq(space->measurement.samples_min, 5);
    cr_assert_eq(space->measurement.samples_max, 50);
    cr_assert_eq(space->measurement.spread, 0.02);
    cr_assert_eq(space->measurement.time_limit_s, 10);
    cr_assert(!space->measurement.cold);
    cr_assert_str_eq(space->strategy.name, "auto");
    cr_assert_eq(space->strategy.seed, 1);
    cr_assert_eq(space->strategy.option_count, 0);
    cr_assert_eq(space->budget.seconds, 600);
    cr_assert_eq(space->budget.evaluations, INT64_MAX);
    fsattn_space_destroy(space);
    space_folder_remove(&folder);
}

Test(space, every_key) {
    space_folder folder = make();
    fsattn_space *space = load(
        &folder, "budget: {seconds: unlimited, evaluations: 7}\n"
                 "strategy: {starts: 4, name: random, seed: 9, gain: 0.5}\n"
                 "measurement: {warmup: 0, samples_min: 1, samples_max: 2, spread: 0, cache: cold, time_limit_s: 0.5}\n"
                 "accuracy: {distribution: outliers, max_relative_error: 1e-3, max_error: 2, min_cosine: 0.9}\n"
                 "objective: time\n"
                 "constraints:\n- tile_m < 128\n- when: |\n\n    tile_m > 16\n      and growth > 0.1\n  reason: because\n"
                 "parameters:\n  kind: [1e3, no, 'on']\n  fused: [true, false]\n"
                 "  growth: {from: 0.1, to: 0.3, step: 0.1}\n  tile_m: {to: 128, factor: 2, from: 16}\n"
                 "sets: {one: [x], both: ['y[s=8 mask=none]', x]}\n"
                 "problems:\n- {name: y, mask: [causal, none], s: [16, 8], d: 64, dtype: bf16}\n"
                 "- {name: x, sq: 3, sk: 9, hq: 4, hkv: 2, d: 64, q: f32, kv: bf16, o: f16, layout: bhsd, lse: true,\n"
                 "   scale: 0.5, b: 2}\n"
                 "device: scripted:costs.txt\ntemplate: toy\n");
    cr_assert_str_eq(space->device, "scripted:costs.txt");
    cr_assert_eq(space->device_place.line, 23);
    cr_assert_eq(space->device_place.column, 9);
    cr_assert(isinf(space->budget.seconds));
    cr_assert_eq(space->budget.evaluations, 7);
    cr_assert_str_eq(space->strategy.name, "random");
    cr_assert_eq(space->strategy.seed, 9);
    cr_assert_eq(space->strategy.option_count, 2);
    cr_assert_str_eq(space->strategy.options[0].name, "gain");
    cr_assert_str_eq(space->strategy.options[0].value, "0.5");
    cr_assert_str_eq(space->strategy.options[1].name, "starts");
    cr_assert_eq(space->strategy.options[1].name_place.column, 12);
    cr_assert_eq(space->strategy.options[1].place.column, 20);
    cr_assert_eq(space->measurement.warmup, 0);
    cr_assert_eq(space->measurement.spread, 0);
    cr_assert(space->measurement.cold);
    cr_assert_eq(space->measurement.time_limit_s, 0.5);
    cr_assert_str_eq(space->accuracy.distribution, "outliers");
    cr_assert_eq(space->accuracy.distribution_place.column, 26);
    cr_assert_eq(space->accuracy.max_relative_error, 1e-3);
    cr_assert_eq(space->accuracy.max_error, 2);
    cr_assert_eq(space->accuracy.min_cosine, 0.9);
    check_axis(space, "tile_m", "128 16 32 64"); /* in the manifest's order */
    check_axis(space, "growth", "0.1 0.2 0.3");
    check_axis(space, "fused", "false true");
    check_axis(space, "kind", "no on 1e3");
    cr_assert_eq(space->constraint_count, 3);
    cr_assert_str_eq(space->constraints[1].reason, "tile_m < 128");
    cr_assert_str_eq(space->constraints[1].file, folder.space);
    cr_assert_str_eq(space->constraints[2].reason, "because");
    cr_assert_eq(space->constraints[2].place.line, 10);
    cr_assert_eq(space->constraints[2].place.column, 5);
    static const char *const names[] = {"y[s=8 mask=none]", "y[s=8 mask=causal]", "y[s=16 mask=none]",
                                        "y[s=16 mask=causal]", "x"};
    cr_assert_eq(space->problem_count, 5);
    for (size_t i = 0; i < 5; i++) {
        cr_expect_str_eq(space->problems[i].name, names[i]);
    }
    char text[fsattn_problem_text_bytes];
    fsattn_problem_text(&space->problems[4].problem, text);
    cr_assert_str_eq(text, "attention_fwd b=2 hq=4 hkv=2 sq=3 sk=9 d=64 q=f32 kv=bf16 o=f16 layout=bhsd mask=none lse=1 "
                           "scale=0.5");
    fsattn_space_destroy(space);
    space_folder_remove(&folder);
}

Test(space, tiers_are_parts_with_starts_of_their_own) {
    space_folder folder = make();
    fsattn_space *space = load(&folder, TOP "problems: [{d: 64}]\nparameters: {tile_m: [16, 32, 64], fused: [true, false]}\n"
                                            "tiers:\n  wide: {tile_m: 64}\n  narrow: {tile_m: [16, 32], fused: true}\n");
    static const char *const starts[] = {"fused=true growth=8.0 kind=yes tile_m=32", "fused=false growth=8.0 kind=yes tile_m=64"};
    static const uint64_t counts[] = {2, 2};
    cr_assert_eq(fsattn_space_part_count(space), 2);
    for (size_t i = 0; i < 2; i++) {
        fsattn_space part;
        fsattn_config start;
        fsattn_enumeration *enumeration;
        fsattn_text text = {0};
        fsattn_err err;
        fsattn_space_part(space, i, &part, &start);
        fsattn_config_text(&space->manifest->parameters, &start, &text);
        cr_expect_str_eq(text.data, starts[i]);
        fsattn_setting setting = {&space->problems[0].problem, "x86_64"};
        cr_assert_eq(fsattn_enumeration_create(&part, &setting, &enumeration, &err), FSATTN_OK, "%s", err.message);
        cr_expect_eq(fsattn_enumeration_count(enumeration), counts[i]);
        fsattn_enumeration_destroy(enumeration);
        fsattn_text_fini(&text);
    }
    fsattn_space_destroy(space);
    space_folder_remove(&folder);
}

static void check_select(const fsattn_space *space, const char *name, const char *expected) {
    const size_t *problems;
    size_t count;
    fsattn_text text = {0};
    fsattn_err err;
    cr_assert_eq(fsattn_space_select(space, name, &problems, &count, &err), FSATTN_OK, "%s", err.message);
    for (size_t i = 0; i < count; i++) {
        fsattn_text_printf(&text, "%zu ", problems[i]);
    }
    cr_expect_str_eq(text.data, expected);
    fsattn_text_fini(&text);
}

Test(space, problems_are_selected_by_set_entry_and_name) {
    space_folder folder = make();
    fsattn_space *space = load(&folder, TOP "problems:\n- {name: a, s: [2, 1]}\n- {name: b, s: 3}\n- {s: 4}\n"
                                            "sets: {one: [b], two: [b, 'a[s=2]']}\n");
    check_select(space, NULL, "0 1 2 3 ");
    check_select(space, "all", "0 1 2 3 ");
    check_select(space, "a", "0 1 ");
    check_select(space, "b", "2 ");
    check_select(space, "one", "2 ");
    check_select(space, "two", "1 2 ");
    check_select(space, "a[s=2]", "1 ");
    const size_t *problems;
    size_t count;
    fsattn_err err;
    char message[256];
    cr_assert_eq(fsattn_space_select(space, "onee", &problems, &count, &err), FSATTN_NOT_FOUND);
    snprintf(message, sizeof message, "%s: no set or problem is named 'onee'", folder.space);
    cr_assert_str_eq(err.message, message);
    cr_assert_str_eq(err.hint, "did you mean 'one'?");
    fsattn_space_destroy(space);
    space_folder_remove(&folder);
}

Test(space, templates_are_found_beside_the_spaces) {
    space_folder folder = make();
    char path[128];
    fsattn_space *space;
    fsattn_err err;
    static const char yaml[] = TOP "problems: [{}]\n";
    snprintf(path, sizeof path, "%s/spaces", folder.path);
    cr_assert_eq(fsattn_folder_make(path, &err), FSATTN_OK);
    snprintf(path, sizeof path, "%s/spaces/a.yaml", folder.path);
    space_folder_write(path, yaml, sizeof yaml - 1);
    cr_assert_eq(fsattn_space_load(path, NULL, &space, &err), FSATTN_OK, "%s", err.message);
    fsattn_hash hash = fsattn_hash_of(yaml, sizeof yaml - 1);
    cr_assert_eq(fsattn_hash_compare(&space->hash, &hash), 0);
    fsattn_space_destroy(space);
    space_folder_remove(&folder);
}

Test(space, a_mistake_elsewhere_can_be_told_in_the_same_form) {
    space_folder folder = make();
    fsattn_space *space = load(&folder, TOP "problems: [{}]\n");
    fsattn_err err;
    char message[256];
    cr_assert_eq(fsattn_space_fail(space, space->device_place, &err, "no %s", "such device"), FSATTN_PARSE);
    snprintf(message, sizeof message, "%s:2:9: no such device", folder.space);
    cr_assert_str_eq(err.message, message);
    fsattn_space_fail(space, space->budget.place, &err, "too long");
    snprintf(message, sizeof message, "%s: too long", folder.space);
    cr_assert_str_eq(err.message, message);
    fsattn_space_destroy(space);
    space_folder_remove(&folder);
}

Test(space, out_of_memory_is_an_error_wherever_it_strikes) {
    space_folder folder = make();
    static const char yaml[] = TOP "problems: [{name: a, s: [1, 2]}]\nsets: {s: [a]}\nstrategy: {x: 1}\n"
                                   "parameters: {tile_m: [16, 32]}\nconstraints: [tile_m > 16]\n";
    space_folder_write(folder.space, yaml, sizeof yaml - 1);
    fsattn_space *space = NULL;
    fsattn_err err;
    fsattn_status status = FSATTN_NO_MEMORY;
    int64_t allocations = 1;
    for (; allocations < 5000 && status != FSATTN_OK; allocations++) {
        fsattn_memory_fail_after(allocations);
        status = fsattn_space_load(folder.space, folder.templates, &space, &err);
        fsattn_memory_fail_after(0);
        cr_assert(status == FSATTN_OK || status == FSATTN_NO_MEMORY, "%s", err.message);
    }
    cr_assert(allocations > 20 && status == FSATTN_OK);
    fsattn_space_destroy(space);
    space_folder_remove(&folder);
}

/* A few random bytes changed in a sound file: it loads, or the mistake has a place and a way out. */
Test(space, damaged_files_are_refused_with_a_place) {
    static const char yaml[] =
        TOP "problems:\n- {name: y, mask: [causal, none], s: [16, 8], d: 64}\nsets: {one: [y]}\n"
            "parameters:\n  tile_m: {from: 16, to: 64, factor: 2}\n  kind: [no, 'on']\n  growth: [0.1, 8.0]\n"
            "constraints:\n- when: |\n    tile_m > 16 and kind == 'no'\n  reason: because\n- growth * tile_m < 900\n"
            "accuracy: {max_error: 1e-3}\nbudget: {seconds: 1}\nstrategy: {name: random, seed: 1}\n";
    static const char bytes[] = "{}[]:,-?&*!|>'\"%@`#~ \n\t0189azAZ_=<\x01\x80\xc3\xff";
    space_folder folder = make();
    uint64_t counter = 0;
    size_t loaded = 0, hintless = 0;
    for (int round = 0; round < 3000; round++) {
        char copy[sizeof yaml];
        memcpy(copy, yaml, sizeof copy);
        for (uint64_t change = fsattn_random_below(1, 0, counter++, 3); change < 3; change++) {
            size_t at = fsattn_random_below(1, 0, counter++, sizeof yaml - 1);
            copy[at] = bytes[fsattn_random_below(1, 0, counter++, sizeof bytes - 1)];
        }
        fsattn_space *space = NULL;
        fsattn_err err;
        int line, column, used = 0;
        fsattn_status status = space_folder_load(&folder, copy, &space, &err);
        loaded += status == FSATTN_OK;
        if (status != FSATTN_OK) {
            cr_assert_eq(status, FSATTN_PARSE, "%s\n%s", err.message, copy);
            size_t prefix = strlen(folder.space);
            cr_assert(!strncmp(err.message, folder.space, prefix), "%s", err.message);
            sscanf(err.message + prefix, ":%d:%d: %n", &line, &column, &used);
            cr_assert(used && line >= 1 && column >= 1, "%s\n%s", err.message, copy);
            hintless += !*err.hint;
        }
        fsattn_space_destroy(space);
    }
    cr_assert(loaded > 20 && loaded < 2000, "%zu loaded", loaded);
    cr_assert_eq(hintless, 0);
    space_folder_remove(&folder);
}

/* ---- the spaces that come with the project ---- */

static void check_shipped(const char *name, uint64_t least) {
    static const char *const isas[] = {"x86_64+avx+avx2+fma", "x86_64+avx+avx2+fma+avx512f+avx512bw+avx512dq+avx512vl"};
    char path[512];
    fsattn_space *space;
    fsattn_err err;
    snprintf(path, sizeof path, "%s/spaces/%s", FSATTN_SOURCE_DIR, name);
    cr_assert_eq(fsattn_space_load(path, NULL, &space, &err), FSATTN_OK, "%s (%s)", err.message, err.hint);
    for (size_t i = 0; i < space->problem_count * 2; i++) {
        fsattn_setting setting = {&space->problems[i / 2].problem, isas[i % 2]};
        fsattn_enumeration *enumeration;
        cr_assert_eq(fsattn_enumeration_create(space, &setting, &enumeration, &err), FSATTN_OK, "%s", err.message);
        cr_expect_geq(fsattn_enumeration_count(enumeration), least);
        const char *reason;
        fsattn_config config;
        for (uint64_t draw = 0; draw < 50; draw++) {
            fsattn_enumeration_at(enumeration, fsattn_enumeration_sample(enumeration, 1, i, draw), &config);
            cr_assert_eq(fsattn_manifest_check(space->manifest, &setting, &config, &reason, &err), FSATTN_OK);
            cr_assert_null(reason, "%s", reason);
        }
        uint64_t index;
        cr_expect(strcmp(name, "host.yaml") != 0 ||
                  fsattn_enumeration_find(enumeration, &space->manifest->defaults, &index));
        fsattn_enumeration_destroy(enumeration);
    }
    const size_t *problems;
    size_t count;
    cr_assert_eq(fsattn_space_select(space, "smoke", &problems, &count, &err), FSATTN_OK);
    fsattn_space_destroy(space);
}

Test(space, the_host_has_thousands_of_valid_configurations) {
    check_shipped("host.yaml", 2000);
    check_shipped("host_approximate.yaml", 2000);
}
