/* Templates and manifests: what they say, where their mistakes are, what they cannot do. */
#include "../support/space_folder.h"
#include "memory.h"
#include "template.h"

#include <time.h>

#define PARAMETERS                                                                                           \
    "{ name = 'tile_m', type = 'int', values = { 32, 64 }, default = 64, help = 'rows' },\n"                 \
    "{ name = 'kind', type = 'enum', values = { 'a', 'b' }, default = 'a', help = 'what' },\n"               \
    "{ name = 'cap', type = 'real', values = { 0.5, 8 }, default = 8, help = 'limit' },\n"                   \
    "{ name = 'fast', type = 'bool', values = { false, true }, default = true, help = 'whether' },\n"

static space_folder folder;
static fsattn_manifest *manifest;
static fsattn_problem problem;

static void make(void) {
    fsattn_err err = {0};
    space_folder_make(&folder, PARAMETERS, "{ when = 'tile_m == 64 or kind == \"a\"', reason = 'b needs 64' },");
    cr_assert_eq(fsattn_manifest_open(folder.manifest, &manifest, &err), FSATTN_OK, "%s", err.message);
    fsattn_problem_init(&problem);
}

static void drop(void) {
    fsattn_manifest_close(manifest);
    space_folder_remove(&folder);
}

static void write_piece(const char *name, const char *text) {
    char path[256];
    snprintf(path, sizeof path, "%s/toy/%s", folder.templates, name);
    space_folder_write(path, text, strlen(text));
}

static fsattn_status render(const char *source, const char *configuration, bool child, const fsattn_template_limits *limits,
                            fsattn_text *output, fsattn_err *err) {
    fsattn_config config;
    const fsattn_setting setting = {&problem, "x86_64+avx2"};
    write_piece("kernel.c.in", source);
    cr_assert_eq(fsattn_config_parse(&manifest->parameters, configuration, &config, err), FSATTN_OK, "%s", err->message);
    return (child ? fsattn_template_render_child : fsattn_template_render)(manifest, &setting, &config, limits, output, err);
}

static void renders(const char *source, const char *configuration, const char *expected) {
    fsattn_text output = {0}, again = {0};
    fsattn_err err = {0};
    cr_assert_eq(render(source, configuration, false, NULL, &output, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(render(source, configuration, true, NULL, &again, &err), FSATTN_OK, "%s", err.message);
    cr_expect_str_eq(output.data, again.data, "a child renders the same");
    cr_expect(strstr(output.data, expected) != NULL, "'%s' is not in:\n%s", expected, output.data);
    cr_expect(strncmp(output.data, "/*", 2) == 0 && strstr(output.data, "toy") && strstr(output.data, "tile_m="),
              "opens with template and configuration:\n%s", output.data);
    fsattn_text_fini(&output);
    fsattn_text_fini(&again);
}

static void fails(const char *source, fsattn_status status, const char *message) {
    fsattn_text output = {0};
    fsattn_err err = {0};
    const fsattn_template_limits limits = {16 << 20, 1 << 20, 20000000, 5};
    for (int child = 0; child < 2; child++) {
        cr_expect_eq(render(source, "", child == 1, &limits, &output, &err), status, "%s: %s", source, err.message);
        cr_expect(strstr(err.message, message) != NULL, "'%s' is not in '%s'", message, err.message);
        cr_expect_eq(output.bytes, 0u);
    }
    fsattn_text_fini(&output);
}

Test(template, text_lua_and_values, .init = make, .fini = drop) {
    renders("a = $(tile_m + 1);\n", "tile_m=32", "a = 33;\n");
    renders("% for i = 1, 3 do\nx$(i) = $(kind);\n% end\n", "kind=b", "x1 = b;\nx2 = b;\nx3 = b;\n");
    renders("%% literal, $$(literal)\n", "", "% literal, $(literal)\n");
    renders("% if fast then\nquick\n% else\nslow\n% end\n", "fast=false", "\nslow\n");
    renders("$(problem.dtype_q) $(problem.head_dim) $(target.avx2) $(target.avx512f) $(cap)\n", "cap=0.5", "f32 128 1 0 0.5\n");
    renders("% local keys = {}\n% for k in pairs({ z = 1, a = 2, m = 3 }) do keys[#keys + 1] = k end\n$(table.concat(keys))\n", "", "amz\n");
    renders("no newline at the end", "", "no newline at the end");
}

Test(template, pieces_are_included_in_place, .init = make, .fini = drop) {
    write_piece("piece.in", "% function twice(x)\n%   return 2 * x\n% end\nfrom the piece\n");
    renders("before\n% include(\"piece.in\")\nafter $(twice(4))\n", "", "before\nfrom the piece\nafter 8\n");
    fails("% include(\"absent.in\")\n", FSATTN_PARSE, "absent.in");
    fails("% include(\"../../toy.yaml\")\n", FSATTN_PARSE, "toy.yaml");
    fails("% include(\"kernel.c.in\")\n", FSATTN_PARSE, "kernel.c.in");
    write_piece("bad.in", "one\ntwo $(nothing)\n");
    fails("% include(\"bad.in\")\n", FSATTN_PARSE, "bad.in:2");
}

Test(template, mistakes_name_file_and_line, .init = make, .fini = drop) {
    fails("one\ntwo\n% local x = = 1\n", FSATTN_PARSE, "kernel.c.in:3");
    fails("one\n$(tile_m +)\n", FSATTN_PARSE, "kernel.c.in:2");
    fails("one\n$(tile_mm)\n", FSATTN_PARSE, "kernel.c.in:2");
    fails("a\nb\n% error(\"this is wrong\")\n", FSATTN_PARSE, "kernel.c.in:3");
    fails("a\n% local t = nil\n% t.x = 1\n", FSATTN_PARSE, "kernel.c.in:3");
    fails("% if fast then\nnever ended\n", FSATTN_PARSE, "kernel.c.in");
    fails("$(tile_m\n", FSATTN_PARSE, "kernel.c.in:1");
    fails("% for i = 1, 2 do\n$({})\n% end\n", FSATTN_PARSE, "kernel.c.in:2");
}

Test(template, lua_reaches_nothing_and_ends, .init = make, .fini = drop) {
    static const char *const absent[] = {"io", "os", "debug", "require", "dofile", "loadfile", "load", "setmetatable", "getmetatable",
                                         "collectgarbage", "pcall", "coroutine", "rawset", "package", "_G"};
    for (size_t i = 0; i < sizeof absent / sizeof *absent; i++) {
        char source[64];
        snprintf(source, sizeof source, "%% local x = %s\n", absent[i]);
        fails(source, FSATTN_PARSE, absent[i]);
    }
    fails("$(math.random())\n", FSATTN_PARSE, "random");
    fails("% while true do end\n", FSATTN_INVALID, "");
    fails("% local t = {}\n% for i = 1, 1e9 do t[i] = tostring(i) end\n", FSATTN_INVALID, "");
    fails("% for i = 1, 1e9 do\nline $(i)\n% end\n", FSATTN_INVALID, "");
}

/* What the in-process limits cannot see, the child's deadline ends. */
Test(template, a_long_string_operation_is_killed_with_its_child, .init = make, .fini = drop) {
    fsattn_text output = {0};
    fsattn_err err = {0};
    const fsattn_template_limits limits = {256 << 20, 1 << 20, 2000000000, 1};
    const int64_t start = time(NULL);
    cr_assert_eq(render("$(tostring(string.find(string.rep('a', 5000), '.-.-.-.-.-b')))\n", "",
                        true, &limits, &output, &err), FSATTN_INVALID, "%s", err.message);
    cr_assert_lt(time(NULL) - start, 20);
    fsattn_text_fini(&output);
}

Test(template, out_of_memory_is_an_error_wherever_it_strikes, .init = make, .fini = drop) {
    fsattn_err err = {0};
    bool succeeded = false;
    for (int64_t n = 1; n < 100000 && !succeeded; n += n / 50 + 1) {
        fsattn_text output = {0};
        fsattn_config config;
        const fsattn_setting setting = {&problem, "x86_64"};
        write_piece("kernel.c.in", "$(tile_m) $(kind)\n");
        fsattn_config_default(&manifest->parameters, &config);
        fsattn_memory_fail_after(n);
        const fsattn_status status = fsattn_template_render(manifest, &setting, &config, NULL, &output, &err);
        fsattn_memory_fail_after(0);
        cr_assert(status == FSATTN_OK || status == FSATTN_NO_MEMORY, "%s", err.message);
        succeeded = status == FSATTN_OK;
        fsattn_text_fini(&output);
    }
    cr_assert(succeeded);
}

/* ---- configurations ---- */

Test(config, text_is_canonical_and_identity_is_its_hash, .init = make, .fini = drop) {
    fsattn_config a, b;
    fsattn_hash first, second;
    fsattn_text text = {0};
    fsattn_err err = {0};
    cr_assert_eq(fsattn_config_parse(&manifest->parameters, "kind=b cap=0.5", &a, &err), FSATTN_OK);
    cr_assert_eq(fsattn_config_parse(&manifest->parameters, "cap=0.5 tile_m=64 kind=b fast=true", &b, &err), FSATTN_OK);
    cr_assert(fsattn_config_equal(&a, &b));
    fsattn_config_text(&manifest->parameters, &a, &text);
    cr_assert_str_eq(text.data, "cap=0.5 fast=true kind=b tile_m=64");
    cr_assert_eq(fsattn_config_identity(&manifest->parameters, &a, &first, &err), FSATTN_OK);
    cr_assert_eq(fsattn_config_parse(&manifest->parameters, "kind=a cap=0.5", &b, &err), FSATTN_OK);
    cr_assert_eq(fsattn_config_identity(&manifest->parameters, &b, &second, &err), FSATTN_OK);
    cr_assert_neq(fsattn_hash_compare(&first, &second), 0);
    fsattn_text_fini(&text);
    static const char *const bad[][2] = {
        {"tile_n=32", "tile_m"}, {"tile_m=33", "32"},  {"tile_m=0x20", "32"}, {"tile_m=032", "32"}, {"fast=no", "false"},
        {"cap=1e3", ""},         {"kind=A", ""},       {"tile_m=32 tile_m=32", ""}, {"tile_m", ""},  {"fast=1", ""},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const fsattn_status status = fsattn_config_parse(&manifest->parameters, bad[i][0], &a, &err);
        cr_expect(status == FSATTN_PARSE || status == FSATTN_INVALID, "%s", bad[i][0]);
        cr_expect(strstr(err.hint, bad[i][1]) || strstr(err.message, bad[i][1]), "%s: %s (%s)", bad[i][0], err.message, err.hint);
    }
}

/* ---- manifests ---- */

static void refuses(const char *text, const char *message) {
    fsattn_manifest *opened;
    fsattn_err err = {0};
    space_folder_write(folder.manifest, text, strlen(text));
    cr_expect_eq(fsattn_manifest_open(folder.manifest, &opened, &err), FSATTN_PARSE, "%s: %s", text, err.message);
    cr_expect(strstr(err.message, message) != NULL, "'%s' is not in '%s' (%s)", message, err.message, err.hint);
    cr_expect(strstr(err.message, "manifest.lua") != NULL, "%s", err.message);
}

Test(manifest, mistakes_have_a_place, .init = make, .fini = drop) {
    refuses("return {\n  name = 'toy',\n  nmae = 1 }", "manifest.lua:3");
    refuses("return 5", "table");
    refuses("return {", "manifest.lua:1");
    refuses("return { name = 'toy', operation = 'attention_fwd', target = 'host', source = 'kernel.c.in', entry = 'toy', abi = 1,\n"
            "parameters = { { name = 'x', type = 'int', values = { 1 }, default = 1, help = 'h' } },\nlaunch = { tile_k = '32' } }", "launch.tile_k: unknown key");
#define HEAD "return { name = 'toy', operation = 'attention_fwd', target = 'host', source = 'kernel.c.in',\nentry = 'toy', abi = 1,\n" \
             "launch = { work_items = 'query_tiles', tile_m = '32' },\n"
    refuses(HEAD "parameters = { { name = 'x', type = 'int', values = { 1, 1 }, default = 1, help = 'h' } } }", "manifest.lua:4");
    refuses(HEAD "parameters = { { name = 'x', type = 'int', values = { 1, 2 }, default = 3, help = 'h' } } }", "manifest.lua:4");
    refuses(HEAD "parameters = { { name = 'x', type = 'integer', values = { 1 }, default = 1, help = 'h' } } }", "integer");
    refuses(HEAD "parameters = { { name = 'problem', type = 'int', values = { 1 }, default = 1, help = 'h' } } }", "problem");
    refuses(HEAD "parameters = { { name = 'x', type = 'int', values = { 1 }, default = 1, help = 'h' } },\n"
                 "constraints = { { when = 'y == 1', reason = 'no' } } }", "manifest.lua:5");
    refuses(HEAD "parameters = { { name = 'x', type = 'int', values = { 1 }, default = 1, help = 'h' } },\n"
                 "constraints = { { when = 'x ==', reason = 'no' } } }", "manifest.lua:5");
}

Test(manifest, constraints_and_formulas_are_evaluated, .init = make, .fini = drop) {
    fsattn_config config;
    fsattn_err err = {0};
    const fsattn_setting setting = {&problem, "x86_64"};
    const char *reason;
    fsattn_pairs pairs;
    cr_assert_eq(fsattn_config_parse(&manifest->parameters, "tile_m=32 kind=b", &config, &err), FSATTN_OK);
    cr_assert_eq(fsattn_manifest_check(manifest, &setting, &config, &reason, &err), FSATTN_OK);
    cr_assert_str_eq(reason, "b needs 64");
    cr_assert_eq(fsattn_manifest_check(manifest, &setting, &manifest->defaults, &reason, &err), FSATTN_OK);
    cr_assert_null(reason);
    cr_assert_eq(fsattn_manifest_supports(manifest, &setting, &reason, &err), FSATTN_OK);
    cr_assert_null(reason);
    problem.head_dim = 512;
    cr_assert_eq(fsattn_manifest_supports(manifest, &setting, &reason, &err), FSATTN_OK);
    cr_assert_str_eq(reason, "problem.head_dim <= 256");
    cr_assert_eq(fsattn_manifest_evaluate(manifest, FSATTN_SECTION_LAUNCH, &setting, &config, &pairs, &err), FSATTN_OK);
    cr_assert_eq(fsattn_pairs_integer(&pairs, "tile_n", 0), 32);
    cr_assert_eq(fsattn_pairs_integer(&pairs, "absent", 7), 7);
}
