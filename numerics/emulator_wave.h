/* emulator_wave.h - one wave of the emulator: the rows that share a gate, run over all key tiles. Internal. */
#ifndef FSATTN_EMULATOR_WAVE_H
#define FSATTN_EMULATOR_WAVE_H

#include "exponential.h"

/* X(NAME, meaning): defects that a comparison with the emulator must find, beside those that a test plants in its operands. */
#define FSATTN_PLANTED_LIST(X)                                                                               \
    X(NONE, "none")                                                                                          \
    X(MISSING_RESCALE, "a rollback raises the maximum and leaves O and the row sum as they are")             \
    X(LOST_MATE, "a block's maximum is taken over half of its keys")
typedef enum fsattn_planted {
#define X(name, meaning) FSATTN_PLANTED_##name,
    FSATTN_PLANTED_LIST(X)
#undef X
} fsattn_planted;
enum { fsattn_planted_count = FSATTN_PLANTED_LOST_MATE + 1 };

struct fsattn_emulator {
    fsattn_emulator_config config;
    fsattn_problem problem;
    const fsattn_block_mask *blocks;
    float *memory;
    const float *q, *k, *v; /* dense [batch * heads][s][d], as the matrix unit sees them */
    int quantizer_shift;    /* already in q's scales; what the unit needs beyond it is multiplied in by the wave */
    float v_amax, v_rms;    /* of V as multiplied, NaN and infinity left out */
    fsattn_planted planted;
};

typedef struct fsattn_wave {
    const fsattn_emulator *e;
    const float *k, *v;
    int64_t first_row; /* query index of row 0 */
    int rows;          /* that exist */
    int lanes;         /* rows rounded up to fsattn_gemm_lanes */
    float *memory;
    float *q, *o;            /* [d][lanes] */
    float *maximum;          /* [lanes] reference in units of the accumulator */
    float *sum, *seed, *top; /* [lanes] */
    float *largest;          /* [lanes] largest probability so far, in the units of `sum` */
    float *shift;            /* [lanes] added to the accumulator values of the tile at hand */
    float *p;                /* [tile_n][lanes] accumulator values, then probabilities */
    uint16_t *codes;         /* [tile_n][lanes] of 16-bit exponentials */
    uint8_t *dead;           /* [tile_n][lanes] masked */
    uint8_t *seeded;         /* [lanes] */
    uint8_t *poisoned;       /* [lanes] a live score of the tile is NaN or +infinity */
    bool any_dead;
    float unit; /* accumulator units of a doubling */
    float zero;
    int64_t rollbacks, missed;
} fsattn_wave;

/* false when memory ends. `head` counts batch * heads_q. */
bool fsattn_wave_init(fsattn_wave *wave, const fsattn_emulator *emulator, int64_t head, int64_t first_row);
void fsattn_wave_fini(fsattn_wave *wave);
/* All tiles; gates (nullable) gets one entry a tile. */
void fsattn_wave_run(fsattn_wave *wave, uint8_t *gates);
void fsattn_wave_output(const fsattn_wave *wave, int row, float *o, float *lse);

#endif
