/* Cases of matrix instructions: ISA manual, chapter 7. Row of A and column of B: lane modulo M; a lane's elements follow each other in k,
 * but bytes of f8f6f4 come in two runs of 16; D: column lane modulo M, registers hold groups of four rows. Inputs are such that sums
 * are exact, so that their order does not matter. */
#ifndef CONFORMANCE_MATRIX_H
#define CONFORMANCE_MATRIX_H

#include "conformance_small.h"

typedef enum matrix_element { MATRIX_FP8, MATRIX_BF8, MATRIX_FP6, MATRIX_BF6, MATRIX_FP4, MATRIX_BF16, MATRIX_F16, MATRIX_F32, MATRIX_I8 } matrix_element;
typedef enum matrix_kind { MATRIX_PLAIN, MATRIX_FORMATS, MATRIX_SCALED, MATRIX_SPARSE } matrix_kind;
typedef struct matrix_case {
    char mnemonic[48];
    int m, k;
    matrix_element a, b;
    matrix_kind kind;
} matrix_case;
enum { matrix_cases_max = 200, matrix_a = 64, matrix_b = 96, matrix_c = 128, matrix_d = 160, matrix_scale = 200 };

static int matrix_bits(matrix_element e) {
    return e <= MATRIX_FP4 ? small_formats[e].bits : e == MATRIX_F32 ? 32 : e == MATRIX_I8 ? 8 : 16;
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
        for (int f = 0; f < 4; f++) {
            matrix_case *c = &cases[n++];
            *c = (matrix_case){.m = m, .k = k, .a = (matrix_element)(f % 2), .b = (matrix_element)(f / 2), .kind = MATRIX_SPARSE};
            snprintf(c->mnemonic, sizeof c->mnemonic, "v_smfmac_f32_%dx%dx%d_%s_%s", m, m, k, small_formats[f % 2].name, small_formats[f / 2].name);
        }
    }
    return n;
}
static int matrix_words(const matrix_case *c, matrix_element e, bool sparse) {
    return matrix_bits(e) * c->k / (64 / c->m) / (sparse ? 2 : 1) / 32;
}
static void matrix_write(fsattn_text *text, const matrix_case *c) {
    char a[32], b[32], from[32], to[32];
    const int cells = c->m * c->m / 64;
    memory_registers(a, 'v', matrix_a, matrix_words(c, c->a, c->kind == MATRIX_SPARSE));
    memory_registers(b, 'v', matrix_b, matrix_words(c, c->b, false));
    memory_registers(from, 'v', matrix_c, cells);
    memory_registers(to, 'v', matrix_d, cells);
    fsattn_text_printf(text, "%s %s, %s, %s", c->mnemonic, to, a, b);
    if (c->kind == MATRIX_SPARSE) {
        fsattn_text_printf(text, ", v%d\n", matrix_scale);
        return;
    }
    fsattn_text_printf(text, ", %s", from);
    if (c->kind == MATRIX_SCALED) {
        fsattn_text_printf(text, ", v%d, v%d op_sel:[1,0,0] op_sel_hi:[0,1,0]", matrix_scale, matrix_scale + 1); /* bytes 1 and 2 */
    }
    if (c->kind == MATRIX_FORMATS || c->kind == MATRIX_SCALED) {
        fsattn_text_printf(text, " cbsz:%d blgp:%d", (int)c->a, (int)c->b);
    }
    fsattn_text_puts(text, "\n");
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
            const bool runs = c->kind != MATRIX_PLAIN && bits == 8 && !sparse;
            const int k = sparse ? group * dense + n / 2 * 4 + (int)(w->v[matrix_scale][lane] >> 2 * n & 3)
                          : runs ? 16 * group + n % 16 + n / 16 * 16 * groups
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
static void matrix_run(const void *of, int variant, const sim_instruction *in) {
    const matrix_case *c = of;
    sim_wave *w = conf_wave;
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
