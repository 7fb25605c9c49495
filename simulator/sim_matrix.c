/* Matrix instructions: ISA manual, chapter 7 and section 12.9.
 *
 * Lane maps: row of A (column of B) is the lane modulo M; a lane's elements are consecutive in k, except that FP8 in the f8f6f4
 * instructions, and B of the sparse ones with 8 registers, comes in two runs of 16 bytes. C and D: column is the lane modulo M, registers hold groups of four rows. EXEC is ignored
 * and subnormal numbers are kept. Products and sums are in double in the order of k and are rounded once, with C added
 * last: hardware's order of summation is not published, so results agree with it within rounding, not bit by bit. */
#include "sim_rows.h"

#include "formats.h"

#define O(k) (&in->operands[k])

enum { m_max = 32, k_max = 128, cells_max = 2048 /* M * K at most */ };

typedef enum element { E4M3, E5M2, E2M3, E3M2, E2M1, BF16, F16, F32, I8, F64 } element;
static const struct {
    uint8_t bits;
    int8_t format; /* -1: by hand */
} elements[] = {
    [E4M3] = {8, FSATTN_FORMAT_E4M3}, [E5M2] = {8, FSATTN_FORMAT_E5M2}, [E2M3] = {6, FSATTN_FORMAT_E2M3},
    [E3M2] = {6, FSATTN_FORMAT_E3M2}, [E2M1] = {4, FSATTN_FORMAT_E2M1}, [BF16] = {16, -1},
    [F16] = {16, -1},                 [F32] = {32, -1},                 [I8] = {8, -1},
    [F64] = {64, -1},
};

static double decode(element kind, uint32_t code) {
    switch (kind) {
    case BF16: return (double)sim_f32(code << 16);
    case F16: return (double)sim_half_to_f32(code);
    case F32: return (double)sim_f32(code);
    case I8: return (double)(int8_t)code;
    default: return fsattn_format_decode((fsattn_format)elements[kind].format, code);
    }
}
/* Values of all codes of a format of at most 8 bits. */
static void make_table(element kind, double table[256]) {
    for (uint32_t code = 0; code < 1u << elements[kind].bits; code++) {
        table[code] = decode(kind, code);
    }
}

/* Element number `n` of the dense bit string that a lane's registers are. */
static uint32_t code_at(const sim_wave *w, const sim_operand *o, int lane, unsigned n, unsigned bits) {
    const unsigned bit = n * bits, word = bit / 32, shift = bit % 32;
    if (o->kind != SIM_OPERAND_VGPR) {
        return (uint32_t)o->value;
    }
    uint64_t both = w->v[o->reg + word][lane];
    if (shift + bits > 32) {
        both |= (uint64_t)w->v[o->reg + word + 1][lane] << 32;
    }
    return (uint32_t)(both >> shift & ((UINT64_C(1) << bits) - 1));
}

typedef struct shape {
    int m, k;
    element a, b;
    bool two_runs; /* of 16 bytes each, of elements of 8 and 16 bits */
    bool integer;  /* C and D */
    int blocks;    /* that are multiplied beside each other; 0: one, in single precision */
} shape;

static double scale_of(uint8_t code) {
    const int *choice = sim_facts_get()->choice;
    if (code == 0 && choice[FSATTN_FACT_matrix_scale_0]) {
        return 0;
    }
    return code == 255 && choice[FSATTN_FACT_matrix_scale_255] ? 0x1p128 : fsattn_e8m0_decode(code);
}

/* Unpacks A or B into [k][row] with the E8M0 scales (NULL: 1) of each row and block of 32. */
static void unpack(const sim_wave *w, const sim_operand *o, const shape *s, element kind, const uint8_t *scales, double *out) {
    const int groups = sim_lanes / s->m, per_lane = s->k / groups, bits = elements[kind].bits;
    const bool two_runs = s->two_runs && (bits == 8 || bits == 16);
    const int run = 128 / bits;
    double table[256];
    if (bits <= 8) {
        make_table(kind, table);
    }
    SIM_EACH_LANE(lane) {
        const int row = lane % s->m, group = lane / s->m;
        for (int n = 0; n < per_lane; n++) {
            const int k = two_runs ? run * (group + groups * (n / run)) + n % run : group * per_lane + n;
            const uint32_t code = code_at(w, o, lane, (unsigned)n, (unsigned)bits);
            const double value = bits <= 8 ? table[code] : decode(kind, code);
            out[k * s->m + row] = scales ? value * scale_of(scales[row + s->m * (k / 32)]) : value;
        }
    }
}

/* sum[row][column] of a[k][row] * b[k][column]. */
static void multiply(int m, int k_count, const double *restrict a, const double *restrict b, double *restrict sum) {
    memset(sum, 0, sizeof *sum * (size_t)(m * m));
    for (int row = 0; row < m; row++) {
        double *restrict to = sum + row * m;
        for (int k = 0; k < k_count; k++) {
            const double x = a[k * m + row];
            const double *restrict y = b + k * m;
            for (int column = 0; column < m; column++) {
                to[column] += x * y[column];
            }
        }
    }
}

static int row_of(const shape *s, int lane, int r) {
    return s->m == 32 ? 8 * (r >> 2) + 4 * (lane >> 5) + (r & 3) : 4 * (lane >> 4) + r;
}

static uint32_t rounded(double sum) {
    const uint32_t bits = sim_u32((float)sum);
    return sim_facts_get()->choice[FSATTN_FACT_matrix_subnormals] && !(bits & 0x7f800000) ? bits & 0x80000000 : bits;
}

/* D = sum + C. */
static void finish(sim_wave *w, const sim_instruction *in, const shape *s, const sim_operand *c, const double *sum) {
    const int registers = s->m * s->m / sim_lanes;
    for (int r = 0; r < registers; r++) {
        uint32_t from[sim_lanes], *to = w->v[O(0)->reg + (unsigned)r];
        sim_read_word(w, c, c->kind == SIM_OPERAND_VGPR ? (unsigned)r : 0, from);
        SIM_EACH_LANE(lane) {
            const double product = sum[row_of(s, lane, r) * s->m + lane % s->m];
            to[lane] = s->integer ? (uint32_t)(from[lane] + (uint64_t)(int64_t)product)
                                  : rounded((double)sim_f32(from[lane]) + product);
        }
    }
}

static void multiply_add(sim_wave *w, const sim_instruction *in, const shape *s, const uint8_t *scales_a, const uint8_t *scales_b) {
    double a[cells_max], b[cells_max], sum[m_max * m_max];
    unpack(w, O(1), s, s->a, scales_a, a);
    unpack(w, O(2), s, s->b, scales_b, b);
    multiply(s->m, s->k, a, b, sum);
    finish(w, in, s, O(3), sum);
}

/* ---- several blocks, double precision, broadcasts: chapter 7.1.4 and 7.1.6 as they stand ------------------- */

enum { words_max = 32 /* of C and D */ };

static double item_at(const sim_wave *w, const sim_operand *o, int lane, unsigned n, element kind) {
    if (kind != F64) {
        return decode(kind, code_at(w, o, lane, n, elements[kind].bits));
    }
    const uint32_t *low = w->v[o->reg + 2 * n], *high = w->v[o->reg + 2 * n + 1];
    return sim_f64(o->kind == SIM_OPERAND_VGPR ? (uint64_t)high[lane] << 32 | low[lane] : sim_scalar64(w, o));
}
/* The lane whose B is taken in place of a lane's. */
static int permuted(unsigned blgp, int lane) {
    return blgp == 0 ? lane : blgp < 3 ? lane % 32 + 32 * ((int)blgp - 1) : blgp == 3 ? (lane + 16) % 64 : lane % 16 + 16 * ((int)blgp - 4);
}
/* Sum of the products of a row and a column, with C: doubles as a chain of multiply-adds, all others as `finish` has it. */
static void put_cell(sim_wave *w, const sim_instruction *in, const shape *s, int lane, unsigned item, const double *a, const double *b,
                     uint32_t out[words_max][sim_lanes]) {
    double c = 0, sum = 0;
    uint32_t start[sim_lanes] = {0};
    if (s->a == F64) {
        c = item_at(w, O(3), lane, item, F64);
        for (int k = 0; k < s->k; k++) {
            c = __builtin_fma(a[k], b[k], c);
        }
        const uint64_t bits = sim_u64(c);
        out[2 * item][lane] = (uint32_t)bits;
        out[2 * item + 1][lane] = (uint32_t)(bits >> 32);
        return;
    }
    for (int k = 0; k < s->k; k++) {
        sum += a[k] * b[k];
    }
    sim_read_word(w, O(3), O(3)->kind == SIM_OPERAND_VGPR ? item : 0, start);
    out[item][lane] = s->integer ? (uint32_t)(start[lane] + (uint64_t)(int64_t)sum) : rounded((double)sim_f32(start[lane]) + sum);
}
static void run_blocks(sim_wave *w, const sim_instruction *in, const shape *s) {
    const int m = s->m, blocks = s->blocks ? s->blocks : 1, height = s->a == F64 ? 1 : 4, of_lane = s->k * m * blocks / sim_lanes;
    const int cells = m * m / height, block_items = cells < sim_lanes ? sim_lanes / cells : 1, rows = sim_lanes / block_items / m;
    const int groups = m / (height * rows), source_lanes = sim_lanes >> in->m.cbsz;
    uint32_t out[words_max][sim_lanes];
    if (1 << in->m.cbsz > blocks || in->m.abid >> in->m.cbsz) {
        sim_fault(w, in, -1, "cbsz %d and abid %d name no block of %d", in->m.cbsz, in->m.abid, blocks);
        return;
    }
    for (int cell = 0; cell < blocks * m * m; cell++) {
        const int block = cell / (m * m), i = cell / m % m, j = cell % m;
        double a[k_max], b[k_max];
        for (int k = 0; k < s->k; k++) {
            const int group = m * (block + blocks * (k / of_lane));
            const int from = in->m.cbsz ? (i + group) % source_lanes + source_lanes * in->m.abid : i + group;
            a[k] = item_at(w, O(1), from, (unsigned)(k % of_lane), s->a);
            b[k] = item_at(w, O(2), permuted(in->m.blgp, j + group), (unsigned)(k % of_lane), s->b);
        }
        const int item = i % height + height * (i / (height * rows) + groups * (block / block_items));
        put_cell(w, in, s, j + m * (i / height % rows + rows * (block % block_items)), (unsigned)item, a, b, out);
    }
    for (unsigned r = 0; r < O(0)->count; r++) {
        memcpy(w->v[O(0)->reg + r], out[r], sizeof out[r]);
    }
}

static void run_plain(sim_wave *w, const sim_instruction *in, const shape *s) {
    if (s->blocks || in->m.cbsz || in->m.abid || in->m.blgp) {
        run_blocks(w, in, s);
    } else {
        multiply_add(w, in, s, NULL, NULL);
    }
}

/* ---- f8f6f4: formats by cbsz and blgp ------------------------------------------------------------------ */

/* Byte of each lane's scale operand, as [row + M * block]: lane L scales row L % M, block L / M. */
static void take_scales(const sim_wave *w, const sim_operand *o, unsigned byte, uint8_t scales[sim_lanes]) {
    SIM_EACH_LANE(lane) {
        const uint32_t word = o->kind == SIM_OPERAND_VGPR ? w->v[o->reg][lane] : sim_scalar32(w, o);
        scales[lane] = (uint8_t)(word >> 8 * byte);
    }
}
static void run_f8f6f4(sim_wave *w, const sim_instruction *in, int m, int k, bool scaled) {
    shape s = {m, k, (element)in->m.cbsz, (element)in->m.blgp, true, false, 0};
    uint8_t scales[2][sim_lanes];
    if (s.a > E2M1 || s.b > E2M1) {
        sim_fault(w, in, -1, "cbsz %d or blgp %d names no format", in->m.cbsz, in->m.blgp);
        return;
    }
    const element kinds[] = {s.a, s.b};
    for (int i = 0; i < 2; i++) {
        if (O(1 + i)->kind == SIM_OPERAND_VGPR && O(1 + i)->count != elements[kinds[i]].bits) {
            sim_fault(w, in, -1, "operand of %d registers, its format takes %d", O(1 + i)->count, elements[kinds[i]].bits);
            return;
        }
        if (scaled) {
            const unsigned byte = (in->m.op_sel >> i & 1u) | (in->m.op_sel_hi >> i & 1u) << 1;
            take_scales(w, O(4 + i), byte, scales[i]);
        }
    }
    multiply_add(w, in, &s, scaled ? scales[0] : NULL, scaled ? scales[1] : NULL);
}

/* ---- 2:4 sparse A -------------------------------------------------------------------------------------- */

/* A's elements are pairs of each four consecutive k; two bits of the index register say which. It holds several sets of them where there is
 * room: abid picks one, the first when cbsz is not 0. C is D. Section 7.5. */
static void run_sparse(sim_wave *w, const sim_instruction *in, const shape *s) {
    double a[cells_max] = {0}, b[cells_max], sum[m_max * m_max];
    const int groups = sim_lanes / s->m, dense = s->k / groups, bits = elements[s->a].bits;
    const int sets = 32 / dense, set = in->m.cbsz ? 0 : in->m.abid % sets; /* an index takes as many bits as there are dense elements */
    SIM_EACH_LANE(lane) {
        const int row = lane % s->m, group = lane / s->m;
        const uint32_t index = w->v[O(3)->reg][lane] >> set * dense;
        for (int n = 0; n < dense / 2; n++) {
            const int k = group * dense + 4 * (n / 2) + (int)(index >> 2 * n & 3);
            a[k * s->m + row] = decode(s->a, code_at(w, O(1), lane, (unsigned)n, (unsigned)bits));
        }
    }
    unpack(w, O(2), s, s->b, NULL, b);
    multiply(s->m, s->k, a, b, sum);
    finish(w, in, s, O(0), sum);
}

/* X(name, M, K, A, B, registers of A and B) */
#define FLOAT_LIST(X)                                                                                        \
    X(v_mfma_f32_32x32x16_bf16, 32, 16, BF16, BF16, 4)                                                       \
    X(v_mfma_f32_16x16x32_bf16, 16, 32, BF16, BF16, 4)                                                       \
    X(v_mfma_f32_32x32x8_bf16, 32, 8, BF16, BF16, 2)                                                         \
    X(v_mfma_f32_16x16x16_bf16, 16, 16, BF16, BF16, 2)                                                       \
    X(v_mfma_f32_32x32x16_f16, 32, 16, F16, F16, 4)                                                          \
    X(v_mfma_f32_16x16x32_f16, 16, 32, F16, F16, 4)                                                          \
    X(v_mfma_f32_32x32x8_f16, 32, 8, F16, F16, 2)                                                            \
    X(v_mfma_f32_16x16x16_f16, 16, 16, F16, F16, 2)                                                          \
    X(v_mfma_f32_32x32x2_f32, 32, 2, F32, F32, 1)                                                            \
    X(v_mfma_f32_16x16x4_f32, 16, 4, F32, F32, 1)                                                            \
    X(v_mfma_f32_32x32x16_fp8_fp8, 32, 16, E4M3, E4M3, 2)                                                    \
    X(v_mfma_f32_32x32x16_fp8_bf8, 32, 16, E4M3, E5M2, 2)                                                    \
    X(v_mfma_f32_32x32x16_bf8_fp8, 32, 16, E5M2, E4M3, 2)                                                    \
    X(v_mfma_f32_32x32x16_bf8_bf8, 32, 16, E5M2, E5M2, 2)                                                    \
    X(v_mfma_f32_16x16x32_fp8_fp8, 16, 32, E4M3, E4M3, 2)                                                    \
    X(v_mfma_f32_16x16x32_fp8_bf8, 16, 32, E4M3, E5M2, 2)                                                    \
    X(v_mfma_f32_16x16x32_bf8_fp8, 16, 32, E5M2, E4M3, 2)                                                    \
    X(v_mfma_f32_16x16x32_bf8_bf8, 16, 32, E5M2, E5M2, 2)
#define INTEGER_LIST(X)                                                                                      \
    X(v_mfma_i32_32x32x32_i8, 32, 32, I8, I8, 4)                                                             \
    X(v_mfma_i32_16x16x64_i8, 16, 64, I8, I8, 4)                                                             \
    X(v_mfma_i32_32x32x16_i8, 32, 16, I8, I8, 2)                                                             \
    X(v_mfma_i32_16x16x32_i8, 16, 32, I8, I8, 2)
#define X(name, m, k, a, b, width)                                                                           \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        run_plain(w, in, &(shape){m, k, a, b, false, false, 0});                                             \
    }
FLOAT_LIST(X)
#undef X
#define X(name, m, k, a, b, width)                                                                           \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        run_plain(w, in, &(shape){m, k, a, b, false, true, 0});                                              \
    }
INTEGER_LIST(X)
#undef X
/* X(name, M, K, blocks, element, integer, pattern) */
#define BLOCK_LIST(X)                                                                                        \
    X(v_mfma_f32_32x32x1_2b_f32, 32, 1, 2, F32, false, "Db32 vb1 vb1 xf32")                                  \
    X(v_mfma_f32_16x16x1_4b_f32, 16, 1, 4, F32, false, "Db16 vb1 vb1 xf16")                                  \
    X(v_mfma_f32_4x4x1_16b_f32, 4, 1, 16, F32, false, "Db4 vb1 vb1 xf4")                                     \
    X(v_mfma_f32_32x32x4_2b_f16, 32, 4, 2, F16, false, "Db32 vb2 vb2 xf32")                                  \
    X(v_mfma_f32_16x16x4_4b_f16, 16, 4, 4, F16, false, "Db16 vb2 vb2 xf16")                                  \
    X(v_mfma_f32_4x4x4_16b_f16, 4, 4, 16, F16, false, "Db4 vb2 vb2 xf4")                                     \
    X(v_mfma_f32_32x32x4_2b_bf16, 32, 4, 2, BF16, false, "Db32 vb2 vb2 xf32")                                \
    X(v_mfma_f32_16x16x4_4b_bf16, 16, 4, 4, BF16, false, "Db16 vb2 vb2 xf16")                                \
    X(v_mfma_f32_4x4x4_16b_bf16, 4, 4, 16, BF16, false, "Db4 vb2 vb2 xf4")                                   \
    X(v_mfma_i32_32x32x4_2b_i8, 32, 4, 2, I8, true, "Db32 vb1 vb1 xf32")                                     \
    X(v_mfma_i32_16x16x4_4b_i8, 16, 4, 4, I8, true, "Db16 vb1 vb1 xf16")                                     \
    X(v_mfma_i32_4x4x4_16b_i8, 4, 4, 16, I8, true, "Db4 vb1 vb1 xf4")                                        \
    X(v_mfma_f64_16x16x4_f64, 16, 4, 1, F64, false, "Db8 vb2 vb2 xd8")                                       \
    X(v_mfma_f64_4x4x4_4b_f64, 4, 4, 4, F64, false, "Db2 vb2 vb2 xd2")
#define X(name, m, k, blocks, kind, integer, pattern)                                                        \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        run_plain(w, in, &(shape){m, k, kind, kind, false, integer, blocks});                                \
    }
BLOCK_LIST(X)
#undef X
/* X(name, M, K, A, B, integer, registers of A, of B) */
#define SPARSE_BYTES_LIST(X, a, b, A, B)                                                                     \
    X(v_smfmac_f32_16x16x128_##a##_##b, 16, 128, A, B, false, 4, 8)                                          \
    X(v_smfmac_f32_32x32x64_##a##_##b, 32, 64, A, B, false, 4, 8)                                            \
    X(v_smfmac_f32_16x16x64_##a##_##b, 16, 64, A, B, false, 2, 4)                                            \
    X(v_smfmac_f32_32x32x32_##a##_##b, 32, 32, A, B, false, 2, 4)
#define SPARSE_LIST(X)                                                                                       \
    SPARSE_BYTES_LIST(X, fp8, fp8, E4M3, E4M3)                                                               \
    SPARSE_BYTES_LIST(X, fp8, bf8, E4M3, E5M2)                                                               \
    SPARSE_BYTES_LIST(X, bf8, fp8, E5M2, E4M3)                                                               \
    SPARSE_BYTES_LIST(X, bf8, bf8, E5M2, E5M2)                                                               \
    X(v_smfmac_f32_16x16x64_f16, 16, 64, F16, F16, false, 4, 8)                                              \
    X(v_smfmac_f32_32x32x32_f16, 32, 32, F16, F16, false, 4, 8)                                              \
    X(v_smfmac_f32_16x16x32_f16, 16, 32, F16, F16, false, 2, 4)                                              \
    X(v_smfmac_f32_32x32x16_f16, 32, 16, F16, F16, false, 2, 4)                                              \
    X(v_smfmac_f32_16x16x64_bf16, 16, 64, BF16, BF16, false, 4, 8)                                           \
    X(v_smfmac_f32_32x32x32_bf16, 32, 32, BF16, BF16, false, 4, 8)                                           \
    X(v_smfmac_f32_16x16x32_bf16, 16, 32, BF16, BF16, false, 2, 4)                                           \
    X(v_smfmac_f32_32x32x16_bf16, 32, 16, BF16, BF16, false, 2, 4)                                           \
    X(v_smfmac_i32_16x16x128_i8, 16, 128, I8, I8, true, 4, 8)                                                \
    X(v_smfmac_i32_32x32x64_i8, 32, 64, I8, I8, true, 4, 8)                                                  \
    X(v_smfmac_i32_16x16x64_i8, 16, 64, I8, I8, true, 2, 4)                                                  \
    X(v_smfmac_i32_32x32x32_i8, 32, 32, I8, I8, true, 2, 4)
#define X(name, m, k, a, b, integer, narrow, wide)                                                           \
    static void run_##name(sim_wave *w, const sim_instruction *in) {                                         \
        run_sparse(w, in, &(shape){m, k, a, b, (wide) == 8, integer, 0});                                    \
    }
SPARSE_LIST(X)
#undef X
static void run_scale_32(sim_wave *w, const sim_instruction *in) { run_f8f6f4(w, in, 32, 64, true); }
static void run_scale_16(sim_wave *w, const sim_instruction *in) { run_f8f6f4(w, in, 16, 128, true); }
static void run_plain_32(sim_wave *w, const sim_instruction *in) { run_f8f6f4(w, in, 32, 64, false); }
static void run_plain_16(sim_wave *w, const sim_instruction *in) { run_f8f6f4(w, in, 16, 128, false); }

static const sim_row rows[] = {
#define X(name, m, k, a, b, width)                                                                           \
    {#name, (m) == 32 ? "Db16 vb" #width " vb" #width " xf16" : "Db4 vb" #width " vb" #width " xf4", run_##name, SIM_ROW_MATRIX},
    FLOAT_LIST(X)
    INTEGER_LIST(X)
#undef X
#define X(name, m, k, a, b, integer, narrow, wide)                                                           \
    {#name, (m) == 32 ? "Mb16 vb" #narrow " vb" #wide " vb1" : "Mb4 vb" #narrow " vb" #wide " vb1", run_##name, SIM_ROW_MATRIX},
    SPARSE_LIST(X)
#undef X
#define X(name, m, k, blocks, kind, integer, pattern) {#name, pattern, run_##name, SIM_ROW_MATRIX},
    BLOCK_LIST(X)
#undef X
    {"v_mfma_scale_f32_32x32x64_f8f6f4", "Db16 vb* vb* xf16 xi xi", run_scale_32, SIM_ROW_MATRIX | SIM_ROW_OP_SEL},
    {"v_mfma_scale_f32_16x16x128_f8f6f4", "Db4 vb* vb* xf4 xi xi", run_scale_16, SIM_ROW_MATRIX | SIM_ROW_OP_SEL},
    {"v_mfma_f32_32x32x64_f8f6f4", "Db16 vb* vb* xf16", run_plain_32, SIM_ROW_MATRIX},
    {"v_mfma_f32_16x16x128_f8f6f4", "Db4 vb* vb* xf4", run_plain_16, SIM_ROW_MATRIX},
};
SIM_DEFINE_TABLE(sim_matrix);
