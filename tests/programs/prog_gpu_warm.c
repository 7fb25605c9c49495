/* What a GPU run does to the HIP runtime and to the process once its plan is prepared, with a workspace of the caller's: it launches,
 * and nothing else. No other call of HIP, no allocation, no lock, so that it can be captured in a graph. Exit 0 passes.
 *
 * The HIP runtime is fake_hip.c, which counts its calls; every lock of the context is held by the thread that runs, which would
 * wait for itself; the first allocation fails.
 */
#include "context.h"
#include "gpu_chain.h"
#include "hip_api.h"
#include "../support/cache_fixture.h"
#include "../support/expect.h"

#include <dlfcn.h>
#include <unistd.h>

enum { stage_count = 4, attribute_count = 4, packing_stages = 2 };
static const char problem_text[] = "hq=4 hkv=2 sq=300 sk=333 d=128 q=bf16 kv=bf16 o=bf16";

static char folder[64], library[128], cache[128];
static void (*calls)(int *launches, int *selections, int *others);

static void write_cache(void) {
    static const char *const rules[stage_count] = {"pack_q", "pack_k", "pack_v", "query_tiles"};
    static const fsattn_attribute attributes[attribute_count] = {
        {"k_tile_bytes", "12800"}, {"pack_layout", "mxfp6-mxfp6-bit2-n128-d128"}, {"q_group_bytes", "3328"}, {"v_tile_bytes", "12800"}};
    fsattn_stage stages[stage_count];
    test_record record;
    fsattn_fsc_writer *writer = test_writer();
    for (int i = 0; i < stage_count; i++) {
        stages[i] = (fsattn_stage){.name = rules[i], .entry = rules[i], .work_items = rules[i], .code = {.data = "FAKE", .bytes = 4},
                                   .tile_m = 64, .tile_n = 128, .threads = 256, .attributes = attributes,
                                   .attribute_count = attribute_count};
    }
    test_record_init(&record, problem_text, NULL, 0);
    record.record.target = FSATTN_TARGET_GFX950;
    record.record.isa = "gfx950";
    record.record.abi = FSATTN_HIP_ABI;
    record.record.stages = stages;
    record.record.stage_count = stage_count;
    test_add(writer, &record);
    snprintf(cache, sizeof cache, "%s/gpu.fsc", folder);
    test_publish(writer, cache);
}

static void build_library(void) {
    char command[512];
    snprintf(library, sizeof library, "%s/libfakehip.so", folder);
    snprintf(command, sizeof command, "cc -std=c17 -shared -fPIC -DANY_KERNEL -finstrument-functions -Wl,-Bsymbolic -o '%s' '%s/tests/support/fake_hip.c'",
             library, FSATTN_SOURCE_DIR);
    test_run(command);
    void *handle = dlopen(library, RTLD_NOW);
    *(void **)&calls = handle ? dlsym(handle, "fake_hip_calls") : NULL;
    if (!calls) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
}

typedef struct session {
    fsattn_context *context;
    fsattn_problem problem;
    fsattn_plan plan;
    fsattn_plan_info info;
    fsattn_arguments arguments;
    fsattn_packed packed;
    char *operands[4]; /* never read: the kernels do nothing */
} session;

static void session_open(session *s, int ordinal) {
    fsattn_options options;
    fsattn_err err = {0};
    fsattn_options_init(&options);
    options.device = "hip";
    options.library = library;
    options.ordinal = ordinal;
    options.caches = &(const char *){cache};
    options.cache_count = 1;
    options.on_miss = FSATTN_MISS_NEAREST;
    if (fsattn_open(&options, &s->context, &err) != FSATTN_OK ||
        fsattn_problem_parse(problem_text, &s->problem, &err) != FSATTN_OK ||
        fsattn_plan_find(s->context, &s->problem, NULL, &s->plan, &err) != FSATTN_OK) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    s->info.size = sizeof s->info;
    EXPECT(fsattn_plan_info_get(s->context, &s->plan, &s->info, NULL) == FSATTN_OK && s->info.workspace_bytes && s->info.packed_bytes);
    for (int i = 0; i < 4; i++) {
        s->operands[i] = fsattn_alloc((size_t)4 * 333 * 128, 2);
    }
    s->arguments = (fsattn_arguments){.size = sizeof s->arguments, .q.data = s->operands[0], .k.data = s->operands[1],
                                      .v.data = s->operands[2], .o.data = s->operands[3],
                                      .workspace = fsattn_alloc_aligned(256, s->info.workspace_bytes, 1),
                                      .workspace_bytes = s->info.workspace_bytes};
    s->packed = (fsattn_packed){.size = sizeof s->packed, .memory = fsattn_alloc_aligned(256, s->info.packed_bytes, 1),
                                .bytes = s->info.packed_bytes};
}

static void session_close(session *s) {
    fsattn_close(s->context);
    for (int i = 0; i < 4; i++) {
        fsattn_free(s->operands[i]);
    }
    fsattn_free(s->arguments.workspace);
    fsattn_free(s->packed.memory);
}

static fsattn_status call_run(session *s, fsattn_err *err) {
    return fsattn_run(s->context, &s->plan, &s->arguments, err);
}
static fsattn_status call_pack(session *s, fsattn_err *err) {
    return fsattn_pack(s->context, &s->plan, &s->arguments, &s->packed, err);
}
static fsattn_status call_run_packed(session *s, fsattn_err *err) {
    fsattn_arguments own = s->arguments;
    own.k = own.v = (fsattn_tensor){0};
    return fsattn_run_packed(s->context, &s->plan, &s->packed, &own, err);
}
static fsattn_status call_find(session *s, fsattn_err *err) {
    fsattn_plan plan;
    return fsattn_plan_find(s->context, &s->problem, NULL, &plan, err);
}

static const struct {
    const char *name;
    fsattn_status (*call)(session *s, fsattn_err *err);
    int launches;
} cases[] = {{"fsattn_plan_find", call_find, 0},
             {"fsattn_run", call_run, stage_count},
             {"fsattn_pack", call_pack, packing_stages},
             {"fsattn_run_packed", call_run_packed, stage_count - packing_stages}};

/* With ordinal 1 the thread's GPU is another than the context's, and is switched and put back for each launch. */
static void a_warm_call_only_launches(int ordinal) {
    session s = {0};
    int launches, selections, others;
    session_open(&s, ordinal);
    EXPECT(fsattn_prepare(s.context, &s.plan, NULL) == FSATTN_OK);
    calls(&launches, &selections, &others);
    EXPECT(launches == 0 && others > stage_count); /* or nothing is counted at all */
    pthread_mutex_lock(&s.context->lock);
    pthread_mutex_lock(&s.context->rooms_lock);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        fsattn_err err = {0};
        fsattn_memory_fail_after(1);
        const fsattn_status status = cases[i].call(&s, &err);
        fsattn_memory_fail_after(0);
        calls(&launches, &selections, &others);
        if (status != FSATTN_OK || launches != cases[i].launches || others || selections != (ordinal ? 3 : 1) * launches) {
            fprintf(stderr, "%s: %s; %d launches, %d selections, %d other calls\n", cases[i].name, err.message, launches, selections, others);
            failures++;
        }
    }
    pthread_mutex_unlock(&s.context->rooms_lock);
    pthread_mutex_unlock(&s.context->lock);
    session_close(&s);
}

/* What a run without workspace costs the first time, and later, is what fsattn.h says. */
static void without_a_workspace_the_first_run_does_more(void) {
    session s = {0};
    int launches, selections, others;
    session_open(&s, 0);
    fsattn_free(s.arguments.workspace);
    s.arguments.workspace = NULL;
    s.arguments.workspace_bytes = 0;
    EXPECT(fsattn_prepare(s.context, &s.plan, NULL) == FSATTN_OK);
    calls(&launches, &selections, &others);
    EXPECT(call_run(&s, NULL) == FSATTN_OK);
    calls(&launches, &selections, &others);
    EXPECT(launches == stage_count && others == 2); /* hipStreamSynchronize, hipMalloc */
    fsattn_memory_fail_after(1);
    EXPECT(call_run(&s, NULL) == FSATTN_OK);
    fsattn_memory_fail_after(0);
    calls(&launches, &selections, &others);
    EXPECT(launches == stage_count && others == 0);
    session_close(&s);
}

int main(void) {
    test_folder(folder);
    build_library();
    write_cache();
    alarm(60); /* a lock that is waited for ends here */
    a_warm_call_only_launches(0);
    a_warm_call_only_launches(1);
    without_a_workspace_the_first_run_does_more();
    fsattn_folder_remove(folder, NULL);
    printf("%d failures\n", (int)failures);
    return failures != 0;
}
