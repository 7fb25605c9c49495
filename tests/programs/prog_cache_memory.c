/* Every allocation of cache files and stores fails once: nothing crashes, leaks or is left half done. Exit 0
 * passes; leaks show under ASan. */
#include "../support/sample_record.h"
#include "file.h"
#include "memory.h"
#include "store.h"

#include <stdlib.h>

static char path[80], other_path[80];

/* Reads of a file what it should hold: `count` records, all sound. */
static int check_file(const fsattn_text *file, size_t count) {
    fsattn_fsc *fsc;
    fsattn_memory_fail_after(0);
    if (fsattn_fsc_open_bytes("a", file->data, file->bytes, NULL, NULL, &fsc, NULL) != FSATTN_OK) {
        return 1;
    }
    int wrong = fsattn_fsc_count(fsc) != count || fsattn_fsc_damaged(fsc);
    fsattn_fsc_close(fsc);
    return wrong;
}

static fsattn_status write_and_read(fsattn_text *file) {
    fsattn_fsc_writer *writer = NULL;
    fsattn_fsc *fsc = NULL;
    fsattn_status status = fsattn_fsc_writer_create(&writer, NULL);
    for (int i = 0; status == FSATTN_OK && i < 3; i++) {
        sample s;
        sample_record(&s, i);
        status = fsattn_fsc_writer_add(writer, &s.record, NULL);
    }
    if (status == FSATTN_OK) {
        status = fsattn_fsc_writer_encode(writer, NULL, file, NULL);
    }
    if (status == FSATTN_OK) {
        status = fsattn_fsc_open_bytes("a", file->data, file->bytes, NULL, NULL, &fsc, NULL);
    }
    fsattn_fsc_close(fsc);
    fsattn_fsc_writer_destroy(writer);
    return status;
}

static fsattn_status put(fsattn_store *store, int number) {
    sample s;
    sample_record(&s, number);
    fsattn_store_result result = {.record = s.record, .verdict = FSATTN_VERDICT_OK, .reason = ""};
    return fsattn_store_result_put(store, &result, NULL);
}

static fsattn_status compile(fsattn_store *store, int number) {
    sample s;
    fsattn_arena arena = {0};
    fsattn_store_build build = {0};
    fsattn_store_claim claim;
    bool found;
    sample_record(&s, number);
    fsattn_status status =
        fsattn_store_build_begin(store, &s.record.build_key, false, &arena, &build, &found, &claim, NULL);
    if (status == FSATTN_OK && !found) {
        build = (fsattn_store_build){.build_key = s.record.build_key,
                                     .verdict = FSATTN_VERDICT_OK,
                                     .source = {.data = s.source, .bytes = strlen(s.source)},
                                     .code = {.data = s.code, .bytes = strlen(s.code)}};
        status = fsattn_store_build_finish(store, &claim, &build, NULL);
    }
    fsattn_arena_fini(&arena);
    return status;
}

static fsattn_status exchange(fsattn_store *store, fsattn_store *other) {
    fsattn_fsc_writer *writer = NULL;
    fsattn_fsc *fsc = NULL;
    fsattn_text file = {0};
    fsattn_store_changes changes;
    fsattn_status status = fsattn_fsc_writer_create(&writer, NULL);
    status = status == FSATTN_OK ? fsattn_store_export(store, NULL, writer, NULL, NULL) : status;
    status = status == FSATTN_OK ? fsattn_fsc_writer_encode(writer, NULL, &file, NULL) : status;
    status = status == FSATTN_OK ? fsattn_fsc_open_bytes("a", file.data, file.bytes, NULL, NULL, &fsc, NULL)
                                 : status;
    status = status == FSATTN_OK ? fsattn_store_import(other, fsc, true, &changes, NULL) : status;
    status = status == FSATTN_OK ? fsattn_store_merge(store, other, &changes, NULL) : status;
    status = status == FSATTN_OK
                 ? fsattn_store_gc(store, &(fsattn_store_gc_options){.keep_days = -1}, &changes, NULL)
                 : status;
    fsattn_fsc_close(fsc);
    fsattn_fsc_writer_destroy(writer);
    fsattn_text_fini(&file);
    return status;
}

static fsattn_status use_stores(void) {
    fsattn_store *store = NULL, *other = NULL;
    int64_t rows, defects = 0;
    fsattn_status status = fsattn_store_open(path, NULL, &store, NULL);
    status = status == FSATTN_OK ? fsattn_store_open(other_path, NULL, &other, NULL) : status;
    status = status == FSATTN_OK ? put(store, 0) : status;
    status = status == FSATTN_OK ? put(other, 1) : status;
    status = status == FSATTN_OK ? compile(store, 0) : status;
    status = status == FSATTN_OK ? exchange(store, other) : status;
    status = status == FSATTN_OK ? fsattn_store_verify(store, &rows, &defects, NULL) : status;
    fsattn_store_close(store);
    fsattn_store_close(other);
    return status == FSATTN_OK && defects ? FSATTN_CORRUPT : status;
}

int main(void) {
    char folder[] = "/tmp/prog_cache_memory.XXXXXX";
    int failures = 0, steps = 0;
    if (!mkdtemp(folder)) {
        return 1;
    }
    fsattn_status status = FSATTN_NO_MEMORY;
    for (int n = 1; status != FSATTN_OK && n < 100000; n++, steps++) {
        fsattn_text file = {0};
        fsattn_memory_fail_after(n);
        status = write_and_read(&file);
        fsattn_memory_fail_after(0);
        failures += status != FSATTN_OK && status != FSATTN_NO_MEMORY;
        failures += status == FSATTN_OK && check_file(&file, 3);
        fsattn_text_fini(&file);
    }
    failures += steps < 10;
    status = FSATTN_NO_MEMORY;
    snprintf(path, sizeof path, "%s/a/tune.db", folder);
    snprintf(other_path, sizeof other_path, "%s/b/tune.db", folder);
    for (int n = 1; status != FSATTN_OK && n < 100000; n++, steps++) {
        fsattn_memory_fail_after(n);
        status = use_stores();
        fsattn_memory_fail_after(0);
        if (status != FSATTN_OK && status != FSATTN_NO_MEMORY) {
            fprintf(stderr, "allocation %d: status %d\n", n, (int)status);
            failures++;
        }
    }
    failures += use_stores() != FSATTN_OK;
    printf("%d allocations failed, %d wrongly taken\n", steps, failures);
    fsattn_folder_remove(folder, NULL);
    return failures != 0;
}
