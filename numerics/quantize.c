#include "quantize.h"

#include <math.h>

typedef enum kind { PLAIN, ROUND, MX, TENSOR, NVFP4, INTEGER } kind;

typedef struct format_row {
    const char *text;
    kind kind;
    fsattn_format element;
    int block; /* values of a block; for integers the largest code */
} format_row;
static const format_row formats[] = {
#define X(name, text, kind, element, block, meaning) {text, kind, FSATTN_FORMAT_##element, block},
    FSATTN_OPERAND_FORMAT_LIST(X)
#undef X
};

const char *fsattn_operand_format_text(fsattn_operand_format format) {
    return formats[format].text;
}

bool fsattn_operand_format_rotated(fsattn_operand_format format) {
    return formats[format].kind == MX || formats[format].kind == NVFP4 || formats[format].kind == TENSOR;
}

bool fsattn_operand_format_scaled(fsattn_operand_format format) {
    return formats[format].kind == MX;
}

float fsattn_quantize_amax(const float *values, int64_t count) {
    float amax = 0;
    for (int64_t i = 0; i < count && !isnan(amax); i++) {
        float x = fabsf(values[i]);
        amax = isnan(x) || x > amax ? x : amax;
    }
    return amax;
}

/* One block of `count` values, `stride` apart. */
typedef void block_function(const format_row *f, const fsattn_quantize_options *o, float *x, int64_t stride, int count);

static void block_mx(const format_row *f, const fsattn_quantize_options *o, float *x, int64_t stride, int count) {
    uint8_t codes[fsattn_mx_block], scale;
    fsattn_mx_quantize(fsattn_mx_rule_usual(f->element), f->element, x, stride, count, o->shift, codes, &scale);
    for (int i = 0; i < count; i++) {
        x[i * stride] = fsattn_mx_value(f->element, codes[i], scale);
    }
}

static void block_nvfp4(const format_row *f, const fsattn_quantize_options *o, float *x, int64_t stride, int count) {
    const double largest = fsattn_format_describe(f->element)->largest;
    const double tensor = o->tensor_amax > 0 ? (double)o->tensor_amax / (448.0 * largest) : 1.0;
    double amax = 0;
    for (int i = 0; i < count; i++) {
        amax = isnan(x[i * stride]) ? (double)NAN : fmax(amax, fabs((double)x[i * stride]));
    }
    const double scale =
        fsattn_format_round(FSATTN_FORMAT_E4M3, amax / largest / tensor, FSATTN_OVERFLOW_SATURATE) * tensor;
    for (int i = 0; i < count; i++) {
        double q = scale > 0 ? fsattn_format_round(f->element, (double)x[i * stride] / scale, FSATTN_OVERFLOW_SATURATE) : 0;
        x[i * stride] = isnan(amax) ? NAN : (float)ldexp(q * scale, o->shift);
    }
}

/* One line whose blocks are not neighbours: gathered, quantized, put back. */
static void blocks_ordered(const format_row *f, const fsattn_quantize_options *o, float *line, int64_t stride, int64_t length,
                           block_function *function) {
    const int64_t chunk = fsattn_key_order_chunk(o->order), padded = (length + chunk - 1) / chunk * chunk;
    for (int64_t first = 0; first < padded; first += f->block) {
        float block[fsattn_mx_block];
        for (int i = 0; i < f->block; i++) {
            const int64_t key = fsattn_key_at(o->order, first + i);
            block[i] = key < length ? line[key * stride] : 0;
        }
        function(f, o, block, 1, f->block);
        for (int i = 0; i < f->block; i++) {
            const int64_t key = fsattn_key_at(o->order, first + i);
            if (key < length) {
                line[key * stride] = block[i];
            }
        }
    }
}

static void blocks(const format_row *f, const fsattn_quantize_options *o, float *matrix, int64_t rows, int64_t columns,
                   block_function *function) {
    const bool along_columns = o->axis == FSATTN_ALONG_COLUMNS;
    const int64_t lines = along_columns ? rows : columns, length = along_columns ? columns : rows;
    const int64_t line_stride = along_columns ? columns : 1, stride = along_columns ? 1 : columns;
    for (int64_t line = 0; line < lines; line++) {
        if (!along_columns && o->order != FSATTN_KEY_ORDER_RUNS) {
            blocks_ordered(f, o, matrix + line * line_stride, stride, length, function);
            continue;
        }
        for (int64_t first = 0; first < length; first += f->block) {
            int count = (int)(length - first < f->block ? length - first : f->block);
            function(f, o, matrix + line * line_stride + first * stride, stride, count);
        }
    }
}

static void integers(const format_row *f, const fsattn_quantize_options *o, float *matrix, int64_t rows, int64_t columns) {
    const int64_t tile = o->tile_rows > 0 ? o->tile_rows : rows;
    for (int64_t first = 0; first < rows; first += tile) {
        const int64_t count = (rows - first < tile ? rows - first : tile) * columns;
        float *x = matrix + first * columns;
        const float amax = fsattn_quantize_amax(x, count);
        const double scale = amax > 0 || isnan(amax) ? (double)amax / f->block : 1.0;
        for (int64_t i = 0; i < count; i++) {
            x[i] = (float)ldexp(nearbyint((double)x[i] / scale) * scale, o->shift);
        }
    }
}

void fsattn_quantize(fsattn_operand_format format, const fsattn_quantize_options *options, float *matrix, int64_t rows,
                     int64_t columns) {
    const format_row *f = &formats[format];
    const int64_t count = rows * columns;
    const float factor = ldexpf(1.0f, options->shift);
    switch (f->kind) {
    case PLAIN:
        for (int64_t i = 0; options->shift && i < count; i++) {
            matrix[i] *= factor;
        }
        break;
    case ROUND:
        for (int64_t i = 0; i < count; i++) {
            matrix[i] = (format == FSATTN_OPERAND_BF16
                             ? fsattn_bf16_round(matrix[i])
                             : (float)fsattn_format_round(f->element, (double)matrix[i], FSATTN_OVERFLOW_SPECIAL)) *
                        factor;
        }
        break;
    case TENSOR: {
        /* A float, as the kernels keep it: ties of x / scale fall as they do there. */
        const double scale = options->tensor_amax > 0 || isnan(options->tensor_amax)
                                 ? (double)(options->tensor_amax / (float)fsattn_format_describe(f->element)->largest)
                                 : 1.0;
        for (int64_t i = 0; i < count; i++) {
            matrix[i] = (float)(fsattn_format_round(f->element, (double)matrix[i] / scale, FSATTN_OVERFLOW_SATURATE) * scale) *
                        factor;
        }
        break;
    }
    case MX:
        blocks(f, options, matrix, rows, columns, block_mx);
        break;
    case NVFP4:
        blocks(f, options, matrix, rows, columns, block_nvfp4);
        break;
    case INTEGER:
        integers(f, options, matrix, rows, columns);
        break;
    }
}
