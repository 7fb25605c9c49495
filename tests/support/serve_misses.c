/* serve_misses DEVICE LIBRARY CACHE.fsc FOLDER COMPILER [ARGUMENT...] - asks for the problem of a cache file's first record twice: before the
 * compiler has compiled it anew in the background into FOLDER, and after. Prints what served it ("nothing" or the plan's source) each time,
 * and then what fsattn_miss_info_get counts. LIBRARY "": the loader's. For the transcripts. */
#include "error.h"
#include "fsattn.h"
#include "fsc.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

static void warn(void *data, const fsattn_err *err) {
    (void)data;
    fprintf(stderr, "%s\n", err->message);
}

static void ask(fsattn_context *context, const fsattn_problem *problem) {
    fsattn_plan plan;
    const bool found = fsattn_plan_find(context, problem, NULL, &plan, NULL) == FSATTN_OK;
    printf("%s\n", found ? fsattn_plan_source_text(plan.source) : "nothing");
}

int main(int argc, char **argv) {
    fsattn_options options;
    fsattn_context *context = NULL;
    fsattn_fsc *fsc = NULL;
    fsattn_err err = {0};
    fsattn_miss_info info = {.size = sizeof info};
    if (argc < 6) {
        fprintf(stderr, "usage: serve_misses DEVICE LIBRARY CACHE.fsc FOLDER COMPILER [ARGUMENT...]\n");
        return 2;
    }
    fsattn_options_init(&options);
    options.device = argv[1];
    options.library = argv[2][0] ? argv[2] : NULL;
    options.threads = 1;
    options.caches = (const char *const *)&argv[3];
    options.cache_count = 1;
    options.warn = warn;
    options.on_miss = FSATTN_MISS_COMPILE;
    options.compiled_folder = argv[4];
    options.compiler = (const char *const *)&argv[5];
    if (fsattn_fsc_open(argv[3], NULL, NULL, &fsc, &err) != FSATTN_OK || fsattn_open(&options, &context, &err) != FSATTN_OK) {
        fprintf(stderr, "%s\n", err.message);
        fsattn_fsc_close(fsc);
        return 1;
    }
    const fsattn_problem problem = fsattn_fsc_at(fsc, 0)->problem;
    ask(context, &problem);
    while (fsattn_miss_info_get(context, &info, NULL) == FSATTN_OK && info.compiled + info.failed < info.queued) {
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
    }
    ask(context, &problem);
    printf("noted %d, compiled %d, failed %d\n", (int)info.noted, (int)info.compiled, (int)info.failed);
    fsattn_close(context);
    fsattn_fsc_close(fsc);
    return 0;
}
