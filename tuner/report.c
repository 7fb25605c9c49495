#include "report.h"

#include <math.h>
#include <string.h>

enum { name_limit = 44 };
static const double busy_drift = 1.5; /* slowest over fastest timing of the default */

static int name_width(const fsattn_search_summary *summary) {
    size_t width = strlen("problem");
    for (size_t i = 0; i < summary->result_count; i++) {
        size_t length = strlen(summary->results[i].name);
        width = length > width ? length : width;
    }
    return (int)(width < name_limit ? width : name_limit);
}

/* "1.234 ms +-0.4%" */
static void cost_text(const fsattn_statistics *statistics, char text[64]) {
    char time[32];
    fsattn_events_time_text(statistics->median_ns, time);
    double spread = statistics->median_ns > 0 ? 100 * statistics->spread_ns / statistics->median_ns : 0;
    snprintf(text, 64, "%s +-%.1f%%", time, spread);
}

static void print_row(FILE *stream, const fsattn_search_result *result, int width) {
    char cost[64] = "-", speedup[16] = "-", error[16] = "-";
    if (!result->has_winner) {
        fprintf(stream, "%-*s  %-18s %-9s %-9s no winner%s%s\n", width, result->name, cost, speedup, error,
                result->why.code ? ": " : "", result->why.message);
        return;
    }
    cost_text(&result->statistics, cost);
    if (result->default_ns > 0) {
        snprintf(speedup, sizeof speedup, "%.2fx", result->default_ns / result->statistics.median_ns);
    }
    if (!isnan(result->error)) {
        snprintf(error, sizeof error, "%.2g", result->error);
    }
    fprintf(stream, "%-*s  %-18s %-9s %-9s %s\n", width, result->name, cost, speedup, error,
            result->is_default ? "default" : result->difference);
}

static void print_candidates(FILE *stream, const fsattn_search_result *result, int width) {
    const fsattn_totals *totals = &result->totals;
    int64_t tried = 0;
    for (int i = 0; i < fsattn_verdict_count; i++) {
        tried += totals->verdicts[i];
    }
    const bool extra = result->default_known && result->default_outside;
    fprintf(stream, "%-*s  %lld of %llu candidates%s", width, "", (long long)tried - extra,
            (unsigned long long)result->valid, extra ? " and the default, which is none of them" : "");
    const char *separator = ": ";
    for (int i = 0; i < fsattn_verdict_count; i++) {
        if (totals->verdicts[i]) {
            fprintf(stream, "%s%lld %s", separator, (long long)totals->verdicts[i],
                    fsattn_verdict_text((fsattn_verdict)i));
            separator = ", ";
        }
    }
    if (totals->inaccurate) {
        fprintf(stream, "%s%lld below the accuracy floor", separator, (long long)totals->inaccurate);
    }
    if (result->tied) {
        fprintf(stream, "; %zu as fast as the winner", result->tied);
    }
    if (result->has_winner && !result->confirmed) {
        fputs("; not confirmed, no time for the shoot-out", stream);
    }
    if (result->baseline_lowest_ns > 0) {
        double drift = 100 * (result->baseline_highest_ns / result->baseline_lowest_ns - 1);
        fprintf(stream, "; drift %.1f%%", drift);
    }
    if (result->default_known && result->default_verdict != FSATTN_VERDICT_OK) {
        fprintf(stream, "; the default is %s", fsattn_verdict_text(result->default_verdict));
    }
    fputc('\n', stream);
}

/* "gpt2[s=1024..4096]  s 1024 .. 2047: at most 0.8% slower ...: tile_m=64" */
static void print_interval(FILE *stream, const fsattn_search_interval *interval) {
    fsattn_text text = {0};
    fsattn_fsc_interval_tell(&interval->interval, &text);
    fprintf(stream, "%s  %s: %s\n", interval->name, text.data ? text.data : "", *interval->difference ? interval->difference : "default");
    fsattn_text_fini(&text);
}

/* A machine that was busy gives rough costs: said once, with the way out. */
static void print_busy(FILE *stream, const fsattn_search_summary *summary) {
    double most = 1;
    for (size_t i = 0; i < summary->result_count; i++) {
        const fsattn_search_result *result = &summary->results[i];
        if (result->baseline_lowest_ns > 0) {
            most = fmax(most, result->baseline_highest_ns / result->baseline_lowest_ns);
        }
    }
    if (most > busy_drift) {
        fprintf(stream, "the machine was busy: one configuration took up to %.1f times as long as at another moment, so the costs are rough and winners may "
                        "be missed; run again with another --store when it is quiet\n", most);
    }
}

void fsattn_report_print(FILE *stream, const fsattn_search_summary *summary) {
    int width = name_width(summary);
    bool modelled = summary->provenance == FSATTN_MODELLED;
    fprintf(stream, "%-*s  %-18s %-9s %-9s %s\n", width, "problem",
            modelled ? "modelled cost" : "measured cost", "speed-up", "error",
            "winner (what it has otherwise than the default)");
    for (size_t i = 0; i < summary->result_count; i++) {
        print_row(stream, &summary->results[i], width);
        if (summary->results[i].valid) {
            print_candidates(stream, &summary->results[i], width);
        }
    }
    for (size_t i = 0; i < summary->interval_count; i++) {
        print_interval(stream, &summary->intervals[i]);
    }
    fprintf(stream, "%s after %.6g s: %lld compiled, %lld measured, %lld resumed, %lld winner%s\n",
            fsattn_search_end_text(summary->end), summary->seconds, (long long)summary->totals.compiled,
            (long long)summary->totals.measured, (long long)summary->totals.resumed,
            (long long)summary->totals.winners, summary->totals.winners == 1 ? "" : "s");
    print_busy(stream, summary);
}
