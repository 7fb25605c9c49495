#include "sim_undefined.h"

#include "memory.h"
#include "sim_operands.h"

typedef enum sim_flow {
    FLOW_USE,    /* what it reads it uses */
    FLOW_FIRST,  /* of the first lane alone; of the lane that its second source names */
    FLOW_ONE,
    FLOW_CARRY,  /* lane by lane, word by word where there are as many */
    FLOW_SELECT, /* v_cndmask: one of two */
    FLOW_STORE,  /* uses its address; the data is looked at when it is stored */
    FLOW_SWAP,   /* two registers */
    FLOW_SWAP_32,
    FLOW_SWAP_16,
    FLOW_MATRIX, /* uses what inactive lanes hold too */
} sim_flow;

/* The first row whose text begins the mnemonic. */
static const struct {
    const char *start;
    sim_flow flow;
} flows[] = {
    {"v_cmp", FLOW_USE},       {"v_readlane", FLOW_ONE},       {"v_readfirstlane", FLOW_FIRST},
    {"v_mfma", FLOW_MATRIX},   {"v_smfmac", FLOW_MATRIX},      {"v_cndmask", FLOW_SELECT},
    {"v_swap", FLOW_SWAP},     {"v_permlane32", FLOW_SWAP_32}, {"v_permlane16", FLOW_SWAP_16},
    {"v_", FLOW_CARRY},        {"global_store", FLOW_STORE},   {"flat_store", FLOW_STORE},
    {"buffer_store", FLOW_STORE}, {"scratch_store", FLOW_STORE}, {"ds_write", FLOW_STORE},
};

uint8_t sim_undefined_flow(const sim_instruction *in) {
    for (size_t i = 0; i < sizeof flows / sizeof *flows; i++) {
        if (!strncmp(in->row->mnemonic, flows[i].start, strlen(flows[i].start))) {
            return (uint8_t)flows[i].flow;
        }
    }
    return FLOW_USE;
}

/* ---- a wave's state ------------------------------------------------------------------------------------ */

static size_t words_of(size_t bytes) { return bytes / 64 + 2; }

sim_undefined *sim_undefined_create(size_t scratch_bytes) {
    sim_undefined *made = fsattn_alloc(1, sizeof *made);
    uint64_t *scratch = fsattn_alloc(words_of(scratch_bytes), sizeof *scratch);
    if (!made || !scratch) {
        fsattn_free(made);
        fsattn_free(scratch);
        return NULL;
    }
    made->scratch = scratch;
    return made;
}
void sim_undefined_destroy(sim_undefined *undefined) {
    if (undefined) {
        fsattn_free(undefined->scratch);
        fsattn_free(undefined);
    }
}
void sim_undefined_start(sim_undefined *u, size_t scratch_bytes) {
    if (u->live) {
        memset(u->lanes, 0, sizeof u->lanes);
    }
    u->live = 0;
    u->missing_lanes = 0;
    memset(u->scratch, 0, words_of(scratch_bytes) * sizeof *u->scratch);
}

static void set_lanes(sim_undefined *u, unsigned reg, uint64_t lanes) {
    u->live = u->live + (lanes != 0) - (u->lanes[reg] != 0);
    u->lanes[reg] = lanes;
}

/* ---- loads and stores ---------------------------------------------------------------------------------- */

static uint64_t bits_at(const uint64_t *map, uint64_t at, unsigned count) {
    const uint64_t low = map[at / 64] >> at % 64, high = at % 64 ? map[at / 64 + 1] << (64 - at % 64) : 0;
    return (low | high) & sim_written_mask(count);
}
static void set_bits(uint64_t *map, uint64_t at, unsigned count, bool written) {
    const uint64_t mask = sim_written_mask(count), low = mask << at % 64, high = at % 64 ? mask >> (64 - at % 64) : 0;
    map[at / 64] = written ? map[at / 64] | low : map[at / 64] & ~low;
    if (high) {
        map[at / 64 + 1] = written ? map[at / 64 + 1] | high : map[at / 64 + 1] & ~high;
    }
}

static void note(sim_undefined *u, int lane, uint64_t missing, uint64_t address, sim_allocation block) {
    u->missing_lanes |= UINT64_C(1) << lane;
    u->missing[lane].bytes = missing;
    u->missing[lane].address = address;
    u->missing[lane].block = block;
}

/* An atomic uses what is there. */
static bool refuse_atomic(sim_wave *wave, const sim_instruction *in, int lane, uint64_t address, sim_allocation block) {
    sim_fault(wave, in, lane, "uninitialized: an atomic at 0x%llx, offset %llu of a block of %zu bytes (%s), where nobody has written",
              (unsigned long long)address, (unsigned long long)(address - block.base), block.bytes, block.owner);
    return false;
}

bool sim_undefined_device(sim_wave *wave, const sim_instruction *in, int lane, uint64_t address, unsigned bytes, sim_touch touch) {
    sim_written *map = wave->last.written;
    const size_t from = (size_t)(address - wave->last.base);
    const uint64_t missing = touch == SIM_TOUCH_WRITE ? 0 : sim_written_missing(map, from, bytes);
    if (touch == SIM_TOUCH_ATOMIC && missing == sim_written_mask(bytes)) {
        return refuse_atomic(wave, in, lane, address, wave->last);
    }
    if (touch != SIM_TOUCH_READ) {
        sim_written_set(map, from, bytes);
    } else if (missing) {
        note(wave->undefined, lane, missing, address, wave->last);
    }
    return true;
}

/* `at`: the place in the map. */
static bool touch_local(sim_wave *wave, const sim_instruction *in, int lane, uint64_t *map, uint64_t at, uint64_t address, sim_allocation block,
                        unsigned bytes, sim_touch touch) {
    const uint64_t missing = touch == SIM_TOUCH_WRITE ? 0 : ~bits_at(map, at, bytes) & sim_written_mask(bytes);
    if (touch == SIM_TOUCH_ATOMIC && missing == sim_written_mask(bytes)) {
        return refuse_atomic(wave, in, lane, address, block);
    }
    if (touch != SIM_TOUCH_READ) {
        set_bits(map, at, bytes, true);
    } else if (missing) {
        note(wave->undefined, lane, missing, address, block);
    }
    return true;
}
bool sim_undefined_lds(sim_wave *wave, const sim_instruction *in, int lane, uint32_t address, unsigned bytes, sim_touch touch) {
    return touch_local(wave, in, lane, wave->group->written, address, address, (sim_allocation){0, wave->group->lds_bytes, "LDS", NULL}, bytes, touch);
}
bool sim_undefined_watch_lds(sim_wave *wave, const sim_instruction *in, int lane, uint32_t address, unsigned bytes, sim_touch touch) {
    return (!wave->group->shadow || sim_race_touch(wave, in, lane, address, bytes, touch)) &&
           (!wave->group->written || touch == SIM_TOUCH_NONE || sim_undefined_lds(wave, in, lane, address, bytes, touch));
}
bool sim_undefined_scratch(sim_wave *wave, const sim_instruction *in, int lane, uint32_t offset, unsigned bytes, sim_touch touch) {
    return touch_local(wave, in, lane, wave->undefined->scratch, (uint64_t)(unsigned)lane * wave->scratch_bytes + offset, offset,
                       (sim_allocation){0, wave->scratch_bytes, "scratch", NULL}, bytes, touch);
}

void sim_undefined_load(sim_wave *wave, const sim_instruction *in, unsigned reg, unsigned bytes) {
    sim_undefined *u = wave->undefined;
    for (unsigned k = 0; 4 * k < bytes; k++) {
        const uint64_t whole = sim_written_mask(bytes - 4 * k < 4 ? bytes - 4 * k : 4) << 4 * k;
        uint64_t lanes = 0;
        for (uint64_t left = u->missing_lanes; left; left &= left - 1) {
            const int i = __builtin_ctzll(left);
            lanes |= (uint64_t)((u->missing[i].bytes & whole) == whole) << i;
        }
        if (lanes) {
            const int i = __builtin_ctzll(lanes);
            u->origins[reg + k] = (sim_origin){in, i, u->missing[i].address + 4 * k, u->missing[i].block};
        }
        set_lanes(u, reg + k, (u->lanes[reg + k] & ~sim_exec_of(wave)) | lanes);
    }
    u->missing_lanes = 0;
}

void sim_undefined_load_scalar(sim_wave *wave, const sim_instruction *in, unsigned reg, uint64_t address, unsigned words) {
    sim_undefined *u = wave->undefined;
    if (!u->live && !sim_written_watched(wave->last.written)) {
        return;
    }
    for (unsigned k = 0; k < words; k++) {
        const size_t from = (size_t)(address - wave->last.base) + 4 * k;
        const bool missing = sim_written_watched(wave->last.written) && sim_written_missing(wave->last.written, from, 4) == 15;
        if (missing) {
            u->origins[sim_vgprs + reg + k] = (sim_origin){in, -1, address + 4 * k, wave->last};
        }
        set_lanes(u, sim_vgprs + reg + k, missing);
    }
}

/* ---- uses ---------------------------------------------------------------------------------------------- */

static void refuse(sim_wave *wave, const sim_instruction *in, unsigned reg, uint64_t lanes) {
    const sim_origin *from = &wave->undefined->origins[reg];
    const bool scalar = reg >= sim_vgprs;
    const int lane = scalar ? -1 : from->lane >= 0 && (lanes >> from->lane & 1) ? from->lane : __builtin_ctzll(lanes);
    sim_fault(wave, in, lane, "uninitialized: %c%u is used, which '%s' at pc 0x%llx read from 0x%llx, offset %llu of a block of %zu bytes (%s), "
              "where nobody has written", scalar ? 's' : reg < sim_agpr ? 'v' : 'a', scalar ? reg - sim_vgprs : reg % sim_agpr,
              from->in->text, (unsigned long long)from->in->address, (unsigned long long)from->address,
              (unsigned long long)(from->address - from->block.base), from->block.bytes, from->block.owner);
}

static bool within(const unsigned char *at, const unsigned char *base, size_t bytes) { return base && at >= base && at < base + bytes; }

bool sim_undefined_store(sim_wave *wave, const sim_instruction *in, int lane, const unsigned char *at, unsigned reg, unsigned bytes) {
    sim_undefined *u = wave->undefined;
    const bool lds = within(at, wave->group->lds, wave->group->lds_bytes);
    const bool scratch = within(at, wave->scratch, (size_t)sim_lanes * wave->scratch_bytes);
    for (unsigned k = 0; 4 * k < bytes; k++) {
        const unsigned some = bytes - 4 * k < 4 ? bytes - 4 * k : 4;
        if (!(u->lanes[reg + k] >> lane & 1)) {
            continue;
        }
        if (!lds && !scratch) {
            refuse(wave, in, reg + k, UINT64_C(1) << lane);
            return false;
        }
        const unsigned char *base = lds ? wave->group->lds : wave->scratch;
        set_bits(lds ? wave->group->written : u->scratch, (uint64_t)(at - base) + 4 * k, some, false);
    }
    return true;
}

void sim_undefined_fill(sim_wave *wave, int lane, uint32_t address, unsigned bytes) {
    const sim_undefined *u = wave->undefined;
    set_bits(wave->group->written, address, bytes, true);
    for (unsigned i = 0; u->missing_lanes >> lane & 1 && i < bytes; i++) {
        if (u->missing[lane].bytes >> i & 1) {
            set_bits(wave->group->written, address + i, 1, false);
        }
    }
}

/* The register that operand k reads word `word` of; words of a narrower operand are all looked at: `every`. */
static uint64_t lanes_of(const sim_undefined *u, const sim_operand *o, unsigned word, bool every, unsigned *which) {
    uint64_t lanes = 0;
    for (unsigned i = every ? 0 : word; i < (every ? o->count : word + 1); i++) {
        if (u->lanes[o->reg + i]) {
            *which = o->reg + i;
            lanes |= u->lanes[o->reg + i];
        }
    }
    return lanes;
}

static uint64_t moved_by_dpp(const sim_instruction *in, uint64_t lanes) {
    uint64_t moved = 0;
    SIM_EACH_LANE(i) {
        const int from = sim_dpp_lane(&in->m, i);
        moved |= (uint64_t)(from >= 0 && (lanes >> from & 1)) << i;
    }
    return moved;
}

static bool reads(const sim_operand *o) { return o->role != 'D' && o->role != 'S'; }
/* Conversions write a part of a register: with the first part what was there before is over. */
static bool begins(const sim_instruction *in, const sim_operand *o) { return o->role == 'M' && o->type == 'b' && !in->m.op_sel; }

/* Word `word` of the destination, from the sources' words; bits of v_cndmask's condition pick one of two. */
static uint64_t carried(const sim_wave *wave, const sim_instruction *in, unsigned word, unsigned *which) {
    const sim_undefined *u = wave->undefined;
    const bool selects = in->flow == FLOW_SELECT;
    const uint64_t condition = selects ? sim_scalar64(wave, &in->operands[in->source + 2]) : 0;
    uint64_t all = 0;
    for (int k = 0; k < in->operand_count; k++) {
        const sim_operand *o = &in->operands[k];
        if (o->kind != SIM_OPERAND_VGPR || !reads(o) || begins(in, o)) {
            continue;
        }
        uint64_t lanes = lanes_of(u, o, word, o->count != in->operands[0].count, which);
        if (lanes && in->m.dpp && k == in->source) {
            lanes = moved_by_dpp(in, lanes);
        }
        all |= !selects || o->role == 'M' ? lanes : lanes & (k == in->source ? ~condition : condition);
    }
    return all;
}

static void carry(sim_wave *wave, const sim_instruction *in) {
    sim_undefined *u = wave->undefined;
    const sim_operand *to = &in->operands[0];
    const uint64_t enabled = sim_exec_of(wave) & (in->m.dpp ? sim_dpp_enabled(in) : UINT64_MAX);
    const bool partial = in->m.sdwa ? in->m.dst_unused == 2 : (in->row->flags & SIM_ROW_PRESERVE) != 0;
    enum { widest = 32 };
    uint64_t lanes[widest];
    unsigned which[widest] = {0};
    const unsigned words = to->kind == SIM_OPERAND_VGPR && to->count <= widest ? to->count : 0;
    for (unsigned i = 0; i < words; i++) { /* sources and destinations may overlap */
        lanes[i] = carried(wave, in, i, &which[i]) & enabled;
    }
    for (unsigned i = 0; i < words; i++) {
        if (lanes[i] && which[i] != to->reg + i) {
            u->origins[to->reg + i] = u->origins[which[i]];
        }
        set_lanes(u, to->reg + i, (u->lanes[to->reg + i] & (partial ? UINT64_MAX : ~enabled)) | lanes[i]);
    }
}

static void swap(sim_wave *wave, const sim_instruction *in) {
    sim_undefined *u = wave->undefined;
    const unsigned a = in->operands[0].reg, b = in->operands[1].reg;
    const uint64_t exec = sim_exec_of(wave), la = u->lanes[a], lb = u->lanes[b];
    const unsigned row = in->flow == FLOW_SWAP_32 ? 32 : 16;
    const uint64_t upper = row == 32 ? UINT64_C(0xffffffff) << 32 : UINT64_C(0xffff0000ffff0000);
    const uint64_t fresh_a = in->flow == FLOW_SWAP ? lb : (la & ~upper) | (lb & ~upper) << row;
    const uint64_t fresh_b = in->flow == FLOW_SWAP ? la : (lb & upper) | (la & upper) >> row;
    const sim_origin origin = u->origins[la ? a : b];
    if (!la) {
        u->origins[a] = origin;
    }
    if (!lb) {
        u->origins[b] = origin;
    }
    set_lanes(u, a, (la & ~exec) | (fresh_a & exec));
    set_lanes(u, b, (lb & ~exec) | (fresh_b & exec));
}

static uint64_t lanes_used(const sim_wave *wave, const sim_instruction *in) {
    const uint64_t exec = sim_exec_of(wave);
    return in->flow == FLOW_MATRIX  ? UINT64_MAX
           : in->flow == FLOW_FIRST ? (exec ? exec & -exec : 1)
           : in->flow == FLOW_ONE   ? UINT64_C(1) << (sim_scalar32(wave, &in->operands[in->source + 1]) & 63)
                                    : exec;
}

/* False after a fault. */
static bool check_uses(sim_wave *wave, const sim_instruction *in) {
    const sim_undefined *u = wave->undefined;
    const uint64_t exec = lanes_used(wave, in);
    const bool uses = in->flow == FLOW_USE || in->flow == FLOW_FIRST || in->flow == FLOW_ONE || in->flow == FLOW_MATRIX;
    const bool buffer = in->flow == FLOW_STORE && (in->row->flags & SIM_ROW_BUFFER);
    for (int k = 0; k < in->operand_count; k++) {
        const sim_operand *o = &in->operands[k];
        const bool scalar = o->kind == SIM_OPERAND_SGPR;
        const bool vector = o->kind == SIM_OPERAND_VGPR && (uses || (in->flow == FLOW_STORE && k == buffer));
        if (!reads(o) || (!scalar && !vector)) {
            continue;
        }
        for (unsigned i = 0; i < o->count; i++) {
            const unsigned reg = (scalar ? sim_vgprs : 0u) + o->reg + i;
            const uint64_t lanes = u->lanes[reg] & (scalar ? 1 : exec);
            if (lanes) {
                refuse(wave, in, reg, lanes);
                return false;
            }
        }
    }
    return true;
}

void sim_undefined_step(sim_wave *wave, const sim_instruction *in) {
    sim_undefined *u = wave->undefined;
    if (!in->row || !check_uses(wave, in)) {
        return;
    }
    if (in->flow == FLOW_SWAP || in->flow == FLOW_SWAP_32 || in->flow == FLOW_SWAP_16) {
        swap(wave, in);
        return;
    }
    if (in->flow == FLOW_CARRY || in->flow == FLOW_SELECT) {
        carry(wave, in);
    }
    for (int k = 0; k < in->operand_count; k++) {
        const sim_operand *o = &in->operands[k];
        const bool vector = o->kind == SIM_OPERAND_VGPR && o->role == 'D' && (in->flow == FLOW_USE || in->flow == FLOW_MATRIX);
        const bool scalar = o->kind == SIM_OPERAND_SGPR && o->role == 'S';
        for (unsigned i = 0; (vector || scalar) && i < o->count; i++) {
            set_lanes(u, (scalar ? sim_vgprs : 0u) + o->reg + i, vector && in->flow == FLOW_USE ? u->lanes[o->reg + i] & ~sim_exec_of(wave) : 0);
        }
    }
}
