#include "gpu_memory.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool gpu_memory_open(const char *library, gpu_memory *memory, char *reason, size_t bytes) {
    const struct {
        const char *name;
        void *place;
    } entries[] = {{"hipMalloc", &memory->allocate},
                   {"hipFree", &memory->release},
                   {"hipMemcpy", &memory->copy},
                   {"hipDeviceSynchronize", &memory->wait},
                   {"hipStreamCreate", &memory->stream_create},
                   {"hipStreamDestroy", &memory->stream_destroy},
                   {"hipStreamBeginCapture", &memory->capture_begin},
                   {"hipStreamEndCapture", &memory->capture_end},
                   {"hipGraphInstantiate", &memory->graph_instantiate},
                   {"hipGraphLaunch", &memory->graph_launch},
                   {"hipGraphDestroy", &memory->graph_destroy},
                   {"hipGraphExecDestroy", &memory->executable_destroy}};
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle) {
        snprintf(reason, bytes, "%s", dlerror());
        return false;
    }
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        void *symbol = dlsym(handle, entries[i].name);
        if (!symbol) {
            snprintf(reason, bytes, "%s has no %s", library, entries[i].name);
            return false;
        }
        memcpy(entries[i].place, &symbol, sizeof symbol);
    }
    return true;
}
