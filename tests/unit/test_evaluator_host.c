/* Every way in which a candidate can go wrong becomes a verdict with a reason, and the run goes on. */
#include "error.h"
#include "evaluator_host.h"
#include "memory.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static fsattn_manifest *manifest;
static fsattn_evaluator *evaluator;
static char home[] = "/tmp/fsattn-test-XXXXXX";

static void open_evaluator(const char *family) {
    fsattn_err err = {0};
    cr_assert_not_null(mkdtemp(home));
    setenv("XDG_CACHE_HOME", home, 1);
    cr_assert_eq(fsattn_manifest_open(family, &manifest, &err), FSATTN_OK, "%s", err.message);
    const fsattn_evaluator_host_options options = {.manifest = manifest, .worker = FSATTN_BINARY_DIR "/bin/fsattn-worker",
                                                   .compiler = FSATTN_SOURCE_DIR "/tests/support/faulty_cc.sh",
                                                   .trial_time_limit_s = 3, .build_time_limit_s = 5, .seed = 1};
    cr_assert_eq(fsattn_evaluator_host_open(&options, &evaluator, &err), FSATTN_OK, "%s", err.message);
}

static void open_faulty(void) {
    open_evaluator(FSATTN_SOURCE_DIR "/tests/templates/faulty_host");
}

static void close_evaluator(void) {
    evaluator->ops->close(evaluator);
    fsattn_manifest_close(manifest);
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", home);
    cr_assert_eq(system(command), 0);
}

static fsattn_status try_fate(const fsattn_problem *problem, const char *text, bool cold, fsattn_verification *verification,
                              fsattn_outcome *outcome, fsattn_err *err) {
    fsattn_config config;
    fsattn_variant *variant;
    fsattn_trial *trial = NULL;
    double times[4];
    size_t got = 0;
    fsattn_status status = FSATTN_OK;
    FSATTN_TRY(fsattn_config_parse(&manifest->parameters, text, &config, err));
    FSATTN_TRY(evaluator->ops->render(evaluator, problem, &config, &variant, outcome, err));
    if (outcome->verdict != FSATTN_VERDICT_OK) {
        cr_assert_null(variant);
        return FSATTN_OK;
    }
    FSATTN_GOTO(evaluator->ops->build(evaluator, &variant, 1, INT64_MAX, outcome, err));
    if (outcome->verdict == FSATTN_VERDICT_OK) {
        FSATTN_GOTO(evaluator->ops->start(evaluator, variant, problem, INT64_MAX, &trial, outcome, err));
    }
    if (trial) {
        FSATTN_GOTO(evaluator->ops->verify(trial, INT64_MAX, verification, outcome, err));
        if (outcome->verdict == FSATTN_VERDICT_OK) {
            FSATTN_GOTO(evaluator->ops->sample(trial, 4, cold, INT64_MAX, times, &got, outcome, err));
        }
    }
out:
    evaluator->ops->stop(trial);
    evaluator->ops->release(evaluator, variant);
    return status;
}

/* Takes one configuration as far as it gets: render, build, start, verify, sample. */
static fsattn_outcome fate(const fsattn_problem *problem, const char *text, fsattn_verification *verification) {
    fsattn_outcome outcome = {0};
    fsattn_verification v = {0};
    fsattn_err err = {0};
    cr_assert_eq(try_fate(problem, text, false, &v, &outcome, &err), FSATTN_OK, "%s: %s", text, err.message);
    cr_assert(!outcome.cut);
    if (verification) {
        *verification = v;
    }
    return outcome;
}

/* What the machine lacks is no verdict: the run ends, with the way out. */
Test(evaluator_host, what_the_machine_lacks_ends_the_run, .init = open_faulty, .fini = close_evaluator, .timeout = 60) {
    static const struct {
        const char *fault;
        fsattn_status status;
        const char *message, *hint;
    } expected[] = {
        {"compiler_killed", FSATTN_NO_MEMORY, "was killed twice, not by the tuner", "run out of memory"},
        {"compiler_no_space", FSATTN_IO, "no space", "TMPDIR"},
        {"compiler_tidied", FSATTN_IO, "was removed while it was compiled", "TMPDIR"},
        {"kill", FSATTN_NO_MEMORY, "a worker was killed twice while running", "run out of memory"},
    };
    fsattn_problem problem;
    cr_assert_eq(fsattn_problem_parse("hq=2 hkv=2 sq=40 sk=40 d=64", &problem, NULL), FSATTN_OK);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char text[64];
        fsattn_verification v;
        fsattn_outcome outcome = {0};
        fsattn_err err = {0};
        snprintf(text, sizeof text, "fault=%s", expected[i].fault);
        cr_expect_eq(try_fate(&problem, text, false, &v, &outcome, &err), expected[i].status, "%s: %s (%s)", text, err.message, outcome.reason);
        cr_expect_not_null(strstr(err.message, expected[i].message), "%s: %s", text, err.message);
        cr_expect_not_null(strstr(err.hint, expected[i].hint), "%s: %s", text, err.hint);
    }
    cr_expect_eq(fate(&problem, "fault=none", NULL).verdict, FSATTN_VERDICT_OK);
}

/* Timed runs with cold operands go through copies, and are judged like the others. */
Test(evaluator_host, cold_runs_are_judged_too, .init = open_faulty, .fini = close_evaluator, .timeout = 60) {
    static const struct {
        const char *configuration;
        fsattn_verdict verdict;
    } expected[] = {{"fault=none", FSATTN_VERDICT_OK}, {"fault=late", FSATTN_VERDICT_WRONG}, {"fault=late_unwritten", FSATTN_VERDICT_WRONG}};
    fsattn_problem problem;
    cr_assert_eq(fsattn_problem_parse("hq=2 hkv=2 sq=40 sk=40 d=64", &problem, NULL), FSATTN_OK);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        fsattn_verification v;
        fsattn_outcome outcome = {0};
        fsattn_err err = {0};
        cr_assert_eq(try_fate(&problem, expected[i].configuration, true, &v, &outcome, &err), FSATTN_OK, "%s", err.message);
        cr_expect_eq(outcome.verdict, expected[i].verdict, "%s: %s", expected[i].configuration, outcome.reason);
    }
}

Test(evaluator_host, every_defect_becomes_a_verdict_with_its_reason, .init = open_faulty, .fini = close_evaluator, .timeout = 250) {
    static const struct {
        const char *fault;
        fsattn_verdict verdict;
        const char *reason;
    } expected[] = {
        {"none", FSATTN_VERDICT_OK, ""},
        {"template_error", FSATTN_VERDICT_BUILD_FAILED, "kernel.c.in:4"},
        {"compile_error", FSATTN_VERDICT_BUILD_FAILED, "error: unknown type name"},
        {"compiler_loop", FSATTN_VERDICT_TIMEOUT, "the compiler was still running after 5 s"},
        {"compiler_abort", FSATTN_VERDICT_CRASHED, "killed by signal 6"},
        {"compiler_silent", FSATTN_VERDICT_BUILD_FAILED, "wrote no code object"},
        {"undefined_symbol", FSATTN_VERDICT_LAUNCH_FAILED, "puts_somewhere_else"},
        {"no_entry", FSATTN_VERDICT_LAUNCH_FAILED, "fsattn_attention"},
        {"null_pointer", FSATTN_VERDICT_CRASHED, "killed by signal 11"},
        {"illegal", FSATTN_VERDICT_CRASHED, "killed by signal 4"},
        {"loop", FSATTN_VERDICT_TIMEOUT, "still running after 3 s"},
        {"exit", FSATTN_VERDICT_CRASHED, "exit status 0"},
        {"input_write", FSATTN_VERDICT_CRASHED, "killed by signal 11"},
        {"read_past", FSATTN_VERDICT_CRASHED, "killed by signal 11"},
        {"write_past", FSATTN_VERDICT_CRASHED, "killed by signal 11"},
        {"write_before", FSATTN_VERDICT_WRONG, "wrote outside its output"},
        {"write_gap", FSATTN_VERDICT_WRONG, "wrote between the rows"},
        {"unwritten", FSATTN_VERDICT_WRONG, "left output unwritten"},
        {"half_second", FSATTN_VERDICT_WRONG, "unwritten"},
        {"random", FSATTN_VERDICT_WRONG, ""},
        {"nan", FSATTN_VERDICT_WRONG, "nan"},
        {"inf", FSATTN_VERDICT_WRONG, "inf"},
        {"zeros", FSATTN_VERDICT_WRONG, "expected"},
        {"negative", FSATTN_VERDICT_WRONG, "expected"},
        {"scale", FSATTN_VERDICT_WRONG, "expected"},
        {"head_modulo", FSATTN_VERDICT_WRONG, "expected"},
        {"batch_zero", FSATTN_VERDICT_WRONG, "expected"},
        {"fixed_scale", FSATTN_VERDICT_WRONG, "expected"},
        {"read_before", FSATTN_VERDICT_WRONG, ""},
        {"v_stride", FSATTN_VERDICT_WRONG, "expected"},
        {"v_stride_batch", FSATTN_VERDICT_WRONG, ""},
        {"o_stride", FSATTN_VERDICT_WRONG, "rows of its output"},
        {"scratch_zero", FSATTN_VERDICT_WRONG, ""},
        {"scratch_kept", FSATTN_VERDICT_WRONG, ""},
        {"scratch_before", FSATTN_VERDICT_LAUNCH_FAILED, "wrote before its scratch memory"},
        {"group_two", FSATTN_VERDICT_CRASHED, "killed by signal 11"},
        {"static_state", FSATTN_VERDICT_LAUNCH_FAILED, "bytes of variables"},
        {"late", FSATTN_VERDICT_WRONG, "timed runs"},
        {"late_unwritten", FSATTN_VERDICT_WRONG, "timed runs"},
        {"compiler_killed_once", FSATTN_VERDICT_OK, ""},
        {"compiler_big", FSATTN_VERDICT_BUILD_FAILED, "larger than its limit of 64 MiB"},
        {"compiler_memory", FSATTN_VERDICT_BUILD_FAILED, "more than its limit of 8 GiB of memory"},
        {"float_control", FSATTN_VERDICT_LAUNCH_FAILED, "floating-point control"},
        {"none", FSATTN_VERDICT_OK, ""},
    };
    fsattn_problem problem;
    cr_assert_eq(fsattn_problem_parse("hq=2 hkv=2 sq=40 sk=40 d=64", &problem, NULL), FSATTN_OK);
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        char text[64];
        fsattn_verification v;
        snprintf(text, sizeof text, "fault=%s", expected[i].fault);
        const fsattn_outcome outcome = fate(&problem, text, &v);
        cr_expect_eq(outcome.verdict, expected[i].verdict, "%s: %s: %s", expected[i].fault, fsattn_verdict_text(outcome.verdict), outcome.reason);
        cr_expect(strstr(outcome.reason, expected[i].reason) != NULL, "%s: reason is '%s'", expected[i].fault, outcome.reason);
        cr_expect_eq(strchr(outcome.reason, '\n'), NULL);
        if (outcome.verdict == FSATTN_VERDICT_OK) {
            cr_expect_gt(v.accuracy_count, 6u);
            cr_expect_str_eq(v.accuracies[v.accuracy_count - 1].distribution, "normal_40x40");
            cr_expect_lt(v.accuracies[v.accuracy_count - 1].relative_error, 1e-5);
        } else if (outcome.verdict == FSATTN_VERDICT_CRASHED || outcome.verdict == FSATTN_VERDICT_TIMEOUT) {
            fsattn_err err = {0};
            cr_expect_eq(evaluator->ops->canary(evaluator, &err), FSATTN_OK, "%s", err.message);
        }
    }
    const fsattn_outcome rejected = fate(&problem, "fault=scale tile_m=8", NULL);
    cr_expect_eq(rejected.verdict, FSATTN_VERDICT_REJECTED);
    cr_expect_str_eq(rejected.reason, "the scale defect comes with tile_m 16");
}

Test(evaluator_host, log_sum_exp_is_judged_too, .init = open_faulty, .fini = close_evaluator, .timeout = 120) {
    fsattn_problem problem;
    cr_assert_eq(fsattn_problem_parse("hq=2 hkv=1 sq=40 sk=50 d=64 lse=1 mask=causal layout=bhsd", &problem, NULL), FSATTN_OK);
    cr_expect_eq(fate(&problem, "fault=none", NULL).verdict, FSATTN_VERDICT_OK);
    const fsattn_outcome lse = fate(&problem, "fault=lse", NULL), half = fate(&problem, "fault=lse_half", NULL);
    cr_expect_eq(lse.verdict, FSATTN_VERDICT_WRONG);
    cr_expect_not_null(strstr(lse.reason, "log-sum-exp"));
    cr_expect_eq(half.verdict, FSATTN_VERDICT_WRONG);
}

/* Rows that are not compared with the emulation are not left to chance either. */
Test(evaluator_host, one_wrong_tile_of_many_is_found, .init = open_faulty, .fini = close_evaluator, .timeout = 60) {
    fsattn_problem problem;
    cr_assert_eq(fsattn_problem_parse("hq=2 hkv=1 sq=1100 sk=200 d=64", &problem, NULL), FSATTN_OK);
    cr_expect_eq(fate(&problem, "fault=none", NULL).verdict, FSATTN_VERDICT_OK);
    const fsattn_outcome outcome = fate(&problem, "fault=one_tile", NULL);
    cr_expect_eq(outcome.verdict, FSATTN_VERDICT_WRONG);
    cr_expect_not_null(strstr(outcome.reason, "head 1 row 2"), "%s", outcome.reason); /* 272 .. 287 */
    cr_expect_not_null(strstr(outcome.reason, "of itself"), "%s", outcome.reason);
}

/* A worker that is started only to be timed, as in the shoot-out, has its result judged too. */
Test(evaluator_host, nothing_is_timed_unverified, .init = open_faulty, .fini = close_evaluator, .timeout = 60) {
    static const struct {
        const char *configuration;
        fsattn_verdict verdict;
    } expected[] = {{"fault=none", FSATTN_VERDICT_OK}, {"fault=unprepared", FSATTN_VERDICT_WRONG}};
    fsattn_problem problem;
    cr_assert_eq(fsattn_problem_parse("hq=2 hkv=2 sq=40 sk=40 d=64", &problem, NULL), FSATTN_OK);
    cr_expect_eq(fate(&problem, "fault=unprepared", NULL).verdict, FSATTN_VERDICT_OK, "verification alone cannot see it");
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        fsattn_config config;
        fsattn_variant *variant;
        fsattn_trial *trial;
        fsattn_outcome outcome;
        fsattn_err err = {0};
        double times[2];
        size_t got;
        cr_assert_eq(fsattn_config_parse(&manifest->parameters, expected[i].configuration, &config, &err), FSATTN_OK);
        cr_assert_eq(evaluator->ops->render(evaluator, &problem, &config, &variant, &outcome, &err), FSATTN_OK);
        cr_assert_eq(evaluator->ops->build(evaluator, &variant, 1, INT64_MAX, &outcome, &err), FSATTN_OK);
        cr_assert_eq(evaluator->ops->start(evaluator, variant, &problem, INT64_MAX, &trial, &outcome, &err), FSATTN_OK);
        cr_assert_not_null(trial, "%s", outcome.reason);
        cr_assert_eq(evaluator->ops->sample(trial, 2, false, INT64_MAX, times, &got, &outcome, &err), FSATTN_OK);
        cr_expect_eq(outcome.verdict, expected[i].verdict, "%s: %s", expected[i].configuration, outcome.reason);
        evaluator->ops->stop(trial);
        evaluator->ops->release(evaluator, variant);
    }
}

static void open_family(void) {
    open_evaluator(FSATTN_SOURCE_DIR "/templates/attention_host");
}

/* The real family against its own emulation: no sound kernel is called wrong. */
Test(evaluator_host, sound_kernels_are_accepted, .init = open_family, .fini = close_evaluator, .timeout = 280) {
    static const char *const problems[] = {
        "hq=4 hkv=2 sq=100 sk=300 d=64",
        "hq=2 hkv=2 sq=200 sk=200 d=128 mask=causal lse=1 layout=bhsd",
        "hq=2 hkv=2 sq=100 sk=300 d=64 q=bf16 kv=bf16 o=bf16 mask=causal",
        "hq=4 hkv=2 sq=100 sk=300 d=64 q=f16 kv=f16 o=f16 lse=1",
    };
    static const char *const configurations[] = {
        "",
        "maximum=frozen cap=8 exponential=accurate row_sum=gemm",
        "maximum=frozen cap=32 fused=true exponential=polynomial degree=3",
        "maximum=lazy threshold=4.0 exponential=schraudolph",
        "maximum=frozen cap=16 exponential=schraudolph fused=true key_source=panel",
        "exponential=schraudolph row_sum=gemm tile_m=32 tile_n=32 reg_v=4 reg_n=3",
        "exponential=polynomial degree=2 tile_n=256 tile_m=144 vector_bytes=16 reg_v=1",
    };
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++) {
        fsattn_problem problem;
        cr_assert_eq(fsattn_problem_parse(problems[p], &problem, NULL), FSATTN_OK);
        for (size_t c = 0; c < sizeof configurations / sizeof *configurations; c++) {
            fsattn_verification v;
            const fsattn_outcome outcome = fate(&problem, configurations[c], &v);
            cr_expect_eq(outcome.verdict, FSATTN_VERDICT_OK, "%s, %s: %s: %s", problems[p], configurations[c],
                         fsattn_verdict_text(outcome.verdict), outcome.reason);
        }
    }
}
