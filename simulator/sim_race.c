#include "sim_race.h"

#include "memory.h"
#include "sim_wait.h"

/* Epoch in which the wave waited for its load number `load`; 0 when it has not yet. */
static uint32_t epoch_of_wait(const sim_wait *t, uint32_t load) {
    uint32_t epoch = 0;
    if (t->vm_done < load) {
        return 0;
    }
    for (uint32_t i = t->history_count; i > 0 && t->history_count - i < sim_wait_history; i--) {
        const uint32_t at = (i - 1) % sim_wait_history;
        if (t->history[at].done < load) {
            break;
        }
        epoch = t->history[at].epoch;
    }
    return epoch;
}

static bool conflict(sim_wave *wave, const sim_instruction *in, int lane, uint32_t address, const char *what, unsigned other,
                     const char *did) {
    sim_fault(wave, in, lane, "race in LDS: %s address %u, which wave %u has %s since the last barrier", what, address, other, did);
    return false;
}

/* A word (or a byte of one) that a load fills: in time, or still on its way. Settles what has arrived into the epoch of its wait. */
static bool check_load(sim_wave *wave, const sim_instruction *in, int lane, uint32_t address, sim_shadow *s) {
    const sim_wave *owner = &wave->group->waves[s->writer];
    const uint32_t epoch = owner->wait ? epoch_of_wait(owner->wait, s->load) : s->write_epoch;
    if (!epoch) {
        sim_fault(wave, in, lane, "LDS address %u is used before wave %u's s_waitcnt vmcnt covers the load that fills it", address,
                  s->writer);
        return false;
    }
    s->write_epoch = epoch;
    s->load = 0;
    return true;
}

static bool touch_word(sim_wave *wave, const sim_instruction *in, int lane, uint32_t address, sim_touch touch, sim_shadow *s) {
    const uint32_t epoch = wave->group->epoch;
    const bool is_atomic = touch == SIM_TOUCH_ATOMIC, writes = touch != SIM_TOUCH_READ;
    const bool loads = touch == SIM_TOUCH_LOAD || touch == SIM_TOUCH_LOAD_SAME;
    if (touch == SIM_TOUCH_LOAD_SAME && s->loaded && s->writer != wave->id && (s->load || s->write_epoch == epoch)) {
        return true; /* the first wave's load is the one that counts */
    }
    if (s->load && !(loads && s->writer == wave->id) && !check_load(wave, in, lane, address, s)) {
        return false;
    }
    if (s->write_epoch == epoch && s->writer != wave->id && !(is_atomic && s->atomic)) {
        return conflict(wave, in, lane, address, writes ? "writes" : "reads", s->writer, "written");
    }
    if (!writes) {
        s->readers = (uint16_t)((s->read_epoch == epoch ? s->readers : 0) | 1u << wave->id);
        s->read_epoch = epoch;
        return true;
    }
    const uint16_t others = s->read_epoch == epoch ? s->readers & (uint16_t)~(1u << wave->id) : 0;
    if (others) {
        return conflict(wave, in, lane, address, "writes", (unsigned)__builtin_ctz(others), "read");
    }
    s->write_epoch = epoch;
    s->writer = (uint8_t)wave->id;
    s->atomic = is_atomic;
    s->loaded = loads;
    s->load = loads && wave->wait ? wave->wait->vm_issued + 1 : 0;
    return true;
}

/* The state of the bytes of a word, made when the first of them is touched alone; NULL after a fault. */
static sim_shadow *bytes_of(sim_wave *wave, const sim_instruction *in, int lane, uint32_t word) {
    sim_group *g = wave->group;
    if (!g->bytes) {
        g->bytes = fsattn_alloc(g->lds_bytes + 4u, sizeof *g->bytes);
    }
    if (!g->bytes) {
        sim_fault(wave, in, lane, "out of memory for the bytes of LDS");
        return NULL;
    }
    if (!g->shadow[word].split) {
        for (unsigned i = 0; i < 4; i++) {
            g->bytes[4 * word + i] = g->shadow[word];
        }
        g->shadow[word].split = true;
    }
    return &g->bytes[4 * word];
}

bool sim_race_touch(sim_wave *wave, const sim_instruction *in, int lane, uint32_t address, unsigned bytes, sim_touch touch) {
    const uint32_t end = address + bytes;
    if (touch == SIM_TOUCH_NONE) {
        return true;
    }
    for (uint32_t at = address, next; at < end; at = next) {
        sim_shadow *word = &wave->group->shadow[at / 4];
        next = (at | 3) + 1 < end ? (at | 3) + 1 : end;
        if (next - at == 4 && !word->split) {
            if (!touch_word(wave, in, lane, at, touch, word)) {
                return false;
            }
            continue;
        }
        sim_shadow *parts = bytes_of(wave, in, lane, at / 4);
        for (uint32_t i = at; i < next; i++) {
            if (!parts || !touch_word(wave, in, lane, i, touch, &parts[i % 4])) {
                return false;
            }
        }
    }
    return true;
}
