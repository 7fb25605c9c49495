/* cache_fixture.h - for tests: cache files with records of the test's own making, and attention in double to
 * compare with. */
#ifndef FSATTN_TEST_CACHE_FIXTURE_H
#define FSATTN_TEST_CACHE_FIXTURE_H

#include "cpu.h"
#include "fsc.h"
#include "host_abi.h"
#include "host_object.h"

#include <math.h>
#include <string.h>

/* A problem from its text. Tests write a base and what differs from it: of a field that stands twice the last one counts. */
static inline fsattn_status test_problem_parse(const char *text, fsattn_problem *problem, fsattn_err *err) {
    char once[2 * fsattn_problem_text_bytes] = "";
    size_t used = 0;
    for (const char *word = text + strspn(text, " "); *word;) {
        size_t bytes = strcspn(word, " "), name = strcspn(word, "= ") + 1;
        const char *next = word + bytes + strspn(word + bytes, " ");
        bool again = false;
        for (const char *later = next; *later; later += strcspn(later, " "), later += strspn(later, " ")) {
            again = again || !strncmp(later, word, name);
        }
        if (!again && used + bytes + 2 <= sizeof once) {
            memcpy(once + used, word, bytes);
            memcpy(once + used + bytes, " ", 2);
            used += bytes + 1;
        }
        word = next;
    }
    return fsattn_problem_parse(once, problem, err);
}

/* A record with everything it points to; test_record_init makes one that this machine can run. */
typedef struct test_record {
    fsattn_fsc_record record;
    fsattn_stage stage;
    fsattn_accuracy_entry accuracy;
    fsattn_cpu cpu;
} test_record;

/* A winner of 1 ms with an accuracy that serves most requests. The code is borrowed; "code" when NULL, which
 * can be looked up and not be run. */
static inline void test_record_init(test_record *made, const char *problem, const char *code, size_t bytes) {
    fsattn_err err;
    fsattn_cpu_detect(&made->cpu);
    made->accuracy = (fsattn_accuracy_entry){.distribution = "normal",
                                             .relative_error = 1e-6,
                                             .cosine = 0.999999,
                                             .maximum_error = 1e-5,
                                             .coverage = 1};
    made->stage = (fsattn_stage){.name = "attention",
                                 .entry = "fsattn_attention",
                                 .work_items = "query_tiles",
                                 .tile_m = 16,
                                 .tile_n = 1,
                                 .scratch_bytes = 128 * sizeof(float)};
    made->stage.code =
        code ? (fsattn_blob){.data = code, .bytes = bytes} : (fsattn_blob){.data = "code", .bytes = 4};
    made->record = (fsattn_fsc_record){
        .role = FSATTN_ROLE_WINNER,
        .target = FSATTN_TARGET_HOST,
        .isa = made->cpu.arch,
        .abi = FSATTN_HOST_ABI,
        .flexible = FSATTN_FLEXIBLE_SIZES | FSATTN_FLEXIBLE_SCALE | FSATTN_FLEXIBLE_GQA,
        .template_name = "naive",
        .configuration = "tile_m=16",
        .stages = &made->stage,
        .stage_count = 1,
        .accuracies = &made->accuracy,
        .accuracy_count = 1,
        .cost = {.median_ns = 1e6,
                 .minimum_ns = 1e6,
                 .spread_ns = 1e3,
                 .samples = 10,
                 .machine = "test",
                 .device = made->cpu.model,
                 .units = made->cpu.cores,
                 .driver = "host",
                 .policy = "test"},
        .compiler = "test",
        .options = "-O2",
    };
    if (test_problem_parse(problem, &made->record.problem, &err) != FSATTN_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
}

static inline void test_record_time(test_record *record, double median_ns) {
    record->record.cost.median_ns = record->record.cost.minimum_ns = median_ns;
}

static inline fsattn_fsc_writer *test_writer(void) {
    fsattn_fsc_writer *writer;
    if (fsattn_fsc_writer_create(&writer, NULL) != FSATTN_OK) {
        abort();
    }
    return writer;
}

static inline void test_add(fsattn_fsc_writer *writer, const test_record *record) {
    fsattn_err err;
    if (fsattn_fsc_writer_add(writer, &record->record, &err) != FSATTN_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
}

/* Publishes and destroys the writer. */
static inline void test_publish(fsattn_fsc_writer *writer, const char *path) {
    fsattn_err err;
    if (fsattn_fsc_writer_publish(writer, NULL, path, &err) != FSATTN_OK) {
        fprintf(stderr, "%s\n", err.message);
        abort();
    }
    fsattn_fsc_writer_destroy(writer);
}

/* ---- float32 operands, and what must come out ------------------------------------------------- */

typedef struct test_operands {
    fsattn_problem problem;
    float *q, *k, *v, *o, *lse;
} test_operands;

static inline float *test_numbers(int64_t count, unsigned seed) {
    float *made = malloc((size_t)count * sizeof *made);
    for (int64_t i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        made[i] = (float)(seed >> 8) / (1 << 23) - 1;
    }
    return made;
}

static inline void test_operands_init(test_operands *made, const fsattn_problem *problem) {
    int64_t queries = problem->batch * problem->heads_q * problem->s_q;
    int64_t keys = problem->batch * problem->heads_kv * problem->s_k;
    *made = (test_operands){.problem = *problem,
                            .q = test_numbers(queries * problem->head_dim, 1),
                            .k = test_numbers(keys * problem->head_dim, 2),
                            .v = test_numbers(keys * problem->head_dim, 3),
                            .o = test_numbers(queries * problem->head_dim, 4),
                            .lse = problem->lse ? test_numbers(queries, 5) : NULL};
}

static inline void test_operands_fini(test_operands *operands) {
    free(operands->q);
    free(operands->k);
    free(operands->v);
    free(operands->o);
    free(operands->lse);
}

static inline fsattn_arguments test_arguments(const test_operands *operands) {
    return (fsattn_arguments){.size = sizeof(fsattn_arguments),
                              .q.data = operands->q,
                              .k.data = operands->k,
                              .v.data = operands->v,
                              .o.data = operands->o,
                              .lse = operands->lse};
}

/* Offset of a dense row. */
static inline int64_t test_row(const fsattn_problem *p, int64_t heads, int64_t rows, int64_t b, int64_t h,
                               int64_t s) {
    int64_t row = p->layout == FSATTN_BSHD ? (b * rows + s) * heads + h : (b * heads + h) * rows + s;
    return row * p->head_dim;
}

/* Largest difference between o and lse, dense, and attention in double. NaN counts as infinite. */
static inline double test_error(const test_operands *t) {
    const fsattn_problem *p = &t->problem;
    double worst = 0, scale = p->scale != 0 ? (double)p->scale : 1 / sqrt((double)p->head_dim);
    for (int64_t index = 0; index < p->batch * p->heads_q * p->s_q; index++) {
        int64_t i = index % p->s_q, h = index / p->s_q % p->heads_q, b = index / (p->s_q * p->heads_q);
        int64_t live = p->mask == FSATTN_MASK_CAUSAL ? i + 1 + p->s_k - p->s_q : p->s_k;
        const float *q = t->q + test_row(p, p->heads_q, p->s_q, b, h, i);
        double sum[256] = {0}, total = 0;
        for (int64_t j = 0; j < live; j++) {
            int64_t at = test_row(p, p->heads_kv, p->s_k, b, h / (p->heads_q / p->heads_kv), j);
            double dot = 0;
            for (int64_t d = 0; d < p->head_dim; d++) {
                dot += (double)q[d] * t->k[at + d];
            }
            double weight = exp(dot * scale);
            total += weight;
            for (int64_t d = 0; d < p->head_dim; d++) {
                sum[d] += weight * t->v[at + d];
            }
        }
        for (int64_t d = 0; d < p->head_dim; d++) {
            double difference =
                fabs(t->o[test_row(p, p->heads_q, p->s_q, b, h, i) + d] - (total > 0 ? sum[d] / total : 0));
            worst = difference <= worst ? worst : difference == difference ? difference : INFINITY;
        }
        if (t->lse && total > 0) {
            double difference = fabs(t->lse[index] - log(total));
            worst = difference <= worst ? worst : difference == difference ? difference : INFINITY;
        }
    }
    return worst;
}

#endif
