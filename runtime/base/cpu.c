#include "cpu.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static void read_model(char *model, size_t bytes) {
    snprintf(model, bytes, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "re");
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        char *colon = strchr(line, ':');
        if (colon && !strncmp(line, "model name", 10)) {
            colon[strcspn(colon, "\n")] = '\0';
            snprintf(model, bytes, "%s", colon + 1 + strspn(colon + 1, " \t"));
            break;
        }
    }
    if (file) {
        fclose(file);
    }
}

void fsattn_cpu_detect(fsattn_cpu *cpu) {
    struct utsname name;
    *cpu = (fsattn_cpu){0};
    uname(&name);
    snprintf(cpu->arch, sizeof cpu->arch, "%.15s", name.machine);
    read_model(cpu->model, sizeof cpu->model);
#if defined(__x86_64__)
    __builtin_cpu_init();
#define X(member, name) cpu->member = __builtin_cpu_supports(name) != 0;
    FSATTN_CPU_FEATURE_LIST(X)
#undef X
#endif
    cpu_set_t set;
    cpu->cores = sched_getaffinity(0, sizeof set, &set) ? 1 : CPU_COUNT(&set);
    long llc = sysconf(_SC_LEVEL3_CACHE_SIZE);
    cpu->llc_bytes = llc > 0 ? (size_t)llc : (size_t)32 << 20;
}

void fsattn_cpu_isa(const fsattn_cpu *cpu, char text[128]) {
    int used = snprintf(text, 128, "%s", cpu->arch);
#define X(member, name)                                                                                      \
    if (cpu->member) {                                                                                       \
        used += snprintf(text + used, 128 - (size_t)used, "+" name);                                         \
    }
    FSATTN_CPU_FEATURE_LIST(X)
#undef X
}
