#include "gpu_state.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { path_bytes = 512 };

void fsattn_gpu_state_folder(const char *pci, char *folder, size_t bytes) {
    const char *root = getenv("FSATTN_SYSFS");
    const int length = pci[0] ? snprintf(folder, bytes, "%s/bus/pci/devices/%s", root ? root : "/sys", pci) : 0;
    if (length <= 0 || (size_t)length >= bytes) {
        folder[0] = '\0';
        return;
    }
    for (char *at = folder + length - strlen(pci); *at; at++) { /* HIP may say C1 */
        *at = (char)tolower((unsigned char)*at);
    }
}

/* Bytes of a small file, with a 0 behind them; 0 when it cannot be read. */
static size_t read_small(const char *folder, const char *name, char *data, size_t bytes) {
    char path[path_bytes];
    const int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    const int fd = length > 0 && length < (int)sizeof path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    const ssize_t got = fd >= 0 ? read(fd, data, bytes - 1) : -1;
    if (fd >= 0) {
        close(fd);
    }
    data[got > 0 ? got : 0] = '\0';
    return got > 0 ? (size_t)got : 0;
}

/* A number in units of `unit`; -1: none. */
static double number_of(const char *folder, const char *name, double unit) {
    char text[64], *end;
    if (!read_small(folder, name, text, sizeof text)) {
        return -1;
    }
    const double value = strtod(text, &end);
    return end != text && value >= 0 ? value / unit : -1;
}

/* "1: 2100Mhz *": the line with the star. */
static double starred_mhz(const char *folder) {
    char text[1024], *rest = NULL;
    read_small(folder, "pp_dpm_sclk", text, sizeof text);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const char *colon = strchr(line, ':');
        double mhz;
        if (colon && strchr(line, '*') && sscanf(colon + 1, "%lf", &mhz) == 1 && mhz >= 0) {
            return mhz;
        }
    }
    return -1;
}

static void read_sensors(const char *folder, fsattn_gpu_state *s) {
    char path[path_bytes], sensors[path_bytes];
    const int length = snprintf(path, sizeof path, "%s/hwmon", folder);
    DIR *dir = length > 0 && length < (int)sizeof path ? opendir(path) : NULL;
    for (struct dirent *entry; dir && (entry = readdir(dir)) && s->power_w < 0;) {
        if (strncmp(entry->d_name, "hwmon", 5) != 0 || snprintf(sensors, sizeof sensors, "%s/%s", path, entry->d_name) >= (int)sizeof sensors) {
            continue;
        }
        s->clock_mhz = number_of(sensors, "freq1_input", 1e6); /* Hz, of the shader clock */
        s->power_w = number_of(sensors, "power1_average", 1e6);
        s->power_w = s->power_w < 0 ? number_of(sensors, "power1_input", 1e6) : s->power_w;
    }
    if (dir) {
        closedir(dir);
    }
    s->clock_mhz = s->clock_mhz < 0 ? starred_mhz(folder) : s->clock_mhz;
}

static void read_partition(const char *folder, fsattn_gpu_state *s) {
    static const char *const names[] = {"current_compute_partition", "current_memory_partition"};
    for (size_t i = 0; i < 2; i++) {
        char text[32];
        const size_t used = strlen(s->partition);
        if (read_small(folder, names[i], text, sizeof text) && text[0] > ' ') {
            snprintf(s->partition + used, sizeof s->partition - used, "%s%.*s", used ? " " : "", (int)strcspn(text, " \n"), text);
        }
    }
}

/* gpu_metrics of amdgpu, by its revision: 1.3 to 1.5 say whether it is throttled (throttle_status), 1.6 to 1.8 have five counters of how
 * long it was, by reason (prochot_residency_acc and the four behind it). Offsets are those of struct gpu_metrics_v1_3 to _v1_8 in
 * drivers/gpu/drm/amd/include/kgd_pp_interface.h of ROCm/amdgpu, commit 0ce779bf9fda, members at their natural alignment. Newer drivers'
 * 1.9 is a list of attributes, which is not read here. Other revisions are not known. */
static const struct metrics {
    uint8_t content, words;
    uint16_t offset;
} metrics[] = {{3, 1, 68}, {4, 1, 40}, {5, 1, 104}, {6, 5, 36}, {7, 5, 44}, {8, 5, 44}};

static void read_throttle(const char *folder, const fsattn_gpu_state *before, fsattn_gpu_state *s) {
    char data[4096];
    const size_t bytes = read_small(folder, "gpu_metrics", data, sizeof data);
    for (size_t i = 0; bytes >= 4 && data[2] == 1 && i < sizeof metrics / sizeof metrics[0]; i++) {
        const struct metrics *m = &metrics[i];
        if ((uint8_t)data[3] != m->content || m->offset + m->words * sizeof(uint32_t) > bytes) {
            continue;
        }
        for (size_t k = 0; k < m->words; k++) {
            uint32_t word;
            memcpy(&word, data + m->offset + k * sizeof word, sizeof word);
            s->throttle += word;
        }
        s->counts = m->words > 1;
        s->throttled = !s->counts ? s->throttle != 0 : before && before->counts ? s->throttle != before->throttle : -1;
        return;
    }
}

fsattn_gpu_state fsattn_gpu_state_read(const char *folder, const fsattn_gpu_state *before) {
    fsattn_gpu_state s = {.clock_mhz = -1, .power_w = -1, .throttled = -1};
    if (folder[0]) {
        read_sensors(folder, &s);
        read_partition(folder, &s);
        read_throttle(folder, before, &s);
    }
    return s;
}

/* ---- of many runs ---- */

static void add_number(fsattn_text *text, double value) {
    const char *space = text->bytes ? " " : "";
    if (value < 0) {
        fsattn_text_printf(text, "%s?", space);
    } else {
        fsattn_text_printf(text, "%s%.0f", space, value);
    }
}

void fsattn_gpu_state_note(fsattn_gpu_state_log *log, const fsattn_gpu_state *state) {
    fsattn_text *partition = &log->fields[FSATTN_GPU_STATE_PARTITION];
    const char *mode = state->partition[0] ? state->partition : "?";
    if (log->count++ >= fsattn_gpu_state_runs) {
        return;
    }
    add_number(&log->fields[FSATTN_GPU_STATE_CLOCK], state->clock_mhz);
    add_number(&log->fields[FSATTN_GPU_STATE_POWER], state->power_w);
    add_number(&log->fields[FSATTN_GPU_STATE_THROTTLED], state->throttled);
    if (!partition->bytes || !strstr(partition->data, mode)) {
        fsattn_text_printf(partition, "%s%s", partition->bytes ? ", " : "", mode);
    }
}

void fsattn_gpu_state_fini(fsattn_gpu_state_log *log) {
    for (size_t i = 0; i < fsattn_gpu_state_fields; i++) {
        fsattn_text_fini(&log->fields[i]);
    }
}

const char *fsattn_gpu_state_attribute(fsattn_gpu_state_field field) {
    static const char *const names[] = {
#define X(name, attribute) attribute,
        FSATTN_GPU_STATE_LIST(X)
#undef X
    };
    return names[field];
}
