#include "tables.h"

#include "error.h"
#include "exponential.h"
#include "memory.h"

#include <math.h>
#include <string.h>

void fsattn_table2(fsattn_table2_row rows[fsattn_table2_count]) {
    const double m = 256, n = 128, d = 128;
    const double hbm_bytes_per_clock = 8e12 / 256 / 2.4e9, lds_bytes_per_clock = 256, waves = 8;
    /* X: format, bytes of a K and a V element together, FLOP of a CU and clock */
    static const struct {
        const char *name;
        double kv_bytes, flop_per_clock;
    } formats[fsattn_table2_count] = {{"FP8", 2, 8192}, {"FP6", 1.5, 16384}, {"FP4", 1, 16384}};
    for (int i = 0; i < fsattn_table2_count; i++) {
        rows[i].format = formats[i].name;
        rows[i].hbm = formats[i].kv_bytes * n * d / hbm_bytes_per_clock;
        rows[i].lds = waves * formats[i].kv_bytes * n * d / lds_bytes_per_clock;
        rows[i].gemm = 4 * m * n * d / formats[i].flop_per_clock;
        rows[i].valu = m * n / 32 + 4 * m * n / 128 + m * d / 128;
    }
}

/* The ramp 1 + f - epsilon (shifted by one binade where it is below 1) against 2^f, its mantissa rounded to M bits. */
void fsattn_table8(fsattn_table8_row rows[fsattn_table8_count]) {
    static const struct {
        const char *proxy;
        int mantissa_bits;
    } proxies[fsattn_table8_count] = {{"continuous", 0}, {"u32_fp32", 23}, {"u16_fp16", 10}, {"u16_bf16", 7}, {"u8_e4m3", 3}};
    const int64_t points = 1 << 22;
    for (int i = 0; i < fsattn_table8_count; i++) {
        const int bits = proxies[i].mantissa_bits;
        double min = 0, max = 0, squares = 0;
        for (int64_t p = 0; p < points; p++) {
            const double f = ((double)p + 0.5) / (double)points;
            double code = 8 + f - FSATTN_SCHRAUDOLPH_EPSILON; /* any integer bias */
            if (bits) {
                code = ldexp(nearbyint(ldexp(code, bits)), -bits);
            }
            const double error = ldexp(1 + code - floor(code), (int)floor(code) - 8) / exp2(f) - 1;
            min = fmin(min, error);
            max = fmax(max, error);
            squares += error * error;
        }
        rows[i] = (fsattn_table8_row){proxies[i].proxy, bits, 100 * min, 100 * max, 100 * sqrt(squares / (double)points)};
    }
}

static const char *const reading_texts[] = {
    [FSATTN_READING_CORRECT] = "correct: fires exactly above the cap",
    [FSATTN_READING_FIRES] = "+Inf or +NaN: fires",
    [FSATTN_READING_MISSES] = "negative: dropped, the gate misses it",
    [FSATTN_READING_NAN] = "NaN propagates: fires",
};

const char *fsattn_reading_text(fsattn_reading reading) {
    return reading_texts[reading];
}

size_t fsattn_table9(int cap_doublings, fsattn_table9_row rows[fsattn_table9_limit]) {
    const fsattn_affine affine = fsattn_exponential_affine(FSATTN_EXPONENTIAL_SCHRAUDOLPH_U16_BF16);
    const uint16_t cap = (uint16_t)fsattn_exponential_code(FSATTN_EXPONENTIAL_SCHRAUDOLPH_U16_BF16, NULL,
                                                           affine.zero + ldexpf((float)cap_doublings, affine.shift));
    size_t count = 0;
    for (uint32_t pattern = 0; pattern <= 0xffff; pattern++) {
        const uint16_t kept = fsattn_maximum3(NULL, (uint16_t)pattern, 0);
        const bool fires = fsattn_maximum3_exceeds(kept, cap), should = pattern > cap;
        const bool special = (pattern & 0x7c00) == 0x7c00;
        const fsattn_reading reading = fires != should ? FSATTN_READING_MISSES
                                       : !special || !fires ? FSATTN_READING_CORRECT
                                       : pattern & 0x8000   ? FSATTN_READING_NAN
                                                            : FSATTN_READING_FIRES;
        if (count == 0 || rows[count - 1].reading != reading) {
            if (count == fsattn_table9_limit) {
                return count;
            }
            rows[count++] = (fsattn_table9_row){(uint16_t)pattern, (uint16_t)pattern, reading};
        }
        rows[count - 1].last = (uint16_t)pattern;
    }
    return count;
}

/* ---- errors against BF16 attention with the conventional softmax ---- */

typedef struct bench_input {
    fsattn_problem problem;
    fsattn_operands operands;
    float *expected, *actual;
    size_t elements;
} bench_input;

static void input_fini(bench_input *input) {
    fsattn_operands_fini(&input->operands);
    fsattn_free(input->expected);
    fsattn_free(input->actual);
}

static const char bf16_attention[] =
    "softmax=online exponential=exact row_sum=vector qk_format=bf16 p_format=bf16 v_format=bf16";

static fsattn_status emulate(const fsattn_emulator_config *config, const bench_input *input, float *o,
                             fsattn_emulator_output *output, fsattn_err *err) {
    fsattn_emulator *emulator;
    FSATTN_TRY(fsattn_emulator_create(config, &input->problem, &input->operands.qkv, NULL, &emulator, err));
    output->o = o;
    fsattn_status status = fsattn_emulator_run(emulator, (fsattn_rows){0}, output, err);
    fsattn_emulator_destroy(emulator);
    return status;
}

static fsattn_status input_init(bench_input *input, fsattn_distribution distribution, int64_t rows, int64_t keys,
                                uint64_t seed, fsattn_err *err) {
    *input = (bench_input){0};
    fsattn_problem_init(&input->problem);
    input->problem.s_q = rows;
    input->problem.s_k = keys;
    input->problem.dtype_q = input->problem.dtype_kv = input->problem.dtype_o = FSATTN_BF16;
    input->elements = (size_t)(rows * input->problem.head_dim);
    fsattn_status status = FSATTN_OK;
    FSATTN_GOTO(fsattn_operands_init(&input->operands, &input->problem, err));
    input->expected = fsattn_alloc(input->elements, sizeof(float));
    input->actual = fsattn_alloc(input->elements, sizeof(float));
    if (!input->expected || !input->actual) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for the outputs");
        goto out;
    }
    fsattn_inputs_fill(distribution, seed, &input->problem, &input->operands);
    fsattn_emulator_config config;
    fsattn_emulator_config_init(&config);
    FSATTN_GOTO(fsattn_emulator_apply(&config, bf16_attention, err));
    fsattn_emulator_output output = {0};
    FSATTN_GOTO(emulate(&config, input, input->expected, &output, err));
    return FSATTN_OK;
out:
    input_fini(input);
    return status;
}

const char *const fsattn_table4_formats[fsattn_table4_columns] = {"bf16", "mxfp8", "mxfp6", "mxfp4"};
static const char *const table4_operands[fsattn_table4_columns] = {
    "qk_format=bf16 p_format=bf16 v_format=bf16",
    "qk_format=mxfp8 p_format=fp8_row v_format=fp8",
    "qk_format=mxfp6 p_format=mxfp6 v_format=mxfp6",
    "qk_format=mxfp4 p_format=mxfp6 v_format=mxfp4",
};
static const struct {
    bool l_gemm, frozen;
    const char *proxy, *switches;
} table4_rows[fsattn_table4_rows] = {
    {false, false, "-", "softmax=online exponential=exact row_sum=vector"},
    {true, false, "-", "softmax=online exponential=exact row_sum=gemm"},
    {true, true, "-", "softmax=frozen exponential=exact row_sum=gemm"},
    {true, true, "u16", "softmax=frozen exponential=schraudolph_u16_bf16 reduction=u16 row_sum=gemm"},
    {true, true, "u32", "softmax=frozen exponential=schraudolph_u32 row_sum=gemm"},
    {true, true, "u8", "softmax=frozen exponential=schraudolph_u8_e4m3 row_sum=gemm"},
};

static fsattn_status table4_cell(const bench_input *input, int row, int column, fsattn_table4_cell *cell, fsattn_err *err) {
    fsattn_emulator_config config;
    fsattn_emulator_config_init(&config);
    FSATTN_TRY(fsattn_emulator_apply(&config, table4_rows[row].switches, err));
    FSATTN_TRY(fsattn_emulator_apply(&config, table4_operands[column], err));
    fsattn_emulator_output output = {0};
    FSATTN_TRY(emulate(&config, input, input->actual, &output, err));
    fsattn_comparison comparison = {0};
    fsattn_comparison_add(&comparison, input->actual, input->expected, input->elements);
    cell->error_percent += 100 * fsattn_comparison_error(&comparison);
    cell->cosine += fsattn_comparison_cosine(&comparison);
    return FSATTN_OK;
}

fsattn_status fsattn_table4(int64_t rows, int64_t keys, int64_t seeds, uint64_t seed,
                            fsattn_table4_row table[fsattn_table4_rows], fsattn_err *err) {
    for (int row = 0; row < fsattn_table4_rows; row++) {
        table[row] = (fsattn_table4_row){
            .l_gemm = table4_rows[row].l_gemm, .frozen = table4_rows[row].frozen, .proxy = table4_rows[row].proxy};
    }
    for (int64_t s = 0; s < seeds; s++) {
        bench_input input;
        fsattn_status status = FSATTN_OK;
        FSATTN_TRY(input_init(&input, FSATTN_DISTRIBUTION_NORMAL, rows, keys, seed + (uint64_t)s, err));
        for (int row = 0; row < fsattn_table4_rows; row++) {
            for (int column = 0; column < fsattn_table4_columns; column++) {
                FSATTN_GOTO(table4_cell(&input, row, column, &table[row].cells[column], err));
            }
        }
    out:
        input_fini(&input);
        FSATTN_TRY(status);
    }
    for (int row = 0; row < fsattn_table4_rows; row++) {
        for (int column = 0; column < fsattn_table4_columns; column++) {
            table[row].cells[column].error_percent /= (double)seeds;
            table[row].cells[column].cosine /= (double)seeds;
        }
    }
    return FSATTN_OK;
}

fsattn_status fsattn_method_measure(const fsattn_emulator_config *config, fsattn_distribution distribution, int64_t rows,
                                    int64_t keys, int64_t seeds, uint64_t seed, fsattn_method_result *result,
                                    fsattn_err *err) {
    fsattn_method_result sum = {0};
    for (int64_t s = 0; s < seeds; s++) {
        bench_input input;
        FSATTN_TRY(input_init(&input, distribution, rows, keys, seed + (uint64_t)s, err));
        fsattn_emulator_output output = {0};
        fsattn_status status = emulate(config, &input, input.actual, &output, err);
        if (status == FSATTN_OK) {
            fsattn_comparison comparison = {0};
            fsattn_comparison_add(&comparison, input.actual, input.expected, input.elements);
            sum.error_percent += 100 * fsattn_comparison_error(&comparison) / (double)seeds;
            sum.cosine += fsattn_comparison_cosine(&comparison) / (double)seeds;
            sum.rollbacks += output.rollbacks;
            sum.missed += output.missed;
            sum.gates += output.waves * (output.tiles - 1);
        }
        input_fini(&input);
        FSATTN_TRY(status);
    }
    *result = sum;
    return FSATTN_OK;
}
