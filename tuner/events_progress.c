/* The sink for people: a bar on a terminal, plain lines elsewhere. Declared in events.h. */
#include "events.h"

#include <math.h>
#include <string.h>
#include <sys/ioctl.h>

enum { bar_width = 20, plain_interval_s = 10 };

static void clear_bar(fsattn_progress *progress) {
    if (progress->drawn) {
        fputs("\r\033[K", progress->stream);
        progress->drawn = false;
    }
}

/* Share of the run that is over: by time or by candidates, whichever is further. */
static double share_done(const fsattn_progress *progress, double elapsed_s) {
    double by_time = isfinite(progress->seconds) && progress->seconds > 0 ? elapsed_s / progress->seconds : 0;
    double inside = progress->valid ? (double)progress->done / (double)progress->valid : 1;
    double by_count =
        progress->problems ? ((double)progress->problem + fmin(inside, 1)) / (double)progress->problems : 0;
    return fmin(1, fmax(by_time, by_count));
}

static void time_left_text(double share, double elapsed_s, char text[32]) {
    if (share <= 0) {
        snprintf(text, 32, "? left");
        return;
    }
    long left = (long)ceil(elapsed_s * (1 - share) / share);
    snprintf(text, 32, left < 3600 ? "%ld:%02ld left" : "%ld min left", left / 60, left % 60);
}

/* "gpt2[s=1024] 134/2412, best 1.23 ms (1.81x)" */
static void state_text(const fsattn_progress *progress, char text[192]) {
    char time[32] = "none yet", speedup[32] = "";
    if (progress->best_ns > 0) {
        fsattn_events_time_text(progress->best_ns, time);
    }
    if (progress->best_speedup > 0) {
        snprintf(speedup, sizeof speedup, " (%.2fx)", progress->best_speedup);
    }
    snprintf(text, 192, "%s %llu/%llu, best %s%s%s", progress->name, (unsigned long long)progress->done,
             (unsigned long long)progress->valid, time, progress->modelled ? " modelled" : "", speedup);
}

/* Columns that a line may take without wrapping: a wrapped line cannot be drawn over. */
static int line_width(FILE *stream) {
    struct winsize size;
    return ioctl(fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 1 ? size.ws_col - 1 : 255;
}

static void draw_bar(fsattn_progress *progress, double elapsed_s) {
    double share = share_done(progress, elapsed_s);
    int full = (int)(share * bar_width);
    char bar[bar_width + 1], state[192], left[32];
    memset(bar, '.', bar_width);
    memset(bar, '#', (size_t)full);
    bar[bar_width] = '\0';
    state_text(progress, state);
    time_left_text(share, elapsed_s, left);
    char line[256];
    snprintf(line, sizeof line, "[%s] %s, %s", bar, state, left);
    fprintf(progress->stream, "\r\033[K%.*s", line_width(progress->stream), line);
    fflush(progress->stream);
    progress->drawn = true;
}

static void on_run(fsattn_progress *progress, const fsattn_notice *notice) {
    const fsattn_notice_run *run = &notice->run;
    progress->seconds = run->seconds;
    progress->problems = run->problems;
    progress->modelled = run->platform->provenance == FSATTN_MODELLED;
    fprintf(progress->stream, "%s on %s (%s%s): %zu problem%s, %s, seed %llu", run->space,
            run->platform->device, run->platform->isa, progress->modelled ? ", times are modelled" : "",
            run->problems, run->problems == 1 ? "" : "s", run->strategy, (unsigned long long)run->seed);
    if (isfinite(run->seconds)) {
        fprintf(progress->stream, ", at most %.6g s", run->seconds);
    }
    fputc('\n', progress->stream);
}

static void on_problem(fsattn_progress *progress, const fsattn_notice *notice) {
    const fsattn_notice_problem *problem = &notice->problem;
    progress->problem = problem->index;
    progress->valid = problem->valid;
    progress->has_default = problem->has_default;
    progress->done = 0;
    progress->best_ns = progress->best_speedup = 0;
    progress->said_s = notice->elapsed_s;
    snprintf(progress->name, sizeof progress->name, "%s", problem->name);
    fprintf(progress->stream, "[%zu/%zu] %s: %llu valid configurations of %.6g\n", problem->index + 1,
            problem->count, problem->name, (unsigned long long)problem->valid, problem->raw);
}

static void on_candidate(fsattn_progress *progress, const fsattn_notice *notice) {
    const fsattn_notice_candidate *candidate = &notice->candidate;
    progress->done += !candidate->is_default || progress->has_default;
    if (candidate->best) {
        progress->best_ns = candidate->statistics->median_ns;
        progress->best_speedup = candidate->speedup;
    }
    if (progress->bar) {
        draw_bar(progress, notice->elapsed_s);
        return;
    }
    bool due = notice->elapsed_s - progress->said_s >= plain_interval_s;
    if (due || (candidate->best && !candidate->resumed)) {
        char state[192], left[32];
        state_text(progress, state);
        time_left_text(share_done(progress, notice->elapsed_s), notice->elapsed_s, left);
        fprintf(progress->stream, "  %s, %s\n", state, left);
        progress->said_s = notice->elapsed_s;
    }
}

static void on_drift(fsattn_progress *progress, const fsattn_notice *notice) {
    if (notice->drift.large) {
        fprintf(progress->stream,
                "  drift: the default configuration takes %+.1f %% of what it took at first\n",
                100 * (notice->drift.now_ns / notice->drift.first_ns - 1));
    }
}

static void on_canary(fsattn_progress *progress, const fsattn_notice *notice) {
    if (!notice->canary.sound) {
        fputs("  the canary kernel failed: the device is not as it was\n", progress->stream);
    }
}

static void on_winner(fsattn_progress *progress, const fsattn_notice *notice) {
    const fsattn_notice_winner *winner = &notice->winner;
    char time[32];
    fsattn_events_time_text(winner->statistics->median_ns, time);
    fprintf(progress->stream, "  %s: %s%s, %s%s\n", winner->name, time,
            winner->provenance == FSATTN_MODELLED ? " (modelled)" : "",
            winner->is_default ? "the default configuration stays" : winner->configuration,
            winner->confirmed ? "" : " (not confirmed: no time for the shoot-out)");
}

static void on_interval(fsattn_progress *progress, const fsattn_notice *notice) {
    fsattn_text text = {0};
    fsattn_fsc_interval_tell(notice->interval.interval, &text);
    fprintf(progress->stream, "  %s: %s: %s\n", notice->interval.name, text.data ? text.data : "", notice->interval.configuration);
    fsattn_text_fini(&text);
}

static void on_no_winner(fsattn_progress *progress, const fsattn_notice *notice) {
    fprintf(progress->stream, "  %s: no winner: %s\n", notice->no_winner.name, notice->no_winner.reason);
}

static void on_warning(fsattn_progress *progress, const fsattn_notice *notice) {
    fprintf(progress->stream, "warning: %s\n", notice->warning.message);
    if (notice->warning.hint && notice->warning.hint[0]) {
        fprintf(progress->stream, "  %s\n", notice->warning.hint);
    }
}

static void on_published(fsattn_progress *progress, const fsattn_notice *notice) {
    fprintf(progress->stream, "published %s: %zu record%s, %zu winner%s\n", notice->published.path,
            notice->published.records, notice->published.records == 1 ? "" : "s", notice->published.winners,
            notice->published.winners == 1 ? "" : "s");
}

void fsattn_events_progress(void *data, const fsattn_notice *notice) {
    /* Kinds without a row say nothing to people. */
    static void (*const rows[])(fsattn_progress * progress, const fsattn_notice *notice) = {
        [FSATTN_NOTICE_RUN] = on_run,
        [FSATTN_NOTICE_PROBLEM] = on_problem,
        [FSATTN_NOTICE_CANDIDATE] = on_candidate,
        [FSATTN_NOTICE_DRIFT] = on_drift,
        [FSATTN_NOTICE_CANARY] = on_canary,
        [FSATTN_NOTICE_WINNER] = on_winner,
        [FSATTN_NOTICE_INTERVAL] = on_interval,
        [FSATTN_NOTICE_NO_WINNER] = on_no_winner,
        [FSATTN_NOTICE_WARNING] = on_warning,
        [FSATTN_NOTICE_PUBLISHED] = on_published,
        [FSATTN_NOTICE_DONE] = NULL,
    };
    fsattn_progress *progress = data;
    if (!rows[notice->kind]) {
        return;
    }
    if (notice->kind != FSATTN_NOTICE_CANDIDATE) {
        clear_bar(progress);
    }
    rows[notice->kind](progress, notice);
    fflush(progress->stream);
}
