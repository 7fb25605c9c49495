#include "sim_report.h"

#include "sim_facts.h"

#include "file.h"
#include "output.h"
#include "memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const char *const unit_texts[] = {
#define X(name, text) text,
    SIM_UNIT_LIST(X)
#undef X
};
static const char *const stall_texts[] = {
#define X(name, text) text,
    SIM_STALL_LIST(X)
#undef X
};
/* How many of each a compute unit has. */
static const unsigned unit_counts[sim_units] = {sim_cost_simds, sim_cost_simds, sim_cost_simds, 1, 1, sim_cost_simds};

/* ---- text ----------------------------------------------------------------------------------------------- */

static double percent(double part, double whole) {
    return whole > 0 ? 100 * part / whole : 0;
}

typedef struct figure {
    double value, whole; /* whole 0: no share is shown */
} figure;

static void row(fsattn_text *out, const char *name, const char *more, const figure f[sim_bounds]) {
    fsattn_text_printf(out, "  %s%s%*s", name, more, (int)(52 - strlen(name) - strlen(more)), "");
    for (int b = 0; b < sim_bounds; b++) {
        if (f[b].whole > 0) {
            fsattn_text_printf(out, " %12.0f %5.1f%%", f[b].value, percent(f[b].value, f[b].whole));
        } else {
            fsattn_text_printf(out, " %12.1f       ", f[b].value);
        }
    }
    fsattn_text_puts(out, "\n");
}
/* A row of two figures; `r` is the replay of each bound, `b` its index. */
#define ROW(name, more, value_, whole_)                                                                      \
    do {                                                                                                     \
        figure f_[sim_bounds];                                                                               \
        for (int b = 0; b < sim_bounds; b++) {                                                               \
            const sim_replay *r = &t->replay[b];                                                             \
            (void)r;                                                                                         \
            f_[b] = (figure){(double)(value_), (double)(whole_)};                                            \
        }                                                                                                    \
        row(out, name, more, f_);                                                                            \
    } while (0)

static void waves_text(const sim_timing *t, fsattn_text *out) {
    fsattn_text_puts(out, "where the waves' cycles went\n");
    for (int u = 0; u < sim_units; u++) {
        ROW("issuing ", unit_texts[u], r->issued[u] * sim_cost_wave_issue, r->wave_cycles);
    }
    for (int i = 0; i < sim_stalls; i++) {
        if (t->replay[SIM_PESSIMISTIC].stalls[i] + t->replay[SIM_OPTIMISTIC].stalls[i]) {
            ROW("waiting: ", stall_texts[i], r->stalls[i], r->wave_cycles);
        }
    }
    ROW("all waves together", "", r->wave_cycles, r->wave_cycles);
}

void sim_report_text(const sim_launch *l, const sim_result *result, fsattn_text *out) {
    const sim_timing *t = &result->timing;
    const uint64_t all = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2], charged = l->charged_groups ? l->charged_groups : all;
    sim_facts_text(sim_facts_get(), out);
    fsattn_text_printf(out, "modelled: %s, %llu workgroups of %u threads; %llu executed, %u traced, %u at a time on a compute unit\n",
                       l->kernel->info->name, (unsigned long long)charged, l->block[0] * l->block[1] * l->block[2],
                       (unsigned long long)result->ran, t->traced, t->resident);
    fsattn_text_printf(out, "  %-52s %19s %19s\n", "", "pessimistic", "optimistic");
    ROW("launch, cycles", "", t->cycles[b], 0);
    ROW("launch, microseconds at the peak clock", "", t->cycles[b] / sim_cost_clock_mhz, 0);
    ROW("these workgroups on a compute unit, cycles", "", r->cycles, 0);
    ROW("matrix bound of them, cycles and share", "", r->busy[SIM_UNIT_MATRIX] / (double)sim_cost_simds, r->cycles);
    fsattn_text_puts(out, "units, cycles busy\n");
    for (int u = 0; u < SIM_UNIT_CONTROL; u++) {
        ROW(unit_texts[u], "", r->busy[u] / (double)unit_counts[u], r->cycles);
    }
    waves_text(t, out);
    const sim_replay *r = &t->replay[SIM_PESSIMISTIC];
    fsattn_text_puts(out, "instructions:");
    for (int u = 0; u < sim_units; u++) {
        fsattn_text_printf(out, " %s %llu%s", unit_texts[u], (unsigned long long)r->issued[u], u + 1 < sim_units ? "," : "\n");
    }
    fsattn_text_printf(out, "cache lines: %llu in L1, %llu in L2, %llu beyond\n\n", (unsigned long long)r->hits_l1,
                       (unsigned long long)r->hits_l2, (unsigned long long)r->misses);
}

/* ---- Chrome trace --------------------------------------------------------------------------------------- */

/* X(NAME, text): rows of a wave. */
#define LANE_LIST(X)                                                                                         \
    X(MATRIX, "matrix")                                                                                      \
    X(VECTOR, "vector")                                                                                      \
    X(OTHER, "other")                                                                                        \
    X(WAIT, "waits")
typedef enum lane {
#define X(name, text) LANE_##name,
    LANE_LIST(X)
#undef X
    lanes_of_wave
} lane;
static const char *const lane_texts[] = {
#define X(name, text) text,
    LANE_LIST(X)
#undef X
};

static void put_string(fsattn_text *out, const char *text) {
    fsattn_text_puts(out, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\' || (unsigned char)*text < ' ') {
            fsattn_text_printf(out, "\\u%04x", (unsigned char)*text);
        } else {
            fsattn_text_add(out, text, 1);
        }
    }
    fsattn_text_puts(out, "\"");
}

static unsigned row_of(const sim_issue *e, lane which) {
    return (unsigned)lanes_of_wave * e->wave + which;
}

static void name_rows(const sim_issue *e, fsattn_text *out) {
    fsattn_text_printf(out, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,\"args\":{\"name\":\"SIMD %u (modelled)\"}},\n", e->simd, e->simd);
    for (unsigned i = 0; i < lanes_of_wave; i++) {
        fsattn_text_printf(out, "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":\"wave %u %s\"}},\n", e->simd,
                           row_of(e, (lane)i), e->wave, lane_texts[i]);
        fsattn_text_printf(out, "{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"args\":{\"sort_index\":%u}},\n", e->simd,
                           row_of(e, (lane)i), row_of(e, (lane)i));
    }
}

static void put_wait(const sim_issue *e, unsigned reason, uint64_t from, uint32_t cycles, fsattn_text *out) {
    if (cycles) {
        fsattn_text_printf(out, "{\"name\":\"%s\",\"cat\":\"wait\",\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%llu,\"dur\":%u},\n",
                           stall_texts[reason], e->simd, row_of(e, LANE_WAIT), (unsigned long long)from, cycles);
    }
}

static void put_issue(const sim_program *program, const sim_issue *e, fsattn_text *out) {
    const sim_instruction *in = &program->instructions[e->index];
    const lane which = e->unit == SIM_UNIT_MATRIX ? LANE_MATRIX : e->unit == SIM_UNIT_VECTOR ? LANE_VECTOR : LANE_OTHER;
    /* Other units work on while the wave goes on: shown for as long as it takes to issue, so that nothing overlaps. */
    const unsigned shown = which == LANE_OTHER || e->cycles < sim_cost_wave_issue ? sim_cost_wave_issue : e->cycles;
    fsattn_text_puts(out, "{\"name\":");
    put_string(out, in->row ? in->row->mnemonic : "?");
    fsattn_text_printf(out, ",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%llu,\"dur\":%u,\"args\":{\"pc\":\"0x%llx\",\"text\":",
                       unit_texts[e->unit], e->simd, row_of(e, which), (unsigned long long)e->at, shown, (unsigned long long)in->address);
    put_string(out, in->text);
    fsattn_text_puts(out, "}},\n");
}

void sim_report_chrome(const sim_launch *l, const sim_result *result, sim_bound bound, const sim_timeline *timeline, fsattn_text *out) {
    const sim_replay *r = &result->timing.replay[bound];
    uint64_t named = 0;
    fsattn_text_puts(out, "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"note\":\"modelled; a cycle is shown as a microsecond\",\"kernel\":");
    put_string(out, l->kernel->info->name);
    fsattn_text_printf(out, ",\"model\":\"%s\",\"cycles\":%llu,\"wave_cycles\":%llu,\"complete\":%s},\"traceEvents\":[\n",
                       bound == SIM_OPTIMISTIC ? "optimistic" : "pessimistic", (unsigned long long)r->cycles,
                       (unsigned long long)r->wave_cycles, timeline->count < timeline->limit ? "true" : "false");
    for (size_t i = 0; i < timeline->count; i++) {
        const sim_issue *e = &timeline->issues[i];
        if (!(named >> e->wave & 1)) {
            named |= UINT64_C(1) << e->wave;
            name_rows(e, out);
        }
        put_wait(e, e->reason, e->at - e->unit_stall - e->stall, e->stall, out);
        put_wait(e, e->unit_reason, e->at - e->unit_stall, e->unit_stall, out);
        put_issue(&l->kernel->module->program, e, out);
    }
    fsattn_text_printf(out, "{\"name\":\"end\",\"ph\":\"i\",\"s\":\"g\",\"pid\":0,\"tid\":0,\"ts\":%llu}]}\n", (unsigned long long)r->cycles);
}

/* ---- files ---------------------------------------------------------------------------------------------- */

enum { timeline_limit = 1 << 19 }; /* instructions */

sim_report sim_report_wanted(const char *kernel) {
    const char *only = getenv("FSATTN_SIM_KERNEL");
    if (only && strcmp(only, kernel)) {
        return (sim_report){.other = true};
    }
    return (sim_report){.text = getenv("FSATTN_SIM_REPORT"), .trace = getenv("FSATTN_SIM_TRACE"), .timeline = {.limit = timeline_limit}};
}

static void complain(const char *path, const char *cause) {
    fprintf(stderr, "fsattn simulator: %s: %s\n", path, cause);
}

/* In one write, so that processes which share the file do not mix their lines. */
static void append(const char *path, const fsattn_text *text) {
    const int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (text->failed || fd < 0 || write(fd, text->data, text->bytes) != (ssize_t)text->bytes) {
        complain(path, "the report cannot be written");
    }
    if (fd >= 0) {
        close(fd);
    }
}

void sim_report_write(const sim_report *report, sim_report_longest *longest, const sim_launch *launch, const sim_result *result,
                      sim_bound bound) {
    fsattn_text text = {0};
    fsattn_err err = {0};
    if (report->text) {
        sim_report_text(launch, result, &text);
        append(report->text, &text);
    }
    pthread_mutex_lock(&longest->lock);
    if (report->trace && result->timing.cycles[bound] > longest->cycles) {
        longest->cycles = result->timing.cycles[bound];
        fsattn_text_clear(&text);
        sim_report_chrome(launch, result, bound, &report->timeline, &text);
        const fsattn_output trace = {.path = report->trace, .kind = &fsattn_output_trace_kind};
        if (text.failed || fsattn_output_check(&trace, &err) != FSATTN_OK ||
            fsattn_file_publish(report->trace, text.data, text.bytes, 0644, &err) != FSATTN_OK) {
            complain(report->trace, text.failed ? "no memory for the trace" : err.message);
        }
    }
    pthread_mutex_unlock(&longest->lock);
    fsattn_text_fini(&text);
}

void sim_report_fini(sim_report *report) {
    fsattn_free(report->timeline.issues);
    report->timeline = (sim_timeline){0};
}
