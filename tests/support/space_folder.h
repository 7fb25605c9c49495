/* space_folder.h - a temporary folder with one template and space files, for tests of the space reader. */
#ifndef SPACE_FOLDER_H
#define SPACE_FOLDER_H

#include "file.h"
#include "space.h"
#include "text.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct space_folder {
    char path[64], templates[96], manifest[128], space[96];
} space_folder;

static inline void space_folder_write(const char *path, const char *text, size_t bytes) {
    FILE *file = fopen(path, "w"); /* not fsattn_file_publish: its fsync would dominate the tests */
    cr_assert_not_null(file);
    cr_assert_eq(fwrite(text, 1, bytes, file), bytes);
    cr_assert_eq(fclose(file), 0);
}

/* A template "toy" with `parameters` and `constraints` (the inside of Lua tables). */
static inline void space_folder_make(space_folder *folder, const char *parameters, const char *constraints) {
    fsattn_err err;
    snprintf(folder->path, sizeof folder->path, "/tmp/fsattn-space-XXXXXX");
    cr_assert_not_null(mkdtemp(folder->path));
    snprintf(folder->templates, sizeof folder->templates, "%s/templates", folder->path);
    snprintf(folder->space, sizeof folder->space, "%s/toy.yaml", folder->path);
    snprintf(folder->manifest, sizeof folder->manifest, "%s/toy", folder->templates);
    cr_assert_eq(fsattn_folder_make(folder->manifest, &err), FSATTN_OK, "%s", err.message);
    char source[160];
    snprintf(source, sizeof source, "%s/kernel.c.in", folder->manifest);
    space_folder_write(source, "", 0);
    snprintf(folder->manifest, sizeof folder->manifest, "%s/toy/manifest.lua", folder->templates);
    fsattn_text text = {0};
    fsattn_text_printf(&text,
                       "return { name = 'toy', operation = 'attention_fwd', target = 'host', source = 'kernel.c.in',\n"
                       "entry = 'toy', abi = 1, supports = { \"problem.head_dim <= 256\" },\n"
                       "launch = { work_items = 'query_tiles', tile_m = '32', tile_n = '32' },\n"
                       "parameters = {\n%s},\nconstraints = {\n%s},\n}\n",
                       parameters, constraints);
    cr_assert(!text.failed);
    space_folder_write(folder->manifest, text.data, text.bytes);
    fsattn_text_fini(&text);
}

static inline void space_folder_remove(const space_folder *folder) {
    cr_assert_eq(fsattn_folder_remove(folder->path, NULL), FSATTN_OK);
}

static inline fsattn_status space_folder_load(const space_folder *folder, const char *yaml, fsattn_space **space,
                                              fsattn_err *err) {
    space_folder_write(folder->space, yaml, strlen(yaml));
    return fsattn_space_load(folder->space, folder->templates, space, err);
}

#endif
