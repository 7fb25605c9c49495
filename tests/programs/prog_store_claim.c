/* Eight processes start at once on a store that does not exist and want the same builds: all succeed, and
 * each source is compiled once. A process that is killed while it compiles leaves the claim to the next. Exit
 * 0 passes. */
#include "../support/sample_record.h"
#include "file.h"
#include "store.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { processes = 8, keys = 24 };

typedef struct board {
    _Atomic int ready, compiled[keys + 1], right;
} board;

/* Gets build number `key` from the store, or compiles it; `die` ends the process in the middle of that. */
static int get(fsattn_store *store, board *shared, int key, bool die) {
    sample s;
    fsattn_arena arena = {0};
    fsattn_store_build build = {0};
    fsattn_store_claim claim;
    fsattn_err err = {0};
    bool found;
    sample_record(&s, key);
    fsattn_status status =
        fsattn_store_build_begin(store, &s.record.build_key, true, &arena, &build, &found, &claim, &err);
    if (status == FSATTN_OK && !found) {
        shared->compiled[key]++;
        if (die) {
            kill(getpid(), SIGKILL);
        }
        usleep(3000); /* long enough for the others to come to the same key */
        build = (fsattn_store_build){.build_key = s.record.build_key,
                                     .verdict = FSATTN_VERDICT_OK,
                                     .source = {.data = s.source, .bytes = strlen(s.source)},
                                     .code = {.data = s.code, .bytes = strlen(s.code)}};
        status = fsattn_store_build_finish(store, &claim, &build, &err);
    }
    bool right = status == FSATTN_OK && build.code.bytes == strlen(s.code) &&
                 !memcmp(build.code.data, s.code, build.code.bytes);
    if (!right) {
        fprintf(stderr, "key %d: %s\n", key, err.message);
    }
    shared->right += right;
    fsattn_arena_fini(&arena);
    return !right;
}

static int work(board *shared, const char *path) {
    fsattn_store *store;
    fsattn_err err = {0};
    int failures = 0;
    shared->ready++;
    while (shared->ready < processes) {
        /* a spinning start is the closest to "at once" */
    }
    if (fsattn_store_open(path, NULL, &store, &err) != FSATTN_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    for (int key = 0; key < keys; key++) {
        failures += get(store, shared, key, false);
    }
    fsattn_store_close(store);
    return failures != 0;
}

static int wait_for(pid_t pid) {
    int status;
    return waitpid(pid, &status, 0) == pid ? status : -1;
}

int main(void) {
    char folder[] = "/tmp/prog_store_claim.XXXXXX", path[64];
    pid_t pids[processes];
    board *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    int failures = 0, wrong_counts = 0;
    if (!mkdtemp(folder) || shared == MAP_FAILED) {
        return 1;
    }
    snprintf(path, sizeof path, "%s/not/yet/there/tune.db", folder);
    for (int i = 0; i < processes; i++) {
        pids[i] = fork();
        if (pids[i] == 0) {
            _exit(work(shared, path));
        }
    }
    for (int i = 0; i < processes; i++) {
        failures += wait_for(pids[i]) != 0;
    }
    for (int key = 0; key < keys; key++) {
        wrong_counts += shared->compiled[key] != 1;
    }
    failures += shared->right != processes * keys;

    fsattn_store *store;
    pid_t doomed = fork();
    if (doomed == 0) {
        _exit(fsattn_store_open(path, NULL, &store, NULL) != FSATTN_OK || get(store, shared, keys, true));
    }
    int status = wait_for(doomed);
    failures += !WIFSIGNALED(status) || WTERMSIG(status) != SIGKILL;
    if (fsattn_store_open(path, NULL, &store, NULL) != FSATTN_OK || get(store, shared, keys, false)) {
        failures++;
    }
    wrong_counts += shared->compiled[keys] != 2;
    fsattn_store_close(store);
    printf("%d failures, %d keys not compiled once\n", failures, wrong_counts);
    fsattn_folder_remove(folder, NULL);
    munmap(shared, sizeof *shared);
    return failures || wrong_counts;
}
