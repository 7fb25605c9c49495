/* A plain HIP module program on the simulator, which it knows nothing of but the library's path: two processes of two threads with a
 * stream each launch, copy and synchronize; 10000 launches leave nothing behind. Threads and leaks are looked at by sanitizers. */
#include "file.h"
#include "memory.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { processes = 2, threads = 2, launches = 10000 / (processes * threads), count = 128 };

static struct {
    int (*hipModuleLoadData)(void **, const void *);
    int (*hipModuleUnload)(void *);
    int (*hipModuleGetFunction)(void **, void *, const char *);
    int (*hipModuleLaunchKernel)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
    int (*hipMalloc)(void **, size_t);
    int (*hipFree)(void *);
    int (*hipMemcpyAsync)(void *, const void *, size_t, int, void *);
    int (*hipStreamCreate)(void **);
    int (*hipStreamDestroy)(void *);
    int (*hipStreamSynchronize)(void *);
} hip;

static void *find(void *library, const char *name) {
    void *symbol = dlsym(library, name);
    if (!symbol) {
        fprintf(stderr, "no %s\n", name);
        exit(1);
    }
    return symbol;
}
#define FIND(name) (*(void **)(void *)&hip.name = find(library, #name))
#define NEED(call)                                                                                           \
    do {                                                                                                     \
        int error_ = (call);                                                                                 \
        if (error_) {                                                                                        \
            fprintf(stderr, "%s: error %d\n", #call, error_);                                                \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

static void *function;

static void *work(void *argument) {
    const float add = *(const float *)argument;
    float a[count], b[count], c[count];
    void *in, *other, *out, *stream;
    int n = count;
    NEED(hip.hipStreamCreate(&stream));
    for (int i = 0; i < count; i++) {
        a[i] = (float)i;
        b[i] = add;
    }
    NEED(hip.hipMalloc(&in, sizeof a));
    NEED(hip.hipMalloc(&other, sizeof b));
    NEED(hip.hipMemcpyAsync(in, a, sizeof a, 1, stream));
    NEED(hip.hipMemcpyAsync(other, b, sizeof b, 1, stream));
    for (int k = 0; k < launches; k++) {
        NEED(hip.hipMalloc(&out, sizeof c));
        void *parameters[] = {&in, &other, &out, &n};
        NEED(hip.hipModuleLaunchKernel(function, 2, 1, 1, 64, 1, 1, 0, stream, parameters, NULL));
        NEED(hip.hipMemcpyAsync(c, out, sizeof c, 2, stream));
        NEED(hip.hipStreamSynchronize(stream));
        for (int i = 0; i < count; i++) {
            if (c[i] != a[i] + add) {
                fprintf(stderr, "launch %d: element %d is %g\n", k, i, (double)c[i]);
                exit(1);
            }
        }
        NEED(hip.hipFree(out));
    }
    NEED(hip.hipFree(in));
    NEED(hip.hipFree(other));
    NEED(hip.hipStreamDestroy(stream));
    return NULL;
}

/* One process's share. */
static int run(void) {
    char *code;
    size_t bytes;
    void *module;
    setenv("FSATTN_SIM_CACHE", FSATTN_SOURCE_DIR "/tests/data/sim", 1);
    void *library = dlopen(FSATTN_BINARY_DIR "/lib/simulator/libamdhip64.so.7", RTLD_NOW | RTLD_LOCAL);
    if (!library || fsattn_file_read(FSATTN_SOURCE_DIR "/tests/data/sim/basic.co", 1 << 20, &code, &bytes, NULL) != FSATTN_OK) {
        fprintf(stderr, "%s\n", library ? "no code object" : dlerror());
        return 1;
    }
    FIND(hipModuleLoadData);
    FIND(hipModuleUnload);
    FIND(hipModuleGetFunction);
    FIND(hipModuleLaunchKernel);
    FIND(hipMalloc);
    FIND(hipFree);
    FIND(hipMemcpyAsync);
    FIND(hipStreamCreate);
    FIND(hipStreamDestroy);
    FIND(hipStreamSynchronize);
    NEED(hip.hipModuleLoadData(&module, code));
    NEED(hip.hipModuleGetFunction(&function, module, "vector_add"));
    pthread_t workers[threads];
    float adds[threads] = {1, 2};
    for (int i = 0; i < threads; i++) {
        NEED(pthread_create(&workers[i], NULL, work, &adds[i]));
    }
    for (int i = 0; i < threads; i++) {
        NEED(pthread_join(workers[i], NULL));
    }
    NEED(hip.hipModuleUnload(module));
    fsattn_free(code);
    return 0;
}

int main(void) {
    pid_t children[processes];
    int failed = 0;
    for (int i = 0; i < processes; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            exit(run()); /* not _exit: leaks are counted at the end */
        }
    }
    for (int i = 0; i < processes; i++) {
        int status = 1;
        failed |= children[i] < 0 || waitpid(children[i], &status, 0) < 0 || status;
    }
    return failed;
}
