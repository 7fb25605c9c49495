/* probe.h - questions to a GPU: small kernels whose results tell whether what is assumed of it holds.
 *
 * A probe is a row of one table: a kernel, its inputs, what must come out (from numerics/ and the facts that it names, never from the
 * simulator), and, where a fact has alternatives, the value with which what came out is explained. Kernels take (in, out, count) and run
 * one wave. Running is probe_run.h's. Pure data and functions, any thread. */
#ifndef PROBE_H
#define PROBE_H

#include "facts.h"

enum { probe_no_setting = -1, probe_place_bytes = 96 };

typedef enum probe_verdict { PROBE_AGREES, PROBE_DIFFERS, PROBE_CANNOT, probe_verdicts } probe_verdict;
typedef struct probe_outcome {
    probe_verdict verdict;
    char seen[112];    /* the value that explains what was seen; "" when none does */
    char detail[400];  /* differs: the first difference; cannot: why */
    double value;      /* of a rate */
    double clock_mhz;  /* of a rate: cycles by time; 0: not known */
} probe_outcome;

typedef struct probe probe;
struct probe {
    const char *name;
    const char *fact;  /* "gfx950.md 6: ...": file, section and what it says */
    const char *file;  /* kernels/FILE.hip */
    const char *entry;
    int setting;       /* fsattn_fact_switch that the outcome sets, or probe_no_setting */
    const char *words; /* without a setting: names of what may be seen, the first assumed; NULL: one thing alone */
    bool open;         /* nothing is published: each of the words agrees */
    uint32_t count;    /* cases */
    size_t in_words, out_words;
    void (*fill)(const probe *p, uint32_t *in);
    /* What comes out if the fact has that value (choice and order are read). */
    void (*expect)(const probe *p, const fsattn_fact *value, const uint32_t *in, uint32_t *out);
    /* Where an ordered setting's bits come from; false when the answers are of no such form. */
    bool (*derive)(const probe *p, const uint32_t *in, const uint32_t *seen, fsattn_fact *value);
    void (*place)(const probe *p, const uint32_t *in, size_t word, char text[probe_place_bytes]);
    bool floats;       /* outputs are floats: all NaN are one */
    uint32_t ulps;     /* and may be so far from what is expected */
    const void *data;  /* of the functions */
    const struct probe_rate *rate; /* asks for a time (probe_rate.h): there are no functions then, and no words */
};

/* All of them; *count. */
const probe *probe_table(size_t *count);

/* The source of kernels/FILE.hip with the common head before it, a new string; NULL without memory. */
char *probe_source(const char *file);

/* The functions of the rows. */
#define PROBE_FUNCTIONS(stem)                                                                                \
    void probe_##stem##_fill(const probe *p, uint32_t *in);                                                  \
    void probe_##stem##_expect(const probe *p, const fsattn_fact *value, const uint32_t *in, uint32_t *out); \
    void probe_##stem##_place(const probe *p, const uint32_t *in, size_t word, char text[probe_place_bytes]);
PROBE_FUNCTIONS(pknorm)
PROBE_FUNCTIONS(narrow)
PROBE_FUNCTIONS(bf16)
PROBE_FUNCTIONS(maximum3)
PROBE_FUNCTIONS(math)
PROBE_FUNCTIONS(swap)
PROBE_FUNCTIONS(transpose)
PROBE_FUNCTIONS(dma)
PROBE_FUNCTIONS(matrix)
PROBE_FUNCTIONS(sum)
bool probe_transpose_derive(const probe *p, const uint32_t *in, const uint32_t *seen, fsattn_fact *value);

/* Conversions to small floats. */
enum { probe_narrow_count = 192 };
typedef struct probe_narrow {
    int format;     /* fsattn_format */
    bool clamped;   /* MODE.FP16_OVFL */
    enum { PROBE_EDGES, PROBE_NAN, PROBE_SCALE_0, PROBE_SCALE_255 } inputs;
} probe_narrow;

enum { probe_bf16_count = 160, probe_pknorm_count = 2048, probe_maximum3_count = 64, probe_math_count = 4096 };
typedef enum probe_math { PROBE_EXP, PROBE_LOG, PROBE_RCP } probe_math;
typedef enum probe_pknorm { PROBE_PKNORM_ROUNDING, PROBE_PKNORM_RANGE, PROBE_PKNORM_NAN } probe_pknorm;

typedef struct probe_transpose {
    unsigned bits, count, words; /* of an element; elements and words of a lane */
} probe_transpose;
enum { probe_transpose_turns = 11 };

/* Products. */
typedef enum probe_matrix_inputs {
    PROBE_PAIRS,     /* one element of A, all of B by a bit of its number */
    PROBE_ROWS,      /* one lane of A, then of B */
    PROBE_SCALES,    /* one lane's scale, of A, then of B */
    PROBE_EDGE_0,    /* scale bytes 0 and 1, and what makes them one again */
    PROBE_EDGE_254,
    PROBE_EDGE_255,
    PROBE_BYTES,     /* four different scale bytes */
    PROBE_SUBNORMAL, /* BF16 products that end below the normal numbers */
} probe_matrix_inputs;
typedef struct probe_matrix {
    int m, k, a, b;  /* shape; fsattn_format, BF16 too */
    bool sparse;
    unsigned byte;   /* of the scale words */
    probe_matrix_inputs inputs;
} probe_matrix;
enum { probe_matrix_words = 64 * 18, probe_sum_count = 24 };
uint32_t probe_matrix_turns(const probe_matrix *x);

#endif
