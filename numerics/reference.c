#include "reference.h"

#include "error.h"
#include "gemm.h"
#include "memory.h"
#include "parallel.h"

#include <math.h>
#include <stdatomic.h>

enum { lanes = fsattn_gemm_lanes };

typedef struct reference_work {
    const fsattn_problem *problem;
    const fsattn_qkv *qkv;
    const fsattn_block_mask *blocks;
    fsattn_rows rows;
    float *o, *lse;
    const size_t *groups; /* first selected row of each group; groups[group_count] is the end */
    atomic_bool no_memory;
} reference_work;

static int64_t row_at(const reference_work *w, size_t index) {
    return w->rows.rows ? w->rows.rows[index] : (int64_t)index;
}

/* What one group of up to `lanes` rows of one head needs. */
typedef struct group {
    int count;
    int64_t i[lanes]; /* query index of each */
    int64_t keys;     /* keys that any of them may see come before this one */
    double *q, *s, *o;
    uint8_t *dead;    /* NULL when no key below `keys` is masked for any row */
} group;

static bool tail_masked(const reference_work *w, const group *g) {
    if (w->blocks) {
        return true;
    }
    return w->problem->mask == FSATTN_MASK_CAUSAL && g->count > 0 &&
           g->i[0] + w->problem->s_k - w->problem->s_q + 1 < g->keys;
}

static void softmax(const reference_work *w, group *g, double maximum[lanes], double sum[lanes]) {
    for (int r = 0; r < g->count; r++) {
        maximum[r] = (double)-INFINITY;
        bool any = false, poisoned = false;
        for (int64_t j = 0; j < g->keys; j++) {
            bool live = fsattn_key_live(w->problem, w->blocks, g->i[r], j);
            if (g->dead) {
                g->dead[j * lanes + r] = !live;
            }
            if (live) {
                double s = g->s[j * lanes + r];
                any = true;
                poisoned |= isnan(s);
                maximum[r] = fmax(maximum[r], s);
            }
        }
        sum[r] = 0;
        for (int64_t j = 0; j < g->keys; j++) {
            double *s = &g->s[j * lanes + r];
            *s = g->dead && g->dead[j * lanes + r] ? 0 : exp2(*s - maximum[r]);
            sum[r] += *s;
        }
        if (!any) {
            sum[r] = 0;
        } else if (poisoned) {
            sum[r] = (double)NAN;
        }
    }
}

static void attend(void *context, int64_t item) {
    reference_work *w = context;
    const fsattn_problem *p = w->problem;
    const int d = (int)p->head_dim;
    const size_t first = w->groups[item];
    const int64_t head = row_at(w, first) / p->s_q, b = head / p->heads_q, h = head % p->heads_q;
    const int64_t h_kv = h / (p->heads_q / p->heads_kv);
    group g = {.count = (int)(w->groups[item + 1] - first)};
    for (int r = 0; r < g.count; r++) {
        g.i[r] = row_at(w, first + (size_t)r) % p->s_q;
    }
    g.keys = p->s_k;
    if (p->mask == FSATTN_MASK_CAUSAL) {
        int64_t end = g.i[g.count - 1] + p->s_k - p->s_q + 1;
        g.keys = end < 0 ? 0 : end < g.keys ? end : g.keys;
    }
    g.q = fsattn_alloc_aligned(64, (size_t)(d * lanes), sizeof(double));
    g.o = fsattn_alloc_aligned(64, (size_t)(d * lanes), sizeof(double));
    g.s = fsattn_alloc_aligned(64, (size_t)(g.keys * lanes) + lanes, sizeof(double));
    g.dead = tail_masked(w, &g) ? fsattn_alloc((size_t)(g.keys * lanes) + lanes, 1) : NULL;
    if (!g.q || !g.o || !g.s || (tail_masked(w, &g) && !g.dead)) {
        atomic_store(&w->no_memory, true);
        goto out;
    }
    const double scale = (double)fsattn_problem_scale(p) * 1.4426950408889634074;
    for (int r = 0; r < g.count; r++) {
        const float *q = w->qkv->q + b * w->qkv->q_strides.b + h * w->qkv->q_strides.h + g.i[r] * w->qkv->q_strides.s;
        for (int e = 0; e < d; e++) {
            g.q[e * lanes + r] = (double)q[e] * scale;
        }
    }
    const float *k = w->qkv->k + b * w->qkv->k_strides.b + h_kv * w->qkv->k_strides.h;
    const float *v = w->qkv->v + b * w->qkv->v_strides.b + h_kv * w->qkv->v_strides.h;
    double maximum[lanes], sum[lanes];
    fsattn_gemm_scores_double(g.q, k, w->qkv->k_strides.s, g.keys, d, g.s);
    softmax(w, &g, maximum, sum);
    bool finite = true;
    for (int64_t j = 0; g.dead && finite && j < g.keys; j++) {
        for (int e = 0; e < d; e++) {
            finite &= isfinite(v[j * w->qkv->v_strides.s + e]) != 0;
        }
    }
    fsattn_gemm_values_double(g.s, v, w->qkv->v_strides.s, g.keys, d, finite ? NULL : g.dead, g.o);
    for (int r = 0; r < g.count; r++) {
        float *o = w->o + (first + (size_t)r) * (size_t)d;
        for (int e = 0; e < d; e++) {
            o[e] = sum[r] == 0 ? 0 : (float)(g.o[e * lanes + r] / sum[r]);
        }
        if (w->lse) {
            w->lse[first + (size_t)r] =
                sum[r] == 0 ? -INFINITY : (float)((maximum[r] + log2(sum[r])) * 0.69314718055994530942);
        }
    }
out:
    fsattn_free(g.q);
    fsattn_free(g.o);
    fsattn_free(g.s);
    fsattn_free(g.dead);
}

fsattn_status fsattn_reference_attention(const fsattn_problem *problem, const fsattn_qkv *qkv,
                                         const fsattn_block_mask *blocks, fsattn_rows rows, float *o, float *lse,
                                         fsattn_err *err) {
    reference_work w = {.problem = problem, .qkv = qkv, .blocks = blocks, .rows = rows, .o = o, .lse = lse};
    if (!rows.rows) {
        w.rows.count = (size_t)fsattn_problem_rows(problem);
    }
    size_t *groups = fsattn_alloc(w.rows.count + 1, sizeof *groups), count = 0;
    if (!groups) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for the reference");
    }
    for (size_t i = 0; i < w.rows.count; i++) {
        if (count == 0 || i - groups[count - 1] == lanes ||
            row_at(&w, i) / problem->s_q != row_at(&w, groups[count - 1]) / problem->s_q) {
            groups[count++] = i;
        }
    }
    groups[count] = w.rows.count;
    w.groups = groups;
    fsattn_parallel_for(0, (int64_t)count, attend, &w);
    fsattn_free(groups);
    return atomic_load(&w.no_memory) ? fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for the reference") : FSATTN_OK;
}
