#include "sweep.h"

#include "code_object.h"
#include "enumerate.h"
#include "error.h"
#include "inspect.h"
#include "memory.h"
#include "template.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { batch_size = 64 };

typedef struct sweep {
    const fsattn_space *space;
    fsattn_hiprtc *hiprtc;
    const fsattn_sweep_options *options;
    fsattn_sweep_result *result;
    const char **arguments; /* of the compiler */
    fsattn_hash *seen;      /* code objects */
    size_t seen_count, seen_capacity;
    fsattn_setting setting;
    char problem[fsattn_problem_text_bytes];
    /* The batch at hand. */
    size_t count;
    fsattn_config configs[batch_size];
    fsattn_text sources[batch_size];
    fsattn_hiprtc_job jobs[batch_size];
} sweep;

static double now_s(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static bool stopped(const sweep *s) {
    return s->options->stop && *s->options->stop;
}

/* Notes a failure under its kind: what is said before the first number. */
static void note_failure(sweep *s, const fsattn_config *config, const char *reason) {
    fsattn_sweep_result *r = s->result;
    const size_t kind_bytes = strcspn(reason, "0123456789");
    fsattn_sweep_failure *found = NULL;
    r->failures++;
    for (size_t i = 0; i < r->failed_count && !found; i++) {
        if (strlen(r->failed[i].reason) == kind_bytes && !strncmp(r->failed[i].reason, reason, kind_bytes)) {
            found = &r->failed[i];
        }
    }
    if (!found && r->failed_count < fsattn_sweep_failure_limit) {
        fsattn_text text = {0};
        fsattn_config_text(&s->space->manifest->parameters, config, &text);
        found = &r->failed[r->failed_count++];
        snprintf(found->reason, sizeof found->reason, "%.*s", (int)kind_bytes, reason);
        snprintf(found->example, sizeof found->example, "%s; %s: %s", s->problem,
                 text.failed ? "" : text.data, reason);
        fsattn_text_fini(&text);
    }
    if (found) {
        found->count++;
    }
}

static fsattn_status note_code(sweep *s, const fsattn_hiprtc_job *job, fsattn_err *err) {
    const fsattn_hash hash = fsattn_hash_of(job->code, job->code_bytes);
    size_t low = 0, high = s->seen_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (fsattn_hash_compare(&s->seen[middle], &hash) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < s->seen_count && !fsattn_hash_compare(&s->seen[low], &hash)) {
        return FSATTN_OK;
    }
    if (fsattn_grow((void **)&s->seen, &s->seen_capacity, s->seen_count, sizeof *s->seen)) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", s->space->path);
    }
    memmove(s->seen + low + 1, s->seen + low, (s->seen_count - low) * sizeof *s->seen);
    s->seen[low] = hash;
    s->result->distinct = ++s->seen_count;
    return FSATTN_OK;
}

/* Holds a kernel against what the manifest said of it. */
static fsattn_status check_kernel(sweep *s, const fsattn_config *config, const fsattn_code_kernel *kernel,
                                  char *reason, size_t bytes, fsattn_err *err) {
    fsattn_pairs pairs;
    FSATTN_TRY(fsattn_manifest_evaluate(s->space->manifest, FSATTN_SECTION_RESOURCES, &s->setting, config,
                                        &pairs, err));
    const int64_t lds_bytes = fsattn_pairs_integer(&pairs, "lds_bytes", kernel->lds_bytes);
    const int64_t threads = fsattn_pairs_integer(&pairs, "threads", kernel->threads_max);
    const fsattn_inspect_limits limits = {.vgprs = (uint32_t)fsattn_pairs_integer(&pairs, "vgprs_max", 0),
                                          .lds_bytes = 160 * 1024};
    if (kernel->vgprs > s->result->vgprs_max) {
        s->result->vgprs_max = kernel->vgprs;
    }
    if (fsattn_inspect_fits(kernel, &limits, reason, bytes)) {
        if (kernel->lds_bytes != lds_bytes) {
            snprintf(reason, bytes, "LDS is not as the manifest says: %u, not %" PRId64, kernel->lds_bytes,
                     lds_bytes);
        } else if (kernel->threads_max != threads) {
            snprintf(reason, bytes, "threads are not as the manifest says: %u, not %" PRId64,
                     kernel->threads_max, threads);
        }
    }
    return FSATTN_OK;
}

static fsattn_status judge(sweep *s, size_t i, fsattn_err *err) {
    const fsattn_hiprtc_job *job = &s->jobs[i];
    fsattn_code_object object;
    fsattn_status status;
    char reason[640] = "";
    if (job->cut) {
        return FSATTN_OK;
    }
    s->result->configurations++;
    if (job->same_as == i) {
        s->result->compiled++;
        s->result->compile_seconds += job->seconds;
    }
    if (job->verdict != FSATTN_VERDICT_OK) {
        snprintf(reason, sizeof reason, "%s: %s", fsattn_verdict_text(job->verdict), job->reason);
        note_failure(s, &s->configs[i], reason);
        return FSATTN_OK;
    }
    FSATTN_TRY(note_code(s, job, err));
    FSATTN_TRY(fsattn_code_object_init(&object, s->space->manifest->name, job->code, job->code_bytes,
                                       s->setting.isa, err));
    const fsattn_code_kernel *kernel = fsattn_code_object_kernel(&object, s->space->manifest->entry);
    if (!kernel) {
        snprintf(reason, sizeof reason, "no kernel '%s'", s->space->manifest->entry);
    } else {
        FSATTN_GOTO(check_kernel(s, &s->configs[i], kernel, reason, sizeof reason, err));
    }
    if (reason[0]) {
        note_failure(s, &s->configs[i], reason);
    }
    status = FSATTN_OK;
out:
    fsattn_code_object_fini(&object);
    return status;
}

static void batch_clear(sweep *s) {
    for (size_t i = 0; i < s->count; i++) {
        fsattn_hiprtc_job_fini(&s->jobs[i]);
        fsattn_text_fini(&s->sources[i]);
    }
    s->count = 0;
}

static fsattn_status batch_run(sweep *s, fsattn_err *err) {
    fsattn_status status = FSATTN_OK;
    FSATTN_GOTO(fsattn_hiprtc_compile(s->hiprtc, s->jobs, s->count, INT64_MAX, s->options->stop, err));
    for (size_t i = 0; i < s->count; i++) {
        FSATTN_GOTO(judge(s, i, err));
    }
out:
    batch_clear(s);
    return status;
}

/* Renders one configuration into the batch. */
static void batch_add(sweep *s, const fsattn_config *config) {
    const size_t i = s->count;
    fsattn_err err;
    s->sources[i] = (fsattn_text){0};
    if (fsattn_template_render(s->space->manifest, &s->setting, config, NULL, &s->sources[i], &err) !=
        FSATTN_OK) {
        char reason[640];
        snprintf(reason, sizeof reason, "build-failed: %.600s", err.message);
        s->result->configurations++;
        note_failure(s, config, reason);
        fsattn_text_fini(&s->sources[i]);
        return;
    }
    s->configs[i] = *config;
    s->jobs[i] = (fsattn_hiprtc_job){.source = s->sources[i].data, .options = s->arguments};
    s->count++;
}

static fsattn_status sweep_setting(sweep *s, fsattn_sweep_progress *progress, void *context, double start,
                                   fsattn_err *err) {
    fsattn_enumeration *enumeration = NULL;
    fsattn_status status;
    FSATTN_GOTO(fsattn_enumeration_create(s->space, &s->setting, &enumeration, err));
    const uint64_t valid = fsattn_enumeration_count(enumeration);
    const uint64_t wanted = s->options->sample && s->options->sample < valid ? s->options->sample : valid;
    s->result->settings++;
    s->result->valid += valid;
    for (uint64_t i = 0; i < wanted && !stopped(s); i++) {
        fsattn_config config;
        fsattn_enumeration_at(enumeration, fsattn_enumeration_shuffled(enumeration, s->options->seed + s->result->settings, i),
                              &config);
        batch_add(s, &config);
        if (s->count == batch_size || i + 1 == wanted) {
            FSATTN_GOTO(batch_run(s, err));
            s->result->seconds = now_s() - start;
            if (progress) {
                progress(context, s->result);
            }
        }
    }
    status = FSATTN_OK;
out:
    batch_clear(s);
    fsattn_enumeration_destroy(enumeration);
    return status;
}

/* Whether an earlier problem is specialised for in the same way. */
static bool setting_seen(const fsattn_space *space, size_t first, size_t index) {
    const fsattn_problem *p = &space->problems[index].problem;
    for (size_t i = first; i < index; i++) {
        const fsattn_problem *q = &space->problems[i].problem;
        if (q->dtype_q == p->dtype_q && q->dtype_kv == p->dtype_kv && q->dtype_o == p->dtype_o &&
            q->layout == p->layout && q->mask == p->mask && q->lse == p->lse && q->head_dim == p->head_dim) {
            return true;
        }
    }
    return false;
}

fsattn_status fsattn_sweep_run(const fsattn_space *space, fsattn_hiprtc *hiprtc,
                               const fsattn_sweep_options *options, fsattn_sweep_progress *progress,
                               void *context, fsattn_sweep_result *result, fsattn_err *err) {
    const double start = now_s();
    const fsattn_manifest *manifest = space->manifest;
    const size_t end =
        options->problem_count ? options->first_problem + options->problem_count : space->problem_count;
    fsattn_status status;
    if (!strcmp(manifest->target, "host")) {
        return fsattn_fail(err, FSATTN_UNSUPPORTED, "%s: its template %s is for the host, not for a GPU",
                           space->path, manifest->name);
    }
    *result = (fsattn_sweep_result){0};
    sweep *s = fsattn_alloc(1, sizeof *s);
    const char **arguments = fsattn_alloc(manifest->option_count + 1, sizeof *arguments);
    if (!s || !arguments) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", space->path);
        goto out;
    }
    memcpy(arguments, manifest->options, manifest->option_count * sizeof *arguments);
    s->space = space;
    s->hiprtc = hiprtc;
    s->options = options;
    s->result = result;
    s->arguments = arguments;
    for (size_t i = options->first_problem; i < end && !stopped(s); i++) {
        if (setting_seen(space, options->first_problem, i)) {
            continue;
        }
        s->setting = (fsattn_setting){&space->problems[i].problem, manifest->target};
        fsattn_problem_text(s->setting.problem, s->problem);
        FSATTN_GOTO(sweep_setting(s, progress, context, start, err));
    }
    result->seconds = now_s() - start;
    status = FSATTN_OK;
out:
    if (s) {
        fsattn_free(s->seen);
    }
    fsattn_free(s);
    fsattn_free(arguments);
    return status;
}

void fsattn_sweep_text(const fsattn_sweep_result *r, fsattn_text *text) {
    fsattn_text_printf(text, "%" PRIu64 " of %" PRIu64 " valid configurations in %" PRIu64 " settings\n",
                       r->configurations, r->valid, r->settings);
    fsattn_text_printf(text,
                       "%" PRIu64 " compilations, %" PRIu64 " distinct code objects, at most %u VGPRs\n",
                       r->compiled, r->distinct, r->vgprs_max);
    fsattn_text_printf(text, "%.1f s, %.2f compilations/s, %.2f s each\n", r->seconds,
                       r->seconds > 0 ? (double)r->compiled / r->seconds : 0.0,
                       r->compiled ? r->compile_seconds / (double)r->compiled : 0.0);
    fsattn_text_printf(text, "%" PRIu64 " failed\n", r->failures);
    for (size_t i = 0; i < r->failed_count; i++) {
        fsattn_text_printf(text, "  %6" PRIu64 " %s\n         e.g. %s\n", r->failed[i].count,
                           r->failed[i].reason, r->failed[i].example);
    }
}
