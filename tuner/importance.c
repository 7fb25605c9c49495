#include "importance.h"

#include "enumerate_graph.h"
#include "error.h"
#include "memory.h"
#include "random.h"
#include "strategy_features.h"
#include "strategy_forest.h"

#include <math.h>
#include <string.h>

enum { folds = 5, shuffles = 3, trees = 32, leaf = 3, tries = 12 };
enum { stream_order = 1, stream_fit = 2, stream_shuffle = 3 };
static const uint64_t seed = 1;

typedef struct study {
    const fsattn_enumeration *enumeration;
    fsattn_features *features;
    fsattn_forest *forest;
    size_t width, count;
    float *rows, *values; /* of all results, shuffled; then scratch for the rows that are learnt */
    float *learnt_rows, *learnt_values;
    size_t *order;
    double base_error, errors[fsattn_parameter_limit]; /* sums of squares; by feature */
} study;

static fsattn_status no_memory(fsattn_err *err) {
    return fsattn_fail(err, FSATTN_NO_MEMORY, "importance: out of memory");
}

/* A shuffled 0 .. count - 1. */
static void shuffle(size_t *order, size_t count, uint64_t stream, uint64_t draws) {
    for (size_t i = 0; i < count; i++) {
        order[i] = i;
    }
    for (size_t i = count; i > 1; i--) {
        size_t at = (size_t)fsattn_random_below(seed, stream, draws++, i), swap = order[i - 1];
        order[i - 1] = order[at];
        order[at] = swap;
    }
}

static void fill_rows(study *s, const uint64_t *indices, const double *costs) {
    shuffle(s->order, s->count, stream_order, 0);
    for (size_t i = 0; i < s->count; i++) {
        size_t from = s->order[i];
        fsattn_strategy_features_of(s->features, indices[from], s->rows + i * s->width);
        s->values[i] = (float)log(costs[from]);
    }
}

static double predict(const study *s, const float *row) {
    float answers[trees + 1];
    double sum = 0;
    fsattn_strategy_forest_ask(s->forest, row, 1, answers);
    for (size_t t = 0; t < trees; t++) {
        sum += answers[t];
    }
    return sum / trees;
}

static double squared_error(const study *s, const float *row, size_t at) {
    double error = predict(s, row) - (double)s->values[at];
    return error * error;
}

/* Learns from all results but begin .. end - 1, and predicts those, as they are and shuffled. */
static fsattn_status study_fold(study *s, size_t begin, size_t end, fsattn_err *err) {
    size_t learnt = 0, held = end - begin;
    for (size_t i = 0; i < s->count; i++) {
        if (i < begin || i >= end) {
            memcpy(s->learnt_rows + learnt * s->width, s->rows + i * s->width, s->width * sizeof *s->rows);
            s->learnt_values[learnt++] = s->values[i];
        }
    }
    FSATTN_TRY(fsattn_strategy_forest_fit(s->forest, s->learnt_rows, s->learnt_values, NULL, learnt, trees,
                                          fsattn_random_u64(seed, stream_fit, begin), err));
    float *row = s->learnt_rows; /* what was learnt is not needed any more */
    for (size_t i = begin; i < end; i++) {
        s->base_error += squared_error(s, s->rows + i * s->width, i);
    }
    for (size_t f = 0; f < fsattn_strategy_features_ranks(s->features); f++) {
        for (size_t turn = 0; turn < shuffles; turn++) {
            shuffle(s->order, held, stream_shuffle, ((uint64_t)f * shuffles + turn) << 32);
            for (size_t i = 0; i < held; i++) {
                memcpy(row, s->rows + (begin + i) * s->width, s->width * sizeof *row);
                row[f] = s->rows[(begin + s->order[i]) * s->width + f];
                s->errors[f] += squared_error(s, row, begin + i) / shuffles;
            }
        }
    }
    return FSATTN_OK;
}

static double sum_of_squares(const study *s) {
    double sum = 0, squares = 0;
    for (size_t i = 0; i < s->count; i++) {
        sum += (double)s->values[i];
    }
    for (size_t i = 0; i < s->count; i++) {
        double step = (double)s->values[i] - sum / (double)s->count;
        squares += step * step;
    }
    return squares;
}

/* Features are the parameters with more than one value, in their order. */
static void conclude(const study *s, fsattn_importance *importance) {
    const fsattn_space *space = s->enumeration->space;
    const double all = sum_of_squares(s);
    size_t f = 0;
    *importance = (fsattn_importance){.explained = all > 0 ? 1 - s->base_error / all : 0};
    for (size_t p = 0; p < s->enumeration->layers; p++) {
        if (space->axes[p].count > 1) {
            importance->shares[p] = all > 0 ? fmax(0, (s->errors[f] - s->base_error) / (2 * all)) : 0;
            f++;
        }
    }
}

fsattn_status fsattn_importance_of(const fsattn_enumeration *enumeration, const uint64_t *indices, const double *costs,
                                   size_t count, fsattn_importance *importance, fsattn_err *err) {
    study s = {.enumeration = enumeration, .count = count};
    fsattn_status status;
    FSATTN_GOTO(fsattn_strategy_features_create(enumeration, false, &s.features, err));
    s.width = fsattn_strategy_features_count(s.features);
    fsattn_forest_options options = {.features = s.width, .trees = trees, .leaf = leaf, .tries = tries};
    FSATTN_GOTO(fsattn_strategy_forest_create(&options, &s.forest, err));
    s.rows = fsattn_alloc(count, 2 * s.width * sizeof *s.rows);
    s.values = fsattn_alloc(count, 2 * sizeof *s.values);
    s.order = fsattn_alloc(count, sizeof *s.order);
    if (!s.rows || !s.values || !s.order) {
        status = no_memory(err);
        goto out;
    }
    s.learnt_rows = s.rows + count * s.width;
    s.learnt_values = s.values + count;
    fill_rows(&s, indices, costs);
    for (size_t fold = 0; fold < folds; fold++) {
        FSATTN_GOTO(study_fold(&s, fold * count / folds, (fold + 1) * count / folds, err));
    }
    conclude(&s, importance);
out:
    fsattn_strategy_features_destroy(s.features);
    fsattn_strategy_forest_destroy(s.forest);
    fsattn_free(s.rows);
    fsattn_free(s.values);
    fsattn_free(s.order);
    return status;
}
