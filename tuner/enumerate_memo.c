#include "enumerate_graph.h"

#include "error.h"
#include "expression.h"

#include <string.h>

/* Up to so many combinations have a byte each: neighbours in the search are neighbours in memory. */
static const double dense_combinations = 0x1p22;
enum { dense_refused = 1, dense_holds = 2 }; /* 0: not evaluated yet */

/* Results of one constraint, by the mixed-radix number of the combination: a byte for each where that is affordable, else open addressing. */
typedef struct table {
    uint8_t *dense;  /* made when first asked for */
    size_t dense_count; /* 0: there are too many combinations */
    uint64_t *slots; /* 0: free; else (combination + 1) * 2 + holds */
    size_t capacity, used;
    bool direct; /* more combinations than numbers: nothing is remembered */
    uint64_t refused;
    fsattn_config first_refused;
} table;

typedef struct refusal {
    size_t constraint;
    fsattn_config config;
} refusal;

struct fsattn_enumerate_memo {
    const fsattn_space *space;
    table *tables;
    uint64_t evaluations, checks;
    size_t bytes;
    refusal more[fsattn_rejection_limit]; /* after the first of each constraint */
    size_t more_count;
};

fsattn_enumerate_memo *fsattn_enumerate_memo_create(const fsattn_space *space) {
    fsattn_enumerate_memo *memo = fsattn_alloc(1, sizeof *memo);
    if (!memo) {
        return NULL;
    }
    memo->space = space;
    memo->tables = fsattn_alloc(space->constraint_count, sizeof *memo->tables);
    if (!memo->tables) {
        fsattn_free(memo);
        return NULL;
    }
    for (size_t i = 0; i < space->constraint_count; i++) {
        double combinations = 1;
        for (uint64_t rest = space->constraints[i].expression->reads; rest; rest &= rest - 1) {
            combinations *= (double)space->manifest->parameters.items[__builtin_ctzll(rest)].value_count;
        }
        memo->tables[i].direct = combinations >= 0x1p62;
        memo->tables[i].dense_count = combinations <= dense_combinations ? (size_t)combinations : 0;
    }
    memo->bytes = sizeof *memo + space->constraint_count * sizeof *memo->tables;
    return memo;
}

void fsattn_enumerate_memo_destroy(fsattn_enumerate_memo *memo) {
    if (memo) {
        for (size_t i = 0; i < memo->space->constraint_count; i++) {
            fsattn_free(memo->tables[i].dense);
            fsattn_free(memo->tables[i].slots);
        }
        fsattn_free(memo->tables);
        fsattn_free(memo);
    }
}

static uint64_t combination_of(const fsattn_enumerate_memo *memo, size_t constraint, const fsattn_config *config) {
    const fsattn_parameter *items = memo->space->manifest->parameters.items;
    uint64_t combination = 0;
    for (uint64_t rest = memo->space->constraints[constraint].expression->reads; rest; rest &= rest - 1) {
        size_t parameter = (size_t)__builtin_ctzll(rest);
        combination = combination * items[parameter].value_count + config->index[parameter];
    }
    return combination;
}

/* The slot that holds the combination, or the free one where it belongs. */
static uint64_t *find_slot(uint64_t *slots, size_t capacity, uint64_t combination) {
    uint64_t hash = (combination + 1) * 0x9E3779B97F4A7C15u;
    size_t at = (size_t)(hash >> 20) & (capacity - 1);
    while (slots[at] && slots[at] >> 1 != combination + 1) {
        at = (at + 1) & (capacity - 1);
    }
    return &slots[at];
}

/* Room for one more: at most half of the slots are used. */
static bool make_room(fsattn_enumerate_memo *memo, table *t) {
    if (t->capacity && t->used * 2 < t->capacity) {
        return true;
    }
    size_t capacity = t->capacity ? t->capacity * 2 : 64;
    uint64_t *slots = fsattn_alloc(capacity, sizeof *slots);
    if (!slots) {
        return false;
    }
    for (size_t i = 0; i < t->capacity; i++) {
        if (t->slots[i]) {
            *find_slot(slots, capacity, (t->slots[i] >> 1) - 1) = t->slots[i];
        }
    }
    memo->bytes += (capacity - t->capacity) * sizeof *slots;
    fsattn_free(t->slots);
    t->slots = slots;
    t->capacity = capacity;
    return true;
}

static void values_text(const fsattn_space *space, size_t constraint, const fsattn_config *config, fsattn_text *text) {
    const fsattn_parameter_set *set = &space->manifest->parameters;
    for (uint64_t rest = space->constraints[constraint].expression->reads; rest; rest &= rest - 1) {
        size_t parameter = (size_t)__builtin_ctzll(rest);
        fsattn_text_printf(text, "%s%s=", text->bytes ? " " : "", set->items[parameter].name);
        fsattn_value_text(fsattn_config_value(set, config, parameter), text);
    }
}

static void note_refusal(fsattn_enumerate_memo *memo, size_t constraint, const fsattn_config *config) {
    table *t = &memo->tables[constraint];
    if (!t->refused++) {
        t->first_refused = *config;
    } else if (memo->more_count < fsattn_rejection_limit) {
        memo->more[memo->more_count++] = (refusal){constraint, *config};
    }
}

static fsattn_status evaluate(fsattn_enumerate_memo *memo, size_t constraint, const fsattn_config *config, bool *holds,
                              fsattn_err *err) {
    const fsattn_space *space = memo->space;
    memo->evaluations++;
    fsattn_status status = fsattn_expression_test(fsattn_manifest_sandbox(space->manifest), &space->manifest->parameters,
                                                  space->constraints[constraint].expression, config, holds, err);
    if (status != FSATTN_OK && err && !*err->hint) {
        fsattn_text values = {0};
        values_text(space, constraint, config, &values);
        fsattn_hint(err, "seen with %.400s", values.data ? values.data : "?");
        fsattn_text_fini(&values);
    }
    if (status == FSATTN_OK && !*holds) {
        note_refusal(memo, constraint, config);
    }
    return status;
}

static fsattn_status no_memory(const fsattn_enumerate_memo *memo, fsattn_err *err) {
    return fsattn_fail(err, FSATTN_NO_MEMORY, "%s: out of memory", memo->space->path);
}

static fsattn_status test_dense(fsattn_enumerate_memo *memo, size_t constraint, const fsattn_config *config, bool *holds,
                                fsattn_err *err) {
    table *t = &memo->tables[constraint];
    if (!t->dense) {
        t->dense = fsattn_alloc(t->dense_count, sizeof *t->dense);
        if (!t->dense) {
            return no_memory(memo, err);
        }
        memo->bytes += t->dense_count * sizeof *t->dense;
    }
    uint8_t *known = &t->dense[combination_of(memo, constraint, config)];
    if (!*known) {
        FSATTN_TRY(evaluate(memo, constraint, config, holds, err));
        *known = *holds ? dense_holds : dense_refused;
    }
    *holds = *known == dense_holds;
    return FSATTN_OK;
}

fsattn_status fsattn_enumerate_memo_test(fsattn_enumerate_memo *memo, size_t constraint, const fsattn_config *config,
                                         bool *holds, fsattn_err *err) {
    table *t = &memo->tables[constraint];
    memo->checks++;
    if (t->dense_count) {
        return test_dense(memo, constraint, config, holds, err);
    }
    if (t->direct) {
        return evaluate(memo, constraint, config, holds, err);
    }
    if (!make_room(memo, t)) {
        return no_memory(memo, err);
    }
    uint64_t combination = combination_of(memo, constraint, config);
    uint64_t *slot = find_slot(t->slots, t->capacity, combination);
    if (!*slot) {
        FSATTN_TRY(evaluate(memo, constraint, config, holds, err));
        *slot = (combination + 1) << 1 | *holds;
        t->used++;
    }
    *holds = *slot & 1;
    return FSATTN_OK;
}

uint64_t fsattn_enumerate_memo_evaluations(const fsattn_enumerate_memo *memo) {
    return memo->evaluations;
}

uint64_t fsattn_enumerate_memo_checks(const fsattn_enumerate_memo *memo) {
    return memo->checks;
}

size_t fsattn_enumerate_memo_bytes(const fsattn_enumerate_memo *memo) {
    return memo->bytes;
}

static fsattn_status add_rejection(const fsattn_enumerate_memo *memo, size_t constraint, const fsattn_config *config,
                                   fsattn_arena *arena, fsattn_rejection *rejection, fsattn_err *err) {
    fsattn_text values = {0};
    values_text(memo->space, constraint, config, &values);
    rejection->constraint = &memo->space->constraints[constraint];
    rejection->values = values.failed ? NULL : fsattn_arena_strdup(arena, values.data ? values.data : "");
    fsattn_text_fini(&values);
    return rejection->values ? FSATTN_OK : no_memory(memo, err);
}

fsattn_status fsattn_enumerate_memo_rejections(const fsattn_enumerate_memo *memo, fsattn_arena *arena,
                                               fsattn_rejection rejections[fsattn_rejection_limit], size_t *count,
                                               fsattn_err *err) {
    size_t made = 0;
    for (size_t i = 0; i < memo->space->constraint_count && made < fsattn_rejection_limit; i++) {
        if (memo->tables[i].refused) {
            FSATTN_TRY(add_rejection(memo, i, &memo->tables[i].first_refused, arena, &rejections[made++], err));
        }
    }
    for (size_t i = 0; i < memo->more_count && made < fsattn_rejection_limit; i++) {
        FSATTN_TRY(add_rejection(memo, memo->more[i].constraint, &memo->more[i].config, arena, &rejections[made++], err));
    }
    *count = made;
    return FSATTN_OK;
}
