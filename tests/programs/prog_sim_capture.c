/* Captures of streams by several threads, on the simulator as a plain HIP library: who may end one, what is forbidden to whom meanwhile, and
 * that nothing is left behind by a stream that another thread destroys. For sanitizers too. */
#include "file.h"
#include "memory.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { threads = 3, rounds = 40, count = 128 };
enum { mode_global, mode_thread_local, mode_relaxed };
enum { success = 0, illegal_state = 401, unsupported = 900, invalidated = 901, wrong_thread = 908 };

/* X(name, parameters) */
#define HIP_LIST(X)                                                                                          \
    X(hipModuleLoadData, (void **, const void *))                                                            \
    X(hipModuleUnload, (void *))                                                                             \
    X(hipModuleGetFunction, (void **, void *, const char *))                                                 \
    X(hipModuleLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **)) \
    X(hipMalloc, (void **, size_t))                                                                          \
    X(hipFree, (void *))                                                                                     \
    X(hipMemcpy, (void *, const void *, size_t, int))                                                        \
    X(hipMemcpyAsync, (void *, const void *, size_t, int, void *))                                           \
    X(hipStreamCreate, (void **))                                                                            \
    X(hipStreamDestroy, (void *))                                                                            \
    X(hipStreamSynchronize, (void *))                                                                        \
    X(hipStreamBeginCapture, (void *, int))                                                                  \
    X(hipStreamEndCapture, (void *, void **))                                                                \
    X(hipGraphInstantiateWithFlags, (void **, void *, unsigned long long))                                   \
    X(hipGraphLaunch, (void *, void *))                                                                      \
    X(hipGraphDestroy, (void *))                                                                             \
    X(hipGraphExecDestroy, (void *))
static struct {
#define X(name, parameters) int(*name) parameters;
    HIP_LIST(X)
#undef X
} hip;
#define EXPECT(call, wanted)                                                                                 \
    do {                                                                                                     \
        int error_ = (call);                                                                                 \
        if (error_ != (wanted)) {                                                                            \
            fprintf(stderr, "line %d: %s: error %d, not %d\n", __LINE__, #call, error_, (wanted));           \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)
#define NEED(call) EXPECT(call, success)

static void *function;

/* A thread's own stream, captured thread-locally: what the others do meanwhile is their own affair. */
static void *capture_and_launch(void *argument) {
    const float add = *(const float *)argument;
    float a[count], c[count];
    void *in, *out, *stream, *graph, *executable, *other;
    int n = count;
    for (int i = 0; i < count; i++) {
        a[i] = add;
    }
    NEED(hip.hipStreamCreate(&stream));
    for (int k = 0; k < rounds; k++) {
        NEED(hip.hipMalloc(&in, sizeof a));
        NEED(hip.hipMalloc(&out, sizeof c));
        void *parameters[] = {&in, &in, &out, &n};
        NEED(hip.hipStreamBeginCapture(stream, mode_thread_local));
        NEED(hip.hipMemcpyAsync(in, a, sizeof a, 1, stream));
        NEED(hip.hipModuleLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, stream, parameters, NULL));
        if (k % 4 == 3) {
            EXPECT(hip.hipMalloc(&other, 16), unsupported);
            EXPECT(hip.hipStreamEndCapture(stream, &graph), invalidated);
        } else {
            NEED(hip.hipStreamEndCapture(stream, &graph));
            NEED(hip.hipGraphInstantiateWithFlags(&executable, graph, 0));
            NEED(hip.hipGraphDestroy(graph));
            NEED(hip.hipGraphLaunch(executable, stream));
            NEED(hip.hipStreamSynchronize(stream));
            NEED(hip.hipMemcpy(c, out, sizeof c, 2));
            NEED(hip.hipGraphExecDestroy(executable));
            for (int i = 0; i < count; i++) {
                if (c[i] != 2 * add) {
                    fprintf(stderr, "round %d: element %d is %g\n", k, i, (double)c[i]);
                    exit(1);
                }
            }
        }
        NEED(hip.hipFree(in));
        NEED(hip.hipFree(out));
    }
    NEED(hip.hipStreamDestroy(stream));
    return NULL;
}

static void *end_it(void *stream) {
    void *graph;
    EXPECT(hip.hipStreamEndCapture(stream, &graph), wrong_thread);
    return NULL;
}
static void *end_it_relaxed(void *stream) {
    void *graph;
    NEED(hip.hipStreamEndCapture(stream, &graph));
    NEED(hip.hipGraphDestroy(graph));
    return NULL;
}
static void *allocate(void *wanted) {
    void *memory;
    const int error = hip.hipMalloc(&memory, 16);
    EXPECT(error, *(const int *)wanted);
    if (!error) {
        NEED(hip.hipFree(memory));
    }
    return NULL;
}
static void *destroy(void *stream) {
    NEED(hip.hipStreamDestroy(stream));
    return NULL;
}
static void elsewhere(void *(*what)(void *), void *argument) {
    pthread_t thread;
    NEED(pthread_create(&thread, NULL, what, argument));
    NEED(pthread_join(thread, NULL));
}

static void by_others(void) {
    static int no_error = success, forbidden = unsupported;
    void *graph;
    for (int mode = mode_global; mode <= mode_relaxed; mode++) {
        void *stream;
        NEED(hip.hipStreamCreate(&stream));
        NEED(hip.hipStreamBeginCapture(stream, mode));
        elsewhere(mode == mode_relaxed ? end_it_relaxed : end_it, stream);
        EXPECT(hip.hipStreamEndCapture(stream, &graph), mode == mode_relaxed ? illegal_state : success);
        if (mode != mode_relaxed) {
            NEED(hip.hipGraphDestroy(graph));
        }
        NEED(hip.hipStreamBeginCapture(stream, mode));
        elsewhere(allocate, mode == mode_global ? &forbidden : &no_error);
        EXPECT(hip.hipStreamEndCapture(stream, &graph), mode == mode_global ? invalidated : success);
        if (mode != mode_global) {
            NEED(hip.hipGraphDestroy(graph));
        }
        NEED(hip.hipStreamBeginCapture(stream, mode));
        elsewhere(destroy, stream); /* the capture goes with it: nobody is forbidden anything any more */
        allocate(&no_error);
        elsewhere(allocate, &no_error);
    }
}

int main(void) {
    char *code;
    size_t bytes;
    void *module;
    setenv("FSATTN_SIM_CACHE", FSATTN_SOURCE_DIR "/tests/data/sim", 1);
    void *library = dlopen(FSATTN_BINARY_DIR "/lib/simulator/libamdhip64.so.7", RTLD_NOW | RTLD_LOCAL);
    if (!library || fsattn_file_read(FSATTN_SOURCE_DIR "/tests/data/sim/basic.co", 1 << 20, &code, &bytes, NULL) != FSATTN_OK) {
        fprintf(stderr, "%s\n", library ? "no code object" : dlerror());
        return 1;
    }
#define X(name, parameters)                                                                                  \
    if (!(*(void **)(void *)&hip.name = dlsym(library, #name))) {                                            \
        fprintf(stderr, "no %s\n", #name);                                                                   \
        return 1;                                                                                            \
    }
    HIP_LIST(X)
#undef X
    NEED(hip.hipModuleLoadData(&module, code));
    NEED(hip.hipModuleGetFunction(&function, module, "vector_add"));
    by_others();
    pthread_t workers[threads];
    float adds[threads] = {1, 2, 3};
    for (int i = 0; i < threads; i++) {
        NEED(pthread_create(&workers[i], NULL, capture_and_launch, &adds[i]));
    }
    for (int i = 0; i < threads; i++) {
        NEED(pthread_join(workers[i], NULL));
    }
    NEED(hip.hipModuleUnload(module));
    fsattn_free(code);
    return 0;
}
