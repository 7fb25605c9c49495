#include "template_parse.h"

#include "error.h"
#include "lua_scan.h"

#include <ctype.h>
#include <string.h>

/* Pseudo-code of a line:
 *   blanks % % rest   ->  __text("blanks % rest\n");
 *   blanks % code     ->  code
 *   text $(x) text    ->  __text("text "); __value((x)); __text(" text\n");      $$( is a literal $(
 */
typedef struct parser {
    fsattn_sandbox *sandbox;
    const char *name;
    int line;
    const char *line_start;
    fsattn_text *program;
    fsattn_err *err;
} parser;

static void emit_string(fsattn_text *program, const char *text, size_t bytes, bool line_end) {
    if (!bytes && !line_end) {
        return;
    }
    fsattn_text_puts(program, "__text(\"");
    for (size_t i = 0; i < bytes; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c < 32 || c > 126 || c == '"' || c == '\\') {
            fsattn_text_printf(program, "\\%03u", c);
        } else {
            fsattn_text_add(program, &text[i], 1);
        }
    }
    fsattn_text_puts(program, line_end ? "\\n\");" : "\");");
}

static fsattn_status fail(parser *p, const char *at, const char *message) {
    return fsattn_fail(p->err, FSATTN_PARSE, "%s:%d:%d: %s", p->name, p->line, (int)(at - p->line_start) + 1, message);
}

/* Compiles the expression alone, so that a mistake in it is reported at its own place. */
static fsattn_status check_expression(parser *p, const char *start, const char *end) {
    fsattn_text source = {0};
    fsattn_text_printf(&source, "return (%.*s)", (int)(end - start), start);
    fsattn_err detail;
    fsattn_status status = source.failed
                               ? fsattn_fail(&detail, FSATTN_NO_MEMORY, "%s: out of memory", p->name)
                               : fsattn_sandbox_load(p->sandbox, source.data, source.bytes, "$", NULL, &detail);
    fsattn_text_fini(&source);
    if (status == FSATTN_OK) {
        lua_pop(fsattn_sandbox_lua(p->sandbox), 1);
        return FSATTN_OK;
    }
    if (status == FSATTN_PARSE) {
        const char *message = strchr(detail.message, ' '); /* behind "$:1:" */
        return fail(p, start, message ? message + 1 : detail.message);
    }
    return fsattn_fail(p->err, status, "%s", detail.message);
}

/* The expression of "$(" that opens behind `at`; *behind is behind its parenthesis. */
static fsattn_status parse_expression(parser *p, const char *at, const char *end, const char **behind) {
    const char *start = at, *dollar = at - 2;
    for (int depth = 1; depth;) {
        fsattn_lua_token token = fsattn_lua_next(&at, end);
        if (token.kind == FSATTN_LUA_END) {
            fail(p, dollar, "$( is not closed on this line");
            fsattn_hint(p->err, "close it with ')', or write $$( for the two characters");
            return FSATTN_PARSE;
        }
        depth += fsattn_lua_is(&token, "(") - fsattn_lua_is(&token, ")");
    }
    FSATTN_TRY(check_expression(p, start, at - 1));
    fsattn_text_puts(p->program, "__value((");
    fsattn_text_add(p->program, start, (size_t)(at - 1 - start));
    fsattn_text_puts(p->program, "));");
    *behind = at;
    return FSATTN_OK;
}

static fsattn_status parse_text_line(parser *p, const char *at, const char *end) {
    const char *plain = at;
    while (at < end) {
        if (end - at >= 3 && !memcmp(at, "$$(", 3)) {
            emit_string(p->program, plain, (size_t)(at - plain), false);
            emit_string(p->program, "$(", 2, false);
            plain = at += 3;
        } else if (end - at >= 2 && !memcmp(at, "$(", 2)) {
            emit_string(p->program, plain, (size_t)(at - plain), false);
            FSATTN_TRY(parse_expression(p, at + 2, end, &at));
            plain = at;
        } else {
            at++;
        }
    }
    emit_string(p->program, plain, (size_t)(end - plain), true);
    return FSATTN_OK;
}

static fsattn_status parse_line(parser *p, const char *end) {
    const char *mark = p->line_start;
    while (mark < end && (*mark == ' ' || *mark == '\t')) {
        mark++;
    }
    if (mark == end || *mark != '%') {
        return parse_text_line(p, p->line_start, end);
    }
    if (mark + 1 < end && mark[1] == '%') {
        emit_string(p->program, p->line_start, (size_t)(mark - p->line_start), false);
        return parse_text_line(p, mark + 1, end);
    }
    fsattn_text_add(p->program, mark + 1, (size_t)(end - mark - 1));
    return FSATTN_OK;
}

fsattn_status fsattn_template_parse(fsattn_sandbox *sandbox, const char *name, const char *text, size_t bytes,
                                    fsattn_text *program, fsattn_err *err) {
    parser p = {sandbox, name, 0, text, program, err};
    const char *end = text + bytes;
    fsattn_text_puts(program, "local __text, __value = ...; ");
    while (p.line_start < end) {
        const char *line_end = memchr(p.line_start, '\n', (size_t)(end - p.line_start));
        const char *next = line_end ? line_end + 1 : end;
        line_end = line_end ? line_end : end;
        if (line_end > p.line_start && line_end[-1] == '\r') {
            line_end--;
        }
        p.line++;
        for (const char *at = p.line_start; at < line_end; at++) {
            if (!*at) {
                return fail(&p, at, "a NUL byte");
            }
        }
        FSATTN_TRY(parse_line(&p, line_end));
        fsattn_text_puts(program, "\n");
        p.line_start = next;
    }
    return program->failed ? fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", name) : FSATTN_OK;
}
