#include "fsc_interval.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *text;
    unsigned sizes;
} axes[] = {
#define X(name, text, sizes) {text, sizes},
    FSATTN_FSC_INTERVAL_AXIS_LIST(X)
#undef X
};

const char *fsattn_fsc_interval_attribute_name(int attribute) {
    static const char *const names[] = {
#define X(name, text) text,
        FSATTN_FSC_INTERVAL_ATTRIBUTE_LIST(X)
#undef X
    };
    return names[attribute];
}

const char *fsattn_fsc_interval_axis_text(fsattn_fsc_interval_axis axis) {
    return axes[axis].text;
}

bool fsattn_fsc_interval_axis_find(const char *text, fsattn_fsc_interval_axis *axis) {
    for (size_t i = 0; text && i < fsattn_fsc_interval_axis_count; i++) {
        if (!strcmp(axes[i].text, text)) {
            *axis = (fsattn_fsc_interval_axis)i;
            return true;
        }
    }
    return false;
}

static const char *text_of(const fsattn_fsc_record *record, int attribute) {
    return fsattn_fsc_attribute(record, fsattn_fsc_interval_attribute_name(attribute));
}

static bool read_size(const char *text, int64_t *value) {
    char *end;
    errno = 0;
    const long long read = text ? strtoll(text, &end, 10) : 0;
    if (!text || end == text || *end || errno || read < 1) {
        return false;
    }
    *value = read;
    return true;
}

static bool read_share(const char *text, double *value) {
    char *end;
    const double read = text ? strtod(text, &end) : 0;
    if (!text || end == text || *end || !(read >= 0) || isinf(read)) {
        return false;
    }
    *value = read;
    return true;
}

bool fsattn_fsc_interval_of(const fsattn_fsc_record *record, fsattn_fsc_interval *interval) {
    fsattn_fsc_interval made = {.beyond = NAN};
    const char *beyond = text_of(record, FSATTN_FSC_INTERVAL_ATTRIBUTE_BEYOND);
    const char *equivalent = text_of(record, FSATTN_FSC_INTERVAL_ATTRIBUTE_EQUIVALENT);
    made.equivalent = equivalent ? equivalent : "";
    const bool whole = fsattn_fsc_interval_axis_find(text_of(record, FSATTN_FSC_INTERVAL_ATTRIBUTE_AXIS), &made.axis) &&
                       read_size(text_of(record, FSATTN_FSC_INTERVAL_ATTRIBUTE_FROM), &made.from) &&
                       read_size(text_of(record, FSATTN_FSC_INTERVAL_ATTRIBUTE_TO), &made.to) && made.from <= made.to &&
                       read_size(text_of(record, FSATTN_FSC_INTERVAL_ATTRIBUTE_SHAPES), &made.shapes) &&
                       read_share(text_of(record, FSATTN_FSC_INTERVAL_ATTRIBUTE_REGRET), &made.regret) &&
                       (!beyond || read_share(beyond, &made.beyond));
    if (whole) {
        *interval = made;
    }
    return whole;
}

fsattn_fsc_sizes fsattn_fsc_sizes_of(const fsattn_problem *problem) {
    return (fsattn_fsc_sizes){{problem->batch, problem->heads_q, problem->heads_kv, problem->s_q, problem->s_k}};
}

bool fsattn_fsc_interval_covers(const fsattn_fsc_interval *interval, const fsattn_fsc_sizes *own, const fsattn_fsc_sizes *asked) {
    const unsigned varied = axes[interval->axis].sizes;
    int64_t value = 0;
    for (unsigned i = 0; i < sizeof own->value / sizeof own->value[0]; i++) {
        const bool varies = varied >> i & 1;
        const int64_t expected = !varies ? own->value[i] : value ? value : asked->value[i];
        value = varies ? expected : value;
        if (asked->value[i] != expected) {
            return false;
        }
    }
    return value >= interval->from && value <= interval->to;
}

void fsattn_fsc_interval_tell(const fsattn_fsc_interval *interval, fsattn_text *text) {
    fsattn_text_printf(text, "%s %lld .. %lld: at most %.2g%% slower than the best found at %lld measured shape%s", fsattn_fsc_interval_axis_text(interval->axis),
                       (long long)interval->from, (long long)interval->to, 100 * interval->regret, (long long)interval->shapes,
                       interval->shapes == 1 ? "" : "s");
    if (!isnan(interval->beyond)) {
        fsattn_text_printf(text, ", %.2g%% at the next ones outside", 100 * interval->beyond);
    }
}
