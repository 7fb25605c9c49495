#include "strategy.h"

#include "error.h"
#include "memory.h"
#include "nearest.h"

#include <math.h>
#include <string.h>

#define FSATTN_STRATEGY_LIST(X) X(automatic) X(exhaustive) X(random) X(hill) X(local) X(annealing) X(genetic) X(differential) X(surrogate)
#define X(name) extern const fsattn_strategy_ops fsattn_strategy_##name;
FSATTN_STRATEGY_LIST(X)
#undef X

const fsattn_strategy_ops *const *fsattn_strategy_all(void) {
    static const fsattn_strategy_ops *const all[] = {
#define X(name) &fsattn_strategy_##name,
        FSATTN_STRATEGY_LIST(X)
#undef X
            NULL,
    };
    return all;
}

fsattn_status fsattn_strategy_find(const char *name, const fsattn_strategy_ops **ops, fsattn_err *err) {
    const char *names[16];
    size_t count = 0;
    for (const fsattn_strategy_ops *const *at = fsattn_strategy_all(); *at; at++) {
        if (!strcmp((*at)->name, name)) {
            *ops = *at;
            return FSATTN_OK;
        }
        names[count++] = (*at)->name;
    }
    fsattn_fail(err, FSATTN_NOT_FOUND, "no strategy is called '%s'", name);
    fsattn_nearest_hint(err, name, names, count);
    return FSATTN_NOT_FOUND;
}

/* ---- options ---- */

void fsattn_strategy_settings_default(const fsattn_strategy_ops *ops, fsattn_strategy_settings *settings) {
    *settings = (fsattn_strategy_settings){.seed = 1};
    for (size_t i = 0; i < ops->option_count; i++) {
        settings->values[i] = ops->options[i].fallback;
    }
}

static fsattn_status unknown_option(const fsattn_strategy_ops *ops, const char *name, fsattn_err *err) {
    const char *names[fsattn_strategy_option_limit];
    for (size_t i = 0; i < ops->option_count; i++) {
        names[i] = ops->options[i].name;
    }
    fsattn_fail(err, FSATTN_NOT_FOUND, "strategy %s has no option '%s'", ops->name, name);
    if (ops->option_count) {
        fsattn_nearest_hint(err, name, names, ops->option_count);
    } else {
        fsattn_hint(err, "it has none");
    }
    return FSATTN_NOT_FOUND;
}

/* The option's own copy of a word, so that the text need not live on. */
static fsattn_status check_word(const fsattn_strategy_option *option, fsattn_value *value, fsattn_err *err) {
    const char *words[16];
    size_t count = 0;
    for (const char *const *at = option->words; *at; at++) {
        if (!strcmp(*at, value->word)) {
            value->word = *at;
            return FSATTN_OK;
        }
        words[count++] = *at;
    }
    fsattn_fail(err, FSATTN_INVALID, "%s: no value '%s'", option->name, value->word);
    fsattn_nearest_hint(err, value->word, words, count);
    return FSATTN_INVALID;
}

fsattn_status fsattn_strategy_settings_set(const fsattn_strategy_ops *ops, const char *name, const char *text,
                                           fsattn_strategy_settings *settings, fsattn_err *err) {
    for (size_t i = 0; i < ops->option_count; i++) {
        const fsattn_strategy_option *option = &ops->options[i];
        if (strcmp(option->name, name)) {
            continue;
        }
        fsattn_value value;
        fsattn_status status = fsattn_value_parse(option->fallback.type, text, &value, err);
        if (status != FSATTN_OK) {
            return fsattn_context_add(err, status, "%s", name);
        }
        if (value.type == FSATTN_VALUE_ENUM) {
            FSATTN_TRY(check_word(option, &value, err));
        }
        double number = value.type == FSATTN_VALUE_INT ? (double)value.integer : value.real;
        if ((value.type == FSATTN_VALUE_INT || value.type == FSATTN_VALUE_REAL) &&
            (number < option->minimum || number > option->maximum)) {
            return fsattn_fail(err, FSATTN_INVALID, "%s: expected %.9g to %.9g, got '%s'", name,
                               option->minimum, option->maximum, text);
        }
        settings->values[i] = value;
        return FSATTN_OK;
    }
    return unknown_option(ops, name, err);
}

/* ---- what was proposed ---- */

typedef struct known_entry {
    uint64_t index_plus_one; /* 0: free */
    double cost;             /* NaN until told */
} known_entry;

struct fsattn_strategy {
    const fsattn_strategy_ops *ops;
    const fsattn_enumeration *enumeration;
    fsattn_strategy_settings settings;
    bool has_start;
    uint64_t start;
    known_entry *known; /* open addressing, a power of two */
    size_t known_capacity, known_count;
    uint64_t proposals_left;
    uint64_t *batch;
    size_t batch_count, batch_limit, outstanding;
    bool failed; /* an allocation failed while proposing */
    uint64_t work;
    void *state;
};

/* Fibonacci hashing: neighbouring indices spread out. */
static size_t slot_of(const known_entry *known, size_t capacity, uint64_t index) {
    size_t slot = (size_t)((index + 1) * UINT64_C(0x9E3779B97F4A7C15) >> 32) & (capacity - 1);
    while (known[slot].index_plus_one && known[slot].index_plus_one != index + 1) {
        slot = (slot + 1) & (capacity - 1);
    }
    return slot;
}

static bool known_reserve(fsattn_strategy *strategy) {
    if (2 * (strategy->known_count + 1) <= strategy->known_capacity) {
        return true;
    }
    size_t capacity = strategy->known_capacity ? 2 * strategy->known_capacity : 64;
    known_entry *known = fsattn_alloc(capacity, sizeof *known);
    if (!known) {
        return false;
    }
    for (size_t i = 0; i < strategy->known_capacity; i++) {
        const known_entry *entry = &strategy->known[i];
        if (entry->index_plus_one) {
            known[slot_of(known, capacity, entry->index_plus_one - 1)] = *entry;
        }
    }
    fsattn_free(strategy->known);
    strategy->known = known;
    strategy->known_capacity = capacity;
    return true;
}

bool fsattn_strategy_known(const fsattn_strategy *strategy, uint64_t index, double *cost) {
    if (!strategy->known_capacity) {
        return false;
    }
    const known_entry *entry = &strategy->known[slot_of(strategy->known, strategy->known_capacity, index)];
    if (!entry->index_plus_one) {
        return false;
    }
    if (cost) {
        *cost = entry->cost;
    }
    return true;
}

bool fsattn_strategy_full(const fsattn_strategy *strategy) {
    return strategy->failed || strategy->batch_count == strategy->batch_limit ||
           strategy->proposals_left == 0;
}

bool fsattn_strategy_propose(fsattn_strategy *strategy, uint64_t index) {
    if (fsattn_strategy_full(strategy)) {
        return false;
    }
    if (fsattn_strategy_known(strategy, index, NULL)) {
        return true;
    }
    if (!known_reserve(strategy)) {
        strategy->failed = true;
        return false;
    }
    strategy->known[slot_of(strategy->known, strategy->known_capacity, index)] =
        (known_entry){.index_plus_one = index + 1, .cost = NAN};
    strategy->known_count++;
    strategy->batch[strategy->batch_count++] = index;
    strategy->proposals_left--;
    return true;
}

void fsattn_strategy_charge(fsattn_strategy *strategy, uint64_t steps) {
    strategy->work += steps;
}

uint64_t fsattn_strategy_work(const fsattn_strategy *strategy) {
    return strategy->work;
}

void *fsattn_strategy_state(fsattn_strategy *strategy) {
    return strategy->state;
}

const fsattn_enumeration *fsattn_strategy_enumeration(const fsattn_strategy *strategy) {
    return strategy->enumeration;
}

uint64_t fsattn_strategy_seed(const fsattn_strategy *strategy) {
    return strategy->settings.seed;
}

const fsattn_prior *fsattn_strategy_prior(const fsattn_strategy *strategy) {
    return strategy->settings.prior;
}

const fsattn_value *fsattn_strategy_value(const fsattn_strategy *strategy, size_t option) {
    return &strategy->settings.values[option];
}

bool fsattn_strategy_start(const fsattn_strategy *strategy, uint64_t *index) {
    if (strategy->has_start) {
        *index = strategy->start;
    }
    return strategy->has_start;
}

/* ---- life, ask and tell ---- */

fsattn_status fsattn_strategy_create(const fsattn_strategy_ops *ops, const fsattn_enumeration *enumeration,
                                     const fsattn_strategy_settings *settings, uint64_t limit,
                                     const fsattn_config *start, fsattn_strategy **strategy,
                                     fsattn_err *err) {
    fsattn_strategy *made = fsattn_alloc(1, sizeof *made);
    void *state = fsattn_alloc(1, ops->state_bytes ? ops->state_bytes : 1);
    if (!made || !state) {
        fsattn_free(made);
        fsattn_free(state);
        return fsattn_fail(err, FSATTN_NO_MEMORY, "strategy %s: out of memory", ops->name);
    }
    *made = (fsattn_strategy){.ops = ops,
                              .enumeration = enumeration,
                              .settings = *settings,
                              .proposals_left = limit,
                              .state = state};
    made->has_start = start && fsattn_enumeration_find(enumeration, start, &made->start);
    if (ops->init) {
        fsattn_status status = ops->init(made, err);
        if (status != FSATTN_OK) {
            fsattn_strategy_destroy(made);
            return status;
        }
    }
    *strategy = made;
    return FSATTN_OK;
}

void fsattn_strategy_destroy(fsattn_strategy *strategy) {
    if (!strategy) {
        return;
    }
    if (strategy->ops->fini) {
        strategy->ops->fini(strategy);
    }
    fsattn_free(strategy->known);
    fsattn_free(strategy->state);
    fsattn_free(strategy);
}

fsattn_status fsattn_strategy_ask(fsattn_strategy *strategy, size_t limit, uint64_t *indices, size_t *count,
                                  fsattn_err *err) {
    if (strategy->outstanding) {
        return fsattn_fail(err, FSATTN_INTERNAL, "strategy %s: asked before %zu costs were told",
                           strategy->ops->name, strategy->outstanding);
    }
    strategy->batch = indices;
    strategy->batch_count = 0;
    strategy->batch_limit = limit;
    fsattn_status status = FSATTN_OK;
    if (fsattn_enumeration_count(strategy->enumeration) > 0 && strategy->proposals_left > 0) {
        status = strategy->ops->ask(strategy, err);
    }
    if (status == FSATTN_OK && strategy->failed) {
        status = fsattn_fail(err, FSATTN_NO_MEMORY, "strategy %s: out of memory", strategy->ops->name);
    }
    strategy->batch = NULL;
    if (status == FSATTN_OK) {
        *count = strategy->outstanding = strategy->batch_count;
    }
    return status;
}

fsattn_status fsattn_strategy_tell(fsattn_strategy *strategy, uint64_t index, double cost, fsattn_err *err) {
    double before;
    if (!strategy->outstanding || !fsattn_strategy_known(strategy, index, &before) || !isnan(before)) {
        return fsattn_fail(err, FSATTN_INTERNAL,
                           "strategy %s: told the cost of %llu, which it did not ask for",
                           strategy->ops->name, (unsigned long long)index);
    }
    double told = isnan(cost) ? INFINITY : cost;
    strategy->known[slot_of(strategy->known, strategy->known_capacity, index)].cost = told;
    strategy->outstanding--;
    if (strategy->ops->tell) {
        strategy->ops->tell(strategy, index, told);
    }
    return FSATTN_OK;
}
