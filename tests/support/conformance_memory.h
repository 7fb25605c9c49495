/* Cases of memory instructions: ISA manual, chapters 8 - 11. Every kind of access in every address space, from one list of widths, and
 * atomics from one list of operations; lanes collide on purpose, in ascending order. */
#ifndef CONFORMANCE_MEMORY_H
#define CONFORMANCE_MEMORY_H

#include "conformance_scalar.h"
#include "sim_heap.h"

enum { memory_bytes = 8192, memory_lds = 8192, memory_scratch = 256, memory_slot = 32, memory_base = 40, memory_resource = 44, memory_soffset = 48 };

/* How an access names its address; `lanes` says where lane i's element lies. */
typedef enum memory_space { GLOBAL, GLOBAL_BASE, FLAT, FLAT_LDS, SCRATCH, BUFFER, LDS, S_LOAD, S_BUFFER, memory_spaces } memory_space;
typedef enum memory_kind { LOAD, STORE, ATOMIC, ATOMIC_OLD, SWAP_IF, SWAP_IF_OLD, TO_LDS, READ2, WRITE2 } memory_kind;
typedef uint64_t memory_combine(uint64_t old, uint64_t b);
typedef struct memory_case {
    char mnemonic[48];
    memory_space space;
    memory_kind kind;
    int bytes;
    char part; /* of a load: ' ' words, u s extended, l L lower half, h H upper half; of a store h: from the upper half */
    int unit;  /* of the offsets of READ2 and WRITE2 */
    memory_combine *combine;
    char floats; /* f d p B: data must be moderate numbers */
} memory_case;

static unsigned char memory_block[memory_bytes] __attribute__((aligned(64))), memory_expected[memory_bytes] __attribute__((aligned(64)));
static unsigned char memory_local[memory_lds] __attribute__((aligned(64))), memory_lanes[64 * memory_scratch];
static sim_heap memory_heap = {.lock = PTHREAD_RWLOCK_INITIALIZER};
static sim_group memory_group;

static void memory_open(void) {
    cr_assert_eq(sim_heap_add(&memory_heap, memory_block, sizeof memory_block, "test"), FSATTN_OK);
    memory_group = (sim_group){.lds = memory_local, .lds_bytes = memory_lds, .epoch = 1};
    conf_wave->heap = &memory_heap;
    conf_wave->group = &memory_group;
    conf_wave->scratch = memory_lanes;
    conf_wave->scratch_bytes = memory_scratch;
}
static void memory_close(void) {
    sim_heap_remove(&memory_heap, memory_block);
    fsattn_free(memory_heap.blocks);
}

/* ---- what atomics do ---- */

static uint64_t halves_added(uint64_t a, uint64_t b) {
    return conf_from_h(conf_h(a) + conf_h(b)) | conf_from_h(conf_h(a >> 16) + conf_h(b >> 16)) << 16;
}
static uint64_t bf16_added(uint64_t a, uint64_t b) {
    return ref_bf16(conf_f(a << 16) + conf_f(b << 16)) | (uint64_t)ref_bf16(conf_f(a & 0xffff0000) + conf_f(b & 0xffff0000)) << 16;
}
#define COMBINE_LIST(X)                                                                                      \
    X(add, old + b)                                                                                          \
    X(sub, old - b)                                                                                          \
    X(swap, b)                                                                                               \
    X(smin32, (int32_t)old < (int32_t)b ? old : b)                                                           \
    X(smax32, (int32_t)old < (int32_t)b ? b : old)                                                           \
    X(smin64, (int64_t)old < (int64_t)b ? old : b)                                                           \
    X(smax64, (int64_t)old < (int64_t)b ? b : old)                                                           \
    X(umin, old < b ? old : b)                                                                               \
    X(umax, old < b ? b : old)                                                                               \
    X(and, old & b)                                                                                          \
    X(or, old | b)                                                                                           \
    X(xor, old ^ b)                                                                                          \
    X(inc, old < b ? old + 1 : 0)                                                                            \
    X(dec, old == 0 || old > b ? b : old - 1)                                                                \
    X(add_f32, conf_from_f(conf_f(old) + conf_f(b)))                                                         \
    X(min_f32, conf_from_f((float)ref_min((double)conf_f(old), (double)conf_f(b))))                          \
    X(max_f32, conf_from_f((float)ref_max((double)conf_f(old), (double)conf_f(b))))                          \
    X(add_f64, conf_from_d(conf_d(old) + conf_d(b)))                                                         \
    X(min_f64, conf_from_d(ref_min(conf_d(old), conf_d(b))))                                                 \
    X(max_f64, conf_from_d(ref_max(conf_d(old), conf_d(b))))                                                 \
    X(halves, halves_added(old, b))                                                                          \
    X(bf16, bf16_added(old, b))
#define X(name, expression)                                                                                  \
    static uint64_t combine_##name(uint64_t old, uint64_t b) {                                               \
        (void)old;                                                                                           \
        return expression;                                                                                   \
    }
COMBINE_LIST(X)
#undef X

/* ---- the list ---- */

typedef struct memory_list {
    memory_case cases[700];
    size_t count;
} memory_list;
static void memory_add(memory_list *l, memory_case c, const char *stem, const char *name) {
    cr_assert_lt(l->count, CONF_COUNT(l->cases));
    snprintf(c.mnemonic, sizeof c.mnemonic, "%s%s", stem, name);
    l->cases[l->count++] = c;
}
static void memory_add_plain(memory_list *l) {
    static const struct {
        const char *global, *lds;
        int bytes;
        char part;
    } loads[] = {{"dword", "b32", 4, ' '},      {"dwordx2", "b64", 8, ' '},       {"dwordx3", "b96", 12, ' '},      {"dwordx4", "b128", 16, ' '},
                 {"ubyte", "u8", 1, 'u'},       {"sbyte", "i8", 1, 's'},          {"ushort", "u16", 2, 'u'},        {"sshort", "i16", 2, 's'},
                 {"ubyte_d16", "u8_d16", 1, 'l'}, {"sbyte_d16", "i8_d16", 1, 'L'}, {"short_d16", "u16_d16", 2, 'l'}, {"ubyte_d16_hi", "u8_d16_hi", 1, 'h'},
                 {"sbyte_d16_hi", "i8_d16_hi", 1, 'H'}, {"short_d16_hi", "u16_d16_hi", 2, 'h'}},
      stores[] = {{"dword", "b32", 4, ' '}, {"dwordx2", "b64", 8, ' '}, {"dwordx3", "b96", 12, ' '}, {"dwordx4", "b128", 16, ' '},
                  {"byte", "b8", 1, ' '},   {"short", "b16", 2, ' '},   {"byte_d16_hi", "b8_d16_hi", 1, 'h'}, {"short_d16_hi", "b16_d16_hi", 2, 'h'}};
    static const char *const stems[] = {"global_", "global_", "flat_", "flat_", "scratch_", "buffer_", "ds_"};
    for (int s = 0; s <= LDS; s++) {
        for (size_t i = 0; i < CONF_COUNT(loads); i++) {
            char stem[32];
            snprintf(stem, sizeof stem, "%s%s_", stems[s], s == LDS ? "read" : "load");
            memory_add(l, (memory_case){.space = (memory_space)s, .kind = LOAD, .bytes = loads[i].bytes, .part = loads[i].part}, stem,
                       s == LDS ? loads[i].lds : loads[i].global);
        }
        for (size_t i = 0; i < CONF_COUNT(stores); i++) {
            char stem[32];
            snprintf(stem, sizeof stem, "%s%s_", stems[s], s == LDS ? "write" : "store");
            memory_add(l, (memory_case){.space = (memory_space)s, .kind = STORE, .bytes = stores[i].bytes, .part = stores[i].part}, stem,
                       s == LDS ? stores[i].lds : stores[i].global);
        }
    }
    static const struct {
        const char *name;
        int bytes;
    } scalars[] = {{"dword", 4}, {"dwordx2", 8}, {"dwordx4", 16}, {"dwordx8", 32}, {"dwordx16", 64}};
    for (size_t i = 0; i < CONF_COUNT(scalars); i++) {
        memory_add(l, (memory_case){.space = S_LOAD, .bytes = scalars[i].bytes}, "s_load_", scalars[i].name);
        memory_add(l, (memory_case){.space = S_BUFFER, .bytes = scalars[i].bytes}, "s_buffer_load_", scalars[i].name);
    }
    memory_add(l, (memory_case){.space = GLOBAL, .kind = TO_LDS, .bytes = 4}, "global_load_lds_", "dword");
    memory_add(l, (memory_case){.space = GLOBAL, .kind = TO_LDS, .bytes = 12}, "global_load_lds_", "dwordx3");
    memory_add(l, (memory_case){.space = GLOBAL, .kind = TO_LDS, .bytes = 16}, "global_load_lds_", "dwordx4");
    memory_add(l, (memory_case){.space = LDS, .kind = READ2, .bytes = 4, .unit = 4}, "ds_read2_", "b32");
    memory_add(l, (memory_case){.space = LDS, .kind = READ2, .bytes = 8, .unit = 8}, "ds_read2_", "b64");
    memory_add(l, (memory_case){.space = LDS, .kind = READ2, .bytes = 4, .unit = 256}, "ds_read2st64_", "b32");
    memory_add(l, (memory_case){.space = LDS, .kind = READ2, .bytes = 8, .unit = 512}, "ds_read2st64_", "b64");
    memory_add(l, (memory_case){.space = LDS, .kind = WRITE2, .bytes = 4, .unit = 4}, "ds_write2_", "b32");
    memory_add(l, (memory_case){.space = LDS, .kind = WRITE2, .bytes = 8, .unit = 8}, "ds_write2_", "b64");
    memory_add(l, (memory_case){.space = LDS, .kind = WRITE2, .bytes = 4, .unit = 256}, "ds_write2st64_", "b32");
    memory_add(l, (memory_case){.space = LDS, .kind = WRITE2, .bytes = 8, .unit = 512}, "ds_write2st64_", "b64");
}
static void memory_add_atomics(memory_list *l) {
    static const struct {
        const char *name;
        int bytes;
        memory_combine *combine;
        char floats;
    } device[] = {{"add", 4, combine_add, 0}, {"sub", 4, combine_sub, 0}, {"swap", 4, combine_swap, 0}, {"smin", 4, combine_smin32, 0},
                  {"umin", 4, combine_umin, 0}, {"smax", 4, combine_smax32, 0}, {"umax", 4, combine_umax, 0}, {"and", 4, combine_and, 0},
                  {"or", 4, combine_or, 0}, {"xor", 4, combine_xor, 0}, {"inc", 4, combine_inc, 0}, {"dec", 4, combine_dec, 0},
                  {"add_f32", 4, combine_add_f32, 'f'}, {"pk_add_f16", 4, combine_halves, 'p'}, {"pk_add_bf16", 4, combine_bf16, 'B'},
                  {"add_x2", 8, combine_add, 0}, {"sub_x2", 8, combine_sub, 0}, {"swap_x2", 8, combine_swap, 0}, {"smin_x2", 8, combine_smin64, 0},
                  {"umin_x2", 8, combine_umin, 0}, {"smax_x2", 8, combine_smax64, 0}, {"umax_x2", 8, combine_umax, 0}, {"and_x2", 8, combine_and, 0},
                  {"or_x2", 8, combine_or, 0}, {"xor_x2", 8, combine_xor, 0}, {"inc_x2", 8, combine_inc, 0}, {"dec_x2", 8, combine_dec, 0},
                  {"add_f64", 8, combine_add_f64, 'd'}, {"max_f64", 8, combine_max_f64, 'd'}, {"min_f64", 8, combine_min_f64, 'd'}},
      local[] = {{"add%s_u32", 4, combine_add, 0}, {"sub%s_u32", 4, combine_sub, 0}, {"inc%s_u32", 4, combine_inc, 0}, {"dec%s_u32", 4, combine_dec, 0},
                 {"min%s_u32", 4, combine_umin, 0}, {"max%s_u32", 4, combine_umax, 0}, {"min%s_i32", 4, combine_smin32, 0}, {"max%s_i32", 4, combine_smax32, 0},
                 {"and%s_b32", 4, combine_and, 0}, {"or%s_b32", 4, combine_or, 0}, {"xor%s_b32", 4, combine_xor, 0}, {"add%s_f32", 4, combine_add_f32, 'f'},
                 {"min%s_f32", 4, combine_min_f32, 'f'}, {"max%s_f32", 4, combine_max_f32, 'f'}, {"add%s_u64", 8, combine_add, 0}, {"sub%s_u64", 8, combine_sub, 0},
                 {"min%s_u64", 8, combine_umin, 0}, {"max%s_u64", 8, combine_umax, 0}, {"min%s_i64", 8, combine_smin64, 0}, {"max%s_i64", 8, combine_smax64, 0},
                 {"and%s_b64", 8, combine_and, 0}, {"or%s_b64", 8, combine_or, 0}, {"xor%s_b64", 8, combine_xor, 0}, {"add%s_f64", 8, combine_add_f64, 'd'},
                 {"wrxchg%s_b32", 4, combine_swap, 0}, {"wrxchg%s_b64", 8, combine_swap, 0}};
    static const memory_space spaces[] = {GLOBAL, GLOBAL_BASE, FLAT};
    for (size_t s = 0; s < CONF_COUNT(spaces); s++) {
        const char *stem = spaces[s] == FLAT ? "flat_atomic_" : "global_atomic_";
        for (int old = 0; old < 2; old++) {
            for (size_t i = 0; i < CONF_COUNT(device); i++) {
                memory_add(l, (memory_case){.space = spaces[s], .kind = old ? ATOMIC_OLD : ATOMIC, .bytes = device[i].bytes,
                                            .combine = device[i].combine, .floats = device[i].floats}, stem, device[i].name);
            }
            memory_add(l, (memory_case){.space = spaces[s], .kind = old ? SWAP_IF_OLD : SWAP_IF, .bytes = 4}, stem, "cmpswap");
            memory_add(l, (memory_case){.space = spaces[s], .kind = old ? SWAP_IF_OLD : SWAP_IF, .bytes = 8}, stem, "cmpswap_x2");
        }
    }
    for (int old = 0; old < 2; old++) {
        for (size_t i = 0; i < CONF_COUNT(local); i++) {
            char name[32];
            snprintf(name, sizeof name, local[i].name, old ? "_rtn" : "");
            if (old || strncmp(name, "wrxchg", 6)) {
                memory_add(l, (memory_case){.space = LDS, .kind = old ? ATOMIC_OLD : ATOMIC, .bytes = local[i].bytes, .combine = local[i].combine,
                                            .floats = local[i].floats}, "ds_", name);
            }
        }
        memory_add(l, (memory_case){.space = LDS, .kind = old ? SWAP_IF_OLD : SWAP_IF, .bytes = 4}, "ds_cmpst", old ? "_rtn_b32" : "_b32");
        memory_add(l, (memory_case){.space = LDS, .kind = old ? SWAP_IF_OLD : SWAP_IF, .bytes = 8}, "ds_cmpst", old ? "_rtn_b64" : "_b64");
    }
}

/* ---- texts: destination v64, address v16, data v32, second data v40 ---- */

static const char *memory_registers(char text[32], char kind, int reg, int words) {
    snprintf(text, 32, words > 1 ? "%c[%d:%d]" : "%c%d", kind, reg, reg + words - 1);
    return text;
}
static bool memory_returns(const memory_case *c) { return c->kind == LOAD || c->kind == ATOMIC_OLD || c->kind == SWAP_IF_OLD || c->kind == READ2; }
static void memory_write(fsattn_text *text, const memory_case *c) {
    char to[32], from[32], second[32];
    const int words = (c->bytes + 3) / 4;
    const bool wide = c->space == GLOBAL || c->space == FLAT || c->space == FLAT_LDS, compare = c->kind == SWAP_IF || c->kind == SWAP_IF_OLD;
    const bool data = c->kind != LOAD && c->kind != TO_LDS && c->kind != READ2;
    memory_registers(to, 'v', 64, c->kind == READ2 ? 2 * words : words);
    memory_registers(from, 'v', 32, compare && c->space != LDS ? 2 * words : words);
    memory_registers(second, 'v', 40, words);
    if (c->space == S_LOAD) {
        fsattn_text_printf(text, "%s %s, s[%d:%d], 0x20\n", c->mnemonic, memory_registers(to, 's', 64, words), memory_base, memory_base + 1);
        return;
    }
    if (c->space == S_BUFFER) {
        fsattn_text_printf(text, "%s %s, s[%d:%d], 0x20\n", c->mnemonic, memory_registers(to, 's', 64, words), memory_resource, memory_resource + 3);
        return;
    }
    fsattn_text_printf(text, "%s ", c->mnemonic);
    if (c->space == BUFFER) {
        fsattn_text_printf(text, "%s, v16, s[%d:%d], s%d offen offset:24\n", c->kind == LOAD ? to : from, memory_resource, memory_resource + 3, memory_soffset);
        return;
    }
    fsattn_text_printf(text, "%s%s%s", memory_returns(c) ? to : "", memory_returns(c) ? ", " : "", wide ? "v[16:17]" : "v16");
    fsattn_text_printf(text, "%s%s", data ? ", " : "", data ? from : "");
    if ((compare && c->space == LDS) || c->kind == WRITE2) {
        fsattn_text_printf(text, ", %s", second);
    }
    if (c->space == GLOBAL_BASE) {
        fsattn_text_printf(text, ", s[%d:%d]", memory_base, memory_base + 1);
    } else if (c->space == GLOBAL || c->space == SCRATCH) {
        fsattn_text_puts(text, ", off");
    }
    fsattn_text_puts(text, c->kind == READ2 || c->kind == WRITE2 ? " offset0:1 offset1:3" : c->space == GLOBAL_BASE ? " offset:-16" : " offset:24");
    fsattn_text_puts(text, (c->kind == ATOMIC_OLD || c->kind == SWAP_IF_OLD) && c->space != LDS ? " sc0\n" : "\n");
}

/* ---- running ---- */

/* Where lane i's element is, in the memory of its space, and what its registers say. */
static uint32_t memory_place(const memory_case *c, int lane) {
    if (c->unit >= 256) { /* no lane's second element on another's first */
        return 64 + (uint32_t)(lane * c->bytes);
    }
    const bool shared = c->combine || c->kind == SWAP_IF || c->kind == SWAP_IF_OLD; /* several lanes on one place */
    const uint32_t slot = (uint32_t)(shared ? lane % 11 : lane * 37 % 64);
    if (c->unit >= 256) { /* no lane's second element on another's first */
        return 64 + (uint32_t)(lane * c->bytes);
    }
    return c->space == SCRATCH ? 64 + (uint32_t)(lane % 4) * 16 : 512 + slot * memory_slot;
}
static unsigned char *memory_of(const memory_case *c, int lane) {
    return c->space == SCRATCH ? memory_lanes + lane * memory_scratch : c->space == LDS || c->space == FLAT_LDS ? memory_local : memory_block;
}
static void memory_registers_load(const memory_case *c, uint32_t *seed, uint64_t data[64][4]) {
    sim_wave *w = conf_wave;
    const uint64_t block = (uintptr_t)memory_block;
    for (int i = 0; i < 64; i++) {
        const uint32_t place = memory_place(c, i);
        uint64_t address = place - 24;
        if (c->space == GLOBAL || c->space == FLAT) {
            address += block;
        } else if (c->space == FLAT_LDS) {
            address |= (uint64_t)SIM_SHARED_APERTURE << 32;
        } else if (c->space == GLOBAL_BASE) {
            address = place + 16;
        } else if (c->space == BUFFER) {
            address -= 8; /* soffset */
        } else if (c->kind == READ2 || c->kind == WRITE2) {
            address = place;
        }
        w->v[16][i] = (uint32_t)address;
        w->v[17][i] = (uint32_t)(address >> 32);
        for (int k = 0; k < 4; k++) {
            const bool small = sim_device_random(seed) % 2;
            data[i][k] = c->floats == 'B' ? (conf_from_f(sim_device_uniform(seed)) >> 16) | (conf_from_f(sim_device_uniform(seed)) & 0xffff0000)
                         : c->floats      ? conf_random(c->floats, seed)
                                          : (uint64_t)conf_word(seed) << 32 | (small ? sim_device_random(seed) % 32 : conf_word(seed));
        }
        if (c->floats == 'f' || c->floats == 'd' || c->floats == 'p') { /* moderate */
            data[i][0] = c->floats == 'd' ? conf_from_d((double)sim_device_uniform(seed) * 100)
                         : c->floats == 'f' ? conf_from_f(sim_device_uniform(seed) * 100)
                                            : conf_from_h((double)sim_device_uniform(seed)) | conf_from_h((double)sim_device_uniform(seed)) << 16;
        }
        for (int k = 0; k < 4; k++) {
            w->v[32 + k][i] = (uint32_t)(data[i][k / 2] >> 32 * (k % 2));
            w->v[40 + k][i] = (uint32_t)(data[i][2 + k / 2] >> 32 * (k % 2));
            w->v[64 + k][i] = 0xdead0000u + (uint32_t)k;
        }
    }
    w->s[memory_base] = (uint32_t)(block + (c->space == S_LOAD ? 512 : 0));
    w->s[memory_base + 1] = (uint32_t)((block + (c->space == S_LOAD ? 512 : 0)) >> 32);
    w->s[memory_resource] = (uint32_t)block;
    w->s[memory_resource + 1] = (uint32_t)(block >> 32);
    w->s[memory_resource + 2] = memory_bytes;
    w->s[memory_resource + 3] = 0x27000;
    w->s[memory_soffset] = 8;
    w->s[sim_m0] = 1024;
    w->last = (sim_allocation){0};
    w->stop = SIM_RUNNING;
    w->fault[0] = '\0';
}
static void memory_fill(const memory_case *c, uint32_t *seed) {
    for (int i = 0; i < memory_bytes; i++) {
        memory_block[i] = (unsigned char)sim_device_random(seed);
        memory_local[i] = (unsigned char)sim_device_random(seed);
    }
    for (size_t i = 0; i < sizeof memory_lanes; i++) {
        memory_lanes[i] = (unsigned char)sim_device_random(seed);
    }
    for (int i = 0; i < 64 && c->floats; i++) {
        const uint64_t value = c->floats == 'd'   ? conf_from_d((double)i + 0.25)
                               : c->floats == 'f' ? conf_from_f((float)i - 5.5f)
                               : c->floats == 'p' ? conf_from_h((double)i) | conf_from_h(-2.5) << 16
                                                  : 0x40403f80;
        memcpy(memory_of(c, i) + memory_place(c, i), &value, (size_t)c->bytes);
    }
}
static void memory_complain(const sim_instruction *in, int lane, const char *what) {
    conf_failures++;
    cr_expect_fail("%s: lane %d: %s", in->text, lane, what);
}
static uint32_t memory_loaded(const memory_case *c, const unsigned char *from, int word, uint32_t old) {
    uint32_t raw = 0;
    memcpy(&raw, from + 4 * word, c->bytes < 4 ? (size_t)c->bytes : 4);
    const uint32_t sign = c->bytes == 1 && (raw & 0x80) ? 0xffffff00 : c->bytes == 2 && (raw & 0x8000) ? 0xffff0000 : 0;
    switch (c->part) {
    case 's': return raw | sign;
    case 'l': return (old & 0xffff0000) | raw;
    case 'L': return (old & 0xffff0000) | ((raw | sign) & 0xffff);
    case 'h': return (old & 0xffff) | raw << 16;
    case 'H': return (old & 0xffff) | (raw | sign) << 16;
    default: return raw;
    }
}
/* A load's registers, and memory as it should be after everything else; `expected` is a copy of the lane's memory from before. */
static bool memory_lane(const memory_case *c, int lane, const uint64_t data[4], unsigned char *expected, uint32_t old[4], int *returned) {
    unsigned char *at = expected + memory_place(c, lane);
    uint64_t before = 0, after;
    *returned = memory_returns(c) ? (c->bytes + 3) / 4 : 0;
    switch (c->kind) {
    case LOAD:
        for (int k = 0; k < *returned; k++) old[k] = memory_loaded(c, at, k, 0xdead0000u + (uint32_t)k);
        return true;
    case STORE: {
        const uint64_t shifted[2] = {c->part == 'h' ? data[0] >> 16 : data[0], data[1]};
        memcpy(at, shifted, (size_t)c->bytes);
        return true;
    }
    case READ2:
        *returned *= 2;
        memcpy(old, at + c->unit, (size_t)c->bytes);
        memcpy((char *)old + c->bytes, at + 3 * c->unit, (size_t)c->bytes);
        return true;
    case WRITE2:
        memcpy(at + c->unit, &data[0], (size_t)c->bytes);
        memcpy(at + 3 * c->unit, &data[2], (size_t)c->bytes);
        return true;
    default: break;
    }
    memcpy(&before, at, (size_t)c->bytes);
    const uint64_t mask = c->bytes == 8 ? UINT64_MAX : UINT32_MAX;
    if (c->kind == SWAP_IF || c->kind == SWAP_IF_OLD) { /* LDS: expected value, then the new one; elsewhere new, expected */
        const uint64_t wanted = (c->space == LDS ? data[0] : c->bytes == 8 ? data[1] : data[0] >> 32) & mask;
        const uint64_t fresh = (c->space == LDS ? data[2] : data[0]) & mask;
        after = before == wanted ? fresh : before;
    } else {
        after = c->combine(before, data[0] & mask) & mask;
    }
    memcpy(at, &after, (size_t)c->bytes);
    memcpy(old, &before, 8);
    return true;
}
static void memory_run(const void *of, int variant, const sim_instruction *in) {
    const memory_case *c = of;
    sim_wave *w = conf_wave;
    uint32_t seed = 77 + (uint32_t)variant;
    static uint64_t data[64][4];
    static unsigned char scratch[64 * memory_scratch];
    for (int round = 0; round < 4; round++) {
        const uint64_t exec = round % 2 ? 0x7123456789abcdefu : UINT64_MAX;
        memory_fill(c, &seed);
        memory_registers_load(c, &seed, data);
        if (c->kind == SWAP_IF || c->kind == SWAP_IF_OLD) { /* some lanes expect what is there */
            for (int i = 0; i < 64; i += 2) {
                uint64_t there = 0;
                memcpy(&there, memory_of(c, i) + memory_place(c, i), (size_t)c->bytes);
                const int word = c->space == LDS ? 0 : c->bytes / 4;
                for (int k = 0; k < c->bytes / 4; k++) w->v[32 + word + k][i] = (uint32_t)(there >> 32 * k);
                data[i][0] = (uint64_t)w->v[33][i] << 32 | w->v[32][i];
                data[i][1] = (uint64_t)w->v[35][i] << 32 | w->v[34][i];
            }
        }
        w->s64[sim_exec / 2] = exec;
        const bool local = memory_of(c, 0) == memory_local;
        memcpy(memory_expected, local || c->kind == TO_LDS ? memory_local : memory_block, memory_bytes);
        memcpy(scratch, memory_lanes, sizeof scratch);
        in->run(w, in);
        if (w->stop == SIM_FAULTED) {
            memory_complain(in, -1, w->fault);
            return;
        }
        if (c->space == S_LOAD || c->space == S_BUFFER) {
            if (memcmp(&w->s[64], memory_block + (c->space == S_LOAD ? 512 + 32 : 32), (size_t)c->bytes)) memory_complain(in, -1, "other words");
            continue;
        }
        for (int i = 0; i < 64; i++) {
            uint32_t old[4];
            int returned = 0;
            if (!(exec >> i & 1)) {
                if (w->v[64][i] != 0xdead0000u) memory_complain(in, i, "an inactive lane changed");
                continue;
            }
            if (c->kind == TO_LDS) { /* M0 + offset + lane * size */
                memcpy(memory_expected + 1024 + 24 + i * c->bytes, memory_block + memory_place(c, i), (size_t)c->bytes);
                continue;
            }
            memory_lane(c, i, data[i], c->space == SCRATCH ? scratch + i * memory_scratch : memory_expected, old, &returned);
            for (int k = 0; k < returned; k++) {
                if (w->v[64 + k][i] != old[k]) {
                    memory_complain(in, i, "another value came back");
                    return;
                }
            }
        }
        if (memcmp(memory_expected, local || c->kind == TO_LDS ? memory_local : memory_block, memory_bytes) || memcmp(scratch, memory_lanes, sizeof scratch)) {
            memory_complain(in, -1, "memory is not as it should be");
            return;
        }
    }
}

#endif
