/* make_cache FILE [--wrong|--wrong-lse] [--foreign] PROBLEM... - writes a cache file with a winner for each problem, whose kernel is compiled
 * from naive_kernel.c here and now; with --wrong kernels that are off by 0.5, in the log-sum-exp alone with --wrong-lse; with --foreign for a processor that nobody has,
 * with the source to compile anew. For the transcripts.
 * make_cache FILE --foreign-of FROM.fsc - the same for every record of a cache file; no code object in it can be loaded.
 */
#include "cache_fixture.h"

#include "file.h"
#include "memory.h"

typedef struct wish {
    bool wrong, wrong_lse, foreign;
    char *source;
    size_t source_bytes;
} wish;

static void add(fsattn_fsc_writer *writer, const wish *wanted, const char *folder, const char *problem) {
    test_record record;
    char options[128], all[512];
    size_t bytes;
    test_record_init(&record, problem, NULL, 0);
    snprintf(options, sizeof options, "-DHEAD_DIM=%d -DCAUSAL=%d %s", (int)record.record.problem.head_dim,
             record.record.problem.mask == FSATTN_MASK_CAUSAL, wanted->wrong ? "-DOFFSET=0.5f" : wanted->wrong_lse ? "-DLSE_OFFSET=0.5f" : "");
    char *code = test_object(folder, options, &bytes);
    test_record_init(&record, problem, code, bytes);
    if (wanted->foreign) {
        snprintf(all, sizeof all, "-std=gnu11 -O2 -fno-tree-loop-distribute-patterns -I%s/templates/lib %s", FSATTN_SOURCE_DIR, options);
        record.record.isa = "x86_64+tomorrow";
        record.record.options = all;
        record.record.source = (fsattn_blob){.data = wanted->source, .bytes = wanted->source_bytes};
    }
    test_add(writer, &record);
    fsattn_free(code);
}

/* The record for a processor that nobody has, with code objects that are as different as they were and none at all. */
static void add_foreign(fsattn_fsc_writer *writer, const fsattn_fsc_record *from) {
    test_record made = {.record = *from};
    fsattn_stage stages[fsattn_fsc_stage_limit];
    char isa[256];
    snprintf(isa, sizeof isa, "%s%s", from->isa, from->target == FSATTN_TARGET_HOST ? "+tomorrow" : ":tomorrow+");
    made.record.isa = isa;
    made.record.stages = stages;
    for (size_t i = 0; i < from->stage_count; i++) {
        stages[i] = from->stages[i];
        stages[i].code.data = &from->stages[i].code.hash;
        stages[i].code.bytes = sizeof from->stages[i].code.hash;
    }
    test_add(writer, &made);
}

static int make_foreign(const char *path, const char *from) {
    fsattn_fsc *fsc;
    fsattn_err err;
    if (fsattn_fsc_open(from, NULL, NULL, &fsc, &err) != FSATTN_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    fsattn_fsc_writer *writer = test_writer();
    for (size_t i = 0; i < fsattn_fsc_count(fsc); i++) {
        add_foreign(writer, fsattn_fsc_at(fsc, i));
    }
    test_publish(writer, path);
    fsattn_fsc_close(fsc);
    return 0;
}

int main(int argc, char **argv) {
    if (argc == 4 && !strcmp(argv[2], "--foreign-of")) {
        return make_foreign(argv[1], argv[3]);
    }
    wish wanted = {0};
    int first = 2;
    for (; first < argc && argv[first][0] == '-'; first++) {
        wanted.wrong = wanted.wrong || !strcmp(argv[first], "--wrong");
        wanted.wrong_lse = wanted.wrong_lse || !strcmp(argv[first], "--wrong-lse");
        wanted.foreign = wanted.foreign || !strcmp(argv[first], "--foreign");
    }
    if (first >= argc || fsattn_file_read(FSATTN_SOURCE_DIR "/tests/support/naive_kernel.c", 1 << 20, &wanted.source,
                                          &wanted.source_bytes, NULL) != FSATTN_OK) {
        fprintf(stderr, "usage: make_cache FILE [--wrong|--wrong-lse] [--foreign] PROBLEM...\n");
        return 2;
    }
    char folder[64];
    fsattn_fsc_writer *writer = test_writer();
    test_folder(folder);
    for (int i = first; i < argc; i++) {
        add(writer, &wanted, folder, argv[i]);
    }
    test_publish(writer, argv[1]);
    fsattn_folder_remove(folder, NULL);
    fsattn_free(wanted.source);
    return 0;
}
