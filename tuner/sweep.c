#include "sweep.h"

#include "enumerate.h"
#include "error.h"
#include "gpu_module.h"
#include "memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { batch_size = 64 };

/* One setting of the space, and how far it is. */
typedef struct stratum {
    fsattn_setting setting;
    fsattn_enumeration *enumeration;
    uint64_t wanted, done;
} stratum;

/* A set of hashes, ascending. */
typedef struct hash_set {
    fsattn_hash *items;
    size_t count, capacity;
} hash_set;

typedef struct sweep {
    const fsattn_space *space;
    fsattn_gpu_modules modules;
    fsattn_manifest *before; /* NULL: none */
    const fsattn_sweep_options *options;
    fsattn_sweep_result *result;
    hash_set codes; /* of code objects */
    hash_set sound; /* build keys of sources that are right: not looked at again */
    stratum *strata;
    size_t stratum_count;
    /* The batch at hand, of one setting. */
    fsattn_setting setting;
    char problem[fsattn_problem_text_bytes];
    size_t count;
    fsattn_config configs[batch_size];
    fsattn_gpu_module *modules_of[batch_size][2];
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

/* Whether the set holds it; *place is where it is or belongs. */
static bool set_find(const hash_set *set, const fsattn_hash *hash, size_t *place) {
    size_t low = 0, high = set->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (fsattn_hash_compare(&set->items[middle], hash) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *place = low;
    return low < set->count && !fsattn_hash_compare(&set->items[low], hash);
}

/* *added tells whether it is new. */
static fsattn_status set_add(sweep *s, hash_set *set, const fsattn_hash *hash, bool *added, fsattn_err *err) {
    size_t place;
    *added = !set_find(set, hash, &place);
    if (!*added) {
        return FSATTN_OK;
    }
    if (fsattn_grow((void **)&set->items, &set->capacity, set->count, sizeof *set->items)) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", s->space->path);
    }
    memmove(set->items + place + 1, set->items + place, (set->count - place) * sizeof *set->items);
    set->items[place] = *hash;
    set->count++;
    return FSATTN_OK;
}

static fsattn_status note_module(sweep *s, const fsattn_gpu_module *m, fsattn_err *err) {
    bool added = false;
    s->result->vgprs_max = m->vgprs > s->result->vgprs_max ? m->vgprs : s->result->vgprs_max;
    if (m->outcome.verdict == FSATTN_VERDICT_OK) {
        FSATTN_TRY(set_add(s, &s->sound, &m->build_key, &added, err));
        s->result->sources += added;
        s->result->reused += added && !m->compiled;
    }
    if (m->code.bytes) {
        FSATTN_TRY(set_add(s, &s->codes, &m->code.hash, &added, err));
        s->result->distinct = s->codes.count;
    }
    return FSATTN_OK;
}

static fsattn_status judge(sweep *s, size_t i, fsattn_err *err) {
    const fsattn_outcome *failed = NULL;
    for (size_t k = 0; k < 2 && s->modules_of[i][k]; k++) {
        const fsattn_gpu_module *m = s->modules_of[i][k];
        if (m->outcome.cut) {
            return FSATTN_OK;
        }
        failed = failed || m->outcome.verdict == FSATTN_VERDICT_OK ? failed : &m->outcome;
        FSATTN_TRY(note_module(s, m, err));
    }
    s->result->configurations++;
    if (failed) {
        char reason[640];
        snprintf(reason, sizeof reason, "%s: %s", fsattn_verdict_text(failed->verdict), failed->reason);
        note_failure(s, &s->configs[i], reason);
    }
    return FSATTN_OK;
}

static void batch_clear(sweep *s) {
    for (size_t i = 0; i < s->count; i++) {
        fsattn_gpu_module_release(&s->modules, s->modules_of[i][0]);
        fsattn_gpu_module_release(&s->modules, s->modules_of[i][1]);
    }
    s->count = 0;
}

static fsattn_status batch_run(sweep *s, fsattn_err *err) {
    fsattn_gpu_module *wanted[2 * batch_size];
    size_t count = 0;
    for (size_t i = 0; i < s->count; i++) {
        for (size_t k = 0; k < 2 && s->modules_of[i][k]; k++) {
            wanted[count++] = s->modules_of[i][k];
        }
    }
    fsattn_status status = fsattn_gpu_modules_build(&s->modules, wanted, count, INT64_MAX, err);
    for (size_t i = 0; i < s->count && status == FSATTN_OK; i++) {
        status = judge(s, i, err);
    }
    s->result->compiled = s->modules.compilations;
    s->result->compile_seconds = s->modules.seconds;
    batch_clear(s);
    return status;
}

/* Leaves of a batch's modules those of sources that nothing is known of. */
static void drop_known(sweep *s, fsattn_gpu_module **modules) {
    size_t kept = 0, place;
    for (size_t k = 0; k < 2; k++) {
        fsattn_gpu_module *m = modules[k];
        modules[k] = NULL;
        if (m && set_find(&s->sound, &m->build_key, &place)) {
            fsattn_gpu_module_release(&s->modules, m);
        } else if (m) {
            modules[kept++] = m;
        }
    }
}

/* Renders one configuration, and what goes before it, into the batch. */
static fsattn_status batch_add(sweep *s, const fsattn_config *config, fsattn_err *err) {
    fsattn_gpu_module **modules = s->modules_of[s->count];
    fsattn_outcome outcome;
    fsattn_config before;
    modules[0] = modules[1] = NULL;
    s->configs[s->count++] = *config;
    FSATTN_TRY(fsattn_gpu_module_take(&s->modules, s->space->manifest, &s->setting, config, &modules[0], &outcome, err));
    if (s->before && modules[0]) {
        FSATTN_TRY(fsattn_gpu_module_before(s->space->manifest, s->before, config, &before, err));
        FSATTN_TRY(fsattn_gpu_module_take(&s->modules, s->before, &s->setting, &before, &modules[1], &outcome, err));
    }
    if (outcome.verdict != FSATTN_VERDICT_OK) {
        char reason[640];
        snprintf(reason, sizeof reason, "%s: %s", fsattn_verdict_text(outcome.verdict), outcome.reason);
        s->result->configurations++;
        note_failure(s, config, reason);
        fsattn_gpu_module_release(&s->modules, modules[0]);
        s->count--;
        return FSATTN_OK;
    }
    drop_known(s, modules);
    return FSATTN_OK;
}

/* The chosen problem of that number. */
static const fsattn_problem *problem_at(const sweep *s, size_t index) {
    return &s->space->problems[s->options->problems ? s->options->problems[index] : index].problem;
}

/* Whether an earlier problem is specialised for in the same way. */
static bool setting_seen(const sweep *s, size_t index) {
    const fsattn_problem *p = problem_at(s, index);
    for (size_t i = 0; i < index; i++) {
        const fsattn_problem *q = problem_at(s, i);
        if (q->dtype_q == p->dtype_q && q->dtype_kv == p->dtype_kv && q->dtype_o == p->dtype_o &&
            q->layout == p->layout && q->mask == p->mask && q->lse == p->lse && q->head_dim == p->head_dim) {
            return true;
        }
    }
    return false;
}

static fsattn_status add_stratum(sweep *s, size_t index, fsattn_err *err) {
    stratum *at = &s->strata[s->stratum_count];
    at->setting = (fsattn_setting){problem_at(s, index), s->space->manifest->target};
    FSATTN_TRY(fsattn_enumeration_create(s->space, &at->setting, &at->enumeration, err));
    const uint64_t valid = fsattn_enumeration_count(at->enumeration);
    at->wanted = s->options->sample && s->options->sample < valid ? s->options->sample : valid;
    s->stratum_count++;
    s->result->settings++;
    s->result->valid += valid;
    return FSATTN_OK;
}

/* The setting of which the least is done, as a share; NULL: everything is. Whenever a sweep stops, it has seen as much of each. */
static stratum *next_stratum(sweep *s) {
    stratum *least = NULL;
    for (size_t i = 0; i < s->stratum_count; i++) {
        stratum *at = &s->strata[i];
        if (at->done < at->wanted && (!least || at->done * least->wanted < least->done * at->wanted)) {
            least = at;
        }
    }
    return least;
}

static fsattn_status sweep_batch(sweep *s, stratum *at, fsattn_err *err) {
    fsattn_status status;
    s->setting = at->setting;
    fsattn_problem_text(s->setting.problem, s->problem);
    for (; at->done < at->wanted && s->count < batch_size && !stopped(s); at->done++) {
        fsattn_config config;
        const uint64_t index = fsattn_enumeration_shuffled(at->enumeration, s->options->seed, at->done);
        fsattn_enumeration_at(at->enumeration, index, &config);
        FSATTN_GOTO(batch_add(s, &config, err));
    }
    status = stopped(s) ? FSATTN_OK : batch_run(s, err);
out:
    batch_clear(s);
    return status;
}

fsattn_status fsattn_sweep_check(const fsattn_manifest *manifest, const char *path, fsattn_err *err) {
    if (!strcmp(manifest->target, "host")) {
        fsattn_fail(err, FSATTN_UNSUPPORTED, "%s: its template %s is for the host, not for a GPU", path, manifest->name);
        fsattn_hint(err, "name one for a GPU (attention_gfx950, spaces/mi355x.yaml); the host's are tried by fsattn-tune");
        return FSATTN_UNSUPPORTED;
    }
    return FSATTN_OK;
}

fsattn_status fsattn_sweep_run(const fsattn_space *space, fsattn_hiprtc *hiprtc,
                               const fsattn_sweep_options *options, fsattn_sweep_progress *progress,
                               void *context, fsattn_sweep_result *result, fsattn_err *err) {
    const double start = now_s();
    const fsattn_manifest *manifest = space->manifest;
    const size_t problems = options->problems ? options->problem_count : space->problem_count;
    fsattn_status status = FSATTN_OK;
    FSATTN_TRY(fsattn_sweep_check(manifest, space->path, err));
    *result = (fsattn_sweep_result){0};
    sweep *s = fsattn_alloc(1, sizeof *s);
    if (!s) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", space->path);
    }
    s->space = space;
    s->modules = (fsattn_gpu_modules){.hiprtc = hiprtc, .store = options->store, .isa = manifest->target, .stop = options->stop};
    s->options = options;
    s->result = result;
    FSATTN_GOTO(fsattn_gpu_module_open_before(manifest, &s->before, err));
    s->strata = fsattn_alloc(problems ? problems : 1, sizeof *s->strata);
    if (!s->strata) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", space->path);
        goto out;
    }
    for (size_t i = 0; i < problems; i++) {
        if (!setting_seen(s, i)) {
            FSATTN_GOTO(add_stratum(s, i, err));
        }
    }
    for (stratum *at; !stopped(s) && (at = next_stratum(s));) {
        FSATTN_GOTO(sweep_batch(s, at, err));
        result->seconds = now_s() - start;
        if (progress) {
            progress(context, result);
        }
    }
    result->seconds = now_s() - start;
out:
    for (size_t i = 0; i < s->stratum_count; i++) {
        fsattn_enumeration_destroy(s->strata[i].enumeration);
    }
    fsattn_gpu_modules_fini(&s->modules);
    fsattn_manifest_close(s->before);
    fsattn_free(s->strata);
    fsattn_free(s->codes.items);
    fsattn_free(s->sound.items);
    fsattn_free(s);
    return status;
}

void fsattn_sweep_text(const fsattn_sweep_result *r, fsattn_text *text) {
    fsattn_text_printf(text, "%" PRIu64 " of %" PRIu64 " valid configurations in %" PRIu64 " settings\n",
                       r->configurations, r->valid, r->settings);
    fsattn_text_printf(text,
                       "%" PRIu64 " distinct sources are right: %" PRIu64 " compilations, %" PRIu64 " taken from the store; %" PRIu64
                       " distinct code objects, at most %u VGPRs\n",
                       r->sources, r->compiled, r->reused, r->distinct, r->vgprs_max);
    fsattn_text_printf(text, "%.1f s, %.2f compilations/s, %.2f s each\n", r->seconds,
                       r->seconds > 0 ? (double)r->compiled / r->seconds : 0.0,
                       r->compiled ? r->compile_seconds / (double)r->compiled : 0.0);
    fsattn_text_printf(text, "%" PRIu64 " failed\n", r->failures);
    for (size_t i = 0; i < r->failed_count; i++) {
        fsattn_text_printf(text, "  %6" PRIu64 " %s\n         e.g. %s\n", r->failed[i].count,
                           r->failed[i].reason, r->failed[i].example);
    }
}
