/* fsattn-probe: whether a GPU does what simulator, emulator and kernels assume of it; what it does otherwise, in a file. */
#include "cli.h"
#include "error.h"
#include "file.h"
#include "memory.h"
#include "nearest.h"
#include "output.h"
#include "probe_rate.h"
#include "probe_run.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char program[] = "fsattn-probe";
static const char *const verdict_texts[probe_verdicts] = {"agrees", "differs", "cannot"};

typedef struct options {
    const char *device, *output;
    fsattn_option_list only;
    bool list, json;
    double time_limit_s;
} options;

/* A name, or how names begin. */
static bool wanted(const options *o, const char *name) {
    for (size_t i = 0; i < o->only.count; i++) {
        if (!strncmp(name, o->only.values[i], strlen(o->only.values[i]))) {
            return true;
        }
    }
    return o->only.count == 0;
}

static fsattn_status check_names(const options *o, fsattn_err *err) {
    size_t count;
    const probe *table = probe_table(&count);
    const char **names = fsattn_alloc(count, sizeof *names);
    if (!names) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    }
    fsattn_status status = FSATTN_OK;
    for (size_t i = 0; i < count; i++) {
        names[i] = table[i].name;
    }
    for (size_t k = 0; k < o->only.count && status == FSATTN_OK; k++) {
        bool found = false;
        for (size_t i = 0; i < count; i++) {
            found |= !strncmp(names[i], o->only.values[k], strlen(o->only.values[k]));
        }
        if (!found) {
            status = fsattn_fail(err, FSATTN_USAGE, "--only: no probe's name begins with '%s'", o->only.values[k]);
            const char *near = fsattn_nearest(o->only.values[k], names, count);
            fsattn_hint(err, near ? "did you mean '%s'?" : "%s", near ? near : "--list prints them");
        }
    }
    fsattn_free(names);
    return status;
}

static void list(const options *o) {
    size_t count;
    const probe *table = probe_table(&count);
    for (size_t i = 0; i < count; i++) {
        if (wanted(o, table[i].name)) {
            const probe *p = &table[i];
            const char *sets = p->setting != probe_no_setting    ? fsattn_fact_switch_name((fsattn_fact_switch)p->setting)
                               : p->rate && p->rate->constant ? p->rate->constant
                                                              : "-";
            printf("%-20s %-22s %s\n", p->name, sets, p->fact);
        }
    }
}

typedef struct report {
    fsattn_facts *facts;
    json_t *rows;
    size_t counts[probe_verdicts];
} report;

static fsattn_status run_probes(const options *o, probe_session *session, report *r, fsattn_err *err) {
    size_t count;
    const probe *table = probe_table(&count);
    for (size_t i = 0; i < count; i++) {
        const probe *p = &table[i];
        probe_outcome outcome;
        if (!wanted(o, p->name)) {
            continue;
        }
        FSATTN_TRY(probe_session_run(session, p, &outcome, err));
        FSATTN_TRY(probe_record(p, &outcome, r->facts, err));
        r->counts[outcome.verdict]++;
        if (o->json) {
            json_array_append_new(r->rows, json_pack("{s:s,s:s,s:s,s:s,s:s}", "name", p->name, "verdict", verdict_texts[outcome.verdict], "seen",
                                                     outcome.seen, "detail", outcome.detail, "fact", p->fact));
        } else if (outcome.verdict == PROBE_AGREES) {
            printf("%-20s agrees   %s\n", p->name, outcome.seen);
        } else {
            printf("%-20s %-8s %s (%s)\n", p->name, verdict_texts[outcome.verdict], outcome.detail, p->fact);
        }
        fflush(stdout);
    }
    return FSATTN_OK;
}

static void describe(const fsattn_device_properties *d, fsattn_facts *facts) {
    const time_t now = time(NULL);
    struct tm day;
    gmtime_r(&now, &day);
    strftime(facts->date, sizeof facts->date, "%Y-%m-%d", &day);
    snprintf(facts->device, sizeof facts->device, "%s", d->name);
    snprintf(facts->driver, sizeof facts->driver, "%s", d->driver);
    facts->measured = d->provenance == FSATTN_MEASURED;
}

static void print_end(const options *o, const report *r) {
    if (o->json) {
        json_t *all = json_pack("{s:s,s:s,s:s,s:s,s:O,s:i,s:i,s:i}", "device", r->facts->device, "driver", r->facts->driver, "date",
                                r->facts->date, "provenance", r->facts->measured ? "measured" : "modelled", "probes", r->rows, "agrees",
                                (int)r->counts[PROBE_AGREES], "differs", (int)r->counts[PROBE_DIFFERS], "cannot", (int)r->counts[PROBE_CANNOT]);
        json_dumpf(all, stdout, JSON_INDENT(1));
        printf("\n");
        json_decref(all);
        return;
    }
    printf("%s, %s, %s: %zu agree, %zu differ, %zu cannot be asked\n", r->facts->device, r->facts->driver,
           r->facts->measured ? "measured" : "modelled", r->counts[PROBE_AGREES], r->counts[PROBE_DIFFERS], r->counts[PROBE_CANNOT]);
}

static fsattn_status write_facts(const options *o, const fsattn_facts *facts, fsattn_err *err) {
    fsattn_text text = {0};
    fsattn_facts_write(facts, &text);
    const fsattn_status status = text.failed ? fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", o->output)
                                             : fsattn_file_publish(o->output, text.data, text.bytes, 0644, err);
    fsattn_text_fini(&text);
    return status;
}

static fsattn_status run(const options *o, fsattn_err *err) {
    static const fsattn_output_kind kind = {"file of facts", "# What a device was seen to do", NULL};
    const fsattn_output_own own[] = {{getenv("FSATTN_FACTS"), "the facts that are in effect", false}};
    const fsattn_output output = {o->output, "--output", &kind, own, 1};
    const probe_settings settings = {.device = o->device, .time_limit_s = o->time_limit_s};
    probe_session *session = NULL;
    const fsattn_facts *in_effect; /* read here for its message: the simulator reads it in children */
    report r = {.rows = json_array(), .facts = fsattn_alloc(1, sizeof *r.facts)};
    fsattn_status status = r.facts && r.rows ? FSATTN_OK : fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    FSATTN_GOTO(status);
    if (strcmp(o->device, "hip") && strcmp(o->device, "sim")) {
        status = fsattn_fail(err, FSATTN_USAGE, "--device: expected hip or sim, got '%s'", o->device);
        goto out;
    }
    if (o->output) {
        FSATTN_GOTO(fsattn_output_check(&output, err));
        FSATTN_GOTO(fsattn_file_publishable(o->output, err));
    }
    FSATTN_GOTO(fsattn_facts_process(&in_effect, err));
    FSATTN_GOTO(probe_session_open(&settings, &session, err));
    describe(probe_session_device(session), r.facts);
    FSATTN_GOTO(run_probes(o, session, &r, err));
    if (o->output) {
        FSATTN_GOTO(write_facts(o, r.facts, err));
    }
    print_end(o, &r);
    if (r.counts[PROBE_DIFFERS]) {
        status = fsattn_fail(err, FSATTN_MISMATCH, "%zu facts differ from what is assumed", r.counts[PROBE_DIFFERS]);
        fsattn_hint(err, o->output ? "FSATTN_FACTS=%s lets simulator and emulator go by what was seen" : "--output FILE keeps them for simulator and emulator",
                    o->output ? o->output : "");
    }
out:
    probe_session_close(session);
    json_decref(r.rows);
    fsattn_free(r.facts);
    return status;
}

int main(int argc, char **argv) {
    options o = {.device = "hip", .time_limit_s = 120};
    const fsattn_option rows[] = {
        {"--device", "DEVICE", FSATTN_OPTION_TEXT, &o.device, 0, 0, "hip or sim (default: hip)"},
        {"--only", "NAME", FSATTN_OPTION_LIST, &o.only, 0, 0, "probes whose names begin so; may be given several times (default: all)"},
        {"--output", "FILE", FSATTN_OPTION_TEXT, &o.output, 0, 0, "write what was seen, for FSATTN_FACTS (default: nowhere)"},
        {"--list", NULL, FSATTN_OPTION_FLAG, &o.list, 0, 0, "list the probes, what they set and the facts they ask about, and exit"},
        {"--json", NULL, FSATTN_OPTION_FLAG, &o.json, 0, 0, "one JSON object on stdout"},
        {"--time-limit", "SECONDS", FSATTN_OPTION_REAL, &o.time_limit_s, 1, 86400, "of one probe (default: 120)"},
    };
    const fsattn_command command = {program, "[options]", "Asks a GPU whether what is assumed of it holds.", rows, sizeof rows / sizeof rows[0],
                                    "Each probe agrees, differs, or cannot be asked; the exit status is not 0 when one differs. docs/probe.md\n"};
    size_t count;
    bool help = false;
    fsattn_err err = {0};
    fsattn_cli_begin();
    fsattn_status status = fsattn_cli_parse(&command, argc, argv, NULL, 0, &count, &help, &err);
    if (status == FSATTN_OK && help) {
        fsattn_cli_help(stdout, &command);
    } else if (status == FSATTN_OK) {
        status = check_names(&o, &err);
        if (status == FSATTN_OK && o.list) {
            list(&o);
        } else if (status == FSATTN_OK) {
            status = run(&o, &err);
        }
    }
    return fsattn_cli_end(program, status, &err);
}
