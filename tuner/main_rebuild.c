/* fsattn-rebuild: compiles the kernels of a cache file anew, for this machine, from the sources that it holds. In a child, which may
 * hang or crash in a kernel; the parent has the time limit, the temporary folder and the file that is published. */
#include "rebuild.h"

#include "cli.h"
#include "error.h"
#include "file.h"
#include "fsc.h"
#include "gpu_link.h"
#include "memory.h"
#include "process.h"
#include "text.h"
#include "workplace.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char program[] = "fsattn-rebuild";
static const int64_t grace_ns = 1000000000; /* past the deadline, for the child to see it */

static void warn(void *data, const fsattn_err *err) {
    (void)data;
    fprintf(stderr, "%s: left out: %s\n", program, err->message);
    if (err->hint[0]) {
        fprintf(stderr, "  %s\n", err->hint);
    }
}

/* In the child: everything that may hang or crash, with its temporary folders in `folder`. */
static fsattn_status work(fsattn_rebuild_settings *settings, const char *from, const char *to, const char *folder, fsattn_err *err) {
    size_t made;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (setenv("TMPDIR", folder, 1)) {
        return fsattn_fail_errno(err, errno, "TMPDIR");
    }
    return fsattn_rebuild_file(settings, from, to, &made, err);
}

/* Waits until the child has ended; past the deadline, which the child sees too unless a kernel of its hangs, it is killed. */
static fsattn_status await(pid_t pid, int64_t deadline_ns, int *ended, fsattn_err *err) {
    fsattn_process child = {.pid = pid, .pidfd = pidfd_open(pid, 0)};
    if (child.pidfd < 0) {
        const int errnum = errno;
        fsattn_process_close(&child);
        return fsattn_fail_errno(err, errnum, "pidfd_open");
    }
    while (!fsattn_process_reap(&child) && fsattn_clock_ns() < deadline_ns + grace_ns) {
        fsattn_process_wait(&child, 1, deadline_ns + grace_ns, NULL);
    }
    const bool hung = !child.ended;
    char how[128];
    *ended = child.status;
    if (!hung && WIFSIGNALED(child.status)) {
        fsattn_process_describe(&child, how, sizeof how);
    }
    fsattn_process_close(&child);
    if (hung) {
        return fsattn_fail(err, FSATTN_COMPILE, "the time limit is over while a kernel runs, nothing was published");
    }
    if (WIFSIGNALED(*ended)) {
        return fsattn_fail(err, WTERMSIG(*ended) == SIGKILL ? FSATTN_BUSY : FSATTN_COMPILE, "%s while a kernel was compiled or run, nothing was published", how);
    }
    return FSATTN_OK;
}

/* What the child has made, put in its place. */
static fsattn_status publish(const char *made, const fsattn_output *output, fsattn_err *err) {
    char *data = NULL;
    size_t bytes;
    fsattn_fsc *fsc = NULL;
    fsattn_status status = FSATTN_OK;
    FSATTN_TRY(fsattn_file_read(made, FSATTN_FSC_FILE_LIMIT, &data, &bytes, err));
    FSATTN_GOTO(fsattn_fsc_open_bytes(made, data, bytes, NULL, NULL, &fsc, err));
    FSATTN_GOTO(fsattn_output_check(output, err)); /* minutes have passed */
    FSATTN_GOTO(fsattn_file_publish(output->path, data, bytes, 0644, err));
    const size_t count = fsattn_fsc_count(fsc);
    printf("%s: %zu record%s compiled anew\n", output->path, count, count == 1 ? "" : "s");
out:
    fsattn_fsc_close(fsc);
    fsattn_free(data);
    return status;
}

/* *told: the exit status of a child that has said why it failed, else 0. */
static fsattn_status rebuild(fsattn_rebuild_settings *settings, const char *from, const char *to, int *told, fsattn_err *err) {
    const fsattn_output_own own[] = {{from, "the file that is read", false}};
    const fsattn_output output = {to, "--cache", &fsattn_fsc_output_kind, own, sizeof own / sizeof own[0]};
    fsattn_workplace place = {.lock = -1};
    fsattn_text made = {0};
    fsattn_status status = FSATTN_OK;
    int ended = 0;
    FSATTN_TRY(fsattn_output_check(&output, err));
    FSATTN_TRY(fsattn_workplace_open("fsattn-rebuilding-", &place, err));
    fsattn_text_printf(&made, "%s/made.fsc", place.path);
    FSATTN_GOTO(made.failed ? fsattn_fail(err, FSATTN_NO_MEMORY, "no memory to start") : FSATTN_OK);
    const pid_t pid = fork();
    if (pid < 0) {
        status = fsattn_fail_errno(err, errno, "cannot start a process");
        goto out;
    }
    if (pid == 0) {
        fsattn_err own_err = {0};
        exit(fsattn_cli_end(program, work(settings, from, made.data, place.path, &own_err), &own_err));
    }
    FSATTN_GOTO(await(pid, settings->deadline_ns, &ended, err));
    *told = WEXITSTATUS(ended);
    status = *told ? FSATTN_OK : publish(made.data, &output, err);
out:
    fsattn_text_fini(&made);
    fsattn_workplace_close(&place);
    return status;
}

static fsattn_status run(int argc, char **argv, int *told, fsattn_err *err) {
    fsattn_rebuild_settings settings = {.device = "host", .build_time_limit_s = 120, .warn = warn};
    const char *to = NULL, *from[1];
    int64_t limit_s = 600;
    size_t count;
    bool help = false;
    char *library = NULL;
    const fsattn_option options[] = {
        {"--cache", "FILE.fsc", FSATTN_OPTION_TEXT, &to, 0, 0, "where to publish the result (needed)"},
        {"--device", "NAME", FSATTN_OPTION_TEXT, &settings.device, 0, 0, "host, hip or sim, the simulator (default: host)"},
        {"--compiler", "PROGRAM", FSATTN_OPTION_TEXT, &settings.compiler, 0, 0, "host: C compiler (default: $CC, else cc)"},
        {"--rocm", "FOLDER", FSATTN_OPTION_TEXT, &settings.rocm, 0, 0, "hip, sim: where HIPRTC is (default: $FSATTN_ROCM_ROOT, /opt/rocm, the private root)"},
        {"--library", "FILE", FSATTN_OPTION_TEXT, &settings.library, 0, 0, "hip, sim: libamdhip64 (default: ROCm's; the simulator's beside the programs)"},
        {"--time-limit", "SECONDS", FSATTN_OPTION_INT, &limit_s, 1, 86400, "end after SECONDS without publishing anything (default: 600)"},
    };
    const fsattn_command command = {program, "FILE.fsc --cache NEW.fsc [options]",
                                    "Compiles the kernels of a cache file anew, for this machine, from the sources that it holds.",
                                    options, sizeof options / sizeof options[0],
                                    "Each kernel is run once and compared with attention in double; one that is wrong is left out. Times are those of\n"
                                    "FILE.fsc. FILE.fsc must be a file that nobody else may write. libfsattn starts this program when a problem's\n"
                                    "kernel is for another processor and options.compiler names it.\n"};
    FSATTN_TRY(fsattn_cli_parse(&command, argc, argv, from, 1, &count, &help, err));
    if (help) {
        fsattn_cli_help(stdout, &command);
        return FSATTN_OK;
    }
    if (count != 1 || !to || !*to) {
        fsattn_fail(err, FSATTN_USAGE, count != 1 ? "no cache file is named" : "--cache is missing: where is the result to be published?");
        fsattn_hint(err, "usage: %s %s", program, command.synopsis);
        return FSATTN_USAGE;
    }
    FSATTN_TRY(fsattn_gpu_library(settings.device, settings.library, &library, err));
    settings.library = library;
    settings.deadline_ns = fsattn_clock_ns() + limit_s * 1000000000;
    const fsattn_status status = rebuild(&settings, from[0], to, told, err);
    fsattn_free(library);
    return status;
}

int main(int argc, char **argv) {
    fsattn_err err = {0};
    int told = 0;
    fsattn_cli_begin();
    const fsattn_status status = run(argc, argv, &told, &err);
    return told ? told : fsattn_cli_end(program, status, &err);
}
