#include "probe_rate.h"

#include <stdio.h>

void probe_rate_fill(const probe_timing *timing, uint32_t in[probe_rate_in]) {
    in[0] = timing->what;
    in[1] = 0;
    in[2] = 127; /* a scale byte */
    in[3] = 0x3f800000;
}

size_t probe_rate_timings(const struct probe_rate *rate) {
    size_t count = 0;
    while (count < probe_rate_timings_max && rate->timings[count].entry) {
        count++;
    }
    return count;
}

/* From the cycles of a turn of each timing. */
static double value_of(const struct probe_rate *rate, const double *cycles) {
    switch (rate->kind) {
    case PROBE_CHAIN: return cycles[0] / rate->timings[0].instructions - cycles[1] / rate->timings[1].instructions;
    case PROBE_BLOCKS: return 100 * (cycles[0] - cycles[1]) / cycles[2]; /* what the matrix instructions add to the vector ones' time */
    default: return cycles[0] / rate->timings[0].instructions;
    }
}

void probe_rate_judge(const probe *p, const probe_sample *samples, probe_outcome *outcome) {
    const struct probe_rate *rate = p->rate;
    const bool percent = rate->kind == PROBE_BLOCKS;
    const double slack = percent ? 5 : 0.5, share = percent ? 0 : 0.05;
    double cycles[probe_rate_timings_max] = {0}, ns = 0;
    *outcome = (probe_outcome){.verdict = PROBE_CANNOT};
    for (size_t i = 0; i < probe_rate_timings(rate); i++) {
        cycles[i] = samples[i].cycles;
        ns += samples[i].time_ns;
        if (!(cycles[i] > 0)) {
            snprintf(outcome->detail, sizeof outcome->detail, "%s: the device gives no time", rate->timings[i].entry);
            return;
        }
    }
    outcome->value = value_of(rate, cycles);
    outcome->value = percent && outcome->value < 0 ? 0 : outcome->value; /* measured beside one another they may end a little sooner */
    outcome->value = percent && outcome->value > 100 ? 100 : outcome->value;
    const bool fits = outcome->value >= rate->least * (1 - share) - slack && outcome->value <= rate->most * (1 + share) + slack;
    snprintf(outcome->seen, sizeof outcome->seen, "%.2f %s", outcome->value, percent ? "percent" : "cycles");
    outcome->verdict = fits ? PROBE_AGREES : PROBE_DIFFERS;
    if (ns > 0) {
        outcome->clock_mhz = 1e3 * (cycles[0] + cycles[1] + cycles[2]) / ns;
    }
    if (!fits && rate->least < rate->most) {
        snprintf(outcome->detail, sizeof outcome->detail, "seen %s, expected %g to %g", outcome->seen, rate->least, rate->most);
    } else if (!fits) {
        snprintf(outcome->detail, sizeof outcome->detail, "seen %s, expected %g", outcome->seen, rate->least);
    }
}

fsattn_status probe_rate_record(const probe *p, const probe_outcome *outcome, fsattn_facts *facts, fsattn_err *err) {
    const struct probe_rate *rate = p->rate;
    char text[32];
    /* No cycles at all are no constant: a wave takes its turns. */
    snprintf(text, sizeof text, "%.2f", rate->kind != PROBE_BLOCKS && outcome->value < 1 ? 1 : outcome->value);
    /* What a model says of time is no news to a model, and would take the other figure's place. */
    const bool constant = rate->constant && facts->measured;
    return fsattn_facts_add(facts, constant ? FSATTN_FACT_CONSTANT : FSATTN_FACT_NOTE, constant ? rate->constant : p->name, text,
                            rate->kind == PROBE_BLOCKS ? "percent" : "cycles", err);
}
