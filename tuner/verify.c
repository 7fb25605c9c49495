#include "verify.h"

#include "error.h"
#include "facts.h"
#include "memory.h"
#include "random.h"
#include "reference.h"
#include "tolerance.h"

#include <math.h>
#include <string.h>

enum { group_rows = 16, group_count = 4, accepted_spread = 16, case_limit = 24 };
/* Of the rows, and one more: those in which a code of P may have moved. */
enum { moved_share = 8 };
/* Spot rows are to find what went grossly wrong somewhere: a tile left out, another head's keys. */
static const double spot_error = 0.5, spot_factor = 1.5; /* of a row, relative; or so many times what the emulation is off by altogether */
static const double spot_work = 1 << 28; /* rows x keys x head_dim, at most */

const char fsattn_verifier_text[] =
    "verify-5: emulation sequential, tolerance 16 x spread; small cases 37x613 (all distributions), 21x45 with batch 2, "
    "heads 4/2 and another scale, 141x141, 70x37 with heads 3/1, 5x70; "
    "whole problem normal, 4 groups of 16 rows, and one row of each group within 0.5 or 1.5 times the emulation; scratch full of NaN; operands of small cases with strides of their own; every timed run digested; accuracy of the worst case";

/* What is expected of one emulation in one case. */
typedef struct expectation {
    struct expectation *next;
    char text[fsattn_emulator_text_bytes];
    float *o, *lse;
    float tolerance, lse_tolerance; /* absolute */
    bool quantized;                 /* P is: some rows may be beyond these, within `moved` */
    fsattn_tolerance moved;
    int64_t rollbacks;
} expectation;

typedef struct fsattn_verify_state {
    fsattn_emulator *emulator; /* NULL until first used */
    char prepared[fsattn_emulator_text_bytes]; /* of the configuration whose operands it holds */
    float *reference;          /* float64, rounded; [rows][d] */
    int64_t *spots;            /* the whole problem: one row in every group of every head, ascending */
    size_t spot_count;
    float *spot_reference;     /* [spots][d] */
    expectation *expectations;
    int64_t *rows;
} verify_state;

typedef struct problem_cases {
    struct problem_cases *next;
    fsattn_problem problem;
    fsattn_verify_case *cases[case_limit];
    size_t count;
} problem_cases;

struct fsattn_verifier {
    uint64_t seed;
    problem_cases *problems;
    fsattn_verify_case **small; /* shared between problems of one kind */
    size_t small_count, small_capacity;
};

fsattn_status fsattn_verifier_emulator(fsattn_manifest *manifest, const fsattn_setting *setting, const fsattn_config *config,
                                       fsattn_emulator_config *emulator, fsattn_err *err) {
    fsattn_pairs pairs;
    FSATTN_TRY(fsattn_manifest_evaluate(manifest, FSATTN_SECTION_EMULATOR, setting, config, &pairs, err));
    fsattn_emulator_config_init(emulator);
    if (!strcmp(manifest->target, "gfx950")) {
        FSATTN_TRY(fsattn_facts_process(&emulator->facts, err));
    }
    for (size_t i = 0; i < pairs.count; i++) {
        fsattn_text text = {0};
        fsattn_value_text(&pairs.items[i].value, &text);
        fsattn_status status = text.failed ? fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for an emulation")
                                           : fsattn_emulator_set(emulator, pairs.items[i].name, text.data, err);
        fsattn_text_fini(&text);
        if (status != FSATTN_OK) {
            return fsattn_context_add(err, status, "%s", manifest->path);
        }
    }
    return FSATTN_OK;
}

fsattn_status fsattn_verifier_create(uint64_t seed, fsattn_verifier **verifier, fsattn_err *err) {
    fsattn_verifier *v = fsattn_alloc(1, sizeof *v);
    if (!v) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for the verifier");
    }
    v->seed = seed;
    *verifier = v;
    return FSATTN_OK;
}

static void case_destroy(fsattn_verify_case *c) {
    if (!c) {
        return;
    }
    for (expectation *e = c->state ? c->state->expectations : NULL, *next; e; e = next) {
        next = e->next;
        fsattn_free(e->o);
        fsattn_free(e->lse);
        fsattn_free(e);
    }
    if (c->state) {
        fsattn_emulator_destroy(c->state->emulator);
        fsattn_free(c->state->reference);
        fsattn_free(c->state->rows);
        fsattn_free(c->state->spots);
        fsattn_free(c->state->spot_reference);
        fsattn_free(c->state);
    }
    fsattn_free(c);
}

void fsattn_verifier_destroy(fsattn_verifier *v) {
    if (!v) {
        return;
    }
    for (problem_cases *p = v->problems, *next; p; p = next) {
        next = p->next;
        for (size_t i = 0; i < p->count; i++) {
            if (p->cases[i]->whole) {
                case_destroy(p->cases[i]);
            }
        }
        fsattn_free(p);
    }
    for (size_t i = 0; i < v->small_count; i++) {
        case_destroy(v->small[i]);
    }
    fsattn_free(v->small);
    fsattn_free(v);
}

/* ---- cases ---- */

static fsattn_verify_case *case_create(const fsattn_verify_case *what) {
    fsattn_verify_case *c = fsattn_alloc(1, sizeof *c);
    if (!c) {
        return NULL;
    }
    *c = *what;
    snprintf(c->name, sizeof c->name, "%s_%lldx%lld", fsattn_distribution_text(c->distribution), (long long)c->problem.s_q,
             (long long)c->problem.s_k);
    c->rows_total = fsattn_problem_rows(&c->problem);
    c->rows = (fsattn_rows){NULL, (size_t)c->rows_total};
    c->state = fsattn_alloc(1, sizeof *c->state);
    if (!c->state) {
        fsattn_free(c);
        return NULL;
    }
    return c;
}

/* First and last group of the problem, and seeded random ones between; ascending, distinct. */
static bool select_rows(fsattn_verify_case *c, uint64_t seed) {
    const int64_t tiles = (c->problem.s_q + group_rows - 1) / group_rows, groups = c->rows_total / c->problem.s_q * tiles;
    int64_t chosen[group_count];
    size_t count = 0;
    for (int i = 0; i < group_count; i++) {
        int64_t group = i == 0   ? 0
                        : i == 1 ? groups - 1
                                 : (int64_t)fsattn_random_below(seed, 77, (uint64_t)i, (uint64_t)groups);
        size_t at = count;
        bool known = false;
        for (size_t k = 0; k < count; k++) {
            known |= chosen[k] == group;
        }
        if (known) {
            continue;
        }
        for (; at > 0 && chosen[at - 1] > group; at--) {
            chosen[at] = chosen[at - 1];
        }
        chosen[at] = group;
        count++;
    }
    c->state->rows = fsattn_alloc(group_count * group_rows, sizeof *c->state->rows);
    if (!c->state->rows) {
        return false;
    }
    c->rows = (fsattn_rows){c->state->rows, 0};
    for (size_t k = 0; k < count; k++) {
        const int64_t head = chosen[k] / tiles, first = chosen[k] % tiles * group_rows;
        for (int64_t i = first; i < first + group_rows && i < c->problem.s_q; i++) {
            c->state->rows[c->rows.count++] = head * c->problem.s_q + i;
        }
    }
    return true;
}

/* One seeded row of every group of 16 rows, or of larger groups where that would take too long. */
static bool select_spots(fsattn_verify_case *c, uint64_t seed) {
    const fsattn_problem *p = &c->problem;
    int64_t group = group_rows;
    while (group < p->s_q && (double)c->rows_total / (double)group * (double)p->s_k * (double)p->head_dim > spot_work) {
        group *= 2;
    }
    const int64_t groups = (p->s_q + group - 1) / group, heads = c->rows_total / p->s_q;
    c->state->spots = fsattn_alloc((size_t)(heads * groups), sizeof *c->state->spots);
    for (int64_t i = 0; c->state->spots && i < heads * groups; i++) {
        const int64_t first = i % groups * group, rows = p->s_q - first < group ? p->s_q - first : group;
        c->state->spots[c->state->spot_count++] =
            i / groups * p->s_q + first + (int64_t)fsattn_random_below(seed, 78, (uint64_t)i, (uint64_t)rows);
    }
    return c->state->spots != NULL;
}

/* The small case like `what`, made when there is none yet; NULL when memory ends. */
static fsattn_verify_case *small_case(fsattn_verifier *v, const fsattn_verify_case *what) {
    for (size_t i = 0; i < v->small_count; i++) {
        const fsattn_verify_case *s = v->small[i];
        if (fsattn_problem_equal(&s->problem, &what->problem) && s->distribution == what->distribution &&
            s->padded == what->padded && s->sampled == what->sampled && s->guarded == what->guarded &&
            s->rescaled == what->rescaled) {
            return v->small[i];
        }
    }
    if (fsattn_grow((void **)&v->small, &v->small_capacity, v->small_count, sizeof *v->small) != 0) {
        return NULL;
    }
    fsattn_verify_case *c = case_create(what);
    if (c && what->sampled && !select_rows(c, v->seed)) {
        case_destroy(c);
        return NULL;
    }
    if (c) {
        v->small[v->small_count++] = c;
    }
    return c;
}

/* The operands of other problems themselves; what is expected of them stays. So memory holds one problem at a time. */
static void forget_operands(fsattn_verifier *v, const problem_cases *but) {
    for (problem_cases *p = v->problems; p; p = p->next) {
        for (size_t i = 0; p != but && i < p->count; i++) {
            if (p->cases[i]->whole) {
                fsattn_emulator_destroy(p->cases[i]->state->emulator);
                p->cases[i]->state->emulator = NULL;
            }
        }
    }
}

static fsattn_status cases_fill(fsattn_verifier *v, problem_cases *p, fsattn_err *err) {
    static const struct {
        int64_t batch, heads_q, heads_kv, s_q, s_k;
        float scale; /* 0: the problem's */
        bool padded;
    } shapes[] = {
        {1, 2, 1, 37, 613, 0, true},
        {2, 4, 2, 21, 45, 0.3f, true}, /* what a kernel takes at run time besides sizes: batch, GQA ratio, scale */
        {1, 1, 1, 141, 141, 0, false},
        {1, 3, 1, 70, 37, 0, false}, /* causal: rows without a live key */
        {1, 1, 1, 5, 70, 0, false},
    };
    fsattn_verify_case what = {.seed = v->seed, .guarded = true};
    for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++) {
        what.problem = p->problem;
        what.problem.batch = shapes[shape].batch;
        what.problem.heads_q = shapes[shape].heads_q;
        what.problem.heads_kv = shapes[shape].heads_kv;
        what.problem.s_q = shapes[shape].s_q;
        what.problem.s_k = shapes[shape].s_k;
        what.problem.scale = shapes[shape].scale != 0 ? shapes[shape].scale : p->problem.scale;
        what.padded = shapes[shape].padded;
        what.rescaled = what.problem.scale != p->problem.scale;
        for (int d = 0; d < (shape == 0 ? fsattn_distribution_count : 1); d++) {
            what.distribution = (fsattn_distribution)d;
            fsattn_verify_case *c = small_case(v, &what);
            if (!c) {
                return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for verification");
            }
            p->cases[p->count++] = c;
        }
    }
    what = (fsattn_verify_case){.problem = p->problem, .distribution = FSATTN_DISTRIBUTION_NORMAL, .seed = v->seed, .whole = true};
    fsattn_verify_case *whole = case_create(&what);
    if (!whole || !select_rows(whole, v->seed) || !select_spots(whole, v->seed)) {
        case_destroy(whole);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for verification");
    }
    p->cases[p->count++] = whole;
    return FSATTN_OK;
}

fsattn_status fsattn_verifier_cases(fsattn_verifier *v, const fsattn_problem *problem,
                                    const fsattn_verify_case *const **cases, size_t *count, fsattn_err *err) {
    problem_cases *p = v->problems;
    while (p && !fsattn_problem_equal(&p->problem, problem)) {
        p = p->next;
    }
    if (!p) {
        p = fsattn_alloc(1, sizeof *p);
        if (!p) {
            return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for verification");
        }
        p->problem = *problem;
        fsattn_status status = cases_fill(v, p, err);
        if (status != FSATTN_OK) {
            fsattn_free(p);
            return status;
        }
        p->next = v->problems;
        v->problems = p;
    }
    forget_operands(v, p);
    *cases = (const fsattn_verify_case *const *)p->cases;
    *count = p->count;
    return FSATTN_OK;
}

/* ---- what is expected ---- */

/* Makes *reference for these rows when it is not there yet. */
static fsattn_status refer(const fsattn_problem *p, const fsattn_operands *operands, fsattn_rows rows, float **reference, fsattn_err *err) {
    if (*reference) {
        return FSATTN_OK;
    }
    float *made = fsattn_alloc(rows.count * (size_t)p->head_dim, sizeof *made);
    if (!made) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for the reference");
    }
    const fsattn_status status = fsattn_reference_attention(p, &operands->qkv, NULL, rows, made, NULL, err);
    if (status != FSATTN_OK) {
        fsattn_free(made);
        return status;
    }
    *reference = made;
    return FSATTN_OK;
}

static fsattn_status prepare(const fsattn_verify_case *c, const fsattn_emulator_config *config, fsattn_err *err) {
    verify_state *state = c->state;
    if (state->emulator && fsattn_emulator_reconfigure(state->emulator, config, NULL) == FSATTN_OK) {
        return FSATTN_OK;
    }
    fsattn_emulator_destroy(state->emulator);
    state->emulator = NULL;
    fsattn_operands operands = {0};
    fsattn_status status = FSATTN_OK;
    FSATTN_GOTO(fsattn_operands_init(&operands, &c->problem, err));
    fsattn_inputs_fill(c->distribution, c->seed, &c->problem, &operands);
    FSATTN_GOTO(refer(&c->problem, &operands, c->rows, &state->reference, err));
    if (state->spots) {
        FSATTN_GOTO(refer(&c->problem, &operands, (fsattn_rows){state->spots, state->spot_count}, &state->spot_reference, err));
    }
    status = fsattn_emulator_create(config, &c->problem, &operands.qkv, NULL, &state->emulator, err);
out:
    fsattn_operands_fini(&operands);
    return status;
}

static float largest_difference(const float *a, const float *b, size_t count) {
    float largest = 0;
    for (size_t i = 0; i < count; i++) {
        const float difference = fabsf(a[i] - b[i]);
        largest = isfinite(difference) && difference > largest ? difference : largest;
    }
    return largest;
}

static float largest_magnitude(const float *x, size_t count) {
    float largest = 0;
    for (size_t i = 0; i < count; i++) {
        largest = isfinite(x[i]) ? fmaxf(largest, fabsf(x[i])) : largest;
    }
    return largest;
}

/* The tolerance is the largest difference between two orders of accumulation in this case, times accepted_spread, and never
 * less than as many roundings of the largest output (a kernel's exponential and division may round differently). */
static fsattn_status expect(const fsattn_verify_case *c, const fsattn_emulator_config *config, expectation *e, fsattn_err *err) {
    FSATTN_TRY(prepare(c, config, err));
    const size_t count = c->rows.count, elements = count * (size_t)c->problem.head_dim;
    fsattn_emulator_config other = *config;
    other.accumulation = FSATTN_ACCUMULATION_EXACT;
    float *o = fsattn_alloc(elements, sizeof *o), *lse = fsattn_alloc(count, sizeof *lse);
    e->o = fsattn_alloc(elements, sizeof *e->o);
    e->lse = fsattn_alloc(count, sizeof *e->lse);
    fsattn_status status = FSATTN_OK;
    if (!o || !lse || !e->o || !e->lse) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for verification");
        goto out;
    }
    fsattn_emulator_output output = {.o = o, .lse = lse};
    FSATTN_GOTO(fsattn_emulator_reconfigure(c->state->emulator, &other, err));
    FSATTN_GOTO(fsattn_emulator_run(c->state->emulator, c->rows, &output, err));
    output.o = e->o;
    output.lse = e->lse;
    FSATTN_GOTO(fsattn_emulator_reconfigure(c->state->emulator, config, err));
    FSATTN_GOTO(fsattn_emulator_run(c->state->emulator, c->rows, &output, err));
    e->rollbacks = output.rollbacks;
    e->tolerance = accepted_spread * fmaxf(largest_difference(e->o, o, elements), largest_magnitude(e->o, elements) * 0x1p-24f);
    e->lse_tolerance =
        accepted_spread * fmaxf(largest_difference(e->lse, lse, count), (1 + largest_magnitude(e->lse, count)) * 0x1p-24f);
    e->quantized = config->p_format != FSATTN_P_F32;
    if (e->quantized) {
        FSATTN_GOTO(fsattn_tolerance_derive_from(c->state->emulator, c->rows, 1u << FSATTN_ACCUMULATION_COARSE, &e->moved, err));
    }
out:
    fsattn_free(o);
    fsattn_free(lse);
    return status;
}

static fsattn_status expectation_of(const fsattn_verify_case *c, const fsattn_emulator_config *config, const expectation **found,
                                    fsattn_err *err) {
    char text[fsattn_emulator_text_bytes];
    fsattn_emulator_config canonical = *config;
    if (canonical.qk_format < FSATTN_OPERAND_INT8) {
        canonical.tile_m = canonical.wave_rows; /* changes nothing but which rows one work item holds; integers share a scale in it */
    }
    fsattn_emulator_text(&canonical, text);
    for (expectation *e = c->state->expectations; e; e = e->next) {
        if (!strcmp(e->text, text)) {
            *found = e;
            return FSATTN_OK;
        }
    }
    expectation *e = fsattn_alloc(1, sizeof *e);
    if (!e) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for verification");
    }
    strcpy(e->text, text);
    fsattn_status status = expect(c, &canonical, e, err);
    if (status != FSATTN_OK) {
        fsattn_free(e->o);
        fsattn_free(e->lse);
        fsattn_free(e);
        return status;
    }
    e->next = c->state->expectations;
    c->state->expectations = e;
    *found = e;
    return FSATTN_OK;
}

fsattn_status fsattn_verifier_small(fsattn_verifier *verifier, const fsattn_verify_case *what, const fsattn_verify_case **c,
                                    fsattn_err *err) {
    *c = small_case(verifier, what);
    return *c ? FSATTN_OK : fsattn_fail(err, FSATTN_NO_MEMORY, "no memory for verification");
}

fsattn_status fsattn_verifier_rollbacks(fsattn_verifier *verifier, const fsattn_verify_case *c,
                                        const fsattn_emulator_config *config, int64_t *rollbacks, fsattn_err *err) {
    const expectation *e = NULL;
    (void)verifier;
    FSATTN_TRY(expectation_of(c, config, &e, err));
    *rollbacks = e->rollbacks;
    return FSATTN_OK;
}

/* ---- judging ---- */

static void place_of(const fsattn_verify_case *c, int64_t row, char text[64]) {
    const int64_t s_q = c->problem.s_q, heads = c->problem.heads_q;
    snprintf(text, 64, "batch %lld head %lld row %lld", (long long)(row / s_q / heads), (long long)(row / s_q % heads),
             (long long)(row % s_q));
}

static bool differs(float got, float expected, float tolerance) {
    if (isnan(expected) || isnan(got)) {
        return isnan(expected) != isnan(got);
    }
    if (isinf(expected) || isinf(got)) {
        return got != expected;
    }
    return !(fabsf(got - expected) <= tolerance);
}

/* One step of the output's type at that value, which rounding may go either way by. */
static float output_step(fsattn_dtype dtype, float value) {
    return dtype == FSATTN_F32 ? 0 : fabsf(value) * (dtype == FSATTN_BF16 ? 0x1p-7f : 0x1p-10f);
}

static void read_row(const fsattn_problem *p, const void *o, fsattn_strides strides, int64_t row, float *to) {
    const int64_t head = row / p->s_q;
    const int64_t offset = head / p->heads_q * strides.b + head % p->heads_q * strides.h + row % p->s_q * strides.s;
    fsattn_elements_read(p->dtype_o, (const char *)o + (size_t)offset * fsattn_dtype_bytes(p->dtype_o), (size_t)p->head_dim, to);
}

static void judge_spots(const fsattn_verify_case *c, const expectation *e, const void *o, fsattn_strides strides, fsattn_outcome *outcome) {
    const size_t d = (size_t)c->problem.head_dim;
    fsattn_comparison emulated = {0};
    fsattn_comparison_add(&emulated, e->o, c->state->reference, c->rows.count * d);
    const double bound = fmax(spot_error, spot_factor * fsattn_comparison_error(&emulated));
    for (size_t i = 0; i < c->state->spot_count; i++) {
        float got[1024];
        fsattn_comparison comparison = {0};
        read_row(&c->problem, o, strides, c->state->spots[i], got);
        fsattn_comparison_add(&comparison, got, c->state->spot_reference + i * d, d);
        const double error = fsattn_comparison_error(&comparison);
        if (!(error <= bound)) {
            char place[64];
            place_of(c, c->state->spots[i], place);
            fsattn_outcome_set(outcome, FSATTN_VERDICT_WRONG, "%s inputs, s_q=%lld s_k=%lld: %s is off by %.3g of itself, expected less than %.2g",
                               fsattn_distribution_text(c->distribution), (long long)c->problem.s_q, (long long)c->problem.s_k, place,
                               error, bound);
            return;
        }
    }
}

/* Rows beyond the spread of accumulation: how many, and what the first one was. */
typedef struct beyond {
    size_t rows;
    char text[fsattn_reason_bytes];
} beyond;

/* One row; *outcome is set when it is beyond what any right kernel gives. */
static void judge_row(const fsattn_verify_case *c, const expectation *e, size_t index, const float *got, const float *lse, beyond *others,
                      fsattn_outcome *outcome) {
    const fsattn_problem *p = &c->problem;
    const size_t d = (size_t)p->head_dim;
    const int64_t row = c->rows.rows ? c->rows.rows[index] : (int64_t)index;
    char place[64], text[fsattn_reason_bytes] = "";
    bool wrong = false;
    place_of(c, row, place);
    for (size_t x = 0; x < d && !wrong; x++) {
        const float expected = e->o[index * d + x], step = output_step(p->dtype_o, expected);
        if (differs(got[x], expected, e->tolerance + step)) {
            wrong = !e->quantized || differs(got[x], expected, (float)e->moved.element + step);
            if (wrong || !text[0]) {
                snprintf(text, sizeof text, "%s inputs, s_q=%lld s_k=%lld: %s element %zu is %.9g, expected %.9g +- %.2g",
                         fsattn_distribution_text(c->distribution), (long long)p->s_q, (long long)p->s_k, place, x, (double)got[x],
                         (double)expected, wrong && e->quantized ? e->moved.element : (double)e->tolerance);
            }
        }
    }
    if (!wrong && p->lse && lse && differs(lse[row], e->lse[index], e->lse_tolerance)) {
        wrong = !e->quantized || differs(lse[row], e->lse[index], (float)e->moved.lse);
        if (wrong || !text[0]) {
            snprintf(text, sizeof text, "%s inputs, s_q=%lld s_k=%lld: %s log-sum-exp is %.9g, expected %.9g +- %.2g",
                     fsattn_distribution_text(c->distribution), (long long)p->s_q, (long long)p->s_k, place, (double)lse[row],
                     (double)e->lse[index], wrong && e->quantized ? e->moved.lse : (double)e->lse_tolerance);
        }
    }
    if (wrong) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_WRONG, "%s", text);
    } else if (text[0] && others->rows++ == 0) {
        memcpy(others->text, text, sizeof text);
    }
}

static void judge_all(const fsattn_verify_case *c, const expectation *e, const beyond *others, const fsattn_comparison *emulated,
                      fsattn_outcome *outcome) {
    const double error = fsattn_comparison_error(emulated);
    if (others->rows > c->rows.count / moved_share + 1) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_WRONG, "%.400s, and so in %zu of %zu rows", others->text, others->rows, c->rows.count);
    } else if (e->quantized && error > e->moved.error) {
        fsattn_outcome_set(outcome, FSATTN_VERDICT_WRONG, "%s inputs, s_q=%lld s_k=%lld: all rows together are off by %.3g of themselves, expected less than %.2g",
                           fsattn_distribution_text(c->distribution), (long long)c->problem.s_q, (long long)c->problem.s_k, error, e->moved.error);
    }
}

fsattn_status fsattn_verifier_judge(fsattn_verifier *verifier, const fsattn_verify_case *c,
                                    const fsattn_emulator_config *config, const void *o, fsattn_strides strides,
                                    const float *lse, fsattn_outcome *outcome, fsattn_comparison *comparison, fsattn_err *err) {
    (void)verifier;
    const expectation *e = NULL;
    FSATTN_TRY(expectation_of(c, config, &e, err));
    const size_t d = (size_t)c->problem.head_dim;
    fsattn_comparison emulated = {0};
    beyond others = {0};
    *outcome = (fsattn_outcome){.verdict = FSATTN_VERDICT_OK};
    for (size_t index = 0; index < c->rows.count; index++) {
        float got[1024];
        read_row(&c->problem, o, strides, c->rows.rows ? c->rows.rows[index] : (int64_t)index, got);
        judge_row(c, e, index, got, lse, &others, outcome);
        if (outcome->verdict != FSATTN_VERDICT_OK) {
            return FSATTN_OK;
        }
        fsattn_comparison_add(&emulated, got, e->o + index * d, d);
        if (comparison) {
            fsattn_comparison_add(comparison, got, c->state->reference + index * d, d);
        }
    }
    judge_all(c, e, &others, &emulated, outcome);
    if (outcome->verdict == FSATTN_VERDICT_OK) {
        judge_spots(c, e, o, strides, outcome);
    }
    return FSATTN_OK;
}

void fsattn_verifier_note(const fsattn_verify_case *c, int64_t rows, const fsattn_comparison *comparison, fsattn_verification *verification) {
    fsattn_accuracy_entry entry = {
        .distribution = fsattn_distribution_text(c->distribution),
        .relative_error = fsattn_comparison_error(comparison),
        .cosine = fmin(fsattn_comparison_cosine(comparison), 1.0),
        .maximum_error = comparison->maximum_error,
        .coverage = (double)c->rows.count / (double)rows,
    };
    if (!c->rescaled) {
        fsattn_verification_add(verification, &entry);
    }
    if (c->distribution == FSATTN_DISTRIBUTION_NORMAL) {
        entry.distribution = c->name;
        fsattn_verification_add(verification, &entry);
    }
}
