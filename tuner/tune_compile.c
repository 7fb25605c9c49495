#include "tune_compile.h"

#include "error.h"
#include "inspect_report.h"
#include "memory.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

typedef struct showing {
    FILE *stream;
    bool bar; /* a terminal: one line, written over */
    double told_s;
} showing;

static void show_progress(void *context, const fsattn_sweep_result *so_far) {
    showing *s = context;
    const double pause_s = s->bar ? 0.2 : 10;
    if (so_far->seconds < s->told_s + pause_s) {
        return;
    }
    s->told_s = so_far->seconds;
    fprintf(s->stream, "%s%" PRIu64 " configurations, %" PRIu64 " compiled, %" PRIu64 " failed, %.0f s%s", s->bar ? "\r" : "",
            so_far->configurations, so_far->compiled, so_far->failures, so_far->seconds, s->bar ? "" : "\n");
}

fsattn_status fsattn_tune_compile_all(FILE *out, FILE *progress, const fsattn_space *space, const fsattn_sweep_options *options,
                                      int jobs, fsattn_err *err) {
    /* Such a run may have the machine's idle time only: a compilation of a second can then take minutes. */
    const fsattn_hiprtc_settings settings = {.jobs = jobs, .time_limit_s = 3600};
    showing show = {.stream = progress, .bar = isatty(fileno(progress)) != 0};
    fsattn_hiprtc *hiprtc = NULL;
    fsattn_text text = {0};
    fsattn_status status = FSATTN_OK;
    fsattn_sweep_result *result = fsattn_alloc(1, sizeof *result);
    if (!result) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", space->path);
    }
    FSATTN_GOTO(fsattn_sweep_check(space->manifest, space->path, err));
    FSATTN_GOTO(fsattn_hiprtc_open(&settings, &hiprtc, err));
    FSATTN_GOTO(fsattn_sweep_run(space, hiprtc, options, show_progress, &show, result, err));
    fprintf(progress, show.bar ? "\n" : "");
    fsattn_text_printf(&text, "%s with %s\n", space->path, fsattn_hiprtc_identity(hiprtc));
    fsattn_sweep_text(result, &text);
    if (text.failed) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", space->path);
        goto out;
    }
    fputs(text.data, out);
    if (options->stop && *options->stop) {
        status = fsattn_fail(err, FSATTN_INTERRUPTED, "interrupted; what is compiled is in the store");
        fsattn_hint(err, "run the same command again to go on");
    } else if (result->failures) {
        status = fsattn_fail(err, FSATTN_COMPILE, "%s: %" PRIu64 " configurations failed", space->path, result->failures);
    }
out:
    fsattn_text_fini(&text);
    fsattn_hiprtc_close(hiprtc);
    fsattn_free(result);
    return status;
}

fsattn_status fsattn_tune_compile_one(FILE *out, const fsattn_space *space, const fsattn_problem *problem, const char *config,
                                      fsattn_err *err) {
    fsattn_manifest *manifest = space->manifest;
    const fsattn_hiprtc_settings settings = {.jobs = 1};
    const fsattn_setting setting = {problem, manifest->target};
    fsattn_hiprtc *hiprtc = NULL;
    fsattn_text text = {0};
    fsattn_config chosen;
    fsattn_status status = FSATTN_OK;
    FSATTN_TRY(fsattn_sweep_check(manifest, space->path, err));
    FSATTN_GOTO(fsattn_config_parse(&manifest->parameters, strcmp(config, "default") ? config : "", &chosen, err));
    FSATTN_GOTO(fsattn_hiprtc_open(&settings, &hiprtc, err));
    FSATTN_GOTO(fsattn_inspect_report(hiprtc, manifest, &setting, &chosen, false, &text, err));
    fputs(text.data, out);
out:
    fsattn_text_fini(&text);
    fsattn_hiprtc_close(hiprtc);
    return status;
}
