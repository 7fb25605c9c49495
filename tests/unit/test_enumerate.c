#include "enumerate.h"
#include "memory.h"
#include "random.h"

#include "../support/space_folder.h"

static const fsattn_problem plain_problem = {.size = sizeof(fsattn_problem), .batch = 1, .heads_q = 1, .heads_kv = 1,
                                             .s_q = 1, .s_k = 1, .head_dim = 64};
static const fsattn_setting setting = {&plain_problem, "x86_64+avx2"};

static const char head[] = "template: toy\ndevice: host\nproblems:\n- {d: 64}\n";

/* ---- random spaces, and the same in C ---- */

enum { parameter_limit = 10, value_limit = 8, constraint_limit = 16 };

/* Parameters have the values 0 .. sizes - 1 in their own type; value v stands for the number v. A constraint holds when
 * (sum of coefficient * number) % modulus is less than `below`. */
typedef struct toy {
    size_t parameters, constraints, manifest_constraints;
    fsattn_value_type types[parameter_limit];
    size_t sizes[parameter_limit]; /* of the manifest */
    bool reversed[parameter_limit]; /* the manifest lists the values from large to small */
    bool on_axis[parameter_limit][value_limit];
    struct {
        size_t reads[3], count;
        int coefficients[3], modulus, below;
    } items[constraint_limit];
} toy;

static uint64_t draw(uint64_t seed, uint64_t *counter, uint64_t count) {
    return fsattn_random_below(seed, 7, (*counter)++, count);
}

static void toy_value(const toy *t, size_t parameter, size_t number, char text[32]) {
    switch (t->types[parameter]) {
    case FSATTN_VALUE_INT:
        snprintf(text, 32, "%zu", number);
        break;
    case FSATTN_VALUE_REAL:
        snprintf(text, 32, "%zu.5", number);
        break;
    case FSATTN_VALUE_BOOL:
        snprintf(text, 32, "%s", number ? "true" : "false");
        break;
    case FSATTN_VALUE_ENUM:
        snprintf(text, 32, "%.*s", (int)number + 1, "wwwwwwwwww");
        break;
    }
}

static const char *const terms[] = {[FSATTN_VALUE_INT] = "p%zu",
                                    [FSATTN_VALUE_REAL] = "(p%zu - 0.5)",
                                    [FSATTN_VALUE_BOOL] = "(p%zu and 1 or 0)",
                                    [FSATTN_VALUE_ENUM] = "(#p%zu - 1)"};

static size_t number_at(const toy *t, size_t parameter, size_t index) {
    return t->reversed[parameter] ? t->sizes[parameter] - 1 - index : index;
}

static void toy_make(toy *t, uint64_t seed) {
    uint64_t counter = 0;
    *t = (toy){.parameters = 1 + draw(seed, &counter, 6), .constraints = draw(seed, &counter, 7)};
    for (size_t p = 0; p < t->parameters; p++) {
        t->types[p] = (fsattn_value_type)draw(seed, &counter, 4);
        t->sizes[p] = t->types[p] == FSATTN_VALUE_BOOL ? 2 : 1 + draw(seed, &counter, 5);
        t->reversed[p] = draw(seed, &counter, 2);
        size_t kept = draw(seed, &counter, t->sizes[p]); /* one value at least */
        for (size_t v = 0; v < t->sizes[p]; v++) {
            t->on_axis[p][v] = v == kept || draw(seed, &counter, 4) != 0;
        }
    }
    t->manifest_constraints = draw(seed, &counter, t->constraints + 1);
    for (size_t c = 0; c < t->constraints; c++) {
        t->items[c].count = 1 + draw(seed, &counter, 3);
        t->items[c].modulus = 2 + (int)draw(seed, &counter, 5);
        t->items[c].below = 1 + (int)draw(seed, &counter, (uint64_t)t->items[c].modulus);
        for (size_t i = 0; i < t->items[c].count; i++) {
            t->items[c].reads[i] = draw(seed, &counter, t->parameters);
            t->items[c].coefficients[i] = 1 + (int)draw(seed, &counter, 9);
        }
    }
}

/* The manifest and the space; `turn` rotates every list of the YAML file. */
static void toy_constraint(const toy *t, size_t c, fsattn_text *text) {
    fsattn_text_puts(text, "(");
    for (size_t i = 0; i < t->items[c].count; i++) {
        size_t p = t->items[c].reads[i];
        fsattn_text_printf(text, "%s%d * ", i ? " + " : "", t->items[c].coefficients[i]);
        char term[32];
        snprintf(term, sizeof term, terms[t->types[p]], p);
        fsattn_text_puts(text, term);
    }
    fsattn_text_printf(text, ") %% %d < %d and %zu == %zu", t->items[c].modulus, t->items[c].below, c, c);
}

static void toy_folder(const toy *t, space_folder *folder) {
    fsattn_text parameters = {0}, constraints = {0};
    for (size_t p = 0; p < t->parameters; p++) {
        char value[32];
        const char *quote = t->types[p] == FSATTN_VALUE_ENUM ? "'" : "";
        fsattn_text_printf(&parameters, "{ name = 'p%zu', type = '%s', help = 'h', values = {", p,
                           fsattn_value_type_text(t->types[p]));
        for (size_t i = 0; i < t->sizes[p]; i++) {
            toy_value(t, p, number_at(t, p, i), value);
            fsattn_text_printf(&parameters, "%s%s%s, ", quote, value, quote);
        }
        toy_value(t, p, 0, value);
        fsattn_text_printf(&parameters, "}, default = %s%s%s },\n", quote, value, quote);
    }
    for (size_t c = 0; c < t->manifest_constraints; c++) {
        /* The default configuration is all zeros, for which every constraint holds. */
        fsattn_text_puts(&constraints, "{ when = \"");
        toy_constraint(t, c, &constraints);
        fsattn_text_puts(&constraints, "\", reason = 'r' },\n");
    }
    space_folder_make(folder, parameters.data, constraints.data ? constraints.data : "");
    fsattn_text_fini(&parameters);
    fsattn_text_fini(&constraints);
}

static void toy_yaml(const toy *t, size_t turn, fsattn_text *yaml) {
    fsattn_text_puts(yaml, turn % 2 ? "" : head);
    fsattn_text_puts(yaml, t->parameters ? "parameters:\n" : "");
    for (size_t i = 0; i < t->parameters; i++) {
        size_t p = (i + turn) % t->parameters;
        const char *separator = "";
        fsattn_text_printf(yaml, "  p%zu: [", p);
        for (size_t j = 0; j < t->sizes[p]; j++) {
            size_t number = (j + turn) % t->sizes[p];
            char value[32];
            toy_value(t, p, number, value);
            if (t->on_axis[p][number]) {
                fsattn_text_printf(yaml, "%s%s", separator, value);
                separator = ", ";
            }
        }
        fsattn_text_puts(yaml, "]\n");
    }
    size_t own = t->constraints - t->manifest_constraints;
    fsattn_text_puts(yaml, own ? "constraints:\n" : "");
    for (size_t i = 0; i < own; i++) {
        fsattn_text_puts(yaml, "- ");
        toy_constraint(t, t->manifest_constraints + (i + turn) % own, yaml);
        fsattn_text_puts(yaml, "\n");
    }
    fsattn_text_puts(yaml, turn % 2 ? head : "");
}

static bool toy_holds(const toy *t, size_t c, const size_t *numbers) {
    int sum = 0;
    for (size_t i = 0; i < t->items[c].count; i++) {
        sum += t->items[c].coefficients[i] * (int)numbers[t->items[c].reads[i]];
    }
    return sum % t->items[c].modulus < t->items[c].below;
}

static bool toy_valid(const toy *t, const fsattn_config *config) {
    size_t numbers[parameter_limit];
    for (size_t p = 0; p < t->parameters; p++) {
        numbers[p] = number_at(t, p, config->index[p]);
        if (!t->on_axis[p][numbers[p]]) {
            return false;
        }
    }
    for (size_t c = 0; c < t->constraints; c++) {
        if (!toy_holds(t, c, numbers)) {
            return false;
        }
    }
    return true;
}

/* The next combination of legal values; false after the last. */
static bool toy_next(const toy *t, fsattn_config *config) {
    for (size_t p = 0; p < t->parameters; p++) {
        if (++config->index[p] < t->sizes[p]) {
            return true;
        }
        config->index[p] = 0;
    }
    return false;
}

/* The neighbours of a valid configuration, by definition. */
static size_t toy_neighbours(const toy *t, const fsattn_enumeration *enumeration, const fsattn_config *config,
                             bool adjacent, uint64_t *list) {
    size_t count = 0;
    for (size_t p = 0; p < t->parameters; p++) {
        bool words = t->types[p] == FSATTN_VALUE_ENUM;
        size_t own = number_at(t, p, config->index[p]), first = count;
        for (size_t i = 0; i < t->sizes[p]; i++) {
            /* By number; words as the manifest lists them. */
            size_t index = words ? i : number_at(t, p, i), number = number_at(t, p, index);
            fsattn_config other = *config;
            uint64_t found;
            other.index[p] = (uint16_t)index;
            if (number == own || !toy_valid(t, &other)) {
                continue;
            }
            cr_assert(fsattn_enumeration_find(enumeration, &other, &found));
            bool replaces = adjacent && !words && number < own; /* only the last one below stays */
            bool passed = adjacent && !words && number > own && count > first && list[count - 1] == UINT64_MAX;
            count = replaces ? first : count;
            if (!passed) {
                list[count++] = found;
            }
            if (adjacent && !words && number > own && !passed) {
                list[count++] = UINT64_MAX; /* marks that one above was taken */
            }
        }
        count -= count > first && list[count - 1] == UINT64_MAX;
    }
    return count;
}

static void check_neighbours(const toy *t, const fsattn_enumeration *enumeration, uint64_t index) {
    fsattn_config config;
    fsattn_enumeration_at(enumeration, index, &config);
    for (int adjacent = 0; adjacent < 2; adjacent++) {
        uint64_t expected[parameter_limit * value_limit], got[parameter_limit * value_limit];
        size_t count = toy_neighbours(t, enumeration, &config, adjacent, expected);
        fsattn_neighbourhood kind = adjacent ? FSATTN_NEIGHBOURS_ADJACENT : FSATTN_NEIGHBOURS_ANY;
        cr_assert_eq(fsattn_enumeration_neighbours(enumeration, index, kind, NULL, 0), count);
        cr_assert_eq(fsattn_enumeration_neighbours(enumeration, index, kind, got, sizeof got / sizeof *got), count);
        cr_assert(!memcmp(expected, got, count * sizeof *got));
    }
}

/* Every combination of legal values against every question that can be asked. */
static uint64_t check_toy(const toy *t, const fsattn_enumeration *enumeration) {
    uint64_t count = fsattn_enumeration_count(enumeration), valid = 0;
    bool *seen = fsattn_alloc(count, sizeof *seen);
    fsattn_config config = {0}, back;
    do {
        uint64_t index;
        bool found = fsattn_enumeration_find(enumeration, &config, &index);
        cr_assert_eq(found, toy_valid(t, &config));
        if (found) {
            valid++;
            cr_assert(index < count && !seen[index]);
            seen[index] = true;
            fsattn_enumeration_at(enumeration, index, &back);
            cr_assert(fsattn_config_equal(&config, &back));
        }
    } while (toy_next(t, &config));
    cr_assert_eq(valid, count);
    memset(seen, 0, count);
    for (uint64_t i = 0; i < count; i++) {
        uint64_t index = fsattn_enumeration_shuffled(enumeration, 5, i);
        cr_assert(index < count && !seen[index]);
        seen[index] = true;
        cr_assert(fsattn_enumeration_sample(enumeration, 5, 6, i) < count);
    }
    for (uint64_t i = 0; i < count && i < 20; i++) {
        check_neighbours(t, enumeration, fsattn_enumeration_shuffled(enumeration, 9, i));
    }
    fsattn_free(seen);
    return count;
}

static void create(const space_folder *folder, const char *yaml, fsattn_space **space, fsattn_enumeration **enumeration) {
    fsattn_err err;
    cr_assert_eq(space_folder_load(folder, yaml, space, &err), FSATTN_OK, "%s\n%s", err.message, yaml);
    cr_assert_eq(fsattn_enumeration_create(*space, &setting, enumeration, &err), FSATTN_OK, "%s", err.message);
}

Test(enumerate, agrees_with_brute_force_on_a_thousand_spaces) {
    uint64_t empty = 0, total = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        toy t;
        space_folder folder;
        fsattn_space *space;
        fsattn_enumeration *enumeration;
        fsattn_text yaml = {0};
        toy_make(&t, seed);
        toy_folder(&t, &folder);
        toy_yaml(&t, 0, &yaml);
        create(&folder, yaml.data, &space, &enumeration);
        uint64_t count = check_toy(&t, enumeration);
        empty += !count;
        total += count;
        fsattn_enumeration_destroy(enumeration);
        fsattn_space_destroy(space);
        space_folder_remove(&folder);
        fsattn_text_fini(&yaml);
    }
    cr_assert(empty < 300 && total > 20000, "the spaces are trivial: %ju empty, %ju valid", (uintmax_t)empty,
              (uintmax_t)total);
}

Test(enumerate, order_of_the_file_means_nothing) {
    for (uint64_t seed = 0; seed < 60; seed++) {
        toy t;
        space_folder folder;
        fsattn_space *spaces[3];
        fsattn_enumeration *enumerations[3];
        toy_make(&t, seed);
        toy_folder(&t, &folder);
        for (size_t turn = 0; turn < 3; turn++) {
            fsattn_text yaml = {0};
            toy_yaml(&t, turn, &yaml);
            create(&folder, yaml.data, &spaces[turn], &enumerations[turn]);
            fsattn_text_fini(&yaml);
        }
        for (size_t turn = 1; turn < 3; turn++) {
            cr_assert_eq(fsattn_enumeration_count(enumerations[turn]), fsattn_enumeration_count(enumerations[0]));
        }
        for (uint64_t i = 0; i < fsattn_enumeration_count(enumerations[0]); i++) {
            fsattn_config a, b, c;
            fsattn_enumeration_at(enumerations[0], i, &a);
            fsattn_enumeration_at(enumerations[1], i, &b);
            fsattn_enumeration_at(enumerations[2], i, &c);
            cr_assert(fsattn_config_equal(&a, &b) && fsattn_config_equal(&a, &c));
        }
        for (size_t turn = 0; turn < 3; turn++) {
            fsattn_enumeration_destroy(enumerations[turn]);
            fsattn_space_destroy(spaces[turn]);
        }
        space_folder_remove(&folder);
    }
}

/* ---- large spaces ---- */

/* Valid completions of numbers[0 .. p - 1], constraints checked as soon as they can be. */
static uint64_t count_valid(const toy *t, size_t *numbers, size_t p) {
    uint64_t count = p == t->parameters;
    for (size_t v = 0; p < t->parameters && v < t->sizes[p]; v++) {
        bool holds = true;
        numbers[p] = v;
        for (size_t c = 0; c < t->constraints && holds; c++) {
            size_t last = 0;
            for (size_t i = 0; i < t->items[c].count; i++) {
                last = t->items[c].reads[i] > last ? t->items[c].reads[i] : last;
            }
            holds = last != p || toy_holds(t, c, numbers);
        }
        count += holds ? count_valid(t, numbers, p + 1) : 0;
    }
    return count;
}

/* Ten parameters of eight values: 2^30 raw. Constraints over three each: neighbours in a chain, or drawn at random. */
static void large_toy(toy *t, uint64_t seed, bool chain) {
    uint64_t counter = 0;
    *t = (toy){.parameters = 10, .constraints = 8};
    for (size_t p = 0; p < t->parameters; p++) {
        t->sizes[p] = 8;
        memset(t->on_axis[p], true, sizeof t->on_axis[p]);
    }
    for (size_t c = 0; c < t->constraints; c++) {
        t->items[c].count = 3;
        t->items[c].modulus = 3;
        t->items[c].below = 1;
        for (size_t i = 0; i < 3; i++) {
            size_t *reads = t->items[c].reads;
            do {
                reads[i] = chain ? c + i : draw(seed, &counter, 10);
            } while ((i > 0 && reads[i] == reads[0]) || (i > 1 && reads[i] == reads[1]));
            t->items[c].coefficients[i] = 1;
        }
    }
}

static void check_large(uint64_t seed, bool chain) {
    toy t;
    space_folder folder;
    fsattn_space *space;
    fsattn_enumeration *enumeration;
    fsattn_text yaml = {0};
    large_toy(&t, seed, chain);
    toy_folder(&t, &folder);
    toy_yaml(&t, 0, &yaml);
    create(&folder, yaml.data, &space, &enumeration);
    const fsattn_enumeration_statistics *statistics = fsattn_enumeration_statistics_of(enumeration);
    size_t numbers[parameter_limit];
    uint64_t valid = fsattn_enumeration_count(enumeration);
    cr_assert_eq(statistics->raw, 0x1p30);
    cr_assert_eq(valid, statistics->valid);
    cr_assert_eq(valid, count_valid(&t, numbers, 0));
    cr_assert(valid > 30000 && valid < 4000000, "%ju", (uintmax_t)valid);
    /* Each constraint sees at most 8^3 combinations, each once; asking for what is known stays cheap as well. */
    cr_assert_leq(statistics->evaluations, 8 * 512);
    cr_assert_leq(statistics->evaluations, valid);
    cr_assert_leq(statistics->checks, 4 * valid, "%ju checks, %ju valid", (uintmax_t)statistics->checks,
                  (uintmax_t)valid);
    cr_assert_leq(statistics->nodes, 2 * valid);
    cr_assert_lt(statistics->memory_bytes, (size_t)200 << 20);
    for (uint64_t i = 0; i < 1000; i++) {
        fsattn_config config;
        uint64_t index = fsattn_enumeration_sample(enumeration, seed, 0, i), back;
        fsattn_enumeration_at(enumeration, index, &config);
        cr_assert(toy_valid(&t, &config));
        cr_assert(fsattn_enumeration_find(enumeration, &config, &back) && back == index);
    }
    fsattn_enumeration_destroy(enumeration);
    fsattn_space_destroy(space);
    space_folder_remove(&folder);
    fsattn_text_fini(&yaml);
}

Test(enumerate, evaluations_stay_below_the_valid_configurations) {
    check_large(0, true);
    for (uint64_t seed = 1; seed <= 4; seed++) {
        check_large(seed, false);
    }
}

static void load_toy(space_folder *folder, const char *parameters, const char *yaml, fsattn_space **space) {
    fsattn_text text = {0};
    fsattn_err err;
    space_folder_make(folder, parameters, "");
    fsattn_text_printf(&text, "%s%s", head, yaml);
    cr_assert_eq(space_folder_load(folder, text.data, space, &err), FSATTN_OK, "%s", err.message);
    fsattn_text_fini(&text);
}

Test(enumerate, more_raw_configurations_than_numbers) {
    fsattn_text parameters = {0}, yaml = {0};
    space_folder folder;
    fsattn_space *space;
    fsattn_enumeration *enumeration;
    fsattn_err err;
    fsattn_text_puts(&yaml, "parameters:\n");
    for (int i = 0; i < 64; i++) {
        fsattn_text_printf(&parameters, "{ name = 'p%d', type = 'int', values = {0,1,2,3}, default = 0, help = 'h' },\n", i);
        fsattn_text_printf(&yaml, "  p%d: [0, 1, 2, 3]\n", i);
    }
    /* Without constraints, 2^128 valid ones; with these, 2^62. */
    load_toy(&folder, parameters.data, yaml.data, &space);
    cr_assert_eq(fsattn_enumeration_create(space, &setting, &enumeration, &err), FSATTN_INVALID);
    cr_assert(strstr(err.message, "more than 2^63 valid configurations"), "%s", err.message);
    fsattn_space_destroy(space);
    space_folder_remove(&folder);
    fsattn_text_puts(&yaml, "constraints:\n");
    for (int i = 0; i < 33; i++) {
        fsattn_text_printf(&yaml, "- p%d == %d\n", i, i % 4);
    }
    load_toy(&folder, parameters.data, yaml.data, &space);
    cr_assert_eq(fsattn_enumeration_create(space, &setting, &enumeration, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_enumeration_statistics_of(enumeration)->raw, 0x1p128);
    cr_assert_eq(fsattn_enumeration_count(enumeration), (uint64_t)1 << 62);
    for (uint64_t i = 0; i < 100; i++) {
        fsattn_config config;
        uint64_t index = fsattn_enumeration_shuffled(enumeration, 3, i), back;
        fsattn_enumeration_at(enumeration, index, &config);
        cr_assert(fsattn_enumeration_find(enumeration, &config, &back) && back == index);
        cr_assert_eq(config.index[7], 3);
    }
    fsattn_enumeration_destroy(enumeration);
    fsattn_space_destroy(space);
    space_folder_remove(&folder);
    fsattn_text_fini(&parameters);
    fsattn_text_fini(&yaml);
}

/* Of a constraint over 2^22 combinations and more those that were met are remembered, not all. */
Test(enumerate, a_constraint_over_millions_of_combinations) {
    fsattn_text values = {0}, parameters = {0}, yaml = {0};
    space_folder folder;
    fsattn_space *space;
    fsattn_enumeration *enumeration;
    uint64_t expected = 0;
    enum { count = 168 };
    for (int i = 0; i < count; i++) {
        fsattn_text_printf(&values, "%s%d", i ? ", " : "", i);
    }
    fsattn_text_puts(&yaml, "parameters:\n");
    for (const char *name = "abc"; *name; name++) {
        fsattn_text_printf(&parameters, "{ name = '%c', type = 'int', values = {%s}, default = 0, help = 'h' },\n", *name,
                           values.data);
        fsattn_text_printf(&yaml, "  %c: [%s]\n", *name, values.data);
    }
    fsattn_text_puts(&yaml, "constraints:\n- a == b\n- (a + b + c) % 7 == 0\n");
    for (int a = 0; a < count; a++) {
        for (int c = 0; c < count; c++) {
            expected += (2 * a + c) % 7 == 0;
        }
    }
    cr_assert_gt(count * count * count, 1 << 22);
    load_toy(&folder, parameters.data, yaml.data, &space);
    cr_assert_eq(fsattn_enumeration_create(space, &setting, &enumeration, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_enumeration_count(enumeration), expected);
    const fsattn_enumeration_statistics *statistics = fsattn_enumeration_statistics_of(enumeration);
    cr_assert_leq(statistics->evaluations, 2 * count * count);
    cr_assert_lt(statistics->memory_bytes, (size_t)count * count * count);
    fsattn_enumeration_destroy(enumeration);
    fsattn_space_destroy(space);
    space_folder_remove(&folder);
    fsattn_text_fini(&values);
    fsattn_text_fini(&parameters);
    fsattn_text_fini(&yaml);
}

/* ---- what is reported ---- */

static const char two[] = "{ name = 'a', type = 'int', values = {1,2,3,4}, default = 1, help = 'h' },\n"
                          "{ name = 'b', type = 'int', values = {0,1,2}, default = 0, help = 'h' },\n";

Test(enumerate, rejections_name_every_constraint_first) {
    space_folder folder;
    fsattn_space *space;
    fsattn_enumeration *enumeration;
    load_toy(&folder, two,
             "parameters: {a: [1, 2, 3, 4], b: [0, 1, 2]}\nconstraints:\n- {when: a % 2 == 0, reason: a is even}\n"
             "- a > b\n",
             &space);
    cr_assert_eq(fsattn_enumeration_create(space, &setting, &enumeration, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_enumeration_count(enumeration), 5);
    size_t count;
    const fsattn_rejection *rejections = fsattn_enumeration_rejections(enumeration, &count);
    cr_assert_eq(count, 3);
    cr_assert_str_eq(rejections[0].constraint->reason, "a is even");
    cr_assert_str_eq(rejections[0].values, "a=1");
    cr_assert_str_eq(rejections[1].constraint->reason, "a > b");
    cr_assert_str_eq(rejections[1].values, "a=2 b=2");
    cr_assert_eq(rejections[1].constraint->place.line, 8);
    cr_assert_eq(rejections[1].constraint->place.column, 3);
    cr_assert_str_eq(rejections[2].values, "a=3");
    fsattn_enumeration_destroy(enumeration);
    fsattn_space_destroy(space);
    space_folder_remove(&folder);
}

Test(enumerate, constraints_see_problem_and_target) {
    space_folder folder;
    fsattn_space *space;
    fsattn_enumeration *enumeration;
    fsattn_problem problem = plain_problem;
    fsattn_setting other = {&problem, "x86_64"};
    load_toy(&folder, two,
             "parameters: {a: [1, 2, 3, 4]}\nconstraints:\n- a * 64 == problem.head_dim\n- target.avx2 or a > 1\n",
             &space);
    static const struct {
        int64_t head_dim;
        const char *isa;
        uint64_t count;
    } cases[] = {{64, "x86_64+avx2", 1}, {64, "x86_64", 0}, {128, "x86_64", 1}, {96, "x86_64+avx2", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        problem.head_dim = cases[i].head_dim;
        other.isa = cases[i].isa;
        cr_assert_eq(fsattn_enumeration_create(space, &other, &enumeration, NULL), FSATTN_OK);
        cr_assert_eq(fsattn_enumeration_count(enumeration), cases[i].count);
        fsattn_config config = {0};
        uint64_t index;
        if (!cases[i].count) {
            cr_assert(!fsattn_enumeration_find(enumeration, &config, &index));
        }
        fsattn_enumeration_destroy(enumeration);
    }
    fsattn_space_destroy(space);
    space_folder_remove(&folder);
}

static void check_failure(const char *constraint, const char *message, const char *hint) {
    space_folder folder;
    fsattn_space *space;
    fsattn_enumeration *enumeration;
    fsattn_err err;
    fsattn_text yaml = {0};
    char expected[256];
    fsattn_text_printf(&yaml, "parameters: {a: [1, 2, 3, 4], b: [0, 1, 2]}\nconstraints:\n- %s\n", constraint);
    load_toy(&folder, two, yaml.data, &space);
    cr_assert_eq(fsattn_enumeration_create(space, &setting, &enumeration, &err), FSATTN_PARSE);
    snprintf(expected, sizeof expected, "%s:%s", folder.space, message);
    cr_assert_str_eq(err.message, expected);
    cr_assert_str_eq(err.hint, hint);
    fsattn_space_destroy(space);
    space_folder_remove(&folder);
    fsattn_text_fini(&yaml);
}

Test(enumerate, a_failing_constraint_has_a_place) {
    check_failure("a % b == 0", "7:3: attempt to perform 'n%0'", "seen with a=1 b=0");
    check_failure("a + b", "7:3: expected true or false, got number (a=1 b=0)", "compare it: ... ~= 0");
}

Test(enumerate, out_of_memory_is_an_error_wherever_it_strikes) {
    space_folder folder;
    fsattn_space *space;
    fsattn_enumeration *enumeration = NULL;
    fsattn_err err;
    load_toy(&folder, two, "parameters: {a: [1, 2, 3, 4], b: [0, 1, 2]}\nconstraints:\n- a > b\n", &space);
    fsattn_status status = FSATTN_NO_MEMORY;
    int64_t allocations = 1;
    for (; allocations < 200 && status != FSATTN_OK; allocations++) {
        fsattn_memory_fail_after(allocations);
        status = fsattn_enumeration_create(space, &setting, &enumeration, &err);
        fsattn_memory_fail_after(0);
        cr_assert(status == FSATTN_OK || status == FSATTN_NO_MEMORY, "%s", err.message);
    }
    cr_assert(allocations > 10 && status == FSATTN_OK);
    cr_assert_eq(fsattn_enumeration_count(enumeration), 9);
    fsattn_enumeration_destroy(enumeration);
    fsattn_space_destroy(space);
    space_folder_remove(&folder);
}
