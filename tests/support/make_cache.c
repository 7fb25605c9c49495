/* make_cache FILE [--wrong] [--foreign] PROBLEM... - writes a cache file with a winner for each problem, whose kernel is compiled
 * from naive_kernel.c here and now; with --wrong kernels that are off by 0.5; with --foreign for a processor that nobody has,
 * with the source to compile anew. For the transcripts.
 */
#include "cache_fixture.h"

#include "file.h"
#include "memory.h"

typedef struct wish {
    bool wrong, foreign;
    char *source;
    size_t source_bytes;
} wish;

static void add(fsattn_fsc_writer *writer, const wish *wanted, const char *folder, const char *problem) {
    test_record record;
    char options[128], all[512];
    size_t bytes;
    test_record_init(&record, problem, NULL, 0);
    snprintf(options, sizeof options, "-DHEAD_DIM=%d -DCAUSAL=%d %s", (int)record.record.problem.head_dim,
             record.record.problem.mask == FSATTN_MASK_CAUSAL, wanted->wrong ? "-DOFFSET=0.5f" : "");
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

int main(int argc, char **argv) {
    wish wanted = {0};
    int first = 2;
    for (; first < argc && argv[first][0] == '-'; first++) {
        wanted.wrong = wanted.wrong || !strcmp(argv[first], "--wrong");
        wanted.foreign = wanted.foreign || !strcmp(argv[first], "--foreign");
    }
    if (first >= argc || fsattn_file_read(FSATTN_SOURCE_DIR "/tests/support/naive_kernel.c", 1 << 20, &wanted.source,
                                          &wanted.source_bytes, NULL) != FSATTN_OK) {
        fprintf(stderr, "usage: make_cache FILE [--wrong] [--foreign] PROBLEM...\n");
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
