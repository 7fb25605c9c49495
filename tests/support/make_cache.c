/* make_cache FILE [--wrong|--wrong-lse|--hangs|--crashes] [--foreign] PROBLEM... - writes a cache file with a winner for each problem, whose
 * kernel is compiled from naive_kernel.c here and now; with --wrong kernels that are off by 0.5, in the log-sum-exp alone with
 * --wrong-lse, with --hangs and --crashes such as do that; with --foreign for a processor that nobody has, with the source to compile
 * anew. For the transcripts.
 * make_cache FILE --foreign-of FROM.fsc [--reworded] - the same for every record of a cache file; no code object in it can be loaded;
 * with --reworded the comment that opens a source says something else.
 */
#include "cache_fixture.h"

#include "file.h"
#include "memory.h"
#include "text.h"

static const struct {
    const char *name, *options;
} faults[] = {{"--wrong", "-DOFFSET=0.5f"}, {"--wrong-lse", "-DLSE_OFFSET=0.5f"}, {"--hangs", "-DHANGS"}, {"--crashes", "-DCRASHES"}};

typedef struct wish {
    const char *fault; /* options that give it, or "" */
    bool foreign;
    char *source;
    size_t source_bytes;
} wish;

static void add(fsattn_fsc_writer *writer, const wish *wanted, const char *folder, const char *problem) {
    test_record record;
    char options[128], all[512];
    size_t bytes;
    test_record_init(&record, problem, NULL, 0);
    snprintf(options, sizeof options, "-DHEAD_DIM=%d -DCAUSAL=%d %s", (int)record.record.problem.head_dim,
             record.record.problem.mask == FSATTN_MASK_CAUSAL, wanted->fault);
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
static void add_foreign(fsattn_fsc_writer *writer, const fsattn_fsc_record *from, bool reworded) {
    static const char more[] = " reworded ";
    test_record made = {.record = *from};
    const char *end = memmem(from->source.data, from->source.bytes, "*/", 2);
    fsattn_text source = {0};
    if (reworded && end) {
        const size_t before = (size_t)(end - (const char *)from->source.data);
        fsattn_text_add(&source, from->source.data, before);
        fsattn_text_puts(&source, more);
        fsattn_text_add(&source, end, from->source.bytes - before);
        made.record.source = (fsattn_blob){.data = source.data, .bytes = source.bytes};
    }
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
    fsattn_text_fini(&source);
}

static int make_foreign(const char *path, const char *from, bool reworded) {
    fsattn_fsc *fsc;
    fsattn_err err;
    if (fsattn_fsc_open(from, NULL, NULL, &fsc, &err) != FSATTN_OK) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    fsattn_fsc_writer *writer = test_writer();
    for (size_t i = 0; i < fsattn_fsc_count(fsc); i++) {
        add_foreign(writer, fsattn_fsc_at(fsc, i), reworded);
    }
    test_publish(writer, path);
    fsattn_fsc_close(fsc);
    return 0;
}

int main(int argc, char **argv) {
    const bool reworded = argc == 5 && !strcmp(argv[4], "--reworded");
    if ((argc == 4 || reworded) && !strcmp(argv[2], "--foreign-of")) {
        return make_foreign(argv[1], argv[3], reworded);
    }
    wish wanted = {.fault = ""};
    int first = 2;
    for (; first < argc && argv[first][0] == '-'; first++) {
        for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
            wanted.fault = strcmp(argv[first], faults[i].name) ? wanted.fault : faults[i].options;
        }
        wanted.foreign = wanted.foreign || !strcmp(argv[first], "--foreign");
    }
    if (first >= argc || fsattn_file_read(FSATTN_SOURCE_DIR "/tests/support/naive_kernel.c", 1 << 20, &wanted.source,
                                          &wanted.source_bytes, NULL) != FSATTN_OK) {
        fprintf(stderr, "usage: make_cache FILE [--wrong|--wrong-lse|--hangs|--crashes] [--foreign] PROBLEM...\n");
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
