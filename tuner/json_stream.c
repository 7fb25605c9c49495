#include "json_stream.h"

#include "error.h"
#include "memory.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

enum { chunk_bytes = 1 << 20 };

/* ---- reading ---- */

static fsattn_status read_chunks(gzFile file, size_t limit, fsattn_json_stream *stream, fsattn_err *err) {
    size_t capacity = 0;
    for (;;) {
        if (capacity - stream->bytes < chunk_bytes + 1) {
            size_t wanted = capacity ? 2 * capacity : 2 * chunk_bytes;
            char *text = fsattn_realloc(stream->text, wanted, 1);
            if (!text) {
                return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", stream->path);
            }
            stream->text = text;
            capacity = wanted;
        }
        int got = gzread(file, stream->text + stream->bytes, chunk_bytes);
        if (got < 0) {
            int code;
            const char *cause = gzerror(file, &code);
            return code == Z_ERRNO ? fsattn_fail_errno(err, errno, "%s", stream->path)
                                   : fsattn_fail(err, FSATTN_CORRUPT, "%s: %s", stream->path, cause);
        }
        stream->bytes += (size_t)got;
        stream->text[stream->bytes] = '\0';
        if (got == 0) {
            return FSATTN_OK;
        }
        if (stream->bytes > limit) {
            return fsattn_fail(err, FSATTN_INVALID, "%s: more than %zu bytes of text", stream->path, limit);
        }
    }
}

/* X(number that is none, word of the same length): jansson takes JSON only. */
#define NO_NUMBER_LIST(X) X("NaN", "N") X("-Infinity", "-Infini") X("Infinity", "Infini")

bool fsattn_json_stream_no_number(const char *word) {
#define X(from, to) || !strcmp(word, to)
    return false NO_NUMBER_LIST(X);
#undef X
}

static void quote_words(char *text, size_t bytes) {
    static const char *const from[] = {
#define X(from_, to) from_,
        NO_NUMBER_LIST(X)
#undef X
    };
    static const char *const words[] = {
#define X(from_, to) "\"" to "\"",
        NO_NUMBER_LIST(X)
#undef X
    };
    bool inside = false;
    for (size_t i = 0; i < bytes; i++) {
        if (inside && text[i] == '\\') {
            i++;
        } else if (text[i] == '"') {
            inside = !inside;
        } else if (!inside && (text[i] == 'N' || text[i] == 'I' || text[i] == '-')) {
            for (size_t w = 0; w < sizeof from / sizeof from[0]; w++) {
                size_t length = strlen(from[w]);
                if (!strncmp(text + i, from[w], length)) {
                    memcpy(text + i, words[w], length);
                    i += length - 1;
                    break;
                }
            }
        }
    }
}

fsattn_status fsattn_json_stream_open(const char *path, size_t limit, fsattn_json_stream *stream, fsattn_err *err) {
    fsattn_json_stream made = {.path = path, .first = true};
    errno = 0;
    gzFile file = gzopen(path, "rb");
    if (!file) {
        return fsattn_fail_errno(err, errno ? errno : ENOMEM, "%s", path);
    }
    fsattn_status status = read_chunks(file, limit, &made, err);
    /* A truncated gzip file is only told at its end. */
    if (gzclose_r(file) != Z_OK && status == FSATTN_OK) {
        status = fsattn_fail(err, FSATTN_CORRUPT, "%s: ends in the middle of its compressed data", path);
    }
    if (status != FSATTN_OK) {
        fsattn_json_stream_close(&made);
        return status;
    }
    quote_words(made.text, made.bytes);
    *stream = made;
    return FSATTN_OK;
}

void fsattn_json_stream_close(fsattn_json_stream *stream) {
    fsattn_free(stream->text);
    *stream = (fsattn_json_stream){0};
}

/* ---- walking ---- */

fsattn_status fsattn_json_stream_fail(const fsattn_json_stream *stream, size_t at, fsattn_err *err, const char *format,
                                      ...) {
    char message[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    int line = 1, column = 1;
    for (size_t i = 0; i < at && i < stream->bytes; i++) {
        line += stream->text[i] == '\n';
        column = stream->text[i] == '\n' ? 1 : column + 1;
    }
    return fsattn_fail(err, FSATTN_PARSE, "%s:%d:%d: %s", stream->path, line, column, message);
}

static char peek(fsattn_json_stream *stream) {
    stream->at += strspn(stream->text + stream->at, " \t\r\n");
    return stream->text[stream->at];
}

static fsattn_status expect(fsattn_json_stream *stream, char wanted, fsattn_err *err) {
    char got = peek(stream);
    if (got != wanted) {
        return got ? fsattn_json_stream_fail(stream, stream->at, err, "expected '%c', got '%c'", wanted, got)
                   : fsattn_json_stream_fail(stream, stream->at, err, "expected '%c', got the end of the file", wanted);
    }
    stream->at++;
    return FSATTN_OK;
}

fsattn_status fsattn_json_stream_enter(fsattn_json_stream *stream, char opening, fsattn_err *err) {
    FSATTN_TRY(expect(stream, opening, err));
    stream->first = true;
    return FSATTN_OK;
}

fsattn_status fsattn_json_stream_more(fsattn_json_stream *stream, char closing, bool *more, fsattn_err *err) {
    char got = peek(stream);
    if (got == ',' && !stream->first) {
        stream->at++;
        got = peek(stream);
        if (got == closing) {
            return fsattn_json_stream_fail(stream, stream->at, err, "a comma before '%c'", closing);
        }
    } else if (got && got != closing && !stream->first) {
        return fsattn_json_stream_fail(stream, stream->at, err, "expected ',' or '%c', got '%c'", closing, got);
    }
    *more = got && got != closing;
    stream->unclosed = stream->unclosed || !got;
    stream->at += got == closing;
    stream->first = false;
    return FSATTN_OK;
}

fsattn_status fsattn_json_stream_value(fsattn_json_stream *stream, json_t **value, fsattn_err *err) {
    json_error_t detail;
    peek(stream);
    json_t *made = json_loadb(stream->text + stream->at, stream->bytes - stream->at,
                              JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK, &detail);
    if (!made) {
        size_t within = detail.position > 0 ? (size_t)detail.position : 0;
        return fsattn_json_stream_fail(stream, stream->at + within, err, "%s", detail.text);
    }
    stream->at += (size_t)detail.position;
    stream->first = false;
    *value = made;
    return FSATTN_OK;
}

fsattn_status fsattn_json_stream_key(fsattn_json_stream *stream, json_t **key, fsattn_err *err) {
    json_t *made;
    if (peek(stream) != '"') {
        return fsattn_json_stream_fail(stream, stream->at, err, "expected a key in quotes");
    }
    FSATTN_TRY(fsattn_json_stream_value(stream, &made, err));
    fsattn_status status = expect(stream, ':', err);
    if (status != FSATTN_OK) {
        json_decref(made);
        return status;
    }
    *key = made;
    return FSATTN_OK;
}
