#include "cli.h"
#include "error.h"
#include "file.h"
#include "hash.h"
#include "memory.h"
#include "nearest.h"
#include "problem.h"
#include "random.h"
#include "text.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

Test(error, detail_context_and_hint) {
    fsattn_err err = {0};
    cr_assert_eq(fsattn_fail(&err, FSATTN_PARSE, "line %d", 3), FSATTN_PARSE);
    fsattn_hint(&err, "fix it");
    cr_assert_eq(fsattn_context_add(&err, FSATTN_PARSE, "a.yaml"), FSATTN_PARSE);
    cr_assert_str_eq(err.message, "a.yaml: line 3");
    cr_assert_str_eq(err.hint, "fix it");
    cr_assert_str_eq(fsattn_status_text(FSATTN_PARSE), "malformed input");
    cr_assert_str_eq(fsattn_status_text((fsattn_status)999), "unknown status");
}

Test(memory, overflow_is_refused_and_failure_injected) {
    cr_assert_null(fsattn_alloc((size_t)1 << 60, 1 << 10));
    fsattn_memory_fail_after(2);
    void *first = fsattn_alloc(1, 1);
    cr_assert_not_null(first);
    cr_assert_null(fsattn_alloc(1, 1));
    cr_assert_null(fsattn_alloc(1, 1));
    fsattn_memory_fail_after(0);
    fsattn_free(first);
}

Test(text, grows_and_is_taken) {
    fsattn_text text = {0};
    for (int i = 0; i < 1000; i++) {
        fsattn_text_printf(&text, "%d,", i);
    }
    char *taken = fsattn_text_take(&text);
    cr_assert_eq(strlen(taken), 3890u);
    fsattn_free(taken);
    taken = fsattn_text_take(&text);
    cr_assert_str_eq(taken, "");
    fsattn_free(taken);
}

Test(hash, fields_do_not_run_together) {
    fsattn_hasher a, b;
    fsattn_hasher_init(&a);
    fsattn_hasher_init(&b);
    fsattn_hasher_field_text(&a, "ab", "c");
    fsattn_hasher_field_text(&b, "a", "bc");
    fsattn_hash ha = fsattn_hasher_final(&a), hb = fsattn_hasher_final(&b), back;
    cr_assert_neq(fsattn_hash_compare(&ha, &hb), 0);
    char hex[fsattn_hash_hex_bytes];
    fsattn_hash_hex(&ha, hex);
    cr_assert_eq(fsattn_hash_parse(hex, &back, NULL), FSATTN_OK);
    cr_assert_eq(fsattn_hash_compare(&ha, &back), 0);
    cr_assert_eq(fsattn_hash_parse("12", &back, NULL), FSATTN_PARSE);
}

Test(problem, text_is_canonical_and_reads_back) {
    fsattn_problem problem, back;
    char text[fsattn_problem_text_bytes];
    fsattn_problem_init(&problem);
    problem.heads_q = 64;
    problem.heads_kv = 8;
    problem.s_q = problem.s_k = 75600;
    problem.mask = FSATTN_MASK_CAUSAL;
    problem.scale = 0.25f;
    fsattn_problem_text(&problem, text);
    cr_assert_str_eq(text, "attention_fwd b=1 hq=64 hkv=8 sq=75600 sk=75600 d=128 q=f32 kv=f32 o=f32 layout=bshd "
                           "mask=causal lse=0 scale=0.25");
    cr_assert_eq(fsattn_problem_parse(text, &back, NULL), FSATTN_OK);
    cr_assert(fsattn_problem_equal(&problem, &back));
    fsattn_err err;
    cr_assert_eq(fsattn_problem_parse("b=1 hqq=2", &back, &err), FSATTN_PARSE);
    cr_assert_str_eq(err.message, "problem: unknown field 'hqq'");
    cr_assert_str_eq(err.hint, "did you mean 'hq'?");
    cr_assert_eq(fsattn_problem_parse("hq=12 hkv=12 hq=13", &back, &err), FSATTN_PARSE);
    cr_assert_str_eq(err.message, "problem: hq: given twice");
    cr_assert_eq(fsattn_problem_parse("lse=2", &back, &err), FSATTN_PARSE);
    cr_assert_str_eq(err.message, "problem: lse: expected 0 or 1, got '2'");
    problem.heads_q = 9;
    cr_assert_eq(fsattn_problem_check(&problem, &err), FSATTN_INVALID);
}

Test(problem, causal_pairs_match_a_count) {
    fsattn_problem problem;
    fsattn_problem_init(&problem);
    problem.mask = FSATTN_MASK_CAUSAL;
    for (problem.s_q = 1; problem.s_q < 9; problem.s_q++) {
        for (problem.s_k = 1; problem.s_k < 9; problem.s_k++) {
            int pairs = 0;
            for (int64_t i = 0; i < problem.s_q; i++) {
                for (int64_t j = 0; j < problem.s_k; j++) {
                    pairs += j <= i + problem.s_k - problem.s_q;
                }
            }
            cr_assert_eq(fsattn_problem_live_pairs(&problem), pairs);
        }
    }
}

Test(nearest, finds_the_typo) {
    const char *const words[] = {"--budget", "--store", "--cache"};
    cr_assert_str_eq(fsattn_nearest("--bugdet", words, 3), "--budget");
    cr_assert_null(fsattn_nearest("x", words, 0));
    cr_assert_str_eq(fsattn_nearest("--st", words, 3), "--store");
}

Test(nearest, does_not_guess) {
    const char *const words[] = {"f32", "bf16"};
    static const char *const typed[] = {"", "x", "fp", "float8", "3", "bp15"};
    for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) {
        fsattn_err err = {0};
        cr_assert(!fsattn_nearest(typed[i], words, 2), "'%s'", typed[i]);
        fsattn_nearest_hint(&err, typed[i], words, 2);
        cr_assert(!strcmp(err.hint, "expected one of f32, bf16"), "'%s': %s", typed[i], err.hint);
    }
    cr_assert_str_eq(fsattn_nearest("bf17", words, 2), "bf16", "one mistake in four letters");
}

Test(text, numbers_are_decimal) {
    static const struct {
        const char *text;
        bool integer, real;
        double value;
    } rows[] = {{"12", true, true, 12},      {"-3", true, true, -3},    {"0.5", false, true, 0.5},  {".5", false, true, 0.5},
                {"1e-3", false, true, 1e-3}, {"1E2", false, true, 100}, {"0x10", false, false, 0},  {"", false, false, 0},
                {"-", false, false, 0},      {".", false, false, 0},    {" 1", false, false, 0},    {"1 ", false, false, 0},
                {"+1", false, false, 0},     {"inf", false, false, 0},  {"nan", false, false, 0},   {"1e", false, false, 0},
                {"1e999", false, false, 0},  {"1.2.3", false, false, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t integer = 42;
        double real = 42;
        cr_assert_eq(fsattn_text_integer(rows[i].text, &integer), rows[i].integer, "'%s'", rows[i].text);
        cr_assert_eq(fsattn_text_real(rows[i].text, &real), rows[i].real, "'%s'", rows[i].text);
        cr_assert_eq(integer, rows[i].integer ? (int64_t)rows[i].value : 42, "'%s'", rows[i].text);
        cr_assert_eq(real, rows[i].real ? rows[i].value : 42, "'%s'", rows[i].text);
    }
    int64_t large;
    cr_assert(fsattn_text_integer("9223372036854775807", &large) && large == INT64_MAX);
    cr_assert_not(fsattn_text_integer("9223372036854775808", &large));
}

Test(file, network_file_systems_are_known_by_their_number) {
    static const struct {
        uint32_t magic;
        const char *name;
    } rows[] = {{0x6969, "NFS"},       {0xff534d42, "CIFS"}, {0xfe534d42, "SMB2"},   {0x01021997, "9P"}, {0x65735546, "FUSE"},
                {0x0bd00bd0, "Lustre"}, {0x47504653, "GPFS"}, {0x00c36400, "Ceph"},   {0xef53, NULL},     {0x58465342, NULL},
                {0x9123683e, NULL},     {0x01021994, NULL},   {0x794c7630, NULL},     {0x2fc12fc1, NULL}, {0, NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *name = fsattn_file_network(rows[i].magic);
        cr_assert(name == rows[i].name || (name && rows[i].name && !strcmp(name, rows[i].name)), "%x", rows[i].magic);
    }
}

Test(file, what_can_be_published_is_known_before) {
    char folder[] = "/tmp/fsattn-test-XXXXXX", path[64];
    fsattn_err err;
    cr_assert_not_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/a.fsc", folder);
    cr_assert_eq(fsattn_file_publishable(path, &err), FSATTN_OK, "%s", err.message);
    cr_assert_eq(rmdir(folder), 0, "nothing is left");
    cr_assert_eq(fsattn_file_publishable(path, &err), FSATTN_NOT_FOUND);
    cr_assert(strstr(err.message, "cannot create a file beside it"), "%s", err.message);
}

Test(random, known_answer_and_moments) {
    /* Random123's known answer for Philox4x32-10, counter and key all zero: 6627e8d5 e169c58d ... */
    cr_assert_eq(fsattn_random_u64(0, 0, 0), 0xe169c58d6627e8d5u);
    double sum = 0, squares = 0;
    for (uint64_t i = 0; i < 100000; i++) {
        double x = fsattn_random_normal(1, 2, i);
        sum += x;
        squares += x * x;
    }
    cr_assert_lt(fabs(sum / 100000), 0.02);
    cr_assert_lt(fabs(squares / 100000 - 1), 0.02);
}

Test(cli, parses_and_suggests) {
    bool flag = false;
    int64_t number = 0;
    const char *text = NULL;
    const fsattn_option options[] = {
        {"--verbose", NULL, FSATTN_OPTION_FLAG, &flag, 0, 0, "say more"},
        {"--sample", "N", FSATTN_OPTION_INT, &number, 1, 100, "take N"},
        {"--store", "FILE", FSATTN_OPTION_TEXT, &text, 0, 0, "file"},
    };
    const fsattn_command command = {"prog", "SPACE [options]", "Does it.", options, 3, NULL};
    const char *positionals[1];
    size_t count;
    bool help;
    fsattn_err err;
    char *good[] = {"prog", "space", "--sample=7", "--store", "x.db", "--verbose"};
    cr_assert_eq(fsattn_cli_parse(&command, 6, good, positionals, 1, &count, &help, &err), FSATTN_OK);
    cr_assert(flag && number == 7 && !strcmp(text, "x.db") && count == 1 && !help);
    char *unknown[] = {"prog", "--smaple", "7"};
    cr_assert_eq(fsattn_cli_parse(&command, 3, unknown, positionals, 1, &count, &help, &err), FSATTN_USAGE);
    cr_assert_not_null(strstr(err.hint, "'--sample'"));
    char *range[] = {"prog", "--sample", "0x10"};
    cr_assert_eq(fsattn_cli_parse(&command, 3, range, positionals, 1, &count, &help, &err), FSATTN_USAGE);
}

Test(file, publish_trust_and_memfd) {
    char folder[] = "/tmp/fsattn-test-XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    char path[128];
    snprintf(path, sizeof path, "%s/a", folder);
    cr_assert_eq(fsattn_file_publish(path, "hello", 5, 0644, NULL), FSATTN_OK);
    char *data;
    size_t bytes;
    cr_assert_eq(fsattn_file_read(path, 100, &data, &bytes, NULL), FSATTN_OK);
    cr_assert(bytes == 5 && !strcmp(data, "hello"));
    fsattn_free(data);
    cr_assert_eq(fsattn_file_read(path, 4, &data, &bytes, NULL), FSATTN_INVALID);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    cr_assert_eq(fsattn_file_trust(fd, path, NULL), FSATTN_OK);
    chmod(path, 0666);
    fsattn_err err;
    cr_assert_eq(fsattn_file_trust(fd, path, &err), FSATTN_UNTRUSTED);
    chmod(path, 0644);
    chmod(folder, 0777);
    cr_assert_eq(fsattn_file_trust(fd, path, &err), FSATTN_UNTRUSTED);
    close(fd);
    int memfd;
    cr_assert_eq(fsattn_memfd_sealed("x", "abc", 3, &memfd, NULL), FSATTN_OK);
    cr_assert_lt(write(memfd, "z", 1), 0);
    close(memfd);
    cr_assert_eq(fsattn_folder_remove(folder, NULL), FSATTN_OK);
    cr_assert(!fsattn_file_exists(folder));
}
