/* sim_timing.h - modelled time: how long each unit of a compute unit is busy, nothing more.
 *
 * Every instruction occupies one unit for a number of cycles that depends on the instruction alone. A launch takes as long as the
 * busiest unit of the busiest compute unit. Latencies, dependencies, bank conflicts, caches, barriers and waits are not
 * modelled: the figure is a lower bound that orders kernels by their busiest unit, and everything that shows it says "modelled". */
#ifndef SIM_TIMING_H
#define SIM_TIMING_H

#include "sim_core.h"

/* X(NAME, text, how many of them a compute unit has) */
#define SIM_UNIT_LIST(X)                                                                                     \
    X(SCALAR, "scalar", 1)                                                                                   \
    X(VECTOR, "vector", 4)                                                                                   \
    X(MATRIX, "matrix", 4)                                                                                   \
    X(LDS, "lds", 1)                                                                                         \
    X(MEMORY, "memory", 1)
typedef enum sim_unit {
#define X(name, text, count) SIM_UNIT_##name,
    SIM_UNIT_LIST(X)
#undef X
} sim_unit;

enum { sim_timing_compute_units = 256, sim_timing_clock_mhz = 2400 };

/* Unit and cycles of a decoded instruction. */
void sim_timing_cost(const sim_instruction *in, uint8_t *unit, uint16_t *cycles);
/* Nanoseconds of a launch of `charged` workgroups like those `groups` that together kept the units busy for `cycles`. */
double sim_timing_ns(uint64_t groups, uint64_t charged, const uint64_t cycles[sim_units]);

#endif
