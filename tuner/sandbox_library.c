#include "sandbox_library.h"

#include "nearest.h"

#include <lauxlib.h>
#include <lualib.h>
#include <stdlib.h>
#include <string.h>

/* ---- a stable merge sort over a Lua list ---- */

/* Whether the value at stack index a goes before the one at b. */
typedef bool sort_before(lua_State *lua, int a, int b);

/* Merges source[left .. middle) and source[middle .. right) (from 1) into target[left .. right). */
static void merge(lua_State *lua, int source, int target, lua_Integer left, lua_Integer middle, lua_Integer right,
                  sort_before *before) {
    lua_Integer a = left, b = middle;
    for (lua_Integer at = left; at < right; at++) {
        bool take_b = a >= middle;
        if (a < middle && b < right) {
            lua_rawgeti(lua, source, a);
            lua_rawgeti(lua, source, b);
            take_b = before(lua, lua_gettop(lua), lua_gettop(lua) - 1);
            lua_pop(lua, 2);
        }
        lua_rawgeti(lua, source, take_b ? b++ : a++);
        lua_rawseti(lua, target, at);
    }
}

/* Sorts the list at stack index `list`. */
static void sort_list(lua_State *lua, int list, lua_Integer count, sort_before *before) {
    lua_newtable(lua);
    int source = list, target = lua_gettop(lua);
    for (lua_Integer width = 1; width < count; width *= 2) {
        for (lua_Integer left = 1; left <= count; left += 2 * width) {
            lua_Integer middle = left + width <= count ? left + width : count + 1;
            lua_Integer right = left + 2 * width <= count ? left + 2 * width : count + 1;
            merge(lua, source, target, left, middle, right, before);
        }
        int swap = source;
        source = target;
        target = swap;
    }
    for (lua_Integer i = 1; source != list && i <= count; i++) {
        lua_rawgeti(lua, source, i);
        lua_rawseti(lua, list, i);
    }
    lua_settop(lua, source > target ? source - 1 : target - 1);
}

/* ---- pairs in order ---- */

/* Numbers, then strings, then booleans. */
static int key_rank(int type) {
    return type == LUA_TNUMBER ? 0 : type == LUA_TSTRING ? 1 : 2;
}

static bool key_before(lua_State *lua, int a, int b) {
    int rank_a = key_rank(lua_type(lua, a)), rank_b = key_rank(lua_type(lua, b));
    if (rank_a != rank_b) {
        return rank_a < rank_b;
    }
    if (rank_a == 2) {
        return lua_toboolean(lua, a) < lua_toboolean(lua, b);
    }
    return lua_compare(lua, a, b, LUA_OPLT);
}

/* Upvalues: the table, its keys in order, the position. Entries removed on the way are passed over. */
static int pairs_next(lua_State *lua) {
    lua_Integer position = lua_tointeger(lua, lua_upvalueindex(3));
    for (;;) {
        position++;
        if (lua_rawgeti(lua, lua_upvalueindex(2), position) == LUA_TNIL) {
            return 1;
        }
        lua_pushvalue(lua, -1);
        if (lua_rawget(lua, lua_upvalueindex(1)) != LUA_TNIL) {
            lua_pushinteger(lua, position);
            lua_replace(lua, lua_upvalueindex(3));
            return 2;
        }
        lua_pop(lua, 2);
    }
}

static int ordered_pairs(lua_State *lua) {
    luaL_checktype(lua, 1, LUA_TTABLE);
    lua_settop(lua, 1);
    lua_newtable(lua);
    lua_Integer count = 0;
    lua_pushnil(lua);
    while (lua_next(lua, 1)) {
        lua_pop(lua, 1);
        int type = lua_type(lua, -1);
        if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TBOOLEAN) {
            return luaL_error(lua, "pairs: a %s as key has no order", lua_typename(lua, type));
        }
        lua_pushvalue(lua, -1);
        lua_rawseti(lua, 2, ++count);
    }
    sort_list(lua, 2, count, key_before);
    lua_pushinteger(lua, 0);
    lua_pushcclosure(lua, pairs_next, 3);
    return 1;
}

/* ---- table.sort ---- */

static bool call_before(lua_State *lua, int a, int b) {
    lua_pushvalue(lua, 2);
    lua_pushvalue(lua, a);
    lua_pushvalue(lua, b);
    lua_call(lua, 2, 1);
    bool result = lua_toboolean(lua, -1);
    lua_pop(lua, 1);
    return result;
}

static bool value_before(lua_State *lua, int a, int b) {
    return lua_compare(lua, a, b, LUA_OPLT);
}

static int table_sort(lua_State *lua) {
    luaL_checktype(lua, 1, LUA_TTABLE);
    bool given = !lua_isnoneornil(lua, 2);
    if (given) {
        luaL_checktype(lua, 2, LUA_TFUNCTION);
    }
    lua_settop(lua, 2);
    sort_list(lua, 1, (lua_Integer)lua_rawlen(lua, 1), given ? call_before : value_before);
    return 0;
}

/* ---- texts without addresses ---- */

static void check_has_text(lua_State *lua, int argument) {
    int type = lua_type(lua, argument);
    if (type != LUA_TNIL && type != LUA_TBOOLEAN && type != LUA_TNUMBER && type != LUA_TSTRING) {
        luaL_error(lua, "a %s has no text", lua_typename(lua, type));
    }
}

static int checked_tostring(lua_State *lua) {
    luaL_checkany(lua, 1);
    check_has_text(lua, 1);
    luaL_tolstring(lua, 1, NULL);
    return 1;
}

/* Upvalue: Lua's string.format. */
static int checked_format(lua_State *lua) {
    const char *format = luaL_checkstring(lua, 1);
    for (int i = 2; i <= lua_gettop(lua); i++) {
        check_has_text(lua, i);
    }
    for (const char *at = strchr(format, '%'); at && at[1]; at = strchr(at, '%')) {
        at += 1 + strspn(at + 1, "-+ #0123456789.");
        if (*at == 'p') {
            return luaL_error(lua, "string.format: %%p would show an address");
        }
        at += *at != '\0';
    }
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_insert(lua, 1);
    lua_call(lua, lua_gettop(lua) - 1, 1);
    return 1;
}

/* ---- errors that always have a place ---- */

static int raise_error(lua_State *lua) {
    const char *message = luaL_checkstring(lua, 1);
    lua_Integer level = luaL_optinteger(lua, 2, 1);
    luaL_where(lua, level < 1 || level > 100 ? 1 : (int)level);
    lua_pushstring(lua, message);
    lua_concat(lua, 2);
    return lua_error(lua);
}

static int checked_assert(lua_State *lua) {
    luaL_checkany(lua, 1);
    if (!lua_toboolean(lua, 1)) {
        return luaL_error(lua, "%s", luaL_optstring(lua, 2, "assertion failed"));
    }
    return lua_gettop(lua);
}

/* ---- arithmetic that kernel formulas need ---- */

static lua_Integer check_positive(lua_State *lua, int argument) {
    lua_Integer value = luaL_checkinteger(lua, argument);
    luaL_argcheck(lua, value > 0, argument, "expected a positive integer");
    return value;
}

static lua_Integer quotient_up(lua_State *lua) {
    lua_Integer a = luaL_checkinteger(lua, 1), b = check_positive(lua, 2);
    return a / b + (a % b > 0);
}

static int ceil_div(lua_State *lua) {
    lua_pushinteger(lua, quotient_up(lua));
    return 1;
}

static int round_up(lua_State *lua) {
    lua_Integer result;
    if (__builtin_mul_overflow(quotient_up(lua), luaL_checkinteger(lua, 2), &result)) {
        return luaL_error(lua, "round_up: integer overflow");
    }
    lua_pushinteger(lua, result);
    return 1;
}

static int is_power_of_two(lua_State *lua) {
    lua_Integer n = luaL_checkinteger(lua, 1);
    lua_pushboolean(lua, n > 0 && !(n & (n - 1)));
    return 1;
}

/* ---- what is there ---- */

typedef struct library {
    const char *name;
    lua_CFunction open;
    const char *const *keep; /* ends with NULL */
} library;

static const char *const base_names[] = {"ipairs", "rawequal", "rawlen", "select", "tonumber", "type", NULL};
static const char *const math_names[] = {"abs",  "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod",
                                         "huge", "log", "max", "maxinteger", "min", "mininteger", "modf", "pi", "rad",
                                         "sin", "sqrt", "tan", "tointeger", "type", "ult", NULL};
static const char *const string_names[] = {"byte", "char", "len", "lower", "rep", "reverse", "sub", "upper", NULL};
static const char *const pattern_names[] = {"find", "gmatch", "gsub", "match", NULL};
static const char *const table_names[] = {"concat", "insert", "pack", "remove", "unpack", NULL};

static const library libraries[] = {
    {LUA_GNAME, luaopen_base, base_names},
    {LUA_MATHLIBNAME, luaopen_math, math_names},
    {LUA_STRLIBNAME, luaopen_string, string_names},
    {LUA_TABLIBNAME, luaopen_table, table_names},
};

static const struct {
    const char *name;
    lua_CFunction function;
} own_functions[] = {{"assert", checked_assert},
                     {"error", raise_error},
                     {"pairs", ordered_pairs},
                     {"tostring", checked_tostring},
                     {"ceil_div", ceil_div},
                     {"round_up", round_up},
                     {"is_power_of_two", is_power_of_two}};

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

bool fsattn_sandbox_library_has(const char *global) {
    for (size_t i = 1; i < COUNT(libraries); i++) {
        if (!strcmp(global, libraries[i].name)) {
            return true;
        }
    }
    for (size_t i = 0; base_names[i]; i++) {
        if (!strcmp(global, base_names[i])) {
            return true;
        }
    }
    for (size_t i = 0; i < COUNT(own_functions); i++) {
        if (!strcmp(global, own_functions[i].name)) {
            return true;
        }
    }
    return false;
}

/* Copies the named fields of the table at `from` to the one at `to`. */
static void copy_fields(lua_State *lua, int from, int to, const char *const *names) {
    for (; *names; names++) {
        lua_getfield(lua, from, *names);
        lua_setfield(lua, to, *names);
    }
}

static int compare_words(const void *a, const void *b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Upvalue: what the table is called. Arguments: table, missing key. */
static int missing_field(lua_State *lua) {
    const char *label = lua_tostring(lua, lua_upvalueindex(1));
    const char *key = lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : luaL_typename(lua, 2);
    const char *words[256];
    size_t count = 0;
    lua_pushnil(lua);
    while (count < COUNT(words) && lua_next(lua, 1)) {
        lua_pop(lua, 1);
        if (lua_type(lua, -1) == LUA_TSTRING) {
            words[count++] = lua_tostring(lua, -1);
        }
    }
    qsort(words, count, sizeof words[0], compare_words); /* the same suggestion every time */
    const char *nearest = fsattn_nearest(key, words, count);
    const char *what = *label ? lua_pushfstring(lua, "%s has no field '%s'", label, key)
                              : lua_pushfstring(lua, "undefined name '%s'", key);
    return nearest ? luaL_error(lua, "%s\ndid you mean '%s'?", what, nearest) : luaL_error(lua, "%s", what);
}

void fsattn_sandbox_library_strict(lua_State *lua, const char *label) {
    lua_createtable(lua, 0, 1);
    lua_pushstring(lua, label);
    lua_pushcclosure(lua, missing_field, 1);
    lua_setfield(lua, -2, "__index");
    lua_setmetatable(lua, -2);
}

static void replace_string_functions(lua_State *lua, int from, int to) {
    lua_getfield(lua, from, "format");
    lua_pushcclosure(lua, checked_format, 1);
    lua_setfield(lua, to, "format");
    /* Methods of strings ("x"):rep(3) go to the new table. */
    lua_pushliteral(lua, "");
    lua_getmetatable(lua, -1);
    lua_pushvalue(lua, to);
    lua_setfield(lua, -2, "__index");
    lua_pop(lua, 2);
}

void fsattn_sandbox_library_install(lua_State *lua, bool patterns) {
    lua_settop(lua, 0);
    lua_newtable(lua); /* 1: the new globals */
    for (size_t i = 0; i < COUNT(libraries); i++) {
        luaL_requiref(lua, libraries[i].name, libraries[i].open, 0); /* 2 */
        lua_newtable(lua);                                           /* 3 */
        bool base = libraries[i].open == luaopen_base;
        copy_fields(lua, 2, base ? 1 : 3, libraries[i].keep);
        if (libraries[i].open == luaopen_string) {
            copy_fields(lua, 2, 3, patterns ? pattern_names : pattern_names + COUNT(pattern_names) - 1);
            replace_string_functions(lua, 2, 3);
        }
        if (libraries[i].open == luaopen_table) {
            lua_pushcfunction(lua, table_sort);
            lua_setfield(lua, 3, "sort");
        }
        if (!base) {
            lua_setfield(lua, 1, libraries[i].name);
        }
        lua_settop(lua, 1);
    }
    for (size_t i = 0; i < COUNT(own_functions); i++) {
        lua_pushcfunction(lua, own_functions[i].function);
        lua_setfield(lua, 1, own_functions[i].name);
    }
    fsattn_sandbox_library_strict(lua, "");
    lua_pushnil(lua); /* the libraries' originals are unreachable from now on */
    lua_setfield(lua, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_rawseti(lua, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}
