/* Every instruction by itself: vectors from the manual's definitions (support/conformance*.h) against the simulator's tables, and how
 * many rows have them. FSATTN_SIM_UNCOVERED=1 lists those that have none. */
#include "../support/conformance_other.h"

/* One line of the program, and what runs it. */
typedef struct item {
    const char *mnemonic;
    const void *c;
    int variant;
    void (*run)(const void *c, int variant, const sim_instruction *in);
} item;
typedef struct list {
    item items[4096];
    size_t count;
    fsattn_text text; /* a line for each */
    const char *visited[flow_max]; /* by a program of many instructions */
    size_t visited_count;
} list;

static void add(list *l, item i) {
    cr_assert_lt(l->count, CONF_COUNT(l->items));
    l->items[l->count++] = i;
}
static void run_vector(const void *c, int variant, const sim_instruction *in) {
    uint32_t seed = (uint32_t)in->address + 1;
    for (int round = 0; round < conf_rounds; round++) {
        conf_round(c, (conf_variant)variant, in, round, &seed);
    }
}
static void add_vectors(list *l, const conf_case *cases, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const conf_case *c = &cases[i];
        for (int v = 0; v < conf_variants; v++) {
            if (conf_has(c, (conf_variant)v)) {
                add(l, (item){c->mnemonic, c, v, run_vector});
                conf_write(&l->text, c, (conf_variant)v);
            }
        }
    }
}
static void run_scalar(const void *c, int variant, const sim_instruction *in) { scalar_run(c, variant, in); }
static void add_scalars(list *l) {
    for (size_t i = 0; i < CONF_COUNT(scalar_cases); i++) {
        const scalar_case *c = &scalar_cases[i];
        for (int v = 0; v < scalar_texts(c); v++) {
            add(l, (item){c->mnemonic, c, v, run_scalar});
            scalar_write(&l->text, c, v);
        }
    }
}

static void add_memory(list *l) {
    static memory_list all;
    memory_add_plain(&all);
    memory_add_atomics(&all);
    for (size_t i = 0; i < all.count; i++) {
        add(l, (item){all.cases[i].mnemonic, &all.cases[i], 0, memory_run});
        memory_write(&l->text, &all.cases[i]);
    }
}

static void add_small(list *l) {
    static small_case cases[small_cases_max];
    const size_t count = small_list(cases);
    cr_assert_leq(count, (size_t)small_cases_max);
    for (size_t i = 0; i < count; i++) {
        add(l, (item){cases[i].mnemonic, &cases[i], 0, small_run});
        small_write(&l->text, &cases[i]);
    }
    for (size_t i = 0; i < CONF_COUNT(lane_cases); i++) {
        add(l, (item){lane_cases[i].mnemonic, &lane_cases[i], 0, lane_run});
        fsattn_text_printf(&l->text, "%s %s\n", lane_cases[i].mnemonic, lane_cases[i].text);
    }
    for (size_t i = 0; i < CONF_COUNT(transposed_cases); i++) {
        add(l, (item){transposed_cases[i].mnemonic, &transposed_cases[i], 0, transposed_run});
        fsattn_text_printf(&l->text, "%s v[64:%d], v16\n", transposed_cases[i].mnemonic, 63 + transposed_cases[i].words);
    }
}

static void add_matrices(list *l) {
    static matrix_case cases[matrix_cases_max];
    const size_t count = matrix_list(cases);
    cr_assert_leq(count, (size_t)matrix_cases_max);
    for (size_t i = 0; i < count; i++) {
        add(l, (item){cases[i].mnemonic, &cases[i], 0, matrix_run});
        matrix_write(&l->text, &cases[i]);
    }
}

static void add_written(list *l) {
    for (size_t i = 0; i < CONF_COUNT(written_cases); i++) {
        add(l, (item){written_cases[i].c.mnemonic, &written_cases[i].c, CONF_PLAIN, run_vector});
        fsattn_text_printf(&l->text, "%s\n", written_cases[i].text);
    }
    add(l, (item){"v_trig_preop_f64", NULL, 0, trig_run});
    fsattn_text_puts(&l->text, "v_trig_preop_f64 v[64:65], v[16:17], v24\n");
}

/* The lines as the simulator reads them: from the disassembly of a kernel of inline assembly, behind an s_nop of its own; as they
 * are where there is no compiler. */
static const char marker[] = "s_nop 13";
static char *assembled(const char *lines) { /* with the program of conformance_other.h behind them */
    static const char *const options[] = {"--offload-arch=gfx950", "-O3", NULL};
    fsattn_hiprtc *hiprtc;
    fsattn_err err = {0};
    fsattn_text source = {0};
    char *text = NULL;
    const fsattn_hiprtc_settings settings = {.helper = FSATTN_BINARY_DIR "/bin/fsattn-rocm-helper", .jobs = 1};
    if (fsattn_hiprtc_open(&settings, &hiprtc, &err) != FSATTN_OK) {
        printf("conformance: instructions as written, not assembled: %s\n", err.message);
        return NULL;
    }
    setenv("FSATTN_SIM_CACHE", FSATTN_BINARY_DIR "/sim-cache", 1);
    setenv("FSATTN_ROCM_HELPER", FSATTN_BINARY_DIR "/bin/fsattn-rocm-helper", 1);
    fsattn_text_printf(&source, "extern \"C\" __global__ void vectors() { asm volatile(R\"(%s\n%s%s)\"); }\n", marker, lines, flow_text);
    fsattn_hiprtc_job job = {.source = source.data, .options = options};
    cr_assert_eq(fsattn_hiprtc_compile(hiprtc, &job, 1, INT64_MAX, NULL, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(job.verdict, FSATTN_VERDICT_OK, "%s\n%s", job.reason, job.log ? job.log : "");
    cr_assert_eq(sim_disassemble("vectors", job.code, job.code_bytes, &text, &err), FSATTN_OK, "%s", err.message);
    fsattn_hiprtc_job_fini(&job);
    fsattn_hiprtc_close(hiprtc);
    fsattn_text_fini(&source);
    return text;
}
static char *as_written(const char *lines) {
    fsattn_text text = {0};
    fsattn_text_printf(&text, "0 8 %s\n", marker);
    for (uint32_t at = 8; *lines; at += 8) {
        const size_t length = strcspn(lines, "\n");
        fsattn_text_printf(&text, "%x 8 %.*s\n", at, (int)length, lines);
        lines += length + 1;
    }
    return text.data;
}

static bool open_program(sim_program *program, const char *lines, size_t count, size_t *first) {
    fsattn_err err = {0};
    char *text = assembled(lines);
    const bool whole = text != NULL;
    text = text ? text : as_written(lines);
    cr_assert_eq(sim_program_init(program, "vectors", text, &err), FSATTN_OK, "%s", err.message);
    fsattn_free(text);
    for (*first = 0; *first < program->count && strcmp(program->instructions[*first].text, marker); ++*first) {
    }
    ++*first;
    cr_assert_leq(*first + count, program->count);
    return whole;
}

static bool covered(const list *l, const char *mnemonic) {
    for (size_t i = 0; i < l->count; i++) {
        if (!strcmp(l->items[i].mnemonic, mnemonic)) {
            return true;
        }
    }
    for (size_t i = 0; i < l->visited_count; i++) {
        if (!strcmp(l->visited[i], mnemonic)) {
            return true;
        }
    }
    return false;
}
static void count_rows(const list *l, size_t least) {
    size_t rows = 0, have = 0;
    for (const sim_table *const *t = sim_program_tables(); *t; t++) {
        for (size_t i = 0; i < (*t)->count; i++) {
            const bool one = covered(l, (*t)->rows[i].mnemonic);
            rows++;
            have += one;
            if (!one && getenv("FSATTN_SIM_UNCOVERED")) {
                printf("%s\n", (*t)->rows[i].mnemonic);
            }
        }
    }
    printf("conformance: vectors for %zu of %zu instructions\n", have, rows);
    cr_assert_geq(have, least, "vectors were lost: %zu", have);
}

Test(sim_conformance, instructions_compute_what_the_manual_says, .timeout = 200) {
    static list l;
    sim_program program;
    size_t first;
    conf_wave = fsattn_alloc_aligned(64, 1, sizeof *conf_wave);
    memset(conf_wave, 0, sizeof *conf_wave);
    memory_open();
    add_vectors(&l, vector_cases, CONF_COUNT(vector_cases));
    add_vectors(&l, other_cases, CONF_COUNT(other_cases));
    add_written(&l);
    add_scalars(&l);
    add_memory(&l);
    add_small(&l);
    add_matrices(&l);
    const bool whole = open_program(&program, l.text.data, l.count, &first);
    conf_wave->program = &program;
    l.visited_count = whole ? flow_run(&program, first + l.count, l.visited) : 0;
    for (size_t i = 0; i < l.count; i++) {
        l.items[i].run(l.items[i].c, l.items[i].variant, &program.instructions[first + i]);
    }
    count_rows(&l, whole ? 974 : 931);
    memory_close();
    sim_program_fini(&program);
    fsattn_text_fini(&l.text);
    fsattn_free(conf_wave);
}
