/* facts.h - what a device was seen to do, in a file that fsattn-probe writes and simulator and emulator read (docs/probe.md).
 *
 * Owns the form of that file, the switches that may stand in it with their values, and the one file of this process, which the
 * environment variable FSATTN_FACTS names. The file is YAML of one form: a header, then one fact a line; this reader takes that form
 * alone, so that it needs no library (the simulator must load into any process). Facts never change once they are read. Which constants
 * there are is the simulator's to know. Refuses to guess: what it does not know is an error that names line and fix. Any thread.
 */
#ifndef FSATTN_FACTS_H
#define FSATTN_FACTS_H

#include "text.h"

#include "fsattn.h"

/* X(name, values, what): the first value is what is assumed. A value is one word; with a '#' before them the words are one value, of
 * which every order is another: where the bits of an index come from, lowest first. */
#define FSATTN_FACT_SWITCH_LIST(X)                                                                           \
    X(pknorm_rounding, "exact float half_down truncate", "v_cvt_pknorm_u16_f32: how a * 65535 becomes an integer") \
    X(pknorm_nan, "zero one", "v_cvt_pknorm_u16_f32 of NaN")                                                 \
    X(small_nan, "largest zero", "conversion of NaN to FP6 and FP4")                                         \
    X(convert_scale_0, "power one", "conversions: a scale with exponent field 0, 2^-127 or 1")               \
    X(convert_scale_255, "nan power", "conversions: a scale with exponent field 255, NaN or 2^128")          \
    X(matrix_scale_0, "power zero", "matrix instructions: scale byte 0, 2^-127 or 0")                        \
    X(matrix_scale_255, "nan power", "matrix instructions: scale byte 255, NaN or 2^128")                    \
    X(matrix_subnormals, "kept flushed", "matrix instructions: subnormal results")                           \
    X(maximum3_nan, "propagates ignored", "v_maximum3_f32, v_pk_maximum3_f16: NaN")                          \
    X(transpose_b16, "#l0 l1 l2 l3 n0 n1", "ds_read_b64_tr_b16: column and lane that element n of lane l comes from") \
    X(transpose_b8, "#l0 l1 l2 l3 n0 n1 n2", "ds_read_b64_tr_b8")                                            \
    X(transpose_b6, "#l0 l1 l2 l3 n0 n1 n2 n3", "ds_read_b96_tr_b6")                                         \
    X(transpose_b4, "#l0 l1 l2 l3 n0 n1 n2 n3", "ds_read_b64_tr_b4")
typedef enum fsattn_fact_switch {
#define X(name, values, what) FSATTN_FACT_##name,
    FSATTN_FACT_SWITCH_LIST(X)
#undef X
    fsattn_fact_switches
} fsattn_fact_switch;

typedef enum fsattn_fact_kind { FSATTN_FACT_SWITCH, FSATTN_FACT_CONSTANT, FSATTN_FACT_NOTE } fsattn_fact_kind;

enum { fsattn_fact_bits = 8 };
typedef struct fsattn_fact {
    fsattn_fact_kind kind;
    char name[48], value[112], unit[24];
    int line;
    int choice;                      /* switches: index of the word */
    uint8_t order[fsattn_fact_bits]; /* switches with '#': order[i] is the place, in the assumed value, of the bit that stands at i */
    double number;                   /* constants */
} fsattn_fact;

enum { fsattn_facts_limit = 256 };
typedef struct fsattn_facts {
    char path[256], device[128], driver[128], date[24];
    bool measured; /* or modelled */
    char identity[24]; /* "facts 0123abcd", of what was read: part of the keys of results that it has changed */
    size_t count;
    fsattn_fact items[fsattn_facts_limit];
} fsattn_facts;

/* Reads and checks a file; FSATTN_PARSE opens with path and line. A constant's value is a number from 0 on. */
fsattn_status fsattn_facts_read(const char *path, fsattn_facts *facts, fsattn_err *err);
/* The same from memory; `name` stands in messages. */
fsattn_status fsattn_facts_parse(const char *name, const char *text, fsattn_facts *facts, fsattn_err *err);
/* Appends the file's text, which fsattn_facts_parse reads back. */
void fsattn_facts_write(const fsattn_facts *facts, fsattn_text *out);
/* Adds one. FSATTN_INVALID when there is no place for it, FSATTN_PARSE when the value is none of the switch. */
fsattn_status fsattn_facts_add(fsattn_facts *facts, fsattn_fact_kind kind, const char *name, const char *value, const char *unit,
                               fsattn_err *err);

/* The process's: read at the first call when FSATTN_FACTS is set; *facts is NULL when it is not. The first result is every
 * later one's. */
fsattn_status fsattn_facts_process(const fsattn_facts **facts, fsattn_err *err);

const char *fsattn_fact_switch_name(fsattn_fact_switch which);
/* Words of the values ('#' left out). */
const char *fsattn_fact_switch_values(fsattn_fact_switch which);
bool fsattn_fact_switch_ordered(fsattn_fact_switch which);
/* The fact of that name, or NULL; `facts` may be NULL. */
const fsattn_fact *fsattn_facts_find(const fsattn_facts *facts, fsattn_fact_kind kind, const char *name);
/* Index of a switch's word: 0, what is assumed, when the file does not say. */
int fsattn_facts_choice(const fsattn_facts *facts, fsattn_fact_switch which);

#endif
