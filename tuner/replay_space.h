/* replay_space.h - a search space out of a result file: its parameters, its configurations as the valid set, one problem.
 *
 * The space has no template and no constraints: what is in the file is valid (a configuration that was refused or failed when
 * it was measured is there with its verdict), everything else is not. The problem stands for whatever the kernel computes; its
 * name says kernel, size and device. The default configuration is the first of the file that ran: result files name
 * none, so speed-ups over it mean little.
 */
#ifndef FSATTN_REPLAY_SPACE_H
#define FSATTN_REPLAY_SPACE_H

#include "replay_file.h"
#include "space.h"

/* Opens the file and makes the space, which owns it (space->replay); released by fsattn_space_destroy. */
fsattn_status fsattn_replay_space_open(const char *path, fsattn_space **space, fsattn_err *err);

#endif
