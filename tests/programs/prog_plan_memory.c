/* Memory ends at every allocation in turn: opening, adding, preparing, running and explaining fail cleanly,
 * leave what was there as it was, and leak nothing (LeakSanitizer ends the program otherwise). Exit 0 passes.
 */
#include "context.h"
#include "../support/cache_fixture.h"
#include "../support/expect.h"

static char folder[64], first[128], second[128];

static void write_file(const char *path, const char *problem, const char *code, size_t bytes) {
    test_record record, foreign;
    fsattn_fsc_writer *writer = test_writer();
    test_record_init(&record, problem, code, bytes);
    test_add(writer, &record);
    test_record_init(&foreign, problem, code, bytes);
    foreign.record.isa = "vax";
    test_add(writer, &foreign);
    test_publish(writer, path);
}

static fsattn_problem problem_of(const char *text) {
    fsattn_problem problem;
    EXPECT(test_problem_parse(text, &problem, NULL) == FSATTN_OK);
    return problem;
}

static fsattn_status open_first(fsattn_context **context, fsattn_err *err) {
    fsattn_options options;
    fsattn_options_init(&options);
    options.threads = 1;
    options.caches = &(const char *){first};
    options.cache_count = 1;
    return fsattn_open(&options, context, err);
}

typedef struct session {
    fsattn_context *context;
    fsattn_plan plan;
    test_operands operands;
} session;

static fsattn_status step_open(session *s, fsattn_err *err) {
    fsattn_context *context = NULL;
    fsattn_status status = open_first(&context, err);
    EXPECT((status == FSATTN_OK) == (context != NULL));
    fsattn_close(context);
    (void)s;
    return status;
}

static fsattn_status step_add(session *s, fsattn_err *err) {
    fsattn_problem there = problem_of("d=64"), added = problem_of("d=64 mask=causal");
    fsattn_plan plan;
    fsattn_status status = fsattn_cache_add(s->context, second, err);
    EXPECT(fsattn_plan_find(s->context, &there, NULL, &plan, NULL) == FSATTN_OK);
    EXPECT((fsattn_plan_find(s->context, &added, NULL, &plan, NULL) == FSATTN_OK) == (status == FSATTN_OK));
    return status;
}

static fsattn_status step_explain(session *s, fsattn_err *err) {
    char text[16];
    return fsattn_explain(s->context, &s->plan.problem, NULL, text, sizeof text, NULL, err);
}

static fsattn_status step_prepare(session *s, fsattn_err *err) {
    return fsattn_prepare(s->context, &s->plan, err);
}

static fsattn_status step_run(session *s, fsattn_err *err) {
    fsattn_arguments arguments = test_arguments(&s->operands);
    return fsattn_run(s->context, &s->plan, &arguments, err);
}

int main(void) {
    static const struct {
        const char *name;
        fsattn_status (*run)(session *s, fsattn_err *err);
        int least; /* allocations it makes */
    } steps[] = {{"open", step_open, 5},
                 {"add", step_add, 5},
                 {"explain", step_explain, 1},
                 {"prepare", step_prepare, 3},
                 {"run", step_run, 1}};
    size_t bytes;
    session s = {0};
    fsattn_err err = {0};
    test_folder(folder);
    snprintf(first, sizeof first, "%s/first.fsc", folder);
    snprintf(second, sizeof second, "%s/second.fsc", folder);
    char *code = test_object(folder, "", &bytes);
    write_file(first, "d=64", code, bytes);
    write_file(second, "d=64 mask=causal", code, bytes);
    fsattn_free(code);
    fsattn_problem problem = problem_of("hq=2 hkv=2 sq=20 sk=20 d=64");
    EXPECT(open_first(&s.context, &err) == FSATTN_OK);
    EXPECT(fsattn_plan_find(s.context, &problem, NULL, &s.plan, &err) == FSATTN_OK);
    test_operands_init(&s.operands, &problem);
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        fsattn_status status = FSATTN_NO_MEMORY;
        int failed = 0;
        while (status != FSATTN_OK && failed < 10000) {
            fsattn_memory_fail_after(failed + 1);
            status = steps[i].run(&s, &err);
            fsattn_memory_fail_after(0);
            failed += status != FSATTN_OK;
            EXPECT(status == FSATTN_OK || status == FSATTN_NO_MEMORY);
        }
        printf("%s: failed cleanly at %d allocations\n", steps[i].name, failed);
        EXPECT(status == FSATTN_OK && failed >= steps[i].least);
    }
    EXPECT(test_error(&s.operands) < 1e-4);
    test_operands_fini(&s.operands);
    fsattn_close(s.context);
    fsattn_folder_remove(folder, NULL);
    printf("%d failures\n", (int)failures);
    return failures != 0;
}
