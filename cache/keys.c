#include "keys.h"

#include <string.h>

static const char *text_or_empty(const char *text) {
    return text ? text : "";
}

static void begin(fsattn_hasher *hasher, const char *kind) {
    fsattn_hasher_init(hasher);
    fsattn_hasher_field_text(hasher, "key", kind);
}

static void add_problem(fsattn_hasher *hasher, const fsattn_problem *problem) {
    char text[fsattn_problem_text_bytes];
    fsattn_problem_text(problem, text);
    fsattn_hasher_field_text(hasher, "problem", text);
}

fsattn_hash fsattn_key_build(const fsattn_build_fields *fields) {
    fsattn_hasher hasher;
    begin(&hasher, "fsattn build 1");
    fsattn_hasher_field(&hasher, "source", fields->source_bytes ? fields->source : "", fields->source_bytes);
    fsattn_hasher_field_int(&hasher, "options", (int64_t)fields->option_count);
    for (size_t i = 0; i < fields->option_count; i++) {
        fsattn_hasher_field_text(&hasher, "option", text_or_empty(fields->options[i]));
    }
    fsattn_hasher_field_text(&hasher, "compiler", text_or_empty(fields->compiler));
    return fsattn_hasher_final(&hasher);
}

fsattn_hash fsattn_key_result(const fsattn_result_fields *fields) {
    fsattn_hasher hasher;
    begin(&hasher, "fsattn result 1");
    fsattn_hasher_field(&hasher, "build", fields->build_key.bytes, sizeof fields->build_key.bytes);
    fsattn_hasher_field_text(&hasher, "launch", text_or_empty(fields->launch));
    fsattn_hasher_field_text(&hasher, "device", text_or_empty(fields->device));
    fsattn_hasher_field_int(&hasher, "units", fields->units);
    fsattn_hasher_field_text(&hasher, "driver", text_or_empty(fields->driver));
    fsattn_hasher_field_text(&hasher, "policy", text_or_empty(fields->policy));
    add_problem(&hasher, fields->problem);
    return fsattn_hasher_final(&hasher);
}

fsattn_hash fsattn_key_serving(const fsattn_serving_fields *fields) {
    char text[fsattn_problem_text_bytes];
    fsattn_problem_text(fields->problem, text);
    return fsattn_key_serving_text(text, fields->isa, fields->abi);
}

fsattn_hash fsattn_key_serving_text(const char *problem_text, const char *isa, uint32_t abi) {
    fsattn_hasher hasher;
    begin(&hasher, "fsattn serving 1");
    fsattn_hasher_field_text(&hasher, "problem", problem_text);
    fsattn_hasher_field_text(&hasher, "isa", text_or_empty(isa));
    fsattn_hasher_field_int(&hasher, "abi", abi);
    return fsattn_hasher_final(&hasher);
}

fsattn_hash fsattn_key_identity(const char *template_name, const char *configuration) {
    fsattn_hasher hasher;
    fsattn_hasher_init(&hasher);
    fsattn_hasher_field_text(&hasher, "template", text_or_empty(template_name));
    fsattn_hasher_field_text(&hasher, "configuration", text_or_empty(configuration));
    return fsattn_hasher_final(&hasher);
}
