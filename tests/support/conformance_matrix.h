/* Cases of matrix instructions: ISA manual, chapter 7. Row of A and column of B: lane modulo M; a lane's elements follow each other in k,
 * but bytes of f8f6f4 come in two runs of 16; D: column lane modulo M, registers hold groups of four rows. Inputs are such that sums
 * are exact, so that their order does not matter. */
#ifndef CONFORMANCE_MATRIX_H
#define CONFORMANCE_MATRIX_H

#include "conformance_small.h"

typedef enum matrix_element { MATRIX_FP8, MATRIX_BF8, MATRIX_FP6, MATRIX_BF6, MATRIX_FP4, MATRIX_BF16, MATRIX_F16, MATRIX_F32, MATRIX_I8, MATRIX_F64 } matrix_element;
typedef enum matrix_kind { MATRIX_PLAIN, MATRIX_FORMATS, MATRIX_SCALED, MATRIX_SPARSE, MATRIX_BLOCKS } matrix_kind;
typedef struct matrix_case {
    char mnemonic[48];
    int m, k;
    matrix_element a, b;
    matrix_kind kind;
    int blocks;            /* MATRIX_BLOCKS: 7.1.4's B */
    int cbsz, abid, blgp;  /* broadcasts: 7.1.6 */
} matrix_case;
enum { matrix_cases_max = 300, matrix_a = 64, matrix_b = 96, matrix_c = 128, matrix_d = 160, matrix_scale = 200 };

static int matrix_bits(matrix_element e) {
    return e <= MATRIX_FP4 ? small_formats[e].bits : e == MATRIX_F64 ? 64 : e == MATRIX_F32 ? 32 : e == MATRIX_I8 ? 8 : 16;
}
static double matrix_value(matrix_element e, uint32_t code) {
    return e <= MATRIX_FP4    ? small_decode(&small_formats[e], code)
           : e == MATRIX_BF16 ? (double)conf_f((uint64_t)code << 16)
           : e == MATRIX_F16  ? conf_h(code)
           : e == MATRIX_F32  ? (double)conf_f(code)
                              : (double)(int8_t)code;
}
static uint32_t matrix_code(matrix_element e, uint32_t *seed) {
    const float small = (float)((int)(sim_device_random(seed) % 33) - 16) / 4;
    uint32_t code = sim_device_random(seed) & ((1u << (matrix_bits(e) < 32 ? matrix_bits(e) : 8)) - 1);
    switch (e) {
    case MATRIX_BF16: return ref_bf16(small);
    case MATRIX_F16: return (uint32_t)conf_from_h((double)small);
    case MATRIX_F32: return (uint32_t)conf_from_f(small);
    default: return isfinite(matrix_value(e, code)) ? code : code ^ 0x40;
    }
}
/* Instructions of several blocks, double precision, and broadcasts of each kind. */
static size_t matrix_list_blocks(matrix_case *cases) {
    static const struct {
        const char *name;
        matrix_element e;
        int k; /* of the shapes of several blocks */
    } kinds[] = {{"f32", MATRIX_F32, 1}, {"f16", MATRIX_F16, 4}, {"bf16", MATRIX_BF16, 4}, {"i8", MATRIX_I8, 4}};
    static const matrix_case others[] = {
        {"v_mfma_f64_16x16x4_f64", 16, 4, MATRIX_F64, MATRIX_F64, MATRIX_BLOCKS, 1, 0, 0, 0},
        {"v_mfma_f64_4x4x4_4b_f64", 4, 4, MATRIX_F64, MATRIX_F64, MATRIX_BLOCKS, 4, 0, 0, 0},
        {"v_mfma_f32_16x16x32_bf16", 16, 32, MATRIX_BF16, MATRIX_BF16, MATRIX_BLOCKS, 1, 0, 0, 3},
        {"v_mfma_f32_32x32x8_f16", 32, 8, MATRIX_F16, MATRIX_F16, MATRIX_BLOCKS, 1, 0, 0, 2},
        {"v_mfma_i32_16x16x32_i8", 16, 32, MATRIX_I8, MATRIX_I8, MATRIX_BLOCKS, 1, 0, 0, 6},
    };
    size_t n = 0;
    for (int m = 32, blocks = 2; m >= 4; blocks = m == 32 ? 4 : 16, m = m == 32 ? 16 : m == 16 ? 4 : 0) {
        for (size_t i = 0; i < CONF_COUNT(kinds); i++) {
            for (int cbsz = 0; 1 << cbsz <= blocks; cbsz++) {
                matrix_case *c = &cases[n++];
                *c = (matrix_case){.m = m, .k = kinds[i].k, .a = kinds[i].e, .b = kinds[i].e, .kind = MATRIX_BLOCKS, .blocks = blocks,
                                   .cbsz = cbsz, .abid = (1 << cbsz) - 1, .blgp = (2 * cbsz + (int)i * (cbsz > 0)) % 8};
                snprintf(c->mnemonic, sizeof c->mnemonic, "v_mfma_%s_%dx%dx%d_%db_%s", c->a == MATRIX_I8 ? "i32" : "f32", m, m, c->k, blocks,
                         kinds[i].name);
            }
        }
    }
    memcpy(cases + n, others, sizeof others);
    return n + CONF_COUNT(others);
}
/* Bytes and halves, shapes with B in 8 registers and in 4, every set of indices (7.5), and cbsz, which picks the first. */
static size_t matrix_list_sparse(matrix_case *cases, int m) {
    static const struct {
        const char *name;
        matrix_element a, b;
    } kinds[] = {{"fp8_fp8", MATRIX_FP8, MATRIX_FP8}, {"fp8_bf8", MATRIX_FP8, MATRIX_BF8}, {"bf8_fp8", MATRIX_BF8, MATRIX_FP8},
                 {"bf8_bf8", MATRIX_BF8, MATRIX_BF8}, {"f16", MATRIX_F16, MATRIX_F16},     {"bf16", MATRIX_BF16, MATRIX_BF16},
                 {"i8", MATRIX_I8, MATRIX_I8}};
    size_t n = 0;
    for (size_t i = 0; i < CONF_COUNT(kinds); i++) {
        for (int registers = 8; registers >= 4; registers -= 4) {
            const int k = registers * 32 / matrix_bits(kinds[i].b) * (64 / m), sets = 32 / (registers * 32 / matrix_bits(kinds[i].b));
            for (int set = 0; set <= sets; set++) { /* the last one: with cbsz */
                matrix_case *c = &cases[n++];
                *c = (matrix_case){.m = m, .k = k, .a = kinds[i].a, .b = kinds[i].b, .kind = MATRIX_SPARSE, .cbsz = set == sets,
                                   .abid = set == sets ? sets - 1 : set};
                snprintf(c->mnemonic, sizeof c->mnemonic, "v_smfmac_%s_%dx%dx%d_%s", c->a == MATRIX_I8 ? "i32" : "f32", m, m, k, kinds[i].name);
            }
        }
    }
    return n;
}
static size_t matrix_list(matrix_case *cases) {
    static const struct {
        const char *name;
        int k32, k16;
        matrix_element a, b;
    } plain[] = {{"bf16", 16, 32, MATRIX_BF16, MATRIX_BF16}, {"bf16", 8, 16, MATRIX_BF16, MATRIX_BF16},
                 {"f16", 16, 32, MATRIX_F16, MATRIX_F16},    {"f16", 8, 16, MATRIX_F16, MATRIX_F16},
                 {"f32", 2, 4, MATRIX_F32, MATRIX_F32},      {"i8", 32, 64, MATRIX_I8, MATRIX_I8},
                 {"i8", 16, 32, MATRIX_I8, MATRIX_I8},       {"fp8_fp8", 16, 32, MATRIX_FP8, MATRIX_FP8},
                 {"fp8_bf8", 16, 32, MATRIX_FP8, MATRIX_BF8}, {"bf8_fp8", 16, 32, MATRIX_BF8, MATRIX_FP8},
                 {"bf8_bf8", 16, 32, MATRIX_BF8, MATRIX_BF8}};
    size_t n = 0;
    for (int m = 32; m >= 16; m -= 16) {
        for (size_t i = 0; i < CONF_COUNT(plain); i++) {
            matrix_case *c = &cases[n++];
            const int k = m == 32 ? plain[i].k32 : plain[i].k16;
            *c = (matrix_case){.m = m, .k = k, .a = plain[i].a, .b = plain[i].b};
            snprintf(c->mnemonic, sizeof c->mnemonic, "v_mfma_%s_%dx%dx%d_%s", c->a == MATRIX_I8 ? "i32" : "f32", m, m, k, plain[i].name);
        }
        const int k = m == 32 ? 64 : 128;
        for (int f = 0; f < 50; f++) {
            matrix_case *c = &cases[n++];
            *c = (matrix_case){.m = m, .k = k, .a = (matrix_element)(f % 5), .b = (matrix_element)(f / 5 % 5), .kind = f < 25 ? MATRIX_FORMATS : MATRIX_SCALED};
            snprintf(c->mnemonic, sizeof c->mnemonic, "v_mfma_%sf32_%dx%dx%d_f8f6f4", f < 25 ? "" : "scale_", m, m, k);
        }
        n += matrix_list_sparse(cases + n, m);
    }
    return n + matrix_list_blocks(cases + n);
}
static int matrix_cells(const matrix_case *c) { /* registers of C and D */
    return c->m * c->m * (c->blocks ? c->blocks : 1) * (c->a == MATRIX_F64 ? 2 : 1) / 64;
}
static int matrix_words(const matrix_case *c, matrix_element e, bool sparse) {
    if (c->kind == MATRIX_BLOCKS) {
        return matrix_bits(e) * c->k * c->m * c->blocks / 64 / 32;
    }
    return matrix_bits(e) * c->k / (64 / c->m) / (sparse ? 2 : 1) / 32;
}
static void matrix_write(fsattn_text *text, const matrix_case *c) {
    char a[32], b[32], from[32], to[32];
    const int cells = matrix_cells(c);
    memory_registers(a, 'v', matrix_a, matrix_words(c, c->a, c->kind == MATRIX_SPARSE));
    memory_registers(b, 'v', matrix_b, matrix_words(c, c->b, false));
    memory_registers(from, 'v', matrix_c, cells);
    memory_registers(to, 'v', matrix_d, cells);
    fsattn_text_printf(text, "%s %s, %s, %s", c->mnemonic, to, a, b);
    if (c->kind == MATRIX_SPARSE) {
        fsattn_text_printf(text, ", v%d", matrix_scale);
        if (c->cbsz) {
            fsattn_text_printf(text, " cbsz:%d", c->cbsz);
        }
        if (c->abid) {
            fsattn_text_printf(text, " abid:%d", c->abid);
        }
        fsattn_text_puts(text, "\n");
        return;
    }
    fsattn_text_printf(text, ", %s", from);
    if (c->kind == MATRIX_SCALED) {
        fsattn_text_printf(text, ", v%d, v%d op_sel:[1,0,0] op_sel_hi:[0,1,0]", matrix_scale, matrix_scale + 1); /* bytes 1 and 2 */
    }
    if (c->kind == MATRIX_FORMATS || c->kind == MATRIX_SCALED) {
        fsattn_text_printf(text, " cbsz:%d blgp:%d", (int)c->a, (int)c->b);
    }
    if (c->cbsz) {
        fsattn_text_printf(text, " cbsz:%d abid:%d", c->cbsz, c->abid);
    }
    if (c->blgp) {
        fsattn_text_printf(text, " blgp:%d", c->blgp);
    }
    fsattn_text_puts(text, "\n");
}

/* B of sparse instructions, from the tables of 7.5.1.3: registers v0 - v3 of the rows of 16 lanes, then v4 - v7. */
static int matrix_k_of_b(int m, int bits, int n, int lane) {
    static const int rows_16[2][4] = {{0, 8, 16, 24}, {0, 16, 32, 48}}, rows_32[2][4] = {{0, 0, 8, 8}, {0, 0, 16, 16}};
    static const int later_16[2] = {32, 64}, later_32[2] = {16, 32};
    const int bytes = bits == 8, of_register = 32 / bits, v = n / of_register;
    const int start = m == 16 ? rows_16[bytes][lane / 16] : rows_32[bytes][lane / 16];
    return start + (v >= 4 ? m == 16 ? later_16[bytes] : later_32[bytes] : 0) + v % 4 * of_register + n % of_register;
}
static double matrix_x[32][128], matrix_y[32][128]; /* row or column, k */
static void matrix_operand(const matrix_case *c, matrix_element e, int reg, int scale_reg, int scale_byte, bool sparse, uint32_t *seed, double values[32][128]) {
    sim_wave *w = conf_wave;
    const int groups = 64 / c->m, dense = c->k / groups, count = sparse ? dense / 2 : dense, bits = matrix_bits(e);
    memset(values, 0, sizeof matrix_x);
    for (int lane = 0; lane < 64; lane++) {
        uint32_t words[32] = {0};
        const int row = lane % c->m, group = lane / c->m;
        for (int n = 0; n < count; n++) {
            const uint32_t code = matrix_code(e, seed);
            const bool runs = c->kind != MATRIX_PLAIN && c->kind != MATRIX_SPARSE && bits == 8;
            const int first = c->cbsz ? 0 : c->abid * dense; /* bit of the index register */
            const int k = sparse                     ? group * dense + n / 2 * 4 + (int)(w->v[matrix_scale][lane] >> (first + 2 * n) & 3)
                          : c->kind == MATRIX_SPARSE ? matrix_k_of_b(c->m, bits, n, lane)
                          : runs                     ? 16 * group + n % 16 + n / 16 * 16 * groups
                                                     : group * dense + n;
            for (int b = 0; b < bits; b++) words[(n * bits + b) / 32] |= (code >> b & 1) << (n * bits + b) % 32;
            values[row][k] = matrix_value(e, code);
        }
        for (int k = 0; k < 32; k++) w->v[reg + k][lane] = words[k];
    }
    for (int row = 0; row < c->m && c->kind == MATRIX_SCALED; row++) { /* a scale for each row and 32 of k */
        for (int k = 0; k < c->k; k++) values[row][k] *= ldexp(1, (int)(w->v[scale_reg][row + c->m * (k / 32)] >> 8 * scale_byte & 255) - 127);
    }
}
static double matrix_item(const matrix_case *c, const uint32_t registers[64][32], int lane, int item) {
    if (c->a == MATRIX_F64) {
        return conf_d((uint64_t)registers[lane][2 * item + 1] << 32 | registers[lane][2 * item]);
    }
    const int bits = matrix_bits(c->a);
    return matrix_value(c->a, (uint32_t)((uint64_t)registers[lane][item * bits / 32] >> item * bits % 32 & ((UINT64_C(1) << bits) - 1)));
}
static int matrix_lane_of_b(int blgp, int lane) { /* Table 29 */
    static const int modulo[] = {64, 32, 32, 64, 16, 16, 16, 16}, added[] = {0, 0, 32, 16, 0, 16, 32, 48};
    return (lane % modulo[blgp] + added[blgp]) % 64;
}
/* D[b,i,j] = C[b,i,j] + sum over k of A[b,i,k] B[b,k,j], each where 7.1.4 puts it. */
static void matrix_run_blocks(const matrix_case *c, uint32_t seed, const sim_instruction *in) {
    static uint32_t registers[2][64][32], before[64][64];
    sim_wave *w = conf_wave;
    const int words = matrix_words(c, c->a, false), cells = matrix_cells(c), per_lane = c->k * c->m * c->blocks / 64;
    const bool wide = c->a == MATRIX_F64;
    for (int lane = 0; lane < 64; lane++) {
        for (int side = 0; side < 2; side++) {
            for (int n = 0; n < 32; n++) {
                const int bits = matrix_bits(c->a);
                uint32_t word = 0;
                for (int part = 0; part < (bits < 32 ? 32 / bits : 1); part++) {
                    word |= matrix_code(wide ? MATRIX_F32 : c->a, &seed) << part * bits % 32;
                }
                registers[side][lane][n] = word;
            }
            for (int n = 0; n < 32 && wide; n += 2) {
                const uint64_t bits = conf_from_d((double)conf_f(registers[side][lane][n]));
                registers[side][lane][n] = (uint32_t)bits;
                registers[side][lane][n + 1] = (uint32_t)(bits >> 32);
            }
            for (int n = 0; n < words; n++) w->v[(side ? matrix_b : matrix_a) + n][lane] = registers[side][lane][n];
        }
        for (int r = 0; r < cells; r++) {
            const float start = (float)((int)(sim_device_random(&seed) % 65) - 32);
            const uint64_t bits = wide ? conf_from_d((double)start) >> (r % 2 ? 32 : 0) : c->a == MATRIX_I8 ? conf_word(&seed) : conf_from_f(start);
            before[r][lane] = w->v[matrix_c + r][lane] = (uint32_t)(wide && r % 2 == 0 ? 0 : bits); /* low halves of small doubles are 0 */
        }
    }
    w->s64[sim_exec / 2] = 0x123456789abcdef0u; /* ignored */
    w->stop = SIM_RUNNING;
    w->fault[0] = '\0';
    in->run(w, in);
    const int height = wide ? 1 : 4, b_i = 64 * height / (c->m * c->m) > 1 ? 64 * height / (c->m * c->m) : 1, m_i = 64 / b_i / c->m;
    const int g = c->m / (height * m_i);
    for (int b = 0; b < c->blocks; b++) {
        for (int i = 0; i < c->m; i++) {
            for (int j = 0; j < c->m; j++) {
                double sum = 0;
                for (int k = 0; k < c->k; k++) {
                    const int lane_a = i + c->m * (b + c->blocks * (k / per_lane)), lane_b = j + c->m * (b + c->blocks * (k / per_lane));
                    const int s = 64 >> c->cbsz, from_a = c->cbsz ? lane_a % s + s * c->abid : lane_a;
                    sum += matrix_item(c, registers[0], from_a, k % per_lane) * matrix_item(c, registers[1], matrix_lane_of_b(c->blgp, lane_b), k % per_lane);
                }
                const int item = i % height + height * (i / (height * m_i) + g * (b / b_i)), lane = j + c->m * (i / height % m_i + m_i * (b % b_i));
                const uint32_t old = before[item][lane], got = w->v[matrix_d + item][lane];
                const uint64_t old_wide = wide ? (uint64_t)before[2 * item + 1][lane] << 32 : 0;
                const uint64_t got_wide = wide ? (uint64_t)w->v[matrix_d + 2 * item + 1][lane] << 32 | w->v[matrix_d + 2 * item][lane] : 0;
                const bool right = wide                ? got_wide == conf_from_d(sum + conf_d(old_wide))
                                   : c->a == MATRIX_I8 ? got == old + (uint32_t)(int64_t)sum
                                                       : got == (uint32_t)conf_from_f((float)(sum + (double)conf_f(old)));
                if (!right || w->stop != SIM_RUNNING) {
                    conf_failures++;
                    cr_expect_fail("%s: block %d row %d column %d: %08x %016llx; %s", in->text, b, i, j, got, (unsigned long long)got_wide, w->fault);
                    return;
                }
            }
        }
    }
}
static void matrix_run(const void *of, int variant, const sim_instruction *in) {
    const matrix_case *c = of;
    sim_wave *w = conf_wave;
    if (c->kind == MATRIX_BLOCKS) {
        matrix_run_blocks(c, 77 + (uint32_t)variant, in);
        return;
    }
    uint32_t seed = 21 + (uint32_t)variant;
    const int cells = c->m * c->m / 64;
    const bool integer = c->a == MATRIX_I8;
    for (int i = 0; i < 64; i++) {
        for (int k = 0; k < 2; k++) {
            const uint32_t low = 120 + sim_device_random(&seed) % 12, high = 121 + sim_device_random(&seed) % 12;
            w->v[matrix_scale + k][i] = 0x77000088u | low << 8 | high << 16;
        }
        if (c->kind == MATRIX_SPARSE) { /* two different places of four, ascending */
            static const uint32_t pairs[] = {0x4, 0x8, 0xc, 0x9, 0xd, 0xe};
            uint32_t index = 0;
            for (int n = 0; n < 8; n++) index |= pairs[sim_device_random(&seed) % 6] << 4 * n;
            w->v[matrix_scale][i] = index;
        }
        for (int r = 0; r < 16; r++) {
            const uint32_t start = integer ? conf_word(&seed) : (uint32_t)conf_from_f((float)((int)(sim_device_random(&seed) % 65) - 32));
            w->v[matrix_c + r][i] = w->v[matrix_d + r][i] = start;
        }
    }
    matrix_operand(c, c->a, matrix_a, matrix_scale, 1, c->kind == MATRIX_SPARSE, &seed, matrix_x);
    matrix_operand(c, c->b, matrix_b, matrix_scale + 1, 2, false, &seed, matrix_y);
    w->s64[sim_exec / 2] = 0x123456789abcdef0u; /* ignored */
    w->stop = SIM_RUNNING;
    w->fault[0] = '\0';
    in->run(w, in);
    for (int lane = 0; lane < 64; lane++) {
        for (int r = 0; r < cells; r++) {
            const int column = lane % c->m, row = c->m == 32 ? r / 4 * 8 + lane / 32 * 4 + r % 4 : lane / 16 * 4 + r;
            double sum = 0;
            for (int k = 0; k < c->k; k++) sum += matrix_x[row][k] * matrix_y[column][k];
            const uint32_t before = w->v[matrix_c + r][lane];
            const uint32_t expected = integer ? before + (uint32_t)(int64_t)sum : (uint32_t)conf_from_f((float)(sum + (double)conf_f(before)));
            if (w->v[matrix_d + r][lane] != expected || w->stop != SIM_RUNNING) {
                conf_failures++;
                cr_expect_fail("%s: lane %d register %d: %08x, not %08x; %s", in->text, lane, r, w->v[matrix_d + r][lane], expected, w->fault);
                return;
            }
        }
    }
}

#endif
