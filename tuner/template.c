#include "template.h"

#include "error.h"
#include "file.h"
#include "memory.h"
#include "sandbox.h"
#include "template_parse.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { file_limit = 4 << 20, include_depth_limit = 16, include_name_limit = 48 };

const fsattn_template_limits fsattn_template_limits_default = {
    .memory_bytes = (size_t)256 << 20, .output_bytes = (size_t)16 << 20, .instructions = 2000000000, .time_s = 60};

typedef struct renderer {
    const fsattn_manifest *manifest;
    const fsattn_setting *setting;
    const fsattn_config *config;
    const fsattn_template_limits *limits;
    fsattn_sandbox *sandbox;
    fsattn_text body;
    fsattn_text files; /* names of the files rendered, each once, joined by spaces */
    int depth;         /* of includes */
    fsattn_status failure; /* a limit or lack of memory met below Lua, which knows errors only */
} renderer;

static renderer *renderer_of(lua_State *lua) {
    return lua_touserdata(lua, lua_upvalueindex(1));
}

/* ---- what the program calls ---- */

/* Raises when what was appended does not fit. */
static int check_output(lua_State *lua, renderer *r) {
    if (r->body.failed) {
        r->failure = FSATTN_NO_MEMORY;
        return luaL_error(lua, "out of memory");
    }
    if (r->body.bytes > r->limits->output_bytes) {
        r->failure = FSATTN_INVALID;
        return luaL_error(lua, "more than %d KiB of output", (int)(r->limits->output_bytes >> 10));
    }
    return 0;
}

static int emit_text(lua_State *lua) {
    renderer *r = renderer_of(lua);
    size_t bytes;
    const char *text = luaL_checklstring(lua, 1, &bytes);
    fsattn_text_add(&r->body, text, bytes);
    return check_output(lua, r);
}

/* Strings as they are, integers, reals as C has them, booleans as 1 and 0. */
static int emit_value(lua_State *lua) {
    renderer *r = renderer_of(lua);
    int type = lua_type(lua, 1);
    if (type == LUA_TSTRING) {
        return emit_text(lua);
    }
    if (type == LUA_TBOOLEAN) {
        fsattn_text_puts(&r->body, lua_toboolean(lua, 1) ? "1" : "0");
    } else if (lua_isinteger(lua, 1)) {
        fsattn_text_printf(&r->body, "%lld", (long long)lua_tointeger(lua, 1));
    } else if (type == LUA_TNUMBER && isfinite(lua_tonumber(lua, 1))) {
        fsattn_value value = {.type = FSATTN_VALUE_REAL, .real = lua_tonumber(lua, 1)};
        fsattn_value_text(&value, &r->body);
    } else {
        return luaL_error(lua, "$(): %s has no text",
                          type == LUA_TNUMBER ? "a number that is not finite" : lua_typename(lua, type));
    }
    return check_output(lua, r);
}

/* ---- files ---- */

static bool name_is_plain(const char *name) {
    size_t bytes = strlen(name);
    return bytes && bytes <= include_name_limit && name[0] != '/' && !strstr(name, "..") &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-/") == bytes;
}

/* Reads `name` from the template's folder, else from ../lib beside it; *shown is how messages call it. */
static fsattn_status read_file(renderer *r, const char *name, char **text, size_t *bytes, char shown[128],
                               fsattn_err *err) {
    const struct {
        const char *between, *shown;
    } places[] = {{"/", r->manifest->name}, {"/../lib/", "lib"}};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        fsattn_text path = {0};
        fsattn_text_printf(&path, "%s%s%s", r->manifest->folder, places[i].between, name);
        if (path.failed) {
            fsattn_text_fini(&path);
            return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
        }
        bool exists = fsattn_file_exists(path.data);
        fsattn_status status = exists ? fsattn_file_read(path.data, file_limit, text, bytes, err) : FSATTN_NOT_FOUND;
        fsattn_text_fini(&path);
        snprintf(shown, 128, "%s/%s", places[i].shown, name);
        if (exists) {
            return status;
        }
    }
    return fsattn_fail(err, FSATTN_NOT_FOUND, "there is no file '%s' in %s or lib", name, r->manifest->name);
}

static void remember_file(renderer *r, const char *shown) {
    size_t bytes = strlen(shown);
    for (const char *at = r->files.data; at; at = strchr(at, ' ')) {
        at += *at == ' ';
        if (!strncmp(at, shown, bytes) && (at[bytes] == ' ' || !at[bytes])) {
            return;
        }
    }
    fsattn_text_printf(&r->files, "%s%s", r->files.bytes ? " " : "", shown);
}

/* Leaves the program of a file on the stack. Raises nothing. */
static fsattn_status load_file(renderer *r, const char *name, fsattn_err *err) {
    char *text, shown[128];
    size_t bytes;
    FSATTN_TRY(read_file(r, name, &text, &bytes, shown, err));
    fsattn_text program = {0};
    fsattn_status status = fsattn_template_parse(r->sandbox, shown, text, bytes, &program, err);
    fsattn_free(text);
    if (status == FSATTN_OK) {
        remember_file(r, shown);
        status = fsattn_sandbox_load(r->sandbox, program.data, program.bytes, shown, NULL, err);
    }
    fsattn_text_fini(&program);
    return status;
}

static void push_emitters(lua_State *lua, renderer *r) {
    lua_pushlightuserdata(lua, r);
    lua_pushcclosure(lua, emit_text, 1);
    lua_pushlightuserdata(lua, r);
    lua_pushcclosure(lua, emit_value, 1);
}

/* Adds " (included from FILE:LINE)" to the error on top of the stack, before the hint that it may carry; raises it. */
static int raise_included(lua_State *lua) {
    luaL_where(lua, 1);
    const char *where = lua_tostring(lua, -1), *message = lua_tostring(lua, -2);
    int where_bytes = (int)strlen(where);
    const char *hint = message ? strchr(message, '\n') : NULL;
    if (!message || where_bytes < 2) {
        lua_pop(lua, 1);
        return lua_error(lua);
    }
    lua_pushlstring(lua, message, hint ? (size_t)(hint - message) : strlen(message));
    lua_pushliteral(lua, " (included from ");
    lua_pushlstring(lua, where, (size_t)where_bytes - 2); /* without ": " */
    lua_pushfstring(lua, ")%s", hint ? hint : "");
    lua_concat(lua, 4);
    return lua_error(lua);
}

static int include(lua_State *lua) {
    renderer *r = renderer_of(lua);
    const char *name = luaL_checkstring(lua, 1);
    if (!name_is_plain(name)) {
        return luaL_error(lua, "include: '%s' is not the plain name of a file of the template's folder or of lib", name);
    }
    if (r->depth == include_depth_limit) {
        return luaL_error(lua, "include: more than %d files deep", include_depth_limit);
    }
    fsattn_err detail;
    fsattn_status status = load_file(r, name, &detail);
    if (status != FSATTN_OK) {
        r->failure = status == FSATTN_PARSE || status == FSATTN_NOT_FOUND ? r->failure : status;
        bool placed = status == FSATTN_PARSE; /* its message opens with a place of its own */
        luaL_where(lua, 1);
        lua_pushfstring(lua, "%sinclude: %s", placed ? "" : lua_tostring(lua, -1), detail.message);
        if (placed) {
            lua_pushfstring(lua, "%s%s%s", detail.message, *detail.hint ? "\n" : "", detail.hint);
            return raise_included(lua);
        }
        return lua_error(lua);
    }
    r->depth++;
    push_emitters(lua, r);
    int code = lua_pcall(lua, 2, 0, 0);
    r->depth--;
    if (code == LUA_ERRMEM) {
        return lua_error(lua); /* nothing more can be said without memory */
    }
    return code == LUA_OK ? 0 : raise_included(lua);
}

/* ---- one rendering ---- */

static int set_globals(lua_State *lua) {
    renderer *r = lua_touserdata(lua, 1);
    const fsattn_parameter_set *set = &r->manifest->parameters;
    for (size_t i = 0; i < set->count; i++) {
        fsattn_sandbox_push(lua, fsattn_config_value(set, r->config, i));
        lua_setglobal(lua, set->items[i].name);
    }
    lua_pushlightuserdata(lua, r);
    lua_pushcclosure(lua, include, 1);
    lua_setglobal(lua, "include");
    return 0;
}

/* Argument 1: the program, 2: the renderer. */
static int run_program(lua_State *lua) {
    renderer *r = lua_touserdata(lua, 2);
    lua_settop(lua, 1);
    push_emitters(lua, r);
    lua_call(lua, 2, 0);
    return 0;
}

static fsattn_status render_body(renderer *r, fsattn_err *err) {
    lua_State *lua = fsattn_sandbox_lua(r->sandbox);
    FSATTN_TRY(fsattn_sandbox_bind(r->sandbox, r->manifest->target, r->setting, err));
    lua_pushcfunction(lua, set_globals);
    lua_pushlightuserdata(lua, r);
    FSATTN_TRY(fsattn_sandbox_call(r->sandbox, 1, 0, err));
    FSATTN_TRY(load_file(r, r->manifest->source, err));
    lua_pushcfunction(lua, run_program);
    lua_insert(lua, -2);
    lua_pushlightuserdata(lua, r);
    fsattn_status status = fsattn_sandbox_call(r->sandbox, 2, 0, err);
    if (status != FSATTN_OK && r->failure != FSATTN_OK) {
        status = r->failure;
        if (err) {
            err->code = status;
        }
    }
    return status;
}

static void write_header(renderer *r, fsattn_text *text) {
    const fsattn_manifest *manifest = r->manifest;
    const fsattn_problem *problem = r->setting->problem;
    fsattn_text_printf(text, "/* fsattn template %s (%s, ABI %lld)\n * configuration: ", manifest->name,
                       manifest->operation, (long long)manifest->abi);
    fsattn_config_text(&manifest->parameters, r->config, text);
    fsattn_text_printf(text,
                       "\n * problem: q=%s kv=%s o=%s d=%lld layout=%s mask=%s lse=%d\n * target: %s\n * files: %s\n */\n",
                       fsattn_dtype_text(problem->dtype_q), fsattn_dtype_text(problem->dtype_kv),
                       fsattn_dtype_text(problem->dtype_o), (long long)problem->head_dim,
                       fsattn_layout_text(problem->layout), fsattn_mask_text(problem->mask), problem->lse,
                       r->setting->isa, r->files.data ? r->files.data : "");
}

void fsattn_template_code(const char *rendered, fsattn_text *code) {
    const char *end = strstr(rendered, "*/");
    const char *rest = end ? end + 2 : rendered;
    for (const char *at = rendered; at < rest; at++) {
        if (*at == '\n') {
            fsattn_text_puts(code, "\n");
        }
    }
    fsattn_text_puts(code, rest);
}

/* The message names the template also when Lua could not say where. */
static fsattn_status place(const renderer *r, fsattn_status status, fsattn_err *err) {
    if (err && status != FSATTN_OK && !strchr(err->message, ':')) {
        return fsattn_context_add(err, status, "%s/%s", r->manifest->name, r->manifest->source);
    }
    return err && status != FSATTN_OK && !strncmp(err->message, "Lua: ", 5)
               ? fsattn_context_add(err, status, "%s/%s", r->manifest->name, r->manifest->source)
               : status;
}

fsattn_status fsattn_template_render(const fsattn_manifest *manifest, const fsattn_setting *setting,
                                     const fsattn_config *config, const fsattn_template_limits *limits,
                                     fsattn_text *output, fsattn_err *err) {
    renderer r = {manifest, setting, config, limits ? limits : &fsattn_template_limits_default, NULL, {0}, {0}, 0,
                  FSATTN_OK};
    fsattn_sandbox_limits bounds = {r.limits->memory_bytes, r.limits->instructions, r.limits->time_s, true};
    fsattn_text text = {0};
    fsattn_value isa;
    if (fsattn_value_parse(FSATTN_VALUE_ENUM, setting->isa, &isa, NULL) != FSATTN_OK) {
        return fsattn_fail(err, FSATTN_INVALID, "isa: '%s' is not a word", setting->isa);
    }
    fsattn_status status;
    FSATTN_GOTO(fsattn_sandbox_open(&bounds, &r.sandbox, err));
    FSATTN_GOTO(render_body(&r, err));
    write_header(&r, &text);
    fsattn_text_add(&text, r.body.data ? r.body.data : "", r.body.bytes);
    if (text.failed) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", manifest->name);
        goto out;
    }
    fsattn_text_add(output, text.data, text.bytes);
    if (output->failed) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", manifest->name);
    }
out:
    fsattn_sandbox_close(r.sandbox);
    fsattn_text_fini(&r.body);
    fsattn_text_fini(&r.files);
    fsattn_text_fini(&text);
    return place(&r, status, err);
}
