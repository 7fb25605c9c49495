#include "lua_scan.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keywords[] = {"and",   "break", "do",  "else", "elseif", "end",    "false", "for",
                                       "function", "goto", "if", "in",   "local",  "nil",    "not",   "or",
                                       "repeat", "return", "then", "true", "until", "while"};
/* Longest first. */
static const char *const symbols[] = {"...", "..", "==", "~=", "<=", ">=", "//", "::", "<<", ">>"};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

bool fsattn_lua_keyword(const char *text, size_t bytes) {
    for (size_t i = 0; i < COUNT(keywords); i++) {
        if (strlen(keywords[i]) == bytes && !memcmp(keywords[i], text, bytes)) {
            return true;
        }
    }
    return false;
}

bool fsattn_lua_is(const fsattn_lua_token *token, const char *text) {
    return strlen(text) == token->bytes && !memcmp(token->text, text, token->bytes);
}

/* Level of a long bracket "[==[" at `at`, or -1. */
static int long_bracket(const char *at, const char *end) {
    const char *mark = at + 1;
    while (mark < end && *mark == '=') {
        mark++;
    }
    return at < end && *at == '[' && mark < end && *mark == '[' ? (int)(mark - at - 1) : -1;
}

/* Behind the closing bracket of that level; NULL when there is none. */
static const char *skip_long(const char *at, const char *end, int level) {
    for (at += level + 2; at < end; at++) {
        if (*at == ']') {
            int equals = 0;
            while (at + 1 + equals < end && at[1 + equals] == '=' && equals < level) {
                equals++;
            }
            if (equals == level && at + 1 + level < end && at[1 + level] == ']') {
                return at + level + 2;
            }
        }
    }
    return NULL;
}

/* Behind a quoted string; NULL when it does not end. */
static const char *skip_quoted(const char *at, const char *end) {
    char quote = *at;
    for (at++; at < end && *at != '\n'; at++) {
        if (*at == '\\' && at + 1 < end) {
            at++;
        } else if (*at == quote) {
            return at + 1;
        }
    }
    return NULL;
}

static const char *skip_space(const char *at, const char *end) {
    for (;;) {
        while (at < end && isspace((unsigned char)*at)) {
            at++;
        }
        if (end - at < 2 || at[0] != '-' || at[1] != '-') {
            return at;
        }
        int level = long_bracket(at + 2, end);
        const char *behind = level >= 0 ? skip_long(at + 2, end, level) : memchr(at, '\n', (size_t)(end - at));
        if (!behind) {
            return end;
        }
        at = behind;
    }
}

static const char *skip_number(const char *at, const char *end) {
    bool hexadecimal = end - at > 1 && at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    const char *exponent = hexadecimal ? "pP" : "eE";
    while (at < end && (isalnum((unsigned char)*at) || *at == '.' || *at == '_')) {
        bool sign = strchr(exponent, *at) && at + 1 < end && (at[1] == '+' || at[1] == '-');
        at += 1 + sign;
    }
    return at;
}

fsattn_lua_token fsattn_lua_next(const char **at, const char *end) {
    const char *start = skip_space(*at, end), *behind = NULL;
    fsattn_lua_token token = {FSATTN_LUA_ODD, start, 1};
    if (start >= end) {
        *at = end;
        return (fsattn_lua_token){FSATTN_LUA_END, end, 0};
    }
    unsigned char first = (unsigned char)*start;
    int level = long_bracket(start, end);
    if (isalpha(first) || first == '_') {
        for (behind = start; behind < end && (isalnum((unsigned char)*behind) || *behind == '_');) {
            behind++;
        }
        token.kind = fsattn_lua_keyword(start, (size_t)(behind - start)) ? FSATTN_LUA_KEYWORD : FSATTN_LUA_NAME;
    } else if (isdigit(first) || (first == '.' && end - start > 1 && isdigit((unsigned char)start[1]))) {
        behind = skip_number(start, end);
        token.kind = FSATTN_LUA_NUMBER;
    } else if (first == '"' || first == '\'' || level >= 0) {
        behind = level >= 0 ? skip_long(start, end, level) : skip_quoted(start, end);
        token.kind = behind ? FSATTN_LUA_STRING : FSATTN_LUA_ODD;
    } else if (first && strchr("+-*/%^#&~|<>=(){}[];:,.", first)) {
        behind = start + 1;
        token.kind = FSATTN_LUA_SYMBOL;
        for (size_t i = 0; i < COUNT(symbols); i++) {
            size_t bytes = strlen(symbols[i]);
            if ((size_t)(end - start) >= bytes && !memcmp(start, symbols[i], bytes)) {
                behind = start + bytes;
                break;
            }
        }
    }
    token.bytes = behind ? (size_t)(behind - start) : 1;
    *at = start + token.bytes;
    return token;
}

/* ---- entries of table constructors ---- */

/* Change of nesting by one token: brackets, and blocks that `end` or `until` close. */
static int nesting(const fsattn_lua_token *token) {
    static const char *const openers[] = {"(", "{", "[", "function", "if", "do", "repeat"};
    static const char *const closers[] = {")", "}", "]", "end", "until"};
    if (token->kind != FSATTN_LUA_SYMBOL && token->kind != FSATTN_LUA_KEYWORD) {
        return 0;
    }
    for (size_t i = 0; i < COUNT(openers); i++) {
        if (fsattn_lua_is(token, openers[i])) {
            return 1;
        }
    }
    for (size_t i = 0; i < COUNT(closers); i++) {
        if (fsattn_lua_is(token, closers[i])) {
            return -1;
        }
    }
    return 0;
}

/* Reads the key of the entry at *at ("name =", '["name"] ='), or counts it; moves *at to the value. */
static void read_key(const char **at, const char *end, int *position, char *key, size_t key_bytes) {
    const char *ahead = *at;
    fsattn_lua_token name = fsattn_lua_next(&ahead, end);
    bool bracket = fsattn_lua_is(&name, "[");
    if (bracket) {
        name = fsattn_lua_next(&ahead, end);
        if (name.kind == FSATTN_LUA_STRING && name.bytes >= 2) {
            name.text++;
            name.bytes -= 2;
        }
        fsattn_lua_next(&ahead, end);
    }
    fsattn_lua_token equals = fsattn_lua_next(&ahead, end);
    if ((bracket || name.kind == FSATTN_LUA_NAME) && fsattn_lua_is(&equals, "=")) {
        snprintf(key, key_bytes, "%.*s", (int)name.bytes, name.text);
        *at = ahead;
    } else {
        snprintf(key, key_bytes, "[%d]", ++*position);
    }
}

/* The constructor that opens at `at` (behind its brace): the value of the entry called `key`, or NULL. */
static const char *find_entry(const char *at, const char *end, const char *key) {
    int position = 0;
    for (;;) {
        const char *ahead = at;
        fsattn_lua_token first = fsattn_lua_next(&ahead, end);
        if (first.kind == FSATTN_LUA_END || fsattn_lua_is(&first, "}")) {
            return NULL;
        }
        char found[128];
        read_key(&at, end, &position, found, sizeof found);
        ahead = at;
        fsattn_lua_token value = fsattn_lua_next(&ahead, end);
        if (!strcmp(found, key)) {
            return value.text;
        }
        for (int depth = 0;;) {
            ahead = at;
            fsattn_lua_token token = fsattn_lua_next(&ahead, end);
            if (token.kind == FSATTN_LUA_END || (depth == 0 && fsattn_lua_is(&token, "}"))) {
                break;
            }
            depth += nesting(&token);
            at = ahead;
            if (depth == 0 && (fsattn_lua_is(&token, ",") || fsattn_lua_is(&token, ";"))) {
                break;
            }
        }
    }
}

/* What follows the last outermost `return`, or NULL. */
static const char *find_return(const char *source, const char *end) {
    const char *found = NULL, *at = source;
    int depth = 0;
    for (;;) {
        fsattn_lua_token token = fsattn_lua_next(&at, end);
        if (token.kind == FSATTN_LUA_END) {
            return found;
        }
        depth += nesting(&token);
        if (depth == 0 && token.kind == FSATTN_LUA_KEYWORD && fsattn_lua_is(&token, "return")) {
            const char *ahead = at;
            found = fsattn_lua_next(&ahead, end).text;
        }
    }
}

size_t fsattn_lua_locate(const char *source, size_t bytes, const char *path) {
    const char *end = source + bytes, *best = find_return(source, end);
    if (!best) {
        return 0;
    }
    while (*path && best < end && *best == '{') {
        char key[128];
        path += *path == '.';
        size_t length = *path == '[' ? strcspn(path, "]") + 1 : strcspn(path, ".[");
        snprintf(key, sizeof key, "%.*s", (int)length, path);
        path += length;
        const char *value = find_entry(best + 1, end, key);
        if (!value) {
            break;
        }
        best = value;
    }
    return (size_t)(best - source);
}

void fsattn_lua_place(const char *source, size_t offset, int *line, int *column) {
    *line = *column = 1;
    for (size_t i = 0; i < offset; i++) {
        if (source[i] == '\n') {
            ++*line;
            *column = 1;
        } else {
            ++*column;
        }
    }
}
