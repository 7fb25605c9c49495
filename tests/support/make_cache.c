/* make_cache FILE [--wrong] PROBLEM... - writes a cache file with a winner for each problem, whose kernel is
 * compiled from naive_kernel.c here and now; with --wrong kernels that are off by 0.5. For the transcripts.
 */
#include "cache_fixture.h"

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: make_cache FILE [--wrong] PROBLEM...\n");
        return 2;
    }
    char folder[64];
    bool wrong = !strcmp(argv[2], "--wrong");
    fsattn_fsc_writer *writer = test_writer();
    test_folder(folder);
    for (int i = wrong ? 3 : 2; i < argc; i++) {
        test_record record;
        char options[128];
        size_t bytes;
        test_record_init(&record, argv[i], NULL, 0);
        snprintf(options, sizeof options, "-DHEAD_DIM=%d -DCAUSAL=%d %s", (int)record.record.problem.head_dim,
                 record.record.problem.mask == FSATTN_MASK_CAUSAL, wrong ? "-DOFFSET=0.5f" : "");
        char *code = test_object(folder, options, &bytes);
        test_record_init(&record, argv[i], code, bytes);
        test_add(writer, &record);
        fsattn_free(code);
    }
    test_publish(writer, argv[1]);
    fsattn_folder_remove(folder, NULL);
    return 0;
}
