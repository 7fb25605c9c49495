/* tables.h - the paper's tables, recomputed. Behind fsattn-numerics and the tests. */
#ifndef FSATTN_TABLES_H
#define FSATTN_TABLES_H

#include "compare.h"
#include "inputs.h"
#include "methods.h"

/* Table 2: clock cycles of a tile of M = 256, N = 128, d = 128 on one CU. Source: paper section 3, appendix D. */
typedef struct fsattn_table2_row {
    const char *format; /* "FP8" */
    double hbm, lds, gemm, valu;
} fsattn_table2_row;
enum { fsattn_table2_count = 3 };
void fsattn_table2(fsattn_table2_row rows[fsattn_table2_count]);

/* Table 8: relative error of a proxy over one doubling, percent. Source: appendix B. */
typedef struct fsattn_table8_row {
    const char *proxy; /* "u16_bf16" */
    int mantissa_bits; /* 0: continuous */
    double min, max, rms;
} fsattn_table8_row;
enum { fsattn_table8_count = 5 };
void fsattn_table8(fsattn_table8_row rows[fsattn_table8_count]);

/* Table 9: what v_pk_maximum3_f16 makes of a Stage-A pattern, in bands of patterns that behave alike. Source: appendix C. */
typedef enum fsattn_reading {
    FSATTN_READING_CORRECT, /* fires exactly when the pattern exceeds the cap */
    FSATTN_READING_FIRES,   /* fires whatever it is */
    FSATTN_READING_MISSES,  /* never fires although it exceeds the cap */
    FSATTN_READING_NAN,     /* fires, and wins every maximum */
} fsattn_reading;
typedef struct fsattn_table9_row {
    uint16_t first, last;
    fsattn_reading reading;
} fsattn_table9_row;
enum { fsattn_table9_limit = 16 };
/* Classifies every 16-bit pattern and joins neighbours; returns the number of bands. */
size_t fsattn_table9(int cap_doublings, fsattn_table9_row rows[fsattn_table9_limit]);
const char *fsattn_reading_text(fsattn_reading reading);

/* Table 4: error and cosine against BF16 attention with the conventional softmax. Rows without a proxy have the exact
 * exponential; the first one is the reference itself. Source: paper section 5.1. */
typedef struct fsattn_table4_cell {
    double error_percent, cosine;
} fsattn_table4_cell;
enum { fsattn_table4_rows = 6, fsattn_table4_columns = 4 };
typedef struct fsattn_table4_row {
    bool l_gemm, frozen;
    const char *proxy; /* "-", "u16", "u32", "u8" */
    fsattn_table4_cell cells[fsattn_table4_columns]; /* bf16, mxfp8, mxfp6, mxfp4 */
} fsattn_table4_row;
extern const char *const fsattn_table4_formats[fsattn_table4_columns];
/* One head: `rows` queries against `keys` keys of head_dim 128, averaged over `seeds` seeds, beginning with `seed`. */
fsattn_status fsattn_table4(int64_t rows, int64_t keys, int64_t seeds, uint64_t seed,
                            fsattn_table4_row table[fsattn_table4_rows], fsattn_err *err);

/* One method on one input against BF16 attention with the conventional softmax. */
typedef struct fsattn_method_result {
    double error_percent, cosine;
    int64_t rollbacks, missed, gates; /* fired, missed, asked */
} fsattn_method_result;
fsattn_status fsattn_method_measure(const fsattn_emulator_config *config, fsattn_distribution distribution, int64_t rows,
                                    int64_t keys, int64_t seeds, uint64_t seed, fsattn_method_result *result,
                                    fsattn_err *err);

#endif
