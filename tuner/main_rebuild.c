/* fsattn-rebuild: compiles the kernels of a cache file anew, for this machine, from the sources that it holds. */
#include "rebuild.h"

#include "cli.h"
#include "error.h"
#include "file.h"
#include "memory.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char program[] = "fsattn-rebuild";

static void warn(void *data, const fsattn_err *err) {
    (void)data;
    fprintf(stderr, "%s: left out: %s\n", program, err->message);
    if (err->hint[0]) {
        fprintf(stderr, "  %s\n", err->hint);
    }
}

/* The simulator's library lies beside the programs. */
static fsattn_status find_library(const char *device, const char **library, char **owned, fsattn_err *err) {
    fsattn_text path = {0};
    char *folder = NULL;
    *library = *library ? *library : getenv(strcmp(device, "sim") ? "FSATTN_HIP_LIBRARY" : "FSATTN_SIM_LIBRARY");
    if (*library || strcmp(device, "sim")) {
        return FSATTN_OK;
    }
    FSATTN_TRY(fsattn_folder_program(&folder, err));
    fsattn_text_printf(&path, "%s/../lib/simulator/libamdhip64.so.7", folder);
    fsattn_free(folder);
    *library = *owned = fsattn_text_take(&path);
    return *owned ? FSATTN_OK : fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
}

static fsattn_status run(int argc, char **argv, fsattn_err *err) {
    fsattn_rebuild_settings settings = {.device = "host", .build_time_limit_s = 120, .warn = warn};
    const char *to = NULL, *from[1];
    int64_t limit_s = 600;
    size_t count, made;
    bool help = false;
    char *owned = NULL;
    const fsattn_option options[] = {
        {"--cache", "FILE.fsc", FSATTN_OPTION_TEXT, &to, 0, 0, "where to publish the result (needed)"},
        {"--device", "NAME", FSATTN_OPTION_TEXT, &settings.device, 0, 0, "host, hip or sim, the simulator (default: host)"},
        {"--compiler", "PROGRAM", FSATTN_OPTION_TEXT, &settings.compiler, 0, 0, "host: C compiler (default: $CC, else cc)"},
        {"--rocm", "FOLDER", FSATTN_OPTION_TEXT, &settings.rocm, 0, 0, "hip, sim: where HIPRTC is (default: $FSATTN_ROCM_ROOT, /opt/rocm, the private root)"},
        {"--library", "FILE", FSATTN_OPTION_TEXT, &settings.library, 0, 0, "hip, sim: libamdhip64 (default: the loader's; the simulator's beside the programs)"},
        {"--time-limit", "SECONDS", FSATTN_OPTION_INT, &limit_s, 1, 86400, "end everything after SECONDS (default: 600)"},
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
    FSATTN_TRY(find_library(settings.device, &settings.library, &owned, err));
    alarm((unsigned)limit_s); /* a kernel that hangs ends with the process */
    fsattn_status status = fsattn_rebuild_file(&settings, from[0], to, &made, err);
    fsattn_free(owned);
    if (status == FSATTN_OK) {
        printf("%s: %zu record%s compiled anew\n", to, made, made == 1 ? "" : "s");
    }
    return status;
}

int main(int argc, char **argv) {
    fsattn_err err = {0};
    fsattn_cli_begin();
    return fsattn_cli_end(program, run(argc, argv, &err), &err);
}
