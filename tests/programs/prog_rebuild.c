/* A tuned kernel for another processor is compiled anew from the source in its cache file, by fsattn-rebuild in the background, and
 * serves from then on; a compiler that fails, a source that is wrong and a file that may not be trusted fail no call. Exit 0
 * passes; run under TSan too. */
#include "context.h"
#include "miss_tuner.h"
#include "rebuild.h"
#include "../support/cache_fixture.h"
#include "../support/expect.h"

#include <stdatomic.h>
#include <sys/stat.h>
#include <time.h>

enum { rows = 48, other_rows = 64, runnable_rows = 16 };

static char folder[64], compiled[128], options_text[512];
static char *source;
static size_t source_bytes;

typedef struct told {
    _Atomic int count;
    fsattn_err last;
} told;

static void tell(void *data, const fsattn_err *err) {
    told *self = data;
    self->last = *err; /* read after the context is closed */
    atomic_fetch_add(&self->count, 1);
}

/* What the record of a cache file is like. */
typedef struct making {
    int rows, tile_n; /* 0: the sample's */
    bool runnable, sourceless, unproven;
    const char *more_options;
} making;

static const char *cache_of(const char *name, const making *what, size_t count) {
    static char path[160];
    fsattn_fsc_writer *writer = test_writer();
    snprintf(path, sizeof path, "%s/%s.fsc", folder, name);
    for (size_t i = 0; i < count; i++) {
        char problem[128], options[700], *code;
        size_t bytes;
        test_record record;
        code = test_object(folder, "", &bytes);
        snprintf(problem, sizeof problem, "hq=2 hkv=1 sq=%d sk=%d d=64", what[i].rows, what[i].rows);
        snprintf(options, sizeof options, "%s %s", options_text, what[i].more_options ? what[i].more_options : "");
        test_record_init(&record, problem, code, bytes);
        record.record.isa = what[i].runnable ? record.cpu.arch : "x86_64+tomorrow";
        record.record.options = options;
        record.stage.tile_n = what[i].tile_n ? what[i].tile_n : record.stage.tile_n;
        record.record.unproven = what[i].unproven;
        if (!what[i].sourceless) {
            record.record.source = (fsattn_blob){.data = source, .bytes = source_bytes};
        }
        test_add(writer, &record);
        fsattn_free(code);
    }
    test_publish(writer, path);
    return path;
}

static void prepare(void) {
    test_folder(folder);
    snprintf(compiled, sizeof compiled, "%s/compiled", folder);
    /* Options for another processor are replaced by those for this one. */
    snprintf(options_text, sizeof options_text, "-std=gnu11 -O2 -fno-tree-loop-distribute-patterns -I%s/templates/lib -fPIC -mavx512f", FSATTN_SOURCE_DIR);
    EXPECT(fsattn_file_read(FSATTN_SOURCE_DIR "/tests/support/naive_kernel.c", 1 << 20, &source, &source_bytes, NULL) == FSATTN_OK);
}

static char *script(const char *name, const char *text) {
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    EXPECT(fsattn_file_publish(path, text, strlen(text), 0755, NULL) == FSATTN_OK);
    return fsattn_strdup(path);
}

static fsattn_context *open_context(const char *cache, const char *const *compiler, const char *const *tuner, told *warned) {
    fsattn_context *context = NULL;
    fsattn_options options;
    fsattn_err err = {0};
    fsattn_options_init(&options);
    options.threads = 1;
    options.caches = &cache;
    options.cache_count = 1;
    options.skip_bad_caches = true;
    options.warn = tell;
    options.warn_data = warned;
    options.on_miss = FSATTN_MISS_COMPILE;
    options.compiler = compiler;
    options.tuner = tuner;
    options.compiled_folder = compiled;
    if (fsattn_open(&options, &context, &err) != FSATTN_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    return context;
}

/* What serves a call, which must be right; -1: nothing does. */
static int served(fsattn_context *context, int size) {
    fsattn_plan plan;
    fsattn_problem problem;
    test_operands operands;
    fsattn_err err = {0};
    fsattn_problem_init(&problem);
    problem.heads_q = 2;
    problem.s_q = problem.s_k = size;
    problem.head_dim = 64;
    if (fsattn_plan_find(context, &problem, NULL, &plan, NULL) != FSATTN_OK) {
        return -1;
    }
    test_operands_init(&operands, &problem);
    fsattn_arguments arguments = test_arguments(&operands);
    const fsattn_status status = fsattn_run(context, &plan, &arguments, &err);
    EXPECT(status == FSATTN_OK);
    EXPECT(test_error(&operands) < 1e-4);
    test_operands_fini(&operands);
    return (int)plan.source;
}

static fsattn_miss_info counts(const fsattn_context *context) {
    fsattn_miss_info info = {.size = sizeof info};
    EXPECT(fsattn_miss_info_get(context, &info, NULL) == FSATTN_OK);
    return info;
}

static void wait_for(const fsattn_context *context, uint64_t ended) {
    while (counts(context).compiled + counts(context).failed < ended) {
        nanosleep(&(struct timespec){.tv_nsec = 2000000}, NULL);
    }
}

static const char *const rebuilder[] = {FSATTN_BINARY_DIR "/bin/fsattn-rebuild", NULL};

static void it_serves_once_it_is_compiled(void) {
    const making makings[] = {{.rows = runnable_rows, .runnable = true}, {.rows = rows}};
    const char *cache = cache_of("exact", makings, 2);
    told warned = {0};
    fsattn_context *context = open_context(cache, rebuilder, NULL, &warned);
    EXPECT(served(context, rows) == FSATTN_PLAN_NEAREST);
    wait_for(context, 1);
    EXPECT(served(context, rows) == FSATTN_PLAN_TUNED);
    EXPECT(counts(context).compiled == 1 && counts(context).failed == 0);
    fsattn_problem problem;
    fsattn_plan plan;
    fsattn_plan_info info = {.size = sizeof info};
    EXPECT(fsattn_problem_parse("hq=2 hkv=1 sq=48 sk=48 d=64", &problem, NULL) == FSATTN_OK);
    EXPECT(fsattn_plan_find(context, &problem, NULL, &plan, NULL) == FSATTN_OK);
    EXPECT(fsattn_plan_info_get(context, &plan, &info, NULL) == FSATTN_OK);
    EXPECT(info.time_ns == 1e6 && info.cosine <= 0.999999 && !strncmp(info.cache, compiled, strlen(compiled)));
    fsattn_close(context);
    EXPECT(warned.count == 0);
    /* A later context has it, and compiles nothing. */
    context = open_context(cache, rebuilder, NULL, &warned);
    EXPECT(served(context, rows) == FSATTN_PLAN_TUNED && counts(context).noted == 0);
    fsattn_close(context);
    fsattn_folder_remove(compiled, NULL);
}

/* Nothing runs here at all: the nearest kernel is compiled, and serves sizes that nobody tuned. */
static void the_nearest_one_where_nothing_runs(void) {
    const making makings[] = {{.rows = rows}, {.rows = 4 * rows}};
    told warned = {0};
    fsattn_context *context = open_context(cache_of("nearest", makings, 2), rebuilder, NULL, &warned);
    EXPECT(served(context, other_rows) == -1);
    wait_for(context, 1);
    EXPECT(served(context, other_rows) == FSATTN_PLAN_NEAREST);
    EXPECT(served(context, rows) == FSATTN_PLAN_TUNED);
    EXPECT(counts(context).compiled == 1 && counts(context).failed == 0);
    /* What is nearest to this one runs now, though what is farther away does not: nothing is compiled, which is told. */
    EXPECT(served(context, other_rows + 1) == FSATTN_PLAN_NEAREST);
    wait_for(context, 2);
    EXPECT(counts(context).compiled == 1 && counts(context).failed == 1);
    fsattn_close(context);
    EXPECT(warned.count == 2 && strstr(warned.last.message, "nearer to this problem")); /* and that no record runs */
    fsattn_folder_remove(compiled, NULL);
}

/* A program that stands for the rebuilder: notes each start in the log, waits for the file `go`, then does `then`. */
static char *noting_script(const char *name, const char *then, char log[160], char go[160]) {
    char text[1024];
    snprintf(log, 160, "%s/%s.log", folder, name);
    snprintf(go, 160, "%s/%s.go", folder, name);
    snprintf(text, sizeof text, "#!/bin/sh\necho started >>'%s'\nwhile [ ! -e '%s' ]; do sleep 0.01; done\n%s\n", log, go, then);
    return script(name, text);
}

static int starts_of(const char *log) {
    char *data;
    size_t bytes;
    int lines = 0;
    if (fsattn_file_read(log, 1 << 20, &data, &bytes, NULL) != FSATTN_OK) {
        return 0;
    }
    for (size_t i = 0; i < bytes; i++) {
        lines += data[i] == '\n';
    }
    fsattn_free(data);
    return lines;
}

/* The record that is nearest to many problems, and another with the same source, fail once and not once for each problem; a failure that
 * is the machine's is tried again for the next one. */
static void what_failed_is_not_compiled_again(void) {
    const struct {
        const char *name, *then;
        int starts;
    } cases[] = {{"fails.sh", "exit 7", 1}, {"full.sh", "exit 4", 4}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const making makings[] = {{.rows = runnable_rows, .runnable = true}, {.rows = rows}, {.rows = 4 * rows}};
        char log[160], go[160];
        told warned = {0};
        char *failing = noting_script(cases[i].name, cases[i].then, log, go);
        const char *const compiler[] = {failing, NULL};
        EXPECT(fsattn_file_publish(go, "", 0, 0600, NULL) == FSATTN_OK);
        fsattn_context *context = open_context(cache_of("hopeless", makings, 3), compiler, NULL, &warned);
        const int sizes[] = {rows, other_rows, other_rows + 1, 4 * rows};
        for (int asked = 0; asked < 4; asked++) {
            EXPECT(served(context, sizes[asked]) == FSATTN_PLAN_NEAREST);
            wait_for(context, (uint64_t)asked + 1);
        }
        EXPECT(counts(context).failed == 4 && counts(context).compiled == 0);
        EXPECT(starts_of(log) == cases[i].starts);
        fsattn_close(context);
        EXPECT(warned.count == 4);
        fsattn_free(failing);
    }
    fsattn_folder_remove(compiled, NULL);
}

/* Two problems wait, and what is compiled for the first is exactly the second's: it is not compiled again. */
static void what_was_published_meanwhile_is_not_compiled_again(void) {
    const making makings[] = {{.rows = runnable_rows, .runnable = true}, {.rows = rows}};
    char log[160], go[160], then[256];
    told warned = {0};
    snprintf(then, sizeof then, "exec '%s' \"$@\"", rebuilder[0]);
    char *waiting = noting_script("waits.sh", then, log, go);
    const char *const compiler[] = {waiting, NULL};
    fsattn_context *context = open_context(cache_of("meanwhile", makings, 2), compiler, NULL, &warned);
    EXPECT(served(context, other_rows) == FSATTN_PLAN_NEAREST);
    EXPECT(served(context, rows) == FSATTN_PLAN_NEAREST);
    EXPECT(counts(context).queued == 2);
    EXPECT(fsattn_file_publish(go, "", 0, 0600, NULL) == FSATTN_OK);
    wait_for(context, 2);
    EXPECT(served(context, rows) == FSATTN_PLAN_TUNED);
    EXPECT(counts(context).compiled == 2 && counts(context).failed == 0);
    EXPECT(starts_of(log) == 1);
    fsattn_close(context);
    EXPECT(warned.count == 0);
    fsattn_free(waiting);
    fsattn_folder_remove(compiled, NULL);
}

/* A file of earlier runs that is damaged is told in one line, named by fsattn_explain, and in nobody's way: the next file serves, and what is
 * compiled takes its place. */
static void a_damaged_file_blocks_nothing(void) {
    const making makings[] = {{.rows = runnable_rows, .runnable = true}, {.rows = rows}};
    char *path = NULL, text[4096];
    fsattn_problem problem;
    told warned = {0};
    EXPECT(fsattn_problem_parse("hq=2 hkv=1 sq=48 sk=48 d=64", &problem, NULL) == FSATTN_OK);
    EXPECT(fsattn_folder_make(compiled, NULL) == FSATTN_OK);
    EXPECT(fsattn_miss_tuner_path(compiled, &problem, &path, NULL) == FSATTN_OK);
    EXPECT(fsattn_file_publish(path, "not a cache", 11, 0600, NULL) == FSATTN_OK);
    fsattn_context *context = open_context(cache_of("damaged", makings, 2), rebuilder, NULL, &warned);
    EXPECT(fsattn_explain(context, &problem, NULL, text, sizeof text, NULL, NULL) == FSATTN_OK);
    EXPECT(strstr(text, "file not used: ") && strstr(text, path));
    EXPECT(served(context, rows) == FSATTN_PLAN_NEAREST);
    wait_for(context, 1);
    EXPECT(counts(context).compiled == 1 && counts(context).failed == 0);
    EXPECT(served(context, rows) == FSATTN_PLAN_TUNED);
    EXPECT(fsattn_explain(context, &problem, NULL, text, sizeof text, NULL, NULL) == FSATTN_OK);
    EXPECT(!strstr(text, "file not used: "));
    fsattn_close(context);
    EXPECT(warned.count == 1 && strstr(warned.last.message, path));
    fsattn_free(path);
    fsattn_folder_remove(compiled, NULL);
}

/* However it fails, the nearest plan serves, the reason is told once, and the tuner has its turn. */
static void failures_fail_no_call(void) {
    char *broken = script("broken.sh", "#!/bin/sh\necho no compiler today; exit 3\n");
    char *tuner = script("tuner.sh", "#!/bin/sh\necho nothing found; exit 0\n");
    const struct {
        making making;
        const char *compiler, *tuner, *message;
        int warnings;
    } cases[] = {{{.rows = rows}, broken, NULL, "exit status 3: no compiler today", 1},
                 {{.rows = rows}, "/nonexistent/compiler", NULL, "cannot be started", 1},
                 {{.rows = rows}, broken, tuner, "published nothing: nothing found", 2},
                 {{.rows = rows, .more_options = "-DOFFSET=0.01f"}, rebuilder[0], NULL, "compiled anew it is wrong", 1},
                 {{.rows = rows, .more_options = "-Dfsattn_attention=other"}, rebuilder[0], NULL, "fsattn_attention", 1},
                 {{.rows = rows, .more_options = "-DHEAD_DIM="}, rebuilder[0], NULL, "does not compile here", 1},
                 {{.rows = rows, .sourceless = true}, broken, NULL, "no cache file has the source", 1},
                 {{.rows = rows, .unproven = true}, broken, NULL, "no cache file has the source", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const making makings[] = {{.rows = runnable_rows, .runnable = true}, cases[i].making};
        const char *const compiler[] = {cases[i].compiler, NULL}, *const tune[] = {cases[i].tuner, NULL};
        told warned = {0};
        fsattn_context *context = open_context(cache_of("failing", makings, 2), compiler, cases[i].tuner ? tune : NULL, &warned);
        for (int call = 0; call < 3; call++) {
            EXPECT(served(context, rows) == FSATTN_PLAN_NEAREST);
            wait_for(context, 1);
        }
        EXPECT(counts(context).failed == 1 && counts(context).compiled == 0);
        fsattn_close(context);
        if (warned.count != cases[i].warnings || !strstr(warned.last.message, cases[i].message)) {
            fprintf(stderr, "case %zu: %d warnings, '%s'\n", i, (int)warned.count, warned.last.message);
            failures++;
        }
    }
    fsattn_free(broken);
    fsattn_free(tuner);
    fsattn_folder_remove(compiled, NULL);
}

/* The same code launched in another way is another result of the same build. */
static void another_launch_is_another_result(void) {
    fsattn_hash builds[2], results[2];
    for (int i = 0; i < 2; i++) {
        char path[160], output[160];
        const making what = {.rows = rows, .tile_n = i ? 32 : 0};
        const fsattn_rebuild_settings settings = {.device = "host", .build_time_limit_s = 60};
        fsattn_fsc *fsc = NULL;
        size_t made = 0;
        snprintf(path, sizeof path, "%s", cache_of("launch", &what, 1));
        snprintf(output, sizeof output, "%s/launched.fsc", folder);
        EXPECT(fsattn_rebuild_file(&settings, path, output, &made, NULL) == FSATTN_OK && made == 1);
        EXPECT(fsattn_fsc_open(output, NULL, NULL, &fsc, NULL) == FSATTN_OK);
        builds[i] = fsattn_fsc_at(fsc, 0)->build_key;
        results[i] = fsattn_fsc_at(fsc, 0)->result_key;
        fsattn_fsc_close(fsc);
    }
    EXPECT(fsattn_hash_compare(&builds[0], &builds[1]) == 0);
    EXPECT(fsattn_hash_compare(&results[0], &results[1]) != 0);
}

/* Somebody else could have written the source: it is not even looked at, by the library or by the program. */
static void an_untrusted_file_is_not_compiled(void) {
    char witness[128], text[256], output[160];
    const making makings[] = {{.rows = rows}};
    const char *cache = cache_of("untrusted", makings, 1);
    EXPECT(chmod(cache, 0666) == 0);
    snprintf(witness, sizeof witness, "%s/started", folder);
    snprintf(text, sizeof text, "#!/bin/sh\ntouch %s; exit 1\n", witness);
    char *spy = script("spy.sh", text);
    const char *const compiler[] = {spy, NULL};
    told warned = {0};
    fsattn_context *context = open_context(cache, compiler, NULL, &warned);
    EXPECT(served(context, rows) == -1);
    wait_for(context, 1);
    fsattn_close(context);
    EXPECT(!fsattn_file_exists(witness));
    fsattn_free(spy);
    const fsattn_rebuild_settings settings = {.device = "host", .build_time_limit_s = 60};
    fsattn_err err = {0};
    size_t made = 0;
    snprintf(output, sizeof output, "%s/out.fsc", folder);
    EXPECT(fsattn_rebuild_file(&settings, cache, output, &made, &err) == FSATTN_UNTRUSTED && !fsattn_file_exists(output));
    EXPECT(chmod(cache, 0600) == 0);
    EXPECT(fsattn_rebuild_file(&settings, cache, output, &made, &err) == FSATTN_OK && made == 1);
}

int main(void) {
    prepare();
    it_serves_once_it_is_compiled();
    the_nearest_one_where_nothing_runs();
    what_failed_is_not_compiled_again();
    what_was_published_meanwhile_is_not_compiled_again();
    a_damaged_file_blocks_nothing();
    failures_fail_no_call();
    an_untrusted_file_is_not_compiled();
    another_launch_is_another_result();
    fsattn_free(source);
    fsattn_folder_remove(folder, NULL);
    printf("%d failures\n", (int)failures);
    return failures != 0;
}
