/* machine.h - who may use this machine's processors: many that work (compile, verify), or one that times.
 *
 * Two files, locked by the kernel and released by it however a process ends. `room` is held shared by workers and exclusively
 * by the one that times. Before either, one passes the `gate`, and keeps it until the room is free: so nobody new enters while
 * somebody waits, and neither the many nor the one can be kept out for ever. The files lie in the user's cache folder:
 * processes of other users, and other programs, are not held back.
 */
#ifndef FSATTN_MACHINE_H
#define FSATTN_MACHINE_H

#include "fsattn.h"

typedef struct fsattn_machine {
    char *gate, *room; /* paths; NULL: no machine */
} fsattn_machine;

typedef enum fsattn_machine_use { FSATTN_MACHINE_WORK, FSATTN_MACHINE_TIME } fsattn_machine_use;

/* A place in the queue, then in the room. One use at a time; not both by one process at once. */
typedef struct fsattn_machine_turn {
    int gate, room; /* descriptors; -1: not held */
} fsattn_machine_turn;
#define FSATTN_MACHINE_TURN_NONE ((fsattn_machine_turn){.gate = -1, .room = -1})

/* `folder` must exist. */
fsattn_status fsattn_machine_init(const char *folder, const char *device, fsattn_machine *machine, fsattn_err *err);
void fsattn_machine_fini(fsattn_machine *machine);
/* Never waits: FSATTN_BUSY means ask again soon with the same turn, which keeps the place that it has got to. */
fsattn_status fsattn_machine_enter(const fsattn_machine *machine, fsattn_machine_use use, fsattn_machine_turn *turn,
                                   fsattn_err *err);
void fsattn_machine_leave(fsattn_machine_turn *turn);
/* Whether somebody stands at the gate: whoever works should begin nothing more, and leave. */
bool fsattn_machine_wanted(const fsattn_machine *machine);

#endif
