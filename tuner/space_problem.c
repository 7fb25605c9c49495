#include "space_read.h"

#include "cpu.h"
#include "error.h"
#include "nearest.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
enum { name_bytes = 128, part_limit = 3 };

/* ---- the fields of a problem ---- */

static const char *const dtypes[] = {
#define X(name, text, bits) text,
    FSATTN_DTYPE_LIST(X)
#undef X
        NULL};
static const char *const layouts[] = {
#define X(name, text) text,
    FSATTN_LAYOUT_LIST(X)
#undef X
        NULL};
static const char *const masks[] = {
#define X(name, text) text,
    FSATTN_MASK_LIST(X)
#undef X
        NULL};

/* Words are written through their offsets as what gcc and clang make of an enumeration without negative values. */
_Static_assert(sizeof(fsattn_dtype) == sizeof(unsigned) && sizeof(fsattn_layout) == sizeof(unsigned) &&
                   sizeof(fsattn_mask) == sizeof(unsigned),
               "enumerations are unsigned ints");

/* One value of one field, as the file has it. */
typedef struct field_value {
    int64_t integer; /* of INTEGER; the index of a WORD; 0 or 1 of a FLAG */
    double real;     /* of SCALE */
    const char *text;
} field_value;

typedef enum field_kind { FIELD_INTEGER, FIELD_WORD, FIELD_FLAG, FIELD_SCALE } field_kind;

/* The keys that describe a problem: the canonical order of names and of sweeps. A key with several members is the short form
 * of as many keys below it: either the short one is given, or all of its parts, or none. */
typedef struct field {
    const char *name;
    field_kind kind;
    const char *const *words;
    size_t members[part_limit];
    size_t member_count;
} field;

#define MEMBER(member) offsetof(fsattn_problem, member)
static const field fields[] = {
    {"b", FIELD_INTEGER, NULL, {MEMBER(batch)}, 1},
    {"h", FIELD_INTEGER, NULL, {MEMBER(heads_q), MEMBER(heads_kv)}, 2},
    {"hq", FIELD_INTEGER, NULL, {MEMBER(heads_q)}, 1},
    {"hkv", FIELD_INTEGER, NULL, {MEMBER(heads_kv)}, 1},
    {"s", FIELD_INTEGER, NULL, {MEMBER(s_q), MEMBER(s_k)}, 2},
    {"sq", FIELD_INTEGER, NULL, {MEMBER(s_q)}, 1},
    {"sk", FIELD_INTEGER, NULL, {MEMBER(s_k)}, 1},
    {"d", FIELD_INTEGER, NULL, {MEMBER(head_dim)}, 1},
    {"dtype", FIELD_WORD, dtypes, {MEMBER(dtype_q), MEMBER(dtype_kv), MEMBER(dtype_o)}, 3},
    {"q", FIELD_WORD, dtypes, {MEMBER(dtype_q)}, 1},
    {"kv", FIELD_WORD, dtypes, {MEMBER(dtype_kv)}, 1},
    {"o", FIELD_WORD, dtypes, {MEMBER(dtype_o)}, 1},
    {"layout", FIELD_WORD, layouts, {MEMBER(layout)}, 1},
    {"mask", FIELD_WORD, masks, {MEMBER(mask)}, 1},
    {"lse", FIELD_FLAG, NULL, {MEMBER(lse)}, 1},
    {"scale", FIELD_SCALE, NULL, {MEMBER(scale)}, 1},
};
#undef MEMBER
enum { field_count = COUNT(fields) };

static fsattn_status read_field(fsattn_space_reader *reader, const field *f, const char *name,
                                const fsattn_space_yaml *node, field_value *value) {
    static const fsattn_space_key from_one = {.minimum = 1, .maximum = 0x1p62}, scales = {.minimum = 1e-30, .maximum = 1e30};
    fsattn_value read;
    size_t index;
    switch (f->kind) {
    case FIELD_INTEGER:
        FSATTN_TRY(fsattn_space_read_integer(reader, &from_one, name, node, &value->integer));
        break;
    case FIELD_WORD:
        FSATTN_TRY(fsattn_space_read_choice(reader, name, node, f->words, &index));
        value->integer = (int64_t)index;
        break;
    case FIELD_FLAG:
        FSATTN_TRY(fsattn_space_read_value(reader, name, node, FSATTN_VALUE_BOOL, &read));
        value->integer = read.boolean;
        break;
    case FIELD_SCALE:
        if (node->kind == FSATTN_SPACE_YAML_SCALAR && !strcmp(node->text, "default")) {
            value->real = 0;
        } else {
            FSATTN_TRY(fsattn_space_read_real(reader, &scales, name, node, &value->real));
        }
        break;
    }
    value->text = node->text;
    return FSATTN_OK;
}

static void set_field(fsattn_problem *problem, const field *f, const field_value *value) {
    for (size_t i = 0; i < f->member_count; i++) {
        char *member = (char *)problem + f->members[i];
        switch (f->kind) {
        case FIELD_INTEGER:
            memcpy(member, &value->integer, sizeof value->integer);
            break;
        case FIELD_WORD: {
            unsigned word = (unsigned)value->integer;
            memcpy(member, &word, sizeof word);
            break;
        }
        case FIELD_FLAG: {
            bool flag = value->integer != 0;
            memcpy(member, &flag, sizeof flag);
            break;
        }
        case FIELD_SCALE: {
            float scale = (float)value->real;
            memcpy(member, &scale, sizeof scale);
            break;
        }
        }
    }
}

/* Canonical order of problems, field by field. */
static int compare_problems(const void *a, const void *b) {
    const fsattn_space_problem *left = a, *right = b;
    for (size_t i = 0; i < field_count; i++) {
        const field *f = &fields[i];
        if (f->member_count > 1) {
            continue;
        }
        int64_t x = 0, y = 0;
        const char *p = (const char *)&left->problem + f->members[0], *q = (const char *)&right->problem + f->members[0];
        if (f->kind == FIELD_SCALE) {
            float u = fsattn_problem_scale(&left->problem), v = fsattn_problem_scale(&right->problem);
            x = u > v;
            y = v > u;
        } else if (f->kind == FIELD_FLAG) {
            x = left->problem.lse;
            y = right->problem.lse;
        } else if (f->kind == FIELD_WORD) {
            unsigned u, v;
            memcpy(&u, p, sizeof u);
            memcpy(&v, q, sizeof v);
            x = u;
            y = v;
        } else {
            memcpy(&x, p, sizeof x);
            memcpy(&y, q, sizeof y);
        }
        if (x != y) {
            return x < y ? -1 : 1;
        }
    }
    return 0;
}

/* ---- ranges ---- */

static const fsattn_space_key range_keys[] = {
    {"from", fsattn_space_read_integer, offsetof(fsattn_space_range, from), 1, 0x1p62, true},
    {"to", fsattn_space_read_integer, offsetof(fsattn_space_range, to), 1, 0x1p62, true},
    {"step", fsattn_space_read_integer, offsetof(fsattn_space_range, step), 1, 0x1p62, true},
    {"shapes", fsattn_space_read_integer, offsetof(fsattn_space_range, shapes), 3, fsattn_interval_shape_limit, false},
    {"within", fsattn_space_read_real, offsetof(fsattn_space_range, within), 0, 1, false},
};
static const int64_t range_shapes = 9;
static const double range_within = 0.01;

static fsattn_status range_fail(fsattn_space_reader *reader, const fsattn_space_yaml *node, const char *name, const char *cause, const char *fix) {
    fsattn_space_fail(reader->space, node->place, reader->err, "%s: %s", name, cause);
    fsattn_hint(reader->err, "%s", fix);
    return FSATTN_PARSE;
}

/* A size that runs between two ends; its value is the upper one, which needs the most memory. */
static fsattn_status read_range(fsattn_space_reader *reader, const field *f, const char *name, const fsattn_space_yaml *node,
                                fsattn_space_range **made, field_value *value) {
    fsattn_space_range *range = fsattn_space_read_alloc(reader, 1, sizeof *range);
    if (!range) {
        return FSATTN_NO_MEMORY;
    }
    *range = (fsattn_space_range){.shapes = range_shapes, .within = range_within};
    if (!fsattn_fsc_interval_axis_find(f->name, &range->axis)) {
        return range_fail(reader, node, name, "this key takes no range", "b, h, s, sq and sk do; list the values: [1, 2]");
    }
    FSATTN_TRY(fsattn_space_read_map(reader, name, node, range_keys, COUNT(range_keys), range));
    if (range->from >= range->to) {
        return range_fail(reader, node, name, "the range is reversed or empty", "write from: below to:");
    }
    if ((range->to - range->from) % range->step) {
        return range_fail(reader, node, name, "the range does not reach its end in whole steps", "choose a step that divides to - from");
    }
    const char *text = fsattn_arena_printf(reader->arena, "%" PRId64 "..%" PRId64, range->from, range->to);
    if (!text) {
        return fsattn_fail(reader->err, FSATTN_NO_MEMORY, "%s: out of memory", reader->space->path);
    }
    *value = (field_value){.integer = range->to, .text = text};
    *made = range;
    return FSATTN_OK;
}

/* ---- entries ---- */

typedef struct entry {
    const fsattn_space_yaml *node;
    const char *name; /* "" without one */
    const fsattn_space_yaml *values[field_count]; /* NULL: not given */
    field_value *swept[field_count];
    size_t counts[field_count]; /* of `swept` */
    fsattn_space_range *range;  /* of one field; or NULL */
    const char *range_text;
} entry;

typedef struct problem_list {
    void *items; /* fsattn_space_problem */
    size_t count, capacity;
} problem_list;

/* Either the short key or all of its parts: a half would leave the other half at a default that nobody meant. */
static fsattn_status check_parts(fsattn_space_reader *reader, const entry *e) {
    for (size_t i = 0; i < field_count; i++) {
        size_t parts = fields[i].member_count, given = 0, first = 0, absent = 0;
        if (parts == 1) {
            continue;
        }
        for (size_t part = parts; part > 0; part--) {
            bool there = e->values[i + part] != NULL;
            given += there;
            first = there ? i + part : first;
            absent = there ? absent : i + part;
        }
        if (e->values[i] && given) {
            fsattn_space_fail(reader->space, e->values[first]->place, reader->err,
                              "problems: '%s' says again what '%s' says", fields[first].name, fields[i].name);
            fsattn_hint(reader->err, "keep '%s', or write all of its parts instead", fields[i].name);
            return FSATTN_PARSE;
        }
        if (given && given < parts) {
            fsattn_space_fail(reader->space, e->values[first]->place, reader->err, "problems: '%s' without '%s'",
                              fields[first].name, fields[absent].name);
            fsattn_hint(reader->err, "add '%s', or write '%s' for all", fields[absent].name, fields[i].name);
            return FSATTN_PARSE;
        }
    }
    return FSATTN_OK;
}

static fsattn_status read_name(fsattn_space_reader *reader, const fsattn_space_yaml *node, const char **name) {
    FSATTN_TRY(fsattn_space_read_word(reader, NULL, "problems.name", node, name));
    if (!strcmp(*name, "all")) {
        fsattn_space_fail(reader->space, node->place, reader->err, "problems.name: 'all' means every problem");
        fsattn_hint(reader->err, "choose another name");
        return FSATTN_PARSE;
    }
    return FSATTN_OK;
}

static fsattn_status read_keys(fsattn_space_reader *reader, entry *e) {
    FSATTN_TRY(fsattn_space_read_expect(reader, "problems", e->node, FSATTN_SPACE_YAML_MAP));
    const char *names[field_count + 1];
    for (size_t i = 0; i < field_count; i++) {
        names[i] = fields[i].name;
    }
    names[field_count] = "name";
    e->name = "";
    for (size_t i = 0; i < e->node->count; i++) {
        const fsattn_space_yaml *key = &e->node->keys[i];
        size_t at = 0;
        while (at <= field_count && strcmp(names[at], key->text) != 0) {
            at++;
        }
        if (at > field_count) {
            return fsattn_space_read_unknown(reader, "problems", key, names, COUNT(names));
        }
        if (at == field_count) {
            FSATTN_TRY(read_name(reader, &e->node->items[i], &e->name));
        } else {
            e->values[at] = &e->node->items[i];
        }
    }
    return check_parts(reader, e);
}

/* The values of a field: one, or a list of distinct ones. */
static fsattn_status read_values(fsattn_space_reader *reader, entry *e, size_t index) {
    const fsattn_space_yaml *node = e->values[index];
    const field *f = &fields[index];
    char name[name_bytes];
    snprintf(name, sizeof name, "problems.%s", f->name);
    bool list = node->kind == FSATTN_SPACE_YAML_LIST, range = node->kind == FSATTN_SPACE_YAML_MAP;
    size_t count = list ? node->count : 1;
    if (!count || count > fsattn_space_problem_limit) {
        fsattn_space_fail(reader->space, node->place, reader->err, "%s: %s", name,
                          count ? "too many values" : "the list is empty");
        fsattn_hint(reader->err, "write from 1 to %d values, or leave the key out", fsattn_space_problem_limit);
        return FSATTN_PARSE;
    }
    field_value *values = fsattn_space_read_alloc(reader, count, sizeof *values);
    if (!values) {
        return FSATTN_NO_MEMORY;
    }
    if (range && e->range) {
        return range_fail(reader, node, name, "a second range in one entry", "list the values of one of them: [1, 2]");
    }
    if (range) {
        FSATTN_TRY(read_range(reader, f, name, node, &e->range, &values[0]));
        e->range_text = values[0].text;
    }
    for (size_t i = 0; i < count && !range; i++) {
        const fsattn_space_yaml *item = list ? &node->items[i] : node;
        FSATTN_TRY(read_field(reader, f, name, item, &values[i]));
        for (size_t j = 0; j < i; j++) {
            if (values[j].integer == values[i].integer && values[j].real == values[i].real) {
                fsattn_space_fail(reader->space, item->place, reader->err, "%s: '%s' occurs twice", name, item->text);
                fsattn_hint(reader->err, "remove one of them");
                return FSATTN_PARSE;
            }
        }
    }
    e->swept[index] = values;
    e->counts[index] = count;
    return FSATTN_OK;
}

/* "gpt2[s=1024 mask=causal]": the fields that were written as lists or as a range. */
static const char *name_problem(fsattn_space_reader *reader, const entry *e, const size_t *choice,
                                const fsattn_problem *problem) {
    char text[fsattn_problem_text_bytes];
    if (!*e->name) {
        fsattn_problem_text(problem, text);
        return e->range ? fsattn_arena_printf(reader->arena, "%s [%s=%s]", text, fsattn_fsc_interval_axis_text(e->range->axis), e->range_text)
                        : fsattn_arena_strdup(reader->arena, text);
    }
    fsattn_text name = {0};
    fsattn_text_puts(&name, e->name);
    const char *separator = "[";
    for (size_t i = 0; i < field_count; i++) {
        if (e->values[i] && e->values[i]->kind != FSATTN_SPACE_YAML_SCALAR) {
            fsattn_text_printf(&name, "%s%s=%s", separator, fields[i].name, e->swept[i][choice[i]].text);
            separator = " ";
        }
    }
    fsattn_text_puts(&name, *separator == ' ' ? "]" : "");
    const char *copy = name.failed ? NULL : fsattn_arena_strdup(reader->arena, name.data);
    fsattn_text_fini(&name);
    return copy;
}

static fsattn_status check_problem(fsattn_space_reader *reader, const fsattn_space_problem *made) {
    fsattn_err detail = {0};
    if (fsattn_problem_check(&made->problem, &detail) != FSATTN_OK) {
        fsattn_space_fail(reader->space, made->place, reader->err, "%s: %s", made->name, detail.message);
        fsattn_hint(reader->err, "%s", *detail.hint ? detail.hint : "change the sizes");
        return FSATTN_PARSE;
    }
    fsattn_manifest *manifest = reader->space->manifest;
    fsattn_cpu cpu;
    char isa[128];
    fsattn_cpu_detect(&cpu);
    fsattn_cpu_isa(&cpu, isa);
    fsattn_setting setting = {&made->problem, strcmp(manifest->target, "host") != 0 ? manifest->target : isa};
    const char *reason;
    FSATTN_TRY(fsattn_manifest_supports(manifest, &setting, &reason, reader->err));
    if (reason) {
        fsattn_space_fail(reader->space, made->place, reader->err, "%s: %s does not serve this problem", made->name,
                          manifest->name);
        fsattn_hint(reader->err, "it needs: %s", reason);
        return FSATTN_PARSE;
    }
    return FSATTN_OK;
}

void fsattn_space_problem_at(const fsattn_space_problem *problem, int64_t size, fsattn_problem *at) {
    const field_value value = {.integer = size};
    *at = problem->problem;
    for (size_t i = 0; i < field_count; i++) {
        if (!strcmp(fields[i].name, fsattn_fsc_interval_axis_text(problem->range->axis))) {
            set_field(at, &fields[i], &value);
        }
    }
}

const char *fsattn_space_problem_name_at(const fsattn_space_problem *problem, int64_t size, fsattn_arena *arena) {
    char range[64];
    const int length = snprintf(range, sizeof range, "=%" PRId64 "..%" PRId64, problem->range->from, problem->range->to);
    const char *name = problem->name, *at = strstr(name, range);
    return at ? fsattn_arena_printf(arena, "%.*s=%" PRId64 "%s", (int)(at - name), name, size, at + length) : name;
}

static fsattn_status add_problem(fsattn_space_reader *reader, const entry *e, const size_t *choice,
                                 problem_list *list) {
    fsattn_space_problem made = {.entry = e->name, .place = e->node->place, .range = e->range};
    fsattn_problem_init(&made.problem);
    for (size_t i = 0; i < field_count; i++) {
        if (e->values[i]) {
            set_field(&made.problem, &fields[i], &e->swept[i][choice[i]]);
        }
    }
    made.name = name_problem(reader, e, choice, &made.problem);
    if (!made.name || fsattn_grow(&list->items, &list->capacity, list->count, sizeof made)) {
        return fsattn_fail(reader->err, FSATTN_NO_MEMORY, "%s: out of memory", reader->space->path);
    }
    FSATTN_TRY(check_problem(reader, &made));
    if (made.range) {
        fsattn_space_problem lowest = made;
        fsattn_space_problem_at(&made, made.range->from, &lowest.problem);
        FSATTN_TRY(check_problem(reader, &lowest));
    }
    ((fsattn_space_problem *)list->items)[list->count++] = made;
    return FSATTN_OK;
}

static fsattn_status read_entry(fsattn_space_reader *reader, const fsattn_space_yaml *node, entry *e,
                                problem_list *list) {
    *e = (entry){.node = node};
    FSATTN_TRY(read_keys(reader, e));
    double product = 1;
    for (size_t i = 0; i < field_count; i++) {
        if (e->values[i]) {
            FSATTN_TRY(read_values(reader, e, i));
            product *= (double)e->counts[i];
        }
    }
    if (product + (double)list->count > fsattn_space_problem_limit) {
        fsattn_space_fail(reader->space, node->place, reader->err, "problems: more than %d of them",
                          fsattn_space_problem_limit);
        fsattn_hint(reader->err, "sweep fewer values");
        return FSATTN_PARSE;
    }
    /* Counts up, the last field fastest. */
    size_t choice[field_count] = {0};
    for (;;) {
        FSATTN_TRY(add_problem(reader, e, choice, list));
        size_t i = field_count;
        while (i > 0 && (!e->values[i - 1] || ++choice[i - 1] == e->counts[i - 1])) {
            choice[--i] = 0;
        }
        if (!i) {
            return FSATTN_OK;
        }
    }
}

/* ---- the list ---- */

static fsattn_status check_names(fsattn_space_reader *reader, const entry *entries, size_t index) {
    for (size_t i = 0; i < index && *entries[index].name; i++) {
        if (!strcmp(entries[i].name, entries[index].name)) {
            fsattn_space_fail(reader->space, entries[index].node->place, reader->err,
                              "problems: '%s' stands on line %d already", entries[i].name, entries[i].node->place.line);
            fsattn_hint(reader->err, "choose another name");
            return FSATTN_PARSE;
        }
    }
    return FSATTN_OK;
}

static fsattn_status check_distinct(fsattn_space_reader *reader, const fsattn_space_problem *problems, size_t count) {
    for (size_t i = 1; i < count; i++) {
        const fsattn_space_problem *a = &problems[i - 1], *b = &problems[i];
        if (fsattn_problem_equal(&a->problem, &b->problem)) {
            const fsattn_space_problem *first = a->place.line <= b->place.line ? a : b, *second = first == a ? b : a;
            fsattn_space_fail(reader->space, second->place, reader->err, "%s: the same problem as %s on line %d",
                              second->name, first->name, first->place.line);
            fsattn_hint(reader->err, "remove one of them");
            return FSATTN_PARSE;
        }
    }
    return FSATTN_OK;
}

/* The indices of a named entry's problems. */
static fsattn_status add_entry_set(fsattn_space_reader *reader, const entry *e) {
    struct fsattn_space_memory *memory = reader->space->memory;
    const fsattn_space *space = reader->space;
    size_t *indices = fsattn_space_read_alloc(reader, space->problem_count, sizeof *indices), count = 0;
    if (!indices) {
        return FSATTN_NO_MEMORY;
    }
    for (size_t i = 0; i < space->problem_count; i++) {
        if (!strcmp(space->problems[i].entry, e->name)) {
            indices[count++] = i;
        }
    }
    memory->entries[memory->entry_count++] = (fsattn_space_set){e->name, indices, count, e->node->place};
    return FSATTN_OK;
}

/* Sorts the problems into the space, and makes what fsattn_space_select hands out. */
static fsattn_status keep_problems(fsattn_space_reader *reader, const problem_list *list, const entry *entries,
                                   size_t entry_count) {
    fsattn_space *space = reader->space;
    fsattn_space_problem *problems = fsattn_space_read_alloc(reader, list->count, sizeof *problems);
    space->memory->entries = fsattn_space_read_alloc(reader, entry_count, sizeof *space->memory->entries);
    space->memory->all = fsattn_space_read_alloc(reader, list->count, sizeof *space->memory->all);
    if (!problems || !space->memory->entries || !space->memory->all) {
        return FSATTN_NO_MEMORY;
    }
    memcpy(problems, list->items, list->count * sizeof *problems);
    qsort(problems, list->count, sizeof *problems, compare_problems);
    for (size_t i = 0; i < list->count; i++) {
        space->memory->all[i] = i;
    }
    space->problems = problems;
    space->problem_count = list->count;
    for (size_t i = 0; i < entry_count; i++) {
        if (*entries[i].name) {
            FSATTN_TRY(add_entry_set(reader, &entries[i]));
        }
    }
    return check_distinct(reader, problems, list->count);
}

fsattn_status fsattn_space_problem_read(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                        const fsattn_space_yaml *node, void *member) {
    (void)key;
    (void)member;
    FSATTN_TRY(fsattn_space_read_expect(reader, name, node, FSATTN_SPACE_YAML_LIST));
    if (!node->count || node->count > fsattn_space_problem_limit) {
        fsattn_space_fail(reader->space, node->place, reader->err, "%s: %s", name,
                          node->count ? "too many entries" : "the list is empty");
        fsattn_hint(reader->err, "write entries such as - {name: bert_base, h: 12, s: 512, d: 64}");
        return FSATTN_PARSE;
    }
    entry *entries = fsattn_space_read_alloc(reader, node->count, sizeof *entries);
    if (!entries) {
        return FSATTN_NO_MEMORY;
    }
    problem_list list = {0};
    fsattn_status status;
    for (size_t i = 0; i < node->count; i++) {
        FSATTN_GOTO(read_entry(reader, &node->items[i], &entries[i], &list));
        FSATTN_GOTO(check_names(reader, entries, i));
    }
    status = keep_problems(reader, &list, entries, node->count);
out:
    fsattn_free(list.items);
    return status;
}
