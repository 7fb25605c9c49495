#include "sim_replay.h"

#include "memory.h"
#include "sim_cache.h"
#include "sim_facts.h"
#include "sim_program.h"

enum { registers = sim_vgprs + sim_sgprs, counter_ring = 64, vm_max = 63, lgkm_max = 15, simds = sim_cost_simds };
#define NEVER UINT64_MAX

/* What a register waits for: when anybody may have it, and when the matrix unit may, which is earlier for C and later after a vector
 * instruction. */
typedef struct pending {
    uint64_t ready, matrix;
    uint16_t first; /* register where the matrix result starts: a chain must take all of it */
    uint8_t stall;  /* sim_stall of the producer */
    bool of_matrix;
} pending;

/* Completion times of the operations of a counter, in order. */
typedef struct counter {
    uint64_t done[counter_ring];
    uint64_t issued, last;
} counter;

typedef struct player {
    const uint32_t *word, *end;
    const sim_instruction *in; /* next; NULL: ended */
    const uint32_t *lines;
    unsigned above;          /* LDS cycles or number of lines */
    uint32_t index;
    uint64_t base;           /* end of the last issue */
    uint64_t hold;           /* no earlier, for hold_reason */
    uint64_t ready;          /* registers and counters */
    sim_stall hold_reason, reason;
    unsigned group, simd, priority, number;
    bool at_barrier;
    counter vm, lgkm;
    pending of[registers];
} player;

typedef struct unit_state {
    uint64_t port, vector, matrix, blocked, scalar, lds, memory;
} unit_state;

typedef struct machine {
    sim_bound bound;
    const uint32_t *costs; /* in effect */
    unit_state simd[simds];
    uint64_t lds_free, memory_free;
    sim_cache cache;
    player *players;
    unsigned count, live[sim_replay_groups_max], waiting[sim_replay_groups_max];
    sim_timeline *timeline;
    sim_replay *result;
} machine;

#define COST(m, name) ((m)->costs[SIM_CONSTANT_##name])

static uint64_t later(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

/* ---- registers ------------------------------------------------------------------------------------------ */

static unsigned slot_of(const sim_operand *o) {
    return o->kind == SIM_OPERAND_SGPR ? sim_vgprs + o->reg : o->reg;
}

/* When this operand lets the instruction go; C and D of a chain of matrix instructions are forwarded. */
static void wait_for(player *p, const sim_operand *o, bool matrix, bool is_c) {
    if (o->kind != SIM_OPERAND_VGPR && o->kind != SIM_OPERAND_SGPR) {
        return;
    }
    const unsigned slot = slot_of(o);
    for (unsigned i = 0; i < o->count && slot + i < registers; i++) {
        const pending *of = &p->of[slot + i];
        const bool chained = matrix && (of->of_matrix ? is_c && of->first == o->reg : true);
        const uint64_t at = chained ? of->matrix : of->ready;
        if (at > p->ready) {
            p->ready = at;
            p->reason = (sim_stall)of->stall;
        }
    }
}

static void wait_for_counter(player *p, const counter *c, unsigned allowed, sim_stall reason) {
    if (c->issued > allowed && c->issued - allowed <= counter_ring) {
        const uint64_t at = c->done[(c->issued - allowed - 1) % counter_ring];
        if (at > p->ready) {
            p->ready = at;
            p->reason = reason;
        }
    }
}
static void count(counter *c, uint64_t done) {
    c->last = later(c->last, done);
    c->done[c->issued++ % counter_ring] = c->last;
}

static void wait_for_counters(player *p) {
    const sim_cost *cost = &p->in->cost;
    if (cost->flags & SIM_COST_WAIT) {
        const unsigned vm = p->in->value & 255, lgkm = p->in->value >> 8 & 255;
        wait_for_counter(p, &p->vm, vm, SIM_STALL_VMCNT);
        wait_for_counter(p, &p->lgkm, lgkm, SIM_STALL_LGKMCNT);
    } else if (cost->unit == SIM_UNIT_MEMORY) {
        wait_for_counter(p, &p->vm, vm_max - 1, SIM_STALL_MEMORY_BUSY);
    } else if (cost->unit == SIM_UNIT_LDS) {
        wait_for_counter(p, &p->lgkm, lgkm_max - 1, SIM_STALL_LDS_BUSY);
    }
}

/* Takes the next instruction of the trace and finds when its operands are there. */
static void prepare(player *p, const sim_program *program) {
    if (p->word == p->end) {
        p->in = NULL;
        return;
    }
    p->index = *p->word & ((1u << sim_trace_index_bits) - 1);
    p->above = *p->word++ >> sim_trace_index_bits;
    p->in = &program->instructions[p->index];
    p->lines = p->word;
    p->word += p->in->cost.unit == SIM_UNIT_MEMORY ? p->above : 0;
    p->ready = later(p->base, p->hold);
    p->reason = p->hold_reason;
    const bool matrix = p->in->cost.unit == SIM_UNIT_MATRIX;
    for (int k = 0; k < p->in->operand_count; k++) {
        const sim_operand *o = &p->in->operands[k];
        wait_for(p, o, matrix, o->role == 'D' || o->role == 'M' || (k == 3 && p->in->operands[0].role == 'D'));
    }
    if (p->in->operand_count == 0 && (p->in->row->flags & SIM_ROW_BRANCH)) { /* VCC and EXEC, read without being named */
        for (unsigned s = sim_vcc; s < sim_vcc + 2u; s++) {
            wait_for(p, &(sim_operand){.kind = SIM_OPERAND_SGPR, .reg = (uint16_t)s, .count = 1}, false, false);
        }
    }
    wait_for_counters(p);
}

/* Marks what an instruction issued at `now` writes. */
static void write_results(player *p, const machine *m, uint64_t now) {
    const sim_cost *cost = &p->in->cost;
    const unsigned cycles = cost->cycles[m->bound];
    const sim_operand *first = &p->in->operands[0];
    pending made = {.first = first->reg};
    switch (cost->unit) {
    case SIM_UNIT_VECTOR:
        made.ready = now + later(COST(m, vector_result), cycles + COST(m, vector_result) - COST(m, vector));
        made.matrix = now + cycles - COST(m, vector) + COST(m, matrix_after_vector);
        made.stall = SIM_STALL_VECTOR_RESULT;
        break;
    case SIM_UNIT_MATRIX:
        made.ready = now + cycles + COST(m, matrix_result);
        made.matrix = now + cycles + COST(m, matrix_chain);
        made.stall = SIM_STALL_MATRIX_RESULT;
        made.of_matrix = true;
        break;
    case SIM_UNIT_SCALAR:
        if (cost->flags & SIM_COST_SMEM) {
            return; /* s_waitcnt covers it */
        }
        made.ready = made.matrix = now + COST(m, scalar_result);
        made.stall = SIM_STALL_SCALAR_RESULT;
        break;
    default: return;
    }
    for (int k = 0; k < p->in->operand_count; k++) {
        const sim_operand *o = &p->in->operands[k];
        const bool written = o->role == 'D' || o->role == 'M' || o->role == 'S';
        const bool is_register = o->kind == SIM_OPERAND_VGPR || o->kind == SIM_OPERAND_SGPR;
        for (unsigned i = 0; written && is_register && i < o->count && slot_of(o) + i < registers; i++) {
            p->of[slot_of(o) + i] = made;
        }
    }
}

/* ---- units ---------------------------------------------------------------------------------------------- */

static uint64_t less(uint64_t a, uint64_t b) {
    return a > b ? a - b : 0;
}

/* When the unit of the next instruction is free, and what it would wait for. */
static uint64_t unit_free(const machine *m, const player *p, sim_stall *reason) {
    const unit_state *s = &m->simd[p->simd];
    const sim_cost *cost = &p->in->cost;
    uint64_t at = 0;
    switch (cost->unit) {
    case SIM_UNIT_VECTOR: {
        const uint64_t beside = cost->flags & SIM_COST_PACKED ? later(s->blocked, s->matrix) : s->blocked;
        at = later(s->port, s->vector);
        *reason = beside > at ? SIM_STALL_BESIDE_MATRIX : SIM_STALL_VECTOR_BUSY;
        return later(at, beside);
    }
    case SIM_UNIT_MATRIX: {
        const bool alone = (cost->flags & SIM_COST_UNKNOWN) && COST(m, matrix_blocks_f8f6f4) >= 100;
        const uint64_t beside = later(s->port, alone ? s->vector : 0);
        *reason = beside > s->matrix ? SIM_STALL_BESIDE_VECTOR : SIM_STALL_MATRIX_BUSY;
        return later(s->matrix, beside);
    }
    case SIM_UNIT_SCALAR: *reason = SIM_STALL_SCALAR_BUSY; return s->scalar;
    case SIM_UNIT_LDS: *reason = SIM_STALL_LDS_BUSY; return later(s->lds, less(m->lds_free, COST(m, lds_queue)));
    case SIM_UNIT_MEMORY: *reason = SIM_STALL_MEMORY_BUSY; return later(s->memory, less(m->memory_free, COST(m, memory_queue)));
    default: *reason = SIM_STALL_NOP; return at;
    }
}

static void start_lds(machine *m, player *p, uint64_t now) {
    const uint64_t start = later(now, m->lds_free);
    m->lds_free = start + p->above;
    m->result->busy[SIM_UNIT_LDS] += p->above;
    count(&p->lgkm, start + p->above + COST(m, lds_latency));
}

static void start_memory(machine *m, player *p, uint64_t now) {
    const sim_cost *cost = &p->in->cost;
    const unsigned by_width = cost->bytes * (unsigned)sim_lanes / COST(m, l1_rate);
    uint64_t cycles = p->above > COST(m, memory_issue) ? p->above : COST(m, memory_issue), done;
    cycles = p->above ? later(cycles, by_width) : cycles;
    const uint64_t start = later(now, m->memory_free);
    m->memory_free = start + cycles;
    m->result->busy[SIM_UNIT_MEMORY] += cycles;
    done = start + cycles;
    for (unsigned i = 0; i < p->above; i++) {
        done = later(done, cost->flags & SIM_COST_STORE ? sim_cache_store(&m->cache, p->lines[i], start)
                                                        : sim_cache_load(&m->cache, p->lines[i], start));
    }
    if (cost->flags & SIM_COST_DMA) { /* LDS is written, here at once */
        const unsigned fill = cost->bytes * (unsigned)sim_lanes / COST(m, lds_fill);
        m->lds_free = later(m->lds_free, now) + fill;
        m->result->busy[SIM_UNIT_LDS] += fill;
    }
    count(&p->vm, done);
    if (cost->flags & SIM_COST_FLAT) {
        count(&p->lgkm, done);
    }
}

static void occupy(machine *m, player *p, uint64_t now) {
    unit_state *s = &m->simd[p->simd];
    const sim_cost *cost = &p->in->cost;
    const uint64_t cycles = cost->cycles[m->bound], port = now + sim_cost_wave_issue;
    switch (cost->unit) {
    case SIM_UNIT_VECTOR:
        s->port = port;
        s->vector = now + cycles;
        s->matrix = cost->flags & SIM_COST_PACKED ? later(s->matrix, now + cycles) : s->matrix;
        break;
    case SIM_UNIT_MATRIX:
        s->port = port;
        s->matrix = now + cycles;
        s->blocked = now + cycles * (cost->flags & SIM_COST_UNKNOWN ? COST(m, matrix_blocks_f8f6f4) : COST(m, matrix_blocks)) / 100;
        break;
    case SIM_UNIT_SCALAR:
        s->scalar = now + cycles;
        if (cost->flags & SIM_COST_SMEM) {
            count(&p->lgkm, now + COST(m, scalar_load));
        }
        break;
    case SIM_UNIT_LDS: s->lds = port; start_lds(m, p, now); return;
    case SIM_UNIT_MEMORY: s->memory = port; start_memory(m, p, now); return;
    default: return;
    }
    m->result->busy[cost->unit] += cycles;
}

/* ---- waves ---------------------------------------------------------------------------------------------- */

/* Lets a workgroup's waves go on when all that live have come to the barrier. */
static void release(machine *m, unsigned group, uint64_t now) {
    if (!m->waiting[group] || m->waiting[group] < m->live[group]) {
        return;
    }
    m->waiting[group] = 0;
    for (unsigned i = 0; i < m->count; i++) {
        player *p = &m->players[i];
        if (p->group == group && p->at_barrier) {
            p->at_barrier = false;
            p->hold = later(now + COST(m, barrier), p->base);
            p->hold_reason = SIM_STALL_BARRIER;
        }
    }
}

static void finish(machine *m, player *p, uint64_t now) {
    p->in = NULL;
    m->live[p->group]--;
    m->result->wave_cycles += p->base;
    m->result->group_cycles[p->group] = later(m->result->group_cycles[p->group], p->base);
    m->result->cycles = later(m->result->cycles, p->base);
    release(m, p->group, now);
}

static void note(const machine *m, const player *p, uint64_t now, sim_stall unit_reason) {
    sim_timeline *t = m->timeline;
    if (!t || t->count >= t->limit || (t->count == t->capacity && fsattn_grow((void **)&t->issues, &t->capacity, t->count, sizeof *t->issues))) {
        return;
    }
    t->issues[t->count++] = (sim_issue){
        .at = now, .index = p->index, .stall = (uint32_t)(p->ready - p->base), .unit_stall = (uint32_t)(now - p->ready),
        .wave = (uint8_t)p->number, .simd = (uint8_t)p->simd, .unit = p->in->cost.unit, .reason = (uint8_t)p->reason,
        .unit_reason = (uint8_t)unit_reason,
        .cycles = p->in->cost.unit == SIM_UNIT_LDS ? (uint16_t)p->above : p->in->cost.cycles[m->bound]};
}

static void issue(machine *m, player *p, const sim_program *program, uint64_t now, sim_stall unit_reason) {
    const sim_cost *cost = &p->in->cost;
    m->result->stalls[p->reason] += p->ready - p->base;
    m->result->stalls[unit_reason] += now - p->ready;
    m->result->issued[cost->unit]++;
    m->result->issue_cycles += sim_cost_wave_issue;
    note(m, p, now, unit_reason);
    occupy(m, p, now);
    write_results(p, m, now);
    p->base = now + sim_cost_wave_issue;
    p->hold = 0;
    if (cost->flags & SIM_COST_NOP) {
        p->hold = now + cost->cycles[m->bound];
        p->hold_reason = SIM_STALL_NOP;
    } else if (p->word < p->end && (*p->word & ((1u << sim_trace_index_bits) - 1)) != p->index + 1) {
        p->hold = now + COST(m, branch_taken);
        p->hold_reason = SIM_STALL_BRANCH;
    } else if (cost->flags & SIM_COST_PRIORITY) {
        p->priority = (unsigned)p->in->value & 3;
    } else if (cost->flags & SIM_COST_BARRIER) {
        p->at_barrier = true;
        m->waiting[p->group]++;
    }
    if (p->word == p->end) {
        m->waiting[p->group] -= p->at_barrier;
        p->at_barrier = false;
        finish(m, p, now);
        return;
    }
    if (p->at_barrier) {
        release(m, p->group, now);
    }
    (void)program;
}

/* The wave that issues next; NULL when none is left. */
static player *choose(machine *m, const sim_program *program, uint64_t *when, sim_stall *reason) {
    player *best = NULL;
    for (unsigned i = 0; i < m->count; i++) {
        player *p = &m->players[i];
        sim_stall why;
        if (!p->in || p->at_barrier) {
            continue;
        }
        if (p->ready == NEVER) {
            prepare(p, program);
        }
        const uint64_t free_at = unit_free(m, p, &why), at = later(p->ready, free_at);
        if (!best || at < *when || (at == *when && p->priority > best->priority)) {
            best = p;
            *when = at;
            *reason = why;
        }
    }
    return best;
}

static void place(machine *m, const sim_trace *const *groups, unsigned group_count) {
    for (unsigned g = 0; g < group_count; g++) {
        for (uint32_t i = 0; i < groups[g]->wave_count && m->count < sim_replay_waves_max; i++) {
            const sim_wave_trace *t = &groups[g]->waves[i];
            player *p = &m->players[m->count];
            if (!t->count) {
                continue;
            }
            p->word = t->words;
            p->end = t->words + t->count;
            p->in = &groups[g]->program->instructions[0]; /* until prepared */
            p->ready = NEVER;
            p->group = g;
            p->number = m->count;
            p->simd = m->count % simds;
            m->live[g]++;
            m->count++;
        }
    }
}

bool sim_replay_run(const sim_trace *const *groups, unsigned count_groups, sim_bound bound, bool near, sim_timeline *timeline,
                    sim_replay *replay) {
    sim_replay result = {0};
    machine m = {.bound = bound, .costs = sim_facts_get()->values[bound], .timeline = timeline, .result = &result, .players = fsattn_alloc(sim_replay_waves_max, sizeof *m.players)};
    const sim_program *program = groups[0]->program;
    if (!m.players || !sim_cache_init(&m.cache, near, m.costs)) {
        fsattn_free(m.players);
        return false;
    }
    place(&m, groups, count_groups < sim_replay_groups_max ? count_groups : sim_replay_groups_max);
    for (;;) {
        uint64_t now = 0;
        sim_stall reason = SIM_STALL_NOP;
        player *p = choose(&m, program, &now, &reason);
        if (!p) {
            break;
        }
        issue(&m, p, program, now, reason);
        p->ready = NEVER;
    }
    result.hits_l1 = m.cache.hits_l1;
    result.hits_l2 = m.cache.hits_l2;
    result.misses = m.cache.misses;
    sim_cache_fini(&m.cache);
    fsattn_free(m.players);
    *replay = result;
    return true;
}
