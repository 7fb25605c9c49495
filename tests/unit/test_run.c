/* Preparing and running plans: right results for every layout, and every wrong argument refused. */
#include "context.h"
#include "../support/cache_fixture.h"

#include <criterion/criterion.h>

enum { head_dim = 64 };

/* A context whose records have real kernels, causal and not. */
typedef struct fixture {
    char folder[64], path[128];
    fsattn_context *context;
} fixture;

static void add_kernel(fsattn_fsc_writer *writer, const char *folder, const char *problem,
                       const char *options) {
    test_record record;
    size_t bytes;
    char *code = test_object(folder, options, &bytes);
    test_record_init(&record, problem, code, bytes);
    test_add(writer, &record);
    fsattn_free(code);
}

static void open_context(fixture *f, int threads) {
    fsattn_options options;
    fsattn_err err = {0};
    fsattn_options_init(&options);
    options.threads = threads;
    options.caches = &(const char *){f->path};
    options.cache_count = 1;
    cr_assert_eq(fsattn_open(&options, &f->context, &err), FSATTN_OK, "%s", err.message);
}

static void setup(fixture *f, int threads) {
    static const char *const kinds[][2] = {{"d=64", "-DHEAD_DIM=64"},
                                           {"d=64 lse=1", "-DHEAD_DIM=64"},
                                           {"d=64 layout=bhsd", "-DHEAD_DIM=64"},
                                           {"d=64 mask=causal", "-DHEAD_DIM=64 -DCAUSAL=1"},
                                           {"d=64 mask=causal lse=1", "-DHEAD_DIM=64 -DCAUSAL=1"}};
    test_folder(f->folder);
    snprintf(f->path, sizeof f->path, "%s/test.fsc", f->folder);
    fsattn_fsc_writer *writer = test_writer();
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        add_kernel(writer, f->folder, kinds[i][0], kinds[i][1]);
    }
    test_publish(writer, f->path);
    open_context(f, threads);
}

static void teardown(fixture *f) {
    fsattn_close(f->context);
    fsattn_folder_remove(f->folder, NULL);
}

static fsattn_plan plan_of(const fixture *f, const char *text) {
    fsattn_problem problem;
    fsattn_plan plan;
    fsattn_err err = {0};
    cr_assert_eq(test_problem_parse(text, &problem, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_plan_find(f->context, &problem, NULL, &plan, &err), FSATTN_OK, "%s", err.message);
    return plan;
}

Test(run, results_are_right_for_every_shape) {
    static const char *const texts[] = {"hq=2 hkv=2 sq=37 sk=37 d=64",
                                        "b=2 hq=4 hkv=2 sq=16 sk=50 d=64",
                                        "b=2 hq=4 hkv=1 sq=33 sk=17 d=64 lse=1",
                                        "b=2 hq=3 hkv=3 sq=20 sk=21 d=64 layout=bhsd",
                                        "hq=2 hkv=2 sq=40 sk=64 d=64 mask=causal",
                                        "hq=2 hkv=2 sq=64 sk=40 d=64 mask=causal",
                                        "sq=1 sk=1 d=64 lse=1 mask=causal",
                                        "hq=2 hkv=1 sq=19 sk=30 d=64 scale=0.9"};
    for (int threads = 1; threads <= 3; threads += 2) {
        fixture f;
        setup(&f, threads);
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            fsattn_err err = {0};
            fsattn_plan plan = plan_of(&f, texts[i]);
            test_operands operands;
            test_operands_init(&operands, &plan.problem);
            fsattn_arguments arguments = test_arguments(&operands);
            cr_expect_gt(test_error(&operands), 1e-2, "%s: before the run", texts[i]);
            cr_expect_eq(fsattn_run(f.context, &plan, &arguments, &err), FSATTN_OK, "%s", err.message);
            cr_expect_lt(test_error(&operands), 1e-4, "%s", texts[i]);
            test_operands_fini(&operands);
        }
        teardown(&f);
    }
}

Test(run, strides_are_followed) {
    /* Heads padded to 80 elements, rows in reverse nesting (BHSD inside a BSHD problem), K and V shared by
     * all batches. */
    fixture f;
    setup(&f, 2);
    fsattn_err err = {0};
    fsattn_plan plan = plan_of(&f, "b=2 hq=2 hkv=2 sq=18 sk=18 d=64");
    const fsattn_problem *p = &plan.problem;
    test_operands dense;
    test_operands_init(&dense, p);
    enum { pad = 80, rows = 18, heads = 2, batches = 2, total = batches * heads * rows * pad };
    static float q[total], o[total];
    for (int i = 0; i < total; i++) {
        q[i] = NAN;
        o[i] = 12345;
    }
    for (int b = 0; b < batches; b++) {
        for (int h = 0; h < heads; h++) {
            for (int s = 0; s < rows; s++) {
                memcpy(q + ((b * heads + h) * rows + s) * pad, dense.q + test_row(p, heads, rows, b, h, s),
                       head_dim * sizeof(float));
            }
        }
    }
    int64_t half = heads * rows * head_dim; /* both batches see the first one's keys and values */
    memcpy(dense.k + half, dense.k, (size_t)half * sizeof(float));
    memcpy(dense.v + half, dense.v, (size_t)half * sizeof(float));
    const fsattn_arguments arguments = {.size = sizeof arguments,
                                        .q = {q, heads * rows * pad, rows * pad, pad},
                                        .k = {dense.k, 0, head_dim, heads * head_dim},
                                        .v = {dense.v, 0, head_dim, heads * head_dim},
                                        .o = {o, heads * rows * pad, rows * pad, pad}};
    cr_assert_eq(fsattn_run(f.context, &plan, &arguments, &err), FSATTN_OK, "%s", err.message);
    for (int b = 0; b < batches; b++) {
        for (int h = 0; h < heads; h++) {
            for (int s = 0; s < rows; s++) {
                const float *row = o + ((b * heads + h) * rows + s) * pad;
                memcpy(dense.o + test_row(p, heads, rows, b, h, s), row, head_dim * sizeof(float));
                cr_expect(row[head_dim] == 12345 && row[pad - 1] == 12345, "the padding was written");
            }
        }
    }
    cr_expect_lt(test_error(&dense), 1e-4);
    test_operands_fini(&dense);
    teardown(&f);
}

/* ---- wrong arguments ------------------------------------------------------------------------ */

static void expect_refused(const fixture *f, const fsattn_plan *plan, fsattn_arguments arguments,
                           const char *message) {
    fsattn_err err = {0};
    fsattn_status status = fsattn_run(f->context, plan, &arguments, &err);
    cr_expect_eq(status, FSATTN_INVALID, "expected '%s', got %s", message, fsattn_status_name(status));
    cr_expect_not_null(strstr(err.message, message), "expected '%s', got '%s'", message, err.message);
}

Test(run, wrong_operands_are_refused_by_name) {
    fixture f;
    setup(&f, 1);
    fsattn_plan plan = plan_of(&f, "b=2 hq=2 hkv=2 sq=16 sk=16 d=64 lse=1");
    test_operands t;
    test_operands_init(&t, &plan.problem);
    const fsattn_arguments good = test_arguments(&t);
    memset(t.o, 0, 2 * 2 * 16 * 64 * sizeof(float));
    fsattn_arguments a;
#define REFUSED(change, message)                                                                             \
    a = good;                                                                                                \
    change;                                                                                                  \
    expect_refused(&f, &plan, a, message)
    REFUSED(a.size = 0, "arguments.size");
    REFUSED(a.q.data = NULL, "arguments.q.data: is NULL");
    REFUSED(a.k.data = NULL, "arguments.k.data: is NULL");
    REFUSED(a.v.data = NULL, "arguments.v.data: is NULL");
    REFUSED(a.o.data = NULL, "arguments.o.data: is NULL");
    REFUSED(a.lse = NULL, "arguments.lse: is NULL");
    REFUSED(a.q.data = (char *)t.q + 2, "arguments.q.data: is not aligned");
    REFUSED(a.o.data = (char *)t.o + 1, "arguments.o.data: is not aligned");
    REFUSED(a.k.stride_s = -64, "arguments.k: negative stride");
    REFUSED(a.v.stride_b = INT64_MAX, "arguments.v: its strides reach past");
    REFUSED((a.v.stride_b = INT64_MAX / 4, a.v.stride_s = 1), "arguments.v: its strides reach past");
    REFUSED(a.o = ((fsattn_tensor){t.o, 2048, 64, 64}), "arguments.o: its rows overlap one another");
    REFUSED(a.o = ((fsattn_tensor){t.o, 0, 64, 128}), "arguments.o: its rows overlap one another");
    REFUSED(a.o = ((fsattn_tensor){t.o, 2048, 64, 63}), "arguments.o: its rows overlap one another");
    REFUSED(a.o = ((fsattn_tensor){t.o, 2047, 64, 128}), "arguments.o: its rows overlap one another");
    REFUSED(a.o.data = t.q, "arguments.o: overlaps q");
    REFUSED(a.o.data = t.k + 4095, "arguments.o: overlaps k");
    REFUSED(a.v.data = t.o + 4095, "arguments.o: overlaps v");
    REFUSED(a.lse = t.o + 4095, "arguments.lse: overlaps o");
    REFUSED(a.lse = t.k, "arguments.lse: overlaps k");
    for (int i = 0; i < 2 * 2 * 16 * 64; i++) {
        cr_assert_eq(t.o[i], 0, "a refused call wrote its output");
    }
    fsattn_plan without = plan_of(&f, "b=2 hq=2 hkv=2 sq=16 sk=16 d=64");
    expect_refused(&f, &without, good, "arguments.lse: is set");
    fsattn_err err;
    cr_expect_eq(fsattn_run(f.context, &plan, NULL, &err), FSATTN_INVALID);
    cr_expect_eq(fsattn_run(f.context, NULL, &good, &err), FSATTN_INVALID);
    cr_expect_eq(fsattn_run(NULL, &plan, &good, &err), FSATTN_INVALID);
    cr_expect_eq(fsattn_run(f.context, &plan, &good, &err), FSATTN_OK, "%s", err.message);
    test_operands_fini(&t);
    teardown(&f);
}

Test(run, a_plan_serves_what_it_was_found_for) {
    fixture f, other;
    setup(&f, 1);
    setup(&other, 1);
    fsattn_plan plan = plan_of(&f, "hq=2 hkv=2 sq=16 sk=16 d=64");
    test_operands t;
    test_operands_init(&t, &plan.problem);
    fsattn_arguments arguments = test_arguments(&t);
    fsattn_plan changed = plan;
    changed.problem.head_dim = 128;
    expect_refused(&f, &changed, arguments, "not the one it was found for");
    changed.problem.head_dim = -1;
    expect_refused(&f, &changed, arguments, "head_dim");
    changed = (fsattn_plan){0};
    expect_refused(&f, &changed, arguments, "not found in this context");
    expect_refused(&other, &plan, arguments, "not found in this context");
    test_operands_fini(&t);
    teardown(&other);
    teardown(&f);
}

/* ---- preparing ------------------------------------------------------------------------------ */

static int modules_of(const fixture *f) {
    int count = 0;
    for (const fsattn_loaded *loaded = f->context->modules; loaded; loaded = loaded->next) {
        count++;
    }
    return count;
}

static bool prepared(const fixture *f, const fsattn_plan *plan) {
    fsattn_plan_info info = {.size = sizeof info};
    cr_assert_eq(fsattn_plan_info_get(f->context, plan, &info, NULL), FSATTN_OK);
    return info.prepared;
}

Test(run, equal_code_is_loaded_once) {
    fixture f;
    setup(&f, 1);
    fsattn_plan plain = plan_of(&f, "d=64"), lse = plan_of(&f, "d=64 lse=1"),
                causal = plan_of(&f, "d=64 mask=causal");
    fsattn_err err = {0};
    cr_expect_not(prepared(&f, &plain));
    cr_expect_eq(fsattn_prepare(f.context, &plain, &err), FSATTN_OK, "%s", err.message);
    cr_expect(prepared(&f, &plain));
    cr_expect_not(prepared(&f, &lse));
    cr_expect_eq(fsattn_prepare(f.context, &plain, &err), FSATTN_OK);
    cr_expect_eq(fsattn_prepare(f.context, &lse, &err), FSATTN_OK);
    cr_expect_eq(modules_of(&f), 1);
    cr_expect_eq(fsattn_prepare(f.context, &causal, &err), FSATTN_OK);
    cr_expect_eq(modules_of(&f), 2);
    /* Once is enough for every plan with that record, also of other sizes. */
    fsattn_plan larger = plan_of(&f, "d=64 sq=77");
    cr_expect(prepared(&f, &larger));
    teardown(&f);
}

Test(run, warm_calls_allocate_nothing) {
    fixture f;
    setup(&f, 1);
    fsattn_plan plan = plan_of(&f, "hq=2 hkv=2 sq=40 sk=40 d=64");
    test_operands t;
    test_operands_init(&t, &plan.problem);
    fsattn_arguments arguments = test_arguments(&t);
    fsattn_err err = {0};
    cr_assert_eq(fsattn_run(f.context, &plan, &arguments, &err), FSATTN_OK, "%s", err.message);
    fsattn_memory_fail_after(1);
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(fsattn_run(f.context, &plan, &arguments, &err), FSATTN_OK, "%s", err.message);
    }
    fsattn_memory_fail_after(0);
    test_operands_fini(&t);
    teardown(&f);
}

/* On the host nothing is packed, and the calls are the same: one set of K and V, several sets of queries. */
Test(run, keys_and_values_are_given_once) {
    fixture f;
    setup(&f, 1);
    fsattn_plan plan = plan_of(&f, "hq=2 hkv=2 sq=40 sk=40 d=64"), fewer = plan_of(&f, "hq=4 hkv=2 sq=7 sk=40 d=64"),
                longer = plan_of(&f, "hq=2 hkv=2 sq=40 sk=41 d=64");
    fsattn_plan_info info = {.size = sizeof info};
    fsattn_packed packed = {.size = sizeof packed}, empty = packed;
    test_operands t, u;
    fsattn_err err = {0};
    test_operands_init(&t, &plan.problem);
    test_operands_init(&u, &fewer.problem);
    cr_assert_eq(fsattn_plan_info_get(f.context, &plan, &info, &err), FSATTN_OK);
    cr_expect_eq(info.packed_bytes, 0);
    fsattn_arguments keys = {.size = sizeof keys, .k.data = t.k, .v.data = t.v}, run = test_arguments(&t);
    cr_assert_eq(fsattn_pack(f.context, &plan, &keys, &packed, &err), FSATTN_OK, "%s", err.message);
    cr_expect_str_eq(packed.layout, "plain");
    run.k.data = run.v.data = NULL;
    cr_assert_eq(fsattn_run_packed(f.context, &plan, &packed, &run, &err), FSATTN_OK, "%s", err.message);
    cr_expect_lt(test_error(&t), 1e-4);
    fsattn_arguments other = test_arguments(&u);
    other.k.data = other.v.data = NULL;
    memcpy(u.k, t.k, 2 * 40 * 64 * sizeof *u.k);
    memcpy(u.v, t.v, 2 * 40 * 64 * sizeof *u.v);
    cr_assert_eq(fsattn_run_packed(f.context, &fewer, &packed, &other, &err), FSATTN_OK, "%s", err.message);
    cr_expect_lt(test_error(&u), 1e-4);
    /* What does not fit is named. */
    cr_expect_eq(fsattn_run_packed(f.context, &longer, &packed, &run, &err), FSATTN_INVALID);
    cr_expect_not_null(strstr(err.message, "packed.problem.s_k: is 40, the plan's is 41"), "%s", err.message);
    cr_expect_eq(fsattn_run_packed(f.context, &plan, &empty, &run, &err), FSATTN_INVALID);
    cr_expect_not_null(strstr(err.message, "holds nothing yet"), "%s", err.message);
    run.v.data = t.v;
    cr_expect_eq(fsattn_run_packed(f.context, &plan, &packed, &run, &err), FSATTN_INVALID);
    cr_expect_not_null(strstr(err.message, "arguments.v.data: is set"), "%s", err.message);
    run.v.data = NULL;
    strcpy(packed.layout, "mxfp6_k128");
    cr_expect_eq(fsattn_run_packed(f.context, &plan, &packed, &run, &err), FSATTN_INVALID);
    cr_expect_not_null(strstr(err.message, "lies as 'mxfp6_k128', this plan needs 'plain'"), "%s", err.message);
    keys.v.data = NULL;
    cr_expect_eq(fsattn_pack(f.context, &plan, &keys, &packed, &err), FSATTN_INVALID);
    cr_expect_not_null(strstr(err.message, "arguments.v.data: is NULL"), "%s", err.message);
    packed.size = 1;
    cr_expect_eq(fsattn_pack(f.context, &plan, &keys, &packed, &err), FSATTN_INVALID);
    test_operands_fini(&t);
    test_operands_fini(&u);
    teardown(&f);
}

Test(run, code_that_cannot_be_loaded_fails_its_plan_only) {
    fixture f;
    test_folder(f.folder);
    snprintf(f.path, sizeof f.path, "%s/test.fsc", f.folder);
    fsattn_fsc_writer *writer = test_writer();
    add_kernel(writer, f.folder, "d=64", "");
    add_kernel(writer, f.folder, "d=64 lse=1", "-DCONSTRUCTOR");
    test_record record;
    test_record_init(&record, "d=64 mask=causal", "no shared object", 16);
    test_add(writer, &record);
    size_t bytes;
    char *code = test_object(f.folder, "", &bytes);
    test_record_init(&record, "d=64 layout=bhsd", code, bytes);
    record.stage.entry = "another_entry";
    test_add(writer, &record);
    fsattn_free(code);
    test_publish(writer, f.path);
    open_context(&f, 1);
    const struct {
        const char *problem;
        fsattn_status status;
        const char *message;
    } cases[] = {{"d=64 lse=1", FSATTN_UNSUPPORTED, "test.fsc"},
                 {"d=64 mask=causal", FSATTN_CORRUPT, "test.fsc"},
                 {"d=64 layout=bhsd", FSATTN_NOT_FOUND, "another_entry"},
                 {"d=64", FSATTN_OK, ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fsattn_plan plan = plan_of(&f, cases[i].problem);
        for (int again = 0; again < 2; again++) {
            fsattn_err err = {0};
            cr_expect_eq(fsattn_prepare(f.context, &plan, &err), cases[i].status, "%s: %s", cases[i].problem,
                         err.message);
            cr_expect_not_null(strstr(err.message, cases[i].message), "%s", err.message);
            cr_expect_eq(prepared(&f, &plan), cases[i].status == FSATTN_OK);
        }
    }
    teardown(&f);
}
