#include "sim_facts.h"

#include "error.h"
#include "nearest.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* What arrays, the heap of workgroups and properties are made from. */
static const sim_constant fixed[] = {SIM_CONSTANT_compute_units, SIM_CONSTANT_dies, SIM_CONSTANT_clock_mhz, SIM_CONSTANT_simds,
                                     SIM_CONSTANT_simd_waves, SIM_CONSTANT_simd_registers, SIM_CONSTANT_register_granule,
                                     SIM_CONSTANT_lds_granule, SIM_CONSTANT_wave_issue, SIM_CONSTANT_l1_bytes, SIM_CONSTANT_l2_bytes,
                                     SIM_CONSTANT_infinity_bytes};
enum { cycles_max = 60000 };

static bool is_percent(size_t constant) {
    return constant == SIM_CONSTANT_matrix_blocks || constant == SIM_CONSTANT_matrix_blocks_f8f6f4;
}

static fsattn_status take_constant(const fsattn_fact *f, sim_facts *facts, fsattn_err *err) {
    const sim_cost_source *sources = sim_cost_sources();
    const char *names[sim_constants];
    size_t at = 0;
    for (size_t i = 0; i < sim_constants; i++) {
        names[i] = sources[i].name;
    }
    while (at < sim_constants && strcmp(names[at], f->name)) {
        at++;
    }
    if (at == sim_constants) {
        fsattn_fail(err, FSATTN_PARSE, "unknown constant '%s'", f->name);
        fsattn_nearest_hint(err, f->name, names, sim_constants);
        return FSATTN_PARSE;
    }
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
        if ((size_t)fixed[i] == at) {
            fsattn_fail(err, FSATTN_PARSE, "constant '%s' cannot be set: the simulator is built around it", f->name);
            fsattn_hint(err, "make it a note");
            return FSATTN_PARSE;
        }
    }
    const uint32_t least = is_percent(at) ? 0 : 1, most = is_percent(at) ? 100 : cycles_max;
    if (f->number + 0.5 < least || f->number > most) {
        return fsattn_fail(err, FSATTN_PARSE, "%s: expected a number from %u to %u, got '%s'", f->name, least, most, f->value);
    }
    facts->values[SIM_PESSIMISTIC][at] = facts->values[SIM_OPTIMISTIC][at] = (uint32_t)(f->number + 0.5);
    facts->probed[at] = true;
    return FSATTN_OK;
}

fsattn_status sim_facts_make(const fsattn_facts *file, sim_facts *facts, fsattn_err *err) {
    sim_facts made = {.file = file};
    for (size_t i = 0; i < sim_constants; i++) {
        for (int bound = 0; bound < sim_bounds; bound++) {
            made.values[bound][i] = sim_cost_sources()[i].values[bound];
        }
    }
    for (size_t i = 0; i < fsattn_fact_switches; i++) {
        const fsattn_fact *f = fsattn_facts_find(file, FSATTN_FACT_SWITCH, fsattn_fact_switch_name((fsattn_fact_switch)i));
        made.choice[i] = f ? f->choice : 0;
        for (uint8_t bit = 0; bit < fsattn_fact_bits; bit++) {
            made.order[i][bit] = f ? f->order[bit] : bit;
        }
    }
    for (size_t i = 0; file && i < file->count; i++) {
        const fsattn_fact *f = &file->items[i];
        const fsattn_status status = f->kind == FSATTN_FACT_CONSTANT ? take_constant(f, &made, err) : FSATTN_OK;
        if (status != FSATTN_OK) {
            return fsattn_context_add(err, status, "%s:%d", file->path, f->line);
        }
    }
    *facts = made;
    return FSATTN_OK;
}

void sim_facts_text(const sim_facts *facts, fsattn_text *out) {
    const fsattn_facts *file = facts->file;
    size_t count = 0;
    for (size_t i = 0; i < sim_constants; i++) {
        if (facts->probed[i]) {
            fsattn_text_printf(out, "%s%s %u", count++ ? ", " : "probed: ", sim_cost_sources()[i].name, facts->values[0][i]);
        }
    }
    for (size_t i = 0; file && i < file->count; i++) {
        if (file->items[i].kind == FSATTN_FACT_SWITCH) {
            fsattn_text_printf(out, "%s%s '%s'", count++ ? ", " : "probed: ", file->items[i].name, file->items[i].value);
        }
    }
    if (count) {
        fsattn_text_printf(out, "; %s on %s, %s; from %s; everything else is assumed\n", file->measured ? "measured" : "modelled",
                           file->device, file->date, file->path);
    }
}

/* Written once, under `once`. */
static struct {
    pthread_once_t once;
    sim_facts facts;
    fsattn_status status;
    fsattn_err err;
} process = {.once = PTHREAD_ONCE_INIT};

static void make_process(void) {
    const fsattn_facts *file = NULL;
    process.status = fsattn_facts_process(&file, &process.err);
    if (process.status == FSATTN_OK) {
        process.status = sim_facts_make(file, &process.facts, &process.err);
    }
    if (process.status != FSATTN_OK) {
        sim_facts_make(NULL, &process.facts, NULL);
    }
}

fsattn_status sim_facts_check(fsattn_err *err) {
    pthread_once(&process.once, make_process);
    if (process.status != FSATTN_OK && err) {
        *err = process.err;
    }
    return process.status;
}

const sim_facts *sim_facts_get(void) {
    pthread_once(&process.once, make_process);
    return &process.facts;
}
