/* fsattn-rivals: softmax methods in one frame. Each is a configuration of the same template, compiled, executed, verified against its
 * own emulation; the table has its cost beside its error. */
#include "cli.h"
#include "error.h"
#include "evaluator_gpu.h"
#include "inspect_report.h"
#include "memory.h"
#include "paper.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "fsattn-rivals";

/* X(method, configuration, the paper's kernel or ""). Formats of Q K, P, V; what is not named is the template's default. */
#define RIVAL_LIST(X)                                                                                        \
    X("BF16, online, exp2",\
      "qk_format=bf16 p_format=bf16 v_format=bf16 softmax=online reduction=fp32 exponential=exact row_sum=vector", "") \
    X("BF16, fused", "qk_format=bf16 p_format=bf16 v_format=bf16", "bf16") \
    X("MXFP8, online, exp2",\
      "qk_format=mxfp8 p_format=fp8_row v_format=fp8 softmax=online reduction=fp32 exponential=exact row_sum=vector", "") \
    X("MXFP8, lazy, polynomial",\
      "qk_format=mxfp8 p_format=fp8_row v_format=fp8 softmax=lazy reduction=fp32 exponential=polynomial row_sum=vector", "") \
    X("MXFP8, VC-Attention U8",\
      "qk_format=mxfp8 p_format=fp8_row v_format=fp8 softmax=online reduction=fp32 exponential=schraudolph_u8", "") \
    X("MXFP8, fused", "qk_format=mxfp8 p_format=fp8_row v_format=fp8", "mxfp8") \
    X("MXFP8, fused, ping-pong", "qk_format=mxfp8 p_format=fp8_row v_format=fp8 schedule=pingpong depth=3 priority=true", "") \
    X("MXFP6, online, exp2", "softmax=online reduction=fp32 exponential=exact row_sum=vector", "") \
    X("MXFP6, lazy, polynomial", "softmax=lazy reduction=fp32 exponential=polynomial row_sum=vector", "") \
    X("MXFP6, fused", "qk_format=mxfp6", "mxfp6") \
    X("MXFP6, fused, maximum3", "reduction=maximum3", "") \
    X("MXFP6, fused, ping-pong", "schedule=pingpong depth=3 priority=true", "") \
    X("MXFP4, online, exp2",\
      "qk_format=mxfp4 v_format=mxfp4 softmax=online reduction=fp32 exponential=exact row_sum=vector", "") \
    X("MXFP4, Direct-P",\
      "qk_format=mxfp4 p_format=mxfp4 v_format=mxfp4 softmax=online reduction=fp32 exponential=direct_p", "") \
    X("MXFP4, fused", "qk_format=mxfp4 v_format=mxfp4", "mxfp4") \
    X("MXFP4, fused, ping-pong", "qk_format=mxfp4 v_format=mxfp4 schedule=pingpong depth=3 priority=true", "")

static const struct {
    const char *method, *config, *paper;
} rivals[] = {
#define X(method, config, paper) {method, config, paper},
    RIVAL_LIST(X)
#undef X
};
enum { rival_count = sizeof rivals / sizeof rivals[0], seed_limit = 32 };

typedef struct rivals_options {
    const char *templates, *device, *only;
    int64_t keys, seeds;
} rivals_options;

typedef struct frame {
    rivals_options options;
    fsattn_manifest *manifest;
    fsattn_evaluator *evaluators[seed_limit]; /* one for the inputs of each seed */
    fsattn_evaluator *evaluator;              /* the one at work */
    fsattn_evaluator *optimist;               /* the other model's times; NULL: the environment says which one is wanted, or nothing is modelled */
    fsattn_hiprtc *hiprtc;
    double baseline_cycles; /* of the first row */
    int failed;
} frame;

typedef struct row {
    double cycles;  /* of a compute unit for one tile of keys, in the steady state; NaN: unknown */
    double optimistic;
    double error, cosine;
    size_t vector, matrix;
    uint32_t vgprs;
    char verdict[fsattn_reason_bytes + 32];
} row;

static fsattn_problem problem_of(int64_t keys) {
    fsattn_problem p;
    fsattn_problem_init(&p);
    p.s_q = 256;
    p.s_k = keys;
    p.head_dim = 128;
    p.dtype_q = p.dtype_kv = p.dtype_o = FSATTN_BF16;
    return p;
}

/* Time of attention alone, which stands in the stage's attributes once it has run. */
static double stage_time(const fsattn_variant *variant) {
    const fsattn_stage *attention = &variant->chain[variant->chain_count - 1];
    double time_ns = (double)NAN;
    for (size_t i = 0; i < attention->attribute_count; i++) {
        time_ns = strcmp(attention->attributes[i].name, "time_ns") ? time_ns : strtod(attention->attributes[i].value, NULL);
    }
    return time_ns;
}

/* Everything is verified when `verification` is not NULL; otherwise it only runs. NaN without a good outcome. */
static fsattn_status time_of(fsattn_evaluator *evaluator, fsattn_variant *variant, int64_t keys, fsattn_verification *verification, double *time_ns,
                             fsattn_outcome *outcome, fsattn_err *err) {
    const fsattn_evaluator_ops *ops = evaluator->ops;
    const fsattn_problem problem = problem_of(keys);
    fsattn_trial *trial = NULL;
    double sample_ns;
    size_t got;
    *time_ns = (double)NAN;
    FSATTN_TRY(ops->start(evaluator, variant, &problem, INT64_MAX, &trial, outcome, err));
    fsattn_status status = FSATTN_OK;
    if (outcome->verdict == FSATTN_VERDICT_OK && verification) {
        status = ops->verify(trial, INT64_MAX, verification, outcome, err);
        if (status == FSATTN_OK && outcome->verdict == FSATTN_VERDICT_OK && ops->prove) {
            status = ops->prove(trial, INT64_MAX, verification, outcome, err);
        }
    } else if (outcome->verdict == FSATTN_VERDICT_OK) {
        status = ops->sample(trial, 1, false, INT64_MAX, &sample_ns, &got, outcome, err);
    }
    ops->stop(trial);
    if (status == FSATTN_OK && outcome->verdict == FSATTN_VERDICT_OK) {
        *time_ns = stage_time(variant);
    }
    return status;
}

/* The problem's own error, not the worst of the small ones. */
static void take_error(const fsattn_verification *verification, const fsattn_problem *p, row *made) {
    char name[64];
    snprintf(name, sizeof name, "normal_%lldx%lld", (long long)p->s_q, (long long)p->s_k);
    for (size_t i = 0; i < verification->accuracy_count; i++) {
        if (!strcmp(verification->accuracies[i].distribution, name)) {
            made->error = verification->accuracies[i].relative_error;
            made->cosine = verification->accuracies[i].cosine;
        }
    }
}

/* The loop's instructions, from the compiled code. */
static fsattn_status count_loop(frame *f, const fsattn_variant *variant, row *made, fsattn_err *err) {
    fsattn_text listing = {0};
    fsattn_code_object object = {0};
    const fsattn_blob *code = &variant->stage.code;
    fsattn_status status = FSATTN_OK;
    fsattn_loop *loop = fsattn_alloc(1, sizeof *loop);
    if (!loop) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", program);
    }
    FSATTN_GOTO(fsattn_code_object_init(&object, f->manifest->name, code->data, code->bytes, "gfx950", err));
    const fsattn_code_kernel *kernel = fsattn_code_object_kernel(&object, f->manifest->entry);
    made->vgprs = kernel ? kernel->vgprs : 0;
    FSATTN_GOTO(fsattn_hiprtc_disassemble(f->hiprtc, code->data, code->bytes, "gfx950", &listing, err));
    if (fsattn_inspect_loop(listing.data, f->manifest->entry, loop, NULL) == FSATTN_OK) {
        made->vector = loop->units[FSATTN_UNIT_VECTOR];
        made->matrix = loop->units[FSATTN_UNIT_MATRIX];
    }
out:
    fsattn_text_fini(&listing);
    fsattn_code_object_fini(&object);
    fsattn_free(loop);
    return status;
}

/* Two numbers of keys, whose difference is the steady state. */
static fsattn_status cycles_of(frame *f, fsattn_evaluator *evaluator, fsattn_variant *variant, fsattn_verification *verification, double *cycles,
                               fsattn_outcome *outcome, fsattn_err *err) {
    const double clock_ghz = 2.4;
    double half_ns, whole_ns;
    FSATTN_TRY(time_of(evaluator, variant, f->options.keys, verification, &whole_ns, outcome, err));
    if (outcome->verdict == FSATTN_VERDICT_OK) {
        FSATTN_TRY(time_of(evaluator, variant, f->options.keys / 2, NULL, &half_ns, outcome, err));
        *cycles = (whole_ns - half_ns) * clock_ghz / ((double)f->options.keys / 2 / (double)variant->stage.tile_n);
    }
    return FSATTN_OK;
}

static fsattn_status measure(frame *f, fsattn_variant *variant, row *made, fsattn_outcome *outcome, fsattn_err *err) {
    const fsattn_problem problem = problem_of(f->options.keys);
    fsattn_verification verification = {0};
    FSATTN_TRY(f->evaluator->ops->build(f->evaluator, &variant, 1, INT64_MAX, outcome, err));
    if (outcome->verdict != FSATTN_VERDICT_OK) {
        return FSATTN_OK;
    }
    FSATTN_TRY(count_loop(f, variant, made, err));
    FSATTN_TRY(cycles_of(f, f->evaluator, variant, &verification, &made->cycles, outcome, err));
    take_error(&verification, &problem, made);
    return f->optimist && outcome->verdict == FSATTN_VERDICT_OK ? cycles_of(f, f->optimist, variant, NULL, &made->optimistic, outcome, err) : FSATTN_OK;
}

static fsattn_status run_row(frame *f, const char *text, row *made, fsattn_err *err) {
    const fsattn_evaluator_ops *ops = f->evaluator->ops;
    const fsattn_problem problem = problem_of(f->options.keys);
    fsattn_config config;
    fsattn_variant *variant = NULL;
    fsattn_outcome outcome;
    *made = (row){.cycles = NAN, .optimistic = NAN, .error = NAN, .cosine = NAN};
    FSATTN_TRY(fsattn_config_parse(&f->manifest->parameters, text, &config, err));
    FSATTN_TRY(ops->render(f->evaluator, &problem, &config, &variant, &outcome, err));
    fsattn_status status = variant ? measure(f, variant, made, &outcome, err) : FSATTN_OK;
    ops->release(f->evaluator, variant);
    snprintf(made->verdict, sizeof made->verdict, "%s%s%s", fsattn_verdict_text(outcome.verdict), outcome.reason[0] ? ": " : "",
             outcome.reason);
    f->failed += outcome.verdict != FSATTN_VERDICT_OK;
    return status;
}

/* Of a tile: 4 * 256 * 128 * 128 FLOP on one of 256 units at 2.4 GHz. A rate in TFLOP/s times cycles. */
static const double tile_rate = 4.0 * 256 * 128 * 128 * 256 * 2.4e9 / 1e12;

/* Cycles of a compute unit for one tile, from the paper's rate. NaN: it has none. */
static double paper_cycles(const char *kernel) {
    static const struct {
        const char *kernel;
        double tflops;
    } rows[] = {
#define X(kernel, tflops, ratio) {kernel, tflops},
        FSATTN_PAPER_LIST(X)
#undef X
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!strcmp(rows[i].kernel, kernel)) {
            return tile_rate / rows[i].tflops;
        }
    }
    return (double)NAN;
}

/* A modelled figure this far from the paper's is the model's error before it is anybody's speed. */
static const double believed_gap = 0.25;

static void print_paper(const frame *f, const char *kernel, const row *r) {
    const double cycles = paper_cycles(kernel), ratios[] = {r->cycles / cycles, r->optimistic / cycles};
    bool doubted = false;
    if (isnan(cycles)) {
        printf(" %7s %6s", "-", "-");
    } else {
        printf(" %7.0f %6.2f", cycles, ratios[0]);
        doubted = f->evaluator->platform.provenance == FSATTN_MODELLED && fabs(ratios[0] - 1) > believed_gap;
    }
    if (!isnan(r->optimistic)) {
        printf(" %10.0f %8.0f", r->optimistic, tile_rate / r->optimistic);
        if (isnan(ratios[1])) {
            printf(" %6s", "-");
        } else {
            printf(" %6.2f", ratios[1]);
        }
    }
    printf("%s\n", doubted ? "  the model's error" : "");
}

static void print_row(frame *f, const char *method, const char *paper, const row *r) {
    printf("%-26s", method);
    if (isnan(r->cycles)) {
        printf(" %8s %8s %8zu %7zu %6u %9s %9s  %s\n", "-", "-", r->vector, r->matrix, r->vgprs, "-", "-", r->verdict);
        return;
    }
    f->baseline_cycles = f->baseline_cycles > 0 ? f->baseline_cycles : r->cycles;
    printf(" %8.0f %7.2fx %8zu %7zu %6u %9.4f %9.6f %8.0f", r->cycles, f->baseline_cycles / r->cycles, r->vector, r->matrix, r->vgprs, r->error,
           r->cosine, tile_rate / r->cycles);
    print_paper(f, paper, r);
}

static fsattn_status open_frame(frame *f, fsattn_err *err) {
    char path[4096];
    snprintf(path, sizeof path, "%s/attention_gfx950", f->options.templates);
    const fsattn_status found = fsattn_manifest_open(path, &f->manifest, err);
    if (found == FSATTN_IO || found == FSATTN_NOT_FOUND) {
        fsattn_hint(err, "start it in the source folder, or name the folder of the kernel templates with --templates");
    }
    FSATTN_TRY(found);
    const fsattn_hiprtc_settings one = {.jobs = 1};
    for (int64_t i = 0; i < f->options.seeds; i++) {
        const fsattn_evaluator_gpu_options options = {.manifest = f->manifest, .device = f->options.device, .seed = (uint64_t)i + 1};
        FSATTN_TRY(fsattn_evaluator_gpu_open(&options, &f->evaluators[i], err));
    }
    f->evaluator = f->evaluators[0];
    if (f->evaluator->platform.provenance == FSATTN_MODELLED && !getenv("FSATTN_SIM_TIME")) {
        const fsattn_evaluator_gpu_options options = {.manifest = f->manifest, .device = f->options.device, .seed = 1};
        if (setenv("FSATTN_SIM_TIME", "optimistic", 1)) {
            return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", program);
        }
        const fsattn_status status = fsattn_evaluator_gpu_open(&options, &f->optimist, err);
        unsetenv("FSATTN_SIM_TIME");
        FSATTN_TRY(status);
    }
    return fsattn_hiprtc_open(&one, &f->hiprtc, err);
}

/* All seeds of a method: errors are averaged in the square, since what is averaged are norms. */
static fsattn_status run_seeds(frame *f, const char *text, row *made, fsattn_err *err) {
    double squares = 0, cosines = 0;
    for (int64_t i = 0; i < f->options.seeds; i++) {
        f->evaluator = f->evaluators[i];
        FSATTN_TRY(run_row(f, text, made, err));
        squares += made->error * made->error;
        cosines += made->cosine;
        if (isnan(made->cycles)) {
            return FSATTN_OK;
        }
    }
    made->error = sqrt(squares / (double)f->options.seeds);
    made->cosine = cosines / (double)f->options.seeds;
    return FSATTN_OK;
}

static fsattn_status table(frame *f, fsattn_err *err) {
    FSATTN_TRY(open_frame(f, err));
    printf("%s, %s; 256 queries, d=128, %s cycles of a compute unit for one tile of keys, steady state of %lld keys; normal inputs, %lld seed%s\n",
           f->evaluator->platform.device, f->evaluator->platform.driver,
           f->evaluator->platform.provenance == FSATTN_MODELLED ? "modelled" : "measured", (long long)f->options.keys,
           (long long)f->options.seeds, f->options.seeds == 1 ? "" : "s");
    printf("%-26s %8s %8s %8s %7s %6s %9s %9s %8s %7s %6s%s\n", "method", "cycles", "speed-up", "vector", "matrix", "VGPRs", "error", "cosine",
           "TFLOP/s", "paper", "ratio", f->optimist ? " optimistic  TFLOP/s  ratio" : "");
    for (size_t i = 0; i < rival_count; i++) {
        row made;
        if (f->options.only && !strstr(rivals[i].method, f->options.only)) {
            continue;
        }
        FSATTN_TRY(run_seeds(f, rivals[i].config, &made, err));
        print_row(f, rivals[i].method, rivals[i].paper, &made);
        fflush(stdout);
    }
    printf("vector, matrix: instructions of one wave in the main loop; speed-up: over the first row\n"
           "TFLOP/s: of the kernel alone on 256 compute units, all busy, at 2.4 GHz\n"
           "paper: cycles from its TFLOP/s on hardware; ratio: ours to those, and a gap above 25 %% says how wrong the model is\n%s",
           f->optimist ? "cycles: of the pessimistic model; optimistic: of the other, with its rate and ratio\n" : "");
    return f->failed ? fsattn_fail(err, FSATTN_MISMATCH, "%d methods are not right", f->failed) : FSATTN_OK;
}

int main(int argc, char **argv) {
    frame f = {.options = {.templates = "templates", .device = "sim", .keys = 4096, .seeds = 1}};
    const fsattn_option rows[] = {
        {"--device", "DEVICE", FSATTN_OPTION_TEXT, &f.options.device, 0, 0, "sim or hip (default: sim)"},
        {"--templates", "FOLDER", FSATTN_OPTION_TEXT, &f.options.templates, 0, 0, "kernel templates (default: templates)"},
        {"--keys", "N", FSATTN_OPTION_INT, &f.options.keys, 512, 1 << 20, "keys of the problem (default: 4096)"},
        {"--seeds", "N", FSATTN_OPTION_INT, &f.options.seeds, 1, seed_limit, "inputs that errors are averaged over (default: 1)"},
        {"--only", "TEXT", FSATTN_OPTION_TEXT, &f.options.only, 0, 0, "only methods with that in their name (default: all)"},
    };
    const fsattn_command command = {program, "[options]", "Softmax methods in one frame: cycles, instructions, error.", rows,
                                    sizeof rows / sizeof rows[0], NULL};
    size_t count;
    bool help = false;
    fsattn_err err = {0};
    fsattn_cli_begin();
    fsattn_status status = fsattn_cli_parse(&command, argc, argv, NULL, 0, &count, &help, &err);
    if (status == FSATTN_OK && help) {
        fsattn_cli_help(stdout, &command);
    } else if (status == FSATTN_OK) {
        status = table(&f, &err);
    }
    fsattn_hiprtc_close(f.hiprtc);
    for (size_t i = 0; i < seed_limit && f.evaluators[i]; i++) {
        f.evaluators[i]->ops->close(f.evaluators[i]);
    }
    if (f.optimist) {
        f.optimist->ops->close(f.optimist);
    }
    fsattn_manifest_close(f.manifest);
    return fsattn_cli_end(program, status, &err);
}
