#include "sandbox.h"

#include "cpu.h"
#include "error.h"
#include "lua_scan.h"
#include "memory.h"
#include "sandbox_library.h"

#include <lauxlib.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { hook_instructions = 1000 };

struct fsattn_sandbox {
    lua_State *lua;
    fsattn_sandbox_limits limits;
    size_t used_bytes;
    bool limit_hit;      /* the allocation limit, not the system's */
    uint64_t executed;   /* instructions of the running call */
    double deadline;     /* of the running call, seconds of the monotonic clock */
    const char *exceeded; /* which limit ended the call, or NULL */
};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* lua_Alloc. Shrinking must not fail. */
static void *allocate(void *context, void *old, size_t old_bytes, size_t bytes) {
    fsattn_sandbox *sandbox = context;
    size_t had = old ? old_bytes : 0; /* without `old`, old_bytes is a type tag */
    if (!bytes) {
        fsattn_free(old);
        sandbox->used_bytes -= had;
        return NULL;
    }
    if (bytes > had && bytes - had > sandbox->limits.memory_bytes - sandbox->used_bytes) {
        sandbox->limit_hit = true;
        return NULL;
    }
    void *block = fsattn_realloc(old, bytes, 1);
    if (!block) {
        return bytes <= had ? old : NULL;
    }
    sandbox->used_bytes += bytes - had;
    return block;
}

static fsattn_sandbox *sandbox_of(lua_State *lua) {
    void *context;
    lua_getallocf(lua, &context);
    return context;
}

static void count_hook(lua_State *lua, lua_Debug *debug) {
    (void)debug;
    fsattn_sandbox *sandbox = sandbox_of(lua);
    sandbox->executed += hook_instructions;
    if (sandbox->executed > sandbox->limits.instructions) {
        sandbox->exceeded = "instructions";
        luaL_error(lua, "more than %I instructions", (LUAI_UACINT)sandbox->limits.instructions);
    }
    if (now() > sandbox->deadline) {
        sandbox->exceeded = "time";
        luaL_error(lua, "more than %f seconds", (LUAI_UACNUMBER)sandbox->limits.time_s);
    }
}

static int install(lua_State *lua) {
    fsattn_sandbox_library_install(lua, sandbox_of(lua)->limits.patterns);
    return 0;
}

fsattn_status fsattn_sandbox_open(const fsattn_sandbox_limits *limits, fsattn_sandbox **sandbox, fsattn_err *err) {
    fsattn_sandbox *made = fsattn_alloc(1, sizeof *made);
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "Lua: out of memory");
    }
    made->limits = *limits;
    made->lua = lua_newstate(allocate, made);
    if (!made->lua) {
        fsattn_free(made);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "Lua: out of memory");
    }
    lua_sethook(made->lua, count_hook, LUA_MASKCOUNT, hook_instructions);
    lua_pushcfunction(made->lua, install);
    fsattn_status status = fsattn_sandbox_call(made, 0, 0, err);
    if (status != FSATTN_OK) {
        fsattn_sandbox_close(made);
        return status;
    }
    *sandbox = made;
    return FSATTN_OK;
}

void fsattn_sandbox_close(fsattn_sandbox *sandbox) {
    if (sandbox) {
        lua_close(sandbox->lua);
        fsattn_free(sandbox);
    }
}

lua_State *fsattn_sandbox_lua(fsattn_sandbox *sandbox) {
    return sandbox->lua;
}

/* Turns what Lua left on the stack into a status; pops it. */
static fsattn_status translate(fsattn_sandbox *sandbox, int code, fsattn_err *err) {
    fsattn_status status = FSATTN_PARSE;
    if (code == LUA_ERRMEM && sandbox->limit_hit) {
        status = fsattn_fail(err, FSATTN_INVALID, "Lua: more than %zu MiB of memory",
                             sandbox->limits.memory_bytes >> 20);
    } else if (code == LUA_ERRMEM) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "Lua: out of memory");
    } else {
        const char *message = lua_type(sandbox->lua, -1) == LUA_TSTRING
                                  ? lua_tostring(sandbox->lua, -1)
                                  : "an error without text was raised";
        status = fsattn_fail(err, sandbox->exceeded ? FSATTN_INVALID : FSATTN_PARSE, "%s", message);
        /* A hint travels in the message, behind a line break. */
        char *rest = err ? strchr(err->message, '\n') : NULL;
        if (rest) {
            *rest = '\0';
            fsattn_hint(err, "%s", rest + 1);
        }
    }
    lua_pop(sandbox->lua, 1);
    return status;
}

static void arm(fsattn_sandbox *sandbox) {
    sandbox->executed = 0;
    sandbox->exceeded = NULL;
    sandbox->limit_hit = false;
    sandbox->deadline = now() + sandbox->limits.time_s;
}

typedef struct text_reader {
    const char *text;
    size_t bytes, consumed;
} text_reader;

/* One byte at a time, so that `consumed` tells where the parser stands. */
static const char *read_byte(lua_State *lua, void *context, size_t *bytes) {
    (void)lua;
    text_reader *reader = context;
    *bytes = reader->consumed < reader->bytes;
    return *bytes ? reader->text + reader->consumed++ : NULL;
}

fsattn_status fsattn_sandbox_load(fsattn_sandbox *sandbox, const char *text, size_t bytes, const char *chunk,
                                  size_t *consumed, fsattn_err *err) {
    char name[LUA_IDSIZE];
    snprintf(name, sizeof name, "=%s", chunk);
    text_reader reader = {text, bytes, 0};
    sandbox->limit_hit = false; /* the budget of a running call goes on: parsing executes nothing */
    int code = lua_load(sandbox->lua, read_byte, &reader, name, "t");
    if (consumed) {
        *consumed = reader.consumed;
    }
    return code == LUA_OK ? FSATTN_OK : translate(sandbox, code, err);
}

fsattn_status fsattn_sandbox_call(fsattn_sandbox *sandbox, int arguments, int results, fsattn_err *err) {
    arm(sandbox);
    int code = lua_pcall(sandbox->lua, arguments, results, 0);
    return code == LUA_OK ? FSATTN_OK : translate(sandbox, code, err);
}

fsattn_status fsattn_sandbox_call_bounded(fsattn_sandbox *sandbox, int arguments, int results, fsattn_err *err) {
    sandbox->exceeded = NULL;
    sandbox->limit_hit = false;
    lua_sethook(sandbox->lua, NULL, 0, 0);
    int code = lua_pcall(sandbox->lua, arguments, results, 0);
    lua_sethook(sandbox->lua, count_hook, LUA_MASKCOUNT, hook_instructions);
    return code == LUA_OK ? FSATTN_OK : translate(sandbox, code, err);
}

/* ---- the setting ---- */

static void set_text(lua_State *lua, const char *name, const char *text) {
    lua_pushstring(lua, text);
    lua_setfield(lua, -2, name);
}

static void set_flag(lua_State *lua, const char *name, bool flag) {
    lua_pushboolean(lua, flag);
    lua_setfield(lua, -2, name);
}

static void push_problem(lua_State *lua, const fsattn_problem *problem) {
    lua_createtable(lua, 0, 8);
    set_text(lua, "dtype_q", fsattn_dtype_text(problem->dtype_q));
    set_text(lua, "dtype_kv", fsattn_dtype_text(problem->dtype_kv));
    set_text(lua, "dtype_o", fsattn_dtype_text(problem->dtype_o));
    set_text(lua, "layout", fsattn_layout_text(problem->layout));
    set_text(lua, "mask", fsattn_mask_text(problem->mask));
    set_flag(lua, "lse", problem->lse);
    lua_pushinteger(lua, problem->head_dim);
    lua_setfield(lua, -2, "head_dim");
    fsattn_sandbox_library_strict(lua, "problem");
}

/* "x86_64+avx2+fma": the architecture, then features; those that cpu.h knows are false unless named. */
static void push_target(lua_State *lua, const char *template_target, const char *isa) {
    lua_createtable(lua, 0, 16);
    set_text(lua, "name", template_target);
    set_text(lua, "isa", isa);
#define X(member, name) set_flag(lua, name, false);
    FSATTN_CPU_FEATURE_LIST(X)
#undef X
    size_t bytes = strcspn(isa, "+");
    lua_pushlstring(lua, isa, bytes);
    lua_setfield(lua, -2, "arch");
    for (const char *at = isa + bytes; *at == '+'; at += 1 + bytes) {
        bytes = strcspn(at + 1, "+");
        lua_pushlstring(lua, at + 1, bytes);
        lua_pushboolean(lua, true);
        lua_settable(lua, -3);
    }
    fsattn_sandbox_library_strict(lua, "target");
}

typedef struct bind_arguments {
    const char *template_target;
    const fsattn_setting *setting;
} bind_arguments;

static int bind(lua_State *lua) {
    const bind_arguments *arguments = lua_touserdata(lua, 1);
    push_problem(lua, arguments->setting->problem);
    lua_setglobal(lua, "problem");
    push_target(lua, arguments->template_target, arguments->setting->isa);
    lua_setglobal(lua, "target");
    return 0;
}

fsattn_status fsattn_sandbox_bind(fsattn_sandbox *sandbox, const char *template_target,
                                  const fsattn_setting *setting, fsattn_err *err) {
    bind_arguments arguments = {template_target, setting};
    lua_pushcfunction(sandbox->lua, bind);
    lua_pushlightuserdata(sandbox->lua, &arguments);
    return fsattn_sandbox_call(sandbox, 1, 0, err);
}

void fsattn_sandbox_push(lua_State *lua, const fsattn_value *value) {
    switch (value->type) {
    case FSATTN_VALUE_INT:
        lua_pushinteger(lua, value->integer);
        break;
    case FSATTN_VALUE_REAL:
        lua_pushnumber(lua, value->real);
        break;
    case FSATTN_VALUE_BOOL:
        lua_pushboolean(lua, value->boolean);
        break;
    case FSATTN_VALUE_ENUM:
        lua_pushstring(lua, value->word);
        break;
    }
}

bool fsattn_sandbox_global(const char *name) {
    return !strcmp(name, "problem") || !strcmp(name, "target") || fsattn_sandbox_library_has(name);
}

bool fsattn_sandbox_reserved(const char *name) {
    return fsattn_sandbox_global(name) || fsattn_lua_keyword(name, strlen(name)) || !strcmp(name, "include");
}
