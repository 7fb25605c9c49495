/* A sound kernel is never called wrong, whatever the inputs; a slightly wrong one always is. A thousand seeds each. */
#include "device.h"
#include "host_abi.h"
#include "../support/host_object.h"
#include "methods.h"
#include "verify.h"

#include <math.h>

enum { seeds = 1000 };

typedef struct rig {
    fsattn_device *device;
    fsattn_kernel *kernel;
    fsattn_emulator_config emulation;
} rig;

/* Runs the smallest case of that seed and judges its output, with one element moved by `share` of itself. */
static fsattn_verdict judge(const rig *r, uint64_t seed, float share) {
    fsattn_problem problem;
    fsattn_verifier *verifier;
    const fsattn_verify_case *const *cases, *c = NULL;
    size_t count;
    fsattn_operands in;
    fsattn_outcome outcome;
    fsattn_err err = {0};
    if (fsattn_problem_parse("sq=9 sk=50 d=64 mask=causal lse=1", &problem, &err) || fsattn_verifier_create(seed, &verifier, &err) ||
        fsattn_verifier_cases(verifier, &problem, &cases, &count, &err)) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    for (size_t i = 0; i < count; i++) {
        c = cases[i]->problem.s_q == 5 ? cases[i] : c;
    }
    problem = c->problem;
    float *o = calloc(5 * 64, sizeof *o), lse[5];
    const fsattn_strides q = fsattn_strides_dense(problem.layout, 1, 5, 64), kv = fsattn_strides_dense(problem.layout, 1, 70, 64);
    if (fsattn_operands_init(&in, &problem, &err)) {
        exit(1);
    }
    fsattn_inputs_fill(c->distribution, c->seed, &problem, &in);
    const fsattn_host_args args = {.q = in.qkv.q, .k = in.qkv.k, .v = in.qkv.v, .o = o, .lse = lse, .batch = 1, .heads_q = 1,
                                   .heads_kv = 1, .s_q = 5, .s_k = 70, .q_stride_s = q.s, .k_stride_s = kv.s, .v_stride_s = kv.s,
                                   .o_stride_s = q.s, .scale = fsattn_problem_scale(&problem)};
    const fsattn_launch launch = {.arguments = &args, .argument_bytes = sizeof args, .work_items = 1, .scratch_bytes = 4096};
    if (fsattn_kernel_launch(r->kernel, &launch, NULL, &err)) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    float *element = &o[seed * 2654435761u % (5 * 64)];
    *element += share * fmaxf(fabsf(*element), 0.05f);
    if (fsattn_verifier_judge(verifier, c, &r->emulation, o, q, lse, &outcome, NULL, &err)) {
        fprintf(stderr, "%s\n", err.message);
        exit(1);
    }
    if (share == 0 && outcome.verdict != FSATTN_VERDICT_OK) {
        fprintf(stderr, "seed %llu: %s\n", (unsigned long long)seed, outcome.reason);
    }
    fsattn_operands_fini(&in);
    fsattn_verifier_destroy(verifier);
    free(o);
    return outcome.verdict;
}

int main(void) {
    rig r = {0};
    char folder[64];
    size_t bytes;
    fsattn_module *module;
    fsattn_err err = {0};
    const fsattn_device_options options = {.name = "host", .threads = 1};
    test_folder(folder);
    char *object = test_object(folder, "-DCAUSAL=1", &bytes);
    if (fsattn_device_open(&options, &r.device, &err) || fsattn_module_load(r.device, "naive", object, bytes, NULL, &module, &err) ||
        fsattn_kernel_get(module, "fsattn_attention", &r.kernel, &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    fsattn_emulator_config_init(&r.emulation);
    if (fsattn_emulator_apply(&r.emulation, "softmax=online exponential=exact accumulation=sequential tile_n=128 tile_m=8 wave_rows=8", &err)) {
        fprintf(stderr, "%s\n", err.message);
        return 1;
    }
    int rejected = 0, passed = 0;
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        rejected += judge(&r, seed, 0) != FSATTN_VERDICT_OK;
        passed += judge(&r, seed, 3e-4f) != FSATTN_VERDICT_WRONG;
    }
    printf("%d seeds: %d sound results rejected, %d wrong ones passed\n", seeds, rejected, passed);
    fsattn_free(object);
    fsattn_module_unload(module);
    fsattn_device_close(r.device);
    fsattn_folder_remove(folder, NULL);
    return rejected || passed;
}
