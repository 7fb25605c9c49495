/* Vector memory: global, flat, scratch, buffer, atomics and loads into LDS: ISA manual, chapters 8 - 10. */
#include "sim_rows.h"

#include "sim_heap.h"
#include "sim_lds.h"
#include "sim_sample.h"
#include "sim_share.h"
#include "sim_undefined.h"
#include "sim_wait.h"

#include <math.h>
#include <stdatomic.h>

/* ---- addresses --------------------------------------------------------------------------------------- */

typedef enum space { GLOBAL, FLAT, SCRATCH, BUFFER } space;

/* Where the operands of an access are. */
typedef struct access {
    space space;
    const sim_operand *address, *base; /* base: scalar, resource of a buffer, or NULL */
    const sim_operand *soffset;        /* buffers */
    unsigned bytes;
} access;

/* Address of each lane, as a place in the process; NULL for a lane of a buffer that is out of its range. False after a fault. */
typedef struct places {
    unsigned char *at[sim_lanes];
} places;

static bool resolve_scratch(sim_wave *w, const sim_instruction *in, int lane, uint64_t offset, unsigned bytes, sim_touch touch,
                            places *p) {
    if (offset > w->scratch_bytes || bytes > w->scratch_bytes - offset) {
        sim_fault(w, in, lane, "out of bounds: %u bytes at scratch offset %llu of %u", bytes, (unsigned long long)offset,
                  w->scratch_bytes);
        return false;
    }
    p->at[lane] = w->scratch + (size_t)lane * w->scratch_bytes + offset;
    return !w->undefined || sim_undefined_scratch(w, in, lane, (uint32_t)offset, bytes, touch);
}

static unsigned alignment_of(unsigned bytes) {
    return bytes >= 4 ? 4 : bytes;
}

static bool resolve_flat(sim_wave *w, const sim_instruction *in, int lane, uint64_t address, unsigned bytes, sim_touch touch,
                         places *p) {
    const uint32_t high = (uint32_t)(address >> 32);
    if (high == SIM_SHARED_APERTURE) {
        p->at[lane] = sim_lds_place(w, in, lane, (uint32_t)address, bytes, 1, touch);
        return p->at[lane] != NULL;
    }
    if (high == SIM_PRIVATE_APERTURE) {
        return resolve_scratch(w, in, lane, (uint32_t)address, bytes, touch, p);
    }
    p->at[lane] = (unsigned char *)(uintptr_t)address;
    return sim_heap_check(w, in, lane, address, bytes, alignment_of(bytes)) && sim_undefined_touch(w, in, lane, address, bytes, touch);
}

/* Raw buffers (stride 0, the only kind there is here): out of range reads give 0 and writes nothing. */
static bool resolve_buffer(sim_wave *w, const sim_instruction *in, const access *a, int lane, uint32_t vector, sim_touch touch,
                           places *p) {
    const uint32_t *resource = &w->s[a->base->reg];
    const uint64_t base = resource[0] | (uint64_t)(resource[1] & 0xffff) << 32;
    const uint32_t stride = resource[1] >> 16 & 0x3fff;
    const uint64_t offset = (in->m.offen ? vector : 0) + (uint64_t)in->m.offset;
    if (stride || in->m.idxen || (resource[1] >> 31)) {
        sim_fault(w, in, -1, "not simulated: structured or swizzled buffer (stride %u)", stride);
        return false;
    }
    const uint32_t scalar = sim_scalar32(w, a->soffset);
    if (offset + scalar + a->bytes > resource[2]) {
        p->at[lane] = NULL;
        return true;
    }
    p->at[lane] = (unsigned char *)(uintptr_t)(base + offset + scalar);
    return sim_heap_check(w, in, lane, base + offset + scalar, a->bytes, alignment_of(a->bytes)) &&
           sim_undefined_touch(w, in, lane, base + offset + scalar, a->bytes, touch);
}

static bool resolve(sim_wave *w, const sim_instruction *in, const access *a, sim_touch touch, places *p) {
    const uint64_t exec = sim_exec_of(w);
    const bool vector = a->address->kind == SIM_OPERAND_VGPR, scalar = a->base && a->base->kind != SIM_OPERAND_NONE;
    const uint64_t base = !scalar || a->space == BUFFER ? 0 : a->space == SCRATCH ? sim_scalar32(w, a->base) : sim_scalar64(w, a->base);
    const uint32_t *low = w->v[a->address->reg], *high = w->v[a->address->reg + (a->address->count > 1 ? 1 : 0)];
    SIM_EACH_LANE(i) {
        if (!(exec >> i & 1)) {
            continue;
        }
        const uint64_t part = !vector ? 0 : a->address->count > 1 ? (uint64_t)high[i] << 32 | low[i] : low[i];
        const uint64_t address = base + part + (uint64_t)(int64_t)in->m.offset;
        const bool good = a->space == BUFFER    ? resolve_buffer(w, in, a, i, (uint32_t)part, touch, p)
                          : a->space == SCRATCH ? resolve_scratch(w, in, i, (uint32_t)address, a->bytes, touch, p)
                                                : resolve_flat(w, in, i, address, a->bytes, touch, p);
        if (!good) {
            return false;
        }
    }
    return true;
}

/* Accesses of these lanes that other workgroups may race with: of device memory, and not atomic; neighbours' together. False after a fault. */
static bool shared(sim_wave *w, const sim_instruction *in, const access *a, uint64_t lanes, const places *p, bool writes) {
    for (int i = 0, next; i < sim_lanes && w->share && a->space != SCRATCH && !in->m.sc1; i = next) {
        next = i + 1;
        if (!(lanes >> i & 1) || !p->at[i]) {
            continue;
        }
        while (next < sim_lanes && (lanes >> next & 1) && p->at[next] == p->at[i] + (size_t)(next - i) * a->bytes) {
            next++;
        }
        if (!sim_share_touch(w, in, i, (uintptr_t)p->at[i], (unsigned)(next - i) * a->bytes, a->bytes, writes)) {
            return false;
        }
    }
    return true;
}

/* ---- loads and stores -------------------------------------------------------------------------------- */

/* What a part of a register becomes: whole words, or a byte or half with its extension. */
typedef enum part { WORDS, UBYTE, SBYTE, USHORT, SSHORT, UBYTE_D16, SBYTE_D16, SHORT_D16, UBYTE_D16_HI, SBYTE_D16_HI, SHORT_D16_HI, BYTE_HI } part;

static uint32_t loaded(part kind, uint32_t raw, uint32_t old) {
    const uint32_t byte = raw & 0xff, half = raw & 0xffff, sign = (uint16_t)(int8_t)raw;
    switch (kind) {
    case UBYTE: return byte;
    case SBYTE: return (uint32_t)(int8_t)raw;
    case USHORT: return half;
    case SSHORT: return (uint32_t)(int16_t)raw;
    case UBYTE_D16: return (old & 0xffff0000) | byte;
    case SBYTE_D16: return (old & 0xffff0000) | sign;
    case SHORT_D16: return (old & 0xffff0000) | half;
    case UBYTE_D16_HI: return (old & 0xffff) | byte << 16;
    case SBYTE_D16_HI: return (old & 0xffff) | sign << 16;
    case SHORT_D16_HI: return (old & 0xffff) | half << 16;
    default: return raw;
    }
}

static void load(sim_wave *w, const sim_instruction *in, const access *a, const sim_operand *to, part kind) {
    places p;
    const uint64_t exec = sim_exec_of(w);
    const unsigned words = (a->bytes + 3) / 4;
    if (!resolve(w, in, a, SIM_TOUCH_READ, &p) || !shared(w, in, a, exec, &p, false)) {
        return;
    }
    SIM_EACH_LANE(i) {
        uint32_t raw[4] = {0};
        if (!(exec >> i & 1)) {
            continue;
        }
        if (p.at[i]) {
            memcpy(raw, p.at[i], a->bytes);
        }
        for (unsigned k = 0; k < words; k++) {
            w->v[to->reg + k][i] = loaded(kind, raw[k], w->v[to->reg + k][i]);
        }
    }
    sim_undefined_loaded(w, in, to->reg, a->bytes);
    sim_wait_vector(w, to->reg, words);
    if (a->space == FLAT) {
        sim_wait_lds(w, to->reg, words);
    }
}

static void store(sim_wave *w, const sim_instruction *in, const access *a, const sim_operand *from, part kind) {
    places p;
    const uint64_t exec = sim_exec_of(w);
    uint64_t changed = 0; /* lanes that do not store what is there already */
    const unsigned words = (a->bytes + 3) / 4, shift = kind == BYTE_HI || kind == SHORT_D16_HI ? 16 : 0;
    if (!resolve(w, in, a, SIM_TOUCH_WRITE, &p)) {
        return;
    }
    SIM_EACH_LANE(i) {
        uint32_t raw[4];
        if (!(exec >> i & 1) || !p.at[i]) {
            continue;
        }
        for (unsigned k = 0; k < words; k++) {
            raw[k] = w->v[from->reg + k][i] >> shift;
        }
        if (!sim_undefined_stored(w, in, i, p.at[i], from->reg, a->bytes)) {
            return;
        }
        changed |= (uint64_t)(w->share && memcmp(p.at[i], raw, a->bytes) != 0) << i;
        memcpy(p.at[i], raw, a->bytes);
        if (w->sample) {
            sim_sample_store(w, in, i, p.at[i], a->bytes, true);
        }
    }
    if (!shared(w, in, a, changed, &p, true)) {
        return;
    }
    sim_wait_vector(w, 0, 0);
    if (a->space == FLAT) {
        sim_wait_lds(w, 0, 0);
    }
}

/* Into LDS: M0 + offset + lane * size; the address given picks the source alone. */
static void load_to_lds(sim_wave *w, const sim_instruction *in, const access *a) {
    places p;
    const uint64_t exec = sim_exec_of(w);
    if (!resolve(w, in, a, SIM_TOUCH_READ, &p) || !shared(w, in, a, exec, &p, false)) {
        return;
    }
    SIM_EACH_LANE(i) {
        const uint32_t address = (w->s[sim_m0] & 0x3ffff) + (uint32_t)in->m.offset + (uint32_t)i * a->bytes;
        if (!(exec >> i & 1)) {
            continue;
        }
        unsigned char *to = sim_lds_place(w, in, i, address, a->bytes, 4, SIM_TOUCH_NONE);
        if (!to) {
            return;
        }
        const bool same = p.at[i] && !memcmp(to, p.at[i], a->bytes);
        if (w->group->shadow && !sim_race_touch(w, in, i, address, a->bytes, same ? SIM_TOUCH_LOAD_SAME : SIM_TOUCH_LOAD)) {
            return;
        }
        if (p.at[i]) {
            memcpy(to, p.at[i], a->bytes);
        } else {
            memset(to, 0, a->bytes);
        }
        if (w->undefined) {
            sim_undefined_fill(w, i, address, a->bytes);
        }
    }
    if (w->undefined) {
        w->undefined->missing_lanes = 0;
    }
    sim_wait_vector(w, 0, 0);
}

/* X(suffix, bytes, width in registers, part) */
#define LOAD_LIST(X)                                                                                         \
    X(dword, 4, 1, WORDS)                                                                                    \
    X(dwordx2, 8, 2, WORDS)                                                                                  \
    X(dwordx3, 12, 3, WORDS)                                                                                 \
    X(dwordx4, 16, 4, WORDS)                                                                                 \
    X(ubyte, 1, 1, UBYTE)                                                                                    \
    X(sbyte, 1, 1, SBYTE)                                                                                    \
    X(ushort, 2, 1, USHORT)                                                                                  \
    X(sshort, 2, 1, SSHORT)                                                                                  \
    X(ubyte_d16, 1, 1, UBYTE_D16)                                                                            \
    X(sbyte_d16, 1, 1, SBYTE_D16)                                                                            \
    X(short_d16, 2, 1, SHORT_D16)                                                                            \
    X(ubyte_d16_hi, 1, 1, UBYTE_D16_HI)                                                                      \
    X(sbyte_d16_hi, 1, 1, SBYTE_D16_HI)                                                                      \
    X(short_d16_hi, 2, 1, SHORT_D16_HI)
#define STORE_LIST(X)                                                                                        \
    X(dword, 4, 1, WORDS)                                                                                    \
    X(dwordx2, 8, 2, WORDS)                                                                                  \
    X(dwordx3, 12, 3, WORDS)                                                                                 \
    X(dwordx4, 16, 4, WORDS)                                                                                 \
    X(byte, 1, 1, WORDS)                                                                                     \
    X(short, 2, 1, WORDS)                                                                                    \
    X(byte_d16_hi, 1, 1, BYTE_HI)                                                                            \
    X(short_d16_hi, 2, 1, SHORT_D16_HI)

#define O(k) (&in->operands[k])
#define X(name, n, width, kind)                                                                              \
    static void run_global_load_##name(sim_wave *w, const sim_instruction *in) {                             \
        load(w, in, &(access){GLOBAL, O(1), O(2), NULL, n}, O(0), kind);                                     \
    }                                                                                                        \
    static void run_flat_load_##name(sim_wave *w, const sim_instruction *in) {                               \
        load(w, in, &(access){FLAT, O(1), NULL, NULL, n}, O(0), kind);                                       \
    }                                                                                                        \
    static void run_scratch_load_##name(sim_wave *w, const sim_instruction *in) {                            \
        load(w, in, &(access){SCRATCH, O(1), O(2), NULL, n}, O(0), kind);                                    \
    }                                                                                                        \
    static void run_buffer_load_##name(sim_wave *w, const sim_instruction *in) {                             \
        const access a = {BUFFER, O(1), O(2), O(3), n};                                                      \
        if (in->m.lds) {                                                                                     \
            load_to_lds(w, in, &a);                                                                          \
        } else {                                                                                             \
            load(w, in, &a, O(0), kind);                                                                     \
        }                                                                                                    \
    }
LOAD_LIST(X)
#undef X
#define X(name, n, width, kind)                                                                              \
    static void run_global_store_##name(sim_wave *w, const sim_instruction *in) {                            \
        store(w, in, &(access){GLOBAL, O(0), O(2), NULL, n}, O(1), kind);                                    \
    }                                                                                                        \
    static void run_flat_store_##name(sim_wave *w, const sim_instruction *in) {                              \
        store(w, in, &(access){FLAT, O(0), NULL, NULL, n}, O(1), kind);                                      \
    }                                                                                                        \
    static void run_scratch_store_##name(sim_wave *w, const sim_instruction *in) {                           \
        store(w, in, &(access){SCRATCH, O(0), O(2), NULL, n}, O(1), kind);                                   \
    }                                                                                                        \
    static void run_buffer_store_##name(sim_wave *w, const sim_instruction *in) {                            \
        store(w, in, &(access){BUFFER, O(1), O(2), O(3), n}, O(0), kind);                                    \
    }
STORE_LIST(X)
#undef X
#define LDS_LOAD_LIST(X) X(dword, 4) X(dwordx3, 12) X(dwordx4, 16)
#define X(name, n)                                                                                           \
    static void run_global_load_lds_##name(sim_wave *w, const sim_instruction *in) {                         \
        load_to_lds(w, in, &(access){GLOBAL, O(0), O(1), NULL, n});                                          \
    }
LDS_LOAD_LIST(X)
#undef X

/* ---- atomics ----------------------------------------------------------------------------------------- */

static uint32_t add_f32(uint32_t a, uint32_t b) {
    return sim_u32(sim_f32(a) + sim_f32(b));
}
static uint64_t add_f64(uint64_t a, uint64_t b) {
    return sim_u64(sim_f64(a) + sim_f64(b));
}
static uint64_t max_f64(uint64_t a, uint64_t b) {
    return sim_u64(fmax(sim_f64(a), sim_f64(b)));
}
static uint64_t min_f64(uint64_t a, uint64_t b) {
    return sim_u64(fmin(sim_f64(a), sim_f64(b)));
}
static uint32_t add_two_f16(uint32_t a, uint32_t b) {
    const uint32_t low = sim_half_from_f64((double)sim_half_to_f32(a & 0xffff) + (double)sim_half_to_f32(b & 0xffff));
    return low | sim_half_from_f64((double)sim_half_to_f32(a >> 16) + (double)sim_half_to_f32(b >> 16)) << 16;
}
static uint32_t add_two_bf16(uint32_t a, uint32_t b) {
    return sim_bf16_from_f32(sim_f32(a << 16) + sim_f32(b << 16)) |
           sim_bf16_from_f32(sim_f32(a & 0xffff0000) + sim_f32(b & 0xffff0000)) << 16;
}

/* Old value in `old`, operand `b`; for compare-and-swap the expected value is `c`. */
#define ATOMIC32_LIST(X)                                                                                     \
    X(add, old + b)                                                                                          \
    X(sub, old - b)                                                                                          \
    X(swap, b)                                                                                               \
    X(smin, (int32_t)old < (int32_t)b ? old : b)                                                             \
    X(umin, old < b ? old : b)                                                                               \
    X(smax, (int32_t)old > (int32_t)b ? old : b)                                                             \
    X(umax, old > b ? old : b)                                                                               \
    X(and, old & b)                                                                                          \
    X(or, old | b)                                                                                           \
    X(xor, old ^ b)                                                                                          \
    X(inc, old >= b ? 0 : old + 1)                                                                           \
    X(dec, old == 0 || old > b ? b : old - 1)                                                                \
    X(add_f32, add_f32(old, b))                                                                              \
    X(pk_add_f16, add_two_f16(old, b))                                                                       \
    X(pk_add_bf16, add_two_bf16(old, b))
#define ATOMIC64_LIST(X)                                                                                     \
    X(add_x2, old + b)                                                                                       \
    X(sub_x2, old - b)                                                                                       \
    X(swap_x2, b)                                                                                            \
    X(smin_x2, (int64_t)old < (int64_t)b ? old : b)                                                          \
    X(umin_x2, old < b ? old : b)                                                                            \
    X(smax_x2, (int64_t)old > (int64_t)b ? old : b)                                                          \
    X(umax_x2, old > b ? old : b)                                                                            \
    X(and_x2, old & b)                                                                                       \
    X(or_x2, old | b)                                                                                        \
    X(xor_x2, old ^ b)                                                                                       \
    X(inc_x2, old >= b ? 0 : old + 1)                                                                        \
    X(dec_x2, old == 0 || old > b ? b : old - 1)                                                             \
    X(add_f64, add_f64(old, b))                                                                              \
    X(max_f64, max_f64(old, b))                                                                              \
    X(min_f64, min_f64(old, b))

typedef uint64_t combine(uint64_t old, uint64_t b, uint64_t c);
#define X(name, expression)                                                                                  \
    static uint64_t combine_##name(uint64_t old_, uint64_t b_, uint64_t c) {                                 \
        const uint32_t old = (uint32_t)old_, b = (uint32_t)b_;                                               \
        (void)c;                                                                                             \
        (void)old;                                                                                           \
        return (uint32_t)(expression);                                                                       \
    }
ATOMIC32_LIST(X)
#undef X
#define X(name, expression)                                                                                  \
    static uint64_t combine_##name(uint64_t old, uint64_t b, uint64_t c) {                                   \
        (void)c;                                                                                             \
        (void)old;                                                                                           \
        return expression;                                                                                   \
    }
ATOMIC64_LIST(X)
#undef X
static uint64_t combine_cmpswap(uint64_t old, uint64_t b, uint64_t c) { return old == c ? b : old; }

/* Lanes one after another in ascending order. Other workgroups run on other threads: each update is one atomic exchange. */
static uint64_t update32(unsigned char *at, combine *f, uint64_t b, uint64_t c) {
    _Atomic uint32_t *place = (_Atomic uint32_t *)(void *)at;
    uint32_t old = atomic_load(place);
    while (!atomic_compare_exchange_weak(place, &old, (uint32_t)f(old, b, c))) {
    }
    return old;
}
static uint64_t update64(unsigned char *at, combine *f, uint64_t b, uint64_t c) {
    _Atomic uint64_t *place = (_Atomic uint64_t *)(void *)at;
    uint64_t old = atomic_load(place);
    while (!atomic_compare_exchange_weak(place, &old, f(old, b, c))) {
    }
    return old;
}

/* Operands: returned value (may be absent), address, data, base. */
static void atomic(sim_wave *w, const sim_instruction *in, space where, unsigned bytes, combine *f, bool compare) {
    const sim_operand *to = O(0), *data = O(2);
    const access a = {where, O(1), where == FLAT ? NULL : O(3), NULL, bytes};
    const unsigned words = bytes / 4;
    const uint64_t exec = sim_exec_of(w);
    /* Only an exchange whose result nobody wants does not use what is there. */
    const bool overwrites = to->kind != SIM_OPERAND_VGPR && (f == combine_swap || f == combine_swap_x2);
    places p;
    if (!resolve(w, in, &a, overwrites ? SIM_TOUCH_WRITE : SIM_TOUCH_ATOMIC, &p)) {
        return;
    }
    SIM_EACH_LANE(i) {
        if (!(exec >> i & 1)) {
            continue;
        }
        if ((uintptr_t)p.at[i] % bytes) {
            sim_fault(w, in, i, "misaligned: atomic of %u bytes at %p", bytes, (void *)p.at[i]);
            return;
        }
        uint64_t b = w->v[data->reg][i], c = 0;
        if (words == 2) {
            b |= (uint64_t)w->v[data->reg + 1][i] << 32;
        }
        if (compare) {
            c = words == 2 ? (uint64_t)w->v[data->reg + 3][i] << 32 | w->v[data->reg + 2][i] : w->v[data->reg + 1][i];
        }
        if (w->sample) {
            sim_sample_store(w, in, i, p.at[i], bytes, false);
        }
        const uint64_t old = words == 2 ? update64(p.at[i], f, b, c) : update32(p.at[i], f, b, c);
        if (to->kind == SIM_OPERAND_VGPR) {
            w->v[to->reg][i] = (uint32_t)old;
            if (words == 2) {
                w->v[to->reg + 1][i] = (uint32_t)(old >> 32);
            }
        }
    }
    sim_wait_vector(w, to->reg, to->kind == SIM_OPERAND_VGPR ? words : 0);
}
#define ATOMIC(name, bytes, f, compare)                                                                      \
    static void run_global_atomic_##name(sim_wave *w, const sim_instruction *in) {                           \
        atomic(w, in, GLOBAL, bytes, f, compare);                                                            \
    }                                                                                                        \
    static void run_flat_atomic_##name(sim_wave *w, const sim_instruction *in) {                             \
        atomic(w, in, FLAT, bytes, f, compare);                                                              \
    }
#define X(name, expression) ATOMIC(name, 4, combine_##name, false)
ATOMIC32_LIST(X)
#undef X
#define X(name, expression) ATOMIC(name, 8, combine_##name, false)
ATOMIC64_LIST(X)
#undef X
ATOMIC(cmpswap, 4, combine_cmpswap, true)
ATOMIC(cmpswap_x2, 8, combine_cmpswap, true)

#define MEMORY (SIM_ROW_MEMORY | SIM_ROW_VMEM)
#define ATOMIC_ROWS(name, width, data)                                                                       \
    {"global_atomic_" #name, "?Db" #width " A vb" #data " O", run_global_atomic_##name, MEMORY},             \
    {"flat_atomic_" #name, "?Db" #width " A vb" #data, run_flat_atomic_##name, MEMORY},
static const sim_row rows[] = {
#define X(name, n, width, kind)                                                                              \
    {"global_load_" #name, "Db" #width " A O", run_global_load_##name, MEMORY},                              \
    {"flat_load_" #name, "Db" #width " A", run_flat_load_##name, MEMORY | SIM_ROW_LGKM},                     \
    {"scratch_load_" #name, "Db" #width " A O", run_scratch_load_##name, MEMORY},                            \
    {"buffer_load_" #name, "?Db" #width " A sb4 xi", run_buffer_load_##name, MEMORY | SIM_ROW_BUFFER},
    LOAD_LIST(X)
#undef X
#define X(name, n, width, kind)                                                                              \
    {"global_store_" #name, "A vb" #width " O", run_global_store_##name, MEMORY},                            \
    {"flat_store_" #name, "A vb" #width, run_flat_store_##name, MEMORY | SIM_ROW_LGKM},                      \
    {"scratch_store_" #name, "A vb" #width " O", run_scratch_store_##name, MEMORY},                          \
    {"buffer_store_" #name, "vb" #width " A sb4 xi", run_buffer_store_##name, MEMORY | SIM_ROW_BUFFER},
    STORE_LIST(X)
#undef X
#define X(name, n) {"global_load_lds_" #name, "A O", run_global_load_lds_##name, MEMORY},
    LDS_LOAD_LIST(X)
#undef X
#define X(name, expression) ATOMIC_ROWS(name, 1, 1)
    ATOMIC32_LIST(X)
#undef X
#define X(name, expression) ATOMIC_ROWS(name, 2, 2)
    ATOMIC64_LIST(X)
#undef X
    ATOMIC_ROWS(cmpswap, 1, 2)
    ATOMIC_ROWS(cmpswap_x2, 2, 4)
};
SIM_DEFINE_TABLE(sim_memory);
