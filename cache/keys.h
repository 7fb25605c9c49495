/* keys.h - the three keys that decide what may be reused, compared and served.
 *
 *   build    rendered source, options, compiler identity: decides whether a code object is reused
 *   result   build key, launch, device, units, driver, policy, problem: decides resume and ranking
 *   serving  problem, ISA, kernel ABI: decides whether a kernel may run
 *
 * A key is a BLAKE2b hash over named, length-prefixed fields (hash.h), opened by the key's kind and version. Every field
 * is part of the key, so a forged or changed one is another key. Nothing is ever looked up by anything weaker.
 * Strings are borrowed for the call and may be NULL, which equals "". Any thread.
 */
#ifndef FSATTN_KEYS_H
#define FSATTN_KEYS_H

#include "hash.h"
#include "problem.h"

typedef struct fsattn_build_fields {
    const char *source; /* as rendered, with everything included */
    size_t source_bytes;
    const char *const *options; /* of the compiler, in the order in which it gets them, resolved (never "native") */
    size_t option_count;
    const char *compiler; /* its identity: name, version and whatever else changes what it makes */
} fsattn_build_fields;

typedef struct fsattn_result_fields {
    fsattn_hash build_key;
    const char *launch; /* canonical text of launch geometry and resources: not all of it need stand in the source */
    const char *device; /* name of the processor or GPU */
    int64_t units;      /* cores used, or compute units */
    const char *driver;
    const char *policy; /* of measurement and verification: everything that changes what a cost or a verdict means */
    const fsattn_problem *problem;
} fsattn_result_fields;

typedef struct fsattn_serving_fields {
    const fsattn_problem *problem;
    const char *isa; /* resolved: "x86_64+avx+avx2+fma", "gfx950" */
    uint32_t abi;    /* version of the kernel ABI */
} fsattn_serving_fields;

fsattn_hash fsattn_key_build(const fsattn_build_fields *fields);
fsattn_hash fsattn_key_result(const fsattn_result_fields *fields);
fsattn_hash fsattn_key_serving(const fsattn_serving_fields *fields);
/* The same for a problem's canonical text, for callers who have it. */
fsattn_hash fsattn_key_serving_text(const char *problem_text, const char *isa, uint32_t abi);

/* Identity of a variant: hash of the template's name and the configuration's canonical text. tuner/config.h computes the
 * same from a configuration. */
fsattn_hash fsattn_key_identity(const char *template_name, const char *configuration);

#endif
