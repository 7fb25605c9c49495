/* Reads a Chrome trace of fsattn-sim, checks that it adds up, and prints how much of the vector work of a wave lies in time over matrix
 * work of a wave of its SIMD in the other group: of eight waves the first four are one group, the last four the other. usage: read_trace FILE */
#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { waves_max = 64, simds = 4, cycles_max = 1 << 22, issue_cycles = 4, group_waves = 4 };
static unsigned char matrix_of[simds][cycles_max]; /* wave, plus 1, whose matrix instruction is at work in a cycle */

static int fail(const char *what, size_t event) {
    fprintf(stderr, "read_trace: %s (event %zu)\n", what, event);
    return 1;
}

static int group_of(int wave) { /* `wave`: plus 1 */
    return (wave - 1) / group_waves % 2;
}

int main(int argc, char **argv) {
    json_error_t error;
    json_t *trace = argc == 2 ? json_load_file(argv[1], JSON_REJECT_DUPLICATES, &error) : NULL;
    json_t *events = json_object_get(trace, "traceEvents"), *other = json_object_get(trace, "otherData"), *e;
    json_int_t spent = 0, vector = 0, over = 0, last = 0, matrix = 0;
    static json_int_t row_ends[4 * waves_max];
    size_t i;
    if (!json_is_array(events) || !json_is_true(json_object_get(other, "complete"))) {
        fprintf(stderr, "read_trace: %s\n", trace ? "not a complete trace" : error.text);
        return 1;
    }
    for (int pass = 0; pass < 2; pass++) {
        json_array_foreach(events, i, e) {
            const char *phase = json_string_value(json_object_get(e, "ph")), *category = json_string_value(json_object_get(e, "cat"));
            const json_int_t at = json_integer_value(json_object_get(e, "ts")), duration = json_integer_value(json_object_get(e, "dur"));
            const json_int_t simd = json_integer_value(json_object_get(e, "pid")), row = json_integer_value(json_object_get(e, "tid"));
            if (!phase || strcmp(phase, "X")) {
                continue;
            }
            if (!category || simd < 0 || simd >= simds || row < 0 || row >= 4 * waves_max || at < 0 || duration < 1 || at + duration > cycles_max) {
                return fail("out of range", i);
            }
            const int is_wait = !strcmp(category, "wait"), is_vector = !strcmp(category, "vector"), is_matrix = !strcmp(category, "matrix");
            const unsigned char wave = (unsigned char)(row / 4 + 1);
            if (pass == 0) {
                if (at < row_ends[row]) {
                    return fail("overlaps another event of its row", i);
                }
                row_ends[row] = at + duration;
                spent += is_wait ? duration : issue_cycles;
                last = is_wait || at + issue_cycles < last ? last : at + issue_cycles;
                matrix += is_matrix ? duration : 0;
                memset(&matrix_of[simd][at], is_matrix ? wave : 0, is_matrix ? (size_t)duration : 0);
            } else if (is_vector) {
                vector += duration;
                for (json_int_t k = at; k < at + duration; k++) {
                    over += matrix_of[simd][k] && group_of(matrix_of[simd][k]) != group_of(wave);
                }
            }
        }
    }
    if (spent != json_integer_value(json_object_get(other, "wave_cycles")) || last != json_integer_value(json_object_get(other, "cycles"))) {
        return fail("waits and issues do not add up to the waves' cycles", i);
    }
    printf("%zu events, %lld cycles of waves add up; %s; matrix %lld; vector %lld, of it over the other group's matrix work %lld %%\n", i,
           (long long)spent, json_string_value(json_object_get(other, "model")), (long long)matrix, (long long)vector,
           (long long)(vector ? 100 * over / vector : 0));
    json_decref(trace);
    return 0;
}
