/* suite DEVICE - runs every case on that device. Exit 0: all passed; 1: one failed; 77: the device or its
 * compiler is not here, and one line says so; 2: another word. */
#include "suite.h"

#include "file.h"
#include "gpu_link.h"
#include "memory.h"
#include "../support/host_object.h"

#include <stdarg.h>

static const struct {
    const char *name;
    bool needed; /* without it the suite fails */
} devices[] = {{"host", true}, {"sim", true}, {"hip", false}};

void suite_fail(suite *s, const char *file, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, "%s:%d: %s: ", file, line, s->running ? s->running->name : "at the start");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    s->failures++;
}

static int skip(suite *s, const char *what, const char *reason) {
    printf("skipped: the runtime's suite on %s: %s%s\n", s->name, what, reason);
    return 77;
}

static void run_cases(suite *s, const suite_case *cases) {
    for (; cases->name; cases++) {
        const int before = s->failures;
        s->running = cases;
        if (s->host && cases->without) {
            printf("%s: none, the host has no %s\n", cases->name, cases->without);
            continue;
        }
        cases->run(s);
        printf("%s: %s\n", cases->name, s->failures == before ? "passed" : "FAILED");
        fflush(stdout);
    }
    s->running = NULL;
}

static int run(suite *s, bool needed) {
    fsattn_err err = {0};
    REQUIRE(fsattn_gpu_library(
                s->name, strcmp(s->name, "sim") ? NULL : FSATTN_BINARY_DIR "/lib/simulator/libamdhip64.so.7",
                &s->library, &err) == FSATTN_OK,
            "%s", err.message);
    const fsattn_device_options options = {.name = s->name, .library = s->library};
    if (fsattn_device_open(&options, &s->device, &err) != FSATTN_OK) {
        REQUIRE(!needed, "%s", err.message);
        return skip(s, "", err.message);
    }
    const char *isa = fsattn_device_describe(s->device)->isa;
    if (!s->host && strncmp(isa, "gfx950", 6)) {
        return skip(s, "the GPU is ", isa);
    }
    if (!suite_cache_make(s, &err)) {
        return skip(s, "compiling for gfx950: ", err.message);
    }
    run_cases(s, suite_run_cases);
    run_cases(s, suite_serve_cases);
    printf("%d failures\n", s->failures);
    return s->failures != 0;
}

int main(int argc, char **argv) {
    suite s = {.name = argc == 2 ? argv[1] : ""};
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        if (!strcmp(s.name, devices[i].name)) {
            s.host = i == 0;
            setenv("FSATTN_SIM_QUIET", "1", 1);
            setenv("FSATTN_SIM_CACHE", FSATTN_BINARY_DIR "/sim-cache", 1);
            setenv("FSATTN_ROCM_HELPER", FSATTN_BINARY_DIR "/bin/fsattn-rocm-helper", 1);
            test_folder(s.folder);
            const int status = run(&s, devices[i].needed);
            fsattn_device_close(s.device);
            fsattn_free(s.library);
            fsattn_folder_remove(s.folder, NULL);
            return status;
        }
    }
    fprintf(stderr, "usage: suite host|sim|hip\n");
    return 2;
}
