/* Older stores are migrated; damaged ones are set aside, and every sound row is salvaged. */
#include "../support/store_fixture.h"

#include "random.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(store_damage, .init = store_setup, .fini = store_teardown);

Test(store_damage, older_format_is_migrated) {
    char *dump;
    size_t bytes;
    cr_assert_eq(fsattn_file_read(FSATTN_SOURCE_DIR "/tests/data/tune.v1.sql", 1 << 20, &dump, &bytes, NULL),
                 FSATTN_OK);
    sql(path, dump);
    fsattn_free(dump);
    refused(path, true, FSATTN_VERSION, "older format version 1");
    fsattn_store *store = open_store(path);
    int64_t rows, defects;
    cr_assert(has(store, 0), "its rows are still there");
    cr_assert_eq(count_all(store), 2);
    cr_assert_eq(fsattn_store_verify(store, &rows, &defects, NULL), FSATTN_OK);
    cr_assert_eq(defects, 0, "%s", seen.last);
    fsattn_store_close(store);
    sqlite3 *db;
    sqlite3_stmt *statement;
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_prepare_v2(
        db,
        "SELECT user_version, (SELECT count(*) FROM sqlite_schema WHERE name = 'results_by_run') "
        "FROM pragma_user_version",
        -1, &statement, NULL);
    cr_assert_eq(sqlite3_step(statement), SQLITE_ROW);
    cr_assert_eq(sqlite3_column_int(statement, 0), 2);
    cr_assert_eq(sqlite3_column_int(statement, 1), 1);
    sqlite3_finalize(statement);
    sqlite3_close(db);
}

static void fill(int count) {
    fsattn_store *store = open_store(path);
    for (int i = 0; i < count; i++) {
        put(store, i, i % 5 == 4 ? FSATTN_VERDICT_WRONG : FSATTN_VERDICT_OK);
    }
    fsattn_store_close(store);
}

static int count_has(fsattn_store *store, int count) {
    int have = 0;
    for (int i = 0; i < count; i++) {
        have += has(store, i);
    }
    return have;
}

/* Overwrites one page. */
static void damage(const char *name, long page) {
    static char garbage[4096];
    memset(garbage, 0xa5, sizeof garbage);
    int fd = open(name, O_WRONLY);
    cr_assert_eq(pwrite(fd, garbage, sizeof garbage, page * 4096), (ssize_t)sizeof garbage);
    close(fd);
}

static long pages_of(const char *name) {
    struct stat info;
    cr_assert_eq(stat(name, &info), 0);
    return (long)(info.st_size / 4096);
}

/* The one file whose name begins so. */
static void find_aside(char *name, size_t bytes) {
    char command[256];
    snprintf(command, sizeof command, "ls -d %s.damaged-*Z | head -1", path);
    FILE *pipe = popen(command, "r");
    cr_assert_not_null(fgets(name, (int)bytes, pipe));
    pclose(pipe);
    name[strcspn(name, "\n")] = '\0';
}

Test(store_damage, damaged_database_is_set_aside_and_salvaged, .timeout = 120) {
    enum { count = 60 };
    long pages;
    int worst = count;
    fill(count);
    pages = pages_of(path);
    cr_assert_gt(pages, 20);
    char copy[80], aside[128];
    snprintf(copy, sizeof copy, "%s/original", folder);
    char *original;
    size_t bytes;
    cr_assert_eq(fsattn_file_read(path, 1 << 24, &original, &bytes, NULL), FSATTN_OK);
    for (long page = 0; page < pages; page++) {
        cr_assert_eq(fsattn_file_publish(path, original, bytes, 0600, NULL), FSATTN_OK);
        damage(path, page);
        char *damaged;
        size_t damaged_bytes, aside_bytes;
        cr_assert_eq(fsattn_file_read(path, 1 << 24, &damaged, &damaged_bytes, NULL), FSATTN_OK);
        seen.count = 0;
        fsattn_store *store = open_store(path);
        int have = count_has(store, count);
        worst = have < worst ? have : worst;
        if (strstr(seen.last, "set aside") && seen.count) {
            char *kept;
            find_aside(aside, sizeof aside);
            cr_assert_eq(fsattn_file_read(aside, 1 << 24, &kept, &aside_bytes, NULL), FSATTN_OK);
            cr_assert(aside_bytes == damaged_bytes && !memcmp(kept, damaged, aside_bytes), "page %ld", page);
            fsattn_free(kept);
            unlink(aside);
        } else {
            /* A page that is not in use, or an index that is only asked for what is there. */
            cr_assert_eq(have, count, "page %ld: damage went unseen, %d of %d", page, have, count);
        }
        put(store, count, FSATTN_VERDICT_OK);
        fsattn_store_close(store);
        fsattn_free(damaged);
    }
    fsattn_free(original);
    cr_assert_geq(worst, count - 10, "a page holds a few rows; at worst %d of %d were left", worst, count);
}

/* A process that dies leaves its last results in the write-ahead log alone. */
Test(store_damage, log_of_a_killed_process_is_salvaged_too) {
    fill(5);
    pid_t child = fork();
    if (child == 0) {
        fsattn_store *store = open_store(path);
        for (int i = 5; i < 12; i++) {
            put(store, i, FSATTN_VERDICT_OK);
        }
        _exit(0);
    }
    cr_assert_eq(waitpid(child, NULL, 0), child);
    char log[80];
    snprintf(log, sizeof log, "%s-wal", path);
    cr_assert_eq(access(log, F_OK), 0);
    for (long page = pages_of(path) - 1; page >= 0; page--) {
        damage(path, page);
    }
    fsattn_store *store = open_store(path);
    cr_assert_geq(count_has(store, 12), 7, "%d: %s", count_has(store, 12), seen.last);
    fsattn_store_close(store);
}

Test(store_damage, any_bytes_may_be_a_damaged_database, .timeout = 120) {
    char *original, *bytes;
    size_t size;
    fill(60);
    cr_assert_eq(fsattn_file_read(path, 1 << 24, &original, &size, NULL), FSATTN_OK);
    for (uint64_t round = 0; round < 60; round++) {
        bytes = fsattn_strndup(original, size);
        size_t kept = round % 3 ? size : 4096 + fsattn_random_below(2, round, 0, size - 4096);
        for (uint64_t i = 0; i < 40; i++) {
            /* All but the few bytes that say whose database of which version it is. */
            bytes[100 + fsattn_random_below(2, round, 2 * i + 1, size - 100)] =
                (char)fsattn_random_below(2, round, 2 * i + 2, 256);
        }
        cr_assert_eq(fsattn_file_publish(path, bytes, kept, 0600, NULL), FSATTN_OK);
        fsattn_store *store = open_store(path);
        int64_t rows, defects;
        fsattn_err err = {0};
        for (int i = 0; i < 60; i++) {
            has(store, i);
        }
        cr_assert_eq(fsattn_store_verify(store, &rows, &defects, &err), FSATTN_OK, "round %d: %s", (int)round,
                     err.message);
        cr_assert(kept < size || rows > 60, "round %d: %d of some 180 rows", (int)round, (int)rows);
        fsattn_store_close(store);
        fsattn_free(bytes);
    }
    fsattn_free(original);
}

Test(store_damage, truncated_database_is_salvaged) {
    fill(60);
    cr_assert_eq(truncate(path, pages_of(path) / 2 * 4096 + 100), 0);
    refused(path, true, FSATTN_CORRUPT, path);
    fsattn_store *store = open_store(path);
    cr_assert_eq(seen.count, 1u);
    cr_assert(strstr(seen.last, "set aside as"), "%s", seen.last);
    cr_assert_gt(count_has(store, 60), 10);
    fsattn_store_close(store);
}

Test(store_damage, damaged_database_in_use_is_not_taken_away) {
    fill(60);
    fsattn_store *user = open_store(path);
    damage(path, pages_of(path) / 2);
    refused(path, false, FSATTN_BUSY, "another process has it open");
    fsattn_store_close(user);
    fsattn_store *store = open_store(path);
    fsattn_store_close(store);
}
