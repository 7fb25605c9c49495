/* What leaves a store and what comes in: export, import, merge, gc, verify. */
#include "../support/store_fixture.h"

#include <unistd.h>

TestSuite(store_exchange, .init = store_setup, .fini = store_teardown);

typedef struct variant {
    double median_ns, error;
    fsattn_provenance provenance;
    bool confirmed, beats_default, is_default, unproven, partial;
} variant;

static void put_variant(fsattn_store *store, int number, const variant *v) {
    sample s;
    fsattn_err err = {0};
    static const fsattn_attribute partial = {FSATTN_STORE_PARTIAL, "1"};
    sample_record(&s, number);
    s.record.cost.median_ns = s.record.cost.minimum_ns = v->median_ns;
    s.record.cost.provenance = v->provenance;
    s.accuracies[0].relative_error = v->error;
    s.record.role = v->is_default ? FSATTN_ROLE_DEFAULT : FSATTN_ROLE_WINNER;
    s.record.unproven = v->unproven;
    if (v->partial) {
        s.record.attributes = &partial;
        s.record.attribute_count = 1;
    }
    fsattn_store_result result = result_of(&s, FSATTN_VERDICT_OK);
    result.confirmed = v->confirmed;
    result.beats_default = v->beats_default;
    cr_assert_eq(fsattn_store_result_put(store, &result, &err), FSATTN_OK, "%s", err.message);
}

/* "0w 2w 3d": numbers of the exported samples with their role, in the file's order. */
static void exported(fsattn_store *store, const fsattn_store_export_options *options, const char *expected) {
    fsattn_fsc_writer *writer;
    fsattn_fsc *fsc;
    fsattn_text file = {0}, list = {0};
    fsattn_err err = {0};
    size_t winners, seen_winners = 0;
    cr_assert_eq(fsattn_fsc_writer_create(&writer, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_store_export(store, options, writer, &winners, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_fsc_writer_encode(writer, NULL, &file, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_fsc_open_bytes("x", file.data, file.bytes, NULL, NULL, &fsc, &err), FSATTN_OK, "%s",
                 err.message);
    for (size_t i = 0; i < fsattn_fsc_count(fsc); i++) {
        const fsattn_fsc_record *record = fsattn_fsc_at(fsc, i);
        int number = -1;
        sscanf(record->configuration, "tile_m=%d", &number);
        fsattn_text_printf(&list, "%s%d%c", i ? " " : "", number - 32, fsattn_role_text(record->role)[0]);
        seen_winners += record->role == FSATTN_ROLE_WINNER;
    }
    cr_assert_str_eq(list.data ? list.data : "", expected);
    cr_assert_eq(winners, seen_winners);
    fsattn_fsc_close(fsc);
    fsattn_fsc_writer_destroy(writer);
    fsattn_text_fini(&file);
    fsattn_text_fini(&list);
}

Test(store_exchange, export_is_the_pareto_set) {
    fsattn_store *store = open_store(path);
    put_variant(store, 0, &(variant){100, 1e-3, FSATTN_MEASURED, .is_default = false});
    put_variant(store, 1, &(variant){110, 1e-3, FSATTN_MEASURED, .is_default = false});
    put_variant(store, 2, &(variant){120, 1e-4, FSATTN_MEASURED, .is_default = false});
    put_variant(store, 3, &(variant){130, 1e-4, FSATTN_MEASURED, .is_default = true});
    put_variant(store, 4, &(variant){140, 1e-6, FSATTN_MEASURED, .is_default = false});
    put_variant(store, 5, &(variant){1, 1e-9, FSATTN_MODELLED, .is_default = false});
    put_variant(store, 6, &(variant){2, 1e-9, FSATTN_MEASURED, .unproven = true});
    exported(store, NULL, "0w 2w 4w 3d");
    exported(store, &(fsattn_store_export_options){.unproven = true}, "6w 3d");
    exported(store, &(fsattn_store_export_options){.problem = "another"}, "");
    exported(store, &(fsattn_store_export_options){.template_name = "attention_host"}, "0w 2w 4w 3d");
    fsattn_store_close(store);
}

Test(store_exchange, modelled_is_exported_only_where_nothing_is_measured) {
    fsattn_store *store = open_store(path);
    put_variant(store, 0, &(variant){100, 1e-3, FSATTN_MODELLED, .is_default = true});
    put_variant(store, 1, &(variant){90, 1e-3, FSATTN_MODELLED, .is_default = false});
    exported(store, NULL, "1w 0d");
    put_variant(store, 3, &(variant){9, 1e-3, FSATTN_MEASURED, .partial = true});
    exported(store, NULL, "1w 0d"); /* what cannot serve displaces nothing */
    put_variant(store, 2, &(variant){9000, 1e-3, FSATTN_MEASURED, .is_default = false});
    exported(store, NULL, "2w");
    fsattn_store_close(store);
}

Test(store_exchange, shoot_out_decides_where_there_was_one) {
    fsattn_store *store = open_store(path);
    put_variant(store, 0, &(variant){100, 1e-3, FSATTN_MEASURED, .is_default = false});
    put_variant(store, 1, &(variant){110, 1e-3, FSATTN_MEASURED, .confirmed = true});
    put_variant(store, 2, &(variant){120, 1e-3, FSATTN_MEASURED, .confirmed = true, .is_default = true});
    exported(store, NULL, "2w 2d");
    put_variant(store, 3, &(variant){115, 1e-3, FSATTN_MEASURED, .confirmed = true, .beats_default = true});
    exported(store, NULL, "3w 2d");
    fsattn_store_close(store);
}

Test(store_exchange, places_do_not_compete) {
    fsattn_store *store = open_store(path);
    put_variant(store, 0, &(variant){100, 1e-3, FSATTN_MEASURED, .is_default = false});
    sample s;
    sample_record(&s, 1);
    s.record.cost.median_ns = s.record.cost.minimum_ns = 200;
    s.accuracies[0].relative_error = 1e-3;
    s.record.cost.device = "another";
    sample_keys(&s);
    fsattn_store_result result = result_of(&s, FSATTN_VERDICT_OK);
    cr_assert_eq(fsattn_store_result_put(store, &result, NULL), FSATTN_OK);
    exported(store, NULL, "0w 1w");
    fsattn_store_close(store);
}

Test(store_exchange, winner_without_code_gives_way) {
    fsattn_store *store = open_store(path);
    put_variant(store, 0, &(variant){100, 1e-3, FSATTN_MEASURED, .is_default = false});
    put_variant(store, 1, &(variant){110, 1e-3, FSATTN_MEASURED, .is_default = false});
    sql(path, "DELETE FROM blobs WHERE data = CAST('code of 0' AS BLOB)");
    exported(store, NULL, "1w");
    cr_assert_eq(seen.count, 1u);
    fsattn_store_close(store);
}

Test(store_exchange, import_is_unproven_until_signed_and_replaces_nothing) {
    char other_path[80];
    fsattn_store_changes changes;
    fsattn_text bytes = {0};
    fsattn_arena arena = {0};
    fsattn_store_build build;
    bool found;
    sample s;
    fsattn_store *store = open_store(path);
    put_variant(store, 0, &(variant){100, 1e-3, FSATTN_MEASURED, .is_default = true});
    put_variant(store, 1, &(variant){110, 1e-4, FSATTN_MEASURED, .is_default = false});
    fsattn_fsc *fsc = file_of(store, &bytes);
    cr_assert_eq(fsattn_fsc_count(fsc), 3u);
    snprintf(other_path, sizeof other_path, "%s/other/deep/tune.db", folder);
    fsattn_store *other = open_store(other_path);
    put_variant(other, 1, &(variant){50, 1e-4, FSATTN_MEASURED, .is_default = false});
    cr_assert_eq(fsattn_store_import(other, fsc, false, &changes, NULL), FSATTN_OK);
    cr_assert_eq(changes.results_added, 1);
    cr_assert_eq(changes.results_kept, 1);
    cr_assert_eq(changes.builds_added, 0, "code from elsewhere is no build of ours");
    exported(other, NULL, "1w");
    exported(other, &(fsattn_store_export_options){.unproven = true}, "1w 0d");
    sample_record(&s, 0);
    cr_assert_eq(fsattn_store_build_find(other, &s.record.build_key, &arena, &build, &found, NULL),
                 FSATTN_OK);
    cr_assert(!found);
    cr_assert_eq(fsattn_store_import(other, fsc, true, &changes, NULL), FSATTN_OK);
    cr_assert_eq(changes.results_added, 1, "proven replaces unproven");
    cr_assert_eq(changes.builds_added, 1);
    exported(other, NULL, "1w 0d");
    cr_assert_eq(fsattn_store_build_find(other, &s.record.build_key, &arena, &build, &found, NULL),
                 FSATTN_OK);
    cr_assert(found);
    cr_assert_eq(fsattn_store_import(other, fsc, false, &changes, NULL), FSATTN_OK);
    cr_assert_eq(changes.results_added, 0);
    exported(other, NULL, "1w 0d");
    fsattn_arena_fini(&arena);
    fsattn_fsc_close(fsc);
    fsattn_text_fini(&bytes);
    fsattn_store_close(other);
    fsattn_store_close(store);
}

Test(store_exchange, merge_takes_what_is_missing_or_newer) {
    char other_path[80];
    fsattn_store_changes changes;
    fsattn_err err = {0};
    int64_t run, rows, defects;
    snprintf(other_path, sizeof other_path, "%s/other.db", folder);
    fsattn_store *store = open_store(path), *other = open_store(other_path);
    put(store, 0, FSATTN_VERDICT_OK);
    put(store, 1, FSATTN_VERDICT_WRONG);
    put(other, 2, FSATTN_VERDICT_OK);
    sample s;
    fsattn_arena arena = {0};
    fsattn_store_result result = {0};
    fsattn_store_build build;
    fsattn_store_claim claim;
    bool found;
    sample_record(&s, 1);
    cr_assert_eq(fsattn_store_run_begin(store, &(fsattn_store_run){.space = "first"}, &run, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_store_run_begin(other, &(fsattn_store_run){.space = "before"}, &run, NULL),
                 FSATTN_OK);
    cr_assert_eq(fsattn_store_run_begin(other, &(fsattn_store_run){.space = "a.yaml"}, &run, NULL),
                 FSATTN_OK);
    result = result_of(&s, FSATTN_VERDICT_OK);
    result.recorded_ms = INT64_C(4000000000000);
    result.run_id = run;
    cr_assert_eq(fsattn_store_result_put(other, &result, NULL), FSATTN_OK);
    fsattn_store_build row = build_of(&s);
    cr_assert_eq(fsattn_store_build_begin(other, &row.build_key, true, &arena, &build, &found, &claim, NULL),
                 FSATTN_OK);
    cr_assert_eq(fsattn_store_build_finish(other, &claim, &row, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_store_merge(store, other, &changes, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(changes.results_added, 2);
    cr_assert_eq(changes.builds_added, 1);
    cr_assert_eq(changes.blobs_added, 3, "the source of 1 was here");
    cr_assert_eq(fsattn_store_result_find(store, &s.record.result_key, &arena, &result, &found, NULL),
                 FSATTN_OK);
    cr_assert_eq(result.verdict, FSATTN_VERDICT_OK, "the newer one");
    cr_assert_eq(result.run_id, 3, "runs get numbers of their own here");
    cr_assert_eq(fsattn_store_merge(store, other, &changes, &err), FSATTN_OK);
    cr_assert_eq(changes.results_added + changes.builds_added + changes.blobs_added, 0,
                 "merging again changes nothing");
    cr_assert_eq(changes.results_kept, 2);
    cr_assert_eq(fsattn_store_merge(store, store, &changes, &err), FSATTN_INVALID);
    cr_assert_eq(fsattn_store_verify(store, &rows, &defects, NULL), FSATTN_OK);
    cr_assert_eq(defects, 0, "%s", seen.last);
    cr_assert_eq(rows, 3 + 3 + 1 + 6);
    fsattn_arena_fini(&arena);
    fsattn_store_close(other);
    fsattn_store_close(store);
}

/* The source of a stage goes where its record goes, and is kept as long. */
Test(store_exchange, sources_of_stages_come_along) {
    fsattn_store_changes changes;
    int64_t rows, defects;
    sample s;
    fsattn_err err = {0};
    char other_path[80];
    snprintf(other_path, sizeof other_path, "%s/other.db", folder);
    fsattn_store *store = open_store(path), *other = open_store(other_path);
    sample_record(&s, 0);
    s.stage.source = (fsattn_blob){.data = "int stage;", .bytes = 10};
    s.stage.options = "-O1";
    fsattn_store_result result = result_of(&s, FSATTN_VERDICT_OK);
    cr_assert_eq(fsattn_store_result_put(store, &result, &err), FSATTN_OK, "%s", err.message);
    fsattn_store_gc_options options = {.keep_days = 0};
    cr_assert_eq(fsattn_store_gc(store, &options, &changes, NULL), FSATTN_OK);
    cr_assert_eq(changes.blobs_removed, 0);
    for (int pass = 0; pass < 2; pass++) { /* what was exported is imported elsewhere and exported again */
        fsattn_text bytes = {0};
        fsattn_fsc *fsc = file_of(pass ? other : store, &bytes);
        cr_assert_eq(fsattn_fsc_count(fsc), 1u);
        const fsattn_stage *stage = fsattn_fsc_at(fsc, 0)->stages;
        cr_assert(stage->source.bytes == 10 && !memcmp(stage->source.data, "int stage;", 10));
        cr_assert_str_eq(stage->options, "-O1");
        cr_assert_eq(fsattn_store_import(other, fsc, true, &changes, &err), FSATTN_OK, "%s", err.message);
        fsattn_fsc_close(fsc);
        fsattn_text_fini(&bytes);
    }
    cr_assert_eq(fsattn_store_verify(other, &rows, &defects, NULL), FSATTN_OK);
    cr_assert_eq(defects, 0, "%s", seen.last);
    fsattn_store_close(other);
    fsattn_store_close(store);
}

Test(store_exchange, gc_keeps_winners_and_verdicts) {
    fsattn_store_changes dry, changes;
    fsattn_arena arena = {0};
    fsattn_store_build build;
    fsattn_store_claim claim;
    int64_t rows, defects;
    bool found;
    fsattn_store *store = open_store(path);
    for (int i = 0; i < 4; i++) {
        sample s;
        sample_record(&s, i);
        fsattn_store_build row = build_of(&s);
        cr_assert_eq(
            fsattn_store_build_begin(store, &row.build_key, true, &arena, &build, &found, &claim, NULL),
            FSATTN_OK);
        cr_assert_eq(fsattn_store_build_finish(store, &claim, &row, NULL), FSATTN_OK);
    }
    put_variant(store, 0, &(variant){100, 1e-3, FSATTN_MEASURED, .is_default = false});
    put_variant(store, 1, &(variant){110, 1e-2, FSATTN_MEASURED, .is_default = false}); /* dominated */
    put_variant(store, 2, &(variant){120, 1e-2, FSATTN_MEASURED, .is_default = true});
    put(store, 5, FSATTN_VERDICT_WRONG); /* build 3 has no result yet */
    fsattn_store_gc_options options = {.dry_run = true, .keep_days = -1};
    cr_assert_eq(fsattn_store_gc(store, &options, &dry, NULL), FSATTN_OK);
    cr_assert_eq(count_all(store), 4);
    options.dry_run = false;
    cr_assert_eq(fsattn_store_gc(store, &options, &changes, NULL), FSATTN_OK);
    cr_assert_eq(memcmp(&dry, &changes, sizeof dry), 0, "a dry run counts what is then done");
    cr_assert_eq(changes.builds_removed, 1);
    cr_assert_eq(changes.blobs_removed, 3, "code and source of 1, and the source of the failed 5");
    cr_assert_eq(changes.bytes_freed, 9 + 13 + 13);
    cr_assert_eq(changes.results_removed, 0);
    cr_assert_eq(count_all(store), 4, "verdicts stay");
    exported(store, NULL, "0w 2d");
    cr_assert_eq(fsattn_store_verify(store, &rows, &defects, NULL), FSATTN_OK);
    cr_assert_eq(defects, 0, "%s", seen.last);
    options.keep_days = 0;
    usleep(2000);
    cr_assert_eq(fsattn_store_gc(store, &options, &changes, NULL), FSATTN_OK);
    cr_assert_eq(changes.results_removed, 1, "the failed one will be tried again");
    cr_assert_eq(fsattn_store_gc(store, &options, &changes, NULL), FSATTN_OK);
    cr_assert_eq(changes.results_removed + changes.builds_removed + changes.blobs_removed, 0);
    fsattn_arena_fini(&arena);
    fsattn_store_close(store);
}

Test(store_exchange, verify_finds_each_defect) {
    static const char *const forgeries[] = {
        "UPDATE results SET verdict = 5 WHERE id = 1",
        "UPDATE blobs SET data = x'00' WHERE id = 1",
        "UPDATE builds SET seconds = 9",
        "UPDATE runs SET space = 'b'",
        "DELETE FROM blobs WHERE data = CAST('code of 0' AS BLOB)",
    };
    char *original;
    size_t bytes;
    fsattn_arena arena = {0};
    fsattn_store_build build;
    fsattn_store_claim claim;
    int64_t run, rows, defects;
    bool found;
    sample s;
    fsattn_store *store = open_store(path);
    sample_record(&s, 7);
    fsattn_store_build row = build_of(&s);
    put(store, 0, FSATTN_VERDICT_OK);
    cr_assert_eq(fsattn_store_build_begin(store, &row.build_key, true, &arena, &build, &found, &claim, NULL),
                 FSATTN_OK);
    cr_assert_eq(fsattn_store_build_finish(store, &claim, &row, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_store_run_begin(store, &(fsattn_store_run){.space = "a"}, &run, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_store_verify(store, &rows, &defects, NULL), FSATTN_OK);
    cr_assert_eq(defects, 0);
    cr_assert_eq(rows, 1 + 4 + 1 + 1);
    fsattn_store_close(store);
    cr_assert_eq(fsattn_file_read(path, 1 << 24, &original, &bytes, NULL), FSATTN_OK);
    for (size_t i = 0; i < sizeof forgeries / sizeof forgeries[0]; i++) {
        cr_assert_eq(fsattn_file_publish(path, original, bytes, 0600, NULL), FSATTN_OK);
        sql(path, forgeries[i]);
        store = open_store(path);
        seen.count = 0;
        cr_assert_eq(fsattn_store_verify(store, &rows, &defects, NULL), FSATTN_OK);
        cr_assert_geq(defects, 1, "%s", forgeries[i]);
        cr_assert_eq((int64_t)seen.count, defects, "%s: %s", forgeries[i], seen.last);
        fsattn_store_close(store);
    }
    fsattn_free(original);
    fsattn_arena_fini(&arena);
}
