#include "hiprtc.h"

#include "code_object.h"
#include "file.h"
#include "memory.h"
#include "../support/rocm_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static const char *const gfx950[] = {"--offload-arch=gfx950", "-O3", NULL};
static const char scale_source[] =
    "extern \"C\" __global__ void scale(float *x, float f) { x[threadIdx.x] *= f; }\n";

/* ---- without ROCm: a root that looks like one, and helpers that are scripts -------------------- */

static char folder[64];

static void make_folder(void) {
    char path[128];
    strcpy(folder, "/tmp/fsattn-test-hiprtc.XXXXXX");
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/lib", folder);
    cr_assert_eq(mkdir(path, 0700), 0);
    for (int i = 0; i < 2; i++) {
        snprintf(path, sizeof path, "%s/lib/%s", folder, i ? "libhiprtc.so.7" : "libamd_comgr.so.3");
        cr_assert_eq(fsattn_file_publish(path, "x", 1, 0600, NULL), FSATTN_OK);
    }
}

static void remove_folder(void) {
    fsattn_folder_remove(folder, NULL);
}

static fsattn_hiprtc *open_script(const char *script, double limit_s) {
    char path[128];
    fsattn_hiprtc *hiprtc;
    fsattn_err err;
    snprintf(path, sizeof path, "%s/helper", folder);
    cr_assert_eq(fsattn_file_publish(path, script, strlen(script), 0700, NULL), FSATTN_OK);
    const fsattn_hiprtc_settings settings = {
        .root = folder, .helper = path, .jobs = 2, .time_limit_s = limit_s};
    cr_assert_eq(fsattn_hiprtc_open(&settings, &hiprtc, &err), FSATTN_OK, "%s", err.message);
    return hiprtc;
}

TestSuite(hiprtc_scripted, .init = make_folder, .fini = remove_folder);

Test(hiprtc_scripted, an_abort_costs_one_candidate_and_says_why) {
    fsattn_hiprtc *hiprtc =
        open_script("#!/bin/sh\necho LLVM ERROR: Cannot select: x >&2\nkill -ABRT $$\n", 10);
    fsattn_hiprtc_job jobs[2] = {{.source = "a", .options = gfx950}, {.source = "b", .options = gfx950}};
    cr_assert_eq(fsattn_hiprtc_compile(hiprtc, jobs, 2, INT64_MAX, NULL, NULL), FSATTN_OK);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(jobs[i].verdict, FSATTN_VERDICT_CRASHED);
        cr_assert_str_eq(jobs[i].reason,
                         "the compiler was killed by signal 6 (Aborted): LLVM ERROR: Cannot select: x");
        cr_assert_str_eq(jobs[i].log, "LLVM ERROR: Cannot select: x\n");
        fsattn_hiprtc_job_fini(&jobs[i]);
    }
    fsattn_hiprtc_close(hiprtc);
}

Test(hiprtc_scripted, a_hang_ends_at_the_deadline) {
    fsattn_hiprtc *hiprtc = open_script("#!/bin/sh\nsleep 1000 & wait\n", 0.2);
    fsattn_hiprtc_job job = {.source = "a", .options = gfx950};
    cr_assert_eq(fsattn_hiprtc_compile(hiprtc, &job, 1, INT64_MAX, NULL, NULL), FSATTN_OK);
    cr_assert(job.verdict == FSATTN_VERDICT_TIMEOUT && !job.cut);
    cr_assert_str_eq(job.reason, "compilation took more than 0.2 s and was killed");
    fsattn_hiprtc_job_fini(&job);
    fsattn_hiprtc_close(hiprtc);
}

Test(hiprtc_scripted, a_stop_is_no_verdict) {
    fsattn_hiprtc *hiprtc = open_script("#!/bin/sh\nexec sleep 1000\n", 100);
    fsattn_hiprtc_job jobs[3] = {{.source = "a", .options = gfx950},
                                 {.source = "b", .options = gfx950},
                                 {.source = "a", .options = gfx950}};
    const volatile sig_atomic_t stop = 1;
    cr_assert_eq(fsattn_hiprtc_compile(hiprtc, jobs, 3, INT64_MAX, &stop, NULL), FSATTN_OK);
    for (int i = 0; i < 3; i++) {
        cr_assert(jobs[i].cut && !jobs[i].code);
        fsattn_hiprtc_job_fini(&jobs[i]);
    }
    fsattn_hiprtc_close(hiprtc);
}

Test(hiprtc_scripted, nonsense_counts_as_death) {
    fsattn_hiprtc *hiprtc =
        open_script("#!/bin/sh\nhead -c 8 >/dev/null\necho this is no frame at all\n", 10);
    fsattn_hiprtc_job job = {.source = "a", .options = gfx950};
    cr_assert_eq(fsattn_hiprtc_compile(hiprtc, &job, 1, INT64_MAX, NULL, NULL), FSATTN_OK);
    cr_assert_eq(job.verdict, FSATTN_VERDICT_CRASHED);
    fsattn_hiprtc_job_fini(&job);
    fsattn_hiprtc_close(hiprtc);
}

Test(hiprtc_scripted, what_is_missing_is_named_with_the_way_out) {
    fsattn_hiprtc *hiprtc = NULL;
    fsattn_err err;
    const fsattn_hiprtc_settings nowhere = {.root = "/nonexistent"};
    cr_assert_eq(fsattn_hiprtc_open(&nowhere, &hiprtc, &err), FSATTN_NOT_FOUND);
    cr_assert_str_eq(err.message, "/nonexistent: neither a ROCm 7 installation nor a private ROCm root");
    cr_assert_not_null(strstr(err.hint, "tools/rocm-root"));
    const fsattn_hiprtc_settings helpless = {.root = folder, .helper = "/nonexistent"};
    cr_assert_eq(fsattn_hiprtc_open(&helpless, &hiprtc, &err), FSATTN_NOT_FOUND);
    cr_assert_str_eq(err.message, "/nonexistent: no such program (it holds HIPRTC)");
    cr_assert_null(hiprtc);
}

/* ---- with ROCm ------------------------------------------------------------------------------ */

Test(hiprtc, good_bad_and_fatal_sources_side_by_side) {
    static const char fatal[] = "typedef float v16f __attribute__((ext_vector_type(16)));\n"
                                "typedef short v2s __attribute__((ext_vector_type(2)));\n"
                                "extern \"C\" __global__ void f(v16f *o, v2s a) {\n"
                                "    o[0] = __builtin_amdgcn_mfma_f32_32x32x4bf16(a, a, o[0], 0, 0, 0);\n}\n";
    fsattn_hiprtc *hiprtc = rocm_or_skip();
    fsattn_hiprtc_job jobs[4] = {
        {.source = fatal, .options = gfx950},
        {.source = scale_source, .options = gfx950},
        {.source = "extern \"C\" __global__ void g() { wrong(); }\n", .options = gfx950},
        {.source = scale_source, .options = gfx950}};
    fsattn_err err;
    cr_assert_eq(fsattn_hiprtc_compile(hiprtc, jobs, 4, INT64_MAX, NULL, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(jobs[0].verdict, FSATTN_VERDICT_CRASHED, "%s", jobs[0].reason);
    cr_assert_not_null(strstr(jobs[0].reason, "Cannot select"), "%s", jobs[0].reason);
    cr_assert_eq(jobs[1].verdict, FSATTN_VERDICT_OK, "%s", jobs[1].reason);
    cr_assert_eq(jobs[2].verdict, FSATTN_VERDICT_BUILD_FAILED);
    cr_assert_str_eq(jobs[2].reason, "kernel.hip:1:34: error: use of undeclared identifier 'wrong'");
    cr_assert(jobs[3].same_as == 1 && jobs[3].code_bytes == jobs[1].code_bytes &&
              !memcmp(jobs[3].code, jobs[1].code, jobs[1].code_bytes));

    fsattn_code_object object;
    cr_assert_eq(fsattn_code_object_init(&object, "scale", jobs[1].code, jobs[1].code_bytes, "gfx950", &err),
                 FSATTN_OK);
    cr_assert_not_null(fsattn_code_object_kernel(&object, "scale"));
    fsattn_code_object_fini(&object);
    fsattn_text listing = {0};
    cr_assert_eq(
        fsattn_hiprtc_disassemble(hiprtc, jobs[1].code, jobs[1].code_bytes, "gfx950", &listing, &err),
        FSATTN_OK, "%s", err.message);
    cr_assert(strstr(listing.data, "scale:\n") && strstr(listing.data, "s_endpgm"));
    fsattn_text_fini(&listing);
    cr_assert_eq(fsattn_hiprtc_disassemble(hiprtc, "no", 2, "gfx950", &listing, &err), FSATTN_INVALID);
    fsattn_text_fini(&listing);
    for (int i = 0; i < 4; i++) {
        fsattn_hiprtc_job_fini(&jobs[i]);
    }
    cr_assert(strncmp(fsattn_hiprtc_identity(hiprtc), "hiprtc ", 7) == 0);
    fsattn_hiprtc_close(hiprtc);
}

/* The same source gives the same bytes: what the cache of code objects rests on. */
Test(hiprtc, compiling_is_deterministic) {
    fsattn_hiprtc_job jobs[2];
    for (int i = 0; i < 2; i++) {
        fsattn_hiprtc *hiprtc = rocm_or_skip();
        jobs[i] = (fsattn_hiprtc_job){.source = scale_source, .options = gfx950};
        cr_assert_eq(fsattn_hiprtc_compile(hiprtc, &jobs[i], 1, INT64_MAX, NULL, NULL), FSATTN_OK);
        cr_assert_eq(jobs[i].verdict, FSATTN_VERDICT_OK, "%s", jobs[i].reason);
        fsattn_hiprtc_close(hiprtc);
    }
    cr_assert(jobs[0].code_bytes == jobs[1].code_bytes &&
              !memcmp(jobs[0].code, jobs[1].code, jobs[0].code_bytes));
    fsattn_hiprtc_job_fini(&jobs[0]);
    fsattn_hiprtc_job_fini(&jobs[1]);
}
