/* 64 threads over 1,000 problems on one context: every search finds its own record, one code object is loaded once, results are
 * right; and once warm, no call of any thread allocates (counted by the allocator itself, not by its callers). Exit 0 passes; run
 * under TSan too. */
#include "context.h"
#include "../support/cache_fixture.h"
#include "../support/expect.h"

#include <pthread.h>
#include <stdatomic.h>

enum { thread_count = 64, problem_count = 1000, runs = 12 };

static fsattn_context *context;
static fsattn_problem problems[problem_count];

/* ---- an allocator that counts, where no sanitizer brings its own ---- */

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && defined(__GLIBC__)
#define COUNTS_ALLOCATIONS 1
static _Thread_local long allocations;
extern void *__libc_malloc(size_t bytes);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t bytes);
void *malloc(size_t bytes) {
    allocations++;
    return __libc_malloc(bytes);
}
void *calloc(size_t count, size_t size) {
    allocations++;
    return __libc_calloc(count, size);
}
void *realloc(void *old, size_t bytes) {
    allocations++;
    return __libc_realloc(old, bytes);
}
#else
#define COUNTS_ALLOCATIONS 0
static _Thread_local long allocations;
#endif

/* 20 numbers of rows, 5 of further keys, 5 of heads and 2 of batches: 1,000 in all, every one of them small. */
static fsattn_problem problem_of(int number) {
    fsattn_problem problem;
    fsattn_problem_init(&problem);
    problem.head_dim = 64;
    problem.s_q = 1 + number % 20;
    problem.s_k = problem.s_q + number / 20 % 5;
    problem.heads_q = 1 + number / 100 % 5;
    problem.heads_kv = 1;
    problem.batch = 1 + number / 500;
    return problem;
}

static void open_context(const char *folder) {
    char path[128], configuration[32];
    size_t bytes;
    fsattn_options options;
    fsattn_err err = {0};
    fsattn_fsc_writer *writer = test_writer();
    char *code = test_object(folder, "", &bytes);
    for (int i = 0; i < problem_count; i++) {
        test_record record;
        problems[i] = problem_of(i);
        test_record_init(&record, "d=64", code, bytes);
        snprintf(configuration, sizeof configuration, "number=%d", i);
        record.record.problem = problems[i];
        record.record.configuration = configuration;
        test_add(writer, &record);
    }
    fsattn_free(code);
    snprintf(path, sizeof path, "%s/many.fsc", folder);
    test_publish(writer, path);
    fsattn_options_init(&options);
    options.threads = 2;
    options.caches = &(const char *){path};
    options.cache_count = 1;
    if (fsattn_open(&options, &context, &err) != FSATTN_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
}

static void run(int number, fsattn_plan *plan, bool warm) {
    test_operands operands;
    test_operands_init(&operands, &problems[number]);
    fsattn_arguments arguments = test_arguments(&operands);
    long before = allocations;
    EXPECT(fsattn_run(context, plan, &arguments, NULL) == FSATTN_OK);
    EXPECT(!warm || allocations == before);
    EXPECT(test_error(&operands) < 1e-4);
    test_operands_fini(&operands);
}

/* Every problem, from another one on in each thread. */
static void *visit(void *argument) {
    int start = (int)(intptr_t)argument * (problem_count / thread_count);
    fsattn_plan plan;
    fsattn_plan_info info = {.size = sizeof info};
    char expected[32];
    long before = allocations;
    for (int i = 0; i < problem_count; i++) {
        int number = (start + i * 7) % problem_count; /* 7 shares no factor with 1,000 */
        fsattn_problem other = problems[number];
        EXPECT(fsattn_plan_find(context, &problems[number], NULL, &plan, NULL) == FSATTN_OK);
        EXPECT(plan.source == FSATTN_PLAN_TUNED && fsattn_plan_info_get(context, &plan, &info, NULL) == FSATTN_OK);
        snprintf(expected, sizeof expected, "number=%d", number);
        EXPECT(!strcmp(info.configuration, expected));
        if (i % 50 == 0) {
            other.s_k += 1000;
            EXPECT(fsattn_plan_find(context, &other, NULL, &plan, NULL) == FSATTN_OK);
            EXPECT(plan.source == FSATTN_PLAN_NEAREST && plan.distance > 0);
        }
    }
    EXPECT(allocations == before);
    for (int i = 0; i < runs; i++) {
        int number = (start + i * 83) % problem_count;
        EXPECT(fsattn_plan_find(context, &problems[number], NULL, &plan, NULL) == FSATTN_OK);
        EXPECT(fsattn_prepare(context, &plan, NULL) == FSATTN_OK);
        run(number, &plan, false);
    }
    return NULL;
}

int main(void) {
    static pthread_t threads[thread_count];
    char folder[64];
    test_folder(folder);
    open_context(folder);
    for (intptr_t i = 0; i < thread_count; i++) {
        EXPECT(pthread_create(&threads[i], NULL, visit, (void *)i) == 0);
    }
    for (int i = 0; i < thread_count; i++) {
        pthread_join(threads[i], NULL);
    }
    /* Warm: the largest first, so that scratch has its size. */
    fsattn_plan plan;
    for (int round = 0; round < 2; round++) {
        for (int number = problem_count - 1; number >= 0; number -= 97) {
            EXPECT(fsattn_plan_find(context, &problems[number], NULL, &plan, NULL) == FSATTN_OK);
            run(number, &plan, round == 1);
        }
    }
    free(malloc(1)); /* the counter itself: it must see this one */
    EXPECT(!COUNTS_ALLOCATIONS || allocations > 0);
    int modules = 0;
    for (const fsattn_loaded *loaded = context->modules; loaded; loaded = loaded->next) {
        modules++;
    }
    EXPECT(modules == 1);
    fsattn_close(context);
    fsattn_folder_remove(folder, NULL);
    printf("%d failures, allocations %s\n", (int)failures, COUNTS_ALLOCATIONS ? "counted" : "not counted");
    return failures != 0;
}
