/* sim_race.h - LDS as waves share it: who touched a word since the last barrier, and what is still on its way into it.
 *
 * Two accesses of different waves to a word, at least one a write and not both atomic, must have a barrier between them. What a
 * load brings into LDS counts as written when an s_waitcnt of its wave covers it: before that nobody may read it, and other waves
 * only behind a barrier after that. Two waves may load the same bytes to the same place (SIM_TOUCH_LOAD_SAME). Words of 4 bytes are watched, and single bytes of
 * those of which a part was ever touched alone. Off when the group has no shadow. */
#ifndef SIM_RACE_H
#define SIM_RACE_H

#include "sim_core.h"

typedef enum sim_touch { SIM_TOUCH_READ, SIM_TOUCH_WRITE, SIM_TOUCH_ATOMIC, SIM_TOUCH_LOAD /* into LDS */, SIM_TOUCH_LOAD_SAME, SIM_TOUCH_NONE } sim_touch;

/* What is known of a word; `epoch` counts barriers and never returns to an old value, so that nothing need be cleared. */
typedef struct sim_shadow {
    uint32_t write_epoch, read_epoch;
    uint32_t load; /* number of the load into LDS (vmcnt) that fills it, 0 none */
    uint16_t readers;
    uint8_t writer;
    bool atomic, loaded;
    bool split; /* of a word: its bytes are watched instead */
} sim_shadow;

/* False after a fault. */
bool sim_race_touch(sim_wave *wave, const sim_instruction *in, int lane, uint32_t address, unsigned bytes, sim_touch touch);

#endif
