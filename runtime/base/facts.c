#include "facts.h"

#include "error.h"
#include "file.h"
#include "hash.h"
#include "memory.h"
#include "nearest.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name, *values;
} switches[] = {
#define X(name, values, what) {#name, values},
    FSATTN_FACT_SWITCH_LIST(X)
#undef X
};
static const char *const kinds[] = {"switch", "constant", "note"};
enum { kind_count = sizeof kinds / sizeof kinds[0], file_limit = 1 << 20, line_limit = 512 };

const char *fsattn_fact_switch_name(fsattn_fact_switch which) {
    return switches[which].name;
}
bool fsattn_fact_switch_ordered(fsattn_fact_switch which) {
    return switches[which].values[0] == '#';
}
const char *fsattn_fact_switch_values(fsattn_fact_switch which) {
    return switches[which].values + fsattn_fact_switch_ordered(which);
}

/* ---- values --------------------------------------------------------------------------------------------- */

/* Splits at blanks; the number of words, of which at most `limit` are stored. */
static size_t split(const char *text, char words[][24], size_t limit) {
    size_t count = 0;
    while (*text) {
        const size_t bytes = strcspn(text, " ");
        if (bytes && count < limit) {
            snprintf(words[count], 24, "%.*s", (int)bytes, text);
        }
        count += bytes != 0;
        text += bytes + (text[bytes] == ' ');
    }
    return count;
}

/* Each word of the assumed value once, in any order. */
static bool read_order(const char *value, const char *assumed, uint8_t order[fsattn_fact_bits]) {
    char mine[fsattn_fact_bits][24], theirs[fsattn_fact_bits][24];
    const size_t count = split(assumed, theirs, fsattn_fact_bits);
    unsigned used = 0;
    if (split(value, mine, fsattn_fact_bits) != count) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        while (at < count && strcmp(mine[i], theirs[at])) {
            at++;
        }
        if (at == count || used >> at & 1) {
            return false;
        }
        used |= 1u << at;
        order[i] = (uint8_t)at;
    }
    return true;
}

static fsattn_status read_switch(fsattn_fact *f, fsattn_err *err) {
    const char *names[fsattn_fact_switches];
    size_t which = 0;
    for (size_t i = 0; i < fsattn_fact_switches; i++) {
        names[i] = switches[i].name;
    }
    while (which < fsattn_fact_switches && strcmp(names[which], f->name)) {
        which++;
    }
    if (which == fsattn_fact_switches) {
        fsattn_fail(err, FSATTN_PARSE, "unknown switch '%s'", f->name);
        fsattn_nearest_hint(err, f->name, names, fsattn_fact_switches);
        return FSATTN_PARSE;
    }
    const char *values = fsattn_fact_switch_values((fsattn_fact_switch)which);
    if (fsattn_fact_switch_ordered((fsattn_fact_switch)which)) {
        if (read_order(f->value, values, f->order)) {
            return FSATTN_OK;
        }
        fsattn_fail(err, FSATTN_PARSE, "%s: expected the words '%s' in some order, got '%s'", f->name, values, f->value);
        fsattn_hint(err, "each bit once, lowest first");
        return FSATTN_PARSE;
    }
    char words[fsattn_fact_bits][24];
    const size_t count = split(values, words, fsattn_fact_bits);
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(words[i], f->value)) {
            f->choice = (int)i;
            return FSATTN_OK;
        }
    }
    fsattn_fail(err, FSATTN_PARSE, "%s: unknown value '%s'", f->name, f->value);
    fsattn_hint(err, "one of: %s", values);
    return FSATTN_PARSE;
}

static fsattn_status check(fsattn_fact *f, fsattn_err *err) {
    if (f->kind == FSATTN_FACT_SWITCH) {
        return read_switch(f, err);
    }
    if (f->kind == FSATTN_FACT_CONSTANT && (!fsattn_text_real(f->value, &f->number) || !(f->number >= 0 && f->number < 1e9))) {
        fsattn_fail(err, FSATTN_PARSE, "%s: expected a number from 0 on, got '%s'", f->name, f->value);
        fsattn_hint(err, "constants are cycles or percent; remove the line to keep the assumed value");
        return FSATTN_PARSE;
    }
    return FSATTN_OK;
}

const fsattn_fact *fsattn_facts_find(const fsattn_facts *facts, fsattn_fact_kind kind, const char *name) {
    for (size_t i = 0; facts && i < facts->count; i++) {
        if (facts->items[i].kind == kind && !strcmp(facts->items[i].name, name)) {
            return &facts->items[i];
        }
    }
    return NULL;
}

int fsattn_facts_choice(const fsattn_facts *facts, fsattn_fact_switch which) {
    const fsattn_fact *f = fsattn_facts_find(facts, FSATTN_FACT_SWITCH, switches[which].name);
    return f ? f->choice : 0;
}

static fsattn_status add(fsattn_facts *facts, fsattn_fact *f, fsattn_err *err) {
    if (facts->count == fsattn_facts_limit) {
        return fsattn_fail(err, FSATTN_INVALID, "%s: more than %d facts", f->name, fsattn_facts_limit);
    }
    const fsattn_fact *twice = fsattn_facts_find(facts, f->kind, f->name);
    if (twice) {
        fsattn_fail(err, FSATTN_PARSE, "%s %s stands here and in line %d", kinds[f->kind], f->name, twice->line);
        fsattn_hint(err, "remove one");
        return FSATTN_PARSE;
    }
    FSATTN_TRY(check(f, err));
    facts->items[facts->count++] = *f;
    return FSATTN_OK;
}

fsattn_status fsattn_facts_add(fsattn_facts *facts, fsattn_fact_kind kind, const char *name, const char *value, const char *unit,
                               fsattn_err *err) {
    fsattn_fact f = {.kind = kind};
    snprintf(f.name, sizeof f.name, "%s", name);
    snprintf(f.value, sizeof f.value, "%s", value);
    snprintf(f.unit, sizeof f.unit, "%s", unit);
    return add(facts, &f, err);
}

/* ---- the file ------------------------------------------------------------------------------------------- */

/* "key: value" or "key: \"value\"", up to `stops` outside of quotes; *at moves behind it. */
static bool take_pair(const char **at, const char *stops, char *key, size_t key_bytes, char *value, size_t value_bytes) {
    const char *p = *at + strspn(*at, " ");
    const size_t name = strspn(p, "abcdefghijklmnopqrstuvwxyz_0123456789");
    if (!name || name >= key_bytes || p[name] != ':' || p[name + 1] != ' ') {
        return false;
    }
    snprintf(key, key_bytes, "%.*s", (int)name, p);
    p += name + 1;
    p += strspn(p, " ");
    const bool quoted = *p == '"';
    p += quoted;
    const size_t bytes = strcspn(p, quoted ? "\"" : stops);
    if (bytes >= value_bytes || (quoted && p[bytes] != '"')) {
        return false;
    }
    snprintf(value, value_bytes, "%.*s", (int)bytes, p);
    for (size_t end = strlen(value); !quoted && end && value[end - 1] == ' '; end--) {
        value[end - 1] = '\0';
    }
    p += bytes + quoted;
    *at = p + strspn(p, " ");
    return true;
}

/* "  - {name: ..., kind: ..., value: ..., unit: ...}" */
static fsattn_status read_fact(const char *line, int number, fsattn_facts *facts, fsattn_err *err) {
    static const char expected[] = "expected '- {name: NAME, kind: KIND, value: VALUE, unit: UNIT}'";
    fsattn_fact f = {.line = number};
    char key[16], value[sizeof f.value], kind[16] = "";
    const char *p = line + strspn(line, " ");
    if (strncmp(p, "- {", 3)) {
        return fsattn_fail(err, FSATTN_PARSE, "%s, got '%s'", expected, line);
    }
    p += 3;
    do {
        p += *p == ',';
        if (!take_pair(&p, ",}", key, sizeof key, value, sizeof value)) {
            return fsattn_fail(err, FSATTN_PARSE, "%s, got '%s'", expected, line);
        }
        char *to = !strcmp(key, "name") ? f.name : !strcmp(key, "kind") ? kind : !strcmp(key, "value") ? f.value
                   : !strcmp(key, "unit") ? f.unit : NULL;
        const size_t room = to == f.name ? sizeof f.name : to == kind ? sizeof kind : to == f.value ? sizeof f.value : sizeof f.unit;
        if (!to || strlen(value) >= room) {
            return fsattn_fail(err, FSATTN_PARSE, "%s, got '%s: %s'", expected, key, value);
        }
        strcpy(to, value);
    } while (*p == ',');
    if (strcmp(p, "}") || !f.name[0] || !f.value[0]) {
        return fsattn_fail(err, FSATTN_PARSE, "%s, got '%s'", expected, line);
    }
    for (size_t i = 0; i < kind_count; i++) {
        if (!strcmp(kinds[i], kind)) {
            f.kind = (fsattn_fact_kind)i;
            return add(facts, &f, err);
        }
    }
    fsattn_fail(err, FSATTN_PARSE, "unknown kind '%s'", kind);
    fsattn_nearest_hint(err, kind, kinds, kind_count);
    return FSATTN_PARSE;
}

static fsattn_status read_header(const char *line, fsattn_facts *facts, bool *version, bool *body, fsattn_err *err) {
    char key[24], value[128];
    const char *p = line;
    if (!strcmp(line, "facts:")) {
        *body = true;
        return *version ? FSATTN_OK : fsattn_fail(err, FSATTN_PARSE, "no 'fsattn_facts: 1' before the facts: this is no file of facts");
    }
    if (!take_pair(&p, "", key, sizeof key, value, sizeof value) || *p) {
        return fsattn_fail(err, FSATTN_PARSE, "expected 'key: value' or 'facts:', got '%s'", line);
    }
    if (!strcmp(key, "fsattn_facts")) {
        *version = !strcmp(value, "1");
        return *version ? FSATTN_OK : fsattn_fail(err, FSATTN_UNSUPPORTED, "version '%s' of the form; this program reads 1", value);
    }
    if (!strcmp(key, "provenance")) {
        facts->measured = !strcmp(value, "measured");
        return facts->measured || !strcmp(value, "modelled")
                   ? FSATTN_OK
                   : fsattn_fail(err, FSATTN_PARSE, "provenance: expected measured or modelled, got '%s'", value);
    }
    char *to = !strcmp(key, "device") ? facts->device : !strcmp(key, "driver") ? facts->driver : !strcmp(key, "date") ? facts->date : NULL;
    if (!to) {
        static const char *const keys[] = {"fsattn_facts", "device", "driver", "date", "provenance", "facts"};
        fsattn_fail(err, FSATTN_PARSE, "unknown key '%s'", key);
        fsattn_nearest_hint(err, key, keys, sizeof keys / sizeof keys[0]);
        return FSATTN_PARSE;
    }
    snprintf(to, to == facts->date ? sizeof facts->date : sizeof facts->device, "%s", value);
    return FSATTN_OK;
}

fsattn_status fsattn_facts_parse(const char *name, const char *text, fsattn_facts *facts, fsattn_err *err) {
    const char *const whole = text;
    bool version = false, body = false;
    fsattn_facts *made = fsattn_alloc(1, sizeof *made);
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", name);
    }
    snprintf(made->path, sizeof made->path, "%s", name);
    fsattn_status status = FSATTN_OK;
    for (int number = 1; *text && status == FSATTN_OK; number++) {
        char line[line_limit];
        const size_t bytes = strcspn(text, "\n");
        snprintf(line, sizeof line, "%.*s", (int)(bytes < line_limit ? bytes : line_limit), text);
        text += bytes + (text[bytes] == '\n');
        if (bytes >= line_limit) {
            status = fsattn_fail(err, FSATTN_PARSE, "a line of more than %d bytes", line_limit - 1);
        } else if (line[0] && line[0] != '#') {
            status = body ? read_fact(line, number, made, err) : read_header(line, made, &version, &body, err);
        }
        if (status != FSATTN_OK) {
            fsattn_context_add(err, status, "%s:%d", name, number);
        }
    }
    if (status == FSATTN_OK && !body) {
        status = fsattn_fail(err, FSATTN_PARSE, "%s: no 'facts:' in it: this is no file of facts", name);
        fsattn_hint(err, "fsattn-probe --output FILE writes one");
    }
    if (status == FSATTN_OK) {
        char hex[fsattn_hash_hex_bytes];
        const fsattn_hash hash = fsattn_hash_of(whole, strlen(whole));
        fsattn_hash_hex(&hash, hex);
        snprintf(made->identity, sizeof made->identity, "facts %.8s", hex);
        *facts = *made;
    }
    fsattn_free(made);
    return status;
}

fsattn_status fsattn_facts_read(const char *path, fsattn_facts *facts, fsattn_err *err) {
    char *text;
    size_t bytes;
    FSATTN_TRY(fsattn_file_read(path, file_limit, &text, &bytes, err));
    const fsattn_status status = fsattn_facts_parse(path, text, facts, err);
    fsattn_free(text);
    return status;
}

/* Text between quotes; what would end them, or the line, becomes a blank. */
static void put_quoted(fsattn_text *out, const char *text) {
    fsattn_text_puts(out, "\"");
    for (; *text; text++) {
        const bool plain = *text != '"' && *text != '\\' && (unsigned char)*text >= ' ';
        fsattn_text_add(out, plain ? text : " ", 1);
    }
    fsattn_text_puts(out, "\"");
}

void fsattn_facts_write(const fsattn_facts *facts, fsattn_text *out) {
    fsattn_text_puts(out, "# What a device was seen to do, by fsattn-probe. Read through FSATTN_FACTS=FILE: docs/probe.md\nfsattn_facts: 1\ndevice: ");
    put_quoted(out, facts->device);
    fsattn_text_puts(out, "\ndriver: ");
    put_quoted(out, facts->driver);
    fsattn_text_puts(out, "\ndate: ");
    put_quoted(out, facts->date);
    fsattn_text_printf(out, "\nprovenance: %s\nfacts:\n", facts->measured ? "measured" : "modelled");
    for (size_t i = 0; i < facts->count; i++) {
        const fsattn_fact *f = &facts->items[i];
        fsattn_text_printf(out, "  - {name: %s, kind: %s, value: ", f->name, kinds[f->kind]);
        put_quoted(out, f->value);
        fsattn_text_puts(out, ", unit: ");
        put_quoted(out, f->unit);
        fsattn_text_puts(out, "}\n");
    }
}

/* ---- the process's -------------------------------------------------------------------------------------- */

/* Written once, under `once`, by whoever asks first. */
static struct {
    pthread_once_t once;
    fsattn_facts *facts;
    fsattn_status status;
    fsattn_err err;
} process = {.once = PTHREAD_ONCE_INIT};

static void read_process(void) {
    const char *path = getenv("FSATTN_FACTS");
    if (!path || !path[0]) {
        return;
    }
    process.facts = fsattn_alloc(1, sizeof *process.facts);
    process.status = process.facts ? fsattn_facts_read(path, process.facts, &process.err)
                                   : fsattn_fail(&process.err, FSATTN_NO_MEMORY, "%s: out of memory", path);
    fsattn_context_add(&process.err, process.status, "FSATTN_FACTS");
    if (process.status != FSATTN_OK) {
        fsattn_free(process.facts);
        process.facts = NULL;
    }
}

fsattn_status fsattn_facts_process(const fsattn_facts **facts, fsattn_err *err) {
    pthread_once(&process.once, read_process);
    if (process.status != FSATTN_OK) {
        if (err) {
            *err = process.err;
        }
        return process.status;
    }
    *facts = process.facts;
    return FSATTN_OK;
}
