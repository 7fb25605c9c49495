#include "footprint.h"

#include "cpu.h"
#include "error.h"
#include "file.h"
#include "memory.h"
#include "problem.h"
#include "text.h"
#include "worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- arithmetic that stays at the top ---- */

static uint64_t plus(uint64_t a, uint64_t b) {
    uint64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

static uint64_t times(uint64_t a, uint64_t b) {
    uint64_t product;
    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

static uint64_t elements(int64_t batch, int64_t heads, int64_t length, int64_t head_dim) {
    return times(times((uint64_t)batch, (uint64_t)heads), times((uint64_t)length, (uint64_t)head_dim));
}

static uint64_t q_elements(const fsattn_problem *p) {
    return elements(p->batch, p->heads_q, p->s_q, p->head_dim);
}

static uint64_t kv_elements(const fsattn_problem *p) {
    return elements(p->batch, p->heads_kv, p->s_k, p->head_dim);
}

static uint64_t stored_inputs(const fsattn_problem *p) {
    return plus(times(q_elements(p), fsattn_dtype_bytes(p->dtype_q)), times(2, times(kv_elements(p), fsattn_dtype_bytes(p->dtype_kv))));
}

/* Output, log-sum-exp and counters. */
static uint64_t outputs(const fsattn_problem *p) {
    return plus(times(q_elements(p), fsattn_dtype_bytes(p->dtype_o)), times(elements(p->batch, p->heads_q, p->s_q, 1), 12));
}

static uint64_t as_floats(const fsattn_problem *p) {
    return times(plus(q_elements(p), times(2, kv_elements(p))), sizeof(float));
}

uint64_t fsattn_footprint_worker(const fsattn_problem *p, bool cold, size_t llc_bytes) {
    const uint64_t inputs = stored_inputs(p), out = outputs(p);
    uint64_t need = plus(plus(inputs, out), as_floats(p));
    if (cold) { /* as many sets as fill the caches, one more, and its neighbour by rounding */
        need = plus(need, plus(times(fsattn_worker_cold_factor, llc_bytes), times(2, plus(inputs, out))));
    }
    return need;
}

uint64_t fsattn_footprint_of(const fsattn_problem *p, bool cold, size_t llc_bytes) {
    const uint64_t idle = plus(stored_inputs(p), outputs(p)); /* the default's worker, beside the candidate's */
    const uint64_t tuner = times(2, as_floats(p));            /* operands and the emulator's form of them */
    return plus(plus(fsattn_footprint_worker(p, cold, llc_bytes), idle), tuner);
}

/* ---- what the machine has ---- */

static char *read_text(const char *root, const char *path) {
    char *text = NULL;
    size_t bytes;
    fsattn_text whole = {0};
    fsattn_text_printf(&whole, "%s%s", root, path);
    FILE *file = whole.data ? fopen(whole.data, "re") : NULL; /* files of proc have no size */
    fsattn_text_fini(&whole);
    if (file) {
        text = fsattn_alloc(1 << 16, 1);
        bytes = text ? fread(text, 1, (1 << 16) - 1, file) : 0;
        if (text) {
            text[bytes] = 0;
        }
        fclose(file);
    }
    return text;
}

/* The number behind `name` in a text; UINT64_MAX when there is none ("max" included). */
static uint64_t number_in(const char *text, const char *name) {
    const char *at = text ? strstr(text, name) : NULL;
    char *end;
    if (!at) {
        return UINT64_MAX;
    }
    at += strlen(name);
    at += strspn(at, " \t");
    const unsigned long long value = strtoull(at, &end, 10);
    return end == at ? UINT64_MAX : value;
}

/* Room of one control group: its limit less what it uses, page cache that can be dropped not counted. */
static uint64_t group_room(const char *root, const char *folder, const char *limit_name, const char *usage_name, const char *cache_name) {
    char path[4400];
    snprintf(path, sizeof path, "%s/%s", folder, limit_name);
    char *limit_text = read_text(root, path);
    snprintf(path, sizeof path, "%s/%s", folder, usage_name);
    char *usage_text = read_text(root, path);
    snprintf(path, sizeof path, "%s/memory.stat", folder);
    char *stat_text = read_text(root, path);
    const uint64_t limit = number_in(limit_text, ""), cached = number_in(stat_text, cache_name);
    uint64_t used = number_in(usage_text, "");
    fsattn_free(limit_text);
    fsattn_free(usage_text);
    fsattn_free(stat_text);
    if (limit == UINT64_MAX || used == UINT64_MAX) {
        return UINT64_MAX;
    }
    used -= cached != UINT64_MAX && cached < used ? cached : 0;
    return limit > used ? limit - used : 0;
}

/* The least room of a group and all above it. */
static uint64_t groups_room(const char *root, const char *mount, const char *group, const char *limit_name, const char *usage_name,
                            const char *cache_name) {
    char folder[4200];
    uint64_t least = UINT64_MAX;
    snprintf(folder, sizeof folder, "%s%.4000s", mount, group);
    for (;;) {
        const uint64_t room = group_room(root, folder, limit_name, usage_name, cache_name);
        least = room < least ? room : least;
        char *slash = strrchr(folder, '/');
        if (strlen(folder) <= strlen(mount) || !slash) {
            return least;
        }
        *slash = 0;
    }
}

uint64_t fsattn_footprint_available(const char *root) {
    char *memory = read_text(root, "/proc/meminfo"), *groups = read_text(root, "/proc/self/cgroup");
    uint64_t available = number_in(memory, "MemAvailable:");
    available = available == UINT64_MAX ? available : times(available, 1024);
    for (char *line = groups, *next; line && *line; line = next) {
        next = line + strcspn(line, "\n");
        next += *next == '\n';
        char *group = strchr(line, ':'), path[4096];
        char *second = group ? strchr(group + 1, ':') : NULL;
        if (!second) {
            continue;
        }
        snprintf(path, sizeof path, "%.*s", (int)strcspn(second + 1, "\n"), second + 1);
        uint64_t room = UINT64_MAX;
        if (second == group + 1) {
            room = groups_room(root, "/sys/fs/cgroup", path, "memory.max", "memory.current", "\ninactive_file");
        } else if (!strncmp(group + 1, "memory", strlen("memory"))) {
            room = groups_room(root, "/sys/fs/cgroup/memory", path, "memory.limit_in_bytes", "memory.usage_in_bytes",
                               "\ntotal_inactive_file");
        }
        available = room < available ? room : available;
    }
    fsattn_free(memory);
    fsattn_free(groups);
    return available;
}

/* ---- refusing ---- */

static void size_text(uint64_t bytes, char text[32]) {
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++) {
        value /= 1024;
    }
    snprintf(text, 32, "%s%.3g %s", bytes == UINT64_MAX ? "more than " : "", value, units[unit]);
}

fsattn_status fsattn_footprint_check(const fsattn_space *space, const size_t *problems, size_t count, uint64_t available_bytes,
                                     fsattn_err *err) {
    fsattn_cpu cpu;
    fsattn_cpu_detect(&cpu);
    for (size_t i = 0; i < count; i++) {
        const fsattn_space_problem *p = &space->problems[problems[i]];
        const uint64_t need = fsattn_footprint_of(&p->problem, space->measurement.cold, cpu.llc_bytes);
        if (need <= available_bytes) {
            continue;
        }
        char wanted[32], there[32];
        size_text(need, wanted);
        size_text(available_bytes, there);
        fsattn_fail(err, FSATTN_NO_MEMORY, "%s:%d:%d: %s: verifying and timing it takes %s of memory, available are %s", space->path,
                    p->place.line, p->place.column, p->name, wanted, there);
        fsattn_hint(err, "make the problem smaller, name others with --problem, or free some memory");
        return FSATTN_NO_MEMORY;
    }
    return FSATTN_OK;
}
