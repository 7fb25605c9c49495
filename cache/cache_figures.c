/* figures: the numbers that people compare, of everything that a store or a cache file publishes. */
#include "cache_input.h"

#include "error.h"
#include "memory.h"
#include "paper.h"
#include "problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct figure {
    const fsattn_fsc_record *record;
    char formats[48];  /* "mxfp6/mxfp6/mxfp6": Q and K, P, V; "-" when the template has none */
    char qk[16];
    double kernel_ns;  /* of the last stage; NaN: not known */
} figure;

/* The value of a parameter in a configuration's text; false when it is not there. */
static bool value_of(const char *configuration, const char *name, char value[16]) {
    const size_t length = strlen(name);
    for (const char *at = configuration; at; at = strchr(at, ' '), at = at ? at + 1 : NULL) {
        if (!strncmp(at, name, length) && at[length] == '=') {
            snprintf(value, 16, "%.*s", (int)strcspn(at + length + 1, " "), at + length + 1);
            return true;
        }
    }
    return false;
}

static figure figure_of(const fsattn_fsc_record *record) {
    figure f = {.record = record, .formats = "-", .kernel_ns = record->stage_count > 1 ? (double)NAN : record->cost.median_ns};
    char p[16], v[16];
    if (value_of(record->configuration, "qk_format", f.qk) && value_of(record->configuration, "p_format", p) &&
        value_of(record->configuration, "v_format", v)) {
        snprintf(f.formats, sizeof f.formats, "%s/%s/%s", f.qk, p, v);
    }
    for (size_t i = 0; record->stage_count > 1 && i < record->stages[record->stage_count - 1].attribute_count; i++) {
        const fsattn_attribute *attribute = &record->stages[record->stage_count - 1].attributes[i];
        f.kernel_ns = strcmp(attribute->name, "time_ns") ? f.kernel_ns : strtod(attribute->value, NULL);
    }
    return f;
}

/* Problems in the order of their sizes, then the slowest first: BF16 leads its rows. */
static int compare(const void *left, const void *right) {
    const fsattn_fsc_record *a = ((const figure *)left)->record, *b = ((const figure *)right)->record;
    const double keys[][2] = {
        {(double)a->problem.mask, (double)b->problem.mask},         {(double)a->problem.head_dim, (double)b->problem.head_dim},
        {(double)a->problem.heads_q, (double)b->problem.heads_q},   {(double)a->problem.heads_kv, (double)b->problem.heads_kv},
        {(double)a->problem.batch, (double)b->problem.batch},       {(double)a->problem.s_k, (double)b->problem.s_k},
        {(double)a->problem.s_q, (double)b->problem.s_q},
    };
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    const int step = strcmp(a->problem_text, b->problem_text);
    return step ? step : (a->cost.median_ns < b->cost.median_ns) - (a->cost.median_ns > b->cost.median_ns);
}

static void add_ratio(fsattn_text *out, double ratio) {
    if (isfinite(ratio)) {
        fsattn_text_printf(out, " %7.2fx", ratio);
    } else {
        fsattn_text_printf(out, " %8s", "-");
    }
}

static void add_rate(fsattn_text *out, double flop, double ns) {
    if (ns > 0) {
        fsattn_text_printf(out, " %8.0f", flop / ns / 1e3);
    } else {
        fsattn_text_printf(out, " %8s", "-");
    }
}

static double paper_ratio(const char *qk) {
    static const struct {
        const char *format;
        double ratio;
    } rows[] = {
#define X(format, tflops, ratio) {format, ratio},
        FSATTN_PAPER_LIST(X)
#undef X
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!strcmp(rows[i].format, qk)) {
            return rows[i].ratio;
        }
    }
    return (double)NAN;
}

/* The rows of one problem; their baseline is the fastest BF16 kernel among them. */
static void add_problem(fsattn_text *out, const figure *figures, size_t count) {
    const fsattn_problem *p = &figures[0].record->problem;
    double chain_ns = (double)NAN, kernel_ns = (double)NAN;
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(figures[i].qk, "bf16")) {
            chain_ns = fmin(chain_ns, figures[i].record->cost.median_ns);
            kernel_ns = fmin(kernel_ns, figures[i].kernel_ns);
        }
    }
    fsattn_text_printf(out, "\nb=%lld hq=%lld hkv=%lld sq=%lld sk=%lld d=%lld%s%s%s\n", (long long)p->batch, (long long)p->heads_q,
                       (long long)p->heads_kv, (long long)p->s_q, (long long)p->s_k, (long long)p->head_dim,
                       p->mask == FSATTN_MASK_CAUSAL ? " causal" : "", p->layout == FSATTN_BHSD ? " bhsd" : "", p->lse ? " lse" : "");
    for (size_t i = 0; i < count; i++) {
        const fsattn_fsc_record *record = figures[i].record;
        const fsattn_accuracy_entry *normal = fsattn_fsc_accuracy(record, "normal");
        char median[32], tile_m[16] = "-", tile_n[16] = "-", schedule[16] = "";
        fsattn_cache_time_text(record->cost.median_ns, median);
        value_of(record->configuration, "tile_m", tile_m);
        value_of(record->configuration, "tile_n", tile_n);
        value_of(record->configuration, "schedule", schedule);
        fsattn_text_printf(out, "  %-20s %10s%s", figures[i].formats, median, record->cost.provenance == FSATTN_MODELLED ? "*" : " ");
        add_rate(out, fsattn_problem_flop(p), figures[i].kernel_ns);
        add_rate(out, fsattn_problem_flop(p), record->cost.median_ns);
        add_ratio(out, kernel_ns / figures[i].kernel_ns);
        add_ratio(out, chain_ns / record->cost.median_ns);
        add_ratio(out, paper_ratio(figures[i].qk));
        if (normal) {
            fsattn_text_printf(out, " %8.4f", normal->relative_error);
        } else {
            fsattn_text_printf(out, " %8s", "-");
        }
        fsattn_text_printf(out, "  %sx%s %s\n", tile_m, tile_n, schedule);
    }
}

static fsattn_status add_all(fsattn_text *out, const fsattn_cache_input *input, fsattn_err *err) {
    figure *figures = fsattn_alloc(input->count ? input->count : 1, sizeof *figures);
    size_t count = 0;
    bool modelled = false;
    if (!figures) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < input->count; i++) {
        const fsattn_fsc_record *record = &input->entries[i].result.record;
        if (record->role == FSATTN_ROLE_WINNER && record->cost.samples) {
            figures[count++] = figure_of(record);
            modelled |= record->cost.provenance == FSATTN_MODELLED;
        }
    }
    qsort(figures, count, sizeof *figures, compare);
    fsattn_text_printf(out, "  %-20s %11s %8s %8s %8s %8s %8s %8s  %s\n", "formats of QK/P/V", "time", "TFLOP/s", "with q.", "vs BF16", "with q.", "paper",
                       "error", "tile");
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && !strcmp(figures[end].record->problem_text, figures[first].record->problem_text);) {
            end++;
        }
        add_problem(out, figures + first, end - first);
    }
    fsattn_text_puts(out, "\nTFLOP/s: 4 b h s_q s_k d over the time, of a causal mask the live pairs; of the attention kernel alone, and with quantization (as "
                          "time is)\nvs BF16: over the fastest BF16 kernel of the problem; paper: its kernel over its BF16, 24 heads of 32768\n");
    fsattn_text_puts(out, modelled ? "*: modelled by the simulator, not measured\n" : "");
    fsattn_free(figures);
    return FSATTN_OK;
}

fsattn_status fsattn_cache_figures(int argc, char **argv, fsattn_err *err) {
    const fsattn_command command = {"fsattn-cache figures",
                                    "[FILE]",
                                    "Rates and speed-ups of what a store or a cache file publishes.",
                                    NULL,
                                    0,
                                    "FILE is a store or a cache file (default: the user's tune.db)."};
    const char *positionals[1];
    const fsattn_cache_choice choice = {0};
    char *path = NULL;
    size_t count;
    bool done, is_fsc;
    fsattn_cache_input input = {0};
    fsattn_text out = {0};
    fsattn_status status;
    FSATTN_TRY(fsattn_cache_parse(&command, argc, argv, positionals, 0, 1, &count, &done, err));
    if (done) {
        return FSATTN_OK;
    }
    FSATTN_GOTO(fsattn_cache_path(count ? positionals[0] : NULL, "tune.db", &path, err));
    FSATTN_GOTO(fsattn_cache_is_fsc(path, &is_fsc, err));
    FSATTN_GOTO(fsattn_cache_input_open(&input, path, is_fsc, &choice, err));
    FSATTN_GOTO(add_all(&out, &input, err));
    status = fsattn_cache_print(&out, err);
out:
    fsattn_text_fini(&out);
    fsattn_cache_input_fini(&input);
    fsattn_free(path);
    return status;
}
