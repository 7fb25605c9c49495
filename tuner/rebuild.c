#include "rebuild.h"

#include "compare.h"
#include "device.h"
#include "error.h"
#include "file.h"
#include "gpu_chain.h"
#include "hiprtc.h"
#include "inputs.h"
#include "keys.h"
#include "reference.h"
#include "template.h"
#include "toolchain.h"
#include "trust.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Sizes of the proof, with tails of every usual tile; a kernel that takes its sizes at run time is proved on no more. */
enum { proof_queries = 300, proof_keys = 333, compared_rows = 4096, seed = 7 };
/* Another problem and another order of sums than the record's: so much more error is still the same kernel. */
static const double allowance = 2, rounding = 1e-5, lse_rounding = 1e-3;

/* What is compiled and run with. */
typedef struct shop {
    const fsattn_rebuild_settings *settings;
    fsattn_target target;
    fsattn_device *device;
    const fsattn_device_properties *place;
    fsattn_toolchain toolchain; /* host */
    fsattn_hiprtc *hiprtc;      /* otherwise */
    fsattn_workplace workplace;
    char *proof; /* path of the cache file that is proved */
} shop;

/* What is compiled at once, and what comes of it. */
typedef struct unit {
    fsattn_blob source;
    const char **options; /* NULL-terminated */
    size_t option_count;
    const char *options_text; /* joined by one space */
    fsattn_blob code;
} unit;

/* One record on its way; everything is in the arena. */
typedef struct product {
    fsattn_arena arena;
    fsattn_fsc_record record;
} product;

static fsattn_status no_memory(fsattn_err *err) {
    return fsattn_fail(err, FSATTN_NO_MEMORY, "no memory to compile a record anew");
}

static int64_t deadline_of(const shop *s) {
    return s->settings->deadline_ns ? s->settings->deadline_ns : INT64_MAX;
}

static bool is_out_of_time(const shop *s) {
    return fsattn_clock_ns() >= deadline_of(s);
}

static fsattn_status out_of_time(fsattn_err *err) {
    return fsattn_fail(err, FSATTN_COMPILE, "the time limit is over, nothing was published");
}

/* ---- options -------------------------------------------------------------------------------- */

/* Of a device's "gfx950:sramecc+:xnack-" what the compiler is told: all of it, since that is what will run. */
static const char *resolved_option(const shop *s, product *p, char *option) {
    static const char architecture[] = "--offload-arch=";
    return strncmp(option, architecture, strlen(architecture)) ? option : fsattn_arena_printf(&p->arena, "%s%s", architecture, s->place->isa);
}

static fsattn_status resolve_options(const shop *s, product *p, const char *from, unit *u, fsattn_err *err) {
    char *text = fsattn_arena_strdup(&p->arena, from ? from : "");
    const size_t limit = text ? strlen(text) / 2 + 2 : 0;
    const char **kept = text ? fsattn_arena_alloc(&p->arena, limit, sizeof *kept) : NULL;
    fsattn_text joined = {0};
    size_t count = 0;
    char *place = NULL;
    if (!kept) {
        return no_memory(err);
    }
    for (char *word = strtok_r(text, " ", &place); word; word = strtok_r(NULL, " ", &place)) {
        if (s->target == FSATTN_TARGET_HOST && fsattn_toolchain_adds(word)) {
            continue; /* it adds those for this processor */
        }
        if (!(kept[count++] = resolved_option(s, p, word))) {
            return no_memory(err);
        }
    }
    u->options = kept;
    u->option_count = count;
    if (s->target == FSATTN_TARGET_HOST) {
        u->options = fsattn_toolchain_options(&s->toolchain, kept, count, &p->arena, &u->option_count);
    }
    for (size_t i = 0; u->options && i < u->option_count; i++) {
        fsattn_text_printf(&joined, "%s%s", i ? " " : "", u->options[i]);
    }
    u->options_text = joined.failed || !u->options ? NULL : fsattn_arena_strdup(&p->arena, joined.data ? joined.data : "");
    fsattn_text_fini(&joined);
    return u->options_text ? FSATTN_OK : no_memory(err);
}

/* ---- compiling ------------------------------------------------------------------------------ */

/* What a compiler says is one line; the code is copied into the arena. */
static fsattn_status take(product *p, unit *u, bool cut, fsattn_verdict verdict, const char *reason, const void *code,
                          size_t bytes, fsattn_err *err) {
    if (cut) {
        return out_of_time(err);
    }
    if (verdict != FSATTN_VERDICT_OK) {
        return fsattn_fail(err, FSATTN_COMPILE, "its source does not compile here: %s", reason);
    }
    void *copy = fsattn_arena_alloc(&p->arena, bytes, 1);
    if (!copy) {
        return no_memory(err);
    }
    memcpy(copy, code, bytes);
    u->code = (fsattn_blob){copy, bytes, fsattn_hash_of(copy, bytes)};
    return FSATTN_OK;
}

static fsattn_status nothing_more(void *context, size_t index, fsattn_err *err) {
    (void)context;
    (void)index;
    (void)err;
    return FSATTN_OK;
}

static fsattn_status compile_host(shop *s, product *p, unit *u, fsattn_err *err) {
    fsattn_compilation job = {.source = u->source.data, .source_bytes = u->source.bytes, .options = u->options};
    fsattn_status status = fsattn_toolchain_compile(&s->toolchain, &job, 1, deadline_of(s), NULL, nothing_more, NULL, err);
    if (status == FSATTN_OK) {
        status = take(p, u, job.cut, job.verdict, job.reason, job.code, job.code_bytes, err);
    }
    fsattn_compilation_fini(&job);
    return status;
}

static fsattn_status compile_gpu(shop *s, product *p, unit *u, fsattn_err *err) {
    char *source = fsattn_strndup(u->source.data, u->source.bytes);
    fsattn_hiprtc_job job = {.source = source, .options = u->options};
    fsattn_status status = source ? fsattn_hiprtc_compile(s->hiprtc, &job, 1, deadline_of(s), NULL, err) : no_memory(err);
    if (status == FSATTN_OK) {
        status = take(p, u, job.cut, job.verdict, job.reason, job.code, job.code_bytes, err);
    }
    fsattn_hiprtc_job_fini(&job);
    fsattn_free(source);
    return status;
}

static fsattn_status compile(shop *s, product *p, fsattn_blob source, const char *options, unit *u, fsattn_err *err) {
    u->source = source;
    FSATTN_TRY(resolve_options(s, p, options, u, err));
    return s->target == FSATTN_TARGET_HOST ? compile_host(s, p, u, err) : compile_gpu(s, p, u, err);
}

/* Every code object of the record anew, each once however many stages have it: attention's, which is the last stage's, from the
 * record's source, others from their stage's. One that has no source stays as it is; the proof shows whether it runs. */
static fsattn_status compile_stages(shop *s, product *p, unit *attention, fsattn_err *err) {
    fsattn_fsc_record *r = &p->record;
    const fsattn_hash last = r->stages[r->stage_count - 1].code.hash;
    fsattn_stage *stages = fsattn_arena_alloc(&p->arena, r->stage_count, sizeof *stages);
    if (!stages) {
        return no_memory(err);
    }
    FSATTN_TRY(compile(s, p, r->source, r->options, attention, err));
    for (size_t i = 0; i < r->stage_count; i++) {
        const fsattn_hash *before = &r->stages[i].code.hash;
        unit own = {0};
        size_t same = 0;
        stages[i] = r->stages[i];
        while (same < i && fsattn_hash_compare(&r->stages[same].code.hash, before)) {
            same++;
        }
        if (!fsattn_hash_compare(before, &last)) {
            stages[i].code = attention->code;
        } else if (same < i) {
            stages[i].code = stages[same].code;
            stages[i].options = stages[same].options;
        } else if (stages[i].source.bytes) {
            FSATTN_TRY(compile(s, p, stages[i].source, stages[i].options, &own, err));
            stages[i].code = own.code;
            stages[i].options = own.options_text;
        }
    }
    r->stages = stages;
    return FSATTN_OK;
}

/* Everything that is launched, with the code of every stage: a result with another launch is another result. */
static fsattn_status launch_text(const fsattn_fsc_record *r, fsattn_text *text) {
    for (size_t i = 0; i < r->stage_count; i++) {
        const fsattn_stage *s = &r->stages[i];
        char hex[fsattn_hash_hex_bytes];
        fsattn_hash_hex(&s->code.hash, hex);
        fsattn_text_printf(text, "code=%s entry=%s work_items=%s tile_m=%lld tile_n=%lld threads=%u lds=%u scratch_bytes=%llu", hex, s->entry,
                           s->work_items, (long long)s->tile_m, (long long)s->tile_n, s->threads, s->lds_bytes,
                           (unsigned long long)s->scratch_bytes);
        for (size_t k = 0; k < s->attribute_count; k++) {
            fsattn_text_printf(text, " %s=%s", s->attributes[k].name, s->attributes[k].value);
        }
        fsattn_text_puts(text, "; ");
    }
    return text->failed ? FSATTN_NO_MEMORY : FSATTN_OK;
}

/* Of a GPU's source as the tuner has it: what is compiled, without the comment that names the configuration. */
static fsattn_status set_keys(const shop *s, product *p, const unit *attention, fsattn_err *err) {
    fsattn_fsc_record *r = &p->record;
    fsattn_text code = {0}, launch = {0};
    char *source = fsattn_strndup(r->source.data, r->source.bytes);
    fsattn_build_fields build = {.source = r->source.data, .source_bytes = r->source.bytes, .options = attention->options,
                                 .option_count = attention->option_count, .compiler = r->compiler};
    fsattn_status status = source ? launch_text(r, &launch) : FSATTN_NO_MEMORY;
    if (status == FSATTN_OK && s->target != FSATTN_TARGET_HOST) {
        fsattn_template_code(source, &code);
        build.source = code.data;
        build.source_bytes = code.bytes;
        status = code.failed ? FSATTN_NO_MEMORY : FSATTN_OK;
    }
    if (status == FSATTN_OK) {
        r->build_key = fsattn_key_build(&build);
        const fsattn_result_fields result = {.build_key = r->build_key, .launch = launch.data, .device = r->cost.device,
                                             .units = r->cost.units, .driver = r->cost.driver, .policy = r->cost.policy,
                                             .problem = &r->problem};
        r->result_key = fsattn_key_result(&result);
    }
    fsattn_text_fini(&launch);
    fsattn_text_fini(&code);
    fsattn_free(source);
    return status == FSATTN_OK ? status : no_memory(err);
}

/* The record with the new code, its compiler and its keys. */
static fsattn_status set_record(const shop *s, product *p, const unit *attention, fsattn_err *err) {
    fsattn_fsc_record *r = &p->record;
    const bool host = s->target == FSATTN_TARGET_HOST;
    r->options = attention->options_text;
    r->isa = fsattn_arena_strdup(&p->arena, host ? s->toolchain.isa : s->place->isa);
    r->compiler = fsattn_arena_strdup(&p->arena, host ? s->toolchain.identity : fsattn_hiprtc_identity(s->hiprtc));
    r->cost.policy = fsattn_arena_printf(&p->arena, "%s; compiled anew, times of the record it comes from", r->cost.policy);
    if (!r->isa || !r->compiler || !r->cost.policy) {
        return no_memory(err);
    }
    return set_keys(s, p, attention, err);
}

/* ---- proving -------------------------------------------------------------------------------- */

static fsattn_problem proof_problem(const fsattn_fsc_record *record) {
    fsattn_problem p = record->problem;
    if (record->flexible & FSATTN_FLEXIBLE_SIZES) {
        p.batch = 1;
        p.heads_q /= p.heads_kv;
        p.heads_kv = 1;
        p.s_q = p.s_q < proof_queries ? p.s_q : proof_queries;
        p.s_k = p.s_k < proof_keys ? p.s_k : proof_keys;
    }
    return p;
}

/* Operands in the device's memory, as stored; `o` and the log-sum-exp full of NaN, so that what was not written is found. */
typedef struct proof {
    fsattn_problem problem;
    fsattn_operands operands;
    void *host[4], *device[4]; /* q, k, v, o */
    size_t bytes[4];
    float *host_lse;
    void *lse;
    fsattn_context *context;
} proof;

static void proof_fini(const shop *s, proof *t) {
    fsattn_close(t->context);
    for (int i = 0; i < 4; i++) {
        fsattn_free(t->host[i]);
        fsattn_device_release(s->device, t->device[i]);
    }
    fsattn_free(t->host_lse);
    fsattn_device_release(s->device, t->lse);
    fsattn_operands_fini(&t->operands);
}

static size_t lse_bytes(const fsattn_problem *p) {
    return (size_t)fsattn_problem_rows(p) * sizeof(float);
}

static fsattn_status proof_place(const shop *s, proof *t, fsattn_err *err) {
    const fsattn_problem *p = &t->problem;
    const fsattn_dtype dtypes[4] = {p->dtype_q, p->dtype_kv, p->dtype_kv, p->dtype_o};
    const size_t q = t->operands.q_elements, kv = t->operands.kv_elements;
    const float *from[4] = {t->operands.memory, t->operands.memory + q, t->operands.memory + q + kv, NULL};
    const size_t elements[4] = {q, kv, kv, q};
    if (p->lse) {
        const size_t bytes = lse_bytes(p);
        if (!(t->host_lse = fsattn_alloc(bytes, 1))) {
            return no_memory(err);
        }
        memset(t->host_lse, 0xff, bytes);
        FSATTN_TRY(fsattn_device_allocate(s->device, bytes, &t->lse, err));
        FSATTN_TRY(fsattn_device_copy(s->device, t->lse, t->host_lse, bytes, NULL, err));
    }
    for (int i = 0; i < 4; i++) {
        t->bytes[i] = elements[i] * fsattn_dtype_bytes(dtypes[i]);
        t->host[i] = fsattn_alloc(t->bytes[i], 1);
        if (!t->host[i]) {
            return no_memory(err);
        }
        if (from[i]) {
            fsattn_elements_write(dtypes[i], from[i], elements[i], t->host[i]);
        } else {
            memset(t->host[i], 0xff, t->bytes[i]);
        }
        FSATTN_TRY(fsattn_device_allocate(s->device, t->bytes[i], &t->device[i], err));
        FSATTN_TRY(fsattn_device_copy(s->device, t->device[i], t->host[i], t->bytes[i], NULL, err));
    }
    return fsattn_stream_synchronize(s->device, NULL, err);
}

static fsattn_status proof_run(const shop *s, proof *t, fsattn_err *err) {
    fsattn_options options;
    fsattn_plan plan;
    fsattn_options_init(&options);
    options.device = s->settings->device;
    options.library = s->settings->library;
    options.caches = (const char *const *)&s->proof;
    options.cache_count = 1;
    FSATTN_TRY(fsattn_open(&options, &t->context, err));
    FSATTN_TRY(fsattn_plan_find(t->context, &t->problem, NULL, &plan, err));
    const fsattn_arguments arguments = {.size = sizeof arguments, .q.data = t->device[0], .k.data = t->device[1],
                                        .v.data = t->device[2], .o.data = t->device[3], .lse = t->lse};
    FSATTN_TRY(fsattn_run(t->context, &plan, &arguments, err));
    FSATTN_TRY(fsattn_stream_synchronize(s->device, NULL, err));
    FSATTN_TRY(fsattn_device_copy(s->device, t->host[3], t->device[3], t->bytes[3], NULL, err));
    if (t->lse) {
        FSATTN_TRY(fsattn_device_copy(s->device, t->host_lse, t->lse, lse_bytes(&t->problem), NULL, err));
    }
    return fsattn_stream_synchronize(s->device, NULL, err);
}

/* What the rows that are compared (all, or evenly spread ones) show. */
typedef struct finding {
    fsattn_comparison output;
    double lse_apart; /* largest; NaN where one was not written */
    double coverage;
} finding;

static fsattn_status proof_compare(const proof *t, finding *found, fsattn_err *err) {
    const fsattn_problem *p = &t->problem;
    const int64_t total = fsattn_problem_rows(p), count = total < compared_rows ? total : (int64_t)compared_rows;
    const size_t d = (size_t)p->head_dim, width = fsattn_dtype_bytes(p->dtype_o);
    const fsattn_strides strides = fsattn_strides_dense(p->layout, p->heads_q, p->s_q, p->head_dim);
    int64_t *rows = fsattn_alloc((size_t)count, sizeof *rows);
    float *expected = fsattn_alloc((size_t)count * d, sizeof *expected), *row = fsattn_alloc(d, sizeof *row);
    float *lse = fsattn_alloc((size_t)count, sizeof *lse);
    fsattn_status status = FSATTN_OK;
    if (!rows || !expected || !row || !lse) {
        status = no_memory(err);
        goto out;
    }
    for (int64_t i = 0; i < count; i++) {
        rows[i] = count > 1 ? (int64_t)((double)i * (double)(total - 1) / (double)(count - 1)) : 0;
    }
    FSATTN_GOTO(fsattn_reference_attention(p, &t->operands.qkv, NULL, (fsattn_rows){rows, (size_t)count}, expected, lse, err));
    *found = (finding){.coverage = (double)count / (double)total};
    for (int64_t i = 0; i < count; i++) {
        const int64_t r = rows[i], at = r / (p->s_q * p->heads_q) * strides.b + r / p->s_q % p->heads_q * strides.h + r % p->s_q * strides.s;
        fsattn_elements_read(p->dtype_o, (const char *)t->host[3] + (size_t)at * width, d, row);
        fsattn_comparison_add(&found->output, row, expected + (size_t)i * d, d);
        /* Equal infinities, of rows without keys, are not apart. */
        const double apart = !t->lse || t->host_lse[r] == lse[i] ? 0 : fabs((double)t->host_lse[r] - (double)lse[i]);
        found->lse_apart = apart <= found->lse_apart ? found->lse_apart : apart;
    }
out:
    fsattn_free(rows);
    fsattn_free(lse);
    fsattn_free(expected);
    fsattn_free(row);
    return status;
}

/* What the record says now: the worse of what it said and of what was found. */
static fsattn_status set_accuracy(product *p, const finding *found, fsattn_err *err) {
    const fsattn_accuracy_entry *said = fsattn_fsc_accuracy(&p->record, "normal");
    fsattn_accuracy_entry *entry = fsattn_arena_alloc(&p->arena, 1, sizeof *entry);
    if (!entry) {
        return no_memory(err);
    }
    *entry = (fsattn_accuracy_entry){.distribution = "normal",
                                     .relative_error = fmax(said->relative_error, fsattn_comparison_error(&found->output)),
                                     .cosine = fmin(said->cosine, fsattn_comparison_cosine(&found->output)),
                                     .maximum_error = fmax(said->maximum_error, found->output.maximum_error),
                                     .coverage = fmin(said->coverage, found->coverage)};
    p->record.accuracies = entry;
    p->record.accuracy_count = 1;
    return FSATTN_OK;
}

static fsattn_status prove(shop *s, product *p, fsattn_err *err) {
    proof t = {.problem = proof_problem(&p->record)};
    finding found = {0};
    fsattn_status status = FSATTN_OK;
    FSATTN_GOTO(fsattn_fsc_publish_record(&p->record, s->proof, err));
    FSATTN_GOTO(fsattn_operands_init(&t.operands, &t.problem, err));
    fsattn_inputs_fill(FSATTN_DISTRIBUTION_NORMAL, seed, &t.problem, &t.operands);
    FSATTN_GOTO(proof_place(s, &t, err));
    FSATTN_GOTO(proof_run(s, &t, err));
    FSATTN_GOTO(proof_compare(&t, &found, err));
    const double error = fsattn_comparison_error(&found.output);
    const double allowed = allowance * fsattn_fsc_accuracy(&p->record, "normal")->relative_error + rounding;
    if (!(error <= allowed)) {
        status = fsattn_fail(err, FSATTN_MISMATCH, "compiled anew it is wrong: relative error %.3g, the record's is %.3g", error,
                             fsattn_fsc_accuracy(&p->record, "normal")->relative_error);
        goto out;
    }
    if (!(found.lse_apart <= fmax(lse_rounding, allowed))) {
        status = fsattn_fail(err, FSATTN_MISMATCH, "compiled anew it is wrong: a log-sum-exp is off by %.3g, %.3g is allowed", found.lse_apart,
                             fmax(lse_rounding, allowed));
        goto out;
    }
    status = set_accuracy(p, &found, err);
out:
    proof_fini(s, &t);
    return status;
}

/* ---- a file --------------------------------------------------------------------------------- */

static fsattn_status check_record(const shop *s, const fsattn_fsc_record *record, fsattn_err *err) {
    if (record->target != s->target) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "is for target %s", fsattn_target_text(record->target));
    }
    if (record->unproven) {
        return fsattn_fail(err, FSATTN_UNTRUSTED, "was imported and has not been verified");
    }
    if (!record->source.bytes) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "has no source");
    }
    if (!fsattn_fsc_accuracy(record, "normal")) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "has no accuracy that its code could be held against");
    }
    if (record->abi != s->place->abi) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "has kernel ABI %u, this library calls %u", record->abi, s->place->abi);
    }
    return FSATTN_OK;
}

static fsattn_status make(shop *s, const fsattn_fsc_record *record, fsattn_fsc_writer *writer, fsattn_err *err) {
    product p = {.record = *record};
    unit attention = {0};
    fsattn_status status = FSATTN_OK;
    FSATTN_GOTO(check_record(s, record, err));
    FSATTN_GOTO(compile_stages(s, &p, &attention, err));
    FSATTN_GOTO(set_record(s, &p, &attention, err));
    FSATTN_GOTO(prove(s, &p, err));
    status = fsattn_fsc_writer_add(writer, &p.record, err);
out:
    fsattn_arena_fini(&p.arena);
    return status == FSATTN_OK ? status : fsattn_context_add(err, status, "%s", record->problem_text);
}

static void shop_close(shop *s) {
    fsattn_toolchain_close(&s->toolchain);
    fsattn_hiprtc_close(s->hiprtc);
    fsattn_device_close(s->device);
    fsattn_free(s->proof);
    fsattn_workplace_close(&s->workplace);
}

/* Undone by shop_close whatever it returns. */
static fsattn_status shop_open(shop *s, fsattn_err *err) {
    const fsattn_rebuild_settings *want = s->settings;
    const fsattn_device_options device = {.name = want->device, .library = want->library};
    fsattn_text path = {0};
    s->target = strcmp(want->device, "host") ? FSATTN_TARGET_GFX950 : FSATTN_TARGET_HOST;
    FSATTN_TRY(fsattn_device_open(&device, &s->device, err));
    s->place = fsattn_device_describe(s->device);
    FSATTN_TRY(fsattn_workplace_open("fsattn-rebuild-", &s->workplace, err));
    fsattn_text_printf(&path, "%s/proof.fsc", s->workplace.path);
    if (!(s->proof = fsattn_text_take(&path))) {
        return no_memory(err);
    }
    if (s->target == FSATTN_TARGET_HOST) {
        const fsattn_toolchain_settings compiler = {.compiler = want->compiler, .jobs = 1, .time_limit_s = want->build_time_limit_s};
        return fsattn_toolchain_open(&compiler, &s->toolchain, err);
    }
    const fsattn_hiprtc_settings compiler = {.root = want->rocm, .jobs = 1, .time_limit_s = want->build_time_limit_s};
    return fsattn_hiprtc_open(&compiler, &s->hiprtc, err);
}

/* What says nothing about a record: nothing is published then, and the next try begins anew. */
static bool machine_failed(fsattn_status status) {
    return status == FSATTN_NO_MEMORY || status == FSATTN_IO || status == FSATTN_BUSY || status == FSATTN_INTERRUPTED ||
           status == FSATTN_INTERNAL;
}

fsattn_status fsattn_rebuild_file(const fsattn_rebuild_settings *settings, const char *from, const char *to, size_t *made,
                                  fsattn_err *err) {
    const fsattn_trust_rule owner = {.demand = FSATTN_TRUST_OWNER};
    shop s = {.settings = settings};
    fsattn_fsc *fsc = NULL;
    fsattn_fsc_writer *writer = NULL;
    fsattn_err first = {0};
    const fsattn_output_own own[] = {{from, "the file that is read", false}};
    const fsattn_output output = {to, "--cache", &fsattn_fsc_output_kind, own, sizeof own / sizeof own[0]};
    fsattn_status status = FSATTN_OK;
    FSATTN_TRY(fsattn_output_check(&output, err));
    FSATTN_TRY(fsattn_trust_open(&owner, from, settings->warn, settings->warn_data, &fsc, err));
    FSATTN_GOTO(fsattn_fsc_writer_create(&writer, err));
    FSATTN_GOTO(shop_open(&s, err));
    for (size_t i = 0; i < fsattn_fsc_count(fsc); i++) {
        fsattn_err reason = {0};
        status = make(&s, fsattn_fsc_at(fsc, i), writer, &reason);
        if (is_out_of_time(&s)) {
            status = out_of_time(err);
            goto out;
        }
        if (machine_failed(status)) {
            if (err) {
                *err = reason;
            }
            goto out;
        }
        if (status != FSATTN_OK) {
            first = first.code == FSATTN_OK ? reason : first;
            if (settings->warn) {
                settings->warn(settings->warn_data, &reason);
            }
        }
    }
    const size_t count = fsattn_fsc_writer_count(writer);
    if (!fsattn_fsc_count(fsc) && fsattn_fsc_damaged(fsc)) {
        status = fsattn_fail(err, FSATTN_CORRUPT, "%s: all its records are damaged", from);
        goto out;
    }
    if (!count) {
        status = fsattn_fail(err, FSATTN_COMPILE, "%s: nothing of it could be made to run here; %s", from,
                             first.code == FSATTN_OK ? "it is empty" : first.message);
        goto out;
    }
    FSATTN_GOTO(fsattn_output_check(&output, err)); /* minutes have passed */
    FSATTN_GOTO(fsattn_fsc_writer_publish(writer, NULL, to, err));
    *made = count;
out:
    if (status == FSATTN_NO_MEMORY && err && err->code == FSATTN_OK) {
        no_memory(err);
    }
    shop_close(&s);
    fsattn_fsc_writer_destroy(writer);
    fsattn_fsc_close(fsc);
    return status;
}
