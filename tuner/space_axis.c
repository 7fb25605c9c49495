#include "space_read.h"

#include "error.h"
#include "expression.h"
#include "nearest.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* ---- axes ---- */

/* The axis of one parameter while it is read. */
typedef struct axis_builder {
    const fsattn_parameter *parameter;
    fsattn_place place;
    bool chosen[fsattn_parameter_value_limit];
} axis_builder;

static fsattn_status keep_axis(fsattn_space_reader *reader, const axis_builder *builder, fsattn_space_axis *axis) {
    size_t count = 0;
    uint16_t *values = fsattn_space_read_alloc(reader, builder->parameter->value_count, sizeof *values);
    if (!values) {
        return FSATTN_NO_MEMORY;
    }
    for (size_t i = 0; i < builder->parameter->value_count; i++) {
        if (builder->chosen[i]) {
            values[count++] = (uint16_t)i;
        }
    }
    *axis = (fsattn_space_axis){values, count, builder->place};
    return FSATTN_OK;
}

/* Adds a value; `context` says where it comes from when that is not plain. */
static fsattn_status choose(fsattn_space_reader *reader, axis_builder *builder, fsattn_place place, const char *context,
                            const fsattn_value *value) {
    fsattn_err detail = {0};
    size_t index;
    if (fsattn_parameter_value_find(builder->parameter, value, &index, &detail) != FSATTN_OK) {
        fsattn_space_fail(reader->space, place, reader->err, "%s%s", detail.message, context);
        fsattn_hint(reader->err, "%s", detail.hint);
        return FSATTN_PARSE;
    }
    if (builder->chosen[index]) {
        fsattn_text text = {0};
        fsattn_value_text(value, &text);
        fsattn_space_fail(reader->space, place, reader->err, "%s: '%s' occurs twice", builder->parameter->name,
                          text.data ? text.data : "?");
        fsattn_text_fini(&text);
        fsattn_hint(reader->err, "remove one of them");
        return FSATTN_PARSE;
    }
    builder->chosen[index] = true;
    return FSATTN_OK;
}

static fsattn_status read_list(fsattn_space_reader *reader, axis_builder *builder, const fsattn_space_yaml *node) {
    const fsattn_parameter *parameter = builder->parameter;
    size_t count = node->kind == FSATTN_SPACE_YAML_LIST ? node->count : 1;
    if (!count) {
        fsattn_space_fail(reader->space, node->place, reader->err, "%s: the axis is empty", parameter->name);
        fsattn_hint(reader->err, "name at least one value, or leave the parameter out to fix it at its default");
        return FSATTN_PARSE;
    }
    for (size_t i = 0; i < count; i++) {
        const fsattn_space_yaml *item = node->kind == FSATTN_SPACE_YAML_LIST ? &node->items[i] : node;
        fsattn_value value;
        FSATTN_TRY(fsattn_space_read_value(reader, parameter->name, item, parameter->type, &value));
        FSATTN_TRY(choose(reader, builder, item->place, "", &value));
    }
    return FSATTN_OK;
}

/* ---- ranges ---- */

/* from, from + step, ... or from, from * factor, ... up to `to`, which must be reached. Integers and reals alike are doubles
 * here: legal values of either kind beyond 2^53 are out of a range's reach. */
typedef struct range {
    double from, to, step, factor; /* step or factor is NaN */
    const fsattn_space_yaml *node;
} range;

/* Decimal steps stay decimal: 0.1 + 2 * 0.1 is 0.3. */
static double rounded(double number) {
    char text[40];
    snprintf(text, sizeof text, "%.15g", number);
    return strtod(text, NULL);
}

static double range_at(const range *r, size_t index) {
    return rounded(isnan(r->step) ? r->from * pow(r->factor, (double)index) : r->from + (double)index * r->step);
}

static fsattn_status read_number(fsattn_space_reader *reader, const axis_builder *builder, const char *key,
                                 const fsattn_space_yaml *node, double *number) {
    char name[128];
    fsattn_value value;
    snprintf(name, sizeof name, "%s.%s", builder->parameter->name, key);
    FSATTN_TRY(fsattn_space_read_value(reader, name, node, builder->parameter->type, &value));
    *number = value.type == FSATTN_VALUE_INT ? (double)value.integer : value.real;
    if (fabs(*number) > 0x1p53) {
        fsattn_space_fail(reader->space, node->place, reader->err, "%s: %s is out of range", name, node->text);
        fsattn_hint(reader->err, "list such values one by one");
        return FSATTN_PARSE;
    }
    return FSATTN_OK;
}

static fsattn_status read_range_keys(fsattn_space_reader *reader, const axis_builder *builder, range *r) {
    static const char *const keys[] = {"from", "to", "step", "factor"};
    double *const members[] = {&r->from, &r->to, &r->step, &r->factor};
    for (size_t i = 0; i < r->node->count; i++) {
        const fsattn_space_yaml *key = &r->node->keys[i];
        size_t at = 0;
        while (at < COUNT(keys) && strcmp(keys[at], key->text) != 0) {
            at++;
        }
        if (at == COUNT(keys)) {
            return fsattn_space_read_unknown(reader, builder->parameter->name, key, keys, COUNT(keys));
        }
        FSATTN_TRY(read_number(reader, builder, keys[at], &r->node->items[i], members[at]));
    }
    return FSATTN_OK;
}

static fsattn_status range_fail(fsattn_space_reader *reader, const axis_builder *builder, const range *r,
                                const char *message, const char *hint) {
    fsattn_space_fail(reader->space, r->node->place, reader->err, "%s: %s", builder->parameter->name, message);
    fsattn_hint(reader->err, "%s", hint);
    return FSATTN_PARSE;
}

static fsattn_status check_range(fsattn_space_reader *reader, const axis_builder *builder, const range *r) {
    char message[128], hint[128];
    if (isnan(r->from) || isnan(r->to) || isnan(r->step) == isnan(r->factor)) {
        return range_fail(reader, builder, r, "a range has from, to, and either step or factor",
                          "write {from: 16, to: 64, step: 16} or {from: 16, to: 64, factor: 2}");
    }
    if (r->from > r->to) {
        snprintf(message, sizeof message, "the range is reversed: from %.15g is larger than to %.15g", r->from, r->to);
        snprintf(hint, sizeof hint, "write from: %.15g, to: %.15g", r->to, r->from);
        return range_fail(reader, builder, r, message, hint);
    }
    if (r->step <= 0) {
        return range_fail(reader, builder, r, "step must be larger than 0", "write step: 1 or more");
    }
    if (r->factor <= 1 || (!isnan(r->factor) && r->from <= 0)) {
        return range_fail(reader, builder, r, "a range with a factor opens above 0 and has a factor above 1",
                          "write {from: 1, to: 8, factor: 2}");
    }
    return FSATTN_OK;
}

static fsattn_status read_range(fsattn_space_reader *reader, axis_builder *builder, const fsattn_space_yaml *node) {
    range r = {NAN, NAN, NAN, NAN, node};
    fsattn_value_type type = builder->parameter->type;
    if (type != FSATTN_VALUE_INT && type != FSATTN_VALUE_REAL) {
        return range_fail(reader, builder, &r, "a range needs numbers", "list the values: [a, b]");
    }
    FSATTN_TRY(read_range_keys(reader, builder, &r));
    FSATTN_TRY(check_range(reader, builder, &r));
    size_t count = 0;
    double last = r.from;
    for (double number = r.from; number <= r.to; number = range_at(&r, count)) {
        fsattn_value value = {.type = type};
        if (type == FSATTN_VALUE_INT) {
            value.integer = (int64_t)number;
        } else {
            value.real = number;
        }
        FSATTN_TRY(choose(reader, builder, node->place, ", and the range holds it", &value));
        last = number;
        count++;
    }
    if (last != r.to) {
        char message[128], hint[128];
        snprintf(message, sizeof message, "the range does not reach its end: %.15g is followed by %.15g", last,
                 range_at(&r, count));
        snprintf(hint, sizeof hint, "write to: %.15g", last);
        return range_fail(reader, builder, &r, message, hint);
    }
    return FSATTN_OK;
}

/* ---- all parameters ---- */

static fsattn_status unknown_parameter(fsattn_space_reader *reader, const char *name, const fsattn_space_yaml *key) {
    const fsattn_parameter_set *set = &reader->space->manifest->parameters;
    const char *names[fsattn_parameter_limit];
    for (size_t i = 0; i < set->count; i++) {
        names[i] = set->items[i].name;
    }
    fsattn_space_fail(reader->space, key->place, reader->err, "%s: %s has no parameter '%.60s'", name,
                      set->template_name, key->text);
    fsattn_nearest_hint(reader->err, key->text, names, set->count);
    return FSATTN_PARSE;
}

/* Reads a map of parameters into `axes`, which has one axis for each of the manifest's. */
static fsattn_status read_axes(fsattn_space_reader *reader, const char *name, const fsattn_space_yaml *node, fsattn_space_axis *axes) {
    FSATTN_TRY(fsattn_space_read_expect(reader, name, node, FSATTN_SPACE_YAML_MAP));
    for (size_t i = 0; i < node->count; i++) {
        size_t index;
        axis_builder builder = {.place = node->keys[i].place};
        builder.parameter = fsattn_parameter_find(&reader->space->manifest->parameters, node->keys[i].text, &index);
        if (!builder.parameter) {
            return unknown_parameter(reader, name, &node->keys[i]);
        }
        if (node->items[i].kind == FSATTN_SPACE_YAML_MAP) {
            FSATTN_TRY(read_range(reader, &builder, &node->items[i]));
        } else {
            FSATTN_TRY(read_list(reader, &builder, &node->items[i]));
        }
        FSATTN_TRY(keep_axis(reader, &builder, &axes[index]));
    }
    return FSATTN_OK;
}

fsattn_status fsattn_space_axis_read(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                     const fsattn_space_yaml *node, void *member) {
    (void)key;
    (void)member;
    /* Not const: fsattn_space_axis_defaults made the array for this reader. */
    return read_axes(reader, name, node, (fsattn_space_axis *)reader->space->axes);
}

fsattn_status fsattn_space_axis_defaults(fsattn_space_reader *reader) {
    fsattn_space *space = reader->space;
    const fsattn_parameter_set *set = &space->manifest->parameters;
    fsattn_space_axis *axes = fsattn_space_read_alloc(reader, set->count, sizeof *axes);
    if (!axes) {
        return FSATTN_NO_MEMORY;
    }
    space->axes = axes;
    for (size_t i = 0; i < set->count; i++) {
        axis_builder builder = {.parameter = &set->items[i]};
        builder.chosen[set->items[i].default_index] = true;
        FSATTN_TRY(keep_axis(reader, &builder, &axes[i]));
    }
    size_t count;
    const fsattn_manifest_constraint *constraints = fsattn_manifest_constraints(space->manifest, &count);
    fsattn_space_constraint *kept = fsattn_space_read_alloc(reader, count, sizeof *kept);
    if (!kept) {
        return FSATTN_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        const fsattn_expression *expression = constraints[i].expression;
        kept[i] = (fsattn_space_constraint){expression->text, constraints[i].reason, expression->origin.file,
                                            {expression->origin.line, expression->origin.column}, expression};
    }
    space->constraints = kept;
    space->constraint_count = count;
    return FSATTN_OK;
}

/* ---- constraints ---- */

/* Only in plain and literal scalars does every byte of the expression stand where it stands in the file. */
static fsattn_status read_when(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                               const fsattn_space_yaml *node, void *member) {
    (void)key;
    fsattn_space_constraint *constraint = member;
    FSATTN_TRY(fsattn_space_read_expect(reader, name, node, FSATTN_SPACE_YAML_SCALAR));
    if (node->style != FSATTN_SPACE_YAML_PLAIN && node->style != FSATTN_SPACE_YAML_LITERAL) {
        fsattn_space_fail(reader->space, node->place, reader->err, "%s: the expression is %s", name,
                          node->style == FSATTN_SPACE_YAML_QUOTED ? "quoted" : "folded");
        fsattn_hint(reader->err, "write it plain on one line, or in a literal block (|)");
        return FSATTN_PARSE;
    }
    /* Without the blank lines around it: its place is its first line, and its end that of its last. */
    size_t blank = strspn(node->text, "\n"), bytes = strlen(node->text + blank);
    while (bytes && strchr(" \n", node->text[blank + bytes - 1])) {
        bytes--;
    }
    if (!bytes) {
        fsattn_space_fail(reader->space, node->place, reader->err, "%s: the expression is empty", name);
        fsattn_hint(reader->err, "write a condition such as tile_m %% reg_m == 0");
        return FSATTN_PARSE;
    }
    fsattn_expression *expression = fsattn_space_read_alloc(reader, 1, sizeof *expression);
    char *text = fsattn_space_read_alloc(reader, bytes + 1, 1);
    if (!expression || !text) {
        return FSATTN_NO_MEMORY;
    }
    memcpy(text, node->text + blank, bytes);
    const fsattn_manifest *manifest = reader->space->manifest;
    fsattn_place place = {node->text_place.line + (int)blank, node->text_place.column};
    fsattn_expression_origin origin = {reader->space->path, place.line, place.column, place.column};
    fsattn_status status = fsattn_expression_compile(fsattn_manifest_sandbox(manifest), &manifest->parameters, text,
                                                     &origin, expression, reader->err);
    if (status == FSATTN_PARSE && reader->err && !*reader->err->hint) {
        fsattn_hint(reader->err, "write a condition in Lua, such as tile_m %% reg_m == 0 and not fused");
    }
    FSATTN_TRY(status);
    if (!expression->reads) {
        fsattn_expression_fail(expression, 0, reader->err, "the constraint names no parameter");
        fsattn_hint(reader->err, "it would hold for all configurations or for none: compare a parameter of %s",
                    manifest->name);
        return FSATTN_PARSE;
    }
    constraint->text = text;
    constraint->file = reader->space->path;
    constraint->place = place;
    constraint->expression = expression;
    return FSATTN_OK;
}

static fsattn_status read_constraint(fsattn_space_reader *reader, const char *name, const fsattn_space_yaml *node,
                                     fsattn_space_constraint *constraint) {
    static const fsattn_space_key keys[] = {
        {.name = "when", .read = read_when, .required = true},
        {.name = "reason", .read = fsattn_space_read_line, .offset = offsetof(fsattn_space_constraint, reason)},
    };
    if (node->kind == FSATTN_SPACE_YAML_SCALAR) {
        FSATTN_TRY(read_when(reader, &keys[0], name, node, constraint));
    } else {
        FSATTN_TRY(fsattn_space_read_map(reader, name, node, keys, COUNT(keys), constraint));
    }
    if (!constraint->reason) {
        /* One line for people. */
        char *reason = fsattn_arena_strdup(reader->arena, constraint->text);
        if (!reason) {
            return fsattn_fail(reader->err, FSATTN_NO_MEMORY, "%s: out of memory", reader->space->path);
        }
        for (char *line = strchr(reason, '\n'); line; line = strchr(line, '\n')) {
            *line = ' ';
        }
        constraint->reason = reason;
    }
    return FSATTN_OK;
}

static fsattn_status check_repeated(fsattn_space_reader *reader, const fsattn_space_constraint *constraints,
                                    size_t first, size_t index) {
    for (size_t i = first; i < index; i++) {
        if (!strcmp(constraints[i].text, constraints[index].text)) {
            fsattn_space_fail(reader->space, constraints[index].place, reader->err,
                              "the constraint stands on line %d already", constraints[i].place.line);
            fsattn_hint(reader->err, "remove one of them");
            return FSATTN_PARSE;
        }
    }
    return FSATTN_OK;
}

fsattn_status fsattn_space_axis_read_constraints(fsattn_space_reader *reader, const fsattn_space_key *key,
                                                 const char *name, const fsattn_space_yaml *node, void *member) {
    (void)key;
    fsattn_space *space = reader->space;
    enum { limit = 1024 };
    FSATTN_TRY(fsattn_space_read_expect(reader, name, node, FSATTN_SPACE_YAML_LIST));
    if (node->count > limit) {
        fsattn_space_fail(space, node->place, reader->err, "%s: more than %d", name, limit);
        fsattn_hint(reader->err, "join conditions with 'and'");
        return FSATTN_PARSE;
    }
    size_t first = space->constraint_count;
    fsattn_space_constraint *constraints = fsattn_space_read_alloc(reader, first + node->count, sizeof *constraints);
    if (!constraints) {
        return FSATTN_NO_MEMORY;
    }
    if (first) {
        memcpy(constraints, space->constraints, first * sizeof *constraints);
    }
    for (size_t i = 0; i < node->count; i++) {
        FSATTN_TRY(read_constraint(reader, name, &node->items[i], &constraints[first + i]));
        FSATTN_TRY(check_repeated(reader, constraints, first, first + i));
    }
    *(const fsattn_space_constraint **)member = constraints;
    space->constraint_count = first + node->count;
    return FSATTN_OK;
}

/* ---- tiers ---- */

static bool axis_has(const fsattn_space_axis *axis, uint16_t value) {
    for (size_t i = 0; i < axis->count; i++) {
        if (axis->values[i] == value) {
            return true;
        }
    }
    return false;
}

static bool axes_meet(const fsattn_space_axis *a, const fsattn_space_axis *b) {
    for (size_t i = 0; i < a->count; i++) {
        if (axis_has(b, a->values[i])) {
            return true;
        }
    }
    return false;
}

/* A tier takes from what the space searches, and shares no configuration with another one. */
static fsattn_status check_tier(fsattn_space_reader *reader, const char *name, const fsattn_space_tier *tiers, size_t index) {
    const fsattn_space *space = reader->space;
    const fsattn_parameter_set *set = &space->manifest->parameters;
    const fsattn_space_tier *tier = &tiers[index];
    for (size_t p = 0; p < set->count; p++) {
        for (size_t i = 0; i < tier->axes[p].count; i++) {
            if (!axis_has(&space->axes[p], tier->axes[p].values[i])) {
                fsattn_text text = {0};
                fsattn_value_text(&set->items[p].values[tier->axes[p].values[i]], &text);
                fsattn_space_fail(space, tier->axes[p].place, reader->err, "%s.%s: the space does not search %s=%s", name, tier->name,
                                  set->items[p].name, text.data ? text.data : "?");
                fsattn_text_fini(&text);
                fsattn_hint(reader->err, "add the value to `parameters`, or leave it out here");
                return FSATTN_PARSE;
            }
        }
    }
    for (size_t t = 0; t < index; t++) {
        bool apart = false;
        for (size_t p = 0; p < set->count; p++) {
            apart = apart || !axes_meet(&tiers[t].axes[p], &tier->axes[p]);
        }
        if (!apart) {
            fsattn_space_fail(space, tier->place, reader->err, "%s: '%s' and '%s' share configurations", name, tiers[t].name, tier->name);
            fsattn_hint(reader->err, "give them different values of one parameter");
            return FSATTN_PARSE;
        }
    }
    return FSATTN_OK;
}

static int compare_tiers(const void *a, const void *b) {
    return strcmp(((const fsattn_space_tier *)a)->name, ((const fsattn_space_tier *)b)->name);
}

fsattn_status fsattn_space_axis_read_tiers(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                           const fsattn_space_yaml *node, void *member) {
    (void)key;
    fsattn_space *space = reader->space;
    const size_t parameters = space->manifest->parameters.count;
    FSATTN_TRY(fsattn_space_read_expect(reader, name, node, FSATTN_SPACE_YAML_MAP));
    if (node->count == 0 || node->count > fsattn_space_tier_limit) {
        fsattn_space_fail(space, node->place, reader->err, "%s: expected 1 to %d, got %zu", name, fsattn_space_tier_limit, node->count);
        fsattn_hint(reader->err, "leave the key out to search the space as a whole");
        return FSATTN_PARSE;
    }
    fsattn_space_tier *tiers = fsattn_space_read_alloc(reader, node->count, sizeof *tiers);
    if (!tiers) {
        return FSATTN_NO_MEMORY;
    }
    for (size_t i = 0; i < node->count; i++) {
        char inner[128];
        fsattn_space_axis *axes = fsattn_space_read_alloc(reader, parameters, sizeof *axes);
        if (!axes) {
            return FSATTN_NO_MEMORY;
        }
        memcpy(axes, space->axes, parameters * sizeof *axes);
        snprintf(inner, sizeof inner, "%s.%.60s", name, node->keys[i].text);
        FSATTN_TRY(read_axes(reader, inner, &node->items[i], axes));
        tiers[i] = (fsattn_space_tier){.name = node->keys[i].text, .axes = axes, .place = node->keys[i].place};
        FSATTN_TRY(check_tier(reader, name, tiers, i));
    }
    qsort(tiers, node->count, sizeof *tiers, compare_tiers);
    *(const fsattn_space_tier **)member = tiers;
    space->tier_count = node->count;
    return FSATTN_OK;
}
