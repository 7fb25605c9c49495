/* json_stream.h - large JSON files, gzipped or not, one member of their outer levels at a time.
 *
 * The caller walks the objects and lists of the outer levels and takes single values as jansson's trees, so that a file with
 * 100,000 results needs the memory of one of them. What other tools write is accepted too: NaN and Infinity (as words of
 * that beginning), and a file whose outer objects were never closed because the run was stopped. One thread.
 */
#ifndef FSATTN_JSON_STREAM_H
#define FSATTN_JSON_STREAM_H

#include "fsattn.h"

#include <jansson.h>

typedef struct fsattn_json_stream {
    const char *path;
    char *text;
    size_t bytes, at;
    bool first;    /* no member of the present object or list has been taken */
    bool unclosed; /* the text ended before its objects did */
} fsattn_json_stream;

/* Reads the file, at most `limit` bytes of text. */
fsattn_status fsattn_json_stream_open(const char *path, size_t limit, fsattn_json_stream *stream, fsattn_err *err);
void fsattn_json_stream_close(fsattn_json_stream *stream);

/* Steps into an object ('{') or a list ('['). */
fsattn_status fsattn_json_stream_enter(fsattn_json_stream *stream, char opening, fsattn_err *err);
/* Whether there is a further member before `closing`; steps over it when there is none. */
fsattn_status fsattn_json_stream_more(fsattn_json_stream *stream, char closing, bool *more, fsattn_err *err);
/* The key of a member and its colon: a string for json_decref. */
fsattn_status fsattn_json_stream_key(fsattn_json_stream *stream, json_t **key, fsattn_err *err);
/* Whether a string is what became of NaN, Infinity or -Infinity. */
bool fsattn_json_stream_no_number(const char *word);
/* A whole value, for json_decref. */
fsattn_status fsattn_json_stream_value(fsattn_json_stream *stream, json_t **value, fsattn_err *err);
/* "path:line:column: message" for the byte `at`; returns FSATTN_PARSE. */
fsattn_status fsattn_json_stream_fail(const fsattn_json_stream *stream, size_t at, fsattn_err *err, const char *format,
                                      ...) __attribute__((format(printf, 4, 5)));

#endif
