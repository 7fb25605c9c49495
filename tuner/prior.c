#include "prior.h"

#include "error.h"
#include "memory.h"
#include "replay_file.h"

#include <math.h>
#include <stdlib.h>

enum { absent = UINT16_MAX };

struct fsattn_prior {
    const fsattn_parameter_set *set;
    fsattn_replay_file *file;
    fsattn_arena arena;
    uint16_t ours[fsattn_parameter_limit];          /* of a parameter of the file: its index in the set */
    uint16_t *to_ours[fsattn_parameter_limit];      /* by value of the file: the value of the set, or absent */
    uint16_t *to_file[fsattn_parameter_limit];      /* by value of the set: the value of the file, or absent */
    const fsattn_replay_entry **order; /* those that worked, the best first */
    size_t count;
    bool has_problem;
    fsattn_problem problem; /* that the file is for */
};

/* Integers of one and reals of the other side may be the same number. */
static bool same(const fsattn_value *a, const fsattn_value *b) {
    const fsattn_value *whole = a->type == FSATTN_VALUE_INT ? a : b, *real = whole == a ? b : a;
    return whole->type == FSATTN_VALUE_INT && real->type == FSATTN_VALUE_REAL ? (double)whole->integer == real->real
                                                                              : fsattn_value_equal(a, b);
}

static fsattn_status match_parameter(fsattn_prior *prior, size_t at, fsattn_err *err) {
    const fsattn_parameter *theirs = &prior->file->parameters.items[at];
    size_t index;
    const fsattn_parameter *mine = fsattn_parameter_find(prior->set, theirs->name, &index);
    if (!mine) {
        fsattn_fail(err, FSATTN_INVALID, "%s: parameter '%s', which %s has not", prior->file->path, theirs->name,
                    prior->set->template_name);
        fsattn_hint(err, "a prior is for the same template: results of another problem or device, or modelled costs");
        return FSATTN_INVALID;
    }
    prior->ours[at] = (uint16_t)index;
    prior->to_ours[at] = fsattn_arena_alloc(&prior->arena, theirs->value_count, sizeof(uint16_t));
    prior->to_file[at] = fsattn_arena_alloc(&prior->arena, mine->value_count, sizeof(uint16_t));
    if (!prior->to_ours[at] || !prior->to_file[at]) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", prior->file->path);
    }
    for (size_t m = 0; m < mine->value_count; m++) {
        prior->to_file[at][m] = absent;
    }
    for (size_t t = 0; t < theirs->value_count; t++) {
        prior->to_ours[at][t] = absent;
        for (size_t m = 0; m < mine->value_count; m++) {
            if (same(&theirs->values[t], &mine->values[m])) {
                prior->to_ours[at][t] = (uint16_t)m;
                prior->to_file[at][m] = (uint16_t)t;
            }
        }
    }
    return FSATTN_OK;
}

/* The order of the file breaks ties. */
static int compare_entries(const void *a, const void *b) {
    const fsattn_replay_entry *x = *(const fsattn_replay_entry *const *)a, *y = *(const fsattn_replay_entry *const *)b;
    return x->cost_ns != y->cost_ns ? (x->cost_ns < y->cost_ns ? -1 : 1) : (x > y) - (x < y);
}

static fsattn_status rank_entries(fsattn_prior *prior, fsattn_err *err) {
    const fsattn_replay_file *file = prior->file;
    prior->order = fsattn_arena_alloc(&prior->arena, file->count, sizeof *prior->order);
    if (!prior->order) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", file->path);
    }
    for (size_t i = 0; i < file->count; i++) {
        prior->order[prior->count] = &file->entries[i];
        prior->count += file->entries[i].verdict == FSATTN_VERDICT_OK;
    }
    if (!prior->count) {
        return fsattn_fail(err, FSATTN_INVALID, "%s: no configuration works there", file->path);
    }
    qsort(prior->order, prior->count, sizeof(const fsattn_replay_entry *), compare_entries);
    return FSATTN_OK;
}

fsattn_status fsattn_prior_open(const char *path, const fsattn_parameter_set *set, fsattn_prior **prior, fsattn_err *err) {
    fsattn_prior *made = fsattn_alloc(1, sizeof *made);
    fsattn_status status = FSATTN_OK;
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", path);
    }
    made->set = set;
    FSATTN_GOTO(fsattn_replay_file_open(path, &made->file, err));
    for (size_t p = 0; p < made->file->parameters.count; p++) {
        FSATTN_GOTO(match_parameter(made, p, err));
    }
    FSATTN_GOTO(rank_entries(made, err));
    made->has_problem = made->file->problem[0] && fsattn_problem_parse(made->file->problem, &made->problem, NULL) == FSATTN_OK;
    *prior = made;
    made = NULL;
out:
    fsattn_prior_close(made);
    return status;
}

static double squared_octaves(double a, double b) {
    const double octaves = log2(a) - log2(b);
    return octaves * octaves;
}

/* Another type or form is farther away than any size. */
static double distance_to(const fsattn_prior *prior, const fsattn_problem *to) {
    static const double another_form = 1e6;
    const fsattn_problem *p = &prior->problem;
    if (!prior->has_problem) {
        return INFINITY;
    }
    const int forms = (p->dtype_q != to->dtype_q) + (p->dtype_kv != to->dtype_kv) + (p->dtype_o != to->dtype_o) + (p->layout != to->layout) +
                      (p->mask != to->mask) + (p->lse != to->lse) + (p->head_dim != to->head_dim);
    return forms * another_form + squared_octaves((double)p->s_q, (double)to->s_q) + squared_octaves((double)p->s_k, (double)to->s_k) +
           squared_octaves((double)p->batch * (double)p->heads_q, (double)to->batch * (double)to->heads_q) +
           squared_octaves((double)p->heads_kv, (double)to->heads_kv);
}

const fsattn_prior *fsattn_prior_choose(const fsattn_prior *const *priors, size_t count, const fsattn_problem *problem) {
    const fsattn_prior *best = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!best || distance_to(priors[i], problem) < distance_to(best, problem)) {
            best = priors[i];
        }
    }
    return best;
}

void fsattn_prior_close(fsattn_prior *prior) {
    if (prior) {
        fsattn_replay_file_close(prior->file);
        fsattn_arena_fini(&prior->arena);
        fsattn_free(prior);
    }
}

double fsattn_prior_cost(const fsattn_prior *prior, const fsattn_config *config) {
    fsattn_config there = {0};
    for (size_t p = 0; p < prior->file->parameters.count; p++) {
        uint16_t value = prior->to_file[p][config->index[prior->ours[p]]];
        if (value == absent) {
            return NAN;
        }
        there.index[p] = value;
    }
    const fsattn_replay_entry *entry = fsattn_replay_file_find(prior->file, &there);
    return entry ? entry->cost_ns : NAN;
}

size_t fsattn_prior_count(const fsattn_prior *prior) {
    return prior->count;
}

double fsattn_prior_best(const fsattn_prior *prior, size_t rank, fsattn_config *config) {
    const fsattn_replay_entry *entry = prior->order[rank];
    if (config) {
        fsattn_config_default(prior->set, config);
    }
    for (size_t p = 0; config && p < prior->file->parameters.count; p++) {
        uint16_t value = prior->to_ours[p][entry->config.index[p]];
        if (value == absent) {
            return NAN;
        }
        config->index[prior->ours[p]] = value;
    }
    return entry->cost_ns;
}
