/* lua_scan.h - tokens of Lua 5.4 source, with their places.
 *
 * Used to find the names that an expression reads, the token at which Lua's parser stopped, the end of an
 * expression inside a template, and where the entries of a manifest's tables stand. It never decides what a
 * program means: malformed source gives ODD tokens, and Lua itself reports the error.
 */
#ifndef FSATTN_LUA_SCAN_H
#define FSATTN_LUA_SCAN_H

#include <stdbool.h>
#include <stddef.h>

typedef enum fsattn_lua_kind {
    FSATTN_LUA_END,
    FSATTN_LUA_NAME, /* no keyword */
    FSATTN_LUA_KEYWORD,
    FSATTN_LUA_NUMBER,
    FSATTN_LUA_STRING,
    FSATTN_LUA_SYMBOL,
    FSATTN_LUA_ODD, /* a byte that opens no token, or a string that does not end */
} fsattn_lua_kind;

typedef struct fsattn_lua_token {
    fsattn_lua_kind kind;
    const char *text; /* into the source */
    size_t bytes;
} fsattn_lua_token;

/* The next token of [*at, end), comments and space skipped; moves *at behind it. */
fsattn_lua_token fsattn_lua_next(const char **at, const char *end);
bool fsattn_lua_is(const fsattn_lua_token *token, const char *text);
bool fsattn_lua_keyword(const char *text, size_t bytes);

/* Where the entry at `path` of the table constructor behind the source's last outermost `return` stands:
 * "parameters[3].values" gives the offset of that entry's value. An entry that is not written there as a constructor
 * (computed, or held in a variable) gives its innermost parent that is; the start of the source when there is none. */
size_t fsattn_lua_locate(const char *source, size_t bytes, const char *path);
/* Line and column (both from 1, in bytes) of an offset. */
void fsattn_lua_place(const char *source, size_t offset, int *line, int *column);

#endif
