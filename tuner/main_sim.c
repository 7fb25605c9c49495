/* fsattn-sim: the modelled time of gfx950 kernels, of one configuration of a template or of any HIP program.
 *
 * A thin front of what the simulator writes when FSATTN_SIM_REPORT and FSATTN_SIM_TRACE are set (docs/simulator.md). */
#include "cli.h"
#include "device.h"
#include "error.h"
#include "evaluator_gpu.h"
#include "file.h"
#include "gpu_link.h"
#include "gpu_worker.h"
#include "memory.h"
#include "output.h"
#include "space.h"
#include "text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char program[] = "fsattn-sim";

typedef struct options {
    const char *config, *problem, *trace, *kernel, *model, *library;
} options;

static fsattn_status set(const char *name, const char *value, fsattn_err *err) {
    return setenv(name, value, 1) ? fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory") : FSATTN_OK;
}

/* ---- any program ------------------------------------------------------------------------------------------ */

static fsattn_status run_program(const options *o, char **argv, int *exit_status, fsattn_err *err) {
    fsattn_text folder = {0};
    const char *slash = strrchr(o->library, '/'), *old = getenv("LD_LIBRARY_PATH");
    fsattn_text_add(&folder, o->library, slash ? (size_t)(slash - o->library) : 0);
    fsattn_text_printf(&folder, "%s%s%s", slash ? "" : ".", old ? ":" : "", old ? old : "");
    fsattn_status status = folder.failed ? fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory")
                                         : set("LD_LIBRARY_PATH", folder.data, err);
    fsattn_text_fini(&folder);
    FSATTN_TRY(status);
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        execvp(argv[0], argv);
        fprintf(stderr, "%s: cannot run %s: %s\n", program, argv[0], strerror(errno));
        _exit(127);
    }
    int state = 0;
    if (child < 0 || waitpid(child, &state, 0) < 0) {
        return fsattn_fail_errno(err, errno, "%s", argv[0]);
    }
    *exit_status = WIFEXITED(state) ? WEXITSTATUS(state) : 128 + WTERMSIG(state);
    return FSATTN_OK;
}

/* ---- a configuration of a template ------------------------------------------------------------------------- */

typedef struct memory {
    fsattn_device *device;
    fsattn_module *modules[fsattn_gpu_stage_limit];
    void *blocks[8];
    size_t count;
} memory;

static void memory_fini(memory *m) {
    for (size_t i = 0; i < m->count; i++) {
        fsattn_device_release(m->device, m->blocks[i]);
    }
    for (size_t i = 0; i < fsattn_gpu_stage_limit; i++) {
        fsattn_module_unload(m->modules[i]);
    }
    fsattn_device_close(m->device);
}
static fsattn_status take(memory *m, size_t bytes, void **block, fsattn_err *err) {
    FSATTN_TRY(fsattn_device_allocate(m->device, bytes, block, err));
    m->blocks[m->count++] = *block;
    return FSATTN_OK;
}
/* Normal inputs as the stored type. */
static fsattn_status put(memory *m, const float *values, int64_t count, fsattn_dtype dtype, void **block, fsattn_err *err) {
    const size_t bytes = (size_t)count * fsattn_dtype_bytes(dtype);
    void *host = fsattn_alloc(bytes, 1);
    fsattn_status status = host ? take(m, bytes, block, err) : fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    if (status == FSATTN_OK) {
        fsattn_elements_write(dtype, values, (size_t)count, host);
        status = fsattn_device_copy(m->device, *block, host, bytes, NULL, err);
    }
    fsattn_free(host);
    return status;
}

static fsattn_status launch_chain(memory *m, const fsattn_variant *v, const fsattn_gpu_chain *chain, const fsattn_problem *part,
                                  const fsattn_problem *charged, const fsattn_gpu_operands *at, fsattn_err *err) {
    for (size_t i = 0; i < chain->count; i++) {
        fsattn_gpu_arguments arguments;
        fsattn_launch launch;
        fsattn_kernel *kernel;
        const fsattn_stage *s = &v->chain[i];
        FSATTN_TRY(fsattn_module_load(m->device, s->entry, s->code.data, s->code.bytes, NULL, &m->modules[i], err));
        FSATTN_TRY(fsattn_kernel_get(m->modules[i], s->entry, &kernel, err));
        FSATTN_TRY(fsattn_gpu_stage_launch(chain, i, part, at, &arguments, &launch, err));
        launch.charged_groups = chain->stages[i].rule == FSATTN_GPU_PACK_AMAX ? 0 : fsattn_gpu_stage_blocks(&chain->stages[i], charged);
        FSATTN_TRY(fsattn_kernel_launch(kernel, &launch, NULL, err));
    }
    return fsattn_stream_synchronize(m->device, NULL, err);
}

static fsattn_status run_chain(const options *o, const fsattn_variant *v, const fsattn_problem *p, fsattn_err *err) {
    const fsattn_device_options device = {.name = "sim", .library = o->library};
    fsattn_gpu_chain chain;
    fsattn_gpu_workspace space;
    fsattn_operands values = {0};
    memory m = {0};
    FSATTN_TRY(fsattn_gpu_chain_read(v->chain, v->chain_count, &chain, err));
    const fsattn_problem part = fsattn_gpu_tile_of(p, chain.stages[chain.count - 1].tile_m);
    fsattn_status status;
    FSATTN_GOTO(fsattn_gpu_workspace_of(&chain, &part, &space, err));
    FSATTN_GOTO(fsattn_operands_init(&values, &part, err));
    fsattn_inputs_fill(FSATTN_DISTRIBUTION_NORMAL, 1, &part, &values);
    FSATTN_GOTO(fsattn_device_open(&device, &m.device, err));
    const int64_t d = part.head_dim, rows_q = part.s_q, rows_k = part.s_k;
    const fsattn_strides q = fsattn_strides_dense(part.layout, 1, rows_q, d), k = fsattn_strides_dense(part.layout, 1, rows_k, d);
    fsattn_gpu_operands at = {.q = {NULL, q.b, q.h, q.s}, .k = {NULL, k.b, k.h, k.s}, .v = {NULL, k.b, k.h, k.s}, .o = {NULL, q.b, q.h, q.s}};
    void *lse = NULL;
    FSATTN_GOTO(put(&m, values.qkv.q, rows_q * d, part.dtype_q, &at.q.data, err));
    FSATTN_GOTO(put(&m, values.qkv.k, rows_k * d, part.dtype_kv, &at.k.data, err));
    FSATTN_GOTO(put(&m, values.qkv.v, rows_k * d, part.dtype_kv, &at.v.data, err));
    FSATTN_GOTO(take(&m, (size_t)(rows_q * d) * fsattn_dtype_bytes(part.dtype_o), &at.o.data, err));
    FSATTN_GOTO(take(&m, (size_t)rows_q * sizeof(float), &lse, err));
    FSATTN_GOTO(take(&m, space.bytes, &at.workspace, err));
    at.lse = part.lse ? lse : NULL;
    FSATTN_GOTO(launch_chain(&m, v, &chain, &part, p, &at, err));
out:
    memory_fini(&m);
    fsattn_operands_fini(&values);
    return status;
}

/* "name" of one of the space's problems, or a problem's text. */
static fsattn_status find_problem(const fsattn_space *space, const char *text, fsattn_problem *problem, fsattn_err *err) {
    for (size_t i = 0; space && text && i < space->problem_count; i++) {
        if (!strcmp(space->problems[i].name, text) || !strcmp(space->problems[i].entry, text)) {
            *problem = space->problems[i].problem;
            return FSATTN_OK;
        }
    }
    return fsattn_problem_parse(text ? text : "hq=16 hkv=16 sq=4096 sk=4096 q=bf16 kv=bf16 o=bf16", problem, err);
}

static fsattn_status run_template(const char *path, const options *o, fsattn_err *err) {
    const size_t length = strlen(path);
    const bool is_space = length > 5 && !strcmp(path + length - 5, ".yaml");
    fsattn_space *space = NULL;
    fsattn_manifest *own = NULL;
    fsattn_evaluator *evaluator = NULL;
    fsattn_variant *variant = NULL;
    fsattn_outcome outcome = {.verdict = FSATTN_VERDICT_OK};
    fsattn_problem problem;
    fsattn_config config;
    fsattn_status status;
    FSATTN_GOTO(is_space ? fsattn_space_load(path, NULL, &space, err) : fsattn_manifest_open(path, &own, err));
    fsattn_manifest *manifest = is_space ? space->manifest : own;
    if (strcmp(manifest->target, "gfx950")) {
        status = fsattn_fail(err, FSATTN_UNSUPPORTED, "%s: template %s is for %s, not for gfx950", path, manifest->name, manifest->target);
        goto out;
    }
    FSATTN_GOTO(find_problem(space, o->problem, &problem, err));
    FSATTN_GOTO(fsattn_config_parse(&manifest->parameters, o->config, &config, err));
    const fsattn_evaluator_gpu_options settings = {.manifest = manifest, .device = "sim", .library = o->library, .seed = 1};
    FSATTN_GOTO(fsattn_evaluator_gpu_open(&settings, &evaluator, err));
    FSATTN_GOTO(evaluator->ops->render(evaluator, &problem, &config, &variant, &outcome, err));
    if (variant) {
        FSATTN_GOTO(evaluator->ops->build(evaluator, &variant, 1, INT64_MAX, &outcome, err));
    }
    if (outcome.verdict != FSATTN_VERDICT_OK) {
        status = fsattn_fail(err, FSATTN_INVALID, "%s: %s: %s", manifest->name, fsattn_verdict_text(outcome.verdict), outcome.reason);
        goto out;
    }
    FSATTN_GOTO(set("FSATTN_SIM_KERNEL", o->kernel ? o->kernel : manifest->entry, err));
    FSATTN_GOTO(run_chain(o, variant, &problem, err));
out:
    if (evaluator) {
        evaluator->ops->release(evaluator, variant);
        evaluator->ops->close(evaluator);
    }
    fsattn_manifest_close(own);
    fsattn_space_destroy(space);
    return status;
}

/* ---- the report ------------------------------------------------------------------------------------------- */

/* An empty file for the simulator's texts, and what else it is to write. */
static fsattn_status prepare(const options *o, const char *input, char report[], fsattn_err *err) {
    const fsattn_output_own own[] = {{input, "the input", false}};
    const fsattn_output trace = {o->trace, "--trace", &fsattn_output_trace_kind, own, sizeof own / sizeof own[0]};
    const char *folder = getenv("TMPDIR");
    fsattn_text path = {0};
    fsattn_text_printf(&path, "%s/fsattn-sim.XXXXXX", folder && folder[0] ? folder : "/tmp");
    if (path.failed || path.bytes >= 4096) {
        fsattn_text_fini(&path);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "no path for a temporary file");
    }
    const int fd = mkstemp(path.data);
    if (fd < 0) {
        const fsattn_status status = fsattn_fail_errno(err, errno, "%s", path.data);
        fsattn_text_fini(&path);
        return status;
    }
    close(fd);
    strcpy(report, path.data);
    fsattn_text_fini(&path);
    FSATTN_TRY(set("FSATTN_SIM_REPORT", report, err));
    FSATTN_TRY(o->kernel ? set("FSATTN_SIM_KERNEL", o->kernel, err) : FSATTN_OK);
    FSATTN_TRY(o->model ? set("FSATTN_SIM_TIME", o->model, err) : FSATTN_OK);
    if (o->trace) {
        FSATTN_TRY(fsattn_output_check(&trace, err));
        FSATTN_TRY(fsattn_file_publishable(o->trace, err));
        FSATTN_TRY(set("FSATTN_SIM_TRACE", o->trace, err));
    }
    return FSATTN_OK;
}

static fsattn_status print_report(const char *path, fsattn_err *err) {
    char *text;
    size_t bytes;
    FSATTN_TRY(fsattn_file_read(path, (size_t)1 << 30, &text, &bytes, err));
    fwrite(text, 1, bytes, stdout);
    fsattn_free(text);
    if (!bytes) {
        fsattn_fail(err, FSATTN_NOT_FOUND, "no kernel was launched on the simulator");
        fsattn_hint(err, "the program must load libamdhip64.so.7 by the loader's path; --kernel names one of its kernels");
        return FSATTN_NOT_FOUND;
    }
    return FSATTN_OK;
}

static fsattn_status run(options *o, char **command, const char *path, int *exit_status, fsattn_err *err) {
    char report[4096] = "", *library = NULL;
    fsattn_status status = FSATTN_OK;
    if (o->model && strcmp(o->model, "pessimistic") && strcmp(o->model, "optimistic")) {
        return fsattn_fail(err, FSATTN_USAGE, "--model: expected pessimistic or optimistic, got '%s'", o->model);
    }
    FSATTN_TRY(fsattn_gpu_library("sim", NULL, &library, err));
    o->library = library;
    FSATTN_GOTO(prepare(o, command ? command[0] : path, report, err));
    FSATTN_GOTO(command ? run_program(o, command, exit_status, err) : run_template(path, o, err));
    status = *exit_status ? FSATTN_OK : print_report(report, err);
out:
    if (report[0]) {
        unlink(report);
    }
    fsattn_free(library);
    return status;
}

int main(int argc, char **argv) {
    options o = {.config = ""};
    const fsattn_option table[] = {
        {"--config", "TEXT", FSATTN_OPTION_TEXT, &o.config, 0, 0, "of a template: \"name=value ...\" (default: its defaults)"},
        {"--problem", "TEXT", FSATTN_OPTION_TEXT, &o.problem, 0, 0,
         "of a template: a problem of the space, or its text (default: 16 heads of 4096)"},
        {"--trace", "FILE", FSATTN_OPTION_TEXT, &o.trace, 0, 0, "write the longest launch as a Chrome trace"},
        {"--kernel", "NAME", FSATTN_OPTION_TEXT, &o.kernel, 0, 0, "kernels of that name alone (default: the template's own; of a program: all)"},
        {"--model", "NAME", FSATTN_OPTION_TEXT, &o.model, 0, 0, "which figure the trace shows: pessimistic or optimistic (default: pessimistic)"},
    };
    const fsattn_command about = {
        program, "SPACE.yaml|TEMPLATE [options] | [options] -- PROGRAM [ARGUMENT...]",
        "Modelled time of gfx950 kernels: cycles, units, and where the waves' cycles went.", table, sizeof table / sizeof *table,
        "A template's configuration runs one tile of queries of one head on normal inputs; the launch is charged for all. PROGRAM is any\n"
        "HIP program that loads code objects. Nothing is measured here: docs/simulator.md says what the model knows.\n"};
    const char *path = NULL;
    char **command = NULL;
    size_t count = 0;
    int own = argc, exit_status = 0;
    bool help = false;
    fsattn_err err = {0};
    fsattn_cli_begin();
    for (int i = 1; i < own; i++) {
        if (!strcmp(argv[i], "--")) {
            command = argv + i + 1;
            own = i;
        }
    }
    fsattn_status status = fsattn_cli_parse(&about, own, argv, &path, 1, &count, &help, &err);
    if (status == FSATTN_OK && help) {
        fsattn_cli_help(stdout, &about);
        return fsattn_cli_end(program, status, &err);
    }
    if (status == FSATTN_OK && (count == 1) == (command && command[0])) {
        status = fsattn_fail(&err, FSATTN_USAGE, "which kernel?");
        fsattn_hint(&err, "name a space or a template (%s templates/attention_gfx950), or a program behind --", program);
    }
    if (status == FSATTN_OK) {
        status = run(&o, count ? NULL : command, path, &exit_status, &err);
    }
    const int ended = fsattn_cli_end(program, status, &err);
    return ended ? ended : exit_status;
}
