#include "store_row.h"

#include "error.h"
#include "text.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

/* Columns behind `id`, in the order in which they are selected and inserted. */
#define RESULT_COLUMNS(X)                                                                                    \
    X(result_key)                                                                                            \
    X(build_key) X(serving_key) X(identity) X(problem) X(template) X(verdict) X(median_ns) X(record)         \
        X(reason) X(samples) X(confirmed) X(beats_default) X(run_id) X(recorded_ms) X(row_hash)
#define BUILD_COLUMNS(X)                                                                                     \
    X(build_key)                                                                                             \
    X(verdict) X(log) X(seconds) X(compiler) X(options) X(source_hash) X(source_bytes) X(code_hash)          \
        X(code_bytes) X(recorded_ms) X(row_hash)
#define RUN_COLUMNS(X) X(space) X(command) X(machine) X(outcome) X(started_ms) X(finished_ms) X(row_hash)

#define TEXT(name) ", " #name
#define MARK(name) ", ?"
#define REPLACED(name) ", " #name " = excluded." #name
#define RESULT_COLUMN(name) RESULT_##name,
#define BUILD_COLUMN(name) BUILD_##name,
#define RUN_COLUMN(name) RUN_##name,
/* Positions in a SELECT and among the parameters of an INSERT; `id` is 0 in both. */
enum { RESULT_id, RESULT_COLUMNS(RESULT_COLUMN) };
enum { BUILD_id, BUILD_COLUMNS(BUILD_COLUMN) };
enum { RUN_id, RUN_COLUMNS(RUN_COLUMN) };

const char fsattn_store_select_result[] = "SELECT id" RESULT_COLUMNS(TEXT) " FROM results ";
const char fsattn_store_select_build[] = "SELECT id" BUILD_COLUMNS(TEXT) " FROM builds ";
const char fsattn_store_select_run[] = "SELECT id" RUN_COLUMNS(TEXT) " FROM runs ";
/* A row that is replaced keeps its id: somebody else may have looked it up and be about to read it. */
static const char insert_result[] = "INSERT INTO results(id" RESULT_COLUMNS(TEXT) ") VALUES(?" RESULT_COLUMNS(
    MARK) ")"
          " ON CONFLICT(result_key) DO UPDATE SET id = id" RESULT_COLUMNS(REPLACED);
static const char insert_build[] = "INSERT INTO builds(id" BUILD_COLUMNS(TEXT) ") VALUES(?" BUILD_COLUMNS(
    MARK) ")"
          " ON CONFLICT(build_key) DO UPDATE SET id = id" BUILD_COLUMNS(REPLACED);
static const char insert_run[] =
    "INSERT OR REPLACE INTO runs(id" RUN_COLUMNS(TEXT) ") VALUES(?" RUN_COLUMNS(MARK) ")";

int64_t fsattn_store_now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static fsattn_status out_of_memory(const fsattn_store *store, fsattn_err *err) {
    return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", store->path);
}

static fsattn_status damaged(const char *what, int64_t id, const char *why, fsattn_err *err) {
    return fsattn_fail(err, FSATTN_CORRUPT, "%s %" PRId64 ": %s", what, id, why);
}

static void hash_begin(fsattn_hasher *hasher, const char *kind) {
    fsattn_hasher_init(hasher);
    fsattn_hasher_field_text(hasher, "row", kind);
}

static bool same(const fsattn_hash *a, const fsattn_hash *b) {
    return fsattn_hash_compare(a, b) == 0;
}

/* ---- results ---- */

/* A result as it is stored: what its columns hold. */
typedef struct result_row {
    const void *record, *samples;
    size_t record_bytes, sample_bytes;
    fsattn_hash hash;
} result_row;

static fsattn_hash result_hash(const result_row *row, const fsattn_store_result *result) {
    fsattn_hasher hasher;
    hash_begin(&hasher, "fsattn result row 1");
    fsattn_hasher_field(&hasher, "record", row->record, row->record_bytes);
    fsattn_hasher_field_int(&hasher, "verdict", result->verdict);
    fsattn_hasher_field_text(&hasher, "reason", result->reason ? result->reason : "");
    fsattn_hasher_field(&hasher, "samples", row->samples, row->sample_bytes);
    fsattn_hasher_field_int(&hasher, "confirmed", result->confirmed);
    fsattn_hasher_field_int(&hasher, "beats_default", result->beats_default);
    fsattn_hasher_field_int(&hasher, "run_id", result->run_id);
    fsattn_hasher_field_int(&hasher, "recorded_ms", result->recorded_ms);
    return fsattn_hasher_final(&hasher);
}

/* Samples are stored as little-endian doubles. */
static uint64_t little_endian(uint64_t bits) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap64(bits);
#else
    return bits;
#endif
}

static double *swap_samples(const void *samples, size_t count, fsattn_arena *arena) {
    double *swapped = fsattn_arena_alloc(arena, count, sizeof *swapped);
    for (size_t i = 0; swapped && i < count; i++) {
        uint64_t bits;
        memcpy(&bits, (const char *)samples + i * sizeof bits, sizeof bits);
        bits = little_endian(bits);
        memcpy(&swapped[i], &bits, sizeof bits);
    }
    return swapped;
}

/* The column that results are ordered by; infinite when never timed, and a NaN would not pass a NOT NULL. */
static double order_median(const fsattn_fsc_record *record) {
    double median = record->cost.samples ? record->cost.median_ns : INFINITY;
    return isnan(median) ? INFINITY : median;
}

static fsattn_status check_columns(const fsattn_store_query *query, int64_t id,
                                   const fsattn_fsc_record *record, fsattn_err *err) {
    const struct {
        int column;
        const fsattn_hash *hash;
    } keys[] = {{RESULT_result_key, &record->result_key},
                {RESULT_build_key, &record->build_key},
                {RESULT_serving_key, &record->serving_key},
                {RESULT_identity, &record->identity}};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        fsattn_hash column = fsattn_store_column_hash(query, keys[i].column);
        if (!same(&column, keys[i].hash)) {
            return damaged("result", id, "its keys are not those of its record", err);
        }
    }
    const char *problem = (const char *)sqlite3_column_text(query->statement, RESULT_problem);
    const char *name = (const char *)sqlite3_column_text(query->statement, RESULT_template);
    if (!problem || !name || strcmp(problem, record->problem_text) || strcmp(name, record->template_name) ||
        fsattn_store_column_real(query, RESULT_median_ns) != order_median(record)) {
        return damaged("result", id, "its columns are not those of its record", err);
    }
    return FSATTN_OK;
}

fsattn_status fsattn_store_row_result(const fsattn_store_query *query, fsattn_arena *arena,
                                      fsattn_store_result *result, fsattn_err *err) {
    int64_t id = fsattn_store_column_int(query, RESULT_id);
    fsattn_store_result read = {0};
    result_row row = {0};
    if (!fsattn_store_column_bytes(query, RESULT_record, arena, &row.record, &row.record_bytes) ||
        !fsattn_store_column_bytes(query, RESULT_samples, arena, &row.samples, &row.sample_bytes) ||
        !fsattn_store_column_text(query, RESULT_reason, arena, &read.reason)) {
        return out_of_memory(query->store, err);
    }
    int64_t verdict = fsattn_store_column_int(query, RESULT_verdict);
    read.verdict = (fsattn_verdict)verdict;
    read.confirmed = fsattn_store_column_int(query, RESULT_confirmed) != 0;
    read.beats_default = fsattn_store_column_int(query, RESULT_beats_default) != 0;
    read.run_id = fsattn_store_column_int(query, RESULT_run_id);
    read.recorded_ms = fsattn_store_column_int(query, RESULT_recorded_ms);
    row.hash = result_hash(&row, &read);
    fsattn_hash stored = fsattn_store_column_hash(query, RESULT_row_hash);
    if (!same(&row.hash, &stored) || verdict < 0 || verdict >= fsattn_verdict_count || row.sample_bytes % 8) {
        return damaged("result", id, "does not fit its hash", err);
    }
    fsattn_status status = fsattn_fsc_record_decode(row.record, row.record_bytes, arena, &read.record, err);
    if (status != FSATTN_OK) {
        return fsattn_context_add(err, status, "result %" PRId64, id);
    }
    FSATTN_TRY(check_columns(query, id, &read.record, err));
    read.sample_count = row.sample_bytes / 8;
    read.samples = swap_samples(row.samples, read.sample_count, arena);
    if (!read.samples) {
        return out_of_memory(query->store, err);
    }
    *result = read;
    return FSATTN_OK;
}

static void bind_result(fsattn_store_query *query, const fsattn_fsc_record *record, const result_row *row,
                        const fsattn_store_result *result) {
    fsattn_store_bind_hash(query, RESULT_result_key, &record->result_key);
    fsattn_store_bind_hash(query, RESULT_build_key, &record->build_key);
    fsattn_store_bind_hash(query, RESULT_serving_key, &record->serving_key);
    fsattn_store_bind_hash(query, RESULT_identity, &record->identity);
    fsattn_store_bind_text(query, RESULT_problem, record->problem_text);
    fsattn_store_bind_text(query, RESULT_template, record->template_name);
    fsattn_store_bind_int(query, RESULT_verdict, result->verdict);
    fsattn_store_bind_real(query, RESULT_median_ns, order_median(record));
    fsattn_store_bind_bytes(query, RESULT_record, row->record, row->record_bytes);
    fsattn_store_bind_text(query, RESULT_reason, result->reason);
    fsattn_store_bind_bytes(query, RESULT_samples, row->samples, row->sample_bytes);
    fsattn_store_bind_int(query, RESULT_confirmed, result->confirmed);
    fsattn_store_bind_int(query, RESULT_beats_default, result->beats_default);
    fsattn_store_bind_int(query, RESULT_run_id, result->run_id);
    fsattn_store_bind_int(query, RESULT_recorded_ms, result->recorded_ms);
    fsattn_store_bind_hash(query, RESULT_row_hash, &row->hash);
}

fsattn_status fsattn_store_write_result(fsattn_store *store, const fsattn_store_result *result,
                                        fsattn_err *err) {
    fsattn_store_query query = {0};
    fsattn_arena arena = {0};
    fsattn_text bytes = {0};
    fsattn_fsc_record record;
    fsattn_status status;
    FSATTN_GOTO(fsattn_fsc_record_encode(&result->record, &bytes, err));
    /* Reading back what was written gives the derived fields and proves that the row can be read. */
    FSATTN_GOTO(fsattn_fsc_record_decode(bytes.data, bytes.bytes, &arena, &record, err));
    result_row row = {.record = bytes.data,
                      .record_bytes = bytes.bytes,
                      .samples = swap_samples(result->samples, result->sample_count, &arena),
                      .sample_bytes = result->sample_count * 8};
    if (!row.samples) {
        status = out_of_memory(store, err);
        goto out;
    }
    row.hash = result_hash(&row, result);
    FSATTN_GOTO(fsattn_store_query_init(&query, store, insert_result, err));
    bind_result(&query, &record, &row, result);
    status = fsattn_store_query_run(&query, err);
out:
    fsattn_store_query_fini(&query);
    fsattn_arena_fini(&arena);
    fsattn_text_fini(&bytes);
    return status;
}

fsattn_status fsattn_store_result_at(fsattn_store *store, int64_t id, fsattn_arena *arena,
                                     fsattn_store_result *result, bool *found, fsattn_err *err) {
    fsattn_store_query query = {0};
    fsattn_text sql = {0};
    fsattn_err why = {0};
    fsattn_status status;
    bool row;
    fsattn_text_printf(&sql, "%s WHERE id = ?", fsattn_store_select_result);
    if (sql.failed) {
        status = out_of_memory(store, err);
        goto out;
    }
    FSATTN_GOTO(fsattn_store_query_init(&query, store, sql.data, err));
    fsattn_store_bind_int(&query, 0, id);
    FSATTN_GOTO(fsattn_store_query_step(&query, &row, err));
    *found = false;
    if (row) {
        status = fsattn_store_row_result(&query, arena, result, &why);
        *found = status == FSATTN_OK;
        if (status == FSATTN_CORRUPT) {
            fsattn_store_tell(store, status, "%s; it counts as absent", why.message);
            status = FSATTN_OK;
        } else if (status != FSATTN_OK && err) {
            *err = why;
        }
    }
out:
    fsattn_store_query_fini(&query);
    fsattn_text_fini(&sql);
    return status;
}

fsattn_status fsattn_store_result_ids(fsattn_store *store, const fsattn_store_filter *filter,
                                      fsattn_store_ids *ids, fsattn_err *err) {
    static const fsattn_store_filter all = {0};
    filter = filter ? filter : &all;
    const struct {
        bool wanted;
        const char *condition;
    } rows[] = {{filter->serving_key != NULL, " AND serving_key = ?1"},
                {filter->template_name != NULL, " AND template = ?2"},
                {filter->problem != NULL, " AND problem = ?3"},
                {filter->verdict_plus_one != 0, " AND verdict = ?4"},
                {filter->run_id != 0, " AND run_id = ?5"}};
    fsattn_store_query query = {0};
    fsattn_text sql = {0};
    fsattn_status status;
    fsattn_text_puts(&sql, "SELECT id FROM results WHERE ?1 IS NOT NULL");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        fsattn_text_puts(&sql, rows[i].wanted ? rows[i].condition : "");
    }
    /* A row that is replaced keeps its id. */
    fsattn_text_puts(&sql, filter->by_time ? " ORDER BY id, ?6"
                                           : " ORDER BY problem, verdict <> ?6, verdict, median_ns, identity, result_key");
    if (sql.failed) {
        status = out_of_memory(store, err);
        goto out;
    }
    FSATTN_GOTO(fsattn_store_query_init(&query, store, sql.data, err));
    fsattn_store_bind_bytes(&query, 0, filter->serving_key,
                            filter->serving_key ? sizeof *filter->serving_key : 0);
    fsattn_store_bind_text(&query, 1, filter->template_name);
    fsattn_store_bind_text(&query, 2, filter->problem);
    fsattn_store_bind_int(&query, 3, filter->verdict_plus_one - 1);
    fsattn_store_bind_int(&query, 4, filter->run_id);
    fsattn_store_bind_int(&query, 5, FSATTN_VERDICT_OK);
    status = fsattn_store_query_ids(&query, ids, err);
out:
    fsattn_store_query_fini(&query);
    fsattn_text_fini(&sql);
    return status;
}

/* ---- builds ---- */

static fsattn_hash build_hash(const fsattn_store_build *build) {
    fsattn_hasher hasher;
    hash_begin(&hasher, "fsattn build row 1");
    fsattn_hasher_field(&hasher, "build_key", build->build_key.bytes, sizeof build->build_key.bytes);
    fsattn_hasher_field_int(&hasher, "verdict", build->verdict);
    fsattn_hasher_field_text(&hasher, "log", build->log ? build->log : "");
    fsattn_hasher_field(&hasher, "seconds", &build->seconds, sizeof build->seconds);
    fsattn_hasher_field_text(&hasher, "compiler", build->compiler ? build->compiler : "");
    fsattn_hasher_field_text(&hasher, "options", build->options ? build->options : "");
    fsattn_hasher_field(&hasher, "source", build->source.hash.bytes, sizeof build->source.hash.bytes);
    fsattn_hasher_field_int(&hasher, "source_bytes", (int64_t)build->source.bytes);
    fsattn_hasher_field(&hasher, "code", build->code.hash.bytes, sizeof build->code.hash.bytes);
    fsattn_hasher_field_int(&hasher, "code_bytes", (int64_t)build->code.bytes);
    fsattn_hasher_field_int(&hasher, "recorded_ms", build->recorded_ms);
    return fsattn_hasher_final(&hasher);
}

fsattn_status fsattn_store_row_build(const fsattn_store_query *query, fsattn_arena *arena,
                                     fsattn_store_build *build, fsattn_err *err) {
    int64_t id = fsattn_store_column_int(query, BUILD_id),
            verdict = fsattn_store_column_int(query, BUILD_verdict);
    fsattn_store_build read = {.build_key = fsattn_store_column_hash(query, BUILD_build_key),
                               .verdict = (fsattn_verdict)verdict,
                               .seconds = fsattn_store_column_real(query, BUILD_seconds),
                               .recorded_ms = fsattn_store_column_int(query, BUILD_recorded_ms)};
    read.source.hash = fsattn_store_column_hash(query, BUILD_source_hash);
    read.source.bytes = (size_t)fsattn_store_column_int(query, BUILD_source_bytes);
    read.code.hash = fsattn_store_column_hash(query, BUILD_code_hash);
    read.code.bytes = (size_t)fsattn_store_column_int(query, BUILD_code_bytes);
    if (!fsattn_store_column_text(query, BUILD_log, arena, &read.log) ||
        !fsattn_store_column_text(query, BUILD_compiler, arena, &read.compiler) ||
        !fsattn_store_column_text(query, BUILD_options, arena, &read.options)) {
        return out_of_memory(query->store, err);
    }
    fsattn_hash hash = build_hash(&read), stored = fsattn_store_column_hash(query, BUILD_row_hash);
    if (!same(&hash, &stored) || verdict < 0 || verdict >= fsattn_verdict_count) {
        return damaged("build", id, "does not fit its hash", err);
    }
    *build = read;
    return FSATTN_OK;
}

fsattn_status fsattn_store_write_build(fsattn_store *store, const fsattn_store_build *build,
                                       fsattn_err *err) {
    fsattn_store_query query;
    fsattn_hash hash = build_hash(build);
    FSATTN_TRY(fsattn_store_query_init(&query, store, insert_build, err));
    fsattn_store_bind_hash(&query, BUILD_build_key, &build->build_key);
    fsattn_store_bind_int(&query, BUILD_verdict, build->verdict);
    fsattn_store_bind_text(&query, BUILD_log, build->log);
    fsattn_store_bind_real(&query, BUILD_seconds, build->seconds);
    fsattn_store_bind_text(&query, BUILD_compiler, build->compiler);
    fsattn_store_bind_text(&query, BUILD_options, build->options);
    fsattn_store_bind_hash(&query, BUILD_source_hash, &build->source.hash);
    fsattn_store_bind_int(&query, BUILD_source_bytes, (int64_t)build->source.bytes);
    fsattn_store_bind_hash(&query, BUILD_code_hash, &build->code.hash);
    fsattn_store_bind_int(&query, BUILD_code_bytes, (int64_t)build->code.bytes);
    fsattn_store_bind_int(&query, BUILD_recorded_ms, build->recorded_ms);
    fsattn_store_bind_hash(&query, BUILD_row_hash, &hash);
    fsattn_status status = fsattn_store_query_run(&query, err);
    fsattn_store_query_fini(&query);
    return status;
}

/* ---- runs ---- */

static fsattn_hash run_hash(const fsattn_store_run *run) {
    fsattn_hasher hasher;
    hash_begin(&hasher, "fsattn run row 1");
    fsattn_hasher_field_text(&hasher, "space", run->space ? run->space : "");
    fsattn_hasher_field_text(&hasher, "command", run->command ? run->command : "");
    fsattn_hasher_field_text(&hasher, "machine", run->machine ? run->machine : "");
    fsattn_hasher_field_text(&hasher, "outcome", run->outcome ? run->outcome : "");
    fsattn_hasher_field_int(&hasher, "started_ms", run->started_ms);
    fsattn_hasher_field_int(&hasher, "finished_ms", run->finished_ms);
    return fsattn_hasher_final(&hasher);
}

fsattn_status fsattn_store_row_run(const fsattn_store_query *query, fsattn_arena *arena, int64_t *id,
                                   fsattn_store_run *run, fsattn_err *err) {
    fsattn_store_run read = {.started_ms = fsattn_store_column_int(query, RUN_started_ms),
                             .finished_ms = fsattn_store_column_int(query, RUN_finished_ms)};
    *id = fsattn_store_column_int(query, RUN_id);
    if (!fsattn_store_column_text(query, RUN_space, arena, &read.space) ||
        !fsattn_store_column_text(query, RUN_command, arena, &read.command) ||
        !fsattn_store_column_text(query, RUN_machine, arena, &read.machine) ||
        !fsattn_store_column_text(query, RUN_outcome, arena, &read.outcome)) {
        return out_of_memory(query->store, err);
    }
    fsattn_hash hash = run_hash(&read), stored = fsattn_store_column_hash(query, RUN_row_hash);
    if (!same(&hash, &stored)) {
        return damaged("run", *id, "does not fit its hash", err);
    }
    *run = read;
    return FSATTN_OK;
}

fsattn_status fsattn_store_write_run(fsattn_store *store, int64_t *id, const fsattn_store_run *run,
                                     fsattn_err *err) {
    fsattn_store_query query;
    fsattn_hash hash = run_hash(run);
    FSATTN_TRY(fsattn_store_query_init(&query, store, insert_run, err));
    if (*id) {
        fsattn_store_bind_int(&query, RUN_id, *id);
    }
    fsattn_store_bind_text(&query, RUN_space, run->space);
    fsattn_store_bind_text(&query, RUN_command, run->command);
    fsattn_store_bind_text(&query, RUN_machine, run->machine);
    fsattn_store_bind_text(&query, RUN_outcome, run->outcome);
    fsattn_store_bind_int(&query, RUN_started_ms, run->started_ms);
    fsattn_store_bind_int(&query, RUN_finished_ms, run->finished_ms);
    fsattn_store_bind_hash(&query, RUN_row_hash, &hash);
    fsattn_status status = fsattn_store_query_run(&query, err);
    if (status == FSATTN_OK) {
        *id = sqlite3_last_insert_rowid(store->db);
    }
    fsattn_store_query_fini(&query);
    return status;
}
