/* Matrix instructions and conversions against numerics: tests/data/sim/matrix.hip and quant.hip. */
#include "../support/sim_device.h"

#include "formats.h"
#include "sim_disassemble.h"
#include "text.h"

#include <math.h>

enum { lanes = 64 };

/* ---- scaled products: every value is representable, so that the sum is exact whatever its order --------------- */

typedef struct scaled_case {
    const char *entry;
    int m, k;
    fsattn_format a, b;
} scaled_case;

static int bits_of(fsattn_format format) {
    return fsattn_format_describe(format)->bits;
}
/* Logical k of element n of a lane group: FP8 comes in two runs of 16. */
static int k_of(const scaled_case *c, fsattn_format format, int group, int n) {
    const int groups = lanes / c->m;
    return bits_of(format) == 8 ? 16 * group + n % 16 + 16 * groups * (n / 16) : 32 * group + n;
}
/* A finite code of the format. */
static uint32_t code_of(fsattn_format format, uint32_t *seed) {
    for (;;) {
        const uint32_t code = sim_device_random(seed) & ((1u << bits_of(format)) - 1);
        if (isfinite(fsattn_format_decode(format, code))) {
            return code;
        }
    }
}

typedef struct operand {
    uint8_t registers[lanes][32]; /* as the kernel loads them */
    uint8_t scales[lanes][4];
    double value[32][128];        /* row, k; scaled */
} operand;

static void make_operand(const scaled_case *c, fsattn_format format, int scale_byte, uint32_t *seed, operand *o) {
    memset(o, 0, sizeof *o);
    for (int lane = 0; lane < lanes; lane++) {
        uint8_t codes[32];
        for (int i = 0; i < 4; i++) {
            o->scales[lane][i] = (uint8_t)(117 + sim_device_random(seed) % 20);
        }
        for (int n = 0; n < 32; n++) {
            codes[n] = (uint8_t)code_of(format, seed);
        }
        fsattn_format_pack(format, codes, 32, o->registers[lane]);
        for (int n = 0; n < 32; n++) {
            o->value[lane % c->m][k_of(c, format, lane / c->m, n)] = fsattn_format_decode(format, codes[n]);
        }
    }
    for (int row = 0; row < c->m; row++) {
        for (int k = 0; k < c->k; k++) {
            o->value[row][k] *= fsattn_e8m0_decode(o->scales[row + c->m * (k / 32)][scale_byte]);
        }
    }
}

/* The kernels take these bytes of a lane's scales. */
enum { scale_byte_a = 1, scale_byte_b = 2 };
/* How many cells are not those of the product with these bytes; `where` names the first. */
static int wrong_cells(sim_device *d, const scaled_case *c, int byte_a, int byte_b, char where[120]) {
    int wrong = 0;
    static operand a, b;
    static float acc[lanes][16], out[lanes][16];
    uint32_t seed = (uint32_t)c->m * 7 + c->a * 31u + c->b;
    const int registers = c->m * c->m / lanes;
    make_operand(c, c->a, byte_a, &seed, &a);
    make_operand(c, c->b, byte_b, &seed, &b);
    const size_t bytes = sizeof(float) * (size_t)(lanes * registers);
    float *flat = acc[0];
    for (int i = 0; i < lanes * registers; i++) {
        flat[i] = ldexpf(sim_device_uniform(&seed), 4);
    }
    void *memory[] = {sim_device_put(d, a.registers, sizeof a.registers), sim_device_put(d, b.registers, sizeof b.registers),
                      sim_device_put(d, a.scales, sizeof a.scales), sim_device_put(d, b.scales, sizeof b.scales),
                      sim_device_put(d, flat, bytes)};
    sim_device_run(d, c->entry, 1, lanes, memory);
    sim_device_get(d, out, memory[4], bytes);
    for (int lane = 0; lane < lanes; lane++) {
        for (int r = 0; r < registers; r++) {
            const int row = c->m == 32 ? 8 * (r >> 2) + 4 * (lane >> 5) + (r & 3) : 4 * (lane >> 4) + r, column = lane % c->m;
            double sum = 0;
            for (int k = 0; k < c->k; k++) {
                sum += a.value[row][k] * b.value[column][k];
            }
            const float expected = (float)(sum + (double)flat[lane * registers + r]);
            const float got = ((float *)out)[lane * registers + r];
            if (got != expected && !wrong++) {
                snprintf(where, 120, "%s: lane %d register %d: %g for %g", c->entry, lane, r, (double)got, (double)expected);
            }
        }
    }
    for (int i = 0; i < 5; i++) {
        fsattn_device_release(d->device, memory[i]);
    }
    return wrong;
}
static void check_scaled(sim_device *d, const scaled_case *c) {
    char where[120] = "";
    cr_assert_eq(wrong_cells(d, c, scale_byte_a, scale_byte_b, where), 0, "%s", where);
}

static void check_matrices(sim_device d) {
    static const scaled_case cases[] = {
        {"s32_fp8", 32, 64, FSATTN_FORMAT_E4M3, FSATTN_FORMAT_E4M3}, {"s32_fp6", 32, 64, FSATTN_FORMAT_E2M3, FSATTN_FORMAT_E2M3},
        {"s32_fp4", 32, 64, FSATTN_FORMAT_E2M1, FSATTN_FORMAT_E2M1}, {"s32_fp8_fp6", 32, 64, FSATTN_FORMAT_E4M3, FSATTN_FORMAT_E2M3},
        {"s32_fp6_fp4", 32, 64, FSATTN_FORMAT_E2M3, FSATTN_FORMAT_E2M1}, {"s32_bf8_bf6", 32, 64, FSATTN_FORMAT_E5M2, FSATTN_FORMAT_E3M2},
        {"s16_fp8", 16, 128, FSATTN_FORMAT_E4M3, FSATTN_FORMAT_E4M3}, {"s16_fp6", 16, 128, FSATTN_FORMAT_E2M3, FSATTN_FORMAT_E2M3},
        {"s16_fp4", 16, 128, FSATTN_FORMAT_E2M1, FSATTN_FORMAT_E2M1}, {"s16_fp8_fp4", 16, 128, FSATTN_FORMAT_E4M3, FSATTN_FORMAT_E2M1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check_scaled(&d, &cases[i]);
    }
    sim_device_close(&d);
}
Test(sim_matrix, stored_scaled_products) { check_matrices(sim_device_stored("matrix")); }
Test(sim_matrix, compiled_scaled_products) { check_matrices(sim_device_compiled("matrix")); }

/* Which bytes of the scales a kernel's product is that of; empty when of none. */
static void name_scale_bytes(sim_device *d, const scaled_case *c, fsattn_text *text) {
    char where[120];
    for (int i = 0; i < 16; i++) {
        if (!wrong_cells(d, c, i / 4, i % 4, where)) {
            fsattn_text_printf(text, "byte %d of A's scales, byte %d of B's; ", i / 4, i % 4);
        }
    }
}

/* A planted bug: the instruction takes another byte of A's scales (op_sel). In place of code with that bit changed its disassembly is given. */
Test(sim_matrix, a_wrong_scale_byte_is_found_and_named) {
    static const scaled_case c = {"s32_fp6", 32, 64, FSATTN_FORMAT_E2M3, FSATTN_FORMAT_E2M3};
    static const char right[] = "op_sel:[1,0,0]";
    char folder[] = "/tmp/fsattn-scale.XXXXXX", path[256], key[sim_disassemble_key_bytes], where[120] = "", *code, *text;
    size_t bytes, text_bytes, changed = 0;
    cr_assert_eq(fsattn_file_read(SIM_DATA "/matrix.co", 1 << 20, &code, &bytes, NULL), FSATTN_OK);
    sim_disassemble_key(code, bytes, key);
    snprintf(path, sizeof path, SIM_DATA "/%s.s", key);
    cr_assert_eq(fsattn_file_read(path, 1 << 20, &text, &text_bytes, NULL), FSATTN_OK);
    for (char *at = text; (at = strstr(at, right)); changed++) {
        at[8] = '0';
    }
    cr_assert(changed && mkdtemp(folder));
    snprintf(path, sizeof path, "%s/%s.s", folder, key);
    cr_assert_eq(fsattn_file_publish(path, text, text_bytes, 0644, NULL), FSATTN_OK);
    setenv("FSATTN_SIM_CACHE", folder, 1);
    sim_device d = sim_device_open(code, bytes);
    fsattn_text named = {0};
    const int wrong = wrong_cells(&d, &c, scale_byte_a, scale_byte_b, where);
    name_scale_bytes(&d, &c, &named);
    cr_expect(wrong > 900, "%d of 1024", wrong);
    cr_expect(strstr(where, "s32_fp6: lane 0 register 0: "), "%s", where);
    cr_expect_str_eq(named.data, "byte 0 of A's scales, byte 2 of B's; ", "%s", named.data);
    fsattn_text_fini(&named);
    sim_device_close(&d);
    cr_assert_eq(fsattn_folder_remove(folder, NULL), FSATTN_OK);
    fsattn_free(code);
    fsattn_free(text);
}

/* A product of matrices whose rows lie in memory: small integers, exact in float. */
static void check_gemm(sim_device *d, const char *entry, int m, int k, bool half) {
    static uint16_t a[32 * 64], b[32 * 64];
    static float out[32 * 32];
    static int x[32 * 64], y[32 * 64];
    uint32_t seed = 9;
    for (int i = 0; i < m * k; i++) {
        x[i] = (int)(sim_device_random(&seed) % 17) - 8;
        y[i] = (int)(sim_device_random(&seed) % 17) - 8;
        a[i] = (uint16_t)fsattn_format_encode(half ? FSATTN_FORMAT_F16 : FSATTN_FORMAT_BF16, x[i], FSATTN_OVERFLOW_SPECIAL);
        b[i] = (uint16_t)fsattn_format_encode(half ? FSATTN_FORMAT_F16 : FSATTN_FORMAT_BF16, y[i], FSATTN_OVERFLOW_SPECIAL);
    }
    struct {
        void *a, *b, *c;
        int k;
    } arguments = {sim_device_put(d, a, sizeof a), sim_device_put(d, b, sizeof b), sim_device_put(d, out, sizeof out), k};
    sim_device_run(d, entry, 1, lanes, arguments);
    sim_device_get(d, out, arguments.c, sizeof out);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) {
            int sum = 0;
            for (int n = 0; n < k; n++) {
                sum += x[i * k + n] * y[j * k + n];
            }
            cr_assert_eq(out[i * m + j], (float)sum, "%s %d %d", entry, i, j);
        }
    }
    fsattn_device_release(d->device, arguments.a);
    fsattn_device_release(d->device, arguments.b);
    fsattn_device_release(d->device, arguments.c);
}
Test(sim_matrix, products_of_halves) {
    sim_device d = sim_device_stored("matrix");
    check_gemm(&d, "gemm_bf16", 32, 64, false);
    check_gemm(&d, "gemm16_bf16", 16, 64, false);
    check_gemm(&d, "gemm_f16", 16, 64, true);
    sim_device_close(&d);
}

/* ---- conversions --------------------------------------------------------------------------------------- */

Test(sim_matrix, thirty_two_values_become_packed_fp6_and_back) {
    enum { words = 128 };
    static float in[lanes * 32];
    static uint32_t out[lanes * words];
    sim_device d = sim_device_stored("quant");
    uint32_t seed = 5;
    for (int i = 0; i < lanes * 32; i++) {
        in[i] = ldexpf(sim_device_uniform(&seed), 5);
    }
    struct {
        void *in, *out;
        float scale;
    } arguments = {sim_device_put(&d, in, sizeof in), sim_device_put(&d, out, sizeof out), 4.0f * 1.5f};
    sim_device_run(&d, "cvt_wide", 1, lanes, arguments);
    sim_device_get(&d, out, arguments.out, sizeof out);
    for (int lane = 0; lane < lanes; lane++) {
        const float *x = in + lane * 32;
        const uint32_t *o = out + lane * words;
        uint8_t codes[4][32], packed[4][24];
        for (int i = 0; i < 32; i++) { /* only the scale's exponent counts: 4 */
            const double from_bf16 = (double)fsattn_bf16_round(x[i]) / 4;
            const double from_f16 = fsattn_format_round(FSATTN_FORMAT_F16, (double)x[i], FSATTN_OVERFLOW_SPECIAL) / 4;
            codes[0][i] = (uint8_t)fsattn_format_encode(FSATTN_FORMAT_E2M3, from_bf16, FSATTN_OVERFLOW_SATURATE);
            codes[1][i] = (uint8_t)fsattn_format_encode(FSATTN_FORMAT_E3M2, from_bf16, FSATTN_OVERFLOW_SATURATE);
            codes[2][i] = (uint8_t)fsattn_format_encode(FSATTN_FORMAT_E2M3, from_f16, FSATTN_OVERFLOW_SATURATE);
            codes[3][i] = (uint8_t)fsattn_format_encode(FSATTN_FORMAT_E2M3, (double)x[i / 2 + 16 * (i % 2)] / 4,
                                                        FSATTN_OVERFLOW_SATURATE);
        }
        for (int k = 0; k < 4; k++) {
            fsattn_format_pack(k == 1 ? FSATTN_FORMAT_E3M2 : FSATTN_FORMAT_E2M3, codes[k], 32, packed[k]);
        }
        cr_assert_arr_eq(o, packed[0], 24);
        cr_assert_arr_eq(o + 6, packed[1], 24);
        cr_assert_arr_eq(o + 12, packed[2], 24);
        cr_assert_arr_eq(o + 24, packed[3], 24); /* two sources alternate */
        for (int i = 0; i < 32; i++) {
            float back;
            memcpy(&back, o + 80 + i, sizeof back);
            cr_assert_eq((double)back, fsattn_format_decode(FSATTN_FORMAT_E2M3, codes[0][i]) * 4);
        }
    }
    fsattn_device_release(d.device, arguments.in);
    fsattn_device_release(d.device, arguments.out);
    sim_device_close(&d);
}

/* The order in which cvt_small writes what is looked at. */
enum { pknorm_u16, pknorm_i16, pk_u16, pk_u8, to_u32, pk_bf16, fp8_bf16, fp8_f32, sr_fp8, fp4_bf16, fp4_f32, cvt_small_count = 32 };
Test(sim_matrix, small_conversions_put_bits_where_they_belong) {
    static float in[2 * lanes];
    static uint32_t out[cvt_small_count][lanes];
    sim_device d = sim_device_stored("quant");
    uint32_t seed = 6;
    for (int i = 0; i < 2 * lanes; i++) {
        in[i] = sim_device_uniform(&seed) * 1.5f;
    }
    in[0] = NAN;
    in[1] = 500;
    struct {
        void *in, *out;
        float scale;
        int n;
    } arguments = {sim_device_put(&d, in, sizeof in), sim_device_put(&d, out, sizeof out), 0.5f, lanes};
    sim_device_run(&d, "cvt_small", 1, lanes, arguments);
    sim_device_get(&d, out, arguments.out, sizeof out);
    cr_assert_eq(out[pknorm_u16][0], 0xffff0000u);
    cr_assert_eq(out[fp8_f32][0] >> 16, 0x5678u);
    cr_assert_eq(out[fp8_f32][0] & 0x7f7f, 0x7f7fu, "NaN, and 1000 overflows to NaN");
    for (int i = 1; i < lanes; i++) {
        const float x = in[2 * i], y = in[2 * i + 1];
        const uint32_t a = (uint32_t)nearbyint(fmin(fmax((double)x, 0), 1) * 65535), b = (uint32_t)nearbyint(fmin(fmax((double)y, 0), 1) * 65535);
        cr_assert_eq(out[pknorm_u16][i], a | b << 16);
        cr_assert_eq(out[pk_bf16][i], fsattn_bf16_from_float(x) | (uint32_t)fsattn_bf16_from_float(y) << 16);
        const uint32_t fx = fsattn_format_encode(FSATTN_FORMAT_E4M3, (double)x * 2, FSATTN_OVERFLOW_SPECIAL);
        const uint32_t fy = fsattn_format_encode(FSATTN_FORMAT_E4M3, (double)y * 2, FSATTN_OVERFLOW_SPECIAL);
        cr_assert_eq(out[fp8_f32][i], 0x56780000u | fy << 8 | fx);
        cr_assert_eq(out[fp8_bf16][i] & 0xffff, 0x1234u);
        const uint32_t qx = fsattn_format_encode(FSATTN_FORMAT_E2M1, (double)x * 2, FSATTN_OVERFLOW_SATURATE);
        const uint32_t qy = fsattn_format_encode(FSATTN_FORMAT_E2M1, (double)y * 2, FSATTN_OVERFLOW_SATURATE);
        cr_assert_eq(out[fp4_f32][i], 0x00223344u | (qy << 4 | qx) << 24);
        cr_assert_eq(out[fp4_bf16][i] & 0xffff00ff, 0x11220044u);
        cr_assert_eq(out[sr_fp8][i] & 0xff00ffff, 0x11003344u);
    }
    fsattn_device_release(d.device, arguments.in);
    fsattn_device_release(d.device, arguments.out);
    sim_device_close(&d);
}

/* ---- lanes --------------------------------------------------------------------------------------------- */

enum { swap32_a, swap32_b, swap16_a, swap16_b, bpermute, permute, swizzle, shr1, quad, lanes_count = 24 };
Test(sim_matrix, lanes_exchange) {
    static uint32_t in[2 * lanes], out[lanes_count][lanes];
    sim_device d = sim_device_stored("quant");
    for (uint32_t i = 0; i < 2 * lanes; i++) {
        in[i] = i < lanes ? i : 1000 + i - lanes;
    }
    void *memory[] = {sim_device_put(&d, in, sizeof in), sim_device_put(&d, out, sizeof out)};
    sim_device_run(&d, "lanes", 1, lanes, memory);
    sim_device_get(&d, out, memory[1], sizeof out);
    for (uint32_t i = 0; i < lanes; i++) {
        cr_assert_eq(out[swap32_a][i], i < 32 ? i : 1000 + i - 32);
        cr_assert_eq(out[swap32_b][i], i < 32 ? i + 32 : 1000 + i);
        cr_assert_eq(out[swap16_a][i], i & 16 ? 1000 + i - 16 : i);
        cr_assert_eq(out[swap16_b][i], i & 16 ? 1000 + i : i + 16);
        cr_assert_eq(out[bpermute][i], (i * 4 ^ 20) / 4);
        cr_assert_eq(out[permute][(i * 4 ^ 24) / 4], i);
        cr_assert_eq(out[swizzle][i], i ^ 1);
        cr_assert_eq(out[shr1][i], i % 16 ? i - 1 : 0);
        cr_assert_eq(out[quad][i], i ^ 2);
    }
    fsattn_device_release(d.device, memory[0]);
    fsattn_device_release(d.device, memory[1]);
    sim_device_close(&d);
}

Test(sim_matrix, loads_into_lds_and_buffers) {
    static uint32_t in[512], out[512];
    sim_device d = sim_device_stored("quant");
    for (uint32_t i = 0; i < 512; i++) {
        in[i] = i * 3;
    }
    void *memory[] = {sim_device_put(&d, in, sizeof in), sim_device_put(&d, out, sizeof out)};
    sim_device_run(&d, "dma", 1, lanes, memory);
    sim_device_get(&d, out, memory[1], sizeof out);
    for (uint32_t i = 0; i < 320; i++) {
        cr_assert_eq(out[i], in[i], "%u", i);
    }
    for (uint32_t i = 0; i < lanes; i++) {
        cr_assert_eq(out[320 + i], i < 32 ? in[8 * i] : 0, "%u", i);  /* 1024 bytes long */
        cr_assert_eq(out[384 + i], i < 32 ? i : 0, "%u", i);          /* 128 bytes long */
        cr_assert_eq(out[448 + i], in[16 + i], "%u", i);
    }
    fsattn_device_release(d.device, memory[0]);
    fsattn_device_release(d.device, memory[1]);
    sim_device_close(&d);
}

Test(sim_matrix, transposed_reads) {
    static uint8_t in[1024], out[2560];
    sim_device d = sim_device_stored("quant");
    uint32_t seed = 8;
    for (int i = 0; i < 1024; i++) {
        in[i] = (uint8_t)sim_device_random(&seed);
    }
    void *memory[] = {sim_device_put(&d, in, sizeof in), sim_device_put(&d, out, sizeof out)};
    sim_device_run(&d, "transposed", 1, lanes, memory);
    sim_device_get(&d, out, memory[1], sizeof out);
    for (int lane = 0; lane < lanes; lane++) {
        const int first = lane / 16 * 16, l = lane % 16;
        for (int n = 0; n < 4; n++) {
            cr_assert_arr_eq(out + lane * 8 + 2 * n, in + (first + (l >> 2) + 4 * n) * 8 + 2 * (l & 3), 2);
        }
        for (int n = 0; n < 8; n++) {
            cr_assert_eq(out[512 + lane * 8 + n], in[(first + (l >> 3) + 2 * n) * 8 + (l & 7)]);
        }
        for (int n = 0; n < 16; n++) {
            const int nibble = in[(first + n) * 8 + l / 2] >> 4 * (l & 1) & 15;
            cr_assert_eq(out[1024 + lane * 8 + n / 2] >> 4 * (n & 1) & 15, nibble);
        }
    }
    fsattn_device_release(d.device, memory[0]);
    fsattn_device_release(d.device, memory[1]);
    sim_device_close(&d);
}
