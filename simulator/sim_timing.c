#include "sim_timing.h"

#include "memory.h"

uint32_t sim_timing_resident(const fsattn_code_kernel *info, uint32_t waves, uint64_t lds_bytes) {
    const uint32_t granule = sim_cost_register_granule, vgprs = (info->vgprs + granule - 1) / granule * granule;
    uint32_t per_simd = vgprs ? sim_cost_simd_registers / vgprs : sim_cost_simd_waves;
    per_simd = per_simd > sim_cost_simd_waves ? sim_cost_simd_waves : per_simd;
    const uint64_t lds = (lds_bytes + sim_cost_lds_granule - 1) / sim_cost_lds_granule * sim_cost_lds_granule;
    const uint64_t by_lds = lds ? sim_lds_bytes_max / lds : UINT32_MAX;
    const uint32_t by_waves = sim_cost_simds * per_simd / (waves ? waves : 1);
    return by_lds < by_waves ? (uint32_t)by_lds : by_waves;
}

uint32_t sim_timing_wanted(uint64_t ran, uint32_t resident) {
    uint32_t wanted = resident < 2 ? 2 : resident;
    wanted = wanted > sim_timing_traces_max ? sim_timing_traces_max : wanted;
    return ran < wanted ? (uint32_t)ran : wanted;
}

/* Spread by the golden ratio, one in each of `wanted` parts, so that no period of the grid is hit again and again. */
uint64_t sim_timing_pick(uint64_t ran, uint32_t wanted, uint32_t k) {
    const uint64_t from = ran * k / wanted, to = ran * (k + 1) / wanted;
    const double fraction = 0.6180339887498949 * (k + 1);
    return from + (uint64_t)((double)(to - from) * (fraction - (double)(uint64_t)fraction));
}

/* ---- a trace's time --------------------------------------------------------------------------------------- */

typedef struct samples {
    double cycles[sim_timing_traces_max];
} samples;

/* Replays all traces, `together` at a time; what follows a cut trace goes on at its pace. */
static bool replay_all(const sim_timing_input *in, uint32_t together, sim_bound bound, sim_timing *timing, samples *s) {
    uint32_t seen[sim_timing_traces_max] = {0};
    for (uint32_t from = 0; from < in->trace_count; from += together) {
        const sim_trace *groups[sim_replay_groups_max];
        sim_replay replay;
        for (uint32_t i = 0; i < together; i++) {
            groups[i] = &in->traces[(from + i) % in->trace_count];
        }
        if (!sim_replay_run(groups, together, bound, in->near, from || bound != in->timeline_bound ? NULL : in->timeline, &replay)) {
            return false;
        }
        for (uint32_t i = 0; i < together; i++) {
            const uint32_t at = (from + i) % in->trace_count;
            const double part = groups[i]->recorded ? (double)groups[i]->executed / (double)groups[i]->recorded : 1;
            s->cycles[at] = (s->cycles[at] * seen[at] + (double)replay.group_cycles[i] * part) / (seen[at] + 1);
            seen[at]++;
        }
        if (!from) {
            timing->replay[bound] = replay;
        }
    }
    return true;
}

/* Of workgroup `at` of those that ran. */
static double cycles_of(const sim_timing_input *in, const samples *s, uint64_t at) {
    uint32_t best = (uint32_t)(at % in->trace_count);
    if (!in->executed) {
        return s->cycles[best];
    }
    const double own = (double)in->executed[at];
    double distance = -1;
    for (uint32_t i = 0; i < in->trace_count; i++) {
        const double away = own > (double)in->traces[i].executed ? own - (double)in->traces[i].executed : (double)in->traces[i].executed - own;
        const bool better = distance < 0 || away < distance || (away == distance && in->traces[i].group == at);
        best = better ? i : best;
        distance = better ? away : distance;
    }
    return in->traces[best].executed ? s->cycles[best] * own / (double)in->traces[best].executed : 0;
}

/* ---- the grid --------------------------------------------------------------------------------------------- */

enum { dealt_max = 1 << 16 }; /* workgroups dealt one by one; a larger grid goes on at their pace */

/* When the slot of a die that is free first takes `cycles` more: a heap, its root the earliest. */
static void deal(double *slots, uint32_t count, double cycles) {
    const double value = slots[0] + cycles;
    uint32_t at = 0;
    for (uint32_t child; (child = 2 * at + 1) < count; at = child) {
        child += child + 1 < count && slots[child + 1] < slots[child];
        if (slots[child] >= value) {
            break;
        }
        slots[at] = slots[child];
    }
    slots[at] = value;
}

static bool grid_cycles(const sim_timing_input *in, const samples *s, uint32_t together, double *cycles) {
    enum { dies = sim_cost_dies };
    const uint32_t of_die = sim_cost_compute_units / dies * together;
    const uint64_t dealt = in->groups < dealt_max ? in->groups : dealt_max;
    double *slots = fsattn_alloc((size_t)of_die * dies, sizeof *slots);
    *cycles = 0;
    if (!slots) {
        return false;
    }
    for (uint64_t g = 0; g < dealt; g++) {
        deal(slots + g % dies * of_die, of_die, cycles_of(in, s, in->spread ? g * in->ran / dealt : g % in->ran));
    }
    for (uint32_t i = 0; i < of_die * dies; i++) {
        *cycles = slots[i] > *cycles ? slots[i] : *cycles;
    }
    *cycles *= (double)in->groups / (double)dealt;
    fsattn_free(slots);
    return true;
}

bool sim_timing_run(const sim_timing_input *in, sim_timing *timing) {
    const uint64_t share = (in->groups + sim_cost_compute_units - 1) / sim_cost_compute_units;
    sim_timing made = {.traced = in->trace_count};
    const uint32_t waves = in->traces[0].wave_count ? in->traces[0].wave_count : 1;
    made.resident = in->resident < 1 ? 1 : in->resident;
    made.resident = share < made.resident ? (uint32_t)share : made.resident;
    made.resident = made.resident * waves > sim_replay_waves_max ? sim_replay_waves_max / waves : made.resident;
    made.resident = made.resident > sim_replay_groups_max ? sim_replay_groups_max : made.resident < 1 ? 1 : made.resident;
    for (int bound = 0; bound < sim_bounds; bound++) {
        samples s = {{0}};
        if (!replay_all(in, made.resident, (sim_bound)bound, &made, &s) || !grid_cycles(in, &s, made.resident, &made.cycles[bound])) {
            return false;
        }
    }
    *timing = made;
    return true;
}
