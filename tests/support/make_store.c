/* Writes stores for the transcripts: make_store FILE.db WHAT..., where WHAT is a number of sample_record.h
 * with, in this order and each optional, ":VERDICT", "@MEDIAN_NS", "+" (with the state of a GPU in three runs), "!" (the
 * family's default). */
#include "sample_record.h"
#include "store.h"

#include <stdlib.h>

static int put(fsattn_store *store, const char *what) {
    sample s;
    fsattn_err err = {0};
    char verdict[32] = "ok", *end;
    sample_record(&s, (int)strtol(what, &end, 10));
    if (*end == ':') {
        size_t length = strcspn(end + 1, "@!");
        snprintf(verdict, sizeof verdict, "%.*s", (int)length, end + 1);
        end += 1 + length;
    }
    if (*end == '@') {
        s.record.cost.median_ns = s.record.cost.minimum_ns = strtod(end + 1, &end);
    }
    fsattn_attribute states[] = {{"gpu.clock_mhz", "2100 ? 1998"}, {"gpu.partition", "SPX NPS1"}, {"gpu.power_w", "950 1400 1390"},
                                 {"gpu.throttled", "0 1 ?"}, {"grid", "tiles"}};
    if (*end == '+') {
        s.stage.attributes = states;
        s.stage.attribute_count = sizeof states / sizeof states[0];
        end++;
    }
    s.record.role = *end == '!' ? FSATTN_ROLE_DEFAULT : FSATTN_ROLE_WINNER;
    fsattn_store_result result = {.record = s.record, .reason = ""};
    int failed = fsattn_verdict_parse(verdict, &result.verdict, &err) != FSATTN_OK;
    if (!failed && result.verdict != FSATTN_VERDICT_OK) {
        result.record.stage_count = 0;
        result.record.cost.samples = 0;
        result.reason = "as asked for";
    }
    if (failed || fsattn_store_result_put(store, &result, &err) != FSATTN_OK) {
        fprintf(stderr, "make_store: %s: %s\n", what, err.message);
        return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    fsattn_store *store;
    fsattn_err err = {0};
    int failures = 0;
    if (argc < 2 || fsattn_store_open(argv[1], NULL, &store, &err) != FSATTN_OK) {
        fprintf(stderr, "make_store: %s\n", argc < 2 ? "which file?" : err.message);
        return 1;
    }
    for (int i = 2; i < argc; i++) {
        failures += put(store, argv[i]);
    }
    fsattn_store_close(store);
    return failures != 0;
}
