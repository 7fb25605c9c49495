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

enum { size_count = sizeof((fsattn_fsc_sizes *)0)->value / sizeof(int64_t) };

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
    const char *tier = text_of(record, FSATTN_FSC_INTERVAL_ATTRIBUTE_TIER);
    const char *equivalent = text_of(record, FSATTN_FSC_INTERVAL_ATTRIBUTE_EQUIVALENT);
    made.equivalent = equivalent ? equivalent : "";
    made.tier = tier ? tier : "";
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

/* The value of the sizes that vary along the axis, 0 when they differ. */
static int64_t value_on(fsattn_fsc_interval_axis axis, const fsattn_fsc_sizes *sizes) {
    int64_t value = 0;
    for (unsigned i = 0; i < size_count; i++) {
        if (axes[axis].sizes >> i & 1) {
            if (value && sizes->value[i] != value) {
                return 0;
            }
            value = sizes->value[i];
        }
    }
    return value;
}

/* Whether all sizes that do not vary along the axis are equal. */
static bool equal_beside(fsattn_fsc_interval_axis axis, const fsattn_fsc_sizes *a, const fsattn_fsc_sizes *b) {
    for (unsigned i = 0; i < size_count; i++) {
        if (!(axes[axis].sizes >> i & 1) && a->value[i] != b->value[i]) {
            return false;
        }
    }
    return true;
}

bool fsattn_fsc_interval_covers(const fsattn_fsc_interval *interval, const fsattn_fsc_sizes *own, const fsattn_fsc_sizes *asked) {
    const int64_t value = value_on(interval->axis, asked);
    return equal_beside(interval->axis, own, asked) && value >= interval->from && value <= interval->to;
}

bool fsattn_fsc_interval_axis_between(const fsattn_fsc_sizes *a, const fsattn_fsc_sizes *b, fsattn_fsc_interval_axis *axis, int64_t *from, int64_t *to) {
    for (size_t i = 0; i < fsattn_fsc_interval_axis_count; i++) {
        const int64_t mine = value_on((fsattn_fsc_interval_axis)i, a), others = value_on((fsattn_fsc_interval_axis)i, b);
        if (mine && others && mine != others && equal_beside((fsattn_fsc_interval_axis)i, a, b)) {
            *axis = (fsattn_fsc_interval_axis)i;
            *from = mine;
            *to = others;
            return true;
        }
    }
    return false;
}

void fsattn_fsc_interval_tell(const fsattn_fsc_interval *interval, fsattn_text *text) {
    const bool tier = *interval->tier != '\0';
    fsattn_text_printf(text, "%s %lld .. %lld%s%s: at most %.2g%% slower than the best found%s at %lld measured shape%s",
                       fsattn_fsc_interval_axis_text(interval->axis), (long long)interval->from, (long long)interval->to, tier ? " in tier " : "",
                       interval->tier, 100 * interval->regret, tier ? " that is as accurate" : "", (long long)interval->shapes,
                       interval->shapes == 1 ? "" : "s");
    if (!isnan(interval->beyond)) {
        fsattn_text_printf(text, ", %.2g%% at the next ones outside", 100 * interval->beyond);
    }
}
