#include "probe_run.h"

#include "error.h"
#include "gpu_link.h"
#include "hiprtc.h"
#include "memory.h"
#include "probe_rate.h"
#include "process.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- judging ------------------------------------------------------------------------------------------------------- */

static uint32_t distance(uint32_t a, uint32_t b) {
    const int64_t x = a >> 31 ? -(int64_t)(a & 0x7fffffff) : (int64_t)a, y = b >> 31 ? -(int64_t)(b & 0x7fffffff) : (int64_t)b;
    return (uint32_t)(x > y ? x - y : y - x);
}
static bool is_nan(uint32_t bits) {
    return (bits & 0x7fffffff) > 0x7f800000;
}
static bool equal(const probe *p, uint32_t expected, uint32_t seen) {
    if (p->floats && (is_nan(expected) || is_nan(seen))) {
        return is_nan(expected) && is_nan(seen);
    }
    return p->ulps ? distance(expected, seen) <= p->ulps : expected == seen;
}
/* The first word that differs, or out_words. */
static size_t first_difference(const probe *p, const uint32_t *expected, const uint32_t *seen, size_t *count) {
    size_t first = p->out_words;
    *count = 0;
    for (size_t i = p->out_words; i-- > 0;) {
        if (!equal(p, expected[i], seen[i])) {
            first = i;
            ++*count;
        }
    }
    return first;
}

static const char *words_of(const probe *p) {
    return p->setting != probe_no_setting ? fsattn_fact_switch_values((fsattn_fact_switch)p->setting) : p->words ? p->words : "as assumed";
}
/* Word number `choice` of the probe's, or all of them when they are one value; false past the end. */
static bool word_of(const probe *p, int choice, char *word, size_t bytes) {
    const char *at = words_of(p);
    const bool whole = p->setting != probe_no_setting ? fsattn_fact_switch_ordered((fsattn_fact_switch)p->setting) : !p->words;
    if (whole) {
        snprintf(word, bytes, "%s", at);
        return choice == 0;
    }
    for (int i = 0; i < choice; i++) {
        at += strcspn(at, " ");
        at += *at == ' ';
    }
    snprintf(word, bytes, "%.*s", (int)strcspn(at, " "), at);
    return *at != '\0';
}
static void order_text(const probe *p, const fsattn_fact *value, char *text, size_t bytes) {
    const char *words = words_of(p);
    size_t used = 0;
    for (int i = 0; i < fsattn_fact_bits && (size_t)i < (strlen(words) + 1) / 3; i++) {
        used += (size_t)snprintf(text + used, bytes - used, "%s%.2s", i ? " " : "", words + 3 * value->order[i]);
    }
}

static fsattn_fact assumed(void) {
    fsattn_fact value = {.choice = 0};
    for (uint8_t i = 0; i < fsattn_fact_bits; i++) {
        value.order[i] = i;
    }
    return value;
}

fsattn_status probe_judge(const probe *p, const uint32_t *in, const uint32_t *seen, probe_outcome *outcome, fsattn_err *err) {
    fsattn_fact value = assumed();
    size_t count = 0, first;
    uint32_t *expected = fsattn_alloc(p->out_words, sizeof *expected);
    char word[sizeof outcome->seen], place[probe_place_bytes], usual[sizeof outcome->seen];
    *outcome = (probe_outcome){.verdict = PROBE_DIFFERS};
    if (!expected) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", p->name);
    }
    word_of(p, 0, usual, sizeof usual);
    for (int choice = 0; !outcome->seen[0] && word_of(p, choice, word, sizeof word); choice++) {
        value.choice = choice;
        p->expect(p, &value, in, expected);
        if (first_difference(p, expected, seen, &count) == p->out_words) {
            snprintf(outcome->seen, sizeof outcome->seen, "%s", word);
            outcome->verdict = choice == 0 || p->open ? PROBE_AGREES : PROBE_DIFFERS;
        }
    }
    value = assumed();
    if (!outcome->seen[0] && p->derive && p->derive(p, in, seen, &value)) {
        p->expect(p, &value, in, expected);
        if (first_difference(p, expected, seen, &count) == p->out_words) {
            order_text(p, &value, outcome->seen, sizeof outcome->seen);
        }
    }
    if (outcome->verdict == PROBE_DIFFERS) {
        value = assumed();
        p->expect(p, &value, in, expected);
        first = first_difference(p, expected, seen, &count);
        p->place(p, in, first, place);
        snprintf(outcome->detail, sizeof outcome->detail, "seen %s, expected %s; %zu of %zu differ, first: %s: seen 0x%x, expected 0x%x",
                 outcome->seen[0] ? outcome->seen : "something else", usual, count, p->out_words, place, seen[first], expected[first]);
    }
    fsattn_free(expected);
    return FSATTN_OK;
}

fsattn_status probe_record(const probe *p, const probe_outcome *outcome, fsattn_facts *facts, fsattn_err *err) {
    if (outcome->verdict == PROBE_CANNOT) {
        return fsattn_facts_add(facts, FSATTN_FACT_NOTE, p->name, "cannot be asked", "", err);
    }
    if (p->rate) {
        return probe_rate_record(p, outcome, facts, err);
    }
    if (p->setting != probe_no_setting && outcome->seen[0]) {
        const char *name = fsattn_fact_switch_name((fsattn_fact_switch)p->setting);
        const fsattn_fact *other = fsattn_facts_find(facts, FSATTN_FACT_SWITCH, name);
        if (!other) {
            return fsattn_facts_add(facts, FSATTN_FACT_SWITCH, name, outcome->seen, "", err);
        }
        if (!strcmp(other->value, outcome->seen)) {
            return FSATTN_OK;
        }
    }
    return fsattn_facts_add(facts, FSATTN_FACT_NOTE, p->name, outcome->seen[0] ? outcome->seen : "differs in a way that has no name", "", err);
}

/* ---- the device ------------------------------------------------------------------------------------------------------ */

enum { file_limit = 16 };
typedef struct compiled {
    const char *file;
    void *code;
    size_t bytes;
    char why[400]; /* not compiled */
} compiled;

/* Between a child and its parent, in shared memory. */
typedef struct answer {
    bool done;
    fsattn_device_properties device;
    char why[400];
    probe_sample samples[probe_rate_timings_max]; /* of a rate */
    uint32_t words[];
} answer;

struct probe_session {
    probe_settings settings;
    fsattn_hiprtc *hiprtc;
    char *library, *helper;
    fsattn_device_properties device;
    compiled files[file_limit];
    size_t file_count;
};

const fsattn_device_properties *probe_session_device(const probe_session *session) {
    return &session->device;
}

/* A kernel with its memory. */
typedef struct loaded {
    fsattn_device *device;
    fsattn_module *module;
    fsattn_kernel *kernel;
    struct {
        void *in, *out;
        uint32_t count;
    } arguments;
    size_t out_bytes;
} loaded;

static fsattn_status start(loaded *l, const char *entry, const uint32_t *in, size_t in_bytes, fsattn_err *err) {
    FSATTN_TRY(fsattn_kernel_get(l->module, entry, &l->kernel, err));
    FSATTN_TRY(fsattn_device_allocate(l->device, in_bytes, &l->arguments.in, err));
    FSATTN_TRY(fsattn_device_allocate(l->device, l->out_bytes, &l->arguments.out, err));
    FSATTN_TRY(fsattn_device_copy(l->device, l->arguments.in, in, in_bytes, NULL, err));
    return fsattn_stream_synchronize(l->device, NULL, err);
}
static fsattn_status launch(const loaded *l, uint32_t threads, fsattn_err *err) {
    const fsattn_launch launch = {.arguments = &l->arguments, .argument_bytes = sizeof l->arguments, .grid = {1, 1, 1}, .block = {threads, 1, 1}};
    return fsattn_kernel_launch(l->kernel, &launch, NULL, err);
}
static fsattn_status fetch(const loaded *l, uint32_t *out, fsattn_err *err) {
    FSATTN_TRY(fsattn_device_copy(l->device, out, l->arguments.out, l->out_bytes, NULL, err));
    return fsattn_stream_synchronize(l->device, NULL, err);
}

/* ---- times ---- */

/* From the first wave's start to the last one's end, by the counters that rates.hip writes. */
static double cycles_between(const uint32_t *out) {
    enum { waves = 16 };
    uint64_t first = UINT64_MAX, last = 0;
    for (int i = 0; i < waves; i++) {
        const uint64_t from = out[4 * i] | (uint64_t)out[4 * i + 1] << 32, to = out[4 * i + 2] | (uint64_t)out[4 * i + 3] << 32;
        first = from < first ? from : first;
        last = to > last ? to : last;
    }
    return (double)(last - first);
}

/* The shortest of a few runs of `count` turns. A simulator's counter knows nothing of its time model: its events do. */
static fsattn_status time_once(loaded *l, uint32_t count, fsattn_event *events[2], uint32_t *out, probe_sample *best, fsattn_err *err) {
    const bool modelled = fsattn_device_describe(l->device)->provenance == FSATTN_MODELLED;
    const int runs = modelled ? 1 : 7;
    const double mhz = 2400; /* of the model */
    l->arguments.count = count;
    for (int i = 0; i < runs; i++) {
        probe_sample s;
        FSATTN_TRY(fsattn_event_record(events[0], NULL, err));
        FSATTN_TRY(launch(l, 1024, err));
        FSATTN_TRY(fsattn_event_record(events[1], NULL, err));
        FSATTN_TRY(fetch(l, out, err));
        FSATTN_TRY(fsattn_event_elapsed(events[0], events[1], &s.time_ns, err));
        s.cycles = modelled ? s.time_ns * mhz / 1e3 : cycles_between(out);
        best->cycles = i == 0 || s.cycles < best->cycles ? s.cycles : best->cycles;
        best->time_ns = i == 0 || s.time_ns < best->time_ns ? s.time_ns : best->time_ns;
    }
    return FSATTN_OK;
}
static fsattn_status time_kernels(loaded *l, const probe *p, probe_sample *samples, fsattn_err *err) {
    const uint32_t turns = fsattn_device_describe(l->device)->provenance == FSATTN_MODELLED ? 3 : 256;
    static uint32_t out[probe_rate_kernel_out];
    fsattn_event *events[2];
    FSATTN_TRY(fsattn_event_create(l->device, &events[0], err));
    FSATTN_TRY(fsattn_event_create(l->device, &events[1], err));
    l->out_bytes = sizeof out;
    for (size_t i = 0; i < probe_rate_timings(p->rate); i++) {
        uint32_t in[probe_rate_in];
        probe_sample once, twice;
        probe_rate_fill(&p->rate->timings[i], in);
        FSATTN_TRY(start(l, p->rate->timings[i].entry, in, sizeof in, err));
        FSATTN_TRY(time_once(l, turns, events, out, &once, err));
        FSATTN_TRY(time_once(l, 2 * turns, events, out, &twice, err));
        samples[i] = (probe_sample){(twice.cycles - once.cycles) / turns, (twice.time_ns - once.time_ns) / turns};
    }
    return FSATTN_OK;
}

/* What is open ends with the process. */
static fsattn_status run_kernel(const probe_session *s, const probe *p, const compiled *c, const uint32_t *in, answer *a, fsattn_err *err) {
    const fsattn_device_options options = {.name = s->settings.device, .library = s->library};
    loaded l = {0};
    FSATTN_TRY(fsattn_device_open(&options, &l.device, err));
    a->device = *fsattn_device_describe(l.device);
    if (!p) {
        return FSATTN_OK;
    }
    FSATTN_TRY(fsattn_module_load(l.device, p->file, c->code, c->bytes, NULL, &l.module, err));
    if (p->rate) {
        return time_kernels(&l, p, a->samples, err);
    }
    l.arguments.count = p->count;
    l.out_bytes = p->out_words * sizeof *in;
    FSATTN_TRY(start(&l, p->entry, in, p->in_words * sizeof *in, err));
    FSATTN_TRY(launch(&l, 64, err));
    return fetch(&l, a->words, err);
}

/* Runs in a child; a->done false when it ended without an answer, with the reason. */
static fsattn_status in_child(const probe_session *s, const probe *p, const compiled *c, const uint32_t *in, answer *a, fsattn_err *err) {
    fflush(NULL);
    const pid_t child = fork();
    if (child < 0) {
        return fsattn_fail_errno(err, errno, "cannot start a process");
    }
    if (child == 0) {
        fsattn_err why = {0};
        if (run_kernel(s, p, c, in, a, &why) == FSATTN_OK) {
            a->done = true;
        } else {
            snprintf(a->why, sizeof a->why, "%.390s", why.message);
        }
        _exit(0);
    }
    const int64_t deadline = fsattn_clock_ns() + (int64_t)(s->settings.time_limit_s * 1e9);
    int state = 0;
    bool late = false;
    while (waitpid(child, &state, WNOHANG) == 0) {
        if (fsattn_clock_ns() > deadline && !late) {
            late = true;
            kill(child, SIGKILL);
        }
        usleep(2000);
    }
    if (late) {
        snprintf(a->why, sizeof a->why, "no answer within %.0f s", s->settings.time_limit_s);
    } else if (WIFSIGNALED(state)) {
        snprintf(a->why, sizeof a->why, "the process ended with signal %d", WTERMSIG(state));
    }
    a->done = a->done && !late && WIFEXITED(state);
    return FSATTN_OK;
}

static answer *answer_make(size_t words, size_t *bytes) {
    *bytes = sizeof(answer) + words * sizeof(uint32_t);
    answer *a = mmap(NULL, *bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return a == MAP_FAILED ? NULL : a;
}

static fsattn_status see_device(probe_session *s, fsattn_err *err) {
    size_t bytes;
    answer *a = answer_make(0, &bytes);
    if (!a) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    }
    fsattn_status status = in_child(s, NULL, NULL, NULL, a, err);
    if (status == FSATTN_OK && a->done) {
        s->device = a->device;
    } else if (status == FSATTN_OK) {
        status = fsattn_fail(err, FSATTN_DEVICE, "device %s: %s", s->settings.device, a->why);
        if (!strcmp(s->settings.device, "hip")) {
            fsattn_hint(err, "on a machine with an MI355X: install ROCm and check /dev/kfd; without one: --device sim");
        }
    }
    munmap(a, bytes);
    return status;
}

fsattn_status probe_session_open(const probe_settings *settings, probe_session **session, fsattn_err *err) {
    probe_session *s = fsattn_alloc(1, sizeof *s);
    fsattn_status status = FSATTN_OK;
    if (!s) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    }
    s->settings = *settings;
    FSATTN_GOTO(fsattn_gpu_library(settings->device, settings->library, &s->library, err));
    FSATTN_GOTO(see_device(s, err));
    FSATTN_GOTO(fsattn_hiprtc_open(NULL, &s->hiprtc, err));
    /* The simulator's disassembler, for children. */
    FSATTN_GOTO(fsattn_process_sibling("fsattn-rocm-helper", &s->helper, err));
    setenv("FSATTN_ROCM_HELPER", s->helper, 0);
    setenv("FSATTN_ROCM_ROOT", fsattn_hiprtc_root(s->hiprtc), 0);
    *session = s;
    s = NULL;
out:
    probe_session_close(s);
    return status;
}

void probe_session_close(probe_session *s) {
    if (!s) {
        return;
    }
    for (size_t i = 0; i < s->file_count; i++) {
        fsattn_free(s->files[i].code);
    }
    fsattn_hiprtc_close(s->hiprtc);
    fsattn_free(s->library);
    fsattn_free(s->helper);
    fsattn_free(s);
}

static fsattn_status compile(probe_session *s, const char *file, compiled **found, fsattn_err *err) {
    static const char *const options[] = {"--offload-arch=gfx950", "-O2", NULL};
    for (size_t i = 0; i < s->file_count; i++) {
        if (!strcmp(s->files[i].file, file)) {
            *found = &s->files[i];
            return FSATTN_OK;
        }
    }
    char *source = probe_source(file);
    if (!source || s->file_count == file_limit) {
        fsattn_free(source);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", file);
    }
    fsattn_hiprtc_job job = {.source = source, .options = options};
    const fsattn_status status = fsattn_hiprtc_compile(s->hiprtc, &job, 1, INT64_MAX, NULL, err);
    if (status == FSATTN_OK) {
        compiled *c = &s->files[s->file_count++];
        c->file = file;
        if (job.verdict == FSATTN_VERDICT_OK) {
            c->code = job.code;
            c->bytes = job.code_bytes;
            job.code = NULL;
        } else {
            const char *error = job.log ? strstr(job.log, "error:") : NULL;
            snprintf(c->why, sizeof c->why, "kernels/%s.hip does not compile: %.*s", file, error ? (int)strcspn(error, "\n") : 200,
                     error ? error : job.reason);
        }
        *found = c;
    }
    fsattn_hiprtc_job_fini(&job);
    fsattn_free(source);
    return status;
}

fsattn_status probe_session_run(probe_session *s, const probe *p, probe_outcome *outcome, fsattn_err *err) {
    compiled *c;
    size_t bytes = 0;
    answer *a = NULL;
    uint32_t *in = NULL;
    fsattn_status status;
    FSATTN_GOTO(compile(s, p->file, &c, err));
    *outcome = (probe_outcome){.verdict = PROBE_CANNOT};
    if (!c->code) {
        snprintf(outcome->detail, sizeof outcome->detail, "%s", c->why);
        goto out;
    }
    in = fsattn_alloc(p->in_words + 1, sizeof *in);
    a = answer_make(p->out_words, &bytes);
    if (!in || !a) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", p->name);
        goto out;
    }
    if (p->fill) {
        p->fill(p, in);
    }
    memset(a->words, 0xa5, p->out_words * sizeof *a->words);
    FSATTN_GOTO(in_child(s, p, c, in, a, err));
    if (a->done && p->rate) {
        probe_rate_judge(p, a->samples, outcome);
    } else if (a->done) {
        status = probe_judge(p, in, a->words, outcome, err);
    } else {
        snprintf(outcome->detail, sizeof outcome->detail, "%s", a->why);
    }
out:
    fsattn_free(in);
    if (a) {
        munmap(a, bytes);
    }
    return status;
}
