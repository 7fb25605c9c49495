/* LDS instructions: ISA manual, chapter 11 and section 12.13. */
#include "sim_rows.h"

#include "sim_lds.h"
#include "sim_wait.h"

#include <math.h>

#define O(k) (&in->operands[k])

static unsigned alignment_of(unsigned bytes) {
    return bytes >= 8 ? 8 : bytes; /* b96 and b128 need 8 in the unaligned mode that HIP sets */
}

/* ---- loads and stores; offsets of the two-address forms count elements ---------------------------------- */

static void read_one(sim_wave *w, const sim_instruction *in, unsigned bytes, uint32_t offset, unsigned reg) {
    const uint32_t *address = w->v[O(1)->reg];
    const uint64_t exec = sim_exec_of(w);
    uint32_t out[4][sim_lanes];
    const unsigned words = (bytes + 3) / 4;
    SIM_EACH_LANE(i) {
        uint32_t raw[4] = {0};
        if (exec >> i & 1) {
            const unsigned char *at = sim_lds_place(w, in, i, address[i] + offset, bytes, bytes >= 4 ? 4 : bytes, SIM_TOUCH_READ);
            if (!at) {
                return;
            }
            memcpy(raw, at, bytes);
        }
        for (unsigned k = 0; k < words; k++) {
            out[k][i] = raw[k];
        }
    }
    for (unsigned k = 0; k < words; k++) {
        sim_write_register(w, reg + k, out[k]);
    }
    sim_undefined_loaded(w, in, reg, bytes);
}
static void write_one(sim_wave *w, const sim_instruction *in, unsigned bytes, uint32_t offset, const sim_operand *data, unsigned shift) {
    const uint32_t *address = w->v[O(0)->reg];
    const uint64_t exec = sim_exec_of(w);
    const bool live = w->undefined && w->undefined->live;
    SIM_EACH_LANE(i) {
        uint32_t raw[4] = {0};
        if (!(exec >> i & 1)) {
            continue;
        }
        unsigned char *at = sim_lds_place(w, in, i, address[i] + offset, bytes, bytes >= 4 ? 4 : bytes, SIM_TOUCH_WRITE);
        if (!at) {
            return;
        }
        for (unsigned k = 0; k < (bytes + 3) / 4; k++) {
            raw[k] = w->v[data->reg + k][i] >> shift;
        }
        memcpy(at, raw, bytes);
        if (live && !sim_undefined_store(w, in, i, at, data->reg, bytes)) {
            return;
        }
    }
}

/* The address register may be among the destinations: both halves are read before either is written. */
static void read_two(sim_wave *w, const sim_instruction *in, unsigned bytes, unsigned unit) {
    uint32_t address[sim_lanes];
    const unsigned words = bytes / 4, reg = O(0)->reg;
    const sim_operand *from = O(1);
    memcpy(address, w->v[from->reg], sizeof address);
    uint32_t out[4][sim_lanes];
    const uint64_t exec = sim_exec_of(w);
    for (unsigned half = 0; half < 2; half++) {
        SIM_EACH_LANE(i) {
            uint32_t raw[2] = {0};
            if (exec >> i & 1) {
                const uint32_t offset = (uint32_t)(half ? in->m.offset1 : in->m.offset0) * unit;
                const unsigned char *at = sim_lds_place(w, in, i, address[i] + offset, bytes, bytes == 8 ? 8 : 4, SIM_TOUCH_READ);
                if (!at) {
                    return;
                }
                memcpy(raw, at, bytes);
            }
            for (unsigned k = 0; k < words; k++) {
                out[half * words + k][i] = raw[k];
            }
        }
        sim_undefined_loaded(w, in, reg + half * words, bytes);
    }
    for (unsigned k = 0; k < 2 * words; k++) {
        sim_write_register(w, reg + k, out[k]);
    }
    sim_wait_lds(w, reg, 2 * words);
}
static void write_two(sim_wave *w, const sim_instruction *in, unsigned bytes, unsigned unit) {
    write_one(w, in, bytes, (uint32_t)in->m.offset0 * unit, O(1), 0);
    write_one(w, in, bytes, (uint32_t)in->m.offset1 * unit, O(2), 0);
    sim_wait_lds(w, 0, 0);
}

#define READ_LIST(X)                                                                                         \
    X(ds_read_b32, 4, 1)                                                                                     \
    X(ds_read_b64, 8, 2)                                                                                     \
    X(ds_read_b96, 12, 3)                                                                                    \
    X(ds_read_b128, 16, 4)
#define X(name, bytes, width)                                                                                \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        read_one(w, in, bytes, (uint32_t)in->m.offset, O(0)->reg);                                           \
        sim_wait_lds(w, O(0)->reg, width);                                                                   \
    }
READ_LIST(X)
#undef X
/* X(name, bytes, value of `raw` with `old`) */
#define READ_PART_LIST(X)                                                                                    \
    X(ds_read_u8, 1, raw)                                                                                    \
    X(ds_read_i8, 1, (uint32_t)(int8_t)raw)                                                                  \
    X(ds_read_u16, 2, raw)                                                                                   \
    X(ds_read_i16, 2, (uint32_t)(int16_t)raw)                                                                \
    X(ds_read_u8_d16, 1, (old & 0xffff0000) | raw)                                                           \
    X(ds_read_u8_d16_hi, 1, (old & 0xffff) | raw << 16)                                                      \
    X(ds_read_i8_d16, 1, (old & 0xffff0000) | (uint16_t)(int8_t)raw)                                         \
    X(ds_read_i8_d16_hi, 1, (old & 0xffff) | (uint32_t)(int8_t)raw << 16)                                    \
    X(ds_read_u16_d16, 2, (old & 0xffff0000) | raw)                                                          \
    X(ds_read_u16_d16_hi, 2, (old & 0xffff) | raw << 16)
#define X(name, bytes, expression)                                                                           \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        uint32_t before[sim_lanes], *to = w->v[O(0)->reg];                                                   \
        const uint64_t exec = sim_exec_of(w);                                                                \
        memcpy(before, to, sizeof before);                                                                   \
        read_one(w, in, bytes, (uint32_t)in->m.offset, O(0)->reg);                                           \
        SIM_EACH_LANE(i) {                                                                                   \
            const uint32_t old = before[i], raw = to[i];                                                     \
            (void)old;                                                                                       \
            to[i] = exec >> i & 1 ? (expression) : to[i];                                                    \
        }                                                                                                    \
        sim_wait_lds(w, O(0)->reg, 1);                                                                       \
    }
READ_PART_LIST(X)
#undef X
#define WRITE_LIST(X)                                                                                        \
    X(ds_write_b8, 1, 1, 0)                                                                                  \
    X(ds_write_b16, 2, 1, 0)                                                                                 \
    X(ds_write_b8_d16_hi, 1, 1, 16)                                                                          \
    X(ds_write_b16_d16_hi, 2, 1, 16)                                                                         \
    X(ds_write_b32, 4, 1, 0)                                                                                 \
    X(ds_write_b64, 8, 2, 0)                                                                                 \
    X(ds_write_b96, 12, 3, 0)                                                                                \
    X(ds_write_b128, 16, 4, 0)
#define X(name, bytes, width, shift)                                                                         \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        write_one(w, in, bytes, (uint32_t)in->m.offset, O(1), shift);                                        \
        sim_wait_lds(w, 0, 0);                                                                               \
    }
WRITE_LIST(X)
#undef X
#define TWO_LIST(X)                                                                                          \
    X(2_b32, 4, 4, 2, 1)                                                                                     \
    X(2_b64, 8, 8, 4, 2)                                                                                     \
    X(2st64_b32, 4, 256, 2, 1)                                                                               \
    X(2st64_b64, 8, 512, 4, 2)
#define X(name, bytes, unit, wide, narrow)                                                                   \
    static void run_read##name(sim_wave *w, const sim_instruction *in) { read_two(w, in, bytes, unit); }     \
    static void run_write##name(sim_wave *w, const sim_instruction *in) { write_two(w, in, bytes, unit); }
TWO_LIST(X)
#undef X

/* ---- atomics: lanes in ascending order ---------------------------------------------------------------- */

#define ATOMIC_LIST(X)                                                                                       \
    X(add, u32, uint32_t, old + b)                                                                           \
    X(sub, u32, uint32_t, old - b)                                                                           \
    X(inc, u32, uint32_t, old >= b ? 0 : old + 1)                                                            \
    X(dec, u32, uint32_t, old == 0 || old > b ? b : old - 1)                                                 \
    X(min, u32, uint32_t, old < b ? old : b)                                                                 \
    X(max, u32, uint32_t, old > b ? old : b)                                                                 \
    X(min, i32, int32_t, old < b ? old : b)                                                                  \
    X(max, i32, int32_t, old > b ? old : b)                                                                  \
    X(and, b32, uint32_t, old &b)                                                                            \
    X(or, b32, uint32_t, old | b)                                                                            \
    X(xor, b32, uint32_t, old ^ b)                                                                           \
    X(add, f32, float, old + b)                                                                              \
    X(min, f32, float, fminf(old, b))                                                                        \
    X(max, f32, float, fmaxf(old, b))                                                                        \
    X(add, u64, uint64_t, old + b)                                                                           \
    X(sub, u64, uint64_t, old - b)                                                                           \
    X(min, u64, uint64_t, old < b ? old : b)                                                                 \
    X(max, u64, uint64_t, old > b ? old : b)                                                                 \
    X(min, i64, int64_t, old < b ? old : b)                                                                  \
    X(max, i64, int64_t, old > b ? old : b)                                                                  \
    X(and, b64, uint64_t, old &b)                                                                            \
    X(or, b64, uint64_t, old | b)                                                                            \
    X(xor, b64, uint64_t, old ^ b)                                                                           \
    X(add, f64, double, old + b)
#define EXCHANGE_LIST(X)                                                                                     \
    X(wrxchg, b32, uint32_t, b)                                                                              \
    X(wrxchg, b64, uint64_t, b)
#define ATOMIC(name, type, T, expression, stem, has_result)                                                  \
    static void run_##stem##_##type(sim_wave *w, const sim_instruction *in) {                                \
        const sim_operand *address = O(has_result), *data = O((has_result) + 1);                             \
        const unsigned words = sizeof(T) / 4;                                                                \
        const uint64_t exec = sim_exec_of(w);                                                                \
        SIM_EACH_LANE(i) {                                                                                   \
            T old, b;                                                                                        \
            if (!(exec >> i & 1)) {                                                                          \
                continue;                                                                                    \
            }                                                                                                \
            unsigned char *at = sim_lds_place(w, in, i, w->v[address->reg][i] + (uint32_t)in->m.offset,       \
                                              sizeof(T), alignment_of(sizeof(T)), SIM_TOUCH_ATOMIC);         \
            if (!at) {                                                                                       \
                return;                                                                                      \
            }                                                                                                \
            uint32_t raw[2] = {w->v[data->reg][i], words > 1 ? w->v[data->reg + 1][i] : 0};                  \
            memcpy(&b, raw, sizeof b);                                                                       \
            memcpy(&old, at, sizeof old);                                                                    \
            const T result = expression;                                                                     \
            memcpy(at, &result, sizeof result);                                                              \
            if (has_result) {                                                                                \
                memcpy(raw, &old, sizeof old);                                                               \
                w->v[O(0)->reg][i] = raw[0];                                                                 \
                if (words > 1) {                                                                             \
                    w->v[O(0)->reg + 1][i] = raw[1];                                                         \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
        sim_wait_lds(w, O(0)->reg, (has_result) ? words : 0);                                                \
    }
#define X(name, type, T, expression) ATOMIC(name, type, T, expression, name, 0)
ATOMIC_LIST(X)
#undef X
#define X(name, type, T, expression) ATOMIC(name, type, T, expression, name##_rtn, 1)
ATOMIC_LIST(X)
EXCHANGE_LIST(X)
#undef X

static void compare_store(sim_wave *w, const sim_instruction *in, unsigned bytes) {
    const int first = in->operands[0].role == 'D';
    const unsigned words = bytes / 4;
    const uint64_t exec = sim_exec_of(w);
    SIM_EACH_LANE(i) {
        uint32_t old[2], wanted[2], fresh[2];
        if (!(exec >> i & 1)) {
            continue;
        }
        unsigned char *at = sim_lds_place(w, in, i, w->v[O(first)->reg][i] + (uint32_t)in->m.offset, bytes, alignment_of(bytes),
                                          SIM_TOUCH_ATOMIC);
        if (!at) {
            return;
        }
        memcpy(old, at, bytes);
        for (unsigned k = 0; k < words; k++) {
            wanted[k] = w->v[O(first + 1)->reg + k][i];
            fresh[k] = w->v[O(first + 2)->reg + k][i];
        }
        if (!memcmp(old, wanted, bytes)) {
            memcpy(at, fresh, bytes);
        }
        for (unsigned k = 0; first && k < words; k++) {
            w->v[O(0)->reg + k][i] = old[k];
        }
    }
    sim_wait_lds(w, O(0)->reg, first ? words : 0);
}
static void run_cmpst_b32(sim_wave *w, const sim_instruction *in) { compare_store(w, in, 4); }
static void run_cmpst_b64(sim_wave *w, const sim_instruction *in) { compare_store(w, in, 8); }

/* ---- lane exchange through the LDS crossbar: no memory is touched ------------------------------------- */

static void run_ds_bpermute_b32(sim_wave *w, const sim_instruction *in) {
    const uint32_t *address = w->v[O(1)->reg], *data = w->v[O(2)->reg];
    const uint64_t exec = sim_exec_of(w);
    uint32_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        const unsigned from = ((address[i] + (uint32_t)in->m.offset) >> 2) & 63;
        out[i] = exec >> from & 1 ? data[from] : 0;
    }
    sim_write_register(w, O(0)->reg, out);
    sim_wait_lds(w, O(0)->reg, 1);
}
static void run_ds_permute_b32(sim_wave *w, const sim_instruction *in) {
    const uint32_t *address = w->v[O(1)->reg], *data = w->v[O(2)->reg];
    const uint64_t exec = sim_exec_of(w);
    uint32_t out[sim_lanes] = {0};
    SIM_EACH_LANE(i) {
        if (exec >> i & 1) {
            out[((address[i] + (uint32_t)in->m.offset) >> 2) & 63] = data[i];
        }
    }
    sim_write_register(w, O(0)->reg, out);
    sim_wait_lds(w, O(0)->reg, 1);
}
static void run_ds_swizzle_b32(sim_wave *w, const sim_instruction *in) {
    const uint32_t *data = w->v[O(1)->reg], code = (uint32_t)in->m.offset;
    const uint64_t exec = sim_exec_of(w);
    uint32_t out[sim_lanes];
    SIM_EACH_LANE(i) {
        const unsigned lane = (unsigned)i;
        const unsigned from = code & 0x8000 ? (lane & ~3u) | (code >> 2 * (lane & 3) & 3)
                                            : (lane & 32) | ((((lane & code) | (code >> 5)) ^ (code >> 10)) & 31);
        out[i] = exec >> from & 1 ? data[from] : 0;
    }
    sim_write_register(w, O(0)->reg, out);
    sim_wait_lds(w, O(0)->reg, 1);
}

/* ---- transpose reads: groups of 16 lanes; every lane gives its own address, the elements change lanes ------- */

/* Element n of lane l comes from element `column` of lane `source` of its group. ISA manual, "DS_READ_B64_TR_B16" and its
 * siblings; b4 and b6 as the compiler's tests have them, not seen on hardware. */
typedef struct transposed {
    unsigned bits, count, bytes;
    fsattn_fact_switch fact;
} transposed;
/* The bits of column and source, lowest first, are those of lane and element in the order of the fact: assumed, as they come,
 * so that 16 / count lanes hold one row of 16 columns. */
static void transpose_source(const transposed *t, unsigned l, unsigned n, unsigned *source, unsigned *column) {
    const uint8_t *order = sim_facts_get()->order[t->fact];
    const unsigned from = l | n << 4;
    unsigned to = 0;
    for (unsigned bit = 0; 1u << bit < 16 * t->count; bit++) {
        to |= (from >> order[bit] & 1) << bit;
    }
    *source = to / t->count;
    *column = to % t->count;
}
static unsigned bits_at(const unsigned char *bytes, unsigned bit, unsigned count) {
    unsigned value = 0;
    for (unsigned i = 0; i < count; i++) {
        value |= (unsigned)(bytes[(bit + i) / 8] >> ((bit + i) % 8) & 1) << i;
    }
    return value;
}
/* Elements come from other lanes, and so does what nobody has written of them: a byte is there when a part of it is. */
static void settle_transposed(sim_wave *w, const sim_instruction *in, const transposed *t) {
    sim_undefined *u = w->undefined;
    uint64_t there[sim_lanes] = {0}, missing = u ? u->missing_lanes : 0;
    for (int i = 0; missing && i < sim_lanes; i++) {
        for (unsigned n = 0; n < t->count; n++) {
            unsigned source, column;
            transpose_source(t, (unsigned)i & 15, n, &source, &column);
            const unsigned lane = ((unsigned)i & ~15u) + source;
            const bool absent = missing >> lane & 1 && (u->missing[lane].bytes >> column * t->bits / 8 & 1);
            const uint64_t bytes = t->bits == 16 ? 3 : 1;
            there[i] |= absent ? 0 : bytes << n * t->bits / 8;
        }
    }
    for (int i = 0; missing && i < sim_lanes; i++) {
        u->missing[i] = u->missing[missing >> i & 1 ? i : __builtin_ctzll(missing)];
        u->missing[i].bytes = ~there[i];
        u->missing_lanes |= UINT64_C(1) << i;
    }
    sim_undefined_loaded(w, in, O(0)->reg, t->bytes);
}
static void read_transposed(sim_wave *w, const sim_instruction *in, const transposed *t) {
    unsigned char rows[sim_lanes][16];
    const uint32_t *address = w->v[O(1)->reg];
    const unsigned words = t->bytes / 4;
    uint32_t out[3][sim_lanes];
    if (sim_exec_of(w) != UINT64_MAX) {
        sim_fault(w, in, -1, "transpose read with inactive lanes");
        return;
    }
    SIM_EACH_LANE(i) {
        const unsigned char *at = sim_lds_place(w, in, i, address[i] + (uint32_t)in->m.offset, t->bytes, t->bytes == 8 ? 8 : 4, SIM_TOUCH_READ);
        if (!at) {
            return;
        }
        memcpy(rows[i], at, t->bytes);
    }
    SIM_EACH_LANE(i) {
        uint64_t low = 0, high = 0;
        for (unsigned n = 0; n < t->count; n++) {
            unsigned source, column;
            transpose_source(t, (unsigned)i & 15, n, &source, &column);
            const uint64_t value = bits_at(rows[((unsigned)i & ~15u) + source], column * t->bits, t->bits);
            const unsigned bit = n * t->bits;
            if (bit < 64) {
                low |= value << bit;
            }
            if (bit + t->bits > 64) {
                high |= bit >= 64 ? value << (bit - 64) : value >> (64 - bit);
            }
        }
        out[0][i] = (uint32_t)low;
        out[1][i] = (uint32_t)(low >> 32);
        out[2][i] = (uint32_t)high;
    }
    for (unsigned k = 0; k < words; k++) {
        sim_write_register(w, O(0)->reg + k, out[k]);
    }
    settle_transposed(w, in, t);
    sim_wait_lds(w, O(0)->reg, words);
}
#define TRANSPOSE_LIST(X)                                                                                    \
    X(ds_read_b64_tr_b16, 16, 4, 8, 2, b16)                                                                       \
    X(ds_read_b64_tr_b8, 8, 8, 8, 2, b8)                                                                         \
    X(ds_read_b64_tr_b4, 4, 16, 8, 2, b4)                                                                        \
    X(ds_read_b96_tr_b6, 6, 16, 12, 3, b6)
#define X(name, bits, count, bytes, width, fact)                                                             \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        read_transposed(w, in, &(transposed){bits, count, bytes, FSATTN_FACT_transpose_##fact});                                           \
    }
TRANSPOSE_LIST(X)
#undef X

#define MEMORY (SIM_ROW_MEMORY | SIM_ROW_LGKM)
static const sim_row rows[] = {
#define X(name, bytes, width) {#name, "Db" #width " vb1", run_##name, MEMORY},
    READ_LIST(X)
#undef X
#define X(name, bytes, expression) {#name, "Db1 vb1", run_##name, MEMORY},
    READ_PART_LIST(X)
#undef X
#define X(name, bytes, width, shift) {#name, "vb1 vb" #width, run_##name, MEMORY},
    WRITE_LIST(X)
#undef X
#define X(name, bytes, unit, wide, narrow)                                                                   \
    {"ds_read" #name, "Db" #wide " vb1", run_read##name, MEMORY},                                            \
    {"ds_write" #name, "vb1 vb" #narrow " vb" #narrow, run_write##name, MEMORY},
    TWO_LIST(X)
#undef X
#define X(name, type, T, expression)                                                                         \
    {"ds_" #name "_" #type, sizeof(T) == 8 ? "vb1 vb2" : "vb1 vb1", run_##name##_##type, MEMORY},
    ATOMIC_LIST(X)
#undef X
#define X(name, type, T, expression)                                                                         \
    {"ds_" #name "_rtn_" #type, sizeof(T) == 8 ? "Db2 vb1 vb2" : "Db1 vb1 vb1", run_##name##_rtn_##type, MEMORY},
    ATOMIC_LIST(X)
    EXCHANGE_LIST(X)
#undef X
    {"ds_cmpst_b32", "vb1 vb1 vb1", run_cmpst_b32, MEMORY},
    {"ds_cmpst_rtn_b32", "Db1 vb1 vb1 vb1", run_cmpst_b32, MEMORY},
    {"ds_cmpst_b64", "vb1 vb2 vb2", run_cmpst_b64, MEMORY},
    {"ds_cmpst_rtn_b64", "Db2 vb1 vb2 vb2", run_cmpst_b64, MEMORY},
    {"ds_bpermute_b32", "Db1 vb1 vb1", run_ds_bpermute_b32, MEMORY},
    {"ds_permute_b32", "Db1 vb1 vb1", run_ds_permute_b32, MEMORY},
    {"ds_swizzle_b32", "Db1 vb1", run_ds_swizzle_b32, MEMORY},
#define X(name, bits, count, bytes, width, fact) {#name, "Db" #width " vb1", run_##name, MEMORY},
    TRANSPOSE_LIST(X)
#undef X
};
SIM_DEFINE_TABLE(sim_lds);
