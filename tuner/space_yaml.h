/* space_yaml.h - a YAML file as a small tree of nodes with places. Internal to the space reader.
 *
 * Owns nothing: nodes and texts live in the caller's arena. Every scalar stays the text that was written; what it means is
 * decided by whoever reads it. Refused, with file:line:column and the fix: aliases, anchors, tags, duplicate keys, keys
 * that are no words, more than one document, nesting deeper than 16, maps of more than 1024 keys, bytes that are not UTF-8.
 */
#ifndef FSATTN_SPACE_YAML_H
#define FSATTN_SPACE_YAML_H

#include "memory.h"
#include "space.h"

enum { fsattn_space_yaml_depth_limit = 16, fsattn_space_yaml_key_limit = 1024 };

typedef enum fsattn_space_yaml_kind {
    FSATTN_SPACE_YAML_SCALAR,
    FSATTN_SPACE_YAML_LIST,
    FSATTN_SPACE_YAML_MAP,
} fsattn_space_yaml_kind;

typedef enum fsattn_space_yaml_style {
    FSATTN_SPACE_YAML_PLAIN,
    FSATTN_SPACE_YAML_QUOTED,
    FSATTN_SPACE_YAML_LITERAL, /* | */
    FSATTN_SPACE_YAML_FOLDED,  /* >, or plain text over several lines: its places are lost */
} fsattn_space_yaml_style;

typedef struct fsattn_space_yaml {
    fsattn_space_yaml_kind kind;
    fsattn_space_yaml_style style; /* of a scalar */
    fsattn_place place;
    const char *text;        /* of a scalar, never NULL for one */
    fsattn_place text_place; /* of the text's first byte: below the '|' of a literal block */
    size_t count;            /* entries of a list or map */
    const struct fsattn_space_yaml *keys, *items;
} fsattn_space_yaml;

/* Reads one document. `path` stands in messages. */
fsattn_status fsattn_space_yaml_read(const char *path, const char *text, size_t bytes, fsattn_arena *arena,
                                     const fsattn_space_yaml **root, fsattn_err *err);
/* "a list", "a map", "nothing" (an empty plain scalar), "text": for messages. */
const char *fsattn_space_yaml_text(const fsattn_space_yaml *node);

#endif
