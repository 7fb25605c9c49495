#include "strategy_features.h"

#include "enumerate_graph.h"
#include "error.h"
#include "memory.h"

#include <math.h>

struct fsattn_features {
    const fsattn_enumeration *enumeration;
    fsattn_arena arena;
    size_t rank_count, pair_count;
    uint16_t parameters[fsattn_parameter_limit];       /* of the ranks */
    const float *ranks[fsattn_parameter_limit];        /* by value, of the parameter of a rank */
    const float *logarithms[fsattn_parameter_limit];   /* NULL unless all values are positive numbers */
    uint16_t pairs[fsattn_feature_limit][2];           /* indices of ranks */
};

static double number_of(const fsattn_value *value) {
    return value->type == FSATTN_VALUE_INT    ? (double)value->integer
           : value->type == FSATTN_VALUE_REAL ? value->real
                                              : 0;
}

/* Tables of one axis. */
static bool add_axis(fsattn_features *f, size_t parameter) {
    const fsattn_enumeration *e = f->enumeration;
    const fsattn_parameter *p = &e->space->manifest->parameters.items[parameter];
    size_t count = e->space->axes[parameter].count;
    float *ranks = fsattn_arena_alloc(&f->arena, p->value_count, sizeof *ranks);
    float *logarithms = fsattn_arena_alloc(&f->arena, p->value_count, sizeof *logarithms);
    if (!ranks || !logarithms) {
        return false;
    }
    bool positive = true;
    for (size_t i = 0; i < count; i++) {
        uint16_t value = e->ranked[parameter][i];
        double number = number_of(&p->values[value]);
        ranks[value] = (float)i / (float)(count - 1);
        positive = positive && number > 0;
        logarithms[value] = number > 0 ? (float)log2(number) : 0;
    }
    f->parameters[f->rank_count] = (uint16_t)parameter;
    f->ranks[f->rank_count] = ranks;
    f->logarithms[f->rank_count++] = positive ? logarithms : NULL;
    return true;
}

fsattn_status fsattn_strategy_features_create(const fsattn_enumeration *enumeration, bool pairs,
                                              fsattn_features **features, fsattn_err *err) {
    fsattn_features *made = fsattn_alloc(1, sizeof *made);
    bool enough = made != NULL;
    if (enough) {
        made->enumeration = enumeration;
    }
    for (size_t p = 0; enough && p < enumeration->layers; p++) {
        enough = enumeration->space->axes[p].count < 2 || add_axis(made, p);
    }
    if (!enough) {
        fsattn_strategy_features_destroy(made);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "features: out of memory");
    }
    for (size_t a = 0; pairs && a < made->rank_count; a++) {
        for (size_t b = a + 1; b < made->rank_count; b++) {
            if (made->logarithms[a] && made->logarithms[b] && made->rank_count + made->pair_count < fsattn_feature_limit) {
                made->pairs[made->pair_count][0] = (uint16_t)a;
                made->pairs[made->pair_count++][1] = (uint16_t)b;
            }
        }
    }
    *features = made;
    return FSATTN_OK;
}

void fsattn_strategy_features_destroy(fsattn_features *features) {
    if (features) {
        fsattn_arena_fini(&features->arena);
        fsattn_free(features);
    }
}

size_t fsattn_strategy_features_count(const fsattn_features *features) {
    size_t count = features->rank_count + features->pair_count;
    return count ? count : 1;
}

size_t fsattn_strategy_features_ranks(const fsattn_features *features) {
    return features->rank_count;
}

void fsattn_strategy_features_of(const fsattn_features *features, uint64_t index, float *vector) {
    fsattn_config config;
    fsattn_enumeration_at(features->enumeration, index, &config);
    float logarithms[fsattn_parameter_limit];
    vector[0] = 0;
    for (size_t i = 0; i < features->rank_count; i++) {
        uint16_t value = config.index[features->parameters[i]];
        vector[i] = features->ranks[i][value];
        logarithms[i] = features->logarithms[i] ? features->logarithms[i][value] : 0;
    }
    for (size_t i = 0; i < features->pair_count; i++) {
        vector[features->rank_count + i] = logarithms[features->pairs[i][0]] + logarithms[features->pairs[i][1]];
    }
}
