/* Many threads find, prepare, run and ask while cache files are added: every answer is right, every code
 * object is loaded once. Exit 0 passes; run under TSan too. */
#include "context.h"
#include "../support/cache_fixture.h"
#include "../support/expect.h"

#include <pthread.h>
#include <stdatomic.h>

enum { finders = 6, file_count = 12, rounds = 40 };

static fsattn_context *context;
static char folder[64];
static _Atomic int files_added;

static void path_of(int number, char path[128]) {
    snprintf(path, 128, "%s/%d.fsc", folder, number);
}

/* File i is for s_q = s_k = 16 + i; two code objects in turn, and the later the file the faster what it says.
 */
static void write_files(void) {
    char *code[2], path[128];
    size_t bytes[2];
    code[0] = test_object(folder, "-DTILE_M=16", &bytes[0]);
    code[1] = test_object(folder, "-DTILE_M=8", &bytes[1]);
    for (int i = 0; i < file_count; i++) {
        char problem[128];
        test_record record;
        fsattn_fsc_writer *writer = test_writer();
        snprintf(problem, sizeof problem, "hq=2 hkv=1 sq=%d sk=%d d=64", 16 + i, 16 + i);
        test_record_init(&record, problem, code[i % 2], bytes[i % 2]);
        record.stage.tile_m = i % 2 ? 8 : 16;
        test_add(writer, &record);
        path_of(i, path);
        test_publish(writer, path);
    }
    fsattn_free(code[0]);
    fsattn_free(code[1]);
}

static void find_and_run(int64_t rows) {
    fsattn_problem problem;
    fsattn_plan plan;
    fsattn_plan_info info = {.size = sizeof info};
    test_operands operands;
    int known = files_added; /* before the search: what is published is never lost again */
    fsattn_problem_init(&problem);
    problem.heads_q = 2;
    problem.s_q = problem.s_k = rows;
    problem.head_dim = 64;
    EXPECT(fsattn_plan_find(context, &problem, NULL, &plan, NULL) == FSATTN_OK);
    EXPECT(plan.source == (rows < 16 + known ? FSATTN_PLAN_TUNED : plan.source));
    EXPECT(fsattn_prepare(context, &plan, NULL) == FSATTN_OK);
    EXPECT(fsattn_plan_info_get(context, &plan, &info, NULL) == FSATTN_OK && info.prepared);
    test_operands_init(&operands, &problem);
    fsattn_arguments arguments = test_arguments(&operands);
    EXPECT(fsattn_run(context, &plan, &arguments, NULL) == FSATTN_OK);
    EXPECT(test_error(&operands) < 1e-4);
    test_operands_fini(&operands);
}

static void *finder(void *argument) {
    int seed = (int)(intptr_t)argument;
    for (int i = 0; i < rounds; i++) {
        char text[64];
        size_t needed;
        fsattn_problem problem;
        find_and_run(16 + (seed * 7 + i * 5) % file_count);
        EXPECT(fsattn_problem_at(context, 0, &problem, NULL) == FSATTN_OK);
        EXPECT(fsattn_explain(context, &problem, NULL, text, sizeof text, &needed, NULL) == FSATTN_OK);
    }
    return NULL;
}

static void *adder(void *argument) {
    (void)argument;
    for (int i = 1; i < file_count; i++) {
        char path[128];
        fsattn_err err;
        path_of(i, path);
        EXPECT(fsattn_cache_add(context, path, &err) == FSATTN_OK);
        files_added = i + 1;
    }
    return NULL;
}

int main(void) {
    pthread_t threads[finders + 1];
    char path[128];
    fsattn_options options;
    fsattn_err err;
    test_folder(folder);
    write_files();
    path_of(0, path);
    fsattn_options_init(&options);
    options.threads = 2;
    options.caches = &(const char *){path};
    options.cache_count = 1;
    if (fsattn_open(&options, &context, &err) != FSATTN_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    files_added = 1;
    for (int i = 0; i <= finders; i++) {
        EXPECT(pthread_create(&threads[i], NULL, i < finders ? finder : adder, (void *)(intptr_t)i) == 0);
    }
    for (int i = 0; i <= finders; i++) {
        pthread_join(threads[i], NULL);
    }
    int modules = 0;
    for (const fsattn_loaded *loaded = context->modules; loaded; loaded = loaded->next) {
        modules++;
    }
    EXPECT(modules == 2);
    fsattn_close(context);
    fsattn_folder_remove(folder, NULL);
    printf("%d failures\n", (int)failures);
    return failures != 0;
}
