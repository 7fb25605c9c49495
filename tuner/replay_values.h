/* replay_values.h - the parameters of a result file, learned from its results. Internal to replay_file.c.
 *
 * A parameter is an int when all its values are integers, a real when all are numbers, a bool when all are true or false, and
 * otherwise an enum whose words are the texts (letters, digits and "_.+-" stay, anything else becomes '_').
 */
#ifndef FSATTN_REPLAY_VALUES_H
#define FSATTN_REPLAY_VALUES_H

#include "config.h"
#include "memory.h"

#include <jansson.h>

typedef struct fsattn_replay_values fsattn_replay_values;

fsattn_replay_values *fsattn_replay_values_create(void); /* NULL when memory ends */
void fsattn_replay_values_destroy(fsattn_replay_values *values);
/* A further parameter; one of that name that is there already stays. */
fsattn_status fsattn_replay_values_add(fsattn_replay_values *values, const char *name, fsattn_err *err);
size_t fsattn_replay_values_count(const fsattn_replay_values *values);
const char *fsattn_replay_values_name(const fsattn_replay_values *values, size_t parameter);
/* Index of a value, which is added when it is new; FSATTN_INVALID when it is a list or an object or one too many. */
fsattn_status fsattn_replay_values_index(fsattn_replay_values *values, size_t parameter, const json_t *value,
                                         uint16_t *index, fsattn_err *err);
/* The parameter set, in `arena`. */
fsattn_status fsattn_replay_values_finish(const fsattn_replay_values *values, const char *template_name,
                                          fsattn_arena *arena, fsattn_parameter_set *set, fsattn_err *err);

#endif
