#include "expression.h"

#include "error.h"
#include "lua_scan.h"
#include "nearest.h"
#include "text.h"

#include <lauxlib.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char chunk[] = "expression";

fsattn_status fsattn_expression_fail(const fsattn_expression *expression, size_t offset, fsattn_err *err,
                                     const char *format, ...) {
    char message[sizeof err->message - 256];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    const fsattn_expression_origin *origin = &expression->origin;
    int line, column;
    fsattn_lua_place(expression->text, offset, &line, &column);
    column += (line == 1 ? origin->column : origin->indent) - 1;
    return fsattn_fail(err, FSATTN_PARSE, "%s:%d:%d: %s", origin->file, origin->line + line - 1, column, message);
}

/* Moves the detail of a failure inside Lua to its place in the file, status and hint kept. */
static fsattn_status relocate(const fsattn_expression *expression, size_t offset, const char *message,
                              const fsattn_err *detail, fsattn_err *err) {
    fsattn_expression_fail(expression, offset, err, "%s", message);
    fsattn_hint(err, "%s", detail->hint);
    if (err) {
        err->code = detail->code;
    }
    return detail->code;
}

/* Lua's message without "expression:LINE: "; *line is 1 when there is none. */
static const char *cut_chunk(const char *message, int *line) {
    size_t bytes = sizeof chunk - 1;
    *line = 1;
    if (strncmp(message, chunk, bytes) != 0 || message[bytes] != ':') {
        return message;
    }
    char *rest;
    *line = (int)strtol(message + bytes + 1, &rest, 10);
    return rest + strspn(rest, ": ");
}

/* ---- compiling ---- */

/* The token at which Lua's parser stopped after reading `consumed` bytes: the last that had been read whole, the byte
 * behind it included. */
static size_t stop_offset(const char *text, size_t consumed, const char *message) {
    size_t bytes = strlen(text), offset = 0;
    if (strstr(message, "near <eof>")) {
        return bytes;
    }
    const char *at = text;
    for (;;) {
        fsattn_lua_token token = fsattn_lua_next(&at, text + bytes);
        size_t start = (size_t)(token.text - text);
        if (token.kind == FSATTN_LUA_END || start + (token.kind != FSATTN_LUA_ODD) >= consumed) {
            return offset;
        }
        offset = start;
    }
}

static fsattn_status unknown_name(const fsattn_expression *expression, const fsattn_parameter_set *set,
                                  const fsattn_lua_token *token, fsattn_err *err) {
    char name[64];
    const char *names[fsattn_parameter_limit + 2];
    size_t count = 0;
    for (; count < set->count; count++) {
        names[count] = set->items[count].name;
    }
    names[count++] = "problem";
    names[count++] = "target";
    snprintf(name, sizeof name, "%.*s", (int)token->bytes, token->text);
    fsattn_expression_fail(expression, (size_t)(token->text - expression->text), err,
                           "unknown name '%s': %s has no such parameter", name, set->template_name);
    fsattn_nearest_hint(err, name, names, count);
    return FSATTN_PARSE;
}

/* Whether the name at `token` is a field (t.name, t:name) or a key in a constructor ({ name = ... }). */
static bool is_field(const fsattn_lua_token *before, const char *behind, const char *end) {
    fsattn_lua_token next = fsattn_lua_next(&behind, end);
    return fsattn_lua_is(before, ".") || fsattn_lua_is(before, ":") || fsattn_lua_is(&next, "=");
}

/* Finds the names that the expression reads. */
static fsattn_status scan_names(fsattn_expression *expression, const fsattn_parameter_set *set, fsattn_err *err) {
    const char *at = expression->text, *end = at + strlen(at);
    fsattn_lua_token before = {FSATTN_LUA_END, at, 0};
    for (;;) {
        fsattn_lua_token token = fsattn_lua_next(&at, end);
        if (token.kind == FSATTN_LUA_END) {
            return FSATTN_OK;
        }
        if (token.kind == FSATTN_LUA_KEYWORD && fsattn_lua_is(&token, "function")) {
            fsattn_expression_fail(expression, (size_t)(token.text - expression->text), err,
                                   "'function' in an expression");
            fsattn_hint(err, "write a formula over parameters, problem and target");
            return FSATTN_PARSE;
        }
        if (token.kind == FSATTN_LUA_NAME && is_field(&before, at, end)) {
            expression->bounded = false;
        } else if (token.kind == FSATTN_LUA_NAME) {
            char name[64];
            size_t index;
            bool parameter;
            snprintf(name, sizeof name, "%.*s", (int)token.bytes, token.text);
            parameter = token.bytes < sizeof name && fsattn_parameter_find(set, name, &index);
            expression->bounded = expression->bounded && parameter;
            if (parameter) {
                expression->reads |= (uint64_t)1 << index;
                expression->wordless = expression->wordless && set->items[index].type != FSATTN_VALUE_ENUM;
            } else if (!fsattn_sandbox_global(name)) {
                return unknown_name(expression, set, &token, err);
            }
            expression->reads_problem |= !strcmp(name, "problem");
            expression->reads_target |= !strcmp(name, "target");
        }
        before = token;
    }
}

/* Compiles "return TEXT" for its errors alone: they stand where the user wrote them. */
static fsattn_status check_syntax(fsattn_sandbox *sandbox, const fsattn_expression *expression, fsattn_err *err) {
    static const char prefix[] = "return ";
    fsattn_text source = {0};
    fsattn_text_printf(&source, "%s%s", prefix, expression->text);
    if (source.failed) {
        fsattn_text_fini(&source);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", expression->origin.file);
    }
    fsattn_err detail;
    size_t consumed;
    fsattn_status status = fsattn_sandbox_load(sandbox, source.data, source.bytes, chunk, &consumed, &detail);
    fsattn_text_fini(&source);
    if (status == FSATTN_OK) {
        lua_pop(fsattn_sandbox_lua(sandbox), 1);
        return FSATTN_OK;
    }
    int line;
    const char *message = cut_chunk(detail.message, &line);
    size_t prefix_bytes = sizeof prefix - 1;
    consumed = consumed > prefix_bytes ? consumed - prefix_bytes : 0;
    return relocate(expression, stop_offset(expression->text, consumed, message), message, &detail, err);
}

/* "return function(a, b) return (TEXT\n) end": the parameters that it reads are arguments, in the set's order. */
static fsattn_status load_function(fsattn_sandbox *sandbox, const fsattn_parameter_set *set,
                                   const fsattn_expression *expression, fsattn_err *err) {
    fsattn_text source = {0};
    fsattn_text_puts(&source, "return function(");
    const char *separator = "";
    for (size_t i = 0; i < set->count; i++) {
        if (expression->reads >> i & 1) {
            fsattn_text_printf(&source, "%s%s", separator, set->items[i].name);
            separator = ", ";
        }
    }
    fsattn_text_printf(&source, ") return (%s\n) end", expression->text);
    fsattn_err detail;
    fsattn_status status = source.failed ? fsattn_fail(&detail, FSATTN_NO_MEMORY, "out of memory")
                                         : fsattn_sandbox_load(sandbox, source.data, source.bytes, chunk, NULL, &detail);
    fsattn_text_fini(&source);
    if (status == FSATTN_PARSE) {
        /* "return TEXT" was fine, so TEXT is a list or a statement follows. */
        fsattn_expression_fail(expression, 0, err, "expected one expression");
        return FSATTN_PARSE;
    }
    return status == FSATTN_OK ? status : relocate(expression, 0, detail.message, &detail, err);
}

/* Arguments: the chunk, where the reference goes. Everything that allocates in Lua runs protected. */
static int keep_function(lua_State *lua) {
    int *reference = lua_touserdata(lua, 2);
    lua_settop(lua, 1);
    lua_call(lua, 0, 1);
    *reference = luaL_ref(lua, LUA_REGISTRYINDEX);
    return 0;
}

fsattn_status fsattn_expression_compile(fsattn_sandbox *sandbox, const fsattn_parameter_set *set, const char *text,
                                        const fsattn_expression_origin *origin, fsattn_expression *expression,
                                        fsattn_err *err) {
    fsattn_expression made = {.text = text, .origin = *origin, .reference = LUA_NOREF, .bounded = true, .wordless = true};
    FSATTN_TRY(check_syntax(sandbox, &made, err));
    FSATTN_TRY(scan_names(&made, set, err));
    FSATTN_TRY(load_function(sandbox, set, &made, err));
    lua_State *lua = fsattn_sandbox_lua(sandbox);
    lua_pushcfunction(lua, keep_function);
    lua_insert(lua, -2);
    lua_pushlightuserdata(lua, &made.reference);
    fsattn_err detail;
    fsattn_status status = fsattn_sandbox_call(sandbox, 2, 0, &detail);
    if (status != FSATTN_OK) {
        return relocate(&made, 0, detail.message, &detail, err);
    }
    *expression = made;
    return FSATTN_OK;
}

/* ---- evaluating ---- */

/* Where in the expression a run-time error belongs: the variable that Lua names ("local 'tile_m'"), in the
 * line that it gives; else the first token of that line. */
static size_t blame_offset(const char *text, const char *message, int line) {
    const char *quote = strstr(message, "(local '"), *end = text + strlen(text), *at = text;
    quote = quote ? quote : strstr(message, "(field '");
    const char *name = quote ? strchr(quote, '\'') + 1 : "";
    size_t name_bytes = strcspn(name, "'");
    size_t first = 0;
    bool have_first = false;
    for (;;) {
        fsattn_lua_token token = fsattn_lua_next(&at, end);
        int token_line, column;
        fsattn_lua_place(text, (size_t)(token.text - text), &token_line, &column);
        if (token.kind == FSATTN_LUA_END || token_line > line) {
            return first;
        }
        if (token_line == line && !have_first) {
            first = (size_t)(token.text - text);
            have_first = true;
        }
        if (token_line == line && name_bytes && token.bytes == name_bytes && !memcmp(token.text, name, name_bytes)) {
            return (size_t)(token.text - text);
        }
    }
}

typedef struct evaluation {
    const fsattn_parameter_set *set;
    const fsattn_expression *expression;
    const fsattn_config *config;
} evaluation;

/* Pushes the function and what it reads; how many arguments that are. Allocates when there is a word among them. */
static int push_call(lua_State *lua, const evaluation *job) {
    int arguments = 0;
    lua_rawgeti(lua, LUA_REGISTRYINDEX, job->expression->reference);
    for (uint64_t rest = job->expression->reads; rest; rest &= rest - 1) {
        size_t parameter = (size_t)__builtin_ctzll(rest);
        fsattn_sandbox_push(lua, fsattn_config_value(job->set, job->config, parameter));
        arguments++;
    }
    return arguments;
}

static int evaluate_protected(lua_State *lua) {
    const evaluation *job = lua_touserdata(lua, 1);
    luaL_checkstack(lua, fsattn_parameter_limit + 2, NULL);
    lua_call(lua, push_call(lua, job), 1);
    return 1;
}

static fsattn_status call(fsattn_sandbox *sandbox, const evaluation *job, fsattn_err *err) {
    lua_State *lua = fsattn_sandbox_lua(sandbox);
    if (job->expression->bounded && job->expression->wordless && lua_checkstack(lua, fsattn_parameter_limit + 2)) {
        return fsattn_sandbox_call_bounded(sandbox, push_call(lua, job), 1, err); /* nothing outside it can fail */
    }
    lua_pushcfunction(lua, evaluate_protected);
    lua_pushlightuserdata(lua, (void *)job);
    return job->expression->bounded ? fsattn_sandbox_call_bounded(sandbox, 1, 1, err) : fsattn_sandbox_call(sandbox, 1, 1, err);
}

/* Calls the function; its result is on the stack. */
static fsattn_status evaluate(fsattn_sandbox *sandbox, const fsattn_parameter_set *set,
                              const fsattn_expression *expression, const fsattn_config *config, fsattn_err *err) {
    const evaluation job = {set, expression, config};
    fsattn_err detail;
    fsattn_status status = call(sandbox, &job, &detail);
    if (status != FSATTN_OK) {
        int line;
        const char *message = cut_chunk(detail.message, &line);
        return relocate(expression, blame_offset(expression->text, message, line), message, &detail, err);
    }
    return FSATTN_OK;
}

/* What the values of the parameters were, for messages: "tile_m=32 reg_m=6"; at most `bytes`. */
static void values_text(const fsattn_parameter_set *set, const fsattn_expression *expression,
                        const fsattn_config *config, char *buffer, size_t bytes) {
    fsattn_text text = {0};
    for (size_t i = 0; i < set->count; i++) {
        if (expression->reads >> i & 1) {
            fsattn_text_printf(&text, "%s%s=", text.bytes ? " " : "", set->items[i].name);
            fsattn_value_text(fsattn_config_value(set, config, i), &text);
        }
    }
    snprintf(buffer, bytes, "%s", text.data ? text.data : "");
    fsattn_text_fini(&text);
}

static fsattn_status wrong_result(const fsattn_expression *expression, const fsattn_parameter_set *set,
                                  const fsattn_config *config, const char *expected, const char *got,
                                  fsattn_err *err) {
    char values[256];
    values_text(set, expression, config, values, sizeof values);
    return fsattn_expression_fail(expression, 0, err, "expected %s, got %s%s%s%s", expected, got,
                                  *values ? " (" : "", values, *values ? ")" : "");
}

/* Arguments: a string. Anchors it, so that its bytes stay. */
static int keep_word(lua_State *lua) {
    lua_settop(lua, 1);
    lua_pushboolean(lua, true);
    lua_settable(lua, LUA_REGISTRYINDEX);
    return 0;
}

fsattn_status fsattn_expression_value(fsattn_sandbox *sandbox, const fsattn_parameter_set *set,
                                      const fsattn_expression *expression, const fsattn_config *config,
                                      fsattn_value *value, fsattn_err *err) {
    FSATTN_TRY(evaluate(sandbox, set, expression, config, err));
    lua_State *lua = fsattn_sandbox_lua(sandbox);
    int type = lua_type(lua, -1);
    if (type == LUA_TSTRING) {
        const char *word = lua_tostring(lua, -1);
        lua_pushcfunction(lua, keep_word);
        lua_insert(lua, -2);
        fsattn_status kept = fsattn_sandbox_call(sandbox, 1, 0, err);
        if (kept == FSATTN_OK) {
            *value = (fsattn_value){.type = FSATTN_VALUE_ENUM, .word = word};
        }
        return kept;
    }
    fsattn_status status = FSATTN_OK;
    if (type == LUA_TBOOLEAN) {
        *value = (fsattn_value){.type = FSATTN_VALUE_BOOL, .boolean = lua_toboolean(lua, -1)};
    } else if (lua_isinteger(lua, -1)) {
        *value = (fsattn_value){.type = FSATTN_VALUE_INT, .integer = lua_tointeger(lua, -1)};
    } else if (type == LUA_TNUMBER && isfinite(lua_tonumber(lua, -1))) {
        *value = (fsattn_value){.type = FSATTN_VALUE_REAL, .real = lua_tonumber(lua, -1)};
    } else {
        status = wrong_result(expression, set, config, "a finite number, a boolean or a word",
                              type == LUA_TNUMBER ? "a number that is not finite" : lua_typename(lua, type), err);
    }
    lua_pop(lua, 1);
    return status;
}

fsattn_status fsattn_expression_test(fsattn_sandbox *sandbox, const fsattn_parameter_set *set,
                                     const fsattn_expression *expression, const fsattn_config *config, bool *holds,
                                     fsattn_err *err) {
    FSATTN_TRY(evaluate(sandbox, set, expression, config, err));
    lua_State *lua = fsattn_sandbox_lua(sandbox);
    int type = lua_type(lua, -1);
    *holds = lua_toboolean(lua, -1);
    lua_pop(lua, 1);
    if (type != LUA_TBOOLEAN) {
        wrong_result(expression, set, config, "true or false", lua_typename(lua, type), err);
        fsattn_hint(err, "compare it: ... ~= 0");
        return FSATTN_PARSE;
    }
    return FSATTN_OK;
}
