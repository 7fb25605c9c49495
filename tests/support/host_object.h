/* host_object.h - for tests: a private folder, and naive_kernel.c compiled into it by the system's compiler. */
#ifndef FSATTN_TEST_HOST_OBJECT_H
#define FSATTN_TEST_HOST_OBJECT_H

#include "file.h"
#include "memory.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A new folder that only the user may enter; the caller removes it with fsattn_folder_remove. */
static inline void test_folder(char path[64]) {
    strcpy(path, "/tmp/fsattn-test-XXXXXX");
    if (!mkdtemp(path)) {
        perror("mkdtemp");
        abort();
    }
}

/* Runs a command line of the test's own making; its output goes to the test's. */
static inline void test_run(const char *command) {
    int status = system(command);
    if (status != 0) {
        fprintf(stderr, "failed (%d): %s\n", status, command);
        abort();
    }
}

/* The bytes of the object compiled with `options` after the usual ones; fsattn_free. */
static inline char *test_object(const char *folder, const char *options, size_t *bytes) {
    char command[2048], path[128], *data;
    snprintf(path, sizeof path, "%s/kernel.so", folder);
    snprintf(command, sizeof command,
             "cc -std=gnu11 -O2 -fPIC -shared -nostdlib -fvisibility=hidden -fno-tree-loop-distribute-patterns "
             "-I'%s/templates/lib' %s -o '%s' '%s/tests/support/naive_kernel.c'",
             FSATTN_SOURCE_DIR, options, path, FSATTN_SOURCE_DIR);
    test_run(command);
    if (fsattn_file_read(path, 1 << 24, &data, bytes, NULL) != FSATTN_OK) {
        abort();
    }
    return data;
}

#endif
