/* fsattn-inspect: renders and compiles one configuration of a GPU template and says what came out. Needs no
 * GPU. */
#include "cli.h"
#include "error.h"
#include "hiprtc.h"
#include "inspect_report.h"
#include "memory.h"
#include "problem.h"
#include "sweep.h"
#include "template.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static const char program[] = "fsattn-inspect";

typedef struct options {
    const char *problem, *config, *root, *entry;
    bool source, listing;
    int64_t sample, jobs;
} options;

/* The one thing that the signal handler touches. */
static volatile sig_atomic_t stop_wanted;

static void on_signal(int signal_number) {
    stop_wanted = signal_number;
}

static fsattn_status print_source(const fsattn_manifest *manifest, const fsattn_setting *setting, const fsattn_config *config,
                                  fsattn_err *err) {
    fsattn_text source = {0};
    FSATTN_TRY(fsattn_template_render(manifest, setting, config, NULL, &source, err));
    fwrite(source.data, 1, source.bytes, stdout);
    fsattn_text_fini(&source);
    return FSATTN_OK;
}

/* Rejected configurations are told by the report; the source of one is nothing to print either. */
static fsattn_status check(fsattn_manifest *manifest, const fsattn_setting *setting, const fsattn_config *config, fsattn_err *err) {
    const char *reason = NULL;
    FSATTN_TRY(fsattn_manifest_supports(manifest, setting, &reason, err));
    if (!reason) {
        FSATTN_TRY(fsattn_manifest_check(manifest, setting, config, &reason, err));
    }
    return reason ? fsattn_fail(err, FSATTN_INVALID, "%s: rejected: %s", manifest->name, reason) : FSATTN_OK;
}

static fsattn_status inspect(const char *folder, const options *o, fsattn_err *err) {
    fsattn_manifest *manifest = NULL;
    fsattn_hiprtc *hiprtc = NULL;
    fsattn_problem problem;
    fsattn_config config;
    fsattn_text out = {0};
    const fsattn_hiprtc_settings settings = {.root = o->root, .jobs = 1};
    fsattn_status status;
    FSATTN_GOTO(fsattn_manifest_open(folder, &manifest, err));
    FSATTN_GOTO(fsattn_sweep_check(manifest, folder, err));
    FSATTN_GOTO(fsattn_problem_parse(o->problem, &problem, err));
    FSATTN_GOTO(fsattn_config_parse(&manifest->parameters, o->config, &config, err));
    const fsattn_setting setting = {&problem, "gfx950"};
    FSATTN_GOTO(check(manifest, &setting, &config, err));
    if (o->source) {
        FSATTN_GOTO(print_source(manifest, &setting, &config, err));
        goto out;
    }
    FSATTN_GOTO(fsattn_hiprtc_open(&settings, &hiprtc, err));
    FSATTN_GOTO(fsattn_inspect_report(hiprtc, manifest, &setting, &config, o->listing, &out, err));
    fputs(out.data, stdout);
out:
    fsattn_text_fini(&out);
    fsattn_hiprtc_close(hiprtc);
    fsattn_manifest_close(manifest);
    return status;
}

static void show_progress(void *context, const fsattn_sweep_result *so_far) {
    (void)context;
    fprintf(stderr, "%s%" PRIu64 " configurations, %" PRIu64 " failed, %.0f s%s", isatty(2) ? "\r" : "",
            so_far->configurations, so_far->failures, so_far->seconds, isatty(2) ? "" : "\n");
}

static fsattn_status sweep_space(const char *path, const options *o, fsattn_err *err) {
    fsattn_space *space = NULL;
    fsattn_hiprtc *hiprtc = NULL;
    fsattn_text out = {0};
    fsattn_status status;
    fsattn_sweep_result *result = fsattn_alloc(1, sizeof *result);
    const struct sigaction action = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
    const fsattn_hiprtc_settings settings = {.root = o->root, .jobs = (int)o->jobs};
    const fsattn_sweep_options wanted = {.sample = (uint64_t)o->sample, .seed = 1, .stop = &stop_wanted};
    if (!result) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", program);
    }
    sigaction(SIGINT, &action, NULL);
    FSATTN_GOTO(fsattn_space_load(path, NULL, &space, err));
    FSATTN_GOTO(fsattn_sweep_check(space->manifest, path, err));
    FSATTN_GOTO(fsattn_hiprtc_open(&settings, &hiprtc, err));
    FSATTN_GOTO(fsattn_sweep_run(space, hiprtc, &wanted, show_progress, NULL, result, err));
    fsattn_text_printf(&out, "%s with %s\n", path, fsattn_hiprtc_identity(hiprtc));
    fsattn_sweep_text(result, &out);
    if (out.failed) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", program);
        goto out;
    }
    fprintf(stderr, isatty(2) ? "\n" : "");
    fputs(out.data, stdout);
    status = stop_wanted        ? fsattn_fail(err, FSATTN_INTERRUPTED, "%s: stopped", path)
             : result->failures ? fsattn_fail(err, FSATTN_COMPILE, "%s: %" PRIu64 " configurations failed",
                                              path, result->failures)
                                : FSATTN_OK;
out:
    fsattn_text_fini(&out);
    fsattn_hiprtc_close(hiprtc);
    fsattn_space_destroy(space);
    fsattn_free(result);
    return status;
}

static bool is_space(const char *path) {
    const size_t bytes = strlen(path);
    return bytes > 5 && !strcmp(path + bytes - 5, ".yaml");
}

int main(int argc, char **argv) {
    options o = {.problem = "q=bf16 kv=bf16 o=bf16", .config = ""};
    const fsattn_option table[] = {
        {"--problem", "TEXT", FSATTN_OPTION_TEXT, &o.problem, 0, 0,
         "what to specialise for, in a problem's canonical text"},
        {"--config", "TEXT", FSATTN_OPTION_TEXT, &o.config, 0, 0,
         "\"name=value ...\"; what is not named stays at its default"},
        {"--rocm", "FOLDER", FSATTN_OPTION_TEXT, &o.root, 0, 0,
         "ROCm or private root (default: /opt/rocm, then tools/rocm-root's)"},
        {"--source", NULL, FSATTN_OPTION_FLAG, &o.source, 0, 0,
         "print the rendered source instead of compiling it"},
        {"--listing", NULL, FSATTN_OPTION_FLAG, &o.listing, 0, 0, "print the disassembly as well"},
        {"--sample", "N", FSATTN_OPTION_INT, &o.sample, 1, 1e9,
         "of a space: so many random configurations of each setting (default: all)"},
        {"--jobs", "N", FSATTN_OPTION_INT, &o.jobs, 1, 64,
         "of a space: compilations at a time (default: the cores usable)"},
    };
    const fsattn_command command = {
        program,
        "TEMPLATE [options]",
        "Compiles one configuration of a GPU template: registers, LDS, spills, main loop.",
        table,
        sizeof table / sizeof *table,
        NULL};
    const char *folder;
    size_t count;
    bool help = false;
    fsattn_err err = {0};
    fsattn_cli_begin();
    fsattn_status status = fsattn_cli_parse(&command, argc, argv, &folder, 1, &count, &help, &err);
    if (status == FSATTN_OK && help) {
        fsattn_cli_help(stdout, &command);
    } else if (status == FSATTN_OK && count != 1) {
        status = fsattn_fail(&err, FSATTN_USAGE, "which template?");
        fsattn_hint(&err, "give its folder: %s templates/attention_gfx950", program);
    } else if (status == FSATTN_OK) {
        status = is_space(folder) ? sweep_space(folder, &o, &err) : inspect(folder, &o, &err);
    }
    return fsattn_cli_end(program, status, &err);
}
