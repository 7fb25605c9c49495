/* The memory that a problem takes, what the machine has, and problems refused for it at their place in the space. */
#include "file.h"
#include "footprint.h"
#include "memory.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[] = "/tmp/fsattn-test-XXXXXX";

static void make_root(void) {
    cr_assert_not_null(mkdtemp(root));
}

static void remove_root(void) {
    cr_assert_eq(fsattn_folder_remove(root, NULL), FSATTN_OK);
}

static void put(const char *path, const char *text) {
    char whole[512], folder[512];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    snprintf(folder, sizeof folder, "%s", whole);
    *strrchr(folder, '/') = 0;
    cr_assert_eq(fsattn_folder_make(folder, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_file_publish(whole, text, strlen(text), 0600, NULL), FSATTN_OK);
}

Test(footprint, sizes_are_counted_and_saturate) {
    fsattn_problem p;
    cr_assert_eq(fsattn_problem_parse("hq=2 hkv=2 sq=1024 sk=1024 d=64", &p, NULL), FSATTN_OK);
    const uint64_t operand = (uint64_t)2 * 1024 * 64 * 4, rows = 2 * 1024 * 12;
    cr_expect_eq(fsattn_footprint_worker(&p, false, 0), 3 * operand + operand + rows + 3 * operand);
    cr_expect_eq(fsattn_footprint_of(&p, false, 0), 7 * operand + rows + 4 * operand + rows + 2 * 3 * operand);
    cr_expect_geq(fsattn_footprint_worker(&p, true, 1 << 20), fsattn_footprint_worker(&p, false, 0) + (2 << 20));
    p.s_q = p.s_k = 1000000000;
    p.heads_q = p.heads_kv = 1000000;
    cr_expect_gt(fsattn_footprint_of(&p, false, 0), (uint64_t)1 << 57);
    p.batch = 1000000000;
    cr_expect_eq(fsattn_footprint_of(&p, true, 1 << 20), UINT64_MAX);
}

Test(footprint, the_least_of_memory_and_control_groups_counts, .init = make_root, .fini = remove_root) {
    cr_expect_eq(fsattn_footprint_available(root), UINT64_MAX, "nothing is known");
    put("/proc/meminfo", "MemTotal:       16000000 kB\nMemFree:          10 kB\nMemAvailable:    8000 kB\n");
    cr_expect_eq(fsattn_footprint_available(root), 8000u * 1024);
    put("/proc/self/cgroup", "1:name=systemd:/x\n0::/user/me\n");
    put("/sys/fs/cgroup/user/me/memory.max", "max\n");
    put("/sys/fs/cgroup/user/me/memory.current", "1000\n");
    cr_expect_eq(fsattn_footprint_available(root), 8000u * 1024, "no limit is no limit");
    put("/sys/fs/cgroup/user/memory.max", "5000000\n");
    put("/sys/fs/cgroup/user/memory.current", "2000000\n");
    put("/sys/fs/cgroup/user/memory.stat", "anon 1\ninactive_anon 9\nfile 1\ninactive_file 500000\n");
    cr_expect_eq(fsattn_footprint_available(root), 3500000u, "the group above, less what can be dropped");
    put("/proc/self/cgroup", "7:memory:/a\n");
    put("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
    put("/sys/fs/cgroup/memory/a/memory.usage_in_bytes", "1000\n");
    put("/sys/fs/cgroup/memory/memory.limit_in_bytes", "3000\n");
    put("/sys/fs/cgroup/memory/memory.usage_in_bytes", "4000\n");
    cr_expect_eq(fsattn_footprint_available(root), 0u, "version 1, beyond its limit");
}
