/* cpu.h - the processor this runs on, as resolved features (keys never say "native"). */
#ifndef FSATTN_CPU_H
#define FSATTN_CPU_H

#include <stdbool.h>
#include <stddef.h>

/* X(member, name as in gcc's -m option and __builtin_cpu_supports) */
#define FSATTN_CPU_FEATURE_LIST(X)                                                                           \
    X(avx, "avx")                                                                                            \
    X(avx2, "avx2")                                                                                          \
    X(fma, "fma")                                                                                            \
    X(avx512f, "avx512f")                                                                                    \
    X(avx512bw, "avx512bw")                                                                                  \
    X(avx512dq, "avx512dq")                                                                                  \
    X(avx512vl, "avx512vl")                                                                                  \
    X(avx512bf16, "avx512bf16")

typedef struct fsattn_cpu {
    char arch[16];   /* "x86_64", "aarch64" */
    char model[128]; /* "AMD EPYC", for people and for result keys */
#define X(member, name) bool member;
    FSATTN_CPU_FEATURE_LIST(X)
#undef X
    int cores;          /* usable by this process (affinity) */
    size_t llc_bytes;   /* last-level cache, 32 MiB when unknown */
} fsattn_cpu;

void fsattn_cpu_detect(fsattn_cpu *cpu);
/* "x86_64+avx+avx2+fma": architecture and features, the ISA name in serving keys. */
void fsattn_cpu_isa(const fsattn_cpu *cpu, char text[128]);

#endif
