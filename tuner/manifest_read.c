#include "manifest_read.h"

#include "error.h"
#include "file.h"
#include "lua_scan.h"
#include "nearest.h"

#include <lauxlib.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { path_bytes = 128, list_limit = 4096 };

static const char *const section_keys[] = {
#define X(name, key) [FSATTN_SECTION_##name] = key,
    FSATTN_SECTION_LIST(X)
#undef X
};
static const char *const operations[] = {"attention_fwd", NULL};
static const char *const targets[] = {"host", "gfx950", NULL};
static const char *const work_items[] = {"query_tiles", "pack_amax", "pack_q", "pack_k", "pack_v", NULL};

/* The table being read. Paths are those of fsattn_lua_locate: "parameters[3].values[1]". */
typedef struct reader {
    fsattn_manifest *manifest;
    struct fsattn_manifest_state *state;
    lua_State *lua;
    fsattn_err *err;
    fsattn_status status; /* of the whole */
} reader;

static void set_path(char path[path_bytes], const char *format, ...) __attribute__((format(printf, 2, 3)));
static void set_path(char path[path_bytes], const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(path, path_bytes, format, args);
    va_end(args);
}

/* "manifest.lua:12:5: parameters[3].values: message" */
static fsattn_status fail(reader *r, const char *path, const char *format, ...) __attribute__((format(printf, 3, 4)));
static fsattn_status fail(reader *r, const char *path, const char *format, ...) {
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    int line, column;
    fsattn_lua_place(r->state->text, fsattn_lua_locate(r->state->text, r->state->text_bytes, path), &line, &column);
    return fsattn_fail(r->err, FSATTN_PARSE, "%s:%d:%d: %s%s%s", r->manifest->path, line, column, path,
                       *path ? ": " : "", message);
}

static fsattn_status no_memory(reader *r) {
    return fsattn_fail(r->err, FSATTN_NO_MEMORY, "%s: out of memory", r->manifest->path);
}

static void *arena_alloc(reader *r, size_t count, size_t size) {
    return fsattn_arena_alloc(&r->state->arena, count ? count : 1, size);
}

static size_t list_length(const char *const *words) {
    size_t count = 0;
    while (words[count]) {
        count++;
    }
    return count;
}

/* ---- tables ---- */

/* Refuses keys of the table on top of the stack that `keys` does not have. */
static fsattn_status check_keys(reader *r, const char *path, const char *const *keys) {
    const char *unknown = NULL;
    lua_pushnil(r->lua);
    while (lua_next(r->lua, -2)) {
        lua_pop(r->lua, 1);
        if (lua_type(r->lua, -1) != LUA_TSTRING) {
            return fail(r, path, "expected named entries only");
        }
        const char *key = lua_tostring(r->lua, -1);
        bool known = false;
        for (size_t i = 0; keys[i]; i++) {
            known |= !strcmp(keys[i], key);
        }
        if (!known && (!unknown || strcmp(key, unknown) < 0)) {
            unknown = key;
        }
    }
    if (unknown) {
        char entry[path_bytes];
        set_path(entry, "%s%s%s", path, *path ? "." : "", unknown);
        fail(r, entry, "unknown key");
        fsattn_nearest_hint(r->err, unknown, keys, list_length(keys));
        return FSATTN_PARSE;
    }
    return FSATTN_OK;
}

/* Pushes the field; its type must be `type`. */
static fsattn_status push_field(reader *r, const char *path, const char *key, int type, char entry[path_bytes]) {
    set_path(entry, "%s%s%s", path, *path ? "." : "", key);
    lua_getfield(r->lua, -1, key);
    if (lua_isnil(r->lua, -1)) {
        set_path(entry, "%s", path);
        return fail(r, entry, "'%s' is missing", key);
    }
    if (lua_type(r->lua, -1) != type) {
        return fail(r, entry, "expected a %s, got a %s", lua_typename(r->lua, type), luaL_typename(r->lua, -1));
    }
    return FSATTN_OK;
}

static bool has_field(reader *r, const char *key) {
    bool present = lua_getfield(r->lua, -1, key) != LUA_TNIL;
    lua_pop(r->lua, 1);
    return present;
}

/* Length of the list on top of the stack; refuses tables with other keys. */
static fsattn_status check_list(reader *r, const char *path, size_t minimum, size_t *count) {
    size_t entries = 0;
    lua_pushnil(r->lua);
    while (lua_next(r->lua, -2)) {
        lua_pop(r->lua, 1);
        entries++;
    }
    *count = lua_rawlen(r->lua, -1);
    if (entries != *count) {
        return fail(r, path, "expected a list");
    }
    if (*count < minimum || *count > list_limit) {
        return fail(r, path, "expected %zu to %d entries, got %zu", minimum, list_limit, *count);
    }
    return FSATTN_OK;
}

/* The string on top of the stack, copied. */
static fsattn_status copy_string(reader *r, const char *path, const char **text) {
    size_t bytes;
    const char *string = lua_type(r->lua, -1) == LUA_TSTRING ? lua_tolstring(r->lua, -1, &bytes) : NULL;
    if (!string) {
        return fail(r, path, "expected a string, got a %s", luaL_typename(r->lua, -1));
    }
    if (!bytes || strlen(string) != bytes) {
        return fail(r, path, bytes ? "the string holds a NUL byte" : "the string is empty");
    }
    *text = fsattn_arena_strdup(&r->state->arena, string);
    return *text ? FSATTN_OK : no_memory(r);
}

static fsattn_status read_string(reader *r, const char *path, const char *key, const char **text) {
    char entry[path_bytes];
    FSATTN_TRY(push_field(r, path, key, LUA_TSTRING, entry));
    FSATTN_TRY(copy_string(r, entry, text));
    lua_pop(r->lua, 1);
    return FSATTN_OK;
}

static fsattn_status check_word(reader *r, const char *path, const char *word, const char *const *words) {
    for (size_t i = 0; words[i]; i++) {
        if (!strcmp(words[i], word)) {
            return FSATTN_OK;
        }
    }
    fail(r, path, "unknown value '%s'", word);
    fsattn_nearest_hint(r->err, word, words, list_length(words));
    return FSATTN_PARSE;
}

/* ---- expressions ---- */

/* Where the text of a string at `path` stands: inside its quotes when it was written there as it is. */
static fsattn_expression_origin origin_of(reader *r, const char *path, const char *text) {
    const char *source = r->state->text, *end = source + r->state->text_bytes;
    size_t offset = fsattn_lua_locate(source, r->state->text_bytes, path), bytes = strlen(text);
    const char *at = source + offset;
    fsattn_lua_token token = fsattn_lua_next(&at, end);
    if (token.kind == FSATTN_LUA_STRING && token.bytes >= bytes + 2) {
        for (size_t skip = 1; skip + bytes < token.bytes; skip++) {
            if (!memcmp(token.text + skip, text, bytes)) {
                offset += skip;
                break;
            }
        }
    }
    fsattn_expression_origin origin = {r->manifest->path, 1, 1, 1};
    fsattn_lua_place(source, offset, &origin.line, &origin.column);
    return origin;
}

static fsattn_status compile(reader *r, const char *path, const char *text, fsattn_expression *expression) {
    fsattn_expression_origin origin = origin_of(r, path, text);
    return fsattn_expression_compile(r->state->sandbox, &r->manifest->parameters, text, &origin, expression, r->err);
}

/* ---- parameters ---- */

static const int lua_types[] = {[FSATTN_VALUE_INT] = LUA_TNUMBER,
                                [FSATTN_VALUE_REAL] = LUA_TNUMBER,
                                [FSATTN_VALUE_BOOL] = LUA_TBOOLEAN,
                                [FSATTN_VALUE_ENUM] = LUA_TSTRING};

/* The value on top of the stack. */
static fsattn_status read_value(reader *r, const char *path, fsattn_value_type type, fsattn_value *value) {
    bool right = lua_type(r->lua, -1) == lua_types[type];
    right &= type != FSATTN_VALUE_INT || lua_isinteger(r->lua, -1);
    right &= type != FSATTN_VALUE_REAL || isfinite(lua_tonumber(r->lua, -1));
    if (!right) {
        return fail(r, path, "expected a value of type %s, got %s %s", fsattn_value_type_text(type),
                    luaL_typename(r->lua, -1), lua_isnumber(r->lua, -1) ? lua_tostring(r->lua, -1) : "");
    }
    *value = (fsattn_value){.type = type};
    switch (type) {
    case FSATTN_VALUE_INT:
        value->integer = lua_tointeger(r->lua, -1);
        return FSATTN_OK;
    case FSATTN_VALUE_REAL:
        value->real = lua_tonumber(r->lua, -1) + 0.0; /* -0 becomes 0: one meaning, one text */
        return FSATTN_OK;
    case FSATTN_VALUE_BOOL:
        value->boolean = lua_toboolean(r->lua, -1);
        return FSATTN_OK;
    case FSATTN_VALUE_ENUM:
        FSATTN_TRY(copy_string(r, path, &value->word));
        fsattn_status status = fsattn_value_parse(type, value->word, value, r->err);
        return status == FSATTN_OK ? status : fail(r, path, "'%s' is not a word of letters, digits, '_', '.', '+', '-'",
                                                   value->word);
    }
    return FSATTN_INTERNAL;
}

/* The list of values of the parameter table on top of the stack; a boolean parameter may leave it out. */
static fsattn_status read_values(reader *r, const char *path, fsattn_parameter *parameter) {
    static const fsattn_value booleans[] = {{.type = FSATTN_VALUE_BOOL, .boolean = false},
                                            {.type = FSATTN_VALUE_BOOL, .boolean = true}};
    if (parameter->type == FSATTN_VALUE_BOOL && !has_field(r, "values")) {
        parameter->values = booleans;
        parameter->value_count = 2;
        return FSATTN_OK;
    }
    char list[path_bytes], entry[path_bytes];
    FSATTN_TRY(push_field(r, path, "values", LUA_TTABLE, list));
    FSATTN_TRY(check_list(r, list, 1, &parameter->value_count));
    fsattn_value *values = arena_alloc(r, parameter->value_count, sizeof *values);
    if (!values) {
        return no_memory(r);
    }
    parameter->values = values;
    for (size_t i = 0; i < parameter->value_count; i++) {
        set_path(entry, "%s[%zu]", list, i + 1);
        lua_rawgeti(r->lua, -1, (lua_Integer)i + 1);
        FSATTN_TRY(read_value(r, entry, parameter->type, &values[i]));
        lua_pop(r->lua, 1);
        for (size_t j = 0; j < i; j++) {
            if (fsattn_value_equal(&values[j], &values[i])) {
                return fail(r, entry, "the value occurs twice");
            }
        }
    }
    lua_pop(r->lua, 1);
    return FSATTN_OK;
}

static fsattn_status check_parameter_name(reader *r, const char *path, size_t index) {
    const fsattn_parameter *items = r->manifest->parameters.items;
    const char *name = items[index].name;
    size_t bytes = strlen(name);
    if (bytes > 40 || !(name[0] >= 'a' && name[0] <= 'z') ||
        strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") != bytes) {
        return fail(r, path, "'%.60s': a name opens with a-z, then a-z, 0-9 and '_', at most 40 bytes", name);
    }
    if (fsattn_sandbox_reserved(name)) {
        return fail(r, path, "'%s' is a name of Lua or of the sandbox", name);
    }
    for (size_t i = 0; i < index; i++) {
        if (!strcmp(items[i].name, name)) {
            return fail(r, path, "a parameter of that name stands above");
        }
    }
    return FSATTN_OK;
}

/* The parameter table on top of the stack. */
static fsattn_status read_parameter(reader *r, const char *path, fsattn_parameter *parameter, size_t index) {
    static const char *const keys[] = {"name", "type", "values", "default", "help", NULL};
    static const char *const types[] = {
#define X(name, text) [FSATTN_VALUE_##name] = text,
        FSATTN_VALUE_TYPE_LIST(X)
#undef X
            NULL};
    char entry[path_bytes];
    const char *type;
    if (!lua_istable(r->lua, -1)) {
        return fail(r, path, "expected a table, got a %s", luaL_typename(r->lua, -1));
    }
    FSATTN_TRY(check_keys(r, path, keys));
    FSATTN_TRY(read_string(r, path, "name", &parameter->name));
    FSATTN_TRY(check_parameter_name(r, path, index));
    FSATTN_TRY(read_string(r, path, "help", &parameter->help));
    FSATTN_TRY(read_string(r, path, "type", &type));
    set_path(entry, "%s.type", path);
    FSATTN_TRY(check_word(r, entry, type, types));
    while (strcmp(types[parameter->type], type) != 0) {
        parameter->type++;
    }
    FSATTN_TRY(read_values(r, path, parameter));
    FSATTN_TRY(push_field(r, path, "default", lua_types[parameter->type], entry));
    fsattn_value value;
    FSATTN_TRY(read_value(r, entry, parameter->type, &value));
    lua_pop(r->lua, 1);
    fsattn_err detail;
    if (fsattn_parameter_value_find(parameter, &value, &parameter->default_index, &detail) != FSATTN_OK) {
        fail(r, entry, "%s", detail.message);
        fsattn_hint(r->err, "%s", detail.hint);
        return FSATTN_PARSE;
    }
    return FSATTN_OK;
}

static fsattn_status read_parameters(reader *r) {
    char list[path_bytes], entry[path_bytes];
    fsattn_parameter_set *set = &r->manifest->parameters;
    size_t count;
    FSATTN_TRY(push_field(r, "", "parameters", LUA_TTABLE, list));
    FSATTN_TRY(check_list(r, list, 1, &count));
    if (count > fsattn_parameter_limit) {
        return fail(r, list, "more than %d parameters", fsattn_parameter_limit);
    }
    fsattn_parameter *items = arena_alloc(r, count, sizeof *items);
    if (!items) {
        return no_memory(r);
    }
    set->template_name = r->manifest->name;
    set->items = items;
    for (size_t i = 0; i < count; i++) {
        set_path(entry, "%s[%zu]", list, i + 1);
        lua_rawgeti(r->lua, -1, (lua_Integer)i + 1);
        FSATTN_TRY(read_parameter(r, entry, &items[i], i));
        lua_pop(r->lua, 1);
    }
    lua_pop(r->lua, 1);
    set->count = count;
    fsattn_parameter_set_sort(set);
    fsattn_config_default(set, &r->manifest->defaults);
    return FSATTN_OK;
}

/* ---- the other keys ---- */

/* The list of strings at an optional key. */
static fsattn_status read_strings(reader *r, const char *key, const char ***texts, size_t *count) {
    char list[path_bytes], entry[path_bytes];
    *count = 0;
    if (!has_field(r, key)) {
        return FSATTN_OK;
    }
    FSATTN_TRY(push_field(r, "", key, LUA_TTABLE, list));
    FSATTN_TRY(check_list(r, list, 0, count));
    *texts = arena_alloc(r, *count, sizeof **texts);
    if (!*texts) {
        return no_memory(r);
    }
    for (size_t i = 0; i < *count; i++) {
        set_path(entry, "%s[%zu]", list, i + 1);
        lua_rawgeti(r->lua, -1, (lua_Integer)i + 1);
        FSATTN_TRY(copy_string(r, entry, &(*texts)[i]));
        lua_pop(r->lua, 1);
    }
    lua_pop(r->lua, 1);
    return FSATTN_OK;
}

static fsattn_status read_supports(reader *r) {
    const char **texts = NULL;
    struct fsattn_manifest_state *state = r->state;
    FSATTN_TRY(read_strings(r, "supports", &texts, &state->support_count));
    state->supports = arena_alloc(r, state->support_count, sizeof *state->supports);
    if (!state->supports) {
        return no_memory(r);
    }
    for (size_t i = 0; i < state->support_count; i++) {
        char entry[path_bytes];
        set_path(entry, "supports[%zu]", i + 1);
        FSATTN_TRY(compile(r, entry, texts[i], &state->supports[i]));
        if (state->supports[i].reads) {
            fail(r, entry, "reads a parameter");
            fsattn_hint(r->err, "what depends on the configuration belongs in constraints");
            return FSATTN_PARSE;
        }
    }
    return FSATTN_OK;
}

/* The constraint table on top of the stack. */
static fsattn_status read_constraint(reader *r, const char *path, fsattn_manifest_constraint *constraint) {
    static const char *const keys[] = {"when", "reason", NULL};
    char entry[path_bytes];
    const char *text;
    if (!lua_istable(r->lua, -1)) {
        return fail(r, path, "expected a table { when = ..., reason = ... }, got a %s", luaL_typename(r->lua, -1));
    }
    FSATTN_TRY(check_keys(r, path, keys));
    FSATTN_TRY(read_string(r, path, "when", &text));
    FSATTN_TRY(read_string(r, path, "reason", &constraint->reason));
    fsattn_expression *expression = arena_alloc(r, 1, sizeof *expression);
    if (!expression) {
        return no_memory(r);
    }
    set_path(entry, "%s.when", path);
    FSATTN_TRY(compile(r, entry, text, expression));
    constraint->expression = expression;
    if (!expression->reads) {
        fsattn_expression_fail(expression, 0, r->err, "the constraint names no parameter");
        fsattn_hint(r->err, "what depends on the problem alone belongs in supports");
        return FSATTN_PARSE;
    }
    return FSATTN_OK;
}

static fsattn_status read_constraints(reader *r) {
    struct fsattn_manifest_state *state = r->state;
    if (!has_field(r, "constraints")) {
        return FSATTN_OK;
    }
    char list[path_bytes], entry[path_bytes];
    FSATTN_TRY(push_field(r, "", "constraints", LUA_TTABLE, list));
    FSATTN_TRY(check_list(r, list, 0, &state->constraint_count));
    state->constraints = arena_alloc(r, state->constraint_count, sizeof *state->constraints);
    if (!state->constraints) {
        return no_memory(r);
    }
    for (size_t i = 0; i < state->constraint_count; i++) {
        set_path(entry, "%s[%zu]", list, i + 1);
        lua_rawgeti(r->lua, -1, (lua_Integer)i + 1);
        FSATTN_TRY(read_constraint(r, entry, &state->constraints[i]));
        lua_pop(r->lua, 1);
    }
    lua_pop(r->lua, 1);
    return FSATTN_OK;
}

/* The value on top of the stack: an expression, or a number or boolean that stands for itself. */
static fsattn_status read_entry(reader *r, fsattn_section section, const char *path, fsattn_manifest_entry *entry) {
    int type = lua_type(r->lua, -1);
    if (type != LUA_TSTRING && type != LUA_TNUMBER && type != LUA_TBOOLEAN) {
        return fail(r, path, "expected an expression, got a %s", luaL_typename(r->lua, -1));
    }
    luaL_tolstring(r->lua, -1, NULL);
    const char *text;
    FSATTN_TRY(copy_string(r, path, &text));
    lua_pop(r->lua, 1);
    if (section == FSATTN_SECTION_LAUNCH && !strcmp(entry->name, "work_items")) {
        entry->word = text;
        return check_word(r, path, text, work_items);
    }
    return compile(r, path, text, &entry->expression);
}

static int compare_entries(const void *a, const void *b) {
    return strcmp(((const fsattn_manifest_entry *)a)->name, ((const fsattn_manifest_entry *)b)->name);
}

static const char *const launch_keys[] = {"work_items", "tile_m", "tile_n", "threads", "pack_layout", "q_group_bytes", "k_tile_bytes",
                                          "v_tile_bytes", NULL};

static fsattn_status read_section(reader *r, fsattn_section section) {
    if (!has_field(r, section_keys[section])) {
        return FSATTN_OK;
    }
    char table[path_bytes], path[path_bytes];
    FSATTN_TRY(push_field(r, "", section_keys[section], LUA_TTABLE, table));
    fsattn_manifest_entry *items = arena_alloc(r, fsattn_pair_limit, sizeof *items);
    if (!items) {
        return no_memory(r);
    }
    if (section == FSATTN_SECTION_LAUNCH) {
        FSATTN_TRY(check_keys(r, table, launch_keys));
    }
    size_t count = 0;
    lua_pushnil(r->lua);
    while (lua_next(r->lua, -2)) {
        if (lua_type(r->lua, -2) != LUA_TSTRING || count == fsattn_pair_limit) {
            return fail(r, table, "expected at most %d named expressions", fsattn_pair_limit);
        }
        items[count].name = fsattn_arena_strdup(&r->state->arena, lua_tostring(r->lua, -2));
        if (!items[count].name) {
            return no_memory(r);
        }
        set_path(path, "%s.%s", table, items[count].name);
        FSATTN_TRY(read_entry(r, section, path, &items[count]));
        lua_pop(r->lua, 1);
        count++;
    }
    lua_pop(r->lua, 1);
    qsort(items, count, sizeof *items, compare_entries);
    r->state->sections[section].items = items;
    r->state->sections[section].count = count;
    return FSATTN_OK;
}

/* The kernel's table on top of the stack. */
static fsattn_status read_kernel(reader *r, const char *path, fsattn_manifest_kernel *kernel) {
    static const char *const keys[] = {"entry", "work_items", "when", NULL};
    char place[path_bytes];
    const char *text;
    if (!lua_istable(r->lua, -1)) {
        return fail(r, path, "expected a table { entry = ..., work_items = ... }, got a %s", luaL_typename(r->lua, -1));
    }
    FSATTN_TRY(check_keys(r, path, keys));
    FSATTN_TRY(read_string(r, path, "entry", &kernel->entry));
    FSATTN_TRY(read_string(r, path, "work_items", &kernel->work_items));
    set_path(place, "%s.work_items", path);
    FSATTN_TRY(check_word(r, place, kernel->work_items, work_items));
    if (!has_field(r, "when")) {
        return FSATTN_OK;
    }
    FSATTN_TRY(read_string(r, path, "when", &text));
    fsattn_expression *expression = arena_alloc(r, 1, sizeof *expression);
    set_path(place, "%s.when", path);
    kernel->when = expression;
    return expression ? compile(r, place, text, expression) : no_memory(r);
}

/* Without a list: the one entry, launched by the rule in `launch`. */
static fsattn_status read_kernels(reader *r) {
    fsattn_manifest *manifest = r->manifest;
    char list[path_bytes], place[path_bytes];
    const bool listed = has_field(r, "kernels");
    size_t count = 1;
    if (has_field(r, "before")) {
        FSATTN_TRY(read_string(r, "", "before", &manifest->before));
    }
    if (listed) {
        FSATTN_TRY(push_field(r, "", "kernels", LUA_TTABLE, list));
        FSATTN_TRY(check_list(r, list, 1, &count));
    }
    fsattn_manifest_kernel *kernels = arena_alloc(r, count, sizeof *kernels);
    if (!kernels) {
        return no_memory(r);
    }
    kernels[0] = (fsattn_manifest_kernel){.entry = manifest->entry, .work_items = "query_tiles"};
    for (size_t i = 0; listed && i < count; i++) {
        kernels[i] = (fsattn_manifest_kernel){.when = NULL};
        set_path(place, "%s[%zu]", list, i + 1);
        lua_rawgeti(r->lua, -1, (lua_Integer)i + 1);
        FSATTN_TRY(read_kernel(r, place, &kernels[i]));
        lua_pop(r->lua, 1);
    }
    if (listed) {
        lua_pop(r->lua, 1);
    }
    manifest->kernels = kernels;
    manifest->kernel_count = count;
    return FSATTN_OK;
}

static fsattn_status read_identity(reader *r) {
    fsattn_manifest *manifest = r->manifest;
    FSATTN_TRY(read_string(r, "", "name", &manifest->name));
    fsattn_value value;
    if (fsattn_value_parse(FSATTN_VALUE_ENUM, manifest->name, &value, NULL) != FSATTN_OK) {
        return fail(r, "name", "'%s' is not a word of letters, digits, '_', '.', '+', '-'", manifest->name);
    }
    FSATTN_TRY(read_string(r, "", "operation", &manifest->operation));
    FSATTN_TRY(check_word(r, "operation", manifest->operation, operations));
    FSATTN_TRY(read_string(r, "", "target", &manifest->target));
    FSATTN_TRY(check_word(r, "target", manifest->target, targets));
    FSATTN_TRY(read_string(r, "", "entry", &manifest->entry));
    FSATTN_TRY(read_string(r, "", "source", &manifest->source));
    char *source = fsattn_arena_printf(&r->state->arena, "%s/%s", manifest->folder, manifest->source);
    if (!source) {
        return no_memory(r);
    }
    if (strchr(manifest->source, '/') || !fsattn_file_exists(source)) {
        return fail(r, "source", "there is no file '%s' beside the manifest", manifest->source);
    }
    char path[path_bytes];
    FSATTN_TRY(push_field(r, "", "abi", LUA_TNUMBER, path));
    manifest->abi = lua_tointeger(r->lua, -1);
    if (!lua_isinteger(r->lua, -1) || manifest->abi < 1) {
        return fail(r, "abi", "expected an integer of at least 1");
    }
    lua_pop(r->lua, 1);
    const char **options = NULL;
    FSATTN_TRY(read_strings(r, "options", &options, &manifest->option_count));
    manifest->options = options;
    return FSATTN_OK;
}

/* The manifest's table on top of the stack. */
static fsattn_status read_table(reader *r) {
    static const char *const keys[] = {"name", "operation", "target", "source", "entry", "abi", "options", "parameters",
                                       "constraints", "supports", "before", "kernels",
#define X(name, key) key,
                                       FSATTN_SECTION_LIST(X)
#undef X
                                           NULL};
    if (!lua_istable(r->lua, -1)) {
        return fail(r, "", "the file must return one table, got a %s", luaL_typename(r->lua, -1));
    }
    FSATTN_TRY(check_keys(r, "", keys));
    FSATTN_TRY(read_identity(r));
    FSATTN_TRY(read_parameters(r));
    FSATTN_TRY(read_supports(r));
    FSATTN_TRY(read_constraints(r));
    for (fsattn_section section = 0; section < FSATTN_SECTION_COUNT; section++) {
        FSATTN_TRY(read_section(r, section));
    }
    FSATTN_TRY(read_kernels(r));
    if (!strcmp(r->manifest->target, "host") && !r->state->sections[FSATTN_SECTION_LAUNCH].count) {
        return fail(r, "", "'launch' is missing");
    }
    return FSATTN_OK;
}

/* Arguments: the table, the reader. Memory errors of Lua end in the protected call around this. */
static int read_protected(lua_State *lua) {
    reader *r = lua_touserdata(lua, 2);
    luaL_checkstack(lua, 32, NULL);
    lua_settop(lua, 1);
    r->status = read_table(r);
    return 0;
}

fsattn_status fsattn_manifest_read(fsattn_manifest *manifest, fsattn_err *err) {
    struct fsattn_manifest_state *state = manifest->state;
    reader r = {manifest, state, fsattn_sandbox_lua(state->sandbox), err, FSATTN_OK};
    lua_pushcfunction(r.lua, read_protected);
    lua_insert(r.lua, -2);
    lua_pushlightuserdata(r.lua, &r);
    fsattn_err detail;
    fsattn_status status = fsattn_sandbox_call(state->sandbox, 2, 0, &detail);
    if (status != FSATTN_OK) {
        return fsattn_fail(err, status, "%s: %s", manifest->path, detail.message);
    }
    return r.status;
}
