/* sandbox.h - Lua 5.4 for manifests, constraints and templates: deterministic and bounded.
 *
 * What is there: assert, error, ipairs, pairs (ordered: integers, then strings by bytes, then booleans), rawequal, rawlen,
 * select, tonumber, tostring, type; math without random and randomseed; table.concat, insert, pack, remove, sort (stable),
 * unpack; string without dump, pack and unpack; and ceil_div(a, b), round_up(a, multiple), is_power_of_two(n).
 * What is not: everything that could reach the system, read a clock or an address, run bytes as code, or catch an error
 * (a limit that could be caught would be none). Reading an undefined name is an error, and so is the text of a table.
 *
 * Memory, instructions and time are limited; exceeding a limit is FSATTN_INVALID. String patterns run in C, where
 * instructions are not counted: they exist only where `patterns` is set, for processes that somebody else will kill.
 * One thread at a time. Internal to the tuner.
 */
#ifndef FSATTN_SANDBOX_H
#define FSATTN_SANDBOX_H

#include "manifest.h"

#include <lua.h>

typedef struct fsattn_sandbox fsattn_sandbox; /* also in manifest.h */

typedef struct fsattn_sandbox_limits {
    size_t memory_bytes;
    uint64_t instructions; /* of one fsattn_sandbox_call */
    double time_s;         /* of one fsattn_sandbox_call */
    bool patterns;         /* string.find, match, gmatch, gsub */
} fsattn_sandbox_limits;

fsattn_status fsattn_sandbox_open(const fsattn_sandbox_limits *limits, fsattn_sandbox **sandbox, fsattn_err *err);
void fsattn_sandbox_close(fsattn_sandbox *sandbox);
lua_State *fsattn_sandbox_lua(fsattn_sandbox *sandbox);

/* Compiles text (never bytes) as a chunk and leaves the function on the stack. `chunk` stands in messages as it is
 * (at most 59 bytes). FSATTN_PARSE with Lua's message "<chunk>:<line>: cause". When `consumed` is not NULL it
 * gets the bytes that had been read when an error was found. */
fsattn_status fsattn_sandbox_load(fsattn_sandbox *sandbox, const char *text, size_t bytes, const char *chunk,
                                  size_t *consumed, fsattn_err *err);
/* Calls the function on the stack (as lua_call). FSATTN_PARSE for an error raised in Lua, FSATTN_INVALID for a limit,
 * FSATTN_NO_MEMORY when the system's memory ends; the message is Lua's. On failure nothing is left on the stack. */
fsattn_status fsattn_sandbox_call(fsattn_sandbox *sandbox, int arguments, int results, fsattn_err *err);

/* The same without limits of instructions and time, for code that is known to end soon: counting makes each step several times slower. */
fsattn_status fsattn_sandbox_call_bounded(fsattn_sandbox *sandbox, int arguments, int results, fsattn_err *err);

/* Sets the globals `problem` and `target`. Not from within Lua. */
fsattn_status fsattn_sandbox_bind(fsattn_sandbox *sandbox, const char *template_target,
                                  const fsattn_setting *setting, fsattn_err *err);
/* Pushes a value as Lua has it. */
void fsattn_sandbox_push(lua_State *lua, const fsattn_value *value);
/* Whether a name is taken in every sandbox (a library, a function, problem, target, a keyword of Lua), so that no parameter
 * may bear it. */
bool fsattn_sandbox_reserved(const char *name);
/* Whether expressions may use that name besides the parameters. */
bool fsattn_sandbox_global(const char *name);

#endif
