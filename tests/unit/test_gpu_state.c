/* What amdgpu tells in sysfs, from a folder that looks like it; whatever is missing or malformed is unknown. */
#include "gpu_state.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[64], folder[256];

static void put(const char *name, const void *data, size_t bytes) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    FILE *file = fopen(path, "wb");
    cr_assert(file && fwrite(data, 1, bytes, file) == bytes);
    fclose(file);
}
static void put_text(const char *name, const char *text) { put(name, text, strlen(text)); }
static void put_metrics(unsigned content, size_t offset, uint32_t word, uint32_t next) {
    uint8_t data[512] = {0};
    data[2] = 1;
    data[3] = (uint8_t)content;
    memcpy(data + offset, &word, sizeof word);
    memcpy(data + offset + 16, &next, sizeof next); /* the fifth counter, or none */
    put("gpu_metrics", data, sizeof data);
}

static void open_folder(void) {
    strcpy(root, "/tmp/fsattn-sysfs-XXXXXX");
    cr_assert(mkdtemp(root));
    setenv("FSATTN_SYSFS", root, 1);
    fsattn_gpu_state_folder("0000:C1:00.0", folder, sizeof folder);
    cr_assert(strstr(folder, "/bus/pci/devices/0000:c1:00.0"), "%s", folder);
}
static void close_folder(void) {
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", root);
    cr_assert_eq(system(command), 0);
}
TestSuite(gpu_state, .init = open_folder, .fini = close_folder);

Test(gpu_state, what_is_missing_is_unknown) {
    char none[64];
    fsattn_gpu_state_folder("", none, sizeof none);
    cr_assert_str_empty(none);
    const char *folders[] = {none, folder};
    for (int i = 0; i < 2; i++) {
        const fsattn_gpu_state s = fsattn_gpu_state_read(folders[i], NULL);
        cr_assert(s.clock_mhz < 0 && s.power_w < 0 && s.throttled == -1 && !s.partition[0]);
    }
    put_text("pp_dpm_sclk", "0: 132Mhz\nrubbish *\n");
    put_text("hwmon/hwmon3/power1_average", "many\n");
    put_text("hwmon/hwmon3/freq1_input", "");
    put_text("current_compute_partition", "\n");
    put("gpu_metrics", "\1\0\1", 3);
    fsattn_gpu_state s = fsattn_gpu_state_read(folder, NULL);
    cr_assert(s.clock_mhz < 0 && s.power_w < 0 && s.throttled == -1 && !s.partition[0]);
    put("gpu_metrics", "\4\0\1\7", 4); /* cut before the counters */
    cr_assert_eq(fsattn_gpu_state_read(folder, NULL).throttled, -1);
    put_metrics(9, 44, 1, 1); /* a revision that nobody knows here */
    cr_assert_eq(fsattn_gpu_state_read(folder, NULL).throttled, -1);
}

Test(gpu_state, clock_power_and_partition) {
    put_text("pp_dpm_sclk", "0: 132Mhz\n1: 2093Mhz *\n2: 2400Mhz\n");
    put_text("hwmon/hwmon3/power1_input", "998000000\n");
    put_text("current_compute_partition", "SPX\n");
    fsattn_gpu_state s = fsattn_gpu_state_read(folder, NULL);
    cr_assert_eq(s.clock_mhz, 2093);
    cr_assert_eq(s.power_w, 998);
    cr_assert_str_eq(s.partition, "SPX");
    put_text("current_memory_partition", "NPS1\n");
    put_text("hwmon/hwmon3/power1_average", "1400000000\n");
    put_text("hwmon/hwmon3/freq1_input", "2105000000\n");
    s = fsattn_gpu_state_read(folder, NULL);
    cr_assert_eq(s.clock_mhz, 2105);
    cr_assert_eq(s.power_w, 1400);
    cr_assert_str_eq(s.partition, "SPX NPS1");
}

Test(gpu_state, throttling_by_revision_of_the_metrics) {
    static const struct {
        unsigned content;
        size_t offset;
    } now[] = {{3, 68}, {4, 40}, {5, 104}}, counted[] = {{6, 36}, {7, 44}, {8, 44}};
    for (size_t i = 0; i < 3; i++) {
        put_metrics(now[i].content, now[i].offset, 0, 1);
        cr_expect_eq(fsattn_gpu_state_read(folder, NULL).throttled, 0, "1.%u", now[i].content);
        put_metrics(now[i].content, now[i].offset, 4, 0);
        cr_expect_eq(fsattn_gpu_state_read(folder, NULL).throttled, 1, "1.%u", now[i].content);
        put_metrics(counted[i].content, counted[i].offset, 7, 9);
        const fsattn_gpu_state first = fsattn_gpu_state_read(folder, NULL);
        cr_expect_eq(first.throttled, -1, "there is nothing to compare with");
        cr_expect_eq(fsattn_gpu_state_read(folder, &first).throttled, 0);
        put_metrics(counted[i].content, counted[i].offset, 7, 10);
        cr_expect_eq(fsattn_gpu_state_read(folder, &first).throttled, 1, "1.%u", counted[i].content);
    }
}

Test(gpu_state, a_log_has_a_value_for_each_run) {
    fsattn_gpu_state_log log = {0};
    const fsattn_gpu_state states[] = {{.clock_mhz = 2100.4, .power_w = -1, .partition = "SPX", .throttled = 0},
                                       {.clock_mhz = -1, .power_w = 1400, .partition = "SPX", .throttled = 1},
                                       {.clock_mhz = 1998, .power_w = 1390, .throttled = -1}};
    for (size_t i = 0; i < 3; i++) {
        fsattn_gpu_state_note(&log, &states[i]);
    }
    const char *wanted[fsattn_gpu_state_fields] = {"2100 ? 1998", "SPX, ?", "? 1400 1390", "0 1 ?"};
    const char *names[fsattn_gpu_state_fields] = {"gpu.clock_mhz", "gpu.partition", "gpu.power_w", "gpu.throttled"};
    for (int i = 0; i < fsattn_gpu_state_fields; i++) {
        cr_expect_str_eq(log.fields[i].data, wanted[i]);
        cr_expect_str_eq(fsattn_gpu_state_attribute((fsattn_gpu_state_field)i), names[i]);
    }
    for (int i = 0; i < 2 * fsattn_gpu_state_runs; i++) {
        fsattn_gpu_state_note(&log, &states[0]);
    }
    size_t values = 1;
    for (const char *at = log.fields[FSATTN_GPU_STATE_CLOCK].data; *at; at++) {
        values += *at == ' ';
    }
    cr_expect_eq(values, fsattn_gpu_state_runs, "%zu", values);
    fsattn_gpu_state_fini(&log);
}
