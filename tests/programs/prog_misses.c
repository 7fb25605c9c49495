/* What becomes of problems that nothing tuned serves: logged once, tuned in the background by a script that stands for the
 * tuner, used from the next call on; a tuner that fails, is missing, publishes nothing or hangs fails no call. Exit 0 passes;
 * run under TSan too. */
#include "context.h"
#include "miss_tuner.h"
#include "../support/cache_fixture.h"
#include "../support/expect.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>

enum { callers = 16, tuned_rows = 16, fails = 113, publishes_nothing = 114, hangs = 115, is_no_cache = 116, first = 20, count = 12 };

static char folder[64], base_path[128], script[128], ready[128], compiled[128], log_path[128];
static fsattn_context *context;

typedef struct told {
    _Atomic int count;
    fsattn_err last;
} told;

static void tell(void *data, const fsattn_err *err) {
    told *self = data;
    self->last = *err; /* of one thread at a time: read after the context is closed */
    atomic_fetch_add(&self->count, 1);
}

static void write_cache(const char *path, int rows, const char *code, size_t bytes) {
    char problem[128];
    test_record record;
    fsattn_fsc_writer *writer = test_writer();
    snprintf(problem, sizeof problem, "hq=2 hkv=1 sq=%d sk=%d d=64", rows, rows);
    test_record_init(&record, problem, code, bytes);
    test_add(writer, &record);
    test_publish(writer, path);
}

/* The base cache, one file for each problem that the script will "tune", and the script. */
static void prepare(void) {
    char path[160];
    size_t bytes;
    test_folder(folder);
    snprintf(base_path, sizeof base_path, "%s/base.fsc", folder);
    snprintf(script, sizeof script, "%s/tuner.sh", folder);
    snprintf(ready, sizeof ready, "%s/ready", folder);
    snprintf(compiled, sizeof compiled, "%s/compiled", folder);
    snprintf(log_path, sizeof log_path, "%s/misses.txt", folder);
    EXPECT(fsattn_folder_make(ready, NULL) == FSATTN_OK);
    char *code = test_object(folder, "", &bytes);
    write_cache(base_path, tuned_rows, code, bytes);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "%s/%d.fsc", ready, first + i);
        write_cache(path, first + i, code, bytes);
    }
    fsattn_free(code);
    static const char text[] =
        "#!/bin/sh\n"
        "# FOLDER --from-misses FILE --store FILE --cache FILE\n"
        "[ $# -eq 7 ] && [ \"$2 $4 $6\" = \"--from-misses --store --cache\" ] || exit 9\n"
        "rows=$(sed -n 's/^attention_fwd .* sq=\\([0-9]*\\) .*$/\\1/p' \"$3\")\n"
        "case $rows in\n"
        "113) echo first; echo the compiler is broken; exit 3;;\n"
        "114) echo nothing to do; exit 0;;\n"
        "115) echo $$ >\"$1/pid\"; exec sleep 1000;;\n"
        "116) echo no cache >\"$7\"; exit 0;;\n"
        "*) cp \"$1/$rows.fsc\" \"$7\"; echo \"$rows\" >>\"$1/tuned\";;\n"
        "esac\n";
    EXPECT(fsattn_file_publish(script, text, strlen(text), 0755, NULL) == FSATTN_OK);
}

static void open_context(const char *program, told *warned) {
    const char *const command[] = {program, ready, NULL};
    fsattn_options options;
    fsattn_err err = {0};
    fsattn_options_init(&options);
    options.threads = 2;
    options.caches = &(const char *){base_path};
    options.cache_count = 1;
    options.warn = tell;
    options.warn_data = warned;
    options.miss_log = log_path;
    options.on_miss = FSATTN_MISS_COMPILE;
    options.tuner = command;
    options.compiled_folder = compiled;
    if (fsattn_open(&options, &context, &err) != FSATTN_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
}

static fsattn_problem problem_of(int rows) {
    fsattn_problem problem;
    fsattn_problem_init(&problem);
    problem.heads_q = 2;
    problem.s_q = problem.s_k = rows;
    problem.head_dim = 64;
    return problem;
}

/* A call is served, by whatever there is; what it was. */
static fsattn_plan_source served(int rows) {
    fsattn_problem problem = problem_of(rows);
    fsattn_plan plan = {0};
    test_operands operands;
    EXPECT(fsattn_plan_find(context, &problem, NULL, &plan, NULL) == FSATTN_OK);
    test_operands_init(&operands, &problem);
    fsattn_arguments arguments = test_arguments(&operands);
    EXPECT(fsattn_run(context, &plan, &arguments, NULL) == FSATTN_OK);
    EXPECT(test_error(&operands) < 1e-4);
    test_operands_fini(&operands);
    return plan.source;
}

static fsattn_miss_info counts(void) {
    fsattn_miss_info info = {.size = sizeof info};
    EXPECT(fsattn_miss_info_get(context, &info, NULL) == FSATTN_OK);
    return info;
}

/* Until that many have come to an end, however long it takes; the test's limit is the harness's. */
static void wait_for(uint64_t ended) {
    while (counts().compiled + counts().failed < ended) {
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

static int lines_of(const char *path) {
    char *data;
    size_t bytes;
    int lines = 0;
    if (fsattn_file_read(path, 1 << 20, &data, &bytes, NULL) != FSATTN_OK) {
        return -1;
    }
    for (size_t i = 0; i < bytes; i++) {
        lines += data[i] == '\n';
    }
    fsattn_free(data);
    return lines;
}

static void *caller(void *argument) {
    int offset = (int)(intptr_t)argument;
    for (int i = 0; i < 2 * count; i++) {
        int rows = first + (offset + i) % count;
        fsattn_plan_source source = served(rows);
        EXPECT(source == FSATTN_PLAN_TUNED || source == FSATTN_PLAN_NEAREST);
    }
    return NULL;
}

/* Many threads miss the same problems: each is logged and tuned once, and serves from then on. */
static void misses_are_tuned_once(void) {
    pthread_t threads[callers];
    char path[160];
    told warned = {0};
    open_context(script, &warned);
    EXPECT(served(tuned_rows) == FSATTN_PLAN_TUNED);
    EXPECT(counts().noted == 0);
    for (intptr_t i = 0; i < callers; i++) {
        EXPECT(pthread_create(&threads[i], NULL, caller, (void *)i) == 0);
    }
    for (int i = 0; i < callers; i++) {
        pthread_join(threads[i], NULL);
    }
    wait_for(count);
    fsattn_miss_info info = counts();
    EXPECT(info.noted == count && info.queued == count && info.compiled == count && info.failed == 0);
    for (int i = 0; i < count; i++) {
        EXPECT(served(first + i) == FSATTN_PLAN_TUNED);
    }
    EXPECT(counts().noted == count);
    snprintf(path, sizeof path, "%s/tuned", ready);
    EXPECT(lines_of(path) == count && lines_of(log_path) == count);
    fsattn_close(context);
    EXPECT(warned.count == 0);
    /* A later context finds what an earlier one had made, and tunes nothing. */
    open_context(script, &warned);
    EXPECT(served(first) == FSATTN_PLAN_TUNED && counts().noted == 0);
    fsattn_close(context);
    EXPECT(lines_of(path) == count);
}

/* What another process has published since this one opened its folder is used, and not tuned again. */
static void what_another_process_made_is_used(void) {
    char from[160], tuned[160], *path = NULL, *data = NULL;
    size_t bytes;
    told warned = {0};
    const fsattn_problem problem = problem_of(first);
    snprintf(from, sizeof from, "%s/%d.fsc", ready, first);
    snprintf(tuned, sizeof tuned, "%s/tuned", ready);
    EXPECT(fsattn_miss_tuner_path(compiled, &problem, &path, NULL) == FSATTN_OK);
    EXPECT(unlink(path) == 0);
    open_context(script, &warned);
    EXPECT(fsattn_file_read(from, 1 << 24, &data, &bytes, NULL) == FSATTN_OK);
    EXPECT(fsattn_file_publish(path, data, bytes, 0644, NULL) == FSATTN_OK);
    EXPECT(served(first) == FSATTN_PLAN_NEAREST);
    wait_for(1);
    EXPECT(served(first) == FSATTN_PLAN_TUNED && counts().compiled == 1 && lines_of(tuned) == count);
    fsattn_close(context);
    EXPECT(warned.count == 0);
    fsattn_free(data);
    fsattn_free(path);
}

/* However the tuner fails, calls are served by the nearest plan, the reason is told, and it is not tried again. */
static void a_failing_tuner_fails_no_call(void) {
    static const struct {
        int rows;
        const char *message;
    } cases[] = {{fails, "exit status 3: first the compiler is broken"},
                 {publishes_nothing, "published nothing: nothing to do"},
                 {is_no_cache, "is not a cache file"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        told warned = {0};
        open_context(script, &warned);
        for (int call = 0; call < 3; call++) {
            EXPECT(served(cases[i].rows) == FSATTN_PLAN_NEAREST);
            wait_for(1);
        }
        fsattn_miss_info info = counts();
        EXPECT(info.noted == 1 && info.failed == 1 && info.compiled == 0);
        fsattn_close(context);
        EXPECT(warned.count == 1);
        if (!strstr(warned.last.message, cases[i].message)) {
            fprintf(stderr, "case %zu: '%s'\n", i, warned.last.message);
            failures++;
        }
        fsattn_problem problem = problem_of(cases[i].rows);
        char *path = NULL;
        EXPECT(fsattn_miss_tuner_path(compiled, &problem, &path, NULL) == FSATTN_OK);
        unlink(path);
        fsattn_free(path);
    }
    told warned = {0};
    open_context("/nonexistent/tuner", &warned);
    EXPECT(served(fails) == FSATTN_PLAN_NEAREST);
    wait_for(1);
    EXPECT(served(fails) == FSATTN_PLAN_NEAREST);
    fsattn_close(context);
    EXPECT(warned.count == 1 && strstr(warned.last.message, "cannot be started: No such file"));
}

/* Closing ends a tuner that hangs, and everything that it started. */
static void closing_does_not_wait(void) {
    char path[160], *data = NULL;
    size_t bytes;
    told warned = {0};
    open_context(script, &warned);
    EXPECT(served(hangs) == FSATTN_PLAN_NEAREST);
    EXPECT(served(fails) == FSATTN_PLAN_NEAREST); /* waits behind it */
    snprintf(path, sizeof path, "%s/pid", ready);
    while (fsattn_file_read(path, 64, &data, &bytes, NULL) != FSATTN_OK || !bytes) {
        fsattn_free(data);
        data = NULL;
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
    fsattn_close(context);
    EXPECT(kill(-(pid_t)atoi(data), 0) != 0); /* its group is gone */
    EXPECT(warned.count == 0);
    fsattn_free(data);
}

/* The log alone starts nothing and also has problems that nothing serves at all; options that do not fit are refused. */
static void the_log_alone(void) {
    char path[128];
    fsattn_options options;
    fsattn_err err = {0};
    fsattn_plan plan;
    fsattn_problem problem = problem_of(50);
    snprintf(path, sizeof path, "%s/other.txt", folder);
    fsattn_options_init(&options);
    options.threads = 1;
    options.caches = &(const char *){base_path};
    options.cache_count = 1;
    options.miss_log = path;
    EXPECT(fsattn_open(&options, &context, &err) == FSATTN_OK);
    for (int i = 0; i < 3; i++) {
        EXPECT(fsattn_plan_find(context, &problem, NULL, &plan, NULL) == FSATTN_OK);
    }
    problem.head_dim = 96;
    EXPECT(fsattn_plan_find(context, &problem, NULL, &plan, NULL) == FSATTN_NOT_FOUND);
    /* Tuned already, and not accurate enough: tuning it again would change nothing. */
    const fsattn_accuracy wanted = {.size = sizeof wanted, .maximum_error = 1e-9};
    problem = problem_of(tuned_rows);
    EXPECT(fsattn_plan_find(context, &problem, &wanted, &plan, NULL) == FSATTN_NOT_FOUND);
    fsattn_miss_info info = counts();
    EXPECT(info.noted == 2 && info.queued == 0);
    /* Two descriptions of the same work: one miss, of the first; none when the second is tuned. */
    fsattn_problem other = problem_of(51);
    problem = other;
    other.layout = other.layout == FSATTN_BSHD ? FSATTN_BHSD : FSATTN_BSHD;
    const fsattn_problem *const either[] = {&other, &problem};
    EXPECT(fsattn_plan_find_first(context, either, 2, NULL, &plan, NULL) == FSATTN_OK);
    EXPECT(plan.source == FSATTN_PLAN_NEAREST && plan.problem.layout == problem.layout && counts().noted == 3);
    problem.s_q = problem.s_k = other.s_q = other.s_k = tuned_rows;
    EXPECT(fsattn_plan_find_first(context, either, 2, NULL, &plan, NULL) == FSATTN_OK);
    EXPECT(plan.source == FSATTN_PLAN_TUNED && counts().noted == 3);
    problem.head_dim = other.head_dim = 96;
    EXPECT(fsattn_plan_find_first(context, either, 2, NULL, &plan, NULL) == FSATTN_NOT_FOUND && counts().noted == 4);
    EXPECT(fsattn_plan_find_first(context, either, 0, NULL, &plan, NULL) == FSATTN_INVALID);
    fsattn_close(context);
    EXPECT(lines_of(path) == 4);
    options.miss_log = "/dev/null/log";
    EXPECT(fsattn_open(&options, &context, &err) == FSATTN_IO && strstr(err.message, "options.miss_log"));
    options.miss_log = NULL;
    options.on_miss = FSATTN_MISS_COMPILE;
    EXPECT(fsattn_open(&options, &context, &err) == FSATTN_INVALID && strstr(err.message, "options.tuner"));
    options.tuner = (const char *const[]){"true", NULL};
    options.trust = FSATTN_TRUST_SIGNED;
    options.signers = (const char *const[]){"0000000000000000000000000000000000000000000000000000000000000000"};
    options.signer_count = 1;
    options.cache_count = 0;
    EXPECT(fsattn_open(&options, &context, &err) == FSATTN_INVALID && strstr(err.message, "is not signed"));
    options.on_miss = (fsattn_on_miss)5;
    EXPECT(fsattn_open(&options, &context, &err) == FSATTN_INVALID && strstr(err.message, "options.on_miss"));
}

int main(void) {
    prepare();
    misses_are_tuned_once();
    what_another_process_made_is_used();
    a_failing_tuner_fails_no_call();
    closing_does_not_wait();
    the_log_alone();
    fsattn_folder_remove(folder, NULL);
    printf("%d failures\n", (int)failures);
    return failures != 0;
}
