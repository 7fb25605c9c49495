/* sandbox_library.h - the Lua functions that a sandbox offers (list: sandbox.h). Internal to sandbox.c.
 *
 * Errors raised here may carry a hint behind a line break in their message.
 */
#ifndef FSATTN_SANDBOX_LIBRARY_H
#define FSATTN_SANDBOX_LIBRARY_H

#include <lua.h>
#include <stdbool.h>

/* Fills the globals of a new state and makes reading an undefined one an error. May raise a memory error. */
void fsattn_sandbox_library_install(lua_State *lua, bool patterns);
/* Makes reading a missing field of the table on top of the stack an error that names `label`. */
void fsattn_sandbox_library_strict(lua_State *lua, const char *label);
bool fsattn_sandbox_library_has(const char *global);

#endif
