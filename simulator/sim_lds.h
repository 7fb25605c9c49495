/* sim_lds.h - where LDS is accessed from: every access is checked against the workgroup's allocation. */
#ifndef SIM_LDS_H
#define SIM_LDS_H

#include "sim_undefined.h"

/* The bytes at an LDS address, NULL after a fault. */
static inline unsigned char *sim_lds_place(sim_wave *wave, const sim_instruction *in, int lane, uint32_t address, unsigned bytes,
                                           unsigned alignment, sim_touch touch) {
    const uint32_t size = wave->group->lds_bytes;
    if (address % alignment) {
        sim_fault(wave, in, lane, "misaligned: %u bytes at LDS address %u, a multiple of %u is needed", bytes, address, alignment);
        return NULL;
    }
    if (address > size || bytes > size - address) {
        sim_fault(wave, in, lane, "out of bounds: %u bytes at LDS address %u of %u", bytes, address, size);
        return NULL;
    }
    if (wave->group->watched && !sim_undefined_watch_lds(wave, in, lane, address, bytes, touch)) {
        return NULL;
    }
    return wave->group->lds + address;
}

#endif
