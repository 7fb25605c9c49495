/* Temporary folders of killed processes are removed by the next one, those of living ones and anything else are not. */
#include "file.h"
#include "workplace.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char home[] = "/tmp/fsattn-test-XXXXXX";

static void make_home(void) {
    cr_assert_not_null(mkdtemp(home));
    setenv("TMPDIR", home, 1);
}

static void remove_home(void) {
    cr_assert_eq(fsattn_folder_remove(home, NULL), FSATTN_OK);
}

/* A process that has opened a workplace, says so and waits; its path. */
static pid_t child_with_workplace(char path[256]) {
    int said[2];
    cr_assert_eq(pipe(said), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        fsattn_workplace w;
        if (fsattn_workplace_open("fsattn-build-", &w, NULL) == FSATTN_OK) {
            char inside[300];
            snprintf(inside, sizeof inside, "%s/0", w.path);
            mkdir(inside, 0700);
            (void)!write(said[1], w.path, strlen(w.path) + 1);
        }
        close(said[1]);
        for (;;) {
            pause();
        }
    }
    close(said[1]);
    cr_assert_gt(read(said[0], path, 256), 0);
    close(said[0]);
    return pid;
}

static void end(pid_t pid) {
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

Test(workplace, what_a_killed_process_leaves_is_removed_by_the_next, .init = make_home, .fini = remove_home) {
    char dead[256], alive[256], link[300], target[300], precious[400], open_folder[300];
    const pid_t first = child_with_workplace(dead), second = child_with_workplace(alive);
    snprintf(target, sizeof target, "%s/target", home);
    snprintf(precious, sizeof precious, "%s/precious", target);
    snprintf(link, sizeof link, "%s/fsattn-build-link", home);
    snprintf(open_folder, sizeof open_folder, "%s/fsattn-build-mine", home);
    cr_assert_eq(mkdir(target, 0700), 0);
    cr_assert_eq(mkdir(precious, 0700), 0);
    cr_assert_eq(symlink(target, link), 0);
    cr_assert_eq(mkdir(open_folder, 0755), 0); /* not made by a workplace */
    end(first);
    fsattn_workplace w;
    fsattn_err err = {0};
    cr_assert_eq(fsattn_workplace_open("fsattn-build-", &w, &err), FSATTN_OK, "%s", err.message);
    cr_expect_not(fsattn_file_exists(dead), "the folder of the killed process is still there");
    cr_expect(fsattn_file_exists(alive), "the folder of a living process is gone");
    cr_expect(fsattn_file_exists(precious), "a link was followed");
    cr_expect(fsattn_file_exists(open_folder));
    cr_expect_not(fsattn_workplace_full(&w));
    fsattn_workplace_close(&w);
    end(second);
}

Test(workplace, no_folder_can_be_made) {
    setenv("TMPDIR", "/nonexistent/folder", 1);
    fsattn_workplace w = {0};
    fsattn_err err = {0};
    cr_expect_neq(fsattn_workplace_open("fsattn-build-", &w, &err), FSATTN_OK);
    cr_expect_not_null(strstr(err.message, "/nonexistent/folder"));
    cr_expect_not_null(strstr(err.hint, "TMPDIR"));
}

Test(workplace, one_that_is_removed_is_noticed, .init = make_home, .fini = remove_home) {
    fsattn_workplace w;
    fsattn_err err = {0};
    cr_assert_eq(fsattn_workplace_open("fsattn-build-", &w, &err), FSATTN_OK, "%s", err.message);
    cr_expect_eq(fsattn_workplace_check(&w, &err), FSATTN_OK);
    cr_assert_eq(fsattn_folder_remove(w.path, NULL), FSATTN_OK);
    cr_expect_eq(fsattn_workplace_check(&w, &err), FSATTN_IO);
    cr_expect_not_null(strstr(err.message, "was removed"));
    cr_assert_eq(mkdir(w.path, 0700), 0);
    cr_expect_eq(fsattn_workplace_check(&w, &err), FSATTN_IO, "another folder of the same name");
    fsattn_workplace_close(&w);
}
