/* space_read.h - from the nodes of a space file to fsattn_space: what the parts of the reader share.
 *
 * Internal to space.c, space_read.c, space_problem.c, space_set.c and space_axis.c. A reader fills in the space that it is given;
 * everything that it makes lives in the space's arena. After a failure the space is only good for destroying.
 */
#ifndef FSATTN_SPACE_READ_H
#define FSATTN_SPACE_READ_H

#include "memory.h"
#include "space_yaml.h"

struct fsattn_space_memory {
    fsattn_arena arena;
    fsattn_space_set *entries; /* the problems of each named entry, as sets */
    size_t entry_count;
    size_t *all; /* 0 .. problem_count - 1 */
};

typedef struct fsattn_space_reader {
    fsattn_space *space;
    fsattn_arena *arena;
    fsattn_err *err;
} fsattn_space_reader;

/* One key of a map: how its value is read into the object at `offset`. */
typedef struct fsattn_space_key fsattn_space_key;
typedef fsattn_status fsattn_space_key_read(fsattn_space_reader *reader, const fsattn_space_key *key, const char *name,
                                            const fsattn_space_yaml *node, void *member);
struct fsattn_space_key {
    const char *name;
    fsattn_space_key_read *read;
    size_t offset;
    double minimum, maximum; /* of numbers; both 0: no limits */
    bool required;
};

/* Reads a map whose keys are those of the table, in the table's order. `what` names the map in messages ("budget"); "" for
 * the file's top. */
fsattn_status fsattn_space_read_map(fsattn_space_reader *reader, const char *what, const fsattn_space_yaml *node,
                                    const fsattn_space_key *keys, size_t count, void *object);
/* "unknown key 'budgt'" with the nearest of `names`. */
fsattn_status fsattn_space_read_unknown(fsattn_space_reader *reader, const char *what, const fsattn_space_yaml *key,
                                        const char *const *names, size_t count);

/* Scalars. `name` opens the message: "budget.seconds: expected a number, got '1_000'". */
fsattn_status fsattn_space_read_value(fsattn_space_reader *reader, const char *name, const fsattn_space_yaml *node,
                                      fsattn_value_type type, fsattn_value *value);
fsattn_space_key_read fsattn_space_read_integer;   /* int64_t */
fsattn_space_key_read fsattn_space_read_real;      /* double */
fsattn_space_key_read fsattn_space_read_word;      /* const char *: a word */
fsattn_space_key_read fsattn_space_read_line;      /* const char *: any text, not empty */
fsattn_space_key_read fsattn_space_read_unlimited; /* int64_t, "unlimited" is INT64_MAX */
/* The index of a word in `words` (NULL ends them). */
fsattn_status fsattn_space_read_choice(fsattn_space_reader *reader, const char *name, const fsattn_space_yaml *node,
                                       const char *const *words, size_t *index);
/* Whether the node is what `name` needs; FSATTN_PARSE names what was found. */
fsattn_status fsattn_space_read_expect(fsattn_space_reader *reader, const char *name, const fsattn_space_yaml *node,
                                       fsattn_space_yaml_kind kind);

/* Elements in the arena; NULL with the error set when memory ends. */
void *fsattn_space_read_alloc(fsattn_space_reader *reader, size_t count, size_t size);

/* The sections of the file: members of the space. */
fsattn_space_key_read fsattn_space_read_objective, fsattn_space_read_accuracy, fsattn_space_read_measurement,
    fsattn_space_read_strategy, fsattn_space_read_budget; /* space_read.c */
fsattn_space_key_read fsattn_space_problem_read; /* space_problem.c */
fsattn_space_key_read fsattn_space_set_read;     /* space_set.c */
fsattn_space_key_read fsattn_space_axis_read, fsattn_space_axis_read_constraints, fsattn_space_axis_read_tiers; /* space_axis.c */
/* What holds when the file says nothing: the fixed default of every parameter; the manifest's constraints. */
fsattn_status fsattn_space_axis_defaults(fsattn_space_reader *reader);

#endif
