/* Child processes: descriptors, limits, and nobody left behind. */
#include "file.h"
#include "memory.h"
#include "process.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/fsattn-test-XXXXXX";

static void make_folder(void) {
    cr_assert_not_null(mkdtemp(folder));
}

static void remove_folder(void) {
    cr_assert_eq(fsattn_folder_remove(folder, NULL), FSATTN_OK);
}

/* Runs a shell command with its output in a file; what it printed, fsattn_free. */
static char *output_of(const char *command, const int *fds, size_t fd_count, fsattn_process *process) {
    char path[128], *text;
    size_t bytes;
    fsattn_err err = {0};
    snprintf(path, sizeof path, "%s/output", folder);
    const char *argv[] = {"/bin/sh", "-c", command, NULL};
    fsattn_process_start start = {.argv = argv, .folder = folder, .output = path, .fd_count = fd_count};
    for (size_t i = 0; i < fd_count; i++) {
        start.fds[i] = fds[i];
    }
    cr_assert_eq(fsattn_process_open(&start, process, &err), FSATTN_OK, "%s", err.message);
    const int64_t deadline = fsattn_clock_ns() + 20000000000;
    while (!fsattn_process_reap(process) && fsattn_clock_ns() < deadline) {
        fsattn_process_wait(process, 1, deadline, NULL);
    }
    cr_assert(process->ended);
    cr_assert_eq(fsattn_file_read(path, 1 << 16, &text, &bytes, &err), FSATTN_OK, "%s", err.message);
    return text;
}

Test(process, a_child_has_the_descriptors_it_is_given_and_no_others, .init = make_folder, .fini = remove_folder) {
    int high[80];
    for (size_t i = 0; i < sizeof high / sizeof *high; i++) { /* inheritable, on both sides of 64 */
        cr_assert_geq(high[i] = open("/dev/null", O_RDONLY), 0);
    }
    const int fds[] = {high[79], high[0]};
    fsattn_process process;
    char *text = output_of("echo /proc/$$/fd/*", fds, 2, &process);
    size_t count = 0;
    for (char *word = strtok(text, " \n"); word; word = strtok(NULL, " \n"), count++) {
        cr_expect_leq(atoi(strrchr(word, '/') + 1), 5, "%s was inherited", word); /* 5 is what the shell lists them with */
    }
    cr_expect_eq(count, 6u);
    fsattn_process_close(&process);
    fsattn_free(text);
}

Test(process, few_descriptors_are_enough, .init = make_folder, .fini = remove_folder) {
    const struct rlimit few = {64, 64};
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
    const int fds[] = {open("/dev/null", O_RDONLY), open("/dev/zero", O_RDONLY), open("/dev/null", O_RDONLY)};
    fsattn_process process;
    char *text = output_of("readlink /proc/$$/fd/3 /proc/$$/fd/4 /proc/$$/fd/5", fds, 3, &process);
    cr_expect_str_eq(text, "/dev/null\n/dev/zero\n/dev/null\n");
    fsattn_process_close(&process);
    fsattn_free(text);
}

/* The group is killed before its leader's number is free for others, not when the owner comes round to closing. */
Test(process, what_a_child_leaves_behind_goes_when_it_is_reaped, .init = make_folder, .fini = remove_folder) {
    fsattn_process process;
    char *text = output_of("sleep 1000 & echo $!", NULL, 0, &process);
    const pid_t left = atoi(text);
    char state = '?', path[64];
    snprintf(path, sizeof path, "/proc/%d/stat", left);
    for (int i = 0; i < 200 && state != 'Z' && state != '-'; i++) { /* orphans are reaped by whoever is init here, or not */
        usleep(10000);
        state = '-';
        int fd = open(path, O_RDONLY);
        if (fd >= 0) {
            char line[512] = "";
            (void)!read(fd, line, sizeof line - 1);
            close(fd);
            const char *end = strrchr(line, ')');
            state = end && strlen(end) > 2 ? end[2] : '-';
        }
    }
    cr_expect(state == 'Z' || state == '-', "process %d is in state %c", left, state);
    fsattn_process_close(&process);
    kill(left, SIGKILL);
    fsattn_free(text);
}

Test(process, a_processor_time_limit_does_not_look_like_somebody_elses_kill, .init = make_folder, .fini = remove_folder, .timeout = 30) {
    const char *argv[] = {"/bin/sh", "-c", "while :; do :; done", NULL};
    const fsattn_process_start start = {.argv = argv, .cpu_s = 0.5};
    fsattn_process process;
    cr_assert_eq(fsattn_process_open(&start, &process, NULL), FSATTN_OK);
    const int64_t deadline = fsattn_clock_ns() + 20000000000;
    while (!fsattn_process_reap(&process) && fsattn_clock_ns() < deadline) {
        fsattn_process_wait(&process, 1, deadline, NULL);
    }
    cr_assert(process.ended);
    cr_expect_eq(WTERMSIG(process.status), SIGXCPU, "signal %d", WTERMSIG(process.status));
    fsattn_process_close(&process);
}
