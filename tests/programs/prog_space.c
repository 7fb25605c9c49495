/* Nothing leaks: spaces that load and spaces that do not, valid sets that are built and that fail, and both with memory
 * ending at every allocation. A plain program, because Criterion hides leaks. */
#include "enumerate.h"
#include "error.h"
#include "file.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char templates[] = FSATTN_SOURCE_DIR "/templates";

/* Each stops in another part of the reader, the last but one when its valid set is built; the last is right. */
static const char *const files[] = {
    "",
    "template: attention_host\ndevice: *a\n",
    "template: attention_host\ndevice: host\nproblems: [{s: [1, 2], d: 64}, {s: [3, 3]}]\n",
    "template: attention_host\ndevice: host\nproblems: [{name: a, s: [1, 2], d: 64}]\nsets: {b: [c]}\n",
    "template: attention_host\ndevice: host\nproblems: [{d: 64}]\nstrategy: {a: 1, b: 2, seed: x}\n",
    "template: attention_host\ndevice: host\nproblems: [{d: 64}]\nparameters: {tile_m: [32, 33]}\n",
    "template: attention_host\ndevice: host\nproblems: [{d: 64}]\nconstraints: [tile_m > 1, tile_m >]\n",
    "template: attention_host\ndevice: host\nproblems: [{d: 64}]\nparameters: {tile_m: [96, 192]}\n"
    "constraints: [tile_m % 0 == 1]\n",
    "template: attention_host\ndevice: host\nproblems: [{name: a, s: [1, 2], d: 64}]\nsets: {b: [a]}\n"
    "parameters: {tile_m: [96, 192], unroll: [1, 2], reg_n: [2, 3]}\nconstraints: [tile_m * reg_n > 200]\n",
};

static fsattn_status run(const char *path, fsattn_err *err) {
    fsattn_space *space;
    fsattn_enumeration *enumeration;
    FSATTN_TRY(fsattn_space_load(path, templates, &space, err));
    fsattn_setting setting = {&space->problems[0].problem, "x86_64+avx+avx2+fma"};
    fsattn_status status = fsattn_enumeration_create(space, &setting, &enumeration, err);
    if (status == FSATTN_OK) {
        fsattn_enumeration_destroy(enumeration);
    }
    fsattn_space_destroy(space);
    return status;
}

static int check(const char *path, size_t index) {
    fsattn_err err = {0};
    bool loads = index + 1 == sizeof files / sizeof *files;
    if (fsattn_file_publish(path, files[index], strlen(files[index]), 0600, &err) != FSATTN_OK ||
        (run(path, &err) == FSATTN_OK) != loads) {
        fprintf(stderr, "file %zu: %s\n", index, err.message);
        return 1;
    }
    fsattn_status status = FSATTN_NO_MEMORY;
    for (int64_t allocations = 1; allocations < 20000 && status == FSATTN_NO_MEMORY; allocations += 37) {
        fsattn_memory_fail_after(allocations);
        status = run(path, &err);
        fsattn_memory_fail_after(0);
    }
    if (status != (loads ? FSATTN_OK : FSATTN_PARSE)) {
        fprintf(stderr, "file %zu without memory: %s\n", index, err.message);
        return 1;
    }
    return 0;
}

int main(void) {
    char path[] = "/tmp/fsattn-prog-space-XXXXXX";
    int file = mkstemp(path), failures = file < 0;
    for (size_t i = 0; file >= 0 && i < sizeof files / sizeof *files; i++) {
        failures += check(path, i);
    }
    if (file >= 0) {
        close(file);
        unlink(path);
    }
    return failures != 0;
}
