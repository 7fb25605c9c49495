#include "sim_trace.h"

#include "memory.h"
#include "sim_operands.h"

/* ---- LDS: banks and phases ---------------------------------------------------------------------------- */

/* Order in which the lanes of half a wave come, `lanes` of them in a phase. Measured on MI355X: 64-bit and 128-bit reads, 96-bit reads,
 * 64-bit writes. The others by analogy: 128 bytes a cycle in the order of lanes. */
static const uint8_t in_order[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                     16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
static const uint8_t order_128[32] = {0, 1, 2, 3, 12, 13, 14, 15, 20, 21, 22, 23, 24, 25, 26, 27,
                                      4, 5, 6, 7, 8,  9,  10, 11, 16, 17, 18, 19, 28, 29, 30, 31};
static const uint8_t order_96[32] = {0, 1, 2,  3,  20, 21, 22, 23, 4,  5,  6,  7,  16, 17, 18, 19,
                                     8, 9, 10, 11, 28, 29, 30, 31, 12, 13, 14, 15, 24, 25, 26, 27};
static const struct {
    uint8_t words, banks, lanes;
    const uint8_t *order;
    bool serial; /* equal addresses one after another */
} shapes[] = {
    [SIM_LDS_NONE] = {1, 32, 32, in_order, false},     [SIM_LDS_READ_32] = {1, 32, 32, in_order, false},
    [SIM_LDS_READ_64] = {2, 64, 32, in_order, false},  [SIM_LDS_READ_96] = {3, 32, 8, order_96, false},
    [SIM_LDS_READ_128] = {4, 64, 16, order_128, false}, [SIM_LDS_WRITE_32] = {1, 32, 32, in_order, false},
    [SIM_LDS_WRITE_64] = {2, 32, 16, in_order, false}, [SIM_LDS_WRITE_96] = {3, 32, 8, in_order, false},
    [SIM_LDS_WRITE_128] = {4, 32, 8, in_order, false}, [SIM_LDS_ATOMIC] = {1, 32, 32, in_order, true},
};

enum { banks_max = 64, phase_words_max = 64 };

/* The words that the busiest bank gives in one phase. */
typedef struct phase {
    uint32_t words[phase_words_max];
    uint8_t next[phase_words_max];  /* of the same bank, 1 more than its index; 0: none */
    uint8_t first[banks_max], load[banks_max];
    uint8_t count, worst;
} phase;

static void add_word(phase *p, uint32_t word, unsigned bank, bool serial) {
    for (unsigned at = p->first[bank]; at && !serial; at = p->next[at - 1]) {
        if (p->words[at - 1] == word) {
            return;
        }
    }
    p->words[p->count] = word;
    p->next[p->count] = p->first[bank];
    p->first[bank] = ++p->count;
    p->load[bank]++;
    p->worst = p->load[bank] > p->worst ? p->load[bank] : p->worst;
}

unsigned sim_trace_lds_cycles(sim_lds_shape shape, const uint32_t address[sim_lanes], uint64_t exec) {
    const unsigned lanes = shapes[shape].lanes, words = shapes[shape].words, banks = shapes[shape].banks;
    unsigned cycles = 0;
    for (unsigned from = 0; from < sim_lanes; from += lanes) {
        phase p = {.count = 0};
        for (unsigned i = from; i < from + lanes; i++) {
            const unsigned lane = (i & 32) + shapes[shape].order[i & 31];
            for (unsigned k = 0; k < words && (exec >> lane & 1); k++) {
                const uint32_t word = address[lane] / 4 + k;
                add_word(&p, word, word % banks, shapes[shape].serial);
            }
        }
        cycles += p.worst;
    }
    return cycles ? cycles : 1;
}

/* ---- memory: cache lines -------------------------------------------------------------------------------- */

enum { lines_max = 128 };
typedef struct line_set {
    uint32_t lines[lines_max];
    unsigned count;
} line_set;

static void add_line(line_set *set, uint64_t address) {
    const uint32_t line = (uint32_t)(address / sim_trace_line_bytes);
    for (unsigned i = set->count; i > 0; i--) {
        if (set->lines[i - 1] == line) {
            return;
        }
    }
    if (set->count < lines_max) {
        set->lines[set->count++] = line;
    }
}

static const sim_operand *operand_of_role(const sim_instruction *in, char role) {
    for (int k = 0; k < in->operand_count; k++) {
        if (in->operands[k].role == role) {
            return &in->operands[k];
        }
    }
    return NULL;
}

/* Words of the lanes lie beside each other: the hardware swizzles scratch. */
static void scratch_lines(const sim_wave *w, const sim_instruction *in, line_set *set) {
    const sim_operand *address = operand_of_role(in, 'A');
    const uint32_t offset = (uint32_t)in->m.offset + (address && address->kind == SIM_OPERAND_VGPR ? w->v[address->reg][0] : 0);
    for (unsigned i = 0; i < (in->cost.bytes + 3u) / 4 * 2; i++) {
        add_line(set, (uintptr_t)w->scratch + (uint64_t)offset / 4 * 256 + i * sim_trace_line_bytes);
    }
}

static void global_lines(const sim_wave *w, const sim_instruction *in, line_set *set) {
    const sim_operand *address = operand_of_role(in, 'A'), *base = operand_of_role(in, 'O');
    const bool buffer = in->row->flags & SIM_ROW_BUFFER;
    const uint64_t exec = sim_exec_of(w);
    uint64_t start = (uint64_t)(int64_t)in->m.offset;
    if (buffer) {
        const uint32_t *resource = &w->s[in->operands[2].reg];
        start += (resource[0] | (uint64_t)(resource[1] & 0xffff) << 32) + sim_scalar32(w, &in->operands[3]);
    } else if (base && base->kind != SIM_OPERAND_NONE) {
        start += sim_scalar64(w, base);
    }
    const bool vector = address && address->kind == SIM_OPERAND_VGPR && (!buffer || in->m.offen);
    const uint32_t *low = vector ? w->v[address->reg] : NULL, *high = vector && address->count > 1 ? w->v[address->reg + 1] : NULL;
    SIM_EACH_LANE(i) {
        if (exec >> i & 1) {
            const uint64_t at = start + (vector ? low[i] : 0) + (high ? (uint64_t)high[i] << 32 : 0);
            if (at >> 32 != SIM_SHARED_APERTURE) {
                add_line(set, at);
                add_line(set, at + in->cost.bytes - 1u);
            }
        }
    }
}

/* ---- recording ------------------------------------------------------------------------------------------ */

static unsigned lds_cycles(const sim_wave *w, const sim_instruction *in) {
    const sim_lds_shape shape = (sim_lds_shape)in->cost.shape;
    const uint32_t *base = w->v[in->operands[in->source].reg];
    uint32_t address[sim_lanes];
    if (shape == SIM_LDS_NONE) {
        return in->cost.cycles[SIM_PESSIMISTIC];
    }
    const uint32_t unit = in->cost.stride * 4u;
    const uint32_t first = in->cost.flags & SIM_COST_TWO ? (uint32_t)in->m.offset0 * unit : (uint32_t)in->m.offset;
    SIM_EACH_LANE(i) {
        address[i] = base[i] + first;
    }
    unsigned cycles = sim_trace_lds_cycles(shape, address, sim_exec_of(w));
    if (in->cost.flags & SIM_COST_TWO) {
        SIM_EACH_LANE(i) {
            address[i] = base[i] + (uint32_t)in->m.offset1 * unit;
        }
        cycles += sim_trace_lds_cycles(shape, address, sim_exec_of(w));
    }
    return cycles < 255 ? cycles : 255;
}

void sim_trace_record(sim_wave_trace *t, const sim_wave *w, const sim_instruction *in, uint32_t index) {
    line_set set = {.count = 0};
    unsigned above = 0;
    if (t->cut || !in->row) {
        return;
    }
    if (in->cost.unit == SIM_UNIT_LDS) {
        above = lds_cycles(w, in);
    } else if (in->cost.unit == SIM_UNIT_MEMORY) {
        if (in->cost.flags & SIM_COST_SCRATCH) {
            scratch_lines(w, in, &set);
        } else {
            global_lines(w, in, &set);
        }
        above = set.count;
    }
    t->cut = t->count + set.count >= sim_trace_words_max || index >> sim_trace_index_bits;
    while (!t->cut && t->count + 1 + set.count > t->capacity) {
        t->cut = fsattn_grow((void **)&t->words, &t->capacity, t->capacity, sizeof *t->words) != 0;
    }
    if (t->cut) {
        return;
    }
    t->words[t->count++] = index | above << sim_trace_index_bits;
    for (unsigned i = 0; i < set.count; i++) {
        t->words[t->count++] = set.lines[i];
    }
    t->recorded++;
}

void sim_trace_fini(sim_trace *trace) {
    for (uint32_t i = 0; trace->waves && i < trace->wave_count; i++) {
        fsattn_free(trace->waves[i].words);
    }
    fsattn_free(trace->waves);
    *trace = (sim_trace){0};
}
