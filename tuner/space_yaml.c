#include "space_yaml.h"

#include "error.h"
#include "lua_scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <yaml.h>

typedef struct reader {
    yaml_parser_t parser;
    const char *path, *text;
    size_t bytes;
    fsattn_arena *arena;
    fsattn_err *err;
} reader;

static fsattn_place place_of(yaml_mark_t mark) {
    return (fsattn_place){(int)mark.line + 1, (int)mark.column + 1};
}

static fsattn_status fail(reader *r, fsattn_place place, const char *format, ...) __attribute__((format(printf, 3, 4)));
static fsattn_status fail(reader *r, fsattn_place place, const char *format, ...) {
    char message[512];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return fsattn_fail(r->err, FSATTN_PARSE, "%s:%d:%d: %s", r->path, place.line, place.column, message);
}

static fsattn_status no_memory(reader *r) {
    return fsattn_fail(r->err, FSATTN_NO_MEMORY, "%s: out of memory", r->path);
}

/* ---- libyaml's failures ---- */

/* Start of a line (from 1) of the file, or its end. */
static const char *line_start(const reader *r, int line) {
    const char *at = r->text, *end = r->text + r->bytes;
    while (line > 1 && at < end) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        at = line_end ? line_end + 1 : end;
        line--;
    }
    return at;
}

/* What to do about libyaml's messages; the first whose text occurs in one. */
static const struct {
    const char *problem, *hint;
} hints[] = {
    {"invalid", "save the file as UTF-8"},
    {"incomplete UTF-8", "save the file as UTF-8"},
    {"mapping values are not allowed", "put an expression that holds ': ' into a literal block (|)"},
    {"unexpected end of stream", "close the quote"},
    {"could not find expected ':'", "write 'key: value' with a space behind the colon"},
    {"", "check the indentation; an expression that opens with a quote, [ or { goes into a literal block (|)"},
};

/* Characters with which nothing may begin, and what to do about them. */
static const struct {
    char character;
    const char *message, *hint;
} openings[] = {
    {'\t', "a tab where spaces are expected", "indent with spaces, and put spaces between words"},
    {'@', "nothing may begin with '@'", "quote it, or put an expression into a literal block (|)"},
    {'`', "nothing may begin with '`'", "quote it, or put an expression into a literal block (|)"},
    {'%', "nothing may begin with '%'", "quote it, or put an expression into a literal block (|)"},
};

/* The character that cannot begin a token, by name; false: it is another failure. */
static bool translate_opening(reader *r, fsattn_place place, const char *problem) {
    const char *at = line_start(r, place.line), *end = r->text + r->bytes;
    for (int column = 1; at < end && column < place.column; column++) {
        do {
            at++;
        } while (at < end && (*at & 0xc0) == 0x80);
    }
    for (size_t i = 0; strstr(problem, "cannot start any token") && i < sizeof openings / sizeof openings[0]; i++) {
        if (at < end && *at == openings[i].character) {
            fail(r, place, "%s", openings[i].message);
            fsattn_hint(r->err, "%s", openings[i].hint);
            return true;
        }
    }
    return false;
}

/* What an editor may have put in front of the text. */
static fsattn_status check_beginning(reader *r) {
    static const struct {
        const char *bytes, *message, *hint;
    } rows[] = {{"\xef\xbb\xbf", "the file begins with a byte order mark", "save it as UTF-8 without BOM: sed -i '1s/^\\xEF\\xBB\\xBF//' FILE"},
                {"\xff\xfe", "the file is UTF-16", "save it as UTF-8: iconv -f UTF-16 -t UTF-8"},
                {"\xfe\xff", "the file is UTF-16", "save it as UTF-8: iconv -f UTF-16 -t UTF-8"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const size_t length = strlen(rows[i].bytes);
        if (r->bytes >= length && !memcmp(r->text, rows[i].bytes, length)) {
            fail(r, (fsattn_place){1, 1}, "%s", rows[i].message);
            fsattn_hint(r->err, "%s", rows[i].hint);
            return FSATTN_PARSE;
        }
    }
    return FSATTN_OK;
}

static fsattn_status translate(reader *r) {
    const yaml_parser_t *parser = &r->parser;
    if (parser->error == YAML_MEMORY_ERROR) {
        return no_memory(r);
    }
    const char *problem = parser->problem ? parser->problem : "malformed YAML";
    fsattn_place place = place_of(parser->problem_mark);
    if (parser->error == YAML_READER_ERROR) {
        size_t offset = parser->problem_offset < r->bytes ? parser->problem_offset : r->bytes;
        fsattn_lua_place(r->text, offset, &place.line, &place.column);
    }
    if (translate_opening(r, place, problem)) {
        return FSATTN_PARSE;
    }
    if (parser->error == YAML_READER_ERROR && strstr(problem, "control characters")) {
        fail(r, place, "a control character (0x%02x)", (unsigned)parser->problem_value);
        fsattn_hint(r->err, "remove it; in double quotes it is written \\x%02x", (unsigned)parser->problem_value);
        return FSATTN_PARSE;
    }
    fail(r, place, "%s%s%s", parser->context ? parser->context : "", parser->context ? ": " : "", problem);
    size_t i = 0;
    while (!strstr(problem, hints[i].problem)) {
        i++;
    }
    fsattn_hint(r->err, "%s", hints[i].hint);
    return FSATTN_PARSE;
}

static fsattn_status next(reader *r, yaml_event_t *event) {
    return yaml_parser_parse(&r->parser, event) ? FSATTN_OK : translate(r);
}

/* ---- nodes ---- */

/* Where the text of a literal block starts: its lines follow the '|' one to one, each without the block's indentation. */
static fsattn_place literal_place(const reader *r, fsattn_place header, const char *text) {
    fsattn_place place = {header.line + 1, 1};
    size_t blank = 0;
    while (text[blank] == '\n') {
        blank++;
    }
    const char *line = line_start(r, place.line + (int)blank);
    size_t in_file = strspn(line, " "), in_text = strspn(text + blank, " ");
    place.column += in_file > in_text ? (int)(in_file - in_text) : 0;
    return place;
}

static fsattn_status set_scalar(reader *r, const yaml_event_t *event, fsattn_space_yaml *node) {
    const char *text = (const char *)event->data.scalar.value;
    size_t bytes = event->data.scalar.length;
    if (strlen(text) != bytes) {
        fail(r, node->place, "the text holds a NUL byte");
        fsattn_hint(r->err, "remove the \\0");
        return FSATTN_PARSE;
    }
    node->kind = FSATTN_SPACE_YAML_SCALAR;
    node->text = fsattn_arena_strdup(r->arena, text);
    if (!node->text) {
        return no_memory(r);
    }
    node->text_place = node->place;
    switch (event->data.scalar.style) {
    case YAML_LITERAL_SCALAR_STYLE:
        node->style = FSATTN_SPACE_YAML_LITERAL;
        node->text_place = literal_place(r, node->place, text);
        break;
    case YAML_SINGLE_QUOTED_SCALAR_STYLE:
    case YAML_DOUBLE_QUOTED_SCALAR_STYLE:
        node->style = FSATTN_SPACE_YAML_QUOTED;
        break;
    case YAML_FOLDED_SCALAR_STYLE:
        node->style = FSATTN_SPACE_YAML_FOLDED;
        break;
    default:
        node->style = event->start_mark.line == event->end_mark.line ? FSATTN_SPACE_YAML_PLAIN
                                                                     : FSATTN_SPACE_YAML_FOLDED;
    }
    return FSATTN_OK;
}

static fsattn_status refuse(reader *r, const fsattn_space_yaml *node, const char *what, const yaml_char_t *name) {
    fail(r, node->place, "%s '%.60s'", what, (const char *)name);
    fsattn_hint(r->err, "write the value itself: the template declares its type, and spaces have no references");
    return FSATTN_PARSE;
}

/* The node that an event opens, without its children. */
static fsattn_status open_node(reader *r, const yaml_event_t *event, fsattn_space_yaml *node) {
    *node = (fsattn_space_yaml){.place = place_of(event->start_mark)};
    const yaml_char_t *anchor = NULL, *tag = NULL;
    switch (event->type) {
    case YAML_ALIAS_EVENT:
        return refuse(r, node, "alias", event->data.alias.anchor);
    case YAML_SEQUENCE_START_EVENT:
        node->kind = FSATTN_SPACE_YAML_LIST;
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
        break;
    case YAML_MAPPING_START_EVENT:
        node->kind = FSATTN_SPACE_YAML_MAP;
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
        break;
    default:
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    }
    if (anchor || tag) {
        return refuse(r, node, anchor ? "anchor" : "tag", anchor ? anchor : tag);
    }
    return event->type == YAML_SCALAR_EVENT ? set_scalar(r, event, node) : FSATTN_OK;
}

/* A new key, after the pairs before it. */
static fsattn_status check_key(reader *r, const fsattn_space_yaml *nodes, size_t count) {
    const fsattn_space_yaml *key = &nodes[count];
    if (key->kind != FSATTN_SPACE_YAML_SCALAR || !*key->text) {
        fail(r, key->place, "expected a key, got %s", fsattn_space_yaml_text(key));
        fsattn_hint(r->err, "a key is a word");
        return FSATTN_PARSE;
    }
    if (count / 2 >= fsattn_space_yaml_key_limit) {
        fail(r, key->place, "more than %d keys in one map", fsattn_space_yaml_key_limit);
        fsattn_hint(r->err, "a space has a handful of keys");
        return FSATTN_PARSE;
    }
    for (size_t i = 0; i < count; i += 2) {
        if (!strcmp(nodes[i].text, key->text)) {
            fail(r, key->place, "the key '%.60s' stands on line %d already", key->text, nodes[i].place.line);
            fsattn_hint(r->err, "keep one of the two");
            return FSATTN_PARSE;
        }
    }
    return FSATTN_OK;
}

/* Moves the children, for a map keys and values by turns, into the arena. */
static fsattn_status adopt(reader *r, fsattn_space_yaml *node, const fsattn_space_yaml *children, size_t count) {
    size_t step = node->kind == FSATTN_SPACE_YAML_MAP ? 2 : 1;
    node->count = count / step;
    fsattn_space_yaml *items = fsattn_arena_alloc(r->arena, node->count + 1, sizeof *items);
    fsattn_space_yaml *keys = fsattn_arena_alloc(r->arena, node->count + 1, sizeof *keys);
    if (!items || !keys) {
        return no_memory(r);
    }
    for (size_t i = 0; i < node->count; i++) {
        keys[i] = children[i * step];
        items[i] = children[i * step + step - 1];
    }
    node->items = items;
    node->keys = step == 2 ? keys : NULL;
    return FSATTN_OK;
}

/* Recursion is bounded by the depth limit. */
static fsattn_status read_children(reader *r, int depth, fsattn_space_yaml *node) {
    if (depth > fsattn_space_yaml_depth_limit) {
        fail(r, node->place, "nested deeper than %d", fsattn_space_yaml_depth_limit);
        fsattn_hint(r->err, "a space needs four levels");
        return FSATTN_PARSE;
    }
    void *memory = NULL;
    size_t count = 0, capacity = 0;
    fsattn_status status;
    for (;;) {
        yaml_event_t event;
        FSATTN_GOTO(next(r, &event));
        if (event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT) {
            yaml_event_delete(&event);
            break;
        }
        if (fsattn_grow(&memory, &capacity, count, sizeof *node)) {
            yaml_event_delete(&event);
            FSATTN_GOTO(no_memory(r));
        }
        fsattn_space_yaml *children = memory;
        status = open_node(r, &event, &children[count]);
        yaml_event_delete(&event);
        if (status != FSATTN_OK) {
            goto out;
        }
        if (node->kind == FSATTN_SPACE_YAML_MAP && count % 2 == 0) {
            FSATTN_GOTO(check_key(r, children, count));
        } else if (children[count].kind != FSATTN_SPACE_YAML_SCALAR) {
            FSATTN_GOTO(read_children(r, depth + 1, &children[count]));
        }
        count++;
    }
    status = adopt(r, node, memory, count);
out:
    fsattn_free(memory);
    return status;
}

/* ---- the document ---- */

/* The next event, which must be of the type; its place in *place. */
static fsattn_status expect(reader *r, yaml_event_type_t type, fsattn_place *place, bool *found) {
    yaml_event_t event;
    FSATTN_TRY(next(r, &event));
    *place = place_of(event.start_mark);
    *found = event.type == type;
    yaml_event_delete(&event);
    return FSATTN_OK;
}

static fsattn_status read_document(reader *r, fsattn_space_yaml *root) {
    fsattn_place place;
    bool found;
    FSATTN_TRY(expect(r, YAML_STREAM_START_EVENT, &place, &found));
    FSATTN_TRY(expect(r, YAML_DOCUMENT_START_EVENT, &place, &found));
    if (!found) {
        fail(r, (fsattn_place){1, 1}, "the file is empty");
        fsattn_hint(r->err, "spaces/README.md has the schema");
        return FSATTN_PARSE;
    }
    yaml_event_t event;
    FSATTN_TRY(next(r, &event));
    fsattn_status status = open_node(r, &event, root);
    yaml_event_delete(&event);
    if (status == FSATTN_OK && root->kind != FSATTN_SPACE_YAML_SCALAR) {
        status = read_children(r, 1, root);
    }
    FSATTN_TRY(status);
    FSATTN_TRY(expect(r, YAML_DOCUMENT_END_EVENT, &place, &found));
    FSATTN_TRY(expect(r, YAML_STREAM_END_EVENT, &place, &found));
    if (!found) {
        fail(r, place, "a second document");
        fsattn_hint(r->err, "a file holds one space: move the rest to a file of its own");
        return FSATTN_PARSE;
    }
    return FSATTN_OK;
}

fsattn_status fsattn_space_yaml_read(const char *path, const char *text, size_t bytes, fsattn_arena *arena,
                                     const fsattn_space_yaml **root, fsattn_err *err) {
    reader r = {.path = path, .text = text, .bytes = bytes, .arena = arena, .err = err};
    fsattn_space_yaml *made = fsattn_arena_alloc(arena, 1, sizeof *made);
    if (!made || !yaml_parser_initialize(&r.parser)) {
        return no_memory(&r);
    }
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)text, bytes);
    fsattn_status status = check_beginning(&r);
    status = status == FSATTN_OK ? read_document(&r, made) : status;
    yaml_parser_delete(&r.parser);
    if (status == FSATTN_OK) {
        *root = made;
    }
    return status;
}

const char *fsattn_space_yaml_text(const fsattn_space_yaml *node) {
    return node->kind == FSATTN_SPACE_YAML_LIST  ? "a list"
           : node->kind == FSATTN_SPACE_YAML_MAP ? "a map"
           : *node->text                         ? "text"
                                                 : "nothing";
}
