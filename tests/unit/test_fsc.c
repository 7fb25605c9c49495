/* Cache files: deterministic bytes, everything read back, and no damage that gets past the reader. */
#include "error.h"
#include "file.h"
#include "memory.h"

#include "../support/sample_record.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { sample_count = 5 };

typedef struct warnings {
    size_t count;
    char last[1024];
} warnings;

static void count_warning(void *data, const fsattn_err *err) {
    warnings *seen = data;
    seen->count++;
    snprintf(seen->last, sizeof seen->last, "%s", err->message);
}

/* The stage of record 1 has a source of its own, record 3 shares its code with record 2, record 4 is for another problem. */
static void vary(sample *s, int number) {
    sample_record(s, number);
    if (number == 1) {
        s->stage.source = (fsattn_blob){.data = "int stage;", .bytes = 10};
        s->stage.options = "-O1";
    }
    if (number == 3) {
        strcpy(s->code, "code of 2");
        s->record.cost.provenance = FSATTN_MODELLED;
    }
    if (number == 4) {
        s->record.problem.mask = FSATTN_MASK_CAUSAL;
        s->record.role = FSATTN_ROLE_DEFAULT;
        s->record.unproven = true;
        sample_keys(s);
    }
}

static char *file_of(int count, const int *order, const uint8_t *secret_key, size_t *bytes) {
    fsattn_fsc_writer *writer;
    fsattn_text out = {0};
    fsattn_err err = {0};
    cr_assert_eq(fsattn_fsc_writer_create(&writer, NULL), FSATTN_OK);
    for (int i = 0; i < count; i++) {
        sample s;
        vary(&s, order ? order[i] : i);
        cr_assert_eq(fsattn_fsc_writer_add(writer, &s.record, &err), FSATTN_OK, "%s", err.message);
    }
    cr_assert_eq(fsattn_fsc_writer_encode(writer, secret_key, &out, &err), FSATTN_OK, "%s", err.message);
    fsattn_fsc_writer_destroy(writer);
    *bytes = out.bytes;
    return fsattn_text_take(&out);
}

/* Bytes of the record and of its blobs: two records with equal contents mean the same kernel, launch and
 * cost. */
static fsattn_hash contents_of(const fsattn_fsc_record *record) {
    fsattn_text bytes = {0};
    cr_assert_eq(fsattn_fsc_record_encode(record, &bytes, NULL), FSATTN_OK);
    fsattn_text_add(&bytes, record->source.data, record->source.bytes);
    for (size_t i = 0; i < record->stage_count; i++) {
        fsattn_text_add(&bytes, record->stages[i].code.data, record->stages[i].code.bytes);
        fsattn_text_add(&bytes, record->stages[i].source.data, record->stages[i].source.bytes);
    }
    fsattn_hash hash = fsattn_hash_of(bytes.data, bytes.bytes);
    fsattn_text_fini(&bytes);
    return hash;
}

static void check_contents(const fsattn_fsc *fsc) {
    for (size_t i = 0; i < fsattn_fsc_count(fsc); i++) {
        fsattn_hash have = contents_of(fsattn_fsc_at(fsc, i));
        bool known = false;
        for (int number = 0; number < sample_count; number++) {
            sample s;
            vary(&s, number);
            fsattn_hash original = contents_of(&s.record);
            known = known || !fsattn_hash_compare(&have, &original);
        }
        cr_assert(known, "record %zu is none that was written", i);
    }
}

Test(fsc, reads_back_sorted_and_finds) {
    size_t bytes, first;
    char *file = file_of(sample_count, NULL, NULL, &bytes);
    fsattn_fsc *fsc;
    fsattn_err err = {0};
    cr_assert_eq(fsattn_fsc_open_bytes("a.fsc", file, bytes, NULL, NULL, &fsc, &err), FSATTN_OK, "%s",
                 err.message);
    cr_assert_eq(fsattn_fsc_count(fsc), (size_t)sample_count);
    cr_assert_eq(fsattn_fsc_damaged(fsc), 0u);
    check_contents(fsc);
    sample s;
    vary(&s, 0);
    cr_assert_eq(fsattn_fsc_find(fsc, &s.record.serving_key, &first), 4u);
    const fsattn_fsc_record *fastest = fsattn_fsc_at(fsc, first), *modelled = fsattn_fsc_at(fsc, first + 3);
    cr_assert_str_eq(fastest->configuration, s.record.configuration);
    cr_assert_eq(modelled->cost.provenance, FSATTN_MODELLED);
    cr_assert_eq(modelled->stages[0].code.data, fsattn_fsc_at(fsc, first + 2)->stages[0].code.data,
                 "equal code is kept once");
    cr_assert_str_eq(fsattn_fsc_attribute(fastest, "note"), "sample");
    cr_assert_null(fsattn_fsc_attribute(fastest, "nothing"));
    cr_assert_float_eq(fsattn_fsc_accuracy(fastest, "normal")->relative_error, 1e-6, 1e-20);
    cr_assert_null(fsattn_fsc_at(fsc, sample_count));
    s.record.serving_key.bytes[0] ^= 1;
    cr_assert_eq(fsattn_fsc_find(fsc, &s.record.serving_key, &first), 0u);
    fsattn_fsc_close(fsc);
    fsattn_free(file);
}

Test(fsc, same_records_give_the_same_bytes) {
    const int reversed[] = {4, 3, 2, 1, 0, 2, 4};
    size_t a_bytes, b_bytes;
    char *a = file_of(sample_count, NULL, NULL, &a_bytes), *b = file_of(7, reversed, NULL, &b_bytes);
    cr_assert_eq(a_bytes, b_bytes);
    cr_assert_eq(memcmp(a, b, a_bytes), 0);
    fsattn_free(a);
    fsattn_free(b);
}

Test(fsc, truncated_at_every_byte) {
    uint8_t public_key[fsattn_fsc_public_key_bytes], secret_key[fsattn_fsc_secret_key_bytes];
    crypto_sign_ed25519_seed_keypair(public_key, secret_key,
                                     (const unsigned char *)"0123456789abcdef0123456789abcde");
    for (int is_signed = 0; is_signed < 2; is_signed++) {
        size_t bytes;
        char *file = file_of(sample_count, NULL, is_signed ? secret_key : NULL, &bytes);
        for (size_t length = 0; length < bytes; length++) {
            /* A block of exactly that length, so that ASan sees any read behind it. */
            char *cut = fsattn_strndup(file, length);
            cut = fsattn_realloc(cut, length, 1);
            fsattn_fsc *fsc = NULL;
            fsattn_err err = {0};
            cr_assert_eq(fsattn_fsc_open_bytes("a.fsc", cut, length, NULL, NULL, &fsc, &err), FSATTN_CORRUPT,
                         "%zu of %zu bytes", length, bytes);
            cr_assert_null(fsc);
            cr_assert(!strncmp(err.message, "a.fsc: ", 7));
            fsattn_free(cut);
        }
        fsattn_free(file);
    }
}

Test(fsc, every_bit_flipped) {
    uint8_t public_key[fsattn_fsc_public_key_bytes], secret_key[fsattn_fsc_secret_key_bytes];
    crypto_sign_ed25519_seed_keypair(public_key, secret_key,
                                     (const unsigned char *)"0123456789abcdef0123456789abcde");
    size_t bytes, refused = 0, skipped = 0;
    char *file = file_of(2, NULL, secret_key, &bytes);
    for (size_t bit = 0; bit < bytes * 8; bit++) {
        file[bit / 8] ^= (char)(1 << bit % 8);
        fsattn_fsc *fsc = NULL;
        warnings seen = {0};
        fsattn_status status = fsattn_fsc_open_bytes("a.fsc", file, bytes, count_warning, &seen, &fsc, NULL);
        if (status != FSATTN_OK) {
            cr_assert(status == FSATTN_CORRUPT || status == FSATTN_VERSION, "bit %zu: status %d", bit,
                      status);
            refused++;
        } else {
            cr_assert_eq(fsattn_fsc_count(fsc) + fsattn_fsc_damaged(fsc), 2u);
            cr_assert_eq(seen.count, fsattn_fsc_damaged(fsc), "bit %zu", bit);
            cr_assert_eq(fsattn_fsc_verify(fsc, public_key, NULL), FSATTN_UNTRUSTED, "bit %zu", bit);
            check_contents(fsc);
            skipped += fsattn_fsc_damaged(fsc) > 0;
            fsattn_fsc_close(fsc);
        }
        file[bit / 8] ^= (char)(1 << bit % 8);
    }
    cr_assert_gt(refused, 8u * 300);
    cr_assert_gt(skipped, 8u * 1000);
    fsattn_free(file);
}

Test(fsc, damaged_blob_leaves_out_its_records_only) {
    size_t bytes;
    char *file = file_of(sample_count, NULL, NULL, &bytes);
    char *code = memmem(file, bytes, "code of 2", 9);
    cr_assert_not_null(code);
    code[0] = 'C';
    fsattn_fsc *fsc;
    warnings seen = {0};
    cr_assert_eq(fsattn_fsc_open_bytes("a.fsc", file, bytes, count_warning, &seen, &fsc, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_fsc_count(fsc), 3u);
    cr_assert_eq(fsattn_fsc_damaged(fsc), 2u, "records 2 and 3 share the code");
    cr_assert_eq(seen.count, 2u);
    cr_assert(strstr(seen.last, "code object is damaged"), "%s", seen.last);
    check_contents(fsc);
    fsattn_fsc_close(fsc);
    fsattn_free(file);
}

/* The version of a record is the oldest that can hold it, so that what has no sources of stages is what it always was. */
Test(fsc, a_stage_may_have_a_source_of_its_own) {
    for (int number = 0; number < 2; number++) {
        sample s;
        fsattn_text bytes = {0};
        fsattn_arena arena = {0};
        fsattn_fsc_record back;
        fsattn_err err = {0};
        vary(&s, number);
        cr_assert_eq(fsattn_fsc_record_encode(&s.record, &bytes, &err), FSATTN_OK, "%s", err.message);
        cr_assert_eq(bytes.data[0], number + 1);
        cr_assert_eq(fsattn_fsc_record_decode(bytes.data, bytes.bytes, &arena, &back, &err), FSATTN_OK, "%s", err.message);
        cr_assert_eq(back.stages[0].source.bytes, number ? 10u : 0u);
        bytes.data[0] = (char)(2 - number); /* the other version */
        cr_assert_eq(fsattn_fsc_record_decode(bytes.data, bytes.bytes, &arena, &back, &err), FSATTN_CORRUPT);
        bytes.data[0] = 3;
        cr_assert_eq(fsattn_fsc_record_decode(bytes.data, bytes.bytes, &arena, &back, &err), FSATTN_CORRUPT);
        cr_assert_str_eq(err.message, "record.version: is unknown");
        if (!number) { /* all that version 2 has, and nothing in it */
            fsattn_text_add(&bytes, (char[32 + 8 + 4 + 1]){0}, 32 + 8 + 4 + 1);
            bytes.data[0] = 2;
            cr_assert_eq(fsattn_fsc_record_decode(bytes.data, bytes.bytes, &arena, &back, &err), FSATTN_CORRUPT);
            cr_assert_str_eq(err.message, "record.version: is newer than what stands in it");
        }
        fsattn_arena_fini(&arena);
        fsattn_text_fini(&bytes);
    }
    sample s;
    fsattn_fsc_writer *writer;
    fsattn_err err = {0};
    cr_assert_eq(fsattn_fsc_writer_create(&writer, NULL), FSATTN_OK);
    vary(&s, 1);
    s.stage.source = (fsattn_blob){0};
    cr_assert_eq(fsattn_fsc_writer_add(writer, &s.record, &err), FSATTN_INVALID);
    cr_assert_str_eq(err.message, "record.stages.options: stand without a source");
    s.stage.source = (fsattn_blob){.bytes = 10};
    cr_assert_eq(fsattn_fsc_writer_add(writer, &s.record, &err), FSATTN_INVALID);
    cr_assert_str_eq(err.message, "record.stages.source: has 10 bytes but no data");
    fsattn_fsc_writer_destroy(writer);
}

static void refuse(const void *data, size_t bytes, fsattn_status expected, const char *phrase) {
    fsattn_fsc *fsc = NULL;
    fsattn_err err = {0};
    cr_assert_eq(fsattn_fsc_open_bytes("a.fsc", data, bytes, NULL, NULL, &fsc, &err), expected, "%s",
                 err.message);
    cr_assert(strstr(err.message, phrase), "%s", err.message);
    cr_assert_neq(err.hint[0], '\0');
}

Test(fsc, other_files_are_refused) {
    size_t bytes;
    char *file = file_of(1, NULL, NULL, &bytes);
    refuse("", 0, FSATTN_CORRUPT, "is empty");
    refuse("SQLite format 3", 16, FSATTN_CORRUPT, "is not a cache file");
    refuse(file, 50, FSATTN_CORRUPT, "cut off within its header");
    file[8] = fsattn_fsc_version + 1;
    refuse(file, bytes, FSATTN_VERSION, "newer than 1");
    file[8] = fsattn_fsc_version;
    char *longer = fsattn_alloc(bytes + 1, 1);
    memcpy(longer, file, bytes);
    refuse(longer, bytes + 1, FSATTN_CORRUPT, "length");
    fsattn_free(longer);
    fsattn_free(file);
}

Test(fsc, signature) {
    uint8_t public_key[fsattn_fsc_public_key_bytes], secret_key[fsattn_fsc_secret_key_bytes];
    uint8_t other_public[fsattn_fsc_public_key_bytes], other_secret[fsattn_fsc_secret_key_bytes];
    crypto_sign_ed25519_seed_keypair(public_key, secret_key,
                                     (const unsigned char *)"0123456789abcdef0123456789abcde");
    crypto_sign_ed25519_seed_keypair(other_public, other_secret,
                                     (const unsigned char *)"another seed of 32 bytes, really");
    fsattn_fsc *fsc;
    size_t bytes;
    char *file = file_of(sample_count, NULL, secret_key, &bytes);
    cr_assert_eq(fsattn_fsc_open_bytes("a.fsc", file, bytes, NULL, NULL, &fsc, NULL), FSATTN_OK);
    cr_assert_eq(memcmp(fsattn_fsc_signer(fsc), public_key, sizeof public_key), 0);
    cr_assert_eq(fsattn_fsc_verify(fsc, public_key, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_fsc_verify(fsc, other_public, NULL), FSATTN_UNTRUSTED);
    fsattn_fsc_close(fsc);
    fsattn_free(file);
    file = file_of(sample_count, NULL, NULL, &bytes);
    cr_assert_eq(fsattn_fsc_open_bytes("a.fsc", file, bytes, NULL, NULL, &fsc, NULL), FSATTN_OK);
    cr_assert_null(fsattn_fsc_signer(fsc));
    cr_assert_eq(fsattn_fsc_verify(fsc, public_key, NULL), FSATTN_UNTRUSTED);
    fsattn_fsc_close(fsc);
    fsattn_free(file);
}

Test(fsc, publishes_and_opens) {
    char folder[] = "/tmp/test_fsc.XXXXXX", path[64];
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.fsc", folder);
    fsattn_fsc_writer *writer;
    fsattn_fsc *fsc;
    fsattn_err err = {0};
    cr_assert_eq(fsattn_fsc_writer_create(&writer, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_fsc_writer_publish(writer, NULL, path, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_fsc_open(path, NULL, NULL, &fsc, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(fsattn_fsc_count(fsc), 0u, "a file without records is valid");
    fsattn_fsc_close(fsc);
    fsattn_fsc_writer_destroy(writer);
    cr_assert_eq(fsattn_fsc_open(folder, NULL, NULL, &fsc, &err), FSATTN_INVALID);
    cr_assert_eq(fsattn_folder_remove(folder, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_fsc_open(path, NULL, NULL, &fsc, &err), FSATTN_NOT_FOUND);
    cr_assert(strstr(err.message, path));
}

/* ---- one record ---- */

static void check_refused(const sample *s, const char *field) {
    fsattn_err err = {0};
    cr_assert_eq(fsattn_fsc_record_check(&s->record, &err), FSATTN_INVALID, "%s", field);
    cr_assert(strstr(err.message, field), "expected %s in: %s", field, err.message);
}

#define REFUSED(field, change)                                                                               \
    do {                                                                                                     \
        sample s;                                                                                            \
        sample_record(&s, 0);                                                                                \
        change;                                                                                              \
        check_refused(&s, field);                                                                            \
    } while (0)

Test(fsc_record, check_names_the_field) {
    REFUSED("problem.heads_q", s.record.problem.heads_kv = 5);
    REFUSED("record.role", s.record.role = (fsattn_role)7);
    REFUSED("record.target", s.record.target = (fsattn_target)7);
    REFUSED("record.flexible", s.record.flexible = 64);
    REFUSED("record.isa", s.record.isa = "");
    REFUSED("record.template_name", s.record.template_name = NULL);
    REFUSED("record.stage_count", s.record.stage_count = 0);
    REFUSED("record.stage_count", s.record.stage_count = fsattn_fsc_stage_limit + 1);
    REFUSED("record.stages.entry", s.stage.entry = "");
    REFUSED("record.stages.code", s.stage.code.bytes = 0);
    REFUSED("record.stages.tile", s.stage.tile_m = -1);
    REFUSED("record.cost.provenance", s.record.cost.provenance = (fsattn_provenance)9);
    REFUSED("cost.median_ns", s.record.cost.median_ns = NAN);
    REFUSED("cost.median_ns", s.record.cost.median_ns = INFINITY);
    REFUSED("cost.spread_ns", s.record.cost.spread_ns = -1);
    REFUSED("cost.minimum_ns", s.record.cost.minimum_ns = 0);
    REFUSED("cost.minimum_ns", s.record.cost.minimum_ns = 1e9);
    REFUSED("cost.samples", s.record.cost.samples = 0);
    REFUSED("accuracies.relative_error", s.accuracies[0].relative_error = NAN);
    REFUSED("accuracies.cosine", s.accuracies[0].cosine = 1.5);
    REFUSED("accuracies.coverage", s.accuracies[1].coverage = 1.01);
    REFUSED("'normal' stands twice", s.accuracies[1].distribution = "normal");
    REFUSED("attributes", s.attributes[0].name = "Note");
    REFUSED("attributes", s.attributes[1].name = "note");
    REFUSED("stage.attributes", s.launch[0].name = "");
}

Test(fsc_record, decode_takes_any_bytes) {
    sample s;
    sample_record(&s, 0);
    fsattn_text bytes = {0};
    cr_assert_eq(fsattn_fsc_record_encode(&s.record, &bytes, NULL), FSATTN_OK);
    fsattn_fsc_record record;
    for (size_t length = 0; length < bytes.bytes; length++) {
        fsattn_arena arena = {0};
        char *cut = fsattn_realloc(fsattn_strndup(bytes.data, length), length, 1);
        cr_assert_eq(fsattn_fsc_record_decode(cut, length, &arena, &record, NULL), FSATTN_CORRUPT);
        fsattn_free(cut);
        fsattn_arena_fini(&arena);
    }
    for (size_t bit = 0; bit < bytes.bytes * 8; bit++) {
        fsattn_arena arena = {0};
        bytes.data[bit / 8] ^= (char)(1 << bit % 8);
        fsattn_status status = fsattn_fsc_record_decode(bytes.data, bytes.bytes, &arena, &record, NULL);
        cr_assert(status == FSATTN_OK || status == FSATTN_CORRUPT);
        bytes.data[bit / 8] ^= (char)(1 << bit % 8);
        fsattn_arena_fini(&arena);
    }
    fsattn_text_fini(&bytes);
}

Test(fsc_record, failed_candidate_needs_no_stages) {
    sample s;
    fsattn_arena arena = {0};
    fsattn_text bytes = {0};
    fsattn_fsc_record record;
    sample_record(&s, 0);
    s.record.stage_count = 0;
    s.record.accuracies = &(fsattn_accuracy_entry){"normal", NAN, NAN, INFINITY, 1};
    s.record.accuracy_count = 1;
    s.record.identity = s.record.serving_key = (fsattn_hash){{0}};
    cr_assert_eq(fsattn_fsc_record_encode(&s.record, &bytes, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_fsc_record_decode(bytes.data, bytes.bytes, &arena, &record, NULL), FSATTN_OK);
    cr_assert_eq(record.stage_count, 0u);
    cr_assert(isnan(record.accuracies[0].relative_error));
    fsattn_hash identity = fsattn_key_identity(s.record.template_name, s.record.configuration);
    cr_assert_eq(fsattn_hash_compare(&record.identity, &identity), 0, "derived");
    cr_assert_null(record.source.data);
    cr_assert_eq(record.source.bytes, strlen(s.source));
    fsattn_text_fini(&bytes);
    fsattn_arena_fini(&arena);
}

Test(fsc_record, writer_refuses_blobs_without_data) {
    sample s;
    fsattn_fsc_writer *writer;
    cr_assert_eq(fsattn_fsc_writer_create(&writer, NULL), FSATTN_OK);
    sample_record(&s, 0);
    s.stage.code.data = NULL;
    cr_assert_eq(fsattn_fsc_writer_add(writer, &s.record, NULL), FSATTN_INVALID);
    sample_record(&s, 0);
    s.record.source.data = NULL;
    cr_assert_eq(fsattn_fsc_writer_add(writer, &s.record, NULL), FSATTN_INVALID);
    cr_assert_eq(fsattn_fsc_writer_count(writer), 0u);
    fsattn_fsc_writer_destroy(writer);
}

/* ---- keys: each field changes its key ---- */

Test(keys, every_field_that_affects_a_launch_changes_the_serving_key) {
    sample s, t;
    sample_record(&s, 0);
#define CHANGED(change)                                                                                      \
    do {                                                                                                     \
        sample_record(&t, 0);                                                                                \
        change;                                                                                              \
        sample_keys(&t);                                                                                     \
        cr_assert_neq(fsattn_hash_compare(&s.record.serving_key, &t.record.serving_key), 0, #change);        \
        cr_assert_eq(fsattn_hash_compare(&s.record.build_key, &t.record.build_key), 0, #change);             \
    } while (0)
    CHANGED(t.record.problem.batch = 2);
    CHANGED(t.record.problem.heads_q = 24);
    CHANGED(t.record.problem.heads_kv = 6);
    CHANGED(t.record.problem.s_q = 1);
    CHANGED(t.record.problem.s_k = 1);
    CHANGED(t.record.problem.head_dim = 128);
    CHANGED(t.record.problem.dtype_q = FSATTN_BF16);
    CHANGED(t.record.problem.dtype_kv = FSATTN_BF16);
    CHANGED(t.record.problem.dtype_o = FSATTN_BF16);
    CHANGED(t.record.problem.layout = FSATTN_BHSD);
    CHANGED(t.record.problem.mask = FSATTN_MASK_CAUSAL);
    CHANGED(t.record.problem.lse = true);
    CHANGED(t.record.problem.scale = 0.5f);
    CHANGED(t.record.isa = "x86_64");
    CHANGED(t.record.abi = 2);
}

Test(keys, forged_fields_change_their_key_and_restored_ones_hit) {
    sample s, t;
    sample_record(&s, 0);
#define BUILD_CHANGED(change)                                                                                \
    do {                                                                                                     \
        sample_record(&t, 0);                                                                                \
        change;                                                                                              \
        sample_keys(&t);                                                                                     \
        cr_assert_neq(fsattn_hash_compare(&s.record.build_key, &t.record.build_key), 0, #change);            \
        cr_assert_neq(fsattn_hash_compare(&s.record.result_key, &t.record.result_key), 0, #change);          \
    } while (0)
#define RESULT_CHANGED(change)                                                                               \
    do {                                                                                                     \
        sample_record(&t, 0);                                                                                \
        change;                                                                                              \
        sample_keys(&t);                                                                                     \
        cr_assert_eq(fsattn_hash_compare(&s.record.build_key, &t.record.build_key), 0, #change);             \
        cr_assert_neq(fsattn_hash_compare(&s.record.result_key, &t.record.result_key), 0, #change);          \
    } while (0)
    BUILD_CHANGED(t.source[3] = '_');
    BUILD_CHANGED(t.record.options = "-O2");
    BUILD_CHANGED(t.record.compiler = "gcc 12.2.1");
    RESULT_CHANGED(t.record.cost.device = "another model");
    RESULT_CHANGED(t.record.cost.units = 3);
    RESULT_CHANGED(t.record.cost.driver = "linux 7");
    RESULT_CHANGED(t.record.cost.policy = "cold");
    RESULT_CHANGED(t.record.problem.s_q = 7);
    sample_record(&t, 0);
    cr_assert_eq(fsattn_hash_compare(&s.record.build_key, &t.record.build_key), 0);
    cr_assert_eq(fsattn_hash_compare(&s.record.result_key, &t.record.result_key), 0);
}
