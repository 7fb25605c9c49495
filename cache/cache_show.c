/* list and show: results for people. */
#include "cache_input.h"

#include "code_object.h"
#include "error.h"
#include "file.h"
#include "fsc_interval.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* One line: cost, speed-up, error, what it is. */
static void add_line(fsattn_text *out, const fsattn_store_result *result) {
    const fsattn_fsc_record *record = &result->record;
    const fsattn_cost *cost = &record->cost;
    const fsattn_accuracy_entry *normal = fsattn_fsc_accuracy(record, "normal");
    char median[32] = "untimed", speedup[32] = "-", error[32] = "-", hex[fsattn_hash_hex_bytes];
    if (result->verdict != FSATTN_VERDICT_OK) {
        snprintf(median, sizeof median, "%s", fsattn_verdict_text(result->verdict));
    } else if (cost->samples) {
        fsattn_cache_time_text(cost->median_ns, median);
    }
    if (cost->samples && cost->default_median_ns > 0) {
        snprintf(speedup, sizeof speedup, "%.3gx", cost->default_median_ns / cost->median_ns);
    }
    if (normal) {
        snprintf(error, sizeof error, "%.2g", normal->relative_error);
    }
    fsattn_hash_hex(&record->result_key, hex);
    fsattn_text_printf(out, "  %.12s  %-8s %14s %8s %9s  %s %s%s%s%s%s\n", hex,
                       fsattn_role_text(record->role), median, speedup, error, record->template_name,
                       record->configuration, cost->provenance == FSATTN_MODELLED ? " (modelled)" : "",
                       record->unproven ? " (unproven)" : "", result->reason[0] ? ": " : "", result->reason);
    fsattn_fsc_interval interval;
    if (fsattn_fsc_interval_of(record, &interval)) {
        fsattn_text_printf(out, "  %-12s  serves ", "");
        fsattn_fsc_interval_tell(&interval, out);
        fsattn_text_puts(out, "\n");
    }
}

static void add_list(fsattn_text *out, const fsattn_cache_input *input, const int *verdict) {
    const char *last = "";
    size_t shown = 0, problems = 0;
    for (size_t i = 0; i < input->count; i++) {
        const fsattn_store_result *result = &input->entries[i].result;
        const fsattn_fsc_record *record = &result->record;
        if (verdict && (int)result->verdict != *verdict) {
            continue;
        }
        if (strcmp(last, record->problem_text)) {
            fsattn_text_printf(out, "%s%s\n  %-12s  %-8s %14s %8s %9s  configuration\n", problems ? "\n" : "",
                               record->problem_text, "result", "role", "median", "speed-up", "error");
            last = record->problem_text;
            problems++;
        }
        add_line(out, result);
        shown++;
    }
    fsattn_text_printf(out, "%s%zu results for %zu problems\n", problems ? "\n" : "", shown, problems);
}

static fsattn_status add_counts(fsattn_text *out, fsattn_store *store, fsattn_err *err) {
    int64_t counts[fsattn_verdict_count];
    FSATTN_TRY(fsattn_store_results_count(store, NULL, counts, err));
    fsattn_text_puts(out, "in the store:");
    for (int i = 0; i < fsattn_verdict_count; i++) {
        fsattn_text_printf(out, "%s %" PRId64 " %s", i ? "," : "", counts[i],
                           fsattn_verdict_text((fsattn_verdict)i));
    }
    fsattn_text_puts(out, "\n");
    return FSATTN_OK;
}

fsattn_status fsattn_cache_list(int argc, char **argv, fsattn_err *err) {
    fsattn_cache_choice choice = {0};
    const char *verdict_text = NULL, *positionals[1];
    const fsattn_option options[] = {
        {"--all", NULL, FSATTN_OPTION_FLAG, &choice.all, 0, 0,
         "every result of a store, failed ones too (default: winners and defaults)"},
        {"--unproven", NULL, FSATTN_OPTION_FLAG, &choice.unproven, 0, 0,
         "imported results that were not verified here too (default: no)"},
        {"--problem", "TEXT", FSATTN_OPTION_TEXT, &choice.problem, 0, 0,
         "only of this problem (default: all)"},
        {"--template", "NAME", FSATTN_OPTION_TEXT, &choice.template_name, 0, 0,
         "only of this template (default: all)"},
        {"--verdict", "NAME", FSATTN_OPTION_TEXT, &verdict_text, 0, 0,
         "only with this verdict, implies --all (default: all)"},
    };
    const fsattn_command command = {"fsattn-cache list",
                                    "[FILE] [options]",
                                    "Lists what a store or a cache file holds, problem by problem.",
                                    options,
                                    sizeof options / sizeof options[0],
                                    "FILE is a store or a cache file (default: the user's tune.db)."};
    char *path = NULL, problem[fsattn_problem_text_bytes];
    size_t count;
    bool done, is_fsc;
    fsattn_verdict verdict = FSATTN_VERDICT_OK;
    fsattn_cache_input input = {0};
    fsattn_text out = {0};
    fsattn_status status;
    FSATTN_TRY(fsattn_cache_parse(&command, argc, argv, positionals, 0, 1, &count, &done, err));
    if (done) {
        return FSATTN_OK;
    }
    FSATTN_TRY(fsattn_cache_problem(&choice.problem, problem, err));
    if (verdict_text) {
        FSATTN_TRY(fsattn_verdict_parse(verdict_text, &verdict, err));
        choice.all = true;
    }
    FSATTN_GOTO(fsattn_cache_path(count ? positionals[0] : NULL, "tune.db", &path, err));
    FSATTN_GOTO(fsattn_cache_is_fsc(path, &is_fsc, err));
    FSATTN_GOTO(fsattn_cache_input_open(&input, path, is_fsc, &choice, err));
    if (!input.count && (choice.problem || choice.template_name)) {
        status = fsattn_cache_no_results(err);
        goto out;
    }
    int wanted = (int)verdict;
    add_list(&out, &input, verdict_text ? &wanted : NULL);
    if (input.store) {
        FSATTN_GOTO(add_counts(&out, input.store, err));
    }
    status = fsattn_cache_print(&out, err);
out:
    fsattn_text_fini(&out);
    fsattn_cache_input_fini(&input);
    fsattn_free(path);
    return status;
}

/* ---- show ---- */

static bool has_prefix(const fsattn_hash *hash, const char *prefix) {
    char hex[fsattn_hash_hex_bytes];
    fsattn_hash_hex(hash, hex);
    return strlen(prefix) < sizeof hex && !strncasecmp(hex, prefix, strlen(prefix));
}

/* The one result whose key or identity begins so; of several that are the same result, the first. */
static fsattn_status find_entry(const fsattn_cache_input *input, const char *prefix,
                                fsattn_cache_entry **entry, fsattn_err *err) {
    fsattn_cache_entry *match = NULL;
    if (strlen(prefix) < 4) {
        return fsattn_fail(err, FSATTN_USAGE, "'%s': expected at least 4 hexadecimal digits", prefix);
    }
    for (size_t i = 0; i < input->count; i++) {
        const fsattn_fsc_record *record = &input->entries[i].result.record;
        if (!has_prefix(&record->result_key, prefix) && !has_prefix(&record->identity, prefix)) {
            continue;
        }
        if (match && fsattn_hash_compare(&match->result.record.result_key, &record->result_key)) {
            fsattn_fail(err, FSATTN_INVALID, "'%s': several results begin so", prefix);
            fsattn_hint(err, "give more digits of the result's key ('fsattn-cache list --all' shows 12)");
            return FSATTN_INVALID;
        }
        match = match ? match : &input->entries[i];
    }
    if (!match) {
        fsattn_fail(err, FSATTN_NOT_FOUND, "'%s': no result begins so", prefix);
        fsattn_hint(err, "'fsattn-cache list --all' shows them");
        return FSATTN_NOT_FOUND;
    }
    *entry = match;
    return FSATTN_OK;
}

static fsattn_status load_blobs(fsattn_cache_input *input, fsattn_fsc_record *record, fsattn_err *err) {
    return record->stage_count && record->stages[0].code.data
               ? FSATTN_OK
               : fsattn_store_blobs_load(input->store, &input->arena, record, err);
}

static fsattn_status show_entry(fsattn_cache_input *input, fsattn_store_result *result, bool source,
                                fsattn_text *out, fsattn_err *err) {
    size_t count;
    if (source) {
        FSATTN_TRY(load_blobs(input, &result->record, err));
        fsattn_text_add(out, result->record.source.data, result->record.source.bytes);
        return FSATTN_OK;
    }
    const fsattn_cache_field *fields = fsattn_cache_fields(result, &input->arena, &count);
    if (!fields) {
        return fsattn_fail(err, FSATTN_NO_MEMORY, "out of memory");
    }
    for (size_t i = 0; i < count; i++) {
        fsattn_text_printf(out, "%-42s %s\n", fields[i].name, fields[i].value);
    }
    if (result->sample_count) {
        fsattn_text_printf(out, "%-42s", "samples_ns");
        for (size_t i = 0; i < result->sample_count; i++) {
            fsattn_text_printf(out, " %.9g", result->samples[i]);
        }
        fsattn_text_puts(out, "\n");
    }
    if (input->store) {
        fsattn_text_printf(out, "%-42s %s, %s\n%-42s %" PRId64 "\n%-42s %" PRId64 "\n", "shoot-out",
                           result->confirmed ? "took part" : "did not take part",
                           result->beats_default ? "beat the default" : "did not beat the default", "run",
                           result->run_id, "recorded_ms", result->recorded_ms);
    }
    return FSATTN_OK;
}

/* A GPU's is read whole. A processor's has no mark of ours: what somebody may execute, which none that was written here is,
 * is taken for a program or a library. */
static fsattn_status code_is_sound(const char *path, fsattn_err *err) {
    enum { at_machine = 18, em_amdgpu = 224 };
    char *data;
    size_t bytes;
    struct stat info = {0};
    fsattn_code_object object = {0};
    FSATTN_TRY(fsattn_file_read(path, (size_t)1 << 30, &data, &bytes, err));
    fsattn_status status = FSATTN_OK;
    if (bytes > at_machine && (unsigned char)data[at_machine] == em_amdgpu) {
        status = fsattn_code_object_init(&object, path, data, bytes, NULL, err);
        fsattn_code_object_fini(&object);
    } else if (stat(path, &info) || (info.st_mode & 0111)) {
        status = fsattn_fail(err, FSATTN_INVALID, "%s: can be executed", path);
    }
    fsattn_free(data);
    return status;
}

static const fsattn_output_kind code_kind = {"code object", "\x7f" "ELF", code_is_sound};

static fsattn_status write_code(const char *code, const char *input, bool is_fsc, const fsattn_blob *blob, fsattn_err *err) {
    const fsattn_output_own own[] = {{input, is_fsc ? "the cache file" : "the store", !is_fsc}};
    const fsattn_output output = {code, "--code", &code_kind, own, sizeof own / sizeof own[0]};
    FSATTN_TRY(fsattn_output_check(&output, err));
    return fsattn_file_publish(code, blob->data, blob->bytes, 0644, err);
}

fsattn_status fsattn_cache_show(int argc, char **argv, fsattn_err *err) {
    const fsattn_cache_choice choice = {.all = true, .unproven = true};
    bool source = false, done, is_fsc;
    const char *code = NULL, *file = NULL, *positionals[1];
    const fsattn_option options[] = {
        {"--file", "FILE", FSATTN_OPTION_TEXT, &file, 0, 0,
         "store or cache file (default: the user's tune.db)"},
        {"--source", NULL, FSATTN_OPTION_FLAG, &source, 0, 0, "print the rendered source instead"},
        {"--code", "FILE", FSATTN_OPTION_TEXT, &code, 0, 0,
         "also write the code object of the first stage there, over nothing but a code object"},
    };
    const fsattn_command command = {
        "fsattn-cache show",
        "KEY [options]",
        "Shows everything about one result.",
        options,
        sizeof options / sizeof options[0],
        "KEY is the beginning of a result key or identity, as 'list' shows them."};
    char *path = NULL;
    size_t count;
    fsattn_cache_input input = {0};
    fsattn_cache_entry *entry = NULL;
    fsattn_text out = {0};
    fsattn_status status;
    FSATTN_TRY(fsattn_cache_parse(&command, argc, argv, positionals, 1, 1, &count, &done, err));
    if (done) {
        return FSATTN_OK;
    }
    FSATTN_GOTO(fsattn_cache_path(file, "tune.db", &path, err));
    FSATTN_GOTO(fsattn_cache_is_fsc(path, &is_fsc, err));
    FSATTN_GOTO(fsattn_cache_input_open(&input, path, is_fsc, &choice, err));
    FSATTN_GOTO(find_entry(&input, positionals[0], &entry, err));
    FSATTN_GOTO(show_entry(&input, &entry->result, source, &out, err));
    if (code) {
        fsattn_fsc_record *record = &entry->result.record;
        FSATTN_GOTO(load_blobs(&input, record, err));
        if (!record->stage_count) {
            status = fsattn_fail(err, FSATTN_NOT_FOUND, "'%s': it has no code object", positionals[0]);
            goto out;
        }
        FSATTN_GOTO(write_code(code, path, is_fsc, &record->stages[0].code, err));
    }
    status = fsattn_cache_print(&out, err);
out:
    fsattn_text_fini(&out);
    fsattn_cache_input_fini(&input);
    fsattn_free(path);
    return status;
}
