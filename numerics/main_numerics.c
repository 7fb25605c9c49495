/* fsattn-numerics: the paper's tables recomputed, each as a table and as JSON. */
#include "cli.h"
#include "error.h"
#include "nearest.h"
#include "tables.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

typedef struct settings {
    int64_t seeds, rows, keys, seed;
    const char *distribution;
    bool json;
} settings;

/* Prints the rows as JSON: {"rows": [...]}. Takes the reference. */
static void print_json(json_t *rows) {
    json_t *root = json_pack("{s:o}", "rows", rows);
    char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(7));
    puts(text);
    free(text);
    json_decref(root);
}

/* A JSON number, or a string where JSON has none. */
static json_t *number(double value) {
    return isfinite(value) ? json_real(value) : json_string(isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

static fsattn_status table2(const settings *s, fsattn_err *err) {
    (void)err;
    fsattn_table2_row rows[fsattn_table2_count];
    fsattn_table2(rows);
    json_t *list = json_array();
    if (!s->json) {
        printf("cycles of a tile, M=256 N=128 d=128 (modelled: paper section 3)\n%-8s %8s %8s %8s %8s\n", "format", "HBM", "LDS",
               "GEMM", "VALU");
    }
    for (int i = 0; i < fsattn_table2_count; i++) {
        json_array_append_new(list, json_pack("{s:s,s:f,s:f,s:f,s:f}", "format", rows[i].format, "hbm", round(rows[i].hbm), "lds",
                                              rows[i].lds, "gemm", rows[i].gemm, "valu", rows[i].valu));
        if (!s->json) {
            printf("%-8s %8.0f %8.0f %8.0f %8.0f\n", rows[i].format, rows[i].hbm, rows[i].lds, rows[i].gemm, rows[i].valu);
        }
    }
    if (s->json) {
        print_json(list);
    } else {
        json_decref(list);
    }
    return FSATTN_OK;
}

static double rounded(double value, double places) {
    return round(value * places) / places;
}

static fsattn_status table8(const settings *s, fsattn_err *err) {
    (void)err;
    fsattn_table8_row rows[fsattn_table8_count];
    fsattn_table8(rows);
    json_t *list = json_array();
    if (!s->json) {
        printf("relative error of the proxy over one doubling, %%\n%-12s %3s %8s %8s %8s\n", "proxy", "M", "min", "max", "RMS");
    }
    for (int i = 0; i < fsattn_table8_count; i++) {
        json_array_append_new(list, json_pack("{s:s,s:f,s:f,s:f}", "proxy", rows[i].proxy, "min", rounded(rows[i].min, 1000), "max",
                                              rounded(rows[i].max, 1000), "rms", rounded(rows[i].rms, 1000)));
        if (!s->json) {
            printf("%-12s %3d %8.3f %8.3f %8.3f\n", rows[i].proxy, rows[i].mantissa_bits, rows[i].min, rows[i].max, rows[i].rms);
        }
    }
    if (s->json) {
        print_json(list);
    } else {
        json_decref(list);
    }
    return FSATTN_OK;
}

static fsattn_status table9(const settings *s, fsattn_err *err) {
    (void)err;
    fsattn_table9_row rows[fsattn_table9_limit];
    const size_t count = fsattn_table9(32, rows);
    json_t *list = json_array();
    if (!s->json) {
        printf("v_pk_maximum3_f16 over Stage-A patterns, cap 32 doublings (delta = (pattern >> 7) - 127)\n");
    }
    for (size_t i = 0; i < count; i++) {
        char first[8], last[8];
        snprintf(first, sizeof first, "0x%04X", rows[i].first);
        snprintf(last, sizeof last, "0x%04X", rows[i].last);
        json_array_append_new(list, json_pack("{s:s,s:s,s:s}", "first", first, "last", last, "reading",
                                              fsattn_reading_text(rows[i].reading)));
        if (!s->json) {
            printf("%s-%s  delta %4d .. %4d  %s\n", first, last, (rows[i].first >> 7) - 127, (rows[i].last >> 7) - 127,
                   fsattn_reading_text(rows[i].reading));
        }
    }
    if (s->json) {
        print_json(list);
    } else {
        json_decref(list);
    }
    return FSATTN_OK;
}

static fsattn_status table4(const settings *s, fsattn_err *err) {
    fsattn_table4_row table[fsattn_table4_rows];
    FSATTN_TRY(fsattn_table4(s->rows, s->keys, s->seeds, (uint64_t)s->seed, table, err));
    json_t *list = json_array();
    if (!s->json) {
        printf("error %% and cosine against BF16 attention, normal input, %lld rows, %lld keys, d=128, %lld seeds\n"
               "l-GEMM frozen proxy",
               (long long)s->rows, (long long)s->keys, (long long)s->seeds);
        for (int column = 0; column < fsattn_table4_columns; column++) {
            printf(" %16s", fsattn_table4_formats[column]);
        }
        printf("\n");
    }
    for (int row = 0; row < fsattn_table4_rows; row++) {
        json_t *entry = json_pack("{s:b,s:b,s:s}", "l_gemm", table[row].l_gemm, "frozen", table[row].frozen, "proxy", table[row].proxy);
        for (int column = 0; column < fsattn_table4_columns; column++) {
            const fsattn_table4_cell *cell = &table[row].cells[column];
            json_object_set_new(entry, fsattn_table4_formats[column],
                                json_pack("{s:o,s:o}", "err", number(rounded(cell->error_percent, 10000)), "cos",
                                          number(rounded(cell->cosine, 100000))));
        }
        json_array_append_new(list, entry);
        if (!s->json) {
            printf("%-6s %-6s %-5s", table[row].l_gemm ? "yes" : "-", table[row].frozen ? "yes" : "-", table[row].proxy);
            for (int column = 0; column < fsattn_table4_columns; column++) {
                printf("  %7.3f %7.5f", table[row].cells[column].error_percent, table[row].cells[column].cosine);
            }
            printf("\n");
        }
    }
    if (s->json) {
        print_json(list);
    } else {
        json_decref(list);
    }
    return FSATTN_OK;
}

static fsattn_status methods(const settings *s, fsattn_err *err) {
    size_t count;
    const fsattn_method *list = fsattn_methods(&count);
    fsattn_distribution distribution;
    FSATTN_TRY(fsattn_distribution_parse(s->distribution, &distribution, err));
    json_t *rows = json_array();
    fsattn_status status = FSATTN_OK;
    if (!s->json) {
        printf("error %% and cosine against BF16 attention, %s input, %lld rows, %lld keys, d=128, %lld seeds\n"
               "(emulated; published: at s=32768, normal input)\n%-16s %9s %9s %9s  %s\n",
               s->distribution, (long long)s->rows, (long long)s->keys, (long long)s->seeds, "method", "err %", "cosine", "published",
               "what");
    }
    for (size_t i = 0; i < count; i++) {
        fsattn_emulator_config config;
        fsattn_method_result result;
        fsattn_emulator_config_init(&config);
        FSATTN_GOTO(fsattn_emulator_apply(&config, list[i].switches, err));
        FSATTN_GOTO(fsattn_method_measure(&config, distribution, s->rows, s->keys, s->seeds, (uint64_t)s->seed, &result, err));
        json_t *row = json_pack("{s:s,s:o,s:o}", "method", list[i].name, "err", number(rounded(result.error_percent, 1e4)), "cos",
                                number(rounded(result.cosine, 1e5)));
        if (list[i].published_cosine > 0) {
            json_object_set_new(row, "published_cos", json_real(list[i].published_cosine));
        }
        json_array_append_new(rows, row);
        if (!s->json) {
            char published[16] = "-";
            if (list[i].published_cosine > 0) {
                snprintf(published, sizeof published, "%.5f", list[i].published_cosine);
            }
            printf("%-16s %9.3f %9.5f %9s  %s\n", list[i].name, result.error_percent, result.cosine, published, list[i].meaning);
        }
    }
    if (s->json) {
        print_json(json_incref(rows));
    }
out:
    json_decref(rows);
    return status;
}

static fsattn_status rollback(const settings *s, fsattn_err *err) {
    static const fsattn_distribution inputs[] = {FSATTN_DISTRIBUTION_NORMAL, FSATTN_DISTRIBUTION_OUTLIERS,
                                                 FSATTN_DISTRIBUTION_LATE_SPIKE, FSATTN_DISTRIBUTION_HUGE_SCORES};
    static const int caps[] = {1, 2, 4, 8, 16, 32, 64};
    const fsattn_method *method;
    FSATTN_TRY(fsattn_method_find("mxfp6", &method, err));
    json_t *rows = json_array();
    fsattn_status status = FSATTN_OK;
    if (!s->json) {
        printf("share of wave gates that fire, and error %% against BF16 attention, mxfp6, %lld rows, %lld keys, %lld seeds\n%-12s %4s "
               "%12s %8s %9s\n",
               (long long)s->rows, (long long)s->keys, (long long)s->seeds, "input", "cap", "fired", "missed", "err %");
    }
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        for (size_t c = 0; c < sizeof caps / sizeof *caps; c++) {
            fsattn_emulator_config config;
            fsattn_method_result result;
            fsattn_emulator_config_init(&config);
            FSATTN_GOTO(fsattn_emulator_apply(&config, method->switches, err));
            config.cap = caps[c];
            FSATTN_GOTO(fsattn_method_measure(&config, inputs[i], s->rows, s->keys, s->seeds, (uint64_t)s->seed, &result, err));
            const double rate = result.gates ? (double)result.rollbacks / (double)result.gates : 0;
            json_array_append_new(rows, json_pack("{s:s,s:i,s:f,s:I,s:o}", "input", fsattn_distribution_text(inputs[i]), "cap", caps[c],
                                                  "rate", rate, "missed", (json_int_t)result.missed, "err",
                                                  number(rounded(result.error_percent, 1e4))));
            if (!s->json) {
                printf("%-12s %4d %11.4f%% %8lld %9.3f\n", fsattn_distribution_text(inputs[i]), caps[c], 100 * rate,
                       (long long)result.missed, result.error_percent);
            }
        }
    }
    if (s->json) {
        print_json(json_incref(rows));
    }
out:
    json_decref(rows);
    return status;
}

static const struct {
    const char *name, *help;
    fsattn_status (*run)(const settings *settings, fsattn_err *err);
    int64_t rows, keys; /* defaults; 0: not used */
} commands[] = {
    {"table2", "cycles of a tile on HBM, LDS, matrix and vector units", table2, 0, 0},
    {"table4", "ablation of the components on normal input (256 rows, 32768 keys)", table4, 256, 32768},
    {"table8", "error of the Schraudolph proxies over one doubling", table8, 0, 0},
    {"table9", "how v_pk_maximum3_f16 reads Stage-A patterns", table9, 0, 0},
    {"methods", "all methods at one shape, error and cosine (128 rows, 8192 keys)", methods, 128, 8192},
    {"rollback", "trigger rate against the cap for several inputs (128 rows, 4096 keys)", rollback, 128, 4096},
};
enum { command_count = sizeof commands / sizeof *commands };

static fsattn_status run_table(const char *name, settings *s, fsattn_err *err) {
    const char *names[command_count];
    for (size_t i = 0; i < command_count; i++) {
        names[i] = commands[i].name;
        if (!strcmp(commands[i].name, name)) {
            s->rows = s->rows ? s->rows : commands[i].rows;
            s->keys = s->keys ? s->keys : commands[i].keys;
            return commands[i].run(s, err);
        }
    }
    fsattn_fail(err, FSATTN_USAGE, "unknown table '%s'", name);
    fsattn_nearest_hint(err, name, names, command_count);
    return FSATTN_USAGE;
}

int main(int argc, char **argv) {
    settings s = {.seeds = 1, .seed = 1, .distribution = "normal"};
    const fsattn_option options[] = {
        {"--seeds", "N", FSATTN_OPTION_INT, &s.seeds, 1, 1000, "average over N seeds (default: 1)"},
        {"--seed", "N", FSATTN_OPTION_INT, &s.seed, 0, 1e15, "first seed (default: 1)"},
        {"--rows", "R", FSATTN_OPTION_INT, &s.rows, 1, 1 << 20, "query rows (default: as below)"},
        {"--keys", "S", FSATTN_OPTION_INT, &s.keys, 1, 1 << 22, "keys (default: as below)"},
        {"--distribution", "NAME", FSATTN_OPTION_TEXT, &s.distribution, 0, 0, "methods: input distribution (default: normal)"},
        {"--json", NULL, FSATTN_OPTION_FLAG, &s.json, 0, 0, "one JSON object on stdout instead of a table"},
    };
    char details[2048] = "Tables:\n";
    for (size_t i = 0; i < command_count; i++) {
        snprintf(details + strlen(details), sizeof details - strlen(details), "  %-10s %s\n", commands[i].name, commands[i].help);
    }
    const fsattn_command command = {"fsattn-numerics", "TABLE [options]",
                                    "Recomputes the tables of the Fused-Softmax paper from their definitions.", options,
                                    sizeof options / sizeof *options, details};
    const char *positionals[1];
    size_t positional_count = 0;
    bool help = false;
    fsattn_err err = {0};
    fsattn_cli_begin();
    fsattn_status status = fsattn_cli_parse(&command, argc, argv, positionals, 1, &positional_count, &help, &err);
    if (status == FSATTN_OK && help) {
        fsattn_cli_help(stdout, &command);
    } else if (status == FSATTN_OK && positional_count == 0) {
        status = fsattn_fail(&err, FSATTN_USAGE, "no table named");
        fsattn_hint(&err, "fsattn-numerics table8; fsattn-numerics --help lists all of them");
    } else if (status == FSATTN_OK) {
        status = run_table(positionals[0], &s, &err);
    }
    return fsattn_cli_end(command.name, status, &err);
}
