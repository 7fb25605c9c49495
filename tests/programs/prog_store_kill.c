/* Sixteen writers put 200 results each into one store and are killed at random moments, again and again,
 * until all are through: every result whose put returned OK reads back, with its content. Exit 0 passes. */
#include "../support/sample_record.h"
#include "file.h"
#include "random.h"
#include "store.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifdef SANITIZED
enum { writers = 16, puts_each = 40, kill_limit = 40, kills_wanted = 8 };
#else
enum { writers = 16, puts_each = 200, kill_limit = 100, kills_wanted = 16 };
#endif

/* Shared by all processes: how many puts of each writer were acknowledged. */
typedef struct board {
    _Atomic int acknowledged[writers];
} board;

static fsattn_store_result result_of(sample *s, int number) {
    static const double samples[] = {1, 2, 3};
    sample_record(s, number);
    return (fsattn_store_result){.record = s->record,
                                 .verdict = FSATTN_VERDICT_OK,
                                 .reason = "",
                                 .samples = samples,
                                 .sample_count = 3};
}

static int write_rest(board *shared, const char *path, int writer) {
    fsattn_store *store;
    fsattn_err err = {0};
    if (fsattn_store_open(path, NULL, &store, &err) != FSATTN_OK) {
        fprintf(stderr, "writer %d: %s\n", writer, err.message);
        return 1;
    }
    for (int i = shared->acknowledged[writer]; i < puts_each; i++) {
        sample s;
        fsattn_store_result result = result_of(&s, writer * puts_each + i);
        if (fsattn_store_result_put(store, &result, &err) != FSATTN_OK) {
            fprintf(stderr, "writer %d, put %d: %s\n", writer, i, err.message);
            return 1;
        }
        shared->acknowledged[writer] = i + 1;
    }
    fsattn_store_close(store);
    return 0;
}

static pid_t start(board *shared, const char *path, int writer) {
    pid_t pid = fork();
    if (pid == 0) {
        _exit(write_rest(shared, path, writer));
    }
    return pid;
}

/* Runs all writers to their end; returns how many were killed, or -1 when one failed on its own. */
static int run(board *shared, const char *path) {
    pid_t pids[writers];
    int living = writers, kills = 0, failures = 0;
    for (int i = 0; i < writers; i++) {
        pids[i] = start(shared, path, i);
    }
    for (uint64_t round = 0; living > 0; round++) {
        usleep((useconds_t)(500 + fsattn_random_below(1, 0, round, 5000)));
        int victim = (int)fsattn_random_below(1, 1, round, writers);
        if (pids[victim] > 0 && kills < kill_limit && !failures) {
            kill(pids[victim], SIGKILL);
        }
        for (int i = 0; i < writers; i++) {
            int status;
            if (pids[i] <= 0 || waitpid(pids[i], &status, WNOHANG) != pids[i]) {
                continue;
            }
            bool killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
            kills += killed;
            failures += !killed && status != 0;
            pids[i] = killed ? start(shared, path, i) : 0;
            living -= pids[i] <= 0;
        }
    }
    return failures ? -1 : kills;
}

static int check(const board *shared, const char *path) {
    fsattn_store *store;
    fsattn_err err = {0};
    int missing = 0;
    int64_t rows, defects;
    if (fsattn_store_open(path, NULL, &store, &err) != FSATTN_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    for (int number = 0; number < writers * puts_each; number++) {
        sample s;
        fsattn_arena arena = {0};
        fsattn_store_result expected = result_of(&s, number), result = {0};
        bool found = false;
        if (number % puts_each < shared->acknowledged[number / puts_each]) {
            fsattn_store_result_find(store, &expected.record.result_key, &arena, &result, &found, &err);
            bool same = found && !strcmp(result.record.configuration, s.configuration) &&
                        result.sample_count == 3 && result.samples[2] == 3 &&
                        fsattn_store_blobs_load(store, &arena, &result.record, &err) == FSATTN_OK &&
                        !memcmp(result.record.stages[0].code.data, s.code, strlen(s.code));
            missing += !same;
        }
        fsattn_arena_fini(&arena);
    }
    if (fsattn_store_verify(store, &rows, &defects, &err) != FSATTN_OK || defects) {
        fprintf(stderr, "the store has %lld defects\n", (long long)defects);
        missing++;
    }
    fsattn_store_close(store);
    return missing;
}

int main(void) {
    char folder[] = "/tmp/prog_store_kill.XXXXXX", path[64];
    board *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (!mkdtemp(folder) || shared == MAP_FAILED) {
        return 1;
    }
    snprintf(path, sizeof path, "%s/tune.db", folder);
    int kills = run(shared, path), missing = check(shared, path), unfinished = 0;
    for (int i = 0; i < writers; i++) {
        unfinished += shared->acknowledged[i] != puts_each;
    }
    printf("%d killed, %d unfinished, %d lost\n", kills, unfinished, missing);
    fsattn_folder_remove(folder, NULL);
    munmap(shared, sizeof *shared);
    return kills < kills_wanted || unfinished || missing;
}
